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

/* One text. */
void        ls_fit_label_set_text  (LsFitLabel        *self,
                                    const char        *text);

/* One that is a figure: its signs stay where they are from right to left, too. */
void        ls_fit_label_set_figure (LsFitLabel       *self,
                                     const char       *figure);

/* Where a text stands that is narrower than the label: from 0, where lines begin, to 1. */
void        ls_fit_label_set_xalign (LsFitLabel       *self,
                                     float             xalign);

/* It asks for the room of so many characters, whatever its text is. */
void        ls_fit_label_set_width_chars (LsFitLabel  *self,
                                          int          chars);

/* Where the last text is cut; at its end at first. */
void        ls_fit_label_set_ellipsize (LsFitLabel        *self,
                                        PangoEllipsizeMode mode);

/* A text fits when it needs no more than `lines` lines; 1 at first. */
void        ls_fit_label_set_lines (LsFitLabel        *self,
                                    int                lines);

/* What is shown at the width that the label has. Borrowed. */
const char *ls_fit_label_get_shown (LsFitLabel        *self);
/* As it is drawn; NULL: there is no text. Borrowed. */
PangoLayout *ls_fit_label_get_layout (LsFitLabel       *self);

G_END_DECLS
