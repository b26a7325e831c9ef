/* MergeSharedMemoryAllocations: a kernel has one piece of shared memory.
 *
 *     with launch_thread ("threadIdx.x", 128):            with launch_thread ("threadIdx.x", 128):
 *         A = T.allocate ([128], "float32", "shared.dyn")      buf = T.allocate ([1024], "uint8", "shared.dyn")
 *         B = T.allocate ([128], "float32", "shared.dyn") ->   B[tx + 128] = A[tx]              (both views of buf)
 *         B[tx] = A[tx]
 *
 * Lives are followed as in storage-plan.c.  A new allocation takes a free part of at least its size (up to 16 times), or else
 * as many smaller ones, from the largest on, as make up its size: what lay there before is a layer below it.  Parts of unknown
 * size are taken in turn.  Then the parts that are left are put behind each other, the members of a layer too, each layer
 * and what follows it aligned to its widest element (in a kernel that is written out to what vectors and tensor cores want).  Dynamic shared memory (shared.dyn) is merged where it has several allocations, static only
 * with the option tir.merge_static_smem.  Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/liveness.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

#define MATCH_RANGE 16
#define SHARED_ALIGN 32      /* bytes: what loads of tensor cores want */
#define SMALL 32                /* bits that are not shared with others */

/* A piece of the merged memory, and who lies there: each layer is a list of Vars side by side. */
typedef struct {
  guint64    bits;              /* 0: not constant */
  GPtrArray *layers;            /* of GPtrArray of LsVar */
} Part;

typedef struct {
  guint64 key;                  /* bits when it became free */
  Part   *part;
} Free;

typedef struct {
  const char *scope;
  LsLiveness *liveness;
  GPtrArray  *parts;            /* of Part, all that were made */
  GArray     *free;             /* of Free, by rising size */
  GPtrArray  *free_symbolic;    /* of Part */
  GPtrArray  *small;            /* of Part: never free again */
  GHashTable *by_var;           /* Var -> Part */
  gint64      least;            /* bytes that each allocation begins at a multiple of, at least */
} Planner;

typedef struct {
  const char *scope;
  LsVar      *merged;           /* owned */
  LsExpr     *size;             /* in bytes; owned */
  GHashTable *offsets;          /* Var -> LsExpr in bytes; owned */
  GHashTable *buffers;          /* Buffer -> Buffer in the merged memory; owned */
  gboolean    allocated;
  GError     *error;
} State;

/* ---- the plan ------------------------------------------------------------------------------ */

static void
part_free (gpointer data)
{
  Part *self = data;

  g_ptr_array_unref (self->layers);
  g_free (self);
}

static LsAllocate *
allocation_of (Planner *self,
               LsVar   *var)
{
  return ((LsLiveAllocation *) g_hash_table_lookup (self->liveness->allocations, var))->allocate;
}

static guint64
bits_of (LsAllocate *allocate)
{
  gint64 n;

  return ls_allocate_constant_size (allocate->extents, &n) ? (guint64) n * allocate->dtype.bits * allocate->dtype.lanes : 0;
}

static Part *
new_part (Planner *self,
          guint64  bits)
{
  Part *part = g_new0 (Part, 1);

  part->bits = bits;
  part->layers = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_ptr_array_add (self->parts, part);
  return part;
}

static void
add_layer (Part  *part,
           LsVar *var)
{
  GPtrArray *layer = g_ptr_array_new ();

  g_ptr_array_add (layer, var);
  g_ptr_array_add (part->layers, layer);
}

static guint
lower_bound (Planner *self,
             guint64  bits)
{
  guint i = 0;

  while (i < self->free->len && g_array_index (self->free, Free, i).key < bits)
    i++;
  return i;
}

/* Smaller free parts below `end`, from the largest on, until they are large enough together; NULL: none is free. */
static Part *
join_smaller (Planner *self,
              guint    end,
              guint64  bits)
{
  Part *joined;
  guint64 total = 0;
  guint first = end;

  if (end == 0)
    return NULL;
  joined = new_part (self, 0);
  while (first > 0 && total < bits)
    {
      Part *part = g_array_index (self->free, Free, --first).part;

      total += part->bits;
      while (joined->layers->len < part->layers->len)
        g_ptr_array_add (joined->layers, g_ptr_array_new ());
      for (guint i = 0; i < part->layers->len; i++)
        g_ptr_array_extend (joined->layers->pdata[i], part->layers->pdata[i], NULL, NULL);
    }
  g_array_remove_range (self->free, first, end - first);
  joined->bits = MAX (bits, total);
  return joined;
}

static Part *
find_part (Planner    *self,
           LsAllocate *allocate)
{
  guint64 bits = bits_of (allocate);
  guint middle;
  Part *part;

  if (bits == 0)
    return self->free_symbolic->len > 0 ? g_ptr_array_remove_index (self->free_symbolic, 0) : new_part (self, 0);
  if (bits <= SMALL)
    return new_part (self, bits);
  middle = lower_bound (self, bits);
  if (middle < self->free->len && g_array_index (self->free, Free, middle).key <= bits * MATCH_RANGE)
    {
      part = g_array_index (self->free, Free, middle).part;
      g_array_remove_index (self->free, middle);
      part->bits = MAX (part->bits, bits);
      return part;
    }
  part = join_smaller (self, middle, bits);
  return part != NULL ? part : new_part (self, bits);
}

static void
begin_life (Planner *self,
            LsVar   *var)
{
  Part *part;

  if (strcmp (ls_pointer_scope (var), self->scope) != 0)
    return;
  part = find_part (self, allocation_of (self, var));
  add_layer (part, var);
  g_hash_table_insert (self->by_var, var, part);
}

static void
end_life (Planner *self,
          LsVar   *var)
{
  Free entry = { 0, g_hash_table_lookup (self->by_var, var) };
  guint i;

  if (entry.part == NULL)
    return;
  entry.key = entry.part->bits;
  if (entry.key == 0)
    {
      g_ptr_array_add (self->free_symbolic, entry.part);
      return;
    }
  if (entry.key <= SMALL)
    {
      g_ptr_array_add (self->small, entry.part);
      return;
    }
  for (i = lower_bound (self, entry.key); i < self->free->len && g_array_index (self->free, Free, i).key == entry.key;)
    i++;
  g_array_insert_val (self->free, i, entry);
}

/* At a statement of its own what dies there makes room first, but for what is born there too. */
static void
plan_point (Planner *self,
            guint    i)
{
  LsLivePoint *point = self->liveness->points->pdata[i];
  GPtrArray *gen = point->pair >= 0 ? ((LsLivePoint *) self->liveness->points->pdata[i + (guint) point->pair])->gen : NULL;

  for (guint k = 0; point->pair <= 0 && k < point->kill->len; k++)
    if (gen == NULL || !g_ptr_array_find (gen, point->kill->pdata[k], NULL))
      end_life (self, point->kill->pdata[k]);
  for (guint k = 0; gen != NULL && k < gen->len; k++)
    begin_life (self, gen->pdata[k]);
  for (guint k = 0; point->pair == 0 && k < point->kill->len; k++)
    if (g_ptr_array_find (gen, point->kill->pdata[k], NULL))
      end_life (self, point->kill->pdata[k]);
}

/* ---- the layout ---------------------------------------------------------------------------- */

static gint64
bytes_of (LsDType type)
{
  return (gint64) ((type.bits + 7) / 8) * type.lanes;
}

/* All parts in the order of the memory: of constant size by rising size, the others, the small ones. */
static GPtrArray *
parts_in_order (Planner *self)
{
  GPtrArray *all = g_ptr_array_new ();

  for (guint i = 0; i < self->free->len; i++)
    g_ptr_array_add (all, g_array_index (self->free, Free, i).part);
  g_ptr_array_extend (all, self->free_symbolic, NULL, NULL);
  g_ptr_array_extend (all, self->small, NULL, NULL);
  return all;
}

static GArray *
alignments (Planner   *self,
            GPtrArray *parts)
{
  GArray *align = g_array_new (FALSE, TRUE, sizeof (gint64));

  for (guint p = 0; p < parts->len; p++)
    {
      Part *part = parts->pdata[p];

      while (part->layers->len > align->len)
        g_array_append_val (align, self->least);
      for (guint i = 0; i < part->layers->len; i++)
        for (guint k = 0; k < ((GPtrArray *) part->layers->pdata[i])->len; k++)
          {
            gint64 *widest = &g_array_index (align, gint64, i);

            *widest = MAX (*widest, bytes_of (allocation_of (self, ((GPtrArray *) part->layers->pdata[i])->pdata[k])->dtype));
          }
    }
  return align;
}

/* Bytes up to the next multiple; what comes from 32 bits stays there. */
static LsExpr *
round_up (LsExpr *bytes,
          gint64  align)
{
  LsDType type = ls_dtype (bytes);
  LsExpr *over = ls_floormod (ls_ref (bytes), ls_const_int (type, align));

  return ls_add (bytes, ls_floormod (ls_sub (ls_const_int (type, align), over), ls_const_int (type, align)));
}

static LsExpr *
layer_size (Planner   *self,
            State     *state,
            GPtrArray *layer,
            gint64     align)
{
  LsExpr *inner = ls_int (0);

  for (guint k = 0; k < layer->len; k++)
    {
      LsAllocate *allocate = allocation_of (self, layer->pdata[k]);
      LsExpr *extent = ls_array_at (allocate->extents, 0, LsExpr);

      g_hash_table_insert (state->offsets, layer->pdata[k], ls_add (ls_ref (state->size), ls_ref (inner)));
      inner = round_up (ls_add (inner, ls_mul (ls_ref (extent), ls_const_int (ls_dtype (extent), bytes_of (allocate->dtype)))), align);
    }
  return inner;
}

static void
lay_out (Planner *self,
         State   *state)
{
  g_autoptr (GPtrArray) parts = parts_in_order (self);
  g_autoptr (GArray) align = alignments (self, parts);
  gint64 widest = 1;

  for (guint i = 0; i < align->len; i++)
    widest = MAX (widest, g_array_index (align, gint64, i));
  state->size = ls_int (0);
  for (guint p = 0; p < parts->len; p++)
    {
      Part *part = parts->pdata[p];
      LsExpr *largest = ls_int (0);

      for (guint i = 0; i < part->layers->len; i++)
        largest = ls_max (largest, layer_size (self, state, part->layers->pdata[i], g_array_index (align, gint64, i)));
      state->size = ls_add (state->size, p + 1 < parts->len ? round_up (largest, widest) : largest);
    }
}

/* ---- the program --------------------------------------------------------------------------- */

static LsExpr *
elements_before (State   *state,
                 LsVar   *var,
                 LsDType  type)
{
  LsExpr *bytes = g_hash_table_lookup (state->offsets, var);

  return ls_floordiv (ls_ref (bytes), ls_const_int (ls_dtype (bytes), bytes_of (type)));
}

static LsBuffer *
buffer_in (State    *state,
           LsBuffer *buffer)
{
  LsBuffer *known = g_hash_table_lookup (state->buffers, buffer);

  if (known == NULL && ls_buffer_ndim (buffer) != 1 && state->error == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("MergeSharedMemoryAllocations wants flat buffers; %s has %u dimensions."),
                 buffer->name, ls_buffer_ndim (buffer));
  if (known == NULL)
    {
      known = ls_buffer_with (buffer, state->merged, LS_VOID, NULL);
      g_hash_table_insert (state->buffers, ls_ref (buffer), known);
    }
  return ls_ref (known);
}

static LsArray *
moved (State    *state,
       LsBuffer *buffer,
       LsArray  *indices)
{
  LsExpr *index = ls_add (ls_ref (ls_array_at (indices, 0, LsExpr)), elements_before (state, buffer->data, buffer->dtype));

  return ls_array_of (index, NULL);
}

static LsNode *
rewrite_access (State  *state,
                LsNode *node)
{
  LsBufferStore *store = (LsBufferStore *) node;
  LsBufferLoad *load = (LsBufferLoad *) node;
  LsBuffer *buffer = ls_is (node, BUFFER_STORE) ? store->buffer : load->buffer;

  if (!g_hash_table_contains (state->offsets, buffer->data))
    return node;
  if (ls_is (node, BUFFER_STORE))
    ls_take (&node, LS_NODE (ls_buffer_store_new (buffer_in (state, buffer), ls_ref (store->value), moved (state, buffer, store->indices), ls_ref (store->predicate))));
  else
    ls_take (&node, LS_NODE (ls_buffer_load_new (buffer_in (state, buffer), moved (state, buffer, load->indices), ls_ref (load->predicate))));
  return node;
}

/* A call with the pointer at `at` and the offset behind it; asynchronous copies count the merged memory's bytes. */
static LsNode *
rewrite_pointer (LsRewriter *rewriter,
                 State      *state,
                 LsCall     *call,
                 guint       at,
                 LsDType     type,
                 gboolean    in_bytes)
{
  LsVar *var = ls_array_at (call->args, at, LsVar);
  GPtrArray *args = g_ptr_array_new ();
  LsExpr *offset;

  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, i == at ? ls_node_ref (LS_NODE (state->merged)) : ls_rewrite (rewriter, call->args->items[i]));
  offset = ls_add (elements_before (state, var, type), args->pdata[at + 1]);
  args->pdata[at + 1] = in_bytes ? ls_mul (offset, ls_const_int (ls_dtype (offset), bytes_of (ls_dtype_element (type)))) : offset;
  return LS_NODE (ls_call_new (ls_dtype (call), ls_node_ref (call->op), ls_array_take_ptr_array (args)));
}

static LsNode *
rewrite_call (LsRewriter *rewriter,
              State      *state,
              LsCall     *call)
{
  if (ls_is_call (call, "tir.tvm_access_ptr") && call->args->n == 5 && g_hash_table_contains (state->offsets, call->args->items[1]))
    return rewrite_pointer (rewriter, state, call, 1, ls_dtype (call->args->items[0]), FALSE);
  if (ls_is_call (call, "tir.ptx_cp_async") && call->args->n >= 5 && g_hash_table_contains (state->offsets, call->args->items[0]))
    return rewrite_pointer (rewriter, state, call, 0, ls_dtype (call), TRUE);
  return ls_rewrite_default (rewriter, call);
}

static LsNode *
rewrite_threads (LsRewriter *rewriter,
                 State      *state,
                 LsAttrStmt *attr)
{
  LsStmt *body;

  state->allocated = TRUE;
  body = ls_allocate_new (ls_ref (state->merged), LS_DTYPE (LS_TYPE_UINT, 8), ls_array_of (ls_ref (state->size), NULL), ls_bool (TRUE),
                          (LsStmt *) ls_rewrite (rewriter, attr->body), NULL);
  return LS_NODE (ls_attr_stmt_new (ls_node_ref (attr->subject), attr->attr_key, ls_ref (attr->value), body));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;

  if (ls_is_var (node))
    return ls_node_ref (g_hash_table_contains (state->offsets, node) ? LS_NODE (state->merged) : node);
  if (!state->allocated && ls_is_attr (node, "thread_extent"))
    return rewrite_threads (rewriter, state, (LsAttrStmt *) node);
  if (ls_is (node, ALLOCATE) && g_hash_table_contains (state->offsets, ((LsAllocate *) node)->buffer_var))
    return ls_rewrite (rewriter, ((LsAllocate *) node)->body);
  if (ls_is (node, DECL_BUFFER) && g_hash_table_contains (state->offsets, ((LsDeclBuffer *) node)->buffer->data))
    return LS_NODE (ls_decl_buffer_new (buffer_in (state, ((LsDeclBuffer *) node)->buffer), (LsStmt *) ls_rewrite (rewriter, ((LsDeclBuffer *) node)->body)));
  if (ls_is (node, CALL))
    return rewrite_call (rewriter, state, (LsCall *) node);
  if (ls_is (node, BUFFER_STORE) || ls_is (node, BUFFER_LOAD))
    return rewrite_access (state, ls_rewrite_default (rewriter, node));
  return ls_rewrite_default (rewriter, node);
}

static void
plan (State      *state,
      LsLiveness *liveness,
      gint64      least)
{
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (part_free);
  g_autoptr (GArray) constant = g_array_new (FALSE, FALSE, sizeof (Free));
  g_autoptr (GPtrArray) symbolic = g_ptr_array_new ();
  g_autoptr (GPtrArray) small = g_ptr_array_new ();
  g_autoptr (GHashTable) by_var = g_hash_table_new (NULL, NULL);
  Planner self = { state->scope, liveness, parts, constant, symbolic, small, by_var, least };

  for (guint i = 0; i < liveness->points->len; i++)
    plan_point (&self, i);
  lay_out (&self, state);
}

static guint
count_allocations (LsLiveness *liveness,
                   const char *scope)
{
  GHashTableIter iter;
  gpointer var;
  guint n = 0;

  g_hash_table_iter_init (&iter, liveness->allocations);
  while (g_hash_table_iter_next (&iter, &var, NULL))
    n += strcmp (ls_pointer_scope (var), scope) == 0 ? 1 : 0;
  return n;
}

/* One storage scope.  Takes the body, returns the new one; NULL with an error. */
static LsStmt *
merge_scope (LsStmt     *body,
             const char *scope,
             const char *name,
             gint64      least,
             GError    **error)
{
  g_autoptr (LsLiveness) liveness = ls_liveness_new (body, NULL);
  g_autoptr (GHashTable) offsets = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsVar) merged = ls_pointer_var_new (name, LS_DTYPE (LS_TYPE_UINT, 8), scope);
  g_autoptr (LsNode) result = NULL;
  State state = { scope, merged, NULL, offsets, buffers, FALSE, NULL };

  if (count_allocations (liveness, scope) < 2)
    return body;
  plan (&state, liveness, least);
  result = ls_rewrite_with (body, filter, &state);
  ls_unref (state.size);
  if (state.error == NULL && !state.allocated)
    return body;
  ls_unref (body);
  if (state.error != NULL)
    {
      g_propagate_error (error, state.error);
      return NULL;
    }
  return (LsStmt *) g_steal_pointer (&result);
}

LsPrimFunc *
ls_pass_merge_shared_memory (LsPrimFunc  *func,
                             LsMap       *options,
                             GError     **error)
{
  LsStmt *body = merge_scope (ls_ref (func->body), "shared.dyn", "buf_dyn_shmem", 1, error);
  LsPrimFunc *result;

  if (body != NULL && ls_pass_option (options, "tir.merge_static_smem", 0) != 0)
    body = merge_scope (body, "shared", "buf_shmem", 1, error);
  if (body == NULL)
    return NULL;
  result = body == func->body ? ls_ref (func) : ls_pass_with_body (func, body);
  ls_unref (body);
  return result;
}

LsPrimFunc *
ls_merge_dynamic_shared (LsPrimFunc  *kernel,
                         GError     **error)
{
  LsStmt *body = merge_scope (ls_ref (kernel->body), "shared.dyn", "buf_dyn_shmem", SHARED_ALIGN, error);
  LsPrimFunc *result = body == NULL ? NULL : body == kernel->body ? ls_ref (kernel) : ls_pass_with_body (kernel, body);

  if (body != NULL)
    ls_unref (body);
  return result;
}

/* ---- sizes ---------------------------------------------------------------------------------- */

gint64
ls_dynamic_shared_bytes (LsStmt *kernel)
{
  g_autoptr (LsLiveness) liveness = ls_liveness_new (kernel, NULL);
  g_autoptr (GHashTable) offsets = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  State state = { .scope = "shared.dyn", .offsets = offsets };
  gint64 bytes = 0;

  if (count_allocations (liveness, state.scope) == 0)
    return 0;
  plan (&state, liveness, SHARED_ALIGN);
  if (!ls_as_int (state.size, &bytes))
    bytes = 0;
  ls_unref (state.size);
  return bytes;
}

static LsWalk
add_static (LsNode  *node,
            gpointer data)
{
  LsAllocate *allocate = (LsAllocate *) node;
  const char *scope = ls_is (node, ALLOCATE) ? ls_pointer_scope (allocate->buffer_var) : "";
  gint64 *total = data, n;

  if (g_str_has_prefix (scope, "shared") && strcmp (scope, "shared.dyn") != 0 && ls_allocate_constant_size (allocate->extents, &n))
    *total = (*total + 15) / 16 * 16 + n * bytes_of (allocate->dtype);
  return LS_WALK_CONTINUE;
}

gint64
ls_static_shared_bytes (LsStmt *kernel)
{
  gint64 total = 0;

  ls_walk (kernel, add_static, NULL, &total);
  return total;
}
