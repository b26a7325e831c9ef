/* remove-unused: bindings that nothing needs are dropped (TVM's RemoveAllUnused).
 *
 * What a variable needs: the variables of its value, and the match_cast that brings a symbolic variable of its value or
 * its struct info.  Needed are the results, and what is bound to a call with effects, with all that they need.  The
 * result of a branch or local function is needed by the variable that it is bound to.  One walk, one search.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"

typedef struct {
  LsBlockBuilder *builder;
  GHashTable     *needs;        /* variable (NULL key: the result) -> GPtrArray of variables */
  GHashTable     *bringers;     /* symbolic variable -> variable of the match_cast */
  GPtrArray      *roots;        /* of variables */
  GHashTable     *alive;
} Usage;

static void collect (Usage *self, LsNode *node, LsRelaxVar *user);

static void
add_need (Usage      *self,
          LsRelaxVar *user,
          gpointer    var)
{
  GPtrArray *list;

  if (user == NULL)
    {
      g_ptr_array_add (self->roots, var);
      return;
    }
  list = g_hash_table_lookup (self->needs, user);
  if (list == NULL)
    {
      list = g_ptr_array_new ();
      g_hash_table_insert (self->needs, user, list);
    }
  g_ptr_array_add (list, var);
}

/* Pure as far as types go, yet told for what it does. */
static gboolean
works_on_memory (LsNode *value)
{
  return ls_is_relax_call (value, "relax.vm.call_tir_dyn") || ls_is_relax_call (value, "relax.memory.kill_tensor")
         || ls_is_relax_call (value, "relax.memory.kill_storage") || ls_is_relax_call (value, "relax.vm.kill_object");
}

/* A match_cast that is there to check only: LegalizeOps and building make such (ls_legalize_claim, pass/check-operands.c). */
static gboolean
claims_extents (LsNode *binding)
{
  if (!ls_is (binding, MATCH_CAST))
    return FALSE;
  return ls_binding_var (binding) != NULL && g_str_has_prefix (ls_binding_var (binding)->name, LS_CLAIM_NAME);
}

static void
collect_binding (Usage  *self,
                 LsNode *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);
  LsNode *value = ls_binding_value (binding);

  if (ls_is (binding, MATCH_CAST))
    {
      g_autoptr (GPtrArray) symbols = ls_relax_definable_symbols (((LsMatchCast *) binding)->struct_info);

      for (guint i = 0; i < symbols->len && var != NULL; i++)
        if (!g_hash_table_contains (self->bringers, symbols->pdata[i]))
          g_hash_table_insert (self->bringers, symbols->pdata[i], var);
    }
  collect (self, value, var);
  if (var != NULL && claims_extents (binding))
    g_ptr_array_add (self->roots, var);
  if (var != NULL)
    collect (self, var->struct_info, var);
  if (var != NULL && (ls_relax_is_impure (value, self->builder) || works_on_memory (value)))
    g_ptr_array_add (self->roots, var);
}

static void
collect (Usage      *self,
         LsNode     *node,
         LsRelaxVar *user)
{
  LsRelaxVar *bringer;
  guint n;

  if (node == NULL)
    return;
  if (ls_is_relax_var (node))
    {
      add_need (self, user, node);
      return;
    }
  if (ls_is_var (node))
    {
      bringer = g_hash_table_lookup (self->bringers, node);
      if (bringer != NULL && bringer != user)
        add_need (self, user, bringer);
      return;
    }
  if (ls_is (node, VAR_BINDING) || ls_is (node, MATCH_CAST))
    {
      collect_binding (self, node);
      return;
    }
  if (node->klass->flags & LS_CLASS_IDENTITY)
    return;
  if (ls_is_expr (node) && !(node->facts & LS_FACT_HAS_VAR))
    return;
  n = ls_node_get_n_children (node);
  for (guint i = 0; i < n; i++)
    collect (self, ls_node_get_child (node, i), user);
}

/* The parameters' symbols come from nowhere else. */
static void
note_params (Usage  *self,
             LsNode *expr)
{
  LsFunction *func = (LsFunction *) expr;

  for (guint i = 0; ls_is (expr, FUNCTION) && i < func->params->n; i++)
    {
      g_autoptr (GPtrArray) symbols = ls_relax_definable_symbols (ls_array_at (func->params, i, LsRelaxVar)->struct_info);

      for (guint k = 0; k < symbols->len; k++)
        g_hash_table_insert (self->bringers, symbols->pdata[k], NULL);
    }
}

static void
find_alive (Usage *self)
{
  while (self->roots->len > 0)
    {
      gpointer var = g_ptr_array_steal_index_fast (self->roots, self->roots->len - 1);
      GPtrArray *needs;

      if (!g_hash_table_add (self->alive, var))
        continue;
      needs = g_hash_table_lookup (self->needs, var);
      for (guint i = 0; needs != NULL && i < needs->len; i++)
        g_ptr_array_add (self->roots, needs->pdata[i]);
    }
}

static void
keep_if_alive (LsRelaxMutator *mutator,
               LsNode         *binding)
{
  Usage *self = mutator->user_data;
  LsRelaxVar *var = ls_binding_var (binding);

  if (var == NULL || g_hash_table_contains (self->alive, var))
    ls_relax_mutator_default_binding (mutator, binding);
}

LsNode *
ls_relax_remove_all_unused (LsNode         *expr,
                            LsBlockBuilder *builder)
{
  static const LsRelaxMutatorFuncs funcs = { .binding = keep_if_alive };
  Usage self = { .builder = builder };
  g_auto (LsRelaxMutator) mutator = { NULL };
  LsNode *result;

  self.needs = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  self.bringers = g_hash_table_new (NULL, NULL);
  self.roots = g_ptr_array_new ();
  self.alive = g_hash_table_new (NULL, NULL);
  note_params (&self, expr);
  if (ls_is (expr, FUNCTION))
    {
      collect (&self, ((LsFunction *) expr)->body, NULL);
      collect (&self, ((LsFunction *) expr)->ret_struct_info, NULL);
    }
  else
    collect (&self, expr, NULL);
  find_alive (&self);
  ls_relax_mutator_init (&mutator, &funcs, NULL, &self);
  result = ls_relax_mutator_visit (&mutator, expr);
  g_hash_table_unref (self.needs);
  g_hash_table_unref (self.bringers);
  g_ptr_array_unref (self.roots);
  g_hash_table_unref (self.alive);
  return result;
}
