/* kv-cache: keys and values of attention for many sequences, in pages, as an object of the virtual machine.
 *
 *   kv-pages    which token of which sequence lies in which page; forks, windows, room for more
 *   kv-create   what a program says when it makes one
 *   kv-forward  one step of a model: begin with what each sequence gets, attention of each layer, end
 *   kv-cross    attention over what was there before, and layers that keep one latent vector of each token
 *   kv-builtin  the functions of TVM's names over it
 *
 * The arithmetic is in functions that the program hands over when it makes the cache (TVM's signatures, in
 * engine/python/tvm/relax/frontend/nn/llm); the cache says to them which page and which position is whose.  What only moves
 * tokens from page to page it does itself, so that nothing can fail there: f_copy_single_page and f_compact_copy are taken
 * and not called.
 */
#pragma once

#include "engine/runtime/kv-pages.h"
#include "engine/runtime/vm-private.h"

G_BEGIN_DECLS

typedef enum {
  LS_KV_APPEND,                 /* (pages, k, v, places) */
  LS_KV_RAGGED,                 /* (q, q_indptr, k, v, k_indptr, q_positions, k_offsets, out, lse, causal, rotary, scale, theta, sm_scale) */
  LS_KV_PREFILL,                /* (0, q, q_indptr, pages, page_indptr, page_values, lengths, k_offsets, q_positions, out, lse, causal, rotary, ...) */
  LS_KV_DECODE,                 /* the same without q_indptr and causal: a token for each sequence */
  LS_KV_PREFILL_WINDOW,         /* `lengths` has three rows: of the last page, where the window begins, sinks */
  LS_KV_DECODE_WINDOW,
  LS_KV_TREE_PAGED,             /* (0, q, ..., lse, rotary, scale, theta, sm_scale, tree_indptr, tree_order) */
  LS_KV_TREE,
  LS_KV_MERGE,                  /* (out, lse, other out, other lse) */
  LS_KV_ROTARY,                 /* (qkv, positions, q, k, v, whether to rotate) */
  LS_KV_DEBUG,                  /* (pages, places, k, v, layer); of latent vectors (pages, places, kv, layer) */
  LS_KV_APPEND_LATENT,          /* (pages, kv, places) */
  LS_KV_LATENT,                 /* (q, q_indptr, pages, page_indptr, page_values, lengths, out, lse, causal, sm_scale) */
  LS_KV_MERGE_OTHER,            /* as LS_KV_MERGE, where values have not the size of the cache's */
  LS_KV_N_FUNCTIONS
} LsKVFunction;

typedef enum { LS_KV_ROPE_NONE, LS_KV_ROPE_NORMAL, LS_KV_ROPE_INLINE } LsKVRope;

/* What a forward works with; made by its begin. */
typedef struct {
  guint           n;            /* sequences; 0: none is under way */
  LsKVSequence  **sequences;
  gint64         *lengths;      /* new tokens of each */
  gint64          total;
  gboolean        is_tree, is_fresh, is_decode;         /* is_fresh: no sequence had tokens before */
  LsVMValue      *q_indptr, *page_indptr, *page_values, *page_lengths, *k_offsets, *positions, *query_positions, *places;
  LsVMValue      *tree_indptr, *tree_order;
  LsVMValue      *q, *k, *v, *lse;
  LsVMValue      *old_indptr, *old_values, *old_lengths;        /* pages without the new tokens; NULL before they are asked for */
} LsKVForward;

typedef struct {
  LsKVPages    *pages;
  LsVMValue   **layers;         /* of each: (pages, 2, heads, tokens of a page, size of a head), or (pages, tokens, size) of latent vectors */
  guint         n_layers;
  gint64        page_size, max_sequences, chunk, n_q_heads, n_kv_heads, head_dim, value_dim;
  gboolean      has_windows, is_latent;                 /* is_latent (MLA): one vector of a token, whose first value_dim numbers are the value */
  LsKVRope      rope;
  double        rope_scale, rope_theta, score_scale;    /* score_scale: times what each attention says */
  LsVMValue    *rope_factors;   /* or NULL */
  LsDLDataType  dtype;
  LsVMValue    *functions[LS_KV_N_FUNCTIONS];           /* NULL: it was not handed over */
  LsKVForward   forward;
  GArray       *last;           /* of gint64: the sequences of the last forward, then how many tokens each got */
  int           busy;           /* atomic */
} LsKVCache;

/* ---- kv-create.c ---- */

/* The arrays of a forward go; it is as before the first one. */
void       ls_kv_forward_clear   (LsKVForward   *self);

/* The cache, or NULL when the value is none. */
LsKVCache *ls_kv_cache_of        (LsVMValue     *value);
/* From the arguments of vm.builtin.paged_attention_kv_cache_create, `reduced` of its older sister.  Errors: ARGUMENT,
 * UNSUPPORTED kinds as ARGUMENT, MEMORY. (transfer full) */
LsVMValue *ls_kv_cache_create    (LsVMValue    **args,
                                  guint          n,
                                  gboolean       reduced,
                                  GError       **error);
/* A function that was handed over, on these arguments, which are taken.  Errors: ARGUMENT when it was not, and its own. */
gboolean   ls_kv_cache_call      (LsKVCache     *self,
                                  LsKVFunction   function,
                                  LsVMValue    **args,
                                  guint          n,
                                  GError       **error);
/* A tensor of 32-bit numbers; a second extent of 0: there is one. (transfer full) */
LsVMValue *ls_kv_ints            (const gint32  *values,
                                  gint64         rows,
                                  gint64         columns,
                                  GError       **error);

/* ---- kv-forward.c ---- */

/* A tensor of `dtype` with a row for each new token, `heads` in each and `size` numbers in a head; a `size` of 0: it has two
 * extents.  Rows behind them may follow.  `what` names it in the error.  (transfer full) */
LsVMValue *ls_kv_rows            (LsKVCache     *self,
                                  LsVMValue     *value,
                                  const char    *what,
                                  LsDLDataType   dtype,
                                  gint64         heads,
                                  gint64         size,
                                  GError       **error);
/* The numbers that end the arguments of each attention, from args[n] on; gives how many there are then. */
guint      ls_kv_add_rope        (LsKVCache     *self,
                                  double         scale,
                                  LsVMValue    **args,
                                  guint          n);
/* Each sequence gets so many tokens; `parents` (n_parents numbers, or NULL): they are nodes of trees.  Errors: NOT_FOUND,
 * ARGUMENT, MEMORY; nothing has changed then. */
gboolean   ls_kv_begin           (LsKVCache     *self,
                                  const gint64  *ids,
                                  const gint64  *lengths,
                                  guint          n,
                                  const gint64  *parents,
                                  guint          n_parents,
                                  GError       **error);
gboolean   ls_kv_end             (LsKVCache     *self,
                                  GError       **error);
/* Queries, keys and values of the new tokens of a layer, one behind the other in each row; the attention goes into `out`. */
gboolean   ls_kv_attention       (LsKVCache     *self,
                                  gint64         layer,
                                  double         scale,
                                  LsVMValue     *qkv,
                                  LsVMValue     *out,
                                  GError       **error);
/* Of the new tokens among themselves; nothing is kept. */
gboolean   ls_kv_self_attention  (LsKVCache     *self,
                                  double         scale,
                                  LsVMValue    **qkv,
                                  LsVMValue     *out,
                                  LsVMValue     *lse,
                                  GError       **error);
/* ---- kv-cross.c ---- */

/* Attention of the new tokens' queries over the tokens before them; where every sequence gets one token, over that too.  The logarithms of
 * the sums go into `lse`. */
gboolean   ls_kv_cross_attention (LsKVCache     *self,
                                  gint64         layer,
                                  double         scale,
                                  LsVMValue     *q,
                                  LsVMValue     *out,
                                  LsVMValue     *lse,
                                  GError       **error);
/* Keeps the latent vectors of the new tokens. */
gboolean   ls_kv_append_latent   (LsKVCache     *self,
                                  gint64         layer,
                                  LsVMValue     *kv,
                                  GError       **error);
/* Is there such a layer, and is a forward under way? */
gboolean   ls_kv_check_layer     (LsKVCache     *self,
                                  gint64         layer,
                                  GError       **error);

/* ---- kv-forward.c, trees ---- */

/* Of each sequence of the last forward the path to a node of its tree stays; -1: nothing of it. */
gboolean   ls_kv_accept          (LsKVCache     *self,
                                  const gint64  *ids,
                                  const gint64  *leaves,
                                  guint          n,
                                  GError       **error);

G_END_DECLS
