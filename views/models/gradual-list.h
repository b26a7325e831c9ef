/* LsGradualList: a list model that shows another one a part at a time.
 *
 * What comes in thousands is shown from its beginning on, `step` items at once and more in each idle turn of the main loop, as many as some
 * milliseconds are enough for whoever looks at the list: rows of one list are made in no time, those of another take a millisecond each.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* GLib runs all that is due at one priority in one turn of the main loop: what works in pieces, each as long as a turn may take, has one of its
 * own. */
#define LS_PIECES_TEXT (G_PRIORITY_DEFAULT_IDLE + 10)
#define LS_PIECES_LIST (G_PRIORITY_DEFAULT_IDLE + 20)

#define LS_TYPE_GRADUAL_LIST (ls_gradual_list_get_type ())
G_DECLARE_FINAL_TYPE (LsGradualList, ls_gradual_list, LS, GRADUAL_LIST, GObject)

/* Borrows `model`; `step` is 1 or more. */
LsGradualList *ls_gradual_list_new     (GListModel    *model,
                                        guint          step);
/* From now on it does not grow by itself: `waits` is called when there is more to show, and it goes on by ls_gradual_list_grow(). */
typedef void (*LsGradualFunc) (LsGradualList *self, gpointer data);
void           ls_gradual_list_set_pace (LsGradualList *self,
                                         LsGradualFunc  waits,
                                         gpointer       data);
/* So many items are enough to begin with, and what is added at the end waits, as long as `step` may be for what comes in the middle: rows in
 * which somebody reads do not go to come again. */
void           ls_gradual_list_set_first (LsGradualList *self,
                                          guint          first);
/* The item at `position` is to be seen now, and all before it. */
void           ls_gradual_list_reach     (LsGradualList *self,
                                          guint          position);
/* Shows a few more. TRUE: there are still others. */
gboolean       ls_gradual_list_grow     (LsGradualList *self);
/* Is all of the model shown? */
gboolean       ls_gradual_list_is_whole (LsGradualList *self);

G_END_DECLS
