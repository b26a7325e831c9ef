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

/* Who hears of each place of the tree, in order: a list of decisions, a decision, a value, and their ends. `path` is where the list stands, NULL at the root. */
typedef struct {
  void (*list)     (gpointer data, gboolean end);
  void (*decision) (gpointer data, const LsTuneWorth *one, guint depth, gboolean end);
  void (*value)    (gpointer data, const LsTuneDecision *decision, const LsTuneValue *value, guint depth, gboolean end);
} Listener;

static void
walk (LsTuneTree     *tree,
      GArray         *path,
      guint           left,
      guint           depth,
      const Listener *listener,
      gpointer        data)
{
  g_autoptr (GArray) worth = ls_tune_tree_worth (tree, path);

  listener->list (data, FALSE);
  for (guint i = 0; i < worth->len; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      g_autoptr (GArray) values = NULL;

      if (path != NULL && one->share < LEAST_SHARE)
        break;
      values = ls_tune_tree_values (tree, path, &one->decision);
      listener->decision (data, one, depth, FALSE);
      for (guint v = 0; v < values->len; v++)
        {
          const LsTuneValue *value = &g_array_index (values, LsTuneValue, v);
          g_autoptr (GArray) below = ls_tune_tree_below (path, &one->decision, value->value);

          listener->value (data, &one->decision, value, depth, FALSE);
          if (left > 1)
            walk (tree, below, left - 1, depth + 1, listener, data);
          listener->value (data, &one->decision, value, depth, TRUE);
        }
      listener->decision (data, one, depth, TRUE);
    }
  listener->list (data, TRUE);
}

/* ---- as lines --------------------------------------------------------------------- */

static void
print_list (gpointer data,
            gboolean end)
{
}

static void
print_decision (gpointer           data,
                const LsTuneWorth *one,
                guint              depth,
                gboolean           end)
{
  g_autofree char *name = end ? NULL : ls_tune_decision_name (&one->decision);

  if (!end)
    printf ("%*s%3.0f %%  %s\n", (int) depth * 8, "", one->share * 100, name);
}

static void
print_value (gpointer              data,
             const LsTuneDecision *decision,
             const LsTuneValue    *value,
             guint                 depth,
             gboolean              end)
{
  g_autofree char *best = NULL, *median = NULL, *text = NULL;

  if (end)
    return;
  best = ls_cli_duration (value->best_seconds * 1e9);
  median = ls_cli_duration (value->median_seconds * 1e9);
  text = value_text (decision, value->value);
  printf ("%*s%8s  %4u %-8s  best %10s  median %10s  candidate %u\n", (int) depth * 8 + 4, "", text, value->n, value->n == 1 ? "program" : "programs", best, median,
          value->best + 1);
}

void
ls_cli_print_tuning_tree (LsTuneTree *tree,
                          guint       depth)
{
  static const Listener lines = { print_list, print_decision, print_value };
  guint n = ls_tune_tree_count (tree, NULL);

  if (n < LS_TUNE_WORTH_LEAST)
    printf ("\ndecisions: what each is worth is told after %d programs with a time, there are %u\n", LS_TUNE_WORTH_LEAST, n);
  else
    printf ("\ndecisions: the share of the spread that each explains, and the times of its values\n");
  walk (tree, NULL, depth, 0, &lines, NULL);
}

/* ---- as JSON ------------------------------------------------------------------------ */

static void
add_list (gpointer data,
          gboolean end)
{
  JsonBuilder *builder = data;

  if (end)
    {
      json_builder_end_array (builder);
      return;
    }
  ls_json_begin_array (builder, "decisions");
}

static void
add_decision (gpointer           data,
              const LsTuneWorth *one,
              guint              depth,
              gboolean           end)
{
  JsonBuilder *builder = data;
  g_autofree char *name = NULL;

  if (end)
    {
      json_builder_end_array (builder);
      json_builder_end_object (builder);
      return;
    }
  name = ls_tune_decision_name (&one->decision);
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "name", name);
  ls_json_put_double (builder, "share", one->share);
  ls_json_put_int (builder, "programs", one->n);
  ls_json_begin_array (builder, "values");
}

static void
add_value (gpointer              data,
           const LsTuneDecision *decision,
           const LsTuneValue    *value,
           guint                 depth,
           gboolean              end)
{
  JsonBuilder *builder = data;

  if (end)
    {
      json_builder_end_object (builder);
      return;
    }
  json_builder_begin_object (builder);
  ls_json_put_int (builder, "value", value->value);
  ls_json_put_int (builder, "programs", value->n);
  ls_json_put_double (builder, "best", value->best_seconds);
  ls_json_put_double (builder, "median", value->median_seconds);
  ls_json_put_int (builder, "candidate", value->best + 1);
}

void
ls_cli_add_tuning_tree (JsonBuilder *builder,
                        LsTuneTree  *tree,
                        guint        depth)
{
  static const Listener members = { add_list, add_decision, add_value };

  walk (tree, NULL, depth, 0, &members, builder);
}
