/* complete: the text of a module that LLVM's parser may take, made from a dump of a function or two.
 *
 * Without -print-module-scope LLVM prints a function without what it mentions.  Types come from the module that was printed last; other functions and
 * variables become declarations, metadata becomes empty; what is only about debugging is left out. */
#include "engine/passlog/private.h"

#include <string.h>

/* ---- names in a text ---- */

/* Length of the name at a sign: what stands in quotes, or letters, digits and _ . $ -; 0: none. */
static gsize
name_length (const char *at)
{
  const char *stop;
  gsize n = 0;

  if (*at == '"')
    return (stop = strchr (at + 1, '"')) != NULL ? (gsize) (stop - at) + 1 : 0;
  while (ls_pass_is_word (at[n]))
    n++;
  return n;
}

static gboolean
add_name (GHashTable *names,
          const char *at,
          gsize       n,
          guint       value)
{
  char *name = g_strndup (at, n);

  if (g_hash_table_contains (names, name))
    {
      g_free (name);
      return FALSE;
    }
  return g_hash_table_insert (names, name, GUINT_TO_POINTER (value));
}

/* The address space that stands in front of a name: "ptr addrspace(3) @x". */
static guint
space_before (const char *text,
              const char *at)
{
  const char *open;

  if (at - text < 3 || at[-1] != ' ' || at[-2] != ')')
    return 0;
  for (open = at - 3; open > text && g_ascii_isdigit (*open); open--)
    ;
  if (*open != '(' || open - text < 9 || memcmp (open - 9, "addrspace", 9) != 0)
    return 0;
  return (guint) MIN (g_ascii_strtoull (open + 1, NULL, 10), 0xffffff);
}

typedef struct {
  GHashTable *globals;          /* name to address space */
  GHashTable *metadata, *types, *comdats;       /* sets of names */
} Mentions;

static void
mentions_init (Mentions *self)
{
  GHashTable **tables[] = { &self->globals, &self->metadata, &self->types, &self->comdats };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    *tables[i] = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static void
mentions_clear (Mentions *self)
{
  g_hash_table_unref (self->globals);
  g_hash_table_unref (self->metadata);
  g_hash_table_unref (self->types);
  g_hash_table_unref (self->comdats);
}

static void
collect (Mentions   *self,
         const char *text)
{
  gboolean quoted = FALSE;

  for (const char *at = text; *at != '\0'; at++)
    {
      gsize n = !quoted && strchr ("@%!$", *at) != NULL ? name_length (at + 1) : 0;

      if (n > 0 && *at == '@')
        add_name (self->globals, at + 1, n, space_before (text, at));
      else if (n > 0 && *at == '%')
        add_name (self->types, at + 1, n, 0);
      else if (n > 0 && *at == '$')
        add_name (self->comdats, at + 1, n, 0);
      else if (n > 0 && g_ascii_isdigit (at[1]))
        add_name (self->metadata, at + 1, n, 0);
      if (n > 0)
        at += n;
      else if (*at == ';' && !quoted)
        at += strcspn (at, "\n") - 1;
      else if (*at == '"' || *at == '\n')
        quoted = *at == '"' && !quoted;
    }
}

/* Functions that the text has; one of them alone in its group. */
static void
drop_defined (Mentions   *self,
              const char *text)
{
  for (const char *at = text; at != NULL; at = strchr (at, '\n'))
    {
      const char *end, *name;
      gsize n;

      at += *at == '\n';
      if (!g_str_has_prefix (at, "define "))
        continue;
      end = at + strcspn (at, "\n");
      name = memchr (at, '@', (gsize) (end - at));
      if (name == NULL || (n = name_length (name + 1)) == 0)
        continue;
      {
        g_autofree char *line = g_strndup (at, (gsize) (end - at)), *key = g_strndup (name + 1, n);

        g_hash_table_remove (self->globals, key);
        if (strstr (line + (name - at), " comdat") != NULL && strstr (line + (name - at), " comdat(") == NULL)
          add_name (self->comdats, name + 1, n, 0);
      }
    }
}

/* ---- types ---- */

/* Does a dump begin as a module does? */
static gboolean
is_module (const char *text,
           gsize       size)
{
  static const char *const STARTS[] = { "; ModuleID", "source_filename", "target " };

  while (size > 0 && g_ascii_isspace (*text))
    text++, size--;
  for (guint i = 0; i < G_N_ELEMENTS (STARTS); i++)
    if (size >= strlen (STARTS[i]) && memcmp (text, STARTS[i], strlen (STARTS[i])) == 0)
      return TRUE;
  return FALSE;
}

/* The dump of a module that is the last one up to a dump, else the first behind it: a log may be of several modules. -1: there is none. */
static int
find_module (LsPassLog *log,
             guint      number)
{
  for (guint step = 0; step < log->dumps->len; step++)
    {
      guint at = step <= number ? number - step : step;
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, at);

      if (dump->language == LS_PASS_LOG_LLVM && dump->other > dump->start
          && is_module (ls_pass_log_text (log, dump->file, NULL) + dump->start, dump->other - dump->start))
        return (int) at;
    }
  return -1;
}

/* "%struct.list = type { ptr, i32 }" of a module: name to the line. (transfer full) */
static GHashTable *
read_types (LsPassLog *log,
            int        number)
{
  GHashTable *types = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  LsPassDump *dump = number >= 0 ? &g_array_index (log->dumps, LsPassDump, number) : NULL;
  const char *text = dump != NULL ? ls_pass_log_text (log, dump->file, NULL) : "", *end = text;

  if (dump != NULL)
    end += dump->n > 0 && g_array_index (log->parts, LsPassPart, dump->first).start > dump->start ? g_array_index (log->parts, LsPassPart, dump->first).start : dump->other;
  for (const char *at = text + (dump != NULL ? dump->start : 0); at < end;)
    {
      const char *stop = memchr (at, '\n', (gsize) (end - at));
      gsize length = (gsize) ((stop != NULL ? stop : end) - at);
      g_autofree char *line = *at == '%' ? g_strndup (at, length) : NULL;
      gsize n = line != NULL ? name_length (line + 1) : 0;

      if (n > 0 && g_str_has_prefix (line + 1 + n, " = type "))
        g_hash_table_insert (types, g_strndup (line + 1, n), g_strdup (line));
      at += length + 1;
    }
  return types;
}

/* Those that are mentioned, and those that they mention. */
static void
put_types (GString    *text,
           GHashTable *types,
           GHashTable *mentioned)
{
  g_autoptr (GHashTable) done = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) queue = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer mention;

  g_hash_table_iter_init (&iter, mentioned);
  while (g_hash_table_iter_next (&iter, &mention, NULL))
    g_ptr_array_add (queue, mention);
  for (guint i = 0; i < queue->len; i++)
    {
      const char *line = g_hash_table_lookup (types, queue->pdata[i]);

      if (line == NULL || !g_hash_table_add (done, queue->pdata[i]))
        continue;
      g_string_append_printf (text, "%s\n", line);
      for (const char *at = strchr (line + 1, '%'); at != NULL; at = strchr (at + 1, '%'))
        {
          g_autofree char *name = g_strndup (at + 1, name_length (at + 1));
          gpointer key;

          if (g_hash_table_lookup_extended (types, name, &key, NULL))
            g_ptr_array_add (queue, key);
        }
    }
}

/* ---- a module ---- */

static char *
complete (LsPassLog  *log,
          guint       dump,
          const char *function)
{
  g_autofree char *text = ls_pass_text_hide (function, LS_PASS_LOG_LLVM, LS_PASS_HIDE_METADATA | LS_PASS_HIDE_DEBUG);
  g_autoptr (GHashTable) types = read_types (log, find_module (log, dump));
  GString *module = g_string_new (NULL);
  Mentions mentions;
  GHashTableIter iter;
  gpointer name, value;

  mentions_init (&mentions);
  collect (&mentions, text);
  drop_defined (&mentions, text);
  put_types (module, types, mentions.types);
  g_hash_table_iter_init (&iter, mentions.comdats);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_string_append_printf (module, "$%s = comdat any\n", (char *) name);
  g_hash_table_iter_init (&iter, mentions.globals);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (!g_str_has_prefix (name, "llvm."))              /* LLVM declares its own where they are called */
      {
        g_autofree char *space = value != NULL ? g_strdup_printf ("addrspace(%u) ", GPOINTER_TO_UINT (value)) : g_strdup ("");

        g_string_append_printf (module, "@%s = external %sglobal i8\n", (char *) name, space);
      }
  g_string_append (module, text);
  g_string_append_c (module, '\n');
  g_hash_table_iter_init (&iter, mentions.metadata);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_string_append_printf (module, "!%s = !{}\n", (char *) name);
  mentions_clear (&mentions);
  return g_string_free (module, FALSE);
}

char *
ls_pass_log_part_module (LsPassLog   *self,
                         guint        number,
                         gboolean     before,
                         const char **words)
{
  LsPassPart *part = &g_array_index (self->parts, LsPassPart, number);
  LsPassDump *dump = &g_array_index (self->dumps, LsPassDump, part->dump);
  const char *text = ls_pass_log_text (self, dump->file, NULL);
  g_autofree char *function = NULL;

  *words = ls_pass_reason_text (LS_PASS_REASON_NO_LLVM);
  if (dump->language != LS_PASS_LOG_LLVM)
    return NULL;
  if (!part->patch && is_module (text + dump->start, dump->other - dump->start))
    return g_strndup (text + dump->start, dump->other - dump->start);
  function = part->patch ? ls_pass_patch_side (text + part->start, part->end - part->start, !before) : ls_pass_log_part_text (self, number);
  *words = ls_pass_reason_text (g_str_has_prefix (function, "# Machine code for function ") ? LS_PASS_REASON_MACHINE : LS_PASS_REASON_PIECE);
  return g_str_has_prefix (function, "define ") ? complete (self, part->dump, function) : NULL;
}
