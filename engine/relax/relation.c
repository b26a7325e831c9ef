/* relation: see the header.  The rules are those of TVM's StructInfoBaseCheck, StructInfoLCA and DeriveCallRetStructInfo. */
#include "engine/relax/relation.h"

#include "engine/arith/analyzer.h"

gboolean
ls_struct_info_equal (LsStructInfo *a,
                      LsStructInfo *b)
{
  return a == b || (a != NULL && b != NULL && ls_structural_equal (a, b, FALSE, NULL, NULL));
}

static gboolean
same_expr (LsExpr *a,
           LsExpr *b)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;
  gint64 x, y;

  if (a == b || ls_deep_equal (a, b))
    return TRUE;
  if (!ls_dtype_equal (ls_dtype (a), ls_dtype (b)) || (ls_as_int (a, &x) && ls_as_int (b, &y)))
    return FALSE;
  analyzer = ls_analyzer_new ();
  return ls_analyzer_can_prove_equal (analyzer, a, b);
}

static gboolean
same_extents (LsArray *a,
              LsArray *b)
{
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n; i++)
    if (!same_expr (LS_EXPR (a->items[i]), LS_EXPR (b->items[i])))
      return FALSE;
  return TRUE;
}

static LsArray *
extents (LsNode *shape)
{
  LsNode *info;

  if (ls_is (shape, SHAPE_EXPR))
    return ((LsShapeExpr *) shape)->values;
  info = ls_is_relax_var (shape) ? ((LsRelaxVar *) shape)->struct_info : NULL;
  return ls_is (info, SHAPE_STRUCT_INFO) ? ((LsShapeStructInfo *) info)->values : NULL;
}

static gboolean
same_shape (LsNode *a,
            LsNode *b)
{
  LsArray *x = extents (a), *y = extents (b);

  return a == b || (x != NULL && y != NULL && same_extents (x, y));
}

/* ---- base and derived ------------------------------------------------------------------ */

static gboolean
is_base_tensor (LsTensorStructInfo *base,
                LsTensorStructInfo *derived)
{
  if (!ls_dtype_is_void (base->dtype) && !ls_dtype_equal (base->dtype, derived->dtype))
    return FALSE;
  if (base->ndim >= 0 && base->ndim != derived->ndim)
    return FALSE;
  if (base->vdevice != NULL &&
      (derived->vdevice == NULL || !ls_structural_equal (base->vdevice, derived->vdevice, FALSE, NULL, NULL)))
    return FALSE;
  return base->shape == NULL || (derived->shape != NULL && same_shape (base->shape, derived->shape));
}

static gboolean
is_base_func (LsFuncStructInfo *base,
              LsFuncStructInfo *derived)
{
  if (base->purity && !derived->purity)
    return FALSE;
  if (base->params == NULL)
    return derived->params != NULL || ls_struct_info_is_base_of (base->ret, derived->ret);
  if (derived->params == NULL || base->params->n != derived->params->n)
    return FALSE;
  if (ls_struct_info_equal (LS_NODE (base), LS_NODE (derived)))
    return TRUE;
  for (guint i = 0; i < base->params->n; i++)
    if (!ls_struct_info_is_base_of (derived->params->items[i], base->params->items[i]))
      return FALSE;
  return ls_struct_info_is_base_of (base->ret, derived->ret);
}

gboolean
ls_struct_info_is_base_of (LsStructInfo *base,
                           LsStructInfo *derived)
{
  if (base == derived || ls_is (base, OBJECT_STRUCT_INFO))
    return TRUE;
  if (ls_kind (base) != ls_kind (derived))
    return FALSE;
  switch ((int) ls_kind (base))
    {
    case LS_KIND_TENSOR_STRUCT_INFO: return is_base_tensor ((LsTensorStructInfo *) base, (LsTensorStructInfo *) derived);
    case LS_KIND_SHAPE_STRUCT_INFO:
      {
        LsShapeStructInfo *a = (LsShapeStructInfo *) base, *b = (LsShapeStructInfo *) derived;

        return (a->ndim < 0 || a->ndim == b->ndim) && (a->values == NULL || (b->values != NULL && same_extents (a->values, b->values)));
      }
    case LS_KIND_PRIM_STRUCT_INFO:
      {
        LsPrimStructInfo *a = (LsPrimStructInfo *) base, *b = (LsPrimStructInfo *) derived;

        return ls_dtype_equal (a->dtype, b->dtype) && (a->value == NULL || (b->value != NULL && same_expr (a->value, b->value)));
      }
    case LS_KIND_TUPLE_STRUCT_INFO:
      {
        LsArray *a = ((LsTupleStructInfo *) base)->fields, *b = ((LsTupleStructInfo *) derived)->fields;

        for (guint i = 0; i < a->n && a->n == b->n; i++)
          if (!ls_struct_info_is_base_of (a->items[i], b->items[i]))
            return FALSE;
        return a->n == b->n;
      }
    case LS_KIND_DTENSOR_STRUCT_INFO:
      return ls_struct_info_is_base_of (((LsDTensorStructInfo *) base)->tensor_sinfo, ((LsDTensorStructInfo *) derived)->tensor_sinfo)
             && ls_struct_info_equal (((LsDTensorStructInfo *) base)->device_mesh, ((LsDTensorStructInfo *) derived)->device_mesh)
             && ls_struct_info_equal (((LsDTensorStructInfo *) base)->placement, ((LsDTensorStructInfo *) derived)->placement);
    case LS_KIND_FUNC_STRUCT_INFO: return is_base_func ((LsFuncStructInfo *) base, (LsFuncStructInfo *) derived);
    default: return FALSE;
    }
}

/* ---- one or the other ------------------------------------------------------------------------ */

static LsStructInfo *
unify_tensors (LsTensorStructInfo *a,
               LsTensorStructInfo *b)
{
  LsDType dtype = ls_dtype_equal (a->dtype, b->dtype) ? a->dtype : LS_VOID;
  gint64 ndim = a->ndim == b->ndim ? a->ndim : LS_UNKNOWN_NDIM;
  LsNode *vdevice = a->vdevice != NULL && b->vdevice != NULL && ls_structural_equal (a->vdevice, b->vdevice, FALSE, NULL, NULL) ? a->vdevice : NULL;
  gboolean shape = a->shape != NULL && b->shape != NULL && same_shape (a->shape, b->shape);

  return ls_tensor_struct_info_new (shape ? ls_node_ref (a->shape) : NULL, ndim, dtype, ls_node_ref (vdevice));
}

static LsStructInfo *
unify_tuples (LsArray *a,
              LsArray *b)
{
  GPtrArray *fields = g_ptr_array_new ();

  for (guint i = 0; i < a->n; i++)
    g_ptr_array_add (fields, ls_struct_info_unify (a->items[i], b->items[i]));
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (fields));
}

/* The parameters stay where both have as many. */
static LsStructInfo *
unify_functions (LsFuncStructInfo *a,
                 LsFuncStructInfo *b)
{
  GPtrArray *params = a->params != NULL && b->params != NULL && a->params->n == b->params->n ? g_ptr_array_new () : NULL;

  for (guint i = 0; params != NULL && i < a->params->n; i++)
    g_ptr_array_add (params, ls_struct_info_unify (a->params->items[i], b->params->items[i]));
  return ls_func_struct_info_new (params != NULL ? ls_array_take_ptr_array (params) : NULL, ls_struct_info_unify (a->ret, b->ret), a->purity && b->purity);
}

LsStructInfo *
ls_struct_info_unify (LsStructInfo *a,
                      LsStructInfo *b)
{
  if (ls_is (a, TENSOR_STRUCT_INFO) && ls_is (b, TENSOR_STRUCT_INFO)
      && (((LsTensorStructInfo *) a)->vdevice == NULL) != (((LsTensorStructInfo *) b)->vdevice == NULL))
    return unify_tensors ((LsTensorStructInfo *) a, (LsTensorStructInfo *) b);
  if (ls_struct_info_is_base_of (a, b))
    return ls_node_ref (a);
  if (ls_struct_info_is_base_of (b, a))
    return ls_node_ref (b);
  if (ls_kind (a) != ls_kind (b))
    return ls_object_struct_info_new ();
  if (ls_is (a, TENSOR_STRUCT_INFO))
    return unify_tensors ((LsTensorStructInfo *) a, (LsTensorStructInfo *) b);
  if (ls_is (a, SHAPE_STRUCT_INFO))
    return ls_shape_struct_info_new (NULL, ((LsShapeStructInfo *) a)->ndim == ((LsShapeStructInfo *) b)->ndim ? ((LsShapeStructInfo *) a)->ndim
                                     : LS_UNKNOWN_NDIM);
  if (ls_is (a, PRIM_STRUCT_INFO) && ls_dtype_equal (((LsPrimStructInfo *) a)->dtype, ((LsPrimStructInfo *) b)->dtype))
    return ls_prim_struct_info_new (NULL, ((LsPrimStructInfo *) a)->dtype);
  if (ls_is (a, TUPLE_STRUCT_INFO) && ((LsTupleStructInfo *) a)->fields->n == ((LsTupleStructInfo *) b)->fields->n)
    return unify_tuples (((LsTupleStructInfo *) a)->fields, ((LsTupleStructInfo *) b)->fields);
  if (ls_is (a, FUNC_STRUCT_INFO))
    return unify_functions ((LsFuncStructInfo *) a, (LsFuncStructInfo *) b);
  return ls_object_struct_info_new ();
}

/* ---- calls ---------------------------------------------------------------------------------------- */

static void
match_expr (LsExpr     *pattern,
            LsExpr     *actual,
            GHashTable *symbols)
{
  if (ls_is_var (pattern) && !g_hash_table_contains (symbols, pattern) && ls_dtype_equal (ls_dtype (pattern), ls_dtype (actual)))
    g_hash_table_insert (symbols, ls_ref (pattern), ls_ref (actual));
}

static void
match_extents (LsArray    *pattern,
               LsArray    *actual,
               GHashTable *symbols)
{
  if (pattern != NULL && actual != NULL && pattern->n == actual->n)
    for (guint i = 0; i < pattern->n; i++)
      match_expr (LS_EXPR (pattern->items[i]), LS_EXPR (actual->items[i]), symbols);
}

void
ls_struct_info_match (LsStructInfo *pattern,
                      LsStructInfo *actual,
                      GHashTable   *symbols)
{
  if (ls_kind (pattern) != ls_kind (actual))
    return;
  if (ls_is (pattern, DTENSOR_STRUCT_INFO))
    ls_struct_info_match (((LsDTensorStructInfo *) pattern)->tensor_sinfo, ((LsDTensorStructInfo *) actual)->tensor_sinfo, symbols);
  else if (ls_is (pattern, TENSOR_STRUCT_INFO))
    match_extents (extents (((LsTensorStructInfo *) pattern)->shape), extents (((LsTensorStructInfo *) actual)->shape), symbols);
  else if (ls_is (pattern, SHAPE_STRUCT_INFO))
    match_extents (((LsShapeStructInfo *) pattern)->values, ((LsShapeStructInfo *) actual)->values, symbols);
  else if (ls_is (pattern, PRIM_STRUCT_INFO) && ((LsPrimStructInfo *) pattern)->value != NULL && ((LsPrimStructInfo *) actual)->value != NULL)
    match_expr (((LsPrimStructInfo *) pattern)->value, ((LsPrimStructInfo *) actual)->value, symbols);
  else if (ls_is (pattern, TUPLE_STRUCT_INFO))
    {
      LsArray *a = ((LsTupleStructInfo *) pattern)->fields, *b = ((LsTupleStructInfo *) actual)->fields;

      for (guint i = 0; i < MIN (a->n, b->n); i++)
        ls_struct_info_match (a->items[i], b->items[i], symbols);
    }
}

static LsWalk
note_unbound (LsNode  *node,
              gpointer user_data)
{
  GHashTable **tables = user_data;

  if (ls_is_var (node) && !g_hash_table_contains (tables[0], node))
    g_hash_table_add (tables[1], node);
  return LS_WALK_CONTINUE;
}

typedef struct { GHashTable *unbound, *known; } Known;

static LsWalk
note_known (LsNode  *node,
            gpointer user_data)
{
  Known *self = user_data;

  if (ls_is_var (node) && !g_hash_table_contains (self->unbound, node))
    g_hash_table_add (self->known, node);
  return LS_WALK_CONTINUE;
}

static LsNode *
simplified (LsRewriter *rewriter,
            LsNode     *node,
            gpointer    user_data)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;
  LsNode *fresh;

  if (!ls_is_expr (node))
    return ls_rewrite_default (rewriter, node);
  fresh = ls_substitute (node, user_data);
  if (fresh == node)
    return fresh;
  analyzer = ls_analyzer_new ();
  ls_take (&fresh, LS_NODE (ls_analyzer_simplify (analyzer, LS_EXPR (fresh))));
  return fresh;
}

LsStructInfo *
ls_signature_result_of_call (LsArray      *param_infos,
                             LsStructInfo *ret,
                             LsRelaxCall  *call)
{
  g_autoptr (GHashTable) symbols = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) unbound = g_hash_table_new (NULL, NULL), known = g_hash_table_new (NULL, NULL);
  GHashTable *tables[2] = { symbols, unbound };
  Known split = { unbound, known };
  g_autoptr (LsNode) bound = NULL;

  if (!(ret->facts & LS_FACT_HAS_VAR))
    return ls_node_ref (ret);
  for (guint i = 0; i < MIN (param_infos->n, call->args->n); i++)
    {
      g_autoptr (LsNode) actual = ls_relax_struct_info (call->args->items[i]);

      ls_struct_info_match (param_infos->items[i], actual, symbols);
    }
  ls_walk (ret, note_unbound, NULL, tables);
  bound = ls_rewrite_with (ret, simplified, symbols);
  ls_walk (bound, note_known, NULL, &split);
  return ls_struct_info_erase (bound, known);
}

LsStructInfo *
ls_function_result_of_call (LsFunction  *func,
                            LsRelaxCall *call)
{
  GPtrArray *infos = g_ptr_array_new ();
  g_autoptr (LsArray) params = NULL;

  for (guint i = 0; i < func->params->n; i++)
    g_ptr_array_add (infos, ls_node_ref (ls_array_at (func->params, i, LsRelaxVar)->struct_info));
  params = ls_array_take_ptr_array (infos);
  return ls_signature_result_of_call (params, func->ret_struct_info, call);
}
