/* The method time-passes: a function cut off after each of LLVM's passes that changes it, run on the same inputs: its time, and whether its
 * result is that of the code as it was emitted. */
#include "app/worker/program.h"

#define BUDGET_NS 400000000     /* for one cut */

typedef struct {
  LsPackedFunc func;
  LsArguments *arguments;
} Call;

static int
call_once (void *closure)
{
  Call *call = closure;
  LsArg result = { LS_ARG_NONE, 0, { 0 } };

  return call->func (call->arguments->args, (int) call->arguments->n, &result, NULL);
}

typedef struct {
  LsRequest      *request;
  GVariant       *params;
  const char     *text;
  LsArguments    *inputs;       /* never run on */
  LsArguments    *reference;    /* after the code as it was emitted ran */
  GVariantBuilder passes;
} Cuts;

/* Runs and times the first `n` passes.  FALSE: `error` is set. */
static gboolean
run_cut (Cuts       *self,
         guint       n,
         const char *name,
         GError    **error)
{
  const LsCodegenOptions options = { .cut_after = n + 1 };
  LsTimeOptions timing = LS_TIME_OPTIONS_DEFAULT;
  g_autoptr (LsProgram) program = ls_program_build (self->text, self->params, &options, error);
  g_autoptr (LsArguments) arguments = NULL;
  g_autoptr (LsTiming) times = NULL;
  g_auto (LsDifference) difference = { 0 };
  gboolean pinned;
  Call call;

  if (program == NULL)
    return FALSE;
  if (self->inputs == NULL)
    self->inputs = ls_arguments_prepare (program, self->request, self->params, error);
  arguments = self->inputs != NULL ? ls_arguments_copy (self->inputs, error) : NULL;
  if (arguments == NULL || !ls_kernel_call (program->kernel, program->name, arguments->args, (int) arguments->n, NULL, error))
    return FALSE;
  if (self->reference == NULL)
    self->reference = ls_arguments_copy (arguments, error);
  if (self->reference == NULL)
    return FALSE;
  ls_arguments_compare (arguments, self->reference, &difference);
  ls_arguments_reset (arguments, self->inputs);
  call = (Call) { ls_kernel_get (program->kernel, program->name), arguments };
  timing.budget_ns = CLAMP (ls_params_int (self->params, "budget-ms", BUDGET_NS / 1000000), 1, 3600000) * 1000000;
  pinned = ls_host_pin_thread (0);
  times = ls_time_evaluate (call_once, &call, &timing, NULL, error);
  if (pinned)
    ls_host_unpin_thread ();
  if (times == NULL)
    return FALSE;
  g_variant_builder_add (&self->passes, "(isdds)", (gint32) n, name, times->median, times->iqr, difference.text != NULL ? difference.text : "");
  return TRUE;
}

static gboolean
run_cuts (Cuts    *self,
          GError **error)
{
  const LsCodegenOptions options = { .want_passes = TRUE, .no_object = TRUE };
  g_autoptr (LsProgram) program = ls_program_build (self->text, self->params, &options, error);
  gboolean done = program != NULL;

  for (guint i = 0; done && i < program->object->passes->len; i++)
    {
      const LsLlvmPass *pass = &g_array_index (program->object->passes, LsLlvmPass, i);

      if (pass->text == NULL)
        continue;       /* as before */
      ls_request_progress (self->request, (double) i / program->object->passes->len, pass->name);
      done = run_cut (self, i, pass->name, error);
    }
  return done;
}

/* module, func, target, inputs, set, seed, budget-ms (for each) -> passes a(isdds): number in the pipeline (0: none of them), name, median and
 * quartile range in ns, what of the result is another than without any pass or "".  Selecting instructions is the same for all. */
static GVariant *
method_time_passes (LsRequest  *request,
                    GVariant   *params,
                    GError    **error)
{
  Cuts self = { .request = request, .params = params, .text = ls_params_require_string (params, "module", error) };
  GVariantDict dict;
  gboolean done;

  if (self.text == NULL)
    return NULL;
  g_variant_builder_init (&self.passes, G_VARIANT_TYPE ("a(isdds)"));
  done = run_cuts (&self, error);
  g_clear_pointer (&self.inputs, ls_arguments_free);
  g_clear_pointer (&self.reference, ls_arguments_free);
  if (!done)
    {
      g_variant_builder_clear (&self.passes);
      return NULL;
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "passes", g_variant_builder_end (&self.passes));
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_time_passes[] = {
  { "time-passes", method_time_passes, "A function cut off after each of LLVM's passes: its time and its result." },
  { NULL, NULL, NULL },
};
