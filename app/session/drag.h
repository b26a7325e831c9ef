/* session/drag: a loop dragged onto another. */
#pragma once

#include "app/session/document.h"

G_BEGIN_DECLS

/* Exchanges the loops of two rows, or (without `apply`) tries it on a copy; FALSE with the reason (or NULL: nothing was asked)
 * when that cannot be.  *reason is (transfer full). */
gboolean ls_drag_reorder (LsDocument  *document,
                          guint64      from,
                          guint64      to,
                          gboolean     apply,
                          char       **reason);

G_END_DECLS
