/* cuda: kernels on NVIDIA's GPU, where libcuda.so.1 can be opened, from Python.
 *
 * The driver is the one of bundles (data/device/host/cuda.c), with its sentences for what fails.  Kernels become PTX here, by LLVM.  What has to be
 * done is a plan as in a bundle: memory, and kernels in their order.  Each call works on the one GPU that was opened. */
#include "engine/python/native/native.h"

#include "data/device/host/bundle.h"
#include "engine/device/device.h"

#include <string.h>

/* A function ready to run. */
typedef struct {
  Step        step;
  Ptx         ptx;
  Device      device;
  CudaLoaded *loaded;
  void      **temporaries;
  int         n_params;
} Function;

#define CAPSULE "loopscope.cuda.function"

static PyObject *
raise_failure (void)
{
  g_autofree char *text = g_utf8_make_valid (failure (), -1);

  forgive ();
  return ls_py_raise (LS_PY_TVM_ERROR, "%s", text);
}

/* cuda_open (number): what the driver says of the GPU */
PyObject *
ls_py_cuda_open (PyObject *module,
                 PyObject *args)
{
  static gboolean open;
  Device device = { 0 };
  int number;

  if (!PyArg_ParseTuple (args, "i", &number))
    return NULL;
  if (open)
    return PyErr_Format (PyExc_ValueError, "a GPU is open already");
  forgive ();
  if (!cuda_driver.open (number, &device))
    {
      PyObject *none = raise_failure ();

      cuda_driver.close ();
      return none;
    }
  open = TRUE;
  return Py_BuildValue ("{ss,ss,ss,si,sL,si,sL,sL,sL,sL,sL}", "name", device.name, "driver", device.version, "architecture", device.architecture, "capability", device.capability,
                        "memory", device.memory, "units", device.units, "clock_khz", device.clock_khz, "cache_bytes", device.cache_bytes,
                        "most_shared", device.most_shared, "most_threads", device.most_threads, "memory_clock_khz", device.memory_clock_khz);
}

/* ---- memory ---- */

/* cuda_allocate (bytes): its address there */
PyObject *
ls_py_cuda_allocate (PyObject *module,
                     PyObject *args)
{
  unsigned long long bytes;
  void *memory = NULL;

  if (!PyArg_ParseTuple (args, "K", &bytes))
    return NULL;
  forgive ();
  return cuda_enter () && cuda_driver.allocate ((size_t) bytes, &memory) ? PyLong_FromVoidPtr (memory) : raise_failure ();
}

/* cuda_release (address) */
PyObject *
ls_py_cuda_release (PyObject *module,
                    PyObject *args)
{
  unsigned long long address;

  if (!PyArg_ParseTuple (args, "K", &address))
    return NULL;
  forgive ();
  if (!cuda_enter () || !cuda_driver.release ((void *) (uintptr_t) address))
    return raise_failure ();
  Py_RETURN_NONE;
}

/* cuda_copy (address, array, writes): the elements of a compact array there, or back */
PyObject *
ls_py_cuda_copy (PyObject *module,
                 PyObject *args)
{
  unsigned long long address;
  PyObject *object;
  LsNDArray *array;
  int writes;
  bool done;
  char *data;

  if (!PyArg_ParseTuple (args, "KOp", &address, &object, &writes) || (array = ls_py_array (object)) == NULL)
    return NULL;
  data = (char *) array->tensor.data + array->tensor.byte_offset;
  forgive ();
  Py_BEGIN_ALLOW_THREADS
  done = array->n_bytes == 0 || (cuda_enter () && (writes ? cuda_driver.write ((void *) (uintptr_t) address, data, array->n_bytes)
                                                    : cuda_driver.read ((void *) (uintptr_t) address, data, array->n_bytes)));
  Py_END_ALLOW_THREADS
  if (!done)
    return raise_failure ();
  Py_RETURN_NONE;
}

/* ---- functions ---- */

static void
function_free (Function *self)
{
  forgive ();
  if (self->loaded != NULL)
    {
      for (int i = 0; i < self->step.n_temporaries; i++)
        if (self->temporaries[i] != NULL && cuda_enter ())
          cuda_driver.release (self->temporaries[i]);
      cuda_drop (self->loaded);
    }
  forgive ();
  for (int i = 0; i < self->step.n_launches; i++)
    g_free ((char *) self->step.launches[i].kernel);
  g_free ((Launch *) self->step.launches);
  g_free ((long long *) self->step.temporaries);
  g_free (self->temporaries);
  g_free ((char *) self->ptx.text);
  g_free ((char *) self->step.name);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Function, function_free)

static void
drop_function (PyObject *capsule)
{
  function_free (PyCapsule_GetPointer (capsule, CAPSULE));
}

/* The plan as the driver's tables. */
static void
take_plan (Function     *self,
           LsDevicePlan *tasks)
{
  Launch *launches = g_new0 (Launch, tasks->launches->len + 1);
  long long *temporaries = g_new0 (long long, tasks->temporaries->len + 1);

  for (guint i = 0; i < tasks->launches->len; i++)
    {
      const LsDeviceLaunch *from = tasks->launches->pdata[i];
      Launch *to = &launches[i];

      to->kernel = g_strdup (from->kernel);
      for (guint k = 0; k < 3; k++)
        {
          to->grid[k] = (unsigned) from->grid[k];
          to->block[k] = (unsigned) from->block[k];
        }
      to->dynamic_shared = (unsigned) from->dynamic_shared;
      to->n_args = (int) from->args->len;
      for (guint k = 0; k < from->args->len; k++)
        to->args[k] = g_array_index (from->args, int, k);
    }
  for (guint i = 0; i < tasks->temporaries->len; i++)
    temporaries[i] = g_array_index (tasks->temporaries, gint64, i);
  self->step.launches = launches;
  self->step.n_launches = (int) tasks->launches->len;
  self->step.temporaries = temporaries;
  self->step.n_temporaries = (int) tasks->temporaries->len;
  self->temporaries = g_new0 (void *, tasks->temporaries->len + 1);
}

static gboolean
load (Function *self)
{
  g_autofree KernelFacts *facts = g_new0 (KernelFacts, self->step.n_launches + 1);

  if (!cuda_enter () || !cuda_driver.load (&self->step, &self->device, facts))
    return FALSE;
  self->loaded = cuda_take ();
  for (int i = 0; i < self->step.n_temporaries; i++)
    if (!cuda_driver.allocate ((size_t) self->step.temporaries[i], &self->temporaries[i]))
      return FALSE;
  return self->loaded != NULL;
}

/* cuda_load (name, lowered, target, capability): (a function ready to run, its PTX) */
PyObject *
ls_py_cuda_load (PyObject *module,
                 PyObject *args)
{
  PyObject *object, *capsule;
  const char *name, *text;
  int capability;
  LsPrimFunc *lowered;
  g_autoptr (LsDeviceTarget) target = NULL;
  g_autoptr (LsObject) code = NULL;
  g_autoptr (LsDevicePlan) tasks = NULL;
  g_autoptr (Function) self = g_new0 (Function, 1);
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "sOsi", &name, &object, &text, &capability) || (lowered = (LsPrimFunc *) ls_py_require (object, LS_KIND_PRIM_FUNC, "the function")) == NULL)
    return NULL;
  target = ls_device_target_parse (text, &error);
  tasks = target != NULL ? ls_device_plan_new (name, lowered, &error) : NULL;
  code = tasks != NULL ? ls_codegen_kernels (name, lowered, target, &error) : NULL;
  if (code == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  self->ptx = (Ptx) { (int) g_ascii_strtoll (g_str_has_prefix (target->arch, "sm_") ? target->arch + strlen ("sm_") : "0", NULL, 10), "the kernels", g_strdup (code->assembly) };
  self->step = (Step) { .name = g_strdup (name), .ptx = &self->ptx, .n_ptx = 1 };
  self->device = (Device) { .name = "the GPU", .capability = capability };
  self->n_params = (int) lowered->params->n;
  take_plan (self, tasks);
  forgive ();
  if (!load (self))
    return raise_failure ();
  capsule = PyCapsule_New (self, CAPSULE, drop_function);
  if (capsule == NULL)
    return NULL;
  return Py_BuildValue ("(Ns)", capsule, g_steal_pointer (&self)->ptx.text);
}

/* cuda_run (function, [address], times): seconds of one round, as the events of the GPU say */
PyObject *
ls_py_cuda_run (PyObject *module,
                PyObject *args)
{
  PyObject *capsule, *list;
  int times;
  Function *self;
  void *arguments[64];
  double ns = 0;
  bool done;

  if (!PyArg_ParseTuple (args, "OO!i", &capsule, &PyList_Type, &list, &times) || (self = PyCapsule_GetPointer (capsule, CAPSULE)) == NULL)
    return NULL;
  if (PyList_Size (list) != self->n_params || self->n_params > 64)
    return PyErr_Format (PyExc_ValueError, "%s takes %d arrays", self->step.name, self->n_params);
  for (int i = 0; i < self->n_params; i++)
    arguments[i] = PyLong_AsVoidPtr (PyList_GetItem (list, i));
  if (ls_py_failed ())
    return NULL;
  forgive ();
  Py_BEGIN_ALLOW_THREADS
  cuda_use (self->loaded);
  done = cuda_enter () && cuda_driver.run (&self->step, arguments, self->temporaries, times, &ns);
  Py_END_ALLOW_THREADS
  return done ? PyFloat_FromDouble (ns / 1e9) : raise_failure ();
}
