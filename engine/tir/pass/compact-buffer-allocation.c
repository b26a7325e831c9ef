/* CompactBufferAllocation: an allocation shrinks to the region that is used of it.
 *
 *     for j_0 in range(32):                        for j_0 in range(32):
 *         Y = T.alloc_buffer((128, 128))    ->         Y = T.alloc_buffer((1, 4))
 *         ... Y[i, j_0 * 4 + j_1] ...                  ... Y[0, j_1] ...
 *
 * For each access the indices are relaxed over the loops between the allocating block and the access, under the
 * conditions on the way; the union over all accesses gives the new shape, its minimum is subtracted from every
 * index.  A window (T.match_buffer) uses the region that it is matched to.  Variables of lets stand for their values.  A
 * buffer whose pointer is used directly keeps its shape.  Threads that share a buffer use it together: their loops are
 * relaxed over wherever the buffer is allocated.  Rows get the distance that buffer_dim_align (storage_align) asks for.
 *
 * is_strict=False takes what is used for right where it is more than the buffer has, and the buffer grows.
 */
#include "engine/arith/arith.h"
#include "engine/base/stack.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"
#include "engine/tir/storage-scope.h"

/* A larger estimate says no more than what the type of an unknown size can hold: `M // 4` of 32 bits is below 2^29. */
#define MOST_ESTIMATED (G_MAXINT32 / 64)

/* One loop, condition or let on the way from the root to where we are. */
typedef struct {
  LsFor  *loop;                 /* or NULL */
  LsExpr *condition;            /* or NULL */
  LsVar  *bound;                /* the variable of a let, or NULL */
  LsExpr *value;                /* of `bound` */
} Step;

/* What buffer_dim_align asks of the distance of two neighbours along an axis: offset modulo factor, in elements. */
typedef struct {
  gint64 axis;
  gint64 factor;
  gint64 offset;
} Alignment;

typedef struct {
  LsBuffer   *buffer;
  guint       depth;            /* steps above its block */
  LsNDIntSet *region;
  gboolean    opaque;
  GArray     *alignments;       /* of Alignment; NULL: none */
  LsBuffer   *compact;
  LsExpr    **mins;             /* per dimension */
} Info;

typedef struct {
  GArray     *steps;            /* of Step */
  GHashTable *infos;            /* Buffer -> Info */
  GHashTable *by_data;          /* Var -> Info */
  LsAnalyzer *analyzer;         /* knows the ranges of all loops */
  gboolean    is_strict;
} State;

static void
info_free (gpointer data)
{
  Info *info = data;

  g_clear_pointer (&info->region, g_ptr_array_unref);
  g_clear_pointer (&info->alignments, g_array_unref);
  if (info->mins != NULL)
    for (guint i = 0; i < info->buffer->shape->n; i++)
      ls_unref (info->mins[i]);
  g_free (info->mins);
  ls_unref (info->compact);
  g_free (info);
}

/* ---- gathering --------------------------------------------------------------------------- */

/* Is the loop one of threads that share the buffer?  What they use of it together counts, wherever it is allocated. */
static gboolean
is_shared (LsBuffer *buffer,
           LsFor    *loop)
{
  return loop->thread_binding != NULL && loop->thread_binding->thread_tag != NULL &&
         ls_storage_spans_thread (ls_buffer_scope (buffer), loop->thread_binding->thread_tag);
}

/* The node with the values of the lets inside of the buffer's block for their variables. */
static LsNode *
without_lets (State *state,
              Info  *info,
              LsNode *node)
{
  LsNode *result = ls_node_ref (node);

  for (guint i = state->steps->len; i-- > info->depth;)
    {
      Step *step = &g_array_index (state->steps, Step, i);

      if (step->bound != NULL)
        ls_take (&result, ls_substitute_one (result, step->bound, step->value));
    }
  return result;
}

/* How many indices there are at most; G_MAXINT64: not known. *is_number: they are always that many. */
static gint64
most_of (LsIntSet   *set,
         LsAnalyzer *analyzer,
         gboolean   *is_number)
{
  g_autoptr (LsExpr) extent = NULL;
  gint64 value;

  *is_number = FALSE;
  if (!ls_int_set_has_lower_bound (set) || !ls_int_set_has_upper_bound (set))
    return G_MAXINT64;
  extent = ls_add (ls_sub (ls_ref (ls_int_set_max (set)), ls_ref (ls_int_set_min (set))), ls_int (1));
  ls_take (&extent, ls_analyzer_simplify (analyzer, extent));
  *is_number = ls_as_int (extent, &value);
  return *is_number ? value : ls_analyzer_const_int_bound (analyzer, extent).max;
}

/* A condition in which an outer variable plays a part (`t * 4 + j < 16`) ends the region where that variable says: after min(16 - 4 * t, 4) indices.  Such an
 * end is at most what the loops inside run through, but its union with other accesses is not seen to be.  Both are true: where the condition takes nothing away
 * from the most that there may be, the loops' own number counts. */
static void
narrow (LsNDIntSet     *bound,
        LsArray        *region,
        const LsDomMap *dom,
        LsAnalyzer     *analyzer)
{
  g_autoptr (LsNDIntSet) loops = NULL;
  g_autoptr (LsExpr) always = ls_bool (TRUE);

  for (guint i = 0; i < bound->len; i++)
    {
      gboolean is_number, loops_number;
      gint64 most = most_of (bound->pdata[i], analyzer, &is_number);

      if (is_number)
        continue;
      if (loops == NULL && (loops = ls_region_upper_bound (region, dom, always, analyzer)) == NULL)
        return;
      if (most_of (loops->pdata[i], analyzer, &loops_number) > most || !loops_number)
        continue;
      ls_int_set_unref (bound->pdata[i]);
      bound->pdata[i] = ls_int_set_ref (loops->pdata[i]);
    }
}

/* region: of Range */
static void
note_region (State   *state,
             Info    *info,
             LsArray *region)
{
  g_autoptr (LsDomMap) dom = ls_dom_map_new ();
  g_autoptr (LsExpr) predicate = ls_bool (TRUE);
  g_autoptr (LsExpr) condition = NULL;
  g_autoptr (LsArray) used = (LsArray *) without_lets (state, info, LS_NODE (region));
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  LsNDIntSet *bound;

  for (guint i = 0; i < state->steps->len; i++)
    {
      Step *step = &g_array_index (state->steps, Step, i);
      g_autoptr (LsRange) range = NULL;

      if (step->loop != NULL)
        {
          range = ls_range_new (ls_ref (step->loop->min), ls_ref (step->loop->extent));
          if (i >= info->depth || is_shared (info->buffer, step->loop))
            ls_dom_map_set_range (dom, step->loop->loop_var, range);
          ls_analyzer_bind_range (analyzer, step->loop->loop_var, range, TRUE);
        }
      else if (step->condition != NULL && i >= info->depth)
        {
          ls_take (&predicate, ls_and (ls_ref (predicate), ls_ref (step->condition)));
        }
    }
  condition = (LsExpr *) without_lets (state, info, LS_NODE (predicate));
  bound = ls_region_upper_bound (used, dom, condition, analyzer);
  if (bound == NULL)
    {
      info->opaque = TRUE;
      return;
    }
  if (!ls_is_one (condition))
    narrow (bound, used, dom, analyzer);
  if (info->region == NULL)
    info->region = ls_nd_int_set_new ();
  ls_nd_int_set_union_with (info->region, bound);
  g_ptr_array_unref (bound);
}

static void
note_access (State   *state,
             Info    *info,
             LsArray *indices)
{
  GPtrArray *ranges = g_ptr_array_new ();
  g_autoptr (LsArray) region = NULL;

  for (guint i = 0; i < indices->n; i++)
    g_ptr_array_add (ranges, ls_range_new (ls_ref (ls_array_at (indices, i, LsExpr)), ls_const_int (ls_dtype (indices->items[i]), 1)));
  region = ls_array_take_ptr_array (ranges);
  note_region (state, info, region);
}

static void visit (State *state, LsNode *node);

typedef struct {
  State  *state;
  LsNode *node;
} Again;

static void
visit_again (gpointer data)
{
  const Again *again = data;

  visit (again->state, again->node);
}

static void
visit_children (State  *state,
                LsNode *node)
{
  guint n = ls_node_get_n_children (node);

  for (guint i = 0; i < n; i++)
    if (ls_node_get_child (node, i) != NULL)
      visit (state, ls_node_get_child (node, i));
}

static void
visit_under (State  *state,
             Step    step,
             LsNode *node)
{
  g_array_append_val (state->steps, step);
  visit (state, node);
  g_array_set_size (state->steps, state->steps->len - 1);
}

/* buffer_dim_align: [[which of the writes, axis, factor, offset], ...] */
static void
note_alignments (State   *state,
                 LsBlock *block)
{
  LsNode *all = ls_map_get (block->annotations, "buffer_dim_align");

  for (guint i = 0; all != NULL && ls_is (all, ARRAY) && i < ((LsArray *) all)->n; i++)
    {
      LsArray *row = ls_array_at ((LsArray *) all, i, LsArray);
      gint64 values[4];
      Info *info;
      Alignment alignment;

      if (!ls_is (row, ARRAY) || row->n != 4 || !ls_as_int (row->items[0], &values[0]) || !ls_as_int (row->items[1], &values[1])
          || !ls_as_int (row->items[2], &values[2]) || !ls_as_int (row->items[3], &values[3])
          || values[0] < 0 || values[0] >= block->writes->n || values[2] <= 0)
        continue;
      info = g_hash_table_lookup (state->infos, ls_array_at (block->writes, values[0], LsBufferRegion)->buffer);
      if (info == NULL)
        continue;
      if (info->alignments == NULL)
        info->alignments = g_array_new (FALSE, FALSE, sizeof (Alignment));
      alignment = (Alignment) { values[1], values[2], values[3] };
      g_array_append_val (info->alignments, alignment);
    }
}

/* Are the strides those of a buffer without any? */
static gboolean
has_plain_strides (LsBuffer *buffer)
{
  gint64 step = 1, stride, extent;

  for (guint i = buffer->shape->n; i-- > 0;)
    {
      if (!ls_as_int (buffer->strides->items[i], &stride) || stride != step || !ls_as_int (buffer->shape->items[i], &extent))
        return FALSE;
      step *= extent;
    }
  return TRUE;
}

static void
visit_realize (State          *state,
               LsBlockRealize *realize)
{
  LsBlock *block = realize->block;
  Step step = { .condition = realize->predicate };

  g_array_append_val (state->steps, step);
  for (guint i = 0; i < block->alloc_buffers->n; i++)
    {
      Info *info = g_new0 (Info, 1);

      info->buffer = ls_array_at (block->alloc_buffers, i, LsBuffer);
      info->depth = state->steps->len;
      /* Less strides than dimensions, as cache_index gives its buffers, say nothing. */
      info->opaque = (ls_buffer_has_strides (info->buffer) && !has_plain_strides (info->buffer)) || info->buffer->shape->n == 0;
      g_hash_table_insert (state->infos, info->buffer, info);
      g_hash_table_insert (state->by_data, info->buffer->data, info);
    }
  for (guint i = 0; i < block->match_buffers->n; i++)
    {
      LsBufferRegion *source = ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->source;
      Info *info = g_hash_table_lookup (state->infos, source->buffer);

      if (info != NULL)
        note_region (state, info, source->region);
    }
  note_alignments (state, block);
  visit (state, block->body);
  g_array_set_size (state->steps, state->steps->len - 1);
}

static void
visit_for (State *state,
           LsFor *loop)
{
  ls_scope_bind (state->analyzer, LS_NODE (loop), LS_SCOPE_LOOPS);
  visit (state, LS_NODE (loop->extent));
  visit_under (state, (Step) { .loop = loop }, loop->body);
}

static void
visit_if (State  *state,
          LsExpr *condition,
          LsNode *then_case,
          LsNode *else_case)
{
  g_autoptr (LsExpr) negated = ls_not (ls_ref (condition));
  g_autoptr (LsExpr) not = ls_analyzer_simplify (state->analyzer, negated);   /* not (a or b): two conditions */

  visit (state, LS_NODE (condition));
  visit_under (state, (Step) { .condition = condition }, then_case);
  if (else_case != NULL)
    visit_under (state, (Step) { .condition = not }, else_case);
}

static void
visit_let (State  *state,
           LsVar  *var,
           LsExpr *value,
           LsNode *body)
{
  visit (state, LS_NODE (value));
  visit_under (state, (Step) { .bound = var, .value = value }, body);
}

static void
visit (State  *state,
       LsNode *node)
{
  Info *info;

  if (ls_stack_is_short ())
    {
      ls_stack_extend (visit_again, &(Again) { state, node });
      return;
    }
  switch ((int) ls_kind (node))
    {
    case LS_KIND_BLOCK_REALIZE:
      visit_realize (state, (LsBlockRealize *) node);
      return;
    case LS_KIND_FOR:
      visit_for (state, (LsFor *) node);
      return;
    case LS_KIND_IF_THEN_ELSE:
      visit_if (state, ((LsIfThenElse *) node)->condition, ((LsIfThenElse *) node)->then_case, ((LsIfThenElse *) node)->else_case);
      return;
    case LS_KIND_LET_STMT:
      visit_let (state, ((LsLetStmt *) node)->var, ((LsLetStmt *) node)->value, LS_NODE (((LsLetStmt *) node)->body));
      return;
    case LS_KIND_LET:
      visit_let (state, ((LsLet *) node)->var, ((LsLet *) node)->value, LS_NODE (((LsLet *) node)->body));
      return;
    case LS_KIND_CALL:
      if (ls_is_call (node, "tir.if_then_else"))
        visit_if (state, LS_EXPR (((LsCall *) node)->args->items[0]), ((LsCall *) node)->args->items[1], ((LsCall *) node)->args->items[2]);
      else
        visit_children (state, node);
      return;
    case LS_KIND_BUFFER_LOAD:
      info = g_hash_table_lookup (state->infos, ((LsBufferLoad *) node)->buffer);
      if (info != NULL)
        note_access (state, info, ((LsBufferLoad *) node)->indices);
      visit (state, LS_NODE (((LsBufferLoad *) node)->indices));
      return;
    case LS_KIND_BUFFER_STORE:
      info = g_hash_table_lookup (state->infos, ((LsBufferStore *) node)->buffer);
      if (info != NULL)
        note_access (state, info, ((LsBufferStore *) node)->indices);
      visit (state, LS_NODE (((LsBufferStore *) node)->indices));
      visit (state, LS_NODE (((LsBufferStore *) node)->value));
      return;
    case LS_KIND_VAR:
      info = g_hash_table_lookup (state->by_data, node);
      if (info != NULL)
        info->opaque = TRUE;
      return;
    default:
      visit_children (state, node);
      return;
    }
}

/* ---- deciding ---------------------------------------------------------------------------- */

/* The new extent of one dimension and its first index; the whole dimension when nothing smaller is known. */
static LsExpr *
shrink (LsIntSet    *set,
        LsExpr      *full,
        LsAnalyzer  *analyzer,
        gboolean     is_strict,
        LsExpr     **min)
{
  g_autoptr (LsExpr) extent = NULL;
  gint64 small, large;
  LsConstIntBound bound;

  *min = ls_const_int (ls_dtype (full), 0);
  if (!ls_int_set_has_lower_bound (set) || !ls_int_set_has_upper_bound (set))
    return ls_ref (full);
  extent = ls_add (ls_sub (ls_ref (ls_int_set_max (set)), ls_ref (ls_int_set_min (set))), ls_const_int (ls_dtype (full), 1));
  ls_take (&extent, ls_analyzer_simplify (analyzer, extent));
  if (!ls_as_int (extent, &small))
    {
      bound = ls_analyzer_const_int_bound (analyzer, extent);
      if (ls_structural_equal (extent, full, FALSE, NULL, NULL) || bound.max > MOST_ESTIMATED)
        return ls_ref (full);
      small = bound.max;
    }
  if (small < 1 || (ls_as_int (full, &large) && (is_strict ? small >= large : small == large)))
    return ls_ref (full);
  ls_take (min, ls_analyzer_simplify (analyzer, ls_int_set_min (set)));
  return ls_const_int (ls_dtype (full), small);
}

/* The distance of two neighbours along each axis, as the alignments want it. */
static LsArray *
aligned_strides (GArray     *alignments,
                 LsArray    *shape,
                 LsAnalyzer *analyzer)
{
  GPtrArray *strides = g_ptr_array_new ();
  LsDType dtype = ls_dtype (shape->items[0]);
  g_autoptr (LsExpr) stride = ls_const_int (dtype, 1);

  for (guint i = shape->n; i-- > 0;)
    {
      for (guint j = 0; j < alignments->len; j++)
        {
          Alignment *a = &g_array_index (alignments, Alignment, j);
          LsExpr *rest;

          if (a->axis != i)
            continue;
          rest = ls_floormod (ls_ref (stride), ls_const_int (dtype, a->factor));
          ls_take (&stride, ls_add (ls_ref (stride), ls_floormod (ls_sub (ls_const_int (dtype, a->factor + a->offset), rest),
                                                                  ls_const_int (dtype, a->factor))));
        }
      ls_take (&stride, ls_analyzer_simplify (analyzer, stride));
      g_ptr_array_insert (strides, 0, ls_ref (stride));
      ls_take (&stride, ls_mul (ls_ref (stride), ls_ref (ls_array_at (shape, i, LsExpr))));
    }
  return ls_array_take_ptr_array (strides);
}

static void
decide (Info       *info,
        LsAnalyzer *analyzer,
        gboolean    is_strict)
{
  guint n = info->buffer->shape->n;
  GPtrArray *extents;
  g_autoptr (LsArray) shape = NULL;
  gboolean changed = info->alignments != NULL || info->buffer->strides->n > 0;

  if (info->opaque || info->region == NULL || info->region->len != n)
    return;
  extents = g_ptr_array_new ();
  info->mins = g_new0 (LsExpr *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      LsExpr *full = ls_array_at (info->buffer->shape, i, LsExpr);
      LsExpr *extent = shrink (info->region->pdata[i], full, analyzer, is_strict, &info->mins[i]);

      changed = changed || extent != full;
      g_ptr_array_add (extents, extent);
    }
  shape = ls_array_take_ptr_array (extents);
  if (!changed)
    return;
  /* The pointer variable stays, so that the names in the text do. */
  info->compact = ls_buffer_new_full (ls_ref (info->buffer->data), info->buffer->dtype, ls_ref (shape),
                                      info->alignments != NULL ? aligned_strides (info->alignments, shape, analyzer) : NULL, ls_ref (info->buffer->elem_offset), info->buffer->name, info->buffer->data_alignment,
                                      info->buffer->offset_factor, info->buffer->buffer_type, NULL);
}

/* ---- rebuilding -------------------------------------------------------------------------- */

/* The differences stay as they are written: Simplify, which follows in the pipeline, makes them short. */
static LsArray *
shifted (Info    *info,
         LsArray *indices)
{
  GPtrArray *result = g_ptr_array_new ();

  for (guint i = 0; i < indices->n; i++)
    g_ptr_array_add (result, ls_sub (ls_ref (ls_array_at (indices, i, LsExpr)), ls_ref (info->mins[i])));
  return ls_array_take_ptr_array (result);
}

typedef struct {
  State      *state;
  LsAnalyzer *analyzer;
} Rebuild;

static LsNode *
shift_region (Info           *info,
              LsBufferRegion *region)
{
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < region->region->n; i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);

      g_ptr_array_add (ranges, ls_range_new (ls_sub (ls_ref (range->min), ls_ref (info->mins[i])), ls_ref (range->extent)));
    }
  return LS_NODE (ls_buffer_region_new (ls_ref (info->compact), ls_array_take_ptr_array (ranges)));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Rebuild *rebuild = user_data;
  LsNode *result;
  Info *info;

  if (ls_is (node, BUFFER))
    {
      info = g_hash_table_lookup (rebuild->state->infos, node);
      return ls_node_ref (info != NULL && info->compact != NULL ? LS_NODE (info->compact) : node);
    }
  result = ls_scope_rewrite (rewriter, node, rebuild->analyzer, LS_SCOPE_LOOPS);
  if (ls_is (node, BUFFER_LOAD))
    {
      info = g_hash_table_lookup (rebuild->state->infos, ((LsBufferLoad *) node)->buffer);
      if (info != NULL && info->compact != NULL)
        ls_take (&result, LS_NODE (ls_buffer_load_new (ls_ref (info->compact), shifted (info, ((LsBufferLoad *) result)->indices),
                                                       ls_ref (((LsBufferLoad *) result)->predicate))));
    }
  else if (ls_is (node, BUFFER_STORE))
    {
      LsBufferStore *store = (LsBufferStore *) result;

      info = g_hash_table_lookup (rebuild->state->infos, ((LsBufferStore *) node)->buffer);
      if (info != NULL && info->compact != NULL)
        ls_take (&result, ls_node_set_span (ls_buffer_store_new (ls_ref (info->compact), ls_ref (store->value), shifted (info, store->indices),
                                                                 ls_ref (store->predicate)), store->node.span));
    }
  else if (ls_is (node, BUFFER_REGION))
    {
      info = g_hash_table_lookup (rebuild->state->infos, ((LsBufferRegion *) node)->buffer);
      if (info != NULL && info->compact != NULL)
        ls_take (&result, shift_region (info, (LsBufferRegion *) result));
    }
  return result;
}

LsPrimFunc *
ls_pass_compact_buffer_allocation (LsPrimFunc  *func,
                                   LsMap       *options,
                                   GError     **error)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_autoptr (GHashTable) infos = g_hash_table_new_full (NULL, NULL, NULL, info_free);
  g_autoptr (GHashTable) by_data = g_hash_table_new (NULL, NULL);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = { steps, infos, by_data, analyzer, ls_pass_option (options, "is_strict", 1) != 0 };
  Rebuild rebuild = { &state, analyzer };
  g_autoptr (LsNode) body = NULL;
  GHashTableIter iter;
  gpointer info;

  visit (&state, func->body);
  g_hash_table_iter_init (&iter, infos);
  while (g_hash_table_iter_next (&iter, NULL, &info))
    decide (info, analyzer, state.is_strict);
  body = ls_rewrite_with (func->body, filter, &rebuild);
  return ls_pass_with_body (func, body);
}
