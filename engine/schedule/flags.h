/* flags: what a schedule knows of a block. */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* As TVM's BlockInfo; flags.c says what they mean. */
typedef struct {
  gboolean affine_binding;
  gboolean region_cover;
  gboolean stage_pipeline;
} LsBlockFlags;

/* What the schedule knows of a Block node of its program.  FALSE: that stands nowhere in it.  Costs what the program costs. */
gboolean ls_schedule_get_flags (LsSchedule   *schedule,
                                LsNode       *block,
                                LsBlockFlags *flags);

G_END_DECLS
