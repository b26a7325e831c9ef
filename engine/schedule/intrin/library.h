/* library: the tensor intrinsics that are known from the start, as text. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint       ls_intrin_library_get_n    (void);
const char *ls_intrin_library_get_name (guint       i);
/* TVMScript with two functions, desc and impl; NULL: there is none of this name. (transfer full) */
char       *ls_intrin_library_get_text (const char *name);

/* ---- library-metal.c: those of Apple's GPUs ---- */

guint       ls_intrin_metal_get_n      (void);
const char *ls_intrin_metal_get_name   (guint       i);
/* Appends desc and impl; FALSE: there is none of this name. */
gboolean    ls_intrin_metal_write      (const char *name,
                                        GString    *out);

G_END_DECLS
