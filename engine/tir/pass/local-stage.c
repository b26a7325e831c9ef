/* ManifestSharedMemoryLocalStage: copies to shared memory go through registers of the thread.
 *
 *     with T.block ():                              with T.block ():
 *         S = T.alloc_buffer (..., "shared")            S = T.alloc_buffer (..., "shared")
 *         for i in range (8):                           S_local = T.alloc_buffer ((8, 4), "local")
 *             for j in T.vectorized (4):                for i in range (8):
 *                 with T.block ("S"):          ->           for j in T.vectorized (4):
 *                     S[...] = A[...]                           S_local[i, j] = A[...]
 *                                                       for i in range (8):
 *                                                           for j in T.vectorized (4):
 *                                                               S[...] = S_local[i, j]
 *
 * for blocks with the annotation tir.manifest_shared_memory_local_stage, which stand alone in loops inside of the block
 * that allocates.  The two halves can then be stages of a software pipeline.  Source of the concept: TVM's pass of the
 * same name. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

#define KEY "tir.manifest_shared_memory_local_stage"

/* A buffer that got a stage. */
typedef struct {
  LsBuffer *shared;             /* owned, all three */
  LsBuffer *local;
  LsStmt   *stage;
} Staged;

typedef struct {
  GPtrArray *around;            /* LsFor and LsBlockRealize, from outside; borrowed */
  GPtrArray *staged;            /* Staged */
  GError    *error;
} State;

static void
staged_free (gpointer data)
{
  Staged *self = data;

  ls_unref (self->shared);
  ls_unref (self->local);
  ls_unref (self->stage);
  g_free (self);
}

static void
fail (State      *state,
      LsBlock    *block,
      const char *rule)
{
  if (state->error == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_VALUE, ls_translate ("Block \"%s\", which is to have a local stage: %s"), block->name_hint, ls_translate (rule));
}

/* The loops between the block and the one that allocates its buffer, from inside; NULL with an error. */
static GPtrArray *
loops_of_copy (State    *state,
               LsBlock  *block,
               LsBuffer *shared)
{
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  LsNode *inner = state->around->pdata[state->around->len - 1];

  for (guint i = state->around->len - 1; i-- > 0;)
    {
      LsNode *place = state->around->pdata[i];
      LsFor *loop = (LsFor *) place;

      if (ls_is (place, BLOCK_REALIZE))
        {
          if (ls_array_index_of (((LsBlockRealize *) place)->block->alloc_buffers, shared) < 0)
            fail (state, block, LS_TEXT ("the shared memory has to be allocated by the block around it."));
          return g_steal_pointer (&loops);
        }
      if (loop->kind != LS_FOR_SERIAL && loop->kind != LS_FOR_VECTORIZED)
        fail (state, block, LS_TEXT ("the loops around it have to be serial or vectorized."));
      if (LS_NODE (loop->body) != inner)
        fail (state, block, LS_TEXT ("the loops around it must hold nothing else."));
      g_ptr_array_add (loops, loop);
      inner = place;
    }
  fail (state, block, LS_TEXT ("the shared memory has to be allocated by the block around it."));
  return g_steal_pointer (&loops);
}

static LsBuffer *
local_buffer (LsBuffer  *shared,
              GPtrArray *loops)
{
  g_autofree char *data = g_strconcat (shared->data->name, "_local", NULL);
  g_autofree char *name = g_strconcat (shared->name, "_local", NULL);
  GPtrArray *shape = g_ptr_array_new ();

  for (guint i = loops->len; i-- > 0;)
    g_ptr_array_add (shape, ls_ref (((LsFor *) loops->pdata[i])->extent));
  return ls_buffer_new_full (ls_pointer_var_new (data, shared->dtype, "local"), shared->dtype, ls_array_take_ptr_array (shape), NULL, NULL, name,
                             shared->data_alignment, shared->offset_factor, shared->buffer_type, NULL);
}

static LsArray *
rounds (GPtrArray *loops)
{
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = loops->len; i-- > 0;)
    {
      LsFor *loop = loops->pdata[i];

      g_ptr_array_add (indices, ls_add (ls_ref (loop->min), LS_EXPR (ls_ref (loop->loop_var))));
    }
  return ls_array_take_ptr_array (indices);
}

/* The loops again, with variables of their own, around the copy to the local buffer. */
static LsStmt *
make_stage (LsBlock        *block,
            LsBlockRealize *realize,
            LsBufferStore  *store,
            LsBuffer       *local,
            LsArray        *indices,
            GPtrArray      *loops)
{
  g_autoptr (GHashTable) fresh = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  GPtrArray *points = g_ptr_array_new ();
  LsArray *writes;
  g_autoptr (LsNode) stage = NULL;

  for (guint i = 0; i < indices->n; i++)
    g_ptr_array_add (points, ls_range_new (ls_ref (ls_array_at (indices, i, LsExpr)), ls_const_int (ls_dtype (indices->items[i]), 1)));
  writes = ls_array_of (ls_buffer_region_new (ls_ref (local), ls_array_take_ptr_array (points)), NULL);
  stage = ls_buffer_store_new (ls_ref (local), ls_ref (store->value), ls_ref (indices), NULL);
  stage = LS_STMT (ls_block_realize_new (NULL, ls_ref (realize->predicate),
                                         ls_block_new (NULL, ls_ref (block->reads), writes, "", stage, NULL, NULL, NULL, NULL)));
  for (guint i = 0; i < loops->len; i++)
    {
      LsFor *loop = loops->pdata[i];
      LsVar *var = ls_var_copy (loop->loop_var, NULL);

      g_hash_table_insert (fresh, loop->loop_var, ls_ref (var));
      stage = LS_STMT (ls_for_new (var, ls_ref (loop->min), ls_ref (loop->extent), loop->kind, stage, NULL, ls_ref (loop->annotations)));
    }
  return (LsStmt *) ls_substitute (stage, fresh);
}

/* The block, which now copies from the local buffer; what goes before it is noted. */
static LsNode *
stage_copy (State   *state,
            LsBlock *block)
{
  LsBufferStore *store = (LsBufferStore *) block->body;
  LsBlockRealize *realize = state->around->pdata[state->around->len - 1];
  g_autoptr (GPtrArray) loops = NULL;
  g_autoptr (LsArray) indices = NULL;
  g_autoptr (LsMap) annotations = NULL;
  LsBuffer *local;
  LsStmt *body;
  Staged *staged;

  if (!ls_is (store, BUFFER_STORE) || !g_str_has_prefix (ls_buffer_scope (store->buffer), "shared"))
    {
      fail (state, block, LS_TEXT ("its body has to be one store to shared memory."));
      return ls_node_ref (LS_NODE (block));
    }
  loops = loops_of_copy (state, block, store->buffer);
  if (state->error != NULL)
    return ls_node_ref (LS_NODE (block));
  local = local_buffer (store->buffer, loops);
  indices = rounds (loops);
  staged = g_new0 (Staged, 1);
  staged->shared = ls_ref (store->buffer);
  staged->local = local;
  staged->stage = make_stage (block, realize, store, local, indices, loops);
  g_ptr_array_add (state->staged, staged);
  annotations = ls_map_remove (block->annotations, KEY);
  body = ls_node_set_span (ls_buffer_store_new (ls_ref (store->buffer), LS_EXPR (ls_buffer_load_new (ls_ref (local), ls_ref (indices), NULL)),
                                                ls_ref (store->indices), ls_ref (store->predicate)),
                           store->node.span);
  return LS_NODE (ls_block_new (ls_ref (block->iter_vars), ls_ref (block->reads), ls_ref (block->writes), block->name_hint, body, ls_ref (block->init),
                                ls_ref (block->alloc_buffers), ls_ref (block->match_buffers), g_steal_pointer (&annotations)));
}

/* A block that may allocate: stages that became known in a part of its body go before that part. */
static LsNode *
insert_stages (LsRewriter *rewriter,
               State      *state,
               LsBlock    *block)
{
  LsArray *seq = ls_is (block->body, SEQ_STMT) ? ls_ref (((LsSeqStmt *) block->body)->seq) : ls_array_of (ls_ref (block->body), NULL);
  g_autoptr (LsArray) parts = seq;
  GPtrArray *body = g_ptr_array_new ();
  GPtrArray *buffers = g_ptr_array_new ();

  for (guint i = 0; i < block->alloc_buffers->n; i++)
    g_ptr_array_add (buffers, ls_ref (ls_array_at (block->alloc_buffers, i, LsBuffer)));
  for (guint i = 0; i < parts->n; i++)
    {
      guint before = state->staged->len;
      LsNode *part = ls_rewrite (rewriter, parts->items[i]);

      for (guint j = before; j < state->staged->len; j++)
        {
          Staged *staged = state->staged->pdata[j];

          if (ls_array_index_of (block->alloc_buffers, staged->shared) < 0)
            continue;
          g_ptr_array_add (body, ls_ref (staged->stage));
          g_ptr_array_add (buffers, ls_ref (staged->local));
        }
      g_ptr_array_add (body, part);
    }
  return LS_NODE (ls_block_new (ls_ref (block->iter_vars), ls_ref (block->reads), ls_ref (block->writes), block->name_hint,
                                ls_seq (ls_array_take_ptr_array (body)), ls_ref (block->init), ls_array_take_ptr_array (buffers),
                                ls_ref (block->match_buffers), ls_ref (block->annotations)));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *result;

  if (ls_is_expr (node) || !(node->facts & LS_FACT_HAS_BLOCK))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK))
    return ls_map_get (((LsBlock *) node)->annotations, KEY) != NULL ? stage_copy (state, (LsBlock *) node)
                                                                     : insert_stages (rewriter, state, (LsBlock *) node);
  if (!ls_is (node, FOR) && !ls_is (node, BLOCK_REALIZE))
    return ls_rewrite_default (rewriter, node);
  g_ptr_array_add (state->around, node);
  result = ls_rewrite_default (rewriter, node);
  g_ptr_array_set_size (state->around, state->around->len - 1);
  return result;
}

static LsWalk
find_annotated (LsNode   *node,
                gpointer  user_data)
{
  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (!ls_is (node, BLOCK) || ls_map_get (((LsBlock *) node)->annotations, KEY) == NULL)
    return LS_WALK_CONTINUE;
  *(gboolean *) user_data = TRUE;
  return LS_WALK_STOP;
}

LsPrimFunc *
ls_pass_manifest_shared_memory_local_stage (LsPrimFunc  *func,
                                            GError     **error)
{
  g_autoptr (GPtrArray) around = g_ptr_array_new ();
  g_autoptr (GPtrArray) staged = g_ptr_array_new_with_free_func (staged_free);
  State state = { around, staged, NULL };
  g_autoptr (LsNode) body = NULL;
  gboolean any = FALSE;

  ls_walk (func->body, find_annotated, NULL, &any);
  if (!any)
    return ls_ref (func);
  body = ls_rewrite_with (func->body, filter, &state);
  if (state.error != NULL)
    {
      g_propagate_error (error, state.error);
      return NULL;
    }
  return ls_pass_with_body (func, body);
}
