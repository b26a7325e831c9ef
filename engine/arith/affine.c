/* affine: the short ways for index arithmetic.
 *
 *   v * scale + offset              scale 0: a number
 *   v0 * s0 + v1 * s1 + ... + o     different variables, s0 >= s1 >= ... >= 1
 *
 * Most of what a schedule simplifies is of the first form, and its canonical form is known without a visit:
 * v, v * s, v + o, v * s + o with s >= 2 and o >= 1.  The second is canonical as it stands.  Comparisons, minima and
 * maxima of two forms with one variable and equal scales are settled by their offsets; an inequality of sums in which
 * each variable occurs once holds when it does at the bounds of the variables.  Anything else (divisions, a scale or
 * offset below zero, a variable of which a value is known, large numbers) is left to the simplifiers; they would give
 * the same here.
 */
#include "engine/arith/arith-private.h"

/* Numbers stay so small that no sum of theirs leaves 32 bits. */
#define LIMIT (1 << 24)
#define MAX_DEPTH 8
#define MAX_VARS 8
/* And ends of intervals so that no sum of MAX_VARS products leaves 64. */
#define END_LIMIT (G_GINT64_CONSTANT (1) << 34)

typedef struct {
  LsExpr *var;                  /* borrowed; NULL while the scale is 0 */
  gint64  scale;
  gint64  offset;
} Affine;

static gboolean
is_small (gint64 value)
{
  return value > -LIMIT && value < LIMIT;
}

static gboolean
add (Affine       *self,
     const Affine *other,
     gint64        sign)
{
  if (self->var != NULL && other->var != NULL && self->var != other->var)
    return FALSE;
  self->scale += sign * other->scale;
  self->offset += sign * other->offset;
  if (self->var == NULL)
    self->var = other->var;
  if (self->scale == 0)
    self->var = NULL;
  return is_small (self->scale) && is_small (self->offset);
}

static gboolean
multiply (Affine       *self,
          const Affine *other)
{
  const Affine *factor = other->var == NULL ? other : self;
  const Affine *rest = factor == other ? self : other;
  Affine product;

  if (factor->var != NULL)
    return FALSE;
  product = (Affine) { factor->offset == 0 ? NULL : rest->var, rest->scale * factor->offset, rest->offset * factor->offset };
  *self = product;
  return is_small (self->scale) && is_small (self->offset);
}

static gboolean
is_free_var (LsAnalyzer *analyzer,
             LsExpr     *expr)
{
  return ls_is_var (expr) && !ls_is_data (analyzer, expr) && (g_hash_table_size (analyzer->rewrite.values) == 0 || !g_hash_table_contains (analyzer->rewrite.values, expr)) &&
         (g_hash_table_size (analyzer->canonical.values) == 0 || !g_hash_table_contains (analyzer->canonical.values, expr));
}

static gboolean
read_affine (LsAnalyzer *analyzer,
             LsExpr     *expr,
             guint       depth,
             Affine     *out)
{
  Affine other;

  *out = (Affine) { NULL, 0, 0 };
  if (ls_is_imm (expr))
    {
      out->offset = ls_imm (expr);
      return is_small (out->offset);
    }
  if (is_free_var (analyzer, expr))
    {
      out->var = expr;
      out->scale = 1;
      return TRUE;
    }
  if (depth == MAX_DEPTH || !(ls_is (expr, ADD) || ls_is (expr, SUB) || ls_is (expr, MUL)) ||
      !read_affine (analyzer, ls_lhs (expr), depth + 1, out) || !read_affine (analyzer, ls_rhs (expr), depth + 1, &other))
    return FALSE;
  return ls_is (expr, MUL) ? multiply (out, &other) : add (out, &other, ls_is (expr, ADD) ? 1 : -1);
}

/* Is the expression written as its form is?  Then it stands for itself. */
static gboolean
is_written_so (LsExpr       *expr,
               const Affine *form)
{
  if (form->offset != 0 && form->var != NULL)
    {
      if (!ls_is (expr, ADD) || !ls_is_imm (ls_rhs (expr)))
        return FALSE;
      expr = ls_lhs (expr);
    }
  if (form->scale > 1)
    return ls_is (expr, MUL) && ls_lhs (expr) == form->var && ls_is_imm (ls_rhs (expr));
  return form->var == NULL ? ls_is_imm (expr) : expr == form->var;
}

/* (transfer full), or NULL: the canonical form is not one of those above. */
static LsExpr *
write_affine (LsExpr       *expr,
              const Affine *form)
{
  LsDType dtype = ls_dtype (expr);
  LsExpr *result;

  if (form->var == NULL)
    return ls_const_int (dtype, form->offset);
  if (form->scale < 1 || form->offset < 0)
    return NULL;
  if (is_written_so (expr, form))
    return ls_ref (expr);
  result = ls_ref (form->var);
  if (form->scale > 1)
    result = ls_binary_new (LS_KIND_MUL, result, ls_const_int (dtype, form->scale));
  return form->offset == 0 ? result : ls_binary_new (LS_KIND_ADD, result, ls_const_int (dtype, form->offset));
}

static gboolean
holds (LsKind kind,
       gint64 a,
       gint64 b)
{
  switch ((int) kind)
    {
    case LS_KIND_EQ:
      return a == b;
    case LS_KIND_NE:
      return a != b;
    case LS_KIND_LT:
      return a < b;
    case LS_KIND_LE:
      return a <= b;
    case LS_KIND_GT:
      return a > b;
    default:
      return a >= b;
    }
}

static LsExpr *
settle_pair (LsAnalyzer *analyzer,
             LsExpr     *expr)
{
  LsKind kind = ls_kind (expr);
  Affine a, b;

  if (!read_affine (analyzer, ls_lhs (expr), 1, &a) || !read_affine (analyzer, ls_rhs (expr), 1, &b) || a.var != b.var || a.scale != b.scale)
    return NULL;
  if (kind == LS_KIND_MIN || kind == LS_KIND_MAX)
    return (a.offset <= b.offset) == (kind == LS_KIND_MIN) ? write_affine (ls_lhs (expr), &a) : write_affine (ls_rhs (expr), &b);
  return ls_bool (holds (kind, a.offset, b.offset));
}

/* ---- several variables ---------------------------------------------------- */

/* Variables that were seen, each once. */
typedef struct {
  LsExpr *vars[MAX_VARS];       /* borrowed */
  guint   n;
} Seen;

static gboolean
is_new_var (Seen       *self,
            LsAnalyzer *analyzer,
            LsExpr     *expr)
{
  if (self->n == MAX_VARS || !is_free_var (analyzer, expr))
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (self->vars[i] == expr)
      return FALSE;
  self->vars[self->n++] = expr;
  return TRUE;
}

/* Is a sum written as its canonical form is: factors that do not rise, a number above zero at its end? */
static gboolean
is_canonical_sum (LsAnalyzer *analyzer,
                  LsExpr     *expr)
{
  Seen seen = { .n = 0 };
  gint64 least = 1;

  if (ls_is_imm (ls_rhs (expr)))
    {
      if (ls_imm (ls_rhs (expr)) < 1 || !is_small (ls_imm (ls_rhs (expr))))
        return FALSE;
      expr = ls_lhs (expr);
    }
  for (gboolean more = TRUE; more;)
    {
      LsExpr *term = ls_is (expr, ADD) ? ls_rhs (expr) : expr;
      gboolean scaled = ls_is (term, MUL) && ls_is_imm (ls_rhs (term));
      gint64 scale = scaled ? ls_imm (ls_rhs (term)) : 1;

      if ((scaled && scale < 2) || scale < least || !is_small (scale) || !is_new_var (&seen, analyzer, scaled ? ls_lhs (term) : term))
        return FALSE;
      least = scale;
      more = term != expr;
      expr = ls_lhs (expr);
    }
  return TRUE;
}

/* The numbers that a sum lies between. */
typedef struct {
  Seen   seen;
  gint64 min, max;
} Span;

/* Adds expr * scale.  FALSE: it is no sum of products by numbers, a variable comes again, or has no bounds. */
static gboolean
span_add (Span       *self,
          LsAnalyzer *analyzer,
          LsExpr     *expr,
          gint64      scale,
          guint       depth)
{
  LsConstIntBound bound;

  if (!is_small (scale) || depth == MAX_DEPTH)
    return FALSE;
  if (ls_is (expr, ADD) || ls_is (expr, SUB))
    return span_add (self, analyzer, ls_lhs (expr), scale, depth + 1) &&
           span_add (self, analyzer, ls_rhs (expr), ls_is (expr, ADD) ? scale : -scale, depth + 1);
  if (ls_is (expr, MUL) && ls_is_imm (ls_rhs (expr)))
    return is_small (ls_imm (ls_rhs (expr))) && span_add (self, analyzer, ls_lhs (expr), scale * ls_imm (ls_rhs (expr)), depth + 1);
  if (ls_is_imm (expr))
    bound = (LsConstIntBound) { ls_imm (expr), ls_imm (expr) };
  else if (is_new_var (&self->seen, analyzer, expr))
    bound = ls_bound_of (analyzer, expr);
  else
    return FALSE;
  if (bound.min > bound.max || bound.min < -END_LIMIT || bound.max > END_LIMIT)
    return FALSE;
  self->min += scale * (scale > 0 ? bound.min : bound.max);
  self->max += scale * (scale > 0 ? bound.max : bound.min);
  return TRUE;
}

static gboolean
is_inequality (LsKind kind)
{
  return kind == LS_KIND_LT || kind == LS_KIND_LE || kind == LS_KIND_GT || kind == LS_KIND_GE;
}

gboolean
ls_affine_holds (LsAnalyzer *analyzer,
                 LsExpr     *condition)
{
  LsKind kind = ls_kind (condition);
  Span span = { .min = 0 };

  if (kind == LS_KIND_AND)
    return ls_affine_holds (analyzer, ls_lhs (condition)) && ls_affine_holds (analyzer, ls_rhs (condition));
  if (!is_inequality (kind) || !ls_is_index_expr (ls_lhs (condition)) ||
      !span_add (&span, analyzer, ls_lhs (condition), 1, 0) || !span_add (&span, analyzer, ls_rhs (condition), -1, 0))
    return FALSE;
  if (kind == LS_KIND_LT || kind == LS_KIND_LE)
    return kind == LS_KIND_LT ? span.max < 0 : span.max <= 0;
  return kind == LS_KIND_GT ? span.min > 0 : span.min >= 0;
}

LsExpr *
ls_affine_simplify (LsAnalyzer *analyzer,
                    LsExpr     *expr)
{
  LsKind kind = ls_kind (expr);
  Affine form;

  if (kind == LS_KIND_ADD || kind == LS_KIND_SUB || kind == LS_KIND_MUL)
    {
      if (!ls_is_index_expr (expr))
        return NULL;
      if (read_affine (analyzer, expr, 0, &form))
        return write_affine (expr, &form);
      return kind == LS_KIND_ADD && is_canonical_sum (analyzer, expr) ? ls_ref (expr) : NULL;
    }
  if (kind == LS_KIND_MIN || kind == LS_KIND_MAX || (kind >= LS_KIND_EQ && kind <= LS_KIND_GE))
    return ls_is_index_expr (ls_lhs (expr)) ? settle_pair (analyzer, expr) : NULL;
  return NULL;
}

gboolean
ls_analyzer_affine_bound (LsAnalyzer      *self,
                          LsExpr          *expr,
                          LsConstIntBound *bound)
{
  Affine form;

  if (!ls_is_index_expr (expr) || !read_affine (self, expr, 0, &form) || form.scale < 0)
    return FALSE;
  *bound = form.var != NULL ? ls_analyzer_const_int_bound (self, form.var) : (LsConstIntBound) { 0, 0 };
  bound->min = ls_sat_add (ls_sat_mul (bound->min, form.scale), form.offset);
  bound->max = ls_sat_add (ls_sat_mul (bound->max, form.scale), form.offset);
  return TRUE;
}
