/* task: work in a thread, whose task ends where it began. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Runs `func` in a thread, as g_task_run_in_thread() does, but that thread never holds the task: its source and its data are let go on the main loop that
 * it was made on, so they may be windows, sessions and what else belongs to one thread.  (GTask's own thread drops the task after it was handed back, and
 * may well be the last to do so.)
 *
 * The task is handed back when `func` returns its result, which has to be the last thing that it does with the task and its data. */
void ls_task_run (GTask           *task,
                  GTaskThreadFunc  func);

G_END_DECLS
