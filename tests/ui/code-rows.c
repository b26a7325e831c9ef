/* code-rows: which instructions belong to which line, loop and block, without a display. */
#include "app/session/code-rows.h"
#include "tests/ui/session-parts.h"

#include <string.h>

static GVariant *
answer (void)
{
  return g_variant_ref_sink (g_variant_new_parsed (
    "{'groups': <[(uint32 0, 'f.body', ['push', 'top:']), (11, 'f.body', ['add', 'cmp']), (0, 'f.body', ['mov']),"
    "             (11, 'f.body', ['jne top']), (0, 'f', ['call f.body']), (9999, 'f', ['ret'])]>,"
    " 'remarks': <[(uint32 11, 'unrolled'), (11, 'unrolled'), (11, 'not vectorized: a · b'), (12, 'elsewhere')]>}"));
}

static const LsCodeRecord *
record (GListStore *rows,
        guint       i)
{
  g_autoptr (LsCodeRow) row = g_list_model_get_item (G_LIST_MODEL (rows), i);

  return ls_code_row_get (row);
}

static void
test_rows (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (GVariant) given = answer ();
  g_autoptr (GListStore) rows = ls_code_rows_new (given, ls_session_get_script (session));
  g_auto (GStrv) lines = g_strsplit (ls_script_text_get_text (ls_session_get_script (session)), "\n", -1);

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 6);
  g_assert_cmpstr (record (rows, 0)->source, ==, "f.body");
  g_assert_cmpuint (record (rows, 0)->n_instructions, ==, 1);
  g_assert_cmpstr (record (rows, 0)->instructions, ==, "push\ntop:");
  g_assert_cmpstr (record (rows, 1)->source, ==, g_strstrip (lines[10]));
  g_assert_cmpuint (g_strv_length (record (rows, 1)->remarks), ==, 2);           /* each by itself, whatever stands in it */
  g_assert_cmpstr (record (rows, 1)->remarks[0], ==, "unrolled");
  g_assert_cmpstr (record (rows, 1)->remarks[1], ==, "not vectorized: a · b");
  g_assert_null (record (rows, 2)->source);
  g_assert_null (record (rows, 3)->remarks);
  g_assert_cmpstr (record (rows, 4)->source, ==, "f");
  g_assert_cmpuint (record (rows, 5)->line, ==, 0);
  g_assert_null (record (rows, 5)->source);
}

/* An unrolled loop has thousands under one line: no row is higher than a screen can be, and none is lost. */
static void
test_long (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (GVariant) given = NULL;
  g_autoptr (GListStore) rows = NULL;
  GVariantBuilder group;
  GVariantDict dict;
  guint sum = 0;

  g_variant_builder_init (&group, G_VARIANT_TYPE ("a(usas)"));
  g_variant_builder_open (&group, G_VARIANT_TYPE ("(usas)"));
  g_variant_builder_add (&group, "u", 11);
  g_variant_builder_add (&group, "s", "f");
  g_variant_builder_open (&group, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < 2 * LS_CODE_MOST + 1; i++)
    g_variant_builder_add (&group, "s", "add");
  g_variant_builder_close (&group);
  g_variant_builder_close (&group);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "groups", g_variant_builder_end (&group));
  given = g_variant_ref_sink (g_variant_dict_end (&dict));
  rows = ls_code_rows_new (given, ls_session_get_script (session));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (rows)), ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpuint (record (rows, i)->line, ==, 11);
      g_assert_cmpint (record (rows, i)->source != NULL, ==, i == 0);
      sum += record (rows, i)->n_instructions;
    }
  g_assert_cmpuint (sum, ==, 2 * LS_CODE_MOST + 1);
}

/* The lines of each loop and block, by the text itself: it opens on the first of them and what follows is no deeper. */
static void
test_lines (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  LsScriptText *text = ls_session_get_script (session);
  g_auto (GStrv) lines = g_strsplit (ls_script_text_get_text (text), "\n", -1);
  static const char *const names[] = { "k", "j_1", "Y", "C" };
  guint first, last;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      guint depth;

      g_assert_true (ls_code_lines_of (text, loop (session, names[i])->id, &first, &last));
      g_assert_nonnull (strstr (lines[first - 1], names[i]));
      g_assert_cmpuint (last, >, first);
      depth = (guint) strspn (lines[first - 1], " ");
      for (guint at = first; at < last; at++)
        g_assert_cmpuint (strspn (lines[at], " "), >, depth);
      if (last < g_strv_length (lines) && *lines[last] != '\0')
        g_assert_cmpuint (strspn (lines[last], " "), <=, depth);
      for (guint at = first + 1; at <= last; at++)
        g_assert_cmpuint (ls_code_id_at (text, at), !=, 0);
    }
  g_assert_false (ls_code_lines_of (text, 0, &first, &last));
  g_assert_false (ls_code_lines_of (text, 123456789, &first, &last));
}

static void
test_places (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  LsScriptText *text = ls_session_get_script (session);
  guint first, last;
  g_autofree char *function = NULL;

  g_assert_true (ls_code_lines_of (text, loop (session, "C")->id, &first, &last));
  g_assert_cmpuint (ls_code_id_at (text, last), ==, loop (session, "C")->id);
  function = ls_code_function_at (text, last);
  g_assert_cmpstr (function, ==, "mm_relu");
  g_assert_cmpuint (ls_code_id_at (text, 1), ==, 0);
  g_assert_cmpuint (ls_code_id_at (text, 0), ==, 0);
  g_assert_null (ls_code_function_at (text, 1));
  g_assert_cmpuint (ls_code_id_at (text, 100000), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  session_parts_init (&argc, &argv);
  g_test_add_func ("/ui/code-rows/rows", test_rows);
  g_test_add_func ("/ui/code-rows/long", test_long);
  g_test_add_func ("/ui/code-rows/lines", test_lines);
  g_test_add_func ("/ui/code-rows/places", test_places);
  return g_test_run ();
}
