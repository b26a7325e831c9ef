/* RewriteCUDAGraph: what is the same at every call becomes functions that a graph of the device is recorded from.
 *
 * cuda-graph-plan.c says which bindings go.  The storages of all functions become one function, cuda_graph_alloc, that
 * makes enough for each: within a scope the largest of one function stands for the largest of the others, and so on,
 * for no two functions run at the same time.  Each run of launches becomes NAME_cuda_graph_capture, called by
 * vm.builtin.cuda_graph.run_or_capture with a number of its own.  Source: TVM's RewriteCUDAGraph. */
#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/cuda-graph-plan.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsGraphRegion *region;
  LsRelaxVar    *tuple;         /* the result of the call, kept; NULL before it */
} Launch;

typedef struct {
  GHashTable  *launches;        /* first binding -> Launch, owned */
  GHashTable  *moved;           /* bindings that are in regions */
  GHashTable  *home;            /* output -> Launch; taken out when it is bound again */
  GHashTable  *index;           /* output -> its place in the tuple, + 1 */
  LsGlobalVar *alloc;           /* cuda_graph_alloc, kept */
  LsStructInfo *alloc_info;     /* what it gives, kept */
  const char  *caller;
  guint        n_captures;
} Rewrite;

static void
launch_free (gpointer data)
{
  Launch *self = data;

  ls_unref (self->tuple);
  g_free (self);
}

/* A function of bindings that gives a tuple; `info` gets its struct info in terms of the caller. (transfer full) */
static LsFunction *
lift (GPtrArray     *params,
      GPtrArray     *bindings,
      GPtrArray     *outputs,
      LsStructInfo **info)
{
  g_autoptr (GPtrArray) body = g_ptr_array_new (), fields = g_ptr_array_new (), taken = g_ptr_array_new ();
  g_autoptr (LsFunction) func = NULL;
  g_autoptr (LsNode) yes = LS_NODE (ls_bool (TRUE));
  g_autoptr (LsMap) none = ls_map_empty ();
  LsRelaxVar *result;
  LsNode *tuple;

  for (guint i = 0; i < outputs->len; i++)
    g_ptr_array_add (fields, ls_node_ref (outputs->pdata[i]));
  tuple = ls_relax_tuple_new (ls_array_take_ptr_array (g_steal_pointer (&fields)));
  *info = ls_relax_struct_info (tuple);
  result = ls_relax_var_new ("gv", ls_ref (*info));
  for (guint i = 0; i < bindings->len; i++)
    g_ptr_array_add (body, ls_node_ref (bindings->pdata[i]));
  g_ptr_array_add (body, ls_var_binding_new (ls_ref (result), tuple));
  for (guint i = 0; i < params->len; i++)
    g_ptr_array_add (taken, ls_node_ref (params->pdata[i]));
  func = ls_function_new (ls_array_take_ptr_array (g_steal_pointer (&taken)),
                          ls_seq_expr_new (ls_array_of (ls_binding_block_new (ls_array_take_ptr_array (g_steal_pointer (&body))), NULL), LS_NODE (result)),
                          ls_ref (*info), ls_map_set (none, "relax.force_pure", yes), TRUE);
  return ls_relax_copy_function (func);
}

/* ---- one function that allocates for all ------------------------------------------------ */

typedef struct {
  gint64   size;
  LsNode  *binding;
} Record;

static int
by_size (gconstpointer a,
         gconstpointer b)
{
  const Record *x = a, *y = b;

  return x->size < y->size ? 1 : x->size > y->size ? -1 : 0;
}

static const char *
scope_of (LsNode *binding)
{
  LsRelaxCall *call = (LsRelaxCall *) ls_binding_value (binding);
  LsNode *scope = call->args->n > 2 ? call->args->items[2] : NULL;

  return ls_is (scope, RELAX_STRING) ? ((LsRelaxString *) scope)->value : "global";
}

/* The storages of a region in a scope, large ones first. (transfer full), of Record */
static GArray *
records_of (LsGraphRegion *region,
            const char    *scope)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (Record));

  for (guint i = 0; i < region->bindings->len; i++)
    {
      LsNode *binding = region->bindings->pdata[i];
      LsShapeExpr *shape = (LsShapeExpr *) ((LsRelaxCall *) ls_binding_value (binding))->args->items[0];
      Record record = { 1, binding };

      for (guint k = 0; k < shape->values->n; k++)
        {
          gint64 extent = 1;

          ls_as_int (shape->values->items[k], &extent);
          record.size *= extent;
        }
      if (g_str_equal (scope_of (binding), scope))
        g_array_append_val (out, record);
    }
  g_array_sort (out, by_size);
  return out;
}

static void
merge_scope (Rewrite    *self,
             GPtrArray  *regions,
             const char *scope,
             GPtrArray  *bindings,
             GPtrArray  *outputs)
{
  g_autoptr (GPtrArray) records = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  gboolean more = TRUE;

  for (guint i = 0; i < regions->len; i++)
    g_ptr_array_add (records, records_of (regions->pdata[i], scope));
  for (guint place = 0; more; place++)
    {
      const Record *largest = NULL;

      for (guint i = 0; i < records->len; i++)
        {
          GArray *list = records->pdata[i];
          const Record *one = place < list->len ? &g_array_index (list, Record, place) : NULL;

          if (one == NULL)
            continue;
          g_hash_table_insert (self->index, ls_binding_var (one->binding), GUINT_TO_POINTER (outputs->len + 1));
          if (largest == NULL || one->size > largest->size)
            largest = one;
        }
      more = largest != NULL;
      if (more)
        {
          g_ptr_array_add (bindings, largest->binding);
          g_ptr_array_add (outputs, ls_binding_var (largest->binding));
        }
    }
}

static int
by_text (gconstpointer a,
         gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static LsFunction *
merge_allocations (Rewrite   *self,
                   GPtrArray *regions)
{
  g_autoptr (GPtrArray) scopes = g_ptr_array_new (), bindings = g_ptr_array_new (), outputs = g_ptr_array_new (), params = g_ptr_array_new ();

  for (guint i = 0; i < regions->len; i++)
    for (guint k = 0; k < ((LsGraphRegion *) regions->pdata[i])->bindings->len; k++)
      {
        const char *scope = scope_of (((LsGraphRegion *) regions->pdata[i])->bindings->pdata[k]);

        if (!g_ptr_array_find_with_equal_func (scopes, scope, g_str_equal, NULL))
          g_ptr_array_add (scopes, (gpointer) scope);
      }
  g_ptr_array_sort (scopes, by_text);
  for (guint i = 0; i < scopes->len; i++)
    merge_scope (self, regions, scopes->pdata[i], bindings, outputs);
  return lift (params, bindings, outputs, &self->alloc_info);
}

/* ---- calls ---------------------------------------------------------------------------------- */

static LsNode *
number (gint64 value)
{
  return ls_prim_value_new (ls_int_imm_new (LS_INT64, value));
}

static LsNode *
call_builtin (const char   *name,
              LsArray      *fields,
              LsStructInfo *info)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.call_builtin_with_ctx"),
                            ls_array_of (ls_extern_func_new (name), ls_relax_tuple_new (fields), NULL), NULL, NULL, ls_array_of (ls_ref (info), NULL));
}

static LsNode *
symbols_shape (GPtrArray *symbols)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new ();

  for (guint i = 0; i < symbols->len; i++)
    g_ptr_array_add (values, ls_node_ref (symbols->pdata[i]));
  return ls_shape_expr_new (ls_array_take_ptr_array (g_steal_pointer (&values)));
}

static LsNode *
call_capture (LsRelaxMutator *self,
              LsGraphRegion  *region)
{
  Rewrite *state = self->user_data;
  g_autofree char *name = g_strconcat (state->caller, "_cuda_graph_capture", NULL);
  g_autoptr (GPtrArray) params = g_ptr_array_new (), args = g_ptr_array_new (), fields = g_ptr_array_new ();
  g_autoptr (LsNode) shape = region->symbols->len > 0 ? symbols_shape (region->symbols) : NULL;
  g_autoptr (LsNode) shape_param = NULL;
  g_autoptr (LsFunction) func = NULL;
  g_autoptr (LsNode) info = NULL;

  for (guint i = 0; i < region->inputs->len; i++)
    {
      g_ptr_array_add (params, region->inputs->pdata[i]);
      g_ptr_array_add (args, ls_relax_mutator_visit (self, region->inputs->pdata[i]));
    }
  if (shape != NULL)
    {
      shape_param = LS_NODE (ls_relax_var_new ("shape_expr", ls_relax_struct_info (shape)));
      g_ptr_array_add (params, shape_param);
      g_ptr_array_add (args, ls_node_ref (shape));
    }
  func = lift (params, region->bindings, region->outputs, &info);
  g_ptr_array_add (fields, ls_node_ref (LS_NODE (ls_block_builder_add_func (self->builder, func, name))));
  g_ptr_array_add (fields, ls_relax_tuple_new (ls_array_take_ptr_array (g_steal_pointer (&args))));
  g_ptr_array_add (fields, number (state->n_captures++));
  if (shape != NULL)
    g_ptr_array_add (fields, ls_node_ref (shape));
  return call_builtin ("vm.builtin.cuda_graph.run_or_capture", ls_array_take_ptr_array (g_steal_pointer (&fields)), info);
}

static void
emit_launch (LsRelaxMutator *self,
             Launch         *launch)
{
  Rewrite *state = self->user_data;
  LsNode *call = launch->region->is_alloc ? call_builtin ("vm.builtin.cuda_graph.get_cached_alloc", ls_array_of (ls_ref (state->alloc), number (0), NULL),
                                                          state->alloc_info)
                 : call_capture (self, launch->region);

  launch->tuple = ls_ref (ls_block_builder_emit_take (self->builder, call, NULL));
}

/* A variable that a region gives is bound where it stood, or where it is needed first. */
static void
bind_output (LsRelaxMutator *self,
             LsRelaxVar     *var)
{
  Rewrite *state = self->user_data;
  Launch *launch = g_hash_table_lookup (state->home, var);
  g_autoptr (LsNode) item = NULL;

  if (launch == NULL || launch->tuple == NULL)
    return;
  g_hash_table_remove (state->home, var);
  item = ls_tuple_get_item_new (LS_NODE (ls_ref (launch->tuple)), GPOINTER_TO_UINT (g_hash_table_lookup (state->index, var)) - 1);
  ls_block_builder_emit_to (self->builder, var, item);
}

static void
visit_binding (LsRelaxMutator *self,
               LsNode         *binding)
{
  Rewrite *state = self->user_data;
  Launch *launch = g_hash_table_lookup (state->launches, binding);

  if (launch != NULL)
    emit_launch (self, launch);
  if (g_hash_table_contains (state->moved, binding))
    bind_output (self, ls_binding_var (binding));
  else
    ls_relax_mutator_default_binding (self, binding);
}

static LsNode *
visit_var (LsRelaxMutator *self,
           LsRelaxVar     *var)
{
  bind_output (self, var);
  return ls_relax_mutator_default (self, var);
}

/* ---- the module --------------------------------------------------------------------------------- */

static void
note_regions (Rewrite   *self,
              GPtrArray *regions,
              GPtrArray *allocs)
{
  for (guint i = 0; i < regions->len; i++)
    {
      LsGraphRegion *region = regions->pdata[i];
      Launch *launch;

      if (region->bindings->len == 0)
        continue;
      launch = g_new0 (Launch, 1);
      launch->region = region;
      g_hash_table_insert (self->launches, region->bindings->pdata[0], launch);
      if (region->is_alloc)
        g_ptr_array_add (allocs, region);
      for (guint k = 0; k < region->bindings->len; k++)
        g_hash_table_add (self->moved, region->bindings->pdata[k]);
      for (guint k = 0; k < region->outputs->len; k++)
        {
          g_hash_table_insert (self->home, region->outputs->pdata[k], launch);
          g_hash_table_insert (self->index, region->outputs->pdata[k], GUINT_TO_POINTER (k + 1));
        }
    }
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return g_strcmp0 ((*(LsGlobalVar *const *) a)->name_hint, (*(LsGlobalVar *const *) b)->name_hint);
}

static void
rewrite_functions (LsRelaxMutator *self,
                   LsModule       *module)
{
  Rewrite *state = self->user_data;
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      g_ptr_array_add (order, module->global_vars->items[i]);
  g_ptr_array_sort (order, by_name);
  for (guint i = 0; i < order->len; i++)
    {
      LsGlobalVar *var = order->pdata[i];
      g_autoptr (LsNode) fresh = NULL;

      state->caller = var->name_hint;
      fresh = ls_relax_mutator_visit (self, ls_module_get (module, var->name_hint));
      ls_block_builder_update_func (self->builder, var, fresh);
    }
}

LsModule *
ls_relax_pass_rewrite_cuda_graph (LsModule  *module,
                                  LsMap     *args,
                                  GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .binding = visit_binding, .var = visit_var };
  g_autoptr (GPtrArray) regions = ls_graph_regions_plan (module), allocs = g_ptr_array_new ();
  Rewrite state = { g_hash_table_new_full (NULL, NULL, NULL, launch_free), g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL),
                    g_hash_table_new (NULL, NULL), NULL, NULL, NULL, 0 };
  g_auto (LsRelaxMutator) mutator = { NULL };
  LsModule *result;

  ls_relax_mutator_init (&mutator, &funcs, module, &state);
  note_regions (&state, regions, allocs);
  if (allocs->len > 0)
    {
      g_autoptr (LsFunction) func = merge_allocations (&state, allocs);

      state.alloc = ls_ref (ls_block_builder_add_func (mutator.builder, func, "cuda_graph_alloc"));
    }
  rewrite_functions (&mutator, module);
  result = ls_relax_mutator_finish (&mutator, error);
  g_hash_table_unref (state.launches);
  g_hash_table_unref (state.moved);
  g_hash_table_unref (state.home);
  g_hash_table_unref (state.index);
  ls_unref (state.alloc);
  ls_unref (state.alloc_info);
  return result;
}
