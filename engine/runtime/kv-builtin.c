/* kv-builtin: the functions of a paged cache by TVM's names. */
#include "engine/runtime/kv-cache.h"

#include <inttypes.h>

/* The cache of the first argument, which nobody else uses now: a function that was handed over may call back. */
static LsKVCache *
enter (LsVMValue **args,
       GError    **error)
{
  LsKVCache *self = ls_kv_cache_of (args[0]);

  if (self == NULL)
    ls_vm_arg_wrong (0, args[0], LS_TEXT ("a paged cache"), error);
  else if (!g_atomic_int_compare_and_exchange (&self->busy, 0, 1))
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("the cache is in use: by another thread, or by the function that was called from it."));
      return NULL;
    }
  return self;
}

static LsVMValue *
leave (LsKVCache *self,
       gboolean   fine)
{
  if (self != NULL)
    g_atomic_int_set (&self->busy, 0);
  return fine ? ls_vm_none () : NULL;
}

static LsVMValue *
leave_with (LsKVCache *self,
            gint64     number)
{
  g_atomic_int_set (&self->busy, 0);
  return ls_vm_int (number);
}

static gboolean
is_count (guint    n,
          guint    least,
          guint    most,
          GError **error)
{
  if (n < least || n > most)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("%u to %u arguments are expected; %u came."), least, most, n);
  return n >= least && n <= most;
}

static gboolean
is_idle (LsKVCache *self,
         GError   **error)
{
  if (self->forward.n > 0)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("a forward is under way: it is to be ended before sequences change."));
  return self->forward.n == 0;
}

static gboolean
is_shape (LsVMValue **args,
          guint       i,
          GError    **error)
{
  return args[i]->kind == LS_VM_SHAPE || ls_vm_arg_wrong (i, args[i], LS_TEXT ("a shape"), error);
}

static gboolean
real (LsVMValue **args,
      guint       i,
      double     *value,
      GError    **error)
{
  if (args[i]->kind != LS_VM_FLOAT && args[i]->kind != LS_VM_INT)
    return ls_vm_arg_wrong (i, args[i], LS_TEXT ("a number"), error);
  *value = args[i]->kind == LS_VM_FLOAT ? args[i]->v_float : (double) args[i]->v_int;
  return TRUE;
}

/* ---- sequences ------------------------------------------------------------------- */

static LsVMValue *
create (LsVMPool   *pool,
        LsVMValue **args,
        guint       n,
        GError    **error)
{
  return ls_kv_cache_create (args, n, FALSE, error);
}

static LsVMValue *
create_reduced (LsVMPool   *pool,
                LsVMValue **args,
                guint       n,
                GError    **error)
{
  return ls_kv_cache_create (args, n, TRUE, error);
}

static LsVMValue *
clear (LsVMPool   *pool,
       LsVMValue **args,
       guint       n,
       GError    **error)
{
  LsKVCache *self = enter (args, error);

  if (self == NULL)
    return NULL;
  ls_kv_forward_clear (&self->forward);
  ls_kv_pages_clear (self->pages);
  g_array_set_size (self->last, 0);
  return leave (self, TRUE);
}

static LsVMValue *
add_sequence (LsVMPool   *pool,
              LsVMValue **args,
              guint       n,
              GError    **error)
{
  LsKVCache *self = enter (args, error);
  gint64 id;

  return leave (self, self != NULL && ls_vm_arg_int (args, 1, &id, error) && ls_kv_pages_add (self->pages, id, error));
}

static LsVMValue *
remove_sequence (LsVMPool   *pool,
                 LsVMValue **args,
                 guint       n,
                 GError    **error)
{
  LsKVCache *self = enter (args, error);
  gint64 id;

  return leave (self, self != NULL && is_idle (self, error) && ls_vm_arg_int (args, 1, &id, error) && ls_kv_pages_remove (self->pages, id, error));
}

/* cache, parent, child, position (-1, or left out: the end) */
static LsVMValue *
fork_sequence (LsVMPool   *pool,
               LsVMValue **args,
               guint       n,
               GError    **error)
{
  LsKVCache *self = is_count (n, 3, 4, error) ? enter (args, error) : NULL;
  gint64 parent, child, position = -1;

  return leave (self, self != NULL && is_idle (self, error) && ls_vm_arg_int (args, 1, &parent, error) && ls_vm_arg_int (args, 2, &child, error)
                && (n < 4 || ls_vm_arg_int (args, 3, &position, error)) && ls_kv_pages_fork (self->pages, parent, child, position, error));
}

static LsVMValue *
popn (LsVMPool   *pool,
      LsVMValue **args,
      guint       n,
      GError    **error)
{
  LsKVCache *self = enter (args, error);
  gint64 id, count;
  LsKVSequence *sequence = self != NULL && is_idle (self, error) && ls_vm_arg_int (args, 1, &id, error) && ls_vm_arg_int (args, 2, &count, error)
                           ? ls_kv_pages_get (self->pages, id, error) : NULL;

  return leave (self, sequence != NULL && ls_kv_pages_pop (self->pages, sequence, count, error));
}

/* cache, sequence, tokens, sinks */
static LsVMValue *
enable_window (LsVMPool   *pool,
               LsVMValue **args,
               guint       n,
               GError    **error)
{
  LsKVCache *self = enter (args, error);
  gint64 id, window, sinks;
  LsKVSequence *sequence = self != NULL && is_idle (self, error) && ls_vm_arg_int (args, 1, &id, error) && ls_vm_arg_int (args, 2, &window, error)
                           && ls_vm_arg_int (args, 3, &sinks, error) ? ls_kv_pages_get (self->pages, id, error) : NULL;
  gboolean offered = sequence != NULL && self->has_windows;

  if (sequence != NULL && !offered)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("the cache was made without sliding windows."));
  return leave (self, offered && ls_kv_pages_set_window (self->pages, sequence, window, sinks, error));
}

static LsVMValue *
is_empty (LsVMPool   *pool,
          LsVMValue **args,
          guint       n,
          GError    **error)
{
  LsKVCache *self = enter (args, error);

  return self != NULL ? leave_with (self, ls_kv_pages_n_sequences (self->pages) == 0) : NULL;
}

static LsVMValue *
n_available_pages (LsVMPool   *pool,
                   LsVMValue **args,
                   guint       n,
                   GError    **error)
{
  LsKVCache *self = enter (args, error);

  return self != NULL ? leave_with (self, ls_kv_pages_n_free (self->pages)) : NULL;
}

static LsVMValue *
total_length (LsVMPool   *pool,
              LsVMValue **args,
              guint       n,
              GError    **error)
{
  LsKVCache *self = enter (args, error);

  return self != NULL ? leave_with (self, ls_kv_pages_total_length (self->pages)) : NULL;
}

/* ---- forwards -------------------------------------------------------------------------- */

/* cache, sequences, tokens of each, parents of the tokens (None, or left out: they follow each other) */
static LsVMValue *
begin_forward (LsVMPool   *pool,
               LsVMValue **args,
               guint       n,
               GError    **error)
{
  LsKVCache *self = is_count (n, 3, 4, error) ? enter (args, error) : NULL;
  gboolean trees = n > 3 && args[3]->kind != LS_VM_NONE;
  gboolean fine = self != NULL && is_shape (args, 1, error) && is_shape (args, 2, error) && (!trees || is_shape (args, 3, error));

  if (fine && args[1]->n != args[2]->n)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("%u sequences get tokens, and %u numbers say how many."), args[1]->n, args[2]->n);
      fine = FALSE;
    }
  return leave (self, fine && ls_kv_begin (self, args[1]->dims, args[2]->dims, args[1]->n, trees ? args[3]->dims : NULL, trees ? args[3]->n : 0, error));
}

static LsVMValue *
end_forward (LsVMPool   *pool,
             LsVMValue **args,
             guint       n,
             GError    **error)
{
  LsKVCache *self = enter (args, error);

  return leave (self, self != NULL && ls_kv_end (self, error));
}

/* cache, layer, scale, qkv, out; in older scripts a mask, which is None, before `out` */
static LsVMValue *
attention (LsVMPool   *pool,
           LsVMValue **args,
           guint       n,
           GError    **error)
{
  LsKVCache *self = is_count (n, 5, 6, error) ? enter (args, error) : NULL;
  gint64 layer;
  double scale = 0.0;
  gboolean fine = self != NULL && ls_vm_arg_int (args, 1, &layer, error) && real (args, 2, &scale, error);

  if (fine && n == 6 && args[4]->kind != LS_VM_NONE)
    fine = ls_vm_arg_wrong (4, args[4], LS_TEXT ("None: masks are not offered"), error);
  return leave (self, fine && ls_kv_attention (self, layer, scale, args[3], args[n - 1], error));
}

/* cache, layer, scale, q, k, v, out, sums */
static LsVMValue *
self_attention (LsVMPool   *pool,
                LsVMValue **args,
                guint       n,
                GError    **error)
{
  LsKVCache *self = enter (args, error);
  double scale = 0.0;

  return leave (self, self != NULL && real (args, 2, &scale, error) && ls_kv_self_attention (self, scale, args + 3, args[6], args[7], error));
}

/* cache, layer, scale, q, out, sums */
static LsVMValue *
cross_attention (LsVMPool   *pool,
                 LsVMValue **args,
                 guint       n,
                 GError    **error)
{
  LsKVCache *self = enter (args, error);
  gint64 layer;
  double scale = 0.0;

  return leave (self, self != NULL && ls_vm_arg_int (args, 1, &layer, error) && real (args, 2, &scale, error)
                && ls_kv_cross_attention (self, layer, scale, args[3], args[4], args[5], error));
}

/* cache, layer, latent vectors; gives the cache */
static LsVMValue *
append_latent (LsVMPool   *pool,
               LsVMValue **args,
               guint       n,
               GError    **error)
{
  LsKVCache *self = enter (args, error);
  gint64 layer;
  gboolean fine = self != NULL && ls_vm_arg_int (args, 1, &layer, error) && ls_kv_append_latent (self, layer, args[2], error);

  ls_vm_value_unref (leave (self, fine));
  return fine ? ls_vm_value_ref (args[0]) : NULL;
}

/* Values of another size than the cache's: the latent ones, brought to heads. */
static LsKVFunction
merge_for (LsKVCache *self,
           LsVMValue *out)
{
  const LsDLTensor *t = &out->tensor->tensor;

  return self->is_latent && t->ndim == 3 && t->shape[2] != self->value_dim ? LS_KV_MERGE_OTHER : LS_KV_MERGE;
}

/* cache, out, sums, other out, other sums: the first two become those of both */
static LsVMValue *
merge (LsVMPool   *pool,
       LsVMValue **args,
       guint       n,
       GError    **error)
{
  LsKVCache *self = enter (args, error);
  LsVMValue *parts[4];
  gboolean fine = self != NULL;

  for (guint i = 0; i < 4; i++)
    fine = fine && ls_vm_arg_tensor (args, i + 1, error) != NULL;
  for (guint i = 0; fine && i < 4; i++)
    parts[i] = ls_vm_value_ref (args[i + 1]);
  fine = fine && ls_kv_cache_call (self, merge_for (self, args[1]), parts, 4, error);
  ls_vm_value_unref (leave (self, fine));
  return fine ? ls_vm_tuple ((LsVMValue *[]) { ls_vm_value_ref (args[1]), ls_vm_value_ref (args[2]) }, 2) : NULL;
}

/* cache, sequences, the last accepted node of each tree */
static LsVMValue *
accept_nodes (LsVMPool   *pool,
              LsVMValue **args,
              guint       n,
              GError    **error)
{
  LsKVCache *self = enter (args, error);
  gboolean fine = self != NULL && is_shape (args, 1, error) && is_shape (args, 2, error);

  if (fine && args[1]->n != args[2]->n)
    fine = ls_vm_arg_wrong (2, args[2], LS_TEXT ("a number for each sequence"), error);
  return leave (self, fine && ls_kv_accept (self, args[1]->dims, args[2]->dims, args[1]->n, error));
}

static LsVMValue *
query_positions (LsVMPool   *pool,
                 LsVMValue **args,
                 guint       n,
                 GError    **error)
{
  LsKVCache *self = enter (args, error);
  LsVMValue *positions = NULL;

  if (self == NULL)
    return NULL;
  if (self->forward.n > 0)
    positions = ls_vm_value_ref (self->forward.query_positions);
  else
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("no forward is under way."));
  leave (self, FALSE);
  return positions;
}

/* ---- looking into it ------------------------------------------------------------------------- */

static gboolean
fits (LsKVCache *self,
      LsVMValue *value,
      gint64     tokens)
{
  const LsDLTensor *t = value->kind == LS_VM_TENSOR ? &value->tensor->tensor : NULL;

  return t != NULL && t->ndim == 4 && t->shape[0] == self->n_layers && t->shape[1] == tokens && t->shape[2] == self->n_kv_heads
         && t->shape[3] == self->head_dim && memcmp (&t->dtype, &self->dtype, sizeof self->dtype) == 0 && ls_tensor_is_compact (t);
}

/* The places of the tokens [start, end) of a sequence; NULL when there are none such.  (transfer full) */
static GArray *
places_of (LsKVCache    *self,
           LsKVSequence *sequence,
           gint64        start,
           gint64        end,
           GError      **error)
{
  GArray *places;

  if (start < 0 || end < start || end > sequence->length)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("sequence %" PRId64 " has %" PRId64 " tokens; [%" PRId64
                   ", %" PRId64 ") are none of them."), sequence->id, sequence->length, start, end);
      return NULL;
    }
  places = g_array_new (FALSE, FALSE, sizeof (gint32));
  for (gint64 p = start; p < end; p++)
    {
      gint32 place = (gint32) ls_kv_pages_place (self->pages, sequence, p);

      g_array_append_val (places, place);
    }
  return places;
}

static gboolean
get_kv (LsKVCache    *self,
        LsKVSequence *sequence,
        gint64        start,
        gint64        end,
        LsVMValue    *keys,
        LsVMValue    *values,
        GError      **error)
{
  g_autoptr (GArray) places = places_of (self, sequence, start, end, error);

  if (places == NULL)
    return FALSE;
  if (self->is_latent)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("the cache keeps a latent vector of each token; debug_get_kv_mla gives it."));
      return FALSE;
    }
  if (!fits (self, keys, end - start) || !fits (self, values, end - start))
    {
      g_autofree char *k = ls_vm_value_describe (keys), *v = ls_vm_value_describe (values);

      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("keys are to be written into %s, values into %s; tensors (%u, %" PRId64 ", %"
                   PRId64 ", %" PRId64 ") of the cache's type are expected."), k, v, self->n_layers, end - start, self->n_kv_heads, self->head_dim);
      return FALSE;
    }
  for (guint l = 0; l < self->n_layers; l++)
    if (!ls_kv_cache_call (self, LS_KV_DEBUG, (LsVMValue *[]) { ls_vm_value_ref (self->layers[l]), ls_kv_ints ((gint32 *) places->data, places->len, 0, error),
                                                                ls_vm_value_ref (keys), ls_vm_value_ref (values), ls_vm_int (l) }, 5, error))
      return FALSE;
  return TRUE;
}

/* cache, sequence, first token, token behind the last, keys, values: written into the last two */
static LsVMValue *
debug_get_kv (LsVMPool   *pool,
              LsVMValue **args,
              guint       n,
              GError    **error)
{
  LsKVCache *self = enter (args, error);
  gint64 id, start, end;
  LsKVSequence *sequence = self != NULL && ls_vm_arg_int (args, 1, &id, error) && ls_vm_arg_int (args, 2, &start, error) && ls_vm_arg_int (args, 3, &end, error)
                           ? ls_kv_pages_get (self->pages, id, error) : NULL;

  return leave (self, sequence != NULL && get_kv (self, sequence, start, end, args[4], args[5], error));
}

static gboolean
get_latent (LsKVCache    *self,
            LsKVSequence *sequence,
            gint64        start,
            gint64        end,
            LsVMValue    *vectors,
            GError      **error)
{
  g_autoptr (GArray) places = places_of (self, sequence, start, end, error);
  const LsDLTensor *t = vectors->kind == LS_VM_TENSOR ? &vectors->tensor->tensor : NULL;

  if (places == NULL)
    return FALSE;
  if (!self->is_latent || t == NULL || t->ndim != 3 || t->shape[0] != self->n_layers || t->shape[1] != end - start || t->shape[2] != self->head_dim
      || memcmp (&t->dtype, &self->dtype, sizeof self->dtype) != 0 || !ls_tensor_is_compact (t))
    {
      g_autofree char *came = ls_vm_value_describe (vectors);

      if (!self->is_latent)
        g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("the cache keeps no latent vectors; debug_get_kv gives its keys and values."));
      else
        g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("latent vectors are to be written into %s; a tensor (%u, %" PRId64 ", %"
                     PRId64 ") of the cache's type is expected."), came, self->n_layers, end - start, self->head_dim);
      return FALSE;
    }
  for (guint l = 0; l < self->n_layers; l++)
    if (!ls_kv_cache_call (self, LS_KV_DEBUG, (LsVMValue *[]) { ls_vm_value_ref (self->layers[l]), ls_kv_ints ((gint32 *) places->data, places->len, 0, error),
                                                                ls_vm_value_ref (vectors), ls_vm_int (l) }, 4, error))
      return FALSE;
  return TRUE;
}

/* cache, sequence, first token, token behind the last, latent vectors: written into the last */
static LsVMValue *
debug_get_latent (LsVMPool   *pool,
                  LsVMValue **args,
                  guint       n,
                  GError    **error)
{
  LsKVCache *self = enter (args, error);
  gint64 id, start, end;
  LsKVSequence *sequence = self != NULL && ls_vm_arg_int (args, 1, &id, error) && ls_vm_arg_int (args, 2, &start, error) && ls_vm_arg_int (args, 3, &end, error)
                           ? ls_kv_pages_get (self->pages, id, error) : NULL;

  return leave (self, sequence != NULL && get_latent (self, sequence, start, end, args[4], error));
}

const LsVMBuiltin ls_kv_builtins[] = {
  { "vm.builtin.paged_attention_kv_cache_create", -1, create },
  { "vm.builtin.paged_attention_kv_cache_create_reduced", -1, create_reduced },
  { "vm.builtin.kv_state_clear", 1, clear },
  { "vm.builtin.kv_state_add_sequence", 2, add_sequence },
  { "vm.builtin.kv_state_remove_sequence", 2, remove_sequence },
  { "vm.builtin.kv_state_fork_sequence", -1, fork_sequence },
  { "vm.builtin.kv_state_popn", 3, popn },
  { "vm.builtin.kv_state_begin_forward", -1, begin_forward },
  { "vm.builtin.kv_state_end_forward", 1, end_forward },
  { "vm.builtin.attention_kv_cache_enable_sliding_window_for_seq", 4, enable_window },
  { "vm.builtin.attention_kv_cache_commit_accepted_token_tree_nodes", 3, accept_nodes },
  { "vm.builtin.attention_kv_cache_empty", 1, is_empty },
  { "vm.builtin.attention_kv_cache_get_num_available_pages", 1, n_available_pages },
  { "vm.builtin.attention_kv_cache_get_total_sequence_length", 1, total_length },
  { "vm.builtin.attention_kv_cache_get_query_positions", 1, query_positions },
  { "vm.builtin.attention_kv_cache_debug_get_kv", 6, debug_get_kv },
  { "vm.builtin.attention_kv_cache_attention_with_fused_qkv", -1, attention },
  { "vm.builtin.attention_kv_cache_self_attention", 8, self_attention },
  { "vm.builtin.attention_kv_cache_cross_attention", 6, cross_attention },
  { "vm.builtin.attention_kv_cache_append_mla_kv", 3, append_latent },
  { "vm.builtin.attention_kv_cache_debug_get_kv_mla", 5, debug_get_latent },
  { "vm.builtin.attention_kv_cache_merge_attn_output_inplace", 5, merge },
  { NULL, 0, NULL },
};
