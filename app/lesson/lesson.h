/* lesson: a lesson, read from Markdown.  No widgets, no Python: text in, parts out.
 *
 *   parse    lines and fences to parts, front matter, findings
 *   fence    what stands inside our own fences: questions, exercises
 *   prose    Markdown between the fences to blocks with Pango markup (cmark)
 *   math     formulas to readable text
 *   match    an expected output against a real one
 *   keys     what the answers to a part are kept by
 *   references  what the text refers to and is not there
 *   notebook a notebook (.ipynb) as a lesson's text, and back
 *   library  the lessons of a folder
 *   runner   a lesson run in the kernel, without a window
 *
 * The format is described in lessons/README.md.  Every text opens: what is wrong becomes a finding, and the rest is read.
 */
#pragma once

#include "engine/base/base.h"

G_BEGIN_DECLS

#define LS_LESSON_ERROR (ls_lesson_error_quark ())
GQuark ls_lesson_error_quark (void);

typedef enum {
  LS_LESSON_ERROR_READ,         /* the file cannot be read, or is no text */
} LsLessonError;

typedef enum {
  LS_BLOCK_HEADING,             /* level 1 to 6 */
  LS_BLOCK_PARAGRAPH,
  LS_BLOCK_ITEM,                /* level = depth from 1; marker "•" or "2." */
  LS_BLOCK_QUOTE,
  LS_BLOCK_CODE,                /* shown as it is, not run */
  LS_BLOCK_TABLE,               /* rows of cells: text has one row a line, cells separated by tabs, as markup */
  LS_BLOCK_IMAGE,               /* target = path as written; text = what it shows */
  LS_BLOCK_RULE,
} LsBlockKind;

/* One piece of prose. */
typedef struct {
  LsBlockKind  kind;
  int          level;
  char        *markup;          /* Pango markup */
  char        *text;            /* the same without markup */
  char        *marker;
  char        *target;
  gboolean     recorded;        /* code that says what the cell before it gave when the file was written (a chapter, a notebook) */
} LsLessonBlock;

typedef enum {
  LS_PART_PROSE,
  LS_PART_CELL,
  LS_PART_OUTPUT,               /* shown only; a compared one belongs to its cell */
  LS_PART_PREDICT,
  LS_PART_EXERCISE,
  LS_PART_PRIMITIVE,
  LS_PART_NOTES,
} LsPartKind;

typedef struct {
  char     *markup;
  char     *text;
  gboolean  right;
  char     *reply;              /* said to who chose it, as plain text; or NULL */
} LsLessonChoice;

/* One part of a lesson.  Strings that do not belong to the kind are NULL. */
typedef struct {
  LsPartKind   kind;
  guint        page;            /* from 0 */
  guint        line, last_line; /* in the file, from 1: of the fence, or of the prose */
  char        *id;              /* as given, or NULL */
  char        *title;
  GPtrArray   *blocks;          /* of LsLessonBlock: prose, question, task, notes; or NULL */

  /* cells; `code` is the start of an exercise too */
  guint        number;          /* from 1, over cells and exercises; 0 else */
  char        *code;
  guint        code_line;       /* in the file, of the first line of code */
  char        *view;
  char        *mark;
  char       **names;           /* of the rows of a chart, or NULL */
  char       **stops;           /* breakpoints of a run, or NULL */
  char        *ask;             /* at each of them: "element" or "value" that is written next; or NULL */
  char        *expect;          /* name of an exception */
  char        *needs;
  double       timeout;         /* seconds */
  gboolean     skip;
  gboolean     folded;
  gboolean     maybe;           /* a fence that does not say its language: run only if it is Python */
  char        *output;          /* expected, or NULL */
  double       close;           /* how far numbers of the output may differ; 0 = equal text */

  /* questions */
  GPtrArray   *choices;         /* of LsLessonChoice */
  GPtrArray   *answer;          /* of LsLessonBlock: shown by Reveal */
  char        *reveal;          /* id of the cell, or NULL */
  guint        reveal_cell;     /* number of the cell that Reveal runs, or 0 */
  char        *schedule;        /* name of a Python variable */
  int          step;            /* 0 = the last */
  gboolean     drill;           /* each step of the schedule in turn, without end */

  /* exercises */
  char        *cases;
  char        *hint;            /* all hints, one after the other */
  char       **hints;           /* in stages; NULL without any */
  char        *solution;
} LsLessonPart;

typedef struct {
  char        *title;           /* never NULL */
  guint        first, n_parts;
} LsLessonPage;

typedef struct _LsLesson LsLesson;

/* Reads a text; `findings` gets what is wrong with it (codes lesson-...), with places in `source`. (transfer full) */
LsLesson           *ls_lesson_parse         (LsSource       *source,
                                             LsDiagnostics  *findings);
/* The same for a file.  Errors: READ. (transfer full) */
LsLesson           *ls_lesson_load          (const char     *path,
                                             LsDiagnostics  *findings,
                                             GError        **error);
/* What the text refers to and is not there: pictures beside it, parts by their id, other lessons; and a front matter without an id.
 * `source` is the one that the lesson was read from. */
void                ls_lesson_look_around   (LsLesson       *self,
                                             LsSource       *source,
                                             LsDiagnostics  *findings);
LsLesson           *ls_lesson_ref           (LsLesson       *self);
void                ls_lesson_unref         (LsLesson       *self);

const char         *ls_lesson_get_title     (LsLesson       *self);
const char         *ls_lesson_get_id        (LsLesson       *self);     /* or the file's name without endings */
const char         *ls_lesson_get_language  (LsLesson       *self);     /* "en" where it says nothing */
const char         *ls_lesson_get_summary   (LsLesson       *self);     /* or "" */
const char         *ls_lesson_get_needs     (LsLesson       *self);     /* or "" */
const char         *ls_lesson_get_after     (LsLesson       *self);     /* ids of the lessons that it builds on, or "" */
const char         *ls_lesson_get_path      (LsLesson       *self);     /* as its source is named */
int                 ls_lesson_get_order     (LsLesson       *self);     /* or 0 */
/* A chapter or notes of somebody else: without an id.  Its cells may use names that it does not import. */
gboolean            ls_lesson_is_foreign    (LsLesson       *self);
guint               ls_lesson_get_n_parts   (LsLesson       *self);
const LsLessonPart *ls_lesson_get_part      (LsLesson       *self,
                                             guint           i);
guint               ls_lesson_get_n_pages   (LsLesson       *self);     /* at least 1 */
const LsLessonPage *ls_lesson_get_page      (LsLesson       *self,
                                             guint           i);
guint               ls_lesson_get_n_cells   (LsLesson       *self);     /* cells and exercises */
/* The blocks of part `i`, without a first heading that only says the lesson's title again: for those who write the title above all. (transfer container) */
GPtrArray          *ls_lesson_below_title   (LsLesson       *self,
                                             guint           i);
/* The hints of an exercise, the gentlest first; none gives an empty list. (transfer full) */
char              **ls_lesson_hints         (const LsLessonPart *part);
/* For each part what its answers are kept by: "part ID", or "says" and a print of its words. (transfer full) */
char              **ls_lesson_keys          (LsLesson       *self);
/* The part with this id or cell number ("3"), or NULL. */
const LsLessonPart *ls_lesson_find          (LsLesson       *self,
                                             const char     *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLesson, ls_lesson_unref)

/* ---- prose.c, math.c ---- */

/* Blocks of a Markdown text. (transfer full) */
GPtrArray          *ls_prose_parse          (const char     *markdown);
/* A formula of TeX as readable text: "C_{ij}" is "Cᵢⱼ". (transfer full) */
char               *ls_math_to_text         (const char     *tex);

/* ---- match.c ---- */

/* NULL when `real` is what `expected` says; otherwise a sentence on the first difference. (transfer full) */
char               *ls_output_compare       (const char     *expected,
                                             const char     *real,
                                             double          close);

/* ---- library.c ---- */

/* The folder of the lessons that come with the program, or NULL: LS_LESSONS, the build tree's, the installed one. (transfer full) */
char               *ls_lesson_folder        (void);
/* All lessons below `folder`, in their order, those of a language after each other. (transfer full; of LsLesson) */
GPtrArray          *ls_lesson_list          (const char     *folder);

G_END_DECLS
