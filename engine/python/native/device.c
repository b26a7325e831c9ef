/* device: kernels on a device of this machine, where its driver can be opened, from Python.
 *
 * The drivers are those of bundles (data/device/host), with their sentences for what fails: NVIDIA's libcuda.so.1, the ICD loader libOpenCL.so.1, AMD's
 * libamdhip64.so.  For cuda kernels become PTX here, by LLVM; the others compile their text.  What has to be done is a plan as in a bundle: memory, and
 * kernels in their order.  Of each driver one device is opened. */
#include "engine/python/native/native.h"

#include "data/device/host/bundle.h"
#include "engine/device/device.h"

#include <string.h>

/* A function ready to run. */
typedef struct {
  Step        step;
  Ptx         ptx;
  Device      device;
  Loaded     *loaded;
  void      **temporaries;
  int         n_params;
  const Driver *driver;
} Function;

#define CAPSULE "loopscope.device.function"

static const struct { const char *name; const Driver *driver; } DRIVERS[] = {
  { "cuda", &cuda_driver }, { "opencl", &opencl_driver }, { "hip", &hip_driver },
};
static Device open_devices[G_N_ELEMENTS (DRIVERS)];
static gboolean is_open[G_N_ELEMENTS (DRIVERS)];
G_LOCK_DEFINE_STATIC (work);    /* a driver does one thing at a time; taken without Python's lock or before it is given back, never the other way round */

/* The number of a driver in the table; -1 with an exception. */
static int
find_driver (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (DRIVERS); i++)
    if (strcmp (DRIVERS[i].name, name) == 0)
      return (int) i;
  PyErr_Format (PyExc_ValueError, "there is no driver %s", name);
  return -1;
}

/* The driver of an open device; NULL with an exception. */
static const Driver *
open_driver (const char *name)
{
  int at = find_driver (name);

  if (at >= 0 && !is_open[at])
    {
      PyErr_Format (PyExc_ValueError, "no device of %s is open", name);
      return NULL;
    }
  return at >= 0 ? DRIVERS[at].driver : NULL;
}

static PyObject *
raise_failure (void)
{
  g_autofree char *text = g_utf8_make_valid (failure (), -1);

  forgive ();
  return ls_py_raise (LS_PY_TVM_ERROR, "%s", text);
}

/* device_open (driver, number): what the driver says of the device */
PyObject *
ls_py_device_open (PyObject *module,
                   PyObject *args)
{
  Device device = { 0 };
  const char *name;
  int number, at;

  if (!PyArg_ParseTuple (args, "si", &name, &number) || (at = find_driver (name)) < 0)
    return NULL;
  if (is_open[at])
    return PyErr_Format (PyExc_ValueError, "a device of %s is open already", name);
  forgive ();
  if (!DRIVERS[at].driver->open (number, &device))
    {
      PyObject *none = raise_failure ();

      DRIVERS[at].driver->close ();
      return none;
    }
  is_open[at] = TRUE;
  open_devices[at] = device;
  return Py_BuildValue ("{ss,ss,ss,ss,ss,si,sL,si,sL,sL,sL,sL,sL}", "name", device.name, "driver", device.driver, "version", device.version, "kind", device.kind,
                        "architecture", device.architecture, "capability", device.capability, "memory", device.memory, "units", device.units,
                        "clock_khz", device.clock_khz, "cache_bytes", device.cache_bytes, "most_shared", device.most_shared, "most_threads", device.most_threads,
                        "memory_clock_khz", device.memory_clock_khz);
}

/* ---- memory ---- */

/* device_allocate (driver, bytes): its address there */
PyObject *
ls_py_device_allocate (PyObject *module,
                       PyObject *args)
{
  const char *name;
  unsigned long long bytes;
  void *memory = NULL;
  const Driver *driver;

  if (!PyArg_ParseTuple (args, "sK", &name, &bytes) || (driver = open_driver (name)) == NULL)
    return NULL;
  forgive ();
  return driver->enter () && driver->allocate ((size_t) bytes, &memory) ? PyLong_FromVoidPtr (memory) : raise_failure ();
}

/* device_release (driver, address) */
PyObject *
ls_py_device_release (PyObject *module,
                      PyObject *args)
{
  const char *name;
  unsigned long long address;
  const Driver *driver;

  if (!PyArg_ParseTuple (args, "sK", &name, &address) || (driver = open_driver (name)) == NULL)
    return NULL;
  forgive ();
  if (!driver->enter () || !driver->release ((void *) (uintptr_t) address))
    return raise_failure ();
  Py_RETURN_NONE;
}

/* device_copy (driver, address, array, writes): the elements of a compact array there, or back */
PyObject *
ls_py_device_copy (PyObject *module,
                   PyObject *args)
{
  const char *name;
  unsigned long long address;
  PyObject *object;
  LsNDArray *array;
  const Driver *driver;
  void *memory;
  int writes;
  bool done;
  char *data;

  if (!PyArg_ParseTuple (args, "sKOp", &name, &address, &object, &writes) || (array = ls_py_array (object)) == NULL || (driver = open_driver (name)) == NULL)
    return NULL;
  memory = (void *) (uintptr_t) address;
  data = (char *) array->tensor.data + array->tensor.byte_offset;
  forgive ();
  Py_BEGIN_ALLOW_THREADS
  G_LOCK (work);
  done = array->n_bytes == 0 || (driver->enter () && (writes ? driver->write (memory, data, array->n_bytes) : driver->read (memory, data, array->n_bytes)));
  G_UNLOCK (work);
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
        if (self->temporaries[i] != NULL && self->driver->enter ())
          self->driver->release (self->temporaries[i]);
      self->driver->drop (self->loaded);
    }
  forgive ();
  for (int i = 0; i < self->step.n_launches; i++)
    g_free ((char *) self->step.launches[i].kernel);
  g_free ((Launch *) self->step.launches);
  g_free ((long long *) self->step.temporaries);
  g_free (self->temporaries);
  g_free ((char *) self->ptx.text);
  g_free ((char *) self->step.text);
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

  gboolean done;

  G_LOCK (work);
  done = self->driver->enter () && self->driver->load (&self->step, &self->device, facts);
  self->loaded = done ? self->driver->take () : NULL;
  G_UNLOCK (work);
  if (!done)
    return FALSE;
  for (int i = 0; i < self->step.n_temporaries; i++)
    if (!self->driver->allocate ((size_t) self->step.temporaries[i], &self->temporaries[i]))
      return FALSE;
  return self->loaded != NULL;
}

/* The kernels for the driver: PTX of LLVM, or text that it compiles itself. */
static gboolean
write_kernels (Function             *self,
               const char           *name,
               LsPrimFunc           *lowered,
               const LsDeviceTarget *target,
               GError              **error)
{
  g_autoptr (LsDeviceText) text = NULL;
  g_autoptr (LsObject) code = NULL;

  self->step.name = g_strdup (name);
  self->step.source = self->step.name;
  if (self->driver != &cuda_driver)
    {
      text = ls_device_text_new (name, lowered, target, error);
      self->step.text = text != NULL ? g_strdup (text->text) : NULL;
      return text != NULL;
    }
  code = ls_codegen_kernels (name, lowered, target, error);
  if (code == NULL)
    return FALSE;
  self->ptx = (Ptx) { (int) g_ascii_strtoll (g_str_has_prefix (target->arch, "sm_") ? target->arch + strlen ("sm_") : "0", NULL, 10), "the kernels", g_strdup (code->assembly) };
  self->step.ptx = &self->ptx;
  self->step.n_ptx = 1;
  return TRUE;
}

/* device_load (driver, name, lowered, target): (a function ready to run, its kernels as PTX or text) */
PyObject *
ls_py_device_load (PyObject *module,
                   PyObject *args)
{
  PyObject *object, *capsule;
  const char *driver, *name, *text;
  LsPrimFunc *lowered;
  g_autoptr (LsDeviceTarget) target = NULL;
  g_autoptr (LsDevicePlan) tasks = NULL;
  g_autoptr (Function) self = g_new0 (Function, 1);
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "ssOs", &driver, &name, &object, &text) || (lowered = (LsPrimFunc *) ls_py_require (object, LS_KIND_PRIM_FUNC, "the function")) == NULL
      || (self->driver = open_driver (driver)) == NULL)
    return NULL;
  self->device = open_devices[find_driver (driver)];
  target = ls_device_target_parse (text, &error);
  tasks = target != NULL ? ls_device_plan_new (name, lowered, &error) : NULL;
  if (tasks == NULL || !write_kernels (self, name, lowered, target, &error))
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  self->n_params = (int) lowered->params->n;
  take_plan (self, tasks);
  forgive ();
  if (!load (self))
    return raise_failure ();
  capsule = PyCapsule_New (self, CAPSULE, drop_function);
  if (capsule == NULL)
    return NULL;
  text = self->ptx.text != NULL ? self->ptx.text : self->step.text;
  g_steal_pointer (&self);
  return Py_BuildValue ("(Ns)", capsule, text);
}

/* device_run (function, [address], times): seconds of one round, as the events of the device say */
PyObject *
ls_py_device_run (PyObject *module,
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
  G_LOCK (work);
  self->driver->use (self->loaded);
  done = self->driver->enter () && self->driver->run (&self->step, arguments, self->temporaries, times, &ns);
  G_UNLOCK (work);
  Py_END_ALLOW_THREADS
  return done ? PyFloat_FromDouble (ns / 1e9) : raise_failure ();
}
