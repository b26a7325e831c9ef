/* reduce-lines: statements left out, alone and in rows, and scopes that give way to what stands in them.
 *
 * The text is what the printer wrote: a line a statement, its body below it, indented by four.  A part is a line with its body; a
 * decorator, and an `else`, belongs to what stands with it.
 */
#include "engine/script/reduce-private.h"

#include <string.h>

#define STEP 4u

static guint
indent_of (const char *line)
{
  return (guint) strspn (line, " ");
}

static gboolean
is_empty (const char *line)
{
  return line[strspn (line, " ")] == '\0';
}

static gboolean
is_comment (const char *line)
{
  return line[strspn (line, " ")] == '#';
}

static gboolean
starts (const char *line,
        const char *word)
{
  return g_str_has_prefix (line + indent_of (line), word);
}

/* One past the last line of the part that begins at `from`. */
static guint
end_of (char **lines,
        guint  from)
{
  guint indent = indent_of (lines[from]), at = from;

  while (starts (lines[at], "@") && lines[at + 1] != NULL && indent_of (lines[at + 1]) == indent)
    at++;
  at++;
  while (lines[at] != NULL && (is_empty (lines[at]) || indent_of (lines[at]) > indent || (starts (lines[from], "if ") && starts (lines[at], "else:") && indent_of (lines[at]) == indent)))
    at++;
  while (at > from + 1 && is_empty (lines[at - 1]))
    at--;
  return at;
}

/* The lines without [from, to), with something in place of a body that is empty now. */
static char *
without (char **lines,
         guint  from,
         guint  to)
{
  GString *text = g_string_new (NULL);
  guint indent = indent_of (lines[from]);
  int before = (int) from - 1;
  guint after = to;

  while (before >= 0 && (is_empty (lines[before]) || is_comment (lines[before])))
    before--;
  while (lines[after] != NULL && is_empty (lines[after]))
    after++;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (i == from && before >= 0 && g_str_has_suffix (lines[before], ":") && indent_of (lines[before]) < indent &&
          (lines[after] == NULL || indent_of (lines[after]) < indent))
        g_string_append_printf (text, "%*sT.evaluate(0)\n", (int) indent, "");
      if (i < from || i >= to)
        g_string_append_printf (text, "%s\n", lines[i]);
    }
  return g_string_free (text, FALSE);
}

/* Where the parts of one body begin: those after `header` (-1: of the whole text). (transfer full) of guint */
static GArray *
parts_of (char **lines,
          int    header)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (guint));
  guint at = (guint) (header + 1), end = header < 0 ? g_strv_length (lines) : end_of (lines, (guint) header);

  while (at < end)
    {
      if (!is_empty (lines[at]) && !is_comment (lines[at]))
        {
          g_array_append_val (parts, at);
          at = end_of (lines, at);
        }
      else
        at++;
    }
  return parts;
}

/* Rows of parts of one body, the long ones first. */
static gboolean
shorten_body (LsReducer *self,
              int        header)
{
  gboolean any = FALSE;

  for (guint row = G_MAXUINT; row > 0;)
    {
      guint n = 0;

      for (guint i = 0; !ls_reducer_failed (self);)
        {
          g_auto (GStrv) lines = g_strsplit (ls_reducer_text (self), "\n", -1);
          g_autoptr (GArray) parts = header < (int) g_strv_length (lines) ? parts_of (lines, header) : NULL;
          g_autofree char *candidate = NULL;

          n = parts != NULL ? parts->len : 0;
          row = MIN (row, n);
          if (row == 0 || i >= n)
            break;
          candidate = without (lines, g_array_index (parts, guint, i), end_of (lines, g_array_index (parts, guint, MIN (i + row, n) - 1)));
          if (ls_reducer_try (self, candidate))
            any = TRUE;
          else
            i += row;
        }
      row = MIN (row, n) / 2;
    }
  return any;
}

/* ---- scopes ------------------------------------------------------------------------ */

/* "x" with `value` in its place, where it stands as a name of its own. (transfer full) */
static char *
put_for (const char *text,
         const char *name,
         const char *value)
{
  g_autofree char *escaped = g_regex_escape_string (name, -1), *pattern = g_strdup_printf ("(?<![\\w.\"])%s(?![\\w\"])", escaped);
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);

  return g_regex_replace_literal (regex, text, -1, 0, value, 0, NULL);
}

static void
put_in_all (GPtrArray  *lines,
            const char *name,
            const char *value)
{
  for (guint i = 0; i < lines->len; i++)
    {
      char *line = put_for (lines->pdata[i], name, value);

      g_free (lines->pdata[i]);
      lines->pdata[i] = line;
    }
}

/* "i, j" with 0, or with what stands at the same place of `values`. */
static void
put_names (GPtrArray  *lines,
           const char *names,
           const char *values)
{
  g_auto (GStrv) each = g_strsplit (names, ",", -1), given = g_strsplit (values != NULL ? values : "", ",", -1);

  for (guint i = 0; each[i] != NULL; i++)
    {
      const char *name = g_strstrip (each[i]);
      const char *value = values != NULL && i < g_strv_length (given) ? g_strstrip (given[i]) : "0";

      if (*name != '\0')
        put_in_all (lines, name, value);
    }
}

/* A line of a block that is none any more: what it says of variables goes into the others; TRUE: the line is not needed. */
static gboolean
take_axis (GPtrArray  *lines,
           const char *line)
{
  g_autoptr (GRegex) remap = g_regex_new ("^ *([\\w, ]+) = T\\.axis\\.remap\\(\"\\w+\", \\[(.*)\\]\\)$", 0, 0, NULL);
  g_autoptr (GRegex) axis = g_regex_new ("^ *(\\w+) = T\\.axis\\.\\w+\\(.*?, ([^,]*)\\)$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *names = NULL, *values = NULL;

  if (!g_regex_match (remap, line, 0, &match))
    {
      g_clear_pointer (&match, g_match_info_unref);
      if (!g_regex_match (axis, line, 0, &match))
        return starts (line, "T.reads(") || starts (line, "T.writes(") || starts (line, "T.where(") || starts (line, "T.block_attr(");
    }
  names = g_match_info_fetch (match, 1);
  values = g_match_info_fetch (match, 2);
  put_names (lines, names, values);
  return TRUE;
}

/* The body of the scope at line `at` in its place; NULL: it is none.  `branch` 1: that of its else. */
static char *
unwrapped (char **lines,
           guint  at,
           guint  branch)
{
  guint end = end_of (lines, at), from = at + 1, to = end;
  g_autoptr (GPtrArray) body = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GRegex) loop = g_regex_new ("^ *for ([\\w, ]+) in ", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  gboolean is_block = starts (lines[at], "with T.block("), is_if = starts (lines[at], "if ");
  GString *text;

  if (!(is_block || is_if || starts (lines[at], "for ") || starts (lines[at], "with ") || starts (lines[at], "while ")) || end <= at + 1)
    return NULL;
  for (guint i = at + 1; is_if && i < end; i++)
    if (starts (lines[i], "else:") && indent_of (lines[i]) == indent_of (lines[at]))
      {
        from = branch == 1 ? i + 1 : from;
        to = branch == 1 ? end : i;
      }
  if (branch == 1 && from == at + 1)
    return NULL;
  for (guint i = from; i < to; i++)
    g_ptr_array_add (body, g_strdup (indent_of (lines[i]) >= STEP ? lines[i] + STEP : lines[i]));
  if (g_regex_match (loop, lines[at], 0, &match))
    {
      g_autofree char *names = g_match_info_fetch (match, 1);

      put_names (body, names, NULL);
    }
  for (guint i = 0; is_block && i < body->len;)
    {
      g_autofree char *line = g_strdup (body->pdata[i]);

      if (indent_of (line) == indent_of (lines[at]) && take_axis (body, line))
        g_ptr_array_remove_index (body, i);
      else
        i++;
    }
  text = g_string_new (NULL);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (i == at)
        for (guint k = 0; k < body->len; k++)
          g_string_append_printf (text, "%s\n", (char *) body->pdata[k]);
      if (i < at || i >= end)
        g_string_append_printf (text, "%s\n", lines[i]);
    }
  return g_string_free (text, FALSE);
}

/* "x: T.int32 = VALUE" gives way to VALUE where x stands, a variable of Relax to one that its value mentions. */
static gboolean
try_definition (LsReducer *self,
                char     **lines,
                guint      at)
{
  g_autoptr (GRegex) regex = g_regex_new ("^ *(\\w+)(: [^=]+)? = (.+)$", 0, 0, NULL);
  g_autoptr (GRegex) word = g_regex_new ("(?<![\\w.\"])[A-Za-z_]\\w*(?![\\w\"(.])", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL, words = NULL;
  g_autofree char *name = NULL, *value = NULL, *bracketed = NULL;
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func (g_free);

  if (!g_regex_match (regex, lines[at], 0, &match))
    return FALSE;
  name = g_match_info_fetch (match, 1);
  value = g_match_info_fetch (match, 3);
  for (g_regex_match (word, value, 0, &words); g_match_info_matches (words); g_match_info_next (words, NULL))
    g_ptr_array_add (values, g_match_info_fetch (words, 0));
  g_ptr_array_add (values, g_strdup_printf ("(%s)", value));
  for (guint i = 0; i < values->len && !ls_reducer_failed (self); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint k = 0; lines[k] != NULL; k++)
        {
          g_autofree char *line = k > at ? put_for (lines[k], name, values->pdata[i]) : g_strdup (lines[k]);

          if (k != at)
            g_string_append_printf (text, "%s\n", line);
        }
      if (ls_reducer_try (self, text->str))
        return TRUE;
    }
  return FALSE;
}

/* "D[0, 0] = VALUE" gives way to VALUE where D[0, 0] is read below. */
static gboolean
try_store (LsReducer *self,
           char     **lines,
           guint      at)
{
  g_autoptr (GRegex) regex = g_regex_new ("^ *(\\w+\\[.*\\]) = (.+)$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *place = NULL, *value = NULL, *bracketed = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean used = FALSE;

  if (!g_regex_match (regex, lines[at], 0, &match))
    return FALSE;
  place = g_match_info_fetch (match, 1);
  value = g_match_info_fetch (match, 2);
  bracketed = g_strdup_printf ("(%s)", value);
  for (guint k = 0; lines[k] != NULL; k++)
    {
      g_autoptr (GString) line = g_string_new (lines[k]);

      if (k > at)
        used |= g_string_replace (line, place, bracketed, 0) > 0;
      if (k != at)
        g_string_append_printf (text, "%s\n", line->str);
    }
  return used && ls_reducer_try (self, text->str);
}

static gboolean
unwrap_line (LsReducer *self,
             guint      at)
{
  g_auto (GStrv) lines = g_strsplit (ls_reducer_text (self), "\n", -1);

  if (at >= g_strv_length (lines))
    return FALSE;
  for (guint branch = 0; branch < 2; branch++)
    {
      g_autofree char *candidate = unwrapped (lines, at, branch);

      if (candidate != NULL && ls_reducer_try (self, candidate))
        return TRUE;
    }
  return try_definition (self, lines, at) || try_store (self, lines, at);
}

static guint
n_lines (LsReducer *self)
{
  guint n = 1;

  for (const char *at = ls_reducer_text (self); (at = strchr (at, '\n')) != NULL; at++)
    n++;
  return n;
}

gboolean
ls_reduce_lines (LsReducer *self)
{
  gboolean any = FALSE;

  for (int header = -1; header < (int) n_lines (self) && !ls_reducer_failed (self); header++)
    any |= shorten_body (self, header);
  for (guint at = 0; at < n_lines (self) && !ls_reducer_failed (self);)
    if (unwrap_line (self, at))
      any = TRUE;
    else
      at++;
  return any;
}
