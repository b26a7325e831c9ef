/* What the files of keeping share. */
#pragma once

#include "engine/graph/keep.h"
#include "engine/graph/room.h"

G_BEGIN_DECLS

typedef enum {
  LS_GRAPH_KEPT_STAYS,
  LS_GRAPH_KEPT_LOOSE,          /* new among what stays */
  LS_GRAPH_KEPT_APART           /* laid out by the worker */
} LsGraphKeptWay;

struct _LsGraphKept
{
  LsGraphLayout *old;
  LsGraphSeries *before, *after;
  GVariant      *asked;         /* for what is apart, or NULL */
  gint          *was;           /* of each place: its place before, -1: none */
  guint8        *way;           /* LsGraphKeptWay of each place */
  gint          *cluster_was;   /* of each cluster: its number before, -1: new */
  guint         *in_part;       /* of each place and then of each cluster: its number in the part that is apart */
  LsGraph       *part;          /* what is apart, or NULL */
  LsGraphSize   *sizes, *titles;
  LsGraphLayout *layout;        /* what becomes */
  gint          *lines;         /* of each edge its number before, -1: it is drawn anew */
  LsGraphSize   *labels;        /* or NULL */
  LsGraphRoom   *room;
  LsGraphRoom   *standing;      /* the nodes alone, where they are at last: for the lines */
  LsGraphSide   *inputs, *users;
  gint           opened;        /* the cluster that was a group, -1: none */
  gint           closed;        /* the place of the group that was a cluster, -1: none */
  LsGraphBox     gap;           /* where that stood */
};

/* ---- keep-match.c ---- */

/* What is the same before and after, which way each place goes, and whether a group was opened or closed. FALSE: too little stays. */
gboolean ls_graph_kept_match      (LsGraphKept         *self);
gboolean ls_graph_kept_is_within  (LsGraph             *graph,
                                   gint                 cluster,
                                   gint                 outer);

/* ---- keep-place.c ---- */

/* A place for everything new among what stays. FALSE: there is no room. */
gboolean ls_graph_kept_place      (LsGraphKept         *self);

/* ---- keep-part.c ---- */

/* What is apart as a graph of its own, and what is to be asked about it. */
void     ls_graph_kept_make_part  (LsGraphKept         *self);
/* The answer where it goes: functions beside the picture, the inside of a group in the room that was made for it. */
void     ls_graph_kept_place_part (LsGraphKept         *self,
                                   LsGraphLayout       *part);
/* How far the picture goes. */
void     ls_graph_kept_measure    (LsGraphLayout       *layout);

/* ---- keep-line.c ---- */

#define LS_GRAPH_KEPT_LINE 10   /* points of the longest line */

/* The way of a new line, as points of cubic curves: the short one, or left or right around the nodes that it would go through, those of other states too (where a
 * node went there is its shadow). Gives how many points it has: 4 or LS_GRAPH_KEPT_LINE. */
guint    ls_graph_kept_route      (LsGraphKept         *self,
                                   const LsGraphEdge   *edge,
                                   LsGraphPoint         line[LS_GRAPH_KEPT_LINE]);

/* ---- keep-open.c ---- */

/* Makes room of this size where the opened group stood, or takes that of the closed one: what is below it moves up or down, what is beside it to the
 * side, the rest stays.  Gives where the box is now. */
LsGraphBox ls_graph_kept_move     (LsGraphKept         *self,
                                   LsGraphSize          size);

G_END_DECLS
