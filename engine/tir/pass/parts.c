/* parts: small things that several passes need. */
#include "engine/tir/pass/parts.h"

#include <string.h>

gboolean
ls_is_attr (gpointer    node,
            const char *key)
{
  return ls_is (node, ATTR_STMT) && strcmp (((LsAttrStmt *) node)->attr_key, key) == 0;
}

gint64
ls_async_inflight (LsAttrStmt *wait)
{
  LsAttrStmt *inner = (LsAttrStmt *) wait->body;
  gint64 most = 0;

  if (!ls_is_attr (inner, "async_wait_inflight_count"))
    return -1;
  ls_as_int (inner->value, &most);
  return MAX (most, -1);
}

LsIterVar *
ls_thread_axis (gpointer node)
{
  LsAttrStmt *attr = node;

  if (!ls_is_attr (node, "thread_extent") && !ls_is_attr (node, "virtual_thread"))
    return NULL;
  return ls_is (attr->subject, ITER_VAR) ? (LsIterVar *) attr->subject : NULL;
}

LsVar *
ls_pointer_var_new (const char *name,
                    LsDType     element,
                    const char *scope)
{
  return ls_var_new_typed (name, ls_pointer_type_new (ls_prim_type_new (element), scope));
}

const char *
ls_pointer_scope (LsVar *pointer)
{
  LsPointerType *type = (LsPointerType *) pointer->type_annotation;

  return ls_is (type, POINTER_TYPE) && type->storage_scope[0] != '\0' ? type->storage_scope : "global";
}

LsBuffer *
ls_buffer_with (LsBuffer *self,
                LsVar    *data,
                LsDType   dtype,
                LsArray  *shape)
{
  return ls_buffer_new_full (ls_ref (data != NULL ? data : self->data), ls_dtype_is_void (dtype) ? self->dtype : dtype,
                             ls_ref (shape != NULL ? shape : self->shape), shape != NULL ? NULL : ls_ref (self->strides), ls_ref (self->elem_offset),
                             self->name, self->data_alignment, self->offset_factor, self->buffer_type, ls_ref (self->axis_separators));
}

gboolean
ls_allocate_constant_size (LsArray *extents,
                           gint64  *size)
{
  *size = 1;
  for (guint i = 0; i < extents->n; i++)
    {
      gint64 extent;

      if (!ls_as_int (extents->items[i], &extent) || __builtin_mul_overflow (*size, extent, size))
        return FALSE;
    }
  return TRUE;
}

const char *
ls_target_text (gpointer    target,
                const char *key)
{
  LsNode *value = ls_is (target, MAP) ? ls_map_get ((LsMap *) target, key) : NULL;

  return ls_is (value, STRING) ? ((LsString *) value)->value : NULL;
}

const char *
ls_target_kind (gpointer target)
{
  const char *kind = ls_target_text (target, "kind");

  return kind != NULL ? kind : "";
}

gint64
ls_target_device_type (gpointer target)
{
  static const struct { const char *kind; gint64 device; } DEVICES[] = {
    { "llvm", 1 }, { "c", 1 }, { "stackvm", 1 }, { "cuda", 2 }, { "nvptx", 2 }, { "opencl", 4 }, { "vulkan", 7 }, { "metal", 8 },
    { "rocm", 10 }, { "ext_dev", 12 }, { "hexagon", 16 }, { "webgpu", 15 },
  };
  const char *kind = ls_target_kind (target);
  LsNode *given = ls_is (target, MAP) ? ls_map_get ((LsMap *) target, "target_device_type") : NULL;
  gint64 value;

  if (given != NULL && ls_as_int (given, &value))
    return value;
  for (guint i = 0; i < G_N_ELEMENTS (DEVICES); i++)
    if (strcmp (DEVICES[i].kind, kind) == 0)
      return DEVICES[i].device;
  return 1;
}

static LsWalk
count_expr (LsNode   *node,
            gpointer  user_data)
{
  *(guint *) user_data += ls_is_expr (node);
  return LS_WALK_CONTINUE;
}

guint
ls_count_exprs (gpointer root)
{
  guint n = 0;

  ls_walk (root, count_expr, NULL, &n);
  return n;
}

static LsStmt *
put_inside (LsStmt *outer,
            LsStmt *body)
{
  LsSeqStmt *seq = (LsSeqStmt *) outer;
  guint i = ls_node_get_n_children (outer);

  if (ls_is (outer, SEQ_STMT))
    {
      g_autoptr (LsArray) parts = ls_array_with (seq->seq, seq->seq->n - 1, body);

      return ls_seq (g_steal_pointer (&parts));
    }
  while (i-- > 0)
    if (ls_is_stmt (ls_node_get_child (outer, i)))
      return (LsStmt *) ls_node_with_child (outer, i, body);
  return ls_ref (outer);
}

LsStmt *
ls_stmt_nest (GPtrArray *nest,
              LsStmt    *body)
{
  for (guint i = nest->len; i-- > 0;)
    ls_take (&body, put_inside (nest->pdata[i], body));
  return body;
}

LsStmt *
ls_return_stmt (LsExpr *value)
{
  LsDType type = ls_dtype (value);

  return ls_evaluate_new (ls_call_op ("tir.ret", type, ls_array_of (value, NULL)));
}

LsExpr *
ls_null_handle (void)
{
  return ls_call_op ("tir.reinterpret", LS_HANDLE, ls_array_of (ls_int_imm_new (LS_DTYPE (LS_TYPE_UINT, 64), 0), NULL));
}

LsDType
ls_packed_type (LsDType type)
{
  if (ls_dtype_is_handle (type))
    return LS_HANDLE;
  return ls_dtype_is_float (type) ? LS_FLOAT64 : LS_INT64;
}

LsExpr *
ls_struct_get (LsDType  type,
               LsExpr  *handle,
               gint64   index,
               gint64   field)
{
  return ls_call_op ("tir.tvm_struct_get", type, ls_array_of (handle, ls_int (index), ls_int (field), NULL));
}

static LsArray *
joined (LsArray *a,
        LsArray *b)
{
  LsArray *result = ls_ref (a);

  for (guint i = 0; i < ls_array_n (b); i++)
    ls_take (&result, ls_array_append (result, b->items[i]));
  return result;
}

LsBlock *
ls_block_around (LsStmt  *body,
                 LsArray *buffers)
{
  g_autoptr (LsBlock) block = ls_block_new (NULL, NULL, NULL, "", body, NULL, buffers, NULL, NULL);
  g_autoptr (LsArray) reads = NULL;
  g_autoptr (LsArray) writes = NULL;
  g_autoptr (LsArray) opaque = NULL;
  g_autoptr (LsArray) all_reads = NULL;
  g_autoptr (LsArray) all_writes = NULL;

  ls_block_access_region (block, &reads, &writes, &opaque);
  all_reads = joined (reads, opaque);
  all_writes = joined (writes, opaque);
  return ls_block_with_reads_writes (block, all_reads, all_writes);
}

/* ---- variables of buffers -------------------------------------------------------------------- */

static LsWalk
note_var (LsNode   *node,
          gpointer  user_data)
{
  if (ls_is_var (node))
    g_hash_table_add (user_data, node);
  return LS_WALK_CONTINUE;
}

static void
note_all (LsArray    *exprs,
          GHashTable *vars)
{
  for (guint i = 0; i < ls_array_n (exprs); i++)
    ls_walk (exprs->items[i], note_var, NULL, vars);
}

static LsWalk
note_buffer (LsNode   *node,
             gpointer  user_data)
{
  LsBuffer *buffer = NULL;

  if (ls_is (node, BUFFER_LOAD))
    buffer = ((LsBufferLoad *) node)->buffer;
  else if (ls_is (node, BUFFER_STORE))
    buffer = ((LsBufferStore *) node)->buffer;
  else if (ls_is (node, ATTR_STMT) && ls_is_var (((LsAttrStmt *) node)->subject))
    g_hash_table_add (user_data, ((LsAttrStmt *) node)->subject);
  if (buffer == NULL)
    return LS_WALK_CONTINUE;
  g_hash_table_add (user_data, buffer->data);
  note_all (buffer->shape, user_data);
  note_all (buffer->strides, user_data);
  if (buffer->elem_offset != NULL)
    ls_walk (buffer->elem_offset, note_var, NULL, user_data);
  return LS_WALK_CONTINUE;
}

void
ls_note_buffer_vars (LsStmt     *stmt,
                     GHashTable *vars)
{
  ls_walk (stmt, note_buffer, NULL, vars);
}
