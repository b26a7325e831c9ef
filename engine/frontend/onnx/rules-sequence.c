/* onnx/rules-sequence: sequences of tensors, and what may be there or not.  A sequence is a tuple: how long it is and which element is meant is known when the
 * file is read, or it is said that it is not. */
#include "engine/frontend/onnx/onnx-private.h"

#include <inttypes.h>
#include <string.h>

#define FX (&self->fx)

#define MOST_ELEMENTS 4096

/* How many elements; FALSE after an error. */
static gboolean
length_of (LsOnnxImport *self,
           LsFxValue    *sequence,
           guint        *n)
{
  LsNode *info = sequence != NULL && sequence->kind == LS_FX_NODE ? ls_fx_keep (FX, ls_block_builder_struct_info (self->fx.builder, sequence->node)) : NULL;

  if (info == NULL || !ls_is (info, TUPLE_STRUCT_INFO))
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a sequence of tensors is expected"), FALSE;
  *n = ((LsTupleStructInfo *) info)->fields->n;
  return TRUE;
}

/* Its elements; NULL after an error. */
static LsFxValue **
elements_of (LsOnnxImport *self,
             LsFxValue    *sequence,
             guint        *n)
{
  LsFxValue **items;

  if (!length_of (self, sequence, n))
    return NULL;
  items = ls_fx_alloc (FX, (*n + 1) * sizeof *items);
  for (guint i = 0; i < *n; i++)
    items[i] = ls_onnx_field (self, sequence, i);
  return self->fx.error == NULL ? items : NULL;
}

static LsFxValue *
sequence_of (LsOnnxImport *self,
             LsFxValue   **items,
             guint         n)
{
  GPtrArray *fields = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (fields, ls_node_ref (items[i]->node));
  return ls_fx_emit (FX, ls_relax_tuple_new (ls_array_take_ptr_array (fields)));
}

/* The place that input `input` says, which may be counted from behind, among `n`; FALSE after an error.  Without that input it is `otherwise`. */
static gboolean
place_of (LsOnnxImport *self,
          guint         input,
          guint         n,
          guint         otherwise,
          guint        *place)
{
  LsFxValue *said;
  gint64 at;

  *place = otherwise;
  if (self->node->n_input <= input || self->node->input[input][0] == '\0')
    return TRUE;
  if ((said = ls_onnx_numbers (self, NULL, input)) == NULL)
    return FALSE;
  at = ls_onnx_number (self, said, 0);
  at = at < 0 ? at + n : at;
  if (self->fx.error == NULL && (at < 0 || at > n))
    ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "the place %" PRId64 " is not in a sequence of %u", at, n);
  *place = (guint) at;
  return self->fx.error == NULL;
}

static LsFxValue *
construct (LsOnnxImport *self)
{
  for (guint i = 0; i < self->fx.n_args; i++)
    if (ls_onnx_needed (self, i) == NULL)
      return NULL;
  return sequence_of (self, self->fx.args, self->fx.n_args);
}

static LsFxValue *
empty (LsOnnxImport *self)
{
  return sequence_of (self, NULL, 0);
}

static LsFxValue *
element_at (LsOnnxImport *self)
{
  LsFxValue *sequence = ls_onnx_needed (self, 0);
  guint n, place;

  if (!length_of (self, sequence, &n) || !place_of (self, 1, n, 0, &place))
    return NULL;
  return place < n ? ls_onnx_field (self, sequence, place) : ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "the place %u is not in a sequence of %u", place, n);
}

static LsFxValue *
insert (LsOnnxImport *self)
{
  LsFxValue *sequence = ls_onnx_needed (self, 0), *x = ls_onnx_needed (self, 1), **items;
  guint n, place;

  if (x == NULL || (items = elements_of (self, sequence, &n)) == NULL || !place_of (self, 2, n, n, &place))
    return NULL;
  memmove (items + place + 1, items + place, (n - place) * sizeof *items);
  items[place] = x;
  return sequence_of (self, items, n + 1);
}

static LsFxValue *
erase (LsOnnxImport *self)
{
  LsFxValue *sequence = ls_onnx_needed (self, 0), **items;
  guint n, place;

  if ((items = elements_of (self, sequence, &n)) == NULL || !place_of (self, 1, n, n - 1, &place))
    return NULL;
  if (place >= n)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "nothing can be taken out of a sequence of %u at %u", n, place);
  memmove (items + place, items + place + 1, (n - place - 1) * sizeof *items);
  return sequence_of (self, items, n - 1);
}

static LsFxValue *
length (LsOnnxImport *self)
{
  LsFxValue *sequence = ls_onnx_needed (self, 0);
  gint64 *data;
  guint n;

  if (!length_of (self, sequence, &n))
    return NULL;
  data = g_new (gint64, 1);
  *data = GINT64_TO_LE ((gint64) n);
  return ls_onnx_constant (self, LS_INT64, NULL, 0, data);
}

/* Where the parts end: each of one element, or all of one size but the last, or of sizes of their own. */
static GArray *
ends_of (LsOnnxImport *self,
         gint64        extent)
{
  gboolean said = self->node->n_input > 1 && self->node->input[1][0] != '\0';
  LsFxValue *known = said ? ls_onnx_known_input (self, 1) : NULL, *sizes = said ? ls_onnx_numbers (self, NULL, 1) : NULL, *shape;
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean each = said && sizes != NULL && sizes->kind == LS_FX_LIST && !(known != NULL && known->kind != LS_FX_LIST);
  gint64 at = 0;

  if (said && sizes == NULL)
    return NULL;
  if (each && known == NULL)            /* a constant: one number without dimensions is no list of one */
    {
      shape = ls_fx_shape (FX, ls_onnx_input (self, 1));
      each = shape != NULL && shape->n > 0;
    }
  for (guint i = 0; at < extent && self->fx.error == NULL; i++)
    {
      gint64 size = !said ? 1 : each && i >= sizes->n ? 0 : ls_onnx_number (self, sizes, each ? i : 0);

      if (self->fx.error == NULL && (size < 1 || ends->len >= MOST_ELEMENTS))
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "an extent of %" PRId64 " is not split by these sizes", extent);
      at += MIN (size, extent - at);
      g_array_append_val (ends, at);
    }
  return self->fx.error == NULL ? g_steal_pointer (&ends) : NULL;
}

static LsFxValue *
split_to_sequence (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, **items;
  gint64 axis = ls_onnx_attr_int (self, "axis", 0), extent, at = 0;
  gboolean drops = ls_onnx_attr_int (self, "keepdims", 1) == 0 && (self->node->n_input < 2 || self->node->input[1][0] == '\0');
  g_autoptr (GArray) ends = NULL;

  if (shape == NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  if (shape->items[axis]->kind != LS_FX_INT)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the extent that is split is not known");
  extent = shape->items[axis]->i;
  if ((ends = ends_of (self, extent)) == NULL)
    return NULL;
  items = ls_fx_alloc (FX, (ends->len + 1) * sizeof *items);
  for (guint i = 0; i < ends->len && self->fx.error == NULL; i++)
    {
      items[i] = ls_onnx_cut (self, x, (guint) axis, at, g_array_index (ends, gint64, i));
      items[i] = drops && items[i] != NULL ? ls_fx_call (FX, "squeeze", items[i], LS_FX_BY_NAME, "axis", ls_fx_ints (FX, &axis, 1), NULL) : items[i];
      at = g_array_index (ends, gint64, i);
    }
  return self->fx.error == NULL ? sequence_of (self, items, ends->len) : NULL;
}

static LsFxValue *
concat_from_sequence (LsOnnxImport *self)
{
  LsFxValue *sequence = ls_onnx_needed (self, 0), *axis, **items;
  guint n;

  if (ls_onnx_attr (self, "axis") == NULL)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "it says no axis");
  axis = ls_fx_int (FX, ls_onnx_attr_int (self, "axis", 0));
  if ((items = elements_of (self, sequence, &n)) == NULL)
    return NULL;
  if (n == 0)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "an empty sequence makes no tensor");
  for (guint i = 0; i < n && ls_onnx_attr_int (self, "new_axis", 0) != 0; i++)
    items[i] = ls_fx_call (FX, "expand_dims", items[i], axis, NULL);
  return self->fx.error == NULL ? ls_fx_call (FX, "concat", ls_fx_list (FX, items, n), LS_FX_BY_NAME, "axis", axis, NULL) : NULL;
}

/* ---- what may be there or not ---------------------------------------------------------------- */

static LsFxValue *
optional (LsOnnxImport *self)
{
  return self->fx.n_args > 0 ? ls_onnx_needed (self, 0) : ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "what is not there is no tensor");
}

static LsFxValue *
has_element (LsOnnxImport *self)
{
  guint8 *data = g_new (guint8, 1);

  *data = self->fx.n_args > 0 && self->fx.args[0]->kind != LS_FX_NONE;
  return ls_onnx_constant (self, LS_BOOL, NULL, 0, data);
}

const LsOnnxHandler ls_onnx_handlers_sequence[] = {
  { "SequenceConstruct", construct }, { "SequenceEmpty", empty }, { "SequenceAt", element_at }, { "SequenceInsert", insert }, { "SequenceErase", erase },
  { "SequenceLength", length }, { "SplitToSequence", split_to_sequence }, { "ConcatFromSequence", concat_from_sequence },
  { "Optional OptionalGetElement", optional }, { "OptionalHasElement", has_element },
  { NULL, NULL }
};
