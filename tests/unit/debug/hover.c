/* The value under the pointer: of every expression of every statement where a run stands still, held against the same expression read from its text, and
 * the reason where there is none; and of every other place of the text an answer, too. */
#include "engine/debug/debug.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"

static const char product[] = HEAD
  "    def main(A: T.Buffer((6, 8)), B: T.Buffer((8, 4)), C: T.Buffer((6, 4))):\n"
  "        Y = T.alloc_buffer((6, 4))\n"
  "        for i, j, k in T.grid(6, 4, 8):\n"
  "            with T.block(\"Y\"):\n"
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
  "                with T.init():\n"
  "                    Y[vi, vj] = T.float32(0)\n"
  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n"
  "        for i0 in range(2):\n"
  "            for i1, j in T.grid(4, 4):\n"
  "                with T.block(\"C\"):\n"
  "                    vi = T.axis.spatial(6, i0 * 4 + i1)\n"
  "                    vj = T.axis.spatial(4, j)\n"
  "                    T.where(i0 * 4 + i1 < 6)\n"
  "                    C[vi, vj] = T.max(Y[vi, vj], T.float32(0))\n";

/* Each kind of expression. */
static const char kinds[] = HEAD
  "    def main(A: T.Buffer((16,), \"float32\"), N: T.Buffer((16,), \"int32\"), H: T.Buffer((16,), \"float16\"), m: T.int32, C: T.Buffer((16,), \"float32\")):\n"
  "        for i in range(16):\n"
  "            x = T.float32(2) * A[i] + T.Cast(\"float32\", i)\n"
  "            if i > 3 and not (N[i] == 2) or m < i:\n"
  "                C[i] = T.Select(i % 2 == 0, T.exp(x), T.if_then_else(i > 0, A[i - 1], T.float32(0)))\n"
  "            else:\n"
  "                C[i] = T.min(T.max(x, T.float32(-1)), T.Cast(\"float32\", H[i])) - T.Cast(\"float32\", i // 3 * 2 + T.truncmod(N[i], 3))\n"
  "            while N[i] >= 1 and N[i] != 5:\n"
  "                N[i] = T.shift_right(N[i], 1) + T.bitwise_and(i, 0)\n"
  "            C[i] = C[i] + T.Let(y * y + x, where={y: T.float32(3)}) if False else C[i]\n";

/* Vectors and flat memory, as a lowering leaves them. */
static const char lanes[] = HEAD
  "    def main(A: T.Buffer((32,), \"float32\"), C: T.Buffer((32,), \"float32\")):\n"
  "        for i in range(8):\n"
  "            C[i * 4:i * 4 + 4] = A[i * 4:i * 4 + 4] * T.Broadcast(T.float32(2), 4) + T.Broadcast(T.Cast(\"float32\", i), 4)\n";

/* ---- one place -------------------------------------------------------------------------------------- */

typedef struct {
  guint n, n_values, n_reasons, n_read;
} Count;

/* NULL: there is no value, and the error says why. */
static GVariant *
ask (LsDebug      *debug,
     guint32       offset,
     GError      **error)
{
  LsDebugText *text = ls_debug_get_text (debug);
  guint line = ls_source_map_line_of (text->map, offset);
  guint32 start = ls_source_map_line_start (text->map, line);
  g_autoptr (GVariant) answer = ls_debug_ask_at (debug, line, (guint) g_utf8_strlen (text->text + start, offset - start) + 1, error);
  const char *reason;

  if (answer == NULL || !g_variant_lookup (answer, "reason", "&s", &reason))
    return g_steal_pointer (&answer);
  g_set_error_literal (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND, reason);
  return NULL;
}

/* What has no value says which of these. */
static gboolean
is_reason (const char *message)
{
  static const char *const words[] = { "has no value", "is not known here", "outside", "it goes from", "may do something", "place in memory", "no memory", "divi", "No expression stands there" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (message, words[i]) != NULL)
      return TRUE;
  g_test_message ("no reason: %s", message);
  return FALSE;
}

/* The value of an expression that the statement evaluates: at the first character that is its own. */
static void
try_expression (LsDebug             *debug,
                const LsSourceRange *range,
                Count               *count)
{
  LsDebugText *text = ls_debug_get_text (debug);
  guint32 at = range->start;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) read_error = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) read = NULL;
  g_autofree char *words = NULL;
  const char *value = "", *other = "", *expression = "";

  while (at < range->end && (ls_source_map_at (text->map, at) != range || text->text[at] == ' '))
    at++;
  if (at == range->end)
    return;                     /* all of it is parts: those are tried */
  count->n++;
  answer = ask (debug, at, &error);
  if (answer == NULL)
    {
      if (!is_reason (error->message))
        g_error ("%.*s: %s", (int) (range->end - range->start), text->text + range->start, error->message);
      count->n_reasons++;
      return;
    }
  count->n_values++;
  g_assert_true (g_variant_lookup (answer, "text", "&s", &value) && g_variant_lookup (answer, "expression", "&s", &expression));
  g_assert_cmpstr (value, !=, "");
  words = g_strndup (text->text + range->start, range->end - range->start);
  if (ls_is_expr (range->node))
    g_assert_cmpstr (expression, ==, words);
  read = ls_debug_ask (debug, expression, &read_error);
  if (read != NULL && g_variant_lookup (read, "text", "&s", &other) && *value != '[')
    {
      g_assert_cmpstr (value, ==, other);
      count->n_read++;
    }
}

static gboolean
is_below (LsDebugText         *text,
          LsPrimFunc          *func,
          const LsDebugPlace  *place,
          guint                number,
          const LsSourceRange *range)
{
  g_autoptr (LsPath) path = ls_source_map_dup_path (text->map, range);

  if (path->n < place->path->n || memcmp (path->steps, place->path->steps, place->path->n * sizeof path->steps[0]) != 0)
    return FALSE;
  /* no part of a statement inside it */
  for (guint i = number + 1; i < place->end; i++)
    {
      const LsDebugPlace *inner = ls_debug_text_place (text, func, i);

      if (path->n >= inner->path->n && memcmp (path->steps, inner->path->steps, inner->path->n * sizeof path->steps[0]) == 0)
        return FALSE;
    }
  return TRUE;
}

/* All expressions of the statement that comes next. */
static void
try_statement (LsDebug *debug,
               Count   *count)
{
  LsDebugText *text = ls_debug_get_text (debug);
  LsRunFrame frame;
  LsPrimFunc *func;
  const LsDebugPlace *place;
  guint n, depth = ls_run_get_depth (ls_debug_get_run (debug));
  const LsSourceRange *ranges = ls_source_map_get_ranges (text->map, &n);

  ls_run_get_frame (ls_debug_get_run (debug), depth - 1, &frame);
  func = frame.func;
  place = ls_debug_text_place (text, func, frame.number);
  g_assert_nonnull (place);
  for (guint i = 0; i < n; i++)
    if ((ls_is_expr (ranges[i].node) || ls_is (ranges[i].node, BUFFER)) && is_below (text, func, place, frame.number, &ranges[i]))
      try_expression (debug, &ranges[i], count);
}

/* Every character of the text: an answer or a reason, and nothing moves. */
static void
try_all (LsDebug *debug,
         Count   *count)
{
  LsDebugText *text = ls_debug_get_text (debug);
  g_autoptr (GVariant) before = ls_debug_look (debug);
  g_autoptr (GVariant) after = NULL;
  g_autofree char *words = g_variant_print (before, FALSE);
  g_autofree char *later = NULL;

  for (guint32 at = 0; text->text[at] != '\0'; at++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GVariant) answer = NULL;

      if ((text->text[at] & 0xc0) == 0x80)
        continue;
      answer = ask (debug, at, &error);
      g_assert_true (answer != NULL || is_reason (error->message));
      count->n += answer != NULL;
    }
  after = ls_debug_look (debug);
  later = g_variant_print (after, FALSE);
  g_assert_cmpstr (later, ==, words);
}

/* ---- programs ------------------------------------------------------------------------------------------ */

static LsDebug *
open_module (LsModule *module)
{
  static const char *const set[] = { "m=2", NULL };
  LsDebugInputs inputs = { NULL, set, 3 };
  g_autoptr (GError) error = NULL;
  LsDebug *debug = ls_debug_new (module, NULL, &inputs, &error);

  g_assert_no_error (error);
  return debug;
}

/* Stands still at each statement the first times that it comes. */
static void
walk (LsModule *module,
      guint     most,
      Count    *count,
      Count    *all)
{
  g_autoptr (LsDebug) debug = open_module (module);
  g_autoptr (GHashTable) met = g_hash_table_new (NULL, NULL);
  guint clock = 0;

  for (guint tried = 0; tried < most && ls_run_get_state (ls_debug_get_run (debug)) == LS_RUN_STANDS; ls_debug_go_to (debug, ++clock))
    {
      LsRunFrame frame;
      guint times;

      if (ls_run_get_depth (ls_debug_get_run (debug)) == 0)
        continue;
      ls_run_get_frame (ls_debug_get_run (debug), ls_run_get_depth (ls_debug_get_run (debug)) - 1, &frame);
      times = GPOINTER_TO_UINT (g_hash_table_lookup (met, GUINT_TO_POINTER (frame.number + 1)));
      if (times >= 3)
        continue;
      g_hash_table_insert (met, GUINT_TO_POINTER (frame.number + 1), GUINT_TO_POINTER (times + 1));
      try_statement (debug, count);
      if (times == 0)
        try_all (debug, all);
      tried++;
    }
}

static void
test_every (gconstpointer data)
{
  g_autoptr (LsModule) module = ls_test_parse (data);
  Count count = { 0 }, all = { 0 };

  walk (module, 200, &count, &all);
  g_test_message ("%u expressions of statements: %u values (%u read again from their text), %u reasons; %u places elsewhere with a value", count.n, count.n_values,
                  count.n_read, count.n_reasons, all.n);
  g_assert_cmpuint (count.n_values, >, 20);
  g_assert_cmpuint (count.n_values + count.n_reasons, ==, count.n);
  g_assert_cmpuint (count.n_reasons * 5, <, count.n);
}

/* The same program after the passes that lower it. */
static void
test_lowered (void)
{
  g_autoptr (LsModule) module = ls_test_parse (product);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) lowered = ls_lower_module (module, NULL, NULL, &error);
  Count count = { 0 }, all = { 0 };

  g_assert_no_error (error);
  walk (lowered, 60, &count, &all);
  g_assert_cmpuint (count.n_values, >, 20);
}

/* Each sample of TensorIR, at a toy size. */
static void
test_samples (void)
{
  g_autofree char *folder = ls_test_path ("../data/samples");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL;
      g_autoptr (LsModule) module = NULL;
      g_autoptr (LsModule) toy = NULL;
      g_autoptr (LsDebug) debug = NULL;
      Count count = { 0 }, all = { 0 };

      if (!g_str_has_suffix (name, ".py") || strstr (name, "_steps") != NULL || !g_file_get_contents (path, &text, NULL, NULL) || strstr (text, "R.function") != NULL || strstr (text, "import tvm") != NULL)
        continue;
      module = ls_test_parse (text);
      toy = ls_debug_toy (module, 8, NULL, NULL);
      debug = ls_debug_new (toy != NULL ? toy : module, NULL, NULL, NULL);
      if (debug == NULL)
        continue;
      g_test_message ("%s", name);
      walk (toy != NULL ? toy : module, 16, &count, &all);
      g_assert_cmpuint (count.n_values, >, 4);
      n++;
    }
  g_assert_cmpuint (n, >=, 7);
}

/* ---- what exactly is told ---------------------------------------------------------------------------- */

/* Of the `nth` mention of `words` in the text, at its character `at`: "expression = text", or the reason. */
static char *
told (LsDebug    *debug,
      const char *words,
      guint       nth,
      guint       at)
{
  LsDebugText *text = ls_debug_get_text (debug);
  const char *found = strstr (text->text, words), *expression = "", *value = "";
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;

  while (nth-- > 0 && found != NULL)
    found = strstr (found + 1, words);
  g_assert_nonnull (found);
  answer = ask (debug, (guint32) (found - text->text) + at, &error);
  if (answer == NULL)
    return g_strdup (error->message);
  g_variant_lookup (answer, "expression", "&s", &expression);
  g_variant_lookup (answer, "text", "&s", &value);
  return g_strdup_printf ("%s = %s", expression, value);
}

static void
expect (LsDebug    *debug,
        const char *words,
        guint       at,
        const char *begins)
{
  g_autofree char *found = told (debug, words, 0, at);

  if (!g_str_has_prefix (found, begins))
    g_error ("%s at %u: %s, not %s", words, at, found, begins);
}

/* Before the first write of an element its memory holds anything. */
static void
test_unwritten (LsDebug *debug)
{
  LsDebugText *text = ls_debug_get_text (debug);
  g_autoptr (GVariant) answer = ask (debug, (guint32) (strstr (text->text, "Y[vi, vj] = T.float32(0.0)") - text->text), NULL);
  gboolean written = TRUE;
  const char *said = "";

  g_assert_true (answer != NULL && g_variant_lookup (answer, "written", "b", &written));
  g_assert_false (written);
  g_assert_true (g_variant_lookup (answer, "text", "&s", &said));
  g_assert_cmpstr (said, ==, "not written yet");
  g_assert_false (g_variant_lookup (answer, "value", "d", NULL));
}

/* `print` says the same; an array of the caller's holds what he put there. */
static void
test_print (LsDebug    *debug,
            const char *element,
            const char *expected)
{
  g_autofree char *words = g_strconcat ("print ", element, NULL);
  g_autoptr (GVariant) answer = ls_debug_command (debug, words, NULL);
  gboolean written = TRUE;
  const char *said = "";

  g_assert_true (answer != NULL && g_variant_lookup (answer, "text", "&s", &said));
  g_variant_lookup (answer, "written", "b", &written);
  g_assert_cmpstr (said, ==, expected);
  g_assert_cmpint (written, ==, strstr (expected, "not written yet") == NULL);
}

/* However often somebody asks, nothing of it is kept. */
static void
test_released (LsDebug *debug)
{
  LsDebugText *text = ls_debug_get_text (debug);
  guint n;

  g_variant_unref (ls_debug_look (debug));       /* what the statement itself evaluates is kept */
  n = ls_run_get_n_prepared (ls_debug_get_run (debug));
  for (guint i = 0; i < 40; i++)
    {
      g_autoptr (GVariant) sum = ask (debug, (guint32) (strstr (text->text, "+ A[vi, vk]") - text->text), NULL);
      g_autoptr (GVariant) printed = ls_debug_command (debug, "print A[vi, vk] * 2 + Y[0, 0]", NULL);
      g_autoptr (GVariant) unwritten = ls_debug_command (debug, "print Y[5, 3]", NULL);
      g_autoptr (GVariant) plot = ls_debug_command (debug, "plot vk * 2", NULL);
      g_autoptr (GVariant) wrong = ls_debug_command (debug, "print A[100, 100]", NULL);

      g_assert_true (sum != NULL && printed != NULL && unwritten != NULL && plot != NULL && wrong == NULL);
    }
  g_assert_cmpuint (ls_run_get_n_prepared (ls_debug_get_run (debug)), ==, n);
}

/* "at LINE COLUMN" of the prompt. */
static void
test_command (LsDebug *debug)
{
  static const char *const wrong[] = { "at", "at 3", "at x 2", "at 0 1", "at 1 0", "at 3 4 5", "at 99999 1", "at 1 99999", "at 99999999999999999999 1" };
  LsDebugText *text = ls_debug_get_text (debug);
  guint32 offset = (guint32) (strstr (text->text, "A[vi, vk] * B") - text->text);
  guint line = ls_source_map_line_of (text->map, offset);
  g_autofree char *words = g_strdup_printf ("at %u %u", line, offset - ls_source_map_line_start (text->map, line) + 1);
  g_autoptr (GVariant) answer = ls_debug_command (debug, words, NULL);
  const char *expression = "";

  g_assert_true (answer != NULL && g_variant_lookup (answer, "expression", "&s", &expression));
  g_assert_cmpstr (expression, ==, "A[vi, vk]");
  g_assert_false (g_variant_lookup (answer, "written", "b", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GVariant) none = ls_debug_command (debug, wrong[i], &error);

      g_assert_null (none);
      g_assert_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND);
    }
}

static void
test_words (void)
{
  g_autoptr (LsModule) module = ls_test_parse (product);
  g_autoptr (LsDebug) debug = open_module (module);
  g_autoptr (GVariant) answer = ls_debug_command (debug, "write Y[1, 2]", NULL);

  g_assert_nonnull (answer);
  test_unwritten (debug);
  g_variant_unref (g_steal_pointer (&answer));
  answer = ls_debug_command (debug, "write Y[1, 2]", NULL);         /* the first sum */
  expect (debug, "A[vi, vk] * B", 10, "A[vi, vk] * B[vk, vj] = ");  /* the sign of a product, not the whole sum */
  expect (debug, "+ A[vi, vk]", 0, "Y[vi, vj] + A[vi, vk] * B[vk, vj] = ");
  expect (debug, "A[vi, vk] * B", 0, "A[vi, vk] = ");
  expect (debug, "A[vi, vk] * B", 2, "vi = 1");
  expect (debug, "Y[vi, vj] = Y", 0, "Y[vi, vj] = 0");
  expect (debug, "[i, j, k])", 4, "j = 2");
  expect (debug, "T.reads(A[vi, vk]", 8, "A[vi, vk] = ");
  expect (debug, "for i, j, k in", 4, "i = 1");
  expect (debug, "T.grid(6, 4, 8)", 7, "6 = 6");
  expect (debug, "i0 * 4 + i1", 0, "i0 has no value now: what binds it is not under way.");
  expect (debug, "Y = T.alloc_buffer", 0, "Y = float32 (6, 4), 7 of 24 written, ");
  test_print (debug, "Y[1, 2]", "0");
  test_print (debug, "Y[5, 3]", "not written yet");
  test_print (debug, "C[0, 0]", "0, not written yet");
  test_released (debug);
  expect (debug, "A: T.Buffer", 0, "A = float32 (6, 8), ");
  expect (debug, "with T.block(\"Y\")", 0, "No expression stands there.");
  test_command (debug);
  answer = (g_variant_unref (g_steal_pointer (&answer)), ls_debug_command (debug, "end", NULL));
  expect (debug, "A[vi, vk] * B", 2, "vi has no value: the run is over.");
}

/* A block that is about to begin says what its variables will be; lanes are told one by one. */
static void
test_kinds (void)
{
  g_autoptr (LsModule) module = ls_test_parse (product);
  g_autoptr (LsModule) wide = ls_test_parse (lanes);
  g_autoptr (LsDebug) debug = open_module (module);
  g_autoptr (LsDebug) vector = open_module (wide);
  g_autoptr (GVariant) answer = ls_debug_command (debug, "loop k if i == 2 and j == 3 and k == 5", NULL);

  g_assert_nonnull (answer);
  expect (debug, "vi, vj, vk = T", 8, "vk = 5");
  g_variant_unref (answer);
  answer = ls_debug_command (vector, "loop i if i == 3", NULL);
  expect (vector, "T.Broadcast(T.Cast", 2, "T.Broadcast(T.Cast(\"float32\", i), 4) = [3, 3, 3, 3]");
  expect (vector, "A[i * 4", 0, "A[i * 4:i * 4 + 4] = [");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/hover/product", product, test_every);
  g_test_add_data_func ("/hover/kinds", kinds, test_every);
  g_test_add_data_func ("/hover/lanes", lanes, test_every);
  g_test_add_func ("/hover/lowered", test_lowered);
  g_test_add_func ("/hover/samples", test_samples);
  g_test_add_func ("/hover/words", test_words);
  g_test_add_func ("/hover/vectors", test_kinds);
  return g_test_run ();
}
