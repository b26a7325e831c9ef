/* vm-compile: functions of Relax in A-normal form become functions of the virtual machine.
 *
 * Each variable has a register (or is a constant); branches of an If write the same register.  When a function is
 * written, the last use of each register is marked, so that the machine frees what it holds.
 */
#include "engine/codegen/vm-private.h"

#include "engine/relax/analysis.h"
#include "engine/relax/pass/pass.h"
#include "engine/tir/cost.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

/* ---- the writer --------------------------------------------------------------- */

static void
put_one (LsVMWriter  *self,
         LsVMOp       op,
         gint64       dst,
         LsVMOperand  operand)
{
  g_autoptr (GArray) list = g_array_new (FALSE, FALSE, sizeof (LsVMOperand));

  g_array_append_val (list, operand);
  ls_vm_writer_put (self, op, dst, 0, list);
}

static void
define (LsVMWriter  *self,
        LsRelaxVar  *var,
        LsVMOperand  operand)
{
  g_hash_table_insert (self->vars, var, g_memdup2 (&operand, sizeof operand));
}

/* ---- bodies ---------------------------------------------------------------------- */

static LsVMOperand write_sequence (LsVMWriter *self, LsNode *body, gint64 dst);

static guint
count_instructions (LsVMFunction *function)
{
  guint n = 0;

  for (guint at = 0; at < function->code->len; n++)
    at += 4 + 2 * (guint) g_array_index (function->code, gint64, at + 3);
  return n;
}

static LsVMOperand
write_if (LsVMWriter *self,
          LsRelaxIf  *branch,
          gint64      dst)
{
  GArray *code = self->function->code;
  gint64 at = dst >= 0 ? dst : ls_vm_writer_register (self);
  LsVMOperand condition = ls_vm_writer_value (self, branch->cond, -1);
  guint unless = code->len, jump;

  put_one (self, LS_VM_OP_JUMP_UNLESS, LS_VM_NOWHERE, condition);
  write_sequence (self, branch->true_branch, at);
  jump = code->len;
  ls_vm_writer_put (self, LS_VM_OP_JUMP, LS_VM_NOWHERE, 0, NULL);
  g_array_index (code, gint64, unless + 2) = count_instructions (self->function);
  write_sequence (self, branch->false_branch, at);
  g_array_index (code, gint64, jump + 2) = count_instructions (self->function);
  return (LsVMOperand) { LS_VM_REG, at };
}

static void
write_match_cast (LsVMWriter  *self,
                  LsMatchCast *cast)
{
  LsVMOperand value = ls_vm_writer_value (self, cast->value, -1);
  gint64 dst = ls_vm_writer_register (self);
  g_autofree char *what = g_strdup_printf ("the value of match_cast for %s of %s", cast->var != NULL ? cast->var->name : "a value", self->function->name);

  if (!ls_vm_writer_match (self, value, cast->struct_info, what, dst))
    ls_vm_writer_fail (self, LS_CODEGEN_ERROR_PROGRAM, "an extent of the match_cast cannot be found out from the value");
  if (cast->var != NULL)
    define (self, cast->var, (LsVMOperand) { LS_VM_REG, dst });
}

static void
write_binding (LsVMWriter *self,
               LsNode     *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);

  self->place = var != NULL ? var->name : NULL;
  if (ls_is (binding, MATCH_CAST))
    write_match_cast (self, (LsMatchCast *) binding);
  else
    {
      LsNode *value = ((LsVarBinding *) binding)->value;

      if (ls_is (value, RELAX_IF))
        define (self, var, write_if (self, (LsRelaxIf *) value, -1));
      else if (ls_is (value, SEQ_EXPR))
        define (self, var, write_sequence (self, value, -1));
      else
        define (self, var, ls_vm_writer_value (self, value, -1));
    }
  self->place = NULL;
}

static LsVMOperand
write_sequence (LsVMWriter *self,
                LsNode     *body,
                gint64      dst)
{
  LsSeqExpr *sequence = (LsSeqExpr *) body;

  if (!ls_is (body, SEQ_EXPR))
    return ls_is (body, RELAX_IF) ? write_if (self, (LsRelaxIf *) body, dst) : ls_vm_writer_value (self, body, dst);
  for (guint i = 0; i < sequence->blocks->n; i++)
    {
      LsArray *bindings = ls_array_at (sequence->blocks, i, LsBindingBlock)->bindings;

      for (guint j = 0; j < bindings->n && self->error == NULL; j++)
        write_binding (self, bindings->items[j]);
    }
  return self->error == NULL ? write_sequence (self, sequence->body, dst) : (LsVMOperand) { LS_VM_IMM, 0 };
}

/* ---- functions ---------------------------------------------------------------------- */

static char *
describe_info (LsStructInfo *info)
{
  GString *text = g_string_new (NULL);
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;
  LsArray *extents;

  if (!ls_is (info, TENSOR_STRUCT_INFO))
    {
      g_string_append (text, ls_is (info, SHAPE_STRUCT_INFO) ? "shape" : ls_is (info, TUPLE_STRUCT_INFO) ? "tuple"
                       : ls_is (info, PRIM_STRUCT_INFO) ? "number" : "object");
      return g_string_free (text, FALSE);
    }
  extents = ls_is (tensor->shape, SHAPE_EXPR) ? ((LsShapeExpr *) tensor->shape)->values : NULL;
  g_string_append (text, extents != NULL ? "(" : "tensor");
  for (guint i = 0; extents != NULL && i < extents->n; i++)
    {
      gint64 value;

      g_string_append (text, i > 0 ? ", " : "");
      if (ls_as_int (extents->items[i], &value))
        g_string_append_printf (text, "%" G_GINT64_FORMAT, value);
      else
        g_string_append (text, ls_is (extents->items[i], VAR) || ls_is (extents->items[i], SIZE_VAR) ? ((LsVar *) extents->items[i])->name : "?");
    }
  g_string_append (text, extents != NULL ? (extents->n == 1 ? ",)" : ")") : "");
  if (!ls_dtype_is_void (tensor->dtype))
    g_string_append_printf (text, " %s", ls_dtype_name (tensor->dtype));
  return g_string_free (text, FALSE);
}

static void
write_params (LsVMWriter *self,
              LsFunction *func,
              guint       first)
{
  g_autofree gboolean *complete = g_new0 (gboolean, func->params->n + 1);
  g_autoptr (GPtrArray) symbols = ls_relax_defined_symbols (func);

  if (self->lowered && symbols->len == 0)
    return;
  for (int round = 0; round < 2; round++)
    for (guint i = 0; i < func->params->n; i++)
      {
        LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar);
        g_autofree char *what = g_strdup_printf ("%s of %s", param->name, self->function->name);

        if (!complete[i])
          complete[i] = ls_vm_writer_match (self, (LsVMOperand) { LS_VM_REG, first + i }, param->struct_info, what, LS_VM_NOWHERE);
      }
}

/* From the end: the first time that a register is met is its last use. */
static void
mark_last_uses (LsVMFunction *function)
{
  g_autofree gboolean *seen = g_new0 (gboolean, function->n_registers + 1);
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint at = 0; at < function->code->len; at += 4 + 2 * (guint) g_array_index (function->code, gint64, at + 3))
    g_array_append_val (starts, at);
  for (guint i = starts->len; i-- > 0;)
    {
      gint64 *code = &g_array_index (function->code, gint64, g_array_index (starts, guint, i));

      for (gint64 j = code[3]; j-- > 0;)
        if (code[4 + 2 * j] == LS_VM_REG && !seen[code[5 + 2 * j]])
          {
            seen[code[5 + 2 * j]] = TRUE;
            code[4 + 2 * j] = LS_VM_LAST;
          }
    }
}

/* Does the function say more of its result than what is known of the value?  Dimensions that only the result mentions are
 * not to be checked. */
static gboolean
needs_check (LsFunction *func)
{
  LsSeqExpr *seq = ls_is (func->body, SEQ_EXPR) ? (LsSeqExpr *) func->body : NULL;
  g_autoptr (LsNode) found = seq != NULL ? ls_relax_struct_info (seq->body) : NULL;
  g_autoptr (GPtrArray) free = ls_relax_free_symbols (func);

  return found != NULL && free->len == 0 && ls_is (func->ret_struct_info, TENSOR_STRUCT_INFO) && ls_is (found, OBJECT_STRUCT_INFO);
}

static void
write_function (LsVMWriter *self,
                LsFunction *func,
                guint       first)
{
  LsVMOperand result;

  self->function->params = g_new0 (char *, func->params->n + 1);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar);
      g_autofree char *info = describe_info (param->struct_info);

      self->function->params[i] = g_strdup_printf ("%s: %s", param->name, info);
      define (self, param, (LsVMOperand) { LS_VM_REG, first + i });
    }
  write_params (self, func, first);
  result = write_sequence (self, func->body, -1);
  if (!self->lowered && needs_check (func) && result.kind == LS_VM_REG)
    {
      g_autofree char *what = g_strdup_printf ("the return value of %s", self->function->name);

      ls_vm_writer_match (self, result, func->ret_struct_info, what, LS_VM_NOWHERE);
    }
  put_one (self, LS_VM_OP_RETURN, LS_VM_NOWHERE, result);
  mark_last_uses (self->function);
}

static void
writer_clear (LsVMWriter *self)
{
  g_hash_table_unref (self->vars);
  g_hash_table_unref (self->slots);
}

static LsVMWriter
writer_for (LsModule       *module,
            LsVMExecutable *executable,
            GHashTable     *functions,
            LsVMFunction   *function,
            gboolean        lowered)
{
  return (LsVMWriter) { module, executable, function, NULL, g_hash_table_new_full (NULL, NULL, NULL, g_free), g_hash_table_new (NULL, NULL), functions,
                        -1, NULL, NULL, lowered };
}

LsVMOperand
ls_vm_writer_lambda (LsVMWriter *self,
                     LsFunction *func,
                     gint64      dst)
{
  g_autofree char *name = g_strdup_printf ("%s.lambda%u", self->function->name, self->executable->functions->len);
  g_autoptr (GPtrArray) vars = ls_relax_free_vars (func);
  g_autoptr (GPtrArray) symbols = ls_relax_free_symbols (func);
  g_autoptr (GArray) captured = g_array_new (FALSE, FALSE, sizeof (LsVMOperand));
  guint number = self->executable->functions->len;
  LsVMWriter inner = writer_for (self->module, self->executable, self->functions, ls_vm_executable_add_function (self->executable, name),
                                 self->lowered);
  gint64 at = dst >= 0 ? dst : ls_vm_writer_register (self);

  inner.function->is_private = TRUE;
  inner.function->n_params = inner.function->n_registers = vars->len + symbols->len + func->params->n;
  for (guint i = 0; i < vars->len; i++)
    {
      LsVMOperand value = ls_vm_writer_value (self, vars->pdata[i], -1);

      g_array_append_val (captured, value);
      define (&inner, vars->pdata[i], (LsVMOperand) { LS_VM_REG, i });
    }
  for (guint i = 0; i < symbols->len; i++)
    {
      LsVMOperand value = ls_vm_writer_extent (self, symbols->pdata[i]);
      g_autoptr (LsNode) info = ls_prim_struct_info_new (ls_ref (symbols->pdata[i]), ls_dtype (symbols->pdata[i]));

      g_array_append_val (captured, value);
      ls_vm_writer_match (&inner, (LsVMOperand) { LS_VM_REG, vars->len + i }, info, "a captured extent", LS_VM_NOWHERE);
    }
  write_function (&inner, func, vars->len + symbols->len);
  if (inner.error != NULL && self->error == NULL)
    self->error = g_steal_pointer (&inner.error);
  g_clear_error (&inner.error);
  writer_clear (&inner);
  ls_vm_writer_put (self, LS_VM_OP_CLOSURE, at, number, captured);
  return (LsVMOperand) { LS_VM_REG, at };
}

static gboolean
is_private (LsFunction *func)
{
  return func->attrs == NULL || ls_map_get (func->attrs, "global_symbol") == NULL;
}

static gboolean
write_functions (LsModule       *module,
                 LsVMExecutable *executable,
                 gboolean        lowered,
                 GError        **error)
{
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      {
        const char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
        LsFunction *func = (LsFunction *) module->functions->items[i];
        LsVMFunction *function = ls_vm_executable_add_function (executable, name);

        function->n_params = function->n_registers = func->params->n;
        function->is_private = is_private (func);
        g_hash_table_insert (numbers, (gpointer) name, GINT_TO_POINTER ((int) executable->functions->len));
      }
  for (guint i = 0, at = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      {
        LsVMWriter writer = writer_for (module, executable, numbers, executable->functions->pdata[at++], lowered);

        write_function (&writer, (LsFunction *) module->functions->items[i], 0);
        writer_clear (&writer);
        if (writer.error != NULL)
          {
            g_propagate_error (error, writer.error);
            return FALSE;
          }
      }
  return TRUE;
}

/* ---- the whole way ---------------------------------------------------------------------- */

static LsModule *
only_prim_funcs (LsModule *module)
{
  GPtrArray *vars = g_ptr_array_new (), *functions = g_ptr_array_new ();

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      {
        g_ptr_array_add (vars, ls_ref (module->global_vars->items[i]));
        g_ptr_array_add (functions, ls_ref (module->functions->items[i]));
      }
  return ls_module_new (ls_array_take_ptr_array (vars), ls_array_take_ptr_array (functions), NULL, NULL);
}

/* One prefix for all, so that the same module gives the same file: the linker gives objects that bring a known one another
 * of the same length (jit.c), and nothing else in the code looks like this. */
#define PREFIX "vm0123456789abcdef_"

static gboolean
compile_kernels (LsModule       *module,
                 LsVMExecutable *executable,
                 const LsTarget *target,
                 gboolean        no_code,
                 GError        **error)
{
  g_autoptr (LsModule) prims = only_prim_funcs (module);
  g_autoptr (LsModule) lowered = prims->functions->n > 0 && !no_code ? ls_lower_module (prims, NULL, NULL, error) : NULL;
  LsCodegenOptions options = { .prefix = PREFIX };
  g_autoptr (LsObject) object = lowered != NULL ? ls_codegen_compile (lowered, NULL, target, &options, error) : NULL;

  for (guint i = 0; no_code && i < prims->functions->n; i++)
    {
      double unknown = -1;

      g_ptr_array_add (executable->kernels, g_strdup (ls_array_at (prims->global_vars, i, LsGlobalVar)->name_hint));
      g_array_append_val (executable->kernel_flops, unknown);
    }
  if (prims->functions->n == 0 || no_code)
    return TRUE;
  if (object == NULL)
    return FALSE;
  executable->code = g_bytes_ref (object->code);
  g_free (executable->prefix);
  executable->prefix = g_strdup (PREFIX);
  for (guint i = 0; object->functions[i] != NULL; i++)
    {
      LsPrimFunc *func = (LsPrimFunc *) ls_module_get (prims, object->functions[i]);
      g_autoptr (LsCostTable) costs = func != NULL ? ls_cost_table_new (func) : NULL;
      double flop = costs != NULL ? costs->flop : -1;

      g_ptr_array_add (executable->kernels, g_strdup (object->functions[i]));
      g_array_append_val (executable->kernel_flops, flop);
    }
  return TRUE;
}

static LsModule *
run_pipeline (LsModule               *module,
              const LsVMBuildOptions *options,
              GError                **error)
{
  static const char *const PASSES[] = { "LegalizeOps" };
  gboolean as_is = options != NULL && options->as_is;
  g_autoptr (LsModule) now = as_is ? ls_ref (module) : ls_relax_before_legalize (module, error);

  for (guint i = 0; now != NULL && i < G_N_ELEMENTS (PASSES) && !as_is; i++)
    {
      const LsRelaxPass *pass = ls_relax_pass_get (PASSES[i], NULL);
      g_autoptr (LsMap) args = pass != NULL ? ls_relax_pass_arguments (pass, NULL, NULL, error) : NULL;
      LsModule *next;

      if (pass == NULL)
        continue;
      if (options != NULL && options->stage != NULL)
        options->stage (PASSES[i], options->data);
      next = args != NULL ? ls_relax_pass_run (pass, now, args, error) : NULL;
      if (next == NULL)
        return NULL;
      ls_unref (now);
      now = next;
    }
  return g_steal_pointer (&now);
}

static gboolean
has_relax (LsModule *module)
{
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      return TRUE;
  return FALSE;
}

LsVMExecutable *
ls_vm_build (LsModule               *module,
             const LsTarget         *target,
             const LsVMBuildOptions *options,
             GError                **error)
{
  g_autoptr (LsVMExecutable) executable = ls_vm_executable_new ();
  g_autoptr (LsModule) lowered = has_relax (module) ? run_pipeline (module, options, error) : ls_ref (module);

  if (lowered == NULL || !write_functions (lowered, executable, options != NULL && options->as_is, error))
    return NULL;
  if (options != NULL && options->stage != NULL)
    options->stage ("compile", options->data);
  if (!compile_kernels (lowered, executable, target, options != NULL && options->no_code, error))
    return NULL;
  g_free (executable->target);
  executable->target = g_strdup (target->cpu);
  return ls_vm_executable_check (executable, error) ? g_steal_pointer (&executable) : NULL;
}

LsKernel *
ls_vm_link (LsJit          *jit,
            LsVMExecutable *executable,
            GError        **error)
{
  LsObject object = { 0 };
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (executable->code == NULL)
    return NULL;
  if (strcmp (executable->target, ls_target_host_cpu ()) != 0)
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET, ls_translate ("The executable was built for %s; this machine is %s. Build it again here."),
                   executable->target, ls_target_host_cpu ());
      return NULL;
    }
  for (guint i = 0; i < executable->kernels->len; i++)
    g_ptr_array_add (names, executable->kernels->pdata[i]);
  g_ptr_array_add (names, NULL);
  object.code = executable->code;
  object.functions = (char **) names->pdata;
  object.prefix = executable->prefix;
  return ls_jit_add (jit, &object, error);
}

LsPackedFunc
ls_vm_resolve_kernel (const char *name,
                      gpointer    kernel)
{
  return kernel != NULL ? ls_kernel_get (kernel, name) : NULL;
}
