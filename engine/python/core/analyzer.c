/* analyzer: the analyser as a Python object. */
#include "engine/python/core/objects.h"

#include "engine/arith/arith.h"
#include "engine/arith/deduce.h"
#include "engine/arith/rewrite-stats.h"

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

/* (nodes, constraints, attempted, performed, depth, recursive) */
static PyObject *
analyzer_stats (PyObject *self,
                PyObject *unused)
{
  const LsRewriteStats *s = ls_analyzer_get_rewrite_stats (SELF (self));

  return Py_BuildValue ("(LLLLLL)", (long long) s->nodes_visited, (long long) s->constraints_entered, (long long) s->rewrites_attempted,
                        (long long) s->rewrites_performed, (long long) s->max_recursive_depth, (long long) s->num_recursive_rewrites);
}

static PyObject *
analyzer_reset_stats (PyObject *self,
                      PyObject *unused)
{
  ls_analyzer_reset_rewrite_stats (SELF (self));
  Py_RETURN_NONE;
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

LsAnalyzer *
ls_py_analyzer_of (PyObject *object)
{
  return PyObject_TypeCheck (object, analyzer_type) ? SELF (object) : NULL;
}

/* ---- the type --------------------------------------------------------------------- */

static PyMethodDef analyzer_methods[] = {
  { "_simplify", analyzer_simplify, METH_VARARGS, "_simplify(expr, steps=2)" },
  { "_rewrite", analyzer_rewrite, METH_O, "Rules that match patterns." },
  { "_canonical", analyzer_canonical, METH_O, "Sums in one order." },
  { "_stats", analyzer_stats, METH_NOARGS, "What the rewriting simplifier did." },
  { "_reset_stats", analyzer_reset_stats, METH_NOARGS, "Counts from 0." },
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
