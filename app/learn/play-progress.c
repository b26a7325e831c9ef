/* LsPlay on disk: the page, edits, answers and what was solved, one key file for each lesson and language. */
#include "app/learn/play-private.h"

#include <string.h>

static char *
progress_path (LsLesson *lesson)
{
  g_autofree char *name = g_strdup_printf ("%s.%s.ini", ls_lesson_get_id (lesson), ls_lesson_get_language (lesson));

  g_strdelimit (name, "/\\", '_');
  return g_build_filename (g_get_user_data_dir (), "loopscope", "lessons", name, NULL);
}

/* An answer is kept by its words: others may come before it. */
static int
choice_of (LsPlay     *self,
           guint       part,
           const char *words)
{
  GPtrArray *choices = part_of (self, part)->choices;

  for (guint i = 0; words != NULL && choices != NULL && i < choices->len; i++)
    if (strcmp (((LsLessonChoice *) choices->pdata[i])->text, words) == 0)
      return (int) i;
  return -1;
}

/* A page is known by its title and how many pages before have the same. */
static char *
page_name (LsPlay *self,
           guint   page)
{
  const char *title = ls_lesson_get_page (self->lesson, page)->title;
  guint n = 0;

  for (guint i = 0; i < page; i++)
    n += strcmp (ls_lesson_get_page (self->lesson, i)->title, title) == 0;
  return g_strdup_printf ("%u %s", n, title);
}

static void
load_seen (LsPlay   *self,
           GKeyFile *file)
{
  g_auto (GStrv) names = g_key_file_get_string_list (file, "lesson", "seen", NULL, NULL);

  for (guint i = 0; names != NULL && i < ls_lesson_get_n_pages (self->lesson); i++)
    {
      g_autofree char *name = page_name (self, i);

      self->seen[i] |= g_strv_contains ((const char *const *) names, name);
    }
}

static void
save_seen (LsPlay   *self,
           GKeyFile *file)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  guint done = 0;

  for (guint i = 0; i < ls_lesson_get_n_pages (self->lesson); i++)
    {
      if (self->seen[i])
        g_ptr_array_add (names, page_name (self, i));
      done += ls_play_is_page_done (self, i);
    }
  g_key_file_set_string_list (file, "lesson", "seen", (const char *const *) names->pdata, names->len);
  g_key_file_set_integer (file, "lesson", "pages-done", (int) done);
  g_key_file_set_integer (file, "lesson", "pages", (int) ls_lesson_get_n_pages (self->lesson));
}

void
ls_play_load (LsPlay *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_auto (GStrv) groups = ls_lesson_keys (self->lesson);
  g_autofree char *path = progress_path (self->lesson);

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return;
  self->page = (guint) CLAMP (g_key_file_get_integer (file, "lesson", "page", NULL), 0, (int) ls_lesson_get_n_pages (self->lesson) - 1);
  load_seen (self, file);
  for (guint i = 0; i < self->parts->len; i++)
    {
      const char *group = groups[i];
      g_autofree char *words = NULL;
      LsPlayPart *part = at (self, i);

      if (!g_key_file_has_group (file, group))
        continue;
      part->code = g_key_file_get_string (file, group, "code", NULL);
      part->stops = g_key_file_get_string (file, group, "stops", NULL);
      part->revealed = g_key_file_get_boolean (file, group, "revealed", NULL);
      part->solved = g_key_file_get_boolean (file, group, "solved", NULL);
      part->done_once = g_key_file_get_boolean (file, group, "done", NULL);
      words = g_key_file_get_string (file, group, "chosen", NULL);
      part->choice = choice_of (self, i, words);
    }
}

void
ls_play_save (LsPlay *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = progress_path (self->lesson);
  g_autofree char *folder = g_path_get_dirname (path);
  g_auto (GStrv) groups = ls_lesson_keys (self->lesson);
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->save_source, g_source_remove);
  g_key_file_set_integer (file, "lesson", "page", (int) self->page);
  save_seen (self, file);
  for (guint i = 0; i < self->parts->len; i++)
    {
      const char *group = groups[i];
      const LsPlayPart *part = at (self, i);
      LsPlayKept own = self->kept != NULL ? g_array_index (self->kept, LsPlayKept, i)
                                          : (LsPlayKept) { part->choice, part->revealed, part->solved, part->code, part->stops };
      GPtrArray *choices = part_of (self, i)->choices;

      if (own.code != NULL)
        g_key_file_set_string (file, group, "code", own.code);
      if (own.stops != NULL)
        g_key_file_set_string (file, group, "stops", own.stops);
      if (own.choice >= 0 && choices != NULL && own.choice < (int) choices->len)
        g_key_file_set_string (file, group, "chosen", ((LsLessonChoice *) choices->pdata[own.choice])->text);
      if (own.revealed)
        g_key_file_set_boolean (file, group, "revealed", TRUE);
      if (own.solved)
        g_key_file_set_boolean (file, group, "solved", TRUE);
      if (part->done_once)
        g_key_file_set_boolean (file, group, "done", TRUE);
    }
  g_mkdir_with_parents (folder, 0700);
  if (!g_key_file_save_to_file (file, path, &error))
    g_warning ("the progress of the lesson is not kept: %s", error->message);
}

gboolean
ls_play_read_progress (LsLesson *lesson,
                       guint    *done,
                       guint    *pages)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = progress_path (lesson);

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return FALSE;
  *done = (guint) MAX (g_key_file_get_integer (file, "lesson", "pages-done", NULL), 0);
  *pages = ls_lesson_get_n_pages (lesson);
  *done = MIN (*done, *pages);
  return TRUE;
}

/* ---- pages that are done, and presenting ---- */

static gboolean
is_part_done (LsPlay *self,
              guint   i)
{
  const LsPlayPart *part = at (self, i);
  const LsLessonPart *of = part_of (self, i);

  if (of->kind == LS_PART_PREDICT || of->kind == LS_PART_PRIMITIVE)
    return part->revealed || part->solved;
  if (of->kind == LS_PART_EXERCISE)
    return part->solved;
  return of->kind != LS_PART_CELL || of->skip || part->done_once || part->state == LS_PLAY_SKIPPED;
}

gboolean
ls_play_is_page_done (LsPlay *self,
                      guint   page)
{
  const LsLessonPage *of = ls_lesson_get_page (self->lesson, page);

  for (guint i = of->first; i < of->first + of->n_parts; i++)
    if (!is_part_done (self, i))
      return FALSE;
  return self->seen[page];
}

static void
begin_presenting (LsPlay *self)
{
  self->kept = g_array_new (FALSE, TRUE, sizeof (LsPlayKept));
  for (guint i = 0; i < self->parts->len; i++)
    {
      LsPlayPart *part = at (self, i);
      LsPlayKept own = { part->choice, part->revealed, part->solved, g_strdup (part->code), g_steal_pointer (&part->stops) };

      g_array_append_val (self->kept, own);
      part->choice = -1;
      part->revealed = part->solved = FALSE;
    }
}

static void
end_presenting (LsPlay *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      LsPlayKept *own = &g_array_index (self->kept, LsPlayKept, i);
      LsPlayPart *part = at (self, i);

      part->choice = own->choice;
      part->revealed = own->revealed;
      part->solved = own->solved;
      g_free (part->code);
      part->code = own->code;
      g_free (part->stops);
      part->stops = own->stops;
    }
  g_clear_pointer (&self->kept, g_array_unref);
}

void
ls_play_present (LsPlay  *self,
                 gboolean presenting)
{
  if (presenting == (self->kept != NULL))
    return;
  if (presenting)
    begin_presenting (self);
  else
    end_presenting (self);
  for (guint i = 0; i < self->parts->len; i++)
    g_signal_emit_by_name (self, "part-changed", i);
  if (!presenting)
    ls_play_save (self);
}
