/* index-map: index maps in traces, as the JSON text in which TVM keeps any object.
 *
 *   {"root": 1, "nodes": [{"type_key": ""}, {"type_key": "tir.IndexMap", "attrs": {"final_indices": "2", ...}}, ...]}
 *
 * The objects of the map are numbered in pre-order from 1; number 0 is none.  An attribute is text: the number of an
 * object or a plain value.  Source of the form: TVM's SaveJSON.
 */
#include "engine/schedule/trace/json-private.h"
#include "engine/base/json.h"

#include <json-glib/json-glib.h>

/* ---- writing ------------------------------------------------------------------------ */

typedef struct {
  GPtrArray  *nodes;            /* of char *: the JSON of each object */
  GHashTable *numbers;          /* node -> number */
} Writer;

static guint write_object (Writer *self, LsNode *node);

static guint
reserve (Writer *self)
{
  g_ptr_array_add (self->nodes, NULL);
  return self->nodes->len - 1;
}

static guint
write_plain (Writer *self,
             char   *text)
{
  guint number = reserve (self);

  self->nodes->pdata[number] = text;
  return number;
}

static guint
write_string (Writer     *self,
              const char *value)
{
  GString *text = g_string_new ("{\"type_key\": \"runtime.String\", \"repr_str\": ");

  ls_json_write_text (text, value);
  g_string_append_c (text, '}');
  return write_plain (self, g_string_free (text, FALSE));
}

static guint
write_list (Writer  *self,
            LsArray *items)
{
  guint number = reserve (self);
  GString *text = g_string_new ("{\"type_key\": \"Array\", \"data\": [");

  for (guint i = 0; i < ls_array_n (items); i++)
    g_string_append_printf (text, "%s%u", i > 0 ? ", " : "", write_object (self, items->items[i]));
  g_string_append (text, "]}");
  self->nodes->pdata[number] = g_string_free (text, FALSE);
  return number;
}

static char *
var_attrs (Writer *self,
           LsVar  *var)
{
  guint name = write_string (self, var->name);
  guint type = write_plain (self, g_strdup_printf ("{\"type_key\": \"PrimType\", \"attrs\": {\"dtype\": \"%s\"}}", ls_dtype_name (ls_dtype (var))));

  return g_strdup_printf ("{\"dtype\": \"%s\", \"name\": \"%u\", \"span\": \"0\", \"type_annotation\": \"%u\"}", ls_dtype_name (ls_dtype (var)), name, type);
}

static char *
map_attrs (Writer     *self,
           LsIndexMap *map)
{
  guint initial = write_list (self, map->initial_indices);
  guint final = write_list (self, map->final_indices);
  guint inverse = write_object (self, map->inverse_index_map);

  return g_strdup_printf ("{\"final_indices\": \"%u\", \"initial_indices\": \"%u\", \"inverse_index_map\": \"%u\"}", final, initial, inverse);
}

static char *
expr_attrs (Writer *self,
            LsNode *node)
{
  const char *dtype = ls_dtype_name (ls_dtype (node));
  LsBinary *pair = (LsBinary *) node;
  LsSelect *select = (LsSelect *) node;

  if (ls_is (node, INT_IMM))
    return g_strdup_printf ("{\"dtype\": \"%s\", \"span\": \"0\", \"value\": \"%" G_GINT64_FORMAT "\"}", dtype, ((LsIntImm *) node)->value);
  if (ls_is (node, FLOAT_IMM))
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (number, sizeof number, "%.17g", ((LsFloatImm *) node)->value);
      return g_strdup_printf ("{\"dtype\": \"%s\", \"span\": \"0\", \"value\": \"%s\"}", dtype, number);
    }
  if (ls_kind_is_binary (ls_kind (node)))
    {
      guint a = write_object (self, LS_NODE (pair->a));
      guint b = write_object (self, LS_NODE (pair->b));

      return g_strdup_printf ("{\"a\": \"%u\", \"b\": \"%u\", \"dtype\": \"%s\", \"span\": \"0\"}", a, b, dtype);
    }
  if (ls_is (node, SELECT))
    {
      guint condition = write_object (self, LS_NODE (select->condition));
      guint yes = write_object (self, LS_NODE (select->true_value));
      guint no = write_object (self, LS_NODE (select->false_value));

      return g_strdup_printf ("{\"condition\": \"%u\", \"dtype\": \"%s\", \"false_value\": \"%u\", \"span\": \"0\", \"true_value\": \"%u\"}", condition, dtype, no, yes);
    }
  if (ls_is (node, CAST))
    return g_strdup_printf ("{\"dtype\": \"%s\", \"span\": \"0\", \"value\": \"%u\"}", dtype, write_object (self, LS_NODE (((LsCast *) node)->value)));
  return NULL;
}

static const char *
type_key_prefix (LsNode *node)
{
  return ls_is (node, INT_IMM) || ls_is (node, FLOAT_IMM) ? "" : "tir.";
}

static guint
write_object (Writer *self,
              LsNode *node)
{
  guint number = node != NULL ? GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, node)) : 0;
  char *attrs;

  if (node == NULL || number != 0)
    return number;
  number = reserve (self);
  g_hash_table_insert (self->numbers, node, GUINT_TO_POINTER (number));
  attrs = ls_is (node, INDEX_MAP) ? map_attrs (self, (LsIndexMap *) node) : ls_is_var (node) ? var_attrs (self, (LsVar *) node) : expr_attrs (self, node);
  self->nodes->pdata[number] = g_strdup_printf ("{\"type_key\": \"%s%s\", \"attrs\": %s}", type_key_prefix (node), node->klass->name, attrs != NULL ? attrs : "{}");
  g_free (attrs);
  return number;
}

char *
ls_index_map_to_json (LsIndexMap *map)
{
  g_autoptr(GHashTable) numbers = g_hash_table_new (NULL, NULL);
  g_autoptr(GPtrArray) nodes = g_ptr_array_new_with_free_func (g_free);
  Writer writer = { nodes, numbers };
  GString *text = g_string_new ("{\"root\": 1, \"nodes\": [");

  write_plain (&writer, g_strdup ("{\"type_key\": \"\"}"));
  write_object (&writer, LS_NODE (map));
  for (guint i = 0; i < nodes->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *) nodes->pdata[i]);
  g_string_append (text, "], \"b64ndarrays\": [], \"attrs\": {\"tvm_version\": \"0.20.0\"}}");
  return g_string_free (text, FALSE);
}

/* ---- reading ------------------------------------------------------------------------- */

#define MAX_DEPTH 200

typedef struct {
  JsonArray  *nodes;
  GPtrArray  *made;             /* of LsNode: what the objects became so far */
  GHashTable *results;          /* name -> LsVar: drawn numbers that free variables stand for, or NULL */
  guint       depth;
} Reader;

static LsNode *read_object (Reader *self, gint64 number);

static JsonObject *
object_at (Reader *self,
           gint64  number)
{
  JsonNode *node = number > 0 && number < json_array_get_length (self->nodes) ? json_array_get_element (self->nodes, (guint) number) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static JsonObject *
attrs_of (JsonObject *object)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, "attrs") : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static gint64
member_number (JsonObject *attrs,
               const char *name)
{
  const char *text = ls_json_text (attrs, name);

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : 0;
}

static LsArray *
read_list (Reader *self,
           gint64  number)
{
  JsonObject *object = object_at (self, number);
  JsonNode *data = object != NULL ? json_object_get_member (object, "data") : NULL;
  GPtrArray *items;

  if (data == NULL || !JSON_NODE_HOLDS_ARRAY (data))
    return NULL;
  items = g_ptr_array_new ();
  for (guint i = 0; i < json_array_get_length (json_node_get_array (data)); i++)
    {
      JsonNode *item = json_array_get_element (json_node_get_array (data), i);
      LsNode *node = JSON_NODE_HOLDS_VALUE (item) ? read_object (self, json_node_get_int (item)) : NULL;

      if (node != NULL && ls_is_expr (node))
        {
          g_ptr_array_add (items, node);
          continue;
        }
      ls_unref (node);
      g_ptr_array_set_free_func (items, (GDestroyNotify) ls_node_unref);
      g_ptr_array_unref (items);
      return NULL;
    }
  return ls_array_take_ptr_array (items);
}

static LsNode *
read_var (Reader     *self,
          JsonObject *attrs,
          LsDType     dtype)
{
  const char *name = ls_json_text (object_at (self, member_number (attrs, "name")), "repr_str");
  LsVar *result = name != NULL && self->results != NULL ? g_hash_table_lookup (self->results, name) : NULL;

  if (name == NULL)
    name = ls_json_text (attrs, "name");
  if (result != NULL)
    return LS_NODE (ls_ref (result));
  return name != NULL ? LS_NODE (ls_var_new (name, dtype)) : NULL;
}

static LsNode *
read_binary (Reader     *self,
             LsKind      kind,
             JsonObject *attrs)
{
  g_autoptr(LsNode) a = read_object (self, member_number (attrs, "a"));
  g_autoptr(LsNode) b = a != NULL ? read_object (self, member_number (attrs, "b")) : NULL;

  if (a == NULL || b == NULL || !ls_is_expr (a) || !ls_is_expr (b) || !ls_dtype_equal (ls_dtype (a), ls_dtype (b)))
    return NULL;
  return LS_NODE (ls_binary_new (kind, (LsExpr *) g_steal_pointer (&a), (LsExpr *) g_steal_pointer (&b)));
}

static LsNode *
read_map (Reader     *self,
          JsonObject *attrs)
{
  g_autoptr(LsArray) initial = read_list (self, member_number (attrs, "initial_indices"));
  g_autoptr(LsArray) final = read_list (self, member_number (attrs, "final_indices"));

  if (initial == NULL || final == NULL)
    return NULL;
  for (guint i = 0; i < initial->n; i++)
    if (!ls_is_var (initial->items[i]))
      return NULL;
  return LS_NODE (ls_index_map_new (g_steal_pointer (&initial), g_steal_pointer (&final), NULL));
}

static LsNode *
read_select (Reader     *self,
             JsonObject *attrs)
{
  g_autoptr(LsNode) condition = read_object (self, member_number (attrs, "condition"));
  g_autoptr(LsNode) yes = condition != NULL ? read_object (self, member_number (attrs, "true_value")) : NULL;
  g_autoptr(LsNode) no = yes != NULL ? read_object (self, member_number (attrs, "false_value")) : NULL;

  if (condition == NULL || yes == NULL || no == NULL || !ls_is_expr (condition) || !ls_is_expr (yes) || !ls_is_expr (no) ||
      !ls_dtype_equal (ls_dtype (yes), ls_dtype (no)))
    return NULL;
  return LS_NODE (ls_select_new ((LsExpr *) g_steal_pointer (&condition), (LsExpr *) g_steal_pointer (&yes), (LsExpr *) g_steal_pointer (&no)));
}

static LsNode *
read_buffer (Reader     *self,
             JsonObject *attrs,
             LsDType     dtype)
{
  const char *name = ls_json_text (object_at (self, member_number (attrs, "name")), "repr_str");
  g_autoptr(LsNode) data = read_object (self, member_number (attrs, "data"));
  g_autoptr(LsArray) shape = read_list (self, member_number (attrs, "shape"));

  if (name == NULL || !ls_is_var (data) || shape == NULL)
    return NULL;
  return LS_NODE (ls_buffer_new_full ((LsVar *) g_steal_pointer (&data), dtype, g_steal_pointer (&shape), NULL, NULL, name, 0, 0, 0, NULL));
}

static LsNode *
read_load (Reader     *self,
           JsonObject *attrs)
{
  g_autoptr(LsNode) buffer = read_object (self, member_number (attrs, "buffer"));
  g_autoptr(LsArray) indices = read_list (self, member_number (attrs, "indices"));

  if (!ls_is (buffer, BUFFER) || indices == NULL || indices->n != ((LsBuffer *) buffer)->shape->n)
    return NULL;
  return LS_NODE (ls_buffer_load_new ((LsBuffer *) g_steal_pointer (&buffer), g_steal_pointer (&indices), NULL));
}

static LsNode *
make_object (Reader     *self,
             const char *key,
             JsonObject *attrs)
{
  static const struct { const char *name; LsKind kind; } BINARY[] = {
    { "Add", LS_KIND_ADD }, { "Sub", LS_KIND_SUB }, { "Mul", LS_KIND_MUL }, { "Div", LS_KIND_DIV }, { "Mod", LS_KIND_MOD },
    { "FloorDiv", LS_KIND_FLOOR_DIV }, { "FloorMod", LS_KIND_FLOOR_MOD }, { "Min", LS_KIND_MIN }, { "Max", LS_KIND_MAX },
    { "EQ", LS_KIND_EQ }, { "NE", LS_KIND_NE }, { "LT", LS_KIND_LT }, { "LE", LS_KIND_LE }, { "GT", LS_KIND_GT },
    { "GE", LS_KIND_GE }, { "And", LS_KIND_AND }, { "Or", LS_KIND_OR },
  };
  const char *dtype_text = ls_json_text (attrs, "dtype");
  const char *name = g_str_has_prefix (key, "tir.") ? key + strlen ("tir.") : key;
  LsDType dtype = LS_INT32;

  if (dtype_text != NULL && !ls_dtype_parse (dtype_text, &dtype))
    return NULL;
  if (strcmp (name, "IndexMap") == 0)
    return read_map (self, attrs);
  if (strcmp (name, "Var") == 0 || strcmp (name, "SizeVar") == 0)
    return read_var (self, attrs, dtype);
  if (strcmp (name, "IntImm") == 0)
    return LS_NODE (ls_int_imm_new (dtype, member_number (attrs, "value")));
  if (strcmp (name, "FloatImm") == 0 && ls_json_text (attrs, "value") != NULL)
    return LS_NODE (ls_float_imm_new (dtype, g_ascii_strtod (ls_json_text (attrs, "value"), NULL)));
  if (strcmp (name, "Select") == 0)
    return read_select (self, attrs);
  if (strcmp (name, "Buffer") == 0)
    return read_buffer (self, attrs, dtype);
  if (strcmp (name, "BufferLoad") == 0)
    return read_load (self, attrs);
  if (strcmp (name, "Cast") == 0)
    {
      LsNode *value = read_object (self, member_number (attrs, "value"));

      if (value != NULL && ls_is_expr (value))
        return LS_NODE (ls_cast_new (dtype, (LsExpr *) value));
      ls_unref (value);
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (BINARY); i++)
    if (strcmp (BINARY[i].name, name) == 0)
      return read_binary (self, BINARY[i].kind, attrs);
  return NULL;
}

static LsNode *
read_object (Reader *self,
             gint64  number)
{
  JsonObject *object = object_at (self, number);
  JsonObject *attrs = attrs_of (object);
  const char *key = ls_json_text (object, "type_key");

  if (key == NULL || attrs == NULL || self->depth > MAX_DEPTH)
    return NULL;
  if (self->made->pdata[number] == NULL)
    {
      self->depth++;
      self->made->pdata[number] = make_object (self, key, attrs);
      self->depth--;
    }
  return ls_node_ref (self->made->pdata[number]);
}

LsIndexMap *
ls_index_map_from_json (const char *text,
                        GHashTable *results)
{
  g_autoptr(JsonParser) parser = json_parser_new ();
  JsonNode *root = ls_json_is_flat (text) && json_parser_load_from_data (parser, text, -1, NULL) ? json_parser_get_root (parser) : NULL;
  JsonObject *whole = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonNode *nodes = whole != NULL ? json_object_get_member (whole, "nodes") : NULL;
  JsonNode *first = whole != NULL ? json_object_get_member (whole, "root") : NULL;
  g_autoptr(GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr(LsNode) map = NULL;
  Reader reader;

  if (nodes == NULL || first == NULL || !JSON_NODE_HOLDS_ARRAY (nodes) || !JSON_NODE_HOLDS_VALUE (first))
    return NULL;
  reader = (Reader) { json_node_get_array (nodes), made, results, 0 };
  g_ptr_array_set_size (made, (gint) json_array_get_length (reader.nodes));
  map = read_object (&reader, json_node_get_int (first));
  return ls_is (map, INDEX_MAP) ? (LsIndexMap *) g_steal_pointer (&map) : NULL;
}
