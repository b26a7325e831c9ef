/* run/text: the program that runs: breakpoints in the gutter, and the value of the expression under the pointer or the cursor. */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

typedef struct {
  /* The line (from 1) shall get a breakpoint, or lose it.  NULL: there are none. */
  void (*toggle) (guint       line,
                  gpointer    data);
  /* The value of what stands at a character of a line, both from 1, is asked for: the task gets "i = 3" (char *) or an error. (transfer full) */
  void (*ask)    (guint       line,
                  guint       column,
                  GTask      *task,
                  gpointer    data);
} LsRunTextWishes;

/* Makes a view of source text one of those; `data` lives as long as the view is shown. */
void  ls_run_text_make          (GtkSourceView         *view,
                                 const LsRunTextWishes *wishes,
                                 gpointer               data);
/* A line for the value of what the cursor stands on, for as long as the text has the keyboard: what the pointer is with the mouse. (transfer floating) */
GtkWidget *ls_run_text_value_new (GtkSourceView        *view);
/* The run stands elsewhere: the line asks again. */
void  ls_run_text_follow_cursor (GtkWidget             *value);
/* The lines (from 1) that have a breakpoint. */
void  ls_run_text_set_stops     (GtkSourceView         *view,
                                 const guint           *lines,
                                 guint                  n);

G_END_DECLS
