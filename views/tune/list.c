/* LsTrialList: a GtkListView over the items, sorted. */
#include "views/tune/list.h"

#include "views/models/format.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/tab-stop.h"
#include "views/parts/tip.h"
#include "views/tune/chart.h"

#include <glib/gi18n.h>

#define SORT_MS 250             /* rows that jump at every answer cannot be read */

struct _LsTrialList
{
  GtkWidget           parent_instance;
  LsTuning           *tuning;
  GtkSorter          *sorter;
  GtkSortListModel   *sorted;
  GtkSingleSelection *selection;
  GtkWidget          *scroller;
  GtkWidget          *view;
  gboolean            syncing;
};

G_DEFINE_FINAL_TYPE (LsTrialList, ls_trial_list, GTK_TYPE_WIDGET)

/* ---- rows ------------------------------------------------------------------------ */

typedef struct {
  GtkWidget *mark, *letter, *number, *time, *words;
} Row;

static void
update_row (GtkWidget *line)
{
  Row *row = g_object_get_data (G_OBJECT (line), "ls-row");
  LsTrialItem *item = g_object_get_data (G_OBJECT (line), "ls-item");
  const LsTrialRecord *record = ls_trial_item_get (item);
  g_autofree char *letter = ls_trial_family_letter (record->family), *number = g_strdup_printf ("%u", record->number);
  g_autofree char *time = record->seconds > 0.0 ? ls_format_time (record->seconds) : g_strdup ("–");
  g_autofree char *factor = record->speedup > 0.0 ? ls_format_factor (record->speedup) : NULL;
  g_autofree char *whole = ls_trial_item_describe (item);
  const char *words = record->state == LS_TRIAL_ITEM_FAILED ? record->problem : record->state == LS_TRIAL_ITEM_RUNNING ? _("being measured")
                        : record->state == LS_TRIAL_ITEM_WAITING ? _("waits") : record->given_up ? _("given up") : factor;

  ls_trial_mark_set (row->mark, record->family, record->state == LS_TRIAL_ITEM_FAILED);
  gtk_label_set_label (GTK_LABEL (row->letter), letter);
  ls_part_set_figure (GTK_LABEL (row->number), number);
  ls_part_set_figure (GTK_LABEL (row->time), time);
  if (words == factor && factor != NULL)
    ls_part_set_figure (GTK_LABEL (row->words), factor);
  else
    gtk_label_set_label (GTK_LABEL (row->words), words != NULL ? words : "");
  ls_tip_set (line, whole);
  gtk_accessible_update_property (GTK_ACCESSIBLE (line), GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
}

static GtkWidget *
add_label (GtkWidget  *line,
           const char *css_class,
           float       xalign,
           int         chars)
{
  GtkWidget *label = ls_part_label_at (NULL, css_class, xalign);

  if (chars > 0)
    gtk_label_set_width_chars (GTK_LABEL (label), chars);
  gtk_box_append (GTK_BOX (line), label);
  return label;
}

static void
setup (GtkSignalListItemFactory *factory,
       GtkListItem              *list_item,
       gpointer                  data)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  Row *row = g_new0 (Row, 1);

  row->mark = ls_trial_mark_new ();
  gtk_box_append (GTK_BOX (line), row->mark);
  row->letter = add_label (line, "caption", 0.5f, 2);
  row->number = add_label (line, "figure", 1.0f, 4);
  row->time = add_label (line, "figure", 1.0f, 8);
  row->words = add_label (line, "reason", 0.0f, 0);
  gtk_widget_add_css_class (row->time, "strong");
  gtk_label_set_ellipsize (GTK_LABEL (row->words), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (row->words, TRUE);
  gtk_widget_add_css_class (line, "trial-row");
  g_object_set_data_full (G_OBJECT (line), "ls-row", row, g_free);
  gtk_list_item_set_child (list_item, line);
}

static void
bind (GtkSignalListItemFactory *factory,
      GtkListItem              *list_item,
      gpointer                  data)
{
  GtkWidget *line = gtk_list_item_get_child (list_item);
  LsTrialItem *item = gtk_list_item_get_item (list_item);

  g_object_set_data_full (G_OBJECT (line), "ls-item", g_object_ref (item), g_object_unref);
  g_signal_connect_swapped (item, "changed", G_CALLBACK (update_row), line);
  update_row (line);
}

static void
unbind (GtkSignalListItemFactory *factory,
        GtkListItem              *list_item,
        gpointer                  data)
{
  GtkWidget *line = gtk_list_item_get_child (list_item);

  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (list_item), update_row, line);
  g_object_set_data (G_OBJECT (line), "ls-item", NULL);
}

/* ---- following ------------------------------------------------------------------------ */

static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer      data)
{
  return ls_trial_item_compare ((LsTrialItem *) a, (LsTrialItem *) b);
}

static void
sort_again (gpointer data)
{
  LsTrialList *self = data;

  gtk_sorter_changed (self->sorter, GTK_SORTER_CHANGE_DIFFERENT);
  /* The list keeps the row in view that it had, wherever it goes; while nobody looks at one, that is to be the fastest. */
  if (ls_tuning_get_selected (self->tuning) == NULL && g_list_model_get_n_items (G_LIST_MODEL (self->sorted)) > 0)
    gtk_widget_activate_action (self->view, "list.scroll-to-item", "u", 0);
}

static void
queue_sort (LsTrialList *self)
{
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, SORT_MS, sort_again);
}

static void
chosen (LsTrialList *self)
{
  if (!self->syncing)
    ls_tuning_select (self->tuning, gtk_single_selection_get_selected_item (self->selection));
}

static void
selected (LsTrialList *self)
{
  LsTrialItem *wanted = ls_tuning_get_selected (self->tuning);
  guint at = GTK_INVALID_LIST_POSITION;

  if (wanted == gtk_single_selection_get_selected_item (self->selection))
    return;
  for (guint i = 0; wanted != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (self->sorted)); i++)
    {
      g_autoptr (LsTrialItem) item = g_list_model_get_item (G_LIST_MODEL (self->sorted), i);

      if (item == wanted)
        at = i;
    }
  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, at);
  self->syncing = FALSE;
}

static void
activated (LsTrialList *self,
           guint        position)
{
  g_autoptr (LsTrialItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (item != NULL)
    ls_tuning_open (self->tuning, item);
}

void
ls_trial_list_set_tuning (LsTrialList *self,
                          LsTuning    *tuning)
{
  g_return_if_fail (self->tuning == NULL);

  self->tuning = g_object_ref (tuning);
  gtk_sort_list_model_set_model (self->sorted, ls_tuning_get_items (tuning));
  g_signal_connect_swapped (tuning, "changed", G_CALLBACK (queue_sort), self);
  g_signal_connect_swapped (tuning, "selected", G_CALLBACK (selected), self);
}

/* ---- class ------------------------------------------------------------------------------ */

static void
ls_trial_list_dispose (GObject *object)
{
  LsTrialList *self = LS_TRIAL_LIST (object);

  if (self->tuning != NULL)
    g_signal_handlers_disconnect_by_data (self->tuning, self);
  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->sorted);
  g_clear_object (&self->sorter);
  g_clear_object (&self->tuning);
  G_OBJECT_CLASS (ls_trial_list_parent_class)->dispose (object);
}

/* The list keeps a row that the keyboard comes to, and that row goes wherever it is sorted to: while none is looked at it is the fastest that is come to. */
static gboolean
ls_trial_list_focus (GtkWidget        *widget,
                     GtkDirectionType  direction)
{
  LsTrialList *self = LS_TRIAL_LIST (widget);
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkWidget *now = root != NULL ? gtk_root_get_focus (root) : NULL, *first;

  if ((direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD) || (now != NULL && gtk_widget_is_ancestor (now, widget)) || !gtk_widget_get_can_focus (self->view) ||
      self->tuning == NULL || ls_tuning_get_selected (self->tuning) != NULL || g_list_model_get_n_items (G_LIST_MODEL (self->sorted)) == 0)
    return GTK_WIDGET_CLASS (ls_trial_list_parent_class)->focus (widget, direction);
  gtk_widget_activate_action (self->view, "list.scroll-to-item", "u", 0);
  first = gtk_widget_get_first_child (self->view);
  return (first != NULL && gtk_widget_grab_focus (first)) || GTK_WIDGET_CLASS (ls_trial_list_parent_class)->focus (widget, direction);
}

static void
ls_trial_list_class_init (LsTrialListClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = ls_trial_list_focus;
  G_OBJECT_CLASS (klass)->dispose = ls_trial_list_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "triallist");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
ls_trial_list_init (LsTrialList *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  self->sorter = GTK_SORTER (gtk_custom_sorter_new (compare, NULL, NULL));
  self->sorted = gtk_sort_list_model_new (NULL, g_object_ref (self->sorter));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->sorted)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  g_signal_connect (factory, "setup", G_CALLBACK (setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind), NULL);
  self->view = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (self->view), TRUE);
  ls_tab_stop_make (self->view);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Candidates, fastest first"), -1);
  g_signal_connect_swapped (self->selection, "notify::selected-item", G_CALLBACK (chosen), self);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (activated), self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->view);
  gtk_widget_set_vexpand (self->scroller, TRUE);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

GtkWidget *
ls_trial_list_new (void)
{
  return g_object_new (LS_TYPE_TRIAL_LIST, NULL);
}
