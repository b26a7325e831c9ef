/* Expected output against real output.
 *
 * Both line by line without spaces at line ends and empty lines at the ends.  A line "..." stands for any number of
 * lines, "..." in a line for any characters; with a tolerance numbers are compared as numbers.  Backtracking over "..."
 * lines, as in doctest; bounded, since the expected text is short.
 */
#include "app/lesson/lesson.h"

#include <math.h>
#include <string.h>

static gboolean
line_matches (const char *want,
              const char *real,
              double      close)
{
  while (*want != 0)
    {
      if (g_str_has_prefix (want, "..."))
        {
          for (const char *at = real;; at++)
            {
              if (line_matches (want + 3, at, close))
                return TRUE;
              if (*at == 0)
                return FALSE;
            }
        }
      if (close > 0 && (g_ascii_isdigit (*want) || *want == '-' || *want == '+' || *want == '.'))
        {
          char *want_end, *real_end;
          double a = g_ascii_strtod (want, &want_end), b = g_ascii_strtod (real, &real_end);

          if (want_end != want && real_end != real)
            {
              if (!(fabs (a - b) <= close) && !(isnan (a) && isnan (b)) && a != b)
                return FALSE;
              want = want_end;
              real = real_end;
              continue;
            }
        }
      if (close > 0 && *want == ' ' && *real == ' ')
        {
          want += strspn (want, " ");
          real += strspn (real, " ");
          continue;
        }
      if (*want != *real)
        return FALSE;
      want++;
      real++;
    }
  return *real == 0;
}

static GPtrArray *
lines_of (const char *text)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) raw = g_strsplit (text, "\n", -1);

  for (guint i = 0; raw[i] != NULL; i++)
    if (lines->len > 0 || *g_strchomp (raw[i]) != 0)
      g_ptr_array_add (lines, g_strdup (g_strchomp (raw[i])));
  while (lines->len > 0 && *(char *) lines->pdata[lines->len - 1] == 0)
    g_ptr_array_set_size (lines, (int) lines->len - 1);
  return lines;
}

/* Do the lines from here on match?  *far gets the furthest pair that did not. */
static gboolean
match_from (GPtrArray *want,
            guint      i,
            GPtrArray *real,
            guint      j,
            double     close,
            guint      far[2])
{
  for (;; i++, j++)
    {
      if (i == want->len && j == real->len)
        return TRUE;
      if (i < want->len && strcmp (want->pdata[i], "...") == 0)
        {
          for (guint k = j; k <= real->len; k++)
            if (match_from (want, i + 1, real, k, close, far))
              return TRUE;
          return FALSE;
        }
      if (i == want->len || j == real->len || !line_matches (want->pdata[i], real->pdata[j], close))
        {
          if (i >= far[0])
            {
              far[0] = i;
              far[1] = j;
            }
          return FALSE;
        }
    }
}

char *
ls_output_compare (const char *expected,
                   const char *real,
                   double      close)
{
  g_autoptr (GPtrArray) want = lines_of (expected);
  g_autoptr (GPtrArray) have = lines_of (real);
  guint far[2] = { 0, 0 };

  if (match_from (want, 0, have, 0, close, far))
    return NULL;
  if (far[0] >= want->len)
    return g_strdup_printf (ls_translate ("line %u, \"%.200s\", is one too many"), far[1] + 1, (char *) have->pdata[far[1]]);
  if (far[1] >= have->len)
    return g_strdup_printf (ls_translate ("line %u, \"%.200s\", is missing"), far[0] + 1, (char *) want->pdata[far[0]]);
  return g_strdup_printf (ls_translate ("line %u is \"%.200s\", expected is \"%.200s\""), far[1] + 1, (char *) have->pdata[far[1]], (char *) want->pdata[far[0]]);
}
