/* parallel: T.parallel becomes a function of its own that the runtime's threads run, each a run of iterations.
 *
 * What the body uses from outside goes through a closure on the caller's stack, in the order in which it is used (no order
 * of a table of addresses: the same program gives the same code).  Task t of n runs iterations
 * [t * step, min ((t + 1) * step, extent)) with step = ceil (extent / n), TVM's static schedule.
 */
#include "engine/codegen/codegen-private.h"

typedef struct {
  GPtrArray  *values;           /* of LLVMValueRef: what goes through the closure */
  GHashTable *places;           /* LLVMValueRef -> number + 1 */
} Closure;

static void
capture (Closure     *self,
         LLVMValueRef value)
{
  if (value == NULL || LLVMIsConstant (value) || g_hash_table_contains (self->places, value))
    return;
  g_ptr_array_add (self->values, value);
  g_hash_table_insert (self->places, value, GUINT_TO_POINTER (self->values->len));
}

/* Variables and buffers (borrowed) in the order of their first use. */
typedef struct {
  GHashTable *seen;
  GPtrArray  *order;
} Used;

static gboolean
add_use (Used     *used,
         gpointer  node)
{
  if (!g_hash_table_add (used->seen, node))
    return FALSE;
  g_ptr_array_add (used->order, node);
  return TRUE;
}

static LsWalk
note_use (LsNode  *node,
          gpointer used)
{
  LsBuffer *buffer = (LsBuffer *) node;

  if (ls_is_var (node))
    add_use (used, node);
  else if (ls_is (node, BUFFER) && add_use (used, node))
    {
      add_use (used, buffer->data);
      ls_walk (buffer->shape, note_use, NULL, used);
      ls_walk (buffer->strides, note_use, NULL, used);
      ls_walk (buffer->elem_offset, note_use, NULL, used);
    }
  return LS_WALK_CONTINUE;
}

static void
capture_used (LsCg       *cg,
              LsFor      *loop,
              Used       *used,
              Closure    *closure)
{
  ls_walk (loop->body, note_use, NULL, used);
  for (guint k = 0; k < used->order->len; k++)
    {
      gpointer node = used->order->pdata[k];
      LsCgView *view = ls_is (node, BUFFER) ? g_hash_table_lookup (cg->views, node) : NULL;

      if (ls_is_var (node))
        {
          capture (closure, g_hash_table_lookup (cg->values, node));
          capture (closure, g_hash_table_lookup (cg->wide, node));
        }
      if (view != NULL)
        capture (closure, view->offset);
      for (guint i = 0; view != NULL && i < view->n; i++)
        capture (closure, view->strides[i]);
    }
}

static LLVMTypeRef
closure_type (LsCg    *cg,
              Closure *closure)
{
  g_autofree LLVMTypeRef *types = g_new (LLVMTypeRef, closure->values->len + 1);

  for (guint i = 0; i < closure->values->len; i++)
    types[i] = LLVMTypeOf (closure->values->pdata[i]);
  return LLVMStructTypeInContext (cg->context, types, closure->values->len, FALSE);
}

/* ---- inside ------------------------------------------------------------------ */

static LLVMValueRef
inner_value (Closure      *closure,
             LLVMValueRef *loaded,
             LLVMValueRef  outer)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (closure->places, outer));

  return place > 0 ? loaded[place - 1] : outer;
}

static void
move_tables (LsCg         *cg,
             const LsCg   *outer,
             Used         *used,
             Closure      *closure,
             LLVMValueRef *loaded)
{
  for (guint k = 0; k < used->order->len; k++)
    {
      gpointer node = used->order->pdata[k];
      LLVMValueRef value = g_hash_table_lookup (outer->values, node);
      LLVMValueRef wide = g_hash_table_lookup (outer->wide, node);
      LsCgView *view = ls_is (node, BUFFER) ? g_hash_table_lookup (outer->views, node) : NULL;

      if (value != NULL)
        g_hash_table_insert (cg->values, node, inner_value (closure, loaded, value));
      if (wide != NULL)
        g_hash_table_insert (cg->wide, node, inner_value (closure, loaded, wide));
      if (view != NULL)
        {
          LsCgView *copy = g_new0 (LsCgView, 1);

          copy->offset = inner_value (closure, loaded, view->offset);
          copy->n = view->n;
          copy->strides = g_new0 (LLVMValueRef, view->n + 1);
          for (guint i = 0; i < view->n; i++)
            copy->strides[i] = inner_value (closure, loaded, view->strides[i]);
          g_hash_table_insert (cg->views, node, copy);
        }
    }
}

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

static LLVMValueRef
outline (LsCg        *cg,
         LsFor       *loop,
         Used        *used,
         Closure     *closure,
         LLVMTypeRef  struct_type,
         LLVMValueRef min,
         LLVMValueRef extent)
{
  g_autofree char *name = cg->options->by_symbol ? g_strdup ("__tvm_parallel_lambda")
                                                 : g_strdup_printf ("%s%s.parallel%u", cg->options->prefix != NULL ? cg->options->prefix : "", cg->name, ++cg->n_outlined);
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 3, cg->i32, cg->i32, cg->ptr);
  LLVMValueRef func = LLVMAddFunction (cg->module, name, type);
  g_autofree LLVMValueRef *loaded = g_new0 (LLVMValueRef, closure->values->len + 1);
  LLVMBasicBlockRef outer_block = LLVMGetInsertBlock (cg->builder);
  LsCg outer = *cg;

  LLVMSetLinkage (func, LLVMInternalLinkage);
  ls_cg_attribute (cg, func, LLVMAttributeFunctionIndex, "nounwind", 0);
  cg->func = func;
  cg->result = NULL;
  cg->n_parallel++;
  cg->values = g_hash_table_new (NULL, NULL);
  cg->wide = g_hash_table_new (NULL, NULL);
  cg->views = g_hash_table_new_full (NULL, NULL, NULL, ls_cg_view_free);
  cg->cleanups = g_array_new (FALSE, FALSE, sizeof (LLVMValueRef));
  ls_cg_at (cg, ls_cg_block (cg, "entry"));
  ls_cg_debug_func (cg, func, name, LS_NODE (loop));
  for (guint i = 0; i < closure->values->len; i++)
    {
      LLVMValueRef place = LLVMBuildStructGEP2 (cg->builder, struct_type, LLVMGetParam (func, 2), i, "");

      loaded[i] = LLVMBuildLoad2 (cg->builder, LLVMTypeOf (closure->values->pdata[i]), place, "");
    }
  move_tables (cg, &outer, used, closure, loaded);
  task_loop (cg, loop, inner_value (closure, loaded, min), inner_value (closure, loaded, extent));

  g_hash_table_unref (cg->values);
  g_hash_table_unref (cg->wide);
  g_hash_table_unref (cg->views);
  g_array_unref (cg->cleanups);
  cg->n_parallel--;
  cg->func = outer.func;
  cg->result = outer.result;
  cg->values = outer.values;
  cg->wide = outer.wide;
  cg->views = outer.views;
  cg->cleanups = outer.cleanups;
  cg->di_scope = outer.di_scope;
  LLVMPositionBuilderAtEnd (cg->builder, outer_block);
  ls_cg_debug_at (cg, loop);
  return func;
}

void
ls_cg_parallel (LsCg  *cg,
                LsFor *loop)
{
  Closure closure = { g_ptr_array_new (), g_hash_table_new (NULL, NULL) };
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  Used used = { seen, order };
  LLVMTypeRef launch = ls_cg_func_type (cg, cg->i32, 3, cg->ptr, cg->ptr, cg->i32);
  LLVMValueRef min = ls_cg_index (cg, loop->min);
  LLVMValueRef extent = ls_cg_index (cg, loop->extent);
  LLVMTypeRef struct_type;
  LLVMValueRef memory, args[3];

  if (cg->options->no_nested && cg->n_parallel > 0)
    ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "Nested parallel loop is not supported: %s is inside another one; fuse the two.", loop->loop_var->name);
  capture_used (cg, loop, &used, &closure);
  capture (&closure, min);
  capture (&closure, extent);
  struct_type = closure_type (cg, &closure);
  memory = ls_cg_entry_alloca (cg, struct_type, 16, "closure");
  for (guint i = 0; i < closure.values->len; i++)
    LLVMBuildStore (cg->builder, closure.values->pdata[i], LLVMBuildStructGEP2 (cg->builder, struct_type, memory, i, ""));
  args[0] = outline (cg, loop, &used, &closure, struct_type, min, extent);
  args[1] = memory;
  args[2] = ls_cg_i32 (cg, 0);
  ls_cg_return_if (cg, ls_cg_call (cg, "ls_parallel_launch", launch, args, 3));
  g_ptr_array_unref (closure.values);
  g_hash_table_unref (closure.places);
}
