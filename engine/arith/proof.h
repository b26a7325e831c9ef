/* proof: what is known of the rules of arithmetic: proved, tested, or nothing.
 *
 * The record is engine/arith/proofs.def.  tests/proof/prove writes it (LS_UPDATE_GOLDEN=1) and fails when a rule is not in it, when
 * the text of a rule is not the one that was proved, or when the prover says something else.  Nobody writes it by hand.
 */
#pragma once

#include "engine/arith/rule.h"

G_BEGIN_DECLS

/* What the numbers of a rule are taken for. */
typedef enum {
  LS_THEORY_INTEGERS,           /* without bounds: indices */
  LS_THEORY_SIGNED,             /* 8 bits that wrap, with a sign */
  LS_THEORY_UNSIGNED,           /* without one */
  LS_THEORY_FLOATS,             /* IEEE 754, 16 bits */
  LS_N_THEORIES
} LsTheory;

typedef enum {
  LS_VERDICT_NONE,              /* the rule does not stand for such numbers */
  LS_VERDICT_OPEN,              /* neither proved nor tested */
  LS_VERDICT_TESTED,            /* at every point of a small domain */
  LS_VERDICT_PROVED_NUMBER,     /* floats: up to the sign of zero */
  LS_VERDICT_PROVED
} LsVerdict;

/* One line of the record. */
typedef struct {
  const char *table, *pattern, *condition, *result;     /* condition: "" without one */
  const char *verdicts;         /* a letter for each theory: P proved, Z proved up to the sign of zero, T tested, - none */
  guint       milliseconds;     /* that Z3 took when the record was written */
} LsRuleProof;

/* A step of the analyser that is no rule of a table: C code, tested on every case of a small domain. */
typedef struct {
  const char *name;             /* "bound: a // b" */
  const char *claim;            /* a sentence for ls_translate */
  guint       cases;
} LsStepProof;

/* By its whole text; NULL: nothing is known of it. */
const LsRuleProof *ls_rule_proof          (const LsRuleTable *table,
                                           guint              i);
LsVerdict          ls_rule_proof_in       (const LsRuleProof *proof,
                                           LsTheory           theory);
/* The weakest of what it claims; OPEN for NULL. */
LsVerdict          ls_rule_proof_verdict  (const LsRuleProof *proof);
/* Translated: "proved", "tested", "not proved". */
const char        *ls_verdict_word        (LsVerdict          verdict);
/* What was shown, translated: "For all integers x, y and all constants c1 with c1 > 0: A = B." and for each theory how.
 * (transfer full) */
char              *ls_rule_statement      (const LsRuleTable *table,
                                           guint              i);
const LsStepProof *ls_step_proofs         (guint             *n);
const LsRuleProof *ls_rule_proofs         (guint             *n);

G_END_DECLS
