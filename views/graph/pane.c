/* LsGraphPane: a stack of the list of nodes and of the detail. */
#include "views/graph/pane.h"

#include "views/canvas/draw-graph.h"
#include "views/loops/cell.h"
#include "views/models/format.h"
#include "views/models/node-item.h"
#include "views/parts/fit-label.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/refill.h"
#include "views/parts/scroller.h"
#include "views/parts/tip.h"
#include "views/script/pane.h"
#include "views/parts/theme.h"
#include "views/parts/tab-stop.h"

#include <glib/gi18n.h>


#define SETTLE_MS 200           /* after the pane came: what it does not show yet is styled and measured then, not in its first frame */
#define LOOPS_MOST 300
#define ARGUMENTS_MOST 190
#define NAME_LEAST 14           /* letters */
#define NAME_MOST 24

struct _LsGraphPane
{
  GtkWidget           parent_instance;

  LsGraphModel       *model;
  LsGraphFigure       figure;
  guint               name_chars;       /* of the longest name, for a column */
  GListStore         *items;            /* of LsNodeItem */
  GtkSingleSelection *selection;
  gboolean            syncing;

  GtkWidget          *stack;
  GtkWidget          *list;
  GtkWidget          *list_words;
  GtkWidget          *title;
  GtkWidget          *words;
  GtkWidget          *back;
  GtkWidget          *schedule;
  GtkWidget          *arguments;
  GtkWidget          *arguments_scroller;
  GtkWidget          *parts;
  GtkWidget          *loops_box;
  GtkWidget          *loops_words;
  GtkWidget          *loops;
  GtkWidget          *text_box;
  GtkWidget          *text;
  struct {
    LsScriptText     *text;     /* or NULL */
    guint             line;
  } spoken;                     /* what is marked in it */
};

G_DEFINE_FINAL_TYPE (LsGraphPane, ls_graph_pane, GTK_TYPE_WIDGET)

enum { CHOSEN, OPENED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* ---- rows of nodes ------------------------------------------------------------------ */

static GtkWidget *
add_label (GtkWidget  *box,
           const char *css_class,
           gboolean    grows)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_add_css_class (label, css_class);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, grows);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static GtkWidget *
add_words (GtkWidget  *box,
           const char *css_class,
           gboolean    grows)
{
  GtkWidget *label = ls_fit_label_new ();

  gtk_widget_add_css_class (label, css_class);
  gtk_widget_set_hexpand (label, grows);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
setup_node (GtkSignalListItemFactory *factory,
            GtkListItem              *list_item,
            LsGraphPane              *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *sign = add_words (row, "code", FALSE);
  GtkWidget *name = add_words (row, "code", FALSE);
  GtkWidget *detail = add_words (row, "reason", TRUE);
  GtkWidget *figure = gtk_label_new (NULL);

  gtk_widget_add_css_class (row, "node-row");
  gtk_widget_add_css_class (name, "strong");
  ls_fit_label_set_width_chars (LS_FIT_LABEL (sign), 1);
  gtk_widget_add_css_class (figure, "figure");
  gtk_box_append (GTK_BOX (row), figure);
  ls_fit_label_set_ellipsize (LS_FIT_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);     /* names of layers differ at their end */
  gtk_widget_add_css_class (detail, "node-detail");
  gtk_list_item_set_child (list_item, row);
}

static void
bind_node (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           LsGraphPane              *self)
{
  LsNodeItem *item = gtk_list_item_get_item (list_item);
  const LsGraphNode *node = ls_node_item_get_node (item);
  GtkWidget *row = gtk_list_item_get_child (list_item);
  GtkWidget *sign = gtk_widget_get_first_child (row), *name = gtk_widget_get_next_sibling (sign);
  GtkWidget *detail = gtk_widget_get_next_sibling (name), *figure = gtk_widget_get_next_sibling (detail);
  gsize before = 0;
  const char *title = ls_graph_own_name (node, &before);
  g_autofree char *words = g_strdup_printf ("%.*s%s%s%s", (int) before, node->title, node->detail != NULL ? node->detail : "", node->detail != NULL && node->type != NULL ? " · " : "", node->type != NULL ? node->type : "");
  g_autofree char *number = ls_graph_figure_text (&node->numbers, self->figure);
  g_autofree char *description = ls_node_item_describe (item);
  const char *mark = ls_graph_mark_sign (ls_node_item_get_mark (item));

  ls_fit_label_set_text (LS_FIT_LABEL (sign), *mark == '-' ? "−" : mark);
  ls_fit_label_set_text (LS_FIT_LABEL (name), title);
  ls_fit_label_set_width_chars (LS_FIT_LABEL (name), (int) self->name_chars);
  ls_fit_label_set_text (LS_FIT_LABEL (detail), words);
  gtk_label_set_label (GTK_LABEL (figure), number != NULL ? number : "");
  ls_tip_set (row, description);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, description, -1);
}

static void
fill_list (LsGraphPane *self)
{
  LsGraphSeries *series = self->model != NULL ? ls_graph_model_get_series (self->model) : NULL;
  guint shown = series != NULL ? ls_graph_model_get_state (self->model) : 0;
  LsGraphState *state = series != NULL ? ls_graph_series_state (series, shown) : NULL;
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *words = NULL;

  self->name_chars = NAME_LEAST;
  for (guint i = 0; state != NULL && i < series->whole->nodes->len; i++)
    if (state->marks[i] != LS_GRAPH_ABSENT)
      {
        LsNodeItem *item = ls_node_item_new (series, shown, i);
        gsize before;
        guint chars = (guint) g_utf8_strlen (ls_graph_own_name (ls_node_item_get_node (item), &before), -1);

        self->name_chars = CLAMP (chars, self->name_chars, NAME_MOST);
        g_ptr_array_add (items, item);
      }
  words = g_strdup_printf (ngettext ("%u node", "%u nodes", items->len), items->len);
  gtk_label_set_label (GTK_LABEL (self->list_words), words);
  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->syncing = FALSE;
  ls_refill (self->items, self->list, items, NULL, NULL);
}

static void
row_selected (LsGraphPane *self)
{
  LsNodeItem *item = gtk_single_selection_get_selected_item (self->selection);

  if (item != NULL && !self->syncing && !ls_refill_is_busy (self->items))
    g_signal_emit (self, signals[CHOSEN], 0, (int) ls_node_item_get_place (item), TRUE);
}

static void
row_activated (LsGraphPane *self,
               guint        position)
{
  g_autoptr (LsNodeItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), position);

  if (item != NULL && !ls_refill_is_busy (self->items))
    g_signal_emit (self, signals[OPENED], 0, (int) ls_node_item_get_place (item));
}

/* ---- rows of loops ---------------------------------------------------------------------- */

static GListModel *
create_children (gpointer item,
                 gpointer data)
{
  GListModel *children = ls_loop_item_get_children (item);

  return children != NULL ? g_object_ref (children) : NULL;
}

static void
setup_loop (GtkSignalListItemFactory *factory,
            GtkListItem              *list_item,
            LsGraphPane              *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *expander = gtk_tree_expander_new ();
  GtkWidget *extent, *share;

  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), ls_loop_cell_new ());
  gtk_widget_set_hexpand (expander, TRUE);
  gtk_box_append (GTK_BOX (row), expander);
  extent = add_label (row, "figure", FALSE);
  share = add_label (row, "figure", FALSE);
  gtk_label_set_xalign (GTK_LABEL (extent), 1.0f);
  gtk_label_set_xalign (GTK_LABEL (share), 1.0f);
  gtk_label_set_width_chars (GTK_LABEL (extent), 7);
  gtk_label_set_width_chars (GTK_LABEL (share), 7);
  gtk_widget_add_css_class (row, "loop-row");
  gtk_list_item_set_child (list_item, row);
}

static void
bind_loop (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           LsGraphPane              *self)
{
  GtkTreeListRow *tree_row = GTK_TREE_LIST_ROW (gtk_list_item_get_item (list_item));
  g_autoptr (LsLoopItem) item = gtk_tree_list_row_get_item (tree_row);
  const LsLoopRecord *record = ls_loop_item_get (item);
  GtkWidget *expander = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));
  GtkWidget *extent = gtk_widget_get_next_sibling (expander), *share = gtk_widget_get_next_sibling (extent);
  g_autofree char *extent_text = record->extent >= 0 ? ls_format_count (record->extent) : g_strdup (record->extent_text != NULL ? record->extent_text : "");
  g_autofree char *share_text = record->share >= 0.0 ? ls_format_share (record->share) : g_strdup ("");

  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (expander), tree_row);
  ls_loop_cell_set_item (LS_LOOP_CELL (gtk_tree_expander_get_child (GTK_TREE_EXPANDER (expander))), item);
  ls_part_set_figure (GTK_LABEL (extent), extent_text);
  ls_part_set_figure (GTK_LABEL (share), share_text);
}

static void
unbind_loop (GtkSignalListItemFactory *factory,
             GtkListItem              *list_item,
             LsGraphPane              *self)
{
  GtkWidget *expander = gtk_widget_get_first_child (gtk_list_item_get_child (list_item));

  ls_loop_cell_set_item (LS_LOOP_CELL (gtk_tree_expander_get_child (GTK_TREE_EXPANDER (expander))), NULL);
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (expander), NULL);
}

static void
show_loops (LsGraphPane   *self,
            LsGraphDetail *detail)
{
  GtkTreeListModel *tree;
  GtkNoSelection *none;

  gtk_widget_set_visible (self->loops_box, detail->loops != NULL);
  gtk_list_view_set_model (GTK_LIST_VIEW (self->loops), NULL);
  if (detail->loops == NULL)
    return;
  tree = gtk_tree_list_model_new (G_LIST_MODEL (g_object_ref (detail->loops)), FALSE, TRUE, create_children, NULL, NULL);
  none = gtk_no_selection_new (G_LIST_MODEL (tree));
  gtk_list_view_set_model (GTK_LIST_VIEW (self->loops), GTK_SELECTION_MODEL (none));
  g_object_unref (none);
  gtk_label_set_label (GTK_LABEL (self->loops_words), detail->loops_words != NULL ? detail->loops_words : "");
}

/* ---- detail --------------------------------------------------------------------------------- */

static void
add_cell (LsGraphPane *self,
          const char  *text,
          const char  *css_class,
          int          column,
          int          row)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_set_hexpand (label, column == 3);
  if (column == 3)
    ls_tip_set (label, text);
  gtk_grid_attach (GTK_GRID (self->arguments), label, column, row, 1, 1);
}

static void
show_arguments (LsGraphPane   *self,
                LsGraphDetail *detail)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->arguments)) != NULL)
    gtk_grid_remove (GTK_GRID (self->arguments), child);
  for (guint i = 0; i < detail->arguments->len; i++)
    {
      LsGraphArgument *argument = detail->arguments->pdata[i];

      add_cell (self, argument->name, "code", 0, (int) i);
      if (argument->param != NULL)
        {
          add_cell (self, "→", "caption", 1, (int) i);
          add_cell (self, argument->param, "code", 2, (int) i);
        }
      add_cell (self, argument->words, "reason", 3, (int) i);
    }
  gtk_widget_set_visible (self->arguments_scroller, detail->arguments->len > 0);
}

static void
reveal_line (gpointer data)
{
  LsGraphPane *self = data;
  LsGraphDetail *detail = self->model != NULL ? ls_graph_model_get_detail (self->model) : NULL;

  if (self->spoken.text != NULL)        /* which may be what is shown still, of another node */
    {
      ls_script_text_line (self->spoken.text, self->spoken.line)->here = FALSE;
      gtk_widget_queue_draw (self->text);
    }
  g_clear_object (&self->spoken.text);
  if (detail != NULL && detail->text != NULL && detail->line > 0)
    {
      if (detail->line < ls_script_text_n_lines (detail->text))
        {
          self->spoken.text = g_object_ref (detail->text);
          self->spoken.line = detail->line;
        }
      ls_script_pane_mark (LS_SCRIPT_PANE (self->text), detail->line);
      ls_script_pane_reveal (LS_SCRIPT_PANE (self->text), detail->line);
    }
}

static void
ready_detail (gpointer data)
{
  LsGraphPane *self = data;

  gtk_widget_set_visible (gtk_stack_get_child_by_name (GTK_STACK (self->stack), "detail"), TRUE);
}

static void
mapped (LsGraphPane *self)
{
  ls_later (self, G_PRIORITY_LOW, SETTLE_MS, ready_detail);
}

static void
turn_to_detail (LsGraphPane *self)
{
  ready_detail (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "detail");
}

static void
show_detail (LsGraphPane *self)
{
  LsGraphDetail *detail = ls_graph_model_get_detail (self->model);

  if (detail == NULL)
    {
      gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "list");
      return;
    }
  gtk_label_set_label (GTK_LABEL (self->title), detail->title);
  gtk_label_set_label (GTK_LABEL (self->words), detail->words != NULL ? detail->words : "");
  ls_tip_set (self->words, detail->words);
  gtk_widget_set_visible (self->schedule, detail->can_schedule);
  show_arguments (self, detail);
  show_loops (self, detail);
  gtk_widget_set_visible (self->text_box, detail->text != NULL);
  ls_script_pane_set_text (LS_SCRIPT_PANE (self->text), detail->text);
  turn_to_detail (self);
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, reveal_line);
}

static void
go_back (LsGraphPane *self)
{
  g_signal_emit (self, signals[CHOSEN], 0, -1, FALSE);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "list");
  gtk_widget_grab_focus (self->list);
}

static void
schedule (LsGraphPane *self)
{
  ls_graph_model_schedule (self->model);
}

/* ---- parts ------------------------------------------------------------------------------------ */

static GtkWidget *
make_header (const char *title,
             GtkWidget **words)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = add_label (header, "pane-title", FALSE);

  gtk_widget_add_css_class (header, "pane-header");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_NONE);
  gtk_label_set_label (GTK_LABEL (label), title);
  *words = add_label (header, "reason", TRUE);
  return header;
}

static GtkWidget *
make_scroller (GtkWidget *child,
               int        most)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  ls_scroller_steady (scroller);
  gtk_widget_set_focusable (scroller, FALSE);
  if (most > 0)
    {
      gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), most);
      gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
    }
  else
    gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static GtkWidget *
make_list (LsGraphPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  self->items = g_list_store_new (LS_TYPE_NODE_ITEM);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->items)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_node), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_node), self);
  self->list = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  ls_tab_stop_make (self->list);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Nodes of the graph"), -1);
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (row_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (row_activated), self);
  gtk_box_append (GTK_BOX (box), make_header (_("Nodes"), &self->list_words));
  gtk_box_append (GTK_BOX (box), make_scroller (self->list, 0));
  return box;
}

static GtkWidget *
make_detail_header (LsGraphPane *self)
{
  GtkWidget *header = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_widget_add_css_class (header, "pane-header");
  self->back = gtk_button_new_from_icon_name ("go-previous-symbolic");
  gtk_widget_add_css_class (self->back, "flat");
  gtk_widget_set_tooltip_text (self->back, _("All nodes"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->back), GTK_ACCESSIBLE_PROPERTY_LABEL, _("All nodes"), -1);
  g_signal_connect_swapped (self->back, "clicked", G_CALLBACK (go_back), self);
  gtk_box_append (GTK_BOX (header), self->back);
  self->title = add_label (header, "code", FALSE);
  gtk_widget_add_css_class (self->title, "strong");
  self->words = add_label (header, "reason", TRUE);
  self->schedule = gtk_button_new_with_label (_("Schedule it"));
  g_signal_connect_swapped (self->schedule, "clicked", G_CALLBACK (schedule), self);
  gtk_box_append (GTK_BOX (header), self->schedule);
  return header;
}

static GtkWidget *
make_loops (LsGraphPane *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_loop), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_loop), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_loop), self);
  self->loops = gtk_list_view_new (NULL, factory);
  ls_tab_stop_make (self->loops);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->loops), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Loop nest"), -1);
  gtk_widget_add_css_class (self->loops, "loops");
  self->loops_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->loops_box), make_header (_("Loop nest"), &self->loops_words));
  gtk_box_append (GTK_BOX (self->loops_box), make_scroller (self->loops, LOOPS_MOST));
  return self->loops_box;
}

static GtkWidget *
make_detail (LsGraphPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *unused;

  self->arguments = gtk_grid_new ();
  gtk_grid_set_column_spacing (GTK_GRID (self->arguments), 12);
  gtk_grid_set_row_spacing (GTK_GRID (self->arguments), 4);
  gtk_widget_add_css_class (self->arguments, "arguments");
  self->arguments_scroller = make_scroller (self->arguments, ARGUMENTS_MOST);
  self->text = ls_script_pane_new ();
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_LABEL, _("TVMScript"), -1);
  self->text_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->text_box), make_header (_("TVMScript"), &unused));
  gtk_box_append (GTK_BOX (self->text_box), make_scroller (self->text, 0));
  gtk_box_append (GTK_BOX (box), make_detail_header (self));
  gtk_box_append (GTK_BOX (box), self->arguments_scroller);
  self->parts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (self->text_box, TRUE);
  gtk_box_append (GTK_BOX (self->parts), make_loops (self));
  gtk_box_append (GTK_BOX (self->parts), self->text_box);
  gtk_box_append (GTK_BOX (box), self->parts);
  return box;
}

/* ---- class ---------------------------------------------------------------------------------------- */

static void
ls_graph_pane_dispose (GObject *object)
{
  LsGraphPane *self = LS_GRAPH_PANE (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  g_clear_object (&self->items);
  g_clear_object (&self->selection);
  g_clear_object (&self->spoken.text);
  G_OBJECT_CLASS (ls_graph_pane_parent_class)->dispose (object);
}

static void
ls_graph_pane_class_init (LsGraphPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_graph_pane_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "graphpane");
  signals[CHOSEN] = g_signal_new ("chosen", LS_TYPE_GRAPH_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_BOOLEAN);
  signals[OPENED] = g_signal_new ("opened", LS_TYPE_GRAPH_PANE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
ls_graph_pane_init (LsGraphPane *self)
{
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), make_list (self), "list");
  gtk_stack_add_named (GTK_STACK (self->stack), make_detail (self), "detail");
  gtk_widget_set_visible (gtk_stack_get_child_by_name (GTK_STACK (self->stack), "detail"), FALSE);
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  g_signal_connect (self, "map", G_CALLBACK (mapped), NULL);
}

void
ls_graph_pane_set_model (LsGraphPane  *self,
                         LsGraphModel *model)
{
  g_return_if_fail (self->model == NULL);

  self->model = g_object_ref (model);
  g_signal_connect_swapped (model, "changed", G_CALLBACK (fill_list), self);
  g_signal_connect_swapped (model, "changed", G_CALLBACK (show_detail), self);
  g_signal_connect_swapped (model, "state", G_CALLBACK (fill_list), self);
  g_signal_connect_swapped (model, "selection", G_CALLBACK (show_detail), self);
  fill_list (self);
  show_detail (self);
}

void
ls_graph_pane_set_figure (LsGraphPane   *self,
                          LsGraphFigure  figure)
{
  if (self->figure == figure)
    return;
  self->figure = figure;
  fill_list (self);
}

void
ls_graph_pane_set_narrow (LsGraphPane *self,
                          gboolean     narrow)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (self->loops, GTK_TYPE_SCROLLED_WINDOW);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->parts), narrow ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_size_request (self->loops_box, narrow ? ls_theme_grow (380) : -1, -1);
  gtk_widget_set_vexpand (scroller, narrow);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), narrow ? -1 : LOOPS_MOST);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), !narrow);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->arguments_scroller), narrow ? 64 : ARGUMENTS_MOST);
}

void
ls_graph_pane_focus_list (LsGraphPane *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "list");
  gtk_widget_child_focus (self->list, GTK_DIR_TAB_FORWARD);
}

void
ls_graph_pane_focus_detail (LsGraphPane *self)
{
  if (ls_graph_model_get_detail (self->model) == NULL)
    return;
  turn_to_detail (self);
  gtk_widget_grab_focus (self->back);
}

int
ls_graph_pane_find_focus (LsGraphPane *self,
                          GtkWidget   *focus)
{
  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    return -1;
  return focus == self->list || gtk_widget_is_ancestor (focus, self->list) ? 0 : 1;
}
