/* topi-private: what the files of engine/topi share. */
#pragma once

#include "engine/topi/topi.h"

G_BEGIN_DECLS

#define AT(...) ls_te_at (__VA_ARGS__, NULL)
#define AX(i) ls_te_axis (axes, (i))
#define REF(e) ((LsExpr *) ls_node_ref ((LsNode *) (e)))
#define DIM(t, i) ((LsExpr *) (t)->shape->items[i])

#define LS_TAG_ELEMWISE "elemwise"
#define LS_TAG_BROADCAST "broadcast"
#define LS_TAG_INJECTIVE "injective"
#define LS_TAG_COMM_REDUCE "comm_reduce"
#define LS_TAG_COMM_REDUCE_IDX "comm_reduce_idx"

/* Simplified without facts; takes. */
LsExpr  *ls_topi_simplify      (LsExpr *expr);
/* The same for certain: by structure, or a difference that simplifies to 0. Borrows. */
gboolean ls_topi_same          (gpointer a, gpointer b);
/* A whole number from an Expr, an error that names `what` when it is none. */
gboolean ls_topi_int           (gpointer expr, const char *what, gint64 *out, GError **error);
/* An axis from the back when negative; ndim dimensions. */
gboolean ls_topi_axis          (const char *op, gint64 axis, guint ndim, guint *out, GError **error);
/* A list of axes as numbers of dimensions, sorted, each once; NULL or empty: all.  (transfer full) of guint. */
GArray  *ls_topi_axes          (const char *op, LsArray *axis, guint ndim, GError **error);
/* Position in the row-major order of `shape`, and back (list of Expr). Borrow shape, take the rest. */
LsExpr  *ls_topi_ravel         (LsArray *indices, LsArray *shape);
LsArray *ls_topi_unravel       (LsExpr *index, LsArray *shape);
/* Indices into a tensor of `shape` for the axes of a result that it is broadcast to. (transfer full) */
LsArray *ls_topi_broadcast_indices (LsArray *shape, LsArray *axes);
/* The product of all extents. (transfer full) */
LsExpr  *ls_topi_size          (LsArray *shape);
/* Are there more elements, for certain, than int32 counts?  Then their numbers are int64. */
gboolean ls_topi_is_large      (LsArray *shape);
/* `expr` (taken), as int64 if `wide`. (transfer full) */
LsExpr  *ls_topi_widen         (LsExpr *expr, gboolean wide);
/* A list of numbers of n entries from one with n or 1. FALSE with an error. */
gboolean ls_topi_numbers       (const char *what, LsArray *list, guint n, gint64 *out, GError **error);
/* items[0..n): references that are taken. */
LsArray *ls_topi_list          (gpointer first, ...) G_GNUC_NULL_TERMINATED;
LsMap   *ls_topi_attr          (const char *key, LsNode *value);
gboolean ls_topi_fail          (GError **error, LsTeError code, const char *format, ...) G_GNUC_PRINTF (3, 4);

G_END_DECLS
