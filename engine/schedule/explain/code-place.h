/* code-place: where in the engine's own source text a primitive stands, and each of its conditions.
 *
 * The files of engine/schedule are packed into the program that they were compiled into, so what is shown is what runs,
 * with or without an installation.  They are read by their layout only: a function begins with its name in the first
 * column and ends with a brace there.
 */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* Lines count from 1. */
typedef struct {
  const char *file;             /* "engine/schedule/primitive/split.c"; lives as long as the program */
  guint       line;             /* what is meant: where a function has its name, or where a check refuses */
  guint       first;            /* the function around it, with the comment above; a line that is in none: itself */
  guint       last;
} LsCodePlace;

/* The text of a file, or NULL: it is none of the engine's that are packed. Lives as long as the program. */
const char *ls_code_text         (const char          *file);
/* Some of its lines. (transfer full) */
char       *ls_code_lines        (const char          *file,
                                  guint                first,
                                  guint                last);
/* The line of a statement, which may stand in its midst, of a finding (LsDiagnostic.checked_in); moved to its begin. */
gboolean    ls_code_place_at     (const char          *file,
                                  guint                line,
                                  LsCodePlace         *place);
/* The function that does what the primitive is for: its `apply`. */
gboolean    ls_code_place_of     (const LsInstruction *instruction,
                                  LsCodePlace         *place);
/* Where findings of this condition (the last part of their code) come from when they are the primitive's: the calls that
 * make them in the functions that its `check` and `apply` reach. (transfer full) of LsCodePlace */
GArray     *ls_code_places_of_condition (const LsInstruction *instruction,
                                  const char          *code);

G_END_DECLS
