/* passes/model: a log of passes that a window shows, and what of it is counted so far.
 *
 * The log never changes once it is read; counts come in any thread.
 */
#pragma once

#include "engine/passlog/passlog.h"

G_BEGIN_DECLS

typedef struct _LsPasses LsPasses;

/* Takes the log. (transfer full) */
LsPasses   *ls_passes_new        (LsPassLog     *log);
LsPasses   *ls_passes_ref        (LsPasses      *self);
void        ls_passes_unref      (LsPasses      *self);
/* Borrowed. */
LsPassLog  *ls_passes_get_log    (LsPasses      *self);
LsPassDump *ls_passes_get_dump   (LsPasses      *self,
                                  guint          dump);
/* FALSE: not counted yet. */
gboolean    ls_passes_get_counts (LsPasses      *self,
                                  guint          dump,
                                  LsPassCounts  *counts);
/* Counts; takes as long as a comparison of all that the dump changed. */
void        ls_passes_count      (LsPasses      *self,
                                  guint          dump);

/* The function that the dump is about, or "[module]" and the like; "" where the log does not say. Borrowed. */
const char *ls_passes_get_unit   (LsPasses      *self,
                                  guint          dump);
/* Is the word in the name of the pass, of its unit, or of a function that it changed? */
gboolean    ls_passes_matches    (LsPasses      *self,
                                  guint          dump,
                                  const char    *word);
/* What the dump says of its pass in a few words, in the language of the user: "+3 −2 ~1", "changes nothing". (transfer full) */
char       *ls_passes_words      (LsPasses      *self,
                                  guint          dump);
/* The name of a kind for people: "LLVM". Borrowed. */
const char *ls_passes_kind_words (LsPassLogKind  kind);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPasses, ls_passes_unref)

G_END_DECLS
