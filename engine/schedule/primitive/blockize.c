/* blockize: the loops from one down, or several blocks of one sequence, become a block of their own.
 *
 *   for i, j, k:                          for i:
 *     C: ...                  ->            C_o: v_i_o = i
 *                                             for j, k:
 *                                               C: v_j_i = j, v_k_i = k ...
 *
 * The bindings are divided into an outer part, over the loops above, and an inner part.  The init of a reduction goes
 * into the init of the outer block.  Source: TVM's tir blockize.
 */
#include "engine/schedule/schedule-private.h"

enum { TARGET, PRESERVE_UNIT_ITERS };

static const LsParam params[] = {
  { "target", LS_PARAM_BLOCKS_OR_LOOP, 0, NULL, "the loop whose inside becomes a block, or the blocks to put into one" },
  { "preserve_unit_iters", LS_PARAM_BOOL, 0, "True", "keep iteration variables that take one value only" },
};

/* ---- dividing ---------------------------------------------------------------- */

/* One block that is divided. */
typedef struct {
  LsSref         *sref;
  LsBlockRealize *realize;      /* borrowed */
  GPtrArray      *loops;        /* of LsFor: the inner ones, innermost first */
  LsAnalyzer     *analyzer;
  LsSubspace     *division;
  gboolean        keep_units;
} Part;

static void
part_clear (Part *self)
{
  g_clear_pointer (&self->loops, g_ptr_array_unref);
  g_clear_pointer (&self->analyzer, ls_analyzer_free);
  g_clear_pointer (&self->division, ls_subspace_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

static gboolean
uses_any (LsNode    *expr,
          GPtrArray *vars)
{
  for (guint i = 0; i < vars->len; i++)
    if (ls_uses (expr, vars->pdata[i]))
      return TRUE;
  return FALSE;
}

static LsIterMark *
unit_mark (void)
{
  return ls_iter_mark_new (LS_EXPR (ls_iter_sum_new (ls_array_empty (), ls_int (0))), ls_int (1));
}

static LsIterMark *
mark_of_binding (LsExpr *binding,
                 LsExpr *extent)
{
  g_autoptr(LsIterMark) own = NULL;

  if (!ls_is_var (binding))
    return ls_iter_mark_new (LS_EXPR (ls_iter_sum_new (ls_array_empty (), ls_ref (binding))), ls_ref (extent));
  own = ls_iter_mark_new (ls_ref (binding), ls_ref (extent));
  return ls_iter_mark_new (LS_EXPR (ls_iter_split_of_mark (own)), ls_ref (extent));
}

/* Each binding belongs to the outer or to the inner loops altogether; such bindings need not be affine. */
static LsSubspace *
divide_plainly (Part      *self,
                GPtrArray *outer_vars,
                GPtrArray *inner_vars)
{
  LsBlockRealize *realize = self->realize;
  guint n = ls_array_n (realize->iter_values);
  LsSubspace *division;

  if (!ls_is_one (realize->predicate))
    return NULL;
  for (guint i = 0; i < n; i++)
    if (uses_any (realize->iter_values->items[i], outer_vars) && uses_any (realize->iter_values->items[i], inner_vars))
      return NULL;
  division = g_new0 (LsSubspace, 1);
  division->n = n;
  division->outer = g_new0 (LsIterMark *, n + 1);
  division->inner = g_new0 (LsIterMark *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      LsExpr *binding = ls_array_at (realize->iter_values, i, LsExpr);
      LsExpr *extent = ls_array_at (realize->block->iter_vars, i, LsIterVar)->dom->extent;
      gboolean outer = uses_any (LS_NODE (binding), outer_vars);
      gboolean inner = uses_any (LS_NODE (binding), inner_vars);

      division->outer[i] = outer ? mark_of_binding (binding, extent) : unit_mark ();
      division->inner[i] = inner ? mark_of_binding (binding, extent) : unit_mark ();
    }
  division->outer[n] = ls_iter_mark_new (LS_EXPR (ls_iter_sum_new (ls_array_empty (), ls_int (0))), ls_bool (TRUE));
  division->inner[n] = ls_ref (division->outer[n]);
  return division;
}

/* Inner are the loops below `top`; `top` itself too unless it is outer (and not directly around the block). */
static void
divide (Part     *self,
        LsSref   *top,
        gboolean  top_is_outer)
{
  g_autoptr(LsDomMap) domains = ls_dom_map_new ();
  g_autoptr(GPtrArray) inner_vars = g_ptr_array_new ();
  g_autoptr(GPtrArray) outer_vars = g_ptr_array_new ();
  g_autoptr(LsArray) sub = NULL;
  gboolean inner = TRUE;

  for (LsSref *p = self->sref->parent; p != NULL && !p->is_block; p = p->parent)
    {
      LsFor *loop = ls_sref_for (p);
      g_autoptr(LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

      if (inner)
        g_ptr_array_add (self->loops, loop);
      g_ptr_array_add (inner ? inner_vars : outer_vars, loop->loop_var);
      ls_dom_map_set_range (domains, loop->loop_var, range);
      if ((top_is_outer && p->parent == top) || p == top)
        inner = FALSE;
    }
  sub = ls_array_new (inner_vars->pdata, inner_vars->len);
  for (guint i = 0; i < inner_vars->len; i++)
    ls_node_ref (inner_vars->pdata[i]);
  self->division = ls_subspace_divide (self->realize->iter_values, domains, sub, self->realize->predicate, LS_ITER_MAP_SURJECTIVE,
                                       self->analyzer, !self->keep_units);
  if (self->division == NULL)
    self->division = divide_plainly (self, outer_vars, inner_vars);
}

static void
part_init (Part    *self,
           LsMove  *move,
           LsSref  *block,
           gboolean keep_units)
{
  *self = (Part) { block, ls_state_realize (move->state, block), g_ptr_array_new (), ls_analyzer_new (), NULL,
                   keep_units };
}

/* ---- the blocks -------------------------------------------------------------- */

/* The outer block while it is made. */
typedef struct {
  GPtrArray    *iter_vars;
  GPtrArray    *values;
  LsExpr       *predicate;
  LsBlockReuse *reuse;
} Outer;

static void
outer_init (Outer *self)
{
  *self = (Outer) { g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref),
                    g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref), NULL, ls_block_reuse_new () };
}

static void
outer_clear (Outer *self)
{
  g_ptr_array_unref (self->iter_vars);
  g_ptr_array_unref (self->values);
  ls_unref (self->predicate);
  ls_block_reuse_free (self->reuse);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outer, outer_clear)

static LsRange *
from_zero (LsExpr *extent)
{
  return ls_range_new (ls_const_int (ls_dtype (extent), 0), ls_ref (extent));
}

static LsVar *
var_with_suffix (LsVar      *var,
                 const char *suffix)
{
  g_autofree char *name = g_strconcat (var->name, suffix, NULL);

  return ls_var_copy (var, name);
}

/* The inner block while it is made. */
typedef struct {
  GPtrArray  *iter_vars;
  GPtrArray  *values;
  GHashTable *map;              /* old iteration variable -> what stands for it (owned) */
} Inner;

static void
inner_init (Inner *self)
{
  *self = (Inner) { g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref),
                    g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref),
                    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref) };
}

static void
inner_clear (Inner *self)
{
  g_ptr_array_unref (self->iter_vars);
  g_ptr_array_unref (self->values);
  g_hash_table_unref (self->map);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Inner, inner_clear)

/* FALSE when a further block does not fit the iteration variables of the first. */
static gboolean
bind_outer (Outer     *outer,
            Part      *part,
            guint      i,
            gboolean   reuse)
{
  LsIterVar *old = ls_array_at (part->realize->block->iter_vars, i, LsIterVar);
  LsIterMark *mark = part->division->outer[i];
  g_autoptr(LsExpr) value = ls_iter_map_to_expr (mark->source);
  g_autoptr(LsAnalyzer) analyzer = NULL;

  if (!reuse)
    {
      g_ptr_array_add (outer->iter_vars, ls_iter_var_new (from_zero (mark->extent), var_with_suffix (old->var, "_o"), old->iter_type, NULL));
      g_ptr_array_add (outer->values, g_steal_pointer (&value));
      return TRUE;
    }
  if (i >= outer->iter_vars->len)
    return FALSE;
  analyzer = ls_analyzer_new ();
  return ls_analyzer_can_prove_equal (analyzer, ((LsIterVar *) outer->iter_vars->pdata[i])->dom->extent, mark->extent) &&
         ls_analyzer_can_prove_equal (analyzer, outer->values->pdata[i], value);
}

static void
bind_inner (Inner *inner,
            Outer *outer,
            Part  *part,
            guint  i)
{
  LsIterVar *old = ls_array_at (part->realize->block->iter_vars, i, LsIterVar);
  LsIterMark *mark = part->division->inner[i];
  LsExpr *outer_extent = part->division->outer[i]->extent;
  LsExpr *outer_var = LS_EXPR (((LsIterVar *) outer->iter_vars->pdata[i])->var);
  LsExpr *stands;
  LsVar *var;

  if (ls_is_one (mark->extent))
    {
      gboolean drop = ls_is_one (outer_extent) && !part->keep_units;

      g_hash_table_insert (inner->map, old->var, drop ? ls_const_int (ls_dtype (outer_extent), 0) : ls_ref (outer_var));
      return;
    }
  var = var_with_suffix (old->var, "_i");
  stands = LS_EXPR (ls_ref (var));
  if (!ls_is_one (outer_extent))
    stands = ls_add (ls_mul (ls_ref (outer_var), ls_ref (mark->extent)), stands);
  g_ptr_array_add (inner->iter_vars, ls_iter_var_new (from_zero (mark->extent), var, old->iter_type, NULL));
  g_ptr_array_add (inner->values, ls_iter_map_to_expr (mark->source));
  g_hash_table_insert (inner->map, old->var, stands);
}

static gboolean
derive_bindings (Inner    *inner,
                 Outer    *outer,
                 Part     *part,
                 gboolean  reuse)
{
  for (guint i = 0; i < part->division->n; i++)
    {
      if (!bind_outer (outer, part, i, reuse))
        return FALSE;
      bind_inner (inner, outer, part, i);
    }
  return TRUE;
}

typedef struct {
  GHashTable   *map;
  LsAnalyzer   *analyzer;
  LsBlockReuse *reuse;
} Simplifying;

static LsNode *
substitute_simplified (LsRewriter *rewriter,
                       LsNode     *node,
                       gpointer    user_data)
{
  Simplifying *self = user_data;
  LsNode *fresh = g_hash_table_lookup (self->map, node);

  fresh = fresh != NULL ? ls_node_ref (fresh) : ls_rewrite_default (rewriter, node);
  if (ls_is_expr (node) && fresh != node)
    ls_take (&fresh, LS_NODE (ls_analyzer_simplify (self->analyzer, (LsExpr *) fresh)));
  if (ls_is (node, BLOCK) && fresh != node)
    ls_block_reuse_add (self->reuse, (LsBlock *) node, (LsBlock *) fresh);
  return fresh;
}

/* The old block over the new variables. (transfer full) */
static LsBlock *
substituted_block (Part  *part,
                   Inner *inner,
                   Outer *outer)
{
  Simplifying self = { inner->map, part->analyzer, outer->reuse };
  LsBlock *block = part->realize->block;
  g_autoptr(LsArray) none = ls_array_empty ();
  g_autoptr(LsBlock) bare = NULL;
  LsBlock *fresh;

  bare = ls_block_new (ls_ref (none), ls_ref (block->reads), ls_ref (block->writes), block->name_hint, ls_ref (block->body),
                       ls_ref (block->init), ls_ref (block->alloc_buffers), ls_ref (block->match_buffers), ls_ref (block->annotations));
  fresh = (LsBlock *) ls_rewrite_default (&(LsRewriter) { substitute_simplified, &self, NULL, NULL }, bare);
  return fresh;
}

/* Regions over all values of the inner variables. (transfer full) */
static LsArray *
relax_regions (LsArray  *regions,
               LsDomMap *inner)
{
  GPtrArray *relaxed = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      g_autoptr(LsNDIntSet) sets = ls_eval_region (region->region, inner);
      GPtrArray *ranges = g_ptr_array_new ();

      for (guint k = 0; k < sets->len; k++)
        {
          g_autoptr(LsRange) all = from_zero (ls_array_at (region->buffer->shape, k, LsExpr));

          g_ptr_array_add (ranges, ls_int_set_cover_range (sets->pdata[k], all));
        }
      g_ptr_array_add (relaxed, ls_buffer_region_new (ls_ref (region->buffer), ls_array_take_ptr_array (ranges)));
    }
  return ls_array_take_ptr_array (relaxed);
}

static gboolean
adds_up (LsBlock *block,
         Outer   *outer)
{
  for (guint i = 0; block->init != NULL && i < outer->iter_vars->len; i++)
    if (((LsIterVar *) outer->iter_vars->pdata[i])->iter_type == LS_ITER_COMM_REDUCE)
      return TRUE;
  return FALSE;
}

static LsArray *
copy_items (GPtrArray *items)
{
  for (guint i = 0; i < items->len; i++)
    ls_node_ref (items->pdata[i]);
  return ls_array_new (items->pdata, items->len);
}

/* The realize of the inner block: what it adds to was there before, so it reads it. */
static LsBlockRealize *
inner_realize (Part    *part,
               Inner   *inner,
               Outer   *outer,
               LsBlock *block)
{
  g_autoptr(LsArray) reads = ls_ref (block->reads);
  LsBlock *fresh;

  if (adds_up (block, outer))
    for (guint i = ls_array_n (block->writes); i-- > 0;)
      ls_take (&reads, ls_array_insert (reads, 0, block->writes->items[i]));
  fresh = ls_block_new (copy_items (inner->iter_vars), ls_ref (reads), ls_ref (block->writes), block->name_hint, ls_ref (block->body),
                        NULL, ls_ref (block->alloc_buffers), ls_ref (block->match_buffers), ls_ref (block->annotations));
  ls_block_reuse_add (outer->reuse, part->realize->block, fresh);
  return ls_block_realize_new (copy_items (inner->values), ls_ref (part->division->inner[part->division->n]->extent), fresh);
}

static LsFor *
loop_like (LsFor  *loop,
           LsVar  *var,
           LsExpr *extent,
           LsStmt *body)
{
  return ls_for_new (var, ls_ref (loop->min), extent, loop->kind, body, ls_ref (loop->thread_binding), ls_ref (loop->annotations));
}

/* The init of the outer block: the old init for each of the inner spatial variables that it uses. (transfer full) */
static LsStmt *
outer_init_stmt (Part           *part,
                 LsBlock        *block,
                 LsBlockRealize *realize)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autofree char *name = g_strconcat (block->name_hint, "_init", NULL);
  GPtrArray *iter_vars = g_ptr_array_new ();
  g_autoptr(LsArray) values = NULL;
  GPtrArray *bound = g_ptr_array_new ();
  g_autoptr(LsNode) stmt = NULL;

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    {
      LsIterVar *old = ls_array_at (realize->block->iter_vars, i, LsIterVar);
      LsVar *var;

      if (old->iter_type == LS_ITER_COMM_REDUCE || !ls_uses (block->init, old->var))
        continue;
      var = var_with_suffix (old->var, "_init");
      g_hash_table_insert (map, old->var, var);
      g_ptr_array_add (iter_vars, ls_iter_var_new (ls_ref (old->dom), var, old->iter_type, NULL));
      g_ptr_array_add (bound, ls_node_ref (realize->iter_values->items[i]));
    }
  values = ls_array_take_ptr_array (bound);
  stmt = LS_STMT (ls_block_realize_new (ls_ref (values), ls_ref (realize->predicate),
                                        ls_block_new (ls_array_take_ptr_array (iter_vars), NULL, ls_ref (realize->block->writes), name,
                                                      ls_ref (block->init), NULL, NULL, NULL, NULL)));
  for (guint i = 0; i < part->loops->len; i++)
    {
      LsFor *loop = part->loops->pdata[i];
      LsVar *var;

      if (!ls_uses (values, loop->loop_var))
        continue;
      var = ls_var_copy (loop->loop_var, NULL);
      g_hash_table_insert (map, loop->loop_var, var);
      stmt = LS_STMT (loop_like (loop, var, ls_ref (loop->extent), g_steal_pointer (&stmt)));
    }
  return ls_substitute (stmt, map);
}

static LsDomMap *
bind_inner_domains (Part       *part,
                    Inner      *inner,
                    GHashTable *loop_map)
{
  LsDomMap *domains = ls_dom_map_new ();

  for (guint i = 0; i < inner->iter_vars->len; i++)
    {
      LsIterVar *iter = inner->iter_vars->pdata[i];
      g_autoptr(LsRange) dom = (LsRange *) ls_substitute (iter->dom, loop_map);

      ls_dom_map_set_range (domains, iter->var, dom);
      ls_analyzer_bind_range (part->analyzer, iter->var, dom, FALSE);
    }
  return domains;
}

static LsStmt *
nest_of (Part       *part,
         LsStmt     *body,
         GHashTable *loop_map)
{
  for (guint i = 0; i < part->loops->len; i++)
    {
      LsFor *loop = part->loops->pdata[i];

      body = LS_STMT (loop_like (loop, ls_ref (loop->loop_var), (LsExpr *) ls_substitute (loop->extent, loop_map), body));
    }
  return body;
}

/* ---- one loop ------------------------------------------------------------------ */

static gboolean
legal_loop (LsMove        *move,
            LsDiagnostics *diagnostics,
            LsSref        *loop,
            gboolean       keep_units,
            Part          *part)
{
  LsSref *block;
  LsDiagnostic *finding;

  if (!ls_legal_not_root (move, diagnostics, loop) || !ls_legal_single_child (move, diagnostics, loop, &block))
    return FALSE;
  part_init (part, move, block, keep_units);
  divide (part, loop, FALSE);
  if (part->division != NULL)
    return TRUE;
  finding = ls_move_refuse (move, diagnostics, "not-divisible", block->stmt,
                            "The bindings of block %s do not divide into a part over the loops above %s and a part over the rest.",
                            ls_sref_name (block), ls_sref_name (loop));
  ls_move_add_culprit (move, finding, loop->stmt);
  return FALSE;
}

LsBlockRealize *
ls_blockize_loop (LsMove        *move,
                  LsDiagnostics *diagnostics,
                  LsSref        *loop,
                  gboolean       preserve_unit_iters,
                  LsBlockReuse  *reuse)
{
  g_auto(Part) part = { 0 };
  g_auto(Inner) inner;
  Outer outer;
  g_autoptr(GHashTable) none = g_hash_table_new (NULL, NULL);
  g_autoptr(LsDomMap) domains = NULL;
  g_autoptr(LsBlock) block = NULL;
  g_autoptr(LsBlockRealize) realize = NULL;
  g_autofree char *name = NULL;
  LsBlock *made;
  LsBlockRealize *result;

  inner_init (&inner);
  if (!legal_loop (move, diagnostics, loop, preserve_unit_iters, &part))
    return NULL;
  outer_init (&outer);
  g_clear_pointer (&outer.reuse, ls_block_reuse_free);
  outer.reuse = reuse;
  derive_bindings (&inner, &outer, &part, FALSE);
  domains = bind_inner_domains (&part, &inner, none);
  block = substituted_block (&part, &inner, &outer);
  realize = inner_realize (&part, &inner, &outer, block);
  name = g_strconcat (block->name_hint, "_o", NULL);
  made = ls_block_new (copy_items (outer.iter_vars), relax_regions (block->reads, domains), relax_regions (block->writes, domains), name,
                       nest_of (&part, LS_STMT (ls_ref (realize)), none),
                       block->init != NULL ? outer_init_stmt (&part, block, realize) : NULL, NULL, NULL, NULL);
  result = ls_block_realize_new (copy_items (outer.values), ls_ref (part.division->outer[part.division->n]->extent), made);
  outer.reuse = NULL;
  outer_clear (&outer);
  return result;
}

static gboolean
apply_loop (LsMove *move)
{
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  LsSref *loop = ls_move_sref (move, TARGET);
  g_autoptr(LsBlockRealize) realize = ls_blockize_loop (move, NULL, loop, ls_move_bool (move, PRESERVE_UNIT_ITERS), reuse);
  LsSref *root = ls_state_scope_root (move->state, loop);
  gboolean affine = root->affine_binding;

  ls_state_replace (move->state, loop, realize, reuse);
  ls_state_update_flags (move->state, root);
  root->affine_binding = affine;
  ls_state_touch (move->state, root);
  ls_move_result (move, ls_state_sref (move->state, realize->block));
  return TRUE;
}

/* ---- what may change the result ------------------------------------------------- */

/* Warns where a guard over loops that no variable uses is lost, and where the guard of the block, which its init keeps, asks
 * for loops that the init does not get. */
static void
doubt_guard (LsMove        *move,
             LsDiagnostics *diagnostics,
             Part          *part)
{
  LsBlock *block = part->realize->block;
  LsExpr *guard = part->division->inner[part->division->n]->extent;
  LsExpr *outer = part->division->outer[part->division->n]->extent;

  for (LsSref *p = part->sref->parent; p != NULL && !p->is_block; p = p->parent)
    {
      LsVar *var = ls_sref_for (p)->loop_var;

      if (ls_uses (part->realize->predicate, var) && !ls_uses (guard, var) && !ls_uses (outer, var))
        ls_move_warn (move, diagnostics, "lost-guard", block, "The guard of block %s over %s is lost, as the bindings alone say how far the block runs.",
                      block->name_hint, var->name);
    }
  for (guint l = 0; block->init != NULL && l < part->loops->len; l++)
    {
      LsVar *var = ((LsFor *) part->loops->pdata[l])->loop_var;
      gboolean kept = !ls_uses (guard, var);

      for (guint i = 0; !kept && i < ls_array_n (block->iter_vars); i++)
        kept = ls_array_at (block->iter_vars, i, LsIterVar)->iter_type == LS_ITER_DATA_PAR && !ls_is_one (part->division->inner[i]->extent) &&
               ls_uses (block->init, ls_array_at (block->iter_vars, i, LsIterVar)->var) && ls_uses (part->realize->iter_values->items[i], var);
      if (!kept)
        ls_move_warn (move, diagnostics, "guarded-init", block, "The init of block %s keeps a guard over %s, a loop that it does not stand in.",
                      block->name_hint, var->name);
    }
}

/* ---- several blocks -------------------------------------------------------------- */

typedef struct {
  GPtrArray *blocks;            /* of LsSref, in the order given */
  LsSref    *place;             /* lowest loop or block around all */
  guint      first, last;       /* parts of its body that they stand in */
} Group;

/* Every block once, and all directly inside the same block. */
static gboolean
legal_company (LsMove        *move,
               LsDiagnostics *diagnostics,
               GPtrArray     *blocks)
{
  LsSref *first = blocks->pdata[0];

  for (guint i = 1; i < blocks->len; i++)
    {
      LsSref *block = blocks->pdata[i];
      guint at;

      if (g_ptr_array_find (blocks, block, &at) && at < i)
        {
          ls_move_refuse (move, diagnostics, "twice", block->stmt, "Block %s stands in the list twice.", ls_sref_name (block));
          return FALSE;
        }
      if (ls_state_scope_root (move->state, block) != ls_state_scope_root (move->state, first))
        {
          LsDiagnostic *finding = ls_move_refuse (move, diagnostics, "different-scope", block->stmt,
                                                  "Blocks %s and %s stand inside different blocks; blockize takes blocks of one.",
                                                  ls_sref_name (first), ls_sref_name (block));

          ls_move_add_culprit (move, finding, first->stmt);
          return FALSE;
        }
    }
  return TRUE;
}

/* Warns of blocks that change places, that are left out although they stand between, and of inits that are dropped. */
static void
doubt_group (LsMove        *move,
             LsDiagnostics *diagnostics,
             Group         *group)
{
  GPtrArray *order = ls_state_scope (move->state, ls_state_scope_root (move->state, group->blocks->pdata[0]))->blocks;
  guint last = 0;

  for (guint i = 0; i < group->blocks->len; i++)
    {
      LsSref *block = group->blocks->pdata[i];
      LsSref *part = block;
      g_autoptr(GPtrArray) company = NULL;
      guint at = 0;

      g_ptr_array_find (order, block, &at);
      if (i > 0 && at < last)
        ls_move_warn (move, diagnostics, "order", block->stmt, "Block %s comes after %s in the list, but before it in the program.", ls_sref_name (block),
                      ls_sref_name (group->blocks->pdata[i - 1]));
      last = at;
      if (ls_sref_block (block)->init != NULL)
        ls_move_warn (move, diagnostics, "lost-init", block->stmt, "The init of block %s is dropped; decompose the reduction first.", ls_sref_name (block));
      if (block->parent == group->place && !group->place->is_block)
        ls_move_warn (move, diagnostics, "repeats", block->stmt, "Loop %s stands around all blocks and again around %s, which runs too often.",
                      ls_sref_name (group->place), ls_sref_name (block));
      while (part->parent != group->place)
        part = part->parent;
      company = part->is_block ? NULL : ls_state_child_blocks (move->state, part);
      for (guint k = 0; company != NULL && k < company->len; k++)
        if (!g_ptr_array_find (group->blocks, company->pdata[k], NULL))
          ls_move_warn (move, diagnostics, "lost-block", ((LsSref *) company->pdata[k])->stmt, "Block %s shares a loop with %s and is not in the list; it is dropped.",
                        ls_sref_name (company->pdata[k]), ls_sref_name (block));
    }
}

static gboolean
legal_group (LsMove        *move,
             LsDiagnostics *diagnostics,
             Group         *group)
{
  LsStmt *body;
  guint n = group->blocks->len;
  g_autofree gboolean *taken = NULL;

  if (n == 0)
    {
      ls_move_refuse (move, diagnostics, "no-blocks", NULL, "blockize needs a loop or at least one block.");
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    if (!ls_legal_not_root (move, diagnostics, group->blocks->pdata[i]))
      return FALSE;
  if (!legal_company (move, diagnostics, group->blocks))
    return FALSE;
  group->place = ls_sref_common ((LsSref **) group->blocks->pdata, n);
  body = ls_sref_body (group->place);
  if (g_ptr_array_find (group->blocks, group->place, NULL) || !ls_is (body, SEQ_STMT))
    {
      ls_move_refuse (move, diagnostics, "no-sequence", group->place->stmt,
                      "The blocks do not stand in one sequence, one after the other.");
      return FALSE;
    }
  taken = g_new0 (gboolean, ls_array_n (((LsSeqStmt *) body)->seq) + 1);
  group->first = G_MAXUINT;
  group->last = 0;
  for (guint i = 0; i < n; i++)
    {
      LsSref *below = group->blocks->pdata[i];
      guint at;

      while (below->parent != group->place)
        below = below->parent;
      at = ls_stmt_part_with (body, below->stmt);
      taken[at] = TRUE;
      group->first = MIN (group->first, at);
      group->last = MAX (group->last, at);
    }
  for (guint i = group->first; i <= group->last; i++)
    if (!taken[i])
      {
        ls_move_refuse (move, diagnostics, "not-consecutive", ((LsSeqStmt *) body)->seq->items[i],
                        "Something else stands between the blocks; they have to follow one another.");
        return FALSE;
      }
  return TRUE;
}

/* Regions of each buffer united, in the order in which the buffers came. Takes `regions`. */
static LsArray *
unite (GPtrArray *regions)
{
  GPtrArray *united = g_ptr_array_new ();

  while (regions->len > 0)
    {
      LsBufferRegion *first = regions->pdata[0];
      g_autoptr(GPtrArray) same = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
      g_autoptr(LsNDIntSet) sum = NULL;
      g_autoptr(LsBuffer) buffer = ls_ref (first->buffer);
      GPtrArray *ranges = g_ptr_array_new ();

      for (guint i = 0; i < regions->len;)
        {
          LsBufferRegion *region = regions->pdata[i];

          if (region->buffer != buffer)
            {
              i++;
              continue;
            }
          g_ptr_array_add (same, ls_nd_int_set_from_region (region->region));
          ls_unref (region);
          g_ptr_array_remove_index (regions, i);
        }
      sum = ls_nd_int_set_union ((LsNDIntSet **) same->pdata, same->len);
      for (guint k = 0; k < sum->len; k++)
        {
          LsExpr *min = ls_int_set_min (sum->pdata[k]);
          LsExpr *max = ls_int_set_max (sum->pdata[k]);
          LsExpr *end = ls_add (ls_ref (max), ls_const_int (ls_dtype (max), 1));

          g_ptr_array_add (ranges, ls_range_new (ls_ref (min), ls_is_zero (min) ? end : ls_sub (end, ls_ref (min))));
        }
      g_ptr_array_add (united, ls_buffer_region_new (ls_ref (buffer), ls_array_take_ptr_array (ranges)));
    }
  g_ptr_array_unref (regions);
  return ls_array_take_ptr_array (united);
}

typedef struct {
  Outer      outer;
  GHashTable *loop_map;         /* loop variable -> outer iteration variable */
  GPtrArray *seq;
  GPtrArray *reads;
  GPtrArray *writes;
  GString   *name;
} Gathering;

static void
gather_regions (GPtrArray *list,
                LsArray   *regions,
                LsDomMap  *domains)
{
  g_autoptr(LsArray) relaxed = relax_regions (regions, domains);

  for (guint i = 0; i < relaxed->n; i++)
    g_ptr_array_add (list, ls_node_ref (relaxed->items[i]));
}

static gboolean
gather (LsMove        *move,
        LsDiagnostics *diagnostics,
        Gathering     *self,
        Group         *group,
        guint          i)
{
  g_auto(Part) part = { 0 };
  g_auto(Inner) inner;
  LsSref *sref = group->blocks->pdata[i];
  g_autoptr(LsDomMap) domains = NULL;
  g_autoptr(LsBlock) block = NULL;

  inner_init (&inner);
  part_init (&part, move, sref, ls_move_bool (move, PRESERVE_UNIT_ITERS));
  divide (&part, group->place, TRUE);
  if (part.division == NULL || !derive_bindings (&inner, &self->outer, &part, i > 0))
    {
      ls_move_refuse (move, diagnostics, part.division == NULL ? "not-divisible" : "different-outer", sref->stmt,
                      part.division == NULL ? "The bindings of block %s do not divide at the loops around all blocks."
                                            : LS_TEXT ("The part of block %s over the loops around all blocks is not that of the first one."),
                      ls_sref_name (sref));
      return FALSE;
    }
  doubt_guard (move, diagnostics, &part);
  if (i > 0 && !ls_structural_equal (self->outer.predicate, part.division->outer[part.division->n]->extent, FALSE, NULL, NULL))
    ls_move_warn (move, diagnostics, "lost-guard", sref->stmt, "The guards over the loops around all blocks differ; that of %s holds for all.", ls_sref_name (sref));
  ls_take (&self->outer.predicate, ls_ref (part.division->outer[part.division->n]->extent));
  for (guint k = 0; k < self->outer.iter_vars->len; k++)
    if (ls_is_var (self->outer.values->pdata[k]))
      g_hash_table_insert (self->loop_map, self->outer.values->pdata[k], ((LsIterVar *) self->outer.iter_vars->pdata[k])->var);
  domains = bind_inner_domains (&part, &inner, self->loop_map);
  block = substituted_block (&part, &inner, &self->outer);
  gather_regions (self->reads, block->reads, domains);
  gather_regions (self->writes, block->writes, domains);
  g_string_append_printf (self->name, "%s_", block->name_hint);
  if (adds_up (block, &self->outer))
    {
      ls_move_refuse (move, diagnostics, "outer-reduction", sref->stmt,
                      "Block %s adds up over a loop around all blocks; its init would not be done.", ls_sref_name (sref));
      return FALSE;
    }
  g_ptr_array_add (self->seq, nest_of (&part, LS_STMT (inner_realize (&part, &inner, &self->outer, block)), self->loop_map));
  return TRUE;
}

/* The block around all, or NULL. */
static LsBlockRealize *
group_realize (LsMove        *move,
               LsDiagnostics *diagnostics,
               Group         *group,
               LsBlockReuse  *reuse)
{
  g_autoptr(GHashTable) loop_map = g_hash_table_new (NULL, NULL);
  Gathering self = { .loop_map = loop_map, .seq = g_ptr_array_new (), .reads = g_ptr_array_new (), .writes = g_ptr_array_new (),
                     .name = g_string_new ("outer_") };
  LsBlockRealize *realize = NULL;
  gboolean legal = TRUE;
  LsArray *reads, *writes, *seq;

  outer_init (&self.outer);
  g_clear_pointer (&self.outer.reuse, ls_block_reuse_free);
  self.outer.reuse = reuse;
  for (guint i = 0; legal && i < group->blocks->len; i++)
    legal = gather (move, diagnostics, &self, group, i);
  reads = unite (self.reads);
  writes = unite (self.writes);
  seq = ls_array_take_ptr_array (self.seq);
  if (legal)
    realize = ls_block_realize_new (copy_items (self.outer.values), ls_ref (self.outer.predicate),
                                    ls_block_new (copy_items (self.outer.iter_vars), ls_ref (reads), ls_ref (writes), self.name->str,
                                                  ls_seq (ls_ref (seq)), NULL, NULL, NULL, NULL));
  ls_unref (reads);
  ls_unref (writes);
  ls_unref (seq);
  g_string_free (self.name, TRUE);
  self.outer.reuse = NULL;
  outer_clear (&self.outer);
  return realize;
}

static gboolean
apply_group (LsMove *move)
{
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(GPtrArray) blocks = ls_move_srefs (move, TARGET);
  Group group = { blocks };
  g_autoptr(LsBlockRealize) realize = NULL;
  g_autoptr(LsNode) body = NULL;
  g_autoptr(LsNode) fresh = NULL;
  GPtrArray *parts = g_ptr_array_new ();
  LsArray *seq;
  LsSref *root;

  legal_group (move, NULL, &group);
  realize = group_realize (move, NULL, &group, reuse);
  seq = ((LsSeqStmt *) ls_sref_body (group.place))->seq;
  for (guint i = 0; i < seq->n; i++)
    if (i == group.first)
      g_ptr_array_add (parts, ls_ref (realize));
    else if (i < group.first || i > group.last)
      g_ptr_array_add (parts, ls_node_ref (seq->items[i]));
  body = ls_seq (ls_array_take_ptr_array (parts));
  if (group.place->is_block)
    {
      fresh = LS_NODE (ls_block_with_body (ls_sref_block (group.place), body));
      ls_block_reuse_add (reuse, ls_sref_block (group.place), (LsBlock *) fresh);
    }
  else
    {
      fresh = LS_NODE (ls_for_with_body (ls_sref_for (group.place), body));
    }
  ls_state_replace (move->state, group.place, fresh, reuse);
  root = ls_state_scope_root (move->state, ls_state_sref (move->state, realize->block));
  ls_state_update_flags (move->state, root);
  ls_move_result (move, ls_state_sref (move->state, realize->block));
  return TRUE;
}

/* ---- the primitive ---------------------------------------------------------------- */

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlockRealize) realize = NULL;
  g_autoptr(GPtrArray) blocks = NULL;
  Group group = { NULL };

  if (!ls_is (move->args[TARGET], ARRAY))
    {
      g_auto(Part) part = { 0 };
      LsSref *loop = ls_move_sref (move, TARGET);

      if (!loop->is_block)
        {
          if (!legal_loop (move, diagnostics, loop, ls_move_bool (move, PRESERVE_UNIT_ITERS), &part))
            return FALSE;
          if (diagnostics != NULL)
            doubt_guard (move, diagnostics, &part);
          return TRUE;
        }
      ls_diagnostic_set_repair (ls_move_refuse (move, diagnostics, "not-a-loop", loop->stmt,
                                                "%s is a single block; blockize takes a loop or a list of blocks.", ls_sref_name (loop)),
                                "blockize([%s])", ls_sref_name (loop));
      return FALSE;
    }
  blocks = ls_move_srefs (move, TARGET);
  group.blocks = blocks;
  for (guint i = 0; i < blocks->len; i++)
    if (!((LsSref *) blocks->pdata[i])->is_block)
      {
        ls_move_refuse (move, diagnostics, "not-a-block", ((LsSref *) blocks->pdata[i])->stmt,
                        "%s in the list is a loop; blockize takes one loop, or a list that holds blocks only.", ls_sref_name (blocks->pdata[i]));
        return FALSE;
      }
  if (!legal_group (move, diagnostics, &group))
    return FALSE;
  realize = group_realize (move, diagnostics, &group, reuse);
  if (realize != NULL && diagnostics != NULL)
    doubt_group (move, diagnostics, &group);
  return realize != NULL;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  return ls_is (move->args[TARGET], ARRAY) ? apply_group (move) : apply_loop (move);
}

const LsInstruction ls_instruction_blockize = {
  .name = "blockize",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_BLOCK,
  .summary = LS_TEXT ("Make the inside of a loop, or several blocks, one block"),
  .condition = "Below the loop there is one block, and its bindings divide into a part over the loops above and a part over the "
               "loops from there down. Several blocks follow one another and share the outer part.",
  .source = "TVM v0.20 tir.Schedule.blockize",
  .check = check,
  .apply = apply,
};
