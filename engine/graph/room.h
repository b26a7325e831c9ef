/* room: where in a picture that is there already something more can stand. */
#pragma once

#include "engine/graph/layout.h"

G_BEGIN_DECLS

typedef struct _LsGraphRoom LsGraphRoom;

/* Could it stand there, as far as its owner knows?  Adds to `cost` (pixels) what speaks against it. FALSE: it cannot. */
typedef gboolean (*LsGraphRoomCheck) (const LsGraphBox *box, double *cost, gpointer data);

LsGraphRoom *ls_graph_room_new      (void);
void         ls_graph_room_free     (LsGraphRoom        *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphRoom, ls_graph_room_free)

/* What stands there, with a number of the caller's.  A box of no width is none. */
void         ls_graph_room_add      (LsGraphRoom        *self,
                                     const LsGraphBox   *box,
                                     guint               number);
/* A line goes through there (points of cubic curves): what stands on it would hide it. */
void         ls_graph_room_add_line (LsGraphRoom        *self,
                                     const LsGraphPoint *points,
                                     guint               n);
/* Does nothing but what has this number come nearer to it than `gap`? */
gboolean     ls_graph_room_is_free  (LsGraphRoom        *self,
                                     const LsGraphBox   *box,
                                     float               gap,
                                     guint               number);
/* Numbers of what covers some of `area`, each once; (transfer full), of guint. */
GArray      *ls_graph_room_inside   (LsGraphRoom        *self,
                                     const LsGraphBox   *area);
/* Moves the box to the place that costs least near where it is: its way counts, what `check` says, and the lines below it.
 * FALSE: there is none within a screen. */
gboolean     ls_graph_room_find     (LsGraphRoom        *self,
                                     LsGraphBox         *box,
                                     LsGraphRoomCheck    check,
                                     gpointer            data);

G_END_DECLS
