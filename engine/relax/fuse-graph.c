/* fuse-graph: post-dominators and the three rounds of fusing.
 *
 * Round 0 puts elementwise work behind matmuls, and elementwise and broadcast work into what it feeds; round 1 does injective work; round 2
 * puts injective work into tuples that were fused.  The post-dominator of a node is the least common ancestor of the nodes that read it,
 * found in reverse order.  Source: "TVM: An Automated End-to-End Optimizing Compiler for Deep Learning" (OSDI 2018), 3.
 */
#include "engine/relax/fuse-graph.h"

#define NONE G_MAXUINT

typedef struct {
  guint       to;
  LsOpPattern pattern;
} Edge;

typedef struct {
  LsOpPattern pattern;
  gboolean    is_extern;
  GArray     *outputs;          /* of Edge */
  /* post-dominator tree */
  guint       parent;           /* NONE: the end */
  guint       depth;
  LsOpPattern way;              /* the largest pattern on the way to the parent */
  /* groups */
  guint       root;             /* union-find */
  guint       size;
  gboolean    anchored;         /* the group holds an OUT_EWISE_FUSABLE */
  LsOpPattern kind;             /* of the group, at its root */
  guint       mark;             /* the walk that met it last */
} Node;

struct _LsFuseGraph {
  GArray     *nodes;            /* of Node */
  GHashTable *numbers;          /* key -> 1 + number */
  guint       walk;
};

typedef gboolean (*Condition) (LsOpPattern kind, gboolean is_sink);

LsFuseGraph *
ls_fuse_graph_new (void)
{
  LsFuseGraph *self = g_new0 (LsFuseGraph, 1);

  self->nodes = g_array_new (FALSE, TRUE, sizeof (Node));
  self->numbers = g_hash_table_new (NULL, NULL);
  return self;
}

static Node *
get (LsFuseGraph *self,
     guint        number)
{
  return &g_array_index (self->nodes, Node, number);
}

void
ls_fuse_graph_free (LsFuseGraph *self)
{
  for (guint i = 0; i < self->nodes->len; i++)
    g_array_unref (get (self, i)->outputs);
  g_array_unref (self->nodes);
  g_hash_table_unref (self->numbers);
  g_free (self);
}

gboolean
ls_fuse_graph_has (LsFuseGraph *self,
                   gpointer     key)
{
  return g_hash_table_contains (self->numbers, key);
}

guint
ls_fuse_graph_node (LsFuseGraph *self,
                    gpointer     key)
{
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, key));
  Node node = { .pattern = LS_PATTERN_OPAQUE };

  if (known > 0)
    return known - 1;
  node.outputs = g_array_new (FALSE, FALSE, sizeof (Edge));
  g_array_append_val (self->nodes, node);
  g_hash_table_insert (self->numbers, key, GUINT_TO_POINTER (self->nodes->len));
  return self->nodes->len - 1;
}

void
ls_fuse_graph_set_pattern (LsFuseGraph *self,
                           guint        node,
                           LsOpPattern  pattern)
{
  get (self, node)->pattern = pattern;
}

void
ls_fuse_graph_set_extern (LsFuseGraph *self,
                          guint        node)
{
  get (self, node)->is_extern = TRUE;
}

void
ls_fuse_graph_add_edge (LsFuseGraph *self,
                        guint        from,
                        guint        to,
                        LsOpPattern  pattern)
{
  Edge edge = { to, pattern };

  g_array_append_val (get (self, from)->outputs, edge);
}

/* ---- post-dominators --------------------------------------------------------------- */

static guint
common_ancestor (LsFuseGraph *self,
                 guint        a,
                 guint        b,
                 LsOpPattern *way)
{
  while (a != b && a != NONE && b != NONE)
    {
      guint depth_a = get (self, a)->depth, depth_b = get (self, b)->depth;

      if (depth_a >= depth_b)
        {
          *way = MAX (*way, get (self, a)->way);
          a = get (self, a)->parent;
        }
      if (depth_b >= depth_a)
        {
          *way = MAX (*way, get (self, b)->way);
          b = get (self, b)->parent;
        }
    }
  return a == b ? a : NONE;
}

static void
find_dominators (LsFuseGraph *self)
{
  for (guint i = self->nodes->len; i-- > 0;)
    {
      Node *node = get (self, i);
      guint parent = NONE;
      LsOpPattern way = node->is_extern ? LS_PATTERN_OPAQUE : LS_PATTERN_ELEMWISE;

      for (guint j = 0; !node->is_extern && j < node->outputs->len; j++)
        {
          const Edge *edge = &g_array_index (node->outputs, Edge, j);

          way = MAX (way, edge->pattern);
          parent = j == 0 ? edge->to : common_ancestor (self, parent, edge->to, &way);
        }
      node->parent = parent;
      node->depth = parent != NONE ? get (self, parent)->depth + 1 : 1;
      node->way = way;
    }
}

/* ---- groups -------------------------------------------------------------------------- */

static guint
find_root (LsFuseGraph *self,
           guint        number)
{
  while (get (self, number)->root != number)
    {
      get (self, number)->root = get (self, get (self, number)->root)->root;
      number = get (self, number)->root;
    }
  return number;
}

guint
ls_fuse_graph_group (LsFuseGraph *self,
                     guint        node)
{
  return find_root (self, node);
}

static void
merge (LsFuseGraph *self,
       guint        child,
       guint        parent)
{
  Node *from, *into;

  child = find_root (self, child);
  parent = find_root (self, parent);
  if (child == parent)
    return;
  from = get (self, child);
  into = get (self, parent);
  into->size += from->size;
  from->root = parent;
  if (from->anchored)
    {
      into->anchored = TRUE;
      into->kind = MAX (into->kind, from->kind);
    }
}

static gboolean
check_from (LsFuseGraph *self,
            guint        at,
            guint        sink,
            Condition    condition)
{
  Node *node = get (self, at);

  if (node->mark == self->walk)
    return TRUE;
  node->mark = self->walk;
  if (!condition (get (self, find_root (self, at))->kind, at == sink))
    return FALSE;
  for (guint i = 0; at != sink && i < node->outputs->len; i++)
    if (!check_from (self, g_array_index (node->outputs, Edge, i).to, sink, condition))
      return FALSE;
  return TRUE;
}

/* Does everything on the ways from a node to its dominator allow it? */
static gboolean
check_paths (LsFuseGraph *self,
             guint        from,
             guint        sink,
             Condition    condition)
{
  Node *node = get (self, from);

  self->walk++;
  for (guint i = 0; i < node->outputs->len; i++)
    if (!check_from (self, g_array_index (node->outputs, Edge, i).to, sink, condition))
      return FALSE;
  return TRUE;
}

static void
commit (LsFuseGraph *self,
        guint        at,
        guint        sink)
{
  Node *node = get (self, at);

  if (at == sink || node->mark == self->walk)
    return;
  node->mark = self->walk;
  merge (self, at, sink);
  for (guint i = 0; i < node->outputs->len; i++)
    commit (self, g_array_index (node->outputs, Edge, i).to, sink);
}

/* How many there are on the ways to the sink; counting ends where it is more than `most`. */
static guint
count_from (LsFuseGraph *self,
            guint        at,
            guint        sink,
            guint        most)
{
  Node *node = get (self, at);
  guint n = get (self, find_root (self, at))->size;

  if (at == sink || node->mark == self->walk)
    return 0;
  node->mark = self->walk;
  for (guint i = 0; i < node->outputs->len && n <= most; i++)
    n += count_from (self, g_array_index (node->outputs, Edge, i).to, sink, most - n);
  return n;
}

static gboolean
is_injective (LsOpPattern kind,
              gboolean    is_sink)
{
  return kind <= LS_PATTERN_INJECTIVE;
}

static gboolean
is_broadcast (LsOpPattern kind,
              gboolean    is_sink)
{
  return kind <= LS_PATTERN_BROADCAST;
}

static gboolean
is_injective_until_sink (LsOpPattern kind,
                         gboolean    is_sink)
{
  return kind <= LS_PATTERN_INJECTIVE || (is_sink && (kind == LS_PATTERN_COMM_REDUCE || kind == LS_PATTERN_OUT_EWISE_FUSABLE));
}

/* The condition under which the node may go to its dominator in this round, or NULL. */
static Condition
condition_of (LsFuseGraph *self,
              Node        *node,
              LsOpPattern  kind,
              guint        round)
{
  LsOpPattern parent_kind = get (self, node->parent)->kind;
  LsOpPattern root_kind = get (self, find_root (self, node->parent))->kind;

  if (round == 2)
    return kind <= LS_PATTERN_INJECTIVE && root_kind != LS_PATTERN_TUPLE && parent_kind == LS_PATTERN_TUPLE && root_kind <= LS_PATTERN_INJECTIVE
           ? is_injective : NULL;
  if (parent_kind == LS_PATTERN_TUPLE)
    return NULL;
  if (kind == LS_PATTERN_OUT_EWISE_FUSABLE)
    return round == 0 && node->way == LS_PATTERN_ELEMWISE ? is_broadcast : NULL;
  if (kind <= LS_PATTERN_BROADCAST)
    return node->way <= LS_PATTERN_COMM_REDUCE ? is_injective_until_sink : NULL;
  if (kind == LS_PATTERN_INJECTIVE || kind == LS_PATTERN_TUPLE)
    return round == 1 ? is_injective : NULL;
  return NULL;
}

static void
run_round (LsFuseGraph *self,
           guint        round,
           guint        max_depth)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      Node *node = get (self, i);
      LsOpPattern kind = node->kind;
      Condition condition;

      if (kind == LS_PATTERN_OPAQUE || node->parent == NONE || find_root (self, i) == find_root (self, node->parent))
        continue;
      condition = condition_of (self, node, kind, round);
      if (condition == NULL)
        continue;
      self->walk++;
      if (count_from (self, i, node->parent, max_depth) + get (self, find_root (self, node->parent))->size > max_depth)
        continue;
      if (!check_paths (self, i, node->parent, condition))
        continue;
      self->walk++;
      commit (self, i, node->parent);
    }
}

void
ls_fuse_graph_partition (LsFuseGraph *self,
                         guint        level,
                         guint        max_depth)
{
  for (guint i = 0; i < self->nodes->len; i++)
    {
      Node *node = get (self, i);

      node->root = i;
      node->size = 1;
      node->kind = node->pattern;
      node->anchored = node->pattern == LS_PATTERN_OUT_EWISE_FUSABLE;
    }
  if (level == 0)
    return;
  find_dominators (self);
  for (guint round = 0; round < 3; round++)
    run_round (self, round, max_depth);
}
