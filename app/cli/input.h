/* input: what several commands read (each function prints what is wrong to standard error and returns NULL then) and write. */
#pragma once

#include "app/cli/cli.h"
#include "engine/schedule/schedule.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* drawing.c: loopscope-draw, beside this program, in the build tree around it, or by its name in PATH; NULL: it is nowhere. (transfer full) */
char       *ls_cli_find_draw      (void);
/* Hands a request (a{sv} as bytes: see app/draw) over to it, with the hidden option that says which, and prints the names of the files.  absent: the sentence where
 * there is no such program.  Returns: the command's status. */
int         ls_cli_draw           (const char *command,
                                   const char *mode,
                                   GBytes     *input,
                                   gboolean    dark,
                                   const char *absent);

/* A file as a source. (transfer full) */
LsSource   *ls_cli_read_source    (const char *command,
                                   const char *path);
/* A source as a module; warnings are printed too.  Keep the source while places in it are asked for. (transfer full) */
LsModule   *ls_cli_parse_module   (const char *command,
                                   LsSource   *source);
/* The same; *only gets the function of a text that is one free function (transfer full), else NULL. */
LsModule   *ls_cli_parse_file     (const char *command,
                                   LsSource   *source,
                                   LsNode    **only);
/* A TVMScript file, or a model of ONNX (.onnx), as a module; warnings are printed too. (transfer full) */
LsModule   *ls_cli_read_module    (const char *command,
                                   const char *path);
/* Is the text of these steps a trace as JSON (and not Python)? */
gboolean    ls_cli_is_json_trace  (LsSource   *steps);
/* A module with the steps of a file applied (Python or JSON; NULL: none; upto 0: all).  A refused step is an error. (transfer full) */
LsSchedule *ls_cli_read_schedule  (const char *command,
                                   const char *path,
                                   const char *steps,
                                   guint       upto);
/* The same for a module that was read before. (transfer full) */
LsSchedule *ls_cli_schedule_module (const char *command,
                                   LsModule   *module,
                                   const char *steps,
                                   guint       upto);
/* The module after the steps. (transfer full) */
LsModule   *ls_cli_read_scheduled (const char *command,
                                   const char *path,
                                   const char *steps);
/* Prints which step is refused, where it stands and why. Returns LS_CLI_FAILED. */
int         ls_cli_refuse         (LsSource         *steps,
                                   const LsCallStep *call,
                                   LsDiagnostics    *findings);
/* The same for a step of a JSON trace (number from 1). */
int         ls_cli_refuse_instruction (LsSource          *steps,
                                   guint              number,
                                   const LsTraceStep *step,
                                   LsDiagnostics     *findings);
/* Prints findings. Returns LS_CLI_FAILED. */
int         ls_cli_fail_with      (LsDiagnostics *diagnostics);

/* The module as the worker reads it: with the data of its constants. (transfer full) */
char       *ls_cli_module_text    (LsModule   *module);
/* A text on standard output, with a line end where it has none. */
void        ls_cli_put_text       (const char *text);
/* How many columns of a terminal it takes: letters of Chinese and Korean take two. */
int         ls_cli_columns        (const char *text);
/* What was built, on standard output. */
void        ls_cli_put_json       (JsonBuilder *builder);

G_END_DECLS
