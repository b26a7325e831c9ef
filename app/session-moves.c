/* session-moves: the offers of the engine as rows, their parameters, their preview.
 *
 * Every row keeps the Python text that does it; applying a row is applying that text
 * to the current node of the history.
 */
#include "app/engine-session-private.h"

#include "app/session-module.h"
#include "app/step-params.h"
#include "engine/schedule/moves.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define MOVES_TURN (16 * 1000)  /* µs */

static GQuark
offer_quark (void)
{
  return g_quark_from_static_string ("ls-offer");
}

static LsOffer *
offer_of (LsMoveItem *move)
{
  return g_object_get_qdata (G_OBJECT (move), offer_quark ());
}

/* What can be applied and still has a reason has a warning. */
static LsMoveGroup
group_of (const LsOffer *offer)
{
  switch (offer->group)
    {
    case LS_OFFER_CAN:
      return offer->reason != NULL ? LS_MOVE_RISKY : LS_MOVE_CAN;
    case LS_OFFER_WITH_CHANGE:
      return LS_MOVE_WITH_CHANGE;
    case LS_OFFER_CANNOT:
      return LS_MOVE_CANNOT;
    }

  return LS_MOVE_CANNOT;
}

/* The reason, also of a doubt (its heading says that it is one), else what the move does. */
static const char *
what_to_say (const LsOffer *offer)
{
  return offer->reason != NULL ? offer->reason : offer->effect;
}

/* ---- what a move would make ------------------------------------------------- */

typedef struct {
  GPtrArray *names;             /* "k_0" */
  GPtrArray *labels;            /* "k_0 32" */
} Made;

static void
made_clear (Made *made)
{
  g_clear_pointer (&made->names, g_ptr_array_unref);
  g_clear_pointer (&made->labels, g_ptr_array_unref);
}

static void
add_made (Made           *made,
          const LsEntity *entity)
{
  LsFor *loop = (LsFor *) entity->node;
  gint64 extent;

  if (entity->type != LS_ENTITY_LOOP)
    return;
  g_ptr_array_add (made->names, g_strdup (loop->loop_var->name));
  if (ls_as_int (loop->extent, &extent))
    g_ptr_array_add (made->labels, g_strdup_printf ("%s %" G_GINT64_FORMAT, loop->loop_var->name,
                                                    extent));
  else
    g_ptr_array_add (made->labels, g_strdup (loop->loop_var->name));
}

/* Applies `text` to a copy; FALSE with the reason when it is refused. */
static gboolean
try_text (LsEngineSession *self,
          const char      *text,
          Made            *made,
          char           **call,
          char           **reason)
{
  LsHistoryNode *node = ls_history_get (self->history, self->current);
  guint from = ls_schedule_get_n_steps (node->schedule);
  g_autoptr (LsSchedule) copy = ls_schedule_copy (node->schedule);
  g_autoptr (LsSource) source = ls_source_new ("move", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsLineage) lineage = NULL;

  *made = (Made) { g_ptr_array_new_with_free_func (g_free), g_ptr_array_new_with_free_func (g_free) };
  ls_schedule_apply_text (copy, source, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    {
      if (reason != NULL)
        *reason = g_strdup (ls_history_finding (diagnostics, LS_SEVERITY_ERROR)->message);
      return FALSE;
    }

  if (call != NULL && ls_schedule_get_n_steps (copy) > 0)
    *call = ls_schedule_describe_step (copy, ls_schedule_get_n_steps (copy) - 1);
  lineage = ls_schedule_lineage (copy, from, ls_schedule_get_n_steps (copy));
  for (guint i = 0; i < lineage->links->len; i++)
    {
      const LsLineageLink *link = &g_array_index (lineage->links, LsLineageLink, i);

      if (link->after >= 0 && (link->how == LS_LINEAGE_SPLIT || link->how == LS_LINEAGE_FUSED) &&
          (i == 0 || g_array_index (lineage->links, LsLineageLink, i - 1).after != link->after))
        add_made (made, ls_version_at (lineage->after, link->after));
    }
  return TRUE;
}

static char *
preview_words (LsEngineSession *self,
               Made            *made)
{
  LsLoopItem *selected = ls_session_get_selected (LS_SESSION (self));
  g_autofree char *names = NULL;

  if (made->names->len == 0 || selected == NULL)
    return NULL;
  g_ptr_array_add (made->names, NULL);
  names = g_strjoinv (", ", (char **) made->names->pdata);
  return g_strdup_printf ("%s → %s", ls_loop_item_get (selected)->name, names);
}

/* ---- rows ------------------------------------------------------------------- */

/* What the history knows of this move: it was done before, with that result. */
static char *
known_tag (LsEngineSession *self,
           const char      *call)
{
  guint child = ls_history_find_child (self->history, self->current, call);
  LsHistoryNode *node, *here;
  g_autofree char *tag = NULL, *speedup = NULL;

  if (child == LS_HISTORY_NONE)
    return NULL;
  node = ls_history_get (self->history, child);
  here = ls_history_get (self->history, self->current);
  tag = ls_step_item_tag (node->item);
  if (node->time.samples == 0 || here->time.samples == 0)
    return g_strdup_printf (_("step %s"), tag);
  speedup = ls_format_speedup (here->time.median / node->time.median);
  return g_strdup_printf (_("step %s: %s"), tag, speedup);
}

static gint64
selected_extent (LsEngineSession *self)
{
  LsLoopItem *selected = ls_session_get_selected (LS_SESSION (self));

  return selected != NULL ? ls_loop_item_get (selected)->extent : -1;
}

static LsStepParams *
params_of (LsMoveItem *move)
{
  return g_object_get_data (G_OBJECT (move), "ls-params");
}

/* The time of the chosen factor, when "Measure all" had it. (transfer full), or NULL */
static char *
known_time (LsMoveItem   *move,
            LsStepParams *params)
{
  GHashTable *times = g_object_get_data (G_OBJECT (move), "ls-times");
  LsStepParam *inner = params->params->len > 1 ? g_ptr_array_index (params->params, 1) : NULL;
  double *time = times != NULL && inner != NULL ? g_hash_table_lookup (times, inner->value) : NULL;

  return time != NULL ? ls_format_time (*time) : NULL;
}

/* Puts the fields into the record of a row. */
static void
show_params (LsMoveItem   *move,
             LsStepParams *params,
             LsMoveRecord *record)
{
  g_autoptr (GArray) shown = ls_step_params_shown (params);
  g_autofree char *exact = ls_step_params_product (params);
  g_autofree char *time = known_time (move, params);
  g_autofree char *product = time != NULL && exact != NULL ? g_strdup_printf ("%s\n%s", exact, time) : g_strdup (exact);

  record->params = (const LsMoveParam *) shown->data;
  record->n_params = shown->len;
  record->product = product;
  ls_move_item_set (move, record);
}

/* Works a row out again after its fields changed. */
static void
refresh_move (LsEngineSession *self,
              LsMoveItem      *move)
{
  LsOffer *offer = offer_of (move);
  LsStepParams *params = params_of (move);
  LsMoveRecord record = *ls_move_item_get (move);
  g_autofree char *text = ls_step_params_text (params);
  g_autofree char *call = NULL, *preview = NULL, *reason = NULL, *tag = NULL;
  Made made;

  record.group = !try_text (self, text, &made, &call, &reason) ? LS_MOVE_CANNOT : offer->reason != NULL ? LS_MOVE_RISKY : LS_MOVE_CAN;
  preview = preview_words (self, &made);
  made_clear (&made);
  if (call != NULL)
    record.call = call;
  tag = known_tag (self, record.call);
  g_free (offer->text);
  offer->text = g_steal_pointer (&text);
  record.reason = reason != NULL ? reason : what_to_say (offer);
  record.preview = preview;
  record.tag = tag;
  record.measurable = offer->factors != NULL && selected_extent (self) > 0;
  show_params (move, params, &record);
}

static LsMoveItem *
make_move (LsEngineSession *self,
           LsOffer         *offer)
{
  LsMoveRecord record = { .group = group_of (offer), .call = offer->call,
                          .name = offer->instruction->name, .code = offer->code,
                          .reason = what_to_say (offer),
                          .repair = offer->repair };
  g_autofree char *tag = known_tag (self, offer->call);
  g_autofree char *note = NULL;
  LsStepParams *params;
  LsMoveItem *move;

  record.tag = tag;
  if (offer->prepares)
    record.repair_note = note = g_strdup (_("2 steps"));
  move = ls_move_item_new (&record);
  g_object_set_qdata_full (G_OBJECT (move), offer_quark (), offer, (GDestroyNotify) ls_offer_free);
  params = offer->group == LS_OFFER_CAN ? ls_step_params_new (offer->text, selected_extent (self)) : NULL;
  if (params == NULL)
    return move;
  g_object_set_data_full (G_OBJECT (move), "ls-params", params, (GDestroyNotify) ls_step_params_free);
  if (offer->factors != NULL)
    refresh_move (self, move);
  else
    show_params (move, params, &record);
  return move;
}

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
    g_ptr_array_add (offering->moves, make_move (self, g_steal_pointer (&offering->offers->pdata[offering->at])));
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
static gboolean
is_offered (LsEngineSession *self,
            LsMoveItem      *move)
{
  return g_list_store_find (G_LIST_STORE (ls_session_get_moves (LS_SESSION (self))), move, NULL);
}

/* ---- an earlier step to edit ------------------------------------------------- */

static guint
edited_node (LsMoveItem *move)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (move), "ls-edited")) - 1;
}

/* Of the loop that the step of `node` is about: the first loop among its arguments. */
static gint64
step_extent (LsHistoryNode *node)
{
  guint n = ls_schedule_get_n_steps (node->schedule);
  const LsStep *step = n > node->first_step ? ls_schedule_get_step (node->schedule, n - 1) : NULL;
  g_autoptr (LsSchedule) before = NULL;
  gint64 extent = -1;

  if (step == NULL || !LS_HISTORY_DONE (node))
    return -1;
  before = ls_schedule_copy (node->schedule);
  ls_schedule_undo_to (before, n - 1);
  for (guint i = 0; i < ls_array_n (step->args); i++)
    {
      LsNode *arg = step->args->items[i];
      LsNode *thing = arg != NULL && ls_is_var (arg) ? ls_schedule_resolve (before, (LsVar *) arg) : NULL;

      if (thing != NULL && ls_is (thing, FOR))
        return ls_as_int (((LsFor *) thing)->extent, &extent) ? extent : -1;
    }
  return -1;
}

/* The loops and blocks of the step, with those that could stand in their place. */
static void
add_handles (LsEngineSession *self,
             LsHistoryNode   *node,
             LsStepParams    *params)
{
  guint n = ls_schedule_get_n_steps (node->schedule);
  g_autoptr (LsSchedule) before = NULL, named = NULL;

  if (n <= node->first_step || !LS_HISTORY_DONE (node))
    return;
  before = ls_schedule_copy (node->schedule);
  ls_schedule_undo_to (before, n - 1);
  named = ls_history_named (self->history, node->parent, ls_history_naming (self->history, node->id));
  ls_step_params_add_handles (params, before, named, ls_schedule_get_step (node->schedule, n - 1));
}

/* How far the later steps would get, in words; `replaced` stands for node `id`. FALSE: the step itself is refused. */
static gboolean
try_edit (LsEngineSession *self,
          guint            id,
          const char      *replaced,
          char           **call,
          char           **words)
{
  LsHistory *history = self->history;
  guint naming = ls_history_naming (history, id);
  g_autoptr (LsSchedule) fresh = ls_history_named (history, ls_history_get (history, id)->parent, naming);
  g_autoptr (LsSource) source = ls_source_new ("step", replaced, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  guint n = 0;

  ls_schedule_apply_text (fresh, source, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    {
      *words = g_strdup (ls_history_finding (diagnostics, LS_SEVERITY_ERROR)->message);
      return FALSE;
    }
  *call = ls_schedule_describe_step (fresh, ls_schedule_get_n_steps (fresh) - 1);
  while ((id = ls_history_main_child (history, id)) != LS_HISTORY_NONE)
    {
      g_autofree char *lines = ls_history_lines_in (history, id, naming);
      g_autoptr (LsSource) later = ls_source_new ("step", lines, -1);

      ls_schedule_apply_text (fresh, later, 0, diagnostics);
      if (ls_diagnostics_has_error (diagnostics))
        {
          *words = g_strdup_printf (_("Replay stops at step %u, %s: %s"), ls_history_get (history, id)->number,
                                    ls_history_get (history, id)->name,
                                    ls_history_finding (diagnostics, LS_SEVERITY_ERROR)->message);
          return TRUE;
        }
      n++;
    }
  *words = n == 0 ? g_strdup (_("No later step depends on it."))
                  : g_strdup_printf (ngettext ("The later step is replayed.", "All %u later steps are replayed.", n), n);
  return TRUE;
}

static void
refresh_edit (LsEngineSession *self,
              LsMoveItem      *move)
{
  LsStepParams *params = params_of (move);
  LsMoveRecord record = *ls_move_item_get (move);
  g_autofree char *text = ls_step_params_text (params);
  g_autofree char *words = NULL, *call = NULL;

  record.group = try_edit (self, edited_node (move), text, &call, &words) ? LS_MOVE_CAN : LS_MOVE_CANNOT;
  if (call != NULL)
    record.call = call;
  record.reason = words;
  show_params (move, params, &record);
}

LsMoveItem *
ls_engine_session_edit_step (LsSession *session,
                             guint      id)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autofree char *lines = NULL;
  LsHistoryNode *node;
  LsStepParams *params;
  LsMoveItem *move;

  if (self->history == NULL || id == 0 || id >= ls_history_get_n (self->history))
    return NULL;
  node = ls_history_get (self->history, id);
  lines = ls_history_lines_in (self->history, id, ls_history_naming (self->history, id));
  params = ls_step_params_new (lines, step_extent (node));
  if (params == NULL)
    return NULL;
  add_handles (self, node, params);
  move = ls_move_item_new (&(LsMoveRecord) { .group = LS_MOVE_CAN, .call = node->call, .name = node->name });
  g_object_set_data_full (G_OBJECT (move), "ls-params", params, (GDestroyNotify) ls_step_params_free);
  g_object_set_data (G_OBJECT (move), "ls-edited", GUINT_TO_POINTER (id + 1));
  refresh_edit (self, move);
  return move;
}

/* ---- wishes ----------------------------------------------------------------- */

static void
refuse (LsEngineSession *self,
        LsMoveItem      *move,
        LsDiagnostics   *diagnostics)
{
  const LsDiagnostic *finding = ls_history_finding (diagnostics, LS_SEVERITY_ERROR);
  LsMoveRecord record = *ls_move_item_get (move);

  if (finding == NULL)
    return;
  record.reason = finding->message;
  ls_move_item_set (move, &record);
}

static void
apply_edit (LsEngineSession *self,
            LsMoveItem      *move)
{
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autofree char *text = ls_step_params_text (params_of (move));
  guint id = ls_history_edit (self->history, edited_node (move), text, diagnostics);

  if (id == LS_HISTORY_NONE)
    refuse (self, move, diagnostics);
  else
    ls_engine_session_go (self, id);
}

void
ls_engine_session_apply (LsSession  *session,
                         LsMoveItem *move)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsOffer *offer = offer_of (move);
  guint id;

  if (self->history != NULL && edited_node (move) != LS_HISTORY_NONE)
    {
      apply_edit (self, move);
      return;
    }
  if (self->history == NULL || offer == NULL || !is_offered (self, move))
    return;
  id = ls_history_apply (self->history, self->current, offer->text, diagnostics);
  if (id == LS_HISTORY_NONE)
    refuse (self, move, diagnostics);
  else
    ls_engine_session_go (self, id);
}

void
ls_engine_session_repair (LsSession  *session,
                          LsMoveItem *move)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsOffer *offer = offer_of (move);
  guint id;

  if (self->history == NULL || offer == NULL || offer->repair_text == NULL || !is_offered (self, move))
    return;
  id = ls_history_apply (self->history, offer->replays ? 0 : self->current, offer->repair_text,
                         diagnostics);
  if (id == LS_HISTORY_NONE)
    refuse (self, move, diagnostics);
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
  LsStepParams *params = params_of (move);

  if (self->history == NULL || params == NULL || !ls_step_params_set (params, param, value))
    return;
  if (edited_node (move) != LS_HISTORY_NONE)
    refresh_edit (self, move);
  else if (is_offered (self, move))
    {
      refresh_move (self, move);
      ls_engine_session_preview (session, move);
    }
}

void
ls_engine_session_preview (LsSession  *session,
                           LsMoveItem *move)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsLoopItem *selected = ls_session_get_selected (session);
  LsOffer *offer = move != NULL && is_offered (self, move) ? offer_of (move) : NULL;
  Made made = { NULL, NULL };

  if (selected == NULL)
    return;
  if (offer == NULL || !LS_MOVE_GROUP_CAN (ls_move_item_get (move)->group) ||
      !try_text (self, offer->text, &made, NULL, NULL) || made.labels->len == 0)
    ls_loop_item_set_ghost (selected, NULL);
  else
    {
      g_ptr_array_add (made.labels, NULL);
      ls_loop_item_set_ghost (selected, (const char *const *) made.labels->pdata);
    }
  made_clear (&made);
}

static gboolean
is_measured (const LsOffer *offer)
{
  return offer->group == LS_OFFER_CAN && (offer->instruction->flags & LS_INSTRUCTION_SAMPLES) == 0;
}

GPtrArray *
ls_engine_session_choices (LsEngineSession *self,
                           LsMoveItem      *move)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  LsOffer *offer = offer_of (move);
  LsStepParams *params = params_of (move);

  if (offer == NULL || !is_measured (offer))
    return texts;
  if (offer->factors == NULL || params == NULL)
    g_ptr_array_add (texts, g_strdup (offer->text));
  for (guint i = 0; texts->len == i && offer->factors != NULL && params != NULL && i < offer->factors->len; i++)
    {
      g_autoptr (LsStepParams) other = ls_step_params_new (offer->text, selected_extent (self));
      g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, g_array_index (offer->factors, gint64, i));

      ls_step_params_set (other, other->params->len > 1 ? 1 : 0, value);
      g_ptr_array_add (texts, ls_step_params_text (other));
    }
  return texts;
}

/* ---- measuring all factors --------------------------------------------------- */

static void
variant_free (gpointer data)
{
  LsMoveVariant *variant = data;

  g_object_unref (variant->move);
  ls_schedule_unref (variant->schedule);
  g_free (variant);
}

GPtrArray *
ls_engine_session_variants (LsEngineSession *self,
                            LsMoveItem      *move)
{
  GPtrArray *variants = g_ptr_array_new_with_free_func (variant_free);
  LsOffer *offer = offer_of (move);
  LsEntity *entity = ls_session_find_entity (self->history, self->current,
                                             ls_session_get_selection (LS_SESSION (self)));
  LsHistoryNode *node = ls_history_get (self->history, self->current);
  gint64 extent = selected_extent (self);

  if (offer == NULL || offer->factors == NULL || entity == NULL || extent <= 0)
    return variants;
  for (guint i = 0; i < offer->factors->len; i++)
    {
      gint64 inner = g_array_index (offer->factors, gint64, i);
      g_autoptr (GString) text = g_string_new (NULL);
      g_autofree char *place = ls_schedule_place_text (node->schedule, entity->node, text);
      g_autoptr (LsSchedule) copy = ls_schedule_copy (node->schedule);
      g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
      g_autoptr (LsSource) source = NULL;
      LsMoveVariant *variant;

      if (place == NULL)
        return variants;
      g_string_append_printf (text, "sch.split(%s, factors=[None, %" G_GINT64_FORMAT "])\n", place, inner);
      source = ls_source_new ("move", text->str, -1);
      ls_schedule_apply_text (copy, source, 0, diagnostics);
      if (ls_diagnostics_has_error (diagnostics))
        continue;
      variant = g_new0 (LsMoveVariant, 1);
      variant->move = g_object_ref (move);
      variant->inner = inner;
      variant->schedule = g_steal_pointer (&copy);
      g_ptr_array_add (variants, variant);
    }
  return variants;
}

void
ls_engine_session_tell_move (LsEngineSession *self,
                             LsMoveItem      *move,
                             gint64           inner,
                             const char      *tag)
{
  LsStepParams *params = params_of (move);
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, inner);
  LsMoveRecord record;

  if (inner > 0 && params != NULL && ls_step_params_set (params, params->params->len > 1 ? 1 : 0, value))
    refresh_move (self, move);
  record = *ls_move_item_get (move);
  record.tag = tag;
  ls_move_item_set (move, &record);
}
