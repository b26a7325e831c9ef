/* session/base: the opened program while it is edited.
 *
 *   text -> (worker, when it is large) -> parser -> module -> every step of the history again -> what is shown
 *
 * A text that cannot be read becomes the draft, with its findings; what is shown stays the last good program, and the
 * draft is saved with the session.  Steps are always replayed from the history as it was before the edit began (or since
 * the last step that was made by hand), so a state in between that breaks steps loses nothing.
 */
#include "app/session/engine-private.h"

#include "app/session/graph.h"
#include "engine/script/script.h"

#include <glib/gi18n.h>
#include <string.h>

#define LARGE (48 * 1024)

void
ls_engine_session_forget_edit (LsEngineSession *self)
{
  if (self->checking != NULL)
    g_cancellable_cancel (self->checking);
  g_clear_object (&self->checking);
  g_clear_pointer (&self->draft, g_free);
  g_clear_pointer (&self->unedited, ls_history_free);
  self->edited_n = 0;
}

const char *
ls_engine_session_get_base (LsSession *session)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  return self->draft != NULL ? self->draft : self->text;
}

/* ---- what is wrong ------------------------------------------------------------ */

static char *
count_words (guint n)
{
  return g_strdup_printf (ngettext ("%u finding; the last good program stays.", "%u findings; the last good program stays.", n),
                          n);
}

static LsScriptText *
notes_of (LsSource      *source,
          const char    *text,
          LsDiagnostics *diagnostics)
{
  LsScriptText *shown = ls_script_text_new (text);

  for (guint i = 0; i < ls_diagnostics_get_n (diagnostics); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (diagnostics, i);
      LsPlace place = ls_source_place (source, finding->span.start);

      if (finding->severity == LS_SEVERITY_ERROR)
        ls_script_text_add_note (shown, place.line, place.column, finding->code, finding->message);
    }
  return shown;
}

static void
keep_draft (LsEngineSession *self,
            LsScriptText    *notes)
{
  g_autofree char *words = NULL;

  if (ls_script_text_n_notes (notes) == 0)
    ls_script_text_add_note (notes, 0, 0, "empty", _("There is no function with T.prim_func in this text."));
  words = count_words (ls_script_text_n_notes (notes));
  ls_session_set_draft (LS_SESSION (self), notes, words);
}

void
ls_engine_session_check_draft (LsEngineSession *self)
{
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsScriptText) notes = NULL;
  g_autoptr (LsModule) module = NULL;

  if (self->draft == NULL)
    return;
  source = ls_source_new (self->name, self->draft, -1);
  module = ls_script_parse (source, diagnostics);
  notes = notes_of (source, self->draft, diagnostics);
  keep_draft (self, notes);
}

/* ---- another program ------------------------------------------------------------ */

static gboolean
is_same (LsModule *a,
         LsModule *b)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autofree char *first = ls_script_print (a, &whole, NULL);
  g_autofree char *second = ls_script_print (b, &whole, NULL);

  return strcmp (first, second) == 0;
}

static LsModule *
base_of (LsHistory *history)
{
  return ls_schedule_get_module (ls_history_get (history, 0)->schedule);
}

/* "All 5 steps are replayed", or the first on the shown path that is not. (transfer full) */
static char *
replay_words (LsEngineSession *self)
{
  g_autoptr (GArray) path = ls_history_path (self->history, self->current);
  guint n = path->len - 1;

  for (guint i = 1; i < path->len; i++)
    {
      LsHistoryNode *node = ls_history_get (self->history, g_array_index (path, guint, i));

      if (node->refused != NULL)
        return g_strdup_printf (_("Replay stops at step %u, %s: %s"), node->number, node->name, node->refused);
    }
  if (n == 0)
    return g_strdup (_("The program is read."));
  return g_strdup_printf (ngettext ("The program is read, its step is replayed.",
                                    "The program is read, all %u steps are replayed.", n), n);
}

/* The history that steps are replayed from. */
static LsHistory *
origin (LsEngineSession *self)
{
  if (self->unedited != NULL && ls_history_get_n (self->history) == self->edited_n)
    return self->unedited;
  g_clear_pointer (&self->unedited, ls_history_free);
  self->unedited = self->history;
  self->history = NULL;
  return self->unedited;
}

/* A row of the new program like the selected one. */
static guint64
like_selected (LsEngineSession *self,
               const char      *name,
               LsLoopKind       kind,
               GListModel      *rows)
{
  for (guint i = 0; rows != NULL && name != NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);
      const LsLoopRecord *record = ls_loop_item_get (item);
      guint64 below;

      if ((record->kind == LS_LOOP_BLOCK) == (kind == LS_LOOP_BLOCK) && strcmp (record->name, name) == 0)
        return record->id;
      below = like_selected (self, name, kind, ls_loop_item_get_children (item));
      if (below != 0)
        return below;
    }
  return 0;
}

static void
replace (LsEngineSession *self,
         LsModule        *module,
         gboolean         lone)
{
  LsSession *session = LS_SESSION (self);
  LsLoopItem *selected = ls_session_get_selected (session);
  g_autofree char *name = selected != NULL ? g_strdup (ls_loop_item_get (selected)->name) : NULL;
  LsLoopKind kind = selected != NULL ? ls_loop_item_get (selected)->kind : LS_LOOP_SERIAL;
  LsHistory *from = origin (self), *old = self->history;
  g_autofree char *title = g_strdup_printf (_("%s, as opened"), ls_ready_module_title (module));
  g_autofree char *place = g_strdup_printf ("%s · %s", self->name, self->target);

  ls_engine_session_cancel (session);
  self->document++;
  self->measuring = LS_HISTORY_NONE;
  self->history = ls_history_rebase (from, module, title, is_same (module, base_of (from)));
  ls_history_set_lone (self->history, lone);
  self->edited_n = ls_history_get_n (self->history);
  self->current = MIN (self->current, self->edited_n - 1);
  g_clear_pointer (&old, ls_history_free);
  ls_session_set_title (session, ls_ready_module_title (module), place);
  ls_session_set_ranking (session, NULL);
  ls_session_set_selection (session, 0);
  ls_engine_session_go (self, self->current);
  ls_session_select (session, like_selected (self, name, kind, ls_session_get_loops (session)));
  ls_engine_graph_replace (LS_ENGINE_GRAPH (ls_session_get_graph (session)), module);
}

static void
take (LsEngineSession *self,
      LsModule        *module,
      gboolean         lone,
      LsSource        *source)
{
  g_autofree char *text = g_steal_pointer (&self->draft);
  g_autofree char *words = NULL;

  g_free (self->text);
  self->text = g_steal_pointer (&text);
  if (self->history == NULL)
    {
      g_autoptr (LsReady) ready = ls_ready_new (module, lone, source);

      ls_engine_session_set_source (self, ls_source_get_id (source));
      ls_engine_session_start (self, ready);
      ls_engine_graph_replace (LS_ENGINE_GRAPH (ls_session_get_graph (LS_SESSION (self))), module);
    }
  else if (!is_same (module, base_of (self->history)) || lone != ls_history_is_lone (self->history))
    {
      ls_engine_session_set_source (self, ls_source_get_id (source));
      replace (self, module, lone);
    }
  else
    {
      ls_engine_session_forget_source (self);
      g_clear_pointer (&self->source_moves, g_hash_table_unref);
      self->source_moves = ls_source_moves (base_of (self->history), self->source, module);
    }
  words = replay_words (self);
  ls_session_set_draft (LS_SESSION (self), NULL, words);
}

static void
read_draft (LsEngineSession *self)
{
  g_autoptr (LsSource) source = ls_source_new (self->name, self->draft, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsNode) only = NULL;
  g_autoptr (LsModule) module = ls_script_parse_file (source, diagnostics, &only);
  g_autoptr (LsScriptText) notes = NULL;

  if (module != NULL && !ls_diagnostics_has_error (diagnostics))
    {
      take (self, module, only != NULL, source);
      return;
    }
  notes = notes_of (source, self->draft, diagnostics);
  keep_draft (self, notes);
}

/* ---- large texts are looked at elsewhere first ----------------------------------- */

static void
checked (GObject      *worker,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (LsEngineSession) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (worker), result, NULL, NULL, &error);
  g_autoptr (GVariant) findings = answer != NULL ? ls_params_value (answer, "findings") : NULL;
  g_autoptr (LsScriptText) notes = NULL;
  guint line, column;
  const char *code, *message;
  GVariantIter iter;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->draft == NULL)
    return;
  g_clear_object (&self->checking);
  if (findings == NULL || (g_variant_n_children (findings) == 0 && !ls_params_bool (answer, "empty", FALSE)))
    {
      read_draft (self);
      return;
    }
  notes = ls_script_text_new (self->draft);
  g_variant_iter_init (&iter, findings);
  while (g_variant_iter_next (&iter, "(uu&s&s)", &line, &column, &code, &message))
    ls_script_text_add_note (notes, line, column, code, message);
  keep_draft (self, notes);
}

static void
check_elsewhere (LsEngineSession *self)
{
  GVariantDict params;

  if (self->checker == NULL)
    self->checker = ls_worker_new ();
  self->checking = g_cancellable_new ();
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "text", "s", self->draft);
  g_variant_dict_insert (&params, "name", "s", self->name);
  ls_worker_call_async (self->checker, "check", g_variant_dict_end (&params), NULL, self->checking, checked,
                        g_object_ref (self));
}

void
ls_engine_session_edit_base (LsSession  *session,
                             const char *text)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  if (self->name == NULL || g_strcmp0 (text, ls_engine_session_get_base (session)) == 0)
    return;
  if (self->checking != NULL)
    g_cancellable_cancel (self->checking);
  g_clear_object (&self->checking);
  g_free (self->draft);
  self->draft = g_strdup (text);
  if (strlen (text) > LARGE)
    check_elsewhere (self);
  else
    read_draft (self);
}
