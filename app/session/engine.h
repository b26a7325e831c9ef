/* LsEngineSession: the session of the product: it puts the parts together and knows none of their insides.
 *
 *   document   what is open: program, tree of steps (history), where one stands
 *   editing    the program's text while it is edited         origins    lines of a step, lines of the opened text
 *   moves      what can be done to the selection             trials     moves tried by measuring them
 *   measure    times, through the worker (blas: beside OpenBLAS)
 *   equality   do two nodes give the same?                   roofline   the steps under what the machine can do
 *   pinning    the pins                                      graph      the graph page's model
 *   file, export, history-show, loops, text, card, compare   the document as a file, as texts, as rows
 *
 * A part holds the document and tells the session (LsSession) what is shown; news go up by the document's signals.
 */
#pragma once

#include "app/session/file.h"
#include "app/session/module-file.h"
#include "app/session/history.h"
#include "app/session/ready.h"
#include "engine/device/device.h"
#include "engine/ir/ir.h"
#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_ENGINE_SESSION (ls_engine_session_get_type ())
G_DECLARE_FINAL_TYPE (LsEngineSession, ls_engine_session, LS, ENGINE_SESSION, LsSession)

/* With nothing opened. (transfer full) */
LsSession *ls_engine_session_new       (void);
/* With the sample program of the resources and its steps. (transfer full) */
LsSession *ls_engine_session_new_sample (void);
/* For windows: after a step of a large program its rows and texts are made beside the main loop, and ::module-changed comes when they are
 * there; until then the session shows those of the step before.  Without this they are there at once. */
void       ls_engine_session_show_later (LsEngineSession *self);
/* Looks for the moves of what is selected anew: what is allowed was set otherwise. */
void       ls_engine_session_ask_moves  (LsEngineSession *self);
/* Opens a module from text; `steps` (may be NULL) is Python text of schedule steps that is replayed. `name` is what
 * the window says. */
void       ls_engine_session_open_text (LsEngineSession *self,
                                        const char      *name,
                                        const char      *text,
                                        const char      *steps);

/* A model that another thread has read; takes what it needs of it. */
void        ls_engine_session_open_model (LsEngineSession  *self,
                                          const char       *name,
                                          LsModelFile      *file);
/* The same with what ls_ready_read() made of `source`, in another thread; NULL: nothing, for what `diagnostics` say.  Takes the
 * history of `ready` away, borrows the rest. */
void       ls_engine_session_open_ready (LsEngineSession *self,
                                         const char      *name,
                                         const char      *text,
                                         LsSource        *source,
                                         LsDiagnostics   *diagnostics,
                                         LsReady         *ready);

/* Opens what LS_EXPORT_SESSION wrote; FALSE, with everything as it was, when it cannot be read. `shown` is how messages
 * call it.  *origin (may be NULL) gets the path of the session file that it is a later state of, or NULL. */
gboolean   ls_engine_session_open_saved (LsEngineSession *self,
                                         const char      *shown,
                                         const char      *json,
                                         gssize           length,
                                         char           **origin,
                                         GError         **error);
/* The same with what ls_session_file_read() made of it, maybe in another thread: takes what it wants of `file`.  `ready` is ls_ready_of() its
 * history, or NULL. */
void       ls_engine_session_open_held  (LsEngineSession *self,
                                         LsSessionFile   *file,
                                         LsReady         *ready,
                                         char           **origin);
/* The document as it is now.  All of `file` is borrowed: it is to be read, and not cleared, before the session changes.  FALSE: nothing
 * is opened. */
gboolean   ls_engine_session_peek_file (LsEngineSession *self,
                                        LsSessionFile   *file);
/* Replays `steps`, Python text, on the program as it was opened and goes to the last that could be done; one that is refused stands
 * after it with its reason.  The branches that are there stay. */
void       ls_engine_session_replay (LsEngineSession *self,
                                     const char      *steps);
/* Applies `steps` after the current step and goes to the last.  FALSE with findings when one cannot be read or is refused (without
 * findings: nothing is opened), and then nothing has changed. */
gboolean   ls_engine_session_apply_text (LsEngineSession *self,
                                         const char      *steps,
                                         LsDiagnostics   *diagnostics);

/* Puts what a device measured to the steps that it speaks of, and shows its times.  modules, hashes: by node, of the history as it was when they were taken (NULL where
 * a step was not done).  How many steps got something. */
guint      ls_engine_session_take_result (LsEngineSession      *self,
                                          const LsDeviceResult *result,
                                          GPtrArray            *modules,
                                          GPtrArray            *hashes);

/* ---- what a window beside the main one looks at; all borrowed ---- */

/* The tree of steps, only to be read; NULL: nothing is opened. */
LsHistory  *ls_engine_session_get_history (LsEngineSession *self);
/* The history that a compared node is in (a file that one compares with has its own), with the id there; NULL: there is no such node. */
LsHistory  *ls_engine_session_compared    (LsEngineSession *self,
                                           guint           *id);
/* The program in `text` becomes what nodes are compared with, as LS_COMPARE_FILE.  FALSE: it cannot be read, and nothing has changed. */
gboolean    ls_engine_session_compare_text (LsEngineSession *self,
                                            const char      *name,
                                            const char      *text);
/* Of the shown node; LS_HISTORY_NONE: nothing is opened. */
guint       ls_engine_session_get_node    (LsEngineSession *self);
/* What code is made for: "llvm". */
const char *ls_engine_session_get_target  (LsEngineSession *self);
/* Makes it for another one: "llvm", or what ls_device_target_parse() reads.  The steps stay; their times are marked as those of another target, and come back
 * with it while the document is open.  Emits ::target-changed with the old one.  FALSE, with G_IO_ERROR_INVALID_ARGUMENT: there is no such target, and
 * nothing has changed. */
/* What was said of its symbolic sizes: "n=256", of char. (transfer full) */
GPtrArray  *ls_engine_session_get_sizes   (LsEngineSession *self);
gboolean    ls_engine_session_set_target  (LsEngineSession *self,
                                           const char      *target,
                                           GError         **error);

G_END_DECLS
