/* smt-private: what the theories share. */
#pragma once

#include "tests/proof/poly.h"
#include "tests/proof/smt.h"

#include <z3.h>

G_BEGIN_DECLS

typedef struct {
  Z3_context   z3;
  LsTheory  theory;
  Z3_ast       slots[LS_RULE_N_SLOTS];
  GPtrArray   *facts;           /* Z3_ast that hold */
  GPtrArray   *defined;         /* Z3_ast: what is translated now divides by no 0 */

  /* bits, floats */
  Z3_ast       lane_bits;       /* or NULL: scalars */
  gboolean     constants_fit;   /* constants made of others must fit */
  gboolean     same_number;     /* 0.0 and -0.0 are taken as one */

  /* integers */
  GPtrArray   *vars;            /* Z3_ast of the variables of polynomials */
  Poly         values[LS_RULE_N_SLOTS];
  gboolean     known[LS_RULE_N_SLOTS];
  guint        lane;            /* variable, or 0 */
  GArray      *quotients, *truncated;
  GArray      *differences;     /* Poly: of what is compared */
  GArray      *not_negative;    /* Poly: what the condition says to be so */
  guint        depth;
} Smt;

/* Does the tree stand for a truth value? */
gboolean smt_is_truth        (const LsPattern *pattern);
Z3_ast   smt_both            (Smt *self, Z3_ast a, Z3_ast b);
Z3_ast   smt_either          (Smt *self, Z3_ast a, Z3_ast b);
void     smt_say             (Smt *self, Z3_ast fact);
/* A variable that stands for a truth value. */
Z3_ast   smt_truth_slot      (Smt *self, guint slot);

/* quotients.c; a Poly is borrowed */
void     smt_quotients_begin    (Smt *self);
void     smt_quotients_end      (Smt *self);
/* Says what Z3 does not find of the quotients and differences that there are. */
void     smt_quotients_facts    (Smt *self);
Z3_ast   smt_ast                (Smt *self, const Poly *poly);
guint    smt_fresh              (Smt *self, const char *name);
Z3_ast   smt_at_most            (Smt *self, const Poly *a, const Poly *b);
Z3_ast   smt_below              (Smt *self, const Poly *a, const Poly *b);
Z3_ast   smt_equal              (Smt *self, const Poly *a, const Poly *b);
void     smt_say_if             (Smt *self, Z3_ast when, Z3_ast fact);
/* Divisors are single terms. */
Poly     smt_floor_quotient     (Smt *self, const Poly *above, const Poly *by);
Poly     smt_truncated_quotient (Smt *self, const Poly *a, const Poly *by);
void     smt_note_not_negative  (Smt *self, const Poly *value);
gboolean smt_is_not_negative    (Smt *self, const Poly *value, guint depth);

/* integers.c */
Poly     proof_integer_number (Smt *self, const LsPattern *pattern);
Z3_ast   proof_integer_truth (Smt *self, const LsPattern *pattern);
Z3_ast   proof_integer_claim (Smt *self, const LsRuleForm *form, const LsPattern *alternative);

/* bits.c */
Z3_ast   proof_bits_claim    (Smt *self, const LsRuleForm *form, const LsPattern *alternative);

G_END_DECLS
