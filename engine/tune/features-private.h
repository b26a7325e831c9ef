/* The features of a program whose statements were collected already (engine/advice/nest.h). */
#pragma once

#include "engine/advice/nest.h"
#include "engine/tune/tune.h"

G_BEGIN_DECLS

/* As ls_tune_store_features(), ls_tune_per_store() and ls_tune_per_program(); `nests` NULL: some extent is no number. */
void    ls_tune_store_features_of (GPtrArray  *nests,
                                   double      features[LS_TUNE_N_STORE_FEATURES]);
GArray *ls_tune_per_store_of      (LsPrimFunc *func,
                                   GPtrArray  *nests,
                                   GArray     *weights);
void    ls_tune_per_program_of    (LsPrimFunc *func,
                                   GPtrArray  *nests,
                                   double      features[LS_TUNE_N_PER_STORE]);
/* As ls_tune_expected_seconds(); `nests` NULL: NaN. */
double  ls_tune_expected_of       (GPtrArray  *nests);
/* Elements of a buffer; a size that is no number counts as 1. */
double  ls_tune_elements          (LsBuffer   *buffer);
/* Elements that an access touches under the loops from `first` on. */
double  ls_tune_touched           (const LsNest       *nest,
                                   const LsNestAccess *access,
                                   guint               first);

G_END_DECLS
