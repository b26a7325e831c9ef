/* InjectVirtualThread: virtual threads become loops, or copies, of what they touch.
 *
 *     vt = T.launch_thread ("vthread", 2)                 B = T.allocate ([8])
 *     B = T.allocate ([4])                       ->       for i in range (n):
 *     for i in range (n):                                     B[0 * 4 + i] = A[i * 2 + 0]
 *         B[i] = A[i * 2 + vt]                                B[1 * 4 + i] = A[i * 2 + 1]
 *
 * A variable or buffer is touched where what it holds hangs on the thread, also by way of others.  Each touched allocation
 * gets the memory of all threads, the index of the thread as the outermost dimension.  The innermost statement that touches the thread is
 * written out for each (below 16 threads and where no loop is inside), or stands in a loop; so do the bodies of all that cannot be
 * shared where the tag of the thread is not one of a vthread.  Source of the concept: TVM's pass of the same name. */
#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

#define MAX_COPIES 16

/* ---- what is touched ---------------------------------------------------------------- */

typedef struct {
  GHashTable *touched;          /* Vars */
  GHashTable *affects;          /* Var -> GPtrArray of Vars that are touched where it is; owned */
} Analysis;

/* What one expression uses. */
typedef struct {
  Analysis  *analysis;
  gboolean   touched;
  GPtrArray *used;
  GPtrArray *written;           /* by T.tvm_access_ptr */
} Uses;

static void
use_var (Uses  *self,
         LsVar *var)
{
  self->touched = self->touched || g_hash_table_contains (self->analysis->touched, var);
  g_ptr_array_add (self->used, var);
}

static LsWalk
note_use (LsNode   *node,
          gpointer  user_data)
{
  Uses *self = user_data;
  LsCall *call = (LsCall *) node;
  gint64 mask;

  if (ls_is_var (node))
    use_var (self, (LsVar *) node);
  else if (ls_is (node, BUFFER))
    use_var (self, ((LsBuffer *) node)->data);
  if (!ls_is_call (node, "tir.tvm_access_ptr") || call->args->n != 5 || !ls_is_var (call->args->items[1]) || !ls_as_int (call->args->items[4], &mask))
    return LS_WALK_CONTINUE;
  if (mask & 1)
    use_var (self, (LsVar *) call->args->items[1]);
  if (mask & 2)
    g_ptr_array_add (self->written, call->args->items[1]);
  ls_walk (call->args->items[2], note_use, NULL, self);
  return LS_WALK_PRUNE;
}

static void
record (Analysis *self,
        LsVar    *var,
        Uses     *uses)
{
  if (g_hash_table_contains (self->touched, var))
    return;
  if (uses->touched)
    {
      g_hash_table_add (self->touched, var);
      return;
    }
  for (guint i = 0; i < uses->used->len; i++)
    {
      GPtrArray *known = g_hash_table_lookup (self->affects, uses->used->pdata[i]);

      if (known == NULL)
        {
          known = g_ptr_array_new ();
          g_hash_table_insert (self->affects, uses->used->pdata[i], known);
        }
      if (uses->used->pdata[i] != var)
        g_ptr_array_add (known, var);
    }
}

static void
record_of (Analysis *self,
           LsVar    *var,
           gpointer  a,
           gpointer  b)
{
  g_autoptr (GPtrArray) used = g_ptr_array_new ();
  g_autoptr (GPtrArray) written = g_ptr_array_new ();
  Uses uses = { self, FALSE, used, written };

  ls_walk (a, note_use, NULL, &uses);
  if (b != NULL)
    ls_walk (b, note_use, NULL, &uses);
  if (var != NULL)
    record (self, var, &uses);
  for (guint i = 0; var == NULL && i < written->len; i++)
    record (self, written->pdata[i], &uses);
}

static LsWalk
note_statement (LsNode   *node,
                gpointer  user_data)
{
  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is (node, LET_STMT))
    record_of (user_data, ((LsLetStmt *) node)->var, ((LsLetStmt *) node)->value, NULL);
  else if (ls_is (node, BUFFER_STORE))
    record_of (user_data, ((LsBufferStore *) node)->buffer->data, ((LsBufferStore *) node)->value, ((LsBufferStore *) node)->indices);
  else if (ls_is (node, FOR))
    record_of (user_data, ((LsFor *) node)->loop_var, ((LsFor *) node)->min, ((LsFor *) node)->extent);
  else if (ls_is (node, EVALUATE))
    record_of (user_data, NULL, ((LsEvaluate *) node)->value, NULL);
  else if (ls_is (node, ALLOCATE))
    record_of (user_data, ((LsAllocate *) node)->buffer_var, ((LsAllocate *) node)->extents, ((LsAllocate *) node)->condition);
  return LS_WALK_CONTINUE;
}

/* All variables that hang on one, with it. (transfer full) */
static GHashTable *
touched_by (LsStmt *body,
            LsVar  *var)
{
  GHashTable *touched = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) affects = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GPtrArray) pending = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer known;
  Analysis analysis = { touched, affects };

  g_hash_table_add (touched, var);
  ls_walk (body, note_statement, NULL, &analysis);
  g_hash_table_iter_init (&iter, touched);
  while (g_hash_table_iter_next (&iter, &known, NULL))
    g_ptr_array_add (pending, known);
  while (pending->len > 0)
    {
      GPtrArray *next = g_hash_table_lookup (affects, g_ptr_array_steal_index (pending, pending->len - 1));

      for (guint i = 0; next != NULL && i < next->len; i++)
        if (g_hash_table_add (touched, next->pdata[i]))
          g_ptr_array_add (pending, next->pdata[i]);
    }
  return touched;
}

/* ---- injection ------------------------------------------------------------------------- */

typedef struct {
  LsVar      *var;
  gint64      n;                /* threads */
  gboolean    shares;           /* statements that do not touch the thread run once */
  GHashTable *touched;          /* Vars */
  GHashTable *strides;          /* Var of an allocation -> LsExpr: elements of one thread; owned */
  GHashTable *buffers;          /* Buffer -> Buffer over all threads; owned */
  LsAnalyzer *analyzer;
  gboolean    injected;         /* the loop stands around this place */
  gboolean    meets;            /* what was visited last touches the thread */
  gboolean    wanted;           /* ... runs once for each thread anyway */
  guint       depth;            /* loops inside of what was visited last */
  GError     *error;
} Injector;

static LsStmt *inject_into (LsRewriter *rewriter,
                            Injector   *self,
                            LsStmt     *stmt);

static LsStmt *
for_each_thread (Injector *self,
                 LsStmt   *stmt)
{
  GPtrArray *copies;

  if (self->depth > 0 || self->n >= MAX_COPIES)
    {
      g_autofree char *name = g_strdup_printf ("%s.s", self->var->name);
      LsVar *index = ls_var_copy (self->var, name);
      LsStmt *body = ls_substitute_one (stmt, self->var, index);

      return (LsStmt *) ls_for_new (index, ls_const_int (ls_dtype (index), 0), ls_const_int (ls_dtype (index), self->n), LS_FOR_SERIAL, body, NULL, NULL);
    }
  copies = g_ptr_array_new ();
  for (gint64 i = 0; i < self->n; i++)
    {
      g_autoptr (LsExpr) number = ls_const_int (ls_dtype (self->var), i);

      g_ptr_array_add (copies, ls_substitute_one (stmt, self->var, number));
    }
  return ls_seq (ls_array_take_ptr_array (copies));
}

/* The statement for each thread; before: it is still to be rewritten.  Takes it. */
static LsStmt *
inject (LsRewriter *rewriter,
        Injector   *self,
        LsStmt     *stmt,
        gboolean    before)
{
  g_autoptr (LsNode) inner = NULL;

  self->meets = self->wanted = FALSE;
  self->injected = TRUE;
  inner = before ? inject_into (rewriter, self, stmt) : ls_ref (stmt);
  ls_unref (stmt);
  self->injected = self->meets = self->wanted = FALSE;
  return for_each_thread (self, inner);
}

static LsNode *
access_pointer (LsRewriter *rewriter,
                Injector   *self,
                LsCall     *call,
                LsExpr     *per_thread)
{
  gint64 lanes = MAX (1, ls_dtype (call->args->items[0]).lanes);
  LsExpr *offset, *extent;
  g_autoptr (LsExpr) raw = NULL;

  self->meets = TRUE;
  offset = (LsExpr *) ls_rewrite (rewriter, call->args->items[2]);
  extent = (LsExpr *) ls_rewrite (rewriter, call->args->items[3]);
  raw = ls_mul (LS_EXPR (ls_ref (self->var)), ls_truncdiv (ls_ref (per_thread), ls_const_int (ls_dtype (offset), lanes)));
  raw = ls_add (offset, g_steal_pointer (&raw));
  return LS_NODE (ls_call_new (ls_dtype (call), ls_node_ref (call->op),
                               ls_array_of (ls_node_ref (call->args->items[0]), ls_node_ref (call->args->items[1]),
                                            ls_analyzer_simplify (self->analyzer, raw), extent, ls_node_ref (call->args->items[4]), NULL)));
}

static LsBuffer *
buffer_of_all (Injector *self,
               LsBuffer *buffer,
               LsExpr   *per_thread)
{
  LsBuffer *known = g_hash_table_lookup (self->buffers, buffer);
  g_autoptr (LsArray) shape = NULL;

  if (known != NULL)
    return ls_ref (known);
  shape = ls_array_of (ls_mul (ls_ref (ls_array_at (buffer->shape, 0, LsExpr)), ls_ref (per_thread)), NULL);
  known = ls_buffer_with (buffer, NULL, LS_VOID, shape);
  g_hash_table_insert (self->buffers, ls_ref (buffer), known);
  return ls_ref (known);
}

/* An access by the buffer and index of all threads; FALSE: it stays. */
static gboolean
shift_access (Injector  *self,
              LsBuffer  *buffer,
              LsArray   *indices,
              LsBuffer **all,
              LsArray  **shifted)
{
  LsExpr *per_thread = g_hash_table_lookup (self->strides, buffer->data);
  g_autoptr (LsExpr) raw = NULL;

  self->meets = self->meets || g_hash_table_contains (self->touched, buffer->data);
  if (per_thread == NULL)
    return FALSE;
  if (indices->n != 1)
    {
      if (self->error == NULL)
        g_set_error (&self->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("Virtual threads need flat buffers; `%s` has %u dimensions (FlattenBuffer)."), buffer->name,
                     indices->n);
      return FALSE;
    }
  raw = ls_add (ls_ref (ls_array_at (indices, 0, LsExpr)), ls_mul (LS_EXPR (ls_ref (self->var)), ls_ref (per_thread)));
  *shifted = ls_array_of (ls_analyzer_simplify (self->analyzer, raw), NULL);
  *all = buffer_of_all (self, buffer, per_thread);
  return TRUE;
}

static LsNode *
inject_expr (LsRewriter *rewriter,
             Injector   *self,
             LsNode     *node)
{
  LsCall *call = (LsCall *) node;
  LsBufferLoad *load;
  LsNode *result;
  LsBuffer *all;
  LsArray *indices;
  LsExpr *per_thread;

  if (ls_is_var (node))
    self->meets = self->meets || g_hash_table_contains (self->touched, node);
  if (ls_is_call (node, "tir.tvm_context_id"))
    return ls_node_ref (self->shares ? node : LS_NODE (self->var));
  if (ls_is_call (node, "tir.tvm_access_ptr") && call->args->n == 5)
    {
      per_thread = g_hash_table_lookup (self->strides, call->args->items[1]);
      if (per_thread != NULL)
        return access_pointer (rewriter, self, call, per_thread);
    }
  result = ls_rewrite_default (rewriter, node);
  load = (LsBufferLoad *) result;
  if (ls_is (result, BUFFER_LOAD) && shift_access (self, load->buffer, load->indices, &all, &indices))
    ls_take (&result, LS_NODE (ls_buffer_load_new (all, indices, ls_ref (load->predicate))));
  return result;
}

static LsStmt *
inject_store (LsRewriter    *rewriter,
              Injector      *self,
              LsBufferStore *node)
{
  LsStmt *result = ls_rewrite_default (rewriter, node);
  LsBufferStore *store = (LsBufferStore *) result;
  LsBuffer *all;
  LsArray *indices;

  self->wanted = !self->shares;
  if (shift_access (self, store->buffer, store->indices, &all, &indices))
    ls_take (&result, ls_buffer_store_new (all, ls_ref (store->value), indices, ls_ref (store->predicate)));
  return result;
}

/* Does what was just rewritten at the head of a statement make the loop stand around the statement? */
static gboolean
starts_here (Injector *self)
{
  gboolean starts = self->meets && !self->injected;

  if (!starts)
    self->meets = FALSE;
  return starts;
}

static LsStmt *
inject_for (LsRewriter *rewriter,
            Injector   *self,
            LsFor      *loop)
{
  g_autoptr (LsNode) min = ls_rewrite (rewriter, loop->min);
  g_autoptr (LsNode) extent = ls_rewrite (rewriter, loop->extent);
  LsStmt *result;

  if (starts_here (self))
    result = inject (rewriter, self, ls_ref (LS_STMT (loop)), TRUE);
  else
    result = (LsStmt *) ls_for_new (ls_ref (loop->loop_var), (LsExpr *) g_steal_pointer (&min), (LsExpr *) g_steal_pointer (&extent), loop->kind,
                                    (LsStmt *) ls_rewrite (rewriter, loop->body), ls_ref (loop->thread_binding), ls_ref (loop->annotations));
  self->depth++;
  return result;
}

/* A part that is counted for itself: the depth becomes the larger one. */
static LsNode *
inject_part (LsRewriter *rewriter,
             Injector   *self,
             gpointer    part)
{
  guint before = self->depth;
  LsNode *result;

  self->depth = 0;
  result = ls_rewrite (rewriter, part);
  self->depth = MAX (self->depth, before);
  return result;
}

static LsStmt *
inject_if (LsRewriter   *rewriter,
           Injector     *self,
           LsIfThenElse *node)
{
  g_autoptr (LsNode) condition = ls_rewrite (rewriter, node->condition);
  LsStmt *then_case, *else_case;

  if (starts_here (self))
    return inject (rewriter, self, ls_ref (LS_STMT (node)), TRUE);
  then_case = inject_part (rewriter, self, node->then_case);
  else_case = node->else_case != NULL ? inject_part (rewriter, self, node->else_case) : NULL;
  return ls_if_then_else_new ((LsExpr *) g_steal_pointer (&condition), then_case, else_case);
}

static LsStmt *
inject_sequence (LsRewriter *rewriter,
                 Injector   *self,
                 LsSeqStmt  *node)
{
  GPtrArray *parts = g_ptr_array_new ();

  for (guint i = 0; i < node->seq->n; i++)
    g_ptr_array_add (parts, inject_part (rewriter, self, node->seq->items[i]));
  return ls_seq (ls_array_take_ptr_array (parts));
}

static LsStmt *
inject_allocate (LsRewriter *rewriter,
                 Injector   *self,
                 LsAllocate *node)
{
  g_autoptr (LsNode) condition = ls_rewrite (rewriter, node->condition);
  g_autoptr (LsArray) extents = (LsArray *) ls_rewrite (rewriter, node->extents);
  g_autoptr (LsExpr) all = NULL;

  if (starts_here (self))
    return inject (rewriter, self, ls_ref (LS_STMT (node)), TRUE);
  if ((g_hash_table_contains (self->touched, node->buffer_var) || !self->shares) && extents->n > 0)
    {
      LsExpr *per_thread = ls_ref (ls_array_at (extents, 0, LsExpr));

      for (guint i = 1; i < extents->n; i++)
        per_thread = ls_mul (per_thread, ls_ref (ls_array_at (extents, i, LsExpr)));
      per_thread = ls_mul (per_thread, ls_const_int (ls_dtype (per_thread), MAX (1, node->dtype.lanes)));
      g_hash_table_insert (self->strides, node->buffer_var, per_thread);
      all = ls_mul (ls_ref (ls_array_at (extents, 0, LsExpr)), ls_const_int (ls_dtype (extents->items[0]), self->n));
      ls_take (&extents, ls_array_with (extents, 0, all));
    }
  return ls_allocate_new (ls_ref (node->buffer_var), node->dtype, g_steal_pointer (&extents), (LsExpr *) g_steal_pointer (&condition),
                          (LsStmt *) ls_rewrite (rewriter, node->body), ls_ref (node->annotations));
}

/* T.attr, T.let, while: a value at the head, then a body. */
static LsStmt *
inject_headed (LsRewriter *rewriter,
               Injector   *self,
               LsNode     *node)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;
  LsLetStmt *let = (LsLetStmt *) node;
  gboolean is_attr = ls_is (node, ATTR_STMT);
  g_autoptr (LsNode) head = ls_rewrite (rewriter, is_attr ? attr->value : let->value);
  gboolean is_scope = is_attr && !self->shares && !self->injected
                      && (strcmp (attr->attr_key, "coproc_uop_scope") == 0 || strcmp (attr->attr_key, "coproc_scope") == 0);

  if (starts_here (self) || is_scope)
    return inject (rewriter, self, ls_ref (LS_STMT (node)), TRUE);
  return is_attr ? ls_attr_stmt_new (ls_node_ref (attr->subject), attr->attr_key, (LsExpr *) g_steal_pointer (&head), (LsStmt *) ls_rewrite (rewriter, attr->body))
                 : ls_let_stmt_new (ls_ref (let->var), (LsExpr *) g_steal_pointer (&head), (LsStmt *) ls_rewrite (rewriter, let->body));
}

static LsStmt *
inject_while (LsRewriter *rewriter,
              Injector   *self,
              LsWhile    *node)
{
  g_autoptr (LsNode) condition = ls_rewrite (rewriter, node->condition);

  if (starts_here (self))
    return inject (rewriter, self, ls_ref (LS_STMT (node)), TRUE);
  return ls_while_new ((LsExpr *) g_steal_pointer (&condition), (LsStmt *) ls_rewrite (rewriter, node->body));
}

static LsStmt *
inject_into (LsRewriter *rewriter,
             Injector   *self,
             LsStmt     *stmt)
{
  if (ls_is (stmt, BUFFER_STORE))
    return inject_store (rewriter, self, (LsBufferStore *) stmt);
  if (ls_is (stmt, FOR))
    return inject_for (rewriter, self, (LsFor *) stmt);
  if (ls_is (stmt, IF_THEN_ELSE))
    return inject_if (rewriter, self, (LsIfThenElse *) stmt);
  if (ls_is (stmt, SEQ_STMT))
    return inject_sequence (rewriter, self, (LsSeqStmt *) stmt);
  if (ls_is (stmt, ALLOCATE))
    return inject_allocate (rewriter, self, (LsAllocate *) stmt);
  if (ls_is (stmt, ATTR_STMT) || ls_is (stmt, LET_STMT))
    return inject_headed (rewriter, self, stmt);
  if (ls_is (stmt, WHILE))
    return inject_while (rewriter, self, (LsWhile *) stmt);
  if (ls_is (stmt, EVALUATE))
    self->wanted = !self->shares;
  if (ls_is (stmt, DECL_BUFFER))
    return ls_decl_buffer_new (ls_ref (((LsDeclBuffer *) stmt)->buffer), (LsStmt *) ls_rewrite (rewriter, ((LsDeclBuffer *) stmt)->body));
  return ls_rewrite_default (rewriter, stmt);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Injector *self = user_data;
  LsStmt *stmt;

  if (!ls_is_stmt (node))
    return ls_is_expr (node) ? inject_expr (rewriter, self, node) : ls_rewrite_default (rewriter, node);
  stmt = inject_into (rewriter, self, node);
  if (!self->meets && !self->wanted)
    return LS_NODE (stmt);
  if (!self->injected)
    return LS_NODE (inject (rewriter, self, stmt, FALSE));
  self->meets = self->wanted = FALSE;
  return LS_NODE (stmt);
}

static LsStmt *
inject_thread (LsIterVar  *axis,
               gint64      n,
               LsStmt     *body,
               GError    **error)
{
  g_autoptr (GHashTable) touched = touched_by (body, axis->var);
  g_autoptr (GHashTable) strides = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  Injector injector = { axis->var, n, strncmp (axis->thread_tag, "vthread", 7) == 0, touched, strides, buffers, analyzer };
  LsStmt *result = ls_rewrite_with (body, filter, &injector);

  if (injector.error != NULL && *error == NULL)
    *error = g_steal_pointer (&injector.error);
  g_clear_error (&injector.error);
  return result;
}

/* The inner threads first. */
static LsNode *
thread_filter (LsRewriter *rewriter,
               LsNode     *node,
               gpointer    user_data)
{
  g_autoptr (LsNode) result = ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
  LsAttrStmt *attr = (LsAttrStmt *) result;
  GError **error = user_data;
  gint64 n;

  if (!ls_is_attr (result, "virtual_thread") || ls_thread_axis (result) == NULL || *error != NULL)
    return g_steal_pointer (&result);
  if (!ls_as_int (attr->value, &n))
    {
      g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("A virtual thread has a constant extent."));
      return g_steal_pointer (&result);
    }
  return LS_NODE (inject_thread (ls_thread_axis (result), n, attr->body, error));
}

LsPrimFunc *
ls_pass_inject_virtual_thread (LsPrimFunc  *func,
                               GError     **error)
{
  GError *found = NULL;
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, thread_filter, &found);
  g_autoptr (LsNode) unique = NULL;

  if (found != NULL)
    {
      g_propagate_error (error, found);
      return NULL;
    }
  unique = ls_stmt_convert_ssa (body);
  return ls_pass_with_body (func, unique);
}
