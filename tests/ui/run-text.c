/* The expression of a line that a character belongs to. */
#include "views/run/text.h"

#include <string.h>

/* `^` stands under the character that is asked for. */
static const struct { const char *line, *place, *expression; } places[] = {
  { "        Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]",
    "          ^", "vi" },
  { "        Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]",
    "        ^", "Y[vi, vj]" },
  { "        Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]",
    "                    ^", "Y[vi, vj]" },
  { "        Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]",
    "                                          ^", "Y[vi, vj] + A[vi, vk] * B[vk, vj]" },
  { "        Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]",
    "                              ^", "Y[vi, vj] + A[vi, vk] * B[vk, vj]" },
  { "        Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]",
    "                             ^", NULL },                             /* a space */
  { "    vi = T.axis.spatial(128, i_0 * 4 + i_1)",
    "                             ^", "i_0" },
  { "    vi = T.axis.spatial(128, i_0 * 4 + i_1)",
    "                                 ^", "i_0 * 4 + i_1" },
  { "    vi = T.axis.spatial(128, i_0 * 4 + i_1)",
    "                                   ^", "i_0 * 4 + i_1"  },
  { "    C[0] = T.max(Y[0], T.float32(0))",
    "           ^", "T.max(Y[0], T.float32(0))" },
  { "    C[0] = T.max(Y[0], T.float32(0))",
    "                 ^", "Y[0]" },
  { "    if i == 3 and k > 5:",
    "       ^", "i" },
  { "    for i, j in T.grid(128, 128):",
    "        ^", "i" },
  { "    for i, j in T.grid(128, 128):",
    "                ^", NULL },
  { "    for i, j in T.grid(128, 128):",
    "    ^", NULL },
  { "    with T.block(\"Y\"):",
    "         ^", NULL },
  { "    # with T.block(\"root\"):",
    "      ^", NULL },
  { "    x = \"a + b\"",
    "          ^", NULL },
  { "é[0] + 1", "     ^", "é[0] + 1" },
  { "A[i", "^", "A[i" },                                                  /* cut off: no crash */
  { ")])", "^", NULL },
  { "", "^", NULL },
};

static void
test_places (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *found = ls_run_text_expression_at (places[i].line, (glong) (strchr (places[i].place, '^') - places[i].place));

      g_test_message ("%s", places[i].line);
      g_test_message ("%s %s", places[i].place, found != NULL ? found : "-");
      g_assert_cmpstr (found, ==, places[i].expression);
    }
}

/* No place of any text is a crash. */
static void
test_any (void)
{
  static const char letters[] = "ab0 []()=,.:+*\"#é";

  for (guint n = 0; n < 20000; n++)
    {
      char line[16];
      guint length = (guint) g_test_rand_int_range (0, 12);

      for (guint i = 0; i < length; i++)
        line[i] = letters[g_test_rand_int_range (0, (gint) strlen ("ab0 []()=,.:+*\"#"))];
      line[length] = '\0';
      for (glong at = -1; at <= (glong) length; at++)
        g_free (ls_run_text_expression_at (line, at));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-text/places", test_places);
  g_test_add_func ("/run-text/any", test_any);
  return g_test_run ();
}
