/* buffer: Buffer, regions, loads and reducers. */
#include "engine/tir/tir-private.h"

#include <string.h>

static const char *const BUFFER_TYPES[] = { "", "default", "auto", NULL };

LS_CLASS (ls_buffer_class, BUFFER, "Buffer", LsBuffer, LS_CLASS_IDENTITY,
          LS_FIELD (LsBuffer, data, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsBuffer, dtype, DTYPE, 0),
          LS_FIELD (LsBuffer, shape, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsBuffer, strides, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsBuffer, axis_separators, NODE, 0),
          LS_FIELD (LsBuffer, elem_offset, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsBuffer, name, STRING, LS_FIELD_HINT),
          LS_FIELD (LsBuffer, data_alignment, INT, 0),
          LS_FIELD (LsBuffer, offset_factor, INT, LS_FIELD_HINT),
          { "buffer_type", LS_FIELD_ENUM, G_STRUCT_OFFSET (LsBuffer, buffer_type), 0, BUFFER_TYPES });
LS_CLASS (ls_buffer_region_class, BUFFER_REGION, "BufferRegion", LsBufferRegion, LS_CLASS_PLAIN,
          LS_FIELD (LsBufferRegion, buffer, NODE, 0),
          LS_FIELD (LsBufferRegion, region, NODE, 0));
LS_CLASS (ls_match_buffer_region_class, MATCH_BUFFER_REGION, "MatchBufferRegion", LsMatchBufferRegion, LS_CLASS_PLAIN,
          LS_FIELD (LsMatchBufferRegion, buffer, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsMatchBufferRegion, source, NODE, 0));
LS_CLASS (ls_buffer_load_class, BUFFER_LOAD, "BufferLoad", LsBufferLoad, LS_CLASS_EXPR,
          LS_FIELD (LsBufferLoad, buffer, NODE, 0),
          LS_FIELD (LsBufferLoad, indices, NODE, 0),
          LS_FIELD (LsBufferLoad, predicate, NODE, 0));
LS_CLASS (ls_producer_load_class, PRODUCER_LOAD, "ProducerLoad", LsProducerLoad, LS_CLASS_EXPR,
          LS_FIELD (LsProducerLoad, producer, NODE, 0),
          LS_FIELD (LsProducerLoad, indices, NODE, 0));
LS_CLASS (ls_comm_reducer_class, COMM_REDUCER, "CommReducer", LsCommReducer, LS_CLASS_PLAIN,
          LS_FIELD (LsCommReducer, lhs, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsCommReducer, rhs, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsCommReducer, result, NODE, 0),
          LS_FIELD (LsCommReducer, identity_element, NODE, 0));
LS_CLASS (ls_reduce_class, REDUCE, "Reduce", LsReduce, LS_CLASS_EXPR,
          LS_FIELD (LsReduce, axis, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsReduce, combiner, NODE, 0),
          LS_FIELD (LsReduce, source, NODE, 0),
          LS_FIELD (LsReduce, init, NODE, 0),
          LS_FIELD (LsReduce, condition, NODE, 0),
          LS_FIELD (LsReduce, value_index, INT, 0));

static LsDType
index_dtype (LsArray *shape)
{
  return shape->n > 0 ? ls_dtype (shape->items[0]) : LS_INT32;
}

gint64
ls_buffer_strided_reach (LsBuffer *self,
                         guint     first,
                         guint     end)
{
  gint64 reach = 1, extent, stride, step;

  for (guint i = first; i < end; i++)
    if (!ls_as_int (self->shape->items[i], &extent) || !ls_as_int (self->strides->items[i], &stride) || extent < 1 || stride < 0 ||
        __builtin_mul_overflow (extent - 1, stride, &step) || __builtin_add_overflow (reach, step, &reach))
      return -1;
  return reach;
}

LsDType
ls_buffer_index_dtype (LsBuffer *self)
{
  return index_dtype (self->shape);
}

LsBuffer *
ls_buffer_new_full (LsVar      *data,
                    LsDType     dtype,
                    LsArray    *shape,
                    LsArray    *strides,
                    LsExpr     *elem_offset,
                    const char *name,
                    gint64      data_alignment,
                    gint64      offset_factor,
                    int         buffer_type,
                    LsArray    *axis_separators)
{
  LsBuffer *self = ls_node_alloc (&ls_buffer_class);

  self->data = data;
  self->dtype = dtype;
  self->shape = shape;
  self->strides = strides != NULL ? strides : ls_array_empty ();
  self->elem_offset = elem_offset != NULL ? elem_offset : ls_const_int (index_dtype (shape), 0);
  self->axis_separators = axis_separators != NULL ? axis_separators : ls_array_empty ();
  self->name = g_strdup (name);
  self->data_alignment = data_alignment > 0 ? data_alignment : 64;
  self->offset_factor = offset_factor != 0 ? offset_factor : 1;
  self->buffer_type = buffer_type;
  return ls_node_finish (self);
}

/* A bool is stored in a byte, so that pointers to bool buffers point to int8. */
static LsVar *
data_var (const char *name,
          LsDType     dtype,
          const char *scope)
{
  LsDType stored = ls_dtype_equal (dtype, LS_BOOL) ? LS_DTYPE (LS_TYPE_INT, 8) : dtype;

  return ls_var_new_typed (name, ls_pointer_type_new (ls_prim_type_new (stored), scope != NULL && *scope != '\0' ? scope : "global"));
}

LsBuffer *
ls_buffer_new (const char *name,
               LsDType     dtype,
               LsArray    *shape,
               const char *scope)
{
  return ls_buffer_new_full (data_var (name, dtype, scope), dtype, shape, NULL, NULL, name, 0, 0, LS_BUFFER_DEFAULT, NULL);
}

const char *
ls_buffer_scope (LsBuffer *self)
{
  LsType *type = self->data->type_annotation;

  if (ls_is (type, POINTER_TYPE) && *((LsPointerType *) type)->storage_scope != '\0')
    return ((LsPointerType *) type)->storage_scope;
  return "global";
}

LsBuffer *
ls_buffer_copy (LsBuffer   *self,
                const char *name,
                const char *scope,
                LsArray    *shape)
{
  return ls_buffer_new_full (data_var (name != NULL ? name : self->name, self->dtype, scope != NULL ? scope : ls_buffer_scope (self)),
                             self->dtype,
                             shape != NULL ? shape : ls_ref (self->shape),
                             ls_ref (self->strides),
                             ls_ref (self->elem_offset),
                             name != NULL ? name : self->name,
                             self->data_alignment,
                             self->offset_factor,
                             self->buffer_type,
                             ls_ref (self->axis_separators));
}

LsBufferRegion *
ls_buffer_region_new (LsBuffer *buffer,
                      LsArray  *region)
{
  LsBufferRegion *self = ls_node_alloc (&ls_buffer_region_class);

  self->buffer = buffer;
  self->region = region;
  return ls_node_finish (self);
}

LsBufferRegion *
ls_buffer_region_full (LsBuffer *buffer)
{
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < buffer->shape->n; i++)
    {
      LsExpr *extent = ls_array_at (buffer->shape, i, LsExpr);

      g_ptr_array_add (ranges, ls_range_new (ls_const_int (LS_INT32, 0), ls_ref (extent)));
    }
  return ls_buffer_region_new (ls_ref (buffer), ls_array_take_ptr_array (ranges));
}

LsBufferRegion *
ls_buffer_region_point (LsBuffer *buffer,
                        LsArray  *indices)
{
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < indices->n; i++)
    {
      LsExpr *index = ls_array_at (indices, i, LsExpr);

      g_ptr_array_add (ranges, ls_is (index, RAMP)
                               ? ls_range_new (ls_ref (((LsRamp *) index)->base),
                                               ls_binary (LS_KIND_MUL, ls_ref (((LsRamp *) index)->stride), ls_ref (((LsRamp *) index)->lanes)))
                               : ls_range_new (ls_ref (index), ls_const_int (ls_dtype (index), 1)));
    }
  ls_unref (indices);
  return ls_buffer_region_new (buffer, ls_array_take_ptr_array (ranges));
}

LsMatchBufferRegion *
ls_match_buffer_region_new (LsBuffer       *buffer,
                            LsBufferRegion *source)
{
  LsMatchBufferRegion *self = ls_node_alloc (&ls_match_buffer_region_class);

  self->buffer = buffer;
  self->source = source;
  return ls_node_finish (self);
}

LsExpr *
ls_buffer_load_new (LsBuffer *buffer,
                    LsArray  *indices,
                    LsExpr   *predicate)
{
  LsBufferLoad *self = ls_node_alloc (&ls_buffer_load_class);
  guint lanes = indices->n > 0 ? ls_dtype (indices->items[indices->n - 1]).lanes : 1;

  self->expr.dtype = ls_dtype_with_lanes (buffer->dtype, buffer->dtype.lanes * lanes);
  self->buffer = buffer;
  self->indices = indices;
  self->predicate = predicate;
  return ls_node_finish (self);
}

LsExpr *
ls_producer_load_new (gpointer producer,
                      LsDType  dtype,
                      LsArray *indices)
{
  LsProducerLoad *self = ls_node_alloc (&ls_producer_load_class);

  self->expr.dtype = dtype;
  self->producer = producer;
  self->indices = indices;
  return ls_node_finish (self);
}

LsCommReducer *
ls_comm_reducer_new (LsArray *lhs,
                     LsArray *rhs,
                     LsArray *result,
                     LsArray *identity_element)
{
  LsCommReducer *self = ls_node_alloc (&ls_comm_reducer_class);

  self->lhs = lhs;
  self->rhs = rhs;
  self->result = result;
  self->identity_element = identity_element;
  return ls_node_finish (self);
}

LsExpr *
ls_reduce_new (LsCommReducer *combiner,
               LsArray       *source,
               LsArray       *axis,
               LsExpr        *condition,
               gint64         value_index,
               LsArray       *init)
{
  LsReduce *self = ls_node_alloc (&ls_reduce_class);

  self->expr.dtype = ls_dtype (source->items[value_index]);
  self->combiner = combiner;
  self->source = source;
  self->axis = axis;
  self->condition = condition;
  self->value_index = value_index;
  self->init = init != NULL ? init : ls_array_empty ();
  return ls_node_finish (self);
}
