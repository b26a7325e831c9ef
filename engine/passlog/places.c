/* places: where in the source a line comes from, by what its dump says.
 *
 * LLVM: !dbg !12 with !12 = !DILocation(line: 4, column: 17, scope: !7), whose file is that of its scope; a dump of one function has no such
 * nodes, and its numbers mean nothing.  MLIR: loc("f.py":4:17) or loc(#loc3) with its alias.  GCC: [f.c:4:17] (-lineno), "f.c":4:17 (RTL).
 * XLA: metadata={... source_file="f.py" source_line=4}. */
#include "engine/passlog/follow.h"
#include "engine/passlog/private.h"

#include <string.h>

#define DEEPEST 8               /* aliases of aliases */
#define MOST_ALIASES 100        /* of MLIR for one place: fused locations have some */

struct _LsPassPlaces
{
  LsPassLogKind kind;
  GHashTable   *nodes;          /* "!12", "#loc3" to the place where its text begins in the log; (keys owned) */
};

/* The word at `at`, of at most `most` bytes: a sign with letters, digits, _ and . behind it. */
static gsize
word_length (const char *at,
             gsize       most)
{
  gsize n = MIN (most, 1);

  while (n < most && (g_ascii_isalnum (at[n]) || at[n] == '_' || at[n] == '.'))
    n++;
  return n;
}

/* A line "!12 = ..." or "#loc3 = loc(...)" of the dump. */
static void
add_node (LsPassPlaces *self,
          const char   *line,
          gsize         length)
{
  gsize n;
  char *name;

  if (length < 6 || (self->kind == LS_PASS_LOG_LLVM ? line[0] != '!' || !g_ascii_isdigit (line[1]) : strncmp (line, "#loc", 4) != 0))
    return;
  n = word_length (line, length);
  if (n + 3 >= length || strncmp (line + n, " = ", 3) != 0)
    return;
  name = g_strndup (line, n);
  g_hash_table_replace (self->nodes, name, g_strndup (line + n + 3, length - n - 3));
}

LsPassPlaces *
ls_pass_places_new (LsPassLog *log,
                    guint      dump)
{
  LsPassPlaces *self = g_new0 (LsPassPlaces, 1);
  LsPassDump *at = &g_array_index (log->dumps, LsPassDump, dump);
  const char *text = ls_pass_log_text (log, at->file, NULL);
  gsize from = at->start;

  self->kind = at->language;
  self->nodes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  while ((self->kind == LS_PASS_LOG_LLVM || self->kind == LS_PASS_LOG_MLIR) && from < at->end)
    {
      const char *stop = memchr (text + from, '\n', at->end - from);
      gsize end = stop != NULL ? (gsize) (stop - text) : at->end;

      if (text[from] == '!' || text[from] == '#')
        add_node (self, text + from, end - from);
      from = end + 1;
    }
  return self;
}

void
ls_pass_places_free (LsPassPlaces *self)
{
  g_hash_table_unref (self->nodes);
  g_free (self);
}

/* The number behind `word` in a text; FALSE: it is not there. */
static gboolean
number_after (const char *text,
              const char *word,
              guint64    *number)
{
  const char *at = strstr (text, word);

  if (at == NULL || !g_ascii_isdigit (at[strlen (word)]))
    return FALSE;
  *number = g_ascii_strtoull (at + strlen (word), NULL, 10);
  return TRUE;
}

/* The node that stands behind `word` in a text, or NULL. Borrowed. */
static const char *
node_after (LsPassPlaces *self,
            const char   *text,
            const char   *word)
{
  const char *at = text != NULL ? strstr (text, word) : NULL;
  g_autofree char *name = NULL;

  if (at == NULL)
    return NULL;
  at += strlen (word);
  name = g_strndup (at, word_length (at, strlen (at)));
  return g_hash_table_lookup (self->nodes, name);
}

/* What stands in quotes behind `word`. (transfer full), or NULL */
static char *
quoted_after (const char *text,
              const char *word)
{
  const char *at = text != NULL ? strstr (text, word) : NULL;
  const char *stop = at != NULL ? strchr (at + strlen (word), '"') : NULL;

  return stop != NULL ? g_strndup (at + strlen (word), (gsize) (stop - at) - strlen (word)) : NULL;
}

static char *
llvm_place (LsPassPlaces *self,
            const char   *line)
{
  const char *node = node_after (self, line, strstr (line, "!dbg ") != NULL ? "!dbg " : "debug-location ");
  guint64 number, column = 0;
  g_autofree char *file = NULL;

  if (node == NULL || strstr (node, "DILocation(") == NULL || !number_after (node, "line: ", &number) || number == 0)
    return NULL;
  number_after (node, "column: ", &column);
  file = quoted_after (node_after (self, node_after (self, node, "scope: "), "file: "), "filename: \"");
  return g_strdup_printf ("%s:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, file != NULL ? file : "", number, column);
}

/* The first "file":4:17 in a text, through aliases, of which no more than `left` are looked up: they may name one another in a circle. */
static char *
quoted_place (LsPassPlaces *self,
              const char   *text,
              guint         depth,
              guint        *left)
{
  const char *at = text;

  while (at != NULL && (at = strpbrk (at, "\"#")) != NULL)
    {
      if (*at == '#' && strncmp (at, "#loc", 4) == 0)
        {
          g_autofree char *name = g_strndup (at, word_length (at, strlen (at)));
          const char *node = depth < DEEPEST && *left > 0 ? g_hash_table_lookup (self->nodes, name) : NULL;
          char *place;

          *left -= *left > 0;
          place = node != NULL ? quoted_place (self, node, depth + 1, left) : NULL;

          if (place != NULL)
            return place;
        }
      else if (*at == '"')
        {
          const char *stop = strchr (at + 1, '"');

          if (stop == NULL)
            return NULL;
          if (stop[1] == ':' && g_ascii_isdigit (stop[2]))
            return g_strdup_printf ("%.*s:%.*s", (int) (stop - at - 1), at + 1, (int) strspn (stop + 2, "0123456789:"), stop + 2);
          at = stop;
        }
      at++;
    }
  return NULL;
}

/* The last loc(...) of the line is the operation's. */
static char *
mlir_place (LsPassPlaces *self,
            const char   *line)
{
  const char *at = NULL;
  guint left = MOST_ALIASES;

  for (const char *next = strstr (line, "loc("); next != NULL; next = strstr (next + 1, "loc("))
    if (next == line || !g_ascii_isalnum (next[-1]))
      at = next;
  return at != NULL ? quoted_place (self, at, 0, &left) : NULL;
}

/* "[f.c:4:17]" or "[f.c:4:17 discrim 1]". */
static char *
gimple_place (const char *line)
{
  for (const char *at = strchr (line, '['); at != NULL; at = strchr (at + 1, '['))
    {
      gsize n = strcspn (at + 1, " ]");
      const char *colon = memchr (at + 1, ':', n);

      if (colon != NULL && colon > at + 1 && g_ascii_isdigit (colon[1]) && strspn (colon + 1, "0123456789:") == n - (gsize) (colon - at))
        return g_strndup (at + 1, n);
    }
  return NULL;
}

char *
ls_pass_places_find (LsPassPlaces *self,
                     const char   *line)
{
  char *place;
  guint64 number;

  switch (self->kind)
    {
    case LS_PASS_LOG_LLVM:
      return g_hash_table_size (self->nodes) > 0 ? llvm_place (self, line) : NULL;
    case LS_PASS_LOG_MLIR:
      return mlir_place (self, line);
    case LS_PASS_LOG_GCC:
      place = gimple_place (line);
      return place != NULL ? place : quoted_place (self, line, 0, &(guint) { MOST_ALIASES });
    case LS_PASS_LOG_XLA:
      if (number_after (line, "source_line=", &number))
        {
          g_autofree char *file = quoted_after (line, "source_file=\"");

          return g_strdup_printf ("%s:%" G_GUINT64_FORMAT, file != NULL ? file : "", number);
        }
      return NULL;
    case LS_PASS_LOG_AUTO:
    case LS_PASS_LOG_TVM:
    case LS_PASS_LOG_PTX:
    case LS_PASS_LOG_TEXT:
      break;
    }
  return NULL;
}

char **
ls_pass_log_line_places (LsPassLog  *log,
                         guint       dump,
                         const char *text)
{
  g_autoptr (LsPassPlaces) places = ls_pass_places_new (log, dump);
  g_auto (GStrv) lines = NULL;
  gboolean any = FALSE;

  if (places->kind == LS_PASS_LOG_LLVM && g_hash_table_size (places->nodes) == 0)
    return NULL;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *place = ls_pass_places_find (places, lines[i]);

      any |= place != NULL;
      g_free (lines[i]);
      lines[i] = place != NULL ? g_utf8_make_valid (place, -1) : g_strdup ("");
      g_free (place);
    }
  return any ? g_steal_pointer (&lines) : NULL;
}

guint
ls_pass_place_line (const char *place)
{
  const char *last = strrchr (place, ':'), *before = last;

  if (last == NULL || !g_ascii_isdigit (last[1]))
    return 0;
  while (before > place && g_ascii_isdigit (before[-1]))
    before--;
  if (before < last && before > place && before[-1] == ':')     /* what stands last is the column */
    last = before - 1;
  return (guint) g_ascii_strtoull (last + 1, NULL, 10);
}

/* ---- a text ---- */

LsPassLines *
ls_pass_lines_new (LsPassLog *log,
                   guint      part)
{
  LsPassLines *self = g_new0 (LsPassLines, 1);
  guint dump = g_array_index (log->parts, LsPassPart, part).dump;
  g_autoptr (LsPassPlaces) places = ls_pass_places_new (log, dump);

  self->text = ls_pass_log_part_text (log, part);
  self->lines = g_strsplit (self->text, "\n", -1);
  self->n = g_strv_length (self->lines);
  self->aliases = ls_pass_log_part_aliases (log, part);
  self->ops = ls_pass_operations_read_aliased (self->text, places->kind, self->aliases);
  self->op = g_new (int, self->n + 1);
  self->place = g_new0 (char *, self->n + 1);
  for (guint i = 0; i < self->n; i++)
    {
      self->op[i] = -1;
      self->place[i] = ls_pass_places_find (places, self->lines[i]);
    }
  for (guint i = 0; i < self->ops->len; i++)
    self->op[((LsPassOperation *) self->ops->pdata[i])->line] = (int) i;
  return self;
}

void
ls_pass_lines_free (LsPassLines *self)
{
  for (guint i = 0; i < self->n; i++)
    g_free (self->place[i]);
  g_free (self->place);
  g_free (self->op);
  g_clear_pointer (&self->aliases, g_hash_table_unref);
  g_ptr_array_unref (self->ops);
  g_strfreev (self->lines);
  g_free (self->text);
  g_free (self);
}
