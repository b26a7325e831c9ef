/* module-builder: a module that is being made of another, function by function (functions.h). */
#include "engine/ir/functions.h"

struct LsModuleBuilder {
  LsModule   *now;              /* as of the last change that was asked for; owned */
  gboolean    changed;          /* there is more since */
  GPtrArray  *vars, *functions; /* owned; holes where one was taken away */
  GHashTable *places;           /* name -> place + 1; names belong to the variables */
};

static void
append (LsModuleBuilder *self,
        LsGlobalVar     *var,
        LsNode          *function)
{
  g_ptr_array_add (self->vars, ls_ref (var));
  g_ptr_array_add (self->functions, ls_node_ref (function));
  if (!g_hash_table_contains (self->places, var->name_hint))
    g_hash_table_insert (self->places, var->name_hint, GUINT_TO_POINTER (self->vars->len));
}

LsModuleBuilder *
ls_module_builder_new (LsModule *base)
{
  LsModuleBuilder *self = g_new0 (LsModuleBuilder, 1);

  self->now = ls_ref (base);
  self->vars = g_ptr_array_new_full (base->global_vars->n, (GDestroyNotify) ls_node_unref);
  self->functions = g_ptr_array_new_full (base->functions->n, (GDestroyNotify) ls_node_unref);
  self->places = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < base->functions->n; i++)
    append (self, ls_array_at (base->global_vars, i, LsGlobalVar), base->functions->items[i]);
  return self;
}

void
ls_module_builder_free (LsModuleBuilder *self)
{
  g_hash_table_unref (self->places);
  g_ptr_array_unref (self->functions);
  g_ptr_array_unref (self->vars);
  ls_unref (self->now);
  g_free (self);
}

static guint
place_of (LsModuleBuilder *self,
          const char      *name)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->places, name));
}

void
ls_module_builder_put (LsModuleBuilder *self,
                       const char      *name,
                       gpointer         function)
{
  guint place = place_of (self, name);

  if (place == 0)
    {
      g_autoptr (LsGlobalVar) var = ls_global_var_new (name);

      append (self, var, function);
    }
  else if (self->functions->pdata[place - 1] == function)
    {
      return;
    }
  else
    {
      ls_node_unref (self->functions->pdata[place - 1]);
      self->functions->pdata[place - 1] = ls_node_ref (function);
    }
  self->changed = TRUE;
}

void
ls_module_builder_remove (LsModuleBuilder *self,
                          const char      *name)
{
  guint place = place_of (self, name);

  if (place == 0)
    return;
  g_hash_table_remove (self->places, name);
  g_clear_pointer (&self->vars->pdata[place - 1], ls_node_unref);
  g_clear_pointer (&self->functions->pdata[place - 1], ls_node_unref);
  self->changed = TRUE;
}

LsNode *
ls_module_builder_get (LsModuleBuilder *self,
                       const char      *name)
{
  guint place = place_of (self, name);

  return place > 0 ? self->functions->pdata[place - 1] : NULL;
}

LsGlobalVar *
ls_module_builder_get_global_var (LsModuleBuilder *self,
                                  const char      *name)
{
  guint place = place_of (self, name);

  return place > 0 ? self->vars->pdata[place - 1] : NULL;
}

/* The list without its holes. */
static LsArray *
without_holes (GPtrArray *all)
{
  GPtrArray *out = g_ptr_array_sized_new (all->len);

  for (guint i = 0; i < all->len; i++)
    if (all->pdata[i] != NULL)
      g_ptr_array_add (out, ls_node_ref (all->pdata[i]));
  return ls_array_take_ptr_array (out);
}

LsModule *
ls_module_builder_get_module (LsModuleBuilder *self)
{
  if (self->changed)
    {
      g_autoptr (LsArray) vars = without_holes (self->vars);
      g_autoptr (LsModule) before = self->now;
      gboolean same = ls_array_same_items (vars, before->global_vars);

      self->now = ls_module_new (ls_ref (same ? before->global_vars : vars), without_holes (self->functions), ls_ref (before->attrs), ls_ref (before->global_infos));
      self->changed = FALSE;
    }
  return ls_ref (self->now);
}

LsModule *
ls_module_builder_finish (LsModuleBuilder *self)
{
  LsModule *made = ls_module_builder_get_module (self);

  ls_module_builder_free (self);
  return made;
}
