/* onnx/graphs: graphs inside nodes.  A branch that is known while importing stands in the place of its If; else both become branches of an If of Relax.  Rounds
 * of a Loop or a Scan whose number is known are written one behind the other.  A graph sees the names outside of it, and its own are gone with it. */
#include "engine/frontend/onnx/onnx-private.h"

#include <inttypes.h>
#include <string.h>

#define FX (&self->fx)

#define MOST_DEEP 16                    /* graphs in graphs */
#define MOST_ROUNDS 1024
#define MOST_NODES 50000                /* that graphs inside nodes may become, all together */

typedef struct {
  const LsOnnx__Graph *graph;
  guint                depth, place;    /* of the node */
  const LsOnnx__Node  *node;
  GHashTable          *values, *known, *tensors, *stated;       /* outside */
  char                *within;
  LsFxValue          **args, **kwargs;  /* of the node */
  const char         **names;
  guint                n_args, n_kwargs;
} Scope;

/* ---- a graph ------------------------------------------------------------------------------- */

static const LsOnnx__Graph *
graph_called (LsOnnxImport *self,
              const char   *name)
{
  LsOnnx__Graph *graph;

  for (gsize i = 0; i < self->node->n_attribute; i++)
    {
      const LsOnnx__Attribute *attribute = self->node->attribute[i];

      if (g_strcmp0 (attribute->name, name) != 0 || !attribute->has_g)
        continue;
      if (self->graphs == NULL)
        self->graphs = g_hash_table_new_full (NULL, NULL, NULL, ls_onnx_graph_free);
      graph = g_hash_table_lookup (self->graphs, attribute->g.data);
      graph = graph != NULL ? graph : ls_onnx_graph_unpack (attribute->g.data, attribute->g.len);
      if (graph == NULL)
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "its `%s` is damaged", name);
      if (g_hash_table_lookup (self->graphs, attribute->g.data) == NULL)
        g_hash_table_insert (self->graphs, attribute->g.data, graph);     /* until the end: names of its values stand in tables */
      return graph;
    }
  return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "it has no graph `%s`", name);
}

static GHashTable *
copied (GHashTable *table)
{
  GHashTable *copy = g_hash_table_new (g_str_hash, g_str_equal);
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy, key, value);
  return copy;
}

static void
forget (LsOnnxImport *self,
        const char   *name)
{
  if (name == NULL || name[0] == '\0')
    return;
  g_hash_table_remove (self->values, name);
  g_hash_table_remove (self->known, name);
  g_hash_table_remove (self->tensors, name);
}

/* What is called inside as outside means what is inside. */
static void
forget_own (LsOnnxImport        *self,
            const LsOnnx__Graph *graph)
{
  for (gsize i = 0; i < graph->n_input; i++)
    forget (self, graph->input[i]->name);
  for (gsize i = 0; i < graph->n_initializer; i++)
    forget (self, graph->initializer[i]->name);
  for (gsize i = 0; i < graph->n_node; i++)
    for (gsize k = 0; k < graph->node[i]->n_output; k++)
      forget (self, graph->node[i]->output[k]);
}

static gboolean
enter (LsOnnxImport        *self,
       const LsOnnx__Graph *graph,
       const char          *what,
       Scope               *scope)
{
  g_autofree char *node = NULL;

  if (self->depth >= MOST_DEEP || (self->n_inside += graph->n_node) > MOST_NODES)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "graphs inside its nodes are too deep or too long (%d deep and %d nodes are supported)", MOST_DEEP, MOST_NODES), FALSE;
  node = ls_onnx_describe_node (self);
  *scope = (Scope) { graph, self->depth, self->place, self->node, self->values, self->known, self->tensors, self->stated, self->within,
                      self->fx.args, self->fx.kwargs, self->fx.names, self->fx.n_args, self->fx.n_kwargs };
  self->within = g_strconcat (node, ", ", what, ": ", NULL);
  self->values = copied (scope->values);
  self->known = copied (scope->known);
  self->tensors = copied (scope->tensors);
  self->stated = copied (scope->stated);
  self->depth++;
  forget_own (self, graph);
  return TRUE;
}

static void
leave (LsOnnxImport *self,
       Scope        *scope)
{
  g_hash_table_unref (self->values);
  g_hash_table_unref (self->known);
  g_hash_table_unref (self->tensors);
  g_hash_table_unref (self->stated);
  g_free (self->within);
  self->values = scope->values;
  self->known = scope->known;
  self->tensors = scope->tensors;
  self->stated = scope->stated;
  self->within = scope->within;
  self->node = scope->node;
  self->place = scope->place;
  self->depth = scope->depth;
  self->fx.args = scope->args;
  self->fx.kwargs = scope->kwargs;
  self->fx.names = scope->names;
  self->fx.n_args = scope->n_args;
  self->fx.n_kwargs = scope->n_kwargs;
}

static void
give (LsOnnxImport        *self,
      const LsOnnx__Graph *graph,
      guint                i,
      LsFxValue           *value,       /* or NULL */
      LsFxValue           *known)       /* or NULL */
{
  if (i >= graph->n_input || graph->input[i]->name == NULL)
    return;
  if (value != NULL)
    g_hash_table_insert (self->values, graph->input[i]->name, value);
  if (known != NULL)
    g_hash_table_insert (self->known, graph->input[i]->name, known);
}

/* The nodes of a graph that was entered; FALSE after an error. */
static gboolean
walk (LsOnnxImport        *self,
      const LsOnnx__Graph *graph)
{
  for (gsize i = 0; i < graph->n_initializer && self->fx.error == NULL; i++)
    {
      const LsOnnx__Tensor *proto = graph->initializer[i];
      LsTensor *tensor = proto->name != NULL ? ls_onnx_tensor (self->model, proto, &self->fx.error) : NULL;
      LsFxValue *known = tensor != NULL ? ls_onnx_known_tensor (self, tensor) : NULL;

      if (tensor == NULL)
        continue;
      if (known != NULL)
        g_hash_table_insert (self->known, proto->name, known);
      g_hash_table_insert (self->values, proto->name, ls_fx_node (FX, ls_constant_new (tensor)));
    }
  for (gsize i = 0; i < graph->n_value_info; i++)
    if (graph->value_info[i]->name != NULL)
      g_hash_table_insert (self->stated, graph->value_info[i]->name, graph->value_info[i]);
  for (gsize i = 0; i < graph->n_output; i++)
    if (graph->output[i]->name != NULL)
      g_hash_table_insert (self->stated, graph->output[i]->name, graph->output[i]);
  for (gsize i = 0; i < graph->n_node && self->fx.error == NULL; i++)
    {
      self->node = graph->node[i];
      self->place = (guint) i + 1;
      self->import_node (self);
    }
  return self->fx.error == NULL;
}

static LsFxValue *
result (LsOnnxImport        *self,
        const LsOnnx__Graph *graph,
        guint                i,
        LsFxValue          **known)     /* or NULL */
{
  const char *name = i < graph->n_output && graph->output[i]->name != NULL ? graph->output[i]->name : "";

  if (known != NULL)
    *known = g_hash_table_lookup (self->known, name);
  return ls_onnx_value (self, name);
}

/* 1 or 0 where it is known, else -1. */
static int
truth (LsFxValue *value,
       LsFxValue *known)
{
  LsTensor *tensor = value != NULL && value->kind == LS_FX_NODE && ls_is (value->node, CONSTANT) ? ((LsConstant *) value->node)->data : NULL;

  known = known != NULL && known->kind == LS_FX_LIST && known->n == 1 ? known->items[0] : known;
  if (known != NULL && (known->kind == LS_FX_BOOL || known->kind == LS_FX_INT))
    return known->i != 0;
  return tensor != NULL && ls_dtype_equal (tensor->dtype, LS_BOOL) && g_bytes_get_size (tensor->data) == 1 ? ((const guint8 *) g_bytes_get_data (tensor->data, NULL))[0] != 0 : -1;
}

/* ---- If ---------------------------------------------------------------------------------------- */

static LsFxValue *
in_its_place (LsOnnxImport *self,
              const char   *branch)
{
  const LsOnnx__Graph *graph = graph_called (self, branch);
  guint n = (guint) self->node->n_output;
  LsFxValue **items = ls_fx_alloc (FX, n * sizeof *items);
  Scope scope;

  if (graph == NULL || !enter (self, graph, branch, &scope))
    return NULL;
  if (walk (self, graph))
    for (guint i = 0; i < n && self->fx.error == NULL; i++)
      {
        LsFxValue *known = NULL;

        items[i] = result (self, graph, i, &known);
        if (known != NULL && scope.node->output[i][0] != '\0')
          g_hash_table_insert (scope.known, scope.node->output[i], known);
      }
  leave (self, &scope);
  return self->fx.error == NULL ? ls_fx_list (FX, items, n) : NULL;
}

/* Its bindings and what it gives, a tuple where there are several. (transfer full) */
static LsNode *
branch_of (LsOnnxImport *self,
           const char   *name)
{
  const LsOnnx__Graph *graph = graph_called (self, name);
  GPtrArray *fields = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  guint n = (guint) self->node->n_output;
  LsNode *body = NULL, *block;
  Scope scope;

  if (graph == NULL || !enter (self, graph, name, &scope))
    {
      g_ptr_array_unref (fields);
      return NULL;
    }
  ls_block_builder_begin_block (self->fx.builder, FALSE);
  if (walk (self, graph))
    for (guint i = 0; i < n && self->fx.error == NULL; i++)
      {
        LsFxValue *value = result (self, graph, i, NULL);

        if (value != NULL)
          g_ptr_array_add (fields, ls_node_ref (value->node));
      }
  if (self->fx.error == NULL)
    {
      g_ptr_array_set_free_func (fields, NULL);
      body = n == 1 ? fields->pdata[0] : ls_relax_tuple_new (ls_array_take_ptr_array (g_steal_pointer (&fields)));
      body = LS_NODE (ls_ref (ls_block_builder_emit_take (self->fx.builder, body, NULL)));
    }
  g_clear_pointer (&fields, g_ptr_array_unref);
  block = ls_block_builder_end_block (self->fx.builder);
  leave (self, &scope);
  if (body == NULL)
    {
      ls_node_unref (block);
      return NULL;
    }
  return ls_seq_expr_new (ls_array_of (block, NULL), body);
}

static LsFxValue *
condition (LsOnnxImport *self)
{
  LsFxValue *cond = ls_onnx_needed (self, 0), *shape, *known = ls_onnx_known_input (self, 0), *y, **items;
  int is = self->fx.error == NULL ? truth (cond, known) : -1;
  guint n = (guint) self->node->n_output;
  LsNode *yes, *no;

  if (self->fx.error != NULL)
    return NULL;
  if (is >= 0)
    return in_its_place (self, is ? "then_branch" : "else_branch");
  shape = ls_fx_shape (FX, cond);
  if (shape == NULL)
    return NULL;
  if (shape->n > 0)
    cond = ls_fx_call (FX, "reshape", cond, ls_fx_list (FX, NULL, 0), NULL);
  cond = cond != NULL ? ls_onnx_cast (self, cond, LS_BOOL) : NULL;
  yes = cond != NULL ? branch_of (self, "then_branch") : NULL;
  no = yes != NULL ? branch_of (self, "else_branch") : NULL;
  if (no == NULL)
    {
      ls_node_unref (yes);
      return NULL;
    }
  y = ls_fx_emit (FX, ls_relax_if_new (ls_node_ref (cond->node), yes, no));
  if (n == 1 || y == NULL)
    return y;
  items = ls_fx_alloc (FX, n * sizeof *items);
  for (guint i = 0; i < n; i++)
    items[i] = ls_onnx_field (self, y, i);
  return ls_fx_list (FX, items, n);
}

/* ---- Loop, Scan ------------------------------------------------------------------------------------- */

/* What rounds gave, one behind the other along a new dimension. */
static LsFxValue *
gathered (LsOnnxImport *self,
          GPtrArray    *parts,
          gint64        axis)
{
  LsFxValue *shape = parts->len > 0 ? ls_fx_shape (FX, parts->pdata[0]) : NULL;

  if (parts->len == 0)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "no round of it is gone, so that what it gathers has no shape");
  if (shape == NULL || !ls_fx_dimension (FX, &axis, shape->n + 1))
    return NULL;
  return ls_fx_call (FX, "stack", ls_fx_list (FX, (LsFxValue **) parts->pdata, parts->len), LS_FX_BY_NAME, "axis", ls_fx_int (FX, axis), NULL);
}

static GPtrArray **
lists_new (guint n)
{
  GPtrArray **lists = g_new0 (GPtrArray *, n + 1);

  for (guint i = 0; i < n; i++)
    lists[i] = g_ptr_array_new ();
  return lists;
}

static void
lists_free (GPtrArray **lists)
{
  for (guint i = 0; lists[i] != NULL; i++)
    g_ptr_array_unref (lists[i]);
  g_free (lists);
}

static LsFxValue *
rounds (LsOnnxImport *self)
{
  const LsOnnx__Graph *graph = graph_called (self, "body");
  LsFxValue *most = ls_onnx_known_input (self, 0), *go = ls_onnx_input (self, 1), *go_known = ls_onnx_known_input (self, 1), **now, **known, **items;
  gboolean counted = self->node->n_input > 0 && self->node->input[0][0] != '\0', asked = go != NULL;
  guint n = self->node->n_input > 2 ? (guint) self->node->n_input - 2 : 0, n_gathered;
  gint64 last = G_MAXINT64;
  GPtrArray **lists;
  Scope scope;

  if (graph == NULL || self->fx.error != NULL)
    return NULL;
  most = most != NULL && most->kind == LS_FX_LIST && most->n == 1 ? most->items[0] : most;
  if (counted && (most == NULL || most->kind != LS_FX_INT))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "how many rounds it goes is computed; Relax has no loop, so that they have to be known to be written one behind the other");
  last = counted ? most->i : last;
  if (graph->n_output < n + 1 || graph->n_input != n + 2 || self->node->n_output != graph->n_output - 1)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "its body does not take and give what the loop does");
  n_gathered = (guint) graph->n_output - n - 1;
  now = ls_fx_alloc (FX, n * sizeof *now);
  known = ls_fx_alloc (FX, n * sizeof *known);
  for (guint i = 0; i < n; i++)
    {
      now[i] = ls_onnx_needed (self, i + 2);
      known[i] = ls_onnx_known_input (self, i + 2);
    }
  lists = lists_new (n_gathered);
  for (gint64 round = 0; round < last && self->fx.error == NULL; round++)
    {
      int is = asked ? truth (go, go_known) : 1;

      if (is == 0)
        break;
      if (is < 0 || round >= MOST_ROUNDS)
        {
          ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, is < 0 ? LS_TEXT ("whether it goes on is computed; Relax has no loop, so that the number of rounds has to be known")
                                                          : LS_TEXT ("it goes more than %d rounds, which are written one behind the other"), MOST_ROUNDS);
          break;
        }
      if (!enter (self, graph, "body", &scope))
        break;
      give (self, graph, 0, NULL, ls_fx_int (FX, round));
      give (self, graph, 1, NULL, ls_fx_bool (FX, TRUE));
      for (guint i = 0; i < n; i++)
        give (self, graph, i + 2, now[i], known[i]);
      if (walk (self, graph))
        {
          go = result (self, graph, 0, &go_known);
          asked = TRUE;
          for (guint i = 0; i < n && self->fx.error == NULL; i++)
            now[i] = result (self, graph, i + 1, &known[i]);
          for (guint i = 0; i < n_gathered && self->fx.error == NULL; i++)
            g_ptr_array_add (lists[i], result (self, graph, n + 1 + i, NULL));
        }
      leave (self, &scope);
    }
  items = ls_fx_alloc (FX, (n + n_gathered) * sizeof *items);
  for (guint i = 0; i < n && self->fx.error == NULL; i++)
    {
      items[i] = now[i];
      if (known[i] != NULL && self->node->output[i][0] != '\0')
        g_hash_table_insert (self->known, self->node->output[i], known[i]);
    }
  for (guint i = 0; i < n_gathered && self->fx.error == NULL; i++)
    items[n + i] = self->node->output[n + i][0] != '\0' ? gathered (self, lists[i], 0) : ls_fx_none (FX);
  lists_free (lists);
  return self->fx.error == NULL ? ls_fx_list (FX, items, n + n_gathered) : NULL;
}

/* Of a list of attributes that may be missing. */
static gint64
of_each (LsOnnxImport *self,
         const char   *name,
         guint         i)
{
  LsFxValue *list = ls_onnx_attr (self, name);

  return list != NULL && list->kind == LS_FX_LIST && i < list->n ? ls_onnx_number (self, list, i) : 0;
}

static LsFxValue *
scan (LsOnnxImport *self)
{
  const LsOnnx__Graph *graph = graph_called (self, "body");
  gint64 m = ls_onnx_attr_int (self, "num_scan_inputs", 0), n, length = -1;
  LsFxValue **now, **inputs, **items, *order_of[1];
  gint64 *axes;
  guint n_gathered;
  GPtrArray **lists;
  Scope scope;

  if (graph == NULL || self->fx.error != NULL)
    return NULL;
  n = (gint64) self->node->n_input - m;
  if (m < 1 || n < 0 || graph->n_input != self->node->n_input || graph->n_output != self->node->n_output || (gint64) graph->n_output < n)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "its body does not take and give what it does");
  n_gathered = (guint) ((gint64) graph->n_output - n);
  now = ls_fx_alloc (FX, (gsize) n * sizeof *now);
  inputs = ls_fx_alloc (FX, (gsize) m * sizeof *inputs);
  axes = ls_fx_alloc (FX, (gsize) m * sizeof *axes);
  for (guint i = 0; i < n; i++)
    now[i] = ls_onnx_needed (self, i);
  for (guint i = 0; i < m && self->fx.error == NULL; i++)
    {
      LsFxValue *shape;
      gint64 extent;

      inputs[i] = ls_onnx_needed (self, (guint) n + i);
      shape = inputs[i] != NULL ? ls_fx_shape (FX, inputs[i]) : NULL;
      axes[i] = of_each (self, "scan_input_axes", i);
      if (shape == NULL || !ls_fx_dimension (FX, &axes[i], shape->n))
        return NULL;
      extent = ls_onnx_number (self, shape, (guint) axes[i]);
      if (self->fx.error == NULL && length >= 0 && extent != length)
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "what it goes through has %" PRId64 " and %" PRId64 " parts", length, extent);
      length = extent;
    }
  if (self->fx.error != NULL)
    return NULL;
  if (length > MOST_ROUNDS)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "it goes more than %d rounds, which are written one behind the other", MOST_ROUNDS);
  lists = lists_new (n_gathered);
  for (gint64 round = 0; round < length && self->fx.error == NULL; round++)
    {
      LsFxValue **parts = ls_fx_alloc (FX, (gsize) m * sizeof *parts);

      for (guint i = 0; i < m; i++)
        {
          gint64 at = of_each (self, "scan_input_directions", i) ? length - 1 - round : round;

          order_of[0] = ls_fx_int (FX, axes[i]);
          parts[i] = ls_fx_call (FX, "squeeze", ls_onnx_cut (self, inputs[i], (guint) axes[i], at, at + 1), LS_FX_BY_NAME, "axis", ls_fx_list (FX, order_of, 1), NULL);
        }
      if (self->fx.error != NULL || !enter (self, graph, "body", &scope))
        break;
      for (guint i = 0; i < n + m; i++)
        give (self, graph, i, i < n ? now[i] : parts[i - n], NULL);
      if (walk (self, graph))
        {
          for (guint i = 0; i < n && self->fx.error == NULL; i++)
            now[i] = result (self, graph, i, NULL);
          for (guint i = 0; i < n_gathered && self->fx.error == NULL; i++)
            g_ptr_array_insert (lists[i], -1, result (self, graph, (guint) n + i, NULL));
        }
      leave (self, &scope);
    }
  items = ls_fx_alloc (FX, self->node->n_output * sizeof *items);
  for (guint i = 0; i < n; i++)
    items[i] = now[i];
  for (guint i = 0; i < n_gathered && self->fx.error == NULL; i++)
    {
      if (of_each (self, "scan_output_directions", i))
        for (guint k = 0; k < lists[i]->len / 2; k++)
          {
            gpointer other = lists[i]->pdata[lists[i]->len - 1 - k];

            lists[i]->pdata[lists[i]->len - 1 - k] = lists[i]->pdata[k];
            lists[i]->pdata[k] = other;
          }
      items[n + i] = gathered (self, lists[i], of_each (self, "scan_output_axes", i));
    }
  lists_free (lists);
  return self->fx.error == NULL ? ls_fx_list (FX, items, (guint) self->node->n_output) : NULL;
}

const LsOnnxHandler ls_onnx_handlers_graphs[] = { { "If", condition }, { "Loop", rounds }, { "Scan", scan }, { NULL, NULL } };
