/* LsFitLabel: a line or a few that say as much as there is room for. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_FIT_LABEL (ls_fit_label_get_type ())
G_DECLARE_FINAL_TYPE (LsFitLabel, ls_fit_label, LS, FIT_LABEL, GtkWidget)

GtkWidget  *ls_fit_label_new       (void);

/* The same from whole to brief, NULL-terminated; the first that fits is shown, and only the last is ever cut.  A screen reader
 * gets the first. */
void        ls_fit_label_set       (LsFitLabel        *self,
                                    const char *const *texts);

/* A text fits when it needs no more than `lines` lines; 1 at first. */
void        ls_fit_label_set_lines (LsFitLabel        *self,
                                    int                lines);

/* What is shown at the width that the label has. Borrowed. */
const char *ls_fit_label_get_shown (LsFitLabel        *self);

G_END_DECLS
