/* code-place: see the header.
 *
 * What calls what is found by names: a word in a function is a call of the function of that name in the same file, else
 * of the one in another file that is not static.  Words in comments and strings do not count.
 */
#include "engine/schedule/explain/code-place.h"

#include "engine/base/table-order.h"
#include "engine/schedule/ls-schedule-code.h"

#include <string.h>

#define FOLDER "/org/loopscope/code/"
#define MOST_STATEMENT 12       /* lines of a call that refuses */
#define MOST_WORD 128           /* letters of a name that is looked for */

typedef struct _File File;

typedef struct {
  File      *file;
  char      *name;
  guint      first;             /* of the comment above */
  guint      line;              /* of the name */
  guint      last;
  gboolean   is_static;
  GPtrArray *calls;             /* of Function; find_calls() */
} Function;

struct _File {
  const char *path;
  char       *text;
  GStrv       lines;
  GArray     *functions;        /* of Function */
  GHashTable *by_name;          /* of these: char * -> Function *, borrowed */
};

/* ---- reading a file ---------------------------------------------------------------- */

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* "name (" in the first column, below a return type; a macro stands alone. */
static gsize
head_length (GStrv lines,
             guint at)
{
  const char *line = lines[at];
  gsize n = 0;

  if (at == 0 || !is_word (*lines[at - 1]))
    return 0;

  while (is_word (line[n]))
    n++;
  return n > 0 && !g_ascii_isdigit (*line) && g_str_has_prefix (line + n, " (") ? n : 0;
}

/* Number of the line with the brace that closes what begins at `at`; 0: it is a declaration. */
static guint
find_end (GStrv lines,
          guint at)
{
  gboolean opened = FALSE;

  for (guint i = at; lines[i] != NULL; i++)
    {
      if (!opened && g_str_has_suffix (lines[i], ";"))
        return 0;
      if (strcmp (lines[i], "{") == 0)
        opened = TRUE;
      if (opened && strcmp (lines[i], "}") == 0)
        return i;
    }
  return 0;
}

/* The return type and the comment above a name. */
static guint
find_begin (GStrv lines,
            guint at)
{
  while (at > 0 && *lines[at - 1] != '\0' && *lines[at - 1] != '}' && *lines[at - 1] != '#')
    at--;
  return at;
}

static void
function_clear (gpointer data)
{
  g_free (((Function *) data)->name);
  g_clear_pointer (&((Function *) data)->calls, g_ptr_array_unref);
}

static void
file_free (gpointer data)
{
  File *self = data;

  g_free (self->text);
  g_strfreev (self->lines);
  g_hash_table_unref (self->by_name);
  g_array_unref (self->functions);
  g_free (self);
}

static File *
file_read (const char *path)
{
  g_autofree char *name = g_strconcat (FOLDER, path, NULL);
  g_autoptr(GBytes) bytes = g_resource_lookup_data (ls_schedule_code_get_resource (), name, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  File *self = g_new0 (File, 1);

  self->path = path;
  self->text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  self->lines = g_strsplit (self->text, "\n", -1);
  self->functions = g_array_new (FALSE, FALSE, sizeof (Function));
  g_array_set_clear_func (self->functions, function_clear);
  for (guint i = 0; self->lines[i] != NULL; i++)
    {
      gsize n = head_length (self->lines, i);
      guint end = n > 0 ? find_end (self->lines, i) : 0;

      if (end > 0)
        {
          Function one = { self, g_strndup (self->lines[i], n), find_begin (self->lines, i) + 1, i + 1, end + 1,
                           g_str_has_prefix (self->lines[i - 1], "static "), NULL };

          g_array_append_val (self->functions, one);
          i = end;
        }
    }
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = self->functions->len; i-- > 0;)
    {
      Function *one = &g_array_index (self->functions, Function, i);

      g_hash_table_insert (self->by_name, one->name, one);
    }
  return self;
}

/* Reads what is in a folder, "engine/schedule/", and in the folders in it. */
static void
read_folder (GHashTable *files,
             const char *folder)
{
  g_autofree char *inside = g_strconcat (FOLDER, folder, NULL);
  g_auto(GStrv) names = g_resource_enumerate_children (ls_schedule_code_get_resource (), inside, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  for (guint n = 0; names != NULL && names[n] != NULL; n++)
    {
      g_autofree char *path = g_strconcat (folder, names[n], NULL);

      if (g_str_has_suffix (path, "/"))
        {
          read_folder (files, path);
        }
      else if (g_str_has_suffix (path, ".c"))
        {
          File *file = file_read (g_intern_string (path));

          g_hash_table_insert (files, (gpointer) file->path, file);
        }
    }
}

/* All files, read when somebody asks for the first time.  `names` (may be NULL): their keys, sorted. */
static GHashTable *
all_files (GPtrArray **names)
{
  static gsize once;
  static GHashTable *files;
  static GPtrArray *sorted;

  if (g_once_init_enter (&once))
    {
      files = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, file_free);
      read_folder (files, "engine/schedule/");
      sorted = ls_table_names (files);
      g_once_init_leave (&once, 1);
    }
  if (names != NULL)
    *names = sorted;
  return files;
}

static File *
get_file (const char *path)
{
  return g_hash_table_lookup (all_files (NULL), path);
}

/* ---- places ---------------------------------------------------------------------------- */

const char *
ls_code_text (const char *file)
{
  File *found = get_file (file);

  return found != NULL ? found->text : NULL;
}

char *
ls_code_lines (const char *file,
               guint       first,
               guint       last)
{
  File *found = get_file (file);
  GString *out = g_string_new (NULL);

  for (guint i = 0; found != NULL && found->lines[i] != NULL && i < last; i++)
    if (i + 1 >= first)
      g_string_append_printf (out, "%s\n", found->lines[i]);
  return g_string_free (out, FALSE);
}

static const Function *
function_around (File *file,
                 guint line)
{
  for (guint i = 0; i < file->functions->len; i++)
    {
      const Function *one = &g_array_index (file->functions, Function, i);

      if (line >= one->first && line <= one->last)
        return one;
    }
  return NULL;
}

static void
set_place (LsCodePlace *place,
           File        *file,
           guint        line)
{
  const Function *around = function_around (file, line);

  *place = (LsCodePlace) { file->path, line, around != NULL ? around->first : line, around != NULL ? around->last : line };
}

static gboolean
refuses (const char *line)
{
  return strstr (line, "ls_move_refuse (") != NULL || strstr (line, "ls_move_warn (") != NULL;
}

/* Compilers do not agree on which line of a call over several lines __LINE__ is. */
static guint
begin_of_statement (File *file,
                    guint line)
{
  for (guint i = 0; i < MOST_STATEMENT && i < line; i++)
    if (refuses (file->lines[line - 1 - i]))
      return line - i;
  return line;
}

gboolean
ls_code_place_at (const char  *file,
                  guint        line,
                  LsCodePlace *place)
{
  File *found = file != NULL ? get_file (file) : NULL;

  if (found == NULL || line == 0 || line > g_strv_length (found->lines))
    return FALSE;
  set_place (place, found, begin_of_statement (found, line));
  return TRUE;
}

/* ---- rows of the table -------------------------------------------------------------------- */

static Function *
function_named (File       *file,
                const char *name,
                gsize       length)
{
  g_autofree char *word = g_strndup (name, length);

  return g_hash_table_lookup (file->by_name, word);
}

/* The file with the row and the row's number of line; NULL: none. */
static File *
find_row (const LsInstruction *instruction,
          guint               *line)
{
  g_autofree char *head = g_strdup_printf ("const LsInstruction ls_instruction_%s = {", instruction->name);
  GPtrArray *names;
  GHashTable *files = all_files (&names);

  for (guint n = 0; n < names->len; n++)
    {
      File *file = g_hash_table_lookup (files, names->pdata[n]);

      for (guint i = 0; file->lines[i] != NULL; i++)
        if (strcmp (file->lines[i], head) == 0)
          {
            *line = i + 1;
            return file;
          }
    }
  return NULL;
}

/* What a row at a line has in a field: "  .apply = apply_bind,"; NULL: nothing. */
static Function *
function_of_row (File       *file,
                 guint       row,
                 const char *field)
{
  for (guint i = row; file->lines[i] != NULL && strcmp (file->lines[i], "};") != 0; i++)
    if (g_str_has_prefix (file->lines[i], field))
      {
        const char *name = file->lines[i] + strlen (field);

        return function_named (file, name, strcspn (name, ","));
      }
  return NULL;
}

gboolean
ls_code_place_of (const LsInstruction *instruction,
                  LsCodePlace         *place)
{
  guint row;
  File *file = find_row (instruction, &row);
  const Function *apply = file != NULL ? function_of_row (file, row, "  .apply = ") : NULL;

  if (apply == NULL)
    return FALSE;
  set_place (place, file, apply->line);
  return TRUE;
}

/* ---- what a row reaches ---------------------------------------------------------------------- */

/* Past a comment, string or character that begins at `at`; `at` itself when none does. */
static const char *
skip_quoted (const char *at)
{
  const char *end;

  if (g_str_has_prefix (at, "/*"))
    return (end = strstr (at, "*/")) != NULL ? end + 2 : at + strlen (at);
  if (*at != '"' && *at != '\'')
    return at;
  for (end = at + 1; *end != '\0' && *end != *at; end++)
    if (*end == '\\' && end[1] != '\0')
      end++;
  return *end != '\0' ? end + 1 : end;
}

/* What a word in a function calls, each once. */
static void
add_called (Function   *function,
            const char *word,
            GHashTable *shared)
{
  Function *own = g_hash_table_lookup (function->file->by_name, word);
  GPtrArray *others = own == NULL ? g_hash_table_lookup (shared, word) : NULL;

  if (own != NULL && !g_ptr_array_find (function->calls, own, NULL))
    g_ptr_array_add (function->calls, own);
  for (guint i = 0; others != NULL && i < others->len; i++)
    if (!g_ptr_array_find (function->calls, others->pdata[i], NULL))
      g_ptr_array_add (function->calls, others->pdata[i]);
}

static void
find_calls (Function   *function,
            GHashTable *shared)
{
  g_autofree char *text = ls_code_lines (function->file->path, function->line, function->last);
  char word[MOST_WORD];

  function->calls = g_ptr_array_new ();
  for (const char *at = text; *at != '\0';)
    {
      const char *next = skip_quoted (at);
      gsize n = 0;

      while (next == at && is_word (at[n]))
        n++;
      if (n > 0 && n < sizeof word && !g_ascii_isdigit (*at))
        {
          memcpy (word, at, n);
          word[n] = '\0';
          add_called (function, word, shared);
        }
      at = next > at ? next : at + MAX (n, 1);
    }
}

/* By name the functions that other files may call, those of ls_..., with what every function calls: found when somebody asks for the first time. */
static GHashTable *
shared_functions (void)
{
  static gsize once;
  static GHashTable *shared;

  if (g_once_init_enter (&once))
    {
      GPtrArray *names;
      GHashTable *files = all_files (&names);
      g_autoptr(GPtrArray) all = g_ptr_array_new ();

      shared = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_ptr_array_unref);
      for (guint n = 0; n < names->len; n++)
        {
          File *file = g_hash_table_lookup (files, names->pdata[n]);

          for (guint i = 0; i < file->functions->len; i++)
            {
              Function *one = &g_array_index (file->functions, Function, i);
              GPtrArray *same = g_hash_table_lookup (shared, one->name);

              g_ptr_array_add (all, one);
              if (one->is_static || !g_str_has_prefix (one->name, "ls_"))
                continue;
              if (same == NULL)
                g_hash_table_insert (shared, one->name, same = g_ptr_array_new ());
              g_ptr_array_add (same, one);
            }
        }
      for (guint i = 0; i < all->len; i++)
        find_calls (all->pdata[i], shared);
      g_once_init_leave (&once, 1);
    }
  return shared;
}

typedef struct {
  GHashTable *seen;             /* of Function */
  GQueue      todo;             /* of Function */
} Reach;

static void
reach (Reach    *self,
       Function *function)
{
  if (function != NULL && g_hash_table_add (self->seen, function))
    g_queue_push_tail (&self->todo, function);
}

static void
reach_all (Reach     *self,
           GPtrArray *functions)
{
  for (guint i = 0; functions != NULL && i < functions->len; i++)
    reach (self, functions->pdata[i]);
}

static int
by_place (gconstpointer a,
          gconstpointer b)
{
  const LsCodePlace *first = a, *second = b;
  int files = strcmp (first->file, second->file);

  return files != 0 ? files : (int) first->line - (int) second->line;
}

/* Adds the calls in a function that have the code among their arguments. */
static void
collect (const Function *function,
         const char     *quoted,
         GArray         *places)
{
  File *file = function->file;

  for (guint line = function->line; line <= function->last; line++)
    if (strstr (file->lines[line - 1], quoted) != NULL)
      {
        LsCodePlace place;
        gboolean is_new = TRUE;

        set_place (&place, file, begin_of_statement (file, line));
        for (guint i = 0; i < places->len; i++)
          is_new &= by_place (&g_array_index (places, LsCodePlace, i), &place) != 0;
        if (is_new)
          g_array_append_val (places, place);
      }
}

GArray *
ls_code_places_of_condition (const LsInstruction *instruction,
                             const char          *code)
{
  static const char *const fields[] = { "  .plain = ", "  .check = ", "  .apply = " };
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", code);
  g_autoptr(GHashTable) seen = g_hash_table_new (NULL, NULL);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (LsCodePlace));
  GHashTable *shared = shared_functions ();
  Reach self = { seen, G_QUEUE_INIT };
  guint row;
  File *file = find_row (instruction, &row);
  Function *function;

  for (guint i = 0; file != NULL && i < G_N_ELEMENTS (fields); i++)
    reach (&self, function_of_row (file, row, fields[i]));
  if ((instruction->flags & LS_INSTRUCTION_REORDERS) || g_str_has_prefix (code, "dependence"))
    reach_all (&self, g_hash_table_lookup (shared, "ls_order_tell"));
  while ((function = g_queue_pop_head (&self.todo)) != NULL)
    {
      reach_all (&self, function->calls);
      collect (function, quoted, places);
    }
  g_array_sort (places, by_place);
  return places;
}
