/* Whether one program runs faster than another: two sets of samples compared as
 * distributions.
 *
 * Mann-Whitney U (1947): the rank sum of one side, exact by counting the subsets of ranks with each sum when
 * both sides are small and nothing is tied, else by the normal approximation with correction for
 * ties and continuity.  It asks nothing of the shape of the distributions, which for run
 * times are skewed.  The interval of the speed-up is Efron's percentile bootstrap of the
 * ratio of medians.
 */
#include "engine/runtime/runtime-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_MAX 20
#define ALPHA 0.01
#define LEAST_EFFECT 0.01
#define DRAWS 2000
#define SEED 20

typedef struct {
  double value;
  int    side;                  /* 0 before, 1 after */
} Ranked;

static int
compare_ranked (const void *a,
                const void *b)
{
  const Ranked *x = a, *y = b;

  return (x->value > y->value) - (x->value < y->value);
}

/* Rank sum of side 0 with mid-ranks; `ties` becomes the sum of t^3 - t. */
static double
rank_sum (Ranked *all,
          int     n,
          double *ties)
{
  double sum = 0;

  *ties = 0;
  qsort (all, (gsize) n, sizeof *all, compare_ranked);
  for (int i = 0, j; i < n; i = j)
    {
      double t;

      for (j = i; j < n && all[j].value == all[i].value; j++)
        ;
      t = j - i;
      *ties += t * t * t - t;
      for (int k = i; k < j; k++)
        if (all[k].side == 0)
          sum += (i + 1 + j) / 2.0;
    }
  return sum;
}

/* Probability that n of the ranks 1..n+m sum up to at most `limit`. */
static double
exact_tail (int n,
            int m,
            int limit)
{
  int top = n * (n + m);
  g_autofree double *ways = g_new0 (double, (gsize) (n + 1) * (gsize) (top + 1));
  double below = 0, total = 0;

  ways[0] = 1;
  for (int rank = 1; rank <= n + m; rank++)
    for (int k = MIN (rank, n); k >= 1; k--)
      for (int s = top; s >= rank; s--)
        ways[k * (top + 1) + s] += ways[(k - 1) * (top + 1) + s - rank];
  for (int s = 0; s <= top; s++)
    {
      total += ways[n * (top + 1) + s];
      if (s <= limit)
        below += ways[n * (top + 1) + s];
    }
  return below / total;
}

static double
exact_p (int    n,
         int    m,
         double sum)
{
  int mirrored = n * (n + m + 1) - (int) sum;

  return MIN (1, 2 * exact_tail (n, m, MIN ((int) sum, mirrored)));
}

static double
normal_p (int    n,
          int    m,
          double sum,
          double ties)
{
  double total = n + m;
  double mean = n * (total + 1) / 2;
  double variance = (double) n * m / 12 * (total + 1 - ties / (total * (total - 1)));
  double distance = MAX (fabs (sum - mean) - 0.5, 0);

  return variance > 0 ? erfc (distance / sqrt (variance) / M_SQRT2) : 1;
}

static double
mann_whitney (const LsTiming *a,
              const LsTiming *b)
{
  int n = a->n, m = b->n;
  g_autofree Ranked *all = g_new (Ranked, (gsize) (n + m));
  double ties, sum;

  for (int i = 0; i < n; i++)
    all[i] = (Ranked) { a->samples[i], 0 };
  for (int i = 0; i < m; i++)
    all[n + i] = (Ranked) { b->samples[i], 1 };
  sum = rank_sum (all, n + m, &ties);
  if (MAX (n, m) <= EXACT_MAX && ties == 0)
    return exact_p (n, m, sum);
  return normal_p (n, m, sum, ties);
}

/* Whether even complete separation could be significant. */
static gboolean
enough_samples (int n,
                int m)
{
  double arrangements = 1;

  for (int i = 1; i <= MIN (n, m) && arrangements < 1e6; i++)
    arrangements *= (double) (MAX (n, m) + i) / i;
  return 2 / arrangements < ALPHA;
}

static int
compare_doubles (const void *a,
                 const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Median of n draws with replacement; `counter` numbers the random bits. */
static double
resampled_median (const LsTiming *timing,
                  double         *scratch,
                  guint64        *counter)
{
  int n = timing->n;

  for (int i = 0; i < n; i++)
    scratch[i] = timing->samples[(int) (ls_random_double (SEED, (*counter)++) * n)];
  qsort (scratch, (gsize) n, sizeof (double), compare_doubles);
  return (scratch[(n - 1) / 2] + scratch[n / 2]) / 2;
}

static void
bootstrap (const LsTiming *before,
           const LsTiming *after,
           LsVerdict      *verdict)
{
  g_autofree double *scratch = g_new (double, (gsize) MAX (before->n, after->n));
  double ratios[DRAWS];
  guint64 counter = 0;

  for (int i = 0; i < DRAWS; i++)
    {
      double top = resampled_median (before, scratch, &counter);

      ratios[i] = top / resampled_median (after, scratch, &counter);
    }
  qsort (ratios, DRAWS, sizeof (double), compare_doubles);
  verdict->low = ratios[DRAWS * 25 / 1000];
  verdict->high = ratios[DRAWS * 975 / 1000];
}

LsVerdict
ls_verdict_decide (const LsTiming *before,
                   const LsTiming *after)
{
  LsVerdict verdict = { .kind = LS_VERDICT_NO_DIFFERENCE, .low = NAN, .high = NAN };

  verdict.speedup = before->median / after->median;
  verdict.p = mann_whitney (before, after);
  if (!enough_samples (before->n, after->n))
    verdict.kind = LS_VERDICT_TOO_FEW;
  else if (verdict.p < ALPHA && fabs (verdict.speedup - 1) >= LEAST_EFFECT)
    verdict.kind = verdict.speedup > 1 ? LS_VERDICT_FASTER : LS_VERDICT_SLOWER;
  return verdict;
}

LsVerdict
ls_verdict_compare (const LsTiming *before,
                    const LsTiming *after)
{
  LsVerdict verdict = ls_verdict_decide (before, after);

  bootstrap (before, after, &verdict);
  return verdict;
}

static char *
print_ratio (double ratio)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup (g_ascii_formatd (text, sizeof text, ratio < 10 ? "%.2f" : "%.1f", ratio));
}

static char *
print_p (double p)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (p < 0.0001)
    return g_strdup ("p < 0.0001");
  return g_strconcat ("p = ", g_ascii_formatd (text, sizeof text, "%.2g", p), NULL);
}

char *
ls_verdict_print (const LsVerdict *self)
{
  g_autofree char *ratio = print_ratio (self->speedup);
  g_autofree char *low = print_ratio (self->low);
  g_autofree char *high = print_ratio (self->high);
  g_autofree char *p = print_p (self->p);

  switch (self->kind)
    {
    case LS_VERDICT_FASTER:
      return g_strdup_printf ("×%s, faster (%s to %s, %s)", ratio, low, high, p);
    case LS_VERDICT_SLOWER:
      return g_strdup_printf ("×%s, slower (%s to %s, %s)", ratio, low, high, p);
    case LS_VERDICT_NO_DIFFERENCE:
      return g_strdup_printf ("no significant difference (%s)", p);
    case LS_VERDICT_TOO_FEW:
      return g_strdup ("too few samples for a verdict");
    }
  g_assert_not_reached ();
}
