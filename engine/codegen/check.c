/* check: what check_bounds adds: each index and block binding is compared, and a finding leaves the function with a sentence
 * that names buffer, dimension, index, extent and line of the TVMScript text.  An integer divisor that is no constant is
 * always compared with zero: the machine would end the process.
 */
#include "engine/codegen/codegen-private.h"

static void
leave_unless (LsCg         *cg,
              LLVMValueRef  good,
              const char   *report,
              LLVMTypeRef   type,
              LLVMValueRef *args,
              guint         n)
{
  LLVMBasicBlockRef bad = ls_cg_block (cg, "out_of_bounds");
  LLVMBasicBlockRef next = ls_cg_block (cg, "next");

  LLVMBuildCondBr (cg->builder, good, next, bad);
  ls_cg_at (cg, bad);
  ls_cg_return (cg, ls_cg_call (cg, report, type, args, n));
  ls_cg_at (cg, next);
}

void
ls_cg_check_index (LsCg        *cg,
                   LsBuffer    *buffer,
                   guint        dim,
                   LLVMValueRef index,
                   LLVMValueRef extent)
{
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 5, cg->ptr, cg->i32, cg->i64, cg->i64, cg->i32);
  LLVMValueRef args[5] = { ls_cg_text (cg, buffer->name), ls_cg_i32 (cg, dim), index, extent, ls_cg_i32 (cg, cg->line) };

  if (cg->error == NULL && !cg->target->is_device)      /* a kernel has nobody to tell: the simulator checks it */
    leave_unless (cg, LLVMBuildICmp (cg->builder, LLVMIntULT, index, extent, ""), "ls_abi_bounds", type, args, 5);
}

void
ls_cg_check_binding (LsCg        *cg,
                     const char  *block,
                     const char  *iter,
                     LLVMValueRef value,
                     LLVMValueRef min,
                     LLVMValueRef extent)
{
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 6, cg->ptr, cg->ptr, cg->i64, cg->i64, cg->i64, cg->i32);
  LLVMValueRef args[6];
  LLVMValueRef good;

  if (cg->error != NULL)
    return;
  good = LLVMBuildICmp (cg->builder, LLVMIntULT, LLVMBuildSub (cg->builder, value, min, ""), extent, "");
  args[0] = ls_cg_text (cg, block);
  args[1] = ls_cg_text (cg, iter);
  args[2] = value;
  args[3] = min;
  args[4] = extent;
  args[5] = ls_cg_i32 (cg, cg->line);
  leave_unless (cg, good, "ls_abi_binding", type, args, 6);
}

void
ls_cg_check_divisor (LsCg        *cg,
                     LsDType      t,
                     LLVMValueRef divisor)
{
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 1, cg->i32);
  LLVMValueRef line = ls_cg_i32 (cg, cg->line);

  if (cg->error != NULL)
    return;
  if (LLVMIsNull (divisor))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "A number is divided by the constant 0.");
      return;
    }
  for (guint lane = 0; lane < t.lanes; lane++)
    {
      LLVMValueRef one = ls_cg_extract (cg, divisor, lane);

      leave_unless (cg, LLVMBuildICmp (cg->builder, LLVMIntNE, one, LLVMConstNull (LLVMTypeOf (one)), ""), "ls_abi_division", type, &line, 1);
    }
}
