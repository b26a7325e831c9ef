/* run/text: the program that runs: breakpoints in the gutter, and the value of the expression under the pointer or the cursor. */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

typedef struct {
  /* The line (from 1) shall get a breakpoint, or lose it. */
  void (*toggle) (guint       line,
                  gpointer    data);
  /* The value of an expression is asked for: the task gets "i = 3" (char *) or an error. (transfer full) */
  void (*ask)    (const char *expression,
                  GTask      *task,
                  gpointer    data);
} LsRunTextWishes;

/* Makes a view of source text one of those; `data` lives as long as the view is shown. */
void  ls_run_text_make          (GtkSourceView         *view,
                                 const LsRunTextWishes *wishes,
                                 gpointer               data);
/* The lines (from 1) that have a breakpoint. */
void  ls_run_text_set_stops     (GtkSourceView         *view,
                                 const guint           *lines,
                                 guint                  n);
/* The expression of one line of TVMScript that a character (from 0, in characters) belongs to: a variable, an element with its indices, a
 * call with its arguments, a number's surroundings up to the next comma, bracket or "=".  NULL: none. (transfer full) */
char *ls_run_text_expression_at (const char            *line,
                                 glong                  column);
/* The same at the cursor. (transfer full) */
char *ls_run_text_expression_at_cursor (GtkSourceView  *view);

G_END_DECLS
