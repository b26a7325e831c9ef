/* lineage-text: what one step, several steps, and two programs whose steps are unknown are said to differ in. */
#include "engine/schedule/lineage/text.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "tests/support/support.h"
#include "tests/unit/schedule/programs.h"

#include <string.h>

#define GET "b = sch.get_block(\"Y\")\ni, j, k = sch.get_loops(b)\nc = sch.get_block(\"C\")\n"

static LsModule *
read_module (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("program", text, -1);
  LsModule *module = ls_script_parse (source, NULL);

  g_assert_nonnull (module);
  return module;
}

static char *
tell (LsLineage *lineage)
{
  g_autoptr (GPtrArray) changes = ls_lineage_describe (lineage);
  g_autofree char *summary = ls_lineage_summarize (lineage, changes);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < changes->len; i++)
    {
      LsLineageChange *change = changes->pdata[i];

      g_string_append_printf (text, "%s %s", change->how, change->text);
      g_string_append_printf (text, change->detail != NULL ? " (%s)\n" : "%s\n", change->detail != NULL ? change->detail : "");
    }
  g_string_append_printf (text, "%s\n", summary);
  return g_string_free (text, FALSE);
}

static char *
tell_steps (const char *steps)
{
  g_autoptr (LsModule) module = read_module (MM_RELU);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsLineage) lineage = NULL;

  ls_schedule_apply_text (schedule, source, 0, findings);
  g_assert_false (ls_diagnostics_has_error (findings));
  lineage = ls_schedule_lineage (schedule, 0, ls_schedule_get_n_steps (schedule));
  return tell (lineage);
}

static const struct {
  const char *name;
  const char *steps;
  const char *said;
} STEPS[] = {
  { "nothing", GET, "5 loops, 2 blocks and 4 buffers kept.\n" },
  { "split", GET "sch.split(j, [None, 4])\n",
    "split j -> j_0, j_1 (extent 128 -> 32 x 4)\n1 loop split; 4 loops, 2 blocks and 4 buffers kept.\n" },
  { "fuse", GET "sch.fuse(i, j)\n",
    "fused i, j -> i_j_fused (extent 128 x 128 -> 16384)\n2 loops fused; 3 loops, 2 blocks and 4 buffers kept.\n" },
  { "fuse-split", GET "x = sch.fuse(i, j)\nsch.split(x, [None, 16])\n",
    "fused i, j -> i_j_fused_0, i_j_fused_1 (extent 128 x 128 -> 1024 x 16)\n2 loops fused; 3 loops, 2 blocks and 4 buffers kept.\n" },
  { "split-fuse", GET "a, d = sch.split(j, [None, 16])\nsch.fuse(i, a)\n",
    "split j -> i_j_0_fused, j_1\nfused i, j -> i_j_0_fused (extent 128 x 128 -> 1024)\n"
    "1 loop split, 2 loops fused; 3 loops, 2 blocks and 4 buffers kept.\n" },
  { "reorder", GET "sch.reorder(k, j, i)\n",
    "moved k out of i, j, now outermost\nmoved j out of i, into k\nmoved i into k, j\n3 loops moved; 2 loops, 2 blocks and 4 buffers kept.\n" },
  { "kinds", GET "sch.parallel(i)\nsch.unroll(k)\n",
    "parallel i\nunrolled k\n1 loop parallel, 1 loop unrolled; 3 loops, 2 blocks and 4 buffers kept.\n" },
  { "annotate", GET "sch.annotate(i, \"pragma_x\", 1)\n",
    "annotated i (pragma_x = 1)\n1 loop annotated; 4 loops, 2 blocks and 4 buffers kept.\n" },
  { "annotate-unannotate", GET "sch.annotate(i, \"pragma_x\", 1)\nsch.unannotate(i, \"pragma_x\")\n",
    "5 loops, 2 blocks and 4 buffers kept.\n" },
  { "decompose", GET "sch.decompose_reduction(b, k)\n",
    "copied Y -> Y_init, Y_update\nchanged Y_update (reads)\n1 block copied, 1 block changed; 5 loops, 1 block and 4 buffers kept.\n" },
  { "set-scope", GET "sch.set_scope(b, 0, \"shared\")\n",
    "renamed Y -> Y_shared\nre-scoped Y_shared (scope global -> shared)\n"
    "1 buffer renamed, 1 buffer re-scoped; 5 loops, 2 blocks and 3 buffers kept.\n" },
};

static void
test_steps (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *said = tell_steps (STEPS[i].steps);

  ls_assert_same_text (said, STEPS[i].said);
}

static char *
tell_texts (const char *a,
            const char *b)
{
  g_autoptr (LsModule) before = read_module (a);
  g_autoptr (LsModule) after = read_module (b);
  g_autoptr (LsVersion) x = ls_version_new (before);
  g_autoptr (LsVersion) y = ls_version_new (after);
  g_autoptr (LsLineage) lineage = ls_lineage_match (x, y);

  return tell (lineage);
}

static char *
replace (const char *text,
         const char *from,
         const char *to)
{
  g_auto (GStrv) parts = g_strsplit (text, from, -1);

  g_assert_nonnull (parts[1]);
  return g_strjoinv (to, parts);
}

static const struct {
  const char *name;
  const char *from;
  const char *to;
  const char *said;
} TEXTS[] = {
  { "axes-renamed", "vj", "vx", "5 loops, 2 blocks and 4 buffers kept.\n" },
  { "function-renamed", "main", "other", "renamed function main -> other\n5 loops, 2 blocks and 4 buffers kept.\n" },
  { "body", "T.max(Y[vi, vj], T.float32(0.0))", "T.max(Y[vi, vj], T.float32(1.0))", "changed C (body)\n1 block changed; 5 loops, 1 block and 4 buffers kept.\n" },
  { "init", "= T.float32(0.0)\n", "= T.float32(1.0)\n", "changed Y (init)\n1 block changed; 5 loops, 1 block and 4 buffers kept.\n" },
  { "scope", "T.alloc_buffer((128, 128))", "T.alloc_buffer((128, 128), scope=\"shared\")",
    "re-scoped Y (scope global -> shared)\n1 buffer re-scoped; 5 loops, 2 blocks and 3 buffers kept.\n" },
};

static void
test_texts (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *other = replace (MM_RELU, TEXTS[i].from, TEXTS[i].to);
  g_autofree char *said = tell_texts (MM_RELU, other);

  ls_assert_same_text (said, TEXTS[i].said);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (STEPS); i++)
    {
      g_autofree char *path = g_strdup_printf ("/schedule/lineage-text/steps/%s", STEPS[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_steps);
    }
  for (guint i = 0; i < G_N_ELEMENTS (TEXTS); i++)
    {
      g_autofree char *path = g_strdup_printf ("/schedule/lineage-text/texts/%s", TEXTS[i].name);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_texts);
    }
  return g_test_run ();
}
