/* stages: where the cells of a strip stand and what leads to what. */
#include "engine/script/script.h"
#include "views/models/stage-plan.h"

#include <string.h>

static LsStagePlan *
plan_of (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("test", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsGraph) graph = NULL;

  g_assert_nonnull (module);
  graph = ls_graph_from_stages (module, NULL);
  return ls_stage_plan_new (graph);
}

/* "0.0 A, B|arguments": column, row, title, words; sorted by place. */
static char *
cells_of (LsStagePlan *plan)
{
  GString *out = g_string_new (NULL);

  for (guint column = 0; column < plan->n_columns; column++)
    for (guint row = 0; row < plan->n_rows; row++)
      for (guint i = 0; i < plan->cells->len; i++)
        {
          const LsStageCell *cell = plan->cells->pdata[i];

          if (cell->column == column && cell->row == row)
            g_string_append_printf (out, "%u.%u %s|%s\n", column, row, cell->title, cell->words);
        }
  return g_string_free (out, FALSE);
}

static char *
links_of (LsStagePlan *plan)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < plan->links->len; i++)
    {
      const LsStageLink *link = &g_array_index (plan->links, LsStageLink, i);
      const LsStageCell *from = plan->cells->pdata[link->from], *to = plan->cells->pdata[link->to];

      g_assert_cmpuint (from->column, <, to->column);
      g_string_append_printf (out, "%u.%u-%u.%u ", from->column, from->row, to->column, to->row);
    }
  return g_string_free (out, FALSE);
}

#define HEAD "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main("

static const char TWO[] =
  HEAD "A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\"), D: T.Buffer((4,), \"float32\")):\n"
  "        C = T.alloc_buffer((4,))\n"
  "        for i in range(4):\n"
  "            with T.block(\"C\"):\n"
  "                v = T.axis.spatial(4, i)\n"
  "                C[v] = A[v] * B[v]\n"
  "        for i in range(4):\n"
  "            with T.block(\"D\"):\n"
  "                v = T.axis.spatial(4, i)\n"
  "                D[v] = C[v] + T.float32(1)\n";

static void
test_chain (void)
{
  g_autoptr (LsStagePlan) plan = plan_of (TWO);
  g_autofree char *cells = NULL, *links = NULL;

  g_assert_nonnull (plan);
  cells = cells_of (plan);
  links = links_of (plan);
  g_assert_cmpstr (cells, ==, "0.0 A, B|arguments\n1.0 C|stage\n2.0 C|16\u202fB, inside\n3.0 D|stage\n4.0 D|argument\n");
  g_assert_cmpstr (links, ==, "1.0-2.0 3.0-4.0 0.0-1.0 2.0-3.0 ");
  g_assert_cmpstr (((LsStageCell *) plan->cells->pdata[0])->line, ==, "C[v] = A[v] * B[v]");
}

/* The argument of a late stage stands right before it, below what comes from the stage before. */
static void
test_late_argument (void)
{
  static const char text[] =
    HEAD "A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\"), D: T.Buffer((4,), \"float32\")):\n"
    "        C = T.alloc_buffer((4,))\n"
    "        for i in range(4):\n"
    "            with T.block(\"C\"):\n"
    "                v = T.axis.spatial(4, i)\n"
    "                C[v] = A[v] * T.float32(2)\n"
    "        for i in range(4):\n"
    "            with T.block(\"D\"):\n"
    "                v = T.axis.spatial(4, i)\n"
    "                D[v] = C[v] + B[v] + A[v]\n";
  g_autoptr (LsStagePlan) plan = plan_of (text);
  g_autofree char *cells = NULL, *links = NULL;

  g_assert_nonnull (plan);
  cells = cells_of (plan);
  links = links_of (plan);
  g_assert_cmpstr (cells, ==, "0.0 A|argument\n1.0 C|stage\n2.0 C|16\u202fB, inside\n2.1 B|argument\n3.0 D|stage\n4.0 D|argument\n");
  g_assert_nonnull (strstr (links, "0.0-3.0 "));
  g_assert_nonnull (strstr (links, "2.1-3.0 "));
}

static void
test_reduction (void)
{
  static const char text[] =
    HEAD "A: T.Buffer((4, 8), \"float32\"), D: T.Buffer((4,), \"float32\")):\n"
    "        C = T.alloc_buffer((4,))\n"
    "        for i, j in T.grid(4, 8):\n"
    "            with T.block(\"C\"):\n"
    "                v, w = T.axis.remap(\"SR\", [i, j])\n"
    "                with T.init():\n"
    "                    C[v] = T.float32(0)\n"
    "                C[v] = C[v] + A[v, w]\n"
    "        for i in range(4):\n"
    "            with T.block(\"D\"):\n"
    "                v = T.axis.spatial(4, i)\n"
    "                D[v] = C[v] + T.float32(1)\n";
  g_autoptr (LsStagePlan) plan = plan_of (text);
  g_autofree char *cells = NULL;

  g_assert_nonnull (plan);
  cells = cells_of (plan);
  g_assert_nonnull (strstr (cells, "1.0 C|reduction\n"));
  g_assert_nonnull (strstr (cells, "3.0 D|stage\n"));
}

/* What a strip cannot show, or need not. */
static void
test_none (void)
{
  static const char one[] =
    HEAD "A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n"
    "        for i in range(4):\n"
    "            with T.block(\"B\"):\n"
    "                v = T.axis.spatial(4, i)\n"
    "                B[v] = A[v]\n";
  static const char in_place[] =
    HEAD "A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n"
    "        for i in range(4):\n"
    "            with T.block(\"B\"):\n"
    "                v = T.axis.spatial(4, i)\n"
    "                B[v] = A[v]\n"
    "        for i in range(4):\n"
    "            with T.block(\"A\"):\n"
    "                v = T.axis.spatial(4, i)\n"
    "                A[v] = B[v]\n";

  g_assert_null (plan_of (one));
  g_assert_null (plan_of (in_place));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/stages/chain", test_chain);
  g_test_add_func ("/draw/stages/late-argument", test_late_argument);
  g_test_add_func ("/draw/stages/reduction", test_reduction);
  g_test_add_func ("/draw/stages/none", test_none);
  return g_test_run ();
}
