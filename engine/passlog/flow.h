/* flow: the blocks of a function and where control goes from each; of MLIR its regions and what flows between them; of HLO its operations. */
#pragma once

#include "engine/passlog/passlog.h"

G_BEGIN_DECLS

typedef struct {
  char  *label;                 /* "entry", "%7", "bb.2", "^bb1", "scf.for"; of HLO "add.3" */
  char  *words;                 /* its operations in short: "phi, load, icmp, br" */
  guint  first, last;           /* lines of the text, from 0 */
  guint  n;                     /* operations */
  int    region;                /* the region that it stands in, -1: the function */
  guint  key;                   /* the same block in another state: ls_pass_flow_match() */
  guint  version;               /* another one when the pass changed it */
} LsPassBlock;

typedef struct {
  guint from, to;
  char *label;                  /* "true", "false", "default", "unwind"; or NULL */
} LsPassFlowEdge;

/* The body of an operation of MLIR. */
typedef struct {
  char *title;                  /* "scf.for" */
  int   parent;                 /* -1: the function */
  guint head;                   /* the block that is the operation itself */
} LsPassRegion;

typedef struct {
  GPtrArray *blocks;            /* of LsPassBlock, in the order of the text */
  GPtrArray *edges;             /* of LsPassFlowEdge */
  GPtrArray *regions;           /* of LsPassRegion, parents first */
  gboolean   data;              /* edges are values, not control */
} LsPassFlow;

/* Of the text of one function; a text that has none gives one block. (transfer full) */
LsPassFlow *ls_pass_flow_read  (const char    *text,
                                LsPassLogKind  kind);
void        ls_pass_flow_free  (LsPassFlow    *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPassFlow, ls_pass_flow_free)
/* Gives each block of `after` a key and a version: those of the block of `before` that most of its operations come from by the diff of their texts, else new ones, from
 * *next on.  before NULL: all are new. */
void        ls_pass_flow_match (LsPassFlow    *before,
                                const char    *text_before,
                                LsPassFlow    *after,
                                const char    *text_after,
                                LsPassLogKind  kind,
                                guint         *next);

G_END_DECLS
