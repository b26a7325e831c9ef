/* saved: see the header.  Nodes are read when something asks for them, each once, so that what is shared stays shared. */
#include "engine/script/saved-private.h"

#include "engine/base/json.h"
#include "engine/relax/relax.h"
#include "engine/script/printer.h"

#include <stdio.h>
#include <string.h>

#define MOST_DEEP 5000                  /* nodes in nodes: each is a call in a call */
#define ENOUGH_TO_SEE 4096              /* bytes of a file that tell what it is */

/* ---- any node -------------------------------------------------------------------------------------- */

static LsNode *
read_node (LsSavedReader *self,
           gint64      number,
           JsonObject *node)
{
  const char *key = ls_json_text (node, "type_key");
  const LsSavedRow *row = ls_saved_row (key);

  if (row != NULL)
    return ls_saved_fields (self, row, ls_json_object (node, "attrs"));
  if (strcmp (key, "Array") == 0)
    return ls_saved_list (self, node);
  if (strcmp (key, "Map") == 0)
    return ls_saved_map (self, node);
  return ls_saved_kind (self, number, node);
}

/* Borrowed; NULL after an error. */
static LsNode *
node_at (LsSavedReader *self,
         gint64  number)
{
  JsonObject *node;

  if (self->error != NULL || (node = ls_saved_entry (self, number)) == NULL)
    return NULL;
  if (self->made[number] != NULL)
    return self->made[number];
  if (self->open[number])
    return LS_SAVED_DAMAGED ("node %" G_GINT64_FORMAT " is made of itself", number);
  if (self->depth >= MOST_DEEP)
    return ls_saved_wrong (self, LS_SAVED_ERROR_UNKNOWN, "nodes lie more than %d deep in each other", MOST_DEEP);
  self->open[number] = TRUE;
  self->depth++;
  self->made[number] = read_node (self, number, node);
  self->depth--;
  self->open[number] = FALSE;
  if (self->made[number] == NULL && self->error == NULL)
    LS_SAVED_DAMAGED ("node %" G_GINT64_FORMAT " cannot be read", number);
  return self->made[number];
}

/* ---- a text ---------------------------------------------------------------------------------------------- */

gboolean
ls_saved_is (const char *text,
             gsize       length)
{
  g_autofree char *head = g_strndup (text, MIN (length, ENOUGH_TO_SEE));
  const char *at = head + strspn (head, " \t\r\n"), *root, *nodes;

  if (*at != '{')
    return FALSE;
  root = strstr (at, "\"root\"");
  nodes = strstr (at, "\"nodes\"");
  return root != NULL && nodes != NULL && strstr (at, "\"type_key\"") != NULL;
}

gboolean
ls_saved_is_file (const char *path)
{
  char head[ENOUGH_TO_SEE];
  FILE *file = g_str_has_suffix (path, ".json") ? fopen (path, "rb") : NULL;
  gsize n = file != NULL ? fread (head, 1, sizeof head, file) : 0;

  if (file != NULL)
    fclose (file);
  return ls_saved_is (head, n);
}

/* As it is said, before anybody saw whether it is a program. (transfer full) */
static LsModule *
module_of (const char *text,
           gsize       length,
           GError    **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autofree char *copy = g_strndup (text, length);
  LsSavedReader reader = { .node_at = node_at }, *self = &reader;
  JsonNode *root;
  JsonObject *object;
  LsModule *module = NULL;
  LsNode *top = NULL;
  gint64 number = 0;

  ls_tir_register_classes ();
  ls_relax_register_classes ();
  if (!ls_json_is_flat (copy) || !json_parser_load_from_data (parser, copy, -1, NULL))
    {
      g_set_error (error, LS_SAVED_ERROR, LS_SAVED_ERROR_DAMAGED, ls_translate ("this is no JSON text, or one that is cut off"));
      return NULL;
    }
  root = json_parser_get_root (parser);
  object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  self->nodes = ls_json_array (object, "nodes");
  self->arrays = ls_json_array (object, "b64ndarrays");
  number = ls_json_int (object, "root", 0);
  if (self->nodes == NULL)
    LS_SAVED_DAMAGED ("it has no list of nodes");
  else
    {
      self->n = json_array_get_length (self->nodes);
      self->made = g_new0 (LsNode *, self->n + 1);
      self->open = g_new0 (guint8, self->n + 1);
      top = node_at (self, number);
    }
  if (ls_is (top, MODULE))
    module = ls_ref ((LsModule *) top);
  else if (ls_is (top, PRIM_FUNC) || ls_is (top, FUNCTION))
    {
      LsMap *attrs = ls_is (top, PRIM_FUNC) ? ((LsPrimFunc *) top)->attrs : ((LsFunction *) top)->attrs;
      LsNode *symbol = ls_map_get (attrs, "global_symbol");
      LsGlobalVar *name = ls_global_var_new (ls_is (symbol, STRING) ? ((LsString *) symbol)->value : "main");

      module = ls_module_new (ls_array_of (name, NULL), ls_array_of (ls_node_ref (top), NULL), ls_map_empty (), NULL);
    }
  else if (top != NULL)
    ls_saved_wrong (self, LS_SAVED_ERROR_UNKNOWN, "it is a %s, and neither a module nor a function", top->klass->name);
  for (guint i = 0; i < self->n; i++)
    ls_node_unref (self->made[i]);
  g_free (self->made);
  g_free (self->open);
  if (self->error != NULL)
    {
      g_set_error (error, self->error->domain, self->error->code, ls_translate ("this is a module as save_json of TVM writes it, but %s"), self->error->message);
      g_error_free (self->error);
    }
  return module;
}

char *
ls_saved_script (const char *text,
                 gsize       length,
                 GError    **error)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE, .keep_names = TRUE };
  g_autoptr (LsModule) module = module_of (text, length, error);

  return module != NULL ? ls_script_print (module, &whole, NULL) : NULL;
}

LsModule *
ls_saved_read (const char *text,
               gsize       length,
               GError    **error)
{
  g_autofree char *script = ls_saved_script (text, length, error);
  g_autoptr (LsSource) source = script != NULL ? ls_source_new ("saved", script, -1) : NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = source != NULL ? ls_script_parse (source, findings) : NULL;

  if (source == NULL)
    return NULL;
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    if (ls_diagnostics_get (findings, i)->severity == LS_SEVERITY_ERROR)
      {
        g_set_error (error, LS_SAVED_ERROR, LS_SAVED_ERROR_DAMAGED, ls_translate ("this is a module as save_json of TVM writes it, but no program: %s"), ls_diagnostics_get (findings, i)->message);
        ls_unref (module);
        return NULL;
      }
  return module;
}
