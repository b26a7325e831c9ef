/* passes/compare: a function before and after a pass as two texts side by side, with marks at what changed. */
#pragma once

#include "app/passes/model.h"
#include "views/models/comparison.h"

G_BEGIN_DECLS

typedef enum {
  LS_PASSES_OPERATIONS,         /* by what operations are, whatever they are called */
  LS_PASSES_LINES,              /* letter by letter */
  LS_PASSES_DUMP                /* all of the dump as it stands in the log */
} LsPassesManner;

typedef struct {
  LsPassesManner manner;
  LsPassHide     hide;
  gboolean       around;        /* only what changed, with the lines around it */
  gboolean       coloured;      /* lines have the colour of their source line, where the log says it */
} LsPassesView;

/* The texts of a part of a dump (a number of the log's parts; -1: of none).  Long texts are cut, and say so in their last line.
 * *reader gets who read LLVM IR, as ls_pass_sides_diff() says it (transfer full), or NULL.  In any thread. (transfer full) */
LsComparison *ls_passes_compare (LsPasses           *passes,
                                 guint               dump,
                                 int                 part,
                                 const LsPassesView *view,
                                 char              **reader);
/* A part of this log (-1: none) after its pass, and the part of the same name of another log's dump. (transfer full) */
LsComparison *ls_passes_compare_two (LsPasses       *passes,
                                 int                 part,
                                 LsPasses           *other,
                                 guint               other_dump,
                                 const LsPassesView *view,
                                 char              **reader);
/* What stands in front of a dump. (transfer full) */
LsComparison *ls_passes_other   (LsPasses           *passes,
                                 guint               dump);
/* Two texts of this language. (transfer full) */
LsComparison *ls_passes_compare_texts (const LsPassSide *before,
                                 const LsPassSide   *after,
                                 LsPassLogKind       kind,
                                 const LsPassesView *view,
                                 char              **reader);

G_END_DECLS
