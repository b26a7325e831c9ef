/* LsPlay: a lesson while somebody goes through it: what was run, written, answered, and where they are.
 *
 * No widgets.  Owns the kernel and a queue of requests; cells that stand before the one that is asked for and were not run in this life of
 * the kernel run first.  Progress (page, answers, edits, solved exercises) is written to loopscope/lessons in the user's
 * data folder and read back; outputs are not, and nothing is run by opening.
 */
#pragma once

#include "app/kernel/kernel.h"
#include "app/lesson/lesson.h"

G_BEGIN_DECLS

typedef enum {
  LS_PLAY_IDLE,
  LS_PLAY_QUEUED,
  LS_PLAY_RUNNING,
  LS_PLAY_DONE,
  LS_PLAY_FAILED,
  LS_PLAY_SKIPPED,              /* a module is missing */
  LS_PLAY_GONE,                 /* done, but Python was ended since */
  LS_PLAY_STALE,                /* done, but its code or that of an earlier part is another one now */
} LsPlayState;

/* What is known of one part of the lesson. */
typedef struct {
  LsPlayState  state;
  char        *code;            /* as edited, or NULL */
  char        *ran;             /* the code that ran last, or NULL */
  gboolean     overtaken;       /* an earlier part ran with other code after it */
  LsOutputs   *outputs;         /* of the last run, or NULL */
  char        *sentence;        /* what is wrong, or NULL */
  char        *trouble;         /* a traceback, or NULL */
  double       ns;
  char        *stops;           /* what was answered at the stops of its run (app/lesson/record.h), or NULL */
  int          choice;          /* of a question, -1 = none */
  gboolean     revealed;
  gboolean     solved;
  gboolean     done_once;       /* it ran well, now or in an earlier session */
  GVariant    *answer;          /* of an exercise: its cases; of a primitive question: the question; or NULL */
  GVariant    *verdict;         /* on the answer to a primitive question, or NULL */
  guint        round;           /* of a drill: how many questions were answered before this one */
  guint        steps_before;    /* of the schedule that it showed: steps that were there before */
} LsPlayPart;

#define LS_TYPE_PLAY (ls_play_get_type ())
G_DECLARE_FINAL_TYPE (LsPlay, ls_play, LS, PLAY, GObject)

/* Signals: "part-changed" (guint), "shown" (guint: a part has something for the result pane), "page-changed" (), "kernel-changed" (). */

LsPlay           *ls_play_new             (LsLesson    *lesson);
LsLesson         *ls_play_get_lesson      (LsPlay      *self);
LsKernel         *ls_play_get_kernel      (LsPlay      *self);
const LsPlayPart *ls_play_get             (LsPlay      *self,
                                           guint        part);
/* The code of a cell as it would run now. */
const char       *ls_play_get_code        (LsPlay      *self,
                                           guint        part);
void              ls_play_set_code        (LsPlay      *self,
                                           guint        part,
                                           const char  *code);
gboolean          ls_play_is_edited       (LsPlay      *self,
                                           guint        part);
/* Runs a cell, checks an exercise, makes a primitive question; what it needs first runs first. */
void              ls_play_run             (LsPlay      *self,
                                           guint        part);
/* The next part of the page that is to be run or answered, or -1; with `after` >= 0 only those behind that part. */
int               ls_play_find_next       (LsPlay      *self,
                                           int          after);
void              ls_play_interrupt       (LsPlay      *self);
/* Ends Python; everything is to be run again. */
void              ls_play_restart         (LsPlay      *self);
/* The same, and forgets edits, answers and the place. */
void              ls_play_reset           (LsPlay      *self);
void              ls_play_choose          (LsPlay      *self,
                                           guint        part,
                                           int          choice);
void              ls_play_reveal          (LsPlay      *self,
                                           guint        part,
                                           gboolean     revealed);
/* Answers a primitive question by a name or a call. */
void              ls_play_answer          (LsPlay      *self,
                                           guint        part,
                                           const char  *text);
/* The next question of a drill. */
void              ls_play_again           (LsPlay      *self,
                                           guint        part);
/* Keeps an answer at a stop of a run: how many statements were begun, and what was answered. */
void              ls_play_answer_stop     (LsPlay      *self,
                                           guint        part,
                                           guint        at,
                                           const char  *given);
/* Shows the result of a part again. */
void              ls_play_show            (LsPlay      *self,
                                           guint        part);
guint             ls_play_get_page        (LsPlay      *self);
void              ls_play_set_page        (LsPlay      *self,
                                           guint        page);
/* The first part of the page of this kind, or -1. */
int               ls_play_find_part       (LsPlay      *self,
                                           LsPartKind   kind);
/* Was the page seen, and is all done that it asks for?  Cells have run once, questions are answered, exercises solved. */
gboolean          ls_play_is_page_done    (LsPlay      *self,
                                           guint        page);
/* While presenting, questions begin unanswered, and what is revealed and tried leaves the learner's own progress alone: it comes back
 * when presenting ends. */
void              ls_play_present         (LsPlay      *self,
                                           gboolean     presenting);
gboolean          ls_play_is_busy         (LsPlay      *self);
/* How long the running cell has taken after an interrupt without listening, in seconds; 0 = no interrupt. */
double            ls_play_get_unheard     (LsPlay      *self);
/* Writes the progress; also done when it is given back. */
void              ls_play_save            (LsPlay      *self);
/* How far somebody is in a lesson, as it was saved last; FALSE when they never opened it. */
gboolean          ls_play_read_progress   (LsLesson    *lesson,
                                           guint       *done,
                                           guint       *pages);
/* Where two programs that should be equal differ, from an answer of the kernel: translated; NULL when it tells no two places.
 * (transfer full) */
char             *ls_play_describe_difference (GVariant *answer);
/* The first failed case of an exercise that compared two programs, with "yours" and "wanted"; NULL: there is none. (transfer full) */
GVariant         *ls_play_find_sides      (GVariant    *answer);
/* What the first failed case of an exercise that compared two arrays tells of them (app/kernel/loopscope_kernel/compared.py); NULL: there is none.
 * (transfer full) */
GVariant         *ls_play_find_arrays     (GVariant    *answer);

G_END_DECLS
