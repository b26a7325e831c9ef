/* moves: what can be done to a loop or block, what could be done with a change, what cannot, and why.
 *
 * Every offer is tried for real on a copy of the schedule, so the answer is that of the primitive's own conditions.
 * Where it is refused, a repair is looked for by trying too: another loop of the same nest, a preparing primitive, or the
 * same move before an earlier step with the rest replayed.  Everything is Python text as a person would type it, so an
 * offer is applied with ls_schedule_apply_text.
 */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

typedef enum {
  LS_OFFER_CAN,                 /* can be applied */
  LS_OFFER_WITH_CHANGE,         /* refused as it stands; `repair` leads there */
  LS_OFFER_CANNOT
} LsOfferGroup;

typedef struct {
  LsOfferGroup         group;
  const LsInstruction *instruction;
  char                *call;    /* "split(k, [32, 4])", with the program's names */
  char                *effect;  /* one sentence: what it does */
  char                *text;    /* the steps that do it */
  char                *reason;  /* why not (of the first condition); of a move that can be applied: a warning; or NULL */
  char                *code;    /* of that condition, or NULL */
  GPtrArray           *culprits; /* of char: printed paths, or NULL */
  char                *repair;  /* "First rfactor(k, 0)", "Use j_1 instead", "Do it before step 3, replay"; or NULL */
  char                *repair_text; /* the steps that do it in that way; replaces the whole trace when `replays`; NULL with `retarget` */
  char                *retarget; /* "cuda": the repair is no step, the program is made for this target instead; or NULL */
  const char          *checked_in; /* static: our source file with the check that has `reason`, or NULL: LsDiagnostic.checked_in */
  guint                checked_at; /* line of that file */
  char                *advice;  /* what the refusal itself says of a way out, or NULL */
  gboolean             replays;
  gboolean             prepares; /* the repair is another primitive before this one */
  GArray              *factors; /* split: of gint64, the true divisors of the extent that may be the inner extent; or NULL */
} LsOffer;

void       ls_offer_free       (LsOffer    *self);

/* All offers for a For or Block node of the current program, in the order of the groups; every primitive that changes
 * or draws something is among them, with arguments that make sense here.
 * `target` ("llvm", NULL: the same) says what threads there are.  (transfer full) of LsOffer */
GPtrArray *ls_schedule_offers  (LsSchedule *self,
                                LsNode     *node,
                                const char *target);

/* The same part by part: each step takes a fraction of the time of the whole. */
typedef struct _LsOfferRun LsOfferRun;

LsOfferRun *ls_offer_run_new    (LsSchedule *self,
                                 LsNode     *node,
                                 const char *target);
/* Once *stopped is not 0 (it is read atomically) nothing more is tried: what is found by then is not all. */
void        ls_offer_run_set_stopped (LsOfferRun *self,
                                 const int  *stopped);
/* FALSE: nothing was left to do. */
gboolean    ls_offer_run_step   (LsOfferRun *self);
/* What is left, and the offers; frees the run. (transfer full) of LsOffer */
GPtrArray  *ls_offer_run_finish (LsOfferRun *self);
/* Without its offers. */
void        ls_offer_run_free   (LsOfferRun *self);

/* Lines that bind handles to a For or Block of the current program, and the expression that names it after them
 * ("block_Y", "loops_Y[2]").  NULL when no block with a name of its own is there.  (transfer full) */
char      *ls_schedule_place_text (LsSchedule *self,
                                   LsNode     *node,
                                   GString    *lines);

G_END_DECLS
