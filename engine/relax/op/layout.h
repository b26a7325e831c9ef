/* relax/op/layout: layouts as texts, "NCHW" or "NCHW4c": capital letters are axes, a number with a small letter is the
 * inner part of the axis of that letter. */
#pragma once

#include "engine/relax/op/op.h"

G_BEGIN_DECLS

guint      ls_layout_ndim       (const char *layout);
/* Is an axis split? */
gboolean   ls_layout_splits     (const char *layout);
/* The dimension of a layout that an axis is, its outer part when it is split; -1 if it is not there. */
gint       ls_layout_index      (const char *layout,
                                 char        axis);
/* The extent of a whole axis (its parts multiplied). Kept. */
LsExpr    *ls_layout_extent     (LsInfer    *self,
                                 const char *layout,
                                 LsArray    *extents,
                                 char        axis);
/* How many elements of an axis (a letter, either case) are inside; 1: it is not split. */
gint64     ls_layout_inner      (const char *layout,
                                 char        axis);
/* The extent of the dimension at `at` (a letter in the layout) of an axis of that whole extent. Kept. */
LsExpr    *ls_layout_part       (LsInfer    *self,
                                 const char *layout,
                                 const char *at,
                                 LsExpr     *whole);
/* Has the layout just `outer` and the axes of an n-dimensional window? */
gboolean   ls_infer_layout_has  (LsInfer    *self,
                                 const char *layout,
                                 const char *outer,
                                 guint       n);
/* Has the tensor as many dimensions as the layout? */
gboolean   ls_infer_layout_fits (LsInfer    *self,
                                 guint       i,
                                 LsTensorStructInfo *x,
                                 const char *layout);
/* Is the attribute a list of n numbers? */
gboolean   ls_infer_is_window   (LsInfer    *self,
                                 const char *name,
                                 LsArray    *list,
                                 guint       n);

G_END_DECLS
