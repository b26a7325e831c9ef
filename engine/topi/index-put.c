/* index-put: values written to the places that tensors of indices name, one for each of the first axes (topi.index_put).
 *
 * The tensors of indices broadcast against each other, and the values to what they name: their extents, then those of the axes that have
 * no indices.  Where a place is named twice the last value stays, or with `accumulate` all are added.  An index below 0 counts from the end. */
#include "engine/topi/topi-private.h"

/* The extents that indices broadcast to. (transfer full) */
static LsArray *
common_shape (LsArray *indices)
{
  GPtrArray *out = g_ptr_array_new ();
  guint rank = 0;

  for (guint i = 0; i < indices->n; i++)
    rank = MAX (rank, ls_array_at (indices, i, LsTeTensor)->shape->n);
  for (guint from_end = rank; from_end > 0; from_end--)
    {
      LsExpr *extent = NULL;

      for (guint i = 0; i < indices->n; i++)
        {
          LsArray *shape = ls_array_at (indices, i, LsTeTensor)->shape;
          LsExpr *own = from_end <= shape->n ? ls_array_at (shape, shape->n - from_end, LsExpr) : NULL;

          if (own != NULL && (extent == NULL || ls_is_one (extent)))
            extent = own;
        }
      g_ptr_array_add (out, REF (extent));
    }
  return ls_array_take_ptr_array (out);
}

/* Indices into a buffer for `vars`, what it has as extent 1 at 0. (transfer full) */
static LsArray *
broadcast_at (LsBuffer  *buffer,
              LsVar    **vars,
              guint      n)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < buffer->shape->n; i++)
    g_ptr_array_add (out, ls_is_one (buffer->shape->items[i]) ? LS_NODE (ls_int (0)) : LS_NODE (REF (vars[n - buffer->shape->n + i])));
  return ls_array_take_ptr_array (out);
}

static LsExpr *
load (LsBuffer *buffer,
      LsArray  *indices)        /* taken */
{
  return ls_buffer_load_new (ls_ref (buffer), indices, NULL);
}

/* The loops around `body` (taken), outermost first. */
static LsStmt *
loops (LsVar  **vars,
       LsArray *extents,
       LsStmt  *body)
{
  for (guint i = extents->n; i-- > 0;)
    body = LS_STMT (ls_for_new (ls_ref (vars[i]), ls_const_int (ls_dtype (vars[i]), 0), REF (extents->items[i]), LS_FOR_SERIAL, body, NULL, NULL));
  return body;
}

static LsVar **
loop_vars (LsArray    *extents,
           const char *name)
{
  LsVar **vars = g_new (LsVar *, extents->n + 1);

  for (guint i = 0; i < extents->n; i++)
    {
      g_autofree char *each = g_strdup_printf ("%s%u", name, i);

      vars[i] = ls_var_new (each, ls_dtype (ls_array_at (extents, i, LsExpr)));
    }
  return vars;
}

static void
loop_vars_free (LsVar **vars,
                guint   n)
{
  for (guint i = 0; i < n; i++)
    ls_unref (vars[i]);
  g_free (vars);
}

static LsStmt *
copy_all (LsBuffer *out,
          LsBuffer *x)
{
  LsVar **vars = loop_vars (out->shape, "i");
  GPtrArray *at = g_ptr_array_new ();
  g_autoptr (LsArray) places = NULL;
  LsStmt *body;

  for (guint i = 0; i < out->shape->n; i++)
    g_ptr_array_add (at, REF (vars[i]));
  places = ls_array_take_ptr_array (at);
  body = loops (vars, out->shape, ls_buffer_store_new (ls_ref (out), load (x, ls_ref (places)), ls_ref (places), NULL));
  loop_vars_free (vars, out->shape->n);
  return body;
}

/* `named`: the extents of what is written to. */
static LsStmt *
put_all (LsBuffer  *out,
         LsBuffer **indices,
         guint      n_indices,
         LsBuffer  *values,
         LsArray   *named,
         gboolean   accumulate)
{
  LsVar **vars = loop_vars (named, "k");
  guint rank = named->n - (out->shape->n - n_indices);
  GPtrArray *at = g_ptr_array_new ();
  g_autoptr (LsArray) places = NULL;
  LsExpr *value = load (values, broadcast_at (values, vars, named->n));
  LsStmt *body;

  for (guint i = 0; i < out->shape->n; i++)
    if (i < n_indices)
      {
        g_autoptr (LsExpr) index = load (indices[i], broadcast_at (indices[i], vars, rank));
        LsDType t = ls_dtype (index);

        g_ptr_array_add (at, ls_if_then_else (ls_lt (REF (index), ls_const_int (t, 0)), ls_add (REF (index), ls_cast (t, REF (out->shape->items[i]))), REF (index)));
      }
    else
      g_ptr_array_add (at, REF (vars[rank + i - n_indices]));
  places = ls_array_take_ptr_array (at);
  if (accumulate)
    value = ls_add (load (out, ls_ref (places)), value);
  body = loops (vars, named, ls_buffer_store_new (ls_ref (out), value, ls_ref (places), NULL));
  loop_vars_free (vars, named->n);
  return body;
}

LsTeTensor *
ls_topi_index_put (LsTeTensor *x,
                   LsArray    *indices,
                   LsTeTensor *values,
                   gboolean    accumulate,
                   GError    **error)
{
  g_autoptr (LsArray) inputs = NULL, buffers = NULL, named = NULL, outputs = NULL;
  g_autoptr (LsBuffer) out = NULL;
  LsBuffer **at;
  LsStmt *body;

  if (x == NULL || indices == NULL || values == NULL)
    return NULL;
  if (indices->n == 0 || indices->n > x->shape->n)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.index_put needs a tensor of indices for one axis at least, and for each no more than one; there are %u for %u axes",
                    indices->n, x->shape->n);
      return NULL;
    }
  named = common_shape (indices);
  for (guint i = indices->n; i < x->shape->n; i++)
    ls_take (&named, ls_array_append (named, x->shape->items[i]));
  if (values->shape->n > named->n)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.index_put: values of %u dimensions for places of %u", values->shape->n, named->n);
      return NULL;
    }
  inputs = ls_array_of (ls_ref (x), NULL);
  for (guint i = 0; i < indices->n; i++)
    ls_take (&inputs, ls_array_append (inputs, indices->items[i]));
  ls_take (&inputs, ls_array_append (inputs, LS_NODE (values)));
  buffers = ls_array_empty ();
  for (guint i = 0; i < inputs->n; i++)
    {
      g_autoptr (LsBuffer) buffer = ls_te_extern_buffer (ls_array_at (inputs, i, LsTeTensor));

      ls_take (&buffers, ls_array_append (buffers, LS_NODE (buffer)));
    }
  out = ls_buffer_new ("out_buf", x->dtype, ls_ref (x->shape), "global");
  at = (LsBuffer **) buffers->items + 1;
  body = ls_seq (ls_array_of (copy_all (out, ls_array_at (buffers, 0, LsBuffer)),
                              put_all (out, at, indices->n, ls_array_at (buffers, buffers->n - 1, LsBuffer), named, accumulate), NULL));
  outputs = ls_te_extern ("index_put", "index_put", NULL, ls_ref (inputs), ls_ref (buffers), ls_array_of (ls_ref (out), NULL), body, error);
  return outputs != NULL ? ls_ref (ls_array_at (outputs, 0, LsTeTensor)) : NULL;
}
