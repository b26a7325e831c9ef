/* window/open: see the header. */
#include "app/window/open.h"

#include "app/session/engine.h"
#include "app/session/opening.h"
#include "app/window/actions.h"
#include "app/window/file-private.h"
#include "engine/base/task.h"
#include "engine/script/script.h"

#include <glib/gi18n.h>

#define LARGE (24 * 1024)        /* some 50 ms of reading */
#define LONG (8 * 1024)          /* of a session: some 20 ms of replaying */
#define SAY_AFTER 300
#define LOADING "ls-loading"
#define AFTERWARDS "ls-afterwards"

typedef struct {
  LsWindow      *window;         /* borrowed; NULL once it is told */
  GFile         *file;
  char          *name;
  char          *text;
  guint64        size;
  LsSource      *source;
  LsDiagnostics *diagnostics;
  LsReady       *ready;          /* NULL: it has errors */
  gboolean       session;        /* it is one: */
  LsSessionFile  held;           /* what was read of it */
  char          *sum;            /* checksum of the text */
  LsModelFile   *model;          /* of ONNX, or NULL */
  gboolean       onnx;           /* it is one, or one of torch.export */
  LsAutosaveCopy *copy;          /* what an earlier run left, and then nothing of the above; or NULL */
} Load;

static void
load_free (gpointer data)
{
  Load *load = data;

  g_object_unref (load->file);
  g_free (load->name);
  g_free (load->text);
  g_clear_pointer (&load->source, ls_source_unref);
  g_clear_pointer (&load->diagnostics, ls_diagnostics_unref);
  g_clear_pointer (&load->ready, ls_ready_free);
  ls_session_file_clear (&load->held);
  ls_model_file_free (load->model);
  g_free (load->sum);
  g_clear_pointer (&load->copy, ls_autosave_copy_free);
  g_free (load);
}

static void
read_and_parse (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  Load *load = data;
  GError *error = NULL;
  gsize length = 0;

  if (load->copy != NULL)
    {
      ls_autosave_copy_read (load->copy);
      g_task_return_boolean (task, TRUE);
      return;
    }
  if (load->onnx)
    {
      load->model = ls_model_file_read (g_file_peek_path (load->file), load->name, &error);
      if (error != NULL)
        g_task_return_error (task, error);
      else
        g_task_return_boolean (task, TRUE);
      return;
    }
  if (g_file_load_contents (load->file, cancellable, &load->text, &length, NULL, &error))
    ls_ready_check_text (load->name, load->text, length, &error);
  if (error == NULL && g_cancellable_set_error_if_cancelled (cancellable, &error))
    ;
  else if (error == NULL && load->session)
    {
      load->sum = g_compute_checksum_for_string (G_CHECKSUM_SHA1, load->text, (gssize) length);
      if (ls_session_file_read (&load->held, load->name, load->text, (gssize) length, &error) && load->held.history != NULL)
        {
          ls_history_prime (load->held.history);
          load->ready = ls_ready_of (load->held.history, load->held.current);
        }
    }
  else if (error == NULL)
    {
      load->source = ls_source_new (load->name, load->text, -1);
      load->diagnostics = ls_diagnostics_new ();
      load->ready = ls_ready_read (load->source, NULL, load->diagnostics);
    }
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

/* ---- what waits for the file ------------------------------------------------- */

typedef struct {
  LsWindow      *window;        /* borrowed: it owns this */
  LsOpenedFunc   func;
  gpointer       data;
  GDestroyNotify destroy;
} Afterwards;

static void
afterwards_free (Afterwards *self,
                 gboolean    call)
{
  if (call)
    self->func (self->data, self->window);
  if (self->destroy != NULL)
    self->destroy (self->data);
  g_free (self);
}

static void
afterwards_drop (gpointer data)
{
  afterwards_free (data, FALSE);
}

void
ls_window_open_then (LsWindow       *self,
                     LsOpenedFunc    func,
                     gpointer        data,
                     GDestroyNotify  destroy)
{
  Afterwards *afterwards = g_new0 (Afterwards, 1);

  *afterwards = (Afterwards) { self, func, data, destroy };
  if (g_object_get_data (G_OBJECT (self), LOADING) != NULL)
    g_object_set_data_full (G_OBJECT (self), AFTERWARDS, afterwards, afterwards_drop);
  else
    afterwards_free (afterwards, TRUE);
}

/* ---- reading ----------------------------------------------------------------- */

/* What the document's file is, and what comes after. */
static void
opened (LsWindow   *self,
        GFile      *file,
        const char *sum)
{
  Afterwards *afterwards;

  ls_window_file_opened (self, file, sum);
  afterwards = g_object_steal_data (G_OBJECT (self), AFTERWARDS);
  if (afterwards != NULL)
    afterwards_free (afterwards, TRUE);
}

static void
restored (LsWindow *self,
          Load     *load)
{
  Afterwards *afterwards = g_object_steal_data (G_OBJECT (self), AFTERWARDS);

  ls_window_file_restored (self, g_steal_pointer (&load->copy));
  if (afterwards != NULL)
    afterwards_free (afterwards, TRUE);
}

static void
loaded (GObject      *nothing,
        GAsyncResult *result,
        gpointer      data)
{
  g_autoptr (LsWindow) self = data;
  GObject *object = data;
  Load *load = g_task_get_task_data (G_TASK (result));
  LsEngineSession *session;
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  load->window = NULL;
  if (g_object_get_data (object, LOADING) != g_task_get_cancellable (G_TASK (result)))
    return;
  g_object_set_data (object, LOADING, NULL);
  session = LS_ENGINE_SESSION (ls_window_get_session (self));
  if (load->copy != NULL)
    {
      restored (self, load);
      return;
    }
  if (!done && (load->session || load->onnx))
    {
      g_object_set_data (object, AFTERWARDS, NULL);
      ls_opening_say_unread (LS_SESSION (session), load->name, error->message);
      ls_window_file_opened (self, load->file, NULL);
      return;
    }
  if (!done)
    {
      ls_window_say (self, _("Not opened"), error->message);
      return;
    }
  ls_window_say (self, NULL, NULL);
  /* What was done here meanwhile stays. */
  if (ls_window_file_is_changed (self) && gtk_window_get_application (GTK_WINDOW (self)) != NULL)
    {
      g_object_set_data (object, AFTERWARDS, NULL);
      ls_window_file_open_beside (self, load->file);
      return;
    }
  if (load->onnx)
    ls_engine_session_open_model (session, load->name, load->model);
  else if (load->session)
    ls_engine_session_open_held (session, &load->held, load->ready, NULL);
  else
    ls_engine_session_open_ready (session, load->name, load->text, load->source, load->diagnostics, load->ready);
  opened (self, load->file, load->sum);
}

/* What is read at once needs no words. */
static gboolean
say_loading (gpointer data)
{
  GTask *task = data;
  Load *load = g_task_get_task_data (task);
  g_autofree char *size = g_format_size_full (load->size, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *words = g_strdup_printf (_("%s is being read; the window can be used meanwhile."), size);

  if (load->window != NULL && g_object_get_data (G_OBJECT (load->window), LOADING) == g_task_get_cancellable (task))
    ls_window_offer (load->window, load->name, words, _("Cancel"), "win.cancel-open");
  return G_SOURCE_REMOVE;
}

/* Takes `load`. */
static void
begin (LsWindow *self,
       Load     *load)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = NULL;

  load->window = self;
  g_object_set_data_full (G_OBJECT (self), LOADING, g_object_ref (cancellable), g_object_unref);
  task = g_task_new (NULL, cancellable, loaded, g_object_ref (self));
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, load, load_free);
  if (load->copy == NULL)
    g_timeout_add_full (G_PRIORITY_DEFAULT, SAY_AFTER, say_loading, g_object_ref (task), g_object_unref);
  ls_task_run (task, read_and_parse);
}

gboolean
ls_window_open_large (LsWindow *self,
                      GFile    *file)
{
  g_autoptr (GFileInfo) info = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_STANDARD_TYPE,
                                                  G_FILE_QUERY_INFO_NONE, NULL, NULL);
  g_autofree char *name = g_file_get_basename (file);
  gboolean session = ls_window_file_is_session (file), onnx = ls_model_file_is (name, g_file_peek_path (file));
  Load *load;

  if (info == NULL || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR || !(session || onnx || g_str_has_suffix (name, ".py")) ||
      (!onnx && (g_file_info_get_size (info) <= (session ? LONG : LARGE) || g_file_info_get_size (info) > LS_SESSION_MAX_FILE)))
    return FALSE;
  ls_window_open_cancel (self);
  load = g_new0 (Load, 1);
  load->file = g_object_ref (file);
  load->name = g_strdup (name);
  load->size = (guint64) g_file_info_get_size (info);
  load->session = session;
  load->onnx = onnx;
  begin (self, load);
  return TRUE;
}

gboolean
ls_window_open_copy (LsWindow *self,
                     GFile    *copy)
{
  LsAutosaveCopy *claimed = ls_autosave_claim (ls_window_file_of (self), copy);
  Load *load;

  if (claimed == NULL)
    return FALSE;
  load = g_new0 (Load, 1);
  load->file = g_object_ref (copy);
  load->name = g_file_get_basename (copy);
  load->copy = claimed;
  begin (self, load);
  return TRUE;
}

gboolean
ls_window_open_forget (LsWindow *self)
{
  GCancellable *cancellable = g_object_get_data (G_OBJECT (self), LOADING);

  if (cancellable == NULL)
    return FALSE;
  g_cancellable_cancel (cancellable);
  g_object_set_data (G_OBJECT (self), LOADING, NULL);
  g_object_set_data (G_OBJECT (self), AFTERWARDS, NULL);
  return TRUE;
}

gboolean
ls_window_open_cancel (LsWindow *self)
{
  if (!ls_window_open_forget (self))
    return FALSE;
  ls_window_say (self, _("Not opened"), _("Opening was stopped; what was here is unchanged."));
  return TRUE;
}
