/* features: what is counted in a program to tell slow from fast.
 *
 * All on a logarithmic scale (base 2, of 1 + x).  Of the first function:
 *   0     operations
 *   1-3   operations weighted means of: the extent of vector loops, of unrolled loops, of parallel loops around them
 *   4     extent of the innermost loop
 *   5     rounds of all loops that are neither vector nor unrolled
 *   6-8   bytes that go through caches of 32 KiB, 512 KiB and 16 MiB: for each statement, what the largest loop around it
 *         that fits the cache touches, times how often that loop runs
 *   9     statements that unrolling makes
 *   10    blocks; 11: of them those that only copy
 *   12    operations per byte of 6
 *   13    bytes of local buffers
 *   14-   those of store-features.c, then those of per-store.c; the last: what is expected of the program (expect.c), as a logarithm
 * Runs and operations are those of engine/advice/nest.h; what loops touch is said in per-store.c.
 */
#include "engine/tune/features-private.h"

#include <math.h>

static const double caches[3] = { 32768, 524288, 16777216 };

typedef struct {
  double flop, vector, unroll, parallel, innermost;
  double rounds, traffic[3], unrolled, blocks, copies, local;
} Counter;

static double
scaled (double x)
{
  return log2 (1 + fmax (x, 0));
}

static gboolean
is_costly (LsFor *loop)
{
  return loop->kind != LS_FOR_VECTORIZED && loop->kind != LS_FOR_UNROLLED;
}

/* Product of the extents of the loops of a kind. */
static double
product (const LsNest *nest,
         LsForKind     kind)
{
  double n = 1;

  for (guint i = 0; i < nest->n_loops; i++)
    if ((LsForKind) nest->loops[i]->kind == kind)
      n *= (double) nest->extents[i];
  return n;
}

/* Different bytes that the loops from `first` on touch. */
static double
bytes_under (const LsNest *nest,
             guint         first)
{
  double bytes = 0;

  for (guint a = 0; a < nest->accesses->len; a++)
    {
      const LsNestAccess *access = nest->accesses->pdata[a];
      gboolean known = FALSE;

      for (guint b = 0; b < a && !known; b++)
        known = ((LsNestAccess *) nest->accesses->pdata[b])->buffer == access->buffer;
      if (!known)
        bytes += ls_tune_touched (nest, access, first) * (double) access->bytes;
    }
  return bytes;
}

/* What the largest loop that fits each cache touches, all its executions. */
static void
count_traffic (Counter      *self,
               const LsNest *nest)
{
  double times = fmax (nest->runs, 1), touches = bytes_under (nest, nest->n_loops);
  guint c = 0;

  for (guint i = nest->n_loops; c < G_N_ELEMENTS (caches); i--)
    {
      double more = i > 0 ? bytes_under (nest, i - 1) : INFINITY;

      while (c < G_N_ELEMENTS (caches) && more > caches[c])
        self->traffic[c++] += touches * times;
      if (i == 0)
        break;
      touches = more;
      times /= fmax ((double) nest->extents[i - 1], 1);
    }
}

static gboolean
only_copies (const LsNest *nest)
{
  return (nest->block == NULL || nest->block->init == NULL) && ls_is (((LsBufferStore *) nest->stmt)->value, BUFFER_LOAD);
}

static void
count_nest (Counter      *self,
            const LsNest *nest,
            GHashTable   *seen)
{
  double flop = fmax (nest->flop, 0) * fmax (nest->runs, 1), rounds = 1;

  flop = flop > 0 ? flop : 1;
  self->blocks++;
  self->copies += only_copies (nest);
  self->flop += flop;
  self->vector += flop * scaled (product (nest, LS_FOR_VECTORIZED));
  self->unroll += flop * scaled (product (nest, LS_FOR_UNROLLED));
  self->parallel += flop * scaled (product (nest, LS_FOR_PARALLEL));
  self->unrolled += product (nest, LS_FOR_UNROLLED);
  if (nest->n_loops > 0)
    self->innermost += flop * scaled ((double) nest->extents[nest->n_loops - 1]);
  for (guint i = 0; i < nest->n_loops; i++)
    {
      rounds *= (double) nest->extents[i];
      if (g_hash_table_add (seen, nest->loops[i]) && is_costly (nest->loops[i]))
        self->rounds += rounds;
    }
  count_traffic (self, nest);
}

static LsWalk
count_local (LsNode   *node,
             gpointer  user_data)
{
  Counter *self = user_data;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is (node, BLOCK))
    for (guint i = 0; i < ls_array_n (((LsBlock *) node)->alloc_buffers); i++)
      {
        LsBuffer *buffer = ls_array_at (((LsBlock *) node)->alloc_buffers, i, LsBuffer);

        self->local += ls_tune_elements (buffer) * ls_dtype_bytes (buffer->dtype);
      }
  return LS_WALK_CONTINUE;
}

void
ls_tune_features (LsModule *module,
                  double    features[LS_TUNE_N_FEATURES])
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) nests = NULL;
  g_autofree char *reason = NULL;
  Counter self = { 0 };
  LsPrimFunc *func = NULL;
  double expected;

  for (guint i = 0; i < ls_array_n (module->functions) && func == NULL; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      func = (LsPrimFunc *) module->functions->items[i];
  for (guint i = 0; i < LS_TUNE_N_FEATURES; i++)
    features[i] = 0;
  if (func == NULL)
    return;
  nests = ls_nests_of (func, &reason);
  for (guint i = 0; nests != NULL && i < nests->len; i++)
    count_nest (&self, nests->pdata[i], seen);
  ls_walk (func->body, count_local, NULL, &self);
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
  ls_tune_store_features_of (nests, features + 14);
  ls_tune_per_program_of (func, nests, features + LS_TUNE_N_COUNTS);
  expected = ls_tune_expected_of (nests);
  features[LS_TUNE_EXPECTED] = expected > 0 ? log (expected) : 0;
}
