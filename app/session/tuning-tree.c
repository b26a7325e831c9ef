/* tuning-tree: what was drawn in words, and the tree of decisions as items of a list. */
#include "app/session/tuning-tree.h"

#include "views/models/tuning.h"

#include <glib/gi18n.h>

char *
ls_decision_words_name (const LsTuneDecision *decision)
{
  g_autofree char *subject = decision->nth > 0 ? g_strdup_printf ("%s (%u)", decision->subject, decision->nth + 1) : g_strdup (decision->subject);

  switch (decision->kind)
    {
    case LS_TUNE_DESIGN:
      return g_strdup (_("design"));
    case LS_TUNE_TILE:
      return decision->part + 1 == decision->n_parts ? g_strdup_printf (_("%s: innermost factor"), subject)
                                                     : g_strdup_printf (_("%s: factor %u of %u"), subject, decision->part + 1, decision->n_parts);
    case LS_TUNE_PLACE:
      return g_strdup_printf (_("where %s is computed"), subject);
    case LS_TUNE_CHOICE:
    case LS_TUNE_MARK:
      break;
    }
  return g_steal_pointer (&subject);
}

char *
ls_decision_words_value (const LsTuneDecision *decision)
{
  if (decision->kind == LS_TUNE_DESIGN)
    return ls_trial_family_letter (decision->value < 0 ? LS_TRIAL_NO_FAMILY : (guint) decision->value);
  if (decision->kind == LS_TUNE_PLACE && decision->value < 0)
    return g_strdup (decision->value == -1 ? _("at the root") : _("inlined"));
  return g_strdup_printf ("%" G_GINT64_FORMAT, decision->value);
}

/* ---- the tree of decisions --- */

/* A place in it is a path (LsTuneTree); that of a decision ends with it. */
static void
add_decisions (LsTuneTree *tree,
               GArray     *path,
               GPtrArray  *below)
{
  g_autoptr (GArray) worth = ls_tune_tree_worth (tree, path);

  for (guint i = 0; i < worth->len; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      g_autofree char *name = ls_decision_words_name (&one->decision);
      LsDecisionRecord record = { .kind = LS_DECISION_ITEM_DECISION, .name = name, .share = one->share, .n = one->n, .deeper = TRUE };

      g_ptr_array_add (below, ls_decision_item_new (&record, ls_tune_tree_below (path, &one->decision, 0), (GDestroyNotify) g_array_unref));
    }
}

static void
add_values (LsTuneTree *tree,
            GArray     *path,
            GPtrArray  *below)
{
  const LsTuneDecision *decision = &g_array_index (path, LsTuneDecision, path->len - 1);
  g_autoptr (GArray) above = ls_tune_decisions_new (), values = NULL;

  for (guint i = 0; i + 1 < path->len; i++)
    {
      LsTuneDecision step = g_array_index (path, LsTuneDecision, i);

      step.subject = g_strdup (step.subject);
      g_array_append_val (above, step);
    }
  values = ls_tune_tree_values (tree, above, decision);
  for (guint i = 0; i < values->len; i++)
    {
      const LsTuneValue *one = &g_array_index (values, LsTuneValue, i);
      LsTuneDecision drawn = *decision;
      g_autofree char *name = NULL;
      LsDecisionRecord record = { .kind = LS_DECISION_ITEM_VALUE, .n = one->n, .best = one->best_seconds, .median = one->median_seconds, .best_number = one->best + 1,
                                  .deeper = one->n >= LS_TUNE_WORTH_LEAST };

      drawn.value = one->value;
      record.name = name = ls_decision_words_value (&drawn);
      g_ptr_array_add (below, ls_decision_item_new (&record, ls_tune_tree_below (above, decision, one->value), (GDestroyNotify) g_array_unref));
    }
}

void
ls_tuning_tree_branch (LsTuneTree     *tree,
                       LsDecisionItem *above,
                       GPtrArray      *below)
{
  const LsDecisionRecord *record = above != NULL ? ls_decision_item_get (above) : NULL;

  if (tree == NULL || (record != NULL && record->kind == LS_DECISION_ITEM_NOTE))
    return;
  if (record != NULL && record->kind == LS_DECISION_ITEM_DECISION)
    add_values (tree, ls_decision_item_get_place (above), below);
  else
    add_decisions (tree, above != NULL ? ls_decision_item_get_place (above) : NULL, below);
  if (record != NULL && below->len == 0)
    {
      LsDecisionRecord note = { .kind = LS_DECISION_ITEM_NOTE, .name = _("Nothing else explains these times.") };

      g_ptr_array_add (below, ls_decision_item_new (&note, NULL, NULL));
    }
}
