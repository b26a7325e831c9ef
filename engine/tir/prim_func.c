/* prim_func: PrimFunc, and the list of tir's classes. */
#include "engine/tir/tir-private.h"

LS_CLASS (ls_prim_func_class, PRIM_FUNC, "PrimFunc", LsPrimFunc, LS_CLASS_PLAIN,
          LS_FIELD (LsPrimFunc, params, NODE, LS_FIELD_BINDS),
          LS_FIELD_NAMED (LsPrimFunc, buffers, "buffer_map", NODE, LS_FIELD_BINDS),
          LS_FIELD (LsPrimFunc, ret_type, NODE, 0),
          LS_FIELD (LsPrimFunc, attrs, NODE, 0),
          LS_FIELD (LsPrimFunc, body, NODE, 0));

void
ls_tir_register_classes (void)
{
  static const LsNodeClass *const classes[] = {
    &ls_buffer_class, &ls_buffer_region_class, &ls_match_buffer_region_class, &ls_buffer_load_class,
    &ls_producer_load_class, &ls_comm_reducer_class, &ls_reduce_class,
    &ls_iter_var_class, &ls_block_class, &ls_block_realize_class,
    &ls_let_stmt_class, &ls_attr_stmt_class, &ls_assert_stmt_class, &ls_buffer_store_class, &ls_buffer_realize_class,
    &ls_allocate_class, &ls_allocate_const_class, &ls_decl_buffer_class, &ls_seq_stmt_class, &ls_if_then_else_class,
    &ls_evaluate_class, &ls_for_class, &ls_while_class,
    &ls_prim_func_class, &ls_index_map_class,
  };

  ls_class_register (classes, G_N_ELEMENTS (classes));
}

static LsArray *
no_buffers (LsArray *params)
{
  g_autofree LsNode **none = g_new0 (LsNode *, params->n + 1);

  return ls_array_new (none, params->n);
}

LsPrimFunc *
ls_prim_func_new (LsArray *params,
                  LsStmt  *body,
                  LsType  *ret_type,
                  LsArray *buffers,
                  LsMap   *attrs)
{
  LsPrimFunc *self = ls_node_alloc (&ls_prim_func_class);

  self->params = params;
  self->buffers = buffers != NULL ? buffers : no_buffers (params);
  self->ret_type = ret_type != NULL ? ret_type : ls_void_type_new ();
  self->attrs = attrs != NULL ? attrs : ls_map_empty ();
  self->body = body;
  return ls_node_finish (self);
}

static LsPrimFunc *
func_with (LsPrimFunc *self,
           LsMap      *attrs,
           LsStmt     *body)
{
  LsPrimFunc *copy = ls_prim_func_new (ls_ref (self->params), ls_ref (body), ls_ref (self->ret_type), ls_ref (self->buffers), attrs);

  return ls_node_set_span (copy, self->node.span);
}

LsPrimFunc *
ls_prim_func_with_body (LsPrimFunc *self,
                        LsStmt     *body)
{
  return func_with (self, ls_ref (self->attrs), body);
}

LsPrimFunc *
ls_prim_func_with_attr (LsPrimFunc *self,
                        const char *key,
                        gpointer    value)
{
  return func_with (self, value != NULL ? ls_map_set (self->attrs, key, value) : ls_map_remove (self->attrs, key), self->body);
}

LsBuffer *
ls_prim_func_get_buffer (LsPrimFunc *self,
                         guint       param)
{
  return param < self->buffers->n ? ls_array_at (self->buffers, param, LsBuffer) : NULL;
}

LsBlockRealize *
ls_prim_func_root (LsPrimFunc *self)
{
  return ls_is (self->body, BLOCK_REALIZE) ? (LsBlockRealize *) self->body : NULL;
}
