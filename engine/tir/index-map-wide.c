/* index-map-wide: maps of indices in another type, and whether a map needs a wider one.
 *
 *   lambda i, j: i * 50000 + j      over 50,000 x 50,000: the last index is past 2^31, so that the map has to count in int64
 *
 * TVM v0.20 keeps int32, in which the shape of what is laid out anew is negative.
 */
#include "engine/arith/arith.h"
#include "engine/tir/index-map.h"
#include "engine/tir/tir-private.h"

typedef struct {
  GHashTable *vars;
  LsDType     dtype;
} Retyping;

static LsNode *
retype (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Retyping *self = user_data;
  LsNode *known = g_hash_table_lookup (self->vars, node);
  gint64 value;

  if (known != NULL)
    return ls_node_ref (known);
  if (ls_is (node, INT_IMM) && ls_dtype_is_index (ls_dtype (node)) && ls_as_int (node, &value))
    return LS_NODE (ls_const_int (self->dtype, value));
  if (ls_is_expr (node) && ls_kind_is_binary (ls_kind (node)))
    {
      LsBinary *pair = (LsBinary *) node;

      return LS_NODE (ls_binary_new (ls_kind (node), (LsExpr *) ls_rewrite (rewriter, pair->a), (LsExpr *) ls_rewrite (rewriter, pair->b)));
    }
  return ls_rewrite_default (rewriter, node);
}

LsIndexMap *
ls_index_map_in (LsIndexMap *self,
                 LsDType     dtype)
{
  g_autoptr (GHashTable) vars = g_hash_table_new (NULL, NULL);
  Retyping retyping = { vars, dtype };
  GPtrArray *initial = g_ptr_array_new ();
  gboolean same = TRUE;
  LsArray *fresh;

  for (guint i = 0; i < ls_array_n (self->initial_indices); i++)
    {
      LsVar *old = ls_array_at (self->initial_indices, i, LsVar);
      LsVar *var = ls_var_new (old->name, dtype);

      same &= ls_dtype_equal (ls_dtype (old), dtype);
      g_hash_table_insert (vars, old, var);
      g_ptr_array_add (initial, var);
    }
  fresh = ls_array_take_ptr_array (initial);
  if (!same)
    return ls_index_map_new (fresh, (LsArray *) ls_rewrite_with (self->final_indices, retype, &retyping), NULL);
  ls_unref (fresh);
  return ls_ref (self);
}

/* ---- does it leave its type? ------------------------------------------------------------- */

typedef struct {
  LsAnalyzer *analyzer;
  gboolean    leaves;
} Reach;

static LsWalk
look_at_part (LsNode  *node,
              gpointer user_data)
{
  Reach *self = user_data;
  LsConstIntBound bound;

  if (!ls_is_expr (node) || !ls_dtype_is_index (ls_dtype (node)) || ls_dtype (node).lanes != 1)
    return LS_WALK_CONTINUE;
  bound = ls_analyzer_const_int_bound (self->analyzer, LS_EXPR (node));
  /* an extent is one more than the last index, and what does not come out even is filled up to a multiple */
  if (ls_is (node, FLOOR_DIV) || ls_is (node, FLOOR_MOD))
    {
      LsBinary *pair = (LsBinary *) node;
      LsConstIntBound a = ls_analyzer_const_int_bound (self->analyzer, pair->a), b = ls_analyzer_const_int_bound (self->analyzer, pair->b);

      self->leaves = a.max != LS_POS_INF && b.max > 1 && b.max <= G_MAXINT32 && a.max + b.max > G_MAXINT32;
    }
  if (ls_is (node, MUL))                /* the extent of a term is that of its variable times the scale */
    {
      LsBinary *pair = (LsBinary *) node;
      LsConstIntBound a = ls_analyzer_const_int_bound (self->analyzer, pair->a), b = ls_analyzer_const_int_bound (self->analyzer, pair->b);

      self->leaves = a.max >= 0 && a.max < G_MAXINT32 && b.max > 0 && b.max <= G_MAXINT32 && (a.max + 1) * b.max > G_MAXINT32;
    }
  self->leaves |= bound.max != LS_POS_INF && bound.min != LS_NEG_INF && (bound.max >= G_MAXINT32 || bound.min < G_MININT32);
  return self->leaves ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

gboolean
ls_index_map_leaves_int32 (LsIndexMap *self,
                           LsArray    *ranges)
{
  g_autoptr (LsIndexMap) wide = NULL;
  g_autoptr (LsAnalyzer) analyzer = NULL;
  Reach reach = { NULL, FALSE };
  gint64 min, extent;

  for (guint i = 0; i < ls_array_n (ranges); i++)
    if (!ls_as_int (ls_array_at (ranges, i, LsRange)->min, &min) || !ls_as_int (ls_array_at (ranges, i, LsRange)->extent, &extent) ||
        ls_dtype (ls_array_at (ranges, i, LsRange)->extent).bits > 32)
      return FALSE;
  wide = ls_index_map_in (self, LS_INT64);
  reach.analyzer = analyzer = ls_analyzer_new ();
  for (guint i = 0; i < ls_array_n (ranges) && i < ls_array_n (wide->initial_indices); i++)
    {
      LsRange *narrow = ls_array_at (ranges, i, LsRange);
      g_autoptr (LsRange) range = NULL;

      ls_as_int (narrow->min, &min);
      ls_as_int (narrow->extent, &extent);
      range = ls_range_new (ls_const_int (LS_INT64, min), ls_const_int (LS_INT64, extent));
      ls_analyzer_bind_range (analyzer, ls_array_at (wide->initial_indices, i, LsVar), range, TRUE);
    }
  ls_walk (wide->final_indices, look_at_part, NULL, &reach);
  return reach.leaves;
}
