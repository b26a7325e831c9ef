/* What the files of the loop view share: view.c (what stands round the rows), columns.c (their cells), rows.c (which
 * rows there are, which is selected, which are folded). */
#pragma once

#include "views/loops/view.h"
#include "views/models/gradual-list.h"

G_BEGIN_DECLS

struct _LsLoopView
{
  GtkWidget            parent_instance;

  LsSession           *session;
  GtkTreeListModel    *tree;
  LsGradualList       *rows;    /* of the tree, as many as were shown yet */
  guint                coming;  /* idle that selects and folds what came later, or 0 */
  GtkSingleSelection  *selection;
  GHashTable          *folded;  /* ids, as pointers to guint64 */
  GPtrArray           *cells;   /* bound LsLoopCells, borrowed */
  GtkColumnViewColumn *extent;
  GtkColumnViewColumn *runs;
  GtkColumnViewColumn *touches;
  GtkColumnViewColumn *share;
  gboolean             narrow;
  gboolean             syncing;
  gboolean             rounds;  /* the picture of the selected loop's rounds is wanted */

  GtkWidget           *box;
  GtkWidget           *menu_button;
  GMenuModel          *menu;
  GtkWidget           *stack;
  GtkWidget           *status;
  GtkWidget           *subtitle;
  GtkWidget           *legend;
  GtkWidget           *legend_scroller;
  GtkWidget           *scroller;
  GtkWidget           *view;
  GtkWidget           *arrows;
  GtkWidget           *bar;
};

/* columns.c */
void ls_loop_view_add_columns   (LsLoopView     *self);
/* Gives the columns the widths that the font wants. */
void ls_loop_view_fit_columns   (LsLoopView     *self);
/* The flop of the module stand in the title of their column. */
void ls_loop_view_name_share    (LsLoopView     *self);

/* rows.c */

/* Shows the loops of the session, which is set. */
void ls_loop_view_add_rows      (LsLoopView     *self);
void ls_loop_view_remove_rows   (LsLoopView     *self);
/* The module changed: the rows follow. */
void ls_loop_view_renew_rows    (LsLoopView     *self);
/* Of the user: it is remembered.  A handler of ::notify. */
void ls_loop_view_row_expanded  (LsLoopView     *self,
                                 GParamSpec     *pspec,
                                 GtkTreeListRow *row);
void ls_loop_view_expand_all    (LsLoopView     *self,
                                 gboolean        expanded);

G_END_DECLS
