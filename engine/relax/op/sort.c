/* op/sort: sort, argsort, topk, unique, nonzero. */
#include "engine/relax/op/op.h"

#include <string.h>

static LsStructInfo *
infer_sort (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  guint axis;

  if (x == NULL || (x->ndim >= 0 && !ls_infer_axis (self, ls_infer_int (self, "axis", -1), x->ndim, &axis)))
    return NULL;
  return strcmp (self->name, "sort") == 0 ? LS_NODE (ls_ref (x)) : ls_infer_like (x, ls_infer_dtype (self, "dtype", x->dtype));
}

static LsStructInfo *
infer_topk (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  const char *what = ls_infer_str (self, "ret_type", "both");
  LsArray *extents = x != NULL ? ls_tensor_extents (x) : NULL;
  gint64 k = ls_infer_int (self, "k", 1);
  g_autoptr (LsNode) values = NULL, indices = NULL;
  LsDType dtype;
  guint axis;

  if (x == NULL)
    return NULL;
  dtype = ls_infer_dtype (self, "dtype", x->dtype);
  if (x->ndim >= 0 && !ls_infer_axis (self, ls_infer_int (self, "axis", -1), x->ndim, &axis))
    return NULL;
  if (strcmp (what, "both") != 0 && strcmp (what, "values") != 0 && strcmp (what, "indices") != 0)
    return ls_infer_fail (self, "gives \"both\", \"values\" or \"indices\", not \"%s\".", what);
  if (extents != NULL)
    {
      g_autoptr (LsArray) out = ls_ref (extents);
      gint64 n;

      if (k > 0 && !(ls_as_int (extents->items[axis], &n) && n < k))
        ls_take (&out, ls_array_with (extents, axis, ls_infer_keep (self, ls_extent (k))));
      values = ls_infer_shaped (out, x->dtype, x);
      indices = ls_infer_shaped (out, dtype, x);
    }
  else
    {
      values = ls_infer_ranked (x->ndim, x->dtype, x);
      indices = ls_infer_ranked (x->ndim, dtype, x);
    }
  if (strcmp (what, "both") == 0)
    return ls_infer_pair (g_steal_pointer (&values), g_steal_pointer (&indices), NULL);
  return strcmp (what, "values") == 0 ? g_steal_pointer (&values) : g_steal_pointer (&indices);
}

static gboolean
asked (LsInfer *self,
       guint    i)
{
  return i < self->n && ls_is (self->infos[i], PRIM_STRUCT_INFO) && ((LsPrimStructInfo *) self->infos[i])->value != NULL
         && !ls_is_zero (((LsPrimStructInfo *) self->infos[i])->value);
}

static LsStructInfo *
infer_unique (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  gboolean by_axis = self->n > 5;
  GPtrArray *fields;
  gint64 given;
  guint axis;

  if (x == NULL)
    return NULL;
  if (by_axis && x->ndim >= 0 && ls_is (self->infos[5], PRIM_STRUCT_INFO) && ls_as_int (((LsPrimStructInfo *) self->infos[5])->value, &given)
      && !ls_infer_axis (self, given, x->ndim, &axis))
    return NULL;
  fields = g_ptr_array_new ();
  g_ptr_array_add (fields, ls_infer_ranked (by_axis ? x->ndim : 1, x->dtype, x));
  for (guint i = 2; i <= 4; i++)
    if (asked (self, i))
      g_ptr_array_add (fields, ls_infer_ranked (1, LS_INT64, x));
  if (fields->len > 1)
    return ls_tuple_struct_info_new (ls_array_take_ptr_array (fields));
  {
    LsStructInfo *only = fields->pdata[0];

    g_ptr_array_unref (fields);
    return only;
  }
}

static LsStructInfo *
infer_nonzero (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL ? ls_infer_ranked (2, LS_INT64, x) : NULL;
}

const LsRelaxOpRow ls_relax_ops_sort[] = {
  { "argsort", "data | axis:int=-1 descending:bool=False dtype:dtype=int32", infer_sort },
  { "nonzero", "x", infer_nonzero },
  { "sort", "data | axis:int=-1 descending:bool=False", infer_sort },
  { "topk", "data | k:int=1 axis:int=-1 ret_type:str=both largest:bool=True dtype:dtype=int32", infer_topk },
  { "unique", "x sorted:prim=True return_index:prim=False return_inverse:prim=False return_counts:prim=False axis:prim?", infer_unique },
  { NULL }
};
