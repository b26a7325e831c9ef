/* EliminateCommonSubexpr: a value that was computed before is not computed again; the later variable becomes another
 * name of the earlier one.
 *
 * Values with effects, allocations and plain variables are left alone.  What a branch or function computes is unknown
 * behind it; of a dataflow block, what it gives out stays known.  Found by a hash over the operator and its operands.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsNode     *value;            /* kept */
  LsNode     *cast;             /* struct info of a match_cast, or NULL; kept */
  GPtrArray  *vars;             /* that have this value, first to last (kept) */
  guint       hash;
} Known;

typedef struct {
  gboolean    call_only;
  GHashTable *known;            /* set of Known */
  GPtrArray  *log;              /* Known whose `vars` grew, in order; scopes are taken back along it */
} State;

/* ---- keys -------------------------------------------------------------------------------- */

static guint
leaf_hash (LsNode *node)
{
  guint hash = 17;

  if (ls_is_relax_var (node) || ls_is (node, GLOBAL_VAR))
    return g_direct_hash (node);
  if (!ls_is (node, RELAX_TUPLE))
    return node->hash;
  for (guint i = 0; i < ((LsRelaxTuple *) node)->fields->n; i++)
    hash = hash * 31 + leaf_hash (((LsRelaxTuple *) node)->fields->items[i]);
  return hash;
}

static guint
value_hash (LsNode *value)
{
  LsRelaxCall *call = (LsRelaxCall *) value;
  guint hash;

  if (ls_is (value, TUPLE_GET_ITEM))
    return leaf_hash (((LsTupleGetItem *) value)->tuple) * 31 + (guint) ((LsTupleGetItem *) value)->index;
  if (!ls_is (value, RELAX_CALL))
    return ls_is_relax_leaf (value) ? leaf_hash (value) : value->hash;
  hash = leaf_hash (call->op);
  for (guint i = 0; i < call->args->n; i++)
    hash = hash * 31 + leaf_hash (call->args->items[i]);
  return hash;
}

static guint
known_hash (gconstpointer key)
{
  return ((const Known *) key)->hash;
}

static gboolean
known_equal (gconstpointer a,
             gconstpointer b)
{
  const Known *x = a, *y = b;

  return x->hash == y->hash && (x->cast == NULL) == (y->cast == NULL) && ls_structural_equal (x->value, y->value, FALSE, NULL, NULL)
         && (x->cast == NULL || ls_structural_equal (x->cast, y->cast, FALSE, NULL, NULL));
}

static void
known_free (gpointer data)
{
  Known *known = data;

  ls_node_unref (known->value);
  ls_node_unref (known->cast);
  g_ptr_array_unref (known->vars);
  g_free (known);
}

static Known *
find_known (State  *state,
            LsNode *value,
            LsNode *cast)
{
  Known wanted = { value, cast, NULL, value_hash (value) }, *known = g_hash_table_lookup (state->known, &wanted);

  if (known != NULL)
    return known;
  known = g_new0 (Known, 1);
  known->value = ls_node_ref (value);
  known->cast = ls_node_ref (cast);
  known->vars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  known->hash = wanted.hash;
  g_hash_table_add (state->known, known);
  return known;
}

/* ---- scopes -------------------------------------------------------------------------------- */

/* Forgets what was learnt since `mark`; with `outputs`, variables that are seen outside of the block stay. */
static void
forget (State    *state,
        guint     mark,
        gboolean  outputs)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new ();

  while (state->log->len > mark)
    {
      Known *known = g_ptr_array_steal_index (state->log, state->log->len - 1);
      LsNode *var = g_ptr_array_steal_index (known->vars, known->vars->len - 1);

      if (outputs && !ls_is (var, DATAFLOW_VAR))
        {
          g_ptr_array_add (kept, known);
          g_ptr_array_add (kept, var);
        }
      else
        ls_node_unref (var);
    }
  for (guint i = kept->len; i > 0; i -= 2)
    {
      Known *known = kept->pdata[i - 2];

      g_ptr_array_add (known->vars, kept->pdata[i - 1]);
      g_ptr_array_add (state->log, known);
    }
}

static LsNode *
visit_block (LsRelaxMutator *self,
             LsBindingBlock *block)
{
  State *state = self->user_data;
  guint mark = state->log->len;
  LsNode *fresh = ls_relax_mutator_default_block (self, block);

  if (!ls_is (block, DATAFLOW_BLOCK))
    return fresh;
  forget (state, mark, TRUE);
  for (guint i = 0; i < block->bindings->n; i++)
    {
      LsRelaxVar *var = ls_binding_var (block->bindings->items[i]);

      if (ls_is (var, RELAX_VAR) && g_hash_table_lookup (self->vars, var) != NULL)
        g_hash_table_remove (self->vars, var);
    }
  return fresh;
}

static LsNode *
visit_scope (LsRelaxMutator *self,
             LsNode         *expr)
{
  State *state = self->user_data;
  guint mark = state->log->len;
  LsNode *fresh = ls_relax_mutator_visit (self, expr);

  forget (state, mark, FALSE);
  return fresh;
}

static LsNode *
visit_function (LsRelaxMutator *self,
                LsFunction     *func)
{
  State *state = self->user_data;
  GHashTable *known = state->known;
  GPtrArray *log = state->log;
  LsNode *fresh;

  state->known = g_hash_table_new_full (known_hash, known_equal, known_free, NULL);
  state->log = g_ptr_array_new ();
  fresh = ls_relax_mutator_default (self, func);
  g_ptr_array_unref (state->log);
  g_hash_table_unref (state->known);
  state->known = known;
  state->log = log;
  return fresh;
}

static LsNode *
visit_expr (LsRelaxMutator *self,
            LsNode         *expr)
{
  LsRelaxIf *branch = (LsRelaxIf *) expr;
  LsNode *parts[3], *fresh;

  if (ls_is (expr, FUNCTION))
    return visit_function (self, (LsFunction *) expr);
  if (!ls_is (expr, RELAX_IF))
    return ls_relax_mutator_default (self, expr);
  parts[0] = ls_relax_mutator_visit (self, branch->cond);
  parts[1] = visit_scope (self, branch->true_branch);
  parts[2] = visit_scope (self, branch->false_branch);
  fresh = ls_node_with_children (expr, parts);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    ls_node_unref (parts[i]);
  return fresh;
}

/* ---- bindings ---------------------------------------------------------------------------------- */

static gboolean
may_be_shared (LsRelaxMutator *self,
               LsNode         *value)
{
  State *state = self->user_data;

  if (ls_is_relax_var (value) || (state->call_only && !ls_is (value, RELAX_CALL)))
    return FALSE;
  return !ls_relax_is_impure (value, self->builder) && !ls_relax_is_allocation (value);
}

static void
visit_binding (LsRelaxMutator *self,
               LsNode         *binding)
{
  State *state = self->user_data;
  LsRelaxVar *var = ls_binding_var (binding);
  LsMatchCast *cast = ls_is (binding, MATCH_CAST) ? (LsMatchCast *) binding : NULL;
  g_autoptr (LsNode) value = ls_relax_mutator_visit (self, ls_binding_value (binding));
  g_autoptr (LsNode) fresh = ls_binding_with (binding, var, value);
  Known *known = NULL;

  if (var != NULL && (cast != NULL || may_be_shared (self, value)) && !(cast != NULL && state->call_only))
    known = find_known (state, value, cast != NULL ? cast->struct_info : NULL);
  if (known != NULL && known->vars->len > 0)
    {
      ls_block_builder_emit_to (self->builder, var, known->vars->pdata[0]);
      ls_relax_mutator_replace (self, var, known->vars->pdata[0]);
    }
  else
    ls_block_builder_emit_binding (self->builder, fresh);
  if (known != NULL)
    {
      g_ptr_array_add (known->vars, ls_ref (var));
      g_ptr_array_add (state->log, known);
    }
}

LsNode *
ls_relax_eliminate_common_subexpr (LsNode *func)
{
  static const LsRelaxMutatorFuncs funcs = { .expr = visit_expr, .block = visit_block, .binding = visit_binding };
  State state = { FALSE, NULL, NULL };
  g_auto (LsRelaxMutator) mutator = { NULL };

  ls_relax_mutator_init (&mutator, &funcs, NULL, &state);
  return ls_relax_mutator_visit (&mutator, func);
}

LsModule *
ls_relax_pass_eliminate_common_subexpr (LsModule  *module,
                                        LsMap     *args,
                                        GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .expr = visit_expr, .block = visit_block, .binding = visit_binding };
  State state = { ls_relax_pass_bool (args, "call_only"), NULL, NULL };

  return ls_relax_mutate_module (module, &funcs, &state, error);
}
