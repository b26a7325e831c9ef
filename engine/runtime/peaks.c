/* Where the peaks of this machine are kept: an ini file per CPU name in the user's cache.
 * Whoever measures them (the compiler, because the code must be made for this CPU) stores them here.
 */
#include "engine/runtime/peaks.h"
#include "engine/base/host-caches.h"
#include "engine/runtime/runtime-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

char *
ls_peaks_path (const char *cpu)
{
  g_autoptr (GString) file = g_string_new ("peaks-");

  for (const char *c = cpu; *c != '\0' && file->len < 120; c++)
    if (g_ascii_isalnum (*c))
      g_string_append_c (file, g_ascii_tolower (*c));
    else if (file->str[file->len - 1] != '-')
      g_string_append_c (file, '-');
  g_string_append (file, ".ini");
  return g_build_filename (g_get_user_cache_dir (), "loopscope", file->str, NULL);
}

static gboolean
get_positive (GKeyFile   *file,
              const char *group,
              const char *key,
              double     *value)
{
  *value = g_key_file_get_double (file, group, key, NULL);
  return isfinite (*value) && *value > 0;
}

static gboolean
load_level (GKeyFile    *file,
            const char  *name,
            LsPeakLevel *level)
{
  g_strlcpy (level->name, name, sizeof level->name);
  level->bytes = g_key_file_get_int64 (file, name, "bytes", NULL);
  return level->bytes > 0 && get_positive (file, name, "gb-per-s", &level->gb_per_s);
}

gboolean
ls_peaks_load (const char *cpu,
               LsPeaks    *peaks)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = ls_peaks_path (cpu);
  g_autofree char *stored = NULL;
  g_auto (GStrv) levels = NULL;

  *peaks = (LsPeaks) { 0 };
  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return FALSE;
  stored = g_key_file_get_string (file, "cpu", "name", NULL);
  levels = g_key_file_get_string_list (file, "cpu", "levels", NULL, NULL);
  if (g_strcmp0 (stored, cpu) != 0 || levels == NULL
      || !get_positive (file, "cpu", "fma-gflops", &peaks->fma_gflops))
    return FALSE;
  for (guint i = 0; levels[i] != NULL && i < LS_PEAKS_MAX_LEVELS; i++)
    if (!load_level (file, levels[i], &peaks->levels[peaks->n_levels++]))
      return FALSE;
  return TRUE;
}

/* Other work makes figures smaller, never larger: what was measured in a busy hour does not take away what was once reached. */
static void
keep_larger (LsPeaks       *peaks,
             const LsPeaks *before)
{
  for (int i = 0; i < peaks->n_levels; i++)
    if (i >= before->n_levels || peaks->n_levels != before->n_levels || peaks->levels[i].bytes != before->levels[i].bytes)
      return;                   /* another machine */
  peaks->fma_gflops = MAX (peaks->fma_gflops, before->fma_gflops);
  for (int i = 0; i < peaks->n_levels; i++)
    peaks->levels[i].gb_per_s = MAX (peaks->levels[i].gb_per_s, before->levels[i].gb_per_s);
}

gboolean
ls_peaks_store (const char     *cpu,
                const LsPeaks  *measured,
                GError        **error)
{
  return ls_peaks_keep (cpu, measured, FALSE, error);
}

gboolean
ls_peaks_keep (const char     *cpu,
               const LsPeaks  *measured,
               gboolean        busy,
               GError        **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  LsPeaks kept = *measured, before, *peaks = &kept;
  g_autofree char *path = ls_peaks_path (cpu);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format_iso8601 (now);
  double load;
  const char *names[LS_PEAKS_MAX_LEVELS];

  g_key_file_set_string (file, "cpu", "name", cpu);
  g_key_file_set_string (file, "cpu", "date", date);
  if (getloadavg (&load, 1) == 1)
    g_key_file_set_double (file, "cpu", "load", load);
  g_key_file_set_boolean (file, "cpu", "busy", busy);
  if (busy && ls_peaks_load (cpu, &before))
    keep_larger (peaks, &before);
  g_key_file_set_double (file, "cpu", "fma-gflops", peaks->fma_gflops);
  for (int i = 0; i < peaks->n_levels; i++)
    {
      names[i] = peaks->levels[i].name;
      g_key_file_set_int64 (file, names[i], "bytes", peaks->levels[i].bytes);
      g_key_file_set_double (file, names[i], "gb-per-s", peaks->levels[i].gb_per_s);
    }
  g_key_file_set_string_list (file, "cpu", "levels", names, (gsize) peaks->n_levels);
  g_mkdir_with_parents (folder, 0755);
  return g_key_file_save_to_file (file, path, error);
}

char *
ls_peaks_date (const char *cpu)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = ls_peaks_path (cpu);

  return g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL) ? g_key_file_get_string (file, "cpu", "date", NULL) : NULL;
}

double
ls_peaks_busy (const char *cpu)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = ls_peaks_path (cpu);

  return g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL) && g_key_file_has_key (file, "cpu", "load", NULL)
           ? g_key_file_get_double (file, "cpu", "load", NULL) : -1.0;
}

/* Files of before say only what the load was. */
gboolean
ls_peaks_doubtful (const char *cpu)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *path = ls_peaks_path (cpu);

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL))
    return FALSE;
  return g_key_file_has_key (file, "cpu", "busy", NULL) ? g_key_file_get_boolean (file, "cpu", "busy", NULL) : ls_peaks_busy (cpu) >= LS_PEAKS_BUSY;
}

static gboolean
is_long_ago (const char *cpu)
{
  g_autofree char *stored = ls_peaks_date (cpu);
  g_autoptr (GDateTime) date = stored != NULL ? g_date_time_new_from_iso8601 (stored, NULL) : NULL, now = g_date_time_new_now_local ();

  return date == NULL || g_date_time_difference (now, date) > LS_PEAKS_AGAIN_S * G_TIME_SPAN_SECOND;
}

gboolean
ls_peaks_worth_again (const char *cpu)
{
  double load;

  return ls_peaks_doubtful (cpu) && ((getloadavg (&load, 1) == 1 && load < LS_PEAKS_BUSY) || is_long_ago (cpu));
}

gint64
ls_host_cache_bytes (int level)
{
  gint64 bytes;
  guint ways;

  return ls_host_cache (NULL, level, &bytes, &ways) ? bytes : 0;
}
