/* print: a pattern as TVM prints it. */
#include "engine/relax/dpl/dpl.h"

static void put (GString *out, LsNode *node);

static void
put_list (GString *out,
          LsArray *list)
{
  for (guint i = 0; i < list->n; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      put (out, list->items[i]);
    }
}

static void
put_named (GString    *out,
           const char *name,
           LsNode     *pattern)
{
  g_string_append_printf (out, "%s(%s)", name, ((LsNamePattern *) pattern)->name);
}

static void
put_fields (GString    *out,
            const char *name,
            LsNode     *pattern)
{
  g_string_append_printf (out, "%s([", name);
  put_list (out, ((LsFieldsPattern *) pattern)->fields);
  g_string_append (out, "])");
}

static void
put_pair (GString    *out,
          const char *name,
          const char *sign,
          LsNode     *pattern)
{
  g_string_append_printf (out, "%s(", name);
  put (out, ((LsPairPattern *) pattern)->left);
  g_string_append_printf (out, " %s ", sign);
  put (out, ((LsPairPattern *) pattern)->right);
  g_string_append_c (out, ')');
}

static void
put_call (GString       *out,
          LsCallPattern *call)
{
  put (out, call->op);
  g_string_append_c (out, '(');
  put_list (out, call->args);
  if (call->varg_default_wildcard)
    g_string_append (out, call->args->n > 0 ? ", ..." : "...");
  g_string_append_c (out, ')');
}

static void
put_attrs (GString *out,
           LsMap   *attrs)
{
  g_string_append_c (out, '{');
  for (guint i = 0; i < attrs->n; i++)
    {
      g_string_append_printf (out, "%s\"%s\": ", i > 0 ? ", " : "", attrs->keys[i]);
      put (out, attrs->values[i]);
    }
  g_string_append_c (out, '}');
}

static void
put_other (GString *out,
           LsNode  *node)
{
  g_autofree char *text = NULL;
  gint64 value;

  if (ls_is (node, RELAX_OP))
    g_string_append_printf (out, "Op(%s)", ((LsRelaxOp *) node)->name);
  else if (ls_is (node, STRING))
    g_string_append_printf (out, "\"%s\"", ((LsString *) node)->value);
  else if (ls_is_relax_var (node))
    g_string_append (out, ((LsRelaxVar *) node)->name);
  else if (ls_as_int (node, &value))
    g_string_append_printf (out, "%" G_GINT64_FORMAT, value);
  else if (ls_is (node, ARRAY))
    {
      g_string_append_c (out, '[');
      put_list (out, (LsArray *) node);
      g_string_append_c (out, ']');
    }
  else if (node == NULL)
    g_string_append (out, "None");
  else
    {
      text = ls_repr (node, 3);
      g_string_append (out, text);
    }
}

static void
put (GString *out,
     LsNode  *node)
{
  switch (node != NULL ? (int) ls_kind (node) : -1)
    {
    case LS_KIND_EXPR_PATTERN: put (out, ((LsExprPattern *) node)->expr); return;
    case LS_KIND_VAR_PATTERN: put_named (out, "VarPattern", node); return;
    case LS_KIND_DATAFLOW_VAR_PATTERN: put_named (out, "DataflowVarPattern", node); return;
    case LS_KIND_GLOBAL_VAR_PATTERN: put_named (out, "GlobalVarPattern", node); return;
    case LS_KIND_EXTERN_FUNC_PATTERN: put_named (out, "ExternFuncPattern", node); return;
    case LS_KIND_CONSTANT_PATTERN: g_string_append (out, "ConstantPattern()"); return;
    case LS_KIND_WILDCARD_PATTERN: g_string_append_c (out, '*'); return;
    case LS_KIND_CALL_PATTERN: put_call (out, (LsCallPattern *) node); return;
    case LS_KIND_FUNCTION_PATTERN:
      g_string_append (out, "FunctionPattern([");
      put_list (out, ((LsFunctionPattern *) node)->params);
      g_string_append (out, "], ");
      put (out, ((LsFunctionPattern *) node)->body);
      g_string_append_c (out, ')');
      return;
    case LS_KIND_TUPLE_PATTERN: put_fields (out, "TuplePattern", node); return;
    case LS_KIND_UNORDERED_TUPLE_PATTERN: put_fields (out, "UnorderedTuplePattern", node); return;
    case LS_KIND_PRIM_ARR_PATTERN: put_fields (out, "PrimArrPattern", node); return;
    case LS_KIND_TUPLE_GET_ITEM_PATTERN:
      g_string_append (out, "TupleGetItemPattern(");
      put (out, ((LsTupleGetItemPattern *) node)->tuple);
      g_string_append_printf (out, ", %d)", (int) ((LsTupleGetItemPattern *) node)->index);
      return;
    case LS_KIND_OR_PATTERN: put_pair (out, "OrPattern", "|", node); return;
    case LS_KIND_AND_PATTERN: put_pair (out, "AndPattern", "&", node); return;
    case LS_KIND_NOT_PATTERN:
      g_string_append (out, "!(");
      put (out, ((LsNotPattern *) node)->reject);
      g_string_append_c (out, ')');
      return;
    case LS_KIND_STRUCT_INFO_PATTERN:
      g_string_append (out, "StructInfoPattern(");
      put (out, ((LsStructInfoPattern *) node)->pattern);
      g_string_append (out, " has relax StructInfo ");
      put (out, ((LsStructInfoPattern *) node)->struct_info);
      g_string_append_c (out, ')');
      return;
    case LS_KIND_SHAPE_PATTERN:
      g_string_append (out, "ShapePattern(");
      put (out, ((LsShapePattern *) node)->pattern);
      g_string_append (out, " has shape ");
      put (out, LS_NODE (((LsShapePattern *) node)->shape));
      g_string_append_c (out, ')');
      return;
    case LS_KIND_DATA_TYPE_PATTERN:
      g_string_append (out, "DataTypePattern(");
      put (out, ((LsDataTypePattern *) node)->pattern);
      g_string_append_printf (out, " has dtype %s)", ls_dtype_name (((LsDataTypePattern *) node)->dtype));
      return;
    case LS_KIND_ATTR_PATTERN:
      g_string_append (out, "AttrPattern(");
      put (out, ((LsAttrPattern *) node)->pattern);
      g_string_append (out, " has attributes ");
      put_attrs (out, ((LsAttrPattern *) node)->attrs);
      g_string_append_c (out, ')');
      return;
    case LS_KIND_SAME_SHAPE_CONSTRAINT:
      g_string_append (out, "SameShapeConstraint(");
      put_list (out, ((LsSameShape *) node)->args);
      g_string_append_c (out, ')');
      return;
    default:
      put_other (out, node);
    }
}

char *
ls_pattern_print (LsPattern *pattern)
{
  GString *out = g_string_new (NULL);

  put (out, pattern);
  return g_string_free (out, FALSE);
}
