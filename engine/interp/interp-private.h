/* interp-private: the form that a program takes while it is interpreted.
 *
 *   compile.c   PrimFunc -> Code: variables and buffers become slots
 *   eval.c      expressions, lane by lane
 *   exec.c      statements
 *   memory.c    elements, allocations
 */
#pragma once

#include "engine/interp/interp.h"

G_BEGIN_DECLS

typedef union {
  gint64 i;                     /* integers, bool; pointers as addresses */
  double f;
} LsScalar;

typedef struct _LsCode LsCode;
typedef double (*LsMath1) (double);
typedef double (*LsMath2) (double, double);

typedef enum {
  LS_CALL_MATH1,
  LS_CALL_MATH2,
  LS_CALL_IF_THEN_ELSE,
  LS_CALL_IDENTITY,             /* likely, ... */
  LS_CALL_REINTERPRET,
  LS_CALL_BIT_AND,
  LS_CALL_BIT_OR,
  LS_CALL_BIT_XOR,
  LS_CALL_BIT_NOT,
  LS_CALL_SHIFT_LEFT,
  LS_CALL_SHIFT_RIGHT,
  LS_CALL_ABS,
  LS_CALL_POPCOUNT,
  LS_CALL_CLZ,
  LS_CALL_IS_NAN,
  LS_CALL_IS_INF,
  LS_CALL_IS_FINITE,
  LS_CALL_ADDRESS_OF,
  LS_CALL_ACCESS_PTR,
  LS_CALL_LARGE_UINT,
  LS_CALL_Q_MULTIPLY_SHIFT,
  LS_CALL_IS_NULL,
  LS_CALL_RET,
  LS_CALL_NOTHING,
  LS_CALL_EXTERN,
  LS_CALL_FUNCTION,             /* a PrimFunc of the module */
  LS_CALL_DEVICE                /* what only threads can do (barriers, shuffles): engine/simt */
} LsCallCode;

/* An expression.  `t` is its type with all lanes. */
struct _LsCode {
  LsKind    kind;
  LsDType   t;
  LsNode   *origin;             /* borrowed */
  guint     slot;               /* Var: variable; load: buffer */
  gint64    i;
  double    f;
  LsCode   *a, *b, *c;
  LsCode  **args;
  guint     n;
  LsCallCode call;
  LsMath1   math1;
  LsMath2   math2;
};

typedef struct _LsAct LsAct;

typedef struct {
  guint      slot;
  LsBuffer  *buffer;
  guint      data_slot;
  LsCode   **shape;
  LsCode   **strides;           /* NULL: compact */
  LsCode    *elem_offset;
  guint      ndim;
  gboolean   implicit;          /* used without a declaration: set up at each access */
} LsBufferPlan;

typedef struct {
  LsBufferPlan *target;
  LsBufferPlan *source;
  LsCode      **mins;
  guint         n_mins;
} LsMatchPlan;

/* A statement. */
struct _LsAct {
  LsKind     kind;
  LsNode    *origin;
  guint      slot;
  LsCode    *a, *b, *c;
  LsCode   **args;              /* indices; block: values of the iter vars */
  LsCode   **mins;              /* block: domain */
  LsCode   **extents;           /* block: domain; allocate: extents */
  guint     *slots;             /* block: iter vars */
  gboolean  *is_reduce;
  guint      n;
  LsAct    **acts;              /* seq: parts; else body, other */
  guint      n_acts;
  LsAct     *init;
  LsBufferPlan **allocs;
  guint      n_allocs;
  LsMatchPlan   *matches;
  guint      n_matches;
  gboolean   is_thread;         /* AttrStmt: thread_extent */
};

typedef struct {
  guint8   *data;               /* address of element 0 of the data pointer */
  LsDType   dtype;
  guint     ndim;
  gint64    offset;             /* elements */
  gint64    shape[16];
  gint64    strides[16];
  gint64    low, high;          /* elements that may be touched, from data */
} LsView;

typedef struct {
  LsPrimFunc *func;
  GPtrArray  *owned;            /* g_malloc'd pieces */
  GHashTable *slots;            /* Var -> slot + 1 */
  GHashTable *plans;            /* Buffer -> LsBufferPlan */
  guint       n_slots;
  guint       n_views;
  LsAct      *body;
  GError     *error;
  gboolean    for_threads;      /* calls of threads are kept: LS_CALL_DEVICE */
} LsProgram;

typedef struct {
  guint8 *data;
  gsize   bytes;
} LsBlockOfMemory;

typedef struct {
  LsProgram  *program;
  LsScalar   *vars;
  LsView     *views;
  GArray     *memory;           /* of LsBlockOfMemory: what may be touched */
  const LsInterpOptions *options;
  GHashTable *programs;         /* PrimFunc -> LsProgram, shared by nested calls */
  GError     *error;
  gboolean    failed;
  gboolean    returned;
  guint       depth;
} LsMachine;

LsProgram *ls_program_new   (LsPrimFunc *func, GError **error);
/* The same for engine/simt, which runs the calls that one thread alone cannot. */
LsProgram *ls_program_new_for_threads (LsPrimFunc *func, GError **error);
void       ls_program_free  (LsProgram  *self);
LsCode    *ls_program_expr  (LsProgram  *self, LsExpr *expr);
LsBufferPlan *ls_program_plan (LsProgram *self, LsBuffer *buffer, gboolean declare);
guint      ls_program_slot  (LsProgram  *self, LsVar *var, gboolean define);
gpointer   ls_program_own   (LsProgram  *self, gsize bytes);
void       ls_program_fail  (LsProgram  *self, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

LsScalar   ls_machine_eval          (LsMachine *m, LsCode *code, guint lane);
gboolean   ls_machine_exec          (LsMachine *m, LsAct *act);
void       ls_machine_fail  (LsMachine *m, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);
gboolean   ls_view_set_up   (LsMachine *m, LsBufferPlan *plan);
/* Element number from the data pointer; FALSE and failed when an index is outside. */
gboolean   ls_view_element  (LsMachine *m, LsCode **indices, guint n, guint lane, LsView *view, LsBuffer *buffer, gint64 *element);
gboolean   ls_call_function (LsMachine *m, LsPrimFunc *func, LsCode **args, guint n);

/* What an operation of two values (not and, or), a cast and a call of values give: lanes apart, nothing is evaluated.  FALSE: a division by
 * zero, or a call that is none of values. */
gboolean   ls_value_of_binary (LsCode *code, LsScalar a, LsScalar b, LsScalar *result);
LsScalar   ls_value_of_cast   (LsCode *code, LsScalar v);
gboolean   ls_value_of_call   (LsCode *code, const LsScalar *args, LsScalar *result);

LsScalar   ls_element_get   (LsDType t, const guint8 *at);
void       ls_element_set   (LsDType t, guint8 *at, LsScalar v);
LsScalar   ls_scalar_fit    (LsDType t, LsScalar v);      /* wraps or rounds to the type */
guint8    *ls_memory_new    (LsMachine *m, LsDType t, gint64 elements);
void       ls_memory_drop   (LsMachine *m, guint8 *data);
void       ls_memory_know   (LsMachine *m, void *data, gsize bytes);

static inline gboolean
ls_is_float_type (LsDType t)
{
  return ls_dtype_is_float (t);
}

G_END_DECLS
