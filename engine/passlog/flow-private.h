/* flow-private: between flow, flow-data and flow-parts. */
#pragma once

#include "engine/passlog/flow.h"
#include "engine/passlog/private.h"

G_BEGIN_DECLS

/* A new block at the end. Borrowed. */
LsPassBlock *ls_pass_flow_add       (LsPassFlow   *self,
                                     const char   *label,
                                     guint         line,
                                     int           region);
/* An edge, once. */
void         ls_pass_flow_join      (LsPassFlow   *self,
                                     guint         from,
                                     guint         to,
                                     const char   *label);
/* One more operation in a block. */
void         ls_pass_flow_count     (LsPassBlock  *block,
                                     const char   *name,
                                     guint         line);
/* Regions of MLIR, operations of HLO; edges are values. */
void         ls_pass_flow_read_data (LsPassFlow   *self,
                                     const char   *text,
                                     LsPassLogKind kind,
                                     GPtrArray    *ops);

G_END_DECLS
