/* int-set-eval: the set of values of an expression over domains of variables.
 *
 * Walks the expression and combines the intervals of the operands.  The domain of a
 * variable may mention other variables: its ends are evaluated in turn, to a depth of as
 * many steps as there are domains, so that cyclic domains end.  Rules as TVM v0.20's
 * IntervalSetEvaluator; where TVM aborts (division by zero) the answer is everything.
 */
#include "engine/arith/arith-private.h"
#include "engine/arith/int-set.h"
#include "engine/arith/pool.h"

/* Ends are borrowed from the pool. */
typedef struct {
  LsExpr *min;
  LsExpr *max;
} Interval;

typedef struct {
  LsAnalyzer     *analyzer;
  const LsDomMap *dom;
  GPtrArray      *constraints;  /* of LsDomMap with one entry each, or NULL */
  GHashTable     *known;        /* "variable at depth" -> Interval; NULL: none yet */
  guint           depth;
  LsPool          pool;
} Evaluator;

typedef struct {
  LsVar   *var;
  guint    depth;
  Interval value;
} Known;

static guint
known_hash (gconstpointer key)
{
  const Known *k = key;

  return g_direct_hash (k->var) * 31u + k->depth;
}

static gboolean
known_equal (gconstpointer a,
             gconstpointer b)
{
  const Known *x = a, *y = b;

  return x->var == y->var && x->depth == y->depth;
}

static Interval
everything (void)
{
  return (Interval) { ls_neg_inf (), ls_pos_inf () };
}

static Interval
point (LsExpr *e)
{
  return (Interval) { e, e };
}

static gboolean is_point (Interval i) { return i.min == i.max; }
static gboolean is_empty (Interval i) { return ls_is_pos_inf (i.min) || ls_is_neg_inf (i.max); }
static gboolean is_everything (Interval i) { return ls_is_neg_inf (i.min) && ls_is_pos_inf (i.max); }
static gboolean has_lower (Interval i) { return !ls_is_neg_inf (i.min) && !is_empty (i); }
static gboolean has_upper (Interval i) { return !ls_is_pos_inf (i.max) && !is_empty (i); }
static gboolean is_inf (LsExpr *e) { return ls_is_pos_inf (e) || ls_is_neg_inf (e); }

/* ---- combining ------------------------------------------------------------ */

/* An end of an interval; without one (`otherwise`) if it is a number beyond the type. */
static LsExpr *
end_of (Evaluator *self,
        LsKind     kind,
        LsExpr    *a,
        LsExpr    *b,
        LsExpr    *otherwise)
{
  return ls_fold_overflows (kind, a, b) ? otherwise : ls_pool_binary (&self->pool, kind, a, b);
}

static Interval
combine_add (Evaluator *self,
             Interval   a,
             Interval   b)
{
  return (Interval) {
    has_lower (a) && has_lower (b) ? end_of (self, LS_KIND_ADD, a.min, b.min, ls_neg_inf ()) : ls_neg_inf (),
    has_upper (a) && has_upper (b) ? end_of (self, LS_KIND_ADD, a.max, b.max, ls_pos_inf ()) : ls_pos_inf ()
  };
}

static Interval
combine_sub (Evaluator *self,
             Interval   a,
             Interval   b)
{
  return (Interval) {
    has_lower (a) && has_upper (b) ? end_of (self, LS_KIND_SUB, a.min, b.max, ls_neg_inf ()) : ls_neg_inf (),
    has_upper (a) && has_lower (b) ? end_of (self, LS_KIND_SUB, a.max, b.min, ls_pos_inf ()) : ls_pos_inf ()
  };
}

/* Both ends of `a` put through an operation that is monotone in its left operand for a fixed
 * right one: rising when b >= 0, falling when b < 0, a choice by sign when that is not known. */
static Interval
combine_by_sign (Evaluator *self,
                 LsKind     kind,
                 Interval   a,
                 LsExpr    *b)
{
  g_autoptr (LsExpr) minus_b = ls_neg (ls_ref (b));
  LsExpr *sign, *e1, *e2;

  if (ls_analyzer_can_prove_ge_value (self->analyzer, b, 0))
    return (Interval) {
      has_lower (a) ? end_of (self, kind, a.min, b, ls_neg_inf ()) : ls_neg_inf (),
      has_upper (a) ? end_of (self, kind, a.max, b, ls_pos_inf ()) : ls_pos_inf ()
    };
  if (ls_analyzer_can_prove_ge_value (self->analyzer, minus_b, 1))
    return (Interval) {
      has_upper (a) ? end_of (self, kind, a.max, b, ls_neg_inf ()) : ls_neg_inf (),
      has_lower (a) ? end_of (self, kind, a.min, b, ls_pos_inf ()) : ls_pos_inf ()
    };
  if (!has_upper (a) || !has_lower (a))
    return everything ();
  sign = ls_pool_own (&self->pool, ls_ge (ls_ref (b), ls_const_int (ls_dtype_element (ls_dtype (b)), 0)));
  e1 = ls_pool_binary (&self->pool, kind, a.min, b);
  e2 = ls_pool_binary (&self->pool, kind, a.max, b);
  return (Interval) {
    ls_pool_own (&self->pool, ls_select_new (ls_ref (sign), ls_ref (e1), ls_ref (e2))),
    ls_pool_own (&self->pool, ls_select_new (ls_ref (sign), ls_ref (e2), ls_ref (e1)))
  };
}

static Interval
combine_mul (Evaluator *self,
             Interval   a,
             Interval   b)
{
  if (is_point (a))
    {
      Interval swap = a;
      a = b;
      b = swap;
    }
  if (!is_point (b) || is_inf (b.min))
    return everything ();
  if (ls_is_zero (b.min))
    return b;
  if (ls_is_one (b.min))
    return a;
  return combine_by_sign (self, LS_KIND_MUL, a, b.min);
}

static Interval
combine_div (Evaluator *self,
             LsKind     kind,
             Interval   a,
             Interval   b)
{
  if (!is_point (b) || is_inf (b.min) || ls_is_zero (b.min))
    return everything ();
  if (ls_is_one (b.min))
    return a;
  return combine_by_sign (self, kind, a, b.min);
}

/* a mod c = a - (a / c) * c when the quotient is the same at both ends. */
static gboolean
mod_within_one_period (Evaluator *self,
                       Interval   a,
                       LsExpr    *divisor,
                       Interval  *out)
{
  LsExpr *low, *high, *offset;

  if (!ls_is (divisor, INT_IMM) || !has_lower (a) || !has_upper (a))
    return FALSE;
  low = ls_pool_floordiv (&self->pool, a.min, divisor);
  high = ls_pool_floordiv (&self->pool, a.max, divisor);
  if (!ls_pool_proves (self->analyzer, ls_eq (ls_ref (high), ls_ref (low))))
    return FALSE;
  offset = ls_pool_mul (&self->pool, divisor, low);
  *out = (Interval) { ls_pool_sub (&self->pool, a.min, offset), ls_pool_sub (&self->pool, a.max, offset) };
  return TRUE;
}

static LsExpr *
absolute (Evaluator *self,
          LsExpr    *e)
{
  LsExpr *minus = ls_pool_own (&self->pool, ls_neg (ls_ref (e)));
  gint64 v;

  if (ls_as_int (e, &v))
    return v >= 0 ? e : minus;
  return ls_pool_own (&self->pool, ls_select_new (ls_ge (ls_ref (e), ls_const_int (ls_dtype (e), 0)),
                                                  ls_ref (e), ls_ref (minus)));
}

static gboolean
is_non_negative (Evaluator *self,
                 Interval   a)
{
  return has_lower (a) && ls_analyzer_can_prove_ge_value (self->analyzer, a.min, 0);
}

/* A truncated remainder has the sign of what is divided.  (TVM v0.20 takes it to be non-negative.) */
static Interval
combine_mod (Evaluator *self,
             LsKind     kind,
             Interval   a,
             Interval   b)
{
  Interval narrow;
  LsExpr *divisor, *bound;

  if (!is_point (b) || is_inf (b.min) || ls_is_zero (b.min))
    return everything ();
  divisor = b.min;
  if (ls_analyzer_can_prove_ge_value (self->analyzer, divisor, 0))
    {
      if (kind == LS_KIND_FLOOR_MOD && mod_within_one_period (self, a, divisor, &narrow))
        return narrow;
      bound = ls_pool_add_int (&self->pool, divisor, -1);
      return (Interval) { kind == LS_KIND_FLOOR_MOD || is_non_negative (self, a) ? ls_pool_const (&self->pool, ls_dtype (divisor), 0)
                                                                                : ls_pool_own (&self->pool, ls_neg (ls_ref (bound))),
                          bound };
    }
  bound = ls_pool_add_int (&self->pool, absolute (self, divisor), -1);
  return (Interval) { ls_pool_own (&self->pool, ls_neg (ls_ref (bound))), bound };
}

static LsExpr *
lower_of (Evaluator *self,
          LsExpr    *a,
          LsExpr    *b)
{
  if (ls_is_pos_inf (a) || ls_is_neg_inf (b))
    return b;
  if (ls_is_neg_inf (a) || ls_is_pos_inf (b))
    return a;
  return ls_pool_binary (&self->pool, LS_KIND_MIN, a, b);
}

static LsExpr *
higher_of (Evaluator *self,
           LsExpr    *a,
           LsExpr    *b)
{
  if (ls_is_pos_inf (a) || ls_is_neg_inf (b))
    return a;
  if (ls_is_neg_inf (a) || ls_is_pos_inf (b))
    return b;
  return ls_pool_binary (&self->pool, LS_KIND_MAX, a, b);
}

static Interval
combine (Evaluator *self,
         LsKind     kind,
         LsDType    dtype,
         Interval   a,
         Interval   b)
{
  if (is_point (a) && is_point (b) && !is_inf (a.min) && !is_inf (b.min))
    {
      gboolean divides = kind == LS_KIND_DIV || kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_DIV ||
                         kind == LS_KIND_FLOOR_MOD;

      if ((divides && ls_is_zero (b.min)) || ls_fold_overflows (kind, a.min, b.min))
        return everything ();
      return point (ls_pool_binary (&self->pool, kind, a.min, b.min));
    }
  if (ls_kind_is_compare (kind) || kind == LS_KIND_AND || kind == LS_KIND_OR)
    return (Interval) { ls_pool_const (&self->pool, dtype, 0), ls_pool_const (&self->pool, dtype, 1) };
  if (is_empty (a))
    return a;
  if (is_empty (b))
    return b;
  if (!(dtype.code == LS_TYPE_INT && dtype.bits >= 32) && kind != LS_KIND_MIN && kind != LS_KIND_MAX)
    return everything ();
  switch ((int) kind)
    {
    case LS_KIND_ADD:
      return combine_add (self, a, b);
    case LS_KIND_SUB:
      return combine_sub (self, a, b);
    case LS_KIND_MUL:
      return combine_mul (self, a, b);
    case LS_KIND_DIV:
    case LS_KIND_FLOOR_DIV:
      return combine_div (self, kind, a, b);
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_MOD:
      return combine_mod (self, kind, a, b);
    case LS_KIND_MIN:
      return (Interval) { lower_of (self, a.min, b.min), lower_of (self, a.max, b.max) };
    case LS_KIND_MAX:
      return (Interval) { higher_of (self, a.min, b.min), higher_of (self, a.max, b.max) };
    default:
      return is_everything (a) ? a : everything ();
    }
}

/* ---- walking -------------------------------------------------------------- */

static Interval eval (Evaluator *self, LsExpr *expr);

static Interval
eval_interval (Evaluator *self,
               Interval   value)
{
  Interval low, high;

  if (self->depth >= ls_dom_map_get_n (self->dom))
    return value;
  self->depth++;
  low = eval (self, value.min);
  high = value.max == value.min ? low : eval (self, value.max);
  self->depth--;
  return (Interval) { low.min, high.max };
}

/* What the map and the constraints say of a variable; NULL when nothing. (transfer full) */
static LsIntSet *
domain_of (Evaluator *self,
           LsVar     *var)
{
  g_autoptr (GPtrArray) sets = NULL;
  LsIntSet *set;

  if (self->constraints == NULL || self->constraints->len == 0)
    return ls_int_set_ref (ls_dom_map_get_set (self->dom, var));
  sets = g_ptr_array_new ();
  for (guint i = 0; i < self->constraints->len; i++)
    if ((set = ls_dom_map_get_set (self->constraints->pdata[i], var)) != NULL)
      g_ptr_array_add (sets, set);
  if ((set = ls_dom_map_get_set (self->dom, var)) != NULL)
    g_ptr_array_add (sets, set);
  return sets->len > 0 ? ls_int_set_intersect ((LsIntSet **) sets->pdata, sets->len) : NULL;
}

static Interval
eval_var (Evaluator *self,
          LsVar     *var)
{
  g_autoptr (LsIntSet) set = NULL;
  Known *known, key = { var, self->depth, { NULL, NULL } };
  Interval value;

  if (is_inf (LS_EXPR (var)))
    return point (LS_EXPR (var));
  known = self->known != NULL ? g_hash_table_lookup (self->known, &key) : NULL;
  if (known != NULL)
    return known->value;
  set = domain_of (self, var);
  if (set == NULL)
    return point (LS_EXPR (var));
  value.min = ls_pool_own (&self->pool, ls_ref (set->min_value));
  value.max = ls_pool_own (&self->pool, ls_ref (set->max_value));
  if (value.min != LS_EXPR (var) || value.max != LS_EXPR (var))
    value = eval_interval (self, value);
  if (self->known == NULL)
    self->known = g_hash_table_new_full (known_hash, known_equal, g_free, NULL);
  known = g_new (Known, 1);
  *known = (Known) { var, key.depth, value };
  g_hash_table_add (self->known, known);
  return value;
}

static Interval
eval_binary (Evaluator *self,
             LsBinary  *e)
{
  Interval a = eval (self, e->a);
  Interval b = eval (self, e->b);

  if (a.min == e->a && a.max == e->a && b.min == e->b && b.max == e->b)
    return point (LS_EXPR (e));
  return combine (self, ls_kind (e), ls_dtype (e), a, b);
}

static Interval
eval_ramp (Evaluator *self,
           LsRamp    *e)
{
  Interval base = eval (self, e->base);
  LsDType t = ls_dtype (e->base);
  LsExpr *zero = ls_pool_const (&self->pool, t, 0);
  gint64 stride, lanes, reach;
  LsExpr *end;

  if (!ls_as_int (e->stride, &stride) || !ls_as_int (e->lanes, &lanes) ||
      __builtin_mul_overflow (stride, lanes - 1, &reach) || ls_ramp_wraps (e))
    return everything ();
  end = ls_pool_const (&self->pool, t, reach);
  return combine (self, LS_KIND_ADD, t, base,
                  stride > 0 ? (Interval) { zero, end } : (Interval) { end, zero });
}

static Interval
eval_select (Evaluator *self,
             LsSelect  *e)
{
  Interval t = eval (self, e->true_value);
  Interval f = eval (self, e->false_value);

  if (is_empty (f))
    return t;
  if (is_empty (t))
    return f;
  return (Interval) { lower_of (self, f.min, t.min), higher_of (self, f.max, t.max) };
}

/* Do the ends stay the ends, or does the cast wrap? */
static gboolean
cast_keeps_order (Evaluator *self,
                  LsCast    *e,
                  Interval   v)
{
  LsDType from = ls_dtype (e->value), to = ls_dtype (e);
  LsConstIntBound low, high;

  if (ls_dtype_is_bool (to) || ls_dtype_is_float (from) || ls_dtype_is_float (to))
    return FALSE;
  if (ls_cast_keeps_index (self->analyzer, e->value, to) || (from.code == to.code && from.bits <= to.bits) ||
      (from.code == LS_TYPE_UINT && from.bits < to.bits))
    return TRUE;
  if (!has_lower (v) || !has_upper (v))
    return FALSE;
  low = ls_analyzer_const_int_bound (self->analyzer, v.min);
  high = ls_analyzer_const_int_bound (self->analyzer, v.max);
  return low.min >= ls_dtype_int_min (to) && high.max <= ls_dtype_int_max (to);
}

static Interval
eval_cast (Evaluator *self,
           LsCast    *e)
{
  Interval v = eval (self, e->value);
  LsDType t = ls_dtype (e);

  if (is_empty (v))
    return v;
  if (is_point (v))
    return is_inf (v.min) ? v : point (ls_pool_own (&self->pool, ls_cast (t, ls_ref (v.min))));
  if (!cast_keeps_order (self, e, v))
    return everything ();
  return (Interval) {
    has_lower (v) ? ls_pool_own (&self->pool, ls_cast (t, ls_ref (v.min))) : ls_neg_inf (),
    has_upper (v) ? ls_pool_own (&self->pool, ls_cast (t, ls_ref (v.max))) : ls_pos_inf ()
  };
}

/* Nothing is known of what a buffer holds: a load is a symbol unless its place moves. */
static Interval
eval_load (Evaluator *self,
           LsExpr    *e)
{
  LsDType t = ls_dtype (e);

  if (!ls_dtype_is_int (t) && !ls_dtype_is_uint (t))
    return everything ();
  return ls_dom_map_used_in (self->dom, e) ? everything () : point (e);
}

static Interval
eval (Evaluator *self,
      LsExpr    *expr)
{
  LsKind kind = ls_kind (expr);

  if (ls_kind_is_binary (kind))
    return eval_binary (self, (LsBinary *) expr);
  switch ((int) kind)
    {
    case LS_KIND_INT_IMM:
      return point (expr);
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      return eval_var (self, (LsVar *) expr);
    case LS_KIND_RAMP:
      return eval_ramp (self, (LsRamp *) expr);
    case LS_KIND_BROADCAST:
      return eval (self, ((LsBroadcast *) expr)->value);
    case LS_KIND_SELECT:
      return eval_select (self, (LsSelect *) expr);
    case LS_KIND_CAST:
      return eval_cast (self, (LsCast *) expr);
    case LS_KIND_BUFFER_LOAD:
      return eval_load (self, expr);
    case LS_KIND_CALL:
      return ls_is_call (expr, "tir.vscale") ? point (expr) : everything ();
    default:
      return everything ();
    }
}

/* ---- entry points --------------------------------------------------------- */

static void
evaluator_init (Evaluator      *self,
                LsAnalyzer     *analyzer,
                const LsDomMap *dom,
                GPtrArray      *constraints)
{
  self->analyzer = analyzer;
  self->dom = dom;
  self->constraints = constraints;
  self->known = NULL;
  self->depth = 0;
  ls_pool_init (&self->pool);
}

static void
evaluator_clear (Evaluator *self)
{
  g_clear_pointer (&self->known, g_hash_table_unref);
  ls_pool_clear (&self->pool);
}

static LsIntSet *
to_set (Interval i)
{
  return ls_int_set_new_interval (ls_ref (i.min), ls_ref (i.max));
}

static LsIntSet *
eval_with (LsExpr         *expr,
           const LsDomMap *dom,
           LsAnalyzer     *analyzer,
           GPtrArray      *constraints)
{
  Evaluator self;
  LsIntSet *result;

  evaluator_init (&self, analyzer, dom, constraints);
  result = to_set (eval (&self, expr));
  evaluator_clear (&self);
  return result;
}

LsIntSet *
ls_eval_set (LsExpr         *expr,
             const LsDomMap *dom,
             LsAnalyzer     *analyzer)
{
  g_autoptr (LsAnalyzer) own = NULL;

  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  return eval_with (expr, dom, analyzer, NULL);
}

/* [min, min + (extent - 1)] with both ends relaxed; the end is simplified first, which is
 * tighter when min and extent share variables. */
static LsIntSet *
eval_ends (LsExpr         *min,
           LsExpr         *end,
           const LsDomMap *dom,
           LsAnalyzer     *analyzer)
{
  Evaluator self;
  LsIntSet *result;
  Interval whole;

  evaluator_init (&self, analyzer, dom, NULL);
  whole.min = min;
  whole.max = ls_pool_own (&self.pool, ls_analyzer_simplify (analyzer, end));
  result = to_set (eval_interval (&self, whole));
  evaluator_clear (&self);
  return result;
}

LsIntSet *
ls_eval_set_range (LsRange        *range,
                   const LsDomMap *dom)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsExpr) one = ls_const_int (ls_dtype (range->extent), 1);
  g_autoptr (LsExpr) end = NULL;

  if (ls_analyzer_can_prove_equal (analyzer, range->extent, one))
    return ls_eval_set (range->min, dom, NULL);
  end = ls_sub (ls_add (ls_ref (range->min), ls_ref (range->extent)), ls_ref (one));
  return eval_ends (range->min, end, dom, analyzer);
}

LsIntSet *
ls_eval_set_set (LsIntSet       *set,
                 const LsDomMap *dom)
{
  g_autoptr (LsIntSet) low = NULL;
  g_autoptr (LsIntSet) high = NULL;

  if (ls_int_set_is_nothing (set))
    return ls_int_set_ref (set);
  low = ls_eval_set (set->min_value, dom, NULL);
  high = ls_eval_set (set->max_value, dom, NULL);
  return ls_int_set_new_interval (ls_ref (low->min_value), ls_ref (high->max_value));
}

LsNDIntSet *
ls_eval_region (LsArray        *region,
                const LsDomMap *dom)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  LsNDIntSet *result = ls_nd_int_set_new ();

  for (guint i = 0; i < ls_array_n (region); i++)
    {
      LsRange *range = ls_array_at (region, i, LsRange);
      g_autoptr (LsExpr) end = ls_add (ls_ref (range->min),
                                       ls_sub (ls_ref (range->extent), ls_const_int (ls_dtype (range->extent), 1)));

      g_ptr_array_add (result, eval_ends (range->min, end, dom, analyzer));
    }
  return result;
}

static void
add_to_dom (LsVar    *var,
            LsRange  *range,
            gpointer  dom)
{
  ls_dom_map_set_range (dom, var, range);
}

static LsDomMap *
dom_of_analyzer (LsAnalyzer *analyzer)
{
  LsDomMap *dom = ls_dom_map_new ();

  ls_analyzer_foreach_range (analyzer, add_to_dom, dom);
  return dom;
}

LsIntSet *
ls_analyzer_int_set (LsAnalyzer     *analyzer,
                     LsExpr         *expr,
                     const LsDomMap *dom)
{
  g_autoptr (LsDomMap) own = NULL;
  g_autoptr (GPtrArray) sets = NULL;
  GPtrArray *constraints;

  if (dom != NULL)
    return eval_with (expr, dom, analyzer, NULL);
  own = dom_of_analyzer (analyzer);
  sets = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_dom_map_free);
  constraints = ls_analyzer_get_constraints (analyzer);
  for (guint i = 0; constraints != NULL && i < constraints->len; i++)
    g_ptr_array_add (sets, ls_constraint_to_dom_map (constraints->pdata[i], analyzer));
  return eval_with (expr, own, analyzer, sets);
}

void
ls_int_set_symbolic_bound (LsAnalyzer *analyzer,
                           LsExpr     *expr,
                           LsExpr    **min,
                           LsExpr    **max)
{
  g_autoptr (LsIntSet) set = ls_analyzer_int_set (analyzer, expr, NULL);

  *min = ls_int_set_has_lower_bound (set) ? ls_ref (set->min_value) : NULL;
  *max = ls_int_set_has_upper_bound (set) ? ls_ref (set->max_value) : NULL;
}
