/* passes/model: a log of passes that a window shows, and what of it is counted so far.
 *
 * The log never changes once it is read; counts come in any thread.
 */
#pragma once

#include "engine/passlog/passlog.h"
#include "views/models/family.h"

G_BEGIN_DECLS

typedef struct _LsPasses LsPasses;

typedef enum {
  LS_PASSES_RAN,
  LS_PASSES_FAILED,
  LS_PASSES_UNREACHED           /* stands behind one that failed */
} LsPassesState;

/* What is known of a dump beside its text, where it is of a pass of our own. */
typedef struct {
  guint         stage;          /* LsPassesStage */
  gboolean      start;          /* what the first pass of the stage gets */
  LsPassesState state;
  const char   *summary;        /* what the pass is for, in English; "": not known */
  char         *trouble;        /* why it could not go on, or NULL */
  GVariant     *places;         /* a(uuu) of the text after it: from which to which character, of which loop */
} LsPassesNote;

/* What a loop of the program is in the window. */
typedef struct {
  guint64    id;
  LsFamilies families;
} LsPassesLoop;

/* Of all dumps of a log. */
typedef struct {
  GArray *notes;                /* of LsPassesNote */
  GArray *loops;                /* of LsPassesLoop, in the order in which the program opens them */
  gint    serial;               /* another one for each */
} LsPassesNotes;

LsPassesNotes *ls_passes_notes_new  (void);
void           ls_passes_notes_free (LsPassesNotes *self);

/* Takes the log. (transfer full) */
LsPasses   *ls_passes_new        (LsPassLog     *log);
/* The same with notes, which it takes too: one for each dump. (transfer full) */
LsPasses   *ls_passes_new_noted  (LsPassLog     *log,
                                  LsPassesNotes *notes);
/* Borrowed; NULL: the log has none. */
const LsPassesNotes *ls_passes_get_notes (LsPasses *self);
const LsPassesNote  *ls_passes_get_note  (LsPasses *self,
                                  guint          dump);
/* What the program takes, and gives, cut off behind a dump; on the main thread. */
void        ls_passes_set_run    (LsPasses       *self,
                                  guint          dump,
                                  double         nanoseconds,
                                  const char    *wrong);
/* What was set; FALSE: nothing was.  ns 0: it did not run; *wrong borrowed, NULL: its result is right. */
gboolean    ls_passes_get_run    (LsPasses       *self,
                                  guint          dump,
                                  double        *nanoseconds,
                                  const char   **wrong);
/* What the pass of a dump is for, in the language of the user; "": not known. */
const char *ls_passes_get_summary (LsPasses     *self,
                                  guint          dump);
LsPasses   *ls_passes_ref        (LsPasses      *self);
void        ls_passes_unref      (LsPasses      *self);
/* Borrowed. */
LsPassLog  *ls_passes_get_log    (LsPasses      *self);
LsPassDump *ls_passes_get_dump   (LsPasses      *self,
                                  guint          dump);
/* In what each pass ran; made when it is asked for first, on the main thread. Borrowed. */
const LsPassNesting *ls_passes_get_nesting (LsPasses *self);
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

/* "read by LLVM 19.1.7", "read by the tolerant reader: LLVM: 3:14 expected type", as ls_pass_sides_diff() says it; "" for NULL. (transfer full) */
char *ls_passes_reader_words (const char *reader);

G_END_DECLS
