/* storage_align: one dimension of a temporary buffer is laid out so that its stride is k * factor + offset.
 *
 * Only an annotation of the block that writes the buffer; storage is rewritten when the program is built.
 * Source: TVM's tir storage_align.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/base/plural.h"

enum { BLOCK, BUFFER_INDEX, AXIS, FACTOR, OFFSET };

#define KEY "buffer_dim_align"

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that writes the buffer" },
  { "buffer_index", LS_PARAM_BUFFER, LS_PARAM_BY_INDEX, NULL, "which of the buffers that it writes, from 0, or its name" },
  { "axis", LS_PARAM_INT, 0, NULL, "the dimension; negative ones count from the end" },
  { "factor", LS_PARAM_INT, 0, NULL, "what the stride is a multiple of, apart from the offset" },
  { "offset", LS_PARAM_INT, 0, NULL, "what is added to the multiple" },
};

/* Is the value a list of lists of four numbers? */
static gboolean
is_alignment (LsNode *value)
{
  if (!ls_is (value, ARRAY))
    return FALSE;
  for (guint i = 0; i < ((LsArray *) value)->n; i++)
    {
      LsArray *entry = (LsArray *) ((LsArray *) value)->items[i];

      if (!ls_is (entry, ARRAY) || entry->n != 4)
        return FALSE;
      for (guint k = 0; k < 4; k++)
        if (!ls_is (entry->items[k], INT_IMM))
          return FALSE;
    }
  return TRUE;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsBuffer *buffer = ls_legal_access_buffer (move, diagnostics, block, BUFFER_INDEX, TRUE);
  LsNode *old = ls_map_get (ls_sref_block (block)->annotations, KEY);
  gint64 axis = ls_move_int (move, AXIS);
  gboolean legal = TRUE;
  gint64 n;
  LsSref *site;

  if (buffer == NULL)
    return FALSE;
  n = ls_buffer_ndim (buffer);
  if (ls_move_int (move, FACTOR) <= 0)
    {
      ls_move_refuse (move, diagnostics, "factor", block->stmt, "The factor of storage_align is at least 1.");
      legal = FALSE;
    }
  if (axis < -n || axis >= n)
    {
      ls_move_refuse (move, diagnostics, "axis", block->stmt,
                      ls_translate_plural ("%s has %" PRId64 " dimension, so there is no dimension %" PRId64 ".",
                                           "%s has %" PRId64 " dimensions, so there is no dimension %" PRId64 ".", (gulong) n), buffer->name, n, axis);
      legal = FALSE;
    }
  if (old != NULL && !is_alignment (old))
    {
      ls_move_refuse (move, diagnostics, "annotation", block->stmt, "The annotation \"%s\" of block %s is no list of alignments.",
                      KEY, ls_sref_name (block));
      legal = FALSE;
    }
  return ls_legal_allocated (move, diagnostics, block, buffer, &site) && legal;
}

/* The number of the buffer among those that the block writes. */
static gint64
index_of (LsBlock  *block,
          LsBuffer *buffer)
{
  for (guint i = 0; i < ls_array_n (block->writes); i++)
    if (ls_array_at (block->writes, i, LsBufferRegion)->buffer == buffer)
      return i;
  return -1;
}

static gboolean
has_value (LsArray *entry,
           guint    i,
           gint64   value)
{
  return ls_is_int_value (entry->items[i], value);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK);
  LsBlock *block = ls_sref_block (sref);
  LsBuffer *buffer = ls_legal_access_buffer (move, NULL, sref, BUFFER_INDEX, TRUE);
  LsArray *old = (LsArray *) ls_map_get (block->annotations, KEY);
  gint64 axis = ls_move_int (move, AXIS);
  gint64 index = ls_is (move->args[BUFFER_INDEX], INT_IMM) ? ls_move_int (move, BUFFER_INDEX) : index_of (block, buffer);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsArray) entry = NULL;
  g_autoptr(LsArray) entries = NULL;
  g_autoptr(LsMap) annotations = NULL;
  g_autoptr(LsBlock) fresh = NULL;

  axis += axis < 0 ? (gint64) ls_buffer_ndim (buffer) : 0;
  entry = ls_array_of (ls_int (index), ls_int (axis), ls_int (ls_move_int (move, FACTOR)), ls_int (ls_move_int (move, OFFSET)), NULL);
  for (guint i = 0; entries == NULL && i < ls_array_n (old); i++)
    if (has_value ((LsArray *) old->items[i], 0, index) && has_value ((LsArray *) old->items[i], 1, axis))
      entries = ls_array_with (old, i, entry);
  if (entries == NULL)
    entries = old != NULL ? ls_array_append (old, entry) : ls_array_of (ls_ref (entry), NULL);
  annotations = ls_map_set (block->annotations, KEY, entries);
  fresh = ls_block_with_annotations (block, annotations);
  ls_block_reuse_add (reuse, block, fresh);
  ls_state_replace (move->state, sref, fresh, reuse);
  return TRUE;
}

const LsInstruction ls_instruction_storage_align = {
  .name = "storage_align",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Aligns the stride of one dimension of a temporary buffer"),
  .condition = "The buffer is allocated by a block of the function and has that dimension; the factor is at least 1.",
  .source = "TVM v0.20 tir.Schedule.storage_align",
  .check = check,
  .apply = apply,
};
