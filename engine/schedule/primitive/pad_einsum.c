/* pad_einsum: the iterations of a block are padded to multiples of given numbers, through padded copies of its buffers.
 *
 *   for i in 60: C[i] += A[i]     ->      A_pad: A_pad[i] = A[i] if i < 60 else 0
 *                                         for i in 64: C_pad[i] += A_pad[i]
 *                                         C_pad: C[i] = C_pad[i]
 *
 * Only for blocks whose regions are points indexed by variables or numbers, each buffer once.  Source: TVM's tir
 * pad_einsum.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/base/plural.h"

enum { BLOCK, PADDING };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block" },
  { "padding", LS_PARAM_INTS, 0, NULL, "for each iteration variable what its extent becomes a multiple of" },
};

/* ---- check ------------------------------------------------------------------- */

static gboolean
legal_padding (LsMove        *move,
               LsDiagnostics *diagnostics,
               LsBlock       *block)
{
  LsArray *padding = ls_move_array (move, PADDING);
  gboolean positive = TRUE;
  gint64 value;

  for (guint i = 0; i < padding->n; i++)
    positive &= ls_as_int (padding->items[i], &value) && value > 0;
  if (padding->n == ls_array_n (block->iter_vars) && positive)
    return TRUE;
  ls_move_refuse (move, diagnostics, "padding", block, ls_translate_plural ("The padding of block %s is a list of %u number, at least 1.", "The padding of block %s is a list of %u numbers, each at least 1.",
                                       ls_array_n (block->iter_vars)),
                  block->name_hint, ls_array_n (block->iter_vars));
  return FALSE;
}

static gboolean
is_plain_region (LsBufferRegion *region)
{
  for (guint i = 0; i < ls_array_n (region->region); i++)
    {
      LsRange *range = ls_array_at (region->region, i, LsRange);

      if (!ls_is_one (range->extent) || !(ls_is (range->min, INT_IMM) || ls_is_var (range->min)))
        return FALSE;
    }
  return TRUE;
}

/* Each buffer once, at points of variables and numbers. */
static gboolean
legal_regions (LsMove        *move,
               LsDiagnostics *diagnostics,
               LsBlock       *block,
               LsArray       *regions,
               GHashTable    *seen)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);

      if (!g_hash_table_add (seen, region->buffer))
        ls_move_refuse (move, diagnostics, "buffer-twice", block, "Block %s names %s twice in its reads and writes.",
                        block->name_hint, region->buffer->name);
      else if (!is_plain_region (region))
        ls_move_refuse (move, diagnostics, "not-an-einsum", block,
                        "Block %s uses %s at other places than those that its variables name one by one.", block->name_hint, region->buffer->name);
      else
        continue;
      return FALSE;
    }
  return TRUE;
}

/* Is some index the variable, and does its dimension end where its values do?  What the copy has behind is then 0. */
static gboolean
ends_with (LsBufferLoad *load,
           LsIterVar    *iter)
{
  for (guint i = 0; i < ls_array_n (load->indices); i++)
    if (load->indices->items[i] == LS_NODE (iter->var) && ls_deep_equal (load->buffer->shape->items[i], iter->dom->extent))
      return TRUE;
  return FALSE;
}

/* Is the expression 0 where the variable is in the padding? */
static gboolean
vanishes (LsExpr    *expr,
          LsIterVar *iter)
{
  LsBinary *pair = (LsBinary *) expr;

  switch (ls_kind (expr))
    {
    case LS_KIND_BUFFER_LOAD: return ends_with ((LsBufferLoad *) expr, iter);
    case LS_KIND_CAST:        return vanishes (((LsCast *) expr)->value, iter);
    case LS_KIND_MUL:         return vanishes (pair->a, iter) || vanishes (pair->b, iter);
    case LS_KIND_ADD:
    case LS_KIND_SUB:         return vanishes (pair->a, iter) && vanishes (pair->b, iter);
    default:                  return FALSE;
    }
}

/* Does the block add a term that is 0 in the padding of the variable? */
static gboolean
adds_nothing (LsBlock   *block,
              LsIterVar *iter)
{
  LsBufferStore *store = (LsBufferStore *) block->body;

  return ls_is (store, BUFFER_STORE) && ls_is (store->value, ADD) && vanishes (((LsBinary *) store->value)->b, iter);
}

/* Do the rounds in the padding write elements of their own, behind those that are copied back? */
static gboolean
writes_apart (LsBlock   *block,
              LsIterVar *iter)
{
  for (guint i = 0; i < ls_array_n (block->writes); i++)
    if (!ls_uses (ls_array_at (block->writes, i, LsBufferRegion)->region, iter->var))
      return FALSE;
  return TRUE;
}

static void
doubt_variable (LsMove        *move,
                LsDiagnostics *diagnostics,
                LsBlock       *block,
                LsIterVar     *iter)
{
  if (iter->iter_type == LS_ITER_COMM_REDUCE ? !adds_nothing (block, iter) : !writes_apart (block, iter))
    ls_move_warn (move, diagnostics, "padding-counts", block, "The padding of %s is 0, and block %s may not leave 0 out of account.",
                  iter->var->name, block->name_hint);
  if (!ls_is_zero (iter->dom->min))
    ls_move_warn (move, diagnostics, "out-of-bounds", block, "%s of block %s does not begin at 0, and would run past the end of the padded buffers.",
                  iter->var->name, block->name_hint);
}

static void
doubt (LsMove        *move,
       LsDiagnostics *diagnostics,
       LsSref        *sref,
       LsSref        *root)
{
  LsBlockRealize *realize = ls_state_realize (move->state, sref);
  LsBlock *block = realize->block;
  g_autoptr(GPtrArray) loops = ls_state_loops (move->state, sref);
  gboolean pads = FALSE;

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);
      gint64 step = ((LsIntImm *) ls_move_array (move, PADDING)->items[i])->value;
      gint64 extent;

      if (ls_as_int (iter->dom->extent, &extent) && extent % step == 0)
        continue;
      pads = TRUE;
      doubt_variable (move, diagnostics, block, iter);
      for (guint l = 0; l < loops->len; l++)
        {
          g_autoptr(GPtrArray) blocks = ls_state_child_blocks (move->state, loops->pdata[l]);

          if (blocks->len > 1 && realize->iter_values->items[i] == LS_NODE (ls_sref_for ((LsSref *) loops->pdata[l])->loop_var))
            ls_move_warn (move, diagnostics, "shared-loop", ((LsSref *) loops->pdata[l])->stmt,
                          "Loop %s gets longer, and other blocks run in it too.", ls_sref_name (loops->pdata[l]));
        }
    }
  if (pads && (LS_NODE (realize->predicate)->facts & LS_FACT_HAS_LOAD))
    ls_move_warn (move, diagnostics, "condition", block, "Whether block %s runs is read from memory, also for the rounds in the padding.", block->name_hint);
  for (guint i = 0; pads && i < ls_array_n (block->writes); i++)
    ls_doubt_unwritten (move, diagnostics, sref, ls_array_at (block->writes, i, LsBufferRegion)->buffer, root);
}

static void
doubt_own (LsMove        *move,
           LsDiagnostics *diagnostics,
           LsBlock       *block)
{
  for (guint i = 0; i < ls_array_n (block->writes); i++)
    {
      LsBuffer *buffer = ls_array_at (block->writes, i, LsBufferRegion)->buffer;

      if (ls_reads_what_was_there (block, buffer))
        ls_move_warn (move, diagnostics, "reads-own-output", block, "Block %s reads %s, which it also writes; the cache does not hold what was there before.",
                      block->name_hint, buffer->name);
    }
}

/* Warns when other blocks stand in the same outermost loop: they get the padded buffers too. */
static void
doubt_company (LsMove        *move,
               LsDiagnostics *diagnostics,
               LsSref        *block,
               LsSref        *root)
{
  LsSref *top = block;
  g_autoptr(GPtrArray) blocks = NULL;

  while (top->parent != root)
    top = top->parent;
  if (top == block)
    return;
  blocks = ls_state_child_blocks (move->state, top);
  if (blocks->len > 1)
    ls_move_warn (move, diagnostics, "company", top->stmt, "Loop %s holds other blocks than %s; they get the padded buffers too.", ls_sref_name (top),
                  ls_sref_name (block));
}

/* The padded extents are of the type of the variables. */
static gboolean
legal_reach (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsBlock       *block)
{
  LsArray *padding = ls_move_array (move, PADDING);
  gint64 extent;

  for (guint i = 0; i < padding->n && i < ls_array_n (block->iter_vars); i++)
    {
      LsExpr *old = ls_array_at (block->iter_vars, i, LsIterVar)->dom->extent;
      gint64 step = ((LsIntImm *) padding->items[i])->value, most = ls_dtype_int_max (ls_dtype (old));

      if (!ls_as_int (old, &extent) || extent <= most - (step - 1))
        continue;
      ls_move_refuse (move, diagnostics, "too-large", block, "Block %s would run further than the type of its variables counts.", block->name_hint);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  g_autoptr(GHashTable) seen = g_hash_table_new (NULL, NULL);
  LsSref *root;
  gboolean legal = ls_legal_scope (move, diagnostics, block, TRUE, &root);

  if (root == NULL)
    return FALSE;
  legal &= legal_padding (move, diagnostics, ls_sref_block (block));
  legal = legal_regions (move, diagnostics, ls_sref_block (block), ls_sref_block (block)->reads, seen) &&
          legal_regions (move, diagnostics, ls_sref_block (block), ls_sref_block (block)->writes, seen) && legal;
  legal = legal && legal_reach (move, diagnostics, ls_sref_block (block));
  if (legal && diagnostics != NULL)
    {
      doubt (move, diagnostics, block, root);
      doubt_own (move, diagnostics, ls_sref_block (block));
      doubt_company (move, diagnostics, block, root);
    }
  if (legal && root->parent != NULL)
    ls_move_warn (move, diagnostics, "inner-scope", root->stmt, "Block %s runs several times, and each time all of what %s writes is copied back.",
                  ls_sref_name (root), ls_sref_name (block));
  return legal;
}

/* ---- copies --------------------------------------------------------------------- */

typedef struct {
  LsMove       *move;
  LsAnalyzer   *analyzer;
  GHashTable   *extents;        /* iteration or loop variable -> padded extent (owned) */
  GHashTable   *buffers;        /* buffer -> padded one (owned) */
  GPtrArray    *parts;          /* of the new scope body */
  GPtrArray    *blocks;         /* of LsBlock: copies, borrowed */
  GPtrArray    *allocated;      /* padded buffers, borrowed, in order */
  LsBlockReuse *reuse;
} Padding;

static gboolean
needs_padding (Padding        *self,
               LsBufferRegion *region)
{
  for (guint i = 0; i < ls_array_n (region->region); i++)
    if (g_hash_table_contains (self->extents, ls_array_at (region->region, i, LsRange)->min))
      return TRUE;
  return FALSE;
}

static LsBuffer *
padded_buffer (Padding        *self,
               LsBufferRegion *region)
{
  g_autofree char *name = g_strconcat (region->buffer->name, "_pad", NULL);
  GPtrArray *shape = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (region->region); i++)
    {
      LsExpr *at = ls_array_at (region->region, i, LsRange)->min;
      LsExpr *padded = g_hash_table_lookup (self->extents, at);

      if (ls_is_zero (at))
        g_ptr_array_add (shape, ls_const_int (ls_dtype (at), 1));
      else
        g_ptr_array_add (shape, ls_ref (padded != NULL ? padded : ls_array_at (region->buffer->shape, i, LsExpr)));
    }
  return ls_buffer_new (name, region->buffer->dtype, ls_array_take_ptr_array (shape), ls_buffer_scope (region->buffer));
}

/* What goes into the padded buffer: the element, 0 where there is none. (transfer full) */
static LsExpr *
element_or_zero (Padding  *self,
                 LsBuffer *buffer,
                 LsBuffer *padded,
                 LsArray  *indices)
{
  LsExpr *inside = ls_bool (TRUE);
  LsExpr *element = ls_buffer_load_new (ls_ref (buffer), ls_ref (indices), NULL);
  LsExpr *zero = ls_dtype_is_float (buffer->dtype) ? ls_const_float (buffer->dtype, 0) : ls_const_int (buffer->dtype, 0);

  for (guint i = 0; i < indices->n; i++)
    if (!ls_analyzer_can_prove_equal (self->analyzer, ls_array_at (buffer->shape, i, LsExpr), ls_array_at (padded->shape, i, LsExpr)))
      inside = ls_and (inside, ls_lt (ls_ref (ls_array_at (indices, i, LsExpr)), ls_ref (ls_array_at (buffer->shape, i, LsExpr))));
  return ls_if_then_else (inside, element, zero);
}

static LsStmt *
copy_nest (Padding  *self,
           LsBuffer *buffer,
           LsBuffer *padded,
           gboolean  into_padded)
{
  LsArray *shape = into_padded ? padded->shape : buffer->shape;
  g_autoptr(GPtrArray) loop_vars = g_ptr_array_new ();
  GPtrArray *iter_vars = g_ptr_array_new ();
  GPtrArray *values = g_ptr_array_new ();
  GPtrArray *vars = g_ptr_array_new ();
  g_autoptr(LsArray) indices = NULL;
  LsBuffer *from = into_padded ? buffer : padded;
  LsBuffer *to = into_padded ? padded : buffer;
  LsBlock *block;
  LsExpr *value;
  LsStmt *nest;

  for (guint i = 0; i < ls_array_n (shape); i++)
    {
      LsExpr *size = ls_array_at (shape, i, LsExpr);
      g_autofree char *name = g_strdup_printf ("v%u", i);
      g_autofree char *loop_name = g_strdup_printf ("i%u", i);
      LsVar *var = ls_var_new (name, ls_dtype (size));
      LsVar *loop_var = ls_var_new (loop_name, ls_dtype (size));

      g_ptr_array_add (vars, ls_ref (var));
      g_ptr_array_add (iter_vars, ls_iter_var_new (ls_range_new (ls_const_int (ls_dtype (size), 0), ls_ref (size)), var, LS_ITER_DATA_PAR, NULL));
      g_ptr_array_add (values, ls_ref (loop_var));
      g_ptr_array_add (loop_vars, loop_var);
    }
  indices = ls_array_take_ptr_array (vars);
  value = into_padded ? element_or_zero (self, buffer, padded, indices) : ls_buffer_load_new (ls_ref (padded), ls_ref (indices), NULL);
  block = ls_block_new (ls_array_take_ptr_array (iter_vars), ls_array_of (ls_buffer_region_point (ls_ref (from), ls_ref (indices)), NULL),
                        ls_array_of (ls_buffer_region_point (ls_ref (to), ls_ref (indices)), NULL), padded->name,
                        ls_buffer_store_new (ls_ref (to), value, ls_ref (indices), NULL), NULL, NULL, NULL, NULL);
  g_ptr_array_add (self->blocks, block);
  nest = LS_STMT (ls_block_realize_new (ls_array_take_ptr_array (values), ls_bool (TRUE), block));
  for (guint i = loop_vars->len; i-- > 0;)
    nest = LS_STMT (ls_for_new (loop_vars->pdata[i], ls_const_int (ls_dtype (loop_vars->pdata[i]), 0), ls_ref (ls_array_at (shape, i, LsExpr)),
                                LS_FOR_SERIAL, nest, NULL, NULL));
  return nest;
}

/* Copies of the regions that need it, into the padded buffers or out of them. */
static void
add_copies (Padding  *self,
            LsArray  *regions,
            gboolean  into_padded)
{
  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      LsBuffer *padded;

      if (!needs_padding (self, region))
        continue;
      padded = padded_buffer (self, region);
      g_hash_table_insert (self->buffers, region->buffer, padded);
      g_ptr_array_add (self->allocated, padded);
      g_ptr_array_add (self->parts, copy_nest (self, region->buffer, padded, into_padded));
    }
}

/* ---- the block ------------------------------------------------------------------- */

static void
find_extents (Padding *self,
              LsSref  *sref)
{
  LsBlockRealize *realize = ls_state_realize (self->move->state, sref);
  LsArray *padding = ls_move_array (self->move, PADDING);

  for (guint i = 0; i < padding->n; i++)
    {
      LsIterVar *iter = ls_array_at (realize->block->iter_vars, i, LsIterVar);
      LsExpr *old = iter->dom->extent;
      LsExpr *step = ls_const_int (ls_dtype (old), ((LsIntImm *) padding->items[i])->value);
      g_autoptr(LsExpr) whole = NULL;
      LsExpr *padded;

      whole = ls_mul (ls_floordiv (ls_add (ls_ref (old), ls_sub (ls_ref (step), ls_const_int (ls_dtype (old), 1))), ls_ref (step)), step);
      padded = ls_analyzer_simplify (self->analyzer, whole);
      if (ls_analyzer_can_prove_equal (self->analyzer, padded, old))
        {
          ls_unref (padded);
          continue;
        }
      if (ls_is_var (realize->iter_values->items[i]))
        g_hash_table_insert (self->extents, realize->iter_values->items[i], ls_ref (padded));
      g_hash_table_insert (self->extents, iter->var, padded);
    }
}

static LsArray *
padded_regions (Padding *self,
                LsArray *regions)
{
  GPtrArray *changed = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      LsBuffer *padded = g_hash_table_lookup (self->buffers, region->buffer);

      g_ptr_array_add (changed, padded == NULL ? ls_ref (region) : ls_buffer_region_new (ls_ref (padded), ls_ref (region->region)));
    }
  return ls_array_take_ptr_array (changed);
}

static LsNode *
pad_block (Padding    *self,
           LsRewriter *rewriter,
           LsBlock    *block)
{
  g_autoptr(LsBlock) inner = (LsBlock *) ls_rewrite_default (rewriter, block);
  GPtrArray *iter_vars = g_ptr_array_new ();
  LsBlock *fresh;

  for (guint i = 0; i < ls_array_n (inner->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (inner->iter_vars, i, LsIterVar);
      LsExpr *padded = g_hash_table_lookup (self->extents, iter->var);

      if (padded == NULL)
        g_ptr_array_add (iter_vars, ls_ref (iter));
      else
        g_ptr_array_add (iter_vars, ls_iter_var_new (ls_range_new (ls_ref (iter->dom->min), ls_ref (padded)), ls_ref (iter->var), iter->iter_type, iter->thread_tag));
    }
  fresh = ls_block_new (ls_array_take_ptr_array (iter_vars), padded_regions (self, inner->reads), padded_regions (self, inner->writes),
                        inner->name_hint, ls_ref (inner->body), ls_ref (inner->init), NULL, NULL, ls_ref (inner->annotations));
  ls_block_reuse_add (self->reuse, block, fresh);
  return LS_NODE (fresh);
}

static LsNode *
pad (LsRewriter *rewriter,
     LsNode     *node,
     gpointer    user_data)
{
  Padding *self = user_data;
  g_autoptr(LsNode) fresh = NULL;
  LsNode *padded;

  if (ls_is (node, BLOCK))
    return pad_block (self, rewriter, (LsBlock *) node);
  fresh = ls_rewrite_default (rewriter, node);
  if (ls_is (fresh, FOR) && (padded = g_hash_table_lookup (self->extents, ((LsFor *) fresh)->loop_var)) != NULL)
    {
      LsFor *loop = (LsFor *) fresh;

      return LS_NODE (ls_for_new (ls_ref (loop->loop_var), ls_ref (loop->min), (LsExpr *) ls_node_ref (padded), loop->kind, ls_ref (loop->body),
                                  ls_ref (loop->thread_binding), ls_ref (loop->annotations)));
    }
  if (ls_is (fresh, BUFFER_LOAD) && (padded = g_hash_table_lookup (self->buffers, ((LsBufferLoad *) fresh)->buffer)) != NULL)
    return LS_NODE (ls_buffer_load_new ((LsBuffer *) ls_node_ref (padded), ls_ref (((LsBufferLoad *) fresh)->indices), NULL));
  if (ls_is (fresh, BUFFER_STORE) && (padded = g_hash_table_lookup (self->buffers, ((LsBufferStore *) fresh)->buffer)) != NULL)
    return ls_buffer_store_new ((LsBuffer *) ls_node_ref (padded), ls_ref (((LsBufferStore *) fresh)->value),
                                ls_ref (((LsBufferStore *) fresh)->indices), NULL);
  return g_steal_pointer (&fresh);
}

/* ---- apply ------------------------------------------------------------------------- */

/* The parts of the scope's body with the block padded. */
static void
make_parts (Padding *self,
            LsSref  *block,
            LsSref  *root)
{
  LsStmt *body = ls_sref_body (root);
  LsSref *top = block;
  guint at;
  guint n = ls_is (body, SEQ_STMT) ? ls_array_n (((LsSeqStmt *) body)->seq) : 1;

  while (top->parent != root)
    top = top->parent;
  at = ls_stmt_part_with (body, top->stmt);
  for (guint i = 0; i < n; i++)
    {
      LsNode *part = ls_is (body, SEQ_STMT) ? ((LsSeqStmt *) body)->seq->items[i] : body;
      guint own;

      if (i != at)
        {
          g_ptr_array_add (self->parts, ls_node_ref (part));
          continue;
        }
      add_copies (self, ls_sref_block (block)->reads, TRUE);
      own = self->parts->len;
      add_copies (self, ls_sref_block (block)->writes, FALSE);
      g_ptr_array_insert (self->parts, (gint) own, ls_rewrite_with (part, pad, self));
    }
}

static gint
by_buffer_name (gconstpointer a,
                gconstpointer b)
{
  return g_strcmp0 ((*(LsBuffer *const *) a)->name, (*(LsBuffer *const *) b)->name);
}

/* In the order of their names, those of one name as they are allocated: that of the table is one of addresses. */
static void
note_copies (LsMove     *move,
             GHashTable *buffers,
             GPtrArray  *padded)
{
  g_autoptr(GPtrArray) old = g_ptr_array_new ();

  for (guint i = 0; i < padded->len; i++)
    {
      GHashTableIter iter;
      gpointer key, value;

      g_hash_table_iter_init (&iter, buffers);
      while (g_hash_table_iter_next (&iter, &key, &value))
        if (value == padded->pdata[i])
          g_ptr_array_add (old, key);
    }
  g_ptr_array_sort (old, by_buffer_name);
  for (guint i = 0; i < old->len; i++)
    ls_move_note_buffer (move, LS_LINEAGE_COPIED, g_hash_table_lookup (buffers, old->pdata[i]), old->pdata[i]);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsSref *root = ls_state_scope_root (move->state, block);
  LsBlock *old_root = ls_sref_block (root);
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(GHashTable) extents = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr(GHashTable) buffers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr(GPtrArray) blocks = g_ptr_array_new ();
  g_autoptr(GPtrArray) allocated = g_ptr_array_new ();
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsArray) all_buffers = ls_ref (old_root->alloc_buffers);
  g_autoptr(LsNode) body = NULL;
  g_autoptr(LsBlock) with_body = NULL;
  g_autoptr(LsBlock) new_root = NULL;
  Padding self = { move, analyzer, extents, buffers, g_ptr_array_new (), blocks, allocated, reuse };

  find_extents (&self, block);
  make_parts (&self, block, root);
  for (guint i = 0; i < allocated->len; i++)
    ls_take (&all_buffers, ls_array_append (all_buffers, allocated->pdata[i]));
  body = ls_seq (ls_array_take_ptr_array (self.parts));
  with_body = ls_block_with_body (old_root, body);
  new_root = ls_block_with_alloc_buffers (with_body, all_buffers);
  ls_block_reuse_add (reuse, old_root, new_root);
  ls_state_replace (move->state, root, new_root, reuse);
  for (guint i = 0; i < blocks->len; i++)
    {
      LsSref *made = ls_state_sref (move->state, blocks->pdata[i]);

      made->affine_binding = made->region_cover = made->stage_pipeline = TRUE;
    }
  note_copies (move, buffers, allocated);
  return TRUE;
}

const LsInstruction ls_instruction_pad_einsum = {
  .name = "pad_einsum",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Pads the iterations of a block to multiples of given numbers"),
  .condition = "The block uses each buffer once, at points that its variables or numbers name. There is one number, at least 1, "
               "for each iteration variable. The scope is a stage pipeline.",
  .source = "TVM v0.20 tir.Schedule.pad_einsum",
  .check = check,
  .apply = apply,
};
