/* pattern: the patterns of dataflow as nodes.  All are identity nodes: a table by pattern tells what fits each of them. */
#include "engine/relax/dpl/dpl.h"
#include "engine/relax/relax-private.h"

#define NAMED(symbol, KIND, Name, field) \
  LS_CLASS (symbol, KIND, Name, LsNamePattern, LS_CLASS_IDENTITY, LS_FIELD_NAMED (LsNamePattern, name, field, STRING, 0))
#define FIELDS(symbol, KIND, Name) \
  LS_CLASS (symbol, KIND, Name, LsFieldsPattern, LS_CLASS_IDENTITY, LS_FIELD (LsFieldsPattern, fields, NODE, 0))
#define PAIR(symbol, KIND, Name) \
  LS_CLASS (symbol, KIND, Name, LsPairPattern, LS_CLASS_IDENTITY, LS_FIELD (LsPairPattern, left, NODE, 0), LS_FIELD (LsPairPattern, right, NODE, 0))

LS_CLASS (ls_expr_pattern_class, EXPR_PATTERN, "relax.dpl.ExprPattern", LsExprPattern, LS_CLASS_IDENTITY, LS_FIELD (LsExprPattern, expr, NODE, 0));
NAMED (ls_var_pattern_class, VAR_PATTERN, "relax.dpl.VarPattern", "name");
NAMED (ls_dataflow_var_pattern_class, DATAFLOW_VAR_PATTERN, "relax.dpl.DataflowVarPattern", "name");
NAMED (ls_global_var_pattern_class, GLOBAL_VAR_PATTERN, "relax.dpl.GlobalVarPattern", "name");
NAMED (ls_extern_func_pattern_class, EXTERN_FUNC_PATTERN, "relax.dpl.ExternFuncPattern", "global_symbol");
static const LsNodeClass ls_constant_pattern_class = { LS_KIND_CONSTANT_PATTERN, "relax.dpl.ConstantPattern", sizeof (LsPlainPattern), LS_CLASS_IDENTITY, NULL, 0 };
static const LsNodeClass ls_wildcard_pattern_class = { LS_KIND_WILDCARD_PATTERN, "relax.dpl.WildcardPattern", sizeof (LsPlainPattern), LS_CLASS_IDENTITY, NULL, 0 };
LS_CLASS (ls_call_pattern_class, CALL_PATTERN, "relax.dpl.CallPattern", LsCallPattern, LS_CLASS_IDENTITY,
          LS_FIELD (LsCallPattern, op, NODE, 0),
          LS_FIELD (LsCallPattern, args, NODE, 0),
          LS_FIELD (LsCallPattern, varg_default_wildcard, BOOL, 0));
LS_CLASS (ls_function_pattern_class, FUNCTION_PATTERN, "relax.dpl.FunctionPattern", LsFunctionPattern, LS_CLASS_IDENTITY,
          LS_FIELD (LsFunctionPattern, params, NODE, 0),
          LS_FIELD (LsFunctionPattern, body, NODE, 0));
FIELDS (ls_tuple_pattern_class, TUPLE_PATTERN, "relax.dpl.TuplePattern");
FIELDS (ls_unordered_pattern_class, UNORDERED_TUPLE_PATTERN, "relax.dpl.UnorderedTuplePattern");
FIELDS (ls_prim_arr_pattern_class, PRIM_ARR_PATTERN, "relax.dpl.PrimArrPattern");
LS_CLASS (ls_item_pattern_class, TUPLE_GET_ITEM_PATTERN, "relax.dpl.TupleGetItemPattern", LsTupleGetItemPattern, LS_CLASS_IDENTITY,
          LS_FIELD (LsTupleGetItemPattern, tuple, NODE, 0),
          LS_FIELD (LsTupleGetItemPattern, index, INT, 0));
PAIR (ls_or_pattern_class, OR_PATTERN, "relax.dpl.OrPattern");
PAIR (ls_and_pattern_class, AND_PATTERN, "relax.dpl.AndPattern");
LS_CLASS (ls_not_pattern_class, NOT_PATTERN, "relax.dpl.NotPattern", LsNotPattern, LS_CLASS_IDENTITY, LS_FIELD (LsNotPattern, reject, NODE, 0));
LS_CLASS (ls_info_pattern_class, STRUCT_INFO_PATTERN, "relax.dpl.StructInfoPattern", LsStructInfoPattern, LS_CLASS_IDENTITY,
          LS_FIELD (LsStructInfoPattern, pattern, NODE, 0),
          LS_FIELD (LsStructInfoPattern, struct_info, NODE, 0));
LS_CLASS (ls_shape_pattern_class, SHAPE_PATTERN, "relax.dpl.ShapePattern", LsShapePattern, LS_CLASS_IDENTITY,
          LS_FIELD (LsShapePattern, pattern, NODE, 0),
          LS_FIELD (LsShapePattern, shape, NODE, 0));
LS_CLASS (ls_data_type_pattern_class, DATA_TYPE_PATTERN, "relax.dpl.DataTypePattern", LsDataTypePattern, LS_CLASS_IDENTITY,
          LS_FIELD (LsDataTypePattern, pattern, NODE, 0),
          LS_FIELD (LsDataTypePattern, dtype, DTYPE, 0));
LS_CLASS (ls_attr_pattern_class, ATTR_PATTERN, "relax.dpl.AttrPattern", LsAttrPattern, LS_CLASS_IDENTITY,
          LS_FIELD (LsAttrPattern, pattern, NODE, 0),
          LS_FIELD (LsAttrPattern, attrs, NODE, 0));
LS_CLASS (ls_same_shape_pattern_class, SAME_SHAPE_CONSTRAINT, "relax.dpl.SameShapeConstraint", LsSameShape, LS_CLASS_IDENTITY,
          LS_FIELD (LsSameShape, args, NODE, 0));

static const LsNodeClass *const CLASSES[] = {
  &ls_expr_pattern_class, &ls_var_pattern_class, &ls_dataflow_var_pattern_class, &ls_global_var_pattern_class, &ls_extern_func_pattern_class, &ls_constant_pattern_class, &ls_call_pattern_class, &ls_function_pattern_class,
  &ls_tuple_pattern_class, &ls_unordered_pattern_class, &ls_item_pattern_class, &ls_or_pattern_class, &ls_and_pattern_class, &ls_not_pattern_class, &ls_wildcard_pattern_class, &ls_info_pattern_class, &ls_shape_pattern_class,
  &ls_data_type_pattern_class, &ls_attr_pattern_class, &ls_prim_arr_pattern_class, &ls_same_shape_pattern_class,
};

void
ls_dpl_register_classes (void)
{
  ls_class_register (CLASSES, G_N_ELEMENTS (CLASSES));
}

/* ORDER: CLASSES as the kinds in LS_KINDS */
static gpointer
alloc (LsKind kind)
{
  G_STATIC_ASSERT (G_N_ELEMENTS (CLASSES) == LS_KIND_SAME_SHAPE_CONSTRAINT - LS_KIND_EXPR_PATTERN + 1);
  return ls_node_alloc (CLASSES[kind - LS_KIND_EXPR_PATTERN]);
}

gboolean
ls_is_pattern (gconstpointer node)
{
  return node != NULL && ls_kind (node) >= LS_KIND_EXPR_PATTERN && ls_kind (node) < LS_KIND_SAME_SHAPE_CONSTRAINT;
}

gboolean
ls_pattern_is_computed (LsPattern *pattern)
{
  return ls_is (pattern, CALL_PATTERN) || ls_is (pattern, TUPLE_GET_ITEM_PATTERN);
}

/* ---- constructors ------------------------------------------------------------------- */

LsPattern *
ls_expr_pattern_new (LsNode *expr)
{
  LsExprPattern *self = alloc (LS_KIND_EXPR_PATTERN);

  self->expr = expr;
  return ls_node_finish (self);
}

LsPattern *
ls_op_pattern_new (const char *name)
{
  return ls_expr_pattern_new (ls_relax_op_new (name));
}

LsPattern *
ls_name_pattern_new (LsKind      kind,
                     const char *name)
{
  LsNamePattern *self = alloc (kind);

  self->name = g_strdup (name != NULL ? name : "");
  return ls_node_finish (self);
}

LsPattern *
ls_constant_pattern_new (void)
{
  return ls_node_finish (alloc (LS_KIND_CONSTANT_PATTERN));
}

LsPattern *
ls_wildcard_new (void)
{
  return ls_node_finish (alloc (LS_KIND_WILDCARD_PATTERN));
}

LsPattern *
ls_call_pattern_new (LsPattern *op,
                     LsArray   *args,
                     gboolean   varg_default_wildcard)
{
  LsCallPattern *self = alloc (LS_KIND_CALL_PATTERN);

  self->op = op;
  self->args = args;
  self->varg_default_wildcard = varg_default_wildcard;
  return ls_node_finish (self);
}

LsPattern *
ls_function_pattern_new (LsArray   *params,
                         LsPattern *body)
{
  LsFunctionPattern *self = alloc (LS_KIND_FUNCTION_PATTERN);

  self->params = params;
  self->body = body;
  return ls_node_finish (self);
}

LsPattern *
ls_fields_pattern_new (LsKind   kind,
                       LsArray *fields)
{
  LsFieldsPattern *self = alloc (kind);

  self->fields = fields;
  return ls_node_finish (self);
}

LsPattern *
ls_tuple_get_item_pattern_new (LsPattern *tuple,
                               gint64     index)
{
  LsTupleGetItemPattern *self = alloc (LS_KIND_TUPLE_GET_ITEM_PATTERN);

  self->tuple = tuple;
  self->index = index;
  return ls_node_finish (self);
}

LsPattern *
ls_pair_pattern_new (LsKind     kind,
                     LsPattern *left,
                     LsPattern *right)
{
  LsPairPattern *self = alloc (kind);

  self->left = left;
  self->right = right;
  return ls_node_finish (self);
}

LsPattern *
ls_not_pattern_new (LsPattern *reject)
{
  LsNotPattern *self = alloc (LS_KIND_NOT_PATTERN);

  self->reject = reject;
  return ls_node_finish (self);
}

LsPattern *
ls_struct_info_pattern_new (LsPattern    *pattern,
                            LsStructInfo *struct_info)
{
  LsStructInfoPattern *self = alloc (LS_KIND_STRUCT_INFO_PATTERN);

  self->pattern = pattern;
  self->struct_info = struct_info;
  return ls_node_finish (self);
}

LsPattern *
ls_shape_pattern_new (LsPattern *pattern,
                      LsArray   *shape)
{
  LsShapePattern *self = alloc (LS_KIND_SHAPE_PATTERN);

  self->pattern = pattern;
  self->shape = shape;
  return ls_node_finish (self);
}

LsPattern *
ls_data_type_pattern_new (LsPattern *pattern,
                          LsDType    dtype)
{
  LsDataTypePattern *self = alloc (LS_KIND_DATA_TYPE_PATTERN);

  self->pattern = pattern;
  self->dtype = dtype;
  return ls_node_finish (self);
}

LsPattern *
ls_attr_pattern_new (LsPattern *pattern,
                     LsMap     *attrs)
{
  LsAttrPattern *self = alloc (LS_KIND_ATTR_PATTERN);

  self->pattern = pattern;
  self->attrs = attrs;
  return ls_node_finish (self);
}

LsNode *
ls_same_shape_new (LsArray *args)
{
  LsSameShape *self = alloc (LS_KIND_SAME_SHAPE_CONSTRAINT);

  self->args = args;
  return ls_node_finish (self);
}

/* ---- duplicates ------------------------------------------------------------------------ */

static LsPattern *duplicate (LsPattern *pattern, GHashTable *memo);

static LsArray *
duplicate_list (LsArray    *list,
                GHashTable *memo)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < list->n; i++)
    g_ptr_array_add (out, duplicate (list->items[i], memo));
  return ls_array_take_ptr_array (out);
}

static LsPattern *
copy (LsPattern  *pattern,
      GHashTable *memo)
{
  switch ((int) ls_kind (pattern))
    {
    case LS_KIND_EXPR_PATTERN: return ls_expr_pattern_new (ls_node_ref (((LsExprPattern *) pattern)->expr));
    case LS_KIND_VAR_PATTERN:
    case LS_KIND_DATAFLOW_VAR_PATTERN:
    case LS_KIND_GLOBAL_VAR_PATTERN:
    case LS_KIND_EXTERN_FUNC_PATTERN: return ls_name_pattern_new (ls_kind (pattern), ((LsNamePattern *) pattern)->name);
    case LS_KIND_CONSTANT_PATTERN: return ls_constant_pattern_new ();
    case LS_KIND_CALL_PATTERN:
      {
        LsCallPattern *self = (LsCallPattern *) pattern;
        LsPattern *op = duplicate (self->op, memo);

        return ls_call_pattern_new (op, duplicate_list (self->args, memo), self->varg_default_wildcard);
      }
    case LS_KIND_FUNCTION_PATTERN:
      {
        LsArray *params = duplicate_list (((LsFunctionPattern *) pattern)->params, memo);

        return ls_function_pattern_new (params, duplicate (((LsFunctionPattern *) pattern)->body, memo));
      }
    case LS_KIND_TUPLE_PATTERN:
    case LS_KIND_UNORDERED_TUPLE_PATTERN: return ls_fields_pattern_new (ls_kind (pattern), duplicate_list (((LsFieldsPattern *) pattern)->fields, memo));
    case LS_KIND_PRIM_ARR_PATTERN: return ls_fields_pattern_new (ls_kind (pattern), ls_ref (((LsFieldsPattern *) pattern)->fields));
    case LS_KIND_TUPLE_GET_ITEM_PATTERN:
      return ls_tuple_get_item_pattern_new (duplicate (((LsTupleGetItemPattern *) pattern)->tuple, memo), ((LsTupleGetItemPattern *) pattern)->index);
    case LS_KIND_OR_PATTERN:
    case LS_KIND_AND_PATTERN:
      {
        LsPattern *left = duplicate (((LsPairPattern *) pattern)->left, memo);

        return ls_pair_pattern_new (ls_kind (pattern), left, duplicate (((LsPairPattern *) pattern)->right, memo));
      }
    case LS_KIND_NOT_PATTERN: return ls_not_pattern_new (duplicate (((LsNotPattern *) pattern)->reject, memo));
    case LS_KIND_STRUCT_INFO_PATTERN:
      return ls_struct_info_pattern_new (duplicate (((LsStructInfoPattern *) pattern)->pattern, memo), ls_node_ref (((LsStructInfoPattern *) pattern)->struct_info));
    case LS_KIND_SHAPE_PATTERN: return ls_shape_pattern_new (duplicate (((LsShapePattern *) pattern)->pattern, memo), ls_ref (((LsShapePattern *) pattern)->shape));
    case LS_KIND_DATA_TYPE_PATTERN:
      return ls_data_type_pattern_new (duplicate (((LsDataTypePattern *) pattern)->pattern, memo), ((LsDataTypePattern *) pattern)->dtype);
    case LS_KIND_ATTR_PATTERN: return ls_attr_pattern_new (duplicate (((LsAttrPattern *) pattern)->pattern, memo), ls_ref (((LsAttrPattern *) pattern)->attrs));
    default: return ls_wildcard_new ();
    }
}

static LsPattern *
duplicate (LsPattern  *pattern,
           GHashTable *memo)
{
  LsPattern *known = g_hash_table_lookup (memo, pattern);

  if (known == NULL)
    {
      known = copy (pattern, memo);
      g_hash_table_insert (memo, pattern, known);
    }
  return ls_node_ref (known);
}

LsPattern *
ls_pattern_duplicate (LsPattern *pattern)
{
  g_autoptr (GHashTable) memo = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);

  return duplicate (pattern, memo);
}
