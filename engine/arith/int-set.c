/* int-set: intervals with symbolic ends; union, intersection and questions.
 *
 * The two infinities are variables of type handle, so that an end is always an expression.
 * The empty set is [+inf, -inf].  Rules as TVM v0.20's IntervalSet: union takes the lower
 * min and the higher max; intersection is empty only if that can be proved.
 */
#include "engine/arith/int-set.h"
#include "engine/arith/pool.h"

static LsExpr *
infinity (gsize      *slot,
          const char *name)
{
  if (g_once_init_enter (slot))
    g_once_init_leave (slot, (gsize) ls_var_new (name, LS_HANDLE));
  return (LsExpr *) *slot;
}

LsExpr *
ls_pos_inf (void)
{
  static gsize slot;

  return infinity (&slot, "pos_inf");
}

LsExpr *
ls_neg_inf (void)
{
  static gsize slot;

  return infinity (&slot, "neg_inf");
}

LsIntSet *
ls_int_set_new_interval (LsExpr *min,
                         LsExpr *max)
{
  LsIntSet *self = ls_cell_alloc (sizeof *self);

  g_atomic_ref_count_init (&self->refs);
  self->min_value = min;
  self->max_value = max;
  return self;
}

LsIntSet *
ls_int_set_ref (LsIntSet *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_int_set_unref (LsIntSet *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  ls_unref (self->min_value);
  ls_unref (self->max_value);
  ls_cell_free (self, sizeof *self);
}

LsIntSet *
ls_int_set_new_point (LsExpr *point)
{
  return ls_int_set_new_interval (point, ls_ref (point));
}

LsIntSet *
ls_int_set_everything (void)
{
  return ls_int_set_new_interval (ls_ref (ls_neg_inf ()), ls_ref (ls_pos_inf ()));
}

LsIntSet *
ls_int_set_nothing (void)
{
  return ls_int_set_new_interval (ls_ref (ls_pos_inf ()), ls_ref (ls_neg_inf ()));
}

LsIntSet *
ls_int_set_from_min_extent (LsExpr *min,
                            LsExpr *extent)
{
  LsExpr *end;

  if (ls_is_one (extent))
    return ls_int_set_new_point (ls_ref (min));
  end = ls_add (ls_ref (extent), ls_ref (min));
  return ls_int_set_new_interval (ls_ref (min), ls_sub (end, ls_const_int (ls_dtype (end), 1)));
}

LsIntSet *
ls_int_set_from_range (LsRange *range)
{
  return ls_int_set_from_min_extent (range->min, range->extent);
}

LsIntSet *
ls_int_set_vector (LsExpr *expr)
{
  if (ls_dtype (expr).lanes == 1)
    return ls_int_set_new_point (ls_ref (expr));
  return ls_eval_set (expr, NULL, NULL);
}

gboolean
ls_int_set_is_nothing (LsIntSet *self)
{
  return ls_is_pos_inf (self->min_value) || ls_is_neg_inf (self->max_value);
}

gboolean
ls_int_set_is_everything (LsIntSet *self)
{
  return ls_is_neg_inf (self->min_value) && ls_is_pos_inf (self->max_value);
}

gboolean
ls_int_set_is_single_point (LsIntSet *self)
{
  return self->min_value == self->max_value;
}

gboolean
ls_int_set_has_lower_bound (LsIntSet *self)
{
  return !ls_is_neg_inf (self->min_value) && !ls_int_set_is_nothing (self);
}

gboolean
ls_int_set_has_upper_bound (LsIntSet *self)
{
  return !ls_is_pos_inf (self->max_value) && !ls_int_set_is_nothing (self);
}

gboolean
ls_int_set_can_prove_single_point (LsIntSet   *self,
                                   LsAnalyzer *analyzer)
{
  g_autoptr (LsAnalyzer) own = NULL;

  if (ls_int_set_is_single_point (self))
    return TRUE;
  if (!ls_int_set_has_lower_bound (self) || !ls_int_set_has_upper_bound (self))
    return FALSE;
  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  return ls_analyzer_can_prove_equal (analyzer, self->min_value, self->max_value);
}

LsExpr *
ls_int_set_point_value (LsIntSet *self)
{
  g_return_val_if_fail (ls_int_set_is_single_point (self), NULL);
  return self->min_value;
}

/* The simplified end as a number. */
static gboolean
constant_end (LsExpr *end,
              gint64 *value)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsExpr) simple = ls_analyzer_simplify (analyzer, end);

  return ls_as_int (simple, value);
}

gboolean
ls_int_set_can_prove_positive (LsIntSet *self)
{
  gint64 v;

  return constant_end (self->min_value, &v) && v > 0;
}

gboolean
ls_int_set_can_prove_negative (LsIntSet *self)
{
  gint64 v;

  return constant_end (self->max_value, &v) && v < 0;
}

gboolean
ls_int_set_can_prove_non_positive (LsIntSet *self)
{
  gint64 v;

  return constant_end (self->max_value, &v) && v <= 0;
}

gboolean
ls_int_set_can_prove_non_negative (LsIntSet *self)
{
  gint64 v;

  return constant_end (self->min_value, &v) && v >= 0;
}

static gboolean
proves_zero (LsAnalyzer *analyzer,
             LsExpr     *difference)
{
  g_autoptr (LsExpr) taken = difference;
  g_autoptr (LsExpr) simple = ls_analyzer_simplify (analyzer, taken);

  return ls_is_zero (simple);
}

gboolean
ls_int_set_match_range (LsIntSet *self,
                        LsRange  *range)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;
  g_autoptr (LsIntSet) other = NULL;

  if (!ls_int_set_has_lower_bound (self) || !ls_int_set_has_upper_bound (self))
    return FALSE;
  analyzer = ls_analyzer_new ();
  other = ls_int_set_from_range (range);
  return proves_zero (analyzer, ls_sub (ls_ref (self->min_value), ls_ref (other->min_value))) &&
         proves_zero (analyzer, ls_sub (ls_ref (self->max_value), ls_ref (other->max_value)));
}

LsRange *
ls_int_set_cover_range (LsIntSet *self,
                        LsRange  *max_range)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;
  g_autoptr (LsExpr) extent = NULL;
  LsExpr *min;

  if (!ls_int_set_has_lower_bound (self) || !ls_int_set_has_upper_bound (self))
    return ls_ref (max_range);
  analyzer = ls_analyzer_new ();
  extent = ls_sub (ls_add (ls_ref (self->max_value), ls_const_int (ls_dtype (self->max_value), 1)),
                   ls_ref (self->min_value));
  min = ls_analyzer_simplify (analyzer, self->min_value);
  return ls_range_new (min, ls_analyzer_simplify (analyzer, extent));
}

static LsExpr *
lower_of (LsExpr *a,
          LsExpr *b)
{
  if (ls_is_pos_inf (a) || ls_is_neg_inf (b))
    return ls_ref (b);
  if (ls_is_neg_inf (a) || ls_is_pos_inf (b))
    return ls_ref (a);
  return ls_min (ls_ref (a), ls_ref (b));
}

static LsExpr *
higher_of (LsExpr *a,
           LsExpr *b)
{
  if (ls_is_pos_inf (a) || ls_is_neg_inf (b))
    return ls_ref (a);
  if (ls_is_neg_inf (a) || ls_is_pos_inf (b))
    return ls_ref (b);
  return ls_max (ls_ref (a), ls_ref (b));
}

LsIntSet *
ls_int_set_union2 (LsAnalyzer *analyzer,
                   LsIntSet   *a,
                   LsIntSet   *b)
{
  if (ls_int_set_is_nothing (a))
    return ls_int_set_ref (b);
  if (ls_int_set_is_nothing (b))
    return ls_int_set_ref (a);
  return ls_int_set_new_interval (lower_of (a->min_value, b->min_value),
                                  higher_of (a->max_value, b->max_value));
}

static gboolean
is_integer (LsExpr *expr)
{
  return ls_dtype_is_int (ls_dtype (expr)) || ls_dtype_is_uint (ls_dtype (expr));
}

LsIntSet *
ls_int_set_intersect2 (LsAnalyzer *analyzer,
                       LsIntSet   *a,
                       LsIntSet   *b)
{
  LsExpr *max = lower_of (a->max_value, b->max_value);
  LsExpr *min = higher_of (a->min_value, b->min_value);

  if (is_integer (max) && is_integer (min) &&
      ls_pool_proves (analyzer, ls_lt (ls_ref (max), ls_ref (min))))
    {
      ls_unref (max);
      ls_unref (min);
      return ls_int_set_nothing ();
    }
  return ls_int_set_new_interval (min, max);
}

static LsExpr *
simplified_end (LsAnalyzer *analyzer,
                LsExpr     *end)
{
  if (ls_is_pos_inf (end) || ls_is_neg_inf (end))
    return ls_ref (end);
  return ls_analyzer_simplify (analyzer, end);
}

typedef LsIntSet *(*Combine) (LsAnalyzer *, LsIntSet *, LsIntSet *);

static LsIntSet *
combine_all (LsIntSet **sets,
             guint      n,
             Combine    combine)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;
  g_autoptr (LsIntSet) sum = NULL;

  if (n == 0)
    return ls_int_set_nothing ();
  if (n == 1)
    return ls_int_set_ref (sets[0]);
  analyzer = ls_analyzer_new ();
  sum = ls_int_set_ref (sets[0]);
  for (guint i = 1; i < n; i++)
    {
      LsIntSet *next = combine (analyzer, sum, sets[i]);

      ls_int_set_unref (sum);
      sum = next;
    }
  return ls_int_set_new_interval (simplified_end (analyzer, sum->min_value),
                                  simplified_end (analyzer, sum->max_value));
}

LsIntSet *
ls_int_set_union (LsIntSet **sets,
                  guint      n)
{
  return combine_all (sets, n, ls_int_set_union2);
}

LsIntSet *
ls_int_set_intersect (LsIntSet **sets,
                      guint      n)
{
  return combine_all (sets, n, ls_int_set_intersect2);
}

/* Provably min <= max + 1: nothing lies between [.., max] and [min, ..]. */
static gboolean
no_gap (LsAnalyzer *analyzer,
        LsExpr     *max,
        LsExpr     *min)
{
  if (ls_is_neg_inf (min) || ls_is_pos_inf (max))
    return TRUE;
  return ls_pool_proves (analyzer, ls_le (ls_ref (min), ls_add (ls_ref (max), ls_const_int (ls_dtype (max), 1))));
}

LsIntSet *
ls_int_set_union_lower_bound (LsIntSet **sets,
                              guint      n)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;
  LsIntSet *sum = NULL;

  if (n == 1)
    return ls_int_set_ref (sets[0]);
  analyzer = ls_analyzer_new ();
  for (guint i = 0; i < n; i++)
    {
      if (ls_int_set_is_nothing (sets[i]))
        continue;
      if (sum == NULL)
        sum = ls_int_set_ref (sets[i]);
      else if (no_gap (analyzer, sum->max_value, sets[i]->min_value) &&
               no_gap (analyzer, sets[i]->max_value, sum->min_value))
        {
          LsIntSet *next = ls_int_set_new_interval (lower_of (sum->min_value, sets[i]->min_value),
                                                    higher_of (sum->max_value, sets[i]->max_value));

          ls_int_set_unref (sum);
          sum = next;
        }
    }
  return sum != NULL ? sum : ls_int_set_nothing ();
}

char *
ls_int_set_repr (LsIntSet *self)
{
  g_autofree char *min = ls_expr_text (self->min_value);
  g_autofree char *max = ls_expr_text (self->max_value);

  return g_strdup_printf ("IntervalSet[%s, %s]", min, max);
}
