/* session/why: LsWhyMaker: why the shown step takes what it takes, beside another step. */
#pragma once

#include "app/rpc/rpc.h"
#include "app/session/document.h"
#include "app/session/roofline.h"
#include "views/models/session.h"

G_BEGIN_DECLS

typedef struct _LsWhyMaker LsWhyMaker;

/* `session` owns it and is told (::why-changed) when more is known; `machine` is borrowed, `document` held. (transfer full) */
LsWhyMaker *ls_why_maker_new    (LsSession  *session,
                                 LsDocument *document,
                                 LsMachine  *machine);
void        ls_why_maker_free   (LsWhyMaker *self);
/* What is known of the shown step beside node `beside` (LS_WHY_BEFORE: the one before), and begins to find out the rest, unless
 * something is being measured, which that would disturb.  NULL: nothing is opened. (transfer full) */
LsWhy      *ls_why_maker_get    (LsWhyMaker *self,
                                 guint       beside);
/* The row of the shown step's innermost loop gets what is known of its machine code. */
void        ls_why_maker_mark   (LsWhyMaker *self);
/* Ends what is being found out. */
void        ls_why_maker_cancel (LsWhyMaker *self);

G_END_DECLS
