/* fits: may a sum or product of a result leave its type where the expression that it was made of did not?
 *
 * Rules speak of whole numbers: i * -7 % 99991 is i * 99984 % 99991, as TVM writes it.  For i below 60000 the first fits into
 * int32 and the second does not, so what is computed is another number.  Inside a proof that is no matter, since nothing is computed
 * there; what is given back must fit, or leave by no more than what it was made of: i * -7 % 99991 of any i below 10^9 may be right, for some i,
 * where i * 99984 % 99991 is not.
 */
#include "engine/arith/arith-private.h"

/* One end of a range: whether it says something, or is only that of the type of an unknown variable, as is or in disguise. */
typedef enum { LOWER = 1 << 0, UPPER = 1 << 1, BOTH = LOWER | UPPER } Ends;

typedef struct {
  guint      known;             /* Ends */
  __int128_t min, max;          /* of those that are known */
} Reach;

typedef struct {
  LsAnalyzer *analyzer;
  double      excess;
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

/* Ends nearer to zero than this are known whatever they were made of. */
#define SMALL (G_GINT64_CONSTANT (1) << 28)

static guint
ends_of_bound (LsDType         t,
               LsConstIntBound bound)
{
  if (bound.min > bound.max)
    return 0;
  return (bound.min > MAX (ls_dtype_int_min (t), LS_NEG_INF) ? LOWER : 0) | (bound.max < MIN (ls_dtype_int_max (t), LS_POS_INF) - 1 ? UPPER : 0);
}

static guint
turned (guint ends)
{
  return ((ends & LOWER) ? UPPER : 0) | ((ends & UPPER) ? LOWER : 0);
}

static guint
both_or_none (guint ends)
{
  return ends == BOTH ? BOTH : 0;
}

static guint ends_of (LsAnalyzer *self, LsExpr *expr);

/* Of a product or quotient by a number. */
static guint
scaled (guint   a,
        LsExpr *number)
{
  return ls_imm (number) < 0 ? turned (a) : a;
}

static guint
ends_of_binary (LsAnalyzer *self,
                LsExpr     *expr)
{
  LsExpr *x = ls_lhs (expr), *y = ls_rhs (expr);
  guint a = ends_of (self, x), b = ends_of (self, y);

  switch ((int) ls_kind (expr))
    {
    case LS_KIND_ADD: return a & b;
    case LS_KIND_SUB: return a & turned (b);
    case LS_KIND_MUL: return ls_is_imm (x) ? scaled (b, x) : ls_is_imm (y) ? scaled (a, y) : both_or_none (a & b);
    case LS_KIND_DIV: case LS_KIND_FLOOR_DIV: return ls_is_imm (y) ? scaled (a, y) : both_or_none (a);
    case LS_KIND_MOD: case LS_KIND_FLOOR_MOD: return both_or_none (a) | both_or_none (b);
    case LS_KIND_MIN: return (a & b) | ((a | b) & UPPER);
    case LS_KIND_MAX: return (a & b) | ((a | b) & LOWER);
    default: return BOTH;
    }
}

/* Which ends of the range of an expression are no end of the type of an unknown variable in disguise?  min (1 - x, 0) is over the
 * smallest int32 by 2, x // 2 is half of it; x % 100000 and max (x, 0) have what their numbers say. */
static guint
ends_of (LsAnalyzer *self,
         LsExpr     *expr)
{
  guint ends = BOTH;

  if (ls_is_imm (expr))
    return BOTH;
  if (!ls_visit_enter (self))
    return 0;
  if (ls_is_var (expr) || ls_is (expr, BUFFER_LOAD) || ls_is (expr, CALL))
    ends = ends_of_bound (ls_dtype_element (ls_dtype (expr)), ls_bound_of (self, expr));
  if (ls_is_call (expr, "tir.shift_right"))
    ends &= ends_of (self, ls_array_at (((LsCall *) expr)->args, 0, LsExpr));
  else if (ls_is_call (expr, "tir.if_then_else"))
    ends = ends_of (self, ls_array_at (((LsCall *) expr)->args, 1, LsExpr)) & ends_of (self, ls_array_at (((LsCall *) expr)->args, 2, LsExpr));
  else if (ls_is (expr, SELECT))
    ends = ends_of (self, ((LsSelect *) expr)->true_value) & ends_of (self, ((LsSelect *) expr)->false_value);
  else if (ls_is (expr, BROADCAST))
    ends = ends_of (self, ((LsBroadcast *) expr)->value);
  else if (ls_is (expr, CAST) && ls_dtype_element (ls_dtype (((LsCast *) expr)->value)).bits >= ls_dtype_element (ls_dtype (expr)).bits)
    ends = ends_of (self, ((LsCast *) expr)->value);
  else if (ls_kind_is_binary (ls_kind (expr)))
    ends = ends_of_binary (self, expr);
  ls_visit_leave (self);
  return ends;
}

static Reach
reach (guint      known,
       __int128_t min,
       __int128_t max)
{
  return (Reach) { known, (known & LOWER) != 0 ? min : 0, (known & UPPER) != 0 ? max : 0 };
}

/* Of an end that is not known nothing is said: texts are as if a variable of which nothing is known, or only that it is a size, were
 * small. */
static Reach
reach_of_operand (Look   *self,
                  LsExpr *expr)
{
  LsConstIntBound bound = ls_bound_of (self->analyzer, expr);
  guint known = ends_of_bound (ls_dtype_element (ls_dtype (expr)), bound), far = (bound.min < -SMALL ? LOWER : 0) | (bound.max > SMALL ? UPPER : 0);

  if ((known & far) != 0 && !ls_is_var (expr))
    known &= ends_of (self->analyzer, expr) | (guint) (BOTH & ~far);
  return reach (known, bound.min, bound.max);
}

static Reach
times (Reach a,
       Reach b)
{
  if (a.known != BOTH || b.known != BOTH)
    return (Reach) { 0 };
  return (Reach) { BOTH, MIN (MIN (a.min * b.min, a.min * b.max), MIN (a.max * b.min, a.max * b.max)),
                   MAX (MAX (a.min * b.min, a.min * b.max), MAX (a.max * b.min, a.max * b.max)) };
}

static Reach
times_number (Reach  a,
              gint64 number)
{
  if (number < 0)
    return reach (turned (a.known), a.max * number, a.min * number);
  return reach (a.known, a.min * number, a.max * number);
}

static Reach
reach_of_sum (LsExpr *expr,
              Reach   a,
              Reach   b)
{
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_ADD: return reach (a.known & b.known, a.min + b.min, a.max + b.max);
    case LS_KIND_SUB: return reach (a.known & turned (b.known), a.min - b.max, a.max - b.min);
    default: break;
    }
  if (ls_is_imm (ls_rhs (expr)))
    return times_number (a, ls_imm (ls_rhs (expr)));
  return ls_is_imm (ls_lhs (expr)) ? times_number (b, ls_imm (ls_lhs (expr))) : times (a, b);
}

static Reach
reach_of (Look   *self,
          LsExpr *expr)
{
  LsDType t = ls_dtype_element (ls_dtype (expr));
  __int128_t min = ls_dtype_int_min (t), max = ls_dtype_int_max (t);
  Reach a, b, r;

  if (!is_sum (expr))
    {
      if (!ls_is_imm (expr) && !ls_is_var (expr))
        ls_walk (expr, look_at, NULL, self);
      if (ls_is_var (expr))
        look_at_value (self, (LsVar *) expr);
      if (ls_is_imm (expr))
        return (Reach) { BOTH, ls_imm (expr), ls_imm (expr) };
      return reach_of_operand (self, expr);
    }
  if (!ls_visit_enter (self->analyzer))
    return (Reach) { 0 };
  a = reach_of (self, ls_lhs (expr));
  b = reach_of (self, ls_rhs (expr));
  ls_visit_leave (self->analyzer);
  r = reach_of_sum (expr, a, b);
  if ((r.known & LOWER) != 0 && r.min < min)
    self->excess += (double) (min - r.min);
  if ((r.known & UPPER) != 0 && r.max > max)
    self->excess += (double) (r.max - max);
  /* where the whole is right, so is this part */
  return reach (r.known, CLAMP (r.min, min, max), CLAMP (r.max, min, max));
}

static LsWalk
look_at (LsNode  *node,
         gpointer user_data)
{
  Look *self = user_data;

  if (ls_is_var (node))
    look_at_value (self, (LsVar *) node);
  if (!ls_is_expr_node (node) || !is_sum ((LsExpr *) node))
    return LS_WALK_CONTINUE;
  reach_of (self, (LsExpr *) node);
  return LS_WALK_PRUNE;
}

double
ls_excess (LsAnalyzer *self,
           LsExpr     *expr)
{
  Look look = { self, 0 };

  ls_walk (expr, look_at, NULL, &look);
  return look.excess;
}
