/* session/code-rows: machine code as rows under the lines of the text that it comes from, and which rows belong to a loop or block.
 *
 * The rows are made of what the worker's method asm answers; lines count from 1, 0 is what no line made.
 */
#pragma once

#include "views/models/script-text.h"

G_BEGIN_DECLS

typedef struct {
  guint  line;
  char  *function;              /* of the object */
  char  *source;                /* the line without its indentation; where there is none the function's name at its first row, else NULL */
  char **remarks;               /* what LLVM says of the line's loop, each a sentence, at its first row; or NULL */
  char  *instructions;          /* one a line; labels end with a colon */
  guint  n_instructions;        /* without labels */
  guint  at;                    /* the number of its first line among all instructions and labels */
} LsCodeRecord;

#define LS_TYPE_CODE_ROW (ls_code_row_get_type ())
G_DECLARE_FINAL_TYPE (LsCodeRow, ls_code_row, LS, CODE_ROW, GObject)

const LsCodeRecord *ls_code_row_get     (LsCodeRow    *self);

/* Instructions and labels of a row. */
#define LS_CODE_MOST 100

/* `answer`: groups a(usas) and remarks a(us) about `text`. (transfer full) of LsCodeRow */
GListStore         *ls_code_rows_new    (GVariant     *answer,
                                         LsScriptText *text);
/* The lines of the loop or block `id` with all that is in it; FALSE: the text has none of them. */
gboolean            ls_code_lines_of    (LsScriptText *text,
                                         guint64       id,
                                         guint        *first,
                                         guint        *last);
/* The loop or block that line `line` opens, else the innermost that it is in; 0: none. */
guint64             ls_code_id_at       (LsScriptText *text,
                                         guint         line);
/* The pins in line `line` of the text. */
guint8              ls_code_pins_of_line (LsScriptText *text,
                                         guint         line);
/* The function that line `line` is in. (transfer full), or NULL */
char               *ls_code_function_at (LsScriptText *text,
                                         guint         line);

G_END_DECLS
