/* inequality: the ranges that linear conditions leave to variables.
 *
 * Fourier-Motzkin elimination: each condition becomes e <= 0 (or e == 0); for each
 * variable in turn those with a positive and those with a negative coefficient bound it
 * from above and below, and their sums, in which it no longer occurs, go on.  Then ranges
 * are chosen from the last variable back to the first.  The choice among several bounds is
 * TVM v0.20's (SolveInequalitiesToRange), whose answers decide how conditions narrow regions.
 * The number of conditions can square with each variable: beyond a limit it gives up.
 */
#include "engine/arith/int-set.h"
#include "engine/arith/pool.h"

#define MAX_CONDITIONS 48

/* coef * v + rest <= 0 */
typedef struct {
  gint64  coef;
  LsExpr *rest;
} Term;

/* coef * var >= each lower, == each equal, <= each upper */
typedef struct {
  LsVar     *var;
  gint64     coef;
  GPtrArray *lower, *equal, *upper;     /* of LsExpr, borrowed */
} Bounds;

typedef struct {
  LsPool      pool;
  LsAnalyzer *analyzer;
  LsDomMap   *ranges;           /* narrowed while ranges are chosen */
  GPtrArray  *current;          /* of LsExpr: conditions not yet used */
  GPtrArray  *rest;             /* conditions that are not linear */
  GPtrArray  *solved;           /* of Bounds */
} Solver;

static void
bounds_free (Bounds *self)
{
  g_ptr_array_unref (self->lower);
  g_ptr_array_unref (self->equal);
  g_ptr_array_unref (self->upper);
  g_free (self);
}

static LsExpr *
simplified (Solver *self,
            LsExpr *e)
{
  return ls_pool_own (&self->pool, ls_analyzer_simplify_steps (self->analyzer, e, 3));
}

static LsExpr *
times (Solver *self,
       gint64  factor,
       LsExpr *e)
{
  return ls_pool_mul (&self->pool, ls_pool_const (&self->pool, ls_dtype (e), factor), e);
}

static LsExpr *
compare_zero (Solver *self,
              LsKind  kind,
              LsExpr *e)
{
  return ls_pool_own (&self->pool, ls_binary_new (kind, ls_ref (e), ls_const_int (ls_dtype (e), 0)));
}

/* a <= b provably */
static gboolean
is_at_most (Solver *self,
            LsExpr *a,
            LsExpr *b)
{
  LsExpr *difference = ls_pool_sub (&self->pool, a, b);

  return ls_pool_proves (self->analyzer, ls_le (ls_ref (difference), ls_const_int (ls_dtype (difference), 0)));
}

/* `e <= 0`, `e == 0` or `e != 0`; anything else stays what it is. */
static LsExpr *
normalized (Solver *self,
            LsExpr *condition)
{
  LsBinary *c = (LsBinary *) condition;
  LsKind kind = ls_kind (condition);
  LsExpr *e;

  if (!ls_kind_is_compare (kind))
    return condition;
  e = kind == LS_KIND_GT || kind == LS_KIND_GE ? ls_pool_sub (&self->pool, c->b, c->a)
                                               : ls_pool_sub (&self->pool, c->a, c->b);
  if (kind == LS_KIND_LT || kind == LS_KIND_GT)
    e = ls_pool_add_int (&self->pool, e, 1);
  e = ls_pool_own (&self->pool, ls_analyzer_simplify (self->analyzer, e));
  return compare_zero (self, kind == LS_KIND_EQ || kind == LS_KIND_NE ? kind : LS_KIND_LE, e);
}

/* Adds a condition unless it follows from the others; drops those that follow from it. */
static void
add_condition (Solver    *self,
               GPtrArray *set,
               LsExpr    *condition)
{
  LsExpr *fresh = ((LsBinary *) condition)->a;

  if (ls_analyzer_can_prove (self->analyzer, condition))
    return;
  for (guint i = 0; i < set->len; i++)
    if (ls_deep_equal (set->pdata[i], condition))
      return;
  for (guint i = 0; ls_is (condition, LE) && i < set->len;)
    {
      LsExpr *there = ls_is (set->pdata[i], LE) ? ((LsBinary *) set->pdata[i])->a : NULL;

      if (there != NULL && is_at_most (self, fresh, there))
        return;
      if (there != NULL && is_at_most (self, there, fresh))
        g_ptr_array_remove_index (set, i);
      else
        i++;
    }
  g_ptr_array_add (set, condition);
}

/* ---- linear forms --------------------------------------------------------- */

static gboolean
linear_in (Solver *self,
           LsExpr *e,
           LsVar  *var,
           Term   *out)
{
  LsBinary *b = (LsBinary *) e;
  Term x, y;
  gint64 factor;

  if (e == LS_EXPR (var))
    {
      *out = (Term) { 1, ls_pool_const (&self->pool, ls_dtype (e), 0) };
      return TRUE;
    }
  if (!ls_uses (e, var))
    {
      *out = (Term) { 0, e };
      return TRUE;
    }
  if (!(ls_is (e, ADD) || ls_is (e, SUB) || ls_is (e, MUL)) ||
      !linear_in (self, b->a, var, &x) || !linear_in (self, b->b, var, &y))
    return FALSE;
  if (!ls_is (e, MUL))
    {
      out->rest = ls_pool_binary (&self->pool, ls_kind (e), x.rest, y.rest);
      return ls_is (e, ADD) ? !__builtin_add_overflow (x.coef, y.coef, &out->coef)
                            : !__builtin_sub_overflow (x.coef, y.coef, &out->coef);
    }
  if (x.coef != 0)
    {
      Term swap = x;
      x = y;
      y = swap;
    }
  if (x.coef != 0 || !ls_as_int (x.rest, &factor))
    return FALSE;
  out->rest = ls_pool_mul (&self->pool, y.rest, x.rest);
  return !__builtin_mul_overflow (y.coef, factor, &out->coef);
}

static void
add_term (GArray *terms,
          gint64  coef,
          LsExpr *rest)
{
  Term term = { coef, rest };

  g_array_append_val (terms, term);
}

static void
classify (Solver    *self,
          LsVar     *var,
          GPtrArray *next,
          GArray    *above,
          GArray    *below)
{
  for (guint i = 0; i < self->current->len; i++)
    {
      LsExpr *condition = self->current->pdata[i];
      Term term;

      if (!(ls_is (condition, LE) || ls_is (condition, EQ)) ||
          !linear_in (self, ((LsBinary *) condition)->a, var, &term) || term.coef == G_MININT64)
        g_ptr_array_add (self->rest, condition);
      else if (term.coef == 0)
        add_condition (self, next, condition);
      else
        {
          LsExpr *minus = ls_pool_own (&self->pool, ls_neg (ls_ref (term.rest)));

          add_term (term.coef > 0 ? above : below, term.coef, term.rest);
          if (ls_is (condition, EQ))
            add_term (term.coef > 0 ? below : above, -term.coef, minus);
        }
    }
}

/* ---- elimination ---------------------------------------------------------- */

/* Adds bound e to one side unless a better one is there; drops worse ones. */
static void
add_bound (Solver    *self,
           GPtrArray *bounds,
           LsExpr    *e,
           gboolean   upper)
{
  for (guint i = 0; i < bounds->len; i++)
    if (upper ? is_at_most (self, bounds->pdata[i], e) : is_at_most (self, e, bounds->pdata[i]))
      return;
  for (guint i = 0; i < bounds->len;)
    if (upper ? is_at_most (self, e, bounds->pdata[i]) : is_at_most (self, bounds->pdata[i], e))
      g_ptr_array_remove_index (bounds, i);
    else
      i++;
  g_ptr_array_add (bounds, e);
}

static void
move_equal (Bounds *self)
{
  for (guint i = 0; i < self->upper->len;)
    {
      guint j;

      for (j = 0; j < self->lower->len; j++)
        if (ls_deep_equal (self->upper->pdata[i], self->lower->pdata[j]))
          break;
      if (j == self->lower->len)
        {
          i++;
          continue;
        }
      g_ptr_array_add (self->equal, self->lower->pdata[j]);
      g_ptr_array_remove_index (self->lower, j);
      g_ptr_array_remove_index (self->upper, i);
    }
}

static gboolean
common_coef (GArray *terms,
             gint64 *coef)
{
  for (guint i = 0; i < terms->len; i++)
    {
      gint64 own = ABS (g_array_index (terms, Term, i).coef);
      gint64 step = own / ls_gcd (*coef, own);

      if (__builtin_mul_overflow (*coef, step, coef) || *coef > G_MAXINT32)
        return FALSE;
    }
  return TRUE;
}

static gboolean
note_bounds (Solver *self,
             LsVar  *var,
             GArray *above,
             GArray *below)
{
  Bounds *b = g_new0 (Bounds, 1);

  b->var = var;
  b->coef = 1;
  b->lower = g_ptr_array_new ();
  b->equal = g_ptr_array_new ();
  b->upper = g_ptr_array_new ();
  g_ptr_array_add (self->solved, b);
  if (!common_coef (above, &b->coef) || !common_coef (below, &b->coef))
    return FALSE;
  for (guint i = 0; i < above->len; i++)
    {
      Term *t = &g_array_index (above, Term, i);

      add_bound (self, b->upper, simplified (self, times (self, -(b->coef / t->coef), t->rest)), TRUE);
    }
  for (guint i = 0; i < below->len; i++)
    {
      Term *t = &g_array_index (below, Term, i);

      add_bound (self, b->lower, simplified (self, times (self, -(b->coef / t->coef), t->rest)), FALSE);
    }
  move_equal (b);
  return TRUE;
}

static void
combine (Solver    *self,
         GPtrArray *next,
         Term      *above,
         Term      *below)
{
  gint64 gcd = ls_gcd (above->coef, -below->coef);
  LsExpr *sum = ls_pool_sub (&self->pool, times (self, above->coef / gcd, below->rest),
                             times (self, below->coef / gcd, above->rest));

  add_condition (self, next, normalized (self, simplified (self, compare_zero (self, LS_KIND_LE, sum))));
}

static void
add_range_terms (Solver *self,
                 LsVar  *var,
                 GArray *above,
                 GArray *below)
{
  LsRange *range = ls_dom_map_get_range (self->ranges, var);
  LsExpr *end;

  if (range == NULL)
    return;
  end = ls_pool_add_int (&self->pool, ls_pool_add (&self->pool, range->min, range->extent), -1);
  end = simplified (self, end);
  add_term (below, -1, simplified (self, range->min));
  add_term (above, 1, ls_pool_own (&self->pool, ls_neg (ls_ref (end))));
}

static gboolean
eliminate (Solver *self,
           LsVar  *var)
{
  g_autoptr (GPtrArray) next = g_ptr_array_new ();
  g_autoptr (GArray) above = g_array_new (FALSE, FALSE, sizeof (Term));
  g_autoptr (GArray) below = g_array_new (FALSE, FALSE, sizeof (Term));

  add_range_terms (self, var, above, below);
  classify (self, var, next, above, below);
  if (above->len * below->len > MAX_CONDITIONS)
    return FALSE;
  for (guint i = 0; i < above->len; i++)
    for (guint j = 0; j < below->len; j++)
      combine (self, next, &g_array_index (above, Term, i), &g_array_index (below, Term, j));
  if (next->len > MAX_CONDITIONS || !note_bounds (self, var, above, below))
    return FALSE;
  g_ptr_array_set_size (self->current, 0);
  for (guint i = 0; i < next->len; i++)
    g_ptr_array_add (self->current, next->pdata[i]);
  return TRUE;
}

/* ---- choosing ranges ------------------------------------------------------ */

static LsExpr *
upper_end (Solver *self,
           LsExpr *e)
{
  g_autoptr (LsIntSet) set = ls_eval_set (e, self->ranges, NULL);

  if (!ls_int_set_has_upper_bound (set))
    return NULL;
  return simplified (self, set->max_value);
}

/* How far [low, high] (of coef * v) reaches at most, and where v starts; NULL when unbounded. */
static LsExpr *
reach_of_pair (Solver  *self,
               gint64   coef,
               LsExpr  *low,
               LsExpr  *high,
               LsExpr **start)
{
  LsExpr *c = ls_pool_const (&self->pool, ls_dtype (low), coef);
  LsExpr *first, *second;

  first = upper_end (self, simplified (self, ls_pool_floordiv (&self->pool, ls_pool_sub (&self->pool, high, low), c)));
  *start = simplified (self, ls_pool_floordiv (&self->pool, ls_pool_add_int (&self->pool, ls_pool_add (&self->pool, low, c), -1), c));
  second = upper_end (self, simplified (self, ls_pool_sub (&self->pool, ls_pool_floordiv (&self->pool, high, c), *start)));
  if (first == NULL || second == NULL)
    return first != NULL ? first : second;
  return ls_pool_proves (self->analyzer, ls_lt (ls_ref (second), ls_ref (first))) ? second : first;
}

static LsRange *
range_between (LsExpr *begin,
               LsExpr *end)
{
  return ls_range_new (ls_ref (begin), ls_is_zero (begin) ? ls_ref (end) : ls_sub (ls_ref (end), ls_ref (begin)));
}

static void
append_all (GPtrArray *to,
            GPtrArray *from)
{
  for (guint i = 0; i < from->len; i++)
    g_ptr_array_add (to, from->pdata[i]);
}

/* The candidates on one side: those of the range that the variable had, then the equalities, then the rest. */
static void
collect_sides (Solver    *self,
               Bounds    *b,
               GPtrArray *lower,
               GPtrArray *upper)
{
  LsRange *range = ls_dom_map_get_range (self->ranges, b->var);
  LsExpr *low = NULL, *high = NULL;

  if (range != NULL)
    {
      LsExpr *end = ls_pool_add_int (&self->pool, ls_pool_add (&self->pool, range->min, range->extent), -1);

      low = simplified (self, ls_pool_mul (&self->pool, range->min, ls_pool_const (&self->pool, ls_dtype (range->min), b->coef)));
      high = ls_is_one (range->extent) ? low
                                       : simplified (self, ls_pool_mul (&self->pool, end, ls_pool_const (&self->pool, ls_dtype (end), b->coef)));
    }
  if (range != NULL && ls_is_one (range->extent))
    {
      g_ptr_array_add (lower, low);
      g_ptr_array_add (upper, low);
    }
  append_all (lower, b->equal);
  append_all (upper, b->equal);
  if (range != NULL && !ls_is_one (range->extent))
    {
      g_ptr_array_add (lower, low);
      g_ptr_array_add (upper, high);
    }
  append_all (lower, b->lower);
  append_all (upper, b->upper);
}

/* The pair of bounds with the smallest reach, biased to earlier pairs. */
static LsRange *
best_range (Solver *self,
            Bounds *b)
{
  g_autoptr (GPtrArray) lower = g_ptr_array_new ();
  g_autoptr (GPtrArray) upper = g_ptr_array_new ();
  LsExpr *best_start = NULL, *best_reach = NULL, *end;

  collect_sides (self, b, lower, upper);
  if (lower->len == 1 && upper->len == 1 && b->coef == 1)
    {
      end = simplified (self, ls_pool_add_int (&self->pool, upper->pdata[0], 1));
      return range_between (simplified (self, lower->pdata[0]), end);
    }
  for (guint i = 0; i < lower->len; i++)
    for (guint j = 0; j < upper->len; j++)
      {
        LsExpr *start;
        LsExpr *reach = reach_of_pair (self, b->coef, lower->pdata[i], upper->pdata[j], &start);

        if (reach != NULL &&
            (best_reach == NULL || ls_pool_proves (self->analyzer, ls_lt (ls_ref (reach), ls_ref (best_reach)))))
          {
            best_reach = reach;
            best_start = start;
          }
      }
  if (best_reach == NULL)
    return NULL;
  end = simplified (self, ls_pool_add_int (&self->pool, best_reach, 1));
  return ls_range_new (ls_ref (best_start), ls_ref (end));
}

static void
renew_analyzer (Solver *self)
{
  g_clear_pointer (&self->analyzer, ls_analyzer_free);
  self->analyzer = ls_analyzer_new ();
  ls_dom_map_bind (self->ranges, self->analyzer);
}

/* FALSE when the range is provably empty. */
static gboolean
choose_range (Solver   *self,
              Bounds   *b,
              LsDomMap *result)
{
  g_autoptr (LsRange) range = NULL;

  renew_analyzer (self);
  if (b->coef == 1 && b->equal->len > 0)
    {
      LsExpr *end = simplified (self, ls_pool_add_int (&self->pool, b->equal->pdata[0], 1));

      range = range_between (b->equal->pdata[0], end);
    }
  else
    {
      g_autoptr (LsExpr) minus = NULL;

      range = best_range (self, b);
      if (range == NULL)
        return TRUE;
      minus = ls_neg (ls_ref (range->extent));
      if (ls_analyzer_can_prove_ge_value (self->analyzer, minus, 0))
        return FALSE;
    }
  ls_dom_map_set_range (result, b->var, range);
  ls_dom_map_set_range (self->ranges, b->var, range);
  return TRUE;
}

static gboolean
side_holds (Solver    *self,
            Bounds    *b,
            GPtrArray *side,
            LsKind     kind)
{
  for (guint i = 0; i < side->len; i++)
    {
      LsExpr *value = times (self, b->coef, LS_EXPR (b->var));

      if (!ls_pool_proves (self->analyzer, ls_binary (kind, ls_ref (value), ls_ref (side->pdata[i]))))
        return FALSE;
    }
  return TRUE;
}

/* Do the chosen ranges say all that the conditions said? */
static gboolean
ranges_say_all (Solver *self)
{
  renew_analyzer (self);
  for (guint i = 0; i < self->solved->len; i++)
    {
      Bounds *b = self->solved->pdata[i];

      if (!side_holds (self, b, b->equal, LS_KIND_EQ) || !side_holds (self, b, b->lower, LS_KIND_GE) ||
          !side_holds (self, b, b->upper, LS_KIND_LE))
        return FALSE;
    }
  for (guint i = 0; i < self->current->len; i++)
    {
      LsExpr *left = simplified (self, self->current->pdata[i]);

      if (ls_is_zero (left) || (!ls_is_one (left) && !ls_analyzer_can_prove (self->analyzer, left)))
        return FALSE;
    }
  for (guint i = 0; i < self->rest->len; i++)
    if (!ls_analyzer_can_prove (self->analyzer, self->rest->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
solve (Solver    *self,
       GPtrArray *vars,
       GPtrArray *conditions,
       LsDomMap  *result)
{
  renew_analyzer (self);
  for (guint i = 0; i < conditions->len; i++)
    {
      LsExpr *condition = normalized (self, simplified (self, conditions->pdata[i]));

      if (ls_kind_is_compare (ls_kind (condition)))
        add_condition (self, self->current, condition);
      else if (!ls_is_one (condition))
        return FALSE;
    }
  if (self->current->len > MAX_CONDITIONS)
    return FALSE;
  for (guint i = 0; i < vars->len; i++)
    if (!eliminate (self, vars->pdata[i]))
      return FALSE;
  for (guint i = self->solved->len; i-- > 0;)
    if (!choose_range (self, self->solved->pdata[i], result))
      return FALSE;
  return ranges_say_all (self);
}

LsDomMap *
ls_solve_inequalities (GPtrArray      *vars,
                       const LsDomMap *ranges,
                       GPtrArray      *conditions)
{
  g_autoptr (LsDomMap) result = ls_dom_map_new ();
  Solver self = { 0 };
  gboolean ok;

  ls_pool_init (&self.pool);
  self.ranges = ls_dom_map_copy (ranges);
  self.current = g_ptr_array_new ();
  self.rest = g_ptr_array_new ();
  self.solved = g_ptr_array_new_with_free_func ((GDestroyNotify) bounds_free);
  ok = solve (&self, vars, conditions, result);
  g_ptr_array_unref (self.solved);
  g_ptr_array_unref (self.rest);
  g_ptr_array_unref (self.current);
  ls_dom_map_free (self.ranges);
  ls_analyzer_free (self.analyzer);
  ls_pool_clear (&self.pool);
  return ok ? g_steal_pointer (&result) : NULL;
}
