/* pins: which lines of a function a value, block, source line or text stands for. */
#include "engine/passlog/follow.h"
#include "engine/passlog/private.h"

#include <string.h>

typedef enum {
  PIN_VALUE,
  PIN_BLOCK,
  PIN_SOURCE,
  PIN_TEXT
} Pin;

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || strchr ("_.$-%", c) != NULL;
}

/* Is `word` there with no more letters of a name at its sides? */
static gboolean
has_word (const char *text,
          gsize       size,
          const char *word)
{
  gsize n = strlen (word);

  for (const char *at = text; (at = g_strstr_len (at, (gssize) (size - (gsize) (at - text)), word)) != NULL; at++)
    if ((at == text || !is_word (at[-1])) && ((gsize) (at - text) + n == size || !is_word (at[n])))
      return TRUE;
  return FALSE;
}

/* A line defines the value when it stands in front of " = " or of a label's colon, or among the parameters of a head. */
static gboolean
defines (const char *line,
         const char *value)
{
  const char *is = strstr (line, " = "), *colon;
  gsize indent = strspn (line, " \t"), slot = strspn (line, "0123456789");

  if (line[slot] == 'B' && line[slot + 1] == '\t')
    indent = slot + 2 + strspn (line + slot + 2, " ");
  if (g_str_has_prefix (line, "define ") || g_str_has_suffix (line, "{") || line[indent] == '^')
    return has_word (line, strlen (line), value);
  colon = strchr (line + indent, ':');
  if (is != NULL)
    return has_word (line + indent, (gsize) (is - line) - indent, value)
           || (colon != NULL && colon < is && has_word (line + indent, (gsize) (colon - line) - indent, value));
  return FALSE;
}

static gboolean
opens_block (const char *line,
             const char *name)
{
  gsize indent = strspn (line, " \t"), n = strlen (name);

  return strncmp (line + indent, name, n) == 0 && strchr (":( ,>.{", line[indent + n]) != NULL && (line[indent + n] != '\0' || *name == '^');
}

/* "scale.c:4:17" of source line "c:4"? */
static gboolean
comes_from (const char *place,
            const char *what)
{
  const char *colon = strrchr (what, ':');
  gsize n = (gsize) (colon - what), at;
  const char *line;

  if (place == NULL)
    return FALSE;
  line = strchr (place, ':');
  while (line != NULL && !g_ascii_isdigit (line[1]))
    line = strchr (line + 1, ':');
  if (line == NULL || g_ascii_strtoull (line + 1, NULL, 10) != g_ascii_strtoull (colon + 1, NULL, 10))
    return FALSE;
  at = (gsize) (line - place);
  return n == 0 || (at >= n && strncmp (place + at - n, what, n) == 0 && (at == n || place[at - n - 1] == '/'));
}

/* "file.c:12", ":12" */
static gboolean
is_source (const char *what)
{
  const char *colon = strrchr (what, ':');

  return colon != NULL && g_ascii_isdigit (colon[1]) && strspn (colon + 1, "0123456789") == strlen (colon + 1) && strpbrk (what, " %^") == NULL;
}

static Pin
pin_of (const char *what)
{
  gsize n = strlen (what);

  if (is_source (what))
    return PIN_SOURCE;
  if (*what == '%' && strpbrk (what, " \t=(") == NULL && what[n - 1] != ':')
    return PIN_VALUE;
  if ((*what == '^' || g_str_has_prefix (what, "<bb ") || (n > 1 && what[n - 1] == ':')) && (strchr (what, ' ') == NULL || *what == '<'))
    return PIN_BLOCK;
  return PIN_TEXT;
}

static gboolean
is_meant (Pin         pin,
          const char *line,
          const char *what)
{
  g_autofree char *block = NULL;

  switch (pin)
    {
    case PIN_VALUE:
      return defines (line, what);
    case PIN_BLOCK:
      block = g_strdup (what);
      if (block[strlen (block) - 1] == ':')
        block[strlen (block) - 1] = '\0';
      return opens_block (line, block);
    case PIN_TEXT:
      return strstr (line, what) != NULL;
    case PIN_SOURCE:
      break;
    }
  return FALSE;
}

/* (transfer full); NULL: there is none. */
static GArray *
lines_of (LsPassLog  *log,
          guint       number,
          Pin         pin,
          const char *what)
{
  g_autofree char *text = pin != PIN_SOURCE ? ls_pass_log_part_text (log, number) : NULL;
  g_auto (GStrv) lines = text != NULL ? g_strsplit (text, "\n", -1) : NULL;
  g_autoptr (LsPassLines) places = pin == PIN_SOURCE ? ls_pass_lines_new (log, number) : NULL;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    if (is_meant (pin, lines[i], what))
      g_array_append_val (found, i);
  for (guint i = 0; places != NULL && i < places->n; i++)
    if (comes_from (places->place[i], what))
      g_array_append_val (found, i);
  return found->len > 0 ? g_steal_pointer (&found) : NULL;
}

int
ls_pass_log_find_lines (LsPassLog   *log,
                        const char  *what,
                        const char  *function,
                        guint        dump,
                        GArray     **lines)
{
  Pin pin;

  *lines = NULL;
  if (*what == '\0')
    return -1;
  pin = pin_of (what);
  for (guint i = 0; i < log->parts->len && *lines == NULL; i++)
    {
      LsPassPart *part = &g_array_index (log->parts, LsPassPart, i);
      LsPassPart *old = part->before > 0 ? &g_array_index (log->parts, LsPassPart, part->before - 1) : NULL;

      if (part->dump < dump || part->end <= part->start || (function != NULL && strcmp (part->name, function) != 0))
        continue;
      if (old != NULL && old->dump >= dump && old->hash == part->hash && !part->patch)
        continue;       /* looked at already */
      *lines = lines_of (log, i, pin, what);
      if (*lines != NULL)
        return (int) i;
    }
  return -1;
}
