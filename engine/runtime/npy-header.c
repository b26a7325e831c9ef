/* The header of .npy files.
 *
 * magic "\x93NUMPY", version (two bytes), length of the dictionary (2 bytes in version 1, 4 in 2 and
 * 3; little-endian), the dictionary: a Python literal with the keys descr, fortran_order and shape in
 * any order, padded with spaces and ended by a newline.  Source: numpy's NEP 1 and format
 * documentation.
 *
 * The reader takes exactly these literals: quoted strings without escapes, True, False,
 * and tuples of decimal numbers (with the L that Python 2 wrote).  Structured and object
 * types are lists or "O" and are refused by name.
 */
#include "engine/runtime/npy-private.h"

#include <string.h>

#define MAX_NDIM 32              /* numpy's own limit, until its version 2 */

typedef struct {
  const char *start;
  const char *at;
  const char *end;
  GError    **error;
} Reader;

static gboolean
fail (Reader         *r,
      LsRuntimeError  code,
      const char     *format,
      ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (Reader         *r,
      LsRuntimeError  code,
      const char     *format,
      ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  g_set_error (r->error, LS_RUNTIME_ERROR, code, ls_translate ("npy header: %s"), message);
  return FALSE;
}

/* What stands at the reader's place, for an error message. */
static char *
found (Reader *r)
{
  gsize n = MIN ((gsize) (r->end - r->at), 16);
  g_autofree char *raw = g_strndup (r->at, n);
  g_autofree char *valid = g_utf8_make_valid (raw, -1);

  if (n == 0)
    return g_strdup (ls_translate ("the end"));
  return g_strdup_printf ("\"%s\"", valid);
}

static gboolean
fail_expected (Reader     *r,
               const char *expected)
{
  g_autofree char *have = found (r);

  return fail (r, LS_RUNTIME_ERROR_FORMAT, LS_TEXT ("found %s at byte %d of the dictionary, expected %s"),
               have, (int) (r->at - r->start), ls_translate (expected));
}

static void
skip_space (Reader *r)
{
  while (r->at < r->end && strchr (" \t\r\n", *r->at) != NULL && *r->at != '\0')
    r->at++;
}

static gboolean
accept (Reader *r,
        char    c)
{
  skip_space (r);
  if (r->at >= r->end || *r->at != c)
    return FALSE;
  r->at++;
  return TRUE;
}

static gboolean
expect (Reader *r,
        char    c)
{
  char what[4] = { '"', c, '"', '\0' };

  return accept (r, c) || fail_expected (r, what);
}

/* string := quote (any character but the quote, a backslash or a newline)* quote */
static gboolean
read_string (Reader     *r,
             const char *what,
             char       *out,
             gsize       size)
{
  char quote;
  gsize n = 0;

  skip_space (r);
  if (r->at >= r->end || (*r->at != '\'' && *r->at != '"'))
    return fail_expected (r, what);
  quote = *r->at++;
  while (r->at < r->end && *r->at != quote && *r->at != '\\' && *r->at != '\n' && n + 1 < size)
    out[n++] = *r->at++;
  out[n] = '\0';
  if (r->at >= r->end || *r->at != quote)
    return fail_expected (r, LS_TEXT ("the end of a short string"));
  r->at++;
  return TRUE;
}

/* "<f4": byte order, kind, bytes. */
static gboolean
resolve_descr (Reader      *r,
               const char  *descr,
               LsNpyHeader *h)
{
  static const struct { char kind; LsDLCode code; const char *sizes; } kinds[] = {
    { 'b', LS_DL_BOOL, "1" }, { 'i', LS_DL_INT, "1248" }, { 'u', LS_DL_UINT, "1248" },
    { 'f', LS_DL_FLOAT, "248" }, { 'V', LS_DL_BFLOAT, "2" },
  };
  gboolean big = descr[0] == '>';
  gboolean known_order = descr[0] != '\0' && strchr ("<>|=", descr[0]) != NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (kinds) && known_order; i++)
    if (descr[1] == kinds[i].kind && descr[2] != '\0' && descr[3] == '\0'
        && strchr (kinds[i].sizes, descr[2]) != NULL)
      {
        h->dtype = (LsDLDataType) { kinds[i].code, (guint8) ((descr[2] - '0') * 8), 1 };
        h->swapped = strchr ("<>", descr[0]) != NULL && big != (G_BYTE_ORDER == G_BIG_ENDIAN);
        return TRUE;
      }
  return fail (r, LS_RUNTIME_ERROR_DTYPE,
               LS_TEXT ("the element type is \"%s\"; arrays hold b1, i1 to i8, u1 to u8, f2, f4, f8 and V2 "
               "(bfloat16)"), descr);
}

static gboolean
read_descr (Reader      *r,
            LsNpyHeader *h)
{
  char raw[32];
  g_autofree char *descr = NULL;

  skip_space (r);
  if (r->at < r->end && *r->at == '[')
    return fail (r, LS_RUNTIME_ERROR_DTYPE,
                 LS_TEXT ("the element type is a structure; arrays hold plain numbers"));
  if (!read_string (r, LS_TEXT ("an element type such as '<f4'"), raw, sizeof raw))
    return FALSE;
  descr = g_utf8_make_valid (raw, -1);
  return resolve_descr (r, descr, h);
}

static gboolean
read_bool (Reader   *r,
           gboolean *value)
{
  static const char *const words[] = { "False", "True" };

  skip_space (r);
  for (int i = 0; i < 2; i++)
    if ((gsize) (r->end - r->at) >= strlen (words[i])
        && strncmp (r->at, words[i], strlen (words[i])) == 0)
      {
        r->at += strlen (words[i]);
        *value = i;
        return TRUE;
      }
  return fail_expected (r, LS_TEXT ("True or False"));
}

static gboolean
read_extent (Reader *r,
             gint64 *value)
{
  *value = 0;
  skip_space (r);
  if (r->at >= r->end || !g_ascii_isdigit (*r->at))
    return fail_expected (r, LS_TEXT ("an extent"));
  for (; r->at < r->end && g_ascii_isdigit (*r->at); r->at++)
    if (__builtin_mul_overflow (*value, 10, value)
        || __builtin_add_overflow (*value, *r->at - '0', value))
      return fail (r, LS_RUNTIME_ERROR_SHAPE, LS_TEXT ("an extent is larger than 2^63 - 1"));
  if (r->at < r->end && *r->at == 'L')
    r->at++;
  return TRUE;
}

/* shape := "(" [extent ("," extent)* [","]] ")" */
static gboolean
read_shape (Reader      *r,
            LsNpyHeader *h)
{
  h->ndim = 0;
  if (!expect (r, '('))
    return FALSE;
  while (!accept (r, ')'))
    {
      if (h->ndim == MAX_NDIM)
        return fail (r, LS_RUNTIME_ERROR_SHAPE, LS_TEXT ("more than %d dimensions"), MAX_NDIM);
      if (!read_extent (r, &h->shape[h->ndim]))
        return FALSE;
      h->ndim++;
      if (!accept (r, ','))
        {
          if (h->ndim == 1)
            return fail_expected (r, LS_TEXT ("\",\" (a shape of one extent is written (n,))"));
          if (!expect (r, ')'))
            return FALSE;
          break;
        }
    }
  return TRUE;
}

/* Reads one `key: value`; `seen` collects one bit per key. */
static gboolean
read_item (Reader      *r,
           LsNpyHeader *h,
           guint       *seen)
{
  static const char *const keys[] = { "descr", "fortran_order", "shape" };
  char key[32];
  guint i;

  if (!read_string (r, LS_TEXT ("a key"), key, sizeof key) || !expect (r, ':'))
    return FALSE;
  for (i = 0; i < 3 && strcmp (key, keys[i]) != 0; i++)
    ;
  if (i == 3 || (*seen & (1u << i)) != 0)
    {
      g_autofree char *valid = g_utf8_make_valid (key, -1);

      return fail (r, LS_RUNTIME_ERROR_FORMAT,
                   LS_TEXT ("the key \"%s\"%s; the keys are descr, fortran_order and shape, each once"),
                   valid, i == 3 ? "" : ls_translate (" stands twice"));
    }
  *seen |= 1u << i;
  if (i == 0)
    return read_descr (r, h);
  return i == 1 ? read_bool (r, &h->fortran) : read_shape (r, h);
}

static gboolean
read_dictionary (Reader      *r,
                 LsNpyHeader *h)
{
  guint seen = 0;

  if (!expect (r, '{'))
    return FALSE;
  while (!accept (r, '}'))
    {
      if (!read_item (r, h, &seen))
        return FALSE;
      if (!accept (r, ','))
        {
          if (!expect (r, '}'))
            return FALSE;
          break;
        }
    }
  if (seen != 7)
    return fail (r, LS_RUNTIME_ERROR_FORMAT, LS_TEXT ("the key \"%s\" is missing"),
                 (seen & 1) == 0 ? "descr" : (seen & 2) == 0 ? "fortran_order" : "shape");
  skip_space (r);
  return r->at == r->end || fail_expected (r, LS_TEXT ("nothing more"));
}

gboolean
ls_npy_header_parse (const guint8  *bytes,
                     gsize          length,
                     LsNpyHeader   *header,
                     GError       **error)
{
  Reader r = { .error = error };
  gsize prefix, n;

  *header = (LsNpyHeader) { 0 };
  if (length < 10 || memcmp (bytes, "\x93NUMPY", 6) != 0)
    return fail (&r, LS_RUNTIME_ERROR_FORMAT,
                 LS_TEXT ("the file does not begin with the npy mark (\\x93NUMPY)"));
  if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
    return fail (&r, LS_RUNTIME_ERROR_FORMAT, LS_TEXT ("found version %u.%u, expected 1.0, 2.0 or 3.0"),
                 bytes[6], bytes[7]);
  prefix = bytes[6] == 1 ? 10 : 12;
  if (length < prefix)
    return fail (&r, LS_RUNTIME_ERROR_FORMAT, LS_TEXT ("the file ends inside the header"));
  n = bytes[8] | (gsize) bytes[9] << 8;
  if (prefix == 12)
    n |= (gsize) bytes[10] << 16 | (gsize) bytes[11] << 24;
  if (n > length - prefix)
    return fail (&r, LS_RUNTIME_ERROR_FORMAT,
                 LS_TEXT ("the dictionary has %zu bytes, the file only %zu more"), n, length - prefix);
  r.start = r.at = (const char *) bytes + prefix;
  r.end = r.start + n;
  header->data_offset = prefix + n;
  return read_dictionary (&r, header);
}

static const char *
kind_of (LsDLDataType dtype)
{
  static const char *const kinds[] = { "i", "u", "f", "V", "V", "c", "b" };

  return kinds[dtype.code];
}

void
ls_npy_header_append (GByteArray       *out,
                      const LsDLTensor *tensor)
{
  LsDLDataType dtype = ls_dl_dtype_normalise (tensor->dtype);
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean tail = dtype.lanes > 1;
  guint8 prefix[10] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 0, 0 };

  g_string_append_printf (text, "{'descr': '%s%s%d', 'fortran_order': False, 'shape': (",
                          dtype.bits == 8 ? "|" : "<", kind_of (dtype), dtype.bits / 8);
  for (int i = 0; i < tensor->ndim; i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT "%s", tensor->shape[i],
                            i + 1 < tensor->ndim || tail ? ", " : "");
  if (tail)
    g_string_append_printf (text, "%d", dtype.lanes);
  g_string_append (text, tensor->ndim + tail == 1 ? ",), }" : "), }");
  while ((sizeof prefix + text->len + 1) % 64 != 0)
    g_string_append_c (text, ' ');
  g_string_append_c (text, '\n');
  prefix[8] = (guint8) text->len;
  prefix[9] = (guint8) (text->len >> 8);
  g_byte_array_append (out, prefix, sizeof prefix);
  g_byte_array_append (out, (const guint8 *) text->str, (guint) text->len);
}
