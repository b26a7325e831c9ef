/* What the files that make graphs share. */
#pragma once

#include "engine/graph/graph.h"
#include "engine/relax/relax.h"

G_BEGIN_DECLS

/* paths.c: gives each node of the graph its path below the module, in one walk. */
void  ls_graph_set_paths  (LsGraph  *self,
                           LsModule *module);

/* blocks.c */
/* "(128, 128) float32". (transfer full) */
char *ls_graph_buffer_type (LsArray *shape,
                            LsDType  dtype);

/* A size without T.int64. (transfer full) */
char *ls_graph_dim_text    (LsNode   *dim);

/* "R.function · 2 parameters". (transfer full) */
char *ls_graph_function_text (const char *kind,
                              guint       n_params);

/* Text with the ends of lines and repeated blanks as single blanks, cut to `room` characters. (transfer full) */
char *ls_graph_one_line    (const char *text,
                            guint       room);

/* names.c: what nodes that stand together are: "attention · layers.3", by the names of their weights or modules and by their
 * operators.  `order` is their numbers in program order, `inputs` the edges by `to`.  With `period` above 0 they are n / period
 * parts that repeat, of which the first is the `number`th of all.  NULL: nothing tells. (transfer full) */
char *ls_graph_part_name   (LsGraph     *self,
                            LsGraphSide *inputs,
                            const guint *order,
                            guint        n,
                            guint        period,
                            guint        number);

/* Does it end as weights' names do? */
gboolean ls_graph_is_weight_name (const char *name);

/* The path of the node's first weight, up to its `level`th number: "layers.3" of "layers.3.attn.q.weight".  NULL: it has none so deep.
 * *has_path: it has a weight (or is a module) with a path.  (transfer full) */
char *ls_graph_numbered_path (LsGraph     *self,
                              LsGraphSide *inputs,
                              guint        at,
                              guint        level,
                              gboolean    *has_path);

/* variable.c: the parameter or the variable of a binding that is called so, and what it is bound to (NULL: a parameter); or NULL. */
LsRelaxVar *ls_graph_variable (LsFunction  *function,
                               const char  *name,
                               LsNode     **value);

G_END_DECLS
