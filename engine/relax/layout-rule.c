/* layout-rule: what a rule of infer-layout sees of a call. */
#include "engine/relax/infer-layout-private.h"

#include "engine/relax/op/layout.h"

#include <string.h>

const char *
ls_rule_layout (LsLayoutRule  *self,
           guint  i)
{
  return ls_layout_text (self->layouts->pdata[i]);
}

gint64
ls_rule_ndim (LsLayoutRule  *self,
         guint  i)
{
  LsNode *info = self->infos->pdata[i];

  return ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->ndim : -1;
}

LsArray *
ls_rule_extents (LsLayoutRule  *self,
            guint  i)
{
  LsTensorStructInfo *info = self->infos->pdata[i];

  return ls_is (info, TENSOR_STRUCT_INFO) && ls_is (info->shape, SHAPE_EXPR) ? ((LsShapeExpr *) info->shape)->values : NULL;
}

/* Of argument i; the initial one if an axis is split. */
const char *
ls_rule_whole_layout (LsLayoutRule  *self,
                 guint  i)
{
  const char *layout = ls_rule_layout (self, i);

  return ls_layout_splits (layout) && layout[0] != LS_LAYOUT_NOTHING[0] ? ls_layout_start ((guint) ls_rule_ndim (self, i)) : layout;
}

LsNode *
ls_rule_attr (LsLayoutRule       *self,
      const char *name)
{
  for (guint i = 0; i < self->call->attr_names->n; i++)
    if (g_str_equal (ls_array_at (self->call->attr_names, i, LsString)->value, name))
      return self->call->attrs->items[i];
  return NULL;
}

const char *
ls_rule_attr_text (LsLayoutRule       *self,
           const char *name,
           const char *otherwise)
{
  LsNode *value = ls_rule_attr (self, name);

  return ls_is (value, STRING) && ((LsString *) value)->value[0] != '\0' ? ((LsString *) value)->value : otherwise;
}

/* Takes the value. */
void
ls_rule_set_attr (LsLayoutRule       *self,
          const char *name,
          gpointer    value)
{
  g_autoptr (LsNode) node = value;

  for (guint i = 0; i < self->call->attr_names->n; i++)
    if (g_str_equal (ls_array_at (self->call->attr_names, i, LsString)->value, name))
      ls_take (&self->choice->attrs, ls_array_with (self->choice->attrs, i, node));
}

void
ls_rule_input (LsLayoutRule       *self,
       const char *layout)
{
  g_ptr_array_add (self->choice->inputs, ls_layout_leaf (layout));
}

void
ls_rule_initial_inputs (LsLayoutRule  *self,
                guint  from,
                guint  n)
{
  for (guint i = from; i < n; i++)
    g_ptr_array_add (self->choice->inputs, ls_layout_initial (self->infos->pdata[i]));
}

void
ls_rule_output (LsLayoutRule       *self,
        const char *layout)
{
  self->choice->output = ls_layout_leaf (layout);
}

/* Takes the layout; FALSE when it is NULL. */
gboolean
ls_rule_set_layout (LsLayoutRule       *self,
            const char *name,
            char       *layout)
{
  if (layout != NULL)
    ls_rule_set_attr (self, name, ls_string_new (layout));
  g_free (layout);
  return layout != NULL;
}

/* A list of whole numbers as an array of gint64; when it is None 0, 1, ..., n - 1. (transfer full) */
GArray *
ls_rule_axes (LsNode *list,
         gint64  n)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 value;

  if (ls_as_int (list, &value))
    g_array_append_val (out, value);
  else if (ls_is (list, ARRAY))
    for (guint i = 0; i < ((LsArray *) list)->n; i++)
      {
        if (ls_as_int (((LsArray *) list)->items[i], &value))
          g_array_append_val (out, value);
      }
  else
    for (gint64 i = 0; i < n; i++)
      g_array_append_val (out, i);
  return out;
}

LsArray *
ls_rule_numbers (GArray *list)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < list->len; i++)
    g_ptr_array_add (out, ls_int_imm_new (LS_INT64, g_array_index (list, gint64, i)));
  return ls_array_take_ptr_array (out);
}

void
ls_rule_set_found_axis (LsLayoutRule       *self,
                const char *name,
                const char *layout,
                gint64      otherwise)
{
  gint64 axis = otherwise;

  ls_as_int (ls_rule_attr (self, name), &axis);
  ls_rule_set_attr (self, name, ls_int_imm_new (LS_INT64, ls_layout_find_axis (layout, axis)));
}

void
ls_rule_set_found_axes (LsLayoutRule       *self,
                const char *name,
                const char *layout)
{
  GArray *axes = ls_rule_axes (ls_rule_attr (self, name), 0);

  for (guint i = 0; i < axes->len; i++)
    g_array_index (axes, gint64, i) = ls_layout_find_axis (layout, g_array_index (axes, gint64, i));
  ls_rule_set_attr (self, name, ls_rule_numbers (axes));
  g_array_unref (axes);
}
