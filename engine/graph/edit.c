/* edit: see the header.  All of it goes through a group of bindings that becomes a function (engine/relax/group.h): what another call is put for, or
 * what is taken out, is that function. */
#include "engine/graph/edit.h"
#include "engine/graph/graph-private.h"

#include "engine/relax/analysis.h"
#include "engine/relax/group.h"
#include "engine/relax/mutator.h"
#include "engine/runtime/runtime.h"
#include "engine/script/script.h"

#include <string.h>

typedef struct {
  LsModule   *module;
  const char *func;
  LsGraph    *graph;            /* of that function */
  GArray     *nodes;            /* of guint: the selected calls, in program order */
  gboolean   *chosen;           /* of each node */
} Selection;

static void
selection_clear (Selection *self)
{
  g_clear_pointer (&self->graph, ls_graph_unref);
  g_clear_pointer (&self->nodes, g_array_unref);
  g_free (self->chosen);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Selection, selection_clear)

void
ls_graph_edit_check_free (LsGraphEditCheck *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->reasons);
  g_ptr_array_unref (self->with);
  g_free (self);
}

/* ---- conditions -------------------------------------------------------------------------- */

static void G_GNUC_PRINTF (2, 3)
say (LsGraphEditCheck *self,
     const char       *format,
     ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (self->reasons, g_strdup_vprintf (format, args));
  va_end (args);
}

static gint
node_named (LsGraph    *graph,
            const char *name)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    if (g_strcmp0 (ls_graph_node (graph, i)->name, name) == 0)
      return (gint) i;
  return -1;
}

static gint
by_number (gconstpointer a,
           gconstpointer b)
{
  return (*(const guint *) a > *(const guint *) b) - (*(const guint *) a < *(const guint *) b);
}

/* What has the name, where no node has: a parameter, a field of what a call gives, a name for something else; or nothing. */
static void
say_of_name (Selection        *self,
             const char       *name,
             LsGraphEditCheck *check)
{
  LsNode *value = NULL;

  if (ls_graph_variable ((LsFunction *) ls_module_get (self->module, self->func), name, &value) == NULL)
    say (check, ls_translate ("There is no call called %s in %s."), name, self->func);
  else if (value != NULL && ls_is (value, TUPLE_GET_ITEM) && ls_is_relax_var (((LsTupleGetItem *) value)->tuple))
    say (check, ls_translate ("%s is a field of what %s gives, and goes with it: select that."), name, ((LsRelaxVar *) ((LsTupleGetItem *) value)->tuple)->name);
  else
    say (check, ls_translate ("%s is no call: only calls can be put together."), name);
}

/* FALSE: there is no such function, or none of these calls. */
static gboolean
select_nodes (Selection         *self,
              const char *const *names,
              LsGraphEditCheck  *check)
{
  if (!ls_is (ls_module_get (self->module, self->func), FUNCTION))
    {
      say (check, ls_translate ("There is no function of Relax called %s."), self->func);
      return FALSE;
    }
  self->graph = ls_graph_from_relax (self->module, self->func);
  self->nodes = g_array_new (FALSE, FALSE, sizeof (guint));
  self->chosen = g_new0 (gboolean, self->graph->nodes->len + 1);
  for (guint i = 0; names[i] != NULL; i++)
    {
      gint at = node_named (self->graph, names[i]);

      if (at < 0)
        say_of_name (self, names[i], check);
      else if (!self->chosen[at])
        {
          guint number = (guint) at;

          self->chosen[at] = TRUE;
          g_array_append_val (self->nodes, number);
        }
    }
  g_array_sort (self->nodes, by_number);
  if (self->nodes->len == 0 && check->reasons->len == 0)
    say (check, "%s", ls_translate ("No call is selected."));
  return self->nodes->len > 0 && check->reasons->len == 0;
}

static void
check_calls (Selection        *self,
             LsGraphEditCheck *check)
{
  gint block = -1;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const LsGraphNode *node = ls_graph_node (self->graph, g_array_index (self->nodes, guint, i));
      gboolean dataflow = node->cluster >= 0 && ls_graph_cluster (self->graph, node->cluster)->kind == LS_GRAPH_CLUSTER_DATAFLOW;

      if (node->kind != LS_GRAPH_NODE_CALL || !ls_is (node->node, VAR_BINDING) || !ls_is (ls_binding_value (node->node), RELAX_CALL))
        say (check, ls_translate ("%s is no call: only calls can be put together."), node->name);
      else if (!dataflow)
        say (check, ls_translate ("%s stands outside of a dataflow block, where calls may have side effects; ConvertToDataflow puts it into one where it has none."), node->name);
      else if (block >= 0 && node->cluster != block)
        say (check, ls_translate ("%s stands in another dataflow block than %s."), node->name, ls_graph_node (self->graph, g_array_index (self->nodes, guint, 0))->name);
      block = block < 0 ? node->cluster : block;
    }
}

/* What lies between two selected calls and is not selected itself: the function would have to be called before it and after it. */
static void
check_between (Selection        *self,
               LsGraphEditCheck *check)
{
  guint n = self->graph->nodes->len;
  g_autofree gboolean *below = g_new0 (gboolean, n + 1), *above = g_new0 (gboolean, n + 1);
  g_autoptr (LsGraphSide) inputs = ls_graph_side (self->graph, FALSE), users = ls_graph_side (self->graph, TRUE);
  g_autoptr (GString) between = g_string_new (NULL);

  for (guint i = 0; i < n; i++)         /* edges go to higher numbers */
    for (guint k = inputs->start[i]; k < inputs->start[i + 1]; k++)
      {
        guint from = ls_graph_edge (self->graph, inputs->edges[k])->from;

        below[i] |= self->chosen[from] || below[from];
      }
  for (guint i = n; i-- > 0;)
    for (guint k = users->start[i]; k < users->start[i + 1]; k++)
      {
        guint to = ls_graph_edge (self->graph, users->edges[k])->to;

        above[i] |= self->chosen[to] || above[to];
      }
  for (guint i = 0; i < n; i++)
    if (below[i] && above[i] && !self->chosen[i])
      {
        const LsGraphNode *node = ls_graph_node (self->graph, i);

        g_string_append_printf (between, "%s%s (%s)", between->len > 0 ? ", " : "", node->name != NULL ? node->name : node->title, node->title);
        g_ptr_array_add (check->with, g_strdup (node->name != NULL ? node->name : node->title));
      }
  if (between->len > 0)
    say (check, ls_translate ("%s needs something of the selection and the selection needs it: one function cannot be called before and after it. Select it too."), between->str);
}

/* NULL: `selection` is what was asked for, and it may be done. (transfer full) */
static LsGraphEditCheck *
look (Selection         *selection,
      const char *const *names)
{
  LsGraphEditCheck *check = g_new0 (LsGraphEditCheck, 1);

  check->reasons = g_ptr_array_new_with_free_func (g_free);
  check->with = g_ptr_array_new_with_free_func (g_free);
  if (select_nodes (selection, names, check))
    {
      check_calls (selection, check);
      check_between (selection, check);
    }
  return check;
}

LsGraphEditCheck *
ls_graph_edit_check (LsModule          *module,
                     const char        *func,
                     const char *const *names)
{
  g_auto (Selection) selection = { module, func };

  return look (&selection, names);
}

static gpointer
refuse (LsGraphEditCheck *check,
        GError          **error)
{
  g_autoptr (GString) words = g_string_new (NULL);

  for (guint i = 0; i < check->reasons->len; i++)
    g_string_append_printf (words, "%s%s", i > 0 ? " " : "", (const char *) check->reasons->pdata[i]);
  g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_KIND, words->str);
  return NULL;
}

/* ---- one function ---------------------------------------------------------------------------- */

typedef struct {
  GHashTable *members;          /* LsRelaxVar */
  LsRelaxVar *var;
  gboolean    outside;          /* something else reads it */
} Readers;

static LsWalk
note_read (LsNode  *node,
           gpointer user_data)
{
  Readers *self = user_data;

  self->outside |= (gpointer) node == (gpointer) self->var;
  return LS_WALK_CONTINUE;
}

/* Fields of a member that only members read go with it: `x[0]` between two calls. */
static void
add_fields (LsSeqExpr  *seq,
            GHashTable *members)
{
  for (guint b = 0; b < seq->blocks->n; b++)
    {
      LsArray *bindings = ls_array_at (seq->blocks, b, LsBindingBlock)->bindings;

      for (guint i = 0; i < bindings->n; i++)
        {
          LsRelaxVar *var = ls_binding_var (bindings->items[i]);
          LsNode *value = ls_binding_value (bindings->items[i]);
          Readers readers = { members, var, FALSE };

          if (var == NULL || !ls_is (value, TUPLE_GET_ITEM) || !g_hash_table_contains (members, ((LsTupleGetItem *) value)->tuple))
            continue;
          for (guint c = 0; c < seq->blocks->n; c++)
            for (guint k = 0; k < ls_array_at (seq->blocks, c, LsBindingBlock)->bindings->n; k++)
              {
                LsNode *reader = ls_array_at (seq->blocks, c, LsBindingBlock)->bindings->items[k];

                if (!g_hash_table_contains (members, ls_binding_var (reader)))
                  ls_walk (ls_binding_value (reader), note_read, NULL, &readers);
              }
          ls_walk (seq->body, note_read, NULL, &readers);
          if (!readers.outside)
            g_hash_table_add (members, var);
        }
    }
}

/* The module with the selection as a function, whose name *made gets (transfer full); NULL with an error. (transfer full) */
static LsModule *
make_function (Selection *self,
               gboolean   lift_constants,
               char     **made,
               GError   **error)
{
  LsFunction *function = (LsFunction *) ls_module_get (self->module, self->func);
  g_autoptr (GHashTable) members = g_hash_table_new (NULL, NULL);
  g_autoptr (LsGrouping) grouping = ls_grouping_new ();
  g_autoptr (LsNode) name = LS_NODE (ls_string_new (self->func)), one = LS_NODE (ls_int_imm_new (LS_INT32, 1));
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (LsArray) entries = NULL;
  GHashTableIter iter;
  LsVarGroup *group;
  LsModule *after;
  gpointer var;

  for (guint i = 0; i < self->nodes->len; i++)
    g_hash_table_add (members, ls_binding_var (ls_graph_node (self->graph, g_array_index (self->nodes, guint, i))->node));
  add_fields ((LsSeqExpr *) function->body, members);
  group = ls_grouping_get (grouping, ls_binding_var (ls_graph_node (self->graph, g_array_index (self->nodes, guint, 0))->node));
  ls_var_group_set (group, "Primitive", one);
  g_hash_table_iter_init (&iter, members);
  while (g_hash_table_iter_next (&iter, &var, NULL))
    if (!ls_grouping_has (grouping, var))
      {
        ls_grouping_put (grouping, var, group);
        group->n++;
      }
  g_ptr_array_add (names, ls_node_ref (name));
  entries = ls_array_take_ptr_array (g_steal_pointer (&names));
  after = ls_grouping_apply (grouping, self->module, lift_constants, entries, error);
  for (guint i = 0; after != NULL && i < after->functions->n; i++)
    {
      const char *own = ls_array_at (after->global_vars, i, LsGlobalVar)->name_hint;

      if (ls_module_get (self->module, own) == NULL)
        *made = g_strdup (own);
    }
  if (after != NULL && *made == NULL)
    {
      ls_take (&after, NULL);
      g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_KIND, ls_translate ("Nobody reads what these calls make."));
    }
  return after;
}

LsModule *
ls_graph_edit_fuse (LsModule          *module,
                    const char        *func,
                    const char *const *names,
                    GError           **error)
{
  g_auto (Selection) selection = { module, func };
  g_autoptr (LsGraphEditCheck) check = look (&selection, names);
  g_autofree char *made = NULL;

  if (check->reasons->len == 0 && selection.nodes->len < 2)
    say (check, "%s", ls_translate ("One call alone has nothing to be put together with."));
  return check->reasons->len > 0 ? refuse (check, error) : make_function (&selection, TRUE, &made, error);
}

/* ---- another call ------------------------------------------------------------------------------ */

/* "(1, 8) float32" of a buffer. (transfer full) */
static char *
buffer_type (LsBuffer *buffer)
{
  GString *out = g_string_new ("(");

  for (guint i = 0; i < ls_array_n (buffer->shape); i++)
    {
      g_autofree char *dim = ls_graph_dim_text (buffer->shape->items[i]);

      g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", dim);
    }
  g_string_append_printf (out, "%s) %s", ls_array_n (buffer->shape) == 1 ? "," : "", ls_dtype_name (buffer->dtype));
  return g_string_free (out, FALSE);
}

/* What a parameter of the PrimFunc takes against what it would be given. */
static void
check_param (LsGraphEditCheck *check,
             const char       *by,
             LsPrimFunc       *prim,
             guint             number,
             const char       *what,
             LsNode           *info)
{
  LsBuffer *buffer = (LsBuffer *) prim->buffers->items[number];
  g_autofree char *given = ls_graph_type_text (info), *taken = buffer != NULL ? buffer_type (buffer) : g_strdup (ls_translate ("a number"));

  if (strcmp (given, taken) != 0)
    say (check, ls_translate ("Parameter %u of %s is %s; %s is %s."), number + 1, by, taken, what, given);
}

static guint
n_results (LsNode *info)
{
  return ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields->n : 1;
}

static void
check_prim_func (LsGraphEditCheck *check,
                 const char       *by,
                 LsPrimFunc       *prim,
                 LsFunction       *function)
{
  guint n_in = function->params->n, n_out = n_results (function->ret_struct_info);

  if (prim->params->n != n_in + n_out)
    {
      say (check, ls_translate ("%s has %u parameters; it would be given %u inputs and %u results."), by, prim->params->n, n_in, n_out);
      return;
    }
  for (guint i = 0; i < n_in; i++)
    check_param (check, by, prim, i, ls_array_at (function->params, i, LsRelaxVar)->name, ls_array_at (function->params, i, LsRelaxVar)->struct_info);
  for (guint i = 0; i < n_out; i++)
    check_param (check, by, prim, n_in + i, ls_translate ("the result"), ls_is (function->ret_struct_info, TUPLE_STRUCT_INFO)
                   ? ((LsTupleStructInfo *) function->ret_struct_info)->fields->items[i] : (LsNode *) function->ret_struct_info);
}

typedef struct {
  const char *made;
  const char *by;
  LsModule   *module;           /* with `by`, where it is a PrimFunc */
  LsNode     *info;             /* of the results */
} Swap;

static LsNode *
swap_call (LsRelaxMutator *mutator,
           LsRelaxCall    *call)
{
  Swap *self = mutator->user_data;
  LsGlobalVar *by = ls_module_get_global_var (self->module, self->by);
  GPtrArray *args, *outer, *infos;

  if (!ls_is (call->op, GLOBAL_VAR) || strcmp (((LsGlobalVar *) call->op)->name_hint, self->made) != 0)
    return ls_relax_mutator_default (mutator, call);
  args = g_ptr_array_new ();
  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, ls_relax_mutator_visit (mutator, call->args->items[i]));
  outer = g_ptr_array_new ();
  g_ptr_array_add (outer, by != NULL ? ls_node_ref (LS_NODE (by)) : ls_extern_func_new (self->by));
  g_ptr_array_add (outer, ls_relax_tuple_new (ls_array_take_ptr_array (args)));
  infos = g_ptr_array_new ();
  g_ptr_array_add (infos, ls_node_ref (self->info));
  return ls_relax_call_new (ls_relax_op_new (by != NULL ? "relax.call_tir" : "relax.call_dps_packed"), ls_array_take_ptr_array (outer), NULL, NULL,
                            ls_array_take_ptr_array (infos));
}

/* The module with the one PrimFunc of a text under this name; NULL with an error. (transfer full) */
static LsModule *
with_source (LsModule   *module,
             const char *by,
             const char *source,
             GError    **error)
{
  g_autoptr (LsSource) text = ls_source_new (by, source, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) own = ls_script_parse (text, findings);
  LsNode *found = NULL;

  for (guint i = 0; own != NULL && i < own->functions->n; i++)
    if (ls_is (own->functions->items[i], PRIM_FUNC) && (found == NULL || strcmp (ls_array_at (own->global_vars, i, LsGlobalVar)->name_hint, by) == 0))
      found = own->functions->items[i];
  if (own == NULL)
    {
      g_autofree char *words = ls_diagnostics_print (findings);

      g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_KIND, g_strstrip (words));
    }
  else if (found == NULL)
    g_set_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_KIND, ls_translate ("There is no PrimFunc in the text of %s."), by);
  else if (ls_module_get (module, by) != NULL)
    {
      found = NULL;
      g_set_error (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_KIND, ls_translate ("The module has a function called %s already; give it another name."), by);
    }
  if (found == NULL)
    return NULL;
  {
    g_autoptr (LsNode) name = LS_NODE (ls_string_new (by));
    g_autoptr (LsPrimFunc) prim = ls_prim_func_with_attr ((LsPrimFunc *) found, "global_symbol", name);

    return ls_module_with (module, by, prim);
  }
}

/* The fused function out of the module, what is put for it in. */
static LsModule *
swap_function (LsModule   *fused,
               const char *func,
               const char *made,
               const char *by,
               GError    **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = swap_call };
  LsFunction *function = (LsFunction *) ls_module_get (fused, made);
  Swap swap = { made, by, fused, (LsNode *) function->ret_struct_info };
  g_autoptr (LsModule) after = ls_relax_mutate_module (fused, &funcs, &swap, error);

  return after != NULL ? ls_module_without (after, made) : NULL;
}

LsModule *
ls_graph_edit_replace (LsModule          *module,
                       const char        *func,
                       const char *const *names,
                       const char        *by,
                       const char        *source,
                       GError           **error)
{
  g_autoptr (LsModule) whole = source != NULL ? with_source (module, by, source, error) : ls_ref (module);
  g_auto (Selection) selection = { whole, func };
  g_autoptr (LsGraphEditCheck) check = NULL;
  g_autoptr (LsModule) fused = NULL;
  g_autofree char *made = NULL;
  LsNode *target = whole != NULL ? ls_module_get (whole, by) : NULL;

  if (whole == NULL)
    return NULL;
  check = look (&selection, names);
  if (target != NULL && !ls_is (target, PRIM_FUNC))
    say (check, ls_translate ("%s is a function of Relax; a PrimFunc or a function of the running program is expected."), by);
  if (check->reasons->len > 0)
    return refuse (check, error);
  fused = make_function (&selection, TRUE, &made, error);
  if (fused == NULL)
    return NULL;
  if (target != NULL)
    check_prim_func (check, by, (LsPrimFunc *) target, (LsFunction *) ls_module_get (fused, made));
  if (check->reasons->len > 0)
    return refuse (check, error);
  return swap_function (fused, func, made, by, error);
}

char *
ls_graph_edit_doubt (LsModule   *module,
                     const char *by)
{
  g_autofree char *nearest = NULL;

  if (ls_module_get (module, by) != NULL || ls_registry_has (by))
    return NULL;
  nearest = ls_registry_nearest (by);
  if (nearest != NULL)
    return g_strdup_printf (ls_translate ("Nobody knows %s here: it is no PrimFunc of the module and no function of the running program, which has %s. The call can be put there, but not run."),
                            by, nearest);
  return g_strdup_printf (ls_translate ("Nobody knows %s here: it is no PrimFunc of the module and no function of the running program. The call can be put there, but not run."), by);
}

/* ---- a module of their own ------------------------------------------------------------------------ */

static LsWalk
note_global (LsNode  *node,
             gpointer user_data)
{
  if (ls_is (node, GLOBAL_VAR))
    g_hash_table_add (user_data, ((LsGlobalVar *) node)->name_hint);
  return LS_WALK_CONTINUE;
}

/* Names of functions that one needs, and that these need. (transfer container) */
static GHashTable *
needed_by (LsModule   *module,
           LsNode     *function)
{
  GHashTable *names = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;

  ls_walk (function, note_global, NULL, names);
  while (n < g_hash_table_size (names))
    {
      g_autoptr (GList) all = g_hash_table_get_keys (names);

      n = g_hash_table_size (names);
      for (GList *l = all; l != NULL; l = l->next)
        if (ls_module_get (module, l->data) != NULL)
          ls_walk (ls_module_get (module, l->data), note_global, NULL, names);
    }
  return names;
}

LsModule *
ls_graph_edit_extract (LsModule          *module,
                       const char        *func,
                       const char *const *names,
                       GError           **error)
{
  g_auto (Selection) selection = { module, func };
  g_autoptr (LsGraphEditCheck) check = look (&selection, names);
  g_autoptr (LsModule) fused = NULL, rest = NULL;
  g_autoptr (GHashTable) needed = NULL;
  g_autoptr (LsFunction) plain = NULL;
  g_autofree char *made = NULL;
  LsFunction *function;

  if (check->reasons->len > 0)
    return refuse (check, error);
  fused = make_function (&selection, FALSE, &made, error);
  if (fused == NULL)
    return NULL;
  function = (LsFunction *) ls_module_get (fused, made);
  plain = ls_function_new (ls_ref (function->params), ls_node_ref (function->body), ls_node_ref (LS_NODE (function->ret_struct_info)), ls_map_empty (), function->is_pure);
  needed = needed_by (fused, LS_NODE (plain));
  rest = ls_ref (fused);
  for (guint i = 0; i < fused->functions->n; i++)
    {
      const char *own = ls_array_at (fused->global_vars, i, LsGlobalVar)->name_hint;

      if (!g_hash_table_contains (needed, own))
        ls_take (&rest, ls_module_without (rest, own));
    }
  return ls_module_with (rest, "main", plain);
}
