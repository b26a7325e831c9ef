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
  gboolean   writing;
  gboolean   again;             /* something changed meanwhile */
  gboolean   failed;            /* and that was said */
  gboolean   ended;
};

enum { FAILED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsAutosave, ls_autosave, G_TYPE_OBJECT)

static gboolean look (gpointer data);

/* ---- the copy ------------------------------------------------------------------- */

typedef struct {
  LsCopy         *copy;
  guint           turn;
  LsSessionImage *image;
} Write;

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

  if (self->ended)
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
                    GFile      *file)
{
  LsSessionFile now;

  g_set_object (&self->file, file);
  set_sum (&self->on_disk, file != NULL ? disk_sum (file) : NULL);
  set_sum (&self->saved, peek (self, &now) ? ls_session_file_sum (&now) : NULL);
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
  g_autofree char *now = self->file != NULL && self->on_disk != NULL ? disk_sum (self->file) : NULL;

  return now != NULL && strcmp (now, self->on_disk) != 0;
}

void
ls_autosave_accept_disk (LsAutosave *self)
{
  set_sum (&self->on_disk, self->file != NULL ? disk_sum (self->file) : NULL);
}

gboolean
ls_autosave_save (LsAutosave  *self,
                  GFile       *file,
                  GError     **error)
{
  g_autofree char *text = NULL;
  LsSessionFile now;

  ls_session_settle (self->session);
  if (!peek (self, &now))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("Nothing is opened."));
      return FALSE;
    }
  text = ls_session_file_write (&now);
  if (!ls_safe_write (file, text, error))
    return FALSE;
  set_sum (&self->on_disk, g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, -1));
  set_sum (&self->saved, ls_session_file_sum (&now));
  g_set_object (&self->file, file);
  retire_copy (self);
  return TRUE;
}

/* ---- what another run left ----------------------------------------------------------- */

static gboolean
is_newer (const char *path,
          const char *other)
{
  GStatBuf a, b;

  return g_stat (path, &a) == 0 && g_stat (other, &b) == 0 && a.st_mtime > b.st_mtime;
}

static void
take_origin (LsAutosave *self,
             const char *text,
             gsize       length)
{
  g_autofree char *origin = NULL, *sum = NULL;

  g_clear_object (&self->file);
  set_sum (&self->on_disk, NULL);
  if (!ls_session_file_read_origin (text, (gssize) length, &origin, &sum))
    return;
  self->file = g_file_new_for_path (origin);
  if (sum == NULL)
    sum = is_newer (origin, ls_copy_get_path (self->copy)) ? g_strdup ("") : disk_sum (self->file);
  self->on_disk = g_steal_pointer (&sum);
}

LsAutosaveRestored
ls_autosave_restore (LsAutosave *self,
                     GFile      *copy,
                     char      **aside,
                     GError    **error)
{
  g_autofree char *path = g_file_get_path (copy), *name = g_file_get_basename (copy), *text = NULL;
  gsize length = 0;

  *aside = NULL;
  g_return_val_if_fail (LS_IS_ENGINE_SESSION (self->session), LS_AUTOSAVE_TAKEN);
  if (!ls_copy_claim (self->copy, path))
    return LS_AUTOSAVE_TAKEN;
  if (!g_file_get_contents (ls_copy_get_path (self->copy), &text, &length, error) ||
      !ls_engine_session_open_saved (LS_ENGINE_SESSION (self->session), name, text, (gssize) length, NULL, error))
    {
      /* Kept beside, so that it neither is lost nor comes again at each start. */
      *aside = ls_copy_set_aside (self->copy, path);
      return LS_AUTOSAVE_BROKEN;
    }
  take_origin (self, text, length);
  set_sum (&self->written, g_strdup (""));
  set_sum (&self->saved, g_strdup (""));
  return LS_AUTOSAVE_RESTORED;
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
ls_autosave_class_init (LsAutosaveClass *klass)
{
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
  ls_autosave_opened (self, NULL);
  g_signal_connect_swapped (session, "typed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "draft-changed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "timing-changed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "pins-changed", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (changed), self);
  g_signal_connect_swapped (session, "notify::selection", G_CALLBACK (moved), self);
  return self;
}
