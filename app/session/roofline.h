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
/* Asks the worker what the machine can do at best. */
void        ls_machine_measure      (LsMachine  *self);
void        ls_machine_cancel       (LsMachine  *self);
gboolean    ls_machine_is_measuring (LsMachine  *self);
/* Asks it where nothing is known yet and it has not been tried in vain. */
void        ls_machine_measure_once (LsMachine  *self);

G_END_DECLS
