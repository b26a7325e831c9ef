/* LowerAutoCopy: copies that are marked with auto_copy (read_at and write_at mark them) are made by all threads of the block together.
 *
 *     for ax0, ax1 in T.grid (128, 128):               for outer in range (16):
 *         S[ax0, ax1] = A[...]                  ->         for ty in T.thread_binding (8, "threadIdx.y"):
 *                                                              for tx in T.thread_binding (32, "threadIdx.x"):
 *                                                                  for lane in T.vectorized (4):
 *                                                                      S[f // 128 % 128, f % 128] = A[...]
 *
 * where f counts the elements, neighbours in neighbouring threads.  vector_bytes says how much a thread copies at once.  On the way from shared to global
 * memory the loops first take the order of the dimensions that are written, so that it is global memory that is written row by row.  With local_stage all
 * that a thread copies is fetched into registers before any of it is stored.  Rows of shared memory are moved apart where threads would collide
 * (pad-shared.c).  Copies to and from tiles of tensor cores go by tiles (copy-tiles.c).  Source of the concept: TVM's pass of the same name (memhammer). */
#include "engine/tir/pass/copy-tiles.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

#define KEY "auto_copy"

typedef struct {
  gint64       threads[3];      /* of threadIdx.x, .y, .z; 0: no loop is bound to it */
  LsVar       *vars[3];         /* of the loops around what is rewritten; NULL: none */
  LsPadShared *pad;
  gint64       vector_bytes;    /* of the block that is rewritten */
} State;

/* A nest of loops around one store. */
typedef struct {
  GPtrArray     *loops;         /* LsFor from outside, borrowed */
  LsBufferStore *store;
  LsBufferLoad  *load;          /* what is copied */
  gint64         count;         /* of rounds, all loops together */
} Copy;

static gint64
note_of (LsBlock    *block,
         const char *key)
{
  LsNode *note = ls_map_get (block->annotations, key);
  gint64 number;

  return note != NULL && ls_as_int (note, &number) ? number : 0;
}

/* ---- what is there ----------------------------------------------------------------------------- */

static LsWalk
find_threads (LsNode   *node,
              gpointer  data)
{
  LsFor *loop = (LsFor *) node;
  State *state = data;
  gint64 extent;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is (node, BLOCK) && note_of ((LsBlock *) node, "warp_execution") != 0)
    state->threads[0] = 32;
  if (ls_is (node, FOR) && loop->thread_binding != NULL && g_str_has_prefix (loop->thread_binding->thread_tag, "threadIdx.") && ls_as_int (loop->extent, &extent))
    state->threads[loop->thread_binding->thread_tag[10] - 'x'] = extent;
  return LS_WALK_CONTINUE;
}

static gboolean
is_global (LsBuffer *buffer)
{
  return strcmp (ls_buffer_scope (buffer), "global") == 0 || ls_buffer_scope (buffer)[0] == '\0';
}

static gboolean
is_shared (LsBuffer *buffer)
{
  return g_str_has_prefix (ls_buffer_scope (buffer), "shared");
}

static LsWalk
find_tile (LsNode   *node,
           gpointer  data)
{
  struct { LsBufferLoad *load; guint n; } *found = data;

  if (ls_is (node, BUFFER_LOAD) && ls_copy_is_tiles (((LsBufferLoad *) node)->buffer))
    {
      found->load = (LsBufferLoad *) node;
      found->n++;
    }
  return LS_WALK_CONTINUE;
}

/* What a store copies: the load that is its value, or the one of a tile that its value is computed of. Borrowed; NULL: none. */
static LsBufferLoad *
copied (LsBufferStore *store)
{
  struct { LsBufferLoad *load; guint n; } found = { NULL, 0 };

  if (ls_is (store->value, BUFFER_LOAD))
    return (LsBufferLoad *) store->value;
  ls_walk (store->value, find_tile, NULL, &found);
  return found.n == 1 ? found.load : NULL;
}

/* FALSE: the body is no copy of a known size, or has its loops bound already. */
static gboolean
read_copy (LsStmt *body,
           Copy   *copy)
{
  gint64 extent;

  copy->loops = g_ptr_array_new ();
  copy->count = 1;
  for (; ls_is (body, FOR); body = ((LsFor *) body)->body)
    {
      LsFor *loop = (LsFor *) body;

      if (loop->kind != LS_FOR_SERIAL || !ls_as_int (loop->extent, &extent) || extent <= 0 || copy->count > G_MAXINT32 / extent
          || !ls_dtype_equal (ls_dtype (loop->loop_var), ls_dtype (copy->loops->len > 0 ? ((LsFor *) copy->loops->pdata[0])->loop_var : loop->loop_var)))
        return FALSE;
      copy->count *= extent;
      g_ptr_array_add (copy->loops, loop);
    }
  copy->store = (LsBufferStore *) body;
  copy->load = ls_is (body, BUFFER_STORE) ? copied (copy->store) : NULL;
  return copy->loops->len > 0 && copy->load != NULL;
}

/* ---- the order of the loops --------------------------------------------------------------------- */

static LsWalk
find_loop (LsNode   *node,
           gpointer  data)
{
  struct { GPtrArray *loops, *order; } *self = data;

  for (guint i = 0; ls_is_var (node) && i < self->loops->len; i++)
    if (((LsFor *) self->loops->pdata[i])->loop_var == (LsVar *) node)
      g_ptr_array_add (self->order, self->loops->pdata[i]);
  return LS_WALK_CONTINUE;
}

/* The loops in the order of the dimensions that they write; as they are where a dimension is not one loop's. */
static void
order_by_writes (Copy *copy)
{
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  struct { GPtrArray *loops, *order; } search = { copy->loops, order };

  for (guint d = 0; d < copy->store->indices->n; d++)
    {
      guint before = order->len;

      ls_walk (copy->store->indices->items[d], find_loop, NULL, &search);
      if (order->len > before + 1)
        return;
    }
  for (guint i = 0; i < copy->loops->len; i++)
    if (!g_ptr_array_find (order, copy->loops->pdata[i], NULL))
      return;
  if (order->len != copy->loops->len)
    return;
  g_ptr_array_set_size (copy->loops, 0);
  g_ptr_array_extend (copy->loops, order, NULL, NULL);
}

/* ---- threads ---------------------------------------------------------------------------------------- */

/* The loops that stand for one that counts through all: rounds, threads (z, y, x) and lanes. */
typedef struct {
  guint   n;
  gint64  extents[5];
  guint   axes[5];              /* of a thread: 'x' to 'z'; else 0 */
  LsVar  *vars[5];              /* owned */
  LsExpr *number;               /* of the element, owned */
} Parts;

static void
parts_clear (Parts *self)
{
  for (guint i = 0; i < self->n; i++)
    ls_unref (self->vars[i]);
  ls_unref (self->number);
}

static void
add_part (Parts *self,
          gint64 extent,
          guint  axis)
{
  self->extents[self->n] = extent;
  self->axes[self->n++] = axis;
}

static Parts
split (const State *state,
       const Copy  *copy,
       gint64       lanes)
{
  LsVar *first = ((LsFor *) copy->loops->pdata[0])->loop_var;
  LsDType dtype = ls_dtype (first);
  Parts self = { 0 };
  gint64 rest = lanes;

  add_part (&self, 0, 0);
  for (guint i = 3; i-- > 0;)
    if (state->threads[i] > 0)
      {
        add_part (&self, state->threads[i], 'x' + i);
        rest *= state->threads[i];
      }
  add_part (&self, lanes, 0);
  self.extents[0] = (copy->count + rest - 1) / rest;
  for (guint i = 0; i < self.n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s_fused_%u", first->name, i);

      self.vars[i] = ls_var_new (name, dtype);
      self.number = i == 0 ? LS_EXPR (ls_ref (self.vars[0]))
                    : ls_add (ls_mul (self.number, ls_const_int (dtype, self.extents[i])), LS_EXPR (ls_ref (self.vars[i])));
    }
  return self;
}

/* What each loop variable is, counted by `number`. */
static GHashTable *
places (const Copy *copy,
        LsExpr     *number)
{
  GHashTable *table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsNode) rest = LS_NODE (ls_ref (number));

  for (guint i = copy->loops->len; i-- > 0;)
    {
      LsFor *loop = copy->loops->pdata[i];
      LsExpr *at = ls_floormod (LS_EXPR (ls_ref (rest)), ls_ref (loop->extent));

      g_hash_table_insert (table, loop->loop_var, ls_add (ls_ref (loop->min), at));
      ls_take (&rest, LS_NODE (ls_floordiv (LS_EXPR (ls_ref (rest)), ls_ref (loop->extent))));
    }
  return table;
}

/* The statement under the condition that its number is one of the copy's; where the parts divide it evenly there is none.  Takes the statement. */
static LsStmt *
guard (const Copy  *copy,
       const Parts *parts,
       LsStmt      *body)
{
  gint64 all = 1;

  for (guint i = 0; i < parts->n; i++)
    all *= parts->extents[i];
  if (all == copy->count)
    return body;
  return ls_if_then_else_new (ls_lt (ls_ref (parts->number), ls_const_int (ls_dtype (parts->number), copy->count)), body, NULL);
}

/* The loop of a part around a body.  Takes the body. */
static LsStmt *
loop_of (const Parts *parts,
         guint        i,
         LsVar       *var,
         LsForKind    kind,
         LsStmt      *body)
{
  char tag[] = "threadIdx.?";
  LsDType dtype = ls_dtype (parts->number);
  LsIterVar *binding = NULL;

  if (parts->axes[i] != 0)
    {
      tag[10] = (char) parts->axes[i];
      binding = ls_iter_var_new (NULL, ls_var_new (tag, dtype), LS_ITER_THREAD_INDEX, tag);
    }
  return LS_STMT (ls_for_new (ls_ref (var), ls_const_int (dtype, 0), ls_const_int (dtype, parts->extents[i]), kind, body, binding, NULL));
}

static LsStmt *
at_once (const Copy  *copy,
         const Parts *parts)
{
  g_autoptr (GHashTable) table = places (copy, parts->number);
  LsStmt *body = guard (copy, parts, (LsStmt *) ls_substitute (copy->store, table));

  for (guint i = parts->n; i-- > 0;)
    body = loop_of (parts, i, parts->vars[i], parts->axes[i] != 0 ? LS_FOR_THREAD_BINDING : i == 0 ? LS_FOR_SERIAL : LS_FOR_VECTORIZED, body);
  return body;
}

/* ---- through registers -------------------------------------------------------------------------------- */

/* The rounds and lanes, with variables of their own, around a store.  Takes the store. */
static LsStmt *
rounds (const Copy  *copy,
        const Parts *parts,
        LsStmt      *store)
{
  guint last = parts->n - 1;
  g_autoptr (GHashTable) fresh = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsNode) body = LS_NODE (loop_of (parts, last, parts->vars[last], LS_FOR_VECTORIZED, guard (copy, parts, store)));

  ls_take (&body, LS_NODE (loop_of (parts, 0, parts->vars[0], LS_FOR_SERIAL, (LsStmt *) ls_ref (body))));
  g_hash_table_insert (fresh, parts->vars[0], ls_var_copy (parts->vars[0], NULL));
  g_hash_table_insert (fresh, parts->vars[last], ls_var_copy (parts->vars[last], NULL));
  return (LsStmt *) ls_substitute (body, fresh);
}

static LsStmt *
staged (const Copy  *copy,
        const Parts *parts,
        LsBuffer   **local)
{
  LsBuffer *to = copy->store->buffer;
  g_autoptr (GHashTable) table = places (copy, parts->number);
  g_autoptr (LsNode) store = ls_substitute (copy->store, table);
  g_autofree char *name = g_strconcat (to->name, "_local", NULL);
  LsBufferStore *one = (LsBufferStore *) store;
  LsDType dtype = ls_dtype (parts->number);
  LsArray *shape = ls_array_of (ls_const_int (dtype, parts->extents[0]), ls_const_int (dtype, parts->extents[parts->n - 1]), NULL);
  g_autoptr (LsArray) at = ls_array_of (ls_ref (parts->vars[0]), ls_ref (parts->vars[parts->n - 1]), NULL);
  LsStmt *fetch, *put, *body;

  *local = ls_buffer_new_full (ls_pointer_var_new (name, to->dtype, "local"), to->dtype, shape, NULL, NULL, name, to->data_alignment, to->offset_factor, to->buffer_type, NULL);
  fetch = rounds (copy, parts, ls_buffer_store_new (ls_ref (*local), ls_ref (one->value), ls_ref (at), NULL));
  put = rounds (copy, parts, ls_buffer_store_new (ls_ref (to), LS_EXPR (ls_buffer_load_new (ls_ref (*local), ls_ref (at), NULL)), ls_ref (one->indices), NULL));
  body = ls_seq (ls_array_of (fetch, put, NULL));
  for (guint i = parts->n - 1; i-- > 1;)
    body = loop_of (parts, i, parts->vars[i], LS_FOR_THREAD_BINDING, body);
  return body;
}

/* ---- the pass ------------------------------------------------------------------------------------------- */

static gint64
lanes_of (const State *state,
          LsBuffer    *buffer)
{
  return MAX (1, state->vector_bytes * 8 / MAX (buffer->dtype.bits, 1));
}

/* LsCopyAll */
static LsStmt *
copy_all (GPtrArray     *loops,
          LsBufferStore *store,
          gpointer       data)
{
  State *state = data;
  Copy copy = { loops, store, NULL, 1 };
  gint64 extent = 1;
  LsStmt *body;
  Parts parts;

  for (guint i = 0; i < loops->len; i++)
    {
      ls_as_int (((LsFor *) loops->pdata[i])->extent, &extent);
      copy.count *= extent;
    }
  parts = split (state, &copy, lanes_of (state, store->buffer));
  body = at_once (&copy, &parts);
  parts_clear (&parts);
  ls_pad_shared_look (state->pad, body);
  return body;
}

/* The body of the block with its copy made by all threads, or by tiles; *local: a buffer that it needs.  NULL: it stays as it is. */
static LsStmt *
lower_copy (State      *state,
            LsBlock    *block,
            const Copy *copy,
            LsBuffer  **local)
{
  LsBuffer *to = copy->store->buffer, *from = copy->load->buffer;
  const LsCopyNest nest = { copy->loops, copy->store, copy->load };
  gboolean whole = copy->store->value == LS_EXPR (copy->load);
  LsCopyThreads threads;
  LsStmt *body;
  Parts parts;

  if (whole && ((ls_copy_is_tiles (to) && is_shared (from)) || (ls_copy_is_tiles (from) && is_shared (to))))
    return ls_copy_tiles (&nest, state->pad);
  if (ls_copy_is_tiles (from) && is_global (to))
    {
      memcpy (threads.extents, state->threads, sizeof threads.extents);
      memcpy (threads.vars, state->vars, sizeof threads.vars);
      return ls_copy_tiles_out (&nest, &threads, copy_all, state, local);
    }
  if (!whole || (!(is_global (from) && is_shared (to)) && !(is_shared (from) && is_global (to))))
    return NULL;
  if (is_shared (from))
    order_by_writes ((Copy *) copy);
  parts = split (state, copy, lanes_of (state, from));
  body = is_shared (to) && note_of (block, "local_stage") != 0 ? staged (copy, &parts, local) : at_once (copy, &parts);
  parts_clear (&parts);
  ls_pad_shared_look (state->pad, body);
  return body;
}

static LsNode *
lower (State   *state,
       LsBlock *block)
{
  Copy copy = { 0 };
  g_autoptr (LsBuffer) local = NULL;
  LsStmt *body;
  g_autoptr (GPtrArray) loops = NULL;
  gboolean good = read_copy (block->body, &copy);
  LsArray *buffers;

  loops = copy.loops;
  if (!good)
    {
      ls_pad_shared_look (state->pad, block->body);
      return ls_node_ref (LS_NODE (block));
    }
  state->vector_bytes = note_of (block, "vector_bytes");
  body = lower_copy (state, block, &copy, &local);
  if (body == NULL)
    return ls_node_ref (LS_NODE (block));
  buffers = ls_ref (block->alloc_buffers);
  if (local != NULL)
    ls_take (&buffers, ls_array_append (buffers, local));
  return LS_NODE (ls_block_new (ls_ref (block->iter_vars), ls_ref (block->reads), ls_ref (block->writes), block->name_hint, body, ls_ref (block->init), buffers,
                                ls_ref (block->match_buffers), ls_ref (block->annotations)));
}

/* A loop of threads: what stands in it knows its variable. */
static LsNode *
in_threads (LsRewriter *rewriter,
            LsFor      *loop,
            State      *state)
{
  guint axis = (guint) (loop->thread_binding->thread_tag[strlen ("threadIdx.")] - 'x');
  LsVar *before = state->vars[axis];
  LsNode *result;

  state->vars[axis] = loop->loop_var;
  result = ls_rewrite_default (rewriter, LS_NODE (loop));
  state->vars[axis] = before;
  return result;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    data)
{
  if (ls_is_expr (node) || !(node->facts & LS_FACT_HAS_BLOCK))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK) && note_of ((LsBlock *) node, KEY) != 0)
    return lower (data, (LsBlock *) node);
  if (ls_is (node, FOR) && ((LsFor *) node)->thread_binding != NULL && g_str_has_prefix (((LsFor *) node)->thread_binding->thread_tag, "threadIdx."))
    return in_threads (rewriter, (LsFor *) node, data);
  return ls_rewrite_default (rewriter, node);
}

static LsWalk
find_copy (LsNode   *node,
           gpointer  data)
{
  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (!ls_is (node, BLOCK) || note_of ((LsBlock *) node, KEY) == 0)
    return LS_WALK_CONTINUE;
  *(gboolean *) data = TRUE;
  return LS_WALK_STOP;
}

LsPrimFunc *
ls_pass_lower_auto_copy (LsPrimFunc  *func,
                         GError     **error)
{
  State state = { .pad = NULL };
  g_autoptr (LsPadShared) pad = NULL;
  g_autoptr (LsNode) body = NULL, padded = NULL;
  gboolean any = FALSE;

  ls_walk (func->body, find_copy, NULL, &any);
  ls_walk (func->body, find_threads, NULL, &state);
  if (!any || (state.threads[0] == 0 && state.threads[1] == 0 && state.threads[2] == 0))
    return ls_ref (func);
  pad = state.pad = ls_pad_shared_new (state.threads);
  body = ls_rewrite_with (func->body, filter, &state);
  padded = LS_NODE (ls_pad_shared_done (pad, (LsStmt *) body));
  return ls_pass_with_body (func, padded);
}
