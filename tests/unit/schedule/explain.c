/* Every primitive has a complete page, and its example can be applied. */
#include "engine/schedule/explain/code-place.h"
#include "engine/schedule/explain/explain.h"
#include "tests/support/support.h"

#include <string.h>

static void
test_pages (void)
{
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);

  for (guint i = 0; i < n; i++)
    {
      const LsInstruction *row = rows[i];
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsExample) example = ls_instruction_example (row, findings);
      g_autofree char *signature = ls_instruction_signature (row);
      g_autofree char *page = ls_instruction_explain (row);
      guint n_conditions;
      const LsCondition *conditions = ls_instruction_conditions (row, &n_conditions);

      g_test_message ("%s", row->name);
      for (guint f = 0; f < ls_diagnostics_get_n (findings); f++)
        g_test_message ("%s: %s", row->name, ls_diagnostics_get (findings, f)->message);
      g_assert_nonnull (row->summary);
      g_assert_nonnull (row->condition);
      g_assert_nonnull (row->source);
      g_assert_nonnull (example);
      g_assert_true (g_str_has_prefix (signature, "sch."));
      g_assert_nonnull (strstr (example->trace, row->name));
      g_assert_nonnull (strstr (page, "Before\n"));
      g_assert_nonnull (strstr (page, "When it is possible\n"));
      g_assert_nonnull (strstr (page, "\nSource: "));
      g_assert_true (n_conditions == 0 || strstr (page, "\nRefused when\n") != NULL || strstr (page, "\nAllowed, with a warning") != NULL);
      for (guint p = 0; p < row->n_params; p++)
        g_assert_nonnull (row->params[p].summary);
      g_assert_true (n_conditions > 0 || row->check == NULL || strcmp (row->name, "get_output_blocks") == 0);
      for (guint c = 0; c < n_conditions; c++)
        {
          g_assert_true (g_str_has_suffix (conditions[c].sentence, "."));
          g_assert_null (strchr (conditions[c].sentence, '%'));
        }
      if ((row->flags & (LS_INSTRUCTION_PURE | LS_INSTRUCTION_SAMPLES | LS_INSTRUCTION_POSTPROC)) == 0)
        g_assert_cmpstr (example->before, !=, example->after);
    }
}

/* The codes that the golden refusals report are on the pages. */
static void
look_at_file (const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_str_has_prefix (lines[i], "schedule/") ? g_strsplit (lines[i], "/", -1) : NULL;
      const LsInstruction *row = parts != NULL && g_strv_length (parts) == 3 ? ls_instruction_get (parts[1]) : NULL;
      guint n;
      const LsCondition *conditions = row != NULL ? ls_instruction_conditions (row, &n) : NULL;
      gboolean found = row == NULL || strstr ("handle-gone not-a-handle no-loop-drawn argument-type missing-argument unknown-argument too-many-arguments argument-twice unpack unknown-name subscript value", parts[2]) != NULL;

      for (guint c = 0; !found && conditions != NULL && c < n; c++)
        found = strcmp (conditions[c].code, parts[2]) == 0;
      if (!found)
        g_error ("%s: %s is not on the page", path, lines[i]);
    }
}

static void
test_golden_codes (void)
{
  g_autofree char *folder = ls_test_path ("golden/schedule");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GDir) inner = g_dir_open (path, 0, NULL);
      const char *file;

      while (inner != NULL && (file = g_dir_read_name (inner)) != NULL)
        if (g_str_has_suffix (file, ".out"))
          {
            g_autofree char *whole = g_build_filename (path, file, NULL);

            look_at_file (whole);
          }
    }
}

/* "schedule/ROW/CODE" lines of the golden files of a folder. */
static void
collect_shown (const char *folder,
               GHashTable *shown)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *file;

  while (dir != NULL && (file = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, file, NULL);
      g_autofree char *text = NULL;
      g_auto (GStrv) lines = NULL;

      if (!g_str_has_suffix (file, ".out") || !g_file_get_contents (path, &text, NULL, NULL))
        continue;
      lines = g_strsplit (text, "\n", -1);
      for (guint i = 0; lines[i] != NULL; i++)
        if (g_str_has_prefix (lines[i], "schedule/"))
          g_hash_table_add (shown, g_strdup (lines[i]));
    }
}

/* The codes of lines "CODE: why no golden can show it"; each has its reason. (transfer full) */
static GHashTable *
read_argued (void)
{
  g_autofree char *list = ls_test_read ("golden/schedule/not-shown.txt", NULL);
  g_auto (GStrv) lines = g_strsplit (list, "\n", -1);
  GHashTable *argued = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *reason = strstr (lines[i], ": ");

      if (*lines[i] == '\0')
        continue;
      g_assert_nonnull (reason);
      g_assert_cmpuint (strlen (reason), >, 20);
      g_hash_table_add (argued, g_strndup (lines[i], reason - lines[i]));
    }
  return argued;
}

/* Every condition of every page has a golden refusal, but those for which golden/schedule/not-shown.txt argues; what is
 * shown is not listed there. */
static void
test_every_condition (void)
{
  g_autofree char *folder = ls_test_path ("golden/schedule");
  g_autoptr (GHashTable) argued = read_argued ();
  g_autoptr (GHashTable) shown = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const LsInstruction *const *rows;
  const char *name;
  guint n;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      collect_shown (path, shown);
    }
  rows = ls_instruction_list (&n);
  for (guint i = 0; i < n; i++)
    {
      guint n_conditions;
      const LsCondition *conditions = ls_instruction_conditions (rows[i], &n_conditions);

      for (guint c = 0; c < n_conditions; c++)
        {
          g_autofree char *code = g_strdup_printf ("schedule/%s/%s", rows[i]->name, conditions[c].code);
          gboolean is_shown = g_hash_table_contains (shown, code);
          gboolean is_listed = g_hash_table_contains (argued, code);

          if (conditions[c].is_warning || is_shown != is_listed)
            continue;
          g_test_message (is_shown ? "%s is shown, and listed as not shown" : "%s has no golden refusal", code);
          g_test_fail ();
        }
    }
}

/* The file of the tree, as it was when this was built. (transfer full) */
static char *
read_tree (const char *file)
{
  g_autofree char *path = g_build_filename (g_getenv ("LS_SOURCE_ROOT"), file, NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return g_steal_pointer (&text);
}

/* Every primitive has its function in a file of the tree, packed as it is; every condition has a line that names it. */
static void
test_source (void)
{
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);

  for (guint i = 0; i < n; i++)
    {
      LsCodePlace place;
      guint n_conditions;
      const LsCondition *conditions = ls_instruction_conditions (rows[i], &n_conditions);
      g_autofree char *file = NULL, *function = NULL, *head = NULL;

      g_test_message ("%s", rows[i]->name);
      g_assert_true (ls_code_place_of (rows[i], &place));
      file = read_tree (place.file);
      ls_assert_same_text (ls_code_text (place.file), file);
      function = ls_code_lines (place.file, place.first, place.last);
      head = ls_code_lines (place.file, place.line, place.line);
      g_assert_true (g_str_has_prefix (head, "apply"));
      g_assert_true (g_str_has_suffix (head, "(LsMove        *move,\n"));
      g_assert_nonnull (strstr (function, head));
      g_assert_true (g_str_has_suffix (function, "\n}\n"));
      for (guint c = 0; c < n_conditions; c++)
        {
          g_autoptr (GArray) places = ls_code_places_of_condition (rows[i], conditions[c].code);
          g_autofree char *quoted = g_strdup_printf ("\"%s\"", conditions[c].code);

          g_test_message ("  %s: %u", conditions[c].code, places->len);
          g_assert_cmpuint (places->len, >, 0);
          for (guint p = 0; p < places->len; p++)
            {
              const LsCodePlace *one = &g_array_index (places, LsCodePlace, p);
              g_autofree char *line = ls_code_lines (one->file, one->line, one->line + 2);

              g_assert_cmpuint (one->first, <, one->line);
              g_assert_cmpuint (one->last, >, one->line);
              g_assert_nonnull (strstr (line, quoted));
            }
        }
    }
}

/* A line in the midst of a call is moved to its begin; what is not in the engine is nowhere. */
static void
test_places (void)
{
  const LsInstruction *split = ls_instruction_get ("split");
  g_autoptr (GArray) places = ls_code_places_of_condition (split, "factors-too-small");
  const LsCodePlace *known = &g_array_index (places, LsCodePlace, 0);
  LsCodePlace place;

  g_assert_cmpuint (places->len, ==, 1);
  g_assert_cmpstr (known->file, ==, "engine/schedule/primitive/split.c");
  g_assert_true (ls_code_place_at (known->file, known->line + 1, &place));
  g_assert_cmpuint (place.line, ==, known->line);
  g_assert_false (ls_code_place_at ("engine/schedule/primitive/frob.c", 1, &place));
  g_assert_false (ls_code_place_at ("/etc/passwd", 1, &place));
  g_assert_false (ls_code_place_at (known->file, 0, &place));
  g_assert_false (ls_code_place_at (known->file, 1000000, &place));
  g_assert_false (ls_code_place_at (NULL, 1, &place));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/explain/pages", test_pages);
  g_test_add_func ("/schedule/explain/golden-codes", test_golden_codes);
  g_test_add_func ("/schedule/explain/every-condition", test_every_condition);
  g_test_add_func ("/schedule/explain/source", test_source);
  g_test_add_func ("/schedule/explain/places", test_places);
  return g_test_run ();
}
