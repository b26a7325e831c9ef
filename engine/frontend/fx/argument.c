/* fx/argument: what a node gives to its rule: arguments, attributes of its module, weights. */
#include "engine/frontend/frontend-private.h"

/* Numbers beyond it are cut, so that sums and products of a few stay numbers. */
#define LARGEST (G_GINT64_CONSTANT (1) << 48)

LsFxValue *
ls_fx_arg (LsFxImport *self,
           const char *name,
           guint       position)
{
  LsFxValue *value = position < self->n_args ? self->args[position] : NULL;

  for (guint i = 0; value == NULL && i < self->n_kwargs; i++)
    if (strcmp (self->names[i], name) == 0)
      value = self->kwargs[i];
  return value != NULL && value->kind != LS_FX_NONE ? value : NULL;
}

LsFxValue *
ls_fx_needed (LsFxImport *self,
              const char *name,
              guint       position)
{
  LsFxValue *value = ls_fx_arg (self, name, position);

  return value != NULL ? value : ls_fx_fail (self, LS_FX_ERROR_GRAPH, "it has no argument `%s` (number %u)", name, position + 1);
}

LsFxValue *
ls_fx_attr (LsFxImport *self,
            const char *name)
{
  JsonNode *member = self->module != NULL ? json_object_get_member (self->module, name) : NULL;
  LsFxValue *value = member != NULL ? ls_fx_of_json (self, member) : NULL;

  return value != NULL && value->kind != LS_FX_NONE ? value : NULL;
}

LsFxValue *
ls_fx_weight (LsFxImport *self,
              const char *name)
{
  g_autofree char *path = self->module != NULL ? g_strconcat (self->node->target, ".", name, NULL) : NULL;

  return path != NULL ? ls_fx_tensor (self, path) : NULL;
}

gint64
ls_fx_whole (LsFxImport *self,
             LsFxValue  *value,
             const char *name,
             gint64      otherwise)
{
  if (value != NULL && value->kind != LS_FX_INT && value->kind != LS_FX_BOOL)
    ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`%s` is a whole number, not %s", name, ls_fx_describe (self, value));
  return value != NULL && (value->kind == LS_FX_INT || value->kind == LS_FX_BOOL) ? CLAMP (value->i, -LARGEST, LARGEST) : otherwise;
}

gboolean
ls_fx_truth (LsFxValue *value,
             gboolean   otherwise)
{
  return value != NULL && (value->kind == LS_FX_BOOL || value->kind == LS_FX_INT) ? value->i != 0 : otherwise;
}

LsFxValue *
ls_fx_rest (LsFxImport *self,
            const char *name,
            guint       position)
{
  LsFxValue *first = ls_fx_arg (self, name, position);

  if (first != NULL && (first->kind == LS_FX_LIST || position >= self->n_args))
    return first;
  if (first != NULL && self->n_args == position + 1 && first->kind == LS_FX_NODE && ls_is (first->node, SHAPE_EXPR))
    return first;
  return ls_fx_list (self, self->args + MIN (position, self->n_args), self->n_args - MIN (position, self->n_args));
}

LsFxValue *
ls_fx_tensor (LsFxImport *self,
              const char *name)
{
  JsonNode *other = self->graph->aliases != NULL ? json_object_get_member (self->graph->aliases, name) : NULL;
  LsFxValue *value;
  LsTensor *tensor;

  if (other != NULL && JSON_NODE_HOLDS_VALUE (other) && json_node_get_value_type (other) == G_TYPE_STRING)
    name = json_node_get_string (other);
  value = g_hash_table_lookup (self->params, name);
  tensor = value == NULL ? g_hash_table_lookup (self->graph->tensors, name) : NULL;
  if (tensor == NULL)
    return value;
  value = ls_fx_node (self, ls_constant_new (ls_ref (tensor)));
  g_hash_table_insert (self->params, g_strdup (name), value);
  return value;
}
