/* session/history-edit: see the header. */
#include "app/session/history-edit.h"

#include "app/session/history-private.h"

#include <glib/gi18n.h>

/* A later step. */
typedef struct {
  guint          id;
  guint          number;
  char          *lines;
  char          *call;
  char          *name;
  LsSchedule    *schedule;      /* with it; NULL: it was refused, not reached, or not kept */
  LsDiagnostics *found;         /* or NULL: nothing */
} Later;

struct _LsHistoryTrial
{
  guint          id;
  guint          naming;
  gboolean       strict;
  LsModule      *base;
  char          *before;        /* text of the steps before it; NULL: `named` is known */
  guint          n_before;
  char          *lines;
  GPtrArray     *later;         /* of Later */
  LsSchedule    *named;
  LsSchedule    *done;          /* with the step; NULL: it is refused */
  char          *call;
  LsDiagnostics *found;         /* of the step */
  guint          n_done;        /* of the later ones */
};

/* ---- what is to be done ------------------------------------------------------- */

static void
later_free (gpointer data)
{
  Later *self = data;

  g_free (self->lines);
  g_free (self->call);
  g_free (self->name);
  g_clear_pointer (&self->schedule, ls_schedule_unref);
  g_clear_pointer (&self->found, ls_diagnostics_unref);
  g_free (self);
}

static void
take_later (LsHistoryTrial *self,
            LsHistory      *history)
{
  guint id = self->id;

  while ((id = ls_history_main_child (history, id)) != LS_HISTORY_NONE)
    {
      LsHistoryNode *node = ls_history_get (history, id);
      Later *later = g_new0 (Later, 1);

      later->id = id;
      later->number = node->number;
      later->lines = ls_history_lines_in (history, id, self->naming);
      later->call = g_strdup (node->call);
      later->name = g_strdup (node->name);
      g_ptr_array_add (self->later, later);
    }
}

static void
take_before (LsHistoryTrial *self,
             LsHistory      *history)
{
  g_autoptr (GArray) path = ls_history_path_to (history, ls_history_get (history, self->id)->parent);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < path->len; i++)
    {
      g_autofree char *lines = ls_history_lines_in (history, g_array_index (path, guint, i), self->naming);

      g_string_append (text, lines);
    }
  self->before = g_string_free (text, FALSE);
  self->n_before = path->len - 1;
}

LsHistoryTrial *
ls_history_trial_new (LsHistory  *history,
                      guint       id,
                      const char *lines,
                      LsSchedule *named)
{
  LsHistoryTrial *self = g_new0 (LsHistoryTrial, 1);

  g_return_val_if_fail (id > 0, NULL);

  self->id = id;
  self->naming = ls_history_naming (history, id);
  self->strict = ls_history_is_strict (history);
  self->base = ls_ref (ls_schedule_get_version (ls_history_get (history, 0)->schedule, 0)->module);
  self->lines = g_strdup (lines);
  self->later = g_ptr_array_new_with_free_func (later_free);
  self->found = ls_diagnostics_new ();
  take_later (self, history);
  if (named != NULL)
    self->named = ls_schedule_ref (named);
  else
    take_before (self, history);
  return self;
}

void
ls_history_trial_free (LsHistoryTrial *self)
{
  ls_unref (self->base);
  g_free (self->before);
  g_free (self->lines);
  g_ptr_array_unref (self->later);
  g_clear_pointer (&self->named, ls_schedule_unref);
  g_clear_pointer (&self->done, ls_schedule_unref);
  g_free (self->call);
  ls_diagnostics_unref (self->found);
  g_free (self);
}

guint
ls_history_trial_n_steps (LsHistoryTrial *self)
{
  return self->n_before + 1 + self->later->len;
}

/* ---- doing it ------------------------------------------------------------------ */

/* As ls_history_named() has it. */
static LsSchedule *
do_before (LsHistoryTrial *self)
{
  LsSchedule *named = ls_schedule_new (self->base);
  g_autoptr (LsSource) source = ls_source_new ("steps", self->before, -1);
  g_autoptr (LsDiagnostics) dropped = ls_diagnostics_new ();

  ls_schedule_set_strict (named, FALSE);
  ls_schedule_apply_text (named, source, 0, dropped);
  ls_schedule_set_strict (named, self->strict);
  return named;
}

/* FALSE: refused. */
static gboolean
do_lines (LsSchedule    *schedule,
          const char    *lines,
          LsDiagnostics *found)
{
  g_autoptr (LsSource) source = ls_source_new ("step", lines, -1);

  ls_schedule_apply_text (schedule, source, 0, found);
  return !ls_diagnostics_has_error (found);
}

/* Steps that are there are done as they were: without what a new one has to obey. */
static void
do_later (LsHistoryTrial *self,
          gboolean        keep,
          GCancellable   *cancellable)
{
  g_autoptr (LsSchedule) fresh = ls_schedule_copy (self->done);

  ls_schedule_set_strict (fresh, FALSE);
  for (self->n_done = 0; self->n_done < self->later->len && !g_cancellable_is_cancelled (cancellable); self->n_done++)
    {
      Later *later = self->later->pdata[self->n_done];
      g_autoptr (LsDiagnostics) found = ls_diagnostics_new ();
      gboolean taken = do_lines (fresh, later->lines, found);

      if (ls_diagnostics_get_n (found) > 0)
        later->found = g_steal_pointer (&found);
      if (!taken)
        return;
      if (keep)
        later->schedule = ls_schedule_copy (fresh);
    }
}

void
ls_history_trial_run (LsHistoryTrial *self,
                      gboolean        keep,
                      GCancellable   *cancellable)
{
  g_autoptr (LsSchedule) fresh = NULL;

  if (self->named == NULL)
    self->named = do_before (self);
  fresh = ls_schedule_copy (self->named);
  if (!do_lines (fresh, self->lines, self->found))
    return;
  self->call = ls_schedule_describe_step (fresh, ls_schedule_get_n_steps (fresh) - 1);
  self->done = g_steal_pointer (&fresh);
  do_later (self, keep, cancellable);
}

/* ---- what came of it ------------------------------------------------------------ */

const char *
ls_history_trial_get_call (LsHistoryTrial *self)
{
  return self->call;
}

LsDiagnostics *
ls_history_trial_get_found (LsHistoryTrial *self)
{
  return self->found;
}

LsSchedule *
ls_history_trial_get_named (LsHistoryTrial *self)
{
  return self->named;
}

char *
ls_history_trial_words (LsHistoryTrial *self)
{
  guint n = self->later->len;
  const Later *stop = self->n_done < n ? self->later->pdata[self->n_done] : NULL;

  if (self->done == NULL)
    return g_strdup (ls_history_finding (self->found, LS_SEVERITY_ERROR)->message);
  if (stop != NULL && stop->found != NULL)
    return g_strdup_printf (_("Replay stops at step %u, %s: %s"), stop->number, stop->name,
                            ls_history_finding (stop->found, LS_SEVERITY_ERROR)->message);
  return n == 0 ? g_strdup (_("No later step depends on it."))
                : g_strdup_printf (ngettext ("The later step is replayed.", "All %u later steps are replayed.", n), n);
}

/* Times of a step that is no longer the one that was measured. */
static void
inherit_time (LsHistoryNode *node,
              LsHistoryNode *from)
{
  if (!LS_HISTORY_DONE (node) || from->time.samples == 0 || node->time.samples > 0)
    return;
  node->time = from->time;
  node->samples = g_memdup2 (from->samples, from->time.samples * sizeof (double));
  node->conditions = g_strdup (from->conditions);
  node->counted = g_strdup (from->counted);
  node->stale = TRUE;
}

static LsHistoryNode *
put_later (LsHistory *history,
           guint      parent,
           guint      naming,
           Later     *later)
{
  LsHistoryNode *node = later->schedule != NULL ? ls_history_put_done (history, parent, later->schedule, later->call, later->name)
                                                : ls_history_put_dead (history, parent, later->lines, later->call, later->name);

  if (later->schedule != NULL && later->found != NULL)
    ls_history_keep_warning (node, later->found);
  else if (later->found != NULL)
    ls_history_keep_refusal (node, later->found);
  ls_history_keep_lines (node, naming, later->lines);
  inherit_time (node, ls_history_get (history, later->id));
  return node;
}

guint
ls_history_trial_take (LsHistoryTrial *self,
                       LsHistory      *history)
{
  LsHistoryNode *old = ls_history_get (history, self->id), *node;
  guint edited, last = self->id, naming, at;

  if (self->done == NULL)
    return LS_HISTORY_NONE;
  edited = ls_history_find_child (history, old->parent, self->call);
  if (edited != LS_HISTORY_NONE)
    return edited;

  naming = self->naming > 0 ? self->naming : ls_history_new_naming (history);
  node = ls_history_put_done (history, old->parent, self->done, old->call, old->name);
  edited = at = node->id;
  ls_history_keep_lines (node, naming, self->lines);
  ls_history_keep_warning (node, self->found);
  inherit_time (node, old);
  for (guint i = 0; i < self->later->len; i++)
    {
      Later *later = self->later->pdata[i];

      at = put_later (history, at, naming, later)->id;
      last = later->id;
    }
  /* What was done since it was taken out. */
  while ((last = ls_history_main_child (history, last)) != LS_HISTORY_NONE)
    {
      LsHistoryNode *next = ls_history_get (history, last);
      g_autofree char *lines = ls_history_lines_in (history, last, self->naming);

      at = ls_history_add (history, at, naming, lines, next->call, next->name);
      inherit_time (ls_history_get (history, at), next);
    }
  ls_history_visit (history, at);
  return edited;
}
