/* vm: runs Relax executables (TVM's Relax virtual machine, in our own encoding).
 *
 *   vm-value       what registers hold: tensors, shapes, numbers, tuples, closures
 *   vm-executable  functions as flat lists of 64-bit numbers, constants, machine code; saved and loaded
 *   vm-check       an executable from a file is proved well formed before anything runs
 *   vm             the interpreter: one frame of registers and symbolic extents for each call
 *   vm-builtin     operations on values that are no PrimFuncs (shapes, storage, reshape)
 *   vm-shape       a heap of symbolic extents, checks of values
 *   vm-sort        sort, argsort, topk, cumulative sums (over lines)
 *   vm-unique      different elements
 *   vm-pool        memory of dead tensors, used again
 *   kv-cache       keys and values of attention in pages, for many sequences (kv-cache.h)
 *
 * An instruction is: opcode, destination register (-1: none), target, number of operands, and two numbers for each
 * operand (LsVMOperandKind, value).  Symbolic extents live in slots of the frame; expressions over them are postfix
 * programs of the executable (LsVMExprOp).  Knows nothing of the IR: engine/codegen/vm-compile.c writes executables.
 */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

/* What R.assert_op says when it does not hold. */
#define LS_VM_ASSERTION_ERROR (ls_vm_assertion_error_quark ())
GQuark ls_vm_assertion_error_quark (void);

/* ---- vm-value.c ---------------------------------------------------------- */

typedef enum {
  LS_VM_NONE,                   /* None; what calls for their effect give */
  LS_VM_TENSOR,
  LS_VM_SHAPE,
  LS_VM_INT,
  LS_VM_FLOAT,
  LS_VM_STRING,                 /* also the names of dtypes */
  LS_VM_TUPLE,
  LS_VM_CLOSURE,                /* a function of the executable and the first of its arguments */
  LS_VM_OBJECT                  /* a thing of the host: handed around as it is, called if it can be */
} LsVMKind;

/* Immutable (elements of tensors are not), counted atomically. */
typedef struct _LsVMValue LsVMValue;

/* What a host gives the machine besides its own values. */
typedef struct {
  GDestroyNotify destroy;
  /* NULL: things of this class are not called.  NULL with an error, or the value. (transfer full) */
  LsVMValue   *(*call) (gpointer    data,
                        LsVMValue **args,
                        guint       n_args,
                        GError    **error);
} LsVMObjectClass;

struct _LsVMValue {
  gatomicrefcount refs;
  LsVMKind        kind;
  guint           n;            /* dimensions, fields, captured arguments */
  union {
    LsNDArray   *tensor;
    gint64      *dims;
    gint64       v_int;
    double       v_float;
    char        *string;
    LsVMValue  **items;
    gpointer     object;
  };
  const LsVMObjectClass *object_class;
  guint           function;     /* of a closure */
  gboolean        last;         /* of a closure: the captured arguments come after the others */
};

LsVMValue  *ls_vm_none        (void);
LsVMValue  *ls_vm_tensor      (LsNDArray       *tensor);        /* taken */
LsVMValue  *ls_vm_shape       (const gint64    *dims,
                               guint            n);
LsVMValue  *ls_vm_int         (gint64           value);
LsVMValue  *ls_vm_float       (double           value);
LsVMValue  *ls_vm_string      (const char      *value);
LsVMValue  *ls_vm_tuple       (LsVMValue      **items,          /* each taken */
                               guint            n);
LsVMValue  *ls_vm_closure     (guint            function,
                               LsVMValue      **captured,       /* each taken */
                               guint            n);
LsVMValue  *ls_vm_object      (gpointer         object,         /* taken; the class outlives it */
                               const LsVMObjectClass *object_class);
LsVMValue  *ls_vm_value_ref   (LsVMValue       *self);
void        ls_vm_value_unref (LsVMValue       *self);
/* "(2, 3) float32", "shape (4, 5)", "a tuple of 2". (transfer full) */
char       *ls_vm_value_describe (LsVMValue    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsVMValue, ls_vm_value_unref)

/* ---- vm-executable.c ----------------------------------------------------- */

typedef enum {
  LS_VM_OP_MOVE,                /* dst <- operand */
  LS_VM_OP_KERNEL,              /* string `target` names a compiled function; operands are its arguments */
  LS_VM_OP_PACKED,              /* string `target` names a packed function or a builtin of the VM */
  LS_VM_OP_FUNCTION,            /* function `target` of the executable */
  LS_VM_OP_VALUE,               /* operand 0 is a closure, the rest its arguments */
  LS_VM_OP_JUMP,                /* to instruction number `target` */
  LS_VM_OP_JUMP_UNLESS,         /* when operand 0 is zero */
  LS_VM_OP_RETURN,
  LS_VM_OP_ALLOC,               /* a tensor: dtype (string), then the extents */
  LS_VM_OP_SHAPE,               /* of the operands */
  LS_VM_OP_MATCH,               /* value, what it is (string), LsVMMatch, dtype (string or ""), ndim or -1, a pattern for each extent */
  LS_VM_OP_TUPLE,
  LS_VM_OP_ITEM,                /* tuple, index */
  LS_VM_OP_CLOSURE,             /* function `target` with captured operands */
  LS_VM_OP_CLOSURE_LAST,        /* the same; they are the last of its arguments */
  LS_VM_OP_CODE,                /* the compiled or packed function of string `target` as a value that can be called */
  LS_VM_N_OPS
} LsVMOp;

typedef enum {
  LS_VM_REG,                    /* a register */
  LS_VM_LAST,                   /* the same, and it is not used after */
  LS_VM_CONST,                  /* constant of the executable */
  LS_VM_IMM,                    /* the number itself */
  LS_VM_REAL,                   /* number of a float in `floats` */
  LS_VM_TEXT,                   /* number of a string */
  LS_VM_EXPR,                   /* number of an expression over the slots */
  LS_VM_ANY,                    /* in MATCH: whatever */
  LS_VM_BIND,                   /* in MATCH: sets this slot */
  LS_VM_N_OPERANDS
} LsVMOperandKind;

typedef enum { LS_VM_MATCH_TENSOR, LS_VM_MATCH_SHAPE, LS_VM_MATCH_INT, LS_VM_MATCH_TUPLE } LsVMMatch;

/* Postfix programs: PUSH and SLOT are followed by a number. */
typedef enum {
  LS_VM_X_PUSH, LS_VM_X_SLOT, LS_VM_X_ADD, LS_VM_X_SUB, LS_VM_X_MUL, LS_VM_X_FLOORDIV, LS_VM_X_FLOORMOD, LS_VM_X_TRUNCDIV,
  LS_VM_X_TRUNCMOD, LS_VM_X_MIN, LS_VM_X_MAX, LS_VM_X_EQ, LS_VM_X_NE, LS_VM_X_LT, LS_VM_X_LE, LS_VM_X_AND, LS_VM_X_OR,
  LS_VM_X_NOT, LS_VM_X_SELECT, LS_VM_N_XS
} LsVMExprOp;

typedef struct {
  char   *name;
  char  **params;               /* "x: (1, 784) float32" */
  guint   n_params;             /* registers 0..n_params-1 at the start */
  guint   n_registers;
  guint   n_slots;
  gboolean is_private;          /* not for ls_vm_call */
  GArray *code;                 /* of gint64 */
} LsVMFunction;

typedef struct {
  gatomicrefcount refs;
  GPtrArray  *functions;        /* of LsVMFunction */
  GPtrArray  *constants;        /* of LsVMValue: tensors */
  GPtrArray  *strings;          /* of char * */
  GHashTable *string_numbers;   /* the string -> its number, of those that were asked for */
  GArray     *floats;           /* of double */
  GPtrArray  *expressions;      /* of GArray of gint64 */
  GPtrArray  *kernels;          /* of char *: names of the compiled functions */
  GArray     *kernel_flops;     /* of double: of one call; below 0: unknown */
  GBytes     *code;             /* ELF object with the compiled functions, or NULL */
  char       *prefix;           /* of its symbols */
  char       *target;
} LsVMExecutable;

LsVMExecutable *ls_vm_executable_new      (void);
LsVMExecutable *ls_vm_executable_ref      (LsVMExecutable *self);
void            ls_vm_executable_unref    (LsVMExecutable *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsVMExecutable, ls_vm_executable_unref)
/* A new function at the end, to be filled in. Borrowed. */
LsVMFunction   *ls_vm_executable_add_function (LsVMExecutable *self,
                                           const char     *name);
/* Number of the string; each is there once. */
guint           ls_vm_executable_string   (LsVMExecutable *self,
                                           const char     *text);
/* Number of the function, or -1. */
int             ls_vm_executable_find     (LsVMExecutable *self,
                                           const char     *name);
/* Errors: FORMAT with what is wrong; nothing in it can lead outside of its tables then. */
gboolean        ls_vm_executable_check    (LsVMExecutable *self,
                                           GError        **error);
/* A file of this version and machine word order. (transfer full) */
GBytes         *ls_vm_executable_save     (LsVMExecutable *self);
/* Errors: FORMAT. (transfer full) */
LsVMExecutable *ls_vm_executable_load     (GBytes         *bytes,
                                           GError        **error);
/* The code as text, one instruction a line. (transfer full) */
char           *ls_vm_executable_print    (LsVMExecutable *self);
/* One instruction as text, without its number. (transfer full) */
char           *ls_vm_executable_print_one (LsVMExecutable *self,
                                           const gint64   *code);

/* ---- vm.c --------------------------------------------------------------- */

typedef struct _LsVM LsVM;

/* The compiled function of this name, or NULL. */
typedef LsPackedFunc (*LsVMResolve) (const char *name,
                                     gpointer    user_data);

/* What a resolver gives for a function that the host runs, such as a kernel on simulated threads: the machine asks the host for it (ls_vm_set_host).
 * Called as code it fails. */
int         ls_vm_host_kernel (const LsArg    *args,
                               int             n_args,
                               LsArg          *result,
                               void           *closure);

/* What one compiled or packed function cost so far. */
typedef struct {
  const char *name;
  gint64      calls;
  gint64      ns;
  gint64      bytes;            /* of all tensors that were handed to it */
  double      flop;             /* below 0: unknown */
} LsVMProfile;

/* One call of a compiled or packed function. */
typedef struct {
  const char *name;
  gint64      start_ns;         /* of the clock */
  gint64      ns;
  gint64      bytes;            /* of all tensors that were handed to it */
  double      flop;             /* below 0: unknown */
} LsVMCallTime;

/* All compiled functions are looked up now.  Errors: NOT_FOUND. (transfer full) */
LsVM       *ls_vm_new         (LsVMExecutable *executable,
                               LsVMResolve     resolve,         /* NULL: there is no code */
                               gpointer        user_data,
                               GError        **error);
void        ls_vm_free        (LsVM           *self);
/* Calls a function.  Errors: NOT_FOUND (with the names there are), ARGUMENT (their number), SHAPE and DTYPE (naming the
 * parameter, what was expected and what came), CALL with the callee's sentence. (transfer full) */
LsVMValue  *ls_vm_call        (LsVM           *self,
                               const char     *function,
                               LsVMValue     **args,
                               guint           n_args,
                               GError        **error);
/* Calls a closure that ls_vm_call gave.  Errors: ARGUMENT when it is none, and those of the call. (transfer full) */
LsVMValue  *ls_vm_call_closure (LsVM          *self,
                               LsVMValue      *closure,
                               LsVMValue     **args,
                               guint           n_args,
                               GError        **error);
typedef enum {
  LS_VM_INSTRUMENT_RUN,         /* go on */
  LS_VM_INSTRUMENT_SKIP,        /* before a call: it is not made and gives nothing */
  LS_VM_INSTRUMENT_FAIL         /* the program ends with an error */
} LsVMInstrumentAnswer;

/* Sees each call of a function by its name, before (`result` NULL) and after.  Everything is borrowed. */
typedef LsVMInstrumentAnswer (*LsVMInstrument) (const char  *name,
                                                LsVMValue   *result,
                                                LsVMValue  **args,
                                                guint        n_args,
                                                gpointer     user_data);

/* NULL: none any more. */
void        ls_vm_set_instrument (LsVM          *self,
                                  LsVMInstrument instrument,
                                  gpointer       user_data);

/* Functions of the host by name, which take and give any value; they are asked for before the registry, and for functions that the resolver left to the host
 * (the extents that call_tir_dyn gives come as one shape).  FALSE: there is
 * none of this name.  Else `result` is the value (transfer full), or NULL with an error. */
typedef gboolean (*LsVMHostCall) (const char  *name,
                                  LsVMValue  **args,
                                  guint        n_args,
                                  LsVMValue  **result,
                                  gpointer     user_data,
                                  GError     **error);

void        ls_vm_set_host    (LsVM           *self,
                               LsVMHostCall    host,            /* NULL: none */
                               gpointer        user_data);

/* Compiled functions may be values that outlive the machine: each holds a reference to what keeps their code.  Without one they
 * are not to be called after the machine is gone. */
void        ls_vm_set_keeper  (LsVM           *self,
                               gpointer        keeper,
                               gpointer      (*ref) (gpointer keeper),
                               GDestroyNotify  unref);

/* Sees each instruction that gives a value, by TVM's name of it, with what it was given and how long it took. */
typedef void (*LsVMTrace) (const char  *name,
                           LsVMValue  **args,
                           guint        n_args,
                           gint64       ns,
                           gpointer     user_data);

/* NULL: none any more. */
void        ls_vm_set_trace   (LsVM           *self,
                               LsVMTrace       trace,
                               gpointer        user_data);

/* An instruction that is about to be executed, or was. Everything is borrowed. */
typedef struct {
  guint         function, number;       /* its function, and which of it */
  guint         depth;                  /* calls that are under way, this one included: from 1 */
  const gint64 *code;
  LsVMValue   **registers;              /* as they are now */
  const gint64 *slots;
  gboolean      done;
  LsVMValue    *value;                  /* done: what it gave, or returned; NULL: it gives nothing (jumps) */
} LsVMMoment;

/* Sees every instruction, before and after; those of a function that is called come between the call's two.  FALSE: the program ends with
 * an error. */
typedef gboolean (*LsVMWatch) (const LsVMMoment *moment,
                               gpointer          user_data);

/* NULL: nobody any more. */
void        ls_vm_set_watch   (LsVM           *self,
                               LsVMWatch       watch,
                               gpointer        user_data);

/* A function that the machine itself has (vm.builtin.*, without a machine).  FALSE: there is none of this name.  Else as
 * LsVMHostCall. */
gboolean    ls_vm_has_builtin  (const char    *name);
gboolean    ls_vm_call_builtin (const char    *name,
                                LsVMValue    **args,
                                guint          n_args,
                                LsVMValue    **result,
                                GError       **error);
/* From now on each call of a compiled or packed function is timed. */
void        ls_vm_set_profile (LsVM           *self,
                               gboolean        on);
/* In the order of the first call. (transfer container: g_array_unref) */
GArray     *ls_vm_get_profile (LsVM           *self);
/* From now on each such call is noted by itself as well; FALSE: not any more. */
void        ls_vm_set_timeline (LsVM          *self,
                                gboolean       on);
/* The calls noted since, in the order in which they were begun, which are forgotten here. (transfer full) of LsVMCallTime, whose names are
 * the executable's */
GArray     *ls_vm_take_timeline (LsVM         *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsVM, ls_vm_free)

G_END_DECLS
