/* The columns of the loop view: what a cell shows of its loop, and how wide a column is.
 *
 * A cell follows its item as long as it is bound to it.
 */
#include "views/loops/private.h"

#include "views/loops/cell.h"
#include "views/loops/cost-bar.h"
#include "views/models/format.h"
#include "views/parts/column-header.h"
#include "views/parts/fit-label.h"

#include <glib/gi18n.h>

#define PADDING 8
#define EXTENT_MOST 14          /* characters */
#define WHOLE 10000000          /* from here on figures are shortened */

/* ---- cells -------------------------------------------------------------- */

static LsLoopItem *
row_item (GtkListItem *list_item)
{
  g_autoptr (GObject) item = NULL;

  item = gtk_tree_list_row_get_item (GTK_TREE_LIST_ROW (gtk_list_item_get_item (list_item)));
  return LS_LOOP_ITEM (item);
}

static void
pointer_entered (LsLoopView *self,
                 double      x,
                 double      y,
                 GtkEventController *controller)
{
  LsLoopItem *item = ls_loop_cell_get_item (LS_LOOP_CELL (
    gtk_event_controller_get_widget (controller)));

  if (self->session != NULL && item != NULL && ls_loop_item_get (item)->families.n > 0)
    ls_session_set_hover (self->session, ls_loop_item_get (item)->families.family[0]);
}

static void
pointer_left (LsLoopView *self)
{
  if (self->session != NULL)
    ls_session_set_hover (self->session, LS_NO_HOVER);
}

static void
setup_name (GtkSignalListItemFactory *factory,
            GtkListItem              *list_item,
            LsLoopView               *self)
{
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *cell = ls_loop_cell_new ();
  GtkEventController *pointer = gtk_event_controller_motion_new ();

  ls_loop_cell_set_session (LS_LOOP_CELL (cell), self->session);
  g_signal_connect_swapped (pointer, "enter", G_CALLBACK (pointer_entered), self);
  g_signal_connect_swapped (pointer, "leave", G_CALLBACK (pointer_left), self);
  gtk_widget_add_controller (cell, pointer);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), cell);
  gtk_list_item_set_child (list_item, expander);
}

static void
bind_name (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           LsLoopView               *self)
{
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));
  GtkTreeListRow *row = GTK_TREE_LIST_ROW (gtk_list_item_get_item (list_item));
  LsLoopCell *cell = LS_LOOP_CELL (gtk_tree_expander_get_child (expander));

  gtk_tree_expander_set_list_row (expander, row);
  ls_loop_cell_set_item (cell, row_item (list_item));
  ls_loop_cell_set_kin (cell, ls_session_get_hover (self->session));
  ls_loop_cell_set_stands (cell, ls_session_get_stand (self->session) > 0 && ls_loop_item_get (row_item (list_item))->id == ls_session_get_stand_row (self->session));
  g_ptr_array_add (self->cells, cell);
  g_signal_connect_swapped (row, "notify::expanded", G_CALLBACK (ls_loop_view_row_expanded), self);
}

/* The expander keeps its row until it gets the next one, or goes: then its indents, a widget for each level, are used again. */
static void
unbind_name (GtkSignalListItemFactory *factory,
             GtkListItem              *list_item,
             LsLoopView               *self)
{
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));
  GtkWidget *cell = gtk_tree_expander_get_child (expander);

  g_signal_handlers_disconnect_by_data (gtk_list_item_get_item (list_item), self);
  g_ptr_array_remove_fast (self->cells, cell);
  ls_loop_cell_set_item (LS_LOOP_CELL (cell), NULL);
}

static void
setup_figure (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              LsLoopView               *self)
{
  GtkWidget *label = ls_fit_label_new ();

  ls_fit_label_set_xalign (LS_FIT_LABEL (label), 1.0f);
  gtk_widget_add_css_class (label, "figure");
  gtk_list_item_set_child (list_item, label);
}

/* One figure of a row as text; it follows the item while its cell is bound. (transfer full) */
typedef char *(*TextFunc) (const LsLoopRecord *record);

static char *
extent_text (const LsLoopRecord *record)
{
  if (record->extent >= WHOLE)
    return ls_format_short_count ((double) record->extent);
  return record->extent >= 0 ? ls_format_count (record->extent) : g_strdup (record->extent_text != NULL ? record->extent_text : "");
}

/* What the column has no room for is shortened, not cut: "57.8 M". */
static char *
runs_text (const LsLoopRecord *record)
{
  if (record->runs < 0)
    return g_strdup ("");
  return record->runs < WHOLE ? ls_format_count (record->runs) : ls_format_short_count ((double) record->runs);
}

static char *
touches_text (const LsLoopRecord *record)
{
  return record->touches >= 0 ? ls_format_bytes (record->touches) : g_strdup ("");
}

static char *
share_text (const LsLoopRecord *record)
{
  return record->share >= 0.0 ? ls_format_share (record->share) : g_strdup ("");
}

static void
update_label (GtkWidget  *label,
              LsLoopItem *item,
              TextFunc    func)
{
  g_autofree char *text = func (ls_loop_item_get (item));

  ls_fit_label_set_figure (LS_FIT_LABEL (label), text);
}

static void
update_extent (GtkWidget  *cell,
               LsLoopItem *item)
{
  update_label (cell, item, extent_text);
}

static void
update_runs (GtkWidget  *cell,
             LsLoopItem *item)
{
  update_label (cell, item, runs_text);
}

static void
update_touches (GtkWidget  *cell,
                LsLoopItem *item)
{
  update_label (cell, item, touches_text);
}

static void
update_share (GtkWidget  *cell,
              LsLoopItem *item)
{
  ls_cost_bar_set_share (LS_COST_BAR (gtk_widget_get_first_child (cell)), ls_loop_item_get (item)->share);
  update_label (gtk_widget_get_last_child (cell), item, share_text);
}

typedef void (*CellFunc) (GtkWidget  *cell,
                          LsLoopItem *item);

static GQuark
item_quark (void)
{
  return g_quark_from_static_string ("ls-item");
}

static void
bind_figure (GtkListItem *list_item,
             CellFunc     update)
{
  GtkWidget *cell = gtk_list_item_get_child (list_item);
  LsLoopItem *item = row_item (list_item);

  g_object_set_qdata_full (G_OBJECT (cell), item_quark (), g_object_ref (item), g_object_unref);
  g_signal_connect_swapped (item, "changed", G_CALLBACK (update), cell);
  update (cell, item);
}

static void
unbind_figure (GtkSignalListItemFactory *factory,
               GtkListItem              *list_item,
               LsLoopView               *self)
{
  GtkWidget *cell = gtk_list_item_get_child (list_item);

  g_signal_handlers_disconnect_by_data (g_object_get_qdata (G_OBJECT (cell), item_quark ()), cell);
  g_object_set_qdata (G_OBJECT (cell), item_quark (), NULL);
}

static void
bind_extent (GtkSignalListItemFactory *factory,
             GtkListItem              *list_item,
             LsLoopView               *self)
{
  bind_figure (list_item, update_extent);
}

static void
bind_runs (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           LsLoopView               *self)
{
  bind_figure (list_item, update_runs);
}

static void
bind_touches (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              LsLoopView               *self)
{
  bind_figure (list_item, update_touches);
}

static void
bind_share (GtkSignalListItemFactory *factory,
            GtkListItem              *list_item,
            LsLoopView               *self)
{
  bind_figure (list_item, update_share);
}

static void
setup_share (GtkSignalListItemFactory *factory,
             GtkListItem              *list_item,
             LsLoopView               *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = ls_fit_label_new ();

  gtk_widget_add_css_class (label, "figure");
  gtk_box_append (GTK_BOX (box), ls_cost_bar_new ());
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (list_item, box);
}

/* ---- columns ------------------------------------------------------------ */

typedef void (*ItemFunc) (GtkSignalListItemFactory *factory,
                          GtkListItem              *list_item,
                          LsLoopView               *self);

static GtkColumnViewColumn *
add_column (LsLoopView *self,
            const char *title,
            gboolean    expand,
            ItemFunc    setup,
            ItemFunc    bind,
            ItemFunc    unbind)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *column;

  g_signal_connect (factory, "setup", G_CALLBACK (setup), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), self);
  if (unbind != NULL)
    g_signal_connect (factory, "unbind", G_CALLBACK (unbind), self);
  column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (column, expand);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
  return column;
}

/* The longest extent of the rows and of those below them. */
static void
longest_extent (GListModel *rows,
                char      **longest)
{
  for (guint i = 0; rows != NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);
      g_autofree char *text = extent_text (ls_loop_item_get (item));

      if (g_utf8_strlen (text, -1) > g_utf8_strlen (*longest, -1))
        {
          g_free (*longest);
          *longest = g_steal_pointer (&text);
        }
      longest_extent (ls_loop_item_get_children (item), longest);
    }
}

/* Widths follow the font, so that figures are whole at every text size; what a narrow view saves is the names'. */
void
ls_loop_view_fit_columns (LsLoopView *self)
{
  GtkWidget *view = GTK_WIDGET (self);
  g_autofree char *extent = g_strdup (self->narrow ? "" : "8,888,888");

  if (self->narrow && self->session != NULL)
    longest_extent (ls_session_get_loops (self->session), &extent);
  if (g_utf8_strlen (extent, -1) > EXTENT_MOST)
    *g_utf8_offset_to_pointer (extent, EXTENT_MOST) = '\0';
  ls_column_fit (view, self->extent, extent, 2 * PADDING + 2);
  ls_column_fit_title (view, self->extent, 2 * PADDING + 2);
  ls_column_fit (view, self->runs, "8,888,888", 2 * PADDING);
  ls_column_fit (view, self->touches, "1023.9 KiB", 2 * PADDING);
  ls_column_fit (view, self->share, "99.9 %", 2 * PADDING + 72 + 8 + 8);
  ls_column_fit_title (view, self->share, 2 * PADDING);
}

void
ls_loop_view_add_columns (LsLoopView *self)
{
  g_object_unref (add_column (self, _("Loop or block"), TRUE, setup_name, bind_name,
                              unbind_name));
  self->extent = add_column (self, _("Extent"), FALSE, setup_figure, bind_extent, unbind_figure);
  self->runs = add_column (self, _("Runs"), FALSE, setup_figure, bind_runs, unbind_figure);
  self->touches = add_column (self, _("Touches"), FALSE, setup_figure, bind_touches, unbind_figure);
  self->share = add_column (self, _("Share of flop"), FALSE, setup_share, bind_share, unbind_figure);
  for (guint i = 1; i <= 3; i++)
    ls_column_header_align_end (GTK_COLUMN_VIEW (self->view), i);
  ls_loop_view_fit_columns (self);
}

void
ls_loop_view_name_share (LsLoopView *self)
{
  double flop = ls_session_get_flop (self->session);
  g_autofree char *count = ls_format_short_count (flop);
  g_autofree char *title = flop > 0.0 ? g_strdup_printf (_("Share of flop (%s)"), count)
                                      : g_strdup (_("Share of flop"));

  gtk_column_view_column_set_title (self->share, title);
  ls_column_fit_title (GTK_WIDGET (self), self->share, 2 * PADDING);
}

void
ls_loop_view_set_narrow (LsLoopView *self,
                         gboolean    narrow)
{
  /* Not set_visible(): GTK 4.8 keeps the room of a hidden column. */
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  ls_loop_view_fit_columns (self);
  if (narrow)
    gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->view), self->runs);
  else
    {
      gtk_column_view_insert_column (GTK_COLUMN_VIEW (self->view), 2, self->runs);
      ls_column_header_align_again (GTK_COLUMN_VIEW (self->view), gtk_column_view_column_get_title (self->runs));
    }
}
