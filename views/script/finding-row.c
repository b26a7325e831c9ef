/* script/finding-row: see the header. */
#include "views/script/finding-row.h"

#include "views/parts/parts.h"
#include "views/parts/tip.h"

#include <glib/gi18n.h>

typedef struct {
  LsFindingFix fix;
  GtkWidget   *owner;
  guint        index;
} Asked;

static void
clicked (GtkButton   *button,
         const Asked *asked)
{
  asked->fix (asked->owner, asked->index);
}

static void
forget (gpointer  data,
        GClosure *closure)
{
  g_free (data);
}

/* Indentation alone has no words of its own. */
static GtkWidget *
button_new (const LsScriptNote *note,
            guint               index,
            LsFindingFix        fix,
            GtkWidget          *owner)
{
  g_autofree char *written = g_strstrip (g_strdup (note->fix));
  g_autofree char *words = *written != '\0' ? g_strdup_printf (_("Write %s"), written) : g_strdup (_("Indent it so"));
  GtkWidget *button = gtk_button_new_with_label (words);
  Asked *asked = g_new (Asked, 1);

  *asked = (Asked) { fix, owner, index };
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  ls_tip_set (button, note->repair);
  g_signal_connect_data (button, "clicked", G_CALLBACK (clicked), asked, forget, 0);
  return button;
}

GtkWidget *
ls_finding_row_new (const LsScriptNote *note,
                    guint               index,
                    LsFindingFix        fix,
                    GtkWidget          *owner)
{
  g_autofree char *sentence = note->line > 0 ? g_strdup_printf (_("Line %u: %s"), note->line, note->message) : g_strdup (note->message);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *label = ls_part_label (sentence, NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (texts), label);
  if (note->repair != NULL)
    {
      GtkWidget *repair = ls_part_label (note->repair, "reason");

      gtk_label_set_wrap (GTK_LABEL (repair), TRUE);
      gtk_box_append (GTK_BOX (texts), repair);
    }
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (row), texts);
  if (note->fix != NULL)
    gtk_box_append (GTK_BOX (row), button_new (note, index, fix, owner));
  return row;
}
