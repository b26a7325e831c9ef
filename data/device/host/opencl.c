/* opencl: whatever device the machine's OpenCL offers, opened at run time; see bundle.h.
 *
 * Needs libOpenCL.so.1 (the ICD loader) and an implementation that it finds.  Types, names and numbers are those of OpenCL 1.2. */
#include "bundle.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_event *cl_event;
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;

#define FUNCTIONS \
  F (clGetPlatformIDs, platforms, cl_int, (cl_uint n, cl_platform_id *list, cl_uint *found)) \
  F (clGetDeviceIDs, devices, cl_int, (cl_platform_id platform, cl_ulong type, cl_uint n, cl_device_id *list, cl_uint *found)) \
  F (clGetDeviceInfo, info, cl_int, (cl_device_id device, cl_uint what, size_t bytes, void *value, size_t *length)) \
  F (clCreateContext, context_create, cl_context, (const intptr_t *properties, cl_uint n, const cl_device_id *devices, void *notify, void *data, cl_int *error)) \
  F (clReleaseContext, context_release, cl_int, (cl_context context)) \
  F (clCreateCommandQueue, queue_create, cl_command_queue, (cl_context context, cl_device_id device, cl_ulong properties, cl_int *error)) \
  F (clReleaseCommandQueue, queue_release, cl_int, (cl_command_queue queue)) \
  F (clCreateProgramWithSource, program_create, cl_program, (cl_context context, cl_uint n, const char **texts, const size_t *lengths, cl_int *error)) \
  F (clBuildProgram, build, cl_int, (cl_program program, cl_uint n, const cl_device_id *devices, const char *options, void *notify, void *data)) \
  F (clGetProgramBuildInfo, build_info, cl_int, (cl_program program, cl_device_id device, cl_uint what, size_t bytes, void *value, size_t *length)) \
  F (clReleaseProgram, program_release, cl_int, (cl_program program)) \
  F (clCreateKernel, kernel_create, cl_kernel, (cl_program program, const char *name, cl_int *error)) \
  F (clReleaseKernel, kernel_release, cl_int, (cl_kernel kernel)) \
  F (clGetKernelWorkGroupInfo, kernel_info, cl_int, (cl_kernel kernel, cl_device_id device, cl_uint what, size_t bytes, void *value, size_t *length)) \
  F (clSetKernelArg, argument, cl_int, (cl_kernel kernel, cl_uint i, size_t bytes, const void *value)) \
  F (clCreateBuffer, buffer_create, cl_mem, (cl_context context, cl_ulong flags, size_t bytes, void *host, cl_int *error)) \
  F (clReleaseMemObject, buffer_release, cl_int, (cl_mem memory)) \
  F (clEnqueueWriteBuffer, write, cl_int, (cl_command_queue queue, cl_mem memory, cl_uint wait, size_t offset, size_t bytes, const void *data, cl_uint n, \
                                           const cl_event *before, cl_event *event)) \
  F (clEnqueueReadBuffer, read, cl_int, (cl_command_queue queue, cl_mem memory, cl_uint wait, size_t offset, size_t bytes, void *data, cl_uint n, \
                                         const cl_event *before, cl_event *event)) \
  F (clEnqueueCopyBuffer, copy, cl_int, (cl_command_queue queue, cl_mem from, cl_mem to, size_t at, size_t where, size_t bytes, cl_uint n, \
                                         const cl_event *before, cl_event *event)) \
  F (clEnqueueFillBuffer, fill, cl_int, (cl_command_queue queue, cl_mem memory, const void *pattern, size_t size, size_t offset, size_t bytes, cl_uint n, \
                                         const cl_event *before, cl_event *event)) \
  F (clEnqueueNDRangeKernel, launch, cl_int, (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global, \
                                              const size_t *local, cl_uint n, const cl_event *before, cl_event *event)) \
  F (clFinish, finish, cl_int, (cl_command_queue queue)) \
  F (clGetEventProfilingInfo, event_info, cl_int, (cl_event event, cl_uint what, size_t bytes, void *value, size_t *length)) \
  F (clReleaseEvent, event_release, cl_int, (cl_event event))

enum { DEVICE_TYPE = 0x1000, DEVICE_UNITS = 0x1002, DEVICE_GROUP = 0x1004, DEVICE_CLOCK = 0x100c, DEVICE_CACHE = 0x101e, DEVICE_MEMORY = 0x101f,
       DEVICE_LOCAL = 0x1023, DEVICE_NAME = 0x102b, DRIVER_VERSION = 0x102d, DEVICE_VERSION = 0x102f, DEVICE_EXTENSIONS = 0x1030 };
enum { KERNEL_GROUP = 0x11b0, KERNEL_LOCAL = 0x11b2, KERNEL_PRIVATE = 0x11b4 };
enum { BUILD_LOG = 0x1183, PROFILING = 2, STARTED = 0x1282, ENDED = 0x1283, READ_WRITE = 1 };

static struct {
  void *library;
#define F(symbol, name, type, parameters) type (*name) parameters;
  FUNCTIONS
#undef F
  cl_device_id     device;
  cl_context       context;
  cl_command_queue queue;
  cl_program       program;
  cl_kernel        kernels[64];
} cl;

/* ---- errors ---- */

static const struct { cl_int code; const char *name, *advice; } ERRORS[] = {
  { -1, "CL_DEVICE_NOT_FOUND", "" },
  { -2, "CL_DEVICE_NOT_AVAILABLE", "" },
  { -3, "CL_COMPILER_NOT_AVAILABLE", "This implementation has no compiler for OpenCL C." },
  { -4, "CL_MEM_OBJECT_ALLOCATION_FAILURE", "The device has too little free memory." },
  { -5, "CL_OUT_OF_RESOURCES", "The kernel needs more than the device has, or has accessed memory that is not its own." },
  { -6, "CL_OUT_OF_HOST_MEMORY", "" },
  { -11, "CL_BUILD_PROGRAM_FAILURE", "" },
  { -14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", "" },
  { -30, "CL_INVALID_VALUE", "" },
  { -46, "CL_INVALID_KERNEL_NAME", "" },
  { -54, "CL_INVALID_WORK_GROUP_SIZE", "A work-group of the kernel has more work-items than the device takes." },
  { -55, "CL_INVALID_WORK_ITEM_SIZE", "A work-group of the kernel has more work-items than the device takes." },
  { -61, "CL_INVALID_BUFFER_SIZE", "The device takes no buffer of this size." },
  { -1001, "CL_PLATFORM_NOT_FOUND_KHR", "No implementation of OpenCL is installed, only its loader." },
};

static bool
check (cl_int      result,
       const char *call,
       const char *doing)
{
  const char *name = "unknown", *advice = "";

  if (result == 0)
    return true;
  for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++)
    if (ERRORS[i].code == result)
      {
        name = ERRORS[i].name;
        advice = ERRORS[i].advice;
      }
  return fail ("%s failed: %s gives error %d, %s.%s%s", doing, call, (int) result, name, *advice != 0 ? " " : "", advice);
}

/* ---- the device ---- */

static bool
open_library (void)
{
  static const struct { const char *name; size_t at; } symbols[] = {
#define F(symbol, name, type, parameters) { #symbol, offsetof (__typeof__ (cl), name) },
    FUNCTIONS
#undef F
  };

  cl.library = dlopen ("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (cl.library == NULL)
    return fail ("There is no OpenCL: libOpenCL.so.1 cannot be opened (%s).", dlerror ());
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    {
      void *found = dlsym (cl.library, symbols[i].name);

      if (found == NULL)
        return fail ("This OpenCL is older than 1.2: it has no %s.", symbols[i].name);
      memcpy ((char *) &cl + symbols[i].at, &found, sizeof found);
    }
  return true;
}

static long long
number (cl_uint what,
        size_t  bytes)
{
  unsigned long long value = 0;

  return cl.info (cl.device, what, bytes, &value, NULL) == 0 ? (long long) value : 0;
}

static void
describe (Device *out)
{
  long long type = number (DEVICE_TYPE, 8);

  cl.info (cl.device, DEVICE_NAME, sizeof out->name - 1, out->name, NULL);
  cl.info (cl.device, DRIVER_VERSION, sizeof out->driver - 1, out->driver, NULL);
  cl.info (cl.device, DEVICE_VERSION, sizeof out->version - 1, out->version, NULL);
  snprintf (out->kind, sizeof out->kind, "%s", type & 4 ? "GPU" : type & 2 ? "CPU" : "accelerator");
  out->memory = number (DEVICE_MEMORY, 8);
  out->units = (int) number (DEVICE_UNITS, 4);
  out->clock_khz = number (DEVICE_CLOCK, 4) * 1000;
  out->cache_bytes = number (DEVICE_CACHE, 8);
  out->most_shared = number (DEVICE_LOCAL, 8);
  out->most_threads = number (DEVICE_GROUP, sizeof (size_t));
}

/* Device `wanted` of all platforms, GPUs first. */
static bool
find_device (int wanted)
{
  cl_platform_id platforms[16];
  cl_uint n_platforms = 0;
  int seen = 0;

  if (!check (cl.platforms (16, platforms, &n_platforms), "clGetPlatformIDs", "Looking for an implementation of OpenCL"))
    return false;
  for (int round = 0; round < 2; round++)
    for (cl_uint p = 0; p < n_platforms && p < 16; p++)
      {
        cl_device_id devices[16];
        cl_uint n = 0;

        if (cl.devices (platforms[p], 0xffffffff, 16, devices, &n) != 0)
          continue;
        for (cl_uint d = 0; d < n && d < 16; d++)
          {
            cl_device_id device = devices[d];

            cl.device = device;
            if (((number (DEVICE_TYPE, 8) & 4) != 0) == (round == 0) && seen++ == wanted)
              return true;
          }
      }
  return fail ("There is no OpenCL device number %d: this machine has %d.", wanted, seen);
}

static bool
opencl_open (int     wanted,
             Device *out)
{
  cl_int error = 0;

  if (!open_library () || !find_device (wanted))
    return false;
  describe (out);
  cl.context = cl.context_create (NULL, 1, &cl.device, NULL, NULL, &error);
  if (!check (error, "clCreateContext", "Taking the device into use"))
    return false;
  cl.queue = cl.queue_create (cl.context, cl.device, PROFILING, &error);
  return check (error, "clCreateCommandQueue", "Making a queue");
}

static void
opencl_close (void)
{
  if (cl.queue != NULL)
    cl.queue_release (cl.queue);
  if (cl.context != NULL)
    cl.context_release (cl.context);
  memset (&cl, 0, sizeof cl);   /* the library stays open: implementations have threads in it */
}

/* ---- kernels ---- */

/* What not every device does, by the names of the extensions and what kernels that need them have in them. */
static bool
can_run (const char *path,
           const char *text)
{
  static const struct { const char *extension, *word, *does; } NEEDS[] = {
    { "cl_khr_fp16", "cl_khr_fp16", "computes in float16" }, { "cl_khr_fp64", "cl_khr_fp64", "computes in float64" },
    { "cl_khr_subgroups", "sub_group_barrier", "waits in sub-groups" },
  };
  size_t length = 0;
  char *all;
  bool ok = true;

  if (cl.info (cl.device, DEVICE_EXTENSIONS, 0, NULL, &length) != 0 || (all = calloc (length + 1, 1)) == NULL)
    return true;
  cl.info (cl.device, DEVICE_EXTENSIONS, length, all, NULL);
  for (size_t i = 0; i < sizeof NEEDS / sizeof *NEEDS; i++)
    if (strstr (text, NEEDS[i].word) != NULL && strstr (all, NEEDS[i].extension) == NULL)
      ok = fail ("%s %s, which this device does not (its OpenCL has no %s).", path, NEEDS[i].does, NEEDS[i].extension);
  free (all);
  return ok;
}

static bool
opencl_load (const Step   *step,
             const Device *device,
             KernelFacts  *facts)
{
  size_t length = 0;
  char *text = read_source (step, &length);
  const char *const_text = text;
  cl_int error = 0;
  bool ok = text != NULL && can_run (step->source, text);

  (void) device;
  memset (cl.kernels, 0, sizeof cl.kernels);    /* what was taken before is not this step's */
  if (ok)
    cl.program = cl.program_create (cl.context, 1, &const_text, &length, &error);
  ok = ok && check (error, "clCreateProgramWithSource", "Reading the kernels");
  if (ok && (error = cl.build (cl.program, 1, &cl.device, "", NULL, NULL)) != 0)
    {
      char log[2048] = { 0 };

      cl.build_info (cl.program, cl.device, BUILD_LOG, sizeof log - 1, log, NULL);
      ok = fail ("Compiling %s for the device failed: clBuildProgram gives error %d.  %.1500s", step->source, (int) error, log);
    }
  free (text);
  for (int i = 0; ok && i < step->n_launches; i++)
    {
      cl_ulong value = 0;
      size_t group = 0;

      snprintf (facts[i].from, sizeof facts[i].from, "%.255s", step->source);
      cl.kernels[i] = cl.kernel_create (cl.program, step->launches[i].kernel, &error);
      ok = check (error, "clCreateKernel", "Finding the kernel");
      facts[i].registers = -1;
      facts[i].shared_bytes = ok && cl.kernel_info (cl.kernels[i], cl.device, KERNEL_LOCAL, sizeof value, &value, NULL) == 0 ? (long long) value : -1;
      facts[i].local_bytes = ok && cl.kernel_info (cl.kernels[i], cl.device, KERNEL_PRIVATE, sizeof value, &value, NULL) == 0 ? (long long) value : -1;
      facts[i].most_threads = ok && cl.kernel_info (cl.kernels[i], cl.device, KERNEL_GROUP, sizeof group, &group, NULL) == 0 ? (long long) group : -1;
    }
  return ok;
}

static Loaded *
opencl_take (void)
{
  return keep_loaded (cl.program, (void *const *) cl.kernels);
}

static void
opencl_use (const Loaded *loaded)
{
  cl.program = loaded->module;
  memcpy (cl.kernels, loaded->functions, sizeof cl.kernels);
}

static void
opencl_drop (Loaded *loaded)
{
  for (int i = 0; loaded != NULL && i < 64; i++)
    if (loaded->functions[i] != NULL)
      cl.kernel_release (loaded->functions[i]);
  if (loaded != NULL)
    cl.program_release (loaded->module);
  free (loaded);
}

/* Any thread may. */
static bool
opencl_enter (void)
{
  return true;
}

/* ---- memory ---- */

static bool
opencl_allocate (size_t   bytes,
                 void   **memory)
{
  cl_int error = 0;
  char doing[128];

  snprintf (doing, sizeof doing, "Allocating %zu bytes on the device", bytes);
  *memory = cl.buffer_create (cl.context, READ_WRITE, bytes > 0 ? bytes : 1, NULL, &error);
  return check (error, "clCreateBuffer", doing);
}

static bool
opencl_release (void *memory)
{
  return check (cl.buffer_release (memory), "clReleaseMemObject", "Freeing memory");
}

static bool
opencl_write (void       *memory,
              const void *data,
              size_t      bytes)
{
  return bytes == 0 || check (cl.write (cl.queue, memory, 1, 0, bytes, data, 0, NULL, NULL), "clEnqueueWriteBuffer", "Copying an input to the device");
}

static bool
opencl_read (void   *memory,
             void   *data,
             size_t  bytes)
{
  return bytes == 0 || check (cl.read (cl.queue, memory, 1, 0, bytes, data, 0, NULL, NULL), "clEnqueueReadBuffer", "Copying a result from the device");
}

/* ---- running ---- */

/* Adds what the event took. */
static bool
add_time (cl_event event,
          double  *ns)
{
  cl_ulong start = 0, end = 0;
  bool ok = check (cl.event_info (event, STARTED, sizeof start, &start, NULL), "clGetEventProfilingInfo", "Reading the time")
            && check (cl.event_info (event, ENDED, sizeof end, &end, NULL), "clGetEventProfilingInfo", "Reading the time");

  cl.event_release (event);
  *ns += (double) (end - start);
  return ok;
}

static bool
opencl_copy (void   *to,
             void   *from,
             size_t  bytes,
             double *ns)
{
  cl_event event = NULL;
  double unused = 0;
  unsigned char zero = 0;

  if (from == NULL)
    return check (cl.fill (cl.queue, to, &zero, 1, 0, bytes, 0, NULL, NULL), "clEnqueueFillBuffer", "Flushing the cache")
           && check (cl.finish (cl.queue), "clFinish", "Waiting for the device");
  if (ns != NULL)
    *ns = 0;
  return check (cl.copy (cl.queue, from, to, 0, 0, bytes, 0, NULL, &event), "clEnqueueCopyBuffer", "Copying on the device")
         && check (cl.finish (cl.queue), "clFinish", "Waiting for the device") && add_time (event, ns != NULL ? ns : &unused);
}

static bool
launch (const Step  *step,
        int          i,
        void *const *arguments,
        void *const *temporaries,
        cl_event    *event)
{
  const Launch *l = &step->launches[i];
  size_t global[3], local[3];
  char doing[256];

  for (int k = 0; k < l->n_args; k++)
    {
      cl_mem memory = l->args[k] >= 0 ? arguments[l->args[k]] : temporaries[-1 - l->args[k]];

      if (!check (cl.argument (cl.kernels[i], (cl_uint) k, sizeof memory, &memory), "clSetKernelArg", "Handing an argument to the kernel"))
        return false;
    }
  for (int d = 0; d < 3; d++)
    {
      local[d] = l->block[d];
      global[d] = (size_t) l->grid[d] * l->block[d];
    }
  snprintf (doing, sizeof doing, "Starting %s with %u x %u x %u work-groups of %u x %u x %u work-items", l->kernel, l->grid[0], l->grid[1], l->grid[2],
            l->block[0], l->block[1], l->block[2]);
  return check (cl.launch (cl.queue, cl.kernels[i], 3, NULL, global, local, 0, NULL, event), "clEnqueueNDRangeKernel", doing);
}

static bool
opencl_run (const Step  *step,
            void *const *arguments,
            void *const *temporaries,
            int          times,
            double      *ns)
{
  cl_event events[64];

  *ns = 0;
  for (int t = 0; t < times; t++)
    {
      for (int i = 0; i < step->n_launches; i++)
        if (!launch (step, i, arguments, temporaries, &events[i]))
          return false;
      if (!check (cl.finish (cl.queue), "clFinish", "Waiting for the kernel"))
        return false;
      for (int i = 0; i < step->n_launches; i++)
        if (!add_time (events[i], ns))
          return false;
    }
  *ns /= times;
  return true;
}

const Driver opencl_driver = { opencl_open, opencl_load, opencl_allocate, opencl_release, opencl_write, opencl_read, opencl_copy, opencl_run, opencl_close,
                               opencl_take, opencl_use, opencl_drop, opencl_enter };
