/* part-private: one of two programs that are held against each other: what it wrote last, and all its writes in order.  side.c has it, part.c finds
 * where two of them part, pair.c brings both to the same element. */
#pragma once

#include "engine/debug/debug-private.h"

G_BEGIN_DECLS

typedef struct {
  char     *name;
  LsVar    *data;               /* borrowed */
  LsBuffer *buffer;             /* borrowed */
  guint     number;             /* among the records of its side */
  guint     param;              /* its position, or G_MAXUINT */
  LsDType   dtype;
  guint     ndim;
  gint64    shape[16];
  gint64    n;
  LsRunBuffer view;             /* as it was first met; its address is of then */
  gboolean  is_compact;         /* elements lie as they are numbered */
  double   *values;             /* of the last write */
  double   *peaks;
  guint64  *clocks;             /* of the last write + 1; 0: never */
  guint32  *writes;
  guint64   first;              /* clock of the first write */
} LsPartRecord;

/* One write, in the order of the run. */
typedef struct {
  guint64 clock;
  gint64  element;              /* row-major */
  double  value;
  guint32 record;
  guint32 ordinal;              /* writes of the element before it */
} LsPartWrite;

/* How far the record of a side goes. */
typedef enum {
  LS_SIDE_RUNS,                 /* it is not through */
  LS_SIDE_FINISHED,
  LS_SIDE_FAILED,               /* to the statement that fails */
  LS_SIDE_FULL,                 /* as many writes as are kept */
  LS_SIDE_CUT                   /* somebody had enough */
} LsPartEnd;

typedef struct {
  LsDebug    *debug;
  LsPartEnd   end;
  guint64     limit;            /* clock behind which nothing is known; G_MAXUINT64: the run itself ends */
  char       *why;              /* FAILED: what it said */
  GPtrArray  *records;          /* of LsPartRecord */
  GHashTable *by_data;          /* LsVar -> LsPartRecord */
  GArray     *log;              /* of LsPartWrite, or NULL: it is not kept */
  guint       most;             /* that are kept */
  LsBuffer   *last;             /* that was written last, where it is the memory itself; borrowed; or NULL */
  LsPartRecord *last_record;
} LsPartSide;

/* Before the first statement of a function.  `most` > 0: keeps that many writes.  NULL with an error. (transfer full) */
LsPartSide   *ls_part_side_begin (LsModule            *module,
                                  const char          *name,
                                  const LsDebugInputs *inputs,
                                  guint                most,
                                  GError             **error);
/* Goes on to the end, or until the asker of the run says so.  FALSE: there is more. */
gboolean      ls_part_side_go   (LsPartSide          *self);
/* It is not gone on with: what was done until now is all that is known of it. */
void          ls_part_side_cut  (LsPartSide          *self);
/* To a position, but no further than what is known; nobody is asked whether to give up. */
void          ls_part_side_go_to (LsPartSide         *self,
                                  guint64             clock);
/* Why a side that is not finished ends where it does, as a sentence; NULL: it is finished. (transfer full) */
char         *ls_part_side_why  (LsPartSide          *self);
/* Runs a function to its end without a list of its writes.  NULL with an error: also where it fails. (transfer full) */
LsPartSide   *ls_part_side_run  (LsModule            *module,
                                 const char          *name,
                                 const LsDebugInputs *inputs,
                                 GError             **error);
void          ls_part_side_free (LsPartSide          *self);
/* The record of the other side for the same data: a parameter by position, another buffer by name, shape and type; or NULL. Borrowed. */
LsPartRecord *ls_part_partner   (LsPartRecord        *record,
                                 LsPartSide          *other);
/* "C[3, 5]". (transfer full) */
char         *ls_part_element   (const LsPartRecord  *record,
                                 gint64               element);
/* Distance of two values in units in the last place; of integers their difference. */
double        ls_part_ulp       (LsDType              t,
                                 double               a,
                                 double               b);
/* What one rounding may lose, by the value. */
double        ls_part_epsilon   (LsDType              t);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPartSide, ls_part_side_free)

G_END_DECLS
