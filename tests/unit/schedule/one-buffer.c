/* Many blocks of one buffer: what each of them reads is looked for among those before it without asking all pairs.  10,000 of them took most of
 * an hour when each asked all before it, so no clock is needed here; and what is covered by several, in several places, stays right. */
#include "engine/schedule/schedule.h"
#include "engine/schedule/state/state.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

#define HEAD "@T.prim_func\ndef main(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n"

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("blocks.py", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  g_assert_nonnull (module);
  return module;
}

/* The state of a program as it is opened. (transfer full) */
static LsState *
open_text (const char *text)
{
  g_autoptr (LsModule) module = parse (text);
  g_autoptr (LsVersion) version = ls_version_new (module);
  guint n = 0;

  for (guint i = 0; i < ls_version_get_n (version); i++)
    n = MAX (n, ls_version_at (version, i)->id + 1);
  return ls_state_new (version, n);
}

static void
test_many (void)
{
  g_autoptr (GString) text = g_string_new (HEAD);
  g_autoptr (LsState) state = NULL;
  guint n = 0;

  for (guint i = 0; i < 10000; i++)
    g_string_append_printf (text, "    for i%u in range(64):\n        with T.block(\"b%u\"):\n            v = T.axis.spatial(64, i%u)\n            A[v] = A[v] + %s\n",
                            i, i, i, i % 3 == 0 ? "B[v]" : "T.float32(1)");
  state = open_text (text->str);
  for (guint i = 0; i < state->by_id->len; i++)
    {
      LsSref *sref = state->by_id->pdata[i];

      if (sref == NULL || !sref->is_block)
        continue;
      g_assert_true (sref->region_cover);
      g_assert_true (sref->affine_binding);
      g_assert_cmpint (sref->stage_pipeline, ==, sref->parent != NULL);         /* each overwrites what the one before it reads */
      n++;
    }
  g_assert_cmpuint (n, ==, 10001);
}

typedef struct {
  const char *says;
  const char *body;             /* the last block is asked for */
  gboolean    covered;
} Case;

#define BLOCK(name, extent, loop, statement) \
  "with T.block(\"" name "\"):\n            v = T.axis.spatial(" extent ", " loop ")\n            " statement "\n"

static const Case CASES[] = {
  { "all of it by one", "    for i in range(64):\n        " BLOCK ("a", "64", "i", "A[v] = B[v]") "    for i in range(64):\n        " BLOCK ("last", "64", "i", "B[v] = A[v]"), TRUE },
  { "half of it", "    for i in range(32):\n        " BLOCK ("a", "32", "i", "A[v] = B[v]") "    for i in range(64):\n        " BLOCK ("last", "64", "i", "B[v] = A[v]"), FALSE },
  { "two halves", "    for i in range(32):\n        " BLOCK ("a", "32", "i", "A[v] = B[v]") "    for i in range(32):\n        " BLOCK ("b", "32", "i", "A[v + 32] = B[v]")
                  "    for i in range(64):\n        " BLOCK ("last", "64", "i", "B[v] = A[v]"), TRUE },
  { "two quarters", "    for i in range(16):\n        " BLOCK ("a", "16", "i", "A[v] = B[v]") "    for i in range(16):\n        " BLOCK ("b", "16", "i", "A[v + 16] = B[v]")
                    "    for i in range(64):\n        " BLOCK ("last", "64", "i", "B[v] = A[v]"), FALSE },
  { "a gap, filled too late", "    for i in range(16):\n        " BLOCK ("a", "16", "i", "A[v] = B[v]") "    for i in range(16):\n        " BLOCK ("b", "16", "i", "A[v + 32] = B[v]")
                    "    for i in range(16):\n        " BLOCK ("c", "16", "i", "A[v + 16] = B[v]") "    for i in range(48):\n        " BLOCK ("last", "48", "i", "B[v] = A[v]"), FALSE },
  { "what is read later covers nothing", "    for i in range(32):\n        " BLOCK ("a", "32", "i", "A[v] = B[v]") "    for i in range(64):\n        " BLOCK ("last", "64", "i", "B[v] = A[v]")
                    "    for i in range(64):\n        " BLOCK ("b", "64", "i", "A[v] = T.float32(0)"), FALSE },
  { "in one round", "    for i in range(64):\n        " BLOCK ("a", "64", "i", "A[v] = B[v]") "        " BLOCK ("last", "64", "i", "B[v] = A[v]"), TRUE },
  { "the neighbour's, in one round", "    for i in range(63):\n        " BLOCK ("a", "63", "i", "A[v] = B[v]") "        " BLOCK ("last", "63", "i", "B[v] = A[v + 1]"), FALSE },
  { "all before, and its neighbour in the round", "    for i in range(64):\n        " BLOCK ("a", "64", "i", "A[v] = B[v]") "    for i in range(63):\n        " BLOCK ("b", "63", "i", "A[v] = B[v]")
                    "        " BLOCK ("last", "63", "i", "B[v] = A[v + 1]"), FALSE },
};

static void
test_cases (void)
{
  for (guint c = 0; c < G_N_ELEMENTS (CASES); c++)
    {
      g_autofree char *text = g_strconcat (HEAD, CASES[c].body, NULL);
      g_autoptr (LsState) state = open_text (text);
      LsSref *last = NULL;

      for (guint i = 0; i < state->by_id->len; i++)
        {
          LsSref *sref = state->by_id->pdata[i];

          if (sref != NULL && sref->is_block && strcmp (ls_sref_name (sref), "last") == 0)
            last = sref;
        }
      g_test_message ("%s", CASES[c].says);
      g_assert_nonnull (last);
      g_assert_cmpint (last->region_cover, ==, CASES[c].covered);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/one-buffer/many", test_many);
  g_test_add_func ("/schedule/one-buffer/cases", test_cases);
  return g_test_run ();
}
