/* store: isl's context of a thread, and the relations that were read in it; see store.c. */
#pragma once

#include <glib.h>
#include <isl/ctx.h>
#include <isl/map.h>

G_BEGIN_DECLS

typedef struct _LsPolyStore LsPolyStore;

/* The thread's own, for one comparison of so many operations, or another one where a comparison within a comparison finds that taken.
 * (transfer full: give it back) */
LsPolyStore *ls_poly_store_take       (gulong       operations);
void         ls_poly_store_give_back  (LsPolyStore *self);
isl_ctx     *ls_poly_store_ctx        (LsPolyStore *self);
/* The relation that the text says; NULL: the work grew too much. */
isl_map     *ls_poly_store_read       (LsPolyStore *self,
                                       const char  *text);
/* How many operations the comparison has done, give or take a few. */
gulong       ls_poly_store_spent      (LsPolyStore *self);
/* So many fewer are left: what they would have told is known.  Where fewer were left than that, the comparison is at its end as it would have been. */
void         ls_poly_store_spend      (LsPolyStore *self,
                                       gulong       operations);

G_END_DECLS
