/* Random programs under random schedules for threads: in the simulator, in its fast mode and on OpenCL, where there is one, they compute what the
 * unscheduled program computes in the interpreter, and nothing is found that they do wrong.
 *
 * Then each barrier is taken out in turn, and each is put where not all threads come.  What races is decided here a second time, from the list of
 * all accesses: two threads, one element, one of them writes, not both by atomic functions, as many barriers passed (or another block).  The
 * simulator's shadow memory has to find a race exactly where that list has one; and where it has none the numbers are those they should be.
 * LS_FUZZ_SEED and LS_FUZZ_PROGRAMS choose what runs; LS_FUZZ_NO_OPENCL leaves OpenCL out, whose compiler takes most of the time. */
#include "engine/schedule/schedule.h"
#include "engine/simt/simt.h"
#include "engine/tir/pass/pass.h"
#include "tests/property/threads-run.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  guint refused, doubtful, barriers, needed, halved, conflicts, fast, opencl, not_opencl, by_loops;
} Tally;

/* ---- all accesses, and what races among them ------------------------------------------------------- */

typedef struct {
  guint  kernel, site, epoch;
  gint64 block, offset;
  guint  thread, bytes;
  gpointer memory;
  gboolean shared, store, atomic;
} Access;

static void
on_access (const LsSimtAccess *access,
           gpointer            data)
{
  for (guint lane = 0; lane < access->lanes; lane++)
    if (access->mask >> lane & 1)
      {
        Access one = { access->kernel, access->site, access->epoch, access->block, access->offsets[lane], access->warp * access->lanes + lane, access->bytes,
                       NULL, FALSE, FALSE, FALSE };

        g_array_append_val ((GArray *) data, one);
      }
}

static int
by_element (gconstpointer pa,
            gconstpointer pb)
{
  const Access *a = pa, *b = pb;

  return a->kernel != b->kernel ? (a->kernel < b->kernel ? -1 : 1)
         : a->memory != b->memory ? (a->memory < b->memory ? -1 : 1)
         : a->shared && a->block != b->block ? (a->block < b->block ? -1 : 1)
         : a->offset != b->offset ? (a->offset < b->offset ? -1 : 1) : 0;
}

static gboolean
group_races (const Access *group,
             guint         n)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; group[i].store && j < n; j++)
      if ((!group[i].atomic || !group[j].atomic) &&
          (group[i].block != group[j].block || (group[i].thread != group[j].thread && group[i].epoch == group[j].epoch)))
        return TRUE;
  return FALSE;
}

/* From the list alone. */
static gboolean
list_races (GArray    *list,
            LsSimtRun *run)
{
  g_autoptr (GHashTable) written = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) elements = g_array_new (FALSE, FALSE, sizeof (Access));
  gboolean races = FALSE;

  for (guint i = 0; i < run->sites->len; i++)
    if (g_array_index (run->sites, LsSimtSite, i).is_store)
      g_hash_table_add (written, g_array_index (run->sites, LsSimtSite, i).buffer->data);
  for (guint i = 0; i < list->len; i++)
    {
      Access one = g_array_index (list, Access, i);
      const LsSimtSite *site = &g_array_index (run->sites, LsSimtSite, one.site);
      guint size = ls_dtype_bytes (ls_dtype_element (site->buffer->dtype)), n = MAX (1, one.bytes / size);

      if ((site->space != LS_SIMT_SHARED && site->space != LS_SIMT_GLOBAL) || !g_hash_table_contains (written, site->buffer->data))
        continue;
      one.memory = site->buffer->data;
      one.shared = site->space == LS_SIMT_SHARED;
      one.store = site->is_store;
      one.atomic = site->is_atomic;
      for (guint k = 0; k < n; k++, one.offset += size)
        g_array_append_val (elements, one);
    }
  g_array_sort (elements, by_element);
  for (guint i = 0, j; i < elements->len && !races; i = j)
    {
      const Access *first = &g_array_index (elements, Access, i);

      for (j = i + 1; j < elements->len && by_element (first, &g_array_index (elements, Access, j)) == 0;)
        j++;
      races = group_races (first, j - i);
    }
  return races;
}

/* ---- one run ------------------------------------------------------------------------------------------ */

typedef struct {
  LsSimtRun *run;
  GBytes    *result;
  gboolean   races;             /* as the list of accesses says */
} Outcome;

static void
outcome_clear (Outcome *self)
{
  ls_simt_run_free (self->run);
  g_clear_pointer (&self->result, g_bytes_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static gboolean
run_threads (LsPrimFunc *lowered,
             Outcome    *outcome,
             GError    **error)
{
  g_autoptr (GPtrArray) contents = ls_test_arguments (lowered, 7);
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (Access));
  g_autoptr (GByteArray) result = g_byte_array_new ();
  g_autofree LsInterpArg *args = g_new0 (LsInterpArg, contents->len + 1);
  LsSimtOptions options = { .on_access = on_access, .user_data = list };

  for (guint i = 0; i < contents->len; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (lowered, i);
      gint64 *shape = g_new0 (gint64, buffer->shape->n + 1);
      gsize size;

      g_ptr_array_add (kept, shape);
      for (guint k = 0; k < buffer->shape->n; k++)
        ls_as_int (buffer->shape->items[k], &shape[k]);
      g_ptr_array_add (kept, g_bytes_unref_to_data (g_steal_pointer (&contents->pdata[i]), &size));
      args[i] = (LsInterpArg) { buffer->dtype, TRUE, kept->pdata[kept->len - 1], buffer->shape->n, shape, NULL, (gint64) size, 0 };
    }
  outcome->run = ls_simt_run (lowered, args, contents->len, &options, error);
  if (outcome->run == NULL)
    return FALSE;
  for (guint i = 0; i < contents->len; i++)
    g_byte_array_append (result, args[i].data, (guint) args[i].int_value);
  outcome->result = g_byte_array_free_to_bytes (g_steal_pointer (&result));
  outcome->races = list_races (list, outcome->run);
  return TRUE;
}

static guint
n_found (LsSimtRun        *run,
         LsSimtFindingKind kind)
{
  guint n = 0;

  for (guint i = 0; i < run->findings->len; i++)
    n += ((LsSimtFinding *) run->findings->pdata[i])->kind == kind;
  return n;
}

/* The list does not know of barriers of a warp: then it has no say. */
static gboolean
list_agrees (Outcome *outcome)
{
  gboolean found = n_found (outcome->run, LS_SIMT_RACE) + n_found (outcome->run, LS_SIMT_SAME_VALUE) > 0;

  for (guint i = 0; i < outcome->run->kernels->len; i++)
    if (g_array_index (outcome->run->kernels, LsSimtKernel, i).warp_barriers > 0)
      {
        outcome->races = found;
        return TRUE;
      }
  return found == outcome->races;
}

/* ---- barriers ------------------------------------------------------------------------------------------- */

typedef struct {
  guint    at, wanted;
  gboolean halve;               /* the barrier is for the thread 0 alone; else it goes */
  LsVar   *axis;                /* threadIdx.x of the kernel where it is, or NULL: that has one thread along it */
  gboolean done;
} Change;

/* Notes the axis of the threads of a kernel where that begins. */
static void
find_axis (LsNode  *node,
           LsVar  **axis)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;
  gint64 extent;

  if (!ls_is (node, ATTR_STMT) || strcmp (attr->attr_key, "thread_extent") != 0)
    return;
  if (g_str_has_prefix (((LsIterVar *) attr->subject)->thread_tag, "blockIdx."))
    *axis = NULL;
  else if (strcmp (((LsIterVar *) attr->subject)->thread_tag, "threadIdx.x") == 0 && ls_as_int (attr->value, &extent) && extent > 1)
    *axis = ((LsIterVar *) attr->subject)->var;
}

static LsNode *
change_barrier (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    data)
{
  Change *change = data;
  LsExpr *value = ls_is (node, EVALUATE) ? ((LsEvaluate *) node)->value : NULL;

  find_axis (node, &change->axis);
  if (value == NULL || !ls_is (value, CALL) || !ls_is (((LsCall *) value)->op, OP) || strcmp (((LsOp *) ((LsCall *) value)->op)->name, "tir.tvm_storage_sync") != 0
      || strcmp (((LsStringImm *) ((LsCall *) value)->args->items[0])->value, "warp") == 0)
    return ls_rewrite_default (rewriter, node);
  if (change->at++ != change->wanted)
    return ls_ref (node);
  if (change->halve && change->axis == NULL)
    return ls_ref (node);
  change->done = TRUE;
  if (!change->halve)
    return LS_NODE (ls_evaluate_zero ());
  return LS_NODE (ls_if_then_else_new (ls_binary_new (LS_KIND_EQ, LS_EXPR (ls_ref (change->axis)), ls_int (0)), ls_ref (node), NULL));
}

/* NULL: there is no such barrier, or it cannot be halved. (transfer full) */
static LsPrimFunc *
with_change (LsPrimFunc *lowered,
             guint       wanted,
             gboolean    halve,
             guint      *n)
{
  Change change = { .wanted = wanted, .halve = halve };
  LsRewriter rewriter = { change_barrier, &change, NULL, NULL };       /* no memo: one node may stand in two places */
  g_autoptr (LsNode) body = ls_rewrite (&rewriter, lowered->body);

  *n = change.at;
  return change.done ? ls_pass_with_body (lowered, body) : NULL;
}

/* ---- a case --------------------------------------------------------------------------------------------- */

static gboolean
complain (guint32     number,
          const char *program,
          const char *steps,
          LsPrimFunc *lowered,
          const char *what)
{
  g_autofree char *after = lowered != NULL ? ls_script_print (LS_NODE (lowered), NULL, NULL) : NULL;

  g_test_message ("seed %u: %s\n--- program\n%s\n--- steps\n%s\n--- lowered\n%s", number, what, program, steps, after != NULL ? after : "");
  g_test_fail ();
  return FALSE;
}

/* NULL: all is as it should be. (transfer full) */
static char *
try_barriers (LsPrimFunc *lowered,
              GBytes     *want,
              Tally      *tally)
{
  guint n = 1;

  for (guint i = 0; i < n && i < 6; i++)
    {
      g_autoptr (LsPrimFunc) without = with_change (lowered, i, FALSE, &n);
      g_autoptr (LsPrimFunc) halved = with_change (lowered, i, TRUE, &n);
      g_auto (Outcome) outcome = { 0 }, half = { 0 };
      g_autoptr (GError) error = NULL;

      if (n == 0)
        return NULL;
      if (!run_threads (without, &outcome, &error))
        return g_strdup_printf ("without barrier %u: %s", i, error->message);
      tally->barriers++;
      if (!list_agrees (&outcome))
        return g_strdup_printf ("without barrier %u the list of accesses has %s, the simulator found %s", i, outcome.races ? "a race" : "no race", outcome.races ? "none" : "one");
      tally->needed += outcome.races;
      if (!outcome.races && !g_bytes_equal (outcome.result, want))
        return g_strdup_printf ("without barrier %u: other numbers, but no race", i);
      if (halved == NULL)
        continue;
      if (!run_threads (halved, &half, &error))
        return g_strdup_printf ("with half of barrier %u: %s", i, error->message);
      tally->halved++;
      if (n_found (half.run, LS_SIMT_BARRIER) == 0)
        return g_strdup_printf ("barrier %u is for one thread only, and nobody says so", i);
    }
  return NULL;
}

/* By others than the simulator. NULL: all is as it should be. (transfer full) */
static char *
try_elsewhere (LsPrimFunc *func,
               LsPrimFunc *lowered,
               GBytes     *want,
               Tally      *tally)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) fast = ls_threads_fast (lowered, 7, &error), there = NULL;

  if (fast == NULL)
    return g_strdup_printf ("the fast mode: %s", error->message);
  tally->fast++;
  if (!ls_threads_same (func, fast, want))
    return g_strdup ("the fast mode has other numbers");
  if (g_getenv ("LS_FUZZ_NO_OPENCL") != NULL || ls_threads_opencl_name () == NULL)
    return NULL;
  there = ls_threads_opencl (func, 7, &error);
  if (there == NULL && error->domain == G_IO_ERROR)
    return g_strdup_printf ("OpenCL: %s", error->message);
  tally->opencl += there != NULL;
  tally->not_opencl += there == NULL;
  if (there == NULL && g_getenv ("LS_FUZZ_SEED") != NULL)
    g_test_message ("not for OpenCL: %s", error->message);
  if (there == NULL || ls_threads_same (func, there, want))
    return NULL;
  /* POCL 3.1 makes loops of work-items, and some of them wrong (seed 21268); as copies of the code they are right. */
  g_setenv ("POCL_WORK_GROUP_METHOD", "workitemrepl", TRUE);
  g_bytes_unref (there);
  there = ls_threads_opencl (func, 7, &error);
  g_unsetenv ("POCL_WORK_GROUP_METHOD");
  if (there == NULL || !ls_threads_same (func, there, want))
    return g_strdup ("OpenCL has other numbers");
  tally->by_loops++;
  return NULL;
}

static gboolean
check_one (guint32  number,
           Tally   *tally)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (number);
  g_autofree char *steps = NULL, *program = ls_test_random_threads (rand, &steps), *wrong = NULL;
  g_autoptr (LsModule) module = ls_test_parse (program);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) want = ls_test_interpret_func ((LsPrimFunc *) ls_module_get (module, "main"), 7, &error);
  g_autoptr (LsDeviceTarget) target = ls_device_target_parse ("cuda", NULL);
  g_autoptr (LsPrimFunc) lowered = NULL;
  LsPrimFunc *func;
  g_auto (Outcome) outcome = { 0 };

  g_assert_no_error (error);
  ls_schedule_apply_text (schedule, source, 0, findings);
  if (ls_diagnostics_has_error (findings))
    {
      g_autofree char *text = ls_diagnostics_print (findings);

      if (g_getenv ("LS_FUZZ_SEED") != NULL)
        g_test_message ("seed %u is refused:\n%s\n%s\n%s", number, text, program, steps);
      tally->refused++;
      return TRUE;
    }
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    if (ls_diagnostics_get (findings, i)->severity == LS_SEVERITY_WARNING)
      {
        tally->doubtful++;
        return TRUE;
      }
  func = (LsPrimFunc *) ls_module_get (ls_schedule_get_module (schedule), "main");
  lowered = ls_lower_device (func, target, NULL, NULL, &error);
  if (lowered == NULL)
    return complain (number, program, steps, NULL, error->message);
  if (!run_threads (lowered, &outcome, &error))
    return complain (number, program, steps, lowered, error->message);
  if (ls_simt_run_n_faults (outcome.run) > 0)
    return complain (number, program, steps, lowered, ((LsSimtFinding *) outcome.run->findings->pdata[0])->text);
  if (!list_agrees (&outcome))
    return complain (number, program, steps, lowered, "the list of accesses and the simulator do not agree whether there is a race");
  if (!g_bytes_equal (outcome.result, want))
    return complain (number, program, steps, lowered, "other numbers");
  tally->conflicts += outcome.races;
  wrong = try_elsewhere (func, lowered, want, tally);
  if (wrong == NULL)
    wrong = try_barriers (lowered, want, tally);
  return wrong == NULL || complain (number, program, steps, lowered, wrong);
}

static void
random_schedules (void)
{
  const char *programs = g_getenv ("LS_FUZZ_PROGRAMS"), *first = g_getenv ("LS_FUZZ_SEED");
  guint n = programs != NULL ? (guint) g_ascii_strtoull (programs, NULL, 10) : first != NULL ? 1 : ls_test_count (24, 2000), done = 0, wrong = 0;
  guint32 seed = first != NULL ? (guint32) g_ascii_strtoull (first, NULL, 10) : 0;
  Tally tally = { 0 };

  for (; done < n && wrong < (programs != NULL ? 20u : 1u); done++)
    wrong += !check_one (seed + done, &tally);
  g_test_message ("%u schedules: %u refused, %u with a warning, %u wrong; %u run fast, %u on OpenCL (%s), %u not for it, %u wrong as POCL's loops; %u times several threads write one value; "
                  "without one of %u barriers %u race; %u barriers for one thread", done, tally.refused, tally.doubtful, wrong, tally.fast, tally.opencl,
                  ls_threads_opencl_name () != NULL ? ls_threads_opencl_name () : "there is none", tally.not_opencl, tally.by_loops, tally.conflicts, tally.barriers, tally.needed, tally.halved);
  if (first != NULL || programs != NULL)
    return;
  g_assert_cmpuint ((tally.refused + tally.doubtful) * 3, <, done);
  g_assert_cmpuint (tally.needed * 3, >, tally.barriers);
  g_assert_cmpuint (tally.needed, <, tally.barriers);
  g_assert_cmpuint (tally.halved * 4, >, done);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/threads/random", random_schedules);
  return g_test_run ();
}
