/* session/ready: a document that is ready to be shown, made beside the main loop.
 *
 * Replaying steps, counting costs, the rows of the loop nest and the text with its marks take half a second for a megabyte of
 * TVMScript.  None of it knows widgets, so it may be made in another thread; the session then only shows it
 * (ls_engine_session_open_ready()).
 */
#pragma once

#include "app/session/module.h"

G_BEGIN_DECLS

typedef struct {
  LsHistory     *history;       /* or NULL */
  guint          current;       /* the last step of `steps` that could be done */
  GPtrArray     *loops;         /* rows of that step, of LsLoopItem */
  double         flop;
  LsModuleCosts *costs;         /* of its functions */
  LsScriptText  *text;          /* of that step */
  LsScriptText  *before;        /* of the step before, compared with `text`; NULL for the root */
} LsReady;

/* `module` as it was read, with the steps that stand in `steps` (or NULL) after it; `lone`: its text is one free function.
 * (transfer full) */
LsReady    *ls_ready_new          (LsModule *module,
                                   gboolean  lone,
                                   LsSource *steps);
/* What is shown of node `current` of a history, which is borrowed; the `history` of what comes back is NULL. (transfer full) */
LsReady    *ls_ready_of           (LsHistory *history,
                                   guint      current);
/* The same from a text; its steps stand in `steps`, or (with NULL) in the text itself.  NULL when it has errors, or no function:
 * what is wrong is in `diagnostics`. (transfer full) */
LsReady    *ls_ready_read         (LsSource      *source,
                                   LsSource      *steps,
                                   LsDiagnostics *diagnostics);
void        ls_ready_free         (LsReady  *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsReady, ls_ready_free)

/* Whether `length` bytes of the file `name` are text; else what is wrong with it, and in which line. */
gboolean    ls_ready_check_text   (const char  *name,
                                   const char  *text,
                                   gsize        length,
                                   GError     **error);

/* The function that the title names: the only one, else the module's first. Borrowed. */
const char *ls_ready_module_title (LsModule *module);

G_END_DECLS
