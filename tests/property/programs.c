/* No pass and no level of optimisation changes what a low-level program computes: programs of all types (random-tir), the interpreter
 * as the judge of each pass alone, of the whole lowering, and of machine code of levels 0 and 3.
 *
 *   /programs/corpus     what was wrong once: tests/property/corpus/NAME.py
 *   /programs/wraps      low bits of multiples of a loop's variable, as values and as indices
 *   /programs/random     by number, which is the seed; LS_FUZZ_SEED, LS_FUZZ_PROGRAMS, LS_FUZZ_SECONDS, LS_FUZZ_COMPILED: tests/support/seeds.h
 *   LS_FUZZ_TRACE=1      says what it is about to do, for what ends the process
 *
 * A program that fails is made small (engine/script/reduce) and shown; put it into the corpus.
 */
#include "engine/script/reduce.h"
#include "engine/script/script.h"
#include "tests/property/judge.h"
#include "tests/support/random.h"
#include "tests/support/seeds.h"
#include "tests/support/support.h"

#include <string.h>

/* ---- one program ------------------------------------------------------------------------------ */

typedef struct {
  const char *what;             /* up to the colon: which step was wrong */
  gboolean    compiled;
} Same;

static gboolean
still_wrong (const char *text,
             gpointer    user_data,
             GError    **error)
{
  Same *same = user_data;
  g_autoptr (LsModule) module = ls_test_parse (text);
  LsJudge check = { .compiled = same->compiled };
  gboolean result;

  ls_judge_module (&check, module);
  result = check.what != NULL && strncmp (check.what, same->what, strcspn (same->what, ":") + 1) == 0;
  ls_judge_clear (&check);
  return result;
}

static void
complain (const char *name,
          const char *text,
          LsJudge    *check)
{
  Same same = { check->what, check->compiled };
  g_autofree char *small = ls_reduce (text, still_wrong, NULL, &same, NULL);

  g_test_message ("%s: %s\n%s", name, check->what, small != NULL ? small : text);
  g_test_fail ();
}

/* FALSE: it has no meaning. */
static gboolean
check_text (const char *name,
            const char *text,
            gboolean    compiled,
            guint      *wrong)
{
  g_autoptr (LsModule) module = ls_test_parse (text);
  LsJudge check = { .compiled = compiled };
  gboolean meaning;

  if (g_getenv ("LS_FUZZ_TRACE") != NULL)
    g_printerr ("%s\n%s", name, text);
  ls_judge_module (&check, module);
  meaning = !check.no_meaning;
  if (check.what != NULL)
    {
      complain (name, text, &check);
      (*wrong)++;
    }
  ls_judge_clear (&check);
  return meaning;
}

static void
corpus (void)
{
  g_autofree char *folder = ls_test_path ("property/corpus");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0, wrong = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".py"))
      {
        g_autofree char *relative = g_strconcat ("property/corpus/", name, NULL);
        g_autofree char *text = ls_test_read (relative, NULL);

        g_assert_true (check_text (name, text, TRUE, &wrong));
        n++;
      }
  g_assert_cmpuint (n, >, 0);
}

static void
random_programs (void)
{
  guint meant = 0, wrong = 0;
  guint32 number;
  LsSeeds seeds;

  ls_seeds_begin (&seeds, ls_test_count (1000, 20000));
  while (ls_seeds_next (&seeds, wrong, &number))
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (number);
      g_autofree char *text = ls_test_random_tir (rand), *name = g_strdup_printf ("program %u", number);

      meant += check_text (name, text, number % seeds.each == 0, &wrong);
    }
  ls_seeds_end (&seeds, "programs", wrong);
  g_assert_cmpuint (meant * 10, >=, seeds.done * 9);
}

/* Low bits of multiples of a loop's variable: as values loops with them become vectors, as indices they stay scalar (engine/codegen/wrap.c). */
static void
wraps (void)
{
  static const char *const LOW[] = { "i * %d %% %d", "T.truncmod(i * %d, %d)", "T.bitwise_and(i * %d, %d - 1)", "(i * %d + 3) %% %d", "(i + i * %d) %% %d" };
  static const char *const NARROW[] = { "T.Cast(\"int32\", T.Cast(\"int8\", i * %d))", "T.Cast(\"int32\", T.Cast(\"uint8\", i * %d + 7))" };
  static const char *const USES[] = {
    "B[i] = A[i] * 2 + (%s)", "B[i] = T.max(A[i], %s) - A[i] * A[i]", "B[i] = T.if_then_else((%s) < 3, A[i], A[i] * 3)", "B[i] = A[(%s) %% 64 + 0 * i]",
    "B[(%s) %% 64] = A[i] + i", "if (%s) == 1:\n            B[i] = A[i] * 5",
  };
  static const int TIMES[] = { 3, 5, 12, -5, 37 }, POWERS[] = { 2, 8, 32, 256 };
  guint wrong = 0, step = g_test_thorough () ? 1 : 4, n = 0;

  for (guint u = 0; u < G_N_ELEMENTS (USES); u++)
    for (guint t = 0; t < G_N_ELEMENTS (TIMES); t++)
      for (guint k = 0; k < G_N_ELEMENTS (LOW) * G_N_ELEMENTS (POWERS) + G_N_ELEMENTS (NARROW); k++)
        {
          guint form = k / G_N_ELEMENTS (POWERS);
          g_autofree char *low = NULL, *statement = NULL, *text = NULL;

          if (n++ % step != 0)
            continue;
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
          low = form < G_N_ELEMENTS (LOW) ? g_strdup_printf (LOW[form], TIMES[t], POWERS[k % G_N_ELEMENTS (POWERS)])
                                          : g_strdup_printf (NARROW[k - G_N_ELEMENTS (LOW) * G_N_ELEMENTS (POWERS)], TIMES[t]);
          statement = g_strdup_printf (USES[u], low);
G_GNUC_END_IGNORE_DEPRECATIONS
          text = g_strdup_printf ("from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((192,), \"int32\"), B: T.Buffer((192,), \"int32\")):\n"
                                  "    for i in range(192):\n        %s\n", statement);
          g_assert_true (check_text (statement, text, TRUE, &wrong));
        }
  g_assert_cmpuint (wrong, ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/programs/corpus", corpus);
  g_test_add_func ("/programs/wraps", wraps);
  g_test_add_func ("/programs/random", random_programs);
  return g_test_run ();
}
