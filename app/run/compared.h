/* run/compared: the tensors of a graph before and after a pass, in words. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How the two tensors of an answer of ls_debug_graph_compare() were found to be the same: a sentence. */
const char *ls_run_matched_words  (GVariant *compared);
/* The largest error of all, and how many were matched by what; NULL: `compared` (aa{sv}, an empty one for a value that is gone) is NULL or empty.
 * (transfer full) */
char       *ls_run_compared_words (GVariant *compared);
/* The same of values beside torch's, of which so many have none here. (transfer full) */
char       *ls_run_torch_words    (GVariant *compared,
                                   guint     n_without);

G_END_DECLS
