/* schedule: the engine's LsSchedule as a Python type; its methods are made in Python from the table of instructions.
 *
 * apply (i, args, decision) takes one Python value for each parameter of row i.  Handles are variables: BlockRV and
 * LoopRV are wrappers of them in classes of their own (set by schedule_classes).
 */
#include "engine/python/core/objects.h"

#include "engine/schedule/step/flags.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/intrin/mapping.h"

#include <string.h>

typedef struct {
  PyObject_HEAD
  LsSchedule *schedule;
  PyObject   *working_on;       /* str or NULL */
} PySchedule;

static PyTypeObject *schedule_type;

static PyObject *block_class, *loop_class;

#define SELF(o) (((PySchedule *) (o))->schedule)

static void
schedule_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  if (SELF (self) != NULL)
    ls_schedule_unref (SELF (self));
  Py_XDECREF (((PySchedule *) self)->working_on);
  release (self);
  Py_DECREF (type);
}

static PyObject *
wrap_schedule (PyTypeObject *type,
               LsSchedule   *schedule)
{
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);
  PyObject *self = alloc (type, 0);

  if (self == NULL)
    ls_schedule_unref (schedule);
  else
    SELF (self) = schedule;
  return self;
}

PyObject *
ls_py_wrap_schedule (PyObject   *like,
                     LsSchedule *schedule)
{
  return wrap_schedule (Py_TYPE (like), schedule);
}

/* Schedule (module, seed) */
static PyObject *
schedule_new (PyTypeObject *type,
              PyObject     *args,
              PyObject     *keywords)
{
  PyObject *object;
  long long seed = -1;
  LsModule *module;
  PyObject *self;

  if (!PyArg_ParseTuple (args, "O|L", &object, &seed) || (module = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "mod")) == NULL)
    return NULL;
  self = wrap_schedule (type, ls_schedule_new (module));
  if (self != NULL && seed >= 0)
    ls_schedule_set_seed (SELF (self), seed);
  return self;
}

/* ---- arguments ------------------------------------------------------------------- */

static gboolean
refuse_type (const LsInstruction *row,
             const LsParam       *param,
             const char          *words,
             PyObject            *value)
{
  if (!ls_py_failed ())
    PyErr_Format (PyExc_TypeError, "%s of %s has to be %s, not %.200R", param->name, row->name, words, value);
  return FALSE;
}

/* A block given by its name: the get_block step is made first, as TVM does. */
static LsNode *
block_by_name (PyObject *self,
               PyObject *name)
{
  const char *func = ((PySchedule *) self)->working_on != NULL ? PyUnicode_AsUTF8AndSize (((PySchedule *) self)->working_on, NULL) : NULL;
  const char *text = PyUnicode_AsUTF8AndSize (name, NULL);
  g_autoptr (LsNode) block = text != NULL ? LS_NODE (ls_string_new (text)) : NULL;
  g_autoptr (LsNode) function = func != NULL ? LS_NODE (ls_string_new (func)) : NULL;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsNode *args[2] = { block, function };
  LsArray *outputs = NULL;

  if (block == NULL)
    return NULL;
  if (ls_schedule_apply (SELF (self), ls_instruction_get ("get_block"), args, NULL, &outputs, diagnostics))
    return ls_node_ref (outputs->items[0]);
  ls_py_raise_diagnostics (LS_PY_SCHEDULE_ERROR, diagnostics);
  return NULL;
}

static gboolean
handle_arg (PyObject            *self,
            const LsInstruction *row,
            const LsParam       *param,
            PyObject            *value,
            gboolean             block,
            gboolean             loop,
            LsNode             **node)
{
  LsNode *given = ls_py_is_node (value) ? ls_py_node (value) : NULL;
  gboolean is_block = block && given != NULL && PyObject_IsInstance (value, block_class) == 1;
  gboolean is_loop = loop && given != NULL && PyObject_IsInstance (value, loop_class) == 1;

  if (block && PyUnicode_Check (value))
    {
      *node = block_by_name (self, value);
      return *node != NULL;
    }
  if (!is_block && !is_loop)
    return refuse_type (row, param, block && loop ? "a block or loop" : block ? "a block" : "a loop", value);
  *node = ls_node_ref (given);
  return TRUE;
}

static gboolean
handles_arg (PyObject            *self,
             const LsInstruction *row,
             const LsParam       *param,
             PyObject            *value,
             gboolean             block,
             gboolean             loop,
             LsNode             **node)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  PyObject *iterator, *next;

  if (PyUnicode_Check (value) || (iterator = PyObject_GetIter (value)) == NULL)
    {
      PyErr_Clear ();
      return refuse_type (row, param, block ? "a list of blocks" : "a list of loops", value);
    }
  while ((next = PyIter_Next (iterator)) != NULL)
    {
      LsNode *made = NULL;
      gboolean done = handle_arg (self, row, param, next, block, loop, &made);

      Py_DECREF (next);
      if (!done)
        break;
      g_ptr_array_add (items, made);
    }
  Py_DECREF (iterator);
  if (ls_py_failed ())
    return FALSE;
  *node = LS_NODE (ls_array_take_ptr_array (g_steal_pointer (&items)));
  return TRUE;
}

static gboolean
value_arg (const LsInstruction *row,
           const LsParam       *param,
           PyObject            *value,
           LsNode             **node)
{
  gboolean fits = TRUE;

  if (!ls_py_to_node (value, LS_PY_ANY, FALSE, param->name, node))
    return FALSE;
  switch (param->type)
    {
    case LS_PARAM_INT:
      fits = ls_is (*node, INT_IMM) || ls_is_var (*node);
      break;
    case LS_PARAM_BOOL:
      if (ls_is (*node, INT_IMM))
        ls_take (node, LS_NODE (ls_bool (((LsIntImm *) *node)->value != 0)));
      else
        fits = FALSE;
      break;
    case LS_PARAM_STRING:
      fits = ls_is (*node, STRING);
      break;
    case LS_PARAM_FACTORS:
    case LS_PARAM_INTS:
    case LS_PARAM_FLOATS:
    case LS_PARAM_STRINGS:
      fits = ls_is (*node, ARRAY);
      for (guint i = 0; fits && i < ((LsArray *) *node)->n; i++)
        {
          LsNode *item = ((LsArray *) *node)->items[i];

          fits = param->type == LS_PARAM_FACTORS  ? item == NULL || (ls_is_expr (item) && !ls_is (item, FLOAT_IMM))
                 : param->type == LS_PARAM_INTS   ? ls_is (item, INT_IMM)
                 : param->type == LS_PARAM_FLOATS ? ls_is (item, FLOAT_IMM) || ls_is (item, INT_IMM)
                                                  : ls_is (item, STRING);
        }
      break;
    case LS_PARAM_BUFFER:
      fits = ls_is (*node, STRING) || ls_is (*node, INT_IMM) || (ls_is (*node, ARRAY) && ((LsArray *) *node)->n == 2);
      break;
    case LS_PARAM_INDEX_MAP:
      fits = ls_is (*node, INDEX_MAP);
      break;
    case LS_PARAM_VALUE:
      break;
    case LS_PARAM_BLOCK:
    case LS_PARAM_LOOP:
    case LS_PARAM_BLOCK_OR_LOOP:
    case LS_PARAM_LOOPS:
    case LS_PARAM_BLOCKS:
    case LS_PARAM_BLOCKS_OR_LOOP:
      break;
    }
  if (fits)
    return TRUE;
  ls_node_unref (g_steal_pointer (node));
  return refuse_type (row, param, "of another type", value);
}

static gboolean
argument (PyObject            *self,
          const LsInstruction *row,
          const LsParam       *param,
          PyObject            *value,
          LsNode             **node)
{
  *node = NULL;
  if (value == Py_None && (param->flags & LS_PARAM_OPTIONAL))
    return TRUE;
  switch (param->type)
    {
    case LS_PARAM_BLOCK:
      return handle_arg (self, row, param, value, TRUE, FALSE, node);
    case LS_PARAM_LOOP:
      return handle_arg (self, row, param, value, FALSE, TRUE, node);
    case LS_PARAM_BLOCK_OR_LOOP:
      return handle_arg (self, row, param, value, TRUE, TRUE, node);
    case LS_PARAM_LOOPS:
      return handles_arg (self, row, param, value, FALSE, TRUE, node);
    case LS_PARAM_BLOCKS:
      return handles_arg (self, row, param, value, TRUE, FALSE, node);
    case LS_PARAM_BLOCKS_OR_LOOP:
      if (ls_py_is_node (value) && !ls_is (ls_py_node (value), ARRAY))
        return handle_arg (self, row, param, value, FALSE, TRUE, node);
      return handles_arg (self, row, param, value, TRUE, FALSE, node);
    case LS_PARAM_INT:
    case LS_PARAM_BOOL:
    case LS_PARAM_STRING:
    case LS_PARAM_FACTORS:
    case LS_PARAM_INTS:
    case LS_PARAM_FLOATS:
    case LS_PARAM_STRINGS:
    case LS_PARAM_BUFFER:
    case LS_PARAM_INDEX_MAP:
    case LS_PARAM_VALUE:
      break;
    }
  return value_arg (row, param, value, node);
}

/* ---- results ------------------------------------------------------------------------ */

PyObject *
ls_py_wrap_output (guint   type,
                   LsNode *node)
{
  switch ((LsResultType) type)
    {
    case LS_RESULT_BLOCK:
    case LS_RESULT_BLOCKS:
      return ls_py_wrap_as (ls_node_ref (node), block_class);
    case LS_RESULT_LOOP:
    case LS_RESULT_LOOPS:
      return ls_py_wrap_as (ls_node_ref (node), loop_class);
    case LS_RESULT_EXPR:
    case LS_RESULT_EXPRS:
    case LS_RESULT_NONE:
      break;
    }
  return ls_py_wrap (ls_node_ref (node));
}

static PyObject *
wrap_outputs (const LsInstruction *row,
              LsArray             *outputs)
{
  PyObject *list;

  if (row->result == LS_RESULT_NONE)
    Py_RETURN_NONE;
  if (row->result == LS_RESULT_BLOCK || row->result == LS_RESULT_LOOP || row->result == LS_RESULT_EXPR)
    return ls_py_wrap_output (row->result, outputs->items[0]);
  list = PyList_New (outputs->n);
  for (guint i = 0; list != NULL && i < outputs->n; i++)
    PyList_SetItem (list, (Py_ssize_t) i, ls_py_wrap_output (row->result, outputs->items[i]));
  return list;
}

static const LsInstruction *
row_at (unsigned i)
{
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);

  if (i < n)
    return rows[i];
  PyErr_SetString (PyExc_IndexError, "there is no such instruction");
  return NULL;
}

/* A Python warning for each finding of the step, as on the command line: that the result may be another one.  FALSE: it was made an error. */
static gboolean
warn_of (LsDiagnostics *diagnostics)
{
  for (guint i = 0; i < ls_diagnostics_get_n (diagnostics); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (diagnostics, i);

      if (finding->severity == LS_SEVERITY_WARNING && !g_str_has_suffix (finding->code, "/dependence-unknown") &&
          PyErr_WarnEx (PyExc_RuntimeWarning, finding->message, 3) != 0)
        return FALSE;
    }
  return TRUE;
}

/* apply (i, args, decision) */
static PyObject *
schedule_apply (PyObject *self,
                PyObject *args)
{
  PyObject *values, *decision = Py_None;
  unsigned number;
  const LsInstruction *row;
  g_autoptr (LsDiagnostics) diagnostics = NULL;
  g_autoptr (LsNode) chosen = NULL;
  g_autofree LsNode **nodes = NULL;
  LsArray *outputs = NULL;
  PyObject *result = NULL;
  gboolean good = TRUE;

  if (!PyArg_ParseTuple (args, "IO!|O", &number, &PyTuple_Type, &values, &decision) || (row = row_at (number)) == NULL)
    return NULL;
  if (PyTuple_Size (values) != (Py_ssize_t) row->n_params)
    return PyErr_Format (PyExc_TypeError, "%s takes %u arguments", row->name, row->n_params);
  if (!ls_py_to_node (decision, LS_PY_ANY, TRUE, "decision", &chosen))
    return NULL;
  nodes = g_new0 (LsNode *, row->n_params + 1);
  for (guint i = 0; good && i < row->n_params; i++)
    good = argument (self, row, &row->params[i], PyTuple_GetItem (values, (Py_ssize_t) i), &nodes[i]);
  if (good)
    {
      diagnostics = ls_diagnostics_new ();
      if (ls_schedule_apply (SELF (self), row, nodes, chosen, &outputs, diagnostics))
        result = !ls_schedule_is_order_asked (SELF (self)) || warn_of (diagnostics) ? wrap_outputs (row, outputs) : NULL;
      else
        ls_py_raise_diagnostics (LS_PY_SCHEDULE_ERROR, diagnostics);
    }
  for (guint i = 0; i < row->n_params; i++)
    ls_node_unref (nodes[i]);
  return result;
}

/* ---- the rest ------------------------------------------------------------------------- */

static PyObject *
schedule_module (PyObject *self,
                 PyObject *unused)
{
  return ls_py_wrap (ls_ref (ls_schedule_get_module (SELF (self))));
}

static PyObject *
schedule_copy (PyObject *self,
               PyObject *unused)
{
  return wrap_schedule (Py_TYPE (self), ls_schedule_copy (SELF (self)));
}

static PyObject *
schedule_set_strict (PyObject *self,
                     PyObject *value)
{
  ls_schedule_set_strict (SELF (self), PyObject_IsTrue (value) == 1);
  return Py_NewRef (Py_None);
}

static PyObject *
schedule_is_strict (PyObject *self,
                    PyObject *unused)
{
  return PyBool_FromLong (ls_schedule_is_strict (SELF (self)));
}

static PyObject *
schedule_seed (PyObject *self,
               PyObject *value)
{
  long long seed = PyLong_AsLongLong (value);

  if (ls_py_failed ())
    return NULL;
  ls_schedule_set_seed (SELF (self), seed);
  Py_RETURN_NONE;
}

static PyObject *
schedule_work_on (PyObject *self,
                  PyObject *value)
{
  const char *name = PyUnicode_AsUTF8AndSize (value, NULL);

  if (name == NULL)
    return NULL;
  if (ls_module_get (ls_schedule_get_module (SELF (self)), name) == NULL)
    return ls_py_raise (LS_PY_SCHEDULE_ERROR, "The module has no function %s.", name);
  LS_PY_SET (((PySchedule *) self)->working_on, Py_NewRef (value));
  ls_schedule_work_on (SELF (self), name);
  Py_RETURN_NONE;
}

static PyObject *
schedule_working_on (PyObject *self,
                     PyObject *unused)
{
  PyObject *name = ((PySchedule *) self)->working_on;

  return Py_NewRef (name != NULL ? name : Py_None);
}

/* resolve (handle): the Block, For or number that it stands for, None when it is gone */
static PyObject *
schedule_resolve (PyObject *self,
                  PyObject *handle)
{
  LsNode *var = ls_py_is_node (handle) ? ls_py_node (handle) : NULL;
  LsExpr *value;

  if (var == NULL || !ls_is_var (var))
    return PyErr_Format (PyExc_TypeError, "%R is no handle", handle);
  value = ls_schedule_get_value (SELF (self), (LsVar *) var);
  return ls_py_from_node (value != NULL ? LS_NODE (value) : ls_schedule_resolve (SELF (self), (LsVar *) var));
}

static PyObject *
schedule_print (PyObject *self,
                PyObject *unused)
{
  return ls_py_text (ls_schedule_print_trace (SELF (self)));
}

static PyObject *
schedule_n_steps (PyObject *self,
                  PyObject *unused)
{
  return PyLong_FromUnsignedLong (ls_schedule_get_n_steps (SELF (self)));
}

static PyObject *
schedule_undo_to (PyObject *self,
                  PyObject *value)
{
  unsigned long n = PyLong_AsUnsignedLong (value);

  if (ls_py_failed ())
    return NULL;
  if (n > ls_schedule_get_n_steps (SELF (self)))
    return PyErr_Format (PyExc_IndexError, "there are fewer steps");
  ls_schedule_undo_to (SELF (self), (guint) n);
  Py_RETURN_NONE;
}

static PyObject *
schedule_trace (PyObject *self,
                PyObject *unused)
{
  return ls_py_wrap_trace (ls_trace_of (SELF (self)));
}

/* ---- analysis --------------------------------------------------------------------- */

/* flags (block): (affine_binding, region_cover, stage_pipeline) of a Block node, or None */
static PyObject *
schedule_flags (PyObject *self,
                PyObject *block)
{
  LsNode *node = ls_py_require (block, LS_KIND_BLOCK, "block");
  LsBlockFlags flags;

  if (node == NULL)
    return NULL;
  if (!ls_schedule_get_flags (SELF (self), node, &flags))
    Py_RETURN_NONE;
  return Py_BuildValue ("(NNN)", PyBool_FromLong (flags.affine_binding), PyBool_FromLong (flags.region_cover), PyBool_FromLong (flags.stage_pipeline));
}

/* _verify (mask): raises InternalError unless what is kept of the program is true */
static PyObject *
schedule_verify (PyObject *self,
                 PyObject *value)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  long mask = PyLong_AsLong (value);

  if (ls_py_failed ())
    return NULL;
  if (ls_schedule_verify (SELF (self), (mask & 1) != 0, (mask & 2) != 0, findings))
    Py_RETURN_NONE;
  return ls_py_raise_diagnostics (LS_PY_INTERNAL_ERROR, findings);
}

static gboolean
block_and_desc (PyObject    *block,
                PyObject    *desc,
                LsVar      **var,
                LsPrimFunc **func)
{
  LsNode *handle = ls_py_is_node (block) ? ls_py_node (block) : NULL;

  *func = (LsPrimFunc *) ls_py_require (desc, LS_KIND_PRIM_FUNC, "desc_func");
  if (*func == NULL)
    return FALSE;
  if (handle == NULL || !ls_is_var (handle))
    {
      PyErr_Format (PyExc_TypeError, "%.200R is no handle of a block", block);
      return FALSE;
    }
  *var = (LsVar *) handle;
  return TRUE;
}

static PyObject *
wrap_array (LsArray *array)
{
  return ls_py_wrap (ls_ref (array));
}

/* tensorize_loops (block, desc, allow_padding): (loops, loops of desc that they are, all loops of desc, paddings), or None */
static PyObject *
schedule_tensorize_loops (PyObject *self,
                          PyObject *args)
{
  PyObject *block, *desc;
  int allow_padding;
  LsVar *var;
  LsPrimFunc *func;
  g_autoptr (LsTensorizeLoops) found = NULL;

  if (!PyArg_ParseTuple (args, "OOp", &block, &desc, &allow_padding) || !block_and_desc (block, desc, &var, &func))
    return NULL;
  found = ls_tensorize_loops (SELF (self), var, func, allow_padding);
  if (found == NULL)
    Py_RETURN_NONE;
  return Py_BuildValue ("(NNNN)", wrap_array (found->loops), wrap_array (found->asked), wrap_array (found->desc_loops),
                        found->paddings != NULL ? wrap_array (found->paddings) : Py_NewRef (Py_None));
}

/* tensorize_mapping (block, desc): (maps, buffers, buffers of desc, their indices, variables, variables of desc), or None */
static PyObject *
schedule_tensorize_mapping (PyObject *self,
                            PyObject *args)
{
  PyObject *block, *desc;
  LsVar *var;
  LsPrimFunc *func;
  g_autoptr (LsTensorizeMapping) found = NULL;

  if (!PyArg_ParseTuple (args, "OO", &block, &desc) || !block_and_desc (block, desc, &var, &func))
    return NULL;
  found = ls_tensorize_mapping (SELF (self), var, func);
  if (found == NULL)
    Py_RETURN_NONE;
  return Py_BuildValue ("(NNNNNN)", wrap_array (found->mappings), wrap_array (found->own_buffers), wrap_array (found->asked_buffers),
                        wrap_array (found->asked_indices), wrap_array (found->own_iters), wrap_array (found->asked_iters));
}

static PyMethodDef schedule_methods[] = {
  { "_flags", schedule_flags, METH_O, "(affine_binding, region_cover, stage_pipeline) of a Block, or None." },
  { "_verify", schedule_verify, METH_O, "Raises unless what is kept of the program is true." },
  { "_tensorize_loops", schedule_tensorize_loops, METH_VARARGS, "_tensorize_loops(block, desc, allow_padding)" },
  { "_tensorize_mapping", schedule_tensorize_mapping, METH_VARARGS, "_tensorize_mapping(block, desc)" },
  { "_apply", schedule_apply, METH_VARARGS, "_apply(instruction, args, decision=None)" },
  { "_module", schedule_module, METH_NOARGS, "The program as it is now." },
  { "_copy", schedule_copy, METH_NOARGS, "A branch." },
  { "_set_strict", schedule_set_strict, METH_O, "Are steps refused that change the order of what depends on each other?" },
  { "_is_strict", schedule_is_strict, METH_NOARGS, "The same as a bool." },
  { "_set_seed", schedule_seed, METH_O, "Where random decisions start." },
  { "_work_on", schedule_work_on, METH_O, "The function in which blocks are looked for." },
  { "_working_on", schedule_working_on, METH_NOARGS, "Its name, or None." },
  { "_resolve", schedule_resolve, METH_O, "What a handle stands for." },
  { "_print_trace", schedule_print, METH_NOARGS, "The steps as Python text." },
  { "_n_steps", schedule_n_steps, METH_NOARGS, "How many steps there are." },
  { "_undo_to", schedule_undo_to, METH_O, "Back to the first n steps." },
  { "_trace", schedule_trace, METH_NOARGS, "The steps." },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot schedule_slots[] = {
  { Py_tp_new, schedule_new },
  { Py_tp_dealloc, schedule_dealloc },
  { Py_tp_methods, schedule_methods },
  { Py_tp_doc, "A schedule: a module and the steps that were applied to it." },
  { 0, NULL },
};

static PyType_Spec schedule_spec = {
  "_loopscope.Schedule", sizeof (PySchedule), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, schedule_slots
};

LsSchedule *
ls_py_schedule_of (PyObject *object)
{
  if (PyObject_TypeCheck (object, schedule_type))
    return SELF (object);
  PyErr_Format (PyExc_TypeError, "%.200R is no schedule", object);
  return NULL;
}

/* ---- the table --------------------------------------------------------------------------- */

static PyObject *
describe_param (const LsParam *param)
{
  return Py_BuildValue ("(siIzs)", param->name, (int) param->type, param->flags, param->default_text, param->summary);
}

/* instructions (): (name, parameters, result, flags, summary, condition) of each row */
static PyObject *
py_instructions (PyObject *module,
                 PyObject *unused)
{
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);
  PyObject *list = PyList_New (n);

  for (guint i = 0; list != NULL && i < n; i++)
    {
      PyObject *params = PyList_New (rows[i]->n_params);

      for (guint k = 0; k < rows[i]->n_params; k++)
        PyList_SetItem (params, (Py_ssize_t) k, describe_param (&rows[i]->params[k]));
      PyList_SetItem (list, (Py_ssize_t) i, Py_BuildValue ("(sNiIzz)", rows[i]->name, params, (int) rows[i]->result, rows[i]->flags, rows[i]->summary,
                                                          rows[i]->condition));
    }
  return list;
}

static PyObject *
py_schedule_classes (PyObject *module,
                     PyObject *args)
{
  PyObject *block, *loop;

  if (!PyArg_ParseTuple (args, "O!O!", &PyType_Type, &block, &PyType_Type, &loop))
    return NULL;
  LS_PY_SET (block_class, Py_NewRef (block));
  LS_PY_SET (loop_class, Py_NewRef (loop));
  Py_RETURN_NONE;
}

/* A handle that no step gave yet, for traces that are made by hand. */
static PyObject *
py_new_handle (PyObject *module,
               PyObject *is_block)
{
  gboolean block = PyObject_IsTrue (is_block) == 1;

  return ls_py_wrap_as (ls_var_new (block ? "b" : "l", LS_HANDLE), block ? block_class : loop_class);
}

static PyObject *
py_set_strict (PyObject *module,
               PyObject *value)
{
  gboolean was = ls_schedule_get_strict_default ();

  ls_schedule_set_strict_default (PyObject_IsTrue (value) == 1);
  return PyBool_FromLong (was);
}

static PyObject *
py_is_strict (PyObject *module,
              PyObject *unused)
{
  return PyBool_FromLong (ls_schedule_get_strict_default ());
}

static PyObject *
py_set_order_asked (PyObject *module,
                    PyObject *value)
{
  return PyBool_FromLong (ls_schedule_set_order_asked_default (PyObject_IsTrue (value) == 1));
}

PyMethodDef ls_py_schedule_methods[] = {
  { "set_order_asked", py_set_order_asked, METH_O, "Do schedules that are made from now on warn of a changed order; returns what it was." },
  { "set_strict", py_set_strict, METH_O, "What schedules that are made from now on are; returns what it was." },
  { "is_strict", py_is_strict, METH_NOARGS, "What new schedules are." },
  { "instructions", py_instructions, METH_NOARGS, "The table of primitives." },
  { "new_handle", py_new_handle, METH_O, "A BlockRV or LoopRV." },
  { "schedule_classes", py_schedule_classes, METH_VARARGS, "schedule_classes(BlockRV, LoopRV)" },
  { NULL, NULL, 0, NULL },
};

gboolean
ls_py_schedule_init (PyObject *module)
{
  schedule_type = ls_py_add_type (module, &schedule_spec, NULL);
  return schedule_type != NULL;
}
