/* outline: a part of a function becomes a function of its own.
 *
 * What it uses from outside goes through a closure on the caller's stack, in the order in which it is used (no order of a table of
 * addresses: the same program gives the same code).
 */
#include "engine/codegen/codegen-private.h"

void
ls_cg_closure_init (LsCgClosure *self)
{
  self->values = g_ptr_array_new ();
  self->places = g_hash_table_new (NULL, NULL);
  self->seen = g_hash_table_new (NULL, NULL);
  self->order = g_ptr_array_new ();
}

void
ls_cg_closure_clear (LsCgClosure *self)
{
  g_ptr_array_unref (self->values);
  g_hash_table_unref (self->places);
  g_hash_table_unref (self->seen);
  g_ptr_array_unref (self->order);
}

void
ls_cg_closure_add (LsCgClosure *self,
                   LLVMValueRef value)
{
  if (value == NULL || LLVMIsConstant (value) || g_hash_table_contains (self->places, value))
    return;
  g_ptr_array_add (self->values, value);
  g_hash_table_insert (self->places, value, GUINT_TO_POINTER (self->values->len));
}

LLVMValueRef
ls_cg_closure_inside (LsCgClosure  *self,
                      LLVMValueRef *loaded,
                      LLVMValueRef  outer)
{
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (self->places, outer));

  return place > 0 ? loaded[place - 1] : outer;
}

static gboolean
add_use (LsCgClosure *self,
         gpointer     node)
{
  if (!g_hash_table_add (self->seen, node))
    return FALSE;
  g_ptr_array_add (self->order, node);
  return TRUE;
}

static LsWalk
note_use (LsNode  *node,
          gpointer self)
{
  LsBuffer *buffer = (LsBuffer *) node;

  if (ls_is_var (node))
    add_use (self, node);
  else if (ls_is (node, BUFFER) && add_use (self, node))
    {
      add_use (self, buffer->data);
      ls_walk (buffer->shape, note_use, NULL, self);
      ls_walk (buffer->strides, note_use, NULL, self);
      ls_walk (buffer->elem_offset, note_use, NULL, self);
    }
  return LS_WALK_CONTINUE;
}

void
ls_cg_closure_use (LsCg        *cg,
                   LsCgClosure *self,
                   gpointer     body)
{
  guint from = self->order->len;

  ls_walk (body, note_use, NULL, self);
  for (guint k = from; k < self->order->len; k++)
    {
      gpointer node = self->order->pdata[k];
      LsCgView *view = ls_is (node, BUFFER) ? g_hash_table_lookup (cg->views, node) : NULL;

      if (ls_is_var (node))
        {
          ls_cg_closure_add (self, g_hash_table_lookup (cg->values, node));
          ls_cg_closure_add (self, g_hash_table_lookup (cg->wide, node));
        }
      if (view != NULL)
        ls_cg_closure_add (self, view->offset);
      for (guint i = 0; view != NULL && i < view->n; i++)
        ls_cg_closure_add (self, view->strides[i]);
    }
}

static LLVMTypeRef
closure_type (LsCg        *cg,
              LsCgClosure *self)
{
  g_autofree LLVMTypeRef *types = g_new (LLVMTypeRef, self->values->len + 1);

  for (guint i = 0; i < self->values->len; i++)
    types[i] = LLVMTypeOf (self->values->pdata[i]);
  return LLVMStructTypeInContext (cg->context, types, self->values->len, FALSE);
}

LLVMValueRef
ls_cg_closure_store (LsCg        *cg,
                     LsCgClosure *self)
{
  LLVMTypeRef type = closure_type (cg, self);
  LLVMValueRef memory = ls_cg_entry_alloca (cg, type, 16, "closure");

  for (guint i = 0; i < self->values->len; i++)
    LLVMBuildStore (cg->builder, self->values->pdata[i], LLVMBuildStructGEP2 (cg->builder, type, memory, i, ""));
  return memory;
}

/* ---- inside ------------------------------------------------------------------ */

static void
move_tables (LsCg         *cg,
             const LsCg   *outer,
             LsCgClosure  *self,
             LLVMValueRef *loaded)
{
  for (guint k = 0; k < self->order->len; k++)
    {
      gpointer node = self->order->pdata[k];
      LLVMValueRef value = g_hash_table_lookup (outer->values, node);
      LLVMValueRef wide = g_hash_table_lookup (outer->wide, node);
      LsCgView *view = ls_is (node, BUFFER) ? g_hash_table_lookup (outer->views, node) : NULL;

      if (value != NULL)
        g_hash_table_insert (cg->values, node, ls_cg_closure_inside (self, loaded, value));
      if (wide != NULL)
        g_hash_table_insert (cg->wide, node, ls_cg_closure_inside (self, loaded, wide));
      if (view != NULL)
        {
          LsCgView *copy = g_new0 (LsCgView, 1);

          copy->offset = ls_cg_closure_inside (self, loaded, view->offset);
          copy->n = view->n;
          copy->strides = g_new0 (LLVMValueRef, view->n + 1);
          for (guint i = 0; i < view->n; i++)
            copy->strides[i] = ls_cg_closure_inside (self, loaded, view->strides[i]);
          g_hash_table_insert (cg->views, node, copy);
        }
    }
}

LLVMValueRef
ls_cg_outline (LsCg            *cg,
               LsCgClosure     *closure,
               LLVMTypeRef      type,
               guint            param,
               const char      *name,
               gpointer         origin,
               LsCgOutlineFunc  emit,
               gpointer         data)
{
  LLVMTypeRef struct_type = closure_type (cg, closure);
  LLVMValueRef func = LLVMAddFunction (cg->module, name, type);
  g_autofree LLVMValueRef *loaded = g_new0 (LLVMValueRef, closure->values->len + 1);
  LLVMBasicBlockRef outer_block = LLVMGetInsertBlock (cg->builder);
  LsCg outer = *cg;

  LLVMSetLinkage (func, LLVMInternalLinkage);
  ls_cg_body_attributes (cg, func);
  cg->func = func;
  cg->result = NULL;
  cg->values = g_hash_table_new (NULL, NULL);
  cg->wide = g_hash_table_new (NULL, NULL);
  cg->views = g_hash_table_new_full (NULL, NULL, NULL, ls_cg_view_free);
  cg->cleanups = g_array_new (FALSE, FALSE, sizeof (LLVMValueRef));
  ls_cg_at (cg, ls_cg_block (cg, "entry"));
  ls_cg_debug_func (cg, func, name, LS_NODE (origin));
  for (guint i = 0; i < closure->values->len; i++)
    {
      LLVMValueRef place = LLVMBuildStructGEP2 (cg->builder, struct_type, LLVMGetParam (func, param), i, "");

      loaded[i] = LLVMBuildLoad2 (cg->builder, LLVMTypeOf (closure->values->pdata[i]), place, "");
    }
  move_tables (cg, &outer, closure, loaded);
  emit (cg, closure, loaded, data);

  g_hash_table_unref (cg->values);
  g_hash_table_unref (cg->wide);
  g_hash_table_unref (cg->views);
  g_array_unref (cg->cleanups);
  cg->func = outer.func;
  cg->result = outer.result;
  cg->values = outer.values;
  cg->wide = outer.wide;
  cg->views = outer.views;
  cg->cleanups = outer.cleanups;
  cg->di_scope = outer.di_scope;
  LLVMPositionBuilderAtEnd (cg->builder, outer_block);
  ls_cg_debug_at (cg, origin);
  return func;
}
