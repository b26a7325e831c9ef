/* open: a log in a file, which is mapped, or in a folder of files. */
#include "engine/passlog/private.h"

LsPassLog *
ls_pass_log_open (const char    *path,
                  LsPassLogKind  kind,
                  GError       **error)
{
  g_autoptr (GMappedFile) map = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      LsPassLog *self = ls_pass_log_new ();

      self->recognised = kind == LS_PASS_LOG_AUTO;
      self->kind = kind;
      if (ls_pass_folder_read (self, path, error))
        return ls_pass_log_finish (self, error);
      ls_pass_log_free (self);
      return NULL;
    }
  map = g_mapped_file_new (path, FALSE, error);
  if (map == NULL)
    return NULL;
  bytes = g_mapped_file_get_bytes (map);
  return ls_pass_log_read (bytes, kind, error);
}
