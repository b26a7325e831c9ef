/* Which lessons there are and where they lie: links, the menu, files that are lessons. */
#include "app/learn/lesson-window.h"

#include "app/lesson/lesson.h"

#include <string.h>

static GFile *
find_lesson (const char *id)
{
  g_autofree char *folder = ls_lesson_folder ();
  g_autoptr (GPtrArray) lessons = folder != NULL ? ls_lesson_list (folder) : NULL;
  const char *const *languages = g_get_language_names ();
  LsLesson *best = NULL;
  guint best_rank = G_MAXUINT;

  for (guint i = 0; lessons != NULL && i < lessons->len; i++)
    {
      LsLesson *lesson = lessons->pdata[i];
      guint rank = 1000;

      if (strcmp (ls_lesson_get_id (lesson), id) != 0)
        continue;
      for (guint k = 0; languages[k] != NULL; k++)
        if (strcmp (languages[k], ls_lesson_get_language (lesson)) == 0)
          rank = MIN (rank, k);
      if (strcmp (ls_lesson_get_language (lesson), "en") == 0)
        rank = MIN (rank, 999);
      if (rank < best_rank)
        {
          best = lesson;
          best_rank = rank;
        }
    }
  return best != NULL ? g_file_new_for_path (ls_lesson_get_path (best)) : NULL;
}

GFile *
ls_lesson_link_resolve (const char  *link,
                        char       **place)
{
  const char *at = strstr (link, "lesson/");
  const char *name = at != NULL ? at + strlen ("lesson/") : link;
  const char *mark = strpbrk (name, "?#");
  g_autofree char *id = mark != NULL ? g_strndup (name, (gsize) (mark - name)) : g_strdup (name);

  *place = mark != NULL && mark[1] != 0 ? g_uri_unescape_string (mark + 1, NULL) : NULL;
  return find_lesson (id);
}

GMenuModel *
ls_lesson_menu_new (void)
{
  g_autofree char *folder = ls_lesson_folder ();
  g_autoptr (GPtrArray) lessons = folder != NULL ? ls_lesson_list (folder) : NULL;
  static const struct { const char *code, *name; } languages[] = { { "en", "English" }, { "zh_CN", "简体中文" }, { "ko", "한국어" } };
  GMenu *menu = g_menu_new ();

  for (gsize k = 0; k < G_N_ELEMENTS (languages); k++)
    {
      g_autoptr (GMenu) section = g_menu_new ();

      for (guint i = 0; lessons != NULL && i < lessons->len; i++)
        {
          LsLesson *lesson = lessons->pdata[i];
          g_autofree char *label = g_strdup_printf ("%d  %s", ls_lesson_get_order (lesson), ls_lesson_get_title (lesson));
          g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

          if (strcmp (ls_lesson_get_language (lesson), languages[k].code) != 0)
            continue;
          g_menu_item_set_action_and_target (item, "win.lesson", "s", ls_lesson_get_path (lesson));
          g_menu_append_item (section, item);
        }
      if (g_menu_model_get_n_items (G_MENU_MODEL (section)) > 0)
        g_menu_append_submenu (menu, languages[k].name, G_MENU_MODEL (section));
    }
  return G_MENU_MODEL (menu);
}

/* A lesson that was saved under another name: its first lines say so. */
static gboolean
looks_like_lesson (GFile *file)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, NULL);
  char head[4097] = { 0 };
  gssize n = stream != NULL ? g_input_stream_read (G_INPUT_STREAM (stream), head, sizeof head - 1, NULL, NULL) : 0;

  return n > 0 && (strstr (head, "\n```python") != NULL || (g_str_has_prefix (head, "---\n") && strstr (head, "\ntitle:") != NULL));
}

gboolean
ls_lesson_window_takes (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  if (name == NULL)
    return FALSE;
  return g_str_has_suffix (name, ".md") || g_str_has_suffix (name, ".markdown") || g_str_has_suffix (name, ".ipynb")
         || (g_str_has_suffix (name, ".txt") && looks_like_lesson (file));
}
