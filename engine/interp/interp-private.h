/* interp-private: the form that a program takes while it is interpreted.
 *
 *   compile.c   PrimFunc -> Code: variables and buffers become slots
 *   eval.c      expressions, lane by lane
 *   view.c      where the elements of a buffer are
 *   exec.c      statements: a machine with frames of its own, which can be stopped between any two and go on
 *   call.c      functions, their arguments, a whole run
 *   memory.c    elements, allocations
 *   observer.c  who looks on, and what of it is in reach
 *   run.c       a run that is stopped and looked into;  save.c  a state, kept and brought back
 */
#pragma once

#include "engine/interp/observer.h"

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
  LS_CALL_Q_MULTIPLY_SHIFT_PER_AXIS,
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
  guint      seen;              /* LsSee: accesses that somebody looks at */
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
  guint      seen;              /* LsSee: what somebody looks at */
  guint      number;            /* in the order of the text, from 0 */
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
  guint8   *written;            /* a bit for each byte of its memory: an element begins here that was written; NULL: nobody asks */
  gint64    written_base;       /* bytes from the begin of that memory to `data` */
} LsView;

typedef struct {
  LsPrimFunc *func;
  GPtrArray  *owned;            /* g_malloc'd pieces */
  GHashTable *slots;            /* Var -> slot + 1 */
  GHashTable *plans;            /* Buffer -> LsBufferPlan */
  guint       n_slots;
  guint       n_views;
  GPtrArray  *acts;             /* of LsAct, by number, borrowed */
  GPtrArray  *plan_list;        /* of LsBufferPlan in the order of the text, borrowed */
  GHashTable *expressions;      /* what was asked of a run besides its text: LsCode -> what it is made of (compile.c) */
  LsAct      *body;
  GError     *error;
  gboolean    for_threads;      /* calls of threads are kept: LS_CALL_DEVICE */
} LsProgram;

typedef struct {
  guint8  *data;
  gsize    bytes;
  guint8  *written;             /* see LsView; NULL: nobody asks */
  gboolean is_made;             /* by the program: freed when it goes */
} LsBlockOfMemory;

/* A statement that is under way. */
typedef struct {
  LsAct  *act;
  guint   at;                   /* sequence: part that comes next; block: LS_IN_INIT, LS_IN_BODY */
  guint   mark;                 /* blocks of memory before it */
  gint64  min, i, extent;       /* loop: round i of extent */
} LsFrame;

enum { LS_IN_INIT, LS_IN_BODY };

/* A function that is under way. */
typedef struct {
  LsProgram *program;
  LsScalar  *vars;
  LsView    *views;
  guint      frame;             /* its call is this frame; 0 for the first one, which has none */
} LsActivation;

typedef struct {
  const LsObserver *observer;
  gpointer          user_data;
} LsOnlooker;

typedef struct _LsMachine LsMachine;

struct _LsMachine {
  LsProgram  *program;          /* of the function under way, as its vars and views */
  LsScalar   *vars;
  LsView     *views;
  GArray     *memory;           /* of LsBlockOfMemory: what may be touched; the last made goes first */
  const LsInterpOptions *options;
  GHashTable *programs;         /* PrimFunc -> LsProgram, shared by nested calls */
  GError     *error;
  gboolean    failed;
  gboolean    returned;
  GArray     *activations;      /* of LsActivation */

  LsFrame    *frames;
  guint       n_frames, room;
  LsAct      *next;             /* what comes next when the machine stands still */
  LsAct      *act;              /* the statement that was begun last */
  guint64     clock;            /* statements that were begun */
  guint64     stop_at;          /* stand still before that many were */
  gboolean    stop_wanted;      /* an observer asked to */
  gboolean    is_aborted;       /* the statement under way is taken back; `failed` is set as long as it unwinds */
  guint       atomic;           /* inside an expression that calls a function: nothing can stand still */

  GArray     *onlookers;        /* of LsOnlooker, or NULL */
  gboolean    is_kept;          /* memory has the same address again when the same is allocated at the same place */
  GPtrArray  *kept;             /* of GArray of LsBlockOfMemory, by the number of blocks below */
  gsize       saved_bytes;      /* of all states that were kept (save.c) */
  GPtrArray  *marks;            /* owned: what was written of memory that the caller gave */
};

LsProgram *ls_program_new   (LsPrimFunc *func, GError **error);
/* The same for engine/simt, which runs the calls that one thread alone cannot. */
LsProgram *ls_program_new_for_threads (LsPrimFunc *func, GError **error);
void       ls_program_free  (LsProgram  *self);
LsCode    *ls_program_expr  (LsProgram  *self, LsExpr *expr);
/* An expression besides the program's text, until it is forgotten. FALSE: it is none of this program. */
LsCode    *ls_program_expr_apart (LsProgram *self, LsExpr *expr);
gboolean   ls_program_forget_expr (LsProgram *self, LsCode *code);
LsBufferPlan *ls_program_plan (LsProgram *self, LsBuffer *buffer, gboolean declare);
guint      ls_program_slot  (LsProgram  *self, LsVar *var, gboolean define);
gpointer   ls_program_own   (LsProgram  *self, gsize bytes);
void       ls_program_fail  (LsProgram  *self, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

LsScalar   ls_machine_eval          (LsMachine *m, LsCode *code, guint lane);
/* Goes on with `next`, or where it stands when that is NULL, until no more than `base` frames are left.  FALSE: it stands still
 * before m->next, or failed. */
gboolean   ls_machine_go    (LsMachine *m, LsAct *next, guint base);
void       ls_machine_init  (LsMachine *m, const LsInterpOptions *options);
void       ls_machine_clear (LsMachine *m);
/* Everything that is under way is left; allocations go. */
void       ls_machine_unwind (LsMachine *m);
void       ls_machine_push  (LsMachine *m, LsAct *act);
void       ls_machine_pop   (LsMachine *m);
LsProgram *ls_machine_program (LsMachine *m, LsPrimFunc *func);
/* Binds the arguments of a function that begins. FALSE: they do not fit. */
gboolean   ls_machine_enter (LsMachine *m, LsProgram *program, const LsInterpArg *args, guint n_args);
void       ls_machine_leave (LsMachine *m);
/* The function that a call in a statement of its own begins; NULL and failed: there is none, or its arguments do not fit. */
LsAct     *ls_call_begin    (LsMachine *m, LsCode *call);
void       ls_machine_fail  (LsMachine *m, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);
gboolean   ls_view_set_up   (LsMachine *m, LsBufferPlan *plan);
/* Element number from the data pointer; FALSE and failed when an index is outside. */
gboolean   ls_view_element  (LsMachine *m, LsCode **indices, guint n, guint lane, LsView *view, LsBuffer *buffer, gint64 *element);
gboolean   ls_view_match    (LsMachine *m, LsMatchPlan *match);
gboolean   ls_view_shape    (LsMachine *m, LsBufferPlan *plan, LsView *view);
gint64     ls_view_size     (LsView *view);
gboolean   ls_match_value   (LsMachine *m, LsCode *wanted, gint64 value, const char *what, LsBuffer *buffer);
void       ls_view_limits   (LsMachine *m, LsView *view);
/* A call inside an expression: runs to its end. */
gboolean   ls_call_function (LsMachine *m, LsCode *call);

/* What an operation of two values (not and, or), a cast and a call of values give: lanes apart, nothing is evaluated.  FALSE: a division by
 * zero, or a call that is none of values. */
gboolean   ls_value_of_binary (LsCode *code, LsScalar a, LsScalar b, LsScalar *result);
LsScalar   ls_value_of_cast   (LsCode *code, LsScalar v);
/* How many arguments of a call it looks at. */
#define LS_CALL_MAX_ARGS 7
gboolean   ls_value_of_call   (LsCode *code, const LsScalar *args, LsScalar *result);

LsScalar   ls_element_get   (LsDType t, const guint8 *at);
void       ls_element_set   (LsDType t, guint8 *at, LsScalar v);
/* atomic.c: the functions by number; what one takes; what it leaves where `old` was. */
gboolean   ls_atomic_find   (const char *name, guint *which);
gboolean   ls_atomic_takes  (guint which, LsDType memory, LsDType value);
gboolean   ls_atomic_takes_floats (guint which);
const char *ls_atomic_name  (guint which);
LsScalar   ls_atomic_value  (guint which, LsDType t, LsScalar old, LsScalar value);
LsScalar   ls_scalar_fit    (LsDType t, LsScalar v);      /* wraps or rounds to the type */
guint8    *ls_memory_new    (LsMachine *m, LsDType t, gint64 elements);
guint8    *ls_memory_copy   (LsMachine *m, const guint8 *data, gsize bytes);
void       ls_memory_know   (LsMachine *m, void *data, gsize bytes);
/* Frees the blocks above the first `mark`. */
void       ls_memory_cut    (LsMachine *m, guint mark);

/* observer.c: what onlookers are told; only where `seen` says that somebody looks. */
void       ls_observe_program   (LsMachine *m, LsProgram *program);
void       ls_observe_statement (LsMachine *m, LsAct *act);
void       ls_observe_round     (LsMachine *m, LsAct *act, gint64 round, gint64 value);
void       ls_observe_block     (LsMachine *m, LsAct *act);
void       ls_observe_access    (LsMachine *m, LsSee kind, gpointer access, LsBufferPlan *plan, gint64 element, LsScalar value);

static inline gboolean
ls_is_float_type (LsDType t)
{
  return ls_dtype_is_float (t);
}

G_END_DECLS
