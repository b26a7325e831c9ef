/* ConvertLayout: convolutions in the layouts that are asked for, the axes of what comes behind them follow.
 *
 * In each dataflow block one walk forward: a call is given its arguments in the layouts that infer-layout.h chooses by those
 * that they have (R.permute_dims, or R.layout_transform where an axis is split, is emitted where they differ), and its
 * result keeps the layout that comes out.  What leaves the block, and what operators without a rule take, is as it was. */
#include "engine/relax/analysis.h"
#include "engine/relax/infer-layout.h"
#include "engine/relax/mutator.h"
#include "engine/relax/op/layout.h"
#include "engine/relax/pass/pass.h"

typedef struct {
  LsRelaxMutator *mutator;
  LsMap          *desired;
  GHashTable     *layouts;      /* variable -> its layout, owned */
} Convert;

static void
note_layout (Convert    *self,
             LsRelaxVar *var,
             LsNode     *layout)        /* taken */
{
  g_hash_table_insert (self->layouts, var, layout);
}

/* (transfer full) */
static LsNode *
initial_of (Convert *self,
            LsNode  *expr)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->mutator->builder, expr);

  return ls_layout_initial (info);
}

/* The layout that an expression has now. (transfer full) */
static LsNode *
layout_of (Convert *self,
           LsNode  *expr)
{
  LsNode *known = ls_is_relax_var (expr) ? g_hash_table_lookup (self->layouts, expr) : NULL;
  GPtrArray *out;

  if (!ls_is (expr, RELAX_TUPLE))
    return known != NULL ? ls_node_ref (known) : initial_of (self, expr);
  out = g_ptr_array_new ();
  for (guint i = 0; i < ((LsRelaxTuple *) expr)->fields->n; i++)
    g_ptr_array_add (out, layout_of (self, ((LsRelaxTuple *) expr)->fields->items[i]));
  return LS_NODE (ls_array_take_ptr_array (out));
}

/* ---- from one layout to another --------------------------------------------------------- */

static LsNode *
permuted (LsNode     *expr,
          const char *from,
          const char *to)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.permute_dims"), ls_array_of (ls_node_ref (expr), NULL), ls_array_of (ls_string_new ("axes"), NULL),
                            ls_array_of (ls_layout_permutation (from, to), NULL), NULL);
}

static LsNode *
transformed (LsNode     *expr,
             const char *from,
             const char *to)
{
  LsNode *attrs[] = { ls_layout_index_map (from, to), NULL, LS_NODE (ls_array_empty ()), LS_NODE (ls_array_empty ()) };

  return ls_relax_call_new (ls_relax_op_new ("relax.layout_transform"), ls_array_of (ls_node_ref (expr), NULL),
                            ls_array_of (ls_string_new ("index_map"), ls_string_new ("pad_value"), ls_string_new ("axis_separators"),
                                         ls_string_new ("input_axis_separators"), NULL), ls_array_new (attrs, 4), NULL);
}

static LsNode *
rewrite_leaf (LsNode *expr,
              LsNode *from,
              LsNode *to)
{
  const char *a, *b;

  if (!ls_is (from, STRING) || !ls_is (to, STRING) || ls_layout_equal (from, to))
    return ls_node_ref (expr);
  a = ((LsString *) from)->value;
  b = ((LsString *) to)->value;
  if (a[0] == '\0' || g_str_equal (a, LS_LAYOUT_UNKNOWN) || g_str_equal (b, LS_LAYOUT_UNKNOWN))
    return ls_node_ref (expr);
  return ls_layout_ndim (a) == ls_layout_ndim (b) ? permuted (expr, a, b) : transformed (expr, a, b);
}

/* The expression, whose layout is `from`, in the layout `to`. (transfer full) */
static LsNode *
rewrite (LsNode *expr,
         LsNode *from,
         LsNode *to)
{
  g_autoptr (LsArray) list = NULL;
  gboolean changed = FALSE;
  GPtrArray *out;

  if (ls_is (from, STRING) || ls_is (to, STRING))
    return rewrite_leaf (expr, from, to);
  out = g_ptr_array_new ();
  for (guint i = 0; i < ((LsArray *) from)->n; i++)
    {
      g_autoptr (LsNode) field = ls_is (expr, RELAX_TUPLE) ? ls_node_ref (((LsRelaxTuple *) expr)->fields->items[i])
                                 : ls_tuple_get_item_new (ls_node_ref (expr), i);

      g_ptr_array_add (out, rewrite (field, ((LsArray *) from)->items[i], ((LsArray *) to)->items[i]));
      changed = changed || out->pdata[i] != field;
    }
  list = ls_array_take_ptr_array (out);
  return changed ? ls_relax_tuple_new (ls_ref (list)) : ls_node_ref (expr);
}

static LsNode *
in_layout (Convert *self,
           LsNode  *expr,
           LsNode  *to)
{
  g_autoptr (LsNode) from = layout_of (self, expr);
  g_autoptr (LsNode) now = ls_relax_mutator_current (self->mutator, expr);

  return rewrite (now, from, to);
}

/* ---- bindings -------------------------------------------------------------------------------- */

static LsNode *
call_with (LsRelaxCall *call,
           GPtrArray   *args,           /* taken */
           LsArray     *attrs)
{
  return ls_relax_call_new (ls_node_ref (call->op), ls_array_take_ptr_array (args), ls_ref (call->attr_names), ls_ref (attrs), ls_ref (call->sinfo_args));
}

static LsNode *
call_as_it_was (Convert     *self,
                LsRelaxCall *call)
{
  GPtrArray *args = g_ptr_array_new ();

  for (guint i = 0; i < call->args->n; i++)
    {
      g_autoptr (LsNode) to = initial_of (self, call->args->items[i]);

      g_ptr_array_add (args, in_layout (self, call->args->items[i], to));
    }
  return call_with (call, args, call->attrs);
}

static LsNode *
call_as_chosen (Convert        *self,
                LsRelaxCall    *call,
                LsLayoutChoice *choice)
{
  GPtrArray *args = g_ptr_array_new ();

  for (guint i = 0; i < call->args->n; i++)
    if ((gint) i == choice->new_arg)
      g_ptr_array_add (args, ls_node_ref (choice->new_value));
    else if (i < choice->inputs->len)
      g_ptr_array_add (args, in_layout (self, call->args->items[i], choice->inputs->pdata[i]));
    else
      g_ptr_array_add (args, ls_node_ref (call->args->items[i]));
  return call_with (call, args, choice->attrs);
}

static LsLayoutChoice *
choose (Convert     *self,
        LsRelaxVar  *var,
        LsRelaxCall *call)
{
  g_autoptr (GPtrArray) layouts = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) infos = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < call->args->n; i++)
    {
      g_ptr_array_add (layouts, layout_of (self, call->args->items[i]));
      g_ptr_array_add (infos, ls_block_builder_struct_info (self->mutator->builder, call->args->items[i]));
    }
  return ls_infer_layout (call, layouts, infos, var->struct_info, self->desired, NULL);
}

static void
visit_call (Convert      *self,
            LsVarBinding *binding)
{
  LsRelaxCall *call = (LsRelaxCall *) binding->value;
  LsRelaxVar *var = binding->var;
  g_autoptr (LsLayoutChoice) choice = choose (self, var, call);
  g_autoptr (LsNode) value = choice != NULL ? call_as_chosen (self, call, choice) : call_as_it_was (self, call);
  LsNode *first = ls_layout_initial (var->struct_info);

  ls_take (&value, ls_block_builder_normalize (self->mutator->builder, value));
  if (choice != NULL && ls_is (var, DATAFLOW_VAR))
    {
      ls_node_unref (first);
      first = ls_node_ref (choice->output);
    }
  else if (choice != NULL && !ls_layout_equal (choice->output, first))
    {
      LsRelaxVar *fresh = ls_block_builder_emit (self->mutator->builder, value, NULL);

      ls_take (&value, rewrite (LS_NODE (fresh), choice->output, first));
    }
  ls_relax_mutator_rebind (self->mutator, binding, value);
  note_layout (self, var, first);
}

static void
visit_tuple (Convert      *self,
             LsVarBinding *binding)
{
  gboolean inner = ls_is (binding->var, DATAFLOW_VAR);
  LsNode *to = inner ? layout_of (self, binding->value) : initial_of (self, binding->value);
  g_autoptr (LsNode) value = in_layout (self, binding->value, to);

  ls_relax_mutator_rebind (self->mutator, binding, value);
  note_layout (self, binding->var, to);
}

static void
visit_item (Convert      *self,
            LsVarBinding *binding)
{
  LsTupleGetItem *item = (LsTupleGetItem *) binding->value;
  gboolean inner = ls_is (binding->var, DATAFLOW_VAR);
  g_autoptr (LsNode) to = inner ? layout_of (self, item->tuple) : initial_of (self, item->tuple);
  g_autoptr (LsNode) value = ls_tuple_get_item_new (in_layout (self, item->tuple, to), item->index);

  ls_relax_mutator_rebind (self->mutator, binding, value);
  if (ls_is (to, ARRAY) && item->index < (gint64) ((LsArray *) to)->n)
    note_layout (self, binding->var, ls_node_ref (((LsArray *) to)->items[item->index]));
}

/* What a match_cast claims, for a value in another order of axes; the same node: nothing to change. (transfer full) */
static LsStructInfo *
claim_in_layout (LsStructInfo *info,
                 LsNode       *from,
                 LsNode       *to)
{
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;
  g_autoptr (LsArray) order = NULL;
  GPtrArray *extents;

  if (!ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (tensor->shape, SHAPE_EXPR) || ls_layout_equal (from, to) || !ls_is (from, STRING) || !ls_is (to, STRING)
      || ls_layout_ndim (((LsString *) from)->value) != ls_layout_ndim (((LsString *) to)->value))
    return ls_node_ref (info);
  order = ls_layout_permutation (((LsString *) from)->value, ((LsString *) to)->value);
  extents = g_ptr_array_new ();
  for (guint i = 0; i < order->n; i++)
    {
      gint64 at = 0;

      ls_as_int (order->items[i], &at);
      g_ptr_array_add (extents, ls_node_ref (((LsShapeExpr *) tensor->shape)->values->items[at]));
    }
  return ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_take_ptr_array (extents)), tensor->ndim, tensor->dtype, ls_node_ref (tensor->vdevice));
}

static void
visit_cast (Convert     *self,
            LsMatchCast *cast)
{
  g_autoptr (LsNode) from = initial_of (self, cast->value);
  g_autoptr (LsNode) to = layout_of (self, cast->value);
  g_autoptr (LsNode) claim = claim_in_layout (cast->struct_info, from, to);
  g_autoptr (LsNode) value = NULL;

  if (!ls_is (cast->var, DATAFLOW_VAR) || claim == cast->struct_info)
    {
      ls_relax_mutator_default_binding (self->mutator, LS_NODE (cast));
      return;
    }
  value = in_layout (self, cast->value, to);
  ls_relax_mutator_replace (self->mutator, cast->var, ls_block_builder_emit_match_cast (self->mutator->builder, value, claim, NULL));
  note_layout (self, cast->var, ls_node_ref (to));
}

static void
visit_binding (LsRelaxMutator *mutator,
               LsNode         *binding)
{
  Convert *self = mutator->user_data;
  LsNode *value = ls_binding_value (binding);

  if (!ls_block_builder_in_dataflow (mutator->builder))
    ls_relax_mutator_default_binding (mutator, binding);
  else if (ls_is (binding, MATCH_CAST))
    visit_cast (self, (LsMatchCast *) binding);
  else if (ls_is (value, RELAX_CALL))
    visit_call (self, (LsVarBinding *) binding);
  else if (ls_is (value, RELAX_TUPLE))
    visit_tuple (self, (LsVarBinding *) binding);
  else if (ls_is (value, TUPLE_GET_ITEM))
    visit_item (self, (LsVarBinding *) binding);
  else
    ls_relax_mutator_default_binding (mutator, binding);
}

static LsNode *
visit_var (LsRelaxMutator *mutator,
           LsRelaxVar     *var)
{
  Convert *self = mutator->user_data;
  LsNode *now = g_hash_table_lookup (mutator->vars, var);
  LsNode *from = g_hash_table_lookup (self->layouts, var);
  g_autoptr (LsNode) to = NULL;

  if (from == NULL || !ls_block_builder_in_dataflow (mutator->builder))
    return ls_node_ref (now != NULL ? now : LS_NODE (var));
  to = ls_layout_initial (var->struct_info);
  return rewrite (now != NULL ? now : LS_NODE (var), from, to);
}

LsModule *
ls_relax_pass_convert_layout (LsModule  *module,
                              LsMap     *args,
                              GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .binding = visit_binding, .var = visit_var };
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autoptr (GHashTable) layouts = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  Convert self = { &mutator, (LsMap *) ls_map_get (args, "desired_layouts"), layouts };

  ls_relax_mutator_init (&mutator, &funcs, module, &self);
  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      {
        g_autoptr (LsNode) fresh = ls_relax_mutator_visit (&mutator, module->functions->items[i]);

        ls_block_builder_update_func (mutator.builder, ls_array_at (module->global_vars, i, LsGlobalVar), fresh);
      }
  return ls_relax_mutator_finish (&mutator, error);
}
