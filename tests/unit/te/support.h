/* support: how the tests of te and topi are written.
 *
 * A case is a function that builds tensors and returns what create_prim_func is given; its number is that of the files
 * tests/golden/te/NNN-*.te (the Python program) and .ref.tir (TVM v0.20.0's text).  What a case makes is kept in a pool
 * that is emptied after it, so that expressions read like the Python ones.
 */
#pragma once

#include "engine/script/printer.h"
#include "engine/te/te.h"
#include "tests/support/support.h"

typedef struct {
  LsArray *args;                /* taken */
  guint8   index_bits;          /* index_dtype_override, 0: none */
} TeResult;

typedef TeResult (*TeCase) (void);

typedef struct {
  guint  number;
  TeCase build;
} TeCaseRow;

/* Keeps a reference until the case ends; fails the case on NULL.  Returns its argument. */
gpointer    te_keep      (gpointer      node);
/* A placeholder of int32 extents, -1 ends them. */
LsTeTensor *te_in        (const char   *name,
                          const char   *dtype,
                          ...);
/* Of extents that are expressions, NULL ends them. */
LsTeTensor *te_in_shape  (const char   *name,
                          const char   *dtype,
                          ...) G_GNUC_NULL_TERMINATED;
LsDType     te_type      (const char   *name);
/* An int32 list, -1000 ends it. */
LsArray    *te_ints      (gint64        first,
                          ...);
/* The result of a case: tensors, NULL ends them; an Array of tensors is opened. */
TeResult    te_result    (guint8        index_bits,
                          ...) G_GNUC_NULL_TERMINATED;
void        te_add_cases (const char      *suite,
                          const TeCaseRow *rows,
                          guint            n);

#define F32(name, ...) te_in (name, "float32", __VA_ARGS__, -1)
#define F16(name, ...) te_in (name, "float16", __VA_ARGS__, -1)
#define I32(name, ...) te_in (name, "int32", __VA_ARGS__, -1)
#define RESULT(...) te_result (0, __VA_ARGS__, NULL)
#define INTS(...) te_ints (__VA_ARGS__, -1000)
