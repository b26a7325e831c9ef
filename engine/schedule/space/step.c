/* step: applying primitives by name. */
#include "engine/schedule/space/private.h"

#include <stdarg.h>
#include <string.h>

static guint
param_number (const LsInstruction *row,
              const char          *name)
{
  for (guint i = 0; i < row->n_params; i++)
    if (strcmp (row->params[i].name, name) == 0)
      return i;
  g_error ("%s has no parameter %s", row->name, name);
}

LsArray *
ls_space_step (LsSchedule    *schedule,
               LsDiagnostics *findings,
               const char    *name,
               ...)
{
  const LsInstruction *row = ls_instruction_get (name);
  g_autofree LsNode **args = g_new0 (LsNode *, row->n_params + 1);
  g_autofree gboolean *given = g_new0 (gboolean, row->n_params + 1);
  LsArray *outputs = NULL;
  const char *key;
  gboolean done;
  va_list list;

  va_start (list, name);
  while ((key = va_arg (list, const char *)) != NULL)
    {
      guint i = param_number (row, key);

      args[i] = va_arg (list, LsNode *);
      given[i] = TRUE;
    }
  va_end (list);
  for (guint i = 0; i < row->n_params; i++)
    if (!given[i])
      args[i] = ls_param_default (&row->params[i]);
  done = ls_schedule_apply (schedule, row, args, NULL, &outputs, findings);
  for (guint i = 0; i < row->n_params; i++)
    ls_node_unref (args[i]);
  if (!done)
    return NULL;
  return outputs != NULL ? outputs : ls_schedule_get_step (schedule, ls_schedule_get_n_steps (schedule) - 1)->outputs;
}

LsSref *
ls_space_place (LsSchedule *schedule,
                LsVar      *handle)
{
  LsNode *node = ls_schedule_resolve (schedule, handle);

  return node != NULL ? ls_state_sref (ls_schedule_get_state (schedule), node) : NULL;
}

LsSchedule *
ls_space_fork (LsSchedule *schedule)
{
  LsSchedule *copy = ls_schedule_copy (schedule);

  ls_schedule_set_seed (copy, ls_random_int (ls_schedule_random_state (schedule), 1, G_MAXINT));
  return copy;
}
