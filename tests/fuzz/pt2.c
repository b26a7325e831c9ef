/* fuzz target: any bytes are an archive of torch.export, or what torch.save wrote; a program with something said of what is not translated, or an
 * error.  Archives have sums, which a change of a byte makes wrong: the second half of the inputs begins behind them. */
#include "tests/fuzz/fuzz.h"

#include "engine/frontend/pt2/pt2-private.h"

#include <string.h>

static void
check_error (const GError *error)
{
  if (error == NULL || !g_utf8_validate (error->message, -1, NULL))
    g_error ("an error without a readable sentence");
}

/* The members of a plain archive, so that what is in them is reached whatever their sums are: each "NAME length\n" and its bytes. (transfer full) */
static GBytes *
pack (const guint8 *data,
      gsize         size)
{
  GByteArray *out = g_byte_array_new (), *directory = g_byte_array_new ();
  guint n = 0;

  while (size > 0 && n < 16)
    {
      const guint8 *end = memchr (data, '\n', MIN (size, 200));
      g_autofree char *line = end != NULL ? g_strndup ((const char *) data, (gsize) (end - data)) : NULL;
      char *space = line != NULL ? strrchr (line, ' ') : NULL;
      guint64 length = space != NULL ? g_ascii_strtoull (space + 1, NULL, 10) : 0;
      guint32 crc = 0xffffffffu, words[6];
      guint16 name_length;

      if (space == NULL)
        break;
      *space = '\0';
      size -= (gsize) (end + 1 - data);
      data = end + 1;
      length = MIN (length, size);
      for (gsize i = 0; i < length; i++)
        {
          crc ^= data[i];
          for (guint k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
        }
      crc = ~crc;
      name_length = (guint16) strlen (line);
      words[0] = out->len;
      g_byte_array_append (out, (const guint8 *) "PK\003\004\024\0\0\0\0\0\0\0\0\0", 14);
      words[1] = crc, words[2] = words[3] = (guint32) length;
      g_byte_array_append (out, (const guint8 *) &words[1], 12);
      g_byte_array_append (out, (const guint8 *) &name_length, 2);
      g_byte_array_append (out, (const guint8 *) "\0\0", 2);
      g_byte_array_append (out, (const guint8 *) line, name_length);
      g_byte_array_append (out, data, (guint) length);
      g_byte_array_append (directory, (const guint8 *) "PK\001\002\024\0\024\0\0\0\0\0\0\0\0\0", 16);
      g_byte_array_append (directory, (const guint8 *) &words[1], 12);
      g_byte_array_append (directory, (const guint8 *) &name_length, 2);
      g_byte_array_append (directory, (const guint8 *) "\0\0\0\0\0\0\0\0\0\0\0\0", 12);
      g_byte_array_append (directory, (const guint8 *) &words[0], 4);
      g_byte_array_append (directory, (const guint8 *) line, name_length);
      data += length;
      size -= (gsize) length;
      n++;
    }
  {
    guint32 at = out->len, length = directory->len;
    guint16 count[2] = { (guint16) n, (guint16) n };

    g_byte_array_append (out, directory->data, directory->len);
    g_byte_array_append (out, (const guint8 *) "PK\005\006\0\0\0\0", 8);
    g_byte_array_append (out, (const guint8 *) count, 4);
    g_byte_array_append (out, (const guint8 *) &length, 4);
    g_byte_array_append (out, (const guint8 *) &at, 4);
    g_byte_array_append (out, (const guint8 *) "\0\0", 2);
  }
  g_byte_array_unref (directory);
  return g_byte_array_free_to_bytes (out);
}

static void
try_archive (gconstpointer data,
             gsize         size)
{
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  const LsFxOptions options = { .said = said };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) graph = ls_pt2_parse ("model.pt2", data, size, &error);
  g_autoptr (LsModule) module = graph != NULL ? ls_fx_graph_import (graph, &options, &error) : NULL;

  if (module == NULL)
    check_error (error);
  for (guint i = 0; i < said->len; i++)
    if (!g_utf8_validate (said->pdata[i], -1, NULL))
      g_error ("a sentence that cannot be read");
}

static void
try_saved (GBytes *bytes)
{
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  g_autoptr (GError) error = NULL;

  if (!ls_pt2_read_saved ("saved.pt", bytes, tensors, &error))
    check_error (error);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr (GBytes) packed = pack (data, size), plain = g_bytes_new (data, size);
  gsize length;
  gconstpointer bytes = g_bytes_get_data (packed, &length);

  try_archive (data, size);
  try_archive (bytes, length);
  try_saved (plain);
  try_saved (packed);
  return 0;
}
