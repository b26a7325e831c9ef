/* session-moves: the offers of the engine as rows, their parameters, their preview.
 *
 * Every row keeps the Python text that does it; applying a row is applying that text
 * to the current node of the history.
 */
#include "app/engine-session-private.h"

#include "app/session-module.h"
#include "engine/schedule/moves.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

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

static LsMoveGroup
group_of (LsOfferGroup group)
{
  switch (group)
    {
    case LS_OFFER_CAN:
      return LS_MOVE_CAN;
    case LS_OFFER_WITH_CHANGE:
      return LS_MOVE_WITH_CHANGE;
    case LS_OFFER_CANNOT:
      return LS_MOVE_CANNOT;
    }

  return LS_MOVE_CANNOT;
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

static char **
divisor_texts (GArray *factors)
{
  GPtrArray *texts = g_ptr_array_new ();

  for (guint i = 0; i < factors->len; i++)
    g_ptr_array_add (texts, g_strdup_printf ("%" G_GINT64_FORMAT, g_array_index (factors, gint64, i)));
  g_ptr_array_add (texts, NULL);
  return (char **) g_ptr_array_free (texts, FALSE);
}

static gint64
selected_extent (LsEngineSession *self)
{
  LsLoopItem *selected = ls_session_get_selected (LS_SESSION (self));

  return selected != NULL ? ls_loop_item_get (selected)->extent : -1;
}

static char *
product_words (gint64 outer,
               gint64 inner,
               gint64 extent)
{
  if (extent < 0)
    return NULL;
  if (outer * inner == extent)
    return g_strdup_printf (_("= %" G_GINT64_FORMAT ", exact"), extent);
  return g_strdup_printf (_("= %" G_GINT64_FORMAT ", with a guard at %" G_GINT64_FORMAT),
                          outer * inner, extent);
}

static void
set_split (LsEngineSession *self,
           LsMoveItem      *move,
           gint64           outer,
           gint64           inner)
{
  LsOffer *offer = offer_of (move);
  LsMoveRecord record = *ls_move_item_get (move);
  LsLoopItem *selected = ls_session_get_selected (LS_SESSION (self));
  LsEntity *entity = ls_session_find_entity (self->history, self->current,
                                             ls_session_get_selection (LS_SESSION (self)));
  LsHistoryNode *node = ls_history_get (self->history, self->current);
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) divisors = divisor_texts (offer->factors);
  g_autofree char *outer_text = outer > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, outer)
                                          : g_strdup ("None");
  g_autofree char *inner_text = g_strdup_printf ("%" G_GINT64_FORMAT, inner);
  g_autofree char *place = NULL, *call = NULL, *product = NULL, *preview = NULL, *reason = NULL;
  g_autofree char *tag = NULL;
  LsMoveParam params[] = {
    { LS_MOVE_PARAM_FACTOR, _("outer"), outer_text, NULL },
    { LS_MOVE_PARAM_FACTOR, _("inner"), inner_text, (const char *const *) divisors },
  };
  gboolean extent_known = selected_extent (self) > 0;
  Made made;

  if (entity == NULL || selected == NULL)
    return;
  place = ls_schedule_place_text (node->schedule, entity->node, text);
  if (place == NULL)
    return;
  g_string_append_printf (text, "sch.split(%s, factors=[%s, %s])\n", place, outer_text, inner_text);
  call = g_strdup_printf ("split(%s, [%s, %s])", ls_loop_item_get (selected)->name, outer_text,
                          inner_text);
  record.group = try_text (self, text->str, &made, &reason) ? LS_MOVE_CAN : LS_MOVE_CANNOT;
  product = product_words (outer, inner, selected_extent (self));
  preview = preview_words (self, &made);
  tag = known_tag (self, call);
  made_clear (&made);
  g_free (offer->text);
  offer->text = g_strdup (text->str);
  record.call = call;
  record.reason = reason != NULL ? reason : offer->effect;
  record.product = product;
  record.preview = preview;
  record.tag = tag;
  record.params = params;
  record.n_params = G_N_ELEMENTS (params);
  record.measurable = extent_known;
  ls_move_item_set (move, &record);
}

/* The two numbers in "split(k, [32, 4])". */
static gboolean
split_numbers (const char *call,
               gint64     *outer,
               gint64     *inner)
{
  const char *list = strrchr (call, '[');

  if (list == NULL)
    return FALSE;
  *outer = g_ascii_strtoll (list + 1, NULL, 10);
  list = strchr (list, ',');
  *inner = list != NULL ? g_ascii_strtoll (list + 1, NULL, 10) : 0;
  return *inner > 0;
}

static LsMoveItem *
make_move (LsEngineSession *self,
           LsOffer         *offer)
{
  LsMoveRecord record = { .group = group_of (offer->group), .call = offer->call,
                          .name = offer->instruction->name, .code = offer->code,
                          .reason = offer->group == LS_OFFER_CAN || offer->reason == NULL
                                      ? offer->effect : offer->reason,
                          .repair = offer->repair };
  g_autofree char *tag = known_tag (self, offer->call);
  g_autofree char *note = NULL;
  LsMoveItem *move;
  gint64 outer, inner;

  record.tag = tag;
  if (offer->repair != NULL && g_str_has_prefix (offer->repair, "First "))
    record.repair_note = note = g_strdup (_("2 steps"));
  move = ls_move_item_new (&record);
  g_object_set_qdata_full (G_OBJECT (move), offer_quark (), offer, (GDestroyNotify) ls_offer_free);
  if (offer->group == LS_OFFER_CAN && offer->factors != NULL &&
      split_numbers (offer->call, &outer, &inner))
    set_split (self, move, outer, inner);
  return move;
}

/* A primitive for loops while a block is selected, or the other way round: no move of this place. */
static gboolean
is_for_other_places (const LsOffer *offer)
{
  return offer->code != NULL && g_str_has_suffix (offer->code, "/other-kind");
}

void
ls_engine_session_show_moves (LsEngineSession *self)
{
  LsSession *session = LS_SESSION (self);
  g_autoptr (GPtrArray) moves = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) offers = NULL;
  LsEntity *entity = NULL;

  if (self->history != NULL)
    entity = ls_session_find_entity (self->history, self->current,
                                     ls_session_get_selection (session));
  if (entity != NULL)
    offers = ls_schedule_offers (ls_history_get (self->history, self->current)->schedule,
                                 entity->node, self->target);
  for (guint i = offers != NULL ? offers->len : 0; i-- > 0;)
    if (is_for_other_places (g_ptr_array_index (offers, i)))
      g_ptr_array_remove_index (offers, i);
  for (guint i = 0; offers != NULL && i < offers->len; i++)
    g_ptr_array_add (moves, make_move (self, g_ptr_array_index (offers, i)));
  if (offers != NULL)
    g_ptr_array_set_free_func (offers, NULL);
  ls_session_set_moves (session, moves);
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

void
ls_engine_session_apply (LsSession  *session,
                         LsMoveItem *move)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsOffer *offer = offer_of (move);
  guint id;

  if (self->history == NULL || offer == NULL)
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

  if (self->history == NULL || offer == NULL || offer->repair_text == NULL)
    return;
  id = ls_history_apply (self->history, offer->replays ? 0 : self->current, offer->repair_text,
                         diagnostics);
  if (id == LS_HISTORY_NONE)
    refuse (self, move, diagnostics);
  else
    ls_engine_session_go (self, id);
}

static gint64
ceil_div (gint64 a,
          gint64 b)
{
  return (a + b - 1) / b;
}

void
ls_engine_session_edit (LsSession  *session,
                        LsMoveItem *move,
                        guint       param,
                        const char *value)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsOffer *offer = offer_of (move);
  gint64 extent = selected_extent (self);
  gint64 number = 0;

  if (offer == NULL || offer->factors == NULL ||
      !g_ascii_string_to_signed (value, 10, 1, G_MAXINT32, &number, NULL))
    return;
  if (param == 0)
    set_split (self, move, number, extent > 0 ? ceil_div (extent, number) : 1);
  else
    set_split (self, move, extent > 0 ? ceil_div (extent, number) : 0, number);
}

void
ls_engine_session_preview (LsSession  *session,
                           LsMoveItem *move)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsLoopItem *selected = ls_session_get_selected (session);
  LsOffer *offer = move != NULL ? offer_of (move) : NULL;
  Made made = { NULL, NULL };

  if (selected == NULL)
    return;
  if (offer == NULL || ls_move_item_get (move)->group != LS_MOVE_CAN ||
      !try_text (self, offer->text, &made, NULL) || made.labels->len == 0)
    ls_loop_item_set_ghost (selected, NULL);
  else
    {
      g_ptr_array_add (made.labels, NULL);
      ls_loop_item_set_ghost (selected, (const char *const *) made.labels->pdata);
    }
  made_clear (&made);
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
  gint64 extent = selected_extent (self);
  LsMoveRecord record;

  if (inner > 0 && extent > 0)
    set_split (self, move, ceil_div (extent, inner), inner);
  record = *ls_move_item_get (move);
  record.tag = tag;
  ls_move_item_set (move, &record);
}
