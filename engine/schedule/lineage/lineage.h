/* lineage: which loop, block and buffer became which, over several steps or between programs whose steps are unknown.
 */
#pragma once

#include "engine/schedule/step/step.h"

G_BEGIN_DECLS

typedef struct {
  LsVersion *before;
  LsVersion *after;
  GArray    *links;             /* of LsLineageLink, ordered by `after`, removals last */
} LsLineage;

void        ls_lineage_free     (LsLineage *self);
/* From step `from` to step `to` (0: the first program), composed over all steps between; from <= to. */
LsLineage  *ls_schedule_lineage (LsSchedule *schedule,
                                 guint       from,
                                 guint       to);
/* first then second; first->after and second->before are the same version. */
LsLineage  *ls_lineage_compose  (LsLineage  *first,
                                 LsLineage  *second);
/* Between two programs whose steps are unknown: matched by structure and names.  `after` (a fresh version) gets its
 * families from `before`. */
LsLineage  *ls_lineage_match    (LsVersion  *before,
                                 LsVersion  *after);
const char *ls_lineage_how_name (LsLineageHow how);         /* "split" */
/* "a" .. "g", then "a′" ...: the mark of a family (look: lineage). (transfer full) */
char       *ls_family_letter    (guint       family);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsLineage, ls_lineage_free)

G_END_DECLS
