/* group: see the header.
 *
 * For each dataflow block: bindings are handed to their groups; every variable that another group reads becomes a result
 * of its own; the functions are made; the bindings are visited again, groups after the groups that they need.
 */
#include "engine/relax/group.h"
#include "engine/relax/lineage.h"

#include "engine/relax/analysis.h"
#include "engine/relax/group-private.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

struct _LsGrouping {
  GHashTable *groups;           /* LsRelaxVar -> LsVarGroup */
  GPtrArray  *all;              /* of LsVarGroup, owned */
};

static void
group_free (gpointer data)
{
  LsVarGroup *group = data;

  ls_unref (group->attrs);
  g_ptr_array_unref (group->vars);
  g_free (group);
}

LsGrouping *
ls_grouping_new (void)
{
  LsGrouping *self = g_new0 (LsGrouping, 1);

  self->groups = g_hash_table_new (NULL, NULL);
  self->all = g_ptr_array_new_with_free_func (group_free);
  return self;
}

void
ls_grouping_free (LsGrouping *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->groups);
  g_ptr_array_unref (self->all);
  g_free (self);
}

gboolean
ls_grouping_has (LsGrouping *self,
                 LsRelaxVar *var)
{
  return g_hash_table_contains (self->groups, var);
}

LsVarGroup *
ls_grouping_get (LsGrouping *self,
                 LsRelaxVar *var)
{
  LsVarGroup *group = g_hash_table_lookup (self->groups, var);

  if (group != NULL)
    return group;
  group = g_new0 (LsVarGroup, 1);
  group->n = 1;
  group->vars = g_ptr_array_new ();
  g_ptr_array_add (group->vars, var);
  g_ptr_array_add (self->all, group);
  g_hash_table_insert (self->groups, var, group);
  return group;
}

void
ls_grouping_put (LsGrouping *self,
                 LsRelaxVar *var,
                 LsVarGroup *group)
{
  g_hash_table_insert (self->groups, var, group);
}

LsVarGroup *
ls_var_group_root (LsVarGroup *self)
{
  while (self->parent != NULL)
    {
      if (self->parent->parent != NULL)
        self->parent = self->parent->parent;
      self = self->parent;
    }
  return self;
}

void
ls_var_group_set (LsVarGroup *self,
                  const char *name,
                  gpointer    value)
{
  g_autoptr (LsMap) before = self->attrs != NULL ? g_steal_pointer (&self->attrs) : ls_map_empty ();

  self->attrs = ls_map_set (before, name, value);
}

char *
ls_codegen_name (const char *composite,
                 GError    **error)
{
  const char *dot = strchr (composite, '.');

  if (dot != NULL)
    return g_strndup (composite, (gsize) (dot - composite));
  return ls_relax_pass_refuse (error, "The name of a pattern starts with the name of a compiler and a dot; %s does not.", composite);
}

/* ---- what a block's groups are ------------------------------------------------------------ */

typedef struct {
  LsGrouping *grouping;
  gboolean    lift_constants;
  GHashTable *makers;           /* LsVarGroup -> LsGroupMaker, of the block */
  GHashTable *needs;            /* LsVarGroup -> Needs */
  GError     *error;
} Fusor;

/* The groups that a group reads, in the order in which it does. */
typedef struct {
  GPtrArray  *list;
  GHashTable *set;              /* what is in the list */
} Needs;

static void
needs_free (gpointer data)
{
  Needs *self = data;

  g_ptr_array_unref (self->list);
  g_hash_table_unref (self->set);
  g_free (self);
}

static LsVarGroup *
group_of (Fusor      *self,
          LsRelaxVar *var)
{
  return ls_var_group_root (ls_grouping_get (self->grouping, var));
}

static gboolean
is_alone (LsVarGroup *group)
{
  return group->n == 1 && (group->attrs == NULL || group->attrs->n == 0);
}

static void
hand_out (Fusor          *self,
          LsBindingBlock *block)
{
  for (guint i = 0; i < block->bindings->n; i++)
    {
      LsRelaxVar *var = ls_binding_var (block->bindings->items[i]);
      LsVarGroup *group = var != NULL ? group_of (self, var) : NULL;
      LsGroupMaker *maker;

      if (group == NULL || is_alone (group))
        continue;
      maker = g_hash_table_lookup (self->makers, group);
      if (maker == NULL)
        {
          maker = ls_group_maker_new (self->lift_constants);
          g_hash_table_insert (self->makers, group, maker);
        }
      ls_group_maker_add (maker, block->bindings->items[i]);
    }
}

typedef struct {
  Fusor      *fusor;
  LsVarGroup *group;
  LsRelaxVar *var;
} Reader;

static gboolean
reads (Fusor      *self,
       LsVarGroup *group,
       LsVarGroup *producer)
{
  Needs *needs = g_hash_table_lookup (self->needs, group);

  return needs != NULL && g_hash_table_contains (needs->set, producer);
}

static void
add_need (Fusor      *self,
          LsVarGroup *group,
          LsVarGroup *producer)
{
  Needs *needs = g_hash_table_lookup (self->needs, group);

  if (needs == NULL)
    {
      needs = g_new (Needs, 1);
      *needs = (Needs) { g_ptr_array_new (), g_hash_table_new (NULL, NULL) };
      g_hash_table_insert (self->needs, group, needs);
    }
  if (g_hash_table_add (needs->set, producer))
    g_ptr_array_add (needs->list, producer);
}

static LsWalk
note_read (LsNode  *node,
           gpointer user_data)
{
  Reader *self = user_data;
  LsVarGroup *producer;
  LsGroupMaker *maker;

  if (!ls_is_relax_var (node))
    return LS_WALK_CONTINUE;
  producer = group_of (self->fusor, (LsRelaxVar *) node);
  if (producer == self->group)
    return LS_WALK_CONTINUE;
  if (reads (self->fusor, producer, self->group) && self->fusor->error == NULL)
    ls_relax_pass_refuse (&self->fusor->error, "A cyclic dependency detected between the groups %s and %s are in.", self->var->name, ((LsRelaxVar *) node)->name);
  add_need (self->fusor, self->group, producer);
  maker = g_hash_table_lookup (self->fusor->makers, producer);
  if (maker != NULL)
    ls_group_maker_add_output (maker, (LsRelaxVar *) node);
  return LS_WALK_CONTINUE;
}

static void
find_boundaries (Fusor          *self,
                 LsBindingBlock *block)
{
  for (guint i = 0; i < block->bindings->n; i++)
    {
      Reader reader = { self, NULL, ls_binding_var (block->bindings->items[i]) };

      if (reader.var == NULL)
        continue;
      reader.group = group_of (self, reader.var);
      ls_walk (ls_binding_value (block->bindings->items[i]), note_read, NULL, &reader);
    }
}

/* ---- groups behind those that they need ------------------------------------------------------ */

static void
append_group (Fusor      *self,
              LsVarGroup *group,
              GHashTable *bindings,
              GHashTable *done,
              GPtrArray  *out)
{
  Needs *needs = g_hash_table_lookup (self->needs, group);
  GPtrArray *own = g_hash_table_lookup (bindings, group);

  /* What has no binding here stands before the block, and so does all that it needs. */
  if (own == NULL || !g_hash_table_add (done, group))
    return;
  for (guint i = 0; needs != NULL && i < needs->list->len; i++)
    append_group (self, needs->list->pdata[i], bindings, done, out);
  for (guint i = 0; i < own->len; i++)
    g_ptr_array_add (out, own->pdata[i]);
}

static GPtrArray *
sort (Fusor          *self,
      LsBindingBlock *block)
{
  g_autoptr (GHashTable) bindings = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref), done = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  GPtrArray *out = g_ptr_array_new ();
  LsVarGroup *last = NULL;

  for (guint i = 0; i < block->bindings->n; i++)
    {
      LsRelaxVar *var = ls_binding_var (block->bindings->items[i]);
      LsVarGroup *group = var != NULL ? group_of (self, var) : last;
      GPtrArray *list = g_hash_table_lookup (bindings, group);

      if (list == NULL)
        {
          list = g_ptr_array_new ();
          g_hash_table_insert (bindings, group, list);
        }
      g_ptr_array_add (list, block->bindings->items[i]);
      g_ptr_array_add (order, group);
      last = group;
    }
  for (guint i = 0; i < order->len; i++)
    append_group (self, order->pdata[i], bindings, done, out);
  return out;
}

/* ---- the block again ----------------------------------------------------------------------------- */

static void
emit_field (LsRelaxMutator *mutator,
            LsRelaxVar     *var,
            LsRelaxVar     *tuple,
            guint           index)
{
  LsNode *item = ls_tuple_get_item_new (LS_NODE (ls_ref (tuple)), index);
  LsRelaxVar *emitted;

  if (ls_is (var, DATAFLOW_VAR))
    emitted = ls_block_builder_emit (mutator->builder, item, NULL);
  else
    emitted = ls_block_builder_emit_output (mutator->builder, item, NULL);
  ls_relax_mutator_replace (mutator, var, emitted);
  ls_node_unref (item);
}

/* The call of a group's function, in the place of its last binding. */
static void
emit_call (LsRelaxMutator *mutator,
           LsGroupMaker   *maker)
{
  LsGlobalVar *callee = ls_block_builder_add_func (mutator->builder, maker->function, maker->name->str);
  GPtrArray *args = g_ptr_array_new ();
  g_autoptr (LsNode) call = NULL;
  LsRelaxVar *made;

  for (guint i = 0; i < maker->args->len; i++)
    g_ptr_array_add (args, ls_relax_mutator_visit (mutator, maker->args->pdata[i]));
  call = ls_relax_call_new (LS_NODE (ls_ref (callee)), ls_array_take_ptr_array (args), NULL, NULL, NULL);
  made = ls_is (maker->outputs->pdata[0], DATAFLOW_VAR) || maker->outputs->len > 1 ? ls_block_builder_emit (mutator->builder, call, NULL)
         : ls_block_builder_emit_output (mutator->builder, call, NULL);
  if (maker->outputs->len == 1)
    ls_relax_mutator_replace (mutator, maker->outputs->pdata[0], made);
  for (guint i = 0; i < maker->bindings->len; i++)
    if (ls_binding_var (maker->bindings->pdata[i]) != NULL)
      ls_relax_lineage_note_into (ls_binding_var (maker->bindings->pdata[i]), made);
  for (guint i = 0; maker->outputs->len > 1 && i < maker->bindings->len; i++)
    {
      LsRelaxVar *var = ls_binding_var (maker->bindings->pdata[i]);
      guint index;

      if (g_ptr_array_find (maker->outputs, var, &index))
        emit_field (mutator, var, made, index);
    }
}

static LsNode *
fuse_block (LsRelaxMutator *mutator,
            LsBindingBlock *block)
{
  Fusor *self = mutator->user_data;
  g_autoptr (GPtrArray) order = NULL;
  GHashTableIter iter;
  gpointer group, maker;

  if (!ls_is (block, DATAFLOW_BLOCK))
    return ls_relax_mutator_default_block (mutator, block);
  g_hash_table_remove_all (self->makers);
  hand_out (self, block);
  find_boundaries (self, block);
  if (self->error != NULL)
    return ls_node_ref (LS_NODE (block));
  g_hash_table_iter_init (&iter, self->makers);
  while (g_hash_table_iter_next (&iter, &group, &maker))
    ls_group_maker_finish (maker, ((LsVarGroup *) group)->attrs);
  ls_block_builder_begin_block (mutator->builder, TRUE);
  order = sort (self, block);
  for (guint i = 0; i < order->len; i++)
    {
      LsRelaxVar *var = ls_binding_var (order->pdata[i]);
      LsGroupMaker *own = var != NULL ? g_hash_table_lookup (self->makers, group_of (self, var)) : NULL;

      if (own == NULL)
        ls_relax_mutator_default_binding (mutator, order->pdata[i]);
      else if (own->function != NULL && own->bindings->pdata[own->bindings->len - 1] == order->pdata[i])
        emit_call (mutator, own);
    }
  return ls_block_builder_end_block (mutator->builder);
}

static gboolean
is_entry (LsArray    *entries,
          const char *name)
{
  for (guint i = 0; i < ls_array_n (entries); i++)
    if (ls_is (entries->items[i], STRING) && strcmp (ls_array_at (entries, i, LsString)->value, name) == 0)
      return TRUE;
  return ls_array_n (entries) == 0;
}

static gboolean
is_fused (LsNode *func)
{
  LsMap *attrs = ls_is (func, FUNCTION) ? ((LsFunction *) func)->attrs : NULL;

  return !ls_is (func, FUNCTION) || ls_map_get (attrs, "Primitive") != NULL || ls_map_get (attrs, "Codegen") != NULL;
}

LsModule *
ls_grouping_apply (LsGrouping *self,
                   LsModule   *module,
                   gboolean    lift_constants,
                   LsArray    *entries,
                   GError    **error)
{
  static const LsRelaxMutatorFuncs funcs = { .block = fuse_block };
  g_autoptr (GHashTable) makers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_group_maker_free);
  g_autoptr (GHashTable) needs = g_hash_table_new_full (NULL, NULL, NULL, needs_free);
  Fusor fusor = { self, lift_constants, makers, needs, NULL };
  g_auto (LsRelaxMutator) mutator = { NULL };

  ls_relax_mutator_init (&mutator, &funcs, module, &fusor);
  for (guint i = 0; i < module->functions->n && fusor.error == NULL; i++)
    if (!is_fused (module->functions->items[i]) && is_entry (entries, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint))
      {
        g_autoptr (LsNode) fresh = ls_relax_mutator_visit (&mutator, module->functions->items[i]);

        ls_block_builder_update_func (mutator.builder, ls_array_at (module->global_vars, i, LsGlobalVar), fresh);
      }
  if (fusor.error == NULL)
    return ls_relax_mutator_finish (&mutator, error);
  g_propagate_error (error, fusor.error);
  return NULL;
}
