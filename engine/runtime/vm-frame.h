/* vm-frame: a running call of a virtual machine, for the files that run it.
 *
 * One frame for each call: registers (owning), slots of symbolic extents, and the place of every instruction.
 */
#pragma once

#include "engine/runtime/vm-private.h"

G_BEGIN_DECLS

typedef struct {
  LsPackedFunc       kernel;    /* of the string of this number, or NULL */
  const LsVMBuiltin *builtin;
  double             flop;
  guint              profile;   /* 1 + number of its row */
} LsVMCallee;

struct _LsVM {
  LsVMExecutable *executable;
  LsVMPool       *pool;
  LsVMCallee     *callees;      /* one for each string */
  guint         **places;       /* of each function: where its instructions begin */
  GArray         *profile;
  gboolean        profiling;
  GArray         *timeline;     /* of LsVMCallTime; NULL: calls are not noted one by one */
  LsVMInstrument  instrument;
  gpointer        instrument_data;
  LsVMHostCall    host;
  gpointer        host_data;
  LsVMTrace       trace;
  gpointer        trace_data;
  LsVMWatch       watch;
  gpointer        watch_data;
  gpointer        keeper;       /* of the code of compiled functions that are values; NULL: nobody */
  gpointer      (*keep) (gpointer keeper);
  GDestroyNotify  unkeep;
  guint           depth;
};

typedef struct {
  LsVM         *vm;
  LsVMFunction *function;
  LsVMValue   **registers;
  gint64       *slots;
  GError      **error;
  gboolean      wrapped;        /* an extent left int64; the error is set */
} LsVMFrame;

/* ---- vm-frame.c ---- */

/* The function of this number with these arguments, in a frame of its own.  NULL with an error. (transfer full) */
LsVMValue *ls_vm_run               (LsVM         *vm,
                                    guint         number,
                                    GPtrArray    *args,
                                    GError      **error);
/* n operands from their pairs (kind, value); registers that are used the last time are emptied. (transfer full) */
GPtrArray *ls_vm_frame_operands    (LsVMFrame    *frame,
                                    const gint64 *pairs,
                                    gint64        n);

/* ---- vm-call.c: NULL with an error. (transfer full) ---- */

/* The function of this number among the strings: `compiled` code of the executable, else one of the registry. */
LsVMValue *ls_vm_frame_call_code   (LsVMFrame    *frame,
                                    guint         number,
                                    gboolean      compiled,
                                    GPtrArray    *values);
LsVMValue *ls_vm_frame_call_builtin (LsVMFrame   *frame,
                                    const LsVMBuiltin *builtin,
                                    GPtrArray    *values);
/* What a CODE instruction gives: the function of this number among the strings as a value. */
LsVMValue *ls_vm_frame_code        (LsVMFrame    *frame,
                                    guint         number);
/* What a KERNEL or PACKED instruction gives. */
LsVMValue *ls_vm_frame_call_named  (LsVMFrame    *frame,
                                    const gint64 *code);
/* The first of the values called with the others: a closure, or an object of the host that can be called. */
LsVMValue *ls_vm_frame_call_value  (LsVMFrame    *frame,
                                    GPtrArray    *values);

G_END_DECLS
