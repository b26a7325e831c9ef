/* window/file-private: what the parts of window-file share. */
#pragma once

#include "app/session/autosave.h"
#include "app/session/copies.h"
#include "app/session/engine.h"
#include "app/session/file.h"
#include "app/window/file.h"

G_BEGIN_DECLS

LsAutosave   *ls_window_file_of         (LsWindow     *self);
gboolean      ls_window_file_is_session (GFile        *file);
/* Shows the copy that an earlier run left, and says so; takes it. */
void          ls_window_file_restored   (LsWindow     *self,
                                         LsAutosaveCopy *copy);
/* Saves as `file`, and the window says how it went. */
void          ls_window_file_write_and_say (LsWindow  *self,
                                            GFile     *file);
/* Among the recent files of the desktop. */
void          ls_window_file_remember   (GFile        *file);

G_END_DECLS
