/* json: see the header. */
#include "engine/base/json.h"

#include <math.h>

void
ls_json_put_text (JsonBuilder *builder,
                  const char  *member,
                  const char  *value)
{
  if (value == NULL)
    return;
  json_builder_set_member_name (builder, member);
  json_builder_add_string_value (builder, value);
}

void
ls_json_put_int (JsonBuilder *builder,
                 const char  *member,
                 gint64       value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_int_value (builder, value);
}

void
ls_json_put_double (JsonBuilder *builder,
                    const char  *member,
                    double       value)
{
  json_builder_set_member_name (builder, member);
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
ls_json_put_bool (JsonBuilder *builder,
                  const char  *member,
                  gboolean     value)
{
  json_builder_set_member_name (builder, member);
  json_builder_add_boolean_value (builder, value);
}

void
ls_json_put_true (JsonBuilder *builder,
                  const char  *member,
                  gboolean     value)
{
  if (value)
    ls_json_put_bool (builder, member, TRUE);
}

void
ls_json_begin_array (JsonBuilder *builder,
                     const char  *member)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_array (builder);
}

void
ls_json_begin_object (JsonBuilder *builder,
                      const char  *member)
{
  json_builder_set_member_name (builder, member);
  json_builder_begin_object (builder);
}

/* The member's value if it is of this type; NULL otherwise. */
static JsonNode *
value_of (JsonObject *object,
          const char *member,
          GType       type)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type ? node : NULL;
}

const char *
ls_json_text (JsonObject *object,
              const char *member)
{
  JsonNode *node = value_of (object, member, G_TYPE_STRING);

  return node != NULL ? json_node_get_string (node) : NULL;
}

gint64
ls_json_int (JsonObject *object,
             const char *member,
             gint64      otherwise)
{
  JsonNode *node = value_of (object, member, G_TYPE_INT64);

  return node != NULL ? json_node_get_int (node) : otherwise;
}

double
ls_json_double (JsonObject *object,
                const char *member,
                double      otherwise)
{
  JsonNode *node = value_of (object, member, G_TYPE_DOUBLE);

  if (node == NULL)
    node = value_of (object, member, G_TYPE_INT64);
  return node != NULL ? json_node_get_double (node) : otherwise;
}

gboolean
ls_json_is_true (JsonObject *object,
                 const char *member)
{
  JsonNode *node = value_of (object, member, G_TYPE_BOOLEAN);

  return node != NULL && json_node_get_boolean (node);
}

JsonArray *
ls_json_array (JsonObject *object,
               const char *member)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

JsonObject *
ls_json_object (JsonObject *object,
                const char *member)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, member) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}
