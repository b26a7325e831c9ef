/* LsGraphModel: what the graph page shows of the opened program, and what it may ask for.
 *
 * Abstract, as LsSession is: the concrete one builds graphs, runs passes and asks the worker; the page measures and draws.
 * A series of states (after each pass, after each step) is shown at one of them.  Layout goes round: ::changed, the page
 * measures the series and asks for a layout, ::laid-out.
 *
 * All of it belongs to the main thread.
 */
#pragma once

#include <gio/gio.h>

#include "engine/graph/edit.h"
#include "engine/graph/layout.h"
#include "engine/graph/series.h"
#include "engine/graph/timeline.h"
#include "views/models/loop-item.h"
#include "views/models/script-text.h"

G_BEGIN_DECLS

/* An argument of the selected call: "x -> X  (1, 784) float32 · 3.1 KiB". */
typedef struct {
  char *name;
  char *param;                  /* what the function calls it, or NULL */
  char *words;
} LsGraphArgument;

/* What stands beside the graph about the selected node. */
typedef struct {
  char         *title;
  char         *words;          /* "the PrimFunc that the selected call runs" */
  GPtrArray    *arguments;      /* of LsGraphArgument */
  GListStore   *loops;          /* roots, of LsLoopItem; or NULL */
  char         *loops_words;    /* beside the title of the loop nest, or NULL */
  LsScriptText *text;           /* or NULL */
  guint         line;           /* of the text, from 0, that shows the node */
  gboolean      can_schedule;   /* there is a PrimFunc that the explore page can open */
} LsGraphDetail;

LsGraphDetail *ls_graph_detail_new          (void);
void           ls_graph_detail_free         (LsGraphDetail *self);
void           ls_graph_detail_add_argument (LsGraphDetail *self,
                                             const char    *name,
                                             const char    *param,
                                             const char    *words);

/* The calls of a measured run of a state, with the nodes that made them. */
typedef struct {
  LsGraphTimeline *timeline;    /* a reference */
  LsGraph         *graph;       /* a reference: the state with nothing folded, the numbers at its nodes */
  gint            *nodes;       /* of each call the node that made it, -1: none is known */
} LsGraphRun;

/* `nodes`: of ls_graph_timeline_put() with `graph`, which has its roofs. (transfer full) */
LsGraphRun    *ls_graph_run_new             (LsGraphTimeline *timeline,
                                             LsGraph         *graph,
                                             const gint      *nodes);
void           ls_graph_run_free            (LsGraphRun      *self);
/* The node that made a call, NULL: none is known. (transfer none) */
const LsGraphNode *ls_graph_run_node        (const LsGraphRun *self,
                                             guint            call);

#define LS_TYPE_GRAPH_MODEL (ls_graph_model_get_type ())
G_DECLARE_DERIVABLE_TYPE (LsGraphModel, ls_graph_model, LS, GRAPH_MODEL, GObject)

struct _LsGraphModelClass
{
  GObjectClass parent_class;

  void (*set_kind)   (LsGraphModel *self, LsGraphKind kind);
  void (*set_folded) (LsGraphModel *self, gboolean constants);
  void (*open_group) (LsGraphModel *self, const char *key, gboolean open);
  void (*show_all)   (LsGraphModel *self);
  void (*go_to)      (LsGraphModel *self, guint state);
  void (*add_pass)   (LsGraphModel *self, const char *text);
  void (*drop_pass)  (LsGraphModel *self);
  void (*lay_out)    (LsGraphModel *self, GVariant *request);
  void (*measure)    (LsGraphModel *self);
  void (*cancel)     (LsGraphModel *self);
  void (*select)     (LsGraphModel *self, gint place);
  void (*schedule)   (LsGraphModel *self);
  void (*watched)    (LsGraphModel *self);
  LsGraphEditCheck *(*check_edit) (LsGraphModel *self, const char *func, const char *const *names);
  char *(*doubt)     (LsGraphModel *self, const char *by);
  void (*extract)    (LsGraphModel *self, const char *func, const char *const *names, GTask *task);       /* which returns the text */
  void (*styled)     (LsGraphModel *self);

  gpointer padding[3];
};

/* ---- what the user wants ---- */

void           ls_graph_model_set_kind      (LsGraphModel  *self,
                                             LsGraphKind    kind);
/* Constants and weights into their users. */
void           ls_graph_model_set_folded    (LsGraphModel  *self,
                                             gboolean       constants);
void           ls_graph_model_open_group    (LsGraphModel  *self,
                                             const char    *key,
                                             gboolean       open);
/* No groups, however large; or folded again. */
void           ls_graph_model_set_all       (LsGraphModel  *self,
                                             gboolean       all);
gboolean       ls_graph_model_get_all       (LsGraphModel  *self);
void           ls_graph_model_go_to         (LsGraphModel  *self,
                                             guint          state);
/* Puts a pass behind the last state, or takes the last one away. */
void           ls_graph_model_add_pass      (LsGraphModel  *self,
                                             const char    *text);
void           ls_graph_model_drop_pass     (LsGraphModel  *self);
/* May these calls of a function of the shown state become one? What is done then is a pass (ls_graph_edit_text).  NULL: nothing can be edited.
 * (transfer full) */
LsGraphEditCheck *ls_graph_model_check_edit (LsGraphModel  *self,
                                             const char    *func,
                                             const char *const *names);
/* What is to be known before a function of this name takes their place: that nobody knows it here; NULL: nothing. (transfer full) */
char          *ls_graph_model_doubt         (LsGraphModel  *self,
                                             const char    *by);
/* They as the text of a module of their own, without names (NULL) the whole module of the shown state: it is made in a thread, from what is there now.
 * _finish(): NULL with an error. (transfer full) */
void           ls_graph_model_extract_async (LsGraphModel  *self,
                                             const char    *func,
                                             const char *const *names,
                                             GAsyncReadyCallback callback,
                                             gpointer       data);
char          *ls_graph_model_extract_finish (LsGraphModel *self,
                                             GAsyncResult  *result,
                                             GError       **error);
/* Searches that are kept as colours, in their order (NULL: none); they stay until others are set, and are saved with each document.  Emits ::styles. */
void           ls_graph_model_set_styles    (LsGraphModel  *self,
                                             const char *const *patterns);
const char *const *ls_graph_model_get_styles (LsGraphModel *self);
/* Takes a floating request (ls_graph_measure). */
void           ls_graph_model_lay_out       (LsGraphModel  *self,
                                             GVariant      *request);
/* Times of the calls. */
void           ls_graph_model_measure       (LsGraphModel  *self);
void           ls_graph_model_cancel        (LsGraphModel  *self);
/* Place of the shown series, -1: none. */
void           ls_graph_model_select        (LsGraphModel  *self,
                                             gint           place);
/* Opens the selected call's PrimFunc on the explore page. */
void           ls_graph_model_schedule      (LsGraphModel  *self);
/* Whether anybody sees it (TRUE until somebody says otherwise): a series that nobody sees waits to be built. */
void           ls_graph_model_set_watched   (LsGraphModel  *self,
                                             gboolean       watched);
gboolean       ls_graph_model_get_watched   (LsGraphModel  *self);

/* ---- what is shown; all (transfer none) ---- */

/* A bit (1 << kind) for each kind that the program has. */
guint          ls_graph_model_get_kinds     (LsGraphModel  *self);
LsGraphKind    ls_graph_model_get_kind      (LsGraphModel  *self);
LsGraphSeries *ls_graph_model_get_series    (LsGraphModel  *self);      /* NULL: nothing to show */
guint          ls_graph_model_get_state     (LsGraphModel  *self);
/* Of the series as it is, NULL: not there yet. */
LsGraphLayout *ls_graph_model_get_layout    (LsGraphModel  *self);
gint           ls_graph_model_get_selected  (LsGraphModel  *self);
LsGraphDetail *ls_graph_model_get_detail    (LsGraphModel  *self);      /* NULL: nothing selected */
/* Why something cannot be shown or done, or NULL. */
const char    *ls_graph_model_get_message   (LsGraphModel  *self);
/* What is under way ("laying out 1,000 nodes"), or NULL. */
const char    *ls_graph_model_get_busy      (LsGraphModel  *self);
/* Conditions of the times, or why there are none. */
const char    *ls_graph_model_get_conditions (LsGraphModel *self);
/* The run of the shown state, NULL: it is not measured. */
const LsGraphRun *ls_graph_model_get_run    (LsGraphModel  *self);
gboolean       ls_graph_model_has_passes    (LsGraphModel  *self);      /* can passes be run on it? */
guint          ls_graph_model_get_n_passes  (LsGraphModel  *self);
gboolean       ls_graph_model_get_folded    (LsGraphModel  *self);

/* ---- for concrete models ---- */

/* Groups again, before another series; tells nobody. */
void           ls_graph_model_forget_all    (LsGraphModel  *self);
/* Another program; `first`: its graph is what to look at first.  Emits ::opened. */
void           ls_graph_model_opened        (LsGraphModel  *self,
                                             gboolean       first);
/* Another series (taken; NULL: none); its layout is not there yet, and the one before stays valid for who draws it until there is one, or until there is
 * nothing to show.  Emits ::changed. */
void           ls_graph_model_take_series   (LsGraphModel  *self,
                                             guint          kinds,
                                             LsGraphKind    kind,
                                             LsGraphSeries *series,
                                             guint          state);
/* Of LsGraphRun or NULL, by state, of the series that comes next (NULL: none); takes them. */
void           ls_graph_model_take_runs     (LsGraphModel  *self,
                                             GPtrArray     *runs);
void           ls_graph_model_set_passes    (LsGraphModel  *self,
                                             gboolean       has_passes,
                                             guint          n_passes);
void           ls_graph_model_set_state     (LsGraphModel  *self,
                                             guint          state);
void           ls_graph_model_take_layout   (LsGraphModel  *self,
                                             LsGraphLayout *layout);
/* Emits ::told. */
void           ls_graph_model_tell          (LsGraphModel  *self,
                                             const char    *message,
                                             const char    *busy);
void           ls_graph_model_set_conditions (LsGraphModel *self,
                                             const char    *conditions);
/* Numbers in the series' nodes changed.  Emits ::numbers. */
void           ls_graph_model_numbers_changed (LsGraphModel *self);
/* Emits ::selection. */
void           ls_graph_model_take_detail   (LsGraphModel  *self,
                                             gint           selected,
                                             LsGraphDetail *detail);

G_END_DECLS
