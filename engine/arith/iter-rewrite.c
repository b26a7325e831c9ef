/* iter-rewrite: expressions of iterators as sums of splits.
 *
 * Bottom-up over + - * // %: an iterator variable becomes a split of its mark, constants
 * and symbols go into scales and bases.  An iterator inside anything else makes the
 * expression no iteration map; the reason is noted.  The rules are TVM v0.20's.
 */
#include "engine/arith/iter-private.h"

/* ---- nodes in the pool ---------------------------------------------------- */

LsIterSplit *
ls_iter_split_make (LsIterRewriter *self,
                    LsIterMark     *source,
                    LsExpr         *lower_factor,
                    LsExpr         *extent,
                    LsExpr         *scale)
{
  LsDType t = ls_dtype (source->source);

  return ls_pool_own (&self->pool,
                      ls_iter_split_new (ls_ref (source),
                                         lower_factor != NULL ? ls_ref (lower_factor) : ls_const_int (t, 1),
                                         ls_ref (extent),
                                         scale != NULL ? ls_ref (scale) : ls_const_int (t, 1)));
}

LsIterSplit *
ls_iter_split_with_scale (LsIterRewriter *self,
                          LsIterSplit    *split,
                          LsExpr         *scale)
{
  return ls_iter_split_make (self, split->source, split->lower_factor, split->extent, scale);
}

LsIterSum *
ls_iter_sum_make (LsIterRewriter *self,
                  GPtrArray      *args,
                  gboolean        reversed,
                  LsExpr         *base)
{
  GPtrArray *items = g_ptr_array_sized_new (args->len);

  for (guint i = 0; i < args->len; i++)
    g_ptr_array_add (items, ls_node_ref (args->pdata[reversed ? args->len - 1 - i : i]));
  return ls_pool_own (&self->pool, ls_iter_sum_new (ls_array_take_ptr_array (items), ls_ref (base)));
}

LsIterSum *
ls_iter_sum_of_split (LsIterRewriter *self,
                      LsIterSplit    *split,
                      LsExpr         *base)
{
  return ls_pool_own (&self->pool, ls_iter_sum_new (ls_array_of (ls_ref (split), NULL), ls_ref (base)));
}

LsIterSum *
ls_iter_to_sum (LsIterRewriter *self,
                LsExpr         *expr)
{
  if (ls_is (expr, ITER_SUM))
    return (LsIterSum *) expr;
  if (ls_is (expr, ITER_SPLIT))
    return ls_iter_sum_of_split (self, (LsIterSplit *) expr, ls_pool_const (&self->pool, ls_dtype (expr), 0));
  return ls_pool_own (&self->pool, ls_iter_sum_new (ls_array_empty (), ls_ref (expr)));
}

void
ls_iter_error (LsIterRewriter *self,
               const char     *format,
               gpointer        a,
               gpointer        b)
{
  g_autofree char *ta = a != NULL ? ls_expr_text (a) : NULL;
  g_autofree char *tb = b != NULL ? ls_expr_text (b) : NULL;
  GString *text = g_string_new (NULL);
  guint n = 0;

  for (const char *p = format; *p != '\0'; p++)
    if (p[0] == '%' && p[1] == 's')
      {
        const char *arg = n++ == 0 ? ta : tb;

        g_string_append (text, arg != NULL ? arg : "");
        p++;
      }
    else
      g_string_append_c (text, *p);
  g_ptr_array_add (self->errors, g_string_free (text, FALSE));
}

gboolean
ls_iter_divisible (LsIterRewriter *self,
                   LsExpr         *dividend,
                   LsExpr         *divisor)
{
  gint64 a, b;
  LsExpr *x, *y;

  if (ls_is_zero (divisor))
    return FALSE;
  if (ls_as_int (dividend, &a) && ls_as_int (divisor, &b))
    return ls_floormod_i64 (a, b) == 0;
  x = ls_pool_own (&self->pool, ls_iter_map_to_expr_with (dividend, self->analyzer));
  y = ls_pool_own (&self->pool, ls_iter_map_to_expr_with (divisor, self->analyzer));
  if (ls_analyzer_can_prove_equal (self->analyzer, x, y))
    return TRUE;
  if (ls_is_zero (y))
    return FALSE;
  x = ls_pool_floormod (&self->pool, x, y);
  return ls_pool_proves (self->analyzer, ls_eq (ls_ref (x), ls_const_int (ls_dtype (x), 0)));
}

/* ---- sums ----------------------------------------------------------------- */

static LsExpr *
signed_scale (LsIterRewriter *self,
              LsExpr         *scale,
              gboolean        minus)
{
  return minus ? ls_pool_sub (&self->pool, ls_pool_const (&self->pool, ls_dtype (scale), 0), scale) : scale;
}

/* Adds or subtracts a split: equal parts of one mark add up their scales. */
static void
add_split (LsIterRewriter *self,
           GPtrArray      *args,
           LsIterSplit    *split,
           gboolean        minus)
{
  for (guint i = 0; i < args->len; i++)
    {
      LsIterSplit *there = args->pdata[i];

      if (ls_iter_split_equal (there, split, FALSE))
        {
          args->pdata[i] = ls_iter_split_with_scale (
            self, split,
            ls_pool_binary (&self->pool, minus ? LS_KIND_SUB : LS_KIND_ADD, there->scale, split->scale));
          return;
        }
    }
  g_ptr_array_add (args, minus ? ls_iter_split_with_scale (self, split, signed_scale (self, split->scale, TRUE)) : split);
}

static LsExpr *
add_iters (LsIterRewriter *self,
           LsKind          kind,
           LsExpr         *a,
           LsExpr         *b)
{
  gboolean minus = kind == LS_KIND_SUB;
  LsIterSum *left = ls_iter_to_sum (self, a);
  LsIterSum *right = ls_iter_to_sum (self, b);
  g_autoptr (GPtrArray) args = g_ptr_array_new ();

  for (guint i = 0; i < ls_sum_n (left); i++)
    g_ptr_array_add (args, ls_sum_at (left, i));
  for (guint i = 0; i < ls_sum_n (right); i++)
    add_split (self, args, ls_sum_at (right, i), minus);
  return LS_EXPR (ls_iter_sum_make (self, args, FALSE, ls_pool_binary (&self->pool, kind, left->base, right->base)));
}

static LsExpr *
scale_iter (LsIterRewriter *self,
            LsExpr         *iter,
            LsExpr         *factor)
{
  LsIterSum *sum = (LsIterSum *) iter;
  g_autoptr (GPtrArray) args = NULL;

  if (ls_is (iter, ITER_SPLIT))
    {
      LsIterSplit *split = (LsIterSplit *) iter;

      return LS_EXPR (ls_iter_split_with_scale (self, split, ls_pool_mul (&self->pool, split->scale, factor)));
    }
  args = g_ptr_array_new ();
  for (guint i = 0; i < ls_sum_n (sum); i++)
    {
      LsIterSplit *split = ls_sum_at (sum, i);

      g_ptr_array_add (args, ls_iter_split_with_scale (self, split, ls_pool_mul (&self->pool, split->scale, factor)));
    }
  return LS_EXPR (ls_iter_sum_make (self, args, FALSE, ls_pool_mul (&self->pool, sum->base, factor)));
}

/* The one split and base of a dividend, or no split at all; NULL when it is no single fused iterator. */
static LsIterSum *
prepare_dividend (LsIterRewriter *self,
                  LsExpr         *dividend,
                  LsExpr         *original)
{
  LsIterSum *sum = ls_iter_to_sum (self, dividend);
  LsIterSum *fused;

  if (ls_sum_n (sum) <= 1)
    return sum;
  fused = ls_iter_fuse (self, sum, TRUE);
  if (fused == NULL || ls_sum_n (fused) != 1)
    {
      ls_iter_error (self, "the dividend %s is not one fused iterator", original, NULL);
      return NULL;
    }
  return fused;
}

static LsExpr *
divide_iter (LsIterRewriter *self,
             LsBinary       *e,
             LsExpr         *a,
             LsExpr         *b)
{
  gboolean modulo = ls_is (e, FLOOR_MOD);
  LsIterSum *dividend;
  LsExpr *result;
  gint64 number;

  if (ls_is_iter (b) || (ls_as_int (b, &number) && number <= 0))
    {
      ls_iter_error (self, "the divisor in %s is %s", e,
                     ls_is_iter (b) ? (gpointer) e->b : (gpointer) b);
      return LS_EXPR (e);
    }
  dividend = prepare_dividend (self, a, e->a);
  if (dividend == NULL)
    return LS_EXPR (e);
  if (ls_sum_n (dividend) == 0)
    return ls_pool_binary (&self->pool, ls_kind (e), dividend->base, b);
  result = modulo ? ls_iter_floormod (self, ls_sum_at (dividend, 0), dividend->base, b)
                  : ls_iter_floordiv (self, ls_sum_at (dividend, 0), dividend->base, b);
  return result != NULL ? result : LS_EXPR (e);
}

/* ---- walking -------------------------------------------------------------- */

static gboolean
is_index_operator (LsExpr *expr)
{
  LsKind kind = ls_kind (expr);

  return (kind == LS_KIND_ADD || kind == LS_KIND_SUB || kind == LS_KIND_MUL || kind == LS_KIND_FLOOR_DIV ||
          kind == LS_KIND_FLOOR_MOD) && ls_dtype_is_index (ls_dtype (expr));
}

static LsExpr *
rewrite_operator (LsIterRewriter *self,
                  LsBinary       *e)
{
  LsKind kind = ls_kind (e);
  LsExpr *a = ls_iter_rewrite_direct (self, e->a);
  LsExpr *b = ls_iter_rewrite_direct (self, e->b);
  LsExpr *folded = ls_dtype_equal (ls_dtype (a), ls_dtype (b)) ? ls_try_fold (kind, a, b) : NULL;

  if (folded != NULL)
    return ls_pool_own (&self->pool, folded);
  if (!ls_is_iter (a) && !ls_is_iter (b))
    {
      if (a == e->a && b == e->b)
        return LS_EXPR (e);
      return ls_pool_own (&self->pool, ls_binary_new (kind, ls_ref (a), ls_ref (b)));
    }
  if (kind == LS_KIND_ADD || kind == LS_KIND_SUB)
    return add_iters (self, kind, a, b);
  if (kind == LS_KIND_MUL)
    {
      if (ls_is_iter (a) && ls_is_iter (b))
        {
          ls_iter_error (self, "%s is a product of two iterators", e, NULL);
          return LS_EXPR (e);
        }
      return ls_is_iter (a) ? scale_iter (self, a, b) : scale_iter (self, b, a);
    }
  if (!ls_is_iter (a))
    {
      ls_iter_error (self, "the divisor in %s is the iterator %s", e, e->b);
      return LS_EXPR (e);
    }
  return divide_iter (self, e, a, b);
}

static LsNode *
inner_filter (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    data)
{
  LsIterRewriter *self = data;
  LsExpr *result;

  if (!(node->klass->flags & LS_CLASS_EXPR))
    return ls_rewrite_default (rewriter, node);
  result = ls_iter_rewrite_direct (self, LS_EXPR (node));
  if (ls_is_iter (result))
    {
      ls_iter_error (self, "the iterator %s stands inside another kind of expression", node, NULL);
      return ls_node_ref (node);
    }
  return ls_node_ref (LS_NODE (result));
}

LsExpr *
ls_iter_rewrite_direct (LsIterRewriter *self,
                        LsExpr         *expr)
{
  LsRewriter rewriter = { inner_filter, self, NULL, NULL };
  LsExpr *known;

  if (ls_is_var (expr))
    {
      known = g_hash_table_lookup (self->vars, expr);
      return known != NULL ? known : expr;
    }
  if (is_index_operator (expr))
    return rewrite_operator (self, (LsBinary *) expr);
  return ls_pool_own (&self->pool, ls_rewrite_default (&rewriter, expr));
}

LsIterSum *
ls_iter_rewrite (LsIterRewriter *self,
                 LsExpr         *expr)
{
  LsIterSum *sum = ls_iter_to_sum (self, ls_iter_rewrite_direct (self, expr));
  LsIterSum *fused;

  if (ls_sum_n (sum) == 0)
    return sum;
  fused = ls_iter_fuse (self, sum, TRUE);
  if (fused != NULL)
    return fused;
  ls_iter_error (self, "%s is not one fused iterator", expr, NULL);
  return sum;
}

/* ---- state ---------------------------------------------------------------- */

static void
add_input (LsIterRewriter *self,
           LsVar          *var,
           LsRange        *range,
           gboolean        simplify_trivial)
{
  LsIterMark *mark;
  LsIterSplit *split;
  LsExpr *value;

  if (simplify_trivial && ls_is_one (range->extent))
    {
      value = ls_pool_own (&self->pool, ls_iter_sum_new (ls_array_empty (), ls_ref (range->min)));
      g_hash_table_insert (self->vars, var, value);
      return;
    }
  value = ls_is_zero (range->min) ? LS_EXPR (var) : ls_pool_sub (&self->pool, LS_EXPR (var), range->min);
  mark = ls_pool_own (&self->pool, ls_iter_mark_new (ls_ref (value), ls_ref (range->extent)));
  g_ptr_array_add (self->input_marks, mark);
  split = ls_iter_split_make (self, mark, NULL, mark->extent, NULL);
  value = ls_is_zero (range->min) ? LS_EXPR (split) : LS_EXPR (ls_iter_sum_of_split (self, split, range->min));
  g_hash_table_insert (self->vars, var, value);
}

void
ls_iter_rewriter_init (LsIterRewriter *self,
                       LsAnalyzer     *analyzer,
                       const LsDomMap *input_iters,
                       LsIterMapLevel  level,
                       gboolean        simplify_trivial_iterators,
                       GPtrArray      *errors)
{
  *self = (LsIterRewriter) { .analyzer = analyzer, .level = level, .errors = errors };
  ls_pool_init (&self->pool);
  self->vars = g_hash_table_new (NULL, NULL);
  self->input_marks = g_ptr_array_new ();
  self->fused = g_ptr_array_new_with_free_func (g_free);
  self->constrained = g_ptr_array_new ();
  self->paddings = g_ptr_array_new_with_free_func (g_free);
  self->padding_predicate = ls_pool_own (&self->pool, ls_bool (FALSE));
  for (guint i = 0; i < ls_dom_map_get_n (input_iters); i++)
    {
      LsVar *var = ls_dom_map_get_var (input_iters, i);
      LsRange *range = ls_dom_map_get_range (input_iters, var);

      if (range != NULL)
        add_input (self, var, range, simplify_trivial_iterators);
    }
}

void
ls_iter_rewriter_clear (LsIterRewriter *self)
{
  g_hash_table_unref (self->vars);
  g_ptr_array_unref (self->input_marks);
  g_ptr_array_unref (self->fused);
  g_ptr_array_unref (self->constrained);
  g_ptr_array_unref (self->paddings);
  ls_pool_clear (&self->pool);
}
