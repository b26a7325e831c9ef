/* layout: where the elements of tiles and of shared memory are. */
#pragma once

#include "engine/simt/simt.h"
#include "engine/tir/device.h"

G_BEGIN_DECLS

#define LS_SIMT_LAYOUT_MOST 64          /* rows and columns of shared memory that are told */

typedef enum { LS_SIMT_LAYOUT_LANES, LS_SIMT_LAYOUT_BANKS } LsSimtLayoutKind;

typedef struct {
  LsSimtLayoutKind kind;
  char      *name;              /* of the buffer */
  LsSimtTile tile;              /* LANES: its role in the product */
  LsDType    dtype;
  guint      rows, columns;     /* BANKS: the last two dimensions, at most LS_SIMT_LAYOUT_MOST of each */
  gint64     pitch;             /* elements from row to row */
  guint     *places;            /* row by row: the lane, or the bank of 4 bytes (32 of them) */
  guint     *numbers;           /* LANES: the number of the element in its lane; BANKS: NULL */
} LsSimtLayout;

/* The tiles that the kernels of a function multiply on tensor cores, and their shared memory as it is laid out when the function is lowered for a target (a
 * permutation that InjectPermutedLayout puts into the indices is not in it); each once.  What the fragments of wmma look like is not told by NVIDIA: they are
 * taken to be those of mma.sync.  Errors: of the passes and of the simulator's compiler. (transfer full): an array of LsSimtLayout */
GPtrArray *ls_simt_layouts     (LsPrimFunc            *func,
                                const LsDeviceTarget  *target,
                                GError               **error);
void       ls_simt_layout_free (LsSimtLayout          *self);

G_END_DECLS
