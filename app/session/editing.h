/* session/editing: LsEditing: the opened program while its text is edited. */
#pragma once

#include "app/session/document.h"
#include "app/session/origins.h"
#include "app/session/ready.h"
#include "views/models/session.h"

G_BEGIN_DECLS

/* What it asks of the session, whose other parts it does not know. */
typedef struct {
  /* Ends what runs: it is about another program. */
  void (*stop)     (LsSession *session);
  /* Shows a program where there was none; takes the history out of `ready`. */
  void (*start)    (LsSession *session, LsReady *ready);
  /* The opened program is another one now; the page that is shown stays. */
  void (*replaced) (LsSession *session, LsModule *module);
} LsEditingHost;

typedef struct _LsEditing LsEditing;

/* `session` owns it and is told of drafts; `origins` is borrowed, the document is held. (transfer full) */
LsEditing  *ls_editing_new         (LsSession           *session,
                                    LsDocument          *document,
                                    LsOrigins           *origins,
                                    const LsEditingHost *host);
void        ls_editing_free        (LsEditing           *self);

/* The user's text, another one. */
void        ls_editing_set_text    (LsEditing           *self,
                                    const char          *text);
/* The draft, else the text of the program; NULL: nothing is opened. Borrowed. */
const char *ls_editing_get_text    (LsEditing           *self);
/* A text that cannot be read (yet), or NULL. Borrowed. */
const char *ls_editing_get_draft   (LsEditing           *self);
/* The same, or what was typed since and nobody looked at. Borrowed. */
const char *ls_editing_get_latest  (LsEditing           *self);
/* The user types, and this is what there is at the moment: it is kept, not looked at. */
void        ls_editing_keep_typed  (LsEditing           *self,
                                    const char          *text);
/* A draft that a file had: takes it (NULL: there is none) and says what is wrong with it.  TRUE: nothing is, it was only not
 * read before it was written. */
gboolean    ls_editing_take_draft  (LsEditing           *self,
                                    char                *draft);
/* Reads it then. */
void        ls_editing_read_draft  (LsEditing           *self);
/* Another document comes: the draft goes. */
void        ls_editing_forget      (LsEditing           *self);

G_END_DECLS
