/* make: calls of operators as the passes write them, nested and with all their attributes. */
#pragma once

#include "engine/relax/dpl/dpl.h"

G_BEGIN_DECLS

/* A call; takes args and the values of the attributes, which follow as pairs of a name and a node (NULL: None) up to a
 * NULL name. (transfer full) */
LsNode  *ls_relax_make         (const char *op,
                                LsArray    *args,
                                const char *attr,
                                ...) G_GNUC_NULL_TERMINATED;
/* The usual ones; take their arguments. (transfer full) */
LsNode  *ls_relax_make_unary   (const char *op,
                                LsNode     *x);
LsNode  *ls_relax_make_binary  (const char *op,
                                LsNode     *a,
                                LsNode     *b);
LsNode  *ls_relax_make_matmul  (LsNode     *a,
                                LsNode     *b,
                                const char *out_dtype); /* NULL: "void" */
LsNode  *ls_relax_make_permute (LsNode     *x,
                                LsNode     *axes);      /* Array of IntImm, or NULL */
LsNode  *ls_relax_make_concat  (LsArray    *fields,
                                gint64      axis);
LsNode  *ls_relax_make_reshape (LsNode     *x,
                                LsArray    *extents);
LsNode  *ls_relax_int_attr     (gint64      value);
/* The extents of a tensor when they are known, else NULL. Borrowed from `info`. */
LsArray *ls_relax_known_extents     (LsStructInfo *info);
/* Variables that no input decides: parameters behind the attribute num_input and what follows from them, in order; none
 * without that attribute (TVM's ComputableAtCompileTime). (transfer container) */
GPtrArray *ls_relax_computable_at_compile_time (LsFunction *func);

G_END_DECLS
