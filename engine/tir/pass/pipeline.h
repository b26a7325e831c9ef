/* pipeline: what the files of InjectSoftwarePipeline share: software-pipeline.c the loops, pipeline-versions.c buffers of several rounds, pipeline-groups.c
 * groups of asynchronous copies. */
#pragma once

#include "engine/arith/analyzer.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct {
  LsBlock *block;               /* owned */
  gint64   stage;
  gint64   order;
  gboolean is_async;
} LsPipelinePart;

/* A part as it stands in prologue, body or epilogue. */
typedef struct {
  LsBlock *block;               /* owned */
  LsExpr  *predicate;           /* owned */
  LsExpr  *at;                  /* the round it works on; owned */
  gint64   stage;
  gboolean is_async;
  gboolean begins;              /* is_async: a group */
} LsPipelineRound;

typedef struct {
  LsFor      *loop;
  GArray     *parts;            /* of LsPipelinePart, as in the program */
  GPtrArray  *allocations;      /* of LsBuffer; borrowed */
  GHashTable *doubled;          /* Buffers with two versions at least */
  GHashTable *versions;         /* Buffer -> Buffer with versions; values owned */
  GHashTable *threads;          /* LsVar of loops that are bound to threads */
  LsAnalyzer *analyzer;
  gint64      last;             /* stage */
  GPtrArray  *queues;           /* of asynchronous groups, for each stage */
} LsPipeline;

/* The region of a buffer in a list, borrowed, or NULL. */
LsBufferRegion *ls_pipeline_region         (LsArray        *regions,
                                            LsBuffer       *buffer);
/* May two regions of a buffer have something in common, in one thread or in several? */
gboolean        ls_pipeline_may_meet       (LsPipeline     *self,
                                            LsBufferRegion *a,
                                            LsBufferRegion *b);
/* Fills `versions` for the allocations that need them. */
void            ls_pipeline_make_versions  (LsPipeline     *self);
/* A filter of a rewriter, with the LsPipeline: accesses of buffers with versions, in terms of the version of the round. */
LsNode         *ls_pipeline_version_filter (LsRewriter     *rewriter,
                                            LsNode         *node,
                                            gpointer        user_data);
/* What is known of asynchronous groups from one section to the next, for the stages up to `last`. */
GPtrArray      *ls_pipeline_queues_new     (gint64          last);
/* Adds the statements of a section: its parts (LsPipelineRound, changed) in their order, groups begun and waited for.  `analyzer`: knows the loop as it
 * is written; `extent`: how many rounds the section has. */
void            ls_pipeline_queues_section (GPtrArray      *queues,
                                            GPtrArray      *rounds,
                                            LsAnalyzer     *analyzer,
                                            LsExpr         *extent,
                                            GPtrArray      *stmts);

G_END_DECLS
