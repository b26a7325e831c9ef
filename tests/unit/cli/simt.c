/* simt and source as a person calls them: what they say, their exit status, JSON. */
#include "tests/support/command.h"
#include "tests/support/support.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define CLI "app/cli/loopscope-cli"
#define SAMPLE(name) "data/samples/gpu/" name ".py --steps data/samples/gpu/" name "_steps.py"

#define RACE \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((64,), \"float32\"), B: T.Buffer((32,), \"float32\")):\n" \
  "    for b in T.thread_binding(2, thread=\"blockIdx.x\"):\n        for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n            B[t] = A[b * 32 + t]\n"

#define PACKED \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((32, 32), \"float32\"), B: T.Buffer((32, 32), \"float32\")):\n" \
  "    for i, j in T.grid(32, 32):\n        with T.block(\"B\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n            B[vi, vj] = A[vj, vi]\n"
#define PACKED_STEPS \
  "block = sch.get_block(\"B\")\ni, j = sch.get_loops(block)\nb, i = sch.split(i, factors=[1, None])\nsch.bind(b, \"blockIdx.x\")\nsch.bind(j, \"threadIdx.x\")\n" \
  "shared = sch.cache_read(block, 0, \"shared\")\nsch.compute_at(shared, b)\ny, x = sch.get_loops(shared)[-2:]\nsch.bind(x, \"threadIdx.x\")\n" \
  "sch.transform_layout(shared, (\"write\", 0), lambda r, c: (c // 4, r, c % 4))\n"
#define SWIZZLED_COPY(name, to, from, layout) \
  "        for y in range(64):\n            for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n                with T.block(\"" name "\"):\n" \
  "                    vy = T.axis.spatial(32, (y * 32 + t) // 64)\n                    vx = T.axis.spatial(64, (y * 32 + t) % 64)\n" \
  "                    T.block_attr({\"permuted_layout\": \"" layout "\"})\n                    " to "[vy, vx] = " from "[vy, vx]\n"
#define SWIZZLED \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((32, 64), \"float16\"), B: T.Buffer((32, 64), \"float16\")):\n" \
  "    S = T.alloc_buffer((32, 64), \"float16\", scope=\"shared\")\n    for b in T.thread_binding(1, thread=\"blockIdx.x\"):\n" \
  SWIZZLED_COPY ("S", "S", "A", "g2s_A") SWIZZLED_COPY ("B", "B", "S", "s2l_A")

#define FLOAT8 \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((64,), \"%s\"), B: T.Buffer((64,), \"%s\")):\n" \
  "    for b in T.thread_binding(2, thread=\"blockIdx.x\"):\n        for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n" \
  "            B[b * 32 + t] = A[b * 32 + t] * A[b * 32 + t]\n"

#define TANGENT \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((32,), \"float32\"), B: T.Buffer((32,), \"float32\")):\n" \
  "    for t in T.thread_binding(32, thread=\"threadIdx.x\"):\n        B[t] = T.tan(A[t])\n"

#define PRODUCT "data/samples/gpu/history/matmul_f16/"

static void
says (const char *text,
      const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("\"%s\" is not in: %s", part, text);
}

static void
test_good (void)
{
  g_auto (LsTestRun) run = ls_test_run (CLI, "simt " SAMPLE ("transpose"));

  g_assert_cmpint (run.status, ==, 0);
  says (run.out, "4 x 4 blocks of 32 x 8 threads, 128 warps");
  says (run.out, "read A_shared            shared       512       65536  no bank conflict");
  says (run.out, "a multiprocessor of sm_70 holds 8 blocks at a time, 64 of 64 warps; the limit is its threads");
  says (run.out, "No race, no barrier missed");
  says (run.out, "The result is that of the program without the steps");
}

/* The fast mode: loops compiled for this CPU, with the result of the program before its steps, also where threads bound by hand are all there is. */
/* What AMD's devices hold stands in the object file; the kernel of softmax was one that LLVM could not write twice. */
static void
test_amd (void)
{
  g_auto (LsTestRun) softmax = ls_test_run (CLI, "simt " SAMPLE ("softmax") " --target rocm"), product = ls_test_run (CLI, "simt " SAMPLE ("matmul_shared") " --target 'rocm -mcpu=gfx1030'");

  says (softmax.out, "a compute unit of gfx900 holds 16 blocks at a time, 32 of 40 wavefronts of 64 lanes; the limit is the number of blocks\n  registers, by its object file: 16 vector registers a thread");
  says (softmax.out, "The result is that of the program without the steps");
  says (product.out, "a compute unit of gfx1030 holds");
  says (product.out, " of 64 wavefronts of 32 lanes");
}

/* What the window shows, from the command line: each access of a block with its lanes and bytes, and pictures. */
static void
test_events (void)
{
  g_autofree char *folder = ls_test_temporary (""), *svg = g_build_filename (folder, "event.svg", NULL), *pdf = g_build_filename (folder, "race.pdf", NULL), *png = g_build_filename (folder, "layout.png", NULL);
  g_autofree char *file = ls_test_write ("race.py", RACE), *list = g_strconcat ("simt " SAMPLE ("transpose") " --block 5 --events -o ", svg, " --event 1", NULL);
  g_autofree char *race = g_strconcat ("simt ", file, " -o ", pdf, NULL), *layout = g_strconcat ("simt " SAMPLE ("transpose") " --layout 1 -o ", png, NULL);
  g_autofree char *far = g_strconcat ("simt " SAMPLE ("transpose") " --layout 99 -o ", png, NULL), *text = NULL;
  g_auto (LsTestRun) listed = ls_test_run (CLI, list), raced = ls_test_run (CLI, race), laid = ls_test_run (CLI, layout), none = ls_test_run (CLI, far);
  g_auto (LsTestRun) json = ls_test_run (CLI, "simt " SAMPLE ("transpose") " --events --json"), two = ls_test_run (CLI, "simt x.py -o a.svg --event 1 --finding 1");
  g_auto (LsTestRun) ending = ls_test_run (CLI, "simt x.py -o a.gif"), alone = ls_test_run (CLI, "simt x.py --event 2"), negative = ls_test_run (CLI, "simt x.py -o a.svg --event -1");
  gsize length;

  says (listed.out, "Kernel 1, block 5");
  says (listed.out, "     1    22     0  read A                   global   0-31         16512, 16516, .. 16636");      /* row 32, column 32 of 128 */
  says (listed.out, "     2    22     0  write A_shared           shared   0-31         0, 4, .. 124");
  says (listed.out, "barrier: all threads of the block have come");
  g_assert_cmpint (listed.status, ==, 0);
  g_assert_true (g_file_get_contents (svg, &text, NULL, NULL));
  says (text, "<svg");
  g_assert_cmpint (raced.status, ==, 1);                        /* for the race */
  g_free (text);
  g_assert_true (g_file_get_contents (pdf, &text, &length, NULL));
  g_assert_true (g_str_has_prefix (text, "%PDF"));
  g_assert_cmpint (laid.status, ==, 0);
  g_assert_true (g_file_test (png, G_FILE_TEST_IS_REGULAR));
  g_assert_cmpint (none.status, ==, 1);
  says (none.err, "There is no layout 99: there are 2, counted from 1.");
  says (json.out, "\"events\"");
  says (two.err, "a picture is of one --event, --finding or --layout, counted from 1");
  says (negative.err, "--event takes a number from 0");
  says (ending.err, "a picture ends in .svg, .png or .pdf");
  says (alone.err, "--event, --finding, --layout and --dark are for -o PICTURE");
}

static void
test_fast (void)
{
  g_auto (LsTestRun) run = ls_test_run (CLI, "simt " SAMPLE ("matmul_shared") " --fast"), softmax = ls_test_run (CLI, "simt " SAMPLE ("softmax") " --fast --json");
  g_autofree char *file = ls_test_write ("race.py", RACE), *line = g_strconcat ("simt ", file, " --fast", NULL), *both = g_strconcat (line, " --layouts", NULL);
  g_auto (LsTestRun) bound = ls_test_run (CLI, line), wrong = ls_test_run (CLI, both), product = ls_test_run (CLI, "simt " PRODUCT "program.py --steps " PRODUCT "3_mma.py --target nvidia/nvidia-a100 --fast");
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *answer;

  g_assert_cmpint (run.status, ==, 0);
  says (run.out, "main as loops over blocks and threads: ");
  says (run.out, " ms on this CPU, which is no time of a GPU; nothing was checked or counted.\nThe result is that of the program without the steps");
  g_assert_cmpint (softmax.status, ==, 0);
  g_assert_true (json_parser_load_from_data (parser, softmax.out, -1, NULL));
  answer = json_node_get_object (json_parser_get_root (parser));
  g_assert_true (json_object_get_boolean_member (answer, "same"));
  g_assert_cmpint (json_object_get_int_member (answer, "cpu-ns"), >, 0);
  g_assert_false (json_object_has_member (answer, "sites"));
  g_assert_cmpint (bound.status, ==, 0);
  g_assert_cmpint (wrong.status, ==, 2);
  says (wrong.err, "--fast computes the result only");
  g_assert_cmpint (product.status, ==, 0);
  says (product.out, "The result is that of the program without the steps");
}

static void
test_race (void)
{
  g_autofree char *file = ls_test_write ("race.py", RACE), *line = g_strconcat ("simt ", file, NULL), *json = g_strconcat (line, " --json", NULL);
  g_auto (LsTestRun) run = ls_test_run (CLI, line);
  g_auto (LsTestRun) second = ls_test_run (CLI, json);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *finding;

  g_assert_cmpint (run.status, ==, 1);
  says (run.out, "error[race]: Race on element 0 of B (global memory): thread (0, 0, 0) of block (0, 0, 0) writes it in line ");
  g_assert_true (json_parser_load_from_data (parser, second.out, -1, NULL));
  finding = json_array_get_object_element (json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "findings"), 0);
  g_assert_cmpstr (json_object_get_string_member (finding, "kind"), ==, "race");
  g_assert_cmpint (json_array_get_int_element (json_object_get_array_member (finding, "thread"), 0), ==, 1);
}


/* A tile of 16 x 16 halves after the picture of mma.m16n8k16 in NVIDIA's manual; rows of 40 halves, 20 banks, apart; the 33 columns of the transpose. */
static void
test_layouts (void)
{
  g_auto (LsTestRun) run = ls_test_run (CLI, "simt " PRODUCT "program.py --steps " PRODUCT "3_mma.py --target nvidia/nvidia-a100 --layouts");
  g_auto (LsTestRun) json = ls_test_run (CLI, "simt " PRODUCT "program.py --steps " PRODUCT "3_mma.py --target nvidia/nvidia-a100 --layouts --json");
  g_auto (LsTestRun) transpose = ls_test_run (CLI, "simt " SAMPLE ("transpose") " --layouts");
  g_auto (LsTestRun) none = ls_test_run (CLI, "simt " SAMPLE ("vector_add") " --layouts");
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonArray *layouts;
  guint tiles = 0;

  g_assert_cmpint (run.status, ==, 0);
  says (run.out, "A_shared, shared memory: 32 x 32 of float16, 40 from row to row; bank of each element\n  0  0  1  1  2  2 ");
  says (run.out, "\n 20 20 21 21 22 22 ");
  says (run.out, "tile A of a product: 16 x 16 of float16; lane.number of each element\n"
        "  0.0   0.1   1.0   1.1   2.0   2.1   3.0   3.1   0.4   0.5   1.4   1.5   2.4   2.5   3.4   3.5 \n  4.0 ");
  says (run.out, "\n  0.2   0.3   1.2   1.3   2.2   2.3   3.2   3.3   0.6 ");
  says (transpose.out, "A_shared, shared memory: 32 x 32 of float32, 33 from row to row; bank of each element\n  0  1  2 ");
  says (transpose.out, " 31\n  1  2  3 ");
  says (none.out, "No kernel has shared memory or a product on tensor cores.");
  g_assert_true (json_parser_load_from_data (parser, json.out, -1, NULL));
  layouts = json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "layouts");
  for (guint i = 0; i < json_array_get_length (layouts); i++)
    {
      JsonObject *layout = json_array_get_object_element (layouts, i);
      gint64 rows = json_object_get_int_member (layout, "rows"), columns = json_object_get_int_member (layout, "columns");
      guint8 seen[32][64] = { 0 };
      JsonArray *lanes;

      if (strcmp (json_object_get_string_member (layout, "kind"), "lanes") != 0)
        continue;
      lanes = json_object_get_array_member (layout, "lanes");
      g_assert_cmpint (json_array_get_length (lanes), ==, rows * columns);
      for (guint k = 0; k < rows * columns; k++)                /* each place of each lane once */
        seen[json_array_get_int_element (lanes, k)][json_array_get_int_element (json_object_get_array_member (layout, "numbers"), k)]++;
      for (guint k = 0; k < rows * columns; k++)
        g_assert_cmpint (seen[k % 32][k / 32], ==, 1);
      tiles++;
    }
  g_assert_cmpint (tiles, >=, 3);
}

#define TWO_KERNELS "from tvm.script import tir as T\n@T.prim_func\ndef two(A: T.Buffer((64,), 'float32'), B: T.Buffer((64,), 'float32')):\n" \
  "    T.func_attr({'tir.noalias': True})\n    C = T.alloc_buffer((64,), 'float32')\n    L = T.alloc_buffer((64,), 'float32', scope='local')\n" \
  "    for b in T.thread_binding(2, thread='blockIdx.x'):\n        for t in T.thread_binding(32, thread='threadIdx.x'):\n" \
  "            with T.block('C'):\n                v = T.axis.spatial(64, b * 32 + t)\n                C[v] = A[v]\n" \
  "    for b in T.thread_binding(2, thread='blockIdx.x'):\n        for t in T.thread_binding(32, thread='threadIdx.x'):\n" \
  "            with T.block('L'):\n                v = T.axis.spatial(64, b * 32 + t)\n                L[v] = C[v]\n" \
  "            with T.block('B'):\n                v = T.axis.spatial(64, b * 32 + t)\n                B[v] = L[v] + T.float32(1)\n"

/* Each kernel and block has layouts of its own; what is not there is said with how many there are. */
static void
test_layouts_of_kernels (void)
{
  static const struct { const char *options, *says; int status; } CASES[] = {
    { "--layouts", "No kernel has shared memory or a product on tensor cores.", 0 },
    { "--layouts --kernel 2", "C in L: 1 x 32 of float32 from row 0, column 0; thread.register of each element\n  0.0   1.0 ", 0 },
    { "--layouts --kernel 2 --block 1", "C in L: 1 x 32 of float32 from row 0, column 32; thread.register of each element\n  0.0   1.0 ", 0 },
    { "--layouts --kernel 3", "there is no kernel 3: the function has 2", 1 },
    { "--layouts --kernel 2 --block 2", "there is no block 2: the kernel has 2, counted from 0", 1 },
    { "--layouts --kernel 0", "kernels are counted from 1, blocks from 0", 2 },
    { "--kernel 2", "--kernel and --block choose whose --layouts, --events or picture are shown", 2 },
  };
  g_autofree char *file = ls_test_write ("two.py", TWO_KERNELS);

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *line = g_strdup_printf ("simt %s %s", file, CASES[i].options);
      g_auto (LsTestRun) run = ls_test_run (CLI, line);

      says (CASES[i].status == 0 ? run.out : run.err, CASES[i].says);
      g_assert_cmpint (run.status, ==, CASES[i].status);
    }
}

/* What transform_layout and InjectPermutedLayout made of rows and columns, and registers of a product in tiles of 4 x 4. */
static void
test_held (void)
{
  g_autofree char *program = ls_test_write ("packed.py", PACKED), *steps = ls_test_write ("packed_steps.py", PACKED_STEPS), *swizzled = ls_test_write ("swizzled.py", SWIZZLED);
  g_autofree char *line = g_strdup_printf ("simt %s --steps %s --layouts", program, steps), *second = g_strdup_printf ("simt %s --layouts", swizzled);
  g_auto (LsTestRun) run = ls_test_run (CLI, line);
  g_auto (LsTestRun) swizzle = ls_test_run (CLI, second);
  g_auto (LsTestRun) product = ls_test_run (CLI, "simt " SAMPLE ("matmul_shared") " --layouts");

  g_assert_cmpint (run.status, ==, 0);
  says (run.out, "A in A_shared: 32 x 32 of float32 from row 0, column 0; bank.place in shared memory of each element\n  0.0   1.1   2.2   3.3   0.128  1.129 ");
  says (run.out, "\n  4.4   5.5   6.6   7.7   4.132 ");
  says (run.out, "The result is that of the program without the steps");
  g_assert_cmpint (swizzle.status, ==, 0);
  says (swizzle.out, "A in S: 32 x 64 of float16 from row 0, column 0; bank.place in shared memory of each element\n  0.0   0.1   1.2 ");
  says (swizzle.out, "\n  4.72  4.73  5.74  5.75  6.76  6.77  7.78  7.79  0.64  0.65 ");        /* row 1: packs of 8 change places with their neighbours */
  says (product.out, "A in A_shared: 32 x 8 of float32 from row 0, column 0");       /* the first round of k */
  says (product.out, "C in C_local: 32 x 32 of float32 from row 0, column 0; thread.register of each element\n  0.0   0.1   0.2   0.3   1.0 ");
  says (product.out, "\n  8.0   8.1   8.2   8.3   9.0 ");
}

static void
test_limits (void)
{
  g_auto (LsTestRun) run = ls_test_run (CLI, "simt " SAMPLE ("vector_add") " --target 'cuda -max_threads_per_block=64'");
  g_auto (LsTestRun) unknown = ls_test_run (CLI, "simt " SAMPLE ("vector_add") " --target tpu");

  g_assert_cmpint (run.status, ==, 1);
  says (run.err, "A block has 128 threads (128 x 1 x 1); cuda allows 64.");
  g_assert_cmpint (unknown.status, ==, 1);
  says (unknown.err, "The target tpu has no threads");
}

static void
test_assembly (void)
{
  g_auto (LsTestRun) ptx = ls_test_run (CLI, "source " SAMPLE ("window_sum") " --target 'cuda -arch=sm_80' --format ptx");
  g_auto (LsTestRun) amd = ls_test_run (CLI, "source " SAMPLE ("softmax") " --format amdgcn");
  g_auto (LsTestRun) json = ls_test_run (CLI, "source " SAMPLE ("transpose") " --format llvm --json");
  g_auto (LsTestRun) other = ls_test_run (CLI, "source " SAMPLE ("transpose") " --format ptx --target rocm");
  g_autofree char *tangent = ls_test_write ("tan.py", TANGENT), *line = g_strconcat ("source ", tangent, " --format ptx", NULL);
  g_auto (LsTestRun) needs = ls_test_run (CLI, line);
  g_auto (LsTestRun) exp = ls_test_run (CLI, "source " SAMPLE ("softmax") " --format ptx");
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root;

  g_assert_cmpint (ptx.status, ==, 0);
  says (ptx.out, ".target sm_80");
  says (ptx.out, ".visible .entry main_kernel(");
  says (ptx.out, "bar.sync");
  g_assert_cmpint (amd.status, ==, 0);
  says (amd.out, ".amdhsa_kernel main_kernel");
  g_assert_cmpint (json.status, ==, 0);
  g_assert_true (json_parser_load_from_data (parser, json.out, -1, NULL));
  root = json_node_get_object (json_parser_get_root (parser));
  g_assert_cmpstr (json_object_get_string_member (root, "language"), ==, "llvm");
  g_assert_cmpstr (json_array_get_string_element (json_object_get_array_member (root, "functions"), 0), ==, "main_kernel");
  says (json_object_get_string_member (root, "source"), "define ptx_kernel void @main_kernel(");
  g_assert_cmpint (other.status, ==, 2);
  says (other.err, "for the target rocm the format is amdgcn");
  g_assert_cmpint (needs.status, ==, 1);
  says (needs.err, "The kernel needs tanf");
  g_assert_cmpint (exp.status, ==, 0);
  says (exp.out, "ex2.approx.f32");
}

/* LLVM has no floats of 8 bits: they are bytes there, computed with in float32, for every architecture. */
static void
test_assembly_of_float8 (void)
{
  static const char *const HOW[][2] = {
    { "--format ptx --target 'cuda -arch=sm_70'", "ld.global" }, { "--format ptx --target 'cuda -arch=sm_80'", "ld.global" },
    { "--format ptx --target 'cuda -arch=sm_90'", "ld.global" }, { "--format amdgcn --target rocm", "global_load_ubyte" },
  };
  static const char *const KINDS[] = { "float8_e4m3fn", "float8_e5m2" };

  for (guint k = 0; k < G_N_ELEMENTS (KINDS); k++)
    for (guint i = 0; i < G_N_ELEMENTS (HOW); i++)
      {
        g_autofree char *text = g_strdup_printf (FLOAT8, KINDS[k], KINDS[k]), *file = ls_test_write ("float8.py", text);
        g_autofree char *line = g_strdup_printf ("source %s %s", file, HOW[i][0]);
        g_auto (LsTestRun) run = ls_test_run (CLI, line);

        if (run.status != 0)
          g_error ("%s: %s", line, run.err);
        says (run.out, HOW[i][1]);
      }
}

static void
test_source (void)
{
  g_auto (LsTestRun) cuda = ls_test_run (CLI, "source " SAMPLE ("softmax") " --target cuda --lines");
  g_auto (LsTestRun) opencl = ls_test_run (CLI, "source " SAMPLE ("window_sum") " --target opencl");
  g_auto (LsTestRun) c = ls_test_run (CLI, "source data/samples/mm_relu.py");

  says (cuda.out, "main_kernel(const float *__restrict__ X, float *__restrict__ Y)\n");
  says (cuda.out, "   40 |     Y[");
  says (opencl.out, "__kernel void main_kernel(");
  says (opencl.out, "barrier(CLK_LOCAL_MEM_FENCE);");
  says (c.out, "void mm_relu(const float *restrict A, const float *restrict B, float *restrict C)\n");
}

/* A GPU faults on a vector that begins where none may: only what begins at multiples of its size is copied by one. */
static void
test_vectors (void)
{
#define HISTORY "data/samples/gpu/history/"
  g_auto (LsTestRun) even = ls_test_run (CLI, "source " HISTORY "matmul/program.py --steps " HISTORY "matmul/4_vector_loads.py --target cuda");
  g_auto (LsTestRun) odd = ls_test_run (CLI, "source data/samples/gpu/transpose.py --steps tests/device/unaligned_steps.py --target cuda");
  g_auto (LsTestRun) ptx = ls_test_run (CLI, "source " HISTORY "vector_add/program.py --steps " HISTORY "vector_add/2_vector.py --format ptx");
  g_auto (LsTestRun) odd_ptx = ls_test_run (CLI, "source data/samples/gpu/transpose.py --steps tests/device/unaligned_steps.py --format ptx");

  says (even.out, "__shared__ __align__(16) float A_shared[");
  says (even.out, "*(float4 *)&A_shared[");
  g_assert_cmpint (odd.status, ==, 0);
  says (odd.out, "__shared__ float A_shared[");
  g_assert_null (strstr (odd.out, "float4"));
  says (ptx.out, "ld.global.v4.f32");
  says (ptx.out, "st.global.v4.f32");
  g_assert_cmpint (odd_ptx.status, ==, 0);
  g_assert_null (strstr (odd_ptx.out, "st.shared.v4"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/simt/good", test_good);
  g_test_add_func ("/cli/simt/amd", test_amd);
  g_test_add_func ("/cli/simt/events", test_events);
  g_test_add_func ("/cli/simt/fast", test_fast);
  g_test_add_func ("/cli/simt/race", test_race);
  g_test_add_func ("/cli/simt/limits", test_limits);
  g_test_add_func ("/cli/simt/layouts", test_layouts);
  g_test_add_func ("/cli/simt/layouts-of-kernels", test_layouts_of_kernels);
  g_test_add_func ("/cli/simt/held", test_held);
  g_test_add_func ("/cli/simt/source", test_source);
  g_test_add_func ("/cli/simt/assembly", test_assembly);
  g_test_add_func ("/cli/simt/assembly-of-float8", test_assembly_of_float8);
  g_test_add_func ("/cli/simt/vectors", test_vectors);
  return g_test_run ();
}
