/* LsPresenter: the page of a lesson for a projector: large type, one idea, what comes next on one button.
 *
 * Follows and moves the page of its LsPlay.  Keys: Page Down, Right and Space do what the big button says; Page Up and Left go back; 1 to 9
 * answer; Enter reveals; plus and minus change the size; P points and marks, Delete takes the marks away; F11 full screen; Esc leaves.
 */
#pragma once

#include <gtk/gtk.h>

#include "app/learn/play.h"

G_BEGIN_DECLS

#define LS_TYPE_PRESENTER (ls_presenter_get_type ())
G_DECLARE_FINAL_TYPE (LsPresenter, ls_presenter, LS, PRESENTER, GtkWindow)

GtkWidget *ls_presenter_new (GtkApplication *application,
                             LsPlay         *play,
                             const char     *folder);

G_END_DECLS
