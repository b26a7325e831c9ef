/* json: traces as the JSON that TVM keeps in its databases.
 *
 *   [[["GetBlock", [], ["C", "main"], ["b0"]],
 *     ["GetLoops", ["b0"], [], ["l1", "l2"]],
 *     ["SamplePerfectTile", ["l1"], [2, 16], ["v3", "v4"]]],
 *    [[2, [8, 8]]]]
 *
 * An instruction is its kind, its inputs (handles by name, texts in quotes of their own, "None", numbers, lists), its
 * attributes (plain values) and the names of its results; decisions stand apart, by number.  Which parameters are
 * inputs and which are attributes follows from the table of instructions.  Index maps are TVM's graph JSON
 * (index-map.c).  An expression of drawn numbers, which TVM cannot write, is written as its text.
 * Source of the form: TVM's Trace::AsJSON and the traits of its instructions.
 */
#include "engine/schedule/step/move.h"
#include "engine/schedule/trace/json-private.h"
#include "engine/schedule/trace/list.h"

#include "engine/script/parser.h"
#include "engine/script/script.h"

#include <json-glib/json-glib.h>

/* ---- kinds and parameters -------------------------------------------------------- */

static const struct { const char *name, *kind; } IRREGULAR[] = {
  { "rfactor", "RFactor" }, { "reindex", "ReIndex" }, { "unsafe_set_dtype", "UnsafeSetDType" },
};

char *
ls_instruction_kind (const LsInstruction *instruction)
{
  GString *kind;
  gboolean upper = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (IRREGULAR); i++)
    if (strcmp (IRREGULAR[i].name, instruction->name) == 0)
      return g_strdup (IRREGULAR[i].kind);
  kind = g_string_new (NULL);
  for (const char *p = instruction->name; *p != '\0'; p++)
    {
      if (*p != '_')
        g_string_append_c (kind, upper ? g_ascii_toupper (*p) : *p);
      upper = *p == '_';
    }
  return g_string_free (kind, FALSE);
}

static const LsInstruction *
instruction_of_kind (const char *kind)
{
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *own = ls_instruction_kind (rows[i]);

      if (strcmp (own, kind) == 0)
        return rows[i];
    }
  return NULL;
}

static gboolean
is_input (const LsParam *param)
{
  return param->type <= LS_PARAM_BLOCKS_OR_LOOP || param->type == LS_PARAM_FACTORS || (param->flags & LS_PARAM_INPUT) != 0;
}

/* Its items stand among the inputs one by one. */
static gboolean
is_spread (const LsParam *param)
{
  return param->type == LS_PARAM_FACTORS || (param->flags & LS_PARAM_VARIADIC) != 0;
}

static gboolean
is_typed_buffer (const LsParam *param)
{
  return param->type == LS_PARAM_BUFFER && (param->flags & LS_PARAM_BY_INDEX) == 0;
}

/* ---- writing ----------------------------------------------------------------------- */

typedef struct {
  GHashTable *names;            /* LsVar -> name (owned) */
  guint       n;
  GString    *out;
} Writer;

static void
write_float (GString *out,
             double   value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_dtostr (text, sizeof text, value);
  g_string_append (out, text);
  if (strpbrk (text, ".en") == NULL)
    g_string_append (out, ".0");
}

static void write_value (Writer *self, LsNode *value, gboolean as_input);

static void
write_items (Writer  *self,
             LsArray *items,
             gboolean as_input)
{
  g_string_append_c (self->out, '[');
  for (guint i = 0; i < ls_array_n (items); i++)
    {
      g_string_append (self->out, i > 0 ? ", " : "");
      write_value (self, items->items[i], as_input);
    }
  g_string_append_c (self->out, ']');
}

static void
write_map (Writer *self,
           LsMap  *map)
{
  g_string_append_c (self->out, '{');
  for (guint i = 0; i < map->n; i++)
    {
      g_string_append (self->out, i > 0 ? ", " : "");
      ls_json_write_text (self->out, map->keys[i]);
      g_string_append (self->out, ": ");
      write_value (self, map->values[i], FALSE);
    }
  g_string_append_c (self->out, '}');
}

static void
write_string (Writer     *self,
              const char *text,
              gboolean    as_input)
{
  g_autofree char *quoted = as_input ? g_strdup_printf ("\"%s\"", text) : NULL;

  ls_json_write_text (self->out, quoted != NULL ? quoted : text);
}

/* Drawn numbers under their names in the trace. */
static void
write_expr (Writer *self,
            LsNode *expr)
{
  g_autoptr(GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr(LsNode) named = NULL;
  g_autofree char *text = NULL;
  GHashTableIter iter;
  gpointer var, name;

  g_hash_table_iter_init (&iter, self->names);
  while (g_hash_table_iter_next (&iter, &var, &name))
    if (ls_uses (expr, var))
      g_hash_table_insert (map, var, ls_var_copy (var, name));
  named = ls_substitute (expr, map);
  if (ls_is (expr, INDEX_MAP))
    text = ls_index_map_to_json ((LsIndexMap *) named);
  else
    text = ls_script_print_expr ((LsExpr *) named);
  ls_json_write_text (self->out, text);
}

static void
write_value (Writer  *self,
             LsNode  *value,
             gboolean as_input)
{
  const char *name = value != NULL ? g_hash_table_lookup (self->names, value) : NULL;

  if (value == NULL)
    g_string_append (self->out, as_input ? "\"None\"" : "null");
  else if (name != NULL)
    ls_json_write_text (self->out, name);
  else if (ls_is (value, STRING))
    write_string (self, ((LsString *) value)->value, as_input);
  else if (ls_is (value, STRING_IMM))
    write_string (self, ((LsStringImm *) value)->value, as_input);
  else if (ls_is (value, INT_IMM))
    g_string_append_printf (self->out, "%" G_GINT64_FORMAT, ((LsIntImm *) value)->value);
  else if (ls_is (value, FLOAT_IMM))
    write_float (self->out, ((LsFloatImm *) value)->value);
  else if (ls_is (value, ARRAY))
    write_items (self, (LsArray *) value, as_input);
  else if (ls_is (value, MAP))
    write_map (self, (LsMap *) value);
  else
    write_expr (self, value);
}

static void
write_parameters (Writer            *self,
                  const LsTraceStep *step,
                  gboolean           inputs)
{
  const char *comma = "";

  g_string_append_c (self->out, '[');
  for (guint i = 0; i < step->instruction->n_params; i++)
    {
      const LsParam *param = &step->instruction->params[i];
      LsNode *value = step->args->items[i];
      LsArray *list = ls_is (value, ARRAY) ? (LsArray *) value : NULL;

      if (is_input (param) != inputs || (param->flags & LS_PARAM_UNPRINTED))
        continue;
      for (guint k = 0; is_spread (param) && k < ls_array_n (list); k++)
        {
          g_string_append (self->out, comma);
          comma = ", ";
          write_value (self, list->items[k], TRUE);
        }
      if (is_spread (param))
        continue;
      g_string_append (self->out, comma);
      comma = ", ";
      if (is_typed_buffer (param) && list != NULL && list->n == 2 && ls_is (list->items[0], STRING))
        {
          write_value (self, list->items[1], inputs);
          g_string_append_printf (self->out, ", %d", strcmp (((LsString *) list->items[0])->value, "write") == 0);
        }
      else if ((param->flags & LS_PARAM_ACCESS) && ls_is (value, STRING))
        {
          g_string_append_c (self->out, strcmp (((LsString *) value)->value, "write") == 0 ? '1' : '0');
        }
      else
        {
          write_value (self, value, inputs);
        }
    }
  g_string_append_c (self->out, ']');
}

static void
write_step (Writer            *self,
            const LsTraceStep *step)
{
  g_autofree char *kind = ls_instruction_kind (step->instruction);

  g_string_append_printf (self->out, "[\"%s\", ", kind);
  write_parameters (self, step, TRUE);
  g_string_append (self->out, ", ");
  write_parameters (self, step, FALSE);
  g_string_append (self->out, ", [");
  for (guint i = 0; i < ls_array_n (step->outputs); i++)
    {
      LsVar *var = ls_array_at (step->outputs, i, LsVar);
      char *name = g_strdup_printf ("%s%u", ls_result_prefix (step->instruction->result), self->n++);

      g_hash_table_insert (self->names, var, name);
      g_string_append_printf (self->out, "%s\"%s\"", i > 0 ? ", " : "", name);
    }
  g_string_append (self->out, "]]");
}

char *
ls_trace_to_json (LsTrace  *self,
                  gboolean  remove_postproc)
{
  g_autoptr(GHashTable) names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr(GString) decisions = g_string_new (NULL);
  Writer writer = { names, 0, g_string_new ("[[") };
  Writer second = { names, 0, decisions };

  for (guint i = 0; i < ls_trace_get_n (self); i++)
    {
      const LsTraceStep *step = ls_trace_get (self, i);

      if (remove_postproc && (step->instruction->flags & LS_INSTRUCTION_POSTPROC))
        break;
      g_string_append (writer.out, i > 0 ? ", " : "");
      write_step (&writer, step);
      if (step->decision == NULL)
        continue;
      g_string_append_printf (decisions, "%s[%u, ", decisions->len > 0 ? ", " : "", i);
      write_value (&second, step->decision, FALSE);
      g_string_append_c (decisions, ']');
    }
  g_string_append_printf (writer.out, "], [%s]]", decisions->str);
  return g_string_free (writer.out, FALSE);
}

/* ---- reading ------------------------------------------------------------------------ */

typedef struct {
  LsTrace       *trace;
  GHashTable    *results;       /* name -> LsVar (borrowed from the trace) */
  LsDiagnostics *diagnostics;
  guint          number;        /* of the instruction, from 1 */
  gboolean       good;
} Reader;

static void complain (Reader *self, const char *condition, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
complain (Reader     *self,
          const char *condition,
          const char *format,
          ...)
{
  g_autofree char *code = g_strdup_printf ("schedule/trace/%s", condition);
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  if (self->number > 0)
    ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, g_intern_string (code), LS_SPAN_NONE, "Instruction %u: %s", self->number, message);
  else
    ls_diagnostics_add (self->diagnostics, LS_SEVERITY_ERROR, g_intern_string (code), LS_SPAN_NONE, "%s", message);
  self->good = FALSE;
}

static JsonArray *
array_of (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

static JsonNode *
item_of (JsonArray *array,
         guint      i)
{
  return array != NULL && i < json_array_get_length (array) ? json_array_get_element (array, i) : NULL;
}

static const char *
text_of (JsonNode *node)
{
  return node != NULL && json_node_get_value_type (node) == G_TYPE_STRING ? json_node_get_string (node) : NULL;
}

/* Texts among inputs: "None", a result, a text in quotes, an index map, an expression of results. */
static LsNode *
read_input_text (Reader     *self,
                 const char *text)
{
  LsVar *result = g_hash_table_lookup (self->results, text);
  gsize length = strlen (text);
  g_autoptr(LsDiagnostics) findings = ls_diagnostics_new ();
  LsSource *source;
  LsExpr *expr;

  if (result != NULL)
    return LS_NODE (ls_ref (result));
  if (strcmp (text, "None") == 0)
    return NULL;
  if (length >= 2 && text[0] == '"' && text[length - 1] == '"')
    {
      g_autofree char *inner = g_strndup (text + 1, length - 2);

      return LS_NODE (ls_string_new (inner));
    }
  if (text[0] == '{')
    {
      LsIndexMap *map = ls_index_map_from_json (text, self->results);

      if (map == NULL)
        complain (self, "index-map", "Its index map cannot be read.");
      return LS_NODE (map);
    }
  source = ls_source_new ("trace", text, -1);
  expr = ls_script_parse_expr (source, self->results, LS_SCRIPT_EXPR_PLAIN, findings);
  ls_source_unref (source);
  if (expr == NULL)
    complain (self, "unknown-result", "No instruction before it gives %s.", text);
  return LS_NODE (expr);
}

static LsNode *read_value (Reader *self, JsonNode *node, gboolean as_input);

static LsNode *
read_items (Reader    *self,
            JsonArray *array,
            gboolean   as_input)
{
  GPtrArray *items = g_ptr_array_new ();

  for (guint i = 0; i < json_array_get_length (array); i++)
    g_ptr_array_add (items, read_value (self, json_array_get_element (array, i), as_input));
  return LS_NODE (ls_array_take_ptr_array (items));
}

static LsNode *
read_map (Reader     *self,
          JsonObject *object)
{
  g_autoptr(GList) keys = json_object_get_members (object);
  LsMap *map = ls_map_empty ();

  for (GList *l = keys; l != NULL; l = l->next)
    {
      g_autoptr(LsNode) value = read_value (self, json_object_get_member (object, l->data), FALSE);

      ls_take (&map, ls_map_set (map, l->data, value));
    }
  return LS_NODE (map);
}

static LsNode *
read_value (Reader   *self,
            JsonNode *node,
            gboolean  as_input)
{
  GType type;

  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return NULL;
  if (JSON_NODE_HOLDS_ARRAY (node))
    return read_items (self, json_node_get_array (node), as_input);
  if (JSON_NODE_HOLDS_OBJECT (node))
    return read_map (self, json_node_get_object (node));
  type = json_node_get_value_type (node);
  if (type == G_TYPE_STRING)
    return as_input ? read_input_text (self, json_node_get_string (node)) : LS_NODE (ls_string_new (json_node_get_string (node)));
  if (type == G_TYPE_BOOLEAN)
    return LS_NODE (ls_bool (json_node_get_boolean (node)));
  if (type == G_TYPE_DOUBLE)
    return LS_NODE (ls_float_imm_new (LS_FLOAT32, json_node_get_double (node)));
  return LS_NODE (ls_int_imm_new (ABS (json_node_get_int (node)) > G_MAXINT32 ? LS_INT64 : LS_INT32, json_node_get_int (node)));
}

/* The value of one parameter; moves `at` on. */
static LsNode *
read_parameter (Reader        *self,
                const LsParam *param,
                JsonArray     *values,
                guint         *at)
{
  gboolean as_input = is_input (param);
  LsNode *value;
  gint64 number;

  if (is_spread (param))
    {
      GPtrArray *items = g_ptr_array_new ();

      while (*at < json_array_get_length (values))
        g_ptr_array_add (items, read_value (self, item_of (values, (*at)++), TRUE));
      return LS_NODE (ls_array_take_ptr_array (items));
    }
  if (*at >= json_array_get_length (values))
    {
      complain (self, "missing-argument", "It has no %s.", param->name);
      return NULL;
    }
  value = read_value (self, item_of (values, (*at)++), as_input);
  if (is_typed_buffer (param) && ls_is (value, INT_IMM) && *at < json_array_get_length (values))
    {
      g_autoptr(LsNode) kind = read_value (self, item_of (values, (*at)++), as_input);
      gboolean is_write = (ls_as_int (kind, &number) && number == 1) || (ls_is (kind, STRING) && strcmp (((LsString *) kind)->value, "write") == 0);

      return LS_NODE (ls_array_of (ls_string_new (is_write ? "write" : "read"), value, NULL));
    }
  if ((param->flags & LS_PARAM_ACCESS) && ls_as_int (value, &number))
    ls_take (&value, LS_NODE (ls_string_new (number == 1 ? "write" : "read")));
  if (param->type == LS_PARAM_BOOL && ls_as_int (value, &number))
    ls_take (&value, LS_NODE (ls_bool (number != 0)));
  if ((param->type == LS_PARAM_INDEX_MAP || param->type == LS_PARAM_VALUE) && !as_input && ls_is (value, STRING) && ((LsString *) value)->value[0] == '{')
    {
      LsIndexMap *map = ls_index_map_from_json (((LsString *) value)->value, self->results);

      if (map != NULL)
        ls_take (&value, LS_NODE (map));
    }
  if (!ls_param_accepts (param, value) && self->good)
    complain (self, "argument", "Its %s is no value for that argument.", param->name);
  return value;
}

static LsArray *
read_arguments (Reader              *self,
                const LsInstruction *row,
                JsonArray           *inputs,
                JsonArray           *attrs)
{
  GPtrArray *args = g_ptr_array_new ();
  guint at_input = 0, at_attr = 0;

  for (guint i = 0; i < row->n_params; i++)
    {
      const LsParam *param = &row->params[i];

      if (param->flags & LS_PARAM_UNPRINTED)
        g_ptr_array_add (args, ls_param_default (param));
      else if (is_input (param))
        g_ptr_array_add (args, read_parameter (self, param, inputs, &at_input));
      else if (at_attr >= json_array_get_length (attrs) && param->default_text != NULL)
        g_ptr_array_add (args, ls_param_default (param));
      else
        g_ptr_array_add (args, read_parameter (self, param, attrs, &at_attr));
    }
  if (self->good && (at_input < json_array_get_length (inputs) || at_attr < json_array_get_length (attrs)))
    complain (self, "too-many-arguments", "It has more inputs or attributes than %s takes.", row->name);
  return ls_array_take_ptr_array (args);
}

static LsArray *
read_outputs (Reader              *self,
              const LsInstruction *row,
              JsonArray           *names)
{
  const char *prefix = ls_result_prefix (row->result);
  GPtrArray *outputs = g_ptr_array_new ();

  for (guint i = 0; i < json_array_get_length (names); i++)
    {
      const char *name = text_of (item_of (names, i));
      LsVar *var = ls_var_new (prefix, prefix[0] == 'v' ? LS_INT32 : LS_HANDLE);

      g_ptr_array_add (outputs, var);
      if (name == NULL)
        complain (self, "result", "The names of its results are no texts.");
      else
        g_hash_table_insert (self->results, g_strdup (name), ls_ref (var));
    }
  return ls_array_take_ptr_array (outputs);
}

static void
read_step (Reader   *self,
           JsonNode *node,
           LsNode   *decision)
{
  JsonArray *entry = array_of (node);
  const char *kind = text_of (item_of (entry, 0));
  JsonArray *inputs = array_of (item_of (entry, 1));
  JsonArray *attrs = array_of (item_of (entry, 2));
  JsonArray *outputs = array_of (item_of (entry, 3));
  const LsInstruction *row = kind != NULL ? instruction_of_kind (kind) : NULL;
  g_autoptr(LsArray) args = NULL;
  g_autoptr(LsArray) results = NULL;

  if (kind == NULL || inputs == NULL || attrs == NULL || outputs == NULL)
    {
      complain (self, "json", "An instruction is a list of its kind, inputs, attributes and results.");
      return;
    }
  if (row == NULL)
    {
      complain (self, "unknown-instruction", "There is no instruction %s.", kind);
      return;
    }
  args = read_arguments (self, row, inputs, attrs);
  results = read_outputs (self, row, outputs);
  if (self->good)
    ls_trace_add (self->trace, row, args, results, decision);
}

static GPtrArray *
read_decisions (Reader    *self,
                JsonArray *entries,
                guint      n)
{
  GPtrArray *decisions = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  g_ptr_array_set_size (decisions, (gint) n);
  for (guint i = 0; i < json_array_get_length (entries); i++)
    {
      JsonArray *pair = array_of (item_of (entries, i));
      JsonNode *index = item_of (pair, 0);
      gint64 at = index != NULL && json_node_get_value_type (index) == G_TYPE_INT64 ? json_node_get_int (index) : -1;

      if (pair == NULL || json_array_get_length (pair) != 2 || at < 0 || at >= n)
        complain (self, "decision", "A decision is the number of an instruction and a value.");
      else
        ls_take ((LsNode **) &decisions->pdata[at], read_value (self, item_of (pair, 1), FALSE));
    }
  return decisions;
}

static void
read_all (Reader    *self,
          JsonArray *steps,
          JsonArray *decisions)
{
  guint n = json_array_get_length (steps);
  g_autoptr(GPtrArray) decided = read_decisions (self, decisions, n);

  for (guint i = 0; self->good && i < n; i++)
    {
      self->number = i + 1;
      read_step (self, item_of (steps, i), decided->pdata[i]);
    }
}

LsTrace *
ls_trace_from_json (const char    *text,
                    LsDiagnostics *diagnostics)
{
  g_autoptr(JsonParser) parser = json_parser_new ();
  g_autoptr(LsTrace) trace = ls_trace_new ();
  g_autoptr(GHashTable) results = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  g_autoptr(GError) error = NULL;
  Reader reader = { trace, results, diagnostics, 0, TRUE };
  JsonArray *whole, *steps, *decisions;

  if (!ls_json_is_flat (text))
    {
      complain (&reader, "json", "The text is no JSON, or nests too deep.");
      return NULL;
    }
  if (!json_parser_load_from_data (parser, text, -1, &error))
    {
      complain (&reader, "json", "The text is no JSON: %s", error->message);
      return NULL;
    }
  whole = array_of (json_parser_get_root (parser));
  steps = array_of (item_of (whole, 0));
  decisions = array_of (item_of (whole, 1));
  if (steps == NULL || decisions == NULL || json_array_get_length (whole) != 2)
    complain (&reader, "json", "A trace is two lists: instructions and decisions.");
  else
    read_all (&reader, steps, decisions);
  return reader.good ? g_steal_pointer (&trace) : NULL;
}
