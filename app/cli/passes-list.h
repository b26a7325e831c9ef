/* cli/passes-list: the dumps of a log as lines or JSON. */
#pragma once

#include "app/cli/input.h"
#include "engine/passlog/passlog.h"

/* Which of them, and how. */
typedef struct {
  const char *function;         /* or NULL */
  gboolean    json, effective, counts;
  gboolean    nested;           /* below what they ran on */
  guint       depth;            /* nests that are deeper are folded */
} LsCliPassesShown;

/* What the kinds of dumps are called, by LsPassDumpKind. */
extern const char *const ls_cli_passes_dumps[];

/* Prints the list. Returns: the command's status. */
int  ls_cli_passes_list       (LsPassLog              *log,
                               const LsCliPassesShown *shown);
/* Is the dump of this function (or of a loop of it), or has it in it?  function NULL: of course. */
gboolean ls_cli_passes_has_function (LsPassLog        *log,
                               const LsPassDump       *dump,
                               const char             *function);
/* What stands outside of all dumps: warnings, reports, other output, each with the dump that it stands in front of. Returns: the command's status. */
int  ls_cli_passes_between    (LsPassLog              *log,
                               gboolean                json);
/* One dump as an object; counts and reader (who read what was counted) may be NULL. */
void ls_cli_passes_put_dump   (JsonBuilder            *builder,
                               LsPassLog              *log,
                               guint                   number,
                               LsPassCounts           *counts,
                               const char             *reader);
/* Members of an object that is open. */
void ls_cli_passes_put_counts (JsonBuilder            *builder,
                               LsPassCounts           *counts);
/* One dump as a line; counts may be NULL. */
void ls_cli_passes_print_dump (LsPassLog              *log,
                               guint                   number,
                               LsPassCounts           *counts,
                               guint                   runs);
/* A line that says which passes on loops of its functions may have done what it is said to have, or nothing. */
void ls_cli_passes_print_unprinted (LsPassLog         *log,
                               guint                   number);
