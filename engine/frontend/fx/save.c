/* fx/save: a graph as it was read, in files again, for a process that has torch; and which binding each of its nodes became. */
#include "engine/frontend/frontend-private.h"
#include "engine/base/json.h"
#include "engine/runtime/weights.h"

#include <string.h>

#define WEIGHTS "graph.safetensors"

static gboolean
fail (GError    **error,
      const char *name,
      const char *dtype)
{
  g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_UNSUPPORTED, ls_translate ("%s is of type %s, which .safetensors does not know"), name, dtype);
  return FALSE;
}

/* ---- the weights --------------------------------------------------------------------------- */

static gboolean
put_row (JsonBuilder    *header,
         const char     *name,
         const LsTensor *tensor,
         gsize          *at,
         GError        **error)
{
  const char *dtype = ls_weights_dtype_name (ls_dtype_name (tensor->dtype));

  if (dtype == NULL)
    return fail (error, name, ls_dtype_name (tensor->dtype));
  ls_json_begin_object (header, name);
  json_builder_set_member_name (header, "dtype");
  json_builder_add_string_value (header, dtype);
  ls_json_begin_array (header, "shape");
  for (guint i = 0; i < tensor->shape->n; i++)
    json_builder_add_int_value (header, ls_array_at (tensor->shape, i, LsIntImm)->value);
  json_builder_end_array (header);
  ls_json_begin_array (header, "data_offsets");
  json_builder_add_int_value (header, (gint64) *at);
  *at += g_bytes_get_size (tensor->data);
  json_builder_add_int_value (header, (gint64) *at);
  json_builder_end_array (header);
  json_builder_end_object (header);
  return TRUE;
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (a, b);
}

static gboolean
write_weights (LsFxGraph  *self,
               const char *path,
               GError    **error)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (self->tensors), by_name);
  g_autoptr (JsonBuilder) header = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL, *file = NULL;
  guint64 length;
  gsize at = 0, put;

  json_builder_begin_object (header);
  for (GList *l = names; l != NULL; l = l->next)
    if (!put_row (header, l->data, g_hash_table_lookup (self->tensors, l->data), &at, error))
      return FALSE;
  json_builder_end_object (header);
  root = json_builder_get_root (header);
  text = json_to_string (root, FALSE);
  length = GUINT64_TO_LE ((guint64) strlen (text));
  put = sizeof length + strlen (text);
  file = g_try_malloc (put + at);       /* a GByteArray counts in 32 bits */
  if (file == NULL)
    {
      g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_UNSUPPORTED, ls_translate ("there is no memory for weights of %zu bytes"), at);
      return FALSE;
    }
  memcpy (file, &length, sizeof length);
  memcpy (file + sizeof length, text, strlen (text));
  for (GList *l = names; l != NULL; l = l->next)
    {
      gsize n = 0;
      const guint8 *data = g_bytes_get_data (((LsTensor *) g_hash_table_lookup (self->tensors, l->data))->data, &n);

      if (n > 0)
        memcpy (file + put, data, n);
      put += n;
    }
  return g_file_set_contents (path, file, (gssize) put, error);
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* The text as it was read, but for where the weights stand. */
static gboolean
write_nodes (LsFxGraph  *self,
             const char *path,
             GError    **error)
{
  JsonObject *read = json_node_get_object (json_parser_get_root (self->parser)), *written = json_object_new ();
  g_autoptr (GList) members = json_object_get_members (read);
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *text = NULL;

  for (GList *l = members; l != NULL; l = l->next)
    json_object_set_member (written, l->data, json_node_copy (json_object_get_member (read, l->data)));
  json_object_set_string_member (written, "tensors", WEIGHTS);
  json_node_take_object (root, written);
  text = json_to_string (root, FALSE);
  return g_file_set_contents (path, text, -1, error);
}

gboolean
ls_fx_graph_save (LsFxGraph  *self,
                  const char *folder,
                  GError    **error)
{
  g_autofree char *nodes = g_build_filename (folder, "graph.fx.json", NULL), *weights = g_build_filename (folder, WEIGHTS, NULL);

  return write_weights (self, weights, error) && write_nodes (self, nodes, error);
}

/* ---- what became of its nodes -------------------------------------------------------------- */

/* `nodes`: where each begins in the listing -> its name. */
static void
note_binding (LsFxGraph  *self,
              GHashTable *nodes,
              LsNode     *binding,
              GHashTable *became)
{
  LsRelaxVar *var = ls_is (binding, MATCH_CAST) ? ((LsMatchCast *) binding)->var : ((LsVarBinding *) binding)->var;
  const char *node = binding->span.source == ls_source_get_id (self->listing) ? g_hash_table_lookup (nodes, GUINT_TO_POINTER (binding->span.start)) : NULL;

  if (node != NULL)
    g_hash_table_replace (became, g_strdup (node), g_strdup (var->name));
}

GHashTable *
ls_fx_graph_became (LsFxGraph *self,
                    LsModule  *module)
{
  GHashTable *became = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  LsNode *node = ls_module_get (module, "main");
  LsFunction *main = ls_is (node, FUNCTION) ? (LsFunction *) node : NULL;
  LsSeqExpr *seq = main != NULL && ls_is (main->body, SEQ_EXPR) ? (LsSeqExpr *) main->body : NULL;
  guint nth = 0;

  for (guint i = 0; main != NULL && i < self->nodes->len; i++)
    {
      const LsFxNode *one = self->nodes->pdata[i];

      g_hash_table_insert (nodes, GUINT_TO_POINTER (one->span.start), (gpointer) one->name);
      if (strcmp (one->op, "placeholder") == 0 && nth < main->params->n)
        g_hash_table_insert (became, g_strdup (one->name), g_strdup (ls_array_at (main->params, nth++, LsRelaxVar)->name));
    }
  for (guint b = 0; seq != NULL && b < seq->blocks->n; b++)
    {
      LsArray *bindings = ls_array_at (seq->blocks, b, LsBindingBlock)->bindings;

      for (guint i = 0; i < bindings->n; i++)
        note_binding (self, nodes, bindings->items[i], became);
    }
  return became;
}
