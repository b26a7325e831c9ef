/* reading/window: a text under a choice of languages.  The lines of the selected loop or block are marked in it; where the cursor goes, what the
 * line comes from is selected.  The text is written beside the main loop. */
#include "app/reading/window.h"

#include "app/session/code-rows.h"
#include "app/session/engine.h"
#include "app/tool/window.h"
#include "engine/base/task.h"
#include "engine/codegen/reading/reading.h"
#include "engine/script/script.h"
#include "views/parts/parts.h"
#include "views/parts/scroller.h"
#include "views/parts/source-text.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "reading"

enum { NUMPY, C, DEVICE, LANGUAGES };

typedef struct {
  GtkWidget    *window;         /* owns this */
  GtkWidget    *sentence, *choice, *foot;
  GtkWidget    *scrolls[LANGUAGES], *texts[LANGUAGES], *stack;
  LsSession    *session;
  GCancellable *asking;         /* of the task under way, or NULL */
  LsScriptText *script;         /* that the reading is of, or NULL */
  LsDeviceText *reading;        /* or NULL: none yet, or it cannot be read so */
  char         *function;       /* that was asked for, or NULL: all */
  char         *target;         /* a GPU, or NULL */
  guint         language;
  gboolean      following;      /* the cursor is being set */
} Reading;

/* ---- lines ----------------------------------------------------------------------------- */

/* The lines of the text that come from lines `first` to `last` of the program, as one stretch. */
static gboolean
stretch_of (Reading *self,
            guint    first,
            guint    last,
            guint   *from,
            guint   *to)
{
  *from = *to = 0;
  for (guint i = 0; i < self->reading->lines->len; i++)
    {
      guint line = g_array_index (self->reading->lines, guint, i);

      if (line == 0 || line < first || line > last)
        continue;
      *from = *from == 0 ? i + 1 : *from;
      *to = i + 1;
    }
  return *from > 0;
}

/* The cursor goes with the mark, but where it was the first to go. */
static void
mark (Reading *self,
      guint    from,
      guint    to)
{
  if (self->following)
    {
      ls_source_text_light (LS_SOURCE_TEXT (self->texts[self->language]), from, to);
      return;
    }
  self->following = TRUE;
  ls_source_text_mark (LS_SOURCE_TEXT (self->texts[self->language]), from, to);
  self->following = FALSE;
}

/* Where a run stands still, what comes from its line goes before what is selected. FALSE: none stands, or nothing comes from it. */
static gboolean
follow_run (Reading *self)
{
  guint line = ls_session_get_stand (self->session), from, to;

  if (line == 0 || self->reading == NULL || self->script != ls_session_get_script (self->session) || !stretch_of (self, line, line, &from, &to))
    return FALSE;
  mark (self, from, to);
  gtk_label_set_label (GTK_LABEL (self->sentence), _("The run stands here"));
  return TRUE;
}

static void
follow (Reading *self)
{
  LsLoopItem *selected = ls_session_get_selected (self->session);
  guint first, last, from, to;
  g_autofree char *words = NULL;

  if (follow_run (self))
    return;
  if (self->reading == NULL || selected == NULL
      || !ls_code_lines_of (self->script, ls_loop_item_get (selected)->id, &first, &last))
    return;
  if (!stretch_of (self, first, last, &from, &to))
    words = g_strdup_printf (_("No line comes from %s."), ls_loop_item_get (selected)->name);
  else
    {
      guint n = to - from + 1;

      words = g_strdup_printf (ngettext ("%u line comes from %s.", "%u lines come from %s.", n), n, ls_loop_item_get (selected)->name);
      mark (self, from, to);
    }
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
}

/* The cursor went somewhere: what its line comes from is selected. */
static void
cursor_moved (GtkTextBuffer *buffer,
              GParamSpec    *pspec,
              Reading       *self)
{
  GtkTextIter at;
  guint line;
  guint64 id;

  if (self->following || self->reading == NULL || self->script == NULL)
    return;
  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  line = (guint) gtk_text_iter_get_line (&at);
  line = line < self->reading->lines->len ? g_array_index (self->reading->lines, guint, line) : 0;
  id = line > 0 ? ls_code_id_at (self->script, line) : 0;
  if (id == 0 || id == ls_session_get_selection (self->session))
    return;
  self->following = TRUE;               /* the text stays where it is, under the cursor */
  ls_session_select (self->session, id);
  self->following = FALSE;
}

/* ---- asking ------------------------------------------------------------------------------ */

typedef struct {
  char *module, *function, *language;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->module);
  g_free (job->function);
  g_free (job->language);
  g_free (job);
}

static void
read_program (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *stop)
{
  Job *job = data;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) text = ls_source_new ("module", job->module, -1);
  g_autoptr (LsModule) module = ls_script_parse (text, findings);
  g_autoptr (GError) error = NULL;
  LsDeviceText *reading = module != NULL ? ls_reading_new (module, job->function, job->language, &error) : NULL;

  if (reading != NULL)
    g_task_return_pointer (task, reading, (GDestroyNotify) ls_device_text_free);
  else if (error != NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_new_error (task, LS_TEXT_ERROR, LS_TEXT_ERROR_UNSUPPORTED, "%s", _("The program cannot be read."));
}

static void
say (Reading    *self,
     const char *words)
{
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
  self->following = TRUE;
  ls_source_text_set (LS_SOURCE_TEXT (self->texts[self->language]), "");
  self->following = FALSE;
}

static void
read_done (GObject      *window,
           GAsyncResult *result,
           gpointer      data)
{
  Reading *self = data;
  g_autoptr (GError) error = NULL;
  LsDeviceText *reading = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *words = NULL, *why = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* another one was asked for, or the window went */
  g_clear_object (&self->asking);
  if (reading == NULL)
    {
      why = g_strdup_printf (_("This step has no such text: %s"), error->message);
      say (self, why);
      return;
    }
  self->reading = reading;
  self->following = TRUE;
  ls_source_text_set (LS_SOURCE_TEXT (self->texts[self->language]), reading->text);
  self->following = FALSE;
  words = g_strdup_printf (ngettext ("%u line.", "%u lines.", reading->lines->len), reading->lines->len);
  gtk_label_set_label (GTK_LABEL (self->sentence), words);
  follow (self);
}

/* The function of the selection; NULL where nothing of one is selected: all of them. */
static char *
wanted_function (Reading *self)
{
  guint first, last;

  if (self->script == NULL || !ls_code_lines_of (self->script, ls_session_get_selection (self->session), &first, &last))
    return NULL;
  return ls_code_function_at (self->script, first);
}

static void
forget (Reading *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  g_clear_pointer (&self->reading, ls_device_text_free);
}

static void
ask (Reading *self)
{
  static const char *const names[] = { "numpy", "c" };
  static const char *const feet[] = {
    N_("The program as it stands, loop for loop, as Python with NumPy. It runs as it is, slowly, and gives the same."),
    N_("The program after lowering, as C11. It needs no library of ours: cc -std=c11 builds it."),
    N_("The kernels after lowering for the target, as device code."),
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (self->session, LS_EXPORT_MODULE, &error);
  g_autoptr (GTask) task = NULL;
  Job *job;

  forget (self);
  g_set_object (&self->script, ls_session_get_script (self->session));
  g_clear_pointer (&self->function, g_free);
  self->function = wanted_function (self);
  gtk_label_set_label (GTK_LABEL (self->foot), _(feet[self->language]));
  gtk_stack_set_visible_child (GTK_STACK (self->stack), self->scrolls[self->language]);
  if (module == NULL)
    {
      say (self, error->message);
      return;
    }
  job = g_new0 (Job, 1);
  job->module = g_steal_pointer (&module);
  job->function = g_strdup (self->function);
  job->language = g_strdup (self->language == DEVICE ? self->target : names[self->language]);
  self->asking = g_cancellable_new ();
  task = g_task_new (NULL, self->asking, read_done, self);
  g_task_set_return_on_cancel (task, FALSE);
  g_task_set_task_data (task, job, job_free);
  ls_task_run (task, read_program);
}

static void
selection_changed (Reading *self)
{
  g_autofree char *function = wanted_function (self);

  if (function != NULL && g_strcmp0 (function, self->function) != 0)
    ask (self);
  else
    follow (self);
}

static void
language_chosen (Reading *self)
{
  self->language = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));
  ask (self);
}

static void
copy (Reading *self)
{
  if (self->reading != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (self->window), self->reading->text);
}

/* ---- the window ---------------------------------------------------------------------------- */

static void
reading_free (gpointer data)
{
  Reading *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  for (guint i = 0; i < LANGUAGES; i++)
    g_signal_handlers_disconnect_by_data (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->texts[i])), self);
  forget (self);
  for (guint i = 0; i < LANGUAGES; i++)
    g_object_unref (self->texts[i]);
  g_clear_object (&self->script);
  g_object_unref (self->session);
  g_free (self->function);
  g_free (self->target);
  g_free (self);
}

static GtkWidget *
head_new (Reading *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *button = gtk_button_new_with_label (_("Copy"));
  const char *languages[] = { "NumPy", "C", self->target, NULL };

  self->sentence = ls_part_label (NULL, "strong");
  self->choice = gtk_drop_down_new_from_strings (languages);
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_widget_set_hexpand (self->sentence, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->choice), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Language"), -1);
  gtk_widget_set_valign (self->choice, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (copy), self);
  g_signal_connect_swapped (self->choice, "notify::selected", G_CALLBACK (language_chosen), self);
  gtk_box_append (GTK_BOX (head), self->sentence);
  gtk_box_append (GTK_BOX (head), self->choice);
  gtk_box_append (GTK_BOX (head), button);
  gtk_widget_add_css_class (head, "compare-head");
  return head;
}

static void
build (Reading   *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->foot = ls_part_label (NULL, "reason");
  self->stack = gtk_stack_new ();
  for (guint i = 0; i < LANGUAGES; i++)
    {
      self->scrolls[i] = gtk_scrolled_window_new ();
      self->texts[i] = g_object_ref_sink (ls_source_text_new (i == NUMPY ? LS_SYNTAX_SCRIPT : LS_SYNTAX_C));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->texts[i]), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      i == NUMPY ? _("The program as NumPy") : i == C ? _("The program as C") : _("The program as device code"), -1);
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolls[i]), self->texts[i]);
      gtk_stack_add_child (GTK_STACK (self->stack), self->scrolls[i]);
      g_signal_connect (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->texts[i])), "notify::cursor-position", G_CALLBACK (cursor_moved), self);
    }
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_box_append (GTK_BOX (box), head_new (self));
  gtk_box_append (GTK_BOX (box), self->stack);
  self->window = ls_tool_window_new (parent, _("Readings"), 720, 640, box, self->foot);
}

static gboolean
is_device (const char *target)
{
  static const char *const kinds[] = { "cuda", "nvidia/", "opencl", "rocm" };

  for (gsize i = 0; target != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_has_prefix (target, kinds[i]))
      return TRUE;
  return FALSE;
}

static void
show (const LsToolPlace *place)
{
  Reading *self = ls_tool_window_find (place->parent, KEY);
  const char *target = LS_IS_ENGINE_SESSION (place->session) ? ls_engine_session_get_target (LS_ENGINE_SESSION (place->session)) : NULL;

  if (self != NULL)
    {
      gtk_window_present (GTK_WINDOW (self->window));
      return;
    }
  self = g_new0 (Reading, 1);
  self->session = g_object_ref (place->session);
  self->target = is_device (target) ? g_strdup (target) : NULL;
  self->language = self->target != NULL ? DEVICE : NUMPY;
  build (self, place->parent);
  ls_tool_window_keep (self->window, KEY, self, reading_free);
  g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (ask), self);
  g_signal_connect_swapped (self->session, "notify::selection", G_CALLBACK (selection_changed), self);
  g_signal_connect_swapped (self->session, "notify::stand", G_CALLBACK (follow), self);
  if (self->language != gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice)))
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->choice), self->language);
  else
    ask (self);
  gtk_window_present (GTK_WINDOW (self->window));
  gtk_widget_grab_focus (self->texts[self->language]);
}

const LsTool ls_reading_tool = { .id = KEY, .label = N_("Readings: NumPy and C"), .accel = "<Control><Shift>c", .follows = TRUE, .show = show };
