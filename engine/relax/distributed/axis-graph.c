/* distributed/axis-graph: see the header. */
#include "engine/relax/distributed/axis-graph.h"

typedef struct { guint to; LsAxisEdge type; } Edge;
typedef struct { LsNode *mesh; int dim; } Spec;         /* mesh NULL: none */
typedef struct { Spec spec; int priority; } Reach;

typedef struct {
  LsAxis   axis;
  GArray  *edges;               /* of Edge */
  GArray  *reached;             /* of Reach */
  Spec     source;
  gboolean cut;
} Node;

struct _LsAxisGraph {
  GHashTable *index;            /* LsAxis -> number of its node, plus 1 */
  GPtrArray  *nodes;            /* of Node */
  GPtrArray  *kept;
};

static guint
axis_hash (gconstpointer key)
{
  const LsAxis *axis = key;

  return g_direct_hash (axis->tensor) ^ ((guint) axis->dim * 0x9e3779b9u) ^ ((guint) axis->tuple_index << 20);
}

static gboolean
axis_equal (gconstpointer a,
            gconstpointer b)
{
  const LsAxis *x = a, *y = b;

  return x->tensor == y->tensor && x->dim == y->dim && x->tuple_index == y->tuple_index;
}

static void
free_node (gpointer data)
{
  Node *node = data;

  g_array_unref (node->edges);
  g_array_unref (node->reached);
  g_free (node);
}

LsAxisGraph *
ls_axis_graph_new (void)
{
  LsAxisGraph *self = g_new0 (LsAxisGraph, 1);

  self->index = g_hash_table_new (axis_hash, axis_equal);
  self->nodes = g_ptr_array_new_with_free_func (free_node);
  self->kept = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  return self;
}

void
ls_axis_graph_free (LsAxisGraph *self)
{
  g_hash_table_unref (self->index);
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->kept);
  g_free (self);
}

static Node *
find (LsAxisGraph *self,
      LsAxis       axis)
{
  guint i = GPOINTER_TO_UINT (g_hash_table_lookup (self->index, &axis));

  return i > 0 ? self->nodes->pdata[i - 1] : NULL;
}

static guint
number_of (LsAxisGraph *self,
           LsAxis       axis)
{
  guint i = GPOINTER_TO_UINT (g_hash_table_lookup (self->index, &axis));
  Node *node;

  if (i > 0)
    return i - 1;
  node = g_new0 (Node, 1);
  node->axis = axis;
  node->edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  node->reached = g_array_new (FALSE, FALSE, sizeof (Reach));
  g_ptr_array_add (self->nodes, node);
  g_hash_table_insert (self->index, &node->axis, GUINT_TO_POINTER (self->nodes->len));
  return self->nodes->len - 1;
}

void
ls_axis_graph_join (LsAxisGraph *self,
                    LsAxis       a,
                    LsAxis       b,
                    LsAxisEdge   type)
{
  guint x = number_of (self, a), y = number_of (self, b);
  Edge there = { y, type }, back = { x, type == LS_AXIS_SIBLING ? type : type == LS_AXIS_ASCEND ? LS_AXIS_DESCEND : LS_AXIS_ASCEND };

  g_array_append_val (((Node *) self->nodes->pdata[x])->edges, there);
  g_array_append_val (((Node *) self->nodes->pdata[y])->edges, back);
}

void
ls_axis_graph_add_source (LsAxisGraph *self,
                          LsAxis       axis,
                          LsNode      *mesh,
                          int          mesh_dim)
{
  guint i = number_of (self, axis);

  g_ptr_array_add (self->kept, ls_node_ref (mesh));
  ((Node *) self->nodes->pdata[i])->source = (Spec) { mesh, mesh_dim };
}

void
ls_axis_graph_add_cut (LsAxisGraph *self,
                       LsAxis       axis)
{
  guint i = number_of (self, axis);

  ((Node *) self->nodes->pdata[i])->cut = TRUE;
}

/* ---- spreading ---------------------------------------------------------------------- */

static gboolean
same_spec (Spec a,
           Spec b)
{
  return a.dim == b.dim && (a.mesh == b.mesh || ls_structural_equal (a.mesh, b.mesh, FALSE, NULL, NULL));
}

/* Of a way that used edges up (1), to siblings (2) and down (4). */
static int
priority_of (guint way)
{
  return way == 0 ? 3 : way == 1 ? 0 : way == 4 ? 2 : 1;
}

static void
reach (Node *node,
       Spec  spec,
       int   priority)
{
  Reach fresh = { spec, priority };

  for (guint i = 0; i < node->reached->len; i++)
    if (same_spec (g_array_index (node->reached, Reach, i).spec, spec))
      {
        g_array_index (node->reached, Reach, i).priority = priority;
        return;
      }
  g_array_append_val (node->reached, fresh);
}

typedef struct { guint node, way, edge; } Visit;

static gboolean
may_enter (const Node *node,
           Spec        spec,
           gboolean    seen)
{
  return !node->cut && !seen && (node->source.mesh == NULL || same_spec (node->source, spec));
}

/* In depth; a way remembers the edges before it at the same axis too, as TVM's does. */
static void
spread (LsAxisGraph *self,
        guint        start)
{
  static const guint BITS[] = { [LS_AXIS_ASCEND] = 1, [LS_AXIS_SIBLING] = 2, [LS_AXIS_DESCEND] = 4 };
  Spec spec = ((Node *) self->nodes->pdata[start])->source;
  g_autofree gboolean *seen = g_new0 (gboolean, self->nodes->len);
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Visit));
  Visit first = { start, 0, 0 };

  if (!may_enter (self->nodes->pdata[start], spec, FALSE))
    return;
  seen[start] = TRUE;
  reach (self->nodes->pdata[start], spec, priority_of (0));
  g_array_append_val (stack, first);
  while (stack->len > 0)
    {
      Visit *at = &g_array_index (stack, Visit, stack->len - 1);
      Node *node = self->nodes->pdata[at->node];
      Edge edge;
      Visit next;

      if (at->edge >= node->edges->len)
        {
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      edge = g_array_index (node->edges, Edge, at->edge++);
      at->way |= BITS[edge.type];
      if (!may_enter (self->nodes->pdata[edge.to], spec, seen[edge.to]))
        continue;
      seen[edge.to] = TRUE;
      reach (self->nodes->pdata[edge.to], spec, priority_of (at->way));
      next = (Visit) { edge.to, at->way, 0 };
      g_array_append_val (stack, next);
    }
}

/* Only what has the best way stays. */
static gboolean
choose (Node    *node,
        GError **error)
{
  int best = -1;
  guint n = 0;

  for (guint i = 0; i < node->reached->len; i++)
    best = MAX (best, g_array_index (node->reached, Reach, i).priority);
  for (guint i = 0; i < node->reached->len; i++)
    if (g_array_index (node->reached, Reach, i).priority == best)
      g_array_index (node->reached, Reach, n++) = g_array_index (node->reached, Reach, i);
  g_array_set_size (node->reached, n);
  if (n <= 1)
    return TRUE;
  g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("of %s, axis %d could be shared out in more than one way"),
               ls_is_relax_var (node->axis.tensor) ? ((const LsRelaxVar *) node->axis.tensor)->name : "a constant", node->axis.dim);
  return FALSE;
}

gboolean
ls_axis_graph_propagate (LsAxisGraph  *self,
                         GError      **error)
{
  for (guint i = 0; i < self->nodes->len; i++)
    g_array_set_size (((Node *) self->nodes->pdata[i])->reached, 0);
  for (guint i = 0; i < self->nodes->len; i++)
    if (((Node *) self->nodes->pdata[i])->source.mesh != NULL)
      spread (self, i);
  for (guint i = 0; i < self->nodes->len; i++)
    if (!choose (self->nodes->pdata[i], error))
      return FALSE;
  return TRUE;
}

gboolean
ls_axis_graph_lookup (LsAxisGraph  *self,
                      LsAxis        axis,
                      LsNode      **mesh,
                      int          *mesh_dim)
{
  Node *node = find (self, axis);

  if (node == NULL || node->reached->len == 0)
    return FALSE;
  if (mesh != NULL)
    *mesh = g_array_index (node->reached, Reach, 0).spec.mesh;
  if (mesh_dim != NULL)
    *mesh_dim = g_array_index (node->reached, Reach, 0).spec.dim;
  return TRUE;
}

LsNode *
ls_axis_graph_placement (LsAxisGraph   *self,
                         gconstpointer  tensor,
                         gint64         ndim,
                         int            tuple_index,
                         LsNode        *mesh)
{
  guint n = ls_array_n (((LsDeviceMesh *) mesh)->shape);
  g_autofree gint64 *axes = g_new (gint64, n + 1);
  GPtrArray *specs = g_ptr_array_new ();
  int dim;

  for (guint i = 0; i < n; i++)
    axes[i] = -1;
  for (gint64 i = 0; i < ndim; i++)
    if (ls_axis_graph_lookup (self, ls_axis_of_field (tensor, i, tuple_index), NULL, &dim) && dim >= 0 && (guint) dim < n)
      axes[dim] = i;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (specs, ls_placement_spec_new (axes[i]));
  return ls_placement_new (ls_array_take_ptr_array (specs));
}
