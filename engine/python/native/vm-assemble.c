/* vm-assemble: executables of the virtual machine that Python writes instruction by instruction (relax.ExecBuilder).
 *
 * What comes are lists of numbers in the machine's encoding (engine/runtime/vm.h); they are proved well formed as those
 * of a file are, before anything runs.
 */
#include "engine/python/native/native.h"

static gboolean
add_code (LsVMFunction *function,
          PyObject     *numbers)
{
  for (Py_ssize_t i = 0; i < PyList_Size (numbers); i++)
    {
      gint64 number = PyLong_AsLongLong (PyList_GetItem (numbers, i));

      if (PyErr_Occurred () != NULL)
        return FALSE;
      g_array_append_val (function->code, number);
    }
  return TRUE;
}

static gboolean
add_function (LsVMExecutable *executable,
              PyObject       *row)
{
  const char *name;
  PyObject *params, *code;
  unsigned int n_registers;
  LsVMFunction *function;

  if (!PyArg_ParseTuple (row, "sO!IO!", &name, &PyList_Type, &params, &n_registers, &PyList_Type, &code))
    return FALSE;
  function = ls_vm_executable_add_function (executable, name);
  function->n_params = (guint) PyList_Size (params);
  function->n_registers = n_registers;
  function->params = g_new0 (char *, function->n_params + 1);
  for (guint i = 0; i < function->n_params; i++)
    {
      const char *param = PyUnicode_AsUTF8AndSize (PyList_GetItem (params, (Py_ssize_t) i), NULL);

      if (param == NULL)
        return FALSE;
      function->params[i] = g_strdup (param);
    }
  return add_code (function, code);
}

static gboolean
add_strings (LsVMExecutable *executable,
             PyObject       *strings)
{
  for (Py_ssize_t i = 0; i < PyList_Size (strings); i++)
    {
      const char *text = PyUnicode_AsUTF8AndSize (PyList_GetItem (strings, i), NULL);

      if (text == NULL)
        return FALSE;
      ls_vm_executable_string (executable, text);
    }
  return TRUE;
}

static gboolean
add_constants (LsVMExecutable *executable,
               PyObject       *constants)
{
  for (Py_ssize_t i = 0; i < PyList_Size (constants); i++)
    {
      PyObject *value = PyList_GetItem (constants, i);

      if (!ls_py_is_array (value))
        {
          PyErr_SetString (PyExc_TypeError, "a constant of an executable is an array");
          return FALSE;
        }
      g_ptr_array_add (executable->constants, ls_vm_tensor (ls_ndarray_ref (ls_py_array (value))));
    }
  return TRUE;
}

static gboolean
add_floats (LsVMExecutable *executable,
            PyObject       *floats)
{
  for (Py_ssize_t i = 0; i < PyList_Size (floats); i++)
    {
      double value = PyFloat_AsDouble (PyList_GetItem (floats, i));

      if (PyErr_Occurred () != NULL)
        return FALSE;
      g_array_append_val (executable->floats, value);
    }
  return TRUE;
}

PyObject *
ls_py_vm_assemble (PyObject *module,
                   PyObject *args)
{
  PyObject *functions, *strings, *constants, *floats;
  g_autoptr (LsVMExecutable) executable = ls_vm_executable_new ();
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "O!O!O!O!", &PyList_Type, &functions, &PyList_Type, &strings, &PyList_Type, &constants, &PyList_Type, &floats)
      || !add_strings (executable, strings) || !add_constants (executable, constants) || !add_floats (executable, floats))
    return NULL;
  for (Py_ssize_t i = 0; i < PyList_Size (functions); i++)
    if (!add_function (executable, PyList_GetItem (functions, i)))
      return NULL;
  if (!ls_vm_executable_check (executable, &error))
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  return ls_py_wrap_executable (g_steal_pointer (&executable));
}
