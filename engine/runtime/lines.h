/* lines: a tensor as lines along one of its axes, and their sorting.
 *
 * What vm-sort gives as values and sort registers as packed functions stands on this.
 */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

/* A compact tensor as outer x length x inner around its axis; the tensor is borrowed. */
typedef struct {
  LsDLTensor *tensor;
  gint64      outer, length, inner;
} LsLines;

/* An axis below 0 counts from the end.  FALSE: there is no such axis. */
gboolean ls_lines_init  (LsLines       *self,
                         LsDLTensor    *tensor,
                         gint64         axis);
/* The number of the scalar at `i` of a line. */
gint64   ls_lines_place (const LsLines *self,
                         gint64         outer,
                         gint64         i,
                         gint64         inner);
/* The first `keep` of each sorted line, into compact tensors of that length: values and/or indices (either may be NULL).
 * Equal elements stay in order; NaN goes where numpy puts it, behind everything when ascending. */
void     ls_lines_sort  (const LsLines *self,
                         gboolean       descending,
                         gint64         keep,
                         LsDLTensor    *values,
                         LsDLTensor    *indices);

G_END_DECLS
