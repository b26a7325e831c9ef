/* run/vm-words: see the header. */
#include "app/run/vm-words.h"

#include "app/rpc/rpc.h"

#include <glib/gi18n.h>

char *
ls_run_vm_register_words (GVariant *one)
{
  GString *words = g_string_new (NULL);
  gint64 block = ls_params_int (one, "block", -1);

  g_string_append_printf (words, "%sr%" G_GINT64_FORMAT ": %s", ls_params_bool (one, "changed", FALSE) || ls_params_bool (one, "wrote", FALSE) ? "• " : "", ls_params_int (one, "register", 0), ls_params_string (one, "words", "?"));
  if (block >= 0)
    g_string_append_printf (words, _(", block %d from byte %d on"), (int) block, (int) ls_params_int (one, "offset", 0));
  if (ls_params_string (one, "before", NULL) != NULL)
    g_string_append_printf (words, _("; before, %s lay there"), ls_params_string (one, "before", ""));
  if (!ls_params_bool (one, "written", TRUE))
    g_string_append (words, _("; not written yet"));
  return g_string_free (words, FALSE);
}

char *
ls_run_vm_block_words (GVariant *one)
{
  g_auto (GStrv) holds = ls_params_strv (one, "holds"), held = ls_params_strv (one, "held");
  g_autofree char *now = g_strjoinv (", ", holds);
  g_autofree char *past = g_strjoinv (", ", held);
  g_autofree char *head = g_strdup_printf (_("Block %d, %s: %s"), (int) ls_params_int (one, "block", 0), ls_params_string (one, "size", ""), *now != '\0' ? now : _("free"));

  return *past != '\0' ? g_strdup_printf (_("%s; before: %s"), head, past) : g_steal_pointer (&head);
}

char *
ls_run_vm_sentence (GVariant *look)
{
  const char *last = ls_params_string (look, "last", NULL), *did = ls_params_string (look, "did", "");

  if (last == NULL)
    return g_strdup_printf (ngettext ("Before the only instruction of the run.", "Before the first of %d instructions of the run.", (gulong) ls_params_int (look, "of", 0)),
                            (int) ls_params_int (look, "of", 0));
  return g_strdup (*did != '\0' ? did : last);          /* the list marks which it was */
}

char *
ls_run_vm_reason (GVariant *look)
{
  const char *next = ls_params_string (look, "next", NULL), *stopped = ls_params_string (look, "stopped-for", NULL);
  g_autofree char *reason = next != NULL ? g_strdup_printf (_("%s, next %d: %s"), ls_params_string (look, "function", "?"), (int) ls_params_int (look, "number", 0), next)
                                         : g_strdup (ls_params_string (look, "end", ""));
  g_autofree char *why = stopped != NULL ? g_strdup_printf (_("Stopped for %s."), stopped) : NULL;

  return why != NULL ? g_strdup_printf ("%s %s", why, reason) : g_steal_pointer (&reason);
}
