/* session/autosave: see the header. */
#include "app/session/autosave-private.h"

#include "app/session/engine.h"
#include "engine/base/task.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define SOON_MS 100             /* with what an editor holds back and the writing: less than half a second */
#define LATER_MS 2000           /* where one stands and what is selected */
#define AGAIN_MS 5000           /* after a failure */

enum { PROP_0, PROP_UNSAVED, N_PROPS };
enum { FAILED, N_SIGNALS };

static GParamSpec *props[N_PROPS];

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (LsAutosave, ls_autosave, G_TYPE_OBJECT)

static gboolean look (gpointer data);

void
ls_autosave_set_unsaved (LsAutosave *self,
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
  if (self->closing)
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
  if (error != NULL && !self->failed && !self->ended && !self->closing)
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
  ls_autosave_set_unsaved (self, strcmp (sum, self->saved) != 0);
  if (g_strcmp0 (now, self->written) == 0 || (self->written == NULL && strcmp (sum, self->saved) == 0))
    return G_SOURCE_REMOVE;
  g_free (self->written);
  self->written = g_steal_pointer (&now);
  self->writing = TRUE;
  wanted = g_new0 (Write, 1);
  *wanted = (Write) { ls_copy_ref (self->copy), ls_copy_get_turn (self->copy), image_for_copy (self, &file) };
  task = g_task_new (NULL, NULL, copy_written, g_object_ref (self));
  g_task_set_task_data (task, wanted, write_free);
  ls_task_run (task, write_copy);
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

void
ls_autosave_set_sum (char **sum,
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

  ls_autosave_wait (self);
  g_set_object (&self->file, file);
  ls_autosave_set_sum (&self->on_disk, file == NULL ? NULL : sum != NULL ? g_strdup (sum) : ls_save_sum (file));
  ls_autosave_set_sum (&self->saved, peek (self, &now) ? ls_session_file_sum (&now) : NULL);
  ls_autosave_set_unsaved (self, FALSE);
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

/* What is to be saved, as it is now.  FALSE: nothing is opened. */
static gboolean
fill_save (LsAutosave *self,
           LsSave     *save,
           GFile      *file)
{
  LsSessionFile now;

  ls_session_settle (self->session);
  if (!peek (self, &now))
    return FALSE;
  save->image = ls_session_image_new (&now);
  save->sum = ls_session_file_sum (&now);
  g_set_object (&save->file, file);
  return TRUE;
}

/* Without changes only what is being written is waited for. */
static void
fill_close (LsAutosave *self,
            LsSave     *save)
{
  const char *title = ls_session_get_title (self->session);

  g_clear_handle_id (&self->due, g_source_remove);
  save->copy = ls_copy_ref (self->copy);
  save->turn = ls_copy_next_turn (self->copy);
  save->title = g_strdup (title != NULL ? title : "module");
  save->before = g_strdup (self->on_disk);
  if (fill_save (self, save, self->file) && (self->saved == NULL || strcmp (save->sum, self->saved) == 0))
    g_clear_pointer (&save->image, ls_session_image_free);
}

/* What is known only once those before it are through. */
static void
fill_last (LsAutosave *self,
           LsSave     *save)
{
  if (save->closes)
    fill_close (self, save);
  else if (save->ask && self->file != NULL && g_file_equal (self->file, save->file))
    save->before = g_strdup (self->on_disk);
}

/* It does not close: all goes on. */
static void
go_on (LsAutosave *self)
{
  self->closing = FALSE;
  g_clear_pointer (&self->written, g_free);
  arm (self, SOON_MS);
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

/* It is written, or not: what that means for the document.  FALSE: it changed while it was closing, so that is to be written too. */
static gboolean
take_save (LsAutosave *self,
           LsSave     *save)
{
  LsSessionFile now;
  g_autofree char *sum = NULL;
  gboolean same;

  if (save->closes)
    ls_session_settle (self->session);          /* while it closed one could go on typing */
  sum = peek (self, &now) ? ls_session_file_sum (&now) : NULL;
  same = save->sum == NULL || g_strcmp0 (sum, save->sum) == 0;
  if (save->answer == LS_SAVE_FAILED || save->answer == LS_SAVE_OTHER)
    {
      if (save->closes)
        go_on (self);
      else if (save->answer == LS_SAVE_OTHER)
        ls_autosave_set_sum (&self->on_disk, g_strdup (save->on_disk));     /* once it was said, that may be replaced */
      return TRUE;
    }
  if (save->answer == LS_SAVE_FILE)
    {
      ls_autosave_set_sum (&self->on_disk, g_strdup (save->on_disk));
      ls_autosave_set_sum (&self->saved, g_strdup (save->sum));
      g_set_object (&self->file, save->file);
      ls_autosave_set_unsaved (self, !same);
    }
  if (save->closes && same)
    end (self, save->answer == LS_SAVE_FILE || save->answer == LS_SAVE_NOTHING);
  else if (same)
    retire_copy (self);         /* else there is more than was saved */
  return same || !save->closes;
}

/* Who asked is told.  Takes `save`. */
static void
answer_save (LsSave *save)
{
  if (save->task != NULL)
    g_task_return_pointer (save->task, ls_save_ref (save), (GDestroyNotify) ls_save_unref);
  ls_save_unref (save);
}

static void begin_save (LsAutosave *self);

static void
saved (GObject      *nothing,
       GAsyncResult *result,
       gpointer      data)
{
  g_autoptr (LsAutosave) self = data;
  LsSave *save = g_task_get_task_data (G_TASK (result));

  /* Who waited has taken it. */
  if (g_queue_peek_head (&self->saves) != save)
    return;
  if (take_save (self, save))
    answer_save (g_queue_pop_head (&self->saves));
  else
    ls_save_again (save);
  begin_save (self);
}

static void
save_in_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  ls_save_write (data);
  g_task_return_boolean (task, TRUE);
}

static void
begin_save (LsAutosave *self)
{
  LsSave *save = g_queue_peek_head (&self->saves);
  g_autoptr (GTask) task = NULL;

  if (save == NULL || save->begun)
    return;
  save->begun = TRUE;
  fill_last (self, save);
  task = g_task_new (NULL, NULL, saved, g_object_ref (self));
  g_task_set_task_data (task, ls_save_ref (save), (GDestroyNotify) ls_save_unref);
  ls_task_run (task, save_in_thread);
}

static void
add_save (LsAutosave *self,
          LsSave     *taken)
{
  g_queue_push_tail (&self->saves, taken);
  begin_save (self);
}

void
ls_autosave_save_async (LsAutosave          *self,
                        GFile               *file,
                        gboolean             ask,
                        GAsyncReadyCallback  callback,
                        gpointer             data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, data);
  g_autoptr (LsSave) save = ls_save_new ();

  if (!fill_save (self, save, file))
    {
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("Nothing is opened."));
      return;
    }
  save->ask = ask;
  save->task = g_steal_pointer (&task);
  add_save (self, g_steal_pointer (&save));
}

LsSaveAnswer
ls_autosave_save_finish (LsAutosave    *self,
                         GAsyncResult  *result,
                         GError       **error)
{
  g_autoptr (LsSave) save = g_task_propagate_pointer (G_TASK (result), error);

  if (save == NULL)
    return LS_SAVE_FAILED;
  if (save->error != NULL)
    g_propagate_error (error, g_error_copy (save->error));
  return save->answer;
}

gboolean
ls_autosave_is_saving (LsAutosave *self)
{
  return !g_queue_is_empty (&self->saves);
}

void
ls_autosave_wait (LsAutosave *self)
{
  LsSave *save;

  while ((save = g_queue_peek_head (&self->saves)) != NULL)
    {
      if (save->begun)
        ls_save_wait (save);
      else
        {
          save->begun = TRUE;
          fill_last (self, save);
          ls_save_write (save);
        }
      if (take_save (self, save))
        answer_save (g_queue_pop_head (&self->saves));
      else
        ls_save_again (save);
    }
}

/* ---- closing ----------------------------------------------------------------------------- */

gboolean
ls_autosave_close_at_once (LsAutosave *self)
{
  /* What is being read stays for the next start. */
  if (self->restoring)
    {
      end (self, FALSE);
      return TRUE;
    }
  ls_session_settle (self->session);
  if (self->writing || ls_autosave_is_saving (self) || ls_autosave_is_changed (self))
    return FALSE;
  end (self, TRUE);
  return TRUE;
}

void
ls_autosave_close_async (LsAutosave          *self,
                         gboolean             leave,
                         gboolean             ask,
                         GAsyncReadyCallback  callback,
                         gpointer             data)
{
  LsSave *save = ls_save_new ();

  g_return_if_fail (!self->closing);
  self->closing = TRUE;
  save->closes = TRUE;
  save->leave = leave;
  save->ask = ask;
  save->task = g_task_new (self, NULL, callback, data);
  add_save (self, save);
}

LsSaveAnswer
ls_autosave_close_finish (LsAutosave    *self,
                          GAsyncResult  *result,
                          GFile        **kept,
                          GError       **error)
{
  g_autoptr (LsSave) save = g_task_propagate_pointer (G_TASK (result), NULL);

  if (kept != NULL)
    *kept = save->kept != NULL ? g_object_ref (save->kept) : NULL;
  if (save->error != NULL)
    g_propagate_error (error, g_error_copy (save->error));
  return save->answer;
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
