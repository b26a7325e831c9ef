/* models/named-values: see the header. */
#include "views/models/named-values.h"

#include <string.h>

#define KEY "ls-named-values"

typedef struct {
  LsScriptText *text;           /* that was shown when they were told, held */
  GHashTable   *words;
  char         *found;          /* the name that was asked for last */
} Told;

static void
told_free (gpointer data)
{
  Told *self = data;

  g_object_unref (self->text);
  g_hash_table_unref (self->words);
  g_free (self->found);
  g_free (self);
}

void
ls_named_values_set (LsSession  *session,
                     GHashTable *words)
{
  LsScriptText *text = ls_session_get_script (session);
  Told *self = NULL;

  if (words != NULL && text != NULL)
    {
      self = g_new0 (Told, 1);
      self->text = g_object_ref (text);
      self->words = words;
    }
  else if (words != NULL)
    g_hash_table_unref (words);
  g_object_set_data_full (G_OBJECT (session), KEY, self, told_free);
}

/* Is the place in a function of Relax? Functions of TensorIR have names of their own, which may read the same. */
static gboolean
is_in_graph (const char *text,
             const char *at)
{
  for (; at > text; at--)
    {
      const char *line = at;

      while (line > text && line[-1] != '\n')
        line--;
      line += strspn (line, " ");
      if (g_str_has_prefix (line, "@R.function"))
        return TRUE;
      if (g_str_has_prefix (line, "@T.prim_func"))
        return FALSE;
      while (at > text && at[-1] != '\n')
        at--;
    }
  return FALSE;
}

const char *
ls_named_values_get (LsSession    *session,
                     LsScriptText *text,
                     guint         offset)
{
  Told *self = g_object_get_data (G_OBJECT (session), KEY);
  const LsScriptMention *name = self != NULL && self->text == text ? ls_script_text_name_at (text, offset) : NULL;
  const char *all = name != NULL ? ls_script_text_get_text (text) : NULL, *start;

  if (name == NULL)
    return NULL;
  start = g_utf8_offset_to_pointer (all, (glong) name->start);
  if (!is_in_graph (all, start))
    return NULL;
  g_free (self->found);
  self->found = g_utf8_substring (all, (glong) name->start, (glong) name->end);
  return g_hash_table_lookup (self->words, self->found);
}
