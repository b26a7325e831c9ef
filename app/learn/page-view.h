/* page-view: one page of a lesson: prose, cells, questions, from top to bottom. */
#pragma once

#include <gtk/gtk.h>

#include "app/learn/play.h"

G_BEGIN_DECLS

#define LS_TYPE_PAGE_VIEW (ls_page_view_get_type ())
G_DECLARE_FINAL_TYPE (LsPageView, ls_page_view, LS, PAGE_VIEW, GtkBox)

GtkWidget *ls_page_view_new         (LsPlay     *play,
                                     guint       page,
                                     const char *folder);
/* Brings a part into view and puts the focus there; FALSE when it is on another page. */
gboolean   ls_page_view_reveal      (LsPageView *self,
                                     guint       part);
/* Answers the first open question of the page: choice from 0, or -1 to reveal.  FALSE when there is none. */
gboolean   ls_page_view_answer      (LsPageView *self,
                                     int         choice);

/* A page of it further or back; FALSE where that is its end. */
gboolean   ls_page_view_scroll (LsPageView *self,
                                gboolean    forward);
/* The keys are for the page, and for nothing in it yet. */
void       ls_page_view_focus  (LsPageView *self);

G_END_DECLS
