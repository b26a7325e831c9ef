/* meaning: see the header. */
#include "engine/ir/meaning.h"

gint64
ls_floordiv_i64 (gint64 a,
                 gint64 b)
{
  gint64 q, r;

  if (b == -1)
    return (gint64) (0 - (guint64) a);
  q = a / b;
  r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? q - 1 : q;
}

gint64
ls_floormod_i64 (gint64 a,
                 gint64 b)
{
  gint64 r;

  if (b == -1)
    return 0;
  r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static gint64
divided (LsKind   kind,
         gboolean is_unsigned64,
         gint64   a,
         gint64   b)
{
  gboolean wants_quotient = kind == LS_KIND_DIV || kind == LS_KIND_FLOOR_DIV;

  if (is_unsigned64)
    return (gint64) (wants_quotient ? (guint64) a / (guint64) b : (guint64) a % (guint64) b);
  if (b == -1)
    return wants_quotient ? (gint64) (0 - (guint64) a) : 0;
  switch ((int) kind)
    {
    case LS_KIND_DIV: return a / b;
    case LS_KIND_MOD: return a % b;
    case LS_KIND_FLOOR_DIV: return ls_floordiv_i64 (a, b);
    default: return ls_floormod_i64 (a, b);
    }
}

gboolean
ls_meaning_of_ints (LsKind   kind,
                    gboolean is_unsigned64,
                    gint64   a,
                    gint64   b,
                    gint64  *result)
{
  guint64 ua = (guint64) a, ub = (guint64) b;
  gboolean less = is_unsigned64 ? ua < ub : a < b;

  switch ((int) kind)
    {
    case LS_KIND_ADD: *result = (gint64) (ua + ub); return TRUE;
    case LS_KIND_SUB: *result = (gint64) (ua - ub); return TRUE;
    case LS_KIND_MUL: *result = (gint64) (ua * ub); return TRUE;
    case LS_KIND_MIN: *result = less ? a : b; return TRUE;
    case LS_KIND_MAX: *result = less ? b : a; return TRUE;
    default:
      if (b == 0)
        return FALSE;
      *result = divided (kind, is_unsigned64, a, b);
      return TRUE;
    }
}

gboolean
ls_meaning_of_floats (LsKind  kind,
                      double  a,
                      double  b,
                      double *result)
{
  switch ((int) kind)
    {
    case LS_KIND_ADD: *result = a + b; return TRUE;
    case LS_KIND_SUB: *result = a - b; return TRUE;
    case LS_KIND_MUL: *result = a * b; return TRUE;
    case LS_KIND_DIV: *result = a / b; return TRUE;
    case LS_KIND_MOD: *result = fmod (a, b); return TRUE;
    case LS_KIND_FLOOR_DIV: *result = floor (a / b); return TRUE;
    case LS_KIND_FLOOR_MOD: *result = a - floor (a / b) * b; return TRUE;
    case LS_KIND_MIN: *result = a < b || isnan (a) ? a : b; return TRUE;
    case LS_KIND_MAX: *result = a > b || isnan (a) ? a : b; return TRUE;
    default: return FALSE;
    }
}

gboolean
ls_meaning_compares_ints (LsKind   kind,
                          gboolean is_unsigned64,
                          gint64   a,
                          gint64   b)
{
  gboolean less = is_unsigned64 ? (guint64) a < (guint64) b : a < b;

  switch ((int) kind)
    {
    case LS_KIND_EQ: return a == b;
    case LS_KIND_NE: return a != b;
    case LS_KIND_LT: return less;
    case LS_KIND_LE: return less || a == b;
    case LS_KIND_GT: return !less && a != b;
    default: return !less;
    }
}

gboolean
ls_meaning_compares_floats (LsKind kind,
                            double a,
                            double b)
{
  switch ((int) kind)
    {
    case LS_KIND_EQ: return a == b;
    case LS_KIND_NE: return a != b;
    case LS_KIND_LT: return a < b;
    case LS_KIND_LE: return a <= b;
    case LS_KIND_GT: return a > b;
    default: return a >= b;
    }
}
