/* relax/op: the operators of Relax, a family a file, and what their inference functions share.
 *
 * A family is an array of rows that ends with a row without a name; op.c knows all families.  An inference function looks
 * at the call through the functions below and gives the struct info of its result, or NULL after ls_infer_fail.  The rules
 * are TVM v0.20's: extents that are certain to conflict are refused, extents of which nothing certain can be said make
 * the shape unknown and leave the number of dimensions.
 */
#pragma once

#include "engine/arith/analyzer.h"
#include "engine/relax/relax.h"

G_BEGIN_DECLS

typedef struct _LsInfer LsInfer;
typedef LsStructInfo *(*LsInferFunc) (LsInfer *self);           /* a new reference */

typedef struct {
  const char  *name;            /* without "relax." */
  const char  *spec;            /* as ls_relax_op_spec tells */
  LsInferFunc  infer;
} LsRelaxOpRow;

extern const LsRelaxOpRow ls_relax_ops_unary[], ls_relax_ops_binary[], ls_relax_ops_linear_algebra[], ls_relax_ops_reshape[];
extern const LsRelaxOpRow ls_relax_ops_manipulate[], ls_relax_ops_scatter[], ls_relax_ops_index[], ls_relax_ops_statistical[];
extern const LsRelaxOpRow ls_relax_ops_sort[], ls_relax_ops_create[], ls_relax_ops_convolution[], ls_relax_ops_pooling[];
extern const LsRelaxOpRow ls_relax_ops_norm[], ls_relax_ops_nn[], ls_relax_ops_quantize[], ls_relax_ops_memory[];
extern const LsRelaxOpRow ls_relax_ops_call[], ls_relax_ops_ccl[], ls_relax_ops_grad[], ls_relax_ops_distributed[];

/* The row of "relax.matmul", or NULL. */
const LsRelaxOpRow *ls_relax_op_row (const char *name);
/* Called once, before main, by the table: families live as long as the program. */
void ls_relax_ops_register (const LsRelaxOpRow *const *rows,
                            guint                      n);

struct _LsInfer {
  LsRelaxCall        *call;
  const char         *name;     /* without "relax." */
  const LsRelaxOpRow *row;
  LsModule           *module;   /* or NULL */
  LsAnalyzer         *analyzer;
  LsStructInfo      **infos;    /* of the arguments */
  guint               n;
  GPtrArray          *kept;
  GError             *error;
};

/* The analyzer of this inference; extents of its arguments are known not to be negative. */
LsAnalyzer         *ls_infer_analyzer    (LsInfer    *self);
/* Keeps a reference until the inference is over; returns the node. */
gpointer            ls_infer_keep        (LsInfer    *self,
                                          gpointer    node);
/* Remembers the reason of the refusal, unless there is one already: the sentence goes on after "relax.NAME ". NULL. */
LsStructInfo       *ls_infer_fail        (LsInfer    *self,
                                          const char *format,
                                          ...) G_GNUC_PRINTF (2, 3);
/* "argument `x1`" (kept) */
const char         *ls_infer_arg_name    (LsInfer    *self,
                                          guint       i);
/* A struct info, an extent or a list of extents as the user writes them (kept). */
const char         *ls_infer_text        (LsInfer    *self,
                                          gpointer    node);

/* ---- arguments (NULL after an error; borrowed) ------------------------------------------ */

LsTensorStructInfo *ls_infer_tensor      (LsInfer    *self,
                                          guint       i);
/* The struct info of an argument that must be a shape. */
LsShapeStructInfo  *ls_infer_shape       (LsInfer    *self,
                                          guint       i);
/* The fields of an argument that must be a tuple of tensors. */
LsArray            *ls_infer_tensors     (LsInfer    *self,
                                          guint       i);
/* The scalar of an argument that must be one with a value. */
LsExpr             *ls_infer_prim        (LsInfer    *self,
                                          guint       i);
/* The values of a tuple of scalars or of a shape. */
LsArray            *ls_infer_prims       (LsInfer    *self,
                                          guint       i);
/* The extents of a tensor, or NULL when they are not known. */
LsArray            *ls_tensor_extents    (LsTensorStructInfo *tensor);
/* The same where the shape is written out; a variable for the shape counts as unknown, although its extents may be known.
 * Most operators of TVM read shapes so; those that look through the variable are the broadcasting ones, reshape and slices. */
LsArray            *ls_tensor_written_extents (LsTensorStructInfo *tensor);

/* ---- attributes -------------------------------------------------------------------------- */

LsNode             *ls_infer_attr        (LsInfer    *self,
                                          const char *name);
gint64              ls_infer_int         (LsInfer    *self,
                                          const char *name,
                                          gint64      otherwise);
gboolean            ls_infer_has_int     (LsInfer    *self,
                                          const char *name,
                                          gint64     *value);
const char         *ls_infer_str         (LsInfer    *self,
                                          const char *name,
                                          const char *otherwise);
/* The list of numbers of an attribute, or NULL for None. */
LsArray            *ls_infer_ints        (LsInfer    *self,
                                          const char *name);
LsDType             ls_infer_dtype       (LsInfer    *self,
                                          const char *name,
                                          LsDType     otherwise);

/* ---- rules ----------------------------------------------------------------------------------- */

/* Takes the expression; the simplified one is kept. */
LsExpr             *ls_infer_simplify    (LsInfer    *self,
                                          LsExpr     *expr);
gboolean            ls_infer_same        (LsInfer    *self,
                                          LsExpr     *a,
                                          LsExpr     *b);
gboolean            ls_infer_differ      (LsInfer    *self,
                                          LsExpr     *a,
                                          LsExpr     *b);
LsExpr             *ls_infer_product     (LsInfer    *self,
                                          LsArray    *extents,
                                          guint       from,
                                          guint       to);
/* The extents that two broadcast to (kept); *out NULL when that is not certain.  FALSE: they conflict. */
gboolean            ls_infer_broadcast   (LsInfer    *self,
                                          LsArray    *a,
                                          LsArray    *b,
                                          LsArray   **out);
/* The common type of two operands; void when one is not known. */
gboolean            ls_infer_common      (LsInfer    *self,
                                          LsDType     a,
                                          LsDType     b,
                                          LsDType    *out);
/* Counts an axis from the front; FALSE when it is out of range. */
gboolean            ls_infer_axis        (LsInfer    *self,
                                          gint64      axis,
                                          gint64      ndim,
                                          guint      *out);
/* The same for a list; none may be there twice.  `out`: ndim flags (kept), and *order the axes as they were given. */
gboolean           *ls_infer_axes        (LsInfer    *self,
                                          LsArray    *axes,
                                          gint64      ndim,
                                          guint     **order);
gboolean            ls_infer_is_float    (LsInfer    *self,
                                          guint       i,
                                          LsDType     dtype);
gboolean            ls_infer_is_int      (LsInfer    *self,
                                          guint       i,
                                          LsDType     dtype,
                                          const char *what);

/* ---- results ----------------------------------------------------------------------------------- */

LsExpr             *ls_extent            (gint64      value);           /* an int64 constant */
#define ls_extent_at(extents, i) LS_EXPR ((extents)->items[i])
/* Of known extents (borrowed); device as `like` (or NULL). */
LsStructInfo       *ls_infer_shaped      (LsArray    *extents,
                                          LsDType     dtype,
                                          LsTensorStructInfo *like);
/* Takes an array of references. */
LsStructInfo       *ls_infer_shaped_take (GPtrArray  *extents,
                                          LsDType     dtype,
                                          LsTensorStructInfo *like);
LsStructInfo       *ls_infer_ranked      (gint64      ndim,
                                          LsDType     dtype,
                                          LsTensorStructInfo *like);
/* The same shape as `like`, another type. */
LsStructInfo       *ls_infer_like        (LsTensorStructInfo *like,
                                          LsDType     dtype);
LsStructInfo       *ls_infer_pair        (LsStructInfo *a,              /* all taken */
                                          LsStructInfo *b,
                                          LsStructInfo *c);             /* or NULL */
GPtrArray          *ls_extents_new       (void);
#define ls_extents_add(out, expr) g_ptr_array_add ((out), ls_ref (LS_EXPR (expr)))

/* An index of a slice counted from the front and brought between the ends of an axis; takes the index. */
LsExpr             *ls_index_into_axis     (LsExpr  *index,
                                            LsExpr  *extent,
                                            gboolean backwards);

/* How many elements an axis needs that R.nn.pad widens in a mode: what a reflection or a rotation reads. */
gint64              ls_pad_needs           (const char *mode,
                                            gint64      before,
                                            gint64      after);

/* Rules that several families use. */
LsStructInfo       *ls_infer_same_as_first (LsInfer *self);
LsStructInfo       *ls_infer_float_unary   (LsInfer *self);
LsStructInfo       *ls_infer_any_unary     (LsInfer *self);
LsStructInfo       *ls_infer_object        (LsInfer *self);
LsStructInfo       *ls_infer_nothing       (LsInfer *self);
LsStructInfo       *ls_infer_stated        (LsInfer *self);
/* The result of any operator of which an operand is a distributed tensor (op/distributed.c). */
LsStructInfo       *ls_infer_distributed   (LsInfer *self);
/* Extents after a reduction over all axes (axes NULL) or some. */
LsStructInfo       *ls_infer_reduced       (LsInfer *self,
                                            LsTensorStructInfo *x,
                                            LsArray            *axes,
                                            gboolean            keepdims,
                                            LsDType             dtype);

G_END_DECLS
