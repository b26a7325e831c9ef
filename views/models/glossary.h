/* glossary: one sentence for each construct of TVMScript, for the card at a word of the program text. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* "T.axis.reduce" -> what it is; NULL when the word is none of the language. Borrowed. */
const char *ls_glossary_get  (const char *word);
/* The dotted word of `line` around character `at`, or NULL. (transfer full) */
char       *ls_glossary_word (const char *line,
                              guint       at);

G_END_DECLS
