/* bits: rules over 8 bits that wrap, and over floats of 16 bits; both are written as Z3's own operations. */
#include "tests/proof/smt-private.h"

#define WIDTH 8
#define WIDE 32                 /* in which conditions are computed */

static gboolean
has_bits (const Smt *self)
{
  return self->theory != LS_THEORY_FLOATS;
}

static Z3_sort
number_sort (Smt *self)
{
  return has_bits (self) ? Z3_mk_bv_sort (self->z3, WIDTH) : Z3_mk_fpa_sort_half (self->z3);
}

static Z3_ast
not_zero (Smt    *self,
          Z3_ast  b)
{
  return Z3_mk_not (self->z3, Z3_mk_eq (self->z3, b, Z3_mk_int (self->z3, 0, number_sort (self))));
}

/* ---- operations ---- */

static Z3_ast
divide_bits (Smt    *self,
             LsKind  kind,
             Z3_ast  a,
             Z3_ast  b)
{
  Z3_context z3 = self->z3;
  Z3_ast quotient, exact;

  if (self->theory == LS_THEORY_UNSIGNED)
    return kind == LS_KIND_DIV || kind == LS_KIND_FLOOR_DIV ? Z3_mk_bvudiv (z3, a, b) : Z3_mk_bvurem (z3, a, b);
  if (kind == LS_KIND_DIV)
    return Z3_mk_bvsdiv (z3, a, b);
  if (kind == LS_KIND_MOD)
    return Z3_mk_bvsrem (z3, a, b);
  if (kind == LS_KIND_FLOOR_MOD)
    return Z3_mk_bvsmod (z3, a, b);
  quotient = Z3_mk_bvsdiv (z3, a, b);
  exact = Z3_mk_eq (z3, Z3_mk_bvsmod (z3, a, b), Z3_mk_bvsrem (z3, a, b));
  return Z3_mk_ite (z3, exact, quotient, Z3_mk_bvsub (z3, quotient, Z3_mk_int (z3, 1, number_sort (self))));
}

/* The largest negative number by -1 leaves the type too. */
static Z3_ast
divisible (Smt    *self,
           Z3_ast  a,
           Z3_ast  b)
{
  Z3_ast ok = not_zero (self, b);

  if (self->theory == LS_THEORY_SIGNED)
    ok = smt_both (self, ok, Z3_mk_bvsdiv_no_overflow (self->z3, a, b));
  return ok;
}

static Z3_ast
divide (Smt    *self,
        LsKind  kind,
        Z3_ast  a,
        Z3_ast  b)
{
  if (self->theory == LS_THEORY_FLOATS)
    {
      Z3_sort sort = number_sort (self);
      Z3_func_decl some;

      if (kind == LS_KIND_DIV)
        return Z3_mk_fpa_div (self->z3, Z3_mk_fpa_rne (self->z3), a, b);
      some = Z3_mk_func_decl (self->z3, Z3_mk_int_symbol (self->z3, (int) kind), 2, (Z3_sort[]) { sort, sort }, sort);
      return Z3_mk_app (self->z3, some, 2, (Z3_ast[]) { a, b });
    }
  g_ptr_array_add (self->defined, divisible (self, a, b));
  return divide_bits (self, kind, a, b);
}

static Z3_ast
less (Smt    *self,
      Z3_ast  a,
      Z3_ast  b,
      gboolean or_equal)
{
  Z3_context z3 = self->z3;

  switch (self->theory)
    {
    case LS_THEORY_SIGNED:
      return or_equal ? Z3_mk_bvsle (z3, a, b) : Z3_mk_bvslt (z3, a, b);
    case LS_THEORY_UNSIGNED:
      return or_equal ? Z3_mk_bvule (z3, a, b) : Z3_mk_bvult (z3, a, b);
    case LS_THEORY_FLOATS:
      return or_equal ? Z3_mk_fpa_leq (z3, a, b) : Z3_mk_fpa_lt (z3, a, b);
    case LS_THEORY_INTEGERS:
    case LS_N_THEORIES:
      break;
    }
  g_assert_not_reached ();
}

static Z3_ast
same (Smt    *self,
      Z3_ast  a,
      Z3_ast  b)
{
  if (self->theory == LS_THEORY_FLOATS && Z3_get_sort_kind (self->z3, Z3_get_sort (self->z3, a)) == Z3_FLOATING_POINT_SORT)
    return Z3_mk_fpa_eq (self->z3, a, b);
  return Z3_mk_eq (self->z3, a, b);
}

/* A number that is none makes none; else the one that is smaller (or larger), of equal ones the first. */
static Z3_ast
choose (Smt      *self,
        Z3_ast    a,
        Z3_ast    b,
        gboolean  min)
{
  Z3_ast first = min ? less (self, a, b, TRUE) : less (self, b, a, TRUE);
  Z3_ast chosen = Z3_mk_ite (self->z3, first, a, b);

  return self->theory == LS_THEORY_FLOATS ? Z3_mk_ite (self->z3, Z3_mk_fpa_is_nan (self->z3, a), a, chosen) : chosen;
}

static Z3_ast
calculate (Smt    *self,
           LsKind  kind,
           Z3_ast  a,
           Z3_ast  b)
{
  Z3_context z3 = self->z3;
  Z3_ast nearest;

  if (has_bits (self))
    return kind == LS_KIND_ADD ? Z3_mk_bvadd (z3, a, b) : kind == LS_KIND_SUB ? Z3_mk_bvsub (z3, a, b) : Z3_mk_bvmul (z3, a, b);
  nearest = Z3_mk_fpa_rne (z3);
  return kind == LS_KIND_ADD   ? Z3_mk_fpa_add (z3, nearest, a, b)
         : kind == LS_KIND_SUB ? Z3_mk_fpa_sub (z3, nearest, a, b)
                               : Z3_mk_fpa_mul (z3, nearest, a, b);
}

/* ---- trees ---- */

static gboolean
is_constant (const LsPattern *pattern)
{
  if (pattern == NULL)
    return TRUE;
  if (pattern->op == LS_PATTERN_INT || pattern->op == LS_PATTERN_NUMBER)
    return TRUE;
  return pattern->op == LS_PATTERN_BINARY && is_constant (pattern->args[0]) && is_constant (pattern->args[1]);
}

static Z3_ast translate (Smt *self, const LsPattern *pattern, gboolean truth);

static Z3_ast
slot (Smt             *self,
      const LsPattern *pattern,
      gboolean         truth)
{
  Z3_sort sort = truth ? Z3_mk_bool_sort (self->z3) : number_sort (self);

  if (self->slots[pattern->slot] == NULL)
    self->slots[pattern->slot] = Z3_mk_const (self->z3, Z3_mk_string_symbol (self->z3, ls_rule_slot_name (pattern->slot)), sort);
  if (!Z3_is_eq_sort (self->z3, Z3_get_sort (self->z3, self->slots[pattern->slot]), sort))
    g_error ("%s is a truth value here and a number there", ls_rule_slot_name (pattern->slot));
  return self->slots[pattern->slot];
}

static Z3_ast
number (Smt    *self,
        gint64  value,
        gboolean truth)
{
  if (truth)
    return value != 0 ? Z3_mk_true (self->z3) : Z3_mk_false (self->z3);
  if (self->theory == LS_THEORY_FLOATS)
    return Z3_mk_fpa_numeral_int (self->z3, (int) value, number_sort (self));
  return Z3_mk_int64 (self->z3, value, number_sort (self));
}

/* In wider arithmetic, in which nothing wraps: does what a constant of the result comes to fit? */
static void
demand_fit (Smt    *self,
            LsKind  kind,
            Z3_ast  a,
            Z3_ast  b)
{
  Z3_context z3 = self->z3;
  gboolean sign = self->theory == LS_THEORY_SIGNED;

  if (kind == LS_KIND_ADD)
    {
      smt_say (self, Z3_mk_bvadd_no_overflow (z3, a, b, sign));
      if (sign)
        smt_say (self, Z3_mk_bvadd_no_underflow (z3, a, b));
    }
  else if (kind == LS_KIND_SUB)
    {
      if (sign)
        smt_say (self, Z3_mk_bvsub_no_overflow (z3, a, b));
      smt_say (self, Z3_mk_bvsub_no_underflow (z3, a, b, sign));
    }
  else if (kind == LS_KIND_MUL)
    {
      smt_say (self, Z3_mk_bvmul_no_overflow (z3, a, b, sign));
      if (sign)
        smt_say (self, Z3_mk_bvmul_no_underflow (z3, a, b));
    }
}

static Z3_ast
translate_binary (Smt             *self,
                  const LsPattern *pattern)
{
  LsKind kind = (LsKind) pattern->kind;
  gboolean logic = kind == LS_KIND_AND || kind == LS_KIND_OR;
  Z3_ast a = translate (self, pattern->args[0], logic), b = translate (self, pattern->args[1], logic);

  switch ((int) kind)
    {
    case LS_KIND_ADD:
    case LS_KIND_SUB:
    case LS_KIND_MUL:
      if (self->constants_fit && has_bits (self) && is_constant (pattern))
        demand_fit (self, kind, a, b);
      return calculate (self, kind, a, b);
    case LS_KIND_DIV:
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_FLOOR_MOD:
      return divide (self, kind, a, b);
    case LS_KIND_MIN:
    case LS_KIND_MAX:
      return choose (self, a, b, kind == LS_KIND_MIN);
    case LS_KIND_EQ:
      return same (self, a, b);
    case LS_KIND_NE:
      return Z3_mk_not (self->z3, same (self, a, b));
    case LS_KIND_LT:
    case LS_KIND_LE:
      return less (self, a, b, kind == LS_KIND_LE);
    case LS_KIND_GT:
    case LS_KIND_GE:
      return less (self, b, a, kind == LS_KIND_GE);
    case LS_KIND_AND:
      return smt_both (self, a, b);
    case LS_KIND_OR:
      return smt_either (self, a, b);
    default:
      g_assert_not_reached ();
    }
}

static Z3_ast
translate (Smt             *self,
           const LsPattern *pattern,
           gboolean         truth)
{
  Z3_ast a, b;

  switch (pattern->op)
    {
    case LS_PATTERN_EXPR:
    case LS_PATTERN_INT:
    case LS_PATTERN_FLOAT:
      return slot (self, pattern, truth);
    case LS_PATTERN_NUMBER:
      return number (self, pattern->number, truth);
    case LS_PATTERN_BINARY:
      return translate_binary (self, pattern);
    case LS_PATTERN_NOT:
      return Z3_mk_not (self->z3, translate (self, pattern->args[0], TRUE));
    case LS_PATTERN_SELECT:
      a = translate (self, pattern->args[1], truth);
      b = translate (self, pattern->args[2], truth);
      return Z3_mk_ite (self->z3, translate (self, pattern->args[0], TRUE), a, b);
    case LS_PATTERN_RAMP:
      a = translate (self, pattern->args[0], truth);
      b = translate (self, pattern->args[1], truth);
      return calculate (self, LS_KIND_ADD, a, calculate (self, LS_KIND_MUL, self->lane_bits, b));
    case LS_PATTERN_BROADCAST:
      return translate (self, pattern->args[0], truth);
    case LS_PATTERN_ASK:
      break;
    }
  g_assert_not_reached ();
}

/* ---- conditions ---- */

/* A number of a condition: exact, since conditions are computed in 64 bits and do not hold where these do not do. */
static Z3_ast
exact (Smt             *self,
       const LsPattern *pattern)
{
  Z3_context z3 = self->z3;
  Z3_ast a, b, value;

  if (pattern->op == LS_PATTERN_NUMBER)
    return Z3_mk_int64 (z3, pattern->number, Z3_mk_bv_sort (z3, WIDE));
  if (pattern->op != LS_PATTERN_BINARY)
    {
      value = translate (self, pattern, FALSE);
      return self->theory == LS_THEORY_SIGNED ? Z3_mk_sign_ext (z3, WIDE - WIDTH, value) : Z3_mk_zero_ext (z3, WIDE - WIDTH, value);
    }
  a = exact (self, pattern->args[0]);
  b = exact (self, pattern->args[1]);
  switch (pattern->kind)
    {
    case LS_KIND_ADD:
      return Z3_mk_bvadd (z3, a, b);
    case LS_KIND_SUB:
      return Z3_mk_bvsub (z3, a, b);
    case LS_KIND_MUL:
      return Z3_mk_bvmul (z3, a, b);
    case LS_KIND_FLOOR_MOD:
      g_ptr_array_add (self->defined, Z3_mk_not (z3, Z3_mk_eq (z3, b, Z3_mk_int (z3, 0, Z3_mk_bv_sort (z3, WIDE)))));
      return Z3_mk_bvsmod (z3, a, b);
    default:
      g_assert_not_reached ();
    }
}

static Z3_ast
exact_compare (Smt             *self,
               const LsPattern *pattern)
{
  Z3_context z3 = self->z3;
  Z3_ast a = exact (self, pattern->args[0]), b = exact (self, pattern->args[1]);

  switch (pattern->kind)
    {
    case LS_KIND_EQ:
      return Z3_mk_eq (z3, a, b);
    case LS_KIND_NE:
      return Z3_mk_not (z3, Z3_mk_eq (z3, a, b));
    case LS_KIND_LT:
      return Z3_mk_bvslt (z3, a, b);
    case LS_KIND_LE:
      return Z3_mk_bvsle (z3, a, b);
    case LS_KIND_GT:
      return Z3_mk_bvsgt (z3, a, b);
    case LS_KIND_GE:
      return Z3_mk_bvsge (z3, a, b);
    default:
      g_assert_not_reached ();
    }
}

/* What an answer of the analyser tells of the values. */
static Z3_ast
asked (Smt             *self,
       const LsPattern *pattern)
{
  const LsPattern *what = pattern->args[0];
  Z3_ast value, limit;

  switch ((LsAsk) pattern->kind)
    {
    case LS_ASK_GE:
    case LS_ASK_LT:
      value = translate (self, what, FALSE);
      limit = translate (self, pattern->args[1], FALSE);
      return pattern->kind == LS_ASK_GE ? less (self, limit, value, TRUE) : less (self, value, limit, FALSE);
    case LS_ASK_ZERO:
      return Z3_mk_eq (self->z3, translate (self, what, FALSE), number (self, 0, FALSE));
    case LS_ASK_PROVE:
      return translate (self, what, TRUE);
    case LS_ASK_FZERO:
      value = translate (self, what, FALSE);
      return Z3_mk_fpa_is_zero (self->z3, value);
    case LS_ASK_PURE:
    case LS_ASK_VSCALE:
      return Z3_mk_true (self->z3);
    case LS_ASK_WHOLE:
      return self->theory == LS_THEORY_FLOATS ? Z3_mk_false (self->z3) : Z3_mk_true (self->z3);
    case LS_ASK_INDEX:
      return Z3_mk_false (self->z3);
    }
  g_assert_not_reached ();
}

static Z3_ast
condition_of (Smt             *self,
              const LsPattern *pattern)
{
  if (pattern->op == LS_PATTERN_ASK)
    return asked (self, pattern);
  if (pattern->op == LS_PATTERN_NOT)
    return Z3_mk_not (self->z3, condition_of (self, pattern->args[0]));
  if (pattern->kind == LS_KIND_AND)
    return smt_both (self, condition_of (self, pattern->args[0]), condition_of (self, pattern->args[1]));
  if (pattern->kind == LS_KIND_OR)
    return smt_either (self, condition_of (self, pattern->args[0]), condition_of (self, pattern->args[1]));
  return exact_compare (self, pattern);
}

/* Of floats: the same bits, all NaN alike; or the same number. */
static Z3_ast
equal_values (Smt    *self,
              Z3_ast  a,
              Z3_ast  b)
{
  Z3_ast nan;

  if (!self->same_number || Z3_get_sort_kind (self->z3, Z3_get_sort (self->z3, a)) != Z3_FLOATING_POINT_SORT)
    return Z3_mk_eq (self->z3, a, b);
  nan = smt_both (self, Z3_mk_fpa_is_nan (self->z3, a), Z3_mk_fpa_is_nan (self->z3, b));
  return smt_either (self, Z3_mk_fpa_eq (self->z3, a, b), nan);
}

/* Translates part by part; what is divided by on the left is known, on the right it is claimed. */
Z3_ast
proof_bits_claim (Smt              *self,
          const LsRuleForm *form,
          const LsPattern  *alternative)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new (), right = g_ptr_array_new (), inside = g_ptr_array_new ();
  gboolean truth = smt_is_truth (alternative);
  Z3_ast a, b;

  if (has_bits (self))
    self->lane_bits = Z3_mk_const (self->z3, Z3_mk_string_symbol (self->z3, "lane"), number_sort (self));
  self->defined = inside;
  if (form->condition != NULL)
    smt_say (self, condition_of (self, form->condition));
  self->defined = left;
  a = translate (self, alternative, truth);
  self->defined = right;
  self->constants_fit = TRUE;
  b = translate (self, form->result, truth);
  self->constants_fit = FALSE;
  for (guint i = 0; i < left->len; i++)
    smt_say (self, left->pdata[i]);
  for (guint i = 0; i < inside->len; i++)
    smt_say (self, inside->pdata[i]);
  g_ptr_array_add (right, equal_values (self, a, b));
  return Z3_mk_and (self->z3, right->len, (Z3_ast *) right->pdata);
}

