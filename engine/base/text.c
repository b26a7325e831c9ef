/* text: a growing string that knows at which line and column its end stands.
 *
 * The printers write through it and note for each token where it went; that is the source map.
 * Lines end at LF only: what is built here is ours.
 */
#include "engine/base/base.h"

#include <string.h>

void
ls_text_init (LsText *self)
{
  g_return_if_fail (self != NULL);

  self->string = g_string_new (NULL);
  self->line = 1;
  self->column = 0;
}

void
ls_text_clear (LsText *self)
{
  g_return_if_fail (self != NULL);

  if (self->string != NULL)
    g_string_free (self->string, TRUE);
  self->string = NULL;
  self->line = 1;
  self->column = 0;
}

/* Moves the place of the end over what was appended from byte `from` on. */
static void
advance (LsText *self,
         gsize   from)
{
  const char *at = self->string->str + from;
  const char *end = self->string->str + self->string->len;
  const char *newline;

  while ((newline = memchr (at, '\n', (gsize) (end - at))) != NULL)
    {
      self->line++;
      self->column = 0;
      at = newline + 1;
    }
  self->column += (guint) (end - at);
}

void
ls_text_append (LsText     *self,
                const char *string)
{
  gsize from;

  g_return_if_fail (self != NULL && self->string != NULL);
  g_return_if_fail (string != NULL);

  from = self->string->len;
  g_string_append (self->string, string);
  advance (self, from);
}

void
ls_text_printf (LsText     *self,
                const char *format,
                ...)
{
  va_list args;
  gsize from;

  g_return_if_fail (self != NULL && self->string != NULL);

  from = self->string->len;
  va_start (args, format);
  g_string_append_vprintf (self->string, format, args);
  va_end (args);
  advance (self, from);
}

char *
ls_text_steal (LsText *self)
{
  char *string;

  g_return_val_if_fail (self != NULL && self->string != NULL, NULL);

  string = g_string_free (self->string, FALSE);
  self->string = NULL;
  ls_text_clear (self);
  return string;
}

#define MAX_JSON_NESTING 200

gboolean
ls_json_is_flat (const char *text)
{
  gboolean quoted = FALSE;
  guint depth = 0;

  for (const char *c = text; *c != '\0'; c++)
    if (quoted && *c == '\\' && c[1] != '\0')
      c++;
    else if (*c == '"')
      quoted = !quoted;
    else if (quoted)
      continue;
    else if ((*c == '[' || *c == '{') && ++depth > MAX_JSON_NESTING)
      return FALSE;
    else if ((*c == ']' || *c == '}') && depth > 0)
      depth--;
    else if (strchr ("[]{}:,+-. \t\r\n", *c) == NULL && !g_ascii_isalnum (*c))
      return FALSE;
  return TRUE;
}
