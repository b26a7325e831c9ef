#ifndef LS_STRUCTURAL_H
#define LS_STRUCTURAL_H

#include "engine/ir/ir.h"

G_BEGIN_DECLS

/* A number that is the same for structurally equal trees (ls_structural_equal with the same map_free): bound variables
 * count by the order of their binding, free ones by identity, or with map_free by the order in which they are met. */
guint64  ls_structural_hash     (gpointer   root,
                                 gboolean   map_free);
/* As ls_structural_equal, but the places are written as TVM writes them (transfer full): from <root> on, down to the
 * plain field that differs, a missing item or entry named as such. */
gboolean ls_structural_mismatch (gpointer   a,
                                 gpointer   b,
                                 gboolean   map_free,
                                 char     **mismatch_a,
                                 char     **mismatch_b);

/* A path as structural comparison writes it: "<root>.body.seq[1]". (transfer full) */
char    *ls_structural_path     (gpointer      root,
                                 const LsPath *path);

/* The number of a field as the type of its node holds it: 0.1 in a float32 is the nearest float32.  What equality and hash
 * compare. */
double   ls_held_double         (const void   *node,
                                 double        value);

G_END_DECLS

#endif
