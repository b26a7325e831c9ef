/* session/likely: what is likely to help the shown program, worked out in a thread, and what came of it where it was tried.
 *
 * The rows are of the whole program, so they are worked out once for each and stay while the selection moves.  Estimates are those
 * of engine/advice with the measured peaks of this machine; before these are known there are none.  Where the program has a time the
 * ranges are put in relation to it.
 */
#include "app/session/moves-private.h"

#include "app/session/advice-words.h"
#include "app/session/module.h"
#include "app/session/run.h"
#include "app/session/sizes.h"
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
  int         stopped;          /* nobody wants it any more; atomic */
  GPtrArray  *sizes;            /* of char: of symbolic extents */
  char       *said;             /* the same, as the document has it, or NULL */
  double      seconds;          /* measured; 0: not */
  LsAdviceMachine machine;
  char       *none;             /* why nothing is proposed, a sentence, or NULL */
  GPtrArray  *proposals;        /* of LsProposal; NULL: the thread is not through */
  GPtrArray  *rows;             /* the main thread's, of LsMoveItem: a row for each proposal */
  guint       bases[MOST];      /* nodes of the history behind which they are done */
  guint       nodes[MOST];      /* of the history where they were tried, or LS_HISTORY_NONE */
  double      seconds_of[MOST]; /* measured there, or 0 */
  guint       known;            /* nodes of the history that were looked at for that */
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
  g_clear_pointer (&self->sizes, g_ptr_array_unref);
  g_free (self->said);
  g_free (self->none);
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

/* The node that a proposal begins at, or NULL: the history knows none with that program (a pass lies between). */
static LsHistoryNode *
base_of (LsLikely   *self,
         LsProposal *proposal)
{
  LsHistory *history = ls_document_get (self->owner->document)->history;
  LsHistoryNode *node = ls_document_get_node (self->owner->document);
  LsModule *module = proposal->again ? ls_schedule_get_version (self->schedule, proposal->kept)->module : self->module;

  while (node != NULL && ls_schedule_get_module (node->schedule) != module)
    node = node->id > 0 ? ls_history_get (history, node->parent) : NULL;
  return node;
}

/* Under which it was tried: a node below its base with the program of the proposal; or NULL. */
static LsHistoryNode *
tried_node (LsLikely *self,
            guint     i)
{
  LsHistory *history = ls_document_get (self->owner->document)->history;
  LsHistoryNode *here = ls_history_get (history, self->bases[i]);
  LsModule *module = ls_schedule_get_module (((LsProposal *) self->proposals->pdata[i])->schedule);

  for (guint id = here->id + 1; id < ls_history_get_n (history); id++)
    {
      LsHistoryNode *node = ls_history_get (history, id), *above = node;

      while (above->id > here->id)
        above = ls_history_get (history, above->parent);
      if (above == here && LS_HISTORY_DONE (node) && ls_structural_equal (ls_schedule_get_module (node->schedule), module, FALSE, NULL, NULL))
        return node;
    }
  return NULL;
}

/* How it compares with the shown program: a factor, or that there is none. (transfer full) */
static char *
factor_of (LsHistoryNode *here,
           LsHistoryNode *node)
{
  g_autoptr (LsTiming) before = NULL;
  g_autoptr (LsTiming) after = NULL;
  LsVerdictKind kind;

  if (here->time.samples == 0 || here->stale)
    return NULL;
  before = ls_timing_new (here->samples, (int) here->time.samples);
  after = ls_timing_new (node->samples, (int) node->time.samples);
  kind = ls_verdict_decide (before, after).kind;
  return kind == LS_VERDICT_NO_DIFFERENCE || kind == LS_VERDICT_TOO_FEW ? g_strdup (_("no real difference")) : ls_format_speedup (here->time.median / node->time.median);
}

/* Estimate and measurement stay side by side. */
static void
set_figures (LsLikely *self,
             guint     i)
{
  LsProposal *proposal = self->proposals->pdata[i];
  LsHistoryNode *node = self->nodes[i] != LS_HISTORY_NONE ? ls_history_get (ls_document_get (self->owner->document)->history, self->nodes[i]) : NULL;
  LsHistoryNode *here = ls_document_get_node (self->owner->document);
  g_autofree char *low = ls_format_time (proposal->low), *high = ls_format_time (proposal->high);
  g_autofree char *estimate = proposal->high > 0.0 ? g_strdup_printf (_("Estimate: %s to %s."), low, high)
                                                   : g_strdup (_("No estimate until the program is measured: how often its loops run depends on data."));
  g_autofree char *time = NULL, *words = NULL, *tag = NULL;

  self->seconds_of[i] = 0.0;
  if (node != NULL && node->time.samples > 0 && !node->stale)
    {
      self->seconds_of[i] = node->time.median;
      time = ls_format_time_spread (node->time.median, (node->time.q3 - node->time.q1) / 2.0);
      words = g_strdup_printf (_("%s Measured: %s."), estimate, time);
      tag = factor_of (here, node);
    }
  else if (node != NULL && node->trouble != NULL)
    words = g_strdup_printf (_("%s Not measured: %s"), estimate, node->trouble);
  ls_moves_row_set_likely (self->rows->pdata[i], words != NULL ? words : estimate, tag);
}

static void
add_row (LsLikely      *self,
         LsProposal    *proposal,
         LsHistoryNode *base)
{
  const LsInstruction *instruction = instruction_of (proposal->steps);
  LsOffer *offer = g_new0 (LsOffer, 1);

  offer->group = LS_OFFER_CAN;
  offer->instruction = instruction;
  offer->call = ls_advice_say_title (&proposal->move);
  if (base != ls_document_get_node (self->owner->document))
    {
      g_autofree char *title = offer->call;

      /* TRANSLATORS: the second is a move, "Tile C: 4 x 16 sums in registers". */
      offer->call = g_strdup_printf (_("From step %u: %s"), base->number, title);
    }
  offer->effect = ls_advice_say_why (&proposal->move);
  offer->text = g_strdup (proposal->steps);
  self->bases[self->rows->len] = base->id;
  g_ptr_array_add (self->rows, ls_moves_row_new_likely (offer));
}

static gint
by_time (gconstpointer a,
         gconstpointer b,
         gpointer      data)
{
  LsLikely *self = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  double x = self->seconds_of[i] > 0.0 ? self->seconds_of[i] : G_MAXDOUBLE, y = self->seconds_of[k] > 0.0 ? self->seconds_of[k] : G_MAXDOUBLE;

  return x < y ? -1 : x > y ? 1 : (int) i - (int) k;
}

/* The rows in the order in which they are shown: the fastest measured first, then as they were proposed. (transfer container) */
static GPtrArray *
ranked (LsLikely *self)
{
  GPtrArray *list = g_ptr_array_new ();
  guint order[MOST];

  for (guint i = 0; i < self->rows->len; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint) self->rows->len, sizeof order[0], by_time, self);
  for (guint i = 0; i < self->rows->len; i++)
    g_ptr_array_add (list, self->rows->pdata[order[i]]);
  return list;
}

/* The list as it is, with the rows before it. */
static void
show (LsLikely *self)
{
  GListModel *shown = ls_session_watch_moves (self->owner->session);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) own = ranked (self);

  for (guint i = 0; i < own->len; i++)
    g_ptr_array_add (list, g_object_ref (own->pdata[i]));
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
is_of_shown (LsLikely *self)
{
  LsHistoryNode *node = self->owner != NULL ? ls_document_get_node (self->owner->document) : NULL;

  return node != NULL && self->owner->likely == self && ls_schedule_get_module (node->schedule) == self->module;
}

/* Of the program that is shown, and worked out. */
static gboolean
is_shown (LsLikely *self)
{
  return is_of_shown (self) && self->rows->len > 0;
}

/* Moves that are being worked out take the rows when they are shown. */
static void
show_now (LsLikely *self)
{
  if (self->owner->due == 0 && self->owner->offering == NULL)
    show (self);
}

/* What the history knows of them by now.  TRUE: another order, or other figures. */
static gboolean
look_up (LsLikely *self)
{
  LsHistory *history = ls_document_get (self->owner->document)->history;
  gboolean more = ls_history_get_n (history) != self->known, other = more;

  self->known = ls_history_get_n (history);
  for (guint i = 0; i < self->rows->len; i++)
    {
      LsHistoryNode *node = more ? tried_node (self, i) : self->nodes[i] != LS_HISTORY_NONE ? ls_history_get (history, self->nodes[i]) : NULL;
      double seconds = node != NULL && node->time.samples > 0 && !node->stale ? node->time.median : 0.0;

      self->nodes[i] = node != NULL ? node->id : LS_HISTORY_NONE;
      if (!more && seconds == self->seconds_of[i] && (node == NULL || node->trouble == NULL))
        continue;
      other |= self->seconds_of[i] != seconds;
      set_figures (self, i);
    }
  return other;
}

static gboolean
is_tried (LsLikely *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (self->nodes[i] != LS_HISTORY_NONE)
      return TRUE;
  return FALSE;
}

static gboolean
found (gpointer data)
{
  LsLikely *self = data;

  /* Another program is shown by now: the moves ask anew. */
  if (self->owner == NULL || self->owner->likely != self)
    return G_SOURCE_REMOVE;
  if (!is_of_shown (self))
    {
      ls_likely_drop (self->owner);
      return G_SOURCE_REMOVE;
    }
  for (guint i = self->proposals->len; i-- > 0;)
    if (instruction_of (((LsProposal *) self->proposals->pdata[i])->steps) == NULL || base_of (self, self->proposals->pdata[i]) == NULL)
      g_ptr_array_remove_index (self->proposals, i);
  for (guint i = 0; i < self->proposals->len; i++)
    add_row (self, self->proposals->pdata[i], base_of (self, self->proposals->pdata[i]));
  ls_session_set_likely_words (self->owner->session, self->rows->len > 0 ? NULL : self->none != NULL ? self->none
                                                     : _("Nothing that is known to help can be done to it as it is."));
  look_up (self);
  show_now (self);
  ls_session_why_changed (self->owner->session);
  return G_SOURCE_REMOVE;
}

static gpointer
work (gpointer data)
{
  LsLikely *self = data;

  self->proposals = ls_advice_propose (self->schedule, self->func, self->sizes, &self->machine, self->seconds, NULL, MOST);
  ls_advice_propose_earlier (self->proposals, self->schedule, self->func, self->sizes, &self->machine, NULL, MOST);
  if (self->proposals->len == 0)
    self->none = ls_advice_why_none (self->schedule, self->func, self->sizes, &self->machine);
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, found, self, (GDestroyNotify) likely_unref);
  return NULL;
}

/* ---- asked by the moves --------------------------------------------------------- */

void
ls_likely_drop (LsMoves *self)
{
  if (self->likely == NULL)
    return;
  ls_session_set_likely_words (self->session, NULL);
  self->likely->owner = NULL;
  g_atomic_int_set (&self->likely->stopped, TRUE);
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
  likely->sizes = ls_sizes_list (self->document);
  likely->said = g_strdup (ls_document_get (self->document)->sizes);
  likely->seconds = node->time.samples > 0 ? node->time.median : 0.0;
  likely->rows = g_ptr_array_new_with_free_func (g_object_unref);
  ls_advice_machine_init (&likely->machine, &peaks, 0);
  likely->machine.stopped = &likely->stopped;
  self->likely = likely;
  g_atomic_ref_count_inc (&likely->refs);
  g_thread_unref (g_thread_new ("likely", work, likely));
}

GPtrArray *
ls_likely_moves (LsMoves *self)
{
  LsHistoryNode *node = ls_document_get_node (self->document);
  GPtrArray *list = g_ptr_array_new ();

  if (self->likely != NULL && (node == NULL || self->likely->module != ls_schedule_get_module (node->schedule)
                               || g_strcmp0 (self->likely->said, ls_document_get (self->document)->sizes) != 0))
    ls_likely_drop (self);
  /* With a time the estimates are in relation to it; those that were tried stay beside what came of them. */
  if (self->likely != NULL && self->likely->rows->len > 0 && !is_tried (self->likely) && self->likely->seconds <= 0.0 && node->time.samples > 0)
    ls_likely_drop (self);
  if (node == NULL)
    return list;
  if (self->likely == NULL)
    begin (self, node);
  if (self->likely == NULL || !is_shown (self->likely))
    return list;
  look_up (self->likely);
  g_ptr_array_unref (list);
  return ranked (self->likely);
}

void
ls_likely_refresh (LsMoves *self)
{
  if (self->likely != NULL && is_shown (self->likely) && look_up (self->likely))
    show_now (self->likely);
}

guint
ls_likely_base (LsMoves    *self,
                LsMoveItem *move)
{
  guint i;

  if (self->likely != NULL && g_ptr_array_find (self->likely->rows, move, &i))
    return self->likely->bases[i];
  return ls_document_get (self->document)->current;
}

/* ---- tried ------------------------------------------------------------------------ */

GArray *
ls_likely_branch (LsMoves *self)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint));
  LsHistory *history = ls_document_get (self->document)->history;

  for (guint i = 0; self->likely != NULL && is_shown (self->likely) && i < self->likely->rows->len; i++)
    {
      g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
      LsOffer *offer = ls_moves_row_get_offer (self->likely->rows->pdata[i]);
      guint branches = ls_history_n_branches (history), base = self->likely->bases[i], id = ls_history_apply (history, base, offer->text, diagnostics);

      if (id == LS_HISTORY_NONE || id == base)
        continue;
      if (ls_history_n_branches (history) > branches)
        ls_history_name_branch (history, ls_history_get (history, id)->branch, offer->call);
      g_array_append_val (nodes, id);
    }
  if (nodes->len > 0)
    ls_document_changed (self->document);
  return nodes;
}

void
ls_likely_prefer (LsMoves *self)
{
  guint best = LS_HISTORY_NONE;
  double least = G_MAXDOUBLE;

  if (self->likely == NULL || !is_shown (self->likely))
    return;
  for (guint i = 0; i < self->likely->rows->len; i++)
    if (self->likely->nodes[i] != LS_HISTORY_NONE && self->likely->seconds_of[i] > 0.0 && self->likely->seconds_of[i] < least)
      {
        best = self->likely->nodes[i];
        least = self->likely->seconds_of[i];
      }
  if (best == LS_HISTORY_NONE)
    return;
  ls_history_visit (ls_document_get (self->document)->history, best);
  ls_document_changed (self->document);
}
