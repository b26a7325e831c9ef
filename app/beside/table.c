/* beside/table: a row for each match and for each call that only one side has; what changed most comes first, and each head sorts. */
#include "app/beside/private.h"

#include "views/models/format.h"
#include "views/parts/column-header.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/refill.h"
#include "views/parts/theme.h"
#include "views/parts/tip.h"

#include <glib/gi18n.h>
#include <math.h>

#define TURN_US 4000            /* of making rows in one turn of the main loop */
#define ARROW 44                /* of sorting, and what stands around a title */

enum { COLUMN_LEFT, COLUMN_RIGHT, COLUMN_HOW, COLUMN_LEFT_TIME, COLUMN_RIGHT_TIME, COLUMN_CHANGE, COLUMN_DIFFERENCE, N_COLUMNS };

#define LS_TYPE_BESIDE_ITEM (ls_beside_item_get_type ())
G_DECLARE_FINAL_TYPE (LsBesideItem, ls_beside_item, LS, BESIDE_ITEM, GObject)

struct _LsBesideItem
{
  GObject parent_instance;

  gint    left, right;          /* last nodes, -1: none */
  char   *texts[N_COLUMNS];
  double  values[N_COLUMNS];    /* that it is sorted by */
};

G_DEFINE_FINAL_TYPE (LsBesideItem, ls_beside_item, G_TYPE_OBJECT)

static void
ls_beside_item_finalize (GObject *object)
{
  for (guint i = 0; i < N_COLUMNS; i++)
    g_free (LS_BESIDE_ITEM (object)->texts[i]);
  G_OBJECT_CLASS (ls_beside_item_parent_class)->finalize (object);
}

static void
ls_beside_item_class_init (LsBesideItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_beside_item_finalize;
}

static void
ls_beside_item_init (LsBesideItem *self)
{
}

/* ---- texts ---------------------------------------------------------------------------------- */

static char *
nodes_text (LsGraph *graph,
            GArray  *nodes,
            gint     alone)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < (nodes != NULL ? nodes->len : alone >= 0 ? 1u : 0u); i++)
    {
      const LsGraphNode *node = ls_graph_node (graph, nodes != NULL ? g_array_index (nodes, guint, i) : (guint) alone);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", node->title);
      if (node->name != NULL && g_strcmp0 (node->name, node->title) != 0)
        g_string_append_printf (text, " (%s)", node->name);
    }
  return g_string_free (text, FALSE);
}

static char *
how_text (const LsGraphBeside *row)
{
  const LsGraphMatch *match = row->match;
  g_autofree char *score = NULL;

  if (match == NULL)
    return g_strdup (row->left >= 0 ? _("only left") : _("only right"));
  score = match->is_known ? g_strdup (_("known")) : ls_format_share (ls_graph_score_told (match->score));
  switch (match->kind)
    {
    case LS_GRAPH_MATCH_SAME:
      return match->is_known ? g_strdup (_("the same, known")) : g_strdup (_("the same"));
    case LS_GRAPH_MATCH_CHANGED:
      return g_strdup_printf ("%s · %s", score, match->words != NULL ? match->words : _("changed"));
    case LS_GRAPH_MATCH_FUSED:
      return g_strdup_printf (_("%u for %u, %s"), match->right->len, match->left->len, score);
    }
  return NULL;
}

static char *
time_text (double ns,
           double spread)
{
  if (ns < 0.0)
    return g_strdup ("");
  return spread > 0.0 ? ls_format_time_spread (ns * 1e-9, spread * 1e-9) : ls_format_time (ns * 1e-9);
}

static char *
change_text (const LsGraphBeside *row)
{
  g_autofree char *time = isnan (row->change_ns) ? NULL : ls_format_time (fabs (row->change_ns) * 1e-9);

  if (time == NULL)
    return g_strdup ("");
  return g_strconcat (row->change_ns < 0.0 ? "\u2212" : "+", time, NULL);
}

static char *
difference_text (const LsGraphBeside *row)
{
  if (row->trouble != NULL)
    return g_strdup (row->trouble);
  if (row->error < 0.0)
    return g_strdup ("");
  if (row->error == 0.0)
    return g_strdup (_("equal"));
  return row->place != NULL ? g_strdup_printf (_("%.3g at %s"), row->error, row->place) : g_strdup_printf ("%.3g", row->error);
}

static LsBesideItem *
item_new (LsBeside            *self,
          const LsGraphBeside *row)
{
  LsBesideItem *item = g_object_new (LS_TYPE_BESIDE_ITEM, NULL);

  item->left = row->left;
  item->right = row->right;
  item->texts[COLUMN_LEFT] = nodes_text (self->sides[0].graph, row->match != NULL ? row->match->left : NULL, row->left);
  item->texts[COLUMN_RIGHT] = nodes_text (self->sides[1].graph, row->match != NULL ? row->match->right : NULL, row->right);
  item->texts[COLUMN_HOW] = how_text (row);
  item->texts[COLUMN_LEFT_TIME] = time_text (row->left_ns, row->left_spread_ns);
  item->texts[COLUMN_RIGHT_TIME] = time_text (row->right_ns, row->right_spread_ns);
  item->texts[COLUMN_CHANGE] = change_text (row);
  item->texts[COLUMN_DIFFERENCE] = difference_text (row);
  item->values[COLUMN_LEFT] = row->left >= 0 ? row->left : G_MAXINT;
  item->values[COLUMN_RIGHT] = row->right >= 0 ? row->right : G_MAXINT;
  item->values[COLUMN_HOW] = row->match == NULL ? -1.0 : row->match->score + row->match->is_known;
  item->values[COLUMN_LEFT_TIME] = row->left_ns;
  item->values[COLUMN_RIGHT_TIME] = row->right_ns;
  item->values[COLUMN_CHANGE] = isnan (row->change_ns) ? -1.0 : fabs (row->change_ns);
  item->values[COLUMN_DIFFERENCE] = row->error;
  return item;
}

/* ---- the widget ---------------------------------------------------------------------------------- */

static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer      column)
{
  double x = ((const LsBesideItem *) a)->values[GPOINTER_TO_UINT (column)], y = ((const LsBesideItem *) b)->values[GPOINTER_TO_UINT (column)];

  return x < y ? GTK_ORDERING_SMALLER : x > y ? GTK_ORDERING_LARGER : GTK_ORDERING_EQUAL;
}

static void
setup (GtkSignalListItemFactory *factory,
       GtkListItem              *list_item,
       gpointer                  column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), GPOINTER_TO_UINT (column) >= COLUMN_LEFT_TIME && GPOINTER_TO_UINT (column) <= COLUMN_CHANGE ? 1.0f : 0.0f);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (GPOINTER_TO_UINT (column) >= COLUMN_LEFT_TIME)
    gtk_widget_add_css_class (label, "figure");
  gtk_list_item_set_child (list_item, label);
}

static void
bind (GtkSignalListItemFactory *factory,
      GtkListItem              *list_item,
      gpointer                  column)
{
  LsBesideItem *item = gtk_list_item_get_item (list_item);
  GtkWidget *label = gtk_list_item_get_child (list_item);

  gtk_label_set_label (GTK_LABEL (label), item->texts[GPOINTER_TO_UINT (column)]);
  ls_tip_set (label, item->texts[GPOINTER_TO_UINT (column)]);
}

static GtkSingleSelection *
selection_of (LsBeside *self)
{
  return GTK_SINGLE_SELECTION (gtk_column_view_get_model (GTK_COLUMN_VIEW (self->table)));
}

static void
row_selected (LsBeside *self)
{
  LsBesideItem *item = gtk_single_selection_get_selected_item (selection_of (self));

  if (item == NULL || self->choosing > 0 || self->rows == NULL || self->made != NULL || ls_refill_is_busy (self->items))
    return;
  self->select (self, item->left >= 0 ? 0 : 1, item->left >= 0 ? item->left : item->right);
}

/* The row of what was wished to be selected. */
static void
select_wanted (gpointer table)
{
  LsBeside *self = g_object_get_data (table, "ls-beside");
  GListModel *items = G_LIST_MODEL (selection_of (self));
  guint found = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; i < g_list_model_get_n_items (items) && found == GTK_INVALID_LIST_POSITION; i++)
    {
      g_autoptr (LsBesideItem) item = g_list_model_get_item (items, i);

      if ((self->wanted[0] >= 0 && item->left == self->wanted[0]) || (self->wanted[1] >= 0 && item->right == self->wanted[1]))
        found = i;
    }
  self->choosing++;
  gtk_single_selection_set_selected (selection_of (self), found);
  if (found != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (self->table, "list.scroll-to-item", "u", found);
  self->choosing--;
}

/* Some of the rows, as what is said of ten thousand matches takes a tenth of a second; when all are made they are shown. */
static void
make_rows (gpointer table)
{
  LsBeside *self = g_object_get_data (table, "ls-beside");
  gint64 end = g_get_monotonic_time () + TURN_US;
  guint n = self->rows != NULL && gtk_widget_get_mapped (self->table) ? self->rows->len : 0;

  while (self->made->len < n && g_get_monotonic_time () < end)
    g_ptr_array_add (self->made, item_new (self, &g_array_index (self->rows, LsGraphBeside, self->made->len)));
  if (self->made->len < n)
    {
      ls_later (table, GDK_PRIORITY_REDRAW + 10, 0, make_rows);
      return;
    }
  self->choosing++;
  gtk_single_selection_set_selected (selection_of (self), GTK_INVALID_LIST_POSITION);
  self->choosing--;
  ls_refill (self->items, self->table, g_steal_pointer (&self->made), select_wanted, self->table);
}

void
ls_beside_table_stop (LsBeside *self)
{
  if (self->made == NULL)
    return;
  ls_later_cancel (self->table, make_rows);
  g_clear_pointer (&self->made, g_ptr_array_unref);
}

/* While it is not looked at there is nothing in it: the rows that GTK makes for it, in sight or not, are not for nothing. */
static void
fill_table (LsBeside *self)
{
  ls_beside_table_stop (self);
  self->made = g_ptr_array_new_with_free_func (g_object_unref);
  make_rows (self->table);
}

/* Its titles are known to be as wide as they are when the style is. */
static void
fit_titles (GtkWidget *table)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (table));

  for (guint i = 0; i < g_list_model_get_n_items (columns); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      ls_column_fit_title (table, column, ls_theme_grow (ARROW));
    }
}

GtkWidget *
ls_beside_table_new (LsBeside *self)
{
  const char *const titles[N_COLUMNS] = { _("Left"), _("Right"), _("Match"), _("Left time"), _("Right time"), _("Change"), _("Largest difference") };
  static const int widths[N_COLUMNS] = { 240, 210, 150, 140, 140, 105, 170 };
  /* Left is left, also where one reads from right to left. */
  static const guint orders[2][N_COLUMNS] = {
    { COLUMN_LEFT, COLUMN_RIGHT, COLUMN_HOW, COLUMN_LEFT_TIME, COLUMN_RIGHT_TIME, COLUMN_CHANGE, COLUMN_DIFFERENCE },
    { COLUMN_RIGHT, COLUMN_LEFT, COLUMN_HOW, COLUMN_RIGHT_TIME, COLUMN_LEFT_TIME, COLUMN_CHANGE, COLUMN_DIFFERENCE },
  };
  const guint *order = orders[gtk_widget_get_default_direction () == GTK_TEXT_DIR_RTL];
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkSingleSelection *selection;
  GtkSortListModel *sorted;

  self->items = g_list_store_new (LS_TYPE_BESIDE_ITEM);
  self->table = g_object_ref_sink (gtk_column_view_new (NULL));         /* goes with `self`, which goes after the window */
  g_object_set_data (G_OBJECT (self->table), "ls-beside", self);
  g_signal_connect_swapped (self->table, "map", G_CALLBACK (fill_table), self);
  g_signal_connect (self->table, "map", G_CALLBACK (fit_titles), NULL);
  gtk_widget_add_css_class (self->table, "beside-table");
  for (guint at = 0; at < N_COLUMNS; at++)
    {
      guint i = order[at];
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      GtkColumnViewColumn *column;

      g_signal_connect (factory, "setup", G_CALLBACK (setup), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (titles[i], factory);
      gtk_column_view_column_set_fixed_width (column, ls_theme_grow (widths[i]));
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_column_set_expand (column, i == COLUMN_DIFFERENCE);
      gtk_column_view_column_set_sorter (column, GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (i), NULL)));
      gtk_column_view_append_column (GTK_COLUMN_VIEW (self->table), column);
      g_object_unref (column);
    }
  sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->items)), g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->table))));
  selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->table), GTK_SELECTION_MODEL (selection));
  g_signal_connect_swapped (selection, "notify::selected", G_CALLBACK (row_selected), self);
  g_object_unref (selection);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Calls of both models"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->table);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

void
ls_beside_table_show (LsBeside *self)
{
  self->wanted[0] = self->wanted[1] = -1;
  if (self->rows != NULL || !gtk_widget_get_mapped (self->table))       /* what is shown stays until there is other */
    fill_table (self);
}

void
ls_beside_table_clear (LsBeside *self)
{
  self->wanted[0] = self->wanted[1] = -1;
  fill_table (self);
}

void
ls_beside_table_select (LsBeside *self,
                        gint      left,
                        gint      right)
{
  self->wanted[0] = left;
  self->wanted[1] = right;
  if (self->made == NULL && !ls_refill_is_busy (self->items))
    select_wanted (self->table);
}
