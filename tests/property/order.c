/* A strict schedule never changes what a program computes, whatever its accesses: random small programs that write and read
 * at random places, random moves, the interpreter before and after.  Loops whose rounds run at the same time are run forwards,
 * backwards and in a shuffled order.  A refusal names two rounds, and by brute force they touch one element, in this order.
 */
#include "engine/interp/dependence.h"
#include "engine/schedule/schedule.h"
#include "tests/property/turned.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

#define N 5                     /* rounds of a loop */

typedef struct {
  GRand   *rand;
  GString *text;
  guint    n_loops;
} Maker;

static gint
pick (Maker *m,
      gint   n)
{
  return g_rand_int_range (m->rand, 0, n);
}

/* An index below 24 over vi, vj (or numbers). */
static char *
index_text (Maker *m)
{
  const char *a = "vi", *b = m->n_loops > 1 ? "vj" : "vi";

  switch (pick (m, 12))
    {
    case 0: return g_strdup (a);
    case 1: return g_strdup (b);
    case 2: return g_strdup_printf ("%s + 1", a);
    case 3: return g_strdup_printf ("%d - %s", N - 1, b);
    case 4: return g_strdup_printf ("%s + %s", a, b);
    case 5: return g_strdup_printf ("%s * %d + %s", a, 1 + pick (m, 4), b);
    case 6: return g_strdup_printf ("(%s + %s) %% %d", a, b, 2 + pick (m, 4));
    case 7: return g_strdup_printf ("%s // 2", a);
    case 8: return g_strdup_printf ("%d", pick (m, 3));
    case 9: return g_strdup_printf ("T.max(%s - %s, 0)", a, b);
    case 10: return g_strdup_printf ("%s * %s", a, b);
    default: return g_strdup_printf ("%s * 2 %% 3", b);
    }
}

static char *
element (Maker *m)
{
  static const char *const names[] = { "A", "B", "C", "t" };
  const char *name = names[pick (m, 4)];
  g_autofree char *index = name[0] == 't' && pick (m, 2) ? g_strdup ("0") : index_text (m);

  return g_strdup_printf ("%s[%s]", name, index);
}

static void
put_block (Maker      *m,
           const char *name,
           guint       depth)
{
  g_autofree char *to = element (m);
  g_autofree char *one = element (m);
  g_autofree char *two = element (m);
  g_autofree char *pad = g_strnfill (depth * 4, ' ');
  gboolean sum = m->n_loops > 1 && pick (m, 6) == 0;

  g_string_append_printf (m->text, "%swith T.block(\"%s\"):\n", pad, name);
  if (m->n_loops > 1)
    g_string_append_printf (m->text, "%s    vi, vj = T.axis.remap(\"%s\", [i, j])\n", pad, sum ? "SR" : "SS");
  else
    g_string_append_printf (m->text, "%s    vi = T.axis.spatial(%d, i)\n", pad, N);
  if (sum)
    g_string_append_printf (m->text, "%s    with T.init():\n%s        C[vi] = 0\n%s    C[vi] = C[vi] + %s\n", pad, pad, pad, one[0] == 'C' ? "A[vj]" : one);
  else if (pick (m, 4) == 0)
    g_string_append_printf (m->text, "%s    if vi %% 2 == %d:\n%s        %s = %s + 1\n", pad, pick (m, 2), pad, to, one);
  else
    g_string_append_printf (m->text, "%s    %s = %s * 3 + %s\n", pad, to, one, two);
}

static char *
program (GRand *rand)
{
  Maker m = { rand, g_string_new ("from tvm.script import tir as T\n@T.prim_func\n"
                                  "def main(A: T.Buffer((32,), \"int32\"), B: T.Buffer((32,), \"int32\"), C: T.Buffer((32,), \"int32\")):\n"
                                  "    t = T.alloc_buffer((32,), \"int32\")\n    for z in range(32):\n        with T.block(\"zero\"):\n            vz = T.axis.spatial(32, z)\n            t[vz] = 0\n"), 0 };
  guint n_nests = 1 + (guint) pick (&m, 2), n = 0;

  for (guint i = 0; i < n_nests; i++)
    {
      guint n_blocks = 1 + (guint) pick (&m, 2);

      m.n_loops = 1 + (guint) pick (&m, 3) / 2 + (pick (&m, 2) != 0);
      m.n_loops = MIN (m.n_loops, 2);
      g_string_append_printf (m.text, m.n_loops > 1 ? "    for i, j in T.grid(%d, %d):\n" : "    for i in range(%d):\n", N, N);
      for (guint k = 0; k < n_blocks; k++)
        {
          g_autofree char *name = g_strdup_printf ("b%u", n++);

          put_block (&m, name, 2);
        }
    }
  return g_string_free (m.text, FALSE);
}

static char *
step (GRand *rand)
{
  guint a = (guint) g_rand_int_range (rand, 0, 3), b = (guint) g_rand_int_range (rand, 0, 3);

  switch (g_rand_int_range (rand, 0, 21))
    {
    case 0: case 1: return g_strdup_printf ("l = sch.get_loops(\"b%u\")\nsch.reorder(l[1], l[0])", a);
    case 2: return g_strdup_printf ("sch.parallel(sch.get_loops(\"b%u\")[%u])", a, b % 2);
    case 3: return g_strdup_printf ("sch.bind(sch.get_loops(\"b%u\")[%u], \"%s\")", a, b % 2, g_rand_boolean (rand) ? "blockIdx.y" : "blockIdx.x");
    case 4: return g_strdup_printf ("sch.compute_at(\"b%u\", sch.get_loops(\"b%u\")[%d])", a, b, g_rand_int_range (rand, 0, 2));
    case 5: return g_strdup_printf ("sch.reverse_compute_at(\"b%u\", sch.get_loops(\"b%u\")[%d])", a, b, g_rand_int_range (rand, 0, 2));
    case 6: return g_strdup_printf ("sch.compute_inline(\"b%u\")", a);
    case 7: return g_strdup_printf ("sch.reverse_compute_inline(\"b%u\")", a);
    case 8: return g_strdup_printf ("sch.decompose_reduction(\"b%u\", sch.get_loops(\"b%u\")[%u])", a, a, b % 2);
    case 9: return g_strdup_printf ("sch.cache_read(\"b%u\", %u, \"local\")", a, b % 2);
    case 10: return g_strdup_printf ("sch.cache_write(\"b%u\", 0, \"local\")", a);
    case 11: return g_strdup_printf ("sch.rfactor(sch.get_loops(\"b%u\")[%u], 0)", a, b % 2);
    case 12: return g_strdup_printf ("sch.transform_block_layout(\"b%u\", lambda i, j: (j, i))", a);
    case 13: return g_strdup_printf ("sch.transform_block_layout(\"b%u\", lambda i: (%u - i,))", a, N - 1);
    case 14: return g_strdup_printf ("sch.blockize(sch.get_loops(\"b%u\")[%u])", a, b % 2);
    case 15: return g_strdup_printf ("sch.reindex(\"b%u\", (\"%s\", 0))", a, g_rand_boolean (rand) ? "read" : "write");
    case 16: return g_strdup_printf ("sch.transform_layout(\"b%u\", (\"%s\", 0), lambda i: (i // 4, i %% 4))", a, g_rand_boolean (rand) ? "read" : "write");
    case 17: return g_strdup_printf ("sch.merge(sch.get_loops(\"b%u\")[%u], sch.get_loops(\"b%u\")[%u])", a, a % 2, b, a % 2);
    case 18: return g_strdup_printf ("sch.vectorize(sch.get_loops(\"b%u\")[%u])", a, b % 2);
    case 19: return g_strdup_printf ("sch.cache_inplace(\"b%u\", 0, \"local\")", a);
    default: return g_strdup_printf ("l = sch.get_loops(\"b%u\")\nx, y = sch.split(l[0], [None, 2])\nsch.reorder(y, x)", a);
    }
}

/* ---- witnesses ------------------------------------------------------------------- */

typedef struct {
  guint accepted, refused, proved, by_run, unknown;
} Tally;

static void
count_refusal (Tally              *tally,
               const LsDiagnostic *finding)
{
  const char *first = strstr (finding->message, " in the round ");

  if (!g_str_has_suffix (finding->code, "/dependence"))
    {
      tally->refused++;
      return;
    }
  g_assert_nonnull (first);
  g_assert_nonnull (strstr (first, " = "));
  g_assert_nonnull (strstr (first + 5, " in the round "));
  g_assert_true (finding->culprits != NULL && finding->culprits->len > 0);
  tally->proved += strstr (finding->message, "The indices prove it.") != NULL;
  tally->by_run += strstr (finding->message, "A run on zeros shows it.") != NULL;
}

static gboolean
has_warning (LsDiagnostics *findings,
             Tally         *tally)
{
  gboolean doubt = FALSE;

  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      doubt |= ls_diagnostics_get (findings, i)->severity == LS_SEVERITY_WARNING;
      tally->unknown += g_str_has_suffix (ls_diagnostics_get (findings, i)->code, "/dependence-unknown");
    }
  return doubt;
}

static void
check_one (guint  seed,
           Tally *tally)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autofree char *text = program (rand);
  g_autoptr (LsModule) module = ls_test_parse (text);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GBytes) want = ls_turned_run (module);
  g_autoptr (GString) done = g_string_new (NULL);

  if (want == NULL)
    return;
  ls_schedule_set_strict (schedule, TRUE);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *steps = step (rand);
      g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      guint n = ls_schedule_get_n_steps (schedule);

      ls_schedule_apply_text (schedule, source, 0, findings);
      if (ls_diagnostics_has_error (findings))
        {
          count_refusal (tally, ls_diagnostics_get (findings, 0));
          ls_schedule_undo_to (schedule, n);
          continue;
        }
      g_string_append_printf (done, "%s\n", steps);
      if (has_warning (findings, tally))
        return;
      tally->accepted++;
      if (ls_turned_same (want, ls_schedule_get_module (schedule)))
        continue;
      g_test_message ("seed %u: other numbers\n%s\n%s", seed, text, done->str);
      g_test_fail ();
      return;
    }
}

static void
test_strict (void)
{
  guint n = ls_test_count (1500, 60000);
  Tally tally = { 0 };

  for (guint i = 0; i < n && !g_test_failed (); i++)
    check_one (i, &tally);
  g_test_message ("%u accepted, %u refused by the conditions, %u by the indices, %u by a run, %u not decided", tally.accepted, tally.refused, tally.proved, tally.by_run, tally.unknown);
  g_assert_cmpuint (tally.accepted, >, n / 16);
  g_assert_cmpuint (tally.proved, >, n / 20);
  g_assert_cmpuint (tally.by_run, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/property/order/strict", test_strict);
  return g_test_run ();
}
