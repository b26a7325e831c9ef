/* aliases: what #blocked, #map1 and !type of MLIR stand for in a dump.
 *
 * MLIR numbers aliases anew each time it prints: #blocked1 may be what #blocked was, and #blocked another thing than before.  An operation is
 * therefore read with what its aliases stand for.  #loc is none of these: where something comes from is no part of it. */
#include "engine/passlog/private.h"

#include <string.h>

#define DEEPEST 8               /* aliases of aliases */
#define LONGEST 4096            /* what stands for an alias is cut behind these bytes; of what is cut a number tells whether it is the same */

/* Length of the alias at `at`, which begins with # or !; 0: none does. */
static gsize
alias_length (const char *at,
              gsize       size)
{
  gsize n = 1;

  if (size < 2 || !(g_ascii_isalpha (at[1]) || at[1] == '_'))
    return 0;
  while (n < size && (g_ascii_isalnum (at[n]) || at[n] == '_' || at[n] == '$'))
    n++;
  return n < size && at[n] == '.' ? 0 : n;      /* a type or attribute of a dialect */
}

static const char *
find_sign (const char *at,
           const char *end)
{
  while (at < end && *at != '#' && *at != '!')
    at++;
  return at;
}

GHashTable *
ls_pass_aliases_read (const char *text,
                      gsize       start,
                      gsize       end)
{
  GHashTable *self = NULL;

  while (start < end)
    {
      const char *line = text + start, *stop = memchr (line, '\n', end - start);
      gsize n = stop != NULL ? (gsize) (stop - line) : end - start;
      gsize name = n > 0 && (line[0] == '#' || line[0] == '!') ? alias_length (line, n) : 0;

      if (name > 0 && n > name + 3 && memcmp (line + name, " = ", 3) == 0 && strncmp (line, "#loc", 4) != 0)
        {
          if (self == NULL)
            self = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
          g_hash_table_replace (self, g_strndup (line, name), g_strndup (line + name + 3, n - name - 3));
        }
      start += n + 1;
    }
  return self;
}

static void
expand (GHashTable *self,
        const char *text,
        guint       depth,
        GString    *to)
{
  const char *end = text + strlen (text);

  if (end - text > LONGEST)
    {
      g_string_append_printf (to, "%08x", g_str_hash (text));
      return;
    }
  while (text < end && to->len < LONGEST)
    {
      const char *sign = find_sign (text, end);
      gsize n = sign < end ? alias_length (sign, (gsize) (end - sign)) : 0;
      g_autofree char *name = g_strndup (sign, n);
      const char *value = n > 0 && depth < DEEPEST ? g_hash_table_lookup (self, name) : NULL;

      g_string_append_len (to, text, (gssize) (sign - text));
      if (value != NULL)
        expand (self, value, depth + 1, to);
      else
        g_string_append_len (to, sign, (gssize) MAX (n, sign < end));
      text = sign + MAX (n, sign < end);
    }
}

gsize
ls_pass_aliases_take (GHashTable *self,
                      const char *at,
                      GString    *to)
{
  gsize n = self != NULL ? alias_length (at, strlen (at)) : 0;
  g_autofree char *name = g_strndup (at, n);
  const char *value = n > 0 ? g_hash_table_lookup (self, name) : NULL;
  g_autoptr (GString) whole = NULL;

  if (value == NULL)
    return 0;
  whole = g_string_new (NULL);
  expand (self, value, 1, whole);
  g_string_append_len (to, whole->str, (gssize) whole->len);
  return n;
}

guint64
ls_pass_aliases_hash (GHashTable *self,
                      const char *text,
                      gsize       start,
                      gsize       end)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint64 hash = 0;

  for (const char *at = find_sign (text + start, text + end); at < text + end; at = find_sign (at + 1, text + end))
    {
      gsize n = alias_length (at, (gsize) (text + end - at));
      g_autofree char *name = g_strndup (at, n);
      const char *value = n > 0 ? g_hash_table_lookup (self, name) : NULL;
      g_autoptr (GString) whole = NULL;

      if (value == NULL || g_hash_table_contains (seen, name))
        continue;
      whole = g_string_new (name);
      g_string_append_c (whole, '=');
      expand (self, value, 1, whole);
      hash += (guint64) g_str_hash (whole->str) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
      g_hash_table_add (seen, g_steal_pointer (&name));
    }
  return hash;
}

GHashTable *
ls_pass_log_part_aliases (LsPassLog *log,
                          guint      part)
{
  LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, g_array_index (log->parts, LsPassPart, part).dump);

  if (dump->language != LS_PASS_LOG_MLIR)
    return NULL;
  return ls_pass_aliases_read (ls_pass_log_text (log, dump->file, NULL), dump->start, dump->end);
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char **
ls_pass_aliases_changed (GHashTable *before,
                         GHashTable *after)
{
  GPtrArray *changed = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name, value;

  if (after != NULL)
    g_hash_table_iter_init (&iter, after);
  while (before != NULL && after != NULL && g_hash_table_iter_next (&iter, &name, &value))
    {
      const char *old = g_hash_table_lookup (before, name);

      if (old != NULL && strcmp (old, value) != 0)
        g_ptr_array_add (changed, g_strdup (name));
    }
  g_ptr_array_sort (changed, by_name);
  g_ptr_array_add (changed, NULL);
  return (char **) g_ptr_array_free (changed, FALSE);
}
