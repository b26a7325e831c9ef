/* simt-private: instructions of warps, and the machine that runs them. */
#pragma once

#include "engine/interp/for-threads.h"
#include "engine/simt/simt.h"

G_BEGIN_DECLS

#define MOST_MASKS 128          /* nested conditions and loops */
#define AXES 6                  /* blockIdx.x, y, z, threadIdx.x, y, z */

/* Where a value is: a unit of so many numbers as a warp has lanes (Simt.warp_size) among scratch, variables of the warp, or constants. */
typedef guint32 Operand;
#define OPERAND_VAR   0x80000000u
#define OPERAND_CONST 0x40000000u
#define OPERAND_UNIT  0x3fffffffu
#define OPERAND_NONE  0xffffffffu

typedef enum {
  OP_ADD_I32, OP_SUB_I32, OP_MUL_I32, OP_ADD_I64, OP_SUB_I64, OP_MUL_I64,
  OP_ADD_F32, OP_SUB_F32, OP_MUL_F32, OP_LT_INT, OP_GE_INT, OP_EQ_INT,
  OP_BINARY, OP_CAST, OP_NOT, OP_AND, OP_OR, OP_SELECT, OP_RAMP, OP_BROADCAST, OP_SHUFFLE_LANES, OP_CALL,
  OP_LARGE_UINT, OP_ADDRESS, OP_ACCESS_PTR,
  OP_MOVE, OP_LOAD, OP_STORE,
  OP_IF, OP_ELSE, OP_POP, OP_LOOP, OP_NEXT, OP_TEST, OP_JUMP,
  OP_THREAD, OP_FRESH, OP_BARRIER, OP_WARP_BARRIER, OP_WARP_SHUFFLE, OP_ACTIVE,
  OP_FILL_FRAGMENT, OP_LOAD_MATRIX, OP_STORE_MATRIX, OP_MMA, OP_LDMATRIX, OP_FILL_REGISTERS, OP_COPY_ASYNC, OP_COMMIT_GROUP, OP_WAIT_GROUP, OP_ATOMIC,
  OP_ALLOC, OP_FREE, OP_LAUNCH, OP_ASSERT, OP_RETURN, OP_END
} OpCode;

/* What an instruction counts as. */
typedef enum { COUNT_NONE, COUNT_INT, COUNT_FLOAT, COUNT_SPECIAL, COUNT_BRANCH } CountAs;

typedef struct _MatrixPlan MatrixPlan;

typedef struct {
  OpCode   op;
  CountAs  count;
  guint    lanes;               /* units of the result: lanes of the vector type */
  Operand  dst, a, b, c;
  Operand *args;
  guint    n;
  guint    jump;
  guint    site;                /* load, store: number; launch: kernel; thread: axis; fresh, alloc: memory */
  guint    line;
  LsCode  *code;                /* borrowed */
  LsBufferPlan *plan;
  MatrixPlan *matrix;           /* tensor cores, asynchronous copies; borrowed */
} Instr;

/* A tile of tensor cores: a fragment of the warp, or registers of its lanes. */
typedef struct {
  LsSimtTile role;
  guint      rows, columns;
  LsDType    dtype;
  gboolean   is_fragment;
  Operand    pointer, number;   /* number: fragment, or first register of a lane (in elements) */
  guint      site;
} Tile;

/* Memory of threads that tiles come from and go to. */
typedef struct {
  Operand    pointer, offset, stride;   /* in elements; offset, stride: OPERAND_NONE */
  LsDType    dtype;
  guint      site;
} Place;

struct _MatrixPlan {
  Tile     d, a, b, c;          /* fill, load, store, ldmatrix: d alone */
  Place    memory, from;        /* from: of a copy */
  Operand  value;               /* that fills */
  Operand  predicate;           /* of a copy, or OPERAND_NONE */
  gboolean by_column, transposed, saturates;
  guint    m, n, k;
  guint    matrices;            /* ldmatrix: 1, 2 or 4; of registers: how many; wait: groups; copy: bytes */
};

/* Memory of a kernel: an Allocate. */
typedef struct {
  LsVar      *var;
  LsSimtSpace space;
  LsDType     dtype;
  gint64      elements;
  gint64      bytes;            /* of a block, a warp or a thread */
  gint64      offset;           /* in the arena of its space */
  guint       granule;          /* bytes of a shadow cell */
  guint       slot;
} Allocation;

typedef struct {
  guint    first;               /* instruction */
  guint    line;
  Operand  extents[AXES];       /* OPERAND_NONE: 1 */
  GArray  *allocations;         /* of Allocation */
  gint64   shared_bytes, static_bytes, local_bytes, warp_bytes;
} KernelPlan;

typedef struct {
  LsProgram *program;           /* owned */
  GArray    *instrs;            /* of Instr */
  GArray    *consts;            /* of LsScalar, one for each unit */
  GArray    *kernels;           /* of KernelPlan */
  GArray    *sites;             /* of LsSimtSite */
  GPtrArray *owned;             /* of gpointer: arrays of operands */
  GPtrArray *buffers;           /* of LsBuffer, made for pointers */
  guint     *slot_unit;         /* slot -> first unit of the variable */
  guint      n_units;           /* of variables */
  guint      n_scratch;
  GHashTable *granules;         /* LsVar -> bytes */
  GHashTable *shapes;           /* LsVar of a fragment -> MatrixPlan that says its shape; borrowed */
} SimtCode;

/* One side of a possible race. */
typedef struct {
  guint32 block, block_epoch, warp_epoch;
  guint16 thread;
  guint16 site;                 /* number plus one; 0: nobody */
} Stamp;

typedef struct {
  Stamp   writer, readers[4];
  guint32 pending;              /* asynchronous copies into it that are under way */
} Cell;

/* An asynchronous copy of a thread that is under way. */
typedef struct {
  guint8  lane;
  guint8  bytes;
  guint16 site;
  guint32 group;
  guint   region;
  gint64  offset;
  guint8  data[16];
} Copy;

#define PAGE_CELLS 512

/* What local memory holds. */
enum { NOT_WRITTEN, WRITTEN, WRITTEN_UNKNOWN };         /* the last: what a shuffle took from a lane that did not take part */

/* A piece of memory that pointers point into. */
typedef struct {
  LsSimtSpace space;
  guint8     *data;
  gint64      bytes;
  gint64      stride;           /* local: bytes of a thread; warp: of a warp; else 0 */
  guint       granule;
  Cell      **pages;            /* shadow, made where it is touched; or NULL */
  gint64      n_pages;
  GHashTable *atoms;            /* number of a cell -> Stamps of atomic functions (shadow.c); or NULL */
  guint8     *written;          /* local: one byte (NOT_WRITTEN ...) for each granule of each thread; or NULL */
  gboolean    owns;
  guint       number;           /* this one's */
} Region;

typedef struct _Simt Simt;

typedef struct {
  guint     number;             /* in the block */
  guint     pc;
  LsSimtMask live;              /* lanes that have a thread */
  LsSimtMask mask;
  LsSimtMask gone;              /* lanes that returned */
  LsSimtMask masks[MOST_MASKS], taken[MOST_MASKS];
  guint     n_masks;
  guint32   warp_epoch;
  gboolean  at_barrier, done;
  LsSimtMask unknown;           /* lanes whose value under way comes from local memory that nobody wrote, or from a shuffle ... */
  LsSimtMask shuffled;          /* ... with a lane that did not take part: these of them */
  guint     shuffle_line;       /* the last such shuffle ... */
  guint8    shuffle_from[LS_SIMT_LANES];        /* ... and the lane that it asked */
  guint     unknown_site;
  gint64    unknown_element;
  LsScalar *vars;
  GArray   *copies;             /* of Copy, under way; or NULL */
  guint32   groups[LS_SIMT_LANES];      /* of copies, that each lane has closed */
} Warp;

struct _Simt {
  SimtCode  *code;
  const LsSimtOptions *options;
  LsSimtRun *run;
  LsScalar  *scratch, *consts;
  GPtrArray *regions;           /* of Region */
  GError    *error;
  gboolean   failed;            /* error, or the budget is used up */
  /* the kernel under way */
  KernelPlan   *plan;
  LsSimtKernel *kernel;
  guint         kernel_number;
  gint64    grid[3], block_size[3];
  gint64    block[3];
  gint64    block_number;
  guint     n_threads, n_warps, warp_size;
  guint32   block_epoch;
  gboolean  stop;               /* a barrier that not all reach */
  Warp     *host;
  gboolean (*launch) (Simt *self, guint kernel);
};

/* compile.c */
SimtCode  *simt_code_new  (LsPrimFunc *lowered, GError **error);
void       simt_code_free (SimtCode *self);

/* matrix-plan.c: calls of tensor cores and asynchronous copies.  FALSE: the call is none. */
typedef struct _Compiler Compiler;
void       simt_group       (Compiler *self, gboolean waits, guint most);
/* The memory that a pointer is in, and what it points to; NULL: nobody knows. Borrowed. */
LsVar     *simt_memory_of   (LsCode *code, LsDType *dtype);
/* atomic.c: args[first] is the pointer. FALSE: the function is none. */
gboolean   simt_atomic_call (Compiler *self, LsCode *code, const char *name, guint first, Operand *result);
gboolean   simt_matrix_call (Compiler *self, LsCode *code, const char *name, Operand *result);

/* emit.c: what compile.c and expr.c share. */
struct _Compiler {
  SimtCode  *code;
  LsProgram *program;
  GPtrArray *loops;             /* names of serial loops within the kernel */
  guint8    *host_slots;        /* slot -> defined outside of kernels */
  guint      scratch;           /* next free unit */
  guint      kernel;            /* number plus one; 0: the host */
  guint      line;
  guint      depth;             /* masks */
  GError    *error;
};

Instr     *simt_emit      (Compiler *self, OpCode op);
Operand    simt_scratch   (Compiler *self, guint lanes);
Operand    simt_const     (Compiler *self, LsScalar v);
Operand    simt_var       (Compiler *self, guint slot);
void       simt_push      (Compiler *self);
guint      simt_site      (Compiler *self, LsNode *node, LsBufferPlan *plan, gboolean is_store);
/* The same for memory that a pointer names. */
guint      simt_site_of   (Compiler *self, LsNode *node, LsVar *data, LsDType dtype, gboolean is_store);
guint      simt_line_of   (gpointer node);
LsSimtSpace simt_space_of (Compiler *self, LsVar *data);
void       simt_refuse    (Compiler *self, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);
Operand   *simt_operands  (Compiler *self, guint n);

/* expr.c */
Operand    simt_expr      (Compiler *self, LsCode *code);
/* Shape, strides and offset of a buffer: n dimensions each, then the offset; strides OPERAND_NONE: compact. */
Operand   *simt_layout    (Compiler *self, LsBufferPlan *plan, LsCode **indices, guint n);

/* Asked for each lane of each access, and so without a call. */
static inline LsScalar *
simt_value (Simt    *self,
            Warp    *warp,
            Operand  operand)
{
  LsScalar *base = (operand & OPERAND_VAR) != 0 ? warp->vars : (operand & OPERAND_CONST) != 0 ? self->consts : self->scratch;

  return base + (gsize) (operand & OPERAND_UNIT) * self->warp_size;
}

#define POINTER_BITS 40
#define POINTER_ZERO ((gint64) 1 << (POINTER_BITS - 1))

static inline gint64
simt_pointer (Region *region,
              gint64  offset)
{
  return ((gint64) (region->number + 1) << POINTER_BITS) + POINTER_ZERO + offset;
}

static inline Region *
simt_region (Simt   *self,
             gint64  pointer,
             gint64 *offset)
{
  gint64 number = (pointer >> POINTER_BITS) - 1;

  *offset = (pointer & (((gint64) 1 << POINTER_BITS) - 1)) - POINTER_ZERO;
  return number >= 0 && number < self->regions->len ? self->regions->pdata[number] : NULL;
}

/* machine.c: what all parts of a run ask */
void       simt_fail      (Simt *self, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);
void       simt_thread_of (Simt *self, guint thread, LsSimtThread *out);
Region    *simt_region_new (Simt *self, LsSimtSpace space, gint64 bytes, guint granule);
/* The same around memory of somebody else. */
Region    *simt_region_around (Simt *self, LsSimtSpace space, guint8 *data, gint64 bytes, guint granule);
void       simt_region_shadow (Region *region, gint64 bytes);
void       simt_region_forget (Region *region);         /* what is in its shadow */
void       simt_region_free (gpointer region);

/* exec.c */
void       simt_exec      (Simt *self, Warp *warp);

/* access.c */
void       simt_load      (Simt *self, Warp *warp, const Instr *in);
void       simt_store     (Simt *self, Warp *warp, const Instr *in);
void       simt_address   (Simt *self, Warp *warp, const Instr *in);

/* Is the piece within the memory of its thread (base: what its pointer says)? */
gboolean   simt_in_memory (Region *region, gint64 base, gint64 offset, guint bytes);
/* An access of a warp: counted, and told to whom it concerns. offsets: bytes in the buffer's memory. */
void       simt_count_access (Simt *self, Warp *warp, guint site, LsSimtMask mask, const gint64 *offsets, guint bytes);
void       simt_find_bounds  (Simt *self, Warp *warp, const Instr *in, guint site, guint lane, gint64 element);

/* matrix.c: FALSE: the kernel ends here. */
gboolean   simt_matrix    (Simt *self, Warp *warp, const Instr *in);

/* atomic.c */
void       simt_atomic    (Simt *self, Warp *warp, const Instr *in);

/* copies.c */
void       simt_copy_async   (Simt *self, Warp *warp, const Instr *in);
void       simt_commit_group (const Simt *self, Warp *warp);
void       simt_wait_group   (Simt *self, Warp *warp, guint most);

/* shadow.c: tells whether the element may be read (was written). */
void       simt_shadow_read  (Simt *self, Warp *warp, Region *region, gint64 offset, guint bytes, guint thread, guint site, gint64 element);
void       simt_shadow_write (Simt *self, Warp *warp, Region *region, gint64 offset, guint bytes, guint thread, guint site, gint64 element,
                              gboolean changes);
/* By an atomic function: it reads and writes. */
void       simt_shadow_atomic (Simt *self, Warp *warp, Region *region, gint64 offset, guint bytes, guint thread, guint site, gint64 element);
/* A copy into these bytes begins (+1) or ends (-1). */
void       simt_shadow_pending (Region *region, gint64 offset, guint bytes, int change);
/* Values that nobody wrote may go round in local memory (lanes of a shuffle whose result is not used do that): they are found where they decide
 * something or leave the thread. */
void       simt_use_unknown  (Simt *self, Warp *warp, LsSimtMask mask);

/* finding.c */
LsSimtFinding *simt_finding (Simt *self, LsSimtFindingKind kind, guint site, guint other_site, guint thread);
void       simt_finding_say (LsSimtFinding *finding, LsSimtRun *run);
void       simt_find_race (Simt *self, LsSimtFindingKind kind, guint site, guint thread, const Stamp *other, gboolean other_writes, gint64 element);

static inline guint
simt_popcount (LsSimtMask mask)
{
  return (guint) __builtin_popcountll (mask);
}

static inline guint
simt_first_lane (LsSimtMask mask)
{
  return (guint) __builtin_ctzll (mask);
}

/* All lanes of a warp. */
static inline LsSimtMask
simt_all_lanes (const Simt *self)
{
  return self->warp_size == LS_SIMT_LANES ? ~(LsSimtMask) 0 : LS_SIMT_LANE (self->warp_size) - 1;
}

G_END_DECLS
