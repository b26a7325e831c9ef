/* window/actions: what can be asked of a window, in one table; comparing and the look have theirs in files of their own. */
#include "app/window/actions.h"

#include "app/session/engine.h"
#include "app/session/fast-math.h"
#include "app/tool/tool.h"
#include "app/window/fast-math.h"
#include "app/window/file.h"
#include "app/window/kept.h"
#include "app/window/link.h"
#include "app/window/open.h"
#include "app/window/private.h"
#include "app/window/take.h"
#include "app/window/target.h"
#include "app/window/trace.h"
#include "views/script/editor.h"
#include "views/script/pane.h"

#include <glib/gi18n.h>

#define PLAY_INTERVAL 1200

typedef void (*SimpleFunc) (GSimpleAction *action, GVariant *parameter, gpointer data);

#define SESSION(data) ls_window_get_session (LS_WINDOW (data))

/* ---- steps -------------------------------------------------------------- */

static void
previous_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_go_by_shown (SESSION (data), -1);
}

static void
next_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_go_by_shown (SESSION (data), 1);
}

static void
bookmark (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_toggle_bookmark (SESSION (data));
}

static void
to_bookmark (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_go_to_bookmark (SESSION (data), (guint) g_variant_get_int32 (parameter));
}

static void
all_steps (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_set_all_steps (SESSION (data), !ls_session_get_all_steps (SESSION (data)));
}

static void
first_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_go_first (SESSION (data));
}

static void
last_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_go_last (SESSION (data));
}

static gboolean
play_on (gpointer data)
{
  LsSession *session = SESSION (data);

  gboolean open = session != NULL && gtk_window_get_application (data) != NULL;

  if (open)
    ls_session_go_by (session, 1);
  if (open && ls_session_can_redo (session))
    return G_SOURCE_CONTINUE;
  g_object_set_data (data, "ls-play", NULL);
  return G_SOURCE_REMOVE;
}

static void
play (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  guint source = GPOINTER_TO_UINT (g_object_get_data (data, "ls-play"));

  if (ls_window_play (data, 0))
    return;
  if (source != 0)
    {
      g_source_remove (source);
      g_object_set_data (data, "ls-play", NULL);
    }
  else if (ls_session_can_redo (SESSION (data)))
    {
      source = g_timeout_add_full (G_PRIORITY_DEFAULT, PLAY_INTERVAL, play_on,
                                   g_object_ref (data), g_object_unref);
      g_object_set_data (data, "ls-play", GUINT_TO_POINTER (source));
    }
}

static void
play_back (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!ls_window_play (data, -1))
    ls_session_go_by (SESSION (data), -1);
}

static void
play_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!ls_window_play (data, 1))
    ls_session_go_by (SESSION (data), 1);
}

/* A text that is being edited has an undo of its own. FALSE: there is none. */
static gboolean
in_text (gpointer    data,
         const char *text_action)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (data));
  gboolean editable = GTK_IS_TEXT_VIEW (focus) ? gtk_text_view_get_editable (GTK_TEXT_VIEW (focus)) : GTK_IS_TEXT (focus);

  return editable && gtk_widget_activate_action (focus, text_action, NULL);
}

static void
undo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!in_text (data, "text.undo"))
    ls_session_go_by (SESSION (data), -1);
}

static void
redo (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!in_text (data, "text.redo"))
    ls_session_go_by (SESSION (data), 1);
}

/* ---- measuring ---------------------------------------------------------- */

static void
measure (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_measure (SESSION (data), FALSE);
}

static void
measure_all (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_measure (SESSION (data), TRUE);
}

static void
try_likely (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_try_likely (SESSION (data));
}

static void
cancel (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_cancel (SESSION (data));
}

static void
cancel_open (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_open_cancel (data);
}

static void
cancel_export (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_file_export_cancel (data);
}

static void
written (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_say_written (data, g_variant_get_string (parameter, NULL));
}

static void
apply_trace (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_trace_apply (data);
}

/* ---- files and trace ---------------------------------------------------- */

static void
open_file (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_open_dialog (data);
}

static void
open_recent (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  ls_window_file_open (data, file);
}

static void
kept_work (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_kept_show (data);
}

static void
save (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_file_save (data);
}

static void
save_as (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_file_save_as (data);
}

static void
target (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_ask_target (data, LS_ENGINE_SESSION (SESSION (data)));
}

static void
set_target (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_set_target (data, LS_ENGINE_SESSION (SESSION (data)), g_variant_get_string (parameter, NULL));
}

static void
fast_math (GSimpleAction *action, GVariant *state, gpointer data)
{
  if (LS_IS_ENGINE_SESSION (SESSION (data)))
    ls_window_set_fast_math (data, LS_ENGINE_SESSION (SESSION (data)), g_variant_get_boolean (state));
  ls_window_update_actions (data);
}

static void
take_to_device (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_take_to_device (data);
}

static void
export (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const struct { const char *name; LsExportKind kind; } exports[] = {
    { "trace-json", LS_EXPORT_TRACE_JSON },
    { "module", LS_EXPORT_MODULE },
    { "report", LS_EXPORT_REPORT },
  };

  for (guint i = 0; i < G_N_ELEMENTS (exports); i++)
    if (g_strcmp0 (exports[i].name, g_variant_get_string (parameter, NULL)) == 0)
      ls_window_file_export (data, exports[i].kind);
}

static void
new_window (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_action_group_activate_action (G_ACTION_GROUP (gtk_window_get_application (data)), "new-window", NULL);
}

static void
save_trace (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_save_trace_dialog (data);
}

static void
copy_trace (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsStepItem *current = ls_session_get_current (SESSION (data));
  g_autofree char *trace = NULL;

  if (current == NULL)
    return;
  trace = ls_session_get_trace (SESSION (data), ls_step_item_get (current)->id, NULL);
  if (trace != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (data), trace);
}

static void
copy_link (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GFile *file = ls_window_file_saved (data);
  g_autofree char *link = file != NULL ? ls_link_write (file, data) : NULL;

  if (link == NULL)
    {
      ls_window_say (data, _("No link yet"), _("A link leads to a step of a saved session: save it first (Ctrl+S)."));
      return;
    }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (data), link);
  ls_window_say (data, _("Link copied"), link);
}

static void
edit_step (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_edit_step (data);
}

/* ---- the windows beside this one ------------------------------------------ */

static void
say_in (GtkWindow  *parent,
        const char *what,
        const char *why)
{
  ls_window_say (LS_WINDOW (parent), what, why);
}

/* `move` NULL: the chosen one while the keyboard is among the moves. */
static void
show_tool (LsWindow           *self,
           const LsTool       *tool,
           const LsMoveRecord *move,
           gboolean            differ)
{
  LsSession *session = ls_window_get_session (self);
  LsStepItem *current = ls_session_get_current (session);
  LsMoveItem *chosen = ls_window_get_move (self);
  LsToolPlace place = {
    .parent = GTK_WINDOW (self), .session = session, .say = say_in,
    .move = move == NULL && chosen != NULL ? ls_move_item_get (chosen) : move,
    .compared = ls_window_shows_page (self, "compare"), .differ = differ,
    .right = current != NULL ? ls_step_item_get (current)->id : 0,
  };

  if (place.compared)
    ls_window_get_compared (self, &place.left, &place.right);
  tool->show (&place);
}

static void
tool (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  show_tool (data, ls_tool_find (g_action_get_name (G_ACTION (action))), NULL, FALSE);
}

/* An output was found to be another one: both are run in step, and where they part is asked at once. */
static void
where_they_part (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  show_tool (data, ls_tool_find ("run-pair"), NULL, TRUE);
}

static void
rule_of (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsMoveRecord move = { 0 };

  g_variant_get (parameter, "(&s&s&s)", &move.name, &move.source, &move.reason);
  show_tool (data, ls_tool_find ("rule"), &move, FALSE);
}

static void
add_tools (LsWindow *self)
{
  for (guint i = 0; i < ls_tool_get_n (); i++)
    {
      GActionEntry entry = { .name = ls_tool_get (i)->id, .activate = tool };

      g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
    }
}

static void
export_figure (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const char *const names[] = { [LS_FIGURE_HISTORY] = "history", [LS_FIGURE_LOOPS] = "loops",
                                       [LS_FIGURE_TIMES] = "times", [LS_FIGURE_ROOFLINE] = "roofline",
                                       [LS_FIGURE_COMPARED] = "compared" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_strcmp0 (names[i], g_variant_get_string (parameter, NULL)) == 0)
      ls_window_file_export_figure (data, i, names[i]);
}

static void
name_branch (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_name_branch (data);
}

/* ---- panes -------------------------------------------------------------- */

static void
history_state (GSimpleAction *action, GVariant *state, gpointer data)
{
  ls_window_show_history (data, g_variant_get_boolean (state));
}

static void
moves_state (GSimpleAction *action, GVariant *state, gpointer data)
{
  ls_window_show_moves (data, g_variant_get_boolean (state));
}

static void
focus_moves (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_focus_moves (data);
}

static void
show_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_show_page (data, g_variant_get_string (parameter, NULL));
}

static void
search (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_search (data, FALSE);
}

static void
search_next (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_search (data, TRUE);
}

static void
diff (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_toggle_diff (data);
}

static void
edit_base (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_toggle_edit (data);
}

/* Where the cursor is, when it is in a text. */
static void
definition (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (data));

  if (focus != NULL && LS_IS_SCRIPT_PANE (focus))
    ls_script_pane_go_to_definition (LS_SCRIPT_PANE (focus));
}

/* The script view knows where the keyboard is. */
static void
source (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_go_to_source (data);
}

static void
card (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (data));
  GtkWidget *editor = focus != NULL ? gtk_widget_get_ancestor (focus, LS_TYPE_SCRIPT_EDITOR) : NULL;

  if (focus != NULL && LS_IS_SCRIPT_PANE (focus))
    ls_script_pane_show_card (LS_SCRIPT_PANE (focus));
  else if (editor != NULL)
    ls_script_editor_show_card (LS_SCRIPT_EDITOR (editor));
}

/* ---- pins ---------------------------------------------------------------- */

/* What the cursor is at when it is in the text of the step, else what is selected. */
static void
pin_with (LsWindow *self,
          int       slot)
{
  LsSession *session = ls_window_get_session (self);
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  GtkWidget *pane = focus != NULL ? gtk_widget_get_ancestor (focus, LS_TYPE_SCRIPT_PANE) : NULL;
  gboolean in_text = pane != NULL && ls_script_pane_get_text (LS_SCRIPT_PANE (pane)) == ls_session_get_script (session);
  guint64 row = in_text ? 0 : ls_session_get_selection (session);
  g_autofree char *reason = ls_session_pin (session, row, in_text ? ls_script_pane_get_cursor (LS_SCRIPT_PANE (pane)) : 0, slot);

  if (reason != NULL)
    ls_window_say (self, _("Nothing was pinned"), reason);
}

static void
pin (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  pin_with (data, LS_PIN_NEXT);
}

static void
pin_as (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  pin_with (data, CLAMP (g_variant_get_int32 (parameter), 1, LS_PINS_MAX) - 1);
}

static void
unpin_all (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_unpin (SESSION (data), G_MAXUINT8);
}

/* ---- panes --------------------------------------------------------------- */

static void
next_pane (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_cycle_panes (data, 1);
}

static void
previous_pane (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_cycle_panes (data, -1);
}

static void
full_screen (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (gtk_window_is_fullscreen (data))
    gtk_window_unfullscreen (data);
  else
    gtk_window_fullscreen (data);
}

/* ---- tables ------------------------------------------------------------- */

/* The window of all shortcuts is made when it is first asked for: later GTK's own action of that name shows it again. */
static void
show_shortcuts (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/org/loopscope/app/window/shortcuts.ui");

  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (data),
                                           GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "shortcuts")));
  gtk_window_present (GTK_WINDOW (gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (data))));
}

static const GActionEntry entries[] = {
  { .name = "show-help-overlay", .activate = show_shortcuts },
  { .name = "open", .activate = open_file },
  { .name = "open-recent", .parameter_type = "s", .activate = open_recent },
  { .name = "kept-work", .activate = kept_work },
  { .name = "save", .activate = save },
  { .name = "save-as", .activate = save_as },
  { .name = "export", .parameter_type = "s", .activate = export },
  { .name = "take-to-device", .activate = take_to_device },
  { .name = "target", .activate = target },
  { .name = "set-target", .parameter_type = "s", .activate = set_target },
  { .name = "fast-math", .state = "false", .change_state = fast_math },
  { .name = "new-window", .activate = new_window },
  { .name = "save-trace", .activate = save_trace },
  { .name = "copy-trace", .activate = copy_trace },
  { .name = "copy-link", .activate = copy_link },
  { .name = "name-branch", .activate = name_branch },
  { .name = "edit-step", .activate = edit_step },
  { .name = "where-they-part", .activate = where_they_part },
  { .name = "rule-of", .parameter_type = "(sss)", .activate = rule_of },
  { .name = "export-figure", .parameter_type = "s", .activate = export_figure },
  { .name = "cancel-results", .activate = cancel },
  { .name = "undo", .activate = undo },
  { .name = "redo", .activate = redo },
  { .name = "previous-step", .activate = previous_step },
  { .name = "next-step", .activate = next_step },
  { .name = "first-step", .activate = first_step },
  { .name = "last-step", .activate = last_step },
  { .name = "bookmark", .activate = bookmark },
  { .name = "to-bookmark", .parameter_type = "i", .activate = to_bookmark },
  { .name = "all-steps", .activate = all_steps },
  { .name = "play", .activate = play },
  { .name = "play-back", .activate = play_back },
  { .name = "play-on", .activate = play_step },
  { .name = "measure", .activate = measure },
  { .name = "measure-all", .activate = measure_all },
  { .name = "try-likely", .activate = try_likely },
  { .name = "cancel", .activate = cancel },
  { .name = "cancel-open", .activate = cancel_open },
  { .name = "cancel-export", .activate = cancel_export },
  { .name = "written", .parameter_type = "s", .activate = written },
  { .name = "apply-trace", .activate = apply_trace },
  { .name = "history", .state = "true", .change_state = history_state },
  { .name = "moves", .state = "true", .change_state = moves_state },
  { .name = "focus-moves", .activate = focus_moves },
  { .name = "page", .activate = show_page, .parameter_type = "s" },
  { .name = "search", .activate = search },
  { .name = "search-next", .activate = search_next },
  { .name = "diff", .activate = diff },
  { .name = "edit-base", .activate = edit_base },
  { .name = "definition", .activate = definition },
  { .name = "source", .activate = source },
  { .name = "card", .activate = card },
  { .name = "pin", .activate = pin },
  { .name = "pin-as", .parameter_type = "i", .activate = pin_as },
  { .name = "unpin-all", .activate = unpin_all },
  { .name = "next-pane", .activate = next_pane },
  { .name = "previous-pane", .activate = previous_pane },
  { .name = "fullscreen", .activate = full_screen },
};

void
ls_window_add_actions (LsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  add_tools (self);
  ls_window_add_compare_actions (self);
  ls_window_add_look_actions (self);
  ls_window_add_keys (self);
}

static void
enable (LsWindow   *self,
        const char *name,
        gboolean    enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self),
                                                                            name)), enabled);
}

static void
fast_math_found (LsWindow   *self,
                 gboolean    can,
                 const char *words)
{
  enable (self, "fast-math", can);
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "fast-math")), g_variant_new_boolean (words != NULL));
  ls_window_header_set_fast (self, words);
}

void
ls_window_update_actions (LsWindow *self)
{
  LsSession *session = ls_window_get_session (self);
  gboolean any = ls_session_get_current (session) != NULL;
  gboolean back = any && ls_session_can_undo (session);
  gboolean on = any && ls_session_can_redo (session);
  gboolean running = ls_session_is_running (session);

  enable (self, "undo", back);
  enable (self, "previous-step", back);
  enable (self, "first-step", back);
  enable (self, "redo", on);
  enable (self, "next-step", on);
  enable (self, "last-step", on);
  enable (self, "play", any);
  enable (self, "bookmark", any);
  enable (self, "pin", any);
  enable (self, "pin-as", any);
  enable (self, "unpin-all", any && ls_session_get_pins (session) != 0);
  enable (self, "measure", any && !running);
  enable (self, "measure-all", any && !running);
  enable (self, "try-likely", any && !running);
  enable (self, "cancel", running);
  enable (self, "save-trace", any);
  enable (self, "save", any);
  enable (self, "save-as", any);
  enable (self, "export", any);
  enable (self, "take-to-device", any);
  enable (self, "target", any && LS_IS_ENGINE_SESSION (session));
  enable (self, "set-target", any && LS_IS_ENGINE_SESSION (session));
  ls_window_find_fast_math (self, any && LS_IS_ENGINE_SESSION (session) ? LS_ENGINE_SESSION (session) : NULL, fast_math_found);
  enable (self, "copy-trace", any);
  enable (self, "copy-link", any);
  enable (self, "name-branch", any);
  enable (self, "edit-step", back);
  for (guint i = 0; i < ls_tool_get_n (); i++)
    enable (self, ls_tool_get (i)->id, any && !(running && ls_tool_get (i)->waits));
  enable (self, "export-figure", any);
  enable (self, "compare-before", back);
  enable (self, "compare-file", any);
  enable (self, "compare-branches", g_list_model_get_n_items (ls_session_get_branches (session)) > 1);
  enable (self, "measure-compared", any && !running);
  enable (self, "try-results", any);
  enable (self, "diff", back);
}
