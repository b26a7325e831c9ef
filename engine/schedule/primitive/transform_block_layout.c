/* transform_block_layout: a block runs over other variables, which an index map makes of the old ones.
 *
 *   for i in 64: B (v_i)   -- lambda i: (i // 4, i % 4) ->   for ax0 in 16, ax1 in 4: B (v0 * 4 + v1)
 *
 * The map is one to one, so the old variables are put together from the new ones.  Source: TVM's tir
 * transform_block_layout.
 */
#include "engine/schedule/primitive/primitive.h"
#include "engine/base/plural.h"
#include "engine/tir/index-map.h"
#include "engine/tir/scope.h"

enum { BLOCK, INDEX_MAP };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block" },
  { "index_map", LS_PARAM_INDEX_MAP, LS_PARAM_INPUT, NULL, "from its iteration variables to the new ones" },
};

#define REACH LS_TEXT ("Index %u of the map does not begin at 0 for the first rounds of block %s, or goes backwards; the new loop would miss them.")

/* ---- check --------------------------------------------------------------------- */

/* The bindings are the loops around the block, in order. */
static gboolean
legal_bindings (LsMove        *move,
                LsDiagnostics *diagnostics,
                LsSref        *block,
                GPtrArray     *loops)
{
  LsArray *values = ls_state_realize (move->state, block)->iter_values;
  gboolean plain = ls_array_n (values) == loops->len;

  for (guint i = 0; plain && i < loops->len; i++)
    plain = values->items[i] == LS_NODE (ls_sref_for ((LsSref *) loops->pdata[i])->loop_var);
  if (!plain)
    ls_move_refuse (move, diagnostics, "bindings", block->stmt,
                    "The variables of block %s are not bound to the loops around it, one to one and in order.", ls_sref_name (block));
  return plain;
}

/* The type of the variables that an index is made of: of data where it is a number, as one of extent 1 is; LS_ITER_OPAQUE when there are
 * several types. */
static LsIterType
type_of_index (LsBlock *block,
               LsNode  *index)
{
  LsIterType type = LS_ITER_DATA_PAR;
  gboolean found = FALSE;

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      if (ls_is_one (iter->dom->extent) || !ls_uses (index, iter->var))
        continue;
      if (found && (int) type != iter->iter_type)
        return LS_ITER_OPAQUE;
      type = iter->iter_type;
      found = TRUE;
    }
  return type;
}

/* What the map makes of the block. */
typedef struct {
  LsIndexMap *map;              /* in the type of the block's variables */
  LsArray    *indices;          /* new variables made of old ones */
  LsArray    *extents;          /* of the new ones */
  LsIndexMap *inverse;
} Plan;

static void
plan_clear (Plan *self)
{
  ls_unref (self->map);
  ls_unref (self->indices);
  ls_unref (self->extents);
  ls_unref (self->inverse);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

/* The extents in the types of the indices: a number may be wider than the variables.  (takes extents) */
static LsArray *
typed_extents (LsArray *extents,
               LsArray *indices)
{
  GPtrArray *typed = g_ptr_array_new ();
  gint64 extent;

  for (guint i = 0; i < extents->n; i++)
    g_ptr_array_add (typed, ls_as_int (extents->items[i], &extent) ? ls_const_int (ls_dtype (indices->items[i]), extent)
                                                                  : ls_ref (ls_array_at (extents, i, LsExpr)));
  ls_unref (extents);
  return ls_array_take_ptr_array (typed);
}

static gboolean
plan_make (Plan          *self,
           LsMove        *move,
           LsDiagnostics *diagnostics,
           LsSref        *sref)
{
  LsBlock *block = ls_sref_block (sref);
  g_autoptr(LsArray) vars = NULL;
  g_autoptr(LsArray) sizes = NULL;
  g_autoptr(LsArray) ranges = NULL;
  GPtrArray *var_list = g_ptr_array_new ();
  GPtrArray *size_list = g_ptr_array_new ();
  GPtrArray *range_list = g_ptr_array_new ();
  gboolean from_zero = TRUE;

  self->map = ls_move_index_map (move, INDEX_MAP, sref);
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);

      from_zero &= ls_is_zero (iter->dom->min);
      g_ptr_array_add (var_list, ls_ref (iter->var));
      g_ptr_array_add (size_list, ls_ref (iter->dom->extent));
      g_ptr_array_add (range_list, ls_range_new (ls_const_int (ls_dtype (iter->dom->extent), 0), ls_ref (iter->dom->extent)));
    }
  vars = ls_array_take_ptr_array (var_list);
  sizes = ls_array_take_ptr_array (size_list);
  ranges = ls_array_take_ptr_array (range_list);
  if (!from_zero)
    {
      ls_move_refuse (move, diagnostics, "not-from-zero", block, "A variable of block %s does not start at 0.", block->name_hint);
      return FALSE;
    }
  if (ls_array_n (self->map->initial_indices) != vars->n)
    {
      ls_move_refuse (move, diagnostics, "arity", block, ls_translate_plural ("The map takes %u variable, but block %s has %u.", "The map takes %u variables, but block %s has %u.",
                                           ls_array_n (self->map->initial_indices)),
                      ls_array_n (self->map->initial_indices), block->name_hint, vars->n);
      return FALSE;
    }
  if (ls_index_map_leaves_int32 (self->map, ranges))
    {
      ls_move_refuse (move, diagnostics, "too-large", block, "Block %s would run further than the type of its variables counts.", block->name_hint);
      return FALSE;
    }
  self->indices = ls_index_map_map_indices (self->map, vars, NULL);
  self->extents = ls_index_map_map_shape (self->map, sizes, NULL);
  self->extents = typed_extents (self->extents, self->indices);
  for (guint i = 0; i < self->indices->n; i++)
    if (type_of_index (block, self->indices->items[i]) == LS_ITER_OPAQUE)
      {
        ls_move_refuse (move, diagnostics, "mixed-types", block,
                        "Index %u of the map is made of spatial and reduction variables of block %s together.",
                        i + 1, block->name_hint);
        return FALSE;
      }
  self->inverse = ls_index_map_inverse (self->map, ranges, NULL, NULL);
  if (self->inverse == NULL)
    ls_move_refuse (move, diagnostics, "not-one-to-one", block, "The map is not one to one over the variables of block %s.", block->name_hint);
  return self->inverse != NULL;
}

/* Warns where the guard of the block, which stays as it is, asks for loops that go. */
static void
doubt_guard (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsSref        *block,
             GPtrArray     *loops)
{
  LsExpr *guard = ls_state_realize (move->state, block)->predicate;

  for (guint i = 0; i < loops->len; i++)
    if (ls_uses (guard, ls_sref_for ((LsSref *) loops->pdata[i])->loop_var))
      ls_move_warn (move, diagnostics, "guard", block->stmt, "The guard of block %s keeps loop %s, which goes.", ls_sref_name (block),
                    ls_sref_name (loops->pdata[i]));
}

/* TVM lets the new variables run from 0, wherever the map begins, and as far as its indices are apart, with their sign. */
static gboolean
legal_reach (LsMove        *move,
             LsDiagnostics *diagnostics,
             LsBlock       *block,
             Plan          *plan)
{
  gboolean strict = ls_schedule_is_strict (move->schedule);
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();

  ls_scope_bind (analyzer, LS_NODE (block), LS_SCOPE_BLOCKS);
  for (guint i = 0; i < plan->indices->n; i++)
    {
      LsExpr *index = ls_array_at (plan->indices, i, LsExpr);
      g_autoptr(LsExpr) inside = ls_and (ls_ge (ls_ref (index), ls_const_int (ls_dtype (index), 0)),
                                         ls_lt (ls_ref (index), ls_ref (ls_array_at (plan->extents, i, LsExpr))));

      if (ls_analyzer_can_prove (analyzer, inside))
        continue;
      if (strict)
        ls_move_refuse (move, diagnostics, "reach", block, REACH, i + 1, block->name_hint);
      else
        ls_move_warn (move, diagnostics, "reach", block, REACH, i + 1, block->name_hint);
      return !strict;
    }
  return TRUE;
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  g_autoptr(GPtrArray) loops = ls_state_loops (move->state, block);
  g_auto(Plan) plan = { NULL };
  gboolean legal = TRUE;
  LsSref *only;

  for (guint i = 0; i < loops->len; i++)
    legal &= ls_legal_starts_at_zero (move, diagnostics, loops->pdata[i]);
  if (!ls_legal_not_root (move, diagnostics, block))
    return FALSE;
  if (loops->len > 0)
    legal &= ls_legal_single_child (move, diagnostics, loops->pdata[0], &only);
  legal &= legal_bindings (move, diagnostics, block, loops);
  legal = plan_make (&plan, move, diagnostics, block) && legal;
  if (legal && (diagnostics != NULL || ls_schedule_is_strict (move->schedule)))
    legal = legal_reach (move, diagnostics, ls_sref_block (block), &plan);
  if (legal && diagnostics != NULL)
    doubt_guard (move, diagnostics, block, loops);
  return legal;
}

/* ---- apply ---------------------------------------------------------------------- */

/* The block over new variables; `loop_vars` gets the loops for them. (transfer full) */
static LsBlock *
transformed_block (Plan         *plan,
                   LsBlock      *block,
                   LsBlockReuse *reuse)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);
  GPtrArray *iter_vars = g_ptr_array_new ();
  GPtrArray *vars = g_ptr_array_new ();
  g_autoptr(LsArray) new_vars = NULL;
  g_autoptr(LsArray) old_values = NULL;
  g_autoptr(LsBlock) bare = NULL;
  g_autoptr(LsBlock) substituted = NULL;
  g_autoptr(LsBlock) over_new = NULL;

  for (guint i = 0; i < plan->indices->n; i++)
    {
      g_autofree char *name = g_strdup_printf ("v%u", i);
      LsExpr *index = ls_array_at (plan->indices, i, LsExpr);
      LsVar *var = ls_var_new (name, ls_dtype (index));

      g_ptr_array_add (vars, ls_ref (var));
      g_ptr_array_add (iter_vars, ls_iter_var_new (ls_range_new (ls_const_int (ls_dtype (index), 0), ls_ref (ls_array_at (plan->extents, i, LsExpr))),
                                                   var, type_of_index (block, LS_NODE (index)), NULL));
    }
  new_vars = ls_array_take_ptr_array (vars);
  old_values = ls_index_map_map_indices (plan->inverse, new_vars, NULL);
  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    g_hash_table_insert (map, ls_array_at (block->iter_vars, i, LsIterVar)->var, old_values->items[i]);
  bare = ls_block_new (NULL, ls_ref (block->reads), ls_ref (block->writes), block->name_hint, ls_ref (block->body), ls_ref (block->init),
                       ls_ref (block->alloc_buffers), ls_ref (block->match_buffers), ls_ref (block->annotations));
  substituted = (LsBlock *) ls_rebuild_substitute (LS_STMT (bare), map, reuse);
  over_new = ls_block_new (ls_array_take_ptr_array (iter_vars), ls_ref (substituted->reads), ls_ref (substituted->writes), block->name_hint,
                           ls_ref (substituted->body), ls_ref (substituted->init), ls_ref (substituted->alloc_buffers),
                           ls_ref (substituted->match_buffers), ls_ref (substituted->annotations));
  return ls_rebuild_simplify_accesses (over_new, reuse);
}

/* The new block in the old loops: its variables are what the map makes of theirs. (transfer full) */
static LsStmt *
as_it_was (Plan           *plan,
           LsBlockRealize *realize,
           LsBlock        *fresh)
{
  g_autoptr(GHashTable) map = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < ls_array_n (realize->iter_values); i++)
    g_hash_table_insert (map, ls_array_at (realize->block->iter_vars, i, LsIterVar)->var, realize->iter_values->items[i]);
  return LS_STMT (ls_block_realize_new ((LsArray *) ls_substitute (plan->indices, map), ls_ref (realize->predicate), ls_ref (fresh)));
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *sref = ls_move_sref (move, BLOCK);
  LsBlockRealize *realize = ls_state_realize (move->state, sref);
  g_autoptr(GPtrArray) loops = ls_state_loops (move->state, sref);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(GPtrArray) loop_vars = g_ptr_array_new ();
  GPtrArray *values = g_ptr_array_new ();
  g_auto(Plan) plan = { NULL };
  g_autoptr(LsNode) nest = NULL;
  LsBlock *fresh;
  LsNode *level;

  plan_make (&plan, move, NULL, sref);
  fresh = transformed_block (&plan, ls_sref_block (sref), reuse);
  ls_block_reuse_add (reuse, ls_sref_block (sref), fresh);
  ls_move_means (move, realize, as_it_was (&plan, realize, fresh));
  for (guint i = 0; i < plan.indices->n; i++)
    {
      g_autofree char *name = g_strdup_printf ("ax%u", i);

      g_ptr_array_add (loop_vars, ls_var_new (name, ls_dtype (plan.indices->items[i])));
      g_ptr_array_add (values, ls_node_ref (loop_vars->pdata[i]));
    }
  nest = LS_NODE (ls_block_realize_new (ls_array_take_ptr_array (values), ls_ref (realize->predicate), fresh));
  for (guint i = loop_vars->len; i-- > 0;)
    nest = LS_NODE (ls_for_new (loop_vars->pdata[i], ls_const_int (ls_dtype (loop_vars->pdata[i]), 0),
                                ls_ref (ls_array_at (plan.extents, i, LsExpr)), LS_FOR_SERIAL, nest, NULL, NULL));
  ls_state_replace (move->state, loops->len > 0 ? loops->pdata[0] : sref, nest, reuse);
  level = nest;
  for (guint i = 0; ls_is (level, FOR); i++, level = ((LsFor *) level)->body)
    for (guint k = 0; k < loops->len; k++)
      if (ls_uses (plan.indices->items[i], ls_array_at (realize->block->iter_vars, k, LsIterVar)->var))
        ls_move_note (move, LS_LINEAGE_SPLIT, ls_state_sref (move->state, level), loops->pdata[k]);
  return TRUE;
}

const LsInstruction ls_instruction_transform_block_layout = {
  .name = "transform_block_layout",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .flags = LS_INSTRUCTION_MOVES_USES,
  .summary = LS_TEXT ("Lets a block run over other variables, by an index map"),
  .condition = "The variables of the block are bound to the loops around it, in order; the loops start at 0 and hold nothing else. "
               "The map is one to one, and does not mix spatial with reduction variables.",
  .source = "TVM v0.20 tir.Schedule.transform_block_layout",
  .check = check,
  .apply = apply,
};
