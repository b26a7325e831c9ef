/* fake-hip: a libamdhip64.so and libhiprtc.so in one for tests: HIP's interface over fake-cuda.c, that is with the SIMT simulator behind it.
 *
 * HIPRTC's "code" is the text itself, whose first line names the TVMScript program.  LS_FAKE_CUDA fails calls by HIP's names. */
#define API static
#include "tests/device/fake-cuda.c"
#undef API
#define API __attribute__ ((visibility ("default")))

#define FAIL_AS_PLANNED(call) \
  G_STMT_START { \
    CUresult told_ = planned_failure (#call); \
    if (told_ != OK) \
      return told_; \
  } G_STMT_END
/* A function of HIP that is one of CUDA's by another name. */
#define SAME(call, other, parameters, ...) \
  API CUresult \
  call parameters \
  { \
    FAIL_AS_PLANNED (call); \
    return other (__VA_ARGS__); \
  }

/* ---- the runtime ---- */

SAME (hipInit, cuInit, (unsigned flags), flags)
SAME (hipGetDeviceCount, cuDeviceGetCount, (int *n), n)
SAME (hipDeviceGetName, cuDeviceGetName, (char *name, int length, int device), name, length, device)
SAME (hipDeviceTotalMem, cuDeviceTotalMem_v2, (gsize *bytes, int device), bytes, device)
SAME (hipDeviceSynchronize, cuCtxSynchronize, (void), )
SAME (hipFuncGetAttribute, cuFuncGetAttribute, (int *value, int attribute, void *function), value, attribute, function)
SAME (hipMalloc, cuMemAlloc_v2, (void **memory, gsize bytes), (guint64 *) memory, bytes)
SAME (hipFree, cuMemFree_v2, (void *memory), (guint64) (gsize) memory)
SAME (hipMemcpyHtoD, cuMemcpyHtoD_v2, (void *to, void *from, gsize bytes), (guint64) (gsize) to, from, bytes)
SAME (hipMemcpyDtoH, cuMemcpyDtoH_v2, (void *to, void *from, gsize bytes), to, (guint64) (gsize) from, bytes)
SAME (hipMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, (void *to, void *from, gsize bytes, void *stream), (guint64) (gsize) to, (guint64) (gsize) from, bytes, stream)
SAME (hipMemsetD8Async, cuMemsetD8Async, (void *to, guint8 value, gsize bytes, void *stream), (guint64) (gsize) to, value, bytes, stream)
SAME (hipModuleUnload, cuModuleUnload, (void *module), module)
SAME (hipModuleLaunchKernel, cuLaunchKernel,
      (void *handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **args, void **extra),
      handle, gx, gy, gz, bx, by, bz, shared, stream, args, extra)
SAME (hipEventCreateWithFlags, cuEventCreate, (void **event, unsigned flags), event, flags)
SAME (hipEventRecord, cuEventRecord, (void *event, void *stream), event, stream)
SAME (hipEventSynchronize, cuEventSynchronize, (void *event), event)
SAME (hipEventElapsedTime, cuEventElapsedTime, (float *ms, void *start, void *end), ms, start, end)

API CUresult
hipRuntimeGetVersion (int *version)
{
  FAIL_AS_PLANNED (hipRuntimeGetVersion);
  *version = planned ("hipRuntimeGetVersion", "old") ? 40200000 : 60200000;
  return OK;
}

API const char *
hipGetErrorName (CUresult error)
{
  return error == OUT_OF_MEMORY ? "hipErrorOutOfMemory" : error == NO_DEVICE ? "hipErrorNoDevice" : NULL;
}

API const char *
hipGetErrorString (CUresult error)
{
  const char *text = NULL;

  cuGetErrorString (error, &text);
  return text;
}

API CUresult
hipSetDevice (int number)
{
  void *context;

  FAIL_AS_PLANNED (hipSetDevice);
  return number == 0 ? cuCtxCreate_v2 (&context, 0, 0) : INVALID_DEVICE;
}

API CUresult
hipDeviceGetAttribute (int *value,
                       int  attribute,
                       int  device)
{
  FAIL_AS_PLANNED (hipDeviceGetAttribute);
  switch (attribute)
    {
    case 19: *value = 65536; return OK;         /* L2 */
    case 56: *value = 1024; return OK;          /* threads of a block */
    case 63: *value = 1; return OK;             /* compute units */
    case 74: *value = 65536; return OK;         /* shared memory of a block */
    default: return INVALID_VALUE;
    }
}

/* The name of the architecture stands somewhere in it: that differs from version to version. */
API CUresult
hipGetDevicePropertiesR0600 (void *properties,
                             int   device)
{
  FAIL_AS_PLANNED (hipGetDevicePropertiesR0600);
  g_strlcpy ((char *) properties + 1160, "gfx90a:sramecc+:xnack-", 64);
  return OK;
}

API CUresult
hipModuleLoadData (void      **out,
                   const void *image)
{
  g_auto (GStrv) parts = read_first_line (image);
  LsModule *split = parts != NULL ? lower_program (parts) : NULL;
  Module *module;

  FAIL_AS_PLANNED (hipModuleLoadData);
  if (split == NULL)
    return NO_BINARY;
  module = g_new0 (Module, 1);
  *module = (Module) { split, g_strdup (image) };
  *out = module;
  return OK;
}

API CUresult
hipModuleGetFunction (void      **out,
                      void       *module,
                      const char *name)
{
  g_autofree char *as = g_strdup_printf (" %s(", name);

  FAIL_AS_PLANNED (hipModuleGetFunction);
  return find_function (module, name, as, out);
}

/* ---- the compiler ---- */

API CUresult
hiprtcCreateProgram (void             **program,
                     const char        *text,
                     const char        *name,
                     int                n,
                     const char *const *headers,
                     const char *const *names)
{
  *program = g_strdup (text);
  return OK;
}

API CUresult
hiprtcCompileProgram (void              *program,
                      int                n,
                      const char *const *options)
{
  FAIL_AS_PLANNED (hiprtcCompileProgram);
  for (int i = 0; i < n; i++)
    if (strcmp (options[i], "--offload-arch=gfx90a:sramecc+:xnack-") == 0)
      return strstr (program, "__global__") != NULL ? OK : 6;
  return 5;
}

API CUresult
hiprtcGetCodeSize (void  *program,
                   gsize *bytes)
{
  *bytes = strlen (program) + 1;
  return OK;
}

API CUresult
hiprtcGetCode (void *program,
               char *code)
{
  strcpy (code, program);
  return OK;
}

API CUresult
hiprtcGetProgramLogSize (void  *program,
                         gsize *bytes)
{
  *bytes = sizeof "there is an error in line 3";
  return OK;
}

API CUresult
hiprtcGetProgramLog (void *program,
                     char *text)
{
  strcpy (text, "there is an error in line 3");
  return OK;
}
