/* LsTrialItem: a program that a search over schedules drew: its time or why it has none, and what was drawn for it. */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

typedef enum {
  LS_TRIAL_ITEM_WAITING,
  LS_TRIAL_ITEM_RUNNING,
  LS_TRIAL_ITEM_MEASURED,
  LS_TRIAL_ITEM_FAILED,         /* has no time, or computes something else */
} LsTrialItemState;

#define LS_TRIAL_NO_FAMILY G_MAXUINT

/* One thing that was drawn for it. */
typedef struct {
  char *name;                   /* "j: factor 4 of 4" */
  char *value;                  /* "16" */
} LsTrialDecision;

typedef struct {
  guint            number;      /* from 1, in the order in which they were drawn */
  LsTrialItemState state;
  guint            family;      /* of decisions: its design; LS_TRIAL_NO_FAMILY: none that is known */
  double           seconds;     /* median; 0: none */
  double           predicted;   /* 0: nothing was */
  double           speedup;     /* against the program as it was; 0: unknown */
  gboolean         given_up;    /* the time is that of the quickest of the first runs */
  gboolean         remembered;  /* from an earlier run */
  gboolean         record;      /* the fastest when it was measured */
  const char      *problem;     /* why it failed, or NULL */
  const char      *proposal;    /* what its design was proposed as; NULL: it is of the rules */
} LsTrialRecord;

#define LS_TYPE_TRIAL_ITEM (ls_trial_item_get_type ())
G_DECLARE_FINAL_TYPE (LsTrialItem, ls_trial_item, LS, TRIAL_ITEM, GObject)

/* Emits ::changed when another record is put in. */
LsTrialItem         *ls_trial_item_new           (const LsTrialRecord *record);
void                 ls_trial_item_set           (LsTrialItem         *self,
                                                  const LsTrialRecord *record);
const LsTrialRecord *ls_trial_item_get           (LsTrialItem         *self);
/* Takes both texts. */
void                 ls_trial_item_add_decision  (LsTrialItem         *self,
                                                  char                *name,
                                                  char                *value);
/* Of LsTrialDecision. (transfer none) */
GArray              *ls_trial_item_get_decisions (LsTrialItem         *self);
/* "candidate 12, design a, 225 µs, predicted 240 µs, ×3.9": for a screen reader and for tips. (transfer full) */
char                *ls_trial_item_describe      (LsTrialItem         *self);
/* -1, 0, 1: the faster first, then what is under way or waits, then what failed; among equals by number. */
int                  ls_trial_item_compare       (LsTrialItem         *a,
                                                  LsTrialItem         *b);
/* "a", "b", .. of a design, in the colours of seven; "a′", "a″", "a‴", "a4" of later rounds; "–" of none that is known. (transfer full) */
char                *ls_trial_family_letter      (guint                family);

G_END_DECLS
