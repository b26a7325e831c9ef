/* session/step-handles: loops and blocks of a step as fields.
 *
 * Every loop (or block) of the program stands to choose; those for which the step is refused are left out, save the one
 * that the step has.  A choice that differs is written with lines that bind it anew.
 */
#include "app/session/step-params.h"

#include "app/session/history.h"

#include <glib/gi18n.h>
#include <string.h>
#include <time.h>

#define MOST_CANDIDATES 40
#define AT_ONCE 40000           /* tries times what the program has: they take no more than a frame */

/* ---- names -------------------------------------------------------------------- */

static const char *
block_below (LsVersion *version,
             guint      at)
{
  guint depth = ls_version_at (version, at)->depth;

  for (guint i = at + 1; i < ls_version_get_n (version); i++)
    {
      const LsEntity *entity = ls_version_at (version, i);

      if (entity->type == LS_ENTITY_BUFFER)
        continue;
      if (entity->depth <= depth)
        return NULL;
      if (entity->type == LS_ENTITY_BLOCK)
        return ls_entity_name (entity);
    }
  return NULL;
}

/* "j", or "j of C" when there is another j. (transfer full) */
static char *
label_of (LsVersion *version,
          guint      at)
{
  const LsEntity *entity = ls_version_at (version, at);
  const char *block = entity->type == LS_ENTITY_LOOP ? block_below (version, at) : NULL;
  guint same = 0;

  for (guint i = 0; i < ls_version_get_n (version); i++)
    same += ls_version_at (version, i)->type == entity->type && strcmp (ls_entity_name (ls_version_at (version, i)),
                                                                        ls_entity_name (entity)) == 0;
  if (same < 2 || block == NULL)
    return g_strdup (ls_entity_name (entity));
  return g_strdup_printf (_("%s of %s"), ls_entity_name (entity), block);
}

/* ---- choices ------------------------------------------------------------------- */

typedef struct {
  GPtrArray *labels;
  GPtrArray *nodes;
} Found;

/* How far the search for choices is: all fields first, each is tried with the others as they are. */
typedef struct _LsStepChoices {
  LsStepParams *params;         /* whose it is */
  LsSchedule   *named;          /* NULL: not known yet */
  LsVersion    *version;        /* of its `before` */
  GArray       *found;          /* of Found, one for each field that was begun */
  guint         at;             /* next candidate of the last of them */
  guint         tried;          /* of it */
} Work;

static gboolean
is_taken (Work *work)
{
  g_autofree char *text = ls_step_params_text (work->params);
  g_autoptr (LsSchedule) copy = ls_schedule_copy (work->named);
  g_autoptr (LsSource) source = ls_source_new ("step", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  ls_schedule_apply_text (copy, source, 0, diagnostics);
  return !ls_diagnostics_has_error (diagnostics);
}

/* Says `label` and `node` for the time of one try. */
static void
say (LsStepParam *param,
     const char  *own,
     LsNode      *own_node,
     const char  *label,
     LsNode      *node)
{
  const char *pair[] = { own, node != own_node ? label : NULL, NULL };
  char **choices = g_strdupv ((char **) pair);
  char *value = g_strdup (label);

  g_strfreev (param->choices);
  param->choices = choices;
  g_ptr_array_set_size (param->nodes, 0);
  g_ptr_array_add (param->nodes, own_node);
  g_ptr_array_add (param->nodes, node);
  g_free (param->value);
  param->value = value;
}

/* The field that has this node. */
static LsStepParam *
holder (Work        *work,
        LsStepParam *but,
        LsNode      *node)
{
  for (guint i = 0; i < work->params->params->len; i++)
    {
      LsStepParam *param = g_ptr_array_index (work->params->params, i);

      if (param != but && param->nodes != NULL && g_ptr_array_index (param->nodes, 0) == node)
        return param;
    }
  return NULL;
}

/* With the loop of another field the two change places. */
static gboolean
fits (Work        *work,
      LsStepParam *param,
      const char  *label,
      LsNode      *node)
{
  g_autofree char *own = g_strdup (param->choices[0]);
  LsNode *own_node = g_ptr_array_index (param->nodes, 0);
  LsStepParam *other = holder (work, param, node);
  g_autofree char *theirs = other != NULL ? g_strdup (other->choices[0]) : NULL;
  gboolean taken;

  say (param, own, own_node, label, node);
  if (other != NULL)
    say (other, theirs, node, own, own_node);
  taken = is_taken (work);
  say (param, own, own_node, own, own_node);
  if (other != NULL)
    say (other, theirs, node, theirs, node);
  return taken;
}

static void
begin_field (Work        *work,
             LsStepParam *param)
{
  Found found = { NULL, NULL };

  if (param->nodes != NULL)
    {
      found = (Found) { g_ptr_array_new_with_free_func (g_free), g_ptr_array_new () };
      g_ptr_array_add (found.labels, g_strdup (param->choices[0]));
      g_ptr_array_add (found.nodes, g_ptr_array_index (param->nodes, 0));
    }
  g_array_append_val (work->found, found);
  work->at = work->tried = 0;
}

/* Tries the next loop or block in the place of this one. FALSE: there is none. */
static gboolean
try_next (Work        *work,
          LsStepParam *param,
          Found       *found)
{
  guint own = (guint) ls_version_find_node (work->version, g_ptr_array_index (param->nodes, 0));
  const LsEntity *entity = ls_version_at (work->version, own);

  while (work->at < ls_version_get_n (work->version) && work->tried < MOST_CANDIDATES)
    {
      guint i = work->at++;
      const LsEntity *other = ls_version_at (work->version, i);
      g_autofree char *label = NULL;

      if (i == own || other->type != entity->type || other->func != entity->func ||
          (other->parent < 0 && other->type == LS_ENTITY_BLOCK))
        continue;
      work->tried++;
      label = label_of (work->version, i);
      if (fits (work, param, label, other->node))
        {
          g_ptr_array_add (found->labels, g_steal_pointer (&label));
          g_ptr_array_add (found->nodes, other->node);
        }
      return TRUE;
    }
  return FALSE;
}

static void
take_found (Work *work)
{
  for (guint i = 0; i < work->found->len; i++)
    {
      LsStepParam *param = g_ptr_array_index (work->params->params, i);
      Found *found = &g_array_index (work->found, Found, i);

      if (found->nodes == NULL)
        continue;
      g_strfreev (param->choices);
      g_ptr_array_add (found->labels, NULL);
      param->choices = (char **) g_ptr_array_free (g_steal_pointer (&found->labels), FALSE);
      g_ptr_array_unref (param->nodes);
      param->nodes = g_steal_pointer (&found->nodes);
    }
}

/* Does the next try. FALSE: there is none any more, and the fields have their choices. */
static gboolean
work_on (Work *work)
{
  GPtrArray *params = work->params->params;

  if (params->len == 0)
    return FALSE;
  if (work->found->len == 0)
    begin_field (work, g_ptr_array_index (params, 0));
  for (;;)
    {
      LsStepParam *param = g_ptr_array_index (params, work->found->len - 1);

      if (param->nodes != NULL && try_next (work, param, &g_array_index (work->found, Found, work->found->len - 1)))
        return TRUE;
      if (work->found->len == params->len)
        break;
      begin_field (work, g_ptr_array_index (params, work->found->len));
    }
  take_found (work);
  return FALSE;
}

static void
work_free (Work *work)
{
  for (guint i = 0; i < work->found->len; i++)
    {
      Found *found = &g_array_index (work->found, Found, i);

      g_clear_pointer (&found->labels, g_ptr_array_unref);
      g_clear_pointer (&found->nodes, g_ptr_array_unref);
    }
  g_array_unref (work->found);
  g_clear_pointer (&work->named, ls_schedule_unref);
  g_free (work);
}

static gint64
thread_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

gboolean
ls_step_params_find_choices (LsStepParams *self,
                             gint64        us)
{
  gint64 end = thread_us () + us;

  while (self->choosing != NULL && work_on (self->choosing))
    if (thread_us () >= end)
      return FALSE;
  g_clear_pointer (&self->choosing, work_free);
  return TRUE;
}

static void
add_handle (Work       *work,
            LsNode     *var,
            const char *name,
            guint      *number)
{
  LsNode *node = var != NULL && ls_is_var (var) ? ls_schedule_resolve (work->params->before, (LsVar *) var) : NULL;
  gint at = node != NULL && (ls_is (node, FOR) || ls_is (node, BLOCK)) ? ls_version_find_node (work->version, node) : -1;
  const char *none[] = { NULL };
  LsStepParam *param;

  if (at >= 0)
    {
      param = g_new0 (LsStepParam, 1);
      param->kind = LS_MOVE_PARAM_PLACE;
      param->param = G_MAXUINT - 1;
      param->item = (gint) *number;
      param->name = g_strdup (name);
      param->value = label_of (work->version, (guint) at);
      param->choices = g_strdupv ((char **) none);
      param->nodes = g_ptr_array_new ();
      say (param, param->value, node, param->value, node);
      g_ptr_array_add (work->params->params, param);
    }
  (*number)++;
}

static gboolean
takes_handles (LsParamType type)
{
  return type == LS_PARAM_BLOCK || type == LS_PARAM_LOOP || type == LS_PARAM_BLOCK_OR_LOOP || type == LS_PARAM_LOOPS;
}

void
ls_step_params_add_handles (LsStepParams *self,
                            LsSchedule   *before,
                            LsSchedule   *named,
                            const LsStep *step)
{
  const LsInstruction *row = self->instruction;
  Work *work = g_new0 (Work, 1);
  guint number = 0;

  work->params = self;
  work->version = ls_schedule_get_version (before, ls_schedule_get_n_steps (before));
  work->found = g_array_new (FALSE, FALSE, sizeof (Found));
  self->choosing = work;
  self->stop_choosing = work_free;

  self->before = ls_schedule_ref (before);
  for (guint p = 0; p < row->n_params && p < ls_array_n (step->args); p++)
    {
      LsNode *arg = step->args->items[p];

      if (!takes_handles (row->params[p].type) || arg == NULL)
        continue;
      if (!ls_is (arg, ARRAY))
        add_handle (work, arg, row->params[p].name, &number);
      for (guint i = 0; ls_is (arg, ARRAY) && (row->params[p].flags & LS_PARAM_VARIADIC) && i < ls_array_n ((LsArray *) arg); i++)
        {
          g_autofree char *name = g_strdup_printf (_("loop %u"), i + 1);

          add_handle (work, ((LsArray *) arg)->items[i], name, &number);
        }
    }
  if (named != NULL)
    ls_step_params_name_handles (self, named);
}

void
ls_step_params_name_handles (LsStepParams *self,
                             LsSchedule   *named)
{
  guint n = self->choosing != NULL ? ls_version_get_n (self->choosing->version) : 0;

  if (self->choosing == NULL || self->choosing->named != NULL)
    return;
  self->choosing->named = ls_schedule_ref (named);
  if ((guint64) self->params->len * MIN (MOST_CANDIDATES, n) * n <= AT_ONCE)
    ls_step_params_find_choices (self, G_MAXINT32);
}
