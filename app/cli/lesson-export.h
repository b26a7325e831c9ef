/* lesson-export: a lesson as a page, a notebook or paper. */
#pragma once

#include "app/cli/cli.h"

G_BEGIN_DECLS

/* Runs the lesson of `file` unless `no_run`, and writes it to `out` (NULL: beside the file, with another ending) as `to`: "html", "ipynb" or
 * "pdf".  Returns an exit status. */
int ls_cli_lesson_export (const char *command,
                          const char *file,
                          const char *to,
                          const char *out,
                          gboolean    no_run,
                          gboolean    solutions,
                          gboolean    json);

G_END_DECLS
