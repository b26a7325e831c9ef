/* CombineParallelMatmul: products with the same left side become one product with the right sides side by side, and a
 * split of it; additions of a bias and activations that all of them have go along.
 *
 * First the branches of each left side are counted, with what follows all of them alike.  Then, the largest first, a graph
 * of so many products is looked for and replaced.  Right sides of one number of dimensions and one batch go together; the
 * last of them may have a symbolic width.
 */
#include "engine/relax/pass/combine-parallel-matmul.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/analysis.h"
#include "engine/relax/pass/make.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

static const char *const ACTIVATIONS[] = { "relax.nn.relu", "relax.nn.gelu", "relax.nn.gelu_tanh", "relax.nn.silu" };

#define NONE (-1)

typedef struct {
  gpointer lhs;
  guint    n;
  int      bias_ndim;           /* NONE: not all of them have a bias of one number of dimensions */
  int      activation;          /* of ACTIVATIONS, or NONE */
} Branches;

/* ---- counting ---------------------------------------------------------------------------- */

/* The left sides in the order in which they came. */
typedef struct {
  GArray     *rows;             /* of Branches */
  GHashTable *numbers;          /* left side -> 1 + its row */
} Counts;

static Counts *
counts_new (void)
{
  Counts *self = g_new (Counts, 1);

  *self = (Counts) { g_array_new (FALSE, FALSE, sizeof (Branches)), g_hash_table_new (NULL, NULL) };
  return self;
}

static void
counts_free (Counts *self)
{
  g_array_unref (self->rows);
  g_hash_table_unref (self->numbers);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Counts, counts_free)

static Branches *
find (Counts   *all,
      gpointer  lhs)
{
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (all->numbers, lhs));

  return number > 0 ? &g_array_index (all->rows, Branches, number - 1) : NULL;
}

static void
append (Counts         *all,
        const Branches *row)
{
  g_array_append_val (all->rows, *row);
  g_hash_table_insert (all->numbers, row->lhs, GUINT_TO_POINTER (all->rows->len));
}

static void
count (Counts  *all,
       gpointer lhs,
       int      bias_ndim,
       int      activation)
{
  Branches *known = find (all, lhs), fresh = { lhs, 1, bias_ndim, activation };

  if (known == NULL)
    {
      append (all, &fresh);
      return;
    }
  known->n++;
  if (bias_ndim == NONE || (known->bias_ndim != NONE && known->bias_ndim != bias_ndim))
    known->bias_ndim = NONE;
  if (activation == NONE || (known->activation != NONE && known->activation != activation))
    known->activation = NONE;
}

typedef struct {
  LsPattern  *pattern, *matmul, *bias;  /* bias NULL: none */
  int         activation;
  GHashTable *values;
  Counts     *found;
} Counting;

static LsWalk
count_match (LsNode  *node,
             gpointer user_data)
{
  Counting *self = user_data;
  g_autoptr (LsPatternMatch) match = ls_is (node, RELAX_CALL) ? ls_pattern_match (self->pattern, node, self->values) : NULL;
  g_autoptr (LsNode) info = match != NULL && self->bias != NULL ? ls_pattern_match_info (match, self->bias) : NULL;
  LsRelaxCall *matmul = match != NULL ? (LsRelaxCall *) ls_pattern_match_get (match, self->matmul) : NULL;

  if (ls_is (matmul, RELAX_CALL) && ls_is_relax_var (matmul->args->items[0]))
    count (self->found, matmul->args->items[0], ls_is (info, TENSOR_STRUCT_INFO) ? (int) ((LsTensorStructInfo *) info)->ndim : NONE, self->activation);
  return LS_WALK_CONTINUE;
}

static Counts *
count_all (LsFunction *func,
           gboolean    with_bias,
           int         activation)
{
  g_autoptr (GHashTable) values = ls_relax_values (func->body);
  g_autoptr (LsNode) bias = ls_wildcard_new ();
  g_autoptr (LsNode) matmul = ls_call_pattern_new (ls_op_pattern_new ("relax.matmul"), ls_array_of (ls_wildcard_new (), ls_wildcard_new (), NULL), FALSE);
  g_autoptr (LsNode) pattern = ls_node_ref (matmul);
  Counts *found = counts_new ();
  Counting self = { NULL, matmul, with_bias ? bias : NULL, activation, values, found };

  if (with_bias)
    ls_take (&pattern, ls_call_pattern_new (ls_op_pattern_new ("relax.add"), ls_array_of (ls_node_ref (pattern), ls_node_ref (bias), NULL), FALSE));
  if (activation != NONE)
    ls_take (&pattern, ls_call_pattern_new (ls_op_pattern_new (ACTIVATIONS[activation]), ls_array_of (ls_node_ref (pattern), NULL), FALSE));
  self.pattern = pattern;
  ls_walk (func->body, count_match, NULL, &self);
  return found;
}

static void
add_new (Counts *into,
         Counts *from)
{
  for (guint i = 0; i < from->rows->len; i++)
    if (find (into, g_array_index (from->rows, Branches, i).lhs) == NULL)
      append (into, &g_array_index (from->rows, Branches, i));
}

/* What follows goes along only when it follows every product of the left side. */
static void
refine (Counts *plain,
        Counts *longer)
{
  for (guint i = 0; i < longer->rows->len; i++)
    {
      Branches *row = &g_array_index (longer->rows, Branches, i), *known = find (plain, row->lhs);

      if (known != NULL && known->n == row->n)
        *known = *row;
    }
}

static gint
by_number (gconstpointer a,
           gconstpointer b)
{
  return (gint) ((const Branches *) b)->n - (gint) ((const Branches *) a)->n;
}

static GArray *
branches_of (LsFunction *func)
{
  g_autoptr (Counts) longest = counts_new ();
  g_autoptr (Counts) plain = count_all (func, FALSE, NONE), biased = count_all (func, TRUE, NONE);
  GArray *out = g_array_new (FALSE, FALSE, sizeof (Branches));
  Counts *sources[3];

  for (guint bias = 0; bias < 2; bias++)
    for (guint i = 0; i < G_N_ELEMENTS (ACTIVATIONS); i++)
      {
        g_autoptr (Counts) some = count_all (func, bias == 0, (int) i);

        add_new (longest, some);
      }
  refine (plain, biased);
  refine (plain, longest);
  sources[0] = plain;
  sources[1] = longest;
  sources[2] = biased;
  for (guint s = 0; s < G_N_ELEMENTS (sources); s++)
    for (guint i = 0; i < sources[s]->rows->len; i++)
      if (g_array_index (sources[s]->rows, Branches, i).n > 1)
        g_array_append_val (out, g_array_index (sources[s]->rows, Branches, i));
  g_array_sort (out, by_number);
  return out;
}

/* ---- the graph of patterns ----------------------------------------------------------------------- */

typedef struct {
  LsPatternContext *context;
  const Branches   *branches;
  LsPattern        *input;
  GPtrArray        *rhs, *bias, *matmul, *sum, *activation;     /* of each branch (references) */
  LsCombineCheck    check;
  gpointer          user_data;
} Graph;

static void
graph_init (Graph          *self,
            const Branches *branches)
{
  self->context = ls_pattern_context_new (NULL);
  self->branches = branches;
  self->input = ls_wildcard_new ();
  self->rhs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->bias = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->matmul = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->sum = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->activation = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
}

static void
graph_clear (Graph *self)
{
  ls_pattern_context_free (self->context);
  ls_node_unref (self->input);
  g_ptr_array_unref (self->rhs);
  g_ptr_array_unref (self->bias);
  g_ptr_array_unref (self->matmul);
  g_ptr_array_unref (self->sum);
  g_ptr_array_unref (self->activation);
}

static LsPattern *
keep (GPtrArray *list,
      LsPattern *pattern)
{
  g_ptr_array_add (list, pattern);
  return pattern;
}

static void
add_branch (Graph *self)
{
  LsPattern *rhs = keep (self->rhs, ls_wildcard_new ());
  LsPattern *out = keep (self->matmul, ls_call_pattern_new (ls_op_pattern_new ("relax.matmul"), ls_array_of (ls_node_ref (self->input), ls_node_ref (rhs), NULL), FALSE));

  ls_pattern_context_use (self->context, self->input, out, FALSE, 0);
  ls_pattern_context_use (self->context, rhs, out, FALSE, 1);
  if (self->branches->bias_ndim != NONE)
    {
      LsPattern *bias = keep (self->bias, ls_wildcard_new ());
      LsPattern *sum = keep (self->sum, ls_call_pattern_new (ls_op_pattern_new ("relax.add"), ls_array_of (ls_node_ref (out), ls_node_ref (bias), NULL), FALSE));

      ls_pattern_context_use (self->context, out, sum, FALSE, 0);
      ls_pattern_context_use (self->context, bias, sum, FALSE, 1);
      out = sum;
    }
  if (self->branches->activation != NONE)
    {
      LsPattern *act = keep (self->activation, ls_call_pattern_new (ls_op_pattern_new (ACTIVATIONS[self->branches->activation]), ls_array_of (ls_node_ref (out), NULL), FALSE));

      ls_pattern_context_use (self->context, out, act, FALSE, 0);
    }
}

/* ---- what takes their place ------------------------------------------------------------------------ */

typedef struct {
  LsRelaxVar *rhs, *bias, *matmul, *result;
  LsExpr     *width;
} Split;

static LsArray *
shape_of (LsRelaxVar *var)
{
  return ls_relax_known_extents (var->struct_info);
}

static gint64
ndim_of (LsRelaxVar *var)
{
  return ls_is (var->struct_info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) var->struct_info)->ndim : 0;
}

static gboolean
same_but_last (LsArray *a,
               LsArray *b,
               guint    n_last)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();

  if (a == NULL || b == NULL || a->n != b->n)
    return FALSE;
  for (guint i = 0; i + n_last < a->n; i++)
    if (!ls_analyzer_can_prove_equal (analyzer, LS_EXPR (a->items[i]), LS_EXPR (b->items[i])))
      return FALSE;
  return TRUE;
}

/* Known widths first, and one symbolic one at most. */
static void
order (GArray *splits)
{
  g_autoptr (GArray) before = g_array_copy (splits);
  gboolean symbolic = FALSE;

  g_array_set_size (splits, 0);
  for (guint i = 0; i < before->len; i++)
    if (ls_is (g_array_index (before, Split, i).width, INT_IMM))
      g_array_append_val (splits, g_array_index (before, Split, i));
  for (guint i = 0; i < before->len && !symbolic; i++)
    if (!ls_is (g_array_index (before, Split, i).width, INT_IMM))
      {
        g_array_append_val (splits, g_array_index (before, Split, i));
        symbolic = TRUE;
      }
}

static LsArray *
vars_of (GArray  *splits,
         gboolean bias)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < splits->len; i++)
    {
      Split *split = &g_array_index (splits, Split, i);
      LsRelaxVar *var = bias ? split->bias : split->rhs;

      if (var != NULL)
        g_ptr_array_add (out, ls_ref (var));
    }
  return ls_array_take_ptr_array (out);
}

static gboolean
one_type (GArray *splits)
{
  for (guint i = 1; i < splits->len; i++)
    {
      LsStructInfo *a = g_array_index (splits, Split, 0).matmul->struct_info, *b = g_array_index (splits, Split, i).matmul->struct_info;

      if (!ls_is (a, TENSOR_STRUCT_INFO) || !ls_is (b, TENSOR_STRUCT_INFO)
          || !ls_dtype_equal (((LsTensorStructInfo *) a)->dtype, ((LsTensorStructInfo *) b)->dtype))
        return FALSE;
    }
  return TRUE;
}

static gboolean
one_bias_shape (GArray *splits)
{
  for (guint i = 1; i < splits->len; i++)
    if (!same_but_last (shape_of (g_array_index (splits, Split, 0).bias), shape_of (g_array_index (splits, Split, i).bias), 1))
      return FALSE;
  return TRUE;
}

static LsNode *
activate (int     activation,
          LsNode *x)            /* taken */
{
  return ls_relax_make_unary (ACTIVATIONS[activation], x);
}

/* The one product, split. (transfer full) */
static LsNode *
combined (Graph      *self,
          LsRelaxVar *lhs,
          GArray     *splits)
{
  Split *first = &g_array_index (splits, Split, 0);
  gint64 rhs_ndim = ndim_of (first->rhs), at = 0;
  LsDType dtype = ((LsTensorStructInfo *) first->matmul->struct_info)->dtype;
  LsNode *out = ls_relax_make_matmul (LS_NODE (ls_ref (lhs)), ls_relax_make_concat (vars_of (splits, FALSE), rhs_ndim - 1), ls_dtype_name (dtype));
  GPtrArray *sections = g_ptr_array_new ();

  if (self->branches->bias_ndim != NONE)
    out = ls_relax_make_binary ("relax.add", out, ls_relax_make_concat (vars_of (splits, TRUE), ndim_of (first->bias) - 1));
  if (self->branches->activation != NONE)
    out = activate (self->branches->activation, out);
  for (guint i = 0; i + 1 < splits->len; i++)
    {
      gint64 width = 0;

      ls_as_int (g_array_index (splits, Split, i).width, &width);
      at += width;
      g_ptr_array_add (sections, ls_relax_int_attr (at));
    }
  return ls_relax_make ("relax.split", ls_array_of (out, NULL), "indices_or_sections", ls_array_take_ptr_array (sections), "axis",
                        ls_relax_int_attr (MAX (ndim_of (lhs), rhs_ndim) - 1), NULL);
}

/* The branches whose right sides have this number of dimensions; NULL: they do not go together. (transfer full) */
static GArray *
splits_of (Graph      *self,
           GHashTable *match,
           guint       ndim)
{
  g_autoptr (GArray) out = g_array_new (FALSE, TRUE, sizeof (Split));
  GPtrArray *results = self->branches->activation != NONE ? self->activation : self->branches->bias_ndim != NONE ? self->sum : self->matmul;

  for (guint i = 0; i < self->rhs->len; i++)
    {
      Split split = { g_hash_table_lookup (match, self->rhs->pdata[i]), NULL, g_hash_table_lookup (match, self->matmul->pdata[i]),
                      g_hash_table_lookup (match, results->pdata[i]), NULL };
      LsArray *shape = shape_of (split.rhs);

      if (shape->n != ndim)
        continue;
      split.bias = self->branches->bias_ndim != NONE ? g_hash_table_lookup (match, self->bias->pdata[i]) : NULL;
      split.width = LS_EXPR (shape->items[ndim - 1]);
      if (out->len > 0 && !same_but_last (shape_of (g_array_index (out, Split, 0).rhs), shape, 2))
        return NULL;
      g_array_append_val (out, split);
    }
  order (out);
  return out->len > 1 && one_type (out) ? g_steal_pointer (&out) : NULL;
}

static gboolean
replace_group (Graph      *self,
               GHashTable *match,
               guint       ndim,
               GHashTable *values,
               GHashTable *replacements,
               GError    **error)
{
  g_autoptr (GArray) splits = splits_of (self, match, ndim);
  LsRelaxVar *lhs = g_hash_table_lookup (match, self->input);
  g_autoptr (LsArray) rhs = NULL, bias = NULL;
  g_autoptr (LsNode) chunks = NULL;
  gboolean accepted = TRUE;

  if (splits == NULL)
    return TRUE;
  rhs = vars_of (splits, FALSE);
  bias = vars_of (splits, TRUE);
  if (self->check != NULL && !self->check (lhs, rhs, bias, values, &accepted, self->user_data, error))
    return FALSE;
  if (!accepted || (self->branches->bias_ndim != NONE && !one_bias_shape (splits)))
    return TRUE;
  chunks = combined (self, lhs, splits);
  for (guint i = 0; i < splits->len; i++)
    g_hash_table_insert (replacements, ls_ref (g_array_index (splits, Split, i).result), ls_tuple_get_item_new (ls_node_ref (chunks), i));
  return TRUE;
}

static gboolean
replace (GHashTable *match,
         GHashTable *values,
         GHashTable *replacements,
         gpointer    user_data,
         GError    **error)
{
  Graph *self = user_data;
  guint most = 0;

  for (guint i = 0; i < self->rhs->len; i++)
    {
      LsArray *shape = shape_of (g_hash_table_lookup (match, self->rhs->pdata[i]));

      if (shape == NULL || shape->n == 0)
        return TRUE;
      most = MAX (most, shape->n);
    }
  for (guint ndim = 1; ndim <= most; ndim++)
    if (!replace_group (self, match, ndim, values, replacements, error))
      return FALSE;
  return TRUE;
}

/* ---- the pass ---------------------------------------------------------------------------------------------- */

typedef struct {
  LsCombineCheck check;
  gpointer       user_data;
} Check;

static LsNode *
rewrite (LsModule   *module,
         LsFunction *func,
         gpointer    user_data,
         GError    **error)
{
  Check *check = user_data;
  g_autoptr (GArray) all = branches_of (func);
  g_autoptr (LsNode) now = ls_node_ref (LS_NODE (func));

  for (guint i = 0; i < all->len; i++)
    {
      Graph graph = { .check = check->check, .user_data = check->user_data };
      g_autoptr (LsPatternRewriter) rewriter = NULL;
      LsNode *next;

      graph_init (&graph, &g_array_index (all, Branches, i));
      for (guint k = 0; k < graph.branches->n; k++)
        add_branch (&graph);
      rewriter = ls_pattern_rewriter_new_context (graph.context, replace, &graph);
      next = ls_pattern_rewriter_apply (rewriter, now, module, error);
      graph_clear (&graph);
      if (next == NULL)
        return NULL;
      ls_take (&now, next);
    }
  return g_steal_pointer (&now);
}

LsModule *
ls_relax_combine_parallel_matmul (LsModule        *module,
                                  LsCombineCheck   check,
                                  gpointer         user_data,
                                  GError         **error)
{
  Check state = { check, user_data };

  return ls_relax_each_function (module, rewrite, &state, error);
}

LsModule *
ls_relax_pass_combine_parallel_matmul (LsModule  *module,
                                       LsMap     *args,
                                       GError   **error)
{
  if (ls_map_get (args, "check") != NULL)
    return ls_relax_pass_refuse (error, "Only Python can give a check.");
  return ls_relax_combine_parallel_matmul (module, NULL, NULL, error);
}
