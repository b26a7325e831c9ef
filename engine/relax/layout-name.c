/* layout-name: layouts as texts (infer-layout.h says what they mean): where axes are, how one is made of others. */
#include "engine/relax/infer-layout-private.h"

#include "engine/relax/op/layout.h"
#include "engine/tir/tir.h"

#include <string.h>

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

LsNode *
ls_layout_leaf (const char *text)
{
  return LS_NODE (ls_string_new (text));
}

const char *
ls_layout_text (LsNode *layout)
{
  return ls_is (layout, STRING) ? ((LsString *) layout)->value : LS_LAYOUT_UNKNOWN;
}

/* A layout that came out as nothing is not that of a scalar. */
LsNode *
ls_layout_made (const char *text)
{
  return ls_layout_leaf (text[0] != '\0' ? text : LS_LAYOUT_NOTHING);
}

const char *
ls_layout_start (guint n)
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
    return ls_layout_leaf (ndim < 0 || ndim > 26 ? LS_LAYOUT_UNKNOWN : ls_layout_start ((guint) ndim));
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
    return ls_is (a, STRING) && ls_is (b, STRING) && g_str_equal (ls_layout_text (a), ls_layout_text (b));
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
gint
ls_layout_place (const char *layout,
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
char *
ls_layout_transpose (const char *input,
                const char *src,
                const char *dst)
{
  g_autoptr (GString) out = g_string_new (NULL);
  guint n = ls_layout_ndim (dst);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *axis = ls_layout_axis (dst, i);
      gint at = ls_layout_place (src, axis);
      g_autofree char *found = at >= 0 ? ls_layout_axis (input, (guint) at) : NULL;

      if (found == NULL)
        return NULL;
      g_string_append (out, found);
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* The same for characters that need not be letters. (transfer full) */
char *
ls_layout_transpose_chars (const char *input,
                const char *src,
                const char *dst)
{
  guint n = ls_layout_ndim (dst);
  char *out = g_malloc0 (n + 1);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *axis = ls_layout_axis (dst, i);
      gint at = ls_layout_place (src, axis);

      out[i] = at >= 0 && (gsize) at < strlen (input) ? input[at] : '0';
    }
  return out;
}

/* With split axes: each letter of `desired`, found in `src`, becomes that of `ref`; NULL when it is not there. (transfer full) */
char *
ls_layout_transpose_split (const char *ref,
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

/* Where axis number `axis` has gone; one below 0 counts from the last whole axis. */
gint64
ls_layout_find_axis (const char *layout,
           gint64      axis)
{
  gint64 n = 0, at = 0;

  for (const char *c = layout; *c != '\0'; c++)
    n += g_ascii_isupper (*c);
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
gboolean
ls_layout_divides (const char *from,
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

      g_ptr_array_add (out, ls_int_imm_new (LS_INT64, ls_layout_place (from, axis)));
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

guint
ls_layout_n_whole (const char *layout)
{
  guint n = 0;

  for (const char *c = layout; *c != '\0'; c++)
    n += g_ascii_isupper (*c) != 0;
  return n;
}

gboolean
ls_layout_is_split (const char *layout)
{
  return ls_layout_ndim (layout) != ls_layout_n_whole (layout);
}
