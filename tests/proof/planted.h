/* planted: wrong rules that the prover must refute, and what they should have been. */
#pragma once

#include "engine/arith/proof.h"

G_BEGIN_DECLS

typedef struct {
  const char *kind;
  LsRule      wrong, right;
  LsRuleTypes types;
  LsTheory    theory;
} PlantedRule;

const PlantedRule *proof_planted (guint *n);

G_END_DECLS
