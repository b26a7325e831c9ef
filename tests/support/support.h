/* test support: what the test programs share.
 *
 *   golden   walks a folder of input files, one test case per file
 *   command  (command.h) runs a built program
 *   counts   how many random cases, quick or full
 *
 * LS_UPDATE_GOLDEN=1 rewrites the expected files instead of comparing; read the diff afterwards.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a missing file of expected text means. */
typedef enum {
  LS_GOLDEN_UNCHANGED,          /* the output must be the input */
  LS_GOLDEN_EMPTY,              /* the output must be empty */
  LS_GOLDEN_REQUIRED            /* the test fails */
} LsGoldenMissing;

/* Makes the output for one input.  `path` is relative to the folder; `input` ends with a NUL that
 * `length` does not count. (transfer full) */
typedef char *(*LsGoldenFunc) (const char *path,
                               const char *input,
                               gsize       length,
                               gpointer    data);

/* Adds one test case `TEST_PATH/FILE` for each file below `folder` (relative to tests/) that ends
 * in `suffix`: its output is compared with the file that has `expected_suffix` in its place.  A
 * folder without such a file is a failing test, so that a suite cannot die unseen. */
void      ls_golden_add_folder (const char      *test_path,
                                const char      *folder,
                                const char      *suffix,
                                const char      *expected_suffix,
                                LsGoldenMissing  missing,
                                LsGoldenFunc     run,
                                gpointer         data);

/* The value of NAME in a first line like `# golden: style=2023 upto=3`, or NULL.
 * A name without "=" has the value "". (transfer full) */
char     *ls_golden_option     (const char      *input,
                                const char      *name);

/* Fails the running test with a unified diff when the texts differ. */
void      ls_assert_same_text  (const char      *actual,
                                const char      *expected);

/* The diff of two texts as `diff -u` prints it; "" when they are the same. (transfer full) */
char     *ls_test_diff         (const char      *expected,
                                const char      *actual,
                                const char      *expected_label,
                                const char      *actual_label);

/* The absolute path of a file below tests/. (transfer full) */
char     *ls_test_path         (const char      *relative);

/* The text of a file below tests/; the test program ends when there is none. (transfer full) */
char     *ls_test_read         (const char      *relative,
                                gsize           *length);

/* `quick` cases in ./check, `full` in ./check --full. */
guint     ls_test_count        (guint            quick,
                                guint            full);

G_END_DECLS
