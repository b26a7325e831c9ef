/* guard: what the predicate around a block says of the block's variables, beyond their domains.
 *
 *     for k_0, k_1 in T.grid (13, 4):                  vk_0 in [0, 13), vk_1 in [0, 4):  vk_0 * 4 + vk_1 < 49
 *         with T.block ("B_rf"):
 *             vk_0, vk_1 = k_0, k_1
 *             T.where (k_0 * 4 + k_1 < 49)
 *
 * A block that leaves its loops leaves their predicate, too.  What it says of one variable its domain says as well; what it says of
 * several (rfactor makes such blocks) has to go along. */
#include "engine/arith/iter-map.h"
#include "engine/schedule/legal/legal.h"
#include "engine/tir/scope.h"

/* The loops around the block that it leaves, as its variables say them. (transfer full): LsVar -> LsExpr, both owned */
static GHashTable *
loops_by_variables (LsBlockRealize *realize,
                    LsDomMap       *loops,
                    LsAnalyzer     *analyzer)
{
  GHashTable *map = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_autoptr (LsIterMapResult) form = ls_detect_iter_map (realize->iter_values, loops, NULL, LS_ITER_MAP_NO_CHECK, analyzer, TRUE);
  g_autoptr (GPtrArray) vars = g_ptr_array_new ();
  g_autoptr (LsArray) outputs = NULL;
  g_autoptr (GHashTable) solved = NULL;
  GHashTableIter each;
  gpointer var, value;

  for (guint i = 0; i < ls_array_n (realize->block->iter_vars); i++)
    {
      LsVar *own = ls_array_at (realize->block->iter_vars, i, LsIterVar)->var;

      g_ptr_array_add (vars, ls_ref (own));
      if (ls_is_var (realize->iter_values->items[i]))
        g_hash_table_insert (map, ls_node_ref (realize->iter_values->items[i]), ls_ref (own));
    }
  outputs = ls_array_take_ptr_array (g_steal_pointer (&vars));
  solved = ls_array_n (form->indices) > 0 ? ls_inverse_affine_iter_map (form->indices, outputs) : NULL;
  if (solved != NULL)
    {
      g_hash_table_iter_init (&each, solved);
      while (g_hash_table_iter_next (&each, &var, &value))
        if (!g_hash_table_contains (map, var))
          g_hash_table_insert (map, ls_node_ref (var), ls_node_ref (value));
    }
  return map;
}

typedef struct { LsDomMap *loops; } Old;

static gboolean
is_old_loop (LsVar   *var,
             gpointer data)
{
  return ls_dom_map_get_range (((Old *) data)->loops, var) != NULL;
}

typedef struct {
  GHashTable *map;
  LsDomMap   *loops;
  LsAnalyzer *analyzer;
  GPtrArray  *kept;
} Guard;

static void
take (Guard  *self,
      LsExpr *condition)
{
  Old old = { self->loops };
  g_autoptr (LsExpr) own = NULL;

  if (ls_is (condition, AND))
    {
      take (self, ((LsBinary *) condition)->a);
      take (self, ((LsBinary *) condition)->b);
      return;
    }
  own = ls_analyzer_simplify_with (self->analyzer, condition, self->map);
  if (!ls_uses_var (own, is_old_loop, &old) && !ls_analyzer_can_prove_strength (self->analyzer, own, LS_PROOF_SYMBOLIC_BOUND))
    g_ptr_array_add (self->kept, g_steal_pointer (&own));
}

GPtrArray *
ls_legal_guard (LsState *state,
                LsSref  *block,
                LsSref  *loop)
{
  LsBlockRealize *realize = ls_state_realize (state, block);
  LsSref *both[] = { block->parent, loop }, *common = ls_sref_common (both, 2);
  GPtrArray *kept = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (LsAnalyzer) analyzer = NULL;
  g_autoptr (LsDomMap) loops = NULL;
  g_autoptr (GHashTable) map = NULL;

  if (ls_is_one (realize->predicate))
    return kept;
  analyzer = ls_analyzer_new ();
  loops = ls_state_loop_domains (state, block->parent, common, NULL);
  map = loops_by_variables (realize, loops, analyzer);
  ls_scope_bind (analyzer, LS_NODE (realize->block), LS_SCOPE_BLOCKS);
  take (&(Guard) { map, loops, analyzer, kept }, realize->predicate);
  return kept;
}
