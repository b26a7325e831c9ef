/* session/likely: what is likely to help the shown program, worked out in a thread.
 *
 * The rows are of the whole program, so they are worked out once for each and stay while the selection moves.  Estimates are those
 * of engine/advice with the measured peaks of this machine; before these are known there are none.  Where the program has a time the
 * ranges are put in relation to it.
 */
#include "app/session/moves-private.h"

#include "app/session/module.h"
#include "app/session/run.h"
#include "engine/advice/advice.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOST 5

struct _LsLikely
{
  gatomicrefcount refs;         /* the owner and the thread */
  LsMoves    *owner;            /* the main thread's; NULL: gone */
  LsModule   *module;           /* that it is of */
  LsSchedule *schedule;         /* the thread's: a copy */
  char       *func;
  double      seconds;          /* measured; 0: not */
  LsAdviceMachine machine;
  GPtrArray  *proposals;        /* of LsProposal; NULL: the thread is not through */
  GPtrArray  *rows;             /* the main thread's, of LsMoveItem */
};

static void
likely_unref (LsLikely *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  ls_unref (self->module);
  g_clear_pointer (&self->schedule, ls_schedule_unref);
  g_clear_pointer (&self->proposals, g_ptr_array_unref);
  g_ptr_array_unref (self->rows);
  g_free (self->func);
  g_free (self);
}

/* ---- rows ------------------------------------------------------------------- */

/* The primitive that gives the proposal its page of help: the last that it calls. */
static const LsInstruction *
instruction_of (const char *steps)
{
  g_auto (GStrv) lines = g_strsplit (steps, "\n", -1);

  for (guint i = g_strv_length (lines); i-- > 0;)
    {
      const char *call = strstr (lines[i], "sch.");
      g_autofree char *name = call != NULL ? g_strndup (call + 4, strcspn (call + 4, "(")) : NULL;
      const LsInstruction *row = name != NULL ? ls_instruction_get (name) : NULL;

      if (row != NULL)
        return row;
    }
  return NULL;
}

static void
add_row (LsLikely   *self,
         LsProposal *proposal)
{
  const LsInstruction *instruction = instruction_of (proposal->steps);
  LsOffer *offer;
  g_autofree char *low = ls_format_time (proposal->low);
  g_autofree char *high = ls_format_time (proposal->high);
  g_autofree char *estimate = g_strdup_printf (_("Estimate: %s to %s."), low, high);

  if (instruction == NULL)
    return;
  offer = g_new0 (LsOffer, 1);
  offer->group = LS_OFFER_CAN;
  offer->instruction = instruction;
  offer->call = g_strdup (proposal->title);
  offer->effect = g_strdup (proposal->why);
  offer->text = g_strdup (proposal->steps);
  g_ptr_array_add (self->rows, ls_moves_row_new_likely (offer, estimate));
}

/* The list as it is, with the rows before it. */
static void
show (LsLikely *self)
{
  GListModel *shown = ls_session_watch_moves (self->owner->session);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->rows->len; i++)
    g_ptr_array_add (list, g_object_ref (self->rows->pdata[i]));
  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      LsMoveItem *move = g_list_model_get_item (shown, i);

      if (ls_move_item_get (move)->group == LS_MOVE_LIKELY)
        g_object_unref (move);
      else
        g_ptr_array_add (list, move);
    }
  ls_session_set_moves (self->owner->session, list);
}

/* ---- the thread --------------------------------------------------------------- */

static gboolean
found (gpointer data)
{
  LsLikely *self = data;
  LsHistoryNode *node = self->owner != NULL ? ls_document_get_node (self->owner->document) : NULL;

  if (self->owner == NULL || self->owner->likely != self)
    return G_SOURCE_REMOVE;
  for (guint i = 0; i < self->proposals->len; i++)
    add_row (self, self->proposals->pdata[i]);
  /* Moves that are being worked out take the rows when they are shown. */
  if (node != NULL && ls_schedule_get_module (node->schedule) == self->module && self->owner->due == 0 && self->owner->offering == NULL && self->rows->len > 0)
    show (self);
  return G_SOURCE_REMOVE;
}

static gpointer
work (gpointer data)
{
  LsLikely *self = data;

  self->proposals = ls_advice_propose (self->schedule, self->func, &self->machine, self->seconds, NULL, MOST);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, found, self, (GDestroyNotify) likely_unref);
  return NULL;
}

/* ---- asked by the moves --------------------------------------------------------- */

void
ls_likely_drop (LsMoves *self)
{
  if (self->likely == NULL)
    return;
  self->likely->owner = NULL;
  g_clear_pointer (&self->likely, likely_unref);
}

static void
begin (LsMoves       *self,
       LsHistoryNode *node)
{
  LsModule *module = ls_schedule_get_module (node->schedule);
  const char *func = ls_run_function (module);
  LsLikely *likely;
  LsPeaks peaks;

  if (func == NULL || !ls_is (ls_module_get (module, func), PRIM_FUNC) || !ls_peaks_load (ls_host_cpu_name (), &peaks))
    return;
  likely = g_new0 (LsLikely, 1);
  g_atomic_ref_count_init (&likely->refs);
  likely->owner = self;
  likely->module = ls_ref (module);
  likely->schedule = ls_schedule_copy (node->schedule);
  likely->func = g_strdup (func);
  likely->seconds = node->time.samples > 0 ? node->time.median : 0.0;
  likely->rows = g_ptr_array_new_with_free_func (g_object_unref);
  ls_advice_machine_init (&likely->machine, &peaks, 0);
  self->likely = likely;
  g_atomic_ref_count_inc (&likely->refs);
  g_thread_unref (g_thread_new ("likely", work, likely));
}

GPtrArray *
ls_likely_moves (LsMoves *self)
{
  LsHistoryNode *node = ls_document_get_node (self->document);
  GPtrArray *list = g_ptr_array_new ();

  if (self->likely != NULL && (node == NULL || self->likely->module != ls_schedule_get_module (node->schedule)))
    ls_likely_drop (self);
  if (node == NULL)
    return list;
  if (self->likely == NULL)
    begin (self, node);
  for (guint i = 0; self->likely != NULL && i < self->likely->rows->len; i++)
    g_ptr_array_add (list, self->likely->rows->pdata[i]);
  return list;
}
