/* saved-kinds: kinds of nodes with a form of their own, among them calls of operators with their attributes. */
#include "engine/script/saved-private.h"

#include "engine/base/json.h"
#include "engine/relax/relax.h"

#include <inttypes.h>
#include <string.h>

/* ---- kinds with a form of their own ------------------------------------------------------------- */

static LsNode *
read_global_var (LsSavedReader *self,
                 JsonObject *attrs)
{
  gint64 number;
  const char *name = ls_saved_reference (self, attrs, "name_hint", &number) ? ls_saved_text (self, number) : NULL;

  return name != NULL ? LS_NODE (ls_global_var_new (name)) : NULL;
}

static LsNode *
read_relax_var (LsSavedReader *self,
                JsonObject *attrs,
                gboolean    dataflow)
{
  gint64 id, info_at, name_at;
  JsonObject *entry_of_id = ls_saved_reference (self, attrs, "vid", &id) ? ls_saved_entry (self, id) : NULL;
  const char *name = entry_of_id != NULL && ls_saved_reference (self, ls_json_object (entry_of_id, "attrs"), "name_hint", &name_at) ? ls_saved_text (self, name_at) : NULL;
  LsNode *info = name != NULL && ls_saved_reference (self, attrs, "struct_info_", &info_at) && info_at != 0 ? self->node_at (self, info_at) : NULL;

  if (self->error != NULL || (info != NULL && !ls_saved_check (self, "struct_info_ of a variable", "I", info)))
    return NULL;
  info = info != NULL ? ls_node_ref (info) : ls_object_struct_info_new ();
  return LS_NODE (dataflow ? ls_dataflow_var_new (name, info) : ls_relax_var_new (name, info));
}

static LsNode *
read_extern (LsSavedReader *self,
             JsonObject *attrs)
{
  gint64 name_at, info_at;
  const char *name = ls_saved_reference (self, attrs, "global_symbol", &name_at) ? ls_saved_text (self, name_at) : NULL;
  LsNode *info = name != NULL && ls_saved_reference (self, attrs, "struct_info_", &info_at) && info_at != 0 ? self->node_at (self, info_at) : NULL;

  if (self->error != NULL || (info != NULL && !ls_saved_check (self, "struct_info_ of an extern function", "I", info)))
    return NULL;
  /* what TVM gives one of which nothing is known */
  if (ls_is (info, FUNC_STRUCT_INFO) && ((LsFuncStructInfo *) info)->params == NULL)
    info = NULL;
  return info != NULL ? ls_extern_func_new_full (name, ls_node_ref (info)) : ls_extern_func_new (name);
}

/* A device says its target as plain options, without the mark that an attribute has. (transfer full) */
static LsNode *
without_mark (LsMap *target)
{
  LsMap *map = ls_map_empty ();

  for (guint i = 0; i < target->n; i++)
    if (strcmp (target->keys[i], "__target__") != 0)
      ls_saved_put (&map, target->keys[i], ls_node_ref (target->values[i]));
  return LS_NODE (map);
}

/* A map of what it says; `kind` is the mark of it. */
static LsNode *
read_device (LsSavedReader *self,
             JsonObject *attrs)
{
  static const char *const NAMES[] = { "target", "vdevice_id", "memory_scope" };
  LsMap *map = ls_map_empty ();

  ls_saved_put (&map, "kind", LS_NODE (ls_string_new ("VDevice")));
  for (guint i = 0; i < G_N_ELEMENTS (NAMES) && self->error == NULL; i++)
    {
      const char *value = ls_json_text (attrs, NAMES[i]);
      gint64 number = 0;
      LsNode *node = NULL;

      if (value == NULL || !ls_saved_int (value, &number))
        LS_SAVED_DAMAGED ("a virtual device without its %s", NAMES[i]);
      else if (i == 0 && ls_is (self->node_at (self, number), MAP))
        node = without_mark ((LsMap *) self->node_at (self, number));
      else
        node = i == 1 ? LS_NODE (ls_int_imm_new (LS_INT32, number)) : ls_node_ref (self->node_at (self, number));
      ls_saved_put (&map, NAMES[i], node);
    }
  return LS_NODE (map);
}

static LsNode *
read_target (LsSavedReader *self,
             JsonObject *attrs)
{
  static const char *const NAMES[] = { "kind", "keys", "tag", "host" };
  LsMap *map = ls_map_empty ();
  gint64 number;
  LsNode *more;

  for (guint i = 0; i < G_N_ELEMENTS (NAMES) && self->error == NULL; i++)
    {
      LsNode *node = NULL;

      if (!ls_saved_reference (self, attrs, NAMES[i], &number) || number == 0)
        continue;
      if (i == 0 || i == 2)
        {
          const char *word = ls_saved_text (self, number);

          node = word != NULL ? LS_NODE (ls_string_new (word)) : NULL;
        }
      else
        node = ls_node_ref (self->node_at (self, number));
      ls_saved_put (&map, NAMES[i], node);
    }
  more = self->error == NULL && ls_saved_reference (self, attrs, "attrs", &number) && number != 0 ? self->node_at (self, number) : NULL;
  for (guint i = 0; ls_is (more, MAP) && i < ((LsMap *) more)->n; i++)
    ls_saved_put (&map, ((LsMap *) more)->keys[i], ls_node_ref (((LsMap *) more)->values[i]));
  ls_saved_put (&map, "__target__", LS_NODE (ls_int_imm_new (LS_BOOL, 1)));
  return LS_NODE (map);
}

static LsNode *
read_attributes (LsSavedReader *self,
                 JsonObject *attrs)
{
  gint64 number;
  LsNode *map = ls_saved_reference (self, attrs, "__dict__", &number) && number != 0 ? self->node_at (self, number) : NULL;

  if (self->error != NULL || (map != NULL && !ls_saved_check (self, "the attributes", "M", map)))
    return NULL;
  return map != NULL ? ls_node_ref (map) : LS_NODE (ls_map_empty ());
}

static LsMap *
attributes_of (LsSavedReader *self,
               JsonObject *attrs)
{
  gint64 number;
  LsNode *map = ls_saved_reference (self, attrs, "attrs", &number) && number != 0 ? self->node_at (self, number) : NULL;

  if (self->error != NULL || (map != NULL && !ls_saved_check (self, "the attributes", "M", map)))
    return NULL;
  return map != NULL ? (LsMap *) ls_node_ref (map) : ls_map_empty ();
}

static LsNode *
read_prim_func (LsSavedReader *self,
                JsonObject *attrs)
{
  static const LsSavedRow ROW = { "tir.PrimFunc", LS_KIND_PRIM_FUNC, "" };
  g_autoptr (GPtrArray) params = g_ptr_array_new (), buffers = g_ptr_array_new ();
  g_autoptr (LsMap) map = attributes_of (self, attrs);
  LsPrimFunc *func;
  GPtrArray *in_order;
  gint64 number;
  LsNode *type;

  if (map == NULL || !ls_saved_pairs (self, attrs, "buffer_map", params, buffers))
    return NULL;
  func = ls_node_alloc (ls_class_get (LS_KIND_PRIM_FUNC));
  type = ls_saved_reference (self, attrs, "ret_type", &number) && number != 0 ? self->node_at (self, number) : NULL;
  if (self->error == NULL && type != NULL && ls_saved_check (self, "ret_type of a tir.PrimFunc", "T", type))
    func->ret_type = (gpointer) ls_node_ref (type);
  if (self->error == NULL)
    ls_saved_field (self, &ROW, attrs, LS_NODE (func), 0, "params:*V");
  if (self->error == NULL)
    ls_saved_field (self, &ROW, attrs, LS_NODE (func), 4, "body:S");
  in_order = g_ptr_array_new ();
  for (guint i = 0; self->error == NULL && i < func->params->n; i++)
    {
      guint at = 0;

      if (!g_ptr_array_find (params, func->params->items[i], &at))
        g_ptr_array_add (in_order, NULL);
      else if (ls_saved_check (self, "buffer_map of a tir.PrimFunc", "B", buffers->pdata[at]))
        g_ptr_array_add (in_order, ls_node_ref (buffers->pdata[at]));
    }
  func->buffers = ls_array_take_ptr_array (in_order);
  func->attrs = g_steal_pointer (&map);
  ls_node_finish (func);
  if (self->error == NULL)
    return LS_NODE (func);
  ls_unref (func);
  return NULL;
}

static LsNode *
read_module (LsSavedReader *self,
             JsonObject *attrs)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new (), funcs = g_ptr_array_new ();
  g_autoptr (LsMap) map = attributes_of (self, attrs);
  LsNode *infos;
  gint64 number;

  if (map == NULL || !ls_saved_pairs (self, attrs, "functions", names, funcs))
    return NULL;
  infos = ls_saved_reference (self, attrs, "global_infos", &number) && number != 0 ? self->node_at (self, number) : NULL;
  if (self->error != NULL || (infos != NULL && !ls_saved_check (self, "the global infos", "M", infos)))
    return NULL;
  for (guint i = 0; i < names->len; i++)
    if (!ls_is (names->pdata[i], GLOBAL_VAR) || (!ls_is (funcs->pdata[i], PRIM_FUNC) && !ls_is (funcs->pdata[i], FUNCTION)))
      return ls_is (names->pdata[i], GLOBAL_VAR)
               ? ls_saved_wrong (self, LS_SAVED_ERROR_UNKNOWN, "%s is a %s, and no function that is read", ((LsGlobalVar *) names->pdata[i])->name_hint, LS_NODE (funcs->pdata[i])->klass->name)
               : LS_SAVED_DAMAGED ("the functions of the module have no names");
  for (guint i = 0; i < names->len; i++)
    {
      ls_node_ref (names->pdata[i]);
      ls_node_ref (funcs->pdata[i]);
    }
  return LS_NODE (ls_module_new (ls_array_new (names->pdata, names->len), ls_array_new (funcs->pdata, funcs->len), g_steal_pointer (&map),
                                 ls_is (infos, MAP) && ((LsMap *) infos)->n > 0 ? (LsMap *) ls_node_ref (infos) : NULL));
}

/* ---- calls of operators --------------------------------------------------------------------------- */

/* One attribute, or NULL: it is none (or there was an error). (transfer full) */
static LsNode *
read_attribute (LsSavedReader *self,
                const char *op,
                const char *name,
                char        code,
                const char *value)
{
  gint64 number = 0;
  LsNode *node;
  double real;
  char *end;
  LsDType dtype;

  switch (code)
    {
    case 'f':
      real = g_ascii_strtod (value, &end);
      return end != value && *end == '\0' ? LS_NODE (ls_float_imm_new (LS_FLOAT64, real)) : LS_SAVED_DAMAGED ("%s of %s is \"%s\"", name, op, value);
    case 'd':
      if (value[0] != '\0' && !ls_dtype_parse (value, &dtype))
        return LS_SAVED_DAMAGED ("%s of %s is \"%s\"", name, op, value);
      return LS_NODE (ls_string_new (value[0] != '\0' ? value : "void"));
    case 'i':
    case 'b':
      if (!ls_saved_int (value, &number))
        return LS_SAVED_DAMAGED ("%s of %s is \"%s\"", name, op, value);
      return LS_NODE (ls_int_imm_new (code == 'b' ? LS_BOOL : LS_INT64, code == 'b' ? number != 0 : number));
    default:
      if (!ls_saved_int (value, &number))
        return LS_SAVED_DAMAGED ("%s of %s is \"%s\"", name, op, value);
      if (number == 0)
        return NULL;
      node = self->node_at (self, number);
      if (node != NULL && code == 's' && !ls_is (node, STRING))
        return LS_SAVED_DAMAGED ("%s of %s is no text", name, op);
      return ls_node_ref (node);
    }
}

/* "name:kind=preset" as its first two. */
static void
split_word (const char *word,
            char      **name,
            char      **kind)
{
  gsize n = strcspn (word, ":=?");
  const char *colon = strchr (word, ':');

  *name = g_strndup (word, n);
  *kind = colon != NULL ? g_strndup (colon + 1, strcspn (colon + 1, "=")) : g_strdup ("");
}

/* The attributes in the order of the table.  What the file says and the table does not know is an error: nothing is lost unsaid. */
static gboolean
read_op_attributes (LsSavedReader *self,
                    const char *op,
                    JsonObject *node,           /* or NULL */
                    GPtrArray  *names,
                    GPtrArray  *values)
{
  const char *spec = ls_relax_op_spec (op), *bar = spec != NULL ? strchr (spec, '|') : NULL, *key = node != NULL ? ls_json_text (node, "type_key") : "";
  g_auto (GStrv) words = g_strsplit (bar != NULL ? bar + 1 : "", " ", -1);
  JsonObject *attrs = ls_json_object (node, "attrs");
  g_autoptr (GHashTable) known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GList) members = attrs != NULL ? json_object_get_members (attrs) : NULL;

  if (spec == NULL)
    {
      if (members != NULL)
        ls_saved_wrong (self, LS_SAVED_ERROR_UNKNOWN, "the operator %s is not known, so that its attributes cannot be read", op);
      return members == NULL;
    }
  for (guint i = 0; words[i] != NULL && self->error == NULL; i++)
    {
      g_autofree char *name = NULL, *kind = NULL;
      const char *value;

      if (words[i][0] == '\0')
        continue;
      split_word (words[i], &name, &kind);
      value = ls_json_text (attrs, name);
      if (value != NULL)
        {
          g_ptr_array_add (values, read_attribute (self, op, name, ls_saved_written (key, name, kind), value));
          g_ptr_array_add (names, ls_string_new (name));
        }
      g_hash_table_add (known, g_steal_pointer (&name));
    }
  for (GList *l = members; l != NULL && self->error == NULL; l = l->next)
    if (!g_hash_table_contains (known, l->data))
      ls_saved_wrong (self, LS_SAVED_ERROR_UNKNOWN, "%s has an attribute `%s`, which is not known", op, (const char *) l->data);
  return self->error == NULL;
}

static LsNode *
read_relax_call (LsSavedReader *self,
                 JsonObject *attrs)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new (), values = g_ptr_array_new ();
  gint64 op_at = 0, args_at = 0, attrs_at = 0, infos_at = 0;
  gboolean fine = ls_saved_reference (self, attrs, "op", &op_at) && ls_saved_reference (self, attrs, "args", &args_at) && ls_saved_reference (self, attrs, "attrs", &attrs_at)
                  && ls_saved_reference (self, attrs, "sinfo_args", &infos_at);
  JsonObject *op_entry = fine ? ls_saved_entry (self, op_at) : NULL;
  gboolean is_op = op_entry != NULL && strcmp (ls_json_text (op_entry, "type_key"), "Op") == 0;
  LsNode *op = is_op ? ls_relax_op_new (ls_saved_text (self, op_at)) : op_entry != NULL ? ls_node_ref (self->node_at (self, op_at)) : NULL;
  LsNode *args = op != NULL ? self->node_at (self, args_at) : NULL, *infos = args != NULL && infos_at != 0 ? self->node_at (self, infos_at) : NULL;
  JsonObject *given = args != NULL && attrs_at != 0 ? ls_saved_entry (self, attrs_at) : NULL;
  const char *key = ls_json_text (given, "type_key");

  if (self->error == NULL && op != NULL && ls_saved_check (self, "op of a relax.expr.Call", is_op ? "Z" : "r", op) && ls_saved_check (self, "args of a relax.expr.Call", "*r", args)
      && ls_saved_check (self, "sinfo_args of a relax.expr.Call", "*I?", infos))
    {
      if (g_strcmp0 (key, "DictAttrs") == 0)
        {
          LsNode *map = self->node_at (self, attrs_at);

          for (guint i = 0; ls_is (map, MAP) && i < ((LsMap *) map)->n; i++)
            {
              g_ptr_array_add (names, ls_string_new (((LsMap *) map)->keys[i]));
              g_ptr_array_add (values, ls_node_ref (((LsMap *) map)->values[i]));
            }
        }
      else if (is_op)
        read_op_attributes (self, ((LsRelaxOp *) op)->name, given, names, values);
      else if (given != NULL)
        ls_saved_wrong (self, LS_SAVED_ERROR_UNKNOWN, "a call of a function has attributes of the kind %s", key);
    }
  if (self->error == NULL && op != NULL)
    return ls_relax_call_new (op, (LsArray *) ls_node_ref (args), ls_array_take_ptr_array (g_steal_pointer (&names)), ls_array_take_ptr_array (g_steal_pointer (&values)),
                              infos != NULL ? (LsArray *) ls_node_ref (infos) : NULL);
  ls_node_unref (op);
  g_ptr_array_set_free_func (names, (GDestroyNotify) ls_node_unref);
  for (guint i = 0; i < values->len; i++)
    ls_node_unref (values->pdata[i]);
  return NULL;
}

/* ---- numbers in boxes -------------------------------------------------------------------------------- */

static LsNode *
read_boxed (LsSavedReader *self,
            const char *key,
            JsonObject *node)
{
  const char *text = ls_json_text (node, "repr_str");
  gint64 number = 0;

  if (text == NULL)
    return LS_SAVED_DAMAGED ("a %s without its value", key);
  if (strcmp (key, "runtime.BoxFloat") == 0)
    return LS_NODE (ls_float_imm_new (LS_FLOAT32, g_ascii_strtod (text, NULL)));
  if (strcmp (key, "runtime.BoxBool") == 0)
    return LS_NODE (ls_int_imm_new (LS_BOOL, strcmp (text, "1") == 0 || g_ascii_strcasecmp (text, "true") == 0));
  if (!ls_saved_int (text, &number))
    return LS_SAVED_DAMAGED ("a %s of \"%s\"", key, text);
  return LS_NODE (ls_int_imm_new (number >= G_MININT32 && number <= G_MAXINT32 ? LS_INT32 : LS_INT64, number));
}

/* ---- by their keys ------------------------------------------------------------------------------------ */

LsNode *
ls_saved_kind (LsSavedReader *self,
               gint64         number,
               JsonObject    *node)
{
  const char *key = ls_json_text (node, "type_key"), *text;
  JsonObject *attrs = ls_json_object (node, "attrs");
  LsOp *op;

  if (strcmp (key, "runtime.String") == 0)
    return (text = ls_saved_text (self, number)) != NULL ? LS_NODE (ls_string_new (text)) : NULL;
  if (strcmp (key, "DictAttrs") == 0)
    return read_attributes (self, attrs);
  if (strcmp (key, "GlobalVar") == 0)
    return read_global_var (self, attrs);
  if (strcmp (key, "relax.expr.Var") == 0 || strcmp (key, "relax.expr.DataflowVar") == 0)
    return read_relax_var (self, attrs, key[11] == 'D');
  if (strcmp (key, "relax.expr.Call") == 0)
    return read_relax_call (self, attrs);
  if (strcmp (key, "relax.expr.ExternFunc") == 0)
    return read_extern (self, attrs);
  if (strcmp (key, "tir.PrimFunc") == 0)
    return read_prim_func (self, attrs);
  if (strcmp (key, "IRModule") == 0)
    return read_module (self, attrs);
  if (strcmp (key, "Target") == 0)
    return read_target (self, attrs);
  if (strcmp (key, "VDevice") == 0)
    return read_device (self, attrs);
  if (strcmp (key, "DummyGlobalInfo") == 0)
    return LS_NODE (ls_map_new ((const char *[]) { "kind" }, (gpointer[]) { ls_string_new (key) }, 1));
  if (g_str_has_prefix (key, "runtime.Box"))
    return read_boxed (self, key, node);
  if (strcmp (key, "Op") == 0)
    {
      text = ls_saved_text (self, number);
      op = text != NULL ? ls_op_get (text) : NULL;
      return op != NULL ? ls_node_ref (LS_NODE (op)) : text == NULL ? NULL : ls_saved_wrong (self, LS_SAVED_ERROR_UNKNOWN, "node %" PRId64 " is the operator %s, which is not known", number, text);
    }
  return ls_saved_wrong (self, LS_SAVED_ERROR_UNKNOWN, "node %" PRId64 " is a %s, which is not read", number, key);
}
