/* nest: the loops of a compute stage, a nest of them for each level of its axes (prim-func.c). */
#include "engine/te/te-private.h"

typedef struct {
  LsIterVar *axis;              /* borrowed */
  guint      level;
} Axis;

static void
find_levels (GArray *axes)
{
  for (guint i = 0; i < axes->len; i++)
    for (guint k = 0; k < i; k++)
      {
        Axis *a = &g_array_index (axes, Axis, i);
        Axis *b = &g_array_index (axes, Axis, k);

        if (b->level >= a->level && ls_uses (a->axis->dom, b->axis->var))
          a->level = b->level + 1;
      }
}

static LsDType
axis_dtype (LsIterVar *axis)
{
  guint bits = MAX (ls_dtype (axis->dom->min).bits, ls_dtype (axis->dom->extent).bits);

  return LS_DTYPE (LS_TYPE_INT, (guint8) bits);
}

static void
nest_free (gpointer data)
{
  LsTeNest *self = data;

  g_ptr_array_unref (self->loop_vars);
  g_ptr_array_unref (self->loop_doms);
  g_clear_pointer (&self->iter_vars, g_ptr_array_unref);
  g_clear_pointer (&self->iter_values, g_ptr_array_unref);
  g_hash_table_unref (self->vars);
  g_free (self);
}

static LsTeNest *
nest_new (void)
{
  LsTeNest *self = g_new0 (LsTeNest, 1);

  self->loop_vars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->loop_doms = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->iter_vars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->iter_values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->vars = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  return self;
}

static LsVar *
add_iter (LsTeNest  *nest,
          LsIterVar *axis,
          LsRange   *dom,
          LsDType    dtype,
          LsVar     *value)
{
  g_autofree char *name = g_strconcat ("v_", axis->var->name, NULL);
  LsVar *var = ls_var_new (name, dtype);

  g_ptr_array_add (nest->iter_vars, ls_iter_var_new (dom, ls_ref (var), (LsIterType) axis->iter_type, ""));
  g_ptr_array_add (nest->iter_values, ls_ref (value));
  g_hash_table_insert (nest->vars, axis->var, var);
  return var;
}

static void
add_axis (LsTeNest  *nest,
          LsTeNest  *outer,
          LsIterVar *axis,
          LsTeRemap  remap,
          gpointer   user_data)
{
  GHashTable *vars = outer != NULL ? outer->vars : nest->vars;
  LsDType dtype = axis_dtype (axis);
  LsRange *dom = ls_range_new (remap (user_data, vars, axis->dom->min), remap (user_data, vars, axis->dom->extent));
  LsVar *loop_var = ls_var_new (axis->var->name, dtype);

  g_ptr_array_add (nest->loop_vars, loop_var);
  g_ptr_array_add (nest->loop_doms, ls_ref (dom));
  add_iter (nest, axis, dom, dtype, loop_var);
}

static void
add_outer_axis (LsTeNest  *nest,
                LsTeNest  *outer,
                LsIterVar *axis)
{
  LsVar *var = g_hash_table_lookup (outer->vars, axis->var);
  LsRange *dom = ls_range_new (LS_EXPR (ls_node_ref (LS_NODE (var))), ls_const_int (ls_dtype (var), 1));

  add_iter (nest, axis, dom, ls_dtype (var), var);
}

GPtrArray *
ls_te_nests (LsTeOperation *op,
             LsTeRemap      remap,
             gpointer       user_data)
{
  GPtrArray *nests = g_ptr_array_new_with_free_func (nest_free);
  g_autoptr (GArray) axes = g_array_new (FALSE, FALSE, sizeof (Axis));
  guint n_levels = 1;

  for (guint i = 0; i < op->axis->n + op->reduce_axis->n; i++)
    {
      Axis axis = { i < op->axis->n ? ls_array_at (op->axis, i, LsIterVar) : ls_array_at (op->reduce_axis, i - op->axis->n, LsIterVar), 0 };

      g_array_append_val (axes, axis);
    }
  find_levels (axes);
  for (guint i = 0; i < axes->len; i++)
    n_levels = MAX (n_levels, g_array_index (axes, Axis, i).level + 1);
  for (guint level = 0; level < n_levels; level++)
    {
      LsTeNest *outer = level > 0 ? nests->pdata[level - 1] : NULL;
      LsTeNest *nest = nest_new ();

      for (guint i = 0; i < axes->len; i++)
        {
          Axis *axis = &g_array_index (axes, Axis, i);

          if (axis->level == level)
            add_axis (nest, outer, axis->axis, remap, user_data);
          else if (axis->level < level)
            add_outer_axis (nest, outer, axis->axis);
        }
      g_ptr_array_add (nests, nest);
    }
  return nests;
}

void
ls_te_nest_add_scalar (LsTeNest *nest)
{
  g_ptr_array_add (nest->iter_vars, ls_iter_var_new (ls_range_new (ls_int (0), ls_int (1)), ls_var_new ("vi", LS_INT32), LS_ITER_DATA_PAR, ""));
  g_ptr_array_add (nest->iter_values, ls_int (0));
}

void
ls_te_nest_copy_iters (LsTeNest   *nest,
                       LsArray   **iter_vars,
                       GHashTable *vars)
{
  GPtrArray *fresh = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer key, value;

  for (guint i = 0; i < nest->iter_vars->len; i++)
    {
      LsIterVar *old = nest->iter_vars->pdata[i];
      LsVar *var = ls_var_copy (old->var, NULL);

      g_ptr_array_add (fresh, ls_iter_var_new (ls_ref (old->dom), var, (LsIterType) old->iter_type, ""));
      g_hash_table_iter_init (&iter, nest->vars);
      while (g_hash_table_iter_next (&iter, &key, &value))
        if (value == old->var)
          g_hash_table_insert (vars, key, ls_ref (var));
    }
  *iter_vars = ls_array_take_ptr_array (fresh);
}

LsStmt *
ls_te_nest_wrap (LsTeNest *nest,
                 LsStmt   *body)
{
  for (guint i = nest->loop_vars->len; i-- > 0;)
    {
      LsVar *var = nest->loop_vars->pdata[i];
      LsRange *dom = nest->loop_doms->pdata[i];

      body = LS_STMT (ls_for_new (ls_ref (var), ls_cast (ls_dtype (var), ls_ref (dom->min)), ls_cast (ls_dtype (var), ls_ref (dom->extent)),
                                  LS_FOR_SERIAL, body, NULL, NULL));
    }
  return body;
}

gboolean
ls_te_nest_reduces (LsTeNest *nest)
{
  for (guint i = 0; i < nest->iter_vars->len; i++)
    if (((LsIterVar *) nest->iter_vars->pdata[i])->iter_type == LS_ITER_COMM_REDUCE)
      return TRUE;
  return FALSE;
}
