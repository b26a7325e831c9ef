/* knowns: facts of the form  "for all q of these ranges: buffer[index (q)] == value (q)".
 *
 *   a store          makes a fact of its element, and ends those about elements that may be the same
 *                    (a fact of many elements goes on for the others)
 *   a store of lanes  makes a fact of the elements from its first on
 *   a loop           ends at its beginning what its rounds store; where each round stores only to elements with its own number
 *                    as an index, what was known of those holds until the round stores them.  At its end a fact of one round, in
 *                    which the variable of the loop is an index by itself, becomes one of all rounds
 *   two branches     leave what both of them say, and what one says under its condition
 *   a load           has the value of a fact whose index it matches: each q is the load's own index, in its range, and the
 *                    other indices are the same for certain
 *
 *   an assumption    c or buffer[index] == value  makes a fact with a condition: that c does not hold
 *
 * Values and conditions read no memory: a load in a stored value that is known is replaced first.  A simplified form of TVM's
 * ControlFlowGraph: facts that come round a loop are not followed. */
#include "engine/tir/pass/knowns.h"

#include "engine/arith/data.h"
#include "engine/tir/scope.h"

#define MAX_FACTS 128           /* more are not kept: each load is compared with each of them */

typedef struct {
  LsBuffer *buffer;             /* all owned */
  LsArray  *indices;
  LsExpr   *value;
  LsArray  *vars;               /* q */
  LsArray  *ranges;             /* of q */
  LsExpr   *condition;          /* under which it is one */
} Fact;

struct _LsKnowns {
  GArray *facts;
};

static void
fact_clear (gpointer data)
{
  Fact *fact = data;

  ls_unref (fact->buffer);
  ls_unref (fact->indices);
  ls_unref (fact->value);
  ls_unref (fact->vars);
  ls_unref (fact->ranges);
  ls_unref (fact->condition);
}

LsKnowns *
ls_knowns_new (void)
{
  LsKnowns *self = g_new0 (LsKnowns, 1);

  self->facts = g_array_new (FALSE, FALSE, sizeof (Fact));
  g_array_set_clear_func (self->facts, fact_clear);
  return self;
}

void
ls_knowns_free (LsKnowns *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->facts);
  g_free (self);
}

static void
keep (LsKnowns *self,
      Fact     *fact)
{
  Fact copy;

  if (self->facts->len >= MAX_FACTS)
    return;
  copy = (Fact) { ls_ref (fact->buffer), ls_ref (fact->indices), ls_ref (fact->value), ls_ref (fact->vars), ls_ref (fact->ranges), ls_ref (fact->condition) };
  g_array_append_val (self->facts, copy);
}

LsKnowns *
ls_knowns_copy (LsKnowns *self)
{
  LsKnowns *copy = ls_knowns_new ();

  for (guint i = 0; i < self->facts->len; i++)
    keep (copy, &g_array_index (self->facts, Fact, i));
  return copy;
}

static gboolean
same_fact (Fact *a,
           Fact *b)
{
  if (a->buffer != b->buffer || a->indices->n != b->indices->n || a->vars->n != b->vars->n || !ls_deep_equal (a->value, b->value)
      || !ls_deep_equal (a->condition, b->condition))
    return FALSE;
  for (guint i = 0; i < a->indices->n; i++)
    if (!ls_deep_equal (a->indices->items[i], b->indices->items[i]))
      return FALSE;
  for (guint i = 0; i < a->vars->n; i++)
    if (a->vars->items[i] != b->vars->items[i])
      return FALSE;
  return TRUE;
}

static gboolean
has_fact (LsKnowns *self,
          Fact     *fact)
{
  for (guint k = 0; k < self->facts->len; k++)
    if (same_fact (fact, &g_array_index (self->facts, Fact, k)))
      return TRUE;
  return FALSE;
}

void
ls_knowns_join (LsKnowns *self,
                LsKnowns *other)
{
  for (guint i = self->facts->len; i-- > 0;)
    if (!has_fact (other, &g_array_index (self->facts, Fact, i)))
      g_array_remove_index (self->facts, i);
}

/* What only `self` says holds under `condition`; both are of one moment. */
static void
restrict_to (LsKnowns *self,
             GArray   *common,
             LsExpr   *condition)
{
  for (guint i = 0; i < self->facts->len; i++)
    {
      Fact *fact = &g_array_index (self->facts, Fact, i);
      gboolean both = FALSE;

      for (guint k = 0; k < common->len && !both; k++)
        both = g_array_index (common, guint, k) == i;
      if (!both)
        ls_take (&fact->condition, ls_is_one (fact->condition) ? ls_ref (condition) : ls_and (ls_ref (fact->condition), ls_ref (condition)));
    }
}

void
ls_knowns_merge (LsKnowns *then_case,
                 LsKnowns *else_case,
                 LsExpr   *condition)
{
  g_autoptr (LsExpr) negation = NULL;
  g_autoptr (GArray) common = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (guint));

  if (!ls_is_pure (condition))
    {
      ls_knowns_join (then_case, else_case);
      return;
    }
  negation = ls_not (ls_ref (condition));
  for (guint i = 0; i < then_case->facts->len; i++)
    if (has_fact (else_case, &g_array_index (then_case->facts, Fact, i)))
      g_array_append_val (common, i);
  for (guint i = else_case->facts->len; i-- > 0;)
    if (has_fact (then_case, &g_array_index (else_case->facts, Fact, i)))
      g_array_remove_index (else_case->facts, i);
  restrict_to (then_case, common, condition);
  restrict_to (else_case, none, negation);
  for (guint i = 0; i < else_case->facts->len; i++)
    keep (then_case, &g_array_index (else_case->facts, Fact, i));
}

/* A fact of the elements of a store to buffer[.., ramp (first, 1, lanes)]: q counts them from the first on. */
static void
add_lanes (LsKnowns *self,
           Fact     *all)
{
  LsRamp *at = (LsRamp *) all->indices->items[all->indices->n - 1], *values = (LsRamp *) all->value;
  g_autoptr (LsVar) q = NULL;
  g_autoptr (LsArray) indices = NULL, vars = NULL, ranges = NULL;
  g_autoptr (LsExpr) value = NULL;
  Fact fact = *all;
  gint64 lanes;

  if (!ls_is (at, RAMP) || !ls_is_one (at->stride) || !ls_as_int (at->lanes, &lanes) || !(ls_is (values, RAMP) || ls_is (all->value, BROADCAST)))
    return;
  q = ls_var_new ("q", ls_dtype (at->base));
  indices = ls_array_with (all->indices, all->indices->n - 1, LS_EXPR (q));
  vars = ls_array_of (ls_ref (q), NULL);
  ranges = ls_array_of (ls_range_new (ls_ref (at->base), ls_const_int (ls_dtype (at->base), lanes)), NULL);
  if (ls_is (values, RAMP))
    value = ls_add (ls_ref (values->base), ls_mul (ls_cast (ls_dtype (values->base), ls_sub (LS_EXPR (ls_ref (q)), ls_ref (at->base))), ls_ref (values->stride)));
  else
    value = ls_ref (((LsBroadcast *) all->value)->value);
  fact.indices = indices;
  fact.vars = vars;
  fact.ranges = ranges;
  fact.value = value;
  keep (self, &fact);
}

static void
add (LsKnowns *self,
     LsBuffer *buffer,
     LsArray  *indices,
     LsExpr   *value,
     LsExpr   *condition)
{
  Fact fact = { buffer, indices, value, NULL, NULL, condition };
  g_autoptr (LsArray) none = ls_array_empty ();

  if (!ls_is_pure (indices) || !ls_is_pure (value) || !ls_is_pure (condition))
    return;
  if (ls_dtype (value).lanes != 1)
    {
      add_lanes (self, &fact);
      return;
    }
  fact.vars = fact.ranges = none;
  keep (self, &fact);
}

static gboolean
is_other_element (Fact       *fact,
                  LsArray    *indices,
                  LsAnalyzer *analyzer)
{
  for (guint i = 0; i < indices->n && i < fact->indices->n; i++)
    {
      g_autoptr (LsExpr) differs = ls_ne (ls_ref (ls_array_at (fact->indices, i, LsExpr)), ls_ref (ls_array_at (indices, i, LsExpr)));

      if (ls_analyzer_can_prove (analyzer, differs))
        return TRUE;
    }
  return FALSE;
}

/* The fact without the element that is stored to; FALSE when that cannot be said. */
static gboolean
leave_out (Fact    *fact,
           LsArray *indices)
{
  for (guint i = 0; i < fact->indices->n && i < indices->n; i++)
    for (guint k = 0; k < fact->vars->n; k++)
      if (fact->indices->items[i] == fact->vars->items[k] && ls_dtype (indices->items[i]).lanes == 1 && ls_is_pure (indices->items[i]))
        {
          LsExpr *other = ls_ne (LS_EXPR (ls_node_ref (fact->vars->items[k])), LS_EXPR (ls_node_ref (indices->items[i])));

          ls_take (&fact->condition, ls_is_one (fact->condition) ? other : ls_and (ls_ref (fact->condition), other));
          return TRUE;
        }
  return FALSE;
}

void
ls_knowns_store (LsKnowns      *self,
                 LsBufferStore *store,
                 LsAnalyzer    *analyzer)
{
  g_autoptr (LsExpr) value = ls_knowns_apply (self, store->value, analyzer);

  ls_take (&value, ls_analyzer_simplify (analyzer, value));
  for (guint i = self->facts->len; i-- > 0;)
    {
      Fact *fact = &g_array_index (self->facts, Fact, i);

      if (!ls_analyzer_is_one_memory (analyzer, fact->buffer->data, store->buffer->data))
        continue;
      if (fact->buffer != store->buffer || !(fact->vars->n > 0 ? leave_out (fact, store->indices) : is_other_element (fact, store->indices, analyzer)))
        g_array_remove_index (self->facts, i);
    }
  if (store->predicate == NULL)
    {
      g_autoptr (LsExpr) always = ls_bool (TRUE);

      add (self, store->buffer, store->indices, value, always);
    }
}

static void
assume_under (LsKnowns *self,
              LsExpr   *assumed,
              LsExpr   *condition)
{
  LsBinary *pair = (LsBinary *) assumed;

  if (ls_is (assumed, AND))
    {
      assume_under (self, pair->a, condition);
      assume_under (self, pair->b, condition);
    }
  else if (ls_is (assumed, OR))
    {
      g_autoptr (LsExpr) without_a = ls_and (ls_ref (condition), ls_not (ls_ref (pair->a)));
      g_autoptr (LsExpr) without_b = ls_and (ls_ref (condition), ls_not (ls_ref (pair->b)));

      assume_under (self, pair->b, without_a);
      assume_under (self, pair->a, without_b);
    }
  else if (ls_is (assumed, EQ) && ls_is (pair->a, BUFFER_LOAD))
    add (self, ((LsBufferLoad *) pair->a)->buffer, ((LsBufferLoad *) pair->a)->indices, pair->b, condition);
  else if (ls_is (assumed, EQ) && ls_is (pair->b, BUFFER_LOAD))
    add (self, ((LsBufferLoad *) pair->b)->buffer, ((LsBufferLoad *) pair->b)->indices, pair->a, condition);
}

void
ls_knowns_assume (LsKnowns *self,
                  LsExpr   *condition)
{
  g_autoptr (LsExpr) always = ls_bool (TRUE);

  assume_under (self, condition, always);
}

static gboolean
has_unknown_effect (LsNode *node)
{
  LsCall *call = (LsCall *) node;

  return ls_is (node, CALL) && (!ls_is (call->op, OP) || ((LsOp *) call->op)->effect > LS_EFFECT_READ_STATE) && !ls_is_call (node, "tir.assume");
}

typedef struct {
  LsKnowns   *knowns;
  LsAnalyzer *analyzer;
} Forgetting;

static void
forget_memory (Forgetting *self,
               LsVar      *memory)
{
  for (guint i = self->knowns->facts->len; memory != NULL && i-- > 0;)
    if (ls_analyzer_is_one_memory (self->analyzer, g_array_index (self->knowns->facts, Fact, i).buffer->data, memory))
      g_array_remove_index (self->knowns->facts, i);
}

/* What gets another name may be stored to by it. */
static LsWalk
forget_stored (LsNode   *node,
               gpointer  user_data)
{
  Forgetting *self = user_data;

  if (has_unknown_effect (node))
    g_array_set_size (self->knowns->facts, 0);
  if (ls_is (node, BUFFER_STORE))
    forget_memory (self, ((LsBufferStore *) node)->buffer->data);
  if (ls_is (node, LET_STMT))
    forget_memory (self, ls_pointer_memory (((LsLetStmt *) node)->value));
  for (guint i = 0; ls_is (node, BLOCK) && i < ((LsBlock *) node)->match_buffers->n; i++)
    forget_memory (self, ls_array_at (((LsBlock *) node)->match_buffers, i, LsMatchBufferRegion)->source->buffer->data);
  return LS_WALK_CONTINUE;
}

void
ls_knowns_forget (LsKnowns   *self,
                  LsNode     *stmt,
                  LsAnalyzer *analyzer)
{
  Forgetting forgetting = { self, analyzer };

  ls_walk (stmt, forget_stored, NULL, &forgetting);
}

static gboolean
is_in_range (LsExpr     *value,
             LsRange    *range,
             LsAnalyzer *analyzer)
{
  g_autoptr (LsExpr) inside = ls_and (ls_ge (ls_ref (value), ls_ref (range->min)),
                                      ls_lt (ls_ref (value), ls_add (ls_ref (range->min), ls_ref (range->extent))));

  return ls_analyzer_can_prove (analyzer, inside);
}

static LsArray *
without (LsArray *list,
         guint    place)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < list->n; i++)
    if (i != place)
      g_ptr_array_add (out, ls_ref (list->items[i]));
  return ls_array_take_ptr_array (out);
}

/* The place of the variable among the indices; -1: it is none by itself. */
static int
place_of (Fact  *fact,
          LsVar *var)
{
  for (guint i = 0; i < fact->indices->n; i++)
    if (fact->indices->items[i] == LS_NODE (var))
      return (int) i;
  return -1;
}

typedef struct {
  Fact       *fact;
  LsAnalyzer *analyzer;
  LsVar      *var;              /* of the loop */
  guint       place;
  GHashTable *bindings;         /* of variables of blocks */
} Touching;

/* Is there a view or a pointer, by which the memory of the fact may be stored to? */
static gboolean
gives_name (Touching *self,
            LsNode   *node)
{
  LsVar *fact = self->fact->buffer->data, *memory = ls_is (node, LET_STMT) ? ls_pointer_memory (((LsLetStmt *) node)->value) : NULL;
  gboolean found = memory != NULL && ls_analyzer_is_one_memory (self->analyzer, fact, memory);

  for (guint i = 0; ls_is (node, BLOCK) && i < ((LsBlock *) node)->match_buffers->n; i++)
    found |= ls_analyzer_is_one_memory (self->analyzer, fact, ls_array_at (((LsBlock *) node)->match_buffers, i, LsMatchBufferRegion)->source->buffer->data);
  return found;
}

static LsWalk
stop_at_other_round (LsNode  *node,
                     gpointer user_data)
{
  Touching *touching = user_data;
  LsBufferStore *store = (LsBufferStore *) node;
  LsBlockRealize *realize = (LsBlockRealize *) node;
  LsNode *at;

  if (gives_name (touching, node) || has_unknown_effect (node))
    return LS_WALK_STOP;
  if (ls_is (node, BLOCK_REALIZE))
    for (guint i = 0; i < realize->block->iter_vars->n; i++)
      g_hash_table_insert (touching->bindings, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  if (!ls_is (node, BUFFER_STORE) || !ls_analyzer_is_one_memory (touching->analyzer, store->buffer->data, touching->fact->buffer->data))
    return LS_WALK_CONTINUE;
  if (store->buffer != touching->fact->buffer)
    return LS_WALK_STOP;
  at = store->indices->items[touching->place];
  while (g_hash_table_contains (touching->bindings, at))
    at = g_hash_table_lookup (touching->bindings, at);
  return at == LS_NODE (touching->var) ? LS_WALK_CONTINUE : LS_WALK_STOP;
}

/* Does each round store to no elements but those that have its number at the place?  What is not known may store to any. */
static gboolean
is_of_its_round (Fact       *fact,
                 LsFor      *loop,
                 int         place,
                 LsAnalyzer *analyzer)
{
  g_autoptr (GHashTable) bindings = g_hash_table_new (NULL, NULL);
  Touching touching = { fact, analyzer, loop->loop_var, (guint) place, bindings };

  return ls_walk (loop->body, stop_at_other_round, NULL, &touching);
}

/* The fact of one round instead of all: q is the variable of the loop.  FALSE: the rounds may store each other's elements. */
static gboolean
begin_round (Fact       *fact,
             LsFor      *loop,
             LsAnalyzer *analyzer)
{
  for (guint k = 0; k < fact->vars->n; k++)
    {
      LsVar *q = ls_array_at (fact->vars, k, LsVar);
      int place = place_of (fact, q);
      g_autoptr (GHashTable) round = NULL;

      if (place < 0 || !is_of_its_round (fact, loop, place, analyzer) || !is_in_range (LS_EXPR (loop->loop_var), ls_array_at (fact->ranges, k, LsRange), analyzer))
        continue;
      round = g_hash_table_new (NULL, NULL);
      g_hash_table_insert (round, q, loop->loop_var);
      ls_take (&fact->indices, (LsArray *) ls_substitute (fact->indices, round));
      ls_take (&fact->value, (LsExpr *) ls_substitute (fact->value, round));
      ls_take (&fact->condition, (LsExpr *) ls_substitute (fact->condition, round));
      ls_take (&fact->vars, without (fact->vars, k));
      ls_take (&fact->ranges, without (fact->ranges, k));
      return TRUE;
    }
  return FALSE;
}

static LsWalk
stop_at_effect (LsNode  *node,
                gpointer user_data G_GNUC_UNUSED)
{
  return has_unknown_effect (node) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

void
ls_knowns_enter_loop (LsKnowns   *self,
                      LsFor      *loop,
                      LsAnalyzer *analyzer)
{
  g_autoptr (LsKnowns) before = NULL;

  if (!ls_walk (loop->body, stop_at_effect, NULL, NULL))
    {
      g_array_set_size (self->facts, 0);
      return;
    }
  before = ls_knowns_copy (self);
  ls_knowns_forget (self, LS_NODE (loop->body), analyzer);
  for (guint i = 0; i < before->facts->len; i++)
    {
      Fact *fact = &g_array_index (before->facts, Fact, i);

      if (!has_fact (self, fact) && begin_round (fact, loop, analyzer))
        keep (self, fact);
    }
}

void
ls_knowns_leave_loop (LsKnowns   *self,
                      LsFor      *loop,
                      LsAnalyzer *analyzer)
{
  g_autoptr (LsExpr) runs = ls_gt (ls_ref (loop->extent), ls_const_int (ls_dtype (loop->extent), 0));
  gboolean certain = ls_analyzer_can_prove (analyzer, runs);

  for (guint i = self->facts->len; i-- > 0;)
    {
      Fact *fact = &g_array_index (self->facts, Fact, i);
      int place = place_of (fact, loop->loop_var);

      if (place >= 0 && is_of_its_round (fact, loop, place, analyzer))
        {
          g_autoptr (LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

          ls_take (&fact->vars, ls_array_append (fact->vars, loop->loop_var));
          ls_take (&fact->ranges, ls_array_append (fact->ranges, range));
        }
      else if (ls_uses (fact->indices, loop->loop_var) || ls_uses (fact->value, loop->loop_var)
               || ls_uses (fact->condition, loop->loop_var) || !certain)
        {
          g_array_remove_index (self->facts, i);
        }
    }
}

void
ls_knowns_leave_name (LsKnowns *self,
                      LsVar    *var)
{
  for (guint i = self->facts->len; i-- > 0;)
    {
      Fact *fact = &g_array_index (self->facts, Fact, i);

      if (ls_uses (fact->indices, var) || ls_uses (fact->value, var) || ls_uses (fact->condition, var))
        g_array_remove_index (self->facts, i);
    }
}

void
ls_knowns_leave_block (LsKnowns       *self,
                       LsBlockRealize *realize)
{
  g_autoptr (GHashTable) bindings = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < realize->block->iter_vars->n; i++)
    g_hash_table_insert (bindings, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  for (guint i = 0; i < self->facts->len; i++)
    {
      Fact *fact = &g_array_index (self->facts, Fact, i);

      ls_take (&fact->indices, (LsArray *) ls_substitute (fact->indices, bindings));
      ls_take (&fact->value, (LsExpr *) ls_substitute (fact->value, bindings));
      ls_take (&fact->condition, (LsExpr *) ls_substitute (fact->condition, bindings));
    }
}

/* ---- values of loads ------------------------------------------------------------------- */

static gboolean
holds (LsExpr     *condition,
       GHashTable *q,
       LsAnalyzer *analyzer)
{
  g_autoptr (LsExpr) here = NULL;

  if (ls_is_one (condition))
    return TRUE;
  here = (LsExpr *) ls_substitute (condition, q);
  return ls_analyzer_can_prove (analyzer, here);
}

static LsExpr *
value_by (Fact         *fact,
          LsBufferLoad *load,
          LsAnalyzer   *analyzer)
{
  g_autoptr (GHashTable) q = g_hash_table_new (NULL, NULL);

  if (fact->buffer != load->buffer || fact->indices->n != load->indices->n || load->predicate != NULL)
    return NULL;
  for (guint i = 0; i < load->indices->n; i++)
    for (guint k = 0; k < fact->vars->n; k++)
      if (fact->indices->items[i] == fact->vars->items[k])
        {
          if (!is_in_range (ls_array_at (load->indices, i, LsExpr), ls_array_at (fact->ranges, k, LsRange), analyzer))
            return NULL;
          g_hash_table_insert (q, fact->vars->items[k], load->indices->items[i]);
        }
  for (guint i = 0; i < load->indices->n; i++)
    {
      g_autoptr (LsExpr) at = (LsExpr *) ls_substitute (fact->indices->items[i], q);

      if (!ls_analyzer_can_prove_equal (analyzer, at, ls_array_at (load->indices, i, LsExpr)))
        return NULL;
    }
  return holds (fact->condition, q, analyzer) ? (LsExpr *) ls_substitute (fact->value, q) : NULL;
}

typedef struct {
  LsKnowns   *knowns;
  LsAnalyzer *analyzer;
} Applying;

static LsNode *
apply_filter (LsRewriter *rewriter,
              LsNode     *node,
              gpointer    user_data)
{
  Applying *applying = user_data;
  LsNode *result;

  if (ls_is_call (node, "tir.address_of"))      /* of a place, whatever it holds */
    return ls_ref (node);
  result = ls_rewrite_default (rewriter, node);
  if (result != node && ls_is_call (node, "tir.shift_left"))    /* as below */
    {
      ls_unref (result);
      return ls_ref (node);
    }
  if (result != node && ls_kind_is_binary (ls_kind (result)))   /* what was loaded wraps, what is known of it may be an index */
    return LS_NODE (ls_keep_wrapping (applying->analyzer, LS_EXPR (node), LS_EXPR (result)));
  if (!ls_is (result, BUFFER_LOAD))
    return result;
  for (guint i = applying->knowns->facts->len; i-- > 0;)
    {
      LsExpr *value = value_by (&g_array_index (applying->knowns->facts, Fact, i), (LsBufferLoad *) result, applying->analyzer);

      if (value != NULL)
        {
          ls_unref (result);
          return LS_NODE (value);
        }
    }
  return result;
}

LsExpr *
ls_knowns_apply (LsKnowns   *self,
                 LsExpr     *expr,
                 LsAnalyzer *analyzer)
{
  Applying applying = { self, analyzer };

  if (self->facts->len == 0 || (LS_NODE (expr)->facts & LS_FACT_HAS_LOAD) == 0)
    return ls_ref (expr);
  return (LsExpr *) ls_rewrite_with (expr, apply_filter, &applying);
}
