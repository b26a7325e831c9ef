/* runtime: packed functions and timing as Python objects.
 *
 * Function is any packed function: compiled code that its owner keeps alive, or a name of the registry.  Calls leave the
 * lock and end at Ctrl+C.
 */
#include "engine/python/core/runtime-python.h"

static PyTypeObject *function_type;

/* ---- Function ------------------------------------------------------------------------------- */

typedef struct {
  PyObject_HEAD
  LsPackedFunc func;
  void        *closure;
  PyObject    *owner;           /* keeps the code alive */
  char        *name;
} PyFunction;

#define PAUSE_US 20000
#define FUNCTION(o) ((PyFunction *) (o))

static void
function_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  Py_XDECREF (FUNCTION (self)->owner);
  g_free (FUNCTION (self)->name);
  release (self);
  Py_DECREF (type);
}

PyObject *
ls_py_function (const char   *name,
                LsPackedFunc  func,
                void         *closure,
                PyObject     *owner)
{
  allocfunc alloc = (allocfunc) PyType_GetSlot (function_type, Py_tp_alloc);
  PyObject *self = alloc (function_type, 0);

  if (self == NULL)
    return NULL;
  FUNCTION (self)->func = func;
  FUNCTION (self)->closure = closure;
  FUNCTION (self)->owner = Py_XNewRef (owner);
  FUNCTION (self)->name = g_strdup (name);
  return self;
}

static int
call_registered (const LsArg *args,
                 int          n_args,
                 LsArg       *result,
                 void        *closure)
{
  return ls_packed_call (closure, args, n_args, result);
}

/* registered (name): a Function, or None */
static PyObject *
py_find (PyObject *module,
         PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);

  if (name == NULL)
    return NULL;
  if (!ls_registry_has (name))
    Py_RETURN_NONE;
  return ls_py_function (name, call_registered, (void *) g_intern_string (name), NULL);
}

/* Values of `args`, kept by it; NULL with an exception. */
static LsArg *
args_of (PyObject *args,
         int      *n)
{
  LsArg *list;

  *n = (int) PyTuple_Size (args);
  list = g_new0 (LsArg, *n + 1);
  for (int i = 0; i < *n; i++)
    if (!ls_py_to_arg (PyTuple_GetItem (args, i), &list[i]))
      {
        g_free (list);
        return NULL;
      }
  return list;
}

static PyObject *
raise_last (void)
{
  if (ls_py_failed () || PyErr_CheckSignals () != 0)
    return NULL;
  return ls_py_raise (LS_PY_TVM_ERROR, "%s", ls_runtime_last_error ());
}

gboolean
ls_py_call_begin (void)
{
  ls_interrupt_begin ();
  if (PyErr_CheckSignals () == 0)
    return TRUE;
  ls_interrupt_end ();
  return FALSE;
}

/* Did Ctrl+C come, or what else a signal's handler raises?  Engine code asks in the middle of its work, with or without the lock of Python. */
static gboolean
wants_stop (void)
{
  PyGILState_STATE state = PyGILState_Ensure ();
  gboolean stop = ls_py_failed () || PyErr_CheckSignals () != 0;

  PyGILState_Release (state);
  return stop;
}

/* FALSE: a signal came meanwhile. */
static gboolean
pause_for (gint64 ms)
{
  gint64 end = g_get_monotonic_time () + ms * G_TIME_SPAN_MILLISECOND;

  for (gint64 left = end - g_get_monotonic_time (); left > 0; left = end - g_get_monotonic_time ())
    {
      g_usleep ((gulong) MIN (left, PAUSE_US));
      if (ls_stop_asked (NULL))
        return FALSE;
    }
  return TRUE;
}

/* watch_interrupts (fd): whether SIGINT, written there by set_wakeup_fd(), ends compiled code from now on */
static PyObject *
py_watch_interrupts (PyObject *module,
                     PyObject *value)
{
  long fd = PyLong_AsLong (value);

  return fd == -1 && PyErr_Occurred () != NULL ? NULL : PyBool_FromLong (ls_interrupt_watch ((int) fd));
}

static PyObject *
function_call (PyObject *self,
               PyObject *args,
               PyObject *keywords)
{
  LsArg result = { LS_ARG_NONE, 0, { 0 } };
  g_autofree LsArg *list = NULL;
  int n, status;

  list = args_of (args, &n);
  if (list == NULL || !ls_py_call_begin ())
    return NULL;
  Py_BEGIN_ALLOW_THREADS
  status = ls_interruptible_call (FUNCTION (self)->func, list, n, &result, FUNCTION (self)->closure);
  Py_END_ALLOW_THREADS
  ls_interrupt_end ();
  if (status == 0 && !ls_py_failed () && result.kind == LS_ARG_TENSOR)
    return ls_py_wrap_array ((LsNDArray *) result.v_tensor);
  return status == 0 && !ls_py_failed () ? ls_py_from_arg (&result) : raise_last ();
}

/* One sample: `number` calls, doubled until they take long enough. Seconds per call, negative after an error. */
static double
sample (PyFunction  *self,
        const LsArg *list,
        int          n,
        gint64      *number,
        gint64       least_ns)
{
  for (;;)
    {
      gint64 start = ls_clock_ns (), spent;

      for (gint64 i = 0; i < *number; i++)
        {
          LsArg result = { LS_ARG_NONE, 0, { 0 } };

          if (ls_interruptible_call (self->func, list, n, &result, self->closure) != 0)
            return -1;
        }
      spent = ls_clock_ns () - start;
      if (spent >= least_ns || *number >= (G_GINT64_CONSTANT (1) << 40))
        return (double) spent / 1e9 / (double) *number;
      *number = MAX ((gint64) ((double) *number * MIN (1.618 * (double) least_ns / (double) MAX (spent, 1), 1e6)) + 1, *number * 2);
    }
}

/* time (args, number, repeat, min_repeat_ms, cooldown_ms): seconds per call of each repeat, after one call to warm up */
static PyObject *
function_time (PyObject *self,
               PyObject *args)
{
  PyObject *values, *times;
  int number, repeat, least, cooldown, n;
  g_autofree LsArg *list = NULL;
  LsArg result = { LS_ARG_NONE, 0, { 0 } };
  gint64 calls;
  int status;

  if (!PyArg_ParseTuple (args, "O!iiii", &PyTuple_Type, &values, &number, &repeat, &least, &cooldown))
    return NULL;
  list = args_of (values, &n);
  if (list == NULL || !ls_py_call_begin ())
    return NULL;
  Py_BEGIN_ALLOW_THREADS
  status = ls_interruptible_call (FUNCTION (self)->func, list, n, &result, FUNCTION (self)->closure);
  Py_END_ALLOW_THREADS
  if (status != 0)
    {
      ls_interrupt_end ();
      return raise_last ();
    }
  calls = MAX (number, 1);
  times = PyList_New (0);
  for (int i = 0; times != NULL && i < repeat; i++)
    {
      PyObject *item;
      double seconds = -1;

      Py_BEGIN_ALLOW_THREADS
      if (i == 0 || pause_for (cooldown))
        seconds = sample (FUNCTION (self), list, n, &calls, (gint64) least * 1000000);
      Py_END_ALLOW_THREADS
      item = seconds >= 0 && PyErr_CheckSignals () == 0 ? PyFloat_FromDouble (seconds) : raise_last ();
      if (item == NULL || PyList_Append (times, item) < 0)
        Py_CLEAR (times);
      Py_XDECREF (item);
    }
  ls_interrupt_end ();
  return times;
}

static PyObject *
function_name (PyObject *self,
               void     *closure)
{
  return PyUnicode_FromString (FUNCTION (self)->name);
}

static PyMethodDef function_methods[] = {
  { "_time", function_time, METH_VARARGS, "_time(args, number, repeat, min_repeat_ms, cooldown_ms)" },
  { NULL, NULL, 0, NULL },
};

static PyGetSetDef function_getset[] = {
  { "name", function_name, NULL, "The name under which it was found.", NULL },
  { NULL, NULL, NULL, NULL, NULL },
};

static PyType_Slot function_slots[] = {
  { Py_tp_dealloc, function_dealloc },
  { Py_tp_new, ls_py_no_new },
  { Py_tp_call, function_call },
  { Py_tp_methods, function_methods },
  { Py_tp_getset, function_getset },
  { Py_tp_doc, "A packed function." },
  { 0, NULL },
};

static PyType_Spec function_spec = {
  "_loopscope.Function", sizeof (PyFunction), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, function_slots
};

gboolean
ls_py_runtime_init (PyObject *module)
{
  ls_stop_set_asker (wants_stop);
  function_type = ls_py_add_type (module, &function_spec, NULL);
  return function_type != NULL;
}

static PyObject *
py_num_threads (PyObject *module,
                PyObject *unused)
{
  return PyLong_FromLong (ls_parallel_num_threads ());
}

PyMethodDef ls_py_runtime_methods[] = {
  { "watch_interrupts", py_watch_interrupts, METH_O, "SIGINTs whose numbers arrive at this descriptor end compiled code." },
  { "find_function", py_find, METH_O, "The packed function of this name, or None." },
  { "num_threads", py_num_threads, METH_NOARGS, "Threads of a parallel loop." },
  { NULL, NULL, 0, NULL },
};

