/* page: one HTML file that opens without a server and can be stepped: a lesson, the steps of a session, or the passes of a compiler.
 *
 *   page     the frame: style, script, the data as JSON in the page
 *   prose    blocks of a lesson as HTML
 *   program  a program, its loops, its graph, its accesses, the steps of a schedule as data
 *   run      a run, statement by statement, as data
 *   view     what a cell showed as data
 *   record   what came when a lesson ran
 *   lesson   a lesson with that, as a page
 *   paper    the same for paper, as a list for loopscope-draw
 *   passes   the log of a compiler's passes
 *   words    what the page says, in the language of the lesson
 *
 * Nothing that stands in a program, a lesson or an output can run in the page: text is escaped where it is put in, the script only ever
 * sets text, and the page's policy lets no other script run than that one.
 */
#pragma once

#include "app/lesson/runner.h"
#include "engine/passlog/passlog.h"
#include "engine/schedule/schedule.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A page while it is made. */
typedef struct _LsPage LsPage;

/* `key` tells pages apart where a browser keeps answers. (transfer full) */
LsPage     *ls_page_new          (const char *title,
                                  const char *language,
                                  const char *key);
void        ls_page_free         (LsPage     *self);
/* Text as it is; the caller vouches for it. */
void        ls_page_put_html     (LsPage     *self,
                                  const char *html);
/* Text, escaped. */
void        ls_page_put_text     (LsPage     *self,
                                  const char *text);
/* `format` is HTML, each of its strings is escaped. */
void        ls_page_put_format   (LsPage     *self,
                                  const char *format,
                                  ...) G_GNUC_PRINTF (2, 3);
/* What can be stepped or folded, from its data (transfer full); `plain` is shown where no script runs. */
void        ls_page_put_view     (LsPage     *self,
                                  JsonNode   *data,
                                  const char *plain);
/* Rules for this page alone, after those of every page. */
void        ls_page_put_style    (LsPage     *self,
                                  const char *css);
/* Where questions are asked without end about the steps that the page has. */
void        ls_page_put_drill    (LsPage     *self);
/* The data of a question (transfer full); its number. */
guint       ls_page_add_question (LsPage     *self,
                                  JsonNode   *data);
/* A text of the data, which gets valid where it is not; NULL is an empty one. */
void        ls_page_add_member   (JsonBuilder *builder,
                                  const char *name,
                                  const char *value);
/* A word of the page in its language (words.c); "" is never given. */
const char *ls_page_word         (LsPage     *self,
                                  const char *name);
const char *ls_page_get_key      (LsPage     *self);
/* The whole file. (transfer full) */
char       *ls_page_finish       (LsPage     *self);

/* ---- prose.c ---- */

/* `folder` is where pictures lie. */
void        ls_page_put_blocks   (LsPage     *self,
                                  GPtrArray  *blocks,
                                  const char *folder);

/* ---- program.c: (transfer full); NULL where there is no such thing ---- */

/* The rows of all loops and blocks, outermost first. */
JsonNode   *ls_page_nest         (LsVersion  *version);
/* Fields "kind": "program", ... of a text that may be a program; `view` ("loops", "graph", "accesses", ...) is what is shown first. */
JsonNode   *ls_page_program      (const char *text,
                                  const char *whole,
                                  const char *title,
                                  const char *mark,
                                  const char *view);
/* A run, statement by statement, with the stops of the part and what is asked there; NULL: it cannot be run. */
JsonNode   *ls_page_run          (GVariant            *view,
                                  const LsLessonPart  *part);
/* The steps of a trace on a program. */
JsonNode   *ls_page_history      (const char *program,
                                  const char *trace,
                                  const char *mark);
/* The steps of a schedule, which lives on meanwhile, put together one at a time; the first sixty. */
typedef struct _LsPageSteps LsPageSteps;

LsPageSteps *ls_page_steps_new   (LsSchedule *schedule,
                                  const char *mark);
/* Puts the next one; FALSE: there is no more. */
gboolean    ls_page_steps_put    (LsPageSteps *self);
/* Ends it; what is missing is left out. (transfer full) */
JsonNode   *ls_page_steps_end    (LsPageSteps *self);
/* A saved graph of torch.fx. */
JsonNode   *ls_page_fx           (const char *fx,
                                  const char *text);
/* "=", "-" and "+" for each line of what makes `b` of `a`. (transfer full) */
char       *ls_page_diff         (const char *a,
                                  const char *b);

/* ---- view.c ---- */

/* What a cell showed, as data; NULL: its text says all. (transfer full) */
JsonNode   *ls_page_view         (GVariant           *view,
                                  const LsLessonPart *part);

/* ---- passes.c ---- */

/* What the program of a dump took, and whether it was right. */
typedef struct {
  guint       dump;
  double      ns;               /* 0: it did not run */
  const char *wrong;            /* "": right */
} LsPageRun;

/* The passes of a log as a page: all in a list, and what changed in those that did something as far as `most_bytes` of lines go; the page
 * says how many had no room.  runs: of LsPageRun in the order of dumps, or NULL; they, else the times of the passes, are drawn as bars. (transfer full) */
char       *ls_passes_to_page    (LsPassLog           *log,
                                  const char          *title,
                                  const char          *language,
                                  gsize                most_bytes,
                                  GArray              *runs);

/* ---- lesson.c ---- */

/* What was recorded when the lesson ran. */
typedef struct _LsRecord LsRecord;

LsRecord   *ls_record_new        (LsLesson           *lesson);
void        ls_record_free       (LsRecord           *self);
/* For ls_lesson_run(). */
void        ls_record_take       (const LsRunReport  *report,
                                  gpointer            record);
/* What a part printed and showed, as text; NULL: it did not run. (transfer full) */
char       *ls_record_text       (const LsLessonPart *part,
                                  gpointer            record);
/* The lesson as a page; with `solutions` those of exercises too. (transfer full) */
char       *ls_lesson_to_page    (LsLesson           *lesson,
                                  LsRecord           *record,
                                  gboolean            solutions);

/* ---- paper.c ---- */

/* The lesson for paper: {"title", "summary", "language", "items"}; each item has a "kind": "heading" (level), "words", "item" (level,
 * marker), "quote", "code", "output", "note", "error", "rule", "rows", "question" up to "end", "choice", "room" (lines), and those of
 * ls_page_view().  With `solutions` answers come at the end. (transfer full) */
JsonNode   *ls_lesson_to_paper   (LsLesson           *lesson,
                                  LsRecord           *record,
                                  gboolean            solutions);

G_END_DECLS
