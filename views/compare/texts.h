/* LsCompareTexts: the texts of two programs: side by side with tied scrolling, or in one column; their changes one by one. */
#pragma once

#include "views/models/comparison.h"
#include "views/models/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_COMPARE_TEXTS (ls_compare_texts_get_type ())
G_DECLARE_FINAL_TYPE (LsCompareTexts, ls_compare_texts, LS, COMPARE_TEXTS, GtkWidget)

GtkWidget *ls_compare_texts_new           (void);
void       ls_compare_texts_set_session   (LsCompareTexts *self,
                                           LsSession      *session);
/* The first one stands with its first change near the top; later ones keep the
 * place, and the same texts again change nothing. */
void       ls_compare_texts_set           (LsCompareTexts *self,
                                           LsComparison   *comparison);
/* The next texts are of something else: they stand with their first change near the top again. */
void       ls_compare_texts_forget_place (LsCompareTexts *self);
/* What the texts are, instead of TVMScript. */
void       ls_compare_texts_set_title     (LsCompareTexts *self,
                                           const char     *title);
/* The line at the cursor of the text that has the keyboard, else of the right one; `nth`: how many lines before it read the same.
 * (transfer full); NULL: there is no text. */
char      *ls_compare_texts_get_line      (LsCompareTexts *self,
                                           gboolean       *left,
                                           guint          *nth);
/* Lights lines (of guint, from 0) of both texts as what one asked for, until the cursor moves or other texts are shown, and
 * shows the first of them. */
void       ls_compare_texts_light         (LsCompareTexts *self,
                                           GArray         *left,
                                           GArray         *right);
/* To the next (1) or previous (-1) change. */
void       ls_compare_texts_go_to_change  (LsCompareTexts *self,
                                           int             direction);
/* One column, or side by side again; does nothing where there is room for one column only. */
void       ls_compare_texts_toggle_column (LsCompareTexts *self);
/* One column only. */
void       ls_compare_texts_set_narrow    (LsCompareTexts *self,
                                           gboolean        narrow);

G_END_DECLS
