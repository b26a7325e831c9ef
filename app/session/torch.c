/* session/torch: see the header. */
#include "app/session/torch.h"

#include "app/session/engine-private.h"
#include "app/session/graph-private.h"

#include <glib/gi18n.h>
#include <string.h>

gboolean
ls_engine_session_has_torch (LsEngineSession *self)
{
  return ls_engine_graph_of (self)->fx != NULL && ls_document_get_node (self->document) != NULL;
}

gboolean
ls_engine_session_save_torch (LsEngineSession *self,
                              const char      *folder,
                              GVariantDict    *params,
                              GError         **error)
{
  LsFxGraph *fx = ls_engine_graph_of (self)->fx;
  g_autoptr (GHashTable) became = ls_fx_graph_became (fx, ls_schedule_get_module (ls_document_get_node (self->document)->schedule));
  g_autoptr (GStrvBuilder) inputs = g_strv_builder_new (), names = g_strv_builder_new ();
  g_auto (GStrv) all = NULL, read = NULL;
  guint n = 0;

  for (guint i = 0; i < ls_fx_graph_get_n (fx); i++)
    {
      LsFxRow row;
      const char *binding;
      gboolean is_input;

      ls_fx_graph_get_row (fx, i, &row);
      binding = strcmp (row.op, "output") != 0 ? g_hash_table_lookup (became, row.name) : NULL;        /* it is one of the others */
      is_input = strcmp (row.op, "placeholder") == 0;
      if (binding != NULL && is_input)
        g_strv_builder_add_many (inputs, row.name, binding, NULL);
      if (binding != NULL)
        g_strv_builder_add_many (names, row.name, binding, NULL);
      n += binding != NULL && !is_input;
      ls_fx_row_clear (&row);
    }
  if (n == 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("No value of this program is known to come from the graph of torch.fx that was opened."));
      return FALSE;
    }
  if (!ls_fx_graph_save (fx, folder, error))
    return FALSE;
  all = g_strv_builder_end (names);
  read = g_strv_builder_end (inputs);
  g_variant_dict_insert (params, "torch-folder", "s", folder);
  g_variant_dict_insert (params, "torch-inputs", "^as", read);
  g_variant_dict_insert (params, "torch-names", "^as", all);
  return TRUE;
}
