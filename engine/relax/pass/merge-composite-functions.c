/* MergeCompositeFunctions: calls of composite functions for the same compiler that depend on each other become one
 * function for it, with Codegen and global_symbol, which defines the composite ones inside.
 *
 * Going through main, a call joins the groups of its arguments that are for its compiler, unless another argument depends
 * on such a group: then the function would need its own result.  What nothing calls afterwards is dropped.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/group.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/rename.h"

#include <string.h>

/* ---- groups --------------------------------------------------------------------------- */

typedef struct {
  LsModule   *module;
  LsGrouping *grouping;
  GHashTable *needs;            /* LsVarGroup, a root -> GPtrArray of groups that it reads */
  GError     *error;
} Merging;

/* "dnnl" for the call of a composite function; NULL for others. (transfer full) */
static char *
compiler_of_call (Merging *self,
                  LsNode  *value)
{
  LsNode *callee = ls_is (value, RELAX_CALL) ? ((LsRelaxCall *) value)->op : NULL;
  LsNode *func = ls_is (callee, GLOBAL_VAR) ? ls_module_get (self->module, ((LsGlobalVar *) callee)->name_hint) : NULL;
  LsNode *composite = func != NULL ? ls_map_get (ls_function_attrs (func), "Composite") : NULL;

  return ls_is (composite, STRING) && self->error == NULL ? ls_codegen_name (((LsString *) composite)->value, &self->error) : NULL;
}

static const char *
compiler_of_group (LsVarGroup *group)
{
  LsNode *name = ls_map_get (group->attrs, "Codegen");

  return ls_is (name, STRING) ? ((LsString *) name)->value : NULL;
}

/* The groups that a root read when its calls were visited: some are parts of others by now. (transfer none) */
static GPtrArray *
needs_of (Merging    *self,
          LsVarGroup *root)
{
  GPtrArray *list = g_hash_table_lookup (self->needs, root);

  if (list == NULL)
    {
      list = g_ptr_array_new ();
      g_hash_table_insert (self->needs, root, list);
    }
  return list;
}

static void
unite (Merging    *self,
       LsVarGroup *from,
       LsVarGroup *into)
{
  LsVarGroup *a = ls_var_group_root (from), *b = ls_var_group_root (into);

  if (a == b)
    return;
  a->parent = b;
  b->n += a->n;
  g_ptr_array_extend (needs_of (self, b), needs_of (self, a), NULL, NULL);
  g_hash_table_remove (self->needs, a);
}

static LsVarGroup *
group_of_arg (Merging *self,
              LsNode  *arg)
{
  return ls_is_relax_var (arg) ? ls_grouping_get (self->grouping, (LsRelaxVar *) arg) : NULL;
}

static gboolean
is_for (LsVarGroup *group,
        const char *compiler)
{
  const char *own = group != NULL ? compiler_of_group (group) : NULL;

  return own != NULL && strcmp (own, compiler) == 0;
}

/* What the groups of the arguments need, directly or through others; nothing where the call has no two groups to choose from. (transfer container) */
static GHashTable *
behind_of (Merging     *self,
           LsRelaxCall *call,
           const char  *compiler)
{
  GHashTable *behind = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) queue = g_ptr_array_new ();
  LsVarGroup *only = NULL;
  gboolean several = FALSE, wanted = FALSE;

  for (guint i = 0; i < call->args->n; i++)
    {
      LsVarGroup *group = group_of_arg (self, call->args->items[i]), *root = group != NULL ? ls_var_group_root (group) : NULL;

      if (root == NULL)
        continue;
      several |= only != NULL && only != root;
      only = root;
      wanted |= is_for (group, compiler);
      g_ptr_array_add (queue, root);
    }
  for (guint i = 0; several && wanted && i < queue->len; i++)
    {
      GPtrArray *needs = g_hash_table_lookup (self->needs, queue->pdata[i]);

      for (guint k = 0; needs != NULL && k < needs->len; k++)
        if (g_hash_table_add (behind, ls_var_group_root (needs->pdata[k])))
          g_ptr_array_add (queue, ls_var_group_root (needs->pdata[k]));
    }
  return behind;
}

/* Of the arguments' groups those that the call may join. (transfer container) */
static GPtrArray *
joinable (Merging     *self,
          LsRelaxCall *call,
          const char  *compiler)
{
  g_autoptr (GHashTable) behind = behind_of (self, call, compiler);
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < call->args->n; i++)
    {
      LsVarGroup *group = group_of_arg (self, call->args->items[i]);

      if (is_for (group, compiler) && !g_hash_table_contains (behind, ls_var_group_root (group)))
        g_ptr_array_add (out, group);
    }
  return out;
}

static void
note_needs (Merging     *self,
            LsVarGroup  *group,
            LsRelaxCall *call)
{
  LsVarGroup *root = ls_var_group_root (group);

  for (guint i = 0; i < call->args->n; i++)
    {
      LsVarGroup *arg = group_of_arg (self, call->args->items[i]);

      if (arg != NULL && ls_var_group_root (arg) != root)
        g_ptr_array_add (needs_of (self, root), ls_var_group_root (arg));
    }
}

static void
visit_call (Merging     *self,
            LsRelaxVar  *var,
            LsRelaxCall *call)
{
  g_autofree char *compiler = compiler_of_call (self, LS_NODE (call));
  g_autoptr (GPtrArray) groups = compiler != NULL ? joinable (self, call, compiler) : g_ptr_array_new ();
  LsVarGroup *group = groups->len > 0 ? groups->pdata[0] : ls_grouping_get (self->grouping, var);

  if (groups->len > 0)
    {
      ls_grouping_put (self->grouping, var, group);
      ls_var_group_root (group)->n++;
    }
  else if (compiler != NULL)
    {
      g_autoptr (LsNode) name = LS_NODE (ls_string_new (compiler));

      ls_var_group_set (group, "Codegen", name);
    }
  for (guint i = 1; i < groups->len; i++)
    unite (self, groups->pdata[i], group);
  note_needs (self, group, call);
}

/* Another name of a value that a compiler computes is given there. */
static void
visit_name (Merging    *self,
            LsRelaxVar *var,
            LsRelaxVar *value)
{
  LsVarGroup *group = ls_grouping_has (self->grouping, value) ? ls_grouping_get (self->grouping, value) : NULL;

  if (group != NULL && compiler_of_group (group) != NULL)
    ls_grouping_put (self->grouping, var, group);
}

static void
visit_function (Merging    *self,
                LsFunction *func)
{
  LsSeqExpr *body = (LsSeqExpr *) func->body;

  for (guint i = 0; ls_is (body, SEQ_EXPR) && i < body->blocks->n; i++)
    {
      LsArray *bindings = ls_array_at (body->blocks, i, LsBindingBlock)->bindings;

      for (guint k = 0; k < bindings->n; k++)
        {
          LsRelaxVar *var = ls_binding_var (bindings->items[k]);
          LsNode *value = ls_binding_value (bindings->items[k]);

          if (var != NULL && ls_is (value, RELAX_CALL))
            visit_call (self, var, (LsRelaxCall *) value);
          else if (var != NULL && ls_is_relax_var (value))
            visit_name (self, var, (LsRelaxVar *) value);
        }
    }
}

/* ---- functions for the compiler ------------------------------------------------------------ */

typedef struct {
  LsModule      *module;        /* where the composite functions are */
  LsRelaxMutator inliner;       /* one for all functions: its names go on */
  GHashTable    *made;          /* LsGlobalVar -> LsGlobalVar */
  GHashTable    *defined;       /* composite function -> the variable that it is inside of the function that is made */
} Annotator;

static LsFunction *
without_primitive (LsFunction *func)
{
  LsMap *attrs = ls_map_empty ();

  for (guint i = 0; i < func->attrs->n; i++)
    if (strcmp (func->attrs->keys[i], "Primitive") != 0)
      ls_take (&attrs, ls_map_set (attrs, func->attrs->keys[i], func->attrs->values[i]));
  return (LsFunction *) ls_function_with_attrs (LS_NODE (func), attrs);
}

/* A call of a composite function: the function is defined before, once for all its calls. */
static LsNode *
inline_composite (LsRelaxMutator *mutator,
                  LsRelaxCall    *call)
{
  Annotator *self = mutator->user_data;
  LsNode *func = ls_is (call->op, GLOBAL_VAR) ? ls_module_get (self->module, ((LsGlobalVar *) call->op)->name_hint) : NULL;
  g_autoptr (LsFunction) copy = NULL, plain = NULL;
  g_autoptr (LsNode) visited = ls_relax_mutator_default (mutator, call);
  LsRelaxVar *local;

  if (!ls_is (func, FUNCTION) || ls_map_get (((LsFunction *) func)->attrs, "Composite") == NULL)
    return g_steal_pointer (&visited);
  local = g_hash_table_lookup (self->defined, func);
  if (local == NULL)
    {
      copy = ls_relax_copy_function ((LsFunction *) func);
      plain = without_primitive (copy);
      local = ls_block_builder_emit (mutator->builder, plain, NULL);
      g_hash_table_insert (self->defined, func, ls_ref (local));
    }
  return ls_relax_call_new (LS_NODE (ls_ref (local)), ls_ref (((LsRelaxCall *) visited)->args), NULL, NULL, NULL);
}

static LsGlobalVar *
annotated (LsRelaxMutator *mutator,
           LsGlobalVar    *var)
{
  Annotator *self = mutator->user_data;
  LsGlobalVar *known = g_hash_table_lookup (self->made, var);
  LsNode *func = known == NULL ? ls_block_builder_lookup_func (mutator->builder, var) : NULL;
  LsNode *compiler = ls_is (func, FUNCTION) ? ls_map_get (((LsFunction *) func)->attrs, "Codegen") : NULL;
  g_autofree char *name = NULL;
  g_autoptr (LsNode) plain = NULL, inlined = NULL, symbol = NULL, fresh = NULL;
  g_autoptr (LsFunction) bare = NULL;

  if (known != NULL || !ls_is (compiler, STRING))
    return known;
  name = g_strdup_printf ("%s_%s", var->name_hint, ((LsString *) compiler)->value);
  plain = ls_relax_to_non_dataflow (func);
  g_hash_table_remove_all (self->defined);
  inlined = ls_relax_mutator_visit (&self->inliner, plain);
  bare = without_primitive ((LsFunction *) inlined);
  symbol = LS_NODE (ls_string_new (name));
  fresh = ls_function_with_attrs (LS_NODE (bare), ls_map_set (bare->attrs, "global_symbol", symbol));
  ls_block_builder_remove_func (mutator->builder, var);
  known = ls_block_builder_add_func (mutator->builder, fresh, name);
  g_hash_table_insert (self->made, var, known);
  return known;
}

static LsNode *
call_annotated (LsRelaxMutator *mutator,
                LsRelaxCall    *call)
{
  LsGlobalVar *callee = ls_is (call->op, GLOBAL_VAR) ? annotated (mutator, (LsGlobalVar *) call->op) : NULL;

  if (callee == NULL)
    return ls_relax_mutator_default (mutator, call);
  return ls_relax_call_new (LS_NODE (ls_ref (callee)), ls_ref (call->args), NULL, NULL, NULL);
}

/* Functions with Codegen that main calls define what they need and get their names. */
static LsModule *
annotate (LsModule *module,
          LsModule *composites,
          GError  **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = call_annotated }, inliner_funcs = { .call = inline_composite };
  g_autoptr (GHashTable) made = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) defined = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Annotator self = { .module = composites, .made = made, .defined = defined };
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (LsNode) fresh = NULL;

  ls_relax_mutator_init (&mutator, &funcs, module, &self);
  ls_relax_mutator_init (&self.inliner, &inliner_funcs, NULL, &self);
  fresh = ls_relax_mutator_visit (&mutator, ls_module_get (module, "main"));
  ls_block_builder_update_func (mutator.builder, ls_module_get_global_var (module, "main"), fresh);
  ls_relax_mutator_clear (&self.inliner);
  return ls_relax_mutator_finish (&mutator, error);
}

/* ---- the pass ---------------------------------------------------------------------------------- */

LsModule *
ls_relax_pass_merge_composite_functions (LsModule  *module,
                                         LsMap     *args,
                                         GError   **error)
{
  g_autoptr (LsGrouping) grouping = ls_grouping_new ();
  g_autoptr (GHashTable) needs = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  Merging self = { module, grouping, needs, NULL };
  LsNode *start = ls_module_get (module, "main");
  g_autoptr (LsModule) grouped = NULL, annotated_module = NULL;
  g_autoptr (LsMap) empty = ls_map_empty (), entries = NULL;
  g_autoptr (LsNode) names = NULL;

  if (!ls_is (start, FUNCTION))
    return ls_relax_pass_refuse (error, "The module has no Relax function `main` to start from.");
  visit_function (&self, (LsFunction *) start);
  if (self.error != NULL)
    {
      g_propagate_error (error, self.error);
      return NULL;
    }
  grouped = ls_grouping_apply (grouping, module, TRUE, NULL, error);
  annotated_module = grouped != NULL ? annotate (grouped, module, error) : NULL;
  if (annotated_module == NULL)
    return NULL;
  names = LS_NODE (ls_array_of (ls_string_new ("main"), NULL));
  entries = ls_map_set (empty, "entry_functions", names);
  return ls_relax_pass_dead_code_elimination (annotated_module, entries, error);
}
