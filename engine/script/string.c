/* string: what a string literal says, by Python's escapes. */
#include "engine/script/script-private.h"

static gunichar
hex_value (const char *text,
           gsize       n,
           gboolean   *ok)
{
  gunichar value = 0;

  for (gsize i = 0; i < n; i++)
    {
      if (!g_ascii_isxdigit (text[i]))
        {
          *ok = FALSE;
          return 0;
        }
      value = value * 16 + (gunichar) g_ascii_xdigit_value (text[i]);
    }
  return value;
}

static void
bad_escape (LsDiagnostics *diagnostics,
            LsSpan         span,
            const char    *what)
{
  ls_diagnostics_add (diagnostics, LS_SEVERITY_ERROR, "script/string", span, "%s", ls_translate (what));
}

/* Reads the escape behind a backslash at text[0..left); gives its length. */
static gsize
unescape (const char    *text,
          gsize          left,
          GString       *out,
          LsSpan         span,
          LsDiagnostics *diagnostics)
{
  static const char FROM[] = "\\'\"abfnrtv";
  static const char TO[] = "\\'\"\a\b\f\n\r\t\v";
  const char *simple = strchr (FROM, text[0]);
  gsize digits = text[0] == 'x' ? 2 : text[0] == 'u' ? 4 : text[0] == 'U' ? 8 : 0;
  gboolean ok = TRUE;

  if (text[0] == '\n')
    return 1;
  if (text[0] == '\r')
    return left > 1 && text[1] == '\n' ? 2 : 1;
  if (text[0] != '\0' && simple != NULL)
    {
      g_string_append_c (out, TO[simple - FROM]);
      return 1;
    }
  if (digits > 0)
    {
      gunichar c = left > digits ? hex_value (text + 1, digits, &ok) : (ok = FALSE, 0);

      if (!ok || c == 0 || !g_unichar_validate (c))
        {
          bad_escape (diagnostics, span, ok ? LS_TEXT ("An escape in this text names no character.") : LS_TEXT ("An escape in this text lacks hexadecimal digits."));
          return 1;
        }
      g_string_append_unichar (out, c);
      return 1 + digits;
    }
  if (text[0] >= '0' && text[0] <= '7')
    {
      guint c = 0;
      gsize n = 0;

      for (; n < 3 && n < left && text[n] >= '0' && text[n] <= '7'; n++)
        c = c * 8 + (guint) (text[n] - '0');
      if (c == 0)
        bad_escape (diagnostics, span, LS_TEXT ("A text cannot hold the character NUL."));
      else
        g_string_append_unichar (out, c);
      return n;
    }
  g_string_append_c (out, '\\');
  return 0;
}

gboolean
ls_script_unquote (LsArena       *arena,
                   const char    *text,
                   gsize          length,
                   LsSpan         span,
                   LsDiagnostics *diagnostics,
                   char         **value,
                   gboolean      *opaque)
{
  g_autoptr (GString) out = g_string_new (NULL);
  gboolean raw = FALSE;
  gsize quotes;

  *opaque = FALSE;
  for (; length > 0 && *text != '"' && *text != '\''; text++, length--)
    {
      raw = raw || *text == 'r' || *text == 'R';
      *opaque = *opaque || strchr ("bBfF", *text) != NULL;
    }
  quotes = length >= 6 && text[1] == text[0] && text[2] == text[0] ? 3 : 1;
  if (length < 2 * quotes)
    return FALSE;
  text += quotes;
  length -= 2 * quotes;
  for (gsize i = 0; i < length; i++)
    {
      if (text[i] == '\\' && !raw && i + 1 < length)
        i += unescape (text + i + 1, length - i - 1, out, span, diagnostics);
      else if (text[i] == '\r')
        {
          g_string_append_c (out, '\n');
          if (i + 1 < length && text[i + 1] == '\n')
            i++;
        }
      else if (text[i] != '\0')
        g_string_append_c (out, text[i]);
    }
  if (!g_utf8_validate (out->str, out->len, NULL))
    {
      g_autofree char *valid = g_utf8_make_valid (out->str, out->len);

      *value = ls_arena_strndup (arena, valid, strlen (valid));
    }
  else
    *value = ls_arena_strndup (arena, out->str, out->len);
  return TRUE;
}
