/* settle: see the header.
 *
 * The texts of programs are TVM's, and three things in them are not what they mean:
 *
 *   neutral   a maximum begins with the lowest finite number, so that of -inf alone comes out finite; it means -inf (+inf for
 *             a minimum).  A buffer that something adds to by a maximum holds that constant as its neutral value wherever it
 *             is stored, also in the init that decompose_reduction, rfactor or cache_write made a block of its own.  So does the
 *             padding of what is added: max (C[i], if_then_else (inside, A[i], lowest)), and a buffer of such values that is read
 *             nowhere else.
 *   argument  argmax begins with the pair (-1, lowest): a first value that is not better leaves -1.  No index below 0 is one, so
 *             any value is better than none; and a NaN stays, as it does for max.  Not where the indices are the caller's: those
 *             may be any numbers.
 *   empty     a block with an init whose reduction variables have no values never runs, and memory keeps what lay there.  A sum
 *             of nothing is its init: a block before the loops fills it in.  Where the extent is a number other than 0 there is
 *             nothing to do.
 *
 * Interpreter and lowering begin with this; it is no pass of TVM's and is not listed among them.  Loops bound to threads are
 * left alone: a filling block does not belong to the kernel.
 */
#include "engine/arith/analyzer.h"
#include "engine/ir/functions.h"
#include "engine/tir/scope.h"
#include "engine/tir/settle.h"

#include <math.h>

typedef enum { NEITHER, MAXIMUM, MINIMUM, BOTH } Direction;

typedef struct {
  GHashTable *lets;             /* Var -> LsExpr, borrowed */
  GHashTable *directions;       /* LsBuffer -> Direction */
  GHashTable *arguments;        /* LsBuffer of values -> LsBuffer of indices */
  GHashTable *padded;           /* LsBuffer, allocated here -> Direction of the buffer that its elements are added to */
  GHashTable *n_added;          /* LsBuffer -> how many of its loads are so added */
  gboolean    has_init;
} Survey;

/* ---- looking ------------------------------------------------------------------ */

static LsExpr *
value_of (Survey *self,
          LsExpr *expr)
{
  LsExpr *value = ls_is_var (expr) ? g_hash_table_lookup (self->lets, expr) : NULL;

  return value != NULL ? value : expr;
}

static gboolean
loads_own (LsExpr        *expr,
           LsBufferStore *store)
{
  LsBufferLoad *load = (LsBufferLoad *) expr;

  if (!ls_is (expr, BUFFER_LOAD) || load->buffer != store->buffer || ls_array_n (load->indices) != ls_array_n (store->indices))
    return FALSE;
  for (guint i = 0; i < ls_array_n (load->indices); i++)
    if (!ls_deep_equal (load->indices->items[i], store->indices->items[i]))
      return FALSE;
  return TRUE;
}

static void
note_in (GHashTable *table,
         LsBuffer   *buffer,
         guint       number)
{
  g_hash_table_insert (table, buffer, GUINT_TO_POINTER (number));
}

static void
note_direction (Survey   *self,
                LsBuffer *buffer,
                Direction direction)
{
  Direction known = GPOINTER_TO_UINT (g_hash_table_lookup (self->directions, buffer));

  g_hash_table_insert (self->directions, buffer, GUINT_TO_POINTER (known | direction));
}

/* The comparison that decides: x > y, or x > y or (x == y and i < j). */
static LsExpr *
decision (LsExpr *condition)
{
  return ls_is (condition, OR) ? ((LsBinary *) condition)->a : condition;
}

static Direction
direction_of (LsExpr *comparison)
{
  if (ls_is (comparison, GT) || ls_is (comparison, GE))
    return MAXIMUM;
  return ls_is (comparison, LT) || ls_is (comparison, LE) ? MINIMUM : NEITHER;
}

static void
look_at_store (Survey        *self,
               LsBufferStore *store)
{
  LsExpr *value = value_of (self, store->value);

  if (ls_is (value, MAX) || ls_is (value, MIN))
    {
      LsBinary *pair = (LsBinary *) value;

      if (ls_dtype_is_float (ls_dtype (value)) && (loads_own (pair->a, store) || loads_own (pair->b, store)))
        {
          LsBufferLoad *added = (LsBufferLoad *) (loads_own (pair->a, store) ? pair->b : pair->a);

          note_direction (self, store->buffer, ls_is (value, MAX) ? MAXIMUM : MINIMUM);
          if (ls_is (added, BUFFER_LOAD))
            {
              note_in (self->padded, added->buffer, GPOINTER_TO_UINT (g_hash_table_lookup (self->padded, added->buffer)) | (ls_is (value, MAX) ? MAXIMUM : MINIMUM));
              note_in (self->n_added, added->buffer, GPOINTER_TO_UINT (g_hash_table_lookup (self->n_added, added->buffer)) + 1);
            }
        }
    }
  if (ls_is (value, SELECT) && loads_own (((LsSelect *) value)->true_value, store))
    {
      LsExpr *comparison = decision (((LsSelect *) value)->condition);
      LsExpr *left = direction_of (comparison) != NEITHER ? ((LsBinary *) comparison)->a : NULL;

      if (left == NULL || !ls_is (left, BUFFER_LOAD))
        return;
      if (loads_own (left, store))
        note_direction (self, store->buffer, direction_of (comparison));
      else if (ls_dtype_is_index (store->buffer->dtype))
        g_hash_table_insert (self->arguments, ((LsBufferLoad *) left)->buffer, store->buffer);
    }
}

static LsWalk
survey (LsNode   *node,
        gpointer  user_data)
{
  Survey *self = user_data;

  if (ls_is (node, LET_STMT))
    g_hash_table_insert (self->lets, ((LsLetStmt *) node)->var, ((LsLetStmt *) node)->value);
  else if (ls_is (node, BUFFER_STORE))
    look_at_store (self, (LsBufferStore *) node);
  else if (ls_is (node, BLOCK) && ((LsBlock *) node)->init != NULL)
    self->has_init = TRUE;
  return ls_is_expr (node) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

/* ---- neutral values -------------------------------------------------------------- */

/* Paddings: buffers that a block allocates, of which each load is added to a maximum (or each to a minimum). */
typedef struct {
  Survey     *survey;
  GHashTable *mine;             /* LsBuffer: allocated in a block */
  GHashTable *n_loads;          /* LsBuffer -> how many loads there are */
  GHashTable *named;            /* LsVar that stands somewhere, or LsBuffer that another is a part of */
} PadSearch;

static LsWalk
look_for_pads (LsNode   *node,
               gpointer  user_data)
{
  PadSearch *self = user_data;

  if (ls_is (node, BUFFER_LOAD))
    {
      LsBuffer *buffer = ((LsBufferLoad *) node)->buffer;

      note_in (self->n_loads, buffer, GPOINTER_TO_UINT (g_hash_table_lookup (self->n_loads, buffer)) + 1);
    }
  else if (ls_is_var (node))
    g_hash_table_add (self->named, node);
  else if (ls_is (node, BLOCK))
    {
      LsBlock *block = (LsBlock *) node;

      for (guint i = 0; i < ls_array_n (block->alloc_buffers); i++)
        g_hash_table_add (self->mine, block->alloc_buffers->items[i]);
      for (guint i = 0; i < ls_array_n (block->match_buffers); i++)
        g_hash_table_add (self->named, ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->source->buffer);
    }
  return LS_WALK_CONTINUE;
}

/* Leaves those in `padded` of which nothing else can tell what their padding is. */
static void
find_pads (Survey *self,
           LsStmt *body)
{
  g_autoptr (GHashTable) mine = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) n_loads = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) named = g_hash_table_new (NULL, NULL);
  PadSearch search = { self, mine, n_loads, named };
  GHashTableIter iter;
  gpointer key, direction;

  if (g_hash_table_size (self->padded) == 0)
    return;
  ls_walk (body, look_for_pads, NULL, &search);
  g_hash_table_iter_init (&iter, self->padded);
  while (g_hash_table_iter_next (&iter, &key, &direction))
    if (!g_hash_table_contains (mine, key) || g_hash_table_contains (named, key) || g_hash_table_contains (named, ((LsBuffer *) key)->data)
        || g_hash_table_contains (self->directions, key) || g_hash_table_lookup (n_loads, key) != g_hash_table_lookup (self->n_added, key)
        || GPOINTER_TO_UINT (direction) == BOTH)
      g_hash_table_iter_remove (&iter);
}

/* The value with an infinity where a choice gives the number that changes nothing; NULL: nowhere. (transfer full) */
static LsExpr *
settle_value (LsExpr   *value,
              Direction direction,
              gboolean  is_choice)
{
  LsCall *call = (LsCall *) value;
  LsDType t = ls_dtype (value);
  g_autoptr (LsArray) args = NULL;

  if (ls_is (value, FLOAT_IMM) && is_choice && ls_dtype_is_float (t))
    {
      double most = ls_dtype_float_max (t);

      if (((LsFloatImm *) value)->value == (direction == MAXIMUM ? -most : most))
        return ls_float_imm_new (t, direction == MAXIMUM ? -INFINITY : INFINITY);
    }
  if (!ls_is_call (value, "tir.if_then_else"))
    return NULL;
  args = ls_ref (call->args);
  for (guint i = 1; i < 3; i++)
    {
      g_autoptr (LsExpr) fresh = settle_value (ls_array_at (args, i, LsExpr), direction, TRUE);

      if (fresh != NULL)
        ls_take (&args, ls_array_with (args, i, fresh));
    }
  return args != call->args ? ls_call_new (t, ls_node_ref (call->op), ls_ref (args)) : NULL;
}

/* What a store adds to a maximum of its own, or puts into a padding; NULL: no such value changes. (transfer full) */
static LsExpr *
settle_padding (Survey        *self,
                LsBufferStore *store,
                Direction      direction)
{
  LsBinary *pair = (LsBinary *) store->value;
  Direction of_pad = GPOINTER_TO_UINT (g_hash_table_lookup (self->padded, store->buffer));
  g_autoptr (LsExpr) fresh = NULL;
  gboolean own_first;

  if (of_pad != NEITHER)
    return settle_value (store->value, of_pad, TRUE);
  if (!ls_is (pair, MAX) && !ls_is (pair, MIN))
    return NULL;
  own_first = loads_own (pair->a, store);
  if ((!own_first && !loads_own (pair->b, store)) || direction != (ls_is (pair, MAX) ? MAXIMUM : MINIMUM))
    return NULL;
  fresh = settle_value (own_first ? pair->b : pair->a, direction, FALSE);
  if (fresh == NULL)
    return NULL;
  return ls_binary_new (ls_is (pair, MAX) ? LS_KIND_MAX : LS_KIND_MIN, ls_ref (own_first ? pair->a : fresh), ls_ref (own_first ? fresh : pair->b));
}

static LsNode *
settle_store (Survey        *self,
              LsBufferStore *store)
{
  Direction direction = GPOINTER_TO_UINT (g_hash_table_lookup (self->directions, store->buffer));
  LsDType t = store->buffer->dtype;
  LsExpr *value = NULL;

  if (!ls_dtype_is_float (t))
    return NULL;
  if (ls_is (store->value, FLOAT_IMM) && (direction == MAXIMUM || direction == MINIMUM))
    value = settle_value (store->value, direction, TRUE);
  else
    value = settle_padding (self, store, direction);
  return value != NULL ? LS_NODE (ls_buffer_store_new (ls_ref (store->buffer), value, ls_ref (store->indices), ls_ref (store->predicate))) : NULL;
}

/* ---- arguments --------------------------------------------------------------------- */

static gboolean
is_settled (LsExpr *condition)
{
  return ls_is (condition, AND) && ls_is (((LsBinary *) condition)->a, GE) && ls_is_zero (((LsBinary *) ((LsBinary *) condition)->a)->b);
}

/* keep (old, new)  ->  old index >= 0 and (keep or old is NaN or new index < 0).  `fresh` is the new index, or NULL. */
static LsNode *
settle_choice (Survey   *self,
               LsSelect *choice,
               LsExpr   *fresh)
{
  LsExpr *comparison = decision (choice->condition);
  LsBufferLoad *old = direction_of (comparison) != NEITHER ? (LsBufferLoad *) ((LsBinary *) comparison)->a : NULL;
  LsBuffer *indices = ls_is (old, BUFFER_LOAD) ? g_hash_table_lookup (self->arguments, old->buffer) : NULL;
  LsExpr *index, *keep, *condition;

  if (indices == NULL || is_settled (choice->condition))
    return NULL;
  index = ls_buffer_load_new (ls_ref (indices), ls_ref (old->indices), NULL);
  keep = ls_ref (choice->condition);
  if (ls_dtype_is_float (ls_dtype (old)))
    keep = ls_binary_new (LS_KIND_OR, keep, ls_binary_new (LS_KIND_NE, LS_EXPR (ls_ref (old)), LS_EXPR (ls_ref (old))));
  if (fresh != NULL && ls_is (fresh, BUFFER_LOAD))
    keep = ls_binary_new (LS_KIND_OR, keep, ls_binary_new (LS_KIND_LT, ls_ref (fresh), ls_const_int (ls_dtype (fresh), 0)));
  condition = ls_binary_new (LS_KIND_AND, ls_binary_new (LS_KIND_GE, index, ls_const_int (indices->dtype, 0)), keep);
  return LS_NODE (ls_select_new (condition, ls_ref (choice->true_value), ls_ref (choice->false_value)));
}

/* The new index of the pair that a block stores: the other side of the choice that gives the index. */
typedef struct {
  Survey *survey;
  LsExpr *found;
} IndexSearch;

static LsWalk
look_for_index (LsNode   *node,
                gpointer  user_data)
{
  IndexSearch *self = user_data;
  LsSelect *choice = (LsSelect *) node;

  if (self->found == NULL && ls_is (node, SELECT) && ls_is (choice->true_value, BUFFER_LOAD) && ls_dtype_is_index (ls_dtype (choice)))
    self->found = choice->false_value;
  return self->found != NULL ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* ---- sums of nothing ------------------------------------------------------------------ */

typedef struct {
  GPtrArray *loops;             /* of LsFor, borrowed: those of the nest, outer ones first */
  GPtrArray *fills;             /* of LsStmt */
  gboolean   has_threads;
} Nest;

/* What variables of the nest are in a fill: iteration variables of the block and the loops that alone give them. */
typedef struct {
  GHashTable *map;              /* LsVar -> LsNode, owned */
  Nest       *nest;
  LsBlock    *block;
  gboolean    lost;             /* something uses a variable that a fill has none for */
} Places;

static LsWalk
look_for_lost (LsNode   *node,
               gpointer  user_data)
{
  Places *self = user_data;

  if (!ls_is_var (node) || g_hash_table_contains (self->map, node))
    return LS_WALK_CONTINUE;
  for (guint i = 0; i < self->nest->loops->len && !self->lost; i++)
    self->lost = LS_NODE (((LsFor *) self->nest->loops->pdata[i])->loop_var) == node;
  for (guint i = 0; i < ls_array_n (self->block->iter_vars) && !self->lost; i++)
    self->lost = LS_NODE (ls_array_at (self->block->iter_vars, i, LsIterVar)->var) == node;
  return self->lost ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* An expression of the nest in the fill. (transfer full) */
static LsExpr *
placed (Places *self,
        LsExpr *expr)
{
  ls_walk (LS_NODE (expr), look_for_lost, NULL, self);
  return LS_EXPR (ls_substitute (expr, self->map));
}

/* Is the extent more than 0 by what is known of the loops and of the block's variables? */
static gboolean
is_never_zero (Nest    *nest,
               LsBlock *block,
               LsExpr  *extent)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;
  gint64 number;

  if (ls_as_int (extent, &number))
    return number > 0;
  analyzer = ls_analyzer_new ();
  for (guint i = 0; i < nest->loops->len; i++)
    ls_scope_bind (analyzer, nest->loops->pdata[i], LS_SCOPE_LOOPS);
  ls_scope_bind (analyzer, LS_NODE (block), LS_SCOPE_BLOCKS);
  return ls_analyzer_can_prove_ge_value (analyzer, extent, 1);
}

/* The condition under which a block sums nothing; NULL: it always sums something. (transfer full) */
static LsExpr *
none_of (Places *self)
{
  LsExpr *none = NULL;

  for (guint i = 0; i < ls_array_n (self->block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (self->block->iter_vars, i, LsIterVar);
      LsExpr *one;

      if (iter->iter_type != LS_ITER_COMM_REDUCE || is_never_zero (self->nest, self->block, iter->dom->extent))
        continue;
      one = ls_le (placed (self, iter->dom->extent), ls_const_int (ls_dtype (iter->dom->extent), 0));
      none = none != NULL ? ls_or (none, one) : one;
    }
  return none;
}

/* with T.block("C_empty"): the init, over all values of the spatial variables for which the sum is of nothing.  Such a condition may depend on them (a
 * triangle), and so may their own extents; NULL where it depends on what only the nest has: the program means what its text says then. */
static LsStmt *
fill (LsBlockRealize *realize,
      Nest           *nest)
{
  LsBlock *block = realize->block;
  g_autoptr (GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref), rounds = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Places inside = { map, nest, block, FALSE }, around = { rounds, nest, block, FALSE };
  GPtrArray *iters = g_ptr_array_new (), *values = g_ptr_array_new ();
  g_autoptr (GPtrArray) loops = g_ptr_array_new ();
  g_autofree char *name = g_strconcat (block->name_hint, "_empty", NULL);
  LsExpr *none;
  LsStmt *stmt;
  gboolean outside;

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);
      LsExpr *value = ls_array_at (realize->iter_values, i, LsExpr);
      g_autoptr (LsExpr) min = NULL;
      g_autoptr (LsExpr) extent = NULL;
      LsVar *var, *loop;

      if (iter->iter_type == LS_ITER_COMM_REDUCE)
        continue;
      min = placed (&around, iter->dom->min);
      extent = placed (&around, iter->dom->extent);
      var = ls_var_copy (iter->var, NULL);
      loop = ls_var_copy (iter->var, NULL);
      g_ptr_array_add (iters, ls_iter_var_new (ls_range_new (ls_ref (min), ls_ref (extent)), var, LS_ITER_DATA_PAR, NULL));
      g_ptr_array_add (values, ls_ref (loop));
      g_hash_table_insert (map, iter->var, ls_ref (var));
      g_hash_table_insert (rounds, iter->var, ls_ref (loop));
      if (ls_is_var (value))
        {
          g_hash_table_insert (map, value, ls_ref (var));
          g_hash_table_insert (rounds, value, ls_ref (loop));
        }
      g_ptr_array_add (loops, ls_for_new (loop, ls_ref (min), ls_ref (extent), LS_FOR_SERIAL, ls_evaluate_zero (), NULL, NULL));
    }
  none = none_of (&around);
  if (!ls_is_one (realize->predicate))
    {
      Places where = { rounds, nest, block, FALSE };
      g_autoptr (LsExpr) predicate = placed (&where, realize->predicate);

      if (!where.lost)
        none = ls_and (none, ls_ref (predicate));
    }
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      if (iter->iter_type == LS_ITER_COMM_REDUCE)
        g_hash_table_insert (map, iter->var, placed (&inside, iter->dom->min));
    }
  {
    g_autoptr (LsArray) iter_vars = ls_array_take_ptr_array (iters);
    g_autoptr (LsBlock) bare = ls_block_new (ls_ref (iter_vars), NULL, NULL, name, (LsStmt *) placed (&inside, (LsExpr *) block->init), NULL, NULL, NULL, NULL);
    g_autoptr (LsArray) reads = NULL;
    g_autoptr (LsArray) writes = NULL;

    ls_block_access_region (bare, &reads, &writes, NULL);
    stmt = LS_NODE (ls_block_realize_new (ls_array_take_ptr_array (values), ls_bool (TRUE), ls_block_with_reads_writes (bare, reads, writes)));
  }
  outside = TRUE;
  for (guint i = 0; i < loops->len && outside; i++)
    outside = !ls_uses (none, ((LsFor *) loops->pdata[i])->loop_var);
  if (!outside && !ls_is_one (none))
    stmt = ls_if_then_else_new (ls_ref (none), stmt, NULL);
  for (guint i = loops->len; i-- > 0;)
    {
      g_autoptr (LsFor) loop = loops->pdata[i];
      LsStmt *inner = stmt;

      stmt = LS_NODE (ls_for_with_body (loop, inner));
      ls_unref (inner);
    }
  if (outside && !ls_is_one (none))
    stmt = ls_if_then_else_new (ls_ref (none), stmt, NULL);
  ls_unref (none);
  if (inside.lost || around.lost)
    g_clear_pointer (&stmt, ls_node_unref);
  return stmt;
}

static gboolean
may_be_empty (Nest    *nest,
              LsBlock *block)
{
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      if (iter->iter_type == LS_ITER_COMM_REDUCE && !is_never_zero (nest, block, iter->dom->extent))
        return TRUE;
    }
  return FALSE;
}

/* Blocks of one nest, not those inside blocks. */
static LsWalk
look_for_empty (LsNode   *node,
                gpointer  user_data)
{
  Nest *self = user_data;
  LsBlock *block;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is (node, FOR))
    {
      self->has_threads |= ((LsFor *) node)->kind == LS_FOR_THREAD_BINDING;
      g_ptr_array_add (self->loops, node);
    }
  if (!ls_is (node, BLOCK_REALIZE))
    return LS_WALK_CONTINUE;
  block = ((LsBlockRealize *) node)->block;
  if (block->init != NULL && may_be_empty (self, block))
    {
      LsStmt *stmt = fill ((LsBlockRealize *) node, self);

      if (stmt != NULL)
        g_ptr_array_add (self->fills, stmt);
    }
  return LS_WALK_PRUNE;
}

/* A nest of loops with what fills in its empty sums before it. (takes nest) */
static LsNode *
with_fills (LsNode *nest)
{
  g_autoptr (GPtrArray) loops = g_ptr_array_new (), fills = g_ptr_array_new ();
  Nest search = { loops, fills, FALSE };
  GPtrArray *all;

  ls_walk (nest, look_for_empty, NULL, &search);
  if (fills->len == 0)
    return nest;
  all = g_ptr_array_new ();
  for (guint i = 0; i < fills->len; i++)
    if (search.has_threads)
      ls_unref ((LsNode *) fills->pdata[i]);
    else
      g_ptr_array_add (all, fills->pdata[i]);
  g_ptr_array_add (all, nest);
  return ls_seq (ls_array_take_ptr_array (all));
}

/* What a caller gives as an index may be any number: a negative one is no sign of nothing then. */
typedef struct {
  Survey     *survey;
  LsPrimFunc *func;
  gboolean    inside;           /* of a new index */
  gboolean    found;
} GivenSearch;

/* The choice gives an index, not a value that is an integer too. */
static gboolean
chooses_index (Survey   *survey,
               LsSelect *choice)
{
  GHashTableIter iter;
  gpointer indices;

  if (!ls_is (choice, SELECT) || !ls_is (choice->true_value, BUFFER_LOAD))
    return FALSE;
  g_hash_table_iter_init (&iter, survey->arguments);
  while (g_hash_table_iter_next (&iter, NULL, &indices))
    if (indices == (gpointer) ((LsBufferLoad *) choice->true_value)->buffer)
      return TRUE;
  return FALSE;
}

static LsWalk
look_for_given (LsNode   *node,
                gpointer  user_data)
{
  GivenSearch *self = user_data;
  LsSelect *choice = (LsSelect *) node;

  if (self->inside && ls_is (node, BUFFER_LOAD))
    for (guint i = 0; i < self->func->params->n && !self->found; i++)
      self->found = ls_prim_func_get_buffer (self->func, i) == ((LsBufferLoad *) node)->buffer;
  else if (!self->inside && chooses_index (self->survey, choice))
    {
      GivenSearch within = { self->survey, self->func, TRUE, FALSE };

      ls_walk (LS_NODE (choice->false_value), look_for_given, NULL, &within);
      self->found |= within.found;
    }
  return self->found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
takes_given_indices (Survey     *survey,
                     LsPrimFunc *func)
{
  GivenSearch search = { survey, func, FALSE, FALSE };

  ls_walk (func->body, look_for_given, NULL, &search);
  return search.found;
}

/* ---- all of it -------------------------------------------------------------------------- */

typedef struct {
  Survey *survey;
  guint   loops;                /* around, inside the innermost block */
  LsExpr *index;                /* the new index of the pair that the block stores, or NULL */
} Settling;

static LsNode *
settle (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Settling *self = user_data;
  Settling outer = *self;
  LsNode *fresh = NULL, *result;

  if (ls_is (node, BUFFER_STORE))
    fresh = settle_store (self->survey, (LsBufferStore *) node);
  else if (ls_is (node, SELECT) && g_hash_table_size (self->survey->arguments) > 0)
    fresh = settle_choice (self->survey, (LsSelect *) node, self->index);
  if (fresh != NULL)
    return fresh;
  if (ls_is (node, BLOCK))
    {
      IndexSearch search = { self->survey, NULL };

      self->loops = 0;
      if (g_hash_table_size (self->survey->arguments) > 0 && !(LS_NODE (((LsBlock *) node)->body)->facts & LS_FACT_HAS_BLOCK))
        ls_walk (((LsBlock *) node)->body, look_for_index, NULL, &search);
      self->index = search.found;
    }
  self->loops += ls_is (node, FOR);
  result = ls_rewrite_default (rewriter, node);
  *self = outer;
  if (self->survey->has_init && self->loops == 0 && (ls_is (node, FOR) || ls_is (node, BLOCK_REALIZE)))
    result = with_fills (result);
  return result;
}

LsPrimFunc *
ls_settle_sums (LsPrimFunc *func)
{
  g_autoptr (GHashTable) lets = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) directions = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) arguments = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) padded = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) n_added = g_hash_table_new (NULL, NULL);
  Survey looked = { lets, directions, arguments, padded, n_added, FALSE };
  Settling settling = { &looked, 0, NULL };
  GHashTableIter iter;
  gpointer values;
  g_autoptr (LsNode) body = NULL;

  ls_walk (func->body, survey, NULL, &looked);
  find_pads (&looked, func->body);
  g_hash_table_iter_init (&iter, arguments);
  while (g_hash_table_iter_next (&iter, &values, NULL))
    if (!g_hash_table_contains (directions, values))
      g_hash_table_iter_remove (&iter);
  if (g_hash_table_size (arguments) > 0 && takes_given_indices (&looked, func))
    g_hash_table_remove_all (arguments);
  if (g_hash_table_size (directions) == 0 && !looked.has_init)
    return ls_ref (func);
  body = ls_rewrite_with (func->body, settle, &settling);
  return body == LS_NODE (func->body) ? ls_ref (func) : ls_prim_func_with_body (func, body);
}

LsModule *
ls_settle_sums_module (LsModule *module)
{
  GPtrArray *functions = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      LsPrimFunc *func = ls_array_at (module->functions, i, LsPrimFunc);

      g_ptr_array_add (functions, ls_is (func, PRIM_FUNC) ? ls_settle_sums (func) : ls_ref (func));
    }
  return ls_module_with_functions (module, ls_array_take_ptr_array (functions));
}
