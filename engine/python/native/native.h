/* native: what the files of this extension share. */
#pragma once

#include "engine/python/core/runtime-python.h"

#include "engine/codegen/codegen.h"
#include "engine/runtime/vm.h"

G_BEGIN_DECLS

/* The one linker of the process; NULL with an error. */
LsJit    *ls_py_jit             (GError   **error);

PyObject *ls_py_vm_build        (PyObject  *module,
                                 PyObject  *args);
PyObject *ls_py_vm_load         (PyObject  *module,
                                 PyObject  *value);
/* vm_assemble (functions, strings, constants, floats): an Executable of functions (name, [parameter], registers, [number]).
 * Errors: what the machine's check says. */
PyObject *ls_py_vm_assemble     (PyObject  *module,
                                 PyObject  *args);
/* As a Python object; the executable is taken. */
PyObject *ls_py_wrap_executable (LsVMExecutable *executable);
/* vm_builtin (name, args), vm_has_builtin (name): the functions that the machine has without an executable. */
PyObject *ls_py_vm_builtin      (PyObject  *module,
                                 PyObject  *args);
PyObject *ls_py_vm_has_builtin  (PyObject  *module,
                                 PyObject  *value);
/* The dictionary name -> function that executables look at before the registry: such functions take and give any object. */
PyObject *ls_py_set_host_functions (PyObject *module,
                                 PyObject  *table);
PyObject *ls_py_set_shape_class (PyObject  *module,
                                 PyObject  *cls);
gboolean  ls_py_vm_init         (PyObject  *module);

/* device.c: a device of this machine, its memory, and functions on it. */
PyObject *ls_py_device_open     (PyObject  *module,
                                 PyObject  *args);
PyObject *ls_py_device_allocate (PyObject  *module,
                                 PyObject  *args);
PyObject *ls_py_device_release  (PyObject  *module,
                                 PyObject  *args);
PyObject *ls_py_device_copy     (PyObject  *module,
                                 PyObject  *args);
PyObject *ls_py_device_load     (PyObject  *module,
                                 PyObject  *args);
PyObject *ls_py_device_run      (PyObject  *module,
                                 PyObject  *args);

/* library_open (path): a shared library whose functions follow TVM's convention.  ValueError where it does not open. */
PyObject *ls_py_library_open    (PyObject  *module,
                                 PyObject  *path);
gboolean  ls_py_library_init    (PyObject  *module);

G_END_DECLS
