/* session/moves: which moves the selection has, worked out over several turns, and what is wished of them.
 *
 * Applying a row is applying its Python text to the current node of the history.
 */
#include "app/session/moves.h"

#include "app/session/module.h"

#define MOVES_TURN (16 * 1000)  /* µs */

/* A primitive for loops while a block is selected, or the other way round: no move of this place. */
static gboolean
is_for_other_places (const LsOffer *offer)
{
  return offer->code != NULL && g_str_has_suffix (offer->code, "/other-kind");
}

/* The moves of a large program are worked out over several turns, so that none holds the window up. */
struct _LsOffering
{
  LsOfferRun *run;              /* NULL: through, or nothing is selected */
  GPtrArray  *offers;           /* of LsOffer; those that have become rows are NULL */
  guint       at;
  GPtrArray  *moves;            /* of LsMoveItem */
};

static void
offer_free (gpointer offer)
{
  if (offer != NULL)
    ls_offer_free (offer);
}

static void
offering_free (LsOffering *self)
{
  g_clear_pointer (&self->run, ls_offer_run_free);
  g_clear_pointer (&self->offers, g_ptr_array_unref);
  g_ptr_array_unref (self->moves);
  g_free (self);
}

static LsOffering *
offering_new (LsEngineSession *self)
{
  LsOffering *offering = g_new0 (LsOffering, 1);
  LsEntity *entity = NULL;

  offering->moves = g_ptr_array_new_with_free_func (g_object_unref);
  if (self->history != NULL)
    entity = ls_session_find_entity (self->history, self->current, ls_session_get_selection (LS_SESSION (self)));
  if (entity != NULL)
    offering->run = ls_offer_run_new (ls_history_get (self->history, self->current)->schedule, entity->node, self->target);
  return offering;
}

/* One part of the offers, or one row. FALSE: all are there. */
static gboolean
offering_step (LsEngineSession *self,
               LsOffering      *offering)
{
  if (offering->run != NULL && ls_offer_run_step (offering->run))
    return TRUE;
  if (offering->run != NULL)
    {
      offering->offers = ls_offer_run_finish (g_steal_pointer (&offering->run));
      g_ptr_array_set_free_func (offering->offers, offer_free);
    }
  if (offering->offers == NULL || offering->at >= offering->offers->len)
    return FALSE;
  if (!is_for_other_places (g_ptr_array_index (offering->offers, offering->at)))
    g_ptr_array_add (offering->moves, ls_session_move_new (self, g_steal_pointer (&offering->offers->pdata[offering->at])));
  offering->at++;
  return TRUE;
}

/* Until so much time has gone (0: until the end). TRUE: the moves are shown. */
static gboolean
work_out_moves (LsEngineSession *self,
                gint64           budget)
{
  gint64 end = g_get_monotonic_time () + budget;
  gboolean more = TRUE;

  if (self->offering == NULL)
    self->offering = offering_new (self);
  while (more && (budget == 0 || g_get_monotonic_time () < end))
    more = offering_step (self, self->offering);
  if (more)
    return FALSE;
  ls_session_set_moves (LS_SESSION (self), self->offering->moves);
  g_clear_pointer (&self->offering, offering_free);
  return TRUE;
}

static gboolean
more_moves (gpointer data)
{
  LsEngineSession *self = data;

  if (!work_out_moves (self, MOVES_TURN))
    return G_SOURCE_CONTINUE;
  self->moves_due = 0;
  return G_SOURCE_REMOVE;
}

/* Frames come between the next turns; none shows the moves of another selection. */
static gboolean
moves_idle (gpointer data)
{
  LsEngineSession *self = data;
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  self->moves_due = 0;
  if (work_out_moves (self, MOVES_TURN))
    return G_SOURCE_REMOVE;
  ls_session_set_moves (LS_SESSION (self), none);
  self->moves_due = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, more_moves, self, NULL);
  return G_SOURCE_REMOVE;
}

static void
queue_moves (LsEngineSession *self,
             int              priority)
{
  if (self->offering != NULL)
    g_clear_handle_id (&self->moves_due, g_source_remove);
  g_clear_pointer (&self->offering, offering_free);
  if (self->moves_due == 0)
    self->moves_due = g_idle_add_full (priority, moves_idle, self, NULL);
}

/* Before the clock of the windows paints: no frame shows the moves of another selection. */
void
ls_engine_session_queue_moves (LsEngineSession *self)
{
  queue_moves (self, G_PRIORITY_HIGH_IDLE);
}

/* The document has none yet: the frame that shows it comes first. */
void
ls_engine_session_queue_first_moves (LsEngineSession *self)
{
  queue_moves (self, G_PRIORITY_DEFAULT_IDLE);
}

void
ls_engine_session_flush_moves (LsEngineSession *self,
                               gboolean         show)
{
  if (self->moves_due == 0)
    return;
  g_clear_handle_id (&self->moves_due, g_source_remove);
  if (show)
    work_out_moves (self, 0);
  g_clear_pointer (&self->offering, offering_free);
}

/* A row that was on its way out when it was clicked is about another selection. */
gboolean
ls_engine_session_offers (LsEngineSession *self,
                          LsMoveItem      *move)
{
  return g_list_store_find (G_LIST_STORE (ls_session_get_moves (LS_SESSION (self))), move, NULL);
}

/* ---- wishes ----------------------------------------------------------------- */

void
ls_engine_session_apply (LsSession  *session,
                         LsMoveItem *move)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsOffer *offer = ls_session_move_get_offer (move);
  guint id;

  if (self->history != NULL && ls_step_edit_get_node (move) != LS_HISTORY_NONE)
    {
      ls_step_edit_apply (self, move);
      return;
    }
  if (self->history == NULL || offer == NULL || !ls_engine_session_offers (self, move))
    return;
  id = ls_history_apply (self->history, self->current, offer->text, diagnostics);
  if (id == LS_HISTORY_NONE)
    ls_session_move_refuse (move, diagnostics);
  else
    ls_engine_session_go (self, id);
}

void
ls_engine_session_repair (LsSession  *session,
                          LsMoveItem *move)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsOffer *offer = ls_session_move_get_offer (move);
  guint id;

  if (self->history == NULL || offer == NULL || offer->repair_text == NULL || !ls_engine_session_offers (self, move))
    return;
  id = ls_history_apply (self->history, offer->replays ? 0 : self->current, offer->repair_text,
                         diagnostics);
  if (id == LS_HISTORY_NONE)
    ls_session_move_refuse (move, diagnostics);
  else
    ls_engine_session_go (self, id);
}

void
ls_engine_session_edit (LsSession  *session,
                        LsMoveItem *move,
                        guint       param,
                        const char *value)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsStepParams *params = ls_session_move_get_params (move);

  if (self->history == NULL || params == NULL || !ls_step_params_set (params, param, value))
    return;
  if (ls_step_edit_get_node (move) != LS_HISTORY_NONE)
    ls_step_edit_refresh (self, move);
  else if (ls_engine_session_offers (self, move))
    {
      ls_session_move_refresh (self, move);
      ls_engine_session_preview (session, move);
    }
}
