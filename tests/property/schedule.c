/* A schedule step never changes what a program computes: random programs, random steps, the interpreter before and
 * after.  A step that is refused has a reason and changes nothing.
 *
 * TVM v0.20 allows some moves after which a value is read before it is made, or not every instance runs; they are
 * accepted here too, with a warning, and nothing is compared after one. */
#include "engine/codegen/codegen.h"
#include "engine/schedule/schedule.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>
#include <time.h>

typedef struct {
  guint accepted;
  guint refused;
  guint doubtful;
} Tally;

static gboolean
same_bytes (GBytes *a,
            GBytes *b)
{
  return a != NULL && b != NULL && g_bytes_equal (a, b);
}

static void
complain (const char *program,
          const char *steps,
          LsModule   *module,
          const char *what)
{
  g_autofree char *after = ls_script_print (LS_NODE (module), NULL, NULL);

  g_test_message ("%s\n--- program\n%s\n--- steps\n%s\n--- after\n%s", what, program, steps, after);
  g_test_fail ();
}

/* The step itself is sound; it is later ones that may go wrong. */
static gboolean
is_about_later_steps (const LsDiagnostic *finding)
{
  return g_str_has_suffix (finding->code, "/undeclared");
}

static gboolean
has_warning (LsDiagnostics *findings,
             gboolean       about_later_steps)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    if (ls_diagnostics_get (findings, i)->severity == LS_SEVERITY_WARNING && is_about_later_steps (ls_diagnostics_get (findings, i)) == about_later_steps)
      return TRUE;
  return FALSE;
}

static void
check_reasons (LsDiagnostics *findings)
{
  g_assert_cmpuint (ls_diagnostics_get_n (findings), >, 0);
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);

      g_assert_nonnull (strchr (finding->code, '/'));
      g_assert_cmpstr (finding->message, !=, "");
    }
}

typedef enum { STEP_REFUSED, STEP_ACCEPTED, STEP_LAST, STEP_DOUBTFUL } Outcome;

static gboolean
apply_part (LsSchedule    *schedule,
            const char    *text,
            LsDiagnostics *diagnostics)
{
  LsSource *source = ls_source_new ("step", text, -1);
  g_autoptr (LsModule) before = ls_ref (ls_schedule_get_module (schedule));
  gboolean ok;

  ls_schedule_apply_text (schedule, source, 0, diagnostics);
  ok = !ls_diagnostics_has_error (diagnostics);
  ls_source_unref (source);
  if (!ok)
    {
      g_assert_true (ls_schedule_get_module (schedule) == before);
      check_reasons (diagnostics);
    }
  return ok;
}

/* A step may have parts, with an empty line between, of which each changes the program: all of them, or none. */
static Outcome
try_step (LsSchedule *schedule,
          const char *text,
          Tally      *tally)
{
  g_auto (GStrv) parts = g_strsplit (text, "\n\n", -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  guint n_before = ls_schedule_get_n_steps (schedule);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (apply_part (schedule, parts[i], diagnostics))
        continue;
      tally->refused++;
      if (i > 0)
        ls_schedule_undo_to (schedule, n_before);
      return STEP_REFUSED;
    }
  if (has_warning (diagnostics, FALSE))
    {
      tally->doubtful++;
      return STEP_DOUBTFUL;
    }
  tally->accepted++;
  return has_warning (diagnostics, TRUE) ? STEP_LAST : STEP_ACCEPTED;
}

/* What runs the program after each step. */
typedef enum { BY_INTERPRETER, LOWERED, COMPILED } Judge;

static LsJit *jit;
static LsTarget *target, *unoptimised;

/* The arrays after machine code ran on them: the same bytes as ls_test_interpret_func gives. */
static GBytes *
run_compiled (LsPrimFunc     *lowered,
              const LsTarget *for_target,
              guint64         seed,
              GError        **error)
{
  g_autoptr (LsModule) module = ls_module_new (ls_array_of (ls_global_var_new ("main"), NULL), ls_array_of (ls_ref (lowered), NULL), NULL, NULL);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .no_contract = TRUE, .prefix = prefix };       /* large sums are not exact */
  g_autoptr (LsObject) object = ls_codegen_compile (module, "main", for_target, &options, error);
  g_autoptr (LsKernel) kernel = object != NULL ? ls_jit_add (jit, object, error) : NULL;
  g_autoptr (GPtrArray) contents = ls_test_arguments (lowered, seed);
  g_autoptr (GPtrArray) arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_ndarray_unref);
  g_autofree LsArg *args = g_new0 (LsArg, lowered->params->n + 1);
  g_autoptr (GByteArray) result = g_byte_array_new ();

  for (guint i = 0; kernel != NULL && i < lowered->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (lowered, i);
      gint64 shape[4] = { 0 };
      LsNDArray *array;

      for (guint k = 0; k < buffer->shape->n; k++)
        ls_as_int (buffer->shape->items[k], &shape[k]);
      array = ls_ndarray_new ((int) buffer->shape->n, shape, (LsDLDataType) { buffer->dtype.code, buffer->dtype.bits, 1 }, error);
      g_assert_nonnull (array);
      memcpy (array->tensor.data, g_bytes_get_data (contents->pdata[i], NULL), array->n_bytes);
      g_ptr_array_add (arrays, array);
      args[i].kind = LS_ARG_TENSOR;
      args[i].v_tensor = &array->tensor;
    }
  if (kernel == NULL || !ls_kernel_call (kernel, "main", args, (int) lowered->params->n, NULL, error))
    return NULL;
  for (guint i = 0; i < arrays->len; i++)
    g_byte_array_append (result, ((LsNDArray *) arrays->pdata[i])->tensor.data, (guint) ((LsNDArray *) arrays->pdata[i])->n_bytes);
  return g_byte_array_free_to_bytes (g_steal_pointer (&result));
}

static gboolean
check_one (GRand *rand,
           Tally *tally,
           Judge  judge)
{
  g_autofree char *program = ls_test_random_program (rand);
  g_auto (GStrv) blocks = ls_test_block_names (program);
  g_autoptr (LsModule) module = ls_test_parse (program);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GString) done = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) want = ls_test_interpret_func ((LsPrimFunc *) ls_module_get (module, "main"), 7, &error);

  if (want == NULL)
    {
      complain (program, "", module, error->message);
      return FALSE;
    }
  for (guint i = 0; i < 6; i++)
    {
      g_autofree char *step = ls_test_random_step (rand, blocks, i);
      LsPrimFunc *func;
      g_autoptr (LsPrimFunc) lowered = NULL;
      g_autoptr (GBytes) got = NULL;
      Outcome outcome;

      if (judge != BY_INTERPRETER && strstr (step, "sch.bind"))
        continue;
      outcome = try_step (schedule, step, tally);
      if (outcome == STEP_DOUBTFUL)
        break;
      if (outcome == STEP_REFUSED)
        continue;
      g_string_append (done, step);
      func = (LsPrimFunc *) ls_module_get (ls_schedule_get_module (schedule), "main");
      if (!ls_verify_module (ls_schedule_get_module (schedule), NULL))
        {
          complain (program, done->str, ls_schedule_get_module (schedule), "not well formed");
          return FALSE;
        }
      if (judge != BY_INTERPRETER)
        func = lowered = ls_lower (func, NULL, NULL, &error);
      if (func != NULL)
        got = judge == COMPILED ? run_compiled (func, target, 7, &error) : ls_test_interpret_func (func, 7, &error);
      if (!same_bytes (want, got))
        {
          complain (program, done->str, ls_schedule_get_module (schedule), error != NULL ? error->message : "other numbers");
          if (lowered != NULL)
            {
              g_autofree char *text = ls_script_print (LS_NODE (lowered), NULL, NULL);

              g_test_message ("--- lowered\n%s", text);
            }
          return FALSE;
        }
      if (outcome == STEP_LAST)
        break;
    }
  return TRUE;
}

static void
check_many (guint seed,
            Judge judge)
{
  guint n = ls_test_count (500, 10000) / (judge == LOWERED ? 4 : 1);
  Tally tally = { 0 };

  for (guint i = 0; tally.accepted < n && !g_test_failed (); i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed + i);

      if (!check_one (rand, &tally, judge))
        g_test_message ("seed %u", seed + i);
    }
  g_test_message ("%u steps accepted, %u refused, %u with a warning", tally.accepted, tally.refused, tally.doubtful);
}

static void
test_steps (void)
{
  check_many (1000, BY_INTERPRETER);
}

static void
test_lowered (void)
{
  check_many (500000, LOWERED);
}

static void
test_compiled (void)
{
  check_many (800000, COMPILED);
}

/* ---- chains ---------------------------------------------------------------- */

#define CHAIN_STEPS 8
#define CHAIN_SECONDS 60        /* of the processor: a busy machine is no hang */

/* The trace as JSON leads to the same program. */
static gboolean
replays (LsSchedule *schedule,
         gboolean    doubtful,
         const char *program,
         const char *steps)
{
  g_autoptr (LsTrace) trace = ls_trace_of (schedule);
  g_autofree char *json = ls_trace_to_json (trace, FALSE);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsTrace) read = ls_trace_from_json (json, findings);
  g_autoptr (LsSchedule) fresh = ls_schedule_new (ls_schedule_get_version (schedule, 0)->module);

  if (read == NULL || ls_trace_apply (read, fresh, TRUE, FALSE, findings) < ls_trace_get_n (read))
    {
      complain (program, steps, ls_schedule_get_module (schedule), findings != NULL && ls_diagnostics_get_n (findings) > 0 ? ls_diagnostics_get (findings, ls_diagnostics_get_n (findings) - 1)->message : "no replay");
      return FALSE;
    }
  if (doubtful)
    {
      g_autofree char *a = ls_script_print (LS_NODE (ls_schedule_get_module (schedule)), NULL, NULL);
      g_autofree char *b = ls_script_print (LS_NODE (ls_schedule_get_module (fresh)), NULL, NULL);

      if (strcmp (a, b) == 0)
        return TRUE;
    }
  else if (ls_structural_equal (ls_schedule_get_module (schedule), ls_schedule_get_module (fresh), FALSE, NULL, NULL))
    {
      return TRUE;
    }
  complain (program, steps, ls_schedule_get_module (fresh), "replayed, another program");
  return FALSE;
}

/* The program of a text, or NULL where it cannot be read. (transfer full) */
static LsModule *
read_again (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("again", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) again = ls_script_parse (source, findings);

  return again != NULL && !ls_diagnostics_has_error (findings) ? g_steal_pointer (&again) : NULL;
}

/* The text is that of this program: what it leaves out, as regions that are seen from the body, comes back in the same words and order.  What
 * blockize makes of several blocks has regions with extents such as v + 1 - v, as TVM's, and to read those is to simplify them: its text is the same from
 * the second time on. */
static gboolean
reads_back (LsSchedule *schedule,
            const char *program,
            const char *steps)
{
  LsModule *module = ls_schedule_get_module (schedule);
  gboolean several = strstr (steps, "blockize([") != NULL;
  g_autofree char *text = ls_script_print (LS_NODE (module), NULL, NULL), *second = NULL, *third = NULL;
  g_autoptr (LsModule) again = read_again (text), once_more = NULL;

  if (again == NULL || (!several && !ls_structural_equal (module, again, TRUE, NULL, NULL)))
    {
      complain (program, steps, module, again == NULL ? "its text cannot be read" : "its text is of another program");
      return FALSE;
    }
  second = ls_script_print (LS_NODE (again), NULL, NULL);
  once_more = several ? read_again (second) : NULL;
  third = once_more != NULL ? ls_script_print (LS_NODE (once_more), NULL, NULL) : NULL;
  if (several ? third != NULL && strcmp (second, third) == 0 && ls_structural_equal (again, once_more, TRUE, NULL, NULL) : strcmp (text, second) == 0)
    return TRUE;
  complain (program, steps, again, "its text is another one once it is read");
  return FALSE;
}

/* How often each row of the table was accepted, by its number. */
static void
count_rows (LsSchedule *schedule,
            guint      *accepted)
{
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);

  for (guint i = 0; i < ls_schedule_get_n_steps (schedule); i++)
    for (guint row = 0; row < n; row++)
      if (rows[row] == ls_schedule_get_step (schedule, i)->instruction)
        accepted[row]++;
}

/* Each row was accepted; few chains need not reach every one. */
static void
tell_rows (const guint *accepted,
           gboolean     all)
{
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);
  g_autoptr (GString) text = g_string_new ("accepted:");

  for (guint row = 0; row < n; row++)
    g_string_append_printf (text, " %s %u,", rows[row]->name, accepted[row]);
  g_test_message ("%s", text->str);
  for (guint row = 0; all && row < n; row++)
    if (accepted[row] == 0)
      {
        g_test_message ("%s was accepted in no chain", rows[row]->name);
        g_test_fail ();
      }
}

/* Up to CHAIN_STEPS steps, all of them kept, then one run of the result. */
static gboolean
check_chain (guint  seed,
             Tally *tally,
             guint *rows)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autofree char *program = ls_test_random_program (rand);
  g_auto (GStrv) blocks = ls_test_block_names (program);
  g_autoptr (LsModule) module = ls_test_parse (program);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (GString) done = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) want = NULL;
  g_autoptr (GBytes) got = NULL;
  clock_t start = clock ();
  gboolean doubtful = FALSE;

  ls_schedule_set_seed (schedule, seed);
  for (guint i = 0; i < CHAIN_STEPS; i++)
    {
      g_autofree char *step = ls_test_random_step (rand, blocks, i);
      Outcome outcome = try_step (schedule, step, tally);

      doubtful |= outcome == STEP_DOUBTFUL;
      if (outcome != STEP_REFUSED)
        g_string_append (done, step);
      if (outcome == STEP_LAST)
        break;
    }
  count_rows (schedule, rows);
  if (!doubtful && !ls_verify_module (ls_schedule_get_module (schedule), NULL))
    {
      complain (program, done->str, ls_schedule_get_module (schedule), "not well formed");
      return FALSE;
    }
  if (!replays (schedule, doubtful, program, done->str) || (!doubtful && !reads_back (schedule, program, done->str)))
    return FALSE;
  if (!doubtful)
    {
      want = ls_test_interpret_func ((LsPrimFunc *) ls_module_get (module, "main"), 7, &error);
      got = ls_test_interpret_func ((LsPrimFunc *) ls_module_get (ls_schedule_get_module (schedule), "main"), 7, &error);
      if (!same_bytes (want, got))
        {
          complain (program, done->str, ls_schedule_get_module (schedule), error != NULL ? error->message : "other numbers");
          return FALSE;
        }
    }
  if (clock () - start < (clock_t) CHAIN_SECONDS * CLOCKS_PER_SEC)
    return TRUE;
  complain (program, done->str, module, "too slow");
  return FALSE;
}

/* LS_CHAINS=N and LS_CHAIN_SEED=S: so many, from there on. */
static void
test_chains (void)
{
  const char *asked = g_getenv ("LS_CHAINS");
  const char *from = g_getenv ("LS_CHAIN_SEED");
  guint n = asked != NULL ? (guint) g_ascii_strtoull (asked, NULL, 10) : ls_test_count (300, 8000);
  guint seed = from != NULL ? (guint) g_ascii_strtoull (from, NULL, 10) : 3000000;
  Tally tally = { 0 };
  guint rows[128] = { 0 };
  guint failed = 0;

  for (guint i = 0; i < n && failed < 10; i++)
    if (!check_chain (seed + i, &tally, rows))
      {
        g_test_message ("seed %u", seed + i);
        failed++;
      }
  tell_rows (rows, n >= 4000);
  g_test_message ("%u chains: %u steps accepted, %u refused, %u with a warning; %u failed", n, tally.accepted, tally.refused, tally.doubtful, failed);
}

/* ---- chains on the sample programs ----------------------------------------- */

/* With small extents, so that the interpreter is soon through: pairs of what is replaced. */
static const struct { const char *file; const char *small[8]; } SAMPLES[] = {
  { "mm_relu.py", { "128", "6", "def mm_relu", "def main", "\"global_symbol\": \"mm_relu\", ", "" } },
  { "matmul_128.py", { "128", "8" } },
  { "conv2d.py", { "64", "4", "58", "7", "57", "6", "56", "5" } },
  { "reduction.py", { "1048576", "24" } },
};

/* (transfer full) */
static char *
read_sample (guint i)
{
  g_autofree char *path = g_strconcat ("../data/samples/", SAMPLES[i].file, NULL);
  g_autofree char *text = ls_test_read (path, NULL);
  g_autoptr (GString) small = g_string_new (text);

  for (guint k = 0; k < G_N_ELEMENTS (SAMPLES[i].small) && SAMPLES[i].small[k] != NULL; k += 2)
    g_string_replace (small, SAMPLES[i].small[k], SAMPLES[i].small[k + 1], 0);
  return g_string_free (g_steal_pointer (&small), FALSE);
}

/* The interpreter on what the chain made, and machine code of levels 0 and 3, against the program as it was. */
static gboolean
same_everywhere (LsModule   *before,
                 LsModule   *after,
                 const char *program,
                 const char *steps)
{
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (after, "main");
  const LsTarget *targets[] = { unoptimised, target };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) want = ls_test_interpret_func ((LsPrimFunc *) ls_module_get (before, "main"), 7, &error);
  g_autoptr (GBytes) got = ls_test_interpret_func (func, 7, &error);
  g_autoptr (LsPrimFunc) lowered = NULL;

  if (!same_bytes (want, got))
    {
      complain (program, steps, after, error != NULL ? error->message : "interpreter: other numbers");
      return FALSE;
    }
  lowered = ls_lower (func, NULL, NULL, &error);
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      g_autoptr (GBytes) compiled = lowered != NULL ? run_compiled (lowered, targets[i], 7, &error) : NULL;

      if (!same_bytes (want, compiled))
        {
          g_autofree char *what = g_strdup_printf ("level %d: %s", i == 0 ? 0 : 3, error != NULL ? error->message : "other numbers");

          complain (program, steps, after, what);
          return FALSE;
        }
    }
  return TRUE;
}

/* LS_CHAINS=N and LS_CHAIN_SEED=S here too. */
static void
test_samples (void)
{
  const char *asked = g_getenv ("LS_CHAINS"), *from = g_getenv ("LS_CHAIN_SEED");
  guint n = asked != NULL ? (guint) g_ascii_strtoull (asked, NULL, 10) : ls_test_count (40, 4000), failed = 0, doubtful_chains = 0;
  guint seed = from != NULL ? (guint) g_ascii_strtoull (from, NULL, 10) : 9000000;
  Tally tally = { 0 };

  for (guint i = 0; i < n && failed < 5; i++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed + i);
      g_autofree char *program = read_sample (i % G_N_ELEMENTS (SAMPLES));
      g_auto (GStrv) blocks = ls_test_block_names (program);
      g_autoptr (LsModule) module = ls_test_parse (program);
      g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
      g_autoptr (GString) done = g_string_new (NULL);
      gboolean doubtful = FALSE;

      ls_schedule_set_seed (schedule, seed + i);
      for (guint k = 0; k < CHAIN_STEPS; k++)
        {
          g_autofree char *step = ls_test_random_step (rand, blocks, k);
          Outcome outcome;

          if (strstr (step, "sch.bind"))        /* a CPU has no threads of that kind: tests/property/threads.c */
            continue;
          outcome = try_step (schedule, step, &tally);
          doubtful |= outcome == STEP_DOUBTFUL;
          if (outcome != STEP_REFUSED)
            g_string_append (done, step);
          if (outcome == STEP_LAST)
            break;
        }
      doubtful_chains += doubtful;
      if (doubtful || same_everywhere (module, ls_schedule_get_module (schedule), program, done->str))
        continue;
      g_test_message ("%s, seed %u", SAMPLES[i % G_N_ELEMENTS (SAMPLES)].file, seed + i);
      failed++;
    }
  g_test_message ("%u chains, seeds %u..%u, %u with a warning and not compared; %u steps accepted, %u refused; %u wrong", n, seed, seed + n - 1, doubtful_chains,
                  tally.accepted, tally.refused, failed);
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/property/schedule/same-result", test_steps);
  g_test_add_func ("/property/schedule/chains", test_chains);
  g_test_add_func ("/property/schedule/samples", test_samples);
  g_test_add_func ("/property/schedule/lowered-same-result", test_lowered);
  g_test_add_func ("/property/schedule/compiled-same-result", test_compiled);
  ls_test_register_copies ();
  jit = ls_jit_new (NULL);
  target = ls_target_parse ("llvm", NULL);
  unoptimised = ls_target_parse ("llvm -opt-level=0", NULL);
  status = g_test_run ();
  ls_jit_free (jit);
  ls_target_free (target);
  ls_target_free (unoptimised);
  ls_pool_shutdown ();
  return status;
}
