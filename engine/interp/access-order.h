/* access-order: which element of which buffer a program touches after which other.
 *
 * The program runs in the interpreter, on zeros, until enough accesses were seen.  Every kind of loop goes round in order, a
 * vector one lane after the other, guards and inits as they come.  Where the order would depend on what the inputs hold, or on
 * numbers that are not known, there is none before the program runs, and the error says which buffer or number it is; of a run on given
 * arguments there is always one.
 *
 * With it a model of one cache: lines of 64 bytes, each buffer at the begin of one, as many as fit in 32 KiB, the one that was not
 * used for longest leaves first.
 */
#pragma once

#include "engine/interp/interp.h"

G_BEGIN_DECLS

#define LS_ACCESS_LINE_BYTES 64
#define LS_ACCESS_LINES 512     /* 32 KiB */
#define LS_ACCESS_MOST 100000u

typedef struct {
  char    *name;
  gint64  *shape;               /* elements; one number for the whole of it where it is not compact and row-major */
  guint    ndim;
  gint64   n;                   /* elements */
  guint    bytes;               /* of an element */
} LsAccessBuffer;

/* A statement: the loops around it and the block that it is in. */
typedef struct {
  char **loops;                 /* names, outermost first, NULL at the end */
  guint  n_loops;
  char  *block;                 /* or NULL */
} LsAccessPlace;

typedef struct {
  gint64  element;              /* row-major number in its buffer */
  guint32 moment;               /* when: number in `moments` */
  guint32 lines;                /* fetched so far, this access with them */
  guint16 buffer;
  guint8  is_write;
  guint8  is_new;               /* its line had to be fetched */
} LsAccess;

/* One turn of a statement. */
typedef struct {
  guint place;
  guint first;                  /* in `values`: one for each loop of the place */
} LsAccessMoment;

typedef struct {
  GArray   *buffers;            /* of LsAccessBuffer: arguments first, then by first use */
  GPtrArray *places;            /* of LsAccessPlace */
  GArray   *moments;            /* of LsAccessMoment */
  GArray   *values;             /* of gint64 */
  GArray   *accesses;           /* of LsAccess */
  gboolean  stopped;            /* there are more accesses than these */
  double    bytes_used;         /* of each fetched line, on average */
  char     *data;               /* on what the program was run, where the order depends on it: put in by who gave the arguments; or NULL */
} LsAccessOrder;

/* The first `most` accesses of `func`.  NULL with an error: the order is not known before the run, or the program cannot be
 * run.  May be called in any thread; `cancellable` may be NULL. (transfer full) */
LsAccessOrder *ls_access_order_new  (LsPrimFunc    *func,
                                     guint          most,
                                     GCancellable  *cancellable,
                                     GError       **error);
/* The same of a run on the arguments `args` (written to), one for each parameter: whatever the order depends on, it is the one of this run.
 * (transfer full) */
LsAccessOrder *ls_access_order_new_of_run (LsPrimFunc         *func,
                                           const LsInterpArg  *args,
                                           guint               n_args,
                                           guint               most,
                                           GCancellable       *cancellable,
                                           GError            **error);
/* Whether the order is known before the program runs on data; else the error says what it depends on. */
gboolean       ls_access_order_is_known (LsPrimFunc  *func,
                                         GError     **error);
void           ls_access_order_free (LsAccessOrder *self);

/* The indices of element `element`, as many as the buffer has dimensions. */
void           ls_access_indices    (const LsAccessBuffer *buffer,
                                     gint64                element,
                                     gint64               *indices);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsAccessOrder, ls_access_order_free)

G_END_DECLS
