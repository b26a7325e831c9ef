/* session/editing: the opened program while it is edited.
 *
 *   text -> (worker, when it is large) -> parser -> module -> every step of the history again -> what is shown
 *
 * A text that cannot be read becomes the draft, with its findings; what is shown stays the last good program, and the
 * draft is saved with the session.  Steps are always replayed from the history as it was before the edit began (or since
 * the last step that was made by hand), so a state in between that breaks steps loses nothing.
 */
#include "app/session/editing.h"

#include "app/rpc/rpc.h"
#include "app/session/asked.h"
#include "app/session/opening.h"
#include "engine/script/script.h"

#include <glib/gi18n.h>
#include <string.h>

#define LARGE (48 * 1024)

struct _LsEditing
{
  LsSession           *session;
  LsDocument          *document;
  LsOrigins           *origins;
  const LsEditingHost *host;
  char                *draft;           /* another text that cannot be read (yet), or NULL */
  LsHistory           *unedited;        /* as it was before the text was edited, or NULL */
  guint                edited_n;        /* nodes of the history after the last edit: more are steps made since */
  LsWorker            *checker;         /* reads large drafts, or NULL */
  GCancellable        *checking;        /* of its call, or NULL */
  char                *typed;           /* a later text that was not looked at yet, or NULL */
};

void
ls_editing_forget (LsEditing *self)
{
  if (self->checking != NULL)
    g_cancellable_cancel (self->checking);
  g_clear_object (&self->checking);
  g_clear_pointer (&self->draft, g_free);
  g_clear_pointer (&self->typed, g_free);
  g_clear_pointer (&self->unedited, ls_history_free);
  self->edited_n = 0;
}

const char *
ls_editing_get_text (LsEditing *self)
{
  return self->draft != NULL ? self->draft : ls_document_get (self->document)->text;
}

const char *
ls_editing_get_draft (LsEditing *self)
{
  return self->draft;
}

const char *
ls_editing_get_latest (LsEditing *self)
{
  return self->typed != NULL ? self->typed : self->draft;
}

/* ---- what is wrong ------------------------------------------------------------ */

static char *
count_words (guint n)
{
  return g_strdup_printf (ngettext ("%u finding; the last good program stays.", "%u findings; the last good program stays.", n),
                          n);
}

static void
keep_draft (LsEditing    *self,
            LsScriptText *notes)
{
  g_autofree char *words = NULL;

  if (ls_script_text_n_notes (notes) == 0)
    ls_script_text_add_note (notes, 0, 0, "empty", _("There is no function with T.prim_func in this text."));
  words = count_words (ls_script_text_n_notes (notes));
  ls_session_set_draft (self->session, notes, words);
}

gboolean
ls_editing_take_draft (LsEditing *self,
                       char      *draft)
{
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsScriptText) notes = NULL;
  g_autoptr (LsNode) only = NULL;
  g_autoptr (LsModule) module = NULL;

  g_free (self->draft);
  self->draft = draft;
  if (draft == NULL)
    return FALSE;
  source = ls_source_new (ls_document_get (self->document)->name, self->draft, -1);
  module = ls_script_parse_file (source, diagnostics, &only);
  if (module != NULL && !ls_diagnostics_has_error (diagnostics))
    return TRUE;
  notes = ls_opening_findings (source, self->draft, diagnostics);
  keep_draft (self, notes);
  return FALSE;
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
replay_words (const LsDocumentRecord *opened)
{
  g_autoptr (GArray) path = ls_history_path (opened->history, opened->current);
  guint n = path->len - 1;

  for (guint i = 1; i < path->len; i++)
    {
      LsHistoryNode *node = ls_history_get (opened->history, g_array_index (path, guint, i));

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
origin (LsEditing *self)
{
  if (self->unedited != NULL && ls_history_get_n (ls_document_get (self->document)->history) == self->edited_n)
    return self->unedited;
  g_clear_pointer (&self->unedited, ls_history_free);
  self->unedited = ls_document_take_history (self->document);
  return self->unedited;
}

/* A row of the new program like the selected one. */
static guint64
like_selected (const char *name,
               LsLoopKind  kind,
               GListModel *rows)
{
  for (guint i = 0; rows != NULL && name != NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);
      const LsLoopRecord *record = ls_loop_item_get (item);
      guint64 below;

      if ((record->kind == LS_LOOP_BLOCK) == (kind == LS_LOOP_BLOCK) && strcmp (record->name, name) == 0)
        return record->id;
      below = like_selected (name, kind, ls_loop_item_get_children (item));
      if (below != 0)
        return below;
    }
  return 0;
}

static void
replace (LsEditing *self,
         LsModule  *module,
         gboolean   lone)
{
  LsSession *session = self->session;
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsLoopItem *selected = ls_session_get_selected (session);
  g_autofree char *name = selected != NULL ? g_strdup (ls_loop_item_get (selected)->name) : NULL;
  LsLoopKind kind = selected != NULL ? ls_loop_item_get (selected)->kind : LS_LOOP_SERIAL;
  LsHistory *from = origin (self), *history;
  g_autofree char *title = g_strdup_printf (_("%s, as opened"), ls_ready_module_title (module));
  g_autofree char *place = g_strdup_printf ("%s · %s", opened->name, opened->target);

  self->host->stop (session);
  ls_document_renew (self->document);
  history = ls_history_rebase (from, module, title, is_same (module, base_of (from)));
  ls_history_set_lone (history, lone);
  self->edited_n = ls_history_get_n (history);
  ls_document_set_history (self->document, history, MIN (opened->current, self->edited_n - 1));
  ls_session_set_title (session, ls_ready_module_title (module), place);
  ls_session_set_ranking (session, NULL);
  ls_session_set_selection (session, 0);
  ls_document_go (self->document, opened->current);
  ls_session_select (session, like_selected (name, kind, ls_session_get_loops (session)));
  self->host->replaced (session, module);
}

static void
take (LsEditing *self,
      LsModule  *module,
      gboolean   lone,
      LsSource  *source)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  g_autofree char *words = NULL;

  ls_document_take_text (self->document, g_steal_pointer (&self->draft));
  if (opened->history == NULL)
    {
      g_autoptr (LsReady) ready = ls_ready_new (module, lone, source);

      ls_origins_set_source (self->origins, ls_source_get_id (source));
      self->host->start (self->session, ready);
      self->host->replaced (self->session, module);
    }
  else if (!is_same (module, base_of (opened->history)) || lone != ls_history_is_lone (opened->history))
    {
      ls_origins_set_source (self->origins, ls_source_get_id (source));
      replace (self, module, lone);
    }
  else
    ls_origins_follow (self->origins, module);
  words = replay_words (opened);
  ls_session_set_draft (self->session, NULL, words);
}

static void
read_draft (LsEditing *self)
{
  g_autoptr (LsSource) source = ls_source_new (ls_document_get (self->document)->name, self->draft, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsNode) only = NULL;
  g_autoptr (LsModule) module = ls_script_parse_file (source, diagnostics, &only);
  g_autoptr (LsScriptText) notes = NULL;

  if (module != NULL && !ls_diagnostics_has_error (diagnostics))
    {
      take (self, module, only != NULL, source);
      return;
    }
  notes = ls_opening_findings (source, self->draft, diagnostics);
  keep_draft (self, notes);
}

void
ls_editing_read_draft (LsEditing *self)
{
  read_draft (self);
}

/* ---- large texts are looked at elsewhere first ----------------------------------- */

static void
checked (GObject      *worker,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (LsSession) session = NULL;
  LsEditing *self = ls_asked_end (data, &session);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (worker), result, NULL, NULL, &error);
  g_autoptr (GVariant) findings = answer != NULL ? ls_params_value (answer, "findings") : NULL;
  g_autoptr (LsScriptText) notes = NULL;
  guint line, column, start, end;
  const char *code, *message, *repair, *fix;
  GVariantIter iter;

  if (self == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->draft == NULL)
    return;
  g_clear_object (&self->checking);
  if (findings == NULL || (g_variant_n_children (findings) == 0 && !ls_params_bool (answer, "empty", FALSE)))
    {
      read_draft (self);
      return;
    }
  notes = ls_script_text_new (self->draft);
  g_variant_iter_init (&iter, findings);
  while (g_variant_iter_next (&iter, "(uu&s&sm&suum&s)", &line, &column, &code, &message, &repair, &start, &end, &fix))
    {
      ls_script_text_add_note (notes, line, column, code, message);
      if (repair != NULL)
        ls_script_text_add_repair (notes, repair, start, end, fix);
    }
  keep_draft (self, notes);
}

static void
check_elsewhere (LsEditing *self)
{
  GVariantDict params;

  if (self->checker == NULL)
    self->checker = ls_worker_new ();
  self->checking = g_cancellable_new ();
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "text", "s", self->draft);
  g_variant_dict_insert (&params, "name", "s", ls_document_get (self->document)->name);
  ls_worker_call_async (self->checker, "check", g_variant_dict_end (&params), NULL, self->checking, checked, ls_asked_new (self->session, self));
}

void
ls_editing_set_text (LsEditing  *self,
                     const char *text)
{
  g_clear_pointer (&self->typed, g_free);
  if (ls_document_get (self->document)->name == NULL || g_strcmp0 (text, ls_editing_get_text (self)) == 0)
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

void
ls_editing_keep_typed (LsEditing  *self,
                       const char *text)
{
  g_clear_pointer (&self->typed, g_free);
  if (ls_document_get (self->document)->name != NULL && g_strcmp0 (text, ls_editing_get_text (self)) != 0)
    self->typed = g_strdup (text);
}

/* ---- life ------------------------------------------------------------------------ */

LsEditing *
ls_editing_new (LsSession           *session,
                LsDocument          *document,
                LsOrigins           *origins,
                const LsEditingHost *host)
{
  LsEditing *self = g_new0 (LsEditing, 1);

  self->session = session;
  self->document = g_object_ref (document);
  self->origins = origins;
  self->host = host;
  return self;
}

void
ls_editing_free (LsEditing *self)
{
  ls_editing_forget (self);
  g_clear_object (&self->checker);
  g_object_unref (self->document);
  g_free (self);
}
