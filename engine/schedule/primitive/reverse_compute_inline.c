/* reverse_compute_inline: a block goes; the block that made what it read stores its result at once.
 *
 *   B[vi] = A[vi] + 1
 *   C[vj // 4, vj % 4] = B[vj] * 2     ->     C[vi // 4, vi % 4] = (A[vi] + 1) * 2
 *
 * The indices of its loads are one affine map of its variables; inverted at the indices of the producer's store it
 * gives the variables in terms of the producer's.  Where the producer makes more than the block reads, the producer
 * gets a predicate.
 *
 * Three differences from TVM v0.20: it drops a predicate that the producer already has when it adds one; here both are
 * kept unless the new one implies the old.  It runs the block for all that the producer makes, even where the block reads
 * one row or every second element; here the predicate says which.  And it lets other blocks read the buffer that goes,
 * although its documentation asks for a single consumer; here that is refused.
 * Source: TVM v0.20's tir.Schedule.reverse_compute_inline.
 */
#include "engine/arith/data.h"
#include "engine/schedule/primitive/primitive.h"
#include "engine/tir/scope.h"

#define AUTO_COPY "auto_copy"   /* annotation of TVM: the block's body is a loop nest around one store */

enum { BLOCK };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block whose computation goes into the one that makes what it reads" },
};

typedef struct {
  LsSref        *root;
  LsSref        *producer;
  LsBlockRealize *consumer;     /* borrowed */
  LsBufferStore *store;         /* of the consumer, borrowed */
  LsArray       *read_at, *made_at; /* indices of the buffer in the consumer and in the producer, borrowed */
  LsAnalyzer    *analyzer;
  GHashTable    *values;        /* variable of the consumer -> LsExpr (owned) over the producer's */
  LsInliner      inliner;
  LsBlock       *new_root;
} Plan;

static void
plan_clear (Plan *self)
{
  g_clear_pointer (&self->analyzer, ls_analyzer_free);
  g_clear_pointer (&self->values, g_hash_table_unref);
  ls_unref (self->inliner.rest);
  g_clear_pointer (&self->inliner.reuse, ls_block_reuse_free);
  ls_unref (self->new_root);
}

static void
plan_free (Plan *self)
{
  plan_clear (self);
  g_free (self);
}

/* ---- consumer and producer ------------------------------------------------------ */

/* The one buffer that the block reads and a block of the scope writes. */
static LsBuffer *
single_read (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsSref        *block,
             LsSref        *root)
{
  LsArray *reads = ls_sref_block (block)->reads;
  LsBuffer *found = NULL;

  for (guint i = 0; i < ls_array_n (reads); i++)
    {
      LsBuffer *buffer = ls_array_at (reads, i, LsBufferRegion)->buffer;
      g_autoptr(GPtrArray) writers = NULL;

      if (buffer == found)
        continue;
      writers = ls_state_writers (move->state, root, buffer);
      if (writers->len == 0)
        continue;
      if (found != NULL)
        {
          ls_move_refuse (move, diagnostics, "one-read", block->stmt, "Block %s reads %s and %s of this scope; it may read one.",
                          ls_sref_name (block), found->name, buffer->name);
          return NULL;
        }
      found = buffer;
    }
  if (found == NULL)
    ls_move_refuse (move, diagnostics, "one-read", block->stmt, "Block %s reads nothing that another block of %s makes.",
                    ls_sref_name (block), ls_sref_name (root));
  return found;
}

typedef struct {
  LsState   *state;
  LsBuffer  *buffer;
  gboolean   writes;            /* look for those that write it, not for those that read it */
  GPtrArray *found;             /* of LsSref */
  GHashTable *entered;          /* ls_state_entered */
} Search;

static gboolean
accesses (LsBlock  *block,
          LsBuffer *buffer,
          gboolean  writes)
{
  LsArray *regions = writes ? block->writes : block->reads;

  for (guint i = 0; i < ls_array_n (regions); i++)
    if (ls_array_at (regions, i, LsBufferRegion)->buffer == buffer)
      return TRUE;
  return FALSE;
}

/* Innermost blocks that write or read the buffer. */
static gboolean
find_users (LsNode         *stmt,
            LsBlockRealize *realize,
            gpointer        user_data)
{
  Search *self = user_data;
  guint before = self->found->len;

  if (!g_hash_table_contains (self->entered, stmt))
    return TRUE;
  ls_stmt_foreach_child (ls_is (stmt, BLOCK) ? ((LsBlock *) stmt)->body : ((LsFor *) stmt)->body, find_users, self);
  if (ls_is (stmt, BLOCK) && self->found->len == before && accesses ((LsBlock *) stmt, self->buffer, self->writes))
    g_ptr_array_add (self->found, ls_state_sref (self->state, stmt));
  return TRUE;
}

/* When the buffer goes, nobody else may read it. */
static gboolean
is_only_reader (LsMove        *move,
                LsDiagnostics *diagnostics,
                LsSref        *block,
                LsSref        *root,
                LsBuffer      *buffer)
{
  g_autoptr(GPtrArray) found = g_ptr_array_new ();
  g_autoptr(GHashTable) entered = ls_state_entered (move->state, root, NULL, &buffer, 1);
  Search search = { move->state, buffer, FALSE, found, entered };
  gboolean only = TRUE;

  ls_stmt_foreach_child (ls_sref_body (root), find_users, &search);
  for (guint i = 0; i < found->len; i++)
    {
      LsSref *other = found->pdata[i];
      LsDiagnostic *finding;

      if (other == block)
        continue;
      only = FALSE;
      finding = ls_move_refuse (move, diagnostics, "other-reader", other->stmt,
                                "Block %s reads %s too, so it has to be stored.", ls_sref_name (other), buffer->name);
      ls_move_add_culprit (move, finding, block->stmt);
    }
  return only;
}

static LsSref *
single_producer (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 LsSref        *block,
                 LsSref        *root,
                 LsBuffer      *buffer)
{
  g_autoptr(GPtrArray) found = g_ptr_array_new ();
  g_autoptr(GHashTable) entered = ls_state_entered (move->state, root, NULL, &buffer, 1);
  Search search = { move->state, buffer, TRUE, found, entered };
  LsDiagnostic *finding;

  ls_stmt_foreach_child (ls_sref_body (root), find_users, &search);
  for (guint i = 0; i < found->len; i++)
    if (!ls_is_complete_block (move->state, found->pdata[i], root))
      {
        LsSref *producer = found->pdata[i];

        finding = ls_move_refuse (move, diagnostics, "producer-not-complete", producer->stmt,
                                  ls_sref_block (producer)->init != NULL
                                  ? "Block %s, which makes %s, adds up over several instances; the result is not there at once."
                                  : LS_TEXT ("Block %s, which makes %s, is no complete block."),
                                  ls_sref_name (producer), buffer->name);
        ls_move_add_culprit (move, finding, block->stmt);
        return NULL;
      }
  if (found->len == 1)
    return found->pdata[0];
  finding = ls_move_refuse (move, diagnostics, "one-producer", block->stmt, "%u blocks make %s, which %s reads; it has to be one.",
                            found->len, buffer->name, ls_sref_name (block));
  for (guint i = 0; i < found->len; i++)
    ls_move_add_culprit (move, finding, ((LsSref *) found->pdata[i])->stmt);
  return NULL;
}

static gboolean
producer_makes_no_result (LsMove        *move,
                          LsDiagnostics *diagnostics,
                          LsSref        *producer,
                          LsSref        *root,
                          LsBuffer      *buffer)
{
  if (!ls_is_output_block (move->state, producer, root))
    return TRUE;
  ls_move_refuse (move, diagnostics, "producer-is-output", producer->stmt,
                  "%s is a result of the function, so block %s has to keep storing it.", buffer->name, ls_sref_name (producer));
  return FALSE;
}

/* ---- the map of variables ------------------------------------------------------- */

typedef struct {
  LsBuffer *buffer;
  LsArray  *indices;            /* of the first load; borrowed */
  gboolean  differ;
} Loads;

static LsWalk
look_at_load (LsNode   *node,
              gpointer  user_data)
{
  Loads *self = user_data;
  LsBufferLoad *load = (LsBufferLoad *) node;

  if (!ls_is (node, BUFFER_LOAD) || load->buffer != self->buffer)
    return LS_WALK_CONTINUE;
  if (self->indices == NULL)
    self->indices = load->indices;
  else
    for (guint i = 0; i < ls_array_n (load->indices); i++)
      self->differ |= !ls_deep_equal (self->indices->items[i], load->indices->items[i]);
  return LS_WALK_CONTINUE;
}

/* The one store in the producer's body, or NULL. */
static LsBufferStore *
producer_store (LsBlock *producer)
{
  LsStmt *body = producer->body;

  if (ls_is (body, IF_THEN_ELSE))
    {
      if (((LsIfThenElse *) body)->else_case != NULL)
        return NULL;
      body = ((LsIfThenElse *) body)->then_case;
    }
  else if (ls_map_get (producer->annotations, AUTO_COPY) != NULL)
    {
      while (ls_is (body, FOR))
        body = ((LsFor *) body)->body;
    }
  return ls_is (body, BUFFER_STORE) ? (LsBufferStore *) body : NULL;
}

static void
set_value (Plan   *self,
           LsVar  *var,
           LsExpr *value)
{
  g_hash_table_insert (self->values, var, ls_ref (value));
}

/* Loops around the consumer alone go with it; what names them, as the domains of a triangle do, means the variables that they are bound to. */
static void
set_loops (Plan   *self,
           LsSref *consumer)
{
  for (LsSref *loop = consumer->parent; loop != self->root; loop = loop->parent)
    for (guint i = 0; !ls_sref_is_ancestor (loop, self->producer) && i < ls_array_n (self->consumer->iter_values); i++)
      {
        LsExpr *value = g_hash_table_lookup (self->values, ls_array_at (self->consumer->block->iter_vars, i, LsIterVar)->var);

        if (self->consumer->iter_values->items[i] == LS_NODE (ls_sref_for (loop)->loop_var) && value != NULL)
          set_value (self, ls_sref_for (loop)->loop_var, value);
      }
}

/* The consumer's variables in terms of the producer's; FALSE when the indices cannot be inverted. */
static gboolean
solve_variables (Plan          *self,
                 LsArray       *indices,
                 LsBufferStore *made)
{
  LsArray *iter_vars = self->consumer->block->iter_vars;
  g_autoptr(LsDomMap) domains = ls_dom_map_new ();
  g_autoptr(LsExpr) always = ls_bool (TRUE);
  g_autoptr(LsIterMapResult) map = NULL;
  g_autoptr(GHashTable) inverse = NULL;
  GHashTableIter iter;
  gpointer var, value;

  for (guint i = 0; i < ls_array_n (iter_vars); i++)
    {
      LsIterVar *own = ls_array_at (iter_vars, i, LsIterVar);

      ls_dom_map_set_range (domains, own->var, own->dom);
      if (ls_is_one (own->dom->extent) && ls_is (own->dom->min, INT_IMM))
        set_value (self, own->var, own->dom->min);
    }
  map = ls_detect_iter_map (indices, domains, always, LS_ITER_MAP_NO_CHECK, self->analyzer, FALSE);
  if (ls_array_n (map->indices) == 0)
    return FALSE;
  inverse = ls_inverse_affine_iter_map (map->indices, made->indices);
  if (inverse == NULL)
    return FALSE;
  g_hash_table_iter_init (&iter, inverse);
  while (g_hash_table_iter_next (&iter, &var, &value))
    set_value (self, var, value);
  return TRUE;
}

static gboolean
is_short_of (Plan      *self,
             LsIterVar *iter,
             LsIntSet  *made)
{
  g_autoptr(LsExpr) misses_first = NULL;
  g_autoptr(LsExpr) misses_last = NULL;

  if (ls_int_set_has_lower_bound (made))
    misses_first = ls_gt (ls_ref (ls_int_set_min (made)), ls_ref (iter->dom->min));
  if (ls_int_set_has_upper_bound (made))
    misses_last = ls_lt (ls_ref (ls_int_set_max (made)),
                         ls_sub (ls_add (ls_ref (iter->dom->min), ls_ref (iter->dom->extent)), ls_int (1)));
  return (misses_first != NULL && ls_analyzer_can_prove (self->analyzer, misses_first)) ||
         (misses_last != NULL && ls_analyzer_can_prove (self->analyzer, misses_last));
}

/* A variable of the consumer of which the producer does not reach all values, or NULL. */
static LsIterVar *
uncovered_variable (Plan *self)
{
  LsArray *iter_vars = self->consumer->block->iter_vars;
  LsArray *made = ls_sref_block (self->producer)->iter_vars;
  g_autoptr(LsDomMap) domains = ls_dom_map_new ();

  for (guint i = 0; i < ls_array_n (made); i++)
    ls_dom_map_set_range (domains, ls_array_at (made, i, LsIterVar)->var, ls_array_at (made, i, LsIterVar)->dom);
  for (LsStmt *body = ls_sref_block (self->producer)->body; ls_is (body, FOR); body = ((LsFor *) body)->body)
    {
      g_autoptr(LsRange) range = ls_range_new (ls_ref (((LsFor *) body)->min), ls_ref (((LsFor *) body)->extent));

      ls_dom_map_set_range (domains, ((LsFor *) body)->loop_var, range);
    }
  for (guint i = 0; i < ls_array_n (iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (iter_vars, i, LsIterVar);
      LsExpr *value = g_hash_table_lookup (self->values, iter->var);
      g_autoptr(LsIntSet) reached = NULL;

      if (value == NULL)
        return iter;
      reached = ls_eval_set (value, domains, NULL);
      if (is_short_of (self, iter, reached))
        return iter;
    }
  return NULL;
}

static gboolean
legal_bodies (Plan          *self,
              LsMove        *move,
              LsDiagnostics *diagnostics)
{
  LsBlock *consumer = self->consumer->block;
  LsBlock *producer = ls_sref_block (self->producer);
  LsBufferStore *made = producer_store (producer);
  Loads loads = { self->inliner.buffer, NULL, FALSE };
  LsIterVar *missed;

  if (!ls_is_one (self->consumer->predicate))
    {
      ls_move_refuse (move, diagnostics, "guarded", consumer, "Block %s has a guard (T.where); without one it could be inlined.",
                      consumer->name_hint);
      return FALSE;
    }
  if (!ls_is (consumer->body, BUFFER_STORE) || made == NULL)
    {
      LsBlock *culprit = made == NULL ? producer : consumer;

      ls_move_refuse (move, diagnostics, "body", culprit, "Block %s is more than one store of a value; only that can be inlined.",
                      culprit->name_hint);
      return FALSE;
    }
  self->store = (LsBufferStore *) consumer->body;
  ls_walk (self->store, look_at_load, NULL, &loads);
  if (loads.indices == NULL || loads.differ)
    {
      ls_move_refuse (move, diagnostics, "load-indices", consumer,
                      loads.differ ? "Block %s reads %s at several places at once; it has to be one place."
                                   : LS_TEXT ("The value of block %s does not read %s."),
                      consumer->name_hint, loads.buffer->name);
      return FALSE;
    }
  self->read_at = loads.indices;
  self->made_at = made->indices;
  if (!solve_variables (self, loads.indices, made))
    {
      ls_move_refuse (move, diagnostics, "indices-not-invertible", consumer,
                      "The indices at which block %s reads %s cannot be turned back into its variables.",
                      consumer->name_hint, loads.buffer->name);
      return FALSE;
    }
  missed = uncovered_variable (self);
  set_loops (self, ls_move_sref (move, BLOCK));
  if (missed == NULL)
    return TRUE;
  ls_move_refuse (move, diagnostics, "not-covered", consumer, "Block %s does not run over all values of %s in block %s.",
                  producer->name_hint, missed->var->name, consumer->name_hint);
  return FALSE;
}

/* ---- the producer's new store ----------------------------------------------------- */

typedef struct {
  Plan          *plan;
  LsExpr        *value;         /* what a load of the buffer stands for; NULL: a load of what is stored now */
} Putting;

static LsNode *
put_values (LsRewriter *rewriter,
            LsNode     *node,
            gpointer    user_data)
{
  Putting *self = user_data;
  LsNode *value;
  LsNode *fresh;

  if (ls_is_var (node))
    {
      value = g_hash_table_lookup (self->plan->values, node);
      return ls_node_ref (value != NULL ? value : node);
    }
  if (!ls_is (node, BUFFER_LOAD) || ((LsBufferLoad *) node)->buffer != self->plan->inliner.buffer)
    {
      LsNode *put = ls_rewrite_default (rewriter, node);

      return self->value != NULL && ls_is_expr (node) ? LS_NODE (ls_wrap_as_data (self->plan->inliner.analyzer, LS_EXPR (node), LS_EXPR (put))) : put;
    }
  if (self->value != NULL)
    return LS_NODE (ls_ref (self->value));
  fresh = LS_NODE (ls_buffer_load_new (ls_ref (self->plan->store->buffer), ls_ref (self->plan->store->indices), NULL));
  ls_take (&fresh, ls_rewrite_default (rewriter, fresh));
  return fresh;
}

static LsNode *
put_store (LsInliner *inliner,
           LsNode    *access)
{
  Plan *self = inliner->data;
  Putting own = { self, NULL };
  g_autoptr(LsExpr) value = (LsExpr *) ls_rewrite_with (((LsBufferStore *) access)->value, put_values, &own);
  Putting all = { self, value };

  return ls_rewrite_with (self->store, put_values, &all);
}

/* ---- the producer's new predicate --------------------------------------------------- */

/* `inside` (taken), and that what is made is what the consumer reads, where it may be something else: t[0, v] and t[v * 2] are not all of t. */
static LsExpr *
at_its_place (Plan   *self,
              LsExpr *inside)
{
  Putting own = { self, NULL };

  for (guint i = 0; i < ls_array_n (self->read_at); i++)
    {
      g_autoptr(LsExpr) index = (LsExpr *) ls_rewrite_with (self->read_at->items[i], put_values, &own);
      LsExpr *made = ls_array_at (self->made_at, i, LsExpr);

      if (!ls_analyzer_can_prove_equal (self->analyzer, index, made))
        inside = ls_and (inside, ls_eq (ls_ref (made), ls_ref (index)));
    }
  return inside;
}

/* Where the consumer would have run, in terms of the producer's variables, simplified. (transfer full) */
static LsExpr *
consumer_in_bounds (Plan *self)
{
  LsArray *iter_vars = self->consumer->block->iter_vars;
  Putting own = { self, NULL };
  g_autoptr(LsExpr) inside = ls_bool (TRUE);
  g_autoptr(LsExpr) put = NULL;

  for (guint i = 0; i < ls_array_n (iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (iter_vars, i, LsIterVar);
      LsExpr *var = LS_EXPR (iter->var);
      LsExpr *end = ls_add (ls_ref (iter->dom->min), ls_ref (iter->dom->extent));

      inside = ls_and (inside, ls_and (ls_ge (ls_ref (var), ls_ref (iter->dom->min)), ls_lt (ls_ref (var), end)));
    }
  put = at_its_place (self, (LsExpr *) ls_rewrite_with (inside, put_values, &own));
  return ls_analyzer_simplify (self->analyzer, put);
}

static void
know_producer (Plan           *self,
               LsBlockRealize *realize)
{
  LsBlock *block = realize->block;

  ls_scope_bind (self->analyzer, LS_NODE (block), LS_SCOPE_BLOCKS);
  if (ls_map_get (block->annotations, AUTO_COPY) == NULL)
    return;
  for (LsStmt *body = block->body; ls_is (body, FOR); body = ((LsFor *) body)->body)
    {
      LsFor *loop = (LsFor *) body;
      g_autoptr(LsRange) range = ls_range_new (ls_const_int (ls_dtype (loop->extent), 0), ls_ref (loop->extent));

      ls_analyzer_bind_range (self->analyzer, loop->loop_var, range, FALSE);
    }
}

/* A guard in the block's body joins the predicate unless it is the same. Takes `predicate`. */
static LsExpr *
join_guard (Plan     *self,
            LsExpr   *predicate,
            LsBlock **block)
{
  LsIfThenElse *guard = (LsIfThenElse *) (*block)->body;
  g_autoptr(LsExpr) condition = NULL;
  g_autoptr(LsExpr) both = NULL;

  if (!ls_is (guard, IF_THEN_ELSE) || guard->else_case != NULL)
    return predicate;
  condition = ls_analyzer_simplify (self->analyzer, guard->condition);
  if (ls_structural_equal (predicate, condition, FALSE, NULL, NULL))
    return predicate;
  both = ls_and (predicate, ls_ref (guard->condition));
  ls_take (block, ls_block_with_body (*block, guard->then_case));
  return ls_analyzer_simplify (self->analyzer, both);
}

/* `predicate` (taken), and `old` where it is not implied. */
static LsExpr *
keep_old (Plan   *self,
          LsExpr *predicate,
          LsExpr *old)
{
  guint scope = ls_analyzer_enter_constraint (self->analyzer, predicate);
  gboolean implied = ls_analyzer_can_prove (self->analyzer, old);
  g_autoptr(LsExpr) both = NULL;

  ls_analyzer_exit_constraint (self->analyzer, scope);
  if (implied)
    return predicate;
  both = ls_and (ls_ref (old), predicate);
  return ls_analyzer_simplify (self->analyzer, both);
}

static LsBlockRealize *
guard_producer (LsInliner      *inliner,
                LsBlock        *was,
                LsBlockRealize *realize)
{
  Plan *self = inliner->data;
  g_autoptr(LsBlock) block = NULL;
  g_autoptr(LsExpr) predicate = NULL;
  g_autoptr(LsExpr) outer = NULL;
  g_autoptr(GHashTable) bindings = NULL;

  if (was != ls_sref_block (self->producer))
    return ls_ref (realize);
  know_producer (self, realize);
  predicate = consumer_in_bounds (self);
  if (ls_is_one (predicate))
    return ls_ref (realize);
  block = ls_ref (realize->block);
  predicate = join_guard (self, predicate, &block);
  bindings = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    g_hash_table_insert (bindings, ls_array_at (block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  outer = (LsExpr *) ls_substitute (predicate, bindings);
  ls_take (&outer, keep_old (self, ls_analyzer_simplify (self->analyzer, outer), realize->predicate));
  return ls_block_realize_new (ls_ref (realize->iter_values), g_steal_pointer (&outer), g_steal_pointer (&block));
}

/* ---- check and apply ------------------------------------------------------------------ */

static gboolean
plan_make (Plan          *self,
           LsMove        *move,
           LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsSref *place;
  gboolean legal;

  *self = (Plan) { NULL };
  legal = ls_legal_scope (move, diagnostics, block, TRUE, &self->root);
  if (self->root == NULL || !ls_legal_no_init (move, diagnostics, block))
    return FALSE;
  legal &= ls_legal_complete_block (move, diagnostics, block, self->root);
  legal &= ls_legal_removal (move, diagnostics, block, &place, &self->inliner.rest);
  self->inliner.buffer = single_read (move, diagnostics, block, self->root);
  if (self->inliner.buffer == NULL)
    return FALSE;
  self->producer = single_producer (move, diagnostics, block, self->root, self->inliner.buffer);
  if (self->producer == NULL)
    return FALSE;
  legal &= producer_makes_no_result (move, diagnostics, self->producer, self->root, self->inliner.buffer);
  legal &= is_only_reader (move, diagnostics, block, self->root, self->inliner.buffer);
  self->consumer = ls_state_realize (move->state, block);
  self->analyzer = ls_analyzer_new ();
  self->values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  legal &= legal_bodies (self, move, diagnostics);
  if (!legal)
    return FALSE;
  self->inliner.state = move->state;
  self->inliner.access = LS_KIND_BUFFER_STORE;
  self->inliner.block = ls_sref_block (block);
  self->inliner.root = ls_sref_block (self->root);
  self->inliner.place = place->stmt;
  self->inliner.replace = put_store;
  self->inliner.finish = guard_producer;
  self->inliner.data = self;
  self->inliner.reuse = ls_block_reuse_new ();
  self->new_root = ls_inliner_run (&self->inliner);
  return ls_legal_not_opaque (move, diagnostics, &self->inliner);
}

static gint64
n_instances (LsBlock *block)
{
  gint64 n = 1, extent;

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    if (ls_array_at (block->iter_vars, i, LsIterVar)->iter_type != LS_ITER_COMM_REDUCE &&
        (!ls_as_int (ls_array_at (block->iter_vars, i, LsIterVar)->dom->extent, &extent) || __builtin_mul_overflow (n, extent, &n)))
      return -1;
  return n;
}

static gboolean
runs_oftener (LsBlock *consumer,
              LsBlock *producer)
{
  gint64 to = n_instances (consumer), from = n_instances (producer);

  return to >= 0 && from >= 0 && to > from;
}

/* The plan stays with the move, for apply. */
static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  Plan *plan = g_new0 (Plan, 1);
  gboolean legal = plan_make (plan, move, diagnostics);

  ls_move_keep (move, plan, (GDestroyNotify) plan_free);
  if (legal && runs_oftener (ls_sref_block (ls_move_sref (move, BLOCK)), ls_sref_block (plan->producer)))
    ls_move_warn (move, diagnostics, "gaps", ls_move_sref (move, BLOCK)->stmt, "Block %s has more instances than block %s; those that read nothing of it are lost.",
                  ls_sref_name (ls_move_sref (move, BLOCK)), ls_sref_name (plan->producer));
  if (legal && plan->root->parent != NULL)
    ls_move_warn (move, diagnostics, "inner-scope", plan->root->stmt, "Block %s runs several times, and each time only a part of what block %s computes may be made.",
                  ls_sref_name (plan->root), ls_sref_name (ls_move_sref (move, BLOCK)));
  return legal;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  Plan *plan = move->kept;
  LsSref *block = ls_move_sref (move, BLOCK);

  ls_state_replace (move->state, plan->root, plan->new_root, plan->inliner.reuse);
  plan->producer->affine_binding = ls_state_is_affine (move->state, plan->producer);
  ls_state_touch (move->state, plan->producer);
  ls_move_note (move, LS_LINEAGE_FUSED, plan->producer, block);
  return TRUE;
}

const LsInstruction ls_instruction_reverse_compute_inline = {
  .name = "reverse_compute_inline",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Computes a block's value where what it reads is made, and drops the block"),
  .condition = "The block is complete and unguarded and stores one value, for which it reads one buffer of its scope at one "
               "place. One complete block makes that buffer, which is no result of the function and which no other block reads, "
               "and reaches all of what is read. The indices can be turned back into the variables.",
  .source = "TVM v0.20 tir.Schedule.reverse_compute_inline",
  .check = check,
  .apply = apply,
};
