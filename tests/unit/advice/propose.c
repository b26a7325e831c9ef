/* Proposals are complete: their lines lead from the given program to theirs; they are of the kind that the program needs, none
 * comes twice, and what they compute is what the program computed (by the interpreter, on small programs). */
#include "engine/advice/advice.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

static const LsAdviceMachine machine = {
  .gflops = 100.0, .hertz = 3.125e9, .lanes = 8, .registers = 16, .cores = 2, .n_levels = 3,
  .cache = { 32768, 524288, 16777216 }, .gb_per_s = { 80.0, 30.0, 15.0 }, .behind = { "L2", "L3", "DRAM" },
};

static LsModule *
parse_program (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("program", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  g_assert_nonnull (module);
  return module;
}

static LsModule *
read_program (const char *path)
{
  g_autofree char *file = ls_test_path (path);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  return parse_program (text);
}

static char *
text_of (LsSchedule *schedule)
{
  return ls_script_print (ls_schedule_get_module (schedule), NULL, NULL);
}

/* The printed trace of a proposal leads from the first program to the same one. */
static void
check_complete (LsModule   *module,
                LsProposal *proposal)
{
  g_autoptr (LsSchedule) fresh = ls_schedule_new (module);
  g_autofree char *trace = ls_schedule_print_trace (proposal->schedule);
  g_autoptr (LsSource) source = ls_source_new ("trace", trace, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autofree char *expected = text_of (proposal->schedule);
  g_autofree char *found = NULL;

  ls_schedule_apply_text (fresh, source, 0, findings);
  found = text_of (fresh);
  g_assert_false (ls_diagnostics_has_error (findings));
  ls_assert_same_text (found, expected);
}

static void
check_program (const char *path,
               const char *kind)
{
  g_autoptr (LsModule) module = read_program (path);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (LsAdviceCost) now = ls_advice_cost_new ((LsPrimFunc *) ls_module_get (module, "main"), module, &machine);
  g_autoptr (GPtrArray) list = NULL;
  gboolean found = FALSE;

  g_hash_table_add (seen, text_of (schedule));
  list = ls_advice_propose (schedule, "main", NULL, &machine, now->seconds, seen, 5);
  g_assert_cmpuint (list->len, >, 1);
  g_assert_cmpuint (list->len, <=, 5);
  for (guint i = 0; i < list->len; i++)
    {
      LsProposal *proposal = list->pdata[i];

      check_complete (module, proposal);
      g_assert_cmpfloat (proposal->low, <=, proposal->high);
      found |= strcmp (proposal->kind, kind) == 0 && proposal->estimate < 0.5 * now->seconds;
    }
  if (!found)
    g_error ("%s: no proposal of kind %s that promises twice the speed", path, kind);
}

static void
test_programs (void)
{
  check_program ("../data/samples/matmul_128.py", "tile");
  check_program ("../data/samples/conv2d.py", "tile");
  check_program ("../data/samples/layer_norm.py", "rows");
  check_program ("data/advice/softmax_1024.py", "rows");
  check_program ("data/advice/bmm_gelu.py", "tile");
  check_program ("data/advice/depthwise.py", "tile");
  check_program ("data/advice/dense_transposed.py", "tile");
  check_program ("data/advice/transpose_2048.py", "blocks");
  check_program ("data/advice/gemv.py", "rows");
  check_program ("data/advice/group_norm.py", "rows");
  check_program ("data/advice/conv1d.py", "tile");
  check_program ("data/advice/conv_nhwc.py", "tile");
  check_program ("data/advice/at_b.py", "tile");
}

/* The rows of a large matrix lie a power of two apart: a panel of it that is not packed pushes itself out of the second cache, and what is
 * proposed first does not read it so. */
static void
test_packs (void)
{
  g_autoptr (LsModule) module = read_program ("../data/samples/matmul_1024.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  LsAdviceMachine one = machine;
  g_autoptr (GPtrArray) list = NULL;
  LsProposal *first;
  gboolean blocks = FALSE;

  one.cores = 1;
  one.gb_per_s[1] = 17.0;       /* a slow third cache */
  list = ls_advice_propose (schedule, "main", NULL, &one, 0.0, NULL, 5);
  first = list->pdata[0];
  g_test_message ("%s", first->title);
  g_assert_cmpint (first->move.kind, ==, LS_ADVICE_TILE);
  g_assert_true ((first->move.flags & LS_ADVICE_PACKED) != 0);
  for (guint i = 0; i < list->len; i++)
    blocks |= (((LsProposal *) list->pdata[i])->move.flags & LS_ADVICE_ROWS_IN_BLOCKS) != 0;
  g_assert_true (blocks);
}

/* Each proposal is given once, until there are none. */
static void
test_ends (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/transpose_2048.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint n = 0;

  g_hash_table_add (seen, text_of (schedule));
  for (;;)
    {
      g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, seen, 5);

      if (list->len == 0)
        break;
      n += list->len;
      g_assert_cmpuint (n, <, 200);
    }
  g_assert_cmpuint (g_hash_table_size (seen), ==, n + 1);
}

/* Nobody waits for it any more: nothing more is tried. */
static void
test_stopped (void)
{
  g_autoptr (LsModule) module = read_program ("../data/samples/matmul_128.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  int stopped = 0;
  LsAdviceMachine one = machine;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GPtrArray) none = NULL;

  one.stopped = &stopped;
  list = ls_advice_propose (schedule, "main", NULL, &one, 0.0, NULL, 5);
  g_assert_cmpuint (list->len, >, 1);
  stopped = 1;
  none = ls_advice_propose (schedule, "main", NULL, &one, 0.0, NULL, 5);
  ls_advice_propose_earlier (none, schedule, "main", NULL, &one, NULL, 5);
  g_assert_cmpuint (none->len, ==, 0);
}

/* A sum that reads one operand across its lines is no sum of vectors as they lie. */
static void
test_no_gathers (void)
{
  g_autoptr (LsModule) module = read_program ("../data/samples/matmul_128.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 100);

  for (guint i = 0; i < list->len; i++)
    g_assert_cmpint (((LsProposal *) list->pdata[i])->move.kind, !=, LS_ADVICE_SUMS);
}

/* Half as many numbers of twice the bytes fit a register: the sums of a tile stay in the registers that there are. */
static void
test_doubles (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/doubles.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 5);

  for (guint i = 0; i < list->len; i++)
    {
      const LsAdviceMove *move = &((LsProposal *) list->pdata[i])->move;

      g_assert_true (move->kind != LS_ADVICE_TILE || move->a * move->b <= (machine.registers - 2) * machine.lanes / 2);
    }
  g_assert_cmpint (((LsProposal *) list->pdata[0])->move.kind, ==, LS_ADVICE_TILE);
}

/* Where each sum loads numbers of its own, a vector that has to be put together of pieces is no good one, as wide as it is: 8 columns of 56, not 14. */
static void
test_whole_vectors (void)
{
  LsAdviceMachine wide = machine;
  g_autoptr (LsModule) module = read_program ("data/advice/depthwise_relu.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GPtrArray) list = NULL;
  guint tiles = 0;

  wide.lanes = 16;
  wide.at_once = 8;
  wide.registers = 32;
  list = ls_advice_propose (schedule, "main", NULL, &wide, 0.0, NULL, 5);
  for (guint i = 0; i < list->len; i++)
    {
      const LsAdviceMove *move = &((LsProposal *) list->pdata[i])->move;

      if (move->kind != LS_ADVICE_TILE)
        continue;
      tiles++;
      g_assert_cmpint (move->b, ==, 8);
    }
  g_assert_cmpuint (tiles, >, 0);
}

/* Rows of 333 numbers: no whole vectors divide them, and the sums are whole vectors all the same, the rest apart. */
static void
test_rest_apart (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/softmax_odd.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 5);
  const LsProposal *first = list->pdata[0];

  g_assert_cmpint (first->move.kind, ==, LS_ADVICE_ROWS);
  g_assert_nonnull (strstr (first->steps, "factors=[None, 8]"));
  g_assert_nonnull (strstr (first->steps, "pragma_loop_partition_hint"));
}

/* All operands are vectors: the sum's short loops stay loops, the registers hold no more. */
static void
test_not_written_out (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/depthwise_nhwc.py"), scalars = read_program ("data/advice/depthwise.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module), other = ls_schedule_new (scalars);
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 5), others = ls_advice_propose (other, "main", NULL, &machine, 0.0, NULL, 5);
  const LsProposal *first = list->pdata[0], *second = others->pdata[0];

  g_assert_cmpint (first->move.kind, ==, LS_ADVICE_TILE);
  g_assert_null (strstr (first->steps, "sch.unroll(l_b["));
  g_assert_cmpint (second->move.kind, ==, LS_ADVICE_TILE);
  g_assert_nonnull (strstr (second->steps, "sch.unroll(l_b["));
}

/* Two recipes may come to the same program: it is proposed once. */
static void
test_once (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/stencil.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  LsAdviceMachine one = machine;
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  one.cores = 1;
  list = ls_advice_propose (schedule, "main", NULL, &one, 0.0, NULL, 5);
  g_assert_cmpuint (list->len, >, 0);
  for (guint i = 0; i < list->len; i++)
    g_assert_true (g_hash_table_add (texts, text_of (((LsProposal *) list->pdata[i])->schedule)));
}

static LsSchedule *
symbolic_proposal (GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++)
    if ((((LsProposal *) list->pdata[i])->move.flags & LS_ADVICE_PADDED) != 0)
      return ((LsProposal *) list->pdata[i])->schedule;
  return NULL;
}

/* Rows of which there are as many as one says: they are filled up to whole tiles, since no tile divides all numbers; without a number nothing is proposed. */
static void
test_symbolic (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/symbolic_rows.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GPtrArray) sizes = g_ptr_array_new ();
  g_autoptr (GPtrArray) none = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 5);
  g_autoptr (GPtrArray) list = NULL;
  LsSchedule *padded;

  g_ptr_array_add (sizes, (char *) "n=256");
  list = ls_advice_propose (schedule, "main", sizes, &machine, 0.0, NULL, 5);
  padded = symbolic_proposal (list);
  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (list->len, >, 1);
  g_assert_nonnull (padded);
  for (guint i = 0; i < list->len; i++)
    {
      const LsAdviceMove *move = &((LsProposal *) list->pdata[i])->move;

      check_complete (module, list->pdata[i]);
      g_assert_true (move->kind != LS_ADVICE_TILE || move->a == 1 || (move->flags & LS_ADVICE_PADDED) != 0);
    }
}

/* The rows of a small plane are short, the plane is not: its sums go along all of it. */
static void
test_planes (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/global_pool.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 5);
  gboolean found = FALSE;

  for (guint i = 0; i < list->len; i++)
    found |= (((LsProposal *) list->pdata[i])->move.flags & LS_ADVICE_SUMS_IN_VECTORS) != 0 && strstr (((LsProposal *) list->pdata[i])->steps, "k = sch.fuse(") != NULL;
  g_assert_true (found);
}

static char *
why_none (const char *body)
{
  g_autofree char *program = g_strconcat ("from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
                                          "    def main(A: T.Buffer((64, 64), \"float32\"), C: T.Buffer((64, 64), \"float32\")):\n", body, NULL);
  g_autoptr (LsSource) source = ls_source_new ("program", program, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsSchedule) schedule = NULL;

  g_assert_nonnull (module);
  schedule = ls_schedule_new (module);
  return ls_advice_why_none (schedule, "main", NULL, &machine);
}

/* Where nothing is proposed, it says why. */
static void
test_why_none (void)
{
  g_autofree char *no_block = why_none ("        for i, j in T.grid(64, 64):\n            C[i, j] = A[i, j]\n");
  g_autofree char *triangle = why_none ("        for i, j, k in T.grid(64, 64, 64):\n            with T.block(\"C\"):\n                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
                                        "                T.where(k <= i)\n                with T.init():\n                    C[vi, vj] = T.float32(0)\n"
                                        "                C[vi, vj] = C[vi, vj] + A[vi, vk] * A[vk, vj]\n");
  g_autofree char *scan = why_none ("        for j in range(64):\n            with T.block(\"C\"):\n                vj = T.axis.opaque(64, j)\n"
                                    "                T.reads(A[0, vj], C[0, 0:64])\n                T.writes(C[0, vj])\n"
                                    "                C[0, vj] = A[0, vj] + T.if_then_else(vj > 0, C[0, T.max(vj - 1, 0)], T.float32(0))\n");
  g_autofree char *loop = why_none ("        for i in range(64):\n            with T.block(\"C\"):\n                vi = T.axis.opaque(64, i)\n"
                                    "                T.reads(A[0:64, 0:64])\n                T.writes(C[0, 0])\n"
                                    "                for k in range(T.Cast(\"int32\", A[vi, 0])):\n                    C[0, 0] = A[vi, k % 64]\n");
  g_autofree char *whiles = why_none ("        for i in range(64):\n            with T.block(\"C\"):\n                vi = T.axis.opaque(64, i)\n"
                                      "                T.reads(A[0, 0])\n                T.writes(C[0, 0])\n"
                                      "                while C[0, 0] < T.float32(5):\n                    C[0, 0] = C[0, 0] + A[0, 0]\n");
  g_autofree char *fine = why_none ("        for i, j in T.grid(64, 64):\n            with T.block(\"C\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                                    "                C[vi, vj] = A[vi, vj]\n");

  g_assert_nonnull (strstr (no_block, "T.block"));
  g_assert_nonnull (strstr (triangle, "affine"));
  g_assert_nonnull (strstr (scan, "loop j of block C uses what an earlier one wrote"));
  g_assert_nonnull (strstr (loop, "How often loop k runs"));
  g_assert_nonnull (strstr (whiles, "while"));
  g_assert_null (fine);
}

/* Rows whose lengths are data: nothing says how long they take, but they can go to several cores, and with a measured time there is a range. */
static void
test_data_loop (void)
{
  const char *program = "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
    "    def main(P: T.Buffer((1025,), \"int32\"), A: T.Buffer((8192,), \"float32\"), Y: T.Buffer((1024,), \"float32\")):\n"
    "        for i in range(1024):\n            with T.block(\"Y\"):\n                vi = T.axis.spatial(1024, i)\n"
    "                T.reads(P[vi:vi + 2], A[0:8192])\n                T.writes(Y[vi])\n                Y[vi] = T.float32(0)\n"
    "                for k in range(P[vi + 1] - P[vi]):\n                    Y[vi] = Y[vi] + A[P[vi] + k]\n";
  g_autoptr (LsSource) source = ls_source_new ("program", program, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 5), timed = ls_advice_propose (schedule, "main", NULL, &machine, 1e-3, NULL, 5);
  g_autoptr (LsAdviceCost) cost = ls_advice_cost_new ((LsPrimFunc *) ls_module_get (module, "main"), module, &machine);
  gboolean spread = FALSE;

  g_assert_cmpstr (cost->loop, ==, "k");
  g_assert_cmpfloat (ls_advice_touched ((LsPrimFunc *) ls_module_get (module, "main")), ==, G_MAXDOUBLE);
  g_assert_cmpuint (list->len, >, 0);
  g_assert_cmpuint (list->len, ==, timed->len);
  for (guint i = 0; i < list->len; i++)
    {
      const LsProposal *one = list->pdata[i], *other = timed->pdata[i];

      spread |= strstr (one->steps, "sch.parallel") != NULL;
      g_assert_null (strstr (one->steps, "vectorize"));
      g_assert_cmpfloat (one->high, ==, 0.0);
      g_assert_cmpfloat (other->high, >, 0.0);
    }
  g_assert_true (spread);
}

static gboolean
has_steps (GPtrArray  *list,
           const char *one,
           const char *two)
{
  for (guint i = 0; i < list->len; i++)
    {
      const char *steps = ((LsProposal *) list->pdata[i])->steps;

      if (strstr (steps, one) != NULL && strstr (steps, two) != NULL)
        return TRUE;
    }
  return FALSE;
}

/* The maximum of a row begins with no neutral value, so that it cannot be taken apart: the sum after it can, and rows of the maximum go side by side. */
static void
test_not_neutral (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/log_softmax.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 100);

  g_assert_true (has_steps (list, "part_b1 = sch.rfactor", "sch.compute_at(b0, row)"));
  g_assert_true (has_steps (list, "get_block(\"M\"", "sch.unroll(r1)"));
}

/* A result in the midst of others cannot be moved: what comes before goes to it, what comes after follows it.  Several vectors of sums are whole, and
 * added up as vectors first. */
static void
test_result_between (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/mean_variance.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsAdviceCost) now = ls_advice_cost_new ((LsPrimFunc *) ls_module_get (module, "main"), module, &machine);
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 100);
  gboolean twice = FALSE;

  g_assert_true (has_steps (list, "sch.compute_at(b0, row)", "sch.reverse_compute_at(b3, row)"));
  g_assert_cmpfloat (((LsProposal *) list->pdata[0])->estimate, <, 0.2 * now->seconds);
  for (guint i = 0; i < list->len; i++)
    {
      const LsAdviceMove *move = &((LsProposal *) list->pdata[i])->move;

      check_complete (module, list->pdata[i]);
      twice |= (move->flags & LS_ADVICE_ADDED_IN_VECTORS) != 0;
      g_assert_true (move->kind != LS_ADVICE_SUMS || move->a <= machine.lanes || move->a % machine.lanes == 0);
    }
  g_assert_true (twice);
}

/* What is computed where it is read and what then becomes vectors is one proposal. */
static void
test_inlined (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/pointwise_chain.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 5);
  const LsProposal *first = list->pdata[0];

  g_assert_cmpint (first->move.kind, ==, LS_ADVICE_VECTORS);
  g_assert_cmpuint (first->move.inlined, ==, 3);
  g_assert_nonnull (strstr (first->title, "3 blocks computed where they are read"));
  check_complete (module, list->pdata[0]);
}

/* What a vector computes by arithmetic becomes whole vectors, and that is the reason; what is called for each number in any case is not freed of it. */
static void
test_calls (void)
{
  static const struct { const char *function; guint flags; gint64 least; } cases[] = { { "exp", LS_ADVICE_FREE_OF_CALLS, 8 }, { "sin", 0, 4 } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree char *text = g_strdup_printf ("@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(X: T.Buffer((4096,), \"float32\"), Y: T.Buffer((4096,), \"float32\")):\n"
                                               "        for i in range(4096):\n            with T.block(\"Y\"):\n                vi = T.axis.spatial(4096, i)\n"
                                               "                Y[vi] = T.%s(X[vi])\n", cases[c].function);
      g_autoptr (LsModule) module = parse_program (text);
      g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
      g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 5);
      guint found = 0;

      for (guint i = 0; i < list->len; i++)
        {
          const LsProposal *proposal = list->pdata[i];

          if (proposal->move.kind != LS_ADVICE_VECTORS)
            continue;
          found++;
          g_assert_cmpuint (proposal->move.flags & LS_ADVICE_FREE_OF_CALLS, ==, cases[c].flags);
          g_assert_cmpint (proposal->removes, ==, cases[c].flags != 0 ? LS_CAUSE_CALLS : LS_CAUSE_LANES);
          g_assert_cmpint (proposal->move.a, >=, cases[c].least);
          check_complete (module, list->pdata[i]);
        }
      g_assert_cmpuint (found, >, 0);
    }
}

/* 59 numbers have no vectors that divide them: those of one number are not proposed. */
static void
test_no_vectors (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/transposed_conv.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint n = 1; n > 0;)
    {
      g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, seen, 5);

      n = list->len;
      for (guint i = 0; i < list->len; i++)
        {
          const LsAdviceMove *move = &((LsProposal *) list->pdata[i])->move;

          g_assert_true (move->kind != LS_ADVICE_VECTORIZE || move->a > 1);
        }
    }
}

/* A sum over several loops is one long sum: its parts are vectors, too. */
static void
test_long_sums (void)
{
  g_autoptr (LsModule) module = read_program ("data/advice/group_norm.py");
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GPtrArray) list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, 5);
  gboolean found = FALSE;

  for (guint i = 0; i < list->len; i++)
    found |= (((LsProposal *) list->pdata[i])->move.flags & LS_ADVICE_SUMS_IN_VECTORS) != 0;
  g_assert_true (found);
}

/* What a log keeps of a move gives it again, whatever the names are; anything else is no move. */
static void
test_texts (void)
{
  static const LsAdviceMove moves[] = {
    { .kind = LS_ADVICE_TILE, .block = "C", .a = 4, .b = 16, .flags = LS_ADVICE_PACKED | LS_ADVICE_ALL_CORES },
    { .kind = LS_ADVICE_UNROLL, .block = "a, b; c", .loop = "*", .inlined = 3 },
    { .kind = LS_ADVICE_ROWS, .a = -1, .b = G_MAXINT64 },
  };
  static const char *const wrong[] = { "", ";", "0", "0,C,*,4,16,33", "0,C,*,4,16,33,0,1", "99,C,*,4,16,33,0", "0,C,*,four,16,33,0", "0,C,*,4,16,-1,0", "Tile C" };

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    for (guint k = 0; k < G_N_ELEMENTS (moves); k++)
      {
        g_autofree char *one = ls_advice_move_to_text (&moves[i]), *two = ls_advice_move_to_text (&moves[k]), *both = g_strjoin (";", one, two, NULL);
        g_autoptr (GArray) read = ls_advice_moves_from_text (both);

        g_assert_cmpuint (read->len, ==, 2);
        for (guint n = 0; n < 2; n++)
          {
            const LsAdviceMove *given = n == 0 ? &moves[i] : &moves[k], *back = &g_array_index (read, LsAdviceMove, n);

            g_assert_cmpint (back->kind, ==, given->kind);
            g_assert_cmpstr (back->block, ==, given->block);
            g_assert_cmpstr (back->loop, ==, given->loop);
            g_assert_true (back->a == given->a && back->b == given->b && back->flags == given->flags && back->inlined == given->inlined);
          }
      }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GArray) read = ls_advice_moves_from_text (wrong[i]);

      g_assert_cmpuint (read->len, ==, 0);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advice/propose/programs", test_programs);
  g_test_add_func ("/advice/propose/long-sums", test_long_sums);
  g_test_add_func ("/advice/propose/planes", test_planes);
  g_test_add_func ("/advice/propose/why-none", test_why_none);
  g_test_add_func ("/advice/propose/data-loop", test_data_loop);
  g_test_add_func ("/advice/propose/not-neutral", test_not_neutral);
  g_test_add_func ("/advice/propose/result-between", test_result_between);
  g_test_add_func ("/advice/propose/inlined", test_inlined);
  g_test_add_func ("/advice/propose/calls", test_calls);
  g_test_add_func ("/advice/propose/no-vectors", test_no_vectors);
  g_test_add_func ("/advice/propose/no-gathers", test_no_gathers);
  g_test_add_func ("/advice/propose/stopped", test_stopped);
  g_test_add_func ("/advice/propose/doubles", test_doubles);
  g_test_add_func ("/advice/propose/whole-vectors", test_whole_vectors);
  g_test_add_func ("/advice/propose/rest-apart", test_rest_apart);
  g_test_add_func ("/advice/propose/not-written-out", test_not_written_out);
  g_test_add_func ("/advice/propose/once", test_once);
  g_test_add_func ("/advice/propose/symbolic", test_symbolic);
  g_test_add_func ("/advice/propose/packs", test_packs);
  g_test_add_func ("/advice/propose/ends", test_ends);
  g_test_add_func ("/advice/propose/texts", test_texts);
  return g_test_run ();
}
