/* buffer: conditions of the buffers that a primitive names: which one is meant, where it is allocated, who writes it, what covers what is read. */
#include "engine/schedule/legal/legal.h"

#include "engine/base/plural.h"
#include "engine/script/printer.h"

static const char *
list_name (gboolean writes)
{
  return ls_translate (writes ? "writes" : "reads");
}

static LsBuffer *
buffer_of_index (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 LsSref        *block,
                 gint64         index,
                 gboolean       writes)
{
  LsArray *regions = writes ? ls_sref_block (block)->writes : ls_sref_block (block)->reads;
  guint n = ls_array_n (regions);

  if (index >= 0 && index < n)
    return ls_array_at (regions, index, LsBufferRegion)->buffer;
  ls_move_refuse (move, diagnostics, "buffer-index", block->stmt,
                  writes ? ls_translate_plural ("Block %s writes %u buffer, so there is no number %" PRId64 ".", "Block %s writes %u buffers, so there is no number %" PRId64 ".", n)
                         : ls_translate_plural ("Block %s reads %u buffer, so there is no number %" PRId64 ".", "Block %s reads %u buffers, so there is no number %" PRId64 ".", n),
                  ls_sref_name (block), n, index);
  return NULL;
}

static LsBuffer *
buffer_of_name (LsMove        *move,
                LsDiagnostics *diagnostics,
                LsSref        *block,
                const char    *name,
                gboolean       writes)
{
  LsArray *regions = writes ? ls_sref_block (block)->writes : ls_sref_block (block)->reads;

  for (guint i = 0; i < ls_array_n (regions); i++)
    if (strcmp (ls_array_at (regions, i, LsBufferRegion)->buffer->name, name) == 0)
      return ls_array_at (regions, i, LsBufferRegion)->buffer;
  ls_move_refuse (move, diagnostics, "buffer-name", block->stmt, "Block %s %s no buffer named %s.",
                  ls_sref_name (block), list_name (writes), name);
  return NULL;
}

typedef struct {
  LsBuffer *buffer;
  gboolean  found;
} OutsideSearch;

static LsWalk
look_outside (LsNode   *node,
              gpointer  user_data)
{
  OutsideSearch *self = user_data;

  if (ls_is (node, BLOCK_REALIZE))
    {
      ls_walk (((LsBlockRealize *) node)->predicate, look_outside, NULL, self);
      return self->found ? LS_WALK_STOP : LS_WALK_PRUNE;
    }
  self->found |= (ls_is (node, BUFFER_STORE) && ((LsBufferStore *) node)->buffer == self->buffer) ||
                 (ls_is (node, BUFFER_LOAD) && ((LsBufferLoad *) node)->buffer == self->buffer);
  return self->found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* Warns where a statement of the scope that stands in no block, or the condition of a block, uses the buffer: who makes and who needs it is told by blocks alone. */
static void
doubt_outside (LsMove        *move,
               LsDiagnostics *diagnostics,
               LsSref        *block,
               LsBuffer      *buffer)
{
  OutsideSearch search = { buffer, FALSE };
  LsSref *root = block->parent;

  while (root != NULL && !root->is_block)
    root = root->parent;
  if (root != NULL)
    ls_walk (ls_sref_block (root)->body, look_outside, NULL, &search);
  if (search.found)
    ls_move_warn (move, diagnostics, "outside-blocks", block->stmt, "%s is also used outside of blocks, by a statement or a block's condition, which the step does not look at.", buffer->name);
}

static LsBuffer *
find_access_buffer (LsMove        *move,
                    LsDiagnostics *diagnostics,
                    LsSref        *block,
                    guint          param,
                    gboolean       writes)
{
  LsNode *arg = move->args[param];
  gint64 index;

  if (ls_is (arg, STRING))
    return buffer_of_name (move, diagnostics, block, ((LsString *) arg)->value, writes);
  if (ls_is (arg, ARRAY) && ((LsArray *) arg)->n == 2 && ls_is (((LsArray *) arg)->items[0], STRING))
    {
      writes = strcmp (((LsString *) ((LsArray *) arg)->items[0])->value, "write") == 0;
      arg = ((LsArray *) arg)->items[1];
    }
  if (ls_as_int (arg, &index))
    return buffer_of_index (move, diagnostics, block, index, writes);
  ls_move_refuse (move, diagnostics, "buffer-index", block->stmt, "%s has to be a number, a name or (\"read\", 0).",
                  move->instruction->params[param].name);
  return NULL;
}

LsBuffer *
ls_legal_access_buffer (LsMove        *move,
                        LsDiagnostics *diagnostics,
                        LsSref        *block,
                        guint          param,
                        gboolean       writes)
{
  LsBuffer *buffer = find_access_buffer (move, diagnostics, block, param, writes);

  if (buffer != NULL && diagnostics != NULL)
    doubt_outside (move, diagnostics, block, buffer);
  return buffer;
}

LsBuffer *
ls_legal_buffer_access (LsMove        *move,
                        LsDiagnostics *diagnostics,
                        LsSref        *block,
                        guint          param,
                        gboolean      *is_write)
{
  LsNode *arg = move->args[param];
  LsArray *pair = (LsArray *) arg;

  *is_write = FALSE;
  if (ls_is (arg, ARRAY) && pair->n == 2 && ls_is (pair->items[0], STRING))
    *is_write = strcmp (((LsString *) pair->items[0])->value, "write") == 0;
  if (ls_is (arg, STRING) && buffer_of_name (move, NULL, block, ((LsString *) arg)->value, TRUE) != NULL)
    *is_write = TRUE;           /* of a buffer that is read and written, it is the write */
  return ls_legal_access_buffer (move, diagnostics, block, param, *is_write);
}

gboolean
ls_legal_allocated (LsMove         *move,
                    LsDiagnostics  *diagnostics,
                    LsSref         *block,
                    LsBuffer       *buffer,
                    LsSref        **site)
{
  for (LsSref *p = block; p != NULL; p = p->parent)
    if (p->is_block && ls_array_index_of (ls_sref_block (p)->alloc_buffers, buffer) >= 0)
      {
        *site = p;
        return TRUE;
      }
  ls_move_refuse (move, diagnostics, "not-allocated", block->stmt,
                  "%s is a parameter or a view, not a buffer that a block allocates.", buffer->name);
  return FALSE;
}

gboolean
ls_legal_not_view (LsMove         *move,
                   LsDiagnostics  *diagnostics,
                   LsSref         *block,
                   LsBuffer       *buffer,
                   LsSref        **site)
{
  *site = NULL;
  for (LsSref *p = block; p != NULL && *site == NULL; p = p->parent)
    {
      if (!p->is_block)
        continue;
      if (ls_array_index_of (ls_sref_block (p)->alloc_buffers, buffer) >= 0)
        *site = p;
      for (guint i = 0; i < ls_array_n (ls_sref_block (p)->match_buffers); i++)
        if (ls_array_at (ls_sref_block (p)->match_buffers, i, LsMatchBufferRegion)->buffer == buffer)
          {
            ls_move_refuse (move, diagnostics, "view", block->stmt, "%s is a view of another buffer; %s needs that one.", buffer->name,
                            move->instruction->name);
            return FALSE;
          }
    }
  return TRUE;
}

static gboolean
scope_is_known (const char *scope)
{
  static const char *const names[] = {
    "global", "shared", "warp", "local", "wmma.matrix_a", "wmma.matrix_b", "wmma.accumulator", "texture", "amx.tmm",
    "m16n8k8.matrixA", "m16n8k8.matrixB", "m16n8k8.matrixC", "metal.simdgroup",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (scope, names[i]))
      return TRUE;
  return *scope == '\0';
}

gboolean
ls_legal_storage_scope (LsMove        *move,
                        LsDiagnostics *diagnostics,
                        const char    *scope)
{
  if (scope_is_known (scope))
    return TRUE;
  ls_move_refuse (move, diagnostics, "unknown-scope", NULL, "\"%s\" is no storage scope; there are global, shared, local and others.", scope);
  return FALSE;
}

gboolean
ls_legal_cover (LsMove        *move,
                LsDiagnostics *diagnostics,
                LsSref        *root,
                LsBuffer      *buffer)
{
  g_autoptr(GPtrArray) readers = ls_state_readers (move->state, root, buffer);
  gboolean legal = TRUE;

  for (guint i = 0; i < readers->len; i++)
    {
      LsSref *block = readers->pdata[i];

      if (block->region_cover)
        continue;
      ls_move_refuse (move, diagnostics, "not-covered", block->stmt,
                      "Block %s reads more of %s than is written before it.", ls_sref_name (block), buffer->name);
      legal = FALSE;
    }
  return legal;
}

gboolean
ls_legal_one_writer (LsMove         *move,
                     LsDiagnostics  *diagnostics,
                     LsSref         *root,
                     LsBuffer       *buffer,
                     LsSref        **writer)
{
  g_autoptr(GPtrArray) writers = ls_state_writers (move->state, root, buffer);
  LsDiagnostic *finding;

  *writer = writers->len > 0 ? writers->pdata[0] : NULL;
  if (writers->len < 2)
    return TRUE;
  finding = ls_move_refuse (move, diagnostics, "several-writers", (*writer)->stmt,
                            "%s is written by %u blocks; one may write it.", buffer->name, writers->len);
  for (guint i = 1; i < writers->len; i++)
    ls_move_add_culprit (move, finding, ((LsSref *) writers->pdata[i])->stmt);
  return FALSE;
}

gboolean
ls_legal_single_child (LsMove         *move,
                       LsDiagnostics  *diagnostics,
                       LsSref         *loop,
                       LsSref        **block)
{
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (move->state, loop);

  *block = blocks->len > 0 ? blocks->pdata[0] : NULL;
  if (blocks->len == 1)
    return TRUE;
  ls_move_refuse (move, diagnostics, "not-one-block", loop->stmt, "Loop %s holds %u blocks; %s needs a loop with one.",
                  ls_sref_name (loop), blocks->len, move->instruction->name);
  return FALSE;
}
