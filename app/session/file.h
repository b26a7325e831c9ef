/* session/file: a document of the window as JSON, and back.
 *
 * {"format": "loopscope-session", "version": 1, "name": "mm_relu.py", "target": "llvm", "module": "<text as opened>",
 *  "draft": "<text that is being edited and cannot be read yet>",
 *  "branches": ["main", ..], "steps": [{"parent": 0, "call": "split(j, [None, 4])", "name": "split", "lines": "l4, l5 = ..",
 *  "time": {..}, "devices": [..], "trouble": "..", "bookmark": 2}, ..], "pins": [{"pin": "A", ..}],
 *  "origin": "<path of the session file that this is a later state of>", "origin_sum": "<what that held>",
 *  "sizes": "n=256 m=8", "device": "<whose times are shown>", "passes": ["LegalizeOps()", ..], "styles": ["int8", ..], "current": 3, "selection": 7, "view": {..}}
 *
 * Steps come parents before children, the root first; a step is the lines of the trace that it adds, so a person can
 * read it and TVM can too.  Reading replays them: what no longer works becomes a step with its reason.
 * Members that are unknown are passed over, missing ones have defaults.  Knows nothing of widgets.
 */
#pragma once

#include "app/session/pins.h"

G_BEGIN_DECLS

#define LS_SESSION_SUFFIX ".loopscope"
#define LS_SESSION_FILE_FORMAT "loopscope-session"
#define LS_SESSION_FILE_VERSION 1

#define LS_SESSION_FILE_ERROR (ls_session_file_error_quark ())
GQuark ls_session_file_error_quark (void);

typedef enum {
  LS_SESSION_FILE_ERROR_SYNTAX,         /* no JSON */
  LS_SESSION_FILE_ERROR_FORMAT,         /* JSON of something else, or of a later version */
  LS_SESSION_FILE_ERROR_MODULE          /* the program in it cannot be read */
} LsSessionFileError;

typedef struct {
  char      *name;              /* of the file that was opened */
  char      *target;
  char      *text;              /* of the opened module */
  const char *text_sum;         /* its checksum, where that is known, or NULL; borrowed */
  guint32    source;            /* the number that it had when it was read */
  char      *draft;             /* another text that cannot be read yet, or NULL */
  char      *origin;            /* path of the session file that an unsaved state belongs to, or NULL */
  char      *origin_sum;        /* checksum of what that file held when it was last read or written, or NULL */
  LsHistory *history;
  guint      current;
  guint64    selection;
  char      *sizes;             /* what the symbolic sizes are: "n=256 m=8", or NULL */
  char      *device;            /* whose times are shown: one that has measured a step, or NULL: this machine */
  char     **passes;            /* that the graph page ran, or NULL */
  char     **styles;            /* searches that it keeps as colours, or NULL */
  LsPins     pins;
  char      *left_out;          /* what of it could not be read, a sentence, or NULL */
} LsSessionFile;

void     ls_session_file_clear (LsSessionFile       *self);
/* Fills `self`; FALSE when nothing can be shown. `shown` is how messages call the file. */
gboolean ls_session_file_read  (LsSessionFile       *self,
                                const char          *shown,
                                const char          *json,
                                gssize               length,
                                GError             **error);

/* How many steps, the root among them, such a text has; nothing is replayed.  0: it is no session. */
guint    ls_session_file_count (const char          *json,
                                gssize               length);

/* ---- file-write.c ---- */

/* (transfer full) */
char    *ls_session_file_write (const LsSessionFile *self);
/* Checksum of what a document holds; where one stands and what is selected do not count.  Only compared with other ones of this run.
 * Cost: 20 bytes for each step, what was measured, and the texts (of which the opened one may come with its checksum); no trace is
 * printed. (transfer full) */
char    *ls_session_file_sum   (const LsSessionFile *self);

/* A document as it was at one moment.  It shares nothing with the document and never changes, so any thread may write it. */
typedef struct _LsSessionImage LsSessionImage;

/* (transfer full) */
LsSessionImage *ls_session_image_new   (const LsSessionFile  *file);
void            ls_session_image_free  (LsSessionImage       *self);
/* Of which session file it is a later state, and what that held; both may be NULL. */
void            ls_session_image_set_origin (LsSessionImage  *self,
                                             const char      *origin,
                                             const char      *origin_sum);
/* (transfer full) */
char           *ls_session_image_write (const LsSessionImage *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSessionImage, ls_session_image_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsSessionFile, ls_session_file_clear)

G_END_DECLS
