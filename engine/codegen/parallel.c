/* parallel: T.parallel becomes a function of its own that the runtime's threads run, each a run of iterations.
 *
 * Task t of n runs iterations [t * step, min ((t + 1) * step, extent)) with step = ceil (extent / n), TVM's static schedule.
 */
#include "engine/codegen/codegen-private.h"

static LLVMValueRef
smaller (LsCg        *cg,
         LLVMValueRef a,
         LLVMValueRef b)
{
  return LLVMBuildSelect (cg->builder, LLVMBuildICmp (cg->builder, LLVMIntSLT, a, b, ""), a, b, "");
}

static void
task_loop (LsCg        *cg,
           LsFor       *loop,
           LLVMValueRef min,
           LLVMValueRef extent)
{
  LLVMBuilderRef b = cg->builder;
  LLVMValueRef task = LLVMBuildSExt (b, LLVMGetParam (cg->func, 0), cg->i64, "");
  LLVMValueRef n = LLVMBuildSExt (b, LLVMGetParam (cg->func, 1), cg->i64, "");
  LLVMValueRef step = LLVMBuildSDiv (b, LLVMBuildSub (b, LLVMBuildAdd (b, extent, n, ""), ls_cg_i64 (cg, 1), ""), n, "");
  LLVMValueRef begin = smaller (cg, LLVMBuildMul (b, task, step, ""), extent);
  LLVMValueRef end = smaller (cg, LLVMBuildAdd (b, begin, step, ""), extent);

  begin = LLVMBuildAdd (b, begin, min, "");
  end = LLVMBuildAdd (b, end, min, "");
  ls_cg_loop (cg, loop->loop_var->name, begin, end, FALSE, ls_cg_loop_body, loop);
  LLVMBuildRet (b, ls_cg_i32 (cg, 0));
}

typedef struct {
  LsFor       *loop;
  LLVMValueRef min, extent;
} Task;

static void
emit_task (LsCg         *cg,
           LsCgClosure  *closure,
           LLVMValueRef *loaded,
           gpointer      data)
{
  Task *task = data;

  cg->n_parallel++;
  task_loop (cg, task->loop, ls_cg_closure_inside (closure, loaded, task->min), ls_cg_closure_inside (closure, loaded, task->extent));
  cg->n_parallel--;
}

void
ls_cg_parallel (LsCg  *cg,
                LsFor *loop)
{
  LsCgClosure closure;
  LLVMTypeRef launch = ls_cg_func_type (cg, cg->i32, 3, cg->ptr, cg->ptr, cg->i32);
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 3, cg->i32, cg->i32, cg->ptr);
  LLVMValueRef min = ls_cg_index (cg, loop->min);
  LLVMValueRef extent = ls_cg_index (cg, loop->extent);
  Task task = { loop, min, extent };
  g_autofree char *name = NULL;
  LLVMValueRef args[3];

  if (cg->target->is_device)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "Loop %s in a kernel is parallel; a kernel's threads are those that loops are bound to.", loop->loop_var->name);
      return;
    }
  if (cg->options->no_nested && cg->n_parallel > 0)
    ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "Nested parallel loop is not supported: %s is inside another one; fuse the two.", loop->loop_var->name);
  ls_cg_closure_init (&closure);
  ls_cg_closure_use (cg, &closure, loop->body);
  ls_cg_closure_add (&closure, min);
  ls_cg_closure_add (&closure, extent);
  args[1] = ls_cg_closure_store (cg, &closure);
  name = cg->options->by_symbol ? g_strdup ("__tvm_parallel_lambda")
                                : g_strdup_printf ("%s%s.parallel%u", cg->options->prefix != NULL ? cg->options->prefix : "", cg->name, ++cg->n_outlined);
  args[0] = ls_cg_outline (cg, &closure, type, 2, name, loop, emit_task, &task);
  args[2] = ls_cg_i32 (cg, 0);
  ls_cg_return_if (cg, ls_cg_call (cg, "ls_parallel_launch", launch, args, 3));
  ls_cg_closure_clear (&closure);
}
