/* What the files of the window of a graph share: graph.c (the run: commands, where it stands), graph-show.c (what is seen of it). */
#pragma once

#include "app/run/frame.h"
#include "app/run/torch.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _LsRunGraph LsRunGraph;

struct _LsRunGraph
{
  /* Sends a command of ls_debug_graph_command(). */
  void        (*send)  (LsRunGraph *self,
                        const char *command);
  GtkWidget    *window;         /* owns this */
  LsRunFrame    frame;
  GtkWidget    *nan, *into, *pause, *end;
  GtkWidget    *sizes;          /* what the symbolic sizes are, where there are some */
  GtkWidget    *stop, *stops;   /* entry, label */
  GtkWidget    *passes;         /* drop-down: nothing, torch where it is offered, passes */
  GtkWidget    *list;           /* list view */
  GtkStringList *rows;
  GtkWidget    *figures, *histogram;
  GtkWidget    *slices;
  GtkWidget    *grids[2], *heads[2], *cell;
  LsSession    *session;
  LsWorker     *worker;
  LsRunTorch   *torch;
  gboolean      offers_torch;   /* second row of the drop-down */
  gboolean      with_torch;     /* it is what stands beside the values, or will */
  guint         n_without;      /* of torch's nodes, that have no value here */
  char         *torch_trouble;  /* why not all of its values are there, or NULL */
  GCancellable *asking;
  GVariant     *look;           /* what was answered last, or NULL */
  GVariant     *compared;       /* aa{sv} for each value, or NULL */
  char         *wanted;         /* command that waits, or NULL */
  char         *part;           /* " 32 0": row and column that the keyboard went to in a grid, until another value is shown; or NULL */
  gboolean      is_running;     /* there are values to be made yet */
  gboolean      is_paused;
  gint64        shown;          /* value whose slices there are, or -1 */
  guint         choosing;       /* widgets are being set */
};

/* graph-show.c */

/* Above all: a sentence and, where there is one, its reason. */
void ls_run_graph_say       (LsRunGraph *self,
                             const char *sentence,
                             const char *reason);
/* The last answer has other values: the rows, and the passes that there are. */
void ls_run_graph_show_rows (LsRunGraph *self);
/* What stands beside the values can be chosen anew: torch is offered, or no more. */
void ls_run_graph_show_passes (LsRunGraph *self);
/* The value of the last answer: sentence, figures, picture. */
void ls_run_graph_show      (LsRunGraph *self);
/* The element that the keyboard or the pointer is at. */
void ls_run_graph_show_cell (LsRunGraph *self);

G_END_DECLS
