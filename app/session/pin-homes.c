/* session/pin-homes: which function and block the names of a text belong to. */
#include "app/session/pins-private.h"

#include <string.h>

static void
home_free (gpointer data)
{
  LsPinHome *self = data;

  g_free (self->name);
  g_free (self->function);
  g_free (self->block);
  g_free (self);
}

typedef struct {
  guint           indent;
  const LsEntity *block;
} Open;

/* Goes over the lines of a text from above. */
typedef struct {
  LsVersion    *version;
  LsScriptText *text;
  const char   *at;             /* start of the line */
  guint         character;      /* of it */
  guint         length;         /* characters with the line end */
  guint         line;
  GArray       *open;           /* of Open: blocks around */
  char         *function;       /* or NULL */
} Lines;

static void
enter_line (Lines *self)
{
  const char *end = strchr (self->at, '\n');
  guint indent = (guint) strspn (self->at, " ");
  const LsScriptLine *line = self->line < ls_script_text_n_lines (self->text) ? ls_script_text_line (self->text, self->line) : NULL;
  gint block;

  self->length = (guint) g_utf8_strlen (self->at, end != NULL ? end - self->at : -1) + 1;
  if (self->at[indent] == '\n' || self->at[indent] == '\0' || self->at[indent] == '#')
    return;
  while (self->open->len > 0 && g_array_index (self->open, Open, self->open->len - 1).indent >= indent)
    g_array_set_size (self->open, self->open->len - 1);
  if (g_str_has_prefix (self->at + indent, "def "))
    {
      g_free (self->function);
      self->function = g_strndup (self->at + indent + 4, strcspn (self->at + indent + 4, "(\n"));
    }
  block = line != NULL && line->id > 0 ? ls_version_find_id (self->version, (guint) (line->id - 1)) : -1;
  if (block >= 0 && ls_version_at (self->version, block)->type == LS_ENTITY_BLOCK)
    {
      Open open = { indent, ls_version_at (self->version, block) };

      g_array_append_val (self->open, open);
    }
}

static void
go_to_character (Lines *self,
                 guint  character)
{
  const char *end;

  while (character >= self->character + self->length && (end = strchr (self->at, '\n')) != NULL)
    {
      self->character += self->length;
      self->at = end + 1;
      self->line++;
      enter_line (self);
    }
}

static LsPinHome *
home_new (Lines                 *lines,
          const LsScriptMention *name,
          GHashTable            *counts)
{
  const LsEntity *block = lines->open->len > 0 ? g_array_index (lines->open, Open, lines->open->len - 1).block : NULL;
  LsPinHome *home = g_new0 (LsPinHome, 1);
  g_autofree char *key = NULL;

  home->name = g_utf8_substring (lines->at, name->start - lines->character, name->end - lines->character);
  home->function = g_strdup (lines->function);
  home->block = block != NULL ? g_strdup (ls_entity_name (block)) : NULL;
  home->id = block != NULL ? block->id : LS_PIN_NO_ID;
  key = g_strdup_printf ("%s %u %s", lines->function != NULL ? lines->function : "", home->id, home->name);
  home->nth = GPOINTER_TO_UINT (g_hash_table_lookup (counts, key));
  g_hash_table_insert (counts, g_steal_pointer (&key), GUINT_TO_POINTER (home->nth + 1));
  return home;
}

GHashTable *
ls_pin_homes (LsVersion    *version,
              LsScriptText *text)
{
  GHashTable *homes = g_hash_table_new_full (NULL, NULL, NULL, home_free);
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (Open));
  Lines lines = { .version = version, .text = text, .at = ls_script_text_get_text (text), .open = open };

  enter_line (&lines);
  for (guint i = 0; i < ls_script_text_n_names (text); i++)
    {
      const LsScriptMention *name = ls_script_text_get_name (text, i);

      if (ls_script_text_peek_thing (text, name->thing)->start != name->start)
        continue;
      go_to_character (&lines, name->start);
      g_hash_table_insert (homes, GUINT_TO_POINTER (name->thing), home_new (&lines, name, counts));
    }
  g_free (lines.function);
  return homes;
}
