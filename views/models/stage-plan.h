/* LsStagePlan: the stages of one function from left to right: its arguments, what computes, what holds the values.
 *
 * Columns alternate: values in the even ones, computations in the odd ones.  What comes from outside and goes to the same
 * computations is one cell.
 */
#pragma once

#include <glib.h>

#include "engine/graph/graph.h"

G_BEGIN_DECLS

typedef enum {
  LS_STAGE_ARGUMENTS,           /* buffers that the caller gives */
  LS_STAGE_COMPUTES,
  LS_STAGE_INSIDE,              /* a buffer of the function's own */
  LS_STAGE_RESULT,              /* a buffer of the caller's that is written */
} LsStageKind;

typedef struct {
  LsStageKind kind;
  guint       column, row;
  char       *title;            /* "A, B"; of a computation the buffer that it writes */
  char       *words;            /* what it is, in the user's language: "64 KiB, inside" */
  char       *line;             /* what a computation stores, or NULL */
} LsStageCell;

typedef struct {
  guint from, to;               /* cells; from the lower to the higher column */
} LsStageLink;

typedef struct {
  GPtrArray *cells;             /* of LsStageCell */
  GArray    *links;             /* of LsStageLink */
  guint      n_columns;
  guint      n_rows;
} LsStagePlan;

/* Of ls_graph_from_stages.  Returns: NULL when a strip is no help: several functions, fewer than two stages, or more than
 * there is room for. (transfer full) */
LsStagePlan *ls_stage_plan_new  (LsGraph     *stages);
void         ls_stage_plan_free (LsStagePlan *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsStagePlan, ls_stage_plan_free)

G_END_DECLS
