/* What was wrong with a cell, in a sentence. */
#include "app/lesson/runner.h"

#include "app/rpc/rpc.h"

#include <glib/gi18n.h>
#include <string.h>

char *
ls_run_describe_problem (GVariant *answer)
{
  const char *primitive = ls_params_string (answer, "primitive", NULL), *name = ls_params_string (answer, "name", "?");
  const char *message = ls_params_string (answer, "message", "");
  const char *finding = g_str_has_prefix (message, "error[") ? message : strstr (message, "\nerror["), *text = finding != NULL ? strstr (finding, "]: ") : NULL;
  g_autofree char *reason = text != NULL ? g_strndup (text + 3, strcspn (text + 3, "\n")) : NULL;

  if (reason != NULL && primitive != NULL)
    return g_strdup_printf (_("%s is refused: %s"), primitive, reason);
  if (reason != NULL)
    return g_strdup_printf ("%s: %s", name, reason);
  if (g_str_has_prefix (message, name) && g_str_has_prefix (message + strlen (name), ": "))
    return g_strdup (message);
  return g_strdup_printf ("%s: %s", name, message);
}
