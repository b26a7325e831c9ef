/* zip: the members of an archive, stored or deflated, by its central directory at the end. */
#include "engine/frontend/pt2/pt2.h"

#include <gio/gio.h>
#include <string.h>

#define END_BYTES 22u
#define ENTRY_BYTES 46u
#define LOCAL_BYTES 30u
#define MOST_MEMBER ((gsize) 4 << 30)
#define MOST_RATIO 1040u        /* what deflate can make of a byte */

typedef struct {
  char   *path;
  guint   method;               /* 0: stored, 8: deflated */
  guint32 crc;
  gsize   packed, size, offset; /* of the local header */
} Member;

struct _LsZip
{
  char         *name;
  const guint8 *data;
  gsize         size;
  GPtrArray    *members;        /* of Member */
};

static void
member_free (gpointer data)
{
  g_free (((Member *) data)->path);
  g_free (data);
}

static guint
u16 (const guint8 *at)
{
  return at[0] | (guint) at[1] << 8;
}

static guint32
u32 (const guint8 *at)
{
  return u16 (at) | (guint32) u16 (at + 2) << 16;
}

static gpointer
fail (LsZip      *self,
      GError    **error,
      const char *words)
{
  g_set_error (error, LS_FX_ERROR, LS_FX_ERROR_FILE, "%s: %s", self->name, ls_translate (words));
  return NULL;
}

/* The record at the end, behind which a comment may stand; NULL: none. */
static const guint8 *
find_end (LsZip *self)
{
  for (gsize back = END_BYTES; back <= self->size && back <= END_BYTES + 65535; back++)
    if (memcmp (self->data + self->size - back, "PK\5\6", 4) == 0)
      return self->data + self->size - back;
  return NULL;
}

static gboolean
read_members (LsZip   *self,
              GError **error)
{
  const guint8 *end = find_end (self);
  gsize at, stop;

  if (end == NULL)
    return fail (self, error, LS_TEXT ("a zip archive is expected; its end is not there")) != NULL;
  at = u32 (end + 16);
  stop = (gsize) (end - self->data);
  if (u16 (end + 10) == 0xffff || u32 (end + 16) == 0xffffffff)
    return fail (self, error, LS_TEXT ("zip archives of more than 4 GiB are not read")) != NULL;
  for (guint i = 0; i < u16 (end + 10); i++)
    {
      const guint8 *entry = self->data + at;
      Member *member;
      gsize n;

      if (at > stop || stop - at < ENTRY_BYTES || memcmp (entry, "PK\1\2", 4) != 0 || stop - at - ENTRY_BYTES < u16 (entry + 28))
        return fail (self, error, LS_TEXT ("the list of the archive's members is damaged")) != NULL;
      n = u16 (entry + 28);
      member = g_new0 (Member, 1);
      /* names of other encodings too stand in sentences */
      *member = (Member) { g_utf8_make_valid ((const char *) entry + ENTRY_BYTES, (gssize) strnlen ((const char *) entry + ENTRY_BYTES, n)), u16 (entry + 10), u32 (entry + 16), u32 (entry + 20), u32 (entry + 24), u32 (entry + 42) };
      g_ptr_array_add (self->members, member);
      at += ENTRY_BYTES + n + u16 (entry + 30) + u16 (entry + 32);
    }
  return TRUE;
}

LsZip *
ls_zip_open (const char    *name,
             gconstpointer  data,
             gsize          size,
             GError       **error)
{
  g_autoptr (LsZip) self = g_new0 (LsZip, 1);

  self->name = g_strdup (name);
  self->data = data;
  self->size = size;
  self->members = g_ptr_array_new_with_free_func (member_free);
  return read_members (self, error) ? g_steal_pointer (&self) : NULL;
}

void
ls_zip_free (LsZip *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_ptr_array_unref (self->members);
  g_free (self);
}

static const Member *
find (LsZip      *self,
      const char *path)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      const Member *member = self->members->pdata[i];
      gsize n = strlen (member->path), wanted = strlen (path);

      if (n >= wanted && strcmp (member->path + n - wanted, path) == 0 && (n == wanted || member->path[n - wanted - 1] == '/'))
        return member;
    }
  return NULL;
}

gboolean
ls_zip_has (LsZip      *self,
            const char *path)
{
  return find (self, path) != NULL;
}

char *
ls_zip_first (LsZip      *self,
              const char *folder,
              const char *ending)
{
  g_autofree char *inside = g_strconcat ("/", folder, NULL);

  for (guint i = 0; i < self->members->len; i++)
    {
      const char *path = ((const Member *) self->members->pdata[i])->path;
      const char *name = g_str_has_prefix (path, folder) ? path : strstr (path, inside);

      if (name == NULL || !g_str_has_suffix (path, ending))
        continue;
      name += name == path ? strlen (folder) : strlen (inside);
      if (strchr (name, '/') == NULL && strlen (name) > strlen (ending))
        return g_strndup (name, strlen (name) - strlen (ending));
    }
  return NULL;
}

static guint32
crc_of (const guint8 *data,
        gsize         size)
{
  static gsize ready;
  static guint32 table[256];
  guint32 crc = 0xffffffff;

  if (g_once_init_enter (&ready))
    {
      for (guint32 i = 0; i < 256; i++)
        {
          table[i] = i;
          for (guint k = 0; k < 8; k++)
            table[i] = table[i] & 1 ? 0xedb88320u ^ table[i] >> 1 : table[i] >> 1;
        }
      g_once_init_leave (&ready, 1);
    }
  for (gsize i = 0; i < size; i++)
    crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
  return ~crc;
}

/* NULL: it is no whole stream of so many bytes. */
static GBytes *
inflate (const guint8 *packed,
         gsize         n,
         gsize         size)
{
  g_autoptr (GZlibDecompressor) decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW);
  g_autofree guint8 *out = g_try_malloc (MAX (size, 1));
  gsize in = 0, done = 0;
  GConverterResult result = G_CONVERTER_CONVERTED;

  while (out != NULL && result == G_CONVERTER_CONVERTED && done < size)
    {
      gsize took = 0, made = 0;

      result = g_converter_convert (G_CONVERTER (decompressor), packed + in, n - in, out + done, size - done, G_CONVERTER_INPUT_AT_END, &took, &made, NULL);
      in += took;
      done += made;
      if (result == G_CONVERTER_CONVERTED && took == 0 && made == 0)
        break;
    }
  return out != NULL && done == size && result != G_CONVERTER_ERROR ? g_bytes_new_take (g_steal_pointer (&out), size) : NULL;
}

GBytes *
ls_zip_read (LsZip      *self,
             const char *path,
             GError    **error)
{
  const Member *member = find (self, path);
  g_autofree char *words = NULL;
  g_autoptr (GBytes) bytes = NULL;
  const guint8 *local;
  gsize start;

  if (member == NULL)
    words = g_strdup_printf (ls_translate ("the archive has no %s"), path);
  else if (member->size > MOST_MEMBER || (member->method != 0 && member->method != 8))
    words = g_strdup_printf (ls_translate ("%s is packed in a way that is not read"), path);
  if (words != NULL)
    return fail (self, error, words);
  local = self->data + member->offset;
  start = member->offset + LOCAL_BYTES;
  if (start > self->size || memcmp (local, "PK\3\4", 4) != 0 || (start += u16 (local + 26) + u16 (local + 28)) > self->size || member->packed > self->size - start)
    words = g_strdup_printf (ls_translate ("%s is cut off"), path);
  else if (member->method == 8 && member->size / MOST_RATIO > member->packed)
    words = g_strdup_printf (ls_translate ("%s is damaged"), path);
  else if (member->method == 8)
    bytes = inflate (self->data + start, member->packed, member->size);
  else if (member->packed == member->size)
    bytes = g_bytes_new (self->data + start, member->size);
  if (words == NULL && (bytes == NULL || crc_of (g_bytes_get_data (bytes, NULL), member->size) != member->crc))
    words = g_strdup_printf (ls_translate ("%s is damaged"), path);
  return words != NULL ? fail (self, error, words) : g_steal_pointer (&bytes);
}
