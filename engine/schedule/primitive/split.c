/* split: one loop becomes a nest of loops whose extents are the factors.
 *
 *   for i in range (100)          for i_0 in range (25)
 *     body (i)               ->     for i_1 in range (4)
 *                                     body (i_0 * 4 + i_1)
 *
 * One factor may be None and is then found so that the product reaches the extent.  Where the product is larger, the
 * blocks below get the predicate that the old index stays below the extent.  Source: TVM's tir split.
 */
#include "engine/schedule/primitive/primitive.h"

#include "engine/script/printer.h"

enum { LOOP, FACTORS, PRESERVE_UNIT_ITERS, DISABLE_PREDICATION };

static const LsParam params[] = {
  { "loop", LS_PARAM_LOOP, 0, NULL, "the loop to split" },
  { "factors", LS_PARAM_FACTORS, 0, NULL, "extents of the new loops, outermost first; one may be None" },
  { "preserve_unit_iters", LS_PARAM_BOOL, 0, "True", "keep loops of extent 1 in the bindings" },
  { "disable_predication", LS_PARAM_BOOL, 0, "False", "leave out the guard for factors that do not divide the extent" },
};

/* Index of the factor None, -1: there is none, -2: there are several. */
static gint
open_factor (LsArray *factors)
{
  gint open = -1;

  for (guint i = 0; i < factors->n; i++)
    if (factors->items[i] == NULL)
      open = open == -1 ? (gint) i : -2;
  return open;
}

/* A factor as an expression that is no wider than the extent. (transfer full) */
static LsExpr *
factor_at (LsMove *move,
           guint   i)
{
  LsExpr *factor = ls_move_expr (move, ls_move_array (move, FACTORS)->items[i]);
  LsExpr *extent = ls_sref_for (ls_move_sref (move, LOOP))->extent;

  if (factor != NULL && ls_dtype (factor).bits > ls_dtype (extent).bits)
    return ls_cast (ls_dtype (extent), factor);
  return factor;
}

/* The product of all factors that are given. (transfer full) */
static LsExpr *
product (LsMove *move)
{
  LsExpr *total = ls_const_int (ls_dtype (ls_sref_for (ls_move_sref (move, LOOP))->loop_var), 1);

  for (guint i = 0; i < ls_move_array (move, FACTORS)->n; i++)
    {
      LsExpr *factor = factor_at (move, i);

      if (factor != NULL)
        total = ls_mul (total, factor);
    }
  return total;
}

static gboolean
factors_are_positive (LsMove        *move,
                      LsDiagnostics *diagnostics,
                      LsFor         *loop)
{
  gboolean legal = TRUE;

  for (guint i = 0; i < ls_move_array (move, FACTORS)->n; i++)
    {
      g_autoptr(LsExpr) factor = ls_move_expr (move, ls_move_array (move, FACTORS)->items[i]);
      gint64 value;

      if (factor == NULL || !ls_as_int (factor, &value) || (value > 0 && value <= ls_dtype_int_max (ls_dtype (loop->extent))))
        continue;
      if (value > 0)
        ls_move_refuse (move, diagnostics, "factor-too-large", loop, "Factor %u of split is %" PRId64 "; %s counts in %s.",
                        i + 1, value, loop->loop_var->name, ls_dtype_name (ls_dtype (loop->extent)));
      else
        ls_move_refuse (move, diagnostics, "factor-not-positive", loop,
                        "Factor %u of split is %" PRId64 "; factors are at least 1.", i + 1, value);
      legal = FALSE;
    }
  return legal;
}

static void
refuse_product (LsMove        *move,
                LsDiagnostics *diagnostics,
                LsFor         *loop,
                LsExpr        *total)
{
  g_autofree char *reached = ls_script_print_expr (total);
  g_autofree char *extent = ls_script_print_expr (loop->extent);
  LsDiagnostic *finding = ls_move_refuse (move, diagnostics, "factors-too-small", loop,
                                          "The factors reach %s, but loop %s runs %s times.",
                                          reached, loop->loop_var->name, extent);

  if (finding != NULL)
    ls_diagnostic_set_repair (finding, "Give None in place of one factor: it is then found.");
}

/* Do the factors, those that are numbers, reach beyond what the type of the loop counts? */
static gboolean
reaches_too_far (LsMove *move,
                 LsFor  *loop)
{
  gint64 most = ls_dtype (loop->loop_var).bits == 64 ? G_MAXINT64 : G_MAXINT32, n = 1, number;

  for (guint i = 0; i < ls_move_array (move, FACTORS)->n; i++)
    {
      g_autoptr(LsExpr) factor = factor_at (move, i);

      if (factor != NULL && ls_as_int (factor, &number) && number > 0 && (__builtin_mul_overflow (n, number, &n) || n > most))
        return TRUE;
    }
  return FALSE;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, LOOP);
  LsFor *loop = ls_sref_for (sref);
  gint open = open_factor (ls_move_array (move, FACTORS));
  gboolean legal = ls_legal_plain_loop (move, diagnostics, sref);

  legal &= ls_legal_starts_at_zero (move, diagnostics, sref);
  if (ls_move_array (move, FACTORS)->n == 0)
    {
      ls_move_refuse (move, diagnostics, "no-factors", loop, "split of %s needs at least one factor.", loop->loop_var->name);
      return FALSE;
    }
  if (open == -2)
    {
      ls_move_refuse (move, diagnostics, "several-open-factors", loop, "Only one factor of split may be None.");
      legal = FALSE;
    }
  if (!factors_are_positive (move, diagnostics, loop))
    return FALSE;
  if (reaches_too_far (move, loop))
    {
      ls_move_refuse (move, diagnostics, "factors-too-large", loop, "The factors reach further than the type of %s counts.", loop->loop_var->name);
      return FALSE;
    }
  if (open == -1)
    {
      g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
      g_autoptr(LsExpr) total = product (move);
      g_autoptr(LsExpr) enough = ls_ge (ls_ref (total), ls_ref (loop->extent));

      if (!ls_analyzer_can_prove (analyzer, enough))
        {
          refuse_product (move, diagnostics, loop, total);
          legal = FALSE;
        }
    }
  return legal;
}

/* The open factor as a number, where the others and the extent are numbers and the nest reaches further than the type of the loop counts;
 * 0: else. */
static gint64
wide_factor (LsMove *move,
             LsFor  *loop)
{
  LsArray *given = ls_move_array (move, FACTORS);
  gint64 n = 1, number, extent, open;

  if (ls_dtype (loop->loop_var).bits >= 64 || open_factor (given) < 0 || !ls_as_int (loop->extent, &extent))
    return 0;
  for (guint i = 0; i < given->n; i++)
    {
      g_autoptr(LsExpr) factor = factor_at (move, i);

      if (factor != NULL && (!ls_as_int (factor, &number) || number <= 0 || __builtin_mul_overflow (n, number, &n)))
        return 0;
    }
  open = extent / n + (extent % n > 0);
  return extent > 0 && (open * n > G_MAXINT32 || extent + n - 1 > G_MAXINT32) ? open : 0;
}

/* The factors with the open one filled in. (transfer full) */
static LsArray *
close_factors (LsMove *move,
               LsFor  *loop)
{
  LsArray *given = ls_move_array (move, FACTORS);
  gint open = open_factor (given);
  GPtrArray *factors = g_ptr_array_new ();

  for (guint i = 0; i < given->n; i++)
    g_ptr_array_add (factors, factor_at (move, i));
  if (wide_factor (move, loop) > 0)
    {
      factors->pdata[open] = ls_const_int (ls_dtype (loop->loop_var), wide_factor (move, loop));
    }
  else if (open >= 0)
    {
      g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
      LsExpr *total = product (move);
      LsExpr *rounded = ls_sub (ls_add (ls_ref (loop->extent), ls_ref (total)), ls_int (1));
      g_autoptr(LsExpr) needed = ls_floordiv (rounded, total);

      factors->pdata[open] = ls_analyzer_simplify (analyzer, needed);
    }
  return ls_array_take_ptr_array (factors);
}

static LsDType
widest (LsFor   *loop,
        LsArray *factors)
{
  guint bits = ls_dtype (loop->loop_var).bits;

  for (guint i = 0; i < factors->n; i++)
    bits = MAX (bits, ls_dtype (factors->items[i]).bits);
  return LS_DTYPE (LS_TYPE_INT, bits);
}

static gboolean
reaches_past_int32 (LsArray *factors)
{
  gint64 n = 1, number;

  for (guint i = 0; i < factors->n; i++)
    if (!ls_as_int (factors->items[i], &number) || number <= 0 || __builtin_mul_overflow (n, number, &n))
      return FALSE;
  return n > G_MAXINT32;
}

typedef struct {
  LsArray    *factors;
  LsArray    *vars;             /* of the new loops */
  LsExpr     *index;            /* the old index made of them */
  LsAnalyzer *analyzer;         /* knows their ranges */
} Nest;

/* Factors that are no numbers as the analyser writes them: 4 * vscale as vscale * 4. (transfer full) */
static LsArray *
simplified_factors (LsArray    *factors,
                    LsAnalyzer *analyzer)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < factors->n; i++)
    {
      LsExpr *factor = ls_array_at (factors, i, LsExpr);

      g_ptr_array_add (out, ls_is (factor, INT_IMM) ? ls_ref (factor) : ls_analyzer_simplify (analyzer, factor));
    }
  return ls_array_take_ptr_array (out);
}

static void
nest_init (Nest   *nest,
           LsMove *move,
           LsFor  *loop)
{
  GPtrArray *vars = g_ptr_array_new ();
  LsDType dtype;

  nest->analyzer = ls_analyzer_new ();
  nest->factors = close_factors (move, loop);
  ls_take (&nest->factors, simplified_factors (nest->factors, nest->analyzer));
  dtype = reaches_past_int32 (nest->factors) ? LS_INT64 : widest (loop, nest->factors);
  nest->index = ls_const_int (dtype, 0);
  for (guint i = 0; i < nest->factors->n; i++)
    {
      LsExpr *factor = ls_array_at (nest->factors, i, LsExpr);
      g_autofree char *name = g_strdup_printf ("%s_%u", loop->loop_var->name, i);
      LsVar *var = ls_var_new (name, dtype);
      g_autoptr(LsRange) range = ls_range_new (ls_const_int (dtype, 0), ls_cast (dtype, ls_ref (factor)));

      nest->index = ls_add (ls_mul (nest->index, ls_promote_const (ls_ref (factor), dtype)), LS_EXPR (ls_ref (var)));
      ls_analyzer_bind_range (nest->analyzer, var, range, FALSE);
      g_ptr_array_add (vars, var);
    }
  nest->vars = ls_array_take_ptr_array (vars);
}

static void
nest_clear (Nest *nest)
{
  ls_unref (nest->factors);
  ls_unref (nest->vars);
  ls_unref (nest->index);
  ls_analyzer_free (nest->analyzer);
}

/* The body with the old index replaced, guarded where the nest runs further than the loop did. (transfer full) */
static LsStmt *
nest_body (Nest         *nest,
           LsMove       *move,
           LsFor        *loop,
           LsBlockReuse *reuse)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  gboolean widens = ls_dtype (nest->index).bits > ls_dtype (loop->loop_var).bits && ls_is (loop->extent, INT_IMM);
  g_autoptr(LsExpr) inside = ls_lt (ls_ref (nest->index), widens ? ls_cast (LS_INT64, ls_ref (loop->extent)) : ls_ref (loop->extent));
  g_autoptr(LsExpr) in_loop = widens ? ls_cast (ls_dtype (loop->loop_var), ls_ref (nest->index)) : ls_ref (nest->index);
  g_autoptr(LsNode) body = NULL;

  g_hash_table_insert (map, loop->loop_var, in_loop);
  body = ls_rebuild_substitute (loop->body, map, reuse);
  if (ls_move_bool (move, DISABLE_PREDICATION) ||
      ls_analyzer_can_prove_strength (nest->analyzer, inside, LS_PROOF_SYMBOLIC_BOUND))
    return g_steal_pointer (&body);
  return ls_rebuild_guard (body, inside);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, LOOP);
  LsFor *loop = ls_sref_for (sref);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsDomMap) outer = ls_outer_domains (move->state, sref);
  g_autoptr(LsNode) stmt = NULL;
  LsNode *level;
  Nest nest;

  nest_init (&nest, move, loop);
  stmt = nest_body (&nest, move, loop, reuse);
  for (guint i = nest.factors->n; i-- > 0;)
    {
      LsVar *var = ls_array_at (nest.vars, i, LsVar);

      stmt = LS_NODE (ls_for_new (ls_ref (var), ls_const_int (ls_dtype (var), 0),
                                  ls_promote_const (ls_ref (ls_array_at (nest.factors, i, LsExpr)), ls_dtype (var)),
                                  LS_FOR_SERIAL, stmt, NULL, NULL));
    }
  ls_take (&stmt, ls_rebuild_simplify_bindings (stmt, outer, ls_move_bool (move, PRESERVE_UNIT_ITERS), reuse));
  ls_state_replace (move->state, sref, stmt, reuse);
  level = stmt;
  for (guint i = 0; i < nest.factors->n; i++)
    {
      LsSref *made = ls_state_sref (move->state, level);

      ls_move_note (move, LS_LINEAGE_SPLIT, made, sref);
      ls_move_result (move, made);
      level = ((LsFor *) level)->body;
    }
  nest_clear (&nest);
  return TRUE;
}

const LsInstruction ls_instruction_split = {
  .name = "split",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_LOOPS,
  .summary = LS_TEXT ("Splits a loop into a nest of loops"),
  .condition = "The loop starts at 0 and has neither annotations nor a thread binding. Factors are at least 1, at most one "
               "is None, and without None their product reaches the extent.",
  .source = "TVM v0.20 tir.Schedule.split",
  .check = check,
  .apply = apply,
};
