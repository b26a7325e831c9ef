/* lemmas: what quotients.c takes for granted, proved. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint       proof_n_lemmas    (void);
const char *proof_lemma_name  (guint i);
/* Asks Z3. */
gboolean    proof_lemma_holds (guint i);

G_END_DECLS
