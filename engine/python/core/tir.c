/* tir: passes, access regions and index maps. */
#include "engine/python/core/objects.h"

#include "engine/tir/pass/pass.h"
#include "engine/tir/regions.h"
#include "engine/tir/renew.h"
#include "engine/tir/settle.h"

/* run_pass (name, module, options=None) */
static PyObject *
py_run_pass (PyObject *self,
             PyObject *args)
{
  const char *name;
  PyObject *object;
  PyObject *options_object = Py_None;
  g_autoptr (LsNode) options = NULL;
  const LsPass *pass;
  LsModule *module, *result;
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "sO|O", &name, &object, &options_object) || (module = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "the module")) == NULL)
    return NULL;
  pass = ls_pass_get (name);
  if (pass == NULL)
    return PyErr_Format (PyExc_ValueError, "there is no pass %s", name);
  if (options_object != Py_None && !ls_py_to_node (options_object, LS_PY_MAP, TRUE, "options", &options))
    return NULL;
  result = ls_pass_run_module_with (pass, module, (LsMap *) options, &error);
  if (result == NULL && g_error_matches (error, LS_PASS_ERROR, LS_PASS_ERROR_VALUE))
    {
      PyErr_SetString (PyExc_ValueError, error->message);
      g_error_free (error);
      return NULL;
    }
  return result != NULL ? ls_py_wrap (result) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* renew (function): the same with variables and buffers of its own */
static PyObject *
py_renew (PyObject *self,
          PyObject *object)
{
  LsPrimFunc *func = (LsPrimFunc *) ls_py_require (object, LS_KIND_PRIM_FUNC, "the function");

  return func != NULL ? ls_py_wrap (ls_prim_func_renew_definitions (func)) : NULL;
}

/* complete (function, buffers of the root block): blocks that were marked get the regions that are found in them */
static PyObject *
py_complete (PyObject *self,
             PyObject *args)
{
  PyObject *object, *buffers_object;
  g_autoptr (LsNode) buffers = NULL;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsPrimFunc) completed = NULL;
  LsPrimFunc *func;

  if (!PyArg_ParseTuple (args, "OO", &object, &buffers_object) || (func = (LsPrimFunc *) ls_py_require (object, LS_KIND_PRIM_FUNC, "the function")) == NULL
      || !ls_py_to_node (buffers_object, LS_PY_BUFFERS, FALSE, "buffers", &buffers))
    return NULL;
  completed = ls_complete_prim_func (func, (LsArray *) buffers, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    return ls_py_raise_diagnostics (LS_PY_TVM_ERROR, diagnostics);
  return ls_py_wrap (g_steal_pointer (&completed));
}

/* simplify_module (module, extensions): Simplify with optional parts of rewriting */
static PyObject *
py_simplify_module (PyObject *self,
                    PyObject *args)
{
  PyObject *object;
  unsigned extensions;
  LsModule *module;

  if (!PyArg_ParseTuple (args, "OI", &object, &extensions)
      || (module = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "the module")) == NULL)
    return NULL;
  return ls_py_wrap (ls_pass_simplify_module (module, extensions));
}

static PyObject *
py_passes (PyObject *self,
           PyObject *unused)
{
  guint n;
  const LsPass *const *passes = ls_pass_all (&n);
  PyObject *list = PyList_New (n);

  for (guint i = 0; list != NULL && i < n; i++)
    PyList_SetItem (list, (Py_ssize_t) i, Py_BuildValue ("(ss)", passes[i]->name, passes[i]->summary));
  return list;
}

static PyObject *
py_lower (PyObject *self,
          PyObject *object)
{
  LsModule *module = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "the module");
  GError *error = NULL;
  LsModule *result;

  if (module == NULL)
    return NULL;
  result = ls_lower_module (module, NULL, NULL, &error);
  return result != NULL ? ls_py_wrap (result) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

static PyObject *
py_settle_sums (PyObject *self,
                PyObject *object)
{
  LsModule *module = (LsModule *) ls_py_require (object, LS_KIND_MODULE, "the module");

  return module != NULL ? ls_py_wrap (ls_settle_sums_module (module)) : NULL;
}

/* access_region (block, buffers=None): (reads, writes, opaques); the buffers that are looked for, without them all from outside */
static PyObject *
py_access_region (PyObject *self,
                  PyObject *args)
{
  PyObject *object, *buffers_object = Py_None;
  g_autoptr (LsNode) buffers = NULL;
  LsArray *reads, *writes, *opaques;
  LsBlock *block;

  if (!PyArg_ParseTuple (args, "O|O", &object, &buffers_object) || (block = (LsBlock *) ls_py_require (object, LS_KIND_BLOCK, "the block")) == NULL
      || (buffers_object != Py_None && !ls_py_to_node (buffers_object, LS_PY_BUFFERS, FALSE, "buffers", &buffers)))
    return NULL;
  if (buffers != NULL)
    ls_block_access_region_visible (block, (LsArray *) buffers, &reads, &writes, &opaques);
  else
    ls_block_access_region (block, &reads, &writes, &opaques);
  return Py_BuildValue ("(NNN)", ls_py_wrap (reads), ls_py_wrap (writes), ls_py_wrap (opaques));
}

/* read_write_region (block, buffers): (reads, writes), opaque accesses in both */
static PyObject *
py_read_write_region (PyObject *self,
                      PyObject *args)
{
  PyObject *object, *buffers_object;
  g_autoptr (LsNode) buffers = NULL;
  LsArray *reads, *writes;
  LsBlock *block;

  if (!PyArg_ParseTuple (args, "OO", &object, &buffers_object) || (block = (LsBlock *) ls_py_require (object, LS_KIND_BLOCK, "the block")) == NULL
      || !ls_py_to_node (buffers_object, LS_PY_BUFFERS, FALSE, "buffers", &buffers))
    return NULL;
  ls_block_read_write_region (block, (LsArray *) buffers, &reads, &writes);
  return Py_BuildValue ("(NN)", ls_py_wrap (reads), ls_py_wrap (writes));
}

/* ---- index maps ----------------------------------------------------------------------- */

static LsIndexMap *
map_arg (PyObject *object)
{
  return (LsIndexMap *) ls_py_require (object, LS_KIND_INDEX_MAP, "the index map");
}

typedef LsArray *(*MapFunc) (LsIndexMap *, LsArray *, LsAnalyzer *);

static PyObject *
mapped (PyObject *args,
        LsPyWant  want,
        MapFunc   func)
{
  PyObject *object, *list, *result;
  LsIndexMap *map;
  LsNode *array;

  if (!PyArg_ParseTuple (args, "OO", &object, &list) || (map = map_arg (object)) == NULL || !ls_py_to_node (list, want, FALSE, "indices", &array))
    return NULL;
  if (((LsArray *) array)->n != map->initial_indices->n)
    result = PyErr_Format (PyExc_ValueError, "the index map takes %u indices, not %u", map->initial_indices->n, ((LsArray *) array)->n);
  else
    result = ls_py_wrap (func (map, (LsArray *) array, NULL));
  ls_node_unref (array);
  return result;
}

static PyObject *
py_map_indices (PyObject *self,
                PyObject *args)
{
  return mapped (args, LS_PY_EXPRS, ls_index_map_map_indices);
}

static PyObject *
py_map_ranges (PyObject *self,
               PyObject *args)
{
  return mapped (args, LS_PY_RANGES, ls_index_map_map_ranges);
}

static PyObject *
py_map_shape (PyObject *self,
              PyObject *args)
{
  return mapped (args, LS_PY_EXPRS, ls_index_map_map_shape);
}

static PyObject *
py_map_inverse (PyObject *self,
                PyObject *args)
{
  PyObject *object, *list;
  LsIndexMap *map, *result;
  LsNode *ranges;
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "OO", &object, &list) || (map = map_arg (object)) == NULL || !ls_py_to_node (list, LS_PY_RANGES, FALSE, "ranges", &ranges))
    return NULL;
  result = ls_index_map_inverse (map, (LsArray *) ranges, NULL, &error);
  ls_node_unref (ranges);
  return result != NULL ? ls_py_wrap (result) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

static PyObject *
py_map_non_surjective_inverse (PyObject *self,
                               PyObject *args)
{
  PyObject *object, *list;
  LsIndexMap *map, *result;
  LsNode *ranges;
  LsExpr *predicate = NULL;
  GError *error = NULL;

  if (!PyArg_ParseTuple (args, "OO", &object, &list) || (map = map_arg (object)) == NULL || !ls_py_to_node (list, LS_PY_RANGES, FALSE, "ranges", &ranges))
    return NULL;
  result = ls_index_map_non_surjective_inverse (map, (LsArray *) ranges, NULL, &predicate, &error);
  ls_node_unref (ranges);
  if (result == NULL)
    return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
  return Py_BuildValue ("(NN)", ls_py_wrap (result), ls_py_wrap (predicate));
}

static PyObject *
py_map_equivalent (PyObject *self,
                   PyObject *args)
{
  PyObject *first, *second;
  LsIndexMap *a, *b;

  if (!PyArg_ParseTuple (args, "OO", &first, &second) || (a = map_arg (first)) == NULL || (b = map_arg (second)) == NULL)
    return NULL;
  return PyBool_FromLong (ls_index_map_equivalent (a, b, NULL));
}

static PyObject *
py_map_to_python (PyObject *self,
                  PyObject *object)
{
  LsIndexMap *map = map_arg (object);

  return map != NULL ? ls_py_text (ls_index_map_to_python (map)) : NULL;
}

PyMethodDef ls_py_tir_methods[] = {
  { "run_pass", py_run_pass, METH_VARARGS, "run_pass(name, module)" },
  { "simplify_module", py_simplify_module, METH_VARARGS, "simplify_module(module, extensions)" },
  { "complete", py_complete, METH_VARARGS, "complete(function, buffers)" },
  { "renew", py_renew, METH_O, "A function with variables and buffers of its own." },
  { "passes", py_passes, METH_NOARGS, "The lowering passes." },
  { "lower", py_lower, METH_O, "All lowering passes." },
  { "settle_sums", py_settle_sums, METH_O, "The module with what its reductions mean: of nothing, of infinities, of NaN." },
  { "access_region", py_access_region, METH_VARARGS, "(reads, writes, opaques) of a block." },
  { "read_write_region", py_read_write_region, METH_VARARGS, "(reads, writes) of a block." },
  { "map_indices", py_map_indices, METH_VARARGS, "map_indices(map, indices)" },
  { "map_ranges", py_map_ranges, METH_VARARGS, "map_ranges(map, ranges)" },
  { "map_shape", py_map_shape, METH_VARARGS, "map_shape(map, shape)" },
  { "map_inverse", py_map_inverse, METH_VARARGS, "map_inverse(map, ranges)" },
  { "map_non_surjective_inverse", py_map_non_surjective_inverse, METH_VARARGS, "map_non_surjective_inverse(map, ranges)" },
  { "map_equivalent", py_map_equivalent, METH_VARARGS, "map_equivalent(a, b)" },
  { "map_to_python", py_map_to_python, METH_O, "The map as a lambda." },
  { NULL, NULL, 0, NULL },
};
