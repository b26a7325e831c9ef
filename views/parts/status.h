/* LsStatus: content of an empty or broken pane: one sentence, at most one primary
 * button, one quiet hint. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_STATUS (ls_status_get_type ())
G_DECLARE_FINAL_TYPE (LsStatus, ls_status, LS, STATUS, GtkWidget)

GtkWidget *ls_status_new        (void);
/* `action` is a detailed action name; NULL for no button.  `hint` may be NULL. */
void       ls_status_set        (LsStatus   *self,
                                 const char *sentence,
                                 const char *button,
                                 const char *action,
                                 const char *hint);
/* Shows the error icon before the sentence. */
void       ls_status_set_failed (LsStatus   *self,
                                 gboolean    failed);

G_END_DECLS
