/* What the keys, the menu and the buttons of a lesson window do.
 *
 * Next is the one that leads through a lesson: it runs or asks what comes next on the page, and turns the page when nothing is left.
 */
#include "app/learn/lesson-window-private.h"

#include "app/base/settings.h"
#include "app/jail/jail.h"

#include "app/learn/arrays-window.h"
#include "app/learn/course-window.h"
#include "app/learn/editor.h"
#include "app/learn/result-pane.h"
#include "app/learn/screens.h"
#include "app/lesson/submission.h"
#include "app/rpc/rpc.h"
#include "app/session/engine.h"
#include "app/tool/tool.h"
#include "views/parts/ask-file.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

/* ---- going on ---------------------------------------------------------------------- */

/* Does Next do something with this part itself?  A question with a guess is revealed, an exercise checked: one that was written in
 * since, and on the last page any. */
static gboolean
act_on (LsLessonWindow *self,
        guint           part)
{
  LsPartKind kind = ls_lesson_get_part (ls_lesson_window_get_lesson (self), part)->kind;
  gboolean last = ls_play_get_page (self->play) + 1 == ls_lesson_get_n_pages (ls_lesson_window_get_lesson (self));
  const char *ran = ls_play_get (self->play, part)->ran;
  gboolean written = ls_play_is_edited (self->play, part) && (ran == NULL || strcmp (ran, ls_play_get_code (self->play, part)) != 0);

  if (kind == LS_PART_PREDICT && ls_play_get (self->play, part)->choice >= 0)
    ls_play_reveal (self->play, part, TRUE);
  else if (kind == LS_PART_EXERCISE && (written || (last && (int) part == self->offered)))
    ls_play_run (self->play, part);
  else
    return FALSE;
  return TRUE;
}

/* What Next is about: a question that was offered and left open is passed over, so that the cells behind it are reached. */
static int
find_next (LsLessonWindow *self)
{
  int part = ls_play_find_next (self->play, -1);

  if (part < 0 || part > self->offered || ls_play_get (self->play, (guint) part)->choice >= 0
      || ls_lesson_get_part (ls_lesson_window_get_lesson (self), (guint) part)->kind == LS_PART_EXERCISE)
    return part;
  return ls_play_find_next (self->play, self->offered);
}

/* Runs or asks what is next on the page; what was offered before is left behind. */
static void
go_on (LsLessonWindow *self)
{
  int part = find_next (self);
  LsPartKind kind = part >= 0 ? ls_lesson_get_part (ls_lesson_window_get_lesson (self), (guint) part)->kind : LS_PART_PROSE;

  if (part >= 0 && act_on (self, (guint) part))
    {
      self->offered = part;
      return;
    }
  if (part < 0 || (kind != LS_PART_CELL && part == self->offered))
    {
      ls_play_set_page (self->play, ls_play_get_page (self->play) + 1);
      return;
    }
  self->offered = part;
  ls_page_view_reveal (ls_lesson_window_get_page_view (self, ls_play_get_page (self->play)), (guint) part);
  if (kind == LS_PART_CELL || (kind == LS_PART_PRIMITIVE && ls_play_get (self->play, (guint) part)->answer == NULL))
    ls_play_run (self->play, (guint) part);
}

static void
next_action (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play != NULL)
    go_on (self);
}

/* Behind the last page comes the next lesson, where there is one. */
static void
open_next (LsLessonWindow *self)
{
  g_autoptr (LsLesson) next = ls_course_find_next (ls_lesson_window_get_lesson (self));
  g_autoptr (GFile) file = next != NULL ? g_file_new_for_path (ls_lesson_get_path (next)) : NULL;

  if (file != NULL)
    g_application_open (G_APPLICATION (gtk_window_get_application (GTK_WINDOW (self))), &file, 1, "");
}

static void
next_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play != NULL && ls_play_get_page (self->play) + 1 == ls_lesson_get_n_pages (ls_lesson_window_get_lesson (self)))
    open_next (self);
  else if (self->play != NULL)
    ls_play_set_page (self->play, ls_play_get_page (self->play) + 1);
}

static void
previous_page (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play != NULL && ls_play_get_page (self->play) > 0)
    ls_play_set_page (self->play, ls_play_get_page (self->play) - 1);
}

static void
stop (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play == NULL)
    return;
  if (ls_play_get_unheard (self->play) > 0.5)
    ls_play_restart (self->play);
  else
    ls_play_interrupt (self->play);
}

static void
restart (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  if (self->play != NULL)
    ls_play_restart (self->play);
}

static void
run_anyway (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;

  ls_jail_consent ();
  if (self->play != NULL)
    gtk_widget_set_visible (self->refusal, FALSE);
}

static void
reset_answered (AdwMessageDialog *dialog,
                const char       *response,
                LsLessonWindow   *self)
{
  if (g_strcmp0 (response, "again") != 0 || self->play == NULL)
    return;
  ls_play_reset (self->play);
  ls_result_pane_clear (LS_RESULT_PANE (self->result));
}

static void
reset (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWidget *dialog = adw_message_dialog_new (data, _("Begin this lesson again?"), _("Your edits and answers will be lost."));
  AdwMessageDialog *message = ADW_MESSAGE_DIALOG (dialog);

  adw_message_dialog_add_responses (message, "keep", _("Keep"), "again", _("Begin again"), NULL);
  adw_message_dialog_set_response_appearance (message, "again", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (message, "keep");
  adw_message_dialog_set_close_response (message, "keep");
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  gtk_widget_add_css_class (dialog, "loopscope");
  g_signal_connect (dialog, "response", G_CALLBACK (reset_answered), data);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- other windows ------------------------------------------------------------------- */

static void
workbench (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;
  const char *steps = NULL, *text = ls_result_pane_get_text (LS_RESULT_PANE (self->result), &steps);

  self->workbench (gtk_window_get_application (data), self->play != NULL ? ls_lesson_get_title (ls_lesson_window_get_lesson (self)) : "Loopscope", text, steps);
}

static void
edit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_lesson_editor_show (data, ls_lesson_window_preview);
}

static void
open_lesson (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (parameter, NULL));

  g_application_open (G_APPLICATION (gtk_window_get_application (data)), &file, 1, "");
}

static void
file_chosen (GtkWidget *window,
             GFile     *file,
             gpointer   data)
{
  g_application_open (G_APPLICATION (gtk_window_get_application (GTK_WINDOW (window))), &file, 1, "");
}

static void
open_file (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (_("Open a lesson"), data, GTK_FILE_CHOOSER_ACTION_OPEN, _("Open"), _("Cancel"));
  g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
  g_autofree char *path = ls_lesson_folder ();
  g_autoptr (GFile) folder = path != NULL ? g_file_new_for_path (path) : NULL;

  gtk_file_filter_set_name (filter, _("Lessons and notebooks"));
  gtk_file_filter_add_pattern (filter, "*.md");
  gtk_file_filter_add_pattern (filter, "*.ipynb");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (dialog), filter);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (dialog), folder, NULL);
  ls_ask_file (dialog, data, file_chosen, NULL, NULL);
}

/* ---- presenting ------------------------------------------------------------------------ */

static gboolean
show_clock (gpointer data)
{
  LsLessonWindow *self = data;
  gint64 seconds = (g_get_monotonic_time () - self->presenting_since) / G_USEC_PER_SEC;
  g_autofree char *text = g_strdup_printf ("%02d:%02d", (int) (seconds / 60), (int) (seconds % 60));

  gtk_label_set_label (GTK_LABEL (self->clock), text);
  return G_SOURCE_CONTINUE;
}

static void
presenter_gone (LsLessonWindow *self)
{
  self->presenter = NULL;
  g_clear_handle_id (&self->tick, g_source_remove);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->notes), FALSE);
  if (self->play != NULL)
    ls_play_present (self->play, FALSE);
}

static void
present (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;
  g_autoptr (GdkMonitor) other = NULL;  /* the projector: slides are there, notes here */

  if (self->play == NULL)
    return;
  if (self->presenter == NULL)
    {
      other = ls_screens_other (data);
      ls_play_present (self->play, TRUE);
      self->presenter = LS_PRESENTER (ls_presenter_new (gtk_window_get_application (data), self->play, self->folder));
      g_signal_connect_object (self->presenter, "destroy", G_CALLBACK (presenter_gone), self, G_CONNECT_SWAPPED);
      self->presenting_since = g_get_monotonic_time ();
      self->tick = g_timeout_add_seconds (1, show_clock, self);
      show_clock (self);
    }
  ls_lesson_window_show_notes (self);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->notes), TRUE);
  if (other != NULL)
    ls_screens_fill (GTK_WINDOW (self->presenter), other);
  gtk_window_present (GTK_WINDOW (self->presenter));
}

/* ---- handing in, and out -------------------------------------------------------------- */

static char *
make_submission (LsLessonWindow *self)
{
  LsLesson *lesson = ls_lesson_window_get_lesson (self);
  const char *name = g_get_real_name ();
  g_autoptr (LsSubmission) submission = ls_submission_new (ls_lesson_get_id (lesson), ls_lesson_get_language (lesson),
                                                           g_strcmp0 (name, "Unknown") != 0 ? name : g_get_user_name ());
  g_auto (GStrv) keys = ls_lesson_keys (lesson);

  for (guint i = 0; i < ls_lesson_get_n_parts (lesson); i++)
    {
      const LsLessonPart *of = ls_lesson_get_part (lesson, i);
      const LsPlayPart *part = ls_play_get (self->play, i);
      g_auto (GStrv) names = of->kind == LS_PART_PRIMITIVE && part->answer != NULL ? ls_params_strv (part->answer, "choices") : NULL;

      if (part->stops != NULL)
        ls_submission_add (submission, keys[i], "stops", part->stops);
      if (of->kind == LS_PART_EXERCISE)
        ls_submission_add (submission, keys[i], "exercise", ls_play_get_code (self->play, i));
      else if (of->kind == LS_PART_PREDICT && part->choice >= 0 && part->choice < (int) of->choices->len)
        ls_submission_add (submission, keys[i], "predict", ((LsLessonChoice *) of->choices->pdata[part->choice])->text);
      else if (names != NULL && !of->drill && part->choice >= 0 && part->choice < (int) g_strv_length (names))
        ls_submission_add (submission, keys[i], "primitive", names[part->choice]);
    }
  return ls_submission_print (submission);
}

static void
tell (LsLessonWindow *self,
      const char     *heading,
      const char     *body)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), heading, body);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "close", _("Close"), NULL);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (dialog), TRUE);
  gtk_widget_add_css_class (dialog, "loopscope");
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
nothing_to_practise (GtkWindow  *window,
                     const char *what,
                     const char *why)
{
  tell (LS_LESSON_WINDOW (window), what, why);
}

/* Questions about the steps of the schedule at the right. */
static void
practice (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;
  LsToolPlace place = { .parent = data, .session = ls_result_pane_get_session (LS_RESULT_PANE (self->result)), .say = nothing_to_practise };
  const LsTool *tool = ls_tool_find ("practice");

  if (place.session == NULL)
    tell (self, _("There is nothing to practise yet"), _("Run a cell that shows a schedule with steps: the questions are about them."));
  else if (tool != NULL)
    tool->show (&place);
}

static void
nothing_to_run (GtkWindow  *window,
                const char *what,
                const char *why)
{
  tell (LS_LESSON_WINDOW (window), what, why);
}

/* What the learner made beside what is wanted, in step, where a case of the exercise with this number of part compared them. */
static void
run_sides (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;
  guint part = g_variant_get_uint32 (parameter);
  const LsPlayPart *played = self->play != NULL && part < ls_lesson_get_n_parts (ls_lesson_window_get_lesson (self)) ? ls_play_get (self->play, part) : NULL;
  g_autoptr (GVariant) row = played != NULL ? ls_play_find_sides (played->answer) : NULL;
  g_autoptr (LsSession) session = row != NULL ? ls_engine_session_new () : NULL;
  const LsTool *tool = ls_tool_find ("run-pair");
  LsToolPlace place = { .parent = data, .session = session, .compared = TRUE, .left = 0, .right = LS_COMPARE_FILE, .names = { _("Yours"), _("Wanted") },
                        .differ = TRUE, .say = nothing_to_run };

  if (session == NULL || tool == NULL)
    return;
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "yours.py", ls_params_string (row, "yours", ""), NULL);
  if (ls_session_get_state (session) == LS_SESSION_READY
      && ls_engine_session_compare_text (LS_ENGINE_SESSION (session), "wanted.py", ls_params_string (row, "wanted", "")))
    tool->show (&place);
  else
    tell (self, _("The two programs cannot be run"), _("Their text cannot be read again."));
}

/* Both arrays, where a case of the exercise with this number of part compared them. */
static void
show_arrays (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsLessonWindow *self = data;
  guint part = g_variant_get_uint32 (parameter);
  const LsPlayPart *played = self->play != NULL && part < ls_lesson_get_n_parts (ls_lesson_window_get_lesson (self)) ? ls_play_get (self->play, part) : NULL;
  g_autoptr (GVariant) arrays = played != NULL ? ls_play_find_arrays (played->answer) : NULL;

  if (arrays != NULL)
    ls_arrays_window_show (GTK_WINDOW (self), arrays);
}

static void
submission_chosen (GtkWidget *window,
                   GFile     *file,
                   gpointer   data)
{
  LsLessonWindow *self = LS_LESSON_WINDOW (window);
  g_autofree char *text = self->play != NULL ? make_submission (self) : NULL;
  g_autoptr (GError) error = NULL;

  if (text != NULL && !g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_PRIVATE, NULL, NULL, &error))
    tell (self, _("Your answers could not be saved"), error->message);
}

static void
ask_where (LsLessonWindow *self,
           const char     *title,
           const char     *ending,
           LsFileChosen    chosen)
{
  GtkFileChooserNative *dialog = gtk_file_chooser_native_new (title, GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE, _("Save"), _("Cancel"));
  g_autofree char *name = g_strconcat (ls_lesson_get_id (ls_lesson_window_get_lesson (self)), ending, NULL);

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  ls_ask_file (dialog, GTK_WIDGET (self), chosen, NULL, NULL);
}

static void
submit (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (((LsLessonWindow *) data)->play != NULL)
    ask_where (data, _("Save my answers"), ".submission.json", submission_chosen);
}

static void
exported (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (LsLessonWindow) self = data;
  g_autofree char *out = NULL, *err = NULL;
  g_autoptr (GError) error = NULL;
  gboolean done = g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, &out, &err, &error) && g_subprocess_get_successful (G_SUBPROCESS (source));

  if (self->play != NULL && !done)
    tell (self, _("The page could not be written"), error != NULL ? error->message : err);
  else if (self->play != NULL)
    tell (self, _("The page was written"), out);
}

/* The command line does the work: it runs the whole lesson once, in a Python of its own. */
static void
page_chosen (GtkWidget *window,
             GFile     *file,
             gpointer   data)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL), *folder = program != NULL ? g_path_get_dirname (program) : g_strdup (".");
  g_autofree char *beside = g_build_filename (folder, "loopscope-cli", NULL), *built = g_build_filename (folder, "cli", "loopscope-cli", NULL);
  const char *cli = g_file_test (beside, G_FILE_TEST_IS_EXECUTABLE) ? beside : g_file_test (built, G_FILE_TEST_IS_EXECUTABLE) ? built : "loopscope-cli";
  g_autofree char *out = g_file_get_path (file);
  LsLessonWindow *self = LS_LESSON_WINDOW (window);
  const char *to = out != NULL && g_str_has_suffix (out, ".ipynb") ? "ipynb" : out != NULL && g_str_has_suffix (out, ".pdf") ? "pdf" : "html";
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) child = NULL;

  if (self->play == NULL || out == NULL)
    return;
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error, cli, "lesson", "export",
                            ls_lesson_get_path (ls_lesson_window_get_lesson (self)), "--to", to, "-o", out, NULL);
  if (child == NULL)
    tell (self, _("The page could not be written"), error->message);
  else
    g_subprocess_communicate_utf8_async (child, NULL, NULL, exported, g_object_ref (self));
}

static void
share (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (((LsLessonWindow *) data)->play != NULL)
    ask_where (data, _("Share as a page"), ".html", page_chosen);
}

static void
paper (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (((LsLessonWindow *) data)->play != NULL)
    ask_where (data, _("Save as sheets of paper"), ".pdf", page_chosen);
}

/* ---- tables -------------------------------------------------------------------------- */

static void
lessons (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_course_window_show (gtk_window_get_application (data), data);
}

static const GActionEntry entries[] = {
  { .name = "lessons", .activate = lessons },
  { .name = "next", .activate = next_action },
  { .name = "next-page", .activate = next_page },
  { .name = "previous-page", .activate = previous_page },
  { .name = "stop", .activate = stop },
  { .name = "restart", .activate = restart },
  { .name = "run-anyway", .activate = run_anyway },
  { .name = "reset", .activate = reset },
  { .name = "present", .activate = present },
  { .name = "workbench", .activate = workbench },
  { .name = "practice", .activate = practice },
  { .name = "run-sides", .activate = run_sides, .parameter_type = "u" },
  { .name = "show-arrays", .activate = show_arrays, .parameter_type = "u" },
  { .name = "open", .activate = open_file },
  { .name = "edit", .activate = edit },
  { .name = "submit", .activate = submit },
  { .name = "share", .activate = share },
  { .name = "paper", .activate = paper },
  { .name = "lesson", .activate = open_lesson, .parameter_type = "s" },
};

/* Turns the page where it cannot be scrolled any further. */
static gboolean
turn_page (LsLessonWindow *self,
           gboolean        forward)
{
  guint page = ls_play_get_page (self->play);

  if (ls_page_view_scroll (ls_lesson_window_get_page_view (self, page), forward))
    return TRUE;
  if (forward || page > 0)
    ls_play_set_page (self->play, forward ? page + 1 : page - 1);
  return TRUE;
}

/* 1 to 9 choose, Enter reveals, Page Up and Page Down scroll and then turn the page, where no text is being written.  Before the widget that has
 * the focus: Enter on a chosen answer is for the question. */
static gboolean
key_pressed (LsLessonWindow  *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));

  if (self->play == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)))
    return FALSE;
  if (focus != NULL && (GTK_IS_TEXT (focus) || (GTK_IS_TEXT_VIEW (focus) && gtk_text_view_get_editable (GTK_TEXT_VIEW (focus)))))
    return FALSE;
  if (key == GDK_KEY_Page_Down || key == GDK_KEY_KP_Page_Down || key == GDK_KEY_Page_Up || key == GDK_KEY_KP_Page_Up)
    return turn_page (self, key == GDK_KEY_Page_Down || key == GDK_KEY_KP_Page_Down);
  if (key >= GDK_KEY_1 && key <= GDK_KEY_9)
    return ls_page_view_answer (ls_lesson_window_get_page_view (self, ls_play_get_page (self->play)), (int) (key - GDK_KEY_1));
  if ((key == GDK_KEY_Return || key == GDK_KEY_KP_Enter) && (focus == NULL || GTK_IS_CHECK_BUTTON (focus) || GTK_IS_SCROLLED_WINDOW (focus)))
    return ls_page_view_answer (ls_lesson_window_get_page_view (self, ls_play_get_page (self->play)), -1);
  return FALSE;
}

void
ls_lesson_window_add_actions (LsLessonWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  ls_settings_add_text_size (G_ACTION_MAP (self));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

void
ls_lesson_window_enable_actions (LsLessonWindow *self,
                                 gboolean        lesson)
{
  static const char *const always[] = { "open", "edit", "lesson", "lessons", "text-larger", "text-smaller", "text-normal", NULL };

  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    if (!g_strv_contains (always, entries[i].name) && (strcmp (entries[i].name, "next") != 0 || !lesson))
      g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), entries[i].name)), lesson);
}

void
ls_lesson_window_set_accels (GtkApplication *application)
{
  static const struct { const char *action; const char *keys[3]; } accels[] = {
    { "win.next", { "<Shift>Return", "<Shift>KP_Enter" } },
    { "win.next-page", { "<Alt>Page_Down" } },
    { "win.previous-page", { "<Alt>Page_Up" } },
    { "win.stop", { "<Control>period" } },
    { "win.present", { "<Shift>F11" } },
    { "win.edit", { "<Control>e" } },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (application, accels[i].action, accels[i].keys);
}
