/* device: programs that travel to a device of another machine, and the results that come back.
 *
 *   plan      what the host has to do for a function: memory, kernels, in which order
 *   bundle    the folder: kernels as text, a host program in C11 (data/device/host), tables, expected results, one script
 *   tables    the tables of that program (plan.c) as text
 *   result    result.json read back, with every check
 *
 * Nothing is run here: kernels as PTX, expected results and the simulator's counts are given by who asks.  No LLVM. */
#pragma once

#include "engine/codegen/c/text.h"

G_BEGIN_DECLS

#define LS_DEVICE_ERROR (ls_device_error_quark ())
GQuark ls_device_error_quark (void);

typedef enum {
  LS_DEVICE_ERROR_UNSUPPORTED,  /* the host would have to do more than start kernels */
  LS_DEVICE_ERROR_FILE,         /* a file or folder cannot be written or read */
  LS_DEVICE_ERROR_FORMAT,       /* no result, or one of a later version */
  LS_DEVICE_ERROR_DAMAGED,      /* a result whose checksum is not that of its text, or that contradicts itself */
  LS_DEVICE_ERROR_STRANGER      /* a result of another program */
} LsDeviceError;

/* ---- plan.c ---- */

typedef struct {
  char   *kernel;
  gint64  grid[3], block[3];
  gint64  dynamic_shared;       /* bytes */
  GArray *args;                 /* of int: 0 ..: parameters of the function; -1, -2 ..: temporaries */
} LsDeviceLaunch;

typedef struct {
  GPtrArray *launches;          /* of LsDeviceLaunch */
  GArray    *temporaries;       /* of gint64: bytes */
} LsDevicePlan;

/* What the host does for a function that ls_lower_device has lowered.  Errors: those of the passes, and UNSUPPORTED where it computes, loops or
 * decides, or a size is not a number. (transfer full) */
LsDevicePlan *ls_device_plan_new  (const char    *name,
                                   LsPrimFunc    *lowered,
                                   GError       **error);
void          ls_device_plan_free (LsDevicePlan  *self);
/* The structural hash of a module as 16 hexadecimal digits: the same for equal programs, whatever their variables are called.  (transfer full) */
char         *ls_device_hash      (LsModule      *module);

/* ---- bundle.c ---- */

typedef struct {
  int   capability;             /* 80 of sm_80 */
  char *text;
} LsBundlePtx;

typedef struct {
  char         *name;           /* letters, digits, '-' and '_' */
  char         *title;
  char         *hash;           /* of the program after the step */
  char         *program;        /* TVMScript */
  char         *function;
  char         *source;         /* kernels as text */
  LsDevicePlan *plan;
  GArray       *ptx;            /* of LsBundlePtx */
  char         *no_ptx;         /* why there is none, or NULL */
  char         *partly;         /* for which architectures there is none and why, where there is some; or NULL */
  char         *simulated;      /* JSON */
} LsBundleStep;

typedef struct {
  char    *name;
  LsDType  dtype;
  GArray  *shape;               /* of gint64 */
  char     role;                /* 'i' only read, 'o' only written, 'b' both */
  guint64  seed;
  guint64  input_sum;
  GBytes  *expected;            /* NULL: only read */
} LsBundleArgument;

/* Whose driver the host program opens. */
typedef enum {
  LS_BUNDLE_CUDA,               /* kernels as PTX, and as CUDA C */
  LS_BUNDLE_OPENCL,             /* as OpenCL C */
  LS_BUNDLE_HIP                 /* as HIP C++ */
} LsBundleApi;

typedef struct {
  const char *name;             /* of the program; borrowed, as all here */
  const char *target;           /* "cuda", "nvidia/nvidia-a100", "opencl", "rocm" */
  LsBundleApi api;
  const char *made_by;          /* "loopscope 1.2" */
  const char *program;          /* TVMScript before all steps */
  const char *program_hash;
  GPtrArray  *arguments;        /* of LsBundleArgument */
  GPtrArray  *steps;            /* of LsBundleStep */
} LsBundle;

/* The argument's data by the bundle's generator; NULL: no such type can be made.  (transfer full) */
GBytes           *ls_bundle_argument_data (LsBundleArgument *self);
void              ls_bundle_argument_free (LsBundleArgument *self);
LsBundleStep     *ls_bundle_step_new      (void);
void              ls_bundle_step_free     (LsBundleStep     *self);
/* Writes the folder, which must not be there or be empty.  Errors: FILE. */
gboolean          ls_bundle_write         (const LsBundle   *self,
                                           const char       *folder,
                                           GError          **error);
/* The parts of it that loopscope-device reads, instead of a host program that has to be built: plan.json, kernels/, expected/.  Errors: FILE. */
gboolean          ls_bundle_write_parts   (const LsBundle   *self,
                                           const char       *folder,
                                           GError          **error);
/* tables.c: plan.c of the host program. (transfer full) */
char             *ls_bundle_tables        (const LsBundle   *self);
/* The same as JSON. (transfer full) */
char             *ls_bundle_tables_json   (const LsBundle   *self);

/* ---- result.c ---- */

typedef struct {
  double  min, q1, median, q3, spread;  /* ns */
  guint   n;
  gboolean settled, flushed;
} LsDeviceTime;

typedef struct {
  char        *name, *title, *hash;
  char        *verdict;         /* "same", "differs", "failed" */
  char        *reason;          /* a sentence, or NULL */
  LsDeviceTime time;            /* n 0: not measured */
  LsDeviceTime flushed;         /* with the cache emptied before each sample */
  GHashTable  *counters;        /* char * -> double *: the device's, by ncu's names; summed over the kernels of the step; NULL: none */
  GHashTable  *simulated;       /* char * -> double *: the simulator's counts, summed over the kernels; NULL: none */
  gint64       registers;       /* the most of its kernels; -1: not told */
  char        *clocks;          /* "core clock 1980 MHz before, 1755 MHz after", or NULL */
} LsDeviceResultStep;

typedef struct {
  char      *name;              /* of the program */
  char      *program;           /* hash before all steps */
  char      *made_by, *when;
  char      *api, *device, *kind, *driver;
  double     copy_speed;        /* bytes a second, by the driver's copy; 0: not measured */
  double     bandwidth;         /* the same by a kernel; 0: not measured */
  double     peak;              /* operations on float32 a second; 0: not measured */
  GPtrArray *steps;             /* of LsDeviceResultStep */
  GPtrArray *notes;             /* of char *: tools that did not run and why; findings of the others */
} LsDeviceResult;

/* Reads the text of a result.json.  `shown` is how sentences call the file.  Errors: FORMAT, DAMAGED. (transfer full) */
LsDeviceResult   *ls_device_result_parse  (const char       *shown,
                                           const char       *text,
                                           gsize             length,
                                           GError          **error);
LsDeviceResult   *ls_device_result_read   (const char       *path,
                                           GError          **error);
void              ls_device_result_free   (LsDeviceResult   *self);
/* What the result has for the program with this hash, or NULL. */
const LsDeviceResultStep *
                  ls_device_result_find   (const LsDeviceResult *self,
                                           const char       *hash);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDevicePlan, ls_device_plan_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBundleStep, ls_bundle_step_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsBundleArgument, ls_bundle_argument_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsDeviceResult, ls_device_result_free)

G_END_DECLS
