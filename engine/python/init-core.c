/* init-core: what Python calls when it imports `_loopscope`; everything else is in libls-python. */
#include "engine/python/core/objects.h"

PyMODINIT_FUNC PyInit__loopscope (void);

PyMODINIT_FUNC
PyInit__loopscope (void)
{
  return ls_py_core_module ();
}
