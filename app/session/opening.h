/* session/opening: files that are opened. */
#pragma once

#include "engine/base/base.h"
#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_SESSION_MAX_FILE (16 * 1024 * 1024)       /* bytes of a file that the window opens at most */

/* Its text, when it can be read at all and in a bounded time: no folder, no pipe, not over LS_SESSION_MAX_FILE, UTF-8. `name` is how
 * messages call it. (transfer full); NULL with `error` set */
char       *ls_opening_load        (GFile         *file,
                                    const char    *name,
                                    gsize         *length,
                                    GError       **error);
/* Is it what LS_EXPORT_SESSION writes?  By its name or its first words. */
gboolean    ls_opening_is_session  (const char    *name,
                                    const char    *text);

/* What is shown stays when nothing could be read in its place. */
void        ls_opening_say_unread  (LsSession     *session,
                                    const char    *name,
                                    const char    *message);
/* A text with its errors, and their repairs. (transfer full) */
LsScriptText *ls_opening_findings  (LsSource      *source,
                                    const char    *text,
                                    LsDiagnostics *diagnostics);
/* The text with what is wrong with it. */
void        ls_opening_show_broken (LsSession     *session,
                                    const char    *name,
                                    LsSource      *source,
                                    const char    *text,
                                    LsDiagnostics *diagnostics);
/* What to look at first: the reduction, where the work is, else the first loop. Borrowed, or NULL. */
LsLoopItem *ls_opening_first_look  (GListModel    *loops);

G_END_DECLS
