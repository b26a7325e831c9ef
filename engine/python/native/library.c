/* native/library: shared libraries opened as a loader of TVM opens them, those that export_library wrote and those of TVM itself.
 *
 * A function is found by its name when it is asked for; it takes values and type codes.  The library's pointers __TVM... become functions of
 * our runtime: threads, scratch memory, errors, packed functions by name.
 */
#include "engine/python/native/native.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

typedef union { gint64 v_int; double v_float; void *v_handle; const char *v_str; } Value;

enum { CODE_INT = 0, CODE_UINT = 1, CODE_FLOAT = 2, CODE_HANDLE = 3, CODE_NULL = 4, CODE_TENSOR = 7, CODE_STRING = 11, CODE_NDARRAY = 13, CODE_BOOL = 15 };

typedef int (*Entry) (Value *args, int *codes, int n, Value *result, int *result_code, void *resource);

#define MOST_ARGS 256

/* ---- arguments */

static void
give (const LsArg *arg,
      Value       *value,
      int         *code)
{
  static const int CODES[] = { CODE_NULL, CODE_INT, CODE_FLOAT, CODE_STRING, CODE_HANDLE, CODE_TENSOR };

  value->v_int = arg->v_int;
  *code = arg->kind == LS_ARG_INT && (arg->flags & LS_ARG_IS_BOOL) ? CODE_BOOL : CODES[arg->kind];
}

static int
take (LsArg *arg,
      Value  value,
      int    code)
{
  *arg = (LsArg) { LS_ARG_NONE, 0, { .v_int = value.v_int } };
  switch (code)
    {
    case CODE_INT:
    case CODE_UINT:
      arg->kind = LS_ARG_INT;
      return 0;
    case CODE_BOOL:
      arg->kind = LS_ARG_INT;
      arg->flags = LS_ARG_IS_BOOL;
      return 0;
    case CODE_FLOAT:
      arg->kind = LS_ARG_FLOAT;
      return 0;
    case CODE_STRING:
      arg->kind = LS_ARG_STRING;
      return 0;
    case CODE_HANDLE:
      arg->kind = LS_ARG_HANDLE;
      return 0;
    case CODE_NULL:
      arg->v_handle = NULL;
      return 0;
    case CODE_TENSOR:
    case CODE_NDARRAY:
      arg->kind = LS_ARG_TENSOR;
      return 0;
    default:
      return ls_runtime_fail ("A value has the type code %d, which is not known here.", code);
    }
}

/* An LsPackedFunc; the closure is the entry. */
static int
call_entry (const LsArg *args,
            int          n_args,
            LsArg       *result,
            void        *closure)
{
  Value values[MOST_ARGS], out = { 0 };
  int codes[MOST_ARGS], out_code = CODE_NULL;

  if (n_args > MOST_ARGS)
    return ls_runtime_fail ("A function of a library takes at most %d arguments; got %d.", MOST_ARGS, n_args);
  for (int i = 0; i < n_args; i++)
    give (&args[i], &values[i], &codes[i]);
  ls_runtime_clear_error ();
  if (((Entry) closure) (values, codes, n_args, &out, &out_code, NULL) != 0)
    return ls_runtime_last_error ()[0] != '\0' ? -1 : ls_runtime_fail ("The function of the library failed.");
  return result != NULL ? take (result, out, out_code) : 0;
}

/* ---- what a library calls */

static void
set_last_error (const char *message)
{
  ls_runtime_fail ("%s", message);
}

static int
get_func_from_env (void       *module,
                   const char *name,
                   void      **out)
{
  *out = (void *) g_intern_string (name);
  return 0;
}

static int
func_call (void  *function,
           Value *values,
           int   *codes,
           int    n,
           Value *result,
           int   *result_code)
{
  LsArg args[MOST_ARGS], out = { LS_ARG_NONE, 0, { 0 } };

  if (n > MOST_ARGS)
    return ls_runtime_fail ("A packed function takes at most %d arguments; got %d.", MOST_ARGS, n);
  for (int i = 0; i < n; i++)
    if (take (&args[i], values[i], codes[i]) != 0)
      return -1;
  if (ls_packed_call (function, args, n, &out) != 0)
    return -1;
  give (&out, result, result_code);
  return 0;
}

static void *
alloc_workspace (int     device_type,
                 int     device_id,
                 guint64 n_bytes,
                 int     code,
                 int     bits)
{
  return ls_workspace_alloc (n_bytes);
}

static int
free_workspace (int   device_type,
                int   device_id,
                void *memory)
{
  ls_workspace_free (memory);
  return 0;
}

/* TVM's TVMParallelGroupEnv */
typedef struct { void *sync; gint32 n; } Group;
typedef struct { int (*lambda) (int task, Group *group, void *data); void *data; } Launch;

static int
run_task (int   task,
          int   n_tasks,
          void *closure)
{
  Group group = { NULL, n_tasks };

  return ((Launch *) closure)->lambda (task, &group, ((Launch *) closure)->data);
}

static int
parallel_launch (void *lambda,
                 void *data,
                 int   n_tasks)
{
  Launch launch = { lambda, data };

  return ls_parallel_launch (run_task, &launch, n_tasks);
}

static const struct { const char *name; gpointer address; } CONTEXT[] = {
  { "__TVMAPISetLastError", set_last_error },
  { "__TVMFuncCall", func_call },
  { "__TVMBackendGetFuncFromEnv", get_func_from_env },
  { "__TVMBackendAllocWorkspace", alloc_workspace },
  { "__TVMBackendFreeWorkspace", free_workspace },
  { "__TVMBackendParallelLaunch", parallel_launch },
};

/* ---- the object */

typedef struct {
  PyObject_HEAD
  void *handle;
} PyLibrary;

static PyTypeObject *library_type;

static void
library_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  if (((PyLibrary *) self)->handle != NULL)
    dlclose (((PyLibrary *) self)->handle);
  release (self);
  Py_DECREF (type);
}

/* A symbol of the library itself, not of those that it needs; NULL: there is none. */
static void *
own_symbol (void       *handle,
            const char *name)
{
  void *address = dlsym (handle, name);
  struct link_map *map = NULL;
  Dl_info info;

  if (address == NULL || dlinfo (handle, RTLD_DI_LINKMAP, &map) != 0 || dladdr (address, &info) == 0)
    return NULL;
  return info.dli_fname != NULL && strcmp (info.dli_fname, map->l_name) == 0 ? address : NULL;
}

PyObject *
ls_py_library_open (PyObject *module,
                    PyObject *value)
{
  const char *path = PyUnicode_AsUTF8AndSize (value, NULL);
  void *handle = path != NULL ? dlopen (path, RTLD_NOW | RTLD_LOCAL) : NULL;
  PyObject *result;

  if (path == NULL)
    return NULL;
  if (handle == NULL)
    {
      PyErr_Format (PyExc_ValueError, "%s: the library does not open: %s", path, dlerror ());
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (CONTEXT); i++)
    {
      gpointer *place = own_symbol (handle, CONTEXT[i].name);

      if (place != NULL)
        *place = CONTEXT[i].address;
    }
  result = ((allocfunc) PyType_GetSlot (library_type, Py_tp_alloc)) (library_type, 0);
  if (result == NULL)
    dlclose (handle);
  else
    ((PyLibrary *) result)->handle = handle;
  return result;
}

static PyObject *
library_get (PyObject *self,
             PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);
  void *entry = name != NULL ? own_symbol (((PyLibrary *) self)->handle, name) : NULL;

  if (name == NULL)
    return NULL;
  if (entry == NULL)
    Py_RETURN_NONE;
  return ls_py_function (name, call_entry, entry, self);
}

/* text (name): the text that stands at a symbol, or None. */
static PyObject *
library_text (PyObject *self,
              PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);
  const char *text = name != NULL ? own_symbol (((PyLibrary *) self)->handle, name) : NULL;

  if (name == NULL)
    return NULL;
  if (text == NULL)
    Py_RETURN_NONE;
  return PyUnicode_DecodeUTF8 (text, (Py_ssize_t) strlen (text), "replace");
}

/* bytes (name): an eight-byte length at NAME_size and so many bytes at NAME, or None. */
static PyObject *
library_bytes (PyObject *self,
               PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);
  g_autofree char *size_name = name != NULL ? g_strconcat (name, "_size", NULL) : NULL;
  const char *data = name != NULL ? own_symbol (((PyLibrary *) self)->handle, name) : NULL;
  const guint64 *size = name != NULL ? own_symbol (((PyLibrary *) self)->handle, size_name) : NULL;

  if (name == NULL)
    return NULL;
  if (data == NULL || size == NULL)
    Py_RETURN_NONE;
  return PyBytes_FromStringAndSize (data, (Py_ssize_t) *size);
}

static PyMethodDef library_methods[] = {
  { "get", library_get, METH_O, "The function of this name, or None." },
  { "text", library_text, METH_O, "The text at a symbol, or None." },
  { "bytes", library_bytes, METH_O, "The bytes at a symbol, whose number stands at NAME_size, or None." },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot library_slots[] = {
  { Py_tp_dealloc, library_dealloc },
  { Py_tp_methods, library_methods },
  { Py_tp_doc, "A shared library." },
  { 0, NULL },
};

static PyType_Spec library_spec = { "_loopscope_native.Library", sizeof (PyLibrary), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, library_slots };

gboolean
ls_py_library_init (PyObject *module)
{
  library_type = ls_py_add_type (module, &library_spec, NULL);
  return library_type != NULL;
}
