/* HoistExpression: conditions and bindings that do not change in a loop are asked and made once outside of it.
 *
 *     for i: for j:                         for i:
 *       if i < 3: X else: Y        ->         if i < 3: for j: X
 *                                             else:     for j: Y
 *
 * A first walk notes for each loop (and thread) which conditions can stand just outside of it: pure ones, through loops
 * whose variables they do not use, bindings included, up to a loop in which a sequence stands around them.  Then each such loop is
 * put under its conditions, twice where there is something to do otherwise, and Simplify and RemoveNoOp take out what is
 * decided by them.  Options say which conditions (1 if, 2 if_then_else, 4 parts of and/or, 8 with threads) and which
 * bindings (1 needed by a condition, 2 statements, 4 expressions) go.  Source of the concept: TVM's pass of the same
 * name. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/renew.h"

enum { FROM_IF = 1, FROM_IF_EXPR = 2, FROM_BOOLEAN = 4, USING_THREADS = 8 };
enum { LET_NEEDED = 1, LET_STMT = 2 };

typedef struct {
  LsExpr   *condition;          /* owned */
  gboolean  with_else;
} Condition;

/* One loop or thread, and what can stand outside of it; or a block or a binding in an expression, whose variables stay inside. */
typedef struct {
  LsNode   *node;
  LsVar    *var;                /* NULL: a block */
  gboolean  is_inside;          /* a block or a binding: nothing is put around it */
  gboolean  is_thread;
  gboolean  sequence;           /* a sequence was met inside */
  GArray   *conditions;         /* of Condition */
  GPtrArray *lets;              /* of LsLetStmt, borrowed */
} Place;

typedef struct {
  GHashTable *places;           /* For or AttrStmt -> Place */
  GPtrArray  *active;           /* Places around, outer first */
  GHashTable *let_vars;         /* Var of a binding -> its LetStmt, while inside */
  GHashTable *depths;           /* Var of a place or of a binding -> the number, from 1, of the innermost place that its value changes with */
  GHashTable *hoisted;          /* LetStmts that leave their place */
  guint       conditionals;
  guint       bindings;
} State;

static void
condition_clear (gpointer data)
{
  ls_unref (((Condition *) data)->condition);
}

static void
place_free (gpointer data)
{
  Place *self = data;

  g_array_unref (self->conditions);
  g_ptr_array_unref (self->lets);
  g_free (self);
}

static Place *
place_new (LsNode   *node,
           LsVar    *var,
           gboolean  is_thread)
{
  Place *self = g_new0 (Place, 1);

  self->node = node;
  self->var = var;
  self->is_thread = is_thread;
  self->conditions = g_array_new (FALSE, FALSE, sizeof (Condition));
  g_array_set_clear_func (self->conditions, condition_clear);
  self->lets = g_ptr_array_new ();
  return self;
}

typedef struct {
  State    *state;
  guint     depth;              /* of the innermost place whose variables are used, also by way of bindings; 0: none is */
  gboolean  free;               /* all bindings that are used leave their place too */
} Needs;

static LsWalk
note_need (LsNode   *node,
           gpointer  user_data)
{
  Needs *needs = user_data;
  LsNode *let;

  if (!ls_is_var (node))
    return LS_WALK_CONTINUE;
  let = g_hash_table_lookup (needs->state->let_vars, node);
  needs->depth = MAX (needs->depth, GPOINTER_TO_UINT (g_hash_table_lookup (needs->state->depths, node)));
  needs->free = needs->free && (let == NULL || g_hash_table_contains (needs->state->hoisted, let));
  return LS_WALK_CONTINUE;
}

static Needs
needs_of (State  *state,
          LsExpr *expr)
{
  Needs needs = { state, 0, TRUE };

  ls_walk (expr, note_need, NULL, &needs);
  return needs;
}

static void
set_depth (State *state,
           LsVar *var,
           guint  depth)
{
  g_hash_table_insert (state->depths, var, GUINT_TO_POINTER (depth));
}

/* The variables that a place makes have this depth. */
static void
set_depths (State *state,
            Place *place,
            guint  depth)
{
  LsArray *iters = place->var == NULL ? ((LsBlock *) place->node)->iter_vars : NULL;

  if (place->var != NULL)
    set_depth (state, place->var, depth);
  for (guint i = 0; i < ls_array_n (iters); i++)
    set_depth (state, ls_array_at (iters, i, LsIterVar)->var, depth);
}

/* The outermost place outside of which the expression means the same, or NULL. */
static Place *
destination (State       *state,
             const Needs *needs)
{
  Place *found = NULL;

  for (guint i = state->active->len; i-- > 0;)
    {
      Place *place = state->active->pdata[i];

      if (place->sequence || needs->depth == i + 1 || (place->is_thread && (state->conditionals & USING_THREADS) == 0))
        break;
      if (!place->is_inside)
        found = place;
    }
  return found;
}

static gboolean
uses_threads (State  *state,
              LsExpr *expr)
{
  for (guint i = 0; i < state->active->len; i++)
    if (((Place *) state->active->pdata[i])->is_thread && ls_uses (expr, ((Place *) state->active->pdata[i])->var))
      return TRUE;
  return FALSE;
}

static void
try_condition (State    *state,
               LsExpr   *condition,
               guint     from,
               gboolean  with_else)
{
  Place *place;
  Condition entry = { condition, with_else };
  Needs needs;

  if ((state->conditionals & from) == 0 || !ls_is_pure (condition) || !ls_is_safe (condition))
    return;
  needs = needs_of (state, condition);
  if (!needs.free
      || ((state->conditionals & USING_THREADS) == 0 && uses_threads (state, condition)))
    return;
  place = destination (state, &needs);
  if (place == NULL)
    return;
  ls_ref (condition);
  g_array_append_val (place->conditions, entry);
}

static gboolean
is_needed (LsStmt *body,
           LsVar  *var)
{
  return ls_is (body, IF_THEN_ELSE) && ls_uses (((LsIfThenElse *) body)->condition, var);
}

static void
try_let (State       *state,
         LsLetStmt   *let,
         const Needs *needs)
{
  gboolean wanted = (state->bindings & LET_STMT) != 0 || ((state->bindings & LET_NEEDED) != 0 && is_needed (let->body, let->var));
  Place *place;

  if (!wanted || !ls_is_pure (let->value) || !ls_is_safe (let->value) || !needs->free)
    return;
  place = destination (state, needs);
  if (place == NULL)
    return;
  g_ptr_array_add (place->lets, let);
  g_hash_table_add (state->hoisted, let);
}

static gboolean
makes_place (LsNode *node)
{
  return ls_is (node, FOR) || ls_is (node, BLOCK) || ls_is (node, LET) || ls_thread_axis (node) != NULL;
}

static LsWalk
enter (LsNode   *node,
       gpointer  user_data)
{
  State *state = user_data;
  Place *place = NULL;

  if (ls_is (node, FOR))
    place = place_new (node, ((LsFor *) node)->loop_var, FALSE);
  else if (ls_thread_axis (node) != NULL)
    place = place_new (node, ((LsIterVar *) ((LsAttrStmt *) node)->subject)->var, TRUE);
  else if (ls_is (node, BLOCK) || ls_is (node, LET))
    {
      place = place_new (node, ls_is (node, LET) ? ((LsLet *) node)->var : NULL, FALSE);
      place->is_inside = TRUE;
    }
  else if (ls_is (node, SEQ_STMT) && state->active->len > 0)
    ((Place *) state->active->pdata[state->active->len - 1])->sequence = TRUE;
  else if (ls_is (node, IF_THEN_ELSE))
    try_condition (state, ((LsIfThenElse *) node)->condition, FROM_IF, ((LsIfThenElse *) node)->else_case != NULL);
  else if (ls_is_call (node, "tir.if_then_else"))
    try_condition (state, ls_array_at (((LsCall *) node)->args, 0, LsExpr), FROM_IF_EXPR, TRUE);
  else if (ls_is (node, AND) || ls_is (node, OR))
    {
      try_condition (state, ((LsBinary *) node)->a, FROM_BOOLEAN, TRUE);
      try_condition (state, ((LsBinary *) node)->b, FROM_BOOLEAN, TRUE);
    }
  else if (ls_is (node, LET_STMT))
    {
      LsLetStmt *let = (LsLetStmt *) node;
      Needs needs = needs_of (state, let->value);

      try_let (state, let, &needs);
      g_hash_table_insert (state->let_vars, let->var, node);
      set_depth (state, let->var, needs.depth);
    }
  if (place != NULL)
    {
      g_hash_table_insert (state->places, node, place);
      g_ptr_array_add (state->active, place);
      set_depths (state, place, state->active->len);
    }
  return LS_WALK_CONTINUE;
}

static void
leave (LsNode   *node,
       gpointer  user_data)
{
  State *state = user_data;

  if (makes_place (node))
    {
      set_depths (state, state->active->pdata[state->active->len - 1], 0);
      g_ptr_array_remove_index (state->active, state->active->len - 1);
    }
  else if (ls_is (node, LET_STMT))
    {
      g_hash_table_remove (state->let_vars, ((LsLetStmt *) node)->var);
      set_depth (state, ((LsLetStmt *) node)->var, 0);
    }
}

/* ---- putting loops under their conditions ------------------------------------------- */

static LsStmt *
copy_of (LsStmt *stmt)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);

  return ls_stmt_renew (stmt, table);
}

static LsNode *
put_under (LsNode *loop,
           Place  *place)
{
  LsStmt *stmt = (LsStmt *) loop;

  for (guint i = place->conditions->len; i-- > 0;)
    {
      Condition *entry = &g_array_index (place->conditions, Condition, i);
      LsStmt *otherwise = entry->with_else ? copy_of (stmt) : NULL;

      stmt = ls_if_then_else_new (ls_ref (entry->condition), stmt, otherwise);
    }
  for (guint i = place->lets->len; i-- > 0;)
    {
      LsLetStmt *let = place->lets->pdata[i];

      stmt = ls_let_stmt_new (ls_ref (let->var), ls_ref (let->value), stmt);
    }
  return LS_NODE (stmt);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  Place *place;
  LsNode *result;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (g_hash_table_contains (state->hoisted, node))
    return ls_rewrite (rewriter, ((LsLetStmt *) node)->body);
  place = g_hash_table_lookup (state->places, node);
  result = ls_rewrite_default (rewriter, node);
  return place != NULL ? put_under (result, place) : result;
}

LsPrimFunc *
ls_pass_hoist_expression (LsPrimFunc  *func,
                          LsMap       *options,
                          GError     **error)
{
  g_autoptr (GHashTable) places = g_hash_table_new_full (NULL, NULL, NULL, place_free);
  g_autoptr (GPtrArray) active = g_ptr_array_new ();
  g_autoptr (GHashTable) let_vars = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) depths = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) hoisted = g_hash_table_new (NULL, NULL);
  State state = { places, active, let_vars, depths, hoisted, 0, 0 };
  g_autoptr (LsNode) body = NULL;
  g_autoptr (LsPrimFunc) moved = NULL;
  g_autoptr (LsPrimFunc) simple = NULL;

  state.conditionals = (guint) ls_pass_option (options, "hoisted_conditionals", options == NULL ? 15 : 0);
  state.bindings = (guint) ls_pass_option (options, "hoisted_let_bindings", options == NULL ? 7 : 0);
  ls_walk (func->body, enter, leave, &state);
  body = ls_rewrite_with (func->body, filter, &state);
  moved = ls_pass_with_body (func, body);
  simple = ls_pass_simplify (moved, error);
  return simple != NULL ? ls_pass_remove_no_op (simple, NULL, error) : NULL;
}
