/* argument: what a move is given: are its handles alive, and which of its arguments does the trace keep in another form?
 */
#include "engine/schedule/step/move.h"

/* The first `n` steps without those that only ask: how the window and the CLI number steps. */
static guint
changes_among (LsSchedule *schedule,
               guint       n)
{
  guint changes = 0;

  for (guint i = 0; i < n; i++)
    changes += (ls_schedule_get_step (schedule, i)->instruction->flags & LS_INSTRUCTION_PURE) == 0;
  return changes;
}

static gboolean
handle_is_alive (LsMove        *move,
                 const LsParam *param,
                 LsNode        *arg,
                 LsDiagnostics *diagnostics)
{
  const LsHandle *meaning = ls_is_var (arg) ? ls_handles_get (move->handles, (LsVar *) arg) : NULL;
  const char *wanted = param->type == LS_PARAM_BLOCK || param->type == LS_PARAM_BLOCKS ? "block"
                       : param->type == LS_PARAM_LOOP || param->type == LS_PARAM_LOOPS ? "loop" : "block or loop";
  g_autofree char *name = NULL;
  guint step;

  if (meaning == NULL || meaning->value != NULL ||
      (meaning->type == LS_ENTITY_LOOP && wanted[0] == 'b' && wanted[5] == '\0') ||
      (meaning->type == LS_ENTITY_BLOCK && wanted[0] == 'l'))
    {
      ls_move_refuse (move, diagnostics, "not-a-handle", NULL,
                      wanted[0] == 'l' ? ls_translate ("%s of %s has to be a loop of this schedule.")
                      : wanted[5] == '\0' ? ls_translate ("%s of %s has to be a block of this schedule.")
                                          : ls_translate ("%s of %s has to be a block or loop of this schedule."),
                      param->name, move->instruction->name);
      return FALSE;
    }
  if (meaning->id >= LS_MARK_INLINE)
    {
      if (param->flags & LS_PARAM_MARKS)
        return TRUE;
      ls_move_refuse (move, diagnostics, "no-loop-drawn", NULL, "%s of %s was drawn as \"%s\", which is no loop.", param->name,
                      move->instruction->name, meaning->id == LS_MARK_ROOT ? "leave the block" : "inline the block");
      return FALSE;
    }
  if (ls_state_sref_by_id (move->state, meaning->id) != NULL)
    return TRUE;
  step = ls_schedule_step_of_death (move->schedule, meaning->id, &name);
  ls_move_refuse (move, diagnostics, "handle-gone", NULL, "%s %s is gone since step %u, %s.",
                  ls_translate (meaning->type == LS_ENTITY_LOOP ? "Loop" : "Block"), name != NULL ? name : "?",
                  changes_among (move->schedule, step),
                  step > 0 ? ls_schedule_get_step (move->schedule, step - 1)->instruction->name : "?");
  return FALSE;
}

gboolean
ls_move_handles_are_alive (LsMove        *move,
                           LsDiagnostics *diagnostics)
{
  gboolean alive = TRUE;

  for (guint p = 0; p < move->instruction->n_params; p++)
    {
      const LsParam *param = &move->instruction->params[p];
      LsNode *arg = move->args[p];

      if (param->type > LS_PARAM_BLOCKS_OR_LOOP || (arg == NULL && (param->flags & LS_PARAM_OPTIONAL)))
        continue;
      if (!ls_is (arg, ARRAY))
        alive &= handle_is_alive (move, param, arg, diagnostics);
      for (guint i = 0; ls_is (arg, ARRAY) && i < ((LsArray *) arg)->n; i++)
        alive &= handle_is_alive (move, param, ((LsArray *) arg)->items[i], diagnostics);
    }
  return alive;
}

/* An argument as TVM keeps it: a buffer that was given by its name by its number. (transfer full) */
static LsNode *
plain_argument (LsMove *move,
                guint   param)
{
  const LsParam *row = &move->instruction->params[param];
  LsNode *arg = move->args[param];
  LsNode *kept = move->instruction->plain != NULL ? move->instruction->plain (move, param) : NULL;
  LsSref *block = NULL;

  if (kept != NULL)
    return kept;
  if (row->type == LS_PARAM_BUFFER && ls_is (arg, STRING))
    for (guint i = 0; block == NULL && i < param; i++)
      if (move->instruction->params[i].type == LS_PARAM_BLOCK)
        block = ls_move_sref (move, i);

  /* as in TVM, the last access of this name */
  for (guint list = 2; block != NULL && list-- > 0;)
    {
      LsArray *regions = list == 0 ? ls_sref_block (block)->reads : ls_sref_block (block)->writes;

      for (guint i = ls_array_n (regions); i-- > 0;)
        {
          if (strcmp (ls_array_at (regions, i, LsBufferRegion)->buffer->name, ((LsString *) arg)->value) != 0)
            continue;
          if ((row->flags & LS_PARAM_BY_INDEX) == 0)
            return LS_NODE (ls_array_of (ls_string_new (list == 0 ? "read" : "write"), ls_int (i), NULL));
          if ((list == 0) == (strstr (row->name, "read") != NULL))
            return LS_NODE (ls_int (i));
        }
    }
  return ls_node_ref (arg);
}

LsArray *
ls_move_plain_arguments (LsMove *move)
{
  guint n = move->instruction->n_params;
  g_autofree LsNode **args = g_new0 (LsNode *, n + 1);

  for (guint i = 0; i < n; i++)
    args[i] = plain_argument (move, i);
  return ls_array_new (args, n);
}
