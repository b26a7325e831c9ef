/* read_at, write_at: what a loop's body reads of a buffer is copied first, or what it writes afterwards, as one block.
 *
 *   for k0:                              for k0:
 *     ... A[vi, vk] ...        ->          A_shared: for ax0, ax1: A_shared[v0 * 64 + ax0, ...] = A[...]
 *                                          ... A_shared[vi, vk] ...
 *
 * The copy is one block over the loops that its region depends on, with loops of its own inside and the annotation
 * auto_copy, by which a later pass makes it a cooperative copy.  The buffer that stands in is as large as the old one.
 * Source: TVM's tir read_at and write_at.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/tir/scope.h"

enum { LOOP, BLOCK, BUFFER_INDEX, STORAGE_SCOPE };

static const LsParam read_params[] = {
  { "loop", LS_PARAM_LOOP, 0, NULL, "the loop in whose body the copy goes" },
  { "block", LS_PARAM_BLOCK, 0, NULL, "a block that reads the buffer" },
  { "read_buffer_index", LS_PARAM_INT, 0, NULL, "which of the buffers that it reads, from 0" },
  { "storage_scope", LS_PARAM_STRING, 0, NULL, "global, shared, local, ..." },
};

static const LsParam write_params[] = {
  { "loop", LS_PARAM_LOOP, 0, NULL, "the loop in whose body the copy goes" },
  { "block", LS_PARAM_BLOCK, 0, NULL, "a block that writes the buffer" },
  { "write_buffer_index", LS_PARAM_INT, 0, NULL, "which of the buffers that it writes, from 0" },
  { "storage_scope", LS_PARAM_STRING, 0, NULL, "global, shared, local, ..." },
};

/* The parts of the loop's body. Borrowed. */
static guint
n_parts (LsStmt *body)
{
  return ls_is (body, SEQ_STMT) ? ls_array_n (((LsSeqStmt *) body)->seq) : 1;
}

static LsNode *
part (LsStmt *body,
      guint   i)
{
  return ls_is (body, SEQ_STMT) ? ((LsSeqStmt *) body)->seq->items[i] : body;
}

/* What is known of the copy. */
typedef struct {
  LsState   *state;
  LsSref    *loop;
  LsSref    *root;
  LsBuffer  *buffer;            /* borrowed */
  gboolean   is_write;
  GPtrArray *regions;           /* of LsNDIntSet: what the blocks touch while the loop stands still */
  gint       first_read;        /* parts of the body; -1: none */
  gint       last_read;
  gint       first_write;
  gint       last_write;
} Plan;

static void
plan_clear (Plan *self)
{
  g_clear_pointer (&self->regions, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

/* ---- what is touched ----------------------------------------------------------- */

/* What the block declares, over the loops between it and the loop, and over those threads above that share the copy. */
static void
add_regions (Plan           *self,
             LsSref         *block,
             LsBlockRealize *realize,
             const char     *scope)
{
  LsBlock *node = ls_sref_block (block);
  LsArray *regions = self->is_write ? node->writes : node->reads;
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(LsDomMap) domains = ls_state_loop_domains (self->state, block->parent, self->loop, scope);

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (map, ls_array_at (node->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      g_autoptr(LsArray) open = NULL;

      if (region->buffer != self->buffer)
        continue;
      open = (LsArray *) ls_substitute (region->region, map);
      g_ptr_array_add (self->regions, ls_eval_region (open, domains));
    }
}

typedef struct {
  Plan       *plan;
  const char *scope;
  gboolean    reads;
  gboolean    writes;
} Part;

static gboolean
look_at_child (LsNode         *stmt,
               LsBlockRealize *realize,
               gpointer        user_data)
{
  Part *self = user_data;
  Plan *plan = self->plan;
  LsSref *sref = ls_state_sref (plan->state, stmt);
  gboolean reads, writes;

  if (!sref->is_block)
    return ls_stmt_foreach_child (ls_sref_body (sref), look_at_child, user_data);
  reads = ls_region_of (ls_sref_block (sref)->reads, plan->buffer) != NULL;
  writes = ls_region_of (ls_sref_block (sref)->writes, plan->buffer) != NULL;
  self->reads |= reads;
  self->writes |= writes;
  if (plan->is_write ? writes : reads)
    add_regions (plan, sref, realize, self->scope);
  return TRUE;
}

static void
look_at_parts (Plan       *self,
               const char *scope)
{
  LsStmt *body = ls_sref_body (self->loop);

  self->first_read = self->last_read = self->first_write = self->last_write = -1;
  for (guint i = 0; i < n_parts (body); i++)
    {
      Part found = { self, scope, FALSE, FALSE };

      ls_stmt_foreach_child (part (body, i), look_at_child, &found);
      if (found.reads)
        self->last_read = (gint) i;
      if (found.reads && self->first_read < 0)
        self->first_read = (gint) i;
      if (found.writes)
        self->last_write = (gint) i;
      if (found.writes && self->first_write < 0)
        self->first_write = (gint) i;
    }
}

/* ---- check ---------------------------------------------------------------------- */

static gboolean
legal_parts (LsMove        *move,
             LsDiagnostics *diagnostics,
             Plan          *plan)
{
  const char *name = plan->buffer->name;
  const char *loop = ls_sref_name (plan->loop);

  if (plan->is_write ? plan->last_write < 0 : plan->first_read < 0)
    ls_move_refuse (move, diagnostics, "not-in-loop", plan->loop->stmt, "No block directly in loop %s %s %s.", loop, ls_translate (plan->is_write ? "writes" : "reads"), name);
  else if (!plan->is_write && plan->last_write >= plan->first_read)
    ls_move_refuse (move, diagnostics, "write-after-read", plan->loop->stmt, "In loop %s %s is written after it was read, so a copy made before is out of date.", loop, name);
  else if (plan->is_write && plan->last_read > plan->last_write)
    ls_move_refuse (move, diagnostics, "read-after-write", plan->loop->stmt, "In loop %s %s is read after the last block that writes it.", loop, name);
  else
    return TRUE;
  return FALSE;
}

/* The union of what is touched, as ranges. (transfer full) */
static LsArray *
touched_ranges (Plan *plan)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsNDIntSet) all = ls_nd_int_set_union ((LsNDIntSet **) plan->regions->pdata, plan->regions->len);
  GPtrArray *ranges = g_ptr_array_new ();

  for (guint i = 0; i < all->len; i++)
    {
      LsIntSet *set = all->pdata[i];
      g_autoptr(LsExpr) extent = NULL;
      LsExpr *min;

      if (!ls_int_set_has_lower_bound (set) || !ls_int_set_has_upper_bound (set))
        {
          ls_unref (ls_array_take_ptr_array (ranges));
          return NULL;
        }
      min = ls_analyzer_simplify (analyzer, ls_int_set_min (set));
      extent = ls_sub (ls_add (ls_ref (ls_int_set_max (set)), ls_const_int (ls_dtype (min), 1)), ls_ref (min));
      g_ptr_array_add (ranges, ls_range_new (min, ls_analyzer_simplify (analyzer, extent)));
    }
  return ls_array_take_ptr_array (ranges);
}

static LsSref *
loop_around (Plan  *plan,
             LsVar *var)
{
  for (LsSref *p = plan->loop; p != NULL && !p->is_block; p = p->parent)
    if (ls_sref_for (p)->loop_var == var)
      return p;
  return NULL;
}

/* The begin of each range depends on the loops around the place only, and its size on none of them. */
static gboolean
legal_ranges (LsMove        *move,
              LsDiagnostics *diagnostics,
              Plan          *plan)
{
  g_autoptr(LsArray) ranges = touched_ranges (plan);

  for (guint i = 0; ranges != NULL && i < ranges->n; i++)
    {
      LsRange *range = ls_array_at (ranges, i, LsRange);
      g_autoptr(GPtrArray) vars = ls_vars_in_order (range->min);
      g_autoptr(GPtrArray) more = ls_vars_in_order (range->extent);

      for (guint k = 0; k < more->len; k++)
        g_ptr_array_add (vars, more->pdata[k]);
      for (guint k = 0; k < vars->len; k++)
        if (loop_around (plan, vars->pdata[k]) == NULL)
          {
            ls_move_refuse (move, diagnostics, "foreign-variable", plan->loop->stmt, "What loop %s touches of %s depends on %s, which is no loop around it.",
                            ls_sref_name (plan->loop), plan->buffer->name, ((LsVar *) vars->pdata[k])->name);
            return FALSE;
          }
    }
  if (ranges != NULL)
    return TRUE;
  ls_move_refuse (move, diagnostics, "unbounded", plan->loop->stmt, "What loop %s touches of %s has no bounds that can be found.", ls_sref_name (plan->loop),
                  plan->buffer->name);
  return FALSE;
}

static gboolean
plan_make (Plan          *plan,
           LsMove        *move,
           LsDiagnostics *diagnostics,
           gboolean       is_write)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  const char *scope = ls_move_string (move, STORAGE_SCOPE);

  plan->state = move->state;
  plan->loop = ls_move_sref (move, LOOP);
  plan->is_write = is_write;
  plan->buffer = ls_legal_access_buffer (move, diagnostics, block, BUFFER_INDEX, is_write);
  plan->regions = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  if (!ls_legal_storage_scope (move, diagnostics, scope) || plan->buffer == NULL ||
      !ls_legal_scope (move, diagnostics, plan->loop, TRUE, &plan->root))
    return FALSE;
  look_at_parts (plan, scope);
  return legal_parts (move, diagnostics, plan) && legal_ranges (move, diagnostics, plan);
}

/* What is copied back has to be written in the loop, or the copy puts what it happens to hold in place of what was there. */
typedef struct {
  Plan     *plan;
  LsArray  *copied;             /* of LsRange */
  LsSref   *reader;             /* a sum that reads other elements, or NULL */
  gboolean  written;
} Coverage;

static gboolean
look_for_cover (LsNode         *stmt,
                LsBlockRealize *realize,
                gpointer        user_data)
{
  Coverage *self = user_data;
  LsSref *sref = ls_state_sref (self->plan->state, stmt);
  LsBufferRegion *region;
  g_autoptr(GHashTable) map = NULL;
  g_autoptr(LsDomMap) domains = NULL;
  g_autoptr(LsAnalyzer) analyzer = NULL;
  g_autoptr(LsArray) open = NULL;
  g_autoptr(LsNDIntSet) made = NULL;
  gboolean covers;

  if (!sref->is_block)
    return ls_stmt_foreach_child (ls_sref_body (sref), look_for_cover, user_data);
  region = ls_region_of (ls_sref_block (sref)->writes, self->plan->buffer);
  if (region == NULL)
    return TRUE;
  map = g_hash_table_new (NULL, NULL);
  analyzer = ls_analyzer_new ();
  domains = ls_state_loop_domains (self->plan->state, sref->parent, self->plan->loop, NULL);
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (map, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  open = (LsArray *) ls_substitute (region->region, map);
  made = ls_region_lower_bound (open, domains, realize->predicate, analyzer);
  covers = made != NULL;
  for (guint i = 0; covers && i < made->len; i++)
    covers = ls_int_set_match_range (made->pdata[i], ls_array_at (self->copied, i, LsRange));
  for (LsSref *p = self->plan->loop; p != NULL && !p->is_block; p = p->parent)
    covers &= !ls_uses (realize->predicate, ls_sref_for (p)->loop_var);
  covers = covers && ls_is_wholly_written (self->plan->state, sref, self->plan->buffer, self->plan->loop);
  if (ls_sref_block (sref)->init != NULL && ls_reads_what_was_there (ls_sref_block (sref), self->plan->buffer))
    self->reader = sref;
  self->written |= covers;
  return TRUE;
}

static void
doubt_reader (LsMove        *move,
              LsDiagnostics *diagnostics,
              Plan          *plan,
              LsSref        *block)
{
  ls_move_warn (move, diagnostics, "read-before", block->stmt, "Block %s reads %s, of which the copy holds only what was written in the loop.",
                ls_sref_name (block), plan->buffer->name);
}

static void
doubt_unwritten (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 Plan          *plan,
                 LsArray       *copied)
{
  Coverage coverage = { plan, copied, NULL, FALSE };

  ls_stmt_foreach_child (ls_sref_body (plan->loop), look_for_cover, &coverage);
  if (coverage.reader != NULL)
    doubt_reader (move, diagnostics, plan, coverage.reader);
  if (!coverage.written)
    ls_move_warn (move, diagnostics, "unwritten", plan->loop->stmt, "Under loop %s it is not certain that all of the copied part of %s is written.",
                  ls_sref_name (plan->loop), plan->buffer->name);
}

/* Warns where others use what the copy takes the place of, or where threads get more than the buffer holds. */
static void
doubt_neighbours (LsMove        *move,
                  LsDiagnostics *diagnostics,
                  Plan          *plan)
{
  g_autoptr(GPtrArray) readers = ls_state_readers (plan->state, plan->root, plan->buffer);
  g_autoptr(LsArray) ranges = touched_ranges (plan);
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();

  for (guint i = 0; plan->is_write && i < readers->len; i++)
    {
      LsSref *block = readers->pdata[i];

      if (ls_sref_is_ancestor (plan->loop, block) && ls_sref_block (block)->init == NULL)
        doubt_reader (move, diagnostics, plan, block);
    }
  if (plan->is_write)
    doubt_unwritten (move, diagnostics, plan, ranges);
  for (LsSref *p = plan->loop; p != NULL && !p->is_block; p = p->parent)
    ls_scope_bind (analyzer, LS_NODE (ls_sref_for (p)), LS_SCOPE_LOOPS);
  for (guint i = 0; i < ranges->n; i++)
    {
      LsRange *range = ls_array_at (ranges, i, LsRange);
      LsExpr *size = ls_array_at (plan->buffer->shape, i, LsExpr);
      g_autoptr(LsExpr) inside = ls_and (ls_ge (ls_ref (range->min), ls_const_int (ls_dtype (range->min), 0)),
                                         ls_le (ls_add (ls_ref (range->min), ls_ref (range->extent)), ls_ref (size)));

      if (ls_analyzer_can_prove (analyzer, inside))
        continue;
      ls_move_warn (move, diagnostics, "out-of-bounds", plan->loop->stmt, "The copy of %s may reach outside of it.", plan->buffer->name);
      return;
    }
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics,
       gboolean       is_write)
{
  g_auto(Plan) plan = { NULL };

  if (!plan_make (&plan, move, diagnostics, is_write))
    return FALSE;
  if (diagnostics != NULL)
    doubt_neighbours (move, diagnostics, &plan);
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

/* ---- the copy --------------------------------------------------------------------- */

/* The ranges in terms of fresh block variables, one for each loop that they use. (transfer full) */
static LsArray *
own_ranges (Plan      *plan,
            GPtrArray *iter_vars,
            GPtrArray *values)
{
  g_autoptr(LsArray) ranges = touched_ranges (plan);
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < ranges->n; i++)
    {
      LsRange *range = ls_array_at (ranges, i, LsRange);
      g_autoptr(GPtrArray) vars = ls_vars_in_order (range->min);
      g_autoptr(GPtrArray) more = ls_vars_in_order (range->extent);

      for (guint k = 0; k < more->len; k++)
        g_ptr_array_add (vars, more->pdata[k]);
      for (guint k = 0; k < vars->len; k++)
        {
          LsVar *loop_var = vars->pdata[k];
          g_autofree char *name = g_strdup_printf ("v%u", iter_vars->len);
          LsFor *loop = ls_sref_for (loop_around (plan, loop_var));
          LsVar *var;

          if (g_hash_table_contains (map, loop_var))
            continue;
          var = ls_var_copy (loop_var, name);
          g_ptr_array_add (iter_vars, ls_iter_var_new (ls_range_new (ls_ref (loop->min), ls_ref (loop->extent)), var, LS_ITER_DATA_PAR, NULL));
          g_ptr_array_add (values, ls_ref (loop_var));
          g_hash_table_insert (map, loop_var, var);
        }
    }
  return (LsArray *) ls_substitute (ranges, map);
}

static LsBlockRealize *
make_copy (Plan       *plan,
           LsBuffer   *cache,
           const char *name)
{
  LsBuffer *from = plan->is_write ? cache : plan->buffer;
  LsBuffer *to = plan->is_write ? plan->buffer : cache;
  GPtrArray *iter_vars = g_ptr_array_new ();
  GPtrArray *values = g_ptr_array_new ();
  GPtrArray *list = g_ptr_array_new ();
  g_autoptr(GPtrArray) loop_vars = g_ptr_array_new ();
  g_autoptr(LsArray) ranges = own_ranges (plan, iter_vars, values);
  g_autoptr(LsArray) indices = NULL;
  g_autoptr(LsMap) none = ls_map_empty ();
  g_autoptr(LsExpr) yes = ls_bool (TRUE);
  LsStmt *nest;

  for (guint i = 0; i < ranges->n; i++)
    {
      LsRange *range = ls_array_at (ranges, i, LsRange);
      g_autofree char *loop_name = g_strdup_printf ("ax%u", i);
      LsVar *var = ls_var_new (loop_name, ls_dtype (range->extent));

      g_ptr_array_add (loop_vars, var);
      g_ptr_array_add (list, ls_add (ls_ref (range->min), LS_EXPR (ls_ref (var))));
    }
  indices = ls_array_take_ptr_array (list);
  nest = ls_buffer_store_new (ls_ref (to), ls_buffer_load_new (ls_ref (from), ls_ref (indices), NULL), ls_ref (indices), NULL);
  for (guint i = ranges->n; i-- > 0;)
    {
      LsVar *var = loop_vars->pdata[i];

      nest = LS_STMT (ls_for_new (var, ls_const_int (ls_dtype (var), 0), ls_ref (ls_array_at (ranges, i, LsRange)->extent), LS_FOR_SERIAL, nest, NULL, NULL));
    }
  return ls_block_realize_new (ls_array_take_ptr_array (values), ls_bool (TRUE),
                               ls_block_new (ls_array_take_ptr_array (iter_vars), ls_array_of (ls_buffer_region_new (ls_ref (from), ls_ref (ranges)), NULL),
                                             ls_array_of (ls_buffer_region_new (ls_ref (to), ls_ref (ranges)), NULL), name, nest, NULL, NULL, NULL,
                                             ls_map_set (none, "auto_copy", yes)));
}

/* ---- rewriting --------------------------------------------------------------------- */

typedef struct {
  Plan         *plan;
  LsBuffer     *cache;
  LsFor        *new_loop;
  LsBlockReuse *reuse;
  GHashTable   *entered;        /* what is around the loop */
} Rewrite;

static LsArray *
renamed (Rewrite *self,
         LsArray *regions)
{
  GPtrArray *changed = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);

      g_ptr_array_add (changed, region->buffer == self->plan->buffer ? ls_buffer_region_new (ls_ref (self->cache), ls_ref (region->region))
                                                                     : ls_ref (region));
    }
  return ls_array_take_ptr_array (changed);
}

/* Accesses of the buffer become those of the copy. */
static LsNode *
rename_accesses (LsRewriter *rewriter,
                 LsNode     *node,
                 gpointer    user_data)
{
  Rewrite *self = user_data;
  g_autoptr(LsNode) fresh = ls_rewrite_default (rewriter, node);

  if (ls_is (fresh, BUFFER_LOAD) && ((LsBufferLoad *) fresh)->buffer == self->plan->buffer)
    return LS_NODE (ls_buffer_load_new (ls_ref (self->cache), ls_ref (((LsBufferLoad *) fresh)->indices), ls_ref (((LsBufferLoad *) fresh)->predicate)));
  if (ls_is (fresh, BUFFER_STORE) && ((LsBufferStore *) fresh)->buffer == self->plan->buffer)
    return ls_buffer_store_new (ls_ref (self->cache), ls_ref (((LsBufferStore *) fresh)->value), ls_ref (((LsBufferStore *) fresh)->indices),
                                ls_ref (((LsBufferStore *) fresh)->predicate));
  if (ls_is (node, BLOCK))
    {
      LsBlock *block = (LsBlock *) fresh;
      g_autoptr(LsArray) reads = renamed (self, block->reads);
      g_autoptr(LsArray) writes = renamed (self, block->writes);

      ls_take (&fresh, LS_NODE (ls_block_with_reads_writes (block, reads, writes)));
      ls_block_reuse_add (self->reuse, (LsBlock *) node, (LsBlock *) fresh);
    }
  return g_steal_pointer (&fresh);
}

static LsNode *
put_loop (LsRewriter *rewriter,
          LsNode     *node,
          gpointer    user_data)
{
  Rewrite *self = user_data;

  if (ls_rebuild_passes_by (node, self->entered))
    return ls_node_ref (node);
  if (node == self->plan->loop->stmt)
    return LS_NODE (ls_ref (self->new_loop));
  if (ls_is_expr (node) || (ls_is (node, BLOCK) && node != self->plan->root->stmt))
    return ls_node_ref (node);
  return ls_rewrite_default (rewriter, node);
}

/* The loop with the copy and the accesses that take it. (transfer full) */
static LsFor *
make_loop (Rewrite        *self,
           LsBlockRealize *copy)
{
  Plan *plan = self->plan;
  LsFor *loop = ls_sref_for (plan->loop);
  guint position = plan->is_write ? (guint) plan->last_write + 1 : (guint) plan->first_read;
  GPtrArray *parts = g_ptr_array_new ();
  g_autoptr(LsNode) body = NULL;

  for (guint i = 0; i < n_parts (loop->body); i++)
    g_ptr_array_add (parts, (plan->is_write ? i < position : i >= position) ? ls_rewrite_with (part (loop->body, i), rename_accesses, self)
                                                                              : ls_node_ref (part (loop->body, i)));
  g_ptr_array_insert (parts, (gint) position, ls_ref (copy));
  body = ls_seq_stmt_new (ls_array_take_ptr_array (parts));
  return ls_for_with_body (loop, body);
}

static gboolean
apply (LsMove   *move,
       gboolean  is_write)
{
  g_auto(Plan) plan = { NULL };
  const char *scope = ls_move_string (move, STORAGE_SCOPE);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autofree char *name = NULL;
  g_autoptr(LsBuffer) cache = NULL;
  g_autoptr(LsBlockRealize) copy = NULL;
  g_autoptr(LsFor) new_loop = NULL;
  g_autoptr(LsNode) with_loop = NULL;
  g_autoptr(LsArray) buffers = NULL;
  g_autoptr(LsBlock) new_root = NULL;
  Rewrite rewrite = { &plan, NULL, NULL, reuse, NULL };
  LsSref *made;

  plan_make (&plan, move, NULL, is_write);
  name = g_strdup_printf ("%s_%s", plan.buffer->name, scope);
  rewrite.cache = cache = ls_buffer_copy (plan.buffer, name, scope, NULL);
  copy = make_copy (&plan, cache, name);
  rewrite.new_loop = new_loop = make_loop (&rewrite, copy);
  rewrite.entered = ls_state_entered (move->state, plan.root, plan.loop, NULL, 0);
  with_loop = ls_rewrite_with (plan.root->stmt, put_loop, &rewrite);
  g_hash_table_unref (rewrite.entered);
  buffers = ls_array_append (((LsBlock *) with_loop)->alloc_buffers, cache);
  new_root = ls_block_with_alloc_buffers ((LsBlock *) with_loop, buffers);
  ls_block_reuse_add (reuse, ls_sref_block (plan.root), new_root);
  ls_state_replace (move->state, plan.root, new_root, reuse);
  made = ls_state_sref (move->state, copy->block);
  made->affine_binding = ls_array_n (copy->iter_values) > 0;
  made->region_cover = TRUE;
  made->stage_pipeline = TRUE;
  ls_move_note_buffer (move, LS_LINEAGE_COPIED, cache, plan.buffer);
  ls_move_result (move, made);
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

const LsInstruction ls_instruction_read_at = {
  .name = "read_at",
  .params = read_params,
  .n_params = G_N_ELEMENTS (read_params),
  .result = LS_RESULT_BLOCK,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Copies what a loop's body reads first, as one block"),
  .condition = "The scope is a stage pipeline, a block in the loop reads the buffer, and none writes it after the first that reads it.",
  .source = "TVM v0.20 tir.Schedule.read_at",
  .check = check_read,
  .apply = apply_read,
};

const LsInstruction ls_instruction_write_at = {
  .name = "write_at",
  .params = write_params,
  .n_params = G_N_ELEMENTS (write_params),
  .result = LS_RESULT_BLOCK,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Collects what a loop's body writes and copies it out as one block"),
  .condition = "The scope is a stage pipeline, a block in the loop writes the buffer, and none reads it after the last that writes it.",
  .source = "TVM v0.20 tir.Schedule.write_at",
  .check = check_write,
  .apply = apply_write,
};
