/* known: what an analyzer is told: values and ranges of variables, and conditions that hold for a while. */
#include "engine/arith/arith-private.h"
#include "engine/arith/data.h"
#include "engine/arith/int-set.h"

#define LONG_VALUE 128          /* nodes: a scalar whose value is longer keeps its name (ls_analyzer_bind_let) */

static gboolean
bind_value (LsSimplifier *self,
            LsVar        *var,
            LsExpr       *value,
            gboolean      allow_override)
{
  LsExpr *before = g_hash_table_lookup (self->values, var);

  if (before != NULL && !allow_override && !ls_deep_equal (before, value))
    return FALSE;
  ls_analyzer_forget (self->analyzer);
  g_hash_table_insert (self->values, ls_ref (var), ls_ref (value));
  return TRUE;
}

static void
forget_range (LsAnalyzer *self,
              LsVar      *var)
{
  LsKnownVar *known = ls_known_vars_find (&self->known, var);

  if (known != NULL)
    ls_take (&known->range, NULL);
}

static LsWalk
count_node (LsNode   *node,
            gpointer  user_data)
{
  return ++*(guint *) user_data > LONG_VALUE ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* Is it longer, written out, than what a name is replaced by? */
static gboolean
is_long (LsExpr *value)
{
  guint n = 0;

  ls_walk (value, count_node, NULL, &n);
  return n > LONG_VALUE;
}

static gboolean
bind_simple (LsSimplifier *self,
             LsVar        *var,
             LsExpr       *simple,
             gboolean      allow_override,
             gboolean      may_stay)
{
  if (!may_stay || !is_long (simple))
    return bind_value (self, var, simple, allow_override);
  if (g_hash_table_contains (self->values, var) && !allow_override)
    return FALSE;
  ls_analyzer_forget (self->analyzer);
  g_hash_table_remove (self->values, var);
  return TRUE;
}

static gboolean
bind (LsAnalyzer *self,
      LsVar      *var,
      LsExpr     *value,
      gboolean    allow_override,
      gboolean    may_stay)
{
  g_autoptr (LsExpr) simple = NULL;

  g_return_val_if_fail (self != NULL && ls_is_var (var) && value != NULL, FALSE);
  ls_analyzer_note_let (self, var, value);
  ls_analyzer_begin_call (self);
  simple = ls_visit (&self->canonical, value);
  ls_take (&simple, ls_analyzer_rewrite_simplify (self, simple));
  if (bind_simple (&self->rewrite, var, simple, allow_override, may_stay))
    {
      bind_simple (&self->canonical, var, simple, TRUE, may_stay);
      forget_range (self, var);
      ls_analyzer_update_bound (self, var, ls_bound_of (self, simple), TRUE);
      ls_analyzer_update_modular (self, var, ls_modular_of (self, simple), TRUE);
      ls_transitive_bind (self->transitive, var, value, NULL, allow_override);
      ls_analyzer_end_call (self);
      return TRUE;
    }
  ls_analyzer_end_call (self);
  return FALSE;
}

gboolean
ls_analyzer_bind (LsAnalyzer *self,
                  LsVar      *var,
                  LsExpr     *value,
                  gboolean    allow_override)
{
  return bind (self, var, value, allow_override, FALSE);
}

gboolean
ls_analyzer_bind_let (LsAnalyzer *self,
                      LsVar      *var,
                      LsExpr     *value,
                      gboolean    allow_override)
{
  return bind (self, var, value, allow_override, TRUE);
}

gboolean
ls_analyzer_bind_range (LsAnalyzer *self,
                        LsVar      *var,
                        LsRange    *range,
                        gboolean    allow_override)
{
  LsRange *before = ls_analyzer_get_range (self, var);
  LsExpr *extent = range->extent;

  ls_analyzer_forget (self);
  g_return_val_if_fail (self != NULL && ls_is_var (var), FALSE);
  if (ls_is_one (extent))
    return ls_analyzer_bind (self, var, range->min, allow_override);
  if (before != NULL && !allow_override &&
      !(ls_deep_equal (before->min, range->min) && ls_deep_equal (before->extent, extent)))
    return FALSE;
  ls_analyzer_begin_call (self);
  ls_bound_bind_range (self, var, range, allow_override);
  ls_transitive_bind (self->transitive, var, range->min, extent, allow_override);
  ls_take (&ls_known_vars_get (&self->known, var)->range, ls_ref (range));
  ls_analyzer_end_call (self);
  return TRUE;
}

void
ls_analyzer_bind_ranges (LsAnalyzer *self,
                         GHashTable *ranges,
                         gboolean    allow_override)
{
  GHashTableIter iter;
  gpointer var, range;

  ls_analyzer_forget (self);
  g_hash_table_iter_init (&iter, ranges);
  while (g_hash_table_iter_next (&iter, &var, &range))
    ls_analyzer_bind_range (self, var, range, allow_override);
}

/* var * scale + offset with scale > 0, in any order of sums and products; FALSE if it is anything else. */
static gboolean
as_scaled_var (LsExpr  *expr,
               int      sign,
               LsVar  **var,
               gint64  *scale,
               gint64  *offset)
{
  gint64 c;

  if (ls_as_int (expr, &c))
    {
      *offset = ls_sat_add (*offset, sign > 0 ? c : ls_sat_neg (c));
      return TRUE;
    }
  if (ls_is (expr, ADD) || ls_is (expr, SUB))
    return as_scaled_var (ls_lhs (expr), sign, var, scale, offset) &&
           as_scaled_var (ls_rhs (expr), ls_is (expr, ADD) ? sign : -sign, var, scale, offset);
  *scale = sign;
  while (ls_is (expr, MUL) && (ls_as_int (ls_rhs (expr), &c) || ls_as_int (ls_lhs (expr), &c)))
    {
      *scale = ls_sat_mul (*scale, c);
      expr = ls_as_int (ls_rhs (expr), &c) ? ls_lhs (expr) : ls_rhs (expr);
    }
  if (*var != NULL || !ls_is_var (expr))
    return FALSE;
  *var = (LsVar *) expr;
  return TRUE;
}

static void
mark_at_least (LsAnalyzer *self,
               LsExpr     *expr,
               gint64      least)
{
  LsVar *var = NULL;
  gint64 scale = 0, offset = 0;

  if (!as_scaled_var (expr, 1, &var, &scale, &offset) || var == NULL || scale <= 0 || !ls_is_index_expr (var))
    return;
  ls_analyzer_update_bound (self, var, (LsConstIntBound) { ls_sat_add (least, ls_sat_neg (offset)), LS_POS_INF }, TRUE);
}

void
ls_analyzer_mark_global_non_neg (LsAnalyzer *self,
                                 LsExpr     *expr)
{
  ls_analyzer_forget (self);
  mark_at_least (self, expr, 0);
}

void
ls_analyzer_mark_global_pos (LsAnalyzer *self,
                             LsExpr     *expr)
{
  ls_analyzer_forget (self);
  mark_at_least (self, expr, 1);
}

const LsRewriteStats *
ls_analyzer_get_rewrite_stats (LsAnalyzer *self)
{
  return &self->stats;
}

void
ls_analyzer_reset_rewrite_stats (LsAnalyzer *self)
{
  self->stats = (LsRewriteStats) { 0 };
}

void
ls_analyzer_leave_var (LsAnalyzer *self,
                       LsVar      *var)
{
  if ((ls_analyzer_get_extensions (self) & LS_REWRITE_TRANSITIVELY_PROVE_INEQUALITIES) == 0)
    return;
  ls_analyzer_forget (self);
  ls_transitive_unbind (self->transitive, var);
}

guint
ls_analyzer_enter_constraint (LsAnalyzer *self,
                              LsExpr     *constraint)
{
  LsScope scope = { self->bound_facts->len, self->modular_undo->len, self->rewrite.literals->len,
                    ls_transitive_get_n_scoped (self->transitive), self->constraints->len };

  ls_analyzer_forget (self);
  ls_analyzer_begin_call (self);
  g_array_append_val (self->scopes, scope);
  self->stats.constraints_entered++;
  g_ptr_array_add (self->constraints, ls_ref (constraint));
  ls_bound_enter (self, constraint);
  ls_modular_enter (self, constraint);
  ls_literal_enter (&self->rewrite, constraint);
  /* s + 2 < x of data says nothing of s */
  if (!ls_may_wrap (self, constraint))
    ls_transitive_enter (self->transitive, constraint);
  ls_analyzer_forget (self);
  ls_analyzer_end_call (self);
  return self->scopes->len;
}

void
ls_analyzer_exit_constraint (LsAnalyzer *self,
                             guint       token)
{
  LsScope scope;

  ls_analyzer_forget (self);
  g_return_if_fail (token > 0 && token <= self->scopes->len);
  scope = g_array_index (self->scopes, LsScope, token - 1);
  ls_transitive_leave (self->transitive, scope.n_knowns);
  g_ptr_array_set_size (self->rewrite.literals, scope.n_literals);
  ls_fact_index_cut (&self->rewrite.literal_index, scope.n_literals);
  for (guint i = self->modular_undo->len; i-- > scope.n_modular_undo;)
    {
      LsModularUndo *undo = &g_array_index (self->modular_undo, LsModularUndo, i);

      ls_analyzer_update_modular (self, undo->var, undo->old, TRUE);
    }
  g_array_set_size (self->modular_undo, scope.n_modular_undo);
  g_array_set_size (self->bound_facts, scope.n_bound_facts);
  ls_fact_index_cut (&self->bound_index, scope.n_bound_facts);
  g_ptr_array_set_size (self->constraints, scope.n_constraints);
  g_array_set_size (self->scopes, token - 1);
}

LsRange *
ls_analyzer_get_range (LsAnalyzer *self,
                       LsVar      *var)
{
  LsKnownVar *known = ls_known_vars_find (&self->known, var);

  return known != NULL ? known->range : NULL;
}

void
ls_analyzer_foreach_range (LsAnalyzer  *self,
                           LsRangeFunc  func,
                           gpointer     user_data)
{
  for (guint i = 0; i < self->known.n; i++)
    if (self->known.items[i].range != NULL)
      func (self->known.items[i].var, self->known.items[i].range, user_data);
}

GPtrArray *
ls_analyzer_get_constraints (LsAnalyzer *self)
{
  return self->constraints;
}
