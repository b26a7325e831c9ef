/* op/layout: see the header. */
#include "engine/relax/op/layout.h"

#include <inttypes.h>
#include <string.h>

guint
ls_layout_ndim (const char *layout)
{
  guint n = 0;

  for (const char *c = layout; *c != '\0'; c++)
    n += g_ascii_isalpha (*c) != 0;
  return n;
}

gboolean
ls_layout_splits (const char *layout)
{
  for (const char *c = layout; *c != '\0'; c++)
    if (!g_ascii_isupper (*c))
      return TRUE;
  return FALSE;
}

gint
ls_layout_index (const char *layout,
                 char        axis)
{
  gint at = 0;

  for (const char *c = layout; *c != '\0'; c++)
    if (*c == axis)
      return at;
    else
      at += g_ascii_isalpha (*c) != 0;
  return -1;
}

gint64
ls_layout_inner (const char *layout,
                 char        axis)
{
  gint64 product = 1, number = 0;

  for (const char *c = layout; *c != '\0'; c++)
    if (g_ascii_isdigit (*c))
      number = MIN (number * 10 + (*c - '0'), G_MAXINT32);
    else
      {
        if (*c == g_ascii_tolower (axis) && number > 0)
          product *= number;
        number = 0;
      }
  return product;
}

LsExpr *
ls_layout_extent (LsInfer    *self,
                  const char *layout,
                  LsArray    *extents,
                  char        axis)
{
  LsExpr *outer = ls_extent_at (extents, ls_layout_index (layout, axis));
  gint64 inner = ls_layout_inner (layout, axis);

  return inner == 1 ? outer : ls_infer_simplify (self, ls_mul (ls_ref (outer), ls_extent (inner)));
}

LsExpr *
ls_layout_part (LsInfer    *self,
                const char *layout,
                const char *at,
                LsExpr     *whole)
{
  const char *number = at;
  gint64 inner = ls_layout_inner (layout, *at);

  while (number > layout && g_ascii_isdigit (number[-1]))
    number--;
  if (g_ascii_islower (*at))
    return ls_infer_keep (self, ls_extent (g_ascii_strtoll (number, NULL, 10)));
  return inner == 1 ? whole : ls_infer_simplify (self, ls_floordiv (ls_ref (whole), ls_extent (inner)));
}

gboolean
ls_infer_layout_has (LsInfer    *self,
                     const char *layout,
                     const char *outer,
                     guint       n)
{
  static const char *const WINDOWS[] = { "", "W", "HW", "DHW" };
  g_autofree char *letters = g_strconcat (outer, WINDOWS[MIN (n, 3)], NULL);
  guint n_axes = 0;
  gboolean fine = TRUE;

  for (const char *c = layout; *c != '\0'; c++)
    if (g_ascii_isupper (*c))
      {
        n_axes++;
        fine = fine && strchr (letters, *c) != NULL && strchr (c + 1, *c) == NULL;
      }
    else
      fine = fine && (g_ascii_isdigit (*c) || strchr (letters, g_ascii_toupper (*c)) != NULL);
  if (fine && n_axes == strlen (letters))
    return TRUE;
  ls_infer_fail (self, "takes a layout of the axes %s; \"%s\" is none.", letters, layout);
  return FALSE;
}

gboolean
ls_infer_layout_fits (LsInfer            *self,
                      guint               i,
                      LsTensorStructInfo *x,
                      const char         *layout)
{
  if (x->ndim < 0 || x->ndim == ls_layout_ndim (layout))
    return TRUE;
  ls_infer_fail (self, "takes a tensor of %u dimensions (%s) as %s; it has %" PRId64 ".", ls_layout_ndim (layout), layout,
                 ls_infer_arg_name (self, i), x->ndim);
  return FALSE;
}

gboolean
ls_infer_is_window (LsInfer    *self,
                    const char *name,
                    LsArray    *list,
                    guint       n)
{
  gint64 value;

  if (list == NULL || list->n != n)
    {
      ls_infer_fail (self, "takes %u numbers as `%s`; there are %u.", n, name, ls_array_n (list));
      return FALSE;
    }
  for (guint i = 0; i < n; i++)
    if (!ls_as_int (list->items[i], &value) || ABS (value) > G_MAXINT32 || (value == 0 && strstr (name, "strides") != NULL))
      {
        ls_infer_fail (self, "takes whole numbers as `%s`, and no stride of 0.", name);
        return FALSE;
      }
  return TRUE;
}
