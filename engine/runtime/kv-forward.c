/* kv-forward: one step of a model over a paged cache: which sequences get tokens, the attention of each layer, the end. */
#include "engine/runtime/kv-cache.h"

#include <inttypes.h>
#include <string.h>

/* ---- what is asked for ------------------------------------------------------------------ */

static gboolean
refuse (GError    **error,
        const char *format,
        ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError    **error,
        const char *format,
        ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL)
    *error = g_error_new_valist (LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate (format), args);
  va_end (args);
  return FALSE;
}

/* The parents of a sequence's new nodes are nodes before them. */
static gboolean
check_parents (LsKVSequence *sequence,
               const gint64 *parents,
               gint64        n,
               gboolean     *is_chain,
               GError      **error)
{
  gint64 first = sequence->tree->len;

  for (gint64 i = 0; i < n; i++)
    {
      if (parents[i] < -1 || parents[i] >= first + i)
        return refuse (error, LS_TEXT ("node %" PRId64 " of the tree of sequence %" PRId64 " cannot have the parent %" PRId64 "."),
                       first + i, sequence->id, parents[i]);
      *is_chain = *is_chain && parents[i] == first + i - 1;
    }
  for (gint64 i = 0; i < first; i++)
    *is_chain = *is_chain && g_array_index (sequence->tree, gint64, i) == i - 1;
  return TRUE;
}

static gboolean
check_begin (LsKVCache     *self,
             LsKVSequence **sequences,
             const gint64  *ids,
             const gint64  *lengths,
             guint          n,
             const gint64  *parents,
             guint          n_parents,
             gboolean      *is_tree,
             GError       **error)
{
  gint64 total = 0;
  gboolean chains = TRUE;

  if (n == 0 || n > self->max_sequences)
    return refuse (error, LS_TEXT ("a forward of this cache has 1 to %" PRId64 " sequences; %u came."), self->max_sequences, n);
  for (guint i = 0; i < n; i++)
    {
      sequences[i] = ls_kv_pages_get (self->pages, ids[i], error);
      if (sequences[i] == NULL)
        return FALSE;
      for (guint j = 0; j < i; j++)
        if (ids[j] == ids[i])
          return refuse (error, LS_TEXT ("sequence %" PRId64 " stands twice in a forward."), ids[i]);
      if (lengths[i] < 1 || lengths[i] > self->chunk - total)
        return refuse (error, LS_TEXT ("sequence %" PRId64 " gets %" PRId64 " tokens; each gets at least one, and all together at most %"
                       PRId64 "."), ids[i], lengths[i], self->chunk);
      if (parents == NULL && sequences[i]->tree->len > 0)
        return refuse (error, LS_TEXT ("sequence %" PRId64 " ends in a tree of tokens of which none was accepted yet."), ids[i]);
      if (parents != NULL && (total + lengths[i] > n_parents || !check_parents (sequences[i], parents + total, lengths[i], &chains, error)))
        return error != NULL && *error != NULL ? FALSE : refuse (error, LS_TEXT ("%u parents are too few for the tokens of the trees."), n_parents);
      total += lengths[i];
    }
  if (parents != NULL && total != n_parents)
    return refuse (error, LS_TEXT ("%u parents came for %" PRId64 " tokens."), n_parents, total);
  *is_tree = parents != NULL && !chains;
  if (*is_tree && self->rope == LS_KV_ROPE_INLINE)
    return refuse (error, LS_TEXT ("trees of tokens are not offered where positions are rotated in the attention (inline)."));
  if (*is_tree && self->is_latent)
    return refuse (error, LS_TEXT ("trees of tokens are not offered in a cache of latent vectors."));
  if (*is_tree && self->has_windows)
    return refuse (error, LS_TEXT ("trees of tokens are not offered in a cache with sliding windows."));
  return TRUE;
}

/* ---- what the functions are told ---------------------------------------------------------- */

static LsVMValue *
ints_of (GArray  *values,
         gint64   columns,
         GError **error)
{
  return ls_kv_ints ((const gint32 *) values->data, columns > 0 ? values->len / columns : values->len, columns, error);
}

static void
add (GArray *values,
     gint64  value)
{
  gint32 v = (gint32) value;

  g_array_append_val (values, v);
}

static GArray *
ints (void)
{
  return g_array_new (FALSE, FALSE, sizeof (gint32));
}

/* How deep each node lies. */
static gint64 *
depths_of (GArray *tree)
{
  gint64 *depths = g_new (gint64, tree->len + 1);

  for (guint i = 0; i < tree->len; i++)
    {
      gint64 parent = g_array_index (tree, gint64, i);

      depths[i] = parent < 0 ? 0 : depths[parent] + 1;
    }
  return depths;
}

/* For each node the numbers [in, out) of what hangs below it, itself first, in an order that visits trees as a whole: one
 * is below another when its `in` lies in the other's. */
static void
add_tree_order (GArray *tree,
                GArray *order)
{
  g_autofree gint64 *size = g_new (gint64, tree->len + 1), *in = g_new (gint64, tree->len + 1), *next = g_new (gint64, tree->len + 1);
  gint64 root = 0;

  for (guint i = 0; i < tree->len; i++)
    size[i] = 1;
  for (guint i = tree->len; i-- > 0;)
    if (g_array_index (tree, gint64, i) >= 0)
      size[g_array_index (tree, gint64, i)] += size[i];
  for (guint i = 0; i < tree->len; i++)
    {
      gint64 parent = g_array_index (tree, gint64, i), *at = parent < 0 ? &root : &next[parent];

      in[i] = *at;
      *at += size[i];
      next[i] = in[i] + 1;
      add (order, in[i]);
      add (order, in[i] + size[i]);
    }
}

/* Everything that follows from the sequences and how many tokens each got; room is there. */
static gboolean
describe (LsKVCache *self,
          GError   **error)
{
  LsKVForward *f = &self->forward;
  g_autoptr (GArray) q_indptr = ints (), page_indptr = ints (), page_values = ints (), lengths = ints (), offsets = ints (), positions = ints (), places = ints ();
  g_autoptr (GArray) tree_indptr = ints (), tree_order = ints ();
  gint64 q = 0;

  add (q_indptr, 0);
  add (page_indptr, 0);
  add (tree_indptr, 0);
  for (guint i = 0; i < f->n; i++)
    {
      LsKVSequence *s = f->sequences[i];
      gint64 before = s->length - f->lengths[i], base = s->length - s->tree->len;
      g_autofree gint64 *depths = depths_of (s->tree);

      q += f->lengths[i];
      add (q_indptr, q);
      g_array_append_vals (page_values, s->table->data, s->table->len);
      add (page_indptr, page_values->len);
      add (lengths, (ls_kv_sequence_end (s) - 1) % self->page_size + 1);
      add (offsets, 0);
      for (gint64 p = before; p < s->length; p++)
        {
          add (positions, p >= base ? base + depths[p - base] : p);
          add (places, ls_kv_pages_place (self->pages, s, p));
        }
      if (f->is_tree)
        add_tree_order (s->tree, tree_order);
      add (tree_indptr, tree_order->len / 2);
    }
  for (guint row = 0; self->has_windows && row < 2; row++)
    for (guint i = 0; i < f->n; i++)
      add (lengths, row == 0 ? f->sequences[i]->window_at : f->sequences[i]->kept);
  return (f->q_indptr = ints_of (q_indptr, 0, error)) != NULL && (f->page_indptr = ints_of (page_indptr, 0, error)) != NULL
         && (f->page_values = ints_of (page_values, 0, error)) != NULL
         && (f->page_lengths = ints_of (lengths, self->has_windows ? f->n : 0, error)) != NULL && (f->k_offsets = ints_of (offsets, 0, error)) != NULL
         && (f->positions = ints_of (positions, 0, error)) != NULL && (f->query_positions = ints_of (positions, 0, error)) != NULL
         && (f->places = ints_of (places, 0, error)) != NULL
         && (!f->is_tree || ((f->tree_indptr = ints_of (tree_indptr, 0, error)) != NULL && (f->tree_order = ints_of (tree_order, 2, error)) != NULL));
}

static LsVMValue *
room_for (LsKVCache *self,
          gint64     heads,
          GError   **error)
{
  LsNDArray *array = ls_ndarray_new (3, (gint64[]) { self->forward.total, heads, self->head_dim }, self->dtype, error);

  return array != NULL ? ls_vm_tensor (array) : NULL;
}

static gboolean
make_room (LsKVCache *self,
           GError   **error)
{
  LsKVForward *f = &self->forward;
  LsNDArray *lse = self->is_latent ? NULL : ls_ndarray_new (2, (gint64[]) { f->total, self->n_q_heads }, LS_DT_FLOAT32, error);

  if (self->is_latent)
    return TRUE;
  f->lse = lse != NULL ? ls_vm_tensor (lse) : NULL;
  return f->lse != NULL && (f->q = room_for (self, self->n_q_heads, error)) != NULL && (f->k = room_for (self, self->n_kv_heads, error)) != NULL
         && (f->v = room_for (self, self->n_kv_heads, error)) != NULL;
}

/* Tokens of a page to a place in another or the same, in all layers; in order, so that they may move towards the beginning. */
static void
copy_tokens (LsKVCache *self,
             gint64     from,
             gint64     to,
             gint64     count)
{
  gsize token = (gsize) self->head_dim * ls_dl_dtype_size (self->dtype), head = (gsize) self->page_size * token;
  gint64 n_heads = self->is_latent ? 1 : 2 * self->n_kv_heads;
  gsize page = (gsize) n_heads * head;

  for (guint l = 0; l < self->n_layers; l++)
    {
      guint8 *data = self->layers[l]->tensor->tensor.data;
      const guint8 *source = data + (gsize) (from / self->page_size) * page + (gsize) (from % self->page_size) * token;
      guint8 *goal = data + (gsize) (to / self->page_size) * page + (gsize) (to % self->page_size) * token;

      for (gint64 h = 0; h < n_heads; h++)
        memmove (goal + (gsize) h * head, source + (gsize) h * head, (gsize) count * token);
    }
}

gboolean
ls_kv_begin (LsKVCache    *self,
             const gint64 *ids,
             const gint64 *lengths,
             guint         n,
             const gint64 *parents,
             guint         n_parents,
             GError      **error)
{
  LsKVForward *f = &self->forward;
  g_autofree LsKVSequence **sequences = g_new0 (LsKVSequence *, n + 1);
  g_autoptr (GArray) copies = g_array_new (FALSE, FALSE, sizeof (LsKVCopy));
  gboolean is_tree = FALSE;
  gint64 at = 0;

  if (f->n > 0)
    return refuse (error, LS_TEXT ("a forward is under way: it is to be ended before another one begins."));
  if (!check_begin (self, sequences, ids, lengths, n, parents, n_parents, &is_tree, error)
      || !ls_kv_pages_reserve (self->pages, sequences, lengths, n, copies, error))
    return FALSE;
  f->sequences = g_steal_pointer (&sequences);
  f->lengths = g_memdup2 (lengths, n * sizeof *lengths);
  f->n = n;
  f->is_tree = is_tree;
  f->is_fresh = f->is_decode = TRUE;
  g_array_set_size (self->last, 0);
  g_array_append_vals (self->last, ids, n);
  g_array_append_vals (self->last, lengths, n);
  for (guint i = 0; i < n; i++)
    {
      f->total += lengths[i];
      f->is_decode = f->is_decode && lengths[i] == 1;
      f->is_fresh = f->is_fresh && f->sequences[i]->length == lengths[i];
      if (parents != NULL)
        g_array_append_vals (f->sequences[i]->tree, parents + at, (guint) lengths[i]);
      at += lengths[i];
    }
  for (guint i = 0; i < copies->len; i++)
    {
      LsKVCopy *copy = &g_array_index (copies, LsKVCopy, i);

      copy_tokens (self, copy->from * self->page_size, copy->to * self->page_size, copy->count);
    }
  if (describe (self, error) && make_room (self, error))
    return TRUE;
  /* memory ended: the tokens go again */
  for (guint i = 0; i < n; i++)
    {
      if (parents != NULL)
        g_array_set_size (f->sequences[i]->tree, f->sequences[i]->tree->len - (guint) lengths[i]);
      ls_kv_pages_cut (self->pages, f->sequences[i], f->sequences[i]->length - lengths[i]);
    }
  ls_kv_forward_clear (f);
  return FALSE;
}

gboolean
ls_kv_end (LsKVCache *self,
           GError   **error)
{
  LsKVForward *f = &self->forward;

  if (f->n == 0)
    return refuse (error, LS_TEXT ("no forward is under way."));
  for (guint i = 0; i < f->n; i++)
    ls_kv_pages_slide (self->pages, f->sequences[i]);
  ls_kv_forward_clear (f);
  return TRUE;
}

/* ---- attention --------------------------------------------------------------------------------- */

LsVMValue *
ls_kv_rows (LsKVCache    *self,
            LsVMValue    *value,
            const char   *what,
            LsDLDataType  dtype,
            gint64        heads,
            gint64        size,
            GError      **error)
{
  const LsDLTensor *t = value->kind == LS_VM_TENSOR ? &value->tensor->tensor : NULL;
  gint64 shape[] = { self->forward.total, heads, size };
  int ndim = size > 0 ? 3 : 2;
  LsNDArray *view;

  if (t == NULL || t->ndim != ndim || t->shape[0] < shape[0] || t->shape[1] != heads || (ndim == 3 && t->shape[2] != size)
      || memcmp (&t->dtype, &dtype, sizeof dtype) != 0 || !ls_tensor_is_compact (t))
    {
      g_autofree char *came = ls_vm_value_describe (value);

      if (ndim == 3)
        refuse (error, LS_TEXT ("%s is %s; a tensor (%" PRId64 ", %" PRId64 ", %" PRId64 ") of the cache's type is expected."), what, came,
                shape[0], heads, size);
      else
        refuse (error, LS_TEXT ("%s is %s; a tensor (%" PRId64 ", %" PRId64 ") of %s is expected."), what, came, shape[0], heads,
                memcmp (&dtype, &self->dtype, sizeof dtype) == 0 && self->dtype.bits != 32 ? "the cache's type" : "float32");
      return NULL;
    }
  if (t->shape[0] == shape[0])
    return ls_vm_value_ref (value);
  view = ls_ndarray_view (value->tensor, ndim, shape, NULL, 0, error);
  return view != NULL ? ls_vm_tensor (view) : NULL;
}

static gboolean
is_under_way (LsKVCache *self,
              GError   **error)
{
  return self->forward.n > 0 || refuse (error, LS_TEXT ("no forward is under way: attention comes between its begin and its end."));
}

gboolean
ls_kv_check_layer (LsKVCache *self,
                   gint64     layer,
                   GError   **error)
{
  return is_under_way (self, error)
         && ((layer >= 0 && layer < self->n_layers)
             || refuse (error, LS_TEXT ("the cache has %u layers; there is no layer %" PRId64 "."), self->n_layers, layer));
}

static gboolean
split_rotary (LsKVCache *self,
              LsVMValue *qkv,          /* taken */
              GError   **error)
{
  LsKVForward *f = &self->forward;
  LsVMValue *args[] = { qkv, ls_vm_value_ref (f->positions), ls_vm_value_ref (f->q), ls_vm_value_ref (f->k), ls_vm_value_ref (f->v),
                        self->rope_factors != NULL ? ls_vm_value_ref (self->rope_factors) : ls_vm_int (self->rope == LS_KV_ROPE_NORMAL) };

  return ls_kv_cache_call (self, LS_KV_ROTARY, args, G_N_ELEMENTS (args), error);
}

guint
ls_kv_add_rope (LsKVCache  *self,
                double      scale,
                LsVMValue **args,
                guint       n)
{
  args[n++] = ls_vm_int (self->rope == LS_KV_ROPE_INLINE);
  args[n++] = ls_vm_float (self->rope_scale);
  args[n++] = ls_vm_float (self->rope_theta);
  args[n++] = ls_vm_float (scale * self->score_scale);
  return n;
}

static guint
add_pages (LsKVCache  *self,
           LsVMValue  *layer,
           LsVMValue **args,
           guint       n)
{
  LsKVForward *f = &self->forward;
  LsVMValue *more[] = { layer, f->page_indptr, f->page_values, f->page_lengths, f->k_offsets, f->positions };

  for (guint i = 0; i < G_N_ELEMENTS (more); i++)
    args[n++] = ls_vm_value_ref (more[i]);
  return n;
}

static gboolean
over_pages (LsKVCache  *self,
            guint       layer,
            double      scale,
            LsVMValue  *out,
            GError    **error)
{
  LsKVForward *f = &self->forward;
  LsKVFunction decode = self->has_windows ? LS_KV_DECODE_WINDOW : LS_KV_DECODE;
  gboolean is_decode = f->is_decode && !f->is_tree && self->functions[decode] != NULL;
  LsKVFunction function = f->is_tree ? LS_KV_TREE_PAGED : is_decode ? decode : self->has_windows ? LS_KV_PREFILL_WINDOW : LS_KV_PREFILL;
  LsVMValue *args[24];
  guint n = 0;

  args[n++] = ls_vm_int (0);
  args[n++] = ls_vm_value_ref (f->q);
  if (!is_decode)
    args[n++] = ls_vm_value_ref (f->q_indptr);
  n = add_pages (self, self->layers[layer], args, n);
  args[n++] = ls_vm_value_ref (out);
  args[n++] = ls_vm_value_ref (f->lse);
  if (!is_decode && !f->is_tree)
    args[n++] = ls_vm_int (TRUE);
  n = ls_kv_add_rope (self, scale, args, n);
  if (f->is_tree)
    {
      args[n++] = ls_vm_value_ref (f->tree_indptr);
      args[n++] = ls_vm_value_ref (f->tree_order);
    }
  return ls_kv_cache_call (self, function, args, n, error);
}

static gboolean
among_new (LsKVCache  *self,
           double      scale,
           LsVMValue **qkv,
           LsVMValue  *out,
           LsVMValue  *lse,
           GError    **error)
{
  LsKVForward *f = &self->forward;
  LsVMValue *args[24] = { ls_vm_value_ref (qkv[0]), ls_vm_value_ref (f->q_indptr), ls_vm_value_ref (qkv[1]), ls_vm_value_ref (qkv[2]),
                          ls_vm_value_ref (f->q_indptr), ls_vm_value_ref (f->positions) };
  guint n = 6;

  if (f->is_tree)
    {
      args[n++] = ls_vm_value_ref (f->tree_indptr);
      args[n++] = ls_vm_value_ref (f->tree_order);
    }
  else
    args[n++] = ls_vm_value_ref (f->k_offsets);
  args[n++] = ls_vm_value_ref (out);
  args[n++] = ls_vm_value_ref (lse);
  if (!f->is_tree)
    args[n++] = ls_vm_int (TRUE);
  n = ls_kv_add_rope (self, scale, args, n);
  return ls_kv_cache_call (self, f->is_tree ? LS_KV_TREE : LS_KV_RAGGED, args, n, error);
}

gboolean
ls_kv_attention (LsKVCache *self,
                 gint64     layer,
                 double     scale,
                 LsVMValue *qkv,
                 LsVMValue *out,
                 GError   **error)
{
  LsKVForward *f = &self->forward;
  g_autoptr (LsVMValue) into = NULL;
  LsVMValue *from;

  if (!ls_kv_check_layer (self, layer, error))
    return FALSE;
  if (self->is_latent)
    return refuse (error, LS_TEXT ("the cache keeps a latent vector of each token; queries, keys and values in one tensor are of other caches."));
  into = ls_kv_rows (self, out, "what the attention is written into", self->dtype, self->n_q_heads, self->head_dim, error);
  from = into != NULL ? ls_kv_rows (self, qkv, "what holds queries, keys and values", self->dtype, self->n_q_heads + 2 * self->n_kv_heads, self->head_dim, error) : NULL;
  if (from == NULL || !split_rotary (self, from, error))
    return FALSE;
  if (!ls_kv_cache_call (self, LS_KV_APPEND, (LsVMValue *[]) { ls_vm_value_ref (self->layers[layer]), ls_vm_value_ref (f->k), ls_vm_value_ref (f->v),
                                                               ls_vm_value_ref (f->places) }, 4, error))
    return FALSE;
  if (f->is_fresh && self->functions[f->is_tree ? LS_KV_TREE : LS_KV_RAGGED] != NULL)
    return among_new (self, scale, (LsVMValue *[]) { f->q, f->k, f->v }, into, f->lse, error);
  return over_pages (self, (guint) layer, scale, into, error);
}

/* Latent vectors are taken apart before: then keys and values are as large as the model makes them. */
static gint64
size_of_head (LsKVCache *self,
              LsVMValue *value)
{
  const LsDLTensor *t = value->kind == LS_VM_TENSOR ? &value->tensor->tensor : NULL;

  return self->is_latent && t != NULL && t->ndim == 3 && t->shape[2] > 0 ? t->shape[2] : self->head_dim;
}

gboolean
ls_kv_self_attention (LsKVCache  *self,
                      double      scale,
                      LsVMValue **qkv,
                      LsVMValue  *out,
                      LsVMValue  *lse,
                      GError    **error)
{
  g_autoptr (LsVMValue) q = NULL, k = NULL, v = NULL, o = NULL, s = NULL;
  gint64 heads = self->is_latent ? self->n_q_heads : self->n_kv_heads;

  if (!is_under_way (self, error))
    return FALSE;
  q = ls_kv_rows (self, qkv[0], "q", self->dtype, self->n_q_heads, size_of_head (self, qkv[0]), error);
  k = q != NULL ? ls_kv_rows (self, qkv[1], "k", self->dtype, heads, size_of_head (self, qkv[0]), error) : NULL;
  v = k != NULL ? ls_kv_rows (self, qkv[2], "v", self->dtype, heads, size_of_head (self, qkv[2]), error) : NULL;
  o = v != NULL ? ls_kv_rows (self, out, "what the attention is written into", self->dtype, self->n_q_heads, size_of_head (self, qkv[2]), error) : NULL;
  s = o != NULL ? ls_kv_rows (self, lse, "what the sums are written into", LS_DT_FLOAT32, self->n_q_heads, 0, error) : NULL;
  return s != NULL && among_new (self, scale, (LsVMValue *[]) { q, k, v }, o, s, error);
}

/* ---- trees ----------------------------------------------------------------------------------------- */

/* Whether the path from the root to a node lies in the tokens of the last forward; those of earlier ones stay where they are,
 * and nodes count from the first token of the last, as in TVM. */
static gboolean
check_leaf (LsKVSequence *sequence,
            gint64        leaf,
            gint64        length,
            GError      **error)
{
  if (sequence->tree->len == 0)
    return refuse (error, LS_TEXT ("sequence %" PRId64 " ends in no tree of tokens."), sequence->id);
  if (leaf < -1 || leaf >= length)
    return refuse (error, LS_TEXT ("the last tree of sequence %" PRId64 " has %" PRId64 " nodes; there is no node %" PRId64 "."),
                   sequence->id, length, leaf);
  return TRUE;
}

/* The path to a node of the last forward becomes its first tokens; the rest of them go. */
static void
accept_path (LsKVCache    *self,
             LsKVSequence *sequence,
             gint64        leaf,
             gint64        length)
{
  g_autoptr (GArray) path = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 start = sequence->length - length;

  for (gint64 node = leaf; node >= 0; node = g_array_index (sequence->tree, gint64, node))
    g_array_append_val (path, node);
  for (guint i = 0; i < path->len; i++)
    {
      gint64 node = g_array_index (path, gint64, path->len - 1 - i);

      copy_tokens (self, ls_kv_pages_place (self->pages, sequence, start + node), ls_kv_pages_place (self->pages, sequence, start + i), 1);
    }
  g_array_set_size (sequence->tree, 0);
  ls_kv_pages_cut (self->pages, sequence, start + path->len);
  ls_kv_pages_slide (self->pages, sequence);
}

gboolean
ls_kv_accept (LsKVCache    *self,
              const gint64 *ids,
              const gint64 *leaves,
              guint         n,
              GError      **error)
{
  guint n_last = self->last->len / 2;
  const gint64 *last = (const gint64 *) self->last->data;

  if (self->forward.n > 0)
    return refuse (error, LS_TEXT ("a forward is under way: it is to be ended before tokens are accepted."));
  if (n != n_last)
    return refuse (error, LS_TEXT ("the last forward had %u sequences; %u came."), n_last, n);
  for (guint i = 0; i < n; i++)
    {
      LsKVSequence *sequence = ls_kv_pages_get (self->pages, ids[i], error);

      if (sequence == NULL)
        return FALSE;
      if (last[i] != ids[i])
        return refuse (error, LS_TEXT ("sequence %u of the last forward was %" PRId64 ", not %" PRId64 "."), i, last[i], ids[i]);
      if (!check_leaf (sequence, leaves[i], last[n + i], error))
        return FALSE;
    }
  for (guint i = 0; i < n; i++)
    accept_path (self, ls_kv_pages_get (self->pages, ids[i], NULL), leaves[i], last[n + i]);
  g_array_set_size (self->last, 0);
  return TRUE;
}
