/* split: a long row of loops becomes several functions.
 *
 * LLVM's analyses of loops take a time that grows with the square of how many loops a function has: 2,000 loops one behind the other
 * took ten seconds.  Where a sequence of statements has more than MOST loops, each run of statements with about PART loops is a function
 * that is called.  What is computed stays the same.
 */
#include "engine/codegen/codegen-private.h"

#define MOST 200u
#define PART 50u

typedef struct {
  guint    loops;
  gboolean returns;             /* leaves the function from within */
} Count;

static LsWalk
count_node (LsNode   *node,
            gpointer  user_data)
{
  Count *count = user_data;

  count->loops += ls_is (node, FOR) || ls_is (node, WHILE);
  count->returns |= ls_is_call (node, "tir.ret");
  return ls_is_expr (node) && !ls_is (node, CALL) ? LS_WALK_PRUNE : LS_WALK_CONTINUE;
}

static Count
count_loops (LsStmt *stmt)
{
  Count count = { 0, FALSE };

  ls_walk (stmt, count_node, NULL, &count);
  return count;
}

gboolean
ls_cg_may_split (LsStmt *body)
{
  return count_loops (body).loops > MOST;
}

typedef struct {
  LsArray *seq;
  guint    from, to;
} Run;

static void
emit_run (LsCg         *cg,
          LsCgClosure  *closure,
          LLVMValueRef *loaded,
          gpointer      data)
{
  Run *run = data;

  for (guint i = run->from; i < run->to && cg->error == NULL; i++)
    ls_cg_stmt (cg, ls_array_at (run->seq, i, LsStmt));
  LLVMBuildRet (cg->builder, ls_cg_i32 (cg, 0));
}

static void
call_run (LsCg *cg,
          Run  *run)
{
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 1, cg->ptr);
  g_autofree char *name = g_strdup_printf ("%s%s.part%u", cg->options->prefix != NULL ? cg->options->prefix : "", cg->name, ++cg->n_outlined);
  LsCgClosure closure;
  LLVMValueRef memory, func;

  ls_cg_closure_init (&closure);
  for (guint i = run->from; i < run->to; i++)
    ls_cg_closure_use (cg, &closure, run->seq->items[i]);
  memory = ls_cg_closure_store (cg, &closure);
  func = ls_cg_outline (cg, &closure, type, 0, name, run->seq->items[run->from], emit_run, run);
  ls_cg_attribute (cg, func, LLVMAttributeFunctionIndex, "noinline", 0);
  ls_cg_return_if (cg, LLVMBuildCall2 (cg->builder, type, func, &memory, 1, ""));
  ls_cg_closure_clear (&closure);
}

gboolean
ls_cg_split (LsCg    *cg,
             LsArray *seq)
{
  g_autofree guint *loops = g_new (guint, seq->n + 1);
  guint64 total = 0;
  guint from = 0, inside = 0;

  if (!cg->may_split || seq->n < 2)
    return FALSE;
  for (guint i = 0; i < seq->n; i++)
    {
      Count count = count_loops (ls_array_at (seq, i, LsStmt));

      if (count.returns)
        return FALSE;
      loops[i] = count.loops;
      total += count.loops;
    }
  if (total <= MOST)
    return FALSE;
  for (guint i = 0; i < seq->n && cg->error == NULL; i++)
    {
      inside += loops[i];
      if (inside >= PART || i + 1 == seq->n)
        {
          call_run (cg, &(Run) { seq, from, i + 1 });
          from = i + 1;
          inside = 0;
        }
    }
  return TRUE;
}
