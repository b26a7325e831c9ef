/* LsApplication: the program: command line, settings, windows. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

/* Makes the session of a new window. (transfer full) */
typedef LsSession *(*LsSessionFunc) (void);

#define LS_TYPE_APPLICATION (ls_application_get_type ())
G_DECLARE_FINAL_TYPE (LsApplication, ls_application, LS, APPLICATION, GtkApplication)

/* `make_session` is called once per window; without a file on the command line the
 * window starts with what that session shows by itself. */
LsApplication *ls_application_new (LsSessionFunc make_session);

G_END_DECLS
