/* dependence: see the header.
 *
 * An observer is told of every entry of an innermost block, and of every access; the loops around the block name the instance.
 */
#include "engine/interp/dependence.h"

#include "engine/interp/access-private.h"
#include "engine/interp/observer.h"

#include <string.h>

/* ---- following the run -------------------------------------------------------------- */

/* One element of memory. */
typedef struct {
  gint    writer;               /* number of the instance, -1: none */
  GArray *readers;              /* of guint: since the last write, or NULL */
} Cell;

typedef struct {
  GPtrArray  *blocks;           /* of LsBlock: innermost ones of the function, in the order of the text, borrowed */
  GHashTable *known;            /* block as it runs -> that of the function, borrowed */
  guint       n_known;          /* of those that were rewritten */
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
is_innermost (LsBlock *block)
{
  return (LS_NODE (block->body)->facts & LS_FACT_HAS_BLOCK) == 0;
}

static LsWalk
collect_block (LsNode  *node,
               gpointer user_data)
{
  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is (node, BLOCK) && is_innermost ((LsBlock *) node))
    g_ptr_array_add (user_data, node);
  return LS_WALK_CONTINUE;
}

/* What runs may be a settled copy of the function (settle.h); blocks keep their names and their order, and those that it adds are none
 * of the function's. */
static LsBlock *
block_of_function (Follower *self,
                   LsBlock  *block)
{
  LsBlock *own = g_hash_table_lookup (self->known, block);

  if (own == NULL && g_ptr_array_find (self->blocks, block, NULL))
    own = block;
  for (guint i = self->n_known; own == NULL && i < self->blocks->len; i++)
    if (strcmp (((LsBlock *) self->blocks->pdata[i])->name_hint, block->name_hint) == 0)
      {
        own = self->blocks->pdata[i];
        self->n_known = i + 1;
      }
  if (own != NULL)
    g_hash_table_insert (self->known, block, own);
  return own;
}

static guint
reach (LsRun      *run,
       LsPrimFunc *func,
       LsNode     *node,
       guint       number,
       guint       wanted,
       gpointer    user_data)
{
  if (!ls_is (node, BLOCK_REALIZE))
    return wanted & (LS_SEE_READ | LS_SEE_WRITE);
  return is_innermost (((LsBlockRealize *) node)->block) && block_of_function (user_data, ((LsBlockRealize *) node)->block) != NULL ? wanted : 0;
}

static void
enter_instance (Follower *self,
                LsRun    *run,
                LsBlock  *block)
{
  LsInstance instance = { .block = g_hash_table_lookup (self->known, block) };

  if (self->instances->len >= self->max_instances)
    {
      self->too_many = TRUE;
      ls_run_stop (run);
      return;
    }
  instance.n_values = ls_run_loops (run, FALSE, 0, NULL, NULL);
  if (instance.n_values > 0)
    {
      g_autofree LsVar **vars = g_new (LsVar *, instance.n_values);

      instance.values = g_new0 (gint64, instance.n_values);
      ls_run_loops (run, FALSE, instance.n_values, vars, instance.values);
    }
  g_array_append_val (self->instances, instance);
  self->current = (gint) self->instances->len - 1;
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
note_access (Follower         *self,
             const LsRunEvent *access)
{
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
  if (access->kind == LS_SEE_READ)
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

static void
see (LsRun            *run,
     const LsRunEvent *event,
     gpointer          user_data)
{
  if (event->kind == LS_SEE_BLOCK)
    enter_instance (user_data, run, ((LsBlockRealize *) event->node)->block);
  else
    note_access (user_data, event);
}

static const LsObserver observer = { LS_SEE_BLOCK | LS_SEE_READ | LS_SEE_WRITE, reach, see };

/* ---- one run ---------------------------------------------------------------------------- */

static void
instance_clear (gpointer data)
{
  g_free (((LsInstance *) data)->values);
}

#define SPREAD 4                /* numbers that are not zeros are below it: they are indices, too */

static void
fill (LsInterpArg *arg,
      GRand       *rand)
{
  LsDType element = ls_dtype_element (arg->dtype);
  gint64 n = arg->is_array && arg->dtype.lanes == 1 ? 1 : 0;

  for (guint d = 0; d < arg->ndim; d++)
    n *= arg->shape[d];
  for (gint64 i = 0; i < n; i++)
    ls_interp_store (element, (guint8 *) arg->data + (gsize) i * ls_dtype_bytes (element), g_rand_int_range (rand, 0, ls_dtype_is_bool (element) ? 2 : SPREAD));
}

/* `rand` NULL: on zeros. (transfer full) */
static LsIterationDeps *
follow (LsPrimFunc  *func,
        guint        max_instances,
        GRand       *rand,
        GError     **error)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new ();
  g_autoptr(GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr(GHashTable) deps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GHashTable) by_buffer = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  g_autoptr(GArray) args = NULL;
  LsIterationDeps *self = g_new0 (LsIterationDeps, 1);
  Follower follower = { .blocks = blocks, .known = known, .deps = deps, .by_buffer = by_buffer, .max_instances = max_instances, .current = -1 };
  LsInterpOptions options = { .observer = &observer, .user_data = &follower };

  self->instances = follower.instances = g_array_new (FALSE, FALSE, sizeof (LsInstance));
  self->deps = follower.list = g_array_new (FALSE, FALSE, sizeof (LsIterationDep));
  self->func = ls_ref (func);
  g_array_set_clear_func (self->instances, instance_clear);
  ls_walk (func->body, collect_block, NULL, blocks);
  args = ls_interp_zero_arguments (func, error);
  for (guint i = 0; rand != NULL && args != NULL && i < args->len; i++)
    fill (&g_array_index (args, LsInterpArg, i), rand);
  if (args != NULL && ls_interp_run (func, (LsInterpArg *) args->data, args->len, &options, error) && !follower.too_many)
    return self;
  if (follower.too_many)
    g_set_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_BUDGET, ls_translate ("More than %u instances of blocks run; dependences between iterations are for small extents."), max_instances);
  ls_iteration_deps_free (self);
  return NULL;
}

LsIterationDeps *
ls_iteration_deps (LsPrimFunc  *func,
                   guint        max_instances,
                   GError     **error)
{
  return follow (func, max_instances, NULL, error);
}

LsIterationDeps *
ls_iteration_deps_on (LsPrimFunc  *func,
                      guint        max_instances,
                      guint32      seed,
                      GError     **error)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  return follow (func, max_instances, rand, error);
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
