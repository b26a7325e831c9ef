/* runtime-python: arrays and packed functions as Python objects, for the extensions. */
#pragma once

#include "engine/python/core/objects.h"
#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

/* Takes the reference. */
PyObject  *ls_py_wrap_array  (LsNDArray    *array);
/* Borrowed; NULL with TypeError. */
LsNDArray *ls_py_array       (PyObject     *object);
gboolean   ls_py_is_array    (PyObject     *object);
/* An array that somebody keeps beyond the call that lent it gets elements of its own. */
void       ls_py_array_detach (PyObject     *object);
/* A value as an argument that lives as long as the value. FALSE with an exception. */
gboolean   ls_py_to_arg      (PyObject     *value,
                              LsArg        *arg);
PyObject  *ls_py_from_arg    (const LsArg  *arg);
/* A callable; `owner` (or NULL) keeps func and closure alive. */
PyObject  *ls_py_function    (const char   *name,
                              LsPackedFunc  func,
                              void         *closure,
                              PyObject     *owner);

/* Before a call into compiled code, which ls_interrupt_end() follows.  FALSE with an exception when a signal's handler raised one. */
gboolean   ls_py_call_begin  (void);

G_END_DECLS
