/* pt2/schema: what members of torch.export's schema say of values, nodes and regions.
 *
 * A region is an operator that runs a graph of its own as it stands: what torch.no_grad() and torch.autocast(enabled=False) wrap.  Its nodes take the place of
 * the call; their names are of the graph alone, so they get the call's before theirs.  They stand in each other only as deep as JSON is read. */
#include "engine/base/json.h"
#include "engine/frontend/frontend-private.h"
#include "engine/frontend/pt2/pt2-private.h"

#include <string.h>

JsonObject *
ls_pt2_object_at (JsonArray *array,
                  guint      i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

gboolean
ls_pt2_int_of (JsonNode *node,
               gint64   *value)
{
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_INT64)
    return FALSE;
  *value = json_node_get_int (node);
  return TRUE;
}

/* Files of schemas before 8.5 do not say which arguments are given by name: those that torch's operators take no other way. */
gboolean
ls_pt2_is_keyword (JsonObject *input)
{
  static const char *const NAMES[] = { "alpha", "approximate", "correction", "device", "dtype", "generator", "layout", "memory_format", "out", "pin_memory", "rounding_mode", "scale",
                                       "enable_gqa", "non_blocking", NULL };
  gint64 kind = 0;

  if (ls_pt2_int_of (json_object_get_member (input, "kind"), &kind))
    return kind == 2;
  return ls_json_text (input, "name") != NULL && g_strv_contains (NAMES, ls_json_text (input, "name"));
}

GPtrArray *
ls_pt2_results (JsonObject *node)
{
  JsonArray *outputs = ls_json_array (node, "outputs");
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; outputs != NULL && i < json_array_get_length (outputs); i++)
    {
      JsonObject *output = ls_pt2_object_at (outputs, i);
      const char *name = ls_json_text (ls_json_object (output, "as_tensor"), "name");
      JsonArray *several = output != NULL ? ls_json_array (output, "as_tensors") : NULL;

      if (name != NULL)
        g_ptr_array_add (names, (gpointer) name);
      for (guint k = 0; several != NULL && k < json_array_get_length (several); k++)
        if (ls_json_text (ls_pt2_object_at (several, k), "name") != NULL)
          g_ptr_array_add (names, (gpointer) ls_json_text (ls_pt2_object_at (several, k), "name"));
    }
  return names;
}

/* `nn_module_stack` is "KEY,PATH,TYPE" of each from the outside in, with ";" between.  A path is dotted names, or
 * (from older tracers) an expression of Python, which may have commas; its key is made of the same names then.  NULL: it does not say.  (transfer full) */
char *
ls_pt2_module_of (JsonObject *node)
{
  JsonObject *metadata = ls_json_object (node, "metadata");
  const char *stack = metadata != NULL ? ls_json_text (metadata, "nn_module_stack") : NULL, *last = stack != NULL ? strrchr (stack, ';') : NULL;
  const char *entry = last != NULL ? last + 1 : stack, *comma = entry != NULL ? strchr (entry, ',') : NULL, *type = entry != NULL ? strrchr (entry, ',') : NULL;
  g_autofree char *key = NULL, *path = NULL;

  if (comma == NULL || type == comma)
    return NULL;
  key = g_strndup (entry, (gsize) (comma - entry));
  path = g_strndup (comma + 1, (gsize) (type - comma - 1));
  path[strcspn (path, "@")] = '\0';     /* "norm@1": the second time that it is called */
  if (path[strspn (path, G_CSET_A_2_Z G_CSET_a_2_z "0123456789_.")] == '\0')
    return g_steal_pointer (&path);
  return g_strdup (g_str_has_prefix (key, "L__self___") ? key + strlen ("L__self___") : strcmp (key, "L__self__") == 0 ? "" : key);
}

/* ---- names and regions ------------------------------------------------------------------------- */

const char *
ls_pt2_real_name (LsPt2Reader *self,
                  const char  *name)
{
  const char *real = g_hash_table_lookup (self->names, name);

  return real != NULL ? real : name;
}

const char *
ls_pt2_own_name (LsPt2Reader *self,
                 const char  *name)
{
  char *own;

  if (self->region == NULL || g_hash_table_contains (self->names, name))
    return ls_pt2_real_name (self, name);
  own = g_strdup_printf ("%s_%s", self->region, name);
  for (guint i = 1; g_hash_table_contains (self->taken, own) || (self->all_types != NULL && json_object_has_member (self->all_types, own)); i++)
    {
      g_free (own);
      own = g_strdup_printf ("%s_%s_%u", self->region, name, i);
    }
  g_hash_table_add (self->taken, g_strdup (own));
  g_hash_table_insert (self->names, (gpointer) name, own);
  return own;
}

JsonObject *
ls_pt2_region (JsonObject *node,
               guint      *n_given)
{
  static const char *const TARGETS[] = { "torch.ops.higher_order.wrap_with_set_grad_enabled", "torch.ops.higher_order.wrap_with_autocast" };
  const char *target = ls_json_text (node, "target");
  JsonArray *inputs = ls_json_array (node, "inputs");
  gboolean casts = g_strcmp0 (target, TARGETS[1]) == 0;
  guint n_flags = 0;

  for (guint i = 0; (casts || g_strcmp0 (target, TARGETS[0]) == 0) && inputs != NULL && i < json_array_get_length (inputs); i++)
    {
      JsonObject *argument = ls_json_object (ls_pt2_object_at (inputs, i), "arg"), *graph = ls_json_object (ls_json_object (argument, "as_graph"), "graph");

      if (graph != NULL)
        {
          *n_given = i + 1;
          return graph;
        }
      /* The device, the type, whether it is enabled: then operators compute in other types than the graph says. */
      if (casts && argument != NULL && json_object_has_member (argument, "as_bool") && n_flags++ == 0 && ls_json_is_true (argument, "as_bool"))
        return NULL;
    }
  return NULL;
}

/* What the inputs of the graph are outside of it; numbers have their values in the graph's own table. (transfer full) */
GHashTable *
ls_pt2_names_inside (LsPt2Reader *self,
                     JsonObject  *node,
                     JsonObject  *region,
                     guint        n_given)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  JsonArray *given = ls_json_array (node, "inputs"), *inputs = ls_json_array (region, "inputs");

  for (guint i = 0; inputs != NULL && i < json_array_get_length (inputs) && n_given + i < json_array_get_length (given); i++)
    {
      const char *name = ls_json_text (ls_json_object (ls_pt2_object_at (inputs, i), "as_tensor"), "name");
      JsonObject *argument = ls_json_object (ls_pt2_object_at (given, n_given + i), "arg");
      const char *outside = ls_json_text (ls_json_object (argument, "as_tensor"), "name");

      if (name != NULL && outside != NULL)
        g_hash_table_insert (names, (gpointer) name, g_strdup (ls_pt2_real_name (self, outside)));
    }
  return names;
}
