/* reduce-candidate: the program that holds so far, and what is asked about another. */
#include "engine/relax/well-formed.h"
#include "engine/script/reduce-private.h"
#include "engine/script/script.h"
#include "engine/tir/tir.h"

#include <string.h>

const char *
ls_reducer_text (LsReducer *self)
{
  return self->text;
}

gboolean
ls_reducer_failed (LsReducer *self)
{
  return self->error != NULL;
}

LsModule *
ls_reducer_read (const char *text,
                 LsNode    **only)
{
  g_autoptr (LsSource) source = ls_source_new ("candidate", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse_file (source, findings, only);

  if (module != NULL && !ls_diagnostics_has_error (findings) && ls_verify_module (module, findings) && ls_relax_verify_module (module, findings) &&
      module->functions->n > 0)
    return g_steal_pointer (&module);
  g_clear_pointer (only, ls_node_unref);
  return NULL;
}

char *
ls_reducer_print (LsModule *module,
                  LsNode   *only)
{
  LsScriptPrintOptions options = { .show_meta = TRUE };

  return ls_script_print (only != NULL ? only : LS_NODE (module), &options, NULL);
}

guint64
ls_reducer_weigh (const char *text)
{
  guint64 bytes = 0, numbers = 0;

  for (const char *at = text; *at != '\0';)
    if (g_ascii_isdigit (*at))
      {
        char *end;

        numbers += MIN (g_ascii_strtoull (at, &end, 10), 10000);
        bytes += (guint64) (end - at);
        at = end;
      }
    else
      {
        bytes += *at != ' ' && *at != '\n';
        at++;
      }
  return bytes << 32 | MIN (numbers, G_MAXUINT32);
}

gboolean
ls_reducer_try (LsReducer  *self,
                const char *candidate)
{
  g_autoptr (LsNode) only = NULL;
  g_autoptr (LsModule) module = NULL;
  g_autofree char *text = NULL;

  if (self->error != NULL || (module = ls_reducer_read (candidate, &only)) == NULL)
    return FALSE;
  text = ls_reducer_print (module, only);
  if (ls_reducer_weigh (text) >= self->weight || !g_hash_table_add (self->seen, g_strdup (text)))
    return FALSE;
  self->n_tried++;
  if (!self->test (text, self->user_data, &self->error))
    return FALSE;
  g_free (self->text);
  self->text = g_steal_pointer (&text);
  self->weight = ls_reducer_weigh (self->text);
  if (self->news != NULL)
    self->news (self->text, self->n_tried, self->user_data);
  return TRUE;
}
