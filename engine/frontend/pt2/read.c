/* pt2/read: the graph of torch.export's schema as the text of a saved graph of torch.fx, and its weights.
 *
 * Inputs that the signature calls parameters, buffers or constants become get_attr with the values of the weights; an operator with several results
 * becomes one node and an operator.getitem for each; regions (schema.c) stand where they are called; what an argument says by a kind that a rule has no use for (device, layout) is left out. */
#include "engine/frontend/frontend-private.h"
#include "engine/base/json.h"
#include "engine/frontend/pt2/pt2-private.h"

#include <inttypes.h>
#include <string.h>

#define MODEL "model"           /* as torch.export.save calls it */
#define OLD_GRAPH "serialized_exported_program.json"    /* torch before 2.8 */
#define FIRST_SCHEMA 5
#define LAST_SCHEMA 8

typedef LsPt2Reader Reader;

/* ---- types ---------------------------------------------------------------------------------------- */

/* A union has one member, besides those that say nothing: its name and value, or NULL. */
static const char *
union_of (JsonObject *object,
          JsonNode  **value)
{
  g_autoptr (GList) names = object != NULL ? json_object_get_members (object) : NULL;

  for (GList *l = names; l != NULL; l = l->next)
    if (!JSON_NODE_HOLDS_NULL (json_object_get_member (object, l->data)))
      {
        *value = json_object_get_member (object, l->data);
        return l->data;
      }
  return NULL;
}

/* What a SymInt says where it is no number: an expression of the names of extents ("2*s0"); NULL: nothing.  Of "Mul(Integer(2), Symbol('s0',
 * integer=True))", as torch wrote it up to 2.6, "Mul(2, s0)". (transfer full) */
static char *
expression_of (JsonObject *sym_int)
{
  const char *text = ls_json_text (ls_json_object (sym_int, "as_expr"), "expr_str");
  g_autoptr (GRegex) symbols = g_regex_new ("Symbol\\('([A-Za-z0-9_]+)'[^()]*\\)|Integer\\((-?[0-9]+)\\)", G_REGEX_OPTIMIZE, 0, NULL);

  return text != NULL ? g_regex_replace (symbols, text, -1, 0, "\\1\\2", 0, NULL) : NULL;
}

/* The same as an array of the graph of torch.fx: numbers, and texts where an extent is not fixed.  NULL: one says nothing. (transfer full) */
static JsonArray *
read_extents (JsonArray *list)
{
  JsonArray *extents = json_array_new ();

  for (guint i = 0; list != NULL && i < json_array_get_length (list); i++)
    {
      JsonObject *one = ls_pt2_object_at (list, i);
      g_autofree char *expression = one != NULL ? expression_of (one) : NULL;
      gint64 value;

      if (ls_pt2_int_of (one != NULL ? json_object_get_member (one, "as_int") : json_array_get_element (list, i), &value))
        json_array_add_int_element (extents, value);
      else if (expression != NULL)
        json_array_add_string_element (extents, expression);
      else
        break;
    }
  if (list != NULL && json_array_get_length (extents) == json_array_get_length (list))
    return extents;
  json_array_unref (extents);
  return NULL;
}

/* "shape" and "dtype" of a value, where they are known. */
static void
put_type (Reader     *self,
          const char *name)
{
  JsonObject *meta = ls_json_object (self->types, name);
  const char *dtype = ls_pt2_dtype_name (meta != NULL ? ls_pt2_dtype_of (json_object_get_member (meta, "dtype")) : 0);
  JsonArray *shape = dtype != NULL ? read_extents (ls_json_array (meta, "sizes")) : NULL;
  JsonNode *node;

  if (shape == NULL)
    return;
  node = json_node_new (JSON_NODE_ARRAY);
  json_node_take_array (node, shape);
  json_builder_set_member_name (self->out, "shape");
  json_builder_add_value (self->out, node);
  json_builder_set_member_name (self->out, "dtype");
  json_builder_add_string_value (self->out, dtype);
}

/* ---- nodes ----------------------------------------------------------------------------------------------- */

static void
begin_node (Reader     *self,
            const char *name,
            const char *op,
            const char *target)
{
  json_builder_begin_object (self->out);
  json_builder_set_member_name (self->out, "name");
  json_builder_add_string_value (self->out, name);
  json_builder_set_member_name (self->out, "op");
  json_builder_add_string_value (self->out, op);
  json_builder_set_member_name (self->out, "target");
  json_builder_add_string_value (self->out, target);
}

/* A node by its own name. */
static void
put_whole (Reader     *self,
           const char *name)
{
  json_builder_begin_object (self->out);
  json_builder_set_member_name (self->out, "node");
  json_builder_add_string_value (self->out, name);
  json_builder_end_object (self->out);
}

/* A value by the name that it has in the graph that is read. */
static void
put_reference (Reader     *self,
               const char *name)
{
  put_whole (self, ls_pt2_real_name (self, name));
}

static void
put_extent (Reader     *self,
            const char *expression)
{
  json_builder_begin_object (self->out);
  json_builder_set_member_name (self->out, "extent");
  json_builder_add_string_value (self->out, expression);
  json_builder_end_object (self->out);
}

static void
put_unread (Reader     *self,
            const char *what)
{
  json_builder_begin_object (self->out);
  json_builder_set_member_name (self->out, "unread");
  json_builder_add_string_value (self->out, what);
  json_builder_end_object (self->out);
}

/* A number by its name: itself, or what it is computed of; fractions and truths that only a run knows are not read. */
static void
put_number (Reader     *self,
            const char *name)
{
  JsonObject *number = ls_json_object (self->sym_ints, name);
  g_autofree char *expression = number != NULL ? expression_of (number) : NULL;
  gint64 value;

  if (number != NULL && ls_pt2_int_of (json_object_get_member (number, "as_int"), &value))
    json_builder_add_int_value (self->out, value);
  else if (expression != NULL)
    put_extent (self, expression);
  else
    put_unread (self, name);
}

/* A number or a text; of a float also those that JSON has no number for. */
static void
put_plain (Reader   *self,
           JsonNode *value,
           gboolean  is_float)
{
  const char *text = is_float && JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING ? json_node_get_string (value) : NULL;
  const char *ours = text != NULL ? ls_pt2_odd_float (text) : NULL;

  if (ours == NULL)
    {
      json_builder_add_value (self->out, json_node_copy (value));
      return;
    }
  json_builder_begin_object (self->out);
  json_builder_set_member_name (self->out, "float");
  json_builder_add_string_value (self->out, ours);
  json_builder_end_object (self->out);
}

static gboolean put_argument (Reader *self, JsonObject *argument);

/* Of a list each item as it is, a name, or what a union of its own says. */
static gboolean
put_list (Reader    *self,
          JsonArray *list,
          gboolean   floats)
{
  json_builder_begin_array (self->out);
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *one = ls_pt2_object_at (list, i);

      if (one == NULL)
        put_plain (self, json_array_get_element (list, i), floats);
      else if (ls_json_text (one, "name") != NULL)
        put_reference (self, ls_json_text (one, "name"));
      else if (!put_argument (self, one))
        return FALSE;
    }
  json_builder_end_array (self->out);
  return TRUE;
}

static gboolean
put_argument (Reader     *self,
              JsonObject *argument)
{
  JsonNode *value = NULL;
  const char *kind = union_of (argument, &value);
  gint64 number;

  if (kind == NULL)
    return ls_pt2_fail (self, LS_TEXT ("an argument in %s says nothing"), self->graph);
  if (strcmp (kind, "as_none") == 0 || strcmp (kind, "as_device") == 0 || strcmp (kind, "as_layout") == 0 || strcmp (kind, "as_memory_format") == 0)
    json_builder_add_null_value (self->out);
  else if (strcmp (kind, "as_scalar_type") == 0 && ls_pt2_dtype_name (number = ls_pt2_dtype_of (value)) != NULL)
    {
      json_builder_begin_object (self->out);
      json_builder_set_member_name (self->out, "dtype");
      json_builder_add_string_value (self->out, ls_pt2_dtype_name (number));
      json_builder_end_object (self->out);
    }
  else if (JSON_NODE_HOLDS_ARRAY (value))
    return put_list (self, json_node_get_array (value), strcmp (kind, "as_floats") == 0);
  else if (strcmp (kind, "as_name") == 0 && JSON_NODE_HOLDS_VALUE (value) && json_node_get_value_type (value) == G_TYPE_STRING)
    put_number (self, json_node_get_string (value));
  else if (JSON_NODE_HOLDS_VALUE (value) && strcmp (kind, "as_operator") != 0)
    put_plain (self, value, strcmp (kind, "as_float") == 0);
  else if (strcmp (kind, "as_tensor") == 0 && JSON_NODE_HOLDS_OBJECT (value) && ls_json_text (json_node_get_object (value), "name") != NULL)
    put_reference (self, ls_json_text (json_node_get_object (value), "name"));
  else if ((g_str_has_prefix (kind, "as_sym_") || strcmp (kind, "as_optional_tensor") == 0) && JSON_NODE_HOLDS_OBJECT (value))
    return put_argument (self, json_node_get_object (value));
  else          /* a graph, an object of the user's: the node that has it is not translated */
    put_unread (self, kind);
  return TRUE;
}

static gboolean
put_arguments (Reader     *self,
               JsonObject *node)
{
  JsonArray *inputs = ls_json_array (node, "inputs");

  for (guint round = 0; round < 2; round++)
    {
      json_builder_set_member_name (self->out, round == 0 ? "args" : "kwargs");
      if (round == 0)
        json_builder_begin_array (self->out);
      else
        json_builder_begin_object (self->out);
      for (guint i = 0; inputs != NULL && i < json_array_get_length (inputs); i++)
        {
          JsonObject *input = ls_pt2_object_at (inputs, i), *argument = ls_json_object (input, "arg");

          if (argument == NULL || ls_json_text (input, "name") == NULL)
            return ls_pt2_fail (self, LS_TEXT ("an input of %s has no name or says nothing"), ls_json_text (node, "target"));
          if (ls_pt2_is_keyword (input) != (round == 1))
            continue;
          if (round == 1)
            json_builder_set_member_name (self->out, ls_json_text (input, "name"));
          if (!put_argument (self, argument))
            return FALSE;
        }
      if (round == 0)
        json_builder_end_array (self->out);
      else
        json_builder_end_object (self->out);
    }
  return TRUE;
}

static void
put_module (Reader     *self,
            const char *module)
{
  if (module == NULL || *module == '\0')
    return;
  json_builder_set_member_name (self->out, "module");
  json_builder_add_string_value (self->out, module);
}

static gboolean put_nodes (Reader *self, JsonArray *nodes);

/* The nodes of that graph in place of the node, whose results have these names. */
static gboolean
put_region (Reader     *self,
            JsonObject *node,
            JsonObject *region,
            guint       n_given,
            GPtrArray  *results)
{
  const Reader outside = *self;
  g_autoptr (GHashTable) names = ls_pt2_names_inside (self, node, region, n_given);
  g_autoptr (GPtrArray) inside = ls_pt2_results (region);
  g_autofree char *own = g_strdup (ls_pt2_real_name (self, results->pdata[0]));
  gboolean done;

  if (inside->len != results->len)
    return ls_pt2_fail (self, LS_TEXT ("%s gives %u values, its graph %u"), ls_json_text (node, "target"), results->len, inside->len);
  self->types = ls_json_object (region, "tensor_values");
  self->sym_ints = ls_json_object (region, "sym_int_values");
  self->names = names;
  self->region = own;
  done = put_nodes (self, ls_json_array (region, "nodes"));
  self->types = outside.types;
  self->sym_ints = outside.sym_ints;
  self->names = outside.names;
  self->region = outside.region;
  for (guint i = 0; done && i < results->len; i++)
    {
      const char *real = g_hash_table_lookup (names, inside->pdata[i]);

      g_hash_table_insert (self->names, results->pdata[i], g_strdup (real != NULL ? real : inside->pdata[i]));
    }
  return done;
}

static gboolean
put_node (Reader     *self,
          JsonObject *node,
          guint       number)
{
  const char *target = ls_json_text (node, "target");
  g_autoptr (GPtrArray) names = node != NULL ? ls_pt2_results (node) : NULL;
  JsonArray *outputs = node != NULL ? ls_json_array (node, "outputs") : NULL;
  g_autofree char *whole = NULL, *module = NULL;
  JsonObject *region;
  gboolean tuple;
  guint n_given;

  if (target == NULL)
    return ls_pt2_fail (self, LS_TEXT ("node %u of %s has no target"), number + 1, self->graph);
  if (names->len == 0)          /* numbers, which stand where they are used, or nothing */
    return TRUE;
  region = ls_pt2_region (node, &n_given);
  if (region != NULL)
    return put_region (self, node, region, n_given, names);
  tuple = names->len > 1 || ls_json_array (ls_pt2_object_at (outputs, 0), "as_tensors") != NULL;
  whole = g_strconcat (ls_pt2_own_name (self, names->pdata[0]), tuple ? "_all" : NULL, NULL);
  module = ls_pt2_module_of (node);
  begin_node (self, whole, "call_function", target);
  put_module (self, module);
  if (!put_arguments (self, node))
    return FALSE;
  if (!tuple)
    put_type (self, names->pdata[0]);
  json_builder_end_object (self->out);
  for (guint i = 0; tuple && i < names->len; i++)
    {
      begin_node (self, ls_pt2_own_name (self, names->pdata[i]), "call_function", "operator.getitem");
      put_module (self, module);
      ls_json_begin_array (self->out, "args");
      put_whole (self, whole);
      json_builder_add_int_value (self->out, i);
      json_builder_end_array (self->out);
      put_type (self, names->pdata[i]);
      json_builder_end_object (self->out);
    }
  return TRUE;
}

static gboolean
put_nodes (Reader    *self,
           JsonArray *nodes)
{
  for (guint i = 0; nodes != NULL && i < json_array_get_length (nodes); i++)
    if (!put_node (self, ls_pt2_object_at (nodes, i), i))
      return FALSE;
  return TRUE;
}

/* Inputs that are weights, by the signature. */
static void
note_weights (Reader    *self,
              JsonArray *specs)
{
  static const char *const KINDS[][2] = { { "parameter", "parameter_name" }, { "buffer", "buffer_name" }, { "tensor_constant", "tensor_constant_name" } };

  for (guint i = 0; specs != NULL && i < json_array_get_length (specs); i++)
    for (guint k = 0; k < G_N_ELEMENTS (KINDS); k++)
      {
        JsonObject *one = ls_json_object (ls_pt2_object_at (specs, i), KINDS[k][0]);
        const char *input = ls_json_text (ls_json_object (one, "arg"), "name"), *weight = ls_json_text (one, KINDS[k][1]);

        if (input != NULL && weight != NULL)
          g_hash_table_insert (self->weights, (gpointer) input, (gpointer) weight);
      }
}

static gboolean
put_inputs (Reader    *self,
            JsonArray *inputs)
{
  for (guint i = 0; inputs != NULL && i < json_array_get_length (inputs); i++)
    {
      const char *name = ls_json_text (ls_json_object (ls_pt2_object_at (inputs, i), "as_tensor"), "name");
      const char *weight = name != NULL ? g_hash_table_lookup (self->weights, name) : NULL;

      if (name == NULL)         /* a number or nothing, which stands where it is used */
        continue;
      if (weight != NULL && !g_hash_table_contains (self->tensors, weight))
        return ls_pt2_fail (self, LS_TEXT ("the archive has no values for the weight %s"), weight);
      begin_node (self, name, weight != NULL ? "get_attr" : "placeholder", weight != NULL ? weight : name);
      ls_json_begin_array (self->out, "args");
      json_builder_end_array (self->out);
      put_type (self, name);
      json_builder_end_object (self->out);
    }
  return TRUE;
}

/* What the user gets: one value, or a tuple of them. */
static gboolean
put_output (Reader    *self,
            JsonArray *specs)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; specs != NULL && i < json_array_get_length (specs); i++)
    {
      JsonObject *user = ls_json_object (ls_pt2_object_at (specs, i), "user_output");
      const char *name = ls_json_text (ls_json_object (ls_json_object (user, "arg"), "as_tensor"), "name");

      if (name != NULL)
        g_ptr_array_add (names, (gpointer) name);
    }
  if (names->len == 0)
    return ls_pt2_fail (self, LS_TEXT ("the graph gives no tensor"));
  begin_node (self, "output", "output", "output");
  ls_json_begin_array (self->out, "args");
  if (names->len > 1)
    json_builder_begin_array (self->out);
  for (guint i = 0; i < names->len; i++)
    put_reference (self, names->pdata[i]);
  if (names->len > 1)
    json_builder_end_array (self->out);
  json_builder_end_array (self->out);
  json_builder_end_object (self->out);
  return TRUE;
}

static gboolean
put_graph (Reader     *self,
           JsonObject *module)
{
  JsonObject *graph = ls_json_object (module, "graph"), *signature = ls_json_object (module, "signature");
  JsonArray *nodes = ls_json_array (graph, "nodes");

  if (nodes == NULL || signature == NULL)
    return ls_pt2_fail (self, LS_TEXT ("%s has no graph_module with graph and signature"), self->graph);
  self->all_types = self->types = ls_json_object (graph, "tensor_values");
  self->sym_ints = ls_json_object (graph, "sym_int_values");
  note_weights (self, ls_json_array (signature, "input_specs"));
  if (!put_inputs (self, ls_json_array (graph, "inputs")))
    return FALSE;
  if (!put_nodes (self, nodes))
    return FALSE;
  return put_output (self, ls_json_array (signature, "output_specs"));
}

/* What the program demands of its extents: each with its least and its largest number, where it says them. */
static void
put_bounds (Reader     *self,
            JsonObject *constraints)
{
  static const char *const WHICH[] = { "min_val", "max_val" };
  g_autoptr (GList) names = constraints != NULL ? json_object_get_members (constraints) : NULL;

  json_builder_set_member_name (self->out, "bounds");
  json_builder_begin_object (self->out);
  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonObject *one = ls_json_object (constraints, l->data);

      ls_json_begin_array (self->out, l->data);
      for (guint i = 0; i < G_N_ELEMENTS (WHICH); i++)
        {
          gint64 value;

          if (one != NULL && ls_pt2_int_of (json_object_get_member (one, WHICH[i]), &value))
            json_builder_add_int_value (self->out, value);
          else
            json_builder_add_null_value (self->out);
        }
      json_builder_end_array (self->out);
    }
  json_builder_end_object (self->out);
}

static void
find_graph (Reader *self)
{
  self->graph = g_strdup ("models/" MODEL ".json");
  self->model = g_strdup (MODEL);
  if (ls_zip_has (self->zip, self->graph))
    return;
  g_free (self->graph);
  self->graph = NULL;
  if (!ls_zip_has (self->zip, OLD_GRAPH))
    {
      g_autofree char *first = ls_zip_first (self->zip, "models/", ".json");

      if (first != NULL)
        {
          g_free (self->model);
          self->model = g_steal_pointer (&first);
        }
      self->graph = g_strdup_printf ("models/%s.json", self->model);
      return;
    }
  self->graph = g_strdup (OLD_GRAPH);
}

static gboolean
read_all (Reader *self)
{
  g_autoptr (JsonParser) parser = NULL;
  JsonObject *root, *version;
  gint64 major = 0;

  find_graph (self);
  parser = ls_pt2_read_json (self, self->graph);
  if (parser == NULL)
    return FALSE;
  root = json_node_get_object (json_parser_get_root (parser));
  version = ls_json_object (root, "schema_version");
  if (version != NULL && ls_pt2_int_of (json_object_get_member (version, "major"), &major) && (major < FIRST_SCHEMA || major > LAST_SCHEMA))
    return ls_pt2_fail (self, LS_TEXT ("%s is of version %" PRId64 " of the schema; %d to %d are read"), self->graph, major, FIRST_SCHEMA, LAST_SCHEMA);
  if (!ls_pt2_read_weights (self))
    return FALSE;
  json_builder_begin_object (self->out);
  json_builder_set_member_name (self->out, "format");
  json_builder_add_string_value (self->out, "loopscope.fx");
  ls_json_begin_array (self->out, "nodes");
  if (!put_graph (self, ls_json_object (root, "graph_module")))
    return FALSE;
  json_builder_end_array (self->out);
  put_bounds (self, ls_json_object (root, "range_constraints"));
  json_builder_end_object (self->out);
  return TRUE;
}

LsFxGraph *
ls_pt2_parse (const char    *name,
              gconstpointer  data,
              gsize          size,
              GError       **error)
{
  g_autoptr (LsZip) zip = ls_zip_open (name, data, size, error);
  g_autoptr (GHashTable) weights = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  g_autoptr (JsonBuilder) out = json_builder_new ();
  GError *problem = NULL;
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Reader self = { .name = name, .zip = zip, .weights = weights, .tensors = tensors, .names = names, .taken = taken, .notes = notes, .out = out, .error = &problem };
  LsFxGraph *graph;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  gboolean done;

  if (zip == NULL)
    return NULL;
  done = read_all (&self);
  g_free (self.graph);
  g_free (self.model);
  if (!done)
    {
      g_propagate_error (error, problem);
      return NULL;
    }
  root = json_builder_get_root (out);
  text = json_to_string (root, FALSE);
  graph = ls_fx_graph_parse (name, text, strlen (text), tensors, error);
  if (graph != NULL)
    graph->notes = g_steal_pointer (&notes);
  return graph;
}

LsFxGraph *
ls_pt2_read (const char *path,
             GError    **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);

  return file != NULL ? ls_pt2_parse (path, g_mapped_file_get_contents (file), g_mapped_file_get_length (file), error) : NULL;
}
