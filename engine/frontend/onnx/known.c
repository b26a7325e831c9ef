/* onnx/known: graphs compute shapes: Shape, Gather, Concat, Reshape.  What is known of them is a list of whole numbers or of extents (or one,
 * where the tensor has no dimensions), and goes with the values; the tensor itself is made when somebody asks for it. */
#include "engine/frontend/onnx/onnx-private.h"

#include "engine/arith/analyzer.h"

#include <string.h>

#define MOST_KNOWN 1024

/* ---- computing ------------------------------------------------------------------------------- */

static LsExpr *
expr_of (LsFxValue *value)      /* (transfer full) */
{
  return value->kind == LS_FX_NODE ? ls_ref ((LsExpr *) value->node) : LS_EXPR (ls_int_imm_new (LS_INT64, value->i));
}

/* Floor division and truncation are the same where it is used: nothing here is negative but axes. */
static LsFxValue *
combine (LsOnnxImport *self,
         const char   *op,
         LsFxValue    *a,
         LsFxValue    *b)
{
  gboolean symbolic = a->kind == LS_FX_NODE || b->kind == LS_FX_NODE;
  gint64 y = 0;

  if (strcmp (op, "Equal") == 0)
    return symbolic ? (a->kind == b->kind && a->node == b->node ? ls_fx_bool (&self->fx, TRUE)
                       : (a->kind == LS_FX_INT && a->i < 0) || (b->kind == LS_FX_INT && b->i < 0) ? ls_fx_bool (&self->fx, FALSE) : NULL)
                    : ls_fx_bool (&self->fx, a->i == b->i);
  if (symbolic)
    {
      g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
      g_autoptr (LsExpr) expr = NULL, simple = NULL;
      LsKind kind = LS_KIND_ADD;

      if (strcmp (op, "Sub") == 0)
        kind = LS_KIND_SUB;
      else if (strcmp (op, "Mul") == 0)
        kind = LS_KIND_MUL;
      else if (strcmp (op, "Div") == 0)
        kind = LS_KIND_FLOOR_DIV;
      else if (strcmp (op, "Add") != 0)
        return NULL;
      if (kind == LS_KIND_FLOOR_DIV && b->kind == LS_FX_INT && b->i <= 0)
        return NULL;
      expr = ls_binary (kind, expr_of (a), expr_of (b));
      simple = ls_analyzer_simplify (analyzer, expr);
      return ls_fx_extent (&self->fx, simple);
    }
  if (strcmp (op, "Add") == 0 ? __builtin_add_overflow (a->i, b->i, &y) : strcmp (op, "Sub") == 0 ? __builtin_sub_overflow (a->i, b->i, &y)
      : strcmp (op, "Mul") == 0 ? __builtin_mul_overflow (a->i, b->i, &y) : FALSE)
    return NULL;
  if (strcmp (op, "Div") == 0)
    {
      if (b->i == 0 || b->i == -1)
        return NULL;
      y = a->i / b->i;
    }
  else if (strcmp (op, "Max") == 0)
    y = MAX (a->i, b->i);
  else if (strcmp (op, "Min") == 0)
    y = MIN (a->i, b->i);
  return ls_fx_int (&self->fx, y);
}

/* Element i of what may be one number for all. */
static LsFxValue *
element (LsFxValue *value,
         guint      i)
{
  return value->kind != LS_FX_LIST ? value : value->n == 1 ? value->items[0] : i < value->n ? value->items[i] : NULL;
}

static LsFxValue *
elementwise (LsOnnxImport *self,
             const char   *op,
             LsFxValue    *condition,   /* or NULL */
             LsFxValue    *a,
             LsFxValue    *b)
{
  LsFxValue *all[] = { a, b, condition }, **items;
  gboolean is_list = FALSE;
  guint n = 1;

  for (guint i = 0; i < 3; i++)
    if (all[i] != NULL && all[i]->kind == LS_FX_LIST)
      {
        is_list = TRUE;
        n = all[i]->n != 1 ? all[i]->n : n;
      }
  items = ls_fx_alloc (&self->fx, n * sizeof *items);
  for (guint i = 0; i < n; i++)
    {
      LsFxValue *x = element (a, i), *y = element (b, i), *c = condition != NULL ? element (condition, i) : NULL;

      if (x == NULL || y == NULL || (condition != NULL && (c == NULL || c->kind != LS_FX_BOOL)))
        return NULL;
      if ((items[i] = c != NULL ? (c->i ? x : y) : combine (self, op, x, y)) == NULL)
        return NULL;
    }
  return is_list ? ls_fx_list (&self->fx, items, n) : items[0];
}

/* ---- of shapes ------------------------------------------------------------------------------------ */

static LsFxValue *
shape_of (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_input (self, 0), *known = ls_onnx_known_input (self, 0), *shape;
  gint64 from, to;

  if (x == NULL)
    return NULL;
  shape = known != NULL && known->kind == LS_FX_LIST ? ls_fx_list (&self->fx, (LsFxValue *[]) { ls_fx_int (&self->fx, known->n) }, 1) : ls_fx_shape (&self->fx, x);
  if (shape == NULL)
    return NULL;
  from = ls_onnx_attr_int (self, "start", 0);
  to = ls_onnx_attr_int (self, "end", shape->n);
  from = CLAMP (from < 0 ? from + shape->n : from, 0, shape->n);
  to = CLAMP (to < 0 ? to + shape->n : to, from, shape->n);
  return ls_fx_list (&self->fx, shape->items + from, (guint) (to - from));
}

static LsFxValue *
product (LsOnnxImport *self,
         LsFxValue    *list)
{
  LsFxValue *y = ls_fx_int (&self->fx, 1);

  for (guint i = 0; y != NULL && i < list->n; i++)
    y = combine (self, "Mul", y, list->items[i]);
  return y;
}

static LsFxValue *
gather (LsOnnxImport *self,
        LsFxValue    *x,
        LsFxValue    *at)
{
  LsFxValue **items;

  if (x->kind != LS_FX_LIST || ls_onnx_attr_int (self, "axis", 0) > 0)
    return NULL;
  items = ls_fx_alloc (&self->fx, (at->kind == LS_FX_LIST ? at->n : 1) * sizeof *items);
  for (guint i = 0; i < (at->kind == LS_FX_LIST ? at->n : 1); i++)
    {
      LsFxValue *index = at->kind == LS_FX_LIST ? at->items[i] : at;
      gint64 place = index->kind == LS_FX_INT ? index->i < 0 ? index->i + x->n : index->i : -1;

      if (place < 0 || place >= x->n)
        return NULL;
      items[i] = x->items[place];
    }
  return at->kind == LS_FX_LIST ? ls_fx_list (&self->fx, items, at->n) : items[0];
}

static LsFxValue *
concat (LsOnnxImport *self)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (guint i = 0; i < self->node->n_input; i++)
    {
      LsFxValue *part = ls_onnx_known_input (self, i);

      if (part == NULL || part->kind != LS_FX_LIST)
        return NULL;
      for (guint k = 0; k < part->n; k++)
        g_ptr_array_add (all, part->items[k]);
    }
  return ls_fx_list (&self->fx, (LsFxValue **) all->pdata, all->len);
}

static LsFxValue *
slice (LsOnnxImport *self,
       LsFxValue    *x)
{
  LsFxValue *from = ls_onnx_known_input (self, 1), *to = ls_onnx_known_input (self, 2), *step = ls_onnx_known_input (self, 4);
  gint64 begin, end, by = 1;
  g_autoptr (GPtrArray) items = NULL;

  if (x->kind != LS_FX_LIST || from == NULL || to == NULL || (step == NULL && self->node->n_input > 4))
    return NULL;
  from = element (from, 0);
  to = element (to, 0);
  step = step != NULL ? element (step, 0) : NULL;
  if (from == NULL || to == NULL || from->kind != LS_FX_INT || to->kind != LS_FX_INT || (step != NULL && step->kind != LS_FX_INT))
    return NULL;
  by = step != NULL ? step->i : 1;
  begin = from->i < 0 ? from->i + x->n : from->i;
  end = to->i < 0 && to->i >= -(gint64) x->n ? to->i + x->n : to->i;
  if (by <= 0 || by > MOST_KNOWN)
    return NULL;
  items = g_ptr_array_new ();
  for (gint64 i = CLAMP (begin, 0, x->n); i < CLAMP (end, 0, x->n); i += by)
    g_ptr_array_add (items, x->items[i]);
  return ls_fx_list (&self->fx, (LsFxValue **) items->pdata, items->len);
}

static LsFxValue *
filled (LsOnnxImport *self,
        LsFxValue    *shape)
{
  LsFxValue *value = ls_onnx_attr (self, "value"), *known, **items;
  LsTensor *tensor = value != NULL && value->kind == LS_FX_NODE && ls_is (value->node, CONSTANT) ? ((LsConstant *) value->node)->data : NULL;
  gint64 number = 0, n;

  if (tensor == NULL || !ls_dtype_equal (tensor->dtype, LS_INT64) || g_bytes_get_size (tensor->data) != 8 || shape->kind != LS_FX_LIST || shape->n > 1
      || (shape->n == 1 && (shape->items[0]->kind != LS_FX_INT || shape->items[0]->i < 0 || shape->items[0]->i > MOST_KNOWN)))
    return NULL;
  memcpy (&number, g_bytes_get_data (tensor->data, NULL), 8);
  known = ls_fx_int (&self->fx, GINT64_FROM_LE (number));
  if (shape->n == 0)
    return known;
  n = shape->items[0]->i;
  items = ls_fx_alloc (&self->fx, (gsize) n * sizeof *items);
  for (gint64 i = 0; i < n; i++)
    items[i] = known;
  return ls_fx_list (&self->fx, items, (guint) n);
}

static LsFxValue *
range (LsOnnxImport *self,
       LsFxValue    *from)
{
  LsFxValue *to = ls_onnx_known_input (self, 1), *by = ls_onnx_known_input (self, 2);
  g_autoptr (GPtrArray) items = g_ptr_array_new ();

  if (to == NULL || by == NULL || from->kind != LS_FX_INT || to->kind != LS_FX_INT || by->kind != LS_FX_INT || by->i <= 0 || ABS (from->i) > G_MAXINT32
      || ABS (to->i) > G_MAXINT32 || (to->i - from->i) / by->i > MOST_KNOWN)
    return NULL;
  for (gint64 i = from->i; i < to->i; i += by->i)
    g_ptr_array_add (items, ls_fx_int (&self->fx, i));
  return ls_fx_list (&self->fx, (LsFxValue **) items->pdata, items->len);
}

/* One number and a list of one become each other. */
static LsFxValue *
reshaped (LsOnnxImport *self,
          LsFxValue    *x,
          const char   *op)
{
  LsFxValue *shape = strcmp (op, "Reshape") == 0 ? ls_onnx_known_input (self, 1) : NULL;

  if (strcmp (op, "Unsqueeze") == 0)
    return x->kind != LS_FX_LIST ? ls_fx_list (&self->fx, &x, 1) : NULL;
  if (strcmp (op, "Squeeze") == 0)
    return x->kind == LS_FX_LIST && x->n == 1 ? x->items[0] : x->kind != LS_FX_LIST ? x : NULL;
  if (shape == NULL || shape->kind != LS_FX_LIST)
    return NULL;
  if (shape->n == 0)
    return x->kind == LS_FX_LIST && x->n == 1 ? x->items[0] : x->kind != LS_FX_LIST ? x : NULL;
  return shape->n > 1 ? NULL : x->kind == LS_FX_LIST ? x : ls_fx_list (&self->fx, &x, 1);
}

LsFxValue *
ls_onnx_known (LsOnnxImport *self)
{
  static const char *const ELEMENTWISE[] = { "Add", "Sub", "Mul", "Div", "Max", "Min", "Equal", NULL };
  static const char *const RESHAPED[] = { "Unsqueeze", "Squeeze", "Reshape", NULL };
  const char *op = self->node->op_type;
  LsFxValue *x = ls_onnx_known_input (self, 0), *y = ls_onnx_known_input (self, 1), *shape;
  gint32 to;

  if (strcmp (op, "Shape") == 0)
    return shape_of (self);
  if (strcmp (op, "Size") == 0)
    return (shape = ls_fx_shape (&self->fx, ls_onnx_input (self, 0))) != NULL ? product (self, shape) : NULL;
  if (x == NULL)
    return NULL;
  if (strcmp (op, "Concat") == 0)
    return concat (self);
  if (strcmp (op, "Identity") == 0)
    return x;
  if (strcmp (op, "Neg") == 0 && element (x, 0) != NULL && element (x, 0)->kind != LS_FX_BOOL)
    return elementwise (self, "Sub", NULL, ls_fx_int (&self->fx, 0), x);
  if (strcmp (op, "Gather") == 0 && y != NULL)
    return gather (self, x, y);
  if (strcmp (op, "Slice") == 0)
    return slice (self, x);
  if (strcmp (op, "ConstantOfShape") == 0)
    return filled (self, x);
  if (strcmp (op, "Range") == 0)
    return range (self, x);
  if (strcmp (op, "ReduceProd") == 0 && x->kind == LS_FX_LIST)
    {
      shape = product (self, x);
      return shape != NULL && ls_onnx_attr_int (self, "keepdims", 1) ? ls_fx_list (&self->fx, &shape, 1) : shape;
    }
  if (strcmp (op, "Cast") == 0)
    {
      to = (gint32) ls_onnx_attr_int (self, "to", 0);
      return to == 7 && element (x, 0) != NULL && element (x, 0)->kind != LS_FX_BOOL ? x : NULL;
    }
  if (g_strv_contains (RESHAPED, op))
    return reshaped (self, x, op);
  if (strcmp (op, "Where") == 0 && y != NULL && ls_onnx_known_input (self, 2) != NULL)
    return elementwise (self, op, x, y, ls_onnx_known_input (self, 2));
  if (g_strv_contains (ELEMENTWISE, op) && y != NULL && self->node->n_input == 2)
    return elementwise (self, op, NULL, x, y);
  return NULL;
}
