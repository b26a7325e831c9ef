/* kept-names: the names that a text cannot show, as comment lines behind it; see kept-names.c. */
#pragma once

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* Appends to the printed text of `root`, a module or a function, a line for each of its functions in which the text gives a variable
 * or a buffer another name.  Nothing where the text cannot be read again.  Cost: that of reading it. */
void ls_kept_names_put  (GString    *text,
                         LsNode     *root);
/* Gives the names back to what was just read from a text.  Nobody else has its variables yet; when it `shares` some with a program
 * around it, only those that the text made get another name. */
void ls_kept_names_take (LsModule   *module,
                         LsSource   *source,
                         gboolean    shares);

G_END_DECLS
