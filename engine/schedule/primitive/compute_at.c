/* compute_at, reverse_compute_at: a block goes under a loop of the blocks that read, or write, what it makes, or reads.
 *
 *   for i: B[i] = A[i]            for io: for ax0 in range (8):
 *   for io, ii: C[..] = B[..]  ->           B[io * 8 + ax0] = A[..]
 *                                         for ii: C[..] = B[..]
 *
 * The loops around the block fall away; new ones run over the values of its variables that one iteration of the given
 * loop needs (legal/cover.c): the regions that the other blocks access are relaxed over the loops between them and the given
 * one, over the values of thread loops too where the buffer's storage scope is shared by them.  A predicate around the block that says more
 * than the domains of its variables goes along (legal/guard.c; TVM drops it).
 *
 * TVM allows moves after which a value is read before it is made, or not every instance of the block runs, or an
 * instance of a sum runs twice.  They are allowed here too, with a warning.
 * Source: TVM v0.20's tir.Schedule.compute_at and reverse_compute_at.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/tir/scope.h"

enum { BLOCK, LOOP, PRESERVE_UNIT_LOOPS, INDEX };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that moves" },
  { "loop", LS_PARAM_LOOP, LS_PARAM_MARKS, NULL, "the loop under which it goes" },
  { "preserve_unit_loops", LS_PARAM_BOOL, 0, "False", "keep new loops of extent 1" },
  { "index", LS_PARAM_INT, 0, "-1", "its place among the statements of the loop: -1 the last that is possible, -2 the first" },
};

typedef struct {
  LsMove        *move;
  LsDiagnostics *diagnostics;
  gboolean       to_consumers;  /* compute_at */
  LsSref        *block;
  LsSref        *loop;
  LsSref        *root;
  GPtrArray     *producers;     /* of LsSref */
  GPtrArray     *consumers;
  LsSref        *place;         /* what changes when the block leaves, and what it becomes */
  LsNode        *rest;
  guint          position;
  LsAnalyzer    *analyzer;
  LsIterDomain  *domains;
  guint          n_domains;
  LsStmt        *nest;          /* the block under its new loops, once made */
  LsBlockRealize *realize;      /* its innermost statement, borrowed */
} Plan;

static void
plan_free (Plan *self)
{
  g_clear_pointer (&self->producers, g_ptr_array_unref);
  g_clear_pointer (&self->consumers, g_ptr_array_unref);
  g_clear_pointer (&self->rest, ls_node_unref);
  g_clear_pointer (&self->analyzer, ls_analyzer_free);
  ls_iter_domains_free (self->domains, self->n_domains);
  ls_unref (self->nest);
  g_free (self);
}

/* ---- may it move at all? ------------------------------------------------------ */

static LsSref *
scope_of (LsSref *loop)
{
  while (loop != NULL && !loop->is_block)
    loop = loop->parent;
  return loop;
}

static gboolean
loop_is_elsewhere (Plan *self)
{
  LsDiagnostic *finding;

  if (scope_of (self->loop) != self->root)
    {
      finding = ls_move_refuse (self->move, self->diagnostics, "other-scope", self->loop->stmt,
                                "Loop %s and block %s do not stand in the same block scope.", ls_sref_name (self->loop),
                                ls_sref_name (self->block));
      ls_move_add_culprit (self->move, finding, self->block->stmt);
      return FALSE;
    }
  if (!ls_sref_is_ancestor (self->loop, self->block))
    return TRUE;
  finding = ls_move_refuse (self->move, self->diagnostics, "already-under-loop", self->block->stmt,
                            "Loop %s is an ancestor of block %s: the block already stands under it.", ls_sref_name (self->loop),
                            ls_sref_name (self->block));
  ls_move_add_culprit (self->move, finding, self->loop->stmt);
  return FALSE;
}

static gboolean
all_under (GPtrArray *blocks,
           LsSref    *loop)
{
  for (guint i = 0; i < blocks->len; i++)
    if (!ls_sref_is_ancestor (loop, blocks->pdata[i]))
      return FALSE;
  return TRUE;
}

static gboolean
makes_no_result (Plan *self)
{
  LsDiagnostic *finding;

  if (!self->to_consumers || !ls_is_output_block (self->move->state, self->block, self->root))
    return TRUE;
  finding = ls_move_refuse (self->move, self->diagnostics, "output-block", self->block->stmt,
                            "Block %s is an output block: it writes a result of the function; compute_at moves only blocks with a temporary result.",
                            ls_sref_name (self->block));
  if (finding != NULL && self->producers->len > 0 && all_under (self->producers, self->loop))
    ls_diagnostic_set_repair (finding, "reverse_compute_at(%s, %s)", ls_sref_name (self->block), ls_sref_name (self->loop));
  return FALSE;
}

/* ---- where does it go? -------------------------------------------------------- */

static guint
n_statements (LsFor *loop)
{
  return ls_is (loop->body, SEQ_STMT) ? ls_array_n (((LsSeqStmt *) loop->body)->seq) : 1;
}

static LsStmt *
statement_at (LsFor *loop,
              guint  i)
{
  return ls_is (loop->body, SEQ_STMT) ? ((LsSeqStmt *) loop->body)->seq->items[i] : loop->body;
}

static gboolean
is_not_that (LsNode         *stmt,
             LsBlockRealize *realize,
             gpointer        user_data)
{
  return stmt != user_data;
}

/* Number of the loop's statement that holds `sref`; -1: it does not stand under the loop. */
static gint
position_of (LsSref *loop,
             LsSref *sref)
{
  LsFor *node = ls_sref_for (loop);

  while (sref != NULL && sref->parent != loop)
    sref = sref->parent;
  for (guint i = 0; sref != NULL && i < n_statements (node); i++)
    if (!ls_stmt_foreach_child (statement_at (node, i), is_not_that, sref->stmt))
      return (gint) i;
  return -1;
}

/* The lowest loop around all of these blocks that `block` could move under, or NULL. */
static LsSref *
loop_around (GPtrArray *blocks,
             LsSref    *block)
{
  LsSref *common = ls_sref_common ((LsSref **) blocks->pdata, blocks->len);

  if (common != NULL && common->is_block && blocks->len == 1)
    common = common->parent;
  return common != NULL && !common->is_block && !ls_sref_is_ancestor (common, block) ? common : NULL;
}

/* Reports each block that has to stand under the loop and does not. */
static gboolean
neighbours_are_under (Plan *self)
{
  GPtrArray *needed = self->to_consumers ? self->consumers : self->producers;
  LsSref *better = loop_around (needed, self->block);
  gboolean all = TRUE;

  for (guint i = 0; i < needed->len; i++)
    {
      LsSref *other = needed->pdata[i];
      LsDiagnostic *finding;

      if (ls_sref_is_ancestor (self->loop, other))
        continue;
      all = FALSE;
      finding = ls_move_refuse (self->move, self->diagnostics, "not-all-under-loop", other->stmt,
                                self->to_consumers ? "Block %s reads what %s writes, but does not stand under loop %s; compute_at requires all the consumers there."
                                                   : LS_TEXT ("Block %s writes what %s reads, but does not stand under loop %s; reverse_compute_at requires all the producers there."),
                                ls_sref_name (other), ls_sref_name (self->block), ls_sref_name (self->loop));
      ls_move_add_culprit (self->move, finding, self->loop->stmt);
      if (finding != NULL && better != NULL)
        ls_diagnostic_set_repair (finding, "%s(%s, %s)", self->move->instruction->name, ls_sref_name (self->block),
                                  ls_sref_name (better));
    }
  return all;
}

static gboolean
find_position (Plan *self)
{
  gint64 index = ls_move_int (self->move, INDEX);
  gint after = -1;
  gint before = (gint) n_statements (ls_sref_for (self->loop));
  LsSref *last = NULL;
  LsSref *first = NULL;
  LsDiagnostic *finding;

  for (guint i = 0; i < self->producers->len; i++)
    {
      gint at = position_of (self->loop, self->producers->pdata[i]);

      if (at > after)
        {
          after = at;
          last = self->producers->pdata[i];
        }
    }
  for (guint i = 0; i < self->consumers->len; i++)
    {
      gint at = position_of (self->loop, self->consumers->pdata[i]);

      if (at >= 0 && at < before)
        {
          before = at;
          first = self->consumers->pdata[i];
        }
    }
  if (after >= before)
    {
      finding = ls_move_refuse (self->move, self->diagnostics, "no-place", first->stmt,
                                "Under loop %s, %s reads what %s makes before %s has made what %s reads.",
                                ls_sref_name (self->loop), ls_sref_name (first), ls_sref_name (self->block),
                                ls_sref_name (last), ls_sref_name (self->block));
      ls_move_add_culprit (self->move, finding, last->stmt);
      return FALSE;
    }
  if (index < -2 || (index >= 0 && (index <= after || index > before)))
    {
      ls_move_refuse (self->move, self->diagnostics, "index", self->loop->stmt,
                      "Under loop %s block %s can stand at index %d to %d, or -1 (last) or -2 (first); not at %" PRId64 ".",
                      ls_sref_name (self->loop), ls_sref_name (self->block), after + 1, before, index);
      return FALSE;
    }
  self->position = (guint) (index == -1 ? before : index == -2 ? after + 1 : (gint) index);
  return TRUE;
}

/* ---- which iterations? -------------------------------------------------------- */

/* Sizes of the function's buffers are not negative. */
static void
know_shapes (Plan *self)
{
  LsPrimFunc *func = ls_state_func (self->move->state, self->root);

  for (guint i = 0; i < ls_array_n (func->buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (func->buffers, i, LsBuffer);

      for (guint d = 0; buffer != NULL && d < ls_buffer_ndim (buffer); d++)
        ls_analyzer_mark_global_non_neg (self->analyzer, ls_array_at (buffer->shape, d, LsExpr));
    }
}

static void
know_loops (Plan *self)
{
  for (LsSref *p = self->loop; !p->is_block; p = p->parent)
    ls_scope_bind (self->analyzer, LS_NODE (ls_sref_for (p)), LS_SCOPE_LOOPS);
}

static LsCoverage *
coverage_of (GPtrArray *coverages,
             LsBuffer  *buffer)
{
  for (guint i = 0; i < coverages->len; i++)
    if (((LsCoverage *) coverages->pdata[i])->buffer == buffer)
      return coverages->pdata[i];
  return NULL;
}

static GHashTable *
bindings_of (LsBlockRealize *realize)
{
  GHashTable *map = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (map, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  return map;
}

/* What `other` accesses during one iteration of the loop. */
static void
add_needed (Plan      *self,
            GPtrArray *coverages,
            LsSref    *other)
{
  LsBlock *block = ls_sref_block (other);
  LsArray *regions = self->to_consumers ? block->reads : block->writes;
  g_autoptr(GHashTable) bindings = bindings_of (ls_state_realize (self->move->state, other));

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);
      LsCoverage *coverage = coverage_of (coverages, region->buffer);
      g_autoptr(LsBufferRegion) open = NULL;
      g_autoptr(LsDomMap) loops = NULL;

      if (coverage == NULL)
        continue;
      open = ls_buffer_region_new (ls_ref (region->buffer), (LsArray *) ls_substitute (region->region, bindings));
      loops = ls_state_loop_domains (self->move->state, other->parent, self->loop,
                                     self->to_consumers ? ls_buffer_scope (region->buffer) : NULL);
      g_ptr_array_add (coverage->needed, ls_eval_region (open->region, loops));
    }
}

static gboolean
find_domains (Plan *self)
{
  LsBlock *block = ls_sref_block (self->block);
  LsArray *own = self->to_consumers ? block->writes : block->reads;
  GPtrArray *others = self->to_consumers ? self->consumers : self->producers;
  g_autoptr(GPtrArray) coverages = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_coverage_free);
  g_autofree char *reason = NULL;

  for (guint i = 0; i < ls_array_n (own); i++)
    {
      LsBufferRegion *region = ls_array_at (own, i, LsBufferRegion);
      LsCoverage *coverage = coverage_of (coverages, region->buffer);

      if (coverage == NULL)
        g_ptr_array_add (coverages, coverage = ls_coverage_new (region->buffer));
      g_ptr_array_add (coverage->touched, ls_nd_int_set_from_region (region->region));
    }
  for (guint i = 0; i < others->len; i++)
    add_needed (self, coverages, others->pdata[i]);
  self->n_domains = ls_array_n (block->iter_vars);
  self->domains = ls_cover_domains (block, coverages, self->analyzer, &reason);
  if (self->domains != NULL)
    return TRUE;
  ls_move_refuse (self->move, self->diagnostics, "region", block, "Block %s cannot be cut to what loop %s needs: %s.",
                  block->name_hint, ls_sref_name (self->loop), reason);
  return FALSE;
}

/* The domain of a variable of the block may speak of a loop around it, as that of j in i + 1 under a loop over i does: where that loop is not
 * around the new place, nothing says what it is.  (TVM v0.20 leaves a variable that no loop has.) */
static gboolean
domains_go_along (Plan *self)
{
  LsBlock *block = ls_sref_block (self->block);

  for (LsSref *p = self->block->parent; p != NULL && !p->is_block; p = p->parent)
    for (guint i = 0; i < ls_array_n (block->iter_vars) && !ls_sref_is_ancestor (p, self->loop); i++)
      {
        LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);
        LsVar *var = ls_sref_for (p)->loop_var;

        if (!ls_uses (iter->dom->min, var) && !ls_uses (iter->dom->extent, var))
          continue;
        ls_move_refuse (self->move, self->diagnostics, "domain", self->block->stmt,
                        "The domain of %s of block %s depends on loop %s, which is not around the new place.", iter->var->name, ls_sref_name (self->block),
                        var->name);
        return FALSE;
      }
  return TRUE;
}

static gboolean
plan_make (Plan          *self,
           LsMove        *move,
           LsDiagnostics *diagnostics,
           gboolean       to_consumers)
{
  gboolean legal;

  *self = (Plan) { .move = move, .diagnostics = diagnostics, .to_consumers = to_consumers };
  self->block = ls_move_sref (move, BLOCK);
  self->loop = ls_move_sref (move, LOOP);
  legal = ls_legal_scope (move, diagnostics, self->block, TRUE, &self->root);
  if (self->root == NULL)
    return FALSE;
  self->producers = ls_state_producers (move->state, self->block);
  self->consumers = ls_state_consumers (move->state, self->block);
  legal &= ls_legal_complete_or_reduction (move, diagnostics, self->block, self->root);
  legal &= makes_no_result (self);
  if (!loop_is_elsewhere (self))
    return FALSE;
  legal &= ls_legal_removal (move, diagnostics, self->block, &self->place, &self->rest);
  legal &= neighbours_are_under (self);
  legal &= find_position (self);
  if (!legal || !domains_go_along (self))
    return FALSE;
  self->analyzer = ls_analyzer_new ();
  know_shapes (self);
  know_loops (self);
  return find_domains (self);
}

/* ---- the new loops ------------------------------------------------------------ */

typedef struct {
  LsAnalyzer *analyzer;
  GPtrArray  *vars;             /* of LsVar: the new loops, outermost first */
  GPtrArray  *extents;          /* of LsExpr */
  GPtrArray  *values;           /* of LsExpr: the bindings */
  LsExpr     *predicate;
} Nest;

/* Takes `condition`. */
static void
require (Nest   *self,
         LsExpr *condition)
{
  if (ls_analyzer_can_prove_strength (self->analyzer, condition, LS_PROOF_SYMBOLIC_BOUND))
    ls_unref (condition);
  else
    self->predicate = ls_and (self->predicate, condition);
}

static void
nest_add (Nest         *self,
          LsIterVar    *iter,
          LsIterDomain *domain,
          gboolean      keep_unit)
{
  g_autoptr(LsRange) range = ls_int_set_cover_range (domain->dom, iter->dom);
  LsExpr *value = ls_ref (range->min);

  if (keep_unit || !ls_is_one (range->extent))
    {
      guint8 bits = MAX (ls_dtype (range->min).bits, ls_dtype (range->extent).bits);
      g_autofree char *name = g_strdup_printf ("ax%u", self->vars->len);
      LsVar *var = ls_var_new (name, LS_DTYPE (LS_TYPE_INT, bits));
      g_autoptr(LsRange) steps = ls_range_new (ls_const_int (ls_dtype (var), 0), ls_ref (range->extent));

      g_ptr_array_add (self->vars, var);
      g_ptr_array_add (self->extents, ls_analyzer_simplify (self->analyzer, range->extent));
      value = ls_add (value, ls_ref (LS_EXPR (var)));
      ls_analyzer_bind_range (self->analyzer, var, steps, FALSE);
    }
  if (ls_int_set_has_lower_bound (domain->bound))
    require (self, ls_ge (ls_ref (value), ls_ref (ls_int_set_min (domain->bound))));
  if (ls_int_set_has_upper_bound (domain->bound))
    require (self, ls_lt (ls_ref (value), ls_add (ls_ref (ls_int_set_max (domain->bound)), ls_int (1))));
  g_ptr_array_add (self->values, value);
}

static LsStmt *
nest_build (Nest            *self,
            LsBlock         *block,
            LsBlockRealize **realize)
{
  LsArray *values = ls_array_take_ptr_array (self->values);
  LsExpr *predicate = ls_analyzer_simplify (self->analyzer, self->predicate);
  LsStmt *stmt;

  *realize = ls_block_realize_new (values, predicate, ls_ref (block));
  stmt = LS_STMT (*realize);
  for (guint i = self->vars->len; i-- > 0;)
    {
      LsVar *var = self->vars->pdata[i];
      LsExpr *extent = ls_promote_const (ls_ref ((LsExpr *) self->extents->pdata[i]), ls_dtype (var));

      stmt = LS_STMT (ls_for_new (ls_ref (var), ls_const_int (ls_dtype (var), 0), extent, LS_FOR_SERIAL, stmt, NULL, NULL));
    }
  return stmt;
}

/* The block under its new loops; *realize (borrowed) is the innermost statement. (transfer full) */
static LsStmt *
make_nest (Plan            *plan,
           LsBlockRealize **realize)
{
  LsBlock *block = ls_sref_block (plan->block);
  g_autoptr(GPtrArray) vars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr(GPtrArray) extents = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr(GPtrArray) guard = ls_legal_guard (plan->move->state, plan->block, plan->loop);
  g_autoptr(GHashTable) values = g_hash_table_new (NULL, NULL);
  Nest nest = { plan->analyzer, vars, extents, g_ptr_array_new (), ls_bool (TRUE) };
  LsStmt *stmt;

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    nest_add (&nest, ls_array_at (block->iter_vars, i, LsIterVar), &plan->domains[i],
              ls_move_bool (plan->move, PRESERVE_UNIT_LOOPS));
  for (guint i = 0; i < nest.values->len; i++)
    g_hash_table_insert (values, ls_array_at (block->iter_vars, i, LsIterVar)->var, nest.values->pdata[i]);
  for (guint i = 0; i < guard->len; i++)
    require (&nest, (LsExpr *) ls_substitute (guard->pdata[i], values));
  stmt = nest_build (&nest, block, realize);
  ls_unref (nest.predicate);
  return stmt;
}

/* ---- the new scope ------------------------------------------------------------ */

typedef struct {
  Plan  *plan;
  LsFor *loop;                  /* the given one with the block in it */
  GHashTable *entered;          /* what is around both */
} Placement;

static LsNode *
place (LsRewriter *rewriter,
       LsNode     *node,
       gpointer    user_data)
{
  Placement *self = user_data;

  if (node == self->plan->loop->stmt)
    return LS_NODE (ls_ref (self->loop));
  if (node == self->plan->place->stmt)
    return ls_rewrite_default (rewriter, self->plan->rest);
  if (ls_rebuild_passes_by (node, self->entered))
    return ls_node_ref (node);
  if (ls_is (node, BLOCK) || ls_is_expr (node) || !(ls_is_stmt (node) || ls_is (node, ARRAY)))
    return ls_node_ref (node);
  return ls_rewrite_default (rewriter, node);
}

static LsFor *
loop_with (LsFor  *loop,
           guint   position,
           LsStmt *stmt)
{
  g_autoptr(LsArray) statements = NULL;
  g_autoptr(LsNode) body = NULL;

  if (ls_is (loop->body, SEQ_STMT))
    statements = ls_ref (((LsSeqStmt *) loop->body)->seq);
  else
    statements = ls_array_of (ls_ref (loop->body), NULL);
  body = ls_seq_stmt_new (ls_array_insert (statements, position, stmt));
  return ls_for_with_body (loop, body);
}

static LsBlock *
new_root (Plan  *plan,
          LsFor *loop)
{
  g_autoptr(GHashTable) entered = ls_state_entered (plan->move->state, plan->root, plan->loop, NULL, 0);
  Placement placement = { plan, loop, entered };
  LsBlock *root = ls_sref_block (plan->root);
  LsBlock *emptied = plan->place == plan->root ? (LsBlock *) plan->rest : root;
  g_autoptr(LsNode) body = NULL;

  ls_entered_add (entered, plan->place);
  body = ls_rewrite_with (emptied->body, place, &placement);
  return ls_block_with_body (root, body);
}

/* ---- lineage -------------------------------------------------------------------- */

/* Each new loop comes from the loops that its variable was bound to and that are gone. */
static void
note_loops (Plan           *plan,
            GPtrArray      *old_loops,
            GPtrArray      *old_vars,
            LsBlockRealize *before,
            LsBlockRealize *after)
{
  LsSref *p = plan->block->parent;

  for (; p != plan->loop; p = p->parent)
    for (guint i = 0; i < ls_array_n (after->iter_values); i++)
      {
        guint n = 0;

        if (!ls_uses (after->iter_values->items[i], ls_sref_for (p)->loop_var))
          continue;
        for (guint l = 0; l < old_loops->len; l++)
          n += ((LsSref *) old_loops->pdata[l])->stmt == NULL && ls_uses (before->iter_values->items[i], old_vars->pdata[l]);
        for (guint l = 0; l < old_loops->len; l++)
          if (((LsSref *) old_loops->pdata[l])->stmt == NULL && ls_uses (before->iter_values->items[i], old_vars->pdata[l]))
            ls_move_note (plan->move, n > 1 ? LS_LINEAGE_FUSED : LS_LINEAGE_CHANGED, p, old_loops->pdata[l]);
      }
}

static GPtrArray *
vars_of (GPtrArray *loops)
{
  GPtrArray *vars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < loops->len; i++)
    g_ptr_array_add (vars, ls_ref (ls_sref_for ((LsSref *) loops->pdata[i])->loop_var));
  return vars;
}

/* ---- rows ------------------------------------------------------------------------ */

/* What TVM allows though it may change the result. */
static void
doubt (Plan *plan)
{
  if (plan->to_consumers)
    {
      ls_doubt_order (plan->move, plan->diagnostics, plan->block, plan->loop, plan->producers, FALSE);
      return;
    }
  ls_doubt_order (plan->move, plan->diagnostics, plan->block, plan->loop, plan->consumers, TRUE);
  plan->nest = make_nest (plan, &plan->realize);
  ls_doubt_instances (plan->move, plan->diagnostics, plan->loop, plan->nest, plan->realize);
}

/* What stands for the move when the drawn place was "inline the block". */
static const LsInstruction *
inlining (gboolean to_consumers)
{
  return ls_instruction_get (to_consumers ? "compute_inline" : "reverse_compute_inline");
}

/* The plan stays with the move, for apply. */
static gboolean
check_to (LsMove        *move,
          LsDiagnostics *diagnostics,
          gboolean       to_consumers)
{
  guint mark = ls_move_mark (move, LOOP);
  Plan *plan;

  if (mark != 0)
    return mark == LS_MARK_ROOT ||
           inlining (to_consumers)->check (move, diagnostics);
  plan = g_new0 (Plan, 1);
  ls_move_keep (move, plan, (GDestroyNotify) plan_free);
  if (!plan_make (plan, move, diagnostics, to_consumers))
    return FALSE;
  if (diagnostics != NULL)
    doubt (plan);
  if (to_consumers)
    return TRUE;
  if (plan->nest == NULL)
    plan->nest = make_nest (plan, &plan->realize);
  return ls_legal_own_values (move, diagnostics, plan->loop, plan->producers, plan->nest, plan->realize);
}

static gboolean
apply_plan (LsMove *move)
{
  Plan *plan = move->kept;
  LsState *state = move->state;
  g_autoptr(GPtrArray) old_loops = ls_state_loops (state, plan->block);
  g_autoptr(GPtrArray) old_vars = vars_of (old_loops);
  g_autoptr(LsBlockRealize) before = ls_ref (ls_state_realize (state, plan->block));
  g_autoptr(LsFor) loop = NULL;
  g_autoptr(LsBlock) root = NULL;
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsDomMap) domains = NULL;

  if (plan->nest == NULL)
    plan->nest = make_nest (plan, &plan->realize);
  loop = loop_with (ls_sref_for (plan->loop), plan->position, plan->nest);
  root = new_root (plan, loop);
  ls_block_reuse_add (reuse, ls_sref_block (plan->root), root);
  ls_state_replace (state, plan->root, root, reuse);
  domains = ls_state_loop_domains (state, plan->block->parent, NULL, NULL);
  plan->block->affine_binding = ls_is_affine_binding (plan->realize, domains, plan->analyzer);
  ls_state_touch (plan->move->state, plan->block);
  note_loops (plan, old_loops, old_vars, before, plan->realize);
  return TRUE;
}

static gboolean
apply_to (LsMove        *move,
          LsDiagnostics *diagnostics,
          gboolean       to_consumers)
{
  guint mark = ls_move_mark (move, LOOP);

  if (mark == 0)
    return apply_plan (move);
  return mark == LS_MARK_ROOT ||
         inlining (to_consumers)->apply (move, diagnostics);
}

static gboolean
apply_compute_at (LsMove        *move,
                  LsDiagnostics *diagnostics)
{
  return apply_to (move, diagnostics, TRUE);
}

static gboolean
apply_reverse_compute_at (LsMove        *move,
                          LsDiagnostics *diagnostics)
{
  return apply_to (move, diagnostics, FALSE);
}

static gboolean
check_compute_at (LsMove        *move,
                  LsDiagnostics *diagnostics)
{
  return check_to (move, diagnostics, TRUE);
}

static gboolean
check_reverse_compute_at (LsMove        *move,
                          LsDiagnostics *diagnostics)
{
  return check_to (move, diagnostics, FALSE);
}

const LsInstruction ls_instruction_compute_at = {
  .name = "compute_at",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_REORDERS,
  .summary = LS_TEXT ("Moves a block under a loop of the blocks that read its result"),
  .condition = "Every buffer of the scope is written before it is read. The block is complete or a reduction and writes no "
               "result of the function. The loop is in the same outer block and not around the block; all blocks that read "
               "its result stand under the loop, behind those that it reads from.",
  .source = "TVM v0.20 tir.Schedule.compute_at",
  .check = check_compute_at,
  .apply = apply_compute_at,
};

const LsInstruction ls_instruction_reverse_compute_at = {
  .name = "reverse_compute_at",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_REORDERS,
  .summary = LS_TEXT ("Moves a block under a loop of the blocks whose results it reads"),
  .condition = "Every buffer of the scope is written before it is read. The block is complete or a reduction. The loop is in "
               "the same outer block and not around the block; all blocks whose results it reads stand under the loop, "
               "before those that read its own.",
  .source = "TVM v0.20 tir.Schedule.reverse_compute_at",
  .check = check_reverse_compute_at,
  .apply = apply_reverse_compute_at,
};
