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

typedef struct {
  LsDebug    *debug;
  GPtrArray  *records;          /* of LsPartRecord */
  GHashTable *by_data;          /* LsVar -> LsPartRecord */
  GArray     *log;              /* of LsPartWrite, or NULL: it is not kept */
  guint       most;             /* that are kept */
  gboolean    is_full;
  LsBuffer   *last;             /* that was written last, where it is the memory itself; borrowed; or NULL */
  LsPartRecord *last_record;
} LsPartSide;

/* Runs a function to its end.  `most` > 0: keeps that many writes, and refuses what has more.  NULL with an error. (transfer full) */
LsPartSide   *ls_part_side_run  (LsModule            *module,
                                 const char          *name,
                                 const LsDebugInputs *inputs,
                                 guint                most,
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
