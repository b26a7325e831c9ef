/* observer: looking on while a program runs.
 *
 * One stream of events for everything that looks inside a run: the order of accesses, dependences, the stops of the debugger, the
 * search for NaN and for the first difference.  An observer says which events it wants; for each statement and each buffer it is
 * asked once, before the run, whether these are in reach, so that what nobody looks at costs one test.
 *
 * In the midst of an event an observer may ask the run to stand still (ls_run_stop): before the statement that begins, before the
 * first statement of the round or block, and in a read or write before the whole statement, of which nothing has happened then.
 */
#pragma once

#include "engine/interp/interp.h"

G_BEGIN_DECLS

typedef struct _LsMachine LsRun;

typedef enum {
  LS_SEE_STATEMENT = 1 << 0,    /* a statement (no sequence) is about to run */
  LS_SEE_ROUND     = 1 << 1,    /* a loop begins a round; its variable is set */
  LS_SEE_BLOCK     = 1 << 2,    /* a block is entered; its variables are set, its buffers are there */
  LS_SEE_READ      = 1 << 3,    /* of an element, with the value; all lanes of a vector element at once */
  LS_SEE_WRITE     = 1 << 4     /* of an element, with the value that it gets; memory still has the old one */
} LsSee;

typedef struct {
  LsSee     kind;
  guint64   clock;              /* number of the statement under way, from 0 */
  LsPrimFunc *func;             /* the function under way, as it runs; borrowed */
  LsNode   *node;               /* the statement; access: the BufferLoad or BufferStore, borrowed */
  guint     number;             /* of the statement, in the order of the text of its function */
  gint64    round;              /* ROUND: from 0 */
  LsBuffer *buffer;             /* access; borrowed */
  gint64    element;            /* offset from the buffer's data pointer, in elements */
  LsDType   dtype;              /* of the element */
  gint64    int_value;          /* ROUND: the loop variable; access: an integer */
  double    float_value;        /* access: the value as a number */
} LsRunEvent;

typedef struct _LsObserver LsObserver;
struct _LsObserver {
  guint  sees;                  /* LsSee */
  /* Which of the events `wanted` about this statement, or accesses to this buffer, of a function as it runs matter; NULL: all. */
  guint (*reach) (LsRun *run, LsPrimFunc *func, LsNode *node, guint number, guint wanted, gpointer user_data);
  void  (*see)   (LsRun *run, const LsRunEvent *event, gpointer user_data);
};

/* Asks the run to stand still; from inside `see`. */
void     ls_run_stop        (LsRun            *run);
/* More observers may be added and go at any time while the run stands still or before it; `observer` lives longer. */
void     ls_run_observe     (LsRun            *run,
                             const LsObserver *observer,
                             gpointer          user_data);
void     ls_run_ignore      (LsRun            *run,
                             const LsObserver *observer,
                             gpointer          user_data);
/* What is in reach has changed: all are asked again. */
void     ls_run_look_again  (LsRun            *run);

/* The loops of the function under way that are around the statement, outermost first: their number, and for each one its variable
 * (borrowed) and its value.  Loops by `thread_extent` count only where `with_threads`. */
guint    ls_run_loops       (LsRun            *run,
                             gboolean          with_threads,
                             guint             room,
                             LsVar           **vars,
                             gint64           *values);
/* The innermost block around the statement, or NULL. Borrowed. */
LsBlock *ls_run_block       (LsRun            *run);

G_END_DECLS
