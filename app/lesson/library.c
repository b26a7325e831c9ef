/* The lessons of a folder: its *.md files that have a front matter with an id, by language and order. */
#include "app/lesson/lesson-private.h"

#include <string.h>

char *
ls_lesson_folder (void)
{
  static const char *const places[] = { "../../lessons", "../../../lessons", "../../../../lessons", "../share/loopscope/lessons" };
  const char *given = g_getenv ("LS_LESSONS");
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;

  if (given != NULL && *given != 0)
    return g_strdup (given);
  for (gsize i = 0; folder != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_build_filename (folder, places[i], NULL);
      g_autofree char *guide = g_build_filename (path, "README.md", NULL);

      if (g_file_test (guide, G_FILE_TEST_EXISTS))
        return g_canonicalize_filename (path, NULL);
    }
  return g_file_test (LS_LESSON_DIR, G_FILE_TEST_IS_DIR) ? g_strdup (LS_LESSON_DIR) : NULL;
}

static int
by_order (gconstpointer a,
          gconstpointer b)
{
  LsLesson *x = *(LsLesson *const *) a, *y = *(LsLesson *const *) b;
  int language = strcmp (x->language, y->language);

  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return language != 0 ? language : strcmp (x->path, y->path);
}

GPtrArray *
ls_lesson_list (const char *folder)
{
  GPtrArray *lessons = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_lesson_unref);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (LsLesson) lesson = g_str_has_suffix (name, ".md") && strcmp (name, "README.md") != 0 ? ls_lesson_load (path, NULL, NULL) : NULL;

      if (lesson != NULL)
        g_ptr_array_add (lessons, g_steal_pointer (&lesson));
    }
  g_ptr_array_sort (lessons, by_order);
  return lessons;
}
