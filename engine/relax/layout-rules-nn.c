/* layout-rules-nn: how reductions, norms, pooling, resizing, slices and convolutions take other layouts.  Convolutions begin:
 * what is desired of them decides, the others follow. */
#include "engine/relax/infer-layout-private.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/op/layout.h"

#include <string.h>

gboolean
ls_layout_rule_reduce (LsLayoutRule *self)
{
  gint64 ndim = ls_rule_ndim (self, 0), keep = 0, at = 0;
  const char *layout = ls_rule_layout (self, 0);
  GArray *axes = ls_rule_axes (ls_rule_attr (self, "axis"), ndim);
  g_autofree char *marks = g_strnfill ((gsize) ndim, '0'), *moved = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  char next = 'A';

  for (guint i = 0; i < axes->len; i++)
    marks[(g_array_index (axes, gint64, i) + ndim) % ndim] = '#';
  for (gint64 i = 0; i < ndim; i++)
    if (marks[i] != '#')
      marks[i] = next++;
  moved = ls_layout_transpose_split (marks, ls_layout_start ((guint) ndim), layout[0] == LS_LAYOUT_NOTHING[0] ? "" : layout);
  g_array_set_size (axes, 0);
  for (const char *c = moved; c != NULL && *c != '\0'; c++)
    if (*c == '#')
      {
        g_array_append_val (axes, at);
        at++;
        while (out->len > 0 && g_ascii_isdigit (out->str[out->len - 1]))
          g_string_truncate (out, out->len - 1);
      }
    else
      {
        at += !g_ascii_isdigit (*c);
        g_string_append_c (out, *c);
      }
  ls_rule_set_attr (self, "axis", ls_rule_numbers (axes));
  g_array_unref (axes);
  ls_as_int (ls_rule_attr (self, "keepdims"), &keep);
  ls_rule_input (self, layout);
  self->choice->output = keep != 0 ? ls_layout_leaf (layout) : ls_layout_made (out->str);
  return moved != NULL;
}

gboolean
ls_layout_rule_softmax (LsLayoutRule *self)
{
  const char *layout = ls_rule_whole_layout (self, 0);

  ls_rule_set_found_axis (self, "axis", layout, -1);
  ls_rule_input (self, layout);
  ls_rule_output (self, layout);
  return TRUE;
}

gboolean
ls_layout_rule_batch_norm (LsLayoutRule *self)
{
  const char *layout = ls_rule_whole_layout (self, 0);

  ls_rule_set_found_axis (self, "axis", layout, 1);
  ls_rule_input (self, layout);
  ls_rule_initial_inputs (self, 1, 5);
  self->choice->output = LS_NODE (ls_array_of (ls_layout_leaf (layout), ls_layout_initial (self->infos->pdata[3]), ls_layout_initial (self->infos->pdata[4]), NULL));
  return TRUE;
}

gboolean
ls_layout_rule_norm (LsLayoutRule *self)
{
  /* gamma and beta of group_norm have an element for each channel, so that its axis stays whole */
  const char *layout = ls_rule_attr (self, "channel_axis") != NULL ? ls_rule_whole_layout (self, 0) : ls_rule_layout (self, 0);

  ls_rule_set_found_axes (self, "axes", layout);
  ls_rule_set_found_axis (self, "channel_axis", layout, 1);
  ls_rule_input (self, layout);
  ls_rule_initial_inputs (self, 1, self->call->args->n);
  ls_rule_output (self, layout);
  return TRUE;
}

gboolean
ls_layout_rule_pool (LsLayoutRule *self)
{
  const char *layout = ls_rule_layout (self, 0), *was = ls_rule_attr_text (self, "layout", "NCHW"), *out = ls_rule_attr_text (self, "out_layout", was);
  guint n = ls_layout_ndim (was);

  if (ls_layout_is_split (layout))
    {
      g_autofree char *wanted = ls_layout_transpose_split (was, ls_layout_start (n), layout);

      if (wanted != NULL && ls_layout_divides (was, wanted, ls_rule_extents (self, 0)))
        {
          ls_rule_set_layout (self, "layout", g_strdup (wanted));
          ls_rule_set_layout (self, "out_layout", g_strdup (wanted));
          ls_rule_input (self, layout);
          ls_rule_output (self, layout);
          return TRUE;
        }
      layout = ls_layout_start (n);
    }
  ls_rule_input (self, layout);
  ls_rule_output (self, layout);
  return ls_rule_set_layout (self, "layout", ls_layout_transpose (was, ls_layout_start (n), layout)) && ls_rule_set_layout (self, "out_layout", ls_layout_transpose (out, ls_layout_start (n), layout));
}

static const char *
desired_at (LsLayoutRule  *self,
            guint  i)
{
  LsNode *text = i < ls_array_n (self->desired) ? self->desired->items[i] : NULL;

  return ls_is (text, STRING) ? ((LsString *) text)->value : NULL;
}

gboolean
ls_layout_rule_resize (LsLayoutRule *self)
{
  const char *was = ls_rule_attr_text (self, "layout", "NCHW"), *wanted = desired_at (self, 0);
  g_autofree char *layout = NULL;

  if (wanted != NULL)
    {
      layout = ls_layout_transpose (ls_layout_start (4), was, wanted);
      ls_rule_set_layout (self, "layout", g_strdup (wanted));
    }
  else
    {
      layout = g_strdup (ls_rule_whole_layout (self, 0));
      ls_rule_set_layout (self, "layout", ls_layout_transpose (was, ls_layout_start (4), layout));
    }
  if (layout == NULL)
    return FALSE;
  ls_rule_input (self, layout);
  ls_rule_initial_inputs (self, 1, 2);
  ls_rule_output (self, layout);
  return TRUE;
}

gboolean
ls_layout_rule_strided_slice (LsLayoutRule *self)
{
  const char *layout = ls_rule_whole_layout (self, 0);
  LsArray *axes = ls_is (self->call->args->items[1], RELAX_TUPLE) ? ((LsRelaxTuple *) self->call->args->items[1])->fields : NULL;
  GPtrArray *out;

  if (axes == NULL)
    return FALSE;
  out = g_ptr_array_new ();
  for (guint i = 0; i < axes->n; i++)
    {
      gint64 axis = 0;

      if (ls_is (axes->items[i], PRIM_VALUE))
        ls_as_int (((LsPrimValue *) axes->items[i])->value, &axis);
      g_ptr_array_add (out, ls_prim_value_new (ls_int_imm_new (LS_INT64, ls_layout_find_axis (layout, axis))));
    }
  self->choice->new_arg = 1;
  self->choice->new_value = ls_relax_tuple_new (ls_array_take_ptr_array (out));
  ls_rule_input (self, layout);
  ls_rule_output (self, layout);
  return TRUE;
}

/* The layouts that are asked for; FALSE: the extents do not fit them. */
static gboolean
convolve_as_desired (LsLayoutRule       *self,
                     const char *data,
                     const char *kernel,
                     const char *out)
{
  const char *to_data = desired_at (self, 0), *to_kernel = desired_at (self, 1), *to_out = desired_at (self, 2);
  guint n = ls_layout_ndim (data);
  g_autofree char *a = NULL, *b = NULL, *c = NULL;

  to_out = to_out != NULL ? to_out : to_data;
  if (to_data == NULL || to_kernel == NULL)
    return FALSE;
  if (ls_layout_ndim (to_data) == n && ls_layout_ndim (to_kernel) == ls_layout_ndim (kernel) && ls_layout_ndim (to_out) == ls_layout_ndim (out))
    {
      a = ls_layout_transpose (ls_layout_start (n), data, to_data);
      b = ls_layout_transpose (ls_layout_start (n), kernel, to_kernel);
      c = ls_layout_transpose (ls_layout_start (n), out, to_out);
    }
  else if (ls_layout_divides (data, to_data, ls_rule_extents (self, 0)) && ls_layout_divides (kernel, to_kernel, ls_rule_extents (self, 1)))
    {
      a = ls_layout_transpose_split (ls_layout_start (n), data, to_data);
      b = ls_layout_transpose_split (ls_layout_start (n), kernel, to_kernel);
      c = ls_layout_transpose_split (ls_layout_start (n), out, to_out);
    }
  if (a == NULL || b == NULL || c == NULL)
    return FALSE;
  ls_rule_set_layout (self, "data_layout", g_strdup (to_data));
  ls_rule_set_layout (self, "kernel_layout", g_strdup (to_kernel));
  ls_rule_set_layout (self, "out_layout", g_strdup (to_out));
  ls_rule_input (self, a);
  ls_rule_input (self, b);
  ls_rule_output (self, c);
  return TRUE;
}

gboolean
ls_layout_rule_convolve (LsLayoutRule *self)
{
  const char *data = ls_rule_attr_text (self, "data_layout", "NCHW"), *kernel = ls_rule_attr_text (self, "kernel_layout", "OIHW"), *out = ls_rule_attr_text (self, "out_layout", data);
  guint n = ls_layout_ndim (data);
  const char *a = ls_rule_layout (self, 0), *b = ls_rule_layout (self, 1);

  if (self->desired != NULL)
    {
      if (convolve_as_desired (self, data, kernel, out))
        return TRUE;
      a = b = ls_layout_start (n);
    }
  if (ls_layout_is_split (a) || ls_layout_is_split (b))
    a = b = ls_layout_start (n);
  ls_rule_input (self, a);
  ls_rule_input (self, b);
  ls_rule_output (self, a);
  return ls_rule_set_layout (self, "data_layout", ls_layout_transpose (data, ls_layout_start (n), a)) && ls_rule_set_layout (self, "kernel_layout", ls_layout_transpose (kernel, ls_layout_start (n), b))
         && ls_rule_set_layout (self, "out_layout", ls_layout_transpose (out, ls_layout_start (n), a));
}
