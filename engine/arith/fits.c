/* fits: may a sum or product of a result leave its type where the expression that it was made of did not?
 *
 * Rules speak of whole numbers: i * -7 % 99991 is i * 99984 % 99991, as TVM writes it.  For i below 60000 the first fits into
 * int32 and the second does not, so what is computed is another number.  Inside a proof that is no matter, since nothing is computed
 * there; what is given back must fit.
 */
#include "engine/arith/arith-private.h"

typedef struct {
  gboolean   known;
  __int128_t min, max;
} Reach;

typedef struct {
  LsAnalyzer *analyzer;
  gboolean    leaves;
  gboolean    unknown;          /* seen by look_for_unknown */
} Look;

static LsWalk look_at (LsNode *node, gpointer user_data);

/* A variable that stands for a value leaves where that does: what is put in its place is no worse. */
static void
look_at_value (Look  *self,
               LsVar *var)
{
  LsExpr *value = g_hash_table_lookup (self->analyzer->rewrite.values, var);

  if (value == NULL || (LsVar *) value == var || !ls_visit_enter (self->analyzer))
    return;
  ls_walk (value, look_at, NULL, self);
  ls_visit_leave (self->analyzer);
}

static gboolean
is_sum (LsExpr *expr)
{
  LsKind kind = ls_kind (expr);

  return (kind == LS_KIND_ADD || kind == LS_KIND_SUB || kind == LS_KIND_MUL) && ls_dtype_is_index (ls_dtype_element (ls_dtype (expr)));
}

/* Ranges below this size are known whatever they were made of: x % 99991. */
#define SMALL (G_GINT64_CONSTANT (1) << 28)

static gboolean
is_range (LsExpr          *expr,
          LsConstIntBound  bound)
{
  LsDType t = ls_dtype_element (ls_dtype (expr));

  return bound.min <= bound.max && bound.min > MAX (ls_dtype_int_min (t), LS_NEG_INF) && bound.max < MIN (ls_dtype_int_max (t), LS_POS_INF) - 1;
}

static LsWalk
look_for_unknown (LsNode   *node,
                  gpointer  user_data)
{
  Look *self = user_data;
  LsExpr *expr = (LsExpr *) node;

  if (!ls_is_expr_node (node) || !ls_dtype_is_int (ls_dtype_element (ls_dtype (expr))))
    return LS_WALK_CONTINUE;
  if ((ls_is_var (expr) || ls_is (expr, BUFFER_LOAD) || ls_is (expr, CALL)) && !is_range (expr, ls_bound_of (self->analyzer, expr)))
    self->unknown = TRUE;
  return self->unknown ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* Of a variable of which nothing is known, or only that it is a size, nothing is said: texts are as if it were small.  Nor of
 * what was made of one, where its range is that of the type in disguise: min (1 - x, 0) is over the smallest int32 by 2. */
static Reach
reach_of_operand (Look   *self,
                  LsExpr *expr)
{
  LsConstIntBound bound = ls_bound_of (self->analyzer, expr);
  gboolean known = is_range (expr, bound);

  if (known && !ls_is_var (expr) && (bound.min < -SMALL || bound.max > SMALL))
    {
      self->unknown = FALSE;
      ls_walk (expr, look_for_unknown, NULL, self);
      known = !self->unknown;
    }
  return (Reach) { known, bound.min, bound.max };
}

static Reach
reach_of (Look   *self,
          LsExpr *expr)
{
  LsDType t = ls_dtype_element (ls_dtype (expr));
  Reach a, b, r;

  if (!is_sum (expr))
    {
      if (!ls_is_imm (expr) && !ls_is_var (expr))
        ls_walk (expr, look_at, NULL, self);
      if (ls_is_var (expr))
        look_at_value (self, (LsVar *) expr);
      if (ls_is_imm (expr))
        return (Reach) { TRUE, ls_imm (expr), ls_imm (expr) };
      return reach_of_operand (self, expr);
    }
  if (!ls_visit_enter (self->analyzer))
    return (Reach) { 0 };
  a = reach_of (self, ls_lhs (expr));
  b = reach_of (self, ls_rhs (expr));
  ls_visit_leave (self->analyzer);
  if (!a.known || !b.known)
    return (Reach) { 0 };
  if (ls_is (expr, ADD))
    r = (Reach) { TRUE, a.min + b.min, a.max + b.max };
  else if (ls_is (expr, SUB))
    r = (Reach) { TRUE, a.min - b.max, a.max - b.min };
  else
    r = (Reach) { TRUE, MIN (MIN (a.min * b.min, a.min * b.max), MIN (a.max * b.min, a.max * b.max)),
                  MAX (MAX (a.min * b.min, a.min * b.max), MAX (a.max * b.min, a.max * b.max)) };
  if (r.min >= ls_dtype_int_min (t) && r.max <= ls_dtype_int_max (t))
    return r;
  self->leaves = TRUE;
  return (Reach) { 0 };
}

static LsWalk
look_at (LsNode  *node,
         gpointer user_data)
{
  Look *self = user_data;

  if (self->leaves)
    return LS_WALK_STOP;
  if (ls_is_var (node))
    look_at_value (self, (LsVar *) node);
  if (!ls_is_expr_node (node) || !is_sum ((LsExpr *) node))
    return LS_WALK_CONTINUE;
  reach_of (self, (LsExpr *) node);
  return self->leaves ? LS_WALK_STOP : LS_WALK_PRUNE;
}

gboolean
ls_may_leave (LsAnalyzer *self,
              LsExpr     *expr)
{
  Look look = { self, FALSE, FALSE };

  ls_walk (expr, look_at, NULL, &look);
  return look.leaves;
}
