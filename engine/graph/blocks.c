/* blocks: PrimFuncs as graphs, in two ways.
 *
 * ls_graph_from_blocks has a node a block and an edge a dependence (RAW, WAW, WAR, with the buffer); parameters that are only
 * read are values, those that are written are results.  A dependence that follows from others of the same buffer (A writes, B
 * overwrites, C reads B's) is left out, as it would be drawn on top of them.  ls_graph_from_stages has a node a buffer: what
 * te calls a stage, whoever wrote the function.
 */
#include "engine/graph/graph-private.h"

#include "engine/base/plural.h"
#include "engine/schedule/inspect/inspect.h"
#include "engine/script/printer.h"
#include "engine/tir/cost.h"
#include "engine/tir/regions.h"

#include <string.h>

typedef struct {
  LsGraph     *graph;
  LsPrimFunc  *func;
  LsVersion   *version;         /* or NULL */
  LsCostTable *costs;
  const char  *function;
  gint         cluster;
  GHashTable  *nodes;           /* LsBlock or LsBuffer -> number of its node + 1 */
  GPtrArray   *blocks;          /* of LsBlock, in program order */
} Build;

char *
ls_graph_buffer_type (LsArray *shape,
                      LsDType  dtype)
{
  g_autoptr (GString) out = g_string_new ("(");

  for (guint i = 0; i < ls_array_n (shape); i++)
    {
      g_autofree char *dim = ls_graph_dim_text (shape->items[i]);

      g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", dim);
    }
  g_string_append_printf (out, "%s %s", ls_array_n (shape) == 1 ? ",)" : ")", ls_dtype_name (dtype));
  return g_strdup (out->str);
}

char *
ls_graph_block_line (LsBlock *block)
{
  LsNode *body = LS_NODE (block->body);
  LsBufferStore *store = (LsBufferStore *) body;
  g_autofree char *text = NULL;
  char *end;

  if (ls_is (body, BUFFER_STORE) && ls_is (store->value, ADD))
    {
      LsBinary *sum = (LsBinary *) store->value;
      LsBufferLoad *load = (LsBufferLoad *) sum->a;

      if (ls_is (load, BUFFER_LOAD) && load->buffer == store->buffer && ls_deep_equal (load->indices, store->indices))
        {
          g_autofree char *target = ls_script_print_expr (sum->a);
          g_autofree char *value = ls_script_print_expr (sum->b);

          return g_strdup_printf ("%s += %s", target, value);
        }
    }
  if (ls_is (body, BUFFER_STORE))
    {
      g_autoptr (LsExpr) load = ls_buffer_load_new (ls_ref (store->buffer), ls_ref (store->indices), NULL);
      g_autofree char *target = ls_script_print_expr (load);
      g_autofree char *value = ls_script_print_expr (store->value);

      return g_strdup_printf ("%s = %s", target, value);
    }
  text = ls_script_print (body, &(LsScriptPrintOptions) { .no_header = TRUE }, NULL);
  g_strstrip (text);
  end = strchr (text, '\n');
  if (end == NULL)
    return g_steal_pointer (&text);
  *end = '\0';
  return g_strconcat (text, " …", NULL);
}

/* ---- nodes ------------------------------------------------------------------------- */

static LsBlock *
root_of (LsPrimFunc *func)
{
  LsBlockRealize *root = ls_prim_func_root (func);

  return root != NULL && ls_array_n (root->block->iter_vars) == 0 ? root->block : NULL;
}

static LsWalk
collect (LsNode   *node,
         gpointer  data)
{
  Build *build = data;

  if (ls_is_expr (node))
    return LS_WALK_PRUNE;
  if (ls_is (node, BLOCK) && (LsBlock *) node != root_of (build->func))
    g_ptr_array_add (build->blocks, node);
  return LS_WALK_CONTINUE;
}

static char *
axes_text (LsBlock *block,
           gboolean reduce)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < ls_array_n (block->iter_vars); i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);
      g_autofree char *extent = iter->dom != NULL ? ls_graph_dim_text (LS_NODE (iter->dom->extent)) : NULL;

      if ((iter->iter_type == LS_ITER_COMM_REDUCE) == reduce)
        g_string_append_printf (out, "%s%s: %s", out->len > 0 ? ", " : "", iter->var->name, extent != NULL ? extent : "?");
    }
  return g_string_free (out, FALSE);
}

static gboolean
reads (LsBlock  *block,
       LsBuffer *buffer)
{
  for (guint i = 0; i < ls_array_n (block->reads); i++)
    if (ls_array_at (block->reads, i, LsBufferRegion)->buffer == buffer)
      return TRUE;
  return FALSE;
}

static gboolean
writes (LsBlock  *block,
        LsBuffer *buffer)
{
  for (guint i = 0; i < ls_array_n (block->writes); i++)
    if (ls_array_at (block->writes, i, LsBufferRegion)->buffer == buffer)
      return TRUE;
  return FALSE;
}

/* Does a block hold other blocks, so that its own regions are theirs? */
static gboolean
is_outer (LsBlock *block)
{
  return (LS_NODE (block->body)->facts & LS_FACT_HAS_BLOCK) != 0;
}

static void
add_block (Build   *build,
           LsBlock *block)
{
  g_autofree char *key = g_strdup_printf ("%s/%s", build->function, block->name_hint);
  g_autofree char *spatial = axes_text (block, FALSE), *reduce = axes_text (block, TRUE);
  const LsCost *cost = ls_cost_table_get (build->costs, block);
  gint at = build->version != NULL ? ls_version_find_node (build->version, LS_NODE (block)) : -1;
  LsGraphNode *node;

  if (at >= 0)
    {
      g_free (key);
      key = g_strdup_printf ("%s/#%u", build->function, ls_version_at (build->version, (guint) at)->id);
    }
  node = ls_graph_add_node (build->graph, LS_GRAPH_NODE_CALL, key, block->name_hint);
  node->detail = ls_graph_block_line (block);
  node->name = g_strdup (block->name_hint);
  node->function = g_strdup (build->function);
  node->cluster = build->cluster;
  node->node = ls_ref (LS_NODE (block));
  node->entity = at >= 0 ? (guint64) ls_version_at (build->version, (guint) at)->id + 1 : 0;
  if (ls_array_n (block->writes) > 0)
    {
      LsBuffer *buffer = ls_array_at (block->writes, 0, LsBufferRegion)->buffer;

      node->type = ls_graph_buffer_type (buffer->shape, buffer->dtype);
    }
  if (*spatial != '\0')
    ls_graph_add_attribute (node, "spatial", spatial);
  if (*reduce != '\0')
    ls_graph_add_attribute (node, "reduce", reduce);
  if (cost != NULL)
    {
      node->numbers.flop = cost->flop;
      node->numbers.bytes = cost->runs >= 0 && cost->touches >= 0 ? (double) cost->touches * (double) cost->runs : -1.0;
    }
  g_hash_table_insert (build->nodes, block, GUINT_TO_POINTER (build->graph->nodes->len));
}

static guint
node_of (Build    *build,
         gpointer  thing)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (build->nodes, thing));
}

static void
add_buffer_node (Build          *build,
                 LsGraphNodeKind kind,
                 LsBuffer       *buffer,
                 const char     *suffix)
{
  g_autofree char *key = g_strdup_printf ("%s/%s%s", build->function, buffer->name, suffix);
  LsGraphNode *node = ls_graph_add_node (build->graph, kind, key, buffer->name);

  node->type = ls_graph_buffer_type (buffer->shape, buffer->dtype);
  node->detail = g_strdup (ls_translate ("parameter"));
  node->function = g_strdup (build->function);
  node->cluster = build->cluster;
  node->node = ls_ref (LS_NODE (buffer));
  g_hash_table_insert (build->nodes, buffer, GUINT_TO_POINTER (build->graph->nodes->len));
}

static gboolean
is_written (Build    *build,
            LsBuffer *buffer)
{
  for (guint i = 0; i < build->blocks->len; i++)
    if (writes (build->blocks->pdata[i], buffer))
      return TRUE;
  return FALSE;
}

/* ---- edges ---------------------------------------------------------------------------- */

/* Is there a block between the two that writes the buffer, so that the dependence follows from others? */
static gboolean
is_implied (Build              *build,
            const LsDependence *dependence)
{
  gboolean between = FALSE;

  for (guint i = 0; i < build->blocks->len; i++)
    {
      LsBlock *block = build->blocks->pdata[i];

      if (block == dependence->to)
        return FALSE;
      if (between && !is_outer (block) && writes (block, dependence->buffer))
        return TRUE;
      between |= block == dependence->from;
    }
  return FALSE;
}

static LsGraphEdgeKind
edge_kind (LsDependenceKind kind)
{
  switch (kind)
    {
    case LS_DEPENDENCE_RAW:
      return LS_GRAPH_EDGE_RAW;
    case LS_DEPENDENCE_WAW:
      return LS_GRAPH_EDGE_WAW;
    case LS_DEPENDENCE_WAR:
      return LS_GRAPH_EDGE_WAR;
    }
  return LS_GRAPH_EDGE_RAW;
}

static void
add_dependences (Build *build)
{
  g_autoptr (GArray) found = ls_inspect_dependences (build->func);

  for (guint i = 0; i < found->len; i++)
    {
      const LsDependence *dependence = &g_array_index (found, LsDependence, i);
      guint from = node_of (build, dependence->from), to = node_of (build, dependence->to);
      g_autofree char *type = ls_graph_buffer_type (dependence->buffer->shape, dependence->buffer->dtype);

      if (from > 0 && to > 0 && !is_implied (build, dependence))
        ls_graph_add_edge (build->graph, edge_kind (dependence->kind), from - 1, to - 1, dependence->buffer->name, type);
    }
}

static void
add_parameter_edges (Build    *build,
                     LsBuffer *buffer)
{
  g_autofree char *type = ls_graph_buffer_type (buffer->shape, buffer->dtype);
  gboolean written = FALSE;
  LsBlock *last = NULL;

  for (guint i = 0; i < build->blocks->len; i++)
    {
      LsBlock *block = build->blocks->pdata[i];

      if (is_outer (block))
        continue;
      if (!written && reads (block, buffer) && !writes (block, buffer) && node_of (build, buffer) > 0 && !is_written (build, buffer))
        ls_graph_add_edge (build->graph, LS_GRAPH_EDGE_FLOW, node_of (build, buffer) - 1, node_of (build, block) - 1, NULL, type);
      if (writes (block, buffer))
        last = block;
      written |= writes (block, buffer);
    }
  if (last != NULL)
    ls_graph_add_edge (build->graph, LS_GRAPH_EDGE_FLOW, node_of (build, last) - 1, node_of (build, buffer) - 1, NULL, type);
}

/* ---- blocks ------------------------------------------------------------------------------ */

char *
ls_graph_function_text (const char *kind,
                        guint       n_params)
{
  g_autofree char *params = g_strdup_printf (ls_translate_plural ("%u parameter", "%u parameters", n_params), n_params);

  return g_strdup_printf ("%s · %s", kind, params);
}

static char *
func_detail (LsPrimFunc *func)
{
  guint n = ls_array_n (func->params);

  return ls_graph_function_text ("T.prim_func", n);
}

static void
add_blocks (Build *build)
{
  for (guint i = 0; i < ls_array_n (build->func->buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (build->func->buffers, i, LsBuffer);

      if (buffer != NULL && !is_written (build, buffer))
        add_buffer_node (build, LS_GRAPH_NODE_VALUE, buffer, "");
    }
  for (guint i = 0; i < build->blocks->len; i++)
    if (!is_outer (build->blocks->pdata[i]))
      add_block (build, build->blocks->pdata[i]);
  for (guint i = 0; i < ls_array_n (build->func->buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (build->func->buffers, i, LsBuffer);

      if (buffer != NULL && is_written (build, buffer))
        add_buffer_node (build, LS_GRAPH_NODE_RESULT, buffer, ":result");
    }
  add_dependences (build);
  for (guint i = 0; i < ls_array_n (build->func->buffers); i++)
    if (ls_array_at (build->func->buffers, i, LsBuffer) != NULL)
      add_parameter_edges (build, ls_array_at (build->func->buffers, i, LsBuffer));
}

/* ---- stages ------------------------------------------------------------------------------- */

/* The line that says what a stage computes: where its start values have a block of their own, that of the reduction. */
static void
add_stage_line (LsGraphNode *node,
                LsBlock     *block)
{
  g_autofree char *line = ls_graph_block_line (block);
  g_autofree char *reduce = axes_text (block, TRUE);

  if (node->detail == NULL || *reduce != '\0')
    {
      char *before = node->detail;

      node->detail = g_steal_pointer (&line);
      line = before;
    }
  if (line != NULL)
    ls_graph_add_attribute (node, "also", line);
  if (*reduce != '\0')
    ls_graph_add_attribute (node, "reduce", reduce);
}

/* The node of a buffer that a block writes; inner buffers come when they are written first. */
static guint
stage_of (Build    *build,
          LsBuffer *buffer)
{
  guint at = node_of (build, buffer);

  if (at == 0)
    {
      g_autofree char *key = g_strdup_printf ("%s/%s", build->function, buffer->name);
      LsGraphNode *node = ls_graph_add_node (build->graph, LS_GRAPH_NODE_CALL, key, buffer->name);

      node->name = g_strdup (buffer->name);
      node->type = ls_graph_buffer_type (buffer->shape, buffer->dtype);
      node->function = g_strdup (build->function);
      node->cluster = build->cluster;
      node->node = ls_ref (LS_NODE (buffer));
      at = build->graph->nodes->len;
      g_hash_table_insert (build->nodes, buffer, GUINT_TO_POINTER (at));
    }
  return at - 1;
}

static gboolean
has_edge (LsGraph *graph,
          guint    from,
          guint    to)
{
  for (guint i = graph->edges->len; i > 0; i--)
    if (ls_graph_edge (graph, i - 1)->from == from && ls_graph_edge (graph, i - 1)->to == to)
      return TRUE;
  return FALSE;
}

static void
add_stages (Build *build)
{
  for (guint i = 0; i < ls_array_n (build->func->buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (build->func->buffers, i, LsBuffer);

      if (buffer != NULL && !is_written (build, buffer))
        add_buffer_node (build, LS_GRAPH_NODE_VALUE, buffer, "");
    }
  for (guint i = 0; i < build->blocks->len; i++)
    {
      LsBlock *block = build->blocks->pdata[i];

      for (guint w = 0; !is_outer (block) && w < ls_array_n (block->writes); w++)
        {
          guint to = stage_of (build, ls_array_at (block->writes, w, LsBufferRegion)->buffer);
          const LsCost *cost = ls_cost_table_get (build->costs, block);

          add_stage_line (ls_graph_node (build->graph, to), block);
          if (cost != NULL && cost->flop >= 0.0)
            ls_graph_node (build->graph, to)->numbers.flop = MAX (0.0, ls_graph_node (build->graph, to)->numbers.flop) + cost->flop;
          for (guint r = 0; r < ls_array_n (block->reads); r++)
            {
              LsBuffer *buffer = ls_array_at (block->reads, r, LsBufferRegion)->buffer;
              g_autofree char *type = ls_graph_buffer_type (buffer->shape, buffer->dtype);
              guint from = stage_of (build, buffer);

              if (from != to && !has_edge (build->graph, from, to))
                ls_graph_add_edge (build->graph, LS_GRAPH_EDGE_FLOW, from, to, NULL, type);
            }
        }
    }
  for (guint i = 0; i < ls_array_n (build->func->buffers); i++)
    {
      LsBuffer *buffer = ls_array_at (build->func->buffers, i, LsBuffer);

      if (buffer != NULL && is_written (build, buffer))
        ls_graph_add_attribute (ls_graph_node (build->graph, stage_of (build, buffer)), "parameter", "written");
    }
}

/* ---- functions ------------------------------------------------------------------------------ */

static void
add_function (LsGraph    *graph,
              LsVersion  *version,
              const char *name,
              LsPrimFunc *func,
              gboolean    stages)
{
  g_autoptr (LsCostTable) costs = ls_cost_table_new (func);
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) blocks = g_ptr_array_new ();
  g_autofree char *detail = func_detail (func);
  Build build = { graph, func, version, costs, name, -1, nodes, blocks };

  ls_walk (func->body, collect, NULL, &build);
  build.cluster = ls_graph_add_cluster (graph, LS_GRAPH_CLUSTER_FUNCTION, -1, name, name, detail);
  if (stages)
    add_stages (&build);
  else
    add_blocks (&build);
}

static LsGraph *
from_functions (LsGraphKind  kind,
                LsModule    *module,
                const char  *only,
                LsVersion   *version)
{
  LsGraph *graph = ls_graph_new (kind);

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      const char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (ls_is (module->functions->items[i], PRIM_FUNC) && (only == NULL || strcmp (only, name) == 0))
        add_function (graph, version, name, ls_array_at (module->functions, i, LsPrimFunc), kind == LS_GRAPH_TE);
    }
  ls_graph_set_paths (graph, module);
  return graph;
}

LsGraph *
ls_graph_from_blocks (LsModule   *module,
                      const char *only,
                      LsVersion  *version)
{
  return from_functions (LS_GRAPH_BLOCKS, module, only, version);
}

LsGraph *
ls_graph_from_stages (LsModule   *module,
                      const char *only)
{
  return from_functions (LS_GRAPH_TE, module, only, NULL);
}
