/* worth: which decisions the times depend on.  The method and its limits stand in the header. */
#include "engine/tune/tune.h"

#include <math.h>

#define LEAST LS_TUNE_WORTH_LEAST

typedef struct {
  guint  n;
  double sum;                   /* of logarithms */
} Group;

/* A decision with the programs that had it. */
typedef struct {
  const LsTuneDecision *decision;
  GHashTable *groups;           /* value -> Group */
  double      sum, squares;
  guint       n;
} Factor;

static void
factor_clear (gpointer data)
{
  g_hash_table_unref (((Factor *) data)->groups);
}

static Factor *
find_factor (GArray               *factors,
             const LsTuneDecision *decision)
{
  Factor fresh = { .decision = decision };

  for (guint i = 0; i < factors->len; i++)
    if (ls_tune_decision_is (g_array_index (factors, Factor, i).decision, decision))
      return &g_array_index (factors, Factor, i);
  fresh.groups = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  g_array_append_val (factors, fresh);
  return &g_array_index (factors, Factor, factors->len - 1);
}

static void
add_program (Factor *self,
             gint64  value,
             double  y)
{
  Group *group = g_hash_table_lookup (self->groups, &value);

  if (group == NULL)
    {
      group = g_new0 (Group, 1);
      g_hash_table_insert (self->groups, g_memdup2 (&value, sizeof value), group);
    }
  group->n++;
  group->sum += y;
  self->n++;
  self->sum += y;
  self->squares += y * y;
}

/* FALSE: nothing can be said. */
static gboolean
weigh (Factor      *self,
       LsTuneWorth *worth)
{
  guint k = g_hash_table_size (self->groups);
  double between = 0, best = INFINITY, worst = -INFINITY, mean = self->sum / self->n, total = self->squares - self->sum * mean;
  GHashTableIter iter;
  gpointer value, data;

  if (self->n < LEAST || k < 2 || self->n < 2 * k || !(total > 0))
    return FALSE;
  *worth = (LsTuneWorth) { .decision = *self->decision, .n = self->n, .n_values = k };
  worth->decision.subject = g_strdup (self->decision->subject);
  g_hash_table_iter_init (&iter, self->groups);
  while (g_hash_table_iter_next (&iter, &value, &data))
    {
      Group *group = data;
      double own = group->sum / group->n;

      between += group->n * (own - mean) * (own - mean);
      worst = fmax (worst, own);
      if (own < best || (own == best && *(gint64 *) value < worth->decision.value))
        {
          best = own;
          worth->decision.value = *(gint64 *) value;
        }
    }
  worth->share = CLAMP (1 - (self->n - 1.0) / (self->n - k) * (total - between) / total, 0, 1);
  worth->best_seconds = exp (best);
  worth->worst_seconds = exp (worst);
  return TRUE;
}

static void
worth_clear (gpointer data)
{
  g_free (((LsTuneWorth *) data)->decision.subject);
}

static gint
compare_worth (gconstpointer a,
               gconstpointer b,
               gpointer      unused)
{
  const LsTuneWorth *x = a, *y = b;

  return (x->share < y->share) - (x->share > y->share);
}

GArray *
ls_tune_worth (GPtrArray    *decisions,
               const double *seconds)
{
  g_autoptr(GArray) factors = g_array_new (FALSE, TRUE, sizeof (Factor));
  GArray *all = g_array_new (FALSE, TRUE, sizeof (LsTuneWorth));

  g_array_set_clear_func (factors, factor_clear);
  g_array_set_clear_func (all, worth_clear);
  for (guint i = 0; i < decisions->len; i++)
    for (guint d = 0; seconds[i] > 0 && d < ((GArray *) decisions->pdata[i])->len; d++)
      {
        const LsTuneDecision *decision = &g_array_index ((GArray *) decisions->pdata[i], LsTuneDecision, d);

        add_program (find_factor (factors, decision), decision->value, log (seconds[i]));
      }
  for (guint i = 0; i < factors->len; i++)
    {
      LsTuneWorth worth;

      if (weigh (&g_array_index (factors, Factor, i), &worth))
        g_array_append_val (all, worth);
    }
  g_array_sort_with_data (all, compare_worth, NULL);
  return all;
}
