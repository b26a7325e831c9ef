/* ConvertSSA: every variable of a module gets one definition.
 *
 *     for i in range(8): X                  for i in range(8): X
 *     for i in range(8): Y          ->      for i_1 in range(8): Y [i = i_1]       (one variable i was both)
 *
 * A definition (loop, binding, allocation, iterator of a block, parameter, thread) of a variable that has one already gets a
 * variable of its own, which holds as far as the definition does; buffers that lie on such a variable, or have it in their
 * shape, become buffers of their own there.  A thread keeps one variable in a whole function.  Source of the concept: TVM's
 * pass of the same name. */
#include "engine/ir/functions.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/renew.h"

typedef struct {
  GHashTable *defined;          /* all variables with a definition; owned */
  GHashTable *scope;            /* Var -> Var: what a variable is called here; values owned */
  GHashTable *buffers;          /* Buffer -> GPtrArray of the buffers that stand for it; owned */
} State;

/* What a variable was called before a definition. */
typedef struct {
  LsVar  *var;
  LsNode *before;               /* owned, or NULL */
  gboolean renamed;
} Definition;

static LsNode *
name_of (State  *state,
         LsNode *var)
{
  LsNode *other = g_hash_table_lookup (state->scope, var);

  return other != NULL ? other : var;
}

static Definition
define (State *state,
        LsVar *var)
{
  Definition definition = { var, ls_node_ref (g_hash_table_lookup (state->scope, var)), FALSE };

  if (!g_hash_table_contains (state->defined, var))
    {
      g_hash_table_add (state->defined, ls_ref (var));
      return definition;
    }
  definition.renamed = TRUE;
  g_hash_table_insert (state->scope, var, ls_var_copy (var, NULL));
  g_hash_table_add (state->defined, ls_node_ref (name_of (state, LS_NODE (var))));
  return definition;
}

static void
leave (State      *state,
       Definition *definition)
{
  if (!definition->renamed)
    {
      ls_node_unref (definition->before);
      return;
    }
  if (definition->before != NULL)
    g_hash_table_insert (state->scope, definition->var, definition->before);
  else
    g_hash_table_remove (state->scope, definition->var);
}

static gboolean
is_same_place (LsBuffer *a,
               LsBuffer *b)
{
  return a->data == b->data && ls_deep_equal (a->shape, b->shape) && ls_deep_equal (a->strides, b->strides)
         && ls_deep_equal (a->elem_offset, b->elem_offset);
}

/* The buffer as it is called here. (transfer full) */
static LsBuffer *
buffer_here (State    *state,
             LsBuffer *buffer)
{
  g_autoptr (LsBuffer) fresh = ls_buffer_replace (buffer, state->scope);
  GPtrArray *known = g_hash_table_lookup (state->buffers, buffer);

  if (fresh == buffer)
    return g_steal_pointer (&fresh);
  if (known == NULL)
    {
      known = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
      g_hash_table_insert (state->buffers, ls_ref (buffer), known);
    }
  for (guint i = 0; i < known->len; i++)
    if (is_same_place (known->pdata[i], fresh))
      return ls_ref ((LsBuffer *) known->pdata[i]);
  g_ptr_array_add (known, ls_ref (fresh));
  return g_steal_pointer (&fresh);
}

static LsVar *
defined_var (LsNode *node)
{
  if (ls_is (node, FOR))
    return ((LsFor *) node)->loop_var;
  if (ls_is (node, LET_STMT))
    return ((LsLetStmt *) node)->var;
  if (ls_is (node, LET))
    return ((LsLet *) node)->var;
  if (ls_is (node, ALLOCATE))
    return ((LsAllocate *) node)->buffer_var;
  if (ls_is (node, ALLOCATE_CONST))
    return ((LsAllocateConst *) node)->buffer_var;
  return NULL;
}

/* A block: the domains of its iterators stand outside of what they define. */
static LsNode *
convert_block (LsRewriter *rewriter,
               State      *state,
               LsBlock    *block)
{
  guint n = ls_array_n (block->iter_vars);
  g_autofree Definition *definitions = g_new0 (Definition, n + 1);
  LsNode *result;

  for (guint i = 0; i < n; i++)
    definitions[i] = define (state, ls_array_at (block->iter_vars, i, LsIterVar)->var);
  result = ls_rewrite_default (rewriter, block);
  for (guint i = n; i-- > 0;)
    leave (state, &definitions[i]);
  return result;
}

/* A binding: its value stands outside. */
static LsNode *
convert_let (LsRewriter *rewriter,
             State      *state,
             LsNode     *node)
{
  gboolean is_stmt = ls_is (node, LET_STMT);
  LsLetStmt *stmt = (LsLetStmt *) node;
  LsLet *expr = (LsLet *) node;
  LsNode *value = ls_rewrite (rewriter, is_stmt ? stmt->value : expr->value), *body, *result;
  Definition definition = define (state, defined_var (node));

  body = ls_rewrite (rewriter, is_stmt ? LS_NODE (stmt->body) : LS_NODE (expr->body));
  if (!definition.renamed && value == LS_NODE (is_stmt ? stmt->value : expr->value) && body == (is_stmt ? LS_NODE (stmt->body) : LS_NODE (expr->body)))
    {
      result = ls_node_ref (node);
      ls_node_unref (value);
      ls_node_unref (body);
    }
  else
    {
      LsVar *var = (LsVar *) ls_node_ref (name_of (state, LS_NODE (definition.var)));

      result = is_stmt ? LS_NODE (ls_let_stmt_new (var, LS_EXPR (value), body)) : LS_NODE (ls_let_new (var, LS_EXPR (value), LS_EXPR (body)));
    }
  leave (state, &definition);
  return result;
}

/* A loop: its ends stand outside. */
static LsNode *
convert_for (LsRewriter *rewriter,
             State      *state,
             LsFor      *loop)
{
  LsNode *min = ls_rewrite (rewriter, loop->min), *extent = ls_rewrite (rewriter, loop->extent);
  LsNode *binding = ls_rewrite (rewriter, loop->thread_binding), *annotations = ls_rewrite (rewriter, loop->annotations);
  Definition definition = define (state, loop->loop_var);
  LsNode *body = ls_rewrite (rewriter, loop->body), *result;
  LsVar *var = (LsVar *) ls_node_ref (name_of (state, LS_NODE (loop->loop_var)));

  result = LS_NODE (ls_for_new (var, LS_EXPR (min), LS_EXPR (extent), loop->kind, body, (LsIterVar *) binding, (LsMap *) annotations));
  leave (state, &definition);
  if (var == loop->loop_var && min == LS_NODE (loop->min) && extent == LS_NODE (loop->extent) && binding == LS_NODE (loop->thread_binding)
      && annotations == LS_NODE (loop->annotations) && body == LS_NODE (loop->body))
    ls_take (&result, ls_node_ref (LS_NODE (loop)));
  return result;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsVar *var = defined_var (node);
  Definition definition;
  LsNode *result;

  if (ls_is_var (node))
    return ls_node_ref (name_of (state, node));
  if (ls_is (node, BUFFER))
    return LS_NODE (buffer_here (state, (LsBuffer *) node));
  if (ls_is (node, BLOCK))
    return convert_block (rewriter, state, (LsBlock *) node);
  if (ls_is (node, LET_STMT) || ls_is (node, LET))
    return convert_let (rewriter, state, node);
  if (ls_is (node, FOR))
    return convert_for (rewriter, state, (LsFor *) node);
  if (var == NULL)
    return ls_rewrite_default (rewriter, node);
  definition = define (state, var);
  result = ls_rewrite_default (rewriter, node);
  leave (state, &definition);
  return result;
}

static void
state_init (State *state)
{
  state->defined = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, NULL);
  state->scope = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  state->buffers = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) g_ptr_array_unref);
}

static void
state_clear (State *state)
{
  g_hash_table_unref (state->defined);
  g_hash_table_unref (state->scope);
  g_hash_table_unref (state->buffers);
}

LsStmt *
ls_stmt_convert_ssa (LsStmt *stmt)
{
  State state;
  LsStmt *result;

  state_init (&state);
  result = ls_rewrite_with (stmt, filter, &state);
  state_clear (&state);
  return result;
}

typedef struct {
  State  *state;
  GArray *definitions;          /* of Definition */
} Owned;

static LsWalk
define_thread (LsNode   *node,
               gpointer  user_data)
{
  Owned *owned = user_data;
  LsIterVar *axis = ls_thread_axis (node);

  if (axis == NULL)
    return LS_WALK_CONTINUE;
  for (guint i = 0; i < owned->definitions->len; i++)
    if (g_array_index (owned->definitions, Definition, i).var == axis->var)
      return LS_WALK_CONTINUE;
  {
    Definition definition = define (owned->state, axis->var);

    g_array_append_val (owned->definitions, definition);
  }
  return LS_WALK_CONTINUE;
}

static LsPrimFunc *
convert_function (State      *state,
                  LsPrimFunc *func)
{
  g_autoptr (GArray) definitions = g_array_new (FALSE, FALSE, sizeof (Definition));
  LsRewriter rewriter = { filter, state, NULL, NULL };
  Owned owned = { state, definitions };
  g_autoptr (LsNode) params = NULL;
  g_autoptr (LsNode) buffers = NULL;
  g_autoptr (LsNode) body = NULL;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      Definition definition = define (state, ls_array_at (func->params, i, LsVar));

      g_array_append_val (definitions, definition);
      if (buffer != NULL)
        {
          definition = define (state, buffer->data);
          g_array_append_val (definitions, definition);
        }
    }
  ls_walk (func->body, define_thread, NULL, &owned);
  params = ls_rewrite (&rewriter, func->params);
  buffers = ls_rewrite (&rewriter, func->buffers);
  body = ls_rewrite (&rewriter, func->body);
  for (guint i = definitions->len; i-- > 0;)
    leave (state, &g_array_index (definitions, Definition, i));
  if (params == LS_NODE (func->params) && buffers == LS_NODE (func->buffers))
    return ls_pass_with_body (func, body);
  return ls_prim_func_new ((LsArray *) g_steal_pointer (&params), g_steal_pointer (&body), ls_ref (func->ret_type), (LsArray *) g_steal_pointer (&buffers),
                           ls_ref (func->attrs));
}

LsModule *
ls_pass_convert_ssa (LsModule  *module,
                     LsMap     *options,
                     GError   **error)
{
  GPtrArray *functions = g_ptr_array_new ();
  State state;

  state_init (&state);
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      g_ptr_array_add (functions, convert_function (&state, ls_array_at (module->functions, i, LsPrimFunc)));
    else
      g_ptr_array_add (functions, ls_node_ref (module->functions->items[i]));
  state_clear (&state);
  return ls_module_with_functions (module, ls_array_take_ptr_array (functions));
}
