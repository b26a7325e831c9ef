/* cli: the frame of loopscope-cli.
 *
 * One file per command (cmd-NAME.c), one line per command in the table of main.c.  Results go to standard output,
 * everything else to standard error.  A command's `run` gets its own name as argv[0] and returns the exit status.
 */
#pragma once

#include "engine/base/base.h"

#include <stdio.h>

G_BEGIN_DECLS

#define LS_CLI_DONE 0           /* done */
#define LS_CLI_FAILED 1         /* the input or the request is wrong */
#define LS_CLI_USAGE 2          /* the command line is wrong */
#define LS_CLI_REFUSED 3        /* this machine refuses a jail, and nobody said that cells may run without one */

typedef struct {
  const char *name;
  const char *arguments;        /* "EXPR [--var NAME:LO..HI] [--json]" */
  const char *summary;          /* one sentence */
  int       (*run) (int    argc,
                    char **argv);
} LsCliCommand;

/* What goes wrong is read in a window: sentences alone, without the name of the program and how it is used. */
void ls_cli_set_heard (void);

/* The table, which has to live on; before anything else. */
void        ls_cli_set_commands (const LsCliCommand *commands,
                                 guint               n);
/* NULL: there is none of this name. */
const LsCliCommand *ls_cli_find_command (const char *name);
/* "Usage: loopscope-cli NAME ARGUMENTS" */
void        ls_cli_print_usage (FILE               *file,
                                const LsCliCommand *command);
/* "loopscope-cli NAME: sentence" on standard error. Returns LS_CLI_FAILED. */
int         ls_cli_fail      (const char *command,
                              const char *format,
                              ...) G_GNUC_PRINTF (2, 3);
/* The sentence and how the command is called. Returns LS_CLI_USAGE. */
int         ls_cli_usage     (const char *command,
                              const char *format,
                              ...) G_GNUC_PRINTF (2, 3);

/* ---- arguments: options anywhere, `--name value` or `--name=value`, everything after `--` as it is.  A single dash
 *      starts no option, so that expressions may begin with a minus. ---- */

typedef struct {
  int          argc;
  char       **argv;
  int          at;              /* the argument to look at next */
  gboolean     literal;         /* `--` was seen */
  const char  *missing;         /* an option that stands without its value */
} LsCliArgs;

void        ls_cli_args_init   (LsCliArgs  *self,
                                int         argc,
                                char      **argv);
/* Is there an argument left? */
gboolean    ls_cli_args_more   (LsCliArgs  *self);
/* Takes the next argument if it is this flag. */
gboolean    ls_cli_args_flag   (LsCliArgs  *self,
                                const char *name);
/* Takes the next argument and its value if it is this option; otherwise NULL.  Sets `missing` if there is no value. */
const char *ls_cli_args_option (LsCliArgs  *self,
                                const char *name);
/* Takes the next argument if it is no option; otherwise NULL. */
const char *ls_cli_args_word   (LsCliArgs  *self);
/* After a loop over all of these: what is wrong with the argument at which it stands. Returns LS_CLI_USAGE. */
int         ls_cli_args_refuse (LsCliArgs  *self);

/* The same as a table, for commands whose options stand for themselves. */
typedef enum {
  LS_CLI_FLAG,                  /* gboolean: set when the flag is there */
  LS_CLI_TEXT,                  /* const char *: the value */
  LS_CLI_LIST,                  /* GPtrArray: gets the value each time, not owned */
  LS_CLI_NUMBER                 /* gint64, from 0: kept as it is when the option is not there */
} LsCliOptionKind;

typedef struct {
  const char      *name;        /* "--steps"; NULL ends the table */
  LsCliOptionKind  kind;
  gpointer         at;          /* what gets it: a pointer of the kind; for LIST the array itself */
} LsCliOption;

/* Reads the whole command line; *file gets the one word in it (NULL when there is none).
 * Returns LS_CLI_DONE, or LS_CLI_USAGE after it said what is wrong. */
int         ls_cli_args_read   (int                argc,
                                char             **argv,
                                const LsCliOption *options,
                                const char       **file);

/* ---- what --help, the manual page and the completions are made of (describe.c) ---- */

typedef struct {
  const char *name;             /* "--fold N": of the option --fold whose value begins with N; "lower --pass": of that command alone */
  const char *meaning;
} LsCliMeaning;

/* One option as a command's line of arguments has it. */
typedef struct {
  char       *name;             /* "--steps" */
  char       *value;            /* "STEPS.py", "0.20|2023|2026", "" */
  gboolean    optional;         /* it may stand without its value */
  gboolean    repeated;         /* it may be given several times */
  const char *meaning;          /* NULL: nobody said */
} LsCliOptionText;

/* What options mean; ended by one without a name. */
extern const LsCliMeaning ls_cli_meanings[];

/* The options that the arguments name, in their order. (element-type LsCliOptionText) (transfer full) */
GPtrArray *ls_cli_options_of      (const LsCliCommand *command);
/* All commands as JSON (app/about/about.h) on standard output. */
void       ls_cli_put_description (const LsCliCommand *commands,
                                   guint               n);

/* ---- commands, one line each ---- */

int ls_cli_advise   (int argc, char **argv);
int ls_cli_asm      (int argc, char **argv);
int ls_cli_llvm     (int argc, char **argv);
int ls_cli_roofline (int argc, char **argv);
int ls_cli_run      (int argc, char **argv);
int ls_cli_time     (int argc, char **argv);
int ls_cli_tune     (int argc, char **argv);
int ls_cli_build    (int argc, char **argv);
int ls_cli_vm       (int argc, char **argv);
int ls_cli_apply    (int argc, char **argv);
int ls_cli_check    (int argc, char **argv);
int ls_cli_classify (int argc, char **argv);
int ls_cli_debug    (int argc, char **argv);
int ls_cli_device   (int argc, char **argv);
int ls_cli_diff     (int argc, char **argv);
int ls_cli_equal    (int argc, char **argv);
int ls_cli_fleet    (int argc, char **argv);
int ls_cli_explain  (int argc, char **argv);
int ls_cli_rules    (int argc, char **argv);
int ls_cli_graph    (int argc, char **argv);
int ls_cli_import   (int argc, char **argv);
int ls_cli_inspect  (int argc, char **argv);
int ls_cli_caches   (int argc, char **argv);
int ls_cli_jail     (int argc, char **argv);
int ls_cli_lesson   (int argc, char **argv);
int ls_cli_lower    (int argc, char **argv);
int ls_cli_migrate  (int argc, char **argv);
int ls_cli_moves    (int argc, char **argv);
int ls_cli_pass     (int argc, char **argv);
int ls_cli_passes   (int argc, char **argv);
int ls_cli_print    (int argc, char **argv);
int ls_cli_reduce   (int argc, char **argv);
int ls_cli_report   (int argc, char **argv);
int ls_cli_search   (int argc, char **argv);
int ls_cli_python_path (int argc, char **argv);
int ls_cli_simt     (int argc, char **argv);
int ls_cli_source   (int argc, char **argv);
int ls_cli_simplify (int argc, char **argv);

G_END_DECLS
