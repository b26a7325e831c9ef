/* compute_inline: a block goes; where its result was read, the value is computed.
 *
 *   B[vi] = A[vi] + 1
 *   C[vi] = B[vi] * B[vi]      ->      C[vi] = (A[vi] + 1) * (A[vi] + 1)
 *
 * The indices of the store are the block's variables in order, or a one-to-one affine map of them, which is inverted.
 * Source: TVM v0.20's tir.Schedule.compute_inline.
 */
#include "engine/schedule/primitive/primitive.h"

enum { BLOCK };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block whose computation goes into those that read its result" },
};

/* What a load turns into: `value` over `places`, one for each index. */
typedef struct {
  LsExpr  *value;
  LsArray *places;              /* of Var */
} Formula;

static void
formula_clear (Formula *self)
{
  ls_unref (self->value);
  ls_unref (self->places);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Formula, formula_clear)

/* ---- the formula ------------------------------------------------------------ */

static gboolean
is_unit_at_zero (LsRange    *dom,
                 LsExpr     *index,
                 LsAnalyzer *analyzer)
{
  LsExpr *zero = ls_const_int (ls_dtype (index), 0);
  LsExpr *min = ls_const_int (ls_dtype (dom->min), 0);
  LsExpr *one = ls_const_int (ls_dtype (dom->extent), 1);
  gboolean is = ls_analyzer_can_prove_equal (analyzer, index, zero) &&
                ls_analyzer_can_prove_equal (analyzer, dom->min, min) &&
                ls_analyzer_can_prove_equal (analyzer, dom->extent, one);

  ls_unref (zero);
  ls_unref (min);
  ls_unref (one);
  return is;
}

/* The variables themselves are the indices, in order; 0 stands for a variable that is always 0. */
static gboolean
formula_from_variables (Formula       *self,
                        LsBlock       *block,
                        LsBufferStore *store,
                        LsAnalyzer    *analyzer)
{
  guint n = ls_array_n (store->indices);
  g_autoptr(GPtrArray) places = NULL;

  if (ls_array_n (block->iter_vars) != n)
    return FALSE;
  places = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  for (guint i = 0; i < n; i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);
      LsExpr *index = ls_array_at (store->indices, i, LsExpr);

      if (index != LS_EXPR (iter->var) && !is_unit_at_zero (iter->dom, index, analyzer))
        return FALSE;
      g_ptr_array_add (places, ls_ref (iter->var));
    }
  self->value = ls_ref (store->value);
  self->places = ls_array_new (places->pdata, places->len);
  for (guint i = 0; i < places->len; i++)
    ls_node_ref (places->pdata[i]);
  return TRUE;
}

/* The inverse of the store's indices, put into its value. */
static gboolean
formula_by_inverse (Formula       *self,
                    LsBlock       *block,
                    LsBufferStore *store,
                    LsAnalyzer    *analyzer)
{
  g_autoptr(LsDomMap) domains = ls_block_domains (block);
  g_autoptr(LsExpr) always = ls_bool (TRUE);
  g_autoptr(LsIterMapResult) map =
    ls_detect_iter_map (store->indices, domains, always, LS_ITER_MAP_BIJECTIVE, analyzer, FALSE);
  g_autoptr(GHashTable) inverse = NULL;
  GPtrArray *places;

  if (map->errors->len > 0)
    return FALSE;
  places = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (store->indices); i++)
    {
      g_autofree char *name = g_strdup_printf ("ph_%u", i);

      g_ptr_array_add (places, ls_var_new (name, ls_dtype (ls_array_at (store->indices, i, LsExpr))));
    }
  self->places = ls_array_take_ptr_array (places);
  inverse = ls_inverse_affine_iter_map (map->indices, self->places);
  if (inverse == NULL)
    return FALSE;
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);
      g_autoptr(LsExpr) one = ls_const_int (ls_dtype (iter->dom->extent), 1);

      if (ls_is (iter->dom->min, INT_IMM) && ls_analyzer_can_prove_equal (analyzer, iter->dom->extent, one))
        g_hash_table_insert (inverse, ls_ref (iter->var), ls_ref (iter->dom->min));
    }
  self->value = (LsExpr *) ls_substitute (store->value, inverse);
  return TRUE;
}

static gboolean
legal_formula (LsMove        *move,
               LsDiagnostics *diagnostics,
               LsBlock       *block,
               Formula       *formula)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  LsBufferStore *store = (LsBufferStore *) block->body;

  if (!ls_is (block->body, BUFFER_STORE))
    {
      ls_move_refuse (move, diagnostics, "body", block, "Block %s is more than one store of a value; only that can be inlined.",
                      block->name_hint);
      return FALSE;
    }
  if (formula_from_variables (formula, block, store, analyzer) || formula_by_inverse (formula, block, store, analyzer))
    return TRUE;
  ls_move_refuse (move, diagnostics, "store-indices", block,
                  "The indices at which block %s stores %s cannot be turned back into its variables one to one.",
                  block->name_hint, store->buffer->name);
  return FALSE;
}

/* ---- check -------------------------------------------------------------------- */

static gboolean
writes_one_buffer (LsMove        *move,
                   LsDiagnostics *diagnostics,
                   LsBlock       *block)
{
  guint n = ls_array_n (block->writes);

  if (n == 1)
    return TRUE;
  ls_move_refuse (move, diagnostics, "one-write", block, "Block %s writes %u regions; a block that is inlined writes one.",
                  block->name_hint, n);
  return FALSE;
}

static gboolean
makes_no_result (LsMove        *move,
                 LsDiagnostics *diagnostics,
                 LsSref        *block,
                 LsSref        *root)
{
  LsDiagnostic *finding;

  if (!ls_is_output_block (move->state, block, root))
    return TRUE;
  finding = ls_move_refuse (move, diagnostics, "output-block", block->stmt,
                            "Block %s is an output block: it writes a result of the function; only a temporary result can be inlined.",
                            ls_sref_name (block));
  if (finding != NULL && ls_instruction_get ("reverse_compute_inline")->check (move, NULL))
    ls_diagnostic_set_repair (finding, "reverse_compute_inline(%s)", ls_sref_name (block));
  return FALSE;
}

static LsNode *
put_formula (LsInliner *inliner,
             LsNode    *access)
{
  Formula *formula = inliner->data;
  LsBufferLoad *load = (LsBufferLoad *) access;
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < ls_array_n (load->indices); i++)
    g_hash_table_insert (map, formula->places->items[i], load->indices->items[i]);
  return ls_substitute (formula->value, map);
}

typedef struct {
  LsSref    *root;
  Formula    formula;
  LsInliner  inliner;
  LsBlock   *new_root;
} Plan;

static void
plan_clear (Plan *self)
{
  formula_clear (&self->formula);
  ls_unref (self->inliner.rest);
  g_clear_pointer (&self->inliner.reuse, ls_block_reuse_free);
  ls_unref (self->new_root);
}

static void
plan_free (Plan *self)
{
  plan_clear (self);
  g_free (self);
}

static gboolean
plan_make (Plan          *self,
           LsMove        *move,
           LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK);
  LsBlock *block = ls_sref_block (sref);
  LsSref *place;
  gboolean legal;

  *self = (Plan) { NULL };
  legal = ls_legal_scope (move, diagnostics, sref, TRUE, &self->root);
  if (self->root == NULL)
    return FALSE;
  legal &= ls_legal_no_init (move, diagnostics, sref);
  legal &= writes_one_buffer (move, diagnostics, block);
  legal &= makes_no_result (move, diagnostics, sref, self->root);
  if (block->init == NULL)
    {
      legal &= ls_legal_complete_block (move, diagnostics, sref, self->root);
      legal &= legal_formula (move, diagnostics, block, &self->formula);
    }
  legal &= ls_legal_removal (move, diagnostics, sref, &place, &self->inliner.rest);
  if (!legal)
    return FALSE;
  self->inliner.buffer = ls_array_at (block->writes, 0, LsBufferRegion)->buffer;
  self->inliner.state = move->state;
  self->inliner.access = LS_KIND_BUFFER_LOAD;
  self->inliner.block = block;
  self->inliner.root = ls_sref_block (self->root);
  self->inliner.place = place->stmt;
  self->inliner.replace = put_formula;
  self->inliner.data = &self->formula;
  self->inliner.reuse = ls_block_reuse_new ();
  self->new_root = ls_inliner_run (&self->inliner);
  return ls_legal_not_opaque (move, diagnostics, &self->inliner);
}

/* The plan stays with the move, for apply. */
static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  Plan *plan = g_new0 (Plan, 1);
  gboolean legal = plan_make (plan, move, diagnostics);

  ls_move_keep (move, plan, (GDestroyNotify) plan_free);
  return legal;
}

/* ---- apply -------------------------------------------------------------------- */

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  Plan *plan = move->kept;
  LsSref *block = ls_move_sref (move, BLOCK);
  g_autoptr(GPtrArray) consumers = ls_state_consumers (move->state, block);

  ls_state_replace (move->state, plan->root, plan->new_root, plan->inliner.reuse);
  for (guint i = 0; i < consumers->len; i++)
    ls_move_note (move, LS_LINEAGE_FUSED, consumers->pdata[i], block);
  return TRUE;
}

const LsInstruction ls_instruction_compute_inline = {
  .name = "compute_inline",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Computes a block's value where it is read, and drops the block"),
  .condition = "The block is complete, has no init, stores one value into one temporary buffer, and its indices are its "
               "variables or a one-to-one affine map of them. The buffer is not used through its data pointer or a view, and "
               "the block is not the only one of its scope.",
  .source = "TVM v0.20 tir.Schedule.compute_inline",
  .check = check,
  .apply = apply,
};
