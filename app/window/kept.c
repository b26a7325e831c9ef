/* window/kept: see the header. */
#include "app/window/kept.h"

#include "app/base/settings.h"
#include "app/session/copies.h"
#include "app/session/file.h"
#include "app/tool/window.h"
#include "app/window/actions.h"
#include "app/window/file.h"
#include "app/window/private.h"
#include "views/parts/tab-stop.h"

#include <glib/gi18n.h>
#include <string.h>

#define KIND "kept-work"
#define MANY 12
#define WHEN_LENGTH 17          /* of "2026-11-24-153010" */

/* "mm_relu" of "closed-2026-11-24-153010-mm_relu.loopscope"; else the name. (transfer full) */
static char *
title_of (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  const char *when = strchr (name, '-') != NULL ? strchr (name, '-') + 1 : "";

  if (g_str_has_suffix (name, LS_SESSION_SUFFIX))
    name[strlen (name) - strlen (LS_SESSION_SUFFIX)] = '\0';
  return g_strdup (strlen (when) > WHEN_LENGTH ? when + WHEN_LENGTH + 1 : name);
}

/* "mm_relu, 2026-11-24 15:30:10" of "closed-2026-11-24-153010-mm_relu.loopscope"; else the name. (transfer full) */
static char *
words_of (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  const char *when = strchr (name, '-') != NULL ? strchr (name, '-') + 1 : "";
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *shown = NULL;
  int year, month, day, clock;

  if (g_str_has_suffix (name, LS_SESSION_SUFFIX))
    name[strlen (name) - strlen (LS_SESSION_SUFFIX)] = '\0';
  if (strlen (when) > WHEN_LENGTH && sscanf (when, "%4d-%2d-%2d-%6d", &year, &month, &day, &clock) == 4)
    time = g_date_time_new (zone, year, month, day, clock / 10000, clock / 100 % 100, clock % 100);
  if (time == NULL)
    return g_strdup (name);
  shown = g_date_time_format (time, "%Y-%m-%d %H:%M:%S");
  return g_strdup_printf ("%s, %s", when + WHEN_LENGTH + 1, shown);
}

/* ---- one row -------------------------------------------------------------------- */

static GtkWidget *
row_of (GtkWidget *button)
{
  return gtk_widget_get_ancestor (button, GTK_TYPE_LIST_BOX_ROW);
}

static GFile *
file_of (GtkWidget *button)
{
  return g_object_get_data (G_OBJECT (row_of (button)), "ls-file");
}

static LsWindow *
window_of (GtkWidget *button)
{
  return LS_WINDOW (ls_tool_window_get_parent (GTK_WIDGET (gtk_widget_get_root (button))));
}

static void
open_pressed (GtkWidget *button)
{
  LsWindow *self = window_of (button);
  g_autoptr (GFile) file = g_object_ref (file_of (button));

  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (button)));
  ls_window_file_open (self, file);
}

static void
take_row_away (GtkWidget *button)
{
  GtkWidget *row = row_of (button);

  gtk_list_box_remove (GTK_LIST_BOX (gtk_widget_get_parent (row)), row);
}

/* A second press: there is no wastebasket where this is. */
static void
delete_pressed (GtkWidget *button)
{
  g_autoptr (GError) error = NULL;
  LsWindow *self = window_of (button);

  if (g_file_delete (file_of (button), NULL, &error))
    take_row_away (button);
  else
    ls_window_say (self, _("Not removed"), error->message);
}

static void
remove_pressed (GtkWidget *button)
{
  g_autoptr (GError) error = NULL;

  if (g_file_trash (file_of (button), NULL, &error))
    {
      take_row_away (button);
      return;
    }
  gtk_button_set_label (GTK_BUTTON (button), _("Delete for good"));
  gtk_widget_add_css_class (button, "destructive-action");
  g_signal_handlers_disconnect_by_func (button, remove_pressed, NULL);
  g_signal_connect (button, "clicked", G_CALLBACK (delete_pressed), NULL);
}

static GtkWidget *
button_new (const char *label,
            const char *words,
            GCallback   pressed)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
  g_signal_connect (button, "clicked", pressed, NULL);
  return button;
}

static GtkWidget *
row_new (GFile *file)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  g_autofree char *words = words_of (file);
  GtkWidget *label = gtk_label_new (words);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), button_new (_("Open"), words, G_CALLBACK (open_pressed)));
  gtk_box_append (GTK_BOX (box), button_new (_("Remove"), words, G_CALLBACK (remove_pressed)));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  g_object_set_data_full (G_OBJECT (row), "ls-file", g_object_ref (file), g_object_unref);
  return row;
}

/* ---- the list -------------------------------------------------------------------- */

static GtkWidget *
list_new (void)
{
  g_autoptr (GPtrArray) kept = ls_copies_kept ();
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  ls_tab_stop_make (list);
  gtk_list_box_set_placeholder (GTK_LIST_BOX (list), gtk_label_new (_("All that was closed is in a file.")));
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Kept work"), -1);
  for (guint i = 0; i < kept->len; i++)
    gtk_list_box_append (GTK_LIST_BOX (list), row_new (g_ptr_array_index (kept, i)));
  return list;
}

void
ls_window_kept_show (LsWindow *self)
{
  GtkWidget *window = ls_tool_window_find (GTK_WINDOW (self), KIND);
  GtkWidget *scroller, *foot;

  if (window == NULL)
    {
      scroller = gtk_scrolled_window_new ();
      foot = gtk_label_new (_("This work was closed without a file of its own. It stays until you remove it."));
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list_new ());
      window = ls_tool_window_new (GTK_WINDOW (self), _("Kept work"), 560, 400, scroller, foot);
      ls_tool_window_keep (window, KIND, window, NULL);
    }
  gtk_window_present (GTK_WINDOW (window));
}

/* Opening it again is the undo of closing it. */
void
ls_window_kept_say (LsWindow *self,
                    GFile    *kept)
{
  g_autofree char *name = title_of (kept), *uri = g_file_get_uri (kept);
  g_autoptr (GVariant) target = g_variant_ref_sink (g_variant_new_string (uri));
  g_autofree char *action = g_action_print_detailed_name ("win.open-recent", target);
  g_autofree char *what = g_strdup_printf (_("%s was closed; it has no file, but it is kept"), name);

  ls_window_offer (self, what, _("All kept work is in the menu under Open recent."), _("Undo"), action);
}

/* What was closed last, if that could not be said then. TRUE: it was said now. */
static gboolean
say_last (LsWindow *self)
{
  g_autofree char *uri = g_settings_get_string (ls_settings_get (), "last-kept");
  g_autoptr (GFile) kept = *uri != '\0' ? g_file_new_for_uri (uri) : NULL;

  if (kept == NULL)
    return FALSE;
  g_settings_reset (ls_settings_get (), "last-kept");
  if (!g_file_query_exists (kept, NULL))
    return FALSE;
  ls_window_kept_say (self, kept);
  return TRUE;
}

void
ls_window_kept_remind (LsWindow *self)
{
  g_autoptr (GPtrArray) kept = ls_copies_kept ();
  g_autofree char *what = NULL;

  if (ls_window_says (self) || (kept->len <= MANY && say_last (self)) || kept->len <= MANY)
    return;
  g_settings_reset (ls_settings_get (), "last-kept");           /* it is among them */
  what = g_strdup_printf (ngettext ("%u closed document is kept", "%u closed documents are kept", kept->len), kept->len);
  ls_window_offer (self, what, _("No file has them; they stay until you remove them."), _("Kept work…"), "win.kept-work");
}
