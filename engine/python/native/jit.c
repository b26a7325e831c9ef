/* native/jit: the one JIT of the extension, made when something is built. */
#include "engine/python/native/native.h"

LsJit *
ls_py_jit (GError **error)
{
  static LsJit *jit;

  if (jit == NULL)
    jit = ls_jit_new (error);
  return jit;
}
