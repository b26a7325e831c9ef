/* kv-create: what a program says when it makes a paged cache. */
#include "engine/runtime/kv-cache.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Where what stands in the arguments; -1: nowhere. */
typedef struct {
  guint n_args;
  int   kinds, transfer, mode, scale, theta, factors, sample;      /* of functions 0 is nowhere too */
  int   functions[LS_KV_N_FUNCTIONS];
} Form;

/* TVM changed the order twice while its scripts stayed around; the number of arguments tells which is meant. */
static const Form FORMS[] = {
  { 28, 6, 7, 8, 9, 10, 11, 12,
    { [LS_KV_APPEND] = 13, [LS_KV_RAGGED] = 15, [LS_KV_PREFILL] = 16, [LS_KV_DECODE] = 17, [LS_KV_PREFILL_WINDOW] = 18, [LS_KV_DECODE_WINDOW] = 19,
      [LS_KV_TREE_PAGED] = 20, [LS_KV_TREE] = 21, [LS_KV_MERGE] = 23, [LS_KV_ROTARY] = 24, [LS_KV_DEBUG] = 26, [LS_KV_APPEND_LATENT] = 14,
      [LS_KV_LATENT] = 22, [LS_KV_MERGE_OTHER] = 23 } },
  { 32, 7, 8, 9, 10, 11, 12, 13,
    { [LS_KV_APPEND] = 14, [LS_KV_PREFILL] = 16, [LS_KV_RAGGED] = 17, [LS_KV_DECODE] = 18, [LS_KV_PREFILL_WINDOW] = 19, [LS_KV_DECODE_WINDOW] = 20,
      [LS_KV_TREE_PAGED] = 21, [LS_KV_TREE] = 22, [LS_KV_MERGE] = 27, [LS_KV_ROTARY] = 28, [LS_KV_DEBUG] = 30 } },
};
static const Form REDUCED = {
  24, -1, 23, 5, 6, 7, 22, 8,
  { [LS_KV_APPEND] = 9, [LS_KV_PREFILL] = 10, [LS_KV_DECODE] = 11, [LS_KV_PREFILL_WINDOW] = 12, [LS_KV_DECODE_WINDOW] = 13, [LS_KV_RAGGED] = 14,
    [LS_KV_MERGE] = 15, [LS_KV_ROTARY] = 16, [LS_KV_DEBUG] = 18, [LS_KV_TREE] = 20, [LS_KV_TREE_PAGED] = 21 }
};

static const char *const NAMES[LS_KV_N_FUNCTIONS] = {
  "f_transpose_append", "f_attention_prefill_ragged", "f_attention_prefill", "f_attention_decode", "f_attention_prefill_sliding_window",
  "f_attention_decode_sliding_window", "f_attention_prefill_with_tree_mask_paged_kv", "f_attention_prefill_with_tree_mask", "f_merge_inplace",
  "f_split_rotary", "f_debug_get_kv", "f_transpose_append_mla", "f_mla_prefill", "f_merge_inplace"
};

/* More would not be counted in the 32 bits of a place. */
#define MAX_PLACES (G_MAXINT32 / 2)

void
ls_kv_forward_clear (LsKVForward *self)
{
  LsVMValue *values[] = { self->q_indptr, self->page_indptr, self->page_values, self->page_lengths, self->k_offsets, self->positions,
                          self->query_positions, self->places, self->tree_indptr, self->tree_order, self->q, self->k, self->v, self->lse,
                          self->old_indptr, self->old_values, self->old_lengths };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    ls_vm_value_unref (values[i]);
  g_free (self->sequences);
  g_free (self->lengths);
  *self = (LsKVForward) { 0 };
}

static void
cache_free (gpointer data)
{
  LsKVCache *self = data;

  ls_kv_forward_clear (&self->forward);
  for (guint i = 0; i < self->n_layers; i++)
    ls_vm_value_unref (self->layers[i]);
  for (guint i = 0; i < LS_KV_N_FUNCTIONS; i++)
    ls_vm_value_unref (self->functions[i]);
  ls_vm_value_unref (self->rope_factors);
  g_clear_pointer (&self->pages, ls_kv_pages_free);
  g_clear_pointer (&self->last, g_array_unref);
  g_free (self->layers);
  g_free (self);
}

static const LsVMObjectClass CACHE_CLASS = { cache_free, NULL };

LsKVCache *
ls_kv_cache_of (LsVMValue *value)
{
  return value->kind == LS_VM_OBJECT && value->object_class == &CACHE_CLASS ? value->object : NULL;
}

LsVMValue *
ls_kv_ints (const gint32 *values,
            gint64        rows,
            gint64        columns,
            GError      **error)
{
  LsNDArray *array = ls_ndarray_new (columns > 0 ? 2 : 1, (gint64[]) { rows, columns }, LS_DT_INT32, error);

  if (array == NULL)
    return NULL;
  if (array->n_bytes > 0)
    memcpy (array->tensor.data, values, array->n_bytes);
  return ls_vm_tensor (array);
}

gboolean
ls_kv_cache_call (LsKVCache    *self,
                  LsKVFunction  function,
                  LsVMValue   **args,
                  guint         n,
                  GError      **error)
{
  LsVMValue *callee = self->functions[function];
  g_autoptr (LsVMValue) answer = NULL;
  gboolean whole = TRUE;

  for (guint i = 0; i < n; i++)
    whole = whole && args[i] != NULL;
  if (callee == NULL)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("the cache was made without %s, which is needed here."), NAMES[function]);
  else if (whole)
    answer = callee->object_class->call (callee->object, args, n, error);
  for (guint i = 0; i < n; i++)
    ls_vm_value_unref (args[i]);
  return answer != NULL;
}

/* ---- arguments ---------------------------------------------------------------------- */

static gboolean
get_real (LsVMValue **args,
          int         i,
          double     *value,
          GError    **error)
{
  if (args[i]->kind == LS_VM_FLOAT)
    *value = args[i]->v_float;
  else if (args[i]->kind == LS_VM_INT)
    *value = (double) args[i]->v_int;
  else
    return ls_vm_arg_wrong ((guint) i, args[i], LS_TEXT ("a number"), error);
  return TRUE;
}

/* None and (): there is none.  (kind, function): one in the dialect of TIR.  (function): itself. */
static gboolean
take_function (LsKVCache   *self,
               LsKVFunction function,
               guint        place,
               LsVMValue   *value,
               GError     **error)
{
  LsVMValue *callee = value;

  if (value->kind == LS_VM_NONE || (value->kind == LS_VM_TUPLE && value->n == 0))
    return TRUE;
  if (value->kind == LS_VM_TUPLE && value->items[0]->kind == LS_VM_STRING)
    {
      if (value->n != 2 || !g_str_has_prefix (value->items[0]->string, "tir"))
        {
          g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("%s is of the kind \"%s\"; only functions of \"tir\" are offered."),
                       NAMES[function], value->items[0]->string);
          return FALSE;
        }
      callee = value->items[1];
    }
  else if (value->kind == LS_VM_TUPLE)
    callee = value->items[function == LS_KV_MERGE_OTHER ? value->n - 1 : 0];
  if (callee->kind != LS_VM_OBJECT || callee->object_class->call == NULL)
    return ls_vm_arg_wrong (place, callee, LS_TEXT ("a function"), error);
  self->functions[function] = ls_vm_value_ref (callee);
  return TRUE;
}

/* The kind of all layers: 0, keys and values of several heads, or 1, a latent vector. */
static gboolean
take_kind (LsKVCache   *self,
           LsVMValue  **args,
           const Form  *form,
           GError     **error)
{
  LsVMValue *kinds = form->kinds >= 0 && args[form->kinds]->kind == LS_VM_SHAPE ? args[form->kinds] : NULL;
  gint64 transfer = 0, most = form->functions[LS_KV_LATENT] > 0 ? 1 : 0;

  if (!ls_vm_arg_int (args, (guint) form->transfer, &transfer, error))
    return FALSE;
  for (guint i = 0; kinds != NULL && i < kinds->n; i++)
    if (kinds->dims[i] < 0 || kinds->dims[i] > most || kinds->dims[i] != kinds->dims[0])
      {
        g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT,
                     ls_translate ("layer %u has attention of kind %" PRId64 "; only 0, with keys and values of several heads%s, is offered."), i, kinds->dims[i],
                     most > 0 ? ", or 1, with a latent vector, the same in all layers" : "");
        return FALSE;
      }
  self->is_latent = kinds != NULL && kinds->n > 0 && kinds->dims[0] == 1;
  if (transfer != 0)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("a cache that is transferred between machines is not offered."));
  return transfer == 0;
}

/* ---- the cache ---------------------------------------------------------------------- */

static gboolean
take_numbers (LsKVCache   *self,
              LsVMValue  **args,
              const Form  *form,
              GError     **error)
{
  gint64 mode;

  if (!ls_vm_arg_int (args, 2, &self->n_q_heads, error) || !ls_vm_arg_int (args, 3, &self->n_kv_heads, error)
      || !ls_vm_arg_int (args, 4, &self->head_dim, error) || !ls_vm_arg_int (args, form->kinds >= 0 ? 5 : 4, &self->value_dim, error)
      || !ls_vm_arg_int (args, (guint) form->mode, &mode, error) || !get_real (args, form->scale, &self->rope_scale, error)
      || !get_real (args, form->theta, &self->rope_theta, error))
    return FALSE;
  if (self->n_q_heads < 1 || self->n_kv_heads < 1 || self->head_dim < 1 || self->n_q_heads > 65536 || self->n_kv_heads > 65536 || self->head_dim > 65536
      || self->n_q_heads % self->n_kv_heads != 0)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT,
                 ls_translate ("%" PRId64 " heads of queries, %" PRId64 " of keys, %" PRId64 " numbers each: the first is to be a multiple of the second."),
                 self->n_q_heads, self->n_kv_heads, self->head_dim);
  else if (self->is_latent && (self->value_dim < 1 || self->value_dim > self->head_dim))
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("the value of a latent vector of %" PRId64 " numbers cannot be its first %"
                 PRId64 "."), self->head_dim, self->value_dim);
  else if (self->is_latent && mode != LS_KV_ROPE_NONE)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("latent vectors are kept as they come: the mode of rotary positions is 0, not %" PRId64 "."), mode);
  else if (!self->is_latent && self->value_dim != self->head_dim)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("heads of values (%" PRId64 ") that are larger or smaller than those of keys (%"
                 PRId64 ") are not offered."), self->value_dim, self->head_dim);
  else if (mode < LS_KV_ROPE_NONE || mode > LS_KV_ROPE_INLINE)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("%" PRId64 " is no mode of rotary positions."), mode);
  else
    {
      self->rope = (LsKVRope) mode;
      self->score_scale = form->kinds >= 0 ? 1 : 1 / sqrt ((double) self->head_dim);
      return TRUE;
    }
  return FALSE;
}

static gboolean
take_sizes (LsKVCache *self,
            LsVMValue *sizes,
            LsVMValue *layers,
            gint64    *n_pages,
            GError   **error)
{
  gint64 tokens;

  if (sizes->kind != LS_VM_SHAPE || sizes->n != 5)
    return ls_vm_arg_wrong (0, sizes, LS_TEXT ("a shape (sequences, tokens, tokens of a prefill, tokens of a page, whether windows slide)"), error);
  if (layers->kind != LS_VM_SHAPE || layers->n < 2)
    return ls_vm_arg_wrong (1, layers, LS_TEXT ("a shape (first layer, ..., number of layers)"), error);
  self->max_sequences = sizes->dims[0];
  tokens = sizes->dims[1];
  self->chunk = sizes->dims[2];
  self->page_size = sizes->dims[3];
  self->has_windows = sizes->dims[4] != 0;
  self->n_layers = (guint) CLAMP (layers->dims[layers->n - 1] - layers->dims[0], 0, 65536);
  if (self->max_sequences < 1 || self->max_sequences > MAX_PLACES || tokens < 1 || tokens > MAX_PLACES || self->chunk < 1 || self->chunk > MAX_PLACES
      || self->page_size < 1 || self->page_size > MAX_PLACES || self->n_layers == 0)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("a cache has at least one layer, sequence, token, and token in a page, and at most %d."),
                   MAX_PLACES);
      return FALSE;
    }
  /* one page more, because the last of a sequence is seldom full; a window lies at the borders of two more */
  *n_pages = (tokens + self->page_size - 1) / self->page_size + 1 + (self->has_windows ? 2 * self->max_sequences : 0);
  if (*n_pages > MAX_PLACES / self->page_size + 1)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("%" PRId64 " pages of %" PRId64 " tokens are too many."), *n_pages, self->page_size);
      return FALSE;
    }
  return TRUE;
}

static gboolean
make_layers (LsKVCache *self,
             gint64     n_pages,
             GError   **error)
{
  guint n = self->n_layers;

  self->layers = g_new0 (LsVMValue *, n);
  self->n_layers = 0;
  for (; self->n_layers < n; self->n_layers++)
    {
      gint64 heads[] = { n_pages, 2, self->n_kv_heads, self->page_size, self->head_dim }, latent[] = { n_pages, self->page_size, self->head_dim };
      LsNDArray *pages = ls_ndarray_new (self->is_latent ? 3 : 5, self->is_latent ? latent : heads, self->dtype, error);

      if (pages == NULL)
        return FALSE;
      self->layers[self->n_layers] = ls_vm_tensor (pages);
    }
  self->pages = ls_kv_pages_new (n_pages, self->page_size);
  self->last = g_array_new (FALSE, FALSE, sizeof (gint64));
  return TRUE;
}

LsVMValue *
ls_kv_cache_create (LsVMValue **args,
                    guint       n,
                    gboolean    reduced,
                    GError    **error)
{
  const Form *form = reduced && n == REDUCED.n_args ? &REDUCED : NULL;
  LsKVCache *self;
  LsNDArray *sample;
  gint64 n_pages = 0;
  guint n_layers;
  gboolean fine;

  for (guint i = 0; !reduced && i < G_N_ELEMENTS (FORMS); i++)
    if (FORMS[i].n_args == n)
      form = &FORMS[i];
  if (form == NULL)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("a cache is made of %s arguments; %u came."), reduced ? "24" : "28 or 32", n);
      return NULL;
    }
  sample = ls_vm_arg_tensor (args, (guint) form->sample, error);
  if (sample == NULL)
    return NULL;
  self = g_new0 (LsKVCache, 1);
  self->dtype = sample->tensor.dtype;
  fine = take_kind (self, args, form, error) && take_numbers (self, args, form, error) && take_sizes (self, args[0], args[1], &n_pages, error);
  n_layers = self->n_layers;
  self->n_layers = 0;
  for (guint i = 0; fine && i < LS_KV_N_FUNCTIONS; i++)
    fine = form->functions[i] == 0 || take_function (self, (LsKVFunction) i, (guint) form->functions[i], args[form->functions[i]], error);
  if (fine && args[form->factors]->kind == LS_VM_TENSOR)
    self->rope_factors = ls_vm_value_ref (args[form->factors]);
  self->n_layers = fine ? n_layers : 0;
  if (!fine || !make_layers (self, n_pages, error))
    {
      cache_free (self);
      return NULL;
    }
  return ls_vm_object (self, &CACHE_CLASS);
}
