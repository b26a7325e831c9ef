/* affine: the short way for index arithmetic over one variable.
 *
 *   v * scale + offset        scale 0: a number
 *
 * Most of what a schedule simplifies is of this form, and its canonical form is known without a visit:
 * v, v * s, v + o, v * s + o with s >= 2 and o >= 1.  Comparisons, minima and maxima of two such forms with equal
 * scales are settled by their offsets.  Anything else (two variables, divisions, a scale or offset below zero, a
 * variable of which a value is known, large numbers) is left to the simplifiers; they would give the same here.
 */
#include "engine/arith/arith-private.h"

/* Numbers stay so small that no sum of theirs leaves 32 bits. */
#define LIMIT (1 << 24)
#define MAX_DEPTH 8

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
  return ls_is_var (expr) && (g_hash_table_size (analyzer->rewrite.values) == 0 || !g_hash_table_contains (analyzer->rewrite.values, expr)) &&
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

LsExpr *
ls_affine_simplify (LsAnalyzer *analyzer,
                    LsExpr     *expr)
{
  LsKind kind = ls_kind (expr);
  Affine form;

  if (kind == LS_KIND_ADD || kind == LS_KIND_SUB || kind == LS_KIND_MUL)
    return ls_is_index_expr (expr) && read_affine (analyzer, expr, 0, &form) ? write_affine (expr, &form) : NULL;
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
