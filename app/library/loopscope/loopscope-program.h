/* LoopscopeProgram: a module of TVMScript with the schedule steps that made it. */
#pragma once

#include <gio/gio.h>

#include <loopscope/loopscope-move.h>

G_BEGIN_DECLS

/**
 * LoopscopeStyle:
 * @LOOPSCOPE_STYLE_RELEASE: as TVM v0.20 prints
 * @LOOPSCOPE_STYLE_COURSE: as in the course of 2023
 * @LOOPSCOPE_STYLE_MAIN: as TVM's main prints
 *
 * How a program is printed.
 */
typedef enum {
  LOOPSCOPE_STYLE_RELEASE,
  LOOPSCOPE_STYLE_COURSE,
  LOOPSCOPE_STYLE_MAIN
} LoopscopeStyle;

/**
 * LoopscopeTraceFormat:
 * @LOOPSCOPE_TRACE_PYTHON: the Python text that TVM prints
 * @LOOPSCOPE_TRACE_JSON: the JSON that TVM reads
 *
 * How steps are written.
 */
typedef enum {
  LOOPSCOPE_TRACE_PYTHON,
  LOOPSCOPE_TRACE_JSON
} LoopscopeTraceFormat;

#define LOOPSCOPE_TYPE_PROGRAM (loopscope_program_get_type ())

/**
 * LoopscopeProgram:
 *
 * A module of functions, and the schedule steps that were applied to it.  It never changes: a step makes another program.
 */
LOOPSCOPE_PUBLIC
G_DECLARE_FINAL_TYPE (LoopscopeProgram, loopscope_program, LOOPSCOPE, PROGRAM, GObject)

/**
 * loopscope_program_parse:
 * @name: how findings call the text, such as the name of its file
 * @text: TVMScript
 * @error: where an error goes
 *
 * Reads a program.
 *
 * Returns: (transfer full): the program, or %NULL with [error@Error]
 */
LOOPSCOPE_PUBLIC
LoopscopeProgram *loopscope_program_parse (const char *name,
                                           const char *text,
                                           GError    **error);

/**
 * loopscope_program_to_script:
 * @self: a program
 * @style: how
 *
 * The program as TVMScript; it is read again as the same program.
 *
 * Returns: (transfer full): the text
 */
LOOPSCOPE_PUBLIC
char *loopscope_program_to_script (LoopscopeProgram *self,
                                   LoopscopeStyle    style);

/**
 * loopscope_program_list_functions:
 * @self: a program
 *
 * The names of its functions, in their order.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names
 */
LOOPSCOPE_PUBLIC
char **loopscope_program_list_functions (LoopscopeProgram *self);

/**
 * loopscope_program_list_parameters:
 * @self: a program
 * @function: (nullable): name of a function; %NULL where there is only one
 * @error: where an error goes
 *
 * The parameters of a function, such as "A: float32[128, 128]".
 *
 * Returns: (transfer full) (array zero-terminated=1): one text for each, or %NULL with an error
 */
LOOPSCOPE_PUBLIC
char **loopscope_program_list_parameters (LoopscopeProgram *self,
                                          const char       *function,
                                          GError          **error);

/**
 * loopscope_program_is_equal:
 * @self: a program
 * @other: another one
 *
 * Whether both are the same up to the names of variables.
 *
 * Returns: %TRUE when they are
 */
LOOPSCOPE_PUBLIC
gboolean loopscope_program_is_equal (LoopscopeProgram *self,
                                     LoopscopeProgram *other);

/**
 * loopscope_program_apply:
 * @self: a program
 * @steps: schedule steps: Python text with one call a line, or a trace of TVM as JSON
 * @error: where an error goes
 *
 * Applies schedule steps.  Either all are applied or none.
 *
 * Returns: (transfer full): the program after them, or %NULL with [error@Error]
 */
LOOPSCOPE_PUBLIC
LoopscopeProgram *loopscope_program_apply (LoopscopeProgram *self,
                                           const char       *steps,
                                           GError          **error);

/**
 * loopscope_program_dup_trace:
 * @self: a program
 * @format: how
 *
 * All steps that were applied, as TVM writes a trace.
 *
 * Returns: (transfer full): the text
 */
LOOPSCOPE_PUBLIC
char *loopscope_program_dup_trace (LoopscopeProgram    *self,
                                   LoopscopeTraceFormat format);

/**
 * loopscope_program_list_moves:
 * @self: a program
 * @block: name of a block
 * @loop: (nullable): name of a loop around it; %NULL for the block itself
 * @error: where an error goes
 *
 * Everything that can be done there, then what can be done with a change, then what cannot be done.
 *
 * Returns: (transfer container) (element-type LoopscopeMove): the moves, which go with the array, or %NULL with an error
 */
LOOPSCOPE_PUBLIC
GPtrArray *loopscope_program_list_moves (LoopscopeProgram *self,
                                         const char       *block,
                                         const char       *loop,
                                         GError          **error);

/**
 * loopscope_program_lower:
 * @self: a program
 * @error: where an error goes
 *
 * Runs the lowering passes for a CPU.
 *
 * Returns: (transfer full): the lowered program, without steps, or %NULL with an error
 */
LOOPSCOPE_PUBLIC
LoopscopeProgram *loopscope_program_lower (LoopscopeProgram *self,
                                           GError          **error);

/**
 * loopscope_program_run:
 * @self: a program
 * @function: (nullable): name of a function of TensorIR; %NULL where there is only one
 * @arguments: (element-type GBytes): the elements of each array, compact and in row-major order, or the bytes of a number
 * @cancellable: (nullable): ends the run
 * @error: where an error goes
 *
 * Runs a function in the interpreter: exactly, with every access checked, and slowly.  Blocks until it is done.
 *
 * Returns: (transfer container) (element-type GBytes): the same arrays after the run, which go with it, or %NULL with an error
 */
LOOPSCOPE_PUBLIC
GPtrArray *loopscope_program_run (LoopscopeProgram *self,
                                  const char       *function,
                                  GPtrArray        *arguments,
                                  GCancellable     *cancellable,
                                  GError          **error);

G_END_DECLS
