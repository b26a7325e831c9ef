/* arith: the analyser, integer sets and iteration maps. */
#include "engine/python/core/objects.h"

#include "engine/arith/arith.h"
#include "engine/arith/deduce.h"

#include <string.h>

typedef struct {
  PyObject_HEAD
  LsAnalyzer *analyzer;
} PyAnalyzer;

static PyTypeObject *analyzer_type;

#define SELF(o) (((PyAnalyzer *) (o))->analyzer)

static PyObject *
analyzer_new (PyTypeObject *type,
              PyObject     *args,
              PyObject     *keywords)
{
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);
  PyObject *self = alloc (type, 0);

  if (self != NULL)
    SELF (self) = ls_analyzer_new ();
  return self;
}

static void
analyzer_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  g_clear_pointer (&SELF (self), ls_analyzer_free);
  release (self);
  Py_DECREF (type);
}

/* Stops at a division by the number zero, in a vector too. */
static LsWalk
stop_at_zero_divisor (LsNode   *node,
                      gpointer  user_data)
{
  LsKind kind = ls_kind (node);
  LsExpr *divisor;
  gint64 number;

  if (kind != LS_KIND_DIV && kind != LS_KIND_MOD && kind != LS_KIND_FLOOR_DIV && kind != LS_KIND_FLOOR_MOD)
    return LS_WALK_CONTINUE;
  divisor = ((LsBinary *) node)->b;
  if (ls_is (divisor, BROADCAST))
    divisor = ((LsBroadcast *) divisor)->value;
  return ls_as_int (divisor, &number) && number == 0 ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

/* A simplified expression for Python; an exception where it still divides by zero. */
static PyObject *
checked (LsExpr *result)
{
  if (ls_walk (result, stop_at_zero_divisor, NULL, NULL))
    return ls_py_wrap (result);
  ls_unref (result);
  return ls_py_raise (LS_PY_TVM_ERROR, "Divide by zero");
}

typedef LsExpr *(*Simplify) (LsAnalyzer *, LsExpr *);

static PyObject *
simplified (PyObject *self,
            PyObject *value,
            Simplify  simplify)
{
  LsNode *expr;
  LsExpr *result;

  if (!ls_py_to_node (value, LS_PY_EXPR, FALSE, "expr", &expr))
    return NULL;
  result = simplify (SELF (self), LS_EXPR (expr));
  ls_node_unref (expr);
  return checked (result);
}

static PyObject *
analyzer_rewrite (PyObject *self,
                  PyObject *value)
{
  return simplified (self, value, ls_analyzer_rewrite_simplify);
}

/* A reduction stands outermost or not at all. */
static LsExpr *
reduced (LsAnalyzer *analyzer,
         LsExpr     *simple)
{
  LsExpr *result = ls_is (simple, REDUCE) ? ls_reduce_simplify ((LsReduce *) simple, analyzer) : ls_ref (simple);

  ls_unref (simple);
  return result;
}

static LsExpr *
canonical_simplify (LsAnalyzer *analyzer,
                    LsExpr     *expr)
{
  return reduced (analyzer, ls_analyzer_canonical_simplify (analyzer, expr));
}

static PyObject *
analyzer_canonical (PyObject *self,
                    PyObject *value)
{
  return simplified (self, value, canonical_simplify);
}

/* simplify (expr, steps) */
static PyObject *
analyzer_simplify (PyObject *self,
                   PyObject *args)
{
  LsExpr *expr = NULL, *result;
  unsigned steps = 2;

  if (!PyArg_ParseTuple (args, "O&|I", ls_py_expr_arg, &expr, &steps))
    return NULL;
  result = reduced (SELF (self), ls_analyzer_simplify_steps (SELF (self), expr, steps));
  ls_unref (expr);
  return checked (result);
}

static PyObject *
analyzer_bound (PyObject *self,
                PyObject *value)
{
  LsNode *expr;
  LsConstIntBound bound;

  if (!ls_py_to_node (value, LS_PY_EXPR, FALSE, "expr", &expr))
    return NULL;
  bound = ls_analyzer_const_int_bound (SELF (self), LS_EXPR (expr));
  ls_node_unref (expr);
  return Py_BuildValue ("(LL)", (long long) bound.min, (long long) bound.max);
}

static PyObject *
analyzer_modular (PyObject *self,
                  PyObject *value)
{
  LsNode *expr;
  LsModularSet set;

  if (!ls_py_to_node (value, LS_PY_EXPR, FALSE, "expr", &expr))
    return NULL;
  set = ls_analyzer_modular_set (SELF (self), LS_EXPR (expr));
  ls_node_unref (expr);
  return Py_BuildValue ("(LL)", (long long) set.coeff, (long long) set.base);
}

static PyObject *
analyzer_is_bound (PyObject *self,
                   PyObject *value)
{
  LsNode *var;
  gboolean known;

  if (!ls_py_to_node (value, LS_PY_VAR, FALSE, "var", &var))
    return NULL;
  known = ls_analyzer_is_bound (SELF (self), (LsVar *) var);
  ls_node_unref (var);
  return PyBool_FromLong (known);
}

static void
write_end (GString *text,
           gint64   end)
{
  if (end == LS_NEG_INF || end == LS_POS_INF)
    g_string_append (text, end < 0 ? "neg_inf" : "pos_inf");
  else
    g_string_append_printf (text, "%" G_GINT64_FORMAT, end);
}

/* Raises, and gives FALSE, where a variable already has another bound than `now`. */
static gboolean
keeps_bound (LsAnalyzer     *analyzer,
             LsVar          *var,
             LsConstIntBound now,
             gboolean        override)
{
  LsConstIntBound before;
  g_autoptr (GString) text = NULL;

  if (override || !ls_analyzer_get_bound (analyzer, var, &before) || (before.min == now.min && before.max == now.max))
    return TRUE;
  text = g_string_new (NULL);
  g_string_append_printf (text, "Trying to update var '%s' with a different const bound: original=ConstIntBound[", var->name);
  write_end (text, before.min);
  g_string_append (text, ", ");
  write_end (text, before.max);
  g_string_append (text, "], new=ConstIntBound[");
  write_end (text, now.min);
  g_string_append (text, ", ");
  write_end (text, now.max);
  g_string_append_c (text, ']');
  ls_py_raise (LS_PY_TVM_ERROR, "%s", text->str);
  return FALSE;
}

/* bind (var, expr or range, override) */
static PyObject *
analyzer_bind (PyObject *self,
               PyObject *args)
{
  PyObject *first, *second;
  int override = FALSE;
  LsNode *var, *value;

  if (!PyArg_ParseTuple (args, "OO|p", &first, &second, &override) || !ls_py_to_node (first, LS_PY_VAR, FALSE, "var", &var))
    return NULL;
  if (ls_py_is_node (second) && ls_is (ls_py_node (second), RANGE))
    {
      LsRange *range = (LsRange *) ls_py_node (second);

      if (keeps_bound (SELF (self), (LsVar *) var, ls_analyzer_range_bound (SELF (self), range), override) &&
          !ls_analyzer_bind_range (SELF (self), (LsVar *) var, range, override))
        ls_py_raise (LS_PY_TVM_ERROR, "Trying to update var '%s' with a different range", ((LsVar *) var)->name);
    }
  else if (ls_py_to_node (second, LS_PY_EXPR, FALSE, "expr", &value))
    {
      if (keeps_bound (SELF (self), (LsVar *) var, ls_analyzer_const_int_bound (SELF (self), LS_EXPR (value)), override) &&
          !ls_analyzer_bind (SELF (self), (LsVar *) var, LS_EXPR (value), override))
        ls_py_raise (LS_PY_TVM_ERROR, "Trying to update var '%s' with a different value", ((LsVar *) var)->name);
      ls_node_unref (value);
    }
  ls_node_unref (var);
  if (ls_py_failed ())
    return NULL;
  Py_RETURN_NONE;
}

/* update_bound (var, min, max, override) */
static PyObject *
analyzer_update_bound (PyObject *self,
                       PyObject *args)
{
  PyObject *object;
  long long min, max;
  int override = FALSE;
  LsNode *var;

  if (!PyArg_ParseTuple (args, "OLL|p", &object, &min, &max, &override) || !ls_py_to_node (object, LS_PY_VAR, FALSE, "var", &var))
    return NULL;
  if (keeps_bound (SELF (self), (LsVar *) var, (LsConstIntBound) { min, max }, override))
    ls_analyzer_update_bound (SELF (self), (LsVar *) var, (LsConstIntBound) { min, max }, override);
  ls_node_unref (var);
  if (ls_py_failed ())
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *
analyzer_update_modular (PyObject *self,
                         PyObject *args)
{
  PyObject *object;
  long long coeff, base;
  int override = FALSE;
  LsNode *var;

  if (!PyArg_ParseTuple (args, "OLL|p", &object, &coeff, &base, &override) || !ls_py_to_node (object, LS_PY_VAR, FALSE, "var", &var))
    return NULL;
  ls_analyzer_update_modular (SELF (self), (LsVar *) var, (LsModularSet) { coeff, base }, override);
  ls_node_unref (var);
  Py_RETURN_NONE;
}

static PyObject *
analyzer_can_prove (PyObject *self,
                    PyObject *args)
{
  LsExpr *condition = NULL;
  int strength = 0;
  gboolean holds;

  if (!PyArg_ParseTuple (args, "O&|i", ls_py_expr_arg, &condition, &strength))
    return NULL;
  if (!ls_dtype_is_bool (ls_dtype (condition)))
    {
      ls_unref (condition);
      PyErr_SetString (PyExc_TypeError, "can_prove takes a condition");
      return NULL;
    }
  holds = ls_analyzer_can_prove_strength (SELF (self), condition, strength != 0 ? LS_PROOF_SYMBOLIC_BOUND : LS_PROOF_DEFAULT);
  ls_unref (condition);
  return PyBool_FromLong (holds);
}

static PyObject *
analyzer_can_prove_equal (PyObject *self,
                          PyObject *args)
{
  LsExpr *a = NULL, *b = NULL;
  gboolean holds;

  if (!PyArg_ParseTuple (args, "O&O&", ls_py_expr_arg, &a, ls_py_expr_arg, &b))
    return NULL;
  holds = ls_analyzer_can_prove_equal (SELF (self), a, b);
  ls_unref (a);
  ls_unref (b);
  return PyBool_FromLong (holds);
}

/* _compare (a, b, propagate): LsCompare */
static PyObject *
analyzer_compare (PyObject *self,
                  PyObject *args)
{
  LsExpr *a = NULL, *b = NULL;
  int propagate = TRUE;
  LsCompare result;

  if (!PyArg_ParseTuple (args, "O&O&|p", ls_py_expr_arg, &a, ls_py_expr_arg, &b, &propagate))
    return NULL;
  result = ls_analyzer_try_compare (SELF (self), a, b, propagate);
  ls_unref (a);
  ls_unref (b);
  return PyLong_FromLong (result);
}

static PyObject *
analyzer_enter (PyObject *self,
                PyObject *value)
{
  LsNode *condition;
  guint token;

  if (!ls_py_to_node (value, LS_PY_EXPR, FALSE, "constraint", &condition))
    return NULL;
  token = ls_analyzer_enter_constraint (SELF (self), LS_EXPR (condition));
  ls_node_unref (condition);
  return PyLong_FromUnsignedLong (token);
}

static PyObject *
analyzer_exit (PyObject *self,
               PyObject *value)
{
  unsigned long token = PyLong_AsUnsignedLong (value);

  if (ls_py_failed ())
    return NULL;
  ls_analyzer_exit_constraint (SELF (self), (guint) token);
  Py_RETURN_NONE;
}

/* extensions (flags or None): the flags before */
static PyObject *
analyzer_extensions (PyObject *self,
                     PyObject *value)
{
  guint before = ls_analyzer_get_extensions (SELF (self));

  if (value != Py_None)
    {
      unsigned long flags = PyLong_AsUnsignedLong (value);

      if (ls_py_failed ())
        return NULL;
      ls_analyzer_set_extensions (SELF (self), (guint) flags);
    }
  return PyLong_FromUnsignedLong (before);
}

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

  if (!PyArg_ParseTuple (args, "O&O|O", ls_py_expr_arg, &expr, &dict, &object))
    return NULL;
  if ((map = dom_map_arg (dict)) != NULL)
    set = object != Py_None && PyObject_TypeCheck (object, analyzer_type) ? ls_analyzer_int_set (SELF (object), expr, map) : ls_eval_set (expr, map, NULL);
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

/* inverse_affine_iter_map (sums, outputs): [(var, expr)] or None */
static PyObject *
py_inverse_affine_iter_map (PyObject *module,
                            PyObject *args)
{
  PyObject *first, *second, *result;
  g_autoptr (LsNode) sums = NULL;
  g_autoptr (LsNode) outputs = NULL;
  GHashTable *table;
  GHashTableIter iter;
  gpointer key, value;

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
  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      PyObject *pair = Py_BuildValue ("(NN)", ls_py_from_node (key), ls_py_from_node (value));

      PyList_Append (result, pair);
      Py_XDECREF (pair);
    }
  g_hash_table_unref (table);
  return result;
}

static PyMethodDef analyzer_methods[] = {
  { "_simplify", analyzer_simplify, METH_VARARGS, "_simplify(expr, steps=2)" },
  { "_rewrite", analyzer_rewrite, METH_O, "Rules that match patterns." },
  { "_canonical", analyzer_canonical, METH_O, "Sums in one order." },
  { "_bound", analyzer_bound, METH_O, "(min, max)" },
  { "_is_bound", analyzer_is_bound, METH_O, "Was a bound given?" },
  { "_modular", analyzer_modular, METH_O, "(coeff, base)" },
  { "_bind", analyzer_bind, METH_VARARGS, "_bind(var, value, override=False)" },
  { "_update_bound", analyzer_update_bound, METH_VARARGS, "_update_bound(var, min, max, override=False)" },
  { "_update_modular", analyzer_update_modular, METH_VARARGS, "_update_modular(var, coeff, base, override=False)" },
  { "_can_prove", analyzer_can_prove, METH_VARARGS, "_can_prove(condition, strength=0)" },
  { "_can_prove_equal", analyzer_can_prove_equal, METH_VARARGS, "_can_prove_equal(a, b)" },
  { "_compare", analyzer_compare, METH_VARARGS, "_compare(a, b, propagate=True)" },
  { "_enter", analyzer_enter, METH_O, "Enters a constraint." },
  { "_exit", analyzer_exit, METH_O, "Leaves it." },
  { "_extensions", analyzer_extensions, METH_O, "_extensions(flags)" },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot analyzer_slots[] = {
  { Py_tp_new, analyzer_new },
  { Py_tp_dealloc, analyzer_dealloc },
  { Py_tp_methods, analyzer_methods },
  { Py_tp_doc, "What is known of variables, and what follows." },
  { 0, NULL },
};

static PyType_Spec analyzer_spec = {
  "_loopscope.Analyzer", sizeof (PyAnalyzer), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, analyzer_slots
};

gboolean
ls_py_arith_init (PyObject *module)
{
  analyzer_type = ls_py_add_type (module, &analyzer_spec, NULL);
  return analyzer_type != NULL && PyModule_AddObject (module, "POS_INF", PyLong_FromLongLong (LS_POS_INF)) == 0
         && PyModule_AddObject (module, "NEG_INF", PyLong_FromLongLong (LS_NEG_INF)) == 0;
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
