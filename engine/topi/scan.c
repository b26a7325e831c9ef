/* scan: running sums and products along an axis (topi.scan), a loop over lines with a sequential loop in each. */
#include "engine/topi/flat.h"

#include <string.h>

typedef struct {
  LsBuffer *in;
  LsBuffer *out;
  LsExpr   *after;              /* elements behind the axis: the step along it */
  LsExpr   *length;             /* of the axis */
  LsVar    *fused;
  gboolean  exclusive;
  gboolean  is_sum;
} Scan;

/* Where line `fused` begins. */
static LsExpr *
base_index (Scan *self)
{
  LsExpr *line = ls_floordiv (REF (self->fused), ls_ref (self->after));
  LsExpr *offset = ls_floormod (REF (self->fused), ls_ref (self->after));

  return ls_add (ls_mul (ls_mul (line, ls_ref (self->length)), ls_ref (self->after)), offset);
}

static LsExpr *
place (Scan   *self,
       LsExpr *k)
{
  return ls_add (base_index (self), ls_mul (k, ls_ref (self->after)));
}

static LsStmt *
scan_body (Scan *self)
{
  LsVar *k = ls_var_new ("_k", ls_dtype (self->length));
  LsExpr *current = ls_add (REF (k), ls_int (1));
  LsExpr *previous = ls_sub (REF (current), ls_int (1));
  LsExpr *first = self->exclusive ? ls_te_const (self->out->dtype, self->is_sum ? 0 : 1)
                                  : ls_cast (self->out->dtype, ls_topi_flat_load (self->in, base_index (self)));
  LsExpr *fresh = ls_cast (self->out->dtype, ls_topi_flat_load (self->in, place (self, self->exclusive ? REF (previous) : REF (current))));
  LsExpr *total = ls_topi_flat_load (self->out, place (self, previous));
  LsStmt *start = ls_topi_flat_store (self->out, base_index (self), first);
  LsStmt *step = ls_topi_flat_store (self->out, place (self, current), self->is_sum ? ls_add (total, fresh) : ls_mul (total, fresh));

  return ls_seq (ls_array_of (start, ls_topi_loop (k, ls_sub (ls_ref (self->length), ls_int (1)), LS_FOR_SERIAL, step), NULL));
}

LsTeTensor *
ls_topi_scan (const char    *name,
              LsTeTensor    *x,
              const gint64  *axis,
              const LsDType *dtype,
              gboolean       exclusive,
              GError       **error)
{
  g_autofree char *stage = g_strconcat (name, "_generic", NULL);
  g_autoptr (LsBuffer) in = NULL;
  g_autoptr (LsBuffer) out = NULL;
  g_autoptr (LsExpr) before = NULL;
  g_autoptr (LsExpr) after = NULL;
  g_autoptr (LsExpr) length = NULL;
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsArray) outputs = NULL;
  LsVar *fused;
  LsStmt *body;
  gboolean wide;
  guint at = 0;

  if (x == NULL)
    return NULL;
  if (!g_str_equal (name, "cumsum") && !g_str_equal (name, "cumprod"))
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.%s is no scan", name);
      return NULL;
    }
  if (axis != NULL && !ls_topi_axis (name, *axis, x->shape->n, &at, error))
    return NULL;
  wide = ls_topi_is_large (x->shape);
  before = ls_topi_widen (ls_int (1), wide);
  after = ls_topi_widen (ls_int (1), wide);
  for (guint i = 0; axis != NULL && i < x->shape->n; i++)
    if (i < at)
      before = ls_mul (before, ls_ref (DIM (x, i)));
    else if (i > at)
      after = ls_mul (after, ls_ref (DIM (x, i)));
  length = axis != NULL ? ls_ref (DIM (x, at)) : ls_topi_size (x->shape);
  length = ls_topi_widen (g_steal_pointer (&length), wide);
  shape = axis != NULL ? ls_ref (x->shape) : ls_array_of (ls_ref (length), NULL);
  in = ls_te_extern_buffer (x);
  out = ls_buffer_new ("out_buf", dtype != NULL ? *dtype : x->dtype, ls_ref (shape), "global");
  ls_take (&before, ls_mul (ls_ref (before), ls_ref (after)));
  fused = ls_var_new ("fused", ls_dtype (before));
  body = scan_body (&(Scan) { in, out, after, length, fused, exclusive, g_str_equal (name, "cumsum") });
  body = ls_topi_loop (fused, ls_ref (before), LS_FOR_PARALLEL, body);
  outputs = ls_te_extern (stage, stage, NULL, ls_array_of (ls_ref (x), NULL), ls_array_of (ls_ref (in), NULL), ls_array_of (ls_ref (out), NULL), body, error);
  return outputs != NULL ? ls_ref (ls_array_at (outputs, 0, LsTeTensor)) : NULL;
}
