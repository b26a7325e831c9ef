/* op/ccl: communication between workers. */
#include "engine/relax/op/op.h"

#include <inttypes.h>

static LsStructInfo *
scale_first (LsInfer *self,
             gboolean divide)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *extents = x != NULL ? ls_tensor_extents (x) : NULL;
  gint64 workers = ls_infer_int (self, "num_workers", 1), axis = ls_infer_int (self, "axis", 0), n;
  g_autoptr (LsArray) out = NULL;
  LsExpr *extent;
  guint at;

  if (x == NULL || extents == NULL || extents->n == 0)
    return LS_NODE (ls_ref (x));
  if (workers <= 0)
    return ls_infer_fail (self, "takes a positive number of workers; it is %" PRId64 ".", workers);
  if (!ls_infer_axis (self, divide ? axis : 0, x->ndim, &at))
    return NULL;
  extent = ls_ref (ls_extent_at (extents, at));
  if (divide && ls_as_int (extent, &n) && n % workers != 0)
    {
      ls_unref (extent);
      return ls_infer_fail (self, "takes an axis that its %" PRId64 " workers divide; it has %" PRId64 ".", workers, n);
    }
  extent = ls_infer_simplify (self, divide ? ls_truncdiv (extent, ls_extent (workers)) : ls_mul (extent, ls_extent (workers)));
  out = ls_array_with (extents, at, extent);
  return ls_infer_shaped (out, x->dtype, x);
}

static LsStructInfo *
infer_allgather (LsInfer *self)
{
  return scale_first (self, FALSE);
}

static LsStructInfo *
infer_scatter (LsInfer *self)
{
  return scale_first (self, TRUE);
}

const LsRelaxOpRow ls_relax_ops_ccl[] = {
  { "ccl.allgather", "x | num_workers:int in_group:bool=True", infer_allgather },
  { "ccl.allreduce", "x | op_type:str=sum in_group:bool=True", ls_infer_any_unary },
  { "ccl.broadcast_from_worker0", "x", ls_infer_any_unary },
  { "ccl.scatter_from_worker0", "x | num_workers:int axis:int=0", infer_scatter },
  { NULL }
};
