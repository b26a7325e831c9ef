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

/* A run of (lowered, target, args), or NULL with an exception. (transfer full) */
static LsSimtRun *
run_of (PyObject *tuple)
{
  PyObject *object, *given;
  const char *text;
  LsPrimFunc *func;
  g_autoptr (LsDeviceTarget) target = NULL;
  g_autofree LsInterpArg *args = NULL;
  LsSimtRun *run;
  GError *error = NULL;
  LsSimtOptions options = { 0 };
  PyThreadState *state;

  if (!PyArg_ParseTuple (tuple, "OsO!", &object, &text, &PyTuple_Type, &given))
    return NULL;
  func = (LsPrimFunc *) ls_py_require (object, LS_KIND_PRIM_FUNC, "the function");
  if (func == NULL)
    return NULL;
  if ((guint) PyTuple_Size (given) != func->params->n)
    {
      ls_py_raise (LS_PY_TVM_ERROR, "The function takes %u arguments; got %u.", func->params->n, (guint) PyTuple_Size (given));
      return NULL;
    }
  target = ls_device_target_parse (text, &error);
  if (target == NULL)
    {
      ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
      return NULL;
    }
  args = g_new0 (LsInterpArg, func->params->n + 1);
  if (!interp_args (func, given, args))
    return NULL;
  options = (LsSimtOptions) { .most_threads = target->max_threads, .most_shared = target->max_shared,
                              .most_static = ls_device_target_most_static (target), .device = target->tag != NULL ? target->tag : target->kind };
  state = PyEval_SaveThread ();
  run = ls_simt_run (func, args, func->params->n, &options, &error);
  PyEval_RestoreThread (state);
  if (run == NULL)
    ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  return run;
}

/* NULL with an exception where `item` (taken) is NULL. */
static PyObject *
appended (PyObject *list,
          PyObject *item)
{
  if (item == NULL || PyList_Append (list, item) < 0)
    Py_CLEAR (list);
  Py_XDECREF (item);
  return list;
}

static PyObject *
findings_of (LsSimtRun *run)
{
  PyObject *list = PyList_New (0);

  for (guint i = 0; list != NULL && i < run->findings->len; i++)
    {
      const LsSimtFinding *finding = run->findings->pdata[i];

      list = appended (list, Py_BuildValue ("(ss)", ls_simt_finding_name (finding->kind), finding->text));
    }
  return list;
}

/* simt_run (lowered, target, args): a list of (kind, sentence) of what was found */
static PyObject *
py_simt_run (PyObject *self,
             PyObject *tuple)
{
  g_autoptr (LsSimtRun) run = run_of (tuple);

  return run != NULL ? findings_of (run) : NULL;
}

/* What the accesses of a kernel to memory of a kind cost together. */
static LsSimtSite
cost_of (LsSimtRun  *run,
         guint       kernel,
         LsSimtSpace space)
{
  LsSimtSite sum = { .most_ways = 1 };

  for (guint i = 0; i < run->sites->len; i++)
    {
      const LsSimtSite *site = &g_array_index (run->sites, LsSimtSite, i);

      if (site->kernel != kernel || site->space != space)
        continue;
      sum.bytes += site->bytes;
      sum.sectors += site->sectors;
      sum.sectors_needed += site->sectors_needed;
      sum.passes += site->passes;
      sum.passes_needed += site->passes_needed;
      sum.most_ways = MAX (sum.most_ways, site->most_ways);
    }
  return sum;
}

/* simt_count (lowered, target, args): (what was found, [a dictionary of counts for each kernel]) */
static PyObject *
py_simt_count (PyObject *self,
               PyObject *tuple)
{
  g_autoptr (LsSimtRun) run = run_of (tuple);
  PyObject *list = run != NULL ? PyList_New (0) : NULL, *found;

  for (guint i = 0; list != NULL && i < run->kernels->len; i++)
    {
      const LsSimtKernel *k = &g_array_index (run->kernels, LsSimtKernel, i);
      LsSimtSite global = cost_of (run, i, LS_SIMT_GLOBAL), shared = cost_of (run, i, LS_SIMT_SHARED);

      list = appended (list, Py_BuildValue ("{ss,s(LLL),s(LLL),sK,sK,sK,sK,sK,sK,sI,sK,sK,sK}", "kernel", k->name, "grid", (long long) k->grid[0], (long long) k->grid[1],
                                            (long long) k->grid[2], "block", (long long) k->block[0], (long long) k->block[1], (long long) k->block[2],
                                            "global bytes", (unsigned long long) global.bytes, "sectors", (unsigned long long) global.sectors, "sectors needed", (unsigned long long) global.sectors_needed,
                                            "shared bytes", (unsigned long long) shared.bytes, "passes", (unsigned long long) shared.passes, "passes needed", (unsigned long long) shared.passes_needed,
                                            "most ways", shared.most_ways, "barriers", (unsigned long long) k->barriers, "divergent", (unsigned long long) k->divergent,
                                            "instructions", (unsigned long long) k->instructions));
    }
  found = list != NULL ? findings_of (run) : NULL;
  if (found == NULL)
    Py_CLEAR (list);
  return list != NULL ? Py_BuildValue ("(NN)", found, list) : NULL;
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
  { "simt_count", py_simt_count, METH_VARARGS, "simt_count(lowered, target, args): what was found, and what each kernel cost" },
  { "device_source", py_device_source, METH_VARARGS, "device_source(name, lowered, target)" },
  { "serial_threads", py_serial_threads, METH_O, "serial_threads(lowered): the kernels as loops over blocks and threads, for a CPU" },
  { "c_source", py_c_source, METH_O, "The functions of a module as C11." },
  { NULL, NULL, 0, NULL },
};
