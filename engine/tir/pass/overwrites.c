/* overwrites: stores that make no difference, found by going through a program element by element.
 *
 * Loops of constant extent are carried out with numbers for their variables; each element of a buffer of constant size keeps
 * the stores that may have written it last, and its value where that is a number.  A read makes the stores of its element
 * needed; so does the end of the program.  A store under a condition that has no number may write, but replaces nothing; one
 * to a place that is not known is needed, as is what a call with effects or a pointer may see.  What was needed nowhere is
 * dead; what always found its own value there is redundant.
 *
 * Threads, parallel loops, while and blocks are not followed: then, and beyond a budget of steps, nothing is said.  TVM's
 * ControlFlowGraph decides the same by proofs on sets of elements, symbolic sizes included; here sizes are numbers. */
#include "engine/tir/pass/overwrites.h"

#include "engine/tir/scope.h"

#define BUDGET (1 << 18)
#define MOST_ELEMENTS (1 << 16)

typedef struct {
  GSList *writers;              /* of LsBufferStore */
  LsExpr *value;                /* a number, or NULL; owned */
} Cell;

typedef struct {
  LsBuffer *buffer;             /* borrowed */
  gint64    n;                  /* elements; 0: not followed */
  Cell     *cells;
} Store;

typedef struct {
  GHashTable *stores;           /* Var of the data -> Store */
  GHashTable *numbers;          /* Var -> LsExpr, a number; owned */
  GHashTable *needed;           /* LsBufferStores */
  GHashTable *passed;           /* LsBufferStores that were carried out */
  GHashTable *changing;         /* LsBufferStores that wrote another value, or one that is not known */
  gint64      steps;
  gboolean    certain;          /* the statement is carried out for sure */
  gboolean    given_up;
} Walk;

static void run (Walk   *self,
                 LsStmt *stmt);

/* ---- numbers ------------------------------------------------------------------------------- */

static LsExpr *number_of (Walk   *self,
                          LsExpr *expr);

static gboolean
is_number (LsExpr *expr)
{
  return ls_is (expr, INT_IMM) || ls_is (expr, FLOAT_IMM);
}

static LsExpr *
number_of_logic (Walk     *self,
                 LsBinary *node)
{
  gboolean is_and = ls_is (node, AND);
  LsExpr *a = number_of (self, node->a), *b;

  if (a != NULL && (ls_is_int_value (a, 0)) == is_and)
    return a;
  b = number_of (self, node->b);
  if (b != NULL && (ls_is_int_value (b, 0)) == is_and)
    {
      ls_unref (a);
      return b;
    }
  if (a != NULL)
    {
      ls_unref (a);
      return b;
    }
  ls_unref (b);
  return NULL;
}

static LsExpr *
number_of_binary (Walk     *self,
                  LsBinary *node)
{
  LsExpr *a, *b, *result;

  if (ls_is (node, AND) || ls_is (node, OR))
    return number_of_logic (self, node);
  a = number_of (self, node->a);
  b = a != NULL ? number_of (self, node->b) : NULL;
  if (b == NULL)
    {
      ls_unref (a);
      return NULL;
    }
  result = ls_binary (ls_kind (node), a, b);
  if (is_number (result))
    return result;
  ls_unref (result);
  return NULL;
}

static LsExpr *
number_of_choice (Walk   *self,
                  LsExpr *condition,
                  LsExpr *then_value,
                  LsExpr *else_value)
{
  g_autoptr (LsExpr) known = number_of (self, condition);

  return known == NULL ? NULL : number_of (self, ls_is_int_value (known, 0) ? else_value : then_value);
}

/* What an expression comes to with the numbers of the variables (transfer full); NULL: not known. */
static LsExpr *
number_of (Walk   *self,
           LsExpr *expr)
{
  LsSelect *select = (LsSelect *) expr;
  LsCall *call = (LsCall *) expr;
  LsExpr *inner;

  if (is_number (expr))
    return ls_ref (expr);
  if (ls_is_var (expr))
    return ls_ref ((LsExpr *) g_hash_table_lookup (self->numbers, expr));
  if (ls_kind_is_binary (ls_kind (expr)))
    return number_of_binary (self, (LsBinary *) expr);
  if (ls_is (expr, SELECT))
    return number_of_choice (self, select->condition, select->true_value, select->false_value);
  if (ls_is_call (expr, "tir.if_then_else"))
    return number_of_choice (self, ls_array_at (call->args, 0, LsExpr), ls_array_at (call->args, 1, LsExpr), ls_array_at (call->args, 2, LsExpr));
  if (ls_is_call (expr, "tir.likely"))
    return number_of (self, ls_array_at (call->args, 0, LsExpr));
  if (!ls_is (expr, NOT) && !ls_is (expr, CAST))
    return NULL;
  inner = number_of (self, ls_is (expr, NOT) ? ((LsNot *) expr)->a : ((LsCast *) expr)->value);
  if (inner == NULL)
    return NULL;
  inner = ls_is (expr, NOT) ? ls_not (inner) : ls_cast (ls_dtype (expr), inner);
  if (is_number (inner))
    return inner;
  ls_unref (inner);
  return NULL;
}

static gboolean
int_of (Walk   *self,
        LsExpr *expr,
        gint64 *value)
{
  g_autoptr (LsExpr) known = number_of (self, expr);

  return known != NULL && ls_as_int (known, value);
}

/* ---- elements ------------------------------------------------------------------------------ */

static void
forget_value (Cell *cell)
{
  ls_unref (cell->value);
  cell->value = NULL;
}

static void
need (Walk *self,
      Cell *cell)
{
  for (GSList *link = cell->writers; link != NULL; link = link->next)
    g_hash_table_add (self->needed, link->data);
}

static void
need_all (Walk     *self,
          Store    *store,
          gboolean  forget)
{
  for (gint64 i = 0; i < store->n; i++)
    {
      need (self, &store->cells[i]);
      if (forget)
        forget_value (&store->cells[i]);
    }
}

/* Something that is not followed may read and write every buffer. */
static void
need_everything (Walk *self)
{
  GHashTableIter iter;
  gpointer store;

  g_hash_table_iter_init (&iter, self->stores);
  while (g_hash_table_iter_next (&iter, NULL, &store))
    need_all (self, store, TRUE);
}

/* The cell that indices mean; NULL: not known. */
static Cell *
cell_at (Walk     *self,
         LsBuffer *buffer,
         LsArray  *indices)
{
  Store *store = g_hash_table_lookup (self->stores, buffer->data);
  gint64 at = 0;

  self->steps++;
  if (store == NULL || store->n == 0 || indices->n != buffer->shape->n)
    return NULL;
  for (guint i = 0; i < indices->n; i++)
    {
      gint64 extent, index;

      if (!ls_as_int (buffer->shape->items[i], &extent) || !int_of (self, ls_array_at (indices, i, LsExpr), &index) || index < 0 || index >= extent)
        return NULL;
      at = at * extent + index;
    }
  return &store->cells[at];
}

static LsWalk
note_reads (LsNode  *node,
            gpointer user_data)
{
  Walk *self = user_data;
  LsBufferLoad *load = (LsBufferLoad *) node;
  LsNode *op = ls_is (node, CALL) ? ((LsCall *) node)->op : NULL;
  Store *store;
  Cell *cell;

  if (op != NULL && (!ls_is (op, OP) || ((LsOp *) op)->effect >= LS_EFFECT_UPDATE_STATE))
    need_everything (self);
  else if (ls_is_var (node) && (store = g_hash_table_lookup (self->stores, node)) != NULL)
    need_all (self, store, TRUE);
  if (!ls_is (node, BUFFER_LOAD))
    return LS_WALK_CONTINUE;
  for (guint i = 0; i < load->indices->n; i++)
    ls_walk (load->indices->items[i], note_reads, NULL, self);
  cell = cell_at (self, load->buffer, load->indices);
  store = g_hash_table_lookup (self->stores, load->buffer->data);
  if (cell != NULL)
    need (self, cell);
  else if (store != NULL)
    need_all (self, store, FALSE);
  return LS_WALK_PRUNE;
}

static void
read_all (Walk   *self,
          LsExpr *expr)
{
  if (expr != NULL)
    ls_walk (expr, note_reads, NULL, self);
}

static void
run_store (Walk          *self,
           LsBufferStore *node)
{
  g_autoptr (LsExpr) value = number_of (self, node->value);
  Store *store;
  Cell *cell;

  for (guint i = 0; i < node->indices->n; i++)
    read_all (self, ls_array_at (node->indices, i, LsExpr));
  read_all (self, node->value);
  g_hash_table_add (self->passed, node);
  cell = node->predicate == NULL ? cell_at (self, node->buffer, node->indices) : NULL;
  if (cell == NULL)
    {
      store = g_hash_table_lookup (self->stores, node->buffer->data);
      if (store != NULL)
        need_all (self, store, TRUE);
      g_hash_table_add (self->needed, node);
      g_hash_table_add (self->changing, node);
      return;
    }
  if (value == NULL || cell->value == NULL || !ls_deep_equal (value, cell->value))
    {
      g_hash_table_add (self->changing, node);
      forget_value (cell);
      if (self->certain)
        cell->value = g_steal_pointer (&value);
    }
  if (self->certain)
    g_clear_pointer (&cell->writers, g_slist_free);
  cell->writers = g_slist_prepend (cell->writers, node);
}

/* ---- statements ---------------------------------------------------------------------------- */

static void
run_loop (Walk  *self,
          LsFor *loop)
{
  gint64 begin, extent;

  if ((loop->kind != LS_FOR_SERIAL && loop->kind != LS_FOR_UNROLLED) || !int_of (self, loop->min, &begin) || !int_of (self, loop->extent, &extent))
    {
      self->given_up = TRUE;
      return;
    }
  for (gint64 i = 0; i < extent && !self->given_up; i++)
    {
      g_hash_table_insert (self->numbers, loop->loop_var, ls_const_int (ls_dtype (loop->loop_var), begin + i));
      run (self, loop->body);
      self->given_up = self->given_up || ++self->steps > BUDGET;
    }
  g_hash_table_remove (self->numbers, loop->loop_var);
}

static void
run_if (Walk         *self,
        LsIfThenElse *node)
{
  gint64 known;
  gboolean certain = self->certain;

  read_all (self, node->condition);
  if (int_of (self, node->condition, &known))
    {
      if (known != 0 || node->else_case != NULL)
        run (self, known != 0 ? node->then_case : node->else_case);
      return;
    }
  self->certain = FALSE;
  run (self, node->then_case);
  if (node->else_case != NULL)
    run (self, node->else_case);
  self->certain = certain;
}

static void
run_let (Walk      *self,
         LsLetStmt *let)
{
  LsExpr *value = number_of (self, let->value);

  read_all (self, let->value);
  if (value != NULL)
    g_hash_table_insert (self->numbers, let->var, value);
  run (self, let->body);
  g_hash_table_remove (self->numbers, let->var);
}

static void
run (Walk   *self,
     LsStmt *stmt)
{
  LsAttrStmt *attr = (LsAttrStmt *) stmt;

  if (self->given_up || ++self->steps > BUDGET)
    {
      self->given_up = TRUE;
      return;
    }
  if (ls_is (stmt, SEQ_STMT))
    for (guint i = 0; i < ((LsSeqStmt *) stmt)->seq->n; i++)
      run (self, ((LsSeqStmt *) stmt)->seq->items[i]);
  else if (ls_is (stmt, FOR))
    run_loop (self, (LsFor *) stmt);
  else if (ls_is (stmt, IF_THEN_ELSE))
    run_if (self, (LsIfThenElse *) stmt);
  else if (ls_is (stmt, BUFFER_STORE))
    run_store (self, (LsBufferStore *) stmt);
  else if (ls_is (stmt, EVALUATE))
    read_all (self, ((LsEvaluate *) stmt)->value);
  else if (ls_is (stmt, LET_STMT))
    run_let (self, (LsLetStmt *) stmt);
  else if (ls_is (stmt, ALLOCATE))
    run (self, ((LsAllocate *) stmt)->body);
  else if (ls_is (stmt, DECL_BUFFER))
    run (self, ((LsDeclBuffer *) stmt)->body);
  else if (ls_is (stmt, ATTR_STMT) && !g_str_equal (attr->attr_key, "thread_extent") && !g_str_equal (attr->attr_key, "virtual_thread"))
    run (self, attr->body);
  else
    self->given_up = TRUE;
}

/* ---- all ----------------------------------------------------------------------------------- */

static void
store_free (gpointer data)
{
  Store *self = data;

  for (gint64 i = 0; i < self->n; i++)
    {
      g_slist_free (self->cells[i].writers);
      ls_unref (self->cells[i].value);
    }
  g_free (self->cells);
  g_free (self);
}

/* What a pointer points into is not followed, and what is reached by the pointer neither. */
static void
leave_alone (GHashTable *stores,
             LsVar      *memory)
{
  Store *store = g_hash_table_lookup (stores, memory);

  if (store == NULL)
    g_hash_table_insert (stores, memory, store = g_new0 (Store, 1));
  g_clear_pointer (&store->cells, g_free);
  store->n = 0;
}

/* A buffer that is accessed; of two that share memory none is followed. */
static LsWalk
note_buffer (LsNode  *node,
             gpointer user_data)
{
  GHashTable *stores = user_data;
  LsVar *memory = ls_is (node, LET_STMT) ? ls_pointer_memory (((LsLetStmt *) node)->value) : NULL;
  LsBuffer *buffer = ls_is (node, BUFFER_STORE) ? ((LsBufferStore *) node)->buffer : ls_is (node, BUFFER_LOAD) ? ((LsBufferLoad *) node)->buffer : NULL;
  Store *store;
  gint64 n = 1, extent;

  if (memory != NULL)
    {
      leave_alone (stores, memory);
      leave_alone (stores, ((LsLetStmt *) node)->var);
    }
  if (buffer == NULL)
    return LS_WALK_CONTINUE;
  store = g_hash_table_lookup (stores, buffer->data);
  if (store != NULL)
    {
      if (store->buffer != buffer && store->n > 0)
        {
          g_clear_pointer (&store->cells, g_free);
          store->n = 0;
        }
      return LS_WALK_CONTINUE;
    }
  for (guint i = 0; i < buffer->shape->n; i++)
    n = ls_as_int (buffer->shape->items[i], &extent) && extent > 0 && extent <= MOST_ELEMENTS && n * extent <= MOST_ELEMENTS ? n * extent : 0;
  store = g_new0 (Store, 1);
  store->buffer = buffer;
  store->n = n;
  store->cells = g_new0 (Cell, n + 1);
  g_hash_table_insert (stores, buffer->data, store);
  return LS_WALK_CONTINUE;
}

LsOverwrites *
ls_overwrites_new (LsStmt *body)
{
  g_autoptr (GHashTable) stores = g_hash_table_new_full (NULL, NULL, NULL, store_free);
  g_autoptr (GHashTable) numbers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) needed = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) passed = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) changing = g_hash_table_new (NULL, NULL);
  Walk walk = { stores, numbers, needed, passed, changing, 0, TRUE, FALSE };
  LsOverwrites *self = g_new0 (LsOverwrites, 1);
  GHashTableIter iter;
  gpointer node;

  self->dead = g_hash_table_new (NULL, NULL);
  self->redundant = g_hash_table_new (NULL, NULL);
  ls_walk (body, note_buffer, NULL, stores);
  run (&walk, body);
  if (walk.given_up)
    return self;
  need_everything (&walk);
  g_hash_table_iter_init (&iter, passed);
  while (g_hash_table_iter_next (&iter, &node, NULL))
    {
      if (!g_hash_table_contains (needed, node))
        g_hash_table_add (self->dead, node);
      if (!g_hash_table_contains (changing, node))
        g_hash_table_add (self->redundant, node);
    }
  return self;
}

void
ls_overwrites_free (LsOverwrites *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->dead);
  g_hash_table_unref (self->redundant);
  g_free (self);
}
