/* worth: what the decisions of trials are worth, for one that goes on and for one that is looked at. */
#include "app/search/search.h"

LsTuneTree *
ls_search_tree_of (GPtrArray *trials,
                   guint      n_designs)
{
  LsTuneTree *tree = ls_tune_tree_new ();

  for (guint i = 0; i < trials->len; i++)
    {
      LsSearchTrial *trial = trials->pdata[i];
      GArray *own = ls_tune_decisions_new ();

      if (n_designs > 1)
        ls_tune_decisions_add (own, LS_TUNE_DESIGN, NULL, 0, 1, trial->design == LS_TUNE_NO_DESIGN ? -1 : (gint64) trial->design);
      for (guint d = 0; d < trial->decisions->len; d++)
        {
          LsTuneDecision decision = g_array_index (trial->decisions, LsTuneDecision, d);

          decision.subject = g_strdup (decision.subject);
          g_array_append_val (own, decision);
        }
      ls_tune_tree_add (tree, own, trial->state == LS_TRIAL_MEASURED ? trial->median / 1e9 : -1);
    }
  return tree;
}

GArray *
ls_search_worth_of (GPtrArray *trials,
                    guint      n_designs)
{
  g_autoptr (LsTuneTree) tree = ls_search_tree_of (trials, n_designs);

  return ls_tune_tree_worth (tree, NULL);
}
