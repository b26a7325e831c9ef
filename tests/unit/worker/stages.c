/* Programs before and after passes as an answer: all of it where it fits, else the beginnings of the long ones. */
#include "app/worker/stages.h"

#include <string.h>

#define LINE "    ö = A[i]\n"      /* the name of the loop is the tenth character */
#define LINE_LENGTH 13
#define PLACE 10

static void
add_lines (LsStages   *stages,
           const char *name,
           guint       n)
{
  GString *text = g_string_new (NULL);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (LsStagePlace));

  for (guint i = 0; i < n; i++)
    {
      LsStagePlace place = { i * LINE_LENGTH + PLACE, i * LINE_LENGTH + PLACE + 1, 3 };

      g_string_append (text, LINE);
      g_array_append_val (places, place);
    }
  ls_stages_add (stages, name, 7, NULL, g_string_free (text, FALSE), places);
}

/* The text of stage `i`; every place in it has to be the loop's name. */
static char *
text_of (GVariant *answer,
         guint     i,
         guint    *n_places)
{
  g_autoptr (GVariant) stage = g_variant_get_child_value (answer, i), places = NULL;
  const char *text;
  guint start, end, loop;
  GVariantIter iter;

  g_variant_get (stage, "(&sx&s&s@a(uuu))", NULL, NULL, NULL, &text, &places);
  g_variant_iter_init (&iter, places);
  while (g_variant_iter_next (&iter, "(uuu)", &start, &end, &loop))
    {
      g_assert_cmpuint (end, <=, (guint) g_utf8_strlen (text, -1));
      g_assert_cmpint (*g_utf8_offset_to_pointer (text, start), ==, 'i');
      g_assert_cmpuint (loop, ==, 3);
    }
  *n_places = (guint) g_variant_n_children (places);
  return g_strdup (text);
}

static GVariant *
answer_of (gsize most)
{
  g_autoptr (LsStages) stages = ls_stages_new ();

  add_lines (stages, "", 2);
  add_lines (stages, "UnrollLoop", 1000);
  ls_stages_add (stages, "Simplify", 5, NULL, NULL, NULL);
  ls_stages_add (stages, "RemoveNoOp", 5, "It cannot.", NULL, NULL);
  return g_variant_ref_sink (ls_stages_end (stages, most));
}

static void
test_whole (void)
{
  g_autoptr (GVariant) answer = answer_of (1024 * 1024);
  g_autofree char *text = NULL;
  const char *name, *trouble;
  gint64 ns;
  guint n;

  g_assert_cmpuint (g_variant_n_children (answer), ==, 4);
  text = text_of (answer, 1, &n);
  g_assert_cmpuint (strlen (text), ==, 1000 * strlen (LINE));
  g_assert_cmpuint (n, ==, 1000);
  g_variant_get_child (answer, 3, "(&sx&s&s@a(uuu))", &name, &ns, &trouble, NULL, NULL);
  g_assert_cmpstr (name, ==, "RemoveNoOp");
  g_assert_cmpint (ns, ==, 5);
  g_assert_cmpstr (trouble, ==, "It cannot.");
}

static void
test_cut (void)
{
  g_autoptr (GVariant) answer = answer_of (8000);
  g_autofree char *little = NULL, *much = NULL, *last = NULL;
  guint lines = 0, n;

  g_assert_cmpuint (g_variant_get_size (answer), <, 8000);
  little = text_of (answer, 0, &n);
  g_assert_cmpstr (little, ==, LINE LINE);
  much = text_of (answer, 1, &n);
  for (const char *at = much; g_str_has_prefix (at, LINE); at += strlen (LINE))
    lines++;
  g_assert_cmpuint (lines, >, 50);
  g_assert_cmpuint (n, ==, lines);
  last = g_strdup_printf ("# ... %u more lines\n", 1000 - lines);
  g_assert_cmpstr (much + lines * strlen (LINE), ==, last);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worker/stages/whole", test_whole);
  g_test_add_func ("/worker/stages/cut", test_cut);
  return g_test_run ();
}
