/* check-extents: operands whose extents an operator takes to be equal, and of which only a run knows whether they are.
 *
 * The function of R.nn.conv2d goes over the channels of its weights and reads the data there; of R.squeeze(x, axis=[0]) it reads row 0; of
 * R.nn.attention it takes the rows of the values to be as many as those of the keys.  Where extents are numbers, the struct info refuses
 * what differs; where they are symbols,
 *
 *   same_extent = R.match_cast(x, R.Tensor((n, 3), dtype="float32"))
 *
 * says of an operand what it has to be, and a run says where it is not.  An operator is a row of OPERATORS. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/check-extents.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

#define MAX_OPERANDS 4

typedef struct {
  LsRelaxMutator *mutator;
  LsRelaxCall    *call;
  LsAnalyzer     *analyzer;
  guint           n;
  LsArray        *shapes[MAX_OPERANDS];  /* of the operands, NULL: not known */
  LsArray        *wanted[MAX_OPERANDS];
} Claim;

/* ---- what is asked for --------------------------------------------------------------- */

static LsExpr *
extent (Claim *self,
        guint  operand,
        guint  dim)
{
  LsArray *shape = operand < self->n ? self->wanted[operand] : NULL;

  return shape != NULL && dim < shape->n ? ls_array_at (shape, dim, LsExpr) : NULL;
}

/* The extent has to be this one, which is borrowed; nothing where one of the two is not known. */
static void
want (Claim  *self,
      guint   operand,
      guint   dim,
      LsExpr *other)
{
  LsExpr *own = extent (self, operand, dim);

  if (own == NULL || other == NULL || own == other || ls_analyzer_can_prove_equal (self->analyzer, own, other))
    return;
  ls_take (&self->wanted[operand], ls_array_with (self->wanted[operand], dim, other));
}

/* Two extents that have to be equal: the one that is a number stays. */
static void
want_same (Claim *self,
           guint  a,
           guint  a_dim,
           guint  b,
           guint  b_dim)
{
  LsExpr *first = extent (self, a, a_dim), *second = extent (self, b, b_dim);

  if (first != NULL && second != NULL && ls_is (second, INT_IMM) && !ls_is (first, INT_IMM))
    want (self, a, a_dim, second);
  else
    want (self, b, b_dim, first);
}

static const char *
attr_text (Claim      *self,
           const char *name)
{
  LsNode *attr = ls_relax_pass_attr (self->call, name);

  return ls_is (attr, STRING) ? ((LsString *) attr)->value : ls_is (attr, STRING_IMM) ? ((LsStringImm *) attr)->value : NULL;
}

static gint64
attr_int (Claim      *self,
          const char *name,
          gint64      otherwise)
{
  gint64 value = otherwise;
  LsNode *attr = ls_relax_pass_attr (self->call, name);

  return attr != NULL && ls_as_int ((LsExpr *) attr, &value) ? value : otherwise;
}

/* ---- operators ------------------------------------------------------------------------ */

static void
broadcast_to (Claim *self)
{
  LsNode *shape = self->call->args->items[1];
  LsArray *to = ls_is (shape, SHAPE_EXPR) ? ((LsShapeExpr *) shape)->values : NULL, *own = self->shapes[0];

  for (guint i = 1; to != NULL && own != NULL && i <= MIN (own->n, to->n); i++)
    if (!ls_is_one (ls_array_at (own, own->n - i, LsExpr)))
      want (self, 0, own->n - i, ls_array_at (to, to->n - i, LsExpr));
}

static void
squeeze (Claim *self)
{
  LsNode *axes = ls_relax_pass_attr (self->call, "axis");
  g_autoptr (LsExpr) one = ls_const_int (LS_INT64, 1);
  gint64 axis;

  for (guint i = 0; ls_is (axes, ARRAY) && self->shapes[0] != NULL && i < ((LsArray *) axes)->n; i++)
    if (ls_as_int (ls_array_at ((LsArray *) axes, i, LsExpr), &axis))
      want (self, 0, (guint) (axis < 0 ? axis + self->shapes[0]->n : axis), one);
}

/* Channels of the data: those of the weights, times the number of groups. */
static void
convolution (Claim *self)
{
  const char *data = attr_text (self, "data_layout"), *kernel = attr_text (self, "kernel_layout");
  const char *c = data != NULL ? strchr (data, 'C') : NULL, *i = kernel != NULL ? strchr (kernel, 'I') : NULL;
  LsExpr *weights = i != NULL ? extent (self, 1, (guint) (i - kernel)) : NULL;
  gboolean is_transposed = g_str_has_suffix (((LsRelaxOp *) self->call->op)->name, "_transpose");
  gint64 groups = attr_int (self, "groups", 1);
  g_autoptr (LsExpr) channels = NULL;

  /* A layout with a number in it splits an axis. */
  if (c == NULL || weights == NULL || strpbrk (data, "0123456789") != NULL || strpbrk (kernel, "0123456789") != NULL)
    return;
  channels = is_transposed || groups == 1 ? ls_ref (weights) : ls_mul (ls_ref (weights), ls_const_int (LS_INT64, groups));
  want (self, 0, (guint) (c - data), channels);
}

static void
attention (Claim *self)
{
  for (guint operand = 1; operand < 3; operand++)
    {
      want_same (self, 0, 0, operand, 0);
      want_same (self, 0, 2, operand, 2);
    }
  want_same (self, 0, 3, 1, 3);
  want_same (self, 1, 1, 2, 1);
}

static void
all_alike (Claim *self)
{
  for (guint dim = 0; self->shapes[0] != NULL && self->n > 1 && self->shapes[1] != NULL && self->shapes[1]->n == self->shapes[0]->n && dim < self->shapes[0]->n; dim++)
    want_same (self, 0, dim, 1, dim);
}

static void
scatter_elements (Claim *self)
{
  for (guint dim = 0; self->shapes[1] != NULL && dim < self->shapes[1]->n; dim++)
    want_same (self, 1, dim, 2, dim);
}

static void
scatter_nd (Claim *self)
{
  guint lead = self->shapes[1] != NULL && self->shapes[1]->n > 0 ? self->shapes[1]->n - 1 : 0;
  gint64 n;

  if (self->shapes[1] == NULL || self->shapes[1]->n == 0 || !ls_as_int (extent (self, 1, lead), &n) || n < 0)
    return;
  for (guint dim = 0; dim < lead; dim++)
    want_same (self, 1, dim, 2, dim);
  for (guint dim = (guint) n; self->shapes[0] != NULL && dim < self->shapes[0]->n; dim++)
    want_same (self, 0, dim, 2, lead + dim - (guint) n);
}

static LsExpr *
prim (Claim *self,
      guint  arg)
{
  LsNode *node = arg < self->call->args->n ? self->call->args->items[arg] : NULL;

  return ls_is (node, PRIM_VALUE) ? ((LsPrimValue *) node)->value : NULL;
}

/* The source has as many rows as the slice, where its ends are numbers inside of the data; and the data's other extents. */
static void
slice_scatter (Claim *self)
{
  guint n = self->shapes[0] != NULL ? self->shapes[0]->n : 0;
  gint64 axis = attr_int (self, "axis", 0), begin, end, step;

  axis += axis < 0 ? n : 0;
  for (guint dim = 0; dim < n; dim++)
    if (dim != axis)
      want_same (self, 0, dim, 1, dim);
  if (prim (self, 2) != NULL && prim (self, 3) != NULL && prim (self, 4) != NULL && ls_as_int (prim (self, 2), &begin) && ls_as_int (prim (self, 3), &end)
      && ls_as_int (prim (self, 4), &step) && 0 <= begin && begin <= end && end < G_MAXINT32 && step > 0)
    {
      g_autoptr (LsExpr) rows = ls_const_int (LS_INT64, (end - begin + step - 1) / step);
      g_autoptr (LsExpr) last = ls_const_int (LS_INT64, end);
      g_autoptr (LsExpr) holds = NULL;

      if (n > 0 && axis < n && extent (self, 0, (guint) axis) != NULL)
        {
          holds = ls_le (ls_ref (last), ls_ref (extent (self, 0, (guint) axis)));
          if (!ls_is (extent (self, 0, (guint) axis), INT_IMM) || ls_analyzer_can_prove (self->analyzer, holds))
            want (self, 1, (guint) axis, rows);
        }
    }
}

static const struct { const char *name; guint n; void (*claim) (Claim *self); } OPERATORS[] = {
  { "relax.broadcast_to", 1, broadcast_to },
  { "relax.squeeze", 1, squeeze },
  { "relax.nn.conv1d", 2, convolution },
  { "relax.nn.conv2d", 2, convolution },
  { "relax.nn.conv3d", 2, convolution },
  { "relax.nn.conv1d_transpose", 2, convolution },
  { "relax.nn.conv2d_transpose", 2, convolution },
  { "relax.nn.attention", 3, attention },
  { "relax.nn.attention_bias", 3, attention },
  { "relax.nn.cross_entropy_with_logits", 2, all_alike },
  { "relax.scatter_elements", 3, scatter_elements },
  { "relax.scatter_nd", 3, scatter_nd },
  { "relax.slice_scatter", 2, slice_scatter },
};

/* ---- the call -------------------------------------------------------------------------- */

static LsArray *
shape_of (LsRelaxMutator *mutator,
          LsNode         *expr)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (mutator->builder, expr);
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;

  return ls_is (info, TENSOR_STRUCT_INFO) && ls_is (tensor->shape, SHAPE_EXPR) ? ls_ref (((LsShapeExpr *) tensor->shape)->values) : NULL;
}

static LsNode *
cast_all (Claim *self)
{
  g_autoptr (LsArray) args = ls_ref (self->call->args);

  for (guint i = 0; i < self->n; i++)
    if (self->wanted[i] != self->shapes[i])
      {
        g_autoptr (LsNode) info = ls_block_builder_struct_info (self->mutator->builder, args->items[i]);
        g_autoptr (LsNode) claimed = ls_tensor_struct_info_new (ls_shape_expr_new (ls_ref (self->wanted[i])), -1, ((LsTensorStructInfo *) info)->dtype, NULL);

        ls_take (&args, ls_array_with (args, i, ls_block_builder_emit_match_cast (self->mutator->builder, args->items[i], claimed, LS_CLAIM_NAME)));
      }
  if (args == self->call->args)
    return LS_NODE (ls_ref (self->call));
  return ls_relax_call_new (ls_node_ref (self->call->op), ls_ref (args), ls_ref (self->call->attr_names), ls_ref (self->call->attrs), ls_ref (self->call->sinfo_args));
}

LsNode *
ls_relax_claim_extents (LsRelaxMutator *mutator,
                        LsRelaxCall    *call)
{
  const char *name = ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name : "";

  for (guint k = 0; k < G_N_ELEMENTS (OPERATORS); k++)
    if (g_str_equal (name, OPERATORS[k].name) && call->args->n >= OPERATORS[k].n)
      {
        Claim self = { .mutator = mutator, .call = call, .analyzer = ls_analyzer_new (), .n = OPERATORS[k].n };
        LsNode *result;

        for (guint i = 0; i < self.n; i++)
          {
            self.shapes[i] = shape_of (mutator, call->args->items[i]);
            self.wanted[i] = self.shapes[i] != NULL ? ls_ref (self.shapes[i]) : NULL;
          }
        OPERATORS[k].claim (&self);
        result = cast_all (&self);
        for (guint i = 0; i < self.n; i++)
          {
            ls_unref (self.shapes[i]);
            ls_unref (self.wanted[i]);
          }
        ls_analyzer_free (self.analyzer);
        return result;
      }
  return LS_NODE (ls_ref (call));
}
