/* The histories of data/samples/gpu/history: each step says what it does, the simulator finds nothing wrong with it and the result of the program
 * before it; they go into bundles, which build and are right on OpenCL where it is installed and with the simulator as the driver. */
#include "tests/device/compile-once.h"
#include "tests/device/nvidia-tools.h"
#include "tests/support/command.h"
#include "tests/support/support.h"

#include "engine/device/device.h"

#include <json-glib/json-glib.h>

#include <string.h>

#define CLI "app/cli/loopscope-cli"
#define FOLDER "data/samples/gpu/history"

/* The counts that the titles speak of, summed over the step's kernel. */
typedef struct {
  const char *history, *step, *count;
  double      least, most;
} Claim;

static const Claim CLAIMS[] = {
  { "vector_add", "1_naive", "global_load_requests", 4096, 4096 },
  { "vector_add", "2_vector", "global_load_requests", 1024, 1024 },     /* a fourth */
  { "transpose", "1_naive", "global_load_sectors", 262144, 262144 },    /* one for each element */
  { "transpose", "2_shared", "global_load_sectors", 32768, 32768 },     /* an eighth: all of each is used */
  { "transpose", "2_shared", "shared_load_conflicts", 253952, 253952 }, /* 31 of 32 passes */
  { "transpose", "3_padded", "shared_load_conflicts", 0, 0 },
  { "softmax", "1_thread_a_row", "global_store_sectors", 131072, 131072 },
  { "softmax", "2_block_a_row", "global_store_sectors", 16384, 16384 },
  { "reduction", "1_one_thread", "warps", 1, 1 },
  { "reduction", "2_one_block", "warps", 8, 8 },
  { "reduction", "3_many_blocks", "warps", 514, 514 },
  { "layer_norm", "1_thread_a_row", "global_store_sectors", 131072, 131072 },
  { "layer_norm", "2_block_a_row", "global_store_sectors", 16384, 16384 },
  { "layer_norm", "2_block_a_row", "global_load_requests", 24576, 24576 },      /* X three times, and G and B for each row */
  { "layer_norm", "3_registers", "global_load_requests", 3072, 3072 },  /* each of the three once, four floats with one instruction */
  { "conv2d", "1_naive", "global_load_sectors", 362496, 362496 },
  { "conv2d", "2_shared", "global_load_sectors", 122368, 122368 },
  { "conv2d", "2_shared", "shared_load_passes", 73728, 73728 }, /* nine inputs of 16 channels for each warp of outputs */
  { "conv2d", "3_filters_in_registers", "shared_load_passes", 18432, 18432 },   /* a fourth */
  { "attention", "2_one_kernel", "global_load_sectors", 303104, 303104 },
  { "attention", "3_warp_a_key", "global_load_sectors", 98304, 98304 }, /* the keys 32768 instead of 262144 */
  /* of 64 x 64 x 64 */
  { "matmul", "1_naive", "global_load_sectors", 32768, 32768 },
  { "matmul", "2_block_tiles", "global_load_sectors", 4096, 4096 },     /* an eighth: a sixteenth of the elements, half of each sector before */
  { "matmul", "3_thread_tiles", "global_load_requests", 256, 256 },
  { "matmul", "4_vector_loads", "global_load_requests", 64, 64 },       /* a fourth */
  { "matmul", "4_vector_loads", "barriers", 64, 64 },                   /* two a round for each of 8 warps */
  { "matmul", "5_double_buffer", "global_load_requests", 64, 64 },      /* the same ones, but for the first earlier */
  { "matmul", "5_double_buffer", "barriers", 56, 56 },                  /* none before the first tile */
};

static void
says (const char *text,
      const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("\"%s\" is not in: %s", part, text);
}

/* The program, the product of matrices in a size that is soon through. (transfer full) */
static char *
program_of (const char *history)
{
  g_autofree char *path = g_strdup_printf ("%s/%s/program.py", FOLDER, history);
  g_autofree char *relative = g_strdup_printf ("../%s", path);
  g_autofree char *text = NULL;
  GString *small;
  char *file;

  if (!g_str_has_prefix (history, "matmul"))
    return g_steal_pointer (&path);
  text = ls_test_read (relative, NULL);
  small = g_string_new (text);
  g_assert_cmpuint (g_string_replace (small, strcmp (history, "matmul") == 0 ? "512" : "256", "64", 0), >, 0);
  file = ls_test_write ("program.py", small->str);
  g_string_free (small, TRUE);
  return file;
}

static char *
export (const char *history,
        const char *target,
        const char *more)
{
  g_autofree char *base = ls_test_temporary (""), *program = program_of (history);
  g_autofree char *name = g_strdup_printf ("sample-%s-%s", history, target);
  char *folder = g_build_filename (base, name, NULL);
  g_autofree char *line = g_strdup_printf ("device export %s --steps %s/%s --target %s %s -o '%s'", program, FOLDER, history, target, more, folder);
  const char *argv[] = { "rm", "-rf", folder, NULL };
  g_auto (LsTestRun) run = { -1, NULL, NULL };

  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
  run = ls_test_run (CLI, line);
  if (run.status != 0 || strstr (run.err, "the simulator finds") != NULL)
    g_error ("%s: %s", line, run.err);
  return folder;
}

/* FALSE: there is no device. */
static gboolean
run_bundle (const char *folder,
            gboolean    fake)
{
  const char *argv[] = { "./run", "--once", "--no-tools", NULL };
  g_auto (GStrv) env = g_environ_setenv (g_environ_unsetenv (g_get_environ (), "LD_LIBRARY_PATH"), "CFLAGS", "-O0", TRUE);
  g_autofree char *library = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "tests", "device", NULL);
  g_autofree char *out = NULL, *err = NULL;
  int wait_status;

  if (fake)
    env = g_environ_unsetenv (g_environ_setenv (env, "LD_LIBRARY_PATH", library, TRUE), "G_DEBUG");
  g_assert_true (g_spawn_sync (folder, (char **) argv, env, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &wait_status, NULL));
  g_assert_true (WIFEXITED (wait_status));
  if (WEXITSTATUS (wait_status) == 2 && !fake && strstr (err, "OpenCL") != NULL)
    return FALSE;
  if (WEXITSTATUS (wait_status) != 0)
    g_error ("%s: %s%s", folder, out, err);
  return TRUE;
}

static void
check_claims (const char           *history,
              const LsDeviceResult *result)
{
  for (guint i = 0; i < G_N_ELEMENTS (CLAIMS); i++)
    for (guint k = 0; strcmp (CLAIMS[i].history, history) == 0 && k <= result->steps->len; k++)
      {
        const LsDeviceResultStep *step = k < result->steps->len ? result->steps->pdata[k] : NULL;
        const double *value;

        if (step == NULL)
          g_error ("%s has no step %s", history, CLAIMS[i].step);
        if (strcmp (step->name, CLAIMS[i].step) != 0)
          continue;
        value = g_hash_table_lookup (step->simulated, CLAIMS[i].count);
        if (value == NULL || *value < CLAIMS[i].least || *value > CLAIMS[i].most)
          g_error ("%s of %s, %s: %g", CLAIMS[i].count, history, step->name, value != NULL ? *value : -1.0);
        break;
      }
}

static void
test_history (gconstpointer data)
{
  const char *history = data;
  g_autofree char *opencl = export (history, "opencl", "");
  g_autofree char *path = g_build_filename (opencl, "result.json", NULL);
  g_autofree char *readme_path = g_build_filename (opencl, "README", NULL), *readme = NULL;
  g_autoptr (LsDeviceResult) result = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (readme_path, &readme, NULL, NULL));
  if (!run_bundle (opencl, FALSE))
    {
      g_test_skip ("this machine has no OpenCL");
      return;
    }
  result = ls_device_result_read (path, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < result->steps->len; i++)
    {
      const LsDeviceResultStep *step = result->steps->pdata[i];

      g_assert_cmpstr (step->verdict, ==, "same");
      g_assert_cmpuint (strlen (step->title), >, 40);   /* it is explained */
      says (readme, step->title);
    }
  check_claims (history, result);
}

/* In the loop over tiles the next one is fetched before the products of this one, and stored behind them. */
static void
check_double_buffer (const char *folder)
{
  static const char *const ORDER[] = { "for (int k_0 =", "&A[", "&B[", "for (int k_1 =", "+ A_shared_local[", "__syncthreads", "&A_shared[", "= *(const float4 *)&A_local[", "&B_shared[" };
  g_autofree char *path = g_build_filename (folder, "kernels", "5_double_buffer.cu", NULL), *text = NULL;
  const char *at;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  at = text;
  for (guint i = 0; i < G_N_ELEMENTS (ORDER); i++)
    {
      const char *next = strstr (at, ORDER[i]);

      if (next == NULL)
        g_error ("no \"%s\" behind %.60s in %s", ORDER[i], at, text);
      at = next;
    }
}

/* As one source, each in a namespace with kernels of another name: what the compiler reads before the first line of ours takes nine tenths of its
 * time.  Only of files that include nothing, so that none gets a header through another. */
static void
join (GString    *all,
      const char *path,
      const char *text,
      guint       number)
{
  g_autoptr (GRegex) kernel = g_regex_new ("__global__ void (?:__launch_bounds__\\(\\d+\\) )?(\\w+)\\(", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autoptr (GString) undo = g_string_new (NULL);

  for (g_regex_match (kernel, text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *name = g_match_info_fetch (match, 1);

      g_string_append_printf (all, "#define %s %s_of_%u\n", name, name, number);
      g_string_append_printf (undo, "#undef %s\n", name);
    }
  g_assert_cmpuint (undo->len, >, 0);
  g_string_append_printf (all, "namespace file_%u {\n#include \"%s\"\n}\n%s", number, path, undo->str);
}

static void
compile (const char *nvcc,
         const char *path)
{
  const char *argv[] = { nvcc, "-arch=sm_80", "-cubin", "-o", "/dev/null", path, NULL };

  g_assert_true (ls_nvidia_takes (argv));
}

/* By NVIDIA's assembler and compiler, where they are: all PTX for its architecture, and the CUDA C for sm_80. */
static void
assemble (const char *folder)
{
  g_autofree char *ptxas = ls_nvidia_tool ("ptxas"), *nvcc = ls_nvidia_tool ("nvcc"), *kernels = g_build_filename (folder, "kernels", NULL);
  g_autoptr (GDir) dir = g_dir_open (kernels, 0, NULL);
  g_autoptr (GString) all = g_string_new (NULL);
  guint n_ptx = 0, n_cuda = 0, n_old = 0, n_joined = 0;
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (kernels, name, NULL), *text = NULL;

      if (g_str_has_suffix (name, ".ptx") && ptxas != NULL)
        {
          if (ls_nvidia_assembles (ptxas, path, NULL))
            n_ptx++;
          else
            n_old++;
        }
      if (g_str_has_suffix (name, ".cu") && nvcc != NULL)
        {
          g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
          if (strstr (text, "#include") != NULL)
            compile (nvcc, path);
          else
            join (all, path, text, n_joined++);
          n_cuda++;
        }
    }
  if (n_joined > 0)
    {
      g_autofree char *path = ls_test_write ("all.cu", all->str);

      compile (nvcc, path);
    }
  if (ptxas == NULL)
    g_test_message ("there is no ptxas on PATH or in /usr/local/cuda: the PTX is not assembled");
  else
    g_assert_cmpuint (n_ptx, >, 0);
  if (nvcc == NULL)
    g_test_message ("there is no nvcc on PATH or in /usr/local/cuda: the CUDA C is not compiled");
  else
    g_assert_cmpuint (n_cuda, >, 0);
  g_test_message ("%u files of PTX assembled, %u of an architecture that this ptxas does not know any more, %u of CUDA C compiled", n_ptx, n_old, n_cuda);
}

/* As PTX, with the simulator as the driver. */
static void
test_cuda (gconstpointer data)
{
  g_autofree char *folder = export (data, "cuda", strcmp (data, "matmul_f16") == 0 ? "--arch sm_80,sm_90" : "--arch sm_70,sm_80,sm_90 --no-simulate");
  g_autofree char *readme_path = g_build_filename (folder, "README", NULL), *readme = NULL;

  g_assert_true (g_file_get_contents (readme_path, &readme, NULL, NULL));
  g_assert_null (strstr (readme, "no PTX"));
  assemble (folder);
  if (strcmp (data, "matmul") == 0)
    check_double_buffer (folder);
  g_assert_true (run_bundle (folder, TRUE));
}

int
main (int    argc,
      char **argv)
{
  static const char *const HISTORIES[] = { "vector_add", "transpose", "softmax", "layer_norm", "reduction", "conv2d", "attention", "matmul" };
  char *objects;
  int status;

  g_test_init (&argc, &argv, NULL);
  objects = ls_compile_once_begin ();
  g_test_add_data_func ("/device/samples/cuda/matmul_f16", "matmul_f16", test_cuda);    /* tensor cores: OpenCL has none */
  for (guint i = 0; i < G_N_ELEMENTS (HISTORIES); i++)
    {
      g_autofree char *path = g_strconcat ("/device/samples/", HISTORIES[i], NULL), *cuda = g_strconcat ("/device/samples/cuda/", HISTORIES[i], NULL);

      g_test_add_data_func (path, HISTORIES[i], test_history);
      g_test_add_data_func (cuda, HISTORIES[i], test_cuda);
    }
  status = g_test_run ();
  ls_compile_once_end (objects);
  return status;
}
