/* op/fail: what an inference keeps until it is done, its error, and the words of errors for values and what is known of them.
 */
#include "engine/relax/op/op.h"

#include "engine/arith/pool.h"

#include <string.h>

gpointer
ls_infer_keep (LsInfer  *self,
               gpointer  node)
{
  g_ptr_array_add (self->kept, node);
  return node;
}

LsStructInfo *
ls_infer_fail (LsInfer    *self,
               const char *format,
               ...)
{
  g_autofree char *text = NULL;
  va_list args;

  if (self->error != NULL)
    return NULL;
  va_start (args, format);
  text = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  self->error = g_error_new (LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("relax.%s %s"), self->name, text);
  return NULL;
}

/* ---- words ------------------------------------------------------------------------- */

static void put_info (GString *out, LsNode *info);

static void
put_list (GString *out,
          LsArray *items)
{
  for (guint i = 0; i < items->n; i++)
    {
      if (i > 0)
        g_string_append (out, ", ");
      put_info (out, items->items[i]);
    }
}

static void
put_shape (GString *out,
           LsArray *extents)
{
  g_string_append_c (out, '(');
  put_list (out, extents);
  g_string_append (out, extents->n == 1 ? ",)" : ")");
}

static void
put_tensor (GString            *out,
            LsTensorStructInfo *tensor)
{
  const char *gap = "";

  g_string_append (out, "R.Tensor");
  if (!ls_is (tensor->shape, SHAPE_EXPR) && ls_dtype_is_void (tensor->dtype) && tensor->ndim < 0)
    return;
  g_string_append_c (out, '(');
  if (ls_is (tensor->shape, SHAPE_EXPR))
    {
      put_shape (out, ((LsShapeExpr *) tensor->shape)->values);
      gap = ", ";
    }
  if (!ls_dtype_is_void (tensor->dtype))
    {
      g_string_append_printf (out, "%sdtype=\"%s\"", gap, ls_dtype_name (tensor->dtype));
      gap = ", ";
    }
  if (!ls_is (tensor->shape, SHAPE_EXPR) && tensor->ndim >= 0)
    g_string_append_printf (out, "%sndim=%" G_GINT64_FORMAT, gap, tensor->ndim);
  g_string_append_c (out, ')');
}

/* Where the mesh is not named: its shape. */
static void
put_dtensor (GString             *out,
             LsDTensorStructInfo *info)
{
  g_autofree char *placement = ls_placement_text (info->placement);
  gsize from = out->len;

  put_tensor (out, (LsTensorStructInfo *) info->tensor_sinfo);
  g_string_insert_c (out, (gssize) (from + 2), 'D');
  g_string_truncate (out, out->len - (out->str[out->len - 1] == ')'));
  g_string_append (out, out->str[out->len - 1] == 'r' ? "(mesh " : ", mesh ");
  put_shape (out, ((LsDeviceMesh *) info->device_mesh)->shape);
  g_string_append_printf (out, ", \"%s\")", placement);
}

static void
put_callable (GString          *out,
              LsFuncStructInfo *info)
{
  g_string_append (out, "R.Callable");
  if (info->params == NULL)
    return;
  g_string_append_c (out, '(');
  put_shape (out, info->params);
  g_string_append (out, ", ");
  put_info (out, info->ret);
  g_string_append (out, info->purity ? ", True)" : ", False)");
}

static void
put_info (GString *out,
          LsNode  *info)
{
  g_autofree char *text = NULL;

  switch ((int) ls_kind (info))
    {
    case LS_KIND_TENSOR_STRUCT_INFO: put_tensor (out, (LsTensorStructInfo *) info); return;
    case LS_KIND_SHAPE_STRUCT_INFO:
      if (((LsShapeStructInfo *) info)->values == NULL)
        {
          g_string_append (out, "R.Shape");
          if (((LsShapeStructInfo *) info)->ndim >= 0)
            g_string_append_printf (out, "(ndim=%" G_GINT64_FORMAT ")", ((LsShapeStructInfo *) info)->ndim);
          return;
        }
      g_string_append (out, "R.Shape([");
      put_list (out, ((LsShapeStructInfo *) info)->values);
      g_string_append (out, "])");
      return;
    case LS_KIND_PRIM_STRUCT_INFO:
      if (((LsPrimStructInfo *) info)->value != NULL)
        {
          text = ls_expr_text (((LsPrimStructInfo *) info)->value);
          g_string_append_printf (out, "R.Prim(value=%s)", text);
        }
      else
        g_string_append_printf (out, "R.Prim(\"%s\")", ls_dtype_name (((LsPrimStructInfo *) info)->dtype));
      return;
    case LS_KIND_TUPLE_STRUCT_INFO:
      g_string_append (out, "R.Tuple");
      if (((LsTupleStructInfo *) info)->fields->n == 0)
        return;
      g_string_append_c (out, '(');
      put_list (out, ((LsTupleStructInfo *) info)->fields);
      g_string_append_c (out, ')');
      return;
    case LS_KIND_FUNC_STRUCT_INFO: put_callable (out, (LsFuncStructInfo *) info); return;
    case LS_KIND_DTENSOR_STRUCT_INFO: put_dtensor (out, (LsDTensorStructInfo *) info); return;
    case LS_KIND_OBJECT_STRUCT_INFO: g_string_append (out, "R.Object"); return;
    case LS_KIND_ARRAY: put_shape (out, (LsArray *) info); return;
    default:
      text = ls_expr_text (info);
      g_string_append (out, text);
      return;
    }
}

char *
ls_struct_info_text (gpointer info)
{
  GString *out = g_string_new (NULL);

  put_info (out, info);
  return g_string_free (out, FALSE);
}

const char *
ls_infer_text (LsInfer  *self,
               gpointer  node)
{
  g_autoptr (GString) out = g_string_new (NULL);
  LsNode *text;

  put_info (out, node);
  text = LS_NODE (ls_string_new (out->str));
  return ((LsString *) ls_infer_keep (self, text))->value;
}

const char *
ls_infer_arg_name (LsInfer *self,
                   guint    i)
{
  g_auto (GStrv) words = g_strsplit (self->row->spec != NULL ? self->row->spec : "", " ", -1);
  g_autofree char *text = NULL;
  guint k = 0;

  while (k < i && words[k] != NULL && strcmp (words[k], "|") != 0)
    k++;
  if (words[k] == NULL || words[k][0] == '\0' || words[k][0] == '|')
    text = g_strdup_printf ("argument %u", i + 1);
  else
    {
      words[k][strcspn (words[k], ":?=")] = '\0';
      text = g_strdup_printf ("argument `%s`", words[k]);
    }
  return ((LsString *) ls_infer_keep (self, ls_string_new (text)))->value;
}
