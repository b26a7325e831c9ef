/* Element types of arrays. */
#include "engine/base/float8.h"
#include "engine/runtime/runtime.h"

#include <string.h>

G_DEFINE_QUARK (ls-runtime-error-quark, ls_runtime_error)

typedef struct {
  const char *name;
  guint8      code;
  guint8      bits;
} DTypeRow;

static const DTypeRow rows[] = {
  { "bool",     LS_DL_BOOL,   8 },
  { "int8",     LS_DL_INT,    8 },
  { "int16",    LS_DL_INT,    16 },
  { "int32",    LS_DL_INT,    32 },
  { "int64",    LS_DL_INT,    64 },
  { "uint8",    LS_DL_UINT,   8 },
  { "uint16",   LS_DL_UINT,   16 },
  { "uint32",   LS_DL_UINT,   32 },
  { "uint64",   LS_DL_UINT,   64 },
  { "float16",  LS_DL_FLOAT,  16 },
  { "bfloat16", LS_DL_BFLOAT, 16 },
  { "float32",  LS_DL_FLOAT,  32 },
  { "float64",  LS_DL_FLOAT,  64 },
  { "float8_e4m3fn", LS_DL_E4M3, 8 },
  { "float8_e5m2", LS_DL_E5M2, 8 },
  /* other names of types above */
  { "bfloat",   LS_DL_BFLOAT, 16 },
  { "e4m3_float8", LS_DL_E4M3, 8 },
  { "e5m2_float8", LS_DL_E5M2, 8 },
};

static const DTypeRow *
find_row (LsDLDataType dtype)
{
  LsDLDataType d = ls_dl_dtype_normalise (dtype);

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (rows[i].code == d.code && rows[i].bits == d.bits)
      return &rows[i];
  return NULL;
}

/* The longest row name that `text` starts with. */
static const DTypeRow *
match_row (const char *text)
{
  const DTypeRow *best = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    if (g_str_has_prefix (text, rows[i].name)
        && (best == NULL || strlen (rows[i].name) > strlen (best->name)))
      best = &rows[i];
  return best;
}

/* lanes := "" | "x" digits, 1 to 65535 */
static gboolean
parse_lanes (const char *text,
             guint16    *lanes)
{
  guint64 n;

  *lanes = 1;
  if (*text == '\0')
    return TRUE;
  if (*text != 'x' || !g_ascii_string_to_unsigned (text + 1, 10, 1, G_MAXUINT16, &n, NULL))
    return FALSE;
  *lanes = (guint16) n;
  return TRUE;
}

gboolean
ls_dl_dtype_parse (const char    *text,
                   LsDLDataType  *dtype,
                   GError       **error)
{
  const DTypeRow *row = match_row (text);
  guint16 lanes = 1;

  if (row == NULL || !parse_lanes (text + strlen (row->name), &lanes))
    {
      g_autofree char *shown = g_utf8_make_valid (text, -1);

      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_DTYPE,
                   ls_translate ("\"%.40s\" is not an array type; known are bool, int8 to int64, uint8 to "
                   "uint64, float16, bfloat16, float32, float64, float8_e4m3fn, float8_e5m2, each with x<lanes> behind it"),
                   shown);
      return FALSE;
    }
  *dtype = (LsDLDataType) { row->code, row->bits, lanes };
  return TRUE;
}

char *
ls_dl_dtype_print (LsDLDataType dtype)
{
  const DTypeRow *row = find_row (dtype);

  if (row == NULL)
    return g_strdup_printf ("code%u_%ux%u", dtype.code, dtype.bits, dtype.lanes);
  if (dtype.lanes == 1)
    return g_strdup (row->name);
  return g_strdup_printf ("%sx%u", row->name, dtype.lanes);
}

LsDLDataType
ls_dl_dtype_normalise (LsDLDataType dtype)
{
  if (dtype.code == LS_DL_UINT && dtype.bits == 1)
    return (LsDLDataType) { LS_DL_BOOL, 8, dtype.lanes };
  return dtype;
}

gboolean
ls_dl_dtype_equal (LsDLDataType a,
                   LsDLDataType b)
{
  a = ls_dl_dtype_normalise (a);
  b = ls_dl_dtype_normalise (b);
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

gboolean
ls_dl_dtype_is_supported (LsDLDataType dtype)
{
  return dtype.lanes >= 1 && find_row (dtype) != NULL;
}

gsize
ls_dl_dtype_size (LsDLDataType dtype)
{
  return (gsize) ((dtype.bits + 7) / 8) * dtype.lanes;
}

gboolean
ls_dl_dtype_is_float (LsDLDataType dtype)
{
  return dtype.code == LS_DL_FLOAT || dtype.code == LS_DL_BFLOAT || dtype.code == LS_DL_E4M3 || dtype.code == LS_DL_E5M2;
}
