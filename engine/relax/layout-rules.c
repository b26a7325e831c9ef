/* layout-rules: how operators that compute elements one by one or move them take other layouts. */
#include "engine/relax/infer-layout-private.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/op/layout.h"

#include <string.h>

gboolean
ls_layout_rule_same (LsLayoutRule *self)
{
  ls_rule_input (self, ls_rule_layout (self, 0));
  ls_rule_output (self, ls_rule_layout (self, 0));
  if (ls_is (self->result, TUPLE_STRUCT_INFO))
    {
      ls_node_unref (self->choice->output);
      self->choice->output = LS_NODE (ls_array_of (ls_layout_leaf (ls_rule_layout (self, 0)), ls_layout_leaf (ls_rule_layout (self, 0)), NULL));
    }
  return TRUE;
}

/* `layout` behind the axes that are added in front of it. (transfer full) */
static char *
follow (const char *layout,
        guint       ndim)
{
  guint n = ls_layout_ndim (layout), more = ndim - MIN (ndim, n);
  GString *out = g_string_new (ls_layout_start (more));

  for (const char *c = layout; *c != '\0'; c++)
    g_string_append_c (out, g_ascii_isalpha (*c) ? (char) (*c + more) : *c);
  return g_string_free (out, FALSE);
}

static gboolean
both (LsLayoutRule       *self,
      const char *layout)
{
  ls_rule_input (self, layout);
  ls_rule_input (self, layout);
  ls_rule_output (self, layout);
  return TRUE;
}

gboolean
ls_layout_rule_broadcast (LsLayoutRule *self)
{
  gint64 n1 = ls_rule_ndim (self, 0), n2 = ls_rule_ndim (self, 1);
  const char *a = ls_rule_layout (self, 0), *b = ls_rule_layout (self, 1);
  g_autofree char *out = NULL;

  if (n1 < 0 || n2 < 0)
    return FALSE;
  if ((ls_layout_is_split (a) || ls_layout_is_split (b)) && ls_layout_n_whole (a) == ls_layout_n_whole (b))
    {
      if (ls_layout_ndim (a) >= ls_layout_ndim (b) && ls_rule_extents (self, 1) != NULL)
        {
          if (ls_layout_divides (ls_layout_start (ls_rule_extents (self, 1)->n), a, ls_rule_extents (self, 1)))
            return both (self, a);
        }
      else if (ls_rule_extents (self, 0) != NULL && ls_layout_divides (ls_layout_start (ls_rule_extents (self, 0)->n), b, ls_rule_extents (self, 0)))
        return both (self, b);
    }
  if (n1 <= n2)
    {
      ls_rule_input (self, n1 == 0 ? LS_LAYOUT_NOTHING : a);
      out = n1 == 0 ? g_strdup (b) : follow (a, (guint) n2);
      ls_rule_input (self, out);
    }
  else
    {
      out = n2 == 0 ? g_strdup (a) : follow (b, (guint) n1);
      ls_rule_input (self, out);
      ls_rule_input (self, n2 == 0 ? LS_LAYOUT_NOTHING : b);
    }
  ls_rule_output (self, out);
  return TRUE;
}

gboolean
ls_layout_rule_three (LsLayoutRule *self)
{
  for (guint i = 0; i < 3; i++)
    ls_rule_input (self, ls_rule_whole_layout (self, 0));
  ls_rule_output (self, ls_rule_whole_layout (self, 0));
  return TRUE;
}

gboolean
ls_layout_rule_concat (LsLayoutRule *self)
{
  LsArray *fields = self->layouts->pdata[0];
  GPtrArray *list;

  if (!ls_is (fields, ARRAY) || fields->n == 0)
    return FALSE;
  list = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    g_ptr_array_add (list, ls_node_ref (fields->items[0]));
  g_ptr_array_add (self->choice->inputs, ls_array_take_ptr_array (list));
  self->choice->output = ls_node_ref (fields->items[0]);
  ls_rule_set_found_axis (self, "axis", ls_layout_text (fields->items[0]), 0);
  return TRUE;
}

gboolean
ls_layout_rule_expand_dims (LsLayoutRule *self)
{
  gint64 ndim = ls_rule_ndim (self, 0);
  const char *layout = ls_rule_whole_layout (self, 0);
  GArray *axes = ls_rule_axes (ls_rule_attr (self, "axis"), 0);
  gint64 n = ndim + axes->len;
  g_autofree gboolean *fresh = g_new0 (gboolean, n + 1);
  g_autoptr (GString) old = g_string_new (NULL), out = g_string_new (NULL);
  g_autofree char *moved = NULL;
  guint at = 0;

  for (guint i = 0; i < axes->len; i++)
    fresh[(g_array_index (axes, gint64, i) % n + n) % n] = TRUE;
  g_array_unref (axes);
  for (gint64 i = 0; i < n; i++)
    if (!fresh[i])
      g_string_append_c (old, (char) ('A' + i));
  moved = ls_layout_transpose_chars (old->str, ls_layout_start ((guint) ndim), layout);
  for (gint64 i = 0; i < n; i++)
    g_string_append_c (out, fresh[i] ? (char) ('A' + i) : moved[at++]);
  ls_rule_input (self, layout);
  self->choice->output = ls_layout_made (out->str);
  return TRUE;
}

gboolean
ls_layout_rule_permute_dims (LsLayoutRule *self)
{
  gint64 ndim = ls_rule_ndim (self, 0);
  const char *layout = ls_rule_whole_layout (self, 0);
  GArray *order = ls_rule_axes (ls_rule_attr (self, "axes"), ndim);
  gboolean given = ls_is (ls_rule_attr (self, "axes"), ARRAY);

  for (guint i = 0; i < order->len; i++)
    {
      gint64 axis = given ? g_array_index (order, gint64, i) : ndim - 1 - i;

      g_array_index (order, gint64, i) = ls_layout_find_axis (layout, (axis + ndim) % ndim);
    }
  ls_rule_set_attr (self, "axes", ls_rule_numbers (order));
  g_array_unref (order);
  ls_rule_input (self, layout);
  ls_rule_output (self, ls_layout_start ((guint) ndim));
  return TRUE;
}

gboolean
ls_layout_rule_split (LsLayoutRule *self)
{
  const char *layout = ls_rule_layout (self, 0);
  LsArray *fields = ls_is (self->result, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) self->result)->fields : NULL;
  GPtrArray *out;

  if (fields == NULL)
    return FALSE;
  for (guint i = 0; i < fields->n && ls_layout_is_split (layout); i++)
    {
      LsTensorStructInfo *info = (LsTensorStructInfo *) fields->items[i];

      if (!ls_is (info->shape, SHAPE_EXPR) || !ls_layout_divides (ls_layout_start ((guint) ls_rule_ndim (self, 0)), layout, ((LsShapeExpr *) info->shape)->values))
        layout = ls_layout_start ((guint) ls_rule_ndim (self, 0));
    }
  out = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    g_ptr_array_add (out, ls_layout_leaf (layout));
  ls_rule_set_found_axis (self, "axis", layout, 0);
  ls_rule_input (self, layout);
  self->choice->output = LS_NODE (ls_array_take_ptr_array (out));
  return TRUE;
}

gboolean
ls_layout_rule_squeeze (LsLayoutRule *self)
{
  gint64 ndim = ls_rule_ndim (self, 0);
  const char *layout = ls_rule_whole_layout (self, 0);
  LsArray *extents = ls_rule_extents (self, 0);
  GArray *axes = ls_rule_axes (ls_rule_attr (self, "axis"), 0);
  g_autofree char *marks = g_strnfill ((gsize) ndim, '0'), *moved = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  char next = 'A';

  for (guint i = 0; !ls_is (ls_rule_attr (self, "axis"), ARRAY) && i < ls_array_n (extents); i++)
    if (ls_is_one (extents->items[i]))
      marks[i] = '1';
  for (guint i = 0; i < axes->len; i++)
    marks[(g_array_index (axes, gint64, i) + ndim) % ndim] = '1';
  for (gint64 i = 0; i < ndim; i++)
    if (marks[i] != '1')
      marks[i] = next++;
  moved = ls_layout_transpose_chars (marks, ls_layout_start ((guint) ndim), layout);
  g_array_set_size (axes, 0);
  for (gint64 i = 0; i < ndim; i++)
    if (moved[i] == '1')
      g_array_append_val (axes, i);
    else
      g_string_append_c (out, moved[i]);
  ls_rule_set_attr (self, "axis", ls_rule_numbers (axes));
  g_array_unref (axes);
  ls_rule_input (self, layout);
  self->choice->output = ls_layout_made (out->str);
  return extents != NULL;
}
