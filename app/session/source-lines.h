/* session/source-lines: which lines of the opened text the lines of a printed step stem from, and back.
 *
 *   the statement itself    primitives keep it, or copy it: the parser noted where it stands
 *   a loop                  by its families: the loops of the opened program that it came from
 *   a block                 by the lineage, where the statement is new
 *   another line            of what it is inside of
 *
 * What a step made out of nothing has no line.  Nothing is known of a program that was not read from a text.
 */
#pragma once

#include "app/session/history.h"
#include "views/models/script-text.h"

G_BEGIN_DECLS

typedef enum {
  LS_STEMS_UNKNOWN,             /* imports, the line of a class */
  LS_STEMS_EXACT,               /* from that statement */
  LS_STEMS_LINEAGE,             /* from those loops or blocks */
  LS_STEMS_INSIDE,              /* from nothing of its own: of what is around it */
  LS_STEMS_NOWHERE,             /* a step made it, or what is around it */
} LsStems;

#define LS_STEMS_MOST 4

typedef struct {
  LsStems how;
  guint   n;
  guint   lines[LS_STEMS_MOST]; /* from 1, of the opened text */
  guint64 row;                  /* NOWHERE: what a step made; else 0 */
} LsStem;

typedef struct _LsSourceLines LsSourceLines;

/* The opened text can change while its program stays (a comment, an empty line): where the statements of `module`, which was read
 * from text number `source`, stand in another text that the same program `again` was read from.  Bytes there by bytes here.
 * (transfer full) */
GHashTable    *ls_source_moves      (LsModule      *module,
                                     guint32        source,
                                     LsModule      *again);

/* Of `text`, printed after node `node`; `base` is the opened text and `source` the number that its program was read from, `moves`
 * (or NULL) where its statements are now. */
LsSourceLines *ls_source_lines_new  (LsHistory     *history,
                                     guint          node,
                                     LsScriptText  *text,
                                     const char    *base,
                                     guint32        source,
                                     GHashTable    *moves);
void           ls_source_lines_free (LsSourceLines *self);
LsScriptText  *ls_source_lines_get_text (LsSourceLines *self);
/* Line `line` of the printed text, from 0. Borrowed; NULL when there is none. */
const LsStem  *ls_source_lines_get  (LsSourceLines *self,
                                     guint          line);
/* What became of line `line` (from 1) of the opened text, or where nothing did of what it is inside of: lines of the printed text,
 * from 0. `word` is the name that is meant in the line, or NULL; *row and *family get the loop or block of it (0, -1: none).
 * (transfer full) of guint */
GArray        *ls_source_lines_find (LsSourceLines *self,
                                     guint          line,
                                     const char    *word,
                                     guint64       *row,
                                     int           *family);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSourceLines, ls_source_lines_free)

G_END_DECLS
