/* LsEngineSession: the parts of the session put together, and what each part's news mean for what is shown. */
#include "app/session/engine-private.h"

#include "app/session/asked.h"
#include "app/session/beside.h"
#include "app/session/card.h"
#include "app/session/compare.h"
#include "app/session/dependence.h"
#include "app/session/devices.h"
#include "app/session/drag.h"
#include "app/session/export.h"
#include "app/session/file.h"
#include "app/session/history-show.h"
#include "app/session/module.h"
#include "app/session/sizes.h"
#include "app/session/tuning.h"

#include <glib/gi18n.h>

#define SAMPLE "/org/loopscope/samples/"

G_DEFINE_FINAL_TYPE (LsEngineSession, ls_engine_session, LS_TYPE_SESSION)

/* ---- showing ----------------------------------------------------------------- */

typedef struct {
  LsAsked *asked;
  guint    number;
} Later;

guint
ls_engine_session_take_result (LsEngineSession      *self,
                               const LsDeviceResult *result,
                               GPtrArray            *modules,
                               GPtrArray            *hashes)
{
  LsHistory *history = ls_engine_session_get_history (self);
  guint n = 0;

  for (guint i = 0; history != NULL && i < MIN (hashes->len, ls_history_get_n (history)); i++)
    {
      LsHistoryNode *node = ls_history_get (history, i);
      const LsDeviceResultStep *step = hashes->pdata[i] != NULL ? ls_device_result_find (result, hashes->pdata[i]) : NULL;

      if (step == NULL || !LS_HISTORY_DONE (node) || ls_schedule_get_module (node->schedule) != modules->pdata[i])
        continue;
      ls_device_notes_add (&node->devices, ls_device_note_new (result, step));
      if (ls_device_notes_of (node->devices, result->device) != NULL)
        ls_document_set_device (self->document, result->device);
      n++;
    }
  if (n > 0)
    ls_document_changed (self->document);
  return n;
}

static void
show_module (LsEngineSession *self)
{
  const LsDocumentRecord *opened = ls_engine_record (self);
  LsHistoryNode *node = ls_document_get_node (self->document);
  LsReady *ready = g_steal_pointer (&self->ready);
  double flop;
  g_autoptr (GPtrArray) loops = NULL;
  g_autoptr (LsScriptText) text = NULL;
  g_autoptr (LsScriptText) before = NULL;

  ls_origins_forget (self->origins);
  if (ready != NULL)
    {
      ls_pinning_place (self->pinning, ready->loops, ready->text, ready->before);
      ls_session_set_module (LS_SESSION (self), ready->loops, ready->flop, ready->text, ready->before);
      ls_pinning_tell (self->pinning);
      ls_why_maker_mark (self->why);
      return;
    }
  loops = ls_session_build_loops (opened->history, opened->current, &flop);
  text = ls_session_build_text (opened->history, opened->current);
  if (node->number > 0)
    {
      before = ls_session_build_text (opened->history, node->parent);
      ls_script_text_compare (before, text);
    }
  ls_pinning_place (self->pinning, loops, text, before);
  ls_session_set_module (LS_SESSION (self), loops, flop, text, before);
  ls_pinning_tell (self->pinning);
  ls_why_maker_mark (self->why);
}

static void
ready (GObject      *nothing,
       GAsyncResult *result,
       gpointer      data)
{
  g_autofree Later *later = data;
  g_autoptr (LsSession) session = NULL;
  LsEngineSession *self = ls_asked_end (later->asked, &session);
  g_autoptr (LsReady) made = ls_beside_ready_finish (result);

  if (self == NULL || later->number != self->showing)
    return;
  self->ready = made;
  show_module (self);
  ls_session_set_selection (LS_SESSION (self), ls_session_get_selection (LS_SESSION (self)));
}

/* Now, or when it is made. */
static void
show_module_in_time (LsEngineSession *self)
{
  const LsDocumentRecord *opened = ls_engine_record (self);
  Later *later;

  self->showing++;
  if (!self->later || self->ready != NULL || !ls_beside_is_large (opened->history, opened->current))
    {
      show_module (self);
      return;
    }
  later = g_new (Later, 1);
  *later = (Later) { ls_asked_new (LS_SESSION (self), self), self->showing };
  ls_beside_ready (opened->history, opened->current, ready, later);
}

/* The document went from another node to its current one. */
static void
moved (LsEngineSession *self,
       guint            from)
{
  LsSession *session = LS_SESSION (self);
  const LsDocumentRecord *opened = ls_engine_record (self);
  guint64 selection = ls_history_follow (opened->history, from, opened->current, ls_session_get_selection (session));
  LsHistoryNode *node = ls_document_get_node (self->document);

  ls_history_show (session, self->document, self->measuring);
  show_module_in_time (self);
  ls_session_set_selection (session, selection);
  ls_moves_queue (self->moves);
  ls_blas_show (self->blas, ls_session_get_time_error (session));
  ls_session_set_state (session, LS_SESSION_READY,
                        node->refused != NULL ? node->refused : node->unreached
                          ? _("An earlier step fails, so this one is not reached.") : node->warning);
  ls_engine_graph_follow (ls_engine_graph_of (self));
}

static void
changed (LsEngineSession *self)
{
  ls_history_show (LS_SESSION (self), self->document, self->measuring);
  ls_likely_refresh (self->moves);
}

/* What is due is done before anything is asked about it. */
static void
engine_flush (LsSession *session)
{
  ls_moves_flush (LS_ENGINE_SESSION (session)->moves, TRUE);
}

static gboolean
engine_moves_are_due (LsSession *session)
{
  return ls_moves_are_due (LS_ENGINE_SESSION (session)->moves);
}

/* ---- other wishes ---------------------------------------------------------- */

static void
engine_go_to (LsSession *session,
              guint      step)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  if (ls_engine_record (self)->history != NULL && step < ls_history_get_n (ls_engine_record (self)->history))
    ls_document_go (self->document, step);
}

static void
engine_select (LsSession *session,
               guint64    id)
{
  ls_session_set_selection (session, id);
  ls_moves_queue (LS_ENGINE_SESSION (session)->moves);
}

void
ls_engine_session_ask_moves (LsEngineSession *self)
{
  if (ls_engine_record (self)->history != NULL)
    ls_moves_queue (self->moves);
}

static gboolean
has_bookmark (LsHistory *history,
              guint      number)
{
  for (guint i = 0; i < ls_history_get_n (history); i++)
    if (ls_history_get (history, i)->bookmark == number)
      return TRUE;
  return FALSE;
}

/* The node `step`, or NULL. */
static LsHistoryNode *
node_at (LsEngineSession *self,
         guint            step)
{
  LsHistory *history = ls_engine_record (self)->history;

  return history != NULL && step < ls_history_get_n (history) ? ls_history_get (history, step) : NULL;
}

/* The lowest number that is free; a bookmark that is there goes. */
static void
engine_bookmark (LsSession *session,
                 guint      step)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsHistoryNode *node = node_at (self, step);
  guint number = 1;

  if (node == NULL)
    return;
  while (number <= 9 && has_bookmark (ls_engine_record (self)->history, number))
    number++;
  if (node->bookmark > 0)
    number = 0;
  if (number > 9)
    return;
  node->bookmark = number;
  ls_document_changed (self->document);
}

static void
engine_name_branch (LsSession  *session,
                    guint       step,
                    const char *name)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsHistoryNode *node = node_at (self, step);

  if (node == NULL)
    return;
  ls_history_name_branch (ls_engine_record (self)->history, node->branch, name);
  ls_document_changed (self->document);
}

static char *
engine_describe_row (LsSession *session,
                     guint64    id)
{
  const LsDocumentRecord *opened = ls_engine_record (LS_ENGINE_SESSION (session));

  return opened->history != NULL ? ls_session_card (opened->history, opened->current, id) : NULL;
}

static LsDependences *
engine_find_dependences (LsSession *session,
                         guint64    id)
{
  const LsDocumentRecord *opened = ls_engine_record (LS_ENGINE_SESSION (session));

  return opened->history != NULL ? ls_session_dependences (opened->history, opened->current, id) : NULL;
}

static LsScriptText *
engine_get_base_text (LsSession *session)
{
  const LsDocumentRecord *opened = ls_engine_record (LS_ENGINE_SESSION (session));

  return opened->history != NULL ? ls_session_build_text (opened->history, 0) : NULL;
}

/* ---- comparing ------------------------------------------------------------- */

LsHistory *
ls_engine_session_compared (LsEngineSession *self,
                            guint           *id)
{
  return ls_document_compared (self->document, id);
}

static LsComparison *
engine_compare (LsSession *session,
                guint      left,
                guint      right)
{
  LsHistory *a = ls_engine_session_compared (LS_ENGINE_SESSION (session), &left);
  LsHistory *b = ls_engine_session_compared (LS_ENGINE_SESSION (session), &right);

  return a != NULL && b != NULL ? ls_session_compare (a, left, b, right, ls_engine_record (LS_ENGINE_SESSION (session))->device) : NULL;
}

/* Takes the history of file `name`. (transfer full) */
static LsStepItem *
take_other (LsEngineSession *self,
            const char      *name,
            LsHistory       *other,
            guint            node)
{
  ls_document_set_other (self->document, other, node);
  return ls_step_item_new (&(LsStepRecord) { .id = LS_COMPARE_FILE, .parent = LS_COMPARE_FILE, .number = ls_history_get (other, node)->number,
                                             .call = name, .name = name, .branch = _("file") });
}

gboolean
ls_engine_session_compare_text (LsEngineSession *self,
                                const char      *name,
                                const char      *text)
{
  g_autoptr (LsSession) reader = ls_engine_session_new ();
  gboolean ready;

  ls_engine_session_open_text (LS_ENGINE_SESSION (reader), name, text, NULL);
  ready = ls_session_get_state (reader) == LS_SESSION_READY;
  if (ready)
    {
      guint node = ls_engine_record (LS_ENGINE_SESSION (reader))->current;

      ls_document_set_other (self->document, ls_document_take_history (LS_ENGINE_SESSION (reader)->document), node);
    }
  return ready;
}

static gboolean
engine_compare_later (LsSession *session,
                      guint      left,
                      guint      right,
                      GTask     *task)
{
  LsHistory *a = ls_engine_session_compared (LS_ENGINE_SESSION (session), &left);
  LsHistory *b = ls_engine_session_compared (LS_ENGINE_SESSION (session), &right);

  if (a == NULL || b == NULL || !(ls_beside_is_large (a, left) || ls_beside_is_large (b, right)))
    return FALSE;
  ls_beside_compare (g_object_ref (task), a, left, b, right, ls_engine_record (LS_ENGINE_SESSION (session))->device);
  return TRUE;
}

static void
other_read (GObject      *nothing,
            GAsyncResult *result,
            gpointer      data)
{
  g_autoptr (GTask) task = data;
  LsEngineSession *self = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsBesideFile) file = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *name = g_file_get_basename (g_task_get_task_data (task));

  if (file == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, take_other (self, name, g_steal_pointer (&file->history), file->current), g_object_unref);
}

static void
engine_compare_file (LsSession *session,
                     GFile     *file,
                     GTask     *task)
{
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  ls_beside_read (g_task_new (NULL, NULL, other_read, g_object_ref (task)), file);
}

/* ---- what the parts do ------------------------------------------------------- */

#define SELF(session) LS_ENGINE_SESSION (session)

static void
engine_apply (LsSession *session, LsMoveItem *move)
{
  ls_moves_apply (SELF (session)->moves, move);
}

static void
engine_repair (LsSession *session, LsMoveItem *move)
{
  const char *target = ls_moves_retarget (move);

  if (target != NULL)
    ls_engine_session_set_target (SELF (session), target, NULL);
  else
    ls_moves_repair (SELF (session)->moves, move);
}

static void
engine_edit (LsSession *session, LsMoveItem *move, guint param, const char *value)
{
  ls_moves_edit (SELF (session)->moves, move, param, value);
}

static void
engine_preview (LsSession *session, LsMoveItem *move)
{
  ls_moves_preview (SELF (session)->moves, move);
}

static LsMoveItem *
engine_edit_step (LsSession *session, guint id)
{
  return ls_moves_edit_step (SELF (session)->moves, id);
}

static gboolean
engine_reorder (LsSession *session, guint64 from, guint64 to, gboolean apply, char **reason)
{
  return ls_drag_reorder (SELF (session)->document, from, to, apply, reason);
}

static char **
engine_get_devices (LsSession *session)
{
  LsHistory *history = ls_engine_session_get_history (SELF (session));
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  for (guint i = 0; history != NULL && i < ls_history_get_n (history); i++)
    for (guint k = 0; ls_history_get (history, i)->devices != NULL && k < ls_history_get (history, i)->devices->len; k++)
      {
        const LsDeviceNote *note = ls_history_get (history, i)->devices->pdata[k];

        if (note->median > 0 && g_hash_table_add (names, note->device))
          g_strv_builder_add (list, note->device);
      }
  return g_strv_builder_end (list);
}

static const char *
engine_get_device (LsSession *session)
{
  return ls_engine_record (SELF (session))->device;
}

static void
engine_set_device (LsSession *session, const char *device)
{
  if (g_strcmp0 (device, engine_get_device (session)) == 0)
    return;
  ls_document_set_device (SELF (session)->document, device);
  if (ls_engine_record (SELF (session))->history != NULL)
    ls_history_show (session, SELF (session)->document, SELF (session)->measuring);
}

static void
engine_measure (LsSession *session, gboolean all)
{
  engine_set_device (session, NULL);
  ls_measuring_path (SELF (session)->measuring, all);
}

static void
engine_measure_step (LsSession *session, guint id)
{
  engine_set_device (session, NULL);
  ls_measuring_node (SELF (session)->measuring, id);
}

static void
engine_measure_move (LsSession *session, LsMoveItem *move)
{
  ls_trials_measure_move (SELF (session)->trials, move);
}

static void
engine_rank_moves (LsSession *session)
{
  ls_trials_rank (SELF (session)->trials);
}

static void
engine_apply_ranked (LsSession *session, LsStepItem *item)
{
  ls_trials_apply_ranked (SELF (session)->trials, item);
}

static LsResults *
engine_get_results (LsSession *session, guint left, guint right)
{
  return ls_equality_get (SELF (session)->equality, left, right);
}

static void
engine_compare_results (LsSession *session, guint left, guint right)
{
  ls_equality_ask (SELF (session)->equality, left, right);
}

/* What is likely to help can be told from now on. */
static void
machine_measured (gpointer data)
{
  ls_engine_session_ask_moves (data);
  ls_session_why_changed (data);
}

/* Who measures wants to know how good the times are: what the machine can do is measured with the first of them, after them. */
static void
all_measured (gpointer data)
{
  ls_trials_finish (LS_ENGINE_SESSION (data)->trials);
  ls_machine_measure_once (LS_ENGINE_SESSION (data)->machine);
  ls_engine_session_ask_moves (data);
  {
    g_autoptr (LsWhy) why = ls_why_maker_get (LS_ENGINE_SESSION (data)->why, LS_WHY_BEFORE);        /* the machine code of what was measured is looked at */
  }
  ls_session_why_changed (data);
}

static void
engine_try_likely (LsSession *session)
{
  ls_trials_try_likely (SELF (session)->trials);
}

static LsWhy *
engine_get_why (LsSession *session, guint beside)
{
  return ls_why_maker_get (SELF (session)->why, beside);
}

static LsRoofline *
engine_get_roofline (LsSession *session)
{
  return ls_machine_get_roofline (SELF (session)->machine);
}

static void
engine_measure_machine (LsSession *session)
{
  ls_machine_measure (SELF (session)->machine);
}

static char *
engine_pin (LsSession *session, guint64 row, guint offset, int slot)
{
  return ls_pinning_pin (SELF (session)->pinning, row, offset, slot);
}

static void
engine_unpin (LsSession *session, guint8 pins)
{
  ls_pinning_unpin (SELF (session)->pinning, pins);
}

static guint
engine_find_source (LsSession *session, guint line, char **words)
{
  return ls_origins_find_source (SELF (session)->origins, line, words);
}

static GArray *
engine_find_result (LsSession *session, guint line, const char *word, guint64 *row, int *family)
{
  return ls_origins_find_result (SELF (session)->origins, line, word, row, family);
}

static void
engine_keep_typed (LsSession *session, const char *text)
{
  ls_editing_keep_typed (SELF (session)->editing, text);
}

static void
engine_edit_base (LsSession *session, const char *text)
{
  ls_editing_set_text (SELF (session)->editing, text);
}

static const char *
engine_get_base (LsSession *session)
{
  return ls_editing_get_text (SELF (session)->editing);
}

static LsExportOf
export_of (LsSession *session)
{
  LsEngineSession *self = SELF (session);

  return (LsExportOf) { session, self->document, self->editing, self->pinning, self->machine };
}

gboolean
ls_engine_session_peek_file (LsEngineSession *self,
                             LsSessionFile   *file)
{
  LsExportOf of = export_of (LS_SESSION (self));

  return ls_export_peek (&of, file);
}

static char *
engine_get_trace (LsSession *session, guint step, GError **error)
{
  return ls_export_trace (SELF (session)->document, step, error);
}

static char *
engine_export (LsSession *session, LsExportKind kind, GError **error)
{
  LsExportOf of = export_of (session);

  return ls_export_text (&of, kind, error);
}

static void
engine_export_later (LsSession *session, LsExportKind kind, GTask *task)
{
  LsExportOf of = export_of (session);

  ls_export_text_later (&of, kind, task);
}

static gboolean
engine_write_figure (LsSession *session, LsFigureKind kind, const char *path, gboolean dark, GError **error)
{
  LsExportOf of = export_of (session);

  return ls_export_figure (&of, kind, path, dark, error);
}

static void
engine_write_figure_later (LsSession *session, LsFigureKind kind, const char *path, gboolean dark, GTask *task)
{
  LsExportOf of = export_of (session);

  ls_export_figure_later (&of, kind, path, dark, task);
}

/* ---- class ----------------------------------------------------------------- */

static void
ls_engine_session_dispose (GObject *object)
{
  LsEngineSession *self = LS_ENGINE_SESSION (object);

  ls_engine_graph_cancel_all (ls_engine_graph_of (self));
  ls_engine_tuning_forget (LS_ENGINE_TUNING (ls_session_get_tuning (LS_SESSION (self))));
  ls_engine_stop (LS_SESSION (self));
  ls_editing_forget (self->editing);
  ls_moves_flush (self->moves, FALSE);
  g_signal_handlers_disconnect_by_data (self->document, self);
  G_OBJECT_CLASS (ls_engine_session_parent_class)->dispose (object);
}

static void
ls_engine_session_finalize (GObject *object)
{
  LsEngineSession *self = LS_ENGINE_SESSION (object);

  ls_trials_free (self->trials);
  ls_measuring_free (self->measuring);
  ls_blas_free (self->blas);
  ls_equality_free (self->equality);
  ls_why_maker_free (self->why);
  ls_machine_free (self->machine);
  ls_moves_free (self->moves);
  ls_editing_free (self->editing);
  ls_origins_free (self->origins);
  ls_pinning_free (self->pinning);
  g_object_unref (self->worker);
  g_object_unref (self->document);
  G_OBJECT_CLASS (ls_engine_session_parent_class)->finalize (object);
}

static void
ls_engine_session_class_init (LsEngineSessionClass *klass)
{
  LsSessionClass *session_class = LS_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_engine_session_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_engine_session_finalize;
  session_class->open = ls_engine_open;
  session_class->flush = engine_flush;
  session_class->moves_are_due = engine_moves_are_due;
  session_class->go_to = engine_go_to;
  session_class->select = engine_select;
  session_class->bookmark = engine_bookmark;
  session_class->name_branch = engine_name_branch;
  session_class->describe_row = engine_describe_row;
  session_class->find_dependences = engine_find_dependences;
  session_class->get_base_text = engine_get_base_text;
  session_class->compare = engine_compare;
  session_class->compare_file = engine_compare_file;
  session_class->compare_later = engine_compare_later;
  session_class->apply = engine_apply;
  session_class->repair = engine_repair;
  session_class->edit = engine_edit;
  session_class->preview = engine_preview;
  session_class->edit_step = engine_edit_step;
  session_class->reorder = engine_reorder;
  session_class->measure = engine_measure;
  session_class->measure_step = engine_measure_step;
  session_class->measure_move = engine_measure_move;
  session_class->rank_moves = engine_rank_moves;
  session_class->apply_ranked = engine_apply_ranked;
  session_class->get_results = engine_get_results;
  session_class->compare_results = engine_compare_results;
  session_class->get_roofline = engine_get_roofline;
  session_class->measure_machine = engine_measure_machine;
  session_class->get_devices = engine_get_devices;
  session_class->get_device = engine_get_device;
  session_class->set_device = engine_set_device;
  session_class->get_why = engine_get_why;
  session_class->try_likely = engine_try_likely;
  session_class->set_sizes = ls_engine_set_sizes;
  session_class->pin = engine_pin;
  session_class->unpin = engine_unpin;
  session_class->find_source = engine_find_source;
  session_class->find_result = engine_find_result;
  session_class->edit_base = engine_edit_base;
  session_class->keep_typed = engine_keep_typed;
  session_class->get_base = engine_get_base;
  session_class->get_trace = engine_get_trace;
  session_class->export = engine_export;
  session_class->export_later = engine_export_later;
  session_class->write_figure = engine_write_figure;
  session_class->write_figure_later = engine_write_figure_later;
  session_class->cancel = ls_engine_stop;
  g_signal_new ("target-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
ls_engine_session_init (LsEngineSession *self)
{
  static const LsEditingHost host = { ls_engine_stop, ls_engine_start, ls_engine_replaced };
  LsSession *session = LS_SESSION (self);
  g_autoptr (LsGraphModel) graph = NULL;
  g_autoptr (LsTuning) tuning = NULL;

  self->document = ls_document_new ();
  self->worker = ls_worker_new ();
  self->pinning = ls_pinning_new (session, self->document);
  self->origins = ls_origins_new (session, self->document);
  self->editing = ls_editing_new (session, self->document, self->origins, &host);
  self->moves = ls_moves_new (session, self->document);
  self->blas = ls_blas_new (session, self->document, self->worker);
  self->measuring = ls_measuring_new (session, self->document, self->worker, self->blas);
  self->trials = ls_trials_new (session, self->document, self->moves, self->measuring);
  self->equality = ls_equality_new (session, self->document, self->worker);
  self->machine = ls_machine_new (session, self->document, self->worker, machine_measured, self);
  ls_measuring_set_finished (self->measuring, all_measured, self);
  self->why = ls_why_maker_new (session, self->document, self->machine);
  graph = ls_engine_graph_new (session, self->document, ls_engine_schedule_module);
  ls_session_set_graph (session, graph);
  tuning = ls_engine_tuning_new (self->document);
  ls_session_set_tuning (session, tuning);
  g_signal_connect_swapped (self->document, "moved", G_CALLBACK (moved), self);
  g_signal_connect_swapped (self->document, "changed", G_CALLBACK (changed), self);
}

void
ls_engine_session_show_later (LsEngineSession *self)
{
  self->later = TRUE;
}

LsHistory *
ls_engine_session_get_history (LsEngineSession *self)
{
  return ls_engine_record (self)->history;
}

guint
ls_engine_session_get_node (LsEngineSession *self)
{
  return ls_engine_record (self)->history != NULL ? ls_engine_record (self)->current : LS_HISTORY_NONE;
}

GPtrArray *
ls_engine_session_get_sizes (LsEngineSession *self)
{
  return ls_sizes_list (self->document);
}

const char *
ls_engine_session_get_target (LsEngineSession *self)
{
  return ls_engine_record (self)->target;
}

LsSession *
ls_engine_session_new (void)
{
  return g_object_new (LS_TYPE_ENGINE_SESSION, NULL);
}

LsSession *
ls_engine_session_new_sample (void)
{
  LsSession *self = ls_engine_session_new ();
  g_autoptr (GBytes) text = g_resources_lookup_data (SAMPLE "mm_relu.py", 0, NULL);
  g_autoptr (GBytes) steps = g_resources_lookup_data (SAMPLE "mm_relu_steps.py", 0, NULL);

  if (text != NULL && steps != NULL)
    ls_engine_session_open_text (LS_ENGINE_SESSION (self), "mm_relu.py",
                                 g_bytes_get_data (text, NULL), g_bytes_get_data (steps, NULL));
  return self;
}
