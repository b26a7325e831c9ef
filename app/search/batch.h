/* LsSearchBatch: candidates of a search that travel to a device as a bundle, and their times that come back as a file.
 *
 * Beside the database stands database_batches.json, a line for each candidate that was given out, could not be, or came back:
 *
 *   {"program", "target", "candidate": structural hashes and the target, "state": "out", "trace"}
 *   {..., "state": "unfit", "reason"}                                it is no program for the device; it stays here
 *   {..., "state": "back", "kind", "device", "when", "seconds" or "reason"}
 *
 * The last line of a candidate counts.  Files are added to under a lock, so that several may travel at a time.  A result is matched by the hashes.
 */
#pragma once

#include "app/bundle/bundle.h"
#include "app/search/search.h"

G_BEGIN_DECLS

typedef struct {
  LsModule       *module;       /* the unscheduled program */
  const char     *name;         /* of it, for people */
  GPtrArray      *designs;      /* of LsTrace: what is drawn from */
  gboolean        decided;      /* each of them is one program, with its decisions */
  LsTuneStrategy  strategy;
  LsTuneModelKind model;
  gint64          seed;
  const char     *database;     /* the folder */
  const char     *target;       /* "cuda", "opencl", "rocm", or a tag */
  const char     *func, *arch;  /* or NULL */
  const char *const *set;       /* NAME=VALUE of symbolic sizes, or NULL; times of other sizes are kept apart by the kind */
  const char     *kind;         /* of device; NULL: that of the last result that came back */
  gint64          timeout_s;
} LsSearchBatchOptions;

/* What was done; numbers of candidates. */
typedef struct {
  guint  given, unfit, waiting; /* given out now; no programs for the device; given out before and not back */
  char  *unfit_reason;          /* of the first, or NULL */
  guint  measured, failed, again, unknown;      /* came back now: with a time, without; had come back before; of no batch that is known here */
  char  *failed_reason;         /* of the first, or NULL */
  char  *kind, *device;         /* that measured, or NULL */
  char  *note;                  /* what was found out about the files, or NULL */
} LsSearchBatchCounts;

typedef struct _LsSearchBatch LsSearchBatch;

/* Reads what is known.  Errors: of files, LS_DEVICE_ERROR. (transfer full) */
LsSearchBatch *ls_search_batch_open     (const LsSearchBatchOptions *options,
                                         GError                    **error);
void           ls_search_batch_free     (LsSearchBatch              *self);
/* Takes measured times, and failures with their reasons, into the database; what has come back already is taken once.  Errors: LS_DEVICE_ERROR_STRANGER: it is a
 * result of another program, of another target or device than asked for, or has nothing that was given out here. */
gboolean       ls_search_batch_import   (LsSearchBatch              *self,
                                         const LsDeviceResult       *result,
                                         GError                    **error);
/* Draws `n` more candidates than are known, of the best as the model has them, and writes them as a bundle; those of which no bundle can be made are noted
 * with the reason.  Errors: of files, and LS_DEVICE_ERROR_UNSUPPORTED when there is none. */
gboolean       ls_search_batch_export   (LsSearchBatch              *self,
                                         guint                       n,
                                         const char                 *folder,
                                         GError                    **error);
/* Of LsSearchTrial: all that have come back from devices of the kind, this search's and others'. Borrowed.  Errors: of files. */
GPtrArray     *ls_search_batch_get_known (LsSearchBatch             *self,
                                         GError                    **error);
const LsSearchBatchCounts *
               ls_search_batch_get_counts (LsSearchBatch            *self);
/* "[16, 4] [8, 8] 1": what was drawn for a program, in order. (transfer full) */
char          *ls_search_decisions_text (LsSchedule                 *schedule);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSearchBatch, ls_search_batch_free)

G_END_DECLS
