/* LsAutosave: where the document of a session is kept, so that nothing of it is lost.
 *
 *   a change -> (at most 100 ms) -> image -> a thread: JSON, a file in the state folder
 *
 * Follows a session by its signals.  What no file has is in a copy a moment after it changed, also while changes go on; the copy
 * goes once the document is saved, stays when the program dies, and is opened again by the next one.  A document that is closed
 * without a file becomes kept work, under a name that no other has (app/session/copies.h).  Nothing here ever takes away what no
 * file has.
 *
 * Properties: unsaved: there were changes when it last looked, a moment after the last one.
 * Signals: ::failed (why): the copy could not be written.  Said once, and again after it worked; it is tried again by itself.
 */
#pragma once

#include "app/session/save.h"
#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_AUTOSAVE (ls_autosave_get_type ())
G_DECLARE_FINAL_TYPE (LsAutosave, ls_autosave, LS, AUTOSAVE, GObject)

typedef enum {
  LS_AUTOSAVE_RESTORED,
  LS_AUTOSAVE_BROKEN,           /* it cannot be read; it stays beside, under another name */
  LS_AUTOSAVE_TAKEN,            /* another program was faster, or it is gone */
} LsAutosaveRestored;

/* Follows `session`, which it holds; what is opened there counts as saved. (transfer full) */
LsAutosave *ls_autosave_new             (LsSession     *session);
/* Another document was opened in the session: it counts as saved, and `file` (or NULL) is where it is.  `sum` is the checksum (SHA-1) of
 * what was read there; NULL: it is read again for that. */
void        ls_autosave_opened          (LsAutosave    *self,
                                         GFile         *file,
                                         const char    *sum);
/* Where the document is saved, or NULL. Borrowed. */
GFile      *ls_autosave_get_file        (LsAutosave    *self);
/* There is something that the file, or the program as it was opened, has not. */
gboolean    ls_autosave_is_changed      (LsAutosave    *self);
/* The same as it was known last, which costs nothing. */
gboolean    ls_autosave_get_unsaved     (LsAutosave    *self);
/* Saves as `file`, which is the document's from then on, beside the main loop.  What changes meanwhile is not in it.  One comes after
 * the other; closing comes after all.  With `ask` the document's file stays as it is when another program, or another window, has
 * written it since; the next time it is replaced. */
void        ls_autosave_save_async      (LsAutosave    *self,
                                         GFile         *file,
                                         gboolean       ask,
                                         GAsyncReadyCallback callback,
                                         gpointer       data);
/* LS_SAVE_FILE; else the file is as it was: LS_SAVE_OTHER, or LS_SAVE_FAILED and `error` says why. */
LsSaveAnswer ls_autosave_save_finish    (LsAutosave    *self,
                                         GAsyncResult  *result,
                                         GError       **error);
/* Is one under way? */
gboolean    ls_autosave_is_saving       (LsAutosave    *self);
/* Opens a copy that another run left, in the session, and takes it over.  BROKEN sets `error` and *aside, its new path
 * (transfer full). */
LsAutosaveRestored ls_autosave_restore  (LsAutosave    *self,
                                         GFile         *copy,
                                         char         **aside,
                                         GError       **error);
/* The same in two parts, between which a thread reads: takes the copy over, and until ls_autosave_restored() nothing else of the session
 * is kept.  (transfer full), or NULL: it is TAKEN */
typedef struct _LsAutosaveCopy LsAutosaveCopy;

LsAutosaveCopy    *ls_autosave_claim    (LsAutosave     *self,
                                         GFile          *copy);
/* In any thread. */
void               ls_autosave_copy_read (LsAutosaveCopy *copy);
void               ls_autosave_copy_free (LsAutosaveCopy *copy);
/* Shows what was read of it; takes `copy`. */
LsAutosaveRestored ls_autosave_restored (LsAutosave     *self,
                                         LsAutosaveCopy *copy,
                                         char          **aside,
                                         GError        **error);
/* The document goes, and nothing of it has to be written for that.  FALSE: it does not go yet; ls_autosave_close_async() it is. */
gboolean    ls_autosave_close_at_once   (LsAutosave    *self);
/* The document goes once all is written, beside the main loop: changes are saved in its file, else kept.  With `leave` what cannot be
 * saved stays as a copy for the next start.  With `ask` nothing is written when another program has written the file since.  What
 * changes meanwhile is written too.  One at a time. */
void        ls_autosave_close_async     (LsAutosave    *self,
                                         gboolean       leave,
                                         gboolean       ask,
                                         GAsyncReadyCallback callback,
                                         gpointer       data);
/* LS_SAVE_FAILED, LS_SAVE_OTHER: it was not closed, and all is as it was; else where it went.  *kept (may be NULL) gets the file of
 * kept work, or NULL (transfer full). */
LsSaveAnswer ls_autosave_close_finish   (LsAutosave    *self,
                                         GAsyncResult  *result,
                                         GFile        **kept,
                                         GError       **error);
/* Until all that is under way is written.  The disk may take its time. */
void        ls_autosave_wait            (LsAutosave    *self);
/* The document goes with changes that are given up. */
void        ls_autosave_give_up         (LsAutosave    *self);

G_END_DECLS
