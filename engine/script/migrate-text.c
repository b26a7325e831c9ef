/* migrate-text: the tokens of a text, and the places in it that become others. */
#include "engine/script/migrate-private.h"

#include <string.h>

void
ls_migration_free (LsMigration *self)
{
  g_free (self->before);
  g_free (self->after);
  g_free (self);
}

static void
edit_clear (gpointer data)
{
  LsMigrateEdit *self = data;

  g_free (self->after);
  g_free (self->before);
}

/* ---- tokens ---- */

gboolean
ls_migrator_is_op (LsMigrator *self,
                   guint       at,
                   guint32     op)
{
  return at < self->n && self->tokens[at].kind == LS_TOKEN_OP && self->tokens[at].op == op;
}

gboolean
ls_migrator_is_word (LsMigrator *self,
                     guint       at,
                     const char *word)
{
  const LsToken *token = &self->tokens[at];

  return at < self->n && (token->kind == LS_TOKEN_NAME || token->kind == LS_TOKEN_KEYWORD) && token->end - token->start == strlen (word) &&
         strncmp (self->text + token->start, word, strlen (word)) == 0;
}

char *
ls_migrator_word (LsMigrator *self,
                  guint       at)
{
  return at < self->n ? g_strndup (self->text + self->tokens[at].start, self->tokens[at].end - self->tokens[at].start) : g_strdup ("");
}

void
ls_migrator_rewrite (LsMigrator *self,
                     gsize       start,
                     gsize       end,
                     const char *after,
                     const char *why)
{
  LsMigrateEdit edit = { start, end, g_strdup (after), g_strndup (self->text + start, end - start), why };

  if (after != NULL && strcmp (edit.before, after) == 0)
    {
      edit_clear (&edit);
      return;
    }
  g_array_append_val (self->edits, edit);
}

void
ls_migrator_replace (LsMigrator *self,
                     guint       from,
                     guint       to,
                     const char *after,
                     const char *why)
{
  ls_migrator_rewrite (self, self->tokens[from].start, self->tokens[to - 1].end, after, why);
}

void
ls_migrator_drop (LsMigrator *self,
                  guint       from,
                  guint       to,
                  const char *why)
{
  gsize end = self->tokens[to - 1].end;

  ls_migrator_replace (self, from, to, "", why);
  if (self->text[end] == '\n')
    {
      LsMigrateEdit rest = { end, end + 1, g_strdup (""), NULL, NULL };

      g_array_append_val (self->edits, rest);
    }
}

void
ls_migrator_insert (LsMigrator *self,
                    gsize       at,
                    const char *text)
{
  LsMigrateEdit edit = { at, at, g_strdup (text), NULL, NULL };

  g_array_append_val (self->edits, edit);
}

/* ---- the new text ---- */

static int
by_place (gconstpointer a,
          gconstpointer b)
{
  const LsMigrateEdit *x = a, *y = b;

  return x->start != y->start ? (x->start < y->start ? -1 : 1) : x->end < y->end ? -1 : x->end > y->end;
}

char *
ls_migrator_apply (LsMigrator *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize at = 0;

  g_array_sort (self->edits, by_place);
  for (guint i = 0; i < self->edits->len; i++)
    {
      LsMigrateEdit *edit = &g_array_index (self->edits, LsMigrateEdit, i);

      if (edit->before != NULL)
        {
          LsMigration *said = g_new0 (LsMigration, 1);
          LsPlace place = ls_source_place (self->source, (guint32) edit->start);
          gboolean inserted = edit->start == edit->end;

          *said = (LsMigration) { place.line, place.column, g_strdup (edit->before), NULL, edit->why };
          if (edit->after != NULL)
            said->after = inserted ? g_strconcat (edit->before, edit->after, NULL) : g_strdup (edit->after);
          g_ptr_array_add (self->report, said);
        }
      if (edit->after == NULL || edit->start < at)
        continue;
      g_string_append_len (text, self->text + at, edit->start - at);
      g_string_append (text, edit->after);
      at = edit->end;
    }
  g_string_append (text, self->text + at);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

GArray *
ls_migrate_edits_new (void)
{
  GArray *edits = g_array_new (FALSE, FALSE, sizeof (LsMigrateEdit));

  g_array_set_clear_func (edits, edit_clear);
  return edits;
}
