/* stmt: statements to control flow.
 *
 * Loops are rotated (test at the end) so that no pass has to do it.  T.unroll with a constant extent is replicated; a T.vectorized loop
 * that lowering has left is run in order.  Leaving a function early frees the workspaces that are alive there.
 */
#include "engine/base/stack.h"
#include "engine/codegen/codegen-private.h"

#include <string.h>

/* Bodies of replicated loops together: not more than this. */
#define MAX_UNROLLED 256

/* ---- variables ------------------------------------------------------------- */

LLVMValueRef
ls_cg_bind (LsCg        *cg,
            LsVar       *var,
            LLVMValueRef value)
{
  LLVMValueRef old = g_hash_table_lookup (cg->values, var);

  g_hash_table_insert (cg->values, var, value);
  return old;
}

LLVMValueRef
ls_cg_bind_wide (LsCg        *cg,
                 LsVar       *var,
                 LLVMValueRef value)
{
  LsDType t = ls_dtype (var);
  LLVMValueRef old = ls_cg_bind (cg, var, ls_cg_cast (cg, LS_INT64, t, value));

  if (ls_dtype_equal (t, LS_INT32))
    g_hash_table_insert (cg->wide, var, value);
  return old;
}

void
ls_cg_unbind (LsCg        *cg,
              LsVar       *var,
              LLVMValueRef old)
{
  g_hash_table_remove (cg->wide, var);
  if (old != NULL)
    g_hash_table_insert (cg->values, var, old);
  else
    g_hash_table_remove (cg->values, var);
}

/* ---- leaving ---------------------------------------------------------------- */

void
ls_cg_return (LsCg        *cg,
              LLVMValueRef status)
{
  LLVMTypeRef type = ls_cg_func_type (cg, cg->none, 1, cg->ptr);

  for (guint i = cg->cleanups->len; i-- > 0;)
    ls_cg_call (cg, "ls_workspace_free", type, &g_array_index (cg->cleanups, LLVMValueRef, i), 1);
  LLVMBuildRet (cg->builder, status);
}

void
ls_cg_return_if (LsCg        *cg,
                 LLVMValueRef status)
{
  LLVMBasicBlockRef failed = ls_cg_block (cg, "failed");
  LLVMBasicBlockRef next = ls_cg_block (cg, "next");
  LLVMValueRef bad = LLVMBuildICmp (cg->builder, LLVMIntNE, status, ls_cg_i32 (cg, 0), "");

  LLVMBuildCondBr (cg->builder, bad, failed, next);
  ls_cg_at (cg, failed);
  ls_cg_return (cg, status);
  ls_cg_at (cg, next);
}

/* ---- loops ------------------------------------------------------------------- */

void
ls_cg_loop (LsCg        *cg,
            const char  *name,
            LLVMValueRef min,
            LLVMValueRef end,
            gboolean     at_least_once,
            LsCgBody     body,
            gpointer     data)
{
  LLVMBasicBlockRef before = LLVMGetInsertBlock (cg->builder);
  LLVMBasicBlockRef inside = ls_cg_block (cg, name);
  LLVMBasicBlockRef after = ls_cg_block (cg, "end");
  LLVMBasicBlockRef latch;
  LLVMValueRef index, next, again;

  if (at_least_once)
    LLVMBuildBr (cg->builder, inside);
  else
    LLVMBuildCondBr (cg->builder, LLVMBuildICmp (cg->builder, LLVMIntSLT, min, end, ""), inside, after);
  ls_cg_at (cg, inside);
  index = LLVMBuildPhi (cg->builder, cg->i64, name);
  LLVMAddIncoming (index, &min, &before, 1);
  body (cg, index, data);
  next = LLVMBuildNSWAdd (cg->builder, index, ls_cg_i64 (cg, 1), "");
  latch = LLVMGetInsertBlock (cg->builder);
  LLVMAddIncoming (index, &next, &latch, 1);
  again = LLVMBuildCondBr (cg->builder, LLVMBuildICmp (cg->builder, LLVMIntSLT, next, end, ""), inside, after);
  if (body == ls_cg_loop_body && ls_cg_wraps (data))
    ls_cg_keep_scalar (cg, again);
  ls_cg_at (cg, after);
}

void
ls_cg_loop_body (LsCg        *cg,
                 LLVMValueRef index,
                 gpointer     data)
{
  LsFor *loop = data;
  LLVMValueRef old = ls_cg_bind_wide (cg, loop->loop_var, index);

  ls_cg_stmt (cg, loop->body);
  ls_cg_debug_at (cg, loop);
  ls_cg_unbind (cg, loop->loop_var, old);
}

static void
serial_loop (LsCg  *cg,
             LsFor *loop)
{
  gint64 extent = 0;
  gboolean once = ls_as_int (loop->extent, &extent) && extent > 0;
  LLVMValueRef min = ls_cg_index (cg, loop->min);
  LLVMValueRef end = LLVMBuildNSWAdd (cg->builder, min, ls_cg_index (cg, loop->extent), "");

  if (cg->error != NULL)
    return;
  ls_cg_loop (cg, loop->loop_var->name, min, end, once, ls_cg_loop_body, loop);
}

static gboolean
unrolled_loop (LsCg  *cg,
               LsFor *loop)
{
  gint64 extent;
  LLVMValueRef min;

  if (!ls_as_int (loop->extent, &extent) || extent > MAX_UNROLLED)
    return FALSE;
  min = ls_cg_index (cg, loop->min);
  for (gint64 i = 0; i < extent && cg->error == NULL; i++)
    ls_cg_loop_body (cg, LLVMBuildNSWAdd (cg->builder, min, ls_cg_i64 (cg, i), ""), loop);
  return TRUE;
}

/* Writing out under a pragma: both keys stand at the loop. */
static gint64
pragma_steps (LsMap *annotations)
{
  LsNode *steps = ls_map_get (annotations, "pragma_auto_unroll_max_step");
  LsNode *explicit = ls_map_get (annotations, "pragma_unroll_explicit");
  gint64 n = 0, is_explicit = 1;

  if (steps != NULL)
    ls_as_int (steps, &n);
  if (explicit != NULL)
    ls_as_int (explicit, &is_explicit);
  return is_explicit != 0 ? n : 0;
}

static void
for_kind (LsCg  *cg,
          LsFor *loop)
{
  if (cg->unroll_steps > 0 && ls_cg_writes_out (loop, cg->unroll_steps) && unrolled_loop (cg, loop))
    return;
  switch ((LsForKind) loop->kind)
    {
    case LS_FOR_PARALLEL:
      ls_cg_parallel (cg, loop);
      return;
    case LS_FOR_UNROLLED:
      if (ls_stmt_count_written_out (loop) <= LS_MAX_WRITTEN_OUT && unrolled_loop (cg, loop))
        return;
      break;
    case LS_FOR_THREAD_BINDING:
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "The loop %s is bound to %s; a CPU has no such threads.", loop->loop_var->name,
                  loop->thread_binding != NULL ? loop->thread_binding->thread_tag : "a thread");
      return;
    case LS_FOR_SERIAL:
    case LS_FOR_VECTORIZED:
      break;
    }
  serial_loop (cg, loop);
}

static void
for_loop (LsCg  *cg,
          LsFor *loop)
{
  gint64 before = cg->unroll_steps;
  gint64 own = pragma_steps (loop->annotations);

  ls_cg_import_of (cg, loop->annotations);
  if (own > 0)
    cg->unroll_steps = own;
  for_kind (cg, loop);
  cg->unroll_steps = before;
}

static void
while_loop (LsCg    *cg,
            LsWhile *loop)
{
  LLVMBasicBlockRef test = ls_cg_block (cg, "while");
  LLVMBasicBlockRef body = ls_cg_block (cg, "do");
  LLVMBasicBlockRef after = ls_cg_block (cg, "end");

  LLVMBuildBr (cg->builder, test);
  ls_cg_at (cg, test);
  LLVMBuildCondBr (cg->builder, ls_cg_truth (cg, loop->condition), body, after);
  ls_cg_at (cg, body);
  ls_cg_stmt (cg, loop->body);
  LLVMBuildBr (cg->builder, test);
  ls_cg_at (cg, after);
}

/* ---- the others ---------------------------------------------------------------- */

static void
if_then_else (LsCg         *cg,
              LsIfThenElse *stmt)
{
  LLVMValueRef condition = ls_cg_truth (cg, stmt->condition);
  LLVMBasicBlockRef yes = ls_cg_block (cg, "then");
  LLVMBasicBlockRef after = ls_cg_block (cg, "end");
  LLVMBasicBlockRef no = stmt->else_case != NULL ? ls_cg_block (cg, "else") : after;

  LLVMBuildCondBr (cg->builder, condition, yes, no);
  ls_cg_at (cg, yes);
  ls_cg_stmt (cg, stmt->then_case);
  LLVMBuildBr (cg->builder, after);
  if (stmt->else_case != NULL)
    {
      ls_cg_at (cg, no);
      ls_cg_stmt (cg, stmt->else_case);
      LLVMBuildBr (cg->builder, after);
    }
  ls_cg_at (cg, after);
}

static void
assert_stmt (LsCg         *cg,
             LsAssertStmt *stmt)
{
  const char *message = ls_is (stmt->message, STRING_IMM) ? ((LsStringImm *) stmt->message)->value : "";
  g_autofree char *text = g_strdup_printf ("Assert failed: %s", message);
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 1, cg->ptr);
  LLVMValueRef condition = ls_cg_truth (cg, stmt->condition);
  LLVMBasicBlockRef failed = ls_cg_block (cg, "assert_failed");
  LLVMBasicBlockRef next = ls_cg_block (cg, "next");
  LLVMValueRef argument;

  LLVMBuildCondBr (cg->builder, condition, next, failed);
  ls_cg_at (cg, failed);
  argument = ls_cg_text (cg, text);
  ls_cg_call (cg, "ls_runtime_assert_failed", type, &argument, 1);
  ls_cg_return (cg, ls_cg_i32 (cg, -1));
  ls_cg_at (cg, next);
  ls_cg_stmt (cg, stmt->body);
}

static void
let_stmt (LsCg      *cg,
          LsLetStmt *stmt)
{
  LLVMValueRef v = ls_cg_expr (cg, stmt->value);
  LLVMValueRef old;

  if (cg->error != NULL || v == NULL)
    return;
  if (ls_cg_is_data (cg, stmt->value))
    g_hash_table_add (cg->is_data, stmt->var);
  old = ls_cg_bind (cg, stmt->var, v);
  ls_cg_stmt (cg, stmt->body);
  ls_cg_unbind (cg, stmt->var, old);
}

static void
attr_stmt (LsCg       *cg,
           LsAttrStmt *stmt)
{
  static const char *const devices[] = { "thread_extent", "virtual_thread", "device_scope", NULL };
  gboolean fast = cg->is_fast;

  if (cg->target->is_device && strcmp (stmt->attr_key, "thread_extent") == 0)
    {
      ls_cg_thread_extent (cg, stmt);
      return;
    }
  if (cg->target->is_device && ls_cg_async (cg, stmt))
    return;
  if (g_strv_contains (devices, stmt->attr_key))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "T.attr %s belongs to a GPU; the target is a CPU.", stmt->attr_key);
      return;
    }
  if (strcmp (stmt->attr_key, "volatile_scope") == 0 && ls_is_var (stmt->subject))
    g_hash_table_add (cg->is_volatile, stmt->subject);
  ls_cg_import (cg, stmt->attr_key, LS_NODE (stmt->value));
  if (strcmp (stmt->attr_key, LS_FAST_MATH_PRAGMA) == 0)
    cg->is_fast = cg->target->fast_math || ls_fast_math_value_asks (LS_NODE (stmt->value));
  ls_cg_stmt (cg, stmt->body);
  cg->is_fast = fast;
}

static void
seq_stmt (LsCg      *cg,
          LsSeqStmt *stmt)
{
  if (ls_cg_split (cg, stmt->seq))
    return;
  for (guint i = 0; i < stmt->seq->n && cg->error == NULL; i++)
    ls_cg_stmt (cg, ls_array_at (stmt->seq, i, LsStmt));
}

typedef struct {
  LsCg   *cg;
  LsStmt *stmt;
} Again;

static void
stmt_again (gpointer data)
{
  ls_cg_stmt (((Again *) data)->cg, ((Again *) data)->stmt);
}

void
ls_cg_stmt (LsCg   *cg,
            LsStmt *stmt)
{
  guint line = cg->line;

  if (ls_stack_is_short ())
    {
      ls_stack_extend (stmt_again, &(Again) { cg, stmt });
      return;
    }
  if (cg->error != NULL)
    return;
  ls_cg_debug_at (cg, stmt);
  switch ((int) ls_kind (stmt))
    {
    case LS_KIND_SEQ_STMT: seq_stmt (cg, (LsSeqStmt *) stmt); break;
    case LS_KIND_FOR: for_loop (cg, (LsFor *) stmt); break;
    case LS_KIND_WHILE: while_loop (cg, (LsWhile *) stmt); break;
    case LS_KIND_BUFFER_STORE: ls_cg_store (cg, (LsBufferStore *) stmt); break;
    case LS_KIND_EVALUATE: ls_cg_expr (cg, ((LsEvaluate *) stmt)->value); break;
    case LS_KIND_IF_THEN_ELSE: if_then_else (cg, (LsIfThenElse *) stmt); break;
    case LS_KIND_LET_STMT: let_stmt (cg, (LsLetStmt *) stmt); break;
    case LS_KIND_ASSERT_STMT: assert_stmt (cg, (LsAssertStmt *) stmt); break;
    case LS_KIND_ATTR_STMT: attr_stmt (cg, (LsAttrStmt *) stmt); break;
    case LS_KIND_ALLOCATE: ls_cg_allocate (cg, (LsAllocate *) stmt); break;
    case LS_KIND_ALLOCATE_CONST: ls_cg_allocate_const (cg, (LsAllocateConst *) stmt); break;
    case LS_KIND_DECL_BUFFER: ls_cg_stmt (cg, ((LsDeclBuffer *) stmt)->body); break;
    case LS_KIND_BLOCK_REALIZE: ls_cg_block_realize (cg, (LsBlockRealize *) stmt); break;
    default:
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "%s cannot be compiled; it is lowered first.", stmt->klass->name);
      break;
    }
  if (cg->line != line && line != 0)
    cg->line = line;
}
