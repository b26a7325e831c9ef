/* blockize: the loops from one down, or several blocks of one sequence, become a block of their own.
 *
 *   for i, j, k:                          for i:
 *     C: ...                  ->            C_o: v_i_o = i
 *                                             for j, k:
 *                                               C: v_j_i = j, v_k_i = k ...
 *
 * The bindings are divided into an outer part, over the loops above, and an inner part.  The init of a reduction goes
 * into the init of the outer block.  Source: TVM's tir blockize.
 */
#include "engine/schedule/blockize/blockize.h"
#include "engine/schedule/primitive/primitive.h"

enum { TARGET, PRESERVE_UNIT_ITERS };

static const LsParam params[] = {
  { "target", LS_PARAM_BLOCKS_OR_LOOP, 0, NULL, "the loop whose inside becomes a block, or the blocks to put into one" },
  { "preserve_unit_iters", LS_PARAM_BOOL, 0, "True", "keep iteration variables that take one value only" },
};

/* ---- one loop ------------------------------------------------------------------ */

static gboolean
apply_loop (LsMove *move)
{
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  LsSref *loop = ls_move_sref (move, TARGET);
  g_autoptr(LsBlockRealize) realize = ls_blockize_loop (move, NULL, loop, ls_move_bool (move, PRESERVE_UNIT_ITERS), reuse);
  LsSref *root = ls_state_scope_root (move->state, loop);
  gboolean affine = root->affine_binding;

  ls_state_replace (move->state, loop, realize, reuse);
  ls_state_update_flags (move->state, root);
  root->affine_binding = affine;
  ls_state_touch (move->state, root);
  ls_move_result (move, ls_state_sref (move->state, realize->block));
  return TRUE;
}

static gboolean
apply_group (LsMove *move)
{
  g_autoptr(GPtrArray) blocks = ls_move_srefs (move, TARGET);
  LsBlockizeGroup group = { blocks, ls_move_bool (move, PRESERVE_UNIT_ITERS) };

  ls_blockize_legal_group (move, NULL, &group);
  ls_blockize_apply_group (move, &group);
  return TRUE;
}

/* ---- the primitive ---------------------------------------------------------------- */

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlockRealize) realize = NULL;
  g_autoptr(GPtrArray) blocks = NULL;
  LsBlockizeGroup group = { NULL };

  if (!ls_is (move->args[TARGET], ARRAY))
    {
      g_auto(LsBlockizePart) part = { 0 };
      LsSref *loop = ls_move_sref (move, TARGET);

      if (!loop->is_block)
        {
          if (!ls_blockize_legal_loop (move, diagnostics, loop, ls_move_bool (move, PRESERVE_UNIT_ITERS), &part))
            return FALSE;
          if (diagnostics != NULL)
            ls_blockize_doubt_guard (move, diagnostics, &part);
          return TRUE;
        }
      ls_diagnostic_set_repair (ls_move_refuse (move, diagnostics, "not-a-loop", loop->stmt,
                                                "%s is a single block; blockize takes a loop or a list of blocks.", ls_sref_name (loop)),
                                "blockize([%s])", ls_sref_name (loop));
      return FALSE;
    }
  blocks = ls_move_srefs (move, TARGET);
  group.blocks = blocks;
  group.keep_units = ls_move_bool (move, PRESERVE_UNIT_ITERS);
  for (guint i = 0; i < blocks->len; i++)
    if (!((LsSref *) blocks->pdata[i])->is_block)
      {
        ls_move_refuse (move, diagnostics, "not-a-block", ((LsSref *) blocks->pdata[i])->stmt,
                        "%s in the list is a loop; blockize takes one loop, or a list that holds blocks only.", ls_sref_name (blocks->pdata[i]));
        return FALSE;
      }
  if (!ls_blockize_legal_group (move, diagnostics, &group))
    return FALSE;
  realize = ls_blockize_group_realize (move, diagnostics, &group, reuse);
  if (realize != NULL && diagnostics != NULL)
    ls_blockize_doubt_group (move, diagnostics, &group);
  return realize != NULL;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  return ls_is (move->args[TARGET], ARRAY) ? apply_group (move) : apply_loop (move);
}

const LsInstruction ls_instruction_blockize = {
  .name = "blockize",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCK,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Makes the inside of a loop, or several blocks, one block"),
  .condition = "Below the loop there is one block, and its bindings divide into a part over the loops above and a part over the "
               "loops from there down. Several blocks follow one another and share the outer part.",
  .source = "TVM v0.20 tir.Schedule.blockize",
  .check = check,
  .apply = apply,
};
