/* child: the loops and blocks directly below a statement.
 *
 * What lies between them and it (sequences, conditions, lets, realizes) is passed through.
 */
#include "engine/schedule/state/state.h"

/* The statements directly inside one that is no For and no Block; NULL when there is none of this number. */
static LsStmt *
inner_stmt (LsStmt *stmt,
            guint   i)
{
  switch (ls_kind (stmt))
    {
    case LS_KIND_SEQ_STMT:
      {
        LsSeqStmt *seq = (LsSeqStmt *) stmt;
        return i < ls_array_n (seq->seq) ? seq->seq->items[i] : NULL;
      }
    case LS_KIND_IF_THEN_ELSE:
      {
        LsIfThenElse *choice = (LsIfThenElse *) stmt;
        return i == 0 ? choice->then_case : i == 1 ? choice->else_case : NULL;
      }
    case LS_KIND_LET_STMT:       return i == 0 ? ((LsLetStmt *) stmt)->body : NULL;
    case LS_KIND_ATTR_STMT:      return i == 0 ? ((LsAttrStmt *) stmt)->body : NULL;
    case LS_KIND_ASSERT_STMT:    return i == 0 ? ((LsAssertStmt *) stmt)->body : NULL;
    case LS_KIND_BUFFER_REALIZE: return i == 0 ? ((LsBufferRealize *) stmt)->body : NULL;
    case LS_KIND_ALLOCATE:       return i == 0 ? ((LsAllocate *) stmt)->body : NULL;
    case LS_KIND_ALLOCATE_CONST: return i == 0 ? ((LsAllocateConst *) stmt)->body : NULL;
    case LS_KIND_DECL_BUFFER:    return i == 0 ? ((LsDeclBuffer *) stmt)->body : NULL;
    case LS_KIND_WHILE:          return i == 0 ? ((LsWhile *) stmt)->body : NULL;
    default:                     return NULL;
    }
}

gboolean
ls_stmt_foreach_child (LsStmt      *stmt,
                       LsChildFunc  func,
                       gpointer     user_data)
{
  LsStmt *inner;

  if (stmt == NULL)
    return TRUE;
  if (ls_is (stmt, FOR) || ls_is (stmt, BLOCK))
    return func (stmt, NULL, user_data);
  if (ls_is (stmt, BLOCK_REALIZE))
    return func (LS_NODE (((LsBlockRealize *) stmt)->block), (LsBlockRealize *) stmt, user_data);
  for (guint i = 0; (inner = inner_stmt (stmt, i)) != NULL; i++)
    if (!ls_stmt_foreach_child (inner, func, user_data))
      return FALSE;
  return TRUE;
}
