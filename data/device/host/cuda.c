/* cuda: the driver of NVIDIA's GPUs, opened at run time; see bundle.h.
 *
 * Only libcuda.so.1 is needed, which comes with the driver.  Kernels are PTX, which the driver compiles for the GPU that it finds; for a step without
 * PTX, libnvrtc.so makes it of the CUDA C where that is installed.  Types, names and numbers are those of the driver's interface. */
#define _POSIX_C_SOURCE 200809L
#include "bundle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;

/* return type, name in the library, name here, parameters */
#define FUNCTIONS \
  F (cuInit, init, (unsigned flags)) \
  F (cuDriverGetVersion, version, (int *version)) \
  F (cuGetErrorName, error_name, (CUresult error, const char **name)) \
  F (cuGetErrorString, error_string, (CUresult error, const char **text)) \
  F (cuDeviceGetCount, count, (int *n)) \
  F (cuDeviceGet, device, (CUdevice *device, int number)) \
  F (cuDeviceGetName, name, (char *name, int length, CUdevice device)) \
  F (cuDeviceTotalMem_v2, total_memory, (size_t *bytes, CUdevice device)) \
  F (cuDeviceGetAttribute, attribute, (int *value, int attribute, CUdevice device)) \
  F (cuCtxCreate_v2, context_create, (CUcontext *context, unsigned flags, CUdevice device)) \
  F (cuCtxDestroy_v2, context_destroy, (CUcontext context)) \
  F (cuCtxSetCurrent, context_set, (CUcontext context)) \
  F (cuCtxSynchronize, synchronize, (void)) \
  F (cuModuleLoadDataEx, module_load, (CUmodule *module, const void *image, unsigned n, int *options, void **values)) \
  F (cuModuleUnload, module_unload, (CUmodule module)) \
  F (cuModuleGetFunction, function, (CUfunction *function, CUmodule module, const char *name)) \
  F (cuFuncGetAttribute, function_attribute, (int *value, int attribute, CUfunction function)) \
  F (cuFuncSetAttribute, function_set, (CUfunction function, int attribute, int value)) \
  F (cuMemAlloc_v2, allocate, (CUdeviceptr *memory, size_t bytes)) \
  F (cuMemFree_v2, release, (CUdeviceptr memory)) \
  F (cuMemcpyHtoD_v2, write, (CUdeviceptr to, const void *from, size_t bytes)) \
  F (cuMemcpyDtoH_v2, read, (void *to, CUdeviceptr from, size_t bytes)) \
  F (cuMemcpyDtoDAsync_v2, copy, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)) \
  F (cuMemsetD8Async, set, (CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)) \
  F (cuLaunchKernel, launch, (CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, \
                              CUstream stream, void **args, void **extra)) \
  F (cuEventCreate, event_create, (CUevent *event, unsigned flags)) \
  F (cuEventRecord, event_record, (CUevent event, CUstream stream)) \
  F (cuEventSynchronize, event_synchronize, (CUevent event)) \
  F (cuEventElapsedTime, event_elapsed, (float *ms, CUevent start, CUevent end)) \
  F (cuEventDestroy_v2, event_destroy, (CUevent event))

enum { REGISTERS = 4, SHARED = 1, LOCAL = 3, MOST_THREADS = 0, MOST_DYNAMIC = 8 };      /* attributes of functions */
enum { DEVICE_THREADS = 1, DEVICE_SHARED = 8, DEVICE_CLOCK = 13, DEVICE_UNITS = 16, DEVICE_MEMORY_CLOCK = 36, DEVICE_L2 = 38, DEVICE_MAJOR = 75,
       DEVICE_MINOR = 76, DEVICE_SHARED_OPTIN = 97 };
enum { INFO_LOG = 3, INFO_LOG_BYTES = 4, ERROR_LOG = 5, ERROR_LOG_BYTES = 6 };          /* options of a module */

static struct {
  void *library;
#define F(symbol, name, parameters) CUresult (*name) parameters;
  FUNCTIONS
#undef F
  CUcontext  context;
  CUmodule   module;
  CUfunction functions[64];
  CUevent    start, end;
} cu;

/* ---- errors ---- */

static const struct { CUresult code; const char *advice; } ADVICE[] = {
  { 2, "The GPU has too little free memory: end what else runs on it, or take a smaller program." },
  { 100, "The driver finds no GPU: it is switched off, taken by a virtual machine, or hidden by CUDA_VISIBLE_DEVICES." },
  { 101, "There is no GPU of this number; --device says which one." },
  { 209, "The kernels were made for other GPUs; export them with --arch for this one." },
  { 218, "The driver does not take the PTX; what it says of it stands behind." },
  { 222, "The driver is older than the PTX; a newer driver, or an export for an older architecture, helps." },
  { 700, "The kernel has read or written outside of its memory; compute-sanitizer says where." },
  { 701, "A block of the kernel needs more threads, registers or shared memory than this GPU has." },
  { 702, "The kernel took longer than the driver allows where the GPU also draws a screen." },
  { 716, "The kernel has accessed memory at an address that is no multiple of the element's size." },
  { 719, "The kernel was ended by an error while it ran." },
  { 803, "The driver and the module of the kernel have different versions: restart the machine after an update." },
  { 804, "This driver is older than what the installed CUDA needs." },
};

/* A sentence of a call that failed. */
static bool
check (CUresult    result,
       const char *call,
       const char *doing)
{
  const char *name = NULL, *text = NULL, *advice = "";

  if (result == 0)
    return true;
  if (cu.error_name == NULL || cu.error_name (result, &name) != 0 || name == NULL)
    name = "unknown";
  if (cu.error_string == NULL || cu.error_string (result, &text) != 0 || text == NULL)
    text = "no text for it";
  for (size_t i = 0; i < sizeof ADVICE / sizeof *ADVICE; i++)
    if (ADVICE[i].code == result)
      advice = ADVICE[i].advice;
  return fail ("%s failed: %s gives error %d, %s (%s).%s%s", doing, call, result, name, text, *advice != 0 ? " " : "", advice);
}

/* ---- the device ---- */

static bool
open_library (void)
{
  static const struct { const char *name; size_t at; } symbols[] = {
#define F(symbol, name, parameters) { #symbol, offsetof (__typeof__ (cu), name) },
    FUNCTIONS
#undef F
  };

  cu.library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (cu.library == NULL)
    return fail ("There is no NVIDIA driver: libcuda.so.1 cannot be opened (%s).", dlerror ());
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    {
      void *found = dlsym (cu.library, symbols[i].name);

      if (found == NULL)
        return fail ("The NVIDIA driver is too old: it has no %s.", symbols[i].name);
      memcpy ((char *) &cu + symbols[i].at, &found, sizeof found);
    }
  return true;
}

static int
attribute (CUdevice device,
           int      which)
{
  int value = 0;

  return cu.attribute (&value, which, device) == 0 ? value : 0;
}

/* An older driver has no such call: then it is not told. */
static void
find_bus (CUdevice  device,
          Device   *out)
{
  void *found = dlsym (cu.library, "cuDeviceGetPCIBusId");
  CUresult (*bus) (char *, int, CUdevice);

  memcpy (&bus, &found, sizeof bus);
  if (found == NULL || bus (out->bus, sizeof out->bus - 1, device) != 0)
    out->bus[0] = 0;
}

static void
describe (CUdevice  device,
          Device   *out)
{
  size_t memory = 0;
  int version = 0, shared = attribute (device, DEVICE_SHARED_OPTIN);

  cu.name (out->name, sizeof out->name - 1, device);
  cu.total_memory (&memory, device);
  cu.version (&version);
  snprintf (out->driver, sizeof out->driver, "NVIDIA");
  snprintf (out->version, sizeof out->version, "CUDA %d.%d", version / 1000, version % 1000 / 10);
  snprintf (out->kind, sizeof out->kind, "GPU");
  out->memory = (long long) memory;
  out->units = attribute (device, DEVICE_UNITS);
  out->clock_khz = attribute (device, DEVICE_CLOCK);
  out->memory_clock_khz = attribute (device, DEVICE_MEMORY_CLOCK);
  out->cache_bytes = attribute (device, DEVICE_L2);
  out->capability = attribute (device, DEVICE_MAJOR) * 10 + attribute (device, DEVICE_MINOR);
  out->most_shared = shared > 0 ? shared : attribute (device, DEVICE_SHARED);
  out->most_threads = attribute (device, DEVICE_THREADS);
  snprintf (out->architecture, sizeof out->architecture, "sm_%d", out->capability);
  find_bus (device, out);
}

static bool
cuda_open (int     number,
           Device *out)
{
  CUdevice device;
  int n = 0;

  if (!open_library () || !check (cu.init (0), "cuInit", "Starting the driver") || !check (cu.count (&n), "cuDeviceGetCount", "Counting GPUs"))
    return false;
  if (number >= n)
    return fail ("There is no GPU number %d: this machine has %d.", number, n);
  if (!check (cu.device (&device, number), "cuDeviceGet", "Choosing the GPU")
      || !check (cu.context_create (&cu.context, 0, device), "cuCtxCreate", "Taking the GPU into use"))
    return false;
  describe (device, out);
  return check (cu.event_create (&cu.start, 0), "cuEventCreate", "Making an event") && check (cu.event_create (&cu.end, 0), "cuEventCreate", "Making an event");
}

static void
cuda_close (void)
{
  if (cu.context != NULL && cu.context_destroy != NULL)
    cu.context_destroy (cu.context);
  if (cu.library != NULL)
    dlclose (cu.library);
  memset (&cu, 0, sizeof cu);
}

/* ---- kernels ---- */

/* PTX of CUDA C by NVRTC, where that is installed.  (free it) */
static char *
compile (const char *path,
         int         capability)
{
  static const char *const names[] = { "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2" };
  void *library = NULL, *program = NULL;
  int (*create) (void **, const char *, const char *, int, const char *const *, const char *const *);
  int (*build) (void *, int, const char *const *);
  int (*size) (void *, size_t *), (*get) (void *, char *), (*log_size) (void *, size_t *), (*log_get) (void *, char *);
  void *symbols[6];
  static const char *const needed[] = { "nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetPTXSize", "nvrtcGetPTX", "nvrtcGetProgramLogSize",
                                        "nvrtcGetProgramLog" };
  const char *home = getenv ("CUDA_HOME") != NULL ? getenv ("CUDA_HOME") : "/usr/local/cuda";       /* where cuda_fp16.h is */
  char option[64], headers[512], *source = read_file (path, NULL), *ptx = NULL;
  const char *options[] = { option, headers };
  size_t length = 0;

  for (size_t i = 0; source != NULL && library == NULL && i < sizeof names / sizeof *names; i++)
    library = dlopen (names[i], RTLD_NOW | RTLD_LOCAL);
  for (int i = 0; library != NULL && i < 6; i++)
    if ((symbols[i] = dlsym (library, needed[i])) == NULL)
      library = NULL;
  if (library == NULL)
    {
      free (source);
      return NULL;
    }
  memcpy (&create, &symbols[0], sizeof create);
  memcpy (&build, &symbols[1], sizeof build);
  memcpy (&size, &symbols[2], sizeof size);
  memcpy (&get, &symbols[3], sizeof get);
  memcpy (&log_size, &symbols[4], sizeof log_size);
  memcpy (&log_get, &symbols[5], sizeof log_get);
  snprintf (option, sizeof option, "--gpu-architecture=compute_%d", capability);
  snprintf (headers, sizeof headers, "--include-path=%s/include", home);
  if (create (&program, source, path, 0, NULL, NULL) == 0 && build (program, 2, options) == 0 && size (program, &length) == 0
      && (ptx = malloc (length + 1)) != NULL)
    {
      ptx[length] = 0;
      get (program, ptx);
    }
  else if (program != NULL && log_size (program, &length) == 0)
    {
      char *text = calloc (length + 1, 1);

      if (text != NULL && log_get (program, text) == 0)
        fail ("NVRTC does not take %s: %s", path, text);
      free (text);
    }
  free (source);
  return ptx;
}

/* The text to load, and what it is. (free it) */
static char *
find_ptx (const Step   *step,
          const Device *device,
          char         *from,
          size_t        size)
{
  const Ptx *best = NULL;
  char path[512], *ptx;

  for (int i = 0; i < step->n_ptx; i++)
    if (step->ptx[i].capability <= device->capability && (best == NULL || step->ptx[i].capability > best->capability))
      best = &step->ptx[i];
  if (best != NULL)
    {
      snprintf (from, size, "%s", best->path);
      return best->text != NULL ? strdup (best->text) : read_file (best->path, NULL);
    }
  if (step->n_ptx > 0)
    {
      fail ("The PTX here is for sm_%d and later; %s is an sm_%d.  Export it with --arch sm_%d.", step->ptx[0].capability, device->name,
            device->capability, device->capability);
      return NULL;
    }
  snprintf (path, sizeof path, "build/%s.ptx", step->name);     /* by nvcc, in `run` */
  ptx = read_file (path, NULL);
  forgive ();
  snprintf (from, size, "%s", ptx != NULL ? path : step->source);
  if (ptx == NULL)
    ptx = compile (step->source, device->capability);
  if (ptx == NULL)
    fail ("There is no PTX of this step (%s), and neither nvcc nor libnvrtc is here to make it.", step->no_ptx);
  return ptx;
}

static bool
load_module (const char *ptx,
             const char *from)
{
  char log[4096] = { 0 };
  int options[] = { ERROR_LOG, ERROR_LOG_BYTES };
  void *values[] = { log, (void *) sizeof log };
  CUresult result = cu.module_load (&cu.module, ptx, 2, options, values);
  char doing[512];

  snprintf (doing, sizeof doing, "Compiling %.400s for the GPU", from);
  if (check (result, "cuModuleLoadDataEx", doing))
    return true;
  if (log[0] != 0)
    {
      char whole[2048];

      snprintf (whole, sizeof whole, "%.1000s  %.1000s", failure (), log);
      forgive ();
      fail ("%s", whole);
    }
  return false;
}

static bool
cuda_load (const Step   *step,
           const Device *device,
           KernelFacts  *facts)
{
  char from[600];
  char *ptx = find_ptx (step, device, from, sizeof from);
  bool ok = ptx != NULL && load_module (ptx, from);

  free (ptx);
  for (int i = 0; ok && i < step->n_launches; i++)
    {
      const Launch *launch = &step->launches[i];
      static const int which[] = { REGISTERS, SHARED, LOCAL, MOST_THREADS };
      long long *values[] = { &facts[i].registers, &facts[i].shared_bytes, &facts[i].local_bytes, &facts[i].most_threads };
      int value;

      snprintf (facts[i].from, sizeof facts[i].from, "%.255s", from);
      ok = check (cu.function (&cu.functions[i], cu.module, launch->kernel), "cuModuleGetFunction", "Finding the kernel");
      for (int k = 0; ok && k < 4; k++)
        *values[k] = cu.function_attribute (&value, which[k], cu.functions[i]) == 0 ? value : -1;
      if (ok && launch->dynamic_shared > 48 * 1024)
        ok = check (cu.function_set (cu.functions[i], MOST_DYNAMIC, (int) launch->dynamic_shared), "cuFuncSetAttribute", "Asking for more shared memory");
    }
  return ok;
}

static Loaded *
cuda_take (void)
{
  return keep_loaded (cu.module, (void *const *) cu.functions);
}

static void
cuda_use (const Loaded *loaded)
{
  cu.module = loaded->module;
  memcpy (cu.functions, loaded->functions, sizeof cu.functions);
}

static bool
cuda_enter (void)
{
  return check (cu.context_set (cu.context), "cuCtxSetCurrent", "Working on the GPU");
}

static void
cuda_drop (Loaded *loaded)
{
  if (loaded != NULL && cuda_enter ())
    cu.module_unload (loaded->module);
  free (loaded);
}

/* ---- memory ---- */

static CUdeviceptr
pointer (const void *memory)
{
  return (CUdeviceptr) (uintptr_t) memory;
}

static bool
cuda_allocate (size_t   bytes,
               void   **memory)
{
  CUdeviceptr at = 0;
  char doing[128];

  snprintf (doing, sizeof doing, "Allocating %zu bytes on the GPU", bytes);
  if (!check (cu.allocate (&at, bytes > 0 ? bytes : 1), "cuMemAlloc", doing))
    return false;
  *memory = (void *) (uintptr_t) at;
  return true;
}

static bool
cuda_release (void *memory)
{
  return check (cu.release (pointer (memory)), "cuMemFree", "Freeing memory");
}

static bool
cuda_write (void       *memory,
            const void *data,
            size_t      bytes)
{
  return check (cu.write (pointer (memory), data, bytes), "cuMemcpyHtoD", "Copying an input to the GPU");
}

static bool
cuda_read (void   *memory,
           void   *data,
           size_t  bytes)
{
  return check (cu.read (data, pointer (memory), bytes), "cuMemcpyDtoH", "Copying a result from the GPU");
}

/* ---- running ---- */

static bool
begin (void)
{
  return check (cu.event_record (cu.start, NULL), "cuEventRecord", "Noting the start");
}

static bool
finish (double *ns)
{
  float ms = 0;

  if (!check (cu.event_record (cu.end, NULL), "cuEventRecord", "Noting the end")
      || !check (cu.event_synchronize (cu.end), "cuEventSynchronize", "Waiting for the GPU")
      || !check (cu.event_elapsed (&ms, cu.start, cu.end), "cuEventElapsedTime", "Reading the time"))
    return false;
  *ns = (double) ms * 1e6;
  return true;
}

/* from NULL: writes the memory anew, which drives all else out of the cache. */
static bool
cuda_copy (void   *to,
           void   *from,
           size_t  bytes,
           double *ns)
{
  double unused;

  if (from == NULL)
    return check (cu.set (pointer (to), 0, bytes, NULL), "cuMemsetD8Async", "Flushing the cache") && check (cu.synchronize (), "cuCtxSynchronize", "Waiting for the GPU");
  return begin () && check (cu.copy (pointer (to), pointer (from), bytes, NULL), "cuMemcpyDtoDAsync", "Copying on the GPU") && finish (ns != NULL ? ns : &unused);
}

static bool
launch (const Step  *step,
        int          i,
        void *const *arguments,
        void *const *temporaries)
{
  const Launch *l = &step->launches[i];
  CUdeviceptr values[64];
  void *args[64];
  char doing[256];

  for (int k = 0; k < l->n_args; k++)
    {
      values[k] = pointer (l->args[k] >= 0 ? arguments[l->args[k]] : temporaries[-1 - l->args[k]]);
      args[k] = &values[k];
    }
  snprintf (doing, sizeof doing, "Starting %s with %u x %u x %u blocks of %u x %u x %u threads", l->kernel, l->grid[0], l->grid[1], l->grid[2],
            l->block[0], l->block[1], l->block[2]);
  return check (cu.launch (cu.functions[i], l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->dynamic_shared, NULL, args, NULL),
                "cuLaunchKernel", doing);
}

static bool
cuda_run (const Step  *step,
          void *const *arguments,
          void *const *temporaries,
          int          times,
          double      *ns)
{
  if (!begin ())
    return false;
  for (int t = 0; t < times; t++)
    for (int i = 0; i < step->n_launches; i++)
      if (!launch (step, i, arguments, temporaries))
        return false;
  if (!finish (ns))
    return false;
  *ns /= times;
  return true;
}

const Driver cuda_driver = { cuda_open, cuda_load, cuda_allocate, cuda_release, cuda_write, cuda_read, cuda_copy, cuda_run, cuda_close,
                             cuda_take, cuda_use, cuda_drop, cuda_enter };
