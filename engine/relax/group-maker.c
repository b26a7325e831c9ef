/* group-maker: makes the function of one group.
 *
 * What a binding reads and the group does not bind becomes a parameter: variables under their own names, the rest as
 * param_0, param_1, ...; shapes and numbers without variables stay in the function, and so do constants when asked.  A
 * tuple of which only fields are read is replaced by these.
 */
#include "engine/relax/group-private.h"

#include "engine/relax/analysis.h"
#include "engine/relax/mutator.h"

LsGroupMaker *
ls_group_maker_new (gboolean lift_constants)
{
  LsGroupMaker *self = g_new0 (LsGroupMaker, 1);

  self->lift_constants = lift_constants;
  self->name = g_string_new ("fused");
  self->bindings = g_ptr_array_new ();
  self->args = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->params = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->outputs = g_ptr_array_new ();
  self->defined = g_hash_table_new (NULL, NULL);
  self->fields = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  return self;
}

void
ls_group_maker_free (LsGroupMaker *self)
{
  g_string_free (self->name, TRUE);
  g_ptr_array_unref (self->bindings);
  g_ptr_array_unref (self->args);
  g_ptr_array_unref (self->params);
  g_ptr_array_unref (self->outputs);
  g_hash_table_unref (self->defined);
  g_hash_table_unref (self->fields);
  ls_unref (self->function);
  g_free (self);
}

/* ---- parameters -------------------------------------------------------------------------- */

static gboolean
is_number_or_shape (LsNode *expr)
{
  if (ls_is (expr, RELAX_TUPLE))
    {
      for (guint i = 0; i < ((LsRelaxTuple *) expr)->fields->n; i++)
        if (!is_number_or_shape (((LsRelaxTuple *) expr)->fields->items[i]))
          return FALSE;
      return TRUE;
    }
  return (ls_is (expr, PRIM_VALUE) || ls_is (expr, SHAPE_EXPR)) && !(expr->facts & LS_FACT_HAS_VAR);
}

static gboolean
holds_defined (LsGroupMaker *self,
               LsNode       *expr)
{
  for (guint i = 0; ls_is (expr, RELAX_TUPLE) && i < ((LsRelaxTuple *) expr)->fields->n; i++)
    if (holds_defined (self, ((LsRelaxTuple *) expr)->fields->items[i]))
      return TRUE;
  return ls_is_relax_var (expr) && g_hash_table_contains (self->defined, expr);
}

static void
take (LsGroupMaker *self,
      LsNode       *expr)
{
  g_autofree char *name = NULL;
  g_autoptr (LsNode) info = NULL;

  if (g_ptr_array_find (self->args, expr, NULL) || (ls_is (expr, CONSTANT) && !self->lift_constants))
    return;
  if (ls_is (expr, RELAX_TUPLE) && holds_defined (self, expr))
    {
      for (guint i = 0; i < ((LsRelaxTuple *) expr)->fields->n; i++)
        take (self, ((LsRelaxTuple *) expr)->fields->items[i]);
      return;
    }
  if (holds_defined (self, expr))
    return;
  name = ls_is_relax_var (expr) ? g_strdup (((LsRelaxVar *) expr)->name) : g_strdup_printf ("param_%u", self->n_unnamed++);
  if (is_number_or_shape (expr))
    return;
  info = ls_relax_struct_info (expr);
  g_ptr_array_add (self->args, ls_node_ref (expr));
  g_ptr_array_add (self->params, ls_relax_var_new (name, ls_node_ref (info)));
  if (ls_is (info, TUPLE_STRUCT_INFO))
    g_hash_table_insert (self->fields, expr, g_array_new (FALSE, FALSE, sizeof (gint64)));
}

static void
add_name (LsGroupMaker *self,
          LsNode       *callee)
{
  const char *name = ls_is (callee, GLOBAL_VAR) ? ((LsGlobalVar *) callee)->name_hint : ls_is (callee, RELAX_OP) ? ((LsRelaxOp *) callee)->name : NULL;

  if (name != NULL)
    g_string_append_printf (self->name, "_%s", ls_is (callee, GLOBAL_VAR) && g_str_has_prefix (name, "fused_") ? name + 6 : name);
}

static void
add_call (LsGroupMaker *self,
          LsRelaxCall  *call)
{
  LsNode *args = call->args->n > 1 ? call->args->items[1] : NULL;

  if (ls_is_relax_call_tir (call) && ls_is (args, RELAX_TUPLE))
    {
      g_string_append_printf (self->name, "_%s", ((LsGlobalVar *) call->args->items[0])->name_hint);
      for (guint i = 0; i < ((LsRelaxTuple *) args)->fields->n; i++)
        take (self, ((LsRelaxTuple *) args)->fields->items[i]);
      return;
    }
  add_name (self, call->op);
  for (guint i = 0; i < call->args->n; i++)
    {
      take (self, call->args->items[i]);
      g_hash_table_remove (self->fields, call->args->items[i]);
    }
}

static void
add_item (LsGroupMaker   *self,
          LsTupleGetItem *item)
{
  GArray *indices;

  take (self, item->tuple);
  indices = g_hash_table_lookup (self->fields, item->tuple);
  if (indices == NULL)
    return;
  for (guint i = 0; i < indices->len; i++)
    if (g_array_index (indices, gint64, i) == item->index)
      return;
  g_array_append_val (indices, item->index);
}

void
ls_group_maker_add (LsGroupMaker *self,
                    LsNode       *binding)
{
  LsNode *value = ls_binding_value (binding);
  LsRelaxVar *var = ls_binding_var (binding);

  if (ls_is (value, RELAX_CALL))
    add_call (self, (LsRelaxCall *) value);
  else if (ls_is (value, TUPLE_GET_ITEM))
    add_item (self, (LsTupleGetItem *) value);
  g_hash_table_add (self->defined, var);
  g_ptr_array_add (self->bindings, binding);
  if (!ls_is (var, DATAFLOW_VAR))
    ls_group_maker_add_output (self, var);
}

void
ls_group_maker_add_output (LsGroupMaker *self,
                           LsRelaxVar   *var)
{
  if (g_hash_table_contains (self->defined, var) && !g_ptr_array_find (self->outputs, var, NULL))
    g_ptr_array_add (self->outputs, var);
}

/* ---- the function --------------------------------------------------------------------------- */

typedef struct {
  LsGroupMaker *maker;
  GHashTable   *inside;         /* what the function has for an argument: argument -> parameter */
  GHashTable   *items;          /* tuple -> GHashTable of index -> parameter */
} Inside;

static LsNode *
to_param (LsRelaxMutator *mutator,
          LsNode         *expr)
{
  Inside *self = mutator->user_data;
  LsNode *param = g_hash_table_lookup (self->inside, expr);
  LsNode *tuple = ls_is (expr, TUPLE_GET_ITEM) ? ((LsTupleGetItem *) expr)->tuple : NULL;
  GHashTable *items = tuple != NULL ? g_hash_table_lookup (self->items, tuple) : NULL;

  if (param != NULL)
    return ls_node_ref (param);
  if (items != NULL)
    return ls_node_ref (g_hash_table_lookup (items, GINT_TO_POINTER ((int) ((LsTupleGetItem *) expr)->index + 1)));
  return ls_relax_mutator_default (mutator, expr);
}

/* Tuples that are read in part give way to their fields. */
static void
split_tuples (LsGroupMaker *self,
              Inside       *inside)
{
  g_autoptr (GPtrArray) args = g_steal_pointer (&self->args), params = g_steal_pointer (&self->params);

  self->args = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->params = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  for (guint i = 0; i < args->len; i++)
    {
      GArray *indices = g_hash_table_lookup (self->fields, args->pdata[i]);
      LsRelaxVar *param = params->pdata[i];
      GHashTable *items;

      if (indices == NULL || indices->len == 0)
        {
          g_ptr_array_add (self->args, ls_node_ref (args->pdata[i]));
          g_ptr_array_add (self->params, ls_ref (LS_NODE (param)));
          g_hash_table_insert (inside->inside, args->pdata[i], param);
          continue;
        }
      items = g_hash_table_new (NULL, NULL);
      g_hash_table_insert (inside->items, args->pdata[i], items);
      for (guint k = 0; k < indices->len; k++)
        {
          gint64 index = g_array_index (indices, gint64, k);
          g_autofree char *name = g_strdup_printf ("%s_%d", param->name, (int) index);
          LsRelaxVar *field = ls_relax_var_new (name, ls_node_ref (((LsTupleStructInfo *) param->struct_info)->fields->items[index]));

          g_ptr_array_add (self->args, ls_tuple_get_item_new (ls_node_ref (args->pdata[i]), index));
          g_ptr_array_add (self->params, field);
          g_hash_table_insert (items, GINT_TO_POINTER ((int) index + 1), field);
        }
    }
}

static gboolean
gives_field (Inside *inside,
             LsNode *value)
{
  return ls_is (value, TUPLE_GET_ITEM) && g_hash_table_contains (inside->items, ((LsTupleGetItem *) value)->tuple);
}

static LsNode *
make_body (LsGroupMaker *self,
           Inside       *inside)
{
  static const LsRelaxMutatorFuncs funcs = { .expr = to_param };
  g_auto (LsRelaxMutator) mutator = { NULL };
  g_autofree LsNode **results = g_new0 (LsNode *, self->outputs->len + 1);
  GPtrArray *fields = g_ptr_array_new ();
  g_autoptr (LsNode) block = NULL;

  ls_relax_mutator_init (&mutator, &funcs, NULL, inside);
  ls_block_builder_begin_block (mutator.builder, TRUE);
  for (guint i = 0; i < self->bindings->len; i++)
    {
      LsNode *binding = self->bindings->pdata[i], *value = ls_binding_value (binding);
      LsRelaxVar *var = ls_binding_var (binding);
      guint output;
      gboolean is_output = g_ptr_array_find (self->outputs, var, &output);

      if (gives_field (inside, value))
        {
          g_autoptr (LsNode) param = ls_relax_mutator_visit (&mutator, value);

          ls_relax_mutator_replace (&mutator, var, param);
          if (is_output)
            results[output] = LS_NODE (g_hash_table_lookup (mutator.vars, var));
        }
      else if (is_output)
        {
          g_autoptr (LsNode) fresh = ls_relax_mutator_visit (&mutator, value);
          g_autofree char *name = ls_block_builder_unique_name (mutator.builder, "gv");
          g_autoptr (LsRelaxVar) emitted = ls_relax_var_new (name, ls_node_ref (var->struct_info));

          ls_block_builder_emit_to (mutator.builder, emitted, fresh);
          ls_relax_mutator_replace (&mutator, var, emitted);
          results[output] = LS_NODE (g_hash_table_lookup (mutator.vars, var));
        }
      else
        ls_relax_mutator_default_binding (&mutator, binding);
    }
  block = ls_block_builder_end_block (mutator.builder);
  for (guint i = 0; i < self->outputs->len; i++)
    g_ptr_array_add (fields, ls_node_ref (results[i]));
  if (self->outputs->len > 1)
    return ls_seq_expr_new (ls_array_of (g_steal_pointer (&block), NULL), ls_relax_tuple_new (ls_array_take_ptr_array (fields)));
  {
    LsNode *result = g_ptr_array_steal_index (fields, 0);

    g_ptr_array_unref (fields);
    return ls_seq_expr_new (ls_array_of (g_steal_pointer (&block), NULL), result);
  }
}

static LsArray *
params_of (LsGroupMaker *self)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < self->params->len; i++)
    g_ptr_array_add (out, ls_node_ref (self->params->pdata[i]));
  return ls_array_take_ptr_array (out);
}

/* Symbolic extents that no parameter brings come as a shape. */
static LsFunction *
with_symbols (LsGroupMaker *self,
              LsFunction   *func)        /* taken */
{
  g_autoptr (GPtrArray) symbols = ls_relax_free_symbols (func);
  g_autoptr (LsFunction) before = func;
  g_autoptr (LsArray) values = NULL;

  if (symbols->len == 0)
    return ls_ref (func);
  for (guint i = 0; i < symbols->len; i++)
    ls_node_ref (symbols->pdata[i]);
  values = ls_array_new (symbols->pdata, symbols->len);
  g_ptr_array_add (self->params, ls_relax_var_new ("tir_vars", ls_shape_struct_info_new (ls_ref (values), values->n)));
  g_ptr_array_add (self->args, ls_shape_expr_new (ls_ref (values)));
  return ls_function_new (params_of (self), ls_node_ref (func->body), ls_node_ref (func->ret_struct_info), ls_ref (func->attrs), TRUE);
}

static LsStructInfo *
result_info (LsGroupMaker *self)
{
  GPtrArray *fields;

  if (self->outputs->len == 1)
    return ls_node_ref (((LsRelaxVar *) self->outputs->pdata[0])->struct_info);
  fields = g_ptr_array_new ();
  for (guint i = 0; i < self->outputs->len; i++)
    g_ptr_array_add (fields, ls_node_ref (((LsRelaxVar *) self->outputs->pdata[i])->struct_info));
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (fields));
}

void
ls_group_maker_finish (LsGroupMaker *self,
                       LsMap        *attrs)
{
  g_autoptr (GHashTable) inside = g_hash_table_new (NULL, NULL), items = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  g_autoptr (LsNode) one = LS_NODE (ls_int (1));
  g_autoptr (LsMap) empty = ls_map_empty ();
  g_autoptr (LsFunction) func = NULL;
  Inside state = { self, inside, items };
  LsNode *body;

  if (self->outputs->len == 0)
    return;
  split_tuples (self, &state);
  body = make_body (self, &state);
  func = ls_function_new (params_of (self), body, result_info (self), ls_map_set (attrs != NULL ? attrs : empty, "Primitive", one), TRUE);
  func = with_symbols (self, func);
  self->function = ls_relax_copy_function (func);
}
