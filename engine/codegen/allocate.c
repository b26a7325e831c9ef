/* allocate: memory that a program asks for.
 *
 * A constant size of at most 1024 bytes (TVM's limit), or of at most 32 KiB in scope "local", is on the stack, where LLVM can
 * turn it into registers; anything else is a workspace of the runtime, 64-byte aligned, freed on every way out.
 */
#include "engine/codegen/codegen-private.h"

#include <string.h>

#define MAX_STACK 1024
#define MAX_STACK_LOCAL (32 * 1024)

LLVMValueRef
ls_cg_entry_alloca (LsCg       *cg,
                    LLVMTypeRef type,
                    guint       align,
                    const char *name)
{
  LLVMBasicBlockRef now = LLVMGetInsertBlock (cg->builder);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock (cg->func);
  LLVMValueRef first = LLVMGetFirstInstruction (entry);
  LLVMValueRef slot;

  if (first != NULL)
    LLVMPositionBuilderBefore (cg->builder, first);
  else
    LLVMPositionBuilderAtEnd (cg->builder, entry);
  slot = LLVMBuildAlloca (cg->builder, type, name);
  LLVMSetAlignment (slot, align);
  if (LLVMGetPointerAddressSpace (LLVMTypeOf (slot)) != 0)
    slot = LLVMBuildAddrSpaceCast (cg->builder, slot, cg->ptr, name);
  LLVMPositionBuilderAtEnd (cg->builder, now);
  return slot;
}

static gboolean
goes_on_stack (gint64      bytes,
               const char *scope)
{
  return bytes > 0 && (bytes <= MAX_STACK || (g_str_has_prefix (scope, "local") && bytes <= MAX_STACK_LOCAL));
}

static LLVMValueRef
workspace (LsCg        *cg,
           const char  *name,
           LLVMValueRef bytes)
{
  LLVMTypeRef type = ls_cg_func_type (cg, cg->ptr, 1, cg->i64);
  LLVMTypeRef report = ls_cg_func_type (cg, cg->i32, 2, cg->ptr, cg->i64);
  LLVMBasicBlockRef failed = ls_cg_block (cg, "no_memory");
  LLVMBasicBlockRef next = ls_cg_block (cg, "next");
  LLVMValueRef memory = ls_cg_call (cg, "ls_workspace_alloc", type, &bytes, 1);
  LLVMValueRef args[2];

  ls_cg_attribute (cg, LLVMGetNamedFunction (cg->module, "ls_workspace_alloc"), LLVMAttributeReturnIndex, "noalias", 0);
  LLVMBuildCondBr (cg->builder, LLVMBuildIsNull (cg->builder, memory, ""), failed, next);
  ls_cg_at (cg, failed);
  args[0] = ls_cg_text (cg, name);
  args[1] = bytes;
  ls_cg_return (cg, ls_cg_call (cg, "ls_abi_memory", report, args, 2));
  ls_cg_at (cg, next);
  g_array_append_val (cg->cleanups, memory);
  return memory;
}

LLVMValueRef
ls_cg_memory_new (LsCg        *cg,
                  const char  *name,
                  LsDType      t,
                  gint64       constant,
                  LLVMValueRef n_elements,
                  const char  *scope,
                  gboolean    *heap)
{
  gint64 size = ls_dtype_bytes (t);

  *heap = FALSE;
  if (cg->target->is_device)
    return ls_cg_device_memory (cg, name, t, constant, scope);
  if (constant >= 0 && constant <= MAX_STACK_LOCAL && goes_on_stack (constant * size, scope))
    return ls_cg_entry_alloca (cg, LLVMArrayType (ls_cg_memory_type (cg, t), (unsigned) constant), 64, name);
  *heap = TRUE;
  return workspace (cg, name, LLVMBuildMul (cg->builder, n_elements, ls_cg_i64 (cg, size), ""));
}

/* Frees the newest workspace at the end of its life. */
void
ls_cg_memory_drop (LsCg *cg)
{
  LLVMTypeRef type = ls_cg_func_type (cg, cg->none, 1, cg->ptr);
  guint last = cg->cleanups->len - 1;

  ls_cg_call (cg, "ls_workspace_free", type, &g_array_index (cg->cleanups, LLVMValueRef, last), 1);
  g_array_set_size (cg->cleanups, last);
}

static const char *
scope_of (LsVar *var)
{
  return ls_is (var->type_annotation, POINTER_TYPE) ? ((LsPointerType *) var->type_annotation)->storage_scope : "";
}

static gint64
constant_size (LsArray *extents)
{
  gint64 n = 1;

  for (guint i = 0; i < extents->n; i++)
    {
      gint64 extent;

      if (!ls_as_int (extents->items[i], &extent) || extent < 0 || (extent > 0 && n > G_MAXINT64 / 64 / extent))
        return -1;
      n *= extent;
    }
  return n;
}

void
ls_cg_allocate (LsCg       *cg,
                LsAllocate *allocate)
{
  LLVMValueRef n = ls_cg_i64 (cg, 1);
  gboolean heap = FALSE;
  LLVMValueRef memory, old;

  for (guint i = 0; i < allocate->extents->n; i++)
    n = LLVMBuildMul (cg->builder, n, ls_cg_index (cg, ls_array_at (allocate->extents, i, LsExpr)), "");
  memory = ls_cg_memory_new (cg, allocate->buffer_var->name, allocate->dtype, constant_size (allocate->extents), n,
                             scope_of (allocate->buffer_var), &heap);
  old = ls_cg_bind (cg, allocate->buffer_var, memory);
  ls_cg_stmt (cg, allocate->body);
  ls_cg_unbind (cg, allocate->buffer_var, old);
  if (heap)
    ls_cg_memory_drop (cg);
}

void
ls_cg_allocate_const (LsCg            *cg,
                      LsAllocateConst *allocate)
{
  gsize n;
  const char *bytes = g_bytes_get_data (allocate->data->data, &n);
  LLVMValueRef content = LLVMConstStringInContext (cg->context, bytes, (unsigned) n, TRUE);
  LLVMValueRef global = LLVMAddGlobal (cg->module, LLVMTypeOf (content), "constant");
  LLVMValueRef old;

  LLVMSetInitializer (global, content);
  LLVMSetLinkage (global, LLVMPrivateLinkage);
  LLVMSetAlignment (global, 64);
  old = ls_cg_bind (cg, allocate->buffer_var, global);
  ls_cg_stmt (cg, allocate->body);
  ls_cg_unbind (cg, allocate->buffer_var, old);
}
