/* session/equality: LsEquality: do two nodes give the same?  Both programs are run on the same random inputs in the worker. */
#pragma once

#include "app/rpc/rpc.h"
#include "app/session/document.h"
#include "views/models/session.h"

G_BEGIN_DECLS

typedef struct _LsEquality LsEquality;

/* `session` owns it and is told (::results-changed) of what is found; the others are held. (transfer full) */
LsEquality *ls_equality_new    (LsSession  *session,
                                LsDocument *document,
                                LsWorker   *worker);
void        ls_equality_free   (LsEquality *self);
/* What is known of two nodes, or of a node and the file that it is compared with; NULL: there are no such nodes. (transfer full) */
LsResults  *ls_equality_get    (LsEquality *self,
                                guint       left,
                                guint       right);
/* Runs both, one question at a time. */
void        ls_equality_ask    (LsEquality *self,
                                guint       left,
                                guint       right);
void        ls_equality_cancel (LsEquality *self);
/* Another document: nothing is known any more. */
void        ls_equality_forget (LsEquality *self);

/* "B[1, 2]": the element that the worker's method `same` found to differ. (transfer full) */
char       *ls_equality_element (GVariant  *answer);

G_END_DECLS
