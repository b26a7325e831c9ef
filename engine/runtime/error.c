/* The thread's last error: how compiled code and packed functions, which know no GError, say
 * what went wrong.
 */
#include "engine/runtime/runtime-private.h"

static GPrivate last_error = G_PRIVATE_INIT (g_free);

const char *
ls_runtime_last_error (void)
{
  const char *text = g_private_get (&last_error);

  return text != NULL ? text : "";
}

int
ls_runtime_fail (const char *format,
                 ...)
{
  va_list args;
  char *text;

  va_start (args, format);
  text = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  g_private_replace (&last_error, text);
  return -1;
}

int
ls_runtime_assert_failed (const char *message)
{
  return ls_runtime_fail ("%s", message);
}

void
ls_runtime_clear_error (void)
{
  if (g_private_get (&last_error) != NULL)
    g_private_replace (&last_error, NULL);
}

void
ls_runtime_error_to_g (GError         **error,
                       LsRuntimeError   code,
                       const char      *what)
{
  const char *text = ls_runtime_last_error ();

  g_set_error (error, LS_RUNTIME_ERROR, code, "%s%s%s", what, *what != '\0' ? ": " : "",
               *text != '\0' ? text : "an error without a text");
}

int
ls_runtime_fail_g (GError *error)
{
  ls_runtime_fail ("%s", error->message);
  g_error_free (error);
  return -1;
}
