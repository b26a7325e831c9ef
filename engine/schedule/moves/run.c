/* run: all offers, part by part.
 *
 * Each offer is an attempt on a copy of the schedule, and a program of ten thousand loops has a tenth of a second of them.  Who
 * paints windows meanwhile takes the parts one at a time.
 */
#include "engine/schedule/moves/private.h"

#include <string.h>

struct _LsOfferRun
{
  LsMoveSearch search;
  LsVersion   *fresh;           /* what search.state is of */
  gboolean     rest;            /* own moves are through */
  guint        part;
};

/* Which moves come first: everyday ones, others, notes and draws, and last what may change the result. */
static gint
rank_of (const LsOffer *offer)
{
  static const char *const EVERYDAY[] = { "split", "fuse", "reorder", "vectorize", "parallel", "unroll", "bind", "compute_at", "reverse_compute_at",
                                          "compute_inline", "reverse_compute_inline", "cache_read", "cache_write", "decompose_reduction", "rfactor" };
  static const char *const NOTES[] = { "annotate", "unannotate", "enter_postproc", "add_unit_loop" };

  if (offer->reason != NULL)
    return 3;
  for (guint i = 0; i < G_N_ELEMENTS (EVERYDAY); i++)
    if (strcmp (EVERYDAY[i], offer->instruction->name) == 0)
      return 0;
  for (guint i = 0; i < G_N_ELEMENTS (NOTES); i++)
    if (strcmp (NOTES[i], offer->instruction->name) == 0)
      return 2;
  return (offer->instruction->flags & LS_INSTRUCTION_SAMPLES) != 0 ? 2 : 1;
}

static gint
compare_offers (gconstpointer a,
                gconstpointer b)
{
  const LsOffer *x = *(const LsOffer *const *) a;
  const LsOffer *y = *(const LsOffer *const *) b;

  if (x->group != y->group)
    return (gint) x->group - (gint) y->group;
  return x->group == LS_OFFER_CAN ? rank_of (x) - rank_of (y) : 0;
}

LsOfferRun *
ls_offer_run_new (LsSchedule *schedule,
                  LsNode     *node,
                  const char *target)
{
  LsOfferRun *self = g_new0 (LsOfferRun, 1);
  LsVersion *version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));

  self->search = (LsMoveSearch) { .schedule = ls_schedule_ref (schedule), .node = node, .target = g_intern_string (target),
                                  .offers = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_offer_free) };
  if (ls_version_find_node (version, node) < 0)
    return self;
  self->fresh = ls_version_new (version->module);
  self->search.state = ls_state_new (self->fresh, ls_version_get_n (self->fresh) + 1);
  self->search.sref = ls_state_sref (self->search.state, node);
  return self;
}

void
ls_offer_run_free (LsOfferRun *self)
{
  g_clear_pointer (&self->search.state, ls_state_free);
  g_clear_pointer (&self->fresh, ls_version_unref);
  g_clear_pointer (&self->search.offers, g_ptr_array_unref);
  ls_schedule_unref (self->search.schedule);
  g_free (self);
}

void
ls_offer_run_set_stopped (LsOfferRun *self,
                          const int  *stopped)
{
  self->search.stopped = stopped;
}

gboolean
ls_offer_run_step (LsOfferRun *self)
{
  if (self->search.sref == NULL || ls_moves_is_stopped (&self->search))
    return FALSE;
  if (!self->rest && ls_moves_offer_own (&self->search, self->part++))
    return TRUE;
  if (!self->rest)
    self->part = 0;
  self->rest = TRUE;
  return ls_moves_offer_rest (&self->search, self->part++);
}

GPtrArray *
ls_offer_run_finish (LsOfferRun *self)
{
  GPtrArray *offers;

  while (ls_offer_run_step (self))
    continue;
  offers = g_steal_pointer (&self->search.offers);
  g_ptr_array_sort (offers, compare_offers);
  ls_offer_run_free (self);
  return offers;
}

GPtrArray *
ls_schedule_offers (LsSchedule *self,
                    LsNode     *node,
                    const char *target)
{
  return ls_offer_run_finish (ls_offer_run_new (self, node, target));
}
