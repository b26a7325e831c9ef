/* Code in a text that has no fences: indented blocks, and listings as they come out of a web page, a column of numbers and then the lines.
 *
 * A numbered listing is the lines "1" to "N" (N >= 3) and the N lines behind them.  An indented block stands behind an empty line,
 * four columns in, and has something of Python in it.  Where copying has taken the indentation away, the listing is shown
 * and said not to run: how deep a line belongs cannot be known.
 *
 * Also here: which cells of somebody else's text are pieces of a program or printed results, and are read instead of run.
 */
#include "app/lesson/lesson-private.h"

#include <string.h>

#define LEAST 3

static gboolean
is_empty (const char *line)
{
  return line[strspn (line, " \t\r")] == 0;
}

static gboolean
is_number (const char *line,
           guint       number)
{
  g_autofree char *text = g_strdup_printf ("%u", number);
  gsize n = strlen (text);

  return strncmp (line, text, n) == 0 && is_empty (line + n);
}

/* How many numbers stand in a column from line `at` on; 0 when that is no listing. */
static guint
count_numbers (char **lines,
               guint  at,
               guint  n)
{
  guint count = 0;

  while (at + count < n && is_number (lines[at + count], count + 1))
    count++;
  return count >= LEAST && at + 2 * count <= n ? count : 0;
}

static gboolean
opens_block (const char *line)
{
  gsize n = strlen (line);

  while (n > 0 && g_ascii_isspace (line[n - 1]))
    n--;
  return n > 0 && line[n - 1] == ':' && *line != '#';
}

/* A line that opens a block and is not followed by a deeper one. */
static gboolean
lost_its_indent (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      guint next = i + 1;

      if (!opens_block (lines[i]))
        continue;
      while (lines[next] != NULL && is_empty (lines[next]))
        next++;
      if (lines[next] != NULL && strspn (lines[next], " \t") <= strspn (lines[i], " \t"))
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_indented (const char *line)
{
  return (g_str_has_prefix (line, "    ") || *line == '\t') && !is_empty (line);
}

/* Lines of an indented block from `at` on; 0 when there is none, or nothing of Python in it. */
static guint
count_indented (char **lines,
                guint  at,
                guint  n)
{
  guint last = at;
  gboolean python = FALSE;

  if (!is_indented (lines[at]) || (at > 0 && !is_empty (lines[at - 1])))
    return 0;
  for (guint i = at; i < n && (is_indented (lines[i]) || is_empty (lines[i])); i++)
    if (is_indented (lines[i]))
      {
        const char *text = lines[i] + strspn (lines[i], " \t");

        last = i + 1;
        python |= strstr (text, " = ") != NULL || strchr (text, '(') != NULL || g_str_has_prefix (text, "import ") || g_str_has_prefix (text, "from ");
        if (text[0] == '-' || text[0] == '*' || g_ascii_isdigit (text[0]))
          return 0;
      }
  return python ? last - at : 0;
}

static char *
join (char    **lines,
      guint     from,
      guint     count,
      gboolean  indented)
{
  GString *out = g_string_new (NULL);

  for (guint i = from; i < from + count; i++)
    {
      const char *line = lines[i];

      if (indented)
        line += *line == '\t' ? 1 : MIN (strspn (line, " "), 4);
      g_string_append_printf (out, "%s\n", line);
    }
  return g_string_free (out, FALSE);
}

gboolean
ls_listing_read (char     **lines,
                 guint      at,
                 guint      n,
                 LsListing *listing)
{
  guint count = count_numbers (lines, at, n);

  *listing = (LsListing) { 0 };
  if (count > 0)
    {
      listing->first = at + count;
      listing->end = at + 2 * count;
      listing->text = join (lines, listing->first, count, FALSE);
      listing->lost = lost_its_indent (listing->text);
      return TRUE;
    }
  count = count_indented (lines, at, n);
  if (count == 0)
    return FALSE;
  listing->first = at;
  listing->end = at + count;
  listing->text = join (lines, at, count, TRUE);
  return TRUE;
}

/* ---- to be read, not run ---- */

static gboolean
has_line_with (char             **lines,
               const char *const *starts)
{
  for (guint i = 0; lines[i] != NULL; i++)
    for (guint k = 0; starts[k] != NULL; k++)
      if (g_str_has_prefix (lines[i], starts[k]))
        return TRUE;
  return FALSE;
}

gboolean
ls_listing_is_to_read (const char *text)
{
  static const char *const own[] = { "@", "def ", "class ", "import ", "from ", "tvm.", NULL };
  static const char *const pieces[] = { "R.dataflow(", "R.call_dps_packed(", "R.call_tir(", "R.output(", "T.axis.", "T.grid(", "T.block(", "T.init(", "T.alloc_buffer(",
                                        "T.match_buffer(", "T.func_attr(", NULL };
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  if (g_str_has_prefix (text, "# from tvm.script import"))
    return TRUE;
  if (has_line_with (lines, own))
    return FALSE;
  for (guint k = 0; pieces[k] != NULL; k++)
    if (strstr (text, pieces[k]) != NULL)
      return TRUE;
  return FALSE;
}
