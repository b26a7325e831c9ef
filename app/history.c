/* history: nodes in a growing array, parents before children. */
#include "app/history.h"

#include "engine/schedule/moves.h"

#include <glib/gi18n.h>
#include <string.h>

struct _LsHistory
{
  GPtrArray *nodes;             /* of LsHistoryNode */
  GPtrArray *branches;          /* names, char * */
};

static void
node_free (gpointer data)
{
  LsHistoryNode *node = data;

  g_clear_pointer (&node->schedule, ls_schedule_unref);
  g_clear_object (&node->item);
  g_free (node->call);
  g_free (node->name);
  g_free (node->refused);
  g_free (node->warning);
  g_free (node->samples);
  g_free (node->trouble);
  g_free (node->conditions);
  g_free (node);
}

gboolean
ls_history_is_pure (const LsStep *step)
{
  return ls_step_is_pure (step);
}

guint
ls_history_get_n (LsHistory *self)
{
  return self->nodes->len;
}

LsHistoryNode *
ls_history_get (LsHistory *self,
                guint      id)
{
  g_return_val_if_fail (id < self->nodes->len, NULL);

  return g_ptr_array_index (self->nodes, id);
}

const LsDiagnostic *
ls_history_finding (LsDiagnostics *diagnostics,
                    LsSeverity     severity)
{
  for (guint i = 0; i < ls_diagnostics_get_n (diagnostics); i++)
    if (ls_diagnostics_get (diagnostics, i)->severity == severity)
      return ls_diagnostics_get (diagnostics, i);

  return NULL;
}

/* ---- growing -------------------------------------------------------------- */

static guint
begin_branch (LsHistory *self)
{
  g_ptr_array_add (self->branches,
                   g_strdup_printf (_("branch %u"), self->branches->len + 1));
  return self->branches->len - 1;
}

static LsHistoryNode *
add_node (LsHistory  *self,
          guint       parent,
          LsSchedule *schedule,
          const char *call,
          const char *name)
{
  LsHistoryNode *node = g_new0 (LsHistoryNode, 1);
  LsHistoryNode *above = self->nodes->len > 0 ? ls_history_get (self, parent) : NULL;

  node->id = self->nodes->len;
  node->parent = above != NULL ? parent : node->id;
  node->number = above != NULL ? above->number + 1 : 0;
  node->schedule = ls_schedule_ref (schedule);
  node->first_step = above != NULL ? ls_schedule_get_n_steps (above->schedule) : 0;
  node->call = g_strdup (call);
  node->name = g_strdup (name);
  node->last_child = LS_HISTORY_NONE;
  if (above != NULL)
    node->branch = ls_history_main_child (self, parent) == LS_HISTORY_NONE ? above->branch
                                                                          : begin_branch (self);
  g_ptr_array_add (self->nodes, node);
  node->item = ls_step_item_new (&(LsStepRecord) {
    .id = node->id, .parent = node->parent, .number = node->number, .prime = node->branch,
    .call = call, .name = name,
    .branch = g_ptr_array_index (self->branches, node->branch) });

  return node;
}

LsHistory *
ls_history_new (LsModule   *module,
                const char *title)
{
  LsHistory *self = g_new0 (LsHistory, 1);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);

  self->nodes = g_ptr_array_new_with_free_func (node_free);
  self->branches = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->branches, g_strdup (_("main")));
  add_node (self, 0, schedule, title, _("start"));
  return self;
}

void
ls_history_free (LsHistory *self)
{
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->branches);
  g_free (self);
}

/* Nodes for the steps that `fresh` has beyond node `at`; existing ones are taken where they say the same. */
static guint
adopt (LsHistory  *self,
       guint       at,
       LsSchedule *fresh)
{
  guint n = ls_schedule_get_n_steps (fresh);

  for (guint i = ls_schedule_get_n_steps (ls_history_get (self, at)->schedule); i < n; i++)
    {
      const LsStep *step = ls_schedule_get_step (fresh, i);
      g_autoptr (LsSchedule) until = NULL;
      g_autofree char *call = NULL;
      guint known;

      if (ls_step_is_pure (step))
        continue;
      call = ls_schedule_describe_step (fresh, i);
      known = ls_history_find_child (self, at, call);
      if (known != LS_HISTORY_NONE)
        {
          at = known;
          continue;
        }
      until = ls_schedule_copy (fresh);
      ls_schedule_undo_to (until, i + 1);
      at = add_node (self, at, until, call, step->instruction->name)->id;
    }

  return at;
}

guint
ls_history_apply (LsHistory     *self,
                  guint          at,
                  const char    *text,
                  LsDiagnostics *diagnostics)
{
  g_autoptr (LsSource) source = ls_source_new ("step", text, -1);
  g_autoptr (LsSchedule) fresh = ls_schedule_copy (ls_history_get (self, at)->schedule);
  const LsDiagnostic *warning;

  ls_schedule_apply_text (fresh, source, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    return LS_HISTORY_NONE;
  at = adopt (self, at, fresh);
  warning = ls_history_finding (diagnostics, LS_SEVERITY_WARNING);
  if (warning != NULL)
    {
      g_free (ls_history_get (self, at)->warning);
      ls_history_get (self, at)->warning = g_strdup (warning->message);
    }
  return at;
}

/* Call number `done` of the text, as written. */
static char *
refused_call (LsSource *source,
              guint     done)
{
  g_autoptr (LsDiagnostics) dropped = ls_diagnostics_new ();
  g_autoptr (LsCallList) calls = ls_script_parse_calls (source, dropped);
  const LsCallStep *step;
  g_autofree char *line = NULL;
  const char *call;

  if (done >= ls_call_list_get_n (calls))
    return g_strdup (_("the steps"));
  step = ls_call_list_get (calls, done);
  line = ls_source_line (source, step->line);
  call = strstr (line, "sch.");
  return g_strdup (g_strstrip ((char *) (call != NULL ? call + strlen ("sch.") : line)));
}

guint
ls_history_replay (LsHistory     *self,
                   guint          at,
                   LsSource      *source,
                   LsDiagnostics *diagnostics)
{
  g_autoptr (LsSchedule) fresh = ls_schedule_copy (ls_history_get (self, at)->schedule);
  g_autofree char *call = NULL;
  g_autofree char *name = NULL;
  LsHistoryNode *node;
  guint done;

  done = ls_schedule_apply_text (fresh, source, 0, diagnostics);
  at = adopt (self, at, fresh);
  if (!ls_diagnostics_has_error (diagnostics))
    return at;

  call = refused_call (source, done);
  name = g_strndup (call, strcspn (call, "("));
  node = add_node (self, at, ls_history_get (self, at)->schedule, call, name);
  node->refused = g_strdup (ls_history_finding (diagnostics, LS_SEVERITY_ERROR)->message);
  return at;
}

/* ---- paths ---------------------------------------------------------------- */

GArray *
ls_history_path_to (LsHistory *self,
                    guint      id)
{
  guint n = ls_history_get (self, id)->number + 1;
  GArray *path = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);

  g_array_set_size (path, n);
  for (guint i = n; i-- > 0;)
    {
      g_array_index (path, guint, i) = id;
      id = ls_history_get (self, id)->parent;
    }
  return path;
}

GArray *
ls_history_path (LsHistory *self,
                 guint      id)
{
  GArray *path = ls_history_path_to (self, id);

  for (;;)
    {
      LsHistoryNode *node = ls_history_get (self, id);

      id = node->last_child != LS_HISTORY_NONE ? node->last_child
                                               : ls_history_main_child (self, id);
      if (id == LS_HISTORY_NONE)
        return path;
      g_array_append_val (path, id);
    }
}

guint
ls_history_main_child (LsHistory *self,
                       guint      id)
{
  for (guint i = id + 1; i < self->nodes->len; i++)
    if (ls_history_get (self, i)->parent == id)
      return i;

  return LS_HISTORY_NONE;
}

guint
ls_history_find_child (LsHistory  *self,
                       guint       id,
                       const char *call)
{
  for (guint i = id + 1; i < self->nodes->len; i++)
    {
      LsHistoryNode *node = ls_history_get (self, i);

      if (node->parent == id && node->refused == NULL && strcmp (node->call, call) == 0)
        return i;
    }
  return LS_HISTORY_NONE;
}

void
ls_history_visit (LsHistory *self,
                  guint      id)
{
  while (id != 0)
    {
      LsHistoryNode *node = ls_history_get (self, id);

      ls_history_get (self, node->parent)->last_child = id;
      id = node->parent;
    }
}

/* ---- branches ------------------------------------------------------------- */

guint
ls_history_n_branches (LsHistory *self)
{
  return self->branches->len;
}

const char *
ls_history_branch_name (LsHistory *self,
                        guint      branch)
{
  return g_ptr_array_index (self->branches, branch);
}

void
ls_history_name_branch (LsHistory  *self,
                        guint       branch,
                        const char *name)
{
  g_free (g_ptr_array_index (self->branches, branch));
  g_ptr_array_index (self->branches, branch) = g_strdup (name);
}

guint
ls_history_branch_tip (LsHistory *self,
                       guint      branch,
                       guint     *n,
                       guint     *failed)
{
  guint tip = 0;

  *n = *failed = 0;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      LsHistoryNode *node = ls_history_get (self, i);

      if (node->branch != branch)
        continue;
      tip = i;
      *n += i > 0;
      *failed += node->refused != NULL;
    }
  return tip;
}

/* ---- what became of a loop ------------------------------------------------ */

static LsVersion *
version_of (LsHistory *self,
            guint      id)
{
  LsSchedule *schedule = ls_history_get (self, id)->schedule;

  return ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
}

/* Ids are unique along a path only: after a fork two branches give the same numbers. */
static gboolean
on_one_path (LsHistory *self,
             guint      a,
             guint      b)
{
  guint low = MIN (a, b), high = MAX (a, b);

  while (high > low)
    high = ls_history_get (self, high)->parent;
  return high == low;
}

static gboolean
shares_family (const LsEntity *a,
               const LsEntity *b)
{
  for (guint i = 0; i < a->n_families; i++)
    for (guint k = 0; k < b->n_families; k++)
      if (a->families[i] == b->families[k])
        return TRUE;

  return FALSE;
}

static gint
find_relative (LsVersion      *version,
               const LsEntity *entity)
{
  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      const LsEntity *other = ls_version_at (version, i);

      if (other->type != entity->type)
        continue;
      if (entity->type == LS_ENTITY_LOOP && shares_family (entity, other))
        return (gint) i;
      if (entity->type == LS_ENTITY_BLOCK && strcmp (((LsBlock *) entity->node)->name_hint,
                                                     ((LsBlock *) other->node)->name_hint) == 0)
        return (gint) i;
    }
  return -1;
}

guint64
ls_history_follow (LsHistory *self,
                   guint      from,
                   guint      to,
                   guint64    id)
{
  LsVersion *before = version_of (self, from), *after = version_of (self, to);
  gint at = id > 0 ? ls_version_find_id (before, (guint) (id - 1)) : -1;

  if (at >= 0 && on_one_path (self, from, to) && ls_version_find_id (after, (guint) (id - 1)) >= 0)
    return id;
  for (; at >= 0; at = ls_version_at (before, at)->parent)
    {
      gint relative = find_relative (after, ls_version_at (before, at));

      if (relative >= 0)
        return (guint64) ls_version_at (after, relative)->id + 1;
    }
  return 0;
}
