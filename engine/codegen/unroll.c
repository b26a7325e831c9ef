/* unroll: which serial loops a pragma_auto_unroll_max_step writes out.
 *
 * A serial loop of constant extent under the pragma is written out when everything in it is, no more than eight loops
 * deep, and the statements that come of it are at most the bound.  Stores and evaluations count, index arithmetic does not.
 * Source of the rule: TVM's UnrollLoop.
 */
#include "engine/codegen/codegen-private.h"

#define MAX_DEPTH 8

typedef struct {
  gint64   steps;
  guint    depth;               /* of written-out loops */
  gboolean has_loop;            /* something stays a loop */
} Count;

static Count count_stmt (LsStmt *stmt, gint64 max_steps);

static Count
either (Count a,
        Count b)
{
  return (Count) { a.steps + b.steps, MAX (a.depth, b.depth), a.has_loop || b.has_loop };
}

static gboolean
is_written_out (LsFor  *loop,
                Count   inside,
                gint64  max_steps)
{
  gint64 extent;

  if (loop->kind == LS_FOR_UNROLLED)
    return TRUE;
  return loop->kind == LS_FOR_SERIAL && ls_as_int (loop->extent, &extent) && extent >= 0 && !inside.has_loop && inside.depth <= MAX_DEPTH &&
         extent * inside.steps <= max_steps;
}

static Count
count_loop (LsFor  *loop,
            gint64  max_steps)
{
  Count inside = count_stmt (loop->body, max_steps);
  gint64 extent = 1;

  if (loop->kind == LS_FOR_VECTORIZED)
    return inside;
  if (!is_written_out (loop, inside, max_steps))
    return (Count) { inside.steps, inside.depth, TRUE };
  ls_as_int (loop->extent, &extent);
  return (Count) { inside.steps * MAX (extent, 1), inside.depth + 1, inside.has_loop };
}

static Count
count_stmt (LsStmt *stmt,
            gint64  max_steps)
{
  Count count = { 0, 0, FALSE };
  guint n;

  if (stmt == NULL || ls_is_expr (stmt))
    return count;
  if (ls_is (stmt, FOR))
    return count_loop ((LsFor *) stmt, max_steps);
  if (ls_is (stmt, BUFFER_STORE) || ls_is (stmt, EVALUATE))
    return (Count) { 1, 0, FALSE };
  n = ls_node_get_n_children (stmt);
  for (guint i = 0; i < n; i++)
    {
      LsNode *child = ls_node_get_child (stmt, i);

      if (child != NULL && (ls_is_stmt (child) || ls_is (child, ARRAY)))
        count = either (count, count_stmt (child, max_steps));
    }
  return count;
}

gboolean
ls_cg_writes_out (LsFor  *loop,
                  gint64  max_steps)
{
  gint64 extent;

  return max_steps > 0 && loop->kind == LS_FOR_SERIAL && ls_as_int (loop->extent, &extent) && extent <= max_steps &&
         is_written_out (loop, count_stmt (loop->body, max_steps), max_steps);
}
