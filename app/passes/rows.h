/* passes/rows: the rows of the list of passes as a list model; a row is made when it is asked for.
 *
 * A row is a dump, several dumps of one pass that all did nothing, or what stands between two dumps.
 */
#pragma once

#include "app/passes/model.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  guint    dump;                /* the first one; of other output the dump that it stands in front of */
  guint    n;                   /* dumps in one row; 0: other output */
  guint    shown;               /* of these, those that are not hidden */
  gboolean head;                /* of a nest: all that ran on one thing, which is folded unless it is open */
  gboolean open;
  guint    nest;                /* of a head: its number */
  guint    depth;               /* nests that it stands in */
} LsPassesPlace;

#define LS_TYPE_PASSES_ROW (ls_passes_row_get_type ())
G_DECLARE_FINAL_TYPE (LsPassesRow, ls_passes_row, LS, PASSES_ROW, GObject)

const LsPassesPlace *ls_passes_row_get (LsPassesRow *self);

#define LS_TYPE_PASSES_ROWS (ls_passes_rows_get_type ())
G_DECLARE_FINAL_TYPE (LsPassesRows, ls_passes_rows, LS, PASSES_ROWS, GObject)

LsPassesRows *ls_passes_rows_new    (void);
/* While a log is read: `n` rows, one for each dump. */
void          ls_passes_rows_grow   (LsPassesRows *self,
                                     guint         n);
/* All rows of a log (NULL: none) that `word` matches ("" matches all); `only`: those that change something (or could
 * not go on); `stage`: of our own passes those of this stage, -1: all. */
void          ls_passes_rows_fill   (LsPassesRows *self,
                                     LsPasses     *passes,
                                     const char   *word,
                                     gboolean      only,
                                     int           stage);
/* Only rows of dumps that touch something: LsPassTouch of each dump. */
void          ls_passes_rows_keep   (LsPassesRows *self,
                                     const guint8 *touches);
/* Those that took longest first; those without a time last, in their order. */
void          ls_passes_rows_sort   (LsPassesRows *self,
                                     LsPasses     *passes);
/* Rows go below heads of the nests that they are in (where a nest has more than one row); only what is below heads in `opened` (numbers of nests + 1) is there. */
void          ls_passes_rows_nest   (LsPassesRows *self,
                                     const LsPassNesting *nesting,
                                     GHashTable   *opened);
/* The position of the open head that the row at a position stands below, or is; -1: none. */
int           ls_passes_rows_head   (LsPassesRows *self,
                                     guint         position);
/* The row that the dump is in (not an open head), or the next one; -1: there is none.  `other`: the row of what stands in front of it. */
int           ls_passes_rows_find   (LsPassesRows *self,
                                     guint         dump,
                                     gboolean      other);
/* Borrowed, until the next change; NULL behind the end. */
const LsPassesPlace *ls_passes_rows_at (LsPassesRows *self,
                                     guint         position);

G_END_DECLS
