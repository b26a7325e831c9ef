/* passes/own: the worker brings graphs to TensorIR, lowers, then compiles, pass by pass; the answers become one log, which follows the program. */
#include "app/passes/own.h"

#include "app/passes/own-log.h"
#include "app/passes/private.h"
#include "app/rpc/rpc.h"
#include "app/session/code-rows.h"
#include "app/session/engine.h"
#include "app/session/run.h"
#include "app/tool/window.h"
#include "engine/base/task.h"
#include "views/compare/texts.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "lowering"          /* in links and among the windows of a parent */
#define TIMEOUT_MS 60000
#define SLOW_MS 300             /* from here on it is said that it takes time */

typedef struct {
  LsPassesWindow *shown;        /* its window owns this */
  LsSession      *session;
  LsWorker       *worker;
  LsScriptText   *text;         /* that was sent, or NULL */
  char           *module;       /* its text, or NULL */
  char           *function;     /* that was asked for, or NULL */
  gboolean        graph;        /* the module has functions of Relax */
  char           *running;      /* the pass that the worker is at, or NULL */
  GCancellable   *asking;       /* of the call under way, or NULL */
  GVariant       *answers[LS_PASSES_N_STAGES];
  LsPassesStage   stage;        /* that is asked for */
  guint           slow;         /* source, or 0 */
} Own;

static void
own_free (gpointer data)
{
  Own *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_handle_id (&self->slow, g_source_remove);
  ls_passes_window_stop (&self->asking);
  for (guint i = 0; i < LS_PASSES_N_STAGES; i++)
    g_clear_pointer (&self->answers[i], g_variant_unref);
  g_object_unref (self->worker);
  g_object_unref (self->session);
  g_clear_object (&self->text);
  g_free (self->module);
  g_free (self->function);
  g_free (self->running);
  g_free (self);
}

/* ---- what is said -------------------------------------------------------------------- */

/* "TensorIR 6 of 14 passes (1.2 ms)", or NULL. (transfer full) */
static char *
stage_words (LsPasses     *passes,
             LsPassesStage stage)
{
  guint n, effective;
  double seconds;
  g_autofree char *time = NULL;

  ls_own_passes_sum (passes, stage, &n, &effective, &seconds);
  if (n == 0)
    return NULL;
  time = ls_format_time (seconds);
  /* Translators: a stage of compiling, how many passes of it change something, of how many, and what they take */
  return g_strdup_printf (_("%s %u of %u in %s"), ls_passes_stage_name (stage), effective, n, time);
}

/* (transfer full) */
static char *
passes_words (Own      *self,
              LsPasses *passes)
{
  LsStepItem *current = ls_session_get_current (self->session);
  g_autofree char *tag = current != NULL ? ls_step_item_tag (current) : g_strdup ("");
  const char *name = self->function != NULL ? self->function : self->shown->name_of_log;
  int failed = ls_own_passes_failed (passes);
  g_autoptr (GPtrArray) stages = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *words = NULL;

  if (failed >= 0)
    return g_strdup_printf (_("Step %s: %s cannot lower %s; the passes behind it are not reached."), tag, ls_passes_get_dump (passes, (guint) failed)->pass, name);
  for (guint i = 0; i < LS_PASSES_N_STAGES; i++)
    {
      char *one = stage_words (passes, (LsPassesStage) i);

      if (one != NULL)
        g_ptr_array_add (stages, one);
    }
  g_ptr_array_add (stages, NULL);
  words = g_strjoinv ("; ", (char **) stages->pdata);
  return g_strdup_printf (_("Step %s: passes that change %s: %s."), tag, name, words);
}

static void
say_running (Own *self)
{
  g_autofree char *words = self->running != NULL ? g_strdup_printf (_("The program is being lowered: %s."), self->running)
                                                 : g_strdup (_("The program is being lowered."));

  gtk_label_set_label (GTK_LABEL (self->shown->sentence), words);
}

static gboolean
is_slow (gpointer data)
{
  Own *self = data;

  self->slow = 0;
  say_running (self);
  gtk_widget_set_visible (self->shown->cancel, TRUE);
  return G_SOURCE_REMOVE;
}

static void
progress (LsWorker   *worker,
          double      fraction,
          const char *pass,
          gpointer    data)
{
  Own *self = data;

  g_free (self->running);
  self->running = g_strdup (pass);
  if (self->slow == 0)
    say_running (self);
}

static void
be_done (Own *self)
{
  g_clear_handle_id (&self->slow, g_source_remove);
  ls_passes_window_stop (&self->asking);
  g_clear_pointer (&self->running, g_free);
  gtk_widget_set_visible (self->shown->cancel, FALSE);
}

/* There is nothing to show but a sentence. */
static void
say_instead (Own        *self,
             const char *words)
{
  be_done (self);
  ls_passes_window_stop (&self->shown->showing);
  g_clear_pointer (&self->shown->passes, ls_passes_unref);
  ls_passes_list_set (LS_PASSES_LIST (self->shown->list), NULL);
  ls_passes_window_say (self->shown, words, TRUE);
}

/* ---- the worker ---------------------------------------------------------------------- */

static void ask_stage (Own *self, LsPassesStage stage);

static void
passes_free (gpointer data)
{
  ls_passes_unref (data);
}

typedef struct {
  GVariant     *answers[LS_PASSES_N_STAGES];
  LsScriptText *text;
} Answers;

static void
answers_free (gpointer data)
{
  Answers *answers = data;

  for (guint i = 0; i < LS_PASSES_N_STAGES; i++)
    g_clear_pointer (&answers->answers[i], g_variant_unref);
  g_clear_object (&answers->text);
  g_free (answers);
}

/* In another thread. */
static void
read_answers (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  Answers *answers = data;

  g_task_return_pointer (task, ls_own_passes_new (answers->answers, answers->text), passes_free);
}

/* What comes after a stage; FALSE: nothing. */
static gboolean
next_stage (Own           *self,
            LsPasses      *passes,
            LsPassesStage *stage)
{
  *stage = (LsPassesStage) (self->stage + 1);
  return self->stage < LS_PASSES_LLVM && self->function != NULL && ls_own_passes_failed (passes) < 0;
}

/* ---- where a run stands -------------------------------------------------------------------- */

/* The line of the function before which a run stands still, and how many before it in the function read the same. (transfer full); NULL: there is none. */
static char *
stand_line (Own   *self,
            guint *nth)
{
  guint line = ls_session_get_stand (self->session);
  g_autofree char *function = line > 0 && self->text != NULL ? ls_code_function_at (self->text, line) : NULL;
  g_auto (GStrv) lines = NULL;

  if (function == NULL || self->text != ls_session_get_script (self->session) || g_strcmp0 (function, self->function) != 0)
    return NULL;
  lines = g_strsplit (ls_script_text_get_text (self->text), "\n", -1);
  if (line > g_strv_length (lines))
    return NULL;
  *nth = 0;
  for (guint i = line - 1; i-- > 0 && !g_str_has_prefix (lines[i] + strspn (lines[i], " "), "def ");)
    *nth += strcmp (lines[i] + strspn (lines[i], " "), lines[line - 1] + strspn (lines[line - 1], " ")) == 0;
  return g_strdup (lines[line - 1]);
}

/* It is looked for in the text that lowering begins with, and followed from there. */
static void
follow_stand (Own *self)
{
  LsPasses *passes = self->shown->passes;
  guint nth = 0, n = passes != NULL ? ls_passes_get_log (passes)->dumps->len : 0;
  g_autofree char *line = stand_line (self, &nth);

  for (guint i = 0; i < n; i++)
    if (ls_passes_get_note (passes, i)->stage == LS_PASSES_TIR && ls_passes_get_note (passes, i)->start)
      {
        ls_passes_window_follow_stand (self->shown, i, line, nth);
        return;
      }
}

static void
answers_read (GObject      *source,
              GAsyncResult *result,
              gpointer      data)
{
  Own *self = data;
  g_autoptr (GError) error = NULL;
  LsPasses *passes = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *words = NULL;
  LsPassesStage stage;
  gboolean more;

  if (error != NULL)
    return;             /* cancelled: the window may be gone */
  if (passes == NULL)
    {
      say_instead (self, _("There is no loop here that could be lowered."));
      return;
    }
  more = next_stage (self, passes, &stage);
  words = passes_words (self, passes);
  ls_passes_window_update (self->shown, passes, words);
  follow_stand (self);
  if (more)
    ask_stage (self, stage);
  else
    be_done (self);
}

static void
show_answers (Own *self)
{
  Answers *answers = g_new0 (Answers, 1);
  g_autoptr (GTask) task = g_task_new (NULL, self->asking, answers_read, self);

  for (guint i = 0; i < LS_PASSES_N_STAGES; i++)
    answers->answers[i] = self->answers[i] != NULL ? g_variant_ref (self->answers[i]) : NULL;
  answers->text = self->text != NULL ? g_object_ref (self->text) : NULL;
  g_task_set_task_data (task, answers, answers_free);
  ls_task_run (task, read_answers);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Own *self = data;
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autofree char *words = NULL, *all = NULL;
  gboolean request = g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  if (answer != NULL)
    {
      self->answers[self->stage] = answer;
      show_answers (self);
      return;
    }
  if (self->graph && self->stage > LS_PASSES_GRAPH && request && self->shown->passes != NULL)
    {
      be_done (self);   /* what is selected is no function of TensorIR; the graph's passes are there */
      return;
    }
  words = ls_run_end_words (error, NULL, TIMEOUT_MS);
  if (self->running != NULL && !request)
    all = g_strdup_printf (_("%s: %s"), self->running, words);
  if (self->stage == LS_PASSES_LLVM && self->shown->passes != NULL)
    {
      be_done (self);
      gtk_label_set_label (GTK_LABEL (self->shown->sentence), all != NULL ? all : words);
    }
  else
    say_instead (self, all != NULL ? all : words);
}

static void
ask_stage (Own          *self,
           LsPassesStage stage)
{
  const LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS, .progress = progress, .progress_data = self };
  GVariantDict params;

  self->stage = stage;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", self->module);
  if (self->function != NULL && stage != LS_PASSES_GRAPH)
    g_variant_dict_insert (&params, "func", "s", self->function);
  if (LS_IS_ENGINE_SESSION (self->session))
    g_variant_dict_insert (&params, "target", "s", ls_engine_session_get_target (LS_ENGINE_SESSION (self->session)));
  ls_worker_call_async (self->worker, ls_passes_stage_method (stage), g_variant_dict_end (&params), &options, self->asking, answered, self);
}

/* The function of the selection, else, where there are no graphs, the first of the text. (transfer full) */
static char *
wanted_function (Own *self)
{
  guint first, last;

  if (self->text == NULL)
    return NULL;
  if (ls_code_lines_of (self->text, ls_session_get_selection (self->session), &first, &last))
    return ls_code_function_at (self->text, first);
  for (guint i = 0; !self->graph && i < ls_script_text_n_lines (self->text); i++)
    if (ls_script_text_line (self->text, i)->id != 0)
      return ls_code_function_at (self->text, i + 1);
  return NULL;
}

static void
ask (Own *self)
{
  g_autoptr (GError) error = NULL;

  be_done (self);
  for (guint i = 0; i < LS_PASSES_N_STAGES; i++)
    g_clear_pointer (&self->answers[i], g_variant_unref);
  g_free (self->module);
  self->module = ls_session_export (self->session, LS_EXPORT_MODULE, &error);
  self->graph = self->module != NULL && strstr (self->module, "@R.function") != NULL;
  g_set_object (&self->text, ls_session_get_script (self->session));
  g_free (self->function);
  self->function = wanted_function (self);
  if (self->module == NULL || (self->function == NULL && !self->graph))
    {
      say_instead (self, self->module == NULL ? error->message : _("There is no loop here that could be lowered."));
      return;
    }
  self->asking = g_cancellable_new ();
  self->slow = g_timeout_add (SLOW_MS, is_slow, self);
  ask_stage (self, self->graph ? LS_PASSES_GRAPH : LS_PASSES_TIR);
}

static void
selection_changed (Own *self)
{
  g_autofree char *function = wanted_function (self);

  if (g_strcmp0 (function, self->function) != 0)
    ask (self);
}

static void
cancel (Own *self)
{
  say_instead (self, _("Lowering was ended."));
}

/* ---- times --------------------------------------------------------------------------- */

/* The dump of pass `number` of LLVM's, 0: what the first of them gets; -1: there is none. */
static int
llvm_dump (LsPasses *passes,
           guint     number)
{
  for (guint i = 0; i < ls_passes_get_log (passes)->dumps->len; i++)
    if (ls_passes_get_note (passes, i)->stage == LS_PASSES_LLVM)
      return i + number < ls_passes_get_log (passes)->dumps->len ? (int) (i + number) : -1;
  return -1;
}

static void
timed (GObject      *source,
       GAsyncResult *result,
       gpointer      data)
{
  Own *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  g_autoptr (GVariant) passes = answer != NULL ? g_variant_lookup_value (answer, "passes", G_VARIANT_TYPE ("a(isdds)")) : NULL;
  g_autofree char *words = NULL;
  GVariantIter iter;
  const char *name, *wrong;
  gint32 number;
  double median, spread;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;             /* the window may be gone */
  be_done (self);
  words = error != NULL ? ls_run_end_words (error, NULL, TIMEOUT_MS) : g_strdup (_("The list says what the program takes when compiling ends behind each pass of LLVM."));
  gtk_label_set_label (GTK_LABEL (self->shown->answer), words);
  if (passes == NULL || self->shown->passes == NULL)
    return;
  g_variant_iter_init (&iter, passes);
  while (g_variant_iter_next (&iter, "(i&sdd&s)", &number, &name, &median, &spread, &wrong))
    {
      int dump = number >= 0 ? llvm_dump (self->shown->passes, (guint) number) : -1;

      if (dump >= 0)
        ls_passes_set_run (self->shown->passes, (guint) dump, median, wrong);
    }
  ls_passes_list_refresh (LS_PASSES_LIST (self->shown->list));
}

/* Of the function that is shown, once all of its passes are there. */
static void
time_passes (gpointer data)
{
  Own *self = data;
  const LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS };
  GVariantDict params;

  if (self->asking != NULL || self->shown->passes == NULL || llvm_dump (self->shown->passes, 0) < 0)
    {
      gtk_label_set_label (GTK_LABEL (self->shown->answer), _("There is no code yet whose passes could be timed."));
      return;
    }
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", self->module);
  if (self->function != NULL)
    g_variant_dict_insert (&params, "func", "s", self->function);
  if (LS_IS_ENGINE_SESSION (self->session))
    g_variant_dict_insert (&params, "target", "s", ls_engine_session_get_target (LS_ENGINE_SESSION (self->session)));
  self->asking = g_cancellable_new ();
  gtk_label_set_label (GTK_LABEL (self->shown->answer), _("The program is being timed."));
  ls_worker_call_async (self->worker, "time-passes", g_variant_dict_end (&params), &options, self->asking, timed, self);
}

/* ---- the window ---------------------------------------------------------------------- */

static void
name_program (GtkWindow  *parent,
              GParamSpec *pspec,
              GtkWindow  *window)
{
  Own *self = ls_tool_window_find (parent, KEY);

  if (self != NULL)
    ls_passes_window_name (self->shown, gtk_window_get_title (parent) != NULL ? gtk_window_get_title (parent) : "");
}

/* Nothing comes back to it any more. */
static void
goes (Own *self)
{
  g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_handle_id (&self->slow, g_source_remove);
  ls_passes_window_stop (&self->asking);
}

static Own *
open_window (const LsToolPlace *place)
{
  const char *name = gtk_window_get_title (place->parent);
  Own *self = g_new0 (Own, 1);

  self->shown = ls_passes_window_new (gtk_window_get_application (place->parent), "");
  self->shown->own = TRUE;
  ls_passes_window_name (self->shown, name != NULL ? name : "");
  self->session = g_object_ref (place->session);
  self->worker = ls_worker_new ();
  gtk_widget_set_visible (self->shown->kind_row, FALSE);
  ls_passes_window_set_time (self->shown, time_passes, self);
  g_signal_handlers_disconnect_by_func (self->shown->cancel, ls_passes_window_cancel, self->shown);
  g_signal_connect_swapped (self->shown->cancel, "clicked", G_CALLBACK (cancel), self);
  ls_compare_texts_set_session (LS_COMPARE_TEXTS (self->shown->texts), self->session);
  ls_tool_window_join (GTK_WIDGET (self->shown->window), place->parent);
  ls_tool_window_keep (GTK_WIDGET (self->shown->window), KEY, self, own_free);
  g_signal_connect_swapped (self->shown->window, "destroy", G_CALLBACK (goes), self);
  g_signal_connect_object (place->parent, "notify::title", G_CALLBACK (name_program), self->shown->window, 0);
  g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (ask), self);
  g_signal_connect_swapped (self->session, "notify::selection", G_CALLBACK (selection_changed), self);
  g_signal_connect_swapped (self->session, "notify::stand", G_CALLBACK (follow_stand), self);
  return self;
}

/* The one that is open comes to the front. */
static void
show_stage (const LsToolPlace *place,
            int                stage)
{
  Own *self = ls_tool_window_find (place->parent, KEY);
  gboolean fresh = self == NULL;

  if (fresh)
    self = open_window (place);
  if (fresh)
    {
      ls_passes_window_say (self->shown, _("The program is being lowered."), FALSE);
      ask (self);
    }
  ls_passes_list_set_stage (LS_PASSES_LIST (self->shown->list), self->graph ? -1 : stage);
  gtk_window_present (self->shown->window);
}

static void
show_lowering (const LsToolPlace *place)
{
  show_stage (place, LS_PASSES_TIR);
}

static void
show_all (const LsToolPlace *place)
{
  show_stage (place, -1);
}

const LsTool ls_lowering_tool = { .id = KEY, .label = N_("Lowering"), .accel = "<Control><Shift>l", .follows = TRUE, .show = show_lowering };
const LsTool ls_own_passes_tool = { .id = "program-passes", .label = N_("Passes of this program"), .accel = "<Control><Shift>y", .follows = TRUE, .show = show_all };
