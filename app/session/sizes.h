/* session/sizes: what the symbolic sizes of the opened program are, as the user said: "n=256 m=8".
 *
 * Counting, measuring, searching and following accesses need numbers; steps do not, they are right for any.
 */
#pragma once

#include "app/session/document.h"

G_BEGIN_DECLS

/* What was said and, behind it, the names that nothing was said of: "n=256 m=". (transfer full); NULL: the program has no symbolic sizes */
char      *ls_sizes_text    (LsDocument  *document);
/* Those that nothing was said of: "n, m". (transfer full), or NULL */
char      *ls_sizes_missing (LsDocument  *document);
/* What was said, one by one, as ls_prim_func_size() takes it. (transfer full) of char, empty where nothing was */
GPtrArray *ls_sizes_list    (LsDocument  *document);
/* The same as parameter "set" of a call to the worker, where something was said. */
void       ls_sizes_put     (LsDocument  *document,
                             GVariantDict *params);
/* Is `text` about the sizes of the opened program, each a whole number from 1 on ("": nothing is said any more)?  *clean gets it with single spaces
 * (transfer full); FALSE with *trouble (transfer full), a sentence. */
gboolean   ls_sizes_check   (LsDocument  *document,
                             const char  *text,
                             char       **clean,
                             char       **trouble);

G_END_DECLS
