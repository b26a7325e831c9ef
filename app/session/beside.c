/* session/beside: see the header. */
#include "app/session/beside.h"

#include "app/session/compare.h"
#include "app/session/file.h"
#include "app/session/module-file.h"
#include "app/session/opening.h"
#include "engine/base/task.h"

#include <glib/gi18n.h>

#define LARGE 500               /* loops, blocks and buffers: some 16 ms of rows and text */

gboolean
ls_beside_is_large (LsHistory *history,
                    guint      id)
{
  LsSchedule *schedule = ls_history_get (history, id)->schedule;

  return ls_version_get_n (ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule))) > LARGE;
}

/* ---- what is shown ---------------------------------------------------------------- */

typedef struct {
  LsHistory *excerpt;
  guint      id;
} Wanted;

static void
wanted_free (gpointer data)
{
  Wanted *self = data;

  ls_history_free (self->excerpt);
  g_free (self);
}

static void
make_ready (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *cancellable)
{
  const Wanted *wanted = data;

  g_task_return_pointer (task, ls_ready_of (wanted->excerpt, wanted->id), (GDestroyNotify) ls_ready_free);
}

void
ls_beside_ready (LsHistory           *history,
                 guint                id,
                 GAsyncReadyCallback  callback,
                 gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, data);
  Wanted *wanted = g_new (Wanted, 1);

  *wanted = (Wanted) { ls_history_excerpt (history, id, ls_history_get (history, id)->parent), id };
  g_task_set_task_data (task, wanted, wanted_free);
  ls_task_run (task, make_ready);
}

LsReady *
ls_beside_ready_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* ---- two of them -------------------------------------------------------------------- */

typedef struct {
  LsComparison *answer;         /* titles and times are in it */
  LsHistory    *left;           /* excerpts; one when they are of one history */
  LsHistory    *right;
  guint         left_id;
  guint         right_id;
} Pair;

static void
pair_free (gpointer data)
{
  Pair *self = data;

  g_clear_pointer (&self->answer, ls_comparison_unref);
  if (self->right != self->left)
    ls_history_free (self->right);
  ls_history_free (self->left);
  g_free (self);
}

static void
compare (GTask        *task,
         gpointer      source,
         gpointer      data,
         GCancellable *cancellable)
{
  Pair *pair = data;

  ls_session_compare_programs (pair->answer, pair->left, pair->left_id, pair->right, pair->right_id);
  g_task_return_pointer (task, g_steal_pointer (&pair->answer), (GDestroyNotify) ls_comparison_unref);
}

void
ls_beside_compare (GTask     *taken,
                   LsHistory *left,
                   guint      left_id,
                   LsHistory *right,
                   guint      right_id,
                   const char *device)
{
  g_autoptr (GTask) task = taken;
  Pair *pair = g_new (Pair, 1);

  *pair = (Pair) { .answer = ls_session_compare_begin (left, left_id, right, right_id, device), .left_id = left_id, .right_id = right_id };
  pair->left = left == right ? ls_history_excerpt (left, left_id, right_id) : ls_history_excerpt (left, left_id, left_id);
  pair->right = left == right ? pair->left : ls_history_excerpt (right, right_id, right_id);
  g_task_set_task_data (task, pair, pair_free);
  ls_task_run (task, compare);
}

/* ---- a file --------------------------------------------------------------------------- */

void
ls_beside_file_free (LsBesideFile *self)
{
  g_clear_pointer (&self->history, ls_history_free);
  g_free (self);
}

static void
read_session (LsBesideFile  *self,
              const char    *name,
              const char    *text,
              gsize          length,
              GError       **error)
{
  g_auto (LsSessionFile) held = { 0 };

  if (!ls_session_file_read (&held, name, text, (gssize) length, error))
    return;
  self->history = g_steal_pointer (&held.history);
  self->current = held.current;
}

static void
read_program (LsBesideFile  *self,
              const char    *name,
              const char    *text,
              GError       **error)
{
  g_autoptr (LsSource) source = ls_source_new (name, text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsReady) ready = ls_ready_read (source, NULL, diagnostics);
  g_autoptr (LsScriptText) findings = NULL;
  const LsScriptNote *first;

  if (ready != NULL)
    {
      self->history = g_steal_pointer (&ready->history);
      self->current = ready->current;
      return;
    }
  findings = ls_opening_findings (source, text, diagnostics);
  first = ls_script_text_n_notes (findings) > 0 ? ls_script_text_get_note (findings, 0) : NULL;
  if (first != NULL)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _("line %u: %s"), first->line, first->message);
}

/* ONNX, torch, and what TVM saved for itself. */
static void
read_model (LsBesideFile  *self,
            const char    *name,
            const char    *path,
            GError       **error)
{
  g_autoptr (LsModelFile) file = ls_model_file_read (path, name, error);

  if (file != NULL && file->ready != NULL)
    {
      self->history = g_steal_pointer (&file->ready->history);
      self->current = file->ready->current;
    }
  else if (file != NULL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, file->words);
}

/* As opening it does (engine-open.c). */
static void
read_any (LsBesideFile  *self,
          GFile         *file,
          const char    *name,
          GError       **error)
{
  const char *path = g_file_peek_path (file);
  gsize length = 0;
  g_autofree char *text = ls_model_file_is (name, path) ? NULL : ls_opening_load (file, name, &length, error);

  if (text != NULL && ls_opening_is_session (name, text))
    read_session (self, name, text, length, error);
  else if (text != NULL && !(g_str_has_suffix (name, ".json") && path != NULL))
    read_program (self, name, text, error);
  else if (text != NULL || ls_model_file_is (name, path))
    read_model (self, name, path, error);
}

static void
read_file (GTask        *task,
           gpointer      source,
           gpointer      data,
           GCancellable *cancellable)
{
  GFile *file = data;
  g_autoptr (LsBesideFile) self = g_new0 (LsBesideFile, 1);
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (file);

  read_any (self, file, name, &error);
  if (self->history != NULL)
    g_task_return_pointer (task, g_steal_pointer (&self), (GDestroyNotify) ls_beside_file_free);
  else if (error != NULL && g_str_has_prefix (error->message, name))
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _("%s: %s"), name,
                             error != NULL ? error->message : _("its program cannot be read."));
}

void
ls_beside_read (GTask *taken,
                GFile *file)
{
  g_autoptr (GTask) task = taken;

  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  ls_task_run (task, read_file);
}
