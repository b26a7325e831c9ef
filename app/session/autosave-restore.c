/* session/autosave-restore: the copy that another run left behind: taken over, read beside the window, and shown. */
#include "app/session/autosave-private.h"

#include "app/session/engine.h"

#include <glib/gstdio.h>

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
  ls_autosave_wait (self);
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
  copy->origin_now = ls_save_sum (origin);
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
  ls_autosave_set_sum (&self->on_disk, NULL);
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
      ls_autosave_set_sum (&self->written, g_strdup (""));
      ls_autosave_set_sum (&self->saved, g_strdup (""));
      ls_autosave_set_unsaved (self, TRUE);
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
