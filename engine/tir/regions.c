/* regions: what a block reads and writes, in order of first access.
 *
 * Walks the block's statements once.  Loops inside the block, conditions around an access
 * and lets give domains to variables; an access is the set of its indices over these
 * domains, united with earlier accesses of the same buffer.  Blocks inside are taken by
 * the regions that they declare.  Source of the rules: TVM v0.20's BlockReadWriteDetector.
 */
#include "engine/tir/regions-private.h"

typedef struct {
  GPtrArray *buffers;           /* of LsBuffer */
  GPtrArray *regions;           /* of LsNDIntSet */
} Accesses;

typedef struct {
  LsConditionScope scope;       /* domains of loop variables, hints for others */
  GHashTable *outer;            /* data LsVar -> LsBuffer: what can be seen from outside; borrowed, not to be changed */
  GHashTable *visible;          /* the same of what the block itself makes */
  GHashTable *matched;          /* data LsVar of a target -> LsMatchBufferRegion */
  GHashTable *lets;             /* LsVar -> LsExpr */
  Accesses    reads, writes, opaques;
} Detector;

/* The buffer of this data as the block sees it, or NULL. */
static LsBuffer *
look_up_visible (Detector *self,
                 gpointer  data)
{
  LsBuffer *buffer = g_hash_table_lookup (self->visible, data);

  return buffer != NULL ? buffer : g_hash_table_lookup (self->outer, data);
}

static void
accesses_init (Accesses *self)
{
  self->buffers = g_ptr_array_new ();
  self->regions = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
}

static void
accesses_clear (Accesses *self)
{
  g_ptr_array_unref (self->buffers);
  g_ptr_array_unref (self->regions);
}

/* ---- one access ----------------------------------------------------------- */

/* The region of a match_buffer's source that a region of its target is; NULL when the shapes do not fit. */
static LsNDIntSet *
region_of_source (Detector            *self,
                  LsMatchBufferRegion *match,
                  LsNDIntSet          *target)
{
  LsNDIntSet *result = ls_nd_int_set_new ();
  LsArray *source = match->source->region;
  guint offset = ls_array_n (source) - MIN (target->len, ls_array_n (source));

  for (guint i = 0; i < offset; i++)
    {
      LsRange *outer = ls_array_at (source, i, LsRange);
      g_autoptr (LsRange) point = ls_range_new (ls_ref (outer->min), ls_const_int (ls_dtype (outer->min), 1));

      g_ptr_array_add (result, ls_eval_set_range (point, self->scope.dom));
    }
  for (guint i = 0; offset + i < ls_array_n (source); i++)
    {
      LsRange *outer = ls_array_at (source, offset + i, LsRange);
      LsExpr *extent = ls_array_at (match->buffer->shape, i, LsExpr);
      g_autoptr (LsRange) whole = ls_range_new (ls_const_int (ls_dtype (extent), 0), ls_ref (extent));
      g_autoptr (LsRange) inner = ls_int_set_cover_range (target->pdata[i], whole);
      g_autoptr (LsRange) range = ls_range_new (ls_add (ls_ref (outer->min), ls_ref (inner->min)), ls_ref (inner->extent));

      g_ptr_array_add (result, ls_eval_set_range (range, self->scope.dom));
    }
  return result;
}

/* Takes region. */
static void
note_access (Detector   *self,
             Accesses   *accesses,
             LsBuffer   *buffer,
             LsNDIntSet *region)
{
  g_autoptr (LsNDIntSet) taken = region;
  LsMatchBufferRegion *match = g_hash_table_lookup (self->matched, buffer->data);
  guint i;

  if (look_up_visible (self, buffer->data) == NULL || region->len != ls_buffer_ndim (buffer))
    return;
  if (match != NULL)
    {
      LsNDIntSet *source;

      if (ls_buffer_ndim (match->buffer) != region->len)
        return;
      source = region_of_source (self, match, region);
      g_ptr_array_unref (taken);
      taken = source;
      buffer = match->source->buffer;
    }
  for (i = 0; i < accesses->buffers->len; i++)
    if (accesses->buffers->pdata[i] == buffer)
      {
        ls_nd_int_set_union_with (accesses->regions->pdata[i], taken);
        return;
      }
  g_ptr_array_add (accesses->buffers, buffer);
  g_ptr_array_add (accesses->regions, g_steal_pointer (&taken));
}

/* Lets are replaced by their values, as often as there are lets inside lets. */
static LsExpr *
without_lets (Detector *self,
              LsExpr   *index)
{
  LsExpr *current = ls_ref (index);

  for (guint i = 0; i <= g_hash_table_size (self->lets); i++)
    {
      LsExpr *next = LS_EXPR (ls_substitute (current, self->lets));
      gboolean same = next == current;

      ls_take (&current, next);
      if (same)
        break;
    }
  return current;
}

static LsNDIntSet *
relaxed_indices (Detector *self,
                 LsArray  *indices)
{
  LsNDIntSet *result = ls_nd_int_set_new ();

  for (guint i = 0; i < ls_array_n (indices); i++)
    {
      g_autoptr (LsExpr) index = without_lets (self, ls_array_at (indices, i, LsExpr));
      g_autoptr (LsIntSet) lanes = ls_int_set_vector (index);

      g_ptr_array_add (result, ls_eval_set_set (lanes, self->scope.dom));
    }
  return result;
}

static void
note_whole (Detector *self,
            Accesses *accesses,
            LsBuffer *buffer)
{
  g_autoptr (LsBufferRegion) full = ls_buffer_region_full (buffer);
  LsNDIntSet *region = ls_nd_int_set_new ();

  for (guint i = 0; i < ls_array_n (full->region); i++)
    g_ptr_array_add (region, ls_eval_set_range (ls_array_at (full->region, i, LsRange), self->scope.dom));
  note_access (self, accesses, buffer, region);
}

/* ---- walking -------------------------------------------------------------- */

static void detect (Detector *self, LsNode *node);

static void
detect_all (Detector *self,
            LsArray  *nodes)
{
  for (guint i = 0; i < ls_array_n (nodes); i++)
    detect (self, nodes->items[i]);
}

static void
detect_load (Detector     *self,
             LsBufferLoad *load)
{
  note_access (self, &self->reads, load->buffer, relaxed_indices (self, load->indices));
  detect_all (self, load->indices);
}

static void
detect_store (Detector      *self,
              LsBufferStore *store)
{
  note_access (self, &self->writes, store->buffer, relaxed_indices (self, store->indices));
  detect (self, LS_NODE (store->value));
  detect_all (self, store->indices);
}

static void
detect_var (Detector *self,
            LsVar    *var)
{
  LsBuffer *buffer = look_up_visible (self, var);

  if (buffer != NULL)
    note_whole (self, &self->opaques, buffer);
}

static void
detect_access_ptr (Detector *self,
                   LsCall   *call)
{
  LsBuffer *buffer;
  gint64 mask;

  if (ls_array_n (call->args) < 5 || !ls_is_var (call->args->items[1]) || !ls_as_int (call->args->items[4], &mask))
    {
      detect_all (self, call->args);
      return;
    }
  buffer = look_up_visible (self, call->args->items[1]);
  if (buffer == NULL || (mask & 3) == 0)
    return;
  note_whole (self, (mask & 3) == 3 ? &self->opaques : (mask & 1) ? &self->reads : &self->writes, buffer);
}

/* then_node where the condition holds, else_node (or NULL) where it does not. */
static void
detect_branches (Detector *self,
                 LsExpr   *condition,
                 LsNode   *then_node,
                 LsNode   *else_node)
{
  g_autoptr (LsExpr) holds = without_lets (self, condition);
  g_autoptr (LsExpr) otherwise = ls_not (ls_ref (holds));

  detect (self, LS_NODE (condition));
  ls_condition_scope_enter (&self->scope, holds);
  detect (self, then_node);
  ls_condition_scope_leave (&self->scope);
  if (else_node == NULL)
    return;
  ls_condition_scope_enter (&self->scope, otherwise);
  detect (self, else_node);
  ls_condition_scope_leave (&self->scope);
}

static void
detect_call (Detector *self,
             LsCall   *call)
{
  if (ls_is_call (call, "tir.tvm_access_ptr"))
    detect_access_ptr (self, call);
  else if (ls_is_call (call, "tir.if_then_else") && ls_array_n (call->args) == 3)
    detect_branches (self, ls_array_at (call->args, 0, LsExpr), call->args->items[1], call->args->items[2]);
  else
    detect_all (self, call->args);
}

static void
detect_for (Detector *self,
            LsFor    *loop)
{
  g_autoptr (LsRange) range = ls_range_new (without_lets (self, loop->min), without_lets (self, loop->extent));

  ls_dom_map_set_range (self->scope.dom, loop->loop_var, range);
  detect (self, LS_NODE (loop->min));
  detect (self, LS_NODE (loop->extent));
  detect (self, loop->body);
  ls_dom_map_remove (self->scope.dom, loop->loop_var);
}

static void
detect_let (Detector  *self,
            LsLetStmt *let)
{
  g_hash_table_insert (self->lets, let->var, let->value);
  detect (self, LS_NODE (let->value));
  detect (self, let->body);
  g_hash_table_remove (self->lets, let->var);
}

static void
note_declared (Detector   *self,
               Accesses   *accesses,
               LsArray    *regions,
               GHashTable *bindings)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *declared = ls_array_at (regions, i, LsBufferRegion);
      LsNDIntSet *region = ls_nd_int_set_new ();

      for (guint d = 0; d < ls_array_n (declared->region); d++)
        {
          LsRange *bound = (LsRange *) ls_substitute (ls_array_at (declared->region, d, LsRange), bindings);
          g_autoptr (LsRange) range = ls_range_new (without_lets (self, bound->min), without_lets (self, bound->extent));
          g_autoptr (LsIntSet) set = ls_int_set_from_range (range);

          g_ptr_array_add (region, ls_eval_set_set (set, self->scope.dom));
          ls_unref (bound);
        }
      note_access (self, accesses, declared->buffer, region);
    }
}

/* A block inside counts by what it declares. */
static void
detect_inner_block (Detector       *self,
                    LsBlockRealize *realize)
{
  g_autoptr (GHashTable) bindings = g_hash_table_new (NULL, NULL);
  LsBlock *block = realize->block;

  for (guint i = 0; i < MIN (ls_array_n (block->iter_vars), ls_array_n (realize->iter_values)); i++)
    g_hash_table_insert (bindings, ls_array_at (block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  note_declared (self, &self->reads, block->reads, bindings);
  note_declared (self, &self->writes, block->writes, bindings);
}

static void
detect_allocate (Detector   *self,
                 LsAllocate *allocate)
{
  detect_all (self, allocate->extents);
  detect (self, allocate->body);
  detect (self, LS_NODE (allocate->condition));
}

static void
detect_children (Detector *self,
                 LsNode   *node)
{
  for (guint i = 0; i < ls_node_get_n_children (node); i++)
    {
      LsNode *child = ls_node_get_child (node, i);

      if (ls_is (child, ARRAY) || ls_is (child, RANGE) || ls_is_expr (child) || ls_is_stmt (child))
        detect (self, child);
    }
}

static void
detect (Detector *self,
        LsNode   *node)
{
  if (node == NULL)
    return;
  switch ((int) ls_kind (node))
    {
    case LS_KIND_ARRAY:
      detect_all (self, (LsArray *) node);
      break;
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      detect_var (self, (LsVar *) node);
      break;
    case LS_KIND_CALL:
      detect_call (self, (LsCall *) node);
      break;
    case LS_KIND_LET:
      detect (self, LS_NODE (((LsLet *) node)->value));
      detect (self, LS_NODE (((LsLet *) node)->body));
      break;
    case LS_KIND_BUFFER_LOAD:
      detect_load (self, (LsBufferLoad *) node);
      break;
    case LS_KIND_BUFFER_STORE:
      detect_store (self, (LsBufferStore *) node);
      break;
    case LS_KIND_FOR:
      detect_for (self, (LsFor *) node);
      break;
    case LS_KIND_LET_STMT:
      detect_let (self, (LsLetStmt *) node);
      break;
    case LS_KIND_IF_THEN_ELSE:
      detect_branches (self, ((LsIfThenElse *) node)->condition, ((LsIfThenElse *) node)->then_case,
                       ((LsIfThenElse *) node)->else_case);
      break;
    case LS_KIND_BLOCK_REALIZE:
      detect_inner_block (self, (LsBlockRealize *) node);
      break;
    case LS_KIND_ATTR_STMT:
      detect (self, LS_NODE (((LsAttrStmt *) node)->value));
      detect (self, ((LsAttrStmt *) node)->body);
      break;
    case LS_KIND_ALLOCATE:
      detect_allocate (self, (LsAllocate *) node);
      break;
    case LS_KIND_ALLOCATE_CONST:
      detect (self, ((LsAllocateConst *) node)->body);
      break;
    case LS_KIND_DECL_BUFFER:
      detect (self, ((LsDeclBuffer *) node)->body);
      break;
    default:
      detect_children (self, node);
      break;
    }
}

static void
detect_regions (Detector *self,
                LsArray  *regions)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    detect_all (self, ls_array_at (regions, i, LsBufferRegion)->region);
}

static void
detect_block (Detector *self,
              LsBlock  *block)
{
  for (guint i = 0; i < ls_array_n (block->match_buffers); i++)
    {
      LsMatchBufferRegion *match = ls_array_at (block->match_buffers, i, LsMatchBufferRegion);

      if (look_up_visible (self, match->source->buffer->data) != NULL)
        {
          g_hash_table_insert (self->matched, match->buffer->data, match);
          g_hash_table_insert (self->visible, match->buffer->data, match->buffer);
        }
    }
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    detect (self, LS_NODE (ls_array_at (block->iter_vars, i, LsIterVar)->dom));
  detect_regions (self, block->reads);
  detect_regions (self, block->writes);
  for (guint i = 0; i < ls_array_n (block->match_buffers); i++)
    detect_all (self, ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->source->region);
  detect (self, block->init);
  detect (self, block->body);
}

/* ---- results -------------------------------------------------------------- */

static LsRange *
covering_range (LsIntSet   *set,
                LsExpr     *extent,
                LsAnalyzer *analyzer)
{
  g_autoptr (LsRange) whole = NULL;

  if (ls_int_set_can_prove_single_point (set, analyzer))
    return ls_range_new (ls_ref (set->min_value), ls_const_int (ls_dtype (set->min_value), 1));
  whole = ls_range_new (ls_const_int (ls_dtype (extent), 0), ls_ref (extent));
  return ls_int_set_cover_range (set, whole);
}

static LsWalk
look_for_own (LsNode   *node,
              gpointer  own)
{
  return ls_is (node, BUFFER_LOAD) && g_hash_table_contains (own, ((LsBufferLoad *) node)->buffer->data) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* Of a dimension; all of it where its ends are told by buffers that only the block knows. (transfer full) */
static LsRange *
range_outside (Detector   *self,
               LsIntSet   *set,
               LsExpr     *extent,
               LsAnalyzer *analyzer)
{
  LsRange *range = covering_range (set, extent, analyzer);

  if ((LS_NODE (range)->facts & LS_FACT_HAS_LOAD) == 0 || ls_walk (range, look_for_own, NULL, self->visible))
    return range;
  ls_unref (range);
  return ls_range_new (ls_const_int (ls_dtype (extent), 0), ls_ref (extent));
}

static GPtrArray *
collect (Detector   *self,
         Accesses   *accesses,
         GHashTable *excluded)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  GPtrArray *result = g_ptr_array_new ();

  for (guint i = 0; i < accesses->buffers->len; i++)
    {
      LsBuffer *buffer = accesses->buffers->pdata[i];
      LsNDIntSet *sets = accesses->regions->pdata[i];
      GPtrArray *ranges;

      if (g_hash_table_contains (excluded, buffer))
        continue;
      ranges = g_ptr_array_new ();
      for (guint d = 0; d < sets->len; d++)
        g_ptr_array_add (ranges, range_outside (self, sets->pdata[d], ls_array_at (buffer->shape, d, LsExpr), analyzer));
      g_ptr_array_add (result, ls_buffer_region_new (ls_ref (buffer), ls_array_take_ptr_array (ranges)));
    }
  return result;
}

static void
exclude (GHashTable *excluded,
         Accesses   *accesses)
{
  for (guint i = 0; i < accesses->buffers->len; i++)
    g_hash_table_add (excluded, accesses->buffers->pdata[i]);
}

static void
detector_init (Detector   *self,
               GHashTable *outer)
{
  self->outer = outer;
  ls_condition_scope_init (&self->scope);
  self->visible = g_hash_table_new (NULL, NULL);
  self->matched = g_hash_table_new (NULL, NULL);
  self->lets = g_hash_table_new (NULL, NULL);
  accesses_init (&self->reads);
  accesses_init (&self->writes);
  accesses_init (&self->opaques);
}

/* Data LsVar -> LsBuffer. (transfer full) */
static GHashTable *
table_of (LsArray *buffers)
{
  GHashTable *table = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < ls_array_n (buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (buffers, i, LsBuffer);

      if (buffer != NULL)
        g_hash_table_insert (table, buffer->data, buffer);
    }
  return table;
}

static void
detector_clear (Detector *self)
{
  ls_condition_scope_clear (&self->scope);
  g_hash_table_unref (self->visible);
  g_hash_table_unref (self->matched);
  g_hash_table_unref (self->lets);
  accesses_clear (&self->reads);
  accesses_clear (&self->writes);
  accesses_clear (&self->opaques);
}

void
ls_block_access_region_visible (LsBlock  *block,
                                LsArray  *visible,
                                LsArray **reads,
                                LsArray **writes,
                                LsArray **opaques)
{
  g_autoptr (GHashTable) table = table_of (visible);

  ls_block_access_region_in (block, table, reads, writes, opaques);
}

void
ls_block_access_region_in (LsBlock     *block,
                           GHashTable  *visible,
                           LsArray    **reads,
                           LsArray    **writes,
                           LsArray    **opaques)
{
  g_autoptr (GHashTable) none = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) excluded = g_hash_table_new (NULL, NULL);
  Detector self;

  detector_init (&self, visible);
  detect_block (&self, block);
  if (block->init != NULL)
    exclude (excluded, &self.writes);
  *reads = ls_array_take_ptr_array (collect (&self, &self.reads, excluded));
  *writes = ls_array_take_ptr_array (collect (&self, &self.writes, none));
  if (opaques != NULL)
    *opaques = ls_array_take_ptr_array (collect (&self, &self.opaques, none));
  detector_clear (&self);
}

void
ls_block_read_write_region (LsBlock  *block,
                            LsArray  *visible,
                            LsArray **reads,
                            LsArray **writes)
{
  g_autoptr (GHashTable) none = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) excluded = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) table = table_of (visible);
  g_autoptr (GPtrArray) opaques = NULL;
  GPtrArray *w, *r;
  Detector self;

  detector_init (&self, table);
  detect_block (&self, block);
  opaques = collect (&self, &self.opaques, none);
  exclude (excluded, &self.opaques);
  w = collect (&self, &self.writes, excluded);
  for (guint i = 0; block->init != NULL && i < w->len; i++)
    g_hash_table_add (excluded, ((LsBufferRegion *) w->pdata[i])->buffer);
  r = collect (&self, &self.reads, excluded);
  for (guint i = 0; i < opaques->len; i++)
    {
      g_ptr_array_add (r, ls_node_ref (opaques->pdata[i]));
      g_ptr_array_add (w, opaques->pdata[i]);
    }
  *reads = ls_array_take_ptr_array (r);
  *writes = ls_array_take_ptr_array (w);
  detector_clear (&self);
}

/* ---- without a list of buffers -------------------------------------------- */

typedef struct {
  GHashTable *used;
  GHashTable *inside;
  GPtrArray  *order;
} Uses;

static void
add_inside (Uses    *self,
            LsArray *buffers)
{
  for (guint i = 0; i < ls_array_n (buffers); i++)
    g_hash_table_add (self->inside, buffers->items[i]);
}

static LsWalk
note_use (LsNode  *node,
          gpointer data)
{
  Uses *self = data;

  if (ls_is (node, BUFFER) && g_hash_table_add (self->used, node))
    g_ptr_array_add (self->order, node);
  else if (ls_is (node, BLOCK))
    add_inside (self, ((LsBlock *) node)->alloc_buffers);
  else if (ls_is (node, MATCH_BUFFER_REGION))
    g_hash_table_add (self->inside, ((LsMatchBufferRegion *) node)->buffer);
  else if (ls_is (node, DECL_BUFFER))
    g_hash_table_add (self->inside, ((LsDeclBuffer *) node)->buffer);
  return LS_WALK_CONTINUE;
}

void
ls_block_access_region (LsBlock  *block,
                        LsArray **reads,
                        LsArray **writes,
                        LsArray **opaques)
{
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) inside = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  g_autoptr (LsArray) visible = NULL;
  GPtrArray *outer = g_ptr_array_new ();
  Uses uses = { used, inside, order };

  ls_walk (block, note_use, NULL, &uses);
  for (guint i = 0; i < order->len; i++)
    if (!g_hash_table_contains (inside, order->pdata[i]))
      g_ptr_array_add (outer, ls_node_ref (order->pdata[i]));
  visible = ls_array_take_ptr_array (outer);
  ls_block_access_region_visible (block, visible, reads, writes, opaques);
}
