/* cover: the iterations of a block that touch given regions.
 *
 * One instance of a block touches a part of each buffer (`touched`, over its iteration variables); together the
 * instances have to cover what others need (`needed`, over loops outside).  Solved for each variable as
 *
 *   dom     the smallest interval of values that covers everything needed
 *   bound   what the buffer's shape and the variable's own domain allow; beyond it a predicate is due
 *
 * first for the buffer as a whole, when its indices are a one-to-one affine map of the variables (inverted at both
 * corners of what is needed), else dimension by dimension from the forms v, v * c, v // c, v % c and nestings of the
 * last two.  Source of the rules: TVM v0.20's compute_at.
 */
#include "engine/schedule/legal/legal.h"

#include "engine/script/printer.h"

#include <string.h>

typedef struct {
  LsBlock      *block;
  LsAnalyzer   *analyzer;
  LsIterDomain *domains;        /* one for each iteration variable */
  char         *reason;
} Solver;

static void
explain (Solver     *self,
         const char *format,
         ...) G_GNUC_PRINTF (2, 3);

static void
explain (Solver     *self,
         const char *format,
         ...)
{
  va_list args;

  if (self->reason != NULL)
    return;
  va_start (args, format);
  self->reason = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
}

/* ---- intervals -------------------------------------------------------------- */

static gboolean
is_bounded (LsIntSet *set)
{
  return ls_int_set_has_lower_bound (set) && ls_int_set_has_upper_bound (set);
}

static LsExpr *
simplified_end (LsAnalyzer *analyzer,
                LsExpr     *end)
{
  if (ls_is_pos_inf (end) || ls_is_neg_inf (end))
    return ls_ref (end);
  return ls_analyzer_simplify (analyzer, end);
}

static LsIntSet *
simplified (LsAnalyzer *analyzer,
            LsIntSet   *set)
{
  return ls_int_set_new_interval (simplified_end (analyzer, ls_int_set_min (set)),
                                  simplified_end (analyzer, ls_int_set_max (set)));
}

static void
take_set (LsIntSet **slot,
          LsIntSet  *set)
{
  ls_int_set_unref (*slot);
  *slot = set;
}

static LsIntSet *
united (LsIntSet *a,
        LsIntSet *b)
{
  LsIntSet *pair[2] = { a, b };

  return ls_int_set_union (pair, 2);
}

static LsIntSet *
intersected (LsIntSet *a,
             LsIntSet *b)
{
  LsIntSet *pair[2] = { a, b };

  return ls_int_set_intersect (pair, 2);
}

/* Highest index of a dimension: max(size - 1, 0). */
static LsExpr *
last_index (LsExpr *size)
{
  gint64 value;

  if (ls_as_int (size, &value))
    return ls_const_int (ls_dtype (size), MAX (value - 1, 0));
  return ls_max (ls_sub (ls_ref (size), ls_const_int (ls_dtype (size), 1)), ls_const_int (ls_dtype (size), 0));
}

/* ---- one variable ----------------------------------------------------------- */

void
ls_iter_domain_clear (LsIterDomain *self)
{
  g_clear_pointer (&self->dom, ls_int_set_unref);
  g_clear_pointer (&self->bound, ls_int_set_unref);
}

/* (d0 and b0) or (d1 and b1), relaxed to (d0 or d1) and (b0 or b1). Borrows the two sets. */
static void
widen (LsIterDomain *self,
       LsIntSet     *dom,
       LsIntSet     *bound)
{
  take_set (&self->dom, united (self->dom, dom));
  take_set (&self->bound, united (self->bound, bound));
}

static gboolean
same_interval (LsAnalyzer *analyzer,
               LsIntSet   *a,
               LsIntSet   *b)
{
  return is_bounded (a) && is_bounded (b) &&
         ls_analyzer_can_prove_equal (analyzer, ls_int_set_min (a), ls_int_set_min (b)) &&
         ls_analyzer_can_prove_equal (analyzer, ls_int_set_max (a), ls_int_set_max (b));
}

/* Plainly inside: the ends of the domain are a variable times a number plus another, those of the bound numbers. */
static gboolean
lies_within (LsAnalyzer *analyzer,
             LsIntSet   *dom,
             LsIntSet   *bound)
{
  gint64 lowest, highest;
  LsConstIntBound min, max;

  return is_bounded (dom) && is_bounded (bound) &&
         ls_as_int (ls_int_set_min (bound), &lowest) && ls_as_int (ls_int_set_max (bound), &highest) &&
         ls_analyzer_affine_bound (analyzer, ls_int_set_min (dom), &min) &&
         ls_analyzer_affine_bound (analyzer, ls_int_set_max (dom), &max) &&
         min.min >= lowest && max.max <= highest;
}

/* Leaves a bound only where it says more than the domain. */
static void
settle (LsIterDomain *self,
        LsAnalyzer   *analyzer)
{
  g_autoptr(LsIntSet) both = NULL;
  g_autoptr(LsIntSet) common = NULL;

  if (ls_int_set_is_nothing (self->dom))
    {
      if (!is_bounded (self->bound))
        return;
      take_set (&self->dom, simplified (analyzer, self->bound));
      take_set (&self->bound, ls_int_set_nothing ());
      return;
    }
  take_set (&self->dom, simplified (analyzer, self->dom));
  take_set (&self->bound, simplified (analyzer, self->bound));
  if (lies_within (analyzer, self->dom, self->bound))
    {
      take_set (&self->bound, ls_int_set_nothing ());
      return;
    }
  both = intersected (self->dom, self->bound);
  common = simplified (analyzer, both);
  if (same_interval (analyzer, self->dom, common))
    {
      take_set (&self->bound, ls_int_set_nothing ());
    }
  else if (same_interval (analyzer, self->bound, common))
    {
      take_set (&self->dom, g_steal_pointer (&self->bound));
      self->bound = ls_int_set_nothing ();
    }
  else if (ls_is (ls_int_set_min (common), INT_IMM) && ls_is (ls_int_set_max (common), INT_IMM))
    {
      take_set (&self->dom, g_steal_pointer (&common));
      take_set (&self->bound, ls_int_set_nothing ());
    }
}

static LsIterDomain *
domain_of (Solver *self,
           LsVar  *var)
{
  for (guint i = 0; i < ls_array_n (self->block->iter_vars); i++)
    if (ls_array_at (self->block->iter_vars, i, LsIterVar)->var == var)
      return &self->domains[i];
  return NULL;
}

/* ---- a buffer as a whole ---------------------------------------------------- */

static LsArray *
corner (LsNDIntSet *sets,
        gboolean    upper)
{
  GPtrArray *point = g_ptr_array_new ();

  for (guint i = 0; i < sets->len; i++)
    g_ptr_array_add (point, ls_ref (upper ? ls_int_set_max (sets->pdata[i]) : ls_int_set_min (sets->pdata[i])));
  return ls_array_take_ptr_array (point);
}

/* The variables of an affine map at a corner of a region, or NULL. */
static GHashTable *
inverse_at (LsArray    *map,
            LsNDIntSet *sets,
            gboolean    upper)
{
  g_autoptr(LsArray) point = corner (sets, upper);

  return ls_inverse_affine_iter_map (map, point);
}

/* The interval between the values of `var` at two corners. */
static LsIntSet *
between (GHashTable *low,
         GHashTable *high,
         LsVar      *var,
         LsAnalyzer *analyzer)
{
  LsExpr *a = g_hash_table_lookup (low, var);
  LsExpr *b = g_hash_table_lookup (high, var);
  g_autoptr(LsExpr) min = ls_min (ls_ref (a), ls_ref (b));
  g_autoptr(LsExpr) max = ls_max (ls_ref (a), ls_ref (b));

  return ls_int_set_new_interval (ls_analyzer_simplify (analyzer, min), ls_analyzer_simplify (analyzer, max));
}

static LsNDIntSet *
whole_buffer (LsBuffer *buffer)
{
  LsNDIntSet *sets = ls_nd_int_set_new ();

  for (guint i = 0; i < ls_buffer_ndim (buffer); i++)
    {
      LsExpr *size = ls_array_at (buffer->shape, i, LsExpr);

      g_ptr_array_add (sets, ls_int_set_new_interval (ls_const_int (ls_dtype (size), 0), last_index (size)));
    }
  return sets;
}

/* Widens the domains by the inverse of `map` at the corners of what is needed and of the whole buffer. */
static gboolean
invert (Solver     *self,
        LsArray    *map,
        LsBuffer   *buffer,
        LsNDIntSet *needed)
{
  g_autoptr(LsNDIntSet) whole = whole_buffer (buffer);
  g_autoptr(GHashTable) first = inverse_at (map, needed, FALSE);
  g_autoptr(GHashTable) last = inverse_at (map, needed, TRUE);
  g_autoptr(GHashTable) lowest = inverse_at (map, whole, FALSE);
  g_autoptr(GHashTable) highest = inverse_at (map, whole, TRUE);

  if (first == NULL || last == NULL || lowest == NULL || highest == NULL)
    {
      explain (self, "the indices of %s cannot be turned into iterations of %s", buffer->name, self->block->name_hint);
      return FALSE;
    }
  for (guint i = 0; i < ls_array_n (self->block->iter_vars); i++)
    {
      LsVar *var = ls_array_at (self->block->iter_vars, i, LsIterVar)->var;
      g_autoptr(LsIntSet) dom = NULL;
      g_autoptr(LsIntSet) bound = NULL;

      if (!g_hash_table_contains (first, var))
        continue;
      dom = between (first, last, var, self->analyzer);
      bound = between (lowest, highest, var, self->analyzer);
      widen (&self->domains[i], dom, bound);
    }
  return TRUE;
}

/* Every index is a variable of its own, that runs over two or more numbers from 0. */
static gboolean
is_identity (Solver     *self,
             LsNDIntSet *touched)
{
  gint64 min, extent;

  if (touched->len != ls_array_n (self->block->iter_vars))
    return FALSE;
  for (guint i = 0; i < touched->len; i++)
    {
      LsExpr *index = ls_int_set_min (touched->pdata[i]);
      LsIterDomain *domain = index == ls_int_set_max (touched->pdata[i]) && ls_is_var (index) ? domain_of (self, (LsVar *) index) : NULL;
      LsRange *range = domain != NULL ? ls_array_at (self->block->iter_vars, domain - self->domains, LsIterVar)->dom : NULL;

      if (range == NULL || !ls_as_int (range->min, &min) || !ls_as_int (range->extent, &extent) || min != 0 || extent < 2)
        return FALSE;
      for (guint k = 0; k < i; k++)
        if (ls_int_set_min (touched->pdata[k]) == index)
          return FALSE;
    }
  return TRUE;
}

static LsIntSet *
sorted (Solver   *self,
        LsIntSet *set)
{
  gint64 low, high;
  g_autoptr(LsExpr) min = NULL;
  g_autoptr(LsExpr) max = NULL;

  if (ls_as_int (ls_int_set_min (set), &low) && ls_as_int (ls_int_set_max (set), &high) && low <= high)
    return ls_int_set_ref (set);
  min = ls_min (ls_ref (ls_int_set_min (set)), ls_ref (ls_int_set_max (set)));
  max = ls_max (ls_ref (ls_int_set_min (set)), ls_ref (ls_int_set_max (set)));

  return ls_int_set_new_interval (ls_analyzer_simplify (self->analyzer, min), ls_analyzer_simplify (self->analyzer, max));
}

/* What inverting an identity gives. */
static void
take_over (Solver     *self,
           LsBuffer   *buffer,
           LsNDIntSet *touched,
           LsNDIntSet *needed)
{
  g_autoptr(LsNDIntSet) whole = whole_buffer (buffer);

  for (guint i = 0; i < touched->len; i++)
    {
      g_autoptr(LsIntSet) dom = sorted (self, needed->pdata[i]);
      g_autoptr(LsIntSet) bound = sorted (self, whole->pdata[i]);

      widen (domain_of (self, (LsVar *) ls_int_set_min (touched->pdata[i])), dom, bound);
    }
}

static gboolean
has_bounds (Solver     *self,
            LsBuffer   *buffer,
            LsNDIntSet *needed)
{
  for (guint i = 0; i < needed->len; i++)
    if (!is_bounded (needed->pdata[i]))
      {
        explain (self, "the part of %s that is needed has no bounds", buffer->name);
        return FALSE;
      }
  return TRUE;
}

/* TRUE with *done FALSE: the touched part is no one-to-one affine map; the dimensions have to be tried. */
static gboolean
cover_at_once (Solver     *self,
               LsBuffer   *buffer,
               LsNDIntSet *touched,
               LsNDIntSet *needed,
               gboolean   *done)
{
  g_autoptr(LsDomMap) domains = NULL;
  g_autoptr(LsArray) indices = NULL;
  g_autoptr(LsExpr) always = NULL;
  g_autoptr(LsIterMapResult) map = NULL;

  *done = is_identity (self, touched);
  if (*done)
    {
      if (!has_bounds (self, buffer, needed))
        return FALSE;
      take_over (self, buffer, touched, needed);
      return TRUE;
    }
  for (guint i = 0; i < touched->len; i++)
    if (!ls_int_set_can_prove_single_point (touched->pdata[i], self->analyzer))
      return TRUE;
  domains = ls_block_domains (self->block);
  indices = corner (touched, FALSE);
  always = ls_bool (TRUE);
  map = ls_detect_iter_map (indices, domains, always, LS_ITER_MAP_BIJECTIVE, self->analyzer, FALSE);
  if (ls_array_n (map->indices) == 0)
    return TRUE;
  *done = TRUE;
  if (!has_bounds (self, buffer, needed))
    return FALSE;
  return invert (self, map->indices, buffer, needed);
}

/* ---- dimension by dimension --------------------------------------------------- */

/* One dimension: touched = needed, to be solved for one variable. All owned. */
typedef struct {
  LsExpr *touched_min;
  LsExpr *touched_max;
  LsExpr *needed_min;
  LsExpr *needed_max;
  LsExpr *last;                 /* highest index, borrowed */
} Equation;

static void
equation_clear (Equation *self)
{
  ls_unref (self->touched_min);
  ls_unref (self->touched_max);
  ls_unref (self->needed_min);
  ls_unref (self->needed_max);
}

static LsExpr *
div_by (LsExpr *value,
        LsExpr *factor)
{
  return ls_floordiv (ls_ref (value), ls_ref (factor));
}

/* value * factor + factor - 1, simplified */
static LsExpr *
last_of_group (LsAnalyzer *analyzer,
               LsExpr     *value,
               LsExpr     *factor)
{
  g_autoptr(LsExpr) sum = ls_sub (ls_add (ls_mul (ls_ref (value), ls_ref (factor)), ls_ref (factor)), ls_int (1));

  return ls_analyzer_simplify (analyzer, sum);
}

static gboolean
is_finite (LsExpr *end)
{
  return !ls_is_pos_inf (end) && !ls_is_neg_inf (end);
}

static gboolean solve (Solver *self, Equation *equation, LsVar **var, LsIterDomain *found);

/* touched = x // factor */
static gboolean
solve_quotient (Solver       *self,
                Equation     *equation,
                LsVar       **var,
                LsIterDomain *found)
{
  LsBinary *quotient = (LsBinary *) equation->touched_min;
  LsExpr *factor = quotient->b;
  g_autoptr(LsExpr) low = NULL;
  g_autoptr(LsExpr) high = NULL;
  Equation inner;
  gboolean solved;

  if (!ls_analyzer_can_prove_ge_value (self->analyzer, factor, 1) || !is_finite (equation->needed_min) ||
      !is_finite (equation->needed_max))
    return FALSE;
  low = ls_mul (ls_ref (equation->needed_min), ls_ref (factor));
  high = last_of_group (self->analyzer, equation->needed_max, factor);
  if (ls_is_var (quotient->a))
    {
      *var = (LsVar *) quotient->a;
      found->dom = ls_int_set_new_interval (g_steal_pointer (&low), g_steal_pointer (&high));
      found->bound = ls_int_set_new_interval (ls_int (0), last_of_group (self->analyzer, equation->last, factor));
      return TRUE;
    }
  inner = (Equation) { ls_analyzer_simplify (self->analyzer, quotient->a), ls_analyzer_simplify (self->analyzer, quotient->a),
                       ls_analyzer_simplify (self->analyzer, low), ls_analyzer_simplify (self->analyzer, high), equation->last };
  solved = solve (self, &inner, var, found);
  equation_clear (&inner);
  return solved;
}

/* touched = x % factor: says nothing of a plain variable */
static gboolean
solve_remainder (Solver       *self,
                 Equation     *equation,
                 LsVar       **var,
                 LsIterDomain *found)
{
  LsBinary *remainder = (LsBinary *) equation->touched_min;
  Equation inner;
  gboolean solved;

  if (ls_is_var (remainder->a))
    {
      *var = (LsVar *) remainder->a;
      found->dom = ls_int_set_nothing ();
      found->bound = ls_int_set_nothing ();
      return TRUE;
    }
  if (!ls_analyzer_can_prove_ge_value (self->analyzer, remainder->a, 1) ||
      !ls_analyzer_can_prove_ge_value (self->analyzer, remainder->b, 1) ||
      !is_finite (equation->needed_min) || !ls_analyzer_can_prove_ge_value (self->analyzer, equation->needed_min, 0))
    return FALSE;
  inner = (Equation) { ls_analyzer_simplify (self->analyzer, remainder->a), ls_analyzer_simplify (self->analyzer, remainder->a),
                       ls_ref (equation->needed_min), ls_ref (ls_pos_inf ()), equation->last };
  solved = solve (self, &inner, var, found);
  equation_clear (&inner);
  return solved;
}

static gboolean
solve (Solver       *self,
       Equation     *equation,
       LsVar       **var,
       LsIterDomain *found)
{
  LsExpr *touched = equation->touched_min;
  LsBinary *product = (LsBinary *) touched;

  if (ls_is (touched, MUL) && (ls_is_var (product->a) || ls_is_var (product->b)))
    {
      LsExpr *factor = ls_is_var (product->a) ? product->b : product->a;

      if (!is_finite (equation->needed_min) || !is_finite (equation->needed_max))
        return FALSE;
      *var = (LsVar *) (ls_is_var (product->a) ? product->a : product->b);
      found->dom = ls_int_set_new_interval (div_by (equation->needed_min, factor), div_by (equation->needed_max, factor));
      found->bound = ls_int_set_new_interval (ls_int (0), div_by (equation->last, factor));
      return TRUE;
    }
  if (!ls_analyzer_can_prove_equal (self->analyzer, touched, equation->touched_max))
    return FALSE;
  if (ls_is_var (touched))
    {
      *var = (LsVar *) touched;
      found->dom = ls_int_set_new_interval (ls_ref (equation->needed_min), ls_ref (equation->needed_max));
      found->bound = ls_int_set_new_interval (ls_int (0), ls_ref (equation->last));
      return TRUE;
    }
  if (ls_is (touched, FLOOR_DIV))
    return solve_quotient (self, equation, var, found);
  return ls_is (touched, FLOOR_MOD) && solve_remainder (self, equation, var, found);
}

static gboolean
solve_dimension (Solver   *self,
                 LsBuffer *buffer,
                 guint     dimension,
                 LsIntSet *touched,
                 LsIntSet *needed)
{
  g_autoptr(LsExpr) last = last_index (ls_array_at (buffer->shape, dimension, LsExpr));
  Equation equation = { simplified_end (self->analyzer, ls_int_set_min (touched)),
                        simplified_end (self->analyzer, ls_int_set_max (touched)),
                        simplified_end (self->analyzer, ls_int_set_min (needed)),
                        simplified_end (self->analyzer, ls_int_set_max (needed)), last };
  LsIterDomain found = { NULL, NULL };
  LsIterDomain *domain = NULL;
  LsVar *var = NULL;
  gboolean solved = solve (self, &equation, &var, &found);

  if (!solved)
    {
      g_autofree char *low = ls_script_print_expr (equation.touched_min);
      g_autofree char *high = ls_script_print_expr (equation.touched_max);

      if (strcmp (low, high) != 0)
        explain (self, "%s touches %s at %s to %s at once", self->block->name_hint, buffer->name, low, high);
      else
        explain (self, "index %s of %s is no form that can be solved for a variable of %s", low, buffer->name,
                 self->block->name_hint);
    }
  else if ((domain = domain_of (self, var)) != NULL)
    {
      widen (domain, found.dom, found.bound);
    }
  else if (!same_interval (self->analyzer, touched, needed))
    {
      explain (self, "dimension %u of %s does not depend on a variable of %s", dimension, buffer->name, self->block->name_hint);
      solved = FALSE;
    }
  ls_iter_domain_clear (&found);
  equation_clear (&equation);
  return solved;
}

static gboolean
is_constant_point (LsIntSet   *set,
                   LsAnalyzer *analyzer)
{
  return ls_int_set_can_prove_single_point (set, analyzer) && ls_is (ls_int_set_min (set), INT_IMM);
}

static gboolean
cover_by_dimension (Solver     *self,
                    LsBuffer   *buffer,
                    LsNDIntSet *touched,
                    LsNDIntSet *needed)
{
  for (guint i = 0; i < ls_buffer_ndim (buffer); i++)
    {
      LsIntSet *one = touched->pdata[i];
      LsIntSet *all = needed->pdata[i];

      if (!is_constant_point (one, self->analyzer))
        {
          if (!solve_dimension (self, buffer, i, one, all))
            return FALSE;
        }
      else if (!ls_int_set_can_prove_single_point (all, self->analyzer) || !same_interval (self->analyzer, one, all))
        {
          explain (self, "%s touches one place of dimension %u of %s, and more is needed", self->block->name_hint, i,
                   buffer->name);
          return FALSE;
        }
    }
  return TRUE;
}

/* ---- all of it ---------------------------------------------------------------- */

void
ls_coverage_free (LsCoverage *self)
{
  g_ptr_array_unref (self->touched);
  g_ptr_array_unref (self->needed);
  g_free (self);
}

LsCoverage *
ls_coverage_new (LsBuffer *buffer)
{
  LsCoverage *self = g_new0 (LsCoverage, 1);

  self->buffer = buffer;
  self->touched = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  self->needed = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  return self;
}

static gboolean
cover (Solver     *self,
       LsCoverage *coverage)
{
  g_autoptr(LsNDIntSet) touched = NULL;
  g_autoptr(LsNDIntSet) needed = NULL;
  gboolean done;

  if (coverage->needed->len == 0)
    return TRUE;
  touched = ls_nd_int_set_union ((LsNDIntSet **) coverage->touched->pdata, coverage->touched->len);
  needed = ls_nd_int_set_union ((LsNDIntSet **) coverage->needed->pdata, coverage->needed->len);
  if (!cover_at_once (self, coverage->buffer, touched, needed, &done))
    return FALSE;
  return done || cover_by_dimension (self, coverage->buffer, touched, needed);
}

/* Clips by the variable's own domain. */
static gboolean
finish (Solver *self,
        guint   i)
{
  LsIterVar *iter = ls_array_at (self->block->iter_vars, i, LsIterVar);
  LsIterDomain *domain = &self->domains[i];
  g_autoptr(LsIntSet) own = ls_int_set_from_range (iter->dom);

  if (ls_int_set_is_nothing (domain->bound))
    take_set (&domain->bound, ls_int_set_ref (own));
  else
    take_set (&domain->bound, intersected (domain->bound, own));
  settle (domain, self->analyzer);
  if (!ls_int_set_is_nothing (domain->dom))
    return TRUE;
  explain (self, "no values are left for %s of %s", iter->var->name, self->block->name_hint);
  return FALSE;
}

void
ls_iter_domains_free (LsIterDomain *domains,
                      guint         n)
{
  for (guint i = 0; domains != NULL && i < n; i++)
    ls_iter_domain_clear (&domains[i]);
  g_free (domains);
}

LsIterDomain *
ls_cover_domains (LsBlock     *block,
                  GPtrArray   *coverages,
                  LsAnalyzer  *analyzer,
                  char       **reason)
{
  guint n = ls_array_n (block->iter_vars);
  Solver self = { block, analyzer, g_new0 (LsIterDomain, n + 1), NULL };
  gboolean solved = TRUE;

  for (guint i = 0; i < n; i++)
    self.domains[i] = (LsIterDomain) { ls_int_set_nothing (), ls_int_set_nothing () };
  for (guint i = 0; solved && i < coverages->len; i++)
    solved = cover (&self, coverages->pdata[i]);
  for (guint i = 0; solved && i < n; i++)
    solved = finish (&self, i);
  *reason = self.reason;
  if (solved)
    return self.domains;
  ls_iter_domains_free (self.domains, n);
  return NULL;
}
