/* shape-bounds: see the header.  Bounds of constants first, then sets of integers over the variables that have ranges. */
#include "engine/relax/pass/shape-bounds.h"

#include "engine/arith/analyzer.h"
#include "engine/arith/int-set.h"
#include "engine/relax/analysis.h"
#include "engine/relax/pass/pass.h"

struct _LsShapeBounds {
  LsAnalyzer *analyzer;
  LsDomMap   *ranges;
};

void
ls_shape_bounds_free (LsShapeBounds *self)
{
  if (self == NULL)
    return;
  ls_analyzer_free (self->analyzer);
  ls_dom_map_free (self->ranges);
  g_free (self);
}

static gboolean
are_numbers (LsFunction  *func,
             const char  *attr,
             LsMap      **values,
             GError     **error)
{
  LsNode *found = ls_map_get (func->attrs, attr);

  *values = ls_is (found, MAP) ? (LsMap *) found : NULL;
  if (found == NULL)
    return TRUE;
  for (guint i = 0; *values != NULL && i < (*values)->n; i++)
    if (!ls_is (ls_map_get (*values, (*values)->keys[i]), INT_IMM))
      *values = NULL;
  if (*values == NULL)
    ls_relax_pass_refuse (error, "The attribute %s of a function maps names of symbolic variables to whole numbers.", attr);
  return *values != NULL;
}

static gboolean
is_listed (LsNode *list,
           LsVar  *var)
{
  for (guint i = 0; ls_is (list, ARRAY) && i < ((LsArray *) list)->n; i++)
    if (ls_is (((LsArray *) list)->items[i], STRING) && g_str_equal (((LsString *) ((LsArray *) list)->items[i])->value, var->name))
      return TRUE;
  return FALSE;
}

static void
bind (LsShapeBounds *self,
      LsVar         *var,
      gint64         low,
      gint64         high)
{
  g_autoptr (LsExpr) min = ls_int_imm_new (ls_dtype (var), low), max = ls_int_imm_new (ls_dtype (var), high);
  g_autoptr (LsRange) range = ls_range_new (ls_ref (min), ls_int_imm_new (ls_dtype (var), high - low + 1));
  g_autoptr (LsIntSet) set = ls_int_set_new_interval (ls_ref (min), ls_ref (max));

  ls_analyzer_bind_range (self->analyzer, var, range, FALSE);
  ls_dom_map_set_set (self->ranges, var, set);
}

LsShapeBounds *
ls_shape_bounds_new (LsFunction  *func,
                     GError     **error)
{
  g_autoptr (LsShapeBounds) self = g_new0 (LsShapeBounds, 1);
  LsNode *signless = ls_map_get (func->attrs, "tir_non_negative_var");
  LsMap *upper, *lower;

  self->analyzer = ls_analyzer_new ();
  self->ranges = ls_dom_map_new ();
  if (!are_numbers (func, "tir_var_upper_bound", &upper, error) || !are_numbers (func, "tir_var_lower_bound", &lower, error))
    return NULL;
  for (guint i = 0; i <= func->params->n; i++)
    {
      LsStructInfo *info = i < func->params->n ? ls_array_at (func->params, i, LsRelaxVar)->struct_info : func->ret_struct_info;
      g_autoptr (GPtrArray) symbols = ls_relax_symbols (info);

      for (guint k = 0; k < symbols->len; k++)
        {
          LsVar *var = symbols->pdata[k];
          gint64 high, low = 0;

          if (upper != NULL && ls_as_int (ls_map_get (upper, var->name), &high))
            {
              if (lower != NULL)
                ls_as_int (ls_map_get (lower, var->name), &low);
              bind (self, var, low, high);
            }
          else if (is_listed (signless, var))
            ls_analyzer_mark_global_non_neg (self->analyzer, LS_EXPR (var));
        }
    }
  return g_steal_pointer (&self);
}

LsExpr *
ls_shape_bounds_upper (LsShapeBounds *self,
                       LsExpr        *extent)
{
  LsConstIntBound bound = ls_analyzer_const_int_bound (self->analyzer, extent);
  g_autoptr (LsIntSet) set = NULL;

  if (bound.max != LS_POS_INF)
    return ls_int_imm_new (LS_INT64, bound.max);
  set = ls_eval_set (extent, self->ranges, self->analyzer);
  return ls_int_set_has_upper_bound (set) ? ls_ref (ls_int_set_max (set)) : ls_ref (extent);
}
