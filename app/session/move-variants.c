/* session/move-variants: a move with each of its factors: what measuring them all, and ranking all moves, tries. */
#include "app/session/moves-private.h"

#include "app/session/module.h"

static gboolean
is_measured (const LsOffer *offer)
{
  return offer->group == LS_OFFER_CAN && (offer->instruction->flags & LS_INSTRUCTION_SAMPLES) == 0;
}

GPtrArray *
ls_moves_choices (LsMoves    *self,
                  LsMoveItem *move)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  LsOffer *offer = ls_moves_row_get_offer (move);
  LsStepParams *params = ls_moves_row_get_params (move);

  if (offer == NULL || !is_measured (offer))
    return texts;
  if (offer->factors == NULL || params == NULL)
    g_ptr_array_add (texts, g_strdup (offer->text));
  for (guint i = 0; texts->len == i && offer->factors != NULL && params != NULL && i < offer->factors->len; i++)
    {
      g_autoptr (LsStepParams) other = ls_step_params_new (offer->text, ls_moves_extent (self));
      g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, g_array_index (offer->factors, gint64, i));

      ls_step_params_set (other, other->params->len > 1 ? 1 : 0, value);
      g_ptr_array_add (texts, ls_step_params_text (other));
    }
  return texts;
}

static void
variant_free (gpointer data)
{
  LsMoveVariant *variant = data;

  ls_schedule_unref (variant->schedule);
  g_free (variant);
}

GPtrArray *
ls_moves_variants (LsMoves    *self,
                   LsMoveItem *move)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  GPtrArray *variants = g_ptr_array_new_with_free_func (variant_free);
  LsOffer *offer = ls_moves_row_get_offer (move);
  LsEntity *entity = ls_session_find_entity (opened->history, opened->current, ls_session_get_selection (self->session));
  LsHistoryNode *node = ls_document_get_node (self->document);
  gint64 extent = ls_moves_extent (self);

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
      variant->inner = inner;
      variant->schedule = g_steal_pointer (&copy);
      g_ptr_array_add (variants, variant);
    }
  return variants;
}

void
ls_moves_tell (LsMoves    *self,
               LsMoveItem *move,
               gint64      inner,
               const char *tag)
{
  LsStepParams *params = ls_moves_row_get_params (move);
  g_autofree char *value = g_strdup_printf ("%" G_GINT64_FORMAT, inner);
  LsMoveRecord record;

  if (inner > 0 && params != NULL && ls_step_params_set (params, params->params->len > 1 ? 1 : 0, value))
    ls_moves_row_refresh (self, move);
  record = *ls_move_item_get (move);
  record.tag = tag;
  ls_move_item_set (move, &record);
}
