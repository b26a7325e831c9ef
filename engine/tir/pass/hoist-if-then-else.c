/* HoistIfThenElse: conditions that a loop does not change are asked outside of it.
 *
 *     for i in range (n):             if n > 4:
 *         if n > 4:           ->          for i in range (n): X
 *             X                       else:
 *         else:                           for i in range (n): Y
 *             Y
 *
 * It is HoistExpression for the conditions of if statements alone.  What asks for a thread's index stays, unless the option
 * support_block_scope_hosting (TVM's spelling) says otherwise.  Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/pass.h"

/* TVM's HoistedConditionals */
#define IF_ELSE_STMT 1
#define USING_BLOCK_VAR 8

LsPrimFunc *
ls_pass_hoist_if_then_else (LsPrimFunc  *func,
                            LsMap       *options,
                            GError     **error)
{
  gboolean threads_too = ls_pass_option (options, "support_block_scope_hosting", 0) != 0;
  g_autoptr (LsMap) empty = ls_map_empty ();
  g_autoptr (LsExpr) conditionals = ls_int (IF_ELSE_STMT | (threads_too ? USING_BLOCK_VAR : 0));
  g_autoptr (LsExpr) bindings = ls_int (0);
  g_autoptr (LsMap) with_conditionals = ls_map_set (empty, "hoisted_conditionals", conditionals);
  g_autoptr (LsMap) all = ls_map_set (with_conditionals, "hoisted_let_bindings", bindings);

  return ls_pass_hoist_expression (func, all, error);
}
