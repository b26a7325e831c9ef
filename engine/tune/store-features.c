/* store-features: what is counted of each innermost statement (engine/advice/nest.h), put together as means that are weighted by operations.
 *
 * Scaled: log2 (1 + x).  Of a statement with its loops, where the flat loops are those at the inside that are unrolled, vectorised or so short that LLVM
 * unrolls them, and the lane loop is the vectorised one, else the innermost:
 *   0   extent of the lane loop, where it is vectorised (scaled)
 *   1-3 share of the accesses that go along the lane loop by one element, by none, by more or by what nobody knows
 *   4   rounds of the flat loops (scaled): the tile that stays in registers
 *   5   of these the spatial ones over the lanes (scaled): vectors of sums at a time
 *   6   is the innermost loop that is not flat one of a reduction?
 *   7   does the lane loop drive a reduction?
 *   8   rounds of the parallel loops (scaled); 9: operations in one of them (scaled)
 *   10  is a T.init asked for in every round?
 *   11-14  operations for each byte of the elements touched by the inner 2, 4, 6 and 8 loops (scaled): the curve of arithmetic intensity
 * Source of the idea: the features of Ansor (Zheng et al., OSDI 2020), much reduced.
 */
#include "engine/tune/features-private.h"

#include <math.h>

static const guint depths[] = { 2, 4, 6, 8 };

static double
scaled (double x)
{
  return log2 (1 + fmax (x, 0));
}

/* How many loops at the inside are flat. */
static guint
count_flat (const LsNest *nest)
{
  guint n = 0;

  while (n < nest->n_loops && ls_nest_is_flat (nest, nest->n_loops - 1 - n))
    n++;
  return n;
}

static void
count_lanes (const LsNest *nest,
             double       *features)
{
  guint vector = ls_nest_vector (nest), lane = vector < nest->n_loops ? vector : nest->n_loops - 1;

  if (nest->n_loops == 0)
    return;
  features[0] = vector < nest->n_loops ? scaled ((double) nest->extents[vector]) : 0;
  for (guint i = 0; i < nest->accesses->len; i++)
    {
      gint64 stride = ((LsNestAccess *) nest->accesses->pdata[i])->strides[lane];

      features[stride == 1 ? 1 : stride == 0 ? 2 : 3] += 1.0 / nest->accesses->len;
    }
  features[7] = nest->drives[lane] == LS_DRIVES_REDUCTION || nest->drives[lane] == LS_DRIVES_BOTH;
}

static void
count_tile (const LsNest *nest,
            double       *features)
{
  guint flat = count_flat (nest), vector = ls_nest_vector (nest);
  double rounds = 1, spatial = 1;

  for (guint i = nest->n_loops - flat; i < nest->n_loops; i++)
    {
      rounds *= (double) nest->extents[i];
      if (nest->drives[i] == LS_DRIVES_SPATIAL && i != vector)
        spatial *= (double) nest->extents[i];
    }
  features[4] = scaled (rounds);
  features[5] = scaled (spatial);
  features[6] = flat < nest->n_loops && nest->drives[nest->n_loops - 1 - flat] == LS_DRIVES_REDUCTION;
}

/* The elements that the inner loops touch: an access that does not move with a loop touches the same ones again. */
static double
count_bytes (const LsNest *nest,
             guint         first)
{
  double bytes = 0;

  for (guint a = 0; a < nest->accesses->len; a++)
    {
      LsNestAccess *access = nest->accesses->pdata[a];
      double elements = 1;

      for (guint i = first; i < nest->n_loops; i++)
        if (access->strides[i] != 0)
          elements *= (double) nest->extents[i];
      bytes += elements * (double) access->bytes;
    }
  return bytes;
}

static void
count_nest (const LsNest *nest,
            double       *features)
{
  double tasks = 1, rounds = 1, flop = fmax (nest->flop, 1);

  count_lanes (nest, features);
  count_tile (nest, features);
  for (guint i = 0; i < nest->n_loops; i++)
    {
      rounds *= (double) nest->extents[i];
      if (nest->loops[i]->kind == LS_FOR_PARALLEL)
        tasks *= (double) nest->extents[i];
    }
  features[8] = scaled (tasks);
  features[9] = scaled (rounds * flop / tasks);
  features[10] = nest->init_inside;
  for (guint d = 0; d < G_N_ELEMENTS (depths); d++)
    {
      guint first = nest->n_loops > depths[d] ? nest->n_loops - depths[d] : 0;
      double inner = 1;

      for (guint i = first; i < nest->n_loops; i++)
        inner *= (double) nest->extents[i];
      features[11 + d] = scaled (inner * flop / fmax (count_bytes (nest, first), 1));
    }
}

void
ls_tune_store_features_of (GPtrArray *nests,
                           double     features[LS_TUNE_N_STORE_FEATURES])
{
  double total = 0;

  for (guint i = 0; i < LS_TUNE_N_STORE_FEATURES; i++)
    features[i] = 0;
  for (guint n = 0; nests != NULL && n < nests->len; n++)
    {
      LsNest *nest = nests->pdata[n];
      double own[LS_TUNE_N_STORE_FEATURES] = { 0 }, weight = fmax (nest->flop, 1) * fmax (nest->runs, 1);

      count_nest (nest, own);
      total += weight;
      for (guint i = 0; i < LS_TUNE_N_STORE_FEATURES; i++)
        features[i] += weight * own[i];
    }
  for (guint i = 0; total > 0 && i < LS_TUNE_N_STORE_FEATURES; i++)
    features[i] /= total;
}

void
ls_tune_store_features (LsPrimFunc *func,
                        double      features[LS_TUNE_N_STORE_FEATURES])
{
  g_autofree char *reason = NULL;
  g_autoptr (GPtrArray) nests = ls_nests_of (func, &reason);

  ls_tune_store_features_of (nests, features);
}
