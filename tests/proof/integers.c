/* integers: rules over integers without bounds.
 *
 * Every number is a polynomial over the rule's variables and over named quotients (quotients.c), so that Z3 has sums and products
 * only; min and max are a variable that is one or the other.
 */
#include "tests/proof/smt-private.h"

/* ---- trees ---- */

static Poly
divide (Smt             *self,
        const LsPattern *pattern)
{
  Poly a = proof_integer_number (self, pattern->args[0]), b = proof_integer_number (self, pattern->args[1]), q, bq;
  Poly zero = poly_number (0);
  gboolean floor = pattern->kind == LS_KIND_FLOOR_DIV || pattern->kind == LS_KIND_FLOOR_MOD;

  g_ptr_array_add (self->defined, Z3_mk_not (self->z3, smt_equal (self, &b, &zero)));
  if (b.n == 0)                                 /* by 0: nothing is known of it */
    return poly_var (smt_fresh (self, "none"));
  if (b.n > 1)
    {
      Poly name = poly_var (smt_fresh (self, "d"));

      smt_say (self, smt_equal (self, &name, &b));
      b = name;
    }
  q = floor ? smt_floor_quotient (self, &a, &b) : smt_truncated_quotient (self, &a, &b);
  if (pattern->kind == LS_KIND_DIV || pattern->kind == LS_KIND_FLOOR_DIV)
    return q;
  bq = poly_mul (&b, &q);
  return poly_sub (&a, &bq);
}

/* A variable that is a where `first` holds, else b. */
static Poly
one_of (Smt        *self,
        Z3_ast      first,
        const Poly *a,
        const Poly *b)
{
  Poly value = poly_equal (a, b) ? *a : poly_var (smt_fresh (self, "m"));

  if (poly_equal (a, b))
    return value;
  if (smt_is_not_negative (self, a, 2) && smt_is_not_negative (self, b, 2))
    smt_note_not_negative (self, &value);
  smt_say_if (self, first, smt_equal (self, &value, a));
  smt_say_if (self, Z3_mk_not (self->z3, first), smt_equal (self, &value, b));
  return value;
}

static Poly
slot (Smt   *self,
      guint  which)
{
  if (!self->known[which])
    {
      Poly value = poly_var (smt_fresh (self, ls_rule_slot_name (which)));

      self->known[which] = TRUE;
      self->values[which] = value;
    }
  return self->values[which];
}

Poly
proof_integer_number (Smt             *self,
                      const LsPattern *pattern)
{
  Poly a, b;

  switch (pattern->op)
    {
    case LS_PATTERN_EXPR:
    case LS_PATTERN_INT:
      return slot (self, pattern->slot);
    case LS_PATTERN_NUMBER:
      return poly_number (pattern->number);
    case LS_PATTERN_SELECT:
      a = proof_integer_number (self, pattern->args[1]);
      b = proof_integer_number (self, pattern->args[2]);
      return one_of (self, proof_integer_truth (self, pattern->args[0]), &a, &b);
    case LS_PATTERN_BROADCAST:
      return proof_integer_number (self, pattern->args[0]);
    case LS_PATTERN_RAMP:
      if (self->lane == 0)
        {
          Poly zero = poly_number (0), lane;

          self->lane = smt_fresh (self, "lane");
          lane = poly_var (self->lane);
          smt_say (self, smt_at_most (self, &zero, &lane));
        }
      a = proof_integer_number (self, pattern->args[1]);
      b = poly_var (self->lane);
      b = poly_mul (&a, &b);
      a = proof_integer_number (self, pattern->args[0]);
      return poly_add (&a, &b);
    case LS_PATTERN_BINARY:
      break;
    case LS_PATTERN_FLOAT:
    case LS_PATTERN_NOT:
    case LS_PATTERN_ASK:
      g_assert_not_reached ();
    }
  if (pattern->kind == LS_KIND_DIV || pattern->kind == LS_KIND_MOD || pattern->kind == LS_KIND_FLOOR_DIV || pattern->kind == LS_KIND_FLOOR_MOD)
    return divide (self, pattern);
  a = proof_integer_number (self, pattern->args[0]);
  b = proof_integer_number (self, pattern->args[1]);
  switch (pattern->kind)
    {
    case LS_KIND_ADD:
      return poly_add (&a, &b);
    case LS_KIND_SUB:
      return poly_sub (&a, &b);
    case LS_KIND_MUL:
      return poly_mul (&a, &b);
    case LS_KIND_MIN:
      return one_of (self, smt_at_most (self, &a, &b), &a, &b);
    case LS_KIND_MAX:
      return one_of (self, smt_at_most (self, &b, &a), &a, &b);
    default:
      g_assert_not_reached ();
    }
}

static Z3_ast
compare (Smt             *self,
         const LsPattern *pattern)
{
  Poly a = proof_integer_number (self, pattern->args[0]), b = proof_integer_number (self, pattern->args[1]), d = poly_sub (&a, &b);

  g_array_append_val (self->differences, d);
  switch (pattern->kind)
    {
    case LS_KIND_EQ:
      return smt_equal (self, &a, &b);
    case LS_KIND_NE:
      return Z3_mk_not (self->z3, smt_equal (self, &a, &b));
    case LS_KIND_LT:
      return smt_below (self, &a, &b);
    case LS_KIND_LE:
      return smt_at_most (self, &a, &b);
    case LS_KIND_GT:
      return smt_below (self, &b, &a);
    case LS_KIND_GE:
      return smt_at_most (self, &b, &a);
    default:
      g_assert_not_reached ();
    }
}

Z3_ast
proof_integer_truth (Smt             *self,
                     const LsPattern *pattern)
{
  switch (pattern->op)
    {
    case LS_PATTERN_EXPR:
      return smt_truth_slot (self, pattern->slot);
    case LS_PATTERN_NUMBER:
      return pattern->number != 0 ? Z3_mk_true (self->z3) : Z3_mk_false (self->z3);
    case LS_PATTERN_NOT:
      return Z3_mk_not (self->z3, proof_integer_truth (self, pattern->args[0]));
    case LS_PATTERN_BROADCAST:
      return proof_integer_truth (self, pattern->args[0]);
    default:
      break;
    }
  if (pattern->kind == LS_KIND_AND)
    return smt_both (self, proof_integer_truth (self, pattern->args[0]), proof_integer_truth (self, pattern->args[1]));
  if (pattern->kind == LS_KIND_OR)
    return smt_either (self, proof_integer_truth (self, pattern->args[0]), proof_integer_truth (self, pattern->args[1]));
  return compare (self, pattern);
}

/* ---- conditions ---- */

static void
collect_not_negative (Smt             *self,
                      const LsPattern *condition)
{
  Poly a, b, d;

  if (condition->op == LS_PATTERN_BINARY && condition->kind == LS_KIND_AND)
    {
      collect_not_negative (self, condition->args[0]);
      collect_not_negative (self, condition->args[1]);
      return;
    }
  if (!(condition->op == LS_PATTERN_ASK && condition->kind == LS_ASK_GE) &&
      !(condition->op == LS_PATTERN_BINARY && (condition->kind == LS_KIND_GT || condition->kind == LS_KIND_GE)))
    return;
  a = proof_integer_number (self, condition->args[0]);
  b = proof_integer_number (self, condition->args[1]);
  d = poly_sub (&a, &b);
  smt_note_not_negative (self, &d);
}

static Z3_ast
asked (Smt             *self,
       const LsPattern *pattern)
{
  Poly value, limit = poly_number (0);

  switch ((LsAsk) pattern->kind)
    {
    case LS_ASK_GE:
    case LS_ASK_LT:
      value = proof_integer_number (self, pattern->args[0]);
      limit = proof_integer_number (self, pattern->args[1]);
      return pattern->kind == LS_ASK_GE ? smt_at_most (self, &limit, &value) : smt_below (self, &value, &limit);
    case LS_ASK_ZERO:
      value = proof_integer_number (self, pattern->args[0]);
      return smt_equal (self, &value, &limit);
    case LS_ASK_PROVE:
      return proof_integer_truth (self, pattern->args[0]);
    case LS_ASK_PURE:
    case LS_ASK_VSCALE:
    case LS_ASK_WHOLE:
    case LS_ASK_INDEX:
      return Z3_mk_true (self->z3);
    case LS_ASK_FZERO:
      break;
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
  return compare (self, pattern);
}

static gboolean
occurs (const LsPattern *pattern,
        guint            which)
{
  if (pattern == NULL)
    return FALSE;
  if (pattern->op <= LS_PATTERN_FLOAT)
    return pattern->slot == which;
  return occurs (pattern->args[0], which) || occurs (pattern->args[1], which) || occurs (pattern->args[2], which);
}

/* c1 % c2 == 0: c1 is c2 times something. */
static gboolean
put_in_multiple (Smt             *self,
                 const LsPattern *remainder)
{
  const LsPattern *c1 = remainder->args[0], *c2 = remainder->args[1];
  Poly by, times, zero = poly_number (0);

  if (remainder->kind != LS_KIND_FLOOR_MOD || c1->op != LS_PATTERN_INT || self->known[c1->slot] || c2->op != LS_PATTERN_INT)
    return FALSE;
  by = slot (self, c2->slot);
  times = poly_var (smt_fresh (self, "k"));
  self->values[c1->slot] = poly_mul (&by, &times);
  self->known[c1->slot] = TRUE;
  smt_say (self, Z3_mk_not (self->z3, smt_equal (self, &by, &zero)));
  return TRUE;
}

/* zero (y - z), zero (y + z) */
static void
put_in_zero (Smt             *self,
             const LsPattern *sum)
{
  Poly z;

  if (sum->op != LS_PATTERN_BINARY || (sum->kind != LS_KIND_SUB && sum->kind != LS_KIND_ADD) || sum->args[0]->op != LS_PATTERN_EXPR ||
      sum->args[1]->op != LS_PATTERN_EXPR || self->known[sum->args[0]->slot])
    return;
  z = slot (self, sum->args[1]->slot);
  self->values[sum->args[0]->slot] = sum->kind == LS_KIND_SUB ? z : poly_negate (&z);
  self->known[sum->args[0]->slot] = TRUE;
}

/* Equations among constants are put in before anything is translated. */
static void
put_in (Smt             *self,
        const LsPattern *condition)
{
  const LsPattern *a = condition->args[0], *b = condition->args[1];

  if (condition->op == LS_PATTERN_ASK && condition->kind == LS_ASK_ZERO)
    put_in_zero (self, a);
  if (condition->op != LS_PATTERN_BINARY)
    return;
  if (condition->kind == LS_KIND_AND)
    {
      put_in (self, a);
      put_in (self, b);
    }
  else if (condition->kind == LS_KIND_EQ && a->op == LS_PATTERN_BINARY && b->op == LS_PATTERN_NUMBER && b->number == 0 && put_in_multiple (self, a))
    return;
  else if (condition->kind == LS_KIND_EQ && a->op == LS_PATTERN_INT && !self->known[a->slot] && !occurs (b, a->slot))
    {
      self->values[a->slot] = proof_integer_number (self, b);
      self->known[a->slot] = TRUE;
    }
}

/* ---- the claim ---- */

Z3_ast
proof_integer_claim (Smt              *self,
                     const LsRuleForm *form,
                     const LsPattern  *alternative)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new (), right = g_ptr_array_new (), inside = g_ptr_array_new ();
  gboolean truth = smt_is_truth (alternative);
  Z3_ast claim;

  smt_quotients_begin (self);
  self->defined = inside;
  if (form->condition != NULL)
    {
      put_in (self, form->condition);
      collect_not_negative (self, form->condition);
      smt_say (self, condition_of (self, form->condition));
    }
  self->defined = left;
  if (truth)
    {
      Z3_ast a = proof_integer_truth (self, alternative);

      self->defined = right;
      claim = Z3_mk_iff (self->z3, a, proof_integer_truth (self, form->result));
    }
  else
    {
      Poly a = proof_integer_number (self, alternative), b, d;

      self->defined = right;
      b = proof_integer_number (self, form->result);
      d = poly_sub (&a, &b);
      g_array_append_val (self->differences, d);
      claim = smt_equal (self, &a, &b);
    }
  for (guint i = 0; i < left->len; i++)
    smt_say (self, left->pdata[i]);
  for (guint i = 0; i < inside->len; i++)
    smt_say (self, inside->pdata[i]);
  g_ptr_array_add (right, claim);
  for (guint i = 0; i < LS_RULE_N_SLOTS; i++)
    if (self->known[i])
      self->slots[i] = smt_ast (self, &self->values[i]);
  return Z3_mk_and (self->z3, right->len, (Z3_ast *) right->pdata);
}
