/* legalize/create: filled tensors, arange, eye, triangles, windows. */
#include "engine/relax/legalize/legalize.h"

#include <string.h>

static LsNode *
filled (LsLegalize *self,
        LsExpr     *value)
{
  LsArray *shape = ls_legalize_shape (self);

  return ls_legalize_one (self, shape != NULL && value != NULL ? ls_topi_full (shape, self->result->dtype, value, &self->error) : NULL);
}

/* A value that is no constant is read where it is needed. */
static LsNode *
full (LsLegalize *self)
{
  LsExpr *value = ls_legalize_scalar (self, self->call->args->items[1]);
  LsTeTensor *tensor = value == NULL ? ls_legalize_tensor (self, 1) : NULL;

  if (tensor != NULL)
    value = ls_legalize_keep (self, ls_te_load (tensor, ls_array_empty ()));
  return filled (self, value);
}

static LsNode *
ones (LsLegalize *self)
{
  return filled (self, ls_legalize_const (self, self->result->dtype, 1));
}

static LsNode *
zeros (LsLegalize *self)
{
  return filled (self, ls_legalize_const (self, self->result->dtype, 0));
}

/* ---- arange: of constants it is a constant ------------------------------------------ */

static void
put_number (GByteArray *out,
            LsDType     dtype,
            double      value,
            gint64      whole)
{
  guint8 bytes[8] = { 0 };

  if (dtype.code == LS_TYPE_FLOAT && dtype.bits == 64)
    memcpy (bytes, &value, 8);
  else if (dtype.code == LS_TYPE_FLOAT && dtype.bits == 32)
    {
      float narrow = (float) value;

      memcpy (bytes, &narrow, 4);
    }
  else if (dtype.code == LS_TYPE_FLOAT)
    {
      guint16 half = ls_half_from_double (value);

      memcpy (bytes, &half, 2);
    }
  else
    memcpy (bytes, &whole, 8);
  g_byte_array_append (out, bytes, ls_dtype_bytes (dtype));
}

static gboolean
as_number (LsExpr *expr,
           double *value,
           gint64 *whole)
{
  if (ls_as_int (expr, whole))
    *value = (double) *whole;
  else if (ls_is (expr, FLOAT_IMM))
    {
      *value = ((LsFloatImm *) expr)->value;
      *whole = (gint64) CLAMP (*value, -9e18, 9e18);
    }
  else
    return FALSE;
  return TRUE;
}

static gboolean
can_put (LsDType dtype)
{
  return dtype.lanes == 1 && dtype.code <= LS_TYPE_FLOAT && dtype.bits >= 8 && (dtype.code != LS_TYPE_FLOAT || dtype.bits >= 16);
}

LsNode *
ls_legalize_number (LsExpr *number,
                    LsDType dtype)
{
  GByteArray *bytes;
  double value;
  gint64 whole;

  if (!can_put (dtype) || !as_number (number, &value, &whole))
    return NULL;
  bytes = g_byte_array_new ();
  put_number (bytes, dtype, value, whole);
  return ls_constant_new (ls_tensor_new (dtype, ls_array_empty (), g_byte_array_free_to_bytes (bytes)));
}

static LsNode *
arange (LsLegalize *self)
{
  LsExpr *part[3];
  double at[3];
  gint64 whole[3], n;
  LsArray *shape = ls_tensor_extents (self->result);
  LsDType dtype = self->result->dtype;
  GByteArray *bytes;

  for (guint i = 0; i < 3; i++)
    if ((part[i] = ls_legalize_scalar (self, self->call->args->items[i])) == NULL)
      return ls_legalize_stay (self);
  if (!as_number (part[0], &at[0], &whole[0]) || !as_number (part[1], &at[1], &whole[1]) || !as_number (part[2], &at[2], &whole[2])
      || shape == NULL || !ls_as_int (shape->items[0], &n) || n > (1 << 28) || !can_put (dtype))
    return ls_legalize_one (self, ls_topi_arange (part[0], part[1], part[2], dtype, &self->error));
  bytes = g_byte_array_new ();
  for (gint64 i = 0; i < n; i++)
    put_number (bytes, dtype, at[0] + (double) i * at[2], (gint64) ((guint64) whole[0] + (guint64) i * (guint64) whole[2]));
  return ls_constant_new (ls_tensor_new (dtype, ls_ref (shape), g_byte_array_free_to_bytes (bytes)));
}

static LsNode *
eye (LsLegalize *self)
{
  LsArray *shape = ls_legalize_shape (self);
  LsTeTensor *x = strcmp (self->row->name, "eye_like") == 0 ? ls_legalize_tensor (self, 0) : NULL;
  LsNode *diagonal = self->call->args->items[x != NULL ? 1 : 2];
  gint64 k;

  if (shape == NULL || !ls_is (diagonal, PRIM_VALUE) || !ls_as_int (((LsPrimValue *) diagonal)->value, &k))
    return ls_legalize_stay (self);
  return ls_legalize_one (self, ls_topi_eye (LS_EXPR (shape->items[0]), LS_EXPR (shape->items[1]), k, self->result->dtype, &self->error));
}

static LsNode *
triangle (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsExpr *k = ls_legalize_scalar (self, self->call->args->items[1]);

  return ls_legalize_one (self, x != NULL && k != NULL ? ls_topi_trilu (x, k, strcmp (self->row->name, "triu") == 0, &self->error) : NULL);
}

/* alpha - beta cos (2 pi i / n), where n is one less than the size unless the window is periodic. */
static LsNode *
hamming_window (LsLegalize *self)
{
  LsArray *shape = ls_legalize_shape (self), *axes;
  LsDType t = self->result->dtype;
  LsExpr *part[4];
  g_autoptr (LsExpr) n = NULL;
  LsExpr *turns, *value;

  for (guint i = 0; i < 4; i++)
    if ((part[i] = ls_legalize_scalar (self, self->call->args->items[i])) == NULL)
      return ls_legalize_stay (self);
  if (shape == NULL)
    return ls_legalize_stay (self);
  if (ls_is_one (part[0]))
    return filled (self, ls_legalize_const (self, t, 1));
  n = ls_sub (ls_cast (LS_INT64, ls_ref (part[0])), ls_if_then_else (ls_cast (LS_BOOL, ls_ref (part[1])), ls_extent (0), ls_extent (1)));
  axes = ls_te_axes (shape, "i*");
  turns = ls_te_div (ls_mul (ls_te_const (t, 2 * G_PI), ls_cast (t, ls_te_axis (axes, 0))), ls_cast (t, ls_ref (n)));
  value = ls_sub (ls_cast (t, ls_ref (part[2])), ls_mul (ls_cast (t, ls_ref (part[3])), ls_te_unary ("cos", turns)));
  return ls_legalize_one (self, ls_te_compute ("T_hamming_window", "injective", NULL, axes, value, &self->error));
}

const LsLegalizeRow ls_legalize_create[] = {
  { "hamming_window", hamming_window },
  { "arange", arange }, { "eye", eye }, { "eye_like", eye }, { "full", full }, { "full_like", full, "full" }, { "ones", ones },
  { "ones_like", ones, "ones" }, { "tril", triangle }, { "triu", triangle }, { "zeros", zeros }, { "zeros_like", zeros, "zeros" },
  { NULL }
};
