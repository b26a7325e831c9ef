/* session/export: what a session can be written as. */
#pragma once

#include "app/session/document.h"
#include "app/session/editing.h"
#include "app/session/file.h"
#include "app/session/pinning.h"
#include "app/session/roofline.h"
#include "views/models/session.h"

G_BEGIN_DECLS

/* Of whom; all borrowed. */
typedef struct {
  LsSession  *session;
  LsDocument *document;
  LsEditing  *editing;
  LsPinning  *pinning;
  LsMachine  *machine;
} LsExportOf;

/* The document as it is now, all borrowed; FALSE: nothing is opened. */
gboolean  ls_export_peek         (const LsExportOf  *of,
                                  LsSessionFile     *file);
/* The steps up to node `step` as TVM reads them. (transfer full); NULL with `error` set: nothing is opened */
char     *ls_export_trace        (LsDocument        *document,
                                  guint              step,
                                  GError           **error);
/* (transfer full); NULL with `error` set */
char     *ls_export_text         (const LsExportOf  *of,
                                  LsExportKind       kind,
                                  GError           **error);
/* The same, of the document as it is now, in a thread; `task`, whose source is the session, is answered with the text. */
void      ls_export_text_later   (const LsExportOf  *of,
                                  LsExportKind       kind,
                                  GTask             *task);
gboolean  ls_export_figure       (const LsExportOf  *of,
                                  LsFigureKind       kind,
                                  const char        *path,
                                  gboolean           dark,
                                  GError           **error);
/* The same in a thread; `task` is answered with TRUE. */
void      ls_export_figure_later (const LsExportOf  *of,
                                  LsFigureKind       kind,
                                  const char        *path,
                                  gboolean           dark,
                                  GTask             *task);

G_END_DECLS
