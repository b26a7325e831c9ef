/* thread-sync-access: what statements of a kernel do to memory that threads share, and when two of them need a barrier between them. */
#pragma once

#include "engine/arith/arith.h"
#include "engine/tir/tir.h"

typedef enum { LS_SYNC_READ, LS_SYNC_WRITE, LS_SYNC_BARRIER } LsSyncKind;

typedef struct {
  gatomicrefcount refs;
  LsSyncKind kind;
  LsVar     *buffer;
  GPtrArray *touched;           /* of LsIntSet, one for each dimension */
  LsVar     *thread;            /* the innermost one, or NULL */
  gboolean   is_ahead;          /* writes the other half of a double buffer */
  gboolean   is_atomic;
} LsSyncAccess;

/* An access to a buffer (of a barrier: NULL) by the innermost thread, or NULL where there is none; no dimension is said yet. (transfer full) */
LsSyncAccess *ls_sync_access_new   (LsVar        *thread,
                                    LsSyncKind    kind,
                                    LsVar        *buffer);
LsSyncAccess *ls_sync_access_ref   (LsSyncAccess *self);
void          ls_sync_access_unref (gpointer      data);
/* A list that owns its accesses. (transfer full) */
GPtrArray    *ls_sync_accesses_new (void);
/* Does an access need a barrier behind one of those before it?  `around`: it stands in the next round of their loop. */
gboolean      ls_sync_conflicts    (GPtrArray    *before,
                                    LsSyncAccess *access,
                                    gboolean      around);
/* Do some write what others read? */
gboolean      ls_sync_changes_any  (GPtrArray    *some,
                                    GPtrArray    *others);
