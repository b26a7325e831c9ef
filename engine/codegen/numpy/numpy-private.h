/* numpy-private: the writer. */
#pragma once

#include "engine/codegen/numpy/numpy.h"

G_BEGIN_DECLS

typedef struct {
  LsModule   *module;           /* borrowed */
  GString    *out;
  GArray     *lines;            /* of guint */
  GHashTable *names;            /* LsVar, LsBuffer, LsRelaxVar -> char *: its text */
  GHashTable *numbers;          /* LsVar: those that are NumPy's numbers, not Python's */
  GHashTable *taken;            /* char *: names of this function, and what no variable may be called (owned) */
  GPtrArray  *declared;         /* of char *, in `taken`: by order */
  GHashTable *helpers;          /* const char *: helper functions that are used */
  GHashTable *functions;        /* GlobalVar's name -> char *: what it is called */
  GQueue     *wanted;           /* of char *: functions of TensorIR that are still to be written (borrowed from the module) */
  guint       indent;
  guint       line;             /* of TVMScript */
  gboolean    in_index;         /* the value is an index: it fits its type */
  GError     *error;
} Numpy;

/* Binds tighter the larger. */
enum { NP_CHOOSE, NP_OR, NP_AND, NP_NOT, NP_COMPARE, NP_BIT_OR, NP_BIT_XOR, NP_BIT_AND, NP_SHIFT, NP_ADD, NP_MUL, NP_UNARY, NP_POSTFIX };

/* ---- value.c ---- */

/* Writes the expression, in brackets when it binds less than `prec`. */
void        numpy_value      (Numpy *self, LsExpr *expr, int prec);
/* What an element is set to: a constant gets its type there. */
void        numpy_stored     (Numpy *self, LsExpr *expr);
/* The expression as an index or a bound. */
void        numpy_index      (Numpy *self, LsExpr *expr, int prec);
/* "A[i, j]" */
void        numpy_element    (Numpy *self, LsBuffer *buffer, LsArray *indices);
/* Is it one of Python's integers, made of loop variables, sizes and numbers? */
gboolean    numpy_is_python  (Numpy *self, LsExpr *expr);

/* ---- stmt.c ---- */

void        numpy_prim_func  (Numpy *self, const char *name, LsPrimFunc *func);

/* ---- relax.c ---- */

/* With operators that NumPy has no call for legalized; the module itself where there are none. (transfer full) */
LsModule   *numpy_legalized  (LsModule *module, GError **error);
void        numpy_relax_func (Numpy *self, const char *name, LsNode *func, LsNode *original);

/* ---- writer.c ---- */

void        numpy_refuse     (Numpy *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* A line of its own. */
void        numpy_put        (Numpy *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void        numpy_begin      (Numpy *self);
void        numpy_end        (Numpy *self);
/* The line of TVMScript that a node comes from, 0: from none. */
guint       numpy_line_of    (LsNode *node);
/* Names a variable or a buffer, once. Borrowed. */
const char *numpy_declare    (Numpy *self, gpointer node, const char *wanted);
/* What is declared from here on is forgotten by the release: its names may be given again. */
guint       numpy_mark       (Numpy *self);
void        numpy_release    (Numpy *self, guint mark);
/* Its name; refuses what has none. Borrowed. */
const char *numpy_name       (Numpy *self, gpointer node, const char *hint);
/* What a function of the module is called; it is going to be written. Borrowed. */
const char *numpy_function   (Numpy *self, const char *name);
/* Makes sure that a helper function is written. Its name. */
const char *numpy_helper     (Numpy *self, const char *name);
/* "float32", in quotes as NumPy wants it; refuses what NumPy has not. */
const char *numpy_dtype      (Numpy *self, LsDType t);
/* The constant, an array or a number. */
void        numpy_constant   (Numpy *self, LsTensor *tensor);

G_END_DECLS
