/* LoopscopeWorkbench: the session that views show. */
#pragma once

#include <gio/gio.h>

#include <loopscope/loopscope-program.h>

G_BEGIN_DECLS

#define LOOPSCOPE_TYPE_WORKBENCH (loopscope_workbench_get_type ())

/**
 * LoopscopeWorkbench:
 *
 * A program, the tree of schedule steps over it, and where one is: what the window of Loopscope works on.
 *
 * Views ([class@View]) show it and change it.  It belongs to the thread with the main loop.
 */
LOOPSCOPE_PUBLIC
G_DECLARE_FINAL_TYPE (LoopscopeWorkbench, loopscope_workbench, LOOPSCOPE, WORKBENCH, GObject)

/**
 * loopscope_workbench_new:
 *
 * A workbench with nothing opened.
 *
 * Returns: (transfer full): the workbench
 */
LOOPSCOPE_PUBLIC
LoopscopeWorkbench *loopscope_workbench_new (void);

/**
 * loopscope_workbench_open:
 * @self: a workbench
 * @name: what views call the program, such as the name of its file
 * @text: TVMScript
 * @steps: (nullable): schedule steps that are applied, Python text
 * @error: where an error goes
 *
 * Opens a program.  A step that is refused stands at the end of the path with its reason.
 *
 * Returns: %TRUE; %FALSE with [error@Error] when the program cannot be read, and then nothing has changed
 */
LOOPSCOPE_PUBLIC
gboolean loopscope_workbench_open (LoopscopeWorkbench *self,
                                   const char         *name,
                                   const char         *text,
                                   const char         *steps,
                                   GError            **error);

/**
 * loopscope_workbench_apply:
 * @self: a workbench
 * @steps: schedule steps, Python text
 * @error: where an error goes
 *
 * Applies steps to the program after the current step and goes to the last; another branch begins where there are later ones.
 *
 * Returns: %TRUE; %FALSE with [error@Error] when one cannot be read or is refused, and then nothing has changed
 */
LOOPSCOPE_PUBLIC
gboolean loopscope_workbench_apply (LoopscopeWorkbench *self,
                                    const char         *steps,
                                    GError            **error);

/**
 * loopscope_workbench_get_title: (get-property title)
 * @self: a workbench
 *
 * What is opened, for a title.
 *
 * Returns: (transfer none) (nullable): the title, or %NULL
 */
LOOPSCOPE_PUBLIC
const char *loopscope_workbench_get_title (LoopscopeWorkbench *self);

/**
 * loopscope_workbench_get_n_steps: (get-property n-steps)
 * @self: a workbench
 *
 * How many steps the shown path has, the opened program (step 0) among them; 0 when nothing is opened.
 *
 * Returns: the number
 */
LOOPSCOPE_PUBLIC
guint loopscope_workbench_get_n_steps (LoopscopeWorkbench *self);

/**
 * loopscope_workbench_get_position: (get-property position)
 * @self: a workbench
 *
 * The current step, from 0.
 *
 * Returns: the number
 */
LOOPSCOPE_PUBLIC
guint loopscope_workbench_get_position (LoopscopeWorkbench *self);

/**
 * loopscope_workbench_set_position: (set-property position)
 * @self: a workbench
 * @position: a step of the path
 *
 * Goes to a step; a number beyond the last is the last.
 */
LOOPSCOPE_PUBLIC
void loopscope_workbench_set_position (LoopscopeWorkbench *self,
                                       guint               position);

/**
 * loopscope_workbench_dup_step:
 * @self: a workbench
 * @position: a step of the path
 *
 * A step as its call, such as "split(j, [None, 4])"; of step 0 a word for the opened program.
 *
 * Returns: (transfer full) (nullable): the call, or %NULL when there is no such step
 */
LOOPSCOPE_PUBLIC
char *loopscope_workbench_dup_step (LoopscopeWorkbench *self,
                                    guint               position);

/**
 * loopscope_workbench_get_time:
 * @self: a workbench
 * @position: a step of the path
 *
 * The median time of a step in seconds.
 *
 * Returns: the time; 0 when it was not measured
 */
LOOPSCOPE_PUBLIC
double loopscope_workbench_get_time (LoopscopeWorkbench *self,
                                     guint               position);

/**
 * loopscope_workbench_dup_program:
 * @self: a workbench
 *
 * The program after the current step, with the steps that lead to it.
 *
 * Returns: (transfer full) (nullable): the program, or %NULL when nothing is opened
 */
LOOPSCOPE_PUBLIC
LoopscopeProgram *loopscope_workbench_dup_program (LoopscopeWorkbench *self);

/**
 * loopscope_workbench_select:
 * @self: a workbench
 * @block: (nullable): name of a block; %NULL selects nothing
 * @loop: (nullable): name of a loop around it; %NULL for the block itself
 *
 * Selects a loop or block of the program after the current step in all views.
 *
 * Returns: whether there is one
 */
LOOPSCOPE_PUBLIC
gboolean loopscope_workbench_select (LoopscopeWorkbench *self,
                                     const char         *block,
                                     const char         *loop);

/**
 * loopscope_workbench_measure:
 * @self: a workbench
 *
 * Begins to measure every step of the path, in a process of its own; [property@Workbench:running] tells when it is done.
 */
LOOPSCOPE_PUBLIC
void loopscope_workbench_measure (LoopscopeWorkbench *self);

/**
 * loopscope_workbench_cancel:
 * @self: a workbench
 *
 * Ends what is running.
 */
LOOPSCOPE_PUBLIC
void loopscope_workbench_cancel (LoopscopeWorkbench *self);

/**
 * loopscope_workbench_is_running: (get-property running)
 * @self: a workbench
 *
 * Whether something is being measured.
 *
 * Returns: %TRUE while it is
 */
LOOPSCOPE_PUBLIC
gboolean loopscope_workbench_is_running (LoopscopeWorkbench *self);

/**
 * loopscope_workbench_save:
 * @self: a workbench
 * @file: where
 * @error: where an error goes
 *
 * Writes the session with its whole history as the window does (`.loopscope`).
 *
 * Returns: %TRUE; %FALSE with an error, and then the file is as it was
 */
LOOPSCOPE_PUBLIC
gboolean loopscope_workbench_save (LoopscopeWorkbench *self,
                                   GFile              *file,
                                   GError            **error);

G_END_DECLS
