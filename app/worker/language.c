/* worker/language: the catalogue that came with a call, and the engine's way to ask it. */
#include "app/worker/language.h"

#include "app/rpc/rpc.h"
#include "engine/base/base.h"
#include "engine/base/plural.h"

#include <inttypes.h>
#include <string.h>

#define MAGIC 0x950412deu

static GHashTable *sentences;   /* English -> translated; owned */
static gboolean has_one_form;   /* the language does not tell one thing from many */

static const char *
translate (const char *text)
{
  const char *other = g_hash_table_lookup (sentences, text);

  return other != NULL ? other : text;
}

/* A catalogue keeps a sentence that counts under its form for one, and behind that the forms in a row. Of each the first is
 * read, which is the only one of Chinese and Korean; a language with more gets its own sentence for one and English else. */
static const char *
plural (const char *one,
        const char *many,
        gulong      n)
{
  const char *other = g_hash_table_lookup (sentences, one);

  return other != NULL && (n == 1 || has_one_form) ? other : n == 1 ? one : many;
}

static guint32
word_at (const guchar *bytes,
         gsize         at)
{
  guint32 word;

  memcpy (&word, bytes + at, sizeof word);
  return word;
}

/* The text of an entry of a table of (length, offset), or NULL where it is not within the bytes. */
static const char *
text_at (const guchar *bytes,
         gsize         n,
         gsize         entry)
{
  guint32 length, offset;

  if (entry + 8 > n)
    return NULL;
  length = word_at (bytes, entry);
  offset = word_at (bytes, entry + 4);
  return (gsize) offset + length < n && bytes[offset + length] == 0 ? (const char *) bytes + offset : NULL;
}

/* The same of a table whose lengths count the end of the text too. */
static const char *
name_at (const guchar *bytes,
         gsize         n,
         gsize         entry)
{
  guint32 length, offset;

  if (entry + 8 > n)
    return NULL;
  length = word_at (bytes, entry);
  offset = word_at (bytes, entry + 4);
  return length > 0 && (gsize) offset + length <= n && bytes[offset + length - 1] == 0 ? (const char *) bytes + offset : NULL;
}

/* What stands for the directive of a number whose width is the machine's, such as PRId64; NULL: none that the engine writes. */
static const char *
directive (const char *name)
{
  static const char *const NAMES[][2] = { { "PRId64", PRId64 }, { "PRIi64", PRIi64 }, { "PRIu64", PRIu64 }, { "PRIx64", PRIx64 }, { "PRIX64", PRIX64 } };

  for (guint i = 0; i < G_N_ELEMENTS (NAMES); i++)
    if (g_strcmp0 (name, NAMES[i][0]) == 0)
      return NAMES[i][1];
  return NULL;
}

/* A text that has such directives is kept in pieces: where it lies, then (length, name of what follows) until there is none.
 * The pieces lie one behind the other. (transfer full), NULL: it is not within the bytes, or has another directive. */
static char *
pieced_text (const guchar *bytes,
             gsize         n,
             gsize         entry,
             gsize         names)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize at;

  if (entry + 4 > n)
    return NULL;
  at = word_at (bytes, entry);
  for (entry += 4; entry + 8 <= n; entry += 8)
    {
      guint32 length = word_at (bytes, entry), name = word_at (bytes, entry + 4);
      const char *sign;

      if (at + length > n)
        return NULL;
      g_string_append_len (text, (const char *) bytes + at, length);
      at += length;
      if (name == G_MAXUINT32)
        return g_string_free (g_steal_pointer (&text), FALSE);
      sign = directive (name_at (bytes, n, names + 8 * (gsize) name));
      if (sign == NULL)
        return NULL;
      g_string_append (text, sign);
    }
  return NULL;
}

/* The texts with such directives, which a catalogue of minor revision 1 tells of behind the others. */
static void
add_pieced (GHashTable   *table,
            const guchar *bytes,
            gsize         n)
{
  if ((word_at (bytes, 4) & 0xffff) < 1 || n < 48)
    return;
  for (guint32 i = 0; i < word_at (bytes, 36); i++)
    {
      gsize from = word_at (bytes, 40) + 4 * (gsize) i, to = word_at (bytes, 44) + 4 * (gsize) i;
      g_autofree char *english = from + 4 <= n ? pieced_text (bytes, n, word_at (bytes, from), word_at (bytes, 32)) : NULL;
      g_autofree char *other = english != NULL && to + 4 <= n ? pieced_text (bytes, n, word_at (bytes, to), word_at (bytes, 32)) : NULL;

      if (english == NULL)
        continue;
      if (other != NULL && *other != 0)
        g_hash_table_insert (table, g_steal_pointer (&english), g_steal_pointer (&other));
    }
}

/* The format is that of GNU gettext: magic, revision, how many, where the originals and the translations are told of. */
void
ls_worker_speak (GVariant *params)
{
  g_autoptr (GVariant) sent = ls_params_value (params, LS_CATALOGUE_KEY);
  gsize n = 0;
  const guchar *bytes = sent != NULL && g_variant_is_of_type (sent, G_VARIANT_TYPE_BYTESTRING) ? g_variant_get_fixed_array (sent, &n, 1) : NULL;
  g_autoptr (GHashTable) table = NULL;
  const char *head = NULL;
  guint32 count;

  if (bytes == NULL || n < 28 || word_at (bytes, 0) != MAGIC)
    return;
  count = word_at (bytes, 8);
  table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint32 i = 0; i < count; i++)
    {
      const char *from = text_at (bytes, n, (gsize) word_at (bytes, 12) + 8 * (gsize) i), *to = text_at (bytes, n, (gsize) word_at (bytes, 16) + 8 * (gsize) i);

      if (from == NULL || to == NULL)
        break;
      if (*from == 0)
        head = to;
      else if (*to != 0)
        g_hash_table_insert (table, g_strdup (from), g_strdup (to));
    }
  add_pieced (table, bytes, n);
  ls_set_translator (NULL);
  ls_set_plural_translator (NULL);
  g_clear_pointer (&sentences, g_hash_table_unref);
  sentences = g_steal_pointer (&table);
  has_one_form = strstr (head != NULL ? head : "", "nplurals=1;") != NULL;
  ls_set_translator (translate);
  ls_set_plural_translator (plural);
}
