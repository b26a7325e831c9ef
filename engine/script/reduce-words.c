/* reduce-words: parameters that go, and numbers that become smaller, everywhere at once and one by one. */
#include "engine/script/reduce-private.h"

#include <string.h>

/* The text with [from, to) replaced. (transfer full) */
static char *
replaced (const char *text,
          gsize       from,
          gsize       to,
          const char *with)
{
  return g_strdup_printf ("%.*s%s%s", (int) from, text, with, text + to);
}

/* The end of what begins at `at`: the next comma or closing bracket that is not inside brackets or quotes. */
static gsize
end_of_item (const char *text,
             gsize       at)
{
  guint depth = 0;
  gboolean quoted = FALSE;

  for (; text[at] != '\0'; at++)
    {
      char c = text[at];

      quoted ^= c == '"';
      if (quoted)
        continue;
      if (depth == 0 && (c == ',' || c == ')' || c == ']' || c == '}'))
        break;
      depth += c == '(' || c == '[' || c == '{';
      depth -= c == ')' || c == ']' || c == '}';
    }
  return at;
}

/* Items of every list in brackets: parameters, attributes, buffers of T.reads, arguments of calls of variable number. */
static gboolean
drop_items (LsReducer *self)
{
  gboolean any = FALSE;

  for (gsize at = 0; at < strlen (ls_reducer_text (self)) && !ls_reducer_failed (self);)
    {
      const char *text = ls_reducer_text (self);
      gsize end;
      g_autofree char *candidate = NULL;

      if (at == 0 || !(text[at - 1] == '(' || text[at - 1] == '{' || (text[at - 1] == ' ' && at > 1 && text[at - 2] == ',')))
        {
          at++;
          continue;
        }
      end = end_of_item (text, at);
      if (text[end] == ',')
        candidate = replaced (text, at, end + 1 + (text[end + 1] == ' '), "");
      else
        candidate = replaced (text, text[at - 1] == ' ' ? at - 2 : at, end, "");
      if (ls_reducer_try (self, candidate))
        any = TRUE;
      else
        at++;
    }
  return any;
}

/* "-> R.Tensor((4, 4), dtype="float32")": what a function gives is found anew. */
static gboolean
drop_results (LsReducer *self)
{
  g_autoptr (GRegex) regex = g_regex_new (" -> [^\\n]*:\\n", 0, 0, NULL);
  g_autofree char *candidate = g_regex_replace_literal (regex, ls_reducer_text (self), -1, 0, ":\n", 0, NULL);

  return ls_reducer_try (self, candidate);
}

/* ---- numbers -------------------------------------------------------------------------- */

static gboolean
is_number_at (const char *text,
              gsize       at)
{
  return g_ascii_isdigit (text[at]) && (at == 0 || !(g_ascii_isalnum (text[at - 1]) || text[at - 1] == '_' || text[at - 1] == '.'));
}

static gsize
number_end (const char *text,
            gsize       at)
{
  return at + strspn (text + at, "0123456789");
}

/* Does the number stand where an extent does?  Nothing of extent 0 can be reached, so these stay above it. */
static gboolean
is_extent (const char *text,
           gsize       at)
{
  static const char *const words[] = { "Buffer", "buffer", "Tensor", "range", "grid", "serial", "parallel", "vectorized", "unroll", "spatial", "reduce", NULL };
  int depth = 0;

  while (at > 0 && text[at - 1] != '\n')
    {
      at--;
      depth += (text[at] == ')' || text[at] == ']') - (text[at] == '(' || text[at] == '[');
      if (text[at] != '(' || depth >= 0)
        continue;
      for (guint i = 0; words[i] != NULL; i++)
        if (at >= strlen (words[i]) && strncmp (text + at - strlen (words[i]), words[i], strlen (words[i])) == 0)
          return TRUE;
    }
  return FALSE;
}

/* Every number `from` becomes `to`. (transfer full) */
static char *
with_numbers (const char *text,
              guint64     from,
              guint64     to)
{
  GString *result = g_string_new (NULL);

  for (gsize at = 0; text[at] != '\0';)
    if (is_number_at (text, at))
      {
        gsize end = number_end (text, at);

        if (g_ascii_strtoull (text + at, NULL, 10) == from && text[end] != '.')
          g_string_append_printf (result, "%" G_GUINT64_FORMAT, to);
        else
          g_string_append_len (result, text + at, (gssize) (end - at));
        at = end;
      }
    else
      {
        g_string_append_c (result, text[at++]);
      }
  return g_string_free (result, FALSE);
}

static gboolean
try_numbers (LsReducer *self,
             guint64    number)
{
  const guint64 smaller[] = { 1, 2, 4, number / 2, number - 1 };

  for (guint i = 0; i < G_N_ELEMENTS (smaller); i++)
    if (smaller[i] < number)
      {
        g_autofree char *candidate = with_numbers (ls_reducer_text (self), number, smaller[i]);

        if (ls_reducer_try (self, candidate))
          return TRUE;
      }
  return FALSE;
}

static gboolean
shrink_all (LsReducer *self)
{
  g_autoptr (GHashTable) done = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  gboolean any = FALSE;

  for (gsize at = 0; at < strlen (ls_reducer_text (self)) && !ls_reducer_failed (self); at++)
    {
      const char *text = ls_reducer_text (self);
      guint64 number;

      if (!is_number_at (text, at))
        continue;
      number = g_ascii_strtoull (text + at, NULL, 10);
      if (number < 2 || !g_hash_table_add (done, g_memdup2 (&number, sizeof number)))
        continue;
      any |= try_numbers (self, number);
    }
  return any;
}

static gboolean
shrink_each (LsReducer *self)
{
  gboolean any = FALSE;

  for (gsize at = 0; at < strlen (ls_reducer_text (self)) && !ls_reducer_failed (self); at++)
    {
      guint64 number;
      guint i;

      if (!is_number_at (ls_reducer_text (self), at))
        continue;
      number = g_ascii_strtoull (ls_reducer_text (self) + at, NULL, 10);
      for (i = 0; i < 4; i++)
        {
          const guint64 smaller[] = { 0, 1, 2, number / 2 };
          g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, smaller[i]);
          gboolean fits = smaller[i] < number && (smaller[i] > 0 || !is_extent (ls_reducer_text (self), at));
          g_autofree char *candidate = fits ? replaced (ls_reducer_text (self), at, number_end (ls_reducer_text (self), at), digits) : NULL;

          if (candidate != NULL && ls_reducer_try (self, candidate))
            {
              any = TRUE;
              break;
            }
        }
    }
  return any;
}

gboolean
ls_reduce_words (LsReducer *self)
{
  gboolean any = drop_results (self);

  any |= drop_items (self);
  any |= shrink_all (self);
  any |= shrink_each (self);
  return any;
}
