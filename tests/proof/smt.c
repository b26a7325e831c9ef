/* smt: see the header.  Which theory says what: integers.c, bits.c. */
#include "tests/proof/smt-private.h"

/* What is tried without facts on products first, in Z3's units: most rules of sums. */
#define WITHOUT_FACTS 20000

/* ---- what the theories share ---- */

Z3_ast
smt_both (Smt    *self,
          Z3_ast  a,
          Z3_ast  b)
{
  return Z3_mk_and (self->z3, 2, (Z3_ast[]) { a, b });
}

Z3_ast
smt_either (Smt    *self,
            Z3_ast  a,
            Z3_ast  b)
{
  return Z3_mk_or (self->z3, 2, (Z3_ast[]) { a, b });
}

void
smt_say (Smt    *self,
         Z3_ast  fact)
{
  g_ptr_array_add (self->facts, fact);
}

Z3_ast
smt_truth_slot (Smt   *self,
                guint  slot)
{
  if (self->slots[slot] == NULL)
    self->slots[slot] = Z3_mk_const (self->z3, Z3_mk_string_symbol (self->z3, ls_rule_slot_name (slot)), Z3_mk_bool_sort (self->z3));
  return self->slots[slot];
}

gboolean
smt_is_truth (const LsPattern *pattern)
{
  if (pattern->op == LS_PATTERN_BROADCAST)
    return smt_is_truth (pattern->args[0]);
  return pattern->op == LS_PATTERN_NOT ||
         (pattern->op == LS_PATTERN_BINARY && (ls_kind_is_compare ((LsKind) pattern->kind) || pattern->kind == LS_KIND_AND || pattern->kind == LS_KIND_OR));
}

/* ---- asking ---- */

static guint64
used_by (Smt       *self,
         Z3_solver  solver)
{
  Z3_stats stats = Z3_solver_get_statistics (self->z3, solver);
  guint64 used = 0;

  Z3_stats_inc_ref (self->z3, stats);
  for (guint i = 0; i < Z3_stats_size (self->z3, stats); i++)
    if (g_str_equal (Z3_stats_get_key (self->z3, stats, i), "rlimit count"))
      used = Z3_stats_get_uint_value (self->z3, stats, i);
  Z3_stats_dec_ref (self->z3, stats);
  return used;
}

static char *
example_of (Smt       *self,
            Z3_solver  solver)
{
  Z3_model model = Z3_solver_get_model (self->z3, solver);
  GString *text = g_string_new ("");

  Z3_model_inc_ref (self->z3, model);
  for (guint i = 0; i < LS_RULE_N_SLOTS; i++)
    {
      Z3_ast value;

      if (self->slots[i] == NULL || !Z3_model_eval (self->z3, model, self->slots[i], TRUE, &value))
        continue;
      g_string_append_printf (text, "%s%s = %s", text->len > 0 ? ", " : "", ls_rule_slot_name (i), Z3_ast_to_string (self->z3, value));
    }
  Z3_model_dec_ref (self->z3, model);
  return g_string_free (text, FALSE);
}

static Z3_lbool
check (Smt         *self,
       Z3_ast       claim,
       const char  *logic,
       guint        limit,
       ProofResult *result)
{
  Z3_solver solver = logic == NULL ? Z3_mk_simple_solver (self->z3) : Z3_mk_solver_for_logic (self->z3, Z3_mk_string_symbol (self->z3, logic));
  Z3_params params;
  guint64 before;
  Z3_lbool answer;

  Z3_solver_inc_ref (self->z3, solver);
  params = Z3_mk_params (self->z3);
  Z3_params_inc_ref (self->z3, params);
  /* Work, not time: a busy machine proves the same. */
  Z3_params_set_uint (self->z3, params, Z3_mk_string_symbol (self->z3, "rlimit"), limit);
  Z3_solver_set_params (self->z3, solver, params);
  for (guint i = 0; i < self->facts->len; i++)
    Z3_solver_assert (self->z3, solver, self->facts->pdata[i]);
  Z3_solver_assert (self->z3, solver, Z3_mk_not (self->z3, claim));
  before = used_by (self, solver);
  answer = Z3_solver_check (self->z3, solver);
  result->used += used_by (self, solver) - before;
  if (answer == Z3_L_TRUE)
    result->example = example_of (self, solver);
  Z3_params_dec_ref (self->z3, params);
  Z3_solver_dec_ref (self->z3, solver);
  return answer;
}

static void
fault (Z3_context    z3,
       Z3_error_code code)
{
  g_error ("Z3: %s", Z3_get_error_msg (z3, code));
}

static void
begin (Smt *self)
{
  Z3_config config = Z3_mk_config ();

  self->z3 = Z3_mk_context (config);
  Z3_del_config (config);
  Z3_set_error_handler (self->z3, fault);
  self->facts = g_ptr_array_new ();
  self->vars = g_ptr_array_new ();
}

static void
end (Smt *self)
{
  smt_quotients_end (self);
  g_ptr_array_unref (self->facts);
  g_ptr_array_unref (self->vars);
  Z3_del_context (self->z3);
}

static gboolean
claims_condition (const LsPattern *condition,
                  LsTheory      theory)
{
  if (condition == NULL)
    return TRUE;
  if (condition->op == LS_PATTERN_BINARY && condition->kind == LS_KIND_AND)
    return claims_condition (condition->args[0], theory) && claims_condition (condition->args[1], theory);
  if (condition->op != LS_PATTERN_ASK)
    return TRUE;
  return !(condition->kind == LS_ASK_WHOLE && theory == LS_THEORY_FLOATS) && !(condition->kind == LS_ASK_INDEX && theory != LS_THEORY_INTEGERS);
}

static gboolean
has_op (const LsPattern *pattern,
        LsPatternOp      op)
{
  return pattern != NULL && (pattern->op == op || has_op (pattern->args[0], op) || has_op (pattern->args[1], op) || has_op (pattern->args[2], op));
}

gboolean
proof_claims (const LsRuleForm *form,
              LsRuleTypes       types,
              LsTheory          theory)
{
  const LsPattern *pattern = form->alternatives->pdata[0];
  gboolean floats = has_op (pattern, LS_PATTERN_FLOAT);

  if (!claims_condition (form->condition, theory))
    return FALSE;
  switch (theory)
    {
    case LS_THEORY_INTEGERS:
      return (types & LS_RULE_INDEX) != 0 && !floats;
    case LS_THEORY_SIGNED:
      return ((types & LS_RULE_WRAP) != 0 || form->ring) && !floats;
    case LS_THEORY_UNSIGNED:
      return (types & LS_RULE_WRAP) != 0 && !floats;
    case LS_THEORY_FLOATS:
      return (types & LS_RULE_FLOAT) != 0 && !has_op (pattern, LS_PATTERN_INT) && !has_op (pattern, LS_PATTERN_RAMP);
    case LS_N_THEORIES:
      break;
    }
  return FALSE;
}

static ProofResult
ask_one (const LsRuleForm *form,
         const LsPattern  *alternative,
         LsTheory          theory,
         gboolean          same_number,
         guint             limit)
{
  Smt self = { .theory = theory, .same_number = same_number };
  ProofResult result = { PROOF_OPEN, NULL, 0 };
  Z3_lbool answer;
  Z3_ast claim;

  begin (&self);
  claim = theory == LS_THEORY_INTEGERS ? proof_integer_claim (&self, form, alternative) : proof_bits_claim (&self, form, alternative);
  answer = check (&self, claim, NULL, theory == LS_THEORY_INTEGERS ? MIN (limit, WITHOUT_FACTS) : limit, &result);
  if (answer == Z3_L_UNDEF && theory == LS_THEORY_INTEGERS)
    {
      smt_quotients_facts (&self);
      answer = check (&self, claim, NULL, limit, &result);
    }
  if (answer != Z3_L_UNDEF)
    result.answer = answer == Z3_L_TRUE ? PROOF_REFUTED : same_number ? PROOF_PROVED_NUMBER : PROOF_PROVED;
  end (&self);
  return result;
}

static gboolean
has_variable (const LsPattern *pattern)
{
  return pattern != NULL && (pattern->op == LS_PATTERN_EXPR || has_variable (pattern->args[0]) || has_variable (pattern->args[1]) ||
                             has_variable (pattern->args[2]));
}

/* Does nothing here leave a type that holds its variables?  No sum or product of anything but constants, which fit. */
static gboolean
stays_inside (const LsPattern *pattern)
{
  if (pattern == NULL)
    return TRUE;
  if (pattern->op == LS_PATTERN_RAMP)
    return FALSE;
  if (pattern->op == LS_PATTERN_BINARY && has_variable (pattern) &&
      (pattern->kind == LS_KIND_ADD || pattern->kind == LS_KIND_SUB || pattern->kind == LS_KIND_MUL))
    return FALSE;
  return stays_inside (pattern->args[0]) && stays_inside (pattern->args[1]) && stays_inside (pattern->args[2]);
}

gboolean
proof_is_for_integers (const LsRuleForm *form,
                       const LsPattern  *alternative,
                       LsTheory          theory)
{
  return (theory == LS_THEORY_SIGNED || theory == LS_THEORY_UNSIGNED) && stays_inside (alternative) && stays_inside (form->result);
}

/* A condition of two that may hold: one after the other. */
ProofResult
proof_ask (const LsRuleForm *form,
           const LsPattern  *alternative,
           LsTheory          theory,
           guint             limit)
{
  LsRuleForm part = *form;
  ProofResult first, second;

  /* What does not wrap is what it is for integers, in a type of any width. */
  if (proof_is_for_integers (form, alternative, theory))
    {
      first = proof_ask (form, alternative, LS_THEORY_INTEGERS, limit);
      if (first.answer == PROOF_PROVED)
        return first;
      g_free (first.example);
    }
  if (form->condition == NULL || form->condition->op != LS_PATTERN_BINARY || form->condition->kind != LS_KIND_OR)
    {
      first = ask_one (form, alternative, theory, FALSE, limit);
      if (theory != LS_THEORY_FLOATS || first.answer != PROOF_REFUTED)
        return first;
      second = ask_one (form, alternative, theory, TRUE, limit);
      if (second.answer != PROOF_PROVED_NUMBER)
        return first;
      g_free (first.example);
      return second;
    }
  part.condition = form->condition->args[0];
  first = proof_ask (&part, alternative, theory, limit);
  if (first.answer != PROOF_PROVED)
    return first;
  part.condition = form->condition->args[1];
  second = proof_ask (&part, alternative, theory, limit);
  second.used += first.used;
  return second;
}
