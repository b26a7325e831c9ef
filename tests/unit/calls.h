/* calls: which source file calls which, as the linker sees it.
 *
 * Read from the compiled files of a build with `nm`: a file that leaves a symbol undefined which another defines calls it
 * (or names its data).  Tests and generated files are left out.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint       to;               /* number of a file */
  const char *symbol;           /* one of those that tie them */
} LsCall;

typedef struct {
  GPtrArray *files;             /* of char: "engine/ir/node.c", sorted */
  GPtrArray *calls;             /* of GArray of LsCall: what each file calls in others, each of them once */
  GStringChunk *strings;
} LsCalls;

/* NULL and why (transfer full) when there is nothing to read: no nm, no build, files that are not compiled. */
LsCalls   *ls_calls_read        (const char  *source_root,
                                 const char  *build_root,
                                 char       **reason);
/* For tests of this file itself: "a>b b>a b>c". */
LsCalls   *ls_calls_of          (const char  *text);
void       ls_calls_free        (LsCalls     *self);
/* Files that call each other, in a round of any length: of GPtrArray of char (sorted, borrowed), the largest first.
 * (transfer full) */
GPtrArray *ls_calls_circles     (LsCalls     *self);
/* A line for each call inside a circle: "a.c -> b.c: ls_f". (transfer full) */
char      *ls_calls_inside      (LsCalls     *self,
                                 GPtrArray   *circle);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsCalls, ls_calls_free)

G_END_DECLS
