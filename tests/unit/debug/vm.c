/* The virtual machine instruction by instruction: what the debugger tells of registers, memory and values is what somebody else who looks on at a plain run
 * of the same program sees, at every position; who held memory before; calls, breakpoints, runs that fail or do not end.
 */
#include "engine/codegen/vm-build.h"
#include "engine/debug/vm-private.h"
#include "engine/relax/pass/pass.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <math.h>
#include <glib/gstdio.h>
#include <string.h>

#define HEAD "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Model:\n"

static const char *const LAYER = HEAD
  "    @R.function\n"
  "    def main(x: R.Tensor((4, 6), \"float32\"), w: R.Tensor((6, 6), \"float32\"), w1: R.Tensor((6, 5), \"float32\")) -> R.Tensor((4, 5), \"float32\"):\n"
  "        with R.dataflow():\n"
  "            q = R.matmul(x, w)\n"
  "            k = R.nn.relu(q)\n"
  "            t = R.permute_dims(k)\n"
  "            u = R.permute_dims(t)\n"
  "            s = R.add(u, R.const(0.5, \"float32\"))\n"
  "            r = R.reshape(s, R.shape([24]))\n"
  "            v = R.reshape(r, R.shape([4, 6]))\n"
  "            e = R.exp(v)\n"
  "            g = R.matmul(e, w1)\n"
  "            R.output(g)\n"
  "        return g\n";

/* Calls, one function twice, tuples, a symbolic extent, a choice. */
static const char *const CALLS = HEAD
  "    @R.function(private=True)\n"
  "    def half(t: R.Tensor((\"n\", 4), \"float32\")) -> R.Tensor((\"n\", 4), \"float32\"):\n"
  "        n = T.int64()\n"
  "        u: R.Tensor((n, 4), \"float32\") = R.multiply(t, R.const(0.5, \"float32\"))\n"
  "        return u\n"
  "    @R.function\n"
  "    def main(x: R.Tensor((\"n\", 4), \"float32\"), y: R.Tensor((\"n\", 4), \"float32\"), c: R.Tensor((), \"bool\")) -> R.Tensor((\"n\", 4), \"float32\"):\n"
  "        n = T.int64()\n"
  "        cls = Model\n"
  "        a: R.Tensor((n, 4), \"float32\") = cls.half(x)\n"
  "        b: R.Tensor((n, 4), \"float32\") = cls.half(y)\n"
  "        p = (a, b)\n"
  "        d: R.Tensor((n, 4), \"float32\") = p[1]\n"
  "        if c:\n"
  "            z: R.Tensor((n, 4), \"float32\") = R.add(a, d)\n"
  "        else:\n"
  "            z: R.Tensor((n, 4), \"float32\") = R.subtract(a, d)\n"
  "        return z\n";

static const char *const ENDLESS = HEAD
  "    @R.function\n"
  "    def main(x: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n"
  "        cls = Model\n"
  "        y: R.Tensor((4,), \"float32\") = R.add(x, x)\n"
  "        z: R.Tensor((4,), \"float32\") = cls.main(y)\n"
  "        w: R.Tensor((4,), \"float32\") = R.add(z, y)\n"
  "        return w\n";

static const char *const PLAN[] = { "LegalizeOps", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite", "StaticPlanBlockMemory" };

/* ---- machines ------------------------------------------------------------------------------ */

typedef struct {
  LsJit          *jit;
  LsVMExecutable *executable;
  LsKernel       *kernel;
  LsVM           *vm;
  GPtrArray      *args;
} Machine;

static void
machine_clear (Machine *self)
{
  g_clear_pointer (&self->args, g_ptr_array_unref);
  g_clear_pointer (&self->vm, ls_vm_free);
  g_clear_pointer (&self->kernel, ls_kernel_free);
  g_clear_pointer (&self->executable, ls_vm_executable_unref);
  g_clear_pointer (&self->jit, ls_jit_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Machine, machine_clear)

static LsModule *
read_module (const char *text)
{
  g_autofree char *whole = strstr (text, "import tir as T") != NULL ? g_strdup (text) : g_strdup_printf ("from tvm.script import tir as T\n%s", text);

  return ls_test_parse (whole);
}

static void
start (Machine             *self,
       const char          *text,
       gboolean             plan,
       const LsDebugInputs *inputs)
{
  g_autoptr (LsModule) module = read_module (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) bound = ls_debug_bind_symbols (module, inputs, &error);
  g_autoptr (LsTarget) target = ls_target_parse (NULL, &error);
  LsVMBuildOptions options = { .as_is = plan };

  g_assert_no_error (error);
  self->args = ls_debug_vm_arguments ((LsFunction *) ls_module_get (bound, "main"), inputs, &error);
  g_assert_no_error (error);
  for (guint i = 0; plan && i < G_N_ELEMENTS (PLAN); i++)
    {
      const LsRelaxPass *pass = ls_relax_pass_get (PLAN[i], NULL);
      g_autoptr (LsMap) args = ls_relax_pass_arguments (pass, NULL, NULL, NULL);

      ls_take (&module, ls_relax_pass_run (pass, module, args, &error));
      g_assert_no_error (error);
    }
  self->jit = ls_jit_new (&error);
  self->executable = ls_vm_build (module, target, &options, &error);
  g_assert_no_error (error);
  self->kernel = ls_vm_link (self->jit, self->executable, &error);
  g_assert_no_error (error);
  self->vm = ls_vm_new (self->executable, ls_vm_resolve_kernel, self->kernel, &error);
  g_assert_no_error (error);
}

static LsDebugVM *
record (Machine *self)
{
  g_autoptr (GError) error = NULL;
  LsDebugVM *debug = ls_debug_vm_new (self->vm, self->executable, "main", (LsVMValue **) self->args->pdata, self->args->len, &error);

  g_assert_no_error (error);
  return debug;
}

/* ---- somebody else who looks on ---------------------------------------------------------------- */

/* What a register held after an instruction. */
typedef struct {
  guint    function, depth, reg;
  char    *words;
  gpointer address;             /* of a tensor's data, or NULL */
  char    *sum;                 /* of its bytes; NULL: no tensor */
} Seen;

typedef struct {
  LsVMExecutable *executable;
  GPtrArray      *after;        /* of GArray of Seen: for each instruction that is no call of a function, in the order in which they ended */
} Witness;

static void
seen_clear (gpointer data)
{
  Seen *self = data;

  g_free (self->words);
  g_free (self->sum);
}

static gboolean
look_on (const LsVMMoment *moment,
         gpointer          user_data)
{
  Witness *self = user_data;
  GArray *all;

  if (!moment->done || moment->code[0] == LS_VM_OP_FUNCTION || moment->code[0] == LS_VM_OP_VALUE)
    return TRUE;
  all = g_array_new (FALSE, FALSE, sizeof (Seen));
  g_array_set_clear_func (all, seen_clear);
  for (guint i = 0; i < ((LsVMFunction *) self->executable->functions->pdata[moment->function])->n_registers; i++)
    {
      LsVMValue *value = moment->code[1] == (gint64) i && moment->code[0] != LS_VM_OP_RETURN ? moment->value : moment->registers[i];
      Seen seen = { moment->function, moment->depth, i, NULL, NULL, NULL };

      if (value == NULL || value->kind == LS_VM_NONE)
        continue;
      seen.words = value->kind == LS_VM_INT ? g_strdup_printf ("%" G_GINT64_FORMAT, value->v_int) : ls_vm_value_describe (value);
      if (value->kind == LS_VM_TENSOR)
        {
          seen.address = (guint8 *) value->tensor->tensor.data + value->tensor->tensor.byte_offset;
          seen.sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, seen.address, value->tensor->n_bytes);
        }
      g_array_append_val (all, seen);
    }
  g_ptr_array_add (self->after, all);
  return TRUE;
}

static gboolean
is_call (const LsVMStep *step)
{
  return step->code[0] == LS_VM_OP_FUNCTION || step->code[0] == LS_VM_OP_VALUE;
}

/* The places in memory are the same places: one address, one block and offset. */
static void
check_place (GHashTable      *addresses,
             const LsVMThing *thing,
             gpointer         address)
{
  g_autofree char *place = g_strdup_printf ("%d+%" G_GSIZE_FORMAT, thing->block, thing->offset);
  const char *known = g_hash_table_lookup (addresses, address);

  if (thing->bytes == 0)
    return;
  if (known != NULL)
    g_assert_cmpstr (known, ==, place);
  else
    g_hash_table_insert (addresses, address, g_steal_pointer (&place));
}

static void
check_register (LsDebugVM  *debug,
                guint       position,
                int         number,
                const Seen *seen,
                GHashTable *addresses)
{
  const LsVMThing *thing = debug->things->pdata[number];
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *bytes = NULL;
  g_autofree char *sum = NULL;

  g_assert_cmpstr (thing->words, ==, seen->words);
  g_assert_cmpint (thing->kind == LS_VM_TENSOR, ==, seen->sum != NULL);
  if (seen->sum == NULL)
    return;
  check_place (addresses, thing, seen->address);
  if (!thing->is_given && thing->touched > position)
    return;                     /* nobody has written it: whatever lay there */
  bytes = ls_debug_vm_bytes (debug, (guint) number, position, &error);
  g_assert_no_error (error);
  sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, thing->bytes);
  g_assert_cmpstr (sum, ==, seen->sum);
}

/* All registers with their values after each instruction, against what the witness saw. */
static void
check_run (const char          *text,
           gboolean             plan,
           const LsDebugInputs *inputs,
           guint                least)
{
  g_auto (Machine) plain = { NULL };
  g_auto (Machine) watched = { NULL };
  g_autoptr (GPtrArray) after = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GHashTable) addresses = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (LsVMValue) result = NULL;
  g_autoptr (LsDebugVM) debug = NULL;
  Witness witness = { NULL, after };
  guint at = 0;

  start (&plain, text, plan, inputs);
  start (&watched, text, plan, inputs);
  witness.executable = plain.executable;
  ls_vm_set_watch (plain.vm, look_on, &witness);
  result = ls_vm_call (plain.vm, "main", (LsVMValue **) plain.args->pdata, plain.args->len, NULL);
  g_assert_nonnull (result);
  debug = record (&watched);
  g_assert_null (ls_debug_vm_get_problem (debug));
  for (guint i = 0; i < ls_debug_vm_get_n_steps (debug); i++)
    {
      const LsVMStep *step = &g_array_index (debug->steps, LsVMStep, i);
      g_autoptr (GArray) held = NULL;
      GArray *seen;
      guint n = 0;

      if (is_call (step))
        continue;
      g_assert_cmpuint (at, <, after->len);
      seen = after->pdata[at++];
      held = ls_debug_vm_registers (debug, step->frame, i + 1);
      for (guint r = 0; r < held->len; r++)
        {
          int number = g_array_index (held, int, r);

          if (number < 0)
            continue;
          g_assert_cmpuint (n, <, seen->len);
          g_assert_cmpuint (g_array_index (seen, Seen, n).reg, ==, r);
          check_register (debug, i + 1, number, &g_array_index (seen, Seen, n++), addresses);
        }
      g_assert_cmpuint (n, ==, seen->len);
    }
  g_assert_cmpuint (at, ==, after->len);
  g_assert_cmpuint (at, >=, least);
  if (result->kind == LS_VM_TENSOR)
    g_assert_cmpmem (result->tensor->tensor.data, result->tensor->n_bytes, ls_debug_vm_get_result (debug)->tensor->tensor.data, result->tensor->n_bytes);
}

static const char *const FOUR[] = { "n=4", NULL };

static void
test_plain (void)
{
  check_run (LAYER, FALSE, &(LsDebugInputs) { NULL, NULL, 3 }, 15);
}

static void
test_planned (void)
{
  check_run (LAYER, TRUE, &(LsDebugInputs) { NULL, NULL, 3 }, 20);
}

static void
test_calls (void)
{
  for (guint64 seed = 0; seed < 8; seed++)
    check_run (CALLS, FALSE, &(LsDebugInputs) { NULL, FOUR, seed }, 12);
}

/* Random modules: tuples, symbols, functions that call others, views, sorts. */
static void
test_random (void)
{
  static const char *const extents[] = { "n=3", "m=2", NULL };

  for (guint i = 0; i < ls_test_count (12, 200); i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (i);
      g_autofree char *text = ls_test_random_relax (rand);

      check_run (text, i % 2, &(LsDebugInputs) { NULL, extents, i }, 1);
    }
}

/* The values are those of another way to compute: the graph, whose operators the interpreter runs. */
static void
test_interpreter (void)
{
  g_auto (Machine) machine = { NULL };
  LsDebugInputs inputs = { NULL, NULL, 3 };
  g_autoptr (LsModule) module = read_module (LAYER);
  g_autoptr (LsDebugGraph) graph = ls_debug_graph_new (module, NULL, &inputs, NULL);
  g_autoptr (LsDebugVM) debug = NULL;
  guint next = 0, compared = 0;

  start (&machine, LAYER, FALSE, &inputs);
  debug = record (&machine);
  for (guint i = 0; i < ls_debug_vm_get_n_steps (debug); i++)
    {
      const LsVMStep *step = &g_array_index (debug->steps, LsVMStep, i);
      g_autoptr (GArray) held = ls_debug_vm_registers (debug, step->frame, i + 1);
      int number = step->code[0] == LS_VM_OP_KERNEL ? g_array_index (held, int, step->code[4 + 2 * (step->code[3] - 1) + 1]) : -1;
      g_autofree guint8 *bytes = number >= 0 ? ls_debug_vm_bytes (debug, (guint) number, i + 1, NULL) : NULL;
      LsGraphValue *value;

      if (bytes == NULL)
        continue;
      while (((LsGraphValue *) graph->values->pdata[next])->func == NULL)
        next++;
      value = graph->values->pdata[next++];
      for (gint64 k = 0; k < value->n; k++)
        g_assert_cmpfloat_with_epsilon (((float *) bytes)[k], ((float *) value->data)[k], 1e-4);
      compared++;
    }
  g_assert_cmpuint (compared, ==, 9);
}

/* ---- memory ----------------------------------------------------------------------------------- */

/* With planned memory the storage of the first product is used again: known by hand from the plan. */
static void
test_before (void)
{
  g_auto (Machine) machine = { NULL };
  g_autoptr (LsDebugVM) debug = NULL;
  guint n_reused = 0;

  start (&machine, LAYER, TRUE, &(LsDebugInputs) { NULL, NULL, 3 });
  debug = record (&machine);
  for (guint i = 0; i < debug->things->len; i++)
    {
      const LsVMThing *thing = debug->things->pdata[i];
      int before = thing->kind == LS_VM_TENSOR && !thing->is_given ? ls_debug_vm_before (debug, i) : -1;
      g_autoptr (GArray) living = before >= 0 ? ls_debug_vm_living (debug, thing->born) : NULL;

      if (before < 0)
        continue;
      n_reused++;
      g_assert_cmpint (((LsVMThing *) debug->things->pdata[before])->block, ==, thing->block);
      g_assert_false (g_array_index (living, gboolean, before));
      g_assert_true (g_array_index (living, gboolean, i));
      g_assert_cmpuint (((LsVMThing *) debug->things->pdata[before])->born, <, thing->born);
    }
  g_assert_cmpuint (n_reused, >=, 2);
}

/* ---- words -------------------------------------------------------------------------------------- */

static GVariant *
say (LsDebugVM  *debug,
     const char *line)
{
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_debug_vm_command (debug, line, &error);

  g_assert_no_error (error);
  return answer;
}

static guint
position_after (LsDebugVM  *debug,
                const char *line)
{
  g_autoptr (GVariant) answer = say (debug, line);
  guint position = G_MAXUINT;

  g_assert_true (g_variant_lookup (answer, "position", "u", &position));
  return position;
}

static char *
text_after (LsDebugVM  *debug,
            const char *line,
            const char *key)
{
  g_autoptr (GVariant) answer = say (debug, line);
  char *text = NULL;

  g_variant_lookup (answer, key, "s", &text);
  return text != NULL ? text : g_strdup ("");
}

static guint
n_calls (LsDebugVM *debug)
{
  g_autoptr (GVariant) answer = say (debug, "where");
  g_autoptr (GVariant) calls = g_variant_lookup_value (answer, "calls", G_VARIANT_TYPE ("as"));

  return (guint) g_variant_n_children (calls);
}

/* Into a function, over one, out of it; breakpoints both ways; backwards is what it was forwards. */
static void
test_moves (void)
{
  g_auto (Machine) machine = { NULL };
  g_autoptr (LsDebugVM) debug = NULL;
  g_autoptr (GVariant) stops = NULL;
  g_autoptr (GPtrArray) seen = g_ptr_array_new_with_free_func (g_free);
  guint n, at;

  start (&machine, CALLS, FALSE, &(LsDebugInputs) { NULL, FOUR, 1 });
  debug = record (&machine);
  n = ls_debug_vm_get_n_steps (debug);
  stops = say (debug, "break half");
  at = position_after (debug, "continue");
  g_assert_cmpuint (n_calls (debug), ==, 2);            /* it stands in the function that was called */
  g_assert_cmpuint (position_after (debug, "step"), ==, at + 1);
  position_after (debug, "out");
  g_assert_cmpuint (n_calls (debug), ==, 1);
  g_assert_cmpuint (position_after (debug, "back-continue"), ==, at);
  g_assert_cmpuint (position_after (debug, "back"), ==, at - 1);
  position_after (debug, "over");
  g_assert_cmpuint (n_calls (debug), ==, 1);
  g_assert_cmpuint (position_after (debug, "continue"), >, at);
  g_assert_cmpuint (position_after (debug, "continue"), ==, n);
  position_after (debug, "start");
  for (guint i = 0; i <= n; i++)
    {
      g_autoptr (GVariant) look = say (debug, i == 0 ? "where" : "step");

      g_ptr_array_add (seen, g_variant_print (look, FALSE));
    }
  for (guint i = n; i-- > 0;)
    {
      g_autoptr (GVariant) look = say (debug, "back");
      g_autofree char *text = g_variant_print (look, FALSE);

      g_assert_cmpstr (text, ==, seen->pdata[i]);
    }
}

static void
test_refused (void)
{
  static const char *const wrong[] = { "goto 100000", "goto x", "break nonsense", "break", "delete 7", "grid", "grid r1000", "grid x", "history r1000", "jump" };
  g_auto (Machine) machine = { NULL };
  g_autoptr (LsDebugVM) debug = NULL;
  g_autofree char *did = NULL;

  start (&machine, LAYER, FALSE, &(LsDebugInputs) { NULL, NULL, 3 });
  debug = record (&machine);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (ls_debug_vm_command (debug, wrong[i], &error));
      g_assert_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_COMMAND);
    }
  did = text_after (debug, "step", "did");
  g_assert_cmpstr (did, ==, "The value is what is expected.");
}

/* The grid is the tensor; before somebody wrote it, it says so. */
static void
test_grid (void)
{
  g_auto (Machine) machine = { NULL };
  g_autoptr (LsDebugVM) debug = NULL;
  g_autoptr (GVariant) stops = NULL, fresh = NULL, grid = NULL, values = NULL;
  g_autofree char *did = NULL;
  gint64 n_written = -1;

  start (&machine, LAYER, FALSE, &(LsDebugInputs) { NULL, NULL, 3 });
  debug = record (&machine);
  stops = say (debug, "break alloc");
  did = text_after (debug, "continue", "did");
  g_assert_nonnull (strstr (did, "It lies in memory block"));
  fresh = say (debug, "grid r3");
  g_assert_true (g_variant_lookup (fresh, "n-written", "x", &n_written));
  g_assert_cmpint (n_written, ==, 0);
  position_after (debug, "step");
  grid = say (debug, "grid r3");
  g_assert_true (g_variant_lookup (grid, "n-written", "x", &n_written));
  g_assert_cmpint (n_written, ==, 24);
  values = g_variant_lookup_value (grid, "values", G_VARIANT_TYPE ("ad"));
  for (gint64 i = 0; i < 4; i++)
    for (gint64 j = 0; j < 6; j++)
      {
        const float *x = ((LsVMValue *) machine.args->pdata[0])->tensor->tensor.data, *w = ((LsVMValue *) machine.args->pdata[1])->tensor->tensor.data;
        double sum = 0, found;

        for (gint64 k = 0; k < 6; k++)
          sum += (double) x[i * 6 + k] * w[k * 6 + j];
        g_variant_get_child (values, (gsize) (i * 6 + j), "d", &found);
        g_assert_cmpfloat_with_epsilon (found, sum, 1e-4);
      }
}

/* ---- runs that fail --------------------------------------------------------------------------------- */

/* It is written down up to where it failed, and says why. */
static void
test_misfit (void)
{
  g_auto (Machine) machine = { NULL };
  g_autoptr (LsDebugVM) debug = NULL;
  const gint64 shape[] = { 4, 7 };
  g_autofree char *end = NULL;

  start (&machine, LAYER, FALSE, &(LsDebugInputs) { NULL, NULL, 3 });
  ls_vm_value_unref (machine.args->pdata[1]);
  machine.args->pdata[1] = ls_vm_tensor (ls_ndarray_new (2, shape, LS_DT_FLOAT32, NULL));
  debug = record (&machine);
  g_assert_nonnull (strstr (ls_debug_vm_get_problem (debug), "w of main"));
  g_assert_cmpuint (ls_debug_vm_get_n_steps (debug), ==, 2);
  end = text_after (debug, "end", "end");
  g_assert_cmpstr (end, ==, ls_debug_vm_get_problem (debug));
  g_assert_null (ls_debug_vm_get_result (debug));
}

/* A function that calls itself for ever ends at the machine's limit; all of it can be walked. */
static void
test_endless (void)
{
  g_auto (Machine) machine = { NULL };
  g_autoptr (LsDebugVM) debug = NULL;
  g_autofree char *end = NULL;

  start (&machine, ENDLESS, FALSE, &(LsDebugInputs) { NULL, NULL, 3 });
  debug = record (&machine);
  g_assert_nonnull (strstr (ls_debug_vm_get_problem (debug), "nested"));
  end = text_after (debug, "end", "end");
  g_assert_nonnull (strstr (end, "nested"));
  position_after (debug, "back");
  g_assert_cmpuint (n_calls (debug), ==, 1000);
  position_after (debug, "start");
  g_assert_cmpuint (n_calls (debug), ==, 1);
}

/* Random tokens lie within the table that they pick rows of, as those of a graph do; what a file holds is not touched, nor what picks nothing. */
static void
test_tokens (void)
{
  g_autoptr (LsModule) module = read_module (
    "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Layer:\n"
    "    @R.function\n"
    "    def main(tokens: R.Tensor((2, 6), \"int64\"), free: R.Tensor((40,), \"int64\"), table: R.Tensor((11, 4), \"float32\")) -> R.Tensor((12, 4), \"float32\"):\n"
    "        with R.dataflow():\n"
    "            narrow = R.astype(tokens, dtype=\"int32\")\n"
    "            flat = R.reshape(narrow, R.shape([12]))\n"
    "            rows = R.take(table, flat, axis=0)\n"
    "            R.output(rows)\n"
    "        return rows\n");
  LsFunction *func = (LsFunction *) ls_module_get (module, "main");
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "loopscope-vm-tokens.npy", NULL);
  const char *files[] = { path, NULL };
  gint64 least = 0, extents[] = { 2, 6 };
  g_autoptr (LsNDArray) given = ls_ndarray_new (2, extents, LS_DT_INT64, &error);

  for (guint64 seed = 0; seed < 5; seed++)
    {
      LsDebugInputs inputs = { NULL, NULL, seed };
      g_autoptr (GPtrArray) args = ls_debug_vm_arguments (func, &inputs, &error);
      LsVMValue *tokens, *other;

      g_assert_no_error (error);
      tokens = args->pdata[0];
      other = args->pdata[1];
      for (gint64 i = 0; i < 12; i++)
        {
          gint64 token = ls_tensor_get_int (&tokens->tensor->tensor, i);

          g_assert_cmpint (token, >=, 0);
          g_assert_cmpint (token, <, 11);
        }
      for (gint64 i = 0; i < 40; i++)
        least = MIN (least, ls_tensor_get_int (&other->tensor->tensor, i));
    }
  g_assert_cmpint (least, <, 0);        /* as random numbers are */

  for (gint64 i = 0; i < 12; i++)
    ls_tensor_set_int (&given->tensor, i, 100 + i);
  g_assert_true (ls_npy_write (path, &given->tensor, &error));
  {
    g_autoptr (GPtrArray) args = ls_debug_vm_arguments (func, &(LsDebugInputs) { files, NULL, 0 }, &error);

    g_assert_no_error (error);
    g_assert_cmpint (ls_tensor_get_int (&((LsVMValue *) args->pdata[0])->tensor->tensor, 5), ==, 105);
  }
  g_remove (path);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/vm/plain", test_plain);
  g_test_add_func ("/vm/planned", test_planned);
  g_test_add_func ("/vm/calls", test_calls);
  g_test_add_func ("/vm/random", test_random);
  g_test_add_func ("/vm/interpreter", test_interpreter);
  g_test_add_func ("/vm/before", test_before);
  g_test_add_func ("/vm/moves", test_moves);
  g_test_add_func ("/vm/refused", test_refused);
  g_test_add_func ("/vm/grid", test_grid);
  g_test_add_func ("/vm/misfit", test_misfit);
  g_test_add_func ("/vm/endless", test_endless);
  g_test_add_func ("/vm/tokens", test_tokens);
  return g_test_run ();
}
