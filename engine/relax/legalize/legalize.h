/* relax/legalize: operators as calls of TensorIR, a family a file.
 *
 * A family is an array of rows that ends with a row without a name; legalize.c knows all families and is the pass.  A rule
 * makes te stages through the functions below and finishes with the call that takes the operator's place; it gives the call
 * itself back where TVM leaves the operator alone.  Names of functions are TVM v0.20's.
 */
#pragma once

#include "engine/relax/call-te.h"
#include "engine/relax/op/op.h"
#include "engine/topi/topi.h"

G_BEGIN_DECLS

typedef struct _LsLegalize LsLegalize;
typedef LsNode *(*LsLegalizeFunc) (LsLegalize *self);           /* a new reference, or NULL after an error */

typedef struct {
  const char     *name;         /* without "relax." */
  LsLegalizeFunc  legalize;
  const char     *hint;         /* of the function; NULL: the operator's name behind the last dot */
  gboolean        any_result;   /* the shape of the result need not be known */
} LsLegalizeRow;

extern const LsLegalizeRow ls_legalize_elementwise[], ls_legalize_linear_algebra[], ls_legalize_manipulate[], ls_legalize_index[];
extern const LsLegalizeRow ls_legalize_statistical[], ls_legalize_create[], ls_legalize_nn[], ls_legalize_convolution[];
extern const LsLegalizeRow ls_legalize_norm[], ls_legalize_quantize[];

struct _LsLegalize {
  LsInfer              infer;   /* attributes; infer.kept keeps */
  LsBlockBuilder      *builder;
  LsRelaxCall         *call;
  const LsLegalizeRow *row;
  LsTensorStructInfo  *result;  /* the struct info of the call (a tensor's, or another) */
  LsTeBridge            *te;
  GError              *error;
};

#define ls_legalize_keep(self, node) ls_infer_keep (&(self)->infer, (node))
#define ls_legalize_int(self, name, otherwise) ls_infer_int (&(self)->infer, (name), (otherwise))
#define ls_legalize_ints(self, name) ls_infer_ints (&(self)->infer, (name))

/* Argument i as a tensor; NULL when it is none.  Each call adds an argument of the function. Borrowed. */
LsTeTensor *ls_legalize_tensor  (LsLegalize *self,
                                 guint       i);
/* Argument i, a tuple of tensors, as an array of TeTensor. Borrowed. */
LsArray    *ls_legalize_tensors (LsLegalize *self,
                                 guint       i);
/* The number that an expression is: a constant without dimensions, or a scalar value;
 * a scalar that is not known becomes an argument of the function. Borrowed; NULL when it is none. */
LsExpr     *ls_legalize_scalar  (LsLegalize *self,
                                 LsNode     *expr);
/* A constant without dimensions that holds a number that is known, of this type.  NULL: it is not known, or no constant is of
 * this type here. (transfer full) */
LsNode     *ls_legalize_number  (LsExpr     *number,
                                 LsDType     dtype);
/* The numbers of a tuple of scalar values, or NULL. Borrowed. */
LsArray    *ls_legalize_prims   (LsLegalize *self,
                                 LsNode     *expr);
/* The extents of the result with the symbols of the function. Borrowed; NULL when it is no tensor of known shape. */
LsArray    *ls_legalize_shape   (LsLegalize *self);
double      ls_legalize_float   (LsLegalize *self,
                                 const char *name,
                                 double      otherwise);
const char *ls_legalize_str     (LsLegalize *self,
                                 const char *name);
/* The extents of argument i with the symbols of the function. Borrowed; NULL when they are not known. */
LsArray    *ls_legalize_extents (LsLegalize *self,
                                 guint       i);
/* Has the program check that two extents are the same, by a match_cast of shapes, unless that is certain: TVM's kernels read
 * other memory, or leave terms out, when they are not. (borrows) */
void        ls_legalize_claim   (LsLegalize *self,
                                 LsExpr     *found,
                                 LsExpr     *wanted);
/* The call as it is. (transfer full) */
LsNode     *ls_legalize_stay    (LsLegalize *self);
/* The call of the stages that end in `output` (taken; NULL: an error, or the operator stays when there is none). */
LsNode     *ls_legalize_one     (LsLegalize *self,
                                 LsTeTensor *output);
LsNode     *ls_legalize_many    (LsLegalize *self,
                                 LsArray    *outputs);
LsNode     *ls_legalize_one_as  (LsLegalize *self,
                                 LsTeTensor *output,
                                 const char *hint);

/* ---- chains: operators of topi that borrow and keep their results; NULL in, NULL out -------- */

LsTeTensor *ls_legalize_unary   (LsLegalize *self,
                                 const char *name,
                                 LsTeTensor *x);
LsTeTensor *ls_legalize_binary  (LsLegalize *self,
                                 const char *name,
                                 gpointer    a,
                                 gpointer    b);
/* Keeps a result of topi. */
#define ls_legalize_stage(self, tensor) ((LsTeTensor *) ls_legalize_keep ((self), (tensor)))
/* A constant of a type. Borrowed. */
LsExpr     *ls_legalize_const   (LsLegalize *self,
                                 LsDType     dtype,
                                 double      value);

G_END_DECLS
