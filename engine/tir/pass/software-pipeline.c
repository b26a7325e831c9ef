/* InjectSoftwarePipeline: the parts of a loop's body run as the stages of a pipeline.
 *
 *     for i in range (16, stage=[0, 1], order=[0, 1]):            B[0] = A[0]                              (prologue)
 *         B[0] = A[i]                                             for i in range (15):
 *         C[i] = B[0]                                     ->          B[(i + 1) % 2] = A[i + 1]
 *                                                                     C[i] = B[i % 2]
 *                                                                 C[15] = B[1]                             (epilogue)
 *
 * A part of stage s works on what stage 0 did s rounds before; within a round the parts run in their order.  A buffer of the body that is written in
 * one stage and read in a later one gets a version for each round in between (two where a block says so by double_buffer_scope).  Each
 * part becomes a block; so do prologue, body and epilogue, with regions of their own.  Fragments of tensor cores are counted by number, registers of a
 * warp by element: the version is added to what the call says.
 *
 * Parts of a stage that software_pipeline_async_stages names are marked as asynchronous (async_scope), in groups that are waited for
 * (pipeline-groups.c).  Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/pipeline.h"

#include "engine/arith/arith.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

typedef struct {
  GHashTable *doubled;
  GHashTable *threads;
  GError     *error;
} State;

static void
part_clear (gpointer data)
{
  ls_unref (((LsPipelinePart *) data)->block);
}

/* A block that always runs stands for itself. */
static LsBlock *
block_around (LsStmt *body)
{
  LsBlockRealize *realize = (LsBlockRealize *) body;
  LsBlock *block;

  if (ls_is (body, BLOCK_REALIZE) && ls_is_one (realize->predicate))
    {
      block = ls_ref (realize->block);
      ls_unref (body);
      return block;
    }
  return ls_block_around (body, NULL);
}

static LsStmt *
realized (LsBlock *block,
          LsExpr  *predicate)
{
  return (LsStmt *) ls_block_realize_new (NULL, predicate, block);
}

/* ---- prologue, body, epilogue ----------------------------------------------------------------- */

static LsStmt *
nothing (void)
{
  return realized (block_around (ls_evaluate_zero ()), ls_bool (TRUE));
}

static LsExpr *
plus (LsExpr *expr,
      gint64  number)
{
  return ls_add (ls_ref (expr), ls_const_int (ls_dtype (expr), number));
}

static void
round_free (gpointer data)
{
  LsPipelineRound *self = data;

  ls_unref (self->block);
  ls_unref (self->predicate);
  ls_unref (self->at);
  g_free (self);
}

static LsBlock *
marked (LsBlock *block)
{
  return ls_block_with_body (block, ls_attr_stmt_new (LS_NODE (ls_int (0)), "async_scope", ls_int (1), ls_ref (block->body)));
}

/* One part in the rounds [begin, ...), or NULL where none is one of its rounds. `round`: the variable of the loop or, for one
 * round, its value; `least`: rounds before it were in the prologue, NULL: none. */
static LsPipelineRound *
emit_part (LsPipeline     *self,
           LsPipelinePart *part,
           LsExpr         *begin,
           LsExpr         *round,
           gboolean        is_single,
           LsExpr         *least)
{
  LsFor *loop = self->loop;
  g_autoptr (LsExpr) at = ls_sub (ls_ref (round), ls_const_int (ls_dtype (round), part->stage));
  g_autoptr (LsExpr) late = ls_ge (ls_ref (at), ls_ref (loop->min));
  g_autoptr (LsExpr) inside = NULL;
  g_autoptr (LsExpr) outside = NULL;
  g_autoptr (LsExpr) shift = ls_sub (ls_ref (begin), ls_ref (loop->min));
  g_autoptr (LsNode) block = NULL;
  LsPipelineRound *result;

  ls_take (&late, ls_analyzer_simplify (self->analyzer, late));
  inside = ls_and (ls_ref (late), ls_lt (ls_ref (at), ls_add (ls_ref (loop->min), ls_ref (loop->extent))));
  if (least != NULL)
    {
      ls_take (&inside, ls_and (ls_ref (inside), ls_ge (ls_ref (round), ls_ref (least))));
      ls_take (&inside, ls_analyzer_simplify (self->analyzer, inside));
    }
  outside = ls_not (ls_ref (inside));
  if (ls_analyzer_can_prove (self->analyzer, outside))
    return NULL;
  if (!is_single)
    {
      g_autoptr (LsExpr) moved = ls_add (ls_ref (round), ls_ref (shift));

      ls_take (&inside, (LsExpr *) ls_substitute_one (inside, round, moved));
      ls_take (&at, ls_add (ls_ref (at), ls_ref (shift)));
    }
  block = ls_rewrite_with (part->block, ls_pipeline_version_filter, self);
  ls_take (&block, ls_substitute_one (block, loop->loop_var, at));
  if (part->is_async)
    ls_take (&block, LS_NODE (marked ((LsBlock *) block)));
  result = g_new0 (LsPipelineRound, 1);
  result->block = (LsBlock *) g_steal_pointer (&block);
  result->predicate = g_steal_pointer (&inside);
  result->at = g_steal_pointer (&at);
  result->stage = part->stage;
  result->is_async = part->is_async;
  return result;
}

static gint
compare_parts (gconstpointer a,
               gconstpointer b)
{
  gint64 x = (*(LsPipelinePart *const *) a)->order, y = (*(LsPipelinePart *const *) b)->order;

  return x < y ? -1 : x > y;
}

static LsMap *
kept_annotations (LsMap *annotations)
{
  g_autoptr (LsMap) kept = ls_map_remove (annotations, "software_pipeline_stage");
  g_autoptr (LsMap) rest = ls_map_remove (kept, "software_pipeline_order");

  return ls_map_remove (rest, "software_pipeline_async_stages");
}

/* The rounds [begin, end). */
static LsStmt *
emit (LsPipeline *self,
      LsExpr     *begin,
      LsExpr     *end,
      gboolean    unrolls,
      LsExpr     *least)
{
  LsFor *loop = self->loop;
  g_autoptr (LsExpr) extent = ls_sub (ls_ref (end), ls_ref (begin));
  g_autoptr (LsExpr) none = ls_le (ls_ref (extent), ls_const_int (ls_dtype (extent), 0)), one = ls_const_int (ls_dtype (extent), 1);
  g_autoptr (LsExpr) round = NULL;
  g_autoptr (GPtrArray) ordered = g_ptr_array_new ();
  g_autoptr (GPtrArray) rounds = g_ptr_array_new_with_free_func (round_free);
  g_autoptr (LsAnalyzer) written = ls_analyzer_new ();    /* knows the loop from its min on, as it will stand there */
  GPtrArray *stmts;
  gboolean is_single;
  LsStmt *body;

  if (ls_analyzer_can_prove (self->analyzer, none))
    return nothing ();
  is_single = ls_analyzer_can_prove_equal (self->analyzer, extent, one);
  round = is_single ? ls_ref (begin) : LS_EXPR (ls_var_copy (loop->loop_var, NULL));
  if (!is_single)
    {
      g_autoptr (LsRange) range = ls_range_new (ls_ref (begin), ls_ref (extent)), here = ls_range_new (ls_ref (loop->min), ls_ref (extent));

      ls_analyzer_bind_range (self->analyzer, (LsVar *) round, range, TRUE);
      ls_analyzer_bind_range (written, (LsVar *) round, here, TRUE);
    }
  for (guint i = 0; i < self->parts->len; i++)
    g_ptr_array_add (ordered, &g_array_index (self->parts, LsPipelinePart, i));
  g_ptr_array_sort (ordered, compare_parts);
  for (guint i = 0; i < ordered->len; i++)
    {
      LsPipelineRound *part = emit_part (self, ordered->pdata[i], begin, round, is_single, least);

      if (part != NULL)
        g_ptr_array_add (rounds, part);
    }
  if (rounds->len == 0)
    return nothing ();
  stmts = g_ptr_array_new ();
  ls_pipeline_queues_section (self->queues, rounds, written, extent, stmts);
  body = ls_seq (ls_array_take_ptr_array (stmts));
  if (!is_single)
    body = (LsStmt *) ls_for_new ((LsVar *) ls_ref (round), ls_ref (loop->min), ls_ref (extent), unrolls ? LS_FOR_UNROLLED : loop->kind, body, NULL,
                                  kept_annotations (loop->annotations));
  return realized (block_around (body), ls_bool (TRUE));
}

static LsStmt *
build (LsPipeline *self)
{
  LsFor *loop = self->loop;
  g_autoptr (LsExpr) full = plus (loop->min, self->last), over = ls_add (ls_ref (loop->min), ls_ref (loop->extent));
  g_autoptr (LsExpr) drained = plus (over, self->last), from = ls_ref (over), least = NULL;
  GPtrArray *allocations = g_ptr_array_new ();
  gint64 rounds;
  LsStmt *prologue, *body, *epilogue;

  if (!ls_as_int (loop->extent, &rounds))                      /* with fewer rounds than stages the prologue has been in some of the epilogue's */
    least = ls_ref (full);
  else if (rounds < self->last)
    ls_take (&from, ls_ref (full));
  prologue = emit (self, loop->min, full, TRUE, NULL);
  body = emit (self, full, over, FALSE, NULL);
  epilogue = emit (self, from, drained, TRUE, self->last > 1 ? least : NULL);
  for (guint i = 0; i < self->allocations->len; i++)
    {
      LsNode *fresh = g_hash_table_lookup (self->versions, self->allocations->pdata[i]);

      g_ptr_array_add (allocations, ls_node_ref (fresh != NULL ? fresh : self->allocations->pdata[i]));
    }
  return realized (ls_block_around (ls_seq_stmt_new (ls_array_of (prologue, body, epilogue, NULL)), ls_array_take_ptr_array (allocations)), ls_bool (TRUE));
}

/* ---- the loops ------------------------------------------------------------------------------------ */

static void
refuse (State      *state,
        const char *what)
{
  if (state->error == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_VALUE, ls_translate ("A software pipeline %s."), ls_translate (what));
}

static void
add_part (GArray *parts,
          LsNode *child)
{
  LsPipelinePart part = { block_around (ls_ref ((LsStmt *) child)), 0, 0, FALSE };

  g_array_append_val (parts, part);
}

static void
add_allocations (GPtrArray *buffers,
                 LsBlock   *block)
{
  for (guint i = 0; i < block->alloc_buffers->n; i++)
    g_ptr_array_add (buffers, block->alloc_buffers->items[i]);
}

/* The statements of the body, those of a block of statements each for itself. */
static gboolean
collect_parts (LsFor     *loop,
               GArray    *parts,
               GPtrArray *allocations)
{
  LsBlockRealize *realize = (LsBlockRealize *) loop->body;
  LsSeqStmt *body = (LsSeqStmt *) loop->body;

  if (ls_is (realize, BLOCK_REALIZE))
    {
      add_allocations (allocations, realize->block);
      body = (LsSeqStmt *) realize->block->body;
    }
  if (!ls_is (body, SEQ_STMT))
    return FALSE;
  for (guint i = 0; i < body->seq->n; i++)
    {
      LsBlockRealize *child = ls_array_at (body->seq, i, LsBlockRealize);
      LsSeqStmt *inner = ls_is (child, BLOCK_REALIZE) && ls_is_one (child->predicate) ? (LsSeqStmt *) child->block->body : NULL;

      if (!ls_is (inner, SEQ_STMT))
        {
          add_part (parts, LS_NODE (child));
          continue;
        }
      add_allocations (allocations, child->block);
      for (guint k = 0; k < inner->seq->n; k++)
        add_part (parts, inner->seq->items[k]);
    }
  return TRUE;
}

/* Does one of the parts write what the other touches? */
static gboolean
depend (LsPipeline     *self,
        LsPipelinePart *a,
        LsPipelinePart *b)
{
  for (guint side = 0; side < 2; side++)
    {
      LsPipelinePart *writer = side == 0 ? a : b, *other = side == 0 ? b : a;

      for (guint i = 0; i < writer->block->writes->n; i++)
        {
          LsBufferRegion *written = ls_array_at (writer->block->writes, i, LsBufferRegion), *read = ls_pipeline_region (other->block->reads, written->buffer);
          LsBufferRegion *also = ls_pipeline_region (other->block->writes, written->buffer);

          if ((read != NULL && ls_pipeline_may_meet (self, written, read)) || (also != NULL && ls_pipeline_may_meet (self, written, also)))
            return TRUE;
        }
    }
  return FALSE;
}

/* Marks the parts of stages that are named as asynchronous. */
static void
read_async (LsPipeline *self,
            State      *state)
{
  LsArray *stages = (LsArray *) ls_map_get (self->loop->annotations, "software_pipeline_async_stages");

  if (stages == NULL)
    return;
  if (!ls_is (stages, ARRAY))
    {
      refuse (state, LS_TEXT ("has numbers for asynchronous stages"));
      return;
    }
  for (guint i = 0; i < stages->n; i++)
    {
      gint64 stage;

      if (!ls_as_int (stages->items[i], &stage) || stage < 0 || stage > self->last)
        refuse (state, LS_TEXT ("has its own stages among the asynchronous ones"));
      for (guint k = 0; k < self->parts->len && state->error == NULL; k++)
        {
          LsPipelinePart *part = &g_array_index (self->parts, LsPipelinePart, k);

          part->is_async = part->is_async || part->stage == stage;
        }
    }
}

static gboolean
read_numbers (LsPipeline *self,
              State      *state)
{
  LsArray *stages = (LsArray *) ls_map_get (self->loop->annotations, "software_pipeline_stage");
  LsArray *orders = (LsArray *) ls_map_get (self->loop->annotations, "software_pipeline_order");

  if (!ls_is (stages, ARRAY) || !ls_is (orders, ARRAY) || stages->n != self->parts->len || orders->n != self->parts->len)
    {
      refuse (state, LS_TEXT ("has a stage and an order for each statement"));
      return FALSE;
    }
  for (guint i = 0; i < self->parts->len; i++)
    {
      LsPipelinePart *part = &g_array_index (self->parts, LsPipelinePart, i);

      if (!ls_as_int (stages->items[i], &part->stage) || !ls_as_int (orders->items[i], &part->order))
        refuse (state, LS_TEXT ("has numbers for stages and orders"));
      self->last = MAX (self->last, part->stage);
      for (guint k = 0; k < i; k++)
        {
          LsPipelinePart *other = &g_array_index (self->parts, LsPipelinePart, k);

          if (other->order == part->order)
            refuse (state, LS_TEXT ("gives each statement an order of its own"));
          else if (other->stage == part->stage && other->order > part->order && depend (self, other, part))
            refuse (state, LS_TEXT ("keeps the order of statements in one stage that depend on each other"));
        }
    }
  return state->error == NULL;
}

static LsNode *
pipeline (State *state,
          LsFor *loop)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (LsPipelinePart));
  g_autoptr (GPtrArray) allocations = g_ptr_array_new ();
  g_autoptr (GHashTable) versions = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GPtrArray) queues = NULL;
  LsPipeline self = { loop, parts, allocations, state->doubled, versions, state->threads, analyzer, 0, NULL };

  g_array_set_clear_func (parts, part_clear);
  if (!collect_parts (loop, parts, allocations))
    refuse (state, LS_TEXT ("has several statements as its body"));
  if (state->error != NULL || !read_numbers (&self, state))
    return ls_node_ref (LS_NODE (loop));
  read_async (&self, state);
  ls_pipeline_make_versions (&self);
  self.queues = queues = ls_pipeline_queues_new (self.last);
  return LS_NODE (build (&self));
}

static void
note_doubled (State   *state,
              LsBlock *block)
{
  LsNode *value = ls_map_get (block->annotations, "double_buffer_scope");
  gint64 i;

  if (value == NULL)
    return;
  if (!ls_as_int (value, &i) || i < 0 || i >= block->writes->n)
    refuse (state, LS_TEXT ("doubles a buffer that its block writes"));
  else
    g_hash_table_add (state->doubled, ls_array_at (block->writes, i, LsBufferRegion)->buffer);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  g_autoptr (LsNode) result = NULL;
  LsMap *annotations = ls_is (node, FOR) ? ((LsFor *) node)->annotations : NULL;
  gboolean has_stage = ls_map_get (annotations, "software_pipeline_stage") != NULL, has_order = ls_map_get (annotations, "software_pipeline_order") != NULL;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK))
    note_doubled (state, (LsBlock *) node);
  result = ls_rewrite_default (rewriter, node);
  if (has_stage != has_order)
    refuse (state, has_stage ? LS_TEXT ("has an order") : LS_TEXT ("has a stage"));
  if (!has_stage || !has_order || state->error != NULL)
    return g_steal_pointer (&result);
  return pipeline (state, (LsFor *) result);
}

static LsWalk
note_thread (LsNode   *node,
             gpointer  threads)
{
  if (ls_is (node, FOR) && ((LsFor *) node)->kind == LS_FOR_THREAD_BINDING)
    g_hash_table_add (threads, ((LsFor *) node)->loop_var);
  else if (ls_is (node, ATTR_STMT) && ls_is (((LsAttrStmt *) node)->subject, ITER_VAR))
    g_hash_table_add (threads, ((LsIterVar *) ((LsAttrStmt *) node)->subject)->var);
  return LS_WALK_CONTINUE;
}

LsPrimFunc *
ls_pass_inject_software_pipeline (LsPrimFunc  *func,
                                  GError     **error)
{
  g_autoptr (GHashTable) doubled = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) threads = g_hash_table_new (NULL, NULL);
  State state = { doubled, threads, NULL };
  g_autoptr (LsNode) body = NULL;
  g_autoptr (LsNode) unique = NULL;

  ls_walk (func->body, note_thread, NULL, threads);
  body = ls_rewrite_with (func->body, filter, &state);
  if (state.error != NULL)
    {
      g_propagate_error (error, state.error);
      return NULL;
    }
  unique = ls_stmt_convert_ssa (body);
  return ls_pass_with_body (func, unique);
}
