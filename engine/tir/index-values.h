/* index-values: which numbers a parameter may hold where its elements say which elements of others are touched.
 *
 * A gather reads E[K[i], j]: whoever makes numbers for K has to make valid ones.  Each index of the function is solved for the loads in it, with the
 * bounds of the loops around; what is copied or computed from a parameter first hands its demand on to it.
 */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct {
  gint64      low, high;        /* both are valid */
  gboolean    rises;            /* no element may be below the one before: loops go from one to the next */
  const char *of;               /* name of a buffer that is indexed with it (borrowed), or NULL */
} LsIndexValues;

/* LsVar (the data of a parameter's buffer, borrowed) -> LsIndexValues, of those that place accesses.  `sizes`: "NAME=VALUE" for symbolic extents (of char,
 * may be NULL); extents that are no numbers demand nothing.  A demand that nothing meets is left out.  `func` has to live as long. (transfer full) */
GHashTable *ls_index_values (LsPrimFunc *func,
                             GPtrArray  *sizes);

G_END_DECLS
