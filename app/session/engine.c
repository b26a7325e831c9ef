/* LsEngineSession: opening, going through the history, naming branches. */
#include "app/session/engine-private.h"

#include "app/session/card.h"
#include "app/session/compare.h"
#include "app/session/dependence.h"
#include "app/session/file.h"
#include "app/session/graph.h"
#include "app/session/module.h"
#include "engine/runtime/runtime.h"
#include "engine/script/script.h"
#include "views/models/history-layout.h"

#include <glib/gi18n.h>
#include <string.h>

#define SAMPLE "/org/loopscope/samples/"

G_DEFINE_FINAL_TYPE (LsEngineSession, ls_engine_session, LS_TYPE_SESSION)

/* ---- showing the history --------------------------------------------------- */

static guint
main_child (guint    id,
            gpointer data)
{
  return ls_history_main_child (data, id);
}

static LsStepState
state_of (LsEngineSession *self,
          LsHistoryNode   *node)
{
  if (node->refused != NULL)
    return LS_STEP_FAILED;
  if (node->id == self->measuring)
    return LS_STEP_RUNNING;
  if (node->trouble != NULL)
    return LS_STEP_FAILED;
  if (node->unreached)
    return LS_STEP_UNREACHED;
  if (node->stale)
    return LS_STEP_STALE;
  return node->time.samples > 0 ? LS_STEP_MEASURED : LS_STEP_UNMEASURED;
}

/* The fastest measured node of a branch, LS_HISTORY_NONE when nothing is measured. */
static guint
fastest (LsHistory *history,
         guint      branch)
{
  guint best = LS_HISTORY_NONE;

  for (guint i = 1; i < ls_history_get_n (history); i++)
    {
      LsHistoryNode *node = ls_history_get (history, i);

      if (node->branch == branch && node->time.samples > 0 && !node->stale &&
          (best == LS_HISTORY_NONE || node->time.median < ls_history_get (history, best)->time.median))
        best = i;
    }
  return best;
}

static gboolean
is_noise (LsHistoryNode *root,
          LsHistoryNode *node)
{
  g_autoptr (LsTiming) a = NULL;
  g_autoptr (LsTiming) b = NULL;

  if (root == node || root->samples == NULL || node->samples == NULL)
    return FALSE;
  a = ls_timing_new (root->samples, (int) root->time.samples);
  b = ls_timing_new (node->samples, (int) node->time.samples);
  switch (ls_verdict_decide (a, b).kind)
    {
    case LS_VERDICT_FASTER:
    case LS_VERDICT_SLOWER:
      return FALSE;
    case LS_VERDICT_NO_DIFFERENCE:
    case LS_VERDICT_TOO_FEW:
      return TRUE;
    }

  return TRUE;
}

static void
update_item (LsEngineSession *self,
             LsHistoryNode   *node)
{
  LsHistoryNode *root = ls_history_get (self->history, 0);
  LsStepRecord record = *ls_step_item_get (node->item);
  g_autofree char *conditions = g_strjoin ("\n", node->conditions, node->counted, NULL);

  record.call = node->call;
  record.name = node->name;
  record.branch = ls_history_branch_name (self->history, node->branch);
  record.prime = node->branch;
  record.state = state_of (self, node);
  record.done = record.state == LS_STEP_RUNNING ? self->done : 0;
  record.total = record.state == LS_STEP_RUNNING ? self->total : 0;
  record.reason = node->refused != NULL ? node->refused : node->trouble;
  record.conditions = node->conditions != NULL ? conditions : NULL;
  record.stops = node->refused != NULL;
  record.no_effect = !ls_history_has_effect (self->history, node->id);
  record.bookmark = node->bookmark;
  record.timing = node->time;
  record.best = fastest (self->history, node->branch) == node->id && node->id != self->measuring;
  record.speedup = 0.0;
  record.no_difference = FALSE;
  if (root->time.samples > 0 && node->time.samples > 0 && node->time.median > 0.0 && !node->stale && !root->stale)
    {
      record.speedup = root->time.median / node->time.median;
      record.no_difference = is_noise (root, node);
    }
  ls_step_item_set (node->item, &record);
}

static GPtrArray *
branch_rows (LsEngineSession *self)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  LsHistoryNode *current = ls_history_get (self->history, self->current);

  for (guint i = 0; i < ls_history_n_branches (self->history); i++)
    {
      guint best = fastest (self->history, i);
      LsBranchRecord record = { .name = ls_history_branch_name (self->history, i),
                                .current = current->branch == i };

      record.tip = ls_history_branch_tip (self->history, i, &record.n_steps, &record.n_failed);
      if (best != LS_HISTORY_NONE)
        record.best = ls_history_get (self->history, best)->time.median;
      g_ptr_array_add (rows, ls_branch_item_new (&record));
    }
  return rows;
}

void
ls_engine_session_show_history (LsEngineSession *self)
{
  LsHistory *history = self->history;
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GPtrArray) path = g_ptr_array_new ();
  g_autoptr (GPtrArray) branches = branch_rows (self);
  g_autoptr (GArray) ids = ls_history_path (history, self->current);

  for (guint i = 0; i < ls_history_get_n (history); i++)
    {
      update_item (self, ls_history_get (history, i));
      g_ptr_array_add (nodes, ls_history_get (history, i)->item);
    }
  rows = ls_history_layout (nodes, main_child, history, self->current);
  for (guint i = 0; i < ids->len; i++)
    g_ptr_array_add (path, ls_history_get (history, g_array_index (ids, guint, i))->item);
  ls_session_set_branches (LS_SESSION (self), branches);
  ls_session_set_history (LS_SESSION (self), rows, path,
                          ls_history_get (history, self->current)->item);
  ls_session_timing_changed (LS_SESSION (self));
}

static void
show_module (LsEngineSession *self)
{
  LsHistoryNode *node = ls_history_get (self->history, self->current);
  LsReady *ready = g_steal_pointer (&self->ready);
  double flop;
  g_autoptr (GPtrArray) loops = NULL;
  g_autoptr (LsScriptText) text = NULL;
  g_autoptr (LsScriptText) before = NULL;

  ls_engine_session_forget_source (self);
  if (ready != NULL)
    {
      ls_engine_session_place_pins (self, ready->loops, ready->text, ready->before);
      ls_session_set_module (LS_SESSION (self), ready->loops, ready->flop, ready->text, ready->before);
      ls_engine_session_tell_pins (self);
      return;
    }
  loops = ls_session_build_loops (self->history, self->current, &flop);
  text = ls_session_build_text (self->history, self->current);
  if (node->number > 0)
    {
      before = ls_session_build_text (self->history, node->parent);
      ls_script_text_compare (before, text);
    }
  ls_engine_session_place_pins (self, loops, text, before);
  ls_session_set_module (LS_SESSION (self), loops, flop, text, before);
  ls_engine_session_tell_pins (self);
}

void
ls_engine_session_go (LsEngineSession *self,
                      guint            id)
{
  LsSession *session = LS_SESSION (self);
  guint64 selection = ls_history_follow (self->history, self->current, id,
                                         ls_session_get_selection (session));
  LsHistoryNode *node;

  self->current = id;
  ls_history_visit (self->history, id);
  ls_engine_session_show_history (self);
  show_module (self);
  ls_session_set_selection (session, selection);
  ls_engine_session_queue_moves (self);
  ls_engine_session_show_conditions (self, ls_session_get_time_error (session));
  node = ls_history_get (self->history, id);
  ls_session_set_state (session, LS_SESSION_READY,
                        node->refused != NULL ? node->refused : node->unreached
                          ? _("An earlier step stops, so this one is not reached.") : node->warning);
  ls_engine_graph_follow (LS_ENGINE_GRAPH (ls_session_get_graph (session)));
}

/* ---- opening --------------------------------------------------------------- */

static void
forget (LsEngineSession *self)
{
  ls_engine_session_cancel (LS_SESSION (self));
  g_clear_pointer (&self->results, g_ptr_array_unref);
  ls_engine_session_forget_edit (self);
  ls_engine_session_flush_moves (self, FALSE);
  self->document++;
  ls_session_set_opening (LS_SESSION (self), NULL, NULL);
  self->measuring = LS_HISTORY_NONE;
  g_clear_pointer (&self->history, ls_history_free);
  ls_engine_session_set_source (self, 0);
  ls_engine_session_forget_pins (self);
  ls_session_set_draft (LS_SESSION (self), NULL, NULL);
  ls_session_set_history (LS_SESSION (self), NULL, NULL, NULL);
  ls_session_set_branches (LS_SESSION (self), NULL);
  ls_session_set_module (LS_SESSION (self), NULL, 0.0, NULL, NULL);
  ls_session_set_moves (LS_SESSION (self), NULL);
  ls_session_set_ranking (LS_SESSION (self), NULL);
  ls_session_set_selection (LS_SESSION (self), 0);
  ls_session_set_conditions (LS_SESSION (self), NULL, NULL);
  ls_engine_graph_clear (LS_ENGINE_GRAPH (ls_session_get_graph (LS_SESSION (self))));
}

static void
show_broken (LsEngineSession *self,
             LsSource        *source,
             const char      *text,
             LsDiagnostics   *diagnostics)
{
  g_autoptr (LsScriptText) shown = ls_script_text_new (text);

  for (guint i = 0; i < ls_diagnostics_get_n (diagnostics); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (diagnostics, i);
      LsPlace place = ls_source_place (source, finding->span.start);

      if (finding->severity == LS_SEVERITY_ERROR)
        ls_script_text_add_note (shown, place.line, place.column, finding->code, finding->message);
    }
  ls_session_set_title (LS_SESSION (self), self->name, self->name);
  ls_session_set_module (LS_SESSION (self), NULL, 0.0, shown, NULL);
  ls_session_set_state (LS_SESSION (self), LS_SESSION_BROKEN,
                        ls_script_text_n_notes (shown) == 0
                          ? _("There is no function with T.prim_func in this file.") : NULL);
}

/* What to look at first: the reduction, where the work is, else the first loop. */
static LsLoopItem *
first_look (GListModel *loops)
{
  LsLoopItem *first = NULL;

  for (guint i = 0; loops != NULL && i < g_list_model_get_n_items (loops); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (loops, i);
      LsLoopItem *below;

      if (ls_loop_item_get (item)->reduction)
        return item;
      below = first_look (ls_loop_item_get_children (item));
      if (below != NULL && ls_loop_item_get (below)->reduction)
        return below;
      if (first == NULL && ls_loop_item_get (item)->kind != LS_LOOP_FUNCTION)
        first = item;
      if (first == NULL)
        first = below;
    }
  return first;
}

static void
select_first_look (LsEngineSession *self)
{
  LsLoopItem *look = first_look (ls_session_get_loops (LS_SESSION (self)));

  if (look != NULL)
    ls_session_select (LS_SESSION (self), ls_loop_item_get (look)->id);
}

void
ls_engine_session_start (LsEngineSession *self,
                         LsReady         *ready)
{
  LsModule *module = ls_schedule_get_module (ls_history_get (ready->history, 0)->schedule);
  g_autofree char *place = g_strdup_printf ("%s · %s", self->name, self->target);

  self->history = g_steal_pointer (&ready->history);
  self->current = 0;
  ls_session_set_title (LS_SESSION (self), ls_ready_module_title (module), place);
  ls_engine_session_queue_first_moves (self);
  self->ready = ready;
  ls_module_costs_keep (ready->costs);
  ls_engine_session_go (self, ready->current);
  select_first_look (self);
}

/* The opened text of a module that came from elsewhere. */
static void
keep_text (LsEngineSession *self,
           LsModule        *module)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };

  g_free (self->text);
  self->text = ls_script_print (module, &whole, NULL);
}

gboolean
ls_engine_session_schedule_module (LsEngineSession *self,
                                   LsModule        *module,
                                   const char      *pass)
{
  LsModule *base = self->history != NULL ? ls_schedule_get_module (ls_history_get (self->history, 0)->schedule) : NULL;
  g_autofree char *place = NULL;
  g_autoptr (LsReady) ready = NULL;

  if (base == module)
    return TRUE;
  if (self->history != NULL && ls_history_get_n (self->history) > 1)
    return FALSE;
  ls_engine_session_cancel (LS_SESSION (self));
  ls_engine_session_forget_edit (self);
  self->document++;
  self->measuring = LS_HISTORY_NONE;
  g_clear_pointer (&self->history, ls_history_free);
  ls_engine_session_forget_pins (self);
  ls_session_set_selection (LS_SESSION (self), 0);
  keep_text (self, module);
  ls_engine_session_set_source (self, 0);
  ready = ls_ready_new (module, FALSE, NULL);
  ls_engine_session_start (self, ready);
  place = pass != NULL ? g_strdup_printf (_("%s after %s · %s"), self->name, pass, self->target) : NULL;
  if (place != NULL)
    ls_session_set_title (LS_SESSION (self), ls_ready_module_title (module), place);
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
  g_free (self->name);
  self->name = g_strdup (name);
  g_free (self->text);
  self->text = g_strdup (text);
  ls_engine_session_set_source (self, ls_source_get_id (source));
  if (ready == NULL)
    {
      show_broken (self, source, text, diagnostics);
      return;
    }
  module = ls_schedule_get_module (ls_history_get (ready->history, 0)->schedule);
  ls_engine_session_start (self, ready);
  ls_engine_graph_open (LS_ENGINE_GRAPH (ls_session_get_graph (LS_SESSION (self))), module, NULL);
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

  if (self->history != NULL)
    ls_engine_session_go (self, ls_history_replay (self->history, 0, source, diagnostics));
}

/* What is shown stays when nothing could be read in its place. */
static void
say_unread (LsEngineSession *self,
            const char      *name,
            const char      *message)
{
  LsSession *session = LS_SESSION (self);

  ls_session_set_opening (session, message, NULL);
  if (ls_session_get_state (session) != LS_SESSION_EMPTY)
    return;
  ls_session_set_title (session, name, NULL);
  ls_session_set_state (session, LS_SESSION_BROKEN, message);
}

/* A saved graph of torch.fx: its model is what is opened; the graph is shown even when no model can be made of it. */
static void
open_fx (LsEngineSession *self,
         const char      *name,
         const char      *path)
{
  LsGraphModel *graph = ls_session_get_graph (LS_SESSION (self));
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) fx = NULL;
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsReady) ready = NULL;

  fx = ls_fx_graph_read (path, &error);
  if (fx == NULL)
    {
      g_autofree char *words = g_str_has_prefix (error->message, path) ? g_strconcat (name, error->message + strlen (path), NULL)
                                                                       : g_strdup (error->message);

      say_unread (self, name, words);
      return;
    }
  forget (self);
  g_free (self->name);
  self->name = g_strdup (name);
  module = ls_fx_graph_import (fx, LS_FX_OPS, &error);
  if (module != NULL)
    {
      keep_text (self, module);
      ready = ls_ready_new (module, FALSE, NULL);
      ls_engine_session_start (self, ready);
    }
  else
    {
      ls_session_set_title (LS_SESSION (self), name, NULL);
      ls_session_set_state (LS_SESSION (self), LS_SESSION_BROKEN, error->message);
    }
  ls_engine_graph_open (LS_ENGINE_GRAPH (graph), module, g_steal_pointer (&fx));
  if (error != NULL)
    ls_graph_model_tell (graph, error->message, NULL);
}

/* A session without a program that can be read: its text with what is wrong. */
static void
show_unread (LsEngineSession *self)
{
  g_autoptr (LsSource) source = ls_source_new (self->name, self->draft, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, diagnostics);

  show_broken (self, source, self->draft, diagnostics);
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
  g_autofree char *place = NULL;

  if (!ls_session_file_read (&file, shown, json, length, error))
    return FALSE;
  forget (self);
  g_free (self->name);
  g_free (self->text);
  g_free (self->target);
  self->name = g_steal_pointer (&file.name);
  self->text = g_steal_pointer (&file.text);
  self->draft = g_steal_pointer (&file.draft);
  ls_engine_session_set_source (self, file.source);
  self->target = g_steal_pointer (&file.target);
  self->history = g_steal_pointer (&file.history);
  self->pins = file.pins;
  file.pins = (LsPins) { 0 };
  self->current = 0;
  if (origin != NULL)
    *origin = g_steal_pointer (&file.origin);
  ls_session_set_opening (LS_SESSION (self), NULL, file.left_out);
  ls_engine_session_check_draft (self);
  if (self->history == NULL)
    {
      show_unread (self);
      return TRUE;
    }
  place = g_strdup_printf ("%s · %s", self->name, self->target);
  ls_session_set_title (LS_SESSION (self), ls_ready_module_title (ls_schedule_get_module (
                          ls_history_get (self->history, 0)->schedule)), place);
  ls_engine_session_queue_first_moves (self);
  ls_engine_session_go (self, file.current);
  if (file.selection > 0)
    ls_session_select (LS_SESSION (self), file.selection);
  else
    select_first_look (self);
  ls_engine_graph_open (LS_ENGINE_GRAPH (ls_session_get_graph (LS_SESSION (self))),
                        ls_schedule_get_module (ls_history_get (self->history, 0)->schedule), NULL);
  return TRUE;
}

static gboolean
is_saved_session (const char *name,
                  const char *text)
{
  return g_str_has_suffix (name, LS_SESSION_SUFFIX) ||
         (text[strspn (text, " \t\r\n")] == '{' && strstr (text, "\"loopscope-session\"") != NULL);
}

/* Whether it can be read at all, and in a bounded time: no folder, no pipe, not too large. */
static void
check_file (const char  *name,
            GFileInfo   *info,
            GError     **error)
{
  goffset size = g_file_info_get_size (info);
  g_autofree char *words = NULL;

  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, _("%s is no file with text."), name);
  else if (size > LS_SESSION_MAX_FILE)
    {
      words = g_format_size_full ((guint64) size, G_FORMAT_SIZE_IEC_UNITS);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                   _("%s has %s; the window opens up to 16 MiB, the command line any size."), name, words);
    }
}

static void
engine_open (LsSession *session,
             GFile     *file)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFileInfo) info = NULL;
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = NULL;
  gsize length = 0;

  info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_STANDARD_TYPE,
                            G_FILE_QUERY_INFO_NONE, NULL, &error);
  if (info != NULL)
    check_file (name, info, &error);
  if (error == NULL)
    g_file_load_contents (file, NULL, &text, &length, NULL, &error);
  if (error == NULL)
    ls_ready_check_text (name, text, length, &error);
  if (error != NULL)
    {
      say_unread (self, name, error->message);
      return;
    }
  if (is_saved_session (name, text))
    {
      if (!ls_engine_session_open_saved (self, name, text, (gssize) length, NULL, &error))
        say_unread (self, name, error->message);
      return;
    }

  if (g_str_has_suffix (name, ".json") && g_file_peek_path (file) != NULL)
    open_fx (self, name, g_file_peek_path (file));
  else
    ls_engine_session_open_text (self, name, text, NULL);
}

/* What is due is done before anything is asked about it. */
static void
engine_flush (LsSession *session)
{
  ls_engine_session_flush_moves (LS_ENGINE_SESSION (session), TRUE);
}

/* ---- other wishes ---------------------------------------------------------- */

static void
engine_go_to (LsSession *session,
              guint      step)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  if (self->history != NULL && step < ls_history_get_n (self->history))
    ls_engine_session_go (self, step);
}

static void
engine_select (LsSession *session,
               guint64    id)
{
  ls_session_set_selection (session, id);
  ls_engine_session_queue_moves (LS_ENGINE_SESSION (session));
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

/* The lowest number that is free; a bookmark that is there goes. */
static void
engine_bookmark (LsSession *session,
                 guint      step)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  guint number = 1;

  if (self->history == NULL || step >= ls_history_get_n (self->history))
    return;
  while (number <= 9 && has_bookmark (self->history, number))
    number++;
  if (ls_history_get (self->history, step)->bookmark > 0)
    number = 0;
  if (number > 9)
    return;
  ls_history_get (self->history, step)->bookmark = number;
  ls_engine_session_show_history (self);
}

static void
engine_name_branch (LsSession  *session,
                    guint       step,
                    const char *name)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  if (self->history == NULL || step >= ls_history_get_n (self->history))
    return;
  ls_history_name_branch (self->history, ls_history_get (self->history, step)->branch, name);
  ls_engine_session_show_history (self);
}

static char *
engine_describe_row (LsSession *session,
                     guint64    id)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  return self->history != NULL ? ls_session_card (self->history, self->current, id) : NULL;
}

static LsDependences *
engine_find_dependences (LsSession *session,
                         guint64    id)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  return self->history != NULL ? ls_session_dependences (self->history, self->current, id) : NULL;
}

static LsScriptText *
engine_get_base_text (LsSession *session)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  return self->history != NULL ? ls_session_build_text (self->history, 0) : NULL;
}

/* ---- comparing ------------------------------------------------------------- */

LsHistory *
ls_engine_session_compared (LsEngineSession *self,
                            guint           *id)
{
  if (*id == LS_COMPARE_FILE)
    {
      *id = self->other_current;
      return self->other;
    }
  return self->history != NULL && *id < ls_history_get_n (self->history) ? self->history : NULL;
}

static LsComparison *
engine_compare (LsSession *session,
                guint      left,
                guint      right)
{
  LsHistory *a = ls_engine_session_compared (LS_ENGINE_SESSION (session), &left);
  LsHistory *b = ls_engine_session_compared (LS_ENGINE_SESSION (session), &right);

  return a != NULL && b != NULL ? ls_session_compare (a, left, b, right) : NULL;
}

static LsStepItem *
engine_compare_file (LsSession  *session,
                     GFile      *file,
                     GError    **error)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsEngineSession *reader = LS_ENGINE_SESSION (ls_engine_session_new ());
  g_autofree char *name = g_file_get_basename (file);
  LsStepItem *item = NULL;

  ls_session_open (LS_SESSION (reader), file);
  if (ls_session_get_state (LS_SESSION (reader)) == LS_SESSION_READY)
    {
      g_clear_pointer (&self->other, ls_history_free);
      self->other = g_steal_pointer (&reader->history);
      self->other_current = reader->current;
      item = ls_step_item_new (&(LsStepRecord) { .id = LS_COMPARE_FILE, .parent = LS_COMPARE_FILE,
                                                 .number = ls_history_get (self->other, self->other_current)->number,
                                                 .call = name, .name = name, .branch = _("file") });
    }
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _("%s: %s"), name,
                 ls_session_get_message (LS_SESSION (reader)) != NULL ? ls_session_get_message (LS_SESSION (reader))
                                                                      : _("its program cannot be read."));
  g_object_unref (reader);
  return item;
}

/* ---- class ----------------------------------------------------------------- */

static void
ls_engine_session_dispose (GObject *object)
{
  LsEngineSession *self = LS_ENGINE_SESSION (object);

  ls_engine_graph_cancel_all (LS_ENGINE_GRAPH (ls_session_get_graph (LS_SESSION (self))));
  ls_engine_session_cancel (LS_SESSION (self));
  ls_engine_session_forget_edit (self);
  ls_engine_session_flush_moves (self, FALSE);
  g_clear_object (&self->checker);
  g_clear_object (&self->worker);
  G_OBJECT_CLASS (ls_engine_session_parent_class)->dispose (object);
}

static void
ls_engine_session_finalize (GObject *object)
{
  LsEngineSession *self = LS_ENGINE_SESSION (object);

  ls_engine_session_set_source (self, 0);
  g_clear_pointer (&self->history, ls_history_free);
  ls_pins_clear (&self->pins);
  g_clear_pointer (&self->other, ls_history_free);
  g_clear_pointer (&self->results, g_ptr_array_unref);
  g_clear_object (&self->trying);
  g_clear_object (&self->probing);
  g_free (self->probe_trouble);
  g_free (self->target);
  g_free (self->name);
  g_free (self->text);
  G_OBJECT_CLASS (ls_engine_session_parent_class)->finalize (object);
}

static void
ls_engine_session_class_init (LsEngineSessionClass *klass)
{
  LsSessionClass *session_class = LS_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_engine_session_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_engine_session_finalize;
  session_class->open = engine_open;
  session_class->go_to = engine_go_to;
  session_class->pin = ls_engine_session_pin;
  session_class->unpin = ls_engine_session_unpin;
  session_class->find_source = ls_engine_session_find_source;
  session_class->find_result = ls_engine_session_find_result;
  session_class->select = engine_select;
  session_class->apply = ls_engine_session_apply;
  session_class->repair = ls_engine_session_repair;
  session_class->edit = ls_engine_session_edit;
  session_class->preview = ls_engine_session_preview;
  session_class->measure = ls_engine_session_measure;
  session_class->measure_step = ls_engine_session_measure_step;
  session_class->measure_move = ls_engine_session_measure_move;
  session_class->cancel = ls_engine_session_cancel;
  session_class->name_branch = engine_name_branch;
  session_class->bookmark = engine_bookmark;
  session_class->get_trace = ls_engine_session_get_trace;
  session_class->export = ls_engine_session_export;
  session_class->export_later = ls_engine_session_export_later;
  session_class->compare = engine_compare;
  session_class->write_figure = ls_engine_session_write_figure;
  session_class->describe_row = engine_describe_row;
  session_class->edit_base = ls_engine_session_edit_base;
  session_class->get_base_text = engine_get_base_text;
  session_class->get_base = ls_engine_session_get_base;
  session_class->find_dependences = engine_find_dependences;
  session_class->reorder = ls_engine_session_reorder;
  session_class->rank_moves = ls_engine_session_rank_moves;
  session_class->apply_ranked = ls_engine_session_apply_ranked;
  session_class->compare_results = ls_engine_session_compare_results;
  session_class->get_results = ls_engine_session_get_results;
  session_class->get_roofline = ls_engine_session_get_roofline;
  session_class->measure_machine = ls_engine_session_measure_machine;
  session_class->compare_file = engine_compare_file;
  session_class->edit_step = ls_engine_session_edit_step;
  session_class->flush = engine_flush;
}

static void
ls_engine_session_init (LsEngineSession *self)
{
  g_autoptr (LsGraphModel) graph = ls_engine_graph_new (self);

  self->target = g_strdup ("llvm");
  ls_session_set_graph (LS_SESSION (self), graph);
  self->measuring = LS_HISTORY_NONE;
  g_queue_init (&self->queue);
}

LsHistory *
ls_engine_session_get_history (LsEngineSession *self)
{
  return self->history;
}

guint
ls_engine_session_get_node (LsEngineSession *self)
{
  return self->history != NULL ? self->current : LS_HISTORY_NONE;
}

const char *
ls_engine_session_get_target (LsEngineSession *self)
{
  return self->target;
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
