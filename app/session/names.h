/* session/names: what each buffer and variable of a program is, in words. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct _LsNameWords LsNameWords;

/* Keeps the module, and looks it over when the first word is asked for: which buffers are parameters, which block and range
 * each axis has, which loop each variable. */
LsNameWords *ls_name_words_new  (LsModule    *module);
void         ls_name_words_free (LsNameWords *self);
/* There is something to say of the node. */
gboolean     ls_name_words_has  (LsNode      *node);
/* "A: buffer of float32, shape (128, 128), scope global, parameter"; NULL when there is nothing to say. (transfer full) */
char        *ls_name_words_get  (LsNameWords *self,
                                 LsNode      *node,
                                 const char  *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsNameWords, ls_name_words_free)

G_END_DECLS
