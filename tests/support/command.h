/* command: a built program as a person calls it. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  int   status;                 /* exit status */
  char *out;
  char *err;
} LsTestRun;

/* Runs a program of the build (its path there) in the root of the sources, so that paths in its output are the same
 * everywhere.  `line`: the arguments, separated as in a shell.  The test ends when the program dies of a signal. */
LsTestRun ls_test_run          (const char *program,
                                const char *line);
void      ls_test_run_clear    (LsTestRun  *self);

/* A file below `tests/cli-files` of the build, which programs may read and write. (transfer full) */
char     *ls_test_temporary    (const char *name);
/* The same, with this text in it. (transfer full) */
char     *ls_test_write        (const char *name,
                                const char *text);

/* Fails the running test when the text in tests/RELATIVE is another one; rewrites the file under LS_UPDATE_GOLDEN. */
void      ls_assert_golden     (const char *relative,
                                const char *text);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsTestRun, ls_test_run_clear)

G_END_DECLS
