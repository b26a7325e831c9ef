/* graph/pass-popover: an entry that filters a list of the passes, and a button for the four that TVM's users run in a row. */
#include "views/graph/pass-popover.h"

#include "engine/relax/pass/pass.h"
#include "views/parts/tab-stop.h"
#include "views/parts/tip.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  GtkWidget *entry;
  GtkWidget *list;
  LsPassFunc add;
  gpointer   data;
  gboolean   filled;
} Passes;

static const LsRelaxPass *
pass_of (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "ls-pass");
}

static void
entered (Passes *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  if (*text != '\0')
    self->add (text, self->data);
}

static gboolean
needs_arguments (const LsRelaxPass *pass)
{
  for (const LsRelaxPassParam *param = pass->params; param != NULL && param->name != NULL; param++)
    if (param->preset == NULL)
      return TRUE;
  return FALSE;
}

/* One that has to have arguments is put into the entry to be finished. */
static void
chosen (Passes        *self,
        GtkListBoxRow *row)
{
  g_autofree char *text = g_strdup_printf ("%s()", pass_of (row)->name);

  if (!needs_arguments (pass_of (row)))
    {
      self->add (text, self->data);
      return;
    }
  text[strlen (text) - 1] = '\0';
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_widget_grab_focus (self->entry);
  gtk_editable_set_position (GTK_EDITABLE (self->entry), -1);
}

static GtkWidget *
pass_row (const LsRelaxPass *pass)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *name = gtk_label_new (pass->name), *words = gtk_label_new (_(pass->summary));

  gtk_label_set_xalign (GTK_LABEL (name), 0.0f);
  gtk_label_set_xalign (GTK_LABEL (words), 0.0f);
  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_label_set_lines (GTK_LABEL (words), 2);
  gtk_label_set_ellipsize (GTK_LABEL (words), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (name, "code");
  gtk_widget_add_css_class (name, "strong");
  gtk_widget_add_css_class (words, "reason");
  ls_tip_set (row, _(pass->summary));
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), words);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_widget_add_css_class (row, "pass-row");
  g_object_set_data (G_OBJECT (row), "ls-pass", (gpointer) pass);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, pass->name, -1);
  return row;
}

static void
fill (Passes *self)
{
  guint n;
  const LsRelaxPass *passes = ls_relax_pass_list (&n);

  for (guint i = 0; !self->filled && i < n; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), pass_row (&passes[i]));
  self->filled = TRUE;
}

static gboolean
fits (GtkListBoxRow *row,
      gpointer       data)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (((Passes *) data)->entry));
  g_autofree char *name = g_ascii_strdown (pass_of (row)->name, -1), *wanted = NULL;

  wanted = g_ascii_strdown (text, (gssize) strcspn (text, "("));
  return strstr (name, wanted) != NULL;
}

/* The passes that make of operators what runs, in TVM's order. */
static void
fuse (Passes *self)
{
  static const char *const PASSES[] = { "LegalizeOps()", "AnnotateTIROpPattern()", "FuseOps()", "FuseTIR()" };

  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    if (!self->add (PASSES[i], self->data))
      return;
}

GtkWidget *
ls_pass_popover_new (LsPassFunc add,
                     gpointer   data)
{
  Passes *self = g_new0 (Passes, 1);
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *pipeline = gtk_button_new_with_label (_("Legalise and fuse (four passes)"));

  *self = (Passes) { gtk_entry_new (), gtk_list_box_new (), add, data, FALSE };
  g_object_set_data_full (G_OBJECT (popover), "ls-passes", self, g_free);
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry), "FuseOps(fuse_opt_level=1)");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Pass with its arguments"), -1);
  gtk_widget_add_css_class (self->entry, "code");
  ls_tab_stop_make (self->list);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_list_box_set_filter_func (GTK_LIST_BOX (self->list), fits, self, NULL);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (scroller, ls_theme_grow (420), ls_theme_grow (320));
  gtk_box_append (GTK_BOX (box), self->entry);
  gtk_box_append (GTK_BOX (box), pipeline);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  g_signal_connect_swapped (popover, "map", G_CALLBACK (fill), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (entered), self);
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (gtk_list_box_invalidate_filter), self->list);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (chosen), self);
  g_signal_connect_swapped (pipeline, "clicked", G_CALLBACK (fuse), self);
  return popover;
}
