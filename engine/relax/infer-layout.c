/* infer-layout: see the header; the rules of the operators stand in the table at the end. */
#include "engine/relax/infer-layout.h"

#include "engine/arith/analyzer.h"
#include "engine/relax/op/layout.h"
#include "engine/tir/tir.h"

#include <string.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* ---- layouts as texts ----------------------------------------------------------------- */

static LsNode *
leaf (const char *text)
{
  return LS_NODE (ls_string_new (text));
}

static const char *
text_of (LsNode *layout)
{
  return ls_is (layout, STRING) ? ((LsString *) layout)->value : LS_LAYOUT_UNKNOWN;
}

/* A layout that came out as nothing is not that of a scalar. */
static LsNode *
made (const char *text)
{
  return leaf (text[0] != '\0' ? text : LS_LAYOUT_NOTHING);
}

static const char *
initial (guint n)
{
  static const char *const all = LETTERS;
  static char starts[27][27];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (guint i = 0; i <= 26; i++)
        memcpy (starts[i], all, i);
      g_once_init_leave (&ready, 1);
    }
  return starts[MIN (n, 26)];
}

LsNode *
ls_layout_initial (LsStructInfo *info)
{
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  gint64 ndim = ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->ndim : -1;
  GPtrArray *out;

  if (fields == NULL)
    return leaf (ndim < 0 || ndim > 26 ? LS_LAYOUT_UNKNOWN : initial ((guint) ndim));
  out = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    g_ptr_array_add (out, ls_layout_initial (fields->items[i]));
  return LS_NODE (ls_array_take_ptr_array (out));
}

gboolean
ls_layout_equal (LsNode *a,
                 LsNode *b)
{
  LsArray *x = (LsArray *) a, *y = (LsArray *) b;

  if (ls_is (a, STRING) || ls_is (b, STRING))
    return ls_is (a, STRING) && ls_is (b, STRING) && g_str_equal (text_of (a), text_of (b));
  if (x->n != y->n)
    return FALSE;
  for (guint i = 0; i < x->n; i++)
    if (!ls_layout_equal (x->items[i], y->items[i]))
      return FALSE;
  return TRUE;
}

char *
ls_layout_axis (const char *layout,
                guint       i)
{
  const char *start = layout;

  for (const char *c = layout; *c != '\0'; c++)
    if (g_ascii_isalpha (*c))
      {
        if (i-- == 0)
          return g_strndup (start, (gsize) (c - start) + 1);
        start = c + 1;
      }
  return g_strdup ("");
}

/* The place of an axis ("B", "4b") among the dimensions, -1. */
static gint
place_of (const char *layout,
          const char *axis)
{
  guint n = ls_layout_ndim (layout);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *other = ls_layout_axis (layout, i);

      if (other[strlen (other) - 1] == axis[strlen (axis) - 1])
        return (gint) i;
    }
  return -1;
}

/* Dimension i of the result is that of `input` where `src` has dimension i of `dst`; NULL when it has not. (transfer full) */
static char *
transpose_like (const char *input,
                const char *src,
                const char *dst)
{
  g_autoptr (GString) out = g_string_new (NULL);
  guint n = ls_layout_ndim (dst);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *axis = ls_layout_axis (dst, i);
      gint at = place_of (src, axis);
      g_autofree char *found = at >= 0 ? ls_layout_axis (input, (guint) at) : NULL;

      if (found == NULL)
        return NULL;
      g_string_append (out, found);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* The same for characters that need not be letters. (transfer full) */
static char *
transpose_text (const char *input,
                const char *src,
                const char *dst)
{
  guint n = ls_layout_ndim (dst);
  char *out = g_malloc0 (n + 1);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *axis = ls_layout_axis (dst, i);
      gint at = place_of (src, axis);

      out[i] = at >= 0 && (gsize) at < strlen (input) ? input[at] : '0';
    }
  return out;
}

/* With split axes: each letter of `desired`, found in `src`, becomes that of `ref`; NULL when it is not there. (transfer full) */
static char *
transpose_split (const char *ref,
                 const char *src,
                 const char *desired)
{
  GString *out = g_string_new (NULL);

  for (const char *c = desired; *c != '\0'; c++)
    {
      const char *at = g_ascii_isdigit (*c) ? NULL : strchr (src, g_ascii_toupper (*c));

      if (g_ascii_isdigit (*c))
        g_string_append_c (out, *c);
      else if (at == NULL || (gsize) (at - src) >= strlen (ref))
        {
          g_string_free (out, TRUE);
          return NULL;
        }
      else
        g_string_append_c (out, g_ascii_isupper (*c) ? ref[at - src] : g_ascii_tolower (ref[at - src]));
    }
  return g_string_free (out, FALSE);
}

/* Where axis number `axis` has gone. */
static gint64
find_axis (const char *layout,
           gint64      axis)
{
  gint64 n = ls_layout_ndim (layout), at = 0;

  axis = n > 0 ? (axis + n) % n : axis;
  for (const char *c = layout; *c != '\0'; c++)
    if (g_ascii_isalpha (*c))
      {
        if (*c == 'A' + axis)
          return at;
        at++;
      }
  return -1;
}

/* Do the extents (in layout `from`) divide into those of `to`? */
static gboolean
divides (const char *from,
         const char *to,
         LsArray    *extents)
{
  if (extents == NULL || extents->n != ls_layout_ndim (from))
    return FALSE;
  for (const char *c = to; *c != '\0'; c++)
    if (g_ascii_isalpha (*c) && strchr (from, g_ascii_toupper (*c)) == NULL)
      return FALSE;
  for (guint i = 0; i < extents->n; i++)
    {
      g_autofree char *axis = ls_layout_axis (from, i);
      gint64 extent;

      if (!g_ascii_isupper (axis[0]))
        continue;
      if (strchr (to, axis[0]) == NULL)
        return FALSE;
      if (ls_as_int (extents->items[i], &extent) && extent * ls_layout_inner (from, axis[0]) % ls_layout_inner (to, axis[0]) != 0)
        return FALSE;
    }
  return TRUE;
}

LsArray *
ls_layout_permutation (const char *from,
                       const char *to)
{
  guint n = ls_layout_ndim (to);
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *axis = ls_layout_axis (to, i);

      g_ptr_array_add (out, ls_int_imm_new (LS_INT64, place_of (from, axis)));
    }
  return ls_array_take_ptr_array (out);
}

/* The number of an axis's element by the indices of a layout. (transfer full) */
static LsExpr *
whole_index (const char *layout,
             LsArray    *vars,
             char        letter)
{
  guint n = ls_layout_ndim (layout);
  LsExpr *sum = NULL;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *axis = ls_layout_axis (layout, i);
      char last = axis[strlen (axis) - 1];
      gint64 factor = 1;
      LsExpr *part;

      if (g_ascii_toupper (last) != letter)
        continue;
      if (g_ascii_isupper (last))
        factor = ls_layout_inner (layout, letter);
      else
        for (guint k = i + 1; k < n; k++)
          {
            g_autofree char *other = ls_layout_axis (layout, k);

            if (other[strlen (other) - 1] == last)
              factor *= g_ascii_strtoll (other, NULL, 10);
          }
      part = LS_EXPR (ls_node_ref (vars->items[i]));
      part = factor > 1 ? ls_mul (part, ls_int_imm_new (LS_INT32, factor)) : part;
      sum = sum != NULL ? ls_add (sum, part) : part;
    }
  return sum;
}

LsNode *
ls_layout_index_map (const char *from,
                     const char *to)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  GPtrArray *list = g_ptr_array_new (), *out = g_ptr_array_new ();
  guint n = ls_layout_ndim (from), m = ls_layout_ndim (to);
  LsArray *vars;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("i%u", i);

      g_ptr_array_add (list, ls_var_new (name, LS_INT32));
    }
  vars = ls_array_take_ptr_array (list);
  for (guint i = 0; i < m; i++)
    {
      g_autofree char *axis = ls_layout_axis (to, i);
      char last = axis[strlen (axis) - 1];
      LsExpr *index = whole_index (from, vars, g_ascii_toupper (last));
      gint64 inner = ls_layout_inner (to, last), stride = 1;

      if (index == NULL)
        index = ls_int_imm_new (LS_INT32, 0);
      if (g_ascii_isupper (last))
        index = inner > 1 ? ls_floordiv (index, ls_int_imm_new (LS_INT32, inner)) : index;
      else
        {
          for (guint k = i + 1; k < m; k++)
            {
              g_autofree char *other = ls_layout_axis (to, k);

              if (other[strlen (other) - 1] == last)
                stride *= g_ascii_strtoll (other, NULL, 10);
            }
          index = stride > 1 ? ls_floordiv (index, ls_int_imm_new (LS_INT32, stride)) : index;
          index = ls_floormod (index, ls_int_imm_new (LS_INT32, g_ascii_strtoll (axis, NULL, 10)));
        }
      ls_take (&index, ls_analyzer_simplify (analyzer, index));
      g_ptr_array_add (out, index);
    }
  return LS_NODE (ls_index_map_new (vars, ls_array_take_ptr_array (out), NULL));
}

/* ---- what a rule sees ----------------------------------------------------------------------- */

typedef struct {
  LsRelaxCall    *call;
  const char     *name;         /* without "relax." */
  GPtrArray      *layouts, *infos;
  LsStructInfo   *result;
  LsArray        *desired;      /* of String, or NULL */
  LsLayoutChoice *choice;
  GError        **error;
} Rule;

static const char *
layout_at (Rule  *self,
           guint  i)
{
  return text_of (self->layouts->pdata[i]);
}

static gint64
ndim_at (Rule  *self,
         guint  i)
{
  LsNode *info = self->infos->pdata[i];

  return ls_is (info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) info)->ndim : -1;
}

static LsArray *
extents_at (Rule  *self,
            guint  i)
{
  LsTensorStructInfo *info = self->infos->pdata[i];

  return ls_is (info, TENSOR_STRUCT_INFO) && ls_is (info->shape, SHAPE_EXPR) ? ((LsShapeExpr *) info->shape)->values : NULL;
}

/* Of argument i; the initial one if an axis is split. */
static const char *
whole_layout_at (Rule  *self,
                 guint  i)
{
  const char *layout = layout_at (self, i);

  return ls_layout_splits (layout) && layout[0] != LS_LAYOUT_NOTHING[0] ? initial ((guint) ndim_at (self, i)) : layout;
}

static LsNode *
attr (Rule       *self,
      const char *name)
{
  for (guint i = 0; i < self->call->attr_names->n; i++)
    if (g_str_equal (ls_array_at (self->call->attr_names, i, LsString)->value, name))
      return self->call->attrs->items[i];
  return NULL;
}

static const char *
attr_text (Rule       *self,
           const char *name,
           const char *otherwise)
{
  LsNode *value = attr (self, name);

  return ls_is (value, STRING) && ((LsString *) value)->value[0] != '\0' ? ((LsString *) value)->value : otherwise;
}

/* Takes the value. */
static void
set_attr (Rule       *self,
          const char *name,
          gpointer    value)
{
  g_autoptr (LsNode) node = value;

  for (guint i = 0; i < self->call->attr_names->n; i++)
    if (g_str_equal (ls_array_at (self->call->attr_names, i, LsString)->value, name))
      ls_take (&self->choice->attrs, ls_array_with (self->choice->attrs, i, node));
}

static void
input (Rule       *self,
       const char *layout)
{
  g_ptr_array_add (self->choice->inputs, leaf (layout));
}

static void
initial_inputs (Rule  *self,
                guint  from,
                guint  n)
{
  for (guint i = from; i < n; i++)
    g_ptr_array_add (self->choice->inputs, ls_layout_initial (self->infos->pdata[i]));
}

static void
output (Rule       *self,
        const char *layout)
{
  self->choice->output = leaf (layout);
}

/* Takes the layout; FALSE when it is NULL. */
static gboolean
set_layout (Rule       *self,
            const char *name,
            char       *layout)
{
  if (layout != NULL)
    set_attr (self, name, ls_string_new (layout));
  g_free (layout);
  return layout != NULL;
}

/* A list of whole numbers as an array of gint64; when it is None 0, 1, ..., n - 1. (transfer full) */
static GArray *
axes_of (LsNode *list,
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

static LsArray *
numbers (GArray *list)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < list->len; i++)
    g_ptr_array_add (out, ls_int_imm_new (LS_INT64, g_array_index (list, gint64, i)));
  return ls_array_take_ptr_array (out);
}

static void
set_found_axis (Rule       *self,
                const char *name,
                const char *layout,
                gint64      otherwise)
{
  gint64 axis = otherwise;

  ls_as_int (attr (self, name), &axis);
  set_attr (self, name, ls_int_imm_new (LS_INT64, find_axis (layout, axis)));
}

static void
set_found_axes (Rule       *self,
                const char *name,
                const char *layout)
{
  GArray *axes = axes_of (attr (self, name), 0);

  for (guint i = 0; i < axes->len; i++)
    g_array_index (axes, gint64, i) = find_axis (layout, g_array_index (axes, gint64, i));
  set_attr (self, name, numbers (axes));
  g_array_unref (axes);
}

/* ---- rules: TRUE when there is a choice -------------------------------------------------------- */

static gboolean
same (Rule *self)
{
  input (self, layout_at (self, 0));
  output (self, layout_at (self, 0));
  if (ls_is (self->result, TUPLE_STRUCT_INFO))
    {
      ls_node_unref (self->choice->output);
      self->choice->output = LS_NODE (ls_array_of (leaf (layout_at (self, 0)), leaf (layout_at (self, 0)), NULL));
    }
  return TRUE;
}

/* `layout` behind the axes that are added in front of it. (transfer full) */
static char *
follow (const char *layout,
        guint       ndim)
{
  guint n = ls_layout_ndim (layout), more = ndim - MIN (ndim, n);
  GString *out = g_string_new (initial (more));

  for (const char *c = layout; *c != '\0'; c++)
    g_string_append_c (out, g_ascii_isalpha (*c) ? (char) (*c + more) : *c);
  return g_string_free (out, FALSE);
}

static guint
n_whole (const char *layout)
{
  guint n = 0;

  for (const char *c = layout; *c != '\0'; c++)
    n += g_ascii_isupper (*c) != 0;
  return n;
}

static gboolean
both (Rule       *self,
      const char *layout)
{
  input (self, layout);
  input (self, layout);
  output (self, layout);
  return TRUE;
}

static gboolean
is_split (const char *layout)
{
  return ls_layout_ndim (layout) != n_whole (layout);
}

static gboolean
broadcast (Rule *self)
{
  gint64 n1 = ndim_at (self, 0), n2 = ndim_at (self, 1);
  const char *a = layout_at (self, 0), *b = layout_at (self, 1);
  g_autofree char *out = NULL;

  if (n1 < 0 || n2 < 0)
    return FALSE;
  if ((is_split (a) || is_split (b)) && n_whole (a) == n_whole (b))
    {
      if (ls_layout_ndim (a) >= ls_layout_ndim (b) && extents_at (self, 1) != NULL)
        {
          if (divides (initial (extents_at (self, 1)->n), a, extents_at (self, 1)))
            return both (self, a);
        }
      else if (extents_at (self, 0) != NULL && divides (initial (extents_at (self, 0)->n), b, extents_at (self, 0)))
        return both (self, b);
    }
  if (n1 <= n2)
    {
      input (self, n1 == 0 ? LS_LAYOUT_NOTHING : a);
      out = n1 == 0 ? g_strdup (b) : follow (a, (guint) n2);
      input (self, out);
    }
  else
    {
      out = n2 == 0 ? g_strdup (a) : follow (b, (guint) n1);
      input (self, out);
      input (self, n2 == 0 ? LS_LAYOUT_NOTHING : b);
    }
  output (self, out);
  return TRUE;
}

static gboolean
three (Rule *self)
{
  for (guint i = 0; i < 3; i++)
    input (self, layout_at (self, 0));
  output (self, layout_at (self, 0));
  return TRUE;
}

static gboolean
concat (Rule *self)
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
  set_found_axis (self, "axis", text_of (fields->items[0]), 0);
  return TRUE;
}

static gboolean
expand_dims (Rule *self)
{
  gint64 ndim = ndim_at (self, 0);
  const char *layout = whole_layout_at (self, 0);
  GArray *axes = axes_of (attr (self, "axis"), 0);
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
  moved = transpose_text (old->str, initial ((guint) ndim), layout);
  for (gint64 i = 0; i < n; i++)
    g_string_append_c (out, fresh[i] ? (char) ('A' + i) : moved[at++]);
  input (self, layout);
  self->choice->output = made (out->str);
  return TRUE;
}

static gboolean
permute_dims (Rule *self)
{
  gint64 ndim = ndim_at (self, 0);
  const char *layout = whole_layout_at (self, 0);
  GArray *order = axes_of (attr (self, "axes"), ndim);
  gboolean given = ls_is (attr (self, "axes"), ARRAY);

  for (guint i = 0; i < order->len; i++)
    {
      gint64 axis = given ? g_array_index (order, gint64, i) : ndim - 1 - i;

      g_array_index (order, gint64, i) = find_axis (layout, (axis + ndim) % ndim);
    }
  set_attr (self, "axes", numbers (order));
  g_array_unref (order);
  input (self, layout);
  output (self, initial ((guint) ndim));
  return TRUE;
}

static gboolean
split (Rule *self)
{
  const char *layout = layout_at (self, 0);
  LsArray *fields = ls_is (self->result, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) self->result)->fields : NULL;
  GPtrArray *out;

  if (fields == NULL)
    return FALSE;
  for (guint i = 0; i < fields->n && is_split (layout); i++)
    {
      LsTensorStructInfo *info = (LsTensorStructInfo *) fields->items[i];

      if (!ls_is (info->shape, SHAPE_EXPR) || !divides (initial ((guint) ndim_at (self, 0)), layout, ((LsShapeExpr *) info->shape)->values))
        layout = initial ((guint) ndim_at (self, 0));
    }
  out = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    g_ptr_array_add (out, leaf (layout));
  set_found_axis (self, "axis", layout, 0);
  input (self, layout);
  self->choice->output = LS_NODE (ls_array_take_ptr_array (out));
  return TRUE;
}

static gboolean
squeeze (Rule *self)
{
  gint64 ndim = ndim_at (self, 0);
  const char *layout = whole_layout_at (self, 0);
  LsArray *extents = extents_at (self, 0);
  GArray *axes = axes_of (attr (self, "axis"), 0);
  g_autofree char *marks = g_strnfill ((gsize) ndim, '0'), *moved = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  char next = 'A';

  for (guint i = 0; !ls_is (attr (self, "axis"), ARRAY) && i < ls_array_n (extents); i++)
    if (ls_is_one (extents->items[i]))
      marks[i] = '1';
  for (guint i = 0; i < axes->len; i++)
    marks[(g_array_index (axes, gint64, i) + ndim) % ndim] = '1';
  for (gint64 i = 0; i < ndim; i++)
    if (marks[i] != '1')
      marks[i] = next++;
  moved = transpose_text (marks, initial ((guint) ndim), layout);
  g_array_set_size (axes, 0);
  for (gint64 i = 0; i < ndim; i++)
    if (moved[i] == '1')
      g_array_append_val (axes, i);
    else
      g_string_append_c (out, moved[i]);
  set_attr (self, "axis", numbers (axes));
  g_array_unref (axes);
  input (self, layout);
  self->choice->output = made (out->str);
  return extents != NULL;
}

static gboolean
reduce (Rule *self)
{
  gint64 ndim = ndim_at (self, 0), keep = 0, at = 0;
  const char *layout = layout_at (self, 0);
  GArray *axes = axes_of (attr (self, "axis"), ndim);
  g_autofree char *marks = g_strnfill ((gsize) ndim, '0'), *moved = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  char next = 'A';

  for (guint i = 0; i < axes->len; i++)
    marks[(g_array_index (axes, gint64, i) + ndim) % ndim] = '#';
  for (gint64 i = 0; i < ndim; i++)
    if (marks[i] != '#')
      marks[i] = next++;
  moved = transpose_split (marks, initial ((guint) ndim), layout[0] == LS_LAYOUT_NOTHING[0] ? "" : layout);
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
  set_attr (self, "axis", numbers (axes));
  g_array_unref (axes);
  ls_as_int (attr (self, "keepdims"), &keep);
  input (self, layout);
  self->choice->output = keep != 0 ? leaf (layout) : made (out->str);
  return moved != NULL;
}

static gboolean
softmax (Rule *self)
{
  const char *layout = whole_layout_at (self, 0);

  set_found_axis (self, "axis", layout, -1);
  input (self, layout);
  output (self, layout);
  return TRUE;
}

static gboolean
batch_norm (Rule *self)
{
  const char *layout = whole_layout_at (self, 0);

  set_found_axis (self, "axis", layout, 1);
  input (self, layout);
  initial_inputs (self, 1, 5);
  self->choice->output = LS_NODE (ls_array_of (leaf (layout), ls_layout_initial (self->infos->pdata[3]), ls_layout_initial (self->infos->pdata[4]), NULL));
  return TRUE;
}

static gboolean
norm (Rule *self)
{
  const char *layout = layout_at (self, 0);

  set_found_axes (self, "axes", layout);
  set_found_axis (self, "channel_axis", layout, 1);
  input (self, layout);
  initial_inputs (self, 1, self->call->args->n);
  output (self, layout);
  return TRUE;
}

static gboolean
pool (Rule *self)
{
  const char *layout = layout_at (self, 0), *was = attr_text (self, "layout", "NCHW"), *out = attr_text (self, "out_layout", was);
  guint n = ls_layout_ndim (was);

  if (is_split (layout))
    {
      g_autofree char *wanted = transpose_split (was, initial (n), layout);

      if (wanted != NULL && divides (was, wanted, extents_at (self, 0)))
        {
          set_layout (self, "layout", g_strdup (wanted));
          set_layout (self, "out_layout", g_strdup (wanted));
          input (self, layout);
          output (self, layout);
          return TRUE;
        }
      layout = initial (n);
    }
  input (self, layout);
  output (self, layout);
  return set_layout (self, "layout", transpose_like (was, initial (n), layout)) && set_layout (self, "out_layout", transpose_like (out, initial (n), layout));
}

static const char *
desired_at (Rule  *self,
            guint  i)
{
  LsNode *text = i < ls_array_n (self->desired) ? self->desired->items[i] : NULL;

  return ls_is (text, STRING) ? ((LsString *) text)->value : NULL;
}

static gboolean
resize (Rule *self)
{
  const char *was = attr_text (self, "layout", "NCHW"), *wanted = desired_at (self, 0);
  g_autofree char *layout = NULL;

  if (wanted != NULL)
    {
      layout = transpose_like (initial (4), was, wanted);
      set_layout (self, "layout", g_strdup (wanted));
    }
  else
    {
      layout = g_strdup (whole_layout_at (self, 0));
      set_layout (self, "layout", transpose_like (was, initial (4), layout));
    }
  if (layout == NULL)
    return FALSE;
  input (self, layout);
  initial_inputs (self, 1, 2);
  output (self, layout);
  return TRUE;
}

static gboolean
strided_slice (Rule *self)
{
  const char *layout = whole_layout_at (self, 0);
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
      g_ptr_array_add (out, ls_prim_value_new (ls_int_imm_new (LS_INT64, find_axis (layout, axis))));
    }
  self->choice->new_arg = 1;
  self->choice->new_value = ls_relax_tuple_new (ls_array_take_ptr_array (out));
  input (self, layout);
  output (self, layout);
  return TRUE;
}

/* The layouts that are asked for; FALSE: the extents do not fit them. */
static gboolean
convolve_as_desired (Rule       *self,
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
      a = transpose_like (initial (n), data, to_data);
      b = transpose_like (initial (n), kernel, to_kernel);
      c = transpose_like (initial (n), out, to_out);
    }
  else if (divides (data, to_data, extents_at (self, 0)) && divides (kernel, to_kernel, extents_at (self, 1)))
    {
      a = transpose_split (initial (n), data, to_data);
      b = transpose_split (initial (n), kernel, to_kernel);
      c = transpose_split (initial (n), out, to_out);
    }
  if (a == NULL || b == NULL || c == NULL)
    return FALSE;
  set_layout (self, "data_layout", g_strdup (to_data));
  set_layout (self, "kernel_layout", g_strdup (to_kernel));
  set_layout (self, "out_layout", g_strdup (to_out));
  input (self, a);
  input (self, b);
  output (self, c);
  return TRUE;
}

static gboolean
convolve (Rule *self)
{
  const char *data = attr_text (self, "data_layout", "NCHW"), *kernel = attr_text (self, "kernel_layout", "OIHW"), *out = attr_text (self, "out_layout", data);
  guint n = ls_layout_ndim (data);
  const char *a = layout_at (self, 0), *b = layout_at (self, 1);

  if (self->desired != NULL)
    {
      if (convolve_as_desired (self, data, kernel, out))
        return TRUE;
      a = b = initial (n);
    }
  if (is_split (a) || is_split (b))
    a = b = initial (n);
  input (self, a);
  input (self, b);
  output (self, a);
  return set_layout (self, "data_layout", transpose_like (data, initial (n), a)) && set_layout (self, "kernel_layout", transpose_like (kernel, initial (n), b))
         && set_layout (self, "out_layout", transpose_like (out, initial (n), a));
}

/* ---- the table ------------------------------------------------------------------------------------ */

typedef gboolean (*RuleFunc) (Rule *self);

static RuleFunc
rule_of (const char *name)
{
  static const char *const UNARY[] = {
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwise_not", "ceil", "cos", "cosh", "erf", "exp", "floor", "isfinite", "isinf", "isnan",
    "log", "logical_not", "negative", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "clip", "astype", "trunc",
    "nn.relu", "nn.gelu", "nn.gelu_tanh", "nn.selu", "nn.silu", "nn.dropout", "ccl.allreduce", "ccl.broadcast_from_worker0", NULL };
  static const char *const BINARY[] = {
    "add", "divide", "floor_divide", "multiply", "power", "subtract", "mod", "floor_mod", "equal", "greater", "greater_equal", "less", "less_equal",
    "not_equal", "maximum", "minimum", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift",
    NULL };
  static const char *const REDUCE[] = { "max", "mean", "min", "prod", "std", "sum", "variance", NULL };
  static const char *const CONV[] = { "nn.conv1d", "nn.conv2d", "nn.conv3d", "nn.conv2d_transpose", NULL };
  static const char *const POOL[] = { "nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d", "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d",
                                      "nn.adaptive_avg_pool1d", "nn.adaptive_avg_pool2d", "nn.adaptive_avg_pool3d", NULL };
  static const char *const NORM[] = { "nn.layer_norm", "nn.group_norm", "nn.instance_norm", "nn.rms_norm", NULL };
  static const struct { const char *name; RuleFunc rule; } OTHERS[] = {
    { "ewise_fma", three }, { "concat", concat }, { "expand_dims", expand_dims }, { "permute_dims", permute_dims }, { "split", split },
    { "squeeze", squeeze }, { "nn.softmax", softmax }, { "nn.prelu", NULL }, { "nn.batch_norm", batch_norm }, { "image.resize2d", resize },
    { "strided_slice", strided_slice },
  };
  static const struct { const char *const *names; RuleFunc rule; } FAMILIES[] = {
    { UNARY, same }, { BINARY, broadcast }, { REDUCE, reduce }, { CONV, convolve }, { POOL, pool }, { NORM, norm },
  };

  for (guint i = 0; i < G_N_ELEMENTS (FAMILIES); i++)
    if (g_strv_contains (FAMILIES[i].names, name))
      return FAMILIES[i].rule;
  for (guint i = 0; i < G_N_ELEMENTS (OTHERS); i++)
    if (g_str_equal (OTHERS[i].name, name))
      return OTHERS[i].rule;
  return NULL;
}

static gboolean
has_unknown (LsNode *layout)
{
  if (ls_is (layout, STRING))
    return g_str_equal (text_of (layout), LS_LAYOUT_UNKNOWN);
  for (guint i = 0; i < ((LsArray *) layout)->n; i++)
    if (has_unknown (((LsArray *) layout)->items[i]))
      return TRUE;
  return FALSE;
}

void
ls_layout_choice_free (LsLayoutChoice *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->inputs);
  ls_node_unref (self->output);
  ls_unref (self->attrs);
  ls_node_unref (self->new_value);
  g_free (self);
}

LsLayoutChoice *
ls_infer_layout (LsRelaxCall   *call,
                 GPtrArray     *layouts,
                 GPtrArray     *infos,
                 LsStructInfo  *result,
                 LsMap         *desired,
                 GError       **error)
{
  const char *name = ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name : NULL;
  RuleFunc rule = name != NULL ? rule_of (name + strlen ("relax.")) : NULL;
  g_autoptr (LsLayoutChoice) choice = NULL;
  Rule self = { call, name, layouts, infos, result, NULL, NULL, error };
  LsNode *wanted;

  if (rule == NULL || call->args->n == 0)
    return NULL;
  for (guint i = 0; i < layouts->len; i++)
    if ((ls_is (infos->pdata[i], TENSOR_STRUCT_INFO) || ls_is (infos->pdata[i], TUPLE_STRUCT_INFO))
        && !ls_is (call->args->items[i], SHAPE_EXPR) && ls_is (infos->pdata[i], TENSOR_STRUCT_INFO) && has_unknown (layouts->pdata[i]))
      return NULL;
  if (!ls_is (infos->pdata[0], TENSOR_STRUCT_INFO) && rule != concat)
    return NULL;
  wanted = desired != NULL ? ls_map_get (desired, name) : NULL;
  choice = g_new0 (LsLayoutChoice, 1);
  choice->inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  choice->attrs = ls_ref (call->attrs);
  choice->new_arg = -1;
  self.choice = choice;
  self.desired = ls_is (wanted, ARRAY) ? (LsArray *) wanted : NULL;
  return rule (&self) && choice->output != NULL ? g_steal_pointer (&choice) : NULL;
}
