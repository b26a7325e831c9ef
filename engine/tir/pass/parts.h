/* parts: small things that several passes need. */
#pragma once

#include "engine/arith/analyzer.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* Fields of T.tvm_struct_get and T.tvm_struct_set, TVM's numbers. */
enum {
  LS_FIELD_ADDRESS = 0, LS_FIELD_DATA = 1, LS_FIELD_SHAPE = 2, LS_FIELD_STRIDES = 3, LS_FIELD_NDIM = 4, LS_FIELD_TYPE_CODE = 5, LS_FIELD_TYPE_BITS = 6,
  LS_FIELD_TYPE_LANES = 7, LS_FIELD_BYTE_OFFSET = 8, LS_FIELD_DEVICE_ID = 9, LS_FIELD_DEVICE_TYPE = 10, LS_FIELD_CONTENT = 12
};

/* Does it do no harm to compute this where nobody asked for it?  It reads no memory and divides by no number that may be 0.  (rewrite-unsafe-select.c) */
gboolean   ls_is_safe            (LsExpr     *expr);
/* Adds the variables that name memory and sizes of the buffers that a statement accesses, and the subjects of its attributes: no expression of it need use
 * them. */
void       ls_note_buffer_vars   (LsStmt      *stmt,
                                  GHashTable  *vars);
/* The type of what counts elements over the axes from `first` to before `end`: that of the indices, or int64 where the extents and strides that are
 * numbers make more elements than it holds.  (flatten-buffer.c) */
LsDType    ls_buffer_flat_dtype  (LsBuffer   *buffer,
                                  guint       first,
                                  guint       end);
/* Is the node an attribute of this key? */
gboolean   ls_is_attr            (gpointer    node,
                                  const char *key);
/* How many asynchronous groups may be under way behind T.attr (.., "async_wait_queue_scope", ..): 0, which is always right, where it is no number before the
 * program runs; -1: the attribute says nothing, or a negative number. */
gint64     ls_async_inflight     (LsAttrStmt *wait);
/* The axis that a T.attr with the key thread_extent or virtual_thread binds, borrowed; NULL: it is none. */
LsIterVar *ls_thread_axis        (gpointer    node);
/* A variable with a pointer type of this element and scope.  Takes nothing. */
LsVar     *ls_pointer_var_new    (const char *name,
                                  LsDType     element,
                                  const char *scope);
/* The storage scope of a pointer ("global" where none was given), borrowed. */
const char *ls_pointer_scope     (LsVar      *pointer);
/* The buffer with another data variable, type or shape (all borrowed; NULL and void keep what it has); strides go
 * where the shape changes. */
LsBuffer  *ls_buffer_with        (LsBuffer   *self,
                                  LsVar      *data,
                                  LsDType     dtype,
                                  LsArray    *shape);
/* What has to be allocated for a buffer: with strides, each dimension but the first as long as a step of the one before it.  Where the
 * innermost stride is not 1 the last dimension holds the gaps too (TVM allocates too little there), and where steps say too little
 * it is one dimension; see lower-opaque-block.c. (transfer full) */
LsArray   *ls_buffer_allocated_shape (LsBuffer *buffer);
/* The product of all extents of an allocation as a number; FALSE where one is not constant. */
gboolean   ls_allocate_constant_size (LsArray *extents,
                                      gint64  *size);
/* The kind of a target (a dictionary of attributes), "" where it has none. */
const char *ls_target_kind       (gpointer    target);
/* A text of a target's attributes, or NULL. */
const char *ls_target_text       (gpointer    target,
                                  const char *key);
/* DLPack's number of the device of a target: 1 processor, 2 CUDA, ... */
gint64     ls_target_device_type (gpointer    target);
/* A body inside of statements with an empty body, the first one outermost; of a sequence the last part is replaced.  Takes the
 * body, borrows the array of LsStmt. */
LsStmt    *ls_stmt_nest          (GPtrArray  *nest,
                                  LsStmt     *body);
/* A block around a statement with the regions that are seen outside of it.  Takes the statement and the buffers (NULL: none). */
LsBlock   *ls_block_around       (LsStmt     *body,
                                  LsArray    *buffers);
/* T.ret (value) as a statement.  Takes the value. */
LsStmt    *ls_return_stmt        (LsExpr     *value);
/* The null pointer: T.reinterpret ("handle", T.uint64 (0)). */
LsExpr    *ls_null_handle        (void);
/* The type that a value of this type has in a packed call: int64, float64 or handle. */
LsDType    ls_packed_type        (LsDType     type);
/* T.tvm_struct_get (handle, index, field, type).  Takes the handle. */
LsExpr    *ls_struct_get         (LsDType     type,
                                  LsExpr     *handle,
                                  gint64      index,
                                  gint64      field);
/* How many expressions `root` has, itself counted. */
guint      ls_count_exprs        (gpointer    root);
/* The statement without what does nothing under what the analyser knows; see remove-no-op.c. (transfer full) */
LsStmt    *ls_stmt_remove_no_op  (LsStmt     *stmt,
                                  LsAnalyzer *analyzer);
/* The statement with every variable defined once; see convert-ssa.c. */
LsStmt    *ls_stmt_convert_ssa   (LsStmt     *stmt);

G_END_DECLS
