/* No pass and no level of optimisation changes what a low-level program computes: programs of all types (random-tir), the interpreter
 * as the judge of each pass alone, of the whole lowering, and of machine code of levels 0 and 3.
 *
 *   /programs/corpus     what was wrong once: tests/property/corpus/NAME.py
 *   /programs/random     by number, which is the seed
 *   LS_FUZZ_PROGRAMS=N   so many programs
 *   LS_FUZZ_SECONDS=600  goes on for so long behind that, with other numbers
 *   LS_FUZZ_SEED=N       begins with this number
 *   LS_FUZZ_TRACE=1      says what it is about to do, for what ends the process
 *
 * A program that fails is made small (engine/script/reduce) and shown; put it into the corpus.
 */
#include "engine/codegen/codegen.h"
#include "engine/interp/interp.h"
#include "engine/script/reduce.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/settle.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static LsJit *jit;
static LsTarget *targets[2];

/* ---- arrays ---------------------------------------------------------------------------- */

static guint64
next_random (guint64 *state)
{
  guint64 z = (*state += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Small numbers, bounds of the type, NaN and infinities. */
static void
fill (LsDType  t,
      guint8  *data,
      gsize    n,
      guint64  state)
{
  static const double floats[] = { 0, -0.0, 1, -1, 0.5, 3, -7.25, 100, 1e30, NAN, INFINITY, -INFINITY };
  gsize size = ls_dtype_bytes (t);

  for (gsize i = 0; i < n; i++)
    {
      guint64 r = next_random (&state);

      if (ls_dtype_is_float (t))
        ls_interp_store (t, data + i * size, floats[r % G_N_ELEMENTS (floats)]);
      else if (ls_dtype_is_bool (t))
        data[i] = r & 1;
      else if (r % 3 == 0)
        memcpy (data + i * size, &r, size);
      else
        ls_interp_store (t, data + i * size, (double) (gint64) (r % 13) - (t.code == LS_TYPE_UINT ? 0 : 6));
    }
}

static gsize
extent_of (LsBuffer *buffer)
{
  gint64 n = 1, extent = 1;

  for (guint i = 0; i < buffer->shape->n; i++)
    if (ls_as_int (buffer->shape->items[i], &extent))
      n *= extent;
  return (gsize) n;
}

/* (transfer full) of LsNDArray; NULL: a parameter that is no array of fixed size */
static GPtrArray *
make_arrays (LsPrimFunc *func)
{
  g_autoptr (GPtrArray) arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_ndarray_unref);

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      gint64 shape[8] = { 0 };
      LsNDArray *array;

      if (buffer == NULL || buffer->shape->n > 8)
        return NULL;
      for (guint k = 0; k < buffer->shape->n; k++)
        if (!ls_as_int (buffer->shape->items[k], &shape[k]))
          return NULL;
      array = ls_ndarray_new ((int) buffer->shape->n, shape,
                              (LsDLDataType) { ls_dtype_is_bool (buffer->dtype) ? LS_DL_BOOL : buffer->dtype.code, ls_dtype_is_bool (buffer->dtype) ? 8 : buffer->dtype.bits, 1 }, NULL);
      if (array == NULL)
        return NULL;
      fill (buffer->dtype, array->tensor.data, extent_of (buffer), i * 7 + 3);
      g_ptr_array_add (arrays, array);
    }
  return g_steal_pointer (&arrays);
}

/* The bytes of all arrays; every NaN is the same one, and so are the zeros of max and min. */
static GBytes *
bytes_of (LsPrimFunc *func,
          GPtrArray  *arrays)
{
  GByteArray *all = g_byte_array_new ();

  for (guint i = 0; i < arrays->len; i++)
    {
      LsNDArray *array = arrays->pdata[i];
      LsDType t = ls_prim_func_get_buffer (func, i)->dtype;
      gsize size = ls_dtype_bytes (t), n = array->n_bytes / size;
      guint8 *data = array->tensor.data;

      for (gsize k = 0; ls_dtype_is_float (t) && k < n; k++)
        {
          double value = ls_interp_load (t, data + k * size);

          if (isnan (value) || value == 0)
            memset (data + k * size, isnan (value) ? 0xff : 0, size);
        }
      g_byte_array_append (all, data, (guint) array->n_bytes);
    }
  return g_byte_array_free_to_bytes (all);
}

static GBytes *
interpret (LsPrimFunc *func,
           GError    **error)
{
  g_autoptr (GPtrArray) arrays = make_arrays (func);
  LsInterpArg args[16] = { 0 };
  LsBudget budget;
  LsInterpOptions options = { .budget = &budget };

  ls_budget_init (&budget, 200000, NULL);
  if (arrays == NULL || arrays->len > G_N_ELEMENTS (args))
    {
      g_set_error_literal (error, LS_INTERP_ERROR, LS_INTERP_ERROR_ARGUMENT, "no arrays of fixed size");
      return NULL;
    }
  for (guint i = 0; i < arrays->len; i++)
    {
      LsNDArray *array = arrays->pdata[i];

      args[i] = (LsInterpArg) { ls_prim_func_get_buffer (func, i)->dtype, TRUE, array->tensor.data, (guint) array->tensor.ndim, array->tensor.shape, NULL, 0, 0 };
    }
  return ls_interp_run (func, args, arrays->len, &options, error) ? bytes_of (func, arrays) : NULL;
}

static GBytes *
run_compiled (LsPrimFunc     *lowered,
              const LsTarget *target,
              GError        **error)
{
  g_autoptr (LsModule) module = ls_module_new (ls_array_of (ls_global_var_new ("main"), NULL), ls_array_of (ls_ref (lowered), NULL), NULL, NULL);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .no_contract = TRUE, .prefix = prefix };
  g_autoptr (LsObject) object = ls_codegen_compile (module, "main", target, &options, error);
  g_autoptr (LsKernel) kernel = object != NULL ? ls_jit_add (jit, object, error) : NULL;
  g_autoptr (GPtrArray) arrays = make_arrays (lowered);
  LsArg args[16] = { 0 };

  for (guint i = 0; i < arrays->len; i++)
    {
      args[i].kind = LS_ARG_TENSOR;
      args[i].v_tensor = &((LsNDArray *) arrays->pdata[i])->tensor;
    }
  return kernel != NULL && ls_kernel_call (kernel, "main", args, (int) arrays->len, NULL, error) ? bytes_of (lowered, arrays) : NULL;
}

/* ---- what may be wrong ------------------------------------------------------------------- */

/* Passes that are run alone, on the program as it is and on the lowered one. */
static const struct { const char *name; const char *option; } PASSES[] = {
  { "Simplify", NULL }, { "Simplify", "transitively_prove_inequalities" }, { "Simplify", "convert_boolean_to_and_of_ors" },
  { "Simplify", "apply_constraints_to_boolean_branches" }, { "Simplify", "propagate_knowns_to_prove_conditional" },
  { "Simplify", "propagate_knowns_to_simplify_expressions" }, { "RemoveNoOp", NULL }, { "HoistIfThenElse", NULL }, { "HoistExpression", NULL },
  { "LoopPartition", "partition_const_loop" }, { "UnrollLoop", NULL }, { "CommonSubexprElimTIR", NULL }, { "ConvertSSA", NULL }, { "RewriteUnsafeSelect", NULL },
  { "VectorizeLoop", NULL }, { "LowerInitBlock", NULL }, { "PlanAndUpdateBufferAllocationLocation", NULL }, { "RenormalizeSplitPattern", NULL },
  { "LowerIntrin", NULL }, { "ReduceBranchingThroughOvercompute", NULL },
};

static const char *const LATE[] = { "StorageRewrite", "RemoveNoOp", "Simplify", "HoistIfThenElse", "HoistExpression", "CommonSubexprElimTIR", "LoopPartition",
                                    "LowerIntrin", "ConvertSSA", "NarrowDataType" };

typedef struct {
  gboolean compiled;
  char    *what;                /* the first thing wrong, or NULL */
  gboolean no_meaning;
  GBytes  *want;
} Check;

static void
note (Check      *self,
      const char *what,
      const char *detail)
{
  if (self->what == NULL)
    self->what = g_strdup_printf ("%s%s%s", what, detail != NULL ? ": " : "", detail != NULL ? detail : "");
}

static void
judge (Check      *self,
       const char *what,
       LsPrimFunc *func)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) got = interpret (func, &error);

  if (got == NULL)
    note (self, what, error->message);
  else if (!g_bytes_equal (got, self->want))
    note (self, what, "other numbers");
}

static void
after_pass (const LsPass *pass,
            LsPrimFunc   *before,
            LsPrimFunc   *after,
            gint64        ns,
            gpointer      user_data)
{
  Check *self = user_data;
  g_autofree char *what = g_strdup_printf ("lower, %s", pass->name);

  if (before != after && self->what == NULL)
    judge (self, what, after);
}

static void
alone (Check      *self,
       LsPrimFunc *func,
       const char *name,
       const char *option,
       gboolean    late)
{
  const LsPass *pass = ls_pass_get (name);
  g_autoptr (LsModule) module = ls_module_new (ls_array_of (ls_global_var_new ("main"), NULL), ls_array_of (ls_ref (func), NULL), NULL, NULL);
  g_autoptr (LsMap) options = ls_map_empty ();
  g_autoptr (LsExpr) yes = ls_bool (TRUE);
  g_autoptr (LsModule) changed = NULL;
  g_autofree char *what = g_strdup_printf ("%s%s%s alone%s", name, option != NULL ? ", " : "", option != NULL ? option : "", late ? ", lowered" : "");
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (pass);
  if (g_getenv ("LS_FUZZ_TRACE") != NULL)
    g_printerr ("%s\n", what);
  if (option != NULL)
    ls_take (&options, ls_map_set (options, option, yes));
  changed = ls_pass_run_module_with (pass, module, options, &error);
  if (changed == NULL)
    {
      if (!g_error_matches (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED))
        note (self, what, error->message);
      return;
    }
  if (ls_module_get (changed, "main") != LS_NODE (func))
    judge (self, what, (LsPrimFunc *) ls_module_get (changed, "main"));
}

static void
read_back (Check    *self,
           LsModule *module)
{
  g_autofree char *text = ls_script_print (module, NULL, NULL);
  g_autoptr (LsSource) source = ls_source_new ("again", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) again = ls_script_parse (source, findings);

  if (again == NULL || ls_diagnostics_has_error (findings))
    note (self, "read back", "it cannot be read");
  else if (!ls_structural_equal (module, again, TRUE, NULL, NULL) && strstr (text, "large_uint_imm") == NULL)
    note (self, "read back", "another program");
}

static void
check_module (Check    *self,
              LsModule *module)
{
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (module, "main");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPrimFunc) settled = NULL, lowered = NULL;

  if (!ls_is (func, PRIM_FUNC) || (self->want = interpret (func, &error)) == NULL)
    {
      self->no_meaning = TRUE;
      return;
    }
  read_back (self, module);
  settled = ls_settle_sums (func);
  judge (self, "settled", settled);
  for (guint i = 0; i < G_N_ELEMENTS (PASSES) && self->what == NULL; i++)
    alone (self, settled, PASSES[i].name, PASSES[i].option, FALSE);
  lowered = self->what == NULL ? ls_lower (func, after_pass, self, &error) : NULL;
  if (lowered == NULL && self->what == NULL)
    note (self, "lower", error->message);
  for (guint i = 0; i < G_N_ELEMENTS (LATE) && self->what == NULL; i++)
    alone (self, lowered, LATE[i], NULL, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (targets) && self->compiled && self->what == NULL; i++)
    {
      g_autoptr (GBytes) got = run_compiled (lowered, targets[i], &error);

      if (got == NULL)
        note (self, i == 0 ? "O0" : "O3", error->message);
      else if (!g_bytes_equal (got, self->want))
        note (self, i == 0 ? "O0" : "O3", "other numbers");
      g_clear_error (&error);
    }
}

static void
check_clear (Check *self)
{
  g_free (self->what);
  g_clear_pointer (&self->want, g_bytes_unref);
}

/* ---- one program ------------------------------------------------------------------------------ */

typedef struct {
  const char *what;             /* up to the colon: which step was wrong */
  gboolean    compiled;
} Same;

static gboolean
still_wrong (const char *text,
             gpointer    user_data,
             GError    **error)
{
  Same *same = user_data;
  g_autoptr (LsModule) module = ls_test_parse (text);
  Check check = { .compiled = same->compiled };
  gboolean result;

  check_module (&check, module);
  result = check.what != NULL && strncmp (check.what, same->what, strcspn (same->what, ":") + 1) == 0;
  check_clear (&check);
  return result;
}

static void
complain (const char *name,
          const char *text,
          Check      *check)
{
  Same same = { check->what, check->compiled };
  g_autofree char *small = ls_reduce (text, still_wrong, NULL, &same, NULL);

  g_test_message ("%s: %s\n%s", name, check->what, small != NULL ? small : text);
  g_test_fail ();
}

/* FALSE: it has no meaning. */
static gboolean
check_text (const char *name,
            const char *text,
            gboolean    compiled,
            guint      *wrong)
{
  g_autoptr (LsModule) module = ls_test_parse (text);
  Check check = { .compiled = compiled };
  gboolean meaning;

  if (g_getenv ("LS_FUZZ_TRACE") != NULL)
    g_printerr ("%s\n%s", name, text);
  check_module (&check, module);
  meaning = !check.no_meaning;
  if (check.what != NULL)
    {
      complain (name, text, &check);
      (*wrong)++;
    }
  check_clear (&check);
  return meaning;
}

static void
corpus (void)
{
  g_autofree char *folder = ls_test_path ("property/corpus");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0, wrong = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".py"))
      {
        g_autofree char *relative = g_strconcat ("property/corpus/", name, NULL);
        g_autofree char *text = ls_test_read (relative, NULL);

        g_assert_true (check_text (name, text, TRUE, &wrong));
        n++;
      }
  g_assert_cmpuint (n, >, 0);
}

static void
random_programs (void)
{
  const char *programs = g_getenv ("LS_FUZZ_PROGRAMS"), *seconds = g_getenv ("LS_FUZZ_SECONDS"), *first = g_getenv ("LS_FUZZ_SEED");
  guint n = programs != NULL ? (guint) g_ascii_strtoull (programs, NULL, 10) : ls_test_count (1000, 20000), meant = 0, done = 0, wrong = 0;
  guint32 seed = first != NULL ? (guint32) g_ascii_strtoull (first, NULL, 10) : 0;
  gint64 end = g_get_monotonic_time () + (seconds != NULL ? (gint64) (g_ascii_strtod (seconds, NULL) * 1e6) : 0);

  for (guint32 i = 0; i < n || g_get_monotonic_time () < end; i++, done++)
    {
      guint32 number = i < n ? seed + i : g_random_int ();
      g_autoptr (GRand) rand = g_rand_new_with_seed (number);
      g_autofree char *text = ls_test_random_tir (rand), *name = g_strdup_printf ("program %u", number);

      meant += check_text (name, text, i >= 1000 || i % 4 == 0, &wrong);
      if (wrong >= (seconds != NULL || programs != NULL ? 20u : 1u))
        break;
    }
  g_test_message ("%u programs, %u with a meaning, %u wrong", done, meant, wrong);
  g_assert_cmpuint (meant * 10, >=, done * 9);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  jit = ls_jit_new (NULL);
  targets[0] = ls_target_parse ("llvm -opt-level=0", NULL);
  targets[1] = ls_target_parse ("llvm -opt-level=3", NULL);
  g_test_add_func ("/programs/corpus", corpus);
  g_test_add_func ("/programs/random", random_programs);
  return g_test_run ();
}
