/* move: one call of a primitive while it is checked or applied: its arguments as places in the tree, its results.
 *
 * What primitives, and others that look at the places of a schedule, need of it.
 */
#pragma once

#include "engine/schedule/state/state.h"
#include "engine/schedule/step/step.h"

G_BEGIN_DECLS

/* ---- handle.c ------------------------------------------------------------ */

/* What a handle means: a place (by its id) or a number. */
typedef struct {
  LsEntityType type;            /* LOOP or BLOCK; BUFFER stands for a number */
  guint        id;
  LsExpr      *value;           /* owned */
} LsHandle;
typedef struct {
  LsPtrMap by_var;              /* LsVar (kept alive by its step) -> LsHandle */
} LsHandles;

void       ls_handles_init      (LsHandles    *self);
void       ls_handles_clear     (LsHandles    *self);
void       ls_handles_add       (LsHandles    *self,
                                 LsVar        *var,
                                 LsEntityType  type,
                                 guint         id,
                                 LsExpr       *value);      /* borrowed */
void       ls_handles_remove    (LsHandles    *self,
                                 gpointer      var);
const LsHandle *ls_handles_get  (LsHandles    *self,
                                 LsVar        *var);        /* NULL: none of them */

/* ---- move.c ------------------------------------------------------------------ */

/* A loop handle that stands for no loop, as sample_compute_location gives it; kept where others have their id. */
#define LS_MARK_ROOT G_MAXUINT          /* leave the block where it is */
#define LS_MARK_INLINE (G_MAXUINT - 1)  /* inline the block */

/* One result: a place, a mark or a number. */
typedef struct {
  LsSref *sref;
  LsExpr *value;                /* owned */
  guint   mark;                 /* LS_MARK_..., or 0 */
} LsMoveResult;

struct _LsMove {
  LsSchedule          *schedule;
  LsHandles           *handles;     /* of the schedule */
  LsState             *state;
  const LsInstruction *instruction;
  LsNode             **args;        /* one for each parameter; None is NULL */
  LsNode              *decision;    /* owned; a sampling primitive fills it in */
  GArray              *results;     /* of LsMoveResult */
  gpointer             kept;        /* what check found out and apply needs; owned */
  GDestroyNotify       drop_kept;
  GArray              *meanings;    /* of LsMeaning, or NULL */
};

/* Keeps `data` with the move, from check until it was applied or is over. Takes it. */
void       ls_move_keep         (LsMove        *move,
                                 gpointer       data,
                                 GDestroyNotify drop);

/* For a step that makes other blocks: where `realize` stood, `stmt` would mean the same, and its blocks are those that the program has now.
 * A step that says so is looked at by order.c as one is that turns loops.  Takes `stmt`. */
typedef struct {
  LsBlockRealize *realize;      /* owned */
  LsStmt         *stmt;         /* owned */
} LsMeaning;
void       ls_move_means        (LsMove         *move,
                                 LsBlockRealize *realize,
                                 LsStmt         *stmt);

/* Arguments by number of the parameter.  The handles were found alive before check is called. */
LsSref    *ls_move_sref         (LsMove       *self,
                                 guint         param);
GPtrArray *ls_move_srefs        (LsMove       *self,
                                 guint         param);      /* of LsSref (transfer container) */
gint64     ls_move_int          (LsMove       *self,
                                 guint         param);
gboolean   ls_move_bool         (LsMove       *self,
                                 guint         param);
const char *ls_move_string      (LsMove       *self,
                                 guint         param);
#define ls_move_array(move, i) ((LsArray *) (move)->args[i])
/* An expression argument with sampled numbers put in. (transfer full) */
LsExpr    *ls_move_expr         (LsMove       *self,
                                 LsNode       *value);
/* An index map over variables of the type of the block's. (transfer full) */
LsIndexMap *ls_move_index_map   (LsMove       *self,
                                 guint         param,
                                 LsSref       *block);
/* Results, in order. */
void       ls_move_result       (LsMove       *self,
                                 LsSref       *sref);
void       ls_move_result_expr  (LsMove       *self,
                                 LsExpr       *value);
void       ls_move_result_mark  (LsMove       *self,
                                 guint         mark);
/* The mark that a loop argument is, or 0. */
guint      ls_move_mark         (LsMove       *self,
                                 guint         param);
/* One violated condition.  `culprit` (may be NULL) is a For, Block or other node of the module.  Returns the
 * diagnostic (NULL when the sink is NULL) for ls_diagnostic_set_repair and more culprits. */
LsDiagnostic *ls_move_refuse_at (const char    *file,
                                 guint          line,
                                 LsMove        *self,
                                 LsDiagnostics *diagnostics,
                                 const char    *condition,  /* "not-a-chain": the last part of the code */
                                 gpointer       culprit,
                                 const char    *format,
                                 ...) G_GNUC_PRINTF (7, 8);
/* The same for a move that TVM allows and that may change what the program computes: it is accepted, with a warning. */
LsDiagnostic *ls_move_warn_at   (const char    *file,
                                 guint          line,
                                 LsMove        *self,
                                 LsDiagnostics *diagnostics,
                                 const char    *condition,
                                 gpointer       culprit,
                                 const char    *format,
                                 ...) G_GNUC_PRINTF (7, 8);
/* The finding remembers the line that it comes from: code-place.h shows it.  The build makes __FILE__ a path from the
 * top of the sources. */
#define ls_move_refuse(...) ls_move_refuse_at (__FILE__, __LINE__, __VA_ARGS__)
#define ls_move_warn(...) ls_move_warn_at (__FILE__, __LINE__, __VA_ARGS__)
void       ls_move_add_culprit  (LsMove       *self,
                                 LsDiagnostic *diagnostic,
                                 gpointer      node);
/* Lineage of what apply makes, told after ls_state_replace.  A place that lives on needs no note; a new one that
 * is not noted counts as created. */
void       ls_move_note         (LsMove       *self,
                                 LsLineageHow  how,
                                 LsSref       *fresh,
                                 LsSref       *from);       /* may be dead by now */
void       ls_move_note_buffer  (LsMove       *self,
                                 LsLineageHow  how,
                                 LsBuffer     *node,
                                 LsBuffer     *from);

/* ---- schedule.c, handles ----------------------------------------------------- */

/* A call of a row that is only looked at: nothing to undo, no results. */
LsMove     ls_schedule_move     (LsSchedule   *self,
                                 const LsInstruction *instruction,
                                 LsNode      **args);       /* borrowed */
const LsHandle *ls_schedule_handle (LsSchedule *self,
                                 LsVar        *var);       /* NULL: none of this schedule */
/* The state of the current program. Borrowed, until the schedule changes. */
LsState   *ls_schedule_get_state (LsSchedule *self);
/* It is made again when it is asked for. */
void       ls_schedule_drop_state (LsSchedule *self);
/* The step, which was applied to that state, is the last one now. (transfer full) */
void       ls_schedule_take_step (LsSchedule  *self,
                                 LsStep       *step);
/* A handle for a place without a step that gives it, for as long as it takes to check something. */
LsVar     *ls_schedule_lend_handle (LsSchedule *self,
                                 LsSref       *sref);
void       ls_schedule_take_back (LsSchedule  *self,
                                 LsVar        *handle);
/* Names that earlier steps gave to single results, with their handles, added to a table (char * -> LsNode). */
void       ls_schedule_add_names (LsSchedule  *self,
                                 GHashTable   *names);
/* What a name in the text of the steps means now: a handle (Var), several (Array), or another value. Borrowed, or NULL. */
LsNode    *ls_schedule_get_binding (LsSchedule *self,
                                 const char   *name);
void       ls_schedule_bind     (LsSchedule   *self,
                                 const char   *name,
                                 LsNode       *value);
const char *ls_schedule_get_working_function (LsSchedule *self);    /* NULL when it is not clear */
/* The state of the schedule's random numbers, to draw with. */
guint64   *ls_schedule_random_state (LsSchedule *self);
/* Step (from 1) that took away the loop or block with this id, and its name before (transfer full); 0: not found. */
guint      ls_schedule_step_of_death (LsSchedule *self,
                                 guint         id,
                                 char        **name);

/* ---- argument.c -------------------------------------------------------------- */

/* Do the handles among its arguments stand for places that there are, of the kind that is asked for? */
gboolean   ls_move_handles_are_alive (LsMove   *move,
                                 LsDiagnostics *diagnostics);
/* Its arguments as the trace keeps them. (transfer full) */
LsArray   *ls_move_plain_arguments   (LsMove   *move);

/* ---- random.c ---------------------------------------------------------------- */

/* A whole number in [low, high). */
gint       ls_random_int        (guint64       *state,
                                 gint           low,
                                 gint           high);
/* A number below n, each as likely as its weight says. */
guint      ls_random_weighted   (guint64       *state,
                                 const double  *weights,
                                 guint          n);
/* n factors of the extent, their product; the last is at most max_innermost (-1: any). */
void       ls_random_perfect_tile (guint64     *state,
                                 gint64         extent,
                                 gint           n,
                                 gint64         max_innermost,
                                 gint64        *tiles);

/* n factors of the extent (which `factor` divides): those from number `at` on make a multiple of it. */
void       ls_random_partitioned_tile (guint64 *state,
                                 gint64         extent,
                                 gint           n,
                                 gint           at,
                                 gint64         factor,
                                 gint64        *tiles);

G_END_DECLS
