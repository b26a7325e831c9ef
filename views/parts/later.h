/* parts/later: something that is done for an object a moment later, once, however often it is asked for until then. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef void (*LsLaterFunc) (gpointer object);

/* Calls `func` (object) after `ms` milliseconds, or with 0 when nothing of a higher `priority` is left to do.  While that call is to
 * come, asking for the same `func` of the same object does nothing.  The object is not kept: when it is disposed of, nothing is
 * called any more.  From the main thread. */
void ls_later        (gpointer    object,
                      int         priority,
                      guint       ms,
                      LsLaterFunc func);
/* It does not come, if it was to come. */
void ls_later_cancel (gpointer    object,
                      LsLaterFunc func);

G_END_DECLS
