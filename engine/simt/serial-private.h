/* serial-private: what serial.c, serial-matrix.c and, below both, serial-rewrite.c share. */
#pragma once

#include "engine/simt/simt.h"

G_BEGIN_DECLS

#define SERIAL_WARP 32          /* of tensor cores */

/* Memory of each thread, or of each warp, laid side by side. */
typedef struct {
  LsVar   *data;                /* of all of them; owned */
  gint64   bytes;               /* of one */
  gboolean by_warp;
} SerialMemory;

/* Whose values are read: the thread that the loops are at, or another one by its number. */
typedef struct {
  LsExpr *thread[3];
  LsExpr *number;
} SerialThread;

typedef struct {
  GHashTable  *axes;            /* Var -> number of its axis and 1: blockIdx.x, .y, .z, threadIdx.x, .y, .z */
  GHashTable  *memories;        /* data Var -> SerialMemory; owned */
  GHashTable  *held;            /* Var of T.let or of a loop -> LsBuffer: its value for each thread; both owned */
  GHashTable  *cuts;            /* statement (owned) -> 1: no, 2: threads meet in it */
  GHashTable  *shapes;          /* Var of a fragment -> m, n, k; owned */
  LsVar       *loops[6];        /* of the axes; owned */
  LsExpr      *extents[6];      /* owned; NULL: no such axis */
  gint64       sizes[3];        /* of threadIdx */
  gint64       n;               /* threads of a block */
  guint        warp;            /* lanes of a warp */
  SerialThread own;             /* where the loops are; owned */
  SerialThread at;              /* of whom is spoken; borrowed */
  GPtrArray   *buffers;         /* arrays over threads and memory of a block, allocated around the kernel; owned */
  GPtrArray   *allocations;     /* LsAllocate with an empty body, for the same; owned */
  GPtrArray   *out;             /* statements of a block */
  GPtrArray   *pending;         /* statements of each thread that stand in one loop over threads */
  LsBuffer    *mask;            /* threads that take part; NULL: all */
  GError      *error;
} Serial;

void      serial_fail      (Serial      *self,
                            const char  *format,
                            ...) G_GNUC_PRINTF (2, 3);
/* The storage scope of a pointer, "global" where none is said. Borrowed. */
const char *serial_scope   (LsVar       *data);
gboolean  serial_is_shuffle (gpointer    node);
/* An element of an array.  Takes the index. */
LsExpr   *serial_value     (LsBuffer    *array,
                            LsExpr      *index);
/* The statement with another expression in one place. (transfer full) */
LsStmt   *serial_instead   (LsStmt      *stmt,
                            gpointer     found,
                            gpointer     other);
/* As it is for a thread: axes, memory, held values. (transfer full) */
LsNode   *serial_rewrite   (Serial      *self,
                            gpointer     node);
/* One more statement of each thread.  Takes it, as it is written in the kernel. */
void      serial_push      (Serial      *self,
                            LsStmt      *stmt);
/* All threads are through with what was pushed. */
void      serial_flush     (Serial      *self);
/* A statement of the block, behind a flush.  Takes it, rewritten. */
void      serial_emit      (Serial      *self,
                            LsStmt      *stmt);
/* Whether the thread is of those of the mask; there is one. */
LsExpr   *serial_takes_part (Serial     *self);
/* An array of the block. Borrowed. */
LsBuffer *serial_array     (Serial      *self,
                            const char  *name,
                            LsDType      dtype,
                            gint64       n);
/* The thread of this number until serial_at_own. Takes the number. */
void      serial_at        (Serial      *self,
                            LsExpr      *number,
                            SerialThread *kept);
void      serial_at_own    (Serial      *self,
                            SerialThread *kept);
/* An element of the memory that an argument of an intrinsic points to: buffer and index as the kernel has them, `more` (taken) elements on.
 * NULL: it is no pointer that is known. (transfer full) */
LsExpr   *serial_element   (Serial      *self,
                            LsExpr      *pointer,
                            LsExpr      *more);
/* The same, written. */
LsStmt   *serial_store     (LsExpr      *element,
                            LsExpr      *value);

/* serial-matrix.c: a statement that a warp executes together (tensor cores), or FALSE. */
gboolean  serial_matrix    (Serial      *self,
                            LsCall      *call);
/* Is it one? */
gboolean  serial_is_matrix (gpointer     node);

G_END_DECLS
