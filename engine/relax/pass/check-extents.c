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
#include "engine/relax/op/op.h"
#include "engine/relax/pass/check-extents.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

typedef struct {
  LsRelaxMutator *mutator;
  LsRelaxCall    *call;
  LsAnalyzer     *analyzer;
  LsArray        *operands;             /* arguments, or the fields of one */
  guint           n;
  LsArray       **shapes;               /* of the operands, NULL: not known */
  LsArray       **wanted;
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

/* Nothing is read of the operand past the extent of another; nothing where one of the two is not known. */
static void
want_room (Claim *self,
           guint  operand,
           guint  dim,
           guint  reader)
{
  LsExpr *own = extent (self, operand, dim), *other = extent (self, reader, dim);
  g_autoptr (LsExpr) both = own != NULL && other != NULL ? ls_max (ls_ref (own), ls_ref (other)) : NULL;

  want (self, operand, dim, both);
}

/* The extent is no more than that of another operand. */
static void
want_no_more (Claim *self,
              guint  operand,
              guint  dim,
              guint  than)
{
  LsExpr *own = extent (self, operand, dim), *other = extent (self, than, dim);
  g_autoptr (LsExpr) both = own != NULL && other != NULL ? ls_min (ls_ref (own), ls_ref (other)) : NULL;

  want (self, operand, dim, both);
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

/* The extent has to be a multiple of this. */
static void
want_multiple (Claim *self,
               guint  operand,
               guint  dim,
               gint64 of)
{
  LsExpr *own = extent (self, operand, dim);
  g_autoptr (LsExpr) whole = NULL;

  if (own == NULL || ls_is (own, INT_IMM) || of < 1)
    return;
  whole = ls_mul (ls_floordiv (ls_ref (own), ls_const_int (LS_INT64, of)), ls_const_int (LS_INT64, of));
  want (self, operand, dim, whole);
}

/* The extent has to be this or more. */
static void
want_least (Claim *self,
            guint  operand,
            guint  dim,
            gint64 least)
{
  LsExpr *own = extent (self, operand, dim);
  g_autoptr (LsExpr) more = NULL;

  if (own == NULL || ls_is (own, INT_IMM) || least <= 0)
    return;
  more = ls_max (ls_ref (own), ls_const_int (LS_INT64, least));
  want (self, operand, dim, more);
}

/* Channels of the data: those of the weights, times the number of groups; and as many functions for each group. */
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
  if (groups > 1 && !is_transposed && strchr (kernel, 'O') != NULL)
    want_multiple (self, 1, (guint) (strchr (kernel, 'O') - kernel), groups);
  channels = is_transposed || groups == 1 ? ls_ref (weights) : ls_mul (ls_ref (weights), ls_const_int (LS_INT64, groups));
  want (self, 0, (guint) (c - data), channels);
}

static void
attention (Claim *self)
{
  for (guint operand = 1; operand < 3; operand++)
    {
      want_same (self, 0, 0, operand, 0);
      if (!ls_is (extent (self, 0, 2), INT_IMM) || !ls_is (extent (self, operand, 2), INT_IMM))     /* numbers may be multiples */
        want_same (self, 0, 2, operand, 2);
    }
  want_same (self, 0, 3, 1, 3);
  want_same (self, 1, 1, 2, 1);
}

/* What is added before the softmax: batch, heads, rows, rows of the keys, of which the first three may be 1. */
static void
attention_bias (Claim *self)
{
  static const guint OF_QUERY[] = { 0, 2, 1 };

  attention (self);
  for (guint dim = 0; dim < G_N_ELEMENTS (OF_QUERY); dim++)
    if (extent (self, 3, dim) != NULL && !ls_is_one (extent (self, 3, dim)))
      want_same (self, 0, OF_QUERY[dim], 3, dim);
  want_same (self, 1, 1, 3, 3);
}

static void
all_alike (Claim *self)
{
  for (guint dim = 0; self->shapes[0] != NULL && self->n > 1 && self->shapes[1] != NULL && self->shapes[1]->n == self->shapes[0]->n && dim < self->shapes[0]->n; dim++)
    want_same (self, 0, dim, 1, dim);
}

/* Along other axes there are no more indices than data. */
static void
scatter_elements (Claim *self)
{
  gint64 axis = attr_int (self, "axis", 0);

  axis += axis < 0 && self->shapes[0] != NULL ? self->shapes[0]->n : 0;
  for (guint dim = 0; self->shapes[1] != NULL && dim < self->shapes[1]->n; dim++)
    {
      if (dim != axis)
        want_no_more (self, 1, dim, 0);
      want_same (self, 1, dim, 2, dim);
    }
}

static void
gather_elements (Claim *self)
{
  gint64 axis = attr_int (self, "axis", 0);

  axis += axis < 0 && self->shapes[0] != NULL ? self->shapes[0]->n : 0;
  for (guint dim = 0; self->shapes[0] != NULL && dim < self->shapes[0]->n; dim++)
    if (dim != axis)
      want_room (self, 0, dim, 1);
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

/* Each extent of every operand is that of the first, but the one that a concatenation adds up. */
static void
joined (Claim *self)
{
  gboolean adds_up = ls_is_relax_call (self->call, "relax.concat");
  guint n = self->shapes[0] != NULL ? self->shapes[0]->n : 0;
  gint64 axis = attr_int (self, "axis", 0);

  axis += axis < 0 ? n : 0;
  /* The first takes the numbers of the others, then they take what it has. */
  for (guint round = 0; round < 2; round++)
    for (guint operand = 1; operand < self->n; operand++)
      for (guint dim = 0; self->shapes[operand] != NULL && self->shapes[operand]->n == n && dim < n; dim++)
        if (!adds_up || dim != axis)
          want_same (self, 0, dim, operand, dim);
}

typedef struct { guint operand, dim; gboolean is_there; } Place;

/* Where a letter stands first, and all its other places; subscripts with "..." are left to those who know how many axes it is. */
static void
einsum (Claim *self)
{
  const char *subscripts = attr_text (self, "subscripts");
  Place first[128] = { 0 };

  if (subscripts == NULL || strstr (subscripts, "...") != NULL)
    return;
  for (guint round = 0; round < 2; round++)
    {
      guint operand = 0, dim = 0;

      for (const char *c = subscripts; *c != '\0' && *c != '-'; c++)
        {
          LsExpr *own = g_ascii_isalpha (*c) ? extent (self, operand, dim) : NULL;

          if (*c == ',')
            operand++, dim = 0;
          else if (own != NULL && !ls_is_one (own))
            {
              if (!first[(guchar) *c].is_there)
                first[(guchar) *c] = (Place) { operand, dim, TRUE };
              else
                want_same (self, first[(guchar) *c].operand, first[(guchar) *c].dim, operand, dim);
            }
          dim += g_ascii_isalpha (*c) ? 1 : 0;
        }
    }
}

/* What scales and shifts has the extents of the axes that are normalised. */
static void
normalisation (Claim *self)
{
  LsNode *axes = ls_relax_pass_attr (self->call, "axes");
  guint n = self->shapes[0] != NULL ? self->shapes[0]->n : 0;
  gint64 axis;

  for (guint operand = 1; operand < self->n; operand++)
    for (guint dim = 0; ls_is (axes, ARRAY) && dim < ((LsArray *) axes)->n; dim++)
      if (ls_as_int (ls_array_at ((LsArray *) axes, dim, LsExpr), &axis))
        want_same (self, 0, (guint) (axis + (axis < 0 ? n : 0)), operand, dim);
}

/* Channels become rows and columns, the square of the factor at a time. */
static void
pixel_shuffle (Claim *self)
{
  guint n = self->shapes[0] != NULL ? self->shapes[0]->n : 0;
  gint64 factor = attr_int (self, "upscale_factor", 1);

  if (n >= 3 && factor <= G_MAXINT16)
    want_multiple (self, 0, n - 3, factor * factor);
}

/* One number for each channel. */
static void
per_channel (Claim *self)
{
  gint64 axis = attr_int (self, ls_is_relax_call (self->call, "relax.nn.group_norm") ? "channel_axis" : "axis", 1);
  guint n = self->shapes[0] != NULL ? self->shapes[0]->n : 0;

  for (guint operand = 1; operand < self->n; operand++)
    want_same (self, 0, (guint) (axis + (axis < 0 ? n : 0)), operand, 0);
}

/* A target for each row of predictions, a weight for each class. */
static void
nll_loss (Claim *self)
{
  guint n = self->shapes[0] != NULL ? self->shapes[0]->n : 0;

  for (guint dim = 0; dim < n; dim++)
    if (n > 1 && dim != 1)
      want_same (self, 0, dim, 1, dim > 1 ? dim - 1 : 0);
  want_same (self, 0, n > 1 ? 1 : 0, 2, 0);
}

/* Each place of the result is read from somewhere. */
static void
resize (Claim *self)
{
  const char *layout = attr_text (self, "layout");

  if (layout == NULL || strpbrk (layout, "0123456789") != NULL)
    return;
  for (const char *c = layout; *c != '\0'; c++)
    if (*c == 'H' || *c == 'W')
      want_least (self, 0, (guint) (c - layout), 1);
}

/* A grid for each image, with a channel for each axis. */
static void
grid_sample (Claim *self)
{
  want_same (self, 0, 0, 1, 0);
  want_least (self, 0, 2, 1);
  want_least (self, 0, 3, 1);
}

/* What a reflection reads. */
static void
pad (Claim *self)
{
  LsNode *width = ls_relax_pass_attr (self->call, "pad_width");
  const char *mode = attr_text (self, "pad_mode");
  gint64 before, after;

  for (guint dim = 0; ls_is (width, ARRAY) && mode != NULL && 2 * dim + 1 < ((LsArray *) width)->n; dim++)
    if (ls_as_int (ls_array_at ((LsArray *) width, 2 * dim, LsExpr), &before) && ls_as_int (ls_array_at ((LsArray *) width, 2 * dim + 1, LsExpr), &after))
      want_least (self, 0, dim, ls_pad_needs (mode, before, after));
}

/* A number for each row that is drawn from. */
static void
multinomial (Claim *self)
{
  want_same (self, 1, 0, 2, 0);
}

/* Index tensors broadcast against each other: what is not 1 is one extent. */
static void
index_tensor (Claim *self)
{
  for (guint round = 0; round < 2; round++)
    for (guint from_end = 1, any = TRUE; any; from_end++)
      {
        guint first = G_MAXUINT;

        any = FALSE;
        for (guint i = 0; i < self->n; i++)
          {
            guint n = self->shapes[i] != NULL ? self->shapes[i]->n : 0;
            LsExpr *own = from_end <= n ? extent (self, i, n - from_end) : NULL;

            any = any || own != NULL;
            if (own == NULL || ls_is_one (own))
              continue;
            if (first != G_MAXUINT)
              want_same (self, first, self->shapes[first]->n - from_end, i, n - from_end);
            else
              first = i;
          }
      }
}

/* n: how many arguments are operands, at most; 0: the fields of argument number `tuple` are. */
static const struct { const char *name; guint n; void (*claim) (Claim *self); guint tuple; } OPERATORS[] = {
  { "relax.image.resize2d", 1, resize },
  { "relax.image.grid_sample", 2, grid_sample },
  { "relax.index_put", 0, index_tensor, 1 },
  { "relax.index_tensor", 0, index_tensor, 1 },
  { "relax.multinomial_from_uniform", 3, multinomial },
  { "relax.nn.nll_loss", 3, nll_loss },
  { "relax.nn.pad", 1, pad },
  { "relax.broadcast_to", 1, broadcast_to },
  { "relax.concat", 0, joined },
  { "relax.einsum", 0, einsum },
  { "relax.stack", 0, joined },
  { "relax.nn.batch_norm", 5, per_channel },
  { "relax.nn.group_norm", 3, per_channel },
  { "relax.nn.layer_norm", 3, normalisation },
  { "relax.nn.pixel_shuffle", 1, pixel_shuffle },
  { "relax.nn.prelu", 2, per_channel },
  { "relax.nn.rms_norm", 2, normalisation },
  { "relax.squeeze", 1, squeeze },
  { "relax.nn.conv1d", 2, convolution },
  { "relax.nn.conv2d", 2, convolution },
  { "relax.nn.conv3d", 2, convolution },
  { "relax.nn.conv1d_transpose", 2, convolution },
  { "relax.nn.conv2d_transpose", 2, convolution },
  { "relax.nn.attention", 4, attention_bias },
  { "relax.nn.cross_entropy_with_logits", 2, all_alike },
  { "relax.dequantize", 3, per_channel },
  { "relax.gather_elements", 2, gather_elements },
  { "relax.quantize", 3, per_channel },
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

/* The operands, with those of other extents claimed. */
static LsArray *
cast_all (Claim *self)
{
  LsArray *operands = ls_ref (self->operands);

  for (guint i = 0; i < self->n; i++)
    if (self->wanted[i] != self->shapes[i])
      {
        g_autoptr (LsNode) info = ls_block_builder_struct_info (self->mutator->builder, operands->items[i]);
        g_autoptr (LsNode) claimed = ls_tensor_struct_info_new (ls_shape_expr_new (ls_ref (self->wanted[i])), -1, ((LsTensorStructInfo *) info)->dtype, NULL);

        ls_take (&operands, ls_array_with (operands, i, ls_block_builder_emit_match_cast (self->mutator->builder, operands->items[i], claimed, LS_CLAIM_NAME)));
      }
  return operands;
}

/* The call whose operands these are now. */
static LsNode *
with_operands (LsRelaxCall *call,
               LsArray     *before,
               LsArray     *operands,
               guint        at)
{
  g_autoptr (LsArray) args = NULL;
  g_autoptr (LsNode) tuple = NULL;

  if (operands == before)
    return LS_NODE (ls_ref (call));
  if (before != call->args)
    tuple = ls_relax_tuple_new (ls_ref (operands));
  args = tuple != NULL ? ls_array_with (call->args, at, tuple) : ls_ref (operands);
  return ls_relax_call_new (ls_node_ref (call->op), ls_ref (args), ls_ref (call->attr_names), ls_ref (call->attrs), ls_ref (call->sinfo_args));
}

static LsNode *
claim_by (LsRelaxMutator *mutator,
          LsRelaxCall    *call,
          guint           n,
          void          (*claim) (Claim *self),
          guint           tuple)
{
  LsNode *first = call->args->n > tuple ? call->args->items[tuple] : NULL;
  LsArray *operands = n > 0 ? call->args : ls_is (first, RELAX_TUPLE) ? ((LsRelaxTuple *) first)->fields : NULL;
  guint n_operands = operands == NULL ? 0 : n > 0 ? MIN (n, operands->n) : operands->n;
  g_autoptr (GPtrArray) shapes = g_ptr_array_new_full (n_operands, (GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) wanted = g_ptr_array_new ();
  g_autoptr (LsAnalyzer) analyzer = NULL;
  g_autoptr (LsArray) fresh = NULL;
  Claim self;

  if (n_operands == 0)
    return LS_NODE (ls_ref (call));
  analyzer = ls_analyzer_new ();
  for (guint i = 0; i < n_operands; i++)
    {
      LsArray *shape = shape_of (mutator, operands->items[i]);

      g_ptr_array_add (shapes, shape);
      g_ptr_array_add (wanted, shape != NULL ? ls_ref (shape) : NULL);
    }
  self = (Claim) { mutator, call, analyzer, operands, n_operands, (LsArray **) shapes->pdata, (LsArray **) wanted->pdata };
  claim (&self);
  fresh = cast_all (&self);
  for (guint i = 0; i < n_operands; i++)
    ls_unref (self.wanted[i]);
  return with_operands (call, operands, fresh, tuple);
}

LsNode *
ls_relax_claim_extents (LsRelaxMutator *mutator,
                        LsRelaxCall    *call)
{
  const char *name = ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name : "";

  for (guint k = 0; k < G_N_ELEMENTS (OPERATORS); k++)
    if (g_str_equal (name, OPERATORS[k].name))
      return claim_by (mutator, call, OPERATORS[k].n, OPERATORS[k].claim, OPERATORS[k].tuple);
  return LS_NODE (ls_ref (call));
}
