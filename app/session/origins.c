/* session/origins: from the lines of a step to those of the opened text and back; source-lines.c knows which. */
#include "app/session/origins.h"

#include "app/session/module.h"

#include <glib/gi18n.h>

struct _LsOrigins
{
  LsSession     *session;
  LsDocument    *document;
  guint32        source;        /* number of the opened text in the spans of its program; 0: the program was not read from it */
  GHashTable    *moves;         /* where its statements are in the text after an edit that left the program, or NULL */
  LsSourceLines *lines;         /* of what is shown, or NULL until asked for */
};

void
ls_origins_forget (LsOrigins *self)
{
  g_clear_pointer (&self->lines, ls_source_lines_free);
}

void
ls_origins_set_source (LsOrigins *self,
                       guint32    source)
{
  ls_origins_forget (self);
  g_clear_pointer (&self->moves, g_hash_table_unref);
  self->source = source;
}

void
ls_origins_follow (LsOrigins *self,
                   LsModule  *module)
{
  ls_origins_forget (self);
  g_clear_pointer (&self->moves, g_hash_table_unref);
  self->moves = ls_source_moves (ls_document_get_base (self->document), self->source, module);
}

/* Made when the first line is asked for; borrowed. NULL: nothing is known. */
static LsSourceLines *
lines_of (LsOrigins *self)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsScriptText *text = ls_session_get_script (self->session);

  if (opened->history == NULL || self->source == 0 || text == NULL || opened->text == NULL)
    return NULL;
  if (self->lines == NULL)
    self->lines = ls_source_lines_new (opened->history, opened->current, text, opened->text, self->source, self->moves);
  return self->lines;
}

/* The step that the row is first there after. */
static guint
made_by (const LsDocumentRecord *opened,
         guint64                 row)
{
  g_autoptr (GArray) path = ls_history_path_to (opened->history, opened->current);

  for (guint i = 0; i < path->len; i++)
    if (ls_session_find_entity (opened->history, g_array_index (path, guint, i), row) != NULL)
      return ls_history_get (opened->history, g_array_index (path, guint, i))->number;
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
words_of (const LsDocumentRecord *opened,
          const LsStem           *stem)
{
  g_autofree char *lines = numbers (stem);

  switch (stem->how)
    {
    case LS_STEMS_EXACT:
    case LS_STEMS_LINEAGE:
      if (stem->n > 1)
        return g_strdup_printf (_("from lines %s of %s"), lines, opened->name);
      return g_strdup_printf (_("from line %s of %s"), lines, opened->name);
    case LS_STEMS_INSIDE:
      return g_strdup_printf (_("inside of what line %s of %s became"), lines, opened->name);
    case LS_STEMS_NOWHERE:
      return g_strdup_printf (_("from no line of %s: step %u made it"), opened->name, made_by (opened, stem->row));
    case LS_STEMS_UNKNOWN:
      break;
    }

  return NULL;
}

/* Of a line whose statement comes from elsewhere than the opened text: an import of a torch.fx graph. (transfer full), or NULL */
static char *
words_of_import (LsOrigins *self,
                 guint      line)
{
  LsScriptText *text = ls_session_get_script (self->session);
  const LsScriptLine *info = text != NULL && line < ls_script_text_n_lines (text) ? ls_script_text_line (text, line) : NULL;
  g_autoptr (LsSource) source = info != NULL && info->source != 0 && info->source != self->source ? ls_source_lookup (info->source) : NULL;
  g_autofree char *node = source != NULL ? ls_source_line (source, ls_source_place (source, info->source_byte).line) : NULL;

  /* Translators: the name of a node of a torch.fx graph, what it calls and, where known, its line of Python */
  return node != NULL ? g_strdup_printf (_("from FX node %s"), node) : NULL;
}

guint
ls_origins_find_source (LsOrigins  *self,
                        guint       line,
                        char      **words)
{
  LsSourceLines *lines = lines_of (self);
  const LsStem *stem = lines != NULL ? ls_source_lines_get (lines, line) : NULL;

  if (words != NULL)
    *words = words_of_import (self, line);
  if (words != NULL && *words == NULL && stem != NULL)
    *words = words_of (ls_document_get (self->document), stem);
  return stem != NULL && stem->n > 0 ? stem->lines[0] : 0;
}

GArray *
ls_origins_find_result (LsOrigins  *self,
                        guint       line,
                        const char *word,
                        guint64    *row,
                        int        *family)
{
  LsSourceLines *lines = lines_of (self);

  return lines != NULL ? ls_source_lines_find (lines, line, word, row, family) : NULL;
}

/* ---- life ---------------------------------------------------------------------- */

LsOrigins *
ls_origins_new (LsSession  *session,
                LsDocument *document)
{
  LsOrigins *self = g_new0 (LsOrigins, 1);

  self->session = session;
  self->document = g_object_ref (document);
  return self;
}

void
ls_origins_free (LsOrigins *self)
{
  ls_origins_set_source (self, 0);
  g_object_unref (self->document);
  g_free (self);
}
