/* fuse: a chain of nested loops becomes one loop over all their rounds.
 *
 *   for i in range (8)             for i_j_fused in range (32)
 *     for j in range (4)      ->     body (i_j_fused // 4, i_j_fused % 4)
 *       body (i, j)
 *
 * Source: TVM's tir fuse.
 */
#include "engine/schedule/primitive/primitive.h"

enum { LOOPS, PRESERVE_UNIT_ITERS };

static const LsParam params[] = {
  { "loops", LS_PARAM_LOOPS, LS_PARAM_VARIADIC, NULL, "the loops, outermost first, each the only thing in the one before" },
  { "preserve_unit_iters", LS_PARAM_BOOL, 0, "True", "keep loops of extent 1 in the bindings" },
};

static gboolean
count_child (LsNode         *stmt,
             LsBlockRealize *realize,
             gpointer        user_data)
{
  GString *names = user_data;

  if (names->len > 0)
    g_string_append (names, ls_translate (" and "));
  g_string_append (names, ls_is (stmt, FOR) ? ((LsFor *) stmt)->loop_var->name : ((LsBlock *) stmt)->name_hint);
  return TRUE;
}

/* `inner` stands directly and alone in `outer`. */
static gboolean
is_chained (LsMove        *move,
            LsDiagnostics *diagnostics,
            LsSref        *outer,
            LsSref        *inner)
{
  LsDiagnostic *finding;

  if (inner->parent != outer)
    {
      finding = ls_move_refuse (move, diagnostics, "not-nested", outer->stmt, "%s does not stand directly inside %s.",
                                ls_sref_name (inner), ls_sref_name (outer));
      ls_move_add_culprit (move, finding, inner->stmt);
      if (finding != NULL && ls_sref_is_ancestor (inner, outer))
        ls_diagnostic_set_repair (finding, "Name the outer loop first: fuse(%s, %s).", ls_sref_name (inner), ls_sref_name (outer));
      return FALSE;
    }
  if (ls_sref_for (outer)->body != inner->stmt)
    {
      g_autoptr(GString) names = g_string_new (NULL);

      ls_stmt_foreach_child (ls_sref_for (outer)->body, count_child, names);
      finding = ls_move_refuse (move, diagnostics, "not-only-child", outer->stmt, "%s holds %s; fuse needs %s alone.",
                                ls_sref_name (outer), names->str, ls_sref_name (inner));
      ls_move_add_culprit (move, finding, inner->stmt);
      return FALSE;
    }
  return TRUE;
}

static gboolean
is_independent (LsMove        *move,
                LsDiagnostics *diagnostics,
                GPtrArray     *loops,
                guint          i)
{
  LsFor *loop = ls_sref_for ((LsSref *) loops->pdata[i]);

  for (guint o = 0; o < i; o++)
    {
      LsVar *var = ls_sref_for ((LsSref *) loops->pdata[o])->loop_var;

      if (!ls_uses (loop->extent, var))
        continue;
      ls_move_refuse (move, diagnostics, "dependent-extent", loop, "How often %s runs depends on %s; loops can be fused when each runs equally often every time.",
                      loop->loop_var->name, var->name);
      return FALSE;
    }
  return TRUE;
}

/* How many rounds the fused loop has; -1: more than int64 holds; 0: not known as a number. */
static gint64
n_rounds (GPtrArray *loops)
{
  gint64 n = 1, extent;

  for (guint i = 0; i < loops->len; i++)
    if (!ls_as_int (ls_sref_for ((LsSref *) loops->pdata[i])->extent, &extent))
      return 0;
    else if (__builtin_mul_overflow (n, extent, &n))
      return -1;
  return n;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(GPtrArray) loops = ls_move_srefs (move, LOOPS);
  gboolean legal = TRUE;

  if (loops->len == 0)
    {
      ls_move_refuse (move, diagnostics, "no-loops", NULL, "fuse needs at least one loop.");
      return FALSE;
    }
  for (guint i = 0; i < loops->len; i++)
    {
      legal &= ls_legal_plain_loop (move, diagnostics, loops->pdata[i]);
      if (i > 0)
        legal &= is_chained (move, diagnostics, loops->pdata[i - 1], loops->pdata[i]);
      legal &= ls_legal_starts_at_zero (move, diagnostics, loops->pdata[i]);
      legal &= is_independent (move, diagnostics, loops, i);
    }
  if (legal && n_rounds (loops) < 0)
    {
      ls_move_refuse (move, diagnostics, "too-many", ((LsSref *) loops->pdata[0])->stmt, "Together the loops run more often than int64 counts.");
      return FALSE;
    }
  return legal;
}

static LsVar *
fused_var (GPtrArray *loops)
{
  g_autoptr(GString) name = g_string_new (NULL);
  guint bits = 0;

  for (guint i = 0; i < loops->len; i++)
    {
      LsVar *var = ls_sref_for ((LsSref *) loops->pdata[i])->loop_var;

      g_string_append_printf (name, "%s%s", i > 0 ? "_" : "", var->name);
      bits = MAX (bits, ls_dtype (var).bits);
    }
  if (n_rounds (loops) > G_MAXINT32)
    bits = 64;
  g_string_append (name, "_fused");
  return ls_var_new (name->str, LS_DTYPE (LS_TYPE_INT, bits));
}

/* loop_var -> its value in terms of the fused variable (owned) */
static GHashTable *
index_map (GPtrArray *loops,
           LsVar     *fused)
{
  GHashTable *map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  gboolean widens = n_rounds (loops) > G_MAXINT32;
  g_autoptr(LsExpr) lower = widens ? ls_const_int (ls_dtype (fused), 1) : ls_int (1);

  for (guint i = loops->len; i-- > 0;)
    {
      LsFor *loop = ls_sref_for ((LsSref *) loops->pdata[i]);
      LsExpr *whole = ls_mul (ls_ref (lower), widens ? ls_cast (ls_dtype (fused), ls_ref (loop->extent)) : ls_ref (loop->extent));
      LsExpr *index;

      if (ls_is_one (loop->extent))
        index = ls_const_int (ls_dtype (loop->loop_var), 0);
      else if (i == 0)
        index = ls_floordiv (LS_EXPR (ls_ref (fused)), ls_ref (lower));
      else
        index = ls_floordiv (ls_floormod (LS_EXPR (ls_ref (fused)), ls_ref (whole)), ls_ref (lower));
      if (widens)
        index = ls_cast (ls_dtype (loop->loop_var), index);
      g_hash_table_insert (map, loop->loop_var, index);
      ls_take (&lower, whole);
    }
  return map;
}

static LsExpr *
fused_extent (GPtrArray *loops)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsExpr) extent = ls_int (1);

  if (n_rounds (loops) > G_MAXINT32)
    return ls_const_int (LS_INT64, n_rounds (loops));
  for (guint i = 0; i < loops->len; i++)
    extent = ls_mul (extent, ls_ref (ls_sref_for ((LsSref *) loops->pdata[i])->extent));
  return ls_analyzer_simplify (analyzer, extent);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  g_autoptr(GPtrArray) loops = ls_move_srefs (move, LOOPS);
  LsSref *first = loops->pdata[0];
  LsVar *fused = fused_var (loops);
  g_autoptr(GHashTable) map = index_map (loops, fused);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsDomMap) outer = ls_outer_domains (move->state, first);
  LsStmt *body = ls_rebuild_substitute (ls_sref_for ((LsSref *) loops->pdata[loops->len - 1])->body, map, reuse);
  g_autoptr(LsNode) stmt = NULL;
  LsSref *made;

  stmt = LS_NODE (ls_for_new (fused, ls_const_int (ls_dtype (fused), 0), ls_promote_const (fused_extent (loops), ls_dtype (fused)),
                              LS_FOR_SERIAL, body, NULL, NULL));
  ls_take (&stmt, ls_rebuild_simplify_bindings (stmt, outer, ls_move_bool (move, PRESERVE_UNIT_ITERS), reuse));
  ls_state_replace (move->state, first, stmt, reuse);
  made = ls_state_sref (move->state, stmt);
  for (guint i = 0; i < loops->len; i++)
    ls_move_note (move, LS_LINEAGE_FUSED, made, loops->pdata[i]);
  ls_move_result (move, made);
  return TRUE;
}

const LsInstruction ls_instruction_fuse = {
  .name = "fuse",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_LOOP,
  .summary = LS_TEXT ("Fuses nested loops into one"),
  .condition = "Each loop is the only thing in the one before it; all start at 0, have neither annotations nor thread "
               "bindings, and no extent depends on another of the loops.",
  .source = "TVM v0.20 tir.Schedule.fuse",
  .check = check,
  .apply = apply,
};
