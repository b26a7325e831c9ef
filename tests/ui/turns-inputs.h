/* turns-inputs: how long the window stands still, input by input; what the test and the benchmark of it share.
 *
 * A turn is what the main loop does between two calls of poll, the handling of the input itself among it; the frame log
 * (app/base/frame-log.h) measures it.  Programs and sessions are generated: modules of up to 1,000 functions, some 690 KB of text,
 * and sessions of up to 3,000 steps.
 *
 * Machines differ and others work beside: what counts is the processor time of the main thread, in units of a piece of work that
 * does not change and is done beside each input.  One unit is about a millisecond.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The longest turn that an input made. */
typedef struct {
  double wall;                  /* ms */
  double cpu;                   /* ms of the thread */
  double units;
} LsTurn;

typedef struct _LsTurns LsTurns;

/* What an input is given to; each has a program of its own in ./check, because what one waits for can pass while others work. */
typedef enum { LS_TURNS_OF_SESSION, LS_TURNS_OF_PROGRAM, LS_TURNS_OF_GRAPH } LsTurnsOf;

/* What it finds, and what of that it leaves. */
typedef enum {
  LS_TURNS_ALONE,               /* a window that nothing was done in */
  LS_TURNS_USES,                /* what an input before it left, or a new window; nothing after it may count on what it leaves */
  LS_TURNS_KEEPS,               /* the same, and what it has shown is there for the next */
} LsTurnsFinds;

typedef struct {
  LsTurnsOf    of;
  const char  *name;            /* "open-session" */
  const char  *words;           /* "open a session of %u steps" */
  guint        sizes[3];        /* 0: no more */
  void       (*run) (LsTurns *self, guint size);
  LsTurnsFinds finds;
} LsTurnsInput;

extern const LsTurnsInput ls_turns_inputs[];
extern const guint        ls_turns_n_inputs;

/* Sets the program's folders, makes the application; FALSE: there is no display. */
gboolean ls_turns_init    (void);
void     ls_turns_finish  (void);
/* The best of `times` (each in a window of its own): what is in the way of one of them is no turn of ours. */
LsTurn   ls_turns_measure (const LsTurnsInput *input,
                           guint               size,
                           guint               times);
/* Once, in the window of the inputs before it where it takes that: opening one and the program in it is most of the work. */
LsTurn   ls_turns_go_on   (const LsTurnsInput *input,
                           guint               size);

G_END_DECLS
