/* object: a module of TensorIR on its way to machine code.
 *
 * Emit and verify; machine.c optimises and writes.  Each call has an LLVM context of its own; calls may run in several threads.
 */
#include "engine/codegen/codegen-private.h"
#include "engine/tir/pass/pass.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>

#include <stdlib.h>
#include <string.h>

/* ---- the state ------------------------------------------------------------------------ */

/* LLVM has no floats of 8 bits: they are bytes, and what computes with them goes through float32. (transfer full) */
static LsModule *
without_fp8 (LsModule *module)
{
  LsModule *result = ls_ref (module);

  for (guint i = 0; i < module->functions->n; i++)
    {
      g_autoptr (LsPrimFunc) plain = ls_is (module->functions->items[i], PRIM_FUNC) ? ls_legalize_fp8 (ls_array_at (module->functions, i, LsPrimFunc)) : NULL;

      if (plain != NULL && LS_NODE (plain) != module->functions->items[i])
        ls_take (&result, ls_module_with (result, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, LS_NODE (plain)));
    }
  return result;
}

static void
cg_init (LsCg                   *cg,
         LsModule               *module,
         const LsTarget         *target,
         const LsCodegenOptions *options)
{
  LLVMContextRef context = LLVMContextCreate ();

  memset (cg, 0, sizeof *cg);
  cg->context = context;
  cg->module = LLVMModuleCreateWithNameInContext ("loopscope", context);
  cg->builder = LLVMCreateBuilderInContext (context);
  cg->i1 = LLVMInt1TypeInContext (context);
  cg->i8 = LLVMInt8TypeInContext (context);
  cg->i16 = LLVMInt16TypeInContext (context);
  cg->i32 = LLVMInt32TypeInContext (context);
  cg->i64 = LLVMInt64TypeInContext (context);
  cg->f16 = LLVMHalfTypeInContext (context);
  cg->f32 = LLVMFloatTypeInContext (context);
  cg->f64 = LLVMDoubleTypeInContext (context);
  cg->ptr = LLVMPointerTypeInContext (context, 0);
  cg->none = LLVMVoidTypeInContext (context);
  cg->target = target;
  cg->options = options;
  cg->ir = without_fp8 (module);
  cg->asked = module;
  cg->contract = !options->no_contract;
  cg->has_f16c = !g_str_has_prefix (target->triple, "x86_64") || ls_target_has (target, "f16c");
  cg->values = g_hash_table_new (NULL, NULL);
  cg->wide = g_hash_table_new (NULL, NULL);
  cg->views = g_hash_table_new_full (NULL, NULL, NULL, ls_cg_view_free);
  cg->cleanups = g_array_new (FALSE, FALSE, sizeof (LLVMValueRef));
  cg->scopes = g_hash_table_new (NULL, NULL);
  cg->scope_nodes = g_ptr_array_new ();
  cg->declared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  cg->is_volatile = g_hash_table_new (NULL, NULL);
  cg->is_data = g_hash_table_new (NULL, NULL);
  cg->leaves = g_hash_table_new (NULL, NULL);
  cg->queue = g_ptr_array_new_with_free_func (g_free);
  cg->imports = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
cg_clear (LsCg *cg)
{
  ls_cg_debug_finish (cg);
  LLVMDisposeBuilder (cg->builder);
  g_clear_pointer (&cg->module, LLVMDisposeModule);
  g_clear_pointer (&cg->context, LLVMContextDispose);
  g_hash_table_unref (cg->values);
  g_hash_table_unref (cg->wide);
  g_hash_table_unref (cg->views);
  g_array_unref (cg->cleanups);
  g_hash_table_unref (cg->scopes);
  g_ptr_array_unref (cg->scope_nodes);
  g_hash_table_unref (cg->declared);
  g_hash_table_unref (cg->is_volatile);
  g_hash_table_unref (cg->is_data);
  g_hash_table_unref (cg->leaves);
  g_ptr_array_unref (cg->queue);
  g_hash_table_unref (cg->imports);
  ls_unref (cg->ir);
  g_clear_error (&cg->error);
}

LLVMTargetMachineRef
ls_cg_machine_new (const LsTarget *target,
                   GError        **error)
{
  LLVMTargetRef found = NULL;
  char *message = NULL;
  LLVMTargetMachineOptionsRef options;
  LLVMTargetMachineRef machine;
  LLVMCodeGenOptLevel level = target->opt_level == 0 ? LLVMCodeGenLevelNone : target->opt_level == 1 ? LLVMCodeGenLevelLess
                              : target->opt_level == 2 ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelAggressive;

  if (LLVMGetTargetFromTriple (target->triple, &found, &message))
    {
      g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET, ls_translate ("Code for %s cannot be made here: %s"), target->triple, message);
      LLVMDisposeMessage (message);
      return NULL;
    }
  options = LLVMCreateTargetMachineOptions ();
  LLVMTargetMachineOptionsSetCPU (options, target->cpu);
  LLVMTargetMachineOptionsSetFeatures (options, target->features);
  LLVMTargetMachineOptionsSetCodeGenOptLevel (options, level);
  LLVMTargetMachineOptionsSetRelocMode (options, LLVMRelocPIC);
  if (target->abi != NULL)
    LLVMTargetMachineOptionsSetABI (options, target->abi);
  machine = LLVMCreateTargetMachineWithOptions (found, target->triple, options);
  LLVMDisposeTargetMachineOptions (options);
  if (machine == NULL)
    g_set_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_TARGET, ls_translate ("Code for %s cannot be made here."), target->triple);
  return machine;
}

/* ---- emitting ----------------------------------------------------------------------------- */

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
queue_functions (LsCg       *cg,
                 const char *func)
{
  for (guint i = 0; i < cg->ir->functions->n; i++)
    {
      const char *name = ls_array_at (cg->ir->global_vars, i, LsGlobalVar)->name_hint;

      if (ls_is (cg->ir->functions->items[i], PRIM_FUNC) && (func == NULL || strcmp (func, name) == 0))
        g_ptr_array_add (cg->queue, g_strdup (name));
    }
  g_ptr_array_sort (cg->queue, by_name);
  if (cg->queue->len == 0)
    ls_cg_fail (cg, LS_CODEGEN_ERROR_NOT_FOUND, func != NULL ? "The module has no function %s that can be compiled." : LS_TEXT ("The module has no function that can be compiled."), func);
}

static gboolean
emit (LsCg       *cg,
      const char *func,
      GPtrArray  *done)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  queue_functions (cg, func);
  ls_cg_debug_init (cg);
  for (guint i = 0; i < cg->queue->len && cg->error == NULL; i++)
    {
      const char *name = cg->queue->pdata[i];

      if (ls_stop_asked (&cg->error))
        break;
      if (!g_hash_table_add (seen, (gpointer) name))
        continue;
      if (cg->target->is_device)
        ls_cg_kernel (cg, name, (LsPrimFunc *) ls_module_get (cg->ir, name));
      else
        ls_cg_prim_func (cg, name, (LsPrimFunc *) ls_module_get (cg->ir, name));
      g_ptr_array_add (done, g_strdup (name));
    }
  ls_cg_debug_finish (cg);
  return cg->error == NULL;
}

static void
describe_machine (LsCg *cg)
{
  g_autofree char *width = g_strdup_printf ("%d", cg->target->vector_bits);
  const struct { const char *name, *value; } pairs[] = {
    { "prefer-vector-width", width }, { "target-cpu", cg->target->cpu }, { "target-features", cg->target->features },
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      LLVMAttributeRef attribute = LLVMCreateStringAttribute (cg->context, pairs[i].name, (unsigned) strlen (pairs[i].name), pairs[i].value,
                                                              (unsigned) strlen (pairs[i].value));

      for (LLVMValueRef f = LLVMGetFirstFunction (cg->module); f != NULL && pairs[i].value[0] != 0; f = LLVMGetNextFunction (f))
        if (!LLVMIsDeclaration (f))
          LLVMAddAttributeAtIndex (f, LLVMAttributeFunctionIndex, attribute);
    }
}

static gboolean
verify (LsCg *cg)
{
  char *message = NULL;

  if (LLVMVerifyModule (cg->module, LLVMReturnStatusAction, &message))
    ls_cg_fail (cg, LS_CODEGEN_ERROR_LLVM, "LLVM does not accept the code: %s", message);
  LLVMDisposeMessage (message);
  return cg->error == NULL;
}

/* ---- remarks ---------------------------------------------------------------------------------- */

static void
clear_remark (gpointer data)
{
  g_free (((LsRemark *) data)->text);
}

static gboolean
is_about_vectors (const char *text)
{
  return strstr (text, "vectoriz") != NULL || strstr (text, "unrolled") != NULL || strstr (text, "memset") != NULL || strstr (text, "memcpy") != NULL;
}

/* Of the register allocator's sentence, "8 spills 1.9e+05 total spills cost 2 folded reloads 4.0e+00 total folded reloads cost 57 virtual
 * registers copies ... generated in loop", what is of use: "8 spills, 2 reloads generated in loop".  NULL: it spilled nothing. */
static char *
shorten_spills (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  guint n = g_strv_length (words), spills = 0, reloads = 0;

  for (guint i = 0; i + 1 < n; i++)
    {
      gboolean counts = g_ascii_isdigit (words[i][0]) && strchr (words[i], '.') == NULL;
      guint number = (guint) strtoul (words[i], NULL, 10), at = i + 1;

      while (at + 1 < n && (strcmp (words[at], "zero") == 0 || strcmp (words[at], "cost") == 0 || strcmp (words[at], "folded") == 0))
        at++;
      spills += counts && g_str_has_prefix (words[at], "spills") ? number : 0;
      reloads += counts && g_str_has_prefix (words[at], "reloads") ? number : 0;
    }
  if (spills + reloads == 0)
    return NULL;
  return g_strdup_printf ("%u spills, %u reloads generated in %s", spills, reloads, g_str_has_suffix (text, "loop") ? "loop" : "function");
}

/* The part of `text` that is of use, or NULL. */
static char *
part_of_use (const char *text)
{
  if (strstr (text, "virtual registers copies") != NULL || strstr (text, "spills") != NULL || strstr (text, "reloads") != NULL)
    return shorten_spills (text);
  return is_about_vectors (text) ? g_strdup (text) : NULL;
}

/* "module.py:7:0: vectorized loop ..." */
static void
on_diagnostic (LLVMDiagnosticInfoRef info,
               void                 *data)
{
  GArray *remarks = data;
  char *description;
  const char *text;
  LsRemark remark = { 0, NULL };

  if (remarks == NULL || LLVMGetDiagInfoSeverity (info) == LLVMDSError)
    return;
  description = LLVMGetDiagInfoDescription (info);
  text = description;
  if (g_str_has_prefix (text, "module.py:"))
    {
      remark.line = (guint) strtoul (text + strlen ("module.py:"), NULL, 10);
      text = strstr (text, ": ") != NULL ? strstr (text, ": ") + 2 : text;
    }
  remark.text = part_of_use (text);
  if (remark.text != NULL)
    g_array_append_val (remarks, remark);
  LLVMDisposeMessage (description);
}

static void
ask_for_remarks (void)
{
  static gsize done;
  static const char *const args[] = { "loopscope", "-pass-remarks=.*", "-pass-remarks-missed=.*", "-pass-remarks-analysis=.*" };

  if (g_once_init_enter (&done))
    {
      LLVMParseCommandLineOptions (G_N_ELEMENTS (args), args, NULL);
      g_once_init_leave (&done, 1);
    }
}

static gboolean
make_object (LsCg                *cg,
             const char          *func,
             LLVMTargetMachineRef machine,
             LsObject            *object)
{
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout (machine);
  GPtrArray *done = g_ptr_array_new_with_free_func (g_free);
  gint64 start = ls_clock_ns ();
  gboolean ok;

  LLVMSetModuleDataLayout (cg->module, layout);
  LLVMSetTarget (cg->module, cg->target->triple);
  LLVMDisposeTargetData (layout);
  ok = emit (cg, func, done);
  g_ptr_array_add (done, NULL);
  object->functions = (char **) g_ptr_array_free (done, FALSE);
  if (!ok || !verify (cg))
    return FALSE;
  describe_machine (cg);
  object->emit_ns = ls_clock_ns () - start;
  if (cg->options->want_raw_ir)
    object->raw_ir = ls_cg_print_ir (cg->module);
  return TRUE;
}

/* The LLVM side goes to machine.c; what is left of `cg` is cleared. */
static LsObject *
finish (LsCg                *cg,
        LLVMTargetMachineRef machine,
        LsObject            *object,
        GError             **error)
{
  LsCgMachine job = {
    .context = g_steal_pointer (&cg->context), .module = g_steal_pointer (&cg->module), .machine = machine, .opt_level = cg->target->opt_level,
    .optimise = !cg->options->no_optimise, .want_object = !cg->options->no_object, .want_ir = cg->options->want_ir, .want_asm = cg->options->want_asm,
    .want_passes = cg->options->want_passes, .cut_after = cg->options->cut_after,
    .object = object,
  };

  cg_clear (cg);
  return ls_cg_machine_run (&job, error);
}

LsObject *
ls_codegen_compile (LsModule               *module,
                    const char             *func,
                    const LsTarget         *target,
                    const LsCodegenOptions *options,
                    GError                **error)
{
  static const LsCodegenOptions defaults = { 0 };
  g_autoptr (LsObject) object = g_new0 (LsObject, 1);
  LLVMTargetMachineRef machine;
  LsCg cg;

  g_return_val_if_fail (ls_is (module, MODULE) && target != NULL, NULL);

  options = options != NULL ? options : &defaults;
  machine = ls_cg_machine_new (target, error);
  if (machine == NULL)
    return NULL;
  object->prefix = g_strdup (options->prefix != NULL ? options->prefix : "");
  cg_init (&cg, module, target, options);
  if (options->remarks)
    {
      ask_for_remarks ();
      object->remarks = g_array_new (FALSE, FALSE, sizeof (LsRemark));
      g_array_set_clear_func (object->remarks, clear_remark);
    }
  LLVMContextSetDiagnosticHandler (cg.context, on_diagnostic, object->remarks);
  if (make_object (&cg, func, machine, object))
    return finish (&cg, machine, g_steal_pointer (&object), error);
  g_propagate_error (error, g_steal_pointer (&cg.error));
  cg_clear (&cg);
  LLVMDisposeTargetMachine (machine);
  return NULL;
}
