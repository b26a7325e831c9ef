/* text: see private.h.  isl reads sums, products with a number, floor (e/c), e mod c, min and max. */
#include "engine/poly/private.h"

#include <inttypes.h>

static void
put_var (GString     *out,
         LsPolyNames *names,
         LsVar       *var)
{
  const char *name = g_hash_table_lookup (names->dims, var);
  guint at;

  if (name != NULL)
    {
      g_string_append (out, name);
      return;
    }
  if (!g_ptr_array_find (names->params, var, &at))
    {
      at = names->params->len;
      g_ptr_array_add (names->params, var);
    }
  g_string_append_printf (out, "p%u", at);
}

static gboolean put (GString *out, LsPolyNames *names, LsExpr *expr);

static gboolean
put_pair (GString     *out,
          LsPolyNames *names,
          LsExpr      *expr,
          const char  *open,
          const char  *between,
          const char  *close)
{
  LsBinary *pair = (LsBinary *) expr;

  g_string_append (out, open);
  if (!put (out, names, pair->a))
    return FALSE;
  g_string_append (out, between);
  if (!put (out, names, pair->b))
    return FALSE;
  g_string_append (out, close);
  return TRUE;
}

/* isl wants the number first, and bare. */
static gboolean
put_multiple (GString     *out,
              LsPolyNames *names,
              LsBinary    *product,
              gint64       number)
{
  gint64 unused;

  g_string_append_printf (out, "(%" PRId64 "*(", number);
  if (!put (out, names, ls_as_int (product->a, &unused) ? product->b : product->a))
    return FALSE;
  g_string_append (out, "))");
  return TRUE;
}

static gboolean
put_quotient (GString     *out,
              LsPolyNames *names,
              LsExpr      *expr,
              gboolean     is_remainder)
{
  LsBinary *pair = (LsBinary *) expr;
  gint64 divisor;

  if (!ls_as_int (pair->b, &divisor) || divisor <= 0)
    return FALSE;
  g_string_append (out, is_remainder ? "((" : "(floor((");
  if (!put (out, names, pair->a))
    return FALSE;
  g_string_append_printf (out, is_remainder ? ") mod %" PRId64 ")" : ")/%" PRId64 "))", divisor);
  return TRUE;
}

static gboolean
put (GString     *out,
     LsPolyNames *names,
     LsExpr      *expr)
{
  gint64 number;

  if (ls_as_int (expr, &number))
    {
      g_string_append_printf (out, "(%" PRId64 ")", number);
      return TRUE;
    }
  if (ls_is_var (expr) && ls_dtype_is_index (ls_dtype (expr)))
    {
      put_var (out, names, (LsVar *) expr);
      return TRUE;
    }
  /* what is made narrower may be another number */
  if (ls_is (expr, CAST) && ls_dtype_is_index (ls_dtype (expr)) && ls_dtype_is_index (ls_dtype (((LsCast *) expr)->value)) &&
      ls_dtype (expr).bits >= ls_dtype (((LsCast *) expr)->value).bits)
    return put (out, names, ((LsCast *) expr)->value);
  if (ls_is (expr, ADD))
    return put_pair (out, names, expr, "(", " + ", ")");
  if (ls_is (expr, SUB))
    return put_pair (out, names, expr, "(", " - (", "))");
  if (ls_is (expr, MIN))
    return put_pair (out, names, expr, "min(", ", ", ")");
  if (ls_is (expr, MAX))
    return put_pair (out, names, expr, "max(", ", ", ")");
  if (ls_is (expr, MUL) && (ls_as_int (((LsBinary *) expr)->a, &number) || ls_as_int (((LsBinary *) expr)->b, &number)))
    return put_multiple (out, names, (LsBinary *) expr, number);
  if (ls_is (expr, FLOOR_DIV) || ls_is (expr, FLOOR_MOD))
    return put_quotient (out, names, expr, ls_is (expr, FLOOR_MOD));
  return FALSE;
}

gboolean
ls_poly_put_expr (GString     *out,
                  LsPolyNames *names,
                  LsExpr      *expr)
{
  gsize length = out->len;

  if (put (out, names, expr))
    return TRUE;
  g_string_truncate (out, length);
  return FALSE;
}

static gboolean
put_truth (GString     *out,
           LsPolyNames *names,
           LsExpr      *expr)
{
  static const char *const signs[] = { " = ", " != ", " < ", " <= ", " > ", " >= " };      /* ORDER LsKind, from EQ */
  LsBinary *pair = (LsBinary *) expr;
  gint64 number;

  if (ls_as_int (expr, &number))
    {
      g_string_append (out, number != 0 ? "0 = 0" : "0 = 1");
      return TRUE;
    }
  if (ls_is_call (expr, "tir.likely"))
    return put_truth (out, names, ((LsExpr **) ((LsCall *) expr)->args->items)[0]);
  if (ls_kind_is_compare (ls_kind (expr)))
    return ls_dtype_is_index (ls_dtype (pair->a)) && put_pair (out, names, expr, "(", signs[ls_kind (expr) - LS_KIND_EQ], ")");
  if (ls_is (expr, NOT))
    {
      g_string_append (out, "(not ");
      if (!put_truth (out, names, ((LsNot *) expr)->a))
        return FALSE;
      g_string_append_c (out, ')');
      return TRUE;
    }
  if (!ls_is (expr, AND) && !ls_is (expr, OR))
    return FALSE;
  g_string_append_c (out, '(');
  if (!put_truth (out, names, pair->a))
    return FALSE;
  g_string_append (out, ls_is (expr, AND) ? " and " : " or ");
  if (!put_truth (out, names, pair->b))
    return FALSE;
  g_string_append_c (out, ')');
  return TRUE;
}

gboolean
ls_poly_put_condition (GString     *out,
                       LsPolyNames *names,
                       LsExpr      *condition)
{
  gsize length = out->len;

  if (put_truth (out, names, condition))
    return TRUE;
  g_string_truncate (out, length);
  return FALSE;
}
