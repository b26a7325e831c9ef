/* verdict: the cause whose end would gain most, and the sentence that says it. */
#include "engine/advice/advice.h"

#include <math.h>

#define AS_LONG 0.95            /* of the longest: as long */
#define UNEXPLAINED 0.3         /* of the measured time: less is not known */

/* The cause that takes longest; of those that take as long the first, since the others end with it or are hidden as well. */
static LsCause
top_of (const LsNestCost *nest,
        double           *largest)
{
  int top = LS_CAUSE_ARITHMETIC;

  *largest = 0.0;
  for (int i = 0; i < LS_CAUSE_CORES; i++)
    *largest = MAX (*largest, nest->by_cause[i]);
  while (top < LS_CAUSE_CORES && nest->by_cause[top] < AS_LONG * *largest)
    top++;
  return (LsCause) top;
}

/* What a nest would gain without a cause. */
static double
gain_of (const LsNestCost *nest,
         LsCause           cause)
{
  double largest, rest = 0.0;
  LsCause top = top_of (nest, &largest);

  if (cause >= LS_CAUSE_CORES)
    return nest->by_cause[cause];
  if (cause != top)
    return 0.0;
  for (int i = 0; i < LS_CAUSE_CORES; i++)
    if (nest->by_cause[i] < AS_LONG * largest)
      rest = MAX (rest, nest->by_cause[i]);
  return largest - rest;
}

static void
rank (LsAdviceCost          *cost,
      const LsAdviceMachine *machine,
      double                 gains[LS_CAUSE_N],
      const LsNestCost      *most[LS_CAUSE_N])
{
  double core = 0.0;

  for (guint i = 0; i < cost->nests->len; i++)
    {
      const LsNestCost *nest = cost->nests->pdata[i];
      core += nest->seconds;
      for (int c = 0; c < LS_CAUSE_N; c++)
        {
          double gain = gain_of (nest, (LsCause) c);

          gains[c] += gain;
          if (gain > 0.0 && (most[c] == NULL || nest->seconds > most[c]->seconds))
            most[c] = nest;
        }
    }
  gains[LS_CAUSE_BANDWIDTH] += MAX (0.0, cost->memory_seconds - core);
}

/* What the machine needs at least, wherever the bytes of the parameters lie. */
static double
roof_of (const LsAdviceCost    *cost,
         const LsAdviceMachine *machine)
{
  double arithmetic = cost->flop / (machine->gflops * 1e9 * machine->cores), memory = 0.0;

  for (int i = 0; i < machine->n_levels; i++)
    if (cost->least_bytes > (double) machine->cache[i])
      memory = cost->least_bytes / (machine->gb_per_s[i] * 1e9 * (i == machine->n_levels - 1 ? 1.0 : machine->cores));
  return MAX (arithmetic, memory);
}

static char *
words_of (LsCause                cause,
          const LsNestCost      *nest,
          const LsAdviceCost    *cost,
          const LsAdviceMachine *machine)
{
  const char *name = nest != NULL && nest->name[0] != '\0' ? nest->name : "the innermost statement";

  switch (cause)
    {
    case LS_CAUSE_ARITHMETIC:
      return g_strdup_printf ("arithmetic: the operations of %s fill the vector units", name);
    case LS_CAUSE_BANDWIDTH:
      return g_strdup_printf ("the bandwidth of %s: %.3g MB come from there", cost->level >= 0 ? machine->behind[cost->level] : "memory",
                              cost->level >= 0 ? cost->bytes[cost->level] * 1e-6 : 0.0);
    case LS_CAUSE_LATENCY:
      return g_strdup_printf ("far loads: %s goes through memory across the lines, and of each line that comes few numbers are used before it goes", name);
    case LS_CAUSE_CHAIN:
      return g_strdup_printf ("a chain: the sums of %s wait for each other, %.3g side by side%s", name, nest->chains,
                              nest->in_registers ? "" : ", and go through memory");
    case LS_CAUSE_LOADS:
      return g_strdup_printf ("loads and stores: %s moves more vectors than it computes with", name);
    case LS_CAUSE_OVERHEAD:
      return g_strdup_printf ("the loop itself: in %s counting and branching take longer than the work of a round", name);
    case LS_CAUSE_LANES:
      return g_strdup_printf ("empty lanes: %s uses %.3g of the %d numbers of a vector", name, nest->lanes, machine->lanes);
    case LS_CAUSE_CALLS:
      return g_strdup_printf ("calls: %s calls a library function for each number", name);
    case LS_CAUSE_CORES:
      return g_strdup_printf ("idle cores: %s runs on %.3g of %d cores", name, nest->cores, machine->cores);
    case LS_CAUSE_SHARING:
      return g_strdup_printf ("false sharing: cores write to the same lines in %s", name);
    case LS_CAUSE_THREADS:
      return g_strdup_printf ("starting threads: %s starts them so often, or does so little, that this takes longest", name);
    default:
      return g_strdup ("nothing that is counted");
    }
}

static LsCause
largest_of (const double gains[LS_CAUSE_N],
            int          except)
{
  int best = except == 0 ? 1 : 0;

  for (int c = 0; c < LS_CAUSE_N; c++)
    if (c != except && gains[c] > gains[best])
      best = c;
  return (LsCause) best;
}

LsAdviceVerdict *
ls_advice_verdict_new (LsAdviceCost          *cost,
                       const LsAdviceMachine *machine,
                       double                 seconds)
{
  LsAdviceVerdict *self = g_new0 (LsAdviceVerdict, 1);
  double gains[LS_CAUSE_N] = { 0 }, measured = seconds > 0.0 ? seconds : cost->seconds;
  const LsNestCost *most[LS_CAUSE_N] = { 0 };
  g_autofree char *first = NULL, *second = NULL;

  if (cost->reason != NULL || cost->nests->len == 0)
    {
      self->sentence = g_strdup_printf ("What holds this step is not known: %s.", cost->reason != NULL ? cost->reason : "it does nothing");
      return self;
    }
  rank (cost, machine, gains, most);
  self->cause = largest_of (gains, -1);
  self->next = largest_of (gains, (int) self->cause);
  self->roof_seconds = roof_of (cost, machine);
  self->share = self->roof_seconds / measured;
  self->explained = cost->seconds / measured;
  self->known = self->explained >= UNEXPLAINED;
  self->where = g_strdup (most[self->cause] != NULL ? most[self->cause]->name : "");
  first = words_of (self->cause, most[self->cause], cost, machine);
  second = gains[self->next] > 0.0 ? words_of (self->next, most[self->next], cost, machine) : g_strdup ("the roof itself");
  if (self->known)
    self->sentence = g_strdup_printf ("Held by %s. It reaches %.0f %% of its roof; next would be %s.", first, 100.0 * self->share, second);
  else
    self->sentence = g_strdup_printf ("What is counted explains %.0f %% of the time, the rest is not known; of what is known %s is the most. It reaches %.0f %% of its roof.",
                                      100.0 * self->explained, first, 100.0 * self->share);
  return self;
}

void
ls_advice_verdict_free (LsAdviceVerdict *self)
{
  if (self == NULL)
    return;
  g_free (self->where);
  g_free (self->sentence);
  g_free (self);
}
