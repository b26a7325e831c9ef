/* AdjustMatmulOrder: (A @ B) @ C and A @ (B @ C), whichever takes fewer multiplications; what can be computed before is
 * put together.  Also where the inner product is transposed.
 *
 * With A (n, r), B (r, m), C (m, b): A first takes (r + b) n m, C first (m + n) r b.  The extents are positive;
 * tir_var_upper_bound of the function bounds symbolic ones.
 */
#include "engine/arith/analyzer.h"
#include "engine/relax/analysis.h"
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsPattern *a, *b, *c;
  LsPattern *left, *right, *turned_left, *turned_right;
  GPtrArray *known;
  LsExpr    *bounds;            /* what is known of symbolic variables */
} Rule;

typedef struct {
  LsNode  *expr;
  LsArray *extents;
} Factor;

static void
factor_clear (Factor *self)
{
  ls_node_unref (self->expr);
  ls_unref (self->extents);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Factor, factor_clear)

static gboolean
read_factor (LsPatternMatch *match,
             LsPattern      *pattern,
             Factor         *out)
{
  g_autoptr (LsNode) info = ls_pattern_match_info (match, pattern);

  out->expr = ls_node_ref (ls_pattern_match_get (match, pattern));
  out->extents = ls_ref (ls_relax_known_extents (info));
  return out->extents != NULL && out->extents->n > 0;
}

static gboolean
turn (Factor  *self,
      GError **error)
{
  if (self->extents->n != 2)
    {
      ls_relax_pass_refuse (error, "A transposed product has two dimensions here; one has %u.", self->extents->n);
      return FALSE;
    }
  ls_take (&self->expr, ls_relax_make_permute (ls_node_ref (self->expr), NULL));
  ls_take (&self->extents, ls_array_of (ls_node_ref (self->extents->items[1]), ls_node_ref (self->extents->items[0]), NULL));
  return TRUE;
}

/* The extent at this place from the end; a vector is a row before and a column behind the others. */
static LsNode *
extent (Factor  *self,
        guint    from_end,
        gboolean column)
{
  guint n = self->extents->n;

  if (n > 1)
    return ls_node_ref (self->extents->items[n - from_end]);
  return (from_end == 2) == column ? ls_node_ref (self->extents->items[0]) : LS_NODE (ls_const_int (ls_dtype (self->extents->items[0]), 1));
}

static LsNode *
left_first (Factor *a,
            Factor *b,
            Factor *c)
{
  return ls_relax_make_matmul (ls_relax_make_matmul (ls_node_ref (a->expr), ls_node_ref (b->expr), NULL), ls_node_ref (c->expr), NULL);
}

static LsNode *
right_first (Factor *a,
             Factor *b,
             Factor *c)
{
  return ls_relax_make_matmul (ls_node_ref (a->expr), ls_relax_make_matmul (ls_node_ref (b->expr), ls_node_ref (c->expr), NULL), NULL);
}

static LsExpr *
positive (LsExpr *extent)
{
  return ls_gt (ls_ref (extent), ls_const_int (ls_dtype (extent), 0));
}

/* The order that is certain to take fewer multiplications: -1 left, 1 right, 0 nothing is certain. */
static int
compare (Rule   *self,
         Factor *a,
         Factor *c)
{
  g_autoptr (LsNode) n = extent (a, 2, FALSE), r = extent (a, 1, FALSE), m = extent (c, 2, TRUE), b = extent (c, 1, TRUE);
  g_autoptr (LsNode) left = NULL, right = NULL, facts = NULL, less = NULL, more = NULL;
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();

#define E(x) ls_ref (LS_EXPR (x))
  left = LS_NODE (ls_mul (ls_mul (ls_add (E (r), E (b)), E (n)), E (m)));
  right = LS_NODE (ls_mul (ls_mul (ls_add (E (m), E (n)), E (r)), E (b)));
  facts = LS_NODE (ls_and (ls_and (positive (LS_EXPR (n)), positive (LS_EXPR (r))), ls_and (positive (LS_EXPR (m)), positive (LS_EXPR (b)))));
  less = LS_NODE (ls_lt (E (left), E (right)));
  more = LS_NODE (ls_lt (E (right), E (left)));
#undef E
  ls_analyzer_set_extensions (analyzer, ls_analyzer_get_extensions (analyzer) | LS_REWRITE_COMPARISON_OF_PRODUCT_AND_SUM);
  if (self->bounds != NULL)
    ls_analyzer_enter_constraint (analyzer, self->bounds);
  ls_analyzer_enter_constraint (analyzer, LS_EXPR (facts));
  return ls_analyzer_can_prove (analyzer, LS_EXPR (less)) ? -1 : ls_analyzer_can_prove (analyzer, LS_EXPR (more)) ? 1 : 0;
}

static gboolean
is_known (Rule   *self,
          LsNode *expr)
{
  return g_ptr_array_find (self->known, expr, NULL);
}

static LsNode *
reorder (LsNode         *expr,
         LsPatternMatch *match,
         gpointer        user_data,
         GError        **error)
{
  Rule *self = user_data;
  g_auto (Factor) a = { NULL }, b = { NULL }, c = { NULL };
  int order;

  if (is_known (self, ls_pattern_match_get (match, self->a)) && is_known (self, ls_pattern_match_get (match, self->b))
      && is_known (self, ls_pattern_match_get (match, self->c)))
    return NULL;
  if (!read_factor (match, self->a, &a) || !read_factor (match, self->b, &b) || !read_factor (match, self->c, &c))
    return NULL;
  if (ls_pattern_match_get (match, self->turned_left) != NULL ? !turn (&a, error) || !turn (&b, error)
      : ls_pattern_match_get (match, self->turned_right) != NULL && (!turn (&b, error) || !turn (&c, error)))
    return NULL;
  if (is_known (self, a.expr) && is_known (self, b.expr))
    return left_first (&a, &b, &c);
  if (is_known (self, b.expr) && is_known (self, c.expr))
    return right_first (&a, &b, &c);
  order = compare (self, &a, &c);
  return order < 0 ? left_first (&a, &b, &c) : order > 0 ? right_first (&a, &b, &c) : NULL;
}

static LsPattern *
product (LsPattern *a,
         LsPattern *b)
{
  return ls_call_pattern_new (ls_op_pattern_new ("relax.matmul"), ls_array_of (a, b, NULL), FALSE);
}

static LsPattern *
turned (LsPattern *pattern)
{
  return ls_call_pattern_new (ls_op_pattern_new ("relax.permute_dims"), ls_array_of (pattern, NULL), FALSE);
}

/* What the function says of its symbolic variables; NULL: nothing. (transfer full) */
static LsExpr *
bounds_of (LsFunction *func)
{
  LsMap *upper = (LsMap *) ls_map_get (func->attrs, "tir_var_upper_bound");
  g_autoptr (GPtrArray) symbols = NULL;
  LsExpr *all = NULL;

  if (!ls_is (upper, MAP))
    return NULL;
  symbols = ls_relax_defined_symbols (func);
  for (guint i = 0; i < symbols->len; i++)
    {
      LsVar *var = symbols->pdata[i];
      LsNode *bound = ls_map_get (upper, var->name);
      LsExpr *fact = ls_ge (LS_EXPR (ls_ref (var)), ls_const_int (ls_dtype (var), 0));
      gint64 value;

      if (ls_as_int (bound, &value))
        fact = ls_and (fact, ls_lt (LS_EXPR (ls_ref (var)), ls_const_int (ls_dtype (var), value)));
      all = all != NULL ? ls_and (all, fact) : fact;
    }
  return all;
}

static LsNode *
rewrite (LsModule   *module,
         LsFunction *func,
         gpointer    user_data,
         GError    **error)
{
  g_autoptr (LsNode) a = ls_wildcard_new (), b = ls_wildcard_new (), c = ls_wildcard_new ();
#define P(x) ls_node_ref (x)
  g_autoptr (LsNode) left = product (product (P (a), P (b)), P (c)), right = product (P (a), product (P (b), P (c)));
  g_autoptr (LsNode) turned_left = product (turned (product (P (b), P (a))), P (c)), turned_right = product (P (a), turned (product (P (c), P (b))));
  g_autoptr (LsNode) pattern = ls_pair_pattern_new (LS_KIND_OR_PATTERN,
                                                    ls_pair_pattern_new (LS_KIND_OR_PATTERN, ls_pair_pattern_new (LS_KIND_OR_PATTERN, P (left), P (right)),
                                                                         P (turned_left)), P (turned_right));
#undef P
  g_autoptr (GPtrArray) known = ls_relax_computable_at_compile_time (func);
  g_autoptr (LsNode) bounds = LS_NODE (bounds_of (func));
  Rule rule = { a, b, c, left, right, turned_left, turned_right, known, LS_EXPR (bounds) };
  g_autoptr (LsPatternRewriter) rewriter = ls_pattern_rewriter_new (pattern, reorder, &rule, NULL);

  return ls_pattern_rewriter_apply (rewriter, LS_NODE (func), module, error);
}

LsModule *
ls_relax_pass_adjust_matmul_order (LsModule  *module,
                                   LsMap     *args,
                                   GError   **error)
{
  return ls_relax_each_function (module, rewrite, NULL, error);
}
