#include "app/cli/tuning-tree.h"

#include "app/cli/input.h"
#include "app/cli/remote.h"

#include "engine/base/json.h"

#define LEAST_SHARE 0.05        /* below the root: what explains less is left out */

/* (transfer full) */
static char *
value_text (const LsTuneDecision *decision,
            gint64                value)
{
  if (decision->kind == LS_TUNE_PLACE && value < 0)
    return g_strdup (value == -1 ? "root" : "inlined");
  if (decision->kind == LS_TUNE_DESIGN && value < 0)
    return g_strdup ("none");
  return g_strdup_printf ("%" G_GINT64_FORMAT, value);
}

static void
print_at (LsTuneTree *tree,
          GArray     *path,
          guint       depth,
          int         indent)
{
  g_autoptr (GArray) worth = ls_tune_tree_worth (tree, path);

  for (guint i = 0; i < worth->len; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      g_autofree char *name = ls_tune_decision_name (&one->decision);
      g_autoptr (GArray) values = ls_tune_tree_values (tree, path, &one->decision);

      if (path != NULL && one->share < LEAST_SHARE)
        break;
      printf ("%*s%3.0f %%  %s\n", indent, "", one->share * 100, name);
      for (guint v = 0; v < values->len; v++)
        {
          const LsTuneValue *value = &g_array_index (values, LsTuneValue, v);
          g_autofree char *best = ls_cli_duration (value->best_seconds * 1e9), *median = ls_cli_duration (value->median_seconds * 1e9);
          g_autofree char *text = value_text (&one->decision, value->value);
          g_autoptr (GArray) below = ls_tune_tree_below (path, &one->decision, value->value);

          printf ("%*s%8s  %4u %-8s  best %10s  median %10s  candidate %u\n", indent + 4, "", text, value->n, value->n == 1 ? "program" : "programs", best, median,
                  value->best + 1);
          if (depth > 1)
            print_at (tree, below, depth - 1, indent + 8);
        }
    }
}

void
ls_cli_print_tuning_tree (LsTuneTree *tree,
                          guint       depth)
{
  guint n = ls_tune_tree_count (tree, NULL);

  if (n < LS_TUNE_WORTH_LEAST)
    printf ("\ndecisions: what each is worth is told after %d programs with a time, there are %u\n", LS_TUNE_WORTH_LEAST, n);
  else
    printf ("\ndecisions: the share of the spread that each explains, and the times of its values\n");
  print_at (tree, NULL, depth, 0);
}

static void
add_at (JsonBuilder *builder,
        LsTuneTree  *tree,
        GArray      *path,
        guint        depth)
{
  g_autoptr (GArray) worth = ls_tune_tree_worth (tree, path);

  ls_json_begin_array (builder, "decisions");
  for (guint i = 0; i < worth->len; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      g_autofree char *name = ls_tune_decision_name (&one->decision);
      g_autoptr (GArray) values = ls_tune_tree_values (tree, path, &one->decision);

      if (path != NULL && one->share < LEAST_SHARE)
        break;
      json_builder_begin_object (builder);
      ls_json_put_text (builder, "name", name);
      ls_json_put_double (builder, "share", one->share);
      ls_json_put_int (builder, "programs", one->n);
      ls_json_begin_array (builder, "values");
      for (guint v = 0; v < values->len; v++)
        {
          const LsTuneValue *value = &g_array_index (values, LsTuneValue, v);
          g_autoptr (GArray) below = ls_tune_tree_below (path, &one->decision, value->value);

          json_builder_begin_object (builder);
          ls_json_put_int (builder, "value", value->value);
          ls_json_put_int (builder, "programs", value->n);
          ls_json_put_double (builder, "best", value->best_seconds);
          ls_json_put_double (builder, "median", value->median_seconds);
          ls_json_put_int (builder, "candidate", value->best + 1);
          if (depth > 1)
            add_at (builder, tree, below, depth - 1);
          json_builder_end_object (builder);
        }
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

void
ls_cli_add_tuning_tree (JsonBuilder *builder,
                        LsTuneTree  *tree,
                        guint        depth)
{
  add_at (builder, tree, NULL, depth);
}
