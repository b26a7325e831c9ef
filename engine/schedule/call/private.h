/* private: what the binding of a call (bind.c) and the reading of its arguments (value.c) share.
 */
#pragma once

#include "engine/schedule/call/call.h"
#include "engine/schedule/step/move.h"

G_BEGIN_DECLS

typedef struct {
  LsSchedule          *schedule;
  LsCallList          *list;
  const LsInstruction *instruction;     /* of the call that is being bound; NULL: none yet */
  LsDiagnostics       *diagnostics;
  LsNode             **args;            /* of that call, as far as they are bound */
  LsArray             *separators;      /* that an index map holds: a step of their own after the call; owned */
} LsBinder;

/* Adds the finding "schedule/PRIMITIVE/condition" at the span, and gives it, or NULL where there are too many. */
LsDiagnostic *ls_binder_refuse (LsBinder   *self,
                                LsSpan      span,
                                const char *condition,
                                const char *format,
                                ...) G_GNUC_PRINTF (4, 5);
/* What the text stands for. `found` becomes FALSE, with a finding, when that is nothing: it tells None from nothing. (transfer full) */
LsNode *ls_binder_value   (LsBinder          *self,
                           const LsCallValue *value,
                           gboolean          *found);
/* The same as an argument for the parameter, of its type. (transfer full) */
LsNode *ls_binder_convert (LsBinder          *self,
                           const LsParam     *param,
                           const LsCallValue *value,
                           gboolean          *found);
/* Binds the call and applies it as a step; what it gives. (transfer full) */
LsNode *ls_binder_run     (LsBinder          *self,
                           const LsCallStep  *call,
                           gboolean          *found);

G_END_DECLS
