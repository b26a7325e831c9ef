/* reindex_cache_read, reindex_cache_write: a copy of what one block reads or writes, laid out by an index map of the
 * block's variables.
 *
 *   C: C[vi, vj] = B[vi, vj]    -- lambda i, j: (j, i) ->    B_shared: B_shared[vj, vi] = B[vi, vj]
 *                                                           C: C[vi, vj] = B_shared[vj, vi]
 *
 * The copy runs over those variables of the block that index the buffer, with the loops below the place where it goes
 * (rewrite/cache-stage.c) that bind them; both keep their names.  The block accesses one element at a time.
 * Source: TVM's tir reindex_cache_read and reindex_cache_write.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/base/plural.h"
#include "engine/tir/index-map.h"

enum { BLOCK, BUFFER_INDEX, STORAGE_SCOPE, INDEX_MAP };

static const LsParam read_params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that reads the buffer" },
  { "read_buffer_index", LS_PARAM_BUFFER, LS_PARAM_BY_INDEX, NULL, "which of the buffers that it reads, from 0, or its name" },
  { "storage_scope", LS_PARAM_STRING, 0, NULL, "global, shared, local, ..." },
  { "index_map", LS_PARAM_INDEX_MAP, LS_PARAM_INPUT, NULL, "from the block's variables to the indices of the copy" },
};

static const LsParam write_params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that writes the buffer" },
  { "write_buffer_index", LS_PARAM_BUFFER, LS_PARAM_BY_INDEX, NULL, "which of the buffers that it writes, from 0, or its name" },
  { "storage_scope", LS_PARAM_STRING, 0, NULL, "global, shared, local, ..." },
  { "index_map", LS_PARAM_INDEX_MAP, LS_PARAM_INPUT, NULL, "from the block's variables to the indices of the copy" },
};

/* What is known of the copy. */
typedef struct {
  LsCacheStage  stage;
  LsState      *state;
  LsSref       *target;
  LsBlock      *block;
  gboolean      is_write;
  LsBufferRegion *region;       /* that the block declares, borrowed */
  LsArray      *indices;        /* of the copy, in the block's variables; owned */
  gboolean      active;         /* while rewriting: accesses are of the target */
  LsBlockReuse *reuse;
  GHashTable   *entered;        /* ls_state_entered */
} Reindex;

static void
reindex_clear (Reindex *self)
{
  ls_cache_stage_clear (&self->stage);
  ls_unref (self->indices);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reindex, reindex_clear)

/* ---- check ------------------------------------------------------------------ */

static gboolean
legal_points (LsMove        *move,
              LsDiagnostics *diagnostics,
              Reindex       *self)
{
  for (guint i = 0; i < ls_array_n (self->region->region); i++)
    if (!ls_is_int_value (ls_array_at (self->region->region, i, LsRange)->extent, 1))
      {
        ls_move_refuse (move, diagnostics, "not-single-point", self->block, "Block %s %s a whole range of %s at once; %s needs single elements.",
                        self->block->name_hint, ls_translate (self->is_write ? LS_TEXT ("writes") : LS_TEXT ("reads")), self->stage.buffer->name, move->instruction->name);
        return FALSE;
      }
  return TRUE;
}

static gboolean
region_uses (LsBufferRegion *region,
             LsVar          *var)
{
  for (guint i = 0; i < ls_array_n (region->region); i++)
    if (ls_uses (ls_array_at (region->region, i, LsRange)->min, var))
      return TRUE;
  return FALSE;
}

/* The variables that index the buffer are those that the map uses. */
static gboolean
legal_variables (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 Reindex       *self)
{
  for (guint i = 0; i < ls_array_n (self->block->iter_vars); i++)
    {
      LsVar *var = ls_array_at (self->block->iter_vars, i, LsIterVar)->var;
      gboolean in_old = region_uses (self->region, var);
      LsDiagnostic *finding;

      if (in_old == ls_uses (self->indices, var))
        continue;
      finding = ls_move_refuse (move, diagnostics, "not-same-variables", self->block,
                                in_old ? "Variable %s of block %s indexes %s, but the map leaves it out."
                                       : LS_TEXT ("The map uses variable %s of block %s, which does not index %s."),
                                var->name, self->block->name_hint, self->stage.buffer->name);
      if (finding != NULL)
        ls_diagnostic_set_repair (finding, in_old ? LS_TEXT ("Use %s in the map.") : LS_TEXT ("Leave %s out of the map."), var->name);
      return FALSE;
    }
  return TRUE;
}

/* The map over the block's variables, in int64 where int32 does not hold the places in the copy. (transfer full) */
static LsIndexMap *
map_of (Reindex *self,
        LsMove  *move)
{
  LsIndexMap *map = ls_move_index_map (move, INDEX_MAP, self->target);
  g_autoptr(LsArray) ranges = NULL;
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (self->block->iter_vars); i++)
    g_ptr_array_add (list, ls_ref (ls_array_at (self->block->iter_vars, i, LsIterVar)->dom));
  ranges = ls_array_take_ptr_array (list);
  if (ls_array_n (map->initial_indices) == ls_array_n (ranges) && ls_index_map_leaves_int32 (map, ranges))
    ls_take (&map, ls_index_map_in (map, LS_INT64));
  return map;
}

static gboolean
reindex_make (Reindex       *self,
              LsMove        *move,
              LsDiagnostics *diagnostics,
              gboolean       is_write)
{
  LsSref *writer = NULL;
  g_autoptr(LsIndexMap) map = NULL;
  g_autoptr(LsArray) vars = NULL;
  GPtrArray *own;

  self->state = move->state;
  self->target = ls_move_sref (move, BLOCK);
  self->block = ls_sref_block (self->target);
  self->is_write = is_write;
  self->stage.buffer = ls_legal_access_buffer (move, diagnostics, self->target, BUFFER_INDEX, is_write);
  if (!ls_legal_storage_scope (move, diagnostics, ls_move_string (move, STORAGE_SCOPE)) || self->stage.buffer == NULL ||
      !ls_legal_scope (move, diagnostics, self->target, TRUE, &self->stage.root) ||
      !ls_legal_one_writer (move, diagnostics, self->stage.root, self->stage.buffer, &writer))
    return FALSE;
  self->region = ls_region_of (is_write ? self->block->writes : self->block->reads, self->stage.buffer);
  map = map_of (self, move);
  if (ls_array_n (map->initial_indices) != ls_array_n (self->block->iter_vars))
    {
      ls_move_refuse (move, diagnostics, "arity", self->block, ls_translate_plural ("The map takes %u variable, but block %s has %u.", "The map takes %u variables, but block %s has %u.",
                                           ls_array_n (map->initial_indices)), ls_array_n (map->initial_indices), self->block->name_hint,
                      ls_array_n (self->block->iter_vars));
      return FALSE;
    }
  if (self->region == NULL)
    {
      ls_move_refuse (move, diagnostics, "no-access", self->block,
                      is_write ? ls_translate ("Block %s does not write %s; %s takes a buffer that it writes.")
                               : ls_translate ("Block %s does not read %s; %s takes a buffer that it reads."),
                      self->block->name_hint, self->stage.buffer->name, move->instruction->name);
      return FALSE;
    }
  own = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (self->block->iter_vars); i++)
    g_ptr_array_add (own, ls_ref (ls_array_at (self->block->iter_vars, i, LsIterVar)->var));
  vars = ls_array_take_ptr_array (own);
  self->indices = ls_index_map_map_indices (map, vars, NULL);
  return legal_points (move, diagnostics, self) && legal_variables (move, diagnostics, self);
}

/* The indices of the access, over the block's variables. (transfer full) */
static LsArray *
region_begin (LsBufferRegion *region)
{
  GPtrArray *begin = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (region->region); i++)
    g_ptr_array_add (begin, ls_ref (ls_array_at (region->region, i, LsRange)->min));
  return ls_array_take_ptr_array (begin);
}

/* Do the indices of the copy tell all values of the variables apart? */
static gboolean
is_one_to_one (Reindex *self)
{
  g_autoptr(LsArray) old = region_begin (self->region);

  return ls_structural_equal (old, self->indices, FALSE, NULL, NULL) || ls_tell_apart (self->indices, self->block->iter_vars);
}

/* Warns where the copy, which has no condition of its own, runs for instances that the block leaves out. */
static void
doubt_predicate (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 Reindex       *self)
{
  LsBlockRealize *realize = ls_state_realize (move->state, self->target);
  g_autoptr(LsArray) indices = region_begin (self->region);

  ls_doubt_bounds (move, diagnostics, self->block, self->stage.buffer, indices);
  if (!is_one_to_one (self))
    ls_move_warn (move, diagnostics, "collision", self->block, "Two elements of %s may come to the same place of the copy.", self->stage.buffer->name);
  if (!ls_is_one (realize->predicate))
    ls_move_warn (move, diagnostics, "condition", self->block, "Block %s runs under a condition that the copy does not have.", self->block->name_hint);
  else if (self->is_write)
    ls_doubt_partly_written (move, diagnostics, self->target, self->stage.buffer, NULL);
  if (ls_region_of (self->block->reads, self->stage.buffer) != NULL && ls_region_of (self->block->writes, self->stage.buffer) != NULL)
    ls_move_warn (move, diagnostics, "reads-own-output", self->block, "Block %s reads and writes %s, but only one copy is made.",
                  self->block->name_hint, self->stage.buffer->name);
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics,
       gboolean       is_write)
{
  g_auto(Reindex) self = { { NULL } };

  if (!reindex_make (&self, move, diagnostics, is_write))
    return FALSE;
  if (diagnostics != NULL)
    doubt_predicate (move, diagnostics, &self);
  return TRUE;
}

static gboolean
check_read (LsMove        *move,
            LsDiagnostics *diagnostics)
{
  return check (move, diagnostics, FALSE);
}

static gboolean
check_write (LsMove        *move,
             LsDiagnostics *diagnostics)
{
  return check (move, diagnostics, TRUE);
}

/* ---- the copy ----------------------------------------------------------------- */

static void
find_place (Reindex *self)
{
  g_autoptr(GPtrArray) readers = NULL;
  LsSref *writer = self->target;

  if (self->is_write)
    {
      readers = ls_cache_stage_readers (self->state, self->stage.root, writer);
      ls_cache_stage_find_place (&self->stage, self->state, writer, readers);
      return;
    }
  readers = ls_state_writers (self->state, self->stage.root, self->stage.buffer);
  writer = readers->len > 0 ? readers->pdata[0] : NULL;
  self->stage.place = self->stage.root;
  self->stage.position = 0;
  if (writer == NULL)
    return;
  g_ptr_array_set_size (readers, 0);
  g_ptr_array_add (readers, self->target);
  ls_cache_stage_find_place (&self->stage, self->state, writer, readers);
}

static void
make_buffer (Reindex    *self,
             LsMove     *move,
             const char *scope)
{
  g_autofree char *name = g_strdup_printf ("%s_%s", self->stage.buffer->name, scope);
  g_autoptr(LsIndexMap) map = map_of (self, move);
  g_autoptr(LsArray) extents = NULL;
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (self->block->iter_vars); i++)
    g_ptr_array_add (list, ls_ref (ls_array_at (self->block->iter_vars, i, LsIterVar)->dom->extent));
  extents = ls_array_take_ptr_array (list);
  self->stage.cache = ls_buffer_copy (self->stage.buffer, name, scope, ls_index_map_map_shape (map, extents, NULL));
}

static gboolean
bounds_use (GPtrArray *loops,
            LsVar     *var)
{
  for (guint i = 0; i < loops->len; i++)
    {
      LsFor *loop = loops->pdata[i];

      if (ls_uses (loop->min, var) || ls_uses (loop->extent, var))
        return TRUE;
    }
  return FALSE;
}

/* Loops below the place that bind one of `values`, each with its fresh variable in `map`; outermost first. (transfer container) */
static GPtrArray *
copied_loops (Reindex    *self,
              LsArray    *values,
              GHashTable *map)
{
  GPtrArray *loops = g_ptr_array_new ();

  for (LsSref *p = self->target->parent; p != NULL && !p->is_block && p != self->stage.place; p = p->parent)
    {
      LsVar *var = ls_sref_for (p)->loop_var;

      if (!ls_uses (values, var) && !bounds_use (loops, var))
        continue;
      g_ptr_array_insert (loops, 0, ls_sref_for (p));
      g_hash_table_insert (map, var, ls_var_copy (var, NULL));
    }
  return loops;
}

static void
make_copy (Reindex    *self,
           const char *scope)
{
  g_autofree char *name = g_strdup_printf ("%s_%s", self->stage.buffer->name, scope);
  LsBlockRealize *realize = ls_state_realize (self->state, self->target);
  g_autoptr(GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr(GPtrArray) loops = NULL;
  g_autoptr(LsArray) old_values = NULL;
  g_autoptr(LsArray) point = NULL;
  g_autoptr(LsArray) in_buffer = NULL;
  g_autoptr(LsArray) in_cache = NULL;
  LsArray *new_values;
  GPtrArray *iter_vars = g_ptr_array_new ();
  GPtrArray *values = g_ptr_array_new ();
  GPtrArray *mins = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (self->block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (self->block->iter_vars, i, LsIterVar);
      LsVar *var;

      if (!ls_uses (self->indices, iter->var))
        continue;
      var = ls_var_copy (iter->var, NULL);
      g_hash_table_insert (map, iter->var, ls_ref (var));
      g_ptr_array_add (iter_vars, ls_iter_var_new (ls_ref (iter->dom), var, LS_ITER_DATA_PAR, NULL));
      g_ptr_array_add (values, ls_node_ref (realize->iter_values->items[i]));
    }
  for (guint i = 0; i < ls_array_n (self->region->region); i++)
    g_ptr_array_add (mins, ls_ref (ls_array_at (self->region->region, i, LsRange)->min));
  old_values = ls_array_take_ptr_array (values);
  point = ls_array_take_ptr_array (mins);
  loops = copied_loops (self, old_values, map);
  in_buffer = (LsArray *) ls_substitute (point, map);
  in_cache = (LsArray *) ls_substitute (self->indices, map);
  new_values = (LsArray *) ls_substitute (old_values, map);
  self->stage.block = ls_copy_block (name, ls_array_take_ptr_array (iter_vars), self->is_write ? self->stage.cache : self->stage.buffer,
                                     self->is_write ? in_cache : in_buffer, self->is_write ? self->stage.buffer : self->stage.cache,
                                     self->is_write ? in_buffer : in_cache);
  self->stage.nest = LS_STMT (ls_block_realize_new (new_values, ls_bool (TRUE), self->stage.block));
  for (guint i = loops->len; i-- > 0;)
    {
      LsFor *loop = loops->pdata[i];

      self->stage.nest = LS_STMT (ls_for_new (ls_ref ((LsVar *) g_hash_table_lookup (map, loop->loop_var)), (LsExpr *) ls_substitute (loop->min, map),
                                              (LsExpr *) ls_substitute (loop->extent, map), LS_FOR_SERIAL, self->stage.nest, NULL, NULL));
    }
}

/* ---- rewriting ------------------------------------------------------------------ */

/* The regions with that of the buffer as the point in the copy. (transfer full) */
static LsArray *
own_regions (Reindex *self,
             LsArray *regions)
{
  GPtrArray *changed = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsNode *item = regions->items[i];
      gboolean match = ls_is (item, MATCH_BUFFER_REGION);
      LsBufferRegion *region = match ? ((LsMatchBufferRegion *) item)->source : (LsBufferRegion *) item;
      LsBufferRegion *point;

      if (region->buffer != self->stage.buffer)
        {
          g_ptr_array_add (changed, ls_node_ref (item));
          continue;
        }
      point = ls_buffer_region_point (ls_ref (self->stage.cache), ls_ref (self->indices));
      g_ptr_array_add (changed, match ? (gpointer) ls_match_buffer_region_new (ls_ref (((LsMatchBufferRegion *) item)->buffer), point) : point);
    }
  return ls_array_take_ptr_array (changed);
}

static LsNode *
rewrite_block (Reindex    *self,
               LsRewriter *rewriter,
               LsBlock    *block)
{
  gboolean is_root = LS_NODE (block) == self->stage.root->stmt;
  LsNode *fresh;

  if (!is_root && block != self->block && !self->active)
    return LS_NODE (ls_ref (block));
  self->active |= block == self->block;
  fresh = ls_rewrite_default (rewriter, block);
  self->active = self->active && block != self->block;
  if (LS_NODE (block) == self->stage.place->stmt)
    ls_take (&fresh, ls_cache_stage_insert (&self->stage, fresh));
  if (is_root)
    {
      g_autoptr(LsArray) buffers = ls_array_append (((LsBlock *) fresh)->alloc_buffers, self->stage.cache);

      ls_take (&fresh, LS_NODE (ls_block_with_alloc_buffers ((LsBlock *) fresh, buffers)));
    }
  else
    {
      LsBlock *was = (LsBlock *) fresh;

      ls_take (&fresh, LS_NODE (ls_block_new (ls_ref (was->iter_vars), own_regions (self, block->reads),
                                              self->is_write ? own_regions (self, block->writes) : ls_ref (block->writes), was->name_hint,
                                              ls_ref (was->body), ls_ref (was->init), ls_ref (was->alloc_buffers),
                                              own_regions (self, was->match_buffers), ls_ref (was->annotations))));
    }
  ls_block_reuse_add (self->reuse, block, (LsBlock *) fresh);
  return fresh;
}

static LsNode *
rewrite (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  Reindex *self = user_data;
  g_autoptr(LsNode) fresh = NULL;

  if (ls_rebuild_passes_by (node, self->entered))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK))
    return rewrite_block (self, rewriter, (LsBlock *) node);
  if (self->active && node == LS_NODE (self->stage.buffer->data))
    return LS_NODE (ls_ref (self->stage.cache->data));
  if (self->active && ls_is (node, BUFFER_LOAD) && ((LsBufferLoad *) node)->buffer == self->stage.buffer)
    return LS_NODE (ls_buffer_load_new (ls_ref (self->stage.cache), ls_ref (self->indices), ls_ref (((LsBufferLoad *) node)->predicate)));
  fresh = ls_rebuild_below_definition (rewriter, node, self->stage.buffer->data);
  if (fresh == NULL)
    fresh = ls_rewrite_default (rewriter, node);
  if (self->active && self->is_write && ls_is (fresh, BUFFER_STORE) && ((LsBufferStore *) fresh)->buffer == self->stage.buffer)
    return ls_buffer_store_new (ls_ref (self->stage.cache), ls_ref (((LsBufferStore *) fresh)->value), ls_ref (self->indices),
                                ls_ref (((LsBufferStore *) fresh)->predicate));
  if (node == self->stage.place->stmt)
    return ls_cache_stage_insert (&self->stage, fresh);
  return g_steal_pointer (&fresh);
}

static gboolean
apply (LsMove   *move,
       gboolean  is_write)
{
  const char *scope = ls_move_string (move, STORAGE_SCOPE);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlock) new_root = NULL;
  g_auto(Reindex) self = { { NULL } };

  reindex_make (&self, move, NULL, is_write);
  self.reuse = reuse;
  find_place (&self);
  make_buffer (&self, move, scope);
  make_copy (&self, scope);
  self.entered = ls_state_entered (move->state, self.stage.root, self.stage.place, &self.stage.buffer, 1);
  ls_entered_add (self.entered, ls_move_sref (move, 0));
  new_root = (LsBlock *) ls_rewrite_with (self.stage.root->stmt, rewrite, &self);
  g_hash_table_unref (self.entered);
  ls_cache_stage_commit (&self.stage, move, new_root, reuse);
  return TRUE;
}

static gboolean
apply_read (LsMove        *move,
            LsDiagnostics *diagnostics)
{
  return apply (move, FALSE);
}

static gboolean
apply_write (LsMove        *move,
             LsDiagnostics *diagnostics)
{
  return apply (move, TRUE);
}

const LsInstruction ls_instruction_reindex_cache_read = {
  .name = "reindex_cache_read",
  .params = read_params,
  .n_params = G_N_ELEMENTS (read_params),
  .result = LS_RESULT_BLOCK,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Copies what a block reads first, laid out by an index map"),
  .condition = "The scope is a stage pipeline in which at most one block writes the buffer. The block reads single elements, and "
               "the map uses the same variables as the read.",
  .source = "TVM v0.20 tir.Schedule.reindex_cache_read",
  .check = check_read,
  .apply = apply_read,
};

const LsInstruction ls_instruction_reindex_cache_write = {
  .name = "reindex_cache_write",
  .params = write_params,
  .n_params = G_N_ELEMENTS (write_params),
  .result = LS_RESULT_BLOCK,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Writes into a copy laid out by an index map, and copies the result from there"),
  .condition = "The scope is a stage pipeline in which the block is the only one that writes the buffer. It writes single "
               "elements, and the map uses the same variables as the write.",
  .source = "TVM v0.20 tir.Schedule.reindex_cache_write",
  .check = check_write,
  .apply = apply_write,
};
