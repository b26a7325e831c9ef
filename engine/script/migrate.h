/* migrate: old scripts brought to the names that TVM's main has since 2026: tvm.tirx and tvm.s_tir for tvm.tir, T.sblock for T.block,
 * tvm.compile and tvm.runtime.tensor for tvm.build and tvm.nd.array.
 *
 * The text is read as tokens, so that comments, layout and everything that is not one of the names stays as it is.  A name is found by what
 * the imports of the text bind it to, wherever it stands (`tir.Schedule`, `tvm.tir.Schedule`, `Schedule` are one); methods, whose object's
 * type nobody knows, by their name alone.
 */
#pragma once

#include "engine/base/base.h"

G_BEGIN_DECLS

/* One place of the text. */
typedef struct {
  guint       line, column;     /* in the old text, from 1 */
  char       *before;
  char       *after;            /* NULL: left as it is: there is no new name for it */
  const char *why;              /* a sentence, static */
} LsMigration;

void  ls_migration_free (LsMigration *self);

/* The text under its new names.  Each place is added to `report` (of LsMigration, in the order of the text).  NULL when it is no Python, as
 * `diagnostics` say. (transfer full) */
char *ls_script_migrate (LsSource      *source,
                         GPtrArray     *report,
                         LsDiagnostics *diagnostics);

G_END_DECLS
