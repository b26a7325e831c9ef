/* dpl: patterns of dataflow from Python - matching, contexts, rules with functions of Python, fusing with checks. */
#include "engine/python/core/objects.h"

#include "engine/relax/dpl/dpl.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/combine-parallel-matmul.h"
#include "engine/relax/pass/fuse-ops-by-pattern.h"
#include "engine/relax/pass/make.h"

#include <string.h>

typedef struct {
  PyObject_HEAD
  LsPatternContext *context;
} PyContext;

typedef struct {
  PyObject_HEAD
  LsPatternRewriter *rewriter;
} PyRewriter;

static PyTypeObject *context_type, *rewriter_type;

#define CONTEXT(o) (((PyContext *) (o))->context)
#define REWRITER(o) (((PyRewriter *) (o))->rewriter)

/* ---- tables --------------------------------------------------------------------------- */

static gboolean
put_pair (PyObject *dict,
          gpointer  key,
          gpointer  value)
{
  PyObject *k = ls_py_from_node (key), *v = k != NULL ? ls_py_from_node (value) : NULL;
  gboolean fine = v != NULL && PyDict_SetItem (dict, k, v) == 0;

  Py_XDECREF (k);
  Py_XDECREF (v);
  return fine;
}

typedef struct {
  gpointer    key, value;
  const char *name;             /* of the variable among the two */
} Entry;

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (((const Entry *) a)->name, ((const Entry *) b)->name);
}

/* In the order of the names of the variables: a dict keeps it, and that of the table is one of addresses. */
static PyObject *
dict_of_table (GHashTable *table)
{
  PyObject *dict = PyDict_New ();
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      LsRelaxVar *var = ls_is_relax_var (key) ? key : ls_is_relax_var (value) ? value : NULL;
      Entry one = { key, value, var != NULL ? var->name : "" };

      g_array_append_val (entries, one);
    }
  g_array_sort (entries, by_name);
  for (guint i = 0; dict != NULL && i < entries->len; i++)
    if (!put_pair (dict, g_array_index (entries, Entry, i).key, g_array_index (entries, Entry, i).value))
      Py_CLEAR (dict);
  return dict;
}

static PyObject *
dict_of_match (LsPatternMatch *match)
{
  PyObject *dict = PyDict_New ();

  for (guint i = 0; dict != NULL && i < ls_pattern_match_get_n (match); i++)
    if (!put_pair (dict, ls_pattern_match_pattern (match, i), ls_pattern_match_expr (match, i)))
      Py_CLEAR (dict);
  return dict;
}

/* Nodes as keys and values; what is made on the way is kept in `kept`. */
static GHashTable *
table_of_dict (PyObject  *dict,
               GPtrArray *kept)
{
  GHashTable *table = g_hash_table_new (NULL, NULL);
  PyObject *key, *value;
  Py_ssize_t at = 0;

  while (PyDict_Next (dict, &at, &key, &value))
    {
      LsNode *a, *b;

      if (!ls_py_to_node (key, LS_PY_RELAX_VAR, FALSE, "var2val", &a))
        break;
      g_ptr_array_add (kept, a);
      if (!ls_py_to_node (value, LS_PY_RELAX, FALSE, "var2val", &b))
        break;
      g_ptr_array_add (kept, b);
      g_hash_table_insert (table, a, b);
    }
  return table;
}

static LsPattern *
pattern_arg (PyObject *object)
{
  LsNode *node = ls_py_is_node (object) ? ls_py_node (object) : NULL;

  if (ls_is_pattern (node))
    return node;
  PyErr_Format (PyExc_TypeError, "%R is no pattern", object);
  return NULL;
}

/* Something went wrong in a function of Python: the exception stays set. */
static void
note_exception (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "A function of Python raised an exception.");
}

/* ---- matching -------------------------------------------------------------------------------- */

/* match_pattern (pattern, expr, var2val or None): {pattern: expr} or None */
static PyObject *
py_match_pattern (PyObject *module,
                  PyObject *args)
{
  PyObject *first, *second, *dict;
  LsPattern *pattern;
  g_autoptr (LsNode) expr = NULL;
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) values = NULL;
  g_autoptr (LsPatternMatch) match = NULL;

  if (!PyArg_ParseTuple (args, "OOO", &first, &second, &dict) || (pattern = pattern_arg (first)) == NULL)
    return NULL;
  if (ls_py_is_node (second))
    expr = ls_node_ref (ls_py_node (second));
  else if (!ls_py_to_node (second, LS_PY_RELAX, FALSE, "expr", &expr))
    return NULL;
  if (PyDict_Check (dict))
    values = table_of_dict (dict, kept);
  if (ls_py_failed ())
    return NULL;
  match = ls_pattern_match (pattern, expr, values);
  if (match == NULL)
    Py_RETURN_NONE;
  return dict_of_match (match);
}

static PyObject *
py_dup_pattern (PyObject *module,
                PyObject *object)
{
  LsPattern *pattern = pattern_arg (object);

  return pattern != NULL ? ls_py_wrap (ls_pattern_duplicate (pattern)) : NULL;
}

static PyObject *
py_print_pattern (PyObject *module,
                  PyObject *object)
{
  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no pattern", object);
  return ls_py_text (ls_pattern_print (ls_py_node (object)));
}

/* var2val (function or block): {variable: value} */
static PyObject *
py_var2val (PyObject *module,
            PyObject *object)
{
  g_autoptr (GHashTable) values = NULL;

  if (!ls_py_is_node (object))
    return PyErr_Format (PyExc_TypeError, "%R is no function", object);
  values = ls_relax_values (ls_py_node (object));
  return dict_of_table (values);
}

static PyObject *
py_computable_at_compile_time (PyObject *module,
                               PyObject *object)
{
  LsNode *func = ls_py_require (object, LS_KIND_FUNCTION, "func");
  g_autoptr (GPtrArray) vars = NULL;
  PyObject *list;

  if (func == NULL)
    return NULL;
  vars = ls_relax_computable_at_compile_time ((LsFunction *) func);
  list = PyList_New (vars->len);
  for (guint i = 0; list != NULL && i < vars->len; i++)
    PyList_SetItem (list, (Py_ssize_t) i, ls_py_from_node (vars->pdata[i]));
  return list;
}

static PyObject *
py_relax_copy_function (PyObject *module,
                        PyObject *object)
{
  LsNode *func = ls_py_require (object, LS_KIND_FUNCTION, "func");

  return func != NULL ? ls_py_wrap (ls_relax_copy_function ((LsFunction *) func)) : NULL;
}

/* ---- contexts ---------------------------------------------------------------------------------- */

/* PatternGraph (other or None) */
static PyObject *
context_new (PyTypeObject *type,
             PyObject     *args,
             PyObject     *keywords)
{
  PyObject *from = Py_None, *self;
  allocfunc alloc = (allocfunc) PyType_GetSlot (type, Py_tp_alloc);

  if (!PyArg_ParseTuple (args, "|O", &from))
    return NULL;
  if (from != Py_None && !PyObject_TypeCheck (from, context_type))
    return PyErr_Format (PyExc_TypeError, "%R is no graph of patterns", from);
  self = alloc (type, 0);
  if (self != NULL)
    CONTEXT (self) = ls_pattern_context_new (from != Py_None ? CONTEXT (from) : NULL);
  return self;
}

static void
context_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  g_clear_pointer (&CONTEXT (self), ls_pattern_context_free);
  release (self);
  Py_DECREF (type);
}

/* use (producer, consumer, only, index) */
static PyObject *
context_use (PyObject *self,
             PyObject *args)
{
  PyObject *first, *second;
  LsPattern *producer, *consumer;
  int only, index;

  if (!PyArg_ParseTuple (args, "OOpi", &first, &second, &only, &index) || (producer = pattern_arg (first)) == NULL || (consumer = pattern_arg (second)) == NULL)
    return NULL;
  ls_pattern_context_use (CONTEXT (self), producer, consumer, only, index);
  Py_RETURN_NONE;
}

static PyObject *
context_add (PyObject *self,
             PyObject *object)
{
  LsNode *constraint = ls_py_require (object, LS_KIND_SAME_SHAPE_CONSTRAINT, "the constraint");

  if (constraint == NULL)
    return NULL;
  ls_pattern_context_add (CONTEXT (self), constraint);
  Py_RETURN_NONE;
}

/* match (block): {pattern: variable} or None */
static PyObject *
context_match (PyObject *self,
               PyObject *object)
{
  LsNode *block = ls_py_is_node (object) ? ls_py_node (object) : NULL;
  g_autoptr (GHashTable) match = NULL;

  if (!ls_is (block, DATAFLOW_BLOCK) && !ls_is (block, BINDING_BLOCK))
    return PyErr_Format (PyExc_TypeError, "%R is no block of bindings", object);
  match = ls_pattern_context_match (CONTEXT (self), ((LsBindingBlock *) block)->bindings, NULL);
  if (match == NULL)
    Py_RETURN_NONE;
  return dict_of_table (match);
}

static PyMethodDef context_methods[] = {
  { "use", context_use, METH_VARARGS, "use(producer, consumer, only, index)" },
  { "add", context_add, METH_O, "Adds a constraint." },
  { "match", context_match, METH_O, "Variables of a block that stand as the patterns do." },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot context_slots[] = {
  { Py_tp_new, context_new },
  { Py_tp_dealloc, context_dealloc },
  { Py_tp_methods, context_methods },
  { Py_tp_doc, "Which pattern is used by which." },
  { 0, NULL },
};

static PyType_Spec context_spec = { "_loopscope.PatternGraph", sizeof (PyContext), 0, Py_TPFLAGS_DEFAULT, context_slots };

/* ---- rules ------------------------------------------------------------------------------------------ */

/* func (expr, {pattern: expr}) gives an expression, or None */
static LsNode *
call_replace (LsNode         *expr,
              LsPatternMatch *match,
              gpointer        func,
              GError        **error)
{
  PyObject *dict = dict_of_match (match), *first = dict != NULL ? ls_py_from_node (expr) : NULL;
  PyObject *result = first != NULL ? PyObject_CallFunctionObjArgs (func, first, dict, NULL) : NULL;
  LsNode *out = NULL;

  if (result != NULL && result != Py_None && !ls_py_to_node (result, LS_PY_RELAX, FALSE, "the result of the rewriter", &out))
    out = NULL;
  Py_XDECREF (first);
  Py_XDECREF (dict);
  Py_XDECREF (result);
  if (ls_py_failed ())
    note_exception (error);
  return out;
}

/* func ({pattern: variable}, {variable: value}) gives {variable: expression} */
static gboolean
call_replace_block (GHashTable *match,
                    GHashTable *values,
                    GHashTable *replacements,
                    gpointer    func,
                    GError    **error)
{
  PyObject *first = dict_of_table (match), *second = first != NULL ? dict_of_table (values) : NULL;
  PyObject *result = second != NULL ? PyObject_CallFunctionObjArgs (func, first, second, NULL) : NULL, *key, *value;
  Py_ssize_t at = 0;

  if (result != NULL && result != Py_None && !PyDict_Check (result))
    PyErr_Format (PyExc_TypeError, "a rewriter of bindings gives a dictionary, not %R", result);
  while (!ls_py_failed () && result != NULL && result != Py_None && PyDict_Next (result, &at, &key, &value))
    {
      g_autoptr (LsNode) var = NULL;
      LsNode *expr;

      if (ls_py_to_node (key, LS_PY_RELAX_VAR, FALSE, "the result of the rewriter", &var) && ls_py_to_node (value, LS_PY_RELAX, FALSE, "the result of the rewriter", &expr))
        g_hash_table_insert (replacements, g_steal_pointer (&var), expr);
    }
  Py_XDECREF (first);
  Py_XDECREF (second);
  Py_XDECREF (result);
  if (ls_py_failed ())
    note_exception (error);
  return !ls_py_failed ();
}

static PyObject *
wrap_rewriter (LsPatternRewriter *rewriter)      /* taken */
{
  allocfunc alloc = (allocfunc) PyType_GetSlot (rewriter_type, Py_tp_alloc);
  PyObject *self = alloc (rewriter_type, 0);

  if (self != NULL)
    REWRITER (self) = rewriter;
  else
    ls_pattern_rewriter_unref (rewriter);
  return self;
}

static void
release_object (gpointer object)
{
  Py_DECREF ((PyObject *) object);
}

/* Rewriter (pattern, func) */
static PyObject *
rewriter_new (PyTypeObject *type,
              PyObject     *args,
              PyObject     *keywords)
{
  PyObject *first, *func;
  LsPattern *pattern;

  if (!PyArg_ParseTuple (args, "OO", &first, &func) || (pattern = pattern_arg (first)) == NULL)
    return NULL;
  if (!PyCallable_Check (func))
    return PyErr_Format (PyExc_TypeError, "%R cannot be called", func);
  return wrap_rewriter (ls_pattern_rewriter_new (pattern, call_replace, Py_NewRef (func), release_object));
}

static void
rewriter_dealloc (PyObject *self)
{
  PyTypeObject *type = Py_TYPE (self);
  freefunc release = (freefunc) PyType_GetSlot (type, Py_tp_free);

  g_clear_pointer (&REWRITER (self), ls_pattern_rewriter_unref);
  release (self);
  Py_DECREF (type);
}

static PyObject *
rewriter_or (PyObject *self,
             PyObject *other)
{
  if (!PyObject_TypeCheck (other, rewriter_type))
    return PyErr_Format (PyExc_TypeError, "%R is no rewriter", other);
  return wrap_rewriter (ls_pattern_rewriter_or (ls_pattern_rewriter_ref (REWRITER (self)), ls_pattern_rewriter_ref (REWRITER (other))));
}

static PyObject *
apply (LsPatternRewriter *rewriter,
       PyObject          *object,
       PyObject          *module)
{
  LsNode *func = ls_py_is_node (object) ? ls_py_node (object) : NULL;
  GError *error = NULL;
  LsNode *fresh;

  if (!ls_is_relax_expr (func))
    return PyErr_Format (PyExc_TypeError, "%R is no Relax expression", object);
  fresh = ls_pattern_rewriter_apply (rewriter, func, module != Py_None && ls_py_is_node (module) && ls_is (ls_py_node (module), MODULE)
                                     ? (LsModule *) ls_py_node (module) : NULL, &error);
  if (fresh != NULL && !ls_py_failed ())
    return ls_py_wrap (fresh);
  ls_node_unref (fresh);
  return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

/* apply (function, module or None) */
static PyObject *
rewriter_apply (PyObject *self,
                PyObject *args)
{
  PyObject *func, *module = Py_None;

  return PyArg_ParseTuple (args, "O|O", &func, &module) ? apply (REWRITER (self), func, module) : NULL;
}

static PyMethodDef rewriter_methods[] = {
  { "either", rewriter_or, METH_O, "This rule, and the other for what it leaves." },
  { "apply", rewriter_apply, METH_VARARGS, "apply(function, module)" },
  { NULL, NULL, 0, NULL },
};

static PyType_Slot rewriter_slots[] = {
  { Py_tp_new, rewriter_new },
  { Py_tp_dealloc, rewriter_dealloc },
  { Py_tp_methods, rewriter_methods },
  { Py_tp_doc, "A rule: a pattern and what to put for it." },
  { 0, NULL },
};

static PyType_Spec rewriter_spec = { "_loopscope.PatternRule", sizeof (PyRewriter), 0, Py_TPFLAGS_DEFAULT, rewriter_slots };

/* rewrite_bindings (graph, func, function) */
static PyObject *
py_rewrite_bindings (PyObject *module,
                     PyObject *args)
{
  PyObject *context, *func, *function;
  g_autoptr (LsPatternRewriter) rewriter = NULL;

  if (!PyArg_ParseTuple (args, "O!OO", context_type, &context, &func, &function))
    return NULL;
  if (!PyCallable_Check (func))
    return PyErr_Format (PyExc_TypeError, "%R cannot be called", func);
  rewriter = ls_pattern_rewriter_new_context (CONTEXT (context), call_replace_block, func);
  return apply (rewriter, function, Py_None);
}

/* ---- passes with functions of Python -------------------------------------------------------------------- */

typedef struct {
  PyObject *make_context;       /* makes what a check is given */
  PyObject *check, *attrs;      /* or None */
} Hooks;

static PyObject *
annotated (const LsFusionMatch *match)
{
  PyObject *dict = PyDict_New ();

  for (guint i = 0; dict != NULL && i < ls_array_n (match->annotation_names); i++)
    {
      LsNode *expr = ls_pattern_match_get (match->match, match->annotation_patterns->items[i]);
      PyObject *value = expr != NULL ? ls_py_from_node (expr) : NULL;

      if (value != NULL)
        PyDict_SetItemString (dict, ls_array_at (match->annotation_names, i, LsString)->value, value);
      Py_XDECREF (value);
    }
  return dict;
}

static PyObject *
matched_bindings (const LsFusionMatch *match)
{
  PyObject *dict = PyDict_New ();

  for (guint i = 0; dict != NULL && i < ls_pattern_match_get_n (match->match); i++)
    {
      LsNode *expr = ls_pattern_match_expr (match->match, i);
      LsNode *var = ls_pattern_is_computed (ls_pattern_match_pattern (match->match, i)) ? g_hash_table_lookup (match->bound, expr) : NULL;

      if (var != NULL && !put_pair (dict, var, expr))
        Py_CLEAR (dict);
    }
  return dict;
}

/* make_context (matched_expr, annotated_expr, matched_bindings, block, value_to_bound_var) */
static PyObject *
context_of (const LsFusionMatch *match,
            PyObject            *make)
{
  PyObject *expr = ls_py_from_node (match->matched_expr), *named = annotated (match), *bindings = matched_bindings (match);
  PyObject *block = ls_py_from_node (match->block), *bound = dict_of_table (match->bound), *result = NULL;

  if (expr != NULL && named != NULL && bindings != NULL && block != NULL && bound != NULL)
    result = PyObject_CallFunctionObjArgs (make, expr, named, bindings, block, bound, NULL);
  Py_XDECREF (expr);
  Py_XDECREF (named);
  Py_XDECREF (bindings);
  Py_XDECREF (block);
  Py_XDECREF (bound);
  return result;
}

static gboolean
call_check (const LsFusionMatch *match,
            gboolean            *accepted,
            gpointer             user_data,
            GError             **error)
{
  Hooks *self = user_data;
  PyObject *context = context_of (match, self->make_context);
  PyObject *result = context != NULL ? PyObject_CallFunctionObjArgs (self->check, context, NULL) : NULL;

  *accepted = result != NULL && PyObject_IsTrue (result) == 1;
  Py_XDECREF (context);
  Py_XDECREF (result);
  if (ls_py_failed ())
    note_exception (error);
  return !ls_py_failed ();
}

static LsMap *
call_attrs (const LsFusionMatch *match,
            gpointer             user_data,
            GError             **error)
{
  Hooks *self = user_data;
  PyObject *named = annotated (match);
  PyObject *result = named != NULL ? PyObject_CallFunctionObjArgs (self->attrs, named, NULL) : NULL;
  LsNode *map = NULL;

  if (result != NULL && !ls_py_to_node (result, LS_PY_MAP, TRUE, "attrs", &map))
    map = NULL;
  Py_XDECREF (named);
  Py_XDECREF (result);
  if (ls_py_failed ())
    note_exception (error);
  return (LsMap *) map;
}

static gboolean
read_annotations (PyObject        *dict,
                  LsFusionPattern *row)
{
  GPtrArray *names = g_ptr_array_new (), *patterns = g_ptr_array_new ();
  PyObject *key, *value;
  Py_ssize_t at = 0;

  while (PyDict_Next (dict, &at, &key, &value))
    {
      const char *name = PyUnicode_AsUTF8AndSize (key, NULL);
      LsPattern *pattern = name != NULL ? pattern_arg (value) : NULL;

      if (pattern == NULL)
        break;
      g_ptr_array_add (names, ls_string_new (name));
      g_ptr_array_add (patterns, ls_node_ref (pattern));
    }
  row->annotation_names = ls_array_take_ptr_array (names);
  row->annotation_patterns = ls_array_take_ptr_array (patterns);
  return !ls_py_failed ();
}

static gboolean
read_row (PyObject        *object,
          LsFusionPattern *row,
          Hooks           *hooks)
{
  PyObject *pattern, *annotations;

  if (!PyArg_ParseTuple (object, "sOO!OO", &row->name, &pattern, &PyDict_Type, &annotations, &hooks->check, &hooks->attrs)
      || (row->pattern = pattern_arg (pattern)) == NULL || !read_annotations (annotations, row))
    return FALSE;
  row->check = hooks->check != Py_None ? call_check : NULL;
  row->attrs = hooks->attrs != Py_None ? call_attrs : NULL;
  row->user_data = hooks;
  row->refuses_cycles = row->check == NULL;
  return TRUE;
}

/* fuse_ops_by_pattern (module, [(name, pattern, annotations, check, attrs)], bind_constants, annotate_codegen, entries, make_context) */
static PyObject *
py_fuse_ops_by_pattern (PyObject *self,
                        PyObject *args)
{
  PyObject *object, *list, *entries_object, *make_context;
  int bind_constants, annotate_codegen;
  LsNode *module;
  g_autoptr (LsNode) entries = NULL;
  g_autofree LsFusionPattern *rows = NULL;
  g_autofree Hooks *hooks = NULL;
  GError *error = NULL;
  LsModule *result = NULL;
  Py_ssize_t n;

  if (!PyArg_ParseTuple (args, "OO!ppOO", &object, &PyList_Type, &list, &bind_constants, &annotate_codegen, &entries_object, &make_context)
      || (module = ls_py_require (object, LS_KIND_MODULE, "the module")) == NULL
      || (entries_object != Py_None && !ls_py_to_node (entries_object, LS_PY_ARRAY, FALSE, "entry_functions", &entries)))
    return NULL;
  n = PyList_Size (list);
  rows = g_new0 (LsFusionPattern, n + 1);
  hooks = g_new0 (Hooks, n + 1);
  for (Py_ssize_t i = 0; i < n && !ls_py_failed (); i++)
    {
      hooks[i].make_context = make_context;
      read_row (PyList_GetItem (list, i), &rows[i], &hooks[i]);
    }
  if (!ls_py_failed ())
    result = ls_relax_fuse_ops_by_pattern ((LsModule *) module, rows, (guint) n, bind_constants, annotate_codegen, (LsArray *) entries, &error);
  for (Py_ssize_t i = 0; i < n; i++)
    {
      ls_unref (rows[i].annotation_names);
      ls_unref (rows[i].annotation_patterns);
    }
  if (result != NULL)
    return ls_py_wrap (result);
  if (error != NULL && !ls_py_failed () && strstr (error->message, "multiple partitions") != NULL)
    PyErr_SetString (PyExc_ValueError, error->message);
  return ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

static gboolean
call_combine (LsRelaxVar *lhs,
              LsArray    *rhs,
              LsArray    *bias,
              GHashTable *values,
              gboolean   *accepted,
              gpointer    check,
              GError    **error)
{
  PyObject *a = ls_py_from_node (lhs), *b = ls_py_list (rhs), *c = ls_py_list (bias), *d = dict_of_table (values);
  PyObject *result = a != NULL && b != NULL && c != NULL && d != NULL ? PyObject_CallFunctionObjArgs (check, a, b, c, d, NULL) : NULL;

  *accepted = result != NULL && PyObject_IsTrue (result) == 1;
  Py_XDECREF (a);
  Py_XDECREF (b);
  Py_XDECREF (c);
  Py_XDECREF (d);
  Py_XDECREF (result);
  if (ls_py_failed ())
    note_exception (error);
  return !ls_py_failed ();
}

/* combine_parallel_matmul (module, check or None) */
static PyObject *
py_combine_parallel_matmul (PyObject *self,
                            PyObject *args)
{
  PyObject *object, *check;
  LsNode *module;
  GError *error = NULL;
  LsModule *result;

  if (!PyArg_ParseTuple (args, "OO", &object, &check) || (module = ls_py_require (object, LS_KIND_MODULE, "the module")) == NULL)
    return NULL;
  result = ls_relax_combine_parallel_matmul ((LsModule *) module, check != Py_None ? call_combine : NULL, check, &error);
  return result != NULL ? ls_py_wrap (result) : ls_py_raise_gerror (LS_PY_TVM_ERROR, error);
}

gboolean
ls_py_dpl_init (PyObject *module)
{
  context_type = ls_py_add_type (module, &context_spec, NULL);
  rewriter_type = ls_py_add_type (module, &rewriter_spec, NULL);
  return context_type != NULL && rewriter_type != NULL;
}

PyMethodDef ls_py_dpl_methods[] = {
  { "match_pattern", py_match_pattern, METH_VARARGS, "match_pattern(pattern, expr, var2val)" },
  { "dup_pattern", py_dup_pattern, METH_O, "Another pattern of the same form." },
  { "print_pattern", py_print_pattern, METH_O, "A pattern as text." },
  { "var2val", py_var2val, METH_O, "What variables are bound to." },
  { "computable_at_compile_time", py_computable_at_compile_time, METH_O, "Variables that no input decides." },
  { "relax_copy_function", py_relax_copy_function, METH_O, "A copy with variables of its own." },
  { "rewrite_bindings", py_rewrite_bindings, METH_VARARGS, "rewrite_bindings(graph, func, function)" },
  { "fuse_ops_by_pattern", py_fuse_ops_by_pattern, METH_VARARGS, "fuse_ops_by_pattern(module, rows, bind_constants, annotate_codegen, entries, make_context)" },
  { "combine_parallel_matmul", py_combine_parallel_matmul, METH_VARARGS, "combine_parallel_matmul(module, check)" },
  { NULL, NULL, 0, NULL },
};
