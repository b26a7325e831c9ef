/* graph: programs as nodes and edges, for pictures, terminals and searching; knows nothing of widgets.
 *
 *   graph     nodes, edges, clusters; adding and asking
 *   relax     functions of Relax: bindings as nodes, dataflow blocks as clusters
 *   blocks    PrimFuncs: blocks with their dependences; buffers as stages (kind te)
 *   te        stages of tensor expressions that are there as te nodes
 *   loops     which loop came from which, over the steps of a schedule
 *   fx        saved graphs of torch.fx
 *   fold      constants into their users; parts of large graphs into groups (fold-build: the graph that is left; fold-like: as the state before)
 *   names     what such a group is: attention, feed-forward, by operators and the names of weights
 *   series    one program after each of several passes or steps: what is the same node, what is new
 *   follow    a node has the key of what it was before a pass
 *   compare   which nodes of two graphs are the same, also where one side fuses several
 *   search    names, attributes, and patterns "A -> B"
 *   numbers   times, operations and bytes put to the nodes
 *   timeline  every call of measured runs, at the nodes that make them; as a trace for Perfetto
 *   memory    which values are there at the same time
 *   layout    what the worker is asked about places and what it answers (layout-make: for who places nodes without it)
 *   keep      the layout after a pass or after a group was opened or closed: what was there stays (keep-match: what is the same; keep-place: new
 *             nodes among it; keep-part: what the worker places; keep-open: moving for a group; room: where something more can stand)
 *   text, dot, variant   the graph for a terminal, for Graphviz, and for other processes and JSON
 *
 * A graph owns its strings and holds references to the IR that its nodes stand for; paths start at the module.  Nodes are in
 * program order, so that every edge of data goes from a lower to a higher number.
 */
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/te/te.h"

G_BEGIN_DECLS

typedef enum { LS_GRAPH_RELAX, LS_GRAPH_TE, LS_GRAPH_BLOCKS, LS_GRAPH_LOOPS, LS_GRAPH_FX } LsGraphKind;

/* "relax", "te", "blocks", "loops", "fx". */
const char *ls_graph_kind_name  (LsGraphKind  kind);
gboolean    ls_graph_kind_parse (const char  *name,
                                 LsGraphKind *kind);

typedef enum {
  LS_GRAPH_NODE_VALUE,          /* comes from outside: a parameter, a placeholder */
  LS_GRAPH_NODE_CONSTANT,
  LS_GRAPH_NODE_CALL,           /* computes: a call, a stage, a block, a loop */
  LS_GRAPH_NODE_RESULT,         /* what the function gives */
  LS_GRAPH_NODE_GROUP           /* stands for several folded nodes */
} LsGraphNodeKind;

typedef enum {
  LS_GRAPH_EDGE_FLOW,           /* a value goes there */
  LS_GRAPH_EDGE_RAW,
  LS_GRAPH_EDGE_WAW,
  LS_GRAPH_EDGE_WAR,
  LS_GRAPH_EDGE_LINEAGE         /* became */
} LsGraphEdgeKind;

typedef enum { LS_GRAPH_CLUSTER_FUNCTION, LS_GRAPH_CLUSTER_DATAFLOW, LS_GRAPH_CLUSTER_BRANCH, LS_GRAPH_CLUSTER_GROUP } LsGraphClusterKind;

/* Numbers of one node; below 0: not known. */
typedef struct {
  double ns;                    /* of one call of the whole program */
  double spread_ns;             /* half the quartile distance */
  double flop;
  double bytes;
  double roof;                  /* share of what the machine could do with so many operations and bytes */
} LsGraphNumbers;

#define LS_GRAPH_NO_NUMBERS ((LsGraphNumbers) { -1.0, -1.0, -1.0, -1.0, -1.0 })

typedef struct {
  char           *key;          /* the same node in other versions of the program has the same key */
  LsGraphNodeKind kind;
  char           *title;        /* "linear0", "matmul", "x" */
  char           *detail;       /* "call_dps_packed"; or NULL */
  char           *name;         /* the variable that it binds, the block, the loop; or NULL */
  char           *type;         /* "(1, 128) float32"; or NULL */
  char           *function;     /* the function in which it stands */
  char           *callee;       /* the function of the module that it calls, or NULL */
  gint            cluster;      /* -1: none */
  LsPath         *path;         /* below the module, or NULL */
  LsNode         *node;         /* what it shows, a reference, or NULL */
  GPtrArray      *attributes;   /* of char *: name, value, name, value, ... */
  LsGraphNumbers  numbers;
  guint           n_members;    /* of a group: how many nodes it stands for; else 1 */
  gboolean        is_gone;      /* loops: not in the program any more */
  guint64         entity;       /* loops, blocks: lineage id plus one; 0: none */
} LsGraphNode;

typedef struct {
  guint           from, to;
  LsGraphEdgeKind kind;
  char           *label;        /* "lv0", "Y", "split"; or NULL */
  char           *type;         /* "(1, 128) float32"; or NULL */
  gint            argument;     /* which argument of `to`, from 0; -1: none */
} LsGraphEdge;

typedef struct {
  char              *key;
  gint               parent;    /* -1: none */
  LsGraphClusterKind kind;
  char              *title;
  char              *detail;    /* or NULL */
} LsGraphCluster;

/* Reference counted; to be left alone once it is built. */
typedef struct _LsGraph {
  gatomicrefcount refs;
  LsGraphKind     kind;
  GPtrArray      *nodes;        /* of LsGraphNode */
  GPtrArray      *edges;        /* of LsGraphEdge */
  GPtrArray      *clusters;     /* of LsGraphCluster, parents first */
  char           *note;         /* what was folded or left out, or NULL */
  GHashTable     *keys;         /* private: of the nodes */
  guint           n_folded;     /* nodes of the whole graph before parts were folded into groups; 0: none were */
  struct _LsGraph *whole;       /* private: the graph before parts were folded into groups, a reference; or NULL */
  GPtrArray      *functions;    /* private: of LsNode, what of Relax it was made of, references; or NULL */
  guint          *shown;        /* private: of each node of `whole`, the node here that stands for it; or NULL */
  GPtrArray      *groups;       /* private: of LsGraphFoldGroup, into which parts were folded; or NULL */
} LsGraph;

#define ls_graph_node(graph, i) ((LsGraphNode *) (graph)->nodes->pdata[i])
#define ls_graph_edge(graph, i) ((LsGraphEdge *) (graph)->edges->pdata[i])
#define ls_graph_cluster(graph, i) ((LsGraphCluster *) (graph)->clusters->pdata[i])

/* ---- graph.c ---------------------------------------------------------------- */

LsGraph     *ls_graph_new           (LsGraphKind      kind);
LsGraph     *ls_graph_ref           (LsGraph         *self);
void         ls_graph_unref         (LsGraph         *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraph, ls_graph_unref)

/* The new node, to be filled; its number is that of the nodes before.  Copies key and title (a key that is taken gets a
 * number behind it). */
LsGraphNode *ls_graph_add_node      (LsGraph         *self,
                                     LsGraphNodeKind  kind,
                                     const char      *key,
                                     const char      *title);
LsGraphEdge *ls_graph_add_edge      (LsGraph         *self,
                                     LsGraphEdgeKind  kind,
                                     guint            from,
                                     guint            to,
                                     const char      *label,
                                     const char      *type);
/* Its number. */
gint         ls_graph_add_cluster   (LsGraph           *self,
                                     LsGraphClusterKind kind,
                                     gint               parent,
                                     const char        *key,
                                     const char        *title,
                                     const char        *detail);
void         ls_graph_add_attribute (LsGraphNode     *node,
                                     const char      *name,
                                     const char      *value);
/* NULL: there is none. */
const char  *ls_graph_get_attribute (const LsGraphNode *node,
                                     const char        *name);
/* Number of the node with this key, -1: none. */
gint         ls_graph_find          (LsGraph         *self,
                                     const char      *key);
/* A copy that may be changed. (transfer full) */
LsGraph     *ls_graph_copy          (LsGraph         *self);
LsGraphNode *ls_graph_copy_node     (LsGraph           *to,
                                     const LsGraphNode *node);

/* The edges at each node: those of node i are edges[start[i]] up to edges[start[i + 1]]. */
typedef struct {
  guint *start;
  guint *edges;
} LsGraphSide;

/* By `to`, or (outgoing) by `from`. */
LsGraphSide *ls_graph_side          (LsGraph         *self,
                                     gboolean         outgoing);
void         ls_graph_side_free     (LsGraphSide     *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphSide, ls_graph_side_free)

/* ---- from programs: (transfer full); nothing of the kind in the module gives a graph without nodes ---- */

/* All functions of Relax, or the one called `only`. */
LsGraph     *ls_graph_from_relax    (LsModule        *module,
                                     const char      *only);
/* The blocks of all PrimFuncs, or of one; with the lineage ids of `version` (or NULL). */
LsGraph     *ls_graph_from_blocks   (LsModule        *module,
                                     const char      *only,
                                     LsVersion       *version);
/* The buffers of PrimFuncs as stages, each with the statements that make it. */
LsGraph     *ls_graph_from_stages   (LsModule        *module,
                                     const char      *only);
/* The stages that the tensors (of LsTeTensor) depend on. */
LsGraph     *ls_graph_from_te       (LsArray         *tensors);
/* All loops that there ever were in the schedule. */
LsGraph     *ls_graph_from_loops    (LsSchedule      *schedule);
/* relax when there are functions of Relax, else blocks. */
LsGraphKind  ls_graph_kind_for      (LsModule        *module);

/* One line for what a block stores: "Y[vi, vj] += A[vi, vk] * B[vk, vj]". (transfer full) */
char        *ls_graph_block_line    (LsBlock         *block);
/* "(1, 128) float32" of a struct info. (transfer full) */
char        *ls_graph_type_text     (LsNode          *struct_info);
/* Bytes of a tensor of known shape (or of a tuple of them), -1 else. */
double       ls_graph_type_bytes    (LsNode          *struct_info);

/* ---- fold.c ------------------------------------------------------------------- */

/* Constants and parameters that only calls use as weights go into the attributes of their users. (transfer full) */
LsGraph     *ls_graph_fold_constants (LsGraph        *self,
                                      gboolean        parameters);
/* At most about `limit` nodes: functions first, then runs of parts that repeat, then what stands together.  Groups whose
 * key is in `open` (a set of strings, or NULL) stay open, as clusters.  The same graph when it is small. (transfer full) */
LsGraph     *ls_graph_fold_groups    (LsGraph        *self,
                                      guint           limit,
                                      GHashTable     *open);
/* The next state of a program whose state before is shown as `before`: as far as it can be in the same groups, which then have the same keys; what a
 * pass made new is folded by itself.  What ls_graph_fold_groups() gives where that cannot be: nothing was folded there (or NULL), the order of
 * the calls is another, or there is far more of it. (transfer full) */
LsGraph     *ls_graph_fold_groups_like (LsGraph      *self,
                                        guint         limit,
                                        GHashTable   *open,
                                        LsGraph      *before);
/* The graph before groups were folded, the same graph when none were (or it came from another process). (transfer none) */
LsGraph     *ls_graph_get_whole      (LsGraph        *self);
/* The node that stands for node `at` of the whole graph: the same one or the group that holds it. */
guint        ls_graph_get_shown      (LsGraph        *self,
                                      guint           at);

/* ---- search.c ------------------------------------------------------------------- */

/* Every match as numbers of nodes, in the order of the pattern.  The pattern: terms joined by "->", each of words that all
 * have to fit: a text with * and ? against title, name, operator or callee; ATTRIBUTE=TEXT; a shape "(1, 128)", with * for an
 * extent; a type such as float32; a regular expression between slashes, which has to match somewhere in one of them.  What a
 * call calls also fits by whole parts of its name ("softmax": softmax12, fused_softmax_multiply).  "A -> B": a value of A goes
 * to B.  A text that begins like a pattern of relax.dpl (dpl.h: is_op("relax.add")(...)) is one; its matches are the calls that it fits.  Only what is in
 * `self` is searched: ask ls_graph_get_whole() to find what is folded too.  Of a pattern of several terms no more are looked for when there is one
 * more than ls_graph_most_matches().  NULL with a sentence when the pattern says nothing or an expression is wrong. (transfer full) of GArray of
 * guint */
GPtrArray   *ls_graph_search         (LsGraph        *self,
                                      const char     *pattern,
                                      GError        **error);
/* How many matches a search gives at most, but for one that says that there are more: no fewer than the graph has nodes. */
guint        ls_graph_most_matches   (LsGraph        *self);
/* Matches of the whole graph as nodes that `self` shows: as many, in the same order; a chain that goes on in the same group
 * names it once. (transfer full) of GArray of guint */
GPtrArray   *ls_graph_show_matches   (LsGraph        *self,
                                      GPtrArray      *matches);

/* ---- numbers.c ------------------------------------------------------------------ */

#define LS_GRAPH_ERROR (ls_graph_error_quark ())
GQuark ls_graph_error_quark (void);
typedef enum { LS_GRAPH_ERROR_PATTERN, LS_GRAPH_ERROR_NUMBERS, LS_GRAPH_ERROR_LAYOUT, LS_GRAPH_ERROR_KIND } LsGraphError;

/* Puts the measured time of a function to the nodes that call it: of all its `calls` together `ns`.  Unknown operations and
 * bytes below 0 leave what was counted.  FALSE: no node calls it. */
gboolean     ls_graph_set_profile    (LsGraph        *self,
                                      const char     *function,
                                      gint64          calls,
                                      double          ns,
                                      double          flop,
                                      double          bytes);
/* The same for all rows of a file that `vm --profile --json` or `time --json` wrote.  How many nodes got numbers; 0 with an
 * error when the text holds no such rows. */
guint        ls_graph_read_numbers   (LsGraph        *self,
                                      const char     *json,
                                      GError        **error);
/* A memory that a machine has: what of it was read, and how fast. */
typedef struct { double bytes, gb_per_s; } LsGraphRoof;
/* The share of the roof of each call that has a time: operations a second beside the peak (`gflops`) or what the memory gives that holds its
 * bytes, whichever is lower; of a call without operations, bytes a second beside that memory.  Of one core. */
void         ls_graph_set_roofs      (LsGraph           *self,
                                      double             gflops,
                                      const LsGraphRoof *levels,        /* smaller ones first */
                                      guint              n_levels);
/* Sums over all nodes, a node with an unknown number left out. */
LsGraphNumbers ls_graph_sum          (LsGraph        *self);

/* ---- text.c, dot.c, variant.c ------------------------------------------------------ */

/* For a terminal: a line a node.  `matches` (of a search) and `signs` (of each node: "+", "~", "") get columns of their
 * own; both may be NULL. (transfer full) */
char        *ls_graph_to_text        (LsGraph            *self,
                                      GPtrArray          *matches,
                                      const char *const  *signs);
/* (transfer full) */
char        *ls_graph_to_dot         (LsGraph        *self);
/* The same as JSON text, indented: nodes with all their attributes, edges, clusters. (transfer full) */
char        *ls_graph_to_json        (LsGraph        *self);
/* a{sv}; for JSON and other processes. Floating. */
GVariant    *ls_graph_to_variant     (LsGraph        *self);
/* NULL when it is none. Without the IR. (transfer full) */
LsGraph     *ls_graph_from_variant   (GVariant       *variant);

G_END_DECLS
