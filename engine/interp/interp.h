/* interp: runs TensorIR on real data, slowly and exactly, with every access checked.
 *
 * The oracle of the tests: a schedule step is right when the program before and after it does the same
 * here, and compiled code is right when it does what happens here.  Integers wrap to their width,
 * floats are rounded to their type after each operation.  Loops of every kind run one iteration after
 * the other; thread-bound loops too, so that a program with barriers is refused.  Memory that a program
 * allocates is filled with NaN (floats) or a large odd pattern (integers), so that a value that was never
 * written shows.
 */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef enum {
  LS_INTERP_ERROR_ARGUMENT,     /* number, type or shape of an argument */
  LS_INTERP_ERROR_BOUNDS,       /* an access outside a buffer, a binding outside its domain */
  LS_INTERP_ERROR_ARITHMETIC,   /* division by zero */
  LS_INTERP_ERROR_ASSERT,       /* an assert in the program did not hold */
  LS_INTERP_ERROR_UNSUPPORTED,  /* a call or statement that only a device or a library can run */
  LS_INTERP_ERROR_BUDGET,       /* too many operations, or cancelled */
  LS_INTERP_ERROR_PROGRAM       /* the program is not well formed */
} LsInterpError;

#define LS_INTERP_ERROR (ls_interp_error_quark ())
GQuark ls_interp_error_quark (void);

/* One argument: an array or a number. */
typedef struct {
  LsDType       dtype;
  gboolean      is_array;
  void         *data;           /* array: first element */
  guint         ndim;
  const gint64 *shape;          /* elements */
  const gint64 *strides;        /* elements; NULL: compact */
  gint64        int_value;      /* number: integers */
  double        float_value;    /* number: floats */
} LsInterpArg;

typedef struct {
  LsModule *module;             /* where called functions are looked up, or NULL */
  LsBudget *budget;             /* one operation per statement, or NULL */
  const struct _LsObserver *observer;   /* who looks on (observer.h), or NULL; gets user_data too */
  /* A call that is not built in (call_extern, call_packed): arguments as numbers or data pointers. FALSE: not known. */
  gboolean (*on_extern) (const char *name, const LsInterpArg *args, guint n, double *result, gpointer user_data);
  gpointer  user_data;
} LsInterpOptions;

/* Runs `func` on `args` (as many as it has parameters), writing into the arrays.  options may be NULL.  TRUE too when the observer
 * asked to stop: the run ends there. */
gboolean ls_interp_run      (LsPrimFunc            *func,
                             const LsInterpArg     *args,
                             guint                  n_args,
                             const LsInterpOptions *options,
                             GError               **error);
/* The value of a closed expression (no free variables, no loads).  FALSE with an error otherwise. */
gboolean ls_interp_eval     (LsExpr                *expr,
                             GHashTable            *vars,   /* LsVar -> gint64 *, or NULL */
                             gint64                *int_value,
                             double                *float_value,
                             GError               **error);

/* One element of an array as a number, and back; rounds and wraps as a store does. */
double   ls_interp_load     (LsDType                dtype,
                             const void            *element);
void     ls_interp_store    (LsDType                dtype,
                             void                  *element,
                             double                 value);

G_END_DECLS
