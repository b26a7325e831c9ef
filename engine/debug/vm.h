/* debug/vm: a run of the virtual machine of Relax under the debugger, instruction by instruction, in both directions.
 *
 *   vm-inputs.c   what a function of Relax runs on
 *   vm-record.c   the run, written down while it goes: each instruction, what it gave, what it changed
 *   vm-state.c    what registers and memory held at any position
 *   vm-look.c     what is seen there, as data
 *   vm-command.c  the words that a person says
 *
 * The machine runs once, with its own code and its own allocations; nothing of it is kept alive for the debugger, so that memory is used
 * again exactly as it is without one.  A position is the number of instructions that were begun.  Tensors are told by their values: what of
 * their memory each instruction changed is kept, up to LS_DEBUG_MEMORY bytes in all.
 */
#pragma once

#include "engine/debug/debug.h"
#include "engine/runtime/vm.h"

G_BEGIN_DECLS

#define LS_DEBUG_VM_STEPS (1u << 18)            /* instructions of a run that are written down; then it is ended */

/* ---- vm-inputs.c ------------------------------------------------------------------------- */

/* The module with its symbolic extents bound to what `inputs` sets ("n=4"); the module itself where nothing is set. NULL with an error.
 * (transfer full) */
LsModule    *ls_debug_bind_symbols   (LsModule            *module,
                                      const LsDebugInputs *inputs,
                                      GError             **error);
/* A value for each parameter of a function without symbols: files for the tensors in order, else random numbers by the seed, the same as a graph
 * under the debugger gets.  NULL with an error: an extent is not known, or a file does not fit. (transfer full) of LsVMValue */
GPtrArray   *ls_debug_vm_arguments   (LsFunction          *func,
                                      const LsDebugInputs *inputs,
                                      GError             **error);

/* ---- vm-record.c -------------------------------------------------------------------------- */

typedef struct _LsDebugVM LsDebugVM;

/* Something that a register held. */
typedef struct {
  guint        number;
  LsVMKind     kind;
  char        *name;            /* "x" of an argument, "c0" of a constant, "r5 of 12": what instruction 12 of the run gave to a register */
  char        *words;           /* "(2, 3) float32" */
  guint        born;            /* the position from which on it is there */
  guint        touched;         /* tensor: the position from which on a function had it, G_MAXUINT: none had; what is in its memory before is not its own */
  gboolean     is_given;        /* an argument or a constant: its values are its own from the beginning */
  gboolean     is_storage;      /* memory for others (alloc_storage) */
  int          block;           /* of memory: its number, -1: no tensor */
  gsize        offset, bytes;   /* in the block */
  LsDLDataType dtype;
  guint        ndim;
  gint64       shape[LS_NDARRAY_MAX_NDIM];
  GArray      *fields;          /* of guint: what a tuple or a closure holds */
  gpointer     value;           /* its address when it was seen last: to be compared only */
  int          before;          /* what ls_debug_vm_before() found, -2: it was not asked yet */
} LsVMThing;

typedef struct {
  guint     frame;              /* call of a function */
  guint     number;             /* instruction of it */
  const gint64 *code;           /* of the executable */
  int       gave;               /* thing, -1: nothing */
  gint64    ns;                 /* kernels and packed functions: how long it took; else 0 */
  gboolean  is_done;            /* FALSE: it failed */
} LsVMStep;

/* What an instruction changed of a tensor's memory. */
typedef struct {
  guint   position;             /* from which on it is so */
  guint   thing;
  gsize   offset, bytes;        /* in the block: from the first byte that changed to the last */
  guint8 *data;
  gint64  elements;             /* that changed */
} LsVMChange;

typedef struct {
  guintptr address;
  gsize    bytes;
  guint8  *now;                 /* while the run goes: what is known of it */
  GArray  *tenants;             /* of guint: things that lie or lay in it, in order */
  GArray  *changes;             /* of LsVMChange */
} LsVMBlock;

/* Runs `function` and writes it down.  A run that fails is written down up to there (ls_debug_vm_get_problem). NULL with an error: there is no such
 * function. (transfer full) */
LsDebugVM   *ls_debug_vm_new         (LsVM                *vm,
                                      LsVMExecutable      *executable,
                                      const char          *function,
                                      LsVMValue          **args,
                                      guint                n_args,
                                      GError             **error);
void         ls_debug_vm_free        (LsDebugVM           *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDebugVM, ls_debug_vm_free)
guint        ls_debug_vm_get_n_steps (LsDebugVM           *self);
/* Why the run ended before its end, or NULL. */
const char  *ls_debug_vm_get_problem (LsDebugVM           *self);
/* What the function returned, or NULL. Borrowed. */
LsVMValue   *ls_debug_vm_get_result  (LsDebugVM           *self);

/* ---- vm-state.c ---------------------------------------------------------------------------- */

/* The frame that is on top at a position. */
guint        ls_debug_vm_frame_at    (LsDebugVM           *self,
                                      guint                position);
/* What the registers of a frame hold at a position. (transfer full) of int: things, -1: nothing */
GArray      *ls_debug_vm_registers   (LsDebugVM           *self,
                                      guint                frame,
                                      guint                position);
/* Can anything still reach these? (transfer full) of gboolean, by the numbers of the things */
GArray      *ls_debug_vm_living      (LsDebugVM           *self,
                                      guint                position);
/* The bytes of a tensor at a position; NULL with an error: they were not kept. (transfer full) */
guint8      *ls_debug_vm_bytes       (LsDebugVM           *self,
                                      guint                thing,
                                      guint                position,
                                      GError             **error);
/* Who held the tensor's memory before it, -1: nobody that was seen. */
int          ls_debug_vm_before      (LsDebugVM           *self,
                                      guint                thing);

/* ---- vm-look.c, vm-command.c ----------------------------------------------------------------- */

/* Position, the instruction that was executed last and what it did, the one that comes next, registers, calls under way. (transfer full) */
GVariant    *ls_debug_vm_look        (LsDebugVM           *self,
                                      guint                position);
/* What an instruction of the run did, in words. (transfer full) */
char        *ls_debug_vm_did         (LsDebugVM           *self,
                                      guint                step);
/* All blocks of memory at a position: number, bytes, who lies in it, who did before. (transfer full) */
GVariant    *ls_debug_vm_storages    (LsDebugVM           *self,
                                      guint                position);
/* Does what one line says: step, over, out, back, start, end, goto N, continue, back-continue, break PATTERN, breaks, delete [N], storages,
 * grid rN [SLICE ROW COLUMN], history rN, list, code, where.  NULL with an error. (transfer full) */
GVariant    *ls_debug_vm_command     (LsDebugVM           *self,
                                      const char          *line,
                                      GError             **error);

/* The symbolic sizes, and the numbers that a function of TensorIR takes, of the function `name` (NULL: main, else those of TensorIR) that `set` ("n=4"; or
 * NULL) does not give, in the order in which they come. (transfer full), with no name in it where all is known */
char **ls_debug_symbols (LsModule          *module,
                         const char        *name,
                         const char *const *set);

G_END_DECLS
