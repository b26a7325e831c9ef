/* LsTaskTable: the functions of a Relax module that is searched as a whole: calls, trials, the time as it is and now, and what each is of the whole.
 * One of them is chosen: its candidates are shown. */
#pragma once

#include "views/models/tuning.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_TASK_TABLE (ls_task_table_get_type ())
G_DECLARE_FINAL_TYPE (LsTaskTable, ls_task_table, LS, TASK_TABLE, GtkWidget)

GtkWidget *ls_task_table_new        (void);
/* Holds it; once. */
void       ls_task_table_set_tuning (LsTaskTable *self,
                                     LsTuning    *tuning);

G_END_DECLS
