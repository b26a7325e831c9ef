/* ReorderPermuteDimsAfterConcat: concat (permute_dims (A), permute_dims (B), ...) becomes permute_dims (concat (A, B, ...))
 * when all are permuted alike.  Up to eleven tensors, as in TVM. */
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"

#define MIN_FIELDS 2
#define MAX_FIELDS 11

typedef struct {
  LsPattern *args[MAX_FIELDS];
  LsPattern *permutes[MAX_FIELDS];
} Rule;

/* Where axis `axis` of the permuted tensor comes from; FALSE when that is not known. */
static gboolean
source_axis (LsPatternMatch *match,
             Rule           *self,
             guint           i,
             gint64          axis,
             gint64         *out,
             gint64         *ndim)
{
  LsRelaxCall *permute = (LsRelaxCall *) ls_pattern_match_get (match, self->permutes[i]);
  LsArray *axes = (LsArray *) ls_relax_pass_attr (permute, "axes");
  g_autoptr (LsNode) info = ls_pattern_match_info (match, self->args[i]);

  *ndim = ls_is (axes, ARRAY) ? (gint64) axes->n : ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->ndim : -1;
  axis += axis < 0 ? *ndim : 0;
  if (axis < 0 || axis >= *ndim)
    return FALSE;
  *out = *ndim - 1 - axis;
  if (ls_is (axes, ARRAY) && !ls_as_int (axes->items[axis], out))
    return FALSE;
  *out += *out < 0 ? *ndim : 0;
  return TRUE;
}

static gboolean
same_permutation (LsPatternMatch *match,
                  Rule           *self,
                  guint           i)
{
  gint64 a, b, n = 1, m = 1;

  for (gint64 axis = 0; axis < n; axis++)
    if (!source_axis (match, self, 0, axis, &a, &n) || !source_axis (match, self, i, axis, &b, &m) || n != m || a != b)
      return FALSE;
  return TRUE;
}

static LsNode *
reorder (LsNode         *expr,
         LsPatternMatch *match,
         gpointer        user_data,
         GError        **error)
{
  Rule *self = user_data;
  gint64 axis = 0, source, ndim;
  LsRelaxCall *permute;
  GPtrArray *args;

  if (!ls_is (expr, RELAX_CALL))
    return NULL;
  ls_as_int (ls_relax_pass_attr ((LsRelaxCall *) expr, "axis"), &axis);
  if (!source_axis (match, self, 0, axis, &source, &ndim))
    return NULL;
  for (guint i = 1; i < MAX_FIELDS && ls_pattern_match_get (match, self->permutes[i]) != NULL; i++)
    if (!same_permutation (match, self, i))
      return NULL;
  permute = (LsRelaxCall *) ls_pattern_match_get (match, self->permutes[0]);
  args = g_ptr_array_new ();
  for (guint i = 0; i < MAX_FIELDS && ls_pattern_match_get (match, self->permutes[i]) != NULL; i++)
    g_ptr_array_add (args, ls_node_ref (ls_pattern_match_get (match, self->args[i])));
  return ls_relax_make_permute (ls_relax_make_concat (ls_array_take_ptr_array (args), source), ls_node_ref (ls_relax_pass_attr (permute, "axes")));
}

static LsPattern *
concat_of (Rule *self,
           guint n)
{
  GPtrArray *fields = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (fields, ls_node_ref (self->permutes[i]));
  return ls_call_pattern_new (ls_op_pattern_new ("relax.concat"),
                              ls_array_of (ls_fields_pattern_new (LS_KIND_TUPLE_PATTERN, ls_array_take_ptr_array (fields)), NULL), FALSE);
}

static LsNode *
rewrite (LsModule   *module,
         LsFunction *func,
         gpointer    user_data,
         GError    **error)
{
  return ls_pattern_rewriter_apply (user_data, LS_NODE (func), module, error);
}

LsModule *
ls_relax_pass_reorder_permute_dims_after_concat (LsModule  *module,
                                                 LsMap     *args,
                                                 GError   **error)
{
  Rule rule;
  g_autoptr (LsNode) pattern = NULL;
  g_autoptr (LsPatternRewriter) rewriter = NULL;
  LsModule *result;

  for (guint i = 0; i < MAX_FIELDS; i++)
    {
      rule.args[i] = ls_wildcard_new ();
      rule.permutes[i] = ls_call_pattern_new (ls_op_pattern_new ("relax.permute_dims"), ls_array_of (ls_node_ref (rule.args[i]), NULL), FALSE);
    }
  pattern = concat_of (&rule, MIN_FIELDS);
  for (guint n = MIN_FIELDS + 1; n <= MAX_FIELDS; n++)
    pattern = ls_pair_pattern_new (LS_KIND_OR_PATTERN, pattern, concat_of (&rule, n));
  rewriter = ls_pattern_rewriter_new (pattern, reorder, &rule, NULL);
  result = ls_relax_each_function (module, rewrite, rewriter, error);
  for (guint i = 0; i < MAX_FIELDS; i++)
    {
      ls_node_unref (rule.args[i]);
      ls_node_unref (rule.permutes[i]);
    }
  return result;
}
