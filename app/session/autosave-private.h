/* What the files of the autosave share: autosave.c (writing), autosave-restore.c (what another run left). */
#pragma once

#include "app/session/autosave.h"
#include "app/session/copies.h"

G_BEGIN_DECLS

struct _LsAutosave
{
  GObject    parent_instance;

  LsSession *session;
  LsCopy    *copy;
  GFile     *file;              /* saved there, or NULL */
  char      *saved;             /* sum of what the file, or the opened document, holds; NULL: there was none yet */
  char      *on_disk;           /* checksum of all of the file when it was last read or written, or NULL */
  char      *written;           /* sum and place that the copy holds; NULL: there is no copy */
  guint      due;               /* timeout, or 0 */
  gint64     due_at;
  GQueue     saves;             /* of LsSave; the first may be under way */
  gboolean   restoring;         /* the copy is what another run left and is being read: it must not be written */
  gboolean   writing;
  gboolean   again;             /* something changed meanwhile */
  gboolean   failed;            /* and that was said */
  gboolean   unsaved;
  gboolean   closing;           /* the last of the saves closes it: no copy is begun any more */
  gboolean   ended;
};

/* Takes `taken` in the place of what is there. */
void ls_autosave_set_sum     (char       **sum,
                              char        *taken);
/* There is something that the document's file does not have. */
void ls_autosave_set_unsaved (LsAutosave  *self,
                              gboolean     unsaved);

G_END_DECLS
