/* window/compare-actions: the actions of the compare page, and those that lead to it. */
#include "app/window/actions.h"

#include "app/window/file.h"
#include "app/window/private.h"

#define SESSION(data) ls_window_get_session (LS_WINDOW (data))

static void
compare_before (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  LsStepItem *current = ls_session_get_current (SESSION (data));

  if (current != NULL)
    ls_window_compare (data, ls_step_item_get (current)->parent, ls_step_item_get (current)->id);
}

static void
compare_file (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_compare_dialog (data);
}

/* The tips of this branch and of the one that it left. */
static void
compare_branches (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GListModel *branches = ls_session_get_branches (SESSION (data));
  guint tips[2] = { 0, 0 };

  for (guint i = 0; i < g_list_model_get_n_items (branches); i++)
    {
      g_autoptr (LsBranchItem) branch = g_list_model_get_item (branches, i);
      const LsBranchRecord *record = ls_branch_item_get (branch);

      if (i == 0)
        tips[0] = record->tip;
      else if (record->current || tips[1] == 0)
        tips[1] = record->tip;
    }
  ls_window_compare (data, tips[0], tips[1]);
}

static void
next_change (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_go_to_change (data, 1);
}

static void
previous_change (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_go_to_change (data, -1);
}

static void
one_column (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_window_toggle_column (data);
}

static void
measure_compared (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  guint ids[2];

  ls_window_get_compared (data, &ids[0], &ids[1]);
  for (guint i = 0; i < 2; i++)
    if (ids[i] != LS_COMPARE_FILE)
      ls_session_measure_step (SESSION (data), ids[i]);
}

static void
measure_machine (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ls_session_measure_machine (SESSION (data));
}

/* "": this machine's. */
static void
times_of (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *device = g_variant_get_string (parameter, NULL);

  ls_session_set_device (SESSION (data), *device != 0 ? device : NULL);
}

static void
try_results (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  guint left, right;

  if (!ls_window_shows_page (data, "compare"))
    return;
  ls_window_get_compared (data, &left, &right);
  ls_session_compare_results (SESSION (data), left, right);
}

/* What another page asks for: two nodes of the history. */
static void
compare_nodes (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       data)
{
  guint left, right;

  g_variant_get (parameter, "(uu)", &left, &right);
  ls_window_compare (data, left, right);
}

static const GActionEntry entries[] = {
  { .name = "compare-before", .activate = compare_before },
  { .name = "compare-branches", .activate = compare_branches },
  { .name = "compare-nodes", .activate = compare_nodes, .parameter_type = "(uu)" },
  { .name = "compare-file", .activate = compare_file },
  { .name = "measure-compared", .activate = measure_compared },
  { .name = "try-results", .activate = try_results },
  { .name = "measure-machine", .activate = measure_machine },
  { .name = "times-of", .parameter_type = "s", .activate = times_of },
  { .name = "next-change", .activate = next_change },
  { .name = "previous-change", .activate = previous_change },
  { .name = "one-column", .activate = one_column },
};

void
ls_window_add_compare_actions (LsWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
