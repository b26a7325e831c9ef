/* session/copies: the folder with the copies of open documents and with kept work.
 *
 *   open-PROCESS-TOKEN.loopscope          the copy of an open document
 *   open-PROCESS-TOKEN.lock               locked as long as its program lives
 *   closed-DATE-TITLE.loopscope           kept work: closed, and no file has it
 *   NAME.broken                           a copy that could not be read
 *
 * It is "loopscope/sessions" in the user's state folder.  LsCopy is one of the first, shared by a document and the thread that
 * writes it: writes have turns, so that one which was under way when its copy had its day leaves nothing behind.  No name here is
 * ever taken from what has it.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* (transfer full) */
char      *ls_copies_folder    (void);
/* Whether `file` is in it. */
gboolean   ls_copies_own       (GFile *file);
/* Copies whose program is gone; what was never finished is cleared away. (transfer full) of GFile */
GPtrArray *ls_copies_left_over (void);
/* Kept work, the latest first. (transfer full) of GFile */
GPtrArray *ls_copies_kept      (void);

typedef struct _LsCopy LsCopy;

/* Nothing is on the disk before it is written or claimed. (transfer full) */
LsCopy     *ls_copy_new        (void);
LsCopy     *ls_copy_ref        (LsCopy      *self);
void        ls_copy_unref      (LsCopy      *self);
/* Borrowed. */
const char *ls_copy_get_path   (LsCopy      *self);
guint       ls_copy_get_turn   (LsCopy      *self);
/* Another turn; the new one. */
guint       ls_copy_next_turn  (LsCopy      *self);
/* The text as it was in `turn`; when that has passed nothing is done.  In any thread.  `durable`: on the disk itself. */
gboolean    ls_copy_write      (LsCopy      *self,
                                guint        turn,
                                const char  *text,
                                gboolean     durable,
                                GError     **error);
/* It goes: at once, or when the write that is under way is through. */
void        ls_copy_retire     (LsCopy      *self);
/* Until no write is under way.  The disk may take its time, so not on the main thread. */
void        ls_copy_wait       (LsCopy      *self);
/* Takes over what stands at `path`, so that no other program does.  FALSE: it is not there (any more). */
gboolean    ls_copy_claim      (LsCopy      *self,
                                const char  *path);
/* It could not be read: stays as `path`, or a name like that, with ".broken".  The new path (transfer full), or NULL */
char       *ls_copy_set_aside  (LsCopy      *self,
                                const char  *path);
/* It becomes kept work: its new path (transfer full), or NULL */
char       *ls_copy_keep       (LsCopy      *self,
                                const char  *title,
                                GError     **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsCopy, ls_copy_unref)

G_END_DECLS
