/* As order.c, with programs of other shapes: matrices, narrow types, triangles, conditions of blocks, loops and scalars inside of blocks, places
 * that memory holds, maxima, statements outside of blocks; and with moves that make copies, pad, roll and cut.  A strict schedule either
 * refuses a step, warns that it does not know, or the program computes what it did, in whichever order rounds run.  What it warns of it tried
 * on numbers of its own: on others, too, the program computes what it did, but for data that it did not meet.
 *
 * LS_FUZZ_SEED, LS_FUZZ_PROGRAMS, LS_FUZZ_SECONDS: tests/support/seeds.h; LS_FUZZ_TRACE=1 says each program and step, for what ends the process.
 */
#include "engine/base/table-order.h"
#include "engine/schedule/schedule.h"
#include "tests/property/turned.h"
#include "tests/support/random.h"
#include "tests/support/seeds.h"
#include "tests/support/support.h"

#include <string.h>

#define STEPS 5

typedef struct {
  GRand      *rand;
  GString    *text;
  const char *type;
  guint       n_loops;          /* of this nest: vi, vj, vk */
} Maker;

static gint
pick (Maker *m,
      gint   n)
{
  return g_rand_int_range (m->rand, 0, n);
}

static const char *
variable (Maker *m)
{
  static const char *const names[] = { "vi", "vj", "vk" };

  return names[pick (m, (gint) m->n_loops)];
}

/* 0 to 5. */
static char *
index_text (Maker *m)
{
  const char *a = variable (m), *b = variable (m);

  switch (pick (m, 16))
    {
    case 0: case 1: case 2: case 3: case 4: return g_strdup (a);
    case 5: return g_strdup_printf ("%s + %d", a, 1 + pick (m, 2));
    case 6: return g_strdup_printf ("3 - %s", a);
    case 7: return g_strdup_printf ("(%s + %s) %% %d", a, b, 3 + pick (m, 4));
    case 8: return g_strdup_printf ("%s // 2", a);
    case 9: return g_strdup_printf ("%d", pick (m, 6));
    case 10: return g_strdup_printf ("T.max(%s - %s, 0)", a, b);
    case 11: return g_strdup_printf ("T.min(%s + %d, 5)", a, 2 + pick (m, 3));
    case 12: return g_strdup_printf ("(%s * 2 + %s) %% 5", a, b);
    case 13: return g_strdup_printf ("T.bitwise_and(D[%s], %d)", a, pick (m, 2) ? 3 : 1);
    case 14: return g_strdup_printf ("T.if_then_else(%s < 2, %s, %s)", a, a, b);
    default: return g_strdup_printf ("%s %% 2", a);
    }
}

/* Of a matrix; `named`: this one. */
static char *
element (Maker      *m,
         const char *named)
{
  static const char *const names[] = { "A", "B", "C", "t" };
  g_autofree char *row = index_text (m), *column = index_text (m);

  return g_strdup_printf ("%s[%s, %s]", named != NULL ? named : names[pick (m, 4)], row, column);
}

static void
put_body (Maker      *m,
          const char *pad)
{
  g_autofree char *to = element (m, NULL), *one = element (m, NULL), *two = element (m, NULL), *three = element (m, NULL);

  switch (pick (m, 9))
    {
    case 0: case 1: case 2:
      g_string_append_printf (m->text, "%s%s = %s * T.%s(3) + %s\n", pad, to, one, m->type, two);
      break;
    case 3:
      g_string_append_printf (m->text, "%sif %s < T.%s(2):\n%s    %s = %s + %s\n", pad, three, m->type, pad, to, one, two);
      break;
    case 4:
      g_string_append_printf (m->text, "%sfor u in range(3):\n%s    %.2su] = %.2su] + %s\n", pad, pad, pick (m, 2) ? "D[" : "E[", pick (m, 2) ? "D[" : "E[", "D[u + 1]");
      break;
    case 5:
      g_string_append_printf (m->text, "%sfor u in range(2):\n%s    %.1s[%s, u] = %.1s[u, %s] + %s\n", pad, pad, to, variable (m), one, variable (m), two);
      break;
    case 6:
      g_string_append_printf (m->text, "%ss: T.%s = %s\n%s%s = s + %s\n", pad, m->type, one, pad, to, two);
      break;
    case 7:
      g_string_append_printf (m->text, "%s%s = %s\n%s%s = %s\n", pad, to, one, pad, three, two);
      break;
    default:
      g_string_append_printf (m->text, "%s%s = T.max(%s, %s)\n", pad, to, one, two);
    }
}

/* A sum or maximum over the last loop. */
static void
put_sum (Maker      *m,
         const char *pad)
{
  static const char *const names[] = { "A", "B", "C", "t" };
  const char *name = names[pick (m, 4)], *column = m->n_loops > 2 ? "vj" : pick (m, 2) ? "0" : "vi";
  g_autofree char *to = g_strdup_printf ("%s[vi, %s]", name, column), *term = element (m, NULL);
  gint kind = pick (m, 3);

  if (pick (m, 4) > 0)
    g_string_append_printf (m->text, "%swith T.init():\n%s    %s = T.%s(%d)\n", pad, pad, to, m->type, kind > 0 ? -100 : 0);
  if (kind > 0)
    g_string_append_printf (m->text, "%s%s = T.max(%s, %s)\n", pad, to, to, term);
  else
    g_string_append_printf (m->text, "%s%s = %s + %s\n", pad, to, to, term);
}

static void
put_block (Maker      *m,
           const char *name,
           guint       depth)
{
  g_autofree char *pad = g_strnfill (depth * 4, ' '), *in = g_strnfill (depth * 4 + 4, ' ');
  static const char *const loops[] = { "i", "i, j", "i, j, k" }, *const variables[] = { "vi", "vi, vj", "vi, vj, vk" };
  gboolean sum = m->n_loops > 1 && pick (m, 4) == 0;
  char axes[4] = "SSS";

  axes[m->n_loops] = 0;
  if (sum)
    axes[m->n_loops - 1] = 'R';
  g_string_append_printf (m->text, "%swith T.block(\"%s\"):\n%s%s = T.axis.remap(\"%s\", [%s])\n", pad, name, in, variables[m->n_loops - 1], axes, loops[m->n_loops - 1]);
  if (pick (m, 6) == 0)
    g_string_append_printf (m->text, "%sT.where(%s < 3)\n", in, m->n_loops > 1 && pick (m, 2) ? "i + j" : pick (m, 2) ? "D[i]" : "i");
  if (sum)
    put_sum (m, in);
  else
    put_body (m, in);
}

/* The loops of a nest; how deep what is in them stands. */
static guint
put_loops (Maker *m)
{
  gboolean triangle = m->n_loops > 1 && pick (m, 8) == 0;

  if (m->n_loops == 1)
    g_string_append (m->text, "    for i in range(4):\n");
  else if (triangle)
    g_string_append (m->text, "    for i in range(4):\n        for j in range(i + 1):\n");
  else
    g_string_append (m->text, m->n_loops == 2 ? "    for i, j in T.grid(4, 3):\n" : "    for i, j, k in T.grid(4, 3, 2):\n");
  if (triangle && m->n_loops > 2)
    g_string_append (m->text, "            for k in range(2):\n");
  return triangle ? m->n_loops + 1 : 2;
}

static char *
program (GRand *rand)
{
  static const char *const types[] = { "int32", "int8", "int16", "int64", "int32" };
  Maker m = { rand, g_string_new ("from tvm.script import tir as T\n@T.prim_func\ndef main("), NULL, 0 };
  guint n_nests, n = 0;

  m.type = types[pick (&m, 5)];
  n_nests = 1 + (guint) pick (&m, 3);
  g_string_append_printf (m.text, "A: T.Buffer((6, 6), \"%s\"), B: T.Buffer((6, 6), \"%s\"), C: T.Buffer((6, 6), \"%s\"), D: T.Buffer((6,), \"int32\"), E: T.Buffer((6,), \"int32\")):\n"
                          "    t = T.alloc_buffer((6, 6), \"%s\")\n    for y, z in T.grid(6, 6):\n        with T.block(\"b0\"):\n"
                          "            vi, vj = T.axis.remap(\"SS\", [y, z])\n            t[vi, vj] = %s\n",
                          m.type, m.type, m.type, m.type, pick (&m, 2) ? "B[vi, vj]" : "A[vj, vi]");
  for (guint i = 0; i < n_nests; i++)
    {
      guint n_blocks = 1 + (pick (&m, 3) == 0), depth;

      m.n_loops = 1 + (guint) pick (&m, 3);
      depth = put_loops (&m);
      for (guint k = 0; k < n_blocks; k++)
        {
          g_autofree char *name = g_strdup_printf ("b%u", ++n);

          put_block (&m, name, depth);
        }
      if (pick (&m, 10) == 0)
        g_string_append_printf (m.text, "    for q in range(6):\n        %s[%d, q] = %s[q, %d]\n", pick (&m, 2) ? "A" : "t", pick (&m, 6), pick (&m, 2) ? "B" : "t", pick (&m, 6));
    }
  return g_string_free (m.text, FALSE);
}

static char *
loop_of (GRand *rand,
         guint  block)
{
  return g_strdup_printf ("sch.get_loops(\"b%u\")[%d]", block, g_rand_int_range (rand, 0, 3));
}

static char *
step (GRand *rand)
{
  guint a = (guint) g_rand_int_range (rand, 0, 5), b = (guint) g_rand_int_range (rand, 0, 5), n = (guint) g_rand_int_range (rand, 0, 3);
  g_autofree char *of_a = loop_of (rand, a), *of_b = loop_of (rand, b);
  const char *scope = g_rand_boolean (rand) ? "local" : "shared", *side = g_rand_boolean (rand) ? "read" : "write";

  switch (g_rand_int_range (rand, 0, 34))
    {
    case 0: case 1: return g_strdup_printf ("l = sch.get_loops(\"b%u\")\nsch.reorder(l[%u], l[%u])", a, 1 + n % 2, n / 2);
    case 2: return g_strdup_printf ("sch.parallel(%s)", of_a);
    case 3: return g_strdup_printf ("sch.bind(%s, \"%s\")", of_a, g_rand_boolean (rand) ? "blockIdx.x" : "blockIdx.y");
    case 4: return g_strdup_printf ("sch.vectorize(%s)", of_a);
    case 5: case 6: return g_strdup_printf ("sch.compute_at(\"b%u\", %s)", a, of_b);
    case 7: case 8: return g_strdup_printf ("sch.reverse_compute_at(\"b%u\", %s)", a, of_b);
    case 9: return g_strdup_printf ("sch.compute_inline(\"b%u\")", a);
    case 10: return g_strdup_printf ("sch.reverse_compute_inline(\"b%u\")", a);
    case 11: return g_strdup_printf ("sch.decompose_reduction(\"b%u\", %s)", a, of_a);
    case 12: return g_strdup_printf ("sch.cache_read(\"b%u\", %u, \"%s\")", a, n, scope);
    case 13: return g_strdup_printf ("sch.cache_write(\"b%u\", %u, \"%s\")", a, n / 2, scope);
    case 14: return g_strdup_printf ("sch.rfactor(%s, %u)", of_a, n);
    case 15: return g_strdup_printf ("sch.blockize(%s)", of_a);
    case 16: return g_strdup_printf ("sch.reindex(\"b%u\", (\"%s\", %u))", a, side, n / 2);
    case 17: return g_strdup_printf ("sch.transform_layout(\"b%u\", (\"%s\", %u), lambda i, j: (j, i // 2, i %% 2))", a, side, n / 2);
    case 18: return g_strdup_printf ("sch.transform_layout(\"b%u\", (\"%s\", 0), lambda i, j: (i // 4, j, i %% 4), pad_value=%d)", a, side, (int) n);
    case 19: return g_strdup_printf ("sch.merge(%s, %s)", of_a, of_b);
    case 20: return g_strdup_printf ("x, y = sch.split(%s, [None, %u])\nsch.%s", of_a, 2 + n / 2, n == 0 ? "reorder(y, x)" : n == 1 ? "parallel(x)" : "vectorize(y)");
    case 21: return g_strdup_printf ("l = sch.get_loops(\"b%u\")\nf = sch.fuse(l[%u], l[%u])\nsch.%s(f)", a, n / 2, n / 2 + 1, n == 0 ? "vectorize" : n == 1 ? "parallel" : "unroll");
    case 22: return g_strdup_printf ("sch.reindex_cache_read(\"b%u\", %u, \"%s\", lambda i, j: (j, i))", a, n / 2, scope);
    case 23: return g_strdup_printf ("sch.reindex_cache_write(\"b%u\", 0, \"%s\", lambda i, j: (j, i))", a, scope);
    case 24: return g_strdup_printf ("sch.loop_partition(%s, [%u, None])", of_a, 1 + n);
    case 25: return g_strdup_printf ("sch.rolling_buffer(\"b%u\", 0)", a);
    case 26: return g_strdup_printf ("sch.read_at(%s, \"b%u\", %u, \"%s\")", of_b, a, n, scope);
    case 27: return g_strdup_printf ("sch.write_at(%s, \"b%u\", 0, \"%s\")", of_b, a, scope);
    case 28: return g_strdup_printf ("sch.pad_einsum(\"b%u\", [%u, 2])", a, 2 + n);
    case 29: return g_strdup_printf ("sch.decompose_padding(\"b%u\", %s)", a, of_a);
    case 30: return g_strdup_printf ("sch.set_scope(\"b%u\", 0, \"%s\")", a, scope);
    case 31: return g_strdup_printf ("sch.transform_block_layout(\"b%u\", lambda i, j: (%s))", a, n == 0 ? "j, i" : n == 1 ? "i * 3 + j," : "i, 2 - j");
    case 32: return g_strdup_printf ("sch.cache_index(\"b%u\", \"global\", 0)", a);
    default: return g_strdup_printf ("sch.cache_inplace(\"b%u\", %u, \"%s\")", a, n / 2, scope);
    }
}

static gboolean
has_warning (LsDiagnostics *findings)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    if (ls_diagnostics_get (findings, i)->severity == LS_SEVERITY_WARNING)
      return TRUE;
  return FALSE;
}

static gboolean
has_words (LsDiagnostics *findings,
           const char    *words)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    if (strstr (ls_diagnostics_get (findings, i)->message, words) != NULL)
      return TRUE;
  return FALSE;
}

typedef struct {
  guint accepted, refused, order, numbers, asked, runs, unknown, unmet, wrong;
  GHashTable *warnings;         /* what is warned of, owned -> how often */
} Tally;

/* The code, and behind it why the order is not decided. */
static void
note_warning (Tally         *tally,
              LsDiagnostics *findings)
{
  const LsDiagnostic *finding = NULL;
  const char *why;
  char *key;

  for (guint i = 0; finding == NULL || finding->severity != LS_SEVERITY_WARNING; i++)
    finding = ls_diagnostics_get (findings, i);
  why = g_str_has_suffix (finding->code, "/dependence-unknown") ? strrchr (finding->message, ':') : NULL;
  key = g_strconcat (finding->code, why, NULL);
  g_hash_table_replace (tally->warnings, key, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (tally->warnings, key)) + 1));
}

/* How often each was warned of, in the order of their names. */
static void
tell_warnings (Tally *tally)
{
  g_autoptr (GPtrArray) names = ls_table_names (tally->warnings);

  for (guint i = 0; i < names->len; i++)
    g_test_message ("%5u %s", GPOINTER_TO_UINT (g_hash_table_lookup (tally->warnings, names->pdata[i])), (char *) names->pdata[i]);
}

static void
check_one (guint  seed,
           Tally *tally)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autofree char *text = program (rand);
  gboolean trace = g_getenv ("LS_FUZZ_TRACE") != NULL;
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsSchedule) schedule = NULL;
  g_autoptr (GBytes) want = NULL;
  g_autoptr (GString) done = g_string_new (NULL);

  if (trace)
    g_printerr ("seed %u\n%s", seed, text);
  module = ls_test_parse (text);
  want = ls_turned_run (module);
  g_assert_nonnull (want);
  schedule = ls_schedule_new (module);
  ls_schedule_set_strict (schedule, TRUE);
  for (guint i = 0; i < STEPS; i++)
    {
      g_autofree char *steps = step (rand);
      g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      guint n = ls_schedule_get_n_steps (schedule);

      if (trace)
        g_printerr ("%s\n", steps);
      ls_schedule_apply_text (schedule, source, 0, findings);
      if (ls_diagnostics_has_error (findings))
        {
          gboolean order = g_str_has_suffix (ls_diagnostics_get (findings, 0)->code, "/dependence"), numbers = has_words (findings, " random numbers");

          tally->refused += !order && !numbers;
          tally->order += order;
          tally->numbers += numbers;
          ls_schedule_undo_to (schedule, n);
          continue;
        }
      if (has_warning (findings))
        {
          gboolean asked = has_words (findings, " is a parameter: "), runs = has_words (findings, "Runs on random numbers give the same results.");

          note_warning (tally, findings);
          tally->asked += asked;
          tally->runs += !asked && runs;
          tally->unknown += !asked && !runs;
          /* whoever calls has to give another layout */
          if (asked)
            return;
          g_string_append_printf (done, "%s\n", steps);
          if (ls_turned_same (want, ls_schedule_get_module (schedule)))
            continue;
          tally->unmet++;
          g_test_message ("seed %u: warned of, and other numbers\n%s\n%s%s", seed, text, done->str, ls_diagnostics_get (findings, 0)->code);
          return;
        }
      tally->accepted++;
      g_string_append_printf (done, "%s\n", steps);
      if (ls_turned_same (want, ls_schedule_get_module (schedule)))
        continue;
      g_test_message ("seed %u: other numbers\n%s\n%s", seed, text, done->str);
      g_test_fail ();
      tally->wrong++;
      return;
    }
}

static void
test_strict (void)
{
  g_autoptr (GHashTable) warnings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Tally tally = { .warnings = warnings };
  LsSeeds seeds;
  guint32 number;

  ls_seeds_begin (&seeds, ls_test_count (1500, 60000));
  while (ls_seeds_next (&seeds, tally.wrong, &number))
    check_one (number, &tally);
  ls_seeds_end (&seeds, "programs", tally.wrong);
  g_test_message ("%u accepted, %u refused by the conditions, %u for their order, %u for their numbers, %u asked for another layout, %u warned of and the same in runs, "
                  "%u not decided, %u of them wrong", tally.accepted, tally.refused, tally.order, tally.numbers, tally.asked, tally.runs, tally.unknown, tally.unmet);
  tell_warnings (&tally);
  g_assert_cmpuint (tally.numbers, >=, seeds.done >= 1000 ? seeds.done / 300 : 0);
  g_assert_cmpuint (tally.unmet, <=, seeds.done / 500);
  g_assert_cmpuint (tally.unknown, <=, seeds.done / 50);
  g_assert_cmpuint (tally.accepted, >=, seeds.done >= 1000 ? seeds.done / 4 : 0);
  g_assert_cmpuint (tally.order, >=, seeds.done >= 1000 ? seeds.done / 30 : 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/property/order-shapes/strict", test_strict);
  return g_test_run ();
}
