/* base/language: the catalogues of the programs that have a window or draw. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Takes the locale of the environment; texts of the window and sentences of the engine then come from the catalogues of the
 * build tree that the program stands in, else from the installed ones.  Once, before other threads start. */
void ls_language_init (void);
/* The same inside of somebody else's program: its locale stays, and the domain of its own texts too when it has one. */
void ls_language_bind (void);

/* The bytes of the catalogue of the user's language, for a program that reads it itself; NULL: texts are English. (transfer full) */
GBytes *ls_language_catalogue (void);

G_END_DECLS
