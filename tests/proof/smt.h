/* smt: a rewrite rule as a question to Z3.
 *
 * A rule says: where its condition holds and its pattern has a value, its result has a value and the same.  Constants (c1, c2)
 * are variables like the others.  What that means depends on what the expressions are:
 *
 *   integers    no bounds; // and % round down, tdiv and tmod towards zero; a divisor is not 0 (as everywhere in index
 *               arithmetic), and the result divides by nothing that the pattern did not
 *   signed      8 bits that wrap; constants that the result makes of others fit (else the rule is passed over)
 *   unsigned    the same without a sign
 *   floats      IEEE 754 with 16 bits; equal means the same bits, and NaN is NaN
 *
 * A rule for numbers that wrap in which nothing can wrap is proved for integers: so it holds in 8 bits and in any other number.
 * Vectors are taken lane by lane: ramp (p, q, l) is p + i q, for each i from 0 to l - 1.
 */
#pragma once

#include "engine/arith/proof.h"

G_BEGIN_DECLS

typedef enum {
  PROOF_PROVED,
  PROOF_PROVED_NUMBER,          /* floats: 0.0 and -0.0 taken as one */
  PROOF_REFUTED,
  PROOF_OPEN                    /* not decided with what it may use */
} ProofAnswer;

typedef struct {
  ProofAnswer answer;
  char       *example;          /* when refuted: "x = -1, c1 = 3" */
  guint64     used;             /* Z3's count of what it did; the same in each run */
} ProofResult;

/* Does the rule claim anything in this theory? */
gboolean    proof_claims   (const LsRuleForm *form,
                            LsRuleTypes       types,
                            LsTheory       theory);
/* Asks about one alternative with at most `limit` of Z3's units. Clear the result's example. */
ProofResult proof_ask      (const LsRuleForm *form,
                            const LsPattern  *alternative,
                            LsTheory       theory,
                            guint             limit);

/* Is the claim about numbers that wrap the one about integers, since nothing in it can wrap? */
gboolean    proof_is_for_integers (const LsRuleForm *form,
                                   const LsPattern  *alternative,
                                   LsTheory          theory);

G_END_DECLS
