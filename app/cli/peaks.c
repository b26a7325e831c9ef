/* peaks: kept ones are read, others measured in the worker and kept. */
#include "app/cli/peaks.h"

#include "app/cli/remote.h"
#include "engine/runtime/peaks.h"

gboolean
ls_cli_read_peaks (const char *command,
                   gboolean    again,
                   LsPeaks    *peaks)
{
  GVariantDict params;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariant) levels = NULL;
  g_autoptr (GError) error = NULL;

  if (!again && ls_peaks_load (ls_host_cpu_name (), peaks) && !ls_peaks_worth_again (ls_host_cpu_name ()))
    return TRUE;
  g_variant_dict_init (&params, NULL);
  answer = ls_cli_ask (command, "peaks", &params, 120, NULL, NULL);
  levels = answer != NULL ? ls_params_value (answer, "levels") : NULL;
  if (levels == NULL)
    return FALSE;
  *peaks = (LsPeaks) { .fma_gflops = ls_cli_number (answer, "gflops") };
  for (gsize i = 0; i < g_variant_n_children (levels) && i < LS_PEAKS_MAX_LEVELS; i++)
    {
      g_autoptr (GVariant) level = g_variant_get_child_value (levels, i);
      LsPeakLevel *to = &peaks->levels[peaks->n_levels++];

      g_strlcpy (to->name, ls_params_string (level, "name", "?"), sizeof to->name);
      to->bytes = ls_params_int (level, "bytes", 0);
      to->gb_per_s = ls_params_double (level, "gb-per-s", 0.0);
    }
  if (!ls_peaks_keep (ls_host_cpu_name (), peaks, ls_params_bool (answer, "busy", FALSE), &error))
    ls_cli_fail (command, "not kept: %s", error->message);
  else
    ls_peaks_load (ls_host_cpu_name (), peaks); /* with what was once reached */
  return TRUE;
}
