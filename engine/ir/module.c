/* module: GlobalVar and IRModule. */
#include "engine/ir/functions.h"
#include "engine/ir/ir-private.h"
#include "engine/ir/signature.h"

#include <string.h>

typedef struct { LsGlobalVar var; LsNode *struct_info; } ToldVar;

#define FEW 8                   /* so many names are compared one by one */

LS_CLASS (ls_global_var_class, GLOBAL_VAR, "GlobalVar", ToldVar, LS_CLASS_IDENTITY,
          LS_FIELD_NAMED (ToldVar, var.name_hint, "name_hint", STRING, 0),
          LS_FIELD_NAMED (ToldVar, struct_info, "struct_info_", NODE, LS_FIELD_HINT));
LS_CLASS (ls_module_class, MODULE, "IRModule", LsModuleNode, LS_CLASS_PLAIN,
          LS_FIELD (LsModule, global_vars, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsModule, functions, NODE, 0),
          LS_FIELD (LsModule, attrs, NODE, 0),
          LS_FIELD (LsModule, global_infos, NODE, 0));

LsGlobalVar *
ls_global_var_new (const char *name_hint)
{
  LsGlobalVar *self = ls_node_alloc (&ls_global_var_class);

  self->name_hint = g_strdup (name_hint);
  return ls_node_finish (self);
}

LsNode *
ls_global_var_get_struct_info (LsGlobalVar *self)
{
  return ((ToldVar *) self)->struct_info;
}

void
ls_global_var_set_struct_info (LsGlobalVar *self,
                               LsNode      *struct_info)
{
  LsNode *old = ls_global_var_get_struct_info (self);

  ((ToldVar *) self)->struct_info = struct_info;
  ls_node_unref (old);
}

LsModule *
ls_module_new (LsArray *global_vars,
               LsArray *functions,
               LsMap   *attrs,
               LsMap   *global_infos)
{
  LsModule *self = ls_node_alloc (&ls_module_class);

  self->global_vars = global_vars;
  self->functions = functions;
  self->attrs = attrs;
  self->global_infos = global_infos;
  return ls_node_finish (self);
}

/* Name -> place + 1; of equal names the first has it. */
static GHashTable *
places_of (LsModule *self)
{
  GHashTable **slot = &((LsModuleNode *) self)->places, *made;

  if (g_atomic_pointer_get (slot) != NULL)
    return g_atomic_pointer_get (slot);
  made = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = self->global_vars->n; i-- > 0;)
    g_hash_table_insert (made, ls_array_at (self->global_vars, i, LsGlobalVar)->name_hint, GUINT_TO_POINTER (i + 1));
  if (!g_atomic_pointer_compare_and_exchange (slot, NULL, made))
    g_hash_table_unref (made);
  return g_atomic_pointer_get (slot);
}

static gint
index_of (LsModule   *self,
          const char *name)
{
  if (self->global_vars->n > FEW)
    return name != NULL ? GPOINTER_TO_INT (g_hash_table_lookup (places_of (self), name)) - 1 : -1;
  for (guint i = 0; i < self->global_vars->n; i++)
    if (strcmp (ls_array_at (self->global_vars, i, LsGlobalVar)->name_hint, name) == 0)
      return (gint) i;
  return -1;
}

LsNode *
ls_module_get (LsModule   *self,
               const char *name)
{
  gint i = index_of (self, name);

  return i >= 0 ? self->functions->items[i] : NULL;
}

LsGlobalVar *
ls_module_get_global_var (LsModule   *self,
                          const char *name)
{
  gint i = index_of (self, name);

  return i >= 0 ? ls_array_at (self->global_vars, i, LsGlobalVar) : NULL;
}

static LsModule *
with_lists (LsModule *self,
            LsArray  *global_vars,
            LsArray  *functions)
{
  return ls_module_new (global_vars, functions, ls_ref (self->attrs), ls_ref (self->global_infos));
}

LsModule *
ls_module_with (LsModule   *self,
                const char *name,
                gpointer    function)
{
  gint i = index_of (self, name);

  if (i < 0)
    {
      g_autoptr (LsGlobalVar) var = ls_global_var_new (name);

      return with_lists (self, ls_array_append (self->global_vars, var), ls_array_append (self->functions, function));
    }
  if (self->functions->items[i] == function)
    return ls_ref (self);
  return with_lists (self, ls_ref (self->global_vars), ls_array_with (self->functions, (guint) i, function));
}

LsModule *
ls_module_with_functions (LsModule *self,
                          LsArray  *functions)
{
  g_autoptr (LsArray) taken = functions;

  if (ls_array_same_items (functions, self->functions))
    return ls_ref (self);
  return with_lists (self, ls_ref (self->global_vars), g_steal_pointer (&taken));
}

LsModule *
ls_module_without (LsModule   *self,
                   const char *name)
{
  gint i = index_of (self, name);

  if (i < 0)
    return ls_ref (self);
  return with_lists (self, ls_array_remove (self->global_vars, (guint) i), ls_array_remove (self->functions, (guint) i));
}
