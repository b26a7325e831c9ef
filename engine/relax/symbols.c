/* symbols: the variables of a Relax program, symbolic ones and its own. */
#include "engine/relax/analysis.h"

typedef struct {
  GPtrArray  *found;
  GHashTable *seen;
} Set;

static Set
set_new (void)
{
  return (Set) { g_ptr_array_new (), g_hash_table_new (NULL, NULL) };
}

static GPtrArray *
set_finish (Set *self)
{
  g_hash_table_unref (self->seen);
  return self->found;
}

static void
set_add (Set      *self,
         gpointer  item)
{
  if (g_hash_table_add (self->seen, item))
    g_ptr_array_add (self->found, item);
}

/* ---- bindings ----------------------------------------------------------------------- */

LsRelaxVar *
ls_binding_var (gpointer binding)
{
  return ls_is (binding, MATCH_CAST) ? ((LsMatchCast *) binding)->var : ((LsVarBinding *) binding)->var;
}

LsNode *
ls_binding_value (gpointer binding)
{
  return ls_is (binding, MATCH_CAST) ? ((LsMatchCast *) binding)->value : ((LsVarBinding *) binding)->value;
}

LsNode *
ls_binding_with (gpointer    binding,
                 LsRelaxVar *var,
                 gpointer    value)
{
  if (var == ls_binding_var (binding) && value == ls_binding_value (binding))
    return ls_node_ref (binding);
  if (ls_is (binding, MATCH_CAST))
    return ls_match_cast_new (ls_ref (var), ls_node_ref (value), ls_node_ref (((LsMatchCast *) binding)->struct_info));
  return ls_var_binding_new (ls_ref (var), ls_node_ref (value));
}

/* ---- symbolic variables ----------------------------------------------------------------- */

static LsWalk
add_symbol (LsNode  *node,
            gpointer user_data)
{
  if (ls_is_var (node))
    set_add (user_data, node);
  else if (ls_is_relax_var (node))
    ls_walk (((LsRelaxVar *) node)->struct_info, add_symbol, NULL, user_data);
  return LS_WALK_CONTINUE;
}

GPtrArray *
ls_relax_symbols (gpointer node)
{
  Set set = set_new ();

  ls_walk (node, add_symbol, NULL, &set);
  return set_finish (&set);
}

static void
add_plain (Set     *set,
           LsArray *values)
{
  for (guint i = 0; i < ls_array_n (values); i++)
    if (ls_is_var (values->items[i]))
      set_add (set, values->items[i]);
}

static void
add_definable (Set          *set,
               LsStructInfo *info)
{
  if (ls_is (info, TENSOR_STRUCT_INFO) && ls_is (((LsTensorStructInfo *) info)->shape, SHAPE_EXPR))
    add_plain (set, ((LsShapeExpr *) ((LsTensorStructInfo *) info)->shape)->values);
  else if (ls_is (info, SHAPE_STRUCT_INFO))
    add_plain (set, ((LsShapeStructInfo *) info)->values);
  else if (ls_is (info, PRIM_STRUCT_INFO) && ls_is_var (((LsPrimStructInfo *) info)->value))
    set_add (set, ((LsPrimStructInfo *) info)->value);
  else if (ls_is (info, TUPLE_STRUCT_INFO))
    for (guint i = 0; i < ((LsTupleStructInfo *) info)->fields->n; i++)
      add_definable (set, ((LsTupleStructInfo *) info)->fields->items[i]);
  else if (ls_is (info, FUNC_STRUCT_INFO))
    for (guint i = 0; i < ls_array_n (((LsFuncStructInfo *) info)->params); i++)
      add_definable (set, ((LsFuncStructInfo *) info)->params->items[i]);
}

GPtrArray *
ls_relax_definable_symbols (LsStructInfo *info)
{
  Set set = set_new ();

  add_definable (&set, info);
  return set_finish (&set);
}

static LsWalk
add_cast (LsNode  *node,
          gpointer user_data)
{
  if (ls_is (node, FUNCTION))
    for (guint i = 0; i < ((LsFunction *) node)->params->n; i++)
      add_definable (user_data, ls_array_at (((LsFunction *) node)->params, i, LsRelaxVar)->struct_info);
  if (ls_is (node, MATCH_CAST))
    add_definable (user_data, ((LsMatchCast *) node)->struct_info);
  return LS_WALK_CONTINUE;
}

GPtrArray *
ls_relax_defined_symbols (LsFunction *func)
{
  Set set = set_new ();

  ls_walk (func, add_cast, NULL, &set);
  return set_finish (&set);
}

GPtrArray *
ls_relax_free_symbols (LsFunction *func)
{
  g_autoptr (GPtrArray) all = ls_relax_symbols (func), defined = ls_relax_defined_symbols (func);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < defined->len; i++)
    g_hash_table_add (known, defined->pdata[i]);
  for (guint i = 0; i < all->len; i++)
    if (!g_hash_table_contains (known, all->pdata[i]))
      g_ptr_array_add (out, all->pdata[i]);
  return out;
}

/* ---- variables of Relax --------------------------------------------------------------------- */

typedef struct {
  Set         used;
  GHashTable *bound;
} Free;

static LsWalk
note_var (LsNode  *node,
          gpointer user_data)
{
  Free *self = user_data;

  if (ls_is_relax_var (node))
    set_add (&self->used, node);
  return LS_WALK_CONTINUE;
}

static LsWalk
note_bound (LsNode  *node,
            gpointer user_data)
{
  Free *self = user_data;

  if (ls_is (node, VAR_BINDING) || ls_is (node, MATCH_CAST))
    g_hash_table_add (self->bound, ls_binding_var (node));
  if (ls_is (node, FUNCTION))
    for (guint i = 0; i < ((LsFunction *) node)->params->n; i++)
      g_hash_table_add (self->bound, ((LsFunction *) node)->params->items[i]);
  return LS_WALK_CONTINUE;
}

GPtrArray *
ls_relax_free_vars (gpointer expr)
{
  Free self = { set_new (), g_hash_table_new (NULL, NULL) };
  GPtrArray *out = g_ptr_array_new ();
  g_autoptr (GPtrArray) used = NULL;

  ls_walk (expr, note_var, NULL, &self);
  ls_walk (expr, note_bound, NULL, &self);
  used = set_finish (&self.used);
  for (guint i = 0; i < used->len; i++)
    if (!g_hash_table_contains (self.bound, used->pdata[i]))
      g_ptr_array_add (out, used->pdata[i]);
  g_hash_table_unref (self.bound);
  return out;
}
