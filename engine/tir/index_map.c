/* index_map: a map from one index space to another (layouts).
 *
 * Ranges and inverses come from the affine iteration map that the final indices are of the
 * initial ones.  Where the map does not come out even, the inverse covers more than there
 * is, and a predicate says where the padding lies.  A map whose indices leave int32 counts in
 * int64 (TVM v0.20 keeps int32, in which the shape of what is laid out anew is negative).  Source of the rules: TVM v0.20's
 * IndexMap.
 */
#include "engine/arith/pool.h"
#include "engine/tir/index-map.h"
#include "engine/tir/tir-private.h"

LS_CLASS (ls_index_map_class, INDEX_MAP, "IndexMap", LsIndexMap, LS_CLASS_PLAIN,
          LS_FIELD (LsIndexMap, initial_indices, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsIndexMap, final_indices, NODE, 0),
          LS_FIELD (LsIndexMap, inverse_index_map, NODE, 0));

LsIndexMap *
ls_index_map_new (LsArray    *initial_indices,
                  LsArray    *final_indices,
                  LsIndexMap *inverse)
{
  LsIndexMap *self = ls_node_alloc (&ls_index_map_class);

  self->initial_indices = initial_indices;
  self->final_indices = final_indices;
  self->inverse_index_map = LS_NODE (inverse);
  return ls_node_finish (self);
}

GQuark
ls_index_map_error_quark (void)
{
  return g_quark_from_static_string ("ls-index-map-error");
}

/* ---- substitution with matching types -------------------------------------- */

static LsNode *
promote_filter (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    map)
{
  LsNode *known;
  LsBinary *old = (LsBinary *) node;
  LsExpr *a, *b;

  if (ls_is_var (node))
    {
      known = g_hash_table_lookup (map, node);
      return ls_node_ref (known != NULL ? known : node);
    }
  if (!ls_kind_is_binary (ls_kind (node)))
    return ls_rewrite_default (rewriter, node);
  a = LS_EXPR (ls_rewrite (rewriter, old->a));
  b = LS_EXPR (ls_rewrite (rewriter, old->b));
  if (a == old->a && b == old->b)
    {
      ls_unref (a);
      ls_unref (b);
      return ls_node_ref (node);
    }
  ls_match_types (&a, &b);
  return LS_NODE (ls_binary_new (ls_kind (node), a, b));
}

static GHashTable *
table_of (LsArray *vars,
          LsArray *values)
{
  GHashTable *map = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < ls_array_n (vars); i++)
    g_hash_table_insert (map, vars->items[i], values->items[i]);
  return map;
}

LsArray *
ls_index_map_map_indices (LsIndexMap *self,
                          LsArray    *indices,
                          LsAnalyzer *analyzer)
{
  g_autoptr (LsAnalyzer) own = NULL;
  g_autoptr (GHashTable) map = NULL;
  GPtrArray *result;

  g_return_val_if_fail (ls_array_n (indices) == ls_array_n (self->initial_indices), NULL);
  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  map = table_of (self->initial_indices, indices);
  result = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (self->final_indices); i++)
    {
      g_autoptr (LsNode) index = ls_rewrite_with (self->final_indices->items[i], promote_filter, map);

      g_ptr_array_add (result, ls_analyzer_simplify (analyzer, LS_EXPR (index)));
    }
  return ls_array_take_ptr_array (result);
}

/* ---- ranges ---------------------------------------------------------------- */

static LsDomMap *
domains_of (LsIndexMap *self,
            LsArray    *ranges)
{
  LsDomMap *dom = ls_dom_map_new ();

  for (guint i = 0; i < ls_array_n (self->initial_indices); i++)
    ls_dom_map_set_range (dom, ls_array_at (self->initial_indices, i, LsVar), ls_array_at (ranges, i, LsRange));
  return dom;
}

/* The terms of a sum lie beside one another: the largest one gives the extent. */
static LsRange *
range_of_sum (LsIterSum *sum)
{
  LsExpr *extent = NULL;

  for (guint i = 0; i < ls_array_n (sum->args); i++)
    {
      LsIterSplit *split = ls_array_at (sum->args, i, LsIterSplit);
      LsExpr *term = ls_mul (ls_ref (split->extent), ls_ref (split->scale));

      extent = extent != NULL ? ls_max (extent, term) : term;
    }
  return ls_range_new (ls_ref (sum->base), extent != NULL ? extent : ls_const_int (ls_dtype (sum->base), 1));
}

static LsRange *
range_by_set (LsExpr         *index,
              const LsDomMap *dom,
              LsAnalyzer     *analyzer)
{
  g_autoptr (LsIntSet) set = ls_eval_set (index, dom, NULL);
  g_autoptr (LsExpr) extent = NULL;

  if (!ls_int_set_has_lower_bound (set) || !ls_int_set_has_upper_bound (set))
    return ls_range_new (ls_const_int (ls_dtype (index), 0), ls_ref (index));
  extent = ls_add (ls_sub (ls_ref (set->max_value), ls_ref (set->min_value)),
                   ls_const_int (ls_dtype (set->min_value), 1));
  return ls_range_new (ls_analyzer_simplify (analyzer, set->min_value), ls_analyzer_simplify (analyzer, extent));
}

static guint
widest (LsArray *ranges)
{
  guint bits = 0;

  for (guint i = 0; i < ls_array_n (ranges); i++)
    bits = MAX (bits, ls_dtype (ls_array_at (ranges, i, LsRange)->extent).bits);
  return bits;
}

/* Takes range. */
static LsRange *
cast_range (LsRange *range,
            guint    bits)
{
  LsDType t = LS_DTYPE (LS_TYPE_INT, (guint8) bits);
  LsRange *cast;

  if (bits == 0)
    return range;
  cast = ls_range_new (ls_cast (t, ls_ref (range->min)), ls_cast (t, ls_ref (range->extent)));
  ls_unref (range);
  return cast;
}

/* The same ranges in int64. (transfer full) */
static LsArray *
wide_ranges (LsArray *ranges)
{
  GPtrArray *wide = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (ranges); i++)
    g_ptr_array_add (wide, cast_range (ls_ref (ls_array_at (ranges, i, LsRange)), 64));
  return ls_array_take_ptr_array (wide);
}

LsArray *
ls_index_map_map_ranges (LsIndexMap *self,
                         LsArray    *ranges,
                         LsAnalyzer *analyzer)
{
  g_autoptr (LsAnalyzer) own = NULL;
  g_autoptr (LsDomMap) dom = NULL;
  g_autoptr (LsIterMapResult) found = NULL;
  guint bits = widest (ranges);
  GPtrArray *result;

  g_return_val_if_fail (ls_array_n (ranges) == ls_array_n (self->initial_indices), NULL);
  if (ls_index_map_leaves_int32 (self, ranges))
    {
      g_autoptr (LsIndexMap) wide = ls_index_map_in (self, LS_INT64);
      g_autoptr (LsArray) over = wide_ranges (ranges);

      return ls_index_map_map_ranges (wide, over, analyzer);
    }
  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  dom = domains_of (self, ranges);
  found = ls_detect_iter_map (self->final_indices, dom, NULL, LS_ITER_MAP_NO_CHECK, analyzer, FALSE);
  result = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (self->final_indices); i++)
    {
      LsRange *range = ls_array_n (found->indices) > 0
                         ? range_of_sum (ls_array_at (found->indices, i, LsIterSum))
                         : range_by_set (ls_array_at (self->final_indices, i, LsExpr), dom, analyzer);

      g_ptr_array_add (result, cast_range (range, bits));
    }
  return ls_array_take_ptr_array (result);
}

LsArray *
ls_index_map_map_shape (LsIndexMap *self,
                        LsArray    *shape,
                        LsAnalyzer *analyzer)
{
  g_autoptr (LsArray) mapped = NULL;
  g_autoptr (LsArray) ranges = NULL;
  GPtrArray *whole = g_ptr_array_new ();
  GPtrArray *result = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (shape); i++)
    {
      LsExpr *extent = ls_array_at (shape, i, LsExpr);

      g_ptr_array_add (whole, ls_range_new (ls_const_int (ls_dtype (extent), 0), ls_ref (extent)));
    }
  ranges = ls_array_take_ptr_array (whole);
  mapped = ls_index_map_map_ranges (self, ranges, analyzer);
  for (guint i = 0; i < ls_array_n (mapped); i++)
    g_ptr_array_add (result, ls_ref (ls_array_at (mapped, i, LsRange)->extent));
  return ls_array_take_ptr_array (result);
}

/* ---- inverse --------------------------------------------------------------- */

static LsArray *
output_vars (LsIndexMap *self)
{
  GPtrArray *vars = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (self->final_indices); i++)
    {
      g_autofree char *name = g_strdup_printf ("axis%u", i);

      g_ptr_array_add (vars, ls_var_new (name, ls_dtype (self->final_indices->items[i])));
    }
  return ls_array_take_ptr_array (vars);
}

/* The initial indices in terms of the outputs; NULL when one of them is not determined. */
static LsArray *
inverse_indices (LsIndexMap *self,
                 LsArray    *ranges,
                 GHashTable *inverse,
                 LsAnalyzer *analyzer)
{
  g_autoptr (GPtrArray) result = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < ls_array_n (self->initial_indices); i++)
    {
      LsExpr *value = g_hash_table_lookup (inverse, self->initial_indices->items[i]);
      LsRange *range = ls_array_at (ranges, i, LsRange);

      if (value == NULL && ls_is_one (range->extent))
        value = range->min;
      if (value == NULL)
        return NULL;
      g_ptr_array_add (result, ls_analyzer_simplify (analyzer, value));
    }
  g_ptr_array_set_free_func (result, NULL);
  return ls_array_take_ptr_array (g_steal_pointer (&result));
}

static LsExpr *
padding_of_outputs (LsIndexMap *self,
                    LsExpr     *predicate,
                    GHashTable *inverse,
                    LsArray    *ranges,
                    LsArray    *outputs,
                    LsAnalyzer *analyzer)
{
  g_autoptr (LsExpr) plain = ls_iter_map_to_expr (predicate);
  g_autoptr (LsExpr) in_outputs = LS_EXPR (ls_substitute (plain, inverse));
  g_autoptr (LsArray) output_ranges = ls_index_map_map_ranges (self, ranges, analyzer);
  g_autoptr (LsAnalyzer) bound = ls_analyzer_new ();

  for (guint i = 0; i < ls_array_n (outputs); i++)
    ls_analyzer_bind_range (bound, ls_array_at (outputs, i, LsVar), ls_array_at (output_ranges, i, LsRange), TRUE);
  return ls_analyzer_simplify_steps (bound, in_outputs, 10);
}

static LsIndexMap *
not_bijective (GError    **error,
               const char *reason)
{
  g_set_error (error, LS_INDEX_MAP_ERROR, LS_INDEX_MAP_ERROR_NOT_BIJECTIVE,
               ls_translate ("the index map has no inverse over these ranges: %s"), reason);
  return NULL;
}

static LsIndexMap *
invert (LsIndexMap     *self,
        LsArray        *ranges,
        LsIterMapLevel  level,
        LsAnalyzer     *analyzer,
        LsExpr        **padding,
        GError        **error)
{
  g_autoptr (LsDomMap) dom = NULL;
  g_autoptr (LsIterMapResult) found = NULL;
  g_autoptr (LsArray) outputs = NULL;
  g_autoptr (GHashTable) inverse = NULL;
  LsArray *indices;

  if (self->inverse_index_map != NULL)
    {
      *padding = ls_bool (FALSE);
      return (LsIndexMap *) ls_ref (self->inverse_index_map);
    }
  if (ls_array_n (ranges) != ls_array_n (self->initial_indices))
    {
      g_set_error (error, LS_INDEX_MAP_ERROR, LS_INDEX_MAP_ERROR_ARITY,
                   ls_translate ("%u ranges were given: the index map has %u initial indices"),
                   ls_array_n (ranges), ls_array_n (self->initial_indices));
      return NULL;
    }
  dom = domains_of (self, ranges);
  found = ls_detect_iter_map (self->final_indices, dom, NULL, level, analyzer, FALSE);
  if (found->errors->len > 0)
    return not_bijective (error, found->errors->pdata[0]);
  outputs = output_vars (self);
  inverse = ls_inverse_affine_iter_map (found->indices, outputs);
  if (inverse == NULL)
    return not_bijective (error, "the indices are not sums of fused iterators");
  indices = inverse_indices (self, ranges, inverse, analyzer);
  if (indices == NULL)
    return not_bijective (error, "an initial index is not determined by the final ones");
  *padding = padding_of_outputs (self, found->padding_predicate, inverse, ranges, outputs, analyzer);
  return ls_index_map_new (g_steal_pointer (&outputs), indices, NULL);
}

LsIndexMap *
ls_index_map_inverse (LsIndexMap *self,
                      LsArray    *initial_ranges,
                      LsAnalyzer *analyzer,
                      GError    **error)
{
  g_autoptr (LsAnalyzer) own = NULL;
  g_autoptr (LsExpr) padding = NULL;
  g_autoptr (LsIndexMap) inverse = NULL;

  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  inverse = invert (self, initial_ranges, LS_ITER_MAP_BIJECTIVE, analyzer, &padding, error);
  if (inverse != NULL && !ls_is_zero (padding))
    return not_bijective (error, "the final indices are padded");
  return g_steal_pointer (&inverse);
}

LsIndexMap *
ls_index_map_non_surjective_inverse (LsIndexMap *self,
                                     LsArray    *initial_ranges,
                                     LsAnalyzer *analyzer,
                                     LsExpr    **padding_predicate,
                                     GError    **error)
{
  g_autoptr (LsAnalyzer) own = NULL;

  *padding_predicate = NULL;
  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  return invert (self, initial_ranges, LS_ITER_MAP_NO_CHECK, analyzer, padding_predicate, error);
}

/* ---- names ----------------------------------------------------------------- */

static char *
fresh_name (GHashTable *used,
            const char *wanted)
{
  char *name = g_strdup (wanted);

  for (guint i = 1; !g_hash_table_add (used, g_strdup (name)); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s_%u", wanted, i);
    }
  return name;
}

LsIndexMap *
ls_index_map_rename (LsIndexMap *self,
                     const char *(*rename) (LsVar *var, gpointer user_data),
                     gpointer    user_data)
{
  g_autoptr (GHashTable) used = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  GPtrArray *vars = g_ptr_array_new ();
  LsArray *renamed;

  for (guint i = 0; i < ls_array_n (self->initial_indices); i++)
    {
      LsVar *var = ls_array_at (self->initial_indices, i, LsVar);
      const char *wanted = rename != NULL ? rename (var, user_data) : NULL;
      g_autofree char *name = fresh_name (used, wanted != NULL ? wanted : var->name);
      LsVar *copy = ls_var_copy (var, name);

      g_hash_table_insert (map, var, copy);
      g_ptr_array_add (vars, copy);
    }
  renamed = ls_array_take_ptr_array (vars);
  return ls_index_map_new (renamed, (LsArray *) ls_substitute (self->final_indices, map),
                           self->inverse_index_map != NULL ? (LsIndexMap *) ls_ref (self->inverse_index_map) : NULL);
}

gboolean
ls_index_map_equivalent (LsIndexMap *self,
                         LsIndexMap *other,
                         LsAnalyzer *analyzer)
{
  g_autoptr (LsAnalyzer) own = NULL;
  g_autoptr (LsArray) theirs = NULL;

  if (ls_array_n (self->initial_indices) != ls_array_n (other->initial_indices) ||
      ls_array_n (self->final_indices) != ls_array_n (other->final_indices))
    return FALSE;
  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  theirs = ls_index_map_map_indices (other, self->initial_indices, analyzer);
  for (guint i = 0; i < ls_array_n (theirs); i++)
    {
      LsExpr *ours = ls_array_at (self->final_indices, i, LsExpr);

      if (!ls_analyzer_can_prove_equal (analyzer, ours, ls_array_at (theirs, i, LsExpr)))
        return FALSE;
    }
  return TRUE;
}

char *
ls_index_map_to_python (LsIndexMap *self)
{
  GString *out = g_string_new ("lambda ");

  for (guint i = 0; i < ls_array_n (self->initial_indices); i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", ls_array_at (self->initial_indices, i, LsVar)->name);
  g_string_append (out, ": (");
  for (guint i = 0; i < ls_array_n (self->final_indices); i++)
    {
      g_autofree char *text = ls_expr_text (self->final_indices->items[i]);

      g_string_append_printf (out, "%s%s", text, i + 1 < ls_array_n (self->final_indices) ? ", " : ",");
    }
  g_string_append_c (out, ')');
  return g_string_free (out, FALSE);
}

/* ---- another type --------------------------------------------------------- */

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
