/* session/origins: LsOrigins: from the lines of a step to those of the opened text and back. */
#pragma once

#include "app/session/document.h"
#include "app/session/source-lines.h"
#include "views/models/session.h"

G_BEGIN_DECLS

typedef struct _LsOrigins LsOrigins;

/* `session` owns it and has the shown text; `document` is held. (transfer full) */
LsOrigins *ls_origins_new         (LsSession  *session,
                                   LsDocument *document);
void       ls_origins_free        (LsOrigins  *self);
/* What is opened was read from text number `source`; 0: from none. */
void       ls_origins_set_source  (LsOrigins  *self,
                                   guint32     source);
/* The text was edited and the program is still `module`: its statements are elsewhere in it now. */
void       ls_origins_follow      (LsOrigins  *self,
                                   LsModule   *module);
/* Another step is shown. */
void       ls_origins_forget      (LsOrigins  *self);

/* The line of the opened text (from 1; 0: none) that a shown line stems from; *words (or NULL) says how. (transfer full) */
guint      ls_origins_find_source (LsOrigins  *self,
                                   guint       line,
                                   char      **words);
/* The shown lines that a line of the opened text became; see ls_session_find_result(). */
GArray    *ls_origins_find_result (LsOrigins  *self,
                                   guint       line,
                                   const char *word,
                                   guint64    *row,
                                   int        *family);

G_END_DECLS
