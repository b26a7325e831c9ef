/* run/toy: see the header. */
#include "app/run/toy.h"

#include "app/rpc/rpc.h"
#include "app/tool/window.h"

#include <glib/gi18n.h>

void
ls_run_toy_put (GVariantDict *params,
                LsHistory    *history,
                const guint  *ids,
                guint         n)
{
  g_autofree char *base = ls_history_print (history, 0, TRUE, NULL);
  GVariantBuilder steps;

  g_variant_builder_init (&steps, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *trace = ls_history_trace_json (history, ids[i]);

      g_variant_builder_add (&steps, "s", trace);
    }
  g_variant_dict_insert (params, "toy", "x", (gint64) LS_RUN_TOY);
  g_variant_dict_insert (params, "base", "s", base);
  g_variant_dict_insert_value (params, "steps", g_variant_builder_end (&steps));
}

void
ls_run_toy_title (GtkWidget  *window,
                  const char *plain,
                  GVariant   *answer)
{
  const char *toy = answer != NULL ? ls_params_string (answer, "toy", NULL) : NULL;
  /* Translators: the title of a window, and what became of which extent: "Run, toy size (128 → 8)" */
  g_autofree char *title = toy == NULL ? g_strdup (plain) : *toy != '\0' ? g_strdup_printf (_("%s, toy size (%s)"), plain, toy)
                                                                         : g_strdup_printf (_("%s, toy size (nothing to shrink)"), plain);

  ls_tool_window_set_title (window, title);
}
