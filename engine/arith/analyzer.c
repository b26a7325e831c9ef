/* analyzer: holds what is known, and asks the parts in turn.
 *
 * simplify is canonical, rewrite, canonical, ... : the canonical form first, because some structure of sums is lost
 * once rules have rearranged them.  Proofs simplify the condition and look whether it became true.
 * Source of the concept: TVM's arith::Analyzer.
 */
#include "engine/arith/arith-private.h"
#include "engine/arith/data.h"
#include "engine/arith/int-set.h"
#include "engine/base/stack.h"

/* ---- life ---- */

static void
bound_fact_clear (LsBoundFact *fact)
{
  ls_unref (fact->expr);
}

static void
modular_undo_clear (LsModularUndo *undo)
{
  ls_unref (undo->var);
}

static void
simplifier_init (LsSimplifier *self,
                 LsAnalyzer   *analyzer,
                 gboolean      canonical)
{
  self->analyzer = analyzer;
  self->canonical = canonical;
  self->values = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  self->literals = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
}

static void
simplifier_clear (LsSimplifier *self)
{
  g_hash_table_unref (self->values);
  g_ptr_array_unref (self->literals);
  ls_unref (self->stand_in);
}

static void
destroy (LsAnalyzer *self)
{
  ls_known_vars_clear (&self->known);
  g_hash_table_unref (self->modulars);
  g_array_unref (self->bound_facts);
  g_array_unref (self->modular_undo);
  g_ptr_array_unref (self->constraints);
  g_array_unref (self->scopes);
  ls_transitive_free (self->transitive);
  g_clear_pointer (&self->data, g_hash_table_unref);
  g_clear_pointer (&self->names, g_hash_table_unref);
  simplifier_clear (&self->rewrite);
  simplifier_clear (&self->canonical);
  g_free (self);
}

/* Analysers are made for a question or two and dropped; each thread keeps a few, emptied. */
#define MAX_SPARE 4
#define LONG_VALUE 128          /* nodes: a scalar whose value is longer keeps its name (ls_analyzer_bind_let) */

typedef struct {
  guint       n;
  LsAnalyzer *items[MAX_SPARE];
} Spare;

static void
spare_free (gpointer data)
{
  Spare *self = data;

  for (guint i = 0; i < self->n; i++)
    destroy (self->items[i]);
  g_free (self);
}

static GPrivate spare_key = G_PRIVATE_INIT (spare_free);

static Spare *
get_spare (void)
{
  Spare *self = g_private_get (&spare_key);

  if (self == NULL)
    {
      self = g_new0 (Spare, 1);
      g_private_set (&spare_key, self);
    }
  return self;
}

static void
empty_table (GHashTable *table)
{
  if (g_hash_table_size (table) > 0)
    g_hash_table_remove_all (table);
}

static void
simplifier_reset (LsSimplifier *self)
{
  empty_table (self->values);
  g_ptr_array_set_size (self->literals, 0);
  self->extensions = 0;
  self->again = 0;
}

static void
reset (LsAnalyzer *self)
{
  ls_known_vars_reset (&self->known);
  empty_table (self->modulars);
  g_array_set_size (self->bound_facts, 0);
  g_array_set_size (self->modular_undo, 0);
  g_ptr_array_set_size (self->constraints, 0);
  g_array_set_size (self->scopes, 0);
  ls_transitive_reset (self->transitive);
  g_clear_pointer (&self->data, g_hash_table_unref);
  self->data_bits = 0;
  g_clear_pointer (&self->names, g_hash_table_unref);
  simplifier_reset (&self->rewrite);
  simplifier_reset (&self->canonical);
  self->budget = NULL;
  ls_analyzer_forget (self);
  self->calls = 0;
  self->depth = 0;
  self->stack = 0;
  self->steps = 0;
  self->stats = (LsRewriteStats) { 0 };
}

LsAnalyzer *
ls_analyzer_new (void)
{
  Spare *spare = get_spare ();
  LsAnalyzer *self;

  if (spare->n > 0)
    return spare->items[--spare->n];
  self = g_new0 (LsAnalyzer, 1);

  self->modulars = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, g_free);
  self->bound_facts = g_array_new (FALSE, FALSE, sizeof (LsBoundFact));
  g_array_set_clear_func (self->bound_facts, (GDestroyNotify) bound_fact_clear);
  self->modular_undo = g_array_new (FALSE, FALSE, sizeof (LsModularUndo));
  g_array_set_clear_func (self->modular_undo, (GDestroyNotify) modular_undo_clear);
  self->constraints = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->scopes = g_array_new (FALSE, FALSE, sizeof (LsScope));
  self->transitive = ls_transitive_new ();
  simplifier_init (&self->rewrite, self, FALSE);
  simplifier_init (&self->canonical, self, TRUE);
  return self;
}

void
ls_analyzer_free (LsAnalyzer *self)
{
  Spare *spare;

  if (self == NULL)
    return;
  spare = get_spare ();
  if (spare->n == MAX_SPARE)
    {
      destroy (self);
      return;
    }
  reset (self);
  spare->items[spare->n++] = self;
}

static void
copy_data (LsAnalyzer *from,
           LsAnalyzer *to)
{
  GHashTableIter iter;
  gpointer var;

  if (from->data == NULL)
    return;
  to->data = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, NULL);
  to->data_bits = from->data_bits;
  g_hash_table_iter_init (&iter, from->data);
  while (g_hash_table_iter_next (&iter, &var, NULL))
    g_hash_table_add (to->data, ls_node_ref (var));
}

static void
copy_names (LsAnalyzer *from,
            LsAnalyzer *to)
{
  GHashTableIter iter;
  gpointer name, memory;

  if (from->names == NULL)
    return;
  g_hash_table_iter_init (&iter, from->names);
  while (g_hash_table_iter_next (&iter, &name, &memory))
    ls_analyzer_note_name (to, name, memory);
}

static void
copy_nodes (GHashTable *from,
            GHashTable *to)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (to, ls_node_ref (key), ls_node_ref (value));
}

static void
copy_values (GHashTable *from,
             GHashTable *to,
             gsize       size)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, from);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (to, ls_node_ref (key), g_memdup2 (value, size));
}

LsAnalyzer *
ls_analyzer_clone (LsAnalyzer *self)
{
  LsAnalyzer *copy = ls_analyzer_new ();

  ls_known_vars_copy (&self->known, &copy->known);
  copy_values (self->modulars, copy->modulars, sizeof (LsModularSet));
  copy_nodes (self->rewrite.values, copy->rewrite.values);
  copy_nodes (self->canonical.values, copy->canonical.values);
  ls_transitive_free (copy->transitive);
  copy->transitive = ls_transitive_copy (self->transitive);
  copy->rewrite.extensions = self->rewrite.extensions;
  copy->budget = self->budget;
  copy_data (self, copy);
  copy_names (self, copy);
  return copy;
}

/* ---- limits ---- */

static void
call_begin (LsAnalyzer *self)
{
  gsize room;

  if (self->calls++ > 0)
    return;
  room = ls_stack_room ();
  self->steps = LS_ARITH_MAX_STEPS;
  self->stack = (guintptr) __builtin_frame_address (0);
  self->most_stack = room == 0 ? (gsize) LS_ARITH_MAX_STACK : MIN ((gsize) LS_ARITH_MAX_STACK, room / 2);
}

void
ls_analyzer_forget (LsAnalyzer *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->plain); i++)
    g_clear_pointer (&self->plain[i], g_hash_table_unref);
}

static void
call_end (LsAnalyzer *self)
{
  if (--self->calls > 0)
    return;
  ls_analyzer_forget (self);
  self->proves = FALSE;
}

gboolean
ls_visit_enter (LsAnalyzer *self)
{
  guintptr here = (guintptr) __builtin_frame_address (0);

  if (self->depth >= LS_ARITH_MAX_DEPTH || self->steps <= 0 || !ls_budget_take (self->budget, 1))
    return FALSE;
  if (MAX (here, self->stack) - MIN (here, self->stack) > self->most_stack)
    return FALSE;
  self->depth++;
  self->steps--;
  return TRUE;
}

void
ls_visit_leave (LsAnalyzer *self)
{
  self->depth--;
}

void
ls_analyzer_set_budget (LsAnalyzer *self,
                        LsBudget   *budget)
{
  self->budget = budget;
}

guint
ls_analyzer_get_extensions (LsAnalyzer *self)
{
  return self->rewrite.extensions;
}

void
ls_analyzer_set_extensions (LsAnalyzer *self,
                            guint       extensions)
{
  ls_analyzer_forget (self);
  self->rewrite.extensions = extensions;
}

/* ---- what is known ---- */

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
  call_begin (self);
  simple = ls_visit (&self->canonical, value);
  ls_take (&simple, ls_analyzer_rewrite_simplify (self, simple));
  if (bind_simple (&self->rewrite, var, simple, allow_override, may_stay))
    {
      bind_simple (&self->canonical, var, simple, TRUE, may_stay);
      forget_range (self, var);
      ls_analyzer_update_bound (self, var, ls_bound_of (self, simple), TRUE);
      ls_analyzer_update_modular (self, var, ls_modular_of (self, simple), TRUE);
      ls_transitive_bind (self->transitive, var, value, NULL, allow_override);
      call_end (self);
      return TRUE;
    }
  call_end (self);
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
  call_begin (self);
  ls_bound_bind_range (self, var, range, allow_override);
  ls_transitive_bind (self->transitive, var, range->min, extent, allow_override);
  ls_take (&ls_known_vars_get (&self->known, var)->range, ls_ref (range));
  call_end (self);
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

guint
ls_analyzer_enter_constraint (LsAnalyzer *self,
                              LsExpr     *constraint)
{
  LsScope scope = { self->bound_facts->len, self->modular_undo->len, self->rewrite.literals->len,
                    ls_transitive_get_n_scoped (self->transitive), self->constraints->len };

  ls_analyzer_forget (self);
  call_begin (self);
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
  call_end (self);
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
  for (guint i = self->modular_undo->len; i-- > scope.n_modular_undo;)
    {
      LsModularUndo *undo = &g_array_index (self->modular_undo, LsModularUndo, i);

      ls_analyzer_update_modular (self, undo->var, undo->old, TRUE);
    }
  g_array_set_size (self->modular_undo, scope.n_modular_undo);
  g_array_set_size (self->bound_facts, scope.n_bound_facts);
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

/* ---- what follows ---- */

LsConstIntBound
ls_analyzer_const_int_bound (LsAnalyzer *self,
                             LsExpr     *expr)
{
  LsConstIntBound result;

  call_begin (self);
  result = ls_bound_of (self, expr);
  call_end (self);
  return result;
}

LsModularSet
ls_analyzer_modular_set (LsAnalyzer *self,
                         LsExpr     *expr)
{
  LsModularSet result;

  call_begin (self);
  result = ls_modular_of (self, expr);
  call_end (self);
  return result;
}

LsCompare
ls_analyzer_try_compare (LsAnalyzer *self,
                         LsExpr     *a,
                         LsExpr     *b,
                         gboolean    propagate)
{
  return ls_transitive_compare (self->transitive, a, b, propagate);
}

/* A number, or a variable of which no value is known: nothing that any visit would change. */
static gboolean
is_simple (LsAnalyzer *self,
           LsExpr     *expr)
{
  if (ls_is_imm (expr))
    return TRUE;
  return ls_is_var (expr) && !ls_dtype_is_bool (ls_dtype (expr)) &&
         (g_hash_table_size (self->rewrite.values) == 0 || !g_hash_table_contains (self->rewrite.values, expr));
}

static LsExpr *
rewrite_twice (LsAnalyzer *self,
               LsExpr     *expr)
{
  LsExpr *once = ls_visit (&self->rewrite, expr), *twice;

  if (once == expr)
    return once;
  twice = ls_visit (&self->rewrite, once);
  ls_unref (once);
  return twice;
}

/* What is given back to the caller: where its sums may leave their type and those of the expression do not, rules that make such
 * are left out, and if that is not enough all of them. (takes result) */
static LsExpr *
end_in_type (LsAnalyzer *self,
             LsExpr     *expr,
             LsExpr     *result)
{
  if (self->calls > 1 || result == expr || ls_excess (self, result) == 0 || ls_excess (self, expr) > 0)
    return result;
  self->rewrite.careful = TRUE;
  ls_take (&result, rewrite_twice (self, expr));
  self->rewrite.careful = FALSE;
  if (ls_excess (self, result) > 0)
    ls_take (&result, ls_ref (expr));
  return result;
}

LsExpr *
ls_analyzer_rewrite_simplify (LsAnalyzer *self,
                              LsExpr     *expr)
{
  LsExpr *result;

  if (is_simple (self, expr))
    return ls_ref (expr);
  call_begin (self);
  result = end_in_type (self, expr, rewrite_twice (self, expr));
  call_end (self);
  return result;
}

LsExpr *
ls_analyzer_canonical_simplify (LsAnalyzer *self,
                                LsExpr     *expr)
{
  LsExpr *result;

  if (is_simple (self, expr))
    return ls_ref (expr);
  call_begin (self);
  result = end_in_type (self, expr, ls_visit (&self->canonical, expr));
  call_end (self);
  return result;
}

LsExpr *
ls_analyzer_simplify_steps (LsAnalyzer *self,
                            LsExpr     *expr,
                            guint       steps)
{
  LsExpr *result, *next;
  gboolean settled;

  g_return_val_if_fail (self != NULL && expr != NULL, NULL);
  if (is_simple (self, expr))
    return ls_ref (expr);
  result = ls_affine_simplify (self, expr);
  if (result != NULL)
    return result;
  call_begin (self);
  result = ls_analyzer_canonical_simplify (self, expr);
  settled = ls_deep_equal (expr, result);
  for (guint i = 0; i < steps && !ls_is_imm (result); i++)
    {
      next = i % 2 == 0 ? ls_analyzer_rewrite_simplify (self, result) : ls_analyzer_canonical_simplify (self, result);
      settled = settled && ls_deep_equal (result, next);
      ls_take (&result, next);
      if (settled)
        break;
    }
  result = end_in_type (self, expr, result);
  call_end (self);
  return result;
}

LsExpr *
ls_analyzer_simplify (LsAnalyzer *self,
                      LsExpr     *expr)
{
  return ls_analyzer_simplify_steps (self, expr, 2);
}

LsExpr *
ls_analyzer_simplify_with (LsAnalyzer *self,
                           LsExpr     *expr,
                           GHashTable *map)
{
  g_autoptr (LsExpr) replaced = LS_EXPR (ls_substitute (expr, map));

  return ls_analyzer_simplify (self, replaced);
}

gboolean
ls_analyzer_can_prove_ge_value (LsAnalyzer *self,
                                LsExpr     *expr,
                                gint64      bound)
{
  g_autoptr (LsExpr) simple = NULL;

  if (ls_is_imm (expr))
    return ls_imm (expr) >= bound;
  simple = ls_analyzer_rewrite_simplify (self, expr);
  return ls_analyzer_const_int_bound (self, simple).min >= bound;
}

gboolean
ls_analyzer_can_prove_lt_value (LsAnalyzer *self,
                                LsExpr     *expr,
                                gint64      bound)
{
  g_autoptr (LsExpr) simple = NULL;

  if (ls_is_imm (expr))
    return ls_imm (expr) < bound;
  simple = ls_analyzer_rewrite_simplify (self, expr);
  return ls_analyzer_const_int_bound (self, simple).max < bound;
}

/* a < b as b - a >= 1, and so on.  FALSE: no inequality of indices (differences of other types wrap). */
static gboolean
positive_difference (LsExpr  *condition,
                     LsExpr **difference,
                     gint64  *least)
{
  LsKind kind = ls_kind (condition);
  gboolean less = kind == LS_KIND_LT || kind == LS_KIND_LE;

  if ((!less && kind != LS_KIND_GT && kind != LS_KIND_GE) || !ls_is_index_expr (ls_lhs (condition)))
    return FALSE;
  *least = kind == LS_KIND_LT || kind == LS_KIND_GT ? 1 : 0;
  *difference = less ? ls_sub (ls_ref (ls_rhs (condition)), ls_ref (ls_lhs (condition)))
                     : ls_sub (ls_ref (ls_lhs (condition)), ls_ref (ls_rhs (condition)));
  return TRUE;
}

static gboolean
prove_by_symbolic_bound (LsAnalyzer *self,
                         LsExpr     *condition)
{
  g_autoptr (LsExpr) difference = NULL;
  g_autoptr (LsExpr) min = NULL;
  g_autoptr (LsExpr) max = NULL;
  gint64 least;

  if (!positive_difference (condition, &difference, &least) || ls_may_wrap (self, difference))
    return FALSE;
  ls_take (&difference, ls_analyzer_simplify (self, difference));
  ls_int_set_symbolic_bound (self, difference, &min, &max);
  /* the end of a branch that is not taken may leave the type, and wrap when it is simplified */
  if (min == NULL || ls_excess (self, min) > 0)
    return FALSE;
  ls_take (&min, ls_analyzer_simplify (self, min));
  return ls_analyzer_const_int_bound (self, min).min >= least;
}

gboolean
ls_analyzer_can_prove_strength (LsAnalyzer      *self,
                                LsExpr          *condition,
                                LsProofStrength  strength)
{
  g_autoptr (LsExpr) simple = NULL;
  gboolean proved;

  g_return_val_if_fail (self != NULL && condition != NULL, FALSE);
  if (ls_is_imm (condition))
    return ls_imm (condition) != 0;
  self->proves |= self->calls == 0;
  call_begin (self);
  proved = ls_affine_holds (self, condition);
  if (proved || ls_refutes (self, condition))
    {
      call_end (self);
      return proved;
    }
  simple = ls_analyzer_simplify (self, condition);
  proved = ls_is_imm (simple) && ls_imm (simple) != 0;
  if (!proved && strength >= LS_PROOF_SYMBOLIC_BOUND)
    proved = prove_by_symbolic_bound (self, condition);
  if (!proved)
    proved = ls_prove_by_vscale (self, simple);
  call_end (self);
  return proved;
}

gboolean
ls_analyzer_can_prove (LsAnalyzer *self,
                       LsExpr     *condition)
{
  return ls_analyzer_can_prove_strength (self, condition, LS_PROOF_DEFAULT);
}

gboolean
ls_analyzer_can_prove_equal (LsAnalyzer *self,
                             LsExpr     *a,
                             LsExpr     *b)
{
  g_autoptr (LsExpr) difference = NULL;
  g_autoptr (LsExpr) equal = NULL;

  if (ls_is_imm (a) && ls_is_imm (b))
    return ls_imm (a) == ls_imm (b);
  if (a == b)
    return TRUE;
  if (ls_dtype (a).code == LS_TYPE_HANDLE || ls_dtype (b).code == LS_TYPE_HANDLE)
    return FALSE;
  difference = ls_sub (ls_ref (a), ls_ref (b));
  equal = ls_eq (ls_ref (difference), ls_const_int (ls_dtype (difference), 0));
  return ls_analyzer_can_prove (self, equal);
}

gboolean
ls_analyzer_can_prove_compare (LsAnalyzer *self,
                               LsKind      kind,
                               LsExpr     *a,
                               LsExpr     *b)
{
  g_autoptr (LsExpr) condition = ls_binary (kind, ls_ref (a), ls_ref (b));

  return ls_analyzer_can_prove (self, condition);
}
