/* window/file: a window's document and its file: opening, saving, recent files, and what is said about what is kept.
 *
 * What keeps it is the autosave of app/session/autosave.h.
 */
#pragma once

#include "app/window/window.h"

G_BEGIN_DECLS

/* Follows the window's session from now on. */
void     ls_window_file_attach    (LsWindow       *self);
/* Opens `file` here when there is nothing to lose, else in a new window. */
void     ls_window_file_open      (LsWindow       *self,
                                   GFile          *file);
/* Opens a copy that another run left and takes it over, beside the main loop: ls_window_open_then() tells when it is there.  FALSE:
 * another program was faster. */
gboolean ls_window_file_restore   (LsWindow       *self,
                                   GFile          *copy);
/* It holds what no file has. */
gboolean ls_window_file_is_changed (LsWindow      *self);
/* In a window of its own. */
void     ls_window_file_open_beside (LsWindow      *self,
                                     GFile         *file);
/* The window that has this session file open, brought to the front with a word; NULL: none has. (transfer none) */
LsWindow *ls_window_file_present  (GtkApplication *application,
                                   GFile          *file);
/* The session shows `file` now, read by whoever calls; `sum` is the checksum (SHA-1) of what was read, or NULL. */
void     ls_window_file_opened    (LsWindow       *self,
                                   GFile          *file,
                                   const char     *sum);
/* The file that holds the step that the window shows; NULL: there is none, or the step is not in it yet. Borrowed. */
GFile   *ls_window_file_saved     (LsWindow       *self);
void     ls_window_file_save      (LsWindow       *self);
void     ls_window_file_save_as   (LsWindow       *self);
/* Asks for a name and writes the text there. */
void     ls_window_file_export    (LsWindow       *self,
                                   LsExportKind    kind);
/* The same for a picture; the name's suffix says the format. */
void     ls_window_file_export_figure (LsWindow    *self,
                                       LsFigureKind kind,
                                       const char  *name);
/* Gives up what the window says is being written. */
void     ls_window_file_export_cancel (LsWindow    *self);
/* Before the window goes: nothing is lost, and nothing asked but what only its user can say.  TRUE: it may go now.  FALSE: it is hidden
 * and goes by itself once all is written, which is done beside the main loop; or work that no file has could be written nowhere, which
 * the window says and stays, until it is closed a second time. */
gboolean ls_window_file_close     (LsWindow       *self);
/* It is about to go. */
gboolean ls_window_file_is_closing (LsWindow      *self);
/* The program is ended from outside: from now on ls_window_file_close() leaves what has no file as a copy, which the next start
 * restores. */
void     ls_window_file_leave_copies (void);
/* Fills the menu of recent files. */
void     ls_window_file_fill_menu (GMenu          *menu);

G_END_DECLS
