/* format: figures in words. */
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#define NARROW "\u202f"
#define MOST_DECIMALS 7

static const char *const unit_names[] = { "ns", "µs", "ms", "s" };
static const double unit_sizes[] = { 1e-9, 1e-6, 1e-3, 1.0 };

/* Three significant figures, as a locale figure; of what is far below one, in the unit of something larger, two. */
static int
decimals_of (double value)
{
  double size = fabs (value);

  if (size >= 99.95)
    return 0;
  if (size >= 9.995)
    return 1;
  if (size >= 0.9995 || size == 0.0)
    return 2;
  return MIN ((int) ceil (-log10 (size)) + (size >= 0.00995 ? 2 : 1), MOST_DECIMALS);
}

static char *
significant (double value)
{
  return g_strdup_printf ("%'.*f", decimals_of (value), value);
}

LsTimeUnit
ls_format_time_unit (double seconds)
{
  if (seconds < 0.9995e-6)
    return LS_TIME_UNIT_NS;
  if (seconds < 0.9995e-3)
    return LS_TIME_UNIT_US;
  if (seconds < 0.9995)
    return LS_TIME_UNIT_MS;
  return LS_TIME_UNIT_S;
}

const char *
ls_time_unit_name (LsTimeUnit unit)
{
  return unit_names[unit];
}

double
ls_time_in_unit (double     seconds,
                 LsTimeUnit unit)
{
  return seconds / unit_sizes[unit];
}

char *
ls_format_time_in (double     seconds,
                   LsTimeUnit unit)
{
  return significant (ls_time_in_unit (seconds, unit));
}

char *
ls_format_time_difference (double     seconds,
                           double     of,
                           LsTimeUnit unit)
{
  return g_strdup_printf ("%'.*f", decimals_of (ls_time_in_unit (of, unit)), ls_time_in_unit (seconds, unit));
}

char *
ls_format_time (double seconds)
{
  LsTimeUnit unit = ls_format_time_unit (seconds);
  g_autofree char *figure = ls_format_time_in (seconds, unit);

  return g_strconcat (figure, NARROW, unit_names[unit], NULL);
}

char *
ls_format_date (const char *iso8601)
{
  g_autoptr (GDateTime) date = iso8601 != NULL ? g_date_time_new_from_iso8601 (iso8601, NULL) : NULL;
  g_autoptr (GDateTime) here = date != NULL ? g_date_time_to_local (date) : NULL;

  /* Translators: day, month, year, hour and minute, as strftime() has them. */
  return here != NULL ? g_date_time_format (here, _("%-e %b %Y, %H:%M")) : NULL;
}

char *
ls_format_time_spread (double median,
                       double half_iqr)
{
  LsTimeUnit unit = ls_format_time_unit (median);
  double value = ls_time_in_unit (median, unit);
  double spread = ls_time_in_unit (half_iqr, unit);
  int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  int fewer = MIN (decimals, spread >= 99.95 ? 0 : spread >= 9.995 ? 1 : 2);

  /* A spread of more figures is no more exact than one of three: it has a unit of its own then. */
  if (spread >= 999.5)
    {
      g_autofree char *time = ls_format_time (median), *around = ls_format_time (half_iqr);

      return g_strdup_printf ("%s ±%s", time, around);
    }
  return g_strdup_printf ("%'.*f ±%'.*f" NARROW "%s",
                          decimals, value, fewer, spread, unit_names[unit]);
}

char *
ls_format_factor (double factor)
{
  if (factor >= 99.95)
    return g_strdup_printf ("×%'.0f", factor);
  if (factor >= 9.995)
    return g_strdup_printf ("×%'.1f", factor);
  if (factor > 0 && factor < 0.095)
    return g_strdup_printf ("×%'.*f", (int) ceil (-log10 (factor)) + 1, factor);
  return g_strdup_printf ("×%'.2f", factor);
}

/* How often one goes into the other, to three figures: "12.5", "1,090". */
static char *
times (double ratio)
{
  double last = pow (10.0, floor (log10 (ratio)) - 2.0);

  return ratio < 999.5 ? g_strdup_printf ("%.3g", ratio) : ls_format_count ((gint64) (round (ratio / last) * last));
}

char *
ls_format_speedup (double factor)
{
  g_autofree char *figure = NULL;

  if (factor > 0.0 && factor < 0.095)
    {
      figure = times (1.0 / factor);
      /* Translators: a speed-up far below 1; %s is 11 or more, such as 1,090 */
      return g_strdup_printf (_("%s times slower"), figure);
    }
  figure = ls_format_factor (factor);
  if (factor < 0.995)
    /* Translators: a speed-up below 1, such as ×0.92 */
    return g_strdup_printf (_("%s, slower"), figure);
  return g_steal_pointer (&figure);
}

char *
ls_format_count (gint64 count)
{
  g_autofree char *plain = g_strdup_printf ("%" G_GINT64_FORMAT, ABS (count));
  const char *separator = localeconv ()->thousands_sep;
  GString *text = g_string_new (count < 0 ? "−" : NULL);
  gsize length = strlen (plain);

  if (*separator == '\0')
    separator = ",";

  for (gsize i = 0; i < length; i++)
    {
      if (i > 0 && (length - i) % 3 == 0)
        g_string_append (text, separator);
      g_string_append_c (text, plain[i]);
    }

  return g_string_free (text, FALSE);
}

char *
ls_format_bytes (gint64 bytes)
{
  static const char *const names[] = { "B", "KiB", "MiB", "GiB", "TiB" };
  double value = (double) bytes;
  guint i = 0;

  while (value >= 1024.0 && i + 1 < G_N_ELEMENTS (names))
    {
      value /= 1024.0;
      i++;
    }

  if (i == 0 || value == floor (value) || value >= 999.5)
    return g_strdup_printf ("%'.0f" NARROW "%s", value, names[i]);
  return g_strdup_printf ("%'.1f" NARROW "%s", value, names[i]);
}

char *
ls_format_share (double share)
{
  double percent = share * 100.0;

  if (percent >= 99.95 || percent == 0.0)
    return g_strdup_printf ("%.0f" NARROW "%%", percent);
  if (percent < 0.05)
    return g_strdup_printf ("<%.1f" NARROW "%%", 0.1);
  return g_strdup_printf ("%.1f" NARROW "%%", percent);
}

char *
ls_format_short_count (double count)
{
  static const char *const names[] = { "", "k", "M", "G", "T", "P" };
  g_autofree char *figure = NULL;
  guint i = 0;

  while (count >= 999.5 && i + 1 < G_N_ELEMENTS (names))
    {
      count /= 1000.0;
      i++;
    }

  figure = i == 0 ? g_strdup_printf ("%.0f", count) : significant (count);
  return i == 0 ? g_steal_pointer (&figure)
                : g_strconcat (figure, NARROW, names[i], NULL);
}
