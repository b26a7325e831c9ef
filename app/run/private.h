/* What the files of the Run window share: window.c (the run: commands, where it stands, its values), buffers.c (a buffer as a grid),
 * stops.c (breakpoints), plot.c (a value over the run). */
#pragma once

#include "app/rpc/rpc.h"
#include "app/run/frame.h"
#include "views/models/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_RUN_KEY "run"

typedef struct _LsRun LsRun;
typedef struct _LsRunPlotted LsRunPlotted;

struct _LsRun
{
  /* Sends a command of the debugger (`loopscope-cli debug` has the list), with the part of the buffer that is to be shown. */
  void        (*send)  (LsRun      *self,
                        const char *command);
  GtkWidget    *window;         /* owns this */
  LsRunFrame    frame;
  GtkWidget    *pause, *again, *toy;
  GtkWidget    *sizes;          /* what the symbolic sizes are, where there are some */
  GtkWidget    *kept;           /* label: what is kept for going back */
  GtkWidget    *text;
  GtkWidget    *value;          /* of the expression under the cursor */
  GtkWidget    *values;         /* list box: variables, expressions, loops */
  GtkWidget    *buffers;        /* drop-down */
  GtkWidget    *slices;         /* LsRunSlices */
  GtkWidget    *grid, *cell, *summary;
  GtkWidget    *trail;          /* toggle: the last accesses are drawn */
  GtkWidget    *trail_words;
  GtkWidget    *plot_entry, *plot, *plot_words;
  LsRunPlotted *plotted;
  GtkWidget    *stop;           /* entry: a breakpoint to add */
  GtkWidget    *stops;          /* list box */
  GArray       *lines;          /* the lines of the breakpoints: stops.c */
  LsSession    *session;
  LsWorker     *worker;
  GCancellable *asking;         /* of the call under way, or NULL */
  GVariant     *look;           /* what was answered last, or NULL */
  char        **names;          /* of the buffers in the drop-down */
  GPtrArray    *shapes;         /* of GVariant "ax", as many */
  char         *part;           /* " 32 0": row and column that the keyboard went to in the grid, until the run moves; or NULL */
  gboolean      has_chosen;     /* a slice, until the run moves */
  gboolean      wants_part;     /* it is to be asked for when the call under way has come back */
  guint         choosing;       /* the drop-down is being set */
  gint64        made;           /* number of a value of a graph, whose call is run; -1: a function is run */
  char         *graph_func;     /* the function of that graph, or NULL: main */
  gboolean      wants_pause;
  gboolean      asked_grid;     /* with the call before */
};

/* A call to the worker is under way: nothing else can be asked. */
static inline gboolean
ls_run_is_busy (LsRun *self)
{
  return self->asking != NULL;
}

static inline void
ls_run_clear_list (GtkWidget *list)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (list), child);
}

/* buffers.c */

/* The drop-down of buffers, its slices and the grid; sets the widgets of `self`. (transfer none, floating) */
GtkWidget  *ls_run_buffers_new     (LsRun      *self);
/* What the last answer has of them. */
void        ls_run_buffers_show    (LsRun      *self);
/* The name of the chosen buffer, or NULL. (transfer none) */
const char *ls_run_buffers_shown   (LsRun      *self);
/* What of it is to be asked for: "C[2, 0]". (transfer full), or NULL */
char       *ls_run_buffers_wanted  (LsRun      *self);

/* Does the user want to see the last accesses of the buffer? */
gboolean    ls_run_buffers_trail   (LsRun      *self);

/* plot.c */

/* What is plotted: nothing yet. (transfer full) */
LsRunPlotted *ls_run_plotted_new   (void);
void        ls_run_plotted_free    (LsRunPlotted *self);
/* The entry for a value and its plot; sets the widgets of `self`. (transfer none, floating) */
GtkWidget  *ls_run_plot_box_new    (LsRun      *self);
/* The run stands still somewhere: asks for what is new. */
void        ls_run_plot_follow     (LsRun      *self);
/* The run begins. */
void        ls_run_plot_forget     (LsRun      *self);

/* stops.c */

/* The entry for a breakpoint and the list of those there are; sets the widgets of `self`. (transfer none, floating) */
GtkWidget  *ls_run_stops_new       (LsRun      *self);
/* For `self`->lines. (transfer full) */
GArray     *ls_run_stops_lines_new (void);
/* The breakpoints of an answer that has some. */
void        ls_run_stops_show      (LsRun      *self,
                                    GVariant   *answer);
/* None: the run begins. */
void        ls_run_stops_forget    (LsRun      *self);
/* A breakpoint on a line goes, or comes on the first statement from there on. `data` is the LsRun. */
void        ls_run_stops_toggle    (guint       line,
                                    gpointer    data);

G_END_DECLS
