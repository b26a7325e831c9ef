/* window/file-private: what the parts of window-file share. */
#pragma once

#include "app/session/engine.h"
#include "app/session/file.h"
#include "app/window/file.h"

G_BEGIN_DECLS

/* A copy for emergencies is COPY_PREFIX, the number of the process, "-", a count. */
#define LS_COPY_PREFIX "open-"

typedef struct {
  LsWindow *window;
  GFile    *file;               /* saved there, or NULL */
  char     *copy;               /* path of the copy for emergencies */
  char     *saved;              /* sum of what the file, or the opened document, holds */
  char     *written;            /* sum of what the copy holds */
  char     *on_disk;            /* checksum of all of the file when it was last read or written, or NULL */
  guint     timer;
  gboolean  fresh;              /* the next look decides what "unchanged" is */
  gboolean  given_up;           /* closing was refused once, because nothing could be written */
} LsWindowFile;

LsWindowFile *ls_window_file_of         (LsWindow     *self);
/* Where copies are. (transfer full) */
char         *ls_window_file_folder     (void);
gboolean      ls_window_file_is_copy    (GFile        *file);
gboolean      ls_window_file_is_session (GFile        *file);
/* The document as it would be saved; NULL: there is none. (transfer full) */
char         *ls_window_file_text       (LsWindowFile *state);
/* Of a document; where one stands and what is selected come last in it and do not count. (transfer full) */
char         *ls_window_file_sum        (const char   *text);
/* Of what a file holds now; NULL when it cannot be read. (transfer full) */
char         *ls_window_file_disk_sum   (GFile        *file);
/* A document was opened: what it is now counts as saved. */
void          ls_window_file_begin      (LsWindowFile *state);
gboolean      ls_window_file_is_changed (LsWindowFile *state);
/* Another program, or another start of this one, has written the file since. */
gboolean      ls_window_file_changed_on_disk (LsWindowFile *state);
/* Saves as `file`, which is the window's from then on. */
gboolean      ls_window_file_write      (LsWindowFile *state,
                                         GFile        *file,
                                         GError      **error);
/* The same, and the window says how it went. */
void          ls_window_file_write_and_say (LsWindowFile *state,
                                            GFile        *file);
/* Among the recent files of the desktop. */
void          ls_window_file_remember   (GFile        *file);

G_END_DECLS
