/* The debugger's run is the interpreter's: any walk forwards and backwards ends in the state of a fresh run to that position, and the
 * whole of it gives what a plain run gives.
 *
 *   /debug/random        random programs, random walks
 *   /debug/tir           random low-level programs: conditions, while, vectors, allocations
 *   /debug/NAME          softmax, a stencil, a product, an argmax, allocations in a loop, and each sample as a toy; some where
 *                        checkpoints have hardly any memory
 */
#include "engine/debug/debug.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

/* ---- states ------------------------------------------------------------------------------- */

static void
add_buffer (GString  *state,
            LsRun    *run,
            LsBuffer *buffer)
{
  LsRunBuffer view;

  if (!ls_run_get_buffer (run, buffer, &view))
    return;
  g_string_append_printf (state, "%s:", buffer->name);
  for (gint64 i = MAX (view.low, 0); i < view.high; i++)
    {
      LsRunValue value;
      gboolean written = ls_run_element (&view, i, &value);
      guint64 bits;

      memcpy (&bits, &value.f, 8);
      g_string_append_printf (state, " %d%" G_GINT64_MODIFIER "x", written, ls_dtype_is_float (value.dtype) ? bits : (guint64) value.i);
    }
  g_string_append_c (state, '\n');
}

/* All that can be known of where a run stands. */
static char *
state_of (LsRun *run)
{
  GString *state = g_string_new (NULL);
  g_autoptr (GPtrArray) vars = ls_run_vars (run);
  g_autoptr (GPtrArray) buffers = ls_run_buffers (run);

  g_string_append_printf (state, "%" G_GUINT64_FORMAT " %d\n", ls_run_get_clock (run), ls_run_get_state (run));
  for (guint i = 0; i < ls_run_get_depth (run); i++)
    {
      LsRunFrame frame;

      ls_run_get_frame (run, i, &frame);
      g_string_append_printf (state, "%u %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT " %d\n", frame.number, frame.round, frame.extent, frame.in_init);
    }
  for (guint i = 0; i < vars->len; i++)
    {
      LsRunValue value;

      g_assert_true (ls_run_get_var (run, vars->pdata[i], &value));
      g_string_append_printf (state, "%s=%" G_GINT64_FORMAT " %.17g\n", ((LsVar *) vars->pdata[i])->name, value.i, value.f);
    }
  for (guint i = 0; i < buffers->len; i++)
    add_buffer (state, run, buffers->pdata[i]);
  return g_string_free (state, FALSE);
}

/* A run that was never anywhere else, without the debugger. */
static char *
fresh_state (LsModule            *module,
             LsPrimFunc          *func,
             const LsDebugInputs *inputs,
             guint64              clock)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) args = ls_debug_arguments (func, inputs, &error);
  LsInterpOptions options = { .module = module };
  LsRun *run = args != NULL ? ls_run_new (func, (LsInterpArg *) args->data, args->len, &options, &error) : NULL;
  char *state;

  g_assert_no_error (error);
  ls_run_go (run, clock);
  state = state_of (run);
  ls_run_free (run);
  return state;
}

static void
check_state (LsDebug             *debug,
             const LsDebugInputs *inputs,
             const char          *after)
{
  LsRun *run = ls_debug_get_run (debug);
  g_autofree char *actual = state_of (run);
  g_autofree char *expected = fresh_state (ls_debug_get_text (debug)->module, ls_debug_get_func (debug), inputs,
                                           ls_run_get_state (run) == LS_RUN_STANDS ? ls_run_get_clock (run) : G_MAXUINT64);

  if (strcmp (actual, expected) != 0)
    {
      g_test_message ("after %s", after);
      ls_assert_same_text (actual, expected);
    }
}

/* ---- walks -------------------------------------------------------------------------------- */

static char *
random_command (GRand   *rand,
                LsDebug *debug)
{
  static const char *const words[] = {
    "step", "step 7", "over", "into", "out", "loop", "write", "continue", "back", "back 5", "back-over", "back-out", "back-loop", "back-write",
    "back-continue", "start", "end", "trail 3", "where",
  };
  guint64 clock = ls_run_get_clock (ls_debug_get_run (debug));

  if (g_rand_int_range (rand, 0, 4) == 0)
    return g_strdup_printf ("goto %u", g_rand_int_range (rand, 0, (gint32) MIN (2 * clock + 40, 1 << 24)));
  return g_strdup (words[g_rand_int_range (rand, 0, G_N_ELEMENTS (words))]);
}

static void
walk (LsModule *module,
      guint32   seed,
      guint     n,
      gsize     memory)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GError) error = NULL;
  LsDebugInputs inputs = { NULL, NULL, seed };
  g_autoptr (LsDebug) debug = ls_debug_new (module, NULL, &inputs, &error);
  guint count;
  gsize bytes;

  if (g_error_matches (error, LS_INTERP_ERROR, LS_INTERP_ERROR_UNSUPPORTED))
    return;
  g_assert_no_error (error);
  if (memory > 0)
    ls_debug_set_memory (debug, memory);
  check_state (debug, &inputs, "nothing");
  if (g_rand_boolean (rand))
    g_variant_unref (ls_debug_command (debug, "break write", NULL));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *command = random_command (rand, debug);
      g_autoptr (GVariant) answer = ls_debug_command (debug, command, NULL);

      check_state (debug, &inputs, command);
    }
  ls_debug_get_checkpoints (debug, &count, &bytes);
  if (memory > 0 && count > 2)
    g_assert_cmpuint (bytes, <=, memory);
}

/* The end under the debugger is that of a plain run. */
static void
check_end (LsModule *module)
{
  g_autoptr (GError) error = NULL;
  LsDebugInputs inputs = { NULL, NULL, 3 };
  g_autoptr (LsDebug) debug = ls_debug_new (module, NULL, &inputs, &error);
  LsPrimFunc *func = debug != NULL ? ls_debug_get_func (debug) : NULL;
  LsInterpOptions options = { .module = debug != NULL ? ls_debug_get_text (debug)->module : NULL };
  g_autoptr (GArray) args = NULL;
  gboolean ok;

  g_assert_no_error (error);
  args = ls_debug_arguments (func, &inputs, &error);
  ok = ls_interp_run (func, (LsInterpArg *) args->data, args->len, &options, &error);
  ls_debug_add_stop (debug, ls_debug_stop_parse (debug, "write", NULL));
  for (guint i = 0; i < 50; i++)
    g_variant_unref (ls_debug_command (debug, "continue", NULL));
  ls_debug_go_to (debug, G_MAXUINT64);
  g_assert_cmpint (ls_run_get_state (ls_debug_get_run (debug)), ==, ok ? LS_RUN_FINISHED : LS_RUN_FAILED);
  for (guint i = 0; i < args->len; i++)
    {
      LsInterpArg *arg = &g_array_index (args, LsInterpArg, i);
      LsRunBuffer view;
      gsize n = ls_dtype_bytes (arg->dtype);

      if (!arg->is_array)
        continue;
      g_assert_true (ls_run_get_buffer (ls_debug_get_run (debug), ls_prim_func_get_buffer (func, i), &view));
      for (guint d = 0; d < arg->ndim; d++)
        n *= (gsize) arg->shape[d];
      g_assert_cmpmem (view.data, n, arg->data, n);
    }
}

/* ---- programs ------------------------------------------------------------------------------- */

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"

static const struct { const char *name, *text; } programs[] = {
  /* te.create_prim_func of a product, a bias and max (x, 0), fused: what is between is never an argument */
  { "te-fused", HEAD
    "    @T.prim_func\n"
    "    def main(A: T.Buffer((4, 5)), B: T.Buffer((5, 6)), b: T.Buffer((6,)), D: T.Buffer((4, 6))):\n"
    "        T.func_attr({\"tir.noalias\": T.bool(True)})\n"
    "        C = T.alloc_buffer((4, 6))\n"
    "        E = T.alloc_buffer((4, 6))\n"
    "        for i0, i1, k in T.grid(4, 6, 5):\n"
    "            with T.block(\"C\"):\n"
    "                v0, v1, vk = T.axis.remap(\"SSR\", [i0, i1, k])\n"
    "                with T.init():\n"
    "                    C[v0, v1] = T.float32(0)\n"
    "                C[v0, v1] = C[v0, v1] + A[v0, vk] * B[vk, v1]\n"
    "        for ax0, ax1 in T.grid(4, 6):\n"
    "            with T.block(\"E\"):\n"
    "                v0, v1 = T.axis.remap(\"SS\", [ax0, ax1])\n"
    "                E[v0, v1] = C[v0, v1] + b[v1]\n"
    "        for ax0, ax1 in T.grid(4, 6):\n"
    "            with T.block(\"D\"):\n"
    "                v0, v1 = T.axis.remap(\"SS\", [ax0, ax1])\n"
    "                D[v0, v1] = T.max(E[v0, v1], T.float32(0))\n" },
  { "matmul", HEAD
    "    @T.prim_func\n"
    "    def main(A: T.Buffer((6, 5)), B: T.Buffer((5, 7)), C: T.Buffer((6, 7))):\n"
    "        for i, j, k in T.grid(6, 7, 5):\n"
    "            with T.block(\"C\"):\n"
    "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
    "                with T.init():\n"
    "                    C[vi, vj] = T.float32(0)\n"
    "                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n" },
  { "softmax", HEAD
    "    @T.prim_func\n"
    "    def main(A: T.Buffer((4, 9)), B: T.Buffer((4, 9))):\n"
    "        M = T.alloc_buffer((4,))\n"
    "        E = T.alloc_buffer((4, 9))\n"
    "        S = T.alloc_buffer((4,))\n"
    "        for i, k in T.grid(4, 9):\n"
    "            with T.block(\"M\"):\n"
    "                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
    "                with T.init():\n"
    "                    M[vi] = T.min_value(\"float32\")\n"
    "                M[vi] = T.max(M[vi], A[vi, vk])\n"
    "        for i, k in T.grid(4, 9):\n"
    "            with T.block(\"E\"):\n"
    "                vi, vk = T.axis.remap(\"SS\", [i, k])\n"
    "                E[vi, vk] = T.exp(A[vi, vk] - M[vi])\n"
    "        for i, k in T.grid(4, 9):\n"
    "            with T.block(\"S\"):\n"
    "                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
    "                with T.init():\n"
    "                    S[vi] = T.float32(0)\n"
    "                S[vi] = S[vi] + E[vi, vk]\n"
    "        for i, k in T.grid(4, 9):\n"
    "            with T.block(\"B\"):\n"
    "                vi, vk = T.axis.remap(\"SS\", [i, k])\n"
    "                B[vi, vk] = E[vi, vk] / S[vi]\n" },
  { "stencil", HEAD
    "    @T.prim_func\n"
    "    def main(A: T.Buffer((8, 8)), B: T.Buffer((8, 8))):\n"
    "        for i, j in T.grid(8, 8):\n"
    "            with T.block(\"B\"):\n"
    "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "                B[vi, vj] = T.if_then_else(vi > 0 and vi < 7, A[vi - 1, vj] + A[vi + 1, vj], A[vi, vj])\n" },
  { "argmax", HEAD
    "    @T.prim_func\n"
    "    def main(A: T.Buffer((5, 8)), V: T.Buffer((5,)), P: T.Buffer((5,), \"int32\")):\n"
    "        for i, k in T.grid(5, 8):\n"
    "            with T.block(\"argmax\"):\n"
    "                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
    "                with T.init():\n"
    "                    P[vi] = -1\n"
    "                    V[vi] = T.min_value(\"float32\")\n"
    "                v_p: T.int32 = T.Select(V[vi] >= A[vi, vk], P[vi], vk)\n"
    "                v_v: T.float32 = T.Select(V[vi] >= A[vi, vk], V[vi], A[vi, vk])\n"
    "                P[vi] = v_p\n"
    "                V[vi] = v_v\n" },
  { "allocations", HEAD
    "    @T.prim_func\n"
    "    def main(A: T.Buffer((6,)), B: T.Buffer((6,))):\n"
    "        for i in range(6):\n"
    "            with T.block(\"outer\"):\n"
    "                vi = T.axis.spatial(6, i)\n"
    "                X = T.alloc_buffer((3,))\n"
    "                W = T.alloc_buffer((1,), \"int32\")\n"
    "                for k in range(3):\n"
    "                    X[k] = A[vi] + T.Cast(\"float32\", k)\n"
    "                W[0] = 0\n"
    "                while W[0] < 3:\n"
    "                    B[vi] = B[vi] + X[W[0]]\n"
    "                    W[0] = W[0] + 1\n" },
};

static void
test_program (gconstpointer data)
{
  g_autoptr (LsModule) module = ls_test_parse (data);

  check_end (module);
  for (guint i = 0; i < ls_test_count (4, 60); i++)
    walk (module, i, 25, 0);
  walk (module, 99, 25, 4096);
}

static void
test_sample (gconstpointer data)
{
  g_autofree char *folder = ls_test_path ("../data/samples");
  g_autofree char *path = g_build_filename (folder, data, NULL);
  g_autofree char *text = NULL;
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsModule) toy = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  module = ls_test_parse (text);
  toy = ls_debug_toy (module, 4, NULL, &error);
  g_assert_no_error (error);
  check_end (toy);
  for (guint i = 0; i < ls_test_count (2, 20); i++)
    walk (toy, i, 15, 0);
}

static void
test_random (gconstpointer data)
{
  gboolean low = GPOINTER_TO_INT (data);

  for (guint i = 0; i < ls_test_count (30, 600); i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (i);
      g_autofree char *text = low ? ls_test_random_tir (rand) : ls_test_random_program (rand);
      g_autoptr (LsModule) module = ls_test_parse (text);

      walk (module, i, 12, i % 3 == 0 ? 20000 : 0);
    }
}

int
main (int    argc,
      char **argv)
{
  static const char *const samples[] = { "conv2d.py", "layer_norm.py", "matmul_128.py", "matmul_512.py", "matmul_1024.py", "mm_relu.py", "reduction.py", "softmax.py" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *path = g_strconcat ("/debug/", programs[i].name, NULL);

      g_test_add_data_func (path, programs[i].text, test_program);
    }
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      g_autofree char *path = g_strconcat ("/debug/sample/", samples[i], NULL);

      g_test_add_data_func (path, samples[i], test_sample);
    }
  g_test_add_data_func ("/debug/random", GINT_TO_POINTER (0), test_random);
  g_test_add_data_func ("/debug/tir", GINT_TO_POINTER (1), test_random);
  return g_test_run ();
}
