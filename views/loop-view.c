/* LsLoopView: a GtkColumnView over a GtkTreeListModel of LsLoopItems.
 *
 * Folding is remembered by the ids of folded loops, so that it survives a step;
 * the same goes for scroll and selection.
 * Rows are costly to make: of a new document the first ones are there at once, the others
 * come a few in a turn.
 */
#include "views/loop-view.h"

#include "views/column-header.h"
#include "views/cost-bar.h"
#include "views/dependence-bar.h"
#include "views/loop-arrows.h"
#include "views/loop-cell.h"
#include "views/mark.h"
#include "views/models/format.h"
#include "views/models/gradual-list.h"
#include "views/scroller.h"
#include "views/status.h"

#include <glib/gi18n.h>
#include <string.h>

#define ROW_HEIGHT 28
#define PADDING 8
#define EXTENT_MOST 14          /* characters */
#define FIRST_ROWS 48
#define MORE_ROWS 24
#define ENOUGH_ROWS 400         /* a list makes no widgets for more */
#define FUNCTIONS 8             /* a module of thousands of loops opens so many at a time, */
#define NESTS 128               /* and so many nests of each */

struct _LsLoopView
{
  GtkWidget            parent_instance;

  LsSession           *session;
  GtkTreeListModel    *tree;
  GtkSliceListModel   *rows;    /* of the tree, as many as were shown yet */
  guint                growing; /* idle that shows more, or 0 */
  guint                 coming;  /* idle that selects and folds what came later, or 0 */
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

G_DEFINE_FINAL_TYPE (LsLoopView, ls_loop_view, GTK_TYPE_WIDGET)

/* ---- rows --------------------------------------------------------------- */

static LsLoopItem *
row_item (GtkListItem *list_item)
{
  g_autoptr (GObject) item = NULL;

  item = gtk_tree_list_row_get_item (GTK_TREE_LIST_ROW (gtk_list_item_get_item (list_item)));
  return LS_LOOP_ITEM (item);
}

static GListModel *
create_children (gpointer item,
                 gpointer data)
{
  GListModel *children = ls_loop_item_get_children (item);

  return children != NULL ? G_LIST_MODEL (ls_gradual_list_new (children, NESTS)) : NULL;
}

static void
expanded_changed (LsLoopView     *self,
                  GParamSpec     *pspec,
                  GtkTreeListRow *row)
{
  g_autoptr (LsLoopItem) item = gtk_tree_list_row_get_item (row);
  guint64 id;

  if (item == NULL || self->syncing)
    return;
  id = ls_loop_item_get (item)->id;
  if (gtk_tree_list_row_get_expanded (row))
    g_hash_table_remove (self->folded, &id);
  else
    g_hash_table_add (self->folded, g_memdup2 (&id, sizeof id));
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
  g_ptr_array_add (self->cells, cell);
  g_signal_connect_swapped (row, "notify::expanded", G_CALLBACK (expanded_changed), self);
}

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
  gtk_tree_expander_set_list_row (expander, NULL);
}

static void
setup_figure (GtkSignalListItemFactory *factory,
              GtkListItem              *list_item,
              LsLoopView               *self)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 1.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "figure");
  gtk_list_item_set_child (list_item, label);
}

/* One figure of a row as text; it follows the item while its cell is bound. (transfer full) */
typedef char *(*TextFunc) (const LsLoopRecord *record);

static char *
extent_text (const LsLoopRecord *record)
{
  return record->extent >= 0 ? ls_format_count (record->extent) : g_strdup (record->extent_text != NULL ? record->extent_text : "");
}

static char *
runs_text (const LsLoopRecord *record)
{
  return record->runs >= 0 ? ls_format_count (record->runs) : g_strdup ("");
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

  gtk_label_set_label (GTK_LABEL (label), text);
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
  GtkWidget *label = gtk_label_new (NULL);

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
static void
fit_columns (LsLoopView *self)
{
  GtkWidget *view = GTK_WIDGET (self);
  g_autofree char *extent = g_strdup (self->narrow ? "" : "8,888,888");

  if (self->narrow && self->session != NULL)
    longest_extent (ls_session_get_loops (self->session), &extent);
  if (g_utf8_strlen (extent, -1) > EXTENT_MOST)
    *g_utf8_offset_to_pointer (extent, EXTENT_MOST) = '\0';
  ls_column_fit (view, self->extent, extent, 2 * PADDING + 2);
  ls_column_fit_title (view, self->extent, 2 * PADDING + 2);
  ls_column_fit (view, self->runs, "88,888,888", 2 * PADDING);
  ls_column_fit (view, self->touches, "1023.9 KiB", 2 * PADDING);
  ls_column_fit (view, self->share, "99.9 %", 2 * PADDING + 72 + 8 + 8);
  ls_column_fit_title (view, self->share, 2 * PADDING);
}

static void
add_columns (LsLoopView *self)
{
  g_object_unref (add_column (self, _("Loop or block"), TRUE, setup_name, bind_name,
                              unbind_name));
  self->extent = add_column (self, _("Extent"), FALSE, setup_figure, bind_extent, unbind_figure);
  self->runs = add_column (self, _("Runs"), FALSE, setup_figure, bind_runs, unbind_figure);
  self->touches = add_column (self, _("Touches"), FALSE, setup_figure, bind_touches, unbind_figure);
  self->share = add_column (self, _("Share of flop"), FALSE, setup_share, bind_share, unbind_figure);
  for (guint i = 1; i <= 3; i++)
    ls_column_header_align_end (GTK_COLUMN_VIEW (self->view), i);
  fit_columns (self);
}

static void
ls_loop_view_css_changed (GtkWidget         *widget,
                          GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (ls_loop_view_parent_class)->css_changed (widget, change);
  if (LS_LOOP_VIEW (widget)->share != NULL)
    fit_columns (LS_LOOP_VIEW (widget));
}

/* ---- following the session ---------------------------------------------- */

static void
selection_changed (LsLoopView *self)
{
  GtkTreeListRow *row = gtk_single_selection_get_selected_item (self->selection);
  g_autoptr (LsLoopItem) item = NULL;

  if (self->syncing || row == NULL)
    return;
  item = gtk_tree_list_row_get_item (row);
  if (item != NULL)
    ls_session_select (self->session, ls_loop_item_get (item)->id);
}

static gboolean
grow (gpointer data)
{
  LsLoopView *self = data;
  guint n = gtk_slice_list_model_get_size (self->rows) + MORE_ROWS;
  gboolean all = n >= MIN (g_list_model_get_n_items (G_LIST_MODEL (self->tree)), ENOUGH_ROWS);

  gtk_slice_list_model_set_size (self->rows, all ? G_MAXUINT : n);
  if (all)
    self->growing = 0;
  return all ? G_SOURCE_REMOVE : G_SOURCE_CONTINUE;
}

/* Without a document, the next one begins with its first rows. */
static void
watch_rows (LsLoopView *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->tree));

  if (n == 0)
    gtk_slice_list_model_set_size (self->rows, FIRST_ROWS);
  else if (n > gtk_slice_list_model_get_size (self->rows) && self->growing == 0)
    self->growing = g_idle_add (grow, self);
}

static void
sync_selection (LsLoopView *self)
{
  guint64 id = ls_session_get_selection (self->session);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->tree));
  guint position = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; i < n && id != 0 && position == GTK_INVALID_LIST_POSITION; i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), i);
      g_autoptr (LsLoopItem) item = gtk_tree_list_row_get_item (row);

      if (ls_loop_item_get (item)->id == id)
        position = i;
    }

  if (position != GTK_INVALID_LIST_POSITION && position >= gtk_slice_list_model_get_size (self->rows))
    gtk_slice_list_model_set_size (self->rows, G_MAXUINT);
  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->syncing = FALSE;
}

static void
sync_hover (LsLoopView *self)
{
  for (guint i = 0; i < self->cells->len; i++)
    ls_loop_cell_set_kin (g_ptr_array_index (self->cells, i),
                          ls_session_get_hover (self->session));
}

/* Rows stay while another loop comes to stand in them: what is folded goes by the loop. */
static void
fold_again (LsLoopView *self)
{
  if (g_hash_table_size (self->folded) == 0)
    return;
  self->syncing = TRUE;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->tree)); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), i);
      g_autoptr (LsLoopItem) item = gtk_tree_list_row_get_item (row);

      gtk_tree_list_row_set_expanded (row, !g_hash_table_contains (self->folded, &ls_loop_item_get (item)->id));
    }
  self->syncing = FALSE;
}

static void
update_titles (LsLoopView *self)
{
  double flop = ls_session_get_flop (self->session);
  g_autofree char *count = ls_format_short_count (flop);
  g_autofree char *title = flop > 0.0 ? g_strdup_printf (_("Share of flop (%s)"), count)
                                      : g_strdup (_("Share of flop"));

  gtk_column_view_column_set_title (self->share, title);
  ls_column_fit_title (GTK_WIDGET (self), self->share, 2 * PADDING);
  gtk_label_set_label (GTK_LABEL (self->subtitle), ls_session_get_title (self->session));
}

static void
update_status (LsLoopView *self)
{
  const char *sentence = NULL;

  switch (ls_session_get_state (self->session))
    {
    case LS_SESSION_EMPTY:
      sentence = _("No module yet.");
      break;
    case LS_SESSION_READY:
      sentence = _("This module has no loops.");
      break;
    case LS_SESSION_BROKEN:
      sentence = _("The text has errors; they stand above it.");
      break;
    }
  ls_status_set (LS_STATUS (self->status), sentence, NULL, NULL, NULL);
}

/* A legend that does not fit is left out as a whole. */
static void
legend_width_changed (LsLoopView    *self,
                      GtkAdjustment *width)
{
  gtk_widget_set_opacity (self->legend, gtk_adjustment_get_upper (width) >
                                        gtk_adjustment_get_page_size (width) + 1.0 ? 0.0 : 1.0);
}

static gboolean
has_focus (LsLoopView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, self->view);
}

static void
module_changed (LsLoopView *self)
{
  GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment (
    GTK_SCROLLED_WINDOW (self->scroller));
  double value = gtk_adjustment_get_value (scroll);
  gboolean empty = g_list_model_get_n_items (ls_session_get_loops (self->session)) == 0;

  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), empty ? "empty" : "list");
  update_status (self);
  watch_rows (self);
  fold_again (self);
  sync_selection (self);
  update_titles (self);
  if (self->narrow)
    fit_columns (self);
  gtk_adjustment_set_value (scroll, value);
}

static gboolean
rows_came (gpointer data)
{
  LsLoopView *self = data;

  self->coming = 0;
  fold_again (self);
  if (gtk_single_selection_get_selected (self->selection) == GTK_INVALID_LIST_POSITION)
    sync_selection (self);
  return G_SOURCE_REMOVE;
}

/* A row that goes does not take the focus with it. Rows change before ::module-changed; of a large module some come later. */
static void
rows_change (LsLoopView *self,
             guint       position,
             guint       removed,
             guint       added)
{
  if (removed > 0 && has_focus (self))
    gtk_widget_grab_focus (self->view);
  if (added > 0 && self->coming == 0 && (g_hash_table_size (self->folded) > 0 || ls_session_get_selection (self->session) != 0))
    self->coming = g_idle_add_full (G_PRIORITY_LOW, rows_came, self, NULL);
}

/* ---- actions ------------------------------------------------------------ */

static void
set_all_expanded (LsLoopView *self,
                  gboolean    expanded)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->tree)); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), i);

      gtk_tree_list_row_set_expanded (row, expanded);
    }
  sync_selection (self);
}

static void
unfold_activated (GSimpleAction *action,
                  GVariant      *parameter,
                  gpointer       data)
{
  set_all_expanded (data, TRUE);
}

static void
fold_activated (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       data)
{
  set_all_expanded (data, FALSE);
}

static void
add_actions (LsLoopView *self)
{
  static const GActionEntry entries[] = {
    { .name = "unfold", .activate = unfold_activated },
    { .name = "fold", .activate = fold_activated },
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GPropertyAction) legend = g_property_action_new ("legend", self->legend, "visible");

  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (legend));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "loops", G_ACTION_GROUP (group));
}

static void
add_legend (LsLoopView *self)
{
  static const LsLoopKind kinds[] = { LS_LOOP_PARALLEL, LS_LOOP_VECTORIZED, LS_LOOP_UNROLLED,
                                      LS_LOOP_BOUND };

  for (guint i = 0; i <= G_N_ELEMENTS (kinds); i++)
    {
      gboolean last = i == G_N_ELEMENTS (kinds);
      GtkWidget *pair = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);
      GtkWidget *mark = ls_mark_new ();
      GtkWidget *label = gtk_label_new (last ? _("reduction") : ls_loop_kind_word (kinds[i]));

      ls_mark_set_badge (LS_MARK (mark), last ? LS_BADGE_DOUBLE : ls_badge_for_kind (kinds[i]),
                         last ? "R" : ls_loop_kind_letter (kinds[i]));
      gtk_widget_add_css_class (label, "reason");
      gtk_box_append (GTK_BOX (pair), mark);
      gtk_box_append (GTK_BOX (pair), label);
      gtk_box_append (GTK_BOX (self->legend), pair);
    }
}

/* ---- dependences -------------------------------------------------------- */

enum { PROP_0, PROP_ARROWS, PROP_ROUNDS, N_PROPS };
static GParamSpec *props[N_PROPS];

static void
show_dependences (LsLoopView *self)
{
  ls_dependence_bar_set (LS_DEPENDENCE_BAR (self->bar), ls_loop_arrows_get (LS_LOOP_ARROWS (self->arrows)), self->rounds);
}

static gboolean
has_arrows (LsLoopView *self)
{
  return gtk_widget_has_css_class (self->view, "with-arrows");
}

/* Rounds are a part of the dependences: one without the other makes no sense. */
static void
set_arrows (LsLoopView *self,
            gboolean    arrows)
{
  if (arrows)
    gtk_widget_add_css_class (self->view, "with-arrows");
  else
    gtk_widget_remove_css_class (self->view, "with-arrows");
  ls_loop_arrows_set_on (LS_LOOP_ARROWS (self->arrows), arrows);
  if (!arrows && self->rounds)
    g_object_set (self, "rounds", FALSE, NULL);
}

static void
ls_loop_view_get_property (GObject    *object,
                           guint       id,
                           GValue     *value,
                           GParamSpec *pspec)
{
  LsLoopView *self = LS_LOOP_VIEW (object);

  if (id == PROP_ARROWS)
    g_value_set_boolean (value, has_arrows (self));
  else if (id == PROP_ROUNDS)
    g_value_set_boolean (value, self->rounds);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
ls_loop_view_set_property (GObject      *object,
                           guint         id,
                           const GValue *value,
                           GParamSpec   *pspec)
{
  LsLoopView *self = LS_LOOP_VIEW (object);

  if (id == PROP_ARROWS)
    set_arrows (self, g_value_get_boolean (value));
  else if (id == PROP_ROUNDS)
    {
      self->rounds = g_value_get_boolean (value);
      if (self->rounds && !has_arrows (self))
        g_object_set (self, "arrows", TRUE, NULL);
      show_dependences (self);
    }
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

/* ---- class -------------------------------------------------------------- */

static void
ls_loop_view_dispose (GObject *object)
{
  LsLoopView *self = LS_LOOP_VIEW (object);

  g_clear_handle_id (&self->growing, g_source_remove);
  g_clear_handle_id (&self->coming, g_source_remove);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (self->tree, self);
      gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), NULL);
    }
  if (self->arrows != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->arrows, self);
      ls_loop_arrows_detach (LS_LOOP_ARROWS (self->arrows));
    }
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_object (&self->tree);
  g_clear_object (&self->extent);
  g_clear_object (&self->runs);
  g_clear_object (&self->touches);
  g_clear_object (&self->share);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  g_clear_pointer (&self->folded, g_hash_table_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_loop_view_parent_class)->dispose (object);
}

static void
ls_loop_view_class_init (LsLoopViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_loop_view_dispose;
  G_OBJECT_CLASS (klass)->get_property = ls_loop_view_get_property;
  G_OBJECT_CLASS (klass)->set_property = ls_loop_view_set_property;
  props[PROP_ARROWS] = g_param_spec_boolean ("arrows", NULL, NULL, TRUE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  props[PROP_ROUNDS] = g_param_spec_boolean ("rounds", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, props);
  g_type_ensure (LS_TYPE_LOOP_ARROWS);
  g_type_ensure (LS_TYPE_DEPENDENCE_BAR);
  widget_class->css_changed = ls_loop_view_css_changed;
  g_type_ensure (LS_TYPE_STATUS);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/loopscope/views/loop-view.ui");
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, box);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, stack);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, status);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, subtitle);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, legend);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, legend_scroller);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, scroller);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, view);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, arrows);
  gtk_widget_class_bind_template_child (widget_class, LsLoopView, bar);
  gtk_widget_class_set_css_name (widget_class, "loopview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_REGION);
}

static void
ls_loop_view_init (LsLoopView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  ls_scroller_steady (self->scroller);
  self->folded = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->cells = g_ptr_array_new ();
  add_columns (self);
  add_legend (self);
  g_signal_connect_swapped (gtk_scrolled_window_get_hadjustment (
                              GTK_SCROLLED_WINDOW (self->legend_scroller)),
                            "changed", G_CALLBACK (legend_width_changed), self);
  add_actions (self);
  gtk_widget_add_css_class (self->view, "with-arrows");
  g_signal_connect_swapped (self->arrows, "changed", G_CALLBACK (show_dependences), self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("Loop nest"), -1);
}

GtkWidget *
ls_loop_view_new (void)
{
  return g_object_new (LS_TYPE_LOOP_VIEW, NULL);
}

void
ls_loop_view_set_session (LsLoopView *self,
                          LsSession  *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  self->tree = gtk_tree_list_model_new (G_LIST_MODEL (ls_gradual_list_new (ls_session_get_loops (session), FUNCTIONS)), FALSE, TRUE,
                                        create_children, NULL, NULL);
  g_signal_connect_swapped (self->tree, "items-changed", G_CALLBACK (rows_change), self);
  self->rows = gtk_slice_list_model_new (g_object_ref (G_LIST_MODEL (self->tree)), 0, FIRST_ROWS);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selection_changed),
                            self);
  g_signal_connect_swapped (session, "notify::selection", G_CALLBACK (sync_selection), self);
  g_signal_connect_swapped (session, "notify::hover", G_CALLBACK (sync_hover), self);
  g_signal_connect_swapped (session, "notify::title", G_CALLBACK (update_titles), self);
  g_signal_connect_swapped (session, "module-changed", G_CALLBACK (module_changed), self);
  g_signal_connect_swapped (session, "notify::state", G_CALLBACK (update_status), self);
  ls_loop_arrows_attach (LS_LOOP_ARROWS (self->arrows), session, self->tree, self->cells, self->view);
  module_changed (self);
}

void
ls_loop_view_set_narrow (LsLoopView *self,
                         gboolean    narrow)
{
  /* Not set_visible(): GTK 4.8 keeps the room of a hidden column. */
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  fit_columns (self);
  if (narrow)
    gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->view), self->runs);
  else
    {
      gtk_column_view_insert_column (GTK_COLUMN_VIEW (self->view), 2, self->runs);
      ls_column_header_align_again (GTK_COLUMN_VIEW (self->view), gtk_column_view_column_get_title (self->runs));
    }
}

/* Of the first row on the screen: letters can be larger than in the design. */
static int
row_height (LsLoopView *self)
{
  for (guint i = 0; i < self->cells->len; i++)
    {
      GtkWidget *cell = gtk_widget_get_parent (g_ptr_array_index (self->cells, i));
      GtkWidget *row = cell != NULL && gtk_widget_get_mapped (cell) ? gtk_widget_get_parent (cell) : NULL;

      while (row != NULL && strcmp (gtk_widget_get_css_name (row), "row") != 0)
        row = gtk_widget_get_parent (row);
      if (row != NULL && gtk_widget_get_height (row) > 0)
        return gtk_widget_get_height (row);
    }
  return ROW_HEIGHT;
}

int
ls_loop_view_fit_height (LsLoopView *self,
                         int         most)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  int row = row_height (self), page = (int) gtk_adjustment_get_page_size (adjustment);
  int n = MAX ((int) g_list_model_get_n_items (G_LIST_MODEL (self->tree)), 4);
  int around = gtk_widget_get_height (GTK_WIDGET (self)) - page;

  if (!gtk_widget_get_mapped (self->scroller) || page <= 0 || around <= 0)
    return 0;
  return around + row * CLAMP ((most - around) / row, 1, n);
}

void
ls_loop_view_say (LsLoopView *self,
                  const char *words)
{
  if (words != NULL)
    ls_dependence_bar_say (LS_DEPENDENCE_BAR (self->bar), words);
  else
    show_dependences (self);
}

gboolean
ls_loop_view_focus (LsLoopView *self)
{
  return gtk_widget_get_mapped (self->view) && gtk_widget_grab_focus (self->view);
}
