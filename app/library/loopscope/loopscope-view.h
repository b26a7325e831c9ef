/* LoopscopeView: one of Loopscope's views as a widget. */
#pragma once

#include <gtk/gtk.h>

#include <loopscope/loopscope-workbench.h>

G_BEGIN_DECLS

/**
 * LoopscopeViewKind:
 * @LOOPSCOPE_VIEW_HISTORY: the tree of steps
 * @LOOPSCOPE_VIEW_LOOPS: the loop nest of the current step
 * @LOOPSCOPE_VIEW_SCRIPT: the program of the current step as TVMScript
 * @LOOPSCOPE_VIEW_MOVES: what can be done to what is selected, and what cannot, with the reason
 * @LOOPSCOPE_VIEW_TIME: the time of each step
 * @LOOPSCOPE_VIEW_GRAPH: the program as a graph
 * @LOOPSCOPE_VIEW_EXPLORE: steps, loop nest, program and times together, as in the window
 *
 * What a view shows.
 */
typedef enum {
  LOOPSCOPE_VIEW_HISTORY,
  LOOPSCOPE_VIEW_LOOPS,
  LOOPSCOPE_VIEW_SCRIPT,
  LOOPSCOPE_VIEW_MOVES,
  LOOPSCOPE_VIEW_TIME,
  LOOPSCOPE_VIEW_GRAPH,
  LOOPSCOPE_VIEW_EXPLORE
} LoopscopeViewKind;

#define LOOPSCOPE_TYPE_VIEW (loopscope_view_get_type ())

/**
 * LoopscopeView:
 *
 * A view of a [class@Workbench] for any window of GTK 4.  All views of one workbench follow each other.
 */
LOOPSCOPE_PUBLIC
G_DECLARE_FINAL_TYPE (LoopscopeView, loopscope_view, LOOPSCOPE, VIEW, GtkWidget)

/**
 * loopscope_view_new:
 * @workbench: what it shows
 * @kind: which view
 *
 * A view.  GTK has to be initialised.
 *
 * Returns: (transfer none) (type LoopscopeView): the widget
 */
LOOPSCOPE_PUBLIC
GtkWidget *loopscope_view_new (LoopscopeWorkbench *workbench,
                               LoopscopeViewKind   kind);

/**
 * loopscope_view_get_workbench: (get-property workbench)
 * @self: a view
 *
 * What it shows.
 *
 * Returns: (transfer none): the workbench
 */
LOOPSCOPE_PUBLIC
LoopscopeWorkbench *loopscope_view_get_workbench (LoopscopeView *self);

/**
 * loopscope_view_get_kind: (get-property kind)
 * @self: a view
 *
 * Which view it is.
 *
 * Returns: the kind
 */
LOOPSCOPE_PUBLIC
LoopscopeViewKind loopscope_view_get_kind (LoopscopeView *self);

G_END_DECLS
