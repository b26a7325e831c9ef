/* session/pinning: LsPinning: the pins of the document, put into what is shown of it. */
#pragma once

#include "app/session/document.h"
#include "app/session/pins.h"
#include "views/models/session.h"

G_BEGIN_DECLS

typedef struct _LsPinning LsPinning;

/* `session` owns it and is told of pins; `document` is held. (transfer full) */
LsPinning    *ls_pinning_new    (LsSession    *session,
                                 LsDocument   *document);
void          ls_pinning_free   (LsPinning    *self);

/* A loop, block or name gets pin `slot` (LS_PIN_NEXT: the next that is free), or loses it: by its row, or (row 0) at a character of
 * the shown text.  Why not, or NULL. (transfer full) */
char         *ls_pinning_pin    (LsPinning    *self,
                                 guint64       row,
                                 guint         offset,
                                 int           slot);
void          ls_pinning_unpin  (LsPinning    *self,
                                 guint8        pins);

/* Puts the pins into rows and texts of the current node before they are shown. */
void          ls_pinning_place  (LsPinning    *self,
                                 GPtrArray    *roots,
                                 LsScriptText *text,
                                 LsScriptText *before);
/* Says which pins there are, after that. */
void          ls_pinning_tell   (LsPinning    *self);
void          ls_pinning_forget (LsPinning    *self);

/* All of them, for the file of the session. Borrowed. */
const LsPins *ls_pinning_get    (LsPinning    *self);
/* Those of a file: takes what is in `pins`. */
void          ls_pinning_take   (LsPinning    *self,
                                 LsPins       *pins);

G_END_DECLS
