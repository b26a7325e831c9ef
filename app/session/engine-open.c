/* LsEngineSession: opening: a text, a saved session, a graph of torch.fx, what another thread has read. */
#include "app/session/engine-private.h"

#include "app/session/devices.h"
#include "app/session/file.h"
#include "app/session/module.h"
#include "app/session/module-file.h"
#include "app/session/opening.h"
#include "app/session/sizes.h"
#include "app/session/tuning.h"
#include "engine/script/script.h"

#include <glib/gi18n.h>
#include <string.h>

void
ls_engine_stop (LsSession *session)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  ls_measuring_cancel (self->measuring);
  ls_blas_cancel (self->blas);
  ls_equality_cancel (self->equality);
  ls_machine_cancel (self->machine);
  ls_why_maker_cancel (self->why);
}

static void
forget (LsEngineSession *self)
{
  LsSession *session = LS_SESSION (self);

  ls_engine_stop (session);
  self->showing++;
  ls_equality_forget (self->equality);
  ls_editing_forget (self->editing);
  ls_moves_flush (self->moves, FALSE);
  ls_document_renew (self->document);
  ls_document_set_sizes (self->document, NULL);
  ls_session_set_opening (session, NULL, NULL);
  ls_measuring_forget_node (self->measuring);
  ls_document_set_history (self->document, NULL, 0);
  ls_origins_set_source (self->origins, 0);
  ls_pinning_forget (self->pinning);
  ls_session_set_draft (session, NULL, NULL);
  ls_session_set_history (session, NULL, NULL, NULL);
  ls_session_set_branches (session, NULL);
  ls_session_set_module (session, NULL, 0.0, NULL, NULL);
  ls_session_set_moves (session, NULL);
  ls_session_set_ranking (session, NULL);
  ls_session_set_selection (session, 0);
  ls_session_set_conditions (session, NULL, NULL);
  ls_engine_graph_clear (ls_engine_graph_of (self));
  ls_engine_tuning_forget (LS_ENGINE_TUNING (ls_session_get_tuning (session)));
}

static void
select_first_look (LsEngineSession *self)
{
  LsLoopItem *look = ls_opening_first_look (ls_session_get_loops (LS_SESSION (self)));

  if (look != NULL)
    ls_session_select (LS_SESSION (self), ls_loop_item_get (look)->id);
}

/* "mm_relu.py · llvm", or after a pass. (transfer full) */
static char *
place_text (LsEngineSession *self,
            const char      *pass)
{
  return pass != NULL ? g_strdup_printf (_("%s after %s · %s"), ls_engine_record (self)->name, pass, ls_engine_record (self)->target)
                      : g_strdup_printf ("%s · %s", ls_engine_record (self)->name, ls_engine_record (self)->target);
}

/* ---- another target, other sizes --------------------------------------------------------------------------- */

static gboolean
is_target (const char  *target,
           GError     **error)
{
  g_autoptr (LsDeviceTarget) device = NULL;

  if (strcmp (target, "llvm") == 0 || g_str_has_prefix (target, "llvm "))
    return TRUE;
  device = ls_device_target_parse (target, error);
  return device != NULL;
}

/* What times are of beside the program: "llvm", "llvm n=256". (transfer full) */
static char *
condition_of (const char *target,
              const char *sizes)
{
  return sizes != NULL && *sizes != '\0' ? g_strdup_printf ("%s %s", target, sizes) : g_strdup (target);
}

/* Times of the old target and sizes are stale; those that once became so for these are valid again. */
static void
change_times (LsEngineSession *self,
              const char      *old,
              const char      *now)
{
  LsHistory *history = ls_engine_record (self)->history;

  for (guint id = 0; history != NULL && id < ls_history_get_n (history); id++)
    {
      LsHistoryNode *node = ls_history_get (history, id);

      if (node->time.samples == 0)
        continue;
      if (!node->stale)
        {
          node->stale = TRUE;
          g_free (node->timed_for);
          node->timed_for = g_strdup (old);
        }
      else if (g_strcmp0 (node->timed_for, now) == 0)
        {
          node->stale = FALSE;
          g_clear_pointer (&node->timed_for, g_free);
        }
    }
}

gboolean
ls_engine_session_set_target (LsEngineSession  *self,
                              const char       *target,
                              GError          **error)
{
  const char *sizes = ls_engine_record (self)->sizes;
  g_autofree char *old = g_strdup (ls_engine_record (self)->target), *place = NULL;
  g_autofree char *before = condition_of (old, sizes), *now = condition_of (target, sizes);

  if (!is_target (target, error))
    return FALSE;
  if (strcmp (old, target) == 0 || ls_engine_record (self)->history == NULL)
    return TRUE;
  ls_engine_stop (LS_SESSION (self));
  change_times (self, before, now);
  ls_document_set_target (self->document, target);
  place = place_text (self, NULL);
  ls_session_set_title (LS_SESSION (self), ls_ready_module_title (ls_document_get_base (self->document)), place);
  ls_document_go (self->document, ls_engine_record (self)->current);
  g_signal_emit_by_name (self, "target-changed", old);
  return TRUE;
}

gboolean
ls_engine_set_sizes (LsSession   *session,
                     const char  *text,
                     char       **trouble)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  const LsDocumentRecord *opened = ls_engine_record (self);
  g_autofree char *sizes = NULL, *before = condition_of (opened->target, opened->sizes), *now = NULL;

  if (!ls_sizes_check (self->document, text, &sizes, trouble))
    return FALSE;
  if (g_strcmp0 (opened->sizes != NULL ? opened->sizes : "", sizes) == 0)
    return TRUE;
  ls_engine_stop (session);
  now = condition_of (opened->target, sizes);
  change_times (self, before, now);
  ls_document_set_sizes (self->document, sizes);
  ls_document_go (self->document, opened->current);
  ls_session_why_changed (session);
  return TRUE;
}

/* Shows a document; takes its history away. */
void
ls_engine_start (LsSession *session,
                 LsReady   *ready)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsModule *module = ls_schedule_get_module (ls_history_get (ready->history, 0)->schedule);
  g_autofree char *place = place_text (self, NULL);

  ls_document_set_history (self->document, g_steal_pointer (&ready->history), 0);
  ls_session_set_title (session, ls_ready_module_title (module), place);
  ls_moves_queue_first (self->moves);
  self->ready = ready;
  ls_module_costs_keep (ready->costs);
  ls_document_go (self->document, ready->current);
  select_first_look (self);
}

void
ls_engine_replaced (LsSession *session,
                    LsModule  *module)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  ls_measuring_forget_node (self->measuring);
  ls_engine_graph_replace (ls_engine_graph_of (self), module);
}

/* The opened text of a module that came from elsewhere. */
static void
keep_text (LsEngineSession *self,
           LsModule        *module)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE, .keep_names = TRUE };

  ls_document_take_text (self->document, ls_script_print (module, &whole, NULL));
}

/* LsScheduleFunc */
gboolean
ls_engine_schedule_module (LsSession  *session,
                           LsModule   *module,
                           const char *pass)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autofree char *place = NULL;
  g_autoptr (LsReady) ready = NULL;

  if (ls_document_get_base (self->document) == module)
    return TRUE;
  if (ls_engine_record (self)->history != NULL && ls_history_get_n (ls_engine_record (self)->history) > 1)
    return FALSE;
  ls_engine_stop (session);
  ls_engine_tuning_forget (LS_ENGINE_TUNING (ls_session_get_tuning (session)));
  ls_editing_forget (self->editing);
  ls_document_renew (self->document);
  ls_document_set_sizes (self->document, NULL);
  ls_measuring_forget_node (self->measuring);
  ls_document_set_history (self->document, NULL, 0);
  ls_pinning_forget (self->pinning);
  ls_session_set_selection (session, 0);
  keep_text (self, module);
  ls_origins_set_source (self->origins, 0);
  ready = ls_ready_new (module, FALSE, NULL);
  ls_engine_start (session, ready);
  place = place_text (self, pass);
  ls_session_set_title (session, ls_ready_module_title (module), place);
  return TRUE;
}

void
ls_engine_session_open_ready (LsEngineSession *self,
                              const char      *name,
                              const char      *text,
                              LsSource        *source,
                              LsDiagnostics   *diagnostics,
                              LsReady         *ready)
{
  LsModule *module;

  forget (self);
  ls_document_set_name (self->document, name);
  ls_document_take_text (self->document, g_strdup (text));
  ls_origins_set_source (self->origins, ls_source_get_id (source));
  if (ready == NULL)
    {
      ls_opening_show_broken (LS_SESSION (self), ls_engine_record (self)->name, source, text, diagnostics);
      return;
    }
  module = ls_schedule_get_module (ls_history_get (ready->history, 0)->schedule);
  ls_engine_start (LS_SESSION (self), ready);
  ls_engine_graph_open (ls_engine_graph_of (self), module, NULL);
}

void
ls_engine_session_open_text (LsEngineSession *self,
                             const char      *name,
                             const char      *text,
                             const char      *steps)
{
  g_autoptr (LsSource) source = ls_source_new (name, text, -1);
  g_autoptr (LsSource) step_source = steps != NULL ? ls_source_new ("steps", steps, -1) : NULL;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsReady) ready = ls_ready_read (source, step_source, diagnostics);

  ls_engine_session_open_ready (self, name, text, source, diagnostics, ready);
}

void
ls_engine_session_replay (LsEngineSession *self,
                          const char      *steps)
{
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  if (ls_engine_record (self)->history != NULL)
    ls_document_go (self->document, ls_history_replay (ls_engine_record (self)->history, 0, source, diagnostics));
}

gboolean
ls_engine_session_apply_text (LsEngineSession *self,
                              const char      *steps,
                              LsDiagnostics   *diagnostics)
{
  return ls_engine_record (self)->history != NULL && ls_document_apply (self->document, ls_engine_record (self)->current, steps, diagnostics);
}

/* Weights of ONNX are parameters: their values are not shown, and kept for comparing.  What could not be translated is said above the graph; a saved graph is shown even when
 * no model can be made of it. */
void
ls_engine_session_open_model (LsEngineSession *self,
                              const char      *name,
                              LsModelFile     *file)
{
  LsGraphModel *graph = ls_session_get_graph (LS_SESSION (self));

  forget (self);
  ls_document_set_name (self->document, name);
  if (file->module != NULL)
    {
      ls_document_take_text (self->document, g_steal_pointer (&file->text));
      ls_engine_start (LS_SESSION (self), file->ready);
    }
  else
    {
      ls_session_set_title (LS_SESSION (self), name, NULL);
      ls_session_set_state (LS_SESSION (self), LS_SESSION_BROKEN, file->words);
    }
  ls_engine_graph_open (LS_ENGINE_GRAPH (graph), file->module, g_steal_pointer (&file->fx));
  ls_engine_graph_set_weights (LS_ENGINE_GRAPH (graph), file->weights);
  if (file->words != NULL)
    ls_graph_model_tell (graph, file->words, NULL);
}

static void
open_model (LsEngineSession *self,
           const char      *name,
           const char      *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModelFile) file = ls_model_file_read (path, name, &error);

  if (file != NULL)
    ls_engine_session_open_model (self, name, file);
  else
    ls_opening_say_unread (LS_SESSION (self), name, error->message);
}

/* A session without a program that can be read: its text with what is wrong. */
static void
show_unread (LsEngineSession *self)
{
  const char *draft = ls_editing_get_draft (self->editing);
  g_autoptr (LsSource) source = ls_source_new (ls_engine_record (self)->name, draft, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, diagnostics);

  ls_opening_show_broken (LS_SESSION (self), ls_engine_record (self)->name, source, draft, diagnostics);
}

/* The device has measured one of the steps. */
static gboolean
shows_times_of (LsHistory  *history,
                const char *device)
{
  for (guint i = 0; device != NULL && history != NULL && i < ls_history_get_n (history); i++)
    if (ls_device_notes_of (ls_history_get (history, i)->devices, device) != NULL)
      return TRUE;

  return FALSE;
}

void
ls_engine_session_open_held (LsEngineSession  *self,
                             LsSessionFile    *file,
                             LsReady          *ready,
                             char            **origin)
{
  g_autofree char *place = NULL;
  gboolean unread;

  forget (self);
  ls_document_set_name (self->document, file->name);
  ls_document_set_target (self->document, file->target);
  ls_document_set_sizes (self->document, file->sizes);
  ls_document_take_text (self->document, g_steal_pointer (&file->text));
  ls_document_set_history (self->document, g_steal_pointer (&file->history), 0);
  ls_origins_set_source (self->origins, file->source);
  if (shows_times_of (ls_engine_record (self)->history, file->device))
    ls_document_set_device (self->document, file->device);
  ls_pinning_take (self->pinning, &file->pins);
  if (origin != NULL)
    *origin = g_steal_pointer (&file->origin);
  ls_session_set_opening (LS_SESSION (self), NULL, file->left_out);
  unread = ls_editing_take_draft (self->editing, g_steal_pointer (&file->draft));
  if (ls_engine_record (self)->history == NULL)
    {
      show_unread (self);
      if (unread)
        ls_editing_read_draft (self->editing);
      return;
    }
  place = place_text (self, NULL);
  ls_session_set_title (LS_SESSION (self), ls_ready_module_title (ls_document_get_base (self->document)), place);
  ls_moves_queue_first (self->moves);
  self->ready = ready;
  if (ready != NULL)
    ls_module_costs_keep (ready->costs);
  ls_document_go (self->document, file->current);
  if (file->selection > 0)
    ls_session_select (LS_SESSION (self), file->selection);
  else
    select_first_look (self);
  ls_engine_graph_open (ls_engine_graph_of (self), ls_document_get_base (self->document), NULL);
  if (file->styles != NULL)
    ls_graph_model_set_styles (ls_session_get_graph (LS_SESSION (self)), (const char *const *) file->styles);
  if (file->passes != NULL)
    ls_engine_graph_replay (ls_engine_graph_of (self), (const char *const *) file->passes);
  if (unread)
    ls_editing_read_draft (self->editing);
}

gboolean
ls_engine_session_open_saved (LsEngineSession  *self,
                              const char       *shown,
                              const char       *json,
                              gssize            length,
                              char            **origin,
                              GError          **error)
{
  g_auto (LsSessionFile) file = { 0 };

  if (!ls_session_file_read (&file, shown, json, length, error))
    return FALSE;
  ls_engine_session_open_held (self, &file, NULL, origin);
  return TRUE;
}

void
ls_engine_open (LsSession *session,
                GFile     *file)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = NULL;
  gsize length = 0;

  if (ls_model_file_is (name, g_file_peek_path (file)))
    {
      open_model (self, name, g_file_peek_path (file));
      return;
    }
  text = ls_opening_load (file, name, &length, &error);
  if (error != NULL)
    {
      ls_opening_say_unread (LS_SESSION (self), name, error->message);
      return;
    }
  if (ls_opening_is_session (name, text))
    {
      if (!ls_engine_session_open_saved (self, name, text, (gssize) length, NULL, &error))
        ls_opening_say_unread (LS_SESSION (self), name, error->message);
      return;
    }

  if (g_str_has_suffix (name, ".json") && g_file_peek_path (file) != NULL)
    open_model (self, name, g_file_peek_path (file));
  else
    ls_engine_session_open_text (self, name, text, NULL);
}
