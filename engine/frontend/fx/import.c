/* fx/import: a graph node by node (from_fx).  Each error is put behind the node's place, name and target. */
#include "engine/frontend/fx/fx-private.h"

#include <string.h>

LsNode *
ls_fx_keep (LsFxImport *self,
            gpointer    node)
{
  if (node != NULL)
    g_ptr_array_add (self->kept, node);
  return node;
}

gpointer
ls_fx_fail (LsFxImport *self,
            LsFxError   code,
            const char *format,
            ...)
{
  va_list args;

  va_start (args, format);
  if (self->error == NULL)
    self->error = g_error_new_valist (LS_FX_ERROR, (int) code, format, args);
  va_end (args);
  return NULL;
}

static LsNode *
placeholder (LsFxImport *self,
             GPtrArray  *params)
{
  GPtrArray *extents;
  LsDType dtype;

  if (self->node->shape == NULL || self->node->dtype == NULL || !ls_dtype_parse (self->node->dtype, &dtype))
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "an input needs a shape and a dtype");
  extents = g_ptr_array_new ();
  for (guint i = 0; i < json_array_get_length (self->node->shape); i++)
    {
      JsonNode *extent = json_array_get_element (self->node->shape, i);

      if (!JSON_NODE_HOLDS_VALUE (extent) || json_node_get_value_type (extent) != G_TYPE_INT64 || json_node_get_int (extent) < 0)
        ls_fx_fail (self, LS_FX_ERROR_GRAPH, "the shape of an input is a list of whole numbers");
      else
        g_ptr_array_add (extents, ls_int_imm_new (LS_INT64, json_node_get_int (extent)));
    }
  g_ptr_array_add (params, ls_relax_var_new (self->node->target, ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_take_ptr_array (extents)),
                                                                                             LS_UNKNOWN_NDIM, dtype, NULL)));
  return params->pdata[params->len - 1];
}

static LsNode *
attribute (LsFxImport *self)
{
  LsTensor *tensor = g_hash_table_lookup (self->graph->tensors, self->node->target);

  if (tensor == NULL)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "the tensor file has no such tensor");
  return ls_fx_keep (self, ls_constant_new (ls_ref (tensor)));
}

static LsNode *
call (LsFxImport *self)
{
  const char *target = self->node->target;
  g_autofree char *known = NULL;
  const LsFxRule *rule;

  self->module = NULL;
  if (strcmp (self->node->op, "call_module") == 0)
    {
      JsonNode *module = self->graph->modules != NULL ? json_object_get_member (self->graph->modules, target) : NULL;
      JsonNode *type = module != NULL && JSON_NODE_HOLDS_OBJECT (module) ? json_object_get_member (json_node_get_object (module), "type") : NULL;

      if (type == NULL || !JSON_NODE_HOLDS_VALUE (type) || json_node_get_value_type (type) != G_TYPE_STRING)
        return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "\"modules\" has no such module with a type");
      self->module = json_node_get_object (module);
      target = json_node_get_string (type);
    }
  rule = ls_fx_rule_find (self->node->op, target);
  if (rule != NULL)
    return rule->translate (self, rule);
  known = ls_fx_rule_names (self->node->op);
  return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "no rule translates %s %s; supported are %s", self->node->op, target, known);
}

static LsNode *
result (LsFxImport *self,
        JsonNode   *arg)
{
  JsonNode *name = JSON_NODE_HOLDS_OBJECT (arg) ? json_object_get_member (json_node_get_object (arg), "node") : NULL;
  LsNode *value = name != NULL ? g_hash_table_lookup (self->values, json_node_get_string (name)) : NULL;
  GPtrArray *fields;

  if (value != NULL)
    return value;
  if (!JSON_NODE_HOLDS_ARRAY (arg))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "the result is a node or a tuple of nodes");
  fields = g_ptr_array_new ();
  for (guint i = 0; i < json_array_get_length (json_node_get_array (arg)); i++)
    if ((value = result (self, json_array_get_element (json_node_get_array (arg), i))) != NULL)
      g_ptr_array_add (fields, ls_node_ref (value));
  return ls_fx_keep (self, ls_relax_tuple_new (ls_array_take_ptr_array (fields)));
}

static LsNode *
translate (LsFxImport *self,
           GPtrArray  *params)
{
  const char *op = self->node->op;
  const GError *error;
  LsNode *value;

  if (strcmp (op, "placeholder") == 0)
    value = placeholder (self, params);
  else if (strcmp (op, "get_attr") == 0)
    value = attribute (self);
  else if (strcmp (op, "output") == 0)
    value = json_array_get_length (self->node->args) == 1 ? result (self, json_array_get_element (self->node->args, 0))
            : ls_fx_fail (self, LS_FX_ERROR_GRAPH, "an output has one argument");
  else
    value = call (self);
  g_clear_pointer (&self->bridge, ls_te_bridge_free);
  error = ls_block_builder_get_error (self->builder);
  if (self->error == NULL && error != NULL)
    self->error = g_error_copy (error);
  if (self->error == NULL && value == NULL)
    ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "its arguments are not supported");
  if (self->error == NULL)
    return value;
  g_prefix_error (&self->error, "%s: node %u \"%s\" (%s %s): ", self->graph->path, self->node->place, self->node->name, op, self->node->target);
  return NULL;
}

static LsModule *
run (LsFxImport *self)
{
  GPtrArray *params = g_ptr_array_new ();
  g_autoptr (LsArray) list = NULL;
  LsNode *value = NULL;

  ls_block_builder_begin_function (self->builder, "main", NULL, NULL, TRUE, FALSE);
  ls_block_builder_begin_dataflow (self->builder);
  for (guint i = 0; i < self->graph->nodes->len && self->error == NULL; i++)
    {
      self->node = self->graph->nodes->pdata[i];
      value = translate (self, params);
      if (value != NULL)
        g_hash_table_insert (self->values, (gpointer) self->node->name, value);
      if (strcmp (self->node->op, "output") == 0)
        break;
    }
  list = ls_array_take_ptr_array (params);
  if (self->error == NULL)
    {
      value = LS_NODE (ls_block_builder_emit_output (self->builder, value, NULL));
      ls_block_builder_end_dataflow (self->builder);
      ls_block_builder_emit_func_output (self->builder, value, list);
      if (ls_block_builder_get_error (self->builder) != NULL)
        self->error = g_error_copy (ls_block_builder_get_error (self->builder));
    }
  return self->error == NULL ? ls_block_builder_get (self->builder) : NULL;
}

LsModule *
ls_fx_graph_import (LsFxGraph  *self,
                    LsFxVariant variant,
                    GError    **error)
{
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (NULL);
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsFxImport import = { .graph = self, .variant = variant, .builder = builder, .values = values, .kept = kept };
  LsModule *module = run (&import);

  if (import.error != NULL)
    g_propagate_error (error, import.error);
  return module;
}
