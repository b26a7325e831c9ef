/* Paged caches: sequences in tables of counted pages against plain lists of tokens, in any order of steps; and a cache whose functions are C. */
#include "engine/runtime/kv-cache.h"

#include <string.h>

/* ---- pages --------------------------------------------------------------------------- */

#define N_IDS 12
#define PAGE 3
#define N_PAGES 40

/* What a place holds is the number of the token that was written there; each sequence knows which it should find. */
typedef struct {
  LsKVPages *pages;
  GRand     *rand;
  int        memory[N_PAGES * PAGE];
  GArray    *tokens[N_IDS];     /* of int; NULL: there is no such sequence */
  int        window[N_IDS], sinks[N_IDS];
  int        next;
  guint      full;
} World;

static void
check (World *self)
{
  gint64 total = 0;

  for (int id = 0; id < N_IDS; id++)
    if (self->tokens[id] != NULL)
      {
        LsKVSequence *sequence = ls_kv_pages_get (self->pages, id, NULL);

        g_assert_nonnull (sequence);
        g_assert_cmpint (sequence->length, ==, self->tokens[id]->len);
        for (guint i = 0; i < self->tokens[id]->len; i++)
          g_assert_cmpint (self->memory[ls_kv_pages_place (self->pages, sequence, i)], ==, g_array_index (self->tokens[id], int, i));
        total += sequence->length;
      }
    else
      g_assert_null (ls_kv_pages_get (self->pages, id, NULL));
  g_assert_cmpint (ls_kv_pages_total_length (self->pages), ==, total);
}

static void
append (World *self)
{
  LsKVSequence *sequences[N_IDS];
  gint64 lengths[N_IDS];
  g_autoptr (GArray) copies = g_array_new (FALSE, FALSE, sizeof (LsKVCopy));
  g_autoptr (GError) error = NULL;
  gint64 free = ls_kv_pages_n_free (self->pages);
  guint n = 0;

  for (int id = 0; id < N_IDS; id++)
    if (self->tokens[id] != NULL && g_rand_boolean (self->rand))
      {
        sequences[n] = ls_kv_pages_get (self->pages, id, NULL);
        lengths[n++] = g_rand_int_range (self->rand, 1, 8);
      }
  if (!ls_kv_pages_reserve (self->pages, sequences, lengths, n, copies, &error))
    {
      g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_MEMORY);
      g_assert_cmpint (ls_kv_pages_n_free (self->pages), ==, free);
      self->full++;
      return;
    }
  for (guint i = 0; i < copies->len; i++)
    {
      LsKVCopy *copy = &g_array_index (copies, LsKVCopy, i);

      memcpy (&self->memory[copy->to * PAGE], &self->memory[copy->from * PAGE], (gsize) copy->count * sizeof (int));
    }
  for (guint i = 0; i < n; i++)
    for (gint64 p = sequences[i]->length - lengths[i]; p < sequences[i]->length; p++)
      {
        self->memory[ls_kv_pages_place (self->pages, sequences[i], p)] = self->next;
        g_array_append_val (self->tokens[sequences[i]->id], self->next);
        self->next++;
      }
  check (self);
  for (guint i = 0; i < n; i++)
    {
      int id = (int) sequences[i]->id, more = (int) self->tokens[id]->len - self->window[id];

      ls_kv_pages_slide (self->pages, sequences[i]);
      if (self->window[id] > 0 && more > 0)
        g_array_remove_range (self->tokens[id], (guint) self->sinks[id], (guint) more);
    }
}

static void
fork_one (World *self,
          int    parent,
          int    child)
{
  gint64 at = g_rand_int_range (self->rand, -1, (int) self->tokens[parent]->len + 1);

  g_assert_true (ls_kv_pages_fork (self->pages, parent, child, at, NULL));
  self->tokens[child] = g_array_copy (self->tokens[parent]);
  if (at >= 0)
    g_array_set_size (self->tokens[child], (guint) at);
}

static void
drop (World *self,
      int    id)
{
  g_assert_true (ls_kv_pages_remove (self->pages, id, NULL));
  g_clear_pointer (&self->tokens[id], g_array_unref);
  self->window[id] = self->sinks[id] = 0;
}

static void
step (World *self)
{
  int id = g_rand_int_range (self->rand, 0, N_IDS), other = g_rand_int_range (self->rand, 0, N_IDS);
  int what = g_rand_int_range (self->rand, 0, 9);

  if (self->tokens[id] == NULL)
    {
      g_assert_true (ls_kv_pages_add (self->pages, id, NULL));
      self->tokens[id] = g_array_new (FALSE, FALSE, sizeof (int));
    }
  else if (what < 5)
    append (self);
  else if (what == 5 && self->tokens[other] == NULL)
    fork_one (self, id, other);
  else if (what == 6)
    drop (self, id);
  else if (what == 7)
    {
      gint64 count = g_rand_int_range (self->rand, 0, (int) self->tokens[id]->len + 1);

      g_assert_false (ls_kv_pages_pop (self->pages, ls_kv_pages_get (self->pages, id, NULL), self->tokens[id]->len + 1, NULL));
      g_assert_true (ls_kv_pages_pop (self->pages, ls_kv_pages_get (self->pages, id, NULL), count, NULL));
      g_array_set_size (self->tokens[id], self->tokens[id]->len - (guint) count);
    }
  else if (what == 8 && self->window[id] == 0)
    {
      int sinks = g_rand_int_range (self->rand, 0, 6), size = sinks + g_rand_int_range (self->rand, 1, 9);

      if (ls_kv_pages_set_window (self->pages, ls_kv_pages_get (self->pages, id, NULL), size, sinks, NULL))
        {
          self->window[id] = size;
          self->sinks[id] = sinks;
        }
    }
  check (self);
}

static void
test_any_order (void)
{
  guint full = 0;

  for (guint32 seed = 0; seed < 40; seed++)
    {
      World world = { ls_kv_pages_new (N_PAGES, PAGE), g_rand_new_with_seed (seed) };

      for (int i = 0; i < 400; i++)
        step (&world);
      for (int id = 0; id < N_IDS; id++)
        if (world.tokens[id] != NULL)
          drop (&world, id);
      g_assert_cmpint (ls_kv_pages_n_free (world.pages), ==, N_PAGES);
      full += world.full;
      ls_kv_pages_free (world.pages);
      g_rand_free (world.rand);
    }
  g_assert_cmpuint (full, >, 10);
}

/* ---- a cache with functions in C ------------------------------------------------------------- */

#define HEADS 2
#define D 2
#define LAYERS 2

typedef LsVMValue *(*Body) (LsVMValue **args, guint n_args, GError **error);

static LsVMValue *
call_body (gpointer    data,
           LsVMValue **args,
           guint       n_args,
           GError    **error)
{
  return (*(Body *) data) (args, n_args, error);
}

static const LsVMObjectClass C_CLASS = { g_free, call_body };

static LsVMValue *
function (Body body)
{
  return ls_vm_object (g_memdup2 (&body, sizeof body), &C_CLASS);
}

static gint32 *
ints_of (LsVMValue *value)
{
  return value->tensor->tensor.data;
}

static float *
floats_of (LsVMValue *value)
{
  return value->tensor->tensor.data;
}

static float *
page_row (LsVMValue *pages,
          gint32     place,
          int        part,
          int        head)
{
  return floats_of (pages) + (((place / PAGE * 2 + part) * HEADS + head) * PAGE + place % PAGE) * D;
}

/* (qkv, positions, q, k, v, whether to turn): nothing is turned here */
static LsVMValue *
split (LsVMValue **args,
       guint       n_args,
       GError    **error)
{
  gint64 rows = args[0]->tensor->tensor.shape[0];

  g_assert_cmpuint (n_args, ==, 6);
  for (gint64 r = 0; r < rows; r++)
    for (int part = 0; part < 3; part++)
      memcpy (floats_of (args[2 + part]) + r * HEADS * D, floats_of (args[0]) + (r * 3 + part) * HEADS * D, HEADS * D * sizeof (float));
  return ls_vm_none ();
}

static LsVMValue *
put (LsVMValue **args,
     guint       n_args,
     GError    **error)
{
  gint64 rows = args[1]->tensor->tensor.shape[0];

  g_assert_cmpuint (n_args, ==, 4);
  for (gint64 r = 0; r < rows; r++)
    for (int part = 0; part < 2; part++)
      for (int h = 0; h < HEADS; h++)
        memcpy (page_row (args[0], ints_of (args[3])[r], part, h), floats_of (args[1 + part]) + (r * HEADS + h) * D, D * sizeof (float));
  return ls_vm_none ();
}

static LsVMValue *
look (LsVMValue **args,
      guint       n_args,
      GError    **error)
{
  gint64 rows = args[1]->tensor->tensor.shape[0], layer = args[4]->v_int;

  for (gint64 r = 0; r < rows; r++)
    for (int part = 0; part < 2; part++)
      for (int h = 0; h < HEADS; h++)
        memcpy (floats_of (args[2 + part]) + ((layer * rows + r) * HEADS + h) * D, page_row (args[0], ints_of (args[1])[r], part, h), D * sizeof (float));
  return ls_vm_none ();
}

/* Not attention, but a number that tells whether every row was given exactly its tokens: the sum of what their values hold. */
static LsVMValue *
sum_pages (LsVMValue **args,
           guint       n_args,
           GError    **error)
{
  gboolean decode = n_args == 14;
  LsVMValue **paged = args + (decode ? 2 : 3);
  gint64 n = paged[1]->tensor->tensor.shape[0] - 1;

  g_assert_cmpuint (n_args, ==, decode ? 14 : 16);
  for (gint64 b = 0; b < n; b++)
    {
      gint32 first = decode ? (gint32) b : ints_of (args[2])[b], end = decode ? first + 1 : ints_of (args[2])[b + 1];
      gint32 pages = ints_of (paged[1])[b], n_pages = ints_of (paged[1])[b + 1] - pages, length = (n_pages - 1) * PAGE + ints_of (paged[3])[b];

      for (gint32 row = first; row < end; row++)
        for (int h = 0; h < HEADS; h++)
          for (int x = 0; x < D; x++)
            {
              float sum = 0;

              for (gint32 p = 0; p < length - (end - 1 - row); p++)
                sum += page_row (paged[0], ints_of (paged[2])[pages + p / PAGE] * PAGE + p % PAGE, 1, h)[x];
              floats_of (paged[6])[(row * HEADS + h) * D + x] = sum;
            }
    }
  return ls_vm_none ();
}

static LsVMValue *
tensor_of (int           ndim,
           const gint64 *shape)
{
  return ls_vm_tensor (ls_ndarray_new (ndim, shape, LS_DT_FLOAT32, NULL));
}

static LsVMValue *
call (const char *name,
      LsVMValue **args,
      guint       n,
      GError    **error)
{
  LsVMValue *result = NULL;

  g_assert_true (ls_vm_call_builtin (name, args, n, &result, error));
  for (guint i = 1; i < n; i++)
    ls_vm_value_unref (args[i]);
  return result;
}

#define CALL(name, ...) \
  G_STMT_START { \
    LsVMValue *args_[] = { cache, __VA_ARGS__ }; \
    g_autoptr (GError) error_ = NULL; \
    LsVMValue *result_ = call ("vm.builtin." name, args_, G_N_ELEMENTS (args_), &error_); \
    g_assert_no_error (error_); \
    ls_vm_value_unref (result_); \
  } G_STMT_END

static LsVMValue *
new_cache (void)
{
  LsVMValue *args[28] = { ls_vm_shape ((gint64[]) { 8, 60, 40, PAGE, 0 }, 5), ls_vm_shape ((gint64[]) { 0, LAYERS }, 2), ls_vm_int (HEADS), ls_vm_int (HEADS),
                          ls_vm_int (D), ls_vm_int (D), ls_vm_shape ((gint64[]) { 0, 0 }, 2), ls_vm_int (0), ls_vm_int (0), ls_vm_float (1), ls_vm_float (1e4) };
  LsVMValue *cache;
  g_autoptr (GError) error = NULL;

  for (guint i = 11; i < 28; i++)
    args[i] = i == 12 ? tensor_of (0, NULL) : i == 13 ? function (put) : i == 16 || i == 17 ? function (sum_pages) : i == 24 ? function (split)
              : i == 26 ? function (look) : ls_vm_none ();
  cache = ls_kv_cache_create (args, 28, FALSE, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 28; i++)
    ls_vm_value_unref (args[i]);
  return cache;
}

/* A forward whose values are all `value`: what each row gives is how much its sequence holds up to it. */
static void
forward (LsVMValue    *cache,
         const gint64 *ids,
         const gint64 *lengths,
         guint         n,
         float         value,
         const float  *before)
{
  gint64 total = 0;

  for (guint i = 0; i < n; i++)
    total += lengths[i];
  CALL ("kv_state_begin_forward", ls_vm_shape (ids, n), ls_vm_shape (lengths, n));
  for (int layer = 0; layer < LAYERS; layer++)
    {
      LsVMValue *qkv = tensor_of (3, (gint64[]) { total, 3 * HEADS, D }), *out = tensor_of (3, (gint64[]) { total, HEADS, D });
      gint64 row = 0;

      ls_tensor_fill (&qkv->tensor->tensor, value);
      CALL ("attention_kv_cache_attention_with_fused_qkv", ls_vm_int (layer), ls_vm_float (1), qkv, ls_vm_value_ref (out));
      for (guint i = 0; i < n; i++)
        for (gint64 t = 0; t < lengths[i]; t++, row++)
          for (int x = 0; x < HEADS * D; x++)
            g_assert_cmpfloat (floats_of (out)[row * HEADS * D + x], ==, before[i] + value * (float) (t + 1));
      ls_vm_value_unref (out);
    }
  CALL ("kv_state_end_forward");
}

static void
test_cache (void)
{
  LsVMValue *cache = new_cache ();

  CALL ("kv_state_add_sequence", ls_vm_int (0));
  CALL ("kv_state_add_sequence", ls_vm_int (1));
  forward (cache, (gint64[]) { 0, 1 }, (gint64[]) { 4, 7 }, 2, 1, (float[]) { 0, 0 });
  CALL ("kv_state_fork_sequence", ls_vm_int (0), ls_vm_int (2), ls_vm_int (-1));
  forward (cache, (gint64[]) { 2, 0 }, (gint64[]) { 1, 1 }, 2, 8, (float[]) { 4, 4 });
  CALL ("kv_state_popn", ls_vm_int (2), ls_vm_int (2));
  forward (cache, (gint64[]) { 0, 2, 1 }, (gint64[]) { 2, 9, 1 }, 3, 16, (float[]) { 12, 3, 7 });
  CALL ("kv_state_remove_sequence", ls_vm_int (0));
  forward (cache, (gint64[]) { 2 }, (gint64[]) { 1 }, 1, 1, (float[]) { 3 + 9 * 16 });
  /* what ends in the middle of a forward leaves nothing behind */
  CALL ("kv_state_begin_forward", ls_vm_shape ((gint64[]) { 1 }, 1), ls_vm_shape ((gint64[]) { 3 }, 1));
  ls_vm_value_unref (cache);
}

static LsVMValue *
leave_error (LsVMValue **args,
             guint       n_args,
             GError    **error)
{
  g_set_error_literal (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL, "this function fails");
  return NULL;
}

static void
test_errors (void)
{
  LsVMValue *cache = new_cache (), *result;
  LsKVCache *self = ls_kv_cache_of (cache);
  g_autoptr (GError) error = NULL;
  LsVMValue *qkv = tensor_of (3, (gint64[]) { 1, 3 * HEADS, D }), *out = tensor_of (3, (gint64[]) { 1, HEADS, D });

  ls_vm_value_unref (self->functions[LS_KV_APPEND]);
  self->functions[LS_KV_APPEND] = function (leave_error);
  CALL ("kv_state_add_sequence", ls_vm_int (0));
  CALL ("kv_state_begin_forward", ls_vm_shape ((gint64[]) { 0 }, 1), ls_vm_shape ((gint64[]) { 1 }, 1));
  result = call ("vm.builtin.attention_kv_cache_attention_with_fused_qkv", (LsVMValue *[]) { cache, ls_vm_int (0), ls_vm_float (1), qkv, out }, 5, &error);
  g_assert_null (result);
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL);
  g_assert_nonnull (strstr (error->message, "this function fails"));
  CALL ("kv_state_end_forward");          /* the cache is not in use any more */
  ls_vm_value_unref (cache);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kv/any-order", test_any_order);
  g_test_add_func ("/kv/cache", test_cache);
  g_test_add_func ("/kv/errors", test_errors);
  return g_test_run ();
}
