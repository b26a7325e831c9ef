/* session/blas: what OpenBLAS takes for the product in the opened program, beside the measured times. */
#pragma once

#include "app/rpc/rpc.h"
#include "app/session/document.h"
#include "views/models/session.h"

G_BEGIN_DECLS

typedef struct _LsBlas LsBlas;

/* `session` owns it; the others are held. (transfer full) */
LsBlas *ls_blas_new  (LsSession  *session,
                      LsDocument *document,
                      LsWorker   *worker);
void    ls_blas_free (LsBlas     *self);
/* Asks for the time, once in a document, when there is a product in it. */
void    ls_blas_ask  (LsBlas     *self);
/* Ends a question under way; it is asked again with the next time. */
void    ls_blas_cancel (LsBlas   *self);
/* Says what it takes before the conditions of the shown step; without it nothing changes. */
void    ls_blas_show (LsBlas     *self,
                      const char *time_error);

G_END_DECLS
