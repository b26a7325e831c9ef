/* printer-relax-expr: Relax expressions and struct info.
 *
 * In the head of a function, dimensions with variables that it brings stand in quotes.  Integers have no type: all
 * dimensions are int64.
 */
#include "engine/script/printer-private.h"
#include "engine/script/vdevice.h"

/* ---- dimensions ------------------------------------------------------------------------- */

static LsWalk
note_new_symbol (LsNode  *node,
                 gpointer user_data)
{
  LsPrinter *p = user_data;

  if (ls_is_var (node) && ls_printer_name (p, node) == NULL)
    g_hash_table_add (p->signature, node);
  return LS_WALK_CONTINUE;
}

static gboolean
is_brought (LsVar   *var,
            gpointer set)
{
  return g_hash_table_contains (set, var);
}

static void
put_dimension (LsPrinter *p,
               LsExpr    *e)
{
  GString *outer = p->out;
  GString *quoted;

  if (p->signature != NULL)
    ls_walk (e, note_new_symbol, NULL, p);
  if (p->signature == NULL || !ls_uses_var (e, is_brought, p->signature))
    {
      ls_printer_value (p, e);
      return;
    }
  quoted = p->out = g_string_new (NULL);
  p->muted++;
  ls_printer_value (p, e);
  p->muted--;
  p->out = outer;
  ls_printer_put_string (p, quoted->str);
  g_string_free (quoted, TRUE);
}

static void
put_dimensions (LsPrinter  *p,
                LsArray    *values,
                const char *open,
                const char *close)
{
  ls_put (p, open);
  for (guint i = 0; i < values->n; i++)
    {
      ls_put (p, i > 0 ? ", " : "");
      LS_AT_ITEM (p, i, put_dimension (p, LS_EXPR (values->items[i])));
    }
  ls_put (p, values->n == 1 && close[0] == ')' ? "," : "");
  ls_put (p, close);
}

/* ---- struct info --------------------------------------------------------------------------- */

typedef struct { LsPrinter *p; gboolean any; } Arguments;

/* Before each argument of a call that may have none: the bracket or the comma, and its keyword. */
static void
next (Arguments  *self,
      const char *keyword)
{
  ls_put (self->p, self->any ? ", " : "(");
  ls_put (self->p, keyword);
  self->any = TRUE;
}

static void
put_extents (LsPrinter   *p,
             LsShapeExpr *shape)
{
  LS_AT (p, shape, LsShapeExpr, values, put_dimensions (p, shape->values, "(", ")"));
}

/* "cuda:1" where the module knows the device, else what it is. */
static void
put_device (LsPrinter *p,
            LsNode    *device)
{
  g_autofree char *name = ls_is (p->devices, ARRAY) ? ls_vdevice_name (p->devices, device) : NULL;

  if (name == NULL)
    ls_printer_value (p, device);
  else
    ls_printer_put_string (p, name);
}

static void
put_tensor_info (LsPrinter          *p,
                 LsTensorStructInfo *info)
{
  Arguments args = { p, FALSE };

  ls_put (p, "R.Tensor");
  if (ls_is (info->shape, SHAPE_EXPR))
    {
      next (&args, "");
      LS_AT (p, info, LsTensorStructInfo, shape, put_extents (p, (LsShapeExpr *) info->shape));
    }
  else if (info->shape != NULL)
    {
      next (&args, "");
      ls_printer_value (p, info->shape);
    }
  if (!ls_dtype_is_void (info->dtype))
    {
      next (&args, "dtype=");
      ls_printer_put_dtype (p, info->dtype);
    }
  if (info->shape == NULL && info->ndim >= 0)
    {
      next (&args, "ndim=");
      ls_printer_put_int (p, info->ndim);
    }
  if (info->vdevice != NULL)
    {
      next (&args, "vdevice=");
      put_device (p, info->vdevice);
    }
  ls_put (p, args.any ? ")" : "");
}

/* The name of a mesh, "mesh[0]", where the module that is printed knows it. (transfer full) */
static char *
mesh_name (LsPrinter *p,
           LsNode    *mesh)
{
  for (guint loose = 0; p->infos != NULL && loose < 2; loose++)
    for (guint i = 0; i < p->infos->n; i++)
      for (guint k = 0; ls_is (p->infos->values[i], ARRAY) && k < ls_array_n ((LsArray *) p->infos->values[i]); k++)
        {
          LsNode *other = ((LsArray *) p->infos->values[i])->items[k];

          if (other == mesh || (loose && ls_is (other, DEVICE_MESH) && ls_structural_equal (other, mesh, FALSE, NULL, NULL)))
            return g_strdup_printf ("%s[%u]", p->infos->keys[i], k);
        }
  return NULL;
}

static void
put_mesh (LsPrinter    *p,
          LsDeviceMesh *mesh)
{
  g_autofree char *name = mesh_name (p, LS_NODE (mesh));
  gint64 from = 0;

  if (name != NULL)
    {
      ls_printer_put_string (p, name);
      return;
    }
  ls_put (p, "R.device_mesh(");
  LS_AT (p, mesh, LsDeviceMesh, shape, put_dimensions (p, mesh->shape, "(", ")"));
  if (mesh->is_range && mesh->device_ids->n > 0 && ls_as_int (mesh->device_ids->items[0], &from))
    {
      ls_put (p, p->module_title != NULL ? ", I.Range(" : ", T.Range(");
      ls_printer_put_int (p, from);
      ls_put (p, ", ");
      ls_printer_put_int (p, from + (gint64) mesh->device_ids->n);
      ls_put (p, "))");
      return;
    }
  ls_put (p, ", ");
  LS_AT (p, mesh, LsDeviceMesh, device_ids, ls_printer_value (p, mesh->device_ids));
  ls_put_char (p, ')');
}

static void
put_placement (LsPrinter *p,
               LsNode    *placement)
{
  g_autofree char *text = ls_placement_text (placement);

  ls_printer_put_string (p, text);
}

static void
put_dtensor_info (LsPrinter           *p,
                  LsDTensorStructInfo *info)
{
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info->tensor_sinfo;
  gboolean by_name = tensor->shape == NULL;
  guint32 saved = ls_printer_enter (p, info, G_STRUCT_OFFSET (LsDTensorStructInfo, tensor_sinfo));
  Arguments args = { p, FALSE };

  ls_put (p, "R.DTensor");
  if (tensor->shape != NULL)
    {
      next (&args, "");
      if (ls_is (tensor->shape, SHAPE_EXPR))
        LS_AT (p, tensor, LsTensorStructInfo, shape, put_extents (p, (LsShapeExpr *) tensor->shape));
      else
        ls_printer_value (p, tensor->shape);
    }
  if (!ls_dtype_is_void (tensor->dtype))
    {
      next (&args, by_name ? "dtype=" : "");
      ls_printer_put_dtype (p, tensor->dtype);
    }
  by_name |= ls_dtype_is_void (tensor->dtype);
  p->path = saved;
  next (&args, by_name ? "device_mesh=" : "");
  LS_AT (p, info, LsDTensorStructInfo, device_mesh, ls_printer_value (p, info->device_mesh));
  next (&args, by_name ? "placement=" : "");
  LS_AT (p, info, LsDTensorStructInfo, placement, ls_printer_value (p, info->placement));
  if (tensor->shape == NULL && tensor->ndim >= 0)
    {
      next (&args, "ndim=");
      ls_printer_put_int (p, tensor->ndim);
    }
  ls_put_char (p, ')');
}

static void
put_shape_info (LsPrinter         *p,
                LsShapeStructInfo *info)
{
  ls_put (p, "R.Shape(");
  if (info->values != NULL)
    {
      LS_AT (p, info, LsShapeStructInfo, values, put_dimensions (p, info->values, "[", "]"));
    }
  else
    {
      ls_put (p, "ndim=");
      ls_printer_put_int (p, info->ndim);
    }
  ls_put_char (p, ')');
}

static void
put_prim_info (LsPrinter        *p,
               LsPrimStructInfo *info)
{
  ls_put (p, info->value != NULL ? "R.Prim(value=" : "R.Prim(");
  if (info->value != NULL)
    LS_AT (p, info, LsPrimStructInfo, value, put_dimension (p, info->value));
  else
    ls_printer_put_dtype (p, info->dtype);
  ls_put_char (p, ')');
}

static void
put_callable_info (LsPrinter        *p,
                   LsFuncStructInfo *info)
{
  ls_put (p, "R.Callable");
  if (info->derive_func != NULL)
    {
      ls_put (p, "(derive_func=");
      LS_AT (p, info, LsFuncStructInfo, derive_func, ls_printer_value (p, info->derive_func));
      ls_put (p, info->purity ? ", purity=True)" : ", purity=False)");
    }
  if (info->params == NULL)
    return;
  ls_put_char (p, '(');
  LS_AT (p, info, LsFuncStructInfo, params, ls_printer_tuple (p, info->params));
  ls_put (p, ", ");
  LS_AT (p, info, LsFuncStructInfo, ret, ls_printer_value (p, info->ret));
  ls_put (p, info->purity ? ", True)" : ", False)");
}

static void
put_tuple_info (LsPrinter         *p,
                LsTupleStructInfo *info)
{
  ls_put (p, "R.Tuple");
  if (info->fields->n == 0)
    return;
  ls_put_char (p, '(');
  LS_AT (p, info, LsTupleStructInfo, fields, ls_printer_items (p, info->fields));
  ls_put_char (p, ')');
}

/* ---- constants -------------------------------------------------------------------------------- */

static void
put_number (LsPrinter *p,
            LsTensor  *tensor)
{
  gsize n;
  const void *data = g_bytes_get_data (tensor->data, &n);
  LsDType t = tensor->dtype;
  float single = 0;
  double number = 0;
  gint64 integer = 0;

  if (t.code == LS_TYPE_FLOAT && t.bits == 16)
    {
      guint16 half;

      memcpy (&half, data, sizeof half);
      number = (double) ls_half_to_float (half);
    }
  else if (t.code == LS_TYPE_FLOAT && t.bits == 32)
    {
      memcpy (&single, data, sizeof single);
      number = (double) single;
    }
  else if (t.code == LS_TYPE_FLOAT)
    {
      memcpy (&number, data, sizeof number);
    }
  else
    {
      memcpy (&integer, data, MIN (n, sizeof integer));
      if (t.code == LS_TYPE_INT && t.bits < 64)
        integer = (gint64) ((guint64) integer << (64 - t.bits)) >> (64 - t.bits);
    }
  if (ls_dtype_is_bool (t))
    ls_put (p, integer != 0 ? "True" : "False");
  else if (t.code == LS_TYPE_FLOAT)
    ls_printer_put_float (p, number);
  else
    ls_printer_put_int (p, integer);
}

static void
put_constant (LsPrinter  *p,
              LsConstant *constant)
{
  guint i;

  if (constant->data->shape->n == 0 && constant->data->dtype.code <= LS_TYPE_FLOAT)
    {
      gboolean distributed = ls_is (constant->struct_info, DTENSOR_STRUCT_INFO);

      ls_put (p, distributed ? "R.dist.const(" : "R.const(");
      put_number (p, constant->data);
      ls_put (p, ", ");
      if (distributed)
        LS_AT (p, constant, LsConstant, struct_info, ls_printer_value (p, constant->struct_info));
      else
        ls_printer_put_dtype (p, constant->data->dtype);
      ls_put_char (p, ')');
      return;
    }
  if (!g_ptr_array_find (p->constants, constant, &i))
    {
      i = p->constants->len;
      g_ptr_array_add (p->constants, constant);
    }
  ls_put (p, "metadata[\"relax.expr.Constant\"][");
  ls_printer_put_int (p, i);
  ls_put_char (p, ']');
}

/* ---- calls -------------------------------------------------------------------------------------- */

static void put_attribute (LsPrinter *p, LsNode *value);

/* A dictionary; its numbers are those of Python. */
static void
put_dictionary (LsPrinter *p,
                LsMap     *map)
{
  ls_put_char (p, '{');
  for (guint i = 0; i < map->n; i++)
    {
      ls_put (p, i > 0 ? ", " : "");
      ls_printer_put_string (p, map->keys[i]);
      ls_put (p, ": ");
      if (ls_is (map->values[i], FLOAT_IMM))
        ls_printer_put_float (p, ((LsFloatImm *) map->values[i])->value);
      else
        LS_AT_ITEM (p, i, put_attribute (p, map->values[i]));
    }
  ls_put_char (p, '}');
}

static void
put_attribute (LsPrinter *p,
               LsNode    *value)
{
  LsArray *items = (LsArray *) value;

  if (ls_is (value, MAP) && ls_map_get ((LsMap *) value, "kind") == NULL)
    put_dictionary (p, (LsMap *) value);
  else if (ls_is (value, FLOAT_IMM) && ls_dtype (value).bits == 64)
    ls_printer_put_float (p, ((LsFloatImm *) value)->value);
  else if (ls_is (value, ARRAY))
    {
      ls_put_char (p, '[');
      for (guint i = 0; i < items->n; i++)
        {
          ls_put (p, i > 0 ? ", " : "");
          LS_AT_ITEM (p, i, put_attribute (p, items->items[i]));
        }
      ls_put_char (p, ']');
    }
  else
    ls_printer_value (p, value);
}

static void
put_keyword (Arguments  *args,
             const char *keyword)
{
  next (args, keyword);
  ls_put_char (args->p, '=');
}

static void
put_argument (LsPrinter *p,
              LsNode    *arg)
{
  if (ls_is (arg, EXTERN_FUNC))
    ls_printer_put_string (p, ((LsExternFunc *) arg)->global_symbol);
  else
    ls_printer_value (p, arg);
}

/* TVM's text leaves these out where there are none. */
static gboolean
is_left_out (const char *name,
             LsNode     *value)
{
  return g_str_equal (name, "te_grad_kwargs") && ls_is (value, MAP) && ((LsMap *) value)->n == 0;
}

static void
put_attributes (Arguments   *args,
                LsRelaxCall *call)
{
  for (guint i = 0; i < call->attr_names->n; i++)
    {
      if (is_left_out (ls_array_at (call->attr_names, i, LsString)->value, call->attrs->items[i]))
        continue;
      put_keyword (args, ls_array_at (call->attr_names, i, LsString)->value);
      LS_AT (args->p, call, LsRelaxCall, attrs, LS_AT_ITEM (args->p, i, put_attribute (args->p, call->attrs->items[i])));
    }
}

static void
put_result_info (LsPrinter *p,
                 LsNode    *info)
{
  if (!ls_is (info, TUPLE_STRUCT_INFO))
    {
      ls_printer_value (p, info);
      return;
    }
  ls_put_char (p, '[');
  LS_AT (p, info, LsTupleStructInfo, fields, ls_printer_items (p, ((LsTupleStructInfo *) info)->fields));
  ls_put_char (p, ']');
}

static void
put_result (Arguments   *args,
            LsRelaxCall *call)
{
  LsPrinter *p = args->p;

  put_keyword (args, p->options.style == LS_SCRIPT_STYLE_2026 ? "out_ty" : "out_sinfo");
  if (call->sinfo_args->n > 0)
    LS_AT (p, call, LsRelaxCall, sinfo_args, LS_AT_ITEM (p, 0, put_result_info (p, call->sinfo_args->items[0])));
  else
    ls_printer_value (p, NULL);
}

static void
put_infos (Arguments   *args,
           LsRelaxCall *call)
{
  if (call->sinfo_args->n == 0)
    return;
  put_keyword (args, args->p->options.style == LS_SCRIPT_STYLE_2026 ? "ty_args" : "sinfo_args");
  LS_AT (args->p, call, LsRelaxCall, sinfo_args, ls_printer_tuple (args->p, call->sinfo_args));
}

static gboolean
says_result (LsRelaxCall *call)
{
  return ls_is_relax_call (call, "relax.call_tir") || ls_is_relax_call (call, "relax.call_dps_packed")
         || ls_is_relax_call (call, "relax.call_tir_inplace") || ls_is_relax_call (call, "relax.call_tir_with_grad")
         || ls_is_relax_call (call, "relax.dist.call_tir_local_view");
}

/* Does the call give a tensor in parts, or several? */
static gboolean
gives_parts (LsRelaxCall *call)
{
  LsNode *info = call->sinfo_args->n > 0 ? call->sinfo_args->items[0] : NULL;
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;

  return ls_is (info, DTENSOR_STRUCT_INFO) || (fields != NULL && fields->n > 0 && ls_is (fields->items[0], DTENSOR_STRUCT_INFO));
}

/* A packed function whose results a rule gives: only its own signature says that. */
static gboolean
says_rule (LsNode *op)
{
  LsNode *info = ls_is (op, EXTERN_FUNC) ? ((LsExternFunc *) op)->struct_info : NULL;

  return ls_is (info, FUNC_STRUCT_INFO) && ((LsFuncStructInfo *) info)->derive_func != NULL;
}

/* An operator that a program registered keeps its whole name. */
static void
put_operator (LsPrinter *p,
              LsRelaxOp *op)
{
  gboolean own = g_str_has_prefix (op->name, "relax.");

  ls_put (p, own ? "R." : "");
  ls_put (p, op->name + (own ? strlen ("relax.") : 0));
}

static void
put_call (LsPrinter   *p,
          LsRelaxCall *call)
{
  Arguments args = { p, FALSE };
  gboolean result = says_result (call);
  guint format = ls_is_relax_call (call, "relax.print") ? 0 : ls_is_relax_call (call, "relax.assert_op") ? 1 : G_MAXUINT;

  if (ls_is (call->op, RELAX_OP))
    {
      if (ls_is_relax_call (call, "relax.call_tir") && gives_parts (call))
        ls_put (p, "R.dist.call_tir");
      else
        put_operator (p, (LsRelaxOp *) call->op);
    }
  else if (ls_is (call->op, EXTERN_FUNC) && !says_rule (call->op))
    {
      ls_put (p, "R.call_packed");
      next (&args, "");
      put_argument (p, call->op);
    }
  else
    LS_AT (p, call, LsRelaxCall, op, ls_printer_value (p, call->op));
  for (guint i = 0; i < call->args->n; i++)
    {
      if (i == format || (result && i > 1))
        continue;
      next (&args, "");
      LS_AT (p, call, LsRelaxCall, args, LS_AT_ITEM (p, i, put_argument (p, call->args->items[i])));
    }
  if (result)
    put_result (&args, call);
  if (format < call->args->n)
    {
      put_keyword (&args, "format");
      LS_AT (p, call, LsRelaxCall, args, LS_AT_ITEM (p, format, ls_printer_value (p, call->args->items[format])));
    }
  put_attributes (&args, call);
  if (result && call->args->n > 2)
    {
      put_keyword (&args, "tir_vars");
      LS_AT (p, call, LsRelaxCall, args, LS_AT_ITEM (p, 2, ls_printer_value (p, call->args->items[2])));
    }
  if (!result)
    put_infos (&args, call);
  ls_put (p, args.any ? ")" : "()");
}

/* ---- the switch ------------------------------------------------------------------------------------ */

static void
put_wrapped (LsPrinter  *p,
             const char *head,
             gpointer    node,
             gsize       offset)
{
  guint32 saved = ls_printer_enter (p, node, offset);

  ls_put (p, head);
  ls_printer_value (p, *(LsNode **) ((char *) node + offset));
  ls_put_char (p, ')');
  p->path = saved;
}

static void
put_node (LsPrinter *p,
          LsNode    *node)
{
  switch ((int) ls_kind (node))
    {
    case LS_KIND_TENSOR_STRUCT_INFO: put_tensor_info (p, (LsTensorStructInfo *) node); break;
    case LS_KIND_SHAPE_STRUCT_INFO: put_shape_info (p, (LsShapeStructInfo *) node); break;
    case LS_KIND_PRIM_STRUCT_INFO: put_prim_info (p, (LsPrimStructInfo *) node); break;
    case LS_KIND_TUPLE_STRUCT_INFO: put_tuple_info (p, (LsTupleStructInfo *) node); break;
    case LS_KIND_FUNC_STRUCT_INFO: put_callable_info (p, (LsFuncStructInfo *) node); break;
    case LS_KIND_OBJECT_STRUCT_INFO: ls_put (p, p->options.style == LS_SCRIPT_STYLE_2026 ? "R.Any" : "R.Object"); break;
    case LS_KIND_DTENSOR_STRUCT_INFO: put_dtensor_info (p, (LsDTensorStructInfo *) node); break;
    case LS_KIND_DEVICE_MESH: put_mesh (p, (LsDeviceMesh *) node); break;
    case LS_KIND_PLACEMENT: put_placement (p, node); break;
    case LS_KIND_PLACEMENT_SPEC:
      {
        g_autoptr (LsNode) one = ls_placement_new (ls_array_of (ls_ref (node), NULL));

        put_placement (p, one);
        break;
      }
    case LS_KIND_CONSTANT: put_constant (p, (LsConstant *) node); break;
    case LS_KIND_PRIM_VALUE: put_wrapped (p, "R.prim_value(", node, G_STRUCT_OFFSET (LsPrimValue, value)); break;
    case LS_KIND_SHAPE_EXPR:
      LS_AT (p, node, LsShapeExpr, values, put_dimensions (p, ((LsShapeExpr *) node)->values, "R.shape([", "])"));
      break;
    case LS_KIND_RELAX_STRING:
      ls_put (p, "R.str(");
      ls_printer_put_string (p, ((LsRelaxString *) node)->value);
      ls_put_char (p, ')');
      break;
    case LS_KIND_DATA_TYPE_IMM:
      ls_put (p, "R.dtype(");
      ls_printer_put_dtype (p, ((LsDataTypeImm *) node)->value);
      ls_put_char (p, ')');
      break;
    case LS_KIND_RELAX_TUPLE:
      if (((LsRelaxTuple *) node)->fields->n == 0)
        ls_put (p, "R.tuple()");
      else
        LS_AT (p, node, LsRelaxTuple, fields, ls_printer_tuple (p, ((LsRelaxTuple *) node)->fields));
      break;
    case LS_KIND_TUPLE_GET_ITEM:
      LS_AT (p, node, LsTupleGetItem, tuple, ls_printer_value (p, ((LsTupleGetItem *) node)->tuple));
      ls_put_char (p, '[');
      ls_printer_put_int (p, ((LsTupleGetItem *) node)->index);
      ls_put_char (p, ']');
      break;
    case LS_KIND_EXTERN_FUNC:
      ls_put (p, "R.ExternFunc(");
      ls_printer_put_string (p, ((LsExternFunc *) node)->global_symbol);
      if (((LsExternFunc *) node)->struct_info != NULL)
        {
          ls_put (p, ", ");
          LS_AT (p, node, LsExternFunc, struct_info, ls_printer_value (p, ((LsExternFunc *) node)->struct_info));
        }
      ls_put_char (p, ')');
      break;
    case LS_KIND_RELAX_OP:
      put_operator (p, (LsRelaxOp *) node);
      break;
    case LS_KIND_RELAX_CALL: put_call (p, (LsRelaxCall *) node); break;
    default:
      ls_put (p, node->klass->name);
      ls_put (p, "(...)");
      break;
    }
}

void
ls_printer_relax_expr (LsPrinter *p,
                       LsNode    *node)
{
  gboolean outer = p->relax;

  p->relax = TRUE;
  if (ls_is_relax_var (node))
    ls_printer_put_name (p, node, ls_printer_define (p, node, p->frames->len > 0 ? p->frames->len - 1 : 0), LS_SOURCE_USE);
  else
    put_node (p, node);
  p->relax = outer;
}
