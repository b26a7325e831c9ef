/* call-te: see the header.  The rules are those of TVM's gen_call_tir_inputs. */
#include "engine/relax/call-te.h"

struct _LsTeBridge {
  LsBlockBuilder *builder;
  GHashTable     *own;          /* symbolic variable -> the new function's, both kept */
  GHashTable     *back;         /* the other way round, borrowed */
  GPtrArray      *args;         /* Relax expressions (references) */
  GPtrArray      *tensors;      /* their placeholders, or variables for scalars (references) */
  GPtrArray      *extra;        /* expressions that are arguments themselves (references) */
  LsTeBridgeEdit  edit;
  gpointer        edit_data;
  LsArray        *edited_shape; /* a reference */
};

GQuark
ls_te_bridge_error_quark (void)
{
  return g_quark_from_static_string ("ls-te-bridge-error");
}

static void
unref_any (gpointer node)
{
  ls_node_unref (node);
}

LsTeBridge *
ls_te_bridge_new (LsBlockBuilder *builder)
{
  LsTeBridge *self = g_new0 (LsTeBridge, 1);

  self->builder = builder;
  self->own = g_hash_table_new_full (NULL, NULL, unref_any, unref_any);
  self->back = g_hash_table_new (NULL, NULL);
  self->args = g_ptr_array_new_with_free_func (unref_any);
  self->tensors = g_ptr_array_new_with_free_func (unref_any);
  self->extra = g_ptr_array_new_with_free_func (unref_any);
  return self;
}

void
ls_te_bridge_free (LsTeBridge *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->back);
  g_hash_table_unref (self->own);
  g_ptr_array_unref (self->args);
  g_ptr_array_unref (self->tensors);
  g_ptr_array_unref (self->extra);
  ls_unref (self->edited_shape);
  g_free (self);
}

/* ---- arguments ----------------------------------------------------------------------- */

static LsWalk
copy_symbol (LsNode  *node,
             gpointer user_data)
{
  LsTeBridge *self = user_data;
  LsVar *own;

  if (!ls_is_var (node) || g_hash_table_contains (self->own, node))
    return LS_WALK_CONTINUE;
  own = ls_var_copy ((LsVar *) node, NULL);
  g_hash_table_insert (self->own, ls_node_ref (node), own);
  g_hash_table_insert (self->back, own, node);
  return LS_WALK_CONTINUE;
}

static LsNode *
to_own (LsTeBridge *self,
        LsNode     *expr)
{
  ls_walk (expr, copy_symbol, NULL, self);
  return ls_substitute (expr, self->own);
}

LsTeTensor *
ls_te_bridge_tensor (LsTeBridge  *self,
                     gpointer     expr,
                     GError     **error)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, expr);
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;
  char letter[2] = { (char) ('A' + self->tensors->len % 26), '\0' };
  LsTeTensor *made;

  if (!ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (tensor->shape, SHAPE_EXPR) || ls_dtype_is_void (tensor->dtype))
    {
      g_set_error (error, LS_TE_BRIDGE_ERROR, 0, ls_translate ("%s%s%s is no tensor whose shape and type are known."),
                   ls_is_relax_var (expr) ? "`" : "", ls_is_relax_var (expr) ? ((LsRelaxVar *) expr)->name : ls_translate ("An argument"),
                   ls_is_relax_var (expr) ? "`" : "");
      return NULL;
    }
  made = ls_te_placeholder (ls_is_relax_var (expr) ? ((LsRelaxVar *) expr)->name : letter,
                            (LsArray *) to_own (self, LS_NODE (((LsShapeExpr *) tensor->shape)->values)), tensor->dtype);
  g_ptr_array_add (self->args, ls_node_ref (expr));
  g_ptr_array_add (self->tensors, ls_ref (made));
  return made;
}

LsArray *
ls_te_bridge_tensors (LsTeBridge  *self,
                      gpointer     expr,
                      GError     **error)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, expr);
  LsRelaxTuple *tuple = ls_is (expr, RELAX_TUPLE) ? expr : NULL;
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func (unref_any);

  if (!ls_is (info, TUPLE_STRUCT_INFO))
    {
      g_set_error (error, LS_TE_BRIDGE_ERROR, 0, ls_translate ("An argument is no tuple of tensors."));
      return NULL;
    }
  for (guint i = 0; i < ((LsTupleStructInfo *) info)->fields->n; i++)
    {
      LsNode *field = tuple != NULL ? tuple->fields->items[i]
                      : LS_NODE (ls_block_builder_emit_take (self->builder, ls_tuple_get_item_new (ls_node_ref (expr), i), NULL));
      LsTeTensor *tensor = ls_te_bridge_tensor (self, field, error);

      if (tensor == NULL)
        return NULL;
      g_ptr_array_add (out, tensor);
    }
  return ls_array_take_ptr_array (g_steal_pointer (&out));
}

LsExpr *
ls_te_bridge_expr (LsTeBridge *self,
                   LsExpr     *expr)
{
  LsExpr *own = (LsExpr *) to_own (self, LS_NODE (expr));

  g_ptr_array_add (self->extra, ls_ref (own));
  return own;
}

LsExpr *
ls_te_bridge_scalar (LsTeBridge *self,
                     gpointer    expr)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, expr);
  LsPrimStructInfo *scalar = (LsPrimStructInfo *) info;
  LsVar *var;

  if (!ls_is (info, PRIM_STRUCT_INFO))
    return NULL;
  if (scalar->value != NULL)
    return ls_te_bridge_expr (self, scalar->value);
  var = ls_var_new (ls_is_relax_var (expr) ? ((LsRelaxVar *) expr)->name : "value", scalar->dtype);
  g_ptr_array_add (self->args, ls_node_ref (expr));
  g_ptr_array_add (self->tensors, ls_ref (var));
  return LS_EXPR (var);
}

LsArray *
ls_te_bridge_exprs (LsTeBridge *self,
                    LsArray    *exprs)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < exprs->n; i++)
    g_ptr_array_add (out, ls_te_bridge_expr (self, LS_EXPR (exprs->items[i])));
  return ls_array_take_ptr_array (out);
}

void
ls_te_bridge_set_edit (LsTeBridge     *self,
                       LsTeBridgeEdit  edit,
                       gpointer        user_data,
                       LsArray        *shape)
{
  self->edit = edit;
  self->edit_data = user_data;
  ls_take (&self->edited_shape, ls_ref (shape));
}

/* ---- the function ------------------------------------------------------------------------ */

typedef struct {
  GHashTable *bound, *seen;
  GPtrArray  *used;             /* in order, borrowed */
} Unbound;

static LsWalk
note_use (LsNode  *node,
          gpointer user_data)
{
  Unbound *self = user_data;

  if (ls_is_var (node) && g_hash_table_add (self->seen, node))
    g_ptr_array_add (self->used, node);
  return LS_WALK_CONTINUE;
}

static void
note_shape (Unbound    *self,
            LsTeTensor *tensor)
{
  for (guint i = 0; i < tensor->shape->n; i++)
    {
      ls_walk (tensor->shape->items[i], note_use, NULL, self);
      if (ls_is_var (tensor->shape->items[i]))
        g_hash_table_add (self->bound, tensor->shape->items[i]);
    }
}

/* Variables that no shape has as a dimension of its own. (transfer container) */
static GPtrArray *
unbound_vars (LsTeBridge *self,
              LsArray    *outputs)
{
  g_autoptr (GHashTable) bound = g_hash_table_new (NULL, NULL), seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) used = g_ptr_array_new ();
  Unbound state = { bound, seen, used };
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < self->tensors->len; i++)
    if (ls_is_var (self->tensors->pdata[i]))
      g_hash_table_add (bound, self->tensors->pdata[i]);
    else
      note_shape (&state, self->tensors->pdata[i]);
  for (guint i = 0; i < outputs->n; i++)
    note_shape (&state, LS_TE_TENSOR (outputs->items[i]));
  for (guint i = 0; i < self->extra->len; i++)
    ls_walk (self->extra->pdata[i], note_use, NULL, &state);
  for (guint i = 0; i < used->len; i++)
    if (!g_hash_table_contains (bound, used->pdata[i]))
      g_ptr_array_add (out, used->pdata[i]);
  return out;
}

static LsPrimFunc *
make_func (LsTeBridge  *self,
           LsArray     *outputs,
           GPtrArray   *unbound,
           LsMap       *attrs,
           GError     **error)
{
  static const LsDType int64 = { LS_TYPE_INT, 64, 1 };
  GPtrArray *params = g_ptr_array_new ();
  g_autoptr (LsArray) list = NULL;
  LsPrimFunc *func;

  for (guint i = 0; i < self->tensors->len; i++)
    g_ptr_array_add (params, ls_node_ref (self->tensors->pdata[i]));
  for (guint i = 0; i < outputs->n; i++)
    g_ptr_array_add (params, ls_node_ref (outputs->items[i]));
  for (guint i = 0; i < unbound->len; i++)
    g_ptr_array_add (params, ls_node_ref (unbound->pdata[i]));
  list = ls_array_take_ptr_array (params);
  func = ls_te_create_prim_func (list, &int64, error);
  if (func == NULL)
    return NULL;
  ls_take (&func, ls_prim_func_with_attr (func, "global_symbol", NULL));
  for (guint i = 0; attrs != NULL && i < attrs->n; i++)
    ls_take (&func, ls_prim_func_with_attr (func, attrs->keys[i], attrs->values[i]));
  if (self->edit != NULL)
    ls_take (&func, self->edit (self->edit_data, func));
  return func;
}

/* ---- the call ---------------------------------------------------------------------------------- */

static LsExpr *
to_old (LsTeBridge *self,
        LsNode     *expr)
{
  g_autoptr (LsExpr) old = (LsExpr *) ls_substitute (expr, self->back);

  return ls_cast (LS_INT64, ls_ref (old));
}

/* Results are where the first argument is that says where it is; borrowed, or NULL. */
static LsNode *
device_of_arguments (LsTeBridge *self)
{
  for (guint i = 0; i < self->args->len; i++)
    {
      g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, self->args->pdata[i]);

      if (ls_is (info, TENSOR_STRUCT_INFO) && ((LsTensorStructInfo *) info)->vdevice != NULL)
        return ((LsTensorStructInfo *) info)->vdevice;
    }
  return NULL;
}

static LsStructInfo *
result_info (LsTeBridge *self,
             LsTeTensor *output)
{
  LsNode *device = device_of_arguments (self);
  GPtrArray *extents = g_ptr_array_new ();
  LsArray *shape = self->edit != NULL ? self->edited_shape : output->shape;

  for (guint i = 0; i < shape->n; i++)
    g_ptr_array_add (extents, to_old (self, shape->items[i]));
  return ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_take_ptr_array (extents)), 0, output->dtype, device != NULL ? ls_node_ref (device) : NULL);
}

LsNode *
ls_call_tir_new (LsGlobalVar  *func,
                 LsArray      *args,
                 LsStructInfo *out_info,
                 LsArray      *tir_vars)
{
  LsNode *tuple = ls_relax_tuple_new (args);
  LsArray *all = tir_vars != NULL ? ls_array_of (ls_ref (func), tuple, ls_shape_expr_new (tir_vars), NULL) : ls_array_of (ls_ref (func), tuple, NULL);

  return ls_relax_call_new (ls_relax_op_new ("relax.call_tir"), all, NULL, NULL, ls_array_of (out_info, NULL));
}

LsNode *
ls_te_bridge_call (LsTeBridge  *self,
                   LsArray     *outputs,
                   const char  *name_hint,
                   LsMap       *attrs,
                   GError     **error)
{
  g_autoptr (GPtrArray) unbound = NULL;
  g_autoptr (LsPrimFunc) func = NULL;
  LsGlobalVar *var;
  GPtrArray *args, *infos, *vars;
  LsStructInfo *out_info;

  if (outputs == NULL)
    return NULL;
  unbound = unbound_vars (self, outputs);
  func = make_func (self, outputs, unbound, attrs, error);
  if (func == NULL)
    return NULL;
  var = ls_block_builder_add_func (self->builder, func, name_hint);
  args = g_ptr_array_new ();
  for (guint i = 0; i < self->args->len; i++)
    g_ptr_array_add (args, ls_node_ref (self->args->pdata[i]));
  infos = g_ptr_array_new ();
  for (guint i = 0; i < outputs->n; i++)
    g_ptr_array_add (infos, result_info (self, LS_TE_TENSOR (outputs->items[i])));
  vars = unbound->len > 0 ? g_ptr_array_new () : NULL;
  for (guint i = 0; i < unbound->len; i++)
    g_ptr_array_add (vars, to_old (self, unbound->pdata[i]));
  if (outputs->n == 1)
    {
      out_info = infos->pdata[0];
      g_ptr_array_unref (infos);
    }
  else
    out_info = ls_tuple_struct_info_new (ls_array_take_ptr_array (infos));
  return ls_call_tir_new (var, ls_array_take_ptr_array (args), out_info, vars != NULL ? ls_array_take_ptr_array (vars) : NULL);
}

LsNode *
ls_te_bridge_call_one (LsTeBridge  *self,
                       LsTeTensor  *output,
                       const char  *name_hint,
                       GError     **error)
{
  g_autoptr (LsArray) outputs = output != NULL ? ls_array_of (ls_ref (output), NULL) : NULL;

  return ls_te_bridge_call (self, outputs, name_hint, NULL, error);
}
