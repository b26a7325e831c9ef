/* tune: the search over schedules as a Python type.
 *
 * Programs go out as text and traces, times come back: what measures them is Python's (tvm.meta_schedule).
 */
#include "engine/python/core/objects.h"

#include "engine/schedule/space/mutate.h"
#include "engine/schedule/space/space.h"
#include "engine/tune/tune.h"

#include <string.h>

typedef struct {
  PyObject_HEAD
  LsTuner *tuner;
} PyTuner;

#define SELF(o) (((PyTuner *) (o))->tuner)

static void
tuner_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  ls_tuner_free (SELF (self));
  release (self);
  Py_DECREF (type);
}

/* Tuner (module, evolutionary, seed, batch, max_jobs, postprocs) */
static PyObject *
tuner_new (PyTypeObject *type,
           PyObject     *args,
           PyObject     *keywords)
{
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);
  LsTunerOptions options = { 0 };
  int evolutionary, postprocs;
  long long seed, max_jobs;
  PyObject *object, *self;
  LsModule *module;

  if (!PyArg_ParseTuple (args, "OpLILp", &object, &evolutionary, &seed, &options.batch, &max_jobs, &postprocs)
      || (module = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "mod")) == NULL)
    return NULL;
  options.strategy = evolutionary ? LS_TUNE_EVOLUTIONARY : LS_TUNE_RANDOM;
  options.seed = seed;
  options.max_jobs = max_jobs;
  options.postprocs = postprocs;
  self = alloc (type, 0);
  if (self != NULL)
    SELF (self) = ls_tuner_new (module, &options);
  return self;
}

static PyObject *
tuner_add_design (PyObject *self,
                  PyObject *value)
{
  LsTrace *trace = ls_py_trace_of (value);

  if (trace == NULL)
    return NULL;
  ls_tuner_add_design (SELF (self), trace);
  Py_RETURN_NONE;
}

static PyObject *
describe (LsTuner         *tuner,
          LsTuneCandidate *candidate)
{
  GPtrArray *all = ls_tuner_get_candidates (tuner);
  guint at = 0;

  if (candidate == NULL)
    Py_RETURN_NONE;
  g_ptr_array_find (all, candidate, &at);
  return Py_BuildValue ("(INsdd)", at, ls_py_wrap_trace (ls_trace_ref (candidate->trace)), candidate->text, candidate->predicted, candidate->seconds);
}

/* next (max_trials): (number, trace, text, predicted, seconds) or None */
static PyObject *
tuner_next (PyObject *self,
            PyObject *value)
{
  unsigned long max_trials = PyLong_AsUnsignedLong (value);

  return ls_py_failed () ? NULL : describe (SELF (self), ls_tuner_next (SELF (self), (guint) max_trials));
}

/* report (number, seconds, problem) */
static PyObject *
tuner_report (PyObject *self,
              PyObject *args)
{
  GPtrArray *all = ls_tuner_get_candidates (SELF (self));
  const char *problem;
  double seconds;
  unsigned at;

  if (!PyArg_ParseTuple (args, "Idz", &at, &seconds, &problem))
    return NULL;
  if (at >= all->len)
    return PyErr_Format (PyExc_IndexError, "there are fewer candidates");
  ls_tuner_report (SELF (self), all->pdata[at], seconds, problem);
  Py_RETURN_NONE;
}

/* remember (trace, seconds) */
static PyObject *
tuner_remember (PyObject *self,
                PyObject *args)
{
  PyObject *object;
  LsTrace *trace;
  double seconds;

  if (!PyArg_ParseTuple (args, "Od", &object, &seconds) || (trace = ls_py_trace_of (object)) == NULL)
    return NULL;
  return PyBool_FromLong (ls_tuner_remember (SELF (self), trace, seconds));
}

static PyObject *
tuner_best (PyObject *self,
            PyObject *unused)
{
  return describe (SELF (self), ls_tuner_get_best (SELF (self)));
}

/* counts (): (trials, programs, refused, first refusal) */
static PyObject *
tuner_counts (PyObject *self,
              PyObject *unused)
{
  return Py_BuildValue ("(IIIz)", ls_tuner_get_n_trials (SELF (self)), ls_tuner_get_candidates (SELF (self))->len, ls_tuner_get_n_refused (SELF (self)),
                        ls_tuner_get_refusal (SELF (self)));
}

static PyMethodDef tuner_methods[] = {
  { "add_design", tuner_add_design, METH_O, "A trace to draw from." },
  { "next", tuner_next, METH_O, "The next program to measure." },
  { "report", tuner_report, METH_VARARGS, "What came of it." },
  { "remember", tuner_remember, METH_VARARGS, "What was measured before." },
  { "best", tuner_best, METH_NOARGS, "The fastest so far." },
  { "counts", tuner_counts, METH_NOARGS, "Trials, programs, refused trials, the first refusal." },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot tuner_slots[] = {
  { Py_tp_new, tuner_new },
  { Py_tp_dealloc, tuner_dealloc },
  { Py_tp_methods, tuner_methods },
  { Py_tp_doc, "A search over schedules of one program." },
  { 0, NULL },
};

static PyType_Spec tuner_spec = { "_loopscope.Tuner", sizeof (PyTuner), 0, Py_TPFLAGS_DEFAULT, tuner_slots };

/* ---- functions ------------------------------------------------------------------- */

/* space_designs (module, n_cores, seed): traces */
static PyObject *
py_space_designs (PyObject *module,
                  PyObject *args)
{
  g_autoptr (GPtrArray) designs = NULL;
  LsSpaceOptions options = { 0 };
  long long cores, seed;
  PyObject *object, *list;
  LsModule *program;

  if (!PyArg_ParseTuple (args, "OLL", &object, &cores, &seed) || (program = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "mod")) == NULL)
    return NULL;
  options.n_cores = cores;
  designs = ls_space_designs (program, &options, seed);
  list = PyList_New (designs->len);
  for (guint i = 0; list != NULL && i < designs->len; i++)
    PyList_SetItem (list, (Py_ssize_t) i, ls_py_wrap_trace (ls_trace_of (designs->pdata[i])));
  return list;
}

/* space_rule (schedule, block, rule, n_cores, max_jobs_per_core, max_innermost_factor, max_vectorize_extent): schedules */
static PyObject *
py_space_rule (PyObject *module,
               PyObject *args)
{
  PyObject *object, *handle, *list;
  LsSpaceOptions options = { 0 };
  g_autoptr (GPtrArray) made = NULL;
  LsSchedule *schedule;
  long long n_cores, jobs, innermost, extent;
  const char *rule;

  if (!PyArg_ParseTuple (args, "OOsLLLL", &object, &handle, &rule, &n_cores, &jobs, &innermost, &extent)
      || (schedule = ls_py_schedule_of (object)) == NULL)
    return NULL;
  if (!ls_py_is_node (handle) || !ls_is_var (ls_py_node (handle)))
    return PyErr_Format (PyExc_TypeError, "%.200R is no handle of a block", handle);
  options = (LsSpaceOptions) { .n_cores = n_cores, .max_jobs_per_core = jobs, .max_innermost_factor = innermost, .max_vectorize_extent = extent };
  made = ls_space_apply_rule (schedule, (LsVar *) ls_py_node (handle), rule, &options);
  if (made == NULL)
    return PyErr_Format (PyExc_ValueError, "there is no rule %s", rule);
  list = PyList_New (made->len);
  for (guint i = 0; list != NULL && i < made->len; i++)
    PyList_SetItem (list, (Py_ssize_t) i,
                    made->pdata[i] == schedule ? Py_NewRef (object) : ls_py_wrap_schedule (object, ls_schedule_ref (made->pdata[i])));
  return list;
}

/* space_postproc (schedule, name) */
static PyObject *
py_space_postproc (PyObject *module,
                   PyObject *args)
{
  PyObject *object;
  LsSchedule *schedule;
  const char *name;

  if (!PyArg_ParseTuple (args, "Os", &object, &name) || (schedule = ls_py_schedule_of (object)) == NULL)
    return NULL;
  return PyBool_FromLong (ls_space_postproc (schedule, name, NULL));
}

/* space_postprocess (schedule): TRUE when the program can be measured */
static PyObject *
py_space_postprocess (PyObject *module,
                      PyObject *value)
{
  LsSchedule *schedule = ls_py_schedule_of (value);

  return schedule != NULL ? PyBool_FromLong (ls_space_postprocess (schedule, NULL)) : NULL;
}

/* mutate (trace, module, what, max_jobs, seed): another trace or None */
static PyObject *
py_mutate (PyObject *module,
           PyObject *args)
{
  PyObject *trace, *object;
  LsModule *program;
  LsTrace *given, *changed = NULL;
  long long max_jobs, seed;
  guint64 random_state;
  int what;

  if (!PyArg_ParseTuple (args, "OOiLL", &trace, &object, &what, &max_jobs, &seed) || (given = ls_py_trace_of (trace)) == NULL
      || (program = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "mod")) == NULL)
    return NULL;
  random_state = ls_random_seed (seed);
  switch (what)
    {
    case 0: changed = ls_trace_mutate_tile (given, &random_state); break;
    case 1: changed = ls_trace_mutate_compute_location (given, program, &random_state); break;
    case 2: changed = ls_trace_mutate_unroll (given, &random_state); break;
    case 3: changed = ls_trace_mutate_parallel (given, program, max_jobs, &random_state); break;
    default: changed = ls_trace_mutate (given, program, max_jobs, &random_state);
    }
  if (changed == NULL)
    Py_RETURN_NONE;
  return ls_py_wrap_trace (changed);
}

/* tune_features (module) */
static PyObject *
py_features (PyObject *module,
             PyObject *value)
{
  double features[LS_TUNE_N_FEATURES];
  LsModule *program = (LsModule *) ls_py_require (value, LS_KIND_MODULE, "mod");
  PyObject *list;

  if (program == NULL)
    return NULL;
  ls_tune_features (program, features);
  list = PyList_New (LS_TUNE_N_FEATURES);
  for (guint i = 0; list != NULL && i < LS_TUNE_N_FEATURES; i++)
    PyList_SetItem (list, (Py_ssize_t) i, PyFloat_FromDouble (features[i]));
  return list;
}

/* tune_per_store (module) */
static PyObject *
py_per_store (PyObject *module,
              PyObject *value)
{
  LsModule *program = (LsModule *) ls_py_require (value, LS_KIND_MODULE, "mod");
  LsPrimFunc *func = NULL;
  g_autoptr (GArray) rows = NULL;
  PyObject *list;

  if (program == NULL)
    return NULL;
  for (guint i = 0; i < ls_array_n (program->functions) && func == NULL; i++)
    if (ls_is (program->functions->items[i], PRIM_FUNC))
      func = (LsPrimFunc *) program->functions->items[i];
  if (func == NULL)
    return PyList_New (0);
  rows = ls_tune_per_store (func, NULL);
  list = PyList_New ((Py_ssize_t) rows->len);
  for (guint r = 0; list != NULL && r < rows->len; r++)
    {
      const double *row = (const double *) (gconstpointer) (rows->data + (gsize) r * LS_TUNE_N_PER_STORE * sizeof (double));
      PyObject *numbers = PyList_New (LS_TUNE_N_PER_STORE);

      for (guint i = 0; numbers != NULL && i < LS_TUNE_N_PER_STORE; i++)
        PyList_SetItem (numbers, (Py_ssize_t) i, PyFloat_FromDouble (row[i]));
      if (numbers == NULL)
        Py_CLEAR (list);
      else
        PyList_SetItem (list, (Py_ssize_t) r, numbers);
    }
  return list;
}

static PyObject *
py_workload_line (PyObject *module,
                  PyObject *value)
{
  LsModule *program = (LsModule *) ls_py_require (value, LS_KIND_MODULE, "mod");

  return program != NULL ? ls_py_text (ls_tune_workload_line (program)) : NULL;
}

static PyObject *
py_workload_read (PyObject *module,
                  PyObject *value)
{
  const char *line = PyUnicode_AsUTF8AndSize (value, NULL);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *program = line != NULL ? ls_tune_workload_read (line, diagnostics) : NULL;

  if (line == NULL)
    return NULL;
  if (program == NULL || ls_diagnostics_has_error (diagnostics))
    return ls_py_raise_diagnostics (LS_PY_TVM_ERROR, diagnostics);
  return ls_py_wrap (program);
}

static PyObject *
py_args_json (PyObject *module,
              PyObject *value)
{
  LsModule *program = (LsModule *) ls_py_require (value, LS_KIND_MODULE, "mod");

  return program != NULL ? ls_py_text (ls_tune_args_json (program)) : NULL;
}

/* tune_has_xgboost () */
static PyObject *
py_has_xgboost (PyObject *module,
                PyObject *unused)
{
  return PyBool_FromLong (ls_tune_boost_is_here ());
}

PyMethodDef ls_py_tune_methods[] = {
  { "tune_has_xgboost", py_has_xgboost, METH_NOARGS, "Is XGBoost's library here?" },
  { "space_designs", py_space_designs, METH_VARARGS, "space_designs(mod, n_cores, seed): traces of meta_schedule's rules for a CPU." },
  { "space_rule", py_space_rule, METH_VARARGS, "The schedules that a rule makes of one at a block." },
  { "space_postproc", py_space_postproc, METH_VARARGS, "space_postproc(schedule, name)" },
  { "space_postprocess", py_space_postprocess, METH_O, "Finishes a schedule before it is measured." },
  { "trace_mutate", py_mutate, METH_VARARGS, "trace_mutate(trace, mod, what, max_jobs, seed)" },
  { "tune_features", py_features, METH_O, "What the model of cost counts." },
  { "tune_per_store", py_per_store, METH_O, "meta_schedule's 164 numbers of each store, read from the program as it is scheduled." },
  { "workload_line", py_workload_line, METH_O, "A line of database_workload.json." },
  { "workload_read", py_workload_read, METH_O, "The module of such a line." },
  { "args_json", py_args_json, METH_O, "Types and shapes of the parameters." },
  { NULL, NULL, 0, NULL },
};

/* ---- TuneModel (kind): "ridge" or "xgb" --------------------------------------------------------------------- */

typedef struct {
  PyObject_HEAD
  LsTuneModel *model;
} PyModel;

#define MODEL(o) (((PyModel *) (o))->model)

static void
model_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  ls_tune_model_free (MODEL (self));
  release (self);
  Py_DECREF (type);
}

static PyObject *
model_new (PyTypeObject *type,
           PyObject     *args,
           PyObject     *keywords)
{
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);
  LsTuneModelKind kind = LS_TUNE_MODEL_RIDGE;
  const char *name = "ridge";
  PyObject *self;

  if (!PyArg_ParseTuple (args, "|s", &name))
    return NULL;
  if (strcmp (name, "xgb") == 0)
    kind = LS_TUNE_MODEL_XGB;
  else if (strcmp (name, "ridge") != 0)
    return PyErr_Format (PyExc_ValueError, "a model is xgb or ridge, not %s", name);
  self = alloc (type, 0);
  if (self != NULL)
    MODEL (self) = ls_tune_model_new (kind);
  return self;
}

static gboolean
features_of (PyObject *list,
             double    features[LS_TUNE_N_FEATURES])
{
  if (PySequence_Size (list) != LS_TUNE_N_FEATURES)
    {
      if (!ls_py_failed ())
        PyErr_Format (PyExc_ValueError, "there are %d features", LS_TUNE_N_FEATURES);
      return FALSE;
    }
  for (Py_ssize_t i = 0; i < LS_TUNE_N_FEATURES; i++)
    {
      PyObject *item = PySequence_GetItem (list, i);

      features[i] = item != NULL ? PyFloat_AsDouble (item) : 0;
      Py_XDECREF (item);
    }
  return !ls_py_failed ();
}

static PyObject *
model_learn (PyObject *self,
             PyObject *args)
{
  double features[LS_TUNE_N_FEATURES], seconds;
  PyObject *list;

  if (!PyArg_ParseTuple (args, "Od", &list, &seconds) || !features_of (list, features))
    return NULL;
  if (seconds > 0)
    ls_tune_model_learn (MODEL (self), features, seconds);
  Py_RETURN_NONE;
}

static PyObject *
model_predict (PyObject *self,
               PyObject *list)
{
  double features[LS_TUNE_N_FEATURES];

  return features_of (list, features) ? PyFloat_FromDouble (ls_tune_model_predict (MODEL (self), features)) : NULL;
}

static PyMethodDef model_methods[] = {
  { "learn", model_learn, METH_VARARGS, "learn(features, seconds)" },
  { "predict", model_predict, METH_O, "The logarithm of the seconds that are expected; nan: too little is known." },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot model_slots[] = {
  { Py_tp_new, model_new },
  { Py_tp_dealloc, model_dealloc },
  { Py_tp_methods, model_methods },
  { Py_tp_doc, "A model of how long programs take." },
  { 0, NULL },
};

static PyType_Spec model_spec = { "_loopscope.TuneModel", sizeof (PyModel), 0, Py_TPFLAGS_DEFAULT, model_slots };

gboolean
ls_py_tune_init (PyObject *module)
{
  return ls_py_add_type (module, &tuner_spec, NULL) != NULL && ls_py_add_type (module, &model_spec, NULL) != NULL;
}
