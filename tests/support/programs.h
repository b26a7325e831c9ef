/* programs: small TensorIR programs for tests, built by hand, and what is needed to run them. */
#pragma once

#include "engine/interp/interp.h"
#include "engine/runtime/runtime.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

#define LS_TEST_IDX(...) ls_array_of (__VA_ARGS__, NULL)

/* A buffer of constant extents. */
LsBuffer   *ls_test_buffer    (const char *name, LsDType dtype, int ndim, ...);
LsExpr     *ls_test_load      (LsBuffer *buffer, LsArray *indices);             /* takes indices */
LsStmt     *ls_test_store     (LsBuffer *buffer, LsExpr *value, LsArray *indices);
LsStmt     *ls_test_for       (LsVar *var, gint64 extent, LsForKind kind, LsStmt *body);   /* var borrowed */
LsVar      *ls_test_var       (const char *name);
/* A function of these buffers (borrowed, NULL-terminated) with tir.noalias. Takes body. */
LsPrimFunc *ls_test_func      (LsStmt *body, LsBuffer *first, ...) G_GNUC_NULL_TERMINATED;
LsModule   *ls_test_module    (const char *name, LsPrimFunc *func);             /* takes func */
/* C = relu (A @ B), n x n, blocks with init and update in a root block. */
LsModule   *ls_test_mm_relu   (gint64 n);

/* Zeroed arrays for the buffers of a function, floats and ints filled from `seed`. (transfer full, of LsNDArray) */
GPtrArray  *ls_test_arrays    (LsPrimFunc *func, guint64 seed);
/* The interpreter on them. */
gboolean    ls_test_interpret (LsModule *module, LsPrimFunc *func, GPtrArray *arrays, GError **error);

G_END_DECLS
