/* op/linear-algebra: matmul with numpy's batches, einsum, outer. */
#include "engine/relax/op/op.h"

#include <inttypes.h>
#include <string.h>

/* ---- matmul ------------------------------------------------------------------------- */

static LsArray *
slice (LsInfer *self,
       LsArray *extents,
       guint    n)
{
  GPtrArray *out = ls_extents_new ();

  for (guint i = 0; i < n; i++)
    ls_extents_add (out, extents->items[i]);
  return ls_infer_keep (self, ls_array_take_ptr_array (out));
}

static LsStructInfo *
matmul_shape (LsInfer *self,
              LsArray *a,
              LsArray *b,
              LsDType  dtype,
              LsTensorStructInfo *like)
{
  LsExpr *inner_a = ls_extent_at (a, a->n - 1), *inner_b = ls_extent_at (b, b->n > 1 ? b->n - 2 : 0);
  LsArray *batch;
  GPtrArray *out;

  if (!ls_infer_broadcast (self, slice (self, a, a->n > 2 ? a->n - 2 : 0), slice (self, b, b->n > 2 ? b->n - 2 : 0), &batch))
    return NULL;
  if (ls_infer_differ (self, inner_a, inner_b))
    return ls_infer_fail (self, "sums over %s of %s and %s of %s, which differ.", ls_infer_text (self, inner_a), ls_infer_text (self, a),
                          ls_infer_text (self, inner_b), ls_infer_text (self, b));
  if (batch == NULL)
    return ls_infer_ranked (MAX (a->n, b->n) - (a->n == 1) - (b->n == 1), dtype, like);
  out = ls_extents_new ();
  for (guint i = 0; i < batch->n; i++)
    ls_extents_add (out, batch->items[i]);
  if (a->n > 1)
    ls_extents_add (out, a->items[a->n - 2]);
  if (b->n > 1)
    ls_extents_add (out, b->items[b->n - 1]);
  return ls_infer_shaped_take (out, dtype, like);
}

static LsStructInfo *
infer_matmul (LsInfer *self)
{
  LsTensorStructInfo *a = ls_infer_tensor (self, 0), *b = a != NULL ? ls_infer_tensor (self, 1) : NULL;
  LsDType dtype = ls_infer_dtype (self, "out_dtype", LS_VOID);

  if (b == NULL || (ls_dtype_is_void (dtype) && !ls_infer_common (self, a->dtype, b->dtype, &dtype)))
    return NULL;
  if (a->ndim == 0 || b->ndim == 0)
    return ls_infer_fail (self, "takes tensors of one dimension at least; %s has none.", ls_infer_arg_name (self, a->ndim == 0 ? 0 : 1));
  if (a->ndim < 0 || b->ndim < 0)
    return ls_infer_ranked (LS_UNKNOWN_NDIM, dtype, a);
  if (ls_tensor_extents (a) == NULL || ls_tensor_extents (b) == NULL)
    return ls_infer_ranked (MAX (a->ndim, b->ndim) - (a->ndim == 1) - (b->ndim == 1), dtype, a);
  return matmul_shape (self, ls_tensor_extents (a), ls_tensor_extents (b), dtype, a);
}

static LsStructInfo *
infer_outer (LsInfer *self)
{
  LsTensorStructInfo *a = ls_infer_tensor (self, 0), *b = a != NULL ? ls_infer_tensor (self, 1) : NULL;
  LsDType dtype;
  GPtrArray *out;

  if (b == NULL || !ls_infer_common (self, a->dtype, b->dtype, &dtype))
    return NULL;
  if ((a->ndim >= 0 && a->ndim != 1) || (b->ndim >= 0 && b->ndim != 1))
    return ls_infer_fail (self, "takes tensors of one dimension; they have %" PRId64 " and %" PRId64 ".", a->ndim, b->ndim);
  if (ls_tensor_extents (a) == NULL || ls_tensor_extents (b) == NULL)
    return ls_infer_ranked (2, dtype, a);
  out = ls_extents_new ();
  ls_extents_add (out, ls_tensor_extents (a)->items[0]);
  ls_extents_add (out, ls_tensor_extents (b)->items[0]);
  return ls_infer_shaped_take (out, dtype, a);
}

/* ---- einsum ---------------------------------------------------------------------------- */

typedef struct {
  LsExpr  *extents[128];        /* of each letter */
  guint    times[128];
  LsArray *batch;               /* what "..." stands for */
} Letters;

/* Reads the letters of one operand against its extents. */
static gboolean
read_operand (LsInfer    *self,
              Letters    *letters,
              const char *text,
              LsArray    *extents)
{
  const char *dots = strstr (text, "...");
  guint n_letters = (guint) strlen (text) - (dots != NULL ? 3 : 0), n_dots, d = 0;
  GPtrArray *batch;

  if (n_letters > extents->n || (dots == NULL && n_letters != extents->n))
    {
      ls_infer_fail (self, "names %u dimensions by \"%s\" of a tensor that has %u.", n_letters, text, extents->n);
      return FALSE;
    }
  n_dots = extents->n - n_letters;
  for (const char *c = text; *c != '\0'; c++)
    {
      guchar letter = (guchar) *c;

      if (c == dots)
        {
          batch = ls_extents_new ();
          for (guint i = 0; i < n_dots; i++)
            ls_extents_add (batch, extents->items[d++]);
          c += 2;
          ls_infer_keep (self, letters->batch = ls_array_take_ptr_array (batch));
          continue;
        }
      if (!g_ascii_isalpha (letter))
        {
          ls_infer_fail (self, "takes letters and \"...\" as subscripts; there is `%c`.", *c);
          return FALSE;
        }
      if (letters->extents[letter] == NULL || ls_is_one (letters->extents[letter]))
        letters->extents[letter] = ls_extent_at (extents, d);
      else if (!ls_is_one (extents->items[d]) && ls_infer_differ (self, letters->extents[letter], ls_extent_at (extents, d)))
        {
          ls_infer_fail (self, "gives the letter `%c` the extents %s and %s.", *c, ls_infer_text (self, letters->extents[letter]),
                         ls_infer_text (self, extents->items[d]));
          return FALSE;
        }
      letters->times[letter]++;
      d++;
    }
  return TRUE;
}

/* Without "->": what comes once, in the order of the alphabet. */
static char *
implicit_output (Letters *letters)
{
  GString *out = g_string_new (letters->batch != NULL ? "..." : NULL);

  for (guint c = 0; c < 128; c++)
    if (letters->times[c] == 1)
      g_string_append_c (out, (char) c);
  return g_string_free (out, FALSE);
}

static LsStructInfo *
einsum_shape (LsInfer            *self,
              Letters            *letters,
              const char         *output,
              LsDType             dtype,
              LsTensorStructInfo *like)
{
  GPtrArray *out = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (const char *c = output; *c != '\0'; c++)
    {
      if (g_str_has_prefix (c, "..."))
        {
          for (guint i = 0; letters->batch != NULL && i < letters->batch->n; i++)
            ls_extents_add (out, letters->batch->items[i]);
          c += 2;
          continue;
        }
      if (!g_ascii_isalpha (*c) || letters->extents[(guchar) *c] == NULL)
        {
          g_ptr_array_unref (out);
          return ls_infer_fail (self, "has `%c` in its output, which no operand has.", *c);
        }
      ls_extents_add (out, letters->extents[(guchar) *c]);
    }
  g_ptr_array_set_free_func (out, NULL);
  return ls_infer_shaped_take (out, dtype, like);
}

static char *
without_blanks (const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, " ", -1);

  return g_strjoinv (NULL, parts);
}

static LsStructInfo *
infer_einsum (LsInfer *self)
{
  LsArray *tensors = ls_infer_tensors (self, 0);
  g_autofree char *subscripts = without_blanks (ls_infer_str (self, "subscripts", ""));
  char *arrow = strstr (subscripts, "->");
  g_autofree char *output = arrow != NULL ? g_strdup (arrow + 2) : NULL;
  g_auto (GStrv) inputs = NULL;
  Letters letters = { 0 };
  LsDType dtype;

  if (tensors == NULL)
    return NULL;
  if (tensors->n == 0)
    return ls_infer_fail (self, "needs a tensor at least.");
  if (arrow != NULL)
    *arrow = '\0';
  inputs = g_strsplit (subscripts, ",", -1);
  if (g_strv_length (inputs) != tensors->n)
    return ls_infer_fail (self, "has subscripts for %u tensors and %u tensors.", g_strv_length (inputs), tensors->n);
  dtype = ls_array_at (tensors, 0, LsTensorStructInfo)->dtype;
  for (guint i = 0; i < tensors->n; i++)
    {
      LsTensorStructInfo *x = ls_array_at (tensors, i, LsTensorStructInfo);

      if (!ls_dtype_equal (x->dtype, dtype))
        return ls_infer_fail (self, "takes tensors of one type; they are %s and %s.", ls_dtype_name (dtype), ls_dtype_name (x->dtype));
      if (ls_tensor_extents (x) == NULL)
        return ls_infer_ranked (LS_UNKNOWN_NDIM, dtype, x);
      if (!read_operand (self, &letters, inputs[i], ls_tensor_extents (x)))
        return NULL;
    }
  if (output == NULL)
    output = implicit_output (&letters);
  return einsum_shape (self, &letters, output, dtype, ls_array_at (tensors, 0, LsTensorStructInfo));
}

const LsRelaxOpRow ls_relax_ops_linear_algebra[] = {
  { "einsum", "operands:tensors | subscripts:str", infer_einsum },
  { "matmul", "x1 x2 | out_dtype:dtype=void", infer_matmul },
  { "outer", "x1 x2", infer_outer },
  { NULL }
};
