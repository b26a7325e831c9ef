/* relation: what this room asks of isl: relations of rounds and elements, from the leaves of model.c. */
#pragma once

#include "engine/poly/private.h"
#include "engine/poly/store.h"

#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/point.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

G_BEGIN_DECLS

/* One comparison.  Relations are from rounds of one leaf to rounds of another, or to elements; NULL: the work grew too much,
 * which isl's functions hand on. */
typedef struct {
  LsPolyStore *store;           /* what the comparisons of a thread share */
  isl_ctx     *ctx;
  GPtrArray   *params;          /* of LsVar: parameters by number */
  GPtrArray   *around;          /* of LsFor and LsBlockRealize, borrowed */
  GHashTable  *known;           /* LsPolyAccess or LsPolyLeaf -> its relation */
} LsPolySpace;

/* `around` is the caller's. */
void     ls_poly_space_init  (LsPolySpace *self,
                              gulong       operations);
void     ls_poly_space_clear (LsPolySpace *self);

/* Which order of two rounds. */
typedef enum {
  LS_ORDER_BEFORE,              /* the one of a certainly before that of b */
  LS_ORDER_AFTER,
  LS_ORDER_AT_ONCE              /* a loop that is not serial makes the difference */
} LsOrder;

/* [loops] -> [element]. *exact is cleared where something is left out, so that there may be fewer. */
isl_map *ls_poly_access   (LsPolySpace   *space,
                           LsPolyLeaf    *leaf,
                           LsPolyAccess  *access,
                           gboolean      *exact);
/* [loops] -> [variables of the leaf's blocks] */
isl_map *ls_poly_instance (LsPolySpace   *space,
                           LsPolyLeaf    *leaf,
                           gboolean      *exact);
/* [loops of a] -> [loops of b] where b's are in this order to a's.  The dimensions are those of `dims_a` and `dims_b`, the
 * loops of the same leaves elsewhere; `number` orders the leaves.  With `sums` rounds of a thread loop that add into one
 * element are not counted. */
isl_map *ls_poly_order    (LsPolySpace   *space,
                           LsPolyLeaf    *a,
                           LsPolyLeaf    *dims_a,
                           guint          number_a,
                           LsPolyLeaf    *b,
                           LsPolyLeaf    *dims_b,
                           guint          number_b,
                           LsOrder        order,
                           gboolean       sums);
/* The same three as isl is asked: loops and variables by numbers, so that programs that differ in names, or elsewhere, have the same texts. */
const char *ls_poly_access_text   (LsPolySpace  *space,
                                   LsPolyLeaf   *leaf,
                                   LsPolyAccess *access);
const char *ls_poly_instance_text (LsPolySpace  *space,
                                   LsPolyLeaf   *leaf);
/* (transfer full) */
char       *ls_poly_order_text    (LsPolySpace  *space,
                                   LsPolyLeaf   *a,
                                   LsPolyLeaf   *dims_a,
                                   guint         number_a,
                                   LsPolyLeaf   *b,
                                   LsPolyLeaf   *dims_b,
                                   guint         number_b,
                                   LsOrder       order,
                                   gboolean      sums);
/* Can there be such pairs, by loops alone? */
gboolean ls_poly_may_be   (LsPolyLeaf    *a,
                           guint          number_a,
                           LsPolyLeaf    *b,
                           guint          number_b,
                           LsOrder        order);
/* Values of the parameters. */
isl_set *ls_poly_context  (LsPolySpace   *space);

G_END_DECLS
