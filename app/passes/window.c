/* passes/window: what the window is made of, and opening. */
#include "app/passes/window.h"

#include "app/base/settings.h"
#include "app/passes/private.h"
#include "views/compare/texts.h"
#include "views/parts/ask-file.h"
#include "views/parts/parts.h"
#include "views/parts/status.h"
#include "views/parts/theme.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#define KEY "ls-passes"
#define TWO_COLUMNS 1180        /* from this width on the texts stand side by side */

/* ---- opening ------------------------------------------------------------------------- */

static void
open_here (LsPassesWindow *self,
           GFile          *file)
{
  g_autofree char *name = g_file_get_basename (file);

  if (self->own)
    {
      ls_passes_window_open (gtk_window_get_application (self->window), file);
      return;
    }
  g_set_object (&self->file, file);
  g_clear_pointer (&self->output, g_bytes_unref);
  ls_passes_window_stop (&self->stop);
  g_clear_pointer (&self->command, g_free);
  ls_passes_window_name (self, name);
  self->filling = TRUE;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->kinds), LS_PASS_LOG_AUTO);
  self->filling = FALSE;
  ls_passes_window_read (self, LS_PASS_LOG_AUTO);
}

static void
file_chosen (GtkWidget *widget,
             GFile     *file,
             gpointer   data)
{
  open_here (data, file);
}

static void
ask_file (LsPassesWindow *self)
{
  ls_ask_file (gtk_file_chooser_native_new (_("Open a pass log"), self->window, GTK_FILE_CHOOSER_ACTION_OPEN, _("Open"), _("Cancel")), GTK_WIDGET (self->window),
               file_chosen, self, NULL);
}

static void
ask_folder (LsPassesWindow *self)
{
  ls_ask_file (gtk_file_chooser_native_new (_("Open a folder of dumps"), self->window, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("Open"), _("Cancel")),
               GTK_WIDGET (self->window), file_chosen, self, NULL);
}

static gboolean
dropped (GtkDropTarget  *target,
         const GValue   *value,
         double          x,
         double          y,
         LsPassesWindow *self)
{
  if (!G_VALUE_HOLDS (value, G_TYPE_FILE))
    return FALSE;
  open_here (self, g_value_get_object (value));
  return TRUE;
}

static void
kind_chosen (LsPassesWindow *self)
{
  guint kind = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->kinds));

  if (!self->filling && (self->file != NULL || self->output != NULL) && kind <= LS_PASS_LOG_TEXT)
    ls_passes_window_read (self, (LsPassLogKind) kind);
}

/* ---- the window ---------------------------------------------------------------------- */

static void
window_free (gpointer data)
{
  LsPassesWindow *self = data;

  g_clear_object (&self->file);
  g_free (self->name_of_log);
  g_clear_pointer (&self->query, ls_passes_query_unref);
  g_clear_pointer (&self->passes, ls_passes_unref);
  g_clear_pointer (&self->comparison, ls_comparison_unref);
  g_clear_pointer (&self->mentions, g_array_unref);
  g_free (self->touches);
  g_free (self->followed);
  ls_passes_place_free (self->place);
  g_clear_pointer (&self->other, ls_passes_unref);
  g_free (self->other_path);
  g_free (self->pair);
  g_free (self->marks);
  g_array_unref (self->parts);
  g_free (self->command);
  g_free (self->folder);
  g_free (self->entry);
  g_free (self->arguments);
  g_clear_pointer (&self->output, g_bytes_unref);
  g_free (self);
}

/* Nothing comes back to it any more. */
static void
goes (LsPassesWindow *self)
{
  self->closed = TRUE;
  ls_passes_window_stop (&self->stop);
  ls_passes_window_stop (&self->running);
  ls_passes_window_graph_stop (self);
  ls_passes_window_stop (&self->reading);
  ls_passes_window_stop (&self->showing);
  ls_passes_window_stop (&self->searching);
  ls_passes_window_stop (&self->following);
  ls_passes_window_stop (&self->comparing);
}

static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             LsPassesWindow     *self)
{
  GdkModifierType held = state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK);

  if (key == GDK_KEY_i && held == GDK_CONTROL_MASK)
    ls_compare_texts_toggle_column (LS_COMPARE_TEXTS (self->texts));
  else if (key == GDK_KEY_f && held == GDK_CONTROL_MASK)
    gtk_widget_grab_focus (self->search);
  else if (key == GDK_KEY_p && held == GDK_CONTROL_MASK)
    ls_passes_window_follow_line (self);
  else if ((key == GDK_KEY_n || key == GDK_KEY_N) && (held == GDK_CONTROL_MASK || held == (GDK_CONTROL_MASK | GDK_SHIFT_MASK)))
    ls_passes_window_follow_go (self, held == GDK_CONTROL_MASK ? 1 : -1);
  else if (key == GDK_KEY_g && held == GDK_CONTROL_MASK)
    ls_passes_window_search_next (self);
  else if (key == GDK_KEY_o && held == GDK_CONTROL_MASK)
    ask_file (self);
  else if ((key == GDK_KEY_o || key == GDK_KEY_O) && held == (GDK_CONTROL_MASK | GDK_SHIFT_MASK) && !self->own)
    ls_passes_window_ask_command (self);
  else if (key == GDK_KEY_r && held == GDK_CONTROL_MASK && !self->own)
    ls_passes_window_ask_run (self);
  else if (key == GDK_KEY_d && held == GDK_CONTROL_MASK)
    g_action_group_activate_action (G_ACTION_GROUP (self->actions), "fold", NULL);
  else if (key == GDK_KEY_s && held == GDK_CONTROL_MASK)
    ls_passes_window_save (self);
  else if (key == GDK_KEY_w && held == GDK_CONTROL_MASK)
    gtk_window_close (self->window);
  else if ((key == GDK_KEY_Left || key == GDK_KEY_Right) && held == GDK_ALT_MASK)
    ls_passes_list_go (LS_PASSES_LIST (self->list), key == GDK_KEY_Right ? 1 : -1);
  else if ((key == GDK_KEY_Up || key == GDK_KEY_Down) && held == GDK_ALT_MASK)
    ls_compare_texts_go_to_change (LS_COMPARE_TEXTS (self->texts), key == GDK_KEY_Down ? 1 : -1);
  else
    return FALSE;
  return TRUE;
}

static void
surface_laid_out (LsPassesWindow *self,
                  int             width)
{
  gboolean narrow = width < TWO_COLUMNS;

  if (narrow == self->narrow)
    return;
  self->narrow = narrow;
  ls_compare_texts_set_narrow (LS_COMPARE_TEXTS (self->texts), narrow);
}

static void
realized (LsPassesWindow *self)
{
  g_signal_connect_data (gtk_native_get_surface (GTK_NATIVE (self->window)), "layout", G_CALLBACK (surface_laid_out), self, NULL, G_CONNECT_SWAPPED);
}

static GtkWidget *
button_new (LsPassesWindow *self,
            const char     *words,
            GCallback       clicked)
{
  GtkWidget *button = gtk_button_new_with_label (words);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (button, "clicked", clicked, self);
  return button;
}

/* ---- the menu ------------------------------------------------------------------------ */

static void
copy_link (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       self)
{
  ls_passes_window_copy_link (self);
}

static void
open_command (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       self)
{
  ls_passes_window_ask_command (self);
}

static void
run_program (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       self)
{
  ls_passes_window_ask_run (self);
}

static void
save_session (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       self)
{
  ls_passes_window_save (self);
}

static void
compare_with (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       self)
{
  ls_passes_window_beside (self);
}

static void
order_changed (GSimpleAction *action,
               GVariant      *state,
               gpointer       data)
{
  LsPassesWindow *self = data;

  g_simple_action_set_state (action, state);
  ls_passes_list_set_slowest (LS_PASSES_LIST (self->list), g_variant_get_boolean (state));
}

static void
fold_changed (GSimpleAction *action,
              GVariant      *state,
              gpointer       data)
{
  LsPassesWindow *self = data;

  g_simple_action_set_state (action, state);
  ls_passes_list_set_folded (LS_PASSES_LIST (self->list), g_variant_get_boolean (state));
}

static void
colours_changed (GSimpleAction *action,
                 GVariant      *state,
                 gpointer       data)
{
  LsPassesWindow *self = data;

  g_simple_action_set_state (action, state);
  self->plain = !g_variant_get_boolean (state);
  ls_passes_window_view_changed (self);
}

static void
time_passes (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       data)
{
  LsPassesWindow *self = data;

  self->time (self->time_data);
}

void
ls_passes_window_set_time (LsPassesWindow *self,
                           void          (*time) (gpointer own),
                           gpointer        own)
{
  static const GActionEntry ACTIONS[] = { { .name = "time", .activate = time_passes } };
  g_autoptr (GMenu) section = g_menu_new ();

  self->time = time;
  self->time_data = own;
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), ACTIONS, G_N_ELEMENTS (ACTIONS), self);
  g_menu_append (section, _("Time after each pass"), "log.time");
  g_menu_append_section (self->menu, NULL, G_MENU_MODEL (section));
}

static GtkWidget *
menu_new (LsPassesWindow *self)
{
  static const GActionEntry ACTIONS[] = {
    { .name = "command", .activate = open_command },
    { .name = "run", .activate = run_program },
    { .name = "copy-link", .activate = copy_link },
    { .name = "save", .activate = save_session },
    { .name = "compare", .activate = compare_with },
    { .name = "fold", .state = "false", .change_state = fold_changed },
    { .name = "colours", .state = "true", .change_state = colours_changed },
    { .name = "slowest", .state = "false", .change_state = order_changed },
  };
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  g_autoptr (GMenu) menu = g_menu_new (), order = g_menu_new (), log = g_menu_new ();
  GtkWidget *button = gtk_menu_button_new ();

  self->actions = actions;      /* the window and the button keep both */
  self->menu = menu;
  g_action_map_add_action_entries (G_ACTION_MAP (actions), ACTIONS, G_N_ELEMENTS (ACTIONS), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self->window), "log", G_ACTION_GROUP (actions));
  if (!self->own)
    g_menu_append (log, _("Open from a command…"), "log.command");
  g_menu_append (log, _("Copy link to this pass"), "log.copy-link");
  g_menu_append (log, _("Save as a session…"), "log.save");
  g_menu_append (log, _("Compare with another log…"), "log.compare");
  if (!self->own)
    g_menu_append (log, _("Run after each pass…"), "log.run");
  g_menu_append (order, _("Slowest first"), "log.slowest");
  g_menu_append (order, _("Fold by nesting"), "log.fold");
  if (!self->own)
    g_menu_append (order, _("Colours by source line"), "log.colours");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (log));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (order));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "open-menu-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (button, _("Menu"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Menu"), -1);
  return button;
}

static GtkWidget *
header_new (LsPassesWindow *self)
{
  GtkWidget *header = gtk_header_bar_new (), *open = button_new (self, _("Open…"), G_CALLBACK (ask_file));
  GtkWidget *folder = button_new (self, _("Open folder…"), G_CALLBACK (ask_folder));
  GtkWidget *share = button_new (self, _("Share as a page…"), G_CALLBACK (ls_passes_window_share));

  self->title = adw_window_title_new (_("Passes"), NULL);
  gtk_header_bar_set_title_widget (GTK_HEADER_BAR (header), self->title);
  gtk_widget_add_css_class (open, "framed");
  gtk_widget_add_css_class (folder, "framed");
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), open);
  gtk_header_bar_pack_start (GTK_HEADER_BAR (header), folder);
  gtk_widget_add_css_class (share, "framed");
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), menu_new (self));
  gtk_header_bar_pack_end (GTK_HEADER_BAR (header), share);
  return header;
}

static GtkWidget *
head_row (LsPassesWindow *self)
{
  GtkWidget *row = ls_part_row ("compare-head"), *label = ls_part_label (_("Kind"), "reason");
  g_autoptr (GtkStringList) kinds = gtk_string_list_new (NULL);

  for (guint kind = LS_PASS_LOG_AUTO; kind <= LS_PASS_LOG_TEXT; kind++)
    gtk_string_list_append (kinds, ls_passes_kind_words ((LsPassLogKind) kind));
  self->kinds = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&kinds)), NULL);
  gtk_widget_set_tooltip_text (self->kinds, _("Whose log it is; another choice reads it again as that"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->kinds), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Kind of the log"), -1);
  g_signal_connect_swapped (self->kinds, "notify::selected", G_CALLBACK (kind_chosen), self);
  self->sentence = ls_part_label (NULL, "strong");
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_widget_set_hexpand (self->sentence, TRUE);
  self->cancel = button_new (self, _("Cancel"), G_CALLBACK (ls_passes_window_cancel));
  gtk_widget_set_visible (self->cancel, FALSE);
  gtk_box_append (GTK_BOX (row), self->sentence);
  gtk_box_append (GTK_BOX (row), self->cancel);
  self->kind_row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_box_append (GTK_BOX (self->kind_row), label);
  gtk_box_append (GTK_BOX (self->kind_row), self->kinds);
  gtk_box_append (GTK_BOX (row), self->kind_row);
  return row;
}

/* The answer has a row of its own, which is there while there is one: beside the buttons a long one had no room. */
static void
answer_changed (GtkWidget *answer)
{
  gtk_widget_set_visible (answer, *gtk_label_get_label (GTK_LABEL (answer)) != '\0');
}

/* Escape, which an entry for searches takes for itself: it empties the entry, and an empty one lets go of the window, as everywhere in it. */
static void
search_stopped (LsPassesWindow *self)
{
  if (gtk_editable_get_text (GTK_EDITABLE (self->search))[0] != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  else
    gtk_window_close (self->window);
}

static GtkWidget *
search_row (LsPassesWindow *self)
{
  GtkWidget *row = ls_part_row ("compare-head"), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *follow;

  self->search = gtk_search_entry_new ();
  g_object_set (self->search, "placeholder-text", _("A value, an operation, any text"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Look for a text in all dumps"), -1);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->search), 12);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->search), 28);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (ls_passes_window_search_first), self);
  g_signal_connect_swapped (self->search, "stop-search", G_CALLBACK (search_stopped), self);
  self->answer = ls_part_label (NULL, "compare-head");
  gtk_label_set_wrap (GTK_LABEL (self->answer), TRUE);
  gtk_widget_set_visible (self->answer, FALSE);
  g_signal_connect (self->answer, "notify::label", G_CALLBACK (answer_changed), NULL);
  gtk_box_append (GTK_BOX (row), self->search);
  gtk_box_append (GTK_BOX (row), button_new (self, _("First mention"), G_CALLBACK (ls_passes_window_search_first)));
  gtk_box_append (GTK_BOX (row), button_new (self, _("Next mention"), G_CALLBACK (ls_passes_window_search_next)));
  gtk_box_append (GTK_BOX (row), button_new (self, _("Who removed it"), G_CALLBACK (ls_passes_window_search_remover)));
  follow = button_new (self, _("Follow"), G_CALLBACK (ls_passes_window_follow_word));
  gtk_widget_set_tooltip_text (follow, _("Pins a value (%x), a block (bb1:), a source line (file.c:12) or a text, from the chosen pass on, and shows it in every pass"));
  gtk_box_append (GTK_BOX (row), follow);
  gtk_box_append (GTK_BOX (box), ls_part_wrapped (row));
  gtk_box_append (GTK_BOX (box), self->answer);
  return box;
}

static GtkWidget *
check_new (LsPassesWindow *self,
           const char     *words)
{
  GtkWidget *check = gtk_check_button_new_with_label (words);

  g_signal_connect_swapped (check, "toggled", G_CALLBACK (ls_passes_window_view_changed), self);
  return check;
}

static void
graph_toggled (LsPassesWindow *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->graphed)) ? "graph" : "texts");
  ls_passes_window_graph_update (self);
}

static GtkWidget *
view_row (LsPassesWindow *self)
{
  const char *const manners[] = { _("By operation"), _("By line"), _("Whole dump") };
  const char *const tips[] = { _("Shows what changed in the operations themselves; values that only have other numbers do not count"), _("Shows what changed letter by letter"),
                               _("Shows the whole dump as it stands in the log") };
  const char *const hides[] = { _("Hide metadata"), _("Hide debug information"), _("Hide attributes") };
  /* Two rows: in one they are wider than a small window. */
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *row = ls_part_row (NULL), *checks = ls_part_row (NULL), *follow;

  for (guint i = 0; i < G_N_ELEMENTS (manners); i++)
    {
      self->manners[i] = gtk_toggle_button_new_with_label (manners[i]);
      gtk_widget_set_tooltip_text (self->manners[i], tips[i]);
      gtk_widget_add_css_class (self->manners[i], "flat");
      if (i > 0)
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->manners[i]), GTK_TOGGLE_BUTTON (self->manners[0]));
      gtk_box_append (GTK_BOX (row), self->manners[i]);
    }
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->manners[0]), TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (hides); i++)
    {
      self->hides[i] = check_new (self, hides[i]);
      gtk_box_append (GTK_BOX (checks), self->hides[i]);
    }
  self->graphed = gtk_toggle_button_new_with_label (_("Graph"));
  gtk_widget_set_tooltip_text (self->graphed, _("Shows blocks and where control goes; for MLIR, regions and what flows between them"));
  gtk_widget_add_css_class (self->graphed, "flat");
  gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->graphed), GTK_TOGGLE_BUTTON (self->manners[0]));
  gtk_box_append (GTK_BOX (row), self->graphed);
  g_signal_connect_swapped (self->graphed, "toggled", G_CALLBACK (graph_toggled), self);
  self->around = check_new (self, _("Around changes"));
  gtk_box_append (GTK_BOX (checks), self->around);
  follow = button_new (self, _("Follow this line"), G_CALLBACK (ls_passes_window_follow_line));
  gtk_widget_add_css_class (follow, "flat");
  gtk_widget_set_focus_on_click (follow, FALSE);        /* the text that has the keyboard says which side is meant */
  gtk_widget_set_tooltip_text (follow, _("Pins the line at the cursor and shows it in every pass (Ctrl+P)"));
  gtk_box_append (GTK_BOX (row), follow);
  gtk_box_append (GTK_BOX (box), row);
  gtk_box_append (GTK_BOX (box), checks);
  for (guint i = 0; i < G_N_ELEMENTS (manners); i++)
    g_signal_connect_swapped (self->manners[i], "toggled", G_CALLBACK (ls_passes_window_view_changed), self);
  return box;
}

static GtkWidget *
pass_pane (LsPassesWindow *self)
{
  GtkWidget *pane = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->name = ls_part_label (NULL, "pane-title");
  self->words = ls_part_label (NULL, "reason");
  self->summary = ls_part_label (NULL, NULL);
  self->functions = gtk_drop_down_new (NULL, NULL);
  self->notice = ls_part_label (NULL, "lowering-head");
  self->texts = ls_compare_texts_new ();
  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (self->functions), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->functions), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Function that is shown"), -1);
  g_signal_connect_swapped (self->functions, "notify::selected", G_CALLBACK (ls_passes_window_view_changed), self);
  gtk_label_set_ellipsize (GTK_LABEL (self->name), PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (GTK_LABEL (self->words), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (self->words, TRUE);
  gtk_label_set_wrap (GTK_LABEL (self->notice), TRUE);
  self->pages = gtk_stack_new ();
  gtk_widget_set_vexpand (self->pages, TRUE);
  gtk_stack_add_named (GTK_STACK (self->pages), self->texts, "texts");
  gtk_stack_add_named (GTK_STACK (self->pages), ls_passes_window_graph_page (self), "graph");
  gtk_widget_add_css_class (head, "lowering-head");
  gtk_box_append (GTK_BOX (line), self->name);
  gtk_box_append (GTK_BOX (line), self->words);
  gtk_box_append (GTK_BOX (line), self->functions);
  gtk_label_set_wrap (GTK_LABEL (self->summary), TRUE);
  gtk_widget_set_visible (self->summary, FALSE);
  self->reader = ls_part_label (NULL, "reason");
  gtk_label_set_ellipsize (GTK_LABEL (self->reader), PANGO_ELLIPSIZE_END);
  gtk_widget_set_visible (self->reader, FALSE);
  gtk_box_append (GTK_BOX (head), line);
  gtk_box_append (GTK_BOX (head), self->reader);
  gtk_box_append (GTK_BOX (head), self->summary);
  gtk_box_append (GTK_BOX (head), ls_part_slim_shaded (view_row (self)));
  gtk_box_append (GTK_BOX (pane), head);
  gtk_box_append (GTK_BOX (pane), self->notice);
  gtk_box_append (GTK_BOX (pane), self->pages);
  return pane;
}

static GtkWidget *
content_new (LsPassesWindow *self)
{
  GtkWidget *halves = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->list = ls_passes_list_new ();
  self->status = ls_status_new ();
  self->stack = gtk_stack_new ();
  gtk_paned_set_start_child (GTK_PANED (halves), self->list);
  gtk_paned_set_end_child (GTK_PANED (halves), pass_pane (self));
  gtk_paned_set_resize_start_child (GTK_PANED (halves), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (halves), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (halves), FALSE);
  gtk_stack_add_named (GTK_STACK (self->stack), halves, "passes");
  gtk_stack_add_named (GTK_STACK (self->stack), self->status, "status");
  gtk_widget_set_vexpand (self->stack, TRUE);
  g_signal_connect_swapped (self->list, "chosen", G_CALLBACK (ls_passes_window_chosen), self);
  g_signal_connect_swapped (self->list, "counted", G_CALLBACK (ls_passes_window_counted), self);
  return self->stack;
}

LsPassesWindow *
ls_passes_window_new (GtkApplication *application,
                      const char     *name)
{
  LsPassesWindow *self = g_new0 (LsPassesWindow, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *foot = ls_part_label (_("Up and Down go pass by pass, Alt+Left and Alt+Right to the passes that change something, Alt+Up and Alt+Down from change "
                                     "to change, Ctrl+F to the search."), "reason");
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkDropTarget *drop = gtk_drop_target_new (G_TYPE_FILE, GDK_ACTION_COPY);

  self->parts = g_array_new (FALSE, FALSE, sizeof (guint));
  self->window = g_object_new (GTK_TYPE_WINDOW, "application", application, "title", _("Passes"), "default-width", ls_theme_grow (1280), "default-height",
                               ls_theme_grow (800), NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->window), "loopscope");
  gtk_window_set_titlebar (self->window, header_new (self));
  gtk_widget_add_css_class (foot, "pane-footer");
  gtk_label_set_wrap (GTK_LABEL (foot), TRUE);
  gtk_box_append (GTK_BOX (box), ls_part_wrapped (head_row (self)));
  gtk_box_append (GTK_BOX (box), search_row (self));
  gtk_box_append (GTK_BOX (box), ls_passes_window_follow_row (self));
  gtk_box_append (GTK_BOX (box), ls_passes_window_two_row (self));
  gtk_box_append (GTK_BOX (box), content_new (self));
  gtk_box_append (GTK_BOX (box), foot);
  gtk_window_set_child (self->window, box);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self->window), keys);
  g_signal_connect (drop, "drop", G_CALLBACK (dropped), self);
  gtk_widget_add_controller (GTK_WIDGET (self->window), GTK_EVENT_CONTROLLER (drop));
  g_signal_connect_swapped (self->window, "realize", G_CALLBACK (realized), self);
  g_signal_connect_swapped (self->window, "destroy", G_CALLBACK (goes), self);
  g_object_set_data_full (G_OBJECT (self->window), KEY, self, window_free);
  ls_passes_window_say (self, _("Open the log of a compiler to see what each of its passes did."), FALSE);
  if (*name != '\0')
    ls_passes_window_name (self, name);
  return self;
}

gboolean
ls_passes_window_takes (GFile *file)
{
  const char *path = g_file_peek_path (file);

  return path != NULL && (ls_pass_log_recognise (path) != LS_PASS_LOG_AUTO || ls_passes_is_module (path));
}

void
ls_passes_window_open (GtkApplication *application,
                       GFile          *file)
{
  ls_passes_window_open_at (application, file, NULL, NULL, NULL);
}

void
ls_passes_window_open_at (GtkApplication *application,
                          GFile          *file,
                          const char     *pass,
                          const char     *function,
                          const char     *follow)
{
  LsPassesWindow *self = NULL;

  for (GList *at = gtk_application_get_windows (application); at != NULL && file != NULL; at = at->next)
    {
      LsPassesWindow *other = g_object_get_data (at->data, KEY);

      if (other != NULL && other->file != NULL && g_file_equal (other->file, file))
        self = other;
    }
  if (self == NULL)
    {
      self = ls_passes_window_new (application, "");
      if (file != NULL)
        open_here (self, file);
    }
  if (pass != NULL || function != NULL || follow != NULL)
    {
      LsPassesPlaceOfLink *place = g_new0 (LsPassesPlaceOfLink, 1);

      *place = (LsPassesPlaceOfLink) { g_strdup (pass), g_strdup (function), g_strdup (follow) };
      ls_passes_window_go (self, place);
    }
  gtk_window_present (self->window);
}

static void
asked (GtkWidget *near,
       GFile     *file,
       gpointer   application)
{
  ls_passes_window_open (application, file);
}

void
ls_passes_window_ask (GtkApplication *application,
                      GtkWindow      *near)
{
  if (near == NULL)
    ls_passes_window_open (application, NULL);
  else
    ls_ask_file (gtk_file_chooser_native_new (_("Open a pass log"), near, GTK_FILE_CHOOSER_ACTION_OPEN, _("Open"), _("Cancel")), GTK_WIDGET (near), asked,
                 application, NULL);
}
