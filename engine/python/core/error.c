/* error: what the engine reports, as the exceptions that TVM's Python raises. */
#include "engine/python/core/objects.h"

#include "engine/relax/pass/pass.h"
#include "engine/relax/relax.h"

#include <string.h>

static PyObject *exceptions[LS_PY_N_ERRORS];

/* ORDER LsPyError */
static const char *const names[] = { "TVMError", "DiagnosticError", "ScheduleError", "InternalError", "ValueError", "TypeError", "OperandError" };

G_STATIC_ASSERT (G_N_ELEMENTS (names) == LS_PY_N_ERRORS);

static PyObject *
class_of (LsPyError kind)
{
  return exceptions[kind] != NULL ? exceptions[kind] : PyExc_RuntimeError;
}

static void
set_text (LsPyError   kind,
          const char *text)
{
  PyObject *message = PyUnicode_DecodeUTF8 (text, (Py_ssize_t) strlen (text), "replace");

  if (message != NULL)
    PyErr_SetObject (class_of (kind), message);
  Py_XDECREF (message);
}

PyObject *
ls_py_raise (LsPyError   kind,
             const char *format,
             ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  set_text (kind, text);
  return NULL;
}

PyObject *
ls_py_raise_gerror (LsPyError  kind,
                    GError    *error)
{
  if (kind == LS_PY_TVM_ERROR && error != NULL && error->domain == LS_RELAX_ERROR)
    kind = LS_PY_OPERAND_ERROR;
  if (kind == LS_PY_TVM_ERROR && error != NULL && error->domain == LS_RELAX_PASS_ERROR)
    kind = LS_PY_VALUE_ERROR;
  if (!ls_py_failed ())
    set_text (kind, error != NULL ? error->message : "unknown error");
  g_clear_error (&error);
  return NULL;
}

PyObject *
ls_py_raise_diagnostics (LsPyError      kind,
                         LsDiagnostics *diagnostics)
{
  g_autofree char *text = NULL, *json = NULL;
  PyObject *error, *findings;

  if (ls_py_failed ())
    return NULL;
  text = ls_diagnostics_print (diagnostics);
  json = ls_diagnostics_to_json (diagnostics);
  findings = PyUnicode_DecodeUTF8 (json, (Py_ssize_t) strlen (json), "replace");
  error = PyObject_CallFunction (class_of (kind), "s", text);
  if (error != NULL && findings != NULL && PyObject_SetAttrString (error, "findings", findings) == 0)
    PyErr_SetObject (class_of (kind), error);
  Py_XDECREF (findings);
  Py_XDECREF (error);
  return NULL;
}

/* set_exception (name, class) */
static PyObject *
py_set_exception (PyObject *module,
                  PyObject *args)
{
  const char *name;
  PyObject *cls;

  if (!PyArg_ParseTuple (args, "sO", &name, &cls))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i], name) == 0)
      {
        LS_PY_SET (exceptions[i], Py_NewRef (cls));
        Py_RETURN_NONE;
      }
  return PyErr_Format (PyExc_ValueError, "there is no exception %s", name);
}

PyMethodDef ls_py_error_methods[] = {
  { "set_exception", py_set_exception, METH_VARARGS, "set_exception(name, cls)" },
  { NULL, NULL, 0, NULL },
};
