/* kv-cross: attention of new tokens over what a paged cache held before them, and caches that keep one latent vector of each
 * token (MLA): the model makes keys and values of the new ones itself, and asks for both attentions one by one. */
#include "engine/runtime/kv-cache.h"

static gboolean
refuse (GError    **error,
        const char *words)
{
  g_set_error_literal (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate (words));
  return FALSE;
}

static void
add (GArray *values,
     gint64  value)
{
  gint32 v = (gint32) value;

  g_array_append_val (values, v);
}

static LsVMValue *
ints_of (GArray  *values,
         gint64   columns,
         GError **error)
{
  return ls_kv_ints ((const gint32 *) values->data, columns > 0 ? values->len / columns : values->len, columns, error);
}

/* The pages of the forward as if it had not begun. */
static gboolean
describe_old (LsKVCache *self,
              GError   **error)
{
  LsKVForward *f = &self->forward;
  g_autoptr (GArray) indptr = g_array_new (FALSE, FALSE, sizeof (gint32)), values = g_array_new (FALSE, FALSE, sizeof (gint32));
  g_autoptr (GArray) lengths = g_array_new (FALSE, FALSE, sizeof (gint32));
  gint64 *before = g_newa (gint64, f->n);

  if (f->old_lengths != NULL)
    return TRUE;
  add (indptr, 0);
  for (guint i = 0; i < f->n; i++)
    {
      LsKVSequence *s = f->sequences[i];
      gint64 end;

      before[i] = s->length - f->lengths[i];
      end = ls_kv_sequence_end_of (s, before[i]);
      g_array_append_vals (values, s->table->data, (guint) ((end + self->page_size - 1) / self->page_size));
      add (indptr, values->len);
      add (lengths, end > 0 ? (end - 1) % self->page_size + 1 : 0);
    }
  /* a hole that begins behind the old tokens is none for them */
  for (guint i = 0; self->has_windows && i < f->n; i++)
    add (lengths, before[i] > f->sequences[i]->kept ? f->sequences[i]->window_at : 0);
  for (guint i = 0; self->has_windows && i < f->n; i++)
    add (lengths, before[i] > f->sequences[i]->kept ? f->sequences[i]->kept : 0);
  return (f->old_indptr = ints_of (indptr, 0, error)) != NULL && (f->old_values = ints_of (values, 0, error)) != NULL
         && (f->old_lengths = ints_of (lengths, self->has_windows ? f->n : 0, error)) != NULL;
}

/* Of several heads: the functions of a prefill or a decode, whose rows all see the same keys. */
static gboolean
over_heads (LsKVCache  *self,
            gboolean    is_decode,
            LsVMValue **pages,
            LsVMValue **rows,           /* q, out, lse */
            double      scale,
            GError    **error)
{
  LsKVForward *f = &self->forward;
  LsKVFunction decode = self->has_windows ? LS_KV_DECODE_WINDOW : LS_KV_DECODE;
  gboolean has_decode = is_decode && self->functions[decode] != NULL;
  LsVMValue *args[20];
  guint n = 0;

  args[n++] = ls_vm_int (0);
  args[n++] = ls_vm_value_ref (rows[0]);
  if (!has_decode)
    args[n++] = ls_vm_value_ref (f->q_indptr);
  for (guint i = 0; i < 4; i++)
    args[n++] = ls_vm_value_ref (pages[i]);
  args[n++] = ls_vm_value_ref (f->k_offsets);
  args[n++] = ls_vm_value_ref (f->positions);
  args[n++] = ls_vm_value_ref (rows[1]);
  args[n++] = ls_vm_value_ref (rows[2]);
  if (!has_decode)
    args[n++] = ls_vm_int (FALSE);
  n = ls_kv_add_rope (self, scale, args, n);
  return ls_kv_cache_call (self, has_decode ? decode : self->has_windows ? LS_KV_PREFILL_WINDOW : LS_KV_PREFILL, args, n, error);
}

static gboolean
over_latent (LsKVCache  *self,
             LsVMValue **pages,
             LsVMValue **rows,
             double      scale,
             GError    **error)
{
  LsVMValue *args[] = { ls_vm_value_ref (rows[0]), ls_vm_value_ref (self->forward.q_indptr), ls_vm_value_ref (pages[0]), ls_vm_value_ref (pages[1]),
                        ls_vm_value_ref (pages[2]), ls_vm_value_ref (pages[3]), ls_vm_value_ref (rows[1]), ls_vm_value_ref (rows[2]), ls_vm_int (FALSE),
                        ls_vm_float (scale) };

  return ls_kv_cache_call (self, LS_KV_LATENT, args, G_N_ELEMENTS (args), error);
}

gboolean
ls_kv_cross_attention (LsKVCache *self,
                       gint64     layer,
                       double     scale,
                       LsVMValue *q,
                       LsVMValue *out,
                       LsVMValue *lse,
                       GError   **error)
{
  LsKVForward *f = &self->forward;
  g_autoptr (LsVMValue) from = NULL, into = NULL, sums = NULL;
  gboolean is_decode;

  if (!ls_kv_check_layer (self, layer, error))
    return FALSE;
  for (guint i = 0; f->is_tree && i < f->n; i++)
    if (f->sequences[i]->tree->len != f->lengths[i])
      return refuse (error, LS_TEXT ("what was there before is no chain: a tree whose nodes came in several forwards has no attention over its older ones alone."));
  from = ls_kv_rows (self, q, "q", self->dtype, self->n_q_heads, self->head_dim, error);
  into = from != NULL ? ls_kv_rows (self, out, "what the attention is written into", self->dtype, self->n_q_heads, self->value_dim, error) : NULL;
  sums = into != NULL ? ls_kv_rows (self, lse, "what the sums are written into", LS_DT_FLOAT32, self->n_q_heads, 0, error) : NULL;
  is_decode = f->is_decode && !f->is_tree;
  if (sums == NULL || (!is_decode && !describe_old (self, error)))
    return FALSE;
  {
    LsVMValue *pages[] = { self->layers[layer], is_decode ? f->page_indptr : f->old_indptr, is_decode ? f->page_values : f->old_values,
                           is_decode ? f->page_lengths : f->old_lengths };
    LsVMValue *rows[] = { from, into, sums };

    return self->is_latent ? over_latent (self, pages, rows, scale, error) : over_heads (self, is_decode, pages, rows, scale, error);
  }
}

gboolean
ls_kv_append_latent (LsKVCache *self,
                     gint64     layer,
                     LsVMValue *kv,
                     GError   **error)
{
  g_autoptr (LsVMValue) vectors = NULL;

  if (!ls_kv_check_layer (self, layer, error))
    return FALSE;
  if (!self->is_latent)
    return refuse (error, LS_TEXT ("the cache keeps keys and values of several heads, no latent vectors."));
  vectors = ls_kv_rows (self, kv, "what is kept of the tokens", self->dtype, self->head_dim, 0, error);
  return vectors != NULL && ls_kv_cache_call (self, LS_KV_APPEND_LATENT, (LsVMValue *[]) { ls_vm_value_ref (self->layers[layer]), ls_vm_value_ref (vectors),
                                                                                          ls_vm_value_ref (self->forward.places) }, 3, error);
}
