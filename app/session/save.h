/* session/save: one document is written once, beside the main loop: what a thread is to do of it, and what came of it.
 *
 * For app/session/autosave.c, which decides when; nothing here knows a session.  All is set before it begins, in the main thread; the
 * answer is read after it is done.
 */
#pragma once

#include "app/session/copies.h"
#include "app/session/file.h"

G_BEGIN_DECLS

typedef enum {
  LS_SAVE_NOTHING,              /* there was nothing to write */
  LS_SAVE_FILE,                 /* it stands in its file */
  LS_SAVE_KEPT,                 /* among kept work */
  LS_SAVE_COPY,                 /* as a copy for the next start */
  LS_SAVE_OTHER,                /* nowhere: another program has written the file since */
  LS_SAVE_FAILED,               /* nowhere: `error` says why */
} LsSaveAnswer;

typedef struct {
  gatomicrefcount refs;         /* who asked, and the thread */
  GTask          *task;         /* the main thread's: who asked, or NULL */
  gboolean        begun;

  LsSessionImage *image;        /* NULL: there is nothing to write */
  char           *sum;          /* of what the image shows */
  GFile          *file;         /* where it is to stand, or NULL */
  char           *before;       /* checksum of what the file should hold by now, or NULL: whatever it holds */
  gboolean        ask;          /* where it holds something else, nothing is kept either: who asked decides */

  gboolean        closes;       /* what cannot stand in the file is kept: */
  LsCopy         *copy;         /* by this, */
  guint           turn;         /* in this turn of it, */
  char           *title;        /* under this name */
  gboolean        leave;        /* or only as a copy */

  GMutex          mutex;
  GCond           cond;
  gboolean        done;         /* under the mutex */
  LsSaveAnswer    answer;
  char           *on_disk;      /* checksum of what was written (FILE) or stands there (OTHER) */
  GFile          *kept;         /* KEPT: where */
  GError         *error;
} LsSave;

/* (transfer full) */
LsSave *ls_save_new   (void);
LsSave *ls_save_ref   (LsSave *self);
void    ls_save_unref (LsSave *self);
/* Does it.  In any thread, and the disk may take its time. */
void    ls_save_write (LsSave *self);
/* Until another thread has done it. */
void    ls_save_wait  (LsSave *self);
/* The document has changed meanwhile: what was set and what came of it goes, who asked stays. */
void    ls_save_again (LsSave *self);
/* The checksum (SHA-1) of what stands in a file; NULL when it cannot be read. (transfer full) */
char   *ls_save_sum   (GFile  *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSave, ls_save_unref)

G_END_DECLS
