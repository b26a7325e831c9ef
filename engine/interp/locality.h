/* locality: how far apart the touches of a cache line are, and which caches would miss them, why.
 *
 * Reuse distance (stack distance): how many other lines were touched between two touches of a line.  It is exact: a
 * Fenwick tree over time has a one at the last touch of each line, so that the distance is a sum, O(n log n) in all.
 * Source: R. Mattson, J. Gecsei, D. Slutz, I. Traiger, "Evaluation techniques for storage hierarchies", IBM Systems
 * Journal 9 (2), 1970.
 *
 * Misses: set-associative caches with least-recently-used replacement, each of which is asked for what the one before it
 * did not have.  A miss is cold when the line was never touched; capacity when a fully associative cache of the same
 * size with the same touches would miss it too, that is when the distance reaches the number of its lines; else conflict.
 * Source: M. D. Hill, "Aspects of cache memory and instruction buffer performance", thesis, Berkeley, 1987.  Not modelled:
 * prefetching, what writes cost, replacement that is not quite LRU, and last levels that spread lines over slices.
 *
 * Lines have 64 bytes; buffers lie one after another, each from the begin of a page on.
 */
#pragma once

#include "engine/interp/access-order.h"

G_BEGIN_DECLS

#define LS_LOCALITY_LEVELS 3

typedef struct {
  gint64 bytes;
  guint  ways;                  /* lines of a set */
} LsCacheLevel;

typedef struct {
  gint64 cold, capacity, conflict;
} LsMisses;

typedef struct {
  gint64   touches;
  gint64   cold;                /* touches that are the first of their line: they have no distance */
  gint64   min, median, max;    /* of the distances, in lines; -1: there is none.  median: the lower one of two */
  LsMisses misses[LS_LOCALITY_LEVELS];
} LsLocalityRow;

typedef struct {
  guint          n_levels;
  LsCacheLevel   levels[LS_LOCALITY_LEVELS];
  guint          n_buffers;
  LsLocalityRow *buffers;       /* as in the order of accesses */
  LsLocalityRow  all;
} LsLocality;

/* One touch: the number of a line in memory, and of the buffer that it counts for. */
typedef struct {
  gint64 line;
  guint  buffer;
} LsLineTouch;

/* The data caches of this machine, as the system tells them; FALSE: it tells none, and these are 32 KiB with 8 ways,
 * 512 KiB with 8, and 16 MiB with 16. */
gboolean    ls_cache_levels         (LsCacheLevel         levels[LS_LOCALITY_LEVELS],
                                     guint               *n);
/* Of a list of touches; every buffer is below `n_buffers`. (transfer full) */
LsLocality *ls_locality_of_touches  (const LsLineTouch   *touches,
                                     guint                n,
                                     guint                n_buffers,
                                     const LsCacheLevel  *levels,
                                     guint                n_levels);
/* Of the accesses of a program.  May be called in any thread. (transfer full) */
LsLocality *ls_locality_new         (const LsAccessOrder *order,
                                     const LsCacheLevel  *levels,
                                     guint                n_levels);
void        ls_locality_free        (LsLocality          *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLocality, ls_locality_free)

G_END_DECLS
