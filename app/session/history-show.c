/* session/history-show: what of a history its rows say: states, times, the fastest of each branch. */
#include "app/session/history-show.h"

#include "app/session/devices.h"

#include "engine/runtime/runtime.h"
#include "views/models/history-layout.h"

static guint
main_child (guint    id,
            gpointer data)
{
  return ls_history_main_child (data, id);
}

static LsStepState
state_of (LsHistoryNode *node,
          guint          measuring,
          const char    *device)
{
  if (node->refused != NULL)
    return LS_STEP_FAILED;
  if (node->id == measuring)
    return LS_STEP_RUNNING;
  if (node->trouble != NULL && device == NULL)
    return LS_STEP_FAILED;
  if (node->unreached)
    return LS_STEP_UNREACHED;
  if (device != NULL)
    return ls_device_notes_of (node->devices, device) != NULL ? LS_STEP_MEASURED : LS_STEP_UNMEASURED;
  if (node->stale)
    return LS_STEP_STALE;
  return node->time.samples > 0 ? LS_STEP_MEASURED : LS_STEP_UNMEASURED;
}

/* A branch as its nodes tell of it. */
typedef struct {
  guint best;                   /* its fastest measured node, LS_HISTORY_NONE when nothing is measured */
  guint tip;
  guint n;                      /* steps */
  guint n_failed;
} Branch;

/* What is shown as the time of a node: this machine's, or that of `device`. */
static LsStepTime
shown_time (LsHistoryNode *node,
            const char    *device)
{
  return device != NULL ? ls_device_note_time (ls_device_notes_of (node->devices, device)) : node->time;
}

/* It was measured with this program, and not before what is known now. */
static gboolean
counts (LsHistoryNode *node,
        const char    *device)
{
  return shown_time (node, device).samples > 0 && (device != NULL || !node->stale);
}

/* Of each branch. (transfer full) of Branch */
static GArray *
sum_up (LsHistory  *history,
        const char *device)
{
  GArray *branches = g_array_new (FALSE, TRUE, sizeof (Branch));

  g_array_set_size (branches, ls_history_n_branches (history));
  for (guint i = 0; i < branches->len; i++)
    g_array_index (branches, Branch, i).best = LS_HISTORY_NONE;
  for (guint i = 0; i < ls_history_get_n (history); i++)
    {
      LsHistoryNode *node = ls_history_get (history, i);
      Branch *branch = &g_array_index (branches, Branch, node->branch);

      branch->tip = i;
      branch->n += i > 0;
      branch->n_failed += !LS_HISTORY_DONE (node);
      if (i > 0 && counts (node, device) &&
          (branch->best == LS_HISTORY_NONE || shown_time (node, device).median < shown_time (ls_history_get (history, branch->best), device).median))
        branch->best = i;
    }
  return branches;
}

/* A device's result keeps no single samples: there the quartiles tell. */
static gboolean
is_noise (LsHistoryNode *root,
          LsHistoryNode *node,
          const char    *device)
{
  LsStepTime first = shown_time (root, device), second = shown_time (node, device);
  g_autoptr (LsTiming) a = NULL;
  g_autoptr (LsTiming) b = NULL;

  if (device != NULL)
    return root != node && first.q1 <= second.q3 && second.q1 <= first.q3;
  if (root == node || root->samples == NULL || node->samples == NULL)
    return FALSE;
  a = ls_timing_new (root->samples, (int) root->time.samples);
  b = ls_timing_new (node->samples, (int) node->time.samples);
  switch (ls_verdict_decide (a, b).kind)
    {
    case LS_VERDICT_FASTER:
    case LS_VERDICT_SLOWER:
      return FALSE;
    case LS_VERDICT_NO_DIFFERENCE:
    case LS_VERDICT_TOO_FEW:
      return TRUE;
    }

  return TRUE;
}

static void
update_item (LsHistory     *history,
             LsHistoryNode *node,
             GArray        *branches,
             LsMeasuring   *measuring,
             const char    *device)
{
  guint done, total, running = ls_measuring_get_node (measuring, &done, &total);
  LsHistoryNode *root = ls_history_get (history, 0);
  LsStepRecord record = *ls_step_item_get (node->item);
  g_autofree char *brief = ls_device_notes_brief (node->devices), *devices = ls_device_notes_words (node->devices);
  g_autofree char *here = node->conditions != NULL ? g_strjoin ("\n", node->conditions, node->counted, NULL) : NULL;
  g_autofree char *conditions = here != NULL && devices != NULL ? g_strjoin ("\n", here, devices, NULL) : g_strdup (here != NULL ? here : devices);

  record.call = node->call;
  record.name = node->name;
  record.branch = ls_history_branch_name (history, node->branch);
  record.prime = node->branch;
  record.state = state_of (node, running, device);
  record.done = record.state == LS_STEP_RUNNING ? done : 0;
  record.total = record.state == LS_STEP_RUNNING ? total : 0;
  record.reason = node->refused != NULL ? node->refused : node->trouble;
  record.conditions = conditions;
  record.device = brief;
  record.stops = node->refused != NULL;
  record.no_effect = !ls_history_has_effect (history, node->id);
  record.bookmark = node->bookmark;
  record.timing = shown_time (node, device);
  record.best = g_array_index (branches, Branch, node->branch).best == node->id && node->id != running;
  record.speedup = 0.0;
  record.no_difference = FALSE;
  if (counts (root, device) && counts (node, device) && record.timing.median > 0.0)
    {
      record.speedup = shown_time (root, device).median / record.timing.median;
      record.no_difference = is_noise (root, node, device);
    }
  ls_step_item_set (node->item, &record);
}

static GPtrArray *
branch_rows (const LsDocumentRecord *opened,
             GArray                 *branches)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  LsHistoryNode *current = ls_history_get (opened->history, opened->current);

  for (guint i = 0; i < branches->len; i++)
    {
      const Branch *branch = &g_array_index (branches, Branch, i);
      LsBranchRecord record = { .name = ls_history_branch_name (opened->history, i), .current = current->branch == i,
                                .tip = branch->tip, .n_steps = branch->n, .n_failed = branch->n_failed };

      if (branch->best != LS_HISTORY_NONE)
        record.best = shown_time (ls_history_get (opened->history, branch->best), opened->device).median;
      g_ptr_array_add (rows, ls_branch_item_new (&record));
    }
  return rows;
}

void
ls_history_show (LsSession   *session,
                 LsDocument  *document,
                 LsMeasuring *measuring)
{
  const LsDocumentRecord *opened = ls_document_get (document);
  LsHistory *history = opened->history;
  g_autoptr (GPtrArray) nodes = g_ptr_array_new ();
  g_autoptr (GPtrArray) rows = NULL;
  g_autoptr (GPtrArray) path = g_ptr_array_new ();
  g_autoptr (GArray) sums = sum_up (history, opened->device);
  g_autoptr (GPtrArray) branches = branch_rows (opened, sums);
  g_autoptr (GArray) ids = ls_history_path (history, opened->current);

  for (guint i = 0; i < ls_history_get_n (history); i++)
    {
      update_item (history, ls_history_get (history, i), sums, measuring, opened->device);
      g_ptr_array_add (nodes, ls_history_get (history, i)->item);
    }
  rows = ls_history_layout (nodes, main_child, history, opened->current);
  for (guint i = 0; i < ids->len; i++)
    g_ptr_array_add (path, ls_history_get (history, g_array_index (ids, guint, i))->item);
  ls_session_set_branches (session, branches);
  ls_session_set_history (session, rows, path, ls_history_get (history, opened->current)->item);
  ls_session_timing_changed (session);
}
