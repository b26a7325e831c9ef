/* features: what is counted in a program to tell slow from fast.
 *
 * All on a logarithmic scale (base 2, of 1 + x).  Of the first function:
 *   0     operations
 *   1-3   operations weighted means of: the extent of vector loops, of unrolled loops, of parallel loops around them
 *   4     extent of the innermost loop
 *   5     rounds of all loops that are neither vector nor unrolled
 *   6-8   bytes that go through caches of 32 KiB, 512 KiB and 16 MiB: for each block, what the largest loop around it
 *         that fits the cache touches, times how often that loop runs
 *   9     statements that unrolling makes
 *   10    blocks; 11: of them those that only copy
 *   12    operations per byte of 6
 *   13    bytes of local buffers
 *   14-   those of store-features.c
 * Runs, bytes and operations are those of engine/tir/cost.h.
 */
#include "engine/tune/tune.h"

#include "engine/tir/cost.h"

#include <math.h>

static const double caches[3] = { 32768, 524288, 16777216 };

typedef struct {
  LsCostTable *costs;
  GPtrArray   *loops;           /* of LsFor, outermost first */
  double       flop, vector, unroll, parallel, innermost;
  double       rounds, traffic[3], unrolled, blocks, copies, local;
} Counter;

static double
scaled (double x)
{
  return log2 (1 + fmax (x, 0));
}

static double
extent_of (LsFor *loop)
{
  gint64 extent;

  return ls_as_int (loop->extent, &extent) ? (double) extent : 1;
}

static gboolean
is_costly (LsFor *loop)
{
  return loop->kind != LS_FOR_VECTORIZED && loop->kind != LS_FOR_UNROLLED;
}

/* Product of the extents of the loops of a kind. */
static double
product (Counter   *self,
         LsForKind  kind)
{
  double n = 1;

  for (guint i = 0; i < self->loops->len; i++)
    if (((LsFor *) self->loops->pdata[i])->kind == (int) kind)
      n *= extent_of (self->loops->pdata[i]);
  return n;
}

/* What the largest loop that fits the cache touches, all its executions. */
static double
traffic_through (Counter *self,
                 LsBlock *block,
                 double   cache)
{
  const LsCost *cost = ls_cost_table_get (self->costs, block);
  double touches = cost != NULL && cost->touches > 0 ? (double) cost->touches : 0;
  double times = cost != NULL && cost->runs > 0 ? (double) cost->runs : 1;

  for (guint i = self->loops->len; i-- > 0;)
    {
      const LsCost *around = ls_cost_table_get (self->costs, self->loops->pdata[i]);

      if (around == NULL || around->touches < 0 || (double) around->touches > cache || around->runs <= 0)
        break;
      touches = (double) around->touches;
      times = (double) around->runs / extent_of (self->loops->pdata[i]);
    }
  return touches * times;
}

static gboolean
only_copies (LsBlock *block)
{
  return block->init == NULL && ls_is (block->body, BUFFER_STORE) && ls_is (((LsBufferStore *) block->body)->value, BUFFER_LOAD);
}

static void
count_block (Counter *self,
             LsBlock *block)
{
  const LsCost *cost = ls_cost_table_get (self->costs, block);
  double flop = cost != NULL && cost->flop > 0 ? cost->flop : 1;

  self->blocks++;
  self->copies += only_copies (block);
  self->flop += flop;
  self->vector += flop * scaled (product (self, LS_FOR_VECTORIZED));
  self->unroll += flop * scaled (product (self, LS_FOR_UNROLLED));
  self->parallel += flop * scaled (product (self, LS_FOR_PARALLEL));
  self->unrolled += product (self, LS_FOR_UNROLLED);
  if (self->loops->len > 0)
    self->innermost += flop * scaled (extent_of (self->loops->pdata[self->loops->len - 1]));
  for (guint i = 0; i < G_N_ELEMENTS (caches); i++)
    self->traffic[i] += traffic_through (self, block, caches[i]);
}

static double
bytes_of (LsBuffer *buffer)
{
  double n = ls_dtype_bytes (buffer->dtype);

  for (guint i = 0; i < ls_buffer_ndim (buffer); i++)
    {
      gint64 size;

      n *= ls_as_int (ls_array_at (buffer->shape, i, LsExpr), &size) ? (double) size : 1;
    }
  return n;
}

static LsWalk
enter (LsNode   *node,
       gpointer  user_data)
{
  Counter *self = user_data;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is (node, FOR))
    {
      const LsCost *cost = ls_cost_table_get (self->costs, node);

      g_ptr_array_add (self->loops, node);
      if (is_costly ((LsFor *) node) && cost != NULL && cost->runs > 0)
        self->rounds += (double) cost->runs;
    }
  if (ls_is (node, BLOCK))
    {
      LsBlock *block = (LsBlock *) node;

      for (guint i = 0; i < ls_array_n (block->alloc_buffers); i++)
        self->local += bytes_of (ls_array_at (block->alloc_buffers, i, LsBuffer));
      if ((block->body->facts & LS_FACT_HAS_BLOCK) == 0)
        count_block (self, block);
    }
  return LS_WALK_CONTINUE;
}

static void
leave (LsNode   *node,
       gpointer  user_data)
{
  Counter *self = user_data;

  if (ls_is (node, FOR))
    g_ptr_array_set_size (self->loops, (gint) self->loops->len - 1);
}

void
ls_tune_features (LsModule *module,
                  double    features[LS_TUNE_N_FEATURES])
{
  g_autoptr(GPtrArray) loops = g_ptr_array_new ();
  Counter self = { .loops = loops };
  LsPrimFunc *func = NULL;

  for (guint i = 0; i < ls_array_n (module->functions) && func == NULL; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      func = (LsPrimFunc *) module->functions->items[i];
  for (guint i = 0; i < LS_TUNE_N_FEATURES; i++)
    features[i] = 0;
  if (func == NULL)
    return;
  self.costs = ls_cost_table_new (func);
  ls_walk (func->body, enter, leave, &self);
  ls_cost_table_free (self.costs);
  features[0] = scaled (self.flop);
  features[1] = self.flop > 0 ? self.vector / self.flop : 0;
  features[2] = self.flop > 0 ? self.unroll / self.flop : 0;
  features[3] = self.flop > 0 ? self.parallel / self.flop : 0;
  features[4] = self.flop > 0 ? self.innermost / self.flop : 0;
  features[5] = scaled (self.rounds);
  for (guint i = 0; i < 3; i++)
    features[6 + i] = scaled (self.traffic[i]);
  features[9] = scaled (self.unrolled);
  features[10] = self.blocks;
  features[11] = self.copies;
  features[12] = scaled (self.flop / fmax (self.traffic[0], 1));
  features[13] = scaled (self.local);
  ls_tune_store_features (func, features + 14);
}
