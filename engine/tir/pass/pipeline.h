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
  guint    group;               /* is_async: number of its group in a round; else how many groups of a round stand before it */
} LsPipelinePart;

typedef struct {
  LsFor      *loop;
  GArray     *parts;            /* of LsPipelinePart, as in the program */
  GPtrArray  *allocations;      /* of LsBuffer; borrowed */
  GHashTable *doubled;          /* Buffers with two versions at least */
  GHashTable *versions;         /* Buffer -> Buffer with versions; values owned */
  GHashTable *threads;          /* LsVar of loops that are bound to threads */
  LsAnalyzer *analyzer;
  gint64      last;             /* stage */
  GArray     *group_stages;     /* of gint64: the stage of each group of asynchronous parts in a round */
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
/* Numbers the groups of a round, of the parts (LsPipelinePart) in their order: neighbours of one stage of which none waits for another. */
void            ls_pipeline_number_groups  (LsPipeline     *self,
                                            GPtrArray      *ordered);
/* How many groups may be under way when a part begins in a round: those begun since the one that it reads.  NULL: it reads none.
 * `over`: the first round of the epilogue, or NULL; `is_sure`: the groups of each round before it were begun. (transfer full) */
LsExpr         *ls_pipeline_groups_since   (LsPipeline     *self,
                                            LsPipelinePart *reader,
                                            LsExpr         *round,
                                            LsExpr         *over,
                                            gboolean        is_sure);

G_END_DECLS
