/* random: the random numbers of a schedule, drawn as TVM draws them, so that one seed gives the same decisions.
 *
 * A linear congruential generator (48271 x mod 2^31 - 1).  Whole numbers are drawn by dividing its range and throwing
 * away what is left over; weighted choices by two draws that make a number below 1.  A tile size is drawn for each prime
 * factor of the extent: all ways to spread its powers over the tiles are equally likely.
 * Source: TVM v0.20's sampling with the distributions of libstdc++.
 */
#include "engine/schedule/step/move.h"

#define MODULUS G_GUINT64_CONSTANT (2147483647)
#define MULTIPLIER G_GUINT64_CONSTANT (48271)
#define LARGE_PRIME 65536
#define MAX_DRAWS 1000000

guint64
ls_random_seed (gint64 seed)
{
  guint64 state = (guint64) ABS (seed) % MODULUS;

  return state == 0 ? 1 : state;
}

static guint64
next (guint64 *state)
{
  *state = *state * MULTIPLIER % MODULUS;
  return *state;
}

gint
ls_random_int (guint64 *state,
               gint     low,
               gint     high)
{
  guint64 n = (guint64) (high - low);
  guint64 scale, drawn;

  if (n <= 1)
    return low;
  scale = (MODULUS - 1) / n;
  do
    drawn = next (state);
  while (drawn >= n * scale);
  return low + (gint) (drawn / scale);
}

guint
ls_random_weighted (guint64      *state,
                    const double *weights,
                    guint         n)
{
  double sum = 0, below = 0, drawn;

  if (n < 2)
    return 0;
  for (guint i = 0; i < n; i++)
    sum += weights[i];
  drawn = (double) next (state);
  drawn += (double) next (state) * (double) MODULUS;
  drawn /= (double) MODULUS * (double) MODULUS;
  for (guint i = 0; i + 1 < n; i++)
    {
      below += weights[i] / sum;
      if (drawn <= below)
        return i;
    }
  return n - 1;
}

static gint
compare_ints (gconstpointer a,
              gconstpointer b)
{
  return *(const gint *) a - *(const gint *) b;
}

/* k different numbers below n, ascending. */
static void
draw_different (guint64 *state,
                gint     n,
                gint     k,
                GArray  *drawn)
{
  g_autofree gint *order = NULL;
  gint first, second;

  if (k == 2)
    {
      first = ls_random_int (state, 0, n);
      second = ls_random_int (state, 0, n - 1);
      second += second >= first;
      g_array_append_val (drawn, first);
      g_array_append_val (drawn, second);
      g_array_sort (drawn, compare_ints);
      return;
    }
  order = g_new (gint, n);
  for (gint i = 0; i < n; i++)
    order[i] = i;
  for (gint i = 0; i < k; i++)
    {
      gint j = ls_random_int (state, i, n);

      first = order[j];
      order[j] = order[i];
      order[i] = first;
      g_array_append_val (drawn, first);
    }
  g_array_sort (drawn, compare_ints);
}

static gint64
power (gint64 base,
       gint   exponent)
{
  gint64 value = 1;

  while (exponent-- > 0)
    value *= base;
  return value;
}

/* Spreads prime^count over the tiles. */
static void
spread (guint64 *state,
        gint64   prime,
        gint     count,
        gint     n,
        gint64  *tiles)
{
  g_autoptr(GArray) bars = NULL;
  gint last = -1;

  if (prime >= LARGE_PRIME || (count == 1 && n > 2))
    {
      tiles[ls_random_int (state, 0, n)] *= prime;
      return;
    }
  if (n == 2)
    {
      gint first = ls_random_int (state, 0, count + 1);

      tiles[0] *= power (prime, first);
      tiles[1] *= power (prime, count - first);
      return;
    }
  bars = g_array_new (FALSE, FALSE, sizeof (gint));
  draw_different (state, count + n - 1, n - 1, bars);
  for (gint i = 0; i < n; i++)
    {
      gint bar = i + 1 < n ? g_array_index (bars, gint, i) : count + n - 1;

      tiles[i] *= power (prime, bar - last - 1);
      last = bar;
    }
}

static void
draw_tiles (guint64 *state,
            gint64   extent,
            gint     n,
            gint64  *tiles)
{
  for (gint i = 0; i < n; i++)
    tiles[i] = 1;
  if (n == 1)
    tiles[0] = extent;
  if (n == 1 || extent == 1)
    return;
  for (gint64 prime = 2; extent > 1; prime++)
    {
      gint count = 0;

      if (prime * prime > extent)
        prime = extent;
      for (; extent % prime == 0; extent /= prime)
        count++;
      if (count > 0)
        spread (state, prime, count, n, tiles);
    }
}

void
ls_random_perfect_tile (guint64 *state,
                        gint64   extent,
                        gint     n,
                        gint64   max_innermost,
                        gint64  *tiles)
{
  do
    draw_tiles (state, extent, n, tiles);
  while (max_innermost != -1 && tiles[n - 1] > max_innermost);
}

/* Draws until the inner part has the factor; where that is too rare, all of the factor goes to its first tile. */
void
ls_random_partitioned_tile (guint64 *state,
                            gint64   extent,
                            gint     n,
                            gint     at,
                            gint64   factor,
                            gint64  *tiles)
{
  for (guint draws = 0; draws < MAX_DRAWS; draws++)
    {
      gint64 inner = 1;

      draw_tiles (state, extent, n, tiles);
      for (gint i = at; i < n; i++)
        inner *= tiles[i];
      if (inner % factor == 0)
        return;
    }
  for (gint i = 0; i < n; i++)
    tiles[i] = 1;
  tiles[0] = extent / factor;
  tiles[at] *= factor;
}
