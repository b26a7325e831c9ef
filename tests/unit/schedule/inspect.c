/* Dependences, footprints, lifetimes and the tree of loops of programs that were counted by hand. */
#include "engine/interp/dependence.h"
#include "engine/schedule/inspect/inspect.h"
#include "engine/script/parser.h"
#include "tests/support/support.h"

#include <string.h>

#define HEAD "@I.ir_module\nclass Module:\n    @T.prim_func\n"

static const char PRODUCT[] =
  HEAD "    def main(A: T.Buffer((32, 32), \"float32\"), B: T.Buffer((32, 32), \"float32\"), C: T.Buffer((32, 32), \"float32\")):\n"
  "        for i, j, k in T.grid(32, 32, 32):\n"
  "            with T.block(\"C\"):\n"
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
  "                with T.init():\n"
  "                    C[vi, vj] = T.float32(0)\n"
  "                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";

/* B and D live at the same time only while block D runs. */
static const char STAGES[] =
  HEAD "    def main(A: T.Buffer((16,), \"float32\"), E: T.Buffer((16,), \"float32\")):\n"
  "        B = T.alloc_buffer((16,))\n"
  "        D = T.alloc_buffer((16,))\n"
  "        for i in range(16):\n"
  "            with T.block(\"B\"):\n"
  "                vi = T.axis.spatial(16, i)\n"
  "                B[vi] = A[vi] + T.float32(1)\n"
  "        for i in range(16):\n"
  "            with T.block(\"D\"):\n"
  "                vi = T.axis.spatial(16, i)\n"
  "                D[vi] = B[vi] * T.float32(2)\n"
  "        for i in range(16):\n"
  "            with T.block(\"E\"):\n"
  "                vi = T.axis.spatial(16, i)\n"
  "                E[vi] = D[vi] + T.float32(3)\n"
  "        for i in range(16):\n"
  "            with T.block(\"A\"):\n"
  "                vi = T.axis.spatial(16, i)\n"
  "                A[vi] = T.float32(0)\n";

/* S[i + 1] = S[i] + A[i]: each iteration needs the one before it. */
static const char SCAN[] =
  HEAD "    def main(A: T.Buffer((8,), \"float32\"), S: T.Buffer((9,), \"float32\")):\n"
  "        for i in range(8):\n"
  "            with T.block(\"S\"):\n"
  "                vi = T.axis.opaque(8, i)\n"
  "                S[vi + 1] = S[vi] + A[vi]\n";

static LsSchedule *
scheduled (const char *program, const char *steps)
{
  g_autoptr (LsSource) source = ls_source_new ("program", program, -1);
  g_autoptr (LsSource) text = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  LsSchedule *schedule = ls_schedule_new (module);

  ls_schedule_apply_text (schedule, text, 0, findings);
  g_assert_false (ls_diagnostics_has_error (findings));
  return schedule;
}

static LsPrimFunc *
main_of (LsSchedule *schedule)
{
  return (LsPrimFunc *) ls_module_get (ls_schedule_get_module (schedule), "main");
}

static LsNode *
loop_of (LsSchedule *schedule, const char *name)
{
  LsVersion *version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));

  for (guint i = 0; i < ls_version_get_n (version); i++)
    if (ls_version_at (version, i)->type == LS_ENTITY_LOOP && strcmp (((LsFor *) ls_version_at (version, i)->node)->loop_var->name, name) == 0)
      return ls_version_at (version, i)->node;
  g_assert_not_reached ();
}

static void
test_dependences (void)
{
  static const struct { const char *from, *to, *buffer; LsDependenceKind kind; } WANT[] = {
    { "B", "D", "B", LS_DEPENDENCE_RAW }, { "D", "E", "D", LS_DEPENDENCE_RAW }, { "B", "A", "A", LS_DEPENDENCE_WAR },
  };
  g_autoptr (LsSchedule) schedule = scheduled (STAGES, "");
  g_autoptr (GArray) found = ls_inspect_dependences (main_of (schedule));

  g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (WANT));
  for (guint i = 0; i < found->len; i++)
    {
      LsDependence *d = &g_array_index (found, LsDependence, i);

      g_assert_cmpstr (d->from->name_hint, ==, WANT[i].from);
      g_assert_cmpstr (d->to->name_hint, ==, WANT[i].to);
      g_assert_cmpstr (d->buffer->name, ==, WANT[i].buffer);
      g_assert_cmpint (d->kind, ==, WANT[i].kind);
    }
}

static void
check_footprint (LsSchedule *schedule, const char *loop, const gint64 *want)
{
  g_autoptr (GArray) found = ls_inspect_footprint (main_of (schedule), loop_of (schedule, loop), 64);

  g_assert_cmpuint (found->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      LsFootprint *f = &g_array_index (found, LsFootprint, i);

      g_test_message ("%s: %s", loop, f->buffer->name);
      g_assert_cmpint (f->elements, ==, want[5 * i]);
      g_assert_cmpint (f->bytes, ==, want[5 * i + 1]);
      g_assert_cmpint (f->lines, ==, want[5 * i + 2]);
      g_assert_cmpint (f->per_iteration, ==, want[5 * i + 3]);
      g_assert_cmpint (f->accesses, ==, want[5 * i + 4]);
    }
}

/* elements, bytes, lines, per iteration, accesses of A, B, C */
static void
test_footprint (void)
{
  static const gint64 I[] = { 1024, 4096, 64, 32, 32768, 1024, 4096, 64, 1024, 32768, 1024, 4096, 64, 32, 32768 };
  static const gint64 J[] = { 32, 128, 2, 32, 1024, 1024, 4096, 64, 32, 1024, 32, 128, 2, 1, 1024 };
  static const gint64 K[] = { 32, 128, 2, 1, 32, 32, 128, 32, 1, 32, 1, 4, 1, 1, 32 };
  static const gint64 J_0[] = { 8 * 32, 1024, 16, 8 * 32, 8192, 1024, 4096, 64, 256, 8192, 256, 1024, 16, 64, 8192 };
  g_autoptr (LsSchedule) plain = scheduled (PRODUCT, "");
  g_autoptr (LsSchedule) tiled = scheduled (PRODUCT, "c = sch.get_block(\"C\")\ni, j, k = sch.get_loops(c)\ni0, i1 = sch.split(i, [4, 8])\n"
                                                     "j0, j1 = sch.split(j, [4, 8])\nsch.reorder(i0, j0, k, i1, j1)\n");

  check_footprint (plain, "i", I);
  check_footprint (plain, "j", J);
  check_footprint (plain, "k", K);
  check_footprint (tiled, "j_0", J_0);
}

static void
test_lifetimes (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (STAGES, "");
  g_autofree char *shorter = g_strndup (STAGES, g_strrstr (STAGES, "        for i") - STAGES);
  g_autoptr (LsSchedule) fused = scheduled (shorter, "b = sch.get_block(\"B\")\nd = sch.get_block(\"D\")\ni, = sch.get_loops(d)\nsch.compute_at(b, i)\n");
  gint64 peak;
  g_autoptr (GArray) found = ls_inspect_lifetimes (main_of (schedule), &peak);
  g_autoptr (GArray) inside = ls_inspect_lifetimes (main_of (fused), NULL);
  LsLifetime *a = &g_array_index (found, LsLifetime, 0);
  LsLifetime *b = &g_array_index (found, LsLifetime, 2);
  LsLifetime *b_inside = &g_array_index (inside, LsLifetime, 2);

  g_assert_cmpuint (found->len, ==, 4);
  g_assert_true (a->is_param);
  g_assert_cmpstr (a->first->name_hint, ==, "B");
  g_assert_cmpstr (a->last->name_hint, ==, "A");
  g_assert_cmpstr (b->buffer->name, ==, "B");
  g_assert_cmpstr (b->first->name_hint, ==, "B");
  g_assert_cmpstr (b->last->name_hint, ==, "D");
  g_assert_cmpint (b->bytes, ==, 64);
  g_assert_null (b->around);
  g_assert_cmpint (peak, ==, 128);
  g_assert_true (ls_is (b_inside->around, FOR));
}

static void
test_tree (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (PRODUCT, "c = sch.get_block(\"C\")\ni, j, k = sch.get_loops(c)\ni0, i1 = sch.split(i, [4, 8])\nsch.fuse(i1, j)\n");
  g_autoptr (GPtrArray) tree = ls_schedule_loop_tree (schedule);
  LsLoopNode *i = tree->pdata[0], *j = tree->pdata[1];
  LsLoopNode *inner;

  g_assert_cmpuint (tree->len, ==, 6);
  g_assert_cmpuint (i->children->len, ==, 2);
  g_assert_false (i->is_alive);
  g_assert_cmpuint (((LsLoopNode *) i->children->pdata[0])->step, ==, 1);
  inner = i->children->pdata[1];
  g_assert_false (inner->is_alive);
  g_assert_cmpuint (inner->children->len, ==, 1);
  g_assert_true (j->children->pdata[0] == inner->children->pdata[0]);
  g_assert_cmpint (((LsLoopNode *) j->children->pdata[0])->how, ==, LS_LINEAGE_FUSED);
  g_assert_cmpuint (((LsLoopNode *) j->children->pdata[0])->step, ==, 2);
  g_assert_cmpuint (((LsLoopNode *) j->children->pdata[0])->parents->len, ==, 2);
}

static guint
count_edges (LsRoundDeps *deps, LsDependenceKind kind)
{
  guint n = 0;

  for (guint i = 0; i < deps->edges->len; i++)
    n += g_array_index (deps->edges, LsRoundEdge, i).kind == kind;
  return n;
}

/* A sum needs its rounds one after the other, the loops around it do not; a scan's rounds form a chain. */
static void
test_rounds (void)
{
  g_autoptr (LsSchedule) product = scheduled (PRODUCT, "");
  g_autoptr (LsSchedule) scan = scheduled (SCAN, "");
  g_autoptr (LsRoundDeps) i = ls_inspect_rounds (main_of (product), (LsFor *) loop_of (product, "i"), 6, 6);
  g_autoptr (LsRoundDeps) j = ls_inspect_rounds (main_of (product), (LsFor *) loop_of (product, "j"), 4, 4);
  g_autoptr (LsRoundDeps) k = ls_inspect_rounds (main_of (product), (LsFor *) loop_of (product, "k"), 6, 6);
  g_autoptr (LsRoundDeps) chain = ls_inspect_rounds (main_of (scan), (LsFor *) loop_of (scan, "i"), 20, 4);

  g_assert_cmpuint (i->n_outer, ==, 6);
  g_assert_cmpuint (i->n_inner, ==, 6);
  g_assert_cmpuint (i->edges->len, ==, 0);
  g_assert_false (ls_round_deps_carried (i));
  g_assert_false (ls_round_deps_carried (j));
  g_assert_cmpuint (count_edges (j, LS_DEPENDENCE_RAW), ==, 4 * 3);
  g_assert_cmpuint (k->n_inner, ==, 1);
  g_assert_true (ls_round_deps_carried (k));
  g_assert_cmpuint (count_edges (k, LS_DEPENDENCE_RAW), ==, 5);
  g_assert_cmpuint (chain->n_outer, ==, 8);
  g_assert_cmpuint (chain->edges->len, ==, 7);
  for (guint e = 0; e < chain->edges->len; e++)
    {
      g_assert_cmpuint (g_array_index (chain->edges, LsRoundEdge, e).from, ==, e);
      g_assert_cmpuint (g_array_index (chain->edges, LsRoundEdge, e).to, ==, e + 1);
      g_assert_cmpstr (g_array_index (chain->edges, LsRoundEdge, e).buffer->name, ==, "S");
    }
}

static void
test_iterations (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (SCAN, "");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsIterationDeps) deps = ls_iteration_deps (main_of (schedule), 100, &error);
  g_autoptr (LsIterationDeps) none = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (deps->instances->len, ==, 8);
  g_assert_cmpuint (deps->deps->len, ==, 7);
  for (guint i = 0; i < deps->deps->len; i++)
    {
      LsIterationDep *d = &g_array_index (deps->deps, LsIterationDep, i);

      g_assert_cmpuint (d->to, ==, d->from + 1);
      g_assert_cmpint (d->kind, ==, LS_ITERATION_RAW);
      g_assert_cmpstr (d->buffer->name, ==, "S");
      g_assert_cmpint (g_array_index (deps->instances, LsInstance, d->to).values[0], ==, (gint64) i + 1);
    }
  none = ls_iteration_deps (main_of (schedule), 4, &error);
  g_assert_null (none);
  g_assert_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_BUDGET);
}

/* A product: only the loop that adds carries dependences, and the init belongs to its first instance. */
static void
test_reduction_iterations (void)
{
  g_autoptr (GString) small = g_string_new (PRODUCT);
  g_autoptr (LsSchedule) schedule = NULL;
  g_autoptr (LsIterationDeps) deps = NULL;
  guint n[3] = { 0 };

  g_string_replace (small, "32, 32", "4, 4", 0);
  g_string_replace (small, "4, 4, 32", "4, 4, 4", 0);
  schedule = scheduled (small->str, "");
  deps = ls_iteration_deps (main_of (schedule), 1000, NULL);
  g_assert_nonnull (deps);
  g_assert_cmpuint (deps->instances->len, ==, 64);
  for (guint i = 0; i < deps->deps->len; i++)
    {
      LsIterationDep *d = &g_array_index (deps->deps, LsIterationDep, i);
      LsInstance *from = &g_array_index (deps->instances, LsInstance, d->from);
      LsInstance *to = &g_array_index (deps->instances, LsInstance, d->to);

      n[d->kind]++;
      g_assert_cmpint (to->values[0], ==, from->values[0]);
      g_assert_cmpint (to->values[1], ==, from->values[1]);
      g_assert_cmpint (to->values[2], ==, from->values[2] + 1);
    }
  g_assert_cmpuint (n[LS_ITERATION_RAW], ==, 48);
  g_assert_cmpuint (n[LS_ITERATION_WAW], ==, 48);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/inspect/dependences", test_dependences);
  g_test_add_func ("/schedule/inspect/footprint", test_footprint);
  g_test_add_func ("/schedule/inspect/lifetimes", test_lifetimes);
  g_test_add_func ("/schedule/inspect/tree", test_tree);
  g_test_add_func ("/schedule/inspect/iterations", test_iterations);
  g_test_add_func ("/schedule/inspect/rounds", test_rounds);
  g_test_add_func ("/schedule/inspect/reduction-iterations", test_reduction_iterations);
  return g_test_run ();
}
