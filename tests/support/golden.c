/* golden: one test case per input file of a folder, compared with the file beside it. */
#include "tests/support/support.h"

#include <string.h>

typedef struct {
  char            *path;        /* of the input, relative to the folder */
  char            *input_file;
  char            *expected_file;
  LsGoldenMissing  missing;
  LsGoldenFunc     run;
  gpointer         data;
} Golden;

static void
golden_free (gpointer data)
{
  Golden *golden = data;

  g_free (golden->path);
  g_free (golden->input_file);
  g_free (golden->expected_file);
  g_free (golden);
}

static char *
read_expected (const Golden *golden,
               const char   *input)
{
  char *text = NULL;

  if (g_file_get_contents (golden->expected_file, &text, NULL, NULL))
    return text;
  switch (golden->missing)
    {
    case LS_GOLDEN_UNCHANGED:
      return g_strdup (input);
    case LS_GOLDEN_EMPTY:
      return g_strdup ("");
    case LS_GOLDEN_REQUIRED:
      return NULL;
    }
  g_assert_not_reached ();
}

static void
update_expected (const Golden *golden,
                 const char   *actual)
{
  g_autoptr (GError) error = NULL;

  g_file_set_contents (golden->expected_file, actual, -1, &error);
  g_assert_no_error (error);
  g_test_message ("wrote %s", golden->expected_file);
}

static void
run_golden (gconstpointer data)
{
  const Golden *golden = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *input = NULL;
  g_autofree char *actual = NULL;
  g_autofree char *expected = NULL;
  g_autofree char *diff = NULL;
  gsize length;

  g_file_get_contents (golden->input_file, &input, &length, &error);
  g_assert_no_error (error);
  actual = golden->run (golden->path, input, length, golden->data);
  expected = read_expected (golden, input);
  if (actual == NULL)
    g_test_fail_printf ("%s: no output.", golden->path);
  else if (g_strcmp0 (actual, expected) == 0)
    return;
  else if (g_strcmp0 (g_getenv ("LS_UPDATE_GOLDEN"), "1") == 0)
    update_expected (golden, actual);
  else
    {
      diff = ls_test_diff (expected ? expected : "", actual, golden->expected_file, "actual");
      g_test_message ("%s", diff);
      g_test_fail_printf ("%s: the output differs.  LS_UPDATE_GOLDEN=1 accepts it.", golden->path);
    }
}

static int
compare_paths (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char **) a, *(const char **) b);
}

static void
collect (GPtrArray  *paths,
         const char *folder,
         const char *below)
{
  g_autofree char *path = g_build_filename (folder, below, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *relative = below ? g_build_filename (below, name, NULL) : g_strdup (name);
      g_autofree char *full = g_build_filename (folder, relative, NULL);

      if (g_file_test (full, G_FILE_TEST_IS_DIR))
        collect (paths, folder, relative);
      else
        g_ptr_array_add (paths, g_steal_pointer (&relative));
    }
}

static void
fail_empty (gconstpointer folder)
{
  g_test_fail_printf ("%s: there is no input file here.", (const char *) folder);
}

static char *
replace_suffix (const char *path,
                const char *suffix,
                const char *replacement)
{
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (suffix));

  return g_strconcat (stem, replacement, NULL);
}

void
ls_golden_add_folder (const char      *test_path,
                      const char      *folder,
                      const char      *suffix,
                      const char      *expected_suffix,
                      LsGoldenMissing  missing,
                      LsGoldenFunc     run,
                      gpointer         data)
{
  g_autofree char *root = ls_test_path (folder);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  guint n_added = 0;

  collect (paths, root, NULL);
  g_ptr_array_sort (paths, compare_paths);
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      g_autofree char *name = NULL;
      Golden *golden;

      if (!g_str_has_suffix (path, suffix)
          || (strlen (expected_suffix) > strlen (suffix) && g_str_has_suffix (path, expected_suffix)))
        continue;
      golden = g_new0 (Golden, 1);
      golden->path = g_strdup (path);
      golden->input_file = g_build_filename (root, path, NULL);
      golden->expected_file = replace_suffix (golden->input_file, suffix, expected_suffix);
      golden->missing = missing;
      golden->run = run;
      golden->data = data;
      name = g_strconcat (test_path, "/", path, NULL);
      g_test_add_data_func_full (name, golden, run_golden, golden_free);
      n_added++;
    }
  if (n_added == 0)
    g_test_add_data_func_full (test_path, g_steal_pointer (&root), (GTestDataFunc) fail_empty, g_free);
}

char *
ls_golden_option (const char *input,
                  const char *name)
{
  static const char head[] = "# golden:";
  g_autofree char *line = NULL;
  g_auto (GStrv) words = NULL;

  if (!g_str_has_prefix (input, head))
    return NULL;
  line = g_strndup (input + strlen (head), strcspn (input + strlen (head), "\r\n"));
  words = g_strsplit_set (line, " \t", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (words[i], "=", 2);

      if (g_strcmp0 (pair[0], name) == 0)
        return g_strdup (pair[1] ? pair[1] : "");
    }
  return NULL;
}
