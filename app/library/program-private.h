/* What the files of the library share. */
#pragma once

#include <loopscope/loopscope.h>

#include "engine/schedule/moves/moves.h"

G_BEGIN_DECLS

/* Borrows both; the schedule is that of the module, after its steps. (transfer full) */
LoopscopeProgram *ls_library_new_program   (LsModule         *module,
                                            LsSchedule       *schedule);
/* The schedule of the program; never to be changed. Borrowed. */
LsSchedule       *ls_library_peek_schedule (LoopscopeProgram *self);
/* Takes what is in the offer. (transfer full) */
LoopscopeMove    *ls_library_new_move      (LsOffer          *offer);
/* FALSE when there are no errors, else with the error of all of them. */
gboolean          ls_library_take_error    (LsDiagnostics    *diagnostics,
                                            int               code,
                                            GError          **error);
/* The block or, with `loop`, the loop around it in the current program, NULL with `error` (which may be NULL). */
LsEntity         *ls_library_find_place    (LsVersion        *version,
                                            const char       *block,
                                            const char       *loop,
                                            GError          **error);

G_END_DECLS
