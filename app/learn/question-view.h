/* LsQuestionView: predict, then look; and which primitive was this. */
#pragma once

#include <gtk/gtk.h>

#include "app/learn/play.h"

G_BEGIN_DECLS

#define LS_TYPE_QUESTION_VIEW (ls_question_view_get_type ())
G_DECLARE_FINAL_TYPE (LsQuestionView, ls_question_view, LS, QUESTION_VIEW, GtkBox)

GtkWidget *ls_question_view_new    (LsPlay         *play,
                                    guint           part,
                                    const char     *folder,
                                    const char     *place);     /* "question 2 of 3" */
void       ls_question_view_focus  (LsQuestionView *self);
/* Reveals, or checks what is chosen. */
void       ls_question_view_reveal (LsQuestionView *self);
/* Picks answer `choice`; FALSE when there is none of that number. */
gboolean   ls_question_view_choose (LsQuestionView *self,
                                    int             choice);

G_END_DECLS
