/* simt: kernels on simulated threads, and programs as text of other languages, for Python. */
#include "engine/python/core/runtime-python.h"

#include "engine/codegen/c/text.h"
#include "engine/simt/serial.h"
#include "engine/simt/simt.h"
#include "engine/tir/pass/pass.h"

/* lower_device (func, target): the function lowered for a target with threads */
static PyObject *
py_lower_device (PyObject *self,
                 PyObject *args)
{
  PyObject *object;
  const char *text;
  LsPrimFunc *func, *lowered;
  g_autoptr (LsDeviceTarget) target = NULL;
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "Os", &object, &text))
    return NULL;
  func = (LsPrimFunc *) ls_py_require (object, LS_KIND_PRIM_FUNC, "the function");
  if (func == NULL)
    return NULL;
  target = ls_device_target_parse (text, &error);
  lowered = target != NULL ? ls_lower_device (func, target, NULL, NULL, &error) : NULL;
  return lowered != NULL ? ls_py_wrap (lowered) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* Arguments of a call as those of the simulator; FALSE with an exception. */
static gboolean
interp_args (LsPrimFunc  *func,
             PyObject    *given,
             LsInterpArg *args)
{
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsArg arg = { 0 };

      if (!ls_py_to_arg (PyTuple_GetItem (given, (Py_ssize_t) i), &arg))
        return FALSE;
      if (arg.kind == LS_ARG_TENSOR)
        {
          LsDLTensor *tensor = arg.v_tensor;
          g_autofree char *name = ls_dl_dtype_print (tensor->dtype);
          LsDType dtype = LS_FLOAT32;

          if (!ls_dtype_parse (name, &dtype))
            {
              PyErr_Format (PyExc_TypeError, "an array of %s is not taken to a device", name);
              return FALSE;
            }
          args[i] = (LsInterpArg) { dtype, TRUE, (char *) tensor->data + tensor->byte_offset, (guint) tensor->ndim, tensor->shape, tensor->strides, 0, 0 };
        }
      else
        args[i] = (LsInterpArg) { .dtype = buffer != NULL ? LS_INT64 : ls_dtype (func->params->items[i]), .int_value = arg.kind == LS_ARG_INT ? arg.v_int : 0,
                                  .float_value = arg.kind == LS_ARG_FLOAT ? arg.v_float : (double) arg.v_int };
    }
  return TRUE;
}

/* simt_run (lowered, target, args): a list of (kind, sentence) of what was found */
static PyObject *
py_simt_run (PyObject *self,
             PyObject *tuple)
{
  PyObject *object, *given, *list;
  const char *text;
  LsPrimFunc *func;
  g_autoptr (LsDeviceTarget) target = NULL;
  g_autofree LsInterpArg *args = NULL;
  g_autoptr (LsSimtRun) run = NULL;
  GError *error = NULL;
  LsSimtOptions options = { 0 };
  PyThreadState *state;

  if (!PyArg_ParseTuple (tuple, "OsO!", &object, &text, &PyTuple_Type, &given))
    return NULL;
  func = (LsPrimFunc *) ls_py_require (object, LS_KIND_PRIM_FUNC, "the function");
  if (func == NULL)
    return NULL;
  if ((guint) PyTuple_Size (given) != func->params->n)
    return ls_py_raise (LS_PY_TVM_ERROR, "The function takes %u arguments; got %u.", func->params->n, (guint) PyTuple_Size (given));
  target = ls_device_target_parse (text, &error);
  if (target == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  args = g_new0 (LsInterpArg, func->params->n + 1);
  if (!interp_args (func, given, args))
    return NULL;
  options = (LsSimtOptions) { .most_threads = target->max_threads, .most_shared = target->max_shared,
                              .most_static = ls_device_target_most_static (target), .device = target->tag != NULL ? target->tag : target->kind };
  state = PyEval_SaveThread ();
  run = ls_simt_run (func, args, func->params->n, &options, &error);
  PyEval_RestoreThread (state);
  if (run == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  list = PyList_New (0);
  for (guint i = 0; list != NULL && i < run->findings->len; i++)
    {
      const LsSimtFinding *finding = run->findings->pdata[i];
      PyObject *item = Py_BuildValue ("(ss)", ls_simt_finding_name (finding->kind), finding->text);

      if (item == NULL || PyList_Append (list, item) < 0)
        Py_CLEAR (list);
      Py_XDECREF (item);
    }
  return list;
}

/* device_source (name, lowered, target): the text of its kernels */
static PyObject *
py_device_source (PyObject *self,
                  PyObject *args)
{
  PyObject *object;
  const char *name, *text;
  LsPrimFunc *func;
  g_autoptr (LsDeviceTarget) target = NULL;
  g_autoptr (LsDeviceText) result = NULL;
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "sOs", &name, &object, &text))
    return NULL;
  func = (LsPrimFunc *) ls_py_require (object, LS_KIND_PRIM_FUNC, "the function");
  if (func == NULL)
    return NULL;
  target = ls_device_target_parse (text, &error);
  result = target != NULL ? ls_device_text_new (name, func, target, &error) : NULL;
  return result != NULL ? PyUnicode_FromString (result->text) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* serial_threads (lowered): its kernels as loops over blocks and threads */
static PyObject *
py_serial_threads (PyObject *self,
                   PyObject *object)
{
  LsPrimFunc *func = (LsPrimFunc *) ls_py_require (object, LS_KIND_PRIM_FUNC, "the function"), *result;
  GError *error = NULL;

  if (func == NULL)
    return NULL;
  result = ls_simt_serial (func, &error);
  return result != NULL ? ls_py_wrap (result) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* c_source (module): its functions of TensorIR as C11 */
static PyObject *
py_c_source (PyObject *self,
             PyObject *object)
{
  LsModule *module = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "the module");
  g_autoptr (LsModule) lowered = NULL;
  g_autoptr (LsDeviceText) result = NULL;
  GError *error = NULL;

  if (module == NULL)
    return NULL;
  lowered = ls_lower_module (module, NULL, NULL, &error);
  result = lowered != NULL ? ls_c_text_new (lowered, &error) : NULL;
  return result != NULL ? PyUnicode_FromString (result->text) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

PyMethodDef ls_py_simt_methods[] = {
  { "lower_device", py_lower_device, METH_VARARGS, "lower_device(func, target)" },
  { "simt_run", py_simt_run, METH_VARARGS, "simt_run(lowered, target, args): what was found, as (kind, sentence)" },
  { "device_source", py_device_source, METH_VARARGS, "device_source(name, lowered, target)" },
  { "serial_threads", py_serial_threads, METH_O, "serial_threads(lowered): the kernels as loops over blocks and threads, for a CPU" },
  { "c_source", py_c_source, METH_O, "The functions of a module as C11." },
  { NULL, NULL, 0, NULL },
};
