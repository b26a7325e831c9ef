/* pipeline-groups: which asynchronous parts of a software pipeline make a group, and how many groups may be under way where a part waits for one.
 *
 *     with T.attr (0, "async_commit_queue_scope", 0):          neighbours of one stage make a group
 *         with T.attr (0, "async_scope", 1): S[(i + 1) % 2] = A[i + 1]
 *     with T.attr (0, "async_wait_queue_scope", 0):            of the queue of stage 0
 *         with T.attr (0, "async_wait_inflight_count", 1):     one group was begun since the one that is read
 *             C[i] = S[i % 2]
 *
 * Each stage has a queue.  A part that reads what a stage wrote i rounds ago may leave the groups of i rounds under way: the round that the stage works on
 * (its head) less the round that is read, for each group of the stage that is read.  In the epilogue, where the stage begins no group any
 * more, the head is the round that it got to, as long as it is sure that it ran in all of them.  Where the stage runs in some of the rounds
 * only, the number is good in these; else all are waited for.  A device with one queue may take the number of any of them: it waits for more. */
#include "engine/tir/pass/pipeline.h"

#include "engine/tir/pass/parts.h"

typedef struct {
  GHashTable *buffers;          /* LsBuffer that the stage writes asynchronously -> number of its group in this section, from 1 on; 0: none yet */
  LsExpr     *reached;          /* the round that it got to in all sections before; NULL: not known */
  guint       fewest;           /* groups of a round, in all sections before */
  /* of this section */
  LsExpr     *head;             /* the round it works on, NULL: it does not run; borrowed */
  LsExpr     *predicate;        /* when it runs */
  GHashTable *seen;             /* LsBuffer that it wrote in this round, so far */
  guint       n_groups;
  gboolean    is_read;          /* since its last group began; behind the section: by anybody */
  gint        wait_at;          /* of the last wait for it; -1: none */
  LsExpr     *count;            /* of that wait */
  guint       last_begun;       /* the part that began its last group, so far */
} Queue;

static void
queue_free (gpointer data)
{
  Queue *self = data;

  g_hash_table_unref (self->buffers);
  g_hash_table_unref (self->seen);
  ls_unref (self->reached);
  ls_unref (self->predicate);
  ls_unref (self->count);
  g_free (self);
}

GPtrArray *
ls_pipeline_queues_new (gint64 last)
{
  GPtrArray *queues = g_ptr_array_new_with_free_func (queue_free);

  for (gint64 i = 0; i <= last; i++)
    {
      Queue *queue = g_new0 (Queue, 1);

      queue->buffers = g_hash_table_new (NULL, NULL);
      queue->seen = g_hash_table_new (NULL, NULL);
      queue->reached = ls_int (-1);
      queue->fewest = G_MAXUINT;
      g_ptr_array_add (queues, queue);
    }
  return queues;
}

static void
drop (LsExpr **expr)
{
  ls_unref (*expr);
  *expr = NULL;
}

static void
begin_section (Queue *self)
{
  GHashTableIter iter;

  g_hash_table_iter_init (&iter, self->buffers);
  while (g_hash_table_iter_next (&iter, NULL, NULL))
    g_hash_table_iter_replace (&iter, NULL);
  self->head = NULL;
  drop (&self->predicate);
  drop (&self->count);
  g_hash_table_remove_all (self->seen);
  self->n_groups = self->last_begun = 0;
  self->is_read = FALSE;
  self->wait_at = -1;
}

static LsPipelineRound *
round_at (GPtrArray *rounds,
          guint      i)
{
  return rounds->pdata[i];
}

static gboolean
reads_from (LsPipelineRound *round,
            Queue           *queue)
{
  for (guint k = 0; k < round->block->reads->n; k++)
    if (g_hash_table_contains (queue->buffers, ls_array_at (round->block->reads, k, LsBufferRegion)->buffer))
      return TRUE;
  return FALSE;
}

/* ---- groups ------------------------------------------------------------------------------------------ */

/* Does the part read what the group that it would join wrote? */
static gboolean
reads_group (LsPipelineRound *round,
             Queue           *queue)
{
  for (guint k = 0; k < round->block->reads->n; k++)
    {
      gpointer group = g_hash_table_lookup (queue->buffers, ls_array_at (round->block->reads, k, LsBufferRegion)->buffer);

      if (group != NULL && GPOINTER_TO_UINT (group) == queue->n_groups)
        return TRUE;
    }
  return FALSE;
}

static void
add_to_group (Queue           *queue,
              LsPipelineRound *round,
              LsAnalyzer      *rounds)
{
  round->begins = queue->n_groups == 0 || queue->is_read || reads_group (round, queue);
  queue->n_groups += round->begins;
  queue->is_read = FALSE;
  for (guint k = 0; k < round->block->writes->n; k++)
    g_hash_table_insert (queue->buffers, ls_array_at (round->block->writes, k, LsBufferRegion)->buffer, GUINT_TO_POINTER (queue->n_groups));
  queue->head = round->at;
  if (queue->predicate == NULL || ls_analyzer_can_prove (rounds, queue->predicate))
    {
      ls_unref (queue->predicate);
      queue->predicate = ls_ref (round->predicate);
      return;
    }
  ls_take (&queue->predicate, ls_and (ls_ref (queue->predicate), ls_ref (round->predicate)));
  ls_take (&queue->predicate, ls_analyzer_simplify (rounds, queue->predicate));
}

static void
find_groups (GPtrArray  *queues,
             GPtrArray  *rounds,
             LsAnalyzer *analyzer)
{
  for (guint i = 0; i < rounds->len; i++)
    {
      LsPipelineRound *round = round_at (rounds, i);

      if (round->is_async)
        add_to_group (queues->pdata[round->stage], round, analyzer);
      for (gint64 stage = 0; stage <= round->stage; stage++)
        if (reads_from (round, queues->pdata[stage]))
          ((Queue *) queues->pdata[stage])->is_read = TRUE;
    }
}

/* ---- waits ------------------------------------------------------------------------------------------- */

/* The rounds from `at` to `head`; NULL: not known. (transfer full) */
static LsExpr *
rounds_since (LsExpr     *head,
              LsExpr     *at,
              LsAnalyzer *analyzer)
{
  g_autoptr (LsExpr) known = head != NULL ? ls_ge (ls_ref (head), ls_const_int (ls_dtype (head), 0)) : NULL;
  g_autoptr (LsExpr) apart = NULL;

  if (known == NULL || !ls_analyzer_can_prove (analyzer, known))
    return NULL;
  apart = ls_sub (ls_ref (head), ls_ref (at));
  return ls_analyzer_simplify (analyzer, apart);
}

/* How many groups may be under way where a part reads what the queue's stage wrote.  Where a round of an earlier section has fewer groups than one of this,
 * neighbours there that are none here, only one of each round is sure (TVM's pass counts on all: it waits too little then). (transfer full) */
static LsExpr *
groups_since (Queue           *queue,
              LsPipelineRound *reader,
              LsAnalyzer      *analyzer)
{
  g_autoptr (LsExpr) all = NULL;
  g_autoptr (LsExpr) least = NULL;
  g_autoptr (GHashTable) counted = g_hash_table_new (NULL, NULL);

  if (queue->head == NULL)
    all = rounds_since (queue->reached, reader->at, analyzer);
  for (guint k = 0; k < reader->block->reads->n && queue->head != NULL; k++)
    {
      LsBuffer *buffer = ls_array_at (reader->block->reads, k, LsBufferRegion)->buffer;
      gpointer group = g_hash_table_lookup (queue->buffers, buffer);
      g_autoptr (LsExpr) before = NULL;
      g_autoptr (LsExpr) one = NULL;

      if (group == NULL || !g_hash_table_add (counted, group))
        continue;
      before = ls_sub (ls_ref (queue->head), ls_const_int (ls_dtype (queue->head), 1));        /* the last that was begun, if this round's is not yet */
      one = rounds_since (g_hash_table_contains (queue->seen, buffer) ? queue->head : before, reader->at, analyzer);
      if (one == NULL)
        return ls_int (0);
      ls_take (&all, all != NULL ? ls_add (ls_ref (all), ls_ref (one)) : ls_ref (one));
      ls_take (&least, least != NULL ? ls_min (ls_ref (least), ls_ref (one)) : ls_ref (one));
    }
  if (least != NULL && queue->fewest < queue->n_groups)
    return g_steal_pointer (&least);
  return all != NULL ? g_steal_pointer (&all) : ls_int (0);
}

static LsStmt *
zero_attr (const char *key,
           LsExpr     *value,
           LsStmt     *body)
{
  return ls_attr_stmt_new (LS_NODE (ls_int (0)), key, value, body);
}

static void
attach_wait (GPtrArray  *rounds,
             Queue      *queue,
             gint64      stage,
             LsAnalyzer *analyzer)
{
  LsPipelineRound *reader;
  LsExpr *count;

  if (queue->wait_at < 0)
    return;
  reader = round_at (rounds, (guint) queue->wait_at);
  count = ls_ref (queue->count);
  if (queue->predicate != NULL && !ls_is_zero (count) && !ls_analyzer_can_prove (analyzer, queue->predicate))
    count = ls_call_op ("tir.if_then_else", LS_INT32, ls_array_of (ls_ref (queue->predicate), count, ls_int (0), NULL));
  ls_take (&reader->block, ls_block_with_body (reader->block, zero_attr ("async_wait_queue_scope", ls_int (stage),
      zero_attr ("async_wait_inflight_count", count, ls_ref (reader->block->body)))));
  queue->wait_at = -1;
}

/* A wait that stands before this one may serve for both, if no group was begun in between. */
static void
note_wait (GPtrArray  *rounds,
           guint       at,
           Queue      *queue,
           gint64      stage,
           LsAnalyzer *analyzer)
{
  g_autoptr (LsExpr) count = groups_since (queue, round_at (rounds, at), analyzer);

  if (queue->wait_at >= 0 && queue->last_begun <= (guint) queue->wait_at)
    {
      g_autoptr (LsExpr) enough = ls_le (ls_ref (queue->count), ls_ref (count)), less = ls_lt (ls_ref (count), ls_ref (queue->count));

      if (ls_analyzer_can_prove (analyzer, enough))
        return;
      if (ls_analyzer_can_prove (analyzer, less))
        {
          ls_take (&queue->count, ls_ref (count));
          return;
        }
    }
  attach_wait (rounds, queue, stage, analyzer);
  queue->wait_at = (gint) at;
  ls_unref (queue->count);
  queue->count = g_steal_pointer (&count);
}

static void
find_waits (GPtrArray  *queues,
            GPtrArray  *rounds,
            LsAnalyzer *analyzer)
{
  for (guint i = 0; i < rounds->len; i++)
    {
      LsPipelineRound *round = round_at (rounds, i);
      Queue *own = queues->pdata[round->stage];

      for (guint k = 0; k < round->block->writes->n && round->is_async; k++)
        g_hash_table_add (own->seen, ls_array_at (round->block->writes, k, LsBufferRegion)->buffer);
      for (gint64 stage = 0; stage <= round->stage; stage++)
        if (reads_from (round, queues->pdata[stage]))
          note_wait (rounds, i, queues->pdata[stage], stage, analyzer);
      if (round->is_async)
        own->last_begun = i + 1;
    }
  for (guint stage = 0; stage < queues->len; stage++)
    attach_wait (rounds, queues->pdata[stage], stage, analyzer);
}

/* ---- statements -------------------------------------------------------------------------------------- */

/* Does the part go on with the group of the one in front of it? */
static gboolean
goes_on (GPtrArray *rounds,
         guint      i)
{
  LsPipelineRound *before = i > 0 ? round_at (rounds, i - 1) : NULL, *round = round_at (rounds, i);

  return before != NULL && before->is_async && round->is_async && before->stage == round->stage && !round->begins;
}

void
ls_pipeline_queues_section (GPtrArray  *queues,
                            GPtrArray  *rounds,
                            LsAnalyzer *analyzer,
                            LsExpr     *extent,
                            GPtrArray  *stmts)
{
  for (guint stage = 0; stage < queues->len; stage++)
    begin_section (queues->pdata[stage]);
  find_groups (queues, rounds, analyzer);
  find_waits (queues, rounds, analyzer);
  for (guint i = 0; i < rounds->len;)
    {
      LsPipelineRound *round = round_at (rounds, i);
      GPtrArray *bodies;

      if (!round->is_async)
        {
          g_ptr_array_add (stmts, ls_block_realize_new (NULL, ls_ref (round->predicate), ls_ref (round->block)));
          i++;
          continue;
        }
      bodies = g_ptr_array_new ();
      do
        g_ptr_array_add (bodies, ls_ref (round_at (rounds, i)->block->body));
      while (++i < rounds->len && goes_on (rounds, i));
      g_ptr_array_add (stmts, ls_block_realize_new (NULL, ls_ref (round->predicate),
          ls_block_around (zero_attr ("async_commit_queue_scope", ls_int (round->stage), ls_seq (ls_array_take_ptr_array (bodies))), NULL)));
    }
  for (guint stage = 0; stage < queues->len; stage++)
    {
      Queue *queue = queues->pdata[stage];
      gboolean sure = queue->predicate != NULL && ls_analyzer_can_prove (analyzer, queue->predicate);

      if (queue->head == NULL && !queue->is_read)       /* nobody has to do with it here */
        continue;
      if (queue->head != NULL)
        queue->fewest = MIN (queue->fewest, queue->n_groups);
      if (sure && queue->reached != NULL)
        ls_take (&queue->reached, ls_add (ls_ref (queue->reached), ls_ref (extent)));
      else
        drop (&queue->reached);
    }
}
