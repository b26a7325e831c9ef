/* annotate_buffer_access: a block is told which part of a buffer it reads or writes.
 *
 *   reads (x[n, c, 0:200, 0:200])   -- lambda n, c, h, w: (n, c, (h * 2 - 3, h * 2 + 3), ...) ->   reads (x[n, c, h * 2 - 3:h * 2 + 3, ...])
 *
 * Where indices are too involved for the analysis, what later steps need to know is said here.  The annotations
 * explicit_read_region and explicit_write_region list the numbers of the regions that were given, so that lowering
 * believes them.  Source: TVM's tir annotate_buffer_access.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/base/plural.h"
#include "engine/tir/scope.h"

enum { BLOCK, BUFFER_INDEX, BUF_TYPE, GEN_NEW_RANGES };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block" },
  { "buffer_index", LS_PARAM_INT, LS_PARAM_INPUT, NULL, "which of the buffers that it reads or writes, from 0" },
  { "buf_type", LS_PARAM_STRING, LS_PARAM_INPUT | LS_PARAM_ACCESS, NULL, "read or write" },
  { "gen_new_ranges", LS_PARAM_INDEX_MAP, LS_PARAM_RANGES | LS_PARAM_INPUT, NULL, "from the block's variables to an index or (begin, end) for each dimension" },
};

/* The region that the function gives for the block's own variables. (transfer full) */
static LsBufferRegion *
given_region (LsMove   *move,
              LsBlock  *block,
              LsBuffer *buffer)
{
  LsIndexMap *map = (LsIndexMap *) move->args[GEN_NEW_RANGES];
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsArray) vars = NULL;
  g_autoptr(LsArray) ends = NULL;
  GPtrArray *own = g_ptr_array_new ();
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    g_ptr_array_add (own, ls_ref (ls_array_at (block->iter_vars, i, LsIterVar)->var));
  vars = ls_array_take_ptr_array (own);
  ends = ls_index_map_map_indices (map, vars, analyzer);
  for (guint i = 0; i + 1 < ls_array_n (ends); i += 2)
    {
      LsExpr *begin = ls_array_at (ends, i, LsExpr);
      g_autoptr(LsExpr) extent = ls_sub (ls_ref (ls_array_at (ends, i + 1, LsExpr)), ls_ref (begin));

      g_ptr_array_add (ranges, ls_range_new (ls_ref (begin), ls_analyzer_simplify (analyzer, extent)));
    }
  return ls_buffer_region_new (ls_ref (buffer), ls_array_take_ptr_array (ranges));
}

/* Warns when it cannot be shown that the given region holds all of the one that the block has now. */
static void
doubt_narrower (LsMove         *move,
                LsDiagnostics  *diagnostics,
                LsBlock        *block,
                LsBufferRegion *now)
{
  g_autoptr(LsBufferRegion) given = given_region (move, block, now->buffer);
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();

  ls_scope_bind (analyzer, LS_NODE (block), LS_SCOPE_BLOCKS);
  for (guint i = 0; i < ls_array_n (now->region); i++)
    {
      LsRange *want = ls_array_at (now->region, i, LsRange);
      LsRange *have = ls_array_at (given->region, i, LsRange);
      g_autoptr(LsExpr) before = ls_le (ls_ref (have->min), ls_ref (want->min));
      g_autoptr(LsExpr) after = ls_le (ls_add (ls_ref (want->min), ls_ref (want->extent)), ls_add (ls_ref (have->min), ls_ref (have->extent)));

      if (ls_analyzer_can_prove (analyzer, before) && ls_analyzer_can_prove (analyzer, after))
        continue;
      ls_move_warn (move, diagnostics, "narrower", block, "Dimension %u of the new region of %s may not hold all that block %s touches; later steps believe it.", i,
                    now->buffer->name, block->name_hint);
      return;
    }
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsBlock *block = ls_sref_block (ls_move_sref (move, BLOCK));
  const char *type = ls_move_string (move, BUF_TYPE);
  gboolean writes = strcmp (type, "write") == 0;
  LsArray *regions = writes ? block->writes : block->reads;
  LsIndexMap *map = (LsIndexMap *) move->args[GEN_NEW_RANGES];
  gint64 index = ls_move_int (move, BUFFER_INDEX);
  LsBuffer *buffer;

  if (!writes && strcmp (type, "read") != 0)
    {
      LsDiagnostic *finding = ls_move_refuse (move, diagnostics, "buffer-type", block, "buf_type is \"%s\"; there are read and write.", type);

      if (finding != NULL)
        ls_diagnostic_set_repair (finding, "Give \"read\" or \"write\".");
      return FALSE;
    }
  if (index < 0 || index >= ls_array_n (regions))
    {
      ls_move_refuse (move, diagnostics, "buffer-index", block,
                      writes ? ls_translate_plural ("Block %s writes %u buffer, so there is no number %" PRId64 ".", "Block %s writes %u buffers, so there is no number %" PRId64 ".", ls_array_n (regions))
                             : ls_translate_plural ("Block %s reads %u buffer, so there is no number %" PRId64 ".", "Block %s reads %u buffers, so there is no number %" PRId64 ".", ls_array_n (regions)),
                      block->name_hint, ls_array_n (regions), index);
      return FALSE;
    }
  buffer = ls_array_at (regions, index, LsBufferRegion)->buffer;
  if (ls_array_n (map->initial_indices) != ls_array_n (block->iter_vars))
    ls_move_refuse (move, diagnostics, "arity", block,
                    ls_translate_plural ("The function takes %u variable, but block %s has %u.", "The function takes %u variables, but block %s has %u.",
                                         ls_array_n (map->initial_indices)), ls_array_n (map->initial_indices), block->name_hint, ls_array_n (block->iter_vars));
  else if (ls_array_n (map->final_indices) != 2 * ls_buffer_ndim (buffer))
    ls_move_refuse (move, diagnostics, "dimensions", block,
                    ls_translate_plural ("The function gives %u ranges, but %s has %u dimension.", "The function gives %u ranges, but %s has %u dimensions.", ls_buffer_ndim (buffer)),
                    ls_array_n (map->final_indices) / 2, buffer->name, ls_buffer_ndim (buffer));
  else
    {
      if (diagnostics != NULL)
        doubt_narrower (move, diagnostics, block, ls_array_at (regions, index, LsBufferRegion));
      return TRUE;
    }
  return FALSE;
}

/* The list of given regions with this one. (transfer full) */
static LsMap *
with_number (LsMap      *annotations,
             const char *key,
             gint64      index)
{
  LsNode *old = ls_map_get (annotations, key);
  g_autoptr(LsArray) list = ls_is (old, ARRAY) ? (LsArray *) ls_node_ref (old) : ls_array_empty ();
  g_autoptr(LsExpr) number = ls_int (index);

  for (guint i = 0; i < list->n; i++)
    if (ls_is_int_value (list->items[i], index))
      return ls_ref (annotations);
  ls_take (&list, ls_array_append (list, number));
  return ls_map_set (annotations, key, list);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK);
  LsBlock *block = ls_sref_block (sref);
  gboolean writes = strcmp (ls_move_string (move, BUF_TYPE), "write") == 0;
  gint64 index = ls_move_int (move, BUFFER_INDEX);
  LsArray *regions = writes ? block->writes : block->reads;
  g_autoptr(LsBufferRegion) region = given_region (move, block, ls_array_at (regions, index, LsBufferRegion)->buffer);
  g_autoptr(LsArray) given = ls_array_with (regions, (guint) index, region);
  g_autoptr(LsMap) annotations = with_number (block->annotations, writes ? "explicit_write_region" : "explicit_read_region", index);
  g_autoptr(LsBlock) told = ls_block_with_reads_writes (block, writes ? block->reads : given, writes ? given : block->writes);
  g_autoptr(LsBlock) fresh = ls_block_with_annotations (told, annotations);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();

  ls_block_reuse_add (reuse, block, fresh);
  ls_state_replace (move->state, sref, fresh, reuse);
  return TRUE;
}

const LsInstruction ls_instruction_annotate_buffer_access = {
  .name = "annotate_buffer_access",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Says which part of a buffer a block reads or writes"),
  .condition = "buf_type is read or write, the block has a buffer with this number, and the function takes the block's variables "
               "and gives a range for each dimension.",
  .source = "TVM v0.20 tir.Schedule.annotate_buffer_access",
  .check = check,
  .apply = apply,
};
