/* type: the struct info of a value as a short text, and the bytes that it takes. */
#include "engine/graph/graph-private.h"

static void
put_dims (GString *out,
          LsArray *values)
{
  g_string_append_c (out, '(');
  for (guint i = 0; i < ls_array_n (values); i++)
    {
      g_autofree char *dim = ls_graph_dim_text (values->items[i]);

      g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", dim);
    }
  g_string_append (out, ls_array_n (values) == 1 ? ",)" : ")");
}

static void
put_type (GString *out,
          LsNode  *info)
{
  if (ls_is (info, TENSOR_STRUCT_INFO))
    {
      LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;

      if (ls_is (tensor->shape, SHAPE_EXPR))
        put_dims (out, ((LsShapeExpr *) tensor->shape)->values);
      else if (tensor->ndim >= 0)
        g_string_append_printf (out, "%" G_GINT64_FORMAT "-d", tensor->ndim);
      else
        g_string_append (out, "tensor");
      if (!ls_dtype_equal (tensor->dtype, LS_VOID))
        g_string_append_printf (out, " %s", ls_dtype_name (tensor->dtype));
    }
  else if (ls_is (info, DTENSOR_STRUCT_INFO))
    {
      g_autofree char *placement = ls_placement_text (((LsDTensorStructInfo *) info)->placement);

      put_type (out, ((LsDTensorStructInfo *) info)->tensor_sinfo);
      g_string_append_printf (out, " in parts %s", placement);
    }
  else if (ls_is (info, SHAPE_STRUCT_INFO))
    {
      g_string_append (out, "shape ");
      if (((LsShapeStructInfo *) info)->values != NULL)
        put_dims (out, ((LsShapeStructInfo *) info)->values);
    }
  else if (ls_is (info, PRIM_STRUCT_INFO))
    g_string_append (out, ls_dtype_name (((LsPrimStructInfo *) info)->dtype));
  else if (ls_is (info, TUPLE_STRUCT_INFO))
    {
      LsArray *fields = ((LsTupleStructInfo *) info)->fields;

      g_string_append (out, "[");
      for (guint i = 0; i < ls_array_n (fields); i++)
        {
          if (i > 0)
            g_string_append (out, ", ");
          put_type (out, fields->items[i]);
        }
      g_string_append (out, "]");
    }
  else if (ls_is (info, FUNC_STRUCT_INFO))
    g_string_append (out, "function");
  else
    g_string_append (out, "object");
}

char *
ls_graph_type_text (LsNode *info)
{
  GString *out = g_string_new (NULL);

  if (info != NULL)
    put_type (out, info);
  return g_strchomp (g_string_free (out, FALSE));
}

double
ls_graph_type_bytes (LsNode *info)
{
  double bytes = 0.0;

  if (ls_is (info, TENSOR_STRUCT_INFO))
    {
      LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;
      LsArray *dims = ls_is (tensor->shape, SHAPE_EXPR) ? ((LsShapeExpr *) tensor->shape)->values : NULL;

      if (!ls_is (tensor->shape, SHAPE_EXPR) || ls_dtype_equal (tensor->dtype, LS_VOID))
        return -1.0;
      bytes = ls_dtype_bytes (tensor->dtype);
      for (guint i = 0; i < ls_array_n (dims); i++)
        {
          gint64 extent;

          if (!ls_as_int (dims->items[i], &extent))
            return -1.0;
          bytes *= (double) extent;
        }
      return bytes;
    }
  if (!ls_is (info, TUPLE_STRUCT_INFO))
    return ls_is (info, PRIM_STRUCT_INFO) || ls_is (info, SHAPE_STRUCT_INFO) ? 0.0 : -1.0;
  for (guint i = 0; i < ls_array_n (((LsTupleStructInfo *) info)->fields); i++)
    {
      double part = ls_graph_type_bytes (((LsTupleStructInfo *) info)->fields->items[i]);

      if (part < 0.0)
        return -1.0;
      bytes += part;
    }
  return bytes;
}
