/* tree: the programs of a search, parted by what was drawn for them.
 *
 * It is not grown once and for all: at each place all decisions are weighed (worth.c) among the programs that are there, and each can be gone down into.  So the
 * question "and if the vectors are 16 wide, what matters then?" has its answer whatever was asked before, and where too few programs are left
 * to say anything, nothing is said.
 */
#include "engine/tune/tune.h"

struct _LsTuneTree
{
  GPtrArray *decisions;         /* of GArray of LsTuneDecision, for each program */
  GArray    *seconds;           /* of double */
};

LsTuneTree *
ls_tune_tree_new (void)
{
  LsTuneTree *self = g_new0 (LsTuneTree, 1);

  self->decisions = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->seconds = g_array_new (FALSE, FALSE, sizeof (double));
  return self;
}

void
ls_tune_tree_free (LsTuneTree *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->decisions);
  g_array_unref (self->seconds);
  g_free (self);
}

void
ls_tune_tree_add (LsTuneTree *self,
                  GArray     *decisions,
                  double      seconds)
{
  g_ptr_array_add (self->decisions, decisions);
  g_array_append_val (self->seconds, seconds);
}

static const LsTuneDecision *
drawn_for (LsTuneTree           *self,
           guint                 program,
           const LsTuneDecision *wanted)
{
  GArray *own = self->decisions->pdata[program];

  for (guint i = 0; i < own->len; i++)
    if (ls_tune_decision_is (&g_array_index (own, LsTuneDecision, i), wanted))
      return &g_array_index (own, LsTuneDecision, i);
  return NULL;
}

static gboolean
is_below (LsTuneTree *self,
          guint       program,
          GArray     *path)
{
  for (guint i = 0; path != NULL && i < path->len; i++)
    {
      const LsTuneDecision *step = &g_array_index (path, LsTuneDecision, i), *own = drawn_for (self, program, step);

      if (own == NULL || own->value != step->value)
        return FALSE;
    }
  return g_array_index (self->seconds, double, program) > 0;
}

guint
ls_tune_tree_count (LsTuneTree *self,
                    GArray     *path)
{
  guint n = 0;

  for (guint i = 0; i < self->decisions->len; i++)
    n += is_below (self, i, path);
  return n;
}

GArray *
ls_tune_tree_worth (LsTuneTree *self,
                    GArray     *path)
{
  g_autofree double *seconds = g_new (double, self->decisions->len + 1);

  for (guint i = 0; i < self->decisions->len; i++)
    seconds[i] = is_below (self, i, path) ? g_array_index (self->seconds, double, i) : -1;
  return ls_tune_worth (self->decisions, seconds);
}

/* ---- values -------------------------------------------------------------------- */

typedef struct {
  gint64 value;
  double seconds;
  guint  program;
} Sample;

static gint
compare_samples (gconstpointer a,
                 gconstpointer b)
{
  const Sample *x = a, *y = b;

  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  if (x->seconds != y->seconds)
    return x->seconds < y->seconds ? -1 : 1;
  return (x->program > y->program) - (x->program < y->program);
}

static gint
compare_values (gconstpointer a,
                gconstpointer b)
{
  const LsTuneValue *x = a, *y = b;

  if (x->best_seconds != y->best_seconds)
    return x->best_seconds < y->best_seconds ? -1 : 1;
  return (x->value > y->value) - (x->value < y->value);
}

GArray *
ls_tune_tree_values (LsTuneTree           *self,
                     GArray               *path,
                     const LsTuneDecision *decision)
{
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  GArray *values = g_array_new (FALSE, FALSE, sizeof (LsTuneValue));

  for (guint i = 0; i < self->decisions->len; i++)
    {
      const LsTuneDecision *own = is_below (self, i, path) ? drawn_for (self, i, decision) : NULL;
      Sample sample = { own != NULL ? own->value : 0, g_array_index (self->seconds, double, i), i };

      if (own != NULL)
        g_array_append_val (samples, sample);
    }
  g_array_sort (samples, compare_samples);
  for (guint from = 0, to; from < samples->len; from = to)
    {
      const Sample *first = &g_array_index (samples, Sample, from);
      LsTuneValue value = { .value = first->value, .best_seconds = first->seconds, .best = first->program };

      for (to = from; to < samples->len && g_array_index (samples, Sample, to).value == value.value;)
        to++;
      value.n = to - from;
      value.median_seconds = (g_array_index (samples, Sample, from + (value.n - 1) / 2).seconds + g_array_index (samples, Sample, from + value.n / 2).seconds) / 2;
      g_array_append_val (values, value);
    }
  g_array_sort (values, compare_values);
  return values;
}

GArray *
ls_tune_tree_below (GArray               *path,
                    const LsTuneDecision *decision,
                    gint64                value)
{
  GArray *below = ls_tune_decisions_new ();

  for (guint i = 0; i <= (path != NULL ? path->len : 0); i++)
    {
      LsTuneDecision step = path != NULL && i < path->len ? g_array_index (path, LsTuneDecision, i) : *decision;

      step.subject = g_strdup (step.subject);
      if (path == NULL || i == path->len)
        step.value = value;
      g_array_append_val (below, step);
    }
  return below;
}
