/* All accesses through caches: the same misses as the list of accesses gives; what is left out is taken to be what it is; loops; refusals; and the
 * misses that callgrind counts in the compiled program, within 2 %, where valgrind and a compiler are. */
#include "engine/codegen/c/text.h"
#include "engine/interp/memory-lab.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n    def main"

/* %1$d: the size. */
static const char product[] = HEAD
  "(A: T.Buffer((%1$d, %1$d), \"float32\"), B: T.Buffer((%1$d, %1$d), \"float32\"), C: T.Buffer((%1$d, %1$d), \"float32\")):\n"
  "        T.func_attr({\"tir.noalias\": T.bool(True)})\n"
  "        for i, j, k in T.grid(%1$d, %1$d, %1$d):\n            with T.block(\"C\"):\n                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
  "                with T.init():\n                    C[vi, vj] = T.float32(0)\n                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n";
static const char transposed[] = HEAD
  "(X: T.Buffer((%1$d, %1$d), \"float32\"), Y: T.Buffer((%1$d, %1$d), \"float32\")):\n        T.func_attr({\"tir.noalias\": T.bool(True)})\n"
  "        for i, j in T.grid(%1$d, %1$d):\n            with T.block(\"Y\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n                Y[vi, vj] = X[vj, vi]\n";
static const char stencil[] = HEAD
  "(X: T.Buffer((%1$d, %1$d), \"float32\"), Y: T.Buffer((%1$d, %1$d), \"float32\")):\n        T.func_attr({\"tir.noalias\": T.bool(True)})\n"
  "        for i, j in T.grid(%1$d - 2, %1$d - 2):\n            with T.block(\"Y\"):\n                vi = T.axis.spatial(%1$d - 2, i)\n                vj = T.axis.spatial(%1$d - 2, j)\n"
  "                Y[vi + 1, vj + 1] = X[vi, vj + 1] + X[vi + 1, vj] + X[vi + 1, vj + 1] + X[vi + 1, vj + 2] + X[vi + 2, vj + 1]\n";
static const char padded[] = HEAD
  "(X: T.Buffer((%1$d, %1$d), \"float32\"), W: T.Buffer((3, 3), \"float32\"), Y: T.Buffer((%1$d, %1$d), \"float32\")):\n"
  "        for i, j, r, s in T.grid(%1$d, %1$d, 3, 3):\n            with T.block(\"Y\"):\n                vi, vj, vr, vs = T.axis.remap(\"SSRR\", [i, j, r, s])\n"
  "                with T.init():\n                    Y[vi, vj] = T.float32(0)\n"
  "                Y[vi, vj] = Y[vi, vj] + T.if_then_else(1 <= vi + vr and vi + vr < %1$d + 1 and 1 <= vj + vs and vj + vs < %1$d + 1, X[vi + vr - 1, vj + vs - 1], T.float32(0)) * W[vr, vs]\n";

static char *
with_size (const char *program,
           int         n)
{
  g_auto (GStrv) parts = g_strsplit (program, "%1$d", -1);
  g_autofree char *number = g_strdup_printf ("%d", n);

  return g_strjoinv (number, parts);
}

static LsModule *
read_program (const char *program,
              int         n,
              const char *steps)
{
  g_autofree char *text = with_size (program, n);
  LsSource *source = ls_source_new ("program", text, -1);        /* lives on: lines are asked for */
  g_autoptr (LsSource) lines = ls_source_new ("steps", steps != NULL ? steps : "", -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsSchedule) schedule = NULL;

  if (module == NULL || ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  schedule = ls_schedule_new (module);
  ls_schedule_apply_text (schedule, lines, 0, findings);
  if (ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  return ls_ref (ls_schedule_get_module (schedule));
}

static LsPrimFunc *
function_of (LsModule *module)
{
  return (LsPrimFunc *) ls_module_get (module, "main");
}

static LsMemoryLab *
follow (LsPrimFunc *func,
        gint64      l1,
        gint64      l2,
        double      most)
{
  LsMemoryOptions options = { .n_levels = 2, .levels = { { l1, 8 }, { l2, 8 } }, .line_bytes = 64, .most = most };
  g_autoptr (GError) error = NULL;
  LsMemoryLab *memory = ls_memory_lab_new (func, &options, NULL, &error);

  g_assert_no_error (error);
  return memory;
}

static double
sum_of (const LsMemoryMisses *misses)
{
  return misses->cold + misses->capacity + misses->conflict;
}

/* ---- against the list of accesses --------------------------------------------------------- */

static void
compare_with_list (const char *program,
                   int         n,
                   const char *steps)
{
  static const LsCacheLevel levels[2] = { { 2048, 4 }, { 8192, 8 } };
  LsMemoryOptions options = { .n_levels = 2, .levels = { { 2048, 4 }, { 8192, 8 } }, .line_bytes = 64 };
  g_autoptr (LsModule) module = read_program (program, n, steps);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsAccessOrder) order = ls_access_order_new (function_of (module), 4000000, NULL, &error);
  g_autoptr (LsLocality) list = NULL;
  g_autoptr (LsMemoryLab) memory = NULL;

  g_assert_no_error (error);
  g_assert_false (order->stopped);
  list = ls_locality_new (order, levels, 2);
  memory = ls_memory_lab_new (function_of (module), &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (memory->buffers->len, ==, list->n_buffers);
  g_assert_cmpfloat (memory->all.accesses, ==, order->accesses->len);
  g_assert_cmpfloat (memory->simulated, ==, order->accesses->len);
  for (guint b = 0; b < list->n_buffers; b++)
    {
      const LsMemoryBuffer *row = &g_array_index (memory->buffers, LsMemoryBuffer, b);

      g_assert_cmpstr (row->name, ==, g_array_index (order->buffers, LsAccessBuffer, b).name);
      g_assert_cmpfloat (row->accesses, ==, list->buffers[b].touches);
      for (guint k = 0; k < 2; k++)
        {
          g_assert_cmpfloat (row->misses[k].cold, ==, list->buffers[b].misses[k].cold);
          g_assert_cmpfloat (row->misses[k].capacity, ==, list->buffers[b].misses[k].capacity);
          g_assert_cmpfloat (row->misses[k].conflict, ==, list->buffers[b].misses[k].conflict);
        }
    }
}

#define TILED "b = sch.get_block(\"C\", func_name=\"main\")\ni, j, k = sch.get_loops(b)\n" \
  "i0, i1 = sch.split(i, factors=[None, 8])\nj0, j1 = sch.split(j, factors=[None, 8])\nk0, k1 = sch.split(k, factors=[None, 8])\nsch.reorder(i0, j0, k0, i1, k1, j1)\n"
#define IKJ "b = sch.get_block(\"C\", func_name=\"main\")\ni, j, k = sch.get_loops(b)\nsch.reorder(i, k, j)\n"

static void
test_same (void)
{
  compare_with_list (product, 40, NULL);
  compare_with_list (product, 32, IKJ);
  compare_with_list (product, 33, TILED);       /* guards */
  compare_with_list (product, 40, TILED "sch.vectorize(j1)\nsch.unroll(k1)\nsch.decompose_reduction(b, k0)\n");
  compare_with_list (product, 24, "b = sch.get_block(\"C\", func_name=\"main\")\ni, j, k = sch.get_loops(b)\nf = sch.fuse(i, j)\nf0, f1 = sch.split(f, factors=[None, 5])\n");
  compare_with_list (transposed, 50, NULL);
  compare_with_list (transposed, 64, NULL);
  compare_with_list (stencil, 60, NULL);
  compare_with_list (padded, 30, NULL);
}

/* An array that may begin anywhere in its memory, as those of external operators: what is given begins where its memory does. */
static void
test_offset (void)
{
  static const char anywhere[] = HEAD
    "(x: T.handle, Y: T.Buffer((%1$d,), \"float32\")):\n        X = T.match_buffer(x, (%1$d,), offset_factor=1)\n        for i in range(%1$d):\n            Y[i] = X[i]\n";
  g_autoptr (LsModule) module = read_program (anywhere, 64, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPrimFunc) lowered = ls_lower (function_of (module), NULL, NULL, &error);
  g_autoptr (LsMemoryLab) lab = NULL;
  LsMemoryOptions options;

  ls_memory_options_init (&options);
  g_assert_no_error (error);
  lab = ls_memory_lab_new (lowered, &options, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (lab->all.accesses, ==, 128);
}

/* ---- what is left out ------------------------------------------------------------------------ */

static void
test_sampled (void)
{
  static const char *const all_steps[] = { NULL, IKJ, TILED };

  for (guint i = 0; i < G_N_ELEMENTS (all_steps); i++)
    {
      g_autoptr (LsModule) module = read_program (product, 96, all_steps[i]);
      g_autoptr (LsMemoryLab) whole = follow (function_of (module), 4096, 65536, 0);
      g_autoptr (LsMemoryLab) part = follow (function_of (module), 4096, 65536, 4e5);

      g_assert_cmpfloat (part->simulated, <, 0.25 * whole->simulated);
      g_assert_cmpfloat (part->all.lines, <=, 3 * 96 * 96 / 16);        /* no more than there are */
      g_assert_cmpfloat (fabs (part->all.accesses / whole->all.accesses - 1.0), <, 0.02);
      for (guint k = 0; k < 2; k++)
        {
          double a = sum_of (&part->all.misses[k]), b = sum_of (&whole->all.misses[k]);

          g_test_message ("level %u: %.0f of %.0f, error %.2g %%", k + 1, a, b, 100.0 * part->error[k]);
          g_assert_cmpfloat (fabs (a / b - 1.0), <, MAX (0.1, 4.0 * part->error[k]));
        }
      g_assert_cmpfloat (whole->error[0], ==, 0.0);
    }
}

static void
test_loops (void)
{
  g_autoptr (LsModule) module = read_program (product, 64, NULL);
  g_autoptr (LsMemoryLab) memory = follow (function_of (module), 4096, 65536, 0);
  const LsMemoryLoop *rows = (const LsMemoryLoop *) (void *) memory->loops->data;

  g_assert_cmpuint (memory->loops->len, ==, 3);
  g_assert_cmpstr (rows[0].name, ==, "i");
  g_assert_cmpstr (rows[2].block, ==, "C");
  g_assert_cmpfloat (rows[1].rounds, ==, 64 * 64);
  g_assert_cmpfloat (rows[2].footprint, ==, 3);         /* an element of each */
  g_assert_cmpfloat (rows[1].footprint, ==, 1 + 4 + 64);  /* of C, a row of A, a column of B */
  g_assert_cmpfloat (rows[0].footprint, ==, 4 + 4 + 256); /* rows of C and A, all of B */
  g_assert_cmpfloat (sum_of (&rows[0].misses[0]), ==, sum_of (&memory->all.misses[0]));
  g_assert_cmpfloat (sum_of (&rows[0].of_buffers[1 * LS_LOCALITY_LEVELS]), ==, sum_of (&g_array_index (memory->buffers, LsMemoryBuffer, 1).misses[0]));
}

/* ---- reuse distances -------------------------------------------------------------------------- */

/* A cache of 2^k lines without sets misses what is touched for the first time and what was touched 2^k or more other lines ago. */
static void
compare_distances (const char *program,
                   int         n,
                   const char *steps)
{
  LsMemoryOptions options = { .n_levels = 1, .levels = { { 2048, 4 } }, .line_bytes = 64, .distances = TRUE };
  g_autoptr (LsModule) module = read_program (program, n, steps);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMemoryLab) counted = ls_memory_lab_new (function_of (module), &options, NULL, &error);
  guint n_buffers;

  g_assert_no_error (error);
  n_buffers = counted->buffers->len;
  options.distances = FALSE;
  for (guint k = 0; k < 10; k++)
    {
      g_autoptr (LsMemoryLab) cache = NULL;

      options.levels[0] = (LsCacheLevel) { (gint64) 64 << k, 1u << k };
      cache = ls_memory_lab_new (function_of (module), &options, NULL, &error);
      g_assert_no_error (error);
      for (guint b = 0; b <= n_buffers; b++)
        {
          const LsMemoryBuffer *here = b < n_buffers ? &g_array_index (counted->buffers, LsMemoryBuffer, b) : &counted->all;
          const LsMemoryBuffer *there = b < n_buffers ? &g_array_index (cache->buffers, LsMemoryBuffer, b) : &cache->all;
          double far = 0.0;

          for (guint i = k + 1; i < LS_MEMORY_BINS; i++)
            far += here->distances[i];
          g_assert_cmpfloat (far, ==, there->misses[0].capacity);
          g_assert_cmpfloat (there->misses[0].conflict, ==, 0.0);
        }
      for (guint l = 0; l < counted->loops->len; l++)
        {
          double far = 0.0;

          for (guint i = k + 1; i < LS_MEMORY_BINS; i++)
            far += g_array_index (counted->loops, LsMemoryLoop, l).distances[i];
          g_assert_cmpfloat (far, ==, g_array_index (cache->loops, LsMemoryLoop, l).misses[0].capacity);
        }
    }
}

/* Every touch but the first has a distance. */
static void
test_distances (void)
{
  LsMemoryOptions options = { .n_levels = 1, .levels = { { 32768, 8 } }, .line_bytes = 64, .distances = TRUE };
  g_autoptr (LsModule) module = read_program (product, 64, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMemoryLab) memory = ls_memory_lab_new (function_of (module), &options, NULL, &error);
  double sum = memory->all.misses[0].cold;

  for (guint i = 0; i < LS_MEMORY_BINS; i++)
    sum += memory->all.distances[i];
  g_assert_cmpfloat (sum, ==, memory->all.accesses);
  /* A column of B comes back with a row of A, an element of C and the rest of it between: 64 lines of its own, 4 of A, 1 of C. */
  g_assert_cmpfloat (g_array_index (memory->buffers, LsMemoryBuffer, 1).distances[7], >, 0.9 * (64.0 * 64 * 64 - 1024));
  compare_distances (product, 40, NULL);
  compare_distances (product, 32, IKJ);
  compare_distances (product, 33, TILED);
  compare_distances (transposed, 100, NULL);
  compare_distances (stencil, 60, NULL);
  compare_distances (padded, 30, NULL);
  compare_distances (product, 40, TILED "sch.vectorize(j1)\nsch.unroll(k1)\nsch.decompose_reduction(b, k0)\n");
}

/* A cache that has room for all is not gone through: it misses what the one that is gone through misses. */
static void
test_room (void)
{
  LsMemoryOptions options = { .n_levels = 3, .levels = { { 2048, 4 }, { 49152, 12 }, { 1 << 20, 8 } }, .line_bytes = 64 };
  g_autoptr (LsModule) module = read_program (product, 64, NULL);       /* three times 16 KiB: the second cache is as large */
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMemoryLab) memory = ls_memory_lab_new (function_of (module), &options, NULL, &error);

  g_assert_no_error (error);
  for (guint k = 1; k < 3; k++)
    {
      g_assert_cmpfloat (memory->all.misses[k].cold, ==, memory->all.misses[0].cold);
      g_assert_cmpfloat (sum_of (&memory->all.misses[k]), ==, memory->all.misses[k].cold);
    }
  g_assert_cmpfloat (memory->all.misses[0].capacity, >, 0.0);
}

/* ---- what depends on data ------------------------------------------------------------------------ */

static LsMemoryLab *
follow_data (const char  *program,
             gint32      *first,
             GError     **error)
{
  LsMemoryOptions options = { .n_levels = 1, .levels = { { 2048, 4 } }, .line_bytes = 64 };
  g_autoptr (LsModule) module = read_program (program, 8, NULL);
  static const gint64 shape[1] = { 16 };
  float far[16 * 64] = { 0 }, out[16 * 64] = { 0 };
  static const gint64 rows[2] = { 16, 64 };
  LsInterpArg args[3] = {
    { .dtype = ls_prim_func_get_buffer (function_of (module), 0)->dtype, .is_array = TRUE, .data = first, .ndim = 1, .shape = shape },
    { .dtype = ls_prim_func_get_buffer (function_of (module), 1)->dtype, .is_array = TRUE, .data = far, .ndim = 2, .shape = rows },
    { .dtype = ls_prim_func_get_buffer (function_of (module), 2)->dtype, .is_array = TRUE, .data = out, .ndim = 2, .shape = rows },
  };

  options.args = args;
  options.n_args = 3;
  return ls_memory_lab_new (function_of (module), &options, NULL, error);
}

#define PICK "(K: T.Buffer((16,), \"int32\"), E: T.Buffer((16, 64), \"float32\"), Y: T.Buffer((16, 64), \"float32\")):\n"

/* A row of E for each number of K: as many lines of E as K has different numbers, in the order of K.  The number alone is opaque, the rest of the
 * index is a stream. */
static void
test_gather (void)
{
  static const char gather[] = HEAD PICK
    "        for i, j in T.grid(16, 64):\n            with T.block(\"Y\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "                Y[vi, vj] = E[K[vi], vj]\n";
  gint32 same[16], all[16], outside[16] = { 99 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsMemoryLab) one = NULL, each = NULL, wrong = NULL;

  for (int i = 0; i < 16; i++)
    {
      same[i] = 5;
      all[i] = (i * 7) % 16;
    }
  one = follow_data (gather, same, &error);
  g_assert_no_error (error);
  each = follow_data (gather, all, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (g_array_index (one->buffers, LsMemoryBuffer, 1).name, ==, "E");
  g_assert_cmpfloat (g_array_index (one->buffers, LsMemoryBuffer, 1).accesses, ==, 1024);
  g_assert_cmpfloat (g_array_index (one->buffers, LsMemoryBuffer, 1).lines, ==, 4);
  g_assert_cmpfloat (g_array_index (each->buffers, LsMemoryBuffer, 1).lines, ==, 64);
  wrong = follow_data (gather, outside, &error);
  g_assert_null (wrong);
  g_assert_error (error, LS_INTERP_ERROR, LS_INTERP_ERROR_BOUNDS);
}

/* What the program has computed first is taken from a run of it; what changes between two accesses is refused, and says so. */
static void
test_computed (void)
{
  static const char computed[] = HEAD PICK
    "        N = T.alloc_buffer((16,), \"int32\")\n        for i in range(16):\n            with T.block(\"N\"):\n                vi = T.axis.spatial(16, i)\n"
    "                N[vi] = 15 - K[vi]\n"
    "        for i, j in T.grid(16, 64):\n            with T.block(\"Y\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "                Y[vi, vj] = E[N[vi] // 2 + 1, vj]\n";
  static const char changing[] = HEAD PICK
    "        N = T.alloc_buffer((1,), \"int32\")\n        for i in range(16):\n            N[0] = K[i]\n            Y[i, 0] = E[N[0], 0]\n";
  gint32 all[16];
  g_autoptr (GError) error = NULL, refused = NULL;
  g_autoptr (LsMemoryLab) lab = NULL, none = NULL;

  for (int i = 0; i < 16; i++)
    all[i] = i;
  lab = follow_data (computed, all, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < lab->buffers->len; i++)
    if (strcmp (g_array_index (lab->buffers, LsMemoryBuffer, i).name, "E") == 0)
      g_assert_cmpfloat (g_array_index (lab->buffers, LsMemoryBuffer, i).lines, ==, 8 * 4);     /* rows 1 to 8 */
  none = follow_data (changing, all, &refused);
  g_assert_null (none);
  g_assert_nonnull (strstr (refused->message, "N holds, and that changes"));
}

/* ---- what is refused -------------------------------------------------------------------------- */

static void
test_refusals (void)
{
  static const struct { const char *program, *message; } cases[] = {
    { HEAD "(A: T.Buffer((8,), \"int32\"), B: T.Buffer((%1$d,), \"float32\")):\n        for i in range(8):\n            B[A[i]] = T.float32(0)\n", "what A holds" },
    { HEAD "(a: T.handle):\n        n = T.int32()\n        A = T.match_buffer(a, (n,))\n        for i in range(%1$d):\n            A[i] = T.float32(0)\n", "A is not known" },
  };
  LsMemoryOptions options = { .n_levels = 1, .levels = { { 32768, 7 } }, .line_bytes = 64 };
  g_autoptr (LsModule) module = read_program (product, 8, NULL);
  g_autoptr (GError) wrong = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsModule) bad = read_program (cases[i].program, 8, NULL);
      g_autoptr (GError) error = NULL;
      LsMemoryOptions good;

      ls_memory_options_init (&good);
      g_assert_null (ls_memory_lab_new (function_of (bad), &good, NULL, &error));
      g_assert_nonnull (strstr (error->message, cases[i].message));
    }
  g_assert_null (ls_memory_lab_new (function_of (module), &options, NULL, &wrong));
  g_assert_error (wrong, LS_INTERP_ERROR, LS_INTERP_ERROR_ARGUMENT);
}

/* ---- against callgrind -------------------------------------------------------------------------- */

#define L1 32768
#define L2 262144

static void
spawn (const char *const *argv,
       char             **said)
{
  g_autofree char *err = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &err, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_error ("%s: %s", argv[0], err);
  if (said != NULL)
    *said = g_steal_pointer (&err);
}

/* A program that calls the function once, its arrays a page each from the begin of the first on, as the lab has them. */
static char *
program_text (const LsDeviceText *text,
              LsPrimFunc         *func)
{
  GString *whole = g_string_new (text->text);
  gint64 end = 0;

  g_string_append (whole, "\nstatic char room[1 << 24] __attribute__ ((aligned (4096)));\nint main (void)\n{\n  main_ (");
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      gint64 bytes = 4, extent = 1;

      g_string_append_printf (whole, "%s(void *) (room + %" G_GINT64_FORMAT ")", i > 0 ? ", " : "", end);
      for (guint k = 0; k < buffer->shape->n; k++)
        bytes *= ls_as_int (buffer->shape->items[k], &extent) ? extent : 1;
      end += (bytes + 4095) / 4096 * 4096;
    }
  g_string_append (whole, ");\n  return 0;\n}\n");
  return g_string_free (whole, FALSE);
}

static void
compare_with_callgrind (const char *name,
                        const char *program,
                        int         n,
                        const char *steps)
{
  g_autoptr (LsModule) module = read_program (program, n, steps);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) lowered = ls_lower_module (module, NULL, NULL, &error);
  g_autoptr (LsDeviceText) text = ls_c_text_new (lowered, &error);
  g_autofree char *whole = program_text (text, function_of (module)), *dir = g_dir_make_tmp ("ls-memory-XXXXXX", NULL);
  g_autofree char *source = g_build_filename (dir, "f.c", NULL), *binary = g_build_filename (dir, "f", NULL), *said = NULL;
  const char *compile[] = { "cc", "-std=gnu11", "-O1", "-fno-inline", "-w", "-o", binary, source, "-lm", NULL };
  const char *count[] = { "valgrind", "--tool=callgrind", "--cache-sim=yes", "--D1=32768,8,64", "--LL=262144,8,64", "--callgrind-out-file=/dev/null",
                          "--toggle-collect=main_", binary, NULL };
  g_autoptr (LsMemoryLab) memory = follow (function_of (lowered), L1, L2, 0);
  const char *collected;
  guint64 v[9] = { 0 };
  double found[2] = { sum_of (&memory->all.misses[0]), sum_of (&memory->all.misses[1]) };

  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (source, whole, -1, NULL));
  spawn (compile, NULL);
  spawn (count, &said);
  collected = strstr (said, "Collected : ");
  if (collected == NULL)
    g_error ("%s", said);
  /* Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw */
  collected += strlen ("Collected : ");
  for (guint i = 0; i < 9; i++)
    v[i] = g_ascii_strtoull (collected, (char **) &collected, 10);
  g_test_message ("%s: first cache %.0f, callgrind %" G_GUINT64_FORMAT "; second %.0f, callgrind %" G_GUINT64_FORMAT, name, found[0], v[4] + v[5], found[1], v[7] + v[8]);
  g_assert_cmpfloat (fabs (found[0] - (double) (v[4] + v[5])), <=, 0.02 * (double) (v[4] + v[5]));
  g_assert_cmpfloat (fabs (found[1] - (double) (v[7] + v[8])), <=, 0.02 * (double) (v[7] + v[8]));
  g_unlink (source);
  g_unlink (binary);
  g_rmdir (dir);
}

static void
test_callgrind (void)
{
  g_autofree char *valgrind = g_find_program_in_path ("valgrind");

  if (valgrind == NULL)
    {
      g_test_skip ("there is no valgrind");
      return;
    }
  compare_with_callgrind ("ijk", product, 100, NULL);
  compare_with_callgrind ("ijk, 128", product, 128, NULL);
  compare_with_callgrind ("ikj", product, 120, IKJ);
  compare_with_callgrind ("tiled", product, 128, TILED);
  compare_with_callgrind ("transpose", transposed, 400, NULL);
  compare_with_callgrind ("stencil", stencil, 400, NULL);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory-lab/same", test_same);
  g_test_add_func ("/memory-lab/sampled", test_sampled);
  g_test_add_func ("/memory-lab/loops", test_loops);
  g_test_add_func ("/memory-lab/distances", test_distances);
  g_test_add_func ("/memory-lab/room", test_room);
  g_test_add_func ("/memory-lab/offset", test_offset);
  g_test_add_func ("/memory-lab/gather", test_gather);
  g_test_add_func ("/memory-lab/computed", test_computed);
  g_test_add_func ("/memory-lab/refusals", test_refusals);
  g_test_add_func ("/memory-lab/callgrind", test_callgrind);
  return g_test_run ();
}
