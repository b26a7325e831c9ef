/* proof: the record and what is said of it. */
#include "engine/arith/proof.h"

#include <string.h>

#define RULE_PROOF(table, pattern, condition, result, verdicts, milliseconds) { table, pattern, condition, result, verdicts, milliseconds },
#define STEP_PROOF(name, claim, cases)
static const LsRuleProof rules[] = {
#include "engine/arith/proofs.def"
  { NULL, NULL, NULL, NULL, NULL, 0 },
};
#undef RULE_PROOF
#undef STEP_PROOF

#define RULE_PROOF(table, pattern, condition, result, verdicts, milliseconds)
#define STEP_PROOF(name, claim, cases) { name, claim, cases },
static const LsStepProof steps[] = {
#include "engine/arith/proofs.def"
  { NULL, NULL, 0 },
};
#undef RULE_PROOF
#undef STEP_PROOF

const LsRuleProof *
ls_rule_proofs (guint *n)
{
  *n = G_N_ELEMENTS (rules) - 1;
  return rules;
}

const LsStepProof *
ls_step_proofs (guint *n)
{
  *n = G_N_ELEMENTS (steps) - 1;
  return steps;
}

const LsRuleProof *
ls_rule_proof (const LsRuleTable *table,
               guint              i)
{
  const LsRule *rule = &table->rules[i];
  const char *condition = rule->condition != NULL ? rule->condition : "";

  for (const LsRuleProof *it = rules; it->table != NULL; it++)
    if (strcmp (it->table, table->name) == 0 && strcmp (it->pattern, rule->pattern) == 0 &&
        strcmp (it->condition, condition) == 0 && strcmp (it->result, rule->result) == 0)
      return it;
  return NULL;
}

LsVerdict
ls_rule_proof_in (const LsRuleProof *proof,
                  LsTheory           theory)
{
  switch (proof != NULL && strlen (proof->verdicts) == LS_N_THEORIES ? proof->verdicts[theory] : '?')
    {
    case 'P':
      return LS_VERDICT_PROVED;
    case 'Z':
      return LS_VERDICT_PROVED_NUMBER;
    case 'T':
      return LS_VERDICT_TESTED;
    case '-':
      return LS_VERDICT_NONE;
    default:
      return LS_VERDICT_OPEN;
    }
}

LsVerdict
ls_rule_proof_verdict (const LsRuleProof *proof)
{
  LsVerdict worst = LS_VERDICT_PROVED;
  gboolean any = FALSE;

  for (LsTheory theory = 0; proof != NULL && theory < LS_N_THEORIES; theory++)
    {
      LsVerdict verdict = ls_rule_proof_in (proof, theory);

      if (verdict == LS_VERDICT_NONE)
        continue;
      any = TRUE;
      worst = MIN (worst, verdict);
    }
  return any ? worst : LS_VERDICT_OPEN;
}

const char *
ls_verdict_word (LsVerdict verdict)
{
  switch (verdict)
    {
    case LS_VERDICT_PROVED:
    case LS_VERDICT_PROVED_NUMBER:
      return ls_translate (LS_TEXT ("proved"));
    case LS_VERDICT_TESTED:
      return ls_translate (LS_TEXT ("tested"));
    case LS_VERDICT_NONE:
    case LS_VERDICT_OPEN:
      break;
    }
  return ls_translate (LS_TEXT ("not proved"));
}

/* ---- the statement ---- */

static const char *const theory_words[LS_N_THEORIES] = {
  LS_TEXT ("integers without bounds (int32 and int64 indices)"),
  LS_TEXT ("signed integers of 8 bits that wrap"),
  LS_TEXT ("unsigned integers of 8 bits that wrap"),
  LS_TEXT ("floats of 16 bits (IEEE 754)"),
};

static void
collect_slots (const LsPattern *pattern,
               gboolean        *seen)
{
  if (pattern == NULL)
    return;
  if (pattern->op <= LS_PATTERN_FLOAT)
    seen[pattern->slot] = TRUE;
  for (guint i = 0; i < 3; i++)
    collect_slots (pattern->args[i], seen);
}

/* "x, y, c1" */
static char *
slots_of (const LsRule *rule)
{
  gboolean seen[LS_RULE_N_SLOTS] = { FALSE };
  GString *names = g_string_new ("");
  LsRuleForm form;

  ls_rule_read (rule, &form);
  collect_slots (form.alternatives->pdata[0], seen);
  ls_rule_form_clear (&form);
  for (guint i = 0; i < LS_RULE_N_SLOTS; i++)
    if (seen[i])
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", ls_rule_slot_name (i));
  return g_string_free (names, FALSE);
}

static void
add_theory (GString           *text,
            const LsRuleProof *proof,
            LsTheory           theory)
{
  const char *format = NULL;

  switch (ls_rule_proof_in (proof, theory))
    {
    case LS_VERDICT_PROVED:
      format = LS_TEXT ("Proved by Z3 for %s.");
      break;
    case LS_VERDICT_PROVED_NUMBER:
      format = LS_TEXT ("Proved by Z3 for %s, where 0.0 and -0.0 are one number.");
      break;
    case LS_VERDICT_TESTED:
      format = LS_TEXT ("Tested at every point of a small domain for %s.");
      break;
    case LS_VERDICT_NONE:
      return;
    case LS_VERDICT_OPEN:
      format = LS_TEXT ("Not proved for %s.");
      break;
    }
  g_string_append_c (text, ' ');
  g_string_append_printf (text, ls_translate (format), ls_translate (theory_words[theory]));
}

char *
ls_rule_statement (const LsRuleTable *table,
                   guint              i)
{
  const LsRule *rule = &table->rules[i];
  const LsRuleProof *proof = ls_rule_proof (table, i);
  g_autofree char *names = slots_of (rule);
  GString *text = g_string_new ("");

  if (rule->condition != NULL)
    g_string_append_printf (text, ls_translate (LS_TEXT ("For all %s with %s: %s is %s.")), names, rule->condition, rule->pattern, rule->result);
  else
    g_string_append_printf (text, ls_translate (LS_TEXT ("For all %s: %s is %s.")), names, rule->pattern, rule->result);
  if (proof == NULL)
    g_string_append_printf (text, " %s", ls_translate (LS_TEXT ("Nothing is recorded of this rule.")));
  for (LsTheory theory = 0; proof != NULL && theory < LS_N_THEORIES; theory++)
    add_theory (text, proof, theory);
  if (proof != NULL)
    {
      g_string_append_c (text, ' ');
      g_string_append_printf (text, ls_translate (LS_TEXT ("It took %u ms.")), proof->milliseconds);
    }
  return g_string_free (text, FALSE);
}
