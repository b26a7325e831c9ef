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
#include "engine/schedule/primitive/blockize-private.h"

static const LsParam params[] = {
  { "target", LS_PARAM_BLOCKS_OR_LOOP, 0, NULL, "the loop whose inside becomes a block, or the blocks to put into one" },
  { "preserve_unit_iters", LS_PARAM_BOOL, 0, "True", "keep iteration variables that take one value only" },
};

/* ---- one loop ------------------------------------------------------------------ */

static gboolean
legal_loop (LsMove         *move,
            LsDiagnostics  *diagnostics,
            LsSref         *loop,
            gboolean        keep_units,
            LsBlockizePart *part)
{
  LsSref *block;
  LsDiagnostic *finding;

  if (!ls_legal_not_root (move, diagnostics, loop) || !ls_legal_single_child (move, diagnostics, loop, &block))
    return FALSE;
  ls_blockize_part_init (part, move, block, keep_units);
  ls_blockize_divide (part, loop, FALSE);
  if (part->division != NULL)
    return TRUE;
  finding = ls_move_refuse (move, diagnostics, "not-divisible", block->stmt,
                            "The bindings of block %s do not divide into a part over the loops above %s and a part over the rest.",
                            ls_sref_name (block), ls_sref_name (loop));
  ls_move_add_culprit (move, finding, loop->stmt);
  return FALSE;
}

LsBlockRealize *
ls_blockize_loop (LsMove        *move,
                  LsDiagnostics *diagnostics,
                  LsSref        *loop,
                  gboolean       preserve_unit_iters,
                  LsBlockReuse  *reuse)
{
  g_auto(LsBlockizePart) part = { 0 };
  g_auto(LsBlockizeInner) inner;
  LsBlockizeOuter outer;
  g_autoptr(GHashTable) none = g_hash_table_new (NULL, NULL);
  g_autoptr(LsDomMap) domains = NULL;
  g_autoptr(LsBlock) block = NULL;
  g_autoptr(LsBlockRealize) realize = NULL;
  g_autofree char *name = NULL;
  LsBlock *made;
  LsBlockRealize *result;

  ls_blockize_inner_init (&inner);
  if (!legal_loop (move, diagnostics, loop, preserve_unit_iters, &part))
    return NULL;
  ls_blockize_outer_init (&outer);
  g_clear_pointer (&outer.reuse, ls_block_reuse_free);
  outer.reuse = reuse;
  ls_blockize_derive_bindings (&inner, &outer, &part, FALSE);
  domains = ls_blockize_bind_inner_domains (&part, &inner, none);
  block = ls_blockize_substituted_block (&part, &inner, &outer);
  realize = ls_blockize_inner_realize (&part, &inner, &outer, block);
  name = g_strconcat (block->name_hint, "_o", NULL);
  made = ls_block_new (ls_blockize_copy_items (outer.iter_vars), ls_blockize_relax_regions (block->reads, domains), ls_blockize_relax_regions (block->writes, domains), name,
                       ls_blockize_nest_of (&part, LS_STMT (ls_ref (realize)), none),
                       block->init != NULL ? ls_blockize_outer_init_stmt (&part, block, realize) : NULL, NULL, NULL, NULL);
  result = ls_block_realize_new (ls_blockize_copy_items (outer.values), ls_ref (part.division->outer[part.division->n]->extent), made);
  outer.reuse = NULL;
  ls_blockize_outer_clear (&outer);
  return result;
}

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

/* ---- what may change the result ------------------------------------------------- */

/* Warns where a guard over loops that no variable uses is lost, and where the guard of the block, which its init keeps, asks
 * for loops that the init does not get. */
void
ls_blockize_doubt_guard (LsMove         *move,
                         LsDiagnostics  *diagnostics,
                         LsBlockizePart *part)
{
  LsBlock *block = part->realize->block;
  LsExpr *guard = part->division->inner[part->division->n]->extent;
  LsExpr *outer = part->division->outer[part->division->n]->extent;

  for (LsSref *p = part->sref->parent; p != NULL && !p->is_block; p = p->parent)
    {
      LsVar *var = ls_sref_for (p)->loop_var;

      if (ls_uses (part->realize->predicate, var) && !ls_uses (guard, var) && !ls_uses (outer, var))
        ls_move_warn (move, diagnostics, "lost-guard", block, "The guard of block %s over %s is lost, as the bindings alone say how far the block runs.",
                      block->name_hint, var->name);
    }
  for (guint l = 0; block->init != NULL && l < part->loops->len; l++)
    {
      LsVar *var = ((LsFor *) part->loops->pdata[l])->loop_var;
      gboolean kept = !ls_uses (guard, var);

      for (guint i = 0; !kept && i < ls_array_n (block->iter_vars); i++)
        kept = ls_array_at (block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_DATA_PAR && !ls_is_one (part->division->inner[i]->extent) &&
               ls_uses (block->init, ls_array_at (block->iter_vars, i, LsIterVar)->var) && ls_uses (part->realize->iter_values->items[i], var);
      if (!kept)
        ls_move_warn (move, diagnostics, "guarded-init", block, "The init of block %s keeps a guard over %s, a loop that it does not stand in.",
                      block->name_hint, var->name);
    }
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
          if (!legal_loop (move, diagnostics, loop, ls_move_bool (move, PRESERVE_UNIT_ITERS), &part))
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
  return ls_is (move->args[TARGET], ARRAY) ? ls_blockize_apply_group (move) : apply_loop (move);
}

const LsInstruction ls_instruction_blockize = {
  .name = "blockize",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCK,
  .summary = LS_TEXT ("Makes the inside of a loop, or several blocks, one block"),
  .condition = "Below the loop there is one block, and its bindings divide into a part over the loops above and a part over the "
               "loops from there down. Several blocks follow one another and share the outer part.",
  .source = "TVM v0.20 tir.Schedule.blockize",
  .check = check,
  .apply = apply,
};
