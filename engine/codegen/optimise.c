/* optimise: LLVM's passes over a module, all at once or one after the other.
 *
 * The pipeline is a text.  One pass at a time is the same pipeline cut at its outer commas: between two passes each function is
 * printed.  Values without a name get one for that, since numbers would change with every value before them; LLVM's
 * passes do not look at names.  A pipeline of LLVM's own ("default<O3>") cannot be cut and counts as one pass.
 */
#include "engine/codegen/codegen-private.h"

#include <llvm-c/Transforms/PassBuilder.h>

#include <string.h>

static const char *
pipeline (int opt_level)
{
  switch (opt_level)
    {
    case 0:
      return "default<O0>";
    case 1:
      return "function(sroa,early-cse<memssa>,loop-mssa(licm),instcombine<no-verify-fixpoint>,simplifycfg)";
    case 2:
      return "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop-mssa(licm),loop(indvars,loop-idiom,loop-deletion),"
             "loop-vectorize,early-cse,instcombine<no-verify-fixpoint>,loop-unroll,simplifycfg,loop-mssa(licm),instcombine<no-verify-fixpoint>,simplifycfg)";
    default:
      return "default<O3>";
    }
}

static gboolean
run (LsCgMachine              *self,
     LLVMPassBuilderOptionsRef options,
     const char               *passes)
{
  LLVMErrorRef failed = LLVMRunPasses (self->module, passes, self->machine, options);
  char *message;

  if (failed == NULL)
    return TRUE;
  message = LLVMGetErrorMessage (failed);
  g_set_error (&self->error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM, ls_translate ("LLVM did not optimise the code: %s"), message);
  LLVMDisposeErrorMessage (message);
  return FALSE;
}

/* ---- one by one --------------------------------------------------------------- */

/* The passes of "function(a,b(c,d))": a, b(c,d); of another text itself. (transfer full) */
static GPtrArray *
cut (const char *text)
{
  GPtrArray *passes = g_ptr_array_new_with_free_func (g_free);
  const char *inner = text + strlen ("function("), *start = inner;
  int depth = 0;

  if (!g_str_has_prefix (text, "function("))
    {
      g_ptr_array_add (passes, g_strdup (text));
      return passes;
    }
  for (const char *at = inner; *at != '\0'; at++)
    {
      gboolean ends = depth == 0 && (*at == ',' || *at == ')');

      depth += (*at == '(' || *at == '<') - (!ends && (*at == ')' || *at == '>'));
      if (ends)
        g_ptr_array_add (passes, g_strndup (start, (gsize) (at - start)));
      if (ends)
        start = at + 1;
    }
  return passes;
}

static void
name_values (LLVMModuleRef module)
{
  for (LLVMValueRef func = LLVMGetFirstFunction (module); func != NULL; func = LLVMGetNextFunction (func))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (func); block != NULL; block = LLVMGetNextBasicBlock (block))
      for (LLVMValueRef value = LLVMGetFirstInstruction (block); value != NULL; value = LLVMGetNextInstruction (value))
        if (LLVMGetTypeKind (LLVMTypeOf (value)) != LLVMVoidTypeKind && *LLVMGetValueName (value) == '\0')
          LLVMSetValueName2 (value, "v", 1);
}

/* The functions that have a body. (transfer full) */
static char *
print_functions (LLVMModuleRef module)
{
  GString *all = g_string_new (NULL);

  name_values (module);
  for (LLVMValueRef func = LLVMGetFirstFunction (module); func != NULL; func = LLVMGetNextFunction (func))
    if (!LLVMIsDeclaration (func))
      {
        char *text = LLVMPrintValueToString (func);

        g_string_append_printf (all, "%s%s", all->len > 0 ? "\n" : "", text + strspn (text, "\n"));
        LLVMDisposeMessage (text);
      }
  return g_string_free (all, FALSE);
}

static void
pass_clear (gpointer data)
{
  g_free (((LsLlvmPass *) data)->name);
  g_free (((LsLlvmPass *) data)->text);
}

static void
put_pass (GArray     *passes,
          const char *name,
          gint64      ns,
          char       *text)
{
  LsLlvmPass pass = { g_strdup (name), ns, text };

  g_array_append_val (passes, pass);
}

static gboolean
run_one_by_one (LsCgMachine              *self,
                LLVMPassBuilderOptionsRef options)
{
  g_autoptr (GPtrArray) names = cut (pipeline (self->opt_level));
  const char *shown;

  self->object->passes = g_array_new (FALSE, TRUE, sizeof (LsLlvmPass));
  g_array_set_clear_func (self->object->passes, pass_clear);
  put_pass (self->object->passes, "", -1, print_functions (self->module));
  shown = g_array_index (self->object->passes, LsLlvmPass, 0).text;
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = names->pdata[i];
      g_autofree char *passes = g_str_has_prefix (name, "default<") ? g_strdup (name) : g_strdup_printf ("function(%s)", name);
      gint64 start = ls_clock_ns (), ns;
      char *text;

      if (!run (self, options, passes))
        return FALSE;
      ns = ls_clock_ns () - start;
      text = print_functions (self->module);
      if (strcmp (text, shown) == 0)
        g_clear_pointer (&text, g_free);
      shown = text != NULL ? text : shown;
      put_pass (self->object->passes, name, ns, text);
    }
  return TRUE;
}

/* The first `n` passes of those, and no more. */
static gboolean
run_first (LsCgMachine              *self,
           LLVMPassBuilderOptionsRef options,
           guint                     n)
{
  g_autoptr (GPtrArray) names = cut (pipeline (self->opt_level));
  gboolean done = TRUE;

  for (guint i = 0; i < MIN (n, names->len) && done; i++)
    {
      const char *name = names->pdata[i];
      g_autofree char *passes = g_str_has_prefix (name, "default<") ? g_strdup (name) : g_strdup_printf ("function(%s)", name);

      done = run (self, options, passes);
    }
  return done;
}

/* ---- a fault of LLVM ------------------------------------------------------------ */

/* The number of lanes of a vector of bytes that does not fill a register, else 0. */
static guint
few_bytes (LLVMTypeRef type)
{
  LLVMTypeRef element = LLVMGetTypeKind (type) == LLVMVectorTypeKind ? LLVMGetElementType (type) : NULL;

  if (element == NULL || LLVMGetTypeKind (element) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth (element) != 8 || LLVMGetVectorSize (type) >= 16)
    return 0;
  return LLVMGetVectorSize (type);
}

static gboolean
is_division (LLVMOpcode op)
{
  return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

static void
widen_division (LLVMBuilderRef builder,
                LLVMValueRef   division,
                LLVMTypeRef    wide)
{
  LLVMOpcode op = LLVMGetInstructionOpcode (division), extend = op == LLVMSDiv || op == LLVMSRem ? LLVMSExt : LLVMZExt;
  LLVMValueRef a, b, result;

  LLVMPositionBuilderBefore (builder, division);
  LLVMSetCurrentDebugLocation2 (builder, LLVMInstructionGetDebugLoc (division));
  a = LLVMBuildCast (builder, extend, LLVMGetOperand (division, 0), wide, "");
  b = LLVMBuildCast (builder, extend, LLVMGetOperand (division, 1), wide, "");
  result = LLVMBuildTrunc (builder, LLVMBuildBinOp (builder, op, a, b, ""), LLVMTypeOf (division), "");
  LLVMReplaceAllUsesWith (division, result);
  LLVMInstructionEraseFromParent (division);
}

/* LLVM 19 for x86 with AVX2 makes 0 of the product of two, four or eight bytes of which one side is a quotient by a number, turned round.
 * Of a quotient of 16-bit integers it is right.  Vectors are made by its own passes too, so this comes behind them. */
static void
widen_divisions (LLVMModuleRef module)
{
  LLVMContextRef context = LLVMGetModuleContext (module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext (context);

  for (LLVMValueRef func = LLVMGetFirstFunction (module); func != NULL; func = LLVMGetNextFunction (func))
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock (func); block != NULL; block = LLVMGetNextBasicBlock (block))
      for (LLVMValueRef value = LLVMGetFirstInstruction (block), next; value != NULL; value = next)
        {
          guint lanes = is_division (LLVMGetInstructionOpcode (value)) ? few_bytes (LLVMTypeOf (value)) : 0;

          next = LLVMGetNextInstruction (value);
          if (lanes > 0)
            widen_division (builder, value, LLVMVectorType (LLVMInt16TypeInContext (context), lanes));
        }
  LLVMDisposeBuilder (builder);
}

gboolean
ls_cg_optimise (LsCgMachine *self)
{
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions ();
  gboolean done;

  LLVMPassBuilderOptionsSetLoopVectorization (options, TRUE);
  LLVMPassBuilderOptionsSetSLPVectorization (options, FALSE);
  LLVMPassBuilderOptionsSetLoopInterleaving (options, TRUE);
  LLVMPassBuilderOptionsSetLoopUnrolling (options, TRUE);
  if (self->want_passes)
    done = run_one_by_one (self, options);
  else if (self->cut_after > 0)
    done = run_first (self, options, self->cut_after - 1);
  else
    done = run (self, options, pipeline (self->opt_level));
  LLVMDisposePassBuilderOptions (options);
  if (done && g_str_has_prefix (LLVMGetTarget (self->module), "x86"))
    widen_divisions (self->module);
  return done;
}
