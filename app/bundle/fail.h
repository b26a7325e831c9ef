/* What the files of the bundle share: why there is none. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* LS_DEVICE_ERROR_UNSUPPORTED with the sentence in the user's language.  FALSE */
gboolean ls_bundle_fail (GError    **error,
                         const char *format,
                         ...) G_GNUC_PRINTF (2, 3);

G_END_DECLS
