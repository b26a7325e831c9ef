/* dtype: names and ranges of scalar and vector types (TVM's DataType). */
#include "engine/ir/ir.h"

#include <stdlib.h>
#include <string.h>

/* "float8" does not say how its 8 bits are shared out: a code behind all that have a name in LsTypeCode. */
#define FLOAT8 (LS_TYPE_E2M1FN + 1)

/* ORDER NARROW: floats of less than 16 bits, with their largest finite values */
static const struct { const char *name; guint8 code; guint8 bits; double max; } NARROW[] = {
  { "float8_e4m3fn",      LS_TYPE_E4M3,        8, 448.0 },
  { "float8_e5m2",        LS_TYPE_E5M2,        8, 57344.0 },
  { "float8_e3m4",        LS_TYPE_E3M4,        8, 15.5 },
  { "float8_e4m3",        LS_TYPE_E4M3_IEEE,   8, 240.0 },
  { "float8_e4m3b11fnuz", LS_TYPE_E4M3B11FNUZ, 8, 30.0 },
  { "float8_e4m3fnuz",    LS_TYPE_E4M3FNUZ,    8, 240.0 },
  { "float8_e5m2fnuz",    LS_TYPE_E5M2FNUZ,    8, 57344.0 },
  { "float8_e8m0fnu",     LS_TYPE_E8M0FNU,     8, 0x1p127 },
  { "float6_e2m3fn",      LS_TYPE_E2M3FN,      6, 7.5 },
  { "float6_e3m2fn",      LS_TYPE_E3M2FN,      6, 28.0 },
  { "float4_e2m1fn",      LS_TYPE_E2M1FN,      4, 6.0 },
  { "float8",             FLOAT8,              8, 57344.0 },
};

guint
ls_dtype_bytes (LsDType t)
{
  return ((t.bits + 7u) / 8u) * (ls_dtype_is_scalable (t) ? ls_dtype_vscale_factor (t) : t.lanes);
}

/* "", "x4" or "xvscalex4" */
static void
append_lanes (GString *text,
              LsDType  t)
{
  if (ls_dtype_is_scalable (t))
    g_string_append_printf (text, "xvscalex%u", ls_dtype_vscale_factor (t));
  else if (t.lanes != 1)
    g_string_append_printf (text, "x%u", t.lanes);
}

static const char *
stem_of (LsDType t)
{
  switch ((LsTypeCode) t.code)
    {
    case LS_TYPE_INT: return "int";
    case LS_TYPE_UINT: return ls_dtype_is_bool (t) ? (t.lanes == 1 ? "bool" : "uint1") : "uint";
    case LS_TYPE_FLOAT: return "float";
    case LS_TYPE_BFLOAT: return "bfloat";
    case LS_TYPE_HANDLE: return ls_dtype_is_void (t) ? "void" : "handle";
    case LS_TYPE_E4M3:
    case LS_TYPE_E5M2:
    case LS_TYPE_E3M4:
    case LS_TYPE_E4M3_IEEE:
    case LS_TYPE_E4M3B11FNUZ:
    case LS_TYPE_E4M3FNUZ:
    case LS_TYPE_E5M2FNUZ:
    case LS_TYPE_E8M0FNU:
    case LS_TYPE_E2M3FN:
    case LS_TYPE_E3M2FN:
    case LS_TYPE_E2M1FN:
      return NARROW[t.code - LS_TYPE_E4M3].name;
    }
  return t.code == FLOAT8 ? NARROW[FLOAT8 - LS_TYPE_E4M3].name : "";
}

static char *
name_of (LsDType t)
{
  g_autoptr (GString) text = g_string_new (stem_of (t));

  if (t.code == LS_TYPE_HANDLE)
    return g_string_free (g_steal_pointer (&text), FALSE);
  if (t.code <= LS_TYPE_BFLOAT && !ls_dtype_is_bool (t))
    g_string_append_printf (text, "%u", t.bits);
  append_lanes (text, t);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

const char *
ls_dtype_name (LsDType t)
{
  if (ls_dtype_equal (t, LS_FLOAT32))
    return "float32";
  if (ls_dtype_equal (t, LS_INT32))
    return "int32";
  if (ls_dtype_equal (t, LS_INT64))
    return "int64";
  if (ls_dtype_equal (t, LS_BOOL))
    return "bool";

  g_autofree char *name = name_of (t);
  return g_intern_string (name);
}

static gboolean
parse_lanes (const char *rest,
             guint      *lanes)
{
  gboolean scalable = g_str_has_prefix (rest, "xvscale");
  char *end;
  gulong n;

  *lanes = 1;
  if (*rest == '\0')
    return TRUE;
  rest += scalable ? strlen ("xvscale") : 0;
  if (*rest != 'x' || !g_ascii_isdigit (rest[1]))
    return FALSE;
  n = strtoul (rest + 1, &end, 10);
  if (*end != '\0' || n == 0 || n > G_MAXINT16)
    return FALSE;
  *lanes = scalable ? (guint16) -n : (guint) n;
  return TRUE;
}

gboolean
ls_dtype_parse (const char *name,
                LsDType    *out)
{
  static const struct { const char *stem; guint8 code; guint8 bits; } FIXED[] = {
    { "bool", LS_TYPE_UINT, 1 },
    { "handle", LS_TYPE_HANDLE, 64 },
    { "e4m3_float8", LS_TYPE_E4M3, 8 },
    { "e5m2_float8", LS_TYPE_E5M2, 8 },
  };
  static const struct { const char *stem; guint8 code; } SIZED[] = {
    { "int", LS_TYPE_INT },
    { "uint", LS_TYPE_UINT },
    { "float", LS_TYPE_FLOAT },
    { "bfloat", LS_TYPE_BFLOAT },
  };
  guint lanes;

  if (name == NULL)
    return FALSE;
  if (*name == '\0' || strcmp (name, "void") == 0)
    {
      *out = LS_VOID;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (FIXED); i++)
    if (g_str_has_prefix (name, FIXED[i].stem) && parse_lanes (name + strlen (FIXED[i].stem), &lanes))
      {
        *out = (LsDType) { FIXED[i].code, FIXED[i].bits, (guint16) lanes };
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (NARROW); i++)
    if (g_str_has_prefix (name, NARROW[i].name) && parse_lanes (name + strlen (NARROW[i].name), &lanes))
      {
        *out = (LsDType) { NARROW[i].code, NARROW[i].bits, (guint16) lanes };
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (SIZED); i++)
    {
      const char *rest = name + strlen (SIZED[i].stem);
      char *end;
      gulong bits;

      if (!g_str_has_prefix (name, SIZED[i].stem))
        continue;
      bits = g_ascii_isdigit (*rest) ? strtoul (rest, &end, 10) : (end = (char *) rest, 32);
      if (!parse_lanes (end, &lanes) || bits == 0 || bits > 64)
        return FALSE;
      if ((SIZED[i].code == LS_TYPE_FLOAT && bits != 16 && bits != 32 && bits != 64)
          || (SIZED[i].code == LS_TYPE_BFLOAT && bits != 16))
        return FALSE;
      *out = (LsDType) { SIZED[i].code, (guint8) bits, (guint16) lanes };
      return TRUE;
    }
  return FALSE;
}

double
ls_dtype_float_max (LsDType t)
{
  if (t.code >= LS_TYPE_E4M3)
    return NARROW[t.code - LS_TYPE_E4M3].max;
  if (t.code == LS_TYPE_BFLOAT)
    return 0x1.fep127;
  return t.bits == 16 ? 65504.0 : t.bits == 32 ? (double) G_MAXFLOAT : G_MAXDOUBLE;
}

gint64
ls_dtype_int_min (LsDType t)
{
  if (t.code == LS_TYPE_UINT)
    return 0;
  return t.bits >= 64 ? G_MININT64 : -((gint64) 1 << (t.bits - 1));
}

gint64
ls_dtype_int_max (LsDType t)
{
  guint bits = t.code == LS_TYPE_UINT ? t.bits : t.bits - 1u;

  return bits >= 63 ? G_MAXINT64 : ((gint64) 1 << bits) - 1;
}
