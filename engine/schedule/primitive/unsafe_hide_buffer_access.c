/* unsafe_hide_buffer_access: a block no longer says that it reads or writes some of its buffers.
 *
 * The regions with these numbers leave the block's reads or writes; its body stays.  What later steps believe of the
 * program may then be wrong, which is why the name says unsafe.  Source: TVM's tir unsafe_hide_buffer_access.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/base/plural.h"

enum { BLOCK, BUF_TYPE, BUF_INDEX_ARRAY };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block" },
  { "buf_type", LS_PARAM_STRING, LS_PARAM_INPUT, NULL, "read or write" },
  { "buf_index_array", LS_PARAM_INTS, LS_PARAM_INPUT, NULL, "the numbers of the buffers among those that it reads or writes" },
};

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsBlock *block = ls_sref_block (ls_move_sref (move, BLOCK));
  const char *type = ls_move_string (move, BUF_TYPE);
  gboolean writes = strcmp (type, "write") == 0;
  guint n = ls_array_n (writes ? block->writes : block->reads);
  LsArray *indices = ls_move_array (move, BUF_INDEX_ARRAY);

  if (!writes && strcmp (type, "read") != 0)
    {
      LsDiagnostic *finding = ls_move_refuse (move, diagnostics, "buffer-type", block, "buf_type is \"%s\"; there are read and write.", type);

      if (finding != NULL)
        ls_diagnostic_set_repair (finding, "Give \"read\" or \"write\".");
      return FALSE;
    }
  for (guint i = 0; i < indices->n; i++)
    {
      gint64 index = -1;

      ls_as_int (indices->items[i], &index);
      if (index >= 0 && index < n)
        continue;
      ls_move_refuse (move, diagnostics, "buffer-index", block,
                      writes ? ls_translate_plural ("Block %s writes %u buffer, so there is no number %" PRId64 ".", "Block %s writes %u buffers, so there is no number %" PRId64 ".", n)
                             : ls_translate_plural ("Block %s reads %u buffer, so there is no number %" PRId64 ".", "Block %s reads %u buffers, so there is no number %" PRId64 ".", n),
                      block->name_hint, n, index);
      return FALSE;
    }
  if (indices->n > 0)
    ls_move_warn (move, diagnostics, "hidden", block,
                  writes ? ls_translate ("What block %s writes is no longer known; later steps may move it wrongly.")
                         : ls_translate ("What block %s reads is no longer known; later steps may move it wrongly."), block->name_hint);
  return TRUE;
}

static LsArray *
without (LsArray *regions,
         LsArray *indices)
{
  GPtrArray *rest = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      gboolean hidden = FALSE;

      for (guint k = 0; k < indices->n; k++)
        hidden |= ls_is_int_value (indices->items[k], i);
      if (!hidden)
        g_ptr_array_add (rest, ls_node_ref (regions->items[i]));
    }
  return ls_array_take_ptr_array (rest);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK);
  LsBlock *block = ls_sref_block (sref);
  gboolean writes = strcmp (ls_move_string (move, BUF_TYPE), "write") == 0;
  g_autoptr(LsArray) rest = without (writes ? block->writes : block->reads, ls_move_array (move, BUF_INDEX_ARRAY));
  g_autoptr(LsBlock) fresh = ls_block_with_reads_writes (block, writes ? block->reads : rest, writes ? rest : block->writes);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();

  ls_block_reuse_add (reuse, block, fresh);
  ls_state_replace (move->state, sref, fresh, reuse);
  return TRUE;
}

const LsInstruction ls_instruction_unsafe_hide_buffer_access = {
  .name = "unsafe_hide_buffer_access",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Leaves buffers out of what a block says that it reads or writes"),
  .condition = "buf_type is read or write, and the block has buffers with these numbers.",
  .source = "TVM v0.20 tir.Schedule.unsafe_hide_buffer_access",
  .check = check,
  .apply = apply,
};
