/* group: several blocks that follow each other become parts of one.
 *
 *   for i: A ...      ->     for i: AB_o: v_i_o = i
 *   for i: B ...                            A ... (the inner loops), B ...
 *
 * All have to divide in the same way at the loops around the new block.  Source: TVM's tir blockize of a list of blocks.
 */
#include "engine/schedule/blockize/blockize.h"

/* ---- several blocks -------------------------------------------------------------- */

/* Every block once, and all directly inside the same block. */
static gboolean
legal_company (LsMove        *move,
               LsDiagnostics *diagnostics,
               GPtrArray     *blocks)
{
  LsSref *first = blocks->pdata[0];

  for (guint i = 1; i < blocks->len; i++)
    {
      LsSref *block = blocks->pdata[i];
      guint at;

      if (g_ptr_array_find (blocks, block, &at) && at < i)
        {
          ls_move_refuse (move, diagnostics, "twice", block->stmt, "Block %s stands in the list twice.", ls_sref_name (block));
          return FALSE;
        }
      if (ls_state_scope_root (move->state, block) != ls_state_scope_root (move->state, first))
        {
          LsDiagnostic *finding = ls_move_refuse (move, diagnostics, "different-scope", block->stmt,
                                                  "Blocks %s and %s stand inside different blocks; blockize takes blocks of one.",
                                                  ls_sref_name (first), ls_sref_name (block));

          ls_move_add_culprit (move, finding, first->stmt);
          return FALSE;
        }
    }
  return TRUE;
}

/* Warns of blocks that change places, that are left out although they stand between, and of inits that are dropped. */
void
ls_blockize_doubt_group (LsMove          *move,
                         LsDiagnostics   *diagnostics,
                         LsBlockizeGroup *group)
{
  GPtrArray *order = ls_state_scope (move->state, ls_state_scope_root (move->state, group->blocks->pdata[0]))->blocks;
  guint last = 0;

  for (guint i = 0; i < group->blocks->len; i++)
    {
      LsSref *block = group->blocks->pdata[i];
      LsSref *part = block;
      g_autoptr(GPtrArray) company = NULL;
      guint at = 0;

      g_ptr_array_find (order, block, &at);
      if (i > 0 && at < last)
        ls_move_warn (move, diagnostics, "order", block->stmt, "Block %s comes after %s in the list, but before it in the program.", ls_sref_name (block),
                      ls_sref_name (group->blocks->pdata[i - 1]));
      last = at;
      if (ls_sref_block (block)->init != NULL)
        ls_move_warn (move, diagnostics, "lost-init", block->stmt, "The init of block %s is dropped; decompose the reduction first.", ls_sref_name (block));
      if (block->parent == group->place && !group->place->is_block)
        ls_move_warn (move, diagnostics, "repeats", block->stmt, "Loop %s stands around all blocks and again around %s, which runs too often.",
                      ls_sref_name (group->place), ls_sref_name (block));
      while (part->parent != group->place)
        part = part->parent;
      company = part->is_block ? NULL : ls_state_child_blocks (move->state, part);
      for (guint k = 0; company != NULL && k < company->len; k++)
        if (!g_ptr_array_find (group->blocks, company->pdata[k], NULL))
          ls_move_warn (move, diagnostics, "lost-block", ((LsSref *) company->pdata[k])->stmt, "Block %s shares a loop with %s and is not in the list; it is dropped.",
                        ls_sref_name (company->pdata[k]), ls_sref_name (block));
    }
}

gboolean
ls_blockize_legal_group (LsMove          *move,
                         LsDiagnostics   *diagnostics,
                         LsBlockizeGroup *group)
{
  LsStmt *body;
  guint n = group->blocks->len;
  g_autofree gboolean *taken = NULL;

  if (n == 0)
    {
      ls_move_refuse (move, diagnostics, "no-blocks", NULL, "blockize needs a loop or at least one block.");
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    if (!ls_legal_not_root (move, diagnostics, group->blocks->pdata[i]))
      return FALSE;
  if (!legal_company (move, diagnostics, group->blocks))
    return FALSE;
  group->place = ls_sref_common ((LsSref **) group->blocks->pdata, n);
  body = ls_sref_body (group->place);
  if (g_ptr_array_find (group->blocks, group->place, NULL) || !ls_is (body, SEQ_STMT))
    {
      ls_move_refuse (move, diagnostics, "no-sequence", group->place->stmt,
                      "The blocks do not stand in one sequence, one after the other.");
      return FALSE;
    }
  taken = g_new0 (gboolean, ls_array_n (((LsSeqStmt *) body)->seq) + 1);
  group->first = G_MAXUINT;
  group->last = 0;
  for (guint i = 0; i < n; i++)
    {
      LsSref *below = group->blocks->pdata[i];
      guint at;

      while (below->parent != group->place)
        below = below->parent;
      at = ls_stmt_part_with (body, below->stmt);
      taken[at] = TRUE;
      group->first = MIN (group->first, at);
      group->last = MAX (group->last, at);
    }
  for (guint i = group->first; i <= group->last; i++)
    if (!taken[i])
      {
        ls_move_refuse (move, diagnostics, "not-consecutive", ((LsSeqStmt *) body)->seq->items[i],
                        "Something else stands between the blocks; they have to follow one another.");
        return FALSE;
      }
  return TRUE;
}

/* Regions of each buffer united, in the order in which the buffers came. Takes `regions`. */
static LsArray *
unite (GPtrArray *regions)
{
  GPtrArray *united = g_ptr_array_new ();

  while (regions->len > 0)
    {
      LsBufferRegion *first = regions->pdata[0];
      g_autoptr(GPtrArray) same = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
      g_autoptr(LsNDIntSet) sum = NULL;
      g_autoptr(LsBuffer) buffer = ls_ref (first->buffer);
      GPtrArray *ranges = g_ptr_array_new ();

      for (guint i = 0; i < regions->len;)
        {
          LsBufferRegion *region = regions->pdata[i];

          if (region->buffer != buffer)
            {
              i++;
              continue;
            }
          g_ptr_array_add (same, ls_nd_int_set_from_region (region->region));
          ls_unref (region);
          g_ptr_array_remove_index (regions, i);
        }
      sum = ls_nd_int_set_union ((LsNDIntSet **) same->pdata, same->len);
      for (guint k = 0; k < sum->len; k++)
        {
          LsExpr *min = ls_int_set_min (sum->pdata[k]);
          LsExpr *max = ls_int_set_max (sum->pdata[k]);
          LsExpr *end = ls_add (ls_ref (max), ls_const_int (ls_dtype (max), 1));

          g_ptr_array_add (ranges, ls_range_new (ls_ref (min), ls_is_zero (min) ? end : ls_sub (end, ls_ref (min))));
        }
      g_ptr_array_add (united, ls_buffer_region_new (ls_ref (buffer), ls_array_take_ptr_array (ranges)));
    }
  g_ptr_array_unref (regions);
  return ls_array_take_ptr_array (united);
}

typedef struct {
  LsBlockizeOuter      outer;
  GHashTable *loop_map;         /* loop variable -> outer iteration variable */
  GPtrArray *seq;
  GPtrArray *reads;
  GPtrArray *writes;
  GString   *name;
} Gathering;

static void
gather_regions (GPtrArray *list,
                LsArray   *regions,
                LsDomMap  *domains)
{
  g_autoptr(LsArray) relaxed = ls_blockize_relax_regions (regions, domains);

  for (guint i = 0; i < relaxed->n; i++)
    g_ptr_array_add (list, ls_node_ref (relaxed->items[i]));
}

static gboolean
gather (LsMove          *move,
        LsDiagnostics   *diagnostics,
        Gathering       *self,
        LsBlockizeGroup *group,
        guint            i)
{
  g_auto(LsBlockizePart) part = { 0 };
  g_auto(LsBlockizeInner) inner;
  LsSref *sref = group->blocks->pdata[i];
  g_autoptr(LsDomMap) domains = NULL;
  g_autoptr(LsBlock) block = NULL;

  ls_blockize_inner_init (&inner);
  ls_blockize_part_init (&part, move, sref, group->keep_units);
  ls_blockize_divide (&part, group->place, TRUE);
  if (part.division == NULL || !ls_blockize_derive_bindings (&inner, &self->outer, &part, i > 0))
    {
      ls_move_refuse (move, diagnostics, part.division == NULL ? "not-divisible" : "different-outer", sref->stmt,
                      part.division == NULL ? "The bindings of block %s do not divide at the loops around all blocks."
                                            : LS_TEXT ("The part of block %s over the loops around all blocks is not that of the first one."),
                      ls_sref_name (sref));
      return FALSE;
    }
  ls_blockize_doubt_guard (move, diagnostics, &part);
  if (i > 0 && !ls_structural_equal (self->outer.predicate, part.division->outer[part.division->n]->extent, FALSE, NULL, NULL))
    ls_move_warn (move, diagnostics, "lost-guard", sref->stmt, "The guards over the loops around all blocks differ; that of %s holds for all.", ls_sref_name (sref));
  ls_take (&self->outer.predicate, ls_ref (part.division->outer[part.division->n]->extent));
  for (guint k = 0; k < self->outer.iter_vars->len; k++)
    if (ls_is_var (self->outer.values->pdata[k]))
      g_hash_table_insert (self->loop_map, self->outer.values->pdata[k], ((LsIterVar *) self->outer.iter_vars->pdata[k])->var);
  domains = ls_blockize_bind_inner_domains (&part, &inner, self->loop_map);
  block = ls_blockize_substituted_block (&part, &inner, &self->outer);
  gather_regions (self->reads, block->reads, domains);
  gather_regions (self->writes, block->writes, domains);
  g_string_append_printf (self->name, "%s_", block->name_hint);
  if (ls_blockize_adds_up (block, &self->outer))
    {
      ls_move_refuse (move, diagnostics, "outer-reduction", sref->stmt,
                      "Block %s adds up over a loop around all blocks; its init would not be done.", ls_sref_name (sref));
      return FALSE;
    }
  g_ptr_array_add (self->seq, ls_blockize_nest_of (&part, LS_STMT (ls_blockize_inner_realize (&part, &inner, &self->outer, block)), self->loop_map));
  return TRUE;
}

/* The block around all, or NULL. */
LsBlockRealize *
ls_blockize_group_realize (LsMove          *move,
                           LsDiagnostics   *diagnostics,
                           LsBlockizeGroup *group,
                           LsBlockReuse    *reuse)
{
  g_autoptr(GHashTable) loop_map = g_hash_table_new (NULL, NULL);
  Gathering self = { .loop_map = loop_map, .seq = g_ptr_array_new (), .reads = g_ptr_array_new (), .writes = g_ptr_array_new (),
                     .name = g_string_new ("outer_") };
  LsBlockRealize *realize = NULL;
  gboolean legal = TRUE;
  LsArray *reads, *writes, *seq;

  ls_blockize_outer_init (&self.outer);
  g_clear_pointer (&self.outer.reuse, ls_block_reuse_free);
  self.outer.reuse = reuse;
  for (guint i = 0; legal && i < group->blocks->len; i++)
    legal = gather (move, diagnostics, &self, group, i);
  reads = unite (self.reads);
  writes = unite (self.writes);
  seq = ls_array_take_ptr_array (self.seq);
  if (legal)
    realize = ls_block_realize_new (ls_blockize_copy_items (self.outer.values), ls_ref (self.outer.predicate),
                                    ls_block_new (ls_blockize_copy_items (self.outer.iter_vars), ls_ref (reads), ls_ref (writes), self.name->str,
                                                  ls_seq (ls_ref (seq)), NULL, NULL, NULL, NULL));
  ls_unref (reads);
  ls_unref (writes);
  ls_unref (seq);
  g_string_free (self.name, TRUE);
  self.outer.reuse = NULL;
  ls_blockize_outer_clear (&self.outer);
  return realize;
}

void
ls_blockize_apply_group (LsMove          *move,
                         LsBlockizeGroup *group)
{
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlockRealize) realize = NULL;
  g_autoptr(LsNode) body = NULL;
  g_autoptr(LsNode) fresh = NULL;
  GPtrArray *parts = g_ptr_array_new ();
  LsArray *seq;
  LsSref *root;

  realize = ls_blockize_group_realize (move, NULL, group, reuse);
  seq = ((LsSeqStmt *) ls_sref_body (group->place))->seq;
  for (guint i = 0; i < seq->n; i++)
    if (i == group->first)
      g_ptr_array_add (parts, ls_ref (realize));
    else if (i < group->first || i > group->last)
      g_ptr_array_add (parts, ls_node_ref (seq->items[i]));
  body = ls_seq (ls_array_take_ptr_array (parts));
  if (group->place->is_block)
    {
      fresh = LS_NODE (ls_block_with_body (ls_sref_block (group->place), body));
      ls_block_reuse_add (reuse, ls_sref_block (group->place), (LsBlock *) fresh);
    }
  else
    {
      fresh = LS_NODE (ls_for_with_body (ls_sref_for (group->place), body));
    }
  ls_state_replace (move->state, group->place, fresh, reuse);
  root = ls_state_scope_root (move->state, ls_state_sref (move->state, realize->block));
  ls_state_update_flags (move->state, root);
  ls_move_result (move, ls_state_sref (move->state, realize->block));
}
