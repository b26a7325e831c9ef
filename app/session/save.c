/* session/save: see the header. */
#include "app/session/save.h"

#include "app/session/safe-write.h"

#include <string.h>

LsSave *
ls_save_new (void)
{
  LsSave *self = g_new0 (LsSave, 1);

  g_atomic_ref_count_init (&self->refs);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  return self;
}

LsSave *
ls_save_ref (LsSave *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
ls_save_again (LsSave *self)
{
  g_clear_pointer (&self->image, ls_session_image_free);
  g_clear_pointer (&self->sum, g_free);
  g_clear_object (&self->file);
  g_clear_pointer (&self->before, g_free);
  g_clear_pointer (&self->copy, ls_copy_unref);
  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->on_disk, g_free);
  g_clear_object (&self->kept);
  g_clear_error (&self->error);
  self->begun = self->done = FALSE;
}

void
ls_save_unref (LsSave *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  ls_save_again (self);
  g_clear_object (&self->task);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

char *
ls_save_sum (GFile *file)
{
  g_autofree char *text = NULL;
  gsize length = 0;

  return g_file_load_contents (file, NULL, &text, &length, NULL, NULL)
           ? g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, (gssize) length) : NULL;
}

/* A file that is gone may be written again. */
static gboolean
is_anothers (LsSave *self)
{
  self->on_disk = self->before != NULL ? ls_save_sum (self->file) : NULL;
  return self->on_disk != NULL && strcmp (self->on_disk, self->before) != 0;
}

static LsSaveAnswer
write_file (LsSave *self)
{
  g_autofree char *text = NULL;

  if (is_anothers (self))
    return LS_SAVE_OTHER;
  text = ls_session_image_write (self->image);
  if (!ls_safe_write (self->file, text, &self->error))
    return LS_SAVE_FAILED;
  g_free (self->on_disk);
  self->on_disk = g_compute_checksum_for_string (G_CHECKSUM_SHA1, text, -1);
  return LS_SAVE_FILE;
}

/* To the disk itself, with the file that it belongs to. */
static LsSaveAnswer
write_copy (LsSave *self)
{
  g_autofree char *text = NULL, *path = NULL;

  ls_session_image_set_origin (self->image, self->file != NULL ? g_file_peek_path (self->file) : NULL, self->before);
  text = ls_session_image_write (self->image);
  if (!ls_copy_write (self->copy, self->turn, text, TRUE, &self->error))
    return LS_SAVE_FAILED;
  if (self->leave)
    return LS_SAVE_COPY;
  path = ls_copy_keep (self->copy, self->title, &self->error);
  if (path == NULL)
    return LS_SAVE_FAILED;
  self->kept = g_file_new_for_path (path);
  return LS_SAVE_KEPT;
}

static LsSaveAnswer
write_where_it_can (LsSave *self)
{
  LsSaveAnswer answer = LS_SAVE_OTHER;

  if (self->image == NULL)
    return LS_SAVE_NOTHING;
  if (self->file != NULL)
    answer = write_file (self);
  if (!self->closes || answer == LS_SAVE_FILE || (answer == LS_SAVE_OTHER && self->ask && self->file != NULL))
    return answer;
  g_clear_error (&self->error);
  return write_copy (self);
}

void
ls_save_write (LsSave *self)
{
  LsSaveAnswer answer = write_where_it_can (self);

  /* A copy that was being written is not left behind by a program that ends. */
  if (self->copy != NULL)
    ls_copy_wait (self->copy);
  g_mutex_lock (&self->mutex);
  self->answer = answer;
  self->done = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

void
ls_save_wait (LsSave *self)
{
  g_mutex_lock (&self->mutex);
  while (!self->done)
    g_cond_wait (&self->cond, &self->mutex);
  g_mutex_unlock (&self->mutex);
}
