/* fx/read: the file of nodes, and its table.
 *
 * Every node is checked on its own and against those before it: a name is given once, and an argument names a node that stands
 * before (a graph is acyclic because of this).
 */
#include "engine/frontend/frontend-private.h"
#include "engine/base/json.h"

#include <string.h>

#define MAX_DEPTH 64

G_DEFINE_QUARK (ls-fx-error-quark, ls_fx_error)

static const char *const KINDS[] = { "placeholder", "get_attr", "call_function", "call_module", "call_method", "output", NULL };

gboolean
ls_fx_json_load (JsonParser *parser,
                 const char *text,
                 gsize       length,
                 GError    **error)
{
  gboolean in_text = FALSE;
  guint depth = 0;

  if (length > G_MAXINT32 || !g_utf8_validate (text, (gssize) length, NULL))
    {
      g_set_error_literal (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("it is no UTF-8 text"));
      return FALSE;
    }
  for (gsize i = 0; i < length; i++)
    if (in_text && text[i] == '\\')
      i++;
    else if (text[i] == '"')
      in_text = !in_text;
    else if (!in_text && (text[i] == '[' || text[i] == '{') && ++depth > MAX_DEPTH)
      {
        g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("it is nested more than %d deep"), MAX_DEPTH);
        return FALSE;
      }
    else if (!in_text && (text[i] == ']' || text[i] == '}') && depth > 0)
      depth--;
  return json_parser_load_from_data (parser, text, (gssize) length, error) && json_parser_get_root (parser) != NULL
         ? TRUE : (error != NULL && *error == NULL ? (g_set_error_literal (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("it is empty")), FALSE) : FALSE);
}

static JsonNode *
member_of (JsonObject  *object,
           const char  *name,
           JsonNodeType type)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_TYPE (node) == type ? node : NULL;
}

/* The name of a node in an argument that is not among `known`, or NULL. */
static const char *
unknown_reference (JsonNode   *node,
                   GHashTable *known)
{
  g_autoptr (GList) items = NULL;
  const char *name = NULL;

  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObject *object = json_node_get_object (node);

      if ((name = ls_json_text (object, "node")) != NULL)
        return g_hash_table_contains (known, name) ? NULL : name;
      items = json_object_get_values (object);
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    items = json_array_get_elements (json_node_get_array (node));
  name = NULL;
  for (GList *l = items; l != NULL && name == NULL; l = l->next)
    name = unknown_reference (l->data, known);
  return name;
}

static LsFxNode *
read_node (LsFxGraph  *self,
           JsonNode   *json,
           GHashTable *known,
           GError    **error)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (json) ? json_node_get_object (json) : NULL;
  guint place = self->nodes->len + 1;
  JsonNode *args, *kwargs, *shape;
  const char *missing = NULL;
  LsFxNode node = { .place = place };

  if (object == NULL || (node.name = ls_json_text (object, "name")) == NULL || (node.op = ls_json_text (object, "op")) == NULL
      || (node.target = ls_json_text (object, "target")) == NULL || (args = member_of (object, "args", JSON_NODE_ARRAY)) == NULL)
    {
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("%s: node %u: an object with texts name, op and target and a list args is expected"), self->path, place);
      return NULL;
    }
  kwargs = member_of (object, "kwargs", JSON_NODE_OBJECT);
  shape = member_of (object, "shape", JSON_NODE_ARRAY);
  node.args = json_node_get_array (args);
  node.kwargs = kwargs != NULL ? json_node_get_object (kwargs) : NULL;
  node.shape = shape != NULL ? json_node_get_array (shape) : NULL;
  node.dtype = ls_json_text (object, "dtype");
  node.module = strcmp (node.op, "call_module") == 0 ? node.target : ls_json_text (object, "module");
  node.custom = member_of (object, "custom", JSON_NODE_VALUE) != NULL;
  if (!g_strv_contains (KINDS, node.op))
    g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_GRAPH,
                 ls_translate ("%s: node %u \"%s\": op \"%s\" is none of placeholder, get_attr, call_function, call_module, call_method, output"), self->path, place, node.name, node.op);
  else if (g_hash_table_contains (known, node.name))
    g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_GRAPH, ls_translate ("%s: node %u: the name \"%s\" was given to a node before"), self->path, place, node.name);
  else if (((missing = unknown_reference (args, known)) != NULL) || (kwargs != NULL && (missing = unknown_reference (kwargs, known)) != NULL))
    g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_GRAPH,
                 ls_translate ("%s: node %u \"%s\" uses \"%s\", which does not stand before it: it is missing, or the graph has a cycle"), self->path, place, node.name, missing);
  else
    return g_memdup2 (&node, sizeof node);
  return NULL;
}

/* ---- where nodes come from ---------------------------------------------------------------- */

/* "relu, call_module act, mlp.py line 12: x = self.act(x)"; FALSE: what the file says of the source is no source. */
static gboolean
list_node (LsFxGraph      *self,
           const LsFxNode *node,
           JsonObject     *object,
           GString        *text,
           GError        **error)
{
  JsonNode *member = json_object_get_member (object, "source");
  JsonObject *source = member != NULL && JSON_NODE_HOLDS_OBJECT (member) ? json_node_get_object (member) : NULL;
  JsonNode *line = source != NULL ? json_object_get_member (source, "line") : NULL;
  const char *file = source != NULL ? ls_json_text (source, "file") : NULL, *code = source != NULL ? ls_json_text (source, "text") : NULL;
  gsize from = text->len;

  g_string_append_printf (text, "%s, %s %s", node->name, node->op, node->target);
  if (member != NULL && !JSON_NODE_HOLDS_NULL (member))
    {
      if (file == NULL || code == NULL || line == NULL || !JSON_NODE_HOLDS_VALUE (line) || json_node_get_value_type (line) != G_TYPE_INT64 ||
          json_node_get_int (line) < 1)
        {
          g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("%s: node %u \"%s\": \"source\" is an object with texts file and text and a line from 1 on"),
                       self->path, node->place, node->name);
          return FALSE;
        }
      g_string_append_printf (text, ", %s line %" G_GINT64_FORMAT ": %s", file, json_node_get_int (line), code);
    }
  for (gsize i = from; i < text->len; i++)
    if (text->str[i] == '\n' || text->str[i] == '\r')
      text->str[i] = ' ';
  g_string_append_c (text, '\n');
  return TRUE;
}

static gboolean
make_listing (LsFxGraph *self,
              JsonArray *nodes,
              GError   **error)
{
  g_autofree char *name = g_path_get_basename (self->path);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      LsFxNode *node = self->nodes->pdata[i];

      node->span.start = (guint32) text->len;
      if (!list_node (self, node, json_node_get_object (json_array_get_element (nodes, i)), text, error))
        return FALSE;
      node->span.end = (guint32) text->len - 1;
    }
  self->listing = ls_source_new (name, text->str, (gssize) text->len);
  for (guint i = 0; i < self->nodes->len; i++)
    ((LsFxNode *) self->nodes->pdata[i])->span.source = ls_source_get_id (self->listing);
  return TRUE;
}

static gboolean
read_nodes (LsFxGraph *self,
            JsonArray *nodes,
            GError   **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < json_array_get_length (nodes); i++)
    {
      LsFxNode *node = read_node (self, json_array_get_element (nodes, i), known, error);

      if (node == NULL)
        return FALSE;
      g_ptr_array_add (self->nodes, node);
      g_hash_table_add (known, (gpointer) node->name);
    }
  if (self->nodes->len > 0 && strcmp (((LsFxNode *) self->nodes->pdata[self->nodes->len - 1])->op, "output") == 0)
    return TRUE;
  g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_GRAPH, ls_translate ("%s: a node with op \"output\" is expected at the end; there is none"), self->path);
  return FALSE;
}

static LsFxGraph *
parse (const char *path,
       const char *text,
       gsize       length,
       GError    **error)
{
  g_autoptr (LsFxGraph) self = g_new0 (LsFxGraph, 1);
  g_autoptr (GError) reason = NULL;
  JsonNode *nodes, *modules, *aliases, *parameters, *bounds;
  JsonObject *root;

  g_atomic_ref_count_init (&self->refs);
  self->path = g_strdup (path);
  self->parser = json_parser_new ();
  self->nodes = g_ptr_array_new_with_free_func (g_free);
  if (!ls_fx_json_load (self->parser, text, length, &reason) || !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (self->parser)))
    {
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("%s: a JSON object is expected%s%s"), path, reason != NULL ? "; " : "", reason != NULL ? reason->message : "");
      return NULL;
    }
  root = json_node_get_object (json_parser_get_root (self->parser));
  nodes = member_of (root, "nodes", JSON_NODE_ARRAY);
  modules = member_of (root, "modules", JSON_NODE_OBJECT);
  aliases = member_of (root, "aliases", JSON_NODE_OBJECT);
  parameters = member_of (root, "parameters", JSON_NODE_ARRAY);
  bounds = member_of (root, "bounds", JSON_NODE_OBJECT);
  if (nodes == NULL || g_strcmp0 (ls_json_text (root, "format"), "loopscope.fx") != 0)
    {
      JsonNode *attrs = member_of (root, "attrs", JSON_NODE_OBJECT);

      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, "%s: %s", path,
                   attrs != NULL && json_object_has_member (json_node_get_object (attrs), "tvm_version")
                   ? ls_translate ("this is a module as save_json of TVM writes it, which only the version that wrote it reads; its TVMScript is read here: mod.script(show_meta=True)")
                   : ls_translate ("\"format\": \"loopscope.fx\" and a list \"nodes\" are expected"));
      return NULL;
    }
  self->modules = modules != NULL ? json_node_get_object (modules) : NULL;
  self->aliases = aliases != NULL ? json_node_get_object (aliases) : NULL;
  self->parameters = parameters != NULL ? json_node_get_array (parameters) : NULL;
  self->bounds = bounds != NULL ? json_node_get_object (bounds) : NULL;
  if (!read_nodes (self, json_node_get_array (nodes), error) || !make_listing (self, json_node_get_array (nodes), error))
    return NULL;
  return g_steal_pointer (&self);
}

LsFxGraph *
ls_fx_graph_parse (const char *name,
                   const char *text,
                   gsize       length,
                   GHashTable *tensors,
                   GError    **error)
{
  LsFxGraph *self = parse (name, text, length, error);

  if (self != NULL)
    self->tensors = tensors != NULL ? g_hash_table_ref (tensors) : g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

LsFxGraph *
ls_fx_graph_read (const char *path,
                  GError    **error)
{
  g_autofree char *text = NULL, *folder = g_path_get_dirname (path), *beside = NULL;
  g_autoptr (LsFxGraph) self = NULL;
  const char *file;
  gsize length;

  self = g_file_get_contents (path, &text, &length, error) ? parse (path, text, length, error) : NULL;
  if (self == NULL)
    return NULL;
  file = ls_json_text (json_node_get_object (json_parser_get_root (self->parser)), "tensors");
  if (file != NULL && (strchr (file, '/') != NULL || file[0] == '\0'))
    {
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, ls_translate ("%s: \"tensors\" names a file beside it; it says \"%s\""), path, file);
      return NULL;
    }
  beside = file != NULL ? g_build_filename (folder, file, NULL) : NULL;
  self->tensors = beside != NULL ? ls_fx_tensors_read (beside, error) : g_hash_table_new (g_str_hash, g_str_equal);
  return self->tensors != NULL ? g_steal_pointer (&self) : NULL;
}

LsFxGraph *
ls_fx_graph_ref (LsFxGraph *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_fx_graph_free (LsFxGraph *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_pointer (&self->tensors, g_hash_table_unref);
  g_ptr_array_unref (self->nodes);
  g_object_unref (self->parser);
  g_clear_pointer (&self->listing, ls_source_unref);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_free (self->path);
  g_free (self);
}

/* ---- the table -------------------------------------------------------------------------- */

static void
put_value (GString  *out,
           JsonNode *node,
           gboolean  top)
{
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);
      guint n = json_array_get_length (array);

      g_string_append_c (out, '(');
      for (guint i = 0; i < n; i++)
        {
          put_value (out, json_array_get_element (array, i), FALSE);
          g_string_append (out, i + 1 < n ? ", " : n == 1 ? "," : "");
        }
      g_string_append_c (out, ')');
    }
  else if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObject *object = json_node_get_object (node);
      g_autoptr (GList) names = json_object_get_members (object);
      const char *name = ls_json_text (object, "node");

      if (name != NULL)
        g_string_append (out, name);
      for (GList *l = name == NULL ? names : NULL; l != NULL; l = l->next)
        {
          g_string_append_printf (out, "%s'%s': ", l == names ? "{" : ", ", (char *) l->data);
          put_value (out, json_object_get_member (object, l->data), FALSE);
        }
      if (name == NULL)
        g_string_append (out, names == NULL ? "{}" : "}");
    }
  else if (JSON_NODE_HOLDS_NULL (node))
    g_string_append (out, "None");
  else if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    g_string_append (out, json_node_get_boolean (node) ? "True" : "False");
  else if (json_node_get_value_type (node) == G_TYPE_STRING)
    g_string_append_printf (out, "'%s'", json_node_get_string (node));
  else if (json_node_get_value_type (node) == G_TYPE_INT64)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, json_node_get_int (node));
  else
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (out, g_ascii_formatd (number, sizeof number, "%.17g", json_node_get_double (node)));
    }
}

char *
ls_fx_graph_tabular (LsFxGraph *self)
{
  static const char *const HEAD[] = { "opcode", "name", "target", "args", "kwargs" };
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  GString *out = g_string_new (NULL);
  gsize width[5];

  for (guint i = 0; i < 5; i++)
    g_ptr_array_add (cells, g_strdup (HEAD[i]));
  for (guint i = 0; i < self->nodes->len; i++)
    {
      LsFxNode *node = self->nodes->pdata[i];
      g_autoptr (JsonNode) args = json_node_new (JSON_NODE_ARRAY), kwargs = json_node_new (JSON_NODE_OBJECT);
      g_autoptr (JsonObject) none = json_object_new ();
      GString *arg_text = g_string_new (NULL), *kwarg_text = g_string_new (NULL);

      json_node_set_array (args, node->args);
      json_node_set_object (kwargs, node->kwargs != NULL ? node->kwargs : none);
      put_value (arg_text, args, TRUE);
      put_value (kwarg_text, kwargs, TRUE);
      g_ptr_array_add (cells, g_strdup (node->op));
      g_ptr_array_add (cells, g_strdup (node->name));
      g_ptr_array_add (cells, g_strdup (node->target));
      g_ptr_array_add (cells, g_string_free (arg_text, FALSE));
      g_ptr_array_add (cells, g_string_free (kwarg_text, FALSE));
    }
  for (guint c = 0; c < 5; c++)
    {
      width[c] = 0;
      for (guint i = c; i < cells->len; i += 5)
        width[c] = MAX (width[c], (gsize) g_utf8_strlen (cells->pdata[i], -1));
    }
  for (guint i = 0; i < cells->len; i++)
    {
      const char *cell = cells->pdata[i];

      g_string_append (out, cell);
      for (gsize k = (gsize) g_utf8_strlen (cell, -1); i % 5 < 4 && k < width[i % 5] + 2; k++)
        g_string_append_c (out, ' ');
      if (i % 5 == 4)
        g_string_append_c (out, '\n');
      for (guint c = 0; i == 4 && c < 5; c++)
        {
          for (gsize k = 0; k < width[c]; k++)
            g_string_append_c (out, '-');
          g_string_append (out, c < 4 ? "  " : "\n");
        }
    }
  return g_string_free (out, FALSE);
}
