/* session/safe-write: a text into a file, whole or not at all. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What stood there before stays until all of the new text is on the disk; a link stays a link, the rights of the file stay.
 * FALSE with a sentence in `error`: the file is as it was. */
gboolean ls_safe_write (GFile       *file,
                        const char  *text,
                        GError     **error);

G_END_DECLS
