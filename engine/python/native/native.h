/* native: what the files of this extension share. */
#pragma once

#include "engine/python/core/runtime-python.h"

#include "engine/codegen/codegen.h"

G_BEGIN_DECLS

/* The one linker of the process; NULL with an error. */
LsJit    *ls_py_jit             (GError   **error);

PyObject *ls_py_vm_build        (PyObject  *module,
                                 PyObject  *args);
PyObject *ls_py_vm_load         (PyObject  *module,
                                 PyObject  *value);
PyObject *ls_py_set_shape_class (PyObject  *module,
                                 PyObject  *cls);
gboolean  ls_py_vm_init         (PyObject  *module);

G_END_DECLS
