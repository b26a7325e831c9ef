/* LsRunGrid: a part of a buffer while a program runs: numbers where they have room, else squares that are the darker the larger the
 * value.  The element that the statement writes has a frame, those that it reads a dashed one; what is not written yet is hatched.
 *
 * The keyboard has a cell of its own: arrows, Home, End, Page Up and Page Down move it, and "cell-changed" tells who shows it in words.  Where it
 * leaves what is shown of the array, "part-wanted" (row, column) asks for another part.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_RUN_GRID (ls_run_grid_get_type ())
G_DECLARE_FINAL_TYPE (LsRunGrid, ls_run_grid, LS, RUN_GRID, GtkWidget)

GtkWidget *ls_run_grid_new   (void);
/* `grid` as the debugger tells it (engine/debug/look.c), or NULL; `accesses` of the statement that comes next, aa{sv}, or NULL. */
void       ls_run_grid_set   (LsRunGrid *self,
                              GVariant  *grid,
                              GVariant  *accesses);
/* The accesses before this statement, the oldest first, aa{sv} with "at" and "kind", or NULL: a line through their cells, a disc for a write
 * and a ring for a read, the fainter the longer ago. */
void       ls_run_grid_set_trail (LsRunGrid *self,
                              GVariant  *trail);
/* The cell of the keyboard goes to an element of the array, by row and column, if that part is shown. */
void       ls_run_grid_go    (LsRunGrid *self,
                              gint64     row,
                              gint64     column);
/* "C[2, 3] = 0.5, not written yet": the cell of the keyboard; "" where there is none. (transfer full) */
char      *ls_run_grid_words (LsRunGrid *self);

G_END_DECLS
