/* cache-stage: a block that copies a buffer into another one, or back, and the place where it goes.
 *
 *   for ax0, ax1:
 *     A_shared: A_shared[v0, v1] = A[v0, v1]
 *
 * The copy stands before the first block that reads what was written, as deep in the loops as both are, and copies
 * what the writer wrote while the loops around that place stand still.  Where it stands outside all loops and all
 * readers are seen from there, the cache has the size of the region; else it has the size of the buffer.
 * Source of these rules: TVM v0.20's cache_read and cache_write.
 */
#include "engine/schedule/rewrite/rewrite.h"

void
ls_cache_stage_clear (LsCacheStage *self)
{
  ls_unref (self->cache);
  ls_unref (self->region);
  ls_unref (self->nest);
}

/* ---- the place -------------------------------------------------------------- */

/* The statement inside definitions. Borrowed. */
static LsStmt *
inside_definitions (LsStmt *stmt)
{
  while (ls_is (stmt, ALLOCATE_CONST) || ls_is (stmt, DECL_BUFFER))
    stmt = ls_is (stmt, ALLOCATE_CONST) ? ((LsAllocateConst *) stmt)->body : ((LsDeclBuffer *) stmt)->body;
  return stmt;
}

typedef struct {
  LsNode *wanted;
  gboolean found;
} Search;

static gboolean
look_for (LsNode         *stmt,
          LsBlockRealize *realize,
          gpointer        user_data)
{
  Search *search = user_data;

  search->found |= stmt == search->wanted;
  return !search->found;
}

guint
ls_stmt_part_with (LsStmt *body,
                   LsNode *stmt)
{
  LsSeqStmt *seq = (LsSeqStmt *) inside_definitions (body);

  for (guint i = 0; ls_is (seq, SEQ_STMT) && i < ls_array_n (seq->seq); i++)
    if (seq->seq->items[i] == stmt)
      return i;
  for (guint i = 0; ls_is (seq, SEQ_STMT) && i < ls_array_n (seq->seq); i++)
    {
      Search search = { stmt, FALSE };

      ls_stmt_foreach_child (seq->seq->items[i], look_for, &search);
      if (search.found)
        return i;
    }
  return 0;
}

static guint
n_parts (LsStmt *body)
{
  LsStmt *inner = inside_definitions (body);

  return ls_is (inner, SEQ_STMT) ? ls_array_n (((LsSeqStmt *) inner)->seq) : 1;
}

static gboolean
is_member (LsCacheStage *self,
           LsState      *state,
           LsSref       *block)
{
  return block->member_of == ls_state_scope (state, self->root);
}

/* The one of the blocks that comes first in the scope. */
static LsSref *
first_of (LsCacheStage *self,
          LsState      *state,
          GPtrArray    *blocks)
{
  LsSref *first = NULL;

  for (guint i = 0; i < blocks->len; i++)
    {
      LsSref *block = blocks->pdata[i];

      if (is_member (self, state, block) && (first == NULL || block->order < first->order))
        first = block;
    }
  return first;
}

void
ls_cache_stage_find_place (LsCacheStage *self,
                           LsState      *state,
                           LsSref       *writer,
                           GPtrArray    *readers)
{
  LsSref *reader = first_of (self, state, readers);
  LsSref *pair[2] = { writer, reader };
  LsSref *below = reader;

  self->place = self->root;
  if (reader == NULL)
    {
      self->position = n_parts (ls_sref_body (self->root));
      return;
    }
  self->position = 0;
  if (!is_member (self, state, writer) || writer->order >= reader->order)
    return;
  self->place = ls_sref_common (pair, 2);
  while (below->parent != self->place)
    below = below->parent;
  self->position = ls_stmt_part_with (ls_sref_body (self->place), below->stmt);
}

GPtrArray *
ls_cache_stage_readers (LsState *state,
                        LsSref  *root,
                        LsSref  *writer)
{
  g_autoptr(GArray) deps = ls_scope_deps_from (ls_state_scope (state, root), writer);
  GPtrArray *readers = g_ptr_array_new ();

  for (guint i = 0; i < deps->len; i++)
    if (g_array_index (deps, LsDep, i).kind == LS_DEP_RAW)
      g_ptr_array_add (readers, g_array_index (deps, LsDep, i).dst);
  return readers;
}

LsBufferRegion *
ls_cache_stage_relax (LsCacheStage   *self,
                      LsState        *state,
                      LsSref         *block,
                      LsBufferRegion *region)
{
  LsBlockRealize *realize = ls_state_realize (state, block);
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsDomMap) loops = ls_state_loop_domains (state, block->parent, self->place, ls_buffer_scope (region->buffer));
  g_autoptr(LsArray) open = NULL;
  g_autoptr(LsNDIntSet) sets = NULL;
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (map, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  open = (LsArray *) ls_substitute (region->region, map);
  sets = ls_region_upper_bound (open, loops, realize->predicate, analyzer);
  for (guint i = 0; i < sets->len; i++)
    {
      LsExpr *size = ls_array_at (region->buffer->shape, i, LsExpr);
      g_autoptr(LsRange) all = ls_range_new (ls_const_int (ls_dtype (size), 0), ls_ref (size));

      g_ptr_array_add (ranges, ls_int_set_cover_range (sets->pdata[i], all));
    }
  return ls_buffer_region_new (ls_ref (region->buffer), ls_array_take_ptr_array (ranges));
}

/* ---- buffer and copy --------------------------------------------------------- */

/* Do all blocks of the scope that read the buffer stand below the place? */
static gboolean
sees_all_readers (LsCacheStage *self,
                  LsState      *state)
{
  g_autoptr(GPtrArray) blocks = ls_state_readers (state, self->root, self->buffer);

  for (guint i = 0; i < blocks->len; i++)
    if (!ls_sref_is_ancestor (self->place, blocks->pdata[i]))
      return FALSE;
  return TRUE;
}

void
ls_cache_stage_make_buffer (LsCacheStage *self,
                            LsState      *state,
                            const char   *scope)
{
  g_autofree char *name = g_strdup_printf ("%s_%s", self->buffer->name, scope);
  GPtrArray *shape;

  self->whole = !self->place->is_block || !sees_all_readers (self, state);
  if (self->whole)
    {
      self->cache = ls_buffer_copy (self->buffer, name, scope, NULL);
      return;
    }
  shape = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (self->region->region); i++)
    g_ptr_array_add (shape, ls_ref (ls_array_at (self->region->region, i, LsRange)->extent));
  self->cache = ls_buffer_copy (self->buffer, name, scope, ls_array_take_ptr_array (shape));
}

/* The copy while it is made: one entry for each dimension. */
typedef struct {
  GPtrArray *loop_vars;
  GPtrArray *values;
  GPtrArray *iter_vars;
  GPtrArray *in_buffer;         /* indices */
  GPtrArray *in_cache;
} Copy;

static void
add_dimension (LsCacheStage *self,
               Copy         *copy,
               guint         i)
{
  LsRange *range = ls_array_at (self->region->region, i, LsRange);
  LsDType dtype = ls_dtype (range->extent);
  LsExpr *size = self->whole ? ls_array_at (self->buffer->shape, i, LsExpr) : range->extent;
  g_autofree char *loop_name = g_strdup_printf ("ax%u", i);
  g_autofree char *name = g_strdup_printf ("v%u", i);
  LsVar *loop_var = ls_var_new (loop_name, dtype);
  LsVar *var = ls_var_new (name, dtype);
  LsExpr *value = LS_EXPR (ls_ref (loop_var));
  LsExpr *index = LS_EXPR (ls_ref (var));
  LsRange *dom = ls_range_new (ls_const_int (ls_dtype (size), 0), ls_ref (size));

  g_ptr_array_add (copy->loop_vars, loop_var);
  g_ptr_array_add (copy->values, self->whole ? ls_add (ls_ref (range->min), value) : value);
  g_ptr_array_add (copy->iter_vars, ls_iter_var_new (dom, var, LS_ITER_DATA_PAR, NULL));
  g_ptr_array_add (copy->in_cache, ls_ref (index));
  g_ptr_array_add (copy->in_buffer, self->whole ? index : ls_add (ls_ref (range->min), index));
}

LsBlock *
ls_copy_block (const char *name,
               LsArray    *iter_vars,
               LsBuffer   *from,
               LsArray    *source,
               LsBuffer   *to,
               LsArray    *target)
{
  return ls_block_new (iter_vars, ls_array_of (ls_buffer_region_point (ls_ref (from), ls_ref (source)), NULL),
                       ls_array_of (ls_buffer_region_point (ls_ref (to), ls_ref (target)), NULL), name,
                       ls_buffer_store_new (ls_ref (to), ls_buffer_load_new (ls_ref (from), ls_ref (source), NULL),
                                            ls_ref (target), NULL),
                       NULL, NULL, NULL, NULL);
}

void
ls_cache_stage_make_copy (LsCacheStage *self,
                          const char   *scope,
                          gboolean      from_cache)
{
  g_autofree char *name = g_strdup_printf ("%s_%s", self->buffer->name, scope);
  Copy copy = { g_ptr_array_new (), g_ptr_array_new (), g_ptr_array_new (), g_ptr_array_new (), g_ptr_array_new () };
  g_autoptr(LsArray) in_buffer = NULL;
  g_autoptr(LsArray) in_cache = NULL;
  LsBuffer *from = from_cache ? self->cache : self->buffer;
  LsBuffer *to = from_cache ? self->buffer : self->cache;
  LsArray *source, *target;

  for (guint i = 0; i < ls_array_n (self->region->region); i++)
    add_dimension (self, &copy, i);
  in_buffer = ls_array_take_ptr_array (copy.in_buffer);
  in_cache = ls_array_take_ptr_array (copy.in_cache);
  source = from_cache ? in_cache : in_buffer;
  target = from_cache ? in_buffer : in_cache;
  self->block = ls_copy_block (name, ls_array_take_ptr_array (copy.iter_vars), from, source, to, target);
  self->nest = LS_STMT (ls_block_realize_new (ls_array_take_ptr_array (copy.values), ls_bool (TRUE), self->block));
  for (guint i = copy.loop_vars->len; i-- > 0;)
    {
      LsExpr *extent = ls_array_at (self->region->region, i, LsRange)->extent;

      self->nest = LS_STMT (ls_for_new (copy.loop_vars->pdata[i], ls_const_int (ls_dtype (extent), 0), ls_ref (extent),
                                        LS_FOR_SERIAL, self->nest, NULL, NULL));
    }
  g_ptr_array_unref (copy.loop_vars);
}

/* ---- rewriting --------------------------------------------------------------- */

LsStmt *
ls_stmt_insert (LsStmt *stmt,
                guint   position,
                LsStmt *fresh)
{
  GPtrArray *parts;

  if (ls_is (stmt, ALLOCATE_CONST))
    {
      LsAllocateConst *constant = (LsAllocateConst *) stmt;

      return ls_allocate_const_new (ls_ref (constant->buffer_var), ls_ref (constant->data), constant->dtype, ls_ref (constant->extents),
                                    ls_stmt_insert (constant->body, position, fresh), ls_ref (constant->annotations));
    }
  if (ls_is (stmt, DECL_BUFFER))
    return ls_decl_buffer_new (ls_ref (((LsDeclBuffer *) stmt)->buffer),
                               ls_stmt_insert (((LsDeclBuffer *) stmt)->body, position, fresh));
  parts = g_ptr_array_new ();
  if (ls_is (stmt, SEQ_STMT))
    for (guint i = 0; i < ls_array_n (((LsSeqStmt *) stmt)->seq); i++)
      g_ptr_array_add (parts, ls_node_ref (((LsSeqStmt *) stmt)->seq->items[i]));
  else
    g_ptr_array_add (parts, ls_ref (stmt));
  g_ptr_array_insert (parts, (gint) MIN (position, parts->len), ls_ref (fresh));
  return ls_seq_stmt_new (ls_array_take_ptr_array (parts));
}

LsNode *
ls_cache_stage_insert (LsCacheStage *self,
                       LsNode       *stmt)
{
  gboolean is_block = ls_is (stmt, BLOCK);
  g_autoptr(LsNode) body = ls_stmt_insert (is_block ? ((LsBlock *) stmt)->body : ((LsFor *) stmt)->body, self->position, self->nest);

  return is_block ? LS_NODE (ls_block_with_body ((LsBlock *) stmt, body)) : LS_NODE (ls_for_with_body ((LsFor *) stmt, body));
}

LsArray *
ls_cache_stage_indices (LsCacheStage *self,
                        LsArray      *indices,
                        LsAnalyzer   *analyzer)
{
  GPtrArray *shifted;

  if (self->whole)
    return ls_ref (indices);
  shifted = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (indices); i++)
    {
      LsRange *range = ls_array_at (self->region->region, i, LsRange);
      g_autoptr(LsExpr) index = ls_sub (ls_ref (ls_array_at (indices, i, LsExpr)), ls_ref (range->min));

      g_ptr_array_add (shifted, ls_analyzer_simplify (analyzer, index));
    }
  return ls_array_take_ptr_array (shifted);
}

static LsBufferRegion *
shifted_region (LsCacheStage   *self,
                LsBufferRegion *region,
                LsAnalyzer     *analyzer)
{
  GPtrArray *ranges;

  if (self->whole)
    return ls_buffer_region_new (ls_ref (self->cache), ls_ref (region->region));
  ranges = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (region->region); i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);
      LsRange *offset = ls_array_at (self->region->region, i, LsRange);
      g_autoptr(LsExpr) min = ls_sub (ls_ref (range->min), ls_ref (offset->min));

      g_ptr_array_add (ranges, ls_range_new (ls_analyzer_simplify (analyzer, min), ls_ref (range->extent)));
    }
  return ls_buffer_region_new (ls_ref (self->cache), ls_array_take_ptr_array (ranges));
}

LsArray *
ls_cache_stage_regions (LsCacheStage *self,
                        LsArray      *regions,
                        LsAnalyzer   *analyzer)
{
  GPtrArray *changed = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsNode *item = regions->items[i];
      LsMatchBufferRegion *match = (LsMatchBufferRegion *) item;

      if (ls_is (item, BUFFER_REGION) && ((LsBufferRegion *) item)->buffer == self->buffer)
        g_ptr_array_add (changed, shifted_region (self, (LsBufferRegion *) item, analyzer));
      else if (ls_is (item, MATCH_BUFFER_REGION) && match->source->buffer == self->buffer)
        g_ptr_array_add (changed, ls_match_buffer_region_new (ls_ref (match->buffer), shifted_region (self, match->source, analyzer)));
      else
        g_ptr_array_add (changed, ls_node_ref (item));
    }
  return ls_array_take_ptr_array (changed);
}

/* The copy of these elements alone, one after the other. (transfer full) */
static LsStmt *
copy_of (LsCacheStage *self,
         LsArray      *ranges)
{
  GPtrArray *values = g_ptr_array_new ();
  g_autoptr(GPtrArray) vars = g_ptr_array_new ();
  LsStmt *copy;

  for (guint i = 0; i < ls_array_n (ranges); i++)
    {
      LsRange *range = ls_array_at (ranges, i, LsRange);
      LsVar *at = ls_is_one (range->extent) ? NULL : ls_var_new ("at", ls_dtype (range->min));
      LsExpr *index = at != NULL ? ls_add (ls_ref (range->min), LS_EXPR (ls_ref (at))) : ls_ref (range->min);

      g_ptr_array_add (vars, at);
      g_ptr_array_add (values, self->whole ? index : ls_sub (index, ls_ref (ls_array_at (self->region->region, i, LsRange)->min)));
    }
  copy = LS_STMT (ls_block_realize_new (ls_array_take_ptr_array (values), ls_bool (TRUE), ls_ref (self->block)));
  for (guint i = vars->len; i-- > 0;)
    if (vars->pdata[i] != NULL)
      copy = LS_STMT (ls_for_new (vars->pdata[i], ls_const_int (ls_dtype (vars->pdata[i]), 0), ls_ref (ls_array_at (ranges, i, LsRange)->extent), LS_FOR_SERIAL,
                                  copy, NULL, NULL));
  return copy;
}

void
ls_cache_stage_means (LsCacheStage   *self,
                      LsMove         *move,
                      LsBlockRealize *realize,
                      LsBlock        *fresh,
                      LsBufferRegion *region,
                      gboolean        before)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(LsArray) here = NULL;
  LsStmt *own = LS_STMT (ls_block_realize_new (ls_ref (realize->iter_values), ls_ref (realize->predicate), ls_ref (fresh)));
  LsStmt *copy;

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (map, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  here = (LsArray *) ls_substitute (region->region, map);
  copy = copy_of (self, here);
  ls_move_means (move, realize, ls_seq_stmt_new (before ? ls_array_of (copy, own, NULL) : ls_array_of (own, copy, NULL)));
}

void
ls_cache_stage_commit (LsCacheStage *self,
                       LsMove       *move,
                       LsBlock      *new_root,
                       LsBlockReuse *reuse)
{
  LsSref *made;

  ls_state_replace (move->state, self->root, new_root, reuse);
  made = ls_state_sref (move->state, self->block);
  made->affine_binding = ls_state_is_affine (move->state, made);
  made->region_cover = TRUE;
  made->stage_pipeline = TRUE;
  ls_move_note_buffer (move, LS_LINEAGE_COPIED, self->cache, self->buffer);
  ls_move_result (move, made);
}

GPtrArray *
ls_move_consumers (LsMove *move,
                   guint   param)
{
  GPtrArray *named = g_ptr_array_new ();
  g_autoptr(GPtrArray) given = NULL;

  if (move->args[param] == NULL)
    return named;
  given = ls_move_srefs (move, param);
  for (guint i = 0; i < given->len; i++)
    {
      g_autoptr(GPtrArray) inside = ls_state_child_blocks (move->state, given->pdata[i]);

      g_ptr_array_add (named, given->pdata[i]);
      for (guint k = 0; k < inside->len; k++)
        g_ptr_array_add (named, inside->pdata[k]);
    }
  return named;
}
