/* hip: the runtime of AMD's GPUs, opened at run time; see bundle.h.
 *
 * Needs libamdhip64.so of ROCm 5 or later.  Kernels are HIP C++: libhiprtc.so, which comes with it, makes code for the GPU that is found; without it
 * `run` has asked hipcc.  Types, names and numbers are those of HIP's interface. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE             /* memmem */
#endif
#include "bundle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef int hipError_t;
typedef struct ihipModule_t *hipModule_t;
typedef struct ihipModuleSymbol_t *hipFunction_t;
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;

/* name in the library, name here, type, parameters */
#define FUNCTIONS \
  F (hipInit, init, hipError_t, (unsigned flags)) \
  F (hipRuntimeGetVersion, version, hipError_t, (int *version)) \
  F (hipGetErrorName, error_name, const char *, (hipError_t error)) \
  F (hipGetErrorString, error_string, const char *, (hipError_t error)) \
  F (hipGetDeviceCount, count, hipError_t, (int *n)) \
  F (hipSetDevice, device, hipError_t, (int number)) \
  F (hipDeviceGetName, name, hipError_t, (char *name, int length, int device)) \
  F (hipDeviceTotalMem, total_memory, hipError_t, (size_t *bytes, int device)) \
  F (hipDeviceGetAttribute, attribute, hipError_t, (int *value, int attribute, int device)) \
  F (hipDeviceSynchronize, synchronize, hipError_t, (void)) \
  F (hipModuleLoadData, module_load, hipError_t, (hipModule_t *module, const void *image)) \
  F (hipModuleUnload, module_unload, hipError_t, (hipModule_t module)) \
  F (hipModuleGetFunction, function, hipError_t, (hipFunction_t *function, hipModule_t module, const char *name)) \
  F (hipFuncGetAttribute, function_attribute, hipError_t, (int *value, int attribute, hipFunction_t function)) \
  F (hipMalloc, allocate, hipError_t, (void **memory, size_t bytes)) \
  F (hipFree, release, hipError_t, (void *memory)) \
  F (hipMemcpyHtoD, write, hipError_t, (void *to, void *from, size_t bytes)) \
  F (hipMemcpyDtoH, read, hipError_t, (void *to, void *from, size_t bytes)) \
  F (hipMemcpyDtoDAsync, copy, hipError_t, (void *to, void *from, size_t bytes, hipStream_t stream)) \
  F (hipMemsetD8Async, set, hipError_t, (void *to, unsigned char value, size_t bytes, hipStream_t stream)) \
  F (hipModuleLaunchKernel, launch, hipError_t, (hipFunction_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, \
                                                 unsigned shared, hipStream_t stream, void **args, void **extra)) \
  F (hipEventCreateWithFlags, event_create, hipError_t, (hipEvent_t *event, unsigned flags)) \
  F (hipEventRecord, event_record, hipError_t, (hipEvent_t event, hipStream_t stream)) \
  F (hipEventSynchronize, event_synchronize, hipError_t, (hipEvent_t event)) \
  F (hipEventElapsedTime, event_elapsed, hipError_t, (float *ms, hipEvent_t start, hipEvent_t end))

/* Attributes of functions, and of devices since ROCm 5. */
enum { MOST_THREADS = 0, SHARED = 1, LOCAL = 3, REGISTERS = 4 };
enum { DEVICE_CLOCK = 5, DEVICE_L2 = 19, DEVICE_THREADS = 56, DEVICE_MEMORY_CLOCK = 60, DEVICE_UNITS = 63, DEVICE_SHARED = 74 };

static struct {
  void *library;
#define F(symbol, name, type, parameters) type (*name) parameters;
  FUNCTIONS
#undef F
  hipModule_t   module;
  hipFunction_t functions[64];
  hipEvent_t    start, end;
  int           number;         /* of the GPU */
} hip;

/* ---- errors ---- */

static const struct { hipError_t code; const char *advice; } ADVICE[] = {
  { 2, "The GPU has too little free memory: end what else runs on it, or take a smaller program." },
  { 100, "The runtime finds no GPU: its driver is not loaded, /dev/kfd may not be opened by this user, or HIP_VISIBLE_DEVICES hides it." },
  { 101, "There is no GPU of this number; --device says which one." },
  { 209, "The code of the kernels is for other GPUs; remove build/ and run again." },
  { 700, "The kernel has read or written outside of its memory." },
  { 701, "A block of the kernel needs more threads, registers or shared memory than this GPU has." },
  { 719, "The kernel was ended by an error while it ran." },
};

/* A sentence of a call that failed. */
static bool
check (hipError_t  result,
       const char *call,
       const char *doing)
{
  const char *name = NULL, *text = NULL, *advice = "";

  if (result == 0)
    return true;
  if (hip.error_name != NULL)
    name = hip.error_name (result);
  if (hip.error_string != NULL)
    text = hip.error_string (result);
  for (size_t i = 0; i < sizeof ADVICE / sizeof *ADVICE; i++)
    if (ADVICE[i].code == result)
      advice = ADVICE[i].advice;
  return fail ("%s failed: %s gives error %d, %s (%s).%s%s", doing, call, result, name != NULL ? name : "unknown", text != NULL ? text : "no text for it",
               *advice != 0 ? " " : "", advice);
}

/* ---- the device ---- */

static void *
open_first (const char *const *names)
{
  void *library = NULL;

  for (int i = 0; library == NULL && names[i] != NULL; i++)
    library = dlopen (names[i], RTLD_NOW | RTLD_LOCAL);
  return library;
}

static bool
open_library (void)
{
  static const char *const NAMES[] = { "libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "/opt/rocm/lib/libamdhip64.so", NULL };
  static const struct { const char *name; size_t at; } symbols[] = {
#define F(symbol, name, type, parameters) { #symbol, offsetof (__typeof__ (hip), name) },
    FUNCTIONS
#undef F
  };

  hip.library = open_first (NAMES);
  if (hip.library == NULL)
    return fail ("There is no ROCm: libamdhip64.so cannot be opened (%s).", dlerror ());
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    {
      void *found = dlsym (hip.library, symbols[i].name);

      if (found == NULL)
        return fail ("The HIP runtime is too old: it has no %s.", symbols[i].name);
      memcpy ((char *) &hip + symbols[i].at, &found, sizeof found);
    }
  return true;
}

static int
attribute (int device,
           int which)
{
  int value = 0;

  return hip.attribute (&value, which, device) == 0 ? value : 0;
}

/* "gfx90a:sramecc+:xnack-" of the properties, wherever this version of the structure has it; "" where it does not tell. */
static void
find_architecture (int     device,
                   char   *name,
                   size_t  size)
{
  static const char *const SYMBOLS[] = { "hipGetDevicePropertiesR0600", "hipGetDeviceProperties" };
  char *properties = calloc (1, 1 << 16);
  int (*get) (void *, int);
  void *symbol = NULL;

  name[0] = 0;
  for (int i = 0; symbol == NULL && i < 2; i++)
    symbol = dlsym (hip.library, SYMBOLS[i]);
  memcpy (&get, &symbol, sizeof get);
  if (properties != NULL && symbol != NULL && get (properties, device) == 0)
    {
      const char *at = memmem (properties + 256, (1 << 16) - 512, "gfx", 3);    /* behind the device's own name */

      if (at != NULL)
        snprintf (name, size, "%.*s", (int) size - 1, at);
    }
  free (properties);
}

/* An older runtime has no such call: then it is not told. */
static void
find_bus (int     device,
          Device *out)
{
  void *found = dlsym (hip.library, "hipDeviceGetPCIBusId");
  hipError_t (*bus) (char *, int, int);

  memcpy (&bus, &found, sizeof bus);
  if (found == NULL || bus (out->bus, sizeof out->bus - 1, device) != 0)
    out->bus[0] = 0;
}

static void
describe (int     device,
          int     version,
          Device *out)
{
  size_t memory = 0;

  hip.name (out->name, sizeof out->name - 1, device);
  hip.total_memory (&memory, device);
  snprintf (out->driver, sizeof out->driver, "AMD");
  snprintf (out->version, sizeof out->version, "HIP %d.%d", version / 10000000, version / 100000 % 100);
  snprintf (out->kind, sizeof out->kind, "GPU");
  out->memory = (long long) memory;
  out->units = attribute (device, DEVICE_UNITS);
  out->clock_khz = attribute (device, DEVICE_CLOCK);
  out->memory_clock_khz = attribute (device, DEVICE_MEMORY_CLOCK);
  out->cache_bytes = attribute (device, DEVICE_L2);
  out->most_shared = attribute (device, DEVICE_SHARED);
  out->most_threads = attribute (device, DEVICE_THREADS);
  find_architecture (device, out->architecture, sizeof out->architecture);
  find_bus (device, out);
}

static bool
hip_open (int     number,
          Device *out)
{
  int n = 0, version = 0;

  if (!open_library () || !check (hip.init (0), "hipInit", "Starting the runtime")
      || !check (hip.version (&version), "hipRuntimeGetVersion", "Asking for the version") || !check (hip.count (&n), "hipGetDeviceCount", "Counting GPUs"))
    return false;
  if (version < 50000000)
    return fail ("The HIP runtime is version %d.%d; ROCm 5 or later is expected.", version / 10000000, version / 100000 % 100);
  if (number >= n)
    return fail ("There is no GPU number %d: this machine has %d.", number, n);
  if (!check (hip.device (number), "hipSetDevice", "Choosing the GPU"))
    return false;
  hip.number = number;
  describe (number, version, out);
  return check (hip.event_create (&hip.start, 0), "hipEventCreateWithFlags", "Making an event")
         && check (hip.event_create (&hip.end, 0), "hipEventCreateWithFlags", "Making an event");
}

static void
hip_close (void)
{
  if (hip.library != NULL)
    dlclose (hip.library);
  memset (&hip, 0, sizeof hip);
}

/* ---- kernels ---- */

static struct {
  int (*create) (void **program, const char *text, const char *name, int n, const char *const *headers, const char *const *names);
  int (*build) (void *program, int n, const char *const *options);
  int (*size) (void *program, size_t *bytes), (*get) (void *program, char *code), (*log_size) (void *program, size_t *bytes), (*log_get) (void *program, char *text);
} rtc;

static bool
open_compiler (void)
{
  static const char *const NAMES[] = { "libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6", "libhiprtc.so.5", "/opt/rocm/lib/libhiprtc.so", NULL };
  static const char *const SYMBOLS[] = { "hiprtcCreateProgram", "hiprtcCompileProgram", "hiprtcGetCodeSize", "hiprtcGetCode", "hiprtcGetProgramLogSize",
                                         "hiprtcGetProgramLog" };
  static const size_t AT[] = { offsetof (__typeof__ (rtc), create), offsetof (__typeof__ (rtc), build), offsetof (__typeof__ (rtc), size),
                               offsetof (__typeof__ (rtc), get), offsetof (__typeof__ (rtc), log_size), offsetof (__typeof__ (rtc), log_get) };
  void *library = open_first (NAMES);

  for (int i = 0; library != NULL && i < 6; i++)
    {
      void *found = dlsym (library, SYMBOLS[i]);

      if (found == NULL)
        return false;
      memcpy ((char *) &rtc + AT[i], &found, sizeof found);
    }
  return library != NULL;
}

/* Code of HIP C++ by HIPRTC; NULL with a sentence, or without one where there is no HIPRTC. (free it) */
static char *
compile (const Step *step,
         const char *architecture)
{
  const char *home = getenv ("ROCM_PATH") != NULL ? getenv ("ROCM_PATH") : "/opt/rocm", *options[2];
  char arch[128], headers[512], *source, *code = NULL;
  void *program = NULL;
  size_t length = 0;
  int n = 0;

  if (!open_compiler ())
    return NULL;
  source = read_source (step, NULL);
  if (source == NULL)
    return NULL;
  snprintf (headers, sizeof headers, "-I%s/include", home);
  options[n++] = headers;
  snprintf (arch, sizeof arch, "--offload-arch=%s", architecture);
  if (*architecture != 0)       /* else it takes the device in use */
    options[n++] = arch;
  if (rtc.create (&program, source, step->source, 0, NULL, NULL) == 0 && rtc.build (program, n, options) == 0 && rtc.size (program, &length) == 0
      && (code = malloc (length + 1)) != NULL)
    {
      code[length] = 0;
      if (rtc.get (program, code) == 0)
        {
          free (source);
          return code;
        }
    }
  if (program != NULL && rtc.log_size (program, &length) == 0)
    {
      char *text = calloc (length + 1, 1);

      if (text != NULL && rtc.log_get (program, text) == 0)
        fail ("HIPRTC does not take %s: %s", step->source, text);
      free (text);
    }
  fail ("HIPRTC gives no code for %s.", step->source);
  free (code);
  free (source);
  return NULL;
}

/* What to load, and what it was made of. (free it) */
static char *
find_code (const Step   *step,
           const Device *device,
           char         *from,
           size_t        size)
{
  char path[512], *code = compile (step, device->architecture);

  snprintf (from, size, "%s", step->source);
  if (code != NULL || failure ()[0] != 0)
    return code;
  snprintf (path, sizeof path, "build/%s.hsaco", step->name);   /* by hipcc, in `run` */
  code = read_file (path, NULL);
  forgive ();
  snprintf (from, size, "%s", path);
  if (code == NULL)
    fail ("Neither libhiprtc.so nor hipcc is here to make code of %s.", step->source);
  return code;
}

static bool
hip_load (const Step   *step,
          const Device *device,
          KernelFacts  *facts)
{
  char from[600], doing[700];
  char *code = find_code (step, device, from, sizeof from);
  bool ok;

  snprintf (doing, sizeof doing, "Loading the code of %s", from);
  ok = code != NULL && check (hip.module_load (&hip.module, code), "hipModuleLoadData", doing);
  for (int i = 0; ok && i < step->n_launches; i++)
    {
      static const int which[] = { REGISTERS, SHARED, LOCAL, MOST_THREADS };
      long long *values[] = { &facts[i].registers, &facts[i].shared_bytes, &facts[i].local_bytes, &facts[i].most_threads };
      int value;

      snprintf (facts[i].from, sizeof facts[i].from, "%.255s", from);
      ok = check (hip.function (&hip.functions[i], hip.module, step->launches[i].kernel), "hipModuleGetFunction", "Finding the kernel");
      for (int k = 0; ok && k < 4; k++)
        *values[k] = hip.function_attribute (&value, which[k], hip.functions[i]) == 0 ? value : -1;
    }
  free (code);
  return ok;
}

static Loaded *
hip_take (void)
{
  return keep_loaded (hip.module, (void *const *) hip.functions);
}

static void
hip_use (const Loaded *loaded)
{
  hip.module = loaded->module;
  memcpy (hip.functions, loaded->functions, sizeof hip.functions);
}

static bool
hip_enter (void)
{
  return check (hip.device (hip.number), "hipSetDevice", "Working on the GPU");
}

static void
hip_drop (Loaded *loaded)
{
  if (loaded != NULL && hip_enter ())
    hip.module_unload (loaded->module);
  free (loaded);
}

/* ---- memory ---- */

static bool
hip_allocate (size_t   bytes,
              void   **memory)
{
  char doing[128];

  snprintf (doing, sizeof doing, "Allocating %zu bytes on the GPU", bytes);
  return check (hip.allocate (memory, bytes > 0 ? bytes : 1), "hipMalloc", doing);
}

static bool
hip_release (void *memory)
{
  return check (hip.release (memory), "hipFree", "Freeing memory");
}

static bool
hip_write (void       *memory,
           const void *data,
           size_t      bytes)
{
  return check (hip.write (memory, (void *) (uintptr_t) data, bytes), "hipMemcpyHtoD", "Copying an input to the GPU");
}

static bool
hip_read (void   *memory,
          void   *data,
          size_t  bytes)
{
  return check (hip.read (data, memory, bytes), "hipMemcpyDtoH", "Copying a result from the GPU");
}

/* ---- running ---- */

static bool
begin (void)
{
  return check (hip.event_record (hip.start, NULL), "hipEventRecord", "Noting the start");
}

static bool
finish (double *ns)
{
  float ms = 0;

  if (!check (hip.event_record (hip.end, NULL), "hipEventRecord", "Noting the end")
      || !check (hip.event_synchronize (hip.end), "hipEventSynchronize", "Waiting for the GPU")
      || !check (hip.event_elapsed (&ms, hip.start, hip.end), "hipEventElapsedTime", "Reading the time"))
    return false;
  *ns = (double) ms * 1e6;
  return true;
}

/* from NULL: writes the memory anew, which drives all else out of the cache. */
static bool
hip_copy (void   *to,
          void   *from,
          size_t  bytes,
          double *ns)
{
  double unused;

  if (from == NULL)
    return check (hip.set (to, 0, bytes, NULL), "hipMemsetD8Async", "Flushing the cache") && check (hip.synchronize (), "hipDeviceSynchronize", "Waiting for the GPU");
  return begin () && check (hip.copy (to, from, bytes, NULL), "hipMemcpyDtoDAsync", "Copying on the GPU") && finish (ns != NULL ? ns : &unused);
}

static bool
launch (const Step  *step,
        int          i,
        void *const *arguments,
        void *const *temporaries)
{
  const Launch *l = &step->launches[i];
  void *values[64], *args[64];
  char doing[256];

  for (int k = 0; k < l->n_args; k++)
    {
      values[k] = l->args[k] >= 0 ? arguments[l->args[k]] : temporaries[-1 - l->args[k]];
      args[k] = &values[k];
    }
  snprintf (doing, sizeof doing, "Starting %s with %u x %u x %u blocks of %u x %u x %u threads", l->kernel, l->grid[0], l->grid[1], l->grid[2],
            l->block[0], l->block[1], l->block[2]);
  return check (hip.launch (hip.functions[i], l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], l->dynamic_shared, NULL, args, NULL),
                "hipModuleLaunchKernel", doing);
}

static bool
hip_run (const Step  *step,
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

const Driver hip_driver = { hip_open, hip_load, hip_allocate, hip_release, hip_write, hip_read, hip_copy, hip_run, hip_close,
                            hip_take, hip_use, hip_drop, hip_enter };
