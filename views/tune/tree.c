/* LsDecisionTree: a GtkListView over a GtkTreeListModel of LsDecisionItem.
 *
 * While a search goes on the decisions are weighed again and again.  Rows that stay keep their place in the model and get other figures; where the order is another one
 * the rows between are put in anew, and what was open or selected among them is so again.  While one of a list is open its order stays: what is read does not move.
 */
#include "views/tune/tree.h"

#include "views/models/format.h"
#include "views/parts/later.h"
#include "views/parts/list-row.h"
#include "views/parts/parts.h"
#include "views/parts/tab-stop.h"
#include "views/parts/tip.h"
#include "views/tune/share-bar.h"

#include <glib/gi18n.h>

#define FOLLOW_MS 500           /* rows that jump at every answer cannot be read */
#define FIGURE_CHARS 7
#define COUNT_CHARS 4

struct _LsDecisionTree
{
  GtkWidget           parent_instance;
  LsTuning           *tuning;
  guint               weighed;          /* of the tuning, as it is shown */
  GListStore         *root;
  GtkTreeListModel   *tree;
  GtkSingleSelection *selection;
  GtkWidget          *box, *verdict, *heads, *scroller, *view;
  gboolean            moving;           /* rows are being put in anew */
};

G_DEFINE_FINAL_TYPE (LsDecisionTree, ls_decision_tree, GTK_TYPE_WIDGET)

/* An item's rows below it, once it was open; and whether it is. */
static GQuark children_quark, open_quark;

/* ---- rows ------------------------------------------------------------------------ */

typedef struct {
  GtkWidget *name, *bar, *share, *best, *median, *count;
} Row;

static void
update_row (GtkWidget *line)
{
  Row *row = g_object_get_data (G_OBJECT (line), "ls-row");
  LsDecisionItem *item = g_object_get_data (G_OBJECT (line), "ls-item");
  const LsDecisionRecord *record = ls_decision_item_get (item);
  gboolean is_decision = record->kind == LS_DECISION_ITEM_DECISION, is_value = record->kind == LS_DECISION_ITEM_VALUE;
  g_autofree char *share = ls_format_share (record->share), *best = ls_format_time (record->best), *median = ls_format_time (record->median);
  g_autofree char *count = g_strdup_printf ("%u", record->n), *whole = ls_decision_item_describe (item);

  gtk_label_set_label (GTK_LABEL (row->name), record->name);
  if (record->kind == LS_DECISION_ITEM_NOTE)
    gtk_widget_add_css_class (row->name, "reason");
  else
    gtk_widget_remove_css_class (row->name, "reason");
  gtk_widget_set_visible (row->bar, is_decision);
  gtk_widget_set_visible (row->share, is_decision);
  gtk_widget_set_visible (row->best, is_value);
  gtk_widget_set_visible (row->median, is_value);
  gtk_widget_set_visible (row->count, is_value);
  ls_share_bar_set (LS_SHARE_BAR (row->bar), record->share);
  ls_part_set_figure (GTK_LABEL (row->share), share);
  ls_part_set_figure (GTK_LABEL (row->best), best);
  ls_part_set_figure (GTK_LABEL (row->median), median);
  ls_part_set_figure (GTK_LABEL (row->count), count);
  ls_tip_set (line, whole);
  gtk_accessible_update_property (GTK_ACCESSIBLE (line), GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
}

static GtkWidget *
add_figure (GtkWidget *line,
            int        chars)
{
  GtkWidget *label = ls_part_label_at (NULL, "figure", 1.0f);

  gtk_label_set_width_chars (GTK_LABEL (label), chars);
  gtk_box_append (GTK_BOX (line), label);
  return label;
}

static void
setup (GtkSignalListItemFactory *factory,
       GtkListItem              *list_item,
       gpointer                  data)
{
  GtkWidget *expander = gtk_tree_expander_new (), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  Row *row = g_new0 (Row, 1);

  row->name = ls_part_label (NULL, NULL);
  gtk_label_set_ellipsize (GTK_LABEL (row->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (row->name, TRUE);
  gtk_box_append (GTK_BOX (line), row->name);
  row->bar = ls_share_bar_new ();
  gtk_box_append (GTK_BOX (line), row->bar);
  row->share = add_figure (line, COUNT_CHARS);
  row->best = add_figure (line, FIGURE_CHARS);
  row->median = add_figure (line, FIGURE_CHARS);
  row->count = add_figure (line, COUNT_CHARS);
  gtk_widget_add_css_class (row->best, "strong");
  gtk_widget_add_css_class (expander, "decision-row");
  g_object_set_data_full (G_OBJECT (line), "ls-row", row, g_free);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (expander), line);
  gtk_list_item_set_child (list_item, expander);
}

/* What the user opened or closed, and not what goes with the rows above it, is remembered. */
static void
row_expanded (LsDecisionTree *self,
              GParamSpec     *pspec,
              GtkTreeListRow *row)
{
  g_autoptr (LsDecisionItem) item = gtk_tree_list_row_get_item (row);

  if (item != NULL && !self->moving)
    g_object_set_qdata (G_OBJECT (item), open_quark, GINT_TO_POINTER (gtk_tree_list_row_get_expanded (row)));
}

static void
bind (GtkSignalListItemFactory *factory,
      GtkListItem              *list_item,
      LsDecisionTree           *self)
{
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));
  GtkTreeListRow *row = gtk_list_item_get_item (list_item);
  GtkWidget *line = gtk_tree_expander_get_child (expander);
  LsDecisionItem *item = gtk_tree_list_row_get_item (row);

  gtk_tree_expander_set_list_row (expander, row);
  g_object_set_data_full (G_OBJECT (line), "ls-item", item, g_object_unref);
  g_signal_connect_swapped (item, "changed", G_CALLBACK (update_row), line);
  g_signal_connect_swapped (row, "notify::expanded", G_CALLBACK (row_expanded), self);
  update_row (line);
}

static void
unbind (GtkSignalListItemFactory *factory,
        GtkListItem              *list_item,
        LsDecisionTree           *self)
{
  GtkTreeExpander *expander = GTK_TREE_EXPANDER (gtk_list_item_get_child (list_item));
  GtkWidget *line = gtk_tree_expander_get_child (expander);

  g_signal_handlers_disconnect_by_func (g_object_get_data (G_OBJECT (line), "ls-item"), update_row, line);
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), row_expanded, self);
  gtk_tree_expander_set_list_row (expander, NULL);
  g_object_set_data (G_OBJECT (line), "ls-item", NULL);
}

/* ---- following the search ------------------------------------------------------------ */

static GListModel *
create_children (gpointer item,
                 gpointer data)
{
  LsDecisionTree *self = data;
  GListStore *children = g_object_get_qdata (G_OBJECT (item), children_quark);

  if (!ls_decision_item_get (item)->deeper || self->tuning == NULL)
    return NULL;
  if (children == NULL)
    {
      g_autoptr (GPtrArray) below = ls_tuning_get_branch (self->tuning, item);

      children = g_list_store_new (LS_TYPE_DECISION_ITEM);
      g_list_store_splice (children, 0, 0, below->pdata, below->len);
      g_object_set_qdata_full (G_OBJECT (item), children_quark, children, g_object_unref);
    }
  return G_LIST_MODEL (g_object_ref (children));
}

/* The items of a store as they should be: those that are there already, with the new figures, and new ones; of several of one name each is another, since no
 * list may have an item twice. (transfer full) */
static GPtrArray *
match (GListStore *store,
       GPtrArray  *fresh)
{
  GPtrArray *wanted = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < fresh->len; i++)
    {
      LsDecisionItem *found = NULL;

      for (guint k = 0; k < g_list_model_get_n_items (G_LIST_MODEL (store)) && found == NULL; k++)
        {
          g_autoptr (LsDecisionItem) old = g_list_model_get_item (G_LIST_MODEL (store), k);

          if (ls_decision_item_is (old, fresh->pdata[i]) && !g_ptr_array_find (wanted, old, NULL))
            found = g_object_ref (old);
        }
      if (found != NULL)
        ls_decision_item_follow (found, fresh->pdata[i]);
      g_ptr_array_add (wanted, found != NULL ? found : g_object_ref (fresh->pdata[i]));
    }
  return wanted;
}

static gboolean
is_at (GListStore *store,
       guint       at,
       gpointer    item)
{
  g_autoptr (GObject) there = g_list_model_get_item (G_LIST_MODEL (store), at);

  return there == item;
}

/* Only what is elsewhere is taken out and put in. */
static void
put_in_order (GListStore *store,
              GPtrArray  *wanted)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (store)), from = 0, end = 0;

  while (from < n && from < wanted->len && is_at (store, from, wanted->pdata[from]))
    from++;
  while (end < n - from && end < wanted->len - from && is_at (store, n - 1 - end, wanted->pdata[wanted->len - 1 - end]))
    end++;
  if (n - from - end > 0 || wanted->len - from - end > 0)
    g_list_store_splice (store, from, n - from - end, wanted->pdata + from, wanted->len - from - end);
}

static gboolean
is_open (gpointer item)
{
  return g_object_get_qdata (item, open_quark) != NULL;
}

/* `wanted` in the order of the store with what is new at its end, where something of the store is open; that stays, too, when it explains nothing any more. */
static void
keep_order (GListStore *store,
            GPtrArray  *wanted)
{
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean any = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (store)); i++)
    {
      g_autoptr (GObject) old = g_list_model_get_item (G_LIST_MODEL (store), i);

      any |= is_open (old);
      if (is_open (old) || g_ptr_array_find (wanted, old, NULL))
        g_ptr_array_add (kept, g_object_ref (old));
    }
  if (!any)
    return;
  for (guint i = 0; i < wanted->len; i++)
    if (!g_ptr_array_find (kept, wanted->pdata[i], NULL))
      g_ptr_array_add (kept, g_object_ref (wanted->pdata[i]));
  g_ptr_array_set_size (wanted, 0);
  g_ptr_array_extend_and_steal (wanted, g_steal_pointer (&kept));
}

static void
refresh (LsDecisionTree *self,
         GListStore     *store,
         LsDecisionItem *above)
{
  g_autoptr (GPtrArray) fresh = ls_tuning_get_branch (self->tuning, above);
  g_autoptr (GPtrArray) wanted = match (store, fresh);

  keep_order (store, wanted);
  put_in_order (store, wanted);
  for (guint i = 0; i < wanted->len; i++)
    {
      GListStore *children = g_object_get_qdata (wanted->pdata[i], children_quark);

      if (children != NULL)
        refresh (self, children, wanted->pdata[i]);
    }
}

/* Rows that were open are again; those below come when their parents are. */
static void
open_again (LsDecisionTree *self)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->tree)); i++)
    {
      g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (self->tree, i);
      g_autoptr (GObject) item = gtk_tree_list_row_get_item (row);

      gtk_tree_list_row_set_expanded (row, is_open (item));
    }
}

static void
select_again (LsDecisionTree *self,
              gpointer        wanted)
{
  guint at = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; wanted != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (self->tree)) && at == GTK_INVALID_LIST_POSITION; i++)
    {
      g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (self->tree, i);
      g_autoptr (GObject) item = gtk_tree_list_row_get_item (row);

      if (item == wanted)
        at = i;
    }
  gtk_single_selection_set_selected (self->selection, at);
}

/* The row that has the keyboard, or NULL. */
static GtkWidget *
focused_row (LsDecisionTree *self)
{
  GtkRoot *root = gtk_widget_get_root (self->view);

  return ls_list_row_of (root != NULL ? gtk_root_get_focus (root) : NULL, self->view);
}

static gpointer
item_of (GtkWidget *row)
{
  GtkWidget *expander = gtk_widget_get_first_child (row);
  GtkWidget *line = expander != NULL && GTK_IS_TREE_EXPANDER (expander) ? gtk_tree_expander_get_child (GTK_TREE_EXPANDER (expander)) : NULL;

  return line != NULL ? g_object_get_data (G_OBJECT (line), "ls-item") : NULL;
}

/* The list gives the keyboard to any row when that which had it is put elsewhere. */
static void
focus_again (LsDecisionTree *self,
             gpointer        wanted)
{
  for (GtkWidget *row = gtk_widget_get_first_child (self->view); row != NULL; row = gtk_widget_get_next_sibling (row))
    if (item_of (row) == wanted)
      {
        gtk_widget_grab_focus (row);
        return;
      }
}

static void
focus_row (LsDecisionTree *self,
           guint           at)
{
  g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (self->tree, at);
  g_autoptr (GObject) item = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;

  if (item != NULL)
    focus_again (self, item);
}

/* What explains most, which is not the first while one is open. (transfer full) NULL: nothing does. */
static LsDecisionItem *
largest (GListModel *list)
{
  LsDecisionItem *found = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (LsDecisionItem) item = g_list_model_get_item (list, i);

      if (found == NULL || ls_decision_item_get (item)->share > ls_decision_item_get (found)->share)
        g_set_object (&found, item);
    }
  return found;
}

static void
show_verdict (LsDecisionTree *self)
{
  g_autoptr (LsDecisionItem) first = largest (G_LIST_MODEL (self->root));
  g_autofree char *share = first != NULL ? ls_format_share (ls_decision_item_get (first)->share) : NULL;
  g_autofree char *verdict = first != NULL ? g_strdup_printf (_("%s explains %s of the spread."), ls_decision_item_get (first)->name, share) : NULL;

  gtk_label_set_label (GTK_LABEL (self->verdict), verdict != NULL ? verdict : _("This is shown once sixteen candidates have a time."));
  gtk_widget_set_visible (self->heads, first != NULL);
}

static void
show (gpointer data)
{
  LsDecisionTree *self = data;
  GtkTreeListRow *row = gtk_single_selection_get_selected_item (self->selection);
  g_autoptr (GObject) selected = row != NULL ? gtk_tree_list_row_get_item (row) : NULL, focused = NULL;
  GtkWidget *at = focused_row (self);

  if (at != NULL)
    g_set_object (&focused, item_of (at));
  self->weighed = ls_tuning_get_weighed (self->tuning);
  self->moving = TRUE;
  refresh (self, self->root, NULL);
  open_again (self);
  select_again (self, selected);
  if (focused != NULL)
    focus_again (self, focused);
  self->moving = FALSE;
  show_verdict (self);
}

static void
follow (LsDecisionTree *self)
{
  if (self->weighed != ls_tuning_get_weighed (self->tuning))
    ls_later (self, G_PRIORITY_DEFAULT_IDLE, FOLLOW_MS, show);
}

/* ---- keys and clicks ------------------------------------------------------------------ */

static void
activated (LsDecisionTree *self,
           guint           position)
{
  g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_row (self->tree, position);
  g_autoptr (LsDecisionItem) item = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;
  const LsDecisionRecord *record = item != NULL ? ls_decision_item_get (item) : NULL;
  g_autoptr (LsTrialItem) fastest = NULL;

  if (record == NULL)
    return;
  if (record->kind == LS_DECISION_ITEM_DECISION)
    gtk_tree_list_row_set_expanded (row, !gtk_tree_list_row_get_expanded (row));
  if (record->best_number > 0 && (fastest = g_list_model_get_item (ls_tuning_get_items (self->tuning), record->best_number - 1)) != NULL)
    ls_tuning_select (self->tuning, fastest);
}

/* Right opens a row, then goes to its first one; left closes it, then goes to the one above. */
static gboolean
go_aside (LsDecisionTree *self,
          gboolean        in)
{
  guint at = gtk_single_selection_get_selected (self->selection);
  g_autoptr (GtkTreeListRow) row = at != GTK_INVALID_LIST_POSITION ? gtk_tree_list_model_get_row (self->tree, at) : NULL;
  g_autoptr (GtkTreeListRow) above = row != NULL ? gtk_tree_list_row_get_parent (row) : NULL;
  guint to = GTK_INVALID_LIST_POSITION;

  if (row == NULL)
    return GDK_EVENT_PROPAGATE;
  if (in && gtk_tree_list_row_get_expanded (row))
    to = at + 1;
  else if (in || gtk_tree_list_row_get_expanded (row))
    gtk_tree_list_row_set_expanded (row, in);
  else if (above != NULL)
    to = gtk_tree_list_row_get_position (above);
  if (to < g_list_model_get_n_items (G_LIST_MODEL (self->tree)))
    {
      gtk_widget_activate_action (self->view, "list.select-item", "(ubb)", to, FALSE, FALSE);
      gtk_widget_activate_action (self->view, "list.scroll-to-item", "u", to);
      focus_row (self, to);
    }
  return GDK_EVENT_STOP;
}

static gboolean
key_pressed (GtkEventControllerKey *controller,
             guint                  keyval,
             guint                  keycode,
             GdkModifierType        state,
             LsDecisionTree        *self)
{
  gboolean mirrored = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;

  if ((state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  if (keyval == GDK_KEY_Right || keyval == GDK_KEY_KP_Right)
    return go_aside (self, !mirrored);
  if (keyval == GDK_KEY_Left || keyval == GDK_KEY_KP_Left)
    return go_aside (self, mirrored);
  return GDK_EVENT_PROPAGATE;
}

void
ls_decision_tree_set_tuning (LsDecisionTree *self,
                             LsTuning       *tuning)
{
  g_return_if_fail (self->tuning == NULL);

  self->tuning = g_object_ref (tuning);
  g_signal_connect_swapped (tuning, "changed", G_CALLBACK (follow), self);
  show (self);
}

/* ---- class ------------------------------------------------------------------------------ */

static void
ls_decision_tree_dispose (GObject *object)
{
  LsDecisionTree *self = LS_DECISION_TREE (object);

  if (self->tuning != NULL)
    g_signal_handlers_disconnect_by_data (self->tuning, self);
  if (self->view != NULL)
    g_signal_handlers_disconnect_by_data (self->view, self);
  self->view = NULL;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->tree);
  g_clear_object (&self->root);
  g_clear_object (&self->tuning);
  G_OBJECT_CLASS (ls_decision_tree_parent_class)->dispose (object);
}

static void
ls_decision_tree_class_init (LsDecisionTreeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_decision_tree_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "decisiontree");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
  children_quark = g_quark_from_static_string ("ls-decision-children");
  open_quark = g_quark_from_static_string ("ls-decision-open");
}

static GtkWidget *
head_new (GtkWidget  *row,
          const char *words,
          int         chars)
{
  GtkWidget *label = ls_part_label_at (words, "caption", 1.0f);

  gtk_label_set_width_chars (GTK_LABEL (label), chars);
  gtk_box_append (GTK_BOX (row), label);
  return label;
}

static GtkWidget *
heads_new (void)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *first = ls_part_label (_("decision, its values"), "caption");

  gtk_label_set_ellipsize (GTK_LABEL (first), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (first, TRUE);
  gtk_box_append (GTK_BOX (row), first);
  head_new (row, _("best"), FIGURE_CHARS);
  head_new (row, _("median"), FIGURE_CHARS);
  ls_tip_set (head_new (row, _("tried"), COUNT_CHARS), _("Candidates with this value that have a time"));
  gtk_widget_add_css_class (row, "decision-heads");
  return row;
}

static GtkWidget *
list_new (LsDecisionTree *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->root = g_list_store_new (LS_TYPE_DECISION_ITEM);
  self->tree = gtk_tree_list_model_new (G_LIST_MODEL (g_object_ref (self->root)), FALSE, FALSE, create_children, self, NULL);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->tree)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  g_signal_connect (factory, "setup", G_CALLBACK (setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind), self);
  self->view = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  ls_tab_stop_make (self->view);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Which decisions matter"), -1);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (activated), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->view, keys);
  return self->view;
}

static void
ls_decision_tree_init (LsDecisionTree *self)
{
  self->weighed = G_MAXUINT;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  self->verdict = ls_part_label (NULL, "decision-verdict");
  gtk_label_set_wrap (GTK_LABEL (self->verdict), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->verdict), PANGO_WRAP_WORD_CHAR);
  ls_tip_set (self->verdict, _("Share of the variance of log time between the values of a decision (epsilon squared). What was drawn together explains together."));
  self->heads = heads_new ();
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), list_new (self));
  gtk_widget_set_vexpand (self->scroller, TRUE);
  gtk_box_append (GTK_BOX (self->box), self->verdict);
  gtk_box_append (GTK_BOX (self->box), self->heads);
  gtk_box_append (GTK_BOX (self->box), self->scroller);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Which decisions matter"), -1);
}

GtkWidget *
ls_decision_tree_new (void)
{
  return g_object_new (LS_TYPE_DECISION_TREE, NULL);
}
