/* boxes: boxes in a picture, where how much is to be done depends on where they lie: which ones overlap too much (what ONNX's NonMaxSuppression leaves),
 * and means over as many samples as a region is large (its RoiAlign).  Stages of statements, since no expression of a point says them. */
#include "engine/topi/topi-private.h"

#include <math.h>

static LsExpr *
f32 (double value)
{
  return ls_const_float (LS_FLOAT32, value);
}

static LsExpr *
at (LsBuffer *buffer,
    LsArray  *places)           /* taken */
{
  return ls_buffer_load_new (ls_ref (buffer), places, NULL);
}

static LsStmt *
put (LsBuffer *buffer,
     LsExpr   *value,
     LsArray  *places)
{
  return ls_buffer_store_new (ls_ref (buffer), value, places, NULL);
}

/* From 0 up to `extent` (taken). */
static LsStmt *
loop (LsVar  *var,
      LsExpr *extent,
      LsStmt *body)
{
  return LS_STMT (ls_for_new (ls_ref (var), ls_const_int (ls_dtype (var), 0), extent, LS_FOR_SERIAL, body, NULL, NULL));
}

#define AT2(a, b) ls_array_of (REF (a), REF (b), NULL)
#define AT3(a, b, c) ls_array_of (REF (a), REF (b), REF (c), NULL)
#define AT4(a, b, c, d) ls_array_of (REF (a), REF (b), REF (c), REF (d), NULL)

/* ---- which boxes stay --------------------------------------------------------------------- */

typedef struct {
  LsBuffer *boxes, *scores, *order, *keep, *taken;
  LsVar    *b, *c, *r, *q;
  gboolean  center;
} Nms;

/* The box of rank `rank`: one of its four numbers. */
static LsExpr *
number (Nms   *self,
        LsVar *rank,
        int    k)
{
  g_autoptr (LsExpr) which = at (self->order, AT3 (self->b, self->c, rank)), last = ls_int (k);

  return at (self->boxes, AT3 (self->b, which, last));
}

/* Its lower or upper end along an axis (0: down). */
static LsExpr *
end_of (Nms     *self,
        LsVar   *rank,
        int      axis,
        gboolean upper)
{
  if (self->center)             /* x, y, width, height */
    {
      LsExpr *half = ls_mul (number (self, rank, 3 - axis), f32 (0.5)), *middle = number (self, rank, 1 - axis);

      return upper ? ls_add (middle, half) : ls_sub (middle, half);
    }
  return upper ? ls_max (number (self, rank, axis), number (self, rank, axis + 2)) : ls_min (number (self, rank, axis), number (self, rank, axis + 2));
}

static LsExpr *
area (Nms   *self,
      LsVar *rank)
{
  return ls_mul (ls_sub (end_of (self, rank, 0, TRUE), end_of (self, rank, 0, FALSE)), ls_sub (end_of (self, rank, 1, TRUE), end_of (self, rank, 1, FALSE)));
}

/* What two boxes share along an axis. */
static LsExpr *
shared (Nms *self,
        int  axis)
{
  LsExpr *upper = ls_min (end_of (self, self->r, axis, TRUE), end_of (self, self->q, axis, TRUE));
  LsExpr *lower = ls_max (end_of (self, self->r, axis, FALSE), end_of (self, self->q, axis, FALSE));

  return ls_max (ls_sub (upper, lower), f32 (0.0));
}

/* The boxes by their rank: each stays where its score is high enough and none that stays before it shares more with it. */
static LsStmt *
choose (Nms    *self,
        gint64  most,
        double  overlap,
        double  least,
        LsArray *shape)
{
  g_autoptr (LsVar) common = ls_var_new ("common", LS_FLOAT32), whole = ls_var_new ("whole", LS_FLOAT32);
  g_autoptr (LsExpr) which = at (self->order, AT3 (self->b, self->c, self->r));
  LsExpr *room = ls_lt (at (self->taken, AT2 (self->b, self->c)), ls_const_int (LS_INT64, most));
  LsExpr *good = ls_gt (at (self->scores, AT3 (self->b, self->c, which)), f32 (least));
  LsExpr *stays = ls_ne (at (self->keep, AT3 (self->b, self->c, self->q)), ls_const_int (LS_INT64, 0));
  LsExpr *too_much = ls_and (ls_gt (REF (whole), f32 (0.0)), ls_gt (REF (common), ls_mul (f32 (overlap), REF (whole))));
  LsStmt *compare, *body;

  compare = ls_if_then_else_new (too_much, put (self->keep, ls_const_int (LS_INT64, 0), AT3 (self->b, self->c, self->r)), NULL);
  compare = ls_let_stmt_new (ls_ref (whole), ls_sub (ls_add (area (self, self->r), area (self, self->q)), REF (common)), compare);
  compare = ls_let_stmt_new (ls_ref (common), ls_mul (shared (self, 0), shared (self, 1)), compare);
  compare = loop (self->q, REF (self->r), ls_if_then_else_new (stays, compare, NULL));
  body = ls_seq (ls_array_of (put (self->keep, ls_cast (LS_INT64, ls_and (room, good)), AT3 (self->b, self->c, self->r)), compare,
                              put (self->taken, ls_add (at (self->taken, AT2 (self->b, self->c)), at (self->keep, AT3 (self->b, self->c, self->r))), AT2 (self->b, self->c)), NULL));
  body = loop (self->r, REF (shape->items[2]), body);
  body = ls_seq (ls_array_of (put (self->taken, ls_const_int (LS_INT64, 0), AT2 (self->b, self->c)), body, NULL));
  return loop (self->b, REF (shape->items[0]), loop (self->c, REF (shape->items[1]), body));
}

LsArray *
ls_topi_nms_keep (LsTeTensor *boxes,
                  LsTeTensor *scores,
                  LsTeTensor *order,
                  gint64      most,
                  double      overlap,
                  double      least,
                  gboolean    center,
                  GError    **error)
{
  g_autoptr (LsBuffer) b = NULL, s = NULL, o = NULL, keep = NULL, taken = NULL;
  g_autoptr (LsVar) i = NULL, c = NULL, r = NULL, q = NULL;
  LsDType t;
  Nms self;

  if (boxes == NULL || scores == NULL || order == NULL)
    return NULL;
  if (boxes->shape->n != 3 || scores->shape->n != 3 || order->shape->n != 3 || !ls_dtype_equal (boxes->dtype, LS_FLOAT32) || !ls_dtype_equal (scores->dtype, LS_FLOAT32))
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "boxes (batch, n, 4) and scores (batch, classes, n) of float32 are expected");
      return NULL;
    }
  t = ls_dtype (scores->shape->items[2]);
  b = ls_te_extern_buffer (boxes);
  s = ls_te_extern_buffer (scores);
  o = ls_te_extern_buffer (order);
  keep = ls_buffer_new ("keep", LS_INT64, ls_ref (scores->shape), "global");
  taken = ls_buffer_new ("taken", LS_INT64, ls_array_of (REF (scores->shape->items[0]), REF (scores->shape->items[1]), NULL), "global");
  i = ls_var_new ("b", t);
  c = ls_var_new ("c", t);
  r = ls_var_new ("r", t);
  q = ls_var_new ("q", t);
  self = (Nms) { b, s, o, keep, taken, i, c, r, q, center };
  return ls_te_extern ("nms", "nms", NULL, ls_array_of (ls_ref (boxes), ls_ref (scores), ls_ref (order), NULL), ls_array_of (ls_ref (b), ls_ref (s), ls_ref (o), NULL),
                       ls_array_of (ls_ref (keep), ls_ref (taken), NULL), choose (&self, most, overlap, least, scores->shape), error);
}

/* ---- regions of a picture ------------------------------------------------------------------------ */

typedef struct {
  LsBuffer *x, *regions, *batch, *out;
  LsVar    *r, *c, *i[2], *s[2];        /* the region, the channel, the part of it, the sample in the part; each down and across */
  LsExpr   *extents[2];
  gint64    parts[2];
  double    scale;
  gboolean  half, greatest;
} Roi;

/* Where the region begins along an axis, or ends. */
static LsExpr *
edge (Roi     *self,
      guint    axis,
      gboolean upper)
{
  g_autoptr (LsExpr) k = ls_int ((upper ? 2 : 0) + 1 - (int) axis);
  LsExpr *place = ls_mul (at (self->regions, AT2 (self->r, k)), f32 (self->scale));

  return self->half ? ls_sub (place, f32 (0.5)) : place;
}

static LsExpr *
length (Roi  *self,
        guint axis)
{
  LsExpr *whole = ls_sub (edge (self, axis, TRUE), edge (self, axis, FALSE));

  return self->half ? whole : ls_max (whole, f32 (1.0));
}

/* As many samples in a part as it is pixels long. */
static LsExpr *
samples (Roi  *self,
         guint axis)
{
  return ls_cast (LS_INT32, ls_te_unary ("ceil", ls_truncdiv (length (self, axis), f32 ((double) self->parts[axis]))));
}

/* One of the four pixels around a sample, times its share. */
static LsExpr *
pixel (Roi      *self,
       LsVar   **place,
       LsVar   **low,
       gboolean  down,
       gboolean  across)
{
  gboolean upper[2] = { down, across };
  LsExpr *share = NULL, *indices[2];
  g_autoptr (LsExpr) n = at (self->batch, ls_array_of (REF (self->r), NULL));
  g_autoptr (LsExpr) y = NULL, x = NULL;

  for (guint axis = 0; axis < 2; axis++)
    {
      LsExpr *off = ls_sub (REF (place[axis]), ls_cast (LS_FLOAT32, REF (low[axis]))), *one = upper[axis] ? off : ls_sub (f32 (1.0), off);

      share = share == NULL ? one : ls_mul (share, one);
      indices[axis] = upper[axis] ? ls_min (ls_add (REF (low[axis]), ls_int (1)), ls_cast (LS_INT32, ls_sub (REF (self->extents[axis]), ls_int (1)))) : REF (low[axis]);
    }
  y = indices[0];
  x = indices[1];
  return ls_mul (at (self->x, AT4 (n, self->c, y, x)), share);
}

/* Takes one sample into the part. */
static LsStmt *
take_sample (Roi *self)
{
  g_autoptr (LsVar) y = ls_var_new ("y", LS_FLOAT32), x = ls_var_new ("x", LS_FLOAT32), y_in = ls_var_new ("y_in", LS_FLOAT32), x_in = ls_var_new ("x_in", LS_FLOAT32);
  g_autoptr (LsVar) y_low = ls_var_new ("y_low", LS_INT32), x_low = ls_var_new ("x_low", LS_INT32);
  LsVar *place[2] = { y, x }, *inside[2] = { y_in, x_in }, *low[2] = { y_low, x_low };
  LsExpr *sum = pixel (self, inside, low, FALSE, FALSE), *is_in = NULL;
  LsStmt *body;

  for (guint k = 1; k < 4; k++)
    {
      LsExpr *one = pixel (self, inside, low, k & 2, k & 1);

      sum = self->greatest ? ls_max (sum, one) : ls_add (sum, one);
    }
  for (guint axis = 0; axis < 2; axis++)
    {
      LsExpr *in = ls_and (ls_ge (REF (place[axis]), f32 (-1.0)), ls_le (REF (place[axis]), ls_cast (LS_FLOAT32, REF (self->extents[axis]))));

      is_in = is_in == NULL ? in : ls_and (is_in, in);
    }
  sum = ls_if_then_else (is_in, sum, f32 (0.0));
  sum = self->greatest ? ls_max (at (self->out, AT4 (self->r, self->c, self->i[0], self->i[1])), sum) : ls_add (at (self->out, AT4 (self->r, self->c, self->i[0], self->i[1])), sum);
  body = put (self->out, sum, AT4 (self->r, self->c, self->i[0], self->i[1]));
  for (guint axis = 2; axis-- > 0;)
    {
      LsExpr *last = ls_sub (ls_cast (LS_FLOAT32, REF (self->extents[axis])), f32 (1.0)), *part = f32 ((double) self->parts[axis]), *step;

      step = ls_truncdiv (ls_add (ls_cast (LS_FLOAT32, REF (self->s[axis])), f32 (0.5)), ls_cast (LS_FLOAT32, samples (self, axis)));
      step = ls_truncdiv (ls_mul (ls_add (ls_cast (LS_FLOAT32, REF (self->i[axis])), step), length (self, axis)), part);
      body = ls_let_stmt_new (ls_ref (low[axis]), ls_cast (LS_INT32, ls_te_unary ("floor", REF (inside[axis]))), body);
      body = ls_let_stmt_new (ls_ref (inside[axis]), ls_max (ls_min (REF (place[axis]), last), f32 (0.0)), body);
      body = ls_let_stmt_new (ls_ref (place[axis]), ls_add (edge (self, axis, FALSE), step), body);
    }
  return body;
}

static LsStmt *
sample_all (Roi     *self,
            LsArray *shape)
{
  LsExpr *first = self->greatest ? f32 (-G_MAXFLOAT) : f32 (0.0), *n, *whole;
  LsStmt *body = loop (self->s[0], samples (self, 0), loop (self->s[1], samples (self, 1), take_sample (self))), *end = NULL;

  n = ls_mul (samples (self, 0), samples (self, 1));
  whole = at (self->out, AT4 (self->r, self->c, self->i[0], self->i[1]));
  if (self->greatest)           /* of no sample at all: 0, as the mean is */
    end = put (self->out, ls_if_then_else (ls_and (ls_gt (samples (self, 0), ls_int (0)), ls_gt (samples (self, 1), ls_int (0))), whole, f32 (0.0)),
               AT4 (self->r, self->c, self->i[0], self->i[1]));
  else
    end = put (self->out, ls_truncdiv (whole, ls_cast (LS_FLOAT32, ls_max (REF (n), ls_int (1)))), AT4 (self->r, self->c, self->i[0], self->i[1]));
  ls_unref (n);
  body = ls_seq (ls_array_of (put (self->out, first, AT4 (self->r, self->c, self->i[0], self->i[1])), body, end, NULL));
  body = loop (self->i[0], REF (shape->items[2]), loop (self->i[1], REF (shape->items[3]), body));
  return loop (self->r, REF (shape->items[0]), loop (self->c, REF (shape->items[1]), body));
}

LsTeTensor *
ls_topi_roi_align (LsTeTensor *x,
                   LsTeTensor *regions,
                   LsTeTensor *batch,
                   gint64      rows,
                   gint64      columns,
                   double      scale,
                   gboolean    half,
                   gboolean    greatest,
                   GError    **error)
{
  g_autoptr (LsArray) outputs = NULL, shape = NULL;
  g_autoptr (LsBuffer) picture = NULL, r = NULL, b = NULL, out = NULL;
  g_autoptr (LsVar) region = NULL, channel = NULL, i = NULL, j = NULL, a = ls_var_new ("a", LS_INT32), k = ls_var_new ("k", LS_INT32);
  LsDType t;
  Roi self;

  if (x == NULL || regions == NULL || batch == NULL)
    return NULL;
  if (x->shape->n != 4 || regions->shape->n != 2 || batch->shape->n != 1 || !ls_dtype_equal (x->dtype, LS_FLOAT32) || !ls_dtype_equal (regions->dtype, LS_FLOAT32))
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "a picture (batch, channels, rows, columns) and regions (n, 4) of float32, and the picture of each, are expected");
      return NULL;
    }
  t = ls_dtype (x->shape->items[1]);
  shape = ls_array_of (REF (regions->shape->items[0]), REF (x->shape->items[1]), ls_const_int (t, rows), ls_const_int (t, columns), NULL);
  picture = ls_te_extern_buffer (x);
  r = ls_te_extern_buffer (regions);
  b = ls_te_extern_buffer (batch);
  out = ls_buffer_new ("out_buf", LS_FLOAT32, ls_ref (shape), "global");
  region = ls_var_new ("r", ls_dtype (shape->items[0]));
  channel = ls_var_new ("c", t);
  i = ls_var_new ("i", t);
  j = ls_var_new ("j", t);
  self = (Roi) { picture, r, b, out, region, channel, { i, j }, { a, k }, { DIM (x, 2), DIM (x, 3) }, { rows, columns }, scale, half, greatest };
  outputs = ls_te_extern ("roi_align", "roi_align", NULL, ls_array_of (ls_ref (x), ls_ref (regions), ls_ref (batch), NULL),
                          ls_array_of (ls_ref (picture), ls_ref (r), ls_ref (b), NULL), ls_array_of (ls_ref (out), NULL), sample_all (&self, shape), error);
  return outputs != NULL ? ls_ref (ls_array_at (outputs, 0, LsTeTensor)) : NULL;
}
