/* make: see the header. */
#include "engine/relax/pass/make.h"

#include "engine/relax/analysis.h"

LsNode *
ls_relax_make (const char *op,
               LsArray    *args,
               const char *attr,
               ...)
{
  GPtrArray *names = g_ptr_array_new (), *values = g_ptr_array_new ();
  va_list list;

  va_start (list, attr);
  for (const char *name = attr; name != NULL; name = va_arg (list, const char *))
    {
      g_ptr_array_add (names, ls_string_new (name));
      g_ptr_array_add (values, va_arg (list, LsNode *));
    }
  va_end (list);
  return ls_relax_call_new (ls_relax_op_new (op), args, ls_array_take_ptr_array (names), ls_array_take_ptr_array (values), NULL);
}

LsNode *
ls_relax_make_unary (const char *op,
                     LsNode     *x)
{
  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (x, NULL), NULL, NULL, NULL);
}

LsNode *
ls_relax_make_binary (const char *op,
                      LsNode     *a,
                      LsNode     *b)
{
  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (a, b, NULL), NULL, NULL, NULL);
}

LsNode *
ls_relax_make_matmul (LsNode     *a,
                      LsNode     *b,
                      const char *out_dtype)
{
  return ls_relax_make ("relax.matmul", ls_array_of (a, b, NULL), "out_dtype", ls_string_new (out_dtype != NULL ? out_dtype : "void"), NULL);
}

LsNode *
ls_relax_make_permute (LsNode *x,
                       LsNode *axes)
{
  return ls_relax_make ("relax.permute_dims", ls_array_of (x, NULL), "axes", axes, NULL);
}

LsNode *
ls_relax_int_attr (gint64 value)
{
  return LS_NODE (ls_int_imm_new (LS_INT64, value));
}

LsNode *
ls_relax_make_concat (LsArray *fields,
                      gint64   axis)
{
  return ls_relax_make ("relax.concat", ls_array_of (ls_relax_tuple_new (fields), NULL), "axis", ls_relax_int_attr (axis), NULL);
}

LsNode *
ls_relax_make_reshape (LsNode  *x,
                       LsArray *extents)
{
  return ls_relax_make_binary ("relax.reshape", x, ls_shape_expr_new (extents));
}

LsArray *
ls_relax_known_extents (LsStructInfo *info)
{
  LsNode *shape = ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->shape : NULL;
  LsStructInfo *said = ls_is_relax_var (shape) ? ((LsRelaxVar *) shape)->struct_info : NULL;

  if (ls_is (said, SHAPE_STRUCT_INFO))
    return ((LsShapeStructInfo *) said)->values;
  return ls_is (shape, SHAPE_EXPR) ? ((LsShapeExpr *) shape)->values : NULL;
}

/* ---- at compile time ----------------------------------------------------------------------- */

typedef struct {
  GHashTable *vars, *symbols;
  GPtrArray  *found;
} Known;

static void
know (Known      *self,
      LsRelaxVar *var)
{
  if (g_hash_table_add (self->vars, var))
    g_ptr_array_add (self->found, var);
}

static void
know_symbols (Known        *self,
              LsStructInfo *info)
{
  g_autoptr (GPtrArray) symbols = ls_relax_definable_symbols (info);

  for (guint i = 0; i < symbols->len; i++)
    g_hash_table_add (self->symbols, symbols->pdata[i]);
}

static gboolean
all_in (GPtrArray  *items,
        GHashTable *set)
{
  for (guint i = 0; i < items->len; i++)
    if (!g_hash_table_contains (set, items->pdata[i]))
      return FALSE;
  return TRUE;
}

/* Symbolic variables in the value itself, not in the struct info of what it uses. */
static LsWalk
check_symbol (LsNode  *node,
              gpointer symbols)
{
  return ls_is_var (node) && !g_hash_table_contains (symbols, node) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static void
look_at (Known  *self,
         LsNode *binding)
{
  LsNode *value = ls_binding_value (binding);
  g_autoptr (GPtrArray) used = ls_relax_free_vars (value);

  if (ls_binding_var (binding) == NULL || !all_in (used, self->vars) || !ls_walk (value, check_symbol, NULL, self->symbols))
    return;
  know (self, ls_binding_var (binding));
  if (ls_is (binding, MATCH_CAST))
    know_symbols (self, ((LsMatchCast *) binding)->struct_info);
}

GPtrArray *
ls_relax_computable_at_compile_time (LsFunction *func)
{
  g_autoptr (GHashTable) vars = g_hash_table_new (NULL, NULL), symbols = g_hash_table_new (NULL, NULL);
  Known self = { vars, symbols, g_ptr_array_new () };
  LsSeqExpr *body = (LsSeqExpr *) func->body;
  gint64 n_inputs;

  if (!ls_as_int (ls_map_get (func->attrs, "num_input"), &n_inputs))
    return self.found;
  for (guint i = 0; i < func->params->n; i++)
    if ((gint64) i >= n_inputs)
      {
        know (&self, ls_array_at (func->params, i, LsRelaxVar));
        know_symbols (&self, ls_array_at (func->params, i, LsRelaxVar)->struct_info);
      }
  for (guint i = 0; ls_is (body, SEQ_EXPR) && i < body->blocks->n; i++)
    for (guint k = 0; k < ls_array_at (body->blocks, i, LsBindingBlock)->bindings->n; k++)
      look_at (&self, ls_array_at (body->blocks, i, LsBindingBlock)->bindings->items[k]);
  return self.found;
}
