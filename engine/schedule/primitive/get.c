/* get_block, get_loops, get_child_blocks, get_producers, get_consumers, get_output_blocks: handles for what is there.
 *
 * They change nothing, but are steps all the same: the trace names the places that later steps speak of.
 * Source: TVM's tir get_block_loop.
 */
#include "engine/schedule/primitive/primitive.h"

static const LsParam get_block_params[] = {
  { "name", LS_PARAM_STRING, 0, NULL, "the block's name" },
  { "func_name", LS_PARAM_STRING, LS_PARAM_OPTIONAL, "None", "the function; None: the one worked on" },
};
static const LsParam block_params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block" },
};
static const LsParam scope_params[] = {
  { "scope_block", LS_PARAM_BLOCK, 0, NULL, "the block whose inside is looked at" },
};
static const LsParam parent_params[] = {
  { "block_or_loop", LS_PARAM_BLOCK_OR_LOOP, LS_PARAM_UNNAMED, NULL, "what stands around" },
};

/* ---- get_block ------------------------------------------------------------ */

static const char *
function_name (LsMove *move)
{
  const char *name = ls_move_string (move, 1);

  return name != NULL ? name : ls_schedule_get_working_function (move->schedule);
}

static GPtrArray *
blocks_of_name (LsMove *move)
{
  return ls_state_blocks_of_name (move->state, (LsPrimFunc *) ls_module_get (move->state->module, function_name (move)), ls_move_string (move, 0));
}

static gboolean
collect_name (LsNode         *stmt,
              LsBlockRealize *realize,
              gpointer        user_data)
{
  GString *names = user_data;

  if (ls_is (stmt, BLOCK) && strcmp (((LsBlock *) stmt)->name_hint, "root") != 0)
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", ((LsBlock *) stmt)->name_hint);
  return ls_stmt_foreach_child (ls_is (stmt, BLOCK) ? ((LsBlock *) stmt)->body : ((LsFor *) stmt)->body, collect_name, names);
}

static void
refuse_name (LsMove        *move,
             LsDiagnostics *diagnostics,
             GPtrArray     *found)
{
  const char *name = ls_move_string (move, 0);
  g_autoptr(GString) names = g_string_new (NULL);
  LsDiagnostic *finding;

  if (found->len > 1)
    {
      finding = ls_move_refuse (move, diagnostics, "several-blocks", ((LsSref *) found->pdata[0])->stmt,
                                "Function %s has %u blocks named %s.", function_name (move), found->len, name);
      for (guint i = 1; i < found->len; i++)
        ls_move_add_culprit (move, finding, ((LsSref *) found->pdata[i])->stmt);
      return;
    }
  ls_stmt_foreach_child (((LsPrimFunc *) ls_module_get (move->state->module, function_name (move)))->body, collect_name, names);
  finding = ls_move_refuse (move, diagnostics, "no-block", NULL, "Function %s has no block %s.", function_name (move), name);
  if (finding != NULL && names->len > 0)
    ls_diagnostic_set_repair (finding, "Its blocks are %s.", names->str);
}

static gboolean
check_get_block (LsMove        *move,
                 LsDiagnostics *diagnostics)
{
  const char *func = function_name (move);
  g_autoptr(GPtrArray) found = NULL;

  if (func == NULL)
    {
      ls_move_refuse (move, diagnostics, "no-function", NULL, "The module has several functions; name one with func_name.");
      return FALSE;
    }
  if (!ls_is (ls_module_get (move->state->module, func), PRIM_FUNC))
    {
      ls_move_refuse (move, diagnostics, "no-function", NULL, "The module has no PrimFunc %s.", func);
      return FALSE;
    }
  found = blocks_of_name (move);
  if (found->len == 1)
    return TRUE;
  refuse_name (move, diagnostics, found);
  return FALSE;
}

static gboolean
apply_get_block (LsMove        *move,
                 LsDiagnostics *diagnostics)
{
  g_autoptr(GPtrArray) found = blocks_of_name (move);

  ls_move_result (move, found->pdata[0]);
  return TRUE;
}

/* The name of the function stands in the trace, whether it was given or not. */
static LsNode *
plain_get_block (LsMove *move,
                 guint   param)
{
  const char *func = param == 1 && move->args[1] == NULL ? function_name (move) : NULL;

  return func != NULL ? LS_NODE (ls_string_new (func)) : ls_node_ref (move->args[param]);
}

/* ---- the others ------------------------------------------------------------ */

static gboolean
give_all (LsMove    *move,
          GPtrArray *places)
{
  for (guint i = 0; i < places->len; i++)
    ls_move_result (move, places->pdata[i]);
  g_ptr_array_unref (places);
  return TRUE;
}

static gboolean
apply_get_loops (LsMove        *move,
                 LsDiagnostics *diagnostics)
{
  return give_all (move, ls_state_loops (move->state, ls_move_sref (move, 0)));
}

static gboolean
apply_get_child_blocks (LsMove        *move,
                        LsDiagnostics *diagnostics)
{
  return give_all (move, ls_state_child_blocks (move->state, ls_move_sref (move, 0)));
}

static gboolean
check_not_root (LsMove        *move,
                LsDiagnostics *diagnostics)
{
  return ls_legal_not_root (move, diagnostics, ls_move_sref (move, 0));
}

static gboolean
apply_get_producers (LsMove        *move,
                     LsDiagnostics *diagnostics)
{
  return give_all (move, ls_state_producers (move->state, ls_move_sref (move, 0)));
}

static gboolean
apply_get_consumers (LsMove        *move,
                     LsDiagnostics *diagnostics)
{
  return give_all (move, ls_state_consumers (move->state, ls_move_sref (move, 0)));
}

/* A block that writes what the block around it does not allocate, and those inside it likewise. */
static void
give_outputs (LsMove *move,
              LsSref *scope)
{
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (move->state, scope);

  for (guint i = 0; i < blocks->len; i++)
    {
      if (ls_is_output_block (move->state, blocks->pdata[i], scope))
        ls_move_result (move, blocks->pdata[i]);
      give_outputs (move, blocks->pdata[i]);
    }
}

static gboolean
apply_get_output_blocks (LsMove        *move,
                         LsDiagnostics *diagnostics)
{
  give_outputs (move, ls_move_sref (move, 0));
  return TRUE;
}

const LsInstruction ls_instruction_get_block = {
  .name = "get_block",
  .params = get_block_params,
  .n_params = 2,
  .result = LS_RESULT_BLOCK,
  .flags = LS_INSTRUCTION_PURE,
  .summary = LS_TEXT ("The block of a name"),
  .condition = "Exactly one block of the function has the name.",
  .source = "TVM v0.20 tir.Schedule.get_block",
  .plain = plain_get_block,
  .check = check_get_block,
  .apply = apply_get_block,
};

const LsInstruction ls_instruction_get_loops = {
  .name = "get_loops",
  .params = block_params,
  .n_params = 1,
  .result = LS_RESULT_LOOPS,
  .flags = LS_INSTRUCTION_PURE,
  .summary = LS_TEXT ("The loops around a block, outermost first"),
  .condition = "Always possible.",
  .source = "TVM v0.20 tir.Schedule.get_loops",
  .apply = apply_get_loops,
};

const LsInstruction ls_instruction_get_child_blocks = {
  .name = "get_child_blocks",
  .params = parent_params,
  .n_params = 1,
  .result = LS_RESULT_BLOCKS,
  .flags = LS_INSTRUCTION_PURE,
  .summary = LS_TEXT ("The blocks directly inside a block or loop"),
  .condition = "Always possible.",
  .source = "TVM v0.20 tir.Schedule.get_child_blocks",
  .apply = apply_get_child_blocks,
};

const LsInstruction ls_instruction_get_producers = {
  .name = "get_producers",
  .params = block_params,
  .n_params = 1,
  .result = LS_RESULT_BLOCKS,
  .flags = LS_INSTRUCTION_PURE,
  .summary = LS_TEXT ("The blocks whose results a block uses"),
  .condition = "The block is not the root of its function.",
  .source = "TVM v0.20 tir.Schedule.get_producers",
  .check = check_not_root,
  .apply = apply_get_producers,
};

const LsInstruction ls_instruction_get_consumers = {
  .name = "get_consumers",
  .params = block_params,
  .n_params = 1,
  .result = LS_RESULT_BLOCKS,
  .flags = LS_INSTRUCTION_PURE,
  .summary = LS_TEXT ("The blocks that use the results of a block"),
  .condition = "The block is not the root of its function.",
  .source = "TVM v0.20 tir.Schedule.get_consumers",
  .check = check_not_root,
  .apply = apply_get_consumers,
};

const LsInstruction ls_instruction_get_output_blocks = {
  .name = "get_output_blocks",
  .params = scope_params,
  .n_params = 1,
  .result = LS_RESULT_BLOCKS,
  .flags = LS_INSTRUCTION_PURE,
  .summary = LS_TEXT ("The blocks inside a block that write results of the function"),
  .condition = "Always possible.",
  .source = "TVM v0.20 tir.Schedule.get_output_blocks",
  .apply = apply_get_output_blocks,
};
