/* Lines to stretches: prose, and fences with what stands behind them.
 *
 * Fences follow CommonMark, with any indentation (cells inside of lists).  Two repairs for files that were not closed properly: a
 * fence that meets a line which can only open one (``` with a word) ends before it, and a fence that meets the
 * end of the file ends at the last line before a heading or blank run where prose seems to go on, else there.  Both are said.
 */
#include "app/lesson/lesson-private.h"

#include <string.h>

G_DEFINE_QUARK (ls-lesson-error-quark, ls_lesson_error)

void
ls_lesson_warn (LsDiagnostics *findings,
                LsSource      *source,
                guint          line,
                LsSeverity     severity,
                const char    *code,
                const char    *format,
                ...)
{
  gsize length;
  const char *text = ls_source_get_text (source, &length);
  const char *at = text, *end;
  g_autofree char *message = NULL;
  va_list args;

  for (guint i = 1; i < line && at != NULL; i++)
    {
      at = memchr (at, '\n', length - (gsize) (at - text));
      at = at != NULL ? at + 1 : NULL;
    }
  at = at != NULL ? at : text + length;
  end = memchr (at, '\n', length - (gsize) (at - text));
  end = end != NULL ? end : text + length;
  va_start (args, format);
  message = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  ls_diagnostics_add (findings, severity, code,
                      (LsSpan) { ls_source_get_id (source), (guint32) (at - text), (guint32) (end - text) }, "%s", message);
}

/* ---- what stands behind a fence ---- */

void
ls_fence_info_free (LsFenceInfo *info)
{
  if (info == NULL)
    return;
  g_free (info->name);
  g_hash_table_unref (info->options);
  g_free (info);
}

const char *
ls_fence_option (LsFenceInfo *info,
                 const char  *key)
{
  return g_hash_table_lookup (info->options, key);
}

/* One word or KEY=VALUE or KEY="VALUE" at *at; FALSE at the end. */
static gboolean
next_option (const char **at,
             char       **key,
             char       **value)
{
  const char *start;

  while (**at == ' ' || **at == '\t' || **at == ',' || **at == '{' || **at == '}')
    (*at)++;
  if (**at == 0)
    return FALSE;
  start = *at;
  *at += strcspn (*at, " \t,={}");
  *key = g_strndup (start, (gsize) (*at - start));
  *value = NULL;
  if (**at != '=')
    {
      if (*at == start)
        (*at)++;
      *value = g_strdup ("");
      return TRUE;
    }
  (*at)++;
  if (**at == '"' || **at == '\'')
    {
      char quote = *(*at)++;

      start = *at;
      while (**at != 0 && **at != quote)
        (*at)++;
      *value = g_strndup (start, (gsize) (*at - start));
      if (**at == quote)
        (*at)++;
      return TRUE;
    }
  start = *at;
  *at += strcspn (*at, " \t,}");
  *value = g_strndup (start, (gsize) (*at - start));
  return TRUE;
}

static LsFenceInfo *
read_info (const char *text)
{
  LsFenceInfo *info = g_new0 (LsFenceInfo, 1);
  const char *at = text;
  char *key, *value;

  info->options = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (*text != '{')
    {
      gsize n = strcspn (text, " \t{");

      info->name = g_ascii_strdown (text, (gssize) n);
      at += n;
    }
  while (next_option (&at, &key, &value))
    {
      if (*key == '.' && info->name == NULL)
        info->name = g_ascii_strdown (key + 1, -1);
      if (strcmp (key, ".input") == 0)
        info->course = TRUE;
      g_hash_table_replace (info->options, key, value);
    }
  if (info->name == NULL)
    info->name = g_strdup ("");
  if (strcmp (info->name, "py") == 0 || strcmp (info->name, "python3") == 0 || strcmp (info->name, "ipython") == 0)
    {
      g_free (info->name);
      info->name = g_strdup ("python");
    }
  return info;
}

/* ---- fences ---- */

typedef struct {
  char  sign;
  gsize indent, length;
  char *info;
} Fence;

/* Is the line a row of three or more ` or ~, with something behind it perhaps? */
static gboolean
read_fence (const char *line,
            Fence      *fence)
{
  const char *at = line + strspn (line, " \t");

  fence->indent = (gsize) (at - line);
  fence->sign = *at;
  if (*at != '`' && *at != '~')
    return FALSE;
  fence->length = strspn (at, (char[]) { *at, 0 });
  at += fence->length + strspn (at + fence->length, " \t");
  if (fence->length < 3 || (fence->sign == '`' && strchr (at, '`') != NULL))
    return FALSE;
  fence->info = g_strstrip (g_strdup (at));
  return TRUE;
}

static void
append_without_indent (GString    *out,
                       const char *line,
                       gsize       indent)
{
  gsize n = MIN (strspn (line, " \t"), indent);

  g_string_append_printf (out, "%s\n", line + n);
}

typedef struct {
  LsSource      *source;
  LsDiagnostics *findings;
  char         **lines;
  guint          at, n;
  GPtrArray     *stretches;
  GString       *prose;
  guint          prose_line;
} Reader;

static void
add_stretch (Reader      *reader,
             LsFenceInfo *info,
             const char  *text,
             guint        open,
             guint        line,
             guint        end)
{
  LsStretch *stretch = g_new0 (LsStretch, 1);

  stretch->info = info;
  stretch->text = g_strdup (text);
  stretch->open = open;
  stretch->line = line;
  stretch->end = end;
  g_ptr_array_add (reader->stretches, stretch);
}

static void
flush_prose (Reader *reader)
{
  if (reader->prose->len > 0)
    add_stretch (reader, NULL, reader->prose->str, reader->prose_line, reader->prose_line, reader->at);
  g_string_truncate (reader->prose, 0);
}

/* A word that begins a fence of a lesson; a line with another one may well be text of a program. */
static gboolean
opens_surely (const char *info)
{
  static const char *const words[] = { "python", "{.python", "output", "predict", "exercise", "primitive", "notes" };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (info, words[i]))
      return TRUE;
  return FALSE;
}

static gboolean
looks_like_heading (const char *line)
{
  return g_str_has_prefix (line, "## ") || g_str_has_prefix (line, "### ");
}

/* The line before which an unclosed fence ends: where a heading follows an empty line, else the end. */
static guint
guess_end (Reader *reader,
           guint   from)
{
  for (guint i = from + 1; i < reader->n; i++)
    if (looks_like_heading (reader->lines[i]) && reader->lines[i - 1][strspn (reader->lines[i - 1], " \t\r")] == 0)
      return i;
  return reader->n;
}

static guint
find_close (Reader      *reader,
            const Fence *open,
            gboolean    *closed)
{
  *closed = TRUE;
  for (guint i = reader->at + 1; i < reader->n; i++)
    {
      g_autofree char *info = NULL;
      Fence fence = { 0 };

      if (!read_fence (reader->lines[i], &fence))
        continue;
      info = fence.info;
      if (fence.sign != open->sign || fence.length < open->length)
        continue;
      if (*info == 0)
        return i;
      if (fence.length == open->length && opens_surely (info))
        {
          ls_lesson_warn (reader->findings, reader->source, i + 1, LS_SEVERITY_ERROR, "lesson/fence-in-fence",
                          "A fence opens here inside the one of line %u, which was never closed; it is taken to end before this line.", reader->at + 1);
          *closed = FALSE;
          return i;
        }
    }
  *closed = FALSE;
  ls_lesson_warn (reader->findings, reader->source, reader->at + 1, LS_SEVERITY_ERROR, "lesson/fence-open",
                  "The fence that opens here is never closed.");
  return guess_end (reader, reader->at);
}

static void
read_block (Reader      *reader,
            const Fence *open)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean closed;
  guint end = find_close (reader, open, &closed);

  flush_prose (reader);
  for (guint i = reader->at + 1; i < end; i++)
    append_without_indent (text, reader->lines[i], open->indent);
  add_stretch (reader, read_info (open->info), text->str, reader->at + 1, reader->at + 2, closed ? end + 1 : end);
  reader->at = closed ? end + 1 : end;
}

static void
stretch_free (gpointer data)
{
  LsStretch *stretch = data;

  ls_fence_info_free (stretch->info);
  g_free (stretch->text);
  g_free (stretch);
}

/* A listing of a text without fences, as if it had some. */
static void
read_listing (Reader    *reader,
              LsListing *listing)
{
  flush_prose (reader);
  if (listing->lost)
    ls_lesson_warn (reader->findings, reader->source, listing->first + 1, LS_SEVERITY_WARNING, "lesson/indent-lost",
                    "The indentation of lines %u to %u was lost when they were copied; the listing can be read, not run.", listing->first + 1, listing->end);
  add_stretch (reader, read_info (listing->lost ? "text" : ""), listing->text, reader->at + 1, listing->first + 1, listing->end);
  reader->at = listing->end;
}

static gboolean
has_fences (char  **lines,
            guint   first)
{
  for (guint i = first; lines[i] != NULL; i++)
    {
      Fence fence = { 0 };

      if (read_fence (lines[i], &fence))
        {
          g_free (fence.info);
          return TRUE;
        }
    }
  return FALSE;
}

GPtrArray *
ls_stretches_read (LsSource      *source,
                   char         **lines,
                   guint          first,
                   LsDiagnostics *findings)
{
  g_autoptr (GString) prose = g_string_new (NULL);
  Reader reader = { source, findings, lines, first, g_strv_length (lines), g_ptr_array_new_with_free_func (stretch_free), prose, 0 };
  gboolean plain = !has_fences (lines, first);

  while (reader.at < reader.n)
    {
      Fence fence = { 0 };
      LsListing listing;

      if (plain && ls_listing_read (lines, reader.at, reader.n, &listing))
        {
          read_listing (&reader, &listing);
          g_free (listing.text);
          continue;
        }
      if (read_fence (lines[reader.at], &fence))
        {
          read_block (&reader, &fence);
          g_free (fence.info);
          continue;
        }
      if (prose->len == 0)
        reader.prose_line = reader.at + 1;
      g_string_append_printf (prose, "%s\n", lines[reader.at]);
      reader.at++;
    }
  flush_prose (&reader);
  return reader.stretches;
}
