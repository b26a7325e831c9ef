/* TopologicalSort: the bindings of each dataflow block in the order of a search.
 *
 * The graph is that of the whole function: variables, one node for all that comes in (parameters, and what needs no
 * variable), one for all that goes out (results, and what nobody uses).  The search starts at one of the two, goes on to
 * a node when all that it waits for has been visited, and takes its neighbours in the order of the uses; depth first they
 * are put on a stack.  From the outputs the order found is turned round.
 */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

#define IN 0
#define OUT 1

typedef struct {
  GArray *users;                /* guint: nodes that use this one, in order */
  GArray *needs;                /* guint: nodes that this one uses, in order */
  guint   n_waiting;            /* different nodes among those it waits for */
  guint   n_left;
  gboolean visited;
} Node;

typedef struct {
  gboolean    depth_first, from_outputs;
  GArray     *nodes;            /* of Node; IN, OUT, then variables */
  GHashTable *numbers;          /* variable -> number */
  GArray     *order;            /* guint: variables in the order of their bindings */
  guint       user;             /* the node whose value is read */
} Graph;

/* ---- the graph -------------------------------------------------------------------------- */

static Node *
node_at (Graph *self,
         guint  i)
{
  return &g_array_index (self->nodes, Node, i);
}

static guint
add_node (Graph *self)
{
  Node node = { g_array_new (FALSE, FALSE, sizeof (guint)), g_array_new (FALSE, FALSE, sizeof (guint)), 0, 0, FALSE };

  g_array_append_val (self->nodes, node);
  return self->nodes->len - 1;
}

static void
clear_node (gpointer data)
{
  g_array_unref (((Node *) data)->users);
  g_array_unref (((Node *) data)->needs);
}

static guint
number_of (Graph    *self,
           gpointer  var)
{
  gpointer known = g_hash_table_lookup (self->numbers, var);
  guint n;

  if (known != NULL)
    return GPOINTER_TO_UINT (known);
  n = add_node (self);
  g_hash_table_insert (self->numbers, var, GUINT_TO_POINTER (n));
  return n;
}

static void
add_edge (Graph *self,
          guint  from,
          guint  to)
{
  g_array_append_val (node_at (self, from)->users, to);
  g_array_append_val (node_at (self, to)->needs, from);
}

static void
read_node (Graph  *self,
           LsNode *node)
{
  guint outer = self->user, n;

  if (node == NULL || ls_is_struct_info (node) || ls_is_expr (node))
    return;
  if (ls_is_relax_var (node))
    {
      add_edge (self, number_of (self, node), self->user);
      return;
    }
  if (ls_is (node, VAR_BINDING) || ls_is (node, MATCH_CAST))
    {
      if (ls_binding_var (node) != NULL)
        self->user = number_of (self, ls_binding_var (node));
      read_node (self, ls_binding_value (node));
      if (ls_binding_var (node) != NULL)
        g_array_append_val (self->order, self->user);
      self->user = outer;
      return;
    }
  if (node->klass->flags & LS_CLASS_IDENTITY)
    return;
  if (ls_is (node, FUNCTION))
    {
      for (guint i = 0; i < ((LsFunction *) node)->params->n; i++)
        add_edge (self, IN, number_of (self, ((LsFunction *) node)->params->items[i]));
      read_node (self, ((LsFunction *) node)->body);
      return;
    }
  n = ls_node_get_n_children (node);
  for (guint i = 0; i < n; i++)
    read_node (self, ls_node_get_child (node, i));
}

/* What needs nothing hangs on the input, what nobody uses on the output (before all else there). */
static void
tie_ends (Graph *self)
{
  g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (guint)), unused = g_array_new (FALSE, FALSE, sizeof (guint));
  guint out = OUT;

  for (guint i = 0; i < self->order->len; i++)
    {
      guint at = g_array_index (self->order, guint, i);

      if (node_at (self, at)->needs->len == 0)
        g_array_append_val (roots, at);
      if (node_at (self, at)->users->len == 0)
        g_array_append_val (unused, at);
    }
  for (guint i = 0; i < roots->len; i++)
    add_edge (self, IN, g_array_index (roots, guint, i));
  g_array_prepend_vals (node_at (self, OUT)->needs, unused->data, unused->len);
  for (guint i = 0; i < unused->len; i++)
    g_array_prepend_val (node_at (self, g_array_index (unused, guint, i))->users, out);
}

static void
reverse (GArray *array)
{
  for (guint i = 0; i < array->len / 2; i++)
    {
      guint swap = g_array_index (array, guint, i);

      g_array_index (array, guint, i) = g_array_index (array, guint, array->len - 1 - i);
      g_array_index (array, guint, array->len - 1 - i) = swap;
    }
}

static GArray *
forward (Graph *self,
         Node  *node)
{
  return self->from_outputs ? node->needs : node->users;
}

static void
count_waiting (Graph *self)
{
  g_autofree guint *last = g_new0 (guint, self->nodes->len);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      GArray *next = forward (self, node_at (self, i));

      for (guint k = 0; k < next->len; k++)
        {
          guint to = g_array_index (next, guint, k);

          if (last[to] != i + 1)
            node_at (self, to)->n_waiting++;
          last[to] = i + 1;
        }
    }
}

/* ---- the search ---------------------------------------------------------------------------- */

static void
visit (Graph  *self,
       guint   at,
       GArray *queue)
{
  Node *node = node_at (self, at);
  GArray *next = forward (self, node);
  gboolean first = !node->visited;

  node->visited = TRUE;
  for (guint pass = first ? 0 : 1; pass < 2; pass++)
    {
      g_autoptr (GHashTable) once = pass == 0 ? g_hash_table_new (NULL, NULL) : NULL;

      for (guint i = 0; i < next->len; i++)
        {
          guint to = g_array_index (next, guint, i);

          if (pass == 0 && g_hash_table_add (once, GUINT_TO_POINTER (to + 1)))
            node_at (self, to)->n_left--;
          if (pass == 1 && !node_at (self, to)->visited && node_at (self, to)->n_left == 0)
            g_array_append_val (queue, to);
        }
    }
}

/* Numbers of nodes in the order of the search. (transfer full) */
static GArray *
search (Graph *self)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint));
  guint start = self->from_outputs ? OUT : IN, head = 0;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      node_at (self, i)->visited = FALSE;
      node_at (self, i)->n_left = node_at (self, i)->n_waiting;
    }
  g_array_append_val (queue, start);
  while (head < queue->len)
    {
      guint at = g_array_index (queue, guint, self->depth_first ? queue->len - 1 : head);

      if (self->depth_first)
        g_array_set_size (queue, queue->len - 1);
      else
        head++;
      if (!node_at (self, at)->visited)
        g_array_append_val (found, at);
      visit (self, at, queue);
    }
  return found;
}

/* ---- the blocks ------------------------------------------------------------------------------ */

static gint
by_rank (gconstpointer a,
         gconstpointer b,
         gpointer      ranks)
{
  guint x = GPOINTER_TO_UINT (g_hash_table_lookup (ranks, ls_binding_var (*(LsNode *const *) a)));
  guint y = GPOINTER_TO_UINT (g_hash_table_lookup (ranks, ls_binding_var (*(LsNode *const *) b)));

  return x < y ? -1 : x > y;
}

static LsNode *
sort_block (LsRelaxMutator *mutator,
            LsBindingBlock *block)
{
  GHashTable *ranks = mutator->user_data;
  g_autoptr (LsNode) sorted = NULL;
  GPtrArray *out;

  if (!ls_is (block, DATAFLOW_BLOCK))
    return ls_relax_mutator_default_block (mutator, block);
  out = g_ptr_array_new ();
  for (guint i = 0; i < block->bindings->n; i++)
    if (g_hash_table_contains (ranks, ls_binding_var (block->bindings->items[i])))
      g_ptr_array_add (out, ls_node_ref (block->bindings->items[i]));
  g_ptr_array_sort_with_data (out, by_rank, ranks);
  sorted = ls_dataflow_block_new (ls_array_take_ptr_array (out));
  if (((LsBindingBlock *) sorted)->bindings->n != block->bindings->n)
    ls_block_builder_fail (mutator->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED, "A dataflow block depends on itself.");
  return ls_relax_mutator_default_block (mutator, (LsBindingBlock *) sorted);
}

/* The variables of a function, each with its place in the order of the search. (transfer full) */
static GHashTable *
ranks_of (Graph      *graph,
          LsFunction *func)
{
  g_autoptr (GArray) found = NULL;
  GHashTable *ranks = g_hash_table_new (NULL, NULL);
  g_autofree guint *rank = NULL;
  GHashTableIter iter;
  gpointer var, number;

  graph->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  g_array_set_clear_func (graph->nodes, clear_node);
  graph->numbers = g_hash_table_new (NULL, NULL);
  graph->order = g_array_new (FALSE, FALSE, sizeof (guint));
  add_node (graph);
  graph->user = add_node (graph);
  read_node (graph, LS_NODE (func));
  tie_ends (graph);
  for (guint i = 0; graph->depth_first && i < graph->nodes->len; i++)
    reverse (node_at (graph, i)->users);
  count_waiting (graph);
  found = search (graph);
  if (graph->from_outputs)
    reverse (found);
  rank = g_new0 (guint, graph->nodes->len);
  for (guint i = 0; i < found->len; i++)
    rank[g_array_index (found, guint, i)] = i + 1;
  g_hash_table_iter_init (&iter, graph->numbers);
  while (g_hash_table_iter_next (&iter, &var, &number))
    if (rank[GPOINTER_TO_UINT (number)] > 0)
      g_hash_table_insert (ranks, var, GUINT_TO_POINTER (rank[GPOINTER_TO_UINT (number)]));
  g_array_unref (graph->nodes);
  g_hash_table_unref (graph->numbers);
  g_array_unref (graph->order);
  return ranks;
}

static LsNode *
sort_function (LsRelaxMutator *mutator,
               LsFunction     *func)
{
  static const LsRelaxMutatorFuncs funcs = { .block = sort_block };
  g_autoptr (GHashTable) ranks = ranks_of (mutator->user_data, func);
  g_auto (LsRelaxMutator) inner = { NULL };
  LsNode *fresh;

  ls_relax_mutator_init (&inner, &funcs, NULL, ranks);
  fresh = ls_relax_mutator_visit (&inner, func);
  if (ls_block_builder_get_error (inner.builder) != NULL)
    ls_block_builder_take_error (mutator->builder, g_error_copy (ls_block_builder_get_error (inner.builder)));
  return fresh;
}

LsModule *
ls_relax_pass_topological_sort (LsModule  *module,
                                LsMap     *args,
                                GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .function = sort_function };
  const char *order = ls_relax_pass_str (args, "order"), *direction = ls_relax_pass_str (args, "direction");
  Graph graph = { strcmp (order, "depth-first") == 0, strcmp (direction, "from-outputs") == 0, NULL, NULL, NULL, OUT };

  if (!graph.depth_first && strcmp (order, "breadth-first") != 0)
    return ls_relax_pass_refuse (error, "The order \"%s\" is none; there are \"depth-first\" and \"breadth-first\".", order);
  if (!graph.from_outputs && strcmp (direction, "from-inputs") != 0)
    return ls_relax_pass_refuse (error, "The direction \"%s\" is none; there are \"from-inputs\" and \"from-outputs\".", direction);
  return ls_relax_mutate_module (module, &funcs, &graph, error);
}
