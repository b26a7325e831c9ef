/* purity: which calls have effects.  The operators are those that TVM marks FPurity false; allocation is no effect. */
#include "engine/relax/analysis.h"

#include "engine/ir/signature.h"

#include <string.h>

static gboolean
is_one_of (const char        *name,
           const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return TRUE;
  return FALSE;
}

static LsWalk
find_store (LsNode  *node,
            gpointer found)
{
  if (!ls_is (node, BUFFER_STORE))
    return LS_WALK_CONTINUE;
  *(gboolean *) found = TRUE;
  return LS_WALK_STOP;
}

/* A function of TensorIR that writes to no buffer only gives its result. */
static gboolean
stores (LsPrimFunc *func)
{
  gboolean found = FALSE;

  ls_walk (func->body, find_store, NULL, &found);
  return found;
}

gboolean
ls_relax_call_is_impure (LsRelaxCall    *call,
                         LsBlockBuilder *builder)
{
  static const char *const IMPURE[] = {
    "relax.print", "relax.assert_op", "relax.call_builtin_with_ctx", "relax.invoke_closure", NULL
  };
  LsNode *callee;

  switch ((int) ls_kind (call->op))
    {
    case LS_KIND_RELAX_OP: return is_one_of (((LsRelaxOp *) call->op)->name, IMPURE);
    case LS_KIND_EXTERN_FUNC:
      {
        LsStructInfo *info = ((LsExternFunc *) call->op)->struct_info;

        return !ls_is (info, FUNC_STRUCT_INFO) || !((LsFuncStructInfo *) info)->purity;
      }
    case LS_KIND_GLOBAL_VAR:
      callee = builder != NULL ? ls_block_builder_lookup_func (builder, (LsGlobalVar *) call->op) : NULL;
      if (callee == NULL)
        callee = LS_NODE (ls_global_var_get_struct_info ((LsGlobalVar *) call->op));
      if (ls_is (callee, FUNC_STRUCT_INFO))
        return !((LsFuncStructInfo *) callee)->purity;
      return ls_is (callee, FUNCTION) ? !((LsFunction *) callee)->is_pure : ls_is (callee, PRIM_FUNC) && stores ((LsPrimFunc *) callee);
    case LS_KIND_RELAX_VAR:
    case LS_KIND_DATAFLOW_VAR:
      {
        LsStructInfo *info = ((LsRelaxVar *) call->op)->struct_info;

        return ls_is (info, FUNC_STRUCT_INFO) && !((LsFuncStructInfo *) info)->purity;
      }
    default: return FALSE;
    }
}

typedef struct { LsBlockBuilder *builder; gboolean found; } Search;

static LsWalk
look (LsNode  *node,
      gpointer user_data)
{
  Search *search = user_data;

  if (ls_is (node, FUNCTION) || ls_is_struct_info (node))
    return LS_WALK_PRUNE;
  if (!ls_is (node, RELAX_CALL) || !ls_relax_call_is_impure ((LsRelaxCall *) node, search->builder))
    return LS_WALK_CONTINUE;
  search->found = TRUE;
  return LS_WALK_STOP;
}

gboolean
ls_relax_is_impure (LsNode         *expr,
                    LsBlockBuilder *builder)
{
  Search search = { builder, FALSE };

  ls_walk (expr, look, NULL, &search);
  return search.found;
}

gboolean
ls_relax_is_allocation (LsNode *expr)
{
  static const char *const ALLOCATIONS[] = {
    "relax.builtin.alloc_tensor", "relax.memory.alloc_storage", "relax.memory.alloc_tensor", "relax.vm.alloc_storage",
    "relax.vm.alloc_tensor", NULL
  };
  LsRelaxCall *call = (LsRelaxCall *) expr;

  return ls_is (expr, RELAX_CALL) && ls_is (call->op, RELAX_OP) && is_one_of (((LsRelaxOp *) call->op)->name, ALLOCATIONS);
}
