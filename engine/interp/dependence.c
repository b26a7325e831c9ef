/* dependence: see the header.
 *
 * A call of an outside function is put at the begin of the body and of the init of every innermost block; its arguments
 * are the number of the block and the values of the loops around it, so that each access belongs to an instance.
 */
#include "engine/interp/dependence.h"

#include "engine/interp/access-private.h"

#include <string.h>

#define MARKER "ls.instance"

/* ---- marking blocks -------------------------------------------------------------- */

typedef struct {
  GPtrArray *blocks;            /* of LsBlock, borrowed: as they were */
  GPtrArray *loops;             /* of LsVar around the place */
} Marking;

static LsStmt *
with_marker (Marking *self,
             LsStmt  *body,
             guint    number)
{
  GPtrArray *args = g_ptr_array_new ();

  g_ptr_array_add (args, ls_string_imm_new (MARKER));
  g_ptr_array_add (args, ls_int (number));
  for (guint i = 0; i < self->loops->len; i++)
    g_ptr_array_add (args, ls_ref ((LsExpr *) self->loops->pdata[i]));
  return ls_seq (ls_array_of (ls_evaluate_new (ls_call_op ("tir.call_extern", LS_INT32, ls_array_take_ptr_array (args))), ls_ref (body), NULL));
}

static LsNode *
mark (LsRewriter *rewriter,
      LsNode     *node,
      gpointer    user_data)
{
  Marking *self = user_data;
  LsBlock *block = (LsBlock *) node;
  LsNode *fresh;
  guint number;

  if (ls_is (node, FOR))
    {
      g_ptr_array_add (self->loops, ((LsFor *) node)->loop_var);
      fresh = ls_rewrite_default (rewriter, node);
      g_ptr_array_set_size (self->loops, (gint) self->loops->len - 1);
      return fresh;
    }
  if (!ls_is (node, BLOCK) || (LS_NODE (block->body)->facts & LS_FACT_HAS_BLOCK))
    return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
  number = self->blocks->len;
  g_ptr_array_add (self->blocks, block);
  return LS_NODE (ls_block_new (ls_ref (block->iter_vars), ls_ref (block->reads), ls_ref (block->writes), block->name_hint,
                                with_marker (self, block->body, number), block->init != NULL ? with_marker (self, block->init, number) : NULL,
                                ls_ref (block->alloc_buffers), ls_ref (block->match_buffers), ls_ref (block->annotations)));
}

/* ---- following the run -------------------------------------------------------------- */

/* One element of memory. */
typedef struct {
  gint    writer;               /* number of the instance, -1: none */
  GArray *readers;              /* of guint: since the last write, or NULL */
} Cell;

typedef struct {
  GPtrArray  *blocks;
  GArray     *instances;
  GHashTable *deps;             /* its numbers, kind and buffer as text -> number in list + 1 */
  GArray     *list;
  GHashTable *by_buffer;        /* data variable -> GHashTable of element -> Cell */
  guint       max_instances;
  gboolean    too_many;
  gint        current;
} Follower;

static void
cell_free (gpointer data)
{
  Cell *self = data;

  if (self->readers != NULL)
    g_array_unref (self->readers);
  g_free (self);
}

static gboolean
enter_instance (const char        *name,
                const LsInterpArg *args,
                guint              n,
                double            *result,
                gpointer           user_data)
{
  Follower *self = user_data;
  LsInstance instance = { NULL };
  LsInstance *last = self->instances->len > 0 ? &g_array_index (self->instances, LsInstance, self->instances->len - 1) : NULL;
  gboolean same;

  if (strcmp (name, MARKER) != 0 || n == 0 || args[0].int_value >= self->blocks->len)
    return FALSE;
  *result = 0;
  instance.block = self->blocks->pdata[args[0].int_value];
  instance.n_values = n - 1;
  same = last != NULL && last->block == instance.block && last->n_values == n - 1;
  for (guint i = 1; same && i < n; i++)
    same = last->values[i - 1] == args[i].int_value;
  if (same)
    return TRUE;
  if (self->instances->len >= self->max_instances)
    {
      self->too_many = TRUE;
      return FALSE;
    }
  instance.values = g_new0 (gint64, n);
  for (guint i = 1; i < n; i++)
    instance.values[i - 1] = args[i].int_value;
  g_array_append_val (self->instances, instance);
  self->current = (gint) self->instances->len - 1;
  return TRUE;
}

static void
add_dep (Follower           *self,
         gint                from,
         LsIterationDepKind  kind,
         LsBuffer           *buffer)
{
  LsIterationDep dep = { (guint) from, (guint) self->current, kind, buffer, 1 };
  g_autofree char *key = NULL;
  guint known;

  if (from < 0 || from == self->current)
    return;
  key = g_strdup_printf ("%d %d %d %p", from, self->current, (int) kind, (void *) buffer->data);
  known = GPOINTER_TO_UINT (g_hash_table_lookup (self->deps, key));
  if (known > 0)
    {
      g_array_index (self->list, LsIterationDep, known - 1).n++;
      return;
    }
  g_array_append_val (self->list, dep);
  g_hash_table_insert (self->deps, g_steal_pointer (&key), GUINT_TO_POINTER (self->list->len));
}

static void
note_access (const LsInterpAccess *access,
             gpointer              user_data)
{
  Follower *self = user_data;
  GHashTable *cells = g_hash_table_lookup (self->by_buffer, access->buffer->data);
  Cell *cell;

  if (self->current < 0)
    return;
  if (cells == NULL)
    {
      cells = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, cell_free);
      g_hash_table_insert (self->by_buffer, access->buffer->data, cells);
    }
  cell = g_hash_table_lookup (cells, &access->element);
  if (cell == NULL)
    {
      cell = g_new0 (Cell, 1);
      cell->writer = -1;
      g_hash_table_insert (cells, g_memdup2 (&access->element, sizeof access->element), cell);
    }
  if (!access->is_store)
    {
      guint reader = (guint) self->current;

      add_dep (self, cell->writer, LS_ITERATION_RAW, access->buffer);
      if (cell->readers == NULL)
        cell->readers = g_array_new (FALSE, FALSE, sizeof (guint));
      if (cell->readers->len == 0 || g_array_index (cell->readers, guint, cell->readers->len - 1) != reader)
        g_array_append_val (cell->readers, reader);
      return;
    }
  add_dep (self, cell->writer, LS_ITERATION_WAW, access->buffer);
  for (guint i = 0; cell->readers != NULL && i < cell->readers->len; i++)
    add_dep (self, (gint) g_array_index (cell->readers, guint, i), LS_ITERATION_WAR, access->buffer);
  if (cell->readers != NULL)
    g_array_set_size (cell->readers, 0);
  cell->writer = self->current;
}

/* ---- one run ---------------------------------------------------------------------------- */

static void
instance_clear (gpointer data)
{
  g_free (((LsInstance *) data)->values);
}

LsIterationDeps *
ls_iteration_deps (LsPrimFunc  *func,
                   guint        max_instances,
                   GError     **error)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new ();
  g_autoptr(GPtrArray) loops = g_ptr_array_new ();
  Marking marking = { blocks, loops };
  g_autoptr(LsNode) body = ls_rewrite_with (func->body, mark, &marking);
  g_autoptr(LsPrimFunc) marked = ls_prim_func_with_body (func, (LsStmt *) body);
  g_autoptr(GHashTable) deps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GHashTable) by_buffer = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  g_autoptr(GArray) args = NULL;
  LsIterationDeps *self = g_new0 (LsIterationDeps, 1);
  Follower follower = { blocks, NULL, deps, NULL, by_buffer, max_instances, FALSE, -1 };
  LsInterpOptions options = { .on_access = note_access, .on_extern = enter_instance, .user_data = &follower };

  self->instances = follower.instances = g_array_new (FALSE, FALSE, sizeof (LsInstance));
  self->deps = follower.list = g_array_new (FALSE, FALSE, sizeof (LsIterationDep));
  self->func = ls_ref (func);
  g_array_set_clear_func (self->instances, instance_clear);
  args = ls_interp_zero_arguments (func, error);
  if (args != NULL && ls_interp_run (marked, (LsInterpArg *) args->data, args->len, &options, error))
    return self;
  if (follower.too_many)
    {
      g_clear_error (error);
      g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_BUDGET, ls_translate ("More than %u instances of blocks run; dependences between iterations are for small extents."), max_instances);
    }
  ls_iteration_deps_free (self);
  return NULL;
}

void
ls_iteration_deps_free (LsIterationDeps *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->instances);
  g_array_unref (self->deps);
  ls_unref (self->func);
  g_free (self);
}
