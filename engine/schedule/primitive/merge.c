/* merge: several loop nests of the same shape become one nest whose body does what all of them did, in turn.
 *
 *   for i, j: X                 for i_m, j_m:
 *   for i, k: Y        ->         X
 *                                 Y
 *
 * The nests go from the given loops up to the lowest place around all of them; the merged nest stands where the last of
 * them stood.  As in TVM, a nest may need what another makes; that is only warned of.  Source: TVM's tir merge.
 */
#include "engine/schedule/primitive/primitive.h"

enum { LOOPS };

static const LsParam params[] = {
  { "loops", LS_PARAM_LOOPS, LS_PARAM_VARIADIC, NULL, "the innermost loops of the nests, in the order in which their bodies run" },
};

/* One nest: its loops from the given one up. (transfer container) */
static GPtrArray *
nest_of (LsSref *loop,
         LsSref *top)
{
  GPtrArray *nest = g_ptr_array_new ();

  for (LsSref *p = loop; p != top; p = p->parent)
    if (!p->is_block)
      g_ptr_array_add (nest, p);
  return nest;
}

/* ---- check ------------------------------------------------------------------- */

static gboolean
legal_nest (LsMove        *move,
            LsDiagnostics *diagnostics,
            GPtrArray     *nest)
{
  gboolean legal = TRUE;

  for (guint i = 0; i < nest->len; i++)
    {
      legal &= ls_legal_plain_loop (move, diagnostics, nest->pdata[i]);
      legal &= ls_legal_starts_at_zero (move, diagnostics, nest->pdata[i]);
    }
  for (guint i = 1; i < nest->len; i++)
    if (ls_sref_for ((LsSref *) nest->pdata[i])->body != ((LsSref *) nest->pdata[i - 1])->stmt)
      {
        ls_move_refuse (move, diagnostics, "not-a-chain", ((LsSref *) nest->pdata[i])->stmt, "Loop %s holds more than loop %s.",
                        ls_sref_name (nest->pdata[i]), ls_sref_name (nest->pdata[i - 1]));
        legal = FALSE;
      }
  return legal;
}

static gboolean
same_shape (LsMove        *move,
            LsDiagnostics *diagnostics,
            GPtrArray     *first,
            GPtrArray     *other)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  LsDiagnostic *finding;

  if (other->len != first->len)
    {
      finding = ls_move_refuse (move, diagnostics, "different-depth", ((LsSref *) other->pdata[0])->stmt,
                                "Loop %s is one of %u nested loops, loop %s one of %u; merged nests have to be equally deep.",
                                ls_sref_name (first->pdata[0]), first->len, ls_sref_name (other->pdata[0]), other->len);
      ls_move_add_culprit (move, finding, ((LsSref *) first->pdata[0])->stmt);
      return FALSE;
    }
  for (guint i = 0; i < first->len; i++)
    if (!ls_analyzer_can_prove_equal (analyzer, ls_sref_for ((LsSref *) first->pdata[i])->extent,
                                      ls_sref_for ((LsSref *) other->pdata[i])->extent))
      {
        finding = ls_move_refuse (move, diagnostics, "different-extent", ((LsSref *) other->pdata[i])->stmt,
                                  "Loops %s and %s do not run equally often.", ls_sref_name (first->pdata[i]), ls_sref_name (other->pdata[i]));
        ls_move_add_culprit (move, finding, ((LsSref *) first->pdata[i])->stmt);
        return FALSE;
      }
  return TRUE;
}

static gboolean
legal_places (LsMove        *move,
              LsDiagnostics *diagnostics,
              GPtrArray     *loops,
              LsSref        *top)
{
  LsSref *root = ls_state_scope_root (move->state, loops->pdata[0]);

  for (guint i = 0; i < loops->len; i++)
    {
      LsSref *loop = loops->pdata[i];

      if (loop == top)
        {
          ls_move_refuse (move, diagnostics, "nested", loop->stmt, "Loop %s stands around the others; merge takes loops beside each other.",
                          ls_sref_name (loop));
          return FALSE;
        }
      if (ls_state_scope_root (move->state, loop) != root)
        {
          ls_move_refuse (move, diagnostics, "other-scope", loop->stmt, "Loops %s and %s stand in different blocks.",
                          ls_sref_name (loops->pdata[0]), ls_sref_name (loop));
          return FALSE;
        }
    }
  return TRUE;
}

/* The number of the loop that a block stands under, or the number of loops when it is none of them. */
static guint
nest_with (GPtrArray *loops,
           LsSref    *block)
{
  guint i = 0;

  while (i < loops->len && !ls_sref_is_ancestor (loops->pdata[i], block))
    i++;
  return i;
}

static gboolean
doubt_dep (LsMove        *move,
           LsDiagnostics *diagnostics,
           GPtrArray     *loops,
           LsDep         *dep)
{
  guint from = nest_with (loops, dep->src);
  guint to = nest_with (loops, dep->dst);
  LsDiagnostic *finding;

  if (from == to || (from + 1 == loops->len && to == loops->len) || (from == loops->len && to + 1 == loops->len))
    return FALSE;
  finding = ls_move_warn (move, diagnostics, "order", dep->dst->stmt,
                          "Block %s depends on block %s; merging their loops, or moving one past the other, may change the result.",
                          ls_sref_name (dep->dst), ls_sref_name (dep->src));
  ls_move_add_culprit (move, finding, dep->src->stmt);
  return TRUE;
}

static gint
compare_order (gconstpointer a,
               gconstpointer b)
{
  const LsSref *x = *(LsSref * const *) a, *y = *(LsSref * const *) b;

  return x->order < y->order ? -1 : x->order > y->order;
}

/* The blocks of the scope under the loops, and those that depend on them, in order. (transfer container) */
static GPtrArray *
dependent_blocks (LsState   *state,
                  LsScope   *scope,
                  GPtrArray *loops)
{
  g_autoptr(GHashTable) found = g_hash_table_new (NULL, NULL);
  GPtrArray *blocks = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer block;

  for (guint l = 0; l < loops->len; l++)
    {
      g_autoptr(GPtrArray) inside = ls_state_child_blocks (state, loops->pdata[l]);

      for (guint i = 0; i < inside->len; i++)
        {
          g_autoptr(GArray) deps = ls_scope_deps_from (scope, inside->pdata[i]);

          g_hash_table_add (found, inside->pdata[i]);
          for (guint k = 0; k < deps->len; k++)
            g_hash_table_add (found, g_array_index (deps, LsDep, k).dst);
        }
    }
  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, &block, NULL))
    g_ptr_array_add (blocks, block);
  g_ptr_array_sort (blocks, compare_order);
  return blocks;
}

/* Warns where a block that moves depends on one that it now runs with or passes. */
static void
doubt_order (LsMove        *move,
             LsDiagnostics *diagnostics,
             GPtrArray     *loops)
{
  LsScope *scope = ls_state_scope (move->state, ls_state_scope_root (move->state, loops->pdata[0]));
  g_autoptr(GPtrArray) blocks = dependent_blocks (move->state, scope, loops);

  for (guint i = 0; i < blocks->len; i++)
    {
      g_autoptr(GArray) deps = ls_scope_deps_to (scope, blocks->pdata[i]);

      for (guint k = 0; k < deps->len; k++)
        if (doubt_dep (move, diagnostics, loops, &g_array_index (deps, LsDep, k)))
          return;
    }
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(GPtrArray) loops = ls_move_srefs (move, LOOPS);
  g_autoptr(GPtrArray) first = NULL;
  gboolean legal = TRUE;
  LsSref *top;

  if (loops->len < 2)
    {
      ls_move_refuse (move, diagnostics, "too-few", NULL, "merge takes at least two loops.");
      return FALSE;
    }
  top = ls_sref_common ((LsSref **) loops->pdata, loops->len);
  if (!ls_legal_not_root (move, diagnostics, loops->pdata[0]) || !legal_places (move, diagnostics, loops, top))
    return FALSE;
  first = nest_of (loops->pdata[0], top);
  for (guint i = 0; i < loops->len; i++)
    {
      g_autoptr(GPtrArray) nest = nest_of (loops->pdata[i], top);

      legal &= legal_nest (move, diagnostics, nest);
      if (i > 0)
        legal &= same_shape (move, diagnostics, first, nest);
    }
  if (legal && diagnostics != NULL)
    doubt_order (move, diagnostics, loops);
  return legal;
}

/* ---- apply -------------------------------------------------------------------- */

/* The merged nest; *innermost is its innermost loop. (transfer full) */
static LsStmt *
merged_nest (GPtrArray  *nests,
             LsNode    **innermost)
{
  GPtrArray *first = nests->pdata[0];
  g_autoptr(GPtrArray) vars = g_ptr_array_new ();
  GPtrArray *bodies = g_ptr_array_new ();
  LsStmt *nest;

  for (guint j = 0; j < first->len; j++)
    {
      LsVar *old = ls_sref_for ((LsSref *) first->pdata[j])->loop_var;
      g_autofree char *name = g_strconcat (old->name, "_m", NULL);

      g_ptr_array_add (vars, ls_var_copy (old, name));
    }
  for (guint i = 0; i < nests->len; i++)
    {
      g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
      GPtrArray *loops = nests->pdata[i];

      for (guint j = 0; j < loops->len; j++)
        g_hash_table_insert (map, ls_sref_for ((LsSref *) loops->pdata[j])->loop_var, vars->pdata[j]);
      g_ptr_array_add (bodies, ls_substitute (ls_sref_for ((LsSref *) loops->pdata[0])->body, map));
    }
  nest = ls_seq (ls_array_take_ptr_array (bodies));
  for (guint j = 0; j < first->len; j++)
    {
      LsExpr *extent = ls_sref_for ((LsSref *) first->pdata[j])->extent;

      nest = LS_STMT (ls_for_new (vars->pdata[j], ls_const_int (ls_dtype (vars->pdata[j]), 0), ls_ref (extent), LS_FOR_SERIAL, nest, NULL, NULL));
      if (j == 0)
        *innermost = nest;
    }
  return nest;
}

typedef struct {
  LsBlock   *root;
  LsSref    *top;               /* the nests stand directly below it */
  GPtrArray *gone;              /* of LsNode: outermost loops of the nests; the merged one takes the place of the last */
  LsStmt    *merged;
} Placement;

static LsNode *
place (LsRewriter *rewriter,
       LsNode     *node,
       gpointer    user_data)
{
  Placement *self = user_data;
  g_autoptr(LsNode) fresh = NULL;

  if (ls_is_expr (node) || (ls_is (node, BLOCK) && node != LS_NODE (self->root)))
    return ls_node_ref (node);
  if (node == self->gone->pdata[self->gone->len - 1])
    return ls_node_ref (self->merged);
  if (g_ptr_array_find (self->gone, node, NULL))
    return ls_evaluate_zero ();
  if (ls_rebuild_can_skip (node, self->top, 0))
    return ls_node_ref (node);
  fresh = ls_rewrite_default (rewriter, node);
  return ls_is (node, SEQ_STMT) && fresh != node ? ls_seq (ls_ref (((LsSeqStmt *) fresh)->seq)) : g_steal_pointer (&fresh);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(GPtrArray) loops = ls_move_srefs (move, LOOPS);
  LsSref *top = ls_sref_common ((LsSref **) loops->pdata, loops->len);
  LsSref *root = ls_state_scope_root (move->state, loops->pdata[0]);
  g_autoptr(GPtrArray) nests = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  g_autoptr(GPtrArray) gone = g_ptr_array_new ();
  g_autoptr(LsNode) merged = NULL;
  g_autoptr(LsNode) new_root = NULL;
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  Placement placement = { ls_sref_block (root), top, gone, NULL };
  LsNode *innermost = NULL;
  LsNode *level;

  for (guint i = 0; i < loops->len; i++)
    {
      GPtrArray *nest = nest_of (loops->pdata[i], top);

      g_ptr_array_add (nests, nest);
      g_ptr_array_add (gone, ((LsSref *) nest->pdata[nest->len - 1])->stmt);
    }
  merged = merged_nest (nests, &innermost);
  placement.merged = merged;
  new_root = ls_rewrite_with (root->stmt, place, &placement);
  ls_block_reuse_add (reuse, ls_sref_block (root), (LsBlock *) new_root);
  ls_state_replace (move->state, root, new_root, reuse);
  level = merged;
  for (guint j = ((GPtrArray *) nests->pdata[0])->len; j-- > 0; level = ((LsFor *) level)->body)
    for (guint i = 0; i < nests->len; i++)
      ls_move_note (move, LS_LINEAGE_FUSED, ls_state_sref (move->state, level), ((GPtrArray *) nests->pdata[i])->pdata[j]);
  ls_move_result (move, ls_state_sref (move->state, innermost));
  return TRUE;
}

const LsInstruction ls_instruction_merge = {
  .name = "merge",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_LOOP,
  .flags = LS_INSTRUCTION_REORDERS,
  .summary = LS_TEXT ("Makes one loop nest of several that have the same shape"),
  .condition = "The loops stand beside each other in one block, in nests of the same depth and extents. They start at 0, have "
               "neither annotations nor thread bindings, and each loop of a nest holds nothing but the next.",
  .source = "TVM v0.20 tir.Schedule.merge",
  .check = check,
  .apply = apply,
};
