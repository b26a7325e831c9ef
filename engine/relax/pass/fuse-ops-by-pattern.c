/* FuseOpsByPattern: calls that fit a pattern become functions with the pattern's name as Composite.
 *
 * One pattern after the other.  Each binding is matched as the end of the pattern; what the calls and fields of it fit is
 * united with it, unless a part belongs to an earlier match that this one does not contain.  annotate_codegen puts a
 * function with Codegen and global_symbol around each, which defines the composite one inside.
 */
#include "engine/relax/pass/fuse-ops-by-pattern.h"

#include "engine/relax/analysis.h"
#include "engine/relax/group.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"
#include "engine/relax/pass/rename.h"

#include <string.h>

/* ---- matches to groups ------------------------------------------------------------------- */

typedef struct {
  const LsFusionPattern *pattern;
  LsGrouping            *grouping;
  GHashTable            *values;        /* variable -> value */
  GHashTable            *bound;         /* value -> variable */
  LsBindingBlock        *block;
  GHashTable            *places;        /* variable of the block -> the number of its binding */
  GError                *error;
} Partition;

/* Is the part of the match a binding that goes into the function? */
static gboolean
is_member (LsPatternMatch *match,
           guint           i,
           LsNode         *end)
{
  LsPattern *pattern = ls_pattern_match_pattern (match, i);

  return (ls_is (pattern, CALL_PATTERN) && ls_pattern_match_expr (match, i) != end) || ls_is (pattern, TUPLE_GET_ITEM_PATTERN);
}

static gboolean
matches_var (Partition      *self,
             LsPatternMatch *match,
             gpointer        var)
{
  for (guint i = 0; i < ls_pattern_match_get_n (match); i++)
    if (ls_pattern_is_computed (ls_pattern_match_pattern (match, i)) && g_hash_table_lookup (self->bound, ls_pattern_match_expr (match, i)) == var)
      return TRUE;
  return FALSE;
}

/* Is everything that an earlier match put into this group part of the match? */
static gboolean
contains_group (Partition      *self,
                LsPatternMatch *match,
                LsVarGroup     *group)
{
  for (guint i = 0; i < group->vars->len; i++)
    if (!matches_var (self, match, group->vars->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_free (Partition      *self,
         LsPatternMatch *match,
         LsNode         *end)
{
  for (guint i = 0; i < ls_pattern_match_get_n (match); i++)
    {
      LsRelaxVar *var = is_member (match, i, end) ? g_hash_table_lookup (self->bound, ls_pattern_match_expr (match, i)) : NULL;
      LsVarGroup *group = var != NULL ? ls_var_group_root (ls_grouping_get (self->grouping, var)) : NULL;

      if (group != NULL && group->n > 1 && !contains_group (self, match, group))
        return FALSE;
    }
  return TRUE;
}

static void
unite (Partition  *self,
       LsRelaxVar *var,
       LsVarGroup *into)
{
  LsVarGroup *group = ls_grouping_get (self->grouping, var);

  if (group == into)
    return;
  group->n--;
  group->parent = into;
  g_ptr_array_add (into->vars, var);
  into->n++;
}

typedef struct {
  GHashTable *vars;
  LsRelaxVar *found;
} Reads;

static LsWalk
note_read (LsNode   *node,
           gpointer  user_data)
{
  Reads *self = user_data;

  if (ls_is_relax_var (node) && g_hash_table_contains (self->vars, node))
    self->found = (LsRelaxVar *) node;
  return self->found != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* One of the variables that the value reads, or NULL. */
static LsRelaxVar *
reads_any (LsNode     *value,
           GHashTable *vars)
{
  Reads reads = { vars, NULL };

  if (g_hash_table_size (vars) > 0)
    ls_walk (value, note_read, NULL, &reads);
  return reads.found;
}

/* What is made outside of the match from a part of it, and read by another part: one function cannot be before and behind that.
 * NULL: there is nothing. */
static LsRelaxVar *
goes_round (Partition      *self,
            LsPatternMatch *match,
            LsVarBinding   *end)
{
  g_autoptr (GHashTable) members = g_hash_table_new (NULL, NULL), behind = g_hash_table_new (NULL, NULL);
  guint first = G_MAXUINT;

  for (guint i = 0; i < ls_pattern_match_get_n (match); i++)
    {
      gpointer var = is_member (match, i, end->value) ? g_hash_table_lookup (self->bound, ls_pattern_match_expr (match, i)) : NULL;

      if (var == NULL)
        continue;
      g_hash_table_add (members, var);
      first = MIN (first, GPOINTER_TO_UINT (g_hash_table_lookup (self->places, var)));
    }
  if (self->block == NULL || g_hash_table_size (members) == 0)
    return NULL;
  /* nothing reads them before the first of them; what is bound in another block counts as number 0 */
  for (guint i = first; i < self->block->bindings->n; i++)
    {
      LsNode *binding = self->block->bindings->items[i], *value = ls_binding_value (binding);
      LsRelaxVar *var = ls_binding_var (binding), *outside;

      if (binding == LS_NODE (end) || (var != NULL && g_hash_table_contains (members, var)))
        {
          if ((outside = reads_any (value, behind)) != NULL || binding == LS_NODE (end))
            return outside;
        }
      else if (var != NULL && (reads_any (value, members) || reads_any (value, behind)))
        g_hash_table_add (behind, var);
    }
  return NULL;
}

static gboolean
set_attrs (Partition           *self,
           const LsFusionMatch *said,
           LsVarGroup          *group)
{
  g_autoptr (LsNode) name = LS_NODE (ls_string_new (self->pattern->name));
  g_autoptr (LsMap) more = NULL;

  ls_var_group_set (group, "Composite", name);
  if (self->pattern->attrs == NULL)
    return TRUE;
  more = self->pattern->attrs (said, self->pattern->user_data, &self->error);
  for (guint i = 0; more != NULL && i < more->n; i++)
    ls_var_group_set (group, more->keys[i], more->values[i]);
  return more != NULL;
}

static void
match_binding (Partition    *self,
               LsVarBinding *binding)
{
  g_autoptr (LsPatternMatch) match = ls_pattern_match (self->pattern->pattern, binding->value, self->values);
  LsFusionMatch said = { binding->value, match, self->pattern->annotation_names, self->pattern->annotation_patterns, self->values, self->bound, self->block };
  gboolean accepted = TRUE;
  LsVarGroup *group;
  LsRelaxVar *round;

  if (match == NULL || (self->pattern->check != NULL && (!self->pattern->check (&said, &accepted, self->pattern->user_data, &self->error) || !accepted))
      || !is_free (self, match, binding->value))
    return;
  if ((round = goes_round (self, match, binding)) != NULL)
    {
      if (self->pattern->refuses_cycles)
        ls_relax_pass_refuse (&self->error, "A cyclic dependency detected between the groups %s and %s are in.", binding->var->name, round->name);
      return;
    }
  group = ls_var_group_root (ls_grouping_get (self->grouping, binding->var));
  if (!set_attrs (self, &said, group))
    return;
  for (guint i = 0; i < ls_pattern_match_get_n (match); i++)
    {
      LsRelaxVar *var = is_member (match, i, binding->value) ? g_hash_table_lookup (self->bound, ls_pattern_match_expr (match, i)) : NULL;

      if (var != NULL)
        unite (self, var, group);
    }
}

static void partition_expr (Partition *self, LsNode *expr);

/* A variable that two functions bind would be in two groups. */
static gboolean
is_new (Partition  *self,
        LsRelaxVar *var)
{
  if (!ls_grouping_has (self->grouping, var))
    return TRUE;
  ls_relax_pass_refuse (&self->error, "The variable %s is bound twice, so that it appears in multiple partitions.", var->name);
  return FALSE;
}

static void
partition_block (Partition      *self,
                 LsBindingBlock *block)
{
  self->block = ls_is (block, DATAFLOW_BLOCK) ? block : NULL;
  g_hash_table_remove_all (self->places);
  for (guint i = 0; i < block->bindings->n && self->error == NULL; i++)
    {
      LsVarBinding *binding = (LsVarBinding *) block->bindings->items[i];

      if (!ls_is (binding, VAR_BINDING))
        continue;
      if (!is_new (self, binding->var))
        return;
      g_hash_table_insert (self->places, binding->var, GUINT_TO_POINTER (i));
      g_hash_table_insert (self->values, binding->var, binding->value);
      g_hash_table_insert (self->bound, binding->value, binding->var);
      ls_grouping_get (self->grouping, binding->var);
      if (ls_is (binding->value, RELAX_CALL))
        match_binding (self, binding);
      else
        partition_expr (self, binding->value);
    }
}

/* The blocks of branches and local functions too. */
static void
partition_expr (Partition *self,
                LsNode    *expr)
{
  if (ls_is (expr, FUNCTION))
    partition_expr (self, ((LsFunction *) expr)->body);
  else if (ls_is (expr, RELAX_IF))
    {
      partition_expr (self, ((LsRelaxIf *) expr)->true_branch);
      partition_expr (self, ((LsRelaxIf *) expr)->false_branch);
    }
  else if (ls_is (expr, SEQ_EXPR))
    for (guint i = 0; i < ((LsSeqExpr *) expr)->blocks->n && self->error == NULL; i++)
      partition_block (self, ls_array_at (((LsSeqExpr *) expr)->blocks, i, LsBindingBlock));
}

static gboolean
partition_function (const LsFusionPattern *pattern,
                    LsGrouping            *grouping,
                    LsFunction            *func,
                    GError               **error)
{
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL), bound = g_hash_table_new (NULL, NULL), places = g_hash_table_new (NULL, NULL);
  Partition self = { pattern, grouping, values, bound, NULL, places, NULL };

  partition_expr (&self, func->body);
  if (self.error != NULL)
    g_propagate_error (error, self.error);
  return self.error == NULL;
}

/* ---- functions for a compiler --------------------------------------------------------------------- */

typedef struct {
  GHashTable *wrapped;          /* LsGlobalVar -> LsGlobalVar (borrowed of the builder) */
  GError     *error;
} Annotator;

static LsMap *
without (LsMap      *attrs,
         const char *name)
{
  LsMap *now = ls_map_empty ();

  for (guint i = 0; i < attrs->n; i++)
    if (strcmp (attrs->keys[i], name) != 0)
      ls_take (&now, ls_map_set (now, attrs->keys[i], attrs->values[i]));
  return now;
}

static LsFunction *
wrap (LsFunction *composite,
      LsMap      *attrs)        /* taken */
{
  g_autoptr (LsNode) inner = ls_function_with_attrs (LS_NODE (composite), without (composite->attrs, "Primitive"));
  GPtrArray *params = g_ptr_array_new (), *args = g_ptr_array_new ();
  g_autoptr (LsRelaxVar) local = ls_relax_var_new ("local_func", ls_relax_struct_info (inner)), output = NULL;
  LsNode *call, *block;

  for (guint i = 0; i < composite->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (composite->params, i, LsRelaxVar), *own = ls_relax_var_new (param->name, ls_node_ref (param->struct_info));

      g_ptr_array_add (params, own);
      g_ptr_array_add (args, ls_ref (own));
    }
  output = ls_relax_var_new ("output", ls_node_ref (composite->ret_struct_info));
  call = ls_relax_call_new (LS_NODE (ls_ref (local)), ls_array_take_ptr_array (args), NULL, NULL, NULL);
  block = ls_binding_block_new (ls_array_of (ls_var_binding_new (ls_ref (local), ls_node_ref (inner)), ls_var_binding_new (ls_ref (output), call), NULL));
  return ls_function_new (ls_array_take_ptr_array (params), ls_seq_expr_new (ls_array_of (block, NULL), LS_NODE (ls_ref (output))),
                          ls_node_ref (composite->ret_struct_info), attrs, composite->is_pure);
}

/* The function around a composite one, made when it is called first; NULL when it is none. */
static LsGlobalVar *
wrapped (LsRelaxMutator *mutator,
         LsGlobalVar    *var)
{
  Annotator *self = mutator->user_data;
  LsGlobalVar *known = g_hash_table_lookup (self->wrapped, var);
  LsNode *func = known == NULL ? ls_block_builder_lookup_func (mutator->builder, var) : NULL;
  LsNode *composite = ls_is (func, FUNCTION) ? ls_map_get (((LsFunction *) func)->attrs, "Composite") : NULL;
  g_autofree char *codegen = NULL, *symbol = NULL;
  g_autoptr (LsFunction) outer = NULL;
  g_autoptr (LsMap) empty = ls_map_empty (), attrs = NULL;
  g_autoptr (LsNode) codegen_node = NULL, symbol_node = NULL;

  if (known != NULL || !ls_is (composite, STRING) || self->error != NULL)
    return known;
  codegen = ls_codegen_name (((LsString *) composite)->value, &self->error);
  if (codegen == NULL)
    return NULL;
  symbol = g_strdup_printf ("%s_%s", var->name_hint, codegen);
  codegen_node = LS_NODE (ls_string_new (codegen));
  symbol_node = LS_NODE (ls_string_new (symbol));
  attrs = ls_map_set (empty, "Codegen", codegen_node);
  outer = wrap ((LsFunction *) func, ls_map_set (attrs, "global_symbol", symbol_node));
  ls_block_builder_remove_func (mutator->builder, var);
  known = ls_block_builder_add_func (mutator->builder, outer, symbol);
  g_hash_table_insert (self->wrapped, var, known);
  return known;
}

static LsNode *
call_wrapped (LsRelaxMutator *mutator,
              LsRelaxCall    *call)
{
  LsGlobalVar *outer = ls_is (call->op, GLOBAL_VAR) ? wrapped (mutator, (LsGlobalVar *) call->op) : NULL;

  if (outer == NULL)
    return ls_relax_mutator_default (mutator, call);
  return ls_relax_call_new (LS_NODE (ls_ref (outer)), ls_ref (call->args), NULL, NULL, NULL);
}

static gboolean
is_made (LsNode *func)
{
  LsMap *attrs = ls_function_attrs (func);

  return ls_map_get (attrs, "Primitive") != NULL || ls_map_get (attrs, "Composite") != NULL || ls_map_get (attrs, "Codegen") != NULL;
}

static LsModule *
annotate (LsModule *module,
          GError  **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = call_wrapped };
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  Annotator self = { known, NULL };
  g_auto (LsRelaxMutator) mutator = { NULL };

  ls_relax_mutator_init (&mutator, &funcs, module, &self);
  for (guint i = 0; i < module->functions->n && self.error == NULL; i++)
    if (ls_is (module->functions->items[i], FUNCTION) && !is_made (module->functions->items[i]))
      {
        g_autoptr (LsNode) fresh = ls_relax_mutator_visit (&mutator, module->functions->items[i]);

        ls_block_builder_update_func (mutator.builder, ls_array_at (module->global_vars, i, LsGlobalVar), fresh);
      }
  if (self.error == NULL)
    return ls_relax_mutator_finish (&mutator, error);
  g_propagate_error (error, self.error);
  return NULL;
}

/* ---- the pass ------------------------------------------------------------------------------------------ */

static gboolean
is_named (LsArray    *names,
          const char *name)
{
  for (guint i = 0; i < ls_array_n (names); i++)
    if (ls_is (names->items[i], STRING) && strcmp (ls_array_at (names, i, LsString)->value, name) == 0)
      return TRUE;
  return FALSE;
}

static LsModule *
fuse_pattern (LsModule              *module,
              const LsFusionPattern *pattern,
              gboolean               bind_constants,
              LsArray               *entries,
              GError               **error)
{
  g_autoptr (LsGrouping) grouping = ls_grouping_new ();

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsNode *func = module->functions->items[i];
      gboolean wanted = ls_array_n (entries) > 0 ? is_named (entries, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint) : !is_made (func);

      if (wanted && ls_is (func, FUNCTION) && !partition_function (pattern, grouping, (LsFunction *) func, error))
        return NULL;
    }
  return ls_grouping_apply (grouping, module, !bind_constants, entries, error);
}

LsModule *
ls_relax_fuse_ops_by_pattern (LsModule              *module,
                              const LsFusionPattern *patterns,
                              guint                  n_patterns,
                              gboolean               bind_constants,
                              gboolean               annotate_codegen,
                              LsArray               *entries,
                              GError               **error)
{
  g_autoptr (LsModule) now = ls_ref (module);

  for (guint i = 0; i < ls_array_n (entries); i++)
    if (!ls_is (entries->items[i], STRING) || !ls_is (ls_module_get (module, ls_array_at (entries, i, LsString)->value), FUNCTION))
      return ls_relax_pass_refuse (error, "Each of entry_functions is the name of a Relax function of the module.");
  for (guint i = 0; i < n_patterns; i++)
    {
      LsModule *next = fuse_pattern (now, &patterns[i], bind_constants, entries, error);

      if (next == NULL)
        return NULL;
      ls_take (&now, next);
    }
  return annotate_codegen ? annotate (now, error) : g_steal_pointer (&now);
}

/* A row of the argument: (name, pattern), (name, pattern, {name: pattern}). */
static gboolean
read_row (LsNode          *node,
          LsFusionPattern *row)
{
  LsArray *items = ls_is (node, ARRAY) ? (LsArray *) node : NULL;

  if (items == NULL || items->n < 2 || items->n > 3 || !ls_is (items->items[0], STRING) || !ls_is_pattern (items->items[1]))
    return FALSE;
  *row = (LsFusionPattern) { ((LsString *) items->items[0])->value, items->items[1], NULL, NULL, NULL, NULL, NULL };
  return TRUE;
}

LsModule *
ls_relax_pass_fuse_ops_by_pattern (LsModule  *module,
                                   LsMap     *args,
                                   GError   **error)
{
  LsArray *list = (LsArray *) ls_map_get (args, "patterns");
  g_autofree LsFusionPattern *rows = g_new0 (LsFusionPattern, list->n + 1);

  for (guint i = 0; i < list->n; i++)
    if (!read_row (list->items[i], &rows[i]))
      return ls_relax_pass_refuse (error, "Each of the patterns is a tuple of a name and a pattern, (\"own.add\", is_op (\"relax.add\")(wildcard (), wildcard ())).");
  return ls_relax_fuse_ops_by_pattern (module, rows, list->n, ls_relax_pass_bool (args, "bind_constants"), ls_relax_pass_bool (args, "annotate_codegen"),
                                       (LsArray *) ls_map_get (args, "entry_functions"), error);
}
