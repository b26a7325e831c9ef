/* LsSourceText: a file of our own C source, or a program, to be read: numbered lines, keywords bold, comments and strings quiet, one
 * stretch of lines marked. */
#pragma once

#include "views/parts/syntax.h"
#include "views/parts/text-view.h"

G_BEGIN_DECLS

#define LS_TYPE_SOURCE_TEXT (ls_source_text_get_type ())
G_DECLARE_FINAL_TYPE (LsSourceText, ls_source_text, LS, SOURCE_TEXT, LsTextView)

GtkWidget *ls_source_text_new  (LsSyntax      syntax);
void       ls_source_text_set  (LsSourceText *self,
                                const char   *text);
/* Marks lines (from 1) and nothing else. */
void       ls_source_text_light (LsSourceText *self,
                                 guint         first,
                                 guint         last);
/* Marks lines (from 1), puts the cursor on the first of them and brings it into view. */
void       ls_source_text_mark (LsSourceText *self,
                                guint         first,
                                guint         last);

G_END_DECLS
