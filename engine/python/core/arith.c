/* arith: integer sets and iteration maps. */
#include "engine/python/core/objects.h"

#include "engine/arith/arith.h"
#include "engine/arith/deduce.h"

#include <string.h>

/* ---- domains and sets ------------------------------------------------------------- */

/* A dictionary Var -> Range or (min, max); NULL with an exception. */
static LsDomMap *
dom_map_arg (PyObject *dict)
{
  LsDomMap *map = ls_dom_map_new ();
  PyObject *pairs = dict != Py_None ? PyMapping_Items (dict) : PyList_New (0);
  Py_ssize_t n = pairs != NULL ? PyList_Size (pairs) : 0;

  for (Py_ssize_t i = 0; i < n && !ls_py_failed (); i++)
    {
      PyObject *pair = PyList_GetItem (pairs, i);
      PyObject *value = PyTuple_GetItem (pair, 1);
      g_autoptr (LsNode) var = NULL;
      PyObject *first, *second;
      g_autoptr (LsNode) min = NULL;
      g_autoptr (LsNode) max = NULL;
      g_autoptr (LsIntSet) set = NULL;

      if (!ls_py_to_node (PyTuple_GetItem (pair, 0), LS_PY_VAR, FALSE, "variable", &var))
        break;
      if (ls_py_is_node (value) && ls_is (ls_py_node (value), RANGE))
        {
          ls_dom_map_set_range (map, (LsVar *) var, (LsRange *) ls_py_node (value));
          continue;
        }
      if (!PyTuple_Check (value) || !PyArg_ParseTuple (value, "OO", &first, &second) || !ls_py_to_node (first, LS_PY_EXPR, TRUE, "min", &min)
          || !ls_py_to_node (second, LS_PY_EXPR, TRUE, "max", &max))
        {
          if (!ls_py_failed ())
            PyErr_SetString (PyExc_TypeError, "a domain is a Range or an interval");
          break;
        }
      set = ls_int_set_new_interval (min != NULL ? LS_EXPR (g_steal_pointer (&min)) : ls_ref (ls_neg_inf ()),
                                     max != NULL ? LS_EXPR (g_steal_pointer (&max)) : ls_ref (ls_pos_inf ()));
      ls_dom_map_set_set (map, (LsVar *) var, set);
    }
  Py_XDECREF (pairs);
  if (ls_py_failed ())
    g_clear_pointer (&map, ls_dom_map_free);
  return map;
}

/* (min, max) with None for an end at infinity; () for the empty set */
static PyObject *
from_set (LsIntSet *set)
{
  if (ls_int_set_is_nothing (set))
    return PyTuple_New (0);
  return Py_BuildValue ("(NN)", ls_int_set_has_lower_bound (set) ? ls_py_from_node (ls_int_set_min (set)) : Py_NewRef (Py_None),
                        ls_int_set_has_upper_bound (set) ? ls_py_from_node (ls_int_set_max (set)) : Py_NewRef (Py_None));
}

/* int_set (expr, domain, analyzer or None) */
static PyObject *
py_int_set (PyObject *module,
            PyObject *args)
{
  LsExpr *expr = NULL;
  PyObject *dict, *object = Py_None;
  g_autoptr (LsDomMap) map = NULL;
  g_autoptr (LsIntSet) set = NULL;
  LsAnalyzer *analyzer;

  if (!PyArg_ParseTuple (args, "O&O|O", ls_py_expr_arg, &expr, &dict, &object))
    return NULL;
  analyzer = ls_py_analyzer_of (object);
  if ((map = dom_map_arg (dict)) != NULL)
    set = analyzer != NULL ? ls_analyzer_int_set (analyzer, expr, map) : ls_eval_set (expr, map, NULL);
  ls_unref (expr);
  return set != NULL ? from_set (set) : NULL;
}

/* deduce_bound (var, condition, hints, relaxed) */
static PyObject *
py_deduce_bound (PyObject *module,
                 PyObject *args)
{
  LsExpr *condition = NULL;
  PyObject *object, *hints_dict, *relaxed_dict;
  g_autoptr (LsNode) var = NULL;
  g_autoptr (LsDomMap) hints = NULL, relaxed = NULL;
  g_autoptr (LsIntSet) set = NULL;

  if (!PyArg_ParseTuple (args, "OO&OO", &object, ls_py_expr_arg, &condition, &hints_dict, &relaxed_dict))
    return NULL;
  if (ls_py_to_node (object, LS_PY_VAR, FALSE, "var", &var) && (hints = dom_map_arg (hints_dict)) != NULL && (relaxed = dom_map_arg (relaxed_dict)) != NULL)
    set = ls_deduce_bound ((LsVar *) var, condition, hints, relaxed);
  ls_unref (condition);
  return set != NULL ? from_set (set) : NULL;
}

typedef LsNDIntSet *(*RegionBound) (LsArray *, const LsDomMap *, LsExpr *, LsAnalyzer *);

/* region_bound (region, domain, predicate, how): how 0 strict, 1 lower, 2 upper; None where it is not known */
static PyObject *
py_region_bound (PyObject *module,
                 PyObject *args)
{
  static const RegionBound BOUNDS[] = { ls_region_strict_bound, ls_region_lower_bound, ls_region_upper_bound };
  PyObject *list, *dict, *condition, *result;
  int how;
  g_autoptr (LsDomMap) map = NULL;
  g_autoptr (LsNode) region = NULL;
  g_autoptr (LsNode) predicate = NULL;
  g_autoptr (GPtrArray) sets = NULL;

  if (!PyArg_ParseTuple (args, "OOOi", &list, &dict, &condition, &how) || how < 0 || how > 2)
    return ls_py_failed () ? NULL : PyErr_Format (PyExc_ValueError, "how is 0, 1 or 2");
  if (!ls_py_to_node (list, LS_PY_RANGES, FALSE, "region", &region) || !ls_py_to_node (condition, LS_PY_EXPR, TRUE, "predicate", &predicate)
      || (map = dom_map_arg (dict)) == NULL)
    return NULL;
  sets = BOUNDS[how]((LsArray *) region, map, LS_EXPR (predicate), NULL);
  if (sets == NULL)
    Py_RETURN_NONE;
  result = PyList_New (sets->len);
  for (guint i = 0; i < sets->len; i++)
    PyList_SetItem (result, (Py_ssize_t) i, from_set (sets->pdata[i]));
  return result;
}

/* ---- iteration maps ----------------------------------------------------------------- */

static gboolean
iter_args (PyObject     *args,
           LsArray     **indices,
           LsDomMap    **map,
           LsExpr      **predicate,
           int          *level,
           int          *simplify)
{
  PyObject *list, *dict, *condition;
  LsNode *node;

  *indices = NULL;
  *map = NULL;
  *predicate = NULL;
  if (!PyArg_ParseTuple (args, "OOOip", &list, &dict, &condition, level, simplify) || !ls_py_to_node (list, LS_PY_EXPRS, FALSE, "indices", &node))
    return FALSE;
  *indices = (LsArray *) node;
  if (!ls_py_to_node (condition, LS_PY_EXPR, TRUE, "predicate", &node))
    return FALSE;
  *predicate = LS_EXPR (node);
  *map = dom_map_arg (dict);
  return *map != NULL;
}

/* detect_iter_map (indices, domain, predicate, level, simplify_trivial): (sums, errors, padding predicate) */
static PyObject *
py_detect_iter_map (PyObject *module,
                    PyObject *args)
{
  g_autoptr (LsArray) indices = NULL;
  g_autoptr (LsDomMap) map = NULL;
  g_autoptr (LsExpr) predicate = NULL;
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsIterMapResult) result = NULL;
  PyObject *errors;
  int level, simplify;

  if (!iter_args (args, &indices, &map, &predicate, &level, &simplify))
    return NULL;
  result = ls_detect_iter_map (indices, map, predicate, (LsIterMapLevel) level, analyzer, simplify);
  errors = PyList_New (result->errors->len);
  for (guint i = 0; i < result->errors->len; i++)
    PyList_SetItem (errors, (Py_ssize_t) i, PyUnicode_FromString (result->errors->pdata[i]));
  return Py_BuildValue ("(NNN)", ls_py_from_node (result->indices), errors, ls_py_from_node (result->padding_predicate));
}

static PyObject *
py_iter_map_simplify (PyObject *module,
                      PyObject *args)
{
  g_autoptr (LsArray) indices = NULL;
  g_autoptr (LsDomMap) map = NULL;
  g_autoptr (LsExpr) predicate = NULL;
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  int level, simplify;

  if (!iter_args (args, &indices, &map, &predicate, &level, &simplify))
    return NULL;
  return ls_py_wrap (ls_iter_map_simplify (indices, map, predicate, (LsIterMapLevel) level, analyzer, simplify));
}

/* normalize_to_iter_sum (index, domain) */
static PyObject *
py_normalize_to_iter_sum (PyObject *module,
                          PyObject *args)
{
  LsExpr *index = NULL;
  PyObject *dict, *result;
  g_autoptr (LsDomMap) map = NULL;
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();

  if (!PyArg_ParseTuple (args, "O&O", ls_py_expr_arg, &index, &dict))
    return NULL;
  map = dom_map_arg (dict);
  result = map != NULL ? ls_py_wrap (ls_normalize_to_iter_sum (index, map, analyzer)) : NULL;
  ls_unref (index);
  return result;
}

static PyObject *
py_iter_map_to_expr (PyObject *module,
                     PyObject *object)
{
  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no iteration map", object);
  return ls_py_wrap (ls_iter_map_to_expr (ls_py_node (object)));
}

/* iter_split (mark, lower_factor, extent, scale) */
static PyObject *
py_iter_split (PyObject *module,
               PyObject *args)
{
  PyObject *mark;
  LsExpr *lower = NULL, *extent = NULL, *scale = NULL;

  if (!PyArg_ParseTuple (args, "OO&O&O&", &mark, ls_py_expr_arg, &lower, ls_py_expr_arg, &extent, ls_py_expr_arg, &scale)
      || ls_py_require (mark, LS_KIND_ITER_MARK, "source") == NULL)
    {
      ls_unref (lower);
      ls_unref (extent);
      ls_unref (scale);
      return NULL;
    }
  return ls_py_wrap (ls_iter_split_new ((LsIterMark *) ls_node_ref (ls_py_node (mark)), lower, extent, scale));
}

/* iter_sum (splits, base) */
static PyObject *
py_iter_sum (PyObject *module,
             PyObject *args)
{
  PyObject *list;
  LsExpr *base = NULL;
  g_autoptr (LsNode) splits = NULL;

  if (!PyArg_ParseTuple (args, "OO&", &list, ls_py_expr_arg, &base))
    return NULL;
  if (ls_py_to_node (list, LS_PY_ARRAY, FALSE, "args", &splits))
    for (guint i = 0; i < ((LsArray *) splits)->n; i++)
      if (!ls_is (((LsArray *) splits)->items[i], ITER_SPLIT))
        {
          PyErr_SetString (PyExc_TypeError, "the parts of an IterSumExpr are IterSplitExpr");
          break;
        }
  if (ls_py_failed ())
    {
      ls_unref (base);
      return NULL;
    }
  return ls_py_wrap (ls_iter_sum_new ((LsArray *) g_steal_pointer (&splits), base));
}

/* set_vscale (most) */
static PyObject *
py_set_vscale (PyObject *module,
               PyObject *value)
{
  unsigned long most = PyLong_AsUnsignedLong (value);

  if (ls_py_failed ())
    return NULL;
  ls_arith_set_vscale ((guint) MIN (most, 64));
  Py_RETURN_NONE;
}

/* get_vscale () */
static PyObject *
py_get_vscale (PyObject *module,
               PyObject *unused)
{
  return PyLong_FromUnsignedLong (ls_arith_get_vscale ());
}

/* has_vscale (expr) */
static PyObject *
py_has_vscale (PyObject *module,
               PyObject *args)
{
  LsExpr *expr = NULL;
  gboolean has;

  if (!PyArg_ParseTuple (args, "O&", ls_py_expr_arg, &expr))
    return NULL;
  has = ls_expr_has_vscale (expr);
  ls_unref (expr);
  return PyBool_FromLong (has);
}

/* subspace_divide (bindings, domain, sub iters, predicate, level, simplify): pairs of marks; [] when it does not divide */
static PyObject *
py_subspace_divide (PyObject *module,
                    PyObject *args)
{
  PyObject *list, *dict, *subs, *condition, *result;
  g_autoptr (LsNode) bindings = NULL;
  g_autoptr (LsNode) sub_iters = NULL;
  g_autoptr (LsNode) predicate = NULL;
  g_autoptr (LsDomMap) map = NULL;
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsSubspace) space = NULL;
  int level, simplify;

  if (!PyArg_ParseTuple (args, "OOOOip", &list, &dict, &subs, &condition, &level, &simplify)
      || !ls_py_to_node (list, LS_PY_EXPRS, FALSE, "bindings", &bindings) || !ls_py_to_node (subs, LS_PY_VARS, FALSE, "sub_iters", &sub_iters)
      || !ls_py_to_node (condition, LS_PY_EXPR, TRUE, "predicate", &predicate) || (map = dom_map_arg (dict)) == NULL)
    return NULL;
  space = ls_subspace_divide ((LsArray *) bindings, map, (LsArray *) sub_iters, LS_EXPR (predicate), (LsIterMapLevel) level, analyzer, simplify);
  result = PyList_New (0);
  for (guint i = 0; space != NULL && i <= space->n; i++)
    {
      PyObject *pair = Py_BuildValue ("(NN)", ls_py_from_node (space->outer[i]), ls_py_from_node (space->inner[i]));

      PyList_Append (result, pair);
      Py_XDECREF (pair);
    }
  return result;
}

typedef struct {
  GHashTable *table;            /* Var -> expression; what is in the list has left it */
  PyObject   *list;
} Pairs;

/* The variables in the order in which the map names them. */
static LsWalk
put_pair (LsNode   *node,
          gpointer  user_data)
{
  Pairs *self = user_data;
  LsNode *value = ls_is_var (node) ? g_hash_table_lookup (self->table, node) : NULL;
  PyObject *pair;

  if (value == NULL)
    return LS_WALK_CONTINUE;
  pair = Py_BuildValue ("(NN)", ls_py_from_node (node), ls_py_from_node (value));
  if (pair == NULL || PyList_Append (self->list, pair) != 0)
    PyErr_Clear ();
  Py_XDECREF (pair);
  g_hash_table_remove (self->table, node);
  return LS_WALK_CONTINUE;
}

/* inverse_affine_iter_map (sums, outputs): [(var, expr)] or None */
static PyObject *
py_inverse_affine_iter_map (PyObject *module,
                            PyObject *args)
{
  PyObject *first, *second, *result;
  g_autoptr (LsNode) sums = NULL;
  g_autoptr (LsNode) outputs = NULL;
  GHashTable *table;
  Pairs pairs;

  if (!PyArg_ParseTuple (args, "OO", &first, &second) || !ls_py_to_node (first, LS_PY_ARRAY, FALSE, "iter_map", &sums)
      || !ls_py_to_node (second, LS_PY_EXPRS, FALSE, "outputs", &outputs))
    return NULL;
  if (((LsArray *) sums)->n != ((LsArray *) outputs)->n)
    return PyErr_Format (PyExc_ValueError, "one output for each sum");
  for (guint i = 0; i < ((LsArray *) sums)->n; i++)
    if (!ls_is (((LsArray *) sums)->items[i], ITER_SUM))
      return PyErr_Format (PyExc_TypeError, "an iteration map is a list of IterSumExpr");
  table = ls_inverse_affine_iter_map ((LsArray *) sums, (LsArray *) outputs);
  if (table == NULL)
    Py_RETURN_NONE;
  result = PyList_New (0);
  pairs = (Pairs) { table, result };
  ls_walk (sums, put_pair, NULL, &pairs);
  g_hash_table_unref (table);
  return result;
}

PyMethodDef ls_py_arith_methods[] = {
  { "deduce_bound", py_deduce_bound, METH_VARARGS, "deduce_bound(var, condition, hints, relaxed)" },
  { "int_set", py_int_set, METH_VARARGS, "int_set(expr, domain, analyzer=None)" },
  { "region_bound", py_region_bound, METH_VARARGS, "region_bound(region, domain, predicate, how)" },
  { "detect_iter_map", py_detect_iter_map, METH_VARARGS, "detect_iter_map(indices, domain, predicate, level, simplify)" },
  { "iter_map_simplify", py_iter_map_simplify, METH_VARARGS, "iter_map_simplify(indices, domain, predicate, level, simplify)" },
  { "normalize_to_iter_sum", py_normalize_to_iter_sum, METH_VARARGS, "normalize_to_iter_sum(index, domain)" },
  { "iter_map_to_expr", py_iter_map_to_expr, METH_O, "The plain expression." },
  { "iter_split", py_iter_split, METH_VARARGS, "iter_split(mark, lower_factor, extent, scale)" },
  { "iter_sum", py_iter_sum, METH_VARARGS, "iter_sum(splits, base)" },
  { "get_vscale", py_get_vscale, METH_NOARGS, "The greatest number that vscale() can be in this thread; 0: not known." },
  { "has_vscale", py_has_vscale, METH_VARARGS, "Is vscale() in an expression?" },
  { "set_vscale", py_set_vscale, METH_O, "What vscale() can be in this thread: 1 to this number; 0: not known." },
  { "subspace_divide", py_subspace_divide, METH_VARARGS, "subspace_divide(bindings, domain, sub_iters, predicate, level, simplify)" },
  { "inverse_affine_iter_map", py_inverse_affine_iter_map, METH_VARARGS, "inverse_affine_iter_map(iter_map, outputs)" },
  { NULL, NULL, 0, NULL },
};
