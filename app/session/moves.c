/* session/moves: which moves the selection has, worked out beside the main loop, and what is wished of them.
 *
 * Applying a row is applying its Python text to the current node of the history.
 */
#include "app/session/moves-private.h"

#include "app/session/module.h"

#define PATIENCE (6 * 1000)     /* µs in which the moves of a small program are there: the next frame shows them */
#define MOVES_TURN (8 * 1000)   /* µs of one turn in which rows are made */

/* A primitive for loops while a block is selected, or the other way round: no move of this place. */
static gboolean
is_for_other_places (const LsOffer *offer)
{
  return offer->code != NULL && g_str_has_suffix (offer->code, "/other-kind");
}

/* ---- the thread ----------------------------------------------------------------- */

/* What can be done is found out by trying all of it on copies of the schedule, which share what never changes: in a thread of its own,
 * because a module of a thousand functions has seconds of it. */
struct _LsOffering
{
  gatomicrefcount refs;         /* the owner and the thread */
  GMutex      mutex;
  GCond       cond;
  gboolean    done;             /* `offers` are there; under the mutex */
  int         stopped;          /* nobody wants them any more; atomic */
  LsSchedule *schedule;         /* the thread's: a copy, the loop or block of it, what code is made for */
  LsNode     *node;
  char       *target;
  GPtrArray  *offers;           /* of LsOffer; those that have become rows are NULL */
  LsMoves    *owner;            /* the main thread's; NULL: gone */

  guint       at;               /* the main thread's, too: next offer */
  GPtrArray  *moves;            /* of LsMoveItem */
};

static void
offer_free (gpointer offer)
{
  if (offer != NULL)
    ls_offer_free (offer);
}

static void
offering_unref (LsOffering *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_clear_pointer (&self->schedule, ls_schedule_unref);
  g_free (self->target);
  g_clear_pointer (&self->offers, g_ptr_array_unref);
  g_ptr_array_unref (self->moves);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self);
}

static gboolean more_moves (gpointer data);

/* On the main loop, once the thread is through. */
static gboolean
offers_found (gpointer data)
{
  LsOffering *offering = data;
  LsMoves *self = offering->owner;

  if (self != NULL && self->offering == offering && self->due == 0)
    self->due = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, more_moves, self, NULL);
  return G_SOURCE_REMOVE;
}

static gpointer
find_offers (gpointer data)
{
  LsOffering *self = data;
  LsOfferRun *run = ls_offer_run_new (self->schedule, self->node, self->target);
  GPtrArray *offers;

  ls_offer_run_set_stopped (run, &self->stopped);
  offers = ls_offer_run_finish (run);
  g_ptr_array_set_free_func (offers, offer_free);
  g_mutex_lock (&self->mutex);
  self->offers = offers;
  self->done = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  g_idle_add_full (G_PRIORITY_DEFAULT, offers_found, self, (GDestroyNotify) offering_unref);
  return NULL;
}

/* Begins to look. */
static LsOffering *
offering_new (LsMoves *self)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsOffering *offering = g_new0 (LsOffering, 1);
  LsEntity *entity = NULL;

  g_atomic_ref_count_init (&offering->refs);
  g_mutex_init (&offering->mutex);
  g_cond_init (&offering->cond);
  offering->owner = self;
  offering->moves = g_ptr_array_new_with_free_func (g_object_unref);
  if (opened->history != NULL)
    entity = ls_session_find_entity (opened->history, opened->current, ls_session_get_selection (self->session));
  if (entity == NULL)
    {
      offering->done = TRUE;
      return offering;
    }
  offering->schedule = ls_schedule_copy (ls_document_get_node (self->document)->schedule);
  offering->node = entity->node;
  offering->target = g_strdup (opened->target);
  g_atomic_ref_count_inc (&offering->refs);
  g_thread_unref (g_thread_new ("moves", find_offers, offering));
  return offering;
}

/* Until the thread is through, or so much time has gone (-1: however long). */
static gboolean
offering_wait (LsOffering *self,
               gint64      patience)
{
  gint64 end = g_get_monotonic_time () + patience;
  gboolean done;

  g_mutex_lock (&self->mutex);
  while (!self->done && (patience < 0 || g_get_monotonic_time () < end))
    if (patience < 0)
      g_cond_wait (&self->cond, &self->mutex);
    else
      g_cond_wait_until (&self->cond, &self->mutex, end);
  done = self->done;
  g_mutex_unlock (&self->mutex);
  return done;
}

static void
drop_offering (LsMoves *self)
{
  if (self->offering == NULL)
    return;
  g_atomic_int_set (&self->offering->stopped, TRUE);
  self->offering->owner = NULL;
  g_clear_pointer (&self->offering, offering_unref);
}

/* ---- rows ------------------------------------------------------------------------ */

/* One row. FALSE: all are there. */
static gboolean
add_row (LsMoves    *self,
         LsOffering *offering)
{
  if (offering->offers == NULL || offering->at >= offering->offers->len)
    return FALSE;
  if (!is_for_other_places (g_ptr_array_index (offering->offers, offering->at)))
    g_ptr_array_add (offering->moves, ls_moves_row_new (self, g_steal_pointer (&offering->offers->pdata[offering->at])));
  offering->at++;
  return TRUE;
}

/* Rows of the offers that are there, until so much time has gone (-1: all of them). TRUE: the moves are shown. */
static gboolean
show_moves (LsMoves *self,
            gint64   budget)
{
  gint64 end = g_get_monotonic_time () + budget;
  LsOffering *offering = self->offering;
  g_autoptr (GPtrArray) list = NULL;
  gboolean more = TRUE;

  while (more && (budget < 0 || g_get_monotonic_time () < end))
    more = add_row (self, offering);
  if (more)
    return FALSE;
  list = ls_likely_moves (self);
  for (guint i = 0; i < offering->moves->len; i++)
    g_ptr_array_add (list, offering->moves->pdata[i]);
  g_atomic_ref_count_inc (&offering->refs);
  drop_offering (self);         /* who follows the list finds that nothing is due */
  ls_session_set_moves (self->session, list);
  offering_unref (offering);
  return TRUE;
}

static gboolean
more_moves (gpointer data)
{
  LsMoves *self = data;
  guint own = self->due;

  self->due = 0;                /* who follows the list may ask for others */
  if (show_moves (self, MOVES_TURN))
    return G_SOURCE_REMOVE;
  self->due = own;
  return G_SOURCE_CONTINUE;
}

/* Frames come between the next turns; none shows the moves of another selection. */
static gboolean
moves_idle (gpointer data)
{
  LsMoves *self = data;
  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  gboolean done;

  self->due = 0;
  self->offering = offering_new (self);
  done = offering_wait (self->offering, PATIENCE);
  if (done && show_moves (self, MOVES_TURN))
    return G_SOURCE_REMOVE;
  ls_session_set_moves (self->session, none);
  if (done && self->due == 0)           /* who follows the list may have asked for others */
    self->due = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, more_moves, self, NULL);
  return G_SOURCE_REMOVE;
}

static void
queue_moves (LsMoves *self,
             int      priority)
{
  if (self->offering != NULL)
    g_clear_handle_id (&self->due, g_source_remove);
  drop_offering (self);
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

gboolean
ls_moves_are_due (LsMoves *self)
{
  return self->due != 0 || self->offering != NULL;
}

void
ls_moves_flush (LsMoves  *self,
                gboolean  show)
{
  if (!ls_moves_are_due (self))
    return;
  g_clear_handle_id (&self->due, g_source_remove);
  if (show)
    {
      if (self->offering == NULL)
        self->offering = offering_new (self);
      offering_wait (self->offering, -1);
      show_moves (self, -1);
    }
  drop_offering (self);
}

/* A row that was on its way out when it was clicked is about another selection. */
static gboolean
offers (LsMoves    *self,
        LsMoveItem *move)
{
  return !ls_moves_are_due (self) && g_list_store_find (G_LIST_STORE (ls_session_watch_moves (self->session)), move, NULL);
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
    do_text (self, move, ls_likely_base (self, move), offer->text);
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

const char *
ls_moves_retarget (LsMoveItem *move)
{
  LsOffer *offer = ls_moves_row_get_offer (move);

  return offer != NULL ? offer->retarget : NULL;
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

  /* What begins at an earlier step makes nothing of the loops that are shown. */
  if (offer != NULL && (!LS_MOVE_GROUP_CAN (ls_move_item_get (move)->group) || ls_likely_base (self, move) != ls_document_get (self->document)->current))
    offer = NULL;
  ls_moves_row_preview (self, offer != NULL ? offer->text : NULL);
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
  ls_likely_drop (self);
  g_object_unref (self->document);
  g_free (self);
}
