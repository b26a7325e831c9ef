/* cuda-graph-plan: see the header. */
#include "engine/relax/pass/cuda-graph-plan.h"

#include "engine/relax/analysis.h"
#include "engine/relax/pass/params.h"

#include <string.h>

typedef struct {
  LsModule      *module;
  GPtrArray     *regions;       /* of LsGraphRegion, owned */
  GHashTable    *fixed;         /* LsRelaxVar: the same from call to call */
  GHashTable    *home;          /* LsRelaxVar -> LsGraphRegion that binds it */
  GHashTable    *symbols;       /* LsVar that may go into a region */
  LsNode        *hints;         /* names of such variables: an Array of String, or NULL */
  GHashTable    *returned;      /* storages behind what the function returns */
  LsGraphRegion *alloc;         /* of the block */
  LsGraphRegion *capture;       /* the open one, or NULL */
} Plan;

static void
region_free (gpointer data)
{
  LsGraphRegion *self = data;

  g_ptr_array_unref (self->bindings);
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_ptr_array_unref (self->symbols);
  g_free (self);
}

static LsGraphRegion *
region_new (gboolean is_alloc)
{
  LsGraphRegion *self = g_new0 (LsGraphRegion, 1);

  *self = (LsGraphRegion) { is_alloc, g_ptr_array_new (), g_ptr_array_new (), g_ptr_array_new (), g_ptr_array_new () };
  return self;
}

static void
add_once (GPtrArray *list,
          gpointer   item)
{
  if (!g_ptr_array_find (list, item, NULL))
    g_ptr_array_add (list, item);
}

/* ---- what stays the same -------------------------------------------------------------- */

typedef struct {
  Plan      *plan;
  GPtrArray *vars;              /* of Relax that were met */
  GPtrArray *symbols;
  gboolean   fixed;
} Look;

static gboolean
is_hinted (Plan  *self,
           LsVar *symbol)
{
  LsArray *names = (LsArray *) self->hints;

  for (guint i = 0; ls_is (names, ARRAY) && i < names->n; i++)
    if (ls_is (names->items[i], STRING) && g_str_equal (((LsString *) names->items[i])->value, symbol->name))
      return TRUE;
  return g_hash_table_contains (self->symbols, symbol);
}

static LsWalk
look_at (LsNode  *node,
         gpointer user_data)
{
  Look *self = user_data;

  if (ls_is_var (node))
    {
      self->fixed = self->fixed && is_hinted (self->plan, (LsVar *) node);
      add_once (self->symbols, node);
      return LS_WALK_PRUNE;
    }
  if (ls_is_relax_var (node))
    {
      add_once (self->vars, node);
      self->fixed = self->fixed && g_hash_table_contains (self->plan->fixed, node);
      ls_walk (((LsRelaxVar *) node)->struct_info, look_at, NULL, self);
      return LS_WALK_PRUNE;
    }
  if (ls_is (node, RELAX_CALL) || ls_is (node, FUNCTION))
    self->fixed = FALSE;
  return LS_WALK_CONTINUE;
}

static gboolean
look_over (Plan   *self,
           Look   *look,
           LsNode *expr)
{
  *look = (Look) { self, g_ptr_array_new (), g_ptr_array_new (), TRUE };
  ls_walk (expr, look_at, NULL, look);
  return look->fixed;
}

static void
look_clear (Look *look)
{
  g_ptr_array_unref (look->vars);
  g_ptr_array_unref (look->symbols);
}

/* ---- regions ------------------------------------------------------------------------------ */

static void
end_capture (Plan *self)
{
  LsGraphRegion *region = g_steal_pointer (&self->capture);

  if (region != NULL)
    g_ptr_array_add (self->regions, region);
}

static void
add_fixed (Plan          *self,
           LsGraphRegion *region,
           LsNode        *binding)
{
  LsRelaxVar *var = ls_binding_var (binding);

  g_hash_table_add (self->fixed, var);
  if (region == NULL)
    return;
  g_ptr_array_add (region->bindings, binding);
  g_hash_table_insert (self->home, var, region);
}

static void
mark_inputs (Plan *self,
             Look *look)
{
  for (guint i = 0; self->capture != NULL && i < look->vars->len; i++)
    if (g_hash_table_lookup (self->home, look->vars->pdata[i]) != self->capture)
      add_once (self->capture->inputs, look->vars->pdata[i]);
  for (guint i = 0; self->capture != NULL && i < look->symbols->len; i++)
    add_once (self->capture->symbols, look->symbols->pdata[i]);
}

static void
mark_outputs (Plan *self,
              Look *look)
{
  for (guint i = 0; i < look->vars->len; i++)
    {
      LsGraphRegion *region = g_hash_table_lookup (self->home, look->vars->pdata[i]);

      if (region != NULL && region != self->capture)
        add_once (region->outputs, look->vars->pdata[i]);
    }
}

/* Does the call start something on the device? */
static gboolean
is_launch (Plan        *self,
           LsRelaxCall *call)
{
  if (ls_is (call->op, GLOBAL_VAR))
    return ls_is (ls_module_get (self->module, ((LsGlobalVar *) call->op)->name_hint), PRIM_FUNC);
  if (ls_is (call->op, EXTERN_FUNC))
    return !g_str_has_prefix (((LsExternFunc *) call->op)->global_symbol, "vm.builtin.");
  if (ls_is (call->op, RELAX_OP))
    {
      const char *name = ((LsRelaxOp *) call->op)->name;

      return !g_str_has_prefix (name, "relax.memory") && !g_str_has_prefix (name, "relax.builtin") &&
             !g_str_equal (name, "relax.reshape") && !g_str_equal (name, "relax.null_value");
    }
  return FALSE;
}

static void
plan_alloc (Plan        *self,
            LsNode      *binding,
            LsRelaxCall *call)
{
  LsShapeExpr *shape = ls_array_at (call->args, 0, LsShapeExpr);
  gint64 extent;

  if (!ls_is (shape, SHAPE_EXPR) || g_hash_table_contains (self->returned, ls_binding_var (binding)))
    return;
  for (guint i = 0; i < shape->values->n; i++)
    if (!ls_as_int (shape->values->items[i], &extent))
      return;
  add_fixed (self, self->alloc, binding);
}

static void
plan_value (Plan   *self,
            LsNode *binding,
            LsNode *value)
{
  gboolean call = ls_is (value, RELAX_CALL), fixed;
  Look look;

  if (ls_is_relax_call (value, "relax.memory.alloc_storage"))
    {
      plan_alloc (self, binding, (LsRelaxCall *) value);
      return;
    }
  if (ls_is_relax_call (value, "relax.builtin.alloc_tensor"))
    return;
  fixed = look_over (self, &look, call ? LS_NODE (((LsRelaxCall *) value)->args) : value);
  if (fixed && call && self->capture == NULL && is_launch (self, (LsRelaxCall *) value))
    self->capture = region_new (FALSE);
  if (fixed)
    {
      add_fixed (self, self->capture, binding);
      mark_inputs (self, &look);
    }
  else
    end_capture (self);
  mark_outputs (self, &look);
  look_clear (&look);
}

/* ---- functions -------------------------------------------------------------------------------- */

static void plan_body (Plan *self, LsNode *body);

static void
plan_binding (Plan   *self,
              LsNode *binding)
{
  LsNode *value = ls_binding_value (binding);
  Look look;

  if (ls_is (binding, VAR_BINDING) && (ls_is (value, RELAX_CALL) || ls_is_relax_leaf (value) || ls_is (value, TUPLE_GET_ITEM)
                                       || ls_is (value, RELAX_TUPLE)))
    {
      plan_value (self, binding, value);
      return;
    }
  end_capture (self);
  if (ls_is (value, RELAX_IF))
    {
      look_over (self, &look, ((LsRelaxIf *) value)->cond);
      mark_outputs (self, &look);
      look_clear (&look);
      plan_body (self, ((LsRelaxIf *) value)->true_branch);
      plan_body (self, ((LsRelaxIf *) value)->false_branch);
      return;
    }
  look_over (self, &look, value);
  mark_outputs (self, &look);
  look_clear (&look);
}

static void
plan_block (Plan           *self,
            LsBindingBlock *block)
{
  LsGraphRegion *alloc = self->alloc, *capture = g_steal_pointer (&self->capture);

  self->alloc = region_new (TRUE);
  for (guint i = 0; i < block->bindings->n; i++)
    plan_binding (self, block->bindings->items[i]);
  end_capture (self);
  g_ptr_array_add (self->regions, self->alloc);
  self->alloc = alloc;
  self->capture = capture;
}

static void
plan_body (Plan   *self,
           LsNode *body)
{
  LsSeqExpr *sequence = (LsSeqExpr *) body;
  Look look;

  for (guint i = 0; ls_is (body, SEQ_EXPR) && i < sequence->blocks->n; i++)
    plan_block (self, ls_array_at (sequence->blocks, i, LsBindingBlock));
  look_over (self, &look, ls_is (body, SEQ_EXPR) ? sequence->body : body);
  mark_outputs (self, &look);
  look_clear (&look);
}

/* Storages that the result of the function stands in belong to whoever calls it. */
static void
find_returned (Plan      *self,
               LsSeqExpr *body)
{
  g_autoptr (GHashTable) results = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) last = ls_relax_free_vars (body->body);

  for (guint i = 0; i < last->len; i++)
    g_hash_table_add (results, last->pdata[i]);
  for (guint i = body->blocks->n; i-- > 0;)
    {
      LsArray *bindings = ls_array_at (body->blocks, i, LsBindingBlock)->bindings;

      for (guint k = bindings->n; k-- > 0;)
        {
          LsNode *value = ls_binding_value (bindings->items[k]);
          g_autoptr (GPtrArray) used = NULL;

          if (!g_hash_table_contains (results, ls_binding_var (bindings->items[k])))
            continue;
          if (ls_is_relax_call (value, "relax.memory.alloc_tensor"))
            g_hash_table_add (self->returned, ((LsRelaxCall *) value)->args->items[0]);
          used = ls_relax_free_vars (value);
          for (guint v = 0; !ls_is (value, RELAX_CALL) && v < used->len; v++)
            g_hash_table_add (results, used->pdata[v]);
        }
    }
}

static void
plan_function (Plan       *self,
               LsFunction *func)
{
  gint64 first = ls_relax_num_input (func, func->params->n);

  g_hash_table_remove_all (self->symbols);
  g_hash_table_remove_all (self->returned);
  self->hints = ls_map_get (func->attrs, "relax.rewrite_cuda_graph.capture_symbolic_vars");
  for (gint64 i = first; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar);
      g_autoptr (GPtrArray) decided = ls_relax_definable_symbols (param->struct_info);

      g_hash_table_add (self->fixed, param);
      for (guint k = 0; k < decided->len; k++)
        g_hash_table_add (self->symbols, decided->pdata[k]);
    }
  if (ls_is (func->body, SEQ_EXPR))
    find_returned (self, (LsSeqExpr *) func->body);
  plan_body (self, func->body);
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp ((*(LsGlobalVar *const *) a)->name_hint, (*(LsGlobalVar *const *) b)->name_hint);
}

GPtrArray *
ls_graph_regions_plan (LsModule *module)
{
  Plan plan = { module, g_ptr_array_new_with_free_func (region_free), g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL),
                g_hash_table_new (NULL, NULL), NULL, g_hash_table_new (NULL, NULL), NULL, NULL };
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      g_ptr_array_add (order, module->global_vars->items[i]);
  g_ptr_array_sort (order, by_name);
  for (guint i = 0; i < order->len; i++)
    plan_function (&plan, (LsFunction *) ls_module_get (module, ((LsGlobalVar *) order->pdata[i])->name_hint));
  g_hash_table_unref (plan.fixed);
  g_hash_table_unref (plan.home);
  g_hash_table_unref (plan.symbols);
  g_hash_table_unref (plan.returned);
  return plan.regions;
}
