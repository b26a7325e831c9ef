/* run/stops: breakpoints: typed, in the gutter of the text, in a list. */
#include "app/run/private.h"

#include "views/parts/parts.h"
#include "views/parts/tab-stop.h"
#include "views/run/text.h"

#include <glib/gi18n.h>

typedef struct {
  guint stop, line;
} Line;

GArray *
ls_run_stops_lines_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (Line));
}

static void
stop_removed (GtkWidget *button,
              LsRun     *self)
{
  g_autofree char *command = g_strdup_printf ("delete %d", GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "stop")));

  if (self->look != NULL && self->asking == NULL)
    self->send (self, command);
}

/* The lines of the breakpoints in the gutter of the text; NULL: there are none. */
static void
mark_lines (LsRun    *self,
            GVariant *list)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));

  g_array_set_size (self->lines, 0);
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      Line line = { (guint) ls_params_int (one, "stop", 0), (guint) ls_params_int (one, "line", 0) };

      if (line.line == 0)
        continue;
      g_array_append_val (self->lines, line);
      g_array_append_val (numbers, line.line);
    }
  ls_run_text_set_stops (GTK_SOURCE_VIEW (self->text), (const guint *) (gpointer) numbers->data, numbers->len);
}

void
ls_run_stops_show (LsRun    *self,
                   GVariant *answer)
{
  g_autoptr (GVariant) list = ls_params_value (answer, "stops");

  if (list == NULL)
    return;
  ls_run_clear_list (self->stops);
  mark_lines (self, list);
  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      GtkWidget *row = ls_part_row (NULL), *away = ls_part_icon_button ("user-trash-symbolic", _("Remove this breakpoint"));
      GtkWidget *label = ls_part_label (ls_params_string (one, "words", ""), "code");

      gtk_widget_set_hexpand (label, TRUE);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      g_object_set_data (G_OBJECT (away), "stop", GINT_TO_POINTER (ls_params_int (one, "stop", 0)));
      g_signal_connect (away, "clicked", G_CALLBACK (stop_removed), self);
      gtk_box_append (GTK_BOX (row), label);
      gtk_box_append (GTK_BOX (row), away);
      gtk_list_box_append (GTK_LIST_BOX (self->stops), row);
    }
}

static void
stop_added (LsRun *self)
{
  const char *words = gtk_editable_get_text (GTK_EDITABLE (self->stop));
  g_autofree char *command = g_strconcat ("break ", words, NULL);

  if (*words == '\0' || ls_run_is_busy (self))
    return;
  self->send (self, command);
  gtk_editable_set_text (GTK_EDITABLE (self->stop), "");
}

static void
stops_cleared (LsRun *self)
{
  if (self->look != NULL && !ls_run_is_busy (self))
    self->send (self, "delete");
}

/* A breakpoint on a line goes, or comes on the first statement from there on. */
void
ls_run_stops_toggle (guint    line,
                     gpointer data)
{
  LsRun *self = data;
  g_autofree char *command = NULL;

  if (self->look == NULL || ls_run_is_busy (self))
    return;
  for (guint i = 0; i < self->lines->len && command == NULL; i++)
    if (g_array_index (self->lines, Line, i).line == line)
      command = g_strdup_printf ("delete %u", g_array_index (self->lines, Line, i).stop);
  if (command == NULL)
    command = g_strdup_printf ("break line %u", line);
  self->send (self, command);
}

void
ls_run_stops_forget (LsRun *self)
{
  ls_run_clear_list (self->stops);
  mark_lines (self, NULL);
}

GtkWidget *
ls_run_stops_new (LsRun *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *row = ls_part_row (NULL);
  GtkWidget *none = ls_part_icon_button ("edit-clear-all-symbolic", _("Remove all breakpoints"));

  self->stop = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->stop), _("Breakpoint (F2): line 12, loop k if i == 3, write C[2, 0:4], nan"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->stop), GTK_ACCESSIBLE_PROPERTY_LABEL, _("New breakpoint"), -1);
  gtk_widget_set_hexpand (self->stop, TRUE);
  g_signal_connect_swapped (self->stop, "activate", G_CALLBACK (stop_added), self);
  g_signal_connect_swapped (none, "clicked", G_CALLBACK (stops_cleared), self);
  self->stops = gtk_list_box_new ();
  ls_tab_stop_make (self->stops);
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->stops), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->stops), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Breakpoints"), -1);
  gtk_box_append (GTK_BOX (row), self->stop);
  gtk_box_append (GTK_BOX (row), none);
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), self->stops);
  gtk_widget_add_css_class (box, "run-part");
  return box;
}
