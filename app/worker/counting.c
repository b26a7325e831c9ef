/* counting: see the header. */
#include "app/worker/counting.h"

#include "engine/runtime/counters.h"

static LsCounters *counters;

void
ls_counting_open (void)
{
  g_return_if_fail (counters == NULL);

  counters = ls_counters_new (NULL);
}

static GVariant *
count_to_variant (const LsCount *count,
                  int            n_calls)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  if (count->error != 0)
    {
      g_autofree char *name = ls_counter_error (count->error);

      g_variant_dict_insert (&dict, "error", "s", name);
    }
  else
    {
      g_variant_dict_insert (&dict, "value", "d", count->value / n_calls);
      g_variant_dict_insert (&dict, "share", "d", count->share);
    }
  return g_variant_dict_end (&dict);
}

void
ls_counting_put (GVariantDict *dict,
                 LsTimedFunc   func,
                 void         *closure,
                 int           n_calls)
{
  LsCount counts[LS_COUNTER_N];
  GVariantDict inner;
  gboolean ok = TRUE;

  if (counters == NULL || !ls_counters_any (counters))
    {
      int error = counters != NULL ? ls_counters_error (counters) : 0;
      g_autofree char *why = ls_counters_why (error);

      g_variant_dict_insert (dict, "counters-error", "i", error);
      g_variant_dict_insert (dict, "counters-text", "s", why);
      return;
    }
  ls_counters_start (counters);
  for (int i = 0; ok && i < n_calls; i++)
    ok = func (closure) == 0;
  ls_counters_stop (counters, counts);
  if (!ok)
    return;
  g_variant_dict_init (&inner, NULL);
  for (guint i = 0; i < LS_COUNTER_N; i++)
    g_variant_dict_insert_value (&inner, ls_counter_name (i), count_to_variant (&counts[i], n_calls));
  g_variant_dict_insert_value (dict, "counters", g_variant_dict_end (&inner));
  g_variant_dict_insert (dict, "counted-calls", "i", n_calls);
}
