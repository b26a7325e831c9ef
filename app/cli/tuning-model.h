/* tuning-model: a Relax module whose tasks are searched, on the command line. */
#pragma once

#include "app/search/model.h"

G_BEGIN_DECLS

/* A search of tasks that is shown: this process' or another's; the other is NULL. */
typedef struct {
  LsSearchModel *model;
  LsSearchRun   *run;
} LsCliTuningModel;

/* The module whose functions are searched: itself, or what LegalizeOps, FuseOps and FuseTIR make of operators; its tasks in *tasks, which is left empty where it has no
 * Relax function (transfer full).  NULL: it is said why there are no tasks (transfer full). */
LsModule *ls_cli_tuning_tasks    (const char             *command,
                                  LsModule               *module,
                                  GPtrArray             **tasks);
/* "12 of 64 trials, 3 of 5 tasks timed, 1.2 ms (x3.4)", on standard error. */
void      ls_cli_tuning_progress (const LsCliTuningModel *self,
                                  guint                   planned);
/* The tasks as a table, with what each is of the whole. FALSE: none has a time; then it is said why. */
gboolean  ls_cli_tuning_table    (const char             *command,
                                  const LsCliTuningModel *self);

G_END_DECLS
