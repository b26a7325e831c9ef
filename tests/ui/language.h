/* What the files of the test of languages look for in a sentence. */
#pragma once

#include <glib.h>

/* Fails the running test where `text` has nothing of the language, or goes on in English for a few words: names in quotation marks, calls, and what
 * other libraries say behind a place are not counted.  `where`: what was done. */
void ls_language_look (const char *text,
                       const char *where);
/* /language/files/...: files of all kinds, whole and damaged, and what else has no window of its own. */
void ls_language_add_files (void);
/* /language/tensors, /language/programs, /language/submissions: operators over tensors that do not fit, programs that the window starts, and what is
 * handed in of a lesson. */
void ls_language_add_work (void);
