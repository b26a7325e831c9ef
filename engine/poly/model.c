/* model: see private.h.
 *
 * A leaf is a block without blocks inside, or a statement that stands outside of blocks.  Variables of blocks are replaced by
 * their values, so that all is said over loop variables and what is around the statement.
 */
#include "engine/poly/private.h"

#include "engine/tir/reducer.h"
#include "engine/tir/scope.h"

typedef struct {
  GPtrArray  *leaves;
  GPtrArray  *loops;            /* of LsFor around the place */
  GPtrArray  *chain;            /* of LsBlockRealize */
  GPtrArray  *conditions;       /* of LsExpr, owned */
  GPtrArray  *iters;            /* of LsExpr, owned */
  GPtrArray  *iter_vars;
  GHashTable *values;           /* Var -> LsExpr, owned: variables of blocks and of lets */
  const char *reason;
} Walk;

/* Inside one leaf. */
typedef struct {
  Walk        *walk;
  LsPolyLeaf  *leaf;
  GPtrArray   *inner;
  GPtrArray   *conditions;
  gboolean     is_vague;
  gboolean     is_opaque;       /* memory is reached otherwise than by loads and stores */
  LsAccessRole role;            /* of accesses to `added` */
  LsReducer   *adds;            /* borrowed, or NULL */
  LsBuffer    *own;             /* what a block without an init adds into, or NULL */
} Leaf;

static LsExpr *
in_loops (Walk   *self,
          LsExpr *expr)
{
  return g_hash_table_size (self->values) > 0 ? (LsExpr *) ls_substitute (expr, self->values) : ls_ref (expr);
}

static void
access_clear (gpointer data)
{
  LsPolyAccess *self = data;

  ls_unref (self->indices);
  g_ptr_array_unref (self->inner);
  g_ptr_array_unref (self->conditions);
}

static void
leaf_free (gpointer data)
{
  LsPolyLeaf *self = data;

  g_ptr_array_unref (self->chain);
  g_ptr_array_unref (self->loops);
  g_ptr_array_unref (self->conditions);
  g_ptr_array_unref (self->iters);
  g_ptr_array_unref (self->iter_vars);
  g_array_unref (self->accesses);
  g_free (self);
}

static gpointer
copy_ref (gconstpointer node,
          gpointer      user_data)
{
  return ls_node_ref ((LsNode *) node);
}

static GPtrArray *
copy_refs (GPtrArray *nodes)
{
  GPtrArray *copy = g_ptr_array_copy (nodes, copy_ref, NULL);

  g_ptr_array_set_free_func (copy, (GDestroyNotify) ls_node_unref);
  return copy;
}

static GPtrArray *
copy_borrowed (GPtrArray *nodes)
{
  GPtrArray *copy = g_ptr_array_new ();

  g_ptr_array_extend (copy, nodes, NULL, NULL);
  return copy;
}

/* ---- accesses of a leaf ------------------------------------------------------- */

/* What a sum reads of its buffer at another element than it adds to is a read as any other. */
static LsAccessRole
role_of (Leaf     *self,
         LsBuffer *buffer,
         LsArray  *indices,
         gboolean  is_write)
{
  if (self->own == buffer)
    return self->role;
  for (guint i = 0; self->adds != NULL && i < self->adds->n; i++)
    if (self->adds->stores[i]->buffer == buffer && (is_write || ls_deep_equal (indices, self->adds->stores[i]->indices)))
      return self->role;
  return LS_ACCESS_PLAIN;
}

static void
add_access (Leaf     *self,
            LsBuffer *buffer,
            LsArray  *indices,
            gboolean  is_write)
{
  LsPolyAccess access = { .buffer = buffer, .is_write = is_write, .is_vague = self->is_vague, .role = role_of (self, buffer, indices, is_write) };
  GPtrArray *own = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (indices); i++)
    g_ptr_array_add (own, in_loops (self->walk, ls_array_at (indices, i, LsExpr)));
  access.indices = ls_array_take_ptr_array (own);
  access.inner = copy_refs (self->inner);
  access.conditions = copy_refs (self->conditions);
  g_array_append_val (self->leaf->accesses, access);
}

static gboolean enter (Leaf *self, LsNode *node);

static LsWalk
enter_node (LsNode   *node,
            gpointer  user_data)
{
  return enter (user_data, node) ? LS_WALK_CONTINUE : LS_WALK_PRUNE;
}

static void
walk_leaf (Leaf     *self,
           gpointer  node)
{
  if (node != NULL)
    ls_walk (node, enter_node, NULL, self);
}

/* One more loop inside the leaf, its bounds over the loops outside. */
static void
push_inner (Leaf   *self,
            LsVar  *var,
            LsExpr *min,
            LsExpr *extent)
{
  g_ptr_array_add (self->inner, ls_for_new (ls_ref (var), in_loops (self->walk, min), in_loops (self->walk, extent), LS_FOR_SERIAL,
                                            ls_evaluate_zero (), NULL, NULL));
}

static void
walk_when (Leaf   *self,
           LsExpr *condition,
           gpointer body)
{
  g_ptr_array_add (self->conditions, in_loops (self->walk, condition));
  walk_leaf (self, body);
  g_ptr_array_set_size (self->conditions, (gint) self->conditions->len - 1);
}

static void
walk_when_not (Leaf     *self,
               LsExpr   *condition,
               gpointer  body)
{
  g_autoptr(LsExpr) contrary = ls_not_new (ls_ref (condition));

  if (body != NULL)
    walk_when (self, contrary, body);
}

static void
walk_vaguely (Leaf    *self,
              gpointer node)
{
  gboolean was = self->is_vague;

  self->is_vague = TRUE;
  walk_leaf (self, node);
  self->is_vague = was;
}

/* A call that takes the address of memory, or of which nobody knows what it does. */
static gboolean
is_opaque_call (LsCall *call)
{
  LsOp *op = (LsOp *) call->op;

  return !ls_is (call->op, OP) || op->effect >= LS_EFFECT_UPDATE_STATE || ls_is_call (call, "tir.address_of") || ls_is_call (call, "tir.tvm_access_ptr");
}

static void
bind_value (Leaf   *self,
            LsVar  *var,
            LsExpr *value)
{
  g_hash_table_insert (self->walk->values, var, in_loops (self->walk, value));
}

/* Goes on into the children where it says TRUE. */
static gboolean
enter (Leaf   *self,
       LsNode *node)
{
  if (ls_is (node, BUFFER_LOAD))
    {
      add_access (self, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices, FALSE);
      return TRUE;
    }
  if (ls_is (node, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) node;

      walk_leaf (self, store->value);
      walk_leaf (self, store->indices);
      add_access (self, store->buffer, store->indices, TRUE);
      return FALSE;
    }
  if (ls_is (node, FOR))
    {
      walk_leaf (self, ((LsFor *) node)->min);
      walk_leaf (self, ((LsFor *) node)->extent);
      push_inner (self, ((LsFor *) node)->loop_var, ((LsFor *) node)->min, ((LsFor *) node)->extent);
      walk_leaf (self, ((LsFor *) node)->body);
      g_ptr_array_set_size (self->inner, (gint) self->inner->len - 1);
      return FALSE;
    }
  if (ls_is (node, IF_THEN_ELSE))
    {
      LsIfThenElse *own = (LsIfThenElse *) node;

      walk_leaf (self, own->condition);
      walk_when (self, own->condition, own->then_case);
      walk_when_not (self, own->condition, own->else_case);
      return FALSE;
    }
  if (ls_is_call (node, "tir.if_then_else"))
    {
      LsArray *args = ((LsCall *) node)->args;

      walk_leaf (self, args->items[0]);
      walk_when (self, (LsExpr *) args->items[0], args->items[1]);
      walk_when_not (self, (LsExpr *) args->items[0], args->items[2]);
      return FALSE;
    }
  if (ls_is (node, LET_STMT))
    {
      walk_leaf (self, ((LsLetStmt *) node)->value);
      bind_value (self, ((LsLetStmt *) node)->var, ((LsLetStmt *) node)->value);
      walk_leaf (self, ((LsLetStmt *) node)->body);
      return FALSE;
    }
  if (ls_is (node, LET))
    {
      walk_leaf (self, ((LsLet *) node)->value);
      bind_value (self, ((LsLet *) node)->var, ((LsLet *) node)->value);
      walk_leaf (self, ((LsLet *) node)->body);
      return FALSE;
    }
  if (ls_is (node, WHILE))
    {
      walk_vaguely (self, ((LsWhile *) node)->condition);
      walk_vaguely (self, ((LsWhile *) node)->body);
      return FALSE;
    }
  if (ls_is (node, DECL_BUFFER) || ls_is (node, ALLOCATE_CONST) || ls_is (node, BUFFER_REALIZE))
    self->is_opaque = TRUE;
  if (ls_is (node, CALL))
    self->is_opaque |= is_opaque_call ((LsCall *) node);
  return TRUE;
}

/* A whole region: its first element, and loops over the rest. */
static void
add_region (Leaf           *self,
            LsBufferRegion *region,
            gboolean        is_write)
{
  GPtrArray *indices = g_ptr_array_new ();
  g_autoptr(LsArray) all = NULL;
  guint n = self->inner->len;

  for (guint i = 0; i < ls_array_n (region->region); i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);
      g_autoptr(LsVar) var = ls_var_new ("at", ls_dtype (range->min));
      g_autoptr(LsExpr) zero = ls_const_int (ls_dtype (range->min), 0);

      push_inner (self, var, zero, range->extent);
      g_ptr_array_add (indices, ls_add (ls_ref (range->min), LS_EXPR (ls_ref (var))));
    }
  all = ls_array_take_ptr_array (indices);
  add_access (self, region->buffer, all, is_write);
  g_ptr_array_set_size (self->inner, (gint) n);
}

static void
add_regions (Leaf    *self,
             LsBlock *block)
{
  self->is_vague = TRUE;
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    add_region (self, ls_array_at (block->reads, i, LsBufferRegion), FALSE);
  for (guint i = 0; i < ls_array_n (block->writes); i++)
    add_region (self, ls_array_at (block->writes, i, LsBufferRegion), TRUE);
}

/* ---- sums -------------------------------------------------------------------------- */

static gboolean
is_load_of (LsExpr        *expr,
            LsBufferStore *store)
{
  LsBufferLoad *load = (LsBufferLoad *) expr;
  gboolean same = ls_is (expr, BUFFER_LOAD) && load->buffer == store->buffer && ls_array_n (load->indices) == ls_array_n (store->indices);

  for (guint i = 0; same && i < ls_array_n (store->indices); i++)
    same = ls_deep_equal (load->indices->items[i], store->indices->items[i]);
  return same;
}

/* What a block with a reduction variable adds into, whatever it begins with: C[x] = C[x] + y and its like. */
static LsBuffer *
own_sum (LsBlock *block)
{
  LsBufferStore *store = ls_is (block->body, BUFFER_STORE) ? (LsBufferStore *) block->body : NULL;
  LsKind kind = store != NULL ? ls_kind (store->value) : LS_KIND_ARRAY;
  LsBinary *pair = store != NULL ? (LsBinary *) store->value : NULL;
  gboolean adds = FALSE;

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    adds |= ls_array_at (block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_COMM_REDUCE;
  if (!adds || (kind != LS_KIND_ADD && kind != LS_KIND_SUB && kind != LS_KIND_MUL && kind != LS_KIND_MIN && kind != LS_KIND_MAX))
    return NULL;
  if (is_load_of (pair->a, store) && !ls_uses (pair->b, store->buffer))
    return store->buffer;
  return kind != LS_KIND_SUB && is_load_of (pair->b, store) && !ls_uses (pair->a, store->buffer) ? store->buffer : NULL;
}

/* The init runs where every reduction variable has its first value. */
static void
walk_init (Leaf           *self,
           LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  guint n = self->conditions->len;

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      if (iter->iter_type == LS_ITER_COMM_REDUCE)
        g_ptr_array_add (self->conditions, ls_binary_new (LS_KIND_EQ, in_loops (self->walk, LS_EXPR (iter->var)), in_loops (self->walk, iter->dom->min)));
    }
  walk_leaf (self, block->init);
  g_ptr_array_set_size (self->conditions, (gint) n);
}

static void
walk_body (Leaf           *self,
           LsBlockRealize *realize,
           LsReducer      *reducer)
{
  LsBlock *block = realize->block;
  gboolean adds = block->init != NULL && ls_reducer_find (reducer, block) == NULL;

  if (adds)
    self->adds = reducer;
  else
    self->own = own_sum (block);
  if (block->init != NULL)
    {
      self->role = LS_ACCESS_STARTS;
      walk_init (self, realize);
    }
  self->role = LS_ACCESS_ADDS;
  walk_leaf (self, block->body);
  self->adds = NULL;
  self->own = NULL;
}

static void
walk_block (Leaf           *self,
            LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  LsReducer reducer = { 0 };

  if (LS_NODE (block->body)->facts & LS_FACT_HAS_BLOCK)
    {
      self->own = block->init != NULL && ls_array_n (block->writes) == 1 ? ls_array_at (block->writes, 0, LsBufferRegion)->buffer : NULL;
      self->role = LS_ACCESS_ADDS;
      add_regions (self, block);
      return;
    }
  walk_body (self, realize, &reducer);
  ls_reducer_clear (&reducer);
  if (self->is_opaque || ls_array_n (block->match_buffers) > 0)
    {
      g_array_set_size (self->leaf->accesses, 0);
      add_regions (self, block);
    }
}

/* ---- leaves ---------------------------------------------------------------------------- */

static gboolean walk_tree (Walk *self, LsNode *stmt);

static LsPolyLeaf *
leaf_new (Walk           *self,
          LsNode         *key,
          LsBlockRealize *realize)
{
  LsPolyLeaf *leaf = g_new0 (LsPolyLeaf, 1);

  leaf->key = key;
  leaf->realize = realize;
  leaf->chain = copy_borrowed (self->chain);
  leaf->loops = copy_borrowed (self->loops);
  leaf->conditions = copy_refs (self->conditions);
  leaf->iters = copy_refs (self->iters);
  leaf->iter_vars = copy_borrowed (self->iter_vars);
  leaf->accesses = g_array_new (FALSE, FALSE, sizeof (LsPolyAccess));
  g_array_set_clear_func (leaf->accesses, access_clear);
  leaf->one_store = ls_is (realize != NULL ? (LsNode *) realize->block->body : key, BUFFER_STORE) && (realize == NULL || realize->block->init == NULL);
  return leaf;
}

/* What bounds, conditions and bindings around the leaf read. */
static void
walk_around (Leaf *self)
{
  for (guint i = 0; i < self->leaf->loops->len; i++)
    {
      walk_leaf (self, ((LsFor *) self->leaf->loops->pdata[i])->min);
      walk_leaf (self, ((LsFor *) self->leaf->loops->pdata[i])->extent);
    }
  for (guint i = 0; i < self->leaf->conditions->len; i++)
    walk_leaf (self, self->leaf->conditions->pdata[i]);
  for (guint i = 0; i < self->leaf->iters->len; i++)
    walk_leaf (self, self->leaf->iters->pdata[i]);
}

static gboolean
add_leaf (Walk           *self,
          LsNode         *key,
          LsBlockRealize *realize)
{
  LsPolyLeaf *leaf = leaf_new (self, key, realize);
  g_autoptr(GPtrArray) inner = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr(GPtrArray) conditions = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  Leaf own = { .walk = self, .leaf = leaf, .inner = inner, .conditions = conditions };

  g_ptr_array_add (self->leaves, leaf);
  if (realize != NULL)
    walk_block (&own, realize);
  else
    walk_leaf (&own, key);
  if (realize == NULL && own.is_opaque)
    self->reason = LS_TEXT ("a statement outside of blocks reaches memory otherwise than by its elements");
  own.is_opaque = FALSE;
  walk_around (&own);
  return self->reason == NULL;
}

/* A block that starts a sum, or renames buffers, for the blocks inside is taken as a whole, by its regions. */
static gboolean
is_leaf (LsBlock *block)
{
  return !(LS_NODE (block->body)->facts & LS_FACT_HAS_BLOCK) || block->init != NULL || ls_array_n (block->match_buffers) > 0;
}

static gboolean
walk_realize (Walk           *self,
              LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  guint n = self->iters->len;
  gboolean going_on;

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsExpr *value = in_loops (self, ls_array_at (realize->iter_values, i, LsExpr));

      g_ptr_array_add (self->iters, value);
      g_ptr_array_add (self->iter_vars, block->iter_vars->items[i]);
    }
  g_ptr_array_add (self->conditions, in_loops (self, realize->predicate));
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    g_hash_table_insert (self->values, ls_array_at (block->iter_vars, i, LsIterVar)->var, ls_ref ((LsExpr *) self->iters->pdata[n + i]));
  g_ptr_array_add (self->chain, realize);
  if (is_leaf (block))
    going_on = add_leaf (self, LS_NODE (block), realize);
  else
    going_on = walk_tree (self, block->body);
  g_ptr_array_set_size (self->chain, (gint) self->chain->len - 1);
  g_ptr_array_set_size (self->conditions, (gint) self->conditions->len - 1);
  g_ptr_array_set_size (self->iters, (gint) n);
  g_ptr_array_set_size (self->iter_vars, (gint) n);
  return going_on;
}

static gboolean
walk_branch (Walk     *self,
             LsExpr   *condition,
             LsNode   *branch)
{
  gboolean going_on;

  g_ptr_array_add (self->conditions, in_loops (self, condition));
  going_on = walk_tree (self, branch);
  g_ptr_array_set_size (self->conditions, (gint) self->conditions->len - 1);
  return going_on;
}

static gboolean
walk_if (Walk         *self,
         LsIfThenElse *stmt)
{
  g_autoptr(LsExpr) contrary = ls_not_new (ls_ref (stmt->condition));

  return walk_branch (self, stmt->condition, stmt->then_case) && (stmt->else_case == NULL || walk_branch (self, contrary, stmt->else_case));
}

static gboolean
walk_tree (Walk   *self,
           LsNode *stmt)
{
  gboolean going_on = TRUE;

  if (ls_is (stmt, FOR))
    {
      g_ptr_array_add (self->loops, stmt);
      going_on = walk_tree (self, ((LsFor *) stmt)->body);
      g_ptr_array_set_size (self->loops, (gint) self->loops->len - 1);
      return going_on;
    }
  if (ls_is (stmt, SEQ_STMT))
    {
      for (guint i = 0; going_on && i < ls_array_n (((LsSeqStmt *) stmt)->seq); i++)
        going_on = walk_tree (self, ((LsSeqStmt *) stmt)->seq->items[i]);
      return going_on;
    }
  if (ls_is (stmt, BLOCK_REALIZE))
    return walk_realize (self, (LsBlockRealize *) stmt);
  if (ls_is (stmt, IF_THEN_ELSE) && (stmt->facts & LS_FACT_HAS_BLOCK))
    return walk_if (self, (LsIfThenElse *) stmt);
  if (ls_is (stmt, ATTR_STMT))
    return walk_tree (self, ((LsAttrStmt *) stmt)->body);
  if (ls_is (stmt, ALLOCATE_CONST))
    return walk_tree (self, ((LsAllocateConst *) stmt)->body);
  if (ls_is (stmt, DECL_BUFFER))
    return walk_tree (self, ((LsDeclBuffer *) stmt)->body);
  if (ls_is (stmt, LET_STMT) && (stmt->facts & LS_FACT_HAS_BLOCK) && ls_pointer_memory (((LsLetStmt *) stmt)->value) != NULL)
    {
      self->reason = LS_TEXT ("a statement outside of blocks reaches memory otherwise than by its elements");
      return FALSE;
    }
  if (ls_is (stmt, LET_STMT) && (stmt->facts & LS_FACT_HAS_BLOCK))
    {
      g_hash_table_insert (self->values, ((LsLetStmt *) stmt)->var, in_loops (self, ((LsLetStmt *) stmt)->value));
      return walk_tree (self, ((LsLetStmt *) stmt)->body);
    }
  if (stmt->facts & LS_FACT_HAS_BLOCK)
    {
      self->reason = LS_TEXT ("blocks stand inside an allocation, an assertion or a while loop");
      return FALSE;
    }
  return add_leaf (self, stmt, NULL);
}

GPtrArray *
ls_poly_leaves (LsStmt      *stmt,
                const char **reason)
{
  g_autoptr(GPtrArray) leaves = g_ptr_array_new_with_free_func (leaf_free);
  g_autoptr(GPtrArray) loops = g_ptr_array_new ();
  g_autoptr(GPtrArray) chain = g_ptr_array_new ();
  g_autoptr(GPtrArray) conditions = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr(GPtrArray) iters = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr(GPtrArray) iter_vars = g_ptr_array_new ();
  g_autoptr(GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Walk walk = { leaves, loops, chain, conditions, iters, iter_vars, values, NULL };

  walk_tree (&walk, stmt);
  *reason = walk.reason;
  return walk.reason == NULL ? g_steal_pointer (&leaves) : NULL;
}

gboolean
ls_poly_has_same_loops (LsPolyLeaf *a,
                        LsPolyLeaf *b)
{
  gboolean same = a->realize == b->realize && a->loops->len == b->loops->len && a->chain->len == b->chain->len;

  for (guint i = 0; same && i < a->chain->len; i++)
    same = a->chain->pdata[i] == b->chain->pdata[i] || i + 1 < a->chain->len;
  for (guint i = 0; same && i < b->loops->len; i++)
    {
      gint at = -1;

      for (guint k = 0; at < 0 && k < a->loops->len; k++)
        if (((LsFor *) a->loops->pdata[k])->loop_var == ((LsFor *) b->loops->pdata[i])->loop_var)
          at = (gint) k;
      same = at >= 0;
    }
  return same;
}
