/* match: does an expression fit a pattern?
 *
 * Depth first.  A pattern that was met fits only what it fitted then (a table and, for going back, the order in which it
 * was filled).  Variables jump to their values before each comparison; what is known of a value is taken from the variable
 * it was reached by.  add and multiply fit with their arguments swapped, (a * b) / c and a * (b / c) fit each other.
 * Symbolic dimensions of a StructInfoPattern are bound where they are met first, and agree afterwards.
 */
#include "engine/base/stack.h"
#include "engine/relax/dpl/dpl-private.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/relation.h"

#include <string.h>

typedef struct {
  GHashTable *values;           /* or NULL */
  LsPatternMatch *match;
  GPtrArray  *equations;        /* of LsExpr: variable, value, variable, value ... (references) */
  GPtrArray  *made;             /* patterns made on the way (references) */
  LsAnalyzer *analyzer;
  LsPattern  *root;
  LsFailures *failures;         /* once there is reason to remember them */
  guint       visits;
} Matcher;

#define VISITS_BEFORE 200u      /* short matches remember nothing */

static __thread guint last_visits;

typedef struct {
  guint patterns, equations;
} Mark;

static gboolean visit (Matcher *self, LsPattern *pattern, LsNode *expr);

/* ---- values of variables ------------------------------------------------------------------- */

LsNode *
ls_pattern_jump (LsNode     *expr,
                 GHashTable *values)
{
  LsNode *value;

  /* past names of names: what a match keeps for the pattern of a call is a call */
  while (values != NULL && ls_is_relax_var (expr) && (value = g_hash_table_lookup (values, expr)) != NULL)
    expr = value;
  return expr;
}

static LsWalk
note_value (LsNode  *node,
            gpointer values)
{
  if (ls_is (node, VAR_BINDING))
    g_hash_table_insert (values, ((LsVarBinding *) node)->var, ((LsVarBinding *) node)->value);
  return LS_WALK_CONTINUE;
}

GHashTable *
ls_relax_values (gpointer node)
{
  GHashTable *values = g_hash_table_new (NULL, NULL);

  ls_walk (node, note_value, NULL, values);
  return values;
}

/* ---- going back -------------------------------------------------------------------------------- */

static Mark
mark (Matcher *self)
{
  return (Mark) { self->match->order->len, self->equations->len };
}

static void
go_back (Matcher *self,
         Mark     to)
{
  while (self->match->order->len > to.patterns)
    g_hash_table_remove (self->match->exprs, g_ptr_array_steal_index (self->match->order, self->match->order->len - 1));
  g_ptr_array_set_size (self->equations, (gint) to.equations);
}

static LsPattern *
keep (Matcher   *self,
      LsPattern *made)
{
  g_ptr_array_add (self->made, made);
  return made;
}

/* ---- what is known ----------------------------------------------------------------------------- */

static LsStructInfo *
info_of (LsNode *expr)
{
  if (ls_is_relax_var (expr) && ((LsRelaxVar *) expr)->struct_info != NULL)
    return ls_node_ref (((LsRelaxVar *) expr)->struct_info);
  return ls_is_relax_expr (expr) ? ls_relax_struct_info (expr) : ls_object_struct_info_new ();
}

static LsExpr *
with_equations (Matcher *self,
                LsExpr  *expr)
{
  LsExpr *now = ls_ref (expr);

  for (guint i = 0; i < self->equations->len; i += 2)
    ls_take (&now, (LsExpr *) ls_substitute_one (now, self->equations->pdata[i], self->equations->pdata[i + 1]));
  return now;
}

static void
add_equation (Matcher *self,
              LsExpr  *var,
              LsExpr  *value)
{
  g_ptr_array_add (self->equations, ls_ref (var));
  g_ptr_array_add (self->equations, ls_ref (value));
}

/* Can the two be equal, with all that was found so far? */
static gboolean
equate (Matcher *self,
        LsExpr  *wanted,
        LsExpr  *found)
{
  g_autoptr (LsNode) a = LS_NODE (with_equations (self, wanted)), b = LS_NODE (with_equations (self, found));
  g_autoptr (LsNode) same = NULL, simple = NULL;

  if (!ls_dtype_equal (ls_dtype (a), ls_dtype (b)))
    return FALSE;
  same = LS_NODE (ls_eq (ls_ref (LS_EXPR (a)), ls_ref (LS_EXPR (b))));
  simple = LS_NODE (ls_analyzer_simplify (self->analyzer, LS_EXPR (same)));
  if (ls_is (simple, INT_IMM))
    return !ls_is_zero (simple);
  if (ls_is_var (a))
    add_equation (self, LS_EXPR (a), LS_EXPR (b));
  else if (ls_is_var (b))
    add_equation (self, LS_EXPR (b), LS_EXPR (a));
  return TRUE;
}

static gboolean
equate_all (Matcher *self,
            LsArray *wanted,
            LsArray *found)
{
  if (wanted->n != found->n)
    return FALSE;
  for (guint i = 0; i < wanted->n; i++)
    if (!equate (self, LS_EXPR (wanted->items[i]), LS_EXPR (found->items[i])))
      return FALSE;
  return TRUE;
}

LsStructInfo *
ls_pattern_match_info (LsPatternMatch *self,
                       LsPattern      *pattern)
{
  LsNode *origin = g_hash_table_lookup (self->origins, pattern), *expr = ls_pattern_match_get (self, pattern);

  return expr != NULL ? info_of (ls_is_relax_var (origin) ? origin : expr) : ls_object_struct_info_new ();
}

static gboolean
info_fits (Matcher      *self,
           LsStructInfo *wanted,
           LsStructInfo *found)
{
  if (ls_is (wanted, TENSOR_STRUCT_INFO) && ls_is (found, TENSOR_STRUCT_INFO))
    {
      LsTensorStructInfo *a = (LsTensorStructInfo *) wanted, *b = (LsTensorStructInfo *) found;

      if ((!ls_dtype_is_void (a->dtype) && !ls_dtype_equal (a->dtype, b->dtype)) || (a->ndim >= 0 && a->ndim != b->ndim))
        return FALSE;
      if (ls_is (a->shape, SHAPE_EXPR) && ls_is (b->shape, SHAPE_EXPR))
        return equate_all (self, ((LsShapeExpr *) a->shape)->values, ((LsShapeExpr *) b->shape)->values);
    }
  if (ls_is (wanted, SHAPE_STRUCT_INFO) && ls_is (found, SHAPE_STRUCT_INFO))
    {
      LsShapeStructInfo *a = (LsShapeStructInfo *) wanted, *b = (LsShapeStructInfo *) found;

      if (a->values != NULL && b->values != NULL)
        return equate_all (self, a->values, b->values);
    }
  if (ls_is (wanted, PRIM_STRUCT_INFO) && ls_is (found, PRIM_STRUCT_INFO))
    {
      LsPrimStructInfo *a = (LsPrimStructInfo *) wanted, *b = (LsPrimStructInfo *) found;

      if (a->value != NULL && b->value != NULL)
        return equate (self, a->value, b->value);
    }
  if (ls_is (wanted, TUPLE_STRUCT_INFO) && ls_is (found, TUPLE_STRUCT_INFO))
    {
      LsArray *a = ((LsTupleStructInfo *) wanted)->fields, *b = ((LsTupleStructInfo *) found)->fields;

      for (guint i = 0; a->n == b->n && i < a->n; i++)
        if (!info_fits (self, a->items[i], b->items[i]))
          return FALSE;
      return a->n == b->n;
    }
  return ls_struct_info_is_base_of (wanted, found);
}

static gboolean
same_extents (Matcher *self,
              LsArray *a,
              LsArray *b)
{
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n; i++)
    if (!ls_analyzer_can_prove_equal (self->analyzer, LS_EXPR (a->items[i]), LS_EXPR (b->items[i])))
      return FALSE;
  return TRUE;
}

static gboolean
shape_is (Matcher *self,
          LsArray *wanted,
          LsNode  *origin)
{
  g_autoptr (LsNode) info = info_of (origin);
  LsNode *shape = ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->shape : NULL;

  return ls_is (shape, SHAPE_EXPR) && same_extents (self, wanted, ((LsShapeExpr *) shape)->values);
}

static gboolean
dtype_is (LsDType  wanted,
          LsNode  *origin)
{
  g_autoptr (LsNode) info = info_of (origin);

  return ls_is (info, TENSOR_STRUCT_INFO) && ls_dtype_equal (((LsTensorStructInfo *) info)->dtype, wanted);
}

/* ---- attributes ------------------------------------------------------------------------------------ */

static gboolean
value_is (LsNode *wanted,
          LsNode *found)
{
  gint64 a, b;

  if (wanted == NULL || found == NULL)
    return wanted == found;
  if (ls_as_int (wanted, &a) && ls_as_int (found, &b))
    return a == b;
  if (ls_is (wanted, FLOAT_IMM) && ls_is (found, FLOAT_IMM))
    return ((LsFloatImm *) wanted)->value == ((LsFloatImm *) found)->value;
  if (ls_is (wanted, STRING_IMM) && ls_is (found, STRING))
    return strcmp (((LsStringImm *) wanted)->value, ((LsString *) found)->value) == 0;
  if (ls_is (wanted, STRING) && ls_is (found, DATA_TYPE_IMM))
    return strcmp (((LsString *) wanted)->value, ls_dtype_name (((LsDataTypeImm *) found)->value)) == 0;
  if (ls_is (wanted, ARRAY) && ls_is (found, ARRAY))
    {
      LsArray *x = (LsArray *) wanted, *y = (LsArray *) found;

      for (guint i = 0; x->n == y->n && i < x->n; i++)
        if (!value_is (x->items[i], y->items[i]))
          return FALSE;
      return x->n == y->n;
    }
  return ls_structural_equal (wanted, found, TRUE, NULL, NULL);
}

static gboolean
call_has (LsRelaxCall *call,
          const char  *name,
          LsNode      *wanted)
{
  for (guint i = 0; i < call->attr_names->n; i++)
    if (strcmp (ls_array_at (call->attr_names, i, LsString)->value, name) == 0)
      return value_is (wanted, call->attrs->items[i]);
  return FALSE;
}

static gboolean
has_attrs (LsMap  *attrs,
           LsNode *expr)
{
  for (guint i = 0; i < attrs->n; i++)
    if (ls_is (expr, RELAX_CALL) ? !call_has ((LsRelaxCall *) expr, attrs->keys[i], attrs->values[i])
        : !ls_is (expr, FUNCTION) || ls_map_get (((LsFunction *) expr)->attrs, attrs->keys[i]) == NULL
          || !value_is (attrs->values[i], ls_map_get (((LsFunction *) expr)->attrs, attrs->keys[i])))
      return FALSE;
  return ls_is (expr, RELAX_CALL) || ls_is (expr, FUNCTION);
}

/* ---- calls -------------------------------------------------------------------------------------------- */

static gboolean
is_pattern_of (LsPattern  *pattern,
               const char *op)
{
  LsPattern *callee = ls_is (pattern, CALL_PATTERN) ? ((LsCallPattern *) pattern)->op : NULL;
  LsNode *expr = ls_is (callee, EXPR_PATTERN) ? ((LsExprPattern *) callee)->expr : NULL;

  return ls_is (expr, RELAX_OP) && strcmp (((LsRelaxOp *) expr)->name, op) == 0;
}

static gboolean
visit_args (Matcher *self,
            LsArray *patterns,
            LsArray *args,
            gboolean backwards)
{
  Mark before = mark (self);

  for (guint i = 0; i < patterns->n; i++)
    if (!visit (self, patterns->items[i], args->items[backwards ? args->n - 1 - i : i]))
      {
        go_back (self, before);
        return FALSE;
      }
  return TRUE;
}

static gboolean
any_arg_is (Matcher     *self,
            LsRelaxCall *call,
            const char  *op)
{
  for (guint i = 0; i < MIN (call->args->n, 2); i++)
    if (ls_is_relax_call (call->args->items[i], op))
      return TRUE;
  return FALSE;
}

static LsPattern *
call_of (Matcher   *self,
         LsPattern *op,
         LsPattern *a,
         LsPattern *b)
{
  return keep (self, ls_call_pattern_new (ls_node_ref (op), ls_array_of (ls_node_ref (a), ls_node_ref (b), NULL), FALSE));
}

/* (a * b) / c asked for, a * (b / c) found, or the other way round */
static gboolean
visit_associated (Matcher       *self,
                  LsCallPattern *pattern,
                  LsRelaxCall   *call)
{
  LsArray *args = pattern->args;

  if (args->n != 2)
    return FALSE;
  if (is_pattern_of (LS_NODE (pattern), "relax.divide") && is_pattern_of (args->items[0], "relax.multiply")
      && ls_is_relax_call (call, "relax.multiply") && any_arg_is (self, call, "relax.divide"))
    for (guint i = 0; i < 2; i++)
      {
        LsCallPattern *inner = (LsCallPattern *) args->items[0];
        Mark before = mark (self);
        LsPattern *quotient = call_of (self, pattern->op, inner->args->items[i], args->items[1]);

        if (visit (self, call_of (self, inner->op, inner->args->items[1 - i], quotient), LS_NODE (call)))
          return TRUE;
        go_back (self, before);
      }
  if (is_pattern_of (LS_NODE (pattern), "relax.multiply") && ls_is_relax_call (call, "relax.divide") && any_arg_is (self, call, "relax.multiply"))
    for (guint i = 0; i < 2; i++)
      if (is_pattern_of (args->items[i], "relax.divide"))
        {
          LsCallPattern *inner = (LsCallPattern *) args->items[i];
          LsPattern *product = call_of (self, pattern->op, inner->args->items[0], args->items[1 - i]);

          return visit (self, call_of (self, inner->op, product, inner->args->items[1]), LS_NODE (call));
        }
  return FALSE;
}

static gboolean
visit_call (Matcher       *self,
            LsCallPattern *pattern,
            LsRelaxCall   *call)
{
  Mark before = mark (self);
  guint wanted = pattern->args->n, found = call->args->n;

  if (!visit (self, pattern->op, call->op))
    {
      go_back (self, before);
      return visit_associated (self, pattern, call);
    }
  if (pattern->varg_default_wildcard ? found < wanted : found != wanted)
    return FALSE;
  return visit_args (self, pattern->args, call->args, FALSE)
         || ((ls_is_relax_call (call, "relax.add") || ls_is_relax_call (call, "relax.multiply")) && visit_args (self, pattern->args, call->args, TRUE));
}

/* ---- the kinds ------------------------------------------------------------------------------------------- */

static gboolean
visit_unordered (Matcher  *self,
                 LsArray  *patterns,
                 LsArray  *fields,
                 guint     at,
                 gboolean *taken)
{
  if (at == patterns->n)
    return TRUE;
  for (guint i = 0; i < fields->n; i++)
    {
      Mark before = mark (self);

      if (taken[i])
        continue;
      taken[i] = TRUE;
      if (visit (self, patterns->items[at], fields->items[i]) && visit_unordered (self, patterns, fields, at + 1, taken))
        return TRUE;
      go_back (self, before);
      taken[i] = FALSE;
    }
  return FALSE;
}

static gboolean
visit_fields (Matcher   *self,
              LsPattern *pattern,
              LsNode    *expr)
{
  LsArray *patterns = ((LsFieldsPattern *) pattern)->fields;
  LsArray *fields = ls_is (expr, RELAX_TUPLE) ? ((LsRelaxTuple *) expr)->fields : NULL;
  g_autofree gboolean *taken = NULL;

  if (fields == NULL || fields->n != patterns->n)
    return FALSE;
  if (ls_is (pattern, TUPLE_PATTERN))
    return visit_args (self, patterns, fields, FALSE);
  taken = g_new0 (gboolean, fields->n + 1);
  return visit_unordered (self, patterns, fields, 0, taken);
}

static gboolean
visit_function (Matcher           *self,
                LsFunctionPattern *pattern,
                LsFunction        *func)
{
  LsSeqExpr *body = (LsSeqExpr *) func->body;
  LsNode *result = ls_is (body, SEQ_EXPR) ? body->body : func->body;
  g_autoptr (GHashTable) inside = ls_relax_values (func->body);

  return func->params->n == pattern->params->n && visit_args (self, pattern->params, func->params, FALSE)
         && (visit (self, pattern->body, func->body) || visit (self, pattern->body, ls_pattern_jump (result, inside)));
}

static gboolean
name_is (LsPattern  *pattern,
         const char *name)
{
  const char *wanted = ((LsNamePattern *) pattern)->name;

  return *wanted == '\0' || strcmp (wanted, name) == 0;
}

static gboolean
expr_is (LsNode *wanted,
         LsNode *found)
{
  return wanted == found || ls_structural_equal (wanted, found, FALSE, NULL, NULL);
}

/* `expr` behind the jump, `origin` before it: what is known is known of that. */
static gboolean
fits (Matcher   *self,
      LsPattern *pattern,
      LsNode    *expr,
      LsNode    *origin)
{
  LsNode *value = ls_pattern_jump (expr, self->values);

  switch ((int) ls_kind (pattern))
    {
    case LS_KIND_WILDCARD_PATTERN: return TRUE;
    case LS_KIND_EXPR_PATTERN: return expr_is (((LsExprPattern *) pattern)->expr, value);
    case LS_KIND_VAR_PATTERN: return ls_is_relax_var (expr) && name_is (pattern, ((LsRelaxVar *) expr)->name);
    case LS_KIND_DATAFLOW_VAR_PATTERN: return ls_is (expr, DATAFLOW_VAR) && name_is (pattern, ((LsRelaxVar *) expr)->name);
    case LS_KIND_GLOBAL_VAR_PATTERN: return ls_is (expr, GLOBAL_VAR) && strstr (((LsGlobalVar *) expr)->name_hint, ((LsNamePattern *) pattern)->name) != NULL;
    case LS_KIND_EXTERN_FUNC_PATTERN: return ls_is (value, EXTERN_FUNC) && name_is (pattern, ((LsExternFunc *) value)->global_symbol);
    case LS_KIND_CONSTANT_PATTERN: return ls_is (value, CONSTANT);
    case LS_KIND_CALL_PATTERN: return ls_is (value, RELAX_CALL) && visit_call (self, (LsCallPattern *) pattern, (LsRelaxCall *) value);
    case LS_KIND_FUNCTION_PATTERN: return ls_is (value, FUNCTION) && visit_function (self, (LsFunctionPattern *) pattern, (LsFunction *) value);
    case LS_KIND_TUPLE_PATTERN:
    case LS_KIND_UNORDERED_TUPLE_PATTERN: return visit_fields (self, pattern, value);
    case LS_KIND_TUPLE_GET_ITEM_PATTERN:
      return ls_is (value, TUPLE_GET_ITEM)
             && (((LsTupleGetItemPattern *) pattern)->index == -1 || ((LsTupleGetItemPattern *) pattern)->index == ((LsTupleGetItem *) value)->index)
             && visit (self, ((LsTupleGetItemPattern *) pattern)->tuple, ((LsTupleGetItem *) value)->tuple);
    case LS_KIND_OR_PATTERN: return visit (self, ((LsPairPattern *) pattern)->left, origin) || visit (self, ((LsPairPattern *) pattern)->right, origin);
    case LS_KIND_AND_PATTERN: return visit (self, ((LsPairPattern *) pattern)->left, origin) && visit (self, ((LsPairPattern *) pattern)->right, origin);
    case LS_KIND_NOT_PATTERN: return !visit (self, ((LsNotPattern *) pattern)->reject, origin);
    case LS_KIND_STRUCT_INFO_PATTERN:
      {
        g_autoptr (LsNode) info = NULL;

        if (!visit (self, ((LsStructInfoPattern *) pattern)->pattern, origin))
          return FALSE;
        info = info_of (origin);
        return info_fits (self, ((LsStructInfoPattern *) pattern)->struct_info, info);
      }
    case LS_KIND_SHAPE_PATTERN: return shape_is (self, ((LsShapePattern *) pattern)->shape, origin) && visit (self, ((LsShapePattern *) pattern)->pattern, origin);
    case LS_KIND_DATA_TYPE_PATTERN: return dtype_is (((LsDataTypePattern *) pattern)->dtype, origin) && visit (self, ((LsDataTypePattern *) pattern)->pattern, origin);
    case LS_KIND_ATTR_PATTERN: return visit (self, ((LsAttrPattern *) pattern)->pattern, origin) && has_attrs (((LsAttrPattern *) pattern)->attrs, value);
    case LS_KIND_PRIM_ARR_PATTERN: return ls_is (value, SHAPE_EXPR) && same_extents (self, ((LsFieldsPattern *) pattern)->fields, ((LsShapeExpr *) value)->values);
    default: return FALSE;
    }
}

/* Operators are one object each in TVM. */
static gboolean
is_same (LsNode *a,
         LsNode *b)
{
  return a == b || (ls_is (a, RELAX_OP) && ls_is (b, RELAX_OP) && strcmp (((LsRelaxOp *) a)->name, ((LsRelaxOp *) b)->name) == 0);
}

typedef struct {
  Matcher   *self;
  LsPattern *pattern;
  LsNode    *expr;
  gboolean   result;
} Again;

static void
visit_again (gpointer data)
{
  Again *again = data;

  again->result = visit (again->self, again->pattern, again->expr);
}

static gboolean
visit (Matcher   *self,
       LsPattern *pattern,
       LsNode    *expr)
{
  LsNode *value = ls_pattern_jump (expr, self->values);
  LsNode *known = ls_pattern_match_get (self->match, pattern);
  Mark before = mark (self);

  if (known != NULL)
    return is_same (known, value);
  if (ls_stack_is_short ())
    {
      Again again = { self, pattern, expr, FALSE };

      ls_stack_extend (visit_again, &again);
      return again.result;
    }
  if (++self->visits == VISITS_BEFORE)
    self->failures = ls_failures_new (self->root);
  if (self->failures != NULL && ls_failures_has (self->failures, pattern, expr, self->match))
    return FALSE;
  if (fits (self, pattern, value, expr))
    {
      ls_pattern_match_add (self->match, pattern, value);
      g_hash_table_insert (self->match->origins, pattern, expr);
      return TRUE;
    }
  go_back (self, before);
  if (self->failures != NULL)
    ls_failures_add (self->failures, pattern, expr, self->match);
  return FALSE;
}

guint
ls_pattern_match_last_visits (void)
{
  return last_visits;
}

LsPatternMatch *
ls_pattern_match (LsPattern  *pattern,
                  LsNode     *expr,
                  GHashTable *values)
{
  g_autoptr (LsPatternMatch) match = ls_pattern_match_new ();
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GPtrArray) equations = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  Matcher self = { values, match, equations, made, analyzer, pattern, NULL, 0 };
  gboolean fits = visit (&self, pattern, expr);

  ls_failures_free (self.failures);
  last_visits = self.visits;
  return fits ? g_steal_pointer (&match) : NULL;
}
