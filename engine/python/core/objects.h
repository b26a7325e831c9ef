/* objects: Python objects over the engine's nodes.
 *
 *   node.c        the one wrapper type, its attributes made from the field tables, classes by kind
 *   convert.c     Python values to nodes and back
 *   error.c       GError and diagnostics as TVM's exceptions
 *   make.c        constructors: any kind of node from checked values
 *   expr.c        operators, constants, variables, calls
 *   tree.c        walk, rewrite, substitute, equality
 *   script.c      TVMScript read and written
 *   host.c        names of a script that Python knows
 *   module.c      the extension `_loopscope` and its list of functions
 *
 * Everything here runs with Python's lock held.  The stable ABI is used throughout: what the header of 3.11 calls
 * limited (the buffer protocol) has been exported since 3.10.
 */
#pragma once

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include "engine/relax/relax.h"
#include "engine/script/parser.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* Puts a reference (taken) into a slot and drops what was there. */
#define LS_PY_SET(slot, fresh) G_STMT_START { PyObject *_old = (slot); (slot) = (fresh); Py_XDECREF (_old); } G_STMT_END

/* ---- node.c ------------------------------------------------------------- */

typedef struct {
  PyObject_HEAD
  LsNode *node;                 /* one reference; only module wrappers ever change theirs */
} LsPyNode;

extern PyTypeObject *ls_py_node_type;

#define ls_py_is_node(o) PyObject_TypeCheck ((o), ls_py_node_type)
#define ls_py_node(o) (((LsPyNode *) (o))->node)

/* Wraps a node as it is (takes the reference; NULL gives None). New reference. */
PyObject *ls_py_wrap         (gpointer      node);
/* What te gave: `node` wrapped (taken), or, without one, `error` (taken, may be NULL) raised as TypeError for a dtype
 * and ValueError for the rest, unless Python already has an exception. New reference or NULL. */
PyObject *ls_py_wrap_te      (gpointer      node,
                              GError       *error);
/* The same with a class of one's own, which must be a subclass of the wrapper. */
PyObject *ls_py_wrap_as      (gpointer      node,
                              PyObject     *cls);
/* The node of a wrapper if it is of this kind, else NULL with TypeError that names `what`. Borrowed. */
LsNode   *ls_py_require      (PyObject     *object,
                              LsKind        kind,
                              const char   *what);
/* The node of a function that a module can hold, else NULL with TypeError. Borrowed. */
LsNode   *ls_py_require_func (PyObject     *object);
/* A type's `new` where objects come from the engine only: raises TypeError, since everything that takes such an object
 * relies on what is behind it. */
PyObject *ls_py_no_new       (PyTypeObject *type,
                              PyObject     *args,
                              PyObject     *kwargs);
gboolean  ls_py_node_init    (PyObject     *module);

/* ---- convert.c ---------------------------------------------------------- */

/* What a value has to become.  Each letter is one; `?` behind it allows None (NULL). */
typedef enum {
  LS_PY_ANY = 'n',              /* any node; numbers become constants, texts String, lists Array, dictionaries Map */
  LS_PY_EXPR = 'e',             /* PrimExpr; texts become StringImm */
  LS_PY_VAR = 'v',
  LS_PY_STMT = 's',
  LS_PY_BUFFER = 'b',
  LS_PY_RANGE = 'r',
  LS_PY_ITER_VAR = 'I',
  LS_PY_TYPE = 'L',
  LS_PY_MAP = 'm',              /* None: the empty map */
  LS_PY_ARRAY = 'A',            /* of anything */
  LS_PY_EXPRS = 'E',
  LS_PY_VARS = 'V',
  LS_PY_BUFFERS = 'B',
  LS_PY_RANGES = 'R',
  LS_PY_ITER_VARS = 'W',
  LS_PY_REGIONS = 'G',          /* of BufferRegion */
  LS_PY_MATCHES = 'M',          /* of MatchBufferRegion */
  LS_PY_STMTS = 'S',
  LS_PY_STRUCT_INFO = 'i',
  LS_PY_STRUCT_INFOS = 'T',
  LS_PY_RELAX = 'x',            /* Relax expression */
  LS_PY_RELAXES = 'X',
  LS_PY_RELAX_VAR = 'y',
  LS_PY_RELAX_VARS = 'Y'
} LsPyWant;

/* (transfer full) in *node.  FALSE with a Python exception; *node may be NULL with TRUE where None is allowed. */
gboolean  ls_py_to_node      (PyObject     *value,
                              LsPyWant      want,
                              gboolean      optional,
                              const char   *what,
                              LsNode      **node);
/* PyArg_ParseTuple converters ("O&") */
int       ls_py_expr_arg     (PyObject     *value,
                              LsExpr      **expr);      /* to be unrefed by the caller; cleared on failure */
int       ls_py_dtype_arg    (PyObject     *value,
                              LsDType      *dtype);
/* A node as a Python value: NULL None, String str, everything else wrapped.  Borrows; new reference. */
PyObject *ls_py_from_node    (gpointer      node);
/* The same for a field's value. */
PyObject *ls_py_from_field   (LsNode       *node,
                              const LsField *field);
PyObject *ls_py_list         (LsArray      *array);     /* a Python list of from_node; borrows */
PyObject *ls_py_text         (char         *text);      /* takes a g_malloc'ed text; NULL: None */

/* ---- schedule.c, trace.c --------------------------------------------------------- */

typedef struct _LsTrace    LsTrace;
typedef struct _LsSchedule LsSchedule;
/* Takes the reference. */
PyObject   *ls_py_wrap_trace  (LsTrace  *trace);
/* NULL with TypeError. Borrowed. */
LsTrace    *ls_py_trace_of    (PyObject *object);
/* What a step gave, an LsResultType: blocks and loops as objects of their handles' classes. Borrows. */
PyObject   *ls_py_wrap_output (guint     type,
                               LsNode   *node);
LsSchedule *ls_py_schedule_of (PyObject *object);
/* A schedule as an object of the class of another one. Takes the reference. */
PyObject *ls_py_wrap_schedule (PyObject   *like,
                               LsSchedule *schedule);

/* ---- error.c ------------------------------------------------------------ */

/* Which exception class.  Set from Python by set_exception (name, class). */
typedef enum {
  LS_PY_TVM_ERROR,
  LS_PY_DIAGNOSTIC_ERROR,
  LS_PY_SCHEDULE_ERROR,
  LS_PY_INTERNAL_ERROR,
  LS_PY_VALUE_ERROR,            /* a TVMError that is a ValueError too */
  LS_PY_KIND_ERROR,             /* and one that is a TypeError too */
  LS_PY_OPERAND_ERROR,          /* and one that is both: what an operator of Relax is given does not fit */
  LS_PY_N_ERRORS
} LsPyError;

/* Raises; always returns NULL. */
PyObject *ls_py_raise        (LsPyError     kind,
                              const char   *format,
                              ...) G_GNUC_PRINTF (2, 3);
/* Raises what a GError says and frees it; that the parts of a call of Relax do not fit is an LS_PY_OPERAND_ERROR. */
PyObject *ls_py_raise_gerror (LsPyError     kind,
                              GError       *error);
/* Raises all findings as one text. */
PyObject *ls_py_raise_diagnostics (LsPyError      kind,
                              LsDiagnostics *diagnostics);
/* If a Python exception is set while C code has gone on (callbacks). */
#define ls_py_failed() (PyErr_Occurred () != NULL)

/* ---- host.c ------------------------------------------------------------- */

/* Reads a script whose free names are those of a dictionary (None: there are none). (transfer full), or NULL. */
LsModule *ls_py_parse_with   (LsSource      *source,
                              PyObject      *names,
                              gboolean       lenient,
                              LsDiagnostics *diagnostics);

/* ---- tables of functions, one for each file ------------------------------ */

extern PyMethodDef ls_py_node_methods[];
extern PyMethodDef ls_py_error_methods[];
extern PyMethodDef ls_py_make_methods[];
extern PyMethodDef ls_py_expr_methods[];
extern PyMethodDef ls_py_tree_methods[];
extern PyMethodDef ls_py_script_methods[];
extern PyMethodDef ls_py_schedule_methods[];
extern PyMethodDef ls_py_intrin_methods[];
extern PyMethodDef ls_py_trace_methods[];
extern PyMethodDef ls_py_tune_methods[];
extern PyMethodDef ls_py_arith_methods[];
extern PyMethodDef ls_py_tir_methods[];
extern PyMethodDef ls_py_array_methods[];
extern PyMethodDef ls_py_packed_methods[];
extern PyMethodDef ls_py_runtime_methods[];
extern PyMethodDef ls_py_te_methods[];
extern PyMethodDef ls_py_topi_methods[];
extern PyMethodDef ls_py_relax_methods[];
extern PyMethodDef ls_py_relax_pass_methods[];
extern PyMethodDef ls_py_analysis_methods[];
extern PyMethodDef ls_py_frontend_methods[];
extern PyMethodDef ls_py_gradient_methods[];
extern PyMethodDef ls_py_dpl_methods[];
extern PyMethodDef ls_py_inplace_methods[];
extern PyMethodDef ls_py_graph_methods[];
extern PyMethodDef ls_py_simt_methods[];

gboolean  ls_py_schedule_init (PyObject    *module);
gboolean  ls_py_trace_init    (PyObject    *module);
gboolean  ls_py_tune_init     (PyObject    *module);
gboolean  ls_py_arith_init    (PyObject    *module);
/* NULL: it is none. Borrowed. */
LsAnalyzer *ls_py_analyzer_of (PyObject    *object);
gboolean  ls_py_array_init    (PyObject    *module);
gboolean  ls_py_runtime_init  (PyObject    *module);
gboolean  ls_py_relax_init    (PyObject    *module);
/* The block builder of a Builder, borrowed; NULL with TypeError. */
struct _LsBlockBuilder *ls_py_builder (PyObject *object);
gboolean  ls_py_dpl_init      (PyObject    *module);
/* relax_call (path, args, keywords) */
PyObject *ls_py_relax_call    (PyObject    *module,
                               PyObject    *args);

/* Makes a heap type from a spec and adds it to the module under its short name. */
PyTypeObject *ls_py_add_type  (PyObject    *module,
                               PyType_Spec *spec,
                               PyTypeObject *base);

/* The extension; called by the module's init function. */
PyObject *ls_py_core_module   (void);

G_END_DECLS
