/* arg-binder: parameters of a function taken out of what a packed call passes.
 *
 * A buffer's shape, strides, offset, device and data are read from its DLTensor: what is a variable without a value is bound, the rest
 * is asserted.  The number of dimensions is asserted before any of them is read, a data pointer may be null only where the buffer has no
 * elements.  Source of the concept: TVM's ArgBinder. */
#include "engine/arith/pool.h"
#include "engine/tir/pass/arg-binder.h"
#include "engine/tir/pass/pass.h"

LsArgBinder *
ls_arg_binder_new (void)
{
  LsArgBinder *self = g_new0 (LsArgBinder, 1);

  self->defined = g_hash_table_new (NULL, NULL);
  self->init = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->asserts = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->analyzer = ls_analyzer_new ();
  return self;
}

void
ls_arg_binder_free (LsArgBinder *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->defined);
  g_ptr_array_unref (self->init);
  g_ptr_array_unref (self->asserts);
  ls_analyzer_free (self->analyzer);
  g_clear_error (&self->error);
  g_free (self);
}

/* An assertion with an empty body. Takes the condition and the message. */
static LsStmt *
claim (LsExpr *condition,
       char   *message)
{
  g_autofree char *text = message;

  return ls_assert_stmt_new (condition, ls_string_imm_new (text), ls_evaluate_zero ());
}

static void
claim_simplified (LsArgBinder *self,
                  LsExpr      *condition,
                  const char  *name)
{
  g_autoptr (LsExpr) taken = condition;
  g_autoptr (LsExpr) simple = ls_analyzer_simplify (self->analyzer, condition);
  g_autofree char *text = ls_expr_text (condition);

  if (ls_is_zero (simple) && self->error == NULL)
    g_set_error (&self->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("Argument %s never satisfies %s."), name, text);
  if (!ls_is_one (simple))
    g_ptr_array_add (self->asserts, claim (g_steal_pointer (&simple), g_strdup_printf ("Argument %s has an unsatisfied constraint: %s", name, text)));
}

gboolean
ls_arg_binder_bind (LsArgBinder *self,
                    LsExpr      *arg,
                    LsExpr      *value,
                    const char  *name)
{
  if (ls_is_var (arg) && g_hash_table_add (self->defined, arg))
    {
      g_ptr_array_add (self->init, ls_let_stmt_new ((LsVar *) ls_ref (arg), value, ls_evaluate_zero ()));
      return TRUE;
    }
  claim_simplified (self, ls_binary_new (LS_KIND_EQ, ls_ref (arg), value), name);
  return FALSE;
}

/* The state of one tensor. */
typedef struct {
  LsArgBinder *binder;
  LsBuffer    *buffer;
  LsVar       *handle;
  const char  *name;
} Tensor;

static LsExpr *
field (Tensor  *self,
       LsDType  type,
       gint64   which)
{
  return ls_struct_get (type, LS_EXPR (ls_ref (self->handle)), 0, which);
}

static gboolean
bind_part (Tensor     *self,
           LsExpr     *arg,
           LsExpr     *value,
           const char *part)
{
  g_autofree char *name = g_strconcat (self->name, ".", part, NULL);

  return ls_arg_binder_bind (self->binder, arg, value, name);
}

static LsExpr *
equals_field (Tensor *self,
              guint   bits,
              gint64  which,
              gint64  value)
{
  LsDType type = LS_DTYPE (LS_TYPE_UINT, bits);

  return ls_binary_new (LS_KIND_EQ, field (self, type, which), ls_int_imm_new (type, value));
}

static gboolean
is_packed_small (LsDType type)
{
  return (type.code == LS_TYPE_INT && (type.bits == 1 || type.bits == 4)) || (type.code == LS_TYPE_UINT && type.bits == 4);
}

static void
claim_kind (Tensor *self)
{
  LsDType type = self->buffer->dtype;
  g_autoptr (LsExpr) null = ls_call_op ("tir.isnullptr", LS_BOOL, ls_array_of (ls_ref (self->handle), NULL));
  LsExpr *same;

  g_ptr_array_add (self->binder->init, claim (ls_not_new (ls_ref (null)), g_strdup_printf ("%s is expected to have non-NULL DLTensor* pointer", self->name)));
  g_ptr_array_add (self->binder->init, claim (ls_binary_new (LS_KIND_EQ, ls_int (self->buffer->shape->n), field (self, LS_INT32, LS_FIELD_NDIM)),
                                              g_strdup_printf ("%s.ndim is expected to equal %u", self->name, self->buffer->shape->n)));
  if (is_packed_small (type))
    return;
  same = ls_binary_new (LS_KIND_AND, equals_field (self, 8, LS_FIELD_TYPE_CODE, type.code), equals_field (self, 8, LS_FIELD_TYPE_BITS, type.bits));
  same = ls_binary_new (LS_KIND_AND, same, equals_field (self, 16, LS_FIELD_TYPE_LANES, type.lanes));
  g_ptr_array_add (self->binder->asserts, claim (same, g_strdup_printf ("%s.dtype is expected to be %s", self->name, ls_dtype_name (type))));
}

/* The array of numbers behind a field, declared as a buffer. (transfer full) */
static LsBuffer *
numbers_of (Tensor     *self,
            const char *part,
            gint64      which,
            guint       n)
{
  g_autofree char *name = g_strconcat (self->name, ".", part, NULL);
  LsBuffer *numbers = ls_buffer_new (name, LS_INT64, ls_array_of (ls_int (n), NULL), NULL);

  g_ptr_array_add (self->binder->init, ls_let_stmt_new (ls_ref (numbers->data), field (self, LS_HANDLE, which), ls_evaluate_zero ()));
  g_ptr_array_add (self->binder->init, ls_decl_buffer_new (ls_ref (numbers), ls_evaluate_zero ()));
  return numbers;
}

static LsExpr *
number_at (LsBuffer *numbers,
           guint     i,
           LsDType   type)
{
  return ls_cast (type, ls_buffer_load_new (ls_ref (numbers), ls_array_of (ls_int (i), NULL), NULL));
}

static void
bind_shape (Tensor   *self,
            LsBuffer *shape)
{
  for (guint i = 0; i < self->buffer->shape->n && !is_packed_small (self->buffer->dtype); i++)
    {
      LsExpr *extent = ls_array_at (self->buffer->shape, i, LsExpr);
      g_autofree char *part = g_strdup_printf ("shape[%u]", i);

      bind_part (self, extent, number_at (shape, i, ls_dtype (extent)), part);
    }
}

/* Do all steps of a compact array surely fit the type of its indices? */
static gboolean
steps_fit (LsBuffer *buffer)
{
  gint64 step = 1, extent;

  if (ls_buffer_index_dtype (buffer).bits == 64)
    return TRUE;
  for (guint i = 1; i < buffer->shape->n; i++)
    if (!ls_as_int (buffer->shape->items[i], &extent) || extent < 0 || (extent > 0 && step > G_MAXINT32 / extent))
      return FALSE;
    else
      step *= extent;
  return TRUE;
}

/* No strides are given, or they are those of a compact array. */
static void
claim_compact (Tensor   *self,
               LsBuffer *strides,
               LsExpr   *null)
{
  LsDType type = steps_fit (self->buffer) ? ls_buffer_index_dtype (self->buffer) : LS_INT64;
  g_autoptr (LsExpr) step = ls_const_int (type, 1);
  LsExpr *all = NULL;
  LsStmt *check;

  for (guint i = self->buffer->shape->n; i-- > 0;)
    {
      LsExpr *one = ls_binary_new (LS_KIND_EQ, ls_ref (step), number_at (strides, i, type));

      all = all != NULL ? ls_binary_new (LS_KIND_AND, all, one) : one;
      ls_take (&step, ls_mul (ls_ref (step), ls_cast (type, ls_ref (ls_array_at (self->buffer->shape, i, LsExpr)))));
    }
  if (all == NULL)
    return;
  check = claim (all, g_strdup_printf ("%s.strides: expected to be compact array", self->name));
  check = ls_if_then_else_new (ls_not_new (ls_ref (null)), check, NULL);
  g_ptr_array_add (self->binder->asserts, ls_seq_stmt_new (ls_array_of (check, ls_evaluate_zero (), NULL)));
}

static void
bind_strides (Tensor   *self,
              LsBuffer *shape,
              LsBuffer *strides)
{
  LsBuffer *buffer = self->buffer;
  g_autoptr (LsExpr) null = ls_call_op ("tir.isnullptr", LS_BOOL, ls_array_of (ls_ref (strides->data), NULL));
  g_autoptr (LsExpr) compact = ls_const_int (ls_buffer_index_dtype (buffer), 1);
  gboolean broadcasts = buffer->buffer_type == LS_BUFFER_AUTO_BROADCAST;

  if (buffer->strides->n == 0)
    {
      claim_compact (self, strides, null);
      return;
    }
  for (guint i = buffer->strides->n; i-- > 0;)
    {
      LsExpr *extent = ls_array_at (buffer->shape, i, LsExpr);
      LsDType type = ls_dtype (extent);
      LsExpr *value = ls_if_then_else (ls_ref (null), ls_ref (compact), number_at (strides, i, type));
      g_autofree char *part = g_strdup_printf ("strides[%u]", i);

      if (broadcasts)
        value = ls_if_then_else (ls_eq (ls_ref (extent), ls_const_int (type, 1)), ls_const_int (type, 0), value);
      bind_part (self, ls_array_at (buffer->strides, i, LsExpr), value, part);
      ls_take (&compact, ls_mul (ls_ref (compact), broadcasts ? ls_ref (extent) : number_at (shape, i, type)));
      if (broadcasts)
        ls_take (&compact, ls_analyzer_simplify (self->binder->analyzer, compact));
    }
}

static void
bind_offset (Tensor *self)
{
  LsDType u64 = LS_DTYPE (LS_TYPE_UINT, 64);
  LsExpr *offset = self->buffer->elem_offset, *given = field (self, u64, LS_FIELD_BYTE_OFFSET);
  gint64 bytes = ls_dtype_bytes (self->buffer->dtype), value;

  if (ls_as_int (offset, &value))
    {
      g_autoptr (LsExpr) wanted = ls_int_imm_new (u64, value * bytes);

      bind_part (self, wanted, given, "byte_offset");
      return;
    }
  given = ls_cast (ls_dtype (offset), ls_truncdiv (given, ls_int_imm_new (u64, bytes)));
  if (bind_part (self, offset, given, "elem_offset") && self->buffer->offset_factor > 1)
    {
      g_autofree char *name = g_strconcat (self->name, ".elem_offset", NULL);
      LsExpr *rest = ls_truncmod (ls_ref (offset), ls_const_int (ls_dtype (offset), self->buffer->offset_factor));

      claim_simplified (self->binder, ls_eq (rest, ls_const_int (ls_dtype (offset), 0)), name);
    }
}

/* No elements: one of the extents is zero.  Their product is not asked, it may be too large for the type and come out as zero. (transfer full) */
static LsExpr *
is_empty (LsBuffer *buffer)
{
  LsExpr *empty = ls_bool (FALSE);

  for (guint i = 0; i < buffer->shape->n; i++)
    {
      LsExpr *extent = ls_array_at (buffer->shape, i, LsExpr);

      empty = ls_or (empty, ls_eq (ls_ref (extent), ls_const_int (ls_dtype (extent), 0)));
    }
  return empty;
}

static void
bind_data (Tensor *self)
{
  LsBuffer *buffer = self->buffer;
  LsExpr *null;

  if (!bind_part (self, LS_EXPR (buffer->data), field (self, LS_HANDLE, LS_FIELD_DATA), "data"))
    return;
  null = ls_call_op ("tir.isnullptr", LS_BOOL, ls_array_of (ls_ref (buffer->data), NULL));
  g_ptr_array_add (self->binder->asserts,
                   claim (ls_or (is_empty (buffer), ls_not_new (null)), g_strdup_printf ("%s is expected to have non-NULL data pointer", self->name)));
  g_ptr_array_add (self->binder->init, ls_attr_stmt_new (ls_ref (buffer->data), "storage_alignment", ls_int (buffer->data_alignment), ls_evaluate_zero ()));
}

void
ls_arg_binder_tensor (LsArgBinder *self,
                      LsBuffer    *buffer,
                      gint64       device_type,
                      LsVar       *device_id,
                      LsVar       *handle,
                      const char  *name)
{
  Tensor tensor = { self, buffer, handle, name };
  g_autoptr (LsBuffer) shape = NULL;
  g_autoptr (LsBuffer) strides = NULL;
  g_autoptr (LsExpr) device = ls_int (device_type);

  claim_kind (&tensor);
  shape = numbers_of (&tensor, "shape", LS_FIELD_SHAPE, buffer->shape->n);
  bind_shape (&tensor, shape);
  strides = numbers_of (&tensor, "strides", LS_FIELD_STRIDES, buffer->strides->n);
  bind_strides (&tensor, shape, strides);
  bind_offset (&tensor);
  bind_part (&tensor, device, field (&tensor, LS_INT32, LS_FIELD_DEVICE_TYPE), "device_type");
  bind_part (&tensor, LS_EXPR (device_id), field (&tensor, LS_INT32, LS_FIELD_DEVICE_ID), "device_id");
  bind_data (&tensor);
}
