/* Steps that are warned of: each in a program whose numbers it changes, which a strict schedule refuses, and in one whose numbers stay, where the
 * warning remains.  Others take both with the warning. */
#include "engine/schedule/moves/moves.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

#define HEAD "from tvm.script import tir as T\n@T.prim_func\ndef main("

typedef struct {
  const char *name;
  const char *params;
  const char *body;             /* %s: what differs */
  const char *wrong, *right;    /* NULL: no such program */
  const char *steps;
  const char *code;
  const char *says;             /* what a run showed */
} Row;

#define ONE "A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")"
#define LOOP(name, n) "    for i in range(" n "):\n        with T.block(\"" name "\"):\n            vi = T.axis.spatial(" n ", i)\n"

static const Row rows[] = {
  { "partly-written", ONE, LOOP ("b", "16") "            if A[vi] < %s:\n                B[vi] = A[vi]\n", "0", "100", "sch.cache_write(\"b\", 0, \"local\")",
    "schedule/cache_write/partly-written", " becomes what lay in memory, in place of " },
  { "partly-written-float", "a: T.handle, b: T.handle",
    "    n = T.int32()\n    A = T.match_buffer(a, (n, 2 * n))\n    B = T.match_buffer(b, (n,))\n    for i in range(n):\n        with T.block(\"b\"):\n            vi = T.axis.spatial(n, i)\n            if A[vi, n] < T.float32(%s):\n                B[vi] = A[vi, vi]\n", "0", "100",
    "sch.cache_write(\"b\", 0, \"local\")", "schedule/cache_write/partly-written", " becomes what lay in memory, in place of " },
  { "guard", ONE, "    for i in range(8):\n        with T.block(\"b\"):\n            T.where(i < %s)\n            vi = T.axis.spatial(8, i)\n            B[vi] = A[vi]\n", "5", "9",
    "sch.blockize(sch.get_loops(\"b\")[0])", "schedule/blockize/lost-guard", NULL },
  { "outside", ONE, LOOP ("b", "8") "            B[vi] = A[vi]\n    A[0] = B[%s]\n", "8", "3", "sch.cache_write(\"b\", 0, \"local\")", "schedule/cache_write/outside-blocks", "A run on random numbers then stops: " },
  { "order-unknown", "A: T.Buffer((64,), \"int32\"), D: T.Buffer((8,), \"int32\")",
    "    for i, j in T.grid(8, 8):\n        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            A[T.if_then_else(D[(vi + vj) % 8] < %s, 0, vi * 8 + vj)] = vi\n", "0", "-99",
    "l = sch.get_loops(\"b\")\nsch.reorder(l[1], l[0])", "schedule/reorder/dependence-unknown", " in place of " },
  { "at-once", "A: T.Buffer((64,), \"int32\"), D: T.Buffer((8,), \"int32\")",
    "    for i in range(8):\n        with T.block(\"b\"):\n            vi = T.axis.spatial(8, i)\n            A[T.if_then_else(D[vi] < %s, 0, vi + 1)] = vi\n", "0", "-99",
    "sch.parallel(sch.get_loops(\"b\")[0])", "schedule/parallel/dependence-unknown", ", with the rounds that run at the same time backwards, A[0] becomes " },
  { "gaps", "A: T.Buffer((16,), \"float32\"), C: T.Buffer((18,), \"float32\")",
    "    B = T.alloc_buffer((16,))\n" LOOP ("B", "16") "            B[vi] = A[vi] * T.float32(2)\n"
    LOOP ("C", "18") "            if %s:\n                C[vi] = T.if_then_else(1 <= vi and vi < 17, B[vi - 1], T.float32(0.5))\n", "True", "1 <= vi and vi < 17",
    "sch.reverse_compute_at(sch.get_block(\"C\"), sch.get_loops(sch.get_block(\"B\"))[0])", "schedule/reverse_compute_at/gaps", " in place of 0.5." },
  { "copy-out-of-bounds", "A: T.Buffer((30,), \"float32\"), D: T.Buffer((%s,), \"float32\")",
    "    for i_0, i_1 in T.grid(4, 8):\n        with T.block(\"b\"):\n            vi = T.axis.spatial(30, i_0 * 8 + i_1)\n            T.where(i_0 * 8 + i_1 < 30)\n            D[vi] = D[vi] * A[vi]\n", "30", NULL,
    "sch.cache_inplace(\"b\", 0, \"local\")", "schedule/cache_inplace/out-of-bounds", "A run on random numbers then stops: " },
  { "repeats", "A: T.Buffer((16, 8), \"float32\"), C: T.Buffer((16,), \"float32\")",
    "    for i, again, k in T.grid(16, %s, 8):\n        with T.block(\"C\"):\n            vi, vk = T.axis.remap(\"SR\", [i, k])\n            with T.init():\n                C[vi] = T.float32(0)\n"
    "            C[vi] = C[vi] + A[vi, vk]\n", "3", NULL, "sch.rfactor(sch.get_loops(\"C\")[1], 0)", "schedule/rfactor/repeats", " becomes " },
  { "read-before", "E: T.Buffer((8,), \"int32\"), D: T.Buffer((8,), \"int32\")", LOOP ("b", "8") "            for u in range(3):\n                E[u] = %s + D[u + 1]\n", "E[u]", NULL,
    "sch.write_at(sch.get_loops(\"b\")[0], \"b\", 0, \"local\")", "schedule/write_at/read-before", " becomes what lay in memory, in place of " },
};

static char *
text_of (const Row  *row,
         const char *cause)
{
  g_autoptr (GString) text = g_string_new (HEAD);

  g_string_append_printf (text, "%s):\n%s", row->params, row->body);
  g_string_replace (text, "%s", cause, 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* What is found with the code of the row as "error CODE: SENTENCE" or "warning ..."; "": nothing. */
static char *
finding_of (const Row  *row,
              const char *cause,
              gboolean    strict)
{
  g_autofree char *text = text_of (row, cause);
  g_autoptr (LsModule) module = ls_test_parse (text);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsSource) source = ls_source_new ("steps", row->steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  ls_schedule_set_strict (schedule, strict);
  ls_schedule_apply_text (schedule, source, 0, findings);
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *one = ls_diagnostics_get (findings, i);

      g_test_message ("  %s: %s", one->code, one->message);
      if (strcmp (one->code, row->code) == 0)
        return g_strdup_printf ("%s %s: %s", one->severity == LS_SEVERITY_ERROR ? "error" : "warning", one->code, one->message);
    }
  return g_strdup ("");
}

static void
check_row (gconstpointer data)
{
  const Row *row = data;
  g_autofree char *wrong = g_strconcat ("error ", row->code, ": ", NULL), *warned = g_strconcat ("warning ", row->code, ": ", NULL);

  for (guint i = 0; i < 4; i++)
    {
      gboolean strict = i % 2 == 0, is_wrong = i < 2;
      g_autofree char *found = is_wrong || row->right != NULL ? finding_of (row, is_wrong ? row->wrong : row->right, strict) : g_strdup (warned);

      g_test_message ("%s, %s: %s", strict ? "strict" : "as TVM", is_wrong ? "wrong" : "right", found);
      g_assert_true (g_str_has_prefix (found, strict && is_wrong ? wrong : warned));
      g_assert_cmpint (strict && is_wrong, ==, strstr (found, " random numbers") != NULL && strstr (found, "Runs on random numbers give the same results.") == NULL);
      g_assert_cmpint (strict && !is_wrong && row->right != NULL, ==, strstr (found, "Runs on random numbers give the same results.") != NULL);
      if (strict && is_wrong && row->says != NULL)
        g_assert_nonnull (strstr (found, row->says));
    }
}

/* An offer that is refused says why, not what it was warned of before. */
static void
test_offer (void)
{
  for (guint strict = 0; strict <= 1; strict++)
    {
      g_autofree char *text = text_of (&rows[1], rows[1].wrong);
      g_autoptr (LsModule) module = ls_test_parse (text);
      g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
      LsVersion *version = ls_schedule_get_version (schedule, 0);
      guint last = ls_version_get_n (version) - 1, n = 0;
      g_autoptr (GPtrArray) offers = NULL;

      while (ls_version_at (version, last)->type != LS_ENTITY_BLOCK)
        last--;
      ls_schedule_set_strict (schedule, strict != 0);
      offers = ls_schedule_offers (schedule, ls_version_at (version, last)->node, "llvm");
      for (guint i = 0; i < offers->len; i++)
        {
          const LsOffer *offer = offers->pdata[i];

          if (strcmp (offer->instruction->name, "cache_write") != 0)
            continue;
          n++;
          g_test_message ("%s: %s", offer->call, offer->reason);
          g_assert_nonnull (offer->reason);
          g_assert_cmpint (offer->group == LS_OFFER_CAN, ==, strict == 0);
          g_assert_cmpint (strstr (offer->reason, " random numbers ") != NULL, ==, strict != 0);
        }
      g_assert_cmpuint (n, >, 0);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/schedule/numbers/", rows[i].name, NULL);

      g_test_add_data_func (path, &rows[i], check_row);
    }
  g_test_add_func ("/schedule/numbers/offer", test_offer);
  return g_test_run ();
}
