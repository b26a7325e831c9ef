/* session/moves: which moves the selection has, worked out over several turns, and what is wished of them.
 *
 * Applying a row is applying its Python text to the current node of the history.
 */
#include "app/session/moves-private.h"

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
offering_new (LsMoves *self)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsOffering *offering = g_new0 (LsOffering, 1);
  LsEntity *entity = NULL;

  offering->moves = g_ptr_array_new_with_free_func (g_object_unref);
  if (opened->history != NULL)
    entity = ls_session_find_entity (opened->history, opened->current, ls_session_get_selection (self->session));
  if (entity != NULL)
    offering->run = ls_offer_run_new (ls_document_get_node (self->document)->schedule, entity->node, opened->target);
  return offering;
}

/* One part of the offers, or one row. FALSE: all are there. */
static gboolean
offering_step (LsMoves    *self,
               LsOffering *offering)
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
    g_ptr_array_add (offering->moves, ls_moves_row_new (self, g_steal_pointer (&offering->offers->pdata[offering->at])));
  offering->at++;
  return TRUE;
}

/* Until so much time has gone (0: until the end). TRUE: the moves are shown. */
static gboolean
work_out_moves (LsMoves *self,
                gint64   budget)
{
  gint64 end = g_get_monotonic_time () + budget;
  gboolean more = TRUE;

  if (self->offering == NULL)
    self->offering = offering_new (self);
  while (more && (budget == 0 || g_get_monotonic_time () < end))
    more = offering_step (self, self->offering);
  if (more)
    return FALSE;
  ls_session_set_moves (self->session, self->offering->moves);
  g_clear_pointer (&self->offering, offering_free);
  return TRUE;
}

static gboolean
more_moves (gpointer data)
{
  LsMoves *self = data;

  if (!work_out_moves (self, MOVES_TURN))
    return G_SOURCE_CONTINUE;
  self->due = 0;
  return G_SOURCE_REMOVE;
}

/* Frames come between the next turns; none shows the moves of another selection. */
static gboolean
moves_idle (gpointer data)
{
  LsMoves *self = data;
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  self->due = 0;
  if (work_out_moves (self, MOVES_TURN))
    return G_SOURCE_REMOVE;
  ls_session_set_moves (self->session, none);
  self->due = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, more_moves, self, NULL);
  return G_SOURCE_REMOVE;
}

static void
queue_moves (LsMoves *self,
             int      priority)
{
  if (self->offering != NULL)
    g_clear_handle_id (&self->due, g_source_remove);
  g_clear_pointer (&self->offering, offering_free);
  if (self->due == 0)
    self->due = g_idle_add_full (priority, moves_idle, self, NULL);
}

/* Before the clock of the windows paints: no frame shows the moves of another selection. */
void
ls_moves_queue (LsMoves *self)
{
  queue_moves (self, G_PRIORITY_HIGH_IDLE);
}

/* The document has none yet: the frame that shows it comes first. */
void
ls_moves_queue_first (LsMoves *self)
{
  queue_moves (self, G_PRIORITY_DEFAULT_IDLE);
}

void
ls_moves_flush (LsMoves  *self,
                gboolean  show)
{
  if (self->due == 0)
    return;
  g_clear_handle_id (&self->due, g_source_remove);
  if (show)
    work_out_moves (self, 0);
  g_clear_pointer (&self->offering, offering_free);
}

/* A row that was on its way out when it was clicked is about another selection. */
static gboolean
offers (LsMoves    *self,
        LsMoveItem *move)
{
  return g_list_store_find (G_LIST_STORE (ls_session_get_moves (self->session)), move, NULL);
}

/* ---- wishes ----------------------------------------------------------------- */

/* Does `text` after node `at`; where it cannot be done the row says why. */
static void
do_text (LsMoves    *self,
         LsMoveItem *move,
         guint       at,
         const char *text)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  if (!ls_document_apply (self->document, at, text, diagnostics))
    ls_moves_row_refuse (move, diagnostics);
}

void
ls_moves_apply (LsMoves    *self,
                LsMoveItem *move)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsOffer *offer = ls_moves_row_get_offer (move);

  if (opened->history != NULL && ls_step_edit_get_node (move) != LS_HISTORY_NONE)
    ls_step_edit_apply (self, move);
  else if (opened->history != NULL && offer != NULL && offers (self, move))
    do_text (self, move, opened->current, offer->text);
}

void
ls_moves_repair (LsMoves    *self,
                 LsMoveItem *move)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsOffer *offer = ls_moves_row_get_offer (move);

  if (opened->history != NULL && offer != NULL && offer->repair_text != NULL && offers (self, move))
    do_text (self, move, offer->replays ? 0 : opened->current, offer->repair_text);
}

void
ls_moves_edit (LsMoves    *self,
               LsMoveItem *move,
               guint       param,
               const char *value)
{
  LsStepParams *params = ls_moves_row_get_params (move);

  if (ls_document_get_node (self->document) == NULL || params == NULL || !ls_step_params_set (params, param, value))
    return;
  if (ls_step_edit_get_node (move) != LS_HISTORY_NONE)
    ls_step_edit_refresh (self, move);
  else if (offers (self, move))
    {
      ls_moves_row_refresh (self, move);
      ls_moves_preview (self, move);
    }
}

void
ls_moves_preview (LsMoves    *self,
                  LsMoveItem *move)
{
  LsOffer *offer = move != NULL && offers (self, move) ? ls_moves_row_get_offer (move) : NULL;

  ls_moves_row_preview (self, offer != NULL && LS_MOVE_GROUP_CAN (ls_move_item_get (move)->group) ? offer->text : NULL);
}

/* ---- life ------------------------------------------------------------------- */

LsMoves *
ls_moves_new (LsSession  *session,
              LsDocument *document)
{
  LsMoves *self = g_new0 (LsMoves, 1);

  self->session = session;
  self->document = g_object_ref (document);
  return self;
}

void
ls_moves_free (LsMoves *self)
{
  ls_moves_flush (self, FALSE);
  g_object_unref (self->document);
  g_free (self);
}
