/* step: a program, the steps applied to it, and the handles that the steps gave out.
 */
#pragma once

#include "engine/schedule/state/version.h"
#include "engine/schedule/step/instruction.h"

G_BEGIN_DECLS

/* One applied step.  Immutable, shared between copies of a schedule. */
typedef struct {
  gatomicrefcount      refs;
  const LsInstruction *instruction;
  LsArray             *args;    /* one for each parameter, None NULL */
  LsNode              *decision;
  LsArray             *outputs; /* of Var: handles and sampled numbers */
  LsArray             *values;  /* of Expr: what sampled numbers are; NULL items for handles */
  guint               *ids;     /* lineage ids of what handles stand for */
  LsVersion           *version; /* the program after the step; that of the step before when nothing changed */
} LsStep;

/* Borrows the module; its functions whose body is a block can be scheduled. */
LsSchedule   *ls_schedule_new          (LsModule      *module);
LsSchedule   *ls_schedule_ref          (LsSchedule    *self);
void          ls_schedule_unref        (LsSchedule    *self);
/* A branch: shares all steps made so far. Cheap. */
LsSchedule   *ls_schedule_copy         (LsSchedule    *self);
/* The current program. Borrowed. */
LsModule     *ls_schedule_get_module   (LsSchedule    *self);
/* The program after `step` steps (0: the first). Borrowed. */
LsVersion    *ls_schedule_get_version  (LsSchedule    *self,
                                        guint          step);
guint         ls_schedule_get_n_steps  (LsSchedule    *self);
const LsStep *ls_schedule_get_step     (LsSchedule    *self,
                                        guint          i);
/* Of LsLineageLink from the version before step i; NULL when the step changed nothing. Borrowed. */
GArray       *ls_schedule_get_links    (LsSchedule    *self,
                                        guint          i);
/* Goes back to the first n steps. */
void          ls_schedule_undo_to      (LsSchedule    *self,
                                        guint          n);
/* Checks one row with bound arguments (borrowed, one for each parameter; NULL is None).  TRUE: it can be applied. */
gboolean      ls_schedule_check        (LsSchedule          *self,
                                        const LsInstruction *instruction,
                                        LsNode             **args,
                                        LsDiagnostics       *diagnostics);
/* Checks and applies.  On FALSE nothing has changed.  *outputs (may be NULL) gets the new handles (borrowed). */
gboolean      ls_schedule_apply        (LsSchedule          *self,
                                        const LsInstruction *instruction,
                                        LsNode             **args,
                                        LsNode              *decision,
                                        LsArray            **outputs,
                                        LsDiagnostics       *diagnostics);
/* The For or Block that a handle stands for now; NULL when it is gone. Borrowed. */
LsNode       *ls_schedule_resolve      (LsSchedule    *self,
                                        LsVar         *handle);
/* The number that a sampled handle stands for; NULL for other handles. Borrowed. */
LsExpr       *ls_schedule_get_value    (LsSchedule    *self,
                                        LsVar         *handle);
/* A handle for a For or Block of the current program: the newest that there is, or NULL. Borrowed. */
LsVar        *ls_schedule_find_handle  (LsSchedule    *self,
                                        LsNode        *node);
/* The same, but where there is none the steps that get one are applied first (get_block, get_loops).  NULL with
 * findings when the node cannot be reached by name. Borrowed. */
LsVar        *ls_schedule_make_handle  (LsSchedule    *self,
                                        LsNode        *node,
                                        LsDiagnostics *diagnostics);
/* Sampling primitives draw from here on what this seed says (TVM's seed; at first 1). */
void          ls_schedule_set_seed     (LsSchedule    *self,
                                        gint64         seed);
/* Is a step that changes the order of reads and writes that depend on each other refused, and what is warned of and changes the
 * numbers of a run (numbers.h)?  Else that is a warning, as TVM accepts it.  At first it is what ls_schedule_set_strict_default said last (FALSE); copies do as their schedule does. */
void          ls_schedule_set_strict   (LsSchedule    *self,
                                        gboolean       strict);
gboolean      ls_schedule_is_strict    (LsSchedule    *self);
/* For schedules that are made from now on, in any thread. */
void          ls_schedule_set_strict_default (gboolean strict);
gboolean      ls_schedule_get_strict_default (void);
/* Is it looked into whether a step of a schedule that is not strict changes that order, for the warning?  It takes time; a search that tries
 * thousands of schedules and compares results does without.  At first as ls_schedule_set_order_asked_default said last (TRUE); copies do as
 * their schedule does. */
void          ls_schedule_set_order_asked (LsSchedule *self,
                                           gboolean    asked);
gboolean      ls_schedule_is_order_asked (LsSchedule *self);
/* Returns what it was. */
gboolean      ls_schedule_set_order_asked_default (gboolean asked);
/* The function in which get_block looks when func_name is not given.  Until it is set: the entry function, else
 * "main", else the only function. */
void          ls_schedule_work_on      (LsSchedule    *self,
                                        const char    *func_name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSchedule, ls_schedule_unref)
/* Does the step only look (get_block, get_loops)? */
gboolean      ls_step_is_pure          (const LsStep  *step);

/* ---- random.c ---------------------------------------------------------------- */

/* The state of random numbers that a seed stands for. */
guint64       ls_random_seed           (gint64         seed);

G_END_DECLS
