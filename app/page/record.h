/* record: what came when a lesson ran, for those who write it down (lesson.c, paper.c). */
#pragma once

#include "app/page/page.h"
#include "app/rpc/rpc.h"

G_BEGIN_DECLS

typedef struct {
  LsRunStatus status;
  char       *sentence;
  char       *trouble;
  LsOutputs  *outputs;
  GVariant   *answer;
} LsRecorded;

/* NULL: the part did not run. */
const LsRecorded *ls_record_get (LsRecord           *self,
                                 const LsLessonPart *part);

G_END_DECLS
