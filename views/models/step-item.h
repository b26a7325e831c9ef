/* LsStepItem: one node of the history tree, as list rows show it.
 *
 * The item carries a plain record.  Whoever owns the history fills it in with
 * ls_step_item_set(), which copies it and emits ::changed when it is new; rows rebind on that.
 * The place of the node in the drawn rail (lane, fork) is worked out by
 * ls_history_layout() and stored beside the record.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  LS_STEP_UNMEASURED,
  LS_STEP_MEASURED,
  LS_STEP_STALE,
  LS_STEP_RUNNING,
  LS_STEP_FAILED,
  LS_STEP_UNREACHED,
} LsStepState;

/* LsStepTime: all in seconds; `samples` 0 means that nothing was measured. */
typedef struct {
  double min;
  double q1;
  double median;
  double q3;
  guint  samples;
  double own;                   /* that the program had the processor, at least; 0: not known, or it runs on several cores */
} LsStepTime;

typedef struct {
  guint       id;
  guint       parent;           /* own id for the root */
  guint       number;           /* depth: 0 for the opened module */
  guint       prime;            /* 0 on the main branch, 1 for 1′, … */
  const char *call;             /* trace line: split(j, [None, 4]) */
  const char *name;             /* primitive: split */
  const char *branch;           /* name of the branch it is on, or NULL */
  LsStepState state;
  gboolean    best;
  LsStepTime    timing;
  double      speedup;          /* against step 0; 0 when unknown */
  gboolean    no_difference;    /* speed-up lies inside the noise */
  guint       done;             /* samples so far, while running */
  guint       total;
  const char *reason;           /* why it failed, one sentence */
  const char *conditions;       /* machine, cores, samples, … of the figure */
  const char *device;           /* what a device of another machine measured: "12.3 µs on NVIDIA A100", or NULL */
  gboolean    stops;            /* failed because the step itself was refused */
  gboolean    no_effect;        /* the program is that of the step before */
  guint       bookmark;         /* 1 to 9; 0: none */
} LsStepRecord;

/* LsStepRail: what the 48 px cell draws. Lanes count from the left. */
typedef struct {
  guint    lane;
  guint32  above;               /* bit i: a rail enters lane i from above */
  guint32  below;               /* bit i: a rail leaves lane i below */
  guint32  forks;               /* bit i: a rail turns off into lane i here */
  guint32  active;              /* bit i: the rail leads to the current step */
} LsStepRail;

#define LS_TYPE_STEP_ITEM (ls_step_item_get_type ())
G_DECLARE_FINAL_TYPE (LsStepItem, ls_step_item, LS, STEP_ITEM, GObject)

LsStepItem         *ls_step_item_new         (const LsStepRecord *record);

/* One that says the same now and does not follow it. (transfer full) */
LsStepItem         *ls_step_item_copy        (LsStepItem         *self);

/* Copies `record` with its strings and emits ::changed, when it says anything new. */
void                ls_step_item_set         (LsStepItem         *self,
                                              const LsStepRecord *record);
/* Borrowed, valid until the next set. */
const LsStepRecord *ls_step_item_get         (LsStepItem         *self);

const LsStepRail   *ls_step_item_get_rail    (LsStepItem         *self);
void                ls_step_item_set_rail    (LsStepItem         *self,
                                              const LsStepRail   *rail);
gboolean            ls_step_item_is_current  (LsStepItem         *self);
void                ls_step_item_set_current (LsStepItem         *self,
                                              gboolean            current);

/* "3", "2′". (transfer full) */
char               *ls_step_item_tag         (LsStepItem         *self);
/* The second line of a history row: "225 ±2 µs · you are here". (transfer full) */
char               *ls_step_item_detail      (LsStepItem         *self);
/* The same from whole to brief, for a row that is too narrow; never empty. (transfer full) */
char              **ls_step_item_details     (LsStepItem         *self);
/* What a screen reader says for the row. (transfer full) */
char               *ls_step_item_describe    (LsStepItem         *self);
/* More than 5 % of the median between the quartiles' half distance. */
gboolean            ls_step_item_is_noisy    (LsStepItem         *self);
gboolean            ls_step_time_is_noisy       (const LsStepTime     *timing);

G_END_DECLS
