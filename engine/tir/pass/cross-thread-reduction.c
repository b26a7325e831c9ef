/* LowerCrossThreadReduction: a reduction over threads becomes one of each thread and one across them.
 *
 *     for ko: for ki in thread ("threadIdx.x"):          for ki in thread ("threadIdx.x"):
 *         B[i] = B[i] + A[i, ko * 32 + ki]         ->        in_thread[0] = 0
 *                                                            for ko: in_thread[0] = in_thread[0] + A[i, ko * 32 + ki]
 *                                                            T.tvm_thread_allreduce (1, in_thread[0], True, cross_thread[0], ki)
 *                                                            if ki == 0: B[i] = cross_thread[0]
 *
 * Such a block has an init, affine bindings, and reduction iterators that loops over threads touch; it is the only writer of
 * its output.  The loops over its reduction iterators are the innermost ones around it, and bound to threadIdx only.  Without serial loops
 * and predicate the threads reduce at once, without a sum of their own.  What is
 * local each thread has; a block that uses a result outside of loops over these threads is run by the first of them (thread-broadcast.h).
 * Source of the concept: TVM's pass of the same name. */
#include "engine/arith/iter-map.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/pass/thread-broadcast.h"
#include "engine/tir/reducer.h"

#include <string.h>

typedef struct {
  GPtrArray  *blocks;           /* LsBlock around the place */
  GPtrArray  *loops;            /* LsFor around the place, inside of the innermost block */
  GPtrArray  *stmts;            /* statements around the place, sequences left out */
  guint       n_bound;          /* of them, loops bound to threads */
  GHashTable *replaced;         /* LsFor -> LsStmt that takes its place; owned */
  GHashTable *allocated;        /* LsBlock -> GPtrArray of new LsBuffer; owned */
  GHashTable *writers;          /* LsBlock -> GHashTable of LsBuffer -> how many blocks of the scope write it */
  GHashTable *results;          /* of thread-broadcast.h */
  LsAnalyzer *analyzer;
  GError     *error;
} State;

/* One reduction across threads. */
typedef struct {
  LsBlockRealize *realize;
  LsBlock        *block;
  GPtrArray      *loops;        /* LsFor over reduction iterators, the outermost first */
  LsReducer       reducer;
  gboolean        has_sum;      /* each thread reduces first */
  GPtrArray      *own;          /* LsBuffer: the sums of each thread; owned */
  GPtrArray      *cross;        /* LsBuffer: the results; owned */
} Reduction;

static void
refuse (State      *state,
        LsBlock    *block,
        const char *why)
{
  if (state->error == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_VALUE, ls_translate ("The block `%s` reduces over threads: %s."), block->name_hint, ls_translate (why));
}

/* ---- which blocks ------------------------------------------------------------------------ */

/* Each instance is one round of the loops at most.  A predicate that ties several variables together (rfactor makes such ones) is no bound of one iterator; it
 * leaves out rounds, and those that are left are different as before. */
static gboolean
is_affine (State          *state,
           LsBlockRealize *realize)
{
  g_autoptr (LsDomMap) dom = ls_dom_map_new ();
  LsIterMapResult *result;
  gboolean affine;

  for (guint i = 0; i < state->loops->len; i++)
    {
      LsFor *loop = state->loops->pdata[i];
      g_autoptr (LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

      ls_dom_map_set_range (dom, loop->loop_var, range);
    }
  result = ls_detect_iter_map (realize->iter_values, dom, realize->predicate, LS_ITER_MAP_SURJECTIVE, state->analyzer, TRUE);
  affine = result->indices->n > 0 || realize->iter_values->n == 0;
  ls_iter_map_result_free (result);
  if (affine)
    return TRUE;
  result = ls_detect_iter_map (realize->iter_values, dom, NULL, LS_ITER_MAP_BIJECTIVE, state->analyzer, TRUE);
  affine = result->indices->n > 0;
  ls_iter_map_result_free (result);
  return affine;
}

static LsWalk
count_writers (LsNode   *node,
               gpointer  user_data)
{
  GHashTable *writers = user_data;
  LsBlock *block = (LsBlock *) node;

  if (!ls_is (node, BLOCK))
    return ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
  for (guint i = 0; i < block->writes->n; i++)
    {
      LsBuffer *buffer = ls_array_at (block->writes, i, LsBufferRegion)->buffer;

      g_hash_table_insert (writers, buffer, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (writers, buffer)) + 1));
    }
  return LS_WALK_PRUNE;
}

/* How many blocks of the scope write each buffer; a scope is gone through once. */
static GHashTable *
writers_of (State   *state,
            LsBlock *scope)
{
  GHashTable *writers = g_hash_table_lookup (state->writers, scope);

  if (writers != NULL)
    return writers;
  writers = g_hash_table_new (NULL, NULL);
  ls_walk (scope->body, count_writers, NULL, writers);
  g_hash_table_insert (state->writers, scope, writers);
  return writers;
}

static gboolean
is_only_writer (State   *state,
                LsBlock *block)
{
  GHashTable *writers = writers_of (state, state->blocks->pdata[state->blocks->len - 1]);
  guint n = 0;

  for (guint i = 0; i < block->writes->n; i++)
    n += GPOINTER_TO_UINT (g_hash_table_lookup (writers, ls_array_at (block->writes, i, LsBufferRegion)->buffer));
  return n == block->writes->n;
}

static gboolean
is_reduction_block (State          *state,
                    LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  gboolean reduces = FALSE;

  if (block->init == NULL || !is_affine (state, realize) || !is_only_writer (state, block))
    return FALSE;
  for (guint i = 0; i < block->iter_vars->n; i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      if (iter->iter_type != LS_ITER_DATA_PAR && iter->iter_type != LS_ITER_COMM_REDUCE)
        return FALSE;
      reduces = reduces || iter->iter_type == LS_ITER_COMM_REDUCE;
      for (guint k = 0; iter->iter_type == LS_ITER_COMM_REDUCE && k < block->writes->n; k++)
        if (ls_uses (ls_array_at (block->writes, k, LsBufferRegion)->region, iter->var))
          return FALSE;
    }
  return reduces;
}

static gboolean
is_reduction_loop (LsBlockRealize *realize,
                   LsFor          *loop)
{
  for (guint i = 0; i < realize->iter_values->n; i++)
    if (ls_array_at (realize->block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_COMM_REDUCE && ls_uses (realize->iter_values->items[i], loop->loop_var))
      return TRUE;
  return FALSE;
}

static gboolean
is_bound (LsFor *loop)
{
  return loop->thread_binding != NULL;
}

/* ---- what has to hold ---------------------------------------------------------------------- */

typedef struct { LsBlock *block; gboolean found, behind; } Last;

static LsWalk
find_behind (LsNode   *node,
             gpointer  user_data)
{
  Last *last = user_data;

  if (!ls_is (node, BLOCK_REALIZE))
    return ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
  last->behind = last->behind || last->found;
  last->found = last->found || ((LsBlockRealize *) node)->block == last->block;
  return LS_WALK_PRUNE;
}

static gboolean
check (State     *state,
       Reduction *self)
{
  guint n = self->loops->len, innermost = 0;
  Last last = { self->block, FALSE, FALSE };
  const char *why;

  for (guint i = state->stmts->len; i-- > 0 && innermost < n && g_ptr_array_find (self->loops, state->stmts->pdata[i], NULL);)
    innermost++;
  if (innermost != n)
    refuse (state, self->block, LS_TEXT ("the loops over its reduction iterators are the innermost ones around it"));
  for (guint i = 0; i < n; i++)
    if (is_bound (self->loops->pdata[i]) && !g_str_has_prefix (((LsFor *) self->loops->pdata[i])->thread_binding->thread_tag, "threadIdx"))
      refuse (state, self->block, LS_TEXT ("they are bound to threadIdx, to no other axis"));
  ls_walk (((LsFor *) self->loops->pdata[0])->body, find_behind, NULL, &last);
  if (last.behind)
    refuse (state, self->block, LS_TEXT ("it is the last block under the first of these loops"));
  why = ls_reducer_find (&self->reducer, self->block);
  if (why != NULL)
    refuse (state, self->block, why);
  for (guint i = 1; why == NULL && i < self->reducer.n; i++)
    if ((strcmp (ls_buffer_scope (self->reducer.stores[i]->buffer), "local") == 0) != (strcmp (ls_buffer_scope (self->reducer.stores[0]->buffer), "local") == 0))
      refuse (state, self->block, LS_TEXT ("its results are all local, or none is"));
  return state->error == NULL;
}

/* ---- the four statements ------------------------------------------------------------------------ */

static GPtrArray *
scratch (Reduction  *self,
         const char *prefix)
{
  GPtrArray *buffers = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < self->reducer.n; i++)
    {
      LsBuffer *old = self->reducer.stores[i]->buffer;
      g_autofree char *name = g_strconcat (prefix, "_thread_", old->name, NULL);

      g_ptr_array_add (buffers, ls_buffer_new_full (ls_pointer_var_new (name, old->dtype, "local"), old->dtype, ls_array_of (ls_int (1), NULL),
                                                    ls_array_of (ls_int (1), NULL), NULL, name, 64, 1, LS_BUFFER_DEFAULT, NULL));
    }
  return buffers;
}

static LsArray *
regions_of (GPtrArray *buffers)
{
  GPtrArray *regions = g_ptr_array_new ();

  for (guint i = 0; i < buffers->len; i++)
    g_ptr_array_add (regions, ls_buffer_region_new (ls_ref ((LsBuffer *) buffers->pdata[i]), ls_array_of (ls_range_new (ls_int (0), ls_int (1)), NULL)));
  return ls_array_take_ptr_array (regions);
}

static LsExpr *
load_of (gpointer buffer)
{
  return ls_buffer_load_new (ls_ref ((LsBuffer *) buffer), ls_array_of (ls_int (0), NULL), NULL);
}

/* A block of stores. Takes all but the name. */
static LsStmt *
block_of (LsArray    *iter_vars,
          LsArray    *values,
          LsExpr     *predicate,
          LsArray    *reads,
          LsArray    *writes,
          LsBlock    *like,
          const char *suffix,
          LsStmt     *body)
{
  g_autofree char *name = g_strconcat (like->name_hint, suffix, NULL);

  return (LsStmt *) ls_block_realize_new (values, predicate, ls_block_new (iter_vars, reads, writes, name, body, NULL, NULL, NULL, NULL));
}

static LsStmt *
init_statement (Reduction *self)
{
  GPtrArray *stores = g_ptr_array_new ();

  for (guint i = 0; i < self->own->len; i++)
    g_ptr_array_add (stores, ls_buffer_store_new (ls_ref ((LsBuffer *) self->own->pdata[i]), ls_ref (self->reducer.identity[i]), ls_array_of (ls_int (0), NULL), NULL));
  return block_of (NULL, NULL, ls_bool (TRUE), NULL, regions_of (self->own), self->block, "_in_thread_init", ls_seq (ls_array_take_ptr_array (stores)));
}

static LsNode *
own_filter (LsRewriter *rewriter,
            LsNode     *node,
            gpointer    user_data)
{
  Reduction *self = user_data;
  LsBufferStore *store = (LsBufferStore *) node;
  LsBufferLoad *load = (LsBufferLoad *) node;

  for (guint i = 0; i < self->reducer.n; i++)
    {
      LsBuffer *old = self->reducer.stores[i]->buffer;

      if (ls_is (node, BUFFER_LOAD) && load->buffer == old)
        return LS_NODE (load_of (self->own->pdata[i]));
      if (ls_is (node, BUFFER_STORE) && store->buffer == old)
        return LS_NODE (ls_buffer_store_new (ls_ref ((LsBuffer *) self->own->pdata[i]), (LsExpr *) ls_rewrite (rewriter, store->value),
                                             ls_array_of (ls_int (0), NULL), NULL));
    }
  return ls_rewrite_default (rewriter, node);
}

/* The block as it reduces in one thread. */
static LsStmt *
own_block (Reduction *self)
{
  LsBlock *block = self->block;
  g_autofree char *name = g_strconcat (block->name_hint, "_in_thread", NULL);
  LsStmt *body = ls_rewrite_with (block->body, own_filter, self);
  LsBlock *fresh = ls_block_new (ls_ref (block->iter_vars), ls_ref (block->reads), regions_of (self->own), name, body, NULL, ls_ref (block->alloc_buffers),
                                 ls_ref (block->match_buffers), ls_ref (block->annotations));

  return (LsStmt *) ls_block_realize_new (ls_ref (self->realize->iter_values), ls_ref (self->realize->predicate), fresh);
}

static LsWalk
find_reduction (LsNode   *node,
                gpointer  user_data)
{
  LsBlock *block = (LsBlock *) node;

  for (guint i = 0; ls_is (node, BLOCK) && i < block->iter_vars->n; i++)
    if (ls_array_at (block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_COMM_REDUCE)
      return LS_WALK_STOP;
  return LS_WALK_CONTINUE;
}

/* The loops without those over threads; where nothing is left in one it goes (NULL). */
static LsNode *
inner_filter (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  Reduction *self = user_data;
  LsNode *result;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK_REALIZE))
    return node != LS_NODE (self->realize) ? ls_node_ref (node) : self->has_sum ? LS_NODE (own_block (self)) : NULL;
  if (ls_is (node, SEQ_STMT))
    {
      LsArray *parts = (LsArray *) ls_rewrite (rewriter, ((LsSeqStmt *) node)->seq);

      if (parts->n > 0)
        return LS_NODE (ls_seq (parts));
      ls_unref (parts);
      return NULL;
    }
  if (ls_is (node, FOR))
    {
      LsFor *loop = (LsFor *) node;
      g_autoptr (LsNode) body = ls_rewrite (rewriter, loop->body);

      if (body == NULL)
        return NULL;
      if (is_bound (loop) && !ls_walk (loop->body, find_reduction, NULL, NULL))
        return g_steal_pointer (&body);
      return LS_NODE (ls_for_with_body (loop, body));
    }
  result = ls_rewrite_default (rewriter, node);
  return result;
}

static LsStmt *
cross_statement (Reduction *self)
{
  GPtrArray *args = g_ptr_array_new (), *x = g_ptr_array_new (), *y = g_ptr_array_new (), *results = g_ptr_array_new (), *identities = g_ptr_array_new ();
  LsReducer *reducer = &self->reducer;
  LsStmt *body;
  LsCommReducer *combiner;

  g_ptr_array_add (args, ls_int_imm_new (LS_DTYPE (LS_TYPE_UINT, 32), reducer->n));
  for (guint i = 0; i < reducer->n; i++)
    g_ptr_array_add (args, self->has_sum ? load_of (self->own->pdata[i]) : ls_ref (reducer->added[i]));
  g_ptr_array_add (args, ls_bool (TRUE));
  for (guint i = 0; i < reducer->n; i++)
    g_ptr_array_add (args, load_of (self->cross->pdata[i]));
  for (guint i = 0; i < self->loops->len; i++)
    if (is_bound (self->loops->pdata[i]))
      g_ptr_array_add (args, ls_ref (((LsFor *) self->loops->pdata[i])->loop_var));
  for (guint i = 0; i < reducer->n; i++)
    {
      g_ptr_array_add (x, ls_ref (reducer->x[i]));
      g_ptr_array_add (y, ls_ref (reducer->y[i]));
      g_ptr_array_add (results, ls_ref (reducer->result[i]));
      g_ptr_array_add (identities, ls_ref (reducer->identity[i]));
    }
  combiner = ls_comm_reducer_new (ls_array_take_ptr_array (x), ls_array_take_ptr_array (y), ls_array_take_ptr_array (results), ls_array_take_ptr_array (identities));
  body = ls_evaluate_new (ls_call_op ("tir.tvm_thread_allreduce", LS_HANDLE, ls_array_take_ptr_array (args)));
  body = ls_attr_stmt_new (combiner, "reduce_scope", ls_null_handle (), body);
  if (self->has_sum)
    return block_of (NULL, NULL, ls_bool (TRUE), regions_of (self->own), regions_of (self->cross), self->block, "_cross_thread", body);
  return block_of (ls_ref (self->block->iter_vars), ls_ref (self->realize->iter_values), ls_bool (TRUE), ls_ref (self->block->reads), regions_of (self->cross),
                   self->block, "_cross_thread", body);
}

static gboolean
touches_reduction (Reduction *self,
                   LsExpr    *expr)
{
  for (guint i = 0; i < self->loops->len; i++)
    if (ls_uses (expr, ((LsFor *) self->loops->pdata[i])->loop_var))
      return TRUE;
  return FALSE;
}

/* The conjuncts of a predicate that hang on no reduction loop, in the order of a walk from the leaves. Takes `all`. */
static LsExpr *
spatial_conditions (Reduction *self,
                    LsExpr    *predicate,
                    LsExpr    *all)
{
  LsBinary *both = (LsBinary *) predicate;
  LsExpr *parts[2];

  if (!ls_is (predicate, AND))
    return all;
  parts[0] = both->a;
  parts[1] = both->b;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    all = spatial_conditions (self, parts[i], all);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (!ls_is (parts[i], AND) && !touches_reduction (self, parts[i]))
      all = ls_and (all, ls_ref (parts[i]));
  return all;
}

static LsExpr *
write_predicate (Reduction *self)
{
  LsExpr *guard = self->realize->predicate;
  LsExpr *all = spatial_conditions (self, guard, ls_bool (TRUE));

  /* TVM's pass looks at conjunctions only and loses a condition that stands alone: the result is then stored outside of its buffer */
  if (!ls_is (guard, AND) && !ls_is_one (guard) && !touches_reduction (self, guard))
    all = ls_and (all, ls_ref (guard));
  for (guint i = 0; strcmp (ls_buffer_scope (self->reducer.stores[0]->buffer), "local") != 0 && i < self->loops->len; i++)
    {
      LsFor *loop = self->loops->pdata[i];

      if (is_bound (loop))
        all = ls_and (all, ls_eq (LS_EXPR (ls_ref (loop->loop_var)), ls_const_int (ls_dtype (loop->loop_var), 0)));
    }
  return all;
}

/* Spatial iterators of its own, and the results stored by them. */
static LsStmt *
write_statement (Reduction *self)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  GPtrArray *iters = g_ptr_array_new (), *values = g_ptr_array_new (), *stores = g_ptr_array_new (), *writes = g_ptr_array_new ();

  for (guint i = 0; i < self->block->iter_vars->n; i++)
    {
      LsIterVar *iter = ls_array_at (self->block->iter_vars, i, LsIterVar);
      LsVar *var;

      if (iter->iter_type == LS_ITER_COMM_REDUCE)
        continue;
      var = ls_var_copy (iter->var, NULL);
      g_hash_table_insert (table, iter->var, ls_ref (var));
      g_ptr_array_add (iters, ls_iter_var_new (ls_ref (iter->dom), var, iter->iter_type, iter->thread_tag));
      g_ptr_array_add (values, ls_node_ref (self->realize->iter_values->items[i]));
    }
  for (guint i = 0; i < self->reducer.n; i++)
    {
      LsBufferStore *old = self->reducer.stores[i];
      LsArray *region = ls_array_at (self->block->writes, 0, LsBufferRegion)->region;

      g_ptr_array_add (stores, ls_buffer_store_new (ls_ref (old->buffer), load_of (self->cross->pdata[i]),
                                                    (LsArray *) ls_substitute (self->reducer.stores[0]->indices, table), NULL));
      g_ptr_array_add (writes, ls_buffer_region_new (ls_ref (old->buffer), (LsArray *) ls_substitute (region, table)));
    }
  return block_of (ls_array_take_ptr_array (iters), ls_array_take_ptr_array (values), write_predicate (self), regions_of (self->cross),
                   ls_array_take_ptr_array (writes), self->block, "_write_back", ls_seq (ls_array_take_ptr_array (stores)));
}

static LsStmt *
lowered (Reduction *self)
{
  GPtrArray *parts = g_ptr_array_new ();
  LsStmt *inner = ls_rewrite_with (self->loops->pdata[0], inner_filter, self), *result;

  if (self->has_sum)
    g_ptr_array_add (parts, init_statement (self));
  if (inner != NULL)
    g_ptr_array_add (parts, inner);
  g_ptr_array_add (parts, cross_statement (self));
  g_ptr_array_add (parts, write_statement (self));
  result = ls_seq (ls_array_take_ptr_array (parts));
  for (guint i = self->loops->len; i-- > 0;)
    if (is_bound (self->loops->pdata[i]))
      {
        LsFor *loop = ls_for_with_body (self->loops->pdata[i], result);

        ls_unref (result);
        result = (LsStmt *) loop;
      }
  return result;
}

/* ---- the program ---------------------------------------------------------------------------- */

static void
allocate (State     *state,
          GPtrArray *buffers)
{
  LsBlock *scope = state->blocks->pdata[state->blocks->len - 1];
  GPtrArray *known = g_hash_table_lookup (state->allocated, scope);

  if (known == NULL)
    {
      known = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
      g_hash_table_insert (state->allocated, scope, known);
    }
  for (guint i = 0; i < buffers->len; i++)
    g_ptr_array_add (known, ls_node_ref (buffers->pdata[i]));
}

static void
reduce (State     *state,
        Reduction *self,
        guint      n_bound)
{
  if (check (state, self))
    {
      self->has_sum = n_bound < self->loops->len || !ls_is_one (self->realize->predicate);
      self->cross = scratch (self, "cross");
      allocate (state, self->cross);
      self->own = scratch (self, "in");
      if (self->has_sum)
        allocate (state, self->own);
      g_hash_table_insert (state->replaced, self->loops->pdata[0], lowered (self));
      for (guint i = 0; i < self->reducer.n; i++)
        ls_thread_results_add (state->results, self->reducer.stores[i]->buffer, self->loops);
      g_ptr_array_unref (self->cross);
      g_ptr_array_unref (self->own);
    }
  ls_reducer_clear (&self->reducer);
}

static void
meet_block (State          *state,
            LsBlockRealize *realize)
{
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  Reduction reduction = { .realize = realize, .block = realize->block, .loops = loops };
  guint n_bound = 0;

  if (state->blocks->len == 0 || state->error != NULL)
    return;
  for (guint i = 0; i < state->loops->len; i++)
    if (is_reduction_loop (realize, state->loops->pdata[i]))
      {
        g_ptr_array_add (loops, state->loops->pdata[i]);
        n_bound += is_bound (state->loops->pdata[i]);
      }
  if (n_bound > 0 && is_reduction_block (state, realize))
    reduce (state, &reduction, n_bound);
}

static LsNode *
lower_block (LsRewriter *rewriter,
             State      *state,
             LsBlock    *block)
{
  GPtrArray *around = state->loops, *fresh;
  g_autoptr (LsNode) result = NULL;
  g_autoptr (LsArray) buffers = NULL;

  state->loops = g_ptr_array_new ();
  g_ptr_array_add (state->blocks, block);
  result = ls_rewrite_default (rewriter, block);
  g_ptr_array_set_size (state->blocks, state->blocks->len - 1);
  g_ptr_array_unref (state->loops);
  state->loops = around;
  fresh = g_hash_table_lookup (state->allocated, block);
  if (fresh == NULL)
    return g_steal_pointer (&result);
  buffers = ls_ref (((LsBlock *) result)->alloc_buffers);
  for (guint i = 0; i < fresh->len; i++)
    ls_take (&buffers, ls_array_append (buffers, fresh->pdata[i]));
  return LS_NODE (ls_block_with_alloc_buffers ((LsBlock *) result, buffers));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  gboolean bound = ls_is (node, FOR) && is_bound ((LsFor *) node);
  /* the outermost loop that is bound: a kernel */
  gboolean kernel = bound && state->n_bound == 0 && g_str_has_prefix (((LsFor *) node)->thread_binding->thread_tag, "blockIdx");
  LsNode *result, *other;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK))
    return lower_block (rewriter, state, (LsBlock *) node);
  if (ls_is (node, BLOCK_REALIZE))
    meet_block (state, (LsBlockRealize *) node);
  if (!ls_is_stmt (node) || ls_is (node, SEQ_STMT))
    return ls_rewrite_default (rewriter, node);
  g_ptr_array_add (state->stmts, node);
  state->n_bound += bound;
  if (ls_is (node, FOR))
    g_ptr_array_add (state->loops, node);
  result = ls_rewrite_default (rewriter, node);
  state->n_bound -= bound;
  g_ptr_array_set_size (state->stmts, state->stmts->len - 1);
  if (ls_is (result, BLOCK_REALIZE))
    ls_take (&result, LS_NODE (ls_thread_results_broadcast (state->results, (LsBlockRealize *) result, state->stmts)));
  if (!ls_is (node, FOR))
    return result;
  g_ptr_array_set_size (state->loops, state->loops->len - 1);
  if (kernel)
    g_hash_table_remove_all (state->results);
  other = g_hash_table_lookup (state->replaced, node);
  if (other != NULL)
    ls_take (&result, ls_node_ref (other));
  return result;
}

LsPrimFunc *
ls_pass_lower_cross_thread_reduction (LsPrimFunc  *func,
                                      GError     **error)
{
  g_autoptr (GPtrArray) blocks = g_ptr_array_new (), loops = g_ptr_array_new (), stmts = g_ptr_array_new ();
  g_autoptr (GHashTable) replaced = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) allocated = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) writers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  g_autoptr (GHashTable) results = ls_thread_results_new ();
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = { .blocks = blocks, .loops = loops, .stmts = stmts, .replaced = replaced, .allocated = allocated, .writers = writers, .results = results,
                  .analyzer = analyzer };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, &state);

  if (state.error == NULL)
    return ls_pass_with_body (func, body);
  g_propagate_error (error, state.error);
  return NULL;
}
