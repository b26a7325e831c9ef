/* codegen, inside: the emitter and what its files give each other. */
#pragma once

#include "engine/codegen/codegen.h"
#include "engine/tir/fast-math.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>

G_BEGIN_DECLS

/* A buffer whose place was computed (match_buffer): overrides what the Buffer says. */
typedef struct {
  LLVMValueRef  offset;         /* i64, elements */
  guint         n;
  LLVMValueRef *strides;        /* i64, elements */
} LsCgView;

/* Everything while one module is emitted. */
typedef struct {
  LLVMContextRef  context;
  LLVMModuleRef   module;
  LLVMBuilderRef  builder;
  LLVMTypeRef     i1, i8, i16, i32, i64, f16, f32, f64, ptr, none;
  const LsTarget *target;
  const LsCodegenOptions *options;
  LsModule       *ir;           /* owned: what is compiled, with floats of 8 bits as bytes */
  LsModule       *asked;        /* borrowed: as it was handed in, which says of what types arguments are */
  GError         *error;        /* the first one */
  gboolean        contract;
  gboolean        is_fast;      /* the target, the function or a pragma around asks for floats as if they were real numbers */
  gboolean        has_f16c;

  /* the function being emitted */
  LsPrimFunc     *prim_func;
  const char     *name;
  LLVMValueRef    func;
  LLVMValueRef    result;       /* LsArg *, where T.ret writes */
  GHashTable     *values;       /* LsVar -> LLVMValueRef */
  GHashTable     *wide;         /* int32 LsVar -> the same as an i64, where it is known */
  GHashTable     *views;        /* LsBuffer -> LsCgView */
  GArray         *cleanups;     /* of LLVMValueRef: workspaces to free on the way out */
  GHashTable     *scopes;       /* data LsVar -> index + 1 into scope_nodes */
  GPtrArray      *scope_nodes;  /* of LLVMMetadataRef */
  gint64          unroll_steps; /* pragma_auto_unroll_max_step around, where loops are to be written out; 0: none */
  gboolean        in_index;     /* arithmetic that addresses memory: cannot overflow */
  guint           in_select;    /* inside the two values of a Select, one of which is not chosen */
  guint           n_outlined;
  gboolean        may_split;    /* it has many loops: long rows of them become functions */
  guint           n_parallel;   /* T.parallel around */
  GHashTable     *fragments;    /* data LsVar -> LsPtxFragment (codegen/c/ptx.h): of tensor cores; or NULL */
  GHashTable     *is_volatile;  /* data LsVar of attr volatile_scope */
  GHashTable     *is_data;      /* LsVar bound to what was loaded */
  GHashTable     *leaves;       /* LsArray of indices that plainly leave their memory (reach.c) */

  /* debug lines */
  LLVMDIBuilderRef di;
  LLVMMetadataRef  di_file;
  LLVMMetadataRef  di_unit;
  LLVMMetadataRef  di_scope;
  guint            line;
  LsSource        *source;      /* the last one looked up */

  GHashTable     *declared;     /* GlobalVar name -> LLVMValueRef of its body */
  GPtrArray      *queue;        /* of char: functions still to emit */
  GHashTable     *imports;      /* char *: code of pragma_import_llvm that is linked */
} LsCg;

/* ---- machine.c */
/* A module of LLVM, what is to be made of it, and where that goes; all of it owned. */
typedef struct {
  LLVMContextRef       context;
  LLVMModuleRef        module;
  LLVMTargetMachineRef machine;
  int                  opt_level;
  guint                cut_after;
  gboolean             optimise, want_object, want_ir, want_asm, want_passes;
  LsObject            *object;
  GError              *error;
  int                  thread;  /* the kernel's number of the one that works on it */
} LsCgMachine;

/* Takes everything in `job`.  The object; NULL with LS_CODEGEN_ERROR_LLVM, or G_IO_ERROR_CANCELLED when ls_stop_asked(). (transfer full) */
LsObject     *ls_cg_machine_run    (LsCgMachine *job, GError **error);
/* A machine that writes code for a target.  Errors: TARGET. (transfer full) */
LLVMTargetMachineRef ls_cg_machine_new (const LsTarget *target, GError **error);
/* (transfer full) */
char         *ls_cg_print_ir       (LLVMModuleRef module);

/* ---- optimise.c */
/* FALSE with job->error. */
gboolean      ls_cg_optimise       (LsCgMachine *job);

/* ---- emit.c, object.c */
/* Remembers the first error; the rest of the emission makes harmless values. */
void          ls_cg_fail           (LsCg *cg, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* A value of this type that stands for "went wrong". */
LLVMValueRef  ls_cg_none           (LsCg *cg, LsDType t);
/* Declares (once) a C function of the runtime. */
LLVMValueRef  ls_cg_declare        (LsCg *cg, const char *name, LLVMTypeRef type);
LLVMTypeRef   ls_cg_func_type      (LsCg *cg, LLVMTypeRef result, guint n, ...);
LLVMValueRef  ls_cg_call           (LsCg *cg, const char *name, LLVMTypeRef type, LLVMValueRef *args, guint n);
LLVMValueRef  ls_cg_intrinsic      (LsCg *cg, const char *name, LLVMTypeRef *overload, guint n_overload, LLVMValueRef *args, guint n);
LLVMValueRef  ls_cg_text           (LsCg *cg, const char *text);
/* A new block at the end of the function. */
LLVMBasicBlockRef ls_cg_block      (LsCg *cg, const char *name);
void          ls_cg_at             (LsCg *cg, LLVMBasicBlockRef block);
/* Of a function that computes: it throws nothing, and a vector of ARM's SVE has between 128 and 2048 bits. */
void          ls_cg_body_attributes (LsCg *cg, LLVMValueRef func);
void          ls_cg_attribute      (LsCg *cg, LLVMValueRef func, guint index, const char *name, guint64 value);
gboolean      ls_cg_is_terminated  (LsCg *cg);

/* ---- reach.c */
/* Fills cg->leaves for a function of the CPU. */
void          ls_cg_look_where_it_reaches (LsCg *cg, LsPrimFunc *func);

/* ---- types.c */
/* A value of dtype t in a register: bool i1, float16 and bfloat16 float, handles ptr. */
LLVMTypeRef   ls_cg_type           (LsCg *cg, LsDType t);
/* The same in memory: bool i8, float16 and bfloat16 i16. */
LLVMTypeRef   ls_cg_memory_type    (LsCg *cg, LsDType t);
LLVMTypeRef   ls_cg_vector_type    (LLVMTypeRef element, guint lanes);      /* lanes 1: the element */
LLVMValueRef  ls_cg_to_memory      (LsCg *cg, LsDType t, LLVMValueRef v);
LLVMValueRef  ls_cg_from_memory    (LsCg *cg, LsDType t, LLVMValueRef v);
/* Rounds a float register to the precision of t (float16, bfloat16); others unchanged. */
LLVMValueRef  ls_cg_round          (LsCg *cg, LsDType t, LLVMValueRef v);
gboolean      ls_cg_is_narrow      (LsDType t);                             /* float16 or bfloat16 */
gboolean      ls_cg_type_known     (LsDType t);
LLVMValueRef  ls_cg_int            (LsCg *cg, LsDType t, gint64 value);     /* splat when t has lanes */
LLVMValueRef  ls_cg_float          (LsCg *cg, LsDType t, double value);
LLVMValueRef  ls_cg_i32            (LsCg *cg, gint64 value);
LLVMValueRef  ls_cg_i64            (LsCg *cg, gint64 value);
LLVMValueRef  ls_cg_splat          (LsCg *cg, LLVMValueRef scalar, guint lanes);
LLVMValueRef  ls_cg_extract        (LsCg *cg, LLVMValueRef vector, guint lane);
LLVMValueRef  ls_cg_insert         (LsCg *cg, LLVMValueRef vector, LLVMValueRef scalar, guint lane);

/* ---- expr.c, lanes.c, cast.c */
LLVMValueRef  ls_cg_expr           (LsCg *cg, LsExpr *expr);
/* As an i64 that addresses memory. */
LLVMValueRef  ls_cg_index          (LsCg *cg, LsExpr *expr);
/* A condition: i1 (or a vector of it) from a number of any type. */
LLVMValueRef  ls_cg_truth          (LsCg *cg, LsExpr *expr);
LLVMValueRef  ls_cg_cast           (LsCg *cg, LsDType from, LsDType to, LLVMValueRef v);
LLVMValueRef  ls_cg_int_division   (LsCg *cg, LsKind kind, LsDType t, LLVMValueRef a, LLVMValueRef b);
/* Marks a product or sum as fusable. */
LLVMValueRef  ls_cg_float_flags    (LsCg *cg, LLVMValueRef v);
/* Whether evaluating it needlessly costs little and cannot go wrong. */
gboolean      ls_cg_is_cheap       (LsExpr *expr);
/* The scalar expression of one lane. (transfer full) */
LsExpr       *ls_lane_expr         (LsExpr *expr, guint lane);

/* ---- math.c, intrinsics.c, extern.c */
LLVMValueRef  ls_cg_call_expr      (LsCg *cg, LsCall *call);
/* NULL: not a math function. */
LLVMValueRef  ls_cg_math           (LsCg *cg, const char *name, LsCall *call);
/* Is a function of vectors computed without taking their lanes one by one? */
gboolean      ls_cg_math_is_whole  (LsCall *call);
/* Of a vector of float32, as arithmetic. NULL: libm has it. (vector-math.c) */
LLVMValueRef  ls_cg_vector_math    (LsCg *cg, const char *name, LsDType t, LLVMValueRef x);
LLVMValueRef  ls_cg_extern         (LsCg *cg, LsCall *call);
LLVMValueRef  ls_cg_llvm_call      (LsCg *cg, LsCall *call);          /* llvm-call.c */
LLVMValueRef  ls_cg_packed         (LsCg *cg, LsCall *call);
LLVMValueRef  ls_cg_trace          (LsCg *cg, LsCall *call);

/* ---- import.c */
/* Links the code that pragma_import_llvm gives; other keys mean nothing here. */
void          ls_cg_import         (LsCg *cg, const char *key, LsNode *value);
void          ls_cg_import_of      (LsCg *cg, LsMap *annotations);
/* Does linked code define this function? */
gboolean      ls_cg_is_imported    (LsCg *cg, const char *name);
/* Refuses arguments that it does not take. */
void          ls_cg_check_import   (LsCg *cg, const char *name, LLVMTypeRef *types, guint n);
LLVMValueRef  ls_cg_make_array     (LsCg *cg, LsCall *call);
LLVMValueRef  ls_cg_make_shape     (LsCg *cg, LsCall *call);
LLVMValueRef  ls_cg_call_function  (LsCg *cg, LsCall *call);
gboolean      ls_math_symbol_known (const char *name, gpointer *address);

/* ---- memory.c */
/* Where an access goes.  With lanes: base of lane 0 and distance of the lanes when that is known, else `offsets`. */
typedef struct {
  LLVMValueRef base;            /* i64, elements */
  gint64       stride;
  LLVMValueRef offsets;         /* <n x i64>, or NULL */
  guint        lanes;
} LsCgAddress;

LLVMValueRef  ls_cg_data           (LsCg *cg, LsBuffer *buffer);
LLVMValueRef  ls_cg_pointer        (LsCg *cg, LsBuffer *buffer, LLVMValueRef element);
/* Bytes to which an element of any buffer of this type is aligned at least. */
guint         ls_cg_alignment      (LsDType t);
LLVMValueRef  ls_cg_load           (LsCg *cg, LsBufferLoad *load);
void          ls_cg_store          (LsCg *cg, LsBufferStore *store);
gboolean      ls_cg_is_data        (LsCg *cg, LsExpr *expr);
LLVMValueRef  ls_cg_element_of     (LsCg *cg, LsBuffer *buffer, LsArray *indices);  /* i64, lane 0 */
LLVMValueRef  ls_cg_buffer_stride  (LsCg *cg, LsBuffer *buffer, guint dim);
LLVMValueRef  ls_cg_buffer_offset  (LsCg *cg, LsBuffer *buffer);
void          ls_cg_scopes_init    (LsCg *cg, LsPrimFunc *func);
void          ls_cg_scopes_clear   (LsCg *cg);

/* ---- wrap.c */
/* Does the body take a remainder by a power of two, or the low bits, of a multiple of the loop's variable? */
gboolean      ls_cg_wraps          (LsFor *loop);
/* The loop that this branch closes is not made vectors of. */
void          ls_cg_keep_scalar    (LsCg *cg, LLVMValueRef branch);

/* ---- check.c */
void          ls_cg_check_index    (LsCg *cg, LsBuffer *buffer, guint dim, LLVMValueRef index, LLVMValueRef extent);
void          ls_cg_check_divisor  (LsCg *cg, LsDType t, LLVMValueRef divisor);
void          ls_cg_check_binding  (LsCg *cg, const char *block, const char *iter, LLVMValueRef value, LLVMValueRef min, LLVMValueRef extent);

/* ---- unroll.c */
/* A serial loop that is written out when so many statements may come of it. */
gboolean      ls_cg_writes_out     (LsFor *loop, gint64 max_steps);

/* ---- outline.c */
/* What a function made of a part of another one gets through memory. */
typedef struct {
  GPtrArray  *values;           /* of LLVMValueRef */
  GHashTable *places;           /* LLVMValueRef -> number + 1 */
  GHashTable *seen;             /* variables and buffers that are used ... */
  GPtrArray  *order;            /* ... in the order of their first use */
} LsCgClosure;

typedef void (*LsCgOutlineFunc) (LsCg *cg, LsCgClosure *closure, LLVMValueRef *loaded, gpointer data);

void          ls_cg_closure_init   (LsCgClosure *self);
void          ls_cg_closure_clear  (LsCgClosure *self);
void          ls_cg_closure_add    (LsCgClosure *self, LLVMValueRef value);
/* Adds all that a statement uses. */
void          ls_cg_closure_use    (LsCg *cg, LsCgClosure *self, gpointer body);
/* The closure on the stack of the function that is emitted, filled. */
LLVMValueRef  ls_cg_closure_store  (LsCg *cg, LsCgClosure *self);
/* What a value of the caller is inside. */
LLVMValueRef  ls_cg_closure_inside (LsCgClosure *self, LLVMValueRef *loaded, LLVMValueRef outer);
/* A function of this type, which gets the closure as its parameter number `param`; `emit` fills it. */
LLVMValueRef  ls_cg_outline        (LsCg *cg, LsCgClosure *closure, LLVMTypeRef type, guint param, const char *name, gpointer origin,
                                    LsCgOutlineFunc emit, gpointer data);

/* ---- split.c */
/* Has the function so many loops that sequences in it are split? */
gboolean      ls_cg_may_split      (LsStmt *body);
/* FALSE: the statements are emitted where they stand. */
gboolean      ls_cg_split          (LsCg *cg, LsArray *seq);

/* ---- stmt.c, block.c, parallel.c, allocate.c */
void          ls_cg_stmt           (LsCg *cg, LsStmt *stmt);
void          ls_cg_view_free      (gpointer view);
void          ls_cg_block_realize  (LsCg *cg, LsBlockRealize *realize);
void          ls_cg_parallel       (LsCg *cg, LsFor *loop);
void          ls_cg_allocate       (LsCg *cg, LsAllocate *allocate);
void          ls_cg_allocate_const (LsCg *cg, LsAllocateConst *allocate);
/* Memory for n elements; body runs while it lives. `n_elements` is an i64. Returns the number of workspaces made (0, 1). */
LLVMValueRef  ls_cg_memory_new     (LsCg *cg, const char *name, LsDType t, gint64 constant, LLVMValueRef n_elements, const char *scope, gboolean *heap);
void          ls_cg_memory_drop    (LsCg *cg);
LLVMValueRef  ls_cg_entry_alloca   (LsCg *cg, LLVMTypeRef type, guint align, const char *name);
/* Binds a variable; the old value (or NULL) is put back by ls_cg_unbind. */
LLVMValueRef  ls_cg_bind           (LsCg *cg, LsVar *var, LLVMValueRef value);
void          ls_cg_unbind         (LsCg *cg, LsVar *var, LLVMValueRef old);
/* The same for an integer variable whose value is given as an i64. */
LLVMValueRef  ls_cg_bind_wide      (LsCg *cg, LsVar *var, LLVMValueRef value);
/* A counted loop (bounds are i64) around a body; `body` gets the index. */
typedef void (*LsCgBody) (LsCg *cg, LLVMValueRef index, gpointer data);
void          ls_cg_loop           (LsCg *cg, const char *name, LLVMValueRef min, LLVMValueRef end, gboolean at_least_once, LsCgBody body, gpointer data);
/* The body of a For (`data`) for one value of its variable: an LsCgBody. */
void          ls_cg_loop_body      (LsCg *cg, LLVMValueRef index, gpointer data);
/* Leaves the function with an i32, freeing what must be freed. */
void          ls_cg_return         (LsCg *cg, LLVMValueRef status);
/* Leaves it when the status is not 0. */
void          ls_cg_return_if      (LsCg *cg, LLVMValueRef status);

/* ---- kernel.c, device.c: where cg->target->is_device */
void          ls_cg_kernel         (LsCg *cg, const char *name, LsPrimFunc *func);
/* attr thread_extent: the variable is this thread's number. */
void          ls_cg_thread_extent  (LsCg *cg, LsAttrStmt *stmt);
/* Memory of a block or a thread. */
LLVMValueRef  ls_cg_device_memory  (LsCg *cg, const char *name, LsDType t, gint64 constant, const char *scope);
/* A pointer to memory of the block, as one that can be to nothing else. */
LLVMValueRef  ls_cg_device_shared_pointer (LsCg *cg, LLVMValueRef pointer);
/* T.call_extern ("float32", "atomicAdd", pointer, value), T.atomic_add (pointer, value), on a device and on a CPU. NULL: none of these. */
LLVMValueRef  ls_cg_atomic         (LsCg *cg, const char *name, LsCall *call);
/* Barriers and shuffles; a math function that the device computes exactly enough. NULL: none of these, or cg->error. */
LLVMValueRef  ls_cg_device_call    (LsCg *cg, const char *name, LsCall *call);
/* matrix.c: tensor cores and asynchronous copies of NVIDIA's devices, by inline assembly.  NULL: none of these. */
LLVMValueRef  ls_cg_matrix_call    (LsCg *cg, const char *name, LsCall *call);
/* A statement that is in a group of asynchronous copies or waits for one, with what stands in it. FALSE: it is none. */
gboolean      ls_cg_async          (LsCg *cg, LsAttrStmt *stmt);
/* Calls inline assembly: operands are numbered $0 ...; kinds: "=r,=r,l,~{memory}". */
LLVMValueRef  ls_cg_inline_asm     (LsCg *cg, LLVMTypeRef result, LLVMValueRef *args, guint n, const char *text, const char *kinds);

/* ---- func.c */
void          ls_cg_prim_func      (LsCg *cg, const char *name, LsPrimFunc *func);
/* The body of another function of the module; it is emitted later. NULL with an error. */
LLVMValueRef  ls_cg_body_of        (LsCg *cg, const char *name, LsPrimFunc **func, LLVMTypeRef *type);
/* Variables that the buffers of the signature bring along, in order of first mention. (transfer container) */
GPtrArray    *ls_signature_vars    (LsPrimFunc *func);

/* ---- room.c: how far below 2^31 the number of elements has to stay, at most 2^29 */
guint32       ls_cg_room           (LsPrimFunc *func);

/* ---- debug.c */
void          ls_cg_debug_init     (LsCg *cg);
void          ls_cg_debug_func     (LsCg *cg, LLVMValueRef func, const char *name, LsNode *node);
void          ls_cg_debug_none     (LsCg *cg);
/* Following instructions come from this node's line, if it has one. */
void          ls_cg_debug_at       (LsCg *cg, gpointer node);
guint         ls_cg_line_of        (LsCg *cg, gpointer node);
void          ls_cg_debug_finish   (LsCg *cg);

/* ---- abi.c: called by compiled code */
#define LS_ABI_UNKNOWN G_MININT64

/* What a function wants of one tensor; the three are written by func.c as LLVM constants. */
typedef struct {
  gint32        ndim;
  guint8        code, bits;
  guint16       lanes;
  gint32        broadcast;      /* strides of extents of 1 become 0 */
  guint32       compact;        /* bit 0; bit 1: elements are counted in int32; from bit 2: the room that this needs (room.c) */
  const gint64 *shape;          /* LS_ABI_UNKNOWN where it is symbolic */
  const gint64 *strides;        /* NULL when compact */
} LsAbiTensor;

typedef enum { LS_ABI_TENSOR, LS_ABI_INT, LS_ABI_UINT, LS_ABI_FLOAT, LS_ABI_HANDLE } LsAbiKind;

typedef struct {
  const char        *name;
  gint32             kind;      /* LsAbiKind */
  gint32             bits;      /* of an integer */
  const LsAbiTensor *tensor;
} LsAbiParam;

typedef struct {
  const char       *name;
  gint64            n;
  const LsAbiParam *params;
} LsAbiFunc;

/* Checks all arguments; values[i] gets a data pointer, an int64 or a double, dims the extents and strides of each tensor, one after the other. */
int  ls_abi_open       (const LsArg *args, int n_args, const LsAbiFunc *func, gint64 *values, gint64 *dims);
int  ls_abi_mismatch   (const char *func, const char *name, const char *what, int dim, gint64 expected, gint64 found);
int  ls_abi_bounds     (const char *buffer, int dim, gint64 index, gint64 extent, int line);
int  ls_abi_binding    (const char *block, const char *iter, gint64 value, gint64 min, gint64 extent, int line);
int  ls_abi_division   (int line);
int  ls_abi_memory     (const char *name, gint64 bytes);
/* bits of float16 and bfloat16 for CPUs that have no instruction */
guint16 ls_abi_half_from_float  (float v);
guint16 ls_abi_half_from_double (double v);
float   ls_abi_half_to_float    (guint16 bits);

/* ---- elf.c */
/* Names of symbols that an object needs from outside. (transfer full) */
GPtrArray *ls_elf_imports (const char *bytes, gsize size);

/* ---- init.c, jit.c */
gpointer ls_jit_runtime_symbol (const char *name);
void     ls_llvm_init          (void);
/* All kinds of machine that LLVM can write code for, once one that is not this is asked for. */
void     ls_llvm_init_all      (void);

G_END_DECLS
