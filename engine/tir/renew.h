/* renew: a statement or function with variables and buffers of its own; see renew.c. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* The statement with variables and buffers of its own; `table` (Var or Buffer -> node, values owned) holds what else is to be
 * replaced and gets all that is renewed. (transfer full) */
LsStmt     *ls_stmt_renew                  (LsStmt     *stmt,
                                            GHashTable *table);
/* The same for a function with its parameters. (transfer full) */
LsPrimFunc *ls_prim_func_renew_definitions (LsPrimFunc *func);
/* A buffer in whose data, shape, strides and offset variables are replaced: itself where none is. (transfer full) */
LsBuffer   *ls_buffer_replace              (LsBuffer   *self,
                                            GHashTable *table);
/* Adds to the table (Var or Buffer -> node, values owned) the buffers below a node in which it replaces a variable. */
void        ls_buffers_replace             (gpointer    node,
                                            GHashTable *table);

G_END_DECLS
