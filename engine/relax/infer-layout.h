/* relax/infer-layout: how operators take their tensors with axes in another order (for ConvertLayout).
 *
 * The layout of a tensor says where its axes have gone: "ABCD" is the order that the program was written in, "ACDB" moved
 * the second axis to the end, "ABCD4b" split it.  A value's layout is a String, of a tuple an Array of such; "?" stands for
 * what is no tensor or has no known rank.  Source: TVM's FRelaxInferLayout.
 */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

#define LS_LAYOUT_UNKNOWN "?"
/* TVM's Layout (""), which is another one than the initial layout of a scalar. */
#define LS_LAYOUT_NOTHING "-"

/* The layout of a value of this struct info that was not changed. (transfer full) */
LsNode     *ls_layout_initial     (LsStructInfo *info);
gboolean    ls_layout_equal       (LsNode       *a,
                                   LsNode       *b);
/* The axis that dimension i of a layout is: "B", "4b". (transfer full) */
char       *ls_layout_axis        (const char   *layout,
                                   guint         i);
/* From the indices in one layout to those in another. (transfer full) */
LsNode     *ls_layout_index_map   (const char   *from,
                                   const char   *to);
/* The places in `from` of the dimensions of `to`. (transfer full), of IntImm */
LsArray    *ls_layout_permutation (const char   *from,
                                   const char   *to);

typedef struct {
  GPtrArray *inputs;            /* of LsNode: what layouts its first arguments must have */
  LsNode    *output;
  LsArray   *attrs;             /* of the call */
  gint       new_arg;           /* -1, or the argument that becomes new_value */
  LsNode    *new_value;
} LsLayoutChoice;

/* What a call does when its arguments have these layouts (array of LsNode) and its result's struct info is `result`; `desired`
 * maps names of operators to lists of layouts.  NULL: its arguments must be as they were, or `error`. (transfer full) */
LsLayoutChoice *ls_infer_layout   (LsRelaxCall  *call,
                                   GPtrArray    *layouts,
                                   GPtrArray    *infos,         /* struct infos of the arguments */
                                   LsStructInfo *result,
                                   LsMap        *desired,
                                   GError      **error);
void            ls_layout_choice_free (LsLayoutChoice *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLayoutChoice, ls_layout_choice_free)

G_END_DECLS
