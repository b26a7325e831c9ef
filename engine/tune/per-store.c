/* per-store: 164 numbers of each store, after meta_schedule's extractor, read from the program as it is scheduled: nothing is lowered.
 *
 *   0-15    operations for the value, all rounds: on floats sums and products in one (0), sums, products, quotients, comparisons, mathematics, other calls
 *           (1-6); the same on integers (7-13); logic (14); choices (15)
 *   16-48   the vectorised, the unrolled and the parallel loops around, 11 each: how many, the product of their extents, the innermost extent, then where
 *           (the extractor tells only "nowhere", the first of eight, from "somewhere", the last)
 *   49-56   on a GPU, and extents on its axes: not told here
 *   57-146  of the five accesses that go through most lines, 18 each: read, written, both; bytes, different bytes, lines, different lines; used again in a
 *           loop, by another statement, never; after how many rounds, after how many bytes, how often; the four sizes for each use; the stride
 *   147-156 operations for each byte at ten places between the innermost loop and all of them
 *   157-160 the written buffer: its bytes, its elements times the rounds around it, the rounds around it, the rounds inside
 *   161-163 all rounds, number of loops, how far LLVM is asked to unroll
 *
 * Numbers are log2 (1 + |x|) but for those that say yes or no.  What an access touches under some loops is the product of the extents of those by which
 * it moves, and never more than its buffer: overlapping windows are counted once more than they are.  Source of the list: TVM v0.20,
 * per_store_feature; Ansor (Zheng et al., OSDI 2020).
 */
#include "engine/tune/features-private.h"

#include <math.h>
#include <string.h>

#define LINE 64.0               /* bytes */
#define N_BUFFERS 5
#define N_OF_BUFFER 18
#define N_CURVE 10

enum { WAYS = 16, DEVICE = 49, BUFFERS = 57, CURVE = 147, ALLOCATED = 157, AROUND = 161 };

/* What a loop touches of a buffer, by earlier statements. */
typedef struct {
  LsFor    *loop;
  LsBuffer *buffer;
  guint     n;
  double    least;
} Shared;

/* All accesses of a store to one buffer. */
typedef struct {
  LsBuffer *buffer;
  LsNestAccess *first;
  gboolean  read, written;
  double    each;               /* bytes of an element */
  double    bytes, unique, lines, unique_lines;
  double    stride;             /* of the innermost loop that moves it, if that is the innermost of all */
  double    distance, distance_bytes, times;
  guint     reuse;              /* 0 in a loop, 1 by another statement, 2 never */
} Use;

static double
scaled (double x)
{
  return log2 (1 + fabs (x));
}

/* ---- what is computed ------------------------------------------------------------- */

/* Which of the seven, or below 0. */
static int
operation_of (LsNode *node)
{
  switch (ls_kind (node))
    {
    case LS_KIND_ADD:
    case LS_KIND_SUB:
      return 1;
    case LS_KIND_MUL:
      return 2;
    case LS_KIND_DIV:
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_FLOOR_MOD:
      return 3;
    case LS_KIND_MIN:
    case LS_KIND_MAX:
    case LS_KIND_EQ:
    case LS_KIND_NE:
    case LS_KIND_LT:
    case LS_KIND_LE:
    case LS_KIND_GT:
    case LS_KIND_GE:
      return 4;
    case LS_KIND_CALL:
      return ls_is_pure (node) ? 5 : 6;
    default:
      return -1;
    }
}

/* Indices are no part of what is computed. */
static void
count_operations (LsNode *node,
                  double *counts)
{
  int which;

  if (node == NULL || ls_is (node, BUFFER_LOAD))
    return;
  which = ls_is_expr (node) ? operation_of (node) : -1;
  if (which >= 0)
    counts[which + (ls_dtype_is_float (ls_dtype (node)) ? 0 : 7)]++;
  counts[14] += ls_is (node, AND) || ls_is (node, OR) || ls_is (node, NOT);
  counts[15] += ls_is (node, SELECT);
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (ls_is_expr (child) || ls_is (child, ARRAY))
        count_operations (child, counts);
    }
}

static void
tell_ways (const LsNest *nest,
           double       *features)
{
  static const LsForKind kinds[] = { LS_FOR_VECTORIZED, LS_FOR_UNROLLED, LS_FOR_PARALLEL };

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      double *own = features + 11 * k, product = 1, innermost = 0;
      guint n = 0;

      for (guint i = 0; i < nest->n_loops; i++)
        if ((LsForKind) nest->loops[i]->kind == kinds[k])
          {
            innermost = (double) nest->extents[i];
            product *= innermost;
            n++;
          }
      if (n == 0)
        {
          own[3] = 1;
          continue;
        }
      own[0] = scaled (n);
      own[1] = scaled (product);
      own[2] = scaled (innermost);
      own[10] = 1;
    }
}

/* ---- what is touched ---------------------------------------------------------------- */

double
ls_tune_elements (LsBuffer *buffer)
{
  double n = 1;

  for (guint i = 0; i < ls_buffer_ndim (buffer); i++)
    {
      gint64 size;

      n *= ls_as_int (ls_array_at (buffer->shape, i, LsExpr), &size) ? (double) size : 1;
    }
  return n;
}

/* Rounds of the loops from `first` on. */
static double
rounds_of (const LsNest *nest,
           guint         first)
{
  double rounds = 1;

  for (guint i = first; i < nest->n_loops; i++)
    rounds *= (double) nest->extents[i];
  return rounds;
}

double
ls_tune_touched (const LsNest       *nest,
                 const LsNestAccess *access,
                 guint               first)
{
  double n = 1;

  for (guint i = first; i < nest->n_loops; i++)
    if (access->strides[i] != 0)
      n *= (double) nest->extents[i];
  return fmin (n, ls_tune_elements (access->buffer));
}

/* How many elements lie side by side. */
static double
run_of (const LsNest       *nest,
        const LsNestAccess *access)
{
  double run = 1;
  gboolean grew = TRUE;

  while (grew)
    {
      grew = FALSE;
      for (guint i = 0; i < nest->n_loops && !grew; i++)
        if (nest->extents[i] > 1 && access->strides[i] != LS_STRIDE_UNKNOWN && fabs ((double) access->strides[i]) == run)
          {
            run *= (double) nest->extents[i];
            grew = TRUE;
          }
    }
  return run;
}

static GArray *
uses_of (const LsNest *nest)
{
  GArray *uses = g_array_new (FALSE, TRUE, sizeof (Use));

  for (guint a = 0; a < nest->accesses->len; a++)
    {
      LsNestAccess *access = nest->accesses->pdata[a];
      Use *use = NULL;

      for (guint i = 0; i < uses->len && use == NULL; i++)
        if (g_array_index (uses, Use, i).buffer == access->buffer)
          use = &g_array_index (uses, Use, i);
      if (use == NULL)
        {
          g_array_set_size (uses, uses->len + 1);
          use = &g_array_index (uses, Use, uses->len - 1);
          use->buffer = access->buffer;
          use->first = access;
          use->each = (double) access->bytes;
        }
      use->read |= !access->is_write;
      use->written |= access->is_write;
    }
  return uses;
}

static double
bytes_under (const LsNest *nest,
             GArray       *uses,
             guint         first)
{
  double bytes = 0;

  for (guint i = 0; i < uses->len; i++)
    {
      const Use *use = &g_array_index (uses, Use, i);

      bytes += ls_tune_touched (nest, use->first, first) * use->each;
    }
  return bytes;
}

static Shared *
find_shared (GArray   *shared,
             LsFor    *loop,
             LsBuffer *buffer)
{
  for (guint i = 0; i < shared->len; i++)
    {
      Shared *one = &g_array_index (shared, Shared, i);

      if (one->loop == loop && one->buffer == buffer)
        return one;
    }
  return NULL;
}

/* How soon the buffer is used again: by the innermost loop that does not move it, or by a statement before under the same loop. */
static void
measure_reuse (const LsNest *nest,
               GArray       *uses,
               GArray       *shared,
               Use          *use)
{
  use->reuse = 2;
  for (guint i = nest->n_loops; i-- > 0;)
    {
      const Shared *before;

      if (use->first->strides[i] == 0)
        {
          use->reuse = 0;
          use->times = (double) nest->extents[i];
          use->distance = rounds_of (nest, i + 1);
          use->distance_bytes = bytes_under (nest, uses, i + 1);
          return;
        }
      before = find_shared (shared, nest->loops[i], use->buffer);
      if (before != NULL)
        {
          use->reuse = 1;
          use->times = before->n;
          use->distance = fmin (before->least, ls_tune_touched (nest, use->first, i)) / (double) nest->extents[i];
          use->distance_bytes = bytes_under (nest, uses, i) / (double) nest->extents[i];
          return;
        }
    }
}

static void
measure_use (const LsNest *nest,
             Use          *use)
{
  double rounds = rounds_of (nest, 0), repeated = 1, stride = 0;
  guint i = nest->n_loops;

  while (i-- > 0)
    {
      gint64 own = use->first->strides[i];

      if (own != 0)
        {
          stride = own == LS_STRIDE_UNKNOWN ? LINE : fabs ((double) own);
          use->stride = i + 1 == nest->n_loops ? stride : 0;
          break;
        }
      repeated *= (double) nest->extents[i];
    }
  use->bytes = rounds * use->each;
  use->unique = ls_tune_touched (nest, use->first, 0) * use->each;
  use->lines = fmax (1, rounds / repeated * fmin (1, stride * use->each / LINE));
  use->unique_lines = fmax (1, use->unique / fmin (LINE, run_of (nest, use->first) * use->each));
}

static gint
by_lines (gconstpointer a,
          gconstpointer b)
{
  const Use *x = a, *y = b;

  if (x->lines != y->lines)
    return x->lines > y->lines ? -1 : 1;
  if (x->bytes != y->bytes)
    return x->bytes > y->bytes ? -1 : 1;
  return strcmp (x->buffer->name, y->buffer->name);
}

static void
tell_use (const Use *use,
          double    *features)
{
  const double sizes[] = { use->bytes, use->unique, use->lines, use->unique_lines };
  double times = use->times > 0 ? use->times : 0.5;

  features[use->read && use->written ? 2 : use->written ? 1 : 0] = 1;
  features[7 + use->reuse] = 1;
  features[10] = scaled (use->distance);
  features[11] = scaled (use->distance_bytes);
  features[12] = scaled (use->times);
  for (guint i = 0; i < 4; i++)
    {
      features[3 + i] = scaled (sizes[i]);
      features[13 + i] = scaled (sizes[i] / times);
    }
  features[17] = scaled (use->stride);
}

static void
tell_uses (const LsNest *nest,
           GArray       *uses,
           GArray       *shared,
           double       *features)
{
  for (guint i = 0; i < uses->len; i++)
    {
      measure_reuse (nest, uses, shared, &g_array_index (uses, Use, i));
      measure_use (nest, &g_array_index (uses, Use, i));
    }
  for (guint i = 0; i < uses->len; i++)
    for (guint l = 0; l < nest->n_loops; l++)
      {
        Use *use = &g_array_index (uses, Use, i);
        double touched = ls_tune_touched (nest, use->first, l);
        Shared *known = find_shared (shared, nest->loops[l], use->buffer), fresh = { nest->loops[l], use->buffer, 1, touched };

        if (known == NULL)
          g_array_append_val (shared, fresh);
        else
          {
            known->n++;
            known->least = fmin (known->least, touched);
          }
      }
  g_array_sort (uses, by_lines);
  for (guint i = 0; i < uses->len && i < N_BUFFERS; i++)
    tell_use (&g_array_index (uses, Use, i), features + i * N_OF_BUFFER);
}

/* ---- operations for each byte --------------------------------------------------------- */

static void
tell_curve (const LsNest *nest,
            GArray       *uses,
            double        flop,
            double       *features)
{
  guint n = nest->n_loops, p = 0;
  g_autofree double *done = g_new (double, n + 1), *ratio = g_new (double, n + 1);

  if (n == 0 || !(flop > 0))
    return;
  for (guint i = 0; i < n; i++)
    {
      done[i] = flop * rounds_of (nest, n - 1 - i);
      ratio[i] = done[i] / fmax (bytes_under (nest, uses, n - 1 - i), 1);
    }
  for (guint i = 0; i < N_CURVE; i++)
    {
      double wanted = (i + 1.0) / N_CURVE * done[n - 1];

      while (p + 1 < n && done[p] < wanted - 1e-4)
        p++;
      if (p == 0 || !(done[p] > done[p - 1]))
        features[i] = scaled (ratio[p]);
      else
        features[i] = scaled (ratio[p - 1] + (ratio[p] - ratio[p - 1]) / (done[p] - done[p - 1]) * (wanted - done[p - 1]));
    }
}

/* ---- the written buffer, the loops ---------------------------------------------------- */

/* How many loops all accesses of the program to this buffer have around them; that is where it is allocated. */
static guint
common_loops (GPtrArray    *nests,
              const LsNest *nest,
              LsBuffer     *buffer)
{
  guint common = nest->n_loops;

  for (guint n = 0; n < nests->len; n++)
    {
      const LsNest *other = nests->pdata[n];

      for (guint a = 0; a < other->accesses->len; a++)
        if (((LsNestAccess *) other->accesses->pdata[a])->buffer == buffer)
          {
            guint i = 0;

            while (i < common && i < other->n_loops && other->loops[i] == nest->loops[i])
              i++;
            common = i;
            break;
          }
    }
  return common;
}

static gboolean
is_parameter (LsPrimFunc *func,
              LsBuffer   *buffer)
{
  for (guint i = 0; i < ls_array_n (func->buffers); i++)
    if (ls_array_at (func->buffers, i, LsBuffer) == buffer)
      return TRUE;
  return FALSE;
}

static void
tell_allocated (LsPrimFunc   *func,
                GPtrArray    *nests,
                const LsNest *nest,
                double       *features)
{
  const LsNestAccess *written = NULL;
  gboolean given;
  guint first;
  double outer, bytes, rounds = rounds_of (nest, 0);

  for (guint a = 0; a < nest->accesses->len && written == NULL; a++)
    if (((LsNestAccess *) nest->accesses->pdata[a])->is_write)
      written = nest->accesses->pdata[a];
  if (written == NULL)
    return;
  given = is_parameter (func, written->buffer);
  first = given ? 0 : common_loops (nests, nest, written->buffer);
  outer = rounds / rounds_of (nest, first);
  bytes = (given ? ls_tune_elements (written->buffer) : ls_tune_touched (nest, written, first)) * (double) written->bytes;
  features[0] = scaled (bytes);
  features[1] = scaled (bytes / (double) written->bytes * outer);
  features[2] = scaled (outer);
  features[3] = scaled (rounds / outer);
}

static double
unroll_steps (const LsNest *nest)
{
  for (guint i = nest->n_loops; i-- > 0;)
    {
      LsNode *told = ls_map_get (nest->loops[i]->annotations, "pragma_auto_unroll_max_step");
      gint64 steps;

      if (told != NULL && ls_is_expr (told) && ls_as_int ((LsExpr *) told, &steps) && steps > 0)
        return (double) steps;
    }
  return 0;
}

/* ---- loops that run once ---------------------------------------------------------------- */

static void
access_free (gpointer data)
{
  g_free (((LsNestAccess *) data)->strides);
  g_free (data);
}

static void
thin_free (LsNest *self)
{
  g_ptr_array_unref (self->accesses);
  g_free (self->loops);
  g_free (self->extents);
  g_free (self);
}

/* A loop that says nothing: it runs once, plainly. */
static gboolean
is_empty (const LsNest *nest,
          guint         i)
{
  return nest->extents[i] == 1 && nest->loops[i]->kind == LS_FOR_SERIAL && nest->loops[i]->annotations->n == 0;
}

/* The nest without them, as lowering would leave it. (transfer full) */
static LsNest *
thin_of (const LsNest *nest)
{
  LsNest *thin = g_memdup2 (nest, sizeof *nest);
  guint n = 0;

  thin->loops = g_new (LsFor *, nest->n_loops + 1);
  thin->extents = g_new (gint64, nest->n_loops + 1);
  thin->accesses = g_ptr_array_new_with_free_func (access_free);
  for (guint a = 0; a < nest->accesses->len; a++)
    {
      LsNestAccess *access = g_memdup2 (nest->accesses->pdata[a], sizeof *access);

      access->strides = g_new (gint64, nest->n_loops + 1);
      g_ptr_array_add (thin->accesses, access);
    }
  for (guint i = 0; i < nest->n_loops; i++)
    {
      if (is_empty (nest, i))
        continue;
      thin->loops[n] = nest->loops[i];
      thin->extents[n] = nest->extents[i];
      for (guint a = 0; a < nest->accesses->len; a++)
        ((LsNestAccess *) thin->accesses->pdata[a])->strides[n] = ((LsNestAccess *) nest->accesses->pdata[a])->strides[i];
      n++;
    }
  thin->n_loops = n;
  return thin;
}

/* ---- all of them ------------------------------------------------------------------------ */

static void
tell_store (LsPrimFunc   *func,
            GPtrArray    *nests,
            const LsNest *nest,
            GArray       *shared,
            double       *features)
{
  g_autoptr (GArray) uses = uses_of (nest);
  double counts[16] = { 0 }, rounds = rounds_of (nest, 0), flop = 0;

  count_operations (LS_NODE (((LsBufferStore *) nest->stmt)->value), counts);
  for (guint i = 0; i < 16; i++)
    features[i] = scaled (counts[i] * rounds);
  for (guint i = 0; i < 7; i++)
    flop += counts[i];
  tell_ways (nest, features + WAYS);
  for (guint i = 1; i < 8; i++)
    features[DEVICE + i] = 1;
  tell_uses (nest, uses, shared, features + BUFFERS);
  tell_curve (nest, uses, flop, features + CURVE);
  tell_allocated (func, nests, nest, features + ALLOCATED);
  features[AROUND] = scaled (rounds);
  features[AROUND + 1] = scaled (nest->n_loops);
  features[AROUND + 2] = scaled (unroll_steps (nest));
}

GArray *
ls_tune_per_store_of (LsPrimFunc *func,
                      GPtrArray  *nests,
                      GArray     *weights)
{
  g_autoptr (GPtrArray) thin = g_ptr_array_new_with_free_func ((GDestroyNotify) thin_free);
  g_autoptr (GArray) shared = g_array_new (FALSE, FALSE, sizeof (Shared));
  GArray *rows = g_array_new (FALSE, TRUE, LS_TUNE_N_PER_STORE * sizeof (double));

  for (guint n = 0; nests != NULL && n < nests->len; n++)
    g_ptr_array_add (thin, thin_of (nests->pdata[n]));
  for (guint n = 0; n < thin->len; n++)
    {
      const LsNest *nest = thin->pdata[n];
      double weight = fmax (nest->flop, 1) * fmax (nest->runs, 1);

      g_array_set_size (rows, rows->len + 1);
      tell_store (func, thin, nest, shared, (double *) (gpointer) (rows->data + (gsize) n * LS_TUNE_N_PER_STORE * sizeof (double)));
      if (weights != NULL)
        g_array_append_val (weights, weight);
    }
  return rows;
}

GArray *
ls_tune_per_store (LsPrimFunc *func,
                   GArray     *weights)
{
  g_autofree char *reason = NULL;
  g_autoptr (GPtrArray) nests = ls_nests_of (func, &reason);

  return ls_tune_per_store_of (func, nests, weights);
}

void
ls_tune_per_program_of (LsPrimFunc *func,
                        GPtrArray  *nests,
                        double      features[LS_TUNE_N_PER_STORE])
{
  g_autoptr (GArray) weights = g_array_new (FALSE, FALSE, sizeof (double)), rows = ls_tune_per_store_of (func, nests, weights);
  double total = 0;

  memset (features, 0, LS_TUNE_N_PER_STORE * sizeof (double));
  for (guint n = 0; n < rows->len; n++)
    {
      const double *row = (const double *) (gconstpointer) (rows->data + (gsize) n * LS_TUNE_N_PER_STORE * sizeof (double));
      double weight = g_array_index (weights, double, n);

      total += weight;
      for (guint i = 0; i < LS_TUNE_N_PER_STORE; i++)
        features[i] += weight * row[i];
    }
  for (guint i = 0; total > 0 && i < LS_TUNE_N_PER_STORE; i++)
    features[i] /= total;
}

void
ls_tune_per_program (LsPrimFunc *func,
                     double      features[LS_TUNE_N_PER_STORE])
{
  g_autofree char *reason = NULL;
  g_autoptr (GPtrArray) nests = ls_nests_of (func, &reason);

  ls_tune_per_program_of (func, nests, features);
}
