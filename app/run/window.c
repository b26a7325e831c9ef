/* run/window: the program of the current step runs in a worker of its own and stands still where it is asked to; text, values and
 * buffers show where it stands.
 *
 * One call to the worker at a time: a command.  A run that goes on for long comes back "interrupted" every fifth of a second and is sent
 * on with "more", until it stops by itself or Pause was pressed; End takes the worker's process away, whatever it does.
 */
#include "app/run/private.h"
#include "app/run/begun.h"
#include "app/run/toy.h"
#include "app/run/value.h"
#include "app/run/window.h"

#include "app/session/code-rows.h"
#include "app/session/engine.h"
#include "app/tool/window.h"
#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/parts/source-text.h"
#include "views/parts/tab-stop.h"
#include "views/run/grid.h"
#include "views/run/plot.h"
#include "views/run/text.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST_VALUES 40
#define TRAIL 12                /* accesses that are drawn */

/* The moves, as buttons and keys. */
static const LsRunMove moves[] = {
  { "start", "media-skip-backward-symbolic", N_("First statement (Home)"), GDK_KEY_Home, FALSE },
  { "back-continue", "media-seek-backward-symbolic", N_("Back to the last breakpoint (Shift+F8)"), GDK_KEY_F8, TRUE },
  { "back-over", "go-previous-symbolic", N_("Back over what is inside (Shift+F10)"), GDK_KEY_F10, TRUE },
  { "back", "go-up-symbolic", N_("A statement back (Shift+F11)"), GDK_KEY_F11, TRUE },
  { "step", "go-down-symbolic", N_("Next statement, into what it holds (F11)"), GDK_KEY_F11, FALSE },
  { "over", "go-next-symbolic", N_("Over what it holds (F10)"), GDK_KEY_F10, FALSE },
  { "loop", "media-playlist-repeat-symbolic", N_("Next round of the loop (F7)"), GDK_KEY_F7, FALSE },
  { "out", "go-top-symbolic", N_("Out of the loop (F12)"), GDK_KEY_F12, FALSE },
  { "write", "document-edit-symbolic", N_("Next write of the shown buffer (F4)"), GDK_KEY_F4, FALSE },
  { "continue", "media-playback-start-symbolic", N_("On to the next breakpoint (F8)"), GDK_KEY_F8, FALSE },
  { "end", "media-skip-forward-symbolic", N_("To the end of the run (End)"), GDK_KEY_End, FALSE },
};

static void send (LsRun *self, const char *command);

/* ---- what is shown -------------------------------------------------------------------------- */

static void
show_buttons (LsRun *self)
{
  ls_run_frame_set_can (&self->frame, self->look != NULL, ls_run_is_busy (self));
  gtk_widget_set_sensitive (self->pause, ls_run_is_busy (self));
}

/* "i: round 10 of 128, k: round 1 of 64" */
static char *
loops_words (GVariant *look)
{
  g_autoptr (GVariant) frames = ls_params_value (look, "frames");
  GString *words = g_string_new (NULL);

  for (gsize i = 0; frames != NULL && i < g_variant_n_children (frames); i++)
    {
      g_autoptr (GVariant) frame = g_variant_get_child_value (frames, i);
      gint64 round = ls_params_int (frame, "round", -1);
      g_autofree char *number = ls_format_count (round + 1);
      g_autofree char *extent = ls_format_count (ls_params_int (frame, "extent", 0));

      if (round < 0)
        continue;
      if (words->len > 0)
        g_string_append (words, ", ");
      /* Translators: a loop: its name, the number of its round, how many there are */
      g_string_append_printf (words, _("%s: round %s of %s"), ls_params_string (frame, "name", "?"), number, extent);
    }
  return g_string_free (words, FALSE);
}

static void
say_position (LsRun *self)
{
  const char *state = ls_params_string (self->look, "state", "");
  g_autoptr (GVariant) hit = ls_params_value (self->look, "hit");
  g_autofree char *loops = loops_words (self->look);
  g_autofree char *clock = ls_format_count (ls_params_int (self->look, "clock", 0));
  g_autofree char *sentence = NULL;
  g_autofree char *reason = NULL;

  if (strcmp (state, "finished") == 0)
    sentence = g_strdup_printf (ngettext ("The run is over after %s statement; it can be stepped back.", "The run is over after %s statements; it can be stepped back.",
                                          (gulong) ls_params_int (self->look, "clock", 0)), clock);
  else if (strcmp (state, "failed") == 0)
    sentence = g_strdup_printf (_("The run ends here: %s"), ls_params_string (self->look, "error", ""));
  else if (*loops != '\0')
    sentence = g_strdup_printf (_("Before statement %s, %s."), clock, loops);
  else
    sentence = g_strdup_printf (_("Before statement %s."), clock);
  if (hit != NULL && ls_params_string (hit, "element", NULL) != NULL)
    /* Translators: a breakpoint, an element of an array, its value: write C, C[2, 3], 0.5 */
    reason = g_strdup_printf (strcmp (ls_params_string (hit, "kind", ""), "read") == 0 ? _("Stopped for %s: %s is %s.") : _("Stopped for %s: %s becomes %s."),
                              ls_params_string (hit, "words", ""), ls_params_string (hit, "element", ""), ls_params_string (hit, "text", ""));
  else if (hit != NULL && ls_params_int (hit, "stop", 0) > 0)
    reason = g_strdup_printf (_("Stopped for %s."), ls_params_string (hit, "words", ""));
  ls_run_frame_say (&self->frame, sentence, reason);
}

static void
add_heading (LsRun      *self,
             const char *words)
{
  GtkWidget *label = ls_part_label (words, "reason");

  gtk_widget_set_margin_start (label, 12);
  gtk_widget_set_margin_top (label, 6);
  gtk_list_box_append (GTK_LIST_BOX (self->values), label);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (gtk_widget_get_parent (label)), FALSE);
}

/* Rows "name = value" of a list of the answer. */
static void
add_rows (LsRun      *self,
          const char *key,
          const char *name,
          const char *heading)
{
  g_autoptr (GVariant) list = ls_params_value (self->look, key);
  gsize n = list != NULL ? MIN (g_variant_n_children (list), MOST_VALUES) : 0;

  if (n > 0)
    add_heading (self, heading);
  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
      g_autofree char *words = g_strdup_printf ("%s = %s", ls_params_string (one, name, "?"), ls_params_string (one, "text", "?"));
      GtkWidget *label = ls_part_label (words, "code");

      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
      gtk_widget_set_margin_start (label, 12);
      gtk_widget_set_margin_end (label, 12);
      gtk_list_box_append (GTK_LIST_BOX (self->values), label);
    }
}

static void
show_values (LsRun *self)
{
  ls_run_clear_list (self->values);
  add_rows (self, "vars", "name", _("Variables"));
  add_rows (self, "expressions", "expression", _("What the statement evaluates"));
}

/* The line of the text in the main window that is a line of the run's, from 1: the same one where both read the same, else the only one that does; 0:
 * there is none. */
static guint
line_there (LsRun  *self,
            gint64  line)
{
  LsScriptText *text = self->made < 0 ? ls_session_get_script (self->session) : NULL;
  g_auto (GStrv) there = text != NULL ? g_strsplit (ls_script_text_get_text (text), "\n", -1) : NULL;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->text));
  g_autofree char *own = NULL;
  GtkTextIter start, end;
  guint found = 0, n = 0;

  if (there == NULL || line <= 0)
    return 0;
  gtk_text_buffer_get_iter_at_line (buffer, &start, (int) line - 1);
  end = start;
  if (!gtk_text_iter_ends_line (&end))
    gtk_text_iter_forward_to_line_end (&end);
  own = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  for (guint i = 0; there[i] != NULL; i++)
    if (strcmp (there[i], own) == 0)
      {
        if (i + 1 == (guint) line)
          return i + 1;
        found = i + 1;
        n++;
      }
  return n == 1 ? found : 0;
}

static void
show_look (LsRun *self)
{
  gint64 line = ls_params_int (self->look, "line", 0);

  if (ls_params_string (self->look, "listing", NULL) != NULL)
    ls_run_toy_title (self->window, _("Run"), self->look);
  if (ls_params_string (self->look, "listing", NULL) != NULL)
    ls_source_text_set (LS_SOURCE_TEXT (self->text), ls_params_string (self->look, "listing", ""));
  if (line > 0)
    ls_source_text_mark (LS_SOURCE_TEXT (self->text), (guint) line, (guint) line);
  ls_session_set_stand (self->session, line_there (self, line));
  {
    g_autofree char *kept = ls_run_kept_words (self->look, NULL);

    gtk_label_set_label (GTK_LABEL (self->kept), kept);
  }
  say_position (self);
  show_values (self);
  ls_run_buffers_show (self);
}

/* ---- asking -------------------------------------------------------------------------------------- */

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  LsRun *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *asked = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  g_clear_object (&self->asking);
  if (answer == NULL)
    {
      if (error->domain != LS_WORKER_ERROR || error->code != LS_WORKER_ERROR_REQUEST)
        g_clear_pointer (&self->look, g_variant_unref);
      ls_run_frame_forget (&self->frame);
      ls_run_frame_say (&self->frame, error->message, NULL);
    }
  else if ((asked = ls_run_sizes_asked (self->sizes, answer)) != NULL)
    ls_run_frame_say (&self->frame, asked, NULL);
  else if (ls_params_string (answer, "state", NULL) == NULL)
    {
      g_autoptr (GVariant) stops = ls_params_value (answer, "stops");

      ls_run_stops_show (self, answer);
      if (stops == NULL)
        send (self, "breaks");  /* one was added */
    }
  else
    {
      g_clear_pointer (&self->look, g_variant_unref);
      self->look = g_variant_ref (answer);
      show_look (self);
      if (ls_params_bool (answer, "interrupted", FALSE) && !self->wants_pause)
        {
          send (self, "more");
          return;
        }
      if ((!self->asked_grid && ls_run_buffers_shown (self) != NULL) || (self->wants_part && self->part != NULL))
        {
          self->wants_part = FALSE;
          send (self, "where");   /* now it is known which buffers there are, or another part of one was asked for meanwhile */
        }
      else
        ls_run_plot_follow (self);
      if (!ls_run_is_busy (self))
        ls_run_text_follow_cursor (self->value);
    }
  show_buttons (self);
  if (!ls_run_is_busy (self))
    ls_run_frame_go_on (&self->frame);
}

static void
call (LsRun        *self,
      GVariantDict *params)
{
  self->asking = g_cancellable_new ();
  ls_worker_call_async (self->worker, "debug", g_variant_dict_end (params), NULL, self->asking, answered, self);
  show_buttons (self);
}

static void
send (LsRun      *self,
      const char *command)
{
  g_autofree char *grid = ls_run_buffers_wanted (self);
  GVariantDict params;

  if (ls_run_is_busy (self))
    return;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "command", "s", command);
  self->asked_grid = grid != NULL;
  if (grid != NULL)
    g_variant_dict_insert (&params, "grid", "s", grid);
  if (grid != NULL && !self->has_chosen)
    g_variant_dict_insert (&params, "follow", "b", TRUE);
  if (grid != NULL && ls_run_buffers_trail (self))
    g_variant_dict_insert (&params, "trail", "x", (gint64) TRAIL);
  call (self, &params);
}

static void
go (gpointer    run,
    const char *command)
{
  LsRun *self = run;
  g_autofree char *words = NULL;

  if (self->look == NULL)
    return;
  self->wants_pause = FALSE;
  self->has_chosen = FALSE;
  g_clear_pointer (&self->part, g_free);
  if (strcmp (command, "write") == 0 && ls_run_buffers_shown (self) != NULL)
    words = g_strconcat ("write ", ls_run_buffers_shown (self), NULL);
  send (self, words != NULL ? words : command);
}

static void
pause_run (LsRun *self)
{
  self->wants_pause = TRUE;
  ls_run_frame_forget (&self->frame);
}

/* The function of the selection, else the first of the text. */
static char *
wanted_function (LsRun *self)
{
  LsScriptText *text = ls_session_get_script (self->session);
  guint first, last;

  if (text == NULL)
    return NULL;
  if (ls_code_lines_of (text, ls_session_get_selection (self->session), &first, &last))
    return ls_code_function_at (text, first);
  for (guint i = 0; i < ls_script_text_n_lines (text); i++)
    if (ls_script_text_line (text, i)->id != 0)
      return ls_code_function_at (text, i + 1);
  return NULL;
}

static void
leave (LsRun *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  ls_run_frame_forget (&self->frame);
}

/* The steps of a history are done again on the smaller program; a program without one is shrunk as it stands. */
static void
put_toy (LsRun        *self,
         GVariantDict *params)
{
  LsHistory *history = LS_IS_ENGINE_SESSION (self->session) ? ls_engine_session_get_history (LS_ENGINE_SESSION (self->session)) : NULL;
  guint id = history != NULL ? ls_engine_session_get_node (LS_ENGINE_SESSION (self->session)) : LS_HISTORY_NONE;

  if (!gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->toy)))
    return;
  if (self->made < 0 && id != LS_HISTORY_NONE)
    ls_run_toy_put (params, history, &id, 1);
  else
    g_variant_dict_insert (params, "toy", "x", (gint64) LS_RUN_TOY);
}

/* Begins anew with what is shown now. */
static void
begin (LsRun *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (self->session, LS_EXPORT_MODULE, &error);
  g_autofree char *function = wanted_function (self);
  GVariantDict params;

  leave (self);
  ls_worker_stop (self->worker);
  g_clear_pointer (&self->look, g_variant_unref);
  ls_session_set_stand (self->session, 0);
  ls_run_clear_list (self->values);
  ls_run_stops_forget (self);
  ls_run_plot_forget (self);
  gtk_label_set_label (GTK_LABEL (self->value), "");
  ls_run_grid_set (LS_RUN_GRID (self->grid), NULL, NULL);
  if (module == NULL)
    {
      ls_run_frame_say (&self->frame, error->message, NULL);
      show_buttons (self);
      return;
    }
  ls_run_frame_say (&self->frame, _("The run begins."), NULL);
  self->asked_grid = FALSE;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", module);
  if (self->made >= 0)
    g_variant_dict_insert (&params, "graph", "x", self->made);
  if (self->made >= 0 ? self->graph_func != NULL : function != NULL)
    g_variant_dict_insert (&params, "func", "s", self->made >= 0 ? self->graph_func : function);
  put_toy (self, &params);
  ls_run_begun_put (&params, self->sizes);
  call (self, &params);
}

/* Only while the run stands still. */
static void
value_wanted (guint     line,
              guint     column,
              GTask    *task,
              gpointer  data)
{
  LsRun *self = data;
  GVariantDict params;

  if (self->look == NULL || ls_run_is_busy (self))
    {
      ls_run_value_busy (task);
      return;
    }
  g_variant_dict_init (&params, NULL);
  ls_run_value_ask (self->worker, "debug", &params, line, column, task);
}

static const LsRunTextWishes text_wishes = { ls_run_stops_toggle, value_wanted };

/* ---- the window --------------------------------------------------------------------------------------- */

static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             LsRun              *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->window));
  gboolean is_text = focus != NULL && (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus) || LS_IS_RUN_GRID (focus) || LS_IS_RUN_PLOT (focus));

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_F2)
    {
      gtk_widget_grab_focus (self->stop);
      return TRUE;
    }
  if (key == GDK_KEY_F3)
    {
      gtk_widget_grab_focus (self->plot_entry);
      return TRUE;
    }
  if (key == GDK_KEY_F9 || key == GDK_KEY_Pause)
    {
      pause_run (self);
      return TRUE;
    }
  return ls_run_frame_press (&self->frame, key, state, is_text);
}

static GtkWidget *
bar (LsRun *self)
{
  GtkWidget *row = ls_part_row ("compare-head");

  ls_run_frame_put_moves (&self->frame, row);
  self->pause = ls_part_icon_button ("media-playback-pause-symbolic", _("Pause (F9)"));
  self->again = ls_part_word_button ("view-refresh-symbolic", _("Begin again"));
  self->toy = gtk_toggle_button_new_with_label (_("Toy size"));
  gtk_widget_set_tooltip_text (self->toy, _("Extents shrunk to about 8, with the structure kept"));
  g_signal_connect_swapped (self->pause, "clicked", G_CALLBACK (pause_run), self);
  g_signal_connect_swapped (self->again, "clicked", G_CALLBACK (begin), self);
  g_signal_connect_swapped (self->toy, "toggled", G_CALLBACK (begin), self);
  gtk_box_append (GTK_BOX (row), self->pause);
  gtk_box_append (GTK_BOX (row), self->again);
  self->sizes = ls_run_sizes_new (G_CALLBACK (begin), self);
  self->kept = ls_part_label (NULL, "reason");
  gtk_label_set_ellipsize (GTK_LABEL (self->kept), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->kept, TRUE);
  gtk_widget_set_halign (self->kept, GTK_ALIGN_END);
  gtk_widget_set_tooltip_text (self->kept, _("Checkpoints far from where the run stands go first; the first one and one more stay, whatever they take"));
  gtk_box_append (GTK_BOX (row), self->toy);
  gtk_box_append (GTK_BOX (row), self->sizes);
  gtk_box_append (GTK_BOX (row), self->kept);
  return ls_part_wrapped (row);
}

static GtkWidget *
scrolled (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_hexpand (scroller, TRUE);
  return scroller;
}

static GtkWidget *
values_box (LsRun *self)
{
  GtkWidget *panes = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  self->values = gtk_list_box_new ();
  ls_tab_stop_make (self->values);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->values), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Values"), -1);
  gtk_paned_set_start_child (GTK_PANED (panes), scrolled (self->values));
  gtk_paned_set_end_child (GTK_PANED (panes), ls_run_buffers_new (self));
  gtk_paned_set_resize_start_child (GTK_PANED (panes), TRUE);
  gtk_paned_set_shrink_end_child (GTK_PANED (panes), FALSE);
  gtk_paned_set_position (GTK_PANED (panes), 200);
  return panes;
}

static void
build (LsRun     *self,
       GtkWindow *parent)
{
  GtkWidget *left = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *box;
  GtkWidget *foot = ls_part_label (_("A frame is what the statement writes, a dashed one what it reads; hatched is not written yet. A click beside a line, or Ctrl+B, "
                                     "sets a breakpoint; the pointer or the cursor on an expression shows its value. The run is in a process of its own: "
                                     "Begin again ends it whatever it does."), "reason");

  ls_run_frame_init (&self->frame, moves, G_N_ELEMENTS (moves), go, self);
  self->text = g_object_ref_sink (ls_source_text_new (LS_SYNTAX_SCRIPT));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_LABEL, _("The program that runs"), -1);
  ls_run_text_make (GTK_SOURCE_VIEW (self->text), &text_wishes, self);
  self->value = ls_run_text_value_new (GTK_SOURCE_VIEW (self->text));
  gtk_box_append (GTK_BOX (left), scrolled (self->text));
  gtk_box_append (GTK_BOX (left), self->value);
  gtk_box_append (GTK_BOX (left), ls_run_stops_new (self));
  gtk_box_append (GTK_BOX (left), ls_run_plot_box_new (self));
  box = ls_run_frame_build (&self->frame, bar (self), left, values_box (self), 620);
  gtk_paned_set_resize_end_child (GTK_PANED (self->frame.panes), FALSE);
  self->window = ls_tool_window_new (parent, _("Run"), 1120, 740, box, foot);
  ls_run_frame_watch (self->window, G_CALLBACK (key_pressed), self);
}

static void
run_free (gpointer data)
{
  LsRun *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  ls_session_set_stand (self->session, 0);
  leave (self);
  ls_worker_stop (self->worker);
  g_object_unref (self->worker);
  g_object_unref (self->session);
  g_clear_pointer (&self->look, g_variant_unref);
  g_object_set_data (G_OBJECT (self->plot), LS_RUN_KEY, NULL);
  g_object_unref (self->plot);
  ls_run_plotted_free (self->plotted);
  g_object_unref (self->text);
  g_strfreev (self->names);
  g_free (self->part);
  g_free (self->graph_func);
  g_ptr_array_unref (self->shapes);
  g_array_unref (self->lines);
  g_free (self);
}

/* The program is another one. */
static void
begin_anew (LsRun *self)
{
  self->made = -1;
  begin (self);
}

static void
show_run (GtkWindow  *parent,
          LsSession  *session,
          gint64      value,
          const char *func)
{
  LsRun *self = ls_tool_window_find (parent, LS_RUN_KEY);

  if (self == NULL)
    {
      self = g_new0 (LsRun, 1);
      self->send = send;
      self->made = -1;
      self->session = g_object_ref (session);
      self->worker = ls_worker_new ();
      self->shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
      self->lines = ls_run_stops_lines_new ();
      self->plotted = ls_run_plotted_new ();
      build (self, parent);
      ls_tool_window_keep (self->window, LS_RUN_KEY, self, run_free);
      g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (begin_anew), self);
      if (value < 0)
        begin (self);
    }
  if (value >= 0)
    {
      self->made = value;
      g_free (self->graph_func);
      self->graph_func = g_strdup (func);
      begin (self);
    }
  gtk_window_present (GTK_WINDOW (self->window));
}

void
ls_run_show_call (GtkWindow  *parent,
                  LsSession  *session,
                  const char *func,
                  gint64      number)
{
  show_run (parent, session, number, func);
}

static void
show (const LsToolPlace *place)
{
  show_run (place->parent, place->session, -1, NULL);
}

const LsTool ls_run_tool = { .id = LS_RUN_KEY, .label = N_("Run step by step"), .accel = "<Control><Shift>d", .follows = TRUE, .show = show };
