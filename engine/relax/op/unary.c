/* op/unary: elementwise operators of one operand, and clip, astype and what asks for isnan. */
#include "engine/relax/op/op.h"

static LsStructInfo *
infer_check (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL ? ls_infer_like (x, LS_BOOL) : NULL;
}

static LsStructInfo *
infer_astype (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL ? ls_infer_like (x, ls_infer_dtype (self, "dtype", LS_VOID)) : NULL;
}

#define FLOAT(name) { name, "x", ls_infer_float_unary }
#define ANY(name) { name, "x", ls_infer_any_unary }

const LsRelaxOpRow ls_relax_ops_unary[] = {
  ANY ("abs"), FLOAT ("acos"), FLOAT ("acosh"), FLOAT ("asin"), FLOAT ("asinh"), FLOAT ("atan"), FLOAT ("atanh"), ANY ("bitwise_not"),
  ANY ("ceil"), FLOAT ("cos"), FLOAT ("cosh"), FLOAT ("erf"), FLOAT ("exp"), ANY ("floor"), FLOAT ("log"), ANY ("logical_not"),
  ANY ("negative"), ANY ("round"), FLOAT ("rsqrt"), FLOAT ("sigmoid"), ANY ("sign"), FLOAT ("sin"), FLOAT ("sinh"), FLOAT ("sqrt"),
  ANY ("square"), FLOAT ("tan"), FLOAT ("tanh"), ANY ("trunc"),
  { "clip", "x min:prim max:prim", ls_infer_any_unary },
  { "isfinite", "x", infer_check }, { "isinf", "x", infer_check }, { "isnan", "x", infer_check },
  { "astype", "x | dtype:dtype", infer_astype }, { "wrap_param", "data | dtype:dtype=float32", infer_astype },
  { NULL }
};
