/* library: the tensor intrinsics that are known from the start, as text. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint       ls_intrin_library_get_n    (void);
const char *ls_intrin_library_get_name (guint       i);
/* TVMScript with two functions, desc and impl; NULL: there is none of this name. (transfer full) */
char       *ls_intrin_library_get_text (const char *name);

G_END_DECLS
