/* loop_partition: a loop is cut into several loops over parts of its range.
 *
 *   for i in range (128): B     -- [2, 64] ->      B_i_common:
 *                                                    B_i0_partition: for i0 in range (2): B_i0
 *                                                    B_i1_partition: for i1 in range (2, 66): B_i1
 *                                                    B_i2_partition: for i2 in range (66, 128): B_i2
 *
 * Each part is a copy of the body with variables of its own.  A block variable that the loop binds alone gets the part as
 * its domain, and regions that plain variables index are those variables' domains.  What the blocks around the parts
 * read and write is not said.  Source: TVM's tir loop_partition.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/base/plural.h"

enum { LOOP, FACTORS, PRESERVE_UNIT_ITERS };

static const LsParam params[] = {
  { "loop", LS_PARAM_LOOP, 0, NULL, "the loop" },
  { "factors", LS_PARAM_FACTORS, 0, NULL, "how long the parts are; one may be None: the rest" },
  { "preserve_unit_iters", LS_PARAM_BOOL, 0, "True", "kept for TVM's sake; it changes nothing" },
};

/* ---- check ----------------------------------------------------------------------- */

/* The first block of the body, or NULL with a finding. */
static LsBlock *
legal_chain (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsSref        *loop)
{
  LsNode *stmt = ls_sref_for (loop)->body;

  while (ls_is (stmt, FOR))
    stmt = ((LsFor *) stmt)->body;
  if (ls_is (stmt, BLOCK_REALIZE))
    return ((LsBlockRealize *) stmt)->block;
  ls_move_refuse (move, diagnostics, "not-a-chain", loop->stmt, "Loop %s holds more than one nest with a block.", ls_sref_name (loop));
  return NULL;
}

static gboolean
legal_factors (LsMove        *move,
               LsDiagnostics *diagnostics,
               LsFor         *loop,
               gint64         extent)
{
  LsArray *factors = ls_move_array (move, FACTORS);
  LsDiagnostic *finding;
  gint64 total = 0;
  gint open = -1;

  for (guint i = 0; i < factors->n; i++)
    {
      g_autoptr(LsExpr) factor = ls_move_expr (move, factors->items[i]);
      gint64 value = 0;

      if (factor == NULL && open >= 0)
        {
          ls_move_refuse (move, diagnostics, "two-open-factors", loop, "One factor may be None, not several.");
          return FALSE;
        }
      if (factor == NULL)
        {
          open = (gint) i;
          continue;
        }
      if (!ls_as_int (factor, &value) || value <= 0)
        {
          ls_move_refuse (move, diagnostics, "factor", loop, ls_as_int (factor, &value) ? "Factor number %u of loop %s is not a positive number."
                                                     : LS_TEXT ("Factor number %u of loop %s is not known to be a positive number."),
                          i, loop->loop_var->name);
          return FALSE;
        }
      total = value > G_MAXINT64 - total ? G_MAXINT64 : total + value;
    }
  if (total < extent)
    return TRUE;
  finding = ls_move_refuse (move, diagnostics, "too-long", loop, ls_translate_plural ("The parts of loop %s add up to %" PRId64 "; they have to leave some of its %" PRId64 " iteration.",
                                                 "The parts of loop %s add up to %" PRId64 "; they have to leave some of its %" PRId64 " iterations.", (gulong) extent), loop->loop_var->name, total, extent);
  if (finding != NULL)
    ls_diagnostic_set_repair (finding, "Give factors that add up to less than %" PRId64 "; the rest is the last part.", extent);
  return FALSE;
}

/* The block variable that the loop binds alone: the first one. -1: none. */
static gint
bound_variable (LsBlockRealize *realize,
                LsVar          *loop_var)
{
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    if (realize->iter_values->items[i] == LS_NODE (loop_var))
      return (gint) i;
  return -1;
}

/* The init of a block runs at the first value of its reduction variables, and each part has a first one. */
static gboolean
legal_reduction (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 LsSref        *sref)
{
  LsFor *loop = ls_sref_for (sref);
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (move->state, sref);

  for (guint i = 0; i < blocks->len; i++)
    {
      LsBlockRealize *realize = ls_state_realize (move->state, blocks->pdata[i]);
      gint bound = bound_variable (realize, loop->loop_var);
      LsDiagnostic *finding;

      if (bound < 0 || realize->block->init == NULL || ls_array_at (realize->block->iter_vars, bound, LsIterVar)->iter_type != LS_ITER_COMM_REDUCE)
        continue;
      finding = ls_move_refuse (move, diagnostics, "init", realize->block, "Block %s adds up over %s; each part would run its init again.",
                                realize->block->name_hint, loop->loop_var->name);
      ls_move_add_culprit (move, finding, LS_NODE (loop));
      if (finding != NULL)
        ls_diagnostic_set_repair (finding, "decompose_reduction (%s, %s)", realize->block->name_hint, loop->loop_var->name);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, LOOP);
  LsFor *loop = ls_sref_for (sref);
  gint64 min, extent;

  if (!ls_legal_plain_loop (move, diagnostics, sref) || legal_chain (move, diagnostics, sref) == NULL || !legal_reduction (move, diagnostics, sref))
    return FALSE;
  if (!ls_as_int (loop->min, &min) || !ls_as_int (loop->extent, &extent))
    {
      ls_move_refuse (move, diagnostics, "not-constant", loop, "The range of loop %s is not known; loop_partition needs numbers.", loop->loop_var->name);
      return FALSE;
    }
  if (!legal_factors (move, diagnostics, loop, extent))
    return FALSE;
  if (min != 0)
    ls_move_warn (move, diagnostics, "not-from-zero", loop, "Loop %s starts at %" PRId64 ", but parts are counted from 0.", loop->loop_var->name, min);
  ls_move_warn (move, diagnostics, "undeclared", loop,
                "The block around the parts of loop %s declares nothing that it reads or writes; later steps may move other blocks wrongly.",
                loop->loop_var->name);
  return TRUE;
}

/* ---- one part ---------------------------------------------------------------------- */

typedef struct {
  LsVar  *loop_var;             /* of the part */
  LsExpr *begin;
  LsExpr *end;
} Part;

/* Buffers that are indexed by plain variables: LsBuffer name -> LsArray of Var (borrowed). */
static LsWalk
collect_plain (LsNode   *node,
               gpointer  user_data)
{
  GHashTable *plain = user_data;
  LsBuffer *buffer = ls_is (node, BUFFER_LOAD) ? ((LsBufferLoad *) node)->buffer : ls_is (node, BUFFER_STORE) ? ((LsBufferStore *) node)->buffer : NULL;
  LsArray *indices = buffer == NULL ? NULL : ls_is (node, BUFFER_LOAD) ? ((LsBufferLoad *) node)->indices : ((LsBufferStore *) node)->indices;

  if (indices == NULL || g_hash_table_contains (plain, buffer->name))
    return LS_WALK_CONTINUE;
  for (guint i = 0; i < indices->n; i++)
    if (!ls_is_var (indices->items[i]))
      return LS_WALK_CONTINUE;
  g_hash_table_insert (plain, buffer->name, indices);
  return LS_WALK_CONTINUE;
}

static LsRange *
domain_named (LsArray    *iter_vars,
              const char *name)
{
  for (guint i = 0; i < ls_array_n (iter_vars); i++)
    if (strcmp (ls_array_at (iter_vars, i, LsIterVar)->var->name, name) == 0)
      return ls_array_at (iter_vars, i, LsIterVar)->dom;
  return NULL;
}

/* The region as the domains of the variables that index the buffer; as it is when one has none. (transfer full) */
static LsBufferRegion *
domain_region (LsBufferRegion *region,
               LsArray        *indices,
               LsArray        *iter_vars)
{
  GPtrArray *ranges;

  for (guint i = 0; i < ls_array_n (indices); i++)
    if (domain_named (iter_vars, ls_array_at (indices, i, LsVar)->name) == NULL)
      return ls_ref (region);
  if (indices == NULL)
    return ls_ref (region);
  ranges = g_ptr_array_new ();
  for (guint i = 0; i < indices->n; i++)
    g_ptr_array_add (ranges, ls_ref (domain_named (iter_vars, ls_array_at (indices, i, LsVar)->name)));
  return ls_buffer_region_new (ls_ref (region->buffer), ls_array_take_ptr_array (ranges));
}

static LsArray *
domain_regions (LsArray    *regions,
                GHashTable *plain,
                LsArray    *iter_vars)
{
  GPtrArray *changed = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (regions); i++)
    {
      LsBufferRegion *region = ls_array_at (regions, i, LsBufferRegion);

      g_ptr_array_add (changed, domain_region (region, g_hash_table_lookup (plain, region->buffer->name), iter_vars));
    }
  return ls_array_take_ptr_array (changed);
}

/* A copy of the block for the part; `bound` is the number of the variable that the loop binds alone, -1: none. (transfer full) */
static LsBlock *
part_block (Part    *self,
            LsBlock *block,
            gint     bound)
{
  g_autofree char *name = g_strdup_printf ("%s_%s", block->name_hint, self->loop_var->name);
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  g_autoptr(GHashTable) plain = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(LsArray) iter_vars = NULL;
  g_autoptr(LsBlock) fresh = NULL;
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *old = ls_array_at (block->iter_vars, i, LsIterVar);
      LsVar *var = ls_var_copy (old->var, NULL);
      LsDType dtype = ls_dtype (var);
      g_autoptr(LsExpr) length = ls_sub (ls_cast (dtype, ls_ref (self->end)), ls_cast (dtype, ls_ref (self->begin)));
      LsRange *dom = (gint) i == bound ? ls_range_new (ls_cast (dtype, ls_ref (self->begin)), ls_ref (length)) : ls_ref (old->dom);

      g_hash_table_insert (map, old->var, var);
      g_ptr_array_add (list, ls_iter_var_new (dom, var, (LsIterType) old->iter_type, old->thread_tag));
    }
  iter_vars = ls_array_take_ptr_array (list);
  if (bound >= 0)
    ls_walk (block->body, collect_plain, NULL, plain);
  fresh = ls_block_new (ls_ref (iter_vars), domain_regions (block->reads, plain, iter_vars), domain_regions (block->writes, plain, iter_vars), name,
                        ls_ref (block->body), ls_ref (block->init), ls_ref (block->alloc_buffers), ls_ref (block->match_buffers),
                        ls_ref (block->annotations));
  return (LsBlock *) ls_substitute (fresh, map);
}

static LsNode *
copy_part (LsRewriter *rewriter,
           LsNode     *node,
           gpointer    user_data)
{
  Part *self = user_data;
  g_autoptr(LsNode) fresh = NULL;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  fresh = ls_rewrite_default (rewriter, node);
  if (ls_is (node, BLOCK_REALIZE))
    {
      LsBlockRealize *realize = (LsBlockRealize *) fresh;
      gint bound = bound_variable (realize, self->loop_var);

      return LS_NODE (ls_block_realize_new (ls_ref (realize->iter_values), ls_ref (realize->predicate), part_block (self, realize->block, bound)));
    }
  if (ls_is (node, FOR))
    {
      LsFor *loop = (LsFor *) fresh;
      g_autoptr(LsVar) var = ls_var_copy (loop->loop_var, NULL);

      return LS_NODE (ls_for_new (ls_ref (var), ls_ref (loop->min), ls_ref (loop->extent), (LsForKind) loop->kind,
                                  ls_substitute_one (loop->body, loop->loop_var, LS_EXPR (var)), ls_ref (loop->thread_binding), ls_ref (loop->annotations)));
    }
  return g_steal_pointer (&fresh);
}

/* ---- apply ---------------------------------------------------------------------------- */

/* Where the parts end, the last one at the extent. (transfer full) of LsExpr */
static GPtrArray *
part_ends (LsMove *move,
           LsFor  *loop)
{
  GPtrArray *ends = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsArray *factors = ls_move_array (move, FACTORS);
  gint64 extent = 0, total = 0, end = 0;
  gboolean open = FALSE;

  ls_as_int (loop->extent, &extent);
  for (guint i = 0; i < factors->n; i++)
    {
      open |= factors->items[i] == NULL;
      if (factors->items[i] != NULL)
        {
          g_autoptr(LsExpr) factor = ls_move_expr (move, factors->items[i]);
          gint64 value = 0;

          ls_as_int (factor, &value);
          total += value;
        }
    }
  for (guint i = 0; i < factors->n; i++)
    {
      g_autoptr(LsExpr) factor = ls_move_expr (move, factors->items[i]);
      gint64 value = extent - total;

      if (factor != NULL)
        ls_as_int (factor, &value);
      end += value;
      g_ptr_array_add (ends, ls_const_int (ls_dtype (loop->extent), end));
    }
  if (!open)
    g_ptr_array_add (ends, ls_ref (loop->extent));
  return ends;
}

static LsDType
widest (LsMove *move,
        LsFor  *loop)
{
  LsArray *factors = ls_move_array (move, FACTORS);
  guint bits = ls_dtype (loop->loop_var).bits;

  for (guint i = 0; i < factors->n; i++)
    if (factors->items[i] != NULL)
      bits = MAX (bits, MIN (ls_dtype (factors->items[i]).bits, ls_dtype (loop->extent).bits));
  return LS_DTYPE (LS_TYPE_INT, bits);
}

static LsStmt *
make_part (LsFor  *loop,
           LsDType dtype,
           LsExpr *begin,
           LsExpr *end,
           guint   number)
{
  g_autofree char *name = g_strdup_printf ("%s%u", loop->loop_var->name, number);
  LsVar *var = ls_var_new (name, dtype);
  g_autoptr(LsNode) body = ls_substitute_one (loop->body, loop->loop_var, LS_EXPR (var));
  Part part = { var, begin, end };

  ls_take (&body, ls_rewrite_with (body, copy_part, &part));
  return LS_STMT (ls_for_new (var, ls_promote_const (ls_ref (begin), dtype), ls_promote_const (ls_sub (ls_ref (end), ls_ref (begin)), dtype),
                              LS_FOR_SERIAL, g_steal_pointer (&body), NULL, NULL));
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, LOOP);
  LsFor *loop = ls_sref_for (sref);
  LsBlock *first = legal_chain (move, NULL, sref);
  LsSref *root = ls_state_scope_root (move->state, sref);
  g_autofree char *common_name = g_strdup_printf ("%s_%s_common", first->name_hint, loop->loop_var->name);
  g_autoptr(GPtrArray) ends = part_ends (move, loop);
  g_autoptr(GPtrArray) loops = g_ptr_array_new ();
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsBlockRealize) common = NULL;
  GPtrArray *parts = g_ptr_array_new ();
  gboolean affine = root != NULL && root->affine_binding;

  for (guint i = 0; i < ends->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s_%s%u_partition", first->name_hint, loop->loop_var->name, i);
      LsStmt *nest = make_part (loop, widest (move, loop), i > 0 ? ends->pdata[i - 1] : loop->min, ends->pdata[i], i);

      g_ptr_array_add (loops, nest);
      g_ptr_array_add (parts, ls_block_realize_new (NULL, ls_bool (TRUE), ls_block_new (NULL, NULL, NULL, name, nest, NULL, NULL, NULL, NULL)));
    }
  common = ls_block_realize_new (NULL, ls_bool (TRUE), ls_block_new (NULL, NULL, NULL, common_name, ls_seq (ls_array_take_ptr_array (parts)), NULL, NULL, NULL, NULL));
  ls_state_replace (move->state, sref, common, reuse);
  if (root != NULL)
    {
      ls_state_update_flags (move->state, root);
      root->affine_binding = affine;
    }
  for (guint i = 0; i < loops->len; i++)
    {
      LsSref *made = ls_state_sref (move->state, loops->pdata[i]);

      ls_move_note (move, LS_LINEAGE_SPLIT, made, sref);
      ls_move_result (move, made);
    }
  return TRUE;
}

const LsInstruction ls_instruction_loop_partition = {
  .name = "loop_partition",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_LOOPS,
  .summary = LS_TEXT ("Cuts a loop into several loops over parts of its range"),
  .condition = "The loop has neither annotations nor a thread binding, its range is known, and it holds one nest with a block "
               "that does not start adding up over it. Factors are at least 1, at most one is None, and they add up to less than the extent.",
  .source = "TVM v0.20 tir.Schedule.loop_partition",
  .check = check,
  .apply = apply,
};
