/* calls: see the header.
 *
 * compile_commands.json says which object was made from which source; one run of nm reads all objects.  Circles are the
 * strongly connected parts of the graph, found by Tarjan's algorithm.
 */
#include "tests/unit/calls.h"

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include <string.h>

static LsCalls *
calls_new (void)
{
  LsCalls *self = g_new0 (LsCalls, 1);

  self->files = g_ptr_array_new ();
  self->calls = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  self->strings = g_string_chunk_new (4096);
  return self;
}

void
ls_calls_free (LsCalls *self)
{
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->calls);
  g_string_chunk_free (self->strings);
  g_free (self);
}

/* The number of a file, which is new when it was not there. */
static guint
number_of (LsCalls    *self,
           GHashTable *numbers,
           const char *file)
{
  gpointer known;
  char *own;

  if (g_hash_table_lookup_extended (numbers, file, NULL, &known))
    return GPOINTER_TO_UINT (known);
  own = g_string_chunk_insert (self->strings, file);
  g_hash_table_insert (numbers, own, GUINT_TO_POINTER (self->files->len));
  g_ptr_array_add (self->files, own);
  g_ptr_array_add (self->calls, g_array_new (FALSE, FALSE, sizeof (LsCall)));
  return self->files->len - 1;
}

static void
add_call (LsCalls    *self,
          guint       from,
          guint       to,
          const char *symbol)
{
  GArray *calls = self->calls->pdata[from];
  LsCall call = { to, symbol };

  if (from == to)
    return;
  for (guint i = 0; i < calls->len; i++)
    if (g_array_index (calls, LsCall, i).to == to)
      return;
  g_array_append_val (calls, call);
}

LsCalls *
ls_calls_of (const char *text)
{
  LsCalls *self = calls_new ();
  g_autoptr(GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
  g_auto(GStrv) words = g_strsplit (text, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto(GStrv) ends = g_strsplit (words[i], ">", 2);
      guint from = number_of (self, numbers, ends[0]);

      add_call (self, from, number_of (self, numbers, ends[1]), "f");
    }
  return self;
}

/* ---- reading a build --------------------------------------------------------- */

static gint
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* "engine/ir/node.c" for a source below the root that no test is made of, else NULL. (transfer full) */
static char *
path_from_root (const char *source_root,
                const char *directory,
                const char *file)
{
  g_autofree char *full = g_canonicalize_filename (file, directory);
  gsize n = strlen (source_root);
  const char *path = g_str_has_prefix (full, source_root) && full[n] == '/' ? full + n + 1 : NULL;

  if (path == NULL || !g_str_has_suffix (path, ".c"))
    return NULL;
  return g_str_has_prefix (path, "engine/") || g_str_has_prefix (path, "views/") || g_str_has_prefix (path, "app/") ? g_strdup (path) : NULL;
}

/* object -> source, both owned; NULL and why. */
static GHashTable *
read_objects (const char  *source_root,
              const char  *build_root,
              char       **reason)
{
  g_autofree char *commands = g_build_filename (build_root, "compile_commands.json", NULL);
  g_autoptr(JsonParser) parser = json_parser_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GHashTable) objects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  JsonArray *list;

  if (!json_parser_load_from_file (parser, commands, &error))
    {
      *reason = g_strdup_printf ("no list of what was compiled: %s", error->message);
      return NULL;
    }
  list = json_node_get_array (json_parser_get_root (parser));
  for (guint i = 0; i < json_array_get_length (list); i++)
    {
      JsonObject *entry = json_array_get_object_element (list, i);
      const char *directory = json_object_get_string_member (entry, "directory");
      const char *object = json_object_get_string_member_with_default (entry, "output", NULL);
      char *source = path_from_root (source_root, directory, json_object_get_string_member (entry, "file"));
      g_autofree char *full = g_build_filename (build_root, object, NULL);

      if (source == NULL)
        continue;
      if (!g_file_test (full, G_FILE_TEST_EXISTS))
        {
          *reason = g_strdup_printf ("%s is not compiled", source);
          g_free (source);
          return NULL;
        }
      g_hash_table_insert (objects, g_strdup (object), source);
    }
  return g_steal_pointer (&objects);
}

/* The output of nm for all objects: "OBJECT: SYMBOL TYPE ...". (transfer full) */
static char *
run_nm (GHashTable  *objects,
        const char  *build_root,
        char       **reason)
{
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();
  g_autoptr(GError) error = NULL;
  g_autofree char *nm = g_find_program_in_path ("nm");
  GHashTableIter iter;
  gpointer object;
  char *out = NULL;
  gint status = 0;

  if (nm == NULL)
    {
      *reason = g_strdup ("no nm here");
      return NULL;
    }
  g_ptr_array_add (argv, nm);
  g_ptr_array_add (argv, "-A");
  g_ptr_array_add (argv, "-g");
  g_ptr_array_add (argv, "--format=posix");
  g_hash_table_iter_init (&iter, objects);
  while (g_hash_table_iter_next (&iter, &object, NULL))
    g_ptr_array_add (argv, object);
  g_ptr_array_add (argv, NULL);
  if (!g_spawn_sync (build_root, (char **) argv->pdata, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL, &status, &error)
      || !g_spawn_check_wait_status (status, &error))
    {
      *reason = g_strdup_printf ("nm: %s", error->message);
      g_clear_pointer (&out, g_free);
    }
  return out;
}

/* One line of it; FALSE: it is none. */
static gboolean
read_line (const char  *line,
           GHashTable  *objects,
           const char **source,
           char       **symbol,
           gboolean    *defined)
{
  const char *colon = strstr (line, ": ");
  const char *end = colon != NULL ? strchr (colon + 2, ' ') : NULL;
  g_autofree char *object = colon != NULL ? g_strndup (line, colon - line) : NULL;

  if (end == NULL)
    return FALSE;
  *source = g_hash_table_lookup (objects, object);
  *symbol = g_strndup (colon + 2, end - colon - 2);
  *defined = end[1] != 'U' && end[1] != 'w';
  return *source != NULL;
}

LsCalls *
ls_calls_read (const char  *source_root,
               const char  *build_root,
               char       **reason)
{
  g_autofree char *root = g_canonicalize_filename (source_root, NULL);
  g_autoptr(GHashTable) objects = read_objects (root, build_root, reason);
  g_autofree char *out = objects != NULL ? run_nm (objects, build_root, reason) : NULL;
  g_autoptr(GHashTable) owners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GPtrArray) sources = g_ptr_array_new ();
  g_auto(GStrv) lines = NULL;
  GHashTableIter iter;
  gpointer value;
  LsCalls *self;

  if (out == NULL)
    return NULL;
  self = calls_new ();
  g_hash_table_iter_init (&iter, objects);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_ptr_array_add (sources, value);
  g_ptr_array_sort (sources, by_name);
  for (guint i = 0; i < sources->len; i++)
    number_of (self, numbers, sources->pdata[i]);

  lines = g_strsplit (out, "\n", -1);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; lines[i] != NULL; i++)
      {
        g_autofree char *symbol = NULL;
        const char *source;
        gboolean defined;

        if (!read_line (lines[i], objects, &source, &symbol, &defined))
          continue;
        if (pass == 0 && defined)
          g_hash_table_insert (owners, g_steal_pointer (&symbol), (gpointer) source);
        else if (pass == 1 && !defined && g_hash_table_lookup (owners, symbol) != NULL)
          add_call (self, number_of (self, numbers, source), number_of (self, numbers, g_hash_table_lookup (owners, symbol)),
                    g_string_chunk_insert_const (self->strings, symbol));
      }
  return self;
}

/* ---- circles ------------------------------------------------------------------ */

typedef struct {
  LsCalls   *calls;
  guint     *number;            /* by file: when it was met, from 1; 0: not yet */
  guint     *low;               /* the earliest that is reached from it */
  gboolean  *waits;             /* on the stack */
  GArray    *stack;             /* of guint */
  guint      n;
  GPtrArray *circles;
} Search;

static void
visit (Search *self,
       guint   file)
{
  GArray *calls = self->calls->calls->pdata[file];
  GPtrArray *circle;
  guint top;

  self->number[file] = self->low[file] = ++self->n;
  g_array_append_val (self->stack, file);
  self->waits[file] = TRUE;
  for (guint i = 0; i < calls->len; i++)
    {
      guint to = g_array_index (calls, LsCall, i).to;

      if (self->number[to] == 0)
        {
          visit (self, to);
          self->low[file] = MIN (self->low[file], self->low[to]);
        }
      else if (self->waits[to])
        {
          self->low[file] = MIN (self->low[file], self->number[to]);
        }
    }
  if (self->low[file] != self->number[file])
    return;
  circle = g_ptr_array_new ();
  do
    {
      top = g_array_index (self->stack, guint, self->stack->len - 1);
      g_array_set_size (self->stack, self->stack->len - 1);
      self->waits[top] = FALSE;
      g_ptr_array_add (circle, self->calls->files->pdata[top]);
    }
  while (top != file);
  g_ptr_array_sort (circle, by_name);
  if (circle->len > 1)
    g_ptr_array_add (self->circles, circle);
  else
    g_ptr_array_unref (circle);
}

static gint
by_size (gconstpointer a,
         gconstpointer b)
{
  const GPtrArray *one = *(GPtrArray *const *) a, *other = *(GPtrArray *const *) b;

  if (one->len != other->len)
    return one->len > other->len ? -1 : 1;
  return strcmp (one->pdata[0], other->pdata[0]);
}

GPtrArray *
ls_calls_circles (LsCalls *self)
{
  guint n = self->files->len;
  g_autofree guint *number = g_new0 (guint, n + 1);
  g_autofree guint *low = g_new0 (guint, n + 1);
  g_autofree gboolean *waits = g_new0 (gboolean, n + 1);
  g_autoptr(GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  Search search = { self, number, low, waits, stack, 0, g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref) };

  for (guint i = 0; i < n; i++)
    if (number[i] == 0)
      visit (&search, i);
  g_ptr_array_sort (search.circles, by_size);
  return search.circles;
}

char *
ls_calls_inside (LsCalls   *self,
                 GPtrArray *circle)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->files->len; i++)
    {
      GArray *calls = self->calls->pdata[i];

      for (guint k = 0; g_ptr_array_find (circle, self->files->pdata[i], NULL) && k < calls->len; k++)
        {
          LsCall *call = &g_array_index (calls, LsCall, k);

          if (g_ptr_array_find (circle, self->files->pdata[call->to], NULL))
            g_string_append_printf (text, "  %s -> %s: %s\n", (char *) self->files->pdata[i], (char *) self->files->pdata[call->to], call->symbol);
        }
    }
  return g_string_free (text, FALSE);
}
