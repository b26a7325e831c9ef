/* designs: what is known of a tuner's designs by the programs that were measured of them. */
#include "engine/tune/tuner-private.h"

#include <math.h>

#define N_OF_DESIGN 3           /* measured programs that tell what a design is good for: */
#define MOST_HOPED 4.0          /* so many times as fast as its fastest its others may be expected to be, with more of them less: */
#define LEAST_HOPED 1.2         /* but so many */

guint
ls_tuner_find_design (LsTuner *self,
                      LsTrace *trace)
{
  guint found = LS_TUNE_NO_DESIGN, longest = 0;

  for (guint d = 0; d < self->designs->len; d++)
    {
      LsTrace *design = self->designs->pdata[d];
      guint n = ls_trace_get_n (design), i = 0;

      while (i < n && i < ls_trace_get_n (trace) && ls_trace_get (trace, i)->instruction == ls_trace_get (design, i)->instruction)
        i++;
      if (i == n && n > longest)
        {
          found = d;
          longest = n;
        }
    }
  return found;
}

LsTrace *
ls_tuner_next_design (LsTuner *self)
{
  if (self->options.decided)
    return self->n_taken < self->designs->len ? self->designs->pdata[self->n_taken++] : NULL;
  return self->designs->pdata[self->designs->len > 1 ? ls_tuner_draw_below (self, self->designs->len) : 0];
}

const char *
ls_tuner_moves_of (LsTuner *self,
                   guint    design)
{
  guint n_rules = self->designs->len - self->starts->len;

  return design != LS_TUNE_NO_DESIGN && design >= n_rules ? self->moves->pdata[design - n_rules] : NULL;
}

GArray *
ls_tuner_least_of_designs (LsTuner *self,
                           double  *least)
{
  GArray *of_each = g_array_sized_new (FALSE, TRUE, sizeof (LsTunerDesign), self->designs->len);

  g_array_set_size (of_each, self->designs->len);
  *least = INFINITY;
  for (guint i = 0; i < self->candidates->len; i++)
    {
      const LsTuneCandidate *candidate = self->candidates->pdata[i];
      LsTunerDesign *own = candidate->design < of_each->len ? &g_array_index (of_each, LsTunerDesign, candidate->design) : NULL;

      if (!(candidate->seconds > 0))
        continue;
      *least = fmin (*least, candidate->seconds);
      if (own != NULL)
        own->least = own->n++ == 0 ? candidate->seconds : fmin (own->least, candidate->seconds);
    }
  for (guint i = 0; i < of_each->len; i++)
    if (g_array_index (of_each, LsTunerDesign, i).n < N_OF_DESIGN)
      g_array_index (of_each, LsTunerDesign, i).least = 0.0;
  return of_each;
}

LsTrace *
ls_tuner_draw_design (LsTuner *self,
                      GArray  *of_each,
                      double   least)
{
  const LsTunerDesign *all = (const LsTunerDesign *) of_each->data;
  double total = 0.0, at;
  guint i = 0;

  if (self->options.model == LS_TUNE_MODEL_NONE)
    return self->designs->pdata[ls_tuner_draw_below (self, self->designs->len)];
  for (guint d = 0; d < of_each->len; d++)
    total += all[d].least > 0.0 ? least / all[d].least : 1.0;
  at = ls_tuner_draw_fraction (self) * total;
  for (; i + 1 < of_each->len; i++)
    {
      at -= all[i].least > 0.0 ? least / all[i].least : 1.0;
      if (at < 0.0)
        break;
    }
  return self->designs->pdata[i];
}

/* How many times as fast as its fastest the others of a design may be: with each that was measured and was not, less. */
static double
hope_of (const LsTunerDesign *design)
{
  return fmax (LEAST_HOPED, pow (MOST_HOPED, (double) N_OF_DESIGN / (double) design->n));
}

void
ls_tuner_temper (LsTuner   *self,
                 GPtrArray *found)
{
  double least;
  g_autoptr(GArray) of_each = ls_tuner_least_of_designs (self, &least);

  for (guint i = 0; i < found->len; i++)
    {
      LsTuneCandidate *candidate = found->pdata[i];
      const LsTunerDesign *own = candidate->design < of_each->len ? &g_array_index (of_each, LsTunerDesign, candidate->design) : NULL;

      if (own != NULL && own->least > 0.0 && !isnan (candidate->predicted))
        candidate->predicted = fmax (candidate->predicted, log (own->least / hope_of (own)));
    }
}
