/* parts/syntax: program texts in GtkSourceView's own way: our language (data/syntax) and a style scheme for each look, which all texts
 * follow at once.  The looks are comments, strings and keywords; what a view knows beyond a pattern it lays over them as tags, which
 * GtkSourceView keeps above its own. */
#pragma once

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

typedef enum {
  LS_SYNTAX_SCRIPT,             /* TVMScript, Python: ours */
  LS_SYNTAX_C,                  /* GtkSourceView's */
  LS_SYNTAX_MARKDOWN,           /* the same */
} LsSyntax;

/* The buffer is read in that language, and its scheme is that of the look from now on; it goes when it likes. */
void ls_syntax_attach   (GtkSourceBuffer *buffer,
                         LsSyntax         syntax);
/* A short text has its looks at once, so that no line of it changes its place when they come; those of a long one come as it is drawn. */
void ls_syntax_settle   (GtkSourceBuffer *buffer);
/* The look has changed; parts/theme tells. */
void ls_syntax_set_look (gboolean         dark,
                         gboolean         contrast);

G_END_DECLS
