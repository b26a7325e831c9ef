/* CommonSubexprElimTIR: what is computed several times is computed once.
 *
 *     A[i] = (x + y) + z                cse_var_2 = x + y
 *     A[j] = (x + y) + z       ->       cse_var_1 = cse_var_2 + z
 *     A[k] = x + y                      A[i] = cse_var_1; A[j] = cse_var_1; A[k] = cse_var_2
 *
 * From the whole program inwards: the computations of a statement or expression are counted, the large ones first.  One whose
 * value a variable has already is that variable; one that occurs twice and uses only variables that exist here gets a
 * variable; the parts of every other one are counted in its place.  Branches, loop bounds and bodies count only for what
 * two of them share, so nothing is computed that would not have been.  A computation is pure and reads no memory.
 * Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  LsExpr *expr;                 /* owned */
  guint   count;
  guint   size;
} Computation;

typedef struct {
  LsVar  *var;
  LsExpr *value;                /* NULL: not known */
} Known;

typedef struct {
  GArray *known;                /* of Known: the variables that exist here */
  guint   n_made;
} State;

static void
computation_clear (gpointer data)
{
  ls_unref (((Computation *) data)->expr);
}

static GArray *
table_new (void)
{
  GArray *table = g_array_new (FALSE, FALSE, sizeof (Computation));

  g_array_set_clear_func (table, computation_clear);
  return table;
}

static Computation *
table_find (GArray *table,
            LsExpr *expr)
{
  for (guint i = 0; i < table->len; i++)
    if (ls_deep_equal (g_array_index (table, Computation, i).expr, expr))
      return &g_array_index (table, Computation, i);
  return NULL;
}

static LsWalk
stop_at_forbidden (LsNode  *node,
                   gpointer user_data)
{
  return ls_is (node, CALL) || ls_is (node, BUFFER_LOAD) || ls_is (node, PRODUCER_LOAD) || ls_is (node, REDUCE) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
is_computation (LsNode *node)
{
  return ls_is_expr (node) && !ls_is (node, RAMP) && !ls_is (node, BROADCAST) && !ls_is (node, STRING_IMM) && ls_count_exprs ((LsExpr *) node) > 1
         && ls_walk (node, stop_at_forbidden, NULL, NULL);
}

static void
table_add (GArray *table,
           LsExpr *expr,
           guint   count)
{
  Computation *found = table_find (table, expr);
  Computation fresh = { expr, count, 0 };

  if (found != NULL)
    {
      found->count += count;
      return;
    }
  ls_ref (expr);
  fresh.size = ls_count_exprs (expr);
  g_array_append_val (table, fresh);
}

/* Into a table in the order of size, behind what is as large. */
static void
table_insert (GArray *table,
              LsExpr *expr,
              guint   count)
{
  Computation *found = table_find (table, expr);
  Computation fresh = { expr, count, ls_count_exprs (expr) };
  guint at = 0;

  if (found != NULL)
    {
      found->count += count;
      return;
    }
  while (at < table->len && g_array_index (table, Computation, at).size >= fresh.size)
    at++;
  ls_ref (expr);
  g_array_insert_val (table, at, fresh);
}

static void collect (LsNode *node, GArray *table);

/* Adds what at least two of the parts compute. */
static void
collect_shared (LsNode **parts,
                guint    n,
                GArray  *table)
{
  GArray *tables[3];

  for (guint i = 0; i < n; i++)
    {
      tables[i] = table_new ();
      if (parts[i] != NULL)
        collect (parts[i], tables[i]);
    }
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < tables[i]->len; k++)
      {
        Computation *one = &g_array_index (tables[i], Computation, k);
        gboolean shared = FALSE;

        for (guint j = 0; j < n && !shared; j++)
          shared = j != i && table_find (tables[j], one->expr) != NULL;
        if (shared)
          table_add (table, one->expr, one->count);
      }
  for (guint i = 0; i < n; i++)
    g_array_unref (tables[i]);
}

/* The largest computations of a node, counted. */
static void
collect (LsNode *node,
         GArray *table)
{
  if (is_computation (node))
    {
      table_add (table, (LsExpr *) node, 1);
      return;
    }
  switch ((int) ls_kind (node))
    {
    case LS_KIND_MAP:
      return;
    case LS_KIND_FOR:
      collect_shared ((LsNode *[]) { LS_NODE (((LsFor *) node)->min), LS_NODE (((LsFor *) node)->extent), LS_NODE (((LsFor *) node)->body) }, 3, table);
      return;
    case LS_KIND_IF_THEN_ELSE:
      collect_shared ((LsNode *[]) { LS_NODE (((LsIfThenElse *) node)->condition), LS_NODE (((LsIfThenElse *) node)->then_case),
                                     LS_NODE (((LsIfThenElse *) node)->else_case) }, 3, table);
      return;
    case LS_KIND_WHILE:
      collect_shared ((LsNode *[]) { LS_NODE (((LsWhile *) node)->condition), LS_NODE (((LsWhile *) node)->body) }, 2, table);
      return;
    default:
      for (guint i = 0; i < ls_node_get_n_children (node); i++)
        if (ls_node_get_child (node, i) != NULL)
          collect (ls_node_get_child (node, i), table);
    }
}

static gint
compare_size (gconstpointer a,
              gconstpointer b)
{
  const Computation *ca = a, *cb = b;

  return (gint) cb->size - (gint) ca->size;
}

/* ---- replacing ---------------------------------------------------------------------- */

typedef struct {
  LsExpr *from;
  LsVar  *to;
} Replacement;

static LsNode *
replace_filter (LsRewriter *rewriter,
                LsNode     *node,
                gpointer    user_data)
{
  Replacement *replacement = user_data;

  if (ls_is (node, MAP))
    return ls_node_ref (node);
  if (ls_is_expr (node) && ls_deep_equal (node, replacement->from))
    return ls_node_ref (LS_NODE (replacement->to));
  return ls_rewrite_default (rewriter, node);
}

static LsNode *
replace (LsNode *node,
         LsExpr *from,
         LsVar  *to)
{
  Replacement replacement = { from, to };

  return ls_rewrite_with (node, replace_filter, &replacement);
}

static LsVar *
variable_of (State  *state,
             LsExpr *expr)
{
  for (guint i = 0; i < state->known->len; i++)
    {
      Known *known = &g_array_index (state->known, Known, i);

      if (known->value != NULL && ls_deep_equal (known->value, expr))
        return known->var;
    }
  return NULL;
}

static gboolean
is_unknown (LsVar    *var,
            gpointer  user_data)
{
  State *state = user_data;

  for (guint i = 0; i < state->known->len; i++)
    if (g_array_index (state->known, Known, i).var == var)
      return FALSE;
  return TRUE;
}

static LsNode *
bind (LsNode *node,
      LsVar  *var,
      LsExpr *value)
{
  if (ls_is_expr (node))
    return LS_NODE (ls_let_new (var, ls_ref (value), (LsExpr *) node));
  return LS_NODE (ls_let_stmt_new (var, ls_ref (value), (LsStmt *) node));
}

static void
insert_parts (GArray *table,
              LsExpr *expr,
              guint   count)
{
  g_autoptr (GArray) parts = table_new ();

  for (guint i = 0; i < ls_node_get_n_children (LS_NODE (expr)); i++)
    if (ls_node_get_child (LS_NODE (expr), i) != NULL)
      collect (ls_node_get_child (LS_NODE (expr), i), parts);
  for (guint i = 0; i < parts->len; i++)
    table_insert (table, g_array_index (parts, Computation, i).expr, count * g_array_index (parts, Computation, i).count);
}

/* The node with variables for what it computes several times. (transfer full) */
static LsNode *
shorten (State  *state,
         LsNode *node)
{
  g_autoptr (GArray) table = table_new ();
  LsNode *result = ls_node_ref (node);

  collect (node, table);
  g_array_sort (table, compare_size);
  for (guint i = 0; i < table->len; i++)
    {
      g_autoptr (LsExpr) expr = ls_ref (g_array_index (table, Computation, i).expr);
      guint count = g_array_index (table, Computation, i).count;
      LsVar *var = variable_of (state, expr);

      if (var != NULL)
        {
          ls_take (&result, replace (result, expr, var));
        }
      else if (count > 1 && !ls_uses_var (expr, is_unknown, state))
        {
          g_autofree char *name = g_strdup_printf ("cse_var_%u", ++state->n_made);

          var = ls_var_new (name, ls_dtype (expr));
          ls_take (&result, replace (result, expr, var));
          result = bind (result, var, expr);
          insert_parts (table, expr, 1);
        }
      else
        {
          insert_parts (table, expr, count);
        }
    }
  return result;
}

static LsNode *
inside (LsRewriter *rewriter,
        State      *state,
        LsVar      *var,
        LsExpr     *value,
        gpointer    body)
{
  Known known = { var, value };
  LsNode *result;

  g_array_append_val (state->known, known);
  result = ls_rewrite (rewriter, body);
  g_array_set_size (state->known, state->known->len - 1);
  return result;
}

static LsNode *
go_on (LsRewriter *rewriter,
       State      *state,
       LsNode     *node)
{
  LsFor *loop = (LsFor *) node;
  LsLetStmt *stmt = (LsLetStmt *) node;
  LsLet *let = (LsLet *) node;
  LsExpr *value;

  switch ((int) ls_kind (node))
    {
    case LS_KIND_FOR:
      return LS_NODE (ls_for_new (ls_ref (loop->loop_var), (LsExpr *) ls_rewrite (rewriter, loop->min), (LsExpr *) ls_rewrite (rewriter, loop->extent),
                                  loop->kind, (LsStmt *) inside (rewriter, state, loop->loop_var, NULL, loop->body), ls_ref (loop->thread_binding),
                                  ls_ref (loop->annotations)));
    case LS_KIND_LET_STMT:
      value = (LsExpr *) ls_rewrite (rewriter, stmt->value);
      return LS_NODE (ls_let_stmt_new (ls_ref (stmt->var), value, (LsStmt *) inside (rewriter, state, stmt->var, value, stmt->body)));
    case LS_KIND_LET:
      value = (LsExpr *) ls_rewrite (rewriter, let->value);
      return LS_NODE (ls_let_new (ls_ref (let->var), value, (LsExpr *) inside (rewriter, state, let->var, value, let->body)));
    default:
      return ls_rewrite_default (rewriter, node);
    }
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  g_autoptr (LsNode) shorter = NULL;

  if (ls_is (node, MAP) || ls_is_var (node))
    return ls_node_ref (node);
  if (!ls_is_expr (node) && !ls_is_stmt (node))
    return ls_rewrite_default (rewriter, node);
  shorter = shorten (user_data, node);
  return go_on (rewriter, user_data, shorter);
}

LsPrimFunc *
ls_pass_common_subexpr (LsPrimFunc  *func,
                        LsMap       *options,
                        GError     **error)
{
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (Known));
  State state = { known, 0 };
  LsRewriter rewriter = { filter, &state, NULL, NULL };
  g_autoptr (LsNode) body = NULL;

  if (!ls_pass_option (options, "enable_cse_tir", 1))
    return ls_ref (func);
  for (guint i = 0; i < func->params->n; i++)
    {
      Known param = { ls_array_at (func->params, i, LsVar), NULL };

      g_array_append_val (known, param);
    }
  body = ls_rewrite (&rewriter, func->body);
  return ls_pass_with_body (func, body);
}
