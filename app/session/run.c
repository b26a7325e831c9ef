/* session/run: the function that is run, and how its end is called. */
#include "app/session/run.h"

#include "app/rpc/rpc.h"

#include <glib/gi18n.h>
#include <string.h>

const char *
ls_run_function (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      return ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

  return NULL;
}

/* "SIGSEGV" out of the words of the worker's end. (transfer full) */
static char *
signal_of (const GError *error)
{
  const char *at = strstr (error->message, "SIG");
  gsize n = 0;

  while (at != NULL && g_ascii_isalnum (at[n]))
    n++;
  return at != NULL ? g_strndup (at, n) : g_strdup ("?");
}

char *
ls_run_end_words (const GError *error,
                  const char   *tag,
                  guint         timeout_ms)
{
  g_autofree char *number = NULL;

  if (g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_SIGNAL))
    {
      number = signal_of (error);
      return tag != NULL ? g_strdup_printf (_("The program was ended by %s while running step %s; nothing else is affected."), number, tag)
                         : g_strdup_printf (_("The program was ended by %s; nothing else is affected."), number);
    }
  if (g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_EXIT))
    return g_strdup (_("The program ended before it had an answer; nothing else is affected."));
  if (g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_TIMEOUT))
    return g_strdup_printf (_("There was no answer within %d s, so the run was ended; nothing else is affected."), (int) timeout_ms / 1000);
  return g_strdup (error->message);
}
