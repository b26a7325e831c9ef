/* op-pattern: loads are compared with the store of each block, blocks are combined in their order.
 *
 * A store into out[v0, v1] from a load with the same indices is elementwise, with some of them in order a broadcast, with
 * anything made of them injective.  Otherwise there is a reduction: a product that is summed up is a matmul or convolution,
 * anything else over whole axes a commutative reduction.  What injective work makes of a reduction (softmax, layer_norm)
 * counts like a matmul.  Source: TVM's AnalyzeOpPatternKind.
 */
#include "engine/relax/op-pattern.h"

typedef struct {
  GPtrArray     *loads;         /* of LsBufferLoad, borrowed */
  LsBufferStore *store;         /* the last one */
  guint          depth;         /* blocks inside the block */
} Body;

static LsWalk
collect (LsNode  *node,
         gpointer user_data)
{
  Body *self = user_data;

  if (ls_is (node, BUFFER_LOAD))
    g_ptr_array_add (self->loads, node);
  else if (ls_is (node, BUFFER_STORE))
    self->store = (LsBufferStore *) node;
  return LS_WALK_CONTINUE;
}

static gboolean
same_indices (LsArray *a,
              LsArray *b)
{
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n; i++)
    if (!ls_deep_equal (a->items[i], b->items[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_broadcast (LsArray      *store,
              LsBufferLoad *load)
{
  guint j = 0;

  for (guint i = 0; i < load->indices->n; i++)
    {
      if (ls_is_one (load->buffer->shape->items[i]) && ls_is_zero (load->indices->items[i]))
        continue;
      while (j < store->n && !ls_deep_equal (store->items[j], load->indices->items[i]))
        j++;
      if (j == store->n)
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_not_in (LsVar   *var,
           gpointer array)
{
  LsArray *indices = array;

  for (guint i = 0; i < indices->n; i++)
    if (indices->items[i] == LS_NODE (var))
      return FALSE;
  return TRUE;
}

static gboolean
is_injective (LsArray      *store,
              LsBufferLoad *load)
{
  for (guint i = 0; i < store->n; i++)
    if (!ls_is_var (store->items[i]))
      return FALSE;
  for (guint i = 0; i < load->indices->n; i++)
    if (ls_uses_var (load->indices->items[i], is_not_in, store))
      return FALSE;
  return TRUE;
}

/* The kind without looking at reductions; OPAQUE when a load does not follow the store. */
static LsOpPattern
pattern_of_loads (const Body *body)
{
  LsOpPattern kind = LS_PATTERN_ELEMWISE;
  gboolean elemwise = FALSE;

  for (guint i = 0; body->store != NULL && i < body->loads->len; i++)
    {
      LsBufferLoad *load = body->loads->pdata[i];

      if (same_indices (body->store->indices, load->indices))
        elemwise = TRUE;
      else if (is_broadcast (body->store->indices, load))
        kind = MAX (kind, LS_PATTERN_BROADCAST);
      else if (is_injective (body->store->indices, load))
        kind = MAX (kind, LS_PATTERN_INJECTIVE);
      else
        return LS_PATTERN_OPAQUE;
    }
  return kind == LS_PATTERN_BROADCAST && elemwise ? LS_PATTERN_ELEMWISE : kind;
}

static LsExpr *
without_cast (LsExpr *expr)
{
  while (ls_is (expr, CAST))
    expr = ((LsCast *) expr)->value;
  return expr;
}

/* out[..] = out[..] + a[..] * b[..], whatever is cast on the way */
static gboolean
is_multiply_add (LsBufferStore *store)
{
  LsBinary *sum = (LsBinary *) store->value, *product;
  LsBufferLoad *old;

  if (!ls_is (store->value, ADD) || !ls_is (sum->a, BUFFER_LOAD) || !ls_is (without_cast (sum->b), MUL))
    return FALSE;
  old = (LsBufferLoad *) sum->a;
  product = (LsBinary *) without_cast (sum->b);
  return old->buffer == store->buffer && same_indices (old->indices, store->indices) && ls_is (without_cast (product->a), BUFFER_LOAD)
         && ls_is (without_cast (product->b), BUFFER_LOAD);
}

static gboolean
is_reduction_var (LsVar   *var,
                  gpointer block)
{
  LsArray *iters = ((LsBlock *) block)->iter_vars;

  for (guint i = 0; i < iters->n; i++)
    if (ls_array_at (iters, i, LsIterVar)->var == var)
      return ls_array_at (iters, i, LsIterVar)->iter_type == LS_ITER_COMM_REDUCE;
  return FALSE;
}

/* Do reduction variables occur alone or not at all? */
static gboolean
reduces_whole_axes (LsBlock    *block,
                    const Body *body)
{
  for (guint i = 0; i < body->loads->len; i++)
    {
      LsArray *indices = ((LsBufferLoad *) body->loads->pdata[i])->indices;

      for (guint j = 0; j < indices->n; j++)
        if (!ls_is_var (indices->items[j]) && ls_uses_var (indices->items[j], is_reduction_var, block))
          return FALSE;
    }
  return TRUE;
}

static gboolean
has_reduction (LsBlock *block)
{
  for (guint i = 0; i < block->iter_vars->n; i++)
    if (ls_array_at (block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_COMM_REDUCE)
      return TRUE;
  return FALSE;
}

typedef struct {
  LsOpPattern kind;
  guint       n;                /* blocks so far */
} Analysis;

static void
add_block (Analysis *self,
           LsBlock  *block)
{
  Body body = { g_ptr_array_new (), NULL, 0 };
  LsOpPattern kind;

  self->n++;
  ls_walk (block->body, collect, NULL, &body);
  if (body.store == NULL)       /* what is called computes something that is not seen */
    {
      self->kind = LS_PATTERN_OPAQUE;
      g_ptr_array_unref (body.loads);
      return;
    }
  kind = pattern_of_loads (&body);
  if (kind != LS_PATTERN_OPAQUE)
    self->kind = self->kind == LS_PATTERN_COMM_REDUCE ? LS_PATTERN_OUT_EWISE_FUSABLE : MAX (self->kind, kind);
  else if (!has_reduction (block))
    self->kind = LS_PATTERN_OPAQUE;
  else if (is_multiply_add (body.store))
    self->kind = MAX (self->kind, LS_PATTERN_OUT_EWISE_FUSABLE);
  else
    self->kind = MAX (self->kind, reduces_whole_axes (block, &body) ? LS_PATTERN_COMM_REDUCE : LS_PATTERN_OUT_EWISE_FUSABLE);
  g_ptr_array_unref (body.loads);
}

static LsWalk
find_blocks (LsNode  *node,
             gpointer user_data)
{
  Analysis *self = user_data;

  if (!ls_is (node, BLOCK) || ((LsBlock *) node)->iter_vars->n == 0)
    return self->kind == LS_PATTERN_OPAQUE ? LS_WALK_STOP : LS_WALK_CONTINUE;
  add_block (self, (LsBlock *) node);
  return LS_WALK_PRUNE;
}

LsOpPattern
ls_op_pattern_analyze (LsPrimFunc *func)
{
  Analysis analysis = { LS_PATTERN_ELEMWISE, 0 };

  ls_walk (func->body, find_blocks, NULL, &analysis);
  return analysis.n > 0 ? analysis.kind : LS_PATTERN_OPAQUE;
}
