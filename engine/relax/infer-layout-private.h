/* infer-layout-private: what the files of the layout rules share.
 *
 *   layout-name       layouts as texts
 *   layout-rules      rules of elementwise operators and of those that move elements
 *   layout-rules-nn   rules of reductions, norms, pooling, slices and convolutions
 *   infer-layout      what a rule sees, and the table
 */
#pragma once

#include "engine/relax/infer-layout.h"

G_BEGIN_DECLS

/* ---- layout-name.c --------------------------------------------------------------------------- */

LsNode     *ls_layout_leaf            (const char   *text);
const char *ls_layout_text            (LsNode       *layout);
/* A layout that came out as nothing is not that of a scalar. (transfer full) */
LsNode     *ls_layout_made            (const char   *text);
/* The first n letters. */
const char *ls_layout_start           (guint         n);
/* The place of an axis ("B", "4b") among the dimensions, -1. */
gint        ls_layout_place           (const char   *layout,
                                       const char   *axis);
/* Dimension i of the result is that of `input` where `src` has dimension i of `dst`; NULL when it has not. (transfer full) */
char       *ls_layout_transpose       (const char   *input,
                                       const char   *src,
                                       const char   *dst);
/* The same for characters that need not be letters. (transfer full) */
char       *ls_layout_transpose_chars (const char   *input,
                                       const char   *src,
                                       const char   *dst);
/* With split axes: each letter of `desired`, found in `src`, becomes that of `ref`; NULL when it is not there. (transfer full) */
char       *ls_layout_transpose_split (const char   *ref,
                                       const char   *src,
                                       const char   *desired);
/* Where axis number `axis` has gone. */
gint64      ls_layout_find_axis       (const char   *layout,
                                       gint64        axis);
/* Do the extents (in layout `from`) divide into those of `to`? */
gboolean    ls_layout_divides         (const char   *from,
                                       const char   *to,
                                       LsArray      *extents);

/* How many axes there are, and whether one of them is split. */
guint       ls_layout_n_whole         (const char   *layout);
gboolean    ls_layout_is_split        (const char   *layout);

/* ---- layout-rule.c: what a rule sees ------------------------------------------------------- */

typedef struct {
  LsRelaxCall    *call;
  const char     *name;         /* without "relax." */
  GPtrArray      *layouts, *infos;
  LsStructInfo   *result;
  LsArray        *desired;      /* of String, or NULL */
  LsLayoutChoice *choice;
  GError        **error;
} LsLayoutRule;

/* TRUE when there is a choice. */
typedef gboolean (*LsLayoutRuleFunc) (LsLayoutRule *self);

/* Of argument i. */
const char *ls_rule_layout         (LsLayoutRule *self,
                                    guint         i);
gint64      ls_rule_ndim           (LsLayoutRule *self,
                                    guint         i);
LsArray    *ls_rule_extents        (LsLayoutRule *self,
                                    guint         i);
/* The initial one if an axis is split. */
const char *ls_rule_whole_layout   (LsLayoutRule *self,
                                    guint         i);
LsNode     *ls_rule_attr           (LsLayoutRule *self,
                                    const char   *name);
const char *ls_rule_attr_text      (LsLayoutRule *self,
                                    const char   *name,
                                    const char   *otherwise);
/* Takes the value. */
void        ls_rule_set_attr       (LsLayoutRule *self,
                                    const char   *name,
                                    gpointer      value);
/* The layout of the next argument, of several that stay as they were, and of the result. */
void        ls_rule_input          (LsLayoutRule *self,
                                    const char   *layout);
void        ls_rule_initial_inputs (LsLayoutRule *self,
                                    guint         from,
                                    guint         n);
void        ls_rule_output         (LsLayoutRule *self,
                                    const char   *layout);
/* Takes the layout; FALSE when it is NULL. */
gboolean    ls_rule_set_layout     (LsLayoutRule *self,
                                    const char   *name,
                                    char         *layout);
/* A list of whole numbers as an array of gint64; when it is None 0, 1, ..., n - 1. (transfer full) */
GArray     *ls_rule_axes           (LsNode       *list,
                                    gint64        n);
LsArray    *ls_rule_numbers        (GArray       *list);
/* Axes by their numbers, where they have gone. */
void        ls_rule_set_found_axis (LsLayoutRule *self,
                                    const char   *name,
                                    const char   *layout,
                                    gint64        otherwise);
void        ls_rule_set_found_axes (LsLayoutRule *self,
                                    const char   *name,
                                    const char   *layout);

/* ---- layout-rules.c, layout-rules-nn.c --------------------------------------------------------- */

gboolean    ls_layout_rule_same          (LsLayoutRule *self);
gboolean    ls_layout_rule_broadcast     (LsLayoutRule *self);
gboolean    ls_layout_rule_three         (LsLayoutRule *self);
gboolean    ls_layout_rule_concat        (LsLayoutRule *self);
gboolean    ls_layout_rule_expand_dims   (LsLayoutRule *self);
gboolean    ls_layout_rule_permute_dims  (LsLayoutRule *self);
gboolean    ls_layout_rule_split         (LsLayoutRule *self);
gboolean    ls_layout_rule_squeeze       (LsLayoutRule *self);
gboolean    ls_layout_rule_reduce        (LsLayoutRule *self);
gboolean    ls_layout_rule_softmax       (LsLayoutRule *self);
gboolean    ls_layout_rule_batch_norm    (LsLayoutRule *self);
gboolean    ls_layout_rule_norm          (LsLayoutRule *self);
gboolean    ls_layout_rule_pool          (LsLayoutRule *self);
gboolean    ls_layout_rule_resize        (LsLayoutRule *self);
gboolean    ls_layout_rule_strided_slice (LsLayoutRule *self);
gboolean    ls_layout_rule_convolve      (LsLayoutRule *self);

G_END_DECLS
