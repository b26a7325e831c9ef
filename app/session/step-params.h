/* session/step-params: the arguments of one step as fields that a person can change.
 *
 * A step is Python text whose last call is the primitive (what an offer or a node of the history is).  Its arguments,
 * loops and blocks only when they are asked for, become fields with the values that make sense, from the table of primitives; a changed
 * field gives the text of the changed step.
 */
#pragma once

#include "engine/schedule/schedule.h"
#include "views/models/move-item.h"

G_BEGIN_DECLS

typedef struct {
  LsMoveParamKind  kind;
  guint            param;       /* number in the row of the instruction; G_MAXUINT: the decision */
  gint             item;        /* of a list of factors, or -1 */
  char            *name;        /* "inner", "storage_scope" */
  char            *value;       /* Python text; a string without its quotes */
  char           **choices;     /* or NULL */
  gboolean         quoted;
  GPtrArray       *nodes;       /* of a loop or block: what each choice is (borrowed from `before`), else NULL */
} LsStepParam;

typedef struct {
  const LsInstruction *instruction;
  char                *lines;   /* as given */
  GPtrArray           *params;  /* of LsStepParam */
  gint64               extent;  /* of the loop that factors multiply to; -1 unknown */
  LsSchedule          *before;  /* the program that the step changes, when loops and blocks are fields too; or NULL */
  struct _LsStepChoices *choosing;      /* what else they could be is being found out (step-handles.c); or NULL */
  void               (*stop_choosing) (struct _LsStepChoices *choosing);
} LsStepParams;

/* NULL when the last call is no primitive. `extent` as in the struct. (transfer full) */
LsStepParams *ls_step_params_new   (const char    *lines,
                                    gint64         extent);
void          ls_step_params_free  (LsStepParams  *self);
/* Loops and blocks of the step become fields too, with those that the step takes as well as choices.  `before` is the
 * program before `step`; `named` the same under the names that the text uses, or NULL: then there are no choices before
 * ls_step_params_name_handles().  Each choice is tried: of a large program they are not all there yet, see ls_step_params_find_choices().
 * Borrows all. */
void          ls_step_params_add_handles (LsStepParams *self,
                                          LsSchedule   *before,
                                          LsSchedule   *named,
                                          const LsStep *step);
void          ls_step_params_name_handles (LsStepParams *self,
                                          LsSchedule   *named);
/* Goes on trying for some `us` of the thread's work; TRUE: all choices are there.  Their names are known. */
gboolean      ls_step_params_find_choices (LsStepParams *self,
                                    gint64         us);
/* Another value of field i.  Of two factors the other follows so that they cover the extent. FALSE: the text is no
 * value of that kind, and nothing has changed. */
gboolean      ls_step_params_set   (LsStepParams  *self,
                                    guint          i,
                                    const char    *value);
/* The text with the values of now. (transfer full) */
char         *ls_step_params_text  (LsStepParams  *self);
/* The fields as an editor takes them; strings are borrowed. (transfer full), of LsMoveParam */
GArray       *ls_step_params_shown (LsStepParams  *self);
/* "= 128, exact", NULL without factors. (transfer full) */
char         *ls_step_params_product (LsStepParams *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsStepParams, ls_step_params_free)

G_END_DECLS
