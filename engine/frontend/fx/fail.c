/* fx/fail: what an import keeps until it ends, and its error. */
#include "engine/frontend/frontend-private.h"

gpointer
ls_fx_keep (LsFxImport *self,
            gpointer    node)
{
  if (node != NULL)
    g_ptr_array_add (self->kept, node);
  return node;
}

gpointer
ls_fx_fail (LsFxImport *self,
            LsFxError   code,
            const char *format,
            ...)
{
  va_list args;

  va_start (args, format);
  if (self->error == NULL)
    self->error = g_error_new_valist (LS_FX_ERROR, (int) code, ls_translate (format), args);
  va_end (args);
  return NULL;
}

void
ls_fx_fail_file (GError    **error,
                 const char *where,
                 const char *format,
                 va_list     args)
{
  g_autofree char *words = NULL;

  if (error == NULL || *error != NULL)
    return;
  words = g_strdup_vprintf (ls_translate (format), args);
  *error = g_error_new (LS_FX_ERROR, LS_FX_ERROR_FILE, "%s: %s", where, words);
}
