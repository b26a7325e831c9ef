/* deduce: where one variable has to lie so that a condition holds.
 *
 *     i * 4 + j < n, j in [0, 3]     ->     i in (-inf, (n - 4) // 4]
 *
 * The side with the variable is relaxed: the variables that the bound may not name take the value that makes the condition hardest.
 * Then all but the variable goes to the other side step by step: sums, differences, products and floor divisions by what has
 * one sign.  Source of the concept: TVM's DeduceBound. */
#include "engine/arith/deduce.h"

typedef enum { WAY_EQUAL, WAY_GREATER, WAY_LESS } Way;

typedef struct {
  LsVar          *var;
  const LsDomMap *hints;
  const LsDomMap *relax;
  LsAnalyzer     *analyzer;
  LsExpr         *expr;         /* the side with the variable; owned */
  LsExpr         *result;       /* the other side; owned */
  Way             way;          /* expr is ... result */
} Deduction;

static Way
other_way (Way way)
{
  return way == WAY_EQUAL ? WAY_EQUAL : way == WAY_GREATER ? WAY_LESS : WAY_GREATER;
}

static LsWalk
count_var (LsNode   *node,
           gpointer  user_data)
{
  gpointer *data = user_data;

  *(guint *) data[1] += node == data[0];
  return LS_WALK_CONTINUE;
}

static guint
occurrences (Deduction *self)
{
  guint n = 0;
  gpointer data[] = { self->var, &n };

  ls_walk (self->expr, count_var, NULL, data);
  return n;
}

static void
add_number (LsExpr **expr,
            gint64   number)
{
  *expr = ls_add (*expr, ls_const_int (ls_dtype (*expr), number));
}

static gboolean
orient (Deduction *self,
        LsExpr    *condition)
{
  LsKind kind = ls_kind (condition);
  LsBinary *compare = (LsBinary *) condition;
  gboolean left, right;

  if (!ls_kind_is_compare (kind) || kind == LS_KIND_NE)
    return FALSE;
  left = ls_uses (compare->a, self->var);
  right = ls_uses (compare->b, self->var);
  if (left == right)
    return FALSE;
  self->expr = ls_ref (left ? compare->a : compare->b);
  self->result = ls_ref (left ? compare->b : compare->a);
  self->way = kind == LS_KIND_EQ ? WAY_EQUAL : (kind == LS_KIND_LT || kind == LS_KIND_LE) == left ? WAY_LESS : WAY_GREATER;
  if (kind == LS_KIND_LT || kind == LS_KIND_GT)
    add_number (&self->result, self->way == WAY_LESS ? -1 : 1);
  return occurrences (self) == 1;
}

static gboolean
is_one_value (Deduction *self,
              LsIntSet  *set)
{
  return ls_int_set_has_lower_bound (set) && ls_int_set_has_upper_bound (set)
         && ls_analyzer_can_prove_equal (self->analyzer, set->min_value, set->max_value);
}

static gboolean
relax (Deduction *self)
{
  g_autoptr (LsIntSet) expr = ls_eval_set (self->expr, self->relax, NULL);
  g_autoptr (LsIntSet) result = ls_eval_set (self->result, self->relax, NULL);
  gboolean greater = self->way == WAY_GREATER;

  if (ls_int_set_is_everything (expr) || ls_int_set_is_everything (result) || ls_int_set_is_nothing (expr) || ls_int_set_is_nothing (result))
    return FALSE;
  if (self->way == WAY_EQUAL && (!is_one_value (self, expr) || !is_one_value (self, result)))
    return FALSE;
  if (greater ? !ls_int_set_has_lower_bound (expr) || !ls_int_set_has_upper_bound (result)
              : !ls_int_set_has_upper_bound (expr) || !ls_int_set_has_lower_bound (result))
    return FALSE;
  ls_take (&self->expr, ls_ref (greater ? expr->min_value : expr->max_value));
  ls_take (&self->result, ls_ref (greater ? result->max_value : result->min_value));
  return occurrences (self) == 1;
}

/* Has a factor one sign? */
static gboolean
find_sign (Deduction *self,
           LsExpr    *operand,
           gboolean  *negative)
{
  g_autoptr (LsIntSet) ends = NULL;
  gint64 low, high;

  *negative = FALSE;
  if (ls_dtype_is_uint (ls_dtype (operand)))
    return TRUE;
  ends = ls_eval_set (operand, self->hints, NULL);
  if (ls_as_int (ends->min_value, &low) && low > 0)
    return TRUE;
  *negative = TRUE;
  return ls_as_int (ends->max_value, &high) && high < 0;
}

static gboolean
multiply (Deduction *self,
          LsExpr    *operand)
{
  g_autoptr (LsExpr) divides = NULL;
  gboolean negative, exact;

  if (!find_sign (self, operand, &negative))
    return FALSE;
  if (negative)
    self->way = other_way (self->way);
  divides = ls_eq (ls_binary_new (LS_KIND_FLOOR_MOD, ls_ref (self->result), ls_ref (operand)), ls_const_int (ls_dtype (self->result), 0));
  exact = ls_analyzer_can_prove (self->analyzer, divides);
  self->result = ls_binary_new (LS_KIND_FLOOR_DIV, self->result, ls_ref (operand));
  if (!exact && self->way == WAY_EQUAL)
    return FALSE;
  if (!exact && self->way == WAY_GREATER)
    add_number (&self->result, 1);
  return TRUE;
}

static gboolean
divide (Deduction *self,
        LsExpr    *divisor)
{
  gboolean negative;

  if (self->way == WAY_EQUAL || !find_sign (self, divisor, &negative))
    return FALSE;
  if (self->way == WAY_LESS)
    add_number (&self->result, 1);
  self->result = ls_mul (self->result, ls_ref (divisor));
  if (self->way == WAY_LESS)
    add_number (&self->result, negative ? 1 : -1);
  if (negative)
    self->way = other_way (self->way);
  return TRUE;
}

/* Takes the outermost operation to the other side. */
static gboolean
step (Deduction *self)
{
  LsKind kind = ls_kind (self->expr);
  LsBinary *binary = (LsBinary *) self->expr;
  gboolean left, fine = TRUE;
  LsExpr *other;

  if (kind != LS_KIND_ADD && kind != LS_KIND_SUB && kind != LS_KIND_MUL && kind != LS_KIND_FLOOR_DIV)
    return FALSE;
  left = ls_uses (binary->a, self->var);
  other = left ? binary->b : binary->a;
  if (kind == LS_KIND_ADD)
    self->result = ls_sub (self->result, ls_ref (other));
  else if (kind == LS_KIND_SUB && left)
    self->result = ls_add (self->result, ls_ref (other));
  else if (kind == LS_KIND_SUB)
    {
      self->result = ls_neg (ls_sub (self->result, ls_ref (other)));
      self->way = other_way (self->way);
    }
  else
    fine = kind == LS_KIND_MUL ? multiply (self, other) : left && divide (self, other);
  ls_take (&self->expr, ls_ref (left ? binary->a : binary->b));
  return fine;
}

LsIntSet *
ls_deduce_bound (LsVar          *var,
                 LsExpr         *condition,
                 const LsDomMap *hints,
                 const LsDomMap *relaxed)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  Deduction self = { var, hints, relaxed, analyzer, NULL, NULL, WAY_EQUAL };
  gboolean found = orient (&self, condition) && relax (&self);
  LsIntSet *set;

  while (found && !ls_is_var (self.expr))
    found = step (&self);
  if (found)
    {
      g_autoptr (LsExpr) end = ls_analyzer_simplify (analyzer, self.result);

      set = ls_int_set_new_interval (ls_ref (self.way != WAY_LESS ? end : ls_neg_inf ()), ls_ref (self.way != WAY_GREATER ? end : ls_pos_inf ()));
    }
  else
    set = ls_int_set_nothing ();
  ls_unref (self.expr);
  ls_unref (self.result);
  return set;
}
