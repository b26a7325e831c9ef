/* session/history: nodes in a growing array, parents before children. */
#include "app/session/history-private.h"

#include "engine/schedule/moves/moves.h"
#include "engine/schedule/trace/trace.h"

#include <glib/gi18n.h>
#include <string.h>

void
ls_history_node_free (gpointer data)
{
  LsHistoryNode *node = data;

  if (node == NULL)
    return;
  g_clear_pointer (&node->schedule, ls_schedule_unref);
  g_clear_object (&node->item);
  g_free (node->call);
  g_free (node->name);
  g_free (node->refused);
  g_free (node->warning);
  g_free (node->samples);
  g_free (node->trouble);
  g_free (node->conditions);
  g_free (node->timed_for);
  g_free (node->counted);
  g_clear_pointer (&node->devices, g_ptr_array_unref);
  g_free (node->lines);
  g_free (node->digest);
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

void
ls_history_set_strict (LsHistory *self,
                       gboolean   strict)
{
  self->strict = strict;
  self->strict_default = ls_schedule_get_strict_default ();
}

/* The user may have chosen anew since. */
gboolean
ls_history_is_strict (LsHistory *self)
{
  if (self->strict_default != ls_schedule_get_strict_default ())
    ls_history_set_strict (self, ls_schedule_get_strict_default ());
  return self->strict;
}

LsHistoryNode *
ls_history_get (LsHistory *self,
                guint      id)
{
  LsHistoryNode *node;

  g_return_val_if_fail (id < self->nodes->len, NULL);

  node = g_ptr_array_index (self->nodes, id);
  if (!self->is_copy && node->schedule != NULL && ls_schedule_is_strict (node->schedule) != ls_history_is_strict (self))
    ls_schedule_set_strict (node->schedule, self->strict);
  return node;
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
                   ls_history_default_name (self->branches->len));
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

  self->nodes = g_ptr_array_new_with_free_func (ls_history_node_free);
  self->branches = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (self->branches, ls_history_default_name (0));
  ls_history_set_strict (self, ls_schedule_get_strict_default ());
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

/* ---- its text -------------------------------------------------------------- */

void
ls_history_set_lone (LsHistory *self,
                     gboolean   lone)
{
  self->lone = lone;
}

gboolean
ls_history_is_lone (LsHistory *self)
{
  return self->lone;
}

char *
ls_history_print (LsHistory    *self,
                  guint         id,
                  gboolean      whole,
                  LsSourceMap **map)
{
  LsModule *module = ls_schedule_get_module (ls_history_get (self, id)->schedule);
  LsScriptPrintOptions options = { .show_meta = whole };

  if (!self->lone || ls_array_n (module->global_vars) != 1)
    return ls_script_print (module, &options, map);
  options.function_name = ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint;
  return ls_script_print (ls_module_get (module, options.function_name), &options, map);
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

/* ---- single nodes --------------------------------------------------------- */

/* In the names of the printed trace. (transfer full) */
static char *
printed_lines (LsHistoryNode *node)
{
  GString *lines = g_string_new (NULL);

  for (guint i = node->first_step; node->id > 0 && i < ls_schedule_get_n_steps (node->schedule); i++)
    {
      g_autofree char *line = ls_schedule_print_step (node->schedule, i);

      g_string_append_printf (lines, "%s\n", line);
    }
  return g_string_free (lines, FALSE);
}

/* A node shares its steps with those before it: what they have no lines of yet is printed with it, else the lines of a long history
 * would cost its square. */
static void
print_way_to (LsHistory *self,
              guint      id)
{
  g_autoptr (GPtrArray) printed = NULL;
  LsHistoryNode *node = ls_history_get (self, id);
  guint first = node->first_step;

  for (guint up = node->parent; up > 0 && ls_history_get (self, up)->lines == NULL; up = ls_history_get (self, up)->parent)
    first = ls_history_get (self, up)->first_step;
  printed = ls_schedule_print_steps (node->schedule, first);
  do
    {
      GString *lines = g_string_new (NULL);

      node = ls_history_get (self, id);
      for (guint i = node->first_step; id > 0 && i < ls_schedule_get_n_steps (node->schedule); i++)
        g_string_append_printf (lines, "%s\n", (const char *) g_ptr_array_index (printed, i - first));
      if (node->lines == NULL)
        node->lines = g_string_free (lines, FALSE);
      else
        g_string_free (lines, TRUE);
      id = node->parent;
    }
  while (id > 0 && ls_history_get (self, id)->lines == NULL);
}

const char *
ls_history_lines (LsHistory *self,
                  guint      id)
{
  LsHistoryNode *node = ls_history_get (self, id);

  if (node->lines == NULL)
    print_way_to (self, id);
  return node->lines;
}

char *
ls_history_lines_in (LsHistory *self,
                     guint      id,
                     guint      naming)
{
  LsHistoryNode *node = ls_history_get (self, id);

  if (node->naming == naming || !LS_HISTORY_DONE (node))
    return g_strdup (ls_history_lines (self, id));
  return printed_lines (node);
}

/* That of the first later step which has another one: up to there all are done, and can be printed in it. */
guint
ls_history_naming (LsHistory *self,
                   guint      id)
{
  guint naming = ls_history_get (self, id)->naming;

  while (naming != 0 && (id = ls_history_main_child (self, id)) != LS_HISTORY_NONE)
    if (ls_history_get (self, id)->naming != naming)
      return 0;
  return naming;
}

guint
ls_history_new_naming (LsHistory *self)
{
  return ++self->n_namings;
}

LsHistoryNode *
ls_history_put_dead (LsHistory  *self,
          guint       parent,
          const char *lines,
          const char *call,
          const char *name)
{
  LsHistoryNode *above = ls_history_get (self, parent);
  LsHistoryNode *node = add_node (self, parent, above->schedule, call, name);

  node->lines = g_strdup (lines);
  node->unreached = above->refused != NULL || above->unreached;
  return node;
}

LsHistoryNode *
ls_history_put_done (LsHistory  *self,
          guint       parent,
          LsSchedule *schedule,
          const char *call,
          const char *name)
{
  guint n = ls_schedule_get_n_steps (schedule);
  g_autofree char *said = n > 0 ? ls_schedule_describe_step (schedule, n - 1) : NULL;

  return add_node (self, parent, schedule, said != NULL ? said : call,
                   n > 0 ? ls_schedule_get_step (schedule, n - 1)->instruction->name : name);
}

void
ls_history_keep_warning (LsHistoryNode *node,
              LsDiagnostics *diagnostics)
{
  const LsDiagnostic *warning = ls_history_finding (diagnostics, LS_SEVERITY_WARNING);

  if (warning == NULL)
    return;
  g_free (node->warning);
  node->warning = g_strdup (warning->message);
}

void
ls_history_keep_refusal (LsHistoryNode *node,
              LsDiagnostics *diagnostics)
{
  const LsDiagnostic *finding = ls_history_finding (diagnostics, LS_SEVERITY_ERROR);

  node->refused = g_strdup (finding->message);
  node->checked_in = finding->checked_in;
  node->checked_at = finding->checked_at;
}

LsSchedule *
ls_history_named (LsHistory *self,
                  guint      id,
                  guint      naming)
{
  LsSchedule *fresh = ls_schedule_new (ls_schedule_get_version (ls_history_get (self, 0)->schedule, 0)->module);
  g_autoptr (GArray) path = ls_history_path_to (self, id);
  g_autoptr (LsDiagnostics) dropped = ls_diagnostics_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (LsSource) source = NULL;

  for (guint i = 0; i < path->len; i++)
    {
      g_autofree char *lines = ls_history_lines_in (self, g_array_index (path, guint, i), naming);

      g_string_append (text, lines);
    }
  source = ls_source_new ("steps", text->str, -1);
  ls_schedule_set_strict (fresh, FALSE);
  ls_schedule_apply_text (fresh, source, 0, dropped);
  ls_schedule_set_strict (fresh, ls_history_is_strict (self));
  return fresh;
}

void
ls_history_keep_lines (LsHistoryNode *node,
            guint          naming,
            const char    *lines)
{
  if (naming == 0)
    return;
  g_free (node->lines);
  node->lines = g_strdup (lines);
  node->naming = naming;
}

guint
ls_history_add (LsHistory  *self,
                guint       parent,
                guint       naming,
                const char *lines,
                const char *call,
                const char *name)
{
  LsHistoryNode *above = ls_history_get (self, parent);
  g_autoptr (LsSource) source = ls_source_new ("step", lines, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsSchedule) fresh = NULL;
  LsHistoryNode *node;

  self->n_namings = MAX (self->n_namings, naming);
  if (above->refused != NULL || above->unreached)
    {
      node = ls_history_put_dead (self, parent, lines, call, name);
      ls_history_keep_lines (node, naming, lines);
      return node->id;
    }
  fresh = above->naming == naming ? ls_schedule_copy (above->schedule) : ls_history_named (self, parent, naming);
  ls_schedule_set_strict (fresh, FALSE);
  ls_schedule_apply_text (fresh, source, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    {
      node = ls_history_put_dead (self, parent, lines, call, name);
      ls_history_keep_refusal (node, diagnostics);
    }
  else
    {
      node = ls_history_put_done (self, parent, fresh, call, name);
      ls_history_keep_warning (node, diagnostics);
    }
  ls_history_keep_lines (node, naming, lines);
  return node->id;
}

void
ls_history_set_time (LsHistoryNode    *node,
                     const LsStepTime *time,
                     double           *samples,
                     const char       *conditions)
{
  g_free (node->samples);
  g_free (node->conditions);
  node->time = *time;
  node->samples = samples;
  node->conditions = g_strdup (conditions);
  node->stale = FALSE;
  g_clear_pointer (&node->timed_for, g_free);
}

/* Call number `i` of the list, as written: "fuse(i, k)". */
static char *
call_text (LsSource   *source,
           LsCallList *calls,
           guint       i)
{
  g_autofree char *line = ls_source_line (source, ls_call_list_get (calls, i)->line);
  const char *call = strstr (line, "sch.");

  return g_strdup (g_strstrip ((char *) (call != NULL ? call + strlen ("sch.") : line)));
}

/* A node for a call of a file that was refused, or comes after one; its text has the names of that file. */
static guint
add_refused (LsHistory  *self,
             guint       at,
             LsSource   *source,
             LsCallList *calls,
             guint       i)
{
  g_autofree char *call = i < ls_call_list_get_n (calls) ? call_text (source, calls, i) : g_strdup (_("the steps"));
  g_autofree char *name = g_strndup (call, strcspn (call, "("));
  g_autofree char *lines = g_strdup_printf ("sch.%s\n", call);

  return ls_history_put_dead (self, at, lines, call, name)->id;
}

static gboolean
is_primitive (const LsCallStep *call)
{
  const LsInstruction *row = ls_instruction_get (call->method);

  return row != NULL && (row->flags & LS_INSTRUCTION_PURE) == 0;
}

guint
ls_history_replay (LsHistory     *self,
                   guint          at,
                   LsSource      *source,
                   LsDiagnostics *diagnostics)
{
  g_autoptr (LsSchedule) fresh = ls_schedule_copy (ls_history_get (self, at)->schedule);
  g_autoptr (LsDiagnostics) dropped = ls_diagnostics_new ();
  g_autoptr (LsCallList) calls = NULL;
  guint done, stop, last;

  done = ls_schedule_apply_text (fresh, source, 0, diagnostics);
  at = adopt (self, at, fresh);
  if (!ls_diagnostics_has_error (diagnostics))
    return at;

  calls = ls_script_parse_calls (source, dropped);
  stop = last = add_refused (self, at, source, calls, done);
  ls_history_keep_refusal (ls_history_get (self, stop), diagnostics);
  for (guint i = done + 1; i < ls_call_list_get_n (calls); i++)
    if (is_primitive (ls_call_list_get (calls, i)))
      last = add_refused (self, last, source, calls, i);
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

gboolean
ls_history_has_effect (LsHistory *self,
                       guint      id)
{
  LsHistoryNode *node = ls_history_get (self, id);
  LsModule *before, *after;

  if (node->id == node->parent || !LS_HISTORY_DONE (node))
    return TRUE;
  if (node->effect == 0)
    {
      before = ls_schedule_get_module (ls_history_get (self, node->parent)->schedule);
      after = ls_schedule_get_module (node->schedule);
      node->effect = before == after || ls_structural_equal (before, after, FALSE, NULL, NULL) ? -1 : 1;
    }
  return node->effect > 0;
}

void
ls_history_prime (LsHistory *self)
{
  for (guint i = self->nodes->len; i-- > 0;)
    {
      ls_history_lines (self, i);
      ls_history_has_effect (self, i);
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

      if (node->parent == id && LS_HISTORY_DONE (node) && strcmp (node->call, call) == 0)
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

char *
ls_history_default_name (guint branch)
{
  return branch == 0 ? g_strdup (_("main")) : g_strdup_printf (_("branch %u"), branch + 1);
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

char *
ls_history_trace_json (LsHistory *self,
                       guint      id)
{
  g_autoptr (LsTrace) trace = ls_trace_of (ls_history_get (self, id)->schedule);

  return ls_trace_to_json (trace, FALSE);
}
