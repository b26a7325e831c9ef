/* folder: a folder of files as a log, one dump a file.
 *
 * The order is that of the numbers in the names: a.c.021t.ssa, 0_1_cse.mlir, 003_tir.Simplify.py, module_0001.f.0002.dce.txt.
 * Triton's cache has none; there the order of its stages holds: ttir, ttgir, llir, ptx. */
#include "engine/passlog/private.h"

#include <string.h>

/* How deep folders are looked into, and how many files are taken. */
#define MAX_DEPTH 16
#define MAX_FILES 100000

/* Endings of Triton's stages, in their order. */
static const char *const STAGES[] = { ".source", ".ttir", ".ttgir", ".llir", ".ptx", ".amdgcn" };

static int
stage_of (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (STAGES); i++)
    if (g_str_has_suffix (path, STAGES[i]))
      return (int) i;
  return -1;
}

/* Names with numbers compared as numbers; those of one folder stay together unless numbers say otherwise. */
static int
by_number (gconstpointer a,
           gconstpointer b)
{
  const char *at = strrchr (*(char *const *) a, '/'), *other = strrchr (*(char *const *) b, '/');
  int stage = stage_of (at), stage_b = stage_of (other);

  if (stage >= 0 && stage_b >= 0 && stage != stage_b)
    return stage - stage_b;
  while (*at != '\0' && *other != '\0')
    {
      if (g_ascii_isdigit (*at) && g_ascii_isdigit (*other))
        {
          char *end, *end_b;
          guint64 x = g_ascii_strtoull (at, &end, 10), y = g_ascii_strtoull (other, &end_b, 10);

          if (x != y)
            return x < y ? -1 : 1;
          at = end;
          other = end_b;
        }
      else if (*at != *other)
        return (guchar) *at < (guchar) *other ? -1 : 1;
      else
        at++, other++;
    }
  if (*at != *other)
    return *at == '\0' ? -1 : 1;
  return strcmp (*(char *const *) a, *(char *const *) b);
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

      if (name[0] == '.' || g_file_test (child, G_FILE_TEST_IS_SYMLINK))
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
  return text != NULL ? ls_pass_kind_guess (text, MIN (size, 65536)) : LS_PASS_LOG_AUTO;
}

/* "a.c.021t.ssa" is ssa, "0_1_cse.mlir" cse, "module_0001.f.0002.dce.txt" dce; otherwise the name. */
static char *
pass_of (const char *name)
{
  static const char *const ENDINGS[] = { ".mlir", ".txt", ".py", ".ll", ".tir" };
  g_autofree char *base = g_path_get_basename (name);
  char *at = base;

  for (guint i = 0; i < G_N_ELEMENTS (ENDINGS); i++)
    if (g_str_has_suffix (base, ENDINGS[i]))
      base[strlen (base) - strlen (ENDINGS[i])] = '\0';
  for (char *c = base; *c != '\0'; c++)
    if (g_ascii_isdigit (*c) && (c == base || strchr ("._-", c[-1]) != NULL))
      {
        char *end = c + strspn (c, "0123456789");

        if (end[0] != '\0' && strchr ("tri", end[0]) != NULL && end[1] == '.')
          end++;
        if (end[0] != '\0' && strchr ("._-", end[0]) != NULL && end[1] != '\0')
          at = end + 1;
      }
  return g_strdup (at);
}

gboolean
ls_pass_folder_read (LsPassLog  *self,
                     const char *path,
                     GError    **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  LsPassLogKind known = self->kind;

  collect (path, 0, files);
  g_ptr_array_sort (files, by_number);
  for (guint i = 0; i < files->len; i++)
    {
      g_autoptr (GMappedFile) map = g_mapped_file_new (files->pdata[i], FALSE, NULL);
      g_autoptr (GBytes) bytes = map != NULL ? g_mapped_file_get_bytes (map) : NULL;
      g_autofree char *pass = pass_of (files->pdata[i]);
      gsize size = bytes != NULL ? g_bytes_get_size (bytes) : 0;
      LsPassLogKind kind;

      if (size == 0 || memchr (g_bytes_get_data (bytes, NULL), '\0', size) != NULL)
        continue;
      kind = kind_of (files->pdata[i], bytes);
      if (self->recognised)
        self->kind = kind != LS_PASS_LOG_AUTO ? kind : known == LS_PASS_LOG_GCC ? known : LS_PASS_LOG_TEXT;
      if (known == LS_PASS_LOG_AUTO || known == LS_PASS_LOG_TEXT)
        known = self->kind;
      ls_pass_log_take (self, bytes, (char *) files->pdata[i] + strlen (path), pass);
    }
  self->kind = known;
  if (self->files->len > 0)
    return TRUE;
  g_set_error (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_EMPTY, "The folder %s has no file with a text.", path);
  return FALSE;
}
