/* te-private: what the files of engine/te share. */
#pragma once

#include "engine/ir/ir-private.h"
#include "engine/te/te.h"

G_BEGIN_DECLS

extern const LsNodeClass ls_te_operation_class, ls_te_tensor_class;

/* ---- nest.c ---- */

/* One nest of loops around one block. */
typedef struct {
  GPtrArray  *loop_vars;        /* of LsVar */
  GPtrArray  *loop_doms;        /* of LsRange */
  GPtrArray  *iter_vars;        /* of LsIterVar */
  GPtrArray  *iter_values;      /* of LsExpr */
  GHashTable *vars;             /* LsVar of an axis -> LsVar of the block */
} LsTeNest;

/* An expression with the variables of the axes exchanged and loads from stages as loads from buffers. (transfer full) */
typedef LsExpr *(*LsTeRemap) (gpointer user_data, GHashTable *vars, gpointer expr);

/* The nests of a stage, outermost first: axes whose domain depends on other axes are in a further one. (transfer full) */
GPtrArray *ls_te_nests            (LsTeOperation *op, LsTeRemap remap, gpointer user_data);
/* A scalar stage still has one block variable. */
void       ls_te_nest_add_scalar  (LsTeNest *nest);
/* Copies of the nest's variables for one more block in the same loops. */
void       ls_te_nest_copy_iters  (LsTeNest *nest, LsArray **iter_vars, GHashTable *vars);
/* The loops around a body (taken). (transfer full) */
LsStmt    *ls_te_nest_wrap        (LsTeNest *nest, LsStmt *body);
/* Does a reduction go over some of its axes? */
gboolean   ls_te_nest_reduces     (LsTeNest *nest);

G_END_DECLS
