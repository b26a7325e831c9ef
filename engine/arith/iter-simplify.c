/* iter-simplify: indices in the form that their iteration map gives them. */
#include "engine/arith/iter-private.h"

LsArray *
ls_iter_map_simplify (LsArray        *indices,
                      const LsDomMap *input_iters,
                      LsExpr         *predicate,
                      LsIterMapLevel  level,
                      LsAnalyzer     *analyzer,
                      gboolean        simplify_trivial_iterators)
{
  g_autoptr (LsIterMapResult) found = NULL;
  g_autoptr (LsAnalyzer) own = NULL;
  GPtrArray *simple;

  if (!ls_iter_ranges_are_sane (input_iters))
    return ls_ref (indices);
  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  found = ls_detect_iter_map (indices, input_iters, predicate, level, analyzer, simplify_trivial_iterators);
  if (ls_array_n (found->indices) == 0 && predicate != NULL && !ls_is_one (predicate) &&
      level != LS_ITER_MAP_BIJECTIVE)
    {
      ls_iter_map_result_free (found);
      found = ls_detect_iter_map (indices, input_iters, NULL, level, analyzer, simplify_trivial_iterators);
    }
  if (ls_array_n (found->indices) == 0)
    return ls_ref (indices);
  simple = g_ptr_array_new ();
  for (guint i = 0; i < ls_array_n (found->indices); i++)
    g_ptr_array_add (simple, ls_iter_map_to_expr_with (ls_array_at (found->indices, i, LsNode), analyzer));
  return ls_array_take_ptr_array (simple);
}
