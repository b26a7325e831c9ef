/* session/safe-write: a new file beside the old one, synced, then renamed over it.
 *
 * Not g_file_replace_contents(): when the disk is full in the middle of its text, closing the stream puts what there is
 * of it in the place of the old file (GLib 2.74).
 */
#include "app/session/safe-write.h"

#include <glib/gi18n.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define USUAL_MODE 0644

/* "No space left on device": what follows the last colon. */
static const char *
reason_of (const GError *error)
{
  const char *colon = g_strrstr (error->message, ": ");

  return colon != NULL ? colon + 2 : error->message;
}

static gboolean
write_local (const char *path,
             const char *text,
             GError    **error)
{
  char real[PATH_MAX];
  const char *at = realpath (path, real) != NULL ? real : path;
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (GError) problem = NULL;
  struct stat info;
  int mode = stat (at, &info) == 0 ? (int) info.st_mode & 0777 : USUAL_MODE;

  if (g_file_set_contents_full (at, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, mode, &problem))
    return TRUE;
  g_set_error (error, problem->domain, problem->code, _("%s could not be written (%s); it is as it was before."), name, reason_of (problem));
  return FALSE;
}

gboolean
ls_safe_write (GFile       *file,
               const char  *text,
               GError     **error)
{
  g_autofree char *path = g_file_get_path (file);

  return path != NULL ? write_local (path, text, error)
                      : g_file_replace_contents (file, text, strlen (text), NULL, FALSE, G_FILE_CREATE_NONE, NULL, NULL, error);
}
