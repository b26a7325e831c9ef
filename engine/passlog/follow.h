/* follow: a value, operation, block or source line through all dumps of a log, one-to-many; each link says how it was matched.
 *
 * Places in the source come first where the log has them (!dbg with its nodes, loc(...), metadata={source_line=...}); what has none
 * is matched as the diff matches. */
#pragma once

#include "engine/passlog/passlog.h"

G_BEGIN_DECLS

typedef enum {
  LS_PASS_LINK_PINNED,          /* what was asked for */
  LS_PASS_LINK_TEXT,            /* the function did not change */
  LS_PASS_LINK_LOCATION,        /* it comes from the same place in the source */
  LS_PASS_LINK_SAME,            /* the same operation by the diff */
  LS_PASS_LINK_MOVED,           /* the same operation elsewhere in the function */
  LS_PASS_LINK_REWRITTEN,       /* the same kind of operation at the same place with other operands */
  LS_PASS_LINK_COPY             /* a new operation like it: inlined, unrolled */
} LsPassLinkKind;

/* "pinned", "text", "location", "same", "moved", "rewritten", "copy". */
const char *ls_pass_link_kind_name (LsPassLinkKind kind);

/* A line of a part that is what is followed. */
typedef struct {
  guint          part;          /* number of the part */
  guint          line;          /* in its text, from 0 */
  LsPassLinkKind how;
  int            from;          /* the mention that it was matched with, by its number in the answer; -1: none */
  gboolean       changed;       /* its operation, its operands or its place are others than those of `from` */
} LsPassMention;

/* The part of dump `dump` or after it whose lines `what` stands for: the first that defines value `%x`, opens block `bb1:` or `^bb1`, comes
 * from source line `file.c:12` or `:12`, or has the text anywhere.  function: only in this one, or NULL.  lines: (transfer full): of guint.
 * Returns: the part's number, -1: there is none. */
int         ls_pass_log_find_lines (LsPassLog   *log,
                                    const char  *what,
                                    const char  *function,
                                    guint        dump,
                                    GArray     **lines);
/* Lines (of guint) of a part in all dumps, before it and after it, in the order of the log; lines of one part stand in their order.
 * (transfer full): of LsPassMention */
GArray     *ls_pass_log_follow     (LsPassLog   *log,
                                    guint        part,
                                    GArray      *lines);

/* The same; llvm: what has no place is matched as LLVM reads it, where the log asks it, which takes milliseconds for each dump of the function.  *reader gets who read,
 * as ls_pass_log_count_full() says it (transfer full), NULL: nothing of LLVM IR was matched by a diff. (transfer full): of LsPassMention */
GArray     *ls_pass_log_follow_full (LsPassLog  *log,
                                    guint        part,
                                    GArray      *lines,
                                    gboolean     llvm,
                                    char       **reader);

typedef enum {
  LS_PASS_TOUCH_NONE,           /* it is not in this dump, or its function did not change */
  LS_PASS_TOUCH_THERE,          /* its function changed or is here for the first time, and it is as it was */
  LS_PASS_TOUCH_CHANGED,        /* it is rewritten, moved, copied, new, or in more or fewer places */
  LS_PASS_TOUCH_GONE            /* the pass removed it from its function */
} LsPassTouch;

/* What each dump does to it: one for each. (transfer full) */
guint8     *ls_pass_log_touches    (LsPassLog   *log,
                                    GArray      *mentions);

/* Where in the source each line of a text of a dump comes from ("scale.c:4:17"), "" where its dump does not say; NULL: it says so of none.
 * (transfer full): one for each line */
char      **ls_pass_log_line_places (LsPassLog   *log,
                                    guint        dump,
                                    const char  *text);
/* The line of "scale.c:4:17"; 0: there is none. */
guint       ls_pass_place_line      (const char  *place);

G_END_DECLS
