/* canonicalize: bindings that only give another name to something are taken out (TVM's CanonicalizeBindings).
 *
 * First the bindings are read: which variable only renames another one of the same struct info (an element of a tuple
 * that is known renames what was put there; a tuple of all elements of another one renames that), which is bound to a
 * constant, and which variable of a dataflow block nobody outside uses.  Then it is decided for each renaming which of the
 * two names stays: the first one, unless that is the block's own and the other one is seen outside.  Then the function
 * is rewritten.  Linear but for chains of names.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/lineage.h"
#include "engine/relax/mutator.h"
#include "engine/relax/relation.h"

typedef struct {
  GHashTable *values;           /* variable -> its value, looked through tuples (borrowed) */
  GHashTable *trivial;          /* variable -> the variable that it renames */
  GPtrArray  *renamed;          /* the keys of `trivial` in order */
  GPtrArray  *inner;            /* variables (no DataflowVars) defined in dataflow blocks */
  GHashTable *home;             /* variable -> its dataflow block */
  GHashTable *escaped;          /* used outside of their block */
  LsNode     *block;            /* the dataflow block around, or NULL */
  /* the plan */
  GHashTable *use;              /* variable -> variable to use instead (kept) */
  GHashTable *define;           /* variable -> variable to define in its place (kept) */
  GHashTable *drop;             /* variables whose bindings go */
} Plan;

/* ---- reading -------------------------------------------------------------------------- */

/* What a variable stands for, through variables that only name others. */
static LsNode *
known_tuple (Plan   *self,
             LsNode *tuple)
{
  while (ls_is_relax_var (tuple))
    {
      LsNode *value = g_hash_table_lookup (self->values, tuple);

      if (value == NULL)
        break;
      tuple = value;
    }
  return tuple;
}

/* (t[0], t[1], ...) is t when that is all of it. */
static LsNode *
whole_tuple (Plan         *self,
             LsRelaxTuple *tuple)
{
  LsNode *source = NULL;
  LsStructInfo *info;

  for (guint i = 0; i < tuple->fields->n; i++)
    {
      LsNode *value = known_tuple (self, tuple->fields->items[i]);
      LsTupleGetItem *item = (LsTupleGetItem *) value;

      if (!ls_is (value, TUPLE_GET_ITEM) || item->index != (gint64) i || !ls_is_relax_var (item->tuple) || (source != NULL && item->tuple != source))
        return LS_NODE (tuple);
      source = item->tuple;
    }
  info = source != NULL ? ((LsRelaxVar *) source)->struct_info : NULL;
  return ls_is (info, TUPLE_STRUCT_INFO) && ((LsTupleStructInfo *) info)->fields->n == tuple->fields->n ? source : LS_NODE (tuple);
}

static LsNode *
look_through (Plan   *self,
              LsNode *value)
{
  LsTupleGetItem *item = (LsTupleGetItem *) value;
  LsRelaxTuple *tuple;

  if (ls_is (value, RELAX_TUPLE))
    return whole_tuple (self, (LsRelaxTuple *) value);
  if (!ls_is (value, TUPLE_GET_ITEM))
    return value;
  tuple = (LsRelaxTuple *) known_tuple (self, item->tuple);
  return ls_is (tuple, RELAX_TUPLE) && item->index >= 0 && item->index < (gint64) tuple->fields->n ? tuple->fields->items[item->index] : value;
}

static void
read_binding (Plan   *self,
              LsNode *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);
  LsNode *value = ls_binding_value (binding);
  gboolean same = TRUE;

  if (var == NULL)
    return;
  if (self->block != NULL)
    {
      g_hash_table_insert (self->home, var, self->block);
      if (ls_is (var, RELAX_VAR))
        g_ptr_array_add (self->inner, var);
    }
  if (ls_is_relax_leaf (value) || ls_is (value, TUPLE_GET_ITEM))
    {
      value = look_through (self, value);
      if (ls_is_relax_leaf (value))
        {
          g_autoptr (LsNode) info = ls_relax_struct_info (value);

          same = ls_struct_info_equal (var->struct_info, info);
        }
    }
  if (ls_is (binding, MATCH_CAST) && !same)
    return;
  g_hash_table_insert (self->values, var, value);
  if (!ls_is_relax_var (value) || !same)
    return;
  g_hash_table_insert (self->trivial, var, value);
  g_ptr_array_add (self->renamed, var);
}

static void
read_node (Plan   *self,
           LsNode *node)
{
  LsNode *outer = self->block;
  guint n;

  if (node == NULL || ls_is_struct_info (node))
    return;
  if (ls_is_relax_var (node))
    {
      LsNode *home = g_hash_table_lookup (self->home, node);

      if (home == NULL || home != self->block)
        g_hash_table_add (self->escaped, node);
      return;
    }
  if (ls_is (node, VAR_BINDING) || ls_is (node, MATCH_CAST))
    {
      read_node (self, ls_binding_value (node));
      read_binding (self, node);
      return;
    }
  if ((node->klass->flags & LS_CLASS_IDENTITY) || ls_is_expr (node))
    return;
  if (ls_is (node, FUNCTION))
    {
      self->block = NULL;
      read_node (self, ((LsFunction *) node)->body);
      self->block = outer;
      return;
    }
  if (ls_is (node, DATAFLOW_BLOCK) || ls_is (node, BINDING_BLOCK))
    self->block = ls_is (node, DATAFLOW_BLOCK) ? node : NULL;
  n = ls_node_get_n_children (node);
  for (guint i = 0; i < n; i++)
    read_node (self, ls_node_get_child (node, i));
  self->block = outer;
}

/* ---- deciding ------------------------------------------------------------------------------ */

static gboolean
stays_inside (Plan *self,
              gpointer var)
{
  return ls_is (var, DATAFLOW_VAR) || (g_hash_table_contains (self->home, var) && !g_hash_table_contains (self->escaped, var));
}

static void
set_use (GHashTable *table,
         gpointer    var,
         gpointer    instead)
{
  ls_relax_lineage_note (var, instead);
  g_hash_table_insert (table, var, ls_node_ref (instead));
}

/* A variable of one dataflow block gives its name up to one of another block, which is seen outside from now on. */
static void
let_out (Plan   *self,
         LsNode *root)
{
  LsRelaxVar *var = (LsRelaxVar *) root;
  g_autoptr (LsNode) own = NULL;

  if (!ls_is (root, DATAFLOW_VAR))
    {
      g_hash_table_add (self->escaped, root);
      return;
    }
  if (g_hash_table_contains (self->define, root))
    return;
  own = LS_NODE (ls_relax_var_new (var->name, ls_ref (var->struct_info)));
  set_use (self->define, root, own);
  set_use (self->use, root, own);
}

static void
decide (Plan *self)
{
  for (guint i = 0; i < self->renamed->len; i++)
    {
      LsNode *var = self->renamed->pdata[i], *root = g_hash_table_lookup (self->trivial, var), *next, *chosen;

      while ((next = g_hash_table_lookup (self->trivial, root)) != NULL)
        root = next;
      chosen = g_hash_table_lookup (self->define, root);
      if (stays_inside (self, var) && stays_inside (self, root) && g_hash_table_lookup (self->home, var) != g_hash_table_lookup (self->home, root))
        let_out (self, root);
      if (stays_inside (self, var) || !stays_inside (self, root))
        set_use (self->use, var, root);
      else if (chosen != NULL)
        set_use (self->use, var, chosen);
      else
        {
          set_use (self->define, root, var);
          set_use (self->use, root, var);
        }
      g_hash_table_add (self->drop, var);
    }
  for (guint i = 0; i < self->inner->len; i++)
    {
      LsRelaxVar *var = self->inner->pdata[i];
      g_autoptr (LsRelaxVar) own = NULL;

      if (g_hash_table_contains (self->escaped, var) || g_hash_table_contains (self->drop, var) || g_hash_table_contains (self->define, var))
        continue;
      own = ls_dataflow_var_new (var->name, ls_ref (var->struct_info));
      set_use (self->define, var, own);
      set_use (self->use, var, own);
    }
}

/* ---- rewriting --------------------------------------------------------------------------------- */

static LsNode *
use_instead (LsRelaxMutator *mutator,
             LsRelaxVar     *var)
{
  Plan *self = mutator->user_data;
  LsNode *now = LS_NODE (var), *next, *value;

  while ((next = g_hash_table_lookup (self->use, now)) != NULL)
    now = next;
  value = g_hash_table_lookup (self->values, now);
  if (ls_is (value, CONSTANT))
    return ls_node_ref (value);
  next = g_hash_table_lookup (mutator->vars, now);
  return ls_node_ref (next != NULL ? next : now);
}

static void
rebind (LsRelaxMutator *mutator,
        LsNode         *binding)
{
  Plan *self = mutator->user_data;
  LsRelaxVar *var = ls_binding_var (binding), *instead;
  g_autoptr (LsNode) fresh = NULL;

  if (var != NULL && g_hash_table_contains (self->drop, var))
    return;
  instead = var != NULL ? g_hash_table_lookup (self->define, var) : NULL;
  if (instead == NULL)
    {
      ls_relax_mutator_default_binding (mutator, binding);
      return;
    }
  fresh = ls_binding_with (binding, instead, ls_binding_value (binding));
  ls_relax_mutator_default_binding (mutator, fresh);
}

static LsNode *
rewrite (Plan   *self,
         LsNode *func)
{
  static const LsRelaxMutatorFuncs funcs = { .var = use_instead, .binding = rebind };
  g_auto (LsRelaxMutator) mutator = { NULL };

  ls_relax_mutator_init (&mutator, &funcs, NULL, self);
  return ls_relax_mutator_visit (&mutator, func);
}

LsNode *
ls_relax_canonicalize (LsNode  *func,
                       GError **error)
{
  g_autoptr (LsNode) start = ls_relax_canonicalize_symbols (func, error);
  Plan plan = { NULL };
  LsNode *result;

  if (start == NULL)
    return NULL;
  plan.values = g_hash_table_new (NULL, NULL);
  plan.trivial = g_hash_table_new (NULL, NULL);
  plan.renamed = g_ptr_array_new ();
  plan.inner = g_ptr_array_new ();
  plan.home = g_hash_table_new (NULL, NULL);
  plan.escaped = g_hash_table_new (NULL, NULL);
  plan.use = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  plan.define = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  plan.drop = g_hash_table_new (NULL, NULL);
  read_node (&plan, start);
  decide (&plan);
  result = rewrite (&plan, start);
  g_hash_table_unref (plan.values);
  g_hash_table_unref (plan.trivial);
  g_ptr_array_unref (plan.renamed);
  g_ptr_array_unref (plan.inner);
  g_hash_table_unref (plan.home);
  g_hash_table_unref (plan.escaped);
  g_hash_table_unref (plan.use);
  g_hash_table_unref (plan.define);
  g_hash_table_unref (plan.drop);
  return result;
}
