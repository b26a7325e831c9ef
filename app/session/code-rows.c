/* session/code-rows: groups of instructions joined with the lines of the text; what a loop holds follows from the indentation. */
#include "app/session/code-rows.h"

#include <string.h>

struct _LsCodeRow
{
  GObject      parent_instance;

  LsCodeRecord record;
};

G_DEFINE_FINAL_TYPE (LsCodeRow, ls_code_row, G_TYPE_OBJECT)

static void
ls_code_row_finalize (GObject *object)
{
  LsCodeRecord *record = &LS_CODE_ROW (object)->record;

  g_free (record->function);
  g_free (record->source);
  g_strfreev (record->remarks);
  g_free (record->instructions);
  G_OBJECT_CLASS (ls_code_row_parent_class)->finalize (object);
}

static void
ls_code_row_class_init (LsCodeRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_code_row_finalize;
}

static void
ls_code_row_init (LsCodeRow *self)
{
}

const LsCodeRecord *
ls_code_row_get (LsCodeRow *self)
{
  return &self->record;
}

/* ---- rows ----------------------------------------------------------------------- */

/* Each remark once: LLVM says some for every loop that it made of one. (transfer full), or NULL */
static char **
remarks_of (GVariant *remarks,
            guint     line)
{
  g_autoptr (GPtrArray) said = g_ptr_array_new_with_free_func (g_free);
  const char *sentence;
  GVariantIter iter;
  guint at;

  g_variant_iter_init (&iter, remarks);
  while (g_variant_iter_next (&iter, "(u&s)", &at, &sentence))
    if (at == line && !g_ptr_array_find_with_equal_func (said, sentence, g_str_equal, NULL))
      g_ptr_array_add (said, g_strdup (sentence));
  if (said->len == 0)
    return NULL;
  g_ptr_array_add (said, NULL);
  return (char **) g_ptr_array_steal (said, NULL);
}

/* Adds rows for a group: one, or of an unrolled one as many as keep each low. */
static void
add_group (GListStore  *rows,
           guint        line,
           const char  *function,
           const char  *source,
           char       **remarks,
           guint        at,
           const char **instructions)
{
  guint n = g_strv_length ((char **) instructions);

  for (guint from = 0; from == 0 || from < n; from += LS_CODE_MOST)
    {
      g_autoptr (LsCodeRow) row = g_object_new (LS_TYPE_CODE_ROW, NULL);
      LsCodeRecord *record = &row->record;
      GString *text = g_string_new (NULL);

      for (guint i = from; i < MIN (n, from + LS_CODE_MOST); i++)
        {
          g_string_append_printf (text, "%s%s", i > from ? "\n" : "", instructions[i]);
          record->n_instructions += !g_str_has_suffix (instructions[i], ":");
        }
      record->line = line;
      record->at = at + from;
      record->function = g_strdup (function);
      record->source = g_strdup (from == 0 ? source : NULL);
      record->remarks = from == 0 ? g_strdupv (remarks) : NULL;
      record->instructions = g_string_free (text, FALSE);
      g_list_store_append (rows, row);
    }
}

GListStore *
ls_code_rows_new (GVariant     *answer,
                  LsScriptText *text)
{
  GListStore *rows = g_list_store_new (LS_TYPE_CODE_ROW);
  g_auto (GStrv) lines = g_strsplit (ls_script_text_get_text (text), "\n", -1);
  g_autoptr (GVariant) groups = g_variant_lookup_value (answer, "groups", G_VARIANT_TYPE ("a(usas)"));
  g_autoptr (GVariant) remarks = g_variant_lookup_value (answer, "remarks", G_VARIANT_TYPE ("a(us)"));
  g_autoptr (GHashTable) remarked = g_hash_table_new (NULL, NULL);
  const char *before = "";
  guint at = 0;

  for (gsize i = 0; groups != NULL && i < g_variant_n_children (groups); i++)
    {
      g_autofree const char **instructions = NULL;
      g_autofree char *source = NULL;
      g_auto (GStrv) said = NULL;
      const char *function;
      guint line;

      g_variant_get_child (groups, i, "(u&s^a&s)", &line, &function, &instructions);
      if (line > g_strv_length (lines))
        line = 0;
      if (line > 0)
        source = g_strstrip (g_strdup (lines[line - 1]));
      else if (strcmp (before, function) != 0)
        source = g_strdup (function);
      if (remarks != NULL && line > 0 && g_hash_table_add (remarked, GUINT_TO_POINTER (line)))
        said = remarks_of (remarks, line);
      add_group (rows, line, function, source, said, at, instructions);
      at += g_strv_length ((char **) instructions);
      before = function;
    }
  return rows;
}

/* ---- lines ---------------------------------------------------------------------- */

static const char *
line_at (LsScriptText *text,
         guint         line)
{
  const char *at = ls_script_text_get_text (text);

  for (; line > 1 && at != NULL; line--)
    {
      at = strchr (at, '\n');
      at = at != NULL ? at + 1 : NULL;
    }
  return at;
}

/* Empty lines are as deep as can be: they end nothing. */
static guint
depth_of (const char *line)
{
  guint spaces = (guint) strspn (line, " ");

  return line[spaces] == '\n' || line[spaces] == '\0' ? G_MAXUINT : spaces;
}

static guint
line_of_character (LsScriptText *text,
                   guint         character)
{
  const char *start = ls_script_text_get_text (text), *end = g_utf8_offset_to_pointer (start, character);
  guint line = 1;

  for (const char *at = start; at < end; at++)
    line += *at == '\n';
  return line;
}

/* The first mention of a loop is where it is opened; blocks are known by their lines. */
static guint
opening_line (LsScriptText *text,
              guint64       id)
{
  for (guint i = 0; i < ls_script_text_n_lines (text); i++)
    if (ls_script_text_line (text, i)->id == id)
      return i + 1;
  for (guint i = 0; i < ls_script_text_n_spans (text); i++)
    if (ls_script_text_get_span (text, i)->id == id)
      return line_of_character (text, ls_script_text_get_span (text, i)->start);
  return 0;
}

gboolean
ls_code_lines_of (LsScriptText *text,
                  guint64       id,
                  guint        *first,
                  guint        *last)
{
  guint n = ls_script_text_n_lines (text), depth;
  const char *at;

  *first = *last = id != 0 ? opening_line (text, id) : 0;
  if (*first == 0)
    return FALSE;
  at = line_at (text, *first);
  depth = depth_of (at);
  while (*last < n && (at = strchr (at, '\n')) != NULL && depth_of (++at) > depth)
    ++*last;
  return TRUE;
}

guint64
ls_code_id_at (LsScriptText *text,
               guint         line)
{
  guint depth = G_MAXUINT;

  for (; line > 0 && line <= ls_script_text_n_lines (text); line--)
    {
      guint here = depth_of (line_at (text, line));

      if (here >= depth)
        continue;
      depth = here;
      if (ls_script_text_line (text, line - 1)->id != 0)
        return ls_script_text_line (text, line - 1)->id;
    }
  return 0;
}

char *
ls_code_function_at (LsScriptText *text,
                     guint         line)
{
  for (; line > 0 && line <= ls_script_text_n_lines (text); line--)
    {
      const char *at = line_at (text, line);

      at += strspn (at, " ");
      if (g_str_has_prefix (at, "def "))
        return g_strndup (at + 4, strcspn (at + 4, "(\n"));
    }
  return NULL;
}

guint8
ls_code_pins_of_line (LsScriptText *text,
                      guint         line)
{
  const char *at = ls_script_text_n_pins (text) > 0 && line > 0 ? line_at (text, line) : NULL;
  const char *end = at != NULL ? strchr (at, '\n') : NULL;
  guint8 pins = 0;
  guint from, to;

  if (at == NULL)
    return 0;
  from = (guint) g_utf8_strlen (ls_script_text_get_text (text), at - ls_script_text_get_text (text));
  to = from + (guint) g_utf8_strlen (at, end != NULL ? end - at : -1);
  for (guint i = ls_script_text_find_pin (text, from); i < ls_script_text_n_pins (text) && ls_script_text_get_pin (text, i)->start < to; i++)
    pins |= ls_script_text_get_pin (text, i)->pins;
  return pins;
}
