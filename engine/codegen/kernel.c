/* kernel: kernels of a GPU instead of functions of a CPU.
 *
 * A kernel is a function without a result whose pointers are the caller's; it has no packed entry.  Pointers are generic (LLVM finds the address
 * spaces behind them), what NVIDIA's and AMD's want different stands in device.c.
 */
#include "engine/codegen/c/ptx.h"
#include "engine/codegen/codegen-private.h"

#include <string.h>

/* Numbers of LLVM's calling conventions. */
#define PTX_KERNEL 71
#define AMDGPU_KERNEL 91

static gboolean
is_nvidia (LsCg *cg)
{
  return g_str_has_prefix (cg->target->triple, "nvptx");
}

/* ---- one kernel ------------------------------------------------------------------------------ */

static LsWalk
count_threads (LsNode  *node,
               gpointer data)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;
  gint64 *threads = data, extent;

  if (ls_is (node, ATTR_STMT) && strcmp (attr->attr_key, "thread_extent") == 0 && ls_is (attr->subject, ITER_VAR)
      && g_str_has_prefix (((LsIterVar *) attr->subject)->thread_tag, "threadIdx"))
    *threads = ls_as_int (attr->value, &extent) ? *threads * extent : 0;
  return LS_WALK_CONTINUE;
}

/* How many threads a block has at most: registers are given out by it. */
static void
tell_threads (LsCg         *cg,
              LLVMValueRef  func,
              gint64        threads)
{
  if (threads <= 0)
    return;
  if (is_nvidia (cg))
    {
      LLVMMetadataRef parts[] = { LLVMValueAsMetadata (func), LLVMMDStringInContext2 (cg->context, "maxntidx", strlen ("maxntidx")),
                                  LLVMValueAsMetadata (ls_cg_i32 (cg, threads)) };

      LLVMAddNamedMetadataOperand (cg->module, "nvvm.annotations",
                                   LLVMMetadataAsValue (cg->context, LLVMMDNodeInContext2 (cg->context, parts, G_N_ELEMENTS (parts))));
    }
  else
    {
      static const char key[] = "amdgpu-flat-work-group-size";
      g_autofree char *value = g_strdup_printf ("1,%" G_GINT64_FORMAT, threads);

      LLVMAddAttributeAtIndex (func, LLVMAttributeFunctionIndex,
                               LLVMCreateStringAttribute (cg->context, key, (unsigned) strlen (key), value, (unsigned) strlen (value)));
    }
}

static LLVMTypeRef
param_type (LsCg       *cg,
            LsPrimFunc *func,
            guint       i)
{
  if (ls_prim_func_get_buffer (func, i) == NULL && ls_dtype (func->params->items[i]).code != LS_TYPE_HANDLE)
    return ls_cg_type (cg, ls_dtype (func->params->items[i]));
  return is_nvidia (cg) ? cg->ptr : LLVMPointerTypeInContext (cg->context, 1);
}

static void
bind_params (LsCg       *cg,
             LsPrimFunc *func,
             GPtrArray  *vars)
{
  gint64 flag = 0;
  gboolean noalias = ls_as_int (ls_map_get (func->attrs, "tir.noalias"), &flag) && flag != 0;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsVar *var = ls_array_at (func->params, i, LsVar);
      LLVMValueRef param = LLVMGetParam (cg->func, i);
      const char *name = buffer != NULL ? buffer->name : var->name;

      LLVMSetValueName2 (param, name, strlen (name));
      if (LLVMGetTypeKind (LLVMTypeOf (param)) == LLVMPointerTypeKind)
        {
          if (noalias)
            ls_cg_attribute (cg, cg->func, i + 1, "noalias", 0);
          if (LLVMGetPointerAddressSpace (LLVMTypeOf (param)) != 0)
            param = LLVMBuildAddrSpaceCast (cg->builder, param, cg->ptr, name);
        }
      g_hash_table_insert (cg->values, var, param);
      if (buffer != NULL)
        g_hash_table_insert (cg->values, buffer->data, param);
    }
  for (guint i = 0; i < vars->len; i++)
    g_hash_table_insert (cg->values, vars->pdata[i], LLVMGetParam (cg->func, func->params->n + i));
}

void
ls_cg_kernel (LsCg       *cg,
              const char *name,
              LsPrimFunc *func)
{
  g_autoptr (GPtrArray) vars = ls_signature_vars (func);
  guint n = func->params->n;
  g_autofree LLVMTypeRef *types = g_new0 (LLVMTypeRef, n + vars->len + 1);
  gint64 threads = 1;

  for (guint i = 0; i < n; i++)
    types[i] = param_type (cg, func, i);
  for (guint i = 0; i < vars->len; i++)
    types[n + i] = ls_cg_type (cg, ls_dtype (vars->pdata[i]));
  cg->prim_func = func;
  cg->is_fast = ls_fast_math_value_asks (ls_map_get (func->attrs, LS_FAST_MATH_ATTR));
  cg->name = name;
  cg->may_split = FALSE;
  cg->result = NULL;
  g_hash_table_remove_all (cg->values);
  g_hash_table_remove_all (cg->wide);
  g_hash_table_remove_all (cg->views);
  cg->func = LLVMAddFunction (cg->module, name, LLVMFunctionType (cg->none, types, n + vars->len, FALSE));
  LLVMSetFunctionCallConv (cg->func, is_nvidia (cg) ? PTX_KERNEL : AMDGPU_KERNEL);
  ls_cg_attribute (cg, cg->func, LLVMAttributeFunctionIndex, "nounwind", 0);
  ls_cg_attribute (cg, cg->func, LLVMAttributeFunctionIndex, "convergent", 0);
  ls_walk (func->body, count_threads, NULL, &threads);
  tell_threads (cg, cg->func, threads);
  ls_cg_at (cg, ls_cg_block (cg, "entry"));
  bind_params (cg, func, vars);
  cg->fragments = ls_ptx_fragments (func->body);
  ls_cg_scopes_init (cg, func);
  ls_cg_stmt (cg, func->body);
  LLVMBuildRetVoid (cg->builder);
  ls_cg_scopes_clear (cg);
  g_clear_pointer (&cg->fragments, g_hash_table_unref);
}
