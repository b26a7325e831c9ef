/* bundle: a bundle for a device made of programs; its kernels, expected results and tables come from the worker and from engine/device.
 *
 *   maker     LsBundleMaker: arguments and what has to come out once, then as many programs as are wanted
 *   onto      LsBundleDevice: one program on a device of this machine, by loopscope-device in the jail
 *   trials    LsBundleTrials: programs of a search on such a device, with answers as the worker's method `time` gives
 */
#pragma once

#include "app/rpc/rpc.h"
#include "engine/device/device.h"

G_BEGIN_DECLS

/* ---- maker.c ---- */

typedef struct {
  const char *name;             /* of the program */
  const char *target;           /* "cuda", "opencl", "rocm", "nvidia/nvidia-a100" */
  const char *func;             /* NULL: the only one, or main */
  const char *arch;             /* "sm_80,sm_90" of cuda, or NULL: the target's */
  const char *const *set;       /* NAME=VALUE of symbolic sizes, or NULL: the bundle is of the program with these */
  gint64      seed;             /* of the inputs */
  gint64      timeout_s;        /* for each question to the worker */
  guint64     memory;           /* bytes that the worker may take; 0: its own limit */
  GCancellable *cancellable;    /* of these, or NULL */
} LsBundleWishes;

typedef struct _LsBundleMaker LsBundleMaker;

/* Whether a target is one of a device that bundles are for.  NULL: the processor's. */
gboolean        ls_bundle_is_target        (const char             *target);
/* "cuda", "opencl", "hip" of such a target, or NULL. */
const char     *ls_bundle_api_of           (const char             *target);

/* The module with its function (NULL: the only one, or main) for these sizes, or the same one. (transfer full) */
LsModule       *ls_bundle_sized            (LsModule               *module,
                                            const char             *func,
                                            const char *const      *set);
/* Reads what it needs of `base`, the program before all steps, and computes what has to come out (the worker runs it on this processor).  Waits for the
 * worker: iterates the thread-default main context.  Errors: of LS_DEVICE_ERROR, of targets, and the worker's. (transfer full) */
LsBundleMaker  *ls_bundle_maker_new        (LsModule               *base,
                                            const LsBundleWishes   *wishes,
                                            GError                **error);
void            ls_bundle_maker_free       (LsBundleMaker          *self);
/* Adds what the program became as a step of this name (letters, digits, - and _).  Where LLVM makes no PTX for an architecture the step says so
 * (`no_ptx`, `partly`).  Errors: as above; nothing was added then.  Borrowed. */
LsBundleStep   *ls_bundle_maker_add        (LsBundleMaker          *self,
                                            const char             *name,
                                            const char             *title,
                                            LsModule               *module,
                                            GError                **error);
/* Forgets the steps, for another bundle of the same program, with a cancellable of its own (or NULL). */
void            ls_bundle_maker_begin      (LsBundleMaker          *self,
                                            GCancellable           *cancellable);
/* Borrowed. */
const LsBundle *ls_bundle_maker_get        (LsBundleMaker          *self);
const char     *ls_bundle_maker_get_func   (LsBundleMaker          *self);
const char     *ls_bundle_maker_get_text   (LsBundleMaker          *self);
GPtrArray      *ls_bundle_maker_get_archs  (LsBundleMaker          *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBundleMaker, ls_bundle_maker_free)

/* ---- onto.c ---- */

/* A device of this machine: which driver, its number there, what it is called. */
typedef struct {
  char   *api;                  /* "cuda", "opencl", "hip" */
  int     number;
  char   *name;                 /* as the driver says: "NVIDIA H200" */
  char   *kind;                 /* of machines that measure on such a one: "cuda-NVIDIA-H200" */
  guint64 memory;               /* bytes of this machine's (not the device's) that a program may take; 0: no limit */
} LsBundleDevice;

/* Asks the driver, in a process of its own.  Errors: LS_DEVICE_ERROR, with what the driver's side says. (transfer full) */
LsBundleDevice *ls_bundle_device_open      (const char             *api,
                                            int                     number,
                                            GError                **error);
void            ls_bundle_device_free      (LsBundleDevice         *self);
/* The kind of a machine with this device; "" never. (transfer full) */
char           *ls_bundle_device_kind      (const char             *api,
                                            const char             *name);

/* Runs all steps of a bundle, one after the other, each in a process of its own that is ended after `limit_s`; times them for `seconds` each.  Waits: to be
 * called from a thread where others wait.  Errors: LS_DEVICE_ERROR, G_IO_ERROR_CANCELLED.  What a kernel does wrong is no error: it stands in the
 * result. (transfer full) */
LsDeviceResult *ls_bundle_device_run       (LsBundleDevice         *self,
                                            const LsBundle         *bundle,
                                            double                  seconds,
                                            double                  limit_s,
                                            GCancellable           *cancellable,
                                            GError                **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBundleDevice, ls_bundle_device_free)

/* ---- trials.c ---- */

/* Measures programs on a device, one after the other, in a thread. */
typedef struct _LsBundleTrials LsBundleTrials;

/* Takes the device. (transfer full) */
LsBundleTrials *ls_bundle_trials_new       (LsBundleDevice         *device);
/* Ends what is being measured and waits for that (iterating the main context): its callback comes. */
void            ls_bundle_trials_free      (LsBundleTrials         *self);
/* `params` are those of the worker's method `time` (floating is sunk): module, target, func, set, seed, budget-ms; `base` is the unscheduled program.  The next may
 * begin when this one is finished. */
void            ls_bundle_trials_measure_async (LsBundleTrials     *self,
                                            GVariant               *params,
                                            const char             *base,
                                            gint64                  timeout_ms,
                                            GAsyncReadyCallback     done,
                                            gpointer                data);
/* The answer of that method, or {"error": s} where the program, its kernel or the device failed.  Errors: G_IO_ERROR_CANCELLED. (transfer full) */
GVariant       *ls_bundle_trials_measure_finish (LsBundleTrials    *self,
                                            GAsyncResult           *result,
                                            GError                **error);
/* Ends what is being measured. */
void            ls_bundle_trials_cancel    (LsBundleTrials         *self);
const LsBundleDevice *
                ls_bundle_trials_get_device (LsBundleTrials        *self);
/* Why a step of a result has no time that counts, or NULL. (transfer full) */
char           *ls_bundle_step_problem     (const LsDeviceResultStep *step);

G_END_DECLS
