/* apart: indices that are others for all values of the variables in them. */
#include "engine/arith/iter-map.h"
#include "engine/schedule/legal/legal.h"

/* Is `index` one number for each of the values of all variables that it uses?  TRUE for v * 16 + w, w below 16. */
static gboolean
tells_apart (LsExpr  *index,
             LsArray *iter_vars)
{
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsExpr) rest = ls_ref (index);
  gint64 reach = 0;

  for (;;)
    {
      LsIterVar *least = NULL;  /* with the least step that is left */
      gint64 found = 0, step, extent;

      for (guint i = 0; i < ls_array_n (iter_vars); i++)
        {
          LsIterVar *iter = ls_array_at (iter_vars, i, LsIterVar);
          g_autoptr(LsExpr) next = ls_add (ls_ref (LS_EXPR (iter->var)), ls_const_int (ls_dtype (iter->var), 1));
          g_autoptr(LsExpr) moved = NULL;
          g_autoptr(LsExpr) change = NULL;

          if (!ls_uses (rest, iter->var))
            continue;
          moved = ls_sub ((LsExpr *) ls_substitute_one (rest, iter->var, next), ls_ref (rest));
          change = ls_analyzer_simplify (analyzer, moved);
          if (!ls_as_int (change, &step) || step <= 0)
            return FALSE;
          if (least != NULL && step >= found)
            continue;
          found = step;
          least = iter;
        }
      if (least == NULL)
        return TRUE;
      if (!ls_as_int (least->dom->extent, &extent) || found <= reach)
        return FALSE;
      reach += found * (extent - 1);
      ls_take (&rest, (LsExpr *) ls_substitute_one (rest, least->var, least->dom->min));
    }
}

gboolean
ls_tell_apart (LsArray *indices,
               LsArray *iter_vars)
{
  g_autoptr(LsDomMap) domains = ls_dom_map_new ();
  g_autoptr(LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr(LsExpr) always = ls_bool (TRUE);
  g_autoptr(LsIterMapResult) map = NULL;

  for (guint i = 0; i < ls_array_n (iter_vars); i++)
    if (ls_uses (indices, ls_array_at (iter_vars, i, LsIterVar)->var))
      ls_dom_map_set_range (domains, ls_array_at (iter_vars, i, LsIterVar)->var, ls_array_at (iter_vars, i, LsIterVar)->dom);
  map = ls_detect_iter_map (indices, domains, always, LS_ITER_MAP_BIJECTIVE, analyzer, FALSE);
  if (ls_array_n (map->indices) > 0)
    return TRUE;
  for (guint v = 0; v < ls_array_n (iter_vars); v++)
    {
      LsVar *var = ls_array_at (iter_vars, v, LsIterVar)->var;
      gboolean told = !ls_uses (indices, var);

      for (guint i = 0; !told && i < ls_array_n (indices); i++)
        told = ls_uses (indices->items[i], var) && tells_apart (ls_array_at (indices, i, LsExpr), iter_vars);
      if (!told)
        return FALSE;
    }
  return TRUE;
}
