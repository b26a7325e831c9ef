/* asm: LLVM's assembly text taken apart by its `.loc` lines: runs of instructions that come from one line of the TVMScript text. */
#include "engine/codegen/codegen-private.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  GPtrArray  *groups;
  LsAsmGroup *group;            /* the one being filled, or NULL */
  char       *function;         /* NULL outside functions */
  guint       line;
  const char *prefix;
} Reader;

static const char *
skip_space (const char *text)
{
  while (*text == ' ' || *text == '\t')
    text++;
  return text;
}

static void
add_text (Reader     *self,
          const char *text)
{
  if (self->group == NULL || self->group->line != self->line)
    {
      self->group = g_new0 (LsAsmGroup, 1);
      self->group->line = self->line;
      self->group->function = g_strdup (self->function);
      self->group->instructions = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (self->groups, self->group);
    }
  g_ptr_array_add (self->group->instructions, g_strchomp (g_strdelimit (g_strdup (text), "\t", ' ')));
}

/* ".loc 1 8 0 ..." */
static void
read_loc (Reader     *self,
          const char *text)
{
  char *end;

  strtoul (text, &end, 10);
  self->line = (guint) strtoul (end, NULL, 10);
}

static void
begin_function (Reader     *self,
                const char *symbol)
{
  gsize length = strlen (self->prefix);

  g_free (self->function);
  self->function = g_strdup (strncmp (symbol, self->prefix, length) == 0 ? symbol + length : symbol);
  self->line = 0;
  self->group = NULL;
}

static gboolean
is_code_label (const char *text)
{
  return g_str_has_prefix (text, ".LBB");
}

static void
read_line (Reader     *self,
           char       *text,
           GHashTable *functions)
{
  const char *body = skip_space (text);
  gsize length = strlen (body);
  gboolean is_label = text == body && length > 0 && body[length - 1] == ':';

  if (g_str_has_prefix (body, ".loc\t") || g_str_has_prefix (body, ".loc "))
    read_loc (self, body + strlen (".loc "));
  else if (g_str_has_prefix (body, ".type") && strstr (body, "@function") != NULL)
    {
      const char *name = skip_space (body + strlen (".type"));

      g_hash_table_add (functions, g_strndup (name, strcspn (name, ",")));
    }
  else if (is_label && body[0] != '.')
    {
      text[strlen (text) - 1] = 0;
      if (g_hash_table_contains (functions, body))
        begin_function (self, body);
    }
  else if (is_label && is_code_label (body) && self->function != NULL)
    add_text (self, body + 1);
  else if (g_str_has_prefix (body, ".Lfunc_end") || g_str_has_prefix (body, ".section"))
    g_clear_pointer (&self->function, g_free);
  else if (self->function != NULL && !is_label && body[0] != '.' && body[0] != '#' && body[0] != 0)
    add_text (self, body);
}

GPtrArray *
ls_asm_parse (const char *assembly,
              const char *prefix)
{
  Reader self = { g_ptr_array_new_with_free_func ((GDestroyNotify) ls_asm_group_free), NULL, NULL, 0, prefix != NULL ? prefix : "" };
  g_autoptr (GHashTable) functions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_auto (GStrv) lines = g_strsplit (assembly, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    read_line (&self, lines[i], functions);
  g_free (self.function);
  return self.groups;
}

void
ls_asm_group_free (LsAsmGroup *self)
{
  g_free (self->function);
  g_ptr_array_unref (self->instructions);
  g_free (self);
}
