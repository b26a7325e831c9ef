/* fx/rows: the nodes one by one, for who shows the graph as it was saved. */
#include "engine/frontend/frontend-private.h"

#include <string.h>

guint
ls_fx_graph_get_n (LsFxGraph *self)
{
  return self->nodes->len;
}

static void
collect_inputs (GPtrArray *inputs,
                JsonNode  *node)
{
  g_autoptr (GList) items = NULL;

  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObject *object = json_node_get_object (node);
      JsonNode *name = json_object_get_member (object, "node");

      if (name != NULL && JSON_NODE_HOLDS_VALUE (name) && json_node_get_value_type (name) == G_TYPE_STRING)
        {
          g_ptr_array_add (inputs, (gpointer) json_node_get_string (name));
          return;
        }
      items = json_object_get_values (object);
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    items = json_array_get_elements (json_node_get_array (node));
  for (GList *l = items; l != NULL; l = l->next)
    collect_inputs (inputs, l->data);
}

static char *
type_text (LsFxNode *node)
{
  g_autoptr (GString) out = NULL;
  guint n = node->shape != NULL ? json_array_get_length (node->shape) : 0;

  if (node->shape == NULL)
    return NULL;
  out = g_string_new ("(");
  for (guint i = 0; i < n; i++)
    {
      JsonNode *extent = json_array_get_element (node->shape, i);

      if (JSON_NODE_HOLDS_VALUE (extent) && json_node_get_value_type (extent) == G_TYPE_STRING)
        g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", json_node_get_string (extent));
      else
        g_string_append_printf (out, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", json_array_get_int_element (node->shape, i));
    }
  g_string_append_printf (out, "%s%s%s", n == 1 ? ",)" : ")", node->dtype != NULL ? " " : "", node->dtype != NULL ? node->dtype : "");
  return g_strdup (out->str);
}

static const char *
module_type (LsFxGraph *self,
             LsFxNode  *node)
{
  JsonNode *module = self->modules != NULL && strcmp (node->op, "call_module") == 0 ? json_object_get_member (self->modules, node->target) : NULL;
  JsonNode *type = module != NULL && JSON_NODE_HOLDS_OBJECT (module) ? json_object_get_member (json_node_get_object (module), "type") : NULL;

  return type != NULL && JSON_NODE_HOLDS_VALUE (type) && json_node_get_value_type (type) == G_TYPE_STRING ? json_node_get_string (type) : NULL;
}

void
ls_fx_graph_get_row (LsFxGraph *self,
                     guint      i,
                     LsFxRow   *row)
{
  LsFxNode *node = self->nodes->pdata[i];

  *row = (LsFxRow) { node->name, node->op, node->target, module_type (self, node), node->module, type_text (node), g_ptr_array_new () };
  for (guint k = 0; k < json_array_get_length (node->args); k++)
    collect_inputs (row->inputs, json_array_get_element (node->args, k));
  if (node->kwargs != NULL)
    {
      g_autoptr (GList) values = json_object_get_values (node->kwargs);

      for (GList *l = values; l != NULL; l = l->next)
        collect_inputs (row->inputs, l->data);
    }
}

void
ls_fx_row_clear (LsFxRow *row)
{
  g_free (row->type);
  g_ptr_array_unref (row->inputs);
}
