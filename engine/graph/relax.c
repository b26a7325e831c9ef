/* relax: the functions of Relax in a module as a graph.
 *
 * A node for each parameter, each binding that computes something, each constant where it is used, each result.  A binding
 * that only gives another name to a value (x = y, x = y[0], a cast) is no node: its users are joined to what made the value,
 * and the edge says which name and element it is.  Dataflow blocks, branches and functions are clusters.
 */
#include "engine/graph/graph-private.h"

#include "engine/relax/analysis.h"
#include "engine/script/printer.h"
#include "engine/tir/cost.h"

#include <string.h>

/* Where the value of a variable comes from. */
typedef struct {
  guint node;
  char *label;                  /* "lv0", "lv0[1]" */
} Origin;

static void
origin_free (gpointer data)
{
  g_free (((Origin *) data)->label);
  g_free (data);
}

#define MAX_NESTING 8

typedef struct {
  LsGraph    *graph;
  LsModule   *module;
  GHashTable *origins;          /* LsRelaxVar -> Origin */
  GHashTable *flops;            /* LsPrimFunc -> double * */
  GHashTable *names;            /* of variables in the function */
  const char *function;
  gint        cluster;
} Build;

char *
ls_graph_one_line (const char *text,
                   guint       room)
{
  GString *out = g_string_new (NULL);
  guint n = 0;

  for (const char *at = text; *at != '\0' && n < room; at = g_utf8_next_char (at))
    {
      gunichar c = g_utf8_get_char (at);

      if (g_unichar_isspace (c) && (out->len == 0 || out->str[out->len - 1] == ' '))
        continue;
      g_string_append_unichar (out, g_unichar_isspace (c) ? ' ' : c);
      if (++n == room && at[1] != '\0')
        g_string_append (out, "…");
    }
  return g_strchomp (g_string_free (out, FALSE));
}

/* ---- what a call is ------------------------------------------------------------------- */

static const char *
short_op (const char *name)
{
  return g_str_has_prefix (name, "relax.") ? name + strlen ("relax.") : name;
}

/* The function that call_tir and its like are given, else NULL. */
static LsNode *
given_callee (LsRelaxCall *call)
{
  const char *op = ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name : "";

  if (ls_array_n (call->args) == 0 || !g_str_has_prefix (op, "relax.call_"))
    return NULL;
  if (ls_is (call->args->items[0], GLOBAL_VAR) || ls_is (call->args->items[0], EXTERN_FUNC))
    return call->args->items[0];
  return NULL;
}

static char *
callee_title (LsNode *callee)
{
  if (ls_is (callee, GLOBAL_VAR))
    return g_strdup (((LsGlobalVar *) callee)->name_hint);
  if (ls_is (callee, EXTERN_FUNC))
    return g_strdup (((LsExternFunc *) callee)->global_symbol);
  if (ls_is_relax_var (callee))
    return g_strdup (((LsRelaxVar *) callee)->name);
  return g_strdup ("call");
}

static void
describe_call (LsRelaxCall *call,
               char       **title,
               char       **detail,
               char       **callee)
{
  LsNode *given = given_callee (call);
  LsNode *target = given != NULL ? given : call->op;

  if (ls_is (target, RELAX_OP))
    {
      const char *op = short_op (((LsRelaxOp *) target)->name);
      const char *dot = strrchr (op, '.');

      *title = g_strdup (dot != NULL ? dot + 1 : op);
      *detail = g_strdup_printf ("R.%s", op);
      return;
    }
  *title = callee_title (target);
  *detail = g_strdup (given != NULL ? short_op (((LsRelaxOp *) call->op)->name) : "call");
  if (ls_is (target, GLOBAL_VAR))
    *callee = g_strdup (((LsGlobalVar *) target)->name_hint);
  else if (ls_is (target, EXTERN_FUNC))
    *callee = g_strdup (((LsExternFunc *) target)->global_symbol);
}

static double
flop_of (Build      *build,
         const char *callee)
{
  LsNode *func = callee != NULL ? ls_module_get (build->module, callee) : NULL;
  double *known;

  if (!ls_is (func, PRIM_FUNC))
    return -1.0;
  known = g_hash_table_lookup (build->flops, func);
  if (known == NULL)
    {
      g_autoptr (LsCostTable) table = ls_cost_table_new ((LsPrimFunc *) func);

      known = g_new (double, 1);
      *known = table->flop;
      g_hash_table_insert (build->flops, func, known);
    }
  return *known;
}

/* ---- edges ------------------------------------------------------------------------------ */

static LsNode *
info_of (LsNode *expr)
{
  if (ls_is_relax_var (expr))
    return ((LsRelaxVar *) expr)->struct_info;
  return ls_is (expr, CONSTANT) ? ((LsConstant *) expr)->struct_info : NULL;
}

static void
add_bytes (LsGraphNode *node,
           LsNode      *info)
{
  double bytes = ls_graph_type_bytes (info);

  if (node->numbers.bytes >= -1.0)
    node->numbers.bytes = bytes < 0.0 ? -2.0 : MAX (node->numbers.bytes, 0.0) + bytes;
}

static guint
add_constant (Build      *build,
              LsConstant *constant,
              guint       user,
              guint       argument)
{
  g_autofree char *type = ls_graph_type_text (constant->struct_info);
  g_autofree char *key = g_strdup_printf ("%s#%u", ls_graph_node (build->graph, user)->key, argument);
  g_autofree char *value = NULL;
  LsGraphNode *node;
  const char *name;

  if (ls_array_n (constant->data->shape) == 0)
    value = ls_script_print (constant, NULL, NULL);
  node = ls_graph_add_node (build->graph, LS_GRAPH_NODE_CONSTANT, key, "const");
  name = value != NULL ? strstr (value, "R.const(") : NULL;
  if (name != NULL)
    {
      g_free (node->title);
      node->title = g_strndup (name + strlen ("R.const("), strcspn (name + strlen ("R.const("), ",)"));
      if (strlen (node->title) > 9)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE];

          g_ascii_formatd (number, sizeof number, "%.4g", g_ascii_strtod (node->title, NULL));
          g_free (node->title);
          node->title = g_strdup (number);
        }
    }
  node->type = g_steal_pointer (&type);
  node->function = g_strdup (build->function);
  node->cluster = build->cluster;
  node->node = ls_ref (LS_NODE (constant));
  return build->graph->nodes->len - 1;
}

static void
add_argument (Build *build,
              guint  user,
              guint *n,
              LsNode *arg)
{
  guint argument = (*n)++;

  if (ls_is (arg, RELAX_TUPLE))
    {
      LsArray *fields = ((LsRelaxTuple *) arg)->fields;

      (*n)--;
      for (guint i = 0; i < ls_array_n (fields); i++)
        add_argument (build, user, n, fields->items[i]);
    }
  else if (ls_is_relax_var (arg))
    {
      Origin *origin = g_hash_table_lookup (build->origins, arg);
      g_autofree char *type = ls_graph_type_text (info_of (arg));
      gboolean is_value;

      if (origin == NULL)
        return;
      is_value = ls_graph_node (build->graph, origin->node)->kind == LS_GRAPH_NODE_VALUE;
      ls_graph_add_edge (build->graph, LS_GRAPH_EDGE_FLOW, origin->node, user, is_value && strchr (origin->label, '[') == NULL ? NULL : origin->label, type)->argument = (gint) argument;
      add_bytes (ls_graph_node (build->graph, user), info_of (arg));
    }
  else if (ls_is (arg, CONSTANT))
    {
      guint constant = add_constant (build, (LsConstant *) arg, user, argument);
      LsGraphNode *node = ls_graph_node (build->graph, constant);

      ls_graph_add_edge (build->graph, LS_GRAPH_EDGE_FLOW, constant, user, NULL, node->type)->argument = (gint) argument;
      add_bytes (ls_graph_node (build->graph, user), info_of (arg));
    }
  else if (arg != NULL && !ls_is (arg, GLOBAL_VAR) && !ls_is (arg, EXTERN_FUNC))
    {
      g_autofree char *text = ls_script_print (arg, NULL, NULL);
      g_autofree char *line = ls_graph_one_line (text, 60);
      g_autofree char *name = g_strdup_printf ("argument %u", argument);

      ls_graph_add_attribute (ls_graph_node (build->graph, user), name, line);
    }
}

static void
add_arguments (Build       *build,
               guint        user,
               LsRelaxCall *call)
{
  LsNode *given = given_callee (call);
  guint n = 0;

  for (guint i = given != NULL ? 1 : 0; i < ls_array_n (call->args); i++)
    add_argument (build, user, &n, call->args->items[i]);
  for (guint i = 0; i < ls_array_n (call->attr_names); i++)
    {
      LsNode *value = call->attrs->items[i];
      g_autofree char *text = value != NULL ? ls_script_print (value, NULL, NULL) : NULL;
      g_autofree char *line = text != NULL ? ls_graph_one_line (text, 60) : NULL;

      if (line != NULL && strcmp (line, "\"void\"") != 0)
        ls_graph_add_attribute (ls_graph_node (build->graph, user), ls_array_at (call->attr_names, i, LsString)->value, line);
    }
}

/* ---- bindings ----------------------------------------------------------------------------- */

static void add_seq (Build *build, LsNode *body);

static void
set_origin (Build      *build,
            LsRelaxVar *var,
            guint       node,
            const char *label)
{
  Origin *origin = g_new (Origin, 1);

  *origin = (Origin) { node, g_strdup (label) };
  g_hash_table_insert (build->origins, var, origin);
}

/* The name as it is printed: a second lv is lv_1. (transfer full) */
static char *
printed_name (Build      *build,
              LsRelaxVar *var)
{
  char *name = g_strdup (var->name);

  for (guint i = 1; g_hash_table_contains (build->names, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s_%u", var->name, i);
    }
  g_hash_table_add (build->names, g_strdup (name));
  return name;
}

static guint
add_bound (Build      *build,
           LsRelaxVar *var,
           LsNode     *binding,
           const char *title,
           const char *detail)
{
  g_autofree char *name = printed_name (build, var);
  g_autofree char *key = g_strdup_printf ("%s/%s", build->function, name);
  LsGraphNode *node = ls_graph_add_node (build->graph, LS_GRAPH_NODE_CALL, key, title);

  node->detail = g_strdup (detail);
  node->name = g_strdup (name);
  node->type = ls_graph_type_text (var->struct_info);
  node->function = g_strdup (build->function);
  node->cluster = build->cluster;
  node->node = ls_ref (binding);
  set_origin (build, var, build->graph->nodes->len - 1, name);
  return build->graph->nodes->len - 1;
}

static void
add_call (Build       *build,
          LsRelaxVar  *var,
          LsNode      *binding,
          LsRelaxCall *call)
{
  g_autofree char *title = NULL, *detail = NULL, *callee = NULL;
  LsGraphNode *node;
  guint at;

  describe_call (call, &title, &detail, &callee);
  at = add_bound (build, var, binding, title, detail);
  add_arguments (build, at, call);
  node = ls_graph_node (build->graph, at);
  add_bytes (node, var->struct_info);
  node->numbers.bytes = MAX (node->numbers.bytes, -1.0);
  node->callee = g_steal_pointer (&callee);
  node->numbers.flop = flop_of (build, node->callee);
}

/* The variable that ends a branch goes into the node of the choice. */
static void
add_branch (Build      *build,
            guint       choice,
            LsNode     *branch,
            const char *title)
{
  g_autofree char *key = g_strdup_printf ("%s:%s", ls_graph_node (build->graph, choice)->key, title);
  gint outer = build->cluster;
  guint first = build->graph->nodes->len, n = 10;
  LsNode *end = ls_is (branch, SEQ_EXPR) ? ((LsSeqExpr *) branch)->body : branch;

  build->cluster = ls_graph_add_cluster (build->graph, LS_GRAPH_CLUSTER_BRANCH, outer, key, title, NULL);
  add_seq (build, branch);
  build->cluster = outer;
  if (build->graph->nodes->len > first && ls_is_relax_var (end))
    add_argument (build, choice, &n, end);
}

static void
add_if (Build      *build,
        LsRelaxVar *var,
        LsNode     *binding,
        LsRelaxIf  *value)
{
  guint at = add_bound (build, var, binding, "if", "chooses");
  guint n = 0;

  add_argument (build, at, &n, value->cond);
  add_branch (build, at, value->true_branch, "then");
  add_branch (build, at, value->false_branch, "else");
}

static void
add_function_value (Build      *build,
                    LsRelaxVar *var,
                    LsNode     *binding,
                    LsFunction *function)
{
  g_autofree char *key = g_strdup_printf ("%s/%s:body", build->function, var->name);
  gint outer = build->cluster;
  guint at = add_bound (build, var, binding, var->name, "function");

  build->cluster = ls_graph_add_cluster (build->graph, LS_GRAPH_CLUSTER_BRANCH, outer, key, var->name, "inner function");
  for (guint i = 0; i < ls_array_n (function->params); i++)
    {
      LsRelaxVar *param = ls_array_at (function->params, i, LsRelaxVar);
      g_autofree char *name = g_strdup_printf ("%s/%s:%s", build->function, var->name, param->name);
      LsGraphNode *node = ls_graph_add_node (build->graph, LS_GRAPH_NODE_VALUE, name, param->name);

      node->type = ls_graph_type_text (param->struct_info);
      node->function = g_strdup (build->function);
      node->cluster = build->cluster;
      node->node = ls_ref (LS_NODE (param));
      set_origin (build, param, build->graph->nodes->len - 1, param->name);
    }
  add_seq (build, function->body);
  build->cluster = outer;
  ls_graph_node (build->graph, at)->n_members = 1;
}

/* Another name, an element or a cast of a value that has a node. TRUE when the value is one of these. */
static gboolean
add_alias (Build      *build,
           LsRelaxVar *var,
           LsNode     *value)
{
  gboolean is_element = ls_is (value, TUPLE_GET_ITEM);
  LsNode *source = is_element ? ((LsTupleGetItem *) value)->tuple : value;
  Origin *origin = ls_is_relax_var (source) ? g_hash_table_lookup (build->origins, source) : NULL;

  if (origin == NULL)
    return FALSE;
  if (is_element)
    {
      g_autofree char *label = g_strdup_printf ("%s[%" G_GINT64_FORMAT "]", origin->label, ((LsTupleGetItem *) value)->index);

      set_origin (build, var, origin->node, label);
    }
  else
    set_origin (build, var, origin->node, var->name);
  return TRUE;
}

static void
add_binding (Build  *build,
             LsNode *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);
  LsNode *value = ls_binding_value (binding);

  if (var == NULL || value == NULL || add_alias (build, var, value))
    return;
  if (ls_is (value, RELAX_CALL))
    add_call (build, var, binding, (LsRelaxCall *) value);
  else if (ls_is (value, RELAX_IF))
    add_if (build, var, binding, (LsRelaxIf *) value);
  else if (ls_is (value, FUNCTION))
    add_function_value (build, var, binding, (LsFunction *) value);
  else if (ls_is (value, RELAX_TUPLE))
    {
      guint at = add_bound (build, var, binding, "tuple", "R.tuple"), n = 0;

      add_argument (build, at, &n, value);
    }
  else
    {
      g_autofree char *text = ls_script_print (value, NULL, NULL);
      g_autofree char *line = ls_graph_one_line (text, 40);
      guint at = add_bound (build, var, binding, line, "value");

      if (ls_is (value, CONSTANT))
        {
          LsGraphNode *node = ls_graph_node (build->graph, at);

          node->kind = LS_GRAPH_NODE_CONSTANT;
          g_free (node->title);
          node->title = g_strdup (node->name);
        }
    }
}

static void
add_seq (Build  *build,
         LsNode *body)
{
  gint outer = build->cluster;

  if (!ls_is (body, SEQ_EXPR))
    return;
  for (guint i = 0; i < ls_array_n (((LsSeqExpr *) body)->blocks); i++)
    {
      LsBindingBlock *block = ls_array_at (((LsSeqExpr *) body)->blocks, i, LsBindingBlock);
      g_autofree char *key = g_strdup_printf ("%s:dataflow%u", build->function, i);

      if (ls_is (block, DATAFLOW_BLOCK))
        build->cluster = ls_graph_add_cluster (build->graph, LS_GRAPH_CLUSTER_DATAFLOW, outer, key, "dataflow", ls_translate ("no side effects, so calls may be fused"));
      for (guint k = 0; k < ls_array_n (block->bindings); k++)
        add_binding (build, block->bindings->items[k]);
      build->cluster = outer;
    }
}

/* ---- functions ----------------------------------------------------------------------------- */

static void
add_result (Build  *build,
            LsNode *end)
{
  g_autofree char *key = g_strdup_printf ("%s:result", build->function);
  Origin *origin = ls_is_relax_var (end) ? g_hash_table_lookup (build->origins, end) : NULL;
  LsGraphNode *node = ls_graph_add_node (build->graph, LS_GRAPH_NODE_RESULT, key, origin != NULL ? origin->label : "result");
  guint at = build->graph->nodes->len - 1, n = 0;

  node->function = g_strdup (build->function);
  node->cluster = build->cluster;
  node->type = ls_graph_type_text (info_of (end));
  add_argument (build, at, &n, end);
  node->numbers = LS_GRAPH_NO_NUMBERS;
}

static void
add_function (Build      *build,
              const char *name,
              LsFunction *function)
{
  guint n = ls_array_n (function->params);
  g_autofree char *detail = ls_graph_function_text ("R.function", n);
  gint64 inputs = n;
  LsNode *attr = ls_map_get (function->attrs, "num_input");

  if (attr == NULL || !ls_as_int (attr, &inputs))
    inputs = -1;
  build->function = name;
  g_hash_table_remove_all (build->names);
  build->cluster = ls_graph_add_cluster (build->graph, LS_GRAPH_CLUSTER_FUNCTION, -1, name, name, detail);
  for (guint i = 0; i < n; i++)
    {
      LsRelaxVar *param = ls_array_at (function->params, i, LsRelaxVar);
      g_autofree char *shown = printed_name (build, param);
      g_autofree char *key = g_strdup_printf ("%s/%s", name, shown);
      LsGraphNode *node = ls_graph_add_node (build->graph, LS_GRAPH_NODE_VALUE, key, shown);

      node->detail = g_strdup (inputs >= 0 && i >= (guint) inputs ? ls_translate ("weight") : ls_translate ("parameter"));
      node->type = ls_graph_type_text (param->struct_info);
      node->function = g_strdup (name);
      node->cluster = build->cluster;
      node->node = ls_ref (LS_NODE (param));
      set_origin (build, param, build->graph->nodes->len - 1, shown);
    }
  add_seq (build, function->body);
  add_result (build, ls_is (function->body, SEQ_EXPR) ? ((LsSeqExpr *) function->body)->body : function->body);
}

/* A call of another function of Relax costs what that function's calls cost.  TRUE when a number became known. */
static gboolean
add_inner_flops (LsGraph *graph)
{
  g_autoptr (GHashTable) sums = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  gboolean changed = FALSE;

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (graph, i);
      double *sum = g_hash_table_lookup (sums, node->function);

      if (node->kind != LS_GRAPH_NODE_CALL)
        continue;
      if (sum == NULL)
        g_hash_table_insert (sums, node->function, sum = g_new0 (double, 1));
      *sum = *sum < 0.0 || node->numbers.flop < 0.0 ? -1.0 : *sum + node->numbers.flop;
    }
  for (guint i = 0; i < graph->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (graph, i);
      double *sum = node->callee != NULL ? g_hash_table_lookup (sums, node->callee) : NULL;

      if (sum == NULL || *sum < 0.0 || node->numbers.flop >= 0.0)
        continue;
      node->numbers.flop = *sum;
      changed = TRUE;
    }
  return changed;
}

static void
unref_function (gpointer function)
{
  ls_node_unref (function);
}

LsGraph *
ls_graph_from_relax (LsModule   *module,
                     const char *only)
{
  g_autoptr (LsGraph) graph = ls_graph_new (LS_GRAPH_RELAX);
  g_autoptr (GHashTable) origins = g_hash_table_new_full (NULL, NULL, NULL, origin_free);
  g_autoptr (GHashTable) flops = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Build build = { graph, module, origins, flops, names, NULL, -1 };

  graph->functions = g_ptr_array_new_with_free_func (unref_function);
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      const char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (!ls_is (module->functions->items[i], FUNCTION) || (only != NULL && strcmp (only, name) != 0))
        continue;
      add_function (&build, name, ls_array_at (module->functions, i, LsFunction));
      g_ptr_array_add (graph->functions, ls_node_ref (module->functions->items[i]));
    }
  for (guint round = 0; round < MAX_NESTING && add_inner_flops (graph); round++)
    ;
  ls_graph_set_paths (graph, module);
  return g_steal_pointer (&graph);
}
