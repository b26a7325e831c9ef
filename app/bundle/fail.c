/* bundle/fail: see the header. */
#include "app/bundle/fail.h"

#include "engine/base/base.h"
#include "engine/device/device.h"

gboolean
ls_bundle_fail (GError    **error,
                const char *format,
                ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  g_set_error_literal (error, LS_DEVICE_ERROR, LS_DEVICE_ERROR_UNSUPPORTED, text);
  return FALSE;
}
