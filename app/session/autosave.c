/* session/autosave: see the header. */
#include "app/session/autosave.h"

#include "app/session/copies.h"
#include "app/session/engine.h"
#include "app/session/file.h"
#include "app/session/safe-write.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define SOON_MS 100             /* with what an editor holds back and the writing: less than half a second */
#define LATER_MS 2000           /* where one stands and what is selected */
#define AGAIN_MS 5000           /* after a failure */

struct _LsAutosave
{
  GObject    parent_instance;

  LsSession *session;
  LsCopy    *copy;
  GFile     *file;              /* saved there, or NULL */
  char      *saved;             /* sum of what the file, or the opened document, holds; NULL: there was none yet */
  char      *on_disk;           /* checksum of all of the file when it was last read or written, or NULL */
  char      *written;           /* sum and place that the copy holds; NULL: there is no copy */
  guint      due;               /* timeout, or 0 */
  gint64     due_at;
  GQueue     saves;             /* of Save; the first may be under way */
  gboolean   restoring;         /* the copy is what another run left and is being read: it must not be written */
  gboolean   writing;
  gboolean   again;             /* something changed meanwhile */
  gboolean   failed;            /* and that was said */
  gboolean   unsaved;
  gboolean   ended;
};

enum { PROP_0, PROP_UNSAVED, N_PROPS };
enum { FAILED, N_SIGNALS };

static GParamSpec *props[N_PROPS];

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsAutosave, ls_autosave, G_TYPE_OBJECT)

static gboolean look (gpointer data);
static void wait_for_saves (LsAutosave *self);

static void
set_unsaved (LsAutosave *self,
             gboolean    unsaved)
{
  if (self->unsaved == unsaved)
    return;
  self->unsaved = unsaved;
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_UNSAVED]);
}

gboolean
ls_autosave_get_unsaved (LsAutosave *self)
{
  return self->unsaved;
}

/* ---- the copy ------------------------------------------------------------------- */

typedef struct {
  LsCopy         *copy;
  guint           turn;
  LsSessionImage *image;
} Write;

/* A save: what the thread makes of it is taken on the main loop, or by who waits for it. */
typedef struct {
  gatomicrefcount refs;         /* the queue and the thread */
  GMutex          mutex;
  GCond           cond;
  gboolean        done;         /* under the mutex, as the next two */
  char           *on_disk;      /* checksum of what was written, or NULL: */
  GError         *error;        /* why not */
  LsSessionImage *image;
  GFile          *file;
  char           *sum;          /* of what is saved */
  GTask          *task;         /* the main thread's: who asked */
  gboolean        begun;
} Save;

static void
write_free (gpointer data)
{
  Write *self = data;

  ls_copy_unref (self->copy);
  ls_session_image_free (self->image);
  g_free (self);
}

static void
write_copy (GTask        *task,
            gpointer      source,
            gpointer      data,
            GCancellable *cancellable)
{
  const Write *wanted = data;
  g_autofree char *text = ls_session_image_write (wanted->image);
  GError *error = NULL;

  if (ls_copy_write (wanted->copy, wanted->turn, text, FALSE, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Waits for a write that is under way. */
static void
retire_copy (LsAutosave *self)
{
  g_clear_handle_id (&self->due, g_source_remove);
  self->again = FALSE;
  g_clear_pointer (&self->written, g_free);
  ls_copy_retire (self->copy);
}

/* ---- following the session -------------------------------------------------------- */

/* Something is written within `ms`, whatever comes meanwhile. */
static void
arm (LsAutosave *self,
     guint       ms)
{
  gint64 at = g_get_monotonic_time () + ms * G_TIME_SPAN_MILLISECOND;

  if (self->ended || self->restoring)
    return;
  if (self->writing)
    {
      self->again = TRUE;
      return;
    }
  if (self->due != 0 && self->due_at <= at)
    return;
  g_clear_handle_id (&self->due, g_source_remove);
  self->due = g_timeout_add (ms, look, self);
  self->due_at = at;
}

static void
copy_written (GObject      *nothing,
              GAsyncResult *result,
              gpointer      data)
{
  g_autoptr (LsAutosave) self = data;
  g_autoptr (GError) error = NULL;
  gboolean again = self->again;

  self->writing = self->again = FALSE;
  if (g_task_propagate_boolean (G_TASK (result), &error))
    self->failed = FALSE;
  else
    g_clear_pointer (&self->written, g_free);
  if (error != NULL)
    arm (self, AGAIN_MS);
  if (again)
    arm (self, SOON_MS);
  if (error != NULL && !self->failed && !self->ended)
    {
      self->failed = TRUE;
      g_signal_emit (self, signals[FAILED], 0, error->message);
    }
}

/* FALSE: nothing is opened, or the session is none that is kept. */
static gboolean
peek (LsAutosave    *self,
      LsSessionFile *file)
{
  return LS_IS_ENGINE_SESSION (self->session) && ls_engine_session_peek_file (LS_ENGINE_SESSION (self->session), file);
}

/* With the file that it belongs to.  (transfer full) */
static LsSessionImage *
image_for_copy (LsAutosave    *self,
                LsSessionFile *file)
{
  g_autofree char *origin = self->file != NULL ? g_file_get_path (self->file) : NULL;

  file->origin = origin;
  file->origin_sum = self->on_disk;
  return ls_session_image_new (file);
}

static gboolean
look (gpointer data)
{
  LsAutosave *self = data;
  LsSessionFile file;
  g_autofree char *sum = NULL, *now = NULL;
  g_autoptr (GTask) task = NULL;
  Write *wanted;

  self->due = 0;
  if (!peek (self, &file))
    return G_SOURCE_REMOVE;
  sum = ls_session_file_sum (&file);
  now = g_strdup_printf ("%s %u %" G_GUINT64_FORMAT, sum, file.current, file.selection);
  if (self->saved == NULL)
    self->saved = g_strdup (sum);
  set_unsaved (self, strcmp (sum, self->saved) != 0);
  if (g_strcmp0 (now, self->written) == 0 || (self->written == NULL && strcmp (sum, self->saved) == 0))
    return G_SOURCE_REMOVE;
  g_free (self->written);
  self->written = g_steal_pointer (&now);
  self->writing = TRUE;
  wanted = g_new0 (Write, 1);
  *wanted = (Write) { ls_copy_ref (self->copy), ls_copy_get_turn (self->copy), image_for_copy (self, &file) };
  /* Without a source: a thread that lets the task go last would take the session apart. */
  task = g_task_new (NULL, NULL, copy_written, g_object_ref (self));
  g_task_set_task_data (task, wanted, write_free);
  g_task_run_in_thread (task, write_copy);
  return G_SOURCE_REMOVE;
}

static void
changed (LsAutosave *self)
{
  arm (self, SOON_MS);
}

static void
moved (LsAutosave *self)
{
  arm (self, LATER_MS);
}

/* ---- the document's file ----------------------------------------------------------- */

/* NULL when it cannot be read. (transfer full) */
static char *
disk_sum (GFile *file)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  return g_file_load_contents (file, NULL, &text, &length, NULL, NULL)
           ? g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, (gssize) length) : NULL;
}

static void
set_sum (char **sum,
         char  *taken)
{
  g_free (*sum);
  *sum = taken;
}

void
ls_autosave_opened (LsAutosave *self,
                    GFile      *file,
                    const char *sum)
{
  LsSessionFile now;

  wait_for_saves (self);
  g_set_object (&self->file, file);
  set_sum (&self->on_disk, file == NULL ? NULL : sum != NULL ? g_strdup (sum) : disk_sum (file));
  set_sum (&self->saved, peek (self, &now) ? ls_session_file_sum (&now) : NULL);
  set_unsaved (self, FALSE);
  retire_copy (self);
}

GFile *
ls_autosave_get_file (LsAutosave *self)
{
  return self->file;
}

gboolean
ls_autosave_is_changed (LsAutosave *self)
{
  LsSessionFile now;
  g_autofree char *sum = NULL;

  if (self->saved == NULL || !peek (self, &now))
    return FALSE;
  sum = ls_session_file_sum (&now);
  return strcmp (sum, self->saved) != 0;
}

gboolean
ls_autosave_changed_on_disk (LsAutosave *self)
{
  g_autofree char *now = NULL;

  wait_for_saves (self);
  now = self->file != NULL && self->on_disk != NULL ? disk_sum (self->file) : NULL;
  return now != NULL && strcmp (now, self->on_disk) != 0;
}

void
ls_autosave_accept_disk (LsAutosave *self)
{
  wait_for_saves (self);
  set_sum (&self->on_disk, self->file != NULL ? disk_sum (self->file) : NULL);
}

static void
save_unref (Save *save)
{
  if (!g_atomic_ref_count_dec (&save->refs))
    return;
  g_mutex_clear (&save->mutex);
  g_cond_clear (&save->cond);
  g_clear_pointer (&save->image, ls_session_image_free);
  g_clear_object (&save->file);
  g_clear_object (&save->task);
  g_clear_error (&save->error);
  g_free (save->on_disk);
  g_free (save->sum);
  g_free (save);
}

/* What is to be saved, as it is now; NULL with `error` set: nothing is opened. */
static Save *
save_new (LsAutosave  *self,
          GFile       *file,
          GTask       *task,
          GError     **error)
{
  LsSessionFile now;
  Save *save;

  ls_session_settle (self->session);
  if (!peek (self, &now))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("Nothing is opened."));
      return NULL;
    }
  save = g_new0 (Save, 1);
  g_atomic_ref_count_init (&save->refs);
  g_mutex_init (&save->mutex);
  g_cond_init (&save->cond);
  save->image = ls_session_image_new (&now);
  save->sum = ls_session_file_sum (&now);
  save->file = g_object_ref (file);
  save->task = task != NULL ? g_object_ref (task) : NULL;
  return save;
}

/* In any thread. */
static void
save_write (Save *save)
{
  g_autofree char *text = ls_session_image_write (save->image), *on_disk = NULL;
  GError *error = NULL;

  if (ls_safe_write (save->file, text, &error))
    on_disk = g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, -1);
  g_mutex_lock (&save->mutex);
  save->on_disk = g_steal_pointer (&on_disk);
  save->error = error;
  save->done = TRUE;
  g_cond_broadcast (&save->cond);
  g_mutex_unlock (&save->mutex);
}

/* It is written, or not: what that means for the document. */
static gboolean
take_save (LsAutosave  *self,
           Save        *save,
           GError     **error)
{
  LsSessionFile now;
  g_autofree char *sum = NULL;

  if (save->error != NULL)
    {
      g_propagate_error (error, g_error_copy (save->error));
      return FALSE;
    }
  set_sum (&self->on_disk, g_strdup (save->on_disk));
  set_sum (&self->saved, g_strdup (save->sum));
  g_set_object (&self->file, save->file);
  sum = peek (self, &now) ? ls_session_file_sum (&now) : NULL;
  set_unsaved (self, g_strcmp0 (sum, self->saved) != 0);
  if (g_strcmp0 (sum, self->saved) == 0)
    retire_copy (self);         /* else there is more than was saved */
  return TRUE;
}

static void begin_save (LsAutosave *self);

static void
saved (GObject      *nothing,
       GAsyncResult *result,
       gpointer      data)
{
  g_autoptr (LsAutosave) self = data;
  Save *save = g_task_get_task_data (G_TASK (result));
  GError *error = NULL;

  /* Who waited has taken it. */
  if (g_queue_peek_head (&self->saves) != save)
    return;
  g_queue_pop_head (&self->saves);
  if (take_save (self, save, &error))
    g_task_return_boolean (save->task, TRUE);
  else
    g_task_return_error (save->task, error);
  save_unref (save);
  begin_save (self);
}

static void
save_in_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  save_write (data);
  g_task_return_boolean (task, TRUE);
}

static void
begin_save (LsAutosave *self)
{
  Save *save = g_queue_peek_head (&self->saves);
  g_autoptr (GTask) task = NULL;

  if (save == NULL || save->begun)
    return;
  save->begun = TRUE;
  g_atomic_ref_count_inc (&save->refs);
  task = g_task_new (NULL, NULL, saved, g_object_ref (self));
  g_task_set_task_data (task, save, (GDestroyNotify) save_unref);
  g_task_run_in_thread (task, save_in_thread);
}

void
ls_autosave_save_async (LsAutosave          *self,
                        GFile               *file,
                        GAsyncReadyCallback  callback,
                        gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, data);
  GError *error = NULL;
  Save *save = save_new (self, file, task, &error);

  if (save == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_queue_push_tail (&self->saves, save);
  begin_save (self);
}

gboolean
ls_autosave_save_finish (LsAutosave    *self,
                         GAsyncResult  *result,
                         GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
ls_autosave_is_saving (LsAutosave *self)
{
  return !g_queue_is_empty (&self->saves);
}

/* Until all that was to be saved is written. */
static void
wait_for_saves (LsAutosave *self)
{
  Save *save;

  while ((save = g_queue_pop_head (&self->saves)) != NULL)
    {
      GError *error = NULL;

      if (!save->begun)
        save_write (save);
      g_mutex_lock (&save->mutex);
      while (!save->done)
        g_cond_wait (&save->cond, &save->mutex);
      g_mutex_unlock (&save->mutex);
      if (take_save (self, save, &error))
        g_task_return_boolean (save->task, TRUE);
      else
        g_task_return_error (save->task, error);
      save_unref (save);
    }
}

gboolean
ls_autosave_save (LsAutosave  *self,
                  GFile       *file,
                  GError     **error)
{
  Save *save;
  gboolean done;

  wait_for_saves (self);
  save = save_new (self, file, NULL, error);
  if (save == NULL)
    return FALSE;
  save_write (save);
  done = take_save (self, save, error);
  save_unref (save);
  return done;
}

/* ---- what another run left ----------------------------------------------------------- */

static gboolean
is_newer (const char *path,
          const char *other)
{
  GStatBuf a, b;

  return g_stat (path, &a) == 0 && g_stat (other, &b) == 0 && a.st_mtime > b.st_mtime;
}

struct _LsAutosaveCopy
{
  char         *left;           /* where it was */
  char         *path;           /* where it is now */
  char         *shown;
  LsSessionFile file;
  LsReady      *ready;          /* what is shown of it, or NULL */
  char         *origin_now;     /* checksum of the file that it is a later state of, as that is now, or NULL */
  gboolean      origin_newer;   /* than the copy */
  GError       *error;          /* it cannot be read */
};

LsAutosaveCopy *
ls_autosave_claim (LsAutosave *self,
                   GFile      *copy)
{
  g_autofree char *left = g_file_get_path (copy);
  LsAutosaveCopy *claimed;

  g_return_val_if_fail (LS_IS_ENGINE_SESSION (self->session), NULL);
  wait_for_saves (self);
  if (!ls_copy_claim (self->copy, left))
    return NULL;
  g_clear_handle_id (&self->due, g_source_remove);
  self->restoring = TRUE;
  claimed = g_new0 (LsAutosaveCopy, 1);
  claimed->left = g_steal_pointer (&left);
  claimed->path = g_strdup (ls_copy_get_path (self->copy));
  claimed->shown = g_file_get_basename (copy);
  return claimed;
}

void
ls_autosave_copy_read (LsAutosaveCopy *copy)
{
  g_autofree char *text = NULL;
  g_autoptr (GFile) origin = NULL;
  gsize length = 0;

  if (!g_file_get_contents (copy->path, &text, &length, &copy->error) ||
      !ls_session_file_read (&copy->file, copy->shown, text, (gssize) length, &copy->error))
    return;
  if (copy->file.history != NULL)
    {
      ls_history_prime (copy->file.history);
      copy->ready = ls_ready_of (copy->file.history, copy->file.current);
    }
  if (copy->file.origin == NULL)
    return;
  origin = g_file_new_for_path (copy->file.origin);
  copy->origin_now = disk_sum (origin);
  copy->origin_newer = is_newer (copy->file.origin, copy->path);
}

void
ls_autosave_copy_free (LsAutosaveCopy *copy)
{
  g_free (copy->left);
  g_free (copy->path);
  g_free (copy->shown);
  g_free (copy->origin_now);
  ls_session_file_clear (&copy->file);
  g_clear_pointer (&copy->ready, ls_ready_free);
  g_clear_error (&copy->error);
  g_free (copy);
}

/* Of the file that it is a later state of; what that held then is known, or guessed from which of the two is newer. */
static void
take_origin (LsAutosave     *self,
             LsAutosaveCopy *copy)
{
  g_clear_object (&self->file);
  set_sum (&self->on_disk, NULL);
  if (copy->file.origin == NULL)
    return;
  self->file = g_file_new_for_path (copy->file.origin);
  if (copy->file.origin_sum != NULL)
    self->on_disk = g_strdup (copy->file.origin_sum);
  else
    self->on_disk = copy->origin_newer ? g_strdup ("") : g_strdup (copy->origin_now);
}

LsAutosaveRestored
ls_autosave_restored (LsAutosave      *self,
                      LsAutosaveCopy  *copy,
                      char           **aside,
                      GError         **error)
{
  LsAutosaveRestored answer = LS_AUTOSAVE_RESTORED;

  *aside = NULL;
  self->restoring = FALSE;
  if (copy->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&copy->error));
      /* Kept beside, so that it neither is lost nor comes again at each start. */
      *aside = ls_copy_set_aside (self->copy, copy->left);
      answer = LS_AUTOSAVE_BROKEN;
    }
  else
    {
      take_origin (self, copy);
      ls_engine_session_open_held (LS_ENGINE_SESSION (self->session), &copy->file, copy->ready, NULL);
      set_sum (&self->written, g_strdup (""));
      set_sum (&self->saved, g_strdup (""));
      set_unsaved (self, TRUE);
    }
  ls_autosave_copy_free (copy);
  return answer;
}

LsAutosaveRestored
ls_autosave_restore (LsAutosave *self,
                     GFile      *copy,
                     char      **aside,
                     GError    **error)
{
  LsAutosaveCopy *claimed = ls_autosave_claim (self, copy);

  *aside = NULL;
  if (claimed == NULL)
    return LS_AUTOSAVE_TAKEN;
  ls_autosave_copy_read (claimed);
  return ls_autosave_restored (self, claimed, aside, error);
}

/* ---- closing --------------------------------------------------------------------------- */

/* Writes the copy at once, and to the disk itself; the session must not change any more. */
static gboolean
write_now (LsAutosave  *self,
           GError     **error)
{
  g_autoptr (LsSessionImage) image = NULL;
  g_autofree char *text = NULL;
  LsSessionFile now;

  if (!peek (self, &now))
    return TRUE;
  image = image_for_copy (self, &now);
  text = ls_session_image_write (image);
  return ls_copy_write (self->copy, ls_copy_next_turn (self->copy), text, TRUE, error);
}

/* The copy becomes kept work. */
static gboolean
keep (LsAutosave  *self,
      GFile      **kept,
      GError     **error)
{
  const char *title = ls_session_get_title (self->session);
  g_autofree char *path = NULL;

  if (!write_now (self, error))
    return FALSE;
  path = ls_copy_keep (self->copy, title != NULL ? title : "module", error);
  if (path != NULL && kept != NULL)
    *kept = g_file_new_for_path (path);
  return path != NULL;
}

static void
end (LsAutosave *self,
     gboolean    with_copy)
{
  g_signal_handlers_disconnect_by_data (self->session, self);
  if (with_copy)
    retire_copy (self);
  g_clear_handle_id (&self->due, g_source_remove);
  self->ended = TRUE;
}

gboolean
ls_autosave_close (LsAutosave  *self,
                   gboolean     leave,
                   GFile      **kept,
                   GError     **error)
{
  if (kept != NULL)
    *kept = NULL;
  /* What is being read stays for the next start. */
  if (self->restoring)
    {
      end (self, FALSE);
      return TRUE;
    }
  wait_for_saves (self);
  ls_session_settle (self->session);
  if (ls_autosave_is_changed (self) &&
      !(self->file != NULL && !ls_autosave_changed_on_disk (self) && ls_autosave_save (self, self->file, NULL)))
    {
      if (leave ? !write_now (self, error) : !keep (self, kept, error))
        return FALSE;
      end (self, FALSE);
      return TRUE;
    }
  end (self, TRUE);
  return TRUE;
}

void
ls_autosave_give_up (LsAutosave *self)
{
  end (self, FALSE);
}

/* ---- class ------------------------------------------------------------------------------ */

static void
ls_autosave_dispose (GObject *object)
{
  LsAutosave *self = LS_AUTOSAVE (object);

  g_clear_handle_id (&self->due, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_autosave_parent_class)->dispose (object);
}

static void
ls_autosave_finalize (GObject *object)
{
  LsAutosave *self = LS_AUTOSAVE (object);

  g_clear_pointer (&self->copy, ls_copy_unref);
  g_clear_object (&self->file);
  g_free (self->saved);
  g_free (self->on_disk);
  g_free (self->written);
  G_OBJECT_CLASS (ls_autosave_parent_class)->finalize (object);
}

static void
ls_autosave_get_property (GObject    *object,
                          guint       id,
                          GValue     *value,
                          GParamSpec *pspec)
{
  if (id == PROP_UNSAVED)
    g_value_set_boolean (value, LS_AUTOSAVE (object)->unsaved);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ls_autosave_class_init (LsAutosaveClass *klass)
{
  G_OBJECT_CLASS (klass)->get_property = ls_autosave_get_property;
  props[PROP_UNSAVED] = g_param_spec_boolean ("unsaved", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);
  G_OBJECT_CLASS (klass)->dispose = ls_autosave_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_autosave_finalize;
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_STRING);
}

static void
ls_autosave_init (LsAutosave *self)
{
  self->copy = ls_copy_new ();
}

LsAutosave *
ls_autosave_new (LsSession *session)
{
  LsAutosave *self = g_object_new (LS_TYPE_AUTOSAVE, NULL);

  self->session = g_object_ref (session);
  ls_autosave_opened (self, NULL, NULL);
  g_signal_connect_swapped (session, "typed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "draft-changed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "timing-changed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "pins-changed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "notify::selection", G_CALLBACK (moved), self);
  return self;
}
