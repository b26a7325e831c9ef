/* condition-scope: the domains of variables inside `if` and `T.if_then_else`.
 *
 * Takes the simple comparisons out of a conjunction (sums, products, floor division and
 * modulo of integer variables), solves them to ranges and intersects these with what was
 * known.  A condition that ranges cannot say in full narrows nothing.  Source of the
 * rules: TVM v0.20's ConditionalBoundsContext.
 */
#include "engine/tir/regions-private.h"

typedef struct {
  LsVar    *var;
  LsIntSet *set;                /* NULL: there was none */
  gboolean  is_hint;
} Saved;

static void
saved_free (Saved *self)
{
  ls_int_set_unref (self->set);
  g_free (self);
}

void
ls_condition_scope_init (LsConditionScope *self)
{
  self->dom = ls_dom_map_new ();
  self->hints = ls_dom_map_new ();
  self->saved = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
}

void
ls_condition_scope_clear (LsConditionScope *self)
{
  g_ptr_array_unref (self->saved);
  ls_dom_map_free (self->hints);
  ls_dom_map_free (self->dom);
}

/* ---- comparisons ---------------------------------------------------------- */

typedef struct {
  GPtrArray *vars;              /* of the comparison at hand */
  LsNode    *comparison;
  gboolean   simple;
} Look;

static LsWalk
look_at (LsNode  *node,
         gpointer data)
{
  Look *self = data;

  if (node == self->comparison)
    return LS_WALK_CONTINUE;
  if (ls_is_var (node))
    {
      LsDType t = ls_dtype (node);

      if (ls_dtype_is_int (t) || ls_dtype_is_uint (t))
        g_ptr_array_add (self->vars, node);
      return LS_WALK_PRUNE;
    }
  if (!ls_is (node, ADD) && !ls_is (node, SUB) && !ls_is (node, MUL) && !ls_is (node, FLOOR_DIV) &&
      !ls_is (node, FLOOR_MOD) && !ls_is (node, INT_IMM))
    self->simple = FALSE;
  return self->simple ? LS_WALK_CONTINUE : LS_WALK_STOP;
}

static void
take_comparisons (LsExpr    *e,
                  GPtrArray *vars,
                  GPtrArray *comparisons)
{
  g_autoptr (GPtrArray) here = NULL;
  Look look;

  if (ls_is (e, AND))
    {
      take_comparisons (((LsBinary *) e)->a, vars, comparisons);
      take_comparisons (((LsBinary *) e)->b, vars, comparisons);
      return;
    }
  if (ls_is_call (e, "tir.likely") && ls_array_n (((LsCall *) e)->args) > 0)
    {
      take_comparisons (ls_array_at (((LsCall *) e)->args, 0, LsExpr), vars, comparisons);
      return;
    }
  if (!ls_kind_is_compare (ls_kind (e)))
    return;
  here = g_ptr_array_new ();
  look = (Look) { here, LS_NODE (e), TRUE };
  ls_walk (e, look_at, NULL, &look);
  if (!look.simple || here->len == 0)
    return;
  for (guint i = 0; i < here->len; i++)
    if (!g_ptr_array_find (vars, here->pdata[i], NULL))
      g_ptr_array_add (vars, here->pdata[i]);
  g_ptr_array_add (comparisons, e);
}

/* ---- solving -------------------------------------------------------------- */

static void
add_known_range (LsConditionScope *self,
                 LsVar            *var,
                 LsAnalyzer       *analyzer,
                 LsDomMap         *ranges)
{
  LsIntSet *set = ls_dom_map_get_set (self->dom, var);
  g_autoptr (LsExpr) extent = NULL;
  g_autoptr (LsRange) range = NULL;

  if (set == NULL)
    set = ls_dom_map_get_set (self->hints, var);
  if (set == NULL || !ls_int_set_has_lower_bound (set) || !ls_int_set_has_upper_bound (set))
    return;
  extent = ls_add (ls_sub (ls_ref (set->max_value), ls_ref (set->min_value)), ls_int (1));
  range = ls_range_new (ls_ref (set->min_value), ls_analyzer_simplify (analyzer, extent));
  ls_dom_map_set_range (ranges, var, range);
}

static LsDomMap *
solve (LsConditionScope *self,
       LsExpr           *condition)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsExpr) simple = ls_analyzer_simplify (analyzer, condition);
  g_autoptr (GPtrArray) vars = g_ptr_array_new ();
  g_autoptr (GPtrArray) comparisons = g_ptr_array_new ();
  g_autoptr (LsDomMap) ranges = ls_dom_map_new ();

  take_comparisons (simple, vars, comparisons);
  if (comparisons->len == 0)
    return NULL;
  for (guint i = 0; i < vars->len; i++)
    add_known_range (self, vars->pdata[i], analyzer, ranges);
  return ls_solve_inequalities (vars, ranges, comparisons);
}

static void
narrow (LsConditionScope *self,
        GPtrArray        *changed,
        LsVar            *var,
        LsIntSet         *fresh)
{
  LsDomMap *map = ls_dom_map_contains (self->dom, var) ? self->dom : self->hints;
  LsIntSet *old = ls_dom_map_get_set (map, var);
  LsIntSet *both[2] = { old, fresh };
  g_autoptr (LsIntSet) set = old != NULL ? ls_int_set_intersect (both, 2) : ls_int_set_ref (fresh);
  Saved *saved = g_new0 (Saved, 1);

  saved->var = var;
  saved->set = ls_int_set_ref (old);
  saved->is_hint = map == self->hints;
  g_ptr_array_add (changed, saved);
  ls_dom_map_set_set (map, var, set);
}

gboolean
ls_condition_scope_enter (LsConditionScope *self,
                          LsExpr           *condition)
{
  g_autoptr (LsDomMap) solved = solve (self, condition);
  GPtrArray *changed = g_ptr_array_new_with_free_func ((GDestroyNotify) saved_free);

  for (guint i = 0; i < ls_dom_map_get_n (solved); i++)
    {
      LsVar *var = ls_dom_map_get_var (solved, i);

      narrow (self, changed, var, ls_dom_map_get_set (solved, var));
    }
  g_ptr_array_add (self->saved, changed);
  return changed->len > 0;
}

void
ls_condition_scope_leave (LsConditionScope *self)
{
  GPtrArray *changed = self->saved->pdata[self->saved->len - 1];

  for (guint i = changed->len; i-- > 0;)
    {
      Saved *saved = changed->pdata[i];
      LsDomMap *map = saved->is_hint ? self->hints : self->dom;

      if (saved->set != NULL)
        ls_dom_map_set_set (map, saved->var, saved->set);
      else
        ls_dom_map_remove (map, saved->var);
    }
  g_ptr_array_set_size (self->saved, self->saved->len - 1);
}
