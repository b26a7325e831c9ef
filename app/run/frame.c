/* run/frame: see the header. */
#include "app/run/frame.h"

#include "app/rpc/rpc.h"
#include "views/parts/parts.h"
#include "views/parts/tip.h"
#include "views/parts/tab-stop.h"

#include <glib/gi18n.h>
#include <string.h>

/* ---- moves -------------------------------------------------------------------- */

static void
clicked (GtkWidget  *button,
         LsRunFrame *self)
{
  self->go (self->run, g_object_get_data (G_OBJECT (button), "command"));
}

void
ls_run_frame_put_moves (LsRunFrame *self,
                        GtkWidget  *row)
{
  for (guint i = 0; i < self->n_moves; i++)
    {
      self->buttons[i] = ls_part_icon_button (self->moves[i].icon, _(self->moves[i].words));
      g_object_set_data (G_OBJECT (self->buttons[i]), "command", (gpointer) self->moves[i].command);
      g_signal_connect (self->buttons[i], "clicked", G_CALLBACK (clicked), self);
      gtk_box_append (GTK_BOX (row), self->buttons[i]);
    }
}

void
ls_run_frame_set_can (LsRunFrame *self,
                      gboolean    can,
                      gboolean    is_busy)
{
  self->is_busy = is_busy;
  if (!can && !is_busy)
    ls_run_frame_forget (self);
  for (guint i = 0; i < self->n_moves; i++)
    gtk_widget_set_sensitive (self->buttons[i], can && !is_busy);
}

gboolean
ls_run_frame_go_on (LsRunFrame *self)
{
  const LsRunMove *first = self->waiting[0];

  if (self->n_waiting == 0)
    return FALSE;
  self->n_waiting--;
  memmove (self->waiting, self->waiting + 1, self->n_waiting * sizeof self->waiting[0]);
  self->go (self->run, first->command);
  return TRUE;
}

void
ls_run_frame_forget (LsRunFrame *self)
{
  self->n_waiting = 0;
}

gboolean
ls_run_frame_press (LsRunFrame      *self,
                    guint            key,
                    GdkModifierType  state,
                    gboolean         has_ends)
{
  gboolean shift = (state & GDK_SHIFT_MASK) != 0;

  if (has_ends && (key == GDK_KEY_Home || key == GDK_KEY_End))
    return FALSE;
  for (guint i = 0; i < self->n_moves; i++)
    if (self->moves[i].key == key && self->moves[i].shift == shift)
      {
        if (!self->is_busy)
          self->go (self->run, self->moves[i].command);
        else if (self->n_waiting < LS_RUN_N_WAITING)
          self->waiting[self->n_waiting++] = &self->moves[i];
        return TRUE;
      }
  return FALSE;
}

void
ls_run_frame_watch (GtkWidget *window,
                    GCallback  pressed,
                    gpointer   run)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", pressed, run);
  gtk_widget_add_controller (window, keys);
}

/* ---- what is said, and the panes ------------------------------------------------ */

void
ls_run_frame_init (LsRunFrame      *self,
                   const LsRunMove *moves,
                   guint            n_moves,
                   void           (*go) (gpointer    run,
                                         const char *command),
                   gpointer         run)
{
  g_assert (n_moves <= LS_RUN_N_MOVES);
  self->moves = moves;
  self->n_moves = n_moves;
  self->go = go;
  self->run = run;
  self->sentence = ls_part_label (NULL, "strong");
  self->reason = ls_part_label (NULL, "reason");
  self->head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->reason), TRUE);
  gtk_widget_add_css_class (self->head, "compare-head");
  gtk_box_append (GTK_BOX (self->head), self->sentence);
  gtk_box_append (GTK_BOX (self->head), self->reason);
}

void
ls_run_frame_say (LsRunFrame *self,
                  const char *sentence,
                  const char *reason)
{
  gtk_label_set_label (GTK_LABEL (self->sentence), sentence);
  gtk_label_set_label (GTK_LABEL (self->reason), reason != NULL ? reason : "");
  gtk_widget_set_visible (self->reason, reason != NULL && *reason != '\0');
}

GtkWidget *
ls_run_frame_build (LsRunFrame *self,
                    GtkWidget  *bar,
                    GtkWidget  *left,
                    GtkWidget  *right,
                    int         position)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->panes = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_set_start_child (GTK_PANED (self->panes), left);
  gtk_paned_set_end_child (GTK_PANED (self->panes), right);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->panes), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->panes), FALSE);
  gtk_paned_set_position (GTK_PANED (self->panes), position);
  gtk_widget_set_vexpand (self->panes, TRUE);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), self->head);
  gtk_box_append (GTK_BOX (box), self->panes);
  return box;
}

/* ---- a list of texts ------------------------------------------------------------ */

static void
row_setup (GtkListItemFactory *factory,
           GtkListItem        *item,
           gpointer            is_program)
{
  GtkWidget *label = ls_part_label (NULL, "code");

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (is_program != NULL)
    gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR);
  gtk_widget_add_css_class (label, "choice-row");
  gtk_list_item_set_child (item, label);
}

static void
row_bind (GtkListItemFactory *factory,
          GtkListItem        *item)
{
  const char *words = gtk_string_object_get_string (gtk_list_item_get_item (item));

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)), words);
  ls_tip_set (gtk_list_item_get_child (item), words);
}

GtkWidget *
ls_run_frame_list (const char     *name,
                   gboolean        is_program,
                   GCallback       chosen,
                   gpointer        run,
                   GtkWidget     **list,
                   GtkStringList **rows)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkSingleSelection *selection;

  *rows = gtk_string_list_new (NULL);
  selection = gtk_single_selection_new (G_LIST_MODEL (*rows));
  gtk_single_selection_set_autoselect (selection, FALSE);
  g_signal_connect (factory, "setup", G_CALLBACK (row_setup), GINT_TO_POINTER (is_program));
  g_signal_connect (factory, "bind", G_CALLBACK (row_bind), NULL);
  if (chosen != NULL)
    g_signal_connect_swapped (selection, "notify::selected", chosen, run);
  *list = gtk_list_view_new (GTK_SELECTION_MODEL (selection), factory);
  ls_tab_stop_make (*list);
  gtk_accessible_update_property (GTK_ACCESSIBLE (*list), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), *list);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

/* ---- breakpoints ------------------------------------------------------------------ */

GtkWidget *
ls_run_frame_stop_row (const char  *words,
                       GCallback    added,
                       gpointer     run,
                       GtkWidget  **entry,
                       GtkWidget  **stops)
{
  GtkWidget *row = ls_part_row ("run-part");

  *entry = gtk_entry_new ();
  gtk_entry_set_placeholder_text (GTK_ENTRY (*entry), words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (*entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _("New breakpoint"), -1);
  gtk_widget_set_hexpand (*entry, TRUE);
  g_signal_connect_swapped (*entry, "activate", added, run);
  *stops = ls_part_label (NULL, "code");
  gtk_box_append (GTK_BOX (row), *entry);
  gtk_box_append (GTK_BOX (row), *stops);
  return row;
}

char *
ls_run_frame_stop_command (GtkWidget *entry)
{
  const char *words = gtk_editable_get_text (GTK_EDITABLE (entry));
  char *command = *words != '\0' ? g_strconcat ("break ", words, NULL) : g_strdup ("delete");

  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  return command;
}

void
ls_run_frame_show_stops (GtkWidget *stops,
                         GVariant  *list)
{
  GString *words = g_string_new (NULL);

  for (gsize i = 0; i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);

      g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", ls_params_string (one, "words", ""));
    }
  gtk_label_set_label (GTK_LABEL (stops), words->str);
  g_string_free (words, TRUE);
}
