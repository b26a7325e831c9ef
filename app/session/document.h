/* session/document: LsDocument: what is open: a program, the tree of steps on it, and where one stands.
 *
 * Everything else of the session holds it and asks it; it knows none of them.  ::moved says that another node is the shown one
 * (with the node that was before), ::changed that figures or names in the history are others.
 */
#pragma once

#include <glib-object.h>

#include "app/session/history.h"

G_BEGIN_DECLS

#define LS_TYPE_DOCUMENT (ls_document_get_type ())
G_DECLARE_FINAL_TYPE (LsDocument, ls_document, LS, DOCUMENT, GObject)

/* All of it as it is now; borrowed, and only to be read. */
typedef struct {
  LsHistory *history;           /* NULL: no program */
  guint      current;           /* node that is shown */
  guint      number;            /* counts what was opened: an answer that was asked for under another number is dropped */
  char      *name;              /* of the file; NULL: nothing was ever opened */
  char      *target;            /* what code is made for: "llvm" */
  char      *device;            /* whose times are shown: of a device that a result came from; NULL: of this machine */
  char      *text;              /* of the opened program, or NULL */
  char      *text_sum;          /* its checksum */
  char     **styles;            /* of the graph page: searches kept as colours; NULL: none */
  char      *sizes;             /* what its symbolic sizes are, as far as that was said: "n=256 m=8"; NULL: nothing was */
  char     **passes;            /* of the graph page, in order: passes and edits as texts; NULL: none */
} LsDocumentRecord;

LsDocument             *ls_document_new         (void);
const LsDocumentRecord *ls_document_get         (LsDocument    *self);
/* The shown node, the opened program; NULL: no program. Borrowed. */
LsHistoryNode          *ls_document_get_node    (LsDocument    *self);
LsModule               *ls_document_get_base    (LsDocument    *self);

/* From now on there is another document: answers for the old one are dropped. */
void                    ls_document_renew       (LsDocument    *self);
/* Takes the history (NULL: there is none any more); nothing is told yet, ls_document_go() shows it. */
void                    ls_document_set_history (LsDocument    *self,
                                                 LsHistory     *history,
                                                 guint          current);
/* Gives the history away. (transfer full) */
LsHistory              *ls_document_take_history (LsDocument   *self);
void                    ls_document_set_name    (LsDocument    *self,
                                                 const char    *name);
/* What the graph page ran on the opened program; tells nobody. */
void                    ls_document_set_passes  (LsDocument    *self,
                                                 const char *const *passes);
void                    ls_document_set_styles  (LsDocument    *self,
                                                 const char *const *styles);
void                    ls_document_set_target  (LsDocument    *self,
                                                 const char    *target);
/* NULL: this machine. */
void                    ls_document_set_device  (LsDocument    *self,
                                                 const char    *device);
/* "" or NULL: nothing is said of them. */
void                    ls_document_set_sizes   (LsDocument    *self,
                                                 const char    *sizes);
/* Takes the text. */
void                    ls_document_take_text   (LsDocument    *self,
                                                 char          *text);

/* Goes to a node of the history and tells of it. */
void                    ls_document_go          (LsDocument    *self,
                                                 guint          id);
/* Does the steps in `text` after node `at` and goes to the last; FALSE: `diagnostics` say why not. */
gboolean                ls_document_apply       (LsDocument    *self,
                                                 guint          at,
                                                 const char    *text,
                                                 LsDiagnostics *diagnostics);
/* Tells that something in the history is another. */
void                    ls_document_changed     (LsDocument    *self);

/* ---- what it is compared with ---- */

/* The history of a file, taken, with the node of it that is compared. */
void                    ls_document_set_other   (LsDocument    *self,
                                                 LsHistory     *history,
                                                 guint          node);
/* The history that a compared node (or LS_COMPARE_FILE) is in, with its id there; NULL: there is no such node. Borrowed. */
LsHistory              *ls_document_compared    (LsDocument    *self,
                                                 guint         *id);

G_END_DECLS
