/* session/roofline: LsMachine: the steps of the shown path under what this machine can do. */
#pragma once

#include "app/rpc/rpc.h"
#include "app/session/document.h"
#include "views/models/session.h"

G_BEGIN_DECLS

typedef struct _LsMachine LsMachine;

/* `session` owns it and is told (::timing-changed) when the machine is measured, and so is `measured`; the others are held.
 * (transfer full) */
LsMachine  *ls_machine_new          (LsSession  *session,
                                     LsDocument *document,
                                     LsWorker   *worker,
                                     void      (*measured) (gpointer data),
                                     gpointer    data);
void        ls_machine_free         (LsMachine  *self);
/* NULL: nothing is opened. (transfer full) */
LsRoofline *ls_machine_get_roofline (LsMachine  *self);
/* The same in two parts: the machine; then the steps of a history that nobody changes meanwhile, which takes long and any thread may do.
 * `sizes` (ls_sizes_list()) are what `said` (or NULL) says in words. (transfer full) */
LsRoofline *ls_machine_begin_roofline (LsMachine  *self);
void        ls_roofline_put_steps     (LsRoofline *self,
                                       LsHistory  *history,
                                       guint       current,
                                       GPtrArray  *sizes,
                                       const char *said);
/* Asks the worker what the machine can do at best. */
void        ls_machine_measure      (LsMachine  *self);
void        ls_machine_cancel       (LsMachine  *self);
gboolean    ls_machine_is_measuring (LsMachine  *self);
/* Asks it where nothing is known yet and it has not been tried in vain. */
void        ls_machine_measure_once (LsMachine  *self);

G_END_DECLS
