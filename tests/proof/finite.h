/* finite: a rule at every point of a small domain, with the interpreter as the meaning.
 *
 * For what Z3 leaves open, and to hold Z3's view of an operation against what programs do.
 */
#pragma once

#include "engine/arith/proof.h"

G_BEGIN_DECLS

typedef struct {
  guint64  points;              /* where the condition holds and the pattern has a value */
  char    *wrong;               /* a point where the result is another, or NULL. Free it. */
} FiniteResult;

/* Of about `most` points. Floats: no points. */
FiniteResult finite_try (const LsRuleForm *form,
                         const LsPattern  *alternative,
                         LsTheory          theory,
                         guint64           most);

G_END_DECLS
