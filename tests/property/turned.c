/* See turned.h. */
#include "tests/property/turned.h"

#include "tests/support/random.h"

typedef enum { FORWARDS, BACKWARDS, SHUFFLED } Way;

/* Loops whose rounds may run at the same time run another way round. */
static LsNode *
turn (LsRewriter *rewriter,
      LsNode     *node,
      gpointer    user_data)
{
  Way way = GPOINTER_TO_INT (user_data);
  LsFor *loop = (LsFor *) node;
  g_autoptr (LsNode) body = NULL;
  g_autoptr (LsExpr) other = NULL;
  gint64 extent;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (!ls_is (node, FOR) || loop->kind == LS_FOR_SERIAL || loop->kind == LS_FOR_UNROLLED || !ls_as_int (loop->extent, &extent))
    return ls_rewrite_default (rewriter, node);
  body = ls_rewrite (rewriter, loop->body);
  if (way == BACKWARDS || extent < 3)
    other = ls_sub (ls_int (extent - 1), LS_EXPR (ls_ref (loop->loop_var)));
  else
    other = ls_floormod (ls_add (ls_mul (LS_EXPR (ls_ref (loop->loop_var)), ls_int (extent % 2 ? 2 : extent - 1)), ls_int (1)), ls_int (extent));
  return LS_NODE (ls_for_new (ls_ref (loop->loop_var), ls_ref (loop->min), ls_ref (loop->extent), LS_FOR_SERIAL, ls_substitute_one (body, loop->loop_var, LS_NODE (other)), NULL, NULL));
}

static GBytes *
run (LsModule *module,
     Way       way)
{
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (module, "main");
  g_autoptr (LsNode) body = way != FORWARDS ? ls_rewrite_with (func->body, turn, GINT_TO_POINTER (way)) : ls_node_ref (func->body);
  g_autoptr (LsPrimFunc) turned = ls_prim_func_with_body (func, body);
  g_autoptr (GError) error = NULL;
  GBytes *bytes = ls_test_interpret_func (turned, 3, &error);

  if (bytes == NULL)
    g_test_message ("%s", error->message);
  return bytes;
}

GBytes *
ls_turned_run (LsModule *module)
{
  return run (module, FORWARDS);
}

gboolean
ls_turned_same (GBytes   *want,
                LsModule *module)
{
  for (guint way = FORWARDS; way <= SHUFFLED; way++)
    {
      g_autoptr (GBytes) got = run (module, (Way) way);

      if (got == NULL || !g_bytes_equal (want, got))
        return FALSE;
    }
  return TRUE;
}
