/* lesson-grade: what a class handed in, as a table. */
#pragma once

#include "app/cli/cli.h"

G_BEGIN_DECLS

typedef struct {
  const char *folder;           /* of the submissions */
  const char *lesson;           /* file, or NULL: ours, by its id in the submissions */
  const char *csv, *html;       /* files to write, or NULL */
  gint64      jobs, seconds;
  gboolean    json;
} LsCliGrading;

/* Returns an exit status. */
int ls_cli_lesson_grade (const char         *command,
                         const LsCliGrading *grading);

G_END_DECLS
