/* fail: the error that ends a run. */
#include "engine/interp/interp-private.h"

G_DEFINE_QUARK (ls-interp-error-quark, ls_interp_error)

void
ls_machine_fail (LsMachine  *m,
                 int         code,
                 const char *format,
                 ...)
{
  va_list args;

  m->failed = TRUE;
  if (m->error != NULL)
    return;
  va_start (args, format);
  m->error = g_error_new_valist (LS_INTERP_ERROR, code, format, args);
  va_end (args);
}
