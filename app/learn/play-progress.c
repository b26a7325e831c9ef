/* LsPlay on disk: the page, edits, answers and what was solved, one key file for each lesson and language. */
#include "app/learn/play-private.h"

static char *
progress_path (LsPlay *self)
{
  g_autofree char *name = g_strdup_printf ("%s.%s.ini", ls_lesson_get_id (self->lesson), ls_lesson_get_language (self->lesson));

  g_strdelimit (name, "/\\", '_');
  return g_build_filename (g_get_user_data_dir (), "loopscope", "lessons", name, NULL);
}

/* A part that is moved in the file keeps its progress by its id, else by its place. */
static char *
group_name (LsPlay *self,
            guint   part)
{
  const LsLessonPart *of = part_of (self, part);

  return of->id != NULL ? g_strdup_printf ("part %s", of->id) : g_strdup_printf ("part %u", part);
}

void
ls_play_load (LsPlay *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = progress_path (self);

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return;
  self->page = (guint) CLAMP (g_key_file_get_integer (file, "lesson", "page", NULL), 0, (int) ls_lesson_get_n_pages (self->lesson) - 1);
  for (guint i = 0; i < self->parts->len; i++)
    {
      g_autofree char *group = group_name (self, i);
      LsPlayPart *part = at (self, i);

      if (!g_key_file_has_group (file, group))
        continue;
      part->code = g_key_file_get_string (file, group, "code", NULL);
      part->revealed = g_key_file_get_boolean (file, group, "revealed", NULL);
      part->solved = g_key_file_get_boolean (file, group, "solved", NULL);
      part->choice = g_key_file_has_key (file, group, "choice", NULL) ? g_key_file_get_integer (file, group, "choice", NULL) : -1;
      if (part_of (self, i)->choices != NULL && part->choice >= (int) part_of (self, i)->choices->len)
        part->choice = -1;
    }
}

void
ls_play_save (LsPlay *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = progress_path (self);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->save_source, g_source_remove);
  g_key_file_set_integer (file, "lesson", "page", (int) self->page);
  for (guint i = 0; i < self->parts->len; i++)
    {
      g_autofree char *group = group_name (self, i);
      const LsPlayPart *part = at (self, i);

      if (part->code != NULL)
        g_key_file_set_string (file, group, "code", part->code);
      if (part->choice >= 0)
        g_key_file_set_integer (file, group, "choice", part->choice);
      if (part->revealed)
        g_key_file_set_boolean (file, group, "revealed", TRUE);
      if (part->solved)
        g_key_file_set_boolean (file, group, "solved", TRUE);
    }
  g_mkdir_with_parents (folder, 0700);
  if (!g_key_file_save_to_file (file, path, &error))
    g_warning ("the progress of the lesson is not kept: %s", error->message);
}
