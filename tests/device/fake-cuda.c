/* fake-cuda: a libcuda.so.1 for tests: NVIDIA's driver API with the SIMT simulator behind it.
 *
 * PTX is not run: its first line, which a bundle writes, names the TVMScript program that it was made of.  That is lowered again, and a launch
 * runs the kernel of that name on simulated threads.  The programs of PTX that Python's runtime made are in the folder LS_FAKE_CUDA_PROGRAMS.
 * What the driver would check is checked: grid and block, the architecture, memory that was allocated, the order of calls.
 *
 * LS_FAKE_CUDA="CALL=CODE,CALL=CODE": these calls fail with this error; "hang" instead of a number: it never comes back; "crash": it ends the
 * process; "wrong" (of cuMemcpyDtoH_v2): one bit of what is read is another.  fake-hip.c is AMD's interface over the same threads. */
#include "engine/script/script.h"
#include "engine/simt/simt.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/codegen/c/text.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int CUresult;
typedef struct { LsModule *split; const char *ptx; } Module;
typedef struct { LsPrimFunc *kernel; char *name; gint64 extents[6]; } Function;
typedef struct { gint64 at; } Event;

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_CONTEXT = 201, NO_BINARY = 209,
       INVALID_PTX = 218, NOT_FOUND = 500, ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719 };

#ifndef API
#define API __attribute__ ((visibility ("default")))
#endif
#define MEMORY ((gsize) 64 << 20)
#define CAPABILITY 80

static gboolean initialised, has_context;
static gsize used;
static GHashTable *allocations; /* pointer -> size */
static CUresult sticky;         /* after a fault every call fails, as on a GPU */

/* ---- failing on purpose ---- */

static gboolean
planned (const char *call,
         const char *value)
{
  g_auto (GStrv) list = g_strsplit (g_getenv ("LS_FAKE_CUDA") != NULL ? g_getenv ("LS_FAKE_CUDA") : "", ",", -1);
  g_autofree char *wanted = g_strdup_printf ("%s=%s", call, value);

  return g_strv_contains ((const char *const *) list, wanted);
}

/* 0, or what the call is told to fail with. */
static CUresult
planned_failure (const char *call)
{
  g_auto (GStrv) list = g_strsplit (g_getenv ("LS_FAKE_CUDA") != NULL ? g_getenv ("LS_FAKE_CUDA") : "", ",", -1);
  gsize length = strlen (call);

  if (planned (call, "hang"))
    for (;;)
      pause ();
  if (planned (call, "crash"))
    raise (SIGSEGV);
  for (guint i = 0; list[i] != NULL; i++)
    if (strncmp (list[i], call, length) == 0 && list[i][length] == '=' && g_ascii_isdigit (list[i][length + 1]))
      return atoi (list[i] + length + 1);
  return OK;
}

/* 0, or what the call has to give. */
static CUresult
enter (const char *call)
{
  CUresult told = planned_failure (call);

  if (told != OK)
    return told;
  if (!initialised && strcmp (call, "cuInit") != 0 && strcmp (call, "cuDriverGetVersion") != 0)
    return NOT_INITIALIZED;
  return sticky;
}

#define ENTER(call) \
  G_STMT_START { \
    CUresult planned_ = enter (#call); \
    if (planned_ != OK) \
      return planned_; \
  } G_STMT_END
#define ENTER_CONTEXT(call) \
  G_STMT_START { \
    ENTER (call); \
    if (!has_context) \
      return INVALID_CONTEXT; \
  } G_STMT_END

static const struct { CUresult code; const char *name, *text; } ERRORS[] = {
  { INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument" }, { OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory" },
  { NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error" }, { NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected" },
  { INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal" }, { INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context" },
  { NO_BINARY, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device" },
  { INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed" }, { NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found" },
  { ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered" },
  { LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure" },
};

API CUresult
cuGetErrorName (CUresult     code,
                const char **name)
{
  for (guint i = 0; i < G_N_ELEMENTS (ERRORS); i++)
    if (ERRORS[i].code == code)
      {
        *name = ERRORS[i].name;
        return OK;
      }
  return INVALID_VALUE;
}

API CUresult
cuGetErrorString (CUresult     code,
                  const char **text)
{
  for (guint i = 0; i < G_N_ELEMENTS (ERRORS); i++)
    if (ERRORS[i].code == code)
      {
        *text = ERRORS[i].text;
        return OK;
      }
  return INVALID_VALUE;
}

/* ---- the device ---- */

API CUresult
cuInit (unsigned flags)
{
  ENTER (cuInit);
  initialised = TRUE;
  allocations = g_hash_table_new (NULL, NULL);
  return flags == 0 ? OK : INVALID_VALUE;
}

API CUresult
cuDriverGetVersion (int *version)
{
  ENTER (cuDriverGetVersion);
  *version = 12040;
  return OK;
}

API CUresult
cuDeviceGetCount (int *n)
{
  ENTER (cuDeviceGetCount);
  *n = 1;
  return OK;
}

API CUresult
cuDeviceGet (int *device,
             int  number)
{
  ENTER (cuDeviceGet);
  *device = number;
  return number == 0 ? OK : INVALID_DEVICE;
}

API CUresult
cuDeviceGetName (char *name,
                 int   length,
                 int   device)
{
  ENTER (cuDeviceGetName);
  g_strlcpy (name, "simulated threads, no GPU", (gsize) length);
  return OK;
}

API CUresult
cuDeviceGetPCIBusId (char *bus,
                     int   length,
                     int   device)
{
  ENTER (cuDeviceGetPCIBusId);
  g_strlcpy (bus, "0000:17:00.0", (gsize) length);
  return OK;
}

API CUresult
cuDeviceTotalMem_v2 (gsize *bytes,
                     int    device)
{
  ENTER (cuDeviceTotalMem_v2);
  *bytes = MEMORY;
  return OK;
}

API CUresult
cuDeviceGetAttribute (int *value,
                      int  attribute,
                      int  device)
{
  ENTER (cuDeviceGetAttribute);
  switch (attribute)
    {
    case 1: *value = 1024; return OK;           /* threads of a block */
    case 8: case 97: *value = 49152; return OK; /* shared memory of a block */
    case 16: *value = 1; return OK;             /* multiprocessors */
    case 38: *value = 65536; return OK;         /* L2 */
    case 75: *value = CAPABILITY / 10; return OK;
    case 76: *value = CAPABILITY % 10; return OK;
    default: return INVALID_VALUE;
    }
}

API CUresult
cuCtxCreate_v2 (void    **context,
                unsigned  flags,
                int       device)
{
  ENTER (cuCtxCreate_v2);
  has_context = TRUE;
  *context = &has_context;
  return OK;
}

API CUresult
cuCtxDestroy_v2 (void *context)
{
  ENTER_CONTEXT (cuCtxDestroy_v2);
  has_context = FALSE;
  return OK;
}

API CUresult
cuCtxSetCurrent (void *context)
{
  ENTER_CONTEXT (cuCtxSetCurrent);
  return context == &has_context ? OK : INVALID_CONTEXT;
}

API CUresult
cuCtxSynchronize (void)
{
  ENTER_CONTEXT (cuCtxSynchronize);
  return OK;
}

/* ---- memory ---- */

/* The bytes from this address to the end of its allocation. */
static gsize
room_at (guint64 pointer)
{
  GHashTableIter iter;
  gpointer start, size;

  g_hash_table_iter_init (&iter, allocations);
  while (g_hash_table_iter_next (&iter, &start, &size))
    if (pointer >= (guint64) (gsize) start && pointer < (guint64) (gsize) start + GPOINTER_TO_SIZE (size))
      return GPOINTER_TO_SIZE (size) - (gsize) (pointer - (guint64) (gsize) start);
  return 0;
}

API CUresult
cuMemAlloc_v2 (guint64 *pointer,
               gsize    bytes)
{
  gpointer memory;

  ENTER_CONTEXT (cuMemAlloc_v2);
  if (bytes == 0)
    return INVALID_VALUE;
  if (bytes > MEMORY - used)
    return OUT_OF_MEMORY;
  memory = g_malloc (bytes);
  used += bytes;
  g_hash_table_insert (allocations, memory, GSIZE_TO_POINTER (bytes));
  *pointer = (guint64) (gsize) memory;
  return OK;
}

API CUresult
cuMemFree_v2 (guint64 pointer)
{
  gpointer size;

  ENTER_CONTEXT (cuMemFree_v2);
  if (!g_hash_table_lookup_extended (allocations, (gpointer) (gsize) pointer, NULL, &size))
    return INVALID_VALUE;
  used -= GPOINTER_TO_SIZE (size);
  g_hash_table_remove (allocations, (gpointer) (gsize) pointer);
  g_free ((gpointer) (gsize) pointer);
  return OK;
}

API CUresult
cuMemcpyHtoD_v2 (guint64     to,
                 const void *from,
                 gsize       bytes)
{
  ENTER_CONTEXT (cuMemcpyHtoD_v2);
  if (room_at (to) < bytes)
    return INVALID_VALUE;
  memcpy ((gpointer) (gsize) to, from, bytes);
  return OK;
}

API CUresult
cuMemcpyDtoH_v2 (void   *to,
                 guint64 from,
                 gsize   bytes)
{
  ENTER_CONTEXT (cuMemcpyDtoH_v2);
  if (room_at (from) < bytes)
    return INVALID_VALUE;
  memcpy (to, (gpointer) (gsize) from, bytes);
  if (planned ("cuMemcpyDtoH_v2", "wrong") && bytes > 20)
    ((guint8 *) to)[4 * 4 + 3] ^= 0x40;
  return OK;
}

API CUresult
cuMemcpyDtoDAsync_v2 (guint64 to,
                      guint64 from,
                      gsize   bytes,
                      void   *stream)
{
  ENTER_CONTEXT (cuMemcpyDtoDAsync_v2);
  if (room_at (to) < bytes || room_at (from) < bytes)
    return INVALID_VALUE;
  memmove ((gpointer) (gsize) to, (gpointer) (gsize) from, bytes);
  return OK;
}

API CUresult
cuMemsetD8Async (guint64 to,
                 guint8  value,
                 gsize   bytes,
                 void   *stream)
{
  ENTER_CONTEXT (cuMemsetD8Async);
  if (room_at (to) < bytes)
    return INVALID_VALUE;
  memset ((gpointer) (gsize) to, value, bytes);
  return OK;
}

/* ---- modules ---- */

/* Of PTX or HIP that no bundle wrote: the program of its first kernel in LS_FAKE_CUDA_PROGRAMS, a folder: NAME.py of NAME_kernel. (transfer full) */
static char **
find_program (const char *ptx)
{
  const char *folder = g_getenv ("LS_FAKE_CUDA_PROGRAMS"), *end = strstr (ptx, "_kernel("), *name_at = end;
  g_autofree char *name = NULL;
  char **parts;

  if (folder == NULL || end == NULL)
    return NULL;
  while (name_at > ptx && (g_ascii_isalnum (name_at[-1]) || name_at[-1] == '_'))
    name_at--;
  name = g_strndup (name_at, (gsize) (end - name_at));
  parts = g_new0 (char *, 4);
  parts[0] = g_strdup_printf ("%s/%s.py", folder, name);
  parts[1] = g_steal_pointer (&name);
  parts[2] = g_strdup ("cuda");
  return parts;
}

/* "// programs/NAME.py, function F, target T" as its three parts; NULL: no bundle wrote it. (transfer full) */
static char **
read_first_line (const char *ptx)
{
  g_autofree char *line = g_strndup (ptx, strcspn (ptx, "\n"));
  const char *function = strstr (line, ", function "), *target = strstr (line, ", target ");
  char **parts;

  if (!g_str_has_prefix (line, "// programs/") || function == NULL || target == NULL)
    return find_program (ptx);
  parts = g_new0 (char *, 4);
  parts[0] = g_strndup (line + 3, (gsize) (function - line - 3));
  parts[1] = g_strndup (function + strlen (", function "), (gsize) (target - function) - strlen (", function "));
  parts[2] = g_strdup (target + strlen (", target "));
  return parts;
}

static LsModule *
lower_program (char **parts)
{
  g_autofree char *text = NULL;
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsDeviceTarget) target = ls_device_target_parse (parts[2], NULL);
  g_autoptr (LsPrimFunc) lowered = NULL;

  if (target == NULL || !g_file_get_contents (parts[0], &text, NULL, NULL))
    return NULL;
  source = ls_source_new (parts[0], text, -1);
  module = ls_script_parse (source, NULL);
  if (module == NULL || !ls_is (ls_module_get (module, parts[1]), PRIM_FUNC))
    return NULL;
  lowered = ls_lower_device ((LsPrimFunc *) ls_module_get (module, parts[1]), target, NULL, NULL, NULL);
  return lowered != NULL ? ls_device_split (parts[1], lowered, NULL) : NULL;
}

/* What it is given goes into the folder LS_FAKE_CUDA_KEEP, for a test that looks at it. */
static void
keep (const char *image)
{
  static int n;
  const char *folder = g_getenv ("LS_FAKE_CUDA_KEEP");
  g_autofree char *name = g_strdup_printf ("%d-%d.ptx", (int) getpid (), n++), *path = folder != NULL ? g_build_filename (folder, name, NULL) : NULL;

  if (path != NULL)
    g_file_set_contents (path, image, -1, NULL);
}

API CUresult
cuModuleLoadDataEx (void      **out,
                    const void *image,
                    unsigned    n,
                    int        *options,
                    void      **values)
{
  g_auto (GStrv) parts = NULL;
  const char *arch = strstr (image, ".target sm_");
  Module *module;
  LsModule *split;

  ENTER_CONTEXT (cuModuleLoadDataEx);
  keep (image);
  if (arch != NULL && atoi (arch + strlen (".target sm_")) > CAPABILITY)
    return NO_BINARY;
  parts = read_first_line (image);
  split = parts != NULL && arch != NULL ? lower_program (parts) : NULL;
  if (split == NULL)
    {
      for (unsigned i = 0; i + 1 < n; i++)
        if (options[i] == 5 && options[i + 1] == 6)
          g_strlcpy (values[i], "this is no PTX of a bundle, or its program cannot be lowered", GPOINTER_TO_SIZE (values[i + 1]));
      return INVALID_PTX;
    }
  module = g_new0 (Module, 1);
  *module = (Module) { split, g_strdup (image) };
  *out = module;
  return OK;
}

API CUresult
cuModuleUnload (void *module)
{
  ENTER_CONTEXT (cuModuleUnload);
  return OK;
}

/* ---- kernels ---- */

typedef struct {
  LsVar    *pointer;
  LsBuffer *found;
} View;

static LsWalk
find_view (LsNode  *node,
           gpointer data)
{
  View *self = data;
  LsBuffer *buffer = ls_is (node, DECL_BUFFER) ? ((LsDeclBuffer *) node)->buffer : ls_is (node, BUFFER) ? (LsBuffer *) node : NULL;

  if (buffer != NULL && buffer->data == self->pointer && self->found == NULL)
    self->found = buffer;
  return LS_WALK_CONTINUE;
}

static LsWalk
note_extent (LsNode  *node,
             gpointer data)
{
  static const char *const AXES[] = { "blockIdx.x", "blockIdx.y", "blockIdx.z", "threadIdx.x", "threadIdx.y", "threadIdx.z" };
  Function *self = data;

  if (ls_is_attr (node, "thread_extent") && ls_thread_axis (node) != NULL)
    for (guint i = 0; i < G_N_ELEMENTS (AXES); i++)
      if (strcmp (ls_thread_axis (node)->thread_tag, AXES[i]) == 0)
        ls_as_int (((LsAttrStmt *) node)->value, &self->extents[i]);
  return LS_WALK_CONTINUE;
}

/* Memory that the kernel knows by its pointer alone (tensor cores store so): the host's function has its buffer.  (transfer full), or NULL */
static LsBuffer *
buffer_of_host (LsModule *split,
                LsVar    *pointer)
{
  for (guint i = 0; i < split->functions->n; i++)
    for (guint k = 0; ls_is (split->functions->items[i], PRIM_FUNC) && k < ls_array_at (split->functions, i, LsPrimFunc)->params->n; k++)
      {
        LsBuffer *buffer = ls_prim_func_get_buffer (ls_array_at (split->functions, i, LsPrimFunc), k);

        if (buffer != NULL && strcmp (buffer->data->name, pointer->name) == 0)
          return ls_buffer_with (buffer, pointer, LS_VOID, NULL);
      }
  return NULL;
}

/* The kernel with buffers as its parameters, as the simulator wants it.  (transfer full) */
static LsPrimFunc *
with_buffers (LsModule   *split,
              LsPrimFunc *kernel)
{
  GPtrArray *params = g_ptr_array_new (), *buffers = g_ptr_array_new ();

  for (guint i = 0; i < kernel->params->n; i++)
    {
      View view = { ls_array_at (kernel->params, i, LsVar), NULL };

      ls_walk (kernel->body, find_view, NULL, &view);
      view.found = view.found != NULL ? ls_ref (view.found) : buffer_of_host (split, view.pointer);
      g_ptr_array_add (params, view.found != NULL ? ls_var_new (view.pointer->name, LS_HANDLE) : ls_ref (view.pointer));
      g_ptr_array_add (buffers, view.found);
    }
  return ls_prim_func_new (ls_array_take_ptr_array (params), ls_ref (kernel->body), NULL, ls_array_take_ptr_array (buffers), ls_ref (kernel->attrs));
}

/* The kernel, which the text has to name so. */
static CUresult
find_function (Module      *module,
               const char  *name,
               const char  *as,
               void       **out)
{
  LsNode *kernel = ls_module_get (module->split, name);
  Function *function;

  if (!ls_is (kernel, PRIM_FUNC) || strstr (module->ptx, as) == NULL)
    return NOT_FOUND;
  function = g_new0 (Function, 1);
  *function = (Function) { with_buffers (module->split, (LsPrimFunc *) kernel), g_strdup (name), { 1, 1, 1, 1, 1, 1 } };
  ls_walk (function->kernel->body, note_extent, NULL, function);
  *out = function;
  return OK;
}

API CUresult
cuModuleGetFunction (void      **out,
                     void       *handle,
                     const char *name)
{
  g_autofree char *entry = g_strdup_printf (".entry %s(", name);

  ENTER_CONTEXT (cuModuleGetFunction);
  return find_function (handle, name, entry, out);
}

API CUresult
cuFuncGetAttribute (int  *value,
                    int   attribute,
                    void *function)
{
  ENTER_CONTEXT (cuFuncGetAttribute);
  *value = 1024;
  return attribute == 0 ? OK : INVALID_VALUE;   /* simulated threads have no registers */
}

API CUresult
cuFuncSetAttribute (void *function,
                    int   attribute,
                    int   value)
{
  ENTER_CONTEXT (cuFuncSetAttribute);
  return OK;
}

static CUresult
simulate (Function *self,
          void    **args)
{
  const LsSimtOptions options = { .most_shared = 49152, .device = "the simulated device", .unchecked = TRUE, .uncounted = TRUE };
  g_autofree LsInterpArg *list = g_new0 (LsInterpArg, self->kernel->params->n + 1);
  g_autofree gint64 *shapes = g_new0 (gint64, (gsize) self->kernel->params->n * 8 + 1);
  g_autoptr (LsSimtRun) run = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < self->kernel->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (self->kernel, i);
      guint64 pointer = *(guint64 *) args[i];
      gsize bytes = buffer != NULL ? ls_dtype_bytes (buffer->dtype) : 0;

      if (buffer == NULL || buffer->shape->n > 8)
        return INVALID_VALUE;
      for (guint k = 0; k < buffer->shape->n; k++)
        {
          if (!ls_as_int (buffer->shape->items[k], &shapes[i * 8 + k]))
            return INVALID_VALUE;
          bytes *= (gsize) shapes[i * 8 + k];
        }
      if (room_at (pointer) < bytes)
        return ILLEGAL_ADDRESS;
      list[i] = (LsInterpArg) { buffer->dtype, TRUE, (gpointer) (gsize) pointer, buffer->shape->n, &shapes[i * 8], NULL, 0, 0 };
    }
  run = ls_simt_run (self->kernel, list, self->kernel->params->n, &options, &error);
  if (run == NULL)
    g_printerr ("fake-cuda: %s\n", error->message);
  return run == NULL || run->stopped ? LAUNCH_FAILED : ls_simt_run_n_faults (run) > 0 ? ILLEGAL_ADDRESS : OK;
}

API CUresult
cuLaunchKernel (void    *handle,
                unsigned gx,
                unsigned gy,
                unsigned gz,
                unsigned bx,
                unsigned by,
                unsigned bz,
                unsigned shared,
                void    *stream,
                void   **args,
                void   **extra)
{
  Function *function = handle;
  const gint64 given[] = { gx, gy, gz, bx, by, bz };

  ENTER_CONTEXT (cuLaunchKernel);
  if (memcmp (given, function->extents, sizeof given) != 0 || bx * by * bz > 1024)
    return INVALID_VALUE;
  sticky = simulate (function, args);
  return OK;                    /* errors of a kernel come with the next call, as on a GPU */
}

/* ---- events ---- */

API CUresult
cuEventCreate (void   **event,
               unsigned flags)
{
  ENTER_CONTEXT (cuEventCreate);
  *event = g_new0 (Event, 1);
  return OK;
}

API CUresult
cuEventRecord (void *event,
               void *stream)
{
  ENTER_CONTEXT (cuEventRecord);
  ((Event *) event)->at = g_get_monotonic_time ();
  return OK;
}

API CUresult
cuEventSynchronize (void *event)
{
  ENTER_CONTEXT (cuEventSynchronize);
  return OK;
}

API CUresult
cuEventElapsedTime (float *ms,
                    void  *start,
                    void  *end)
{
  ENTER_CONTEXT (cuEventElapsedTime);
  *ms = (float) MAX (((Event *) end)->at - ((Event *) start)->at, 1) / 1000.0f;
  return OK;
}

API CUresult
cuEventDestroy_v2 (void *event)
{
  ENTER_CONTEXT (cuEventDestroy_v2);
  g_free (event);
  return OK;
}
