/* verdict: the cause whose end would gain most. */
#include "engine/advice/advice.h"

#include <math.h>

#define AS_LONG 0.95            /* of the longest: as long */
#define UNEXPLAINED 0.3         /* of the measured time: less is not known */
#define NOISY 1.6               /* the upper quartile over the least */

gboolean
ls_advice_is_noisy (double least,
                    double upper)
{
  return upper > NOISY * least;
}

double
ls_advice_own_seconds (double least,
                       double median,
                       double upper)
{
  return least > 0.0 && ls_advice_is_noisy (least, upper) ? least : median;
}

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

/* With cores idle: what could be saved on one core beside what its arithmetic needs, and the cause that takes most of that.  Causes that take about as
 * long hide each other, and what removes one of them (tiles, vectors) as a rule removes them all; so they are weighed together against the cores. */
static double
inside_of (const LsAdviceCost *cost,
           LsCause            *cause,
           const LsNestCost  **most)
{
  double times[LS_CAUSE_N] = { 0 }, sum = 0.0;

  *cause = LS_CAUSE_ARITHMETIC;
  *most = NULL;
  for (guint i = 0; i < cost->nests->len; i++)
    {
      const LsNestCost *nest = cost->nests->pdata[i];
      double largest;
      LsCause top = top_of (nest, &largest);

      if (top == LS_CAUSE_ARITHMETIC)
        continue;
      times[top] += largest;
      sum += MAX (0.0, largest - nest->by_cause[LS_CAUSE_ARITHMETIC]);
    }
  for (int c = 0; c < LS_CAUSE_CORES; c++)
    if (times[c] > times[*cause])
      *cause = (LsCause) c;
  for (guint i = 0; i < cost->nests->len; i++)
    {
      const LsNestCost *nest = cost->nests->pdata[i];
      double largest;

      if (top_of (nest, &largest) == *cause && (*most == NULL || nest->seconds > (*most)->seconds))
        *most = nest;
    }
  return sum;
}

/* What the machine needs at least, wherever the bytes of the parameters lie. */
static double
roof_of (const LsAdviceCost    *cost,
         const LsAdviceMachine *machine)
{
  double arithmetic = cost->flop / (machine->gflops * 1e9 * machine->cores), memory = 0.0;

  for (int i = 0; i < machine->n_levels; i++)
    if (!ls_advice_fits (machine, i, cost->least_bytes))
      memory = cost->least_bytes / (machine->gb_per_s[i] * 1e9 * (i == machine->n_levels - 1 ? 1.0 : machine->cores));
  return MAX (arithmetic, memory);
}

static void
add_reason (LsAdviceVerdict       *self,
            LsCause                cause,
            const LsNestCost      *nest,
            const LsAdviceCost    *cost,
            const LsAdviceMachine *machine)
{
  LsAdviceReason *reason = &self->reasons[self->n_reasons++];

  reason->cause = cause;
  reason->block = g_strdup (nest != NULL ? nest->name : "");
  if (nest != NULL)
    {
      reason->lanes = nest->lanes;
      reason->chains = nest->chains;
      reason->cores = nest->cores;
      reason->in_registers = nest->in_registers;
    }
  if (cause == LS_CAUSE_BANDWIDTH && cost->level >= 0)
    {
      g_strlcpy (reason->behind, machine->behind[cost->level], sizeof reason->behind);
      reason->bytes = cost->bytes[cost->level];
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
  LsCause first, second, inside;
  const LsNestCost *inside_nest;

  self->lanes = machine->lanes;
  self->cores = machine->cores;
  if (cost->loop != NULL || cost->nests->len == 0)
    {
      self->loop = g_strdup (cost->loop);
      self->sentence = ls_advice_words_verdict (self);
      return self;
    }
  rank (cost, machine, gains, most);
  first = largest_of (gains, -1);
  second = largest_of (gains, (int) first);
  /* What removes most comes first; both are said. */
  if (first == LS_CAUSE_CORES && inside_of (cost, &inside, &inside_nest) > gains[LS_CAUSE_CORES] && inside != LS_CAUSE_ARITHMETIC)
    {
      first = inside;
      second = LS_CAUSE_CORES;
      most[inside] = inside_nest;
    }
  self->roof_seconds = roof_of (cost, machine);
  self->share = self->roof_seconds / measured;
  self->explained = cost->seconds / measured;
  self->known = self->explained >= UNEXPLAINED;
  add_reason (self, first, most[first], cost, machine);
  if (gains[second] > 0.0)
    add_reason (self, second, most[second], cost, machine);
  self->sentence = ls_advice_words_verdict (self);
  return self;
}

void
ls_advice_verdict_free (LsAdviceVerdict *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_reasons; i++)
    g_free (self->reasons[i].block);
  g_free (self->loop);
  g_free (self->sentence);
  g_free (self);
}
