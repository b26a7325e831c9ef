/* Inside app/lesson only. */
#pragma once

#include "app/lesson/lesson.h"

G_BEGIN_DECLS

struct _LsLesson {
  gatomicrefcount  refs;
  char            *title, *id, *language, *summary, *needs, *after, *path;
  int              order;
  GPtrArray       *parts;       /* of LsLessonPart */
  GArray          *pages;       /* of LsLessonPage */
  guint            n_cells;
  gboolean         foreign;
  LsSource        *source;      /* the text that a notebook became, so that places in it can be told; or NULL */
};

/* The words and options behind a fence: ```python {id=x view="a b" skip}. */
typedef struct {
  char       *name;             /* "python", "predict", ...; "" when there is none */
  GHashTable *options;          /* char * -> char *; a word alone has the value "" */
  gboolean    course;           /* {.python .input} */
} LsFenceInfo;

/* What stands between two fences, or in one. */
typedef struct {
  LsFenceInfo *info;            /* NULL: prose */
  char        *text;
  guint        line;            /* in the file, of the first line of the text, from 1 */
  guint        open;            /* of the fence itself; = line for prose */
  guint        end;             /* last line */
} LsStretch;

/* ---- stretch.c: lines to stretches ---- */

/* `first` is the line from which on to read. (transfer full; of LsStretch) */
GPtrArray    *ls_stretches_read     (LsSource      *source,
                                     char         **lines,
                                     guint          first,
                                     LsDiagnostics *findings);
void          ls_fence_info_free    (LsFenceInfo   *info);
const char   *ls_fence_option       (LsFenceInfo   *info,
                                     const char    *key);

/* ---- listing.c: code without fences ---- */

typedef struct {
  guint     first, end;         /* lines of the code, from 0; the last one is not in it */
  char     *text;               /* owned by the caller */
  gboolean  lost;               /* copying took its indentation away */
} LsListing;

/* Does a listing begin at line `at`? */
gboolean      ls_listing_read       (char          **lines,
                                     guint           at,
                                     guint           n,
                                     LsListing      *listing);
/* A piece of a TVMScript function, or a printed program: nothing to run. */
gboolean      ls_listing_is_to_read (const char     *text);

/* ---- fence.c: our own fences ---- */

/* Parts of a stretch that is a fence of ours; FALSE when it is none. */
gboolean      ls_fence_read         (LsLessonPart  *part,
                                     LsStretch     *stretch,
                                     LsSource      *source,
                                     LsDiagnostics *findings);

/* ---- others ---- */

void          ls_lesson_block_free  (LsLessonBlock *block);
/* A finding at a line of the source; the sentence is said in the user's language. */
void          ls_lesson_warn        (LsDiagnostics *findings,
                                     LsSource      *source,
                                     guint          line,
                                     LsSeverity     severity,
                                     const char    *code,
                                     const char    *format,
                                     ...) G_GNUC_PRINTF (6, 7);

G_END_DECLS
