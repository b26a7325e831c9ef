/* session/source: from the lines of a step to those of the opened text and back; app/source-lines knows which. */
#include "app/session/engine-private.h"

#include <glib/gi18n.h>

void
ls_engine_session_forget_source (LsEngineSession *self)
{
  g_clear_pointer (&self->source_lines, ls_source_lines_free);
}

void
ls_engine_session_set_source (LsEngineSession *self,
                              guint32          source)
{
  ls_engine_session_forget_source (self);
  g_clear_pointer (&self->source_moves, g_hash_table_unref);
  self->source = source;
}

/* Made when the first line is asked for; borrowed. NULL: nothing is known. */
static LsSourceLines *
lines_of (LsEngineSession *self)
{
  LsScriptText *text = ls_session_get_script (LS_SESSION (self));

  if (self->history == NULL || self->source == 0 || text == NULL || self->text == NULL)
    return NULL;
  if (self->source_lines == NULL)
    self->source_lines = ls_source_lines_new (self->history, self->current, text, self->text, self->source, self->source_moves);
  return self->source_lines;
}

/* The step that the row is first there after. */
static guint
made_by (LsEngineSession *self,
         guint64          row)
{
  g_autoptr (GArray) path = ls_history_path_to (self->history, self->current);

  for (guint i = 0; i < path->len; i++)
    if (ls_session_find_entity (self->history, g_array_index (path, guint, i), row) != NULL)
      return ls_history_get (self->history, g_array_index (path, guint, i))->number;
  return 0;
}

static char *
numbers (const LsStem *stem)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < stem->n; i++)
    g_string_append_printf (text, "%s%u", i > 0 ? ", " : "", stem->lines[i]);
  return g_string_free (text, FALSE);
}

static char *
words_of (LsEngineSession *self,
          const LsStem    *stem)
{
  g_autofree char *lines = numbers (stem);

  switch (stem->how)
    {
    case LS_STEMS_EXACT:
    case LS_STEMS_LINEAGE:
      if (stem->n > 1)
        return g_strdup_printf (_("from lines %s of %s"), lines, self->name);
      return g_strdup_printf (_("from line %s of %s"), lines, self->name);
    case LS_STEMS_INSIDE:
      return g_strdup_printf (_("inside of what line %s of %s became"), lines, self->name);
    case LS_STEMS_NOWHERE:
      return g_strdup_printf (_("from no line of %s: step %u made it"), self->name, made_by (self, stem->row));
    case LS_STEMS_UNKNOWN:
      break;
    }

  return NULL;
}

/* Of a line whose statement comes from elsewhere than the opened text: an import of a torch.fx graph. (transfer full), or NULL */
static char *
words_of_import (LsEngineSession *self,
                 guint            line)
{
  LsScriptText *text = ls_session_get_script (LS_SESSION (self));
  const LsScriptLine *info = text != NULL && line < ls_script_text_n_lines (text) ? ls_script_text_line (text, line) : NULL;
  g_autoptr (LsSource) source = info != NULL && info->source != 0 && info->source != self->source ? ls_source_lookup (info->source) : NULL;
  g_autofree char *node = source != NULL ? ls_source_line (source, ls_source_place (source, info->source_byte).line) : NULL;

  /* Translators: the name of a node of a torch.fx graph, what it calls and, where known, its line of Python */
  return node != NULL ? g_strdup_printf (_("from FX node %s"), node) : NULL;
}

guint
ls_engine_session_find_source (LsSession  *session,
                               guint       line,
                               char      **words)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsSourceLines *lines = lines_of (self);
  const LsStem *stem = lines != NULL ? ls_source_lines_get (lines, line) : NULL;

  if (words != NULL)
    *words = words_of_import (self, line);
  if (words != NULL && *words == NULL && stem != NULL)
    *words = words_of (self, stem);
  return stem != NULL && stem->n > 0 ? stem->lines[0] : 0;
}

GArray *
ls_engine_session_find_result (LsSession  *session,
                               guint       line,
                               const char *word,
                               guint64    *row,
                               int        *family)
{
  LsSourceLines *lines = lines_of (LS_ENGINE_SESSION (session));

  return lines != NULL ? ls_source_lines_find (lines, line, word, row, family) : NULL;
}
