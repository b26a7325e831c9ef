/* emit: what every file of the emitter uses: errors, blocks, calls, texts, attributes.
 */
#include "engine/codegen/codegen-private.h"

#include <string.h>

void
ls_cg_fail (LsCg       *cg,
            int         code,
            const char *format,
            ...)
{
  va_list args;

  if (cg->error != NULL)
    return;
  va_start (args, format);
  cg->error = g_error_new_valist (LS_CODEGEN_ERROR, code, ls_translate (format), args);
  va_end (args);
}

LLVMValueRef
ls_cg_none (LsCg   *cg,
            LsDType t)
{
  if (ls_dtype_is_void (t))
    return LLVMGetUndef (cg->i32);
  return LLVMGetUndef (ls_cg_type_known (t) ? ls_cg_type (cg, t) : ls_cg_vector_type (cg->f32, t.lanes));
}

LLVMTypeRef
ls_cg_func_type (LsCg       *cg,
                 LLVMTypeRef result,
                 guint       n,
                 ...)
{
  LLVMTypeRef types[8];
  va_list args;

  g_assert (n <= G_N_ELEMENTS (types));
  va_start (args, n);
  for (guint i = 0; i < n; i++)
    types[i] = va_arg (args, LLVMTypeRef);
  va_end (args);
  return LLVMFunctionType (result, types, n, FALSE);
}

LLVMValueRef
ls_cg_declare (LsCg       *cg,
               const char *name,
               LLVMTypeRef type)
{
  LLVMValueRef func = LLVMGetNamedFunction (cg->module, name);

  if (cg->target->is_device)
    ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "The kernel needs %s, a function that the device does not have through LLVM; as text of CUDA C or OpenCL C it "
                "can be had.", name);
  return func != NULL ? func : LLVMAddFunction (cg->module, name, type);
}

LLVMValueRef
ls_cg_call (LsCg         *cg,
            const char   *name,
            LLVMTypeRef   type,
            LLVMValueRef *args,
            guint         n)
{
  return LLVMBuildCall2 (cg->builder, type, ls_cg_declare (cg, name, type), args, n, "");
}

LLVMValueRef
ls_cg_intrinsic (LsCg         *cg,
                 const char   *name,
                 LLVMTypeRef  *overload,
                 guint         n_overload,
                 LLVMValueRef *args,
                 guint         n)
{
  unsigned id = LLVMLookupIntrinsicID (name, strlen (name));
  LLVMValueRef func = LLVMGetIntrinsicDeclaration (cg->module, id, overload, n_overload);

  return LLVMBuildCall2 (cg->builder, LLVMIntrinsicGetType (cg->context, id, overload, n_overload), func, args, n, "");
}

LLVMValueRef
ls_cg_text (LsCg       *cg,
            const char *text)
{
  LLVMValueRef content = LLVMConstStringInContext (cg->context, text, (unsigned) strlen (text), FALSE);
  LLVMValueRef global = LLVMAddGlobal (cg->module, LLVMTypeOf (content), "text");

  LLVMSetInitializer (global, content);
  LLVMSetLinkage (global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant (global, TRUE);
  LLVMSetUnnamedAddress (global, LLVMGlobalUnnamedAddr);
  return global;
}

LLVMBasicBlockRef
ls_cg_block (LsCg       *cg,
             const char *name)
{
  return LLVMAppendBasicBlockInContext (cg->context, cg->func, name);
}

void
ls_cg_at (LsCg             *cg,
          LLVMBasicBlockRef block)
{
  LLVMPositionBuilderAtEnd (cg->builder, block);
}

void
ls_cg_body_attributes (LsCg        *cg,
                       LLVMValueRef func)
{
  ls_cg_attribute (cg, func, LLVMAttributeFunctionIndex, "nounwind", 0);
  if (g_str_has_prefix (cg->target->triple, "aarch64") && ls_target_is_scalable (cg->target))
    ls_cg_attribute (cg, func, LLVMAttributeFunctionIndex, "vscale_range", (guint64) 1 << 32 | 16);
}

void
ls_cg_attribute (LsCg        *cg,
                 LLVMValueRef func,
                 guint        index,
                 const char  *name,
                 guint64      value)
{
  unsigned kind = LLVMGetEnumAttributeKindForName (name, strlen (name));

  LLVMAddAttributeAtIndex (func, index, LLVMCreateEnumAttribute (cg->context, kind, value));
}
