/* te: tensor expressions, the functional way of saying what a PrimFunc computes.
 *
 *   operation   placeholder, compute, extern: the stages, and the tensors that they give
 *   reduce      reduce axes, reducers (sum, max, argmax-like tuples), the values at the type's ends
 *   math        scalar functions of one or two arguments as TVM's tir spells them
 *   graph       the order of stages
 *   prim-func   create_prim_func: a graph of stages as one TensorIR function
 *   index-dtype the same function with all indices in one integer type
 *
 * Names are those of TVM v0.20's tvm.te.  A tensor is output `value_index` of an operation; two tensors are the
 * same when operation and index are (ls_te_tensor_same).  An expression refers to an element by a ProducerLoad
 * whose producer is the tensor.
 *
 * Constructors of expressions (nouns) take, everything that is given tensors borrows them and returns new references
 * (ir.h).  What a user can get wrong gives NULL and LS_TE_ERROR.  Functions that are given a NULL tensor return NULL
 * and leave the error alone, so that calls can be chained and tested once.
 */
#pragma once

#include "engine/arith/analyzer.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

#define LS_TE_ERROR (ls_te_error_quark ())
GQuark ls_te_error_quark (void);

typedef enum {
  LS_TE_ERROR_SHAPE,            /* shapes or numbers of indices that do not go together */
  LS_TE_ERROR_DTYPE,            /* types that do not go together */
  LS_TE_ERROR_ARGUMENT,         /* an axis, mode, layout, ... that does not exist */
  LS_TE_ERROR_REDUCTION,        /* a reduction where none may stand */
  LS_TE_ERROR_PARAMETER         /* create_prim_func: what is read is no parameter */
} LsTeError;

/* ---- operation.c -------------------------------------------------------- */

typedef enum { LS_TE_PLACEHOLDER, LS_TE_COMPUTE, LS_TE_EXTERN } LsTeStage;

/* An identity node.  What a stage does not have is an empty array. */
typedef struct {
  LsNode   node;
  int      stage;               /* LsTeStage */
  char    *name;
  char    *tag;                 /* "broadcast", "elemwise", ..., or "" */
  LsMap   *attrs;               /* never NULL */
  LsArray *shape;               /* placeholder: of Expr */
  LsDType  dtype;               /* placeholder */
  LsArray *axis;                /* compute: of IterVar */
  LsArray *reduce_axis;         /* compute: of IterVar */
  LsArray *body;                /* compute: one Expr per output; all Reduce of one combiner, or none */
  LsArray *inputs;              /* extern: of TeTensor */
  LsArray *input_buffers;       /* extern: of Buffer, what `statement` calls the inputs */
  LsArray *output_buffers;      /* extern: of Buffer, one per output */
  LsStmt  *statement;           /* extern */
} LsTeOperation;

/* An identity node. */
typedef struct {
  LsNode         node;
  LsTeOperation *op;
  gint64         value_index;
  LsArray       *shape;         /* of Expr */
  LsDType        dtype;
} LsTeTensor;

LS_DEFINE_CLEANUP (LsTeOperation)
LS_DEFINE_CLEANUP (LsTeTensor)

#define LS_TE_TENSOR(n) ((LsTeTensor *) (n))
#define ls_te_ndim(t) (ls_array_n ((t)->shape))

guint       ls_te_operation_n_outputs (LsTeOperation *self);
/* Output i as a tensor. (transfer full) */
LsTeTensor *ls_te_operation_output    (LsTeOperation *self,
                                       guint          i);
gboolean    ls_te_tensor_same         (LsTeTensor    *a,
                                       LsTeTensor    *b);
/* "name", or "name.v1" for output 1 of several. (transfer full) */
char       *ls_te_tensor_dup_name     (LsTeTensor    *self);

/* Takes shape (of Expr).  name NULL: "placeholder". */
LsTeTensor *ls_te_placeholder         (const char    *name,
                                       LsArray       *shape,
                                       LsDType        dtype);
/* The same for numbers, int32. */
LsTeTensor *ls_te_placeholder_ints    (const char    *name,
                                       LsDType        dtype,
                                       guint          ndim,
                                       const gint64  *shape);

/* The axes of a computation over `shape` (borrowed): [0, extent) each.  names: a text of names separated by spaces; a
 * name that ends in '*' numbers all the axes that are left: "ax*" gives ax0, ax1, ..., "n c i*" gives n, c, i0, i1, ...
 * NULL: "i*".  The zero that the ranges start with is int32, as that of Python's te.compute; for "ax*", the axes of
 * operators that TVM has in C++, it has the type of the extent (which shows: T.axis.remap needs equal ranges). (transfer full) */
LsArray    *ls_te_axes                (LsArray       *shape,
                                       const char    *names);
/* The variable of axis i. (transfer full) */
LsExpr     *ls_te_axis                (LsArray       *axes,
                                       guint          i);
/* All variables as a list of indices. (transfer full) */
LsArray    *ls_te_axis_vars           (LsArray       *axes);
/* tensor[indices]; takes indices (of Expr), borrows the tensor.  The number of indices must be right: for indices
 * that come from a user there is ls_te_load_checked. */
LsExpr     *ls_te_load                (LsTeTensor    *tensor,
                                       LsArray       *indices);
LsExpr     *ls_te_load_checked        (LsTeTensor    *tensor,
                                       LsArray       *indices,
                                       GError       **error);
/* The same with the indices as NULL-terminated arguments, each taken. */
LsExpr     *ls_te_at                  (LsTeTensor    *tensor,
                                       ...) G_GNUC_NULL_TERMINATED;

/* A stage whose value at the axes is `body`.  Takes axes, attrs and body (NULL body: NULL comes back, as an error
 * has been set already).  name NULL: "compute", tag NULL: "", attrs NULL: none. */
LsTeTensor *ls_te_compute             (const char    *name,
                                       const char    *tag,
                                       LsMap         *attrs,
                                       LsArray       *axes,
                                       LsExpr        *body,
                                       GError       **error);
/* Several outputs over the same axes: takes bodies (of Expr).  Returns an array of TeTensor. */
LsArray    *ls_te_compute_many        (const char    *name,
                                       const char    *tag,
                                       LsMap         *attrs,
                                       LsArray       *axes,
                                       LsArray       *bodies,
                                       GError       **error);
/* A compute by a function that is given the variables (borrowed) and returns the value: an Expr, or an Array of Expr for
 * several outputs, or NULL with an error.  Returns the tensors. */
typedef LsNode *(*LsTeCompute)        (LsArray       *vars,
                                       gpointer       user_data,
                                       GError       **error);
LsArray    *ls_te_compute_with        (const char    *name,
                                       const char    *tag,
                                       LsMap         *attrs,
                                       LsArray       *shape,
                                       const char    *axis_names,
                                       LsTeCompute    func,
                                       gpointer       user_data,
                                       GError       **error);
/* A stage that is a statement over buffers: `statement` reads input_buffers[i] for inputs[i] and writes output_buffers.
 * Takes everything.  Returns an array of TeTensor.  NULL input_buffers: made as TVM's te.extern does (called as the
 * inputs are, any offset); then `statement` must be made over ls_te_extern_buffer's. */
LsArray    *ls_te_extern              (const char    *name,
                                       const char    *tag,
                                       LsMap         *attrs,
                                       LsArray       *inputs,
                                       LsArray       *input_buffers,
                                       LsArray       *output_buffers,
                                       LsStmt        *statement,
                                       GError       **error);
/* The buffer that te.extern makes for an input. (transfer full) */
LsBuffer   *ls_te_extern_buffer       (LsTeTensor    *input);
/* A PrimFunc as a stage (te.extern_primfunc): the outputs are what it only stores to, the last that it stores to when it loads all
 * of them, and the last parameters where neither leaves as many inputs as are given. */
LsArray    *ls_te_extern_primfunc     (LsArray       *inputs,
                                       LsPrimFunc    *func,
                                       GError       **error);

/* ---- reduce.c ----------------------------------------------------------- */

/* Takes both; name NULL: "rv". */
LsIterVar  *ls_te_reduce_axis         (const char    *name,
                                       LsExpr        *min,
                                       LsExpr        *extent);
/* [0, extent); borrows extent. */
LsIterVar  *ls_te_reduce_range        (const char    *name,
                                       LsExpr        *extent);
/* The variable of an axis. (transfer full) */
LsExpr     *ls_te_iter                (LsIterVar     *axis);
/* Reductions over axes (LsArray of IterVar, taken); take the source.  No axes: the source itself. */
LsExpr     *ls_te_sum                 (LsExpr        *source,
                                       LsArray       *axes);
LsExpr     *ls_te_prod                (LsExpr        *source,
                                       LsArray       *axes);
LsExpr     *ls_te_max                 (LsExpr        *source,
                                       LsArray       *axes);
LsExpr     *ls_te_min                 (LsExpr        *source,
                                       LsArray       *axes);
LsExpr     *ls_te_all                 (LsExpr        *source,
                                       LsArray       *axes);
LsExpr     *ls_te_any                 (LsExpr        *source,
                                       LsArray       *axes);
/* By a reducer of one's own: one Reduce per source (an array of Expr, taken). condition NULL: always; init NULL: the
 * identity.  Takes everything. */
LsArray    *ls_te_reduce              (LsCommReducer *reducer,
                                       LsArray       *sources,
                                       LsArray       *axes,
                                       LsExpr        *condition,
                                       LsArray       *init,
                                       GError       **error);
/* The highest and lowest value of a type as a constant (tir.max_value, tir.min_value). */
LsExpr     *ls_te_max_value           (LsDType        dtype);
LsExpr     *ls_te_min_value           (LsDType        dtype);
/* A constant of any type: integers from the number, rounded toward zero. */
LsExpr     *ls_te_const               (LsDType        dtype,
                                       double         value);

/* ---- math.c ------------------------------------------------------------- */

/* tir.NAME (x) for a function of one argument ("exp", "tanh", "floor", "abs", "round", "isnan", ...): constants folded
 * where TVM folds, integers treated as TVM does, bfloat16 by way of float32.  Takes x. NULL x: NULL. */
LsExpr     *ls_te_unary               (const char    *name,
                                       LsExpr        *x);
/* Is there such a function of one argument? */
gboolean    ls_te_is_unary            (const char    *name);
/* tir.NAME (x, y): "pow", "atan2", "fmod", "bitwise_and", "left_shift", "right_shift", ... Takes both. */
LsExpr     *ls_te_binary              (const char    *name,
                                       LsExpr        *x,
                                       LsExpr        *y);
/* tir.div as Python's and C++'s `/`: truncation for integers. */
#define ls_te_div(a, b) ls_truncdiv ((a), (b))
/* select (condition, a, b) with a common type, constant conditions folded. Takes all. */
LsExpr     *ls_te_select              (LsExpr        *condition,
                                       LsExpr        *true_value,
                                       LsExpr        *false_value);
/* Conjunction of a GPtrArray of Expr (taken), NULL when it is empty. */
LsExpr     *ls_te_conjunction         (GPtrArray     *conditions);

/* ---- graph.c ------------------------------------------------------------ */

/* The tensors that an operation reads, each once, in the order in which they are met. (transfer full) */
LsArray    *ls_te_operation_inputs    (LsTeOperation *self);
/* All operations that the tensors (array of TeTensor; others are skipped) depend on, producers first. (transfer full) */
LsArray    *ls_te_order               (LsArray       *tensors);

/* ---- prim-func.c, index-dtype.c ----------------------------------------- */

/* The stages that `args` (TeTensor or Var, in the order of the parameters) depend on as one function called "main".
 * Tensors that are no parameters are allocated in the root block.  index_dtype: int32 or int64 for all indices (TVM's
 * index_dtype_override), NULL: as they are. */
LsPrimFunc *ls_te_create_prim_func    (LsArray       *args,
                                       const LsDType *index_dtype,
                                       GError       **error);
/* All shapes, loops, block variables and indices in `dtype` (TVM's IndexDataTypeNormalizer). */
LsPrimFunc *ls_te_with_index_dtype    (LsPrimFunc    *func,
                                       LsDType        dtype);

/* Makes the node classes of te known. */
void        ls_te_register_classes    (void);

G_END_DECLS
