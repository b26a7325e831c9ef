/* folder: a folder of files as a log, one dump a file, in the order that their names say (folder-name).
 *
 * Files of another program (XLA's next module, Triton's next kernel) or in another language (ttgir behind ttir, LLVM behind that) begin anew:
 * nothing in them is what was before. */
#include "engine/passlog/private.h"

#include <string.h>

/* How deep folders are looked into, and how many files are taken. */
#define MAX_DEPTH 16
#define MAX_FILES 100000

/* The numbers in front of the name of a file of --mlir-print-ir-tree-dir, one for each folder that it is in: "0_2_cse.mlir".  0: it is none. */
static guint
read_tree (const char *path,
           guint       numbers[MAX_DEPTH],
           char     ***folders)
{
  g_auto (GStrv) pieces = g_strsplit (path, "/", -1);
  guint n = g_strv_length (pieces), found = 0;
  const char *at = n > 0 ? pieces[n - 1] : "";

  while (found < MAX_DEPTH && g_ascii_isdigit (*at))
    {
      char *end;

      numbers[found++] = (guint) g_ascii_strtoull (at, &end, 10);
      if (*end != '_')
        return 0;
      at = end + 1;
    }
  if (found == 0 || found + 1 != n)
    return 0;
  *folders = g_steal_pointer (&pieces);
  return found;
}

/* Passes of one operation in their order, those of what it holds behind the pass that they followed, each operation's together. */
static int
compare_trees (const char *path,
               const char *other,
               gboolean   *both)
{
  guint x[MAX_DEPTH], y[MAX_DEPTH];
  g_auto (GStrv) a = NULL, b = NULL;
  guint n = read_tree (path, x, &a), m = n > 0 ? read_tree (other, y, &b) : 0;

  *both = n > 0 && m > 0;
  for (guint i = 0; *both && i < MIN (n, m); i++)
    {
      int order = strcmp (a[i], b[i]);

      if (order != 0)
        return order;
      if (x[i] != y[i])
        return x[i] < y[i] ? -1 : 1;
    }
  return n < m ? -1 : n > m;
}

/* Names with numbers compared as numbers, whatever folder they are in. */
static int
by_name (gconstpointer a,
         gconstpointer b,
         gpointer      root)
{
  const char *path = *(char *const *) a, *other = *(char *const *) b;
  gboolean trees;
  int order = compare_trees (path + strlen (root) + 1, other + strlen (root) + 1, &trees);

  if (!trees)
    order = ls_pass_file_compare (strrchr (path, '/') + 1, strrchr (other, '/') + 1);
  return order != 0 ? order : strcmp (path, other);
}

static void
collect (const char *path,
         guint       depth,
         GPtrArray  *files)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && files->len < MAX_FILES && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (name[0] == '.' || g_str_has_suffix (name, ".json") || g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        continue;
      if (g_file_test (child, G_FILE_TEST_IS_DIR) && depth < MAX_DEPTH)
        collect (child, depth + 1, files);
      else if (g_file_test (child, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (files, g_steal_pointer (&child));
    }
}

static LsPassLogKind
kind_of (const char *name,
         GBytes     *bytes)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  if (g_str_has_suffix (name, ".mlir") || g_str_has_suffix (name, ".ttir") || g_str_has_suffix (name, ".ttgir"))
    return LS_PASS_LOG_MLIR;
  if (g_str_has_suffix (name, ".ll") || g_str_has_suffix (name, ".llir"))
    return LS_PASS_LOG_LLVM;
  if (g_str_has_suffix (name, ".ptx"))
    return LS_PASS_LOG_PTX;
  return text != NULL ? ls_pass_kind_guess (text, MIN (size, 65536)) : LS_PASS_LOG_AUTO;
}

/* Another program or another language than those of the file before, which are kept in both; a text that is no program says nothing. */
static gboolean
begins_anew (LsPassLog     *self,
             LsPassLogKind *before,
             char         **program,
             const char    *name)
{
  g_autofree char *next = ls_pass_file_program (name);
  gboolean other = g_strcmp0 (*program, next) != 0;

  if (self->kind != LS_PASS_LOG_TEXT)
    {
      other |= *before != LS_PASS_LOG_AUTO && *before != self->kind;
      *before = self->kind;
    }
  g_free (*program);
  *program = g_steal_pointer (&next);
  return other && self->dumps->len > 0;
}

gboolean
ls_pass_folder_read (LsPassLog  *self,
                     const char *path,
                     GError    **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *program = NULL;
  g_autofree char *root = g_strdup (path);
  LsPassLogKind known = self->kind, before = LS_PASS_LOG_AUTO;

  for (gsize n = strlen (root); n > 1 && root[n - 1] == '/'; n--)
    root[n - 1] = '\0';
  collect (root, 0, files);
  g_ptr_array_sort_with_data (files, by_name, root);
  for (guint i = 0; i < files->len; i++)
    {
      g_autoptr (GMappedFile) map = g_mapped_file_new (files->pdata[i], FALSE, NULL);
      g_autoptr (GBytes) bytes = map != NULL ? g_mapped_file_get_bytes (map) : NULL;
      const char *name = strrchr (files->pdata[i], '/') + 1;
      g_autofree char *pass = ls_pass_file_pass (name), *unit = ls_pass_file_unit (name);
      gsize size = bytes != NULL ? g_bytes_get_size (bytes) : 0;
      LsPassLogKind kind;

      if (size == 0 || memchr (g_bytes_get_data (bytes, NULL), '\0', size) != NULL)
        continue;
      if (ls_pass_times_is (g_bytes_get_data (bytes, NULL), size))
        {
          ls_pass_log_take (self, bytes, (char *) files->pdata[i] + strlen (root), NULL, NULL);
          continue;
        }
      kind = kind_of (files->pdata[i], bytes);
      if (self->recognised)
        self->kind = kind != LS_PASS_LOG_AUTO ? kind : known == LS_PASS_LOG_GCC ? known : LS_PASS_LOG_TEXT;
      if (known == LS_PASS_LOG_AUTO || known == LS_PASS_LOG_TEXT)
        known = self->kind;
      if (begins_anew (self, &before, &program, name))
        ls_pass_log_forget (self);
      ls_pass_log_take (self, bytes, (char *) files->pdata[i] + strlen (root), pass, unit);
    }
  self->kind = known;
  if (self->files->len > 0)
    return TRUE;
  g_set_error (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_EMPTY, ls_translate ("The folder %s has no file with a text."), path);
  return FALSE;
}
