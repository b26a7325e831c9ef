/* fx/import: a graph node by node (TVM's from_fx).  Each error is put behind the node's place, name and target. */
#include "engine/frontend/frontend-private.h"

#include <string.h>

#define MOST_RESULTS 64         /* of a node that is not translated */

/* ---- nodes ----------------------------------------------------------------------------- */

static LsRelaxVar *
placeholder_var (LsFxImport *self)
{
  LsArray *extents;
  LsDType dtype;

  if (self->node->shape == NULL || self->node->dtype == NULL || !ls_dtype_parse (self->node->dtype, &dtype))
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "an input needs a shape and a dtype");
  extents = ls_fx_extents_read (self, self->node->shape, TRUE);
  return extents != NULL ? ls_relax_var_new (self->node->target, ls_tensor_struct_info_new (ls_shape_expr_new (extents), LS_UNKNOWN_NDIM, dtype, NULL)) : NULL;
}

static LsFxValue *
placeholder (LsFxImport *self,
             guint      *place)
{
  LsArray *params = self->options->inputs;
  LsFxValue *value = g_hash_table_lookup (self->values, self->node->name);

  if (params == NULL)
    return value;
  if (*place >= params->n)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "%u inputs are given; this placeholder is number %u", params->n, *place + 1);
  return ls_fx_node (self, ls_node_ref (params->items[(*place)++]));
}

static LsFxValue *
attribute (LsFxImport *self)
{
  LsFxValue *value = ls_fx_tensor (self, self->node->target);

  return value != NULL ? value : ls_fx_fail (self, LS_FX_ERROR_GRAPH, "the tensor file has no such tensor");
}

static gboolean
read_arguments (LsFxImport *self)
{
  guint n = json_array_get_length (self->node->args);
  g_autoptr (GList) names = self->node->kwargs != NULL ? json_object_get_members (self->node->kwargs) : NULL;

  self->n_args = n;
  self->n_kwargs = g_list_length (names);
  self->args = ls_fx_alloc (self, n * sizeof *self->args);
  self->kwargs = ls_fx_alloc (self, self->n_kwargs * sizeof *self->kwargs);
  self->names = ls_fx_alloc (self, self->n_kwargs * sizeof *self->names);
  for (guint i = 0; i < n; i++)
    if ((self->args[i] = ls_fx_of_json (self, json_array_get_element (self->node->args, i))) == NULL)
      return FALSE;
  n = 0;
  for (GList *l = names; l != NULL; l = l->next, n++)
    {
      self->names[n] = l->data;
      if ((self->kwargs[n] = ls_fx_of_json (self, json_object_get_member (self->node->kwargs, l->data))) == NULL)
        return FALSE;
    }
  return TRUE;
}

static void
collect (LsFxImport *self,
         JsonNode   *json,
         GHashTable *inputs)
{
  g_autoptr (GList) items = NULL;

  if (JSON_NODE_HOLDS_OBJECT (json))
    {
      JsonNode *name = json_object_get_member (json_node_get_object (json), "node");
      LsFxValue *value = name != NULL && JSON_NODE_HOLDS_VALUE (name) ? g_hash_table_lookup (self->values, json_node_get_string (name)) : NULL;

      if (value != NULL && value->kind == LS_FX_NODE)
        g_hash_table_insert (inputs, (gpointer) json_node_get_string (name), value->node);
      items = json_object_get_values (json_node_get_object (json));
    }
  else if (JSON_NODE_HOLDS_ARRAY (json))
    items = json_array_get_elements (json_node_get_array (json));
  for (GList *l = items; l != NULL; l = l->next)
    collect (self, l->data, inputs);
}

static LsFxValue *
call_custom (LsFxImport *self)
{
  g_autoptr (GHashTable) inputs = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (JsonNode) args = json_node_new (JSON_NODE_ARRAY);
  g_autoptr (JsonNode) kwargs = json_node_new (JSON_NODE_OBJECT);

  json_node_set_array (args, self->node->args);
  collect (self, args, inputs);
  if (self->node->kwargs != NULL)
    {
      json_node_set_object (kwargs, self->node->kwargs);
      collect (self, kwargs, inputs);
    }
  return ls_fx_node (self, self->options->custom (self->node->name, inputs, self->options->custom_data, &self->error));
}

static LsFxValue *
call (LsFxImport *self)
{
  self->module = NULL;
  if (self->node->custom && self->options->custom != NULL)
    return call_custom (self);
  if (strcmp (self->node->op, "call_module") == 0)
    {
      JsonNode *module = self->graph->modules != NULL ? json_object_get_member (self->graph->modules, self->node->target) : NULL;
      JsonNode *type = module != NULL && JSON_NODE_HOLDS_OBJECT (module) ? json_object_get_member (json_node_get_object (module), "type") : NULL;

      if (type == NULL || !JSON_NODE_HOLDS_VALUE (type) || json_node_get_value_type (type) != G_TYPE_STRING)
        return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "\"modules\" has no such module with a type");
      self->module = json_node_get_object (module);
    }
  return read_arguments (self) ? ls_fx_translate (self) : NULL;
}

/* ---- the result ---------------------------------------------------------------------------- */

/* An expression, tuples included. (kept) */
static LsNode *
expression (LsFxImport *self,
            LsFxValue  *value)
{
  GPtrArray *fields;

  if (value == NULL || self->error != NULL)
    return NULL;
  if (value->kind == LS_FX_NODE && ls_is_relax_expr (value->node))
    return value->node;
  if (ls_fx_is_number (value))
    {
      LsFxValue *scalar = ls_fx_scalar (self, value, value->kind == LS_FX_REAL ? LS_FLOAT32 : value->kind == LS_FX_BOOL ? LS_BOOL : LS_INT32);

      return scalar != NULL ? scalar->node : NULL;
    }
  if (value->kind != LS_FX_LIST)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "the result is a tensor or a tuple of tensors, not %s", ls_fx_describe (self, value));
  fields = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  for (guint i = 0; i < value->n; i++)
    {
      LsNode *field = value->items[i]->kind != LS_FX_NONE ? expression (self, value->items[i]) : NULL;

      if (field != NULL)
        g_ptr_array_add (fields, ls_node_ref (field));
    }
  g_ptr_array_set_free_func (fields, NULL);
  return ls_fx_keep (self, ls_relax_tuple_new (ls_array_take_ptr_array (fields)));
}

static LsNode *
output_of (LsFxImport *self,
           LsNode     *expr)
{
  return expr != NULL ? LS_NODE (ls_block_builder_emit_output (self->builder, expr, NULL)) : NULL;
}

static LsFxValue *
output (LsFxImport *self)
{
  LsFxValue *value;
  LsNode *node;

  if (json_array_get_length (self->node->args) != 1)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "an output has one argument");
  value = ls_fx_of_json (self, json_array_get_element (self->node->args, 0));
  if (value != NULL && value->kind == LS_FX_LIST && self->options->unwrap_unit_tuple && value->n == 1)
    node = output_of (self, expression (self, value->items[0]));
  else if (value != NULL && value->kind == LS_FX_LIST && self->options->no_bind_tuple)
    {
      GPtrArray *fields = g_ptr_array_new ();

      for (guint i = 0; i < value->n; i++)
        if ((node = output_of (self, expression (self, value->items[i]))) != NULL)
          g_ptr_array_add (fields, ls_node_ref (node));
      node = ls_fx_keep (self, ls_relax_tuple_new (ls_array_take_ptr_array (fields)));
    }
  else
    node = output_of (self, expression (self, value));
  return node != NULL && self->error == NULL ? ls_fx_node (self, ls_node_ref (node)) : NULL;
}

/* ---- what no rule translates ----------------------------------------------------------------- */

/* What the graph states of a node: a tensor, of unknown shape where it does not say one. (transfer full) */
static LsStructInfo *
stated_info (LsFxImport     *self,
             const LsFxNode *node)
{
  LsArray *extents = node->shape != NULL ? ls_fx_extents_read (self, node->shape, FALSE) : NULL;
  LsDType dtype = LS_VOID;

  g_clear_error (&self->error);

  if (node->dtype == NULL || !ls_dtype_parse (node->dtype, &dtype))
    dtype = LS_VOID;
  return ls_tensor_struct_info_new (extents != NULL ? ls_shape_expr_new (extents) : NULL, LS_UNKNOWN_NDIM, dtype, NULL);
}

/* Which result of it a node takes, -1: none. */
static gint64
field_of (const LsFxNode *node,
          const char     *whole)
{
  JsonNode *of = json_array_get_length (node->args) == 2 ? json_array_get_element (node->args, 0) : NULL, *at;
  JsonNode *name = of != NULL && JSON_NODE_HOLDS_OBJECT (of) ? json_object_get_member (json_node_get_object (of), "node") : NULL;

  if (!g_str_has_suffix (node->target, "getitem") || name == NULL || !JSON_NODE_HOLDS_VALUE (name) || g_strcmp0 (json_node_get_string (name), whole) != 0)
    return -1;
  at = json_array_get_element (node->args, 1);
  return JSON_NODE_HOLDS_VALUE (at) && json_node_get_value_type (at) == G_TYPE_INT64 ? json_node_get_int (at) : -1;
}

/* Of several results, which are those that are taken from it, a tuple. (transfer full) */
static LsStructInfo *
result_info (LsFxImport *self)
{
  GPtrArray *fields = g_ptr_array_new ();

  for (guint i = self->node->place; self->node->shape == NULL && i < self->graph->nodes->len; i++)
    {
      LsFxNode *node = self->graph->nodes->pdata[i];
      gint64 at = field_of (node, self->node->name);

      while (at >= 0 && at < MOST_RESULTS && (gint64) fields->len <= at)
        g_ptr_array_add (fields, ls_tensor_struct_info_new (NULL, LS_UNKNOWN_NDIM, LS_VOID, NULL));
      if (at < 0 || at >= MOST_RESULTS)
        continue;
      ls_unref ((LsNode *) fields->pdata[at]);
      fields->pdata[at] = stated_info (self, node);
    }
  if (fields->len > 0)
    return ls_tuple_struct_info_new (ls_array_take_ptr_array (fields));
  g_ptr_array_unref (fields);
  return stated_info (self, self->node);
}

/* The tensors among the arguments, lists included, in order. */
static void
collect_tensors (LsFxImport *self,
                 JsonNode   *json,
                 GPtrArray  *args)
{
  g_autoptr (GList) items = NULL;

  if (JSON_NODE_HOLDS_OBJECT (json))
    {
      JsonNode *name = json_object_get_member (json_node_get_object (json), "node");
      LsFxValue *value = name != NULL && JSON_NODE_HOLDS_VALUE (name) && json_node_get_value_type (name) == G_TYPE_STRING
                           ? g_hash_table_lookup (self->values, json_node_get_string (name)) : NULL;

      if (value != NULL && value->kind == LS_FX_NODE && ls_is_relax_expr (value->node))
        g_ptr_array_add (args, ls_node_ref (value->node));
      for (guint i = 0; value != NULL && value->kind == LS_FX_LIST && i < value->n; i++)
        if (value->items[i]->kind == LS_FX_NODE && ls_is_relax_expr (value->items[i]->node))
          g_ptr_array_add (args, ls_node_ref (value->items[i]->node));
      items = name == NULL ? json_object_get_values (json_node_get_object (json)) : NULL;
    }
  else if (JSON_NODE_HOLDS_ARRAY (json))
    items = json_array_get_elements (json_node_get_array (json));
  for (GList *l = items; l != NULL; l = l->next)
    collect_tensors (self, l->data, args);
}

/* What stands in the place of a node that was not translated; its error is over then. */
static LsFxValue *
opaque (LsFxImport *self)
{
  const char *target = g_str_has_prefix (self->node->target, "torch.ops.") ? self->node->target + strlen ("torch.ops.") : self->node->target;
  g_autofree char *name = g_strconcat (g_str_has_prefix (target, "torch.") ? "" : "torch.", target, NULL);
  g_autoptr (JsonNode) positional = json_node_new (JSON_NODE_ARRAY), named = json_node_new (JSON_NODE_OBJECT);
  GPtrArray *args = g_ptr_array_new ();
  LsStructInfo *info;

  g_ptr_array_add (self->options->said, g_strdup (self->error->message));
  g_clear_error (&self->error);
  info = result_info (self);
  if (ls_block_builder_get_error (self->builder) != NULL)
    ls_block_builder_clear_error (self->builder);
  for (char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && *c != '_' && *c != '.')
      *c = '_';
  g_ptr_array_add (args, ls_extern_func_new (name));
  json_node_set_array (positional, self->node->args);
  collect_tensors (self, positional, args);
  if (self->node->kwargs != NULL)
    {
      json_node_set_object (named, self->node->kwargs);
      collect_tensors (self, named, args);
    }
  return ls_fx_emit (self, ls_relax_call_new (ls_relax_op_new ("relax.call_pure_packed"), ls_array_take_ptr_array (args), NULL, NULL, ls_array_new ((gpointer *) &info, 1)));
}

static gboolean
can_stand (LsFxImport *self)
{
  return self->options->said != NULL && g_str_has_prefix (self->node->op, "call_");
}

static LsFxValue *
translate (LsFxImport *self,
           guint      *place)
{
  const char *op = self->node->op;
  const GError *error;
  LsFxValue *value;

  if (strcmp (op, "placeholder") == 0)
    value = placeholder (self, place);
  else if (strcmp (op, "get_attr") == 0)
    value = attribute (self);
  else if (strcmp (op, "output") == 0)
    value = output (self);
  else
    value = call (self);
  error = ls_block_builder_get_error (self->builder);
  if (error != NULL)
    {
      g_clear_error (&self->error);
      self->error = g_error_copy (error);
    }
  if (self->error == NULL && value == NULL)
    ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "its arguments are not supported");
  if (self->error == NULL)
    return value;
  g_prefix_error (&self->error, ls_translate ("%s: node %u \"%s\" (%s %s): "), self->graph->path, self->node->place, self->node->name, op, self->node->target);
  return can_stand (self) ? opaque (self) : NULL;
}

/* ---- the function ------------------------------------------------------------------------------ */

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* A variable gets its number from an input whose extent it is; of 2 * s0 alone no call could tell s0. */
static void
check_extents (LsFxImport *self,
               GPtrArray  *params)
{
  g_autoptr (GHashTable) given = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer name, var;

  for (guint i = 0; i < params->len; i++)
    {
      LsTensorStructInfo *info = (LsTensorStructInfo *) ((LsRelaxVar *) params->pdata[i])->struct_info;
      LsArray *extents = ls_is (info, TENSOR_STRUCT_INFO) && info->shape != NULL && ls_is (info->shape, SHAPE_EXPR) ? ((LsShapeExpr *) info->shape)->values : NULL;

      for (guint k = 0; extents != NULL && k < extents->n; k++)
        g_hash_table_add (given, extents->items[k]);
    }
  g_hash_table_iter_init (&iter, self->extents);
  while (g_hash_table_iter_next (&iter, &name, &var))
    if (!g_hash_table_contains (given, var))
      ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "%s: no input has the extent %s, so that a call could not tell it", self->graph->path, (const char *) name);
}

/* The parameters: the placeholders in their order, then, if they are kept, the trainable tensors by name. */
static LsArray *
make_params (LsFxImport *self,
             guint      *n_inputs)
{
  GPtrArray *params = g_ptr_array_new ();
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; self->options->inputs != NULL && i < self->options->inputs->n; i++)
    g_ptr_array_add (params, ls_node_ref (self->options->inputs->items[i]));
  for (guint i = 0; self->options->inputs == NULL && i < self->graph->nodes->len && self->error == NULL; i++)
    {
      self->node = self->graph->nodes->pdata[i];
      if (strcmp (self->node->op, "placeholder") == 0)
        {
          LsRelaxVar *var = placeholder_var (self);

          if (var != NULL && self->error == NULL)
            g_hash_table_insert (self->values, (gpointer) self->node->name, ls_fx_node (self, ls_ref (var)));
          if (var != NULL)
            g_ptr_array_add (params, var);
          if (self->error != NULL)
            g_prefix_error (&self->error, ls_translate ("%s: node %u \"%s\": "), self->graph->path, self->node->place, self->node->name);
        }
    }
  *n_inputs = params->len;
  if (self->error == NULL)
    check_extents (self, params);
  for (guint i = 0; self->options->keep_params && self->graph->parameters != NULL && i < json_array_get_length (self->graph->parameters); i++)
    {
      JsonNode *name = json_array_get_element (self->graph->parameters, i);

      if (JSON_NODE_HOLDS_VALUE (name) && json_node_get_value_type (name) == G_TYPE_STRING)
        g_ptr_array_add (names, (gpointer) json_node_get_string (name));
    }
  g_ptr_array_sort (names, by_name);
  for (guint i = 0; i < names->len; i++)
    {
      LsTensor *tensor = g_hash_table_lookup (self->graph->tensors, names->pdata[i]);
      LsFxValue *constant = tensor != NULL ? ls_fx_node (self, ls_constant_new (ls_ref (tensor))) : NULL;
      LsRelaxVar *var;

      if (constant == NULL)
        continue;
      var = ls_relax_var_new (names->pdata[i], ls_node_ref (((LsConstant *) constant->node)->struct_info));
      g_ptr_array_add (params, var);
      g_hash_table_insert (self->params, g_strdup (names->pdata[i]), ls_fx_node (self, ls_ref (var)));
    }
  return ls_array_take_ptr_array (params);
}

/* Names and numbers of the attributes of main: what TVM's passes know of extents that are not fixed. */
static void
put_bounds (LsFxImport *self,
            const char *attribute,
            guint       which,
            GPtrArray  *keys,
            GPtrArray  *values)
{
  g_autoptr (GList) names = self->graph->bounds != NULL ? g_list_sort (json_object_get_members (self->graph->bounds), (GCompareFunc) strcmp) : NULL;
  g_autoptr (GPtrArray) bounded = g_ptr_array_new (), numbers = g_ptr_array_new ();

  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonNode *pair = json_object_get_member (self->graph->bounds, l->data), *bound;

      if (!g_hash_table_contains (self->extents, l->data) || !JSON_NODE_HOLDS_ARRAY (pair) || json_array_get_length (json_node_get_array (pair)) != 2)
        continue;
      bound = json_array_get_element (json_node_get_array (pair), which);
      if (!JSON_NODE_HOLDS_VALUE (bound) || json_node_get_value_type (bound) != G_TYPE_INT64)
        continue;
      g_ptr_array_add (bounded, l->data);
      g_ptr_array_add (numbers, ls_int_imm_new (LS_INT64, json_node_get_int (bound)));
    }
  if (bounded->len == 0)
    return;
  g_ptr_array_add (keys, (gpointer) attribute);
  g_ptr_array_add (values, ls_map_new ((const char **) bounded->pdata, numbers->pdata, bounded->len));
}

static LsMap *
make_attrs (LsFxImport *self,
            guint       n_inputs)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new (), values = g_ptr_array_new ();

  if (self->options->keep_params)
    {
      g_ptr_array_add (keys, (gpointer) "num_input");
      g_ptr_array_add (values, ls_int_imm_new (LS_INT32, n_inputs));
    }
  put_bounds (self, "tir_var_lower_bound", 0, keys, values);
  put_bounds (self, "tir_var_upper_bound", 1, keys, values);
  return keys->len > 0 ? ls_map_new ((const char **) keys->pdata, values->pdata, keys->len) : NULL;
}

static LsModule *
run (LsFxImport *self)
{
  guint n_inputs = 0, place = 0;
  g_autoptr (LsArray) params = make_params (self, &n_inputs);
  g_autoptr (LsMap) attrs = self->error == NULL ? make_attrs (self, n_inputs) : NULL;
  LsFxValue *value = NULL;

  ls_block_builder_begin_function (self->builder, "main", params, attrs, TRUE, FALSE);
  ls_block_builder_begin_dataflow (self->builder);
  for (guint i = 0; i < self->graph->nodes->len && self->error == NULL; i++)
    {
      self->node = self->graph->nodes->pdata[i];
      ls_block_builder_set_span (self->builder, self->node->span);
      value = translate (self, &place);
      if (value != NULL && g_hash_table_lookup (self->values, self->node->name) == NULL)
        g_hash_table_insert (self->values, (gpointer) self->node->name, value);
      if (strcmp (self->node->op, "output") == 0)
        break;
    }
  ls_block_builder_set_span (self->builder, LS_SPAN_NONE);
  if (self->error != NULL)
    return NULL;
  ls_block_builder_end_dataflow (self->builder);
  ls_block_builder_emit_func_output (self->builder, value->node, NULL);
  if (ls_block_builder_get_error (self->builder) != NULL)
    self->error = g_error_copy (ls_block_builder_get_error (self->builder));
  return self->error == NULL ? ls_block_builder_get (self->builder) : NULL;
}

LsModule *
ls_fx_graph_import (LsFxGraph         *self,
                    const LsFxOptions *options,
                    GError           **error)
{
  static const LsFxOptions DEFAULTS;
  g_autoptr (LsBlockBuilder) own = options == NULL || options->builder == NULL ? ls_block_builder_new (NULL) : NULL;
  g_autoptr (GHashTable) values = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) params = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) extents = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) specs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) g_array_unref);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) arena = g_ptr_array_new_with_free_func (g_free);
  LsFxImport import = { .graph = self, .options = options != NULL ? options : &DEFAULTS, .builder = own != NULL ? own : options->builder, .values = values, .params = params, .extents = extents, .specs = specs,
                        .kept = kept, .arena = arena };
  LsModule *module;

  for (guint i = 0; import.options->said != NULL && self->notes != NULL && i < self->notes->len; i++)
    g_ptr_array_add (import.options->said, g_strdup (self->notes->pdata[i]));
  module = run (&import);

  g_clear_pointer (&import.made, g_hash_table_unref);
  if (import.error != NULL)
    g_propagate_error (error, import.error);
  return module;
}
