/* Every step of every sample and of the programs of the golden files has its operations and bytes, or the program gives a
 * reason why not: a loop whose extent is no number, a while loop, memory that a call goes to as it likes. */
#include "engine/schedule/schedule.h"
#include "engine/schedule/intrin/intrin.h"
#include "engine/script/script.h"
#include "engine/tir/specialize.h"
#include "engine/tir/traffic.h"
#include "tests/support/support.h"

#include <string.h>

#define CACHE 32768

static guint n_counted, n_reasons;

static LsWalk
find_cause (LsNode  *node,
            gpointer found)
{
  gint64 n;

  *(gboolean *) found |= ls_is (node, WHILE) || (ls_is (node, FOR) && !ls_as_int (((LsFor *) node)->extent, &n))
                         || ls_is_call (node, "tir.tvm_access_ptr") || ls_is_call (node, "tir.address_of");
  return *(gboolean *) found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static void
check_func (LsModule   *module,
            LsPrimFunc *func,
            const char *where)
{
  g_autoptr (LsCostTable) costs = ls_cost_table_new_in (func, module);
  double bytes = ls_cost_traffic (func, costs, CACHE);
  gboolean cause = FALSE;

  ls_walk (func->body, find_cause, NULL, &cause);
  if (costs->flop >= 0.0 && bytes >= 0.0)
    n_counted++;
  else if (costs->reason == NULL || !cause)
    g_error ("%s: %g operations, %g bytes, and the reason is: %s", where, costs->flop, bytes, costs->reason != NULL ? costs->reason : "none");
  else
    n_reasons++;
}

static void
check_steps (LsModule   *module,
             const char *steps,
             const char *where)
{
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  if (steps[0] == '[')
    {
      g_autoptr (LsTrace) trace = ls_trace_from_json (steps, findings);

      if (trace != NULL)
        ls_trace_apply (trace, schedule, TRUE, FALSE, findings);
    }
  else
    ls_schedule_apply_text (schedule, source, 0, findings);
  for (guint i = 0; i <= ls_schedule_get_n_steps (schedule); i++)
    {
      LsModule *version = ls_schedule_get_version (schedule, i)->module;

      if (i > 0 && version == ls_schedule_get_version (schedule, i - 1)->module)
        continue;
      for (guint k = 0; k < ls_array_n (version->functions); k++)
        if (ls_is (version->functions->items[k], PRIM_FUNC))
          check_func (version, (LsPrimFunc *) version->functions->items[k], where);
    }
}

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("text", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  return ls_script_parse (source, findings);
}

/* NAME.py with NAME_steps.py of data/samples. */
static void
walk_samples (const char *folder)
{
  g_autofree char *path = ls_test_path (folder);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *stem = g_str_has_suffix (name, ".py") ? g_strndup (name, strlen (name) - 3) : NULL;
      g_autofree char *file = g_build_filename (path, name, NULL);
      g_autofree char *beside = stem != NULL ? g_strdup_printf ("%s/%s_steps.py", path, stem) : NULL;
      g_autofree char *text = NULL, *steps = NULL;
      g_autoptr (LsModule) module = NULL;

      if (stem == NULL || strstr (stem, "_steps") != NULL)
        continue;
      g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
      module = parse (text);
      g_assert_nonnull (module);
      if (!g_file_get_contents (beside, &steps, NULL, NULL))
        steps = g_strdup ("");
      check_steps (module, steps, name);
      n++;
    }
  g_assert_cmpuint (n, >, 3);
}

static void
test_samples (void)
{
  walk_samples ("../data/samples");
  walk_samples ("../data/samples/gpu");
}

static void
walk_case (const char *path)
{
  g_autofree char *text = NULL, *module_text = NULL;
  g_autoptr (LsModule) module = NULL;
  const char *steps;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  steps = strstr (text, "\n# steps\n");
  if (steps == NULL || strstr (text, "\n# intrin\n") != NULL)
    return;
  module_text = g_strndup (text, steps - text + 1);
  module = parse (module_text);
  g_assert_nonnull (module);
  check_steps (module, steps + strlen ("\n# steps\n"), path);
}

static void
test_golden (void)
{
  g_autofree char *path = ls_test_path ("golden/schedule");
  g_autoptr (GDir) folders = g_dir_open (path, 0, NULL);
  const char *folder;
  guint before = n_counted;

  g_assert_nonnull (folders);
  while ((folder = g_dir_read_name (folders)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, folder, NULL);
      g_autoptr (GDir) dir = g_dir_open (inner, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *file = g_build_filename (inner, name, NULL);

          if (g_str_has_suffix (name, ".py"))
            walk_case (file);
        }
    }
  g_assert_cmpuint (n_counted - before, >, 300);
  g_test_message ("%u steps counted, %u with a reason", n_counted, n_reasons);
}

/* ---- counted by hand ------------------------------------------------------------- */

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"

static const char symbolic[] = HEAD
  "    @T.prim_func\n"
  "    def main(a: T.handle):\n"
  "        n = T.int32()\n"
  "        A = T.match_buffer(a, (n,))\n"
  "        for i in range(n):\n"
  "            with T.block(\"A\"):\n"
  "                vi = T.axis.spatial(n, i)\n"
  "                A[vi] = A[vi] * T.float32(2)\n";
static const char called[] = HEAD
  "    @T.prim_func\n"
  "    def main(A: T.Buffer((100,), \"float32\")):\n"
  "        for i in range(3):\n"
  "            Module.twice(A.data)\n"
  "    @T.prim_func(private=True)\n"
  "    def twice(a: T.handle(\"float32\")):\n"
  "        A = T.decl_buffer((100,), data=a)\n"
  "        for i in range(100):\n"
  "            A[i] = A[i] * T.float32(2)\n";
static const char vectors[] = HEAD
  "    @T.prim_func\n"
  "    def main(A: T.Buffer((128,), \"float32\"), B: T.Buffer((128,), \"float32\")):\n"
  "        for i in range(16):\n"
  "            B[i * 8:i * 8 + 8] = A[i * 8:i * 8 + 8] * T.Broadcast(T.float32(2), 8)\n";

static void
count (const char *text,
       const char *size,
       double     *flop,
       double     *bytes)
{
  g_autoptr (LsModule) module = parse (text);
  g_autoptr (GPtrArray) sizes = g_ptr_array_new ();
  g_autoptr (LsPrimFunc) func = NULL;
  g_autoptr (LsCostTable) costs = NULL;

  g_assert_nonnull (module);
  if (size != NULL)
    g_ptr_array_add (sizes, (gpointer) size);
  func = ls_prim_func_size ((LsPrimFunc *) ls_module_get (module, "main"), sizes);
  costs = ls_cost_table_new_in (func, module);
  *flop = costs->flop;
  *bytes = ls_cost_traffic (func, costs, CACHE);
}

static void
test_by_hand (void)
{
  double flop, bytes;

  count (symbolic, NULL, &flop, &bytes);
  g_assert_cmpfloat (flop, <, 0.0);
  count (symbolic, "n=1000", &flop, &bytes);
  g_assert_cmpfloat (flop, ==, 1000.0);
  g_assert_cmpfloat (bytes, ==, 4000.0);
  count (called, NULL, &flop, &bytes);
  g_assert_cmpfloat (flop, ==, 300.0);
  g_assert_cmpfloat (bytes, ==, 1200.0);
  count (vectors, NULL, &flop, &bytes);
  g_assert_cmpfloat (flop, ==, 128.0);
  g_assert_cmpfloat (bytes, ==, 1024.0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/counted/samples", test_samples);
  g_test_add_func ("/schedule/counted/golden", test_golden);
  g_test_add_func ("/schedule/counted/by-hand", test_by_hand);
  return g_test_run ();
}
