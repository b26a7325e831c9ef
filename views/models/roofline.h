/* LsRoofline: the steps of a path as points under the roofs of the machine.
 *
 * A point is how many operations a step does for each byte that its first cache has to fetch (its intensity), and how many
 * operations a second it reached.  Both come from counted operations and bytes and from the measured median; the roofs are
 * measured on this machine.
 */
#pragma once

#include "views/models/step-item.h"

G_BEGIN_DECLS

#define LS_ROOFLINE_MOST_LEVELS 8

typedef struct {
  char        name[16];         /* "L2" */
  double      bytes_per_s;
} LsRoof;

typedef struct {
  LsStepItem *item;
  double      flop;             /* of one call; 0: unknown */
  double      bytes;            /* that the first cache fetches in one call; 0: unknown */
  gboolean    measured;
  double      seconds;          /* that it takes: the median, unless ls_roofline_set_seconds() */
} LsRooflinePoint;

typedef struct {
  gboolean    known;            /* the machine was measured */
  gboolean    running;          /* it is being measured */
  char       *trouble;          /* why it could not be measured, or NULL */
  char       *cpu;
  char       *device;           /* whose roofs these are, of a result; NULL: this machine's */
  char       *date;             /* of its measurement, for people, or NULL */
  double      load;             /* of the machine when it was measured; below 0: unknown */
  double      flop_per_s;       /* float32, one thread; of a device all of it */
  char       *missing;          /* symbolic sizes that are not known, so that nothing can be counted: "n, m"; or NULL */
  gint64      cache_bytes;      /* what the first cache holds: bytes are counted for it; G_MAXINT64: each array goes through memory once */
  guint       n_roofs;
  LsRoof      roofs[LS_ROOFLINE_MOST_LEVELS];   /* levels behind the first cache, nearest first */
  GArray     *points;           /* of LsRooflinePoint, in step order */
} LsRoofline;

LsRoofline *ls_roofline_new        (void);
void        ls_roofline_free       (LsRoofline            *self);
/* Takes nothing. */
void        ls_roofline_add        (LsRoofline            *self,
                                    LsStepItem            *item,
                                    double                 flop,
                                    double                 bytes);
/* What the program of the last point takes by itself, where the median has other work in it. */
void        ls_roofline_set_seconds (LsRoofline           *self,
                                    double                 seconds);
/* It can be drawn: measured, with operations and bytes. */
gboolean    ls_roofline_is_drawn   (const LsRooflinePoint *point);
/* Operations for each byte, and operations a second. */
double      ls_roofline_intensity  (const LsRooflinePoint *point);
double      ls_roofline_speed      (const LsRooflinePoint *point);
/* What the roof over a point allows, and how much of it (0 to 1) it reaches; 0 when the machine is not known. */
double      ls_roofline_limit      (const LsRoofline      *self,
                                    const LsRooflinePoint *point);
double      ls_roofline_share      (const LsRoofline      *self,
                                    const LsRooflinePoint *point);
/* The share for people: "41 %", "–" while the machine is not known, "" for what is not measured. (transfer full) */
char       *ls_roofline_share_text (const LsRoofline      *self,
                                    const LsRooflinePoint *point);
/* The level that holds the point down is memory (and not arithmetic). */
gboolean    ls_roofline_by_memory  (const LsRoofline      *self,
                                    const LsRooflinePoint *point);
/* One sentence on the last step that is drawn: "Step 5 reaches 41 % of what ...". (transfer full) */
char       *ls_roofline_verdict    (const LsRoofline      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsRoofline, ls_roofline_free)

G_END_DECLS
