/* A shared object with one packed function, loaded by the registry's test. */
#include "engine/runtime/runtime.h"

int loopscope_register (LsRegisterFunc reg,
                        int          (*fail) (const char *format, ...));

static int
twice (const LsArg *args,
       int          n_args,
       LsArg       *result,
       void        *closure)
{
  *result = (LsArg) { .kind = LS_ARG_FLOAT, .v_float = 2 * args[0].v_float };
  return 0;
}

int
loopscope_register (LsRegisterFunc reg,
                    int          (*fail) (const char *format, ...))
{
  return reg ("test.library.twice", twice, NULL);
}
