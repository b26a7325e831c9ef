/* passes/list-private: between the files of the list.
 *
 *   list        the widget, what is chosen, filters
 *   list-fill   what a row says, and counting that for rows that are seen
 *   list-fold   rows below what they ran on
 *   list-row    a row's widgets
 */
#pragma once

#include "app/passes/list.h"

#include "app/passes/own-log.h"

G_BEGIN_DECLS

struct _LsPassesList
{
  GtkBox              parent_instance;

  LsPasses           *passes;           /* NULL: none, or one that is read */
  GArray             *early;            /* of LsPassDump: what is known while it is read */
  GStringChunk       *early_names;      /* theirs */
  LsPassesRows       *rows;
  GtkSingleSelection *selection;
  GtkWidget          *view;
  GtkWidget          *filter;
  GtkWidget          *stages;           /* the row of the next ones */
  GtkWidget          *stage[LS_PASSES_N_STAGES + 1];  /* toggles: all, then each */
  GtkWidget          *only;             /* switch */
  GtkWidget          *count;
  GHashTable         *bound;            /* dump + 1 -> GtkListItem that shows it */
  GThreadPool        *counting;
  guint8             *touches;          /* LsPassTouch of each dump, or NULL */
  gboolean            only_touched;     /* the others are hidden */
  guint8             *marks;            /* LsPassesMark of each dump, or NULL */
  gboolean            slowest;          /* first */
  gboolean            folded;           /* rows stand below what they ran on */
  GHashTable         *opened;           /* numbers + 1 of nests that are open */
  double              slowest_seconds;  /* of a pass of the log */
  double              slowest_run;      /* ns of what was run so far */
  gboolean            filling;
  gint                closed;
  void              (*refill) (LsPassesList *self);      /* after rows were folded or opened */
};

/* Writes into an item's row what is known now. */
void         ls_passes_list_fill_row      (LsPassesList *self,
                                           GtkListItem  *item);
/* A pool whose threads count what ls_passes_list_count() asks for, the last wish first. (transfer full) */
GThreadPool *ls_passes_list_counting_new  (void);
/* Counts what a dump changed, then fills its row. */
void         ls_passes_list_count         (LsPassesList *self,
                                           guint         dump);
/* A double click or Enter opens what is folded, and folds it again. */
void         ls_passes_list_row_activated (LsPassesList *self,
                                           guint         position);
/* Right opens what is folded, Left folds it again. */
gboolean     ls_passes_list_key_pressed   (GtkEventController *keys,
                                           guint               key,
                                           guint               code,
                                           GdkModifierType     state,
                                           LsPassesList       *self);

G_END_DECLS
