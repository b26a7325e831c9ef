/* session/ready: see the header. */
#include "app/session/ready.h"

#include "engine/script/script.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

const char *
ls_ready_module_title (LsModule *module)
{
  return ls_array_n (module->global_vars) > 0
           ? ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint : _("module");
}

gboolean
ls_ready_check_text (const char  *name,
                     const char  *text,
                     gsize        length,
                     GError     **error)
{
  const char *end = text;
  guint line = 1;

  if (g_utf8_validate_len (text, length, &end))
    return TRUE;
  if (length > 16 && text[8] == '{' && text[7] == '\0')           /* the length of a header of JSON, and the header */
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("%s holds weights (safetensors) and no program; they are read beside the graph that names them."), name);
      return FALSE;
    }
  if (length > 4 && memcmp (text, "PK\003\004", 4) == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("%s is an archive and no program; the name of a program of torch.export ends with .pt2."), name);
      return FALSE;
    }
  for (const char *at = text; at < end; at++)
    line += *at == '\n';
  if (*end == '\0')
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("%s: line %u has a zero byte; text has none."), name, line);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("%s: line %u is not UTF-8 text."), name, line);
  return FALSE;
}

LsReady *
ls_ready_of (LsHistory *history,
             guint      current)
{
  LsReady *self = g_new0 (LsReady, 1);
  LsHistoryNode *node = ls_history_get (history, current);

  self->current = current;
  self->costs = ls_module_costs_new (ls_schedule_get_module (node->schedule));
  self->loops = ls_session_build_loops_from (history, current, self->costs, &self->flop);
  self->text = ls_session_build_text (history, current);
  if (node->number == 0)
    return self;
  self->before = ls_session_build_text (history, node->parent);
  ls_script_text_compare (self->before, self->text);
  return self;
}

LsReady *
ls_ready_new (LsModule *module,
              gboolean  lone,
              LsSource *steps)
{
  LsHistory *history;
  LsReady *self;
  guint current = 0;
  g_autofree char *root = g_strdup_printf (_("%s, as opened"), ls_ready_module_title (module));
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  history = ls_history_new (module, root);
  ls_history_set_lone (history, lone);
  if (steps != NULL)
    current = ls_history_replay (history, 0, steps, diagnostics);
  ls_history_prime (history);
  self = ls_ready_of (history, current);
  self->history = history;
  return self;
}

LsReady *
ls_ready_read (LsSource      *source,
               LsSource      *steps,
               LsDiagnostics *diagnostics)
{
  g_autoptr (LsNode) only = NULL;
  g_autoptr (LsModule) module = ls_script_parse_file (source, diagnostics, &only);

  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    return NULL;
  return ls_ready_new (module, only != NULL, steps != NULL ? steps : source);
}

void
ls_ready_free (LsReady *self)
{
  g_clear_pointer (&self->history, ls_history_free);
  g_clear_pointer (&self->loops, g_ptr_array_unref);
  g_clear_pointer (&self->costs, ls_module_costs_free);
  g_clear_object (&self->text);
  g_clear_object (&self->before);
  g_free (self);
}
