/* lasting: what a condition still says while a statement runs.
 *
 *     if A[0] < 5:                 the condition speaks of A[0], and A[0] changes: nothing is known of it
 *         A[0] = 10                inside, so that max (A[0], 5) stays as it is
 *         B[1] = T.max (A[0], 5)
 *
 * A term of a conjunction lasts when nothing in the statement stores to what it reads: no store to the same memory, which views and
 * pointers around the place may name otherwise; no block or pointer that gives a part of it another name; no call that may change
 * anything.  Terms without loads always last.  The same holds for the ends of a loop.  (TVM v0.20 keeps every term.)
 */
#include "engine/tir/scope.h"

#include "engine/arith/data.h"

typedef struct {
  LsAnalyzer *analyzer;
  GPtrArray  *read;             /* LsVar, borrowed: the memory that is read */
  gboolean    lasts;
} Reads;

static LsWalk
look_for_memory (LsNode   *node,
                 gpointer  found)
{
  if (ls_is_call (node, "tir.tvm_struct_get"))  /* who called says where an array lies: nowhere that has a name here */
    return LS_WALK_PRUNE;
  if (ls_is (node, BUFFER_LOAD))
    {
      *(LsVar **) found = ((LsBufferLoad *) node)->buffer->data;
      return LS_WALK_STOP;
    }
  if (!ls_is_var (node) || !ls_dtype_is_handle (ls_dtype (node)))
    return LS_WALK_CONTINUE;
  *(LsVar **) found = (LsVar *) node;
  return LS_WALK_STOP;
}

LsVar *
ls_pointer_memory (LsExpr *pointer)
{
  LsVar *found = NULL;

  if (ls_dtype_is_handle (ls_dtype (pointer)))
    ls_walk (pointer, look_for_memory, NULL, &found);
  return found;
}

static LsWalk
note_read (LsNode   *node,
           gpointer  user_data)
{
  Reads *self = user_data;

  if (ls_is (node, BUFFER_LOAD))
    g_ptr_array_add (self->read, ((LsBufferLoad *) node)->buffer->data);
  else if (ls_is (node, PRODUCER_LOAD) || (ls_is (node, CALL) && ls_side_effect (node) > LS_EFFECT_PURE))
    self->lasts = FALSE;
  return self->lasts ? LS_WALK_CONTINUE : LS_WALK_STOP;
}

static gboolean
is_read (Reads *self,
         LsVar *memory)
{
  for (guint i = 0; memory != NULL && i < self->read->len; i++)
    if (ls_analyzer_is_one_memory (self->analyzer, self->read->pdata[i], memory))
      return TRUE;
  return FALSE;
}

static gboolean
may_change (Reads  *self,
            LsNode *node)
{
  LsBlock *block = (LsBlock *) node;

  if (ls_is (node, BUFFER_STORE))
    return is_read (self, ((LsBufferStore *) node)->buffer->data);
  if (ls_is (node, LET_STMT))
    return is_read (self, ls_pointer_memory (((LsLetStmt *) node)->value));
  if (ls_is (node, CALL))
    {
      LsNode *op = ((LsCall *) node)->op;

      return !ls_is (op, OP) || ((LsOp *) op)->effect > LS_EFFECT_READ_STATE;
    }
  for (guint i = 0; ls_is (node, BLOCK) && i < ls_array_n (block->match_buffers); i++)
    if (is_read (self, ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->source->buffer->data))
      return TRUE;
  return FALSE;
}

static LsWalk
find_change (LsNode   *node,
             gpointer  user_data)
{
  Reads *self = user_data;

  if (!may_change (self, node))
    return LS_WALK_CONTINUE;
  self->lasts = FALSE;
  return LS_WALK_STOP;
}

gboolean
ls_scope_lasts (LsAnalyzer *analyzer,
                LsExpr     *term,
                gpointer    scope)
{
  g_autoptr (GPtrArray) read = NULL;
  Reads self;

  if (ls_is_pure (term))
    return TRUE;
  read = g_ptr_array_new ();
  self = (Reads) { analyzer, read, TRUE };
  ls_walk (term, note_read, NULL, &self);
  if (self.lasts)
    ls_walk (scope, find_change, NULL, &self);
  return self.lasts;
}

/* The terms that last, as a conjunction. (transfer full) */
static LsExpr *
lasting_part (LsAnalyzer *analyzer,
              LsExpr     *condition,
              gpointer    scope)
{
  if (!ls_is (condition, AND))
    return ls_scope_lasts (analyzer, condition, scope) ? ls_ref (condition) : ls_bool (TRUE);
  return ls_and (lasting_part (analyzer, ((LsBinary *) condition)->a, scope), lasting_part (analyzer, ((LsBinary *) condition)->b, scope));
}

guint
ls_analyzer_enter_in (LsAnalyzer *analyzer,
                      LsExpr     *condition,
                      gpointer    scope)
{
  g_autoptr (LsExpr) part = NULL;

  if (ls_is_pure (condition))
    return ls_analyzer_enter_constraint (analyzer, condition);
  part = lasting_part (analyzer, condition, scope);
  return ls_analyzer_enter_constraint (analyzer, part);
}

void
ls_analyzer_bind_loop (LsAnalyzer *analyzer,
                       LsFor      *loop)
{
  g_autoptr (LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

  if (ls_scope_lasts (analyzer, loop->min, loop->body) && ls_scope_lasts (analyzer, loop->extent, loop->body))
    ls_analyzer_bind_range (analyzer, loop->loop_var, range, TRUE);
  else
    ls_analyzer_update_bound (analyzer, loop->loop_var, ls_analyzer_range_bound (analyzer, range), TRUE);
}
