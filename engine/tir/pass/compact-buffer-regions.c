/* compact-buffer-regions: which part of each allocation is used, and the smaller buffer that holds it.
 *
 * For each access the indices are relaxed over the loops between the allocation and the access: over their ranges, narrowed by the conditions
 * on the way as far as ranges can say them (the rest is the predicate of the estimate).  The union over all accesses gives the new
 * shape.  A window (T.match_buffer) uses the region that it is matched to.  Variables of lets have their value for a domain.
 * Threads that share a buffer use it together: their loops are relaxed over wherever the buffer is allocated.  Where a pointer is used
 * directly, the regions that the block says count, or all of the buffer where it says none, and no element moves.  Rows get the distance that
 * buffer_dim_align (storage_align) asks for.  An access that annotate_buffer_access describes counts as what it says.
 *
 * Rules: TVM v0.20's CompactBufferAllocation.
 */
#include "engine/base/stack.h"
#include "engine/tir/pass/compact-buffer.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/regions-private.h"
#include "engine/tir/scope.h"
#include "engine/tir/storage-scope.h"

/* A larger estimate says no more than what the type of an unknown size can hold: `M // 4` of 32 bits is below 2^29. */
#define MOST_ESTIMATED (G_MAXINT32 / 64)

/* A variable that runs around where we are. */
typedef struct {
  LsVar      *var;
  const char *thread;           /* "threadIdx.x", ...; NULL: a loop */
  gboolean    is_let;           /* its domain is a value, in place everywhere */
} Iter;

/* What buffer_dim_align asks of the distance of two neighbours along an axis: offset modulo factor, in elements. */
typedef struct {
  gint64 axis;
  gint64 factor;
  gint64 offset;
} Alignment;

typedef struct {
  GHashTable       *infos;      /* Buffer -> LsCompactInfo */
  GHashTable       *by_data;    /* Var -> LsCompactInfo */
  GHashTable       *shown;      /* Var -> the only Buffer that shows it, or NULL where there are several */
  GArray           *iters;      /* of Iter */
  LsConditionScope  scope;      /* the domains of `iters` */
  GPtrArray        *pending;    /* of LsExpr: conditions that ranges do not say */
  GHashTable       *said;       /* Buffer -> GPtrArray of LsArray: regions that the innermost block with any says */
  GHashTable       *explicit;   /* Buffer -> LsArray: the region that counts for each access of the block */
  LsAnalyzer       *analyzer;   /* knows the ranges of all loops */
  gboolean          is_strict;
} State;

static void
info_free (gpointer data)
{
  LsCompactInfo *info = data;

  g_clear_pointer (&info->region, g_ptr_array_unref);
  g_clear_pointer (&info->alignments, g_array_unref);
  if (info->mins != NULL)
    for (guint i = 0; i < info->buffer->shape->n; i++)
      ls_unref (info->mins[i]);
  g_free (info->mins);
  ls_unref (info->compact);
  g_free (info);
}

/* ---- accesses ---------------------------------------------------------------------------- */

static gboolean
is_bounded (LsIntSet *set)
{
  return ls_int_set_has_lower_bound (set) && ls_int_set_has_upper_bound (set);
}

static gboolean
is_open (LsVar    *var,
         gpointer  dom)
{
  LsIntSet *set = ls_dom_map_get_set (dom, var);

  return set != NULL && !is_bounded (set);
}

/* Does the node name a variable of which nothing is known? */
static gboolean
is_unknown (State  *state,
            LsNode *node)
{
  return ls_uses_var (node, is_open, state->scope.dom);
}

/* The domains over which a use of the buffer is relaxed; NULL: one of them has no ends. */
static LsDomMap *
relaxed_domains (State         *state,
                 LsCompactInfo *info,
                 LsArray       *region)
{
  g_autoptr (LsDomMap) dom = ls_dom_map_new ();
  g_autoptr (LsRange) empty = ls_range_new (ls_int (0), ls_int (0));
  const char *scope = ls_buffer_scope (info->buffer);

  for (guint i = 0; i < state->iters->len; i++)
    {
      Iter *iter = &g_array_index (state->iters, Iter, i);
      LsIntSet *set = ls_dom_map_get_set (state->scope.dom, iter->var);
      g_autoptr (LsRange) range = NULL;

      if (set == NULL || (i < info->depth && !iter->is_let && (iter->thread == NULL || !ls_storage_spans_thread (scope, iter->thread))))
        continue;
      if (!is_bounded (set))
        {
          if (i >= info->depth && ls_uses (region, iter->var))
            return NULL;
          continue;
        }
      range = ls_int_set_cover_range (set, empty);
      ls_dom_map_set_range (dom, iter->var, range);
    }
  return g_steal_pointer (&dom);
}

static LsExpr *
pending_condition (State *state)
{
  g_autoptr (LsExpr) all = ls_bool (TRUE);

  for (guint i = 0; i < state->pending->len; i++)
    {
      LsExpr *condition = state->pending->pdata[i];
      gboolean is_bool = ls_dtype_is_bool (ls_dtype (condition));

      ls_take (&all, ls_and (ls_ref (all), is_bool ? ls_ref (condition) : ls_ne (ls_ref (condition), ls_const_int (ls_dtype (condition), 0))));
    }
  return ls_analyzer_simplify (state->analyzer, all);
}

/* region: of Range */
static void
note_region (State         *state,
             LsCompactInfo *info,
             LsArray       *region)
{
  g_autoptr (LsDomMap) dom = relaxed_domains (state, info, region);
  g_autoptr (LsExpr) predicate = NULL;
  g_autoptr (LsNDIntSet) bound = NULL;

  if (info->kept)
    return;
  if (dom != NULL)
    {
      predicate = pending_condition (state);
      bound = ls_region_upper_bound (region, dom, predicate, state->analyzer);
    }
  if (bound == NULL)
    {
      info->kept = TRUE;
      return;
    }
  if (info->region == NULL)
    info->region = ls_nd_int_set_new ();
  ls_nd_int_set_union_with (info->region, bound);
}

/* What the lanes of an index touch; NULL: it is not said. (transfer full) */
static LsRange *
touched_by (LsExpr *index)
{
  LsDType type = ls_dtype_element (ls_dtype (index));
  LsRamp *ramp = (LsRamp *) index;
  gint64 stride, lanes;

  if (ls_dtype (index).lanes == 1)
    return ls_range_new (ls_ref (index), ls_const_int (type, 1));
  if (ls_is (index, BROADCAST) && ls_dtype (((LsBroadcast *) index)->value).lanes == 1)
    return ls_range_new (ls_ref (((LsBroadcast *) index)->value), ls_const_int (type, 1));
  if (!ls_is (index, RAMP) || ls_dtype (ramp->base).lanes != 1 || !ls_as_int (ramp->stride, &stride) || !ls_as_int (ramp->lanes, &lanes) || lanes < 1 ||
      stride < -G_MAXINT32 || stride > G_MAXINT32 || lanes > G_MAXINT16)
    return NULL;
  return ls_range_new (stride < 0 ? ls_add (ls_ref (ramp->base), ls_const_int (type, stride * (lanes - 1))) : ls_ref (ramp->base),
                       ls_const_int (type, ABS (stride) * (lanes - 1) + 1));
}

static void
note_access (State    *state,
             LsBuffer *buffer,
             LsArray  *indices)
{
  LsCompactInfo *info = g_hash_table_lookup (state->infos, buffer), *other = g_hash_table_lookup (state->by_data, buffer->data);
  LsArray *told = g_hash_table_lookup (state->explicit, buffer);
  GPtrArray *ranges;
  g_autoptr (LsArray) region = NULL;

  if (info == NULL)
    {
      if (other != NULL)
        other->kept = TRUE;
      return;
    }
  if (told != NULL)
    {
      note_region (state, info, told);
      return;
    }
  ranges = g_ptr_array_new ();
  for (guint i = 0; i < indices->n && !info->kept; i++)
    {
      LsRange *range = touched_by (ls_array_at (indices, i, LsExpr));

      info->kept |= range == NULL;
      if (range != NULL)
        g_ptr_array_add (ranges, range);
    }
  region = ls_array_take_ptr_array (ranges);
  if (!info->kept)
    note_region (state, info, region);
}

/* The pointer is used: what the block says of the buffer counts, or all of it where it says nothing. */
static void
note_pointer (State *state,
              LsVar *var)
{
  LsCompactInfo *info = g_hash_table_lookup (state->by_data, var);
  GPtrArray *regions;

  if (info == NULL)
    return;
  info->pointed = TRUE;
  regions = g_hash_table_lookup (state->said, info->buffer);
  for (guint i = 0; regions != NULL && i < regions->len; i++)
    note_region (state, info, regions->pdata[i]);
  if (regions == NULL || regions->len == 0)
    info->kept = TRUE;
}

/* ---- statements -------------------------------------------------------------------------- */

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
visit_in (State    *state,
          Iter      iter,
          LsIntSet *set,
          LsNode   *node)
{
  g_array_append_val (state->iters, iter);
  ls_dom_map_set_set (state->scope.dom, iter.var, set);
  visit (state, node);
  ls_dom_map_remove (state->scope.dom, iter.var);
  g_array_set_size (state->iters, state->iters->len - 1);
}

static void
visit_under (State  *state,
             LsExpr *condition,
             LsNode *node)
{
  gboolean is_said = ls_condition_scope_enter (&state->scope, condition);

  if (!is_said)
    g_ptr_array_add (state->pending, ls_ref (condition));
  visit (state, node);
  if (!is_said)
    g_ptr_array_set_size (state->pending, state->pending->len - 1);
  ls_condition_scope_leave (&state->scope);
}

/* buffer_dim_align: [[which of the writes, axis, factor, offset], ...].  Beside an allocation it is -1 instead of a write. */
static void
note_alignments (State   *state,
                 LsMap   *annotations,
                 LsArray *writes,
                 LsVar   *allocated)
{
  LsNode *all = annotations != NULL ? ls_map_get (annotations, "buffer_dim_align") : NULL;

  for (guint i = 0; all != NULL && ls_is (all, ARRAY) && i < ((LsArray *) all)->n; i++)
    {
      LsArray *row = ls_array_at ((LsArray *) all, i, LsArray);
      gint64 values[4];
      LsCompactInfo *info;
      Alignment alignment;

      if (!ls_is (row, ARRAY) || row->n != 4 || !ls_as_int (row->items[0], &values[0]) || !ls_as_int (row->items[1], &values[1])
          || !ls_as_int (row->items[2], &values[2]) || !ls_as_int (row->items[3], &values[3]) || values[2] <= 0)
        continue;
      if (writes == NULL)
        info = g_hash_table_lookup (state->by_data, allocated);
      else if (values[0] >= 0 && values[0] < writes->n)
        info = g_hash_table_lookup (state->infos, ls_array_at (writes, values[0], LsBufferRegion)->buffer);
      else
        continue;
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

/* Less strides than dimensions, as cache_index gives its buffers, say nothing. */
static void
add_info (State    *state,
          LsBuffer *buffer)
{
  LsCompactInfo *info = g_new0 (LsCompactInfo, 1);

  info->buffer = buffer;
  info->depth = state->iters->len;
  info->kept = (ls_buffer_has_strides (buffer) && !has_plain_strides (buffer)) || buffer->shape->n == 0;
  g_hash_table_insert (state->infos, buffer, info);
  g_hash_table_insert (state->by_data, buffer->data, info);
}

static void
say_regions (GHashTable *said,
             LsArray    *regions)
{
  for (guint i = 0; i < regions->n; i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      GPtrArray *list = g_hash_table_lookup (said, region->buffer);

      if (list == NULL)
        g_hash_table_insert (said, region->buffer, list = g_ptr_array_new ());
      g_ptr_array_add (list, region->region);
    }
}

/* The regions whose numbers an annotation lists count for each access of their buffers. */
static void
say_explicit (State      *state,
              LsBlock    *block,
              const char *key,
              LsArray    *regions)
{
  LsNode *numbers = ls_map_get (block->annotations, key);

  for (guint i = 0; numbers != NULL && ls_is (numbers, ARRAY) && i < ((LsArray *) numbers)->n; i++)
    {
      gint64 number;

      if (ls_as_int (((LsArray *) numbers)->items[i], &number) && number >= 0 && number < regions->n)
        g_hash_table_insert (state->explicit, ls_array_at (regions, number, LsBufferRegion)->buffer,
                             ls_array_at (regions, number, LsBufferRegion)->region);
    }
}

static void
visit_block (State   *state,
             LsBlock *block)
{
  g_autoptr (GHashTable) said = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  g_autoptr (GHashTable) explicit = g_hash_table_new (NULL, NULL);
  GHashTable *outer_said = state->said, *outer_explicit = state->explicit;

  for (guint i = 0; i < block->alloc_buffers->n; i++)
    add_info (state, ls_array_at (block->alloc_buffers, i, LsBuffer));
  for (guint i = 0; i < block->match_buffers->n; i++)
    {
      LsBufferRegion *source = ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->source;
      LsCompactInfo *info = g_hash_table_lookup (state->infos, source->buffer);

      if (info != NULL)
        note_region (state, info, source->region);
    }
  note_alignments (state, block->annotations, block->writes, NULL);
  say_regions (said, block->reads);
  say_regions (said, block->writes);
  state->said = said;
  state->explicit = explicit;
  say_explicit (state, block, "explicit_read_region", block->reads);
  say_explicit (state, block, "explicit_write_region", block->writes);
  visit (state, block->body);
  state->said = outer_said;
  state->explicit = outer_explicit;
}

static void
visit_for (State *state,
           LsFor *loop)
{
  g_autoptr (LsIntSet) set = is_unknown (state, LS_NODE (loop->min)) || is_unknown (state, LS_NODE (loop->extent)) ? ls_int_set_everything ()
                             : ls_int_set_from_min_extent (loop->min, loop->extent);
  Iter iter = { loop->loop_var, loop->thread_binding != NULL ? loop->thread_binding->thread_tag : NULL, FALSE };

  ls_scope_bind (state->analyzer, LS_NODE (loop), LS_SCOPE_LOOPS);
  visit (state, LS_NODE (loop->extent));
  visit_in (state, iter, set, loop->body);
}

static void
visit_thread (State      *state,
              LsAttrStmt *attr,
              LsIterVar  *axis)
{
  g_autoptr (LsExpr) zero = ls_const_int (ls_dtype (axis->var), 0);
  g_autoptr (LsIntSet) set = axis->dom != NULL ? ls_int_set_from_min_extent (axis->dom->min, axis->dom->extent)
                                               : ls_int_set_from_min_extent (zero, attr->value);
  Iter iter = { axis->var, axis->thread_tag, FALSE };

  ls_scope_bind (state->analyzer, LS_NODE (attr), LS_SCOPE_THREADS);
  visit_in (state, iter, set, attr->body);
}

static void
visit_branches (State  *state,
                LsExpr *condition,
                LsNode *then_case,
                LsNode *else_case)
{
  g_autoptr (LsExpr) negated = ls_not (ls_dtype_is_bool (ls_dtype (condition)) ? ls_ref (condition)
                                       : ls_ne (ls_ref (condition), ls_const_int (ls_dtype (condition), 0)));

  visit (state, LS_NODE (condition));
  visit_under (state, condition, then_case);
  if (else_case != NULL)
    visit_under (state, negated, else_case);
}

/* A let of what is an index has its value for a domain; one that reads or does more than that has any. */
static void
visit_let (State  *state,
           LsVar  *var,
           LsExpr *value,
           LsNode *body)
{
  LsDType type = ls_dtype (value);
  g_autoptr (LsIntSet) set = ls_side_effect (value) <= LS_EFFECT_PURE && !is_unknown (state, LS_NODE (value)) ? ls_int_set_new_point (ls_ref (value)) : ls_int_set_everything ();

  visit (state, LS_NODE (value));
  if (!ls_dtype_is_int (type) || type.lanes != 1)
    {
      visit (state, body);
      return;
    }
  ls_scope_let (state->analyzer, var, value);
  visit_in (state, (Iter) { var, NULL, TRUE }, set, body);
}

/* An allocation that one buffer of its type shows is a buffer like those of blocks. */
static void
visit_allocate (State      *state,
                LsAllocate *allocate)
{
  LsBuffer *buffer = g_hash_table_lookup (state->shown, allocate->buffer_var);

  if (buffer != NULL && ls_dtype_equal (buffer->dtype, allocate->dtype) && (allocate->condition == NULL || ls_is_one (allocate->condition)))
    {
      add_info (state, buffer);
      note_alignments (state, allocate->annotations, NULL, allocate->buffer_var);
    }
  visit (state, allocate->body);
}

/* Another view of a buffer's memory. */
static void
visit_declaration (State        *state,
                   LsDeclBuffer *decl)
{
  LsCompactInfo *info = g_hash_table_lookup (state->by_data, decl->buffer->data);

  if (info != NULL && info->buffer != decl->buffer)
    info->kept = TRUE;
  visit (state, decl->body);
}

static void
visit (State  *state,
       LsNode *node)
{
  LsIterVar *axis;

  if (ls_stack_is_short ())
    {
      ls_stack_extend (visit_again, &(Again) { state, node });
      return;
    }
  switch ((int) ls_kind (node))
    {
    case LS_KIND_BLOCK_REALIZE:
      visit_under (state, ((LsBlockRealize *) node)->predicate, LS_NODE (((LsBlockRealize *) node)->block));
      return;
    case LS_KIND_BLOCK:
      visit_block (state, (LsBlock *) node);
      return;
    case LS_KIND_FOR:
      visit_for (state, (LsFor *) node);
      return;
    case LS_KIND_ATTR_STMT:
      axis = ls_thread_axis (node);
      visit (state, LS_NODE (((LsAttrStmt *) node)->value));
      if (axis != NULL)
        visit_thread (state, (LsAttrStmt *) node, axis);
      else
        visit (state, ((LsAttrStmt *) node)->body);
      return;
    case LS_KIND_ALLOCATE:
      visit_allocate (state, (LsAllocate *) node);
      return;
    case LS_KIND_DECL_BUFFER:
      visit_declaration (state, (LsDeclBuffer *) node);
      return;
    case LS_KIND_IF_THEN_ELSE:
      visit_branches (state, ((LsIfThenElse *) node)->condition, ((LsIfThenElse *) node)->then_case, ((LsIfThenElse *) node)->else_case);
      return;
    case LS_KIND_LET_STMT:
      visit_let (state, ((LsLetStmt *) node)->var, ((LsLetStmt *) node)->value, ((LsLetStmt *) node)->body);
      return;
    case LS_KIND_LET:
      visit_let (state, ((LsLet *) node)->var, ((LsLet *) node)->value, LS_NODE (((LsLet *) node)->body));
      return;
    case LS_KIND_CALL:
      if (ls_is_call (node, "tir.if_then_else"))
        visit_branches (state, LS_EXPR (((LsCall *) node)->args->items[0]), ((LsCall *) node)->args->items[1], ((LsCall *) node)->args->items[2]);
      else
        visit_children (state, node);
      return;
    case LS_KIND_BUFFER_LOAD:
      note_access (state, ((LsBufferLoad *) node)->buffer, ((LsBufferLoad *) node)->indices);
      visit (state, LS_NODE (((LsBufferLoad *) node)->indices));
      return;
    case LS_KIND_BUFFER_STORE:
      note_access (state, ((LsBufferStore *) node)->buffer, ((LsBufferStore *) node)->indices);
      visit (state, LS_NODE (((LsBufferStore *) node)->indices));
      visit (state, LS_NODE (((LsBufferStore *) node)->value));
      return;
    case LS_KIND_VAR:
      note_pointer (state, (LsVar *) node);
      return;
    default:
      visit_children (state, node);
      return;
    }
}

/* ---- which buffers show a pointer -------------------------------------------------------- */

static void
note_shown (GHashTable *shown,
            LsBuffer   *buffer)
{
  gpointer known;

  if (!g_hash_table_lookup_extended (shown, buffer->data, NULL, &known))
    g_hash_table_insert (shown, buffer->data, buffer);
  else if (known != buffer)
    g_hash_table_insert (shown, buffer->data, NULL);
}

static LsWalk
look_for_buffers (LsNode  *node,
                  gpointer data)
{
  if (ls_is (node, BUFFER_LOAD))
    note_shown (data, ((LsBufferLoad *) node)->buffer);
  else if (ls_is (node, BUFFER_STORE))
    note_shown (data, ((LsBufferStore *) node)->buffer);
  else if (ls_is (node, DECL_BUFFER))
    note_shown (data, ((LsDeclBuffer *) node)->buffer);
  else if (ls_is (node, BUFFER_REGION))
    note_shown (data, ((LsBufferRegion *) node)->buffer);
  else if (ls_is (node, MATCH_BUFFER_REGION))
    note_shown (data, ((LsMatchBufferRegion *) node)->buffer);
  return LS_WALK_CONTINUE;
}

/* ---- deciding ---------------------------------------------------------------------------- */

/* Is a number at most a symbolic extent, which is at least its constant factor? */
static gboolean
is_below_factor (gint64  number,
                 LsExpr *full)
{
  gint64 factor;

  while (ls_is (full, MUL))
    {
      if (ls_as_int (((LsBinary *) full)->b, &factor))
        return factor > 0 && number <= factor;
      full = ((LsBinary *) full)->a;
    }
  return FALSE;
}

/* The new extent of one dimension and its first index; the whole dimension when nothing smaller is known. */
static LsExpr *
shrink (State    *state,
        LsIntSet *set,
        LsExpr   *full,
        LsExpr  **min)
{
  LsDType type = ls_dtype (full);
  g_autoptr (LsRange) whole = ls_range_new (ls_const_int (type, 0), ls_ref (full));
  g_autoptr (LsRange) range = ls_int_set_cover_range (set, whole);
  g_autoptr (LsExpr) extent = ls_ref (range->extent);
  g_autoptr (LsExpr) first = ls_ref (range->min);
  gboolean is_whole, is_exact;
  gint64 number, large;

  *min = ls_const_int (type, 0);
  if (state->is_strict)
    {
      ls_take (&first, ls_max (ls_const_int (ls_dtype (first), 0), ls_ref (first)));
      if (!(ls_as_int (extent, &number) && is_below_factor (number, full)) && !ls_analyzer_can_prove_compare (state->analyzer, LS_KIND_LE, extent, full))
        ls_take (&extent, ls_min (ls_ref (extent), ls_ref (full)));
    }
  ls_take (&first, ls_analyzer_simplify (state->analyzer, first));
  ls_take (&extent, ls_analyzer_simplify (state->analyzer, extent));
  if (ls_side_effect (extent) > LS_EFFECT_PURE)
    return ls_ref (full);
  is_whole = ls_structural_equal (extent, full, FALSE, NULL, NULL);
  is_exact = is_whole || ls_as_int (extent, &number);
  if (!is_exact)
    {
      number = ls_analyzer_const_int_bound (state->analyzer, extent).max;
      is_whole = state->is_strict && ls_as_int (full, &large) && number == large;
    }
  if (!is_whole && (number < 1 || (!is_exact && number > MOST_ESTIMATED)))
    return ls_ref (full);
  ls_take (min, g_steal_pointer (&first));
  return is_whole ? ls_ref (full) : ls_const_int (type, number);
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

/* Would an element stand elsewhere in the smaller buffer? */
static gboolean
moves_elements (LsCompactInfo *info,
                LsArray       *shape)
{
  if (info->alignments != NULL)
    return TRUE;
  for (guint i = 0; i < shape->n; i++)
    if (!ls_is_zero (info->mins[i]) || (i > 0 && shape->items[i] != info->buffer->shape->items[i]))
      return TRUE;
  return FALSE;
}

static void
decide (State         *state,
        LsCompactInfo *info)
{
  guint n = info->buffer->shape->n;
  GPtrArray *extents;
  g_autoptr (LsArray) shape = NULL;
  gboolean changed = info->alignments != NULL || info->buffer->strides->n > 0;

  if (info->kept || info->region == NULL || info->region->len != n)
    return;
  extents = g_ptr_array_new ();
  info->mins = g_new0 (LsExpr *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      LsExpr *full = ls_array_at (info->buffer->shape, i, LsExpr);
      LsExpr *extent = shrink (state, info->region->pdata[i], full, &info->mins[i]);

      changed = changed || extent != full || !ls_is_zero (info->mins[i]);
      g_ptr_array_add (extents, extent);
    }
  shape = ls_array_take_ptr_array (extents);
  if (!changed || (info->pointed && moves_elements (info, shape)))
    return;
  /* The pointer variable stays, so that the names in the text do. */
  info->compact = ls_buffer_new_full (ls_ref (info->buffer->data), info->buffer->dtype, ls_ref (shape),
                                      info->alignments != NULL ? aligned_strides (info->alignments, shape, state->analyzer) : NULL, ls_ref (info->buffer->elem_offset), info->buffer->name, info->buffer->data_alignment,
                                      info->buffer->offset_factor, info->buffer->buffer_type, NULL);
}

GHashTable *
ls_compact_buffer_infos (LsStmt  *body,
                         gboolean is_strict)
{
  g_autoptr (GHashTable) by_data = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) shown = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) nothing = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) iters = g_array_new (FALSE, FALSE, sizeof (Iter));
  g_autoptr (GPtrArray) pending = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  GHashTable *infos = g_hash_table_new_full (NULL, NULL, NULL, info_free);
  State state = { .infos = infos, .by_data = by_data, .shown = shown, .iters = iters, .pending = pending,
                  .said = nothing, .explicit = nothing, .analyzer = analyzer, .is_strict = is_strict };
  GHashTableIter iter;
  gpointer info;

  ls_walk (body, look_for_buffers, NULL, shown);
  ls_condition_scope_init (&state.scope);
  visit (&state, body);
  ls_condition_scope_clear (&state.scope);
  g_hash_table_iter_init (&iter, infos);
  while (g_hash_table_iter_next (&iter, NULL, &info))
    decide (&state, info);
  return infos;
}
