/* device-steps: the files of steps that a bundle is made of, and what they are called. */
#include "app/cli/device.h"

#include <string.h>

char *
ls_cli_step_title (const char *path)
{
  g_autofree char *text = NULL;

  if (g_file_get_contents (path, &text, NULL, NULL) && text[0] == '#')
    {
      text[strcspn (text, "\n")] = 0;
      return g_strdup (g_strstrip (text + 1));
    }
  return g_path_get_basename (path);
}

static int
by_text (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

GPtrArray *
ls_cli_step_files (const char *command,
                   GPtrArray  *given)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < given->len; i++)
    {
      g_autoptr (GDir) dir = g_dir_open (given->pdata[i], 0, NULL);
      g_autoptr (GPtrArray) found = g_ptr_array_new ();
      const char *name;

      if (dir == NULL)
        {
          g_ptr_array_add (files, g_strdup (given->pdata[i]));
          continue;
        }
      while ((name = g_dir_read_name (dir)) != NULL)
        if (g_str_has_suffix (name, ".py") && strcmp (name, "program.py") != 0)
          g_ptr_array_add (found, g_build_filename (given->pdata[i], name, NULL));
      g_ptr_array_sort (found, by_text);
      if (found->len == 0)
        ls_cli_fail (command, ls_translate ("the folder %s has no steps (files that end in .py)"), (char *) given->pdata[i]);
      for (guint k = 0; k < found->len; k++)
        g_ptr_array_add (files, found->pdata[k]);
    }
  return files;
}
