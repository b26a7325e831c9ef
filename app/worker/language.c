/* worker/language: the catalogue that came with a call, and the engine's way to ask it. */
#include "app/worker/language.h"

#include "app/rpc/rpc.h"
#include "engine/base/base.h"
#include "engine/base/plural.h"

#include <string.h>

#define MAGIC 0x950412deu

static GVariant *catalogue;     /* holds the texts */
static GHashTable *sentences;   /* English -> translated */
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
  table = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint32 i = 0; i < count; i++)
    {
      const char *from = text_at (bytes, n, (gsize) word_at (bytes, 12) + 8 * (gsize) i), *to = text_at (bytes, n, (gsize) word_at (bytes, 16) + 8 * (gsize) i);

      if (from == NULL || to == NULL)
        break;
      if (*from == 0)
        head = to;
      else if (*to != 0)
        g_hash_table_insert (table, (gpointer) from, (gpointer) to);
    }
  ls_set_translator (NULL);
  ls_set_plural_translator (NULL);
  g_clear_pointer (&sentences, g_hash_table_unref);
  g_clear_pointer (&catalogue, g_variant_unref);
  catalogue = g_steal_pointer (&sent);
  sentences = g_steal_pointer (&table);
  has_one_form = strstr (head != NULL ? head : "", "nplurals=1;") != NULL;
  ls_set_translator (translate);
  ls_set_plural_translator (plural);
}
