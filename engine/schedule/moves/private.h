/* private: what the files that make offers share. */
#pragma once

#include "engine/schedule/moves/moves.h"
#include "engine/schedule/step/move.h"

G_BEGIN_DECLS

typedef struct {
  LsSchedule *schedule;
  LsNode     *node;             /* the For or Block asked about */
  LsSref     *sref;
  LsState    *state;            /* of a copy: places of the current program */
  GPtrArray  *offers;
  const char *target;
  const int  *stopped;          /* not 0: nothing more is tried; or NULL */
} LsMoveSearch;

static inline gboolean
ls_moves_is_stopped (const LsMoveSearch *self)
{
  return self->stopped != NULL && g_atomic_int_get (self->stopped);
}

/* Tries one call and adds what comes of it: "%1" and "%2" in `format` stand for a and b (may be NULL).  NULL when a or b has no
 * name, or the search was stopped. Borrowed. */
LsOffer *ls_moves_try        (LsMoveSearch *self,
                              const char   *primitive,
                              const char   *format,
                              LsNode       *a,
                              LsNode       *b,
                              const char   *effect);
/* The same for an `effect` that it takes.  With `search_far` a repair may be the same call before an earlier step. */
LsOffer *ls_moves_search     (LsMoveSearch *self,
                              const char   *primitive,
                              const char   *format,
                              LsNode       *a,
                              LsNode       *b,
                              char         *effect,
                              gboolean      search_far);
/* There is a way after all: the words for it and the steps (taken both). */
void     ls_offer_set_repair (LsOffer      *offer,
                              char         *label,
                              char         *text,
                              gboolean      replays);
/* The name that the program gives to a For or Block. Borrowed. */
const char *ls_moves_name_of (LsNode       *node);
/* Everyday offers, part 0 and so on; FALSE: there is no such part. */
gboolean ls_moves_offer_own  (LsMoveSearch *self,
                              guint         part);
/* Then offers for every primitive that has none yet; likewise. */
gboolean ls_moves_offer_rest (LsMoveSearch *self,
                              guint         part);

G_END_DECLS
