/* What the files of the times share: view.c (what is shown), columns.c (in which columns). */
#pragma once

#include "views/history/step-cell.h"
#include "views/models/gradual-list.h"
#include "views/time/figures.h"
#include "views/time/view.h"

G_BEGIN_DECLS

struct _LsTimeView
{
  GtkWidget           parent_instance;

  LsSession          *session;
  GtkSingleSelection *selection;
  GPtrArray          *ranges;   /* bound range cells, borrowed */
  GtkWidget          *axis;
  GtkColumnViewColumn *columns[LS_TIME_N_FIGURES];
  double              top;
  guint               ticks;
  gboolean            syncing;
  gboolean            waterfall;
  gboolean            roofline; /* in the place of the rows */
  gboolean            low;
  GListStore         *rows;     /* the path of the session, as of the last turn */
  LsGradualList      *shown_rows;       /* of them, those that have come */

  GtkWidget          *box;
  GtkWidget          *fold;
  GtkWidget          *fold_icon;
  GtkWidget          *whose;
  GtkWidget          *waterfall_button;
  GtkWidget          *roofline_button;
  GtkWidget          *roofline_view;
  GtkWidget          *headline;
  GtkWidget          *subtitle;
  GtkWidget          *measure;
  GtkWidget          *cancel;
  GtkWidget          *error_box;
  GtkWidget          *error;
  GtkWidget          *stack;
  GtkWidget          *status;
  GtkWidget          *scroller;
  GtkWidget          *view;
};

/* Once, into its column view. */
void ls_time_columns_add      (LsTimeView *self);
/* Their widths, for the letters of now. */
void ls_time_columns_fit      (LsTimeView *self);
/* The drawing gets what the others leave it, before the next frame. */
void ls_time_columns_share    (LsTimeView *self);
/* Of a range cell: where the step before ended, where that is shown. */
void ls_time_columns_set_fall (LsTimeView *self,
                               LsStepCell *cell);

G_END_DECLS
