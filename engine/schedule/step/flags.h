/* flags: what a schedule knows of a block. */
#pragma once

#include "engine/schedule/step/step.h"

G_BEGIN_DECLS

/* As TVM's BlockInfo; state/flags.c says what they mean. */
typedef struct {
  gboolean affine_binding;
  gboolean region_cover;
  gboolean stage_pipeline;
} LsBlockFlags;

/* What the schedule knows of a Block node of its program.  FALSE: that stands nowhere in it.  Costs what the program costs. */
gboolean ls_schedule_get_flags (LsSchedule   *schedule,
                                LsNode       *block,
                                LsBlockFlags *flags);
/* Are the kept tree of loops and blocks and the kept flags those of the program?  FALSE with findings.  Expensive: TVM's debug_mask. */
gboolean ls_schedule_verify    (LsSchedule   *schedule,
                                gboolean      tree,
                                gboolean      flags,
                                LsDiagnostics *findings);

G_END_DECLS
