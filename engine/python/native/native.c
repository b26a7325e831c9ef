/* native: the extension `_loopscope_native`: code generation and what needs LLVM.  Loaded at the first build, so that
 * `import tvm` stays quick.
 */
#include "engine/python/native/native.h"

#include "engine/tir/pass/pass.h"

typedef struct {
  PyObject_HEAD
  LsKernel *kernel;             /* or NULL, for this reason */
  char     *reason;
  LsObject *object;
} PyKernel;

static PyTypeObject *kernel_type;

#define KERNEL(o) ((PyKernel *) (o))

static void
kernel_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  g_clear_pointer (&KERNEL (self)->kernel, ls_kernel_free);
  g_clear_pointer (&KERNEL (self)->object, ls_object_free);
  g_free (KERNEL (self)->reason);
  release (self);
  Py_DECREF (type);
}

/* The PrimFuncs alone: the rest of a module is not ours to compile here. */
static LsModule *
prim_funcs (LsModule *module)
{
  g_autoptr (GPtrArray) gvars = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GPtrArray) funcs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      {
        g_ptr_array_add (gvars, ls_node_ref (module->global_vars->items[i]));
        g_ptr_array_add (funcs, ls_node_ref (module->functions->items[i]));
      }
  return ls_module_new (ls_array_take_ptr_array (g_steal_pointer (&gvars)), ls_array_take_ptr_array (g_steal_pointer (&funcs)), NULL, NULL);
}

static LsObject *
compile (LsModule    *module,
         const char  *target_text,
         gboolean     texts,
         gboolean    *is_host,
         GError     **error)
{
  LsCodegenOptions options = { .want_ir = texts, .want_asm = texts, .no_object = texts, .open_extern = TRUE, .no_nested = TRUE, .by_symbol = texts };
  g_autofree char *prefix = texts ? g_strdup ("") : ls_jit_unique_prefix ();
  g_autoptr (LsTarget) target = ls_target_parse (target_text, error);
  g_autoptr (LsModule) funcs = NULL;
  g_autoptr (LsModule) lowered = NULL;

  if (target == NULL)
    return NULL;
  funcs = prim_funcs (module);
  lowered = ls_lower_module (funcs, NULL, NULL, error);
  if (lowered == NULL)
    return NULL;
  options.prefix = prefix;
  *is_host = target->is_host;
  return ls_codegen_compile (lowered, NULL, target, &options, error);
}

/* Code that cannot be called here, as it is for another machine or an extern function is missing, says so where it is called. */
static void
load (PyKernel   *self,
      gboolean    is_host,
      const char *target)
{
  g_autoptr (GError) error = NULL;
  LsJit *jit = is_host ? ls_py_jit (&error) : NULL;

  if (jit != NULL)
    self->kernel = ls_jit_add (jit, self->object, &error);
  if (self->kernel == NULL)
    self->reason = error != NULL ? g_strdup (error->message) : g_strdup_printf ("Code for %s does not run on this machine.", target);
}

/* build (module, target): a Kernel */
static PyObject *
py_build (PyObject *self,
          PyObject *args)
{
  PyObject *object, *result;
  const char *target;
  LsModule *module;
  GError *error = NULL;
  LsObject *code;
  gboolean is_host;
  allocfunc alloc;

  if (!PyArg_ParseTuple (args, "Os", &object, &target) || (module = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "mod")) == NULL)
    return NULL;
  ls_ref (module);
  Py_BEGIN_ALLOW_THREADS
  code = compile (module, target, FALSE, &is_host, &error);
  Py_END_ALLOW_THREADS
  ls_unref (module);
  if (code == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  alloc = (allocfunc) PyType_GetSlot (kernel_type, Py_tp_alloc);
  result = alloc (kernel_type, 0);
  if (result == NULL)
    return NULL;
  KERNEL (result)->object = code;
  load (KERNEL (result), is_host, target);
  return result;
}

/* object (module, target): (bytes of an ELF object, [name]); the symbols are the names behind "__ls_" */
static PyObject *
py_object (PyObject *self,
           PyObject *args)
{
  LsCodegenOptions options = { .open_extern = TRUE, .no_nested = TRUE, .hidden = TRUE, .prefix = "__ls_" };
  PyObject *object, *names, *result;
  const char *target_text;
  LsModule *module;
  GError *error = NULL;
  LsObject *code = NULL;
  g_autoptr (LsModule) funcs = NULL;
  g_autoptr (LsModule) lowered = NULL;
  g_autoptr (LsTarget) target = NULL;

  if (!PyArg_ParseTuple (args, "Os", &object, &target_text) || (module = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "mod")) == NULL)
    return NULL;
  target = ls_target_parse (target_text, &error);
  funcs = prim_funcs (module);
  lowered = target != NULL ? ls_lower_module (funcs, NULL, NULL, &error) : NULL;
  code = lowered != NULL ? ls_codegen_compile (lowered, NULL, target, &options, &error) : NULL;
  if (code == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  names = PyList_New (0);
  for (guint i = 0; code->functions[i] != NULL; i++)
    {
      PyObject *name = PyUnicode_FromString (code->functions[i]);

      PyList_Append (names, name);
      Py_XDECREF (name);
    }
  result = Py_BuildValue ("(y#N)", (const char *) g_bytes_get_data (code->code, NULL), (Py_ssize_t) g_bytes_get_size (code->code), names);
  ls_object_free (code);
  return result;
}

/* source (module, target, kind): "ll", "asm" */
static PyObject *
py_source (PyObject *self,
           PyObject *args)
{
  PyObject *object, *result;
  const char *target, *kind;
  LsModule *module;
  GError *error = NULL;
  gboolean is_host;
  LsObject *code;

  if (!PyArg_ParseTuple (args, "Oss", &object, &target, &kind) || (module = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "mod")) == NULL)
    return NULL;
  code = compile (module, target, TRUE, &is_host, &error);
  if (code == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  result = PyUnicode_FromString (kind[0] == 'a' || kind[0] == 's' ? code->assembly : code->ir);
  ls_object_free (code);
  return result;
}

static PyObject *
kernel_get (PyObject *self,
            PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);
  LsPackedFunc func = name != NULL && KERNEL (self)->kernel != NULL ? ls_kernel_get (KERNEL (self)->kernel, name) : NULL;

  if (name == NULL)
    return NULL;
  if (func == NULL)
    Py_RETURN_NONE;
  return ls_py_function (name, func, NULL, self);
}

static PyObject *
kernel_functions (PyObject *self,
                  void     *closure)
{
  PyObject *list = PyList_New (0);

  for (guint i = 0; KERNEL (self)->object->functions[i] != NULL; i++)
    {
      PyObject *name = PyUnicode_FromString (KERNEL (self)->object->functions[i]);

      PyList_Append (list, name);
      Py_XDECREF (name);
    }
  return list;
}

/* target_host_cpu () */
static PyObject *
py_host_cpu (PyObject *self,
             PyObject *unused)
{
  return PyUnicode_FromString (ls_target_host_cpu ());
}

/* architectures () */
static PyObject *
py_architectures (PyObject *self,
                  PyObject *unused)
{
  g_auto (GStrv) names = ls_llvm_architectures ();
  PyObject *list = PyList_New (0);

  for (guint i = 0; list != NULL && names[i] != NULL; i++)
    {
      PyObject *name = PyUnicode_FromString (names[i]);

      if (name == NULL || PyList_Append (list, name) != 0)
        Py_CLEAR (list);
      Py_XDECREF (name);
    }
  return list;
}

/* intrinsic_id (name): 0 for none */
static PyObject *
py_intrinsic_id (PyObject *self,
                 PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);

  return name != NULL ? PyLong_FromUnsignedLong (ls_llvm_intrinsic_id (name)) : NULL;
}

/* intrinsic_name (id) */
static PyObject *
py_intrinsic_name (PyObject *self,
                   PyObject *value)
{
  unsigned long id = PyLong_AsUnsignedLong (value);
  g_autofree char *name = NULL;

  if (PyErr_Occurred () != NULL)
    return NULL;
  name = ls_llvm_intrinsic_name ((guint) id);
  return PyUnicode_FromString (name);
}

static PyMethodDef kernel_methods[] = {
  { "get", kernel_get, METH_O, "The function of this name, or None." },
  { NULL, NULL, 0, NULL },
};

static PyObject *
kernel_reason (PyObject *self,
               void     *closure)
{
  if (KERNEL (self)->reason == NULL)
    Py_RETURN_NONE;
  return PyUnicode_FromString (KERNEL (self)->reason);
}

static PyGetSetDef kernel_getset[] = {
  { "reason", kernel_reason, NULL, "Why its functions cannot be called here, or None.", NULL },
  { "functions", kernel_functions, NULL, "The names of the functions.", NULL },
  { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot kernel_slots[] = {
  { Py_tp_dealloc, kernel_dealloc },
  { Py_tp_methods, kernel_methods },
  { Py_tp_getset, kernel_getset },
  { Py_tp_doc, "Machine code in memory." },
  { 0, NULL },
};

static PyType_Spec kernel_spec = { "_loopscope_native.Kernel", sizeof (PyKernel), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, kernel_slots };

static PyMethodDef functions[] = {
  { "build", py_build, METH_VARARGS, "build(module, target)" },
  { "object", py_object, METH_VARARGS, "object(module, target): (an ELF object, its functions)" },
  { "library_open", ls_py_library_open, METH_O, "A shared library whose functions follow TVM's convention." },
  { "source", py_source, METH_VARARGS, "source(module, target, kind)" },
  { "device_open", ls_py_device_open, METH_VARARGS, "device_open(driver, number): what the driver says of the device" },
  { "device_allocate", ls_py_device_allocate, METH_VARARGS, "device_allocate(driver, bytes): an address" },
  { "device_release", ls_py_device_release, METH_VARARGS, "device_release(driver, address)" },
  { "device_copy", ls_py_device_copy, METH_VARARGS, "device_copy(driver, address, array, writes)" },
  { "device_load", ls_py_device_load, METH_VARARGS, "device_load(driver, name, lowered, target): (function, its kernels as text)" },
  { "device_run", ls_py_device_run, METH_VARARGS, "device_run(function, [address], times): seconds of one round" },
  { "vm_build", ls_py_vm_build, METH_VARARGS, "vm_build(module, target, as_is, no_code=False)" },
  { "vm_assemble", ls_py_vm_assemble, METH_VARARGS, "vm_assemble(functions, strings, constants, floats)" },
  { "vm_load", ls_py_vm_load, METH_O, "What Executable.save gave." },
  { "vm_builtin", ls_py_vm_builtin, METH_VARARGS, "vm_builtin(name, args): what a function of the machine gives." },
  { "vm_has_builtin", ls_py_vm_has_builtin, METH_O, "Whether the machine has a function of this name." },
  { "set_host_functions", ls_py_set_host_functions, METH_O, "The dictionary of the functions that Python registered." },
  { "set_shape_class", ls_py_set_shape_class, METH_O, "The class of shapes." },
  { "intrinsic_id", py_intrinsic_id, METH_O, "LLVM's number of an intrinsic, 0 for none." },
  { "intrinsic_name", py_intrinsic_name, METH_O, "The intrinsic with LLVM's number." },
  { "architectures", py_architectures, METH_NOARGS, "The architectures that LLVM writes code for." },
  { "host_cpu", py_host_cpu, METH_NOARGS, "LLVM's name of this CPU." },
  { NULL, NULL, 0, NULL },
};

static PyModuleDef definition = {
  PyModuleDef_HEAD_INIT, "_loopscope_native", "Code generation.", -1, functions, NULL, NULL, NULL, NULL
};

PyMODINIT_FUNC PyInit__loopscope_native (void);

PyMODINIT_FUNC
PyInit__loopscope_native (void)
{
  PyObject *module = PyModule_Create (&definition);

  if (module != NULL)
    kernel_type = ls_py_add_type (module, &kernel_spec, NULL);
  if (module != NULL)
    ls_py_vm_init (module);
  if (module != NULL)
    ls_py_library_init (module);
  return module;
}
