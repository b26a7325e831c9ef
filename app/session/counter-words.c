/* session/counter-words: see the header. */
#include "app/session/counter-words.h"

#include "app/rpc/rpc.h"
#include "engine/runtime/counters.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>

/* ORDER LsCounterKind */
static const char *const words[LS_COUNTER_N] = {
  N_("%s cycles"),
  N_("%s instructions"),
  N_("%s loads missed L1"),
  N_("%s loads missed the last level"),
  N_("%s branches mispredicted"),
};

static void
put_count (GString  *text,
           GVariant *counters,
           guint     kind)
{
  g_autoptr (GVariant) one = ls_params_value (counters, ls_counter_name (kind));
  g_autofree char *count = NULL;
  double share;

  if (one == NULL || ls_params_string (one, "error", NULL) != NULL)
    return;
  count = ls_format_count (llround (ls_params_double (one, "value", 0.0)));
  share = ls_params_double (one, "share", 1.0);
  g_string_append (text, text->len > 0 ? ", " : "");
  g_string_append_printf (text, _(words[kind]), count);
  if (share < 0.999)
    g_string_append_printf (text, _(" (counted %.0f\u202f%% of the time)"), 100.0 * share);
}

char *
ls_counter_words (GVariant *answer)
{
  g_autoptr (GVariant) counters = ls_params_value (answer, "counters");
  g_autoptr (GString) text = g_string_new (NULL);

  if (counters == NULL)
    return ls_params_string (answer, "counters-text", NULL) != NULL ? ls_counters_why ((int) ls_params_int (answer, "counters-error", 0)) : NULL;
  for (guint i = 0; i < LS_COUNTER_N; i++)
    put_count (text, counters, i);
  /* Translators: a list of figures follows */
  return text->len > 0 ? g_strdup_printf (_("Counted by the processor in one call: %s."), text->str) : NULL;
}
