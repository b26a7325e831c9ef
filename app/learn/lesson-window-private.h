/* What the files of the lesson window share: lesson-window.c (pages and places), lesson-window-actions.c (what keys, menus and buttons
 * do), lesson-window-frame.c (header, panes and foot). */
#pragma once

#include "app/learn/lesson-window.h"

#include "app/learn/page-view.h"
#include "app/learn/play.h"
#include "app/learn/presenter.h"

G_BEGIN_DECLS

struct _LsLessonWindow {
  GtkApplicationWindow parent_instance;

  LsPlay          *play;        /* NULL when the file could not be read */
  char            *folder;
  LsWorkbenchFunc  workbench;
  LsPresenter     *presenter;   /* or NULL */
  guint            tick;
  int              offered;     /* the part that Next went to last, or -1 */
  GFile           *file;        /* or NULL */
  GFileMonitor    *monitor;     /* or NULL */
  guint            reload;

  GtkWidget       *dots;
  GtkWidget       *count;
  GtkWidget       *pages;       /* GtkStack */
  GtkWidget       *result;
  GtkWidget       *previous;
  GtkWidget       *next;
  GtkWidget       *stop;
  GtkWidget       *refusal;     /* what is said and asked where this machine refuses a jail */
  GtkWidget       *refusal_text;
  GtkWidget       *notes;       /* revealer, while presenting */
  GtkWidget       *notes_text;
  GtkWidget       *clock;
  gint64           presenting_since;
};

/* lesson-window.c */
LsLesson   *ls_lesson_window_get_lesson       (LsLessonWindow *self);
/* It is made when it is first asked for. */
LsPageView *ls_lesson_window_get_page_view    (LsLessonWindow *self,
                                               guint           page);
/* Puts the notes of the shown page into their place. */
void        ls_lesson_window_show_notes       (LsLessonWindow *self);

/* Shows a lesson in the place of the shown one: the same file as it is being written. */
void        ls_lesson_window_preview          (LsLessonWindow *self,
                                               LsLesson       *lesson,
                                               LsDiagnostics  *findings);

/* Where this machine refuses a jail, says so and asks, before the first cell runs. */
void        ls_lesson_window_look_at_jail     (LsLessonWindow *self);

/* lesson-window-actions.c */

/* The actions, and the keys that are none. */
void        ls_lesson_window_add_actions      (LsLessonWindow *self);
/* Without a lesson another one can be opened, and nothing else. */
void        ls_lesson_window_enable_actions   (LsLessonWindow *self,
                                               gboolean        lesson);

/* lesson-window-frame.c; (transfer none, floating) */
GtkWidget  *ls_lesson_window_make_header      (LsLessonWindow *self);
GtkWidget  *ls_lesson_window_make_menu_button (void);
GtkWidget  *ls_lesson_window_make_body        (LsLessonWindow *self,
                                               LsDiagnostics  *findings);

G_END_DECLS
