/* apply: a step is checked, applied to the tree of places and taken by the schedule, or refused with what it would break.
 */
#include "engine/schedule/step/move.h"
#include "engine/schedule/step/numbers.h"
#include "engine/schedule/step/order.h"

/* ---- applying ------------------------------------------------------------- */

gboolean
ls_schedule_check (LsSchedule           *self,
                   const LsInstruction  *instruction,
                   LsNode              **args,
                   LsDiagnostics        *diagnostics)
{
  LsMove move = ls_schedule_move (self, instruction, args);
  gboolean legal = ls_move_handles_are_alive (&move, diagnostics) &&
                   (instruction->check == NULL || instruction->check (&move, diagnostics));

  ls_move_keep (&move, NULL, NULL);
  return legal;
}

static void
clear_result (gpointer data)
{
  ls_unref (((LsMoveResult *) data)->value);
}

static void
take_results (LsStep *step,
              LsMove *move)
{
  guint n = move->results->len;
  const char *prefix = ls_result_prefix (move->instruction->result);
  g_autofree LsNode **outputs = g_new (LsNode *, 2 * n + 1);
  LsNode **values = outputs + n;

  step->ids = g_new0 (guint, n + 1);
  for (guint i = 0; i < n; i++)
    {
      LsMoveResult *result = &g_array_index (move->results, LsMoveResult, i);

      outputs[i] = LS_NODE (ls_var_new (prefix, prefix[0] == 'v' ? LS_INT32 : LS_HANDLE));
      values[i] = LS_NODE (ls_ref (result->value));
      step->ids[i] = result->sref != NULL ? result->sref->id : result->mark;
    }
  step->outputs = ls_array_new (outputs, n);
  step->values = ls_array_new (values, n);
}

static LsStep *
step_new (LsSchedule *self,
          LsMove     *move)
{
  LsStep *step = g_new0 (LsStep, 1);
  LsVersion *before = ls_schedule_get_version (self, ls_schedule_get_n_steps (self));
  g_autofree LsNode **args = g_new0 (LsNode *, move->instruction->n_params + 1);

  g_atomic_ref_count_init (&step->refs);
  step->instruction = move->instruction;
  for (guint i = 0; i < move->instruction->n_params; i++)
    args[i] = ls_node_ref (move->args[i]);
  step->args = ls_array_new (args, move->instruction->n_params);
  step->decision = ls_node_ref (move->decision);
  take_results (step, move);
  if (before->module == ls_schedule_get_state (self)->module)
    {
      step->version = ls_version_ref (before);
      return step;
    }
  step->version = ls_version_next (before, ls_schedule_get_state (self));
  return step;
}

/* Is the order of what depends on each other as it was, or may it change?  The step was applied to the state. */
static gboolean
keeps_order (LsSchedule    *self,
             LsMove        *move,
             LsDiagnostics *diagnostics)
{
  LsOrderAnswer *answer;
  gboolean kept;

  if (((move->instruction->flags & LS_INSTRUCTION_REORDERS) == 0 && move->meanings == NULL) || (!ls_schedule_is_strict (self) && (diagnostics == NULL || !ls_schedule_is_order_asked (self))))
    return TRUE;
  answer = ls_order_ask (move, ls_schedule_get_version (self, ls_schedule_get_n_steps (self)), move->state->module);
  kept = !ls_schedule_is_strict (self) || !ls_order_is_broken (answer);
  if (!kept)
    {
      ls_schedule_drop_state (self);
      move->state = ls_schedule_get_state (self);
    }
  ls_order_tell (answer, move, ls_schedule_is_strict (self), diagnostics);
  ls_order_unref (answer);
  return kept;
}

static gboolean
has_open_vars (LsPrimFunc    *func,
               LsDiagnostics *findings)
{
  if (ls_verify_prim_func (func, findings))
    return FALSE;
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    if (strcmp (ls_diagnostics_get (findings, i)->code, "tir/undefined") == 0)
      return TRUE;
  return FALSE;
}

/* Does the step leave each variable where it is defined, as it was before?  TVM accepts such a step and then cannot build the program. */
static gboolean
stays_closed (LsSchedule    *self,
              LsMove        *move,
              LsModule      *before,
              LsDiagnostics *diagnostics)
{
  LsModule *now = move->state->module;

  if ((move->instruction->flags & LS_INSTRUCTION_MOVES_USES) == 0)
    return TRUE;
  for (guint i = 0; i < MIN (ls_array_n (before->functions), ls_array_n (now->functions)); i++)
    {
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsDiagnostics) old = ls_diagnostics_new ();

      if (before->functions->items[i] == now->functions->items[i] || !ls_is (now->functions->items[i], PRIM_FUNC) || !ls_is (before->functions->items[i], PRIM_FUNC)
          || !has_open_vars ((LsPrimFunc *) now->functions->items[i], findings) || has_open_vars ((LsPrimFunc *) before->functions->items[i], old))
        continue;
      ls_schedule_drop_state (self);
      move->state = ls_schedule_get_state (self);
      ls_move_refuse (move, diagnostics, "undefined", NULL, "Afterwards a variable would stand where it is not defined: %s", ls_diagnostics_get (findings, 0)->message);
      return FALSE;
    }
  return TRUE;
}

gboolean
ls_schedule_apply (LsSchedule           *self,
                   const LsInstruction  *instruction,
                   LsNode              **args,
                   LsNode               *decision,
                   LsArray             **outputs,
                   LsDiagnostics        *diagnostics)
{
  LsMove move = ls_schedule_move (self, instruction, args);
  g_autoptr (LsDiagnostics) own = ls_schedule_is_strict (self) && diagnostics == NULL ? ls_diagnostics_new () : NULL;
  gboolean done = FALSE;
  guint first;

  diagnostics = own != NULL ? own : diagnostics;
  first = diagnostics != NULL ? ls_diagnostics_get_n (diagnostics) : 0;
  move.decision = ls_node_ref (decision);
  if (ls_move_handles_are_alive (&move, diagnostics) && (instruction->check == NULL || instruction->check (&move, diagnostics)))
    {
      g_autoptr(LsArray) plain = ls_move_plain_arguments (&move);
      g_autoptr(LsModule) before = ls_ref (ls_schedule_get_state (self)->module);

      move.args = (LsNode **) plain->items;
      move.results = g_array_new (FALSE, FALSE, sizeof (LsMoveResult));
      g_array_set_clear_func (move.results, clear_result);
      ls_state_begin (ls_schedule_get_state (self));
      done = instruction->apply (&move, diagnostics) && stays_closed (self, &move, before, diagnostics) && keeps_order (self, &move, diagnostics) &&
             (!ls_schedule_is_strict (self) || ls_numbers_keep (&move, before, diagnostics, first));
      if (done)
        {
          LsStep *step = step_new (self, &move);

          ls_schedule_take_step (self, step);
          if (outputs != NULL)
            *outputs = step->outputs;
        }
      else
        {
          ls_schedule_drop_state (self);
        }
      g_array_unref (move.results);
    }
  ls_move_keep (&move, NULL, NULL);
  g_clear_pointer (&move.meanings, g_array_unref);
  ls_unref (move.decision);
  return done;
}

/* ---- handles for places --------------------------------------------------- */

static LsVar *
get_block_handle (LsSchedule    *self,
                  LsSref        *block,
                  LsDiagnostics *diagnostics)
{
  const LsInstruction *get_block = ls_instruction_get ("get_block");
  LsModule *module = ls_schedule_get_module (self);
  g_autoptr(LsNode) name = LS_NODE (ls_string_new (ls_sref_block (block)->name_hint));
  g_autoptr(LsNode) func = LS_NODE (ls_string_new (ls_array_at (module->global_vars, block->func, LsGlobalVar)->name_hint));
  LsNode *args[2] = { name, func };
  LsArray *outputs = NULL;

  if (!ls_schedule_apply (self, get_block, args, NULL, &outputs, diagnostics))
    return NULL;
  return ls_array_at (outputs, 0, LsVar);
}

LsVar *
ls_schedule_make_handle (LsSchedule    *self,
                         LsNode        *node,
                         LsDiagnostics *diagnostics)
{
  LsVar *handle = ls_schedule_find_handle (self, node);
  LsState *state = ls_schedule_get_state (self);
  LsSref *sref = ls_state_sref (state, node);
  g_autoptr(GPtrArray) inside = NULL;
  LsArray *loops = NULL;
  LsNode *block;

  if (handle != NULL || sref == NULL)
    return handle;
  if (sref->is_block)
    return get_block_handle (self, sref, diagnostics);
  inside = ls_state_child_blocks (state, sref);
  if (inside->len == 0)
    return NULL;
  block = LS_NODE (ls_schedule_find_handle (self, ((LsSref *) inside->pdata[0])->stmt));
  if (block == NULL)
    block = LS_NODE (get_block_handle (self, inside->pdata[0], diagnostics));
  if (block == NULL || !ls_schedule_apply (self, ls_instruction_get ("get_loops"), &block, NULL, &loops, diagnostics))
    return NULL;
  return ls_schedule_find_handle (self, node);
}
