/* run: a run of the interpreter that stands still, is looked into, kept, and brought back.
 *
 * The clock counts the statements that were begun (sequences count for nothing); a run that stands still at clock t is about to run
 * statement number t.  The same function on the same arguments passes through the same states, so a clock is a position.
 */
#pragma once

#include "engine/interp/observer.h"

G_BEGIN_DECLS

typedef enum {
  LS_RUN_STANDS,                /* before a statement */
  LS_RUN_FINISHED,
  LS_RUN_FAILED                 /* in the statement before the clock; ls_run_get_error says why */
} LsRunState;

/* A statement that is under way, or the one that comes next. */
typedef struct {
  LsPrimFunc *func;             /* borrowed; as it runs (settled) */
  LsNode     *stmt;             /* borrowed */
  guint       number;           /* in the order of the text of `func` */
  gboolean    is_loop;
  gint64      round, extent;    /* of a loop */
  gboolean    in_init;          /* of a block */
} LsRunFrame;

typedef struct {
  LsDType dtype;
  gint64  i;                    /* integers, bool; a pointer as its address */
  double  f;                    /* floats, and integers as a number */
} LsRunValue;

/* Where a buffer lies now. */
typedef struct {
  LsBuffer     *buffer;         /* borrowed */
  LsDType       dtype;
  guint         ndim;
  gint64        shape[16], strides[16];         /* elements */
  gint64        offset;         /* elements */
  guint8       *data;           /* address of element 0 of the data pointer */
  gint64        low, high;      /* elements that may be touched */
  const guint8 *written;        /* a bit per byte of its memory; NULL: not known */
  gint64        written_base;
} LsRunBuffer;

/* Before the first statement of `func`.  `args` and what they point to, and `options`, live as long as the run.  NULL with an
 * error: the program cannot be run on them. (transfer full) */
LsRun       *ls_run_new        (LsPrimFunc            *func,
                                const LsInterpArg     *args,
                                guint                  n_args,
                                const LsInterpOptions *options,
                                GError               **error);
void         ls_run_free       (LsRun                 *self);
/* Goes on until the clock is `until` (G_MAXUINT64: no bound), an observer asks to stop, or it ends. */
LsRunState   ls_run_go         (LsRun                 *self,
                                guint64                until);
LsRunState   ls_run_get_state  (LsRun                 *self);
guint64      ls_run_get_clock  (LsRun                 *self);
/* Why it failed, or NULL. Borrowed. */
const GError *ls_run_get_error (LsRun                 *self);
/* How many statements are under way, with that which comes next; 0 at the end. */
guint        ls_run_get_depth  (LsRun                 *self);
/* The outermost is number 0; the last one is that which comes next. */
void         ls_run_get_frame  (LsRun                 *self,
                                guint                  i,
                                LsRunFrame            *frame);
/* The function whose statement comes next, as it runs; at the end the one that was run. Borrowed. */
LsPrimFunc  *ls_run_get_func   (LsRun                 *self);
/* The statements of a function by number: all that may come. (element-type LsStmt) (transfer container); NULL: it was not entered */
GPtrArray   *ls_run_statements (LsRun                 *self,
                                LsPrimFunc            *func);

/* The variables that are bound now, outermost first: parameters that are numbers, loops, blocks, lets. (transfer container, of LsVar) */
GPtrArray   *ls_run_vars       (LsRun                 *self);
gboolean     ls_run_get_var    (LsRun                 *self,
                                LsVar                 *var,
                                LsRunValue            *value);
/* The buffers whose memory is there now: arguments first. (transfer container, of LsBuffer) */
GPtrArray   *ls_run_buffers    (LsRun                 *self);
gboolean     ls_run_get_buffer (LsRun                 *self,
                                LsBuffer              *buffer,
                                LsRunBuffer           *view);
/* One element by its offset; TRUE: it was written (arguments count as not written). */
gboolean     ls_run_element    (const LsRunBuffer     *view,
                                gint64                 element,
                                LsRunValue            *value);

/* An expression over variables and buffers of the function under way, made ready to be asked often; it lives as long as the run, or until it is
 * released.  NULL with an error: it names something else. */
typedef struct _LsCode LsRunExpr;
LsRunExpr   *ls_run_prepare    (LsRun                 *self,
                                LsPrimFunc            *func,
                                LsExpr                *expr,
                                GError               **error);
/* It is not asked any more. */
void         ls_run_release    (LsRun                 *self,
                                LsRunExpr             *expr);
/* How many there are that were not released. */
guint        ls_run_get_n_prepared (LsRun             *self);
/* Its value now; also from inside an observer.  What it reads is not seen by observers.  FALSE with an error (may be NULL): a
 * division by zero, an access outside. */
gboolean     ls_run_ask        (LsRun                 *self,
                                LsRunExpr             *expr,
                                guint                  lane,
                                LsRunValue            *value,
                                GError               **error);

/* ---- save.c: states ------------------------------------------------------------------ */

typedef struct _LsSaved LsSaved;

/* The state of a run that stands still, which lives longer.  Pages of memory that are as in `like` (or NULL) are shared with it.
 * (transfer full) */
LsSaved     *ls_run_save        (LsRun                *self,
                                 LsSaved              *like);
void         ls_run_restore     (LsRun                *self,
                                 LsSaved              *saved);
guint64      ls_saved_get_clock (LsSaved              *self);
/* Bytes of all states of the run that are kept; pages that they share count once. */
gsize        ls_run_saved_bytes (LsRun                *self);
void         ls_saved_free      (LsSaved              *self);
/* Bytes of memory that a state has to look at: what keeping one costs. */
gsize        ls_run_bytes       (LsRun                *self);

G_END_DECLS
