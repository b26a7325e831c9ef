/* run/begun: see the header. */
#include "app/run/begun.h"

#include "app/rpc/rpc.h"
#include "views/models/format.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>
#include <string.h>

static GtkWidget *
entry_of (GtkWidget *sizes)
{
  return gtk_widget_get_last_child (sizes);
}

GtkWidget *
ls_run_sizes_new (GCallback begin,
                  gpointer  self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *entry = gtk_entry_new ();

  gtk_box_append (GTK_BOX (row), ls_part_label (_("Sizes"), "caption"));
  gtk_box_append (GTK_BOX (row), entry);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 16);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Symbolic sizes"), -1);
  gtk_widget_set_tooltip_text (entry, _("What the symbolic sizes of the program are in this run, such as n=16 m=8; Enter begins it"));
  g_signal_connect_swapped (entry, "activate", begin, self);
  gtk_widget_set_visible (row, FALSE);
  return row;
}

void
ls_run_begun_put (GVariantDict *params,
                  GtkWidget    *sizes)
{
  g_auto (GStrv) words = g_strsplit_set (sizes != NULL && gtk_widget_get_visible (sizes) ? gtk_editable_get_text (GTK_EDITABLE (entry_of (sizes))) : "", " ,;", -1);
  g_autoptr (GStrvBuilder) set = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  for (guint i = 0; words[i] != NULL; i++)
    if (strchr (words[i], '=') != NULL && !g_str_has_suffix (words[i], "="))
      g_strv_builder_add (set, words[i]);
  all = g_strv_builder_end (set);
  if (all[0] != NULL)
    g_variant_dict_insert (params, "set", "^as", all);
}

char *
ls_run_sizes_asked (GtkWidget *sizes,
                    GVariant  *answer)
{
  g_auto (GStrv) names = ls_params_strv (answer, "asks");
  g_autofree char *list = names != NULL && names[0] != NULL ? g_strjoinv (", ", names) : NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  GtkWidget *entry = entry_of (sizes);

  if (list == NULL)
    return NULL;
  if (!gtk_widget_get_visible (sizes))
    gtk_editable_set_text (GTK_EDITABLE (entry), "");
  g_string_append (text, gtk_editable_get_text (GTK_EDITABLE (entry)));
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *asked = g_strconcat (names[i], "=", NULL);

      if (strstr (text->str, asked) == NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", asked);
    }
  gtk_editable_set_text (GTK_EDITABLE (entry), text->str);
  gtk_widget_set_visible (sizes, TRUE);
  gtk_widget_grab_focus (entry);
  gtk_editable_set_position (GTK_EDITABLE (entry), (int) (strchr (text->str, '=') - text->str) + 1);
  /* Translators: names of symbolic sizes: n, m */
  return g_strdup_printf (_("The program has symbolic sizes: give %s above, and press Enter."), list);
}

char *
ls_run_kept_words (GVariant *look,
                   GVariant *other)
{
  g_autofree char *bytes = ls_format_bytes (ls_params_int (look, "checkpoint-bytes", 0));
  g_autofree char *limit = ls_format_bytes (ls_params_int (look, "checkpoint-limit", 0));
  guint n = (guint) ls_params_int (look, "checkpoints", 0);

  if (other != NULL)
    {
      g_autofree char *others = ls_format_bytes (ls_params_int (other, "checkpoint-bytes", 0));

      /* Translators: amounts of memory, of the program on the left and of that on the right: 3.3 MiB, 1.2 MiB, 256 MiB */
      return g_strdup_printf (_("Kept for going back: %s and %s, at most %s each."), bytes, others, limit);
    }
  /* Translators: a number, amounts of memory: 236, 3.3 MiB, 256 MiB */
  return g_strdup_printf (ngettext ("Kept for going back: %u checkpoint, %s of at most %s.", "Kept for going back: %u checkpoints, %s of at most %s.", n), n, bytes, limit);
}
