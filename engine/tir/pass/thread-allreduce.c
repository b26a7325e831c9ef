/* LowerThreadAllreduce: a reduction over threads by shuffles within warps, or by shared memory.
 *
 *     T.tvm_thread_allreduce (1, x, True, r[0], tx)     ->     r[0] = x;  t0[0] = T.tvm_warp_shuffle_down (mask[0], r[0], 16, ...)
 *                                                              r[0] = r[0] + t0[0];  ... 8, 4, 2, 1;  r[0] = T.tvm_warp_shuffle (...)
 *
 * Threads that reduce together are those of the axes in the call; the other axes of a block number the groups.  Where the target has warps
 * and the threads of a group are a part of one warp, each warp reduces by shuffles; several warps do so twice, by way of shared memory.
 * Elsewhere the values go through shared memory, halving the threads round by round; the last rounds, within a warp, need no barrier of
 * the block.  The buffer of the result is replaced by the one that the result is in.  Source of the concept: TVM's pass of the same name.
 *
 * A barrier keeps the first stores to shared memory apart from the loads of the round before, where the reduction is in a loop.  TVM puts it everywhere
 * (`barriers`: "all"); with "needed" it stands in loops only, since each reduction has shared memory of its own.
 */
#include "engine/arith/analyzer.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  LsIterVar *axis;
  int        dim;               /* 0, 1, 2: x, y, z */
  gint64     extent;
} Thread;

typedef struct {
  LsMap     *target;
  gint64     warp, max_threads; /* 1 and -1: not known */
  gboolean   has_mask;
  gboolean   all_barriers;      /* those too that keep nothing apart */
  guint      loops;             /* around the place */
  GPtrArray *threads;           /* of LsAttrStmt: the axes around */
  GPtrArray *reducers;          /* of LsCommReducer */
  GHashTable *loads;            /* data LsVar of a result -> LsExpr that is the result now */
  GHashTable *buffers;          /* the same -> LsBuffer that it is in */
  GPtrArray *kept;              /* of LsNode: keys stay alive */
  GError    *error;
} State;

/* One call of T.tvm_thread_allreduce. */
typedef struct {
  State         *state;
  LsCommReducer *reducer;
  guint          n;
  GPtrArray     *values;        /* of LsExpr */
  GPtrArray     *results;       /* of LsBufferLoad: where they are to go */
  LsExpr        *reduce_index, *group_index;
  gint64         reduce_extent, group_extent, contiguous;
  GPtrArray     *stmts;         /* of LsStmt */
  GPtrArray     *allocated;     /* of LsBuffer, the innermost first */
} Call;

/* ---- small parts ------------------------------------------------------------------- */

static LsExpr *
load (LsBuffer *buffer,
      LsExpr   *index)
{
  return ls_buffer_load_new (ls_ref (buffer), ls_array_of (index, NULL), NULL);
}

static LsExpr *
load_first (LsBuffer *buffer)
{
  return load (buffer, ls_int (0));
}

static LsStmt *
store (LsBuffer *buffer,
       LsExpr   *value,
       LsExpr   *index)
{
  return ls_buffer_store_new (ls_ref (buffer), value, ls_array_of (index, NULL), NULL);
}

static LsStmt *
barrier (const char *scope)
{
  return ls_evaluate_new (ls_call_op ("tir.tvm_storage_sync", LS_INT32, ls_array_of (ls_string_imm_new (scope), NULL)));
}

static LsStmt *
sequence (GPtrArray *stmts)
{
  return ls_seq (ls_array_take_ptr_array (stmts));
}

static GPtrArray *
new_stmts (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
}

static LsBuffer *
new_buffer (const char *name,
            guint       number,
            LsDType     dtype,
            gint64      extent,
            const char *scope)
{
  g_autofree char *full = number != G_MAXUINT ? g_strdup_printf ("%s%u", name, number) : g_strdup (name);

  return ls_buffer_new (full, dtype, ls_array_of (ls_int (extent), NULL), scope);
}

/* The reducer's results for what was and what is added (both borrowed arrays of LsExpr). (transfer full: LsExprs) */
static GPtrArray *
combine (Call      *call,
         GPtrArray *a,
         GPtrArray *b)
{
  g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
  GPtrArray *out = new_stmts ();

  for (guint i = 0; i < call->n; i++)
    {
      g_hash_table_insert (map, call->reducer->lhs->items[i], a->pdata[i]);
      g_hash_table_insert (map, call->reducer->rhs->items[i], b->pdata[i]);
    }
  for (guint i = 0; i < call->n; i++)
    g_ptr_array_add (out, ls_substitute (call->reducer->result->items[i], map));
  return out;
}

static LsDType
type_of (Call *call,
         guint i)
{
  return ls_dtype (call->values->pdata[i]);
}

/* ---- threads ------------------------------------------------------------------------ */

static int
by_dim (gconstpointer a,
        gconstpointer b)
{
  return ((const Thread *) a)->dim - ((const Thread *) b)->dim;
}

/* x + y * nx + z * nx * ny */
static LsExpr *
flatten (GArray *threads,
         gint64 *total)
{
  LsExpr *index = NULL;

  *total = 1;
  for (guint i = 0; i < threads->len; i++)
    {
      Thread *thread = &g_array_index (threads, Thread, i);
      LsExpr *var = ls_ref (LS_EXPR (thread->axis->var));

      index = index == NULL ? var : ls_add (index, ls_mul (var, ls_int (*total)));
      *total *= thread->extent;
    }
  return index != NULL ? index : ls_int (0);
}

static gboolean
is_reduced (LsCall *call,
            guint   first,
            LsVar  *var)
{
  for (guint i = first; i < call->args->n; i++)
    if (call->args->items[i] == LS_NODE (var))
      return TRUE;
  return FALSE;
}

static gboolean
read_threads (Call   *self,
              LsCall *call)
{
  g_autoptr (GArray) reduced = g_array_new (FALSE, TRUE, sizeof (Thread)), others = g_array_new (FALSE, TRUE, sizeof (Thread));
  gint64 extents[3] = { 1, 1, 1 };
  gboolean reduces[3] = { FALSE, FALSE, FALSE };

  for (guint i = 0; i < self->state->threads->len; i++)
    {
      LsAttrStmt *attr = self->state->threads->pdata[i];
      Thread thread = { ls_thread_axis (attr), 0, 0 };

      if (!g_str_has_prefix (thread.axis->thread_tag, "threadIdx."))
        continue;
      thread.dim = thread.axis->thread_tag[strlen ("threadIdx.")] - 'x';
      if (!ls_as_int (attr->value, &thread.extent) || thread.dim < 0 || thread.dim > 2)
        {
          g_set_error (&self->state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The extent of the threads that reduce together has to be a number."));
          return FALSE;
        }
      if (thread.extent == 1)
        continue;
      extents[thread.dim] = thread.extent;
      reduces[thread.dim] = is_reduced (call, 2 + 2 * self->n, thread.axis->var);
      g_array_append_val (*(reduces[thread.dim] ? &reduced : &others), thread);
    }
  g_array_sort (reduced, by_dim);
  g_array_sort (others, by_dim);
  self->reduce_index = flatten (reduced, &self->reduce_extent);
  self->group_index = flatten (others, &self->group_extent);
  self->contiguous = 1;
  for (guint dim = 0; dim < 3 && (reduces[dim] || extents[dim] == 1); dim++)
    self->contiguous *= extents[dim];
  return TRUE;
}

/* Can values of this type be shuffled? */
static gboolean
fits_shuffle (LsDType     t,
              const char *kind)
{
  guint bytes = (t.bits * t.lanes + 7u) / 8u;

  if (strcmp (kind, "rocm") == 0 && (t.lanes != 1 || t.bits != 32))
    return FALSE;
  if (t.code == LS_TYPE_FLOAT && t.bits == 16)
    return t.lanes <= 2;
  return t.lanes == 1 && bytes >= 4 && bytes <= 8;
}

static gboolean
uses_warps (Call *self)
{
  const char *kind = ls_target_kind (self->state->target);
  gint64 warp = self->state->warp, limit = self->state->max_threads;

  if (strcmp (kind, "cuda") != 0 && strcmp (kind, "rocm") != 0 && strcmp (kind, "metal") != 0)
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    if (!fits_shuffle (type_of (self, i), kind))
      return FALSE;
  /* Lanes are numbered along x first: threads that are not neighbours there are in other lanes than a shuffle takes them from. */
  if (warp <= 1 || self->reduce_extent == 1 || self->contiguous < self->reduce_extent)
    return FALSE;
  if (strcmp (kind, "rocm") == 0)
    return self->reduce_extent == warp;
  if (warp % self->reduce_extent == 0 || (limit != -1 && limit <= warp * warp && self->reduce_extent % warp == 0))
    return TRUE;
  return self->group_extent == 1 && self->reduce_extent <= warp;
}

/* ---- by shuffles ------------------------------------------------------------------------ */

static LsExpr *
shuffle (Call       *self,
         const char *op,
         LsBuffer   *mask,
         LsExpr     *value,
         LsExpr     *lane)
{
  LsExpr *lanes = mask != NULL ? load_first (mask) : ls_int (0);

  return ls_call_op (op, ls_dtype (value), ls_array_of (lanes, value, lane, ls_int (self->state->warp), ls_int (self->state->warp), NULL));
}

/* One round: values of `extent` threads, shuffled down by `offset`, are added to what each thread has. */
static void
shuffle_round (Call      *self,
               GPtrArray *sums,
               GPtrArray *shuffled,
               LsBuffer  *mask,
               gint64     offset,
               gint64     extent)
{
  g_autoptr (GPtrArray) a = new_stmts (), b = new_stmts (), sum = NULL;
  GPtrArray *stores = new_stmts ();
  LsStmt *both;

  for (guint i = 0; i < self->n; i++)
    {
      g_ptr_array_add (a, load_first (sums->pdata[i]));
      g_ptr_array_add (self->stmts, store (shuffled->pdata[i], shuffle (self, "tir.tvm_warp_shuffle_down", mask, ls_ref (LS_EXPR (a->pdata[i])), ls_int (offset)),
                                           ls_int (0)));
      g_ptr_array_add (b, load_first (shuffled->pdata[i]));
    }
  sum = combine (self, a, b);
  for (guint i = 0; i < self->n; i++)
    g_ptr_array_add (stores, store (sums->pdata[i], ls_ref (LS_EXPR (sum->pdata[i])), ls_int (0)));
  both = sequence (stores);
  if (offset * 2 > extent)
    both = ls_if_then_else_new (ls_lt (ls_add (ls_ref (self->reduce_index), ls_int (offset)), ls_int (extent)), both, NULL);
  g_ptr_array_add (self->stmts, both);
}

/* Each warp reduces the values of its first `extent` threads; where the sums are (transfer full: array of LsBuffer), and the mask. */
static GPtrArray *
reduce_in_warps (Call       *self,
                 gint64      extent,
                 LsExpr     *condition,
                 LsBuffer  **mask)
{
  GPtrArray *sums = new_stmts ();
  g_autoptr (GPtrArray) shuffled = new_stmts ();
  gint64 offset = 1;

  *mask = NULL;
  for (guint i = 0; i < self->n; i++)
    {
      LsStmt *first;

      g_ptr_array_add (sums, new_buffer ("red_buf", i, type_of (self, i), 1, "local"));
      g_ptr_array_add (shuffled, new_buffer ("t", i, type_of (self, i), 1, "local"));
      first = store (sums->pdata[i], ls_ref (LS_EXPR (self->values->pdata[i])), ls_int (0));
      g_ptr_array_add (self->stmts, condition != NULL ? ls_if_then_else_new (ls_ref (condition), first, NULL) : first);
      g_ptr_array_add (self->allocated, ls_node_ref (shuffled->pdata[i]));
    }
  if (self->state->has_mask)
    {
      *mask = new_buffer ("mask", G_MAXUINT, LS_DTYPE (LS_TYPE_UINT, 32), 1, "local");
      g_ptr_array_add (self->stmts, store (*mask, ls_call_op ("tir.tvm_warp_activemask", LS_DTYPE (LS_TYPE_UINT, 32), ls_array_empty ()), ls_int (0)));
      g_ptr_array_add (self->allocated, *mask);
    }
  while (offset * 2 < extent)
    offset *= 2;
  for (; offset > 0; offset /= 2)
    shuffle_round (self, sums, shuffled, *mask, offset, extent);
  return sums;
}

static void
keep_buffers (Call      *self,
              GPtrArray *buffers)
{
  for (guint i = 0; i < buffers->len; i++)
    g_ptr_array_add (self->allocated, ls_node_ref (buffers->pdata[i]));
}

/* The result of each group is in `buffers` at `index` (NULL: 0) from now on. */
static void
remember (Call      *self,
          GPtrArray *buffers,
          LsExpr    *index)
{
  State *state = self->state;

  for (guint i = 0; i < self->n; i++)
    {
      LsVar *data = ((LsBufferLoad *) self->results->pdata[i])->buffer->data;

      g_hash_table_insert (state->loads, data, load (buffers->pdata[i], index != NULL ? ls_ref (index) : ls_int (0)));
      g_hash_table_insert (state->buffers, data, ls_node_ref (buffers->pdata[i]));
      g_ptr_array_add (state->kept, ls_node_ref (LS_NODE (data)));
    }
}

static void
reduce_in_one_warp (Call *self)
{
  LsBuffer *mask;
  g_autoptr (GPtrArray) sums = reduce_in_warps (self, self->reduce_extent, NULL, &mask);

  for (guint i = 0; i < self->n; i++)
    {
      LsExpr *lane = ls_mul (ls_int (self->reduce_extent), ls_ref (self->group_index));

      g_ptr_array_add (self->stmts, store (sums->pdata[i], shuffle (self, "tir.tvm_warp_shuffle", mask, load_first (sums->pdata[i]), lane), ls_int (0)));
    }
  remember (self, sums, NULL);
}

/* Stores of loads of `from` at 0 into `to` under a condition, then a barrier. Takes condition and index. */
static void
share (Call      *self,
       GPtrArray *from,
       GPtrArray *to,
       LsExpr    *condition,
       LsExpr    *index)
{
  GPtrArray *stores = new_stmts ();

  for (guint i = 0; i < self->n; i++)
    g_ptr_array_add (stores, store (to->pdata[i], load_first (from->pdata[i]), ls_ref (index)));
  ls_unref (index);
  g_ptr_array_add (self->stmts, ls_if_then_else_new (condition, sequence (stores), NULL));
  g_ptr_array_add (self->stmts, barrier ("shared"));
}

static void
reduce_in_several_warps (Call *self)
{
  gint64 warp = self->state->warp, n_warps = self->reduce_extent / warp;
  g_autoptr (GPtrArray) staging = new_stmts (), results = new_stmts (), values = new_stmts ();
  g_autoptr (GPtrArray) sums = NULL, totals = NULL;
  g_autoptr (LsExpr) few = ls_lt (ls_ref (self->reduce_index), ls_int (n_warps));
  g_autoptr (LsExpr) base = ls_mul (ls_ref (self->group_index), ls_int (n_warps));
  LsBuffer *mask;

  for (guint i = 0; i < self->n; i++)
    {
      g_ptr_array_add (staging, new_buffer ("red_buf_staging", G_MAXUINT, type_of (self, i), n_warps * self->group_extent, "shared"));
      g_ptr_array_add (results, new_buffer ("red_result", G_MAXUINT, type_of (self, i), self->group_extent, "shared"));
    }
  keep_buffers (self, staging);
  sums = reduce_in_warps (self, warp, NULL, &mask);
  keep_buffers (self, sums);
  share (self, sums, staging, ls_eq (ls_floormod (ls_ref (self->reduce_index), ls_int (warp)), ls_int (0)),
         ls_add (ls_ref (base), ls_floordiv (ls_ref (self->reduce_index), ls_int (warp))));
  for (guint i = 0; i < self->n; i++)
    g_ptr_array_add (values, load (staging->pdata[i], ls_add (ls_ref (base), ls_ref (self->reduce_index))));
  g_ptr_array_unref (self->values);
  self->values = g_ptr_array_ref (values);
  totals = reduce_in_warps (self, n_warps, few, &mask);
  keep_buffers (self, totals);
  share (self, totals, results, ls_eq (ls_ref (self->reduce_index), ls_int (0)), ls_ref (self->group_index));
  remember (self, results, self->group_index);
}

/* ---- by shared memory -------------------------------------------------------------------- */

static LsExpr *
place (Call   *self,
       LsExpr *reduce_index)
{
  g_autoptr (LsAnalyzer) analyzer = NULL;
  g_autoptr (LsExpr) whole = NULL;

  if (ls_is_zero (self->group_index))
    return reduce_index;
  analyzer = ls_analyzer_new ();
  whole = ls_add (ls_mul (ls_ref (self->group_index), ls_int (self->reduce_extent)), reduce_index);
  return ls_analyzer_simplify (analyzer, whole);
}

/* What each thread has, and what the one that is `offset` behind has, added. (transfer full: array of LsExpr) */
static GPtrArray *
add_shared (Call      *self,
            GPtrArray *shared,
            gint64     offset)
{
  g_autoptr (GPtrArray) a = new_stmts (), b = new_stmts ();

  for (guint i = 0; i < self->n; i++)
    {
      g_ptr_array_add (a, load (shared->pdata[i], place (self, ls_ref (self->reduce_index))));
      g_ptr_array_add (b, load (shared->pdata[i], place (self, ls_add (ls_ref (self->reduce_index), ls_int (offset)))));
    }
  return combine (self, a, b);
}

/* Takes nothing. */
static LsStmt *
store_shared (Call      *self,
              GPtrArray *shared,
              GPtrArray *values)
{
  GPtrArray *stores = new_stmts ();

  for (guint i = 0; i < self->n; i++)
    g_ptr_array_add (stores, store (shared->pdata[i], ls_ref (LS_EXPR (values->pdata[i])), place (self, ls_ref (self->reduce_index))));
  return sequence (stores);
}

static void
shared_round (Call      *self,
              GPtrArray *shared,
              gint64     offset,
              gint64     threads)
{
  g_autoptr (GPtrArray) sum = add_shared (self, shared, offset);

  g_ptr_array_add (self->stmts, ls_if_then_else_new (ls_lt (ls_ref (self->reduce_index), ls_int (threads)), store_shared (self, shared, sum), NULL));
  g_ptr_array_add (self->stmts, barrier ("shared"));
}

/* Within a warp loads and stores are kept apart by barriers of the warp. */
static LsStmt *
warp_round (Call      *self,
            GPtrArray *shared,
            gint64     offset)
{
  g_autoptr (GPtrArray) sum = add_shared (self, shared, offset), vars = new_stmts ();
  LsStmt *body;

  for (guint i = 0; i < self->n; i++)
    {
      g_autofree char *name = g_strdup_printf ("w_%" G_GINT64_FORMAT "_%u", offset, i);

      g_ptr_array_add (vars, ls_var_new (name, ls_dtype (sum->pdata[i])));
    }
  body = ls_seq (ls_array_of (barrier ("warp"), store_shared (self, shared, vars), barrier ("warp"), NULL));
  for (guint i = 0; i < self->n; i++)
    body = ls_let_stmt_new (ls_ref ((LsVar *) vars->pdata[i]), ls_ref (LS_EXPR (sum->pdata[i])), body);
  return body;
}

static void
reduce_in_shared (Call *self)
{
  g_autoptr (GPtrArray) shared = new_stmts ();
  g_autoptr (LsExpr) first = place (self, ls_int (0));
  gint64 align = 1;

  if (self->state->all_barriers || self->state->loops > 0)
    g_ptr_array_add (self->stmts, barrier ("shared"));
  for (guint i = 0; i < self->n; i++)
    {
      g_ptr_array_add (shared, new_buffer ("red_buf", i, type_of (self, i), self->group_extent * self->reduce_extent, "shared"));
      g_ptr_array_add (self->stmts, store (shared->pdata[i], ls_ref (LS_EXPR (self->values->pdata[i])), place (self, ls_ref (self->reduce_index))));
    }
  g_ptr_array_add (self->stmts, barrier ("shared"));
  while (self->reduce_extent > align)
    align *= 2;
  if (align > self->reduce_extent)
    {
      align /= 2;
      shared_round (self, shared, align, self->reduce_extent - align);
    }
  while (align > self->contiguous || align > self->state->warp)
    {
      align /= 2;
      shared_round (self, shared, align, align);
    }
  if (align > 1)
    {
      GPtrArray *rounds = new_stmts ();
      LsExpr *condition = ls_lt (ls_ref (self->reduce_index), ls_int (align / 2));

      for (align /= 2; align >= 1; align /= 2)
        g_ptr_array_add (rounds, warp_round (self, shared, align));
      g_ptr_array_add (self->stmts, ls_if_then_else_new (condition, sequence (rounds), NULL));
      g_ptr_array_add (self->stmts, barrier ("shared"));
    }
  remember (self, shared, first);
}

/* ---- the call ------------------------------------------------------------------------------ */

static gboolean
read_values (Call       *self,
             LsCall     *call,
             LsRewriter *rewriter)
{
  LsExpr *condition = ls_array_at (call->args, 1 + self->n, LsExpr);

  for (guint i = 0; i < self->n; i++)
    {
      LsExpr *value = (LsExpr *) ls_rewrite (rewriter, call->args->items[1 + i]);

      if (!ls_is_one (condition))
        value = ls_select_new (ls_ref (condition), value, ls_ref (ls_array_at (self->reducer->identity_element, i, LsExpr)));
      g_ptr_array_add (self->values, value);
      if (!ls_is (call->args->items[2 + self->n + i], BUFFER_LOAD))
        {
          g_set_error (&self->state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The result of T.tvm_thread_allreduce goes to an element of a buffer."));
          return FALSE;
        }
      g_ptr_array_add (self->results, call->args->items[2 + self->n + i]);
    }
  return TRUE;
}

static LsStmt *
with_allocations (Call   *self,
                  LsStmt *body)
{
  for (guint i = 0; i < self->allocated->len; i++)
    {
      LsBuffer *buffer = self->allocated->pdata[i];

      body = ls_decl_buffer_new (ls_ref (buffer), body);
      body = ls_allocate_new (ls_ref (buffer->data), buffer->dtype, ls_ref (buffer->shape), ls_bool (TRUE), body, NULL);
    }
  return body;
}

static LsStmt *
lower_call (State      *state,
            LsRewriter *rewriter,
            LsCall     *call)
{
  gint64 n = 0;
  g_autoptr (GPtrArray) results = g_ptr_array_new ();
  g_autoptr (GPtrArray) allocated = new_stmts ();
  Call self = { .state = state, .results = results, .allocated = allocated };
  LsStmt *done = NULL;

  if (state->reducers->len == 0 || !ls_as_int (call->args->items[0], &n) || n < 1 || call->args->n < 2 + 2 * (guint) n)
    {
      g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("T.tvm_thread_allreduce stands inside of T.attr with the key reduce_scope and takes a value for each result."));
      return NULL;
    }
  self.n = (guint) n;
  self.reducer = state->reducers->pdata[state->reducers->len - 1];
  self.values = new_stmts ();
  self.stmts = new_stmts ();
  if (read_values (&self, call, rewriter) && read_threads (&self, call))
    {
      if (uses_warps (&self) && self.reduce_extent <= state->warp)
        reduce_in_one_warp (&self);
      else if (uses_warps (&self))
        reduce_in_several_warps (&self);
      else if (self.reduce_extent > 1)
        reduce_in_shared (&self);
      else
        for (guint i = 0; i < self.n; i++)
          g_ptr_array_add (self.stmts, store (((LsBufferLoad *) results->pdata[i])->buffer, ls_ref (LS_EXPR (self.values->pdata[i])), ls_int (0)));
      done = with_allocations (&self, sequence (g_steal_pointer (&self.stmts)));
    }
  g_clear_pointer (&self.stmts, g_ptr_array_unref);
  g_ptr_array_unref (self.values);
  ls_unref (self.reduce_index);
  ls_unref (self.group_index);
  return done;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static LsNode *
attribute (State      *state,
           LsRewriter *rewriter,
           LsAttrStmt *attr)
{
  gboolean is_thread = g_str_equal (attr->attr_key, "thread_extent");
  gboolean is_reducer = g_str_equal (attr->attr_key, "reduce_scope") && ls_is (attr->subject, COMM_REDUCER);
  GPtrArray *stack = is_thread ? state->threads : is_reducer ? state->reducers : NULL;
  LsNode *now;

  if (stack != NULL)
    g_ptr_array_add (stack, is_thread ? (gpointer) attr : (gpointer) attr->subject);
  now = ls_rewrite_default (rewriter, LS_NODE (attr));
  if (stack != NULL)
    g_ptr_array_set_size (stack, (int) stack->len - 1);
  return now;
}

/* The allocation of a result becomes that of what holds it now. */
static LsNode *
allocation (State      *state,
            LsRewriter *rewriter,
            LsAllocate *alloc)
{
  g_autoptr (LsNode) now = ls_rewrite_default (rewriter, LS_NODE (alloc));
  LsBuffer *buffer = g_hash_table_lookup (state->buffers, alloc->buffer_var);
  LsStmt *body;

  if (buffer == NULL)
    return g_steal_pointer (&now);
  body = ls_ref (((LsAllocate *) now)->body);
  if (strcmp (ls_buffer_scope (buffer), "shared") == 0)
    body = ls_attr_stmt_new (ls_ref (buffer->data), "volatile_scope", ls_int (1), body);
  return LS_NODE (ls_allocate_new (ls_ref (buffer->data), buffer->dtype, ls_ref (buffer->shape), ls_bool (TRUE), body, ls_ref (alloc->annotations)));
}

static LsNode *
loop (State      *state,
      LsRewriter *rewriter,
      LsNode     *node)
{
  LsNode *now;

  state->loops++;
  now = ls_rewrite_default (rewriter, node);
  state->loops--;
  return now;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsStmt *lowered;

  if (state->error != NULL)
    return ls_node_ref (node);
  if (ls_is (node, ATTR_STMT))
    return attribute (state, rewriter, (LsAttrStmt *) node);
  if (ls_is (node, FOR) || ls_is (node, WHILE))
    return loop (state, rewriter, node);
  if (ls_is (node, ALLOCATE))
    return allocation (state, rewriter, (LsAllocate *) node);
  if (ls_is (node, EVALUATE) && ls_is_call (((LsEvaluate *) node)->value, "tir.tvm_thread_allreduce"))
    {
      lowered = lower_call (state, rewriter, (LsCall *) ((LsEvaluate *) node)->value);
      return lowered != NULL ? LS_NODE (lowered) : ls_node_ref (node);
    }
  if (ls_is (node, BUFFER_LOAD))
    {
      LsNode *result = g_hash_table_lookup (state->loads, ((LsBufferLoad *) node)->buffer->data);

      if (result != NULL)
        return ls_node_ref (result);
    }
  if (ls_is (node, DECL_BUFFER))
    {
      g_autoptr (LsNode) now = ls_rewrite_default (rewriter, node);
      LsBuffer *buffer = g_hash_table_lookup (state->buffers, ((LsDeclBuffer *) node)->buffer->data);

      return buffer != NULL ? LS_NODE (ls_decl_buffer_new (ls_ref (buffer), ls_ref (((LsDeclBuffer *) now)->body))) : g_steal_pointer (&now);
    }
  return ls_rewrite_default (rewriter, node);
}

static gint64
number_of (LsMap      *target,
           const char *key,
           gint64      otherwise)
{
  gint64 value;

  return ls_as_int (ls_map_get (target, key), &value) ? value : otherwise;
}

LsPrimFunc *
ls_pass_lower_thread_allreduce (LsPrimFunc  *func,
                                LsMap       *options,
                                GError     **error)
{
  LsNode *target = ls_map_get (func->attrs, "target");
  const char *kind = ls_target_kind (target);
  gboolean is_gpu = strcmp (kind, "llvm") != 0 && strcmp (kind, "c") != 0;
  g_autoptr (GPtrArray) threads = g_ptr_array_new (), reducers = g_ptr_array_new ();
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) loads = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  State state = { .has_mask = strcmp (kind, "metal") != 0, .threads = threads, .reducers = reducers, .loads = loads, .buffers = buffers, .kept = kept };
  const char *barriers = ls_pass_word (options, "barriers", "all");
  g_autoptr (LsNode) body = NULL;

  if (!ls_is (target, MAP))
    {
      g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The function has no target; BindTarget notes one."));
      return NULL;
    }
  if (strcmp (barriers, "all") != 0 && strcmp (barriers, "needed") != 0)
    {
      g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("barriers is \"all\" or \"needed\", not \"%s\"."), barriers);
      return NULL;
    }
  state.all_barriers = strcmp (barriers, "all") == 0;
  state.target = (LsMap *) target;
  state.warp = number_of (state.target, "thread_warp_size", is_gpu ? 32 : 1);
  state.max_threads = number_of (state.target, "max_num_threads", is_gpu ? 1024 : -1);
  body = ls_rewrite_with (func->body, filter, &state);
  if (state.error == NULL)
    return ls_pass_with_body (func, body);
  g_propagate_error (error, state.error);
  return NULL;
}
