/* runtime: what a compiled program meets while it runs, and how it is measured.
 *
 *   dtype         element types
 *   ndarray       NDArray: a DLPack tensor with a reference count
 *   ndarray-data, -compare, -print  elements one by one, seeded random fill, comparison, text
 *   npy           numpy's .npy files
 *   error         the thread's last error, for code that knows no GError
 *   registry      packed functions by name; shared objects
 *   env           env.linear, env.relu, env.matmul, env.softmax
 *   pool          the threads behind T.parallel; scratch memory
 *   workspace     scratch memory for compiled code
 *   timing        repeat, batch, summarise
 *   verdict       compare two results of timing
 *   host, peaks   CPU, conditions of a measurement, cache of the peaks
 *
 * Knows nothing of the IR: shapes and types arrive as plain numbers.
 *
 * Functions under the heading "plain C" are called from JIT-compiled code: plain C types, no
 * GError; 0 means done, anything else means that ls_runtime_last_error() holds the
 * sentence.
 */
#pragma once

#include "engine/base/base.h"

G_BEGIN_DECLS

/* Every expected failure of this module. */
typedef enum {
  LS_RUNTIME_ERROR_DTYPE,       /* a type that does not fit or that we do not know */
  LS_RUNTIME_ERROR_SHAPE,       /* a shape that does not fit, or is too large */
  LS_RUNTIME_ERROR_ARGUMENT,    /* number or kind of a packed function's arguments */
  LS_RUNTIME_ERROR_FORMAT,      /* a file that is not what it should be */
  LS_RUNTIME_ERROR_NOT_FOUND,   /* no packed function, symbol or library of that name */
  LS_RUNTIME_ERROR_EXISTS,      /* the name is taken and override was not asked for */
  LS_RUNTIME_ERROR_CALL,        /* the called function reported an error */
  LS_RUNTIME_ERROR_MEMORY       /* memory could not be had */
} LsRuntimeError;

#define LS_RUNTIME_ERROR (ls_runtime_error_quark ())
GQuark ls_runtime_error_quark (void);

/* ---- dtype.c ------------------------------------------------------------ */

/* DLPack's type codes, by their numbers there. */
typedef enum {
  LS_DL_INT = 0,
  LS_DL_UINT = 1,
  LS_DL_FLOAT = 2,
  LS_DL_HANDLE = 3,
  LS_DL_BFLOAT = 4,
  LS_DL_COMPLEX = 5,
  LS_DL_BOOL = 6
} LsDLCode;

/* DLPack's DLDataType.  lanes > 1 is a vector element (float32x4). */
typedef struct {
  guint8  code;                 /* LsDLCode */
  guint8  bits;
  guint16 lanes;
} LsDLDataType;

/* LS_DT_*: the names LS_INT32 and the like belong to engine/ir. */
#define LS_DT(c, b) ((LsDLDataType) { LS_DL_##c, (b), 1 })
#define LS_DT_BOOL     LS_DT (BOOL, 8)
#define LS_DT_INT8     LS_DT (INT, 8)
#define LS_DT_INT16    LS_DT (INT, 16)
#define LS_DT_INT32    LS_DT (INT, 32)
#define LS_DT_INT64    LS_DT (INT, 64)
#define LS_DT_UINT8    LS_DT (UINT, 8)
#define LS_DT_UINT16   LS_DT (UINT, 16)
#define LS_DT_UINT32   LS_DT (UINT, 32)
#define LS_DT_UINT64   LS_DT (UINT, 64)
#define LS_DT_FLOAT16  LS_DT (FLOAT, 16)
#define LS_DT_BFLOAT16 LS_DT (BFLOAT, 16)
#define LS_DT_FLOAT32  LS_DT (FLOAT, 32)
#define LS_DT_FLOAT64  LS_DT (FLOAT, 64)

/* "float32", "bool", "int8x4" <-> LsDLDataType.  Parsing knows what arrays can hold (the
 * types above, lanes 1 to 65535); FALSE and LS_RUNTIME_ERROR_DTYPE for anything else. */
gboolean     ls_dl_dtype_parse        (const char    *text,
                                       LsDLDataType  *dtype,
                                       GError       **error);
/* (transfer full) */
char        *ls_dl_dtype_print        (LsDLDataType   dtype);
gboolean     ls_dl_dtype_equal        (LsDLDataType   a,
                                       LsDLDataType   b);
/* Whether arrays can hold it.  TVM's uint1 counts: it is stored as bool. */
gboolean     ls_dl_dtype_is_supported (LsDLDataType   dtype);
/* uint1 becomes bool; everything else stays. */
LsDLDataType ls_dl_dtype_normalise    (LsDLDataType   dtype);
/* Bytes of one element with all its lanes. */
gsize        ls_dl_dtype_size         (LsDLDataType   dtype);
/* float16, bfloat16, float32, float64. */
gboolean     ls_dl_dtype_is_float     (LsDLDataType   dtype);

/* ---- ndarray.c ---------------------------------------------------------- */

/* DLPack's public structures, version 0 layout. */
typedef struct {
  gint32 device_type;           /* 1 = CPU */
  gint32 device_id;
} LsDLDevice;

#define LS_DL_CPU 1

typedef struct {
  void        *data;
  LsDLDevice   device;
  gint32       ndim;
  LsDLDataType dtype;
  gint64      *shape;           /* elements, per dimension */
  gint64      *strides;         /* elements; NULL = compact and row-major */
  guint64      byte_offset;     /* from data to the first element */
} LsDLTensor;

typedef struct _LsDLManagedTensor LsDLManagedTensor;
struct _LsDLManagedTensor {
  LsDLTensor dl_tensor;
  void      *manager_ctx;
  void     (*deleter) (LsDLManagedTensor *self);
};

/* At most this many dimensions. */
#define LS_NDARRAY_MAX_NDIM 64

/* LsNDArray: the tensor comes first, so that an LsNDArray * is a DLPack tensor to compiled
 * code.  The shape, the type and the place of the data never change; elements do.
 * References are atomic; elements are not guarded. */
typedef struct _LsNDArray LsNDArray;
struct _LsNDArray {
  LsDLTensor     tensor;        /* shape is always set; strides NULL when compact */
  gatomicrefcount refs;
  gsize          n_bytes;       /* of a compact copy */
  gpointer       owner;         /* what keeps the data alive */
  GDestroyNotify release;       /* called on owner at the end, or NULL */
};

/* A compact array of zeros, its data aligned to 64 bytes.  ndim 0 is a scalar; extents may be
 * 0.  Errors: DTYPE, SHAPE (negative, or more than `G_MAXSSIZE` bytes), MEMORY. (transfer full) */
LsNDArray  *ls_ndarray_new           (int                 ndim,
                                      const gint64       *shape,
                                      LsDLDataType        dtype,
                                      GError            **error);
/* The same, with its memory in a memfd that another process can map; `*fd` is the caller's to
 * close, sealed against resizing. (transfer full) */
LsNDArray  *ls_ndarray_new_shared    (int                 ndim,
                                      const gint64       *shape,
                                      LsDLDataType        dtype,
                                      int                *fd,
                                      GError            **error);
/* Maps an fd made by ls_ndarray_new_shared() (borrowed), or any file that is long enough.
 * `writable` shares the writes; otherwise they stay private.  Errors: SHAPE when the file is
 * shorter than the array. (transfer full) */
LsNDArray  *ls_ndarray_new_from_fd   (int                 fd,
                                      gboolean            writable,
                                      int                 ndim,
                                      const gint64       *shape,
                                      LsDLDataType        dtype,
                                      GError            **error);
/* A compact array that borrows `data`; `release (owner)` is called at the end. (transfer full) */
LsNDArray  *ls_ndarray_new_take_data (void               *data,
                                      int                 ndim,
                                      const gint64       *shape,
                                      LsDLDataType        dtype,
                                      gpointer            owner,
                                      GDestroyNotify      release,
                                      GError            **error);
LsNDArray  *ls_ndarray_ref           (LsNDArray          *self);
void        ls_ndarray_unref         (LsNDArray          *self);
/* Takes over a tensor from elsewhere without copying; its deleter is called at the end (also
 * at once when this returns NULL).  Any strides, also negative or 0. (transfer full) */
LsNDArray  *ls_ndarray_from_dlpack   (LsDLManagedTensor  *managed,
                                      GError            **error);
/* A managed tensor on the same memory; it holds a reference until its deleter is called.
 * Strides are always filled in.  (transfer full) */
LsDLManagedTensor *
            ls_ndarray_to_dlpack     (LsNDArray          *self);
/* A view with other extents and strides (elements), `offset` elements further on; shares the memory
 * and keeps `self` alive.  strides NULL = compact.  Errors: SHAPE when the view would
 * leave the memory of `self`. (transfer full) */
LsNDArray  *ls_ndarray_view          (LsNDArray          *self,
                                      int                 ndim,
                                      const gint64       *shape,
                                      const gint64       *strides,
                                      gint64              offset,
                                      GError            **error);
/* A compact copy of any tensor. (transfer full) */
LsNDArray  *ls_ndarray_copy          (const LsDLTensor   *tensor,
                                      GError            **error);
/* Copies elements, shapes and types must agree.  Errors: SHAPE, DTYPE. */
gboolean    ls_tensor_copy_into      (const LsDLTensor   *from,
                                      const LsDLTensor   *to,
                                      GError            **error);
/* Extents multiplied; 1 for a scalar. */
gint64      ls_tensor_n_elements     (const LsDLTensor   *tensor);
gboolean    ls_tensor_is_compact     (const LsDLTensor   *tensor);
/* First byte of element `index` in row-major order, whatever the strides. */
guint8     *ls_tensor_element        (const LsDLTensor   *tensor,
                                      gint64              index);
/* "(2, 3) float32", "() int64". (transfer full) */
char       *ls_tensor_describe       (const LsDLTensor   *tensor);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsNDArray, ls_ndarray_unref)

/* ---- ndarray-data.c ----------------------------------------------------- */

/* Element `index` counts scalars in row-major order: lanes are an extra, last dimension.  Out of
 * range is a programmer's error.  Reading a float as int64 truncates and clamps (NaN is 0), so does
 * writing a double into ints; ints wrap modulo 2^bits, a bool is "not zero", floats are rounded. */
double      ls_tensor_get_double     (const LsDLTensor   *tensor,
                                      gint64              index);
gint64      ls_tensor_get_int        (const LsDLTensor   *tensor,
                                      gint64              index);
void        ls_tensor_set_double     (const LsDLTensor   *tensor,
                                      gint64              index,
                                      double              value);
void        ls_tensor_set_int        (const LsDLTensor   *tensor,
                                      gint64              index,
                                      gint64              value);
/* Number of scalars: elements times lanes. */
gint64      ls_tensor_n_scalars      (const LsDLTensor   *tensor);
void        ls_tensor_fill           (const LsDLTensor   *tensor,
                                      double              value);

/* SplitMix64 (Steele, Lea, Flood 2014) as a counter: number `index` of stream `seed` is
 * mix (seed + (index + 1) * 0x9E3779B97F4A7C15).  The same on every machine, in any order. */
guint64     ls_random_bits           (guint64             seed,
                                      guint64             index);
/* Uniform in [0, 1), 53 bits. */
double      ls_random_double         (guint64             seed,
                                      guint64             index);
/* Fills scalar i from ls_random_bits (seed, i): floats uniform in [-1, 1), signed ints in -8..7,
 * unsigned ints in 0..15, bool 0 or 1.  Small on purpose: sums of products stay exact. */
void        ls_tensor_fill_random    (const LsDLTensor   *tensor,
                                      guint64             seed);
/* Floats uniform in [low, high), ints in low..high (both included; rounded inwards). */
void        ls_tensor_fill_range     (const LsDLTensor   *tensor,
                                      guint64             seed,
                                      double              low,
                                      double              high);
/* Numbers of which none is below the one before: the first is low, the last high; signed or unsigned ints. */
void        ls_tensor_fill_rising    (const LsDLTensor   *tensor,
                                      guint64             seed,
                                      gint64              low,
                                      gint64              high);

/* ---- ndarray-compare.c --------------------------------------------------- */

/* What ls_tensor_allclose() found. */
typedef struct {
  gint64 n_mismatches;
  gint64 first;                 /* scalar index of the first mismatch, or -1 */
  double actual;                /* there */
  double expected;
  double max_abs;               /* largest |actual - expected| of finite pairs */
  double max_rel;               /* largest |actual - expected| / |expected|, expected not 0 */
} LsMismatch;

/* numpy's rule: |actual - expected| <= atol + rtol * |expected|; equal infinities agree; NaN agrees
 * with NaN.  Integers are compared as integers, so that 2^63-1 and 2^63-2 differ.  Types may differ, shapes must
 * not.  FALSE with `*error` unset = mismatch, details in `result` (may be NULL).  Errors: SHAPE. */
gboolean    ls_tensor_allclose       (const LsDLTensor   *actual,
                                      const LsDLTensor   *expected,
                                      double              rtol,
                                      double              atol,
                                      LsMismatch         *result,
                                      GError            **error);
/* "3 of 12 elements differ; the first is (1, 2): 0.5, expected 0.25". (transfer full) */
char       *ls_mismatch_describe     (const LsMismatch   *self,
                                      const LsDLTensor   *actual);
/* ---- ndarray-print.c ----------------------------------------------------- */

/* Nested brackets, one row a line; floats with as few digits as read back the same; long dimensions
 * keep `edge` elements at each end and "..." between (0 = everything). (transfer full) */
char       *ls_tensor_print          (const LsDLTensor   *tensor,
                                      int                 edge);

/* ---- npy.c, npy-header.c ------------------------------------------------ */

/* Reads an .npy file: versions 1.0, 2.0, 3.0; C and Fortran order; either byte order; bool, ints,
 * float16/32/64; a two-byte void is read as bfloat16 (so ml_dtypes saves it).  The data are copied
 * into a compact, native, row-major array.  Bytes after the array are ignored, as numpy does.
 * Errors: FORMAT with what was found and what was expected, or why the file cannot be read; DTYPE; SHAPE. (transfer full) */
LsNDArray  *ls_npy_read              (const char         *path,
                                      GError            **error);
LsNDArray  *ls_npy_parse             (const guint8       *bytes,
                                      gsize               length,
                                      GError            **error);
/* Version 1.0, row-major, little-endian; lanes become an extra last dimension. (transfer full) */
GBytes     *ls_npy_format            (const LsDLTensor   *tensor,
                                      GError            **error);
/* Atomic: the file is there whole or not at all. */
gboolean    ls_npy_write             (const char         *path,
                                      const LsDLTensor   *tensor,
                                      GError            **error);

/* ---- error.c: plain C --------------------------------------------------- */

/* The calling thread's last error; "" when there was none.  Valid until its next one. */
const char *ls_runtime_last_error    (void);
/* Sets it and returns -1, so that `return ls_runtime_fail (...)` reads well. */
int         ls_runtime_fail          (const char         *format,
                                      ...) G_GNUC_PRINTF (1, 2);
/* The target of compiled asserts: "message" is copied. */
int         ls_runtime_assert_failed (const char         *message);
void        ls_runtime_clear_error   (void);

/* ---- registry.c --------------------------------------------------------- */

typedef enum {
  LS_ARG_NONE = 0,
  LS_ARG_INT = 1,
  LS_ARG_FLOAT = 2,
  LS_ARG_STRING = 3,
  LS_ARG_HANDLE = 4,
  LS_ARG_TENSOR = 5             /* an LsDLTensor *; an LsNDArray * is one too */
} LsArgKind;

#define LS_ARG_IS_BOOL 1

/* One tagged argument: 16 bytes, the kind first, the value at byte 8.  Everything is borrowed. */
typedef struct {
  gint32 kind;                  /* LsArgKind */
  gint32 flags;                 /* LS_ARG_IS_BOOL: the integer is a truth value; 0 */
  union {
    gint64      v_int;
    double      v_float;
    const char *v_string;
    void       *v_handle;
    LsDLTensor *v_tensor;
  };
} LsArg;

/* A packed function.  `result` arrives as LS_ARG_NONE and may be set (strings must be static or
 * outlive the call).  Returns 0, or -1 after ls_runtime_fail(). */
typedef int (*LsPackedFunc) (const LsArg *args,
                             int          n_args,
                             LsArg       *result,
                             void        *closure);

/* Registers `func` under `name`; `destroy (closure)` is called when it is replaced and no call is
 * under way any more.  Thread safe.  Errors: EXISTS unless `override`. */
gboolean    ls_registry_register     (const char         *name,
                                      LsPackedFunc        func,
                                      void               *closure,
                                      GDestroyNotify      destroy,
                                      gboolean            override,
                                      GError            **error);
/* FALSE when there was none. */
gboolean    ls_registry_remove       (const char         *name);
gboolean    ls_registry_has          (const char         *name);
/* All names, sorted. (transfer full) */
char      **ls_registry_list         (void);
/* The known name that differs least from this one, by three letters at most; or NULL. (transfer full) */
char       *ls_registry_nearest      (const char         *name);
/* Errors: NOT_FOUND (with the nearest known name), CALL with the function's own sentence. */
gboolean    ls_registry_call         (const char         *name,
                                      const LsArg        *args,
                                      int                 n_args,
                                      LsArg              *result,
                                      GError            **error);

/* What a shared object calls to register one function; 0 or -1. */
typedef int (*LsRegisterFunc) (const char   *name,
                               LsPackedFunc  func,
                               void         *closure);
/* What a shared object must export as "loopscope_register": calls `reg` for each of its functions (an
 * older one of the same name is replaced) and reports its errors through `fail`. */
typedef int (*LsLibraryEntry) (LsRegisterFunc reg,
                               int          (*fail) (const char *format, ...));

/* Loads a shared object (never unloaded) and runs its "loopscope_register".
 * Errors: NOT_FOUND (file or symbol, with the linker's sentence), CALL. */
gboolean    ls_registry_load         (const char         *path,
                                      GError            **error);

/* -- plain C */
int         ls_packed_call           (const char         *name,
                                      const LsArg        *args,
                                      int                 n_args,
                                      LsArg              *result);

/* ---- env.c -------------------------------------------------------------- */

/* Registered from the start, destination-passing (the last argument is written):
 *   env.linear (x, w, b, out)   x (n, k), w (m, k), b (m) or (1, m) -> out (n, m) = x w^T + b
 *   env.matmul (a, b, out)      a (n, k), b (k, m) -> out (n, m)
 *   env.relu (x, out)           elementwise max (x, 0)
 *   env.softmax (x, out)        over the last axis
 * All arguments of one dtype; float32 and float64 products go to OpenBLAS when its shared
 * library is there, everything else through loops in double (ints: modulo 2^64).  Any strides. */

/* "OpenBLAS 0.3.21 (SkylakeX, 2 threads)" or "own loops (libopenblas.so.0 is not installed)".
 * Loads the library.  Where the CPU has AVX-512 and OPENBLAS_CORETYPE is unset, SkylakeX is asked
 * for, because OpenBLAS takes CPUs that it does not know for Haswell. (transfer full) */
char       *ls_blas_describe         (void);

/* ---- pool.c ------------------------------------------------------------- */

/* One task of a parallel launch; 0, or -1 after ls_runtime_fail(). */
typedef int (*LsParallelBody) (int   task_id,
                               int   num_task,
                               void *closure);

/* -- plain C */
/* Runs body (0..num_task-1, num_task, closure), each task once, on the pool's threads with the
 * caller among them, and returns when all are done.  num_task <= 0 means one per
 * thread.  Task i tends to run on thread i modulo threads, launch after launch.  Inside a task it
 * runs serially.  A task that returns non-zero stops tasks not yet begun; its value is returned
 * and its error text is the caller's then.  Launches from several threads take turns. */
int         ls_parallel_launch       (LsParallelBody      body,
                                      void               *closure,
                                      int                 num_task);
int         ls_parallel_num_threads  (void);

/* -- for us */
/* Threads of the next launches, the caller included: 1 to 256; 0 = LS_NUM_THREADS, else the CPUs that the
 * process may use.  Waits for a launch under way. */
void        ls_pool_set_threads      (int                 n);
/* TRUE when every worker thread sits on a CPU of its own. */
gboolean    ls_pool_is_pinned        (void);
/* Ends the threads; the next launch starts them again.  For leak checkers and before fork. */
void        ls_pool_shutdown         (void);

/* ---- interrupt.c -------------------------------------------------------- */

/* Something that may run compiled code; 0, or -1 after ls_runtime_fail(). */
typedef int (*LsInterruptible) (gpointer data);

/* From now on each SIGINT whose number is written into the pipe whose reading end is `fd` cuts off the compiled code that
 * runs in ls_interruptible().  FALSE when somebody watches already or no thread can be had. */
gboolean    ls_interrupt_watch       (int                 fd);
/* Runs body (data); -1 with a text when it was cut off.  May be nested. */
int         ls_interruptible         (LsInterruptible     body,
                                      gpointer            data);
/* The same for a packed function. */
int         ls_interruptible_call    (LsPackedFunc        func,
                                      const LsArg        *args,
                                      int                 n_args,
                                      LsArg              *result,
                                      void               *closure);
/* Around calls, outside of what a signal may end; an interrupt that comes between them is not lost. */
void        ls_interrupt_begin       (void);
void        ls_interrupt_end         (void);

/* ---- workspace.c: plain C ----------------------------------------------- */

/* Scratch memory for compiled code, 64-byte aligned; freed by the thread that took it, best in
 * reverse order.  Freed blocks are kept per thread and reused.  NULL when there is no memory. */
void       *ls_workspace_alloc       (guint64             n_bytes);
void        ls_workspace_free        (void               *memory);

/* ---- timing.c -------------------------------------------------- */

/* One call of what is timed; 0, or -1 after ls_runtime_fail(). */
typedef int (*LsTimedFunc) (void *closure);

typedef struct {
  gint64 warmup_ns;             /* at least this long and at least one call; default 10 ms */
  gint64 batch_ns;              /* least length of a batch; default 1 ms */
  int    n_samples;             /* default 30 */
  gint64 budget_ns;             /* for everything; default 3 s */
  /* Called between samples, never while the clock runs; may be NULL. */
  void (*progress) (int      done,
                    int      total,
                    gpointer data);
  gpointer progress_data;
  double slow_ns;               /* when each of the first five samples is longer a call, no more are taken; 0: never */
} LsTimeOptions;

#define LS_TIME_OPTIONS_DEFAULT ((LsTimeOptions) { 10000000, 1000000, 30, 3000000000, NULL, NULL, 0 })

/* Nanoseconds per call.  Quartiles interpolate linearly between order statistics. */
typedef struct {
  double  *samples;             /* in order of measuring; one per batch */
  int      n;
  int      calls_per_batch;
  double   min, q1, median, q3, iqr, max, mean;
  gboolean cut;                 /* the budget, or how slow it is, ended it before n_samples */
} LsTiming;

/* Times `func` with CLOCK_MONOTONIC.  A call that alone outlasts the budget is timed once, without
 * warm-up.  NULL options = defaults.  Errors: CALL, G_IO_ERROR_CANCELLED (between batches). (transfer full) */
LsTiming   *ls_time_evaluate         (LsTimedFunc          func,
                                      void                *closure,
                                      const LsTimeOptions *options,
                                      GCancellable        *cancellable,
                                      GError             **error);
/* A timing from samples measured elsewhere; n >= 1. (transfer full) */
LsTiming   *ls_timing_new            (const double        *samples,
                                      int                  n);
void        ls_timing_free           (LsTiming            *self);
/* "14.7 ± 0.1 µs (best 14.5, n = 30)": median, half the interquartile range, minimum, with a
 * narrow space before the unit. (transfer full) */
char       *ls_timing_print          (const LsTiming      *self);
gint64      ls_clock_ns              (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTiming, ls_timing_free)

/* ---- verdict.c ---------------------------------------------------------- */

typedef enum {
  LS_VERDICT_FASTER,
  LS_VERDICT_SLOWER,
  LS_VERDICT_NO_DIFFERENCE,     /* no significant difference */
  LS_VERDICT_TOO_FEW            /* samples so few that no outcome could be significant */
} LsVerdictKind;

typedef struct {
  LsVerdictKind kind;
  double        p;              /* two-sided, Mann-Whitney U */
  double        speedup;        /* median before / median after */
  double        low, high;      /* 95 % bootstrap interval of speedup */
} LsVerdict;

/* Whether `after` runs faster than `before`.  Mann-Whitney U test (exact for up to 20 samples a
 * side without ties, else normal approximation with tie and continuity correction);
 * a difference counts when p < 0.01 and the medians are at least 1 % apart, because batches of one process
 * are not independent and tiny shifts come from placement alone.  The interval is a percentile
 * bootstrap of 2,000 draws from a fixed seed: equal inputs give equal answers. */
LsVerdict   ls_verdict_compare       (const LsTiming      *before,
                                      const LsTiming      *after);
/* The same without the interval (low and high are NaN): the draws are nearly all of the work, and who shows
 * many verdicts at once asks for none. */
LsVerdict   ls_verdict_decide        (const LsTiming      *before,
                                      const LsTiming      *after);
/* "×2.10, faster (2.00 to 2.20, p < 0.0001)", "no significant difference (p = 0.43)". (transfer full) */
char       *ls_verdict_print         (const LsVerdict     *self);

/* ---- host.c, peaks.c ---------------------------------------------------- */

/* "AMD Ryzen 9 ..." from /proc/cpuinfo, or the architecture's name.  Owned by the module. */
const char *ls_host_cpu_name         (void);
/* CPUs that the process was allowed to use when it was first asked. */
int         ls_host_n_cpus           (void);
/* Pins the calling thread to the i-th allowed CPU; FALSE when the system refuses. */
gboolean    ls_host_pin_thread       (int                  i);
/* Lets the calling thread use all of them again. */
gboolean    ls_host_unpin_thread     (void);

/* What stood around a measurement. */
typedef struct {
  char    *cpu;
  int      n_cpus;              /* allowed */
  int      n_threads;           /* of the pool, the caller included */
  gboolean pinned;              /* worker threads pinned */
  double   load[3];             /* 1, 5, 15 minutes; -1 when unknown */
  char    *time;                /* local, ISO 8601 with zone */
} LsConditions;

/* (transfer full) */
LsConditions *ls_conditions_record   (void);
void          ls_conditions_free     (LsConditions        *self);
/* "AMD EPYC, 2 of 2 CPUs, pinned, load 0.41, 2026-01-05T10:11:12+01". (transfer full) */
char         *ls_conditions_print    (const LsConditions  *self);
/* What that printed, read again; NULL for any other text.  Of the load only the first is known then. (transfer full) */
LsConditions *ls_conditions_read     (const char          *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsConditions, ls_conditions_free)

/* One level of memory as a micro-benchmark saw it. */
typedef struct {
  char   name[16];              /* "L1", "L2", "L3", "DRAM" */
  gint64 bytes;                 /* working set that was used */
  double gb_per_s;              /* 1e9 bytes a second, one thread, reading */
} LsPeakLevel;

#define LS_PEAKS_MAX_LEVELS 8

/* What the machine can do at best; measured elsewhere, kept here. */
typedef struct {
  double      fma_gflops;       /* float32, one thread; 1e9 operations a second */
  int         n_levels;
  LsPeakLevel levels[LS_PEAKS_MAX_LEVELS];
} LsPeaks;

/* $XDG_CACHE_HOME/loopscope/peaks-<CPU name with dashes>.ini (transfer full) */
char       *ls_peaks_path            (const char          *cpu);
/* FALSE when nothing (readable) is stored for this CPU name. */
gboolean    ls_peaks_load            (const char          *cpu,
                                      LsPeaks             *peaks);
gboolean    ls_peaks_store           (const char          *cpu,
                                      const LsPeaks       *peaks,
                                      GError             **error);

G_END_DECLS
