/* No pass of Relax changes what a module computes: random modules, the interpreter as the judge.
 *
 * The judge runs the module with its operators legalised and nothing else done: the virtual machine goes through the graph, and each
 * PrimFunc is interpreted.  Against that, in the same way, each pass alone and the chains of passes that builds are made of; and machine
 * code of levels 0 and 3.  Arrays have extents of 0 to 4, with NaN and infinities in every second program; in every ninth one
 * array does not fit the others, and then each way has to say so.
 *
 *   /relax/corpus        what was wrong once: tests/property/corpus-relax/NAME.py
 *   /relax/random        by number, which is the seed; LS_FUZZ_SEED, LS_FUZZ_PROGRAMS, LS_FUZZ_SECONDS: tests/support/seeds.h
 *   LS_FUZZ_TRACE=1      says what it is about to do
 *
 * A module that fails is made small (engine/script/reduce) and shown; put it into the corpus.
 */
#include "engine/codegen/vm-build.h"
#include "engine/interp/interp.h"
#include "engine/relax/pass/pass.h"
#include "engine/script/reduce.h"
#include "engine/script/script.h"
#include "tests/support/random.h"
#include "tests/support/seeds.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static LsTarget *targets[2];
static gboolean tracing;

/* ---- arrays ----------------------------------------------------------------------------- */

static guint64
next_random (guint64 *state)
{
  guint64 z = (*state += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

typedef struct {
  guint    seed;
  gboolean wild;                /* NaN, infinities, zeros with a sign */
  gboolean misfit;              /* one array does not fit */
} Data;

static void
fill (const Data  *data,
      LsNDArray   *array,
      LsDType      t,
      guint64      state)
{
  static const double floats[] = { 0, -0.0, 1, -1, 0.5, 3, -7.25, 2, NAN, INFINITY, -INFINITY };
  gsize size = ls_dtype_bytes (t);
  guint8 *to = array->tensor.data;

  for (gsize i = 0; i < array->n_bytes / size; i++)
    {
      guint64 r = next_random (&state);

      if (ls_dtype_is_float (t))
        ls_interp_store (t, to + i * size, floats[r % (data->wild ? G_N_ELEMENTS (floats) : 8)]);
      else if (ls_dtype_is_bool (t))
        to[i] = r & 1;
      else
        ls_interp_store (t, to + i * size, (double) (gint64) (r % 9) - (t.code == LS_TYPE_UINT ? 0 : 4));
    }
}

/* An array for each parameter, symbols n and m numbers by the seed.  NULL: a parameter is no tensor. (transfer full) */
static GPtrArray *
make_arguments (LsFunction *func,
                const Data *data)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  guint64 state = data->seed;
  gint64 n = (gint64) (next_random (&state) % 5), m = (gint64) (next_random (&state) % 4) + 1;
  guint odd = data->misfit ? (guint) (next_random (&state) % func->params->n) : G_MAXUINT;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsTensorStructInfo *info = (LsTensorStructInfo *) ls_array_at (func->params, i, LsRelaxVar)->struct_info;
      gint64 dims[LS_NDARRAY_MAX_NDIM] = { 0 };
      LsArray *extents;
      LsDLDataType dtype;
      LsNDArray *array;

      if (!ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (info->shape, SHAPE_EXPR))
        return NULL;
      extents = ((LsShapeExpr *) info->shape)->values;
      for (guint k = 0; k < extents->n; k++)
        {
          LsNode *extent = extents->items[k];

          if (ls_is_var (extent))
            dims[k] = strcmp (((LsVar *) extent)->name, "n") == 0 ? n : m;
          else if (!ls_as_int (extent, &dims[k]))
            return NULL;
        }
      if (i == odd && extents->n > 0)
        dims[extents->n - 1]++;
      if (!ls_dl_dtype_parse (ls_dtype_name (info->dtype), &dtype, NULL))
        return NULL;
      array = ls_ndarray_new ((int) extents->n, dims, dtype, NULL);
      if (array == NULL)
        return NULL;
      fill (data, array, info->dtype, i * 7 + 3 + data->seed);
      g_ptr_array_add (arguments, ls_vm_tensor (array));
    }
  return g_steal_pointer (&arguments);
}

/* ---- running ------------------------------------------------------------------------------- */

typedef struct {
  LsModule *module;
  GError   *error;
} Interpreted;

static int
not_compiled (const LsArg *args,
              int          n_args,
              LsArg       *result,
              void        *closure)
{
  return ls_runtime_fail ("this PrimFunc is to be interpreted");
}

static LsPackedFunc
resolve (const char *name,
         gpointer    user_data)
{
  return not_compiled;
}

/* A call of a PrimFunc is made by the interpreter instead. */
static LsVMInstrumentAnswer
interpret (const char  *name,
           LsVMValue   *result,
           LsVMValue  **args,
           guint        n_args,
           gpointer     user_data)
{
  Interpreted *self = user_data;
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (self->module, name);
  LsVMValue *last = n_args > 0 ? args[n_args - 1] : NULL;
  guint n_tensors = n_args - (last != NULL && last->kind == LS_VM_SHAPE), n = n_tensors < n_args ? n_tensors + last->n : n_args;
  g_autofree LsInterpArg *given = g_new0 (LsInterpArg, n + 1);
  LsBudget budget;
  LsInterpOptions options = { .budget = &budget };

  if (result != NULL || !ls_is (func, PRIM_FUNC))
    return LS_VM_INSTRUMENT_RUN;
  for (guint i = 0; i < n_tensors; i++) /* one of the machine's own that has this name too */
    if (n != func->params->n || (args[i]->kind != LS_VM_TENSOR && args[i]->kind != LS_VM_INT))
      return LS_VM_INSTRUMENT_RUN;
  ls_budget_init (&budget, 400000, NULL);
  for (guint i = n_tensors; i < n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      return LS_VM_INSTRUMENT_RUN;
  for (guint i = n_tensors; i < n; i++)
    given[i] = (LsInterpArg) { .dtype = ls_array_at (func->params, i, LsExpr)->dtype, .int_value = last->dims[i - n_tensors] };
  for (guint i = 0; i < n_tensors; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer == NULL || args[i]->kind != LS_VM_TENSOR)
        given[i] = (LsInterpArg) { .dtype = ls_array_at (func->params, i, LsExpr)->dtype, .int_value = args[i]->kind == LS_VM_INT ? args[i]->v_int : 0 };
      else
        given[i] = (LsInterpArg) { buffer->dtype, TRUE, (char *) args[i]->tensor->tensor.data + args[i]->tensor->tensor.byte_offset,
                                   (guint) args[i]->tensor->tensor.ndim, args[i]->tensor->tensor.shape, args[i]->tensor->tensor.strides, 0, 0 };
    }
  return ls_interp_run (func, given, n, &options, self->error == NULL ? &self->error : NULL) ? LS_VM_INSTRUMENT_SKIP : LS_VM_INSTRUMENT_FAIL;
}

/* Runs main: interpreted (target NULL) or as machine code.  NULL with an error. (transfer full) */
static LsVMValue *
run (LsModule       *module,
     const LsTarget *target,
     gboolean        as_is,
     const Data     *data,
     GError        **error)
{
  static const char *const PASSES[] = { "LegalizeOps" };
  g_autoptr (LsModule) now = ls_ref (module);
  LsVMBuildOptions options = { .as_is = TRUE, .no_code = target == NULL };
  g_autoptr (LsVMExecutable) executable = NULL;
  g_autoptr (LsJit) jit = NULL;
  g_autoptr (LsKernel) kernel = NULL;
  g_autoptr (LsVM) vm = NULL;
  g_autoptr (GPtrArray) arguments = NULL;
  Interpreted interpreted = { NULL, NULL };
  LsVMValue *result;

  for (guint i = 0; i < G_N_ELEMENTS (PASSES) && !as_is; i++)
    {
      const LsRelaxPass *pass = ls_relax_pass_get (PASSES[i], NULL);
      g_autoptr (LsMap) args = ls_relax_pass_arguments (pass, NULL, NULL, error);
      LsModule *next = ls_relax_pass_run (pass, now, args, error);

      if (next == NULL)
        return NULL;
      ls_unref (now);
      now = next;
    }
  executable = ls_vm_build (now, target != NULL ? target : targets[0], &options, error);
  if (executable == NULL)
    return NULL;
  if (target != NULL)
    {
      jit = ls_jit_new (NULL);
      kernel = ls_vm_link (jit, executable, error);
    }
  vm = ls_vm_new (executable, target != NULL ? ls_vm_resolve_kernel : resolve, kernel, error);
  if (vm == NULL)
    return NULL;
  interpreted.module = now;
  if (target == NULL)
    ls_vm_set_instrument (vm, interpret, &interpreted);
  arguments = make_arguments ((LsFunction *) ls_module_get (module, "main"), data);
  if (arguments == NULL)
    {
      g_set_error_literal (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL, "no arrays for the parameters");
      return NULL;
    }
  result = ls_vm_call (vm, "main", (LsVMValue **) arguments->pdata, arguments->len, error);
  if (result == NULL && interpreted.error != NULL)
    {
      g_clear_error (error);
      g_propagate_error (error, g_steal_pointer (&interpreted.error));
    }
  g_clear_error (&interpreted.error);
  return result;
}

/* ---- comparing --------------------------------------------------------------------------------- */

/* Where they differ, or NULL.  NaN is NaN; what was computed in another order, and what libm rounds, may differ a little. (transfer full) */
static char *
difference (LsVMValue *a,
            LsVMValue *b)
{
  LsDType t;
  gsize size, n;

  if (a->kind != b->kind)
    return g_strdup ("another kind of value");
  if (a->kind == LS_VM_TUPLE)
    {
      for (guint i = 0; i < a->n && i < b->n; i++)
        {
          char *found = difference (a->items[i], b->items[i]);

          if (found != NULL)
            return found;
        }
      return a->n == b->n ? NULL : g_strdup ("another number of fields");
    }
  if (a->kind != LS_VM_TENSOR)
    return NULL;
  if (a->tensor->tensor.ndim != b->tensor->tensor.ndim
      || memcmp (a->tensor->tensor.shape, b->tensor->tensor.shape, (gsize) a->tensor->tensor.ndim * sizeof (gint64)) != 0)
    return g_strdup ("another shape");
  if (memcmp (&a->tensor->tensor.dtype, &b->tensor->tensor.dtype, sizeof a->tensor->tensor.dtype) != 0)
    return g_strdup ("another type");
  t = (LsDType) { a->tensor->tensor.dtype.code == LS_DL_BOOL ? LS_TYPE_UINT : a->tensor->tensor.dtype.code,
                  a->tensor->tensor.dtype.code == LS_DL_BOOL ? 1 : a->tensor->tensor.dtype.bits, 1 };
  size = ls_dtype_bytes (t);
  n = a->tensor->n_bytes / size;
  for (gsize i = 0; i < n; i++)
    {
      const char *x = (const char *) a->tensor->tensor.data + a->tensor->tensor.byte_offset + i * size;
      const char *y = (const char *) b->tensor->tensor.data + b->tensor->tensor.byte_offset + i * size;

      if (memcmp (x, y, size) == 0)
        continue;
      if (ls_dtype_is_float (t))
        {
          double p = ls_interp_load (t, x), q = ls_interp_load (t, y);

          if ((isnan (p) && isnan (q)) || p == q || fabs (p - q) <= 1e-5 + 1e-4 * MAX (fabs (p), fabs (q)))
            continue;
          return g_strdup_printf ("element %" G_GSIZE_FORMAT " is %g, not %g", i, q, p);
        }
      return g_strdup_printf ("element %" G_GSIZE_FORMAT " is another number", i);
    }
  return NULL;
}

/* Passes that are run alone.  `exact`: sums are taken in another order, which infinities do not allow. */
static const struct { const char *name; gboolean legal, exact; } PASSES[] = {
  { "AdjustMatmulOrder", FALSE, TRUE }, { "AttachAttrLayoutFreeBuffers", FALSE, FALSE }, { "AttachGlobalSymbol", FALSE, FALSE },
  { "CanonicalizeBindings", FALSE, FALSE }, { "CombineParallelMatmul", FALSE, FALSE }, { "ComputePrimValue", FALSE, FALSE },
  { "ConvertToDataflow", FALSE, FALSE }, { "DataflowUseInplaceCalls", FALSE, FALSE }, { "DeadCodeElimination", FALSE, FALSE },
  { "DecomposeOpsForInference", FALSE, FALSE }, { "EliminateCommonSubexpr", FALSE, FALSE }, { "ExpandMatmulOfSum", FALSE, TRUE },
  { "ExpandTupleArguments", FALSE, FALSE }, { "FoldConstant", FALSE, FALSE }, { "FuseTransposeMatmul", FALSE, FALSE },
  { "InlinePrivateFunctions", FALSE, FALSE }, { "LambdaLift", FALSE, FALSE }, { "Normalize", FALSE, FALSE }, { "NormalizeGlobalVar", FALSE, FALSE },
  { "OptimizeLayoutTransform", FALSE, FALSE }, { "RemovePurityChecking", FALSE, FALSE }, { "RemoveRedundantReshape", FALSE, FALSE },
  { "RemoveUnusedOutputs", FALSE, FALSE }, { "RemoveUnusedParameters", FALSE, FALSE }, { "ReorderPermuteDimsAfterConcat", FALSE, FALSE },
  { "ReorderTakeAfterMatmul", FALSE, FALSE }, { "ToNonDataflow", FALSE, FALSE }, { "TopologicalSort", FALSE, FALSE },
  { "CanonicalizeBindings", TRUE, FALSE }, { "ConvertToDataflow", TRUE, FALSE }, { "DeadCodeElimination", TRUE, FALSE },
  { "EliminateCommonSubexpr", TRUE, FALSE }, { "FoldConstant", TRUE, FALSE }, { "RewriteDataflowReshape", TRUE, FALSE }, { "CallTIRRewrite", TRUE, FALSE },
  { "InlinePrivateFunctions", TRUE, FALSE }, { "TopologicalSort", TRUE, FALSE },
};

static const char *const FUSED[] = { "AnnotateTIROpPattern", "FuseOps", "FuseTIR", NULL };
static const char *const PLANNED[] = {
  "RewriteDataflowReshape", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite", "StaticPlanBlockMemory", "LowerAllocTensor", "KillAfterLastUse",
  "LowerRuntimeBuiltin", NULL
};
static const char *const ALL[] = {
  "FoldConstant", "AnnotateTIROpPattern", "FuseOps", "FuseTIR", "RewriteDataflowReshape", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite",
  "StaticPlanBlockMemory", "LowerAllocTensor", "KillAfterLastUse", "LowerRuntimeBuiltin", NULL
};
static const char *const SHAPES[] = {
  "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite", "StaticPlanBlockMemory", "LowerAllocTensor", "KillAfterLastUse", "LowerRuntimeBuiltin",
  "ComputePrimValue", "VMShapeLower", "AttachGlobalSymbol", NULL
};
static const struct { const char *name; const char *const *passes; } CHAINS[] = {
  { "fused", FUSED }, { "planned", PLANNED }, { "all", ALL }, { "shapes lowered", SHAPES },
};

typedef struct {
  Data       data;
  gboolean   compiled;
  LsVMValue *want;              /* NULL: the program has to end with an error */
  char      *what;              /* the first thing wrong, or NULL */
  gboolean   no_meaning;
} Check;

static void
check_clear (Check *self)
{
  g_clear_pointer (&self->want, ls_vm_value_unref);
  g_clear_pointer (&self->what, g_free);
}

static void
judge (Check          *self,
       const char     *what,
       LsModule       *module,
       const LsTarget *target,
       gboolean        as_is)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsVMValue) got = NULL;
  g_autofree char *found = NULL;

  if (tracing)
    g_printerr ("%s\n", what);
  got = run (module, target, as_is, &self->data, &error);
  if (got == NULL && self->want == NULL)
    return;
  found = got == NULL ? g_strdup (error->message) : self->want == NULL ? g_strdup ("arrays that do not fit are taken") : difference (self->want, got);
  if (found != NULL && self->what == NULL)
    self->what = g_strdup_printf ("%s: %s", what, found);
}

static LsModule *
pass (Check      *self,
      const char *what,
      const char *name,
      LsModule   *module)
{
  g_autoptr (GError) error = NULL;
  const LsRelaxPass *row = ls_relax_pass_get (name, &error);
  g_autoptr (LsMap) args = NULL;
  LsModule *changed;

  g_assert_no_error (error);
  if (tracing)
    g_printerr ("%s, %s\n", what, name);
  args = ls_relax_pass_arguments (row, NULL, NULL, &error);
  g_assert_no_error (error);
  changed = ls_relax_pass_run (row, module, args, &error);
  if (changed == NULL && self->what == NULL)
    self->what = g_strdup_printf ("%s: %s: %s", what, name, error->message);
  return changed;
}

static void
check_module (Check    *self,
              LsModule *module)
{
  LsFunction *entry = (LsFunction *) ls_module_get (module, "main");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) legal = NULL;

  if (!ls_is (entry, FUNCTION) || entry->params->n == 0)
    {
      self->no_meaning = TRUE;
      return;
    }
  self->want = run (module, NULL, FALSE, &self->data, &error);
  if (self->want == NULL && !self->data.misfit)
    {
      self->no_meaning = TRUE;
      self->what = g_strdup_printf ("as it is: %s", error->message);
      return;
    }
  legal = pass (self, "legal", "LegalizeOps", module);
  for (guint i = 0; i < G_N_ELEMENTS (PASSES) && self->what == NULL && legal != NULL; i++)
    {
      g_autofree char *what = g_strdup_printf ("%s alone%s", PASSES[i].name, PASSES[i].legal ? ", legalised" : "");
      g_autoptr (LsModule) changed = NULL;

      if (PASSES[i].exact && self->data.wild)
        continue;
      changed = pass (self, what, PASSES[i].name, PASSES[i].legal ? legal : module);
      if (changed != NULL && changed != (PASSES[i].legal ? legal : module))
        judge (self, what, changed, NULL, PASSES[i].legal);
    }
  for (guint i = 0; i < G_N_ELEMENTS (CHAINS) && self->what == NULL; i++)
    {
      g_autoptr (LsModule) now = ls_ref (legal);

      for (guint k = 0; CHAINS[i].passes[k] != NULL && now != NULL; k++)
        ls_take (&now, pass (self, CHAINS[i].name, CHAINS[i].passes[k], now));
      if (now != NULL)
        judge (self, CHAINS[i].name, now, NULL, TRUE);
      if (now != NULL && self->compiled && i == 2 && self->what == NULL)
        judge (self, "all, machine code of level 3", now, targets[1], TRUE);
    }
  if (self->compiled && self->what == NULL)
    judge (self, "machine code of level 0", legal, targets[0], TRUE);
}

/* ---- programs ----------------------------------------------------------------------------------- */

/* The same pass, and a message that begins alike. */
static gboolean
is_alike (const char *a,
          const char *b)
{
  return a != NULL && strncmp (a, b, strcspn (b, ":") + 14) == 0;
}

static gboolean
still_wrong (const char *text,
             gpointer    user_data,
             GError    **error)
{
  const Check *same = user_data;
  g_autoptr (LsSource) source = ls_source_new ("smaller", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  Check check = { .data = same->data, .compiled = same->compiled };
  gboolean result;

  if (module == NULL || ls_diagnostics_has_error (findings))
    return FALSE;
  check_module (&check, module);
  result = check.no_meaning == same->no_meaning && is_alike (check.what, same->what);
  check_clear (&check);
  return result;
}

static void
check_text (const char *name,
            const char *text,
            Data        data,
            gboolean    compiled,
            guint      *wrong)
{
  g_autoptr (LsSource) source = ls_source_new (name, text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = NULL;
  Check check = { .data = data, .compiled = compiled };

  if (tracing)
    g_printerr ("%s\n%s", name, text);
  module = ls_script_parse (source, findings);
  if (module == NULL || ls_diagnostics_has_error (findings))
    {
      g_autofree char *said = ls_diagnostics_print (findings);

      g_test_message ("%s cannot be read: %s\n%s", name, said, text);
      g_test_fail ();
      (*wrong)++;
      return;
    }
  check_module (&check, module);
  if (check.what != NULL)
    {
      g_autofree char *small = ls_reduce (text, still_wrong, NULL, &check, NULL);

      g_test_message ("%s: %s (seed %u%s%s)\n%s", name, check.what, data.seed, data.wild ? ", wild" : "", data.misfit ? ", misfit" : "", small != NULL ? small : text);
      g_test_fail ();
      (*wrong)++;
    }
  check_clear (&check);
}

static void
corpus (void)
{
  g_autofree char *folder = ls_test_path ("property/corpus-relax");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0, wrong = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".py"))
      {
        g_autofree char *relative = g_strconcat ("property/corpus-relax/", name, NULL);
        g_autofree char *text = ls_test_read (relative, NULL);

        for (guint seed = 0; seed < 12; seed++)
          check_text (name, text, (Data) { seed, seed % 2 == 0, seed % 6 == 5 }, TRUE, &wrong);
        n++;
      }
  g_assert_cmpuint (n, >, 0);
}

static void
random_programs (void)
{
  guint wrong = 0;
  guint32 number;
  LsSeeds seeds;

  ls_seeds_begin (&seeds, ls_test_count (250, 5000));
  while (ls_seeds_next (&seeds, wrong, &number))
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (number);
      g_autofree char *text = ls_test_random_relax (rand), *name = g_strdup_printf ("program %u", number);

      check_text (name, text, (Data) { number, number % 2 == 0, number % 9 == 4 }, number % 8 == 0, &wrong);
    }
  ls_seeds_end (&seeds, "programs", wrong);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  tracing = g_getenv ("LS_FUZZ_TRACE") != NULL;
  targets[0] = ls_target_parse ("llvm -opt-level=0", NULL);
  targets[1] = ls_target_parse ("llvm -opt-level=3", NULL);
  g_test_add_func ("/relax/corpus", corpus);
  g_test_add_func ("/relax/random", random_programs);
  return g_test_run ();
}
