/* codegen: TensorIR becomes machine code, through LLVM's C API.
 *
 *   target     "llvm -mcpu=... -num-cores=..." and what the host is
 *   types      dtypes as LLVM types, registers and memory apart (float16 and bfloat16 are computed in float32)
 *   expr, lanes, cast     PrimExpr
 *   math, intrinsics, extern   calls
 *   memory     addresses, loads, stores, what may alias what, bounds checks
 *   stmt, block, parallel, allocate   statements; T.parallel is outlined and handed to the thread pool
 *   outline, split   parts of a function as functions of their own; long rows of loops become several
 *   func       a PrimFunc: the entry that checks arguments, the body that computes
 *   abi        what compiled code calls back
 *   debug      lines of the TVMScript text in the machine code
 *   object     the whole way: emit, optimise, object file, assembly text
 *   kernels, kernel, device   kernels for NVIDIA's and AMD's GPUs: threads, barriers, shared memory, shuffles
 *   asm        assembly text taken apart into groups of one TVMScript line
 *   elf, jit   objects linked into this process and called
 *
 * Input is lowered TensorIR (loops, flat buffers, ramps), but blocks and buffers of any number of dimensions are
 * understood too: then a block is run as the interpreter runs it.  With check_bounds each access is compared with
 * its buffer's shape, which is best done before lowering.
 *
 * Meaning: integers wrap, division by a negative number and shifts behave as in engine/interp, floats are never
 * reassociated.  With `contract` (the default, as in TVM) a product that is only added becomes one fused
 * multiply-add: one rounding less.  Without it results are those of the interpreter bit for bit as far as
 * +, -, *, / and comparisons go; exp, tanh and so on are libm's for the type.
 */
#pragma once

#include "engine/runtime/runtime.h"
#include "engine/tir/device.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef enum {
  LS_CODEGEN_ERROR_TARGET,      /* the target string names something unknown */
  LS_CODEGEN_ERROR_UNSUPPORTED, /* the program contains what this target cannot run */
  LS_CODEGEN_ERROR_PROGRAM,     /* the program is not well formed */
  LS_CODEGEN_ERROR_NOT_FOUND,   /* no such function in the module */
  LS_CODEGEN_ERROR_LLVM,        /* LLVM refused; a bug here, with LLVM's sentence */
  LS_CODEGEN_ERROR_CALL         /* the compiled function reported an error */
} LsCodegenError;

#define LS_CODEGEN_ERROR (ls_codegen_error_quark ())
GQuark ls_codegen_error_quark (void);

/* ---- target.c ----------------------------------------------------------- */

/* Where code is to run.  Immutable. */
typedef struct {
  char    *text;                /* as given */
  char    *cpu;                 /* LLVM's name: "znver3" */
  char    *features;            /* LLVM's list: "+avx2,-avx512f" */
  char    *triple;
  char    *abi;                 /* of -mabi, or NULL */
  int      num_cores;           /* 0: not given */
  int      opt_level;           /* 0 to 3 */
  int      vector_bits;         /* widest vector register: 128, 256, 512 */
  gboolean fast_math;
  gboolean is_host;             /* code for it runs here */
  gboolean is_device;           /* functions are kernels of a GPU */
} LsTarget;

/* Reads "llvm", "llvm -mcpu=znver3 -mattr=+avx2,-fma -mtriple=... -num-cores=2 -opt-level=3 -vector-width=256
 * -fast-math -keys=cpu".  NULL: "llvm".  Without -mcpu the host's CPU with its features.  Errors: TARGET. (transfer full) */
LsTarget   *ls_target_parse          (const char  *text,
                                      GError     **error);
void        ls_target_free           (LsTarget    *self);
/* "znver3". Lives for ever. */
const char *ls_target_host_cpu       (void);
/* Whether the target has vectors whose length is known only when they run: ARM's SVE and SME, RISC-V's V. */
gboolean    ls_target_is_scalable    (const LsTarget *self);
/* Whether LLVM's feature ("avx512f") is on in this target. */
gboolean    ls_target_has            (const LsTarget *self,
                                      const char     *feature);

/* LLVM's number of "llvm.x86.sse2.pmadd.wd", 0 for none, and the name back; numbers change between versions of LLVM. */
guint       ls_llvm_intrinsic_id     (const char     *name);
/* "": there is no such number. (transfer full) */
char       *ls_llvm_intrinsic_name   (guint           id);
/* The architectures that this LLVM writes code for, as triples name them. (transfer full) */
GStrv       ls_llvm_architectures    (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTarget, ls_target_free)

/* ---- object.c ----------------------------------------------------------- */

typedef struct {
  gboolean    no_contract;      /* no fused multiply-add unless the program asks for one */
  gboolean    check_bounds;     /* each access, divisor and block binding is checked */
  gboolean    debug_lines;      /* lines of the text that the nodes' spans point into */
  gboolean    remarks;          /* collect what the vectoriser and the register allocator say */
  gboolean    want_ir;          /* LLVM IR after optimisation */
  gboolean    want_raw_ir;      /* LLVM IR as it was emitted */
  gboolean    want_asm;
  gboolean    want_passes;      /* the functions after each of LLVM's passes */
  guint       cut_after;        /* only this many of LLVM's passes, plus one; 0: all */
  gboolean    no_object;        /* only texts are wanted */
  gboolean    open_extern;      /* extern functions that nobody knows are left open: linking fails, not this */
  gboolean    no_nested;        /* a T.parallel inside another is refused, as in TVM */
  gboolean    no_optimise;      /* for tests: emitted code as it is */
  gboolean    by_symbol;        /* symbols as TVM's: global_symbol where there is one, NAME_compute_; not for what is linked here */
  gboolean    hidden;           /* symbols for the object's own library alone */
  const char *prefix;           /* put before each symbol; NULL: "" */
} LsCodegenOptions;

/* One sentence of LLVM's optimiser. */
typedef struct {
  guint line;                   /* of the TVMScript text; 0: unknown */
  char *text;                   /* "vectorized loop (vectorization width: 8, interleaved count: 4)" */
} LsRemark;

/* What one of LLVM's passes did. */
typedef struct {
  char  *name;                  /* as in a pipeline: "early-cse<memssa>"; "": what the passes get */
  gint64 ns;                    /* -1 for what they get */
  char  *text;                  /* LLVM IR of the functions after it; NULL: as before */
} LsLlvmPass;

/* What came out. */
typedef struct {
  GBytes    *code;              /* ELF object, or NULL */
  char     **functions;         /* names of the functions inside, as in the module */
  char      *prefix;
  char      *ir;                /* or NULL */
  char      *raw_ir;            /* or NULL */
  char      *assembly;          /* or NULL */
  GArray    *remarks;           /* of LsRemark, or NULL */
  GArray    *passes;            /* of LsLlvmPass, or NULL */
  gint64     emit_ns, optimise_ns, machine_ns;
} LsObject;

/* Compiles one function (with the functions that it calls) or, when `func` is NULL, all PrimFuncs of the module.
 * options NULL: the defaults.  Errors: UNSUPPORTED, PROGRAM, NOT_FOUND, LLVM. (transfer full) */
LsObject   *ls_codegen_compile       (LsModule               *module,
                                      const char             *func,
                                      const LsTarget         *target,
                                      const LsCodegenOptions *options,
                                      GError                **error);
void        ls_object_free           (LsObject               *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsObject, ls_object_free)

/* ---- kernels.c ---------------------------------------------------------- */

/* The kernels of a function that ls_lower_device has lowered, through LLVM: in `assembly` PTX for the kinds "cuda" and "nvptx", AMD's assembly for
 * "rocm"; in `functions` their names; in `ir` LLVM's; in `code` AMD's object file (nothing for NVIDIA).  Errors: TARGET (another kind, or one that this LLVM has not, or an
 * architecture that it does not know), UNSUPPORTED (what the device has no instruction for: the sentence names it), those of the passes.
 * (transfer full) */
LsObject   *ls_codegen_kernels       (const char             *name,
                                      LsPrimFunc             *lowered,
                                      const LsDeviceTarget   *target,
                                      GError                **error);

/* ---- amd.c -------------------------------------------------------------- */

/* What a kernel takes of a compute unit. */
typedef struct {
  guint    vector_units, scalar_units;  /* registers of a thread and of a wavefront, in units in which the descriptor counts (engine/simt/occupancy.h) */
  guint    lanes;                       /* of a wavefront: 32 or 64 */
  gboolean wide_groups;                 /* a block may lie on two compute units (WGP mode, from gfx10 on) */
  gint64   shared_bytes;                /* of fixed size */
  gint64   private_bytes;               /* of a thread, in memory */
} LsAmdKernel;

/* Reads the descriptor of a kernel from an object file for AMD's devices.  FALSE: it has none of this name. */
gboolean    ls_amd_kernel_read       (GBytes                 *code,
                                      const char             *kernel,
                                      LsAmdKernel            *out);

/* ---- asm.c -------------------------------------------------------------- */

/* Instructions that stand together and come from one line. */
typedef struct {
  guint      line;              /* of the TVMScript text; 0: from none (prologue, spills) */
  char      *function;          /* symbol without the prefix */
  GPtrArray *instructions;      /* of char: labels ("LBB0_2:") and instructions, without directives */
} LsAsmGroup;

/* In the order of the code. (transfer full: ls_asm_groups_free) */
GPtrArray  *ls_asm_parse             (const char             *assembly,
                                      const char             *prefix);
void        ls_asm_group_free        (LsAsmGroup             *self);

/* ---- jit.c -------------------------------------------------------------- */

/* Objects linked into this process.  One per process is enough.  Thread safe. */
typedef struct _LsJit LsJit;
/* One object in memory, callable until it is freed. */
typedef struct _LsKernel LsKernel;

LsJit      *ls_jit_new               (GError                **error);
void        ls_jit_free              (LsJit                  *self);
/* Links an object; its prefix must be new (ls_jit_unique_prefix).  The code may call libm, the runtime and what
 * ls_jit_register_symbol made known, nothing else.  The object must have been made for this host. Errors: LLVM (with the missing
 * symbols). (transfer full) */
LsKernel   *ls_jit_add               (LsJit                  *self,
                                      const LsObject         *object,
                                      GError                **error);
/* A prefix that no other call returns: "k7_". (transfer full) */
char       *ls_jit_unique_prefix     (void);
/* Makes a C function callable by T.call_extern. Before or after ls_jit_new; FALSE when the name is taken. */
gboolean    ls_jit_register_symbol   (const char             *name,
                                      gpointer                address);
/* Is the name callable by T.call_extern? */
gboolean    ls_jit_has_symbol        (const char             *name);

/* The function with the packed calling convention, or NULL; valid until the kernel is freed. */
LsPackedFunc ls_kernel_get           (LsKernel               *self,
                                      const char             *func);
/* Calls it.  Errors: NOT_FOUND, CALL with the sentence of the check that failed. */
gboolean    ls_kernel_call           (LsKernel               *self,
                                      const char             *func,
                                      const LsArg            *args,
                                      int                     n_args,
                                      LsArg                  *result,
                                      GError                **error);
gint64      ls_kernel_get_link_ns    (LsKernel               *self);
/* Unloads the code. */
void        ls_kernel_free           (LsKernel               *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsJit, ls_jit_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsKernel, ls_kernel_free)

G_END_DECLS
