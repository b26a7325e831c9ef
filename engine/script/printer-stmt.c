/* printer-stmt: statements other than blocks.
 *
 * Statements that open a scope (let, attr, allocate, assert, decl_buffer) are written without `with` when they
 * are the last of their body, because then the rest of the body is theirs anyway.
 */
#include "engine/base/stack.h"
#include "engine/script/printer-private.h"

void
ls_printer_pass (LsPrinter *p,
                 guint      from)
{
  if (p->out->len > from)
    return;
  ls_printer_line (p, ls_printer_top (p)->indent);
  ls_put (p, "pass\n");
}

void
ls_printer_body (LsPrinter *p,
                 LsStmt    *body)
{
  LsArray *seq;

  if (!ls_is (body, SEQ_STMT))
    {
      ls_printer_top (p)->concise = TRUE;
      ls_printer_stmt (p, body);
      return;
    }
  seq = ((LsSeqStmt *) body)->seq;
  for (guint i = 0; i < seq->n; i++)
    {
      ls_printer_top (p)->concise = i + 1 == seq->n;
      LS_AT (p, body, LsSeqStmt, seq, LS_AT_ITEM (p, i, ls_printer_stmt (p, seq->items[i])));
    }
}

/* An indented body below a line that ends in ":", in a frame of its own that is left open. */
static void
open_suite (LsPrinter *p,
            gpointer   tir)
{
  ls_put (p, ":\n");
  ls_printer_push (p, tir, ls_printer_top (p)->indent + 1);
}

static void
close_suite (LsPrinter *p,
             guint      from)
{
  ls_printer_pass (p, from);
  ls_printer_pop (p);
}

static void
suite (LsPrinter *p,
       gpointer   tir,
       LsStmt    *body,
       gpointer   parent,
       gsize      offset)
{
  guint32 saved;
  guint from;

  open_suite (p, tir);
  from = p->out->len;
  saved = ls_printer_enter (p, parent, offset);
  ls_printer_body (p, body);
  p->path = saved;
  close_suite (p, from);
}

/* ---- scopes that need no `with` at the end of a body ----------------------- */

/* The path of the child of `stmt` that is this very node; the current path when there is none. */
static void
enter_child (LsPrinter *p,
             LsNode    *stmt,
             gpointer   child)
{
  guint n = p->mapping ? ls_node_get_n_children (stmt) : 0;

  for (guint i = 0; i < n; i++)
    if ((gpointer) ls_node_get_child (stmt, i) == child)
      {
        ls_printer_enter_item (p, i);
        return;
      }
}

void
ls_printer_finish_scope (LsPrinter *p,
                         gpointer   stmt,
                         guint      mark,
                         gpointer   named,
                         gboolean   concise,
                         LsStmt    *body,
                         gpointer   parent,
                         gsize      offset)
{
  guint indent = ls_printer_top (p)->indent;
  guint32 saved;
  guint from;

  ls_printer_push (p, stmt, indent + (concise ? 0 : 1));
  if (named != NULL)
    {
      const char *name = ls_printer_define (p, named, p->frames->len - 1);
      LsVar *own_data = g_steal_pointer (&p->own_data);

      saved = p->path;
      enter_child (p, stmt, named);
      if (own_data != NULL)
        ls_printer_define_as (p, own_data, p->frames->len - 2, g_strconcat (name, ".data", NULL));
      if (concise)
        {
          ls_printer_insert_name (p, mark, named, name);
        }
      else
        {
          ls_put (p, " as ");
          ls_printer_put_name (p, named, name, LS_SOURCE_DEFINE);
          ls_printer_drop_mark (p, mark);
        }
      p->path = saved;
    }
  else
    {
      ls_printer_drop_mark (p, mark);
    }
  ls_put (p, concise ? "\n" : ":\n");
  from = p->out->len;
  saved = ls_printer_enter (p, parent, offset);
  ls_printer_body (p, body);
  p->path = saved;
  if (!concise)
    ls_printer_pass (p, from);
  ls_printer_pop (p);
}

guint
ls_printer_begin_scope (LsPrinter *p,
                        gboolean   concise,
                        gboolean   named)
{
  guint mark = ls_printer_mark (p);

  ls_put (p, concise ? (named ? " = " : "") : "with ");
  return mark;
}

static void
put_type_annotation (LsPrinter *p,
                     LsVar     *var)
{
  LS_AT (p, var, LsVar, type_annotation, ls_printer_value (p, var->type_annotation));
}

static void
put_let_stmt (LsPrinter *p,
              LsLetStmt *let,
              gboolean   concise)
{
  gboolean known = ls_printer_name (p, let->var) != NULL;
  LsType *type = let->var->type_annotation;
  gboolean typed = type != NULL && !(ls_is (type, TUPLE_TYPE) && ((LsTupleType *) type)->fields->n == 0);
  guint mark = ls_printer_mark (p);

  concise = concise && !known;
  if (concise && typed)
    {
      ls_put (p, ": ");
      LS_AT (p, let, LsLetStmt, var, put_type_annotation (p, let->var));
    }
  ls_put (p, concise ? " = " : "with T.LetStmt(");
  LS_AT (p, let, LsLetStmt, value, ls_printer_value (p, let->value));
  if (known)
    {
      ls_put (p, ", var=");
      LS_AT (p, let, LsLetStmt, var, ls_printer_value (p, let->var));
    }
  else if (!concise && typed && !ls_is (type, PRIM_TYPE))
    {
      ls_put (p, ", ");
      LS_AT (p, let, LsLetStmt, var, put_type_annotation (p, let->var));
    }
  if (!concise)
    ls_put_char (p, ')');
  ls_printer_finish_scope (p, let, mark, known ? NULL : let->var, concise, let->body, let, G_STRUCT_OFFSET (LsLetStmt, body));
}

static void
put_assert (LsPrinter    *p,
            LsAssertStmt *stmt,
            gboolean      concise)
{
  guint mark = ls_printer_mark (p);

  ls_put (p, concise ? "assert " : "with T.Assert(");
  LS_AT (p, stmt, LsAssertStmt, condition, ls_printer_value (p, stmt->condition));
  ls_put (p, ", ");
  LS_AT (p, stmt, LsAssertStmt, message, ls_printer_value (p, stmt->message));
  if (!concise)
    ls_put_char (p, ')');
  ls_printer_finish_scope (p, stmt, mark, NULL, concise, stmt->body, stmt, G_STRUCT_OFFSET (LsAssertStmt, body));
}

static void
declare_env_thread (LsPrinter *p,
                    LsIterVar *iter)
{
  int depth = ls_printer_lowest_frame (p, iter->var);
  g_autofree char *line = NULL;
  const char *name = ls_printer_define (p, iter->var, depth >= 0 ? (guint) depth : 0);

  line = g_strdup_printf ("%s = T.env_thread(\"%s\")", name, iter->thread_tag);
  if (depth >= 0)
    ls_printer_declare (p, (guint) depth, line, (gpointer *) &iter->var, 1);
}

static void
put_iter_name (LsPrinter *p,
               LsIterVar *iter)
{
  LS_AT (p, iter, LsIterVar, var, ls_printer_value (p, iter->var));
}

static void
put_launch_thread (LsPrinter  *p,
                   LsAttrStmt *stmt,
                   gboolean    concise)
{
  LsIterVar *iter = (LsIterVar *) stmt->subject;
  gboolean defines = ls_printer_name (p, iter->var) == NULL && ls_printer_is_above_all (p, stmt, iter->var);
  guint mark;

  if (!defines && ls_printer_name (p, iter->var) == NULL)
    declare_env_thread (p, iter);
  mark = ls_printer_begin_scope (p, concise, defines);
  ls_put (p, "T.launch_thread(");
  if (defines)
    ls_printer_put_string (p, iter->thread_tag != NULL ? iter->thread_tag : "");
  else
    LS_AT (p, stmt, LsAttrStmt, subject, put_iter_name (p, iter));
  ls_put (p, ", ");
  LS_AT (p, stmt, LsAttrStmt, value, ls_printer_value (p, stmt->value));
  ls_put_char (p, ')');
  ls_printer_finish_scope (p, stmt, mark, defines ? iter->var : NULL, concise, stmt->body, stmt, G_STRUCT_OFFSET (LsAttrStmt, body));
}

static void
put_realize (LsPrinter       *p,
             LsBufferRealize *realize,
             LsExpr          *scope)
{
  ls_put (p, "T.realize(");
  LS_AT (p, realize, LsBufferRealize, buffer, ls_printer_value (p, realize->buffer));
  LS_AT (p, realize, LsBufferRealize, bounds, ls_printer_region (p, realize->bounds));
  ls_put (p, ", ");
  if (scope != NULL)
    ls_printer_value (p, scope);
  else
    ls_put (p, "\"\"");
  if (!ls_is_one (realize->condition))
    {
      ls_put (p, ", condition=");
      LS_AT (p, realize, LsBufferRealize, condition, ls_printer_value (p, realize->condition));
    }
  ls_put_char (p, ')');
}

static void
put_attr (LsPrinter  *p,
          LsAttrStmt *stmt,
          gboolean    concise)
{
  LsBufferRealize *realize = ls_is (stmt->body, BUFFER_REALIZE) ? (LsBufferRealize *) stmt->body : NULL;
  guint mark;

  if ((g_str_equal (stmt->attr_key, "thread_extent") || g_str_equal (stmt->attr_key, "virtual_thread"))
      && ls_is (stmt->subject, ITER_VAR))
    {
      put_launch_thread (p, stmt, concise);
      return;
    }
  mark = ls_printer_begin_scope (p, concise, FALSE);
  if (g_str_equal (stmt->attr_key, "realize_scope") && realize != NULL && LS_NODE (realize->buffer) == stmt->subject)
    {
      guint32 saved = ls_printer_enter (p, stmt, G_STRUCT_OFFSET (LsAttrStmt, body));

      put_realize (p, realize, stmt->value);
      ls_printer_finish_scope (p, stmt, mark, NULL, concise, realize->body, realize, G_STRUCT_OFFSET (LsBufferRealize, body));
      p->path = saved;
      return;
    }
  ls_put (p, "T.attr(");
  LS_AT (p, stmt, LsAttrStmt, subject, ls_printer_value (p, stmt->subject));
  ls_put (p, ", ");
  ls_printer_put_string (p, stmt->attr_key);
  ls_put (p, ", ");
  LS_AT (p, stmt, LsAttrStmt, value, ls_printer_value (p, stmt->value));
  ls_put_char (p, ')');
  ls_printer_finish_scope (p, stmt, mark, NULL, concise, stmt->body, stmt, G_STRUCT_OFFSET (LsAttrStmt, body));
}

static void
put_buffer_realize (LsPrinter       *p,
                    LsBufferRealize *realize,
                    gboolean         concise)
{
  guint mark = ls_printer_begin_scope (p, concise, FALSE);

  put_realize (p, realize, NULL);
  ls_printer_finish_scope (p, realize, mark, NULL, concise, realize->body, realize, G_STRUCT_OFFSET (LsBufferRealize, body));
}

/* ---- loops --------------------------------------------------------------------- */

static gboolean
is_grid_var (LsVar   *var,
             gpointer vars)
{
  return g_ptr_array_find (vars, var, NULL);
}

/* The loops of one T.grid, outermost first. */
static GPtrArray *
grid_of (LsFor *loop)
{
  GPtrArray *loops = g_ptr_array_new ();
  g_autoptr (GPtrArray) vars = g_ptr_array_new ();

  for (LsStmt *at = LS_STMT (loop); ls_is (at, FOR); at = ((LsFor *) at)->body)
    {
      LsFor *self = (LsFor *) at;

      if (self->kind != LS_FOR_SERIAL || !ls_is_zero (self->min) || self->annotations->n > 0
          || ((self->extent->node.facts & LS_FACT_HAS_VAR) != 0 && ls_uses_var (self->extent, is_grid_var, vars)))
        break;
      g_ptr_array_add (loops, self);
      g_ptr_array_add (vars, self->loop_var);
    }
  return loops;
}

static void
put_grid (LsPrinter *p,
          GPtrArray *loops)
{
  guint n = loops->len, from;
  g_autofree guint *range = g_new (guint, n);
  g_autofree guint32 *path = g_new (guint32, n);
  LsFor *last = loops->pdata[n - 1];
  GString *extents = g_string_new (NULL), *out = p->out;

  ls_printer_push (p, loops->pdata[0], ls_printer_top (p)->indent + 1);
  ls_put (p, "for ");
  for (guint i = 0; i < n; i++)
    {
      LsFor *loop = loops->pdata[i];

      path[i] = p->path;
      range[i] = LS_NO_POSITION;
      if (i > 0)
        {
          ls_printer_enter (p, loops->pdata[i - 1], G_STRUCT_OFFSET (LsFor, body));
          path[i] = p->path;
          range[i] = ls_printer_open (p, loop, LS_SOURCE_NODE);
          ls_put (p, ", ");
        }
      LS_AT (p, loop, LsFor, loop_var,
             ls_printer_put_name (p, loop->loop_var, ls_printer_define (p, loop->loop_var, p->frames->len - 1), LS_SOURCE_DEFINE));
      if (loop->extent->node.facts & (LS_FACT_HAS_VAR | LS_FACT_HAS_LOAD))
        {
          p->out = extents;
          p->muted++;
          ls_printer_value (p, loop->extent);
          p->muted--;
          p->out = out;
          g_string_set_size (extents, 0);
        }
    }
  ls_put (p, " in T.grid(");
  for (guint i = 0; i < n; i++)
    {
      LsFor *loop = loops->pdata[i];

      if (i > 0)
        ls_put (p, ", ");
      p->path = path[i];
      LS_AT (p, loop, LsFor, extent, ls_printer_value (p, loop->extent));
    }
  ls_put (p, "):\n");
  from = p->out->len;
  p->path = path[n - 1];
  LS_AT (p, last, LsFor, body, ls_printer_body (p, last->body));
  close_suite (p, from);
  for (guint i = n; i-- > 0;)
    ls_printer_close (p, range[i]);
  p->path = path[0];
  g_string_free (extents, TRUE);
}

static const char *
loop_word (LsPrinter *p,
           LsFor     *loop)
{
  switch ((LsForKind) loop->kind)
    {
    case LS_FOR_SERIAL: return loop->annotations->n == 0 ? "range" : "T.serial";
    case LS_FOR_PARALLEL: return "T.parallel";
    case LS_FOR_VECTORIZED: return "T.vectorized";
    case LS_FOR_UNROLLED: return "T.unroll";
    case LS_FOR_THREAD_BINDING: return "T.thread_binding";
    }
  return "range";
}

static void
put_loop (LsPrinter *p,
          LsFor     *loop)
{
  guint from;

  ls_printer_push (p, loop, ls_printer_top (p)->indent + 1);
  ls_put (p, "for ");
  LS_AT (p, loop, LsFor, loop_var,
         ls_printer_put_name (p, loop->loop_var, ls_printer_define (p, loop->loop_var, p->frames->len - 1), LS_SOURCE_DEFINE));
  ls_put (p, " in ");
  ls_put (p, loop_word (p, loop));
  ls_put_char (p, '(');
  if (!ls_is_zero (loop->min))
    {
      LS_AT (p, loop, LsFor, min, ls_printer_value (p, loop->min));
      ls_put (p, ", ");
      LS_AT (p, loop, LsFor, extent, ls_printer_temporary (p, ls_add (ls_ref (loop->min), ls_ref (loop->extent))));
    }
  else
    {
      LS_AT (p, loop, LsFor, extent, ls_printer_value (p, loop->extent));
    }
  if (loop->kind == LS_FOR_THREAD_BINDING && loop->thread_binding != NULL)
    {
      ls_put (p, ", thread=");
      ls_printer_put_string (p, loop->thread_binding->thread_tag);
    }
  ls_printer_annotations (p, loop, G_STRUCT_OFFSET (LsFor, annotations), loop->annotations);
  ls_put (p, "):\n");
  from = p->out->len;
  LS_AT (p, loop, LsFor, body, ls_printer_body (p, loop->body));
  close_suite (p, from);
}

static void
put_for (LsPrinter *p,
         LsFor     *loop)
{
  g_autoptr (GPtrArray) grid = p->sugar && ls_is (loop->body, FOR) ? grid_of (loop) : NULL;

  if (grid != NULL && grid->len > 1)
    put_grid (p, grid);
  else
    put_loop (p, loop);
}

/* ---- plain statements ------------------------------------------------------------ */

static void
put_if (LsPrinter    *p,
        LsIfThenElse *stmt)
{
  ls_put (p, "if ");
  LS_AT (p, stmt, LsIfThenElse, condition, ls_printer_value (p, stmt->condition));
  suite (p, stmt->then_case, stmt->then_case, stmt, G_STRUCT_OFFSET (LsIfThenElse, then_case));
  if (stmt->else_case == NULL)
    return;
  ls_printer_line (p, ls_printer_top (p)->indent);
  ls_put (p, "else");
  suite (p, stmt->else_case, stmt->else_case, stmt, G_STRUCT_OFFSET (LsIfThenElse, else_case));
}

static void
put_store (LsPrinter     *p,
           LsBufferStore *store)
{
  LS_AT (p, store, LsBufferStore, buffer, ls_printer_value (p, store->buffer));
  if (store->predicate == NULL)
    {
      LS_AT (p, store, LsBufferStore, indices, ls_printer_indices (p, store->indices));
      ls_put (p, " = ");
      LS_AT (p, store, LsBufferStore, value, ls_printer_value (p, store->value));
      return;
    }
  ls_put (p, ".vstore(");
  LS_AT (p, store, LsBufferStore, indices, ls_printer_value (p, store->indices));
  ls_put (p, ", ");
  LS_AT (p, store, LsBufferStore, value, ls_printer_value (p, store->value));
  ls_put (p, ", predicate=");
  LS_AT (p, store, LsBufferStore, predicate, ls_printer_value (p, store->predicate));
  ls_put_char (p, ')');
}

static void
put_returned (LsPrinter *p,
              LsCall    *call)
{
  LS_AT (p, call, LsCall, args, LS_AT_ITEM (p, 0, ls_printer_value (p, call->args->items[0])));
}

static void
put_evaluate (LsPrinter  *p,
              LsEvaluate *stmt)
{
  LsCall *call = ls_is (stmt->value, CALL) ? (LsCall *) stmt->value : NULL;

  if (call != NULL && p->sugar && call->args->n == 1 && ls_is_call (call, "tir.ret"))
    {
      ls_put (p, "return ");
      LS_AT (p, stmt, LsEvaluate, value, put_returned (p, call));
      return;
    }
  ls_put (p, call != NULL ? "" : "T.evaluate(");
  LS_AT (p, stmt, LsEvaluate, value, ls_printer_value (p, stmt->value));
  ls_put (p, call != NULL ? "" : ")");
}

/* Statements that end their own lines; FALSE: one line that is still open. */
static gboolean
put_compound (LsPrinter *p,
              LsStmt    *stmt,
              gboolean   concise)
{
  switch ((int) ls_kind (stmt))
    {
    case LS_KIND_LET_STMT: put_let_stmt (p, (LsLetStmt *) stmt, concise); return TRUE;
    case LS_KIND_ATTR_STMT: put_attr (p, (LsAttrStmt *) stmt, concise); return TRUE;
    case LS_KIND_ASSERT_STMT: put_assert (p, (LsAssertStmt *) stmt, concise); return TRUE;
    case LS_KIND_BUFFER_REALIZE: put_buffer_realize (p, (LsBufferRealize *) stmt, concise); return TRUE;
    case LS_KIND_ALLOCATE: ls_printer_allocate (p, (LsAllocate *) stmt, concise); return TRUE;
    case LS_KIND_ALLOCATE_CONST: ls_printer_allocate_const (p, (LsAllocateConst *) stmt, concise); return TRUE;
    case LS_KIND_DECL_BUFFER: ls_printer_decl_buffer (p, (LsDeclBuffer *) stmt, concise, LS_DATA_DECLARED); return TRUE;
    case LS_KIND_FOR: put_for (p, (LsFor *) stmt); return TRUE;
    case LS_KIND_IF_THEN_ELSE: put_if (p, (LsIfThenElse *) stmt); return TRUE;
    case LS_KIND_WHILE:
      ls_put (p, "while ");
      LS_AT (p, stmt, LsWhile, condition, ls_printer_value (p, ((LsWhile *) stmt)->condition));
      suite (p, stmt, ((LsWhile *) stmt)->body, stmt, G_STRUCT_OFFSET (LsWhile, body));
      return TRUE;
    case LS_KIND_BLOCK: ls_printer_block (p, (LsBlock *) stmt, NULL); return TRUE;
    case LS_KIND_BLOCK_REALIZE:
      LS_AT (p, stmt, LsBlockRealize, block, ls_printer_block (p, ((LsBlockRealize *) stmt)->block, (LsBlockRealize *) stmt));
      return TRUE;
    default:
      return FALSE;
    }
}

typedef struct {
  LsPrinter *p;
  LsStmt    *stmt;
} Again;

static void
stmt_again (gpointer data)
{
  ls_printer_stmt (((Again *) data)->p, ((Again *) data)->stmt);
}

void
ls_printer_stmt (LsPrinter *p,
                 LsStmt    *stmt)
{
  gboolean concise = ls_printer_top (p)->concise;
  guint range;

  if (ls_stack_is_short ())
    {
      ls_stack_extend (stmt_again, &(Again) { p, stmt });
      return;
    }
  ls_printer_begin (p);
  if (ls_is (stmt, SEQ_STMT))
    {
      ls_printer_push (p, stmt, ls_printer_top (p)->indent);
      ls_printer_body (p, stmt);
      ls_printer_pop (p);
      return;
    }
  ls_printer_line (p, ls_printer_top (p)->indent);
  range = ls_printer_open (p, stmt, LS_SOURCE_NODE);
  if (!put_compound (p, stmt, concise))
    {
      if (ls_is (stmt, BUFFER_STORE))
        put_store (p, (LsBufferStore *) stmt);
      else if (ls_is (stmt, EVALUATE))
        put_evaluate (p, (LsEvaluate *) stmt);
      else
        ls_printer_value (p, stmt);
      ls_put_char (p, '\n');
    }
  ls_printer_close (p, range);
}
