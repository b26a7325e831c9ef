/* Integer sets, iteration maps and their kin against enumeration.
 *
 * Random indices over a few small iterators; every claim is checked at every point.
 */
#include "engine/arith/iter-map.h"
#include "engine/arith/pool.h"
#include "engine/tir/tir.h"
#include "tests/support/expr-io.h"
#include "tests/support/support.h"

#define MAX_ITERS 3
#define MAX_INDICES 4

typedef struct {
  guint       n;
  LsVar      *vars[MAX_ITERS];
  gint64      mins[MAX_ITERS];
  gint64      extents[MAX_ITERS];
  LsDomMap   *dom;
  gint64      values[MAX_ITERS];
  GHashTable *point;            /* LsVar -> gint64 * into values */
} Space;

static gint64
pick (gint64 low,
      gint64 high)
{
  return g_test_rand_int_range ((gint32) low, (gint32) high + 1);
}

static void
space_init (Space   *self,
            gboolean zero_based)
{
  static const char *const names[] = { "x", "y", "z" };

  self->n = (guint) pick (1, MAX_ITERS);
  self->dom = ls_dom_map_new ();
  self->point = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < self->n; i++)
    {
      static const gint64 extents[] = { 1, 2, 3, 4, 5, 6, 8, 12 };
      g_autoptr (LsRange) range = NULL;

      self->vars[i] = ls_var_new (names[i], LS_INT32);
      self->mins[i] = zero_based || pick (0, 3) > 0 ? 0 : pick (-3, 5);
      self->extents[i] = extents[pick (0, G_N_ELEMENTS (extents) - 1)];
      range = ls_range_new (ls_int (self->mins[i]), ls_int (self->extents[i]));
      ls_dom_map_set_range (self->dom, self->vars[i], range);
      g_hash_table_insert (self->point, self->vars[i], &self->values[i]);
    }
}

static void
space_clear (Space *self)
{
  for (guint i = 0; i < self->n; i++)
    ls_unref (self->vars[i]);
  ls_dom_map_free (self->dom);
  g_hash_table_unref (self->point);
}

static void
first_point (Space *self)
{
  for (guint i = 0; i < self->n; i++)
    self->values[i] = self->mins[i];
}

static gboolean
next_point (Space *self)
{
  for (guint i = self->n; i-- > 0;)
    {
      if (++self->values[i] < self->mins[i] + self->extents[i])
        return TRUE;
      self->values[i] = self->mins[i];
    }
  return FALSE;
}

static gint64
value_at (Space  *self,
          LsExpr *expr)
{
  gint64 value = 0;
  g_autofree char *text = NULL;

  if (!ls_test_expr_eval (expr, self->point, &value))
    {
      text = ls_expr_text (expr);
      g_error ("%s has no value", text);
    }
  return value;
}

static gboolean
holds (Space  *self,
       LsExpr *predicate)
{
  return predicate == NULL || value_at (self, predicate) != 0;
}

/* A bound of a sum with one iterator that is not trivial is not seen by sums of that iterator alone. */
static gboolean
has_trivial_iter (Space *space)
{
  for (guint i = 0; i < space->n; i++)
    if (space->extents[i] == 1)
      return TRUE;
  return FALSE;
}

/* ---- drawing --------------------------------------------------------------- */

static LsExpr *
random_expr (Space *space,
             guint  depth)
{
  LsExpr *a;

  if (depth == 0 || pick (0, 4) == 0)
    return pick (0, 6) == 0 ? ls_int (pick (-4, 9)) : LS_EXPR (ls_ref (space->vars[pick (0, space->n - 1)]));
  a = random_expr (space, depth - 1);
  switch (pick (0, 7))
    {
    case 0:
    case 1:
      return ls_add (a, random_expr (space, depth - 1));
    case 2:
      return ls_sub (a, random_expr (space, depth - 1));
    case 3:
    case 4:
      return ls_mul (a, ls_int (pick (-2, 8)));
    case 5:
      return ls_floordiv (a, ls_int (pick (1, 8)));
    case 6:
      return ls_floormod (a, ls_int (pick (1, 8)));
    default:
      return pick (0, 1) ? ls_min (a, random_expr (space, depth - 1)) : ls_max (a, random_expr (space, depth - 1));
    }
}

/* All iterators as one number, as a fused loop counts. */
static LsExpr *
fused (Space *space)
{
  LsExpr *sum = LS_EXPR (ls_ref (space->vars[0]));

  for (guint i = 1; i < space->n; i++)
    sum = ls_add (ls_mul (sum, ls_int (space->extents[i])), LS_EXPR (ls_ref (space->vars[i])));
  return sum;
}

static LsArray *
random_indices (Space    *space,
                gboolean *of_fused)
{
  GPtrArray *list = g_ptr_array_new ();
  guint n = (guint) pick (1, 3);
  LsExpr *whole;

  *of_fused = pick (0, 1) != 0;
  if (!*of_fused)
    {
      for (guint i = 0; i < n; i++)
        g_ptr_array_add (list, random_expr (space, (guint) pick (1, 3)));
      return ls_array_take_ptr_array (list);
    }
  whole = fused (space);
  for (guint i = 0; i + 1 < n; i++)
    {
      LsExpr *factor = ls_int (pick (1, 6));

      g_ptr_array_add (list, ls_floormod (ls_ref (whole), ls_ref (factor)));
      whole = ls_floordiv (whole, factor);
    }
  g_ptr_array_insert (list, (gint) pick (0, list->len), pick (0, 3) == 0 ? ls_add (whole, ls_int (pick (-3, 3))) : whole);
  return ls_array_take_ptr_array (list);
}

/* *on_fused: the predicate bounds the fused number, which a claim may ignore when the indices are others. */
static LsExpr *
random_predicate (Space    *space,
                  gboolean *on_fused)
{
  LsExpr *bound;

  *on_fused = FALSE;
  if (pick (0, 2) > 0)
    return NULL;
  *on_fused = pick (0, 1) != 0;
  bound = *on_fused ? fused (space) : LS_EXPR (ls_ref (space->vars[pick (0, space->n - 1)]));
  if (pick (0, 2) == 0)
    return ls_and (ls_le (ls_int (pick (0, 3)), ls_ref (bound)), ls_lt (bound, ls_int (pick (4, 30))));
  return ls_binary (pick (0, 1) ? LS_KIND_LT : LS_KIND_LE, bound, ls_int (pick (1, 40)));
}

static char *
describe (Space   *space,
          LsArray *indices,
          LsExpr  *predicate)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < ls_array_n (indices); i++)
    {
      g_autofree char *text = ls_expr_text (indices->items[i]);

      g_string_append_printf (out, "%s%s", i > 0 ? "; " : "", text);
    }
  for (guint i = 0; i < space->n; i++)
    g_string_append_printf (out, ", %s=%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, space->vars[i]->name, space->mins[i], space->extents[i]);
  if (predicate != NULL)
    {
      g_autofree char *text = ls_expr_text (predicate);

      g_string_append_printf (out, " where %s", text);
    }
  return g_string_free (out, FALSE);
}

/* ---- sets ------------------------------------------------------------------ */

static void
test_eval_set (void)
{
  for (guint k = 0; k < ls_test_count (600, 20000); k++)
    {
      Space space;
      g_autoptr (LsExpr) expr = NULL;
      g_autoptr (LsIntSet) set = NULL;
      g_autofree char *text = NULL;
      gboolean low, high;

      space_init (&space, FALSE);
      expr = random_expr (&space, 4);
      text = ls_expr_text (expr);
      set = ls_eval_set (expr, space.dom, NULL);
      low = ls_int_set_has_lower_bound (set);
      high = ls_int_set_has_upper_bound (set);
      g_assert_false (ls_int_set_is_nothing (set));
      first_point (&space);
      do
        {
          gint64 v = value_at (&space, expr);

          if ((low && v < value_at (&space, set->min_value)) || (high && v > value_at (&space, set->max_value)))
            g_error ("%s: %" G_GINT64_FORMAT " is outside", text, v);
        }
      while (next_point (&space));
      space_clear (&space);
    }
}

/* ---- detection ------------------------------------------------------------- */

static void
check_values (Space           *space,
              LsIterMapResult *found,
              LsArray         *indices,
              LsExpr          *predicate,
              const char      *what)
{
  for (guint i = 0; i < ls_array_n (indices); i++)
    {
      g_autoptr (LsExpr) plain = ls_iter_map_to_expr (found->indices->items[i]);

      first_point (space);
      do
        if (holds (space, predicate) && value_at (space, plain) != value_at (space, ls_array_at (indices, i, LsExpr)))
          {
            g_autofree char *text = ls_expr_text (plain);
            g_autofree char *form = ls_expr_text (found->indices->items[i]);

            g_error ("%s: index %u became %s = %s", what, i, text, form);
          }
      while (next_point (space));
    }
}

/* How many values the detected indices may have, as claimed. */
static gint64
claimed_size (LsIterMapResult *found)
{
  gint64 size = 1, extent;

  for (guint i = 0; i < ls_array_n (found->indices); i++)
    {
      LsIterSum *sum = ls_array_at (found->indices, i, LsIterSum);

      if (ls_array_n (sum->args) == 0)
        continue;
      g_assert_cmpuint (ls_array_n (sum->args), ==, 1);
      if (!ls_as_int (ls_array_at (sum->args, 0, LsIterSplit)->extent, &extent))
        return -1;
      size *= extent;
    }
  return size;
}

static void
check_claim (Space           *space,
             LsIterMapResult *found,
             LsArray         *indices,
             LsExpr          *predicate,
             LsIterMapLevel   level,
             const char      *what)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gint64 points = 0, size = claimed_size (found);

  first_point (space);
  do
    {
      g_autoptr (GString) key = g_string_new (NULL);

      if (!holds (space, predicate))
        continue;
      points++;
      for (guint i = 0; i < ls_array_n (indices); i++)
        g_string_append_printf (key, "%" G_GINT64_FORMAT ",", value_at (space, ls_array_at (indices, i, LsExpr)));
      g_hash_table_add (seen, g_strdup (key->str));
    }
  while (next_point (space));
  if (points == 0 || size < 0)
    return;
  if (g_hash_table_size (seen) != size)
    g_error ("%s at level %d: %u values, %" G_GINT64_FORMAT " were claimed", what, level, g_hash_table_size (seen), size);
  if (level == LS_ITER_MAP_BIJECTIVE && points != size)
    g_error ("%s: %" G_GINT64_FORMAT " points for %" G_GINT64_FORMAT " values", what, points, size);
}

static void
test_detect (void)
{
  static const LsIterMapLevel levels[] = { LS_ITER_MAP_BIJECTIVE, LS_ITER_MAP_SURJECTIVE, LS_ITER_MAP_NO_CHECK };
  guint accepted[3] = { 0 };

  for (guint k = 0; k < ls_test_count (1500, 40000); k++)
    {
      Space space;
      gboolean of_fused = FALSE, on_fused = FALSE;
      g_autoptr (LsArray) indices = NULL;
      g_autoptr (LsExpr) predicate = NULL;
      g_autofree char *what = NULL;

      space_init (&space, FALSE);
      indices = random_indices (&space, &of_fused);
      predicate = random_predicate (&space, &on_fused);
      what = describe (&space, indices, predicate);
      for (guint l = 0; l < 3; l++)
        {
          g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
          g_autoptr (LsIterMapResult) found =
            ls_detect_iter_map (indices, space.dom, predicate, levels[l], analyzer, (gboolean) pick (0, 1));

          if (ls_array_n (found->indices) == 0)
            continue;
          accepted[l]++;
          check_values (&space, found, indices, predicate, what);
          if (levels[l] != LS_ITER_MAP_NO_CHECK && (!on_fused || (of_fused && levels[l] == LS_ITER_MAP_BIJECTIVE && !has_trivial_iter (&space))))
            check_claim (&space, found, indices, predicate, levels[l], what);
        }
      space_clear (&space);
    }
  g_test_message ("accepted: %u bijective, %u surjective, %u unchecked", accepted[0], accepted[1], accepted[2]);
  g_assert_cmpuint (accepted[0], >, 20);
  g_assert_cmpuint (accepted[1], >, 50);
}

static void
test_simplify (void)
{
  for (guint k = 0; k < ls_test_count (400, 10000); k++)
    {
      Space space;
      gboolean of_fused = FALSE, on_fused = FALSE;
      g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
      g_autoptr (LsArray) indices = NULL;
      g_autoptr (LsArray) simple = NULL;
      g_autoptr (LsExpr) predicate = NULL;

      space_init (&space, FALSE);
      indices = random_indices (&space, &of_fused);
      predicate = random_predicate (&space, &on_fused);
      ls_dom_map_bind (space.dom, analyzer);
      simple = ls_iter_map_simplify (indices, space.dom, predicate, LS_ITER_MAP_SURJECTIVE, analyzer, TRUE);
      g_assert_cmpuint (ls_array_n (simple), ==, ls_array_n (indices));
      first_point (&space);
      do
        for (guint i = 0; holds (&space, predicate) && i < ls_array_n (indices); i++)
          g_assert_cmpint (value_at (&space, ls_array_at (simple, i, LsExpr)), ==,
                           value_at (&space, ls_array_at (indices, i, LsExpr)));
      while (next_point (&space));
      space_clear (&space);
    }
}

/* ---- division -------------------------------------------------------------- */

static void
check_division (Space      *space,
                LsSubspace *divided,
                LsArray    *indices,
                LsExpr     *predicate,
                const char *what)
{
  for (guint i = 0; i < divided->n; i++)
    {
      g_autoptr (LsExpr) outer = ls_iter_map_to_expr (divided->outer[i]->source);
      g_autoptr (LsExpr) inner = ls_iter_map_to_expr (divided->inner[i]->source);
      gint64 extent;

      if (!ls_as_int (divided->inner[i]->extent, &extent))
        continue;
      first_point (space);
      do
        if (holds (space, predicate) &&
            value_at (space, outer) * extent + value_at (space, inner) != value_at (space, ls_array_at (indices, i, LsExpr)))
          {
            g_autofree char *o = ls_expr_text (outer);
            g_autofree char *n = ls_expr_text (inner);

            g_error ("%s: binding %u is not (%s) * %" G_GINT64_FORMAT " + (%s)", what, i, o, extent, n);
          }
      while (next_point (space));
    }
}

static void
test_divide (void)
{
  guint accepted = 0;

  for (guint k = 0; k < ls_test_count (800, 20000); k++)
    {
      Space space;
      gboolean of_fused = FALSE, on_fused = FALSE;
      g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
      g_autoptr (LsArray) indices = NULL;
      g_autoptr (LsArray) inner = NULL;
      g_autoptr (LsExpr) predicate = NULL;
      g_autoptr (LsSubspace) divided = NULL;
      g_autofree char *what = NULL;
      GPtrArray *list = g_ptr_array_new ();

      space_init (&space, TRUE);
      indices = random_indices (&space, &of_fused);
      predicate = random_predicate (&space, &on_fused);
      what = describe (&space, indices, predicate);
      for (guint i = (guint) pick (0, space.n); i < space.n; i++)
        g_ptr_array_add (list, ls_ref (space.vars[i]));
      inner = ls_array_take_ptr_array (list);
      divided = ls_subspace_divide (indices, space.dom, inner, predicate, LS_ITER_MAP_BIJECTIVE, analyzer, TRUE);
      if (divided != NULL)
        {
          accepted++;
          check_division (&space, divided, indices, predicate, what);
        }
      space_clear (&space);
    }
  g_assert_cmpuint (accepted, >, 10);
}

/* ---- regions --------------------------------------------------------------- */

static void
test_regions (void)
{
  for (guint k = 0; k < ls_test_count (500, 10000); k++)
    {
      Space space;
      gboolean on_fused = FALSE;
      g_autoptr (LsRange) range = NULL;
      g_autoptr (LsArray) region = NULL;
      g_autoptr (LsNDIntSet) upper = NULL;
      g_autoptr (LsNDIntSet) strict = NULL;
      g_autoptr (LsExpr) predicate = NULL;
      g_autoptr (GHashTable) touched = g_hash_table_new (NULL, NULL);
      LsIntSet *set;
      gint64 extent = pick (1, 5), low = 0, high = 0;

      space_init (&space, FALSE);
      range = ls_range_new (random_expr (&space, 3), ls_int (extent));
      region = ls_array_of (ls_ref (range), NULL);
      predicate = random_predicate (&space, &on_fused);
      upper = ls_region_upper_bound (region, space.dom, predicate, NULL);
      strict = ls_region_strict_bound (region, space.dom, predicate, NULL);
      first_point (&space);
      do
        for (gint64 v = 0; holds (&space, predicate) && v < extent; v++)
          {
            gint64 at = value_at (&space, range->min) + v;

            set = upper->pdata[0];
            g_hash_table_add (touched, GINT_TO_POINTER (at));
            if ((ls_int_set_has_lower_bound (set) && at < value_at (&space, set->min_value)) ||
                (ls_int_set_has_upper_bound (set) && at > value_at (&space, set->max_value)))
              {
                g_autofree char *what = describe (&space, NULL, predicate);
                g_autofree char *start = ls_expr_text (range->min);
                g_autofree char *bound = ls_int_set_repr (set);

                g_error ("%s + %" G_GINT64_FORMAT "%s: %" G_GINT64_FORMAT " is outside %s", start, extent, what, at, bound);
              }
          }
      while (next_point (&space));
      if (strict != NULL && !on_fused && g_hash_table_size (touched) > 0)
        {
          set = strict->pdata[0];
          low = value_at (&space, set->min_value);
          high = value_at (&space, set->max_value);
          for (gint64 v = low; v <= high; v++)
            if (!g_hash_table_contains (touched, GINT_TO_POINTER (v)))
              {
                g_autofree char *what = describe (&space, NULL, predicate);
                g_autofree char *min = ls_expr_text (range->min);

                g_error ("%s + %" G_GINT64_FORMAT "%s: %" G_GINT64_FORMAT " is not touched", min, extent, what, v);
              }
          g_assert_cmpint (high - low + 1, ==, g_hash_table_size (touched));
        }
      space_clear (&space);
    }
}

/* ---- inverse --------------------------------------------------------------- */

static LsArray *
vars_of (Space *space)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < space->n; i++)
    g_ptr_array_add (list, ls_ref (space->vars[i]));
  return ls_array_take_ptr_array (list);
}

static LsArray *
ranges_of (Space *space)
{
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < space->n; i++)
    g_ptr_array_add (list, ls_ref (ls_dom_map_get_range (space->dom, space->vars[i])));
  return ls_array_take_ptr_array (list);
}

static void
check_inverse (Space      *space,
               LsIndexMap *map,
               LsIndexMap *inverse,
               const char *what)
{
  first_point (space);
  do
    {
      gint64 values[MAX_INDICES];
      g_autoptr (GHashTable) point = g_hash_table_new (NULL, NULL);

      for (guint i = 0; i < ls_array_n (map->final_indices); i++)
        {
          values[i] = value_at (space, ls_array_at (map->final_indices, i, LsExpr));
          g_hash_table_insert (point, inverse->initial_indices->items[i], &values[i]);
        }
      for (guint i = 0; i < space->n; i++)
        {
          gint64 back = 0;

          if (!ls_test_expr_eval (ls_array_at (inverse->final_indices, i, LsExpr), point, &back) || back != space->values[i])
            g_error ("%s: %s comes back as %" G_GINT64_FORMAT, what, space->vars[i]->name, back);
        }
    }
  while (next_point (space));
}

/* Every value of the mapped ranges is either reached or padding. */
static void
check_padding (Space      *space,
               LsIndexMap *map,
               LsIndexMap *inverse,
               LsExpr     *padding,
               LsArray    *ranges,
               const char *what)
{
  g_autoptr (LsArray) mapped = ls_index_map_map_ranges (map, ranges, NULL);
  gint64 size = 1, n_padding = 0, n_points = 1, extent, min;
  gint64 values[MAX_INDICES], mins[MAX_INDICES], extents[MAX_INDICES];
  g_autoptr (GHashTable) point = g_hash_table_new (NULL, NULL);
  guint n = ls_array_n (mapped);

  for (guint i = 0; i < n; i++)
    {
      if (!ls_as_int (ls_array_at (mapped, i, LsRange)->extent, &extent) || !ls_as_int (ls_array_at (mapped, i, LsRange)->min, &min))
        return;
      size *= extent;
      mins[i] = min;
      extents[i] = extent;
      g_hash_table_insert (point, inverse->initial_indices->items[i], &values[i]);
    }
  for (gint64 at = 0; at < size; at++)
    {
      gint64 rest = at, is_padding = 0;

      for (guint i = n; i-- > 0; rest /= extents[i])
        values[i] = mins[i] + rest % extents[i];
      g_assert_true (ls_test_expr_eval (padding, point, &is_padding));
      n_padding += is_padding != 0;
    }
  for (guint i = 0; i < space->n; i++)
    n_points *= space->extents[i];
  if (size - n_padding != n_points)
    {
      g_autofree char *text = ls_expr_text (padding);

      g_error ("%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " are padding (%s), %" G_GINT64_FORMAT " points",
               what, n_padding, size, text, n_points);
    }
}

/* split (fused, factors) with any order: what layouts are. */
static LsArray *
layout_indices (Space   *space,
                gboolean even)
{
  GPtrArray *list = g_ptr_array_new ();
  guint split = (guint) pick (0, space->n - 1);

  for (guint i = 0; i < space->n; i++)
    {
      gint64 factor = pick (1, 5);

      if (i != split || (even && space->extents[i] % factor != 0))
        {
          g_ptr_array_insert (list, (gint) pick (0, list->len), ls_ref (space->vars[i]));
          continue;
        }
      g_ptr_array_insert (list, (gint) pick (0, list->len), ls_floordiv (LS_EXPR (ls_ref (space->vars[i])), ls_int (factor)));
      g_ptr_array_insert (list, (gint) pick (0, list->len), ls_floormod (LS_EXPR (ls_ref (space->vars[i])), ls_int (factor)));
    }
  return ls_array_take_ptr_array (list);
}

static void
test_inverse (void)
{
  guint exact = 0, padded = 0;

  for (guint k = 0; k < ls_test_count (400, 10000); k++)
    {
      Space space;
      gboolean of_fused = FALSE;
      g_autoptr (LsIndexMap) map = NULL;
      g_autoptr (LsIndexMap) inverse = NULL;
      g_autoptr (LsIndexMap) loose = NULL;
      g_autoptr (LsExpr) padding = NULL;
      g_autoptr (LsArray) ranges = NULL;
      g_autofree char *what = NULL;
      gboolean layout = pick (0, 2) > 0;

      space_init (&space, TRUE);
      ranges = ranges_of (&space);
      map = ls_index_map_new (vars_of (&space), layout ? layout_indices (&space, FALSE) : random_indices (&space, &of_fused), NULL);
      what = describe (&space, map->final_indices, NULL);
      inverse = ls_index_map_inverse (map, ranges, NULL, NULL);
      if (inverse != NULL)
        {
          exact++;
          check_inverse (&space, map, inverse, what);
        }
      loose = ls_index_map_non_surjective_inverse (map, ranges, NULL, &padding, NULL);
      if (loose != NULL && layout)
        {
          padded++;
          check_inverse (&space, map, loose, what);
          check_padding (&space, map, loose, padding, ranges, what);
        }
      space_clear (&space);
    }
  g_assert_cmpuint (exact, >, 10);
  g_assert_cmpuint (padded, >, 10);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/property/int-set/contains", test_eval_set);
  g_test_add_func ("/property/iter-map/detect", test_detect);
  g_test_add_func ("/property/iter-map/simplify", test_simplify);
  g_test_add_func ("/property/iter-map/divide", test_divide);
  g_test_add_func ("/property/iter-map/regions", test_regions);
  g_test_add_func ("/property/iter-map/inverse", test_inverse);
  return g_test_run ();
}
