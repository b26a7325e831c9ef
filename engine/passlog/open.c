/* open: a log in a file, which is mapped or read, or in a folder of files; and whether there is one. */
#include "engine/passlog/private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_READ (G_GINT64_CONSTANT (1) << 30)
#define SAMPLE (1 << 20)

/* All bytes of an open file, of which there are about `size`. (transfer full) */
static GBytes *
read_whole (int         file,
            gsize       size,
            const char *path,
            GError    **error)
{
  char *text = g_try_malloc (size + 1);
  gsize n = 0;

  while (text != NULL && n < size)
    {
      ssize_t got = read (file, text + n, size - n);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        {
          g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (errno), ls_translate ("%s cannot be read: %s"), path, g_strerror (errno));
          g_free (text);
          return NULL;
        }
      if (got == 0)
        break;
      n += (gsize) got;
    }
  if (text == NULL)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOMEM, ls_translate ("There is no memory for the %zu bytes of %s."), size, path);
  return text != NULL ? g_bytes_new_take (text, n) : NULL;
}

gboolean
ls_pass_log_is_pipe (const char *path)
{
  struct stat known;

  return stat (path, &known) == 0 && !S_ISREG (known.st_mode) && !S_ISDIR (known.st_mode);
}

/* What comes through a pipe until its writers have closed it. (transfer full) */
static GBytes *
read_pipe (const char *path,
           GError    **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  int file = open (path, O_RDONLY | O_CLOEXEC);
  guint8 buffer[65536];
  ssize_t n = 1;

  while (file >= 0 && n != 0 && bytes->len <= MOST_READ)
    {
      n = read (file, buffer, sizeof buffer);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        break;
      g_byte_array_append (bytes, buffer, (guint) n);
    }
  if (file < 0 || n < 0)
    g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (errno), ls_translate ("%s cannot be read: %s"), path, g_strerror (errno));
  else if (n > 0)
    g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_NOMEM, ls_translate ("What comes from %s is more than 1 GiB."), path);
  if (file >= 0)
    close (file);
  return n == 0 && file >= 0 ? g_byte_array_free_to_bytes (g_steal_pointer (&bytes)) : NULL;
}

/* The file in memory, or mapped where it is too large for that. (transfer full) */
static GBytes *
load (const char *path,
      gboolean    copy,
      GError    **error)
{
  g_autoptr (GMappedFile) map = NULL;
  struct stat known;
  GBytes *bytes;
  int file;

  if (ls_pass_log_is_pipe (path))
    return read_pipe (path, error);
  if (!copy || stat (path, &known) != 0 || known.st_size > MOST_READ || !S_ISREG (known.st_mode))
    {
      map = g_mapped_file_new (path, FALSE, error);
      return map != NULL ? g_mapped_file_get_bytes (map) : NULL;
    }
  file = open (path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    {
      g_set_error (error, G_FILE_ERROR, (int) g_file_error_from_errno (errno), ls_translate ("%s cannot be opened: %s"), path, g_strerror (errno));
      return NULL;
    }
  bytes = read_whole (file, (gsize) known.st_size, path, error);
  close (file);
  return bytes;
}

LsPassLog *
ls_pass_log_read_full (GBytes         *bytes,
                       LsPassLogKind   kind,
                       LsPassProgress  progress,
                       gpointer        user_data,
                       GError        **error)
{
  LsPassLog *self;
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);

  if (size == 0)
    {
      g_set_error_literal (error, LS_PASS_LOG_ERROR, LS_PASS_LOG_ERROR_EMPTY, ls_translate ("The log is empty."));
      return NULL;
    }
  if (ls_pass_session_is (text, size))
    return ls_pass_session_read (bytes, error);
  self = ls_pass_log_new ();
  self->progress = progress;
  self->progress_data = user_data;
  self->recognised = kind == LS_PASS_LOG_AUTO;
  self->kind = kind != LS_PASS_LOG_AUTO ? kind : ls_pass_kind_guess (text, size);
  ls_pass_log_take (self, bytes, "", self->kind == LS_PASS_LOG_GCC || self->kind >= LS_PASS_LOG_PTX ? "text" : NULL, "");
  return ls_pass_log_finish (self, error);
}

LsPassLog *
ls_pass_log_read (GBytes        *bytes,
                  LsPassLogKind  kind,
                  GError       **error)
{
  return ls_pass_log_read_full (bytes, kind, NULL, NULL, error);
}

LsPassLog *
ls_pass_log_open_full (const char     *path,
                       LsPassLogKind   kind,
                       gboolean        copy,
                       LsPassProgress  progress,
                       gpointer        user_data,
                       GError        **error)
{
  g_autoptr (GBytes) bytes = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      LsPassLog *self = ls_pass_log_new ();

      self->recognised = kind == LS_PASS_LOG_AUTO;
      self->kind = kind;
      self->progress = progress;
      self->progress_data = user_data;
      if (ls_pass_folder_read (self, path, error))
        return ls_pass_log_finish (self, error);
      ls_pass_log_free (self);
      return NULL;
    }
  bytes = load (path, copy, error);
  return bytes != NULL ? ls_pass_log_read_full (bytes, kind, progress, user_data, error) : NULL;
}

LsPassLog *
ls_pass_log_open (const char    *path,
                  LsPassLogKind  kind,
                  GError       **error)
{
  return ls_pass_log_open_full (path, kind, FALSE, NULL, NULL, error);
}

LsPassLogKind
ls_pass_log_recognise (const char *path)
{
  static const char *const OTHERS[] = { ".py", ".md", ".loopscope", ".json", ".ipynb", ".html" };
  g_autofree char *sample = NULL;
  LsPassLogKind kind;
  struct stat known;
  ssize_t n = 0;
  int file;

  if (g_file_test (path, G_FILE_TEST_IS_DIR) || (stat (path, &known) == 0 && S_ISFIFO (known.st_mode)))
    return LS_PASS_LOG_TEXT;
  for (guint i = 0; i < G_N_ELEMENTS (OTHERS); i++)
    if (g_str_has_suffix (path, OTHERS[i]))
      return LS_PASS_LOG_AUTO;
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || (file = open (path, O_RDONLY | O_CLOEXEC)) < 0)
    return LS_PASS_LOG_AUTO;
  sample = g_malloc (SAMPLE);
  n = read (file, sample, SAMPLE);
  close (file);
  if (n > 0 && ls_pass_session_is (sample, (gsize) n))
    return LS_PASS_LOG_TEXT;
  kind = n > 0 ? ls_pass_kind_guess (sample, (gsize) n) : LS_PASS_LOG_AUTO;
  return kind != LS_PASS_LOG_TVM || memmem (sample, (gsize) n, "Running Pass:", strlen ("Running Pass:")) != NULL ? kind : LS_PASS_LOG_AUTO;
}
