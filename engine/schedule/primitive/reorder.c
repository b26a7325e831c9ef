/* reorder: the loops of a chain change places.
 *
 *   for i: for j: body      ->      for j: for i: body
 *
 * The places that the given loops take in the chain are filled with them in the given order; loops between them stay
 * where they are.  Source: TVM's tir reorder.
 */
#include "engine/schedule/primitive/primitive.h"

enum { ORDERED_LOOPS };

static const LsParam params[] = {
  { "ordered_loops", LS_PARAM_LOOPS, LS_PARAM_VARIADIC, NULL, "the loops in their new order, outermost first" },
};

/* The chain from the deepest of the given loops up to the highest, deepest first; NULL when they are on no chain. */
static GPtrArray *
find_chain (LsMove        *move,
            LsDiagnostics *diagnostics,
            GPtrArray     *loops)
{
  g_autoptr(GPtrArray) path = NULL;
  GPtrArray *chain = g_ptr_array_new ();
  LsSref *bottom = loops->pdata[0];
  guint n_left = loops->len;
  LsDiagnostic *finding;

  for (guint i = 1; i < loops->len; i++)
    if (ls_sref_is_ancestor (bottom, loops->pdata[i]))
      bottom = loops->pdata[i];
  for (LsSref *p = bottom; p != NULL && !p->is_block && n_left > 0; p = p->parent)
    {
      g_ptr_array_add (chain, p);
      if (g_ptr_array_find (loops, p, NULL))
        n_left--;
    }
  if (n_left == 0)
    return chain;
  for (guint i = 0; i < loops->len; i++)
    if (!g_ptr_array_find (chain, loops->pdata[i], NULL))
      {
        finding = ls_move_refuse (move, diagnostics, "not-a-chain", ((LsSref *) loops->pdata[i])->stmt,
                                  "%s and %s are not nested in each other inside one block.",
                                  ls_sref_name (loops->pdata[i]), ls_sref_name (bottom));
        ls_move_add_culprit (move, finding, bottom->stmt);
      }
  g_ptr_array_unref (chain);
  return NULL;
}

static gboolean
is_single_branch (LsMove        *move,
                  LsDiagnostics *diagnostics,
                  GPtrArray     *chain)
{
  gboolean legal = TRUE;

  for (guint i = 0; i + 1 < chain->len; i++)
    {
      LsSref *inner = chain->pdata[i];
      LsSref *outer = chain->pdata[i + 1];

      if (ls_sref_for (outer)->body == inner->stmt)
        continue;
      ls_move_refuse (move, diagnostics, "not-single-branch", outer->stmt,
                      "%s holds more than %s; between the loops nothing else may stand.", ls_sref_name (outer), ls_sref_name (inner));
      legal = FALSE;
    }
  return legal;
}

static gboolean
is_partly_affine (LsMove *move,
                  LsSref *block,
                  LsSref *limit)
{
  g_autoptr(LsAnalyzer) analyzer = NULL;
  g_autoptr(LsDomMap) loops = NULL;

  if (block->affine_binding)
    return TRUE;
  if (limit == NULL || block->parent == NULL)
    return FALSE;
  analyzer = ls_analyzer_new ();
  loops = ls_state_loop_domains (move->state, block->parent, limit, NULL);
  return ls_is_affine_binding (ls_state_realize (move->state, block), loops, analyzer);
}

static gboolean
blocks_allow_it (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 LsSref        *top,
                 LsSref        *bottom)
{
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (move->state, bottom);
  gboolean legal = TRUE;

  for (guint b = 0; b < blocks->len; b++)
    {
      LsBlock *block = ls_sref_block ((LsSref *) blocks->pdata[b]);
      guint n = ls_array_n (block->iter_vars);

      for (guint i = 0; i < n; i++)
        {
          LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

          if (iter->iter_type == LS_ITER_DATA_PAR || iter->iter_type == LS_ITER_COMM_REDUCE)
            continue;
          ls_move_refuse (move, diagnostics, "iter-type", block, "%s of block %s is neither spatial nor a reduction.",
                          iter->var->name, block->name_hint);
          legal = FALSE;
        }
      if (n > 0 && !is_partly_affine (move, blocks->pdata[b], top->parent))
        legal &= ls_legal_affine (move, diagnostics, blocks->pdata[b]);
    }
  return legal;
}

/* What stands at position `i` of the chain (deepest first) afterwards. */
static LsFor *
loop_at (GPtrArray *chain,
         GPtrArray *loops,
         guint      i,
         guint     *left)
{
  LsSref *here = chain->pdata[i];

  if (g_ptr_array_find (loops, here, NULL))
    here = loops->pdata[--*left];
  return ls_sref_for (here);
}

static gboolean
binds (LsBlockRealize *realize,
       LsIterType      type,
       LsVar          *loop_var)
{
  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    if (ls_array_at (realize->block->iter_vars, i, LsIterVar)->iter_type == (int) type && ls_uses (realize->iter_values->items[i], loop_var))
      return TRUE;
  return FALSE;
}

/* Warns when the terms of a sum come in another order, and the one with the init need no longer be the first: two
 * loops change places that say together which term it is, and one of them says of which sum too. */
static void
doubt_first_term (LsMove        *move,
                  LsDiagnostics *diagnostics,
                  LsSref        *block,
                  GPtrArray     *loops)
{
  LsBlockRealize *realize = ls_state_realize (move->state, block);

  if (realize->block->init == NULL)
    return;
  for (guint i = 0; i < loops->len; i++)
    for (guint k = i + 1; k < loops->len; k++)
      {
        LsSref *outer = loops->pdata[i], *inner = loops->pdata[k];
        LsVar *a = ls_sref_for (outer)->loop_var, *b = ls_sref_for (inner)->loop_var;

        if (!ls_sref_is_ancestor (inner, outer) || !binds (realize, LS_ITER_COMM_REDUCE, a) || !binds (realize, LS_ITER_COMM_REDUCE, b) ||
            !(binds (realize, LS_ITER_DATA_PAR, a) || binds (realize, LS_ITER_DATA_PAR, b)))
          continue;
        ls_move_warn (move, diagnostics, "first-term", block->stmt,
                      "With %s outside %s the instance of block %s that starts a sum need not be the first of it.", a->name, b->name, ls_sref_name (block));
        return;
      }
}

static void
doubt_sums (LsMove        *move,
            LsDiagnostics *diagnostics,
            LsSref        *bottom,
            GPtrArray     *loops)
{
  g_autoptr(GPtrArray) blocks = ls_state_child_blocks (move->state, bottom);

  for (guint b = 0; b < blocks->len; b++)
    doubt_first_term (move, diagnostics, blocks->pdata[b], loops);
}

static gboolean
bounds_allow_it (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 GPtrArray     *chain,
                 GPtrArray     *loops)
{
  g_autoptr(GPtrArray) inner = g_ptr_array_new ();
  guint left = loops->len;
  gboolean legal = TRUE;

  for (guint i = 0; i < chain->len; i++)
    {
      LsFor *loop = loop_at (chain, loops, i, &left);

      for (guint v = 0; v < inner->len; v++)
        {
          LsVar *var = inner->pdata[v];

          if (!ls_uses (loop->min, var) && !ls_uses (loop->extent, var))
            continue;
          ls_move_refuse (move, diagnostics, "dependent-bounds", loop,
                          "The bounds of %s depend on %s, so %s has to stay outside.", loop->loop_var->name, var->name, var->name);
          legal = FALSE;
        }
      g_ptr_array_add (inner, loop->loop_var);
    }
  return legal;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(GPtrArray) loops = ls_move_srefs (move, ORDERED_LOOPS);
  g_autoptr(GPtrArray) chain = NULL;
  gboolean legal = TRUE;

  if (loops->len <= 1)
    return TRUE;
  for (guint i = 0; i < loops->len; i++)
    for (guint k = 0; k < i; k++)
      if (loops->pdata[i] == loops->pdata[k])
        {
          ls_move_refuse (move, diagnostics, "twice", ((LsSref *) loops->pdata[i])->stmt, "%s is named twice.",
                          ls_sref_name (loops->pdata[i]));
          return FALSE;
        }
  chain = find_chain (move, diagnostics, loops);
  if (chain == NULL)
    return FALSE;
  legal &= is_single_branch (move, diagnostics, chain);
  legal &= blocks_allow_it (move, diagnostics, chain->pdata[chain->len - 1], chain->pdata[0]);
  legal &= bounds_allow_it (move, diagnostics, chain, loops);
  if (legal && diagnostics != NULL)
    doubt_sums (move, diagnostics, chain->pdata[0], loops);
  return legal;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(GPtrArray) loops = ls_move_srefs (move, ORDERED_LOOPS);
  g_autoptr(GPtrArray) chain = NULL;
  g_autoptr(LsNode) stmt = NULL;
  guint left = loops->len;

  if (loops->len <= 1)
    return TRUE;
  chain = find_chain (move, NULL, loops);
  stmt = ls_node_ref (ls_sref_for ((LsSref *) chain->pdata[0])->body);
  for (guint i = 0; i < chain->len; i++)
    ls_take (&stmt, LS_NODE (ls_for_with_body (loop_at (chain, loops, i, &left), stmt)));
  ls_state_replace (move->state, chain->pdata[chain->len - 1], stmt, NULL);
  return TRUE;
}

const LsInstruction ls_instruction_reorder = {
  .name = "reorder",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_REORDERS,
  .summary = LS_TEXT ("Changes the order of nested loops"),
  .condition = "The loops are a chain inside one block with nothing else between them; every block below has spatial and "
               "reduction variables only, bound affinely; no loop's bounds depend on one that would come inside it.",
  .source = "TVM v0.20 tir.Schedule.reorder",
  .check = check,
  .apply = apply,
};
