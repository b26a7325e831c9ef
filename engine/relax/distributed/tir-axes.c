/* distributed/tir-axes: see the header.
 *
 * Two axes of two buffers belong together where a block reaches both with the same iteration variable, one with the
 * variable itself over the whole extent, the other with it as the highest digit: A[i], B[i * 4 + j].  Source: TVM v0.20. */
#include "engine/relax/distributed/tir-axes.h"

#include "engine/arith/iter-map.h"

#include <string.h>

typedef struct { LsBuffer *buffer; LsArray *indices; } Access;

struct _LsTirAxes {
  GHashTable *neighbours;       /* LsBufferAxis -> array of LsBufferAxis */
  GHashTable *visited;          /* of LsBufferAxis */
};

static guint
axis_hash (gconstpointer key)
{
  const LsBufferAxis *axis = key;

  return g_direct_hash (axis->buffer) ^ (axis->axis * 0x9e3779b9u);
}

static gboolean
axis_equal (gconstpointer a,
            gconstpointer b)
{
  const LsBufferAxis *x = a, *y = b;

  return x->buffer == y->buffer && x->axis == y->axis;
}

/* ---- the variable behind an index ------------------------------------------------------ */

static LsDomMap *
ranges_of (LsArray *iters)
{
  LsDomMap *map = ls_dom_map_new ();

  for (guint i = 0; i < iters->n; i++)
    if (ls_array_at (iters, i, LsIterVar)->dom != NULL)
      ls_dom_map_set_range (map, ls_array_at (iters, i, LsIterVar)->var, ls_array_at (iters, i, LsIterVar)->dom);
  return map;
}

/* Does the modulus of the digit change nothing? */
static gboolean
is_highest (LsIterSplit *split,
            LsRange     *range,
            LsAnalyzer  *analyzer)
{
  g_autoptr (LsNode) claim = LS_NODE (ls_le (ls_floordiv (ls_ref (range->extent), ls_ref (split->lower_factor)), ls_ref (split->extent)));

  return ls_analyzer_can_prove (analyzer, LS_EXPR (claim));
}

static LsVar *
sharding_var (LsExpr         *index,
              const LsDomMap *ranges,
              LsAnalyzer     *analyzer)
{
  g_autoptr (LsIterSum) sum = NULL;
  LsIterSplit *first;
  LsVar *var;

  if (ls_is_var (index))
    return (LsVar *) index;
  sum = ls_normalize_to_iter_sum (index, ranges, analyzer);
  if (sum == NULL || !ls_is_zero (sum->base) || sum->args->n == 0)
    return NULL;
  first = ls_array_at (sum->args, 0, LsIterSplit);
  if (!ls_is_var (first->source->source))
    return NULL;
  var = (LsVar *) first->source->source;
  return ls_dom_map_get_range (ranges, var) != NULL && is_highest (first, ls_dom_map_get_range (ranges, var), analyzer) ? var : NULL;
}

LsVar *
ls_sharding_var (LsExpr     *index,
                 LsArray    *iters,
                 LsAnalyzer *analyzer)
{
  g_autoptr (LsDomMap) ranges = ranges_of (iters);

  return sharding_var (index, ranges, analyzer);
}

/* ---- one block --------------------------------------------------------------------------- */

static gboolean
covers (LsExpr         *index,
        LsExpr         *extent,
        const LsDomMap *ranges)
{
  g_autoptr (LsIntSet) set = ls_eval_set (index, ranges, NULL);
  g_autoptr (LsRange) whole = ls_range_new (ls_int_imm_new (ls_dtype (extent), 0), ls_ref (extent));

  return ls_int_set_match_range (set, whole);
}

/* Index `a` into an axis of extent `na`, `b` into one of `nb`: do the same loops run along both? */
static gboolean
matches (LsExpr         *a,
         LsExpr         *na,
         LsExpr         *b,
         LsExpr         *nb,
         const LsDomMap *ranges,
         LsAnalyzer     *analyzer)
{
  g_autoptr (LsNode) simple = NULL;
  LsRange *range;

  if (ls_is_var (b))
    {
      LsExpr *index = a, *extent = na;

      a = b;
      na = nb;
      b = index;
      nb = extent;
    }
  if (!ls_is_var (a) || (range = ls_dom_map_get_range (ranges, (LsVar *) a)) == NULL)
    return FALSE;
  simple = LS_NODE (ls_analyzer_simplify (analyzer, b));
  return ls_analyzer_can_prove_equal (analyzer, na, range->extent) && covers (LS_EXPR (simple), nb, ranges)
         && sharding_var (LS_EXPR (simple), ranges, analyzer) == (LsVar *) a;
}

static void
add_neighbour (LsTirAxes   *self,
               LsBufferAxis from,
               LsBufferAxis to)
{
  GArray *list = g_hash_table_lookup (self->neighbours, &from);

  if (list == NULL)
    {
      list = g_array_new (FALSE, FALSE, sizeof (LsBufferAxis));
      g_hash_table_insert (self->neighbours, g_memdup2 (&from, sizeof from), list);
    }
  g_array_append_val (list, to);
}

static LsWalk
go_on (LsNode  *node,
       gpointer user_data)
{
  return LS_WALK_CONTINUE;
}

static void
note_access (LsNode  *node,
             gpointer user_data)
{
  Access store = { NULL, NULL };

  if (ls_is (node, BUFFER_STORE))
    store = (Access) { ((LsBufferStore *) node)->buffer, ((LsBufferStore *) node)->indices };
  else if (ls_is (node, BUFFER_LOAD))
    store = (Access) { ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices };
  if (store.buffer != NULL)
    g_array_append_val ((GArray *) user_data, store);
}

static void
compare (LsTirAxes      *self,
         const Access   *a,
         const Access   *b,
         const LsDomMap *ranges,
         LsAnalyzer     *analyzer)
{
  for (guint i = 0; i < MIN (a->indices->n, a->buffer->shape->n); i++)
    for (guint k = 0; k < MIN (b->indices->n, b->buffer->shape->n); k++)
      if (matches (LS_EXPR (a->indices->items[i]), LS_EXPR (a->buffer->shape->items[i]), LS_EXPR (b->indices->items[k]),
                   LS_EXPR (b->buffer->shape->items[k]), ranges, analyzer))
        {
          add_neighbour (self, (LsBufferAxis) { a->buffer, i }, (LsBufferAxis) { b->buffer, k });
          add_neighbour (self, (LsBufferAxis) { b->buffer, k }, (LsBufferAxis) { a->buffer, i });
        }
}

static void
look_at_block (LsNode  *node,
               gpointer user_data)
{
  LsBlock *block = (LsBlock *) node;
  g_autoptr (GArray) accesses = NULL;
  g_autoptr (LsDomMap) ranges = NULL;
  g_autoptr (LsAnalyzer) analyzer = NULL;

  if (!ls_is (node, BLOCK) || g_str_equal (block->name_hint, "root"))
    return;
  accesses = g_array_new (FALSE, FALSE, sizeof (Access));
  ranges = ranges_of (block->iter_vars);
  analyzer = ls_analyzer_new ();
  ls_dom_map_bind (ranges, analyzer);
  ls_walk (block->init, go_on, note_access, accesses);
  ls_walk (block->body, go_on, note_access, accesses);
  for (guint i = 0; i < accesses->len; i++)
    for (guint k = 0; k < accesses->len; k++)
      if (g_array_index (accesses, Access, i).buffer != g_array_index (accesses, Access, k).buffer)
        compare (user_data, &g_array_index (accesses, Access, i), &g_array_index (accesses, Access, k), ranges, analyzer);
}

/* ---- groups ------------------------------------------------------------------------------- */

LsTirAxes *
ls_tir_axes_new (LsStmt *body)
{
  LsTirAxes *self = g_new0 (LsTirAxes, 1);

  self->neighbours = g_hash_table_new_full (axis_hash, axis_equal, g_free, (GDestroyNotify) g_array_unref);
  self->visited = g_hash_table_new_full (axis_hash, axis_equal, g_free, NULL);
  ls_walk (body, go_on, look_at_block, self);
  return self;
}

void
ls_tir_axes_free (LsTirAxes *self)
{
  g_hash_table_unref (self->neighbours);
  g_hash_table_unref (self->visited);
  g_free (self);
}

GArray *
ls_tir_axes_group (LsTirAxes *self,
                   LsBuffer  *buffer,
                   guint      axis)
{
  GArray *group = g_array_new (FALSE, FALSE, sizeof (LsBufferAxis));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (LsBufferAxis));
  LsBufferAxis at = { buffer, axis };

  g_array_append_val (stack, at);
  while (stack->len > 0)
    {
      GArray *list;

      at = g_array_index (stack, LsBufferAxis, stack->len - 1);
      g_array_set_size (stack, stack->len - 1);
      if (!g_hash_table_add (self->visited, g_memdup2 (&at, sizeof at)))
        continue;
      g_array_append_val (group, at);
      list = g_hash_table_lookup (self->neighbours, &at);
      for (guint i = list != NULL ? list->len : 0; i-- > 0;)
        g_array_append_val (stack, g_array_index (list, LsBufferAxis, i));
    }
  return group;
}

GPtrArray *
ls_tir_axis_groups (LsPrimFunc *func)
{
  g_autoptr (LsTirAxes) axes = ls_tir_axes_new (func->body);
  GPtrArray *out = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      for (guint k = 0; buffer != NULL && k < buffer->shape->n; k++)
        {
          g_autoptr (GArray) group = ls_tir_axes_group (axes, buffer, k);
          GArray *params;

          if (group->len <= 1)
            continue;
          params = g_array_new (FALSE, FALSE, sizeof (LsParamAxis));
          for (guint m = 0; m < group->len; m++)
            {
              gint param = ls_array_index_of (func->buffers, g_array_index (group, LsBufferAxis, m).buffer);
              LsParamAxis one = { (guint) param, g_array_index (group, LsBufferAxis, m).axis };

              if (param >= 0)
                g_array_append_val (params, one);
            }
          g_ptr_array_add (out, params);
        }
    }
  return out;
}
