/* serial-rewrite: statements of a kernel as one thread executes them: its number for the axes, its part of the memory that all have side by side, atomic
 * functions and asynchronous copies as plain statements.  Such statements are gathered until threads meet; then they stand in a loop over threads. */
#include "engine/simt/serial-private.h"
#include "engine/tir/pass/parts.h"

#include <inttypes.h>
#include <string.h>

static const char *const ATOMICS[] = { "atomicAdd", "atomicSub", "atomicMax", "atomicMin", "atomicExch" };

void
serial_fail (Serial     *self,
             const char *format,
             ...)
{
  va_list args;

  if (self->error != NULL)
    return;
  va_start (args, format);
  self->error = g_error_new_valist (LS_INTERP_ERROR, LS_INTERP_ERROR_UNSUPPORTED, ls_translate (format), args);
  va_end (args);
}

const char *
serial_scope (LsVar *data)
{
  return ls_is (data->type_annotation, POINTER_TYPE) ? ls_pointer_scope (data) : "global";
}

gboolean
serial_is_shuffle (gpointer node)
{
  return ls_is_call (node, "tir.tvm_warp_shuffle") || ls_is_call (node, "tir.tvm_warp_shuffle_up") || ls_is_call (node, "tir.tvm_warp_shuffle_down");
}

/* ---- whose values are read ----------------------------------------------------------------------- */

void
serial_at (Serial       *self,
           LsExpr       *number,
           SerialThread *kept)
{
  *kept = self->at;
  self->at.number = number;
  self->at.thread[0] = ls_floormod (ls_ref (number), ls_int (self->sizes[0]));
  self->at.thread[1] = ls_floormod (ls_floordiv (ls_ref (number), ls_int (self->sizes[0])), ls_int (self->sizes[1]));
  self->at.thread[2] = ls_floordiv (ls_ref (number), ls_int (self->sizes[0] * self->sizes[1]));
}

void
serial_at_own (Serial       *self,
               SerialThread *kept)
{
  for (guint i = 0; i < 3; i++)
    ls_unref (self->at.thread[i]);
  ls_unref (self->at.number);
  self->at = *kept;
}

/* ---- rewriting for a thread ------------------------------------------------------------------------ */

LsExpr *
serial_value (LsBuffer *array,
              LsExpr   *index)
{
  return ls_buffer_load_new (ls_ref (array), ls_array_of (index, NULL), NULL);
}

static LsNode *
rewrite_var (Serial *self,
             LsVar  *var)
{
  guint axis = GPOINTER_TO_UINT (g_hash_table_lookup (self->axes, var));
  LsBuffer *held = g_hash_table_lookup (self->held, var);

  if (held != NULL)
    return LS_NODE (serial_value (held, ls_ref (self->at.number)));
  if (axis == 0)
    return ls_node_ref (LS_NODE (var));
  return LS_NODE (ls_cast (ls_dtype (var), ls_ref (axis > 3 ? self->at.thread[axis - 4] : LS_EXPR (self->loops[axis - 1]))));
}

/* The buffer over the memory of all, and where there the memory of this thread (or its warp) begins. */
static LsBuffer *
buffer_of_all (Serial   *self,
               LsBuffer *buffer,
               LsExpr  **first)
{
  SerialMemory *memory = g_hash_table_lookup (self->memories, buffer->data);
  gint64 size = ls_dtype_bytes (buffer->dtype);

  *first = NULL;
  if (memory == NULL)
    return ls_ref (buffer);
  if (memory->bytes % size != 0)
    serial_fail (self, "%s is accessed by elements of %" PRId64 " bytes, of which no whole number is in it.", buffer->name, size);
  if (memory->bytes > 0)
    *first = ls_mul (memory->by_warp ? ls_floordiv (ls_ref (self->at.number), ls_int (SERIAL_WARP)) : ls_ref (self->at.number), ls_int (memory->bytes / size));
  return ls_buffer_new_full (ls_ref (memory->data), buffer->dtype, ls_array_of (ls_int (G_MAXINT32), NULL), NULL, NULL, buffer->name, 0, 0, LS_BUFFER_DEFAULT, NULL);
}

static LsArray *
moved (Serial  *self,
       LsArray *indices,
       LsExpr  *first,
       const char *name)
{
  LsExpr *index = indices->n > 0 ? ls_array_at (indices, 0, LsExpr) : NULL;

  if (first == NULL)
    return ls_ref (indices);
  if (indices->n != 1)
    {
      serial_fail (self, "%s has %u dimensions: the program is lowered before its threads become loops.", name, indices->n);
      ls_unref (first);
      return ls_ref (indices);
    }
  return ls_array_of (ls_add (ls_ref (index), ls_broadcast_like (ls_dtype (index), ls_cast (ls_dtype_element (ls_dtype (index)), first))), NULL);
}

static LsNode *
rewrite_load (LsRewriter   *rewriter,
              Serial       *self,
              LsBufferLoad *load)
{
  g_autoptr (LsArray) indices = (LsArray *) ls_rewrite (rewriter, load->indices);
  LsExpr *first;
  LsBuffer *all;

  if (g_str_has_prefix (serial_scope (load->buffer->data), "wmma."))
    serial_fail (self, "%s is a fragment of tensor cores: which thread has which of its elements is not said, so it is read by intrinsics only.", load->buffer->name);
  all = buffer_of_all (self, load->buffer, &first);
  return LS_NODE (ls_buffer_load_new (all, moved (self, indices, first, load->buffer->name), (LsExpr *) ls_rewrite (rewriter, load->predicate)));
}

static LsNode *
rewrite_store (LsRewriter    *rewriter,
               Serial        *self,
               LsBufferStore *store)
{
  g_autoptr (LsArray) indices = (LsArray *) ls_rewrite (rewriter, store->indices);
  LsExpr *value = (LsExpr *) ls_rewrite (rewriter, store->value), *first;
  LsBuffer *all = buffer_of_all (self, store->buffer, &first);

  if (g_str_has_prefix (serial_scope (store->buffer->data), "wmma."))
    serial_fail (self, "%s is a fragment of tensor cores: which thread has which of its elements is not said, so it is written by intrinsics only.", store->buffer->name);
  return LS_NODE (ls_buffer_store_new (all, value, moved (self, indices, first, store->buffer->name), (LsExpr *) ls_rewrite (rewriter, store->predicate)));
}

/* ---- atomic functions: threads come one after the other ------------------------------------------------ */

static int
atomic_of (gpointer node,
           guint   *first)
{
  LsCall *call = node;
  const char *name = NULL;

  if (!ls_is (node, CALL))
    return -1;
  *first = 1;
  if (ls_is_call (node, "tir.atomic_add"))
    {
      *first = 0;
      name = "atomicAdd";
    }
  else if ((ls_is_call (node, "tir.call_extern") || ls_is_call (node, "tir.call_pure_extern")) && call->args->n > 0 && ls_is (call->args->items[0], STRING_IMM))
    name = ((LsStringImm *) call->args->items[0])->value;
  for (guint i = 0; name != NULL && call->args->n == *first + 2 && i < G_N_ELEMENTS (ATOMICS); i++)
    if (strcmp (ATOMICS[i], name) == 0)
      return (int) i;
  return -1;
}

static LsWalk
find_atomic (LsNode   *node,
             gpointer  data)
{
  guint first;

  if (atomic_of (node, &first) < 0)
    return LS_WALK_CONTINUE;
  *(LsNode **) data = node;
  return LS_WALK_STOP;
}

static LsNode *
put_in_place (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    data)
{
  gpointer *pair = data;

  return node == pair[0] ? ls_node_ref (pair[1]) : ls_rewrite_default (rewriter, node);
}

LsStmt *
serial_instead (LsStmt  *stmt,
                gpointer found,
                gpointer other)
{
  return (LsStmt *) ls_rewrite_with (stmt, put_in_place, (gpointer[]) { found, other });
}

/* The statement with its atomic function before it; NULL: it has none.  Not rewritten yet. */
static LsStmt *
before_atomic (Serial *self,
               LsStmt *stmt)
{
  LsNode *found = NULL;
  g_autoptr (LsExpr) place = NULL;
  LsStmt *rest, *write;
  LsBufferLoad *load;
  LsExpr *value, *sum;
  LsVar *old;
  guint first = 0;
  int which;

  ls_walk (ls_is (stmt, BUFFER_STORE) ? LS_NODE (((LsBufferStore *) stmt)->value) : ls_is (stmt, EVALUATE) ? LS_NODE (((LsEvaluate *) stmt)->value)
           : LS_NODE (((LsLetStmt *) stmt)->value), find_atomic, NULL, &found);
  if (found == NULL)
    return NULL;
  which = atomic_of (found, &first);
  place = serial_element (self, ls_array_at (((LsCall *) found)->args, first, LsExpr), ls_int (0));
  value = ls_array_at (((LsCall *) found)->args, first + 1, LsExpr);
  if (place == NULL)
    {
      serial_fail (self, "%s takes the address of an element.", ATOMICS[which]);
      return NULL;
    }
  load = (LsBufferLoad *) place;
  old = ls_var_new ("old", ls_dtype (place));
  sum = which == 4 ? ls_ref (value) : ls_binary (which == 0 ? LS_KIND_ADD : which == 1 ? LS_KIND_SUB : which == 2 ? LS_KIND_MAX : LS_KIND_MIN, LS_EXPR (ls_ref (old)), ls_ref (value));
  write = ls_buffer_store_new (ls_ref (load->buffer), sum, ls_ref (load->indices), NULL);
  if (ls_is (stmt, EVALUATE) && LS_NODE (((LsEvaluate *) stmt)->value) == found)
    return ls_let_stmt_new (old, ls_ref (place), write);
  rest = serial_instead (stmt, found, old);
  return ls_let_stmt_new (old, ls_ref (place), ls_seq (ls_array_of (write, rest, NULL)));
}

/* ---- asynchronous copies: done at once -------------------------------------------------------------- */

/* T.ptx_cp_async (to, offset, from, offset, bytes[, predicate]): where the predicate is false zeros come. */
static LsStmt *
copy_at_once (Serial *self,
              LsCall *call)
{
  g_autoptr (LsVar) i = ls_var_new ("i", LS_INT32);
  g_autoptr (LsExpr) to = NULL, from = NULL;
  LsExpr *value;
  gint64 bytes = 0, size;

  if (call->args->n >= 5 && ls_as_int (call->args->items[4], &bytes))
    {
      to = serial_element (self, ls_array_at (call->args, 0, LsExpr), ls_add (ls_ref (ls_array_at (call->args, 1, LsExpr)), LS_EXPR (ls_ref (i))));
      from = serial_element (self, ls_array_at (call->args, 2, LsExpr), ls_add (ls_ref (ls_array_at (call->args, 3, LsExpr)), LS_EXPR (ls_ref (i))));
    }
  if (to == NULL || from == NULL)
    {
      serial_fail (self, "T.ptx_cp_async takes shared memory and its offset, global memory and its offset, and a number of bytes.");
      return ls_evaluate_zero ();
    }
  size = ls_dtype_bytes (ls_dtype (to));
  value = call->args->n > 5 ? ls_if_then_else (ls_ref (ls_array_at (call->args, 5, LsExpr)), ls_ref (from), ls_cast (ls_dtype (to), ls_int (0))) : ls_ref (from);
  return (LsStmt *) ls_for_new (ls_ref (i), ls_int (0), ls_int (bytes / size), LS_FOR_SERIAL, serial_store (to, value), NULL, NULL);
}

/* ---- */

static LsNode *
rewrite_call (LsRewriter *rewriter,
              Serial     *self,
              LsCall     *call)
{
  LsNode *result;
  SerialMemory *memory;
  guint first;

  if (ls_is_call (call, "tir.tvm_warp_activemask"))
    return LS_NODE (ls_const_int (ls_dtype (call), G_MAXUINT32));
  if (serial_is_shuffle (call))
    serial_fail (self, "A shuffle stands where not every thread comes by: on one side of a condition within an expression.");
  if (atomic_of (call, &first) >= 0)
    serial_fail (self, "An atomic function stands in a condition or an index; here it is a statement or the value of one.");
  result = ls_rewrite_default (rewriter, LS_NODE (call));
  if (!ls_is_call (call, "tir.tvm_access_ptr") || call->args->n != 5 || !ls_is_var (call->args->items[1]))
    return result;
  memory = g_hash_table_lookup (self->memories, call->args->items[1]);
  if (memory != NULL)
    {
      LsArray *args = ((LsCall *) result)->args;
      gint64 size = ls_dtype_bytes (ls_dtype (call->args->items[0]));
      LsExpr *offset = ls_ref (ls_array_at (args, 2, LsExpr));

      if (memory->bytes > 0)
        offset = ls_add (offset, ls_mul (ls_ref (self->at.number), ls_int (memory->bytes / size)));
      ls_take (&result, LS_NODE (ls_call_new (ls_dtype (call), ls_node_ref (call->op),
                                              ls_array_of (ls_node_ref (args->items[0]), ls_ref (memory->data), offset, ls_node_ref (args->items[3]), ls_node_ref (args->items[4]), NULL))));
    }
  return result;
}

/* Attributes of devices and of their compilers. */
static gboolean
is_of_device (LsAttrStmt *attr)
{
  static const char *const KEYS[] = { "thread_extent", "reduce_scope", "volatile_scope", "fragment_shape", "fragment_layout", "async_commit_queue_scope",
                                      "async_wait_queue_scope", "async_wait_inflight_count", "async_scope", "device_scope", "double_buffer_write" };

  for (guint i = 0; i < G_N_ELEMENTS (KEYS); i++)
    if (strcmp (KEYS[i], attr->attr_key) == 0)
      return TRUE;
  return FALSE;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    data)
{
  Serial *self = data;
  g_autoptr (LsNode) other = NULL;

  if (ls_is_var (node))
    return rewrite_var (self, (LsVar *) node);
  if (ls_is (node, EVALUATE) && ls_is_call (((LsEvaluate *) node)->value, "tir.ptx_cp_async"))
    other = copy_at_once (self, (LsCall *) ((LsEvaluate *) node)->value);
  else if (ls_is (node, EVALUATE) && (ls_is_call (((LsEvaluate *) node)->value, "tir.ptx_commit_group") || ls_is_call (((LsEvaluate *) node)->value, "tir.ptx_wait_group")))
    return LS_NODE (ls_evaluate_zero ());
  else if (ls_is (node, BUFFER_STORE) || ls_is (node, EVALUATE) || ls_is (node, LET_STMT))
    other = before_atomic (self, (LsStmt *) node);
  if (other != NULL)
    return ls_rewrite (rewriter, other);
  if (ls_is (node, BUFFER_LOAD))
    return rewrite_load (rewriter, self, (LsBufferLoad *) node);
  if (ls_is (node, BUFFER_STORE))
    return rewrite_store (rewriter, self, (LsBufferStore *) node);
  if (ls_is (node, CALL))
    return rewrite_call (rewriter, self, (LsCall *) node);
  if (ls_is (node, DECL_BUFFER))
    return ls_rewrite (rewriter, ((LsDeclBuffer *) node)->body);
  if (ls_is (node, ATTR_STMT) && is_of_device ((LsAttrStmt *) node))
    return ls_rewrite (rewriter, ((LsAttrStmt *) node)->body);
  return ls_rewrite_default (rewriter, node);
}

LsNode *
serial_rewrite (Serial   *self,
                gpointer  node)
{
  return ls_rewrite_with (node, filter, self);
}

LsExpr *
serial_element (Serial *self,
                LsExpr *pointer,
                LsExpr *more)
{
  g_autoptr (LsExpr) index = more;
  LsCall *call = (LsCall *) pointer;
  LsVar *var = NULL;
  LsDType dtype;
  LsBuffer *buffer;

  if (ls_is_call (pointer, "tir.address_of") && ls_is (call->args->items[0], BUFFER_LOAD))
    {
      LsBufferLoad *load = ls_array_at (call->args, 0, LsBufferLoad);

      if (load->indices->n != 1)
        return NULL;
      return ls_buffer_load_new (ls_ref (load->buffer), ls_array_of (ls_add (ls_ref (ls_array_at (load->indices, 0, LsExpr)), g_steal_pointer (&index)), NULL), NULL);
    }
  if (ls_is_call (pointer, "tir.tvm_access_ptr") && call->args->n == 5 && ls_is_var (call->args->items[1]))
    {
      var = ls_array_at (call->args, 1, LsVar);
      dtype = ls_dtype_element (ls_dtype (call->args->items[0]));
      ls_take (&index, ls_add (ls_ref (ls_array_at (call->args, 2, LsExpr)), ls_ref (index)));
    }
  else if (ls_is_var (pointer) && ls_is (((LsVar *) pointer)->type_annotation, POINTER_TYPE)
           && ls_is (((LsPointerType *) ((LsVar *) pointer)->type_annotation)->element_type, PRIM_TYPE))
    {
      var = (LsVar *) pointer;
      dtype = ls_dtype_element (((LsPrimType *) ((LsPointerType *) var->type_annotation)->element_type)->dtype);
    }
  if (var == NULL)
    return NULL;
  buffer = ls_buffer_new_full (ls_ref (var), dtype, ls_array_of (ls_int (G_MAXINT32), NULL), NULL, NULL, var->name, 0, 0, LS_BUFFER_DEFAULT, NULL);
  return ls_buffer_load_new (buffer, ls_array_of (g_steal_pointer (&index), NULL), NULL);
}

LsStmt *
serial_store (LsExpr *element,
              LsExpr *value)
{
  LsBufferLoad *load = (LsBufferLoad *) element;

  return ls_buffer_store_new (ls_ref (load->buffer), ls_cast (ls_dtype (element), value), ls_ref (load->indices), NULL);
}

/* ---- loops over threads -------------------------------------------------------------------------------- */

void
serial_push (Serial *self,
             LsStmt *stmt)
{
  g_ptr_array_add (self->pending, serial_rewrite (self, stmt));
  ls_unref (stmt);
}

void
serial_emit (Serial *self,
             LsStmt *stmt)
{
  g_ptr_array_add (self->out, stmt);
}

LsExpr *
serial_takes_part (Serial *self)
{
  return ls_ne (serial_value (self->mask, ls_ref (self->own.number)), ls_const_int (self->mask->dtype, 0));
}

void
serial_flush (Serial *self)
{
  LsStmt *body;

  if (self->pending->len == 0)
    return;
  body = ls_seq (ls_array_take_ptr_array (self->pending));
  self->pending = g_ptr_array_new ();
  if (self->mask != NULL)
    body = ls_if_then_else_new (serial_takes_part (self), body, NULL);
  for (guint i = 0; i < 3; i++)
    if (self->extents[3 + i] != NULL)
      body = (LsStmt *) ls_for_new (ls_ref (self->loops[3 + i]), ls_int (0), ls_int (self->sizes[i]), LS_FOR_SERIAL, body, NULL, NULL);
  serial_emit (self, body);
}

LsBuffer *
serial_array (Serial     *self,
              const char *name,
              LsDType     dtype,
              gint64      n)
{
  LsBuffer *buffer = ls_buffer_new (name, dtype, ls_array_of (ls_int (n), NULL), "global");

  g_ptr_array_add (self->buffers, buffer);
  return buffer;
}
