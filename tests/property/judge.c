/* judge: see the header. */
#include "tests/property/judge.h"

#include "engine/codegen/codegen.h"
#include "engine/interp/interp.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/settle.h"

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
make_arrays (const LsJudge *self,
             LsPrimFunc    *func)
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
      if (self->before != NULL)
        self->before (i, buffer, array->tensor.data, extent_of (buffer), self->user_data);
      else
        fill (buffer->dtype, array->tensor.data, extent_of (buffer), i * 7 + 3);
      g_ptr_array_add (arrays, array);
    }
  return g_steal_pointer (&arrays);
}

/* What the parameters begin with is made once for a program and copied for each run; those that are not filled are made anew. (transfer full) of
 * LsNDArray; NULL: as above */
static GPtrArray *
fresh_arrays (LsJudge    *self,
              LsPrimFunc *func)
{
  GPtrArray *arrays;

  if (self->inputs == NULL)
    {
      self->inputs = make_arrays (self, func);
      if (self->inputs == NULL)
        return NULL;
      for (guint i = 0; i < self->inputs->len; i++)
        self->large = self->large || ((LsNDArray *) self->inputs->pdata[i])->n_bytes >= LS_JUDGE_LARGE;
    }
  if (self->large)
    return make_arrays (self, func);
  arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_ndarray_unref);
  for (guint i = 0; i < self->inputs->len; i++)
    {
      LsNDArray *from = self->inputs->pdata[i];
      LsNDArray *copy = ls_ndarray_new (from->tensor.ndim, from->tensor.shape, from->tensor.dtype, NULL);

      memcpy (copy->tensor.data, from->tensor.data, from->n_bytes);
      g_ptr_array_add (arrays, copy);
    }
  return arrays;
}

/* The bytes of all arrays; every NaN is the same one, and so are the zeros of max and min. */
static GBytes *
bytes_of (const LsJudge *self,
          LsPrimFunc    *func,
          GPtrArray     *arrays)
{
  GByteArray *all = g_byte_array_new ();

  for (guint i = 0; i < arrays->len; i++)
    {
      LsNDArray *array = arrays->pdata[i];
      LsDType t = ls_prim_func_get_buffer (func, i)->dtype;
      gsize size = ls_dtype_bytes (t), n = array->n_bytes / size;
      guint8 *data = array->tensor.data;

      if (array->n_bytes >= LS_JUDGE_LARGE)
        {
          for (guint k = 0; self->places != NULL && k < self->places->len; k++)
            if (g_array_index (self->places, gint64, k) < (gint64) n)
              g_byte_array_append (all, data + g_array_index (self->places, gint64, k) * size, (guint) size);
          continue;
        }
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

/* What the arrays must be, where that is known; else NULL. */
static GBytes *
expected (const LsJudge *self,
          LsPrimFunc    *func)
{
  g_autoptr (GPtrArray) arrays = self->after != NULL ? make_arrays (self, func) : NULL;

  if (arrays == NULL)
    return NULL;
  for (guint i = 0; i < arrays->len; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      self->after (i, buffer, ((LsNDArray *) arrays->pdata[i])->tensor.data, extent_of (buffer), self->user_data);
    }
  return bytes_of (self, func, arrays);
}

static GBytes *
interpret (LsJudge       *self,
           LsPrimFunc    *func,
           GError       **error)
{
  g_autoptr (GPtrArray) arrays = fresh_arrays (self, func);
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
  return ls_interp_run (func, args, arrays->len, &options, error) ? bytes_of (self, func, arrays) : NULL;
}

static GBytes *
run_compiled (LsJudge        *self,
              LsPrimFunc     *lowered,
              const LsTarget *target,
              gboolean        checked,
              GError        **error)
{
  g_autoptr (LsModule) module = ls_module_new (ls_array_of (ls_global_var_new ("main"), NULL), ls_array_of (ls_ref (lowered), NULL), NULL, NULL);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .no_contract = TRUE, .prefix = prefix, .check_bounds = checked };
  g_autoptr (LsObject) object = ls_codegen_compile (module, "main", target, &options, error);
  g_autoptr (LsKernel) kernel = object != NULL ? ls_jit_add (jit, object, error) : NULL;
  g_autoptr (GPtrArray) arrays = fresh_arrays (self, lowered);
  LsArg args[16] = { 0 };

  for (guint i = 0; i < arrays->len; i++)
    {
      args[i].kind = LS_ARG_TENSOR;
      args[i].v_tensor = &((LsNDArray *) arrays->pdata[i])->tensor;
    }
  return kernel != NULL && ls_kernel_call (kernel, "main", args, (int) arrays->len, NULL, error) ? bytes_of (self, lowered, arrays) : NULL;
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

static void
note (LsJudge      *self,
      const char *what,
      const char *detail)
{
  if (self->what == NULL)
    self->what = g_strdup_printf ("%s%s%s", what, detail != NULL ? ": " : "", detail != NULL ? detail : "");
}

/* Whether what came of a run is what the program means; `words`: those of the error that it means, NULL where any error will do. */
static void
compare (LsJudge      *self,
         const char   *what,
         GBytes       *got,
         const GError *error,
         const char   *words)
{
  if (self->error != NULL && got != NULL)
    note (self, what, "it does not stop");
  else if (self->error != NULL && words != NULL && strstr (error->message, words) == NULL)
    note (self, what, error->message);
  else if (self->error == NULL && got == NULL)
    note (self, what, error->message);
  else if (self->error == NULL && !g_bytes_equal (got, self->want))
    note (self, what, "other numbers");
}

/* Was a function that is this one, node for node, judged before?  Several passes often make the same of a program. */
static gboolean
is_judged (LsJudge    *self,
           LsPrimFunc *func)
{
  if (self->judged == NULL)
    self->judged = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  for (guint i = 0; i < self->judged->len; i++)
    {
      LsNode *other = self->judged->pdata[i];

      if (other == LS_NODE (func) || (other->hash == LS_NODE (func)->hash && ls_structural_equal (other, func, FALSE, NULL, NULL)))
        return TRUE;
    }
  g_ptr_array_add (self->judged, ls_ref (func));
  return FALSE;
}

static void
judge (LsJudge    *self,
       const char *what,
       LsPrimFunc *func)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) got = NULL;

  if (is_judged (self, func))
    return;
  got = interpret (self, func, &error);
  compare (self, what, got, error, NULL);
}

static void
judge_compiled (LsJudge    *self,
                const char *what,
                LsPrimFunc *func,
                gboolean    checked,
                const char *words)
{
  for (guint i = 0; i < G_N_ELEMENTS (targets) && self->what == NULL; i++)
    {
      g_autofree char *level = g_strdup_printf ("%s%s%s", what, what[0] != '\0' ? ", " : "", i == 0 ? "O0" : "O3");
      g_autoptr (GError) error = NULL;
      g_autoptr (GBytes) got = run_compiled (self, func, targets[i], checked, &error);

      compare (self, level, got, error, words);
    }
}

static void
after_pass (const LsPass *pass,
            LsPrimFunc   *before,
            LsPrimFunc   *after,
            gint64        ns,
            gpointer      user_data)
{
  LsJudge *self = user_data;
  g_autofree char *what = g_strdup_printf ("lower, %s", pass->name);

  if (before != after && self->what == NULL && !self->as_written)
    judge (self, what, after);
}

static void
alone (LsJudge      *self,
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
read_back (LsJudge    *self,
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
make_targets (void)
{
  jit = ls_jit_new (NULL);
  targets[0] = ls_target_parse ("llvm -opt-level=0", NULL);
  targets[1] = ls_target_parse ("llvm -opt-level=3", NULL);
}

void
ls_judge_module (LsJudge  *self,
                 LsModule *module)
{
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (module, "main");
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPrimFunc) settled = NULL, lowered = NULL;
  g_autoptr (GBytes) known = NULL;

  if (jit == NULL)
    make_targets ();
  if (ls_is (func, PRIM_FUNC))
    self->want = interpret (self, func, &error);
  if (self->error != NULL && (self->want != NULL || error == NULL || strstr (error->message, self->error) == NULL))
    note (self, "interpreter", error != NULL ? error->message : "it does not stop");
  else if (self->want == NULL && self->error == NULL)
    {
      self->no_meaning = TRUE;
      self->why = g_strdup (error != NULL ? error->message : "no function main");
      return;
    }
  g_clear_error (&error);
  known = self->error == NULL ? expected (self, func) : NULL;
  if (known != NULL && !g_bytes_equal (known, self->want))
    note (self, "interpreter", "other numbers");
  if (self->only_meaning)
    return;
  is_judged (self, func);
  read_back (self, module);
  if (self->what != NULL)
    return;
  settled = ls_settle_sums (func);
  judge (self, "settled", settled);
  for (guint i = 0; i < G_N_ELEMENTS (PASSES) && self->what == NULL; i++)
    alone (self, settled, PASSES[i].name, PASSES[i].option, FALSE);
  lowered = self->what == NULL ? ls_lower (func, after_pass, self, &error) : NULL;
  if (lowered == NULL && self->what == NULL)
    note (self, "lower", error->message);
  for (guint i = 0; i < G_N_ELEMENTS (LATE) && self->what == NULL && !self->as_written; i++)
    alone (self, lowered, LATE[i], NULL, TRUE);
  if (self->compiled && (self->error == NULL || self->guarded))
    judge_compiled (self, "", lowered, FALSE, NULL);
  if (self->checked || self->error != NULL)
    {
      judge_compiled (self, "checked as written", func, TRUE, self->error);
      if (!self->as_written)
        judge_compiled (self, "checked", lowered, TRUE, NULL);
    }
}

void
ls_judge_clear (LsJudge *self)
{
  g_clear_pointer (&self->what, g_free);
  g_clear_pointer (&self->why, g_free);
  g_clear_pointer (&self->want, g_bytes_unref);
  g_clear_pointer (&self->inputs, g_ptr_array_unref);
  g_clear_pointer (&self->judged, g_ptr_array_unref);
}
