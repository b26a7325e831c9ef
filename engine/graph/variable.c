/* variable: what in a function has a name. */
#include "engine/graph/graph-private.h"

#include "engine/relax/analysis.h"

LsRelaxVar *
ls_graph_variable (LsFunction  *function,
                   const char  *name,
                   LsNode     **value)
{
  LsSeqExpr *seq = ls_is (function->body, SEQ_EXPR) ? (LsSeqExpr *) function->body : NULL;

  *value = NULL;
  for (guint i = 0; i < ls_array_n (function->params); i++)
    if (g_strcmp0 (ls_array_at (function->params, i, LsRelaxVar)->name, name) == 0)
      return ls_array_at (function->params, i, LsRelaxVar);
  for (guint b = 0; seq != NULL && b < seq->blocks->n; b++)
    {
      LsArray *bindings = ls_array_at (seq->blocks, b, LsBindingBlock)->bindings;

      for (guint i = 0; i < bindings->n; i++)
        {
          LsRelaxVar *var = ls_binding_var (bindings->items[i]);

          if (var == NULL || g_strcmp0 (var->name, name) != 0)
            continue;
          *value = ls_binding_value (bindings->items[i]);
          return var;
        }
    }
  return NULL;
}
