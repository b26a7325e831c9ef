/* session/move-item: an offer of the engine as an item of the list of moves: its words, its fields, what it would make.
 *
 * Every row keeps the Python text that does it.  What it would make is found by doing that text to a copy.
 */
#include "app/session/moves-private.h"

#include "views/models/format.h"

#include <glib/gi18n.h>

static GQuark
offer_quark (void)
{
  return g_quark_from_static_string ("ls-offer");
}

LsOffer *
ls_moves_row_get_offer (LsMoveItem *move)
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

/* "engine/schedule/legal/condition.c:447", or NULL. (transfer full) */
static char *
place_text (const char *file,
            guint       line)
{
  return file != NULL ? g_strdup_printf ("%s:%u", file, line) : NULL;
}

/* Applies `text` to a copy; FALSE with the reason, and the place of the check that has it, when it is refused. */
static gboolean
try_text (LsMoves     *self,
          const char  *text,
          Made        *made,
          char       **call,
          char       **reason,
          char       **place)
{
  LsHistoryNode *node = ls_document_get_node (self->document);
  guint from = ls_schedule_get_n_steps (node->schedule);
  g_autoptr (LsSchedule) copy = ls_schedule_copy (node->schedule);
  g_autoptr (LsSource) source = ls_source_new ("move", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsLineage) lineage = NULL;

  *made = (Made) { g_ptr_array_new_with_free_func (g_free), g_ptr_array_new_with_free_func (g_free) };
  ls_schedule_apply_text (copy, source, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    {
      const LsDiagnostic *finding = ls_history_finding (diagnostics, LS_SEVERITY_ERROR);

      if (reason != NULL)
        *reason = g_strdup (finding->message);
      if (place != NULL)
        *place = place_text (finding->checked_in, finding->checked_at);
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
preview_words (LsMoves *self,
               Made    *made)
{
  LsLoopItem *selected = ls_session_get_selected (self->session);
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
known_tag (LsMoves    *self,
           const char *call)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  guint child = ls_history_find_child (opened->history, opened->current, call);
  LsHistoryNode *node, *here;
  g_autofree char *tag = NULL, *speedup = NULL;

  if (child == LS_HISTORY_NONE)
    return NULL;
  node = ls_history_get (opened->history, child);
  here = ls_document_get_node (self->document);
  tag = ls_step_item_tag (node->item);
  if (node->time.samples == 0 || here->time.samples == 0)
    return g_strdup_printf (_("step %s"), tag);
  speedup = ls_format_speedup (here->time.median / node->time.median);
  return g_strdup_printf (_("step %s: %s"), tag, speedup);
}

gint64
ls_moves_extent (LsMoves *self)
{
  LsLoopItem *selected = ls_session_get_selected (self->session);

  return selected != NULL ? ls_loop_item_get (selected)->extent : -1;
}

LsStepParams *
ls_moves_row_get_params (LsMoveItem *move)
{
  return g_object_get_data (G_OBJECT (move), "ls-params");
}

void
ls_moves_row_take_params (LsMoveItem   *move,
                          LsStepParams *params)
{
  g_object_set_data_full (G_OBJECT (move), "ls-params", params, (GDestroyNotify) ls_step_params_free);
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
void
ls_moves_row_show_params (LsMoveItem   *move,
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
void
ls_moves_row_refresh (LsMoves    *self,
                      LsMoveItem *move)
{
  LsOffer *offer = ls_moves_row_get_offer (move);
  LsStepParams *params = ls_moves_row_get_params (move);
  LsMoveRecord record = *ls_move_item_get (move);
  g_autofree char *text = ls_step_params_text (params);
  g_autofree char *call = NULL, *preview = NULL, *reason = NULL, *tag = NULL, *place = NULL;
  Made made;

  record.group = !try_text (self, text, &made, &call, &reason, &place) ? LS_MOVE_CANNOT : offer->reason != NULL ? LS_MOVE_RISKY : LS_MOVE_CAN;
  preview = preview_words (self, &made);
  made_clear (&made);
  if (place == NULL && reason == NULL)
    place = place_text (offer->checked_in, offer->checked_at);
  record.source = place;
  if (call != NULL)
    record.call = call;
  tag = known_tag (self, record.call);
  g_free (offer->text);
  offer->text = g_steal_pointer (&text);
  record.reason = reason != NULL ? reason : what_to_say (offer);
  record.preview = preview;
  record.tag = tag;
  record.measurable = offer->factors != NULL && ls_moves_extent (self) > 0;
  ls_moves_row_show_params (move, params, &record);
}

LsMoveItem *
ls_moves_row_new_likely (LsOffer *offer)
{
  LsMoveItem *move = ls_move_item_new (&(LsMoveRecord) { .group = LS_MOVE_LIKELY, .call = offer->call, .name = offer->instruction->name, .reason = offer->effect });

  g_object_set_qdata_full (G_OBJECT (move), offer_quark (), offer, (GDestroyNotify) ls_offer_free);
  return move;
}

void
ls_moves_row_set_likely (LsMoveItem *move,
                         const char *figures,
                         const char *tag)
{
  LsOffer *offer = ls_moves_row_get_offer (move);
  g_autofree char *reason = g_strdup_printf ("%s %s", offer->effect, figures);

  ls_move_item_set (move, &(LsMoveRecord) { .group = LS_MOVE_LIKELY, .call = offer->call, .name = offer->instruction->name, .reason = reason, .tag = tag });
}

LsMoveItem *
ls_moves_row_new (LsMoves *self,
                  LsOffer *offer)
{
  LsMoveRecord record = { .group = group_of (offer), .call = offer->call,
                          .name = offer->instruction->name, .code = offer->code,
                          .reason = what_to_say (offer),
                          .repair = offer->repair };
  g_autofree char *tag = known_tag (self, offer->call);
  g_autofree char *place = place_text (offer->checked_in, offer->checked_at);
  g_autofree char *note = NULL;
  LsStepParams *params;
  LsMoveItem *move;

  record.tag = tag;
  record.source = place;
  if (offer->prepares)
    record.repair_note = note = g_strdup (_("2 steps"));
  move = ls_move_item_new (&record);
  g_object_set_qdata_full (G_OBJECT (move), offer_quark (), offer, (GDestroyNotify) ls_offer_free);
  params = offer->group == LS_OFFER_CAN ? ls_step_params_new (offer->text, ls_moves_extent (self)) : NULL;
  if (params == NULL)
    return move;
  ls_moves_row_take_params (move, params);
  if (offer->factors != NULL)
    ls_moves_row_refresh (self, move);
  else
    ls_moves_row_show_params (move, params, &record);
  return move;
}

void
ls_moves_row_refuse (LsMoveItem    *move,
                     LsDiagnostics *diagnostics)
{
  const LsDiagnostic *finding = ls_history_finding (diagnostics, LS_SEVERITY_ERROR);
  LsMoveRecord record = *ls_move_item_get (move);
  g_autofree char *place = finding != NULL ? place_text (finding->checked_in, finding->checked_at) : NULL;

  if (finding == NULL)
    return;
  record.reason = finding->message;
  record.source = place;
  ls_move_item_set (move, &record);
}

void
ls_moves_row_preview (LsMoves    *self,
                      const char *text)
{
  LsLoopItem *selected = ls_session_get_selected (self->session);
  Made made = { NULL, NULL };

  if (selected == NULL)
    return;
  if (text == NULL || !try_text (self, text, &made, NULL, NULL, NULL) || made.labels->len == 0)
    ls_loop_item_set_ghost (selected, NULL);
  else
    {
      g_ptr_array_add (made.labels, NULL);
      ls_loop_item_set_ghost (selected, (const char *const *) made.labels->pdata);
    }
  made_clear (&made);
}
