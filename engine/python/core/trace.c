/* trace: the engine's LsTrace as a Python type. */
#include "engine/python/core/objects.h"

#include "engine/schedule/schedule.h"

typedef struct {
  PyObject_HEAD
  LsTrace *trace;
} PyTrace;

static PyTypeObject *trace_type;

#define TRACE(o) (((PyTrace *) (o))->trace)

PyObject *
ls_py_wrap_trace (LsTrace *trace)
{
  allocfunc alloc = (allocfunc) PyType_GetSlot (trace_type, Py_tp_alloc);
  PyObject *self = alloc (trace_type, 0);

  if (self == NULL)
    ls_trace_unref (trace);
  else
    TRACE (self) = trace;
  return self;
}

static void
trace_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  g_clear_pointer (&TRACE (self), ls_trace_unref);
  release (self);
  Py_DECREF (type);
}

static PyObject *
trace_n (PyObject *self,
         PyObject *unused)
{
  return PyLong_FromUnsignedLong (ls_trace_get_n (TRACE (self)));
}

static PyObject *
step_list (LsArray      *array,
           LsResultType  type)
{
  PyObject *list = PyList_New (ls_array_n (array));

  for (guint i = 0; list != NULL && i < ls_array_n (array); i++)
    PyList_SetItem (list, (Py_ssize_t) i, type == LS_RESULT_NONE ? ls_py_from_node (array->items[i]) : ls_py_wrap_output (type, array->items[i]));
  return list;
}

/* step (i): (number of the row, arguments, decision, outputs, kind) */
static PyObject *
trace_step (PyObject *self,
            PyObject *value)
{
  unsigned long i = PyLong_AsUnsignedLong (value);
  const LsInstruction *const *rows;
  const LsTraceStep *step;
  guint n, row = 0;

  if (ls_py_failed ())
    return NULL;
  if (i >= ls_trace_get_n (TRACE (self)))
    return PyErr_Format (PyExc_IndexError, "there are fewer steps");
  step = ls_trace_get (TRACE (self), (guint) i);
  rows = ls_instruction_list (&n);
  while (row < n && rows[row] != step->instruction)
    row++;
  return Py_BuildValue ("(INNNN)", row, step_list (step->args, LS_RESULT_NONE), ls_py_from_node (step->decision),
                        step_list (step->outputs, step->instruction->result), ls_py_text (ls_instruction_kind (step->instruction)));
}

static PyObject *
trace_print (PyObject *self,
             PyObject *unused)
{
  return ls_py_text (ls_trace_print (TRACE (self)));
}

/* apply (schedule, remove_postproc, decisions) */
static PyObject *
trace_apply (PyObject *self,
             PyObject *args)
{
  PyObject *schedule;
  LsSchedule *target;
  int remove_postproc, decisions;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  if (!PyArg_ParseTuple (args, "Opp", &schedule, &remove_postproc, &decisions) || (target = ls_py_schedule_of (schedule)) == NULL)
    return NULL;
  ls_trace_apply (TRACE (self), target, decisions, remove_postproc, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    return ls_py_raise_diagnostics (LS_PY_SCHEDULE_ERROR, diagnostics);
  Py_RETURN_NONE;
}

/* apply_anchored (schedule) */
static PyObject *
trace_apply_anchored (PyObject *self,
                      PyObject *schedule)
{
  LsSchedule *target = ls_py_schedule_of (schedule);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  if (target == NULL)
    return NULL;
  if (!ls_trace_apply_anchored (TRACE (self), target, diagnostics))
    return ls_py_raise_diagnostics (LS_PY_SCHEDULE_ERROR, diagnostics);
  Py_RETURN_NONE;
}

static PyObject *
trace_simplified (PyObject *self,
                  PyObject *value)
{
  int remove_postproc = PyObject_IsTrue (value);

  return remove_postproc < 0 ? NULL : ls_py_wrap_trace (ls_trace_simplified (TRACE (self), remove_postproc));
}

/* with_decision (i, decision) */
static PyObject *
trace_with_decision (PyObject *self,
                     PyObject *args)
{
  unsigned i;
  PyObject *value, *result;
  LsNode *decision;

  if (!PyArg_ParseTuple (args, "IO", &i, &value) || !ls_py_to_node (value, LS_PY_ANY, TRUE, "decision", &decision))
    return NULL;
  if (i >= ls_trace_get_n (TRACE (self)))
    result = PyErr_Format (PyExc_IndexError, "there are fewer steps");
  else
    result = ls_py_wrap_trace (ls_trace_with_decision (TRACE (self), i, decision));
  ls_node_unref (decision);
  return result;
}

static PyObject *
trace_to_json (PyObject *self,
               PyObject *value)
{
  int remove_postproc = PyObject_IsTrue (value);

  return remove_postproc < 0 ? NULL : ls_py_text (ls_trace_to_json (TRACE (self), remove_postproc));
}

static PyMethodDef trace_methods[] = {
  { "n", trace_n, METH_NOARGS, "How many steps there are." },
  { "step", trace_step, METH_O, "One step." },
  { "print", trace_print, METH_NOARGS, "The steps as Python text." },
  { "apply", trace_apply, METH_VARARGS, "apply(schedule, remove_postproc, decisions)" },
  { "apply_anchored", trace_apply_anchored, METH_O, "apply_anchored(schedule): to a program around the same block" },
  { "simplified", trace_simplified, METH_O, "Without what nobody uses." },
  { "with_decision", trace_with_decision, METH_VARARGS, "with_decision(i, decision)" },
  { "to_json", trace_to_json, METH_O, "As TVM's JSON." },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot trace_slots[] = {
  { Py_tp_dealloc, trace_dealloc },
  { Py_tp_new, ls_py_no_new },
  { Py_tp_methods, trace_methods },
  { Py_tp_doc, "Steps without a program." },
  { 0, NULL },
};

static PyType_Spec trace_spec = { "_loopscope.Trace", sizeof (PyTrace), 0, Py_TPFLAGS_DEFAULT, trace_slots };

/* trace_from_json (text) */
static PyObject *
py_trace_from_json (PyObject *module,
                    PyObject *value)
{
  const char *text = PyUnicode_AsUTF8AndSize (value, NULL);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsTrace *trace = text != NULL ? ls_trace_from_json (text, diagnostics) : NULL;

  if (text == NULL)
    return NULL;
  return trace != NULL ? ls_py_wrap_trace (trace) : ls_py_raise_diagnostics (LS_PY_TVM_ERROR, diagnostics);
}

LsTrace *
ls_py_trace_of (PyObject *object)
{
  if (PyObject_TypeCheck (object, trace_type))
    return TRACE (object);
  PyErr_Format (PyExc_TypeError, "%.200R is no trace", object);
  return NULL;
}

PyMethodDef ls_py_trace_methods[] = {
  { "trace_from_json", py_trace_from_json, METH_O, "What Trace.to_json wrote." },
  { NULL, NULL, 0, NULL },
};

gboolean
ls_py_trace_init (PyObject *module)
{
  trace_type = ls_py_add_type (module, &trace_spec, NULL);
  return trace_type != NULL;
}
