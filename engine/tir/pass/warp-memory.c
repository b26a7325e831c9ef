/* LowerWarpMemory: memory of scope "warp" becomes registers of the threads, read from other threads by shuffles.
 *
 *     M = T.allocate ([64], ..., "warp")            M = T.allocate ([2], ..., "local")
 *     M[tx * 2 + i] = a                      ->     M[i] = a
 *     b = M[k * 2 + i]                              b = T.tvm_warp_shuffle (mask, M[i], k, 32, 32)
 *
 * threadIdx.x has `width` threads, as many as a warp or a part of them; a store at  m * tx + (width * m) * y + x  with x < m
 * tells m.  Element e is then kept by thread  e // m % width  at  e // (m * width) * m + e % m.  A thread that reads what it
 * keeps itself needs no shuffle.  Vectors are accessed at consecutive places.  Source of the concept: TVM's pass of the
 * same name. */
#include "engine/arith/analyzer.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  LsVar  *data;                 /* the memory; borrowed */
  LsVar  *local;                /* what it becomes; owned */
  gint64  step;                 /* m; 0: not known yet */
  gint64  groups;               /* of step * width elements */
} Memory;

typedef struct {
  LsAnalyzer *analyzer;
  GHashTable *memories;         /* data LsVar -> Memory; owned */
  GHashTable *buffers;          /* LsBuffer -> LsBuffer on the local memory; owned */
  LsVar      *lane;             /* threadIdx.x */
  gint64      width;            /* its extent */
  gint64      warp;             /* threads of a warp */
  gboolean    has_two;          /* threadIdx.x has several variables: two kernels, or nobody has unified them */
  GError     *error;
} State;

/* Arguments of intrinsics that are memory of a warp; the offset is the next one. */
static const struct { const char *name; guint places[3]; guint n; } INTRINSICS[] = {
  { "tir.ptx_mma", { 6, 8, 10 }, 3 }, { "tir.ptx_ldmatrix", { 3 }, 1 }, { "tir.mma_fill", { 1 }, 1 }, { "tir.mma_store", { 3 }, 1 },
};

static void
memory_free (gpointer data)
{
  Memory *self = data;

  ls_unref (self->local);
  g_free (self);
}

static void
fail (State      *state,
      LsVar      *data,
      const char *rule)
{
  if (state->error == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The memory of a warp `%s`: %s"), data->name, ls_translate (rule));
}

/* ---- gathering --------------------------------------------------------------------------- */

static LsWalk
note_lanes (LsNode   *node,
            gpointer  user_data)
{
  State *state = user_data;
  LsIterVar *axis = ls_thread_axis (node);
  gint64 extent;

  ls_scope_bind (state->analyzer, node, LS_SCOPE_LOOPS | LS_SCOPE_THREADS);
  if (ls_is (node, ALLOCATE) && strcmp (ls_pointer_scope (((LsAllocate *) node)->buffer_var), "warp") == 0)
    {
      Memory *memory = g_new0 (Memory, 1);
      LsVar *data = ((LsAllocate *) node)->buffer_var;

      memory->data = data;
      memory->local = ls_pointer_var_new (data->name, ((LsAllocate *) node)->dtype, "local");
      g_hash_table_insert (state->memories, data, memory);
    }
  if (axis == NULL)
    return LS_WALK_CONTINUE;
  if (g_strcmp0 (axis->thread_tag, "threadIdx.x") != 0)
    return LS_WALK_CONTINUE;
  state->has_two = state->has_two || (state->lane != NULL && state->lane != axis->var);
  state->lane = axis->var;
  state->width = ls_as_int (((LsAttrStmt *) node)->value, &extent) && extent > 0 ? extent : 0;
  return LS_WALK_CONTINUE;
}

/* The first element of an access; NULL where a vector does not lie at consecutive places. */
static LsExpr *
first_element (LsExpr *index)
{
  gint64 stride;

  if (ls_dtype (index).lanes == 1)
    return index;
  return ls_is (index, RAMP) && ls_as_int (((LsRamp *) index)->stride, &stride) && stride == 1 ? ((LsRamp *) index)->base : NULL;
}

/* By how much the index grows from a thread to the next: m. */
static void
note_step (State  *state,
           Memory *memory,
           LsExpr *index)
{
  LsExpr *first = first_element (index);
  g_autoptr (LsExpr) next = ls_add (LS_EXPR (ls_ref (state->lane)), ls_const_int (ls_dtype (state->lane), 1));
  g_autoptr (LsExpr) step = NULL;
  gint64 number;

  if (first == NULL)
    {
      fail (state, memory->data, LS_TEXT ("vectors are stored at consecutive places."));
      return;
    }
  step = ls_sub ((LsExpr *) ls_substitute_one (first, state->lane, next), ls_ref (first));
  ls_take (&step, ls_analyzer_canonical_simplify (state->analyzer, step));
  if (!ls_as_int (step, &number) || number <= 0)
    fail (state, memory->data, LS_TEXT ("the index of a store grows by a positive constant from a thread to the next."));
  else if (memory->step != 0 && memory->step != number)
    fail (state, memory->data, LS_TEXT ("the indices of its stores grow alike from a thread to the next."));
  else
    memory->step = number;
}

static LsWalk
note_stores (LsNode   *node,
             gpointer  user_data)
{
  State *state = user_data;
  LsCall *call = (LsCall *) node;
  Memory *memory;
  gint64 size;

  if (state->error != NULL)
    return LS_WALK_STOP;
  if (ls_is (node, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) node;

      memory = g_hash_table_lookup (state->memories, store->buffer->data);
      if (memory != NULL && store->indices->n == 1)
        note_step (state, memory, ls_array_at (store->indices, 0, LsExpr));
    }
  else if (ls_is_call (node, "tir.ptx_ldmatrix") && call->args->n > 4)
    {
      memory = g_hash_table_lookup (state->memories, call->args->items[3]);
      if (memory != NULL)
        note_step (state, memory, ls_array_at (call->args, 4, LsExpr));
    }
  else if (ls_is_call (node, "tir.mma_fill") && call->args->n > 1)
    {
      memory = g_hash_table_lookup (state->memories, call->args->items[1]);
      if (memory != NULL && ls_as_int (call->args->items[0], &size))
        memory->step = size;
    }
  return LS_WALK_CONTINUE;
}

/* ---- rewriting --------------------------------------------------------------------------- */

/* Where the thread that keeps the element has it, and (keeper not NULL) which thread that is. */
static LsExpr *
place_of (State   *state,
          Memory  *memory,
          LsExpr  *index,
          LsExpr **keeper)
{
  LsExpr *first = first_element (index);
  g_autoptr (LsExpr) place = NULL;
  LsDType dtype;

  if (first == NULL)
    {
      fail (state, memory->data, LS_TEXT ("vectors are accessed at consecutive places."));
      if (keeper != NULL)
        *keeper = ls_ref (LS_EXPR (state->lane));
      return ls_ref (index);
    }
  dtype = ls_dtype (first);
  place = ls_floormod (ls_ref (first), ls_const_int (dtype, memory->step));
  if (memory->groups > 1)
    ls_take (&place, ls_add (ls_mul (ls_floordiv (ls_ref (first), ls_const_int (dtype, memory->step * state->width)), ls_const_int (dtype, memory->step)),
                             ls_ref (place)));
  ls_take (&place, ls_analyzer_canonical_simplify (state->analyzer, place));
  if (keeper != NULL)
    {
      LsExpr *in_group = memory->groups > 1 ? ls_floormod (ls_ref (first), ls_const_int (dtype, memory->step * state->width)) : ls_ref (first);
      g_autoptr (LsExpr) thread = ls_floordiv (in_group, ls_const_int (dtype, memory->step));

      *keeper = ls_analyzer_canonical_simplify (state->analyzer, thread);
    }
  if (first == index)
    return g_steal_pointer (&place);
  return ls_ramp_new (g_steal_pointer (&place), ls_const_int (dtype, 1), ls_ref (((LsRamp *) index)->lanes));
}

static LsBuffer *
local_buffer (State    *state,
              LsBuffer *buffer,
              Memory   *memory)
{
  LsBuffer *known = g_hash_table_lookup (state->buffers, buffer);

  if (known == NULL)
    g_hash_table_insert (state->buffers, buffer, known = ls_buffer_with (buffer, memory->local, LS_VOID, NULL));
  return ls_ref (known);
}

static LsNode *
lower_load (State        *state,
            LsBufferLoad *load,
            Memory       *memory)
{
  g_autoptr (LsExpr) keeper = NULL;
  LsExpr *place = place_of (state, memory, ls_array_at (load->indices, 0, LsExpr), &keeper);
  LsExpr *own;

  if (ls_uses (place, state->lane))
    fail (state, memory->data, LS_TEXT ("where a thread reads in the registers of another one must not depend on the reading thread."));
  own = LS_EXPR (ls_buffer_load_new (local_buffer (state, load->buffer, memory), ls_array_of (place, NULL), ls_ref (load->predicate)));
  if (ls_analyzer_can_prove_equal (state->analyzer, keeper, LS_EXPR (state->lane)))
    return LS_NODE (own);
  return LS_NODE (ls_call_op ("tir.tvm_warp_shuffle", ls_dtype (load),
                              ls_array_of (ls_call_op ("tir.tvm_warp_activemask", LS_DTYPE (LS_TYPE_UINT, 32), ls_array_empty ()), own,
                                           g_steal_pointer (&keeper), ls_int (state->width), ls_int (state->warp), NULL)));
}

/* An intrinsic that takes memory and offset. */
static LsNode *
lower_call (LsRewriter *rewriter,
            LsCall     *call,
            State      *state)
{
  g_autoptr (LsArray) args = ls_ref (call->args);

  for (guint i = 0; i < G_N_ELEMENTS (INTRINSICS); i++)
    for (guint j = 0; ls_is_call (call, INTRINSICS[i].name) && j < INTRINSICS[i].n; j++)
      {
        guint at = INTRINSICS[i].places[j];
        Memory *memory = at + 1 < call->args->n ? g_hash_table_lookup (state->memories, call->args->items[at]) : NULL;
        g_autoptr (LsExpr) place = NULL;

        if (memory == NULL)
          continue;
        place = place_of (state, memory, ls_array_at (call->args, at + 1, LsExpr), NULL);
        ls_take (&args, ls_array_with (args, at, memory->local));
        ls_take (&args, ls_array_with (args, at + 1, place));
      }
  if (args == call->args)
    return ls_rewrite_default (rewriter, LS_NODE (call));
  {
    g_autoptr (LsNode) made = LS_NODE (ls_call_new (ls_dtype (call), ls_node_ref (call->op), g_steal_pointer (&args)));

    return ls_rewrite_default (rewriter, made);
  }
}

static LsNode *
lower_allocate (LsRewriter *rewriter,
                LsAllocate *allocate,
                Memory     *memory,
                State      *state)
{
  gint64 size, round = state->width * memory->step;

  if (!ls_allocate_constant_size (allocate->extents, &size))
    {
      fail (state, memory->data, LS_TEXT ("its size is constant."));
      return ls_node_ref (LS_NODE (allocate));
    }
  if (memory->step == 0)
    {
      fail (state, memory->data, LS_TEXT ("a store that depends on threadIdx.x tells which thread keeps what; there is none."));
      return ls_node_ref (LS_NODE (allocate));
    }
  size *= allocate->dtype.lanes;
  memory->groups = (size + round - 1) / round;
  return ls_allocate_new (ls_ref (memory->local), allocate->dtype, ls_array_of (ls_int (memory->groups * memory->step), NULL), ls_ref (allocate->condition),
                          ls_rewrite (rewriter, allocate->body), ls_ref (allocate->annotations));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  Memory *memory;

  if (state->error != NULL)
    return ls_node_ref (node);
  if (ls_is_var (node))
    {
      memory = g_hash_table_lookup (state->memories, node);
      if (memory != NULL)
        fail (state, memory->data, LS_TEXT ("its address is not taken."));
      return ls_node_ref (node);
    }
  if (ls_is (node, BUFFER))
    {
      memory = g_hash_table_lookup (state->memories, ((LsBuffer *) node)->data);
      return memory != NULL ? LS_NODE (local_buffer (state, (LsBuffer *) node, memory)) : ls_node_ref (node);
    }
  if (ls_is (node, ALLOCATE) && (memory = g_hash_table_lookup (state->memories, ((LsAllocate *) node)->buffer_var)) != NULL)
    return lower_allocate (rewriter, (LsAllocate *) node, memory, state);
  if (ls_is (node, CALL))
    return lower_call (rewriter, (LsCall *) node, state);
  if (ls_is (node, BUFFER_LOAD) && (memory = g_hash_table_lookup (state->memories, ((LsBufferLoad *) node)->buffer->data)) != NULL)
    return lower_load (state, (LsBufferLoad *) node, memory);
  if (ls_is (node, BUFFER_STORE) && (memory = g_hash_table_lookup (state->memories, ((LsBufferStore *) node)->buffer->data)) != NULL)
    {
      LsBufferStore *store = (LsBufferStore *) node;
      LsExpr *place = place_of (state, memory, ls_array_at (store->indices, 0, LsExpr), NULL);

      return ls_node_set_span (ls_buffer_store_new (local_buffer (state, store->buffer, memory), (LsExpr *) ls_rewrite (rewriter, store->value),
                                                    ls_array_of (place, NULL), ls_ref (store->predicate)), store->node.span);
    }
  return ls_rewrite_default (rewriter, node);
}

/* What has to hold before anything is rewritten. */
static void
check (State *state)
{
  if (state->error != NULL || g_hash_table_size (state->memories) == 0)
    return;
  if (state->has_two)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("threadIdx.x has two variables; UnifyThreadBinding gives it one."));
  else if (state->lane == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("Memory of a warp is used by the threads of threadIdx.x; there are none."));
  else if (state->width == 0 || state->width > state->warp || state->warp % state->width != 0)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED,
                 ls_translate ("With memory of a warp threadIdx.x has an extent that divides the %" PRId64 " threads of a warp."), state->warp);
}

LsPrimFunc *
ls_pass_lower_warp_memory (LsPrimFunc  *func,
                           GError     **error)
{
  LsNode *target = ls_map_get (func->attrs, "target");
  const char *kind = ls_target_kind (target);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) memories = g_hash_table_new_full (NULL, NULL, NULL, memory_free);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  State state = { analyzer, memories, buffers, NULL, 0, 1, FALSE, NULL };
  g_autoptr (LsNode) body = NULL;

  if (target == NULL || !ls_is (target, MAP))
    {
      g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The function has no target; BindTarget notes one."));
      return NULL;
    }
  if (!ls_as_int (ls_map_get ((LsMap *) target, "thread_warp_size"), &state.warp))
    state.warp = strcmp (kind, "llvm") != 0 && strcmp (kind, "c") != 0 ? 32 : 1;
  if (state.warp == 1)
    return ls_ref (func);
  ls_walk (func->body, note_lanes, NULL, &state);
  check (&state);
  if (state.error == NULL && g_hash_table_size (memories) == 0)
    return ls_ref (func);
  if (state.error == NULL)
    ls_walk (func->body, note_stores, NULL, &state);
  if (state.error == NULL)
    body = ls_rewrite_with (func->body, filter, &state);
  if (state.error == NULL)
    return ls_pass_with_body (func, body);
  g_propagate_error (error, state.error);
  return NULL;
}
