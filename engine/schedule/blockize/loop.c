/* loop: the loops from one down, made one block.
 *
 * What blockize does to a loop, and tensorize before it looks at what is inside.  Source: TVM's tir blockize.
 */
#include "engine/schedule/blockize/blockize.h"

#define INIT LS_TEXT ("Block %s reads elements of %s that its init begins anew in another round; with the init before all rounds they are lost.")

/* The init goes out of all loops of the block: what it begins is then begun before other rounds have read it.  TVM does not ask. */
static gboolean
legal_init (LsMove        *move,
            LsDiagnostics *diagnostics,
            LsSref        *sref)
{
  LsBlock *block = ls_sref_block (sref);

  for (guint i = 0; block->init != NULL && i < ls_array_n (block->writes); i++)
    {
      LsBuffer *buffer = ls_array_at (block->writes, i, LsBufferRegion)->buffer;
      gboolean strict = ls_schedule_is_strict (move->schedule);

      if (!ls_reads_what_was_there (block, buffer))
        continue;
      if (strict)
        ls_move_refuse (move, diagnostics, "reads-own-output", block, INIT, block->name_hint, buffer->name);
      else
        ls_move_warn (move, diagnostics, "reads-own-output", block, INIT, block->name_hint, buffer->name);
      return !strict;
    }
  return TRUE;
}

gboolean
ls_blockize_legal_loop (LsMove         *move,
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
    return legal_init (move, diagnostics, block);
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
  if (!ls_blockize_legal_loop (move, diagnostics, loop, preserve_unit_iters, &part))
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
