/* LsLoweringList: a row for each pass of the pipeline; another program fills the same rows, so that place and keyboard stay. */
#include "app/lowering/list.h"

#include "views/models/format.h"
#include "views/parts/parts.h"
#include "views/parts/tip.h"
#include "views/parts/theme.h"
#include "views/parts/tab-stop.h"

#include <glib/gi18n.h>

struct _LsLoweringList
{
  GtkBox      parent_instance;

  LsLowering *lowering;         /* NULL: none */
  GtkWidget  *list;
  GtkWidget  *only;             /* switch */
  GtkWidget  *count;
  gboolean    filling;
};

G_DEFINE_FINAL_TYPE (LsLoweringList, ls_lowering_list, GTK_TYPE_BOX)

static guint chosen_signal;

static gboolean
has_effect (LsLoweringList *self,
            guint           i)
{
  LsLoweringState state = ls_lowering_get_pass (self->lowering, i)->state;

  return state == LS_LOWERING_CHANGES || state == LS_LOWERING_FAILS;
}

static gboolean
hides (LsLoweringList *self)
{
  return gtk_switch_get_active (GTK_SWITCH (self->only));
}

static gboolean
shows (LsLoweringList *self,
       guint           i)
{
  return !hides (self) || ls_lowering_get_pass (self->lowering, i)->state != LS_LOWERING_NOTHING;
}

/* ---- rows ------------------------------------------------------------------------ */

static GtkWidget *
row_new (void)
{
  GtkWidget *row = gtk_list_box_row_new (), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *both = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1), *below = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *number = ls_part_label_at (NULL, "figure", 1.0f), *name = ls_part_label (NULL, NULL);
  GtkWidget *words = ls_part_label (NULL, "reason"), *time = ls_part_label_at (NULL, "reason", 1.0f);

  gtk_label_set_width_chars (GTK_LABEL (number), 2);
  gtk_widget_set_valign (number, GTK_ALIGN_START);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_wrap (GTK_LABEL (words), TRUE);
  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_hexpand (both, TRUE);
  gtk_widget_add_css_class (time, "figure");
  gtk_widget_add_css_class (line, "lowering-row");
  gtk_box_append (GTK_BOX (below), words);
  gtk_box_append (GTK_BOX (below), time);
  gtk_box_append (GTK_BOX (both), name);
  gtk_box_append (GTK_BOX (both), below);
  gtk_box_append (GTK_BOX (line), number);
  gtk_box_append (GTK_BOX (line), both);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), line);
  return row;
}

static void
set_class (GtkWidget  *widget,
           const char *name,
           gboolean    has)
{
  if (has)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

/* One column, one unit: that of the longest. */
static LsTimeUnit
unit_of (LsLowering *lowering)
{
  double longest = 0.0;

  for (guint i = 0; i < ls_lowering_n_passes (lowering); i++)
    longest = MAX (longest, ls_lowering_get_pass (lowering, i)->seconds);
  return ls_format_time_unit (longest);
}

static void
fill_row (LsLoweringList *self,
          guint           i,
          LsTimeUnit      unit)
{
  const LsLoweringPass *pass = ls_lowering_get_pass (self->lowering, i);
  GtkWidget *row = GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i));
  GtkWidget *number = gtk_widget_get_first_child (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (row)));
  GtkWidget *name = gtk_widget_get_first_child (gtk_widget_get_next_sibling (number));
  GtkWidget *words = gtk_widget_get_first_child (gtk_widget_get_next_sibling (name));
  gboolean idle = pass->state == LS_LOWERING_NOTHING || pass->state == LS_LOWERING_UNREACHED;
  g_autofree char *place = g_strdup_printf ("%u", pass->number), *what = ls_lowering_pass_words (pass);
  g_autofree char *figure = pass->seconds >= 0.0 ? ls_format_time_in (pass->seconds, unit) : NULL;
  g_autofree char *time = figure != NULL ? g_strdup_printf ("%s\u202f%s", figure, ls_time_unit_name (unit)) : g_strdup ("");
  g_autofree char *tip = g_strdup_printf ("%s\n%s", pass->name, ls_lowering_pass_summary (pass));
  g_autofree char *all = g_strdup_printf ("%s %s, %s%s%s", place, pass->name, what, *time != '\0' ? ", " : "", time);

  gtk_label_set_label (GTK_LABEL (number), place);
  gtk_label_set_label (GTK_LABEL (name), pass->name);
  gtk_label_set_label (GTK_LABEL (words), what);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (words)), time);
  gtk_widget_set_visible (gtk_widget_get_next_sibling (words), *time != '\0');
  set_class (name, "strong", !idle);
  set_class (name, "dim", idle);
  set_class (number, "dim", idle);
  set_class (words, "error", pass->state == LS_LOWERING_FAILS);
  ls_tip_set (row, tip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, all, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, ls_lowering_pass_summary (pass), -1);
}

/* A row that is only filtered out would still be read out. */
static void
hide_rows (LsLoweringList *self)
{
  for (guint i = 0; self->lowering != NULL && i < ls_lowering_n_passes (self->lowering); i++)
    gtk_widget_set_visible (GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i)), shows (self, i));
}

/* ---- what is hidden ---------------------------------------------------------------- */

static void
show_count (LsLoweringList *self)
{
  guint n = self->lowering != NULL ? ls_lowering_count (self->lowering, LS_LOWERING_NOTHING) : 0;
  g_autofree char *words = NULL;

  if (self->lowering != NULL && hides (self))
    words = g_strdup_printf (ngettext ("%u pass without effect is hidden.", "%u passes without effect are hidden.", n), n);
  else if (self->lowering != NULL)
    words = g_strdup_printf (ngettext ("%u pass changes nothing.", "%u passes change nothing.", n), n);
  gtk_label_set_label (GTK_LABEL (self->count), words != NULL ? words : "");
}

static void
choose (LsLoweringList *self,
        guint           i)
{
  gtk_list_box_select_row (GTK_LIST_BOX (self->list), gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i));
}

/* The next one from `from` on that can be seen, else the last one before it. */
static void
choose_near (LsLoweringList *self,
             guint           from)
{
  guint n = ls_lowering_n_passes (self->lowering);

  for (guint i = from; i < n; i++)
    if (shows (self, i))
      {
        choose (self, i);
        return;
      }
  for (guint i = MIN (from, n); i-- > 0;)
    if (shows (self, i))
      {
        choose (self, i);
        return;
      }
  gtk_list_box_unselect_all (GTK_LIST_BOX (self->list));
}

static void
only_toggled (LsLoweringList *self)
{
  int chosen = ls_lowering_list_get_chosen (self);

  hide_rows (self);
  show_count (self);
  if (self->lowering != NULL)
    choose_near (self, chosen < 0 ? 0 : (guint) chosen);
}

/* ---- class --------------------------------------------------------------------------- */

static void
row_selected (LsLoweringList *self)
{
  if (!self->filling)
    g_signal_emit (self, chosen_signal, 0);
}

/* Rows that go with the list are no choice. */
static void
ls_lowering_list_dispose (GObject *object)
{
  LS_LOWERING_LIST (object)->filling = TRUE;
  G_OBJECT_CLASS (ls_lowering_list_parent_class)->dispose (object);
}

static void
ls_lowering_list_finalize (GObject *object)
{
  ls_lowering_unref (LS_LOWERING_LIST (object)->lowering);
  G_OBJECT_CLASS (ls_lowering_list_parent_class)->finalize (object);
}

static void
ls_lowering_list_class_init (LsLoweringListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_lowering_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_lowering_list_finalize;
  chosen_signal = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

/* A list box takes Tab for Down; here it leaves the rows.  From the switch Up and Down go to them. */
static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             LsLoweringList     *self)
{
  GtkWidget *next = gtk_widget_get_next_sibling (GTK_WIDGET (self)), *focus = gtk_root_get_focus (gtk_widget_get_root (self->list));
  gboolean in_rows = focus != NULL && gtk_widget_is_ancestor (focus, self->list);

  if ((key == GDK_KEY_Up || key == GDK_KEY_Down) && !in_rows && (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0)
    {
      ls_lowering_list_take_keyboard (self);
      return TRUE;
    }
  if (!in_rows || (key != GDK_KEY_Tab && key != GDK_KEY_ISO_Left_Tab) || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_ISO_Left_Tab || (state & GDK_SHIFT_MASK) != 0)
    return gtk_widget_grab_focus (self->only);
  while (next != NULL && !gtk_widget_child_focus (next, GTK_DIR_TAB_FORWARD))
    next = gtk_widget_get_next_sibling (next);
  return next != NULL;
}

static GtkWidget *
switch_row (LsLoweringList *self)
{
  GtkWidget *row = ls_part_row ("lowering-switch"), *label = ls_part_label (_("Only passes that change something"), NULL);

  self->only = gtk_switch_new ();
  gtk_widget_set_valign (self->only, GTK_ALIGN_CENTER);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->only), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Only passes that change something"), -1);
  g_signal_connect_swapped (self->only, "notify::active", G_CALLBACK (only_toggled), self);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), self->only);
  return row;
}

static void
ls_lowering_list_init (LsLoweringList *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lowering-side");
  gtk_widget_set_size_request (GTK_WIDGET (self), ls_theme_grow (356), -1);
  self->list = gtk_list_box_new ();
  ls_tab_stop_make (self->list);
  self->count = ls_part_label (NULL, "reason");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_BROWSE);
  gtk_widget_add_css_class (self->list, "lowering");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Passes"), -1);
  g_signal_connect_swapped (self->list, "row-selected", G_CALLBACK (row_selected), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_focusable (scroller, FALSE);
  gtk_label_set_wrap (GTK_LABEL (self->count), TRUE);
  gtk_widget_add_css_class (self->count, "pane-footer");
  gtk_box_append (GTK_BOX (self), switch_row (self));
  gtk_box_append (GTK_BOX (self), scroller);
  gtk_box_append (GTK_BOX (self), self->count);
}

GtkWidget *
ls_lowering_list_new (void)
{
  return g_object_new (LS_TYPE_LOWERING_LIST, NULL);
}

/* ---- public -------------------------------------------------------------------------- */

static guint
n_rows (LsLoweringList *self)
{
  guint n = 0;

  while (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) n) != NULL)
    n++;
  return n;
}

static void
set_rows (LsLoweringList *self,
          guint           n)
{
  for (guint i = n_rows (self); i > n; i--)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), GTK_WIDGET (gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i - 1)));
  for (guint i = n_rows (self); i < n; i++)
    gtk_list_box_append (GTK_LIST_BOX (self->list), row_new ());
}

static guint
first_effect (LsLoweringList *self)
{
  for (guint i = 0; i < ls_lowering_n_passes (self->lowering); i++)
    if (has_effect (self, i))
      return i;
  return 0;
}

void
ls_lowering_list_set (LsLoweringList *self,
                      LsLowering     *lowering)
{
  int chosen = ls_lowering_list_get_chosen (self);
  LsLowering *old = self->lowering;

  self->filling = TRUE;
  self->lowering = lowering != NULL ? ls_lowering_ref (lowering) : NULL;
  ls_lowering_unref (old);
  set_rows (self, lowering != NULL ? ls_lowering_n_passes (lowering) : 0);
  for (guint i = 0; lowering != NULL && i < ls_lowering_n_passes (lowering); i++)
    fill_row (self, i, unit_of (lowering));
  hide_rows (self);
  show_count (self);
  if (lowering != NULL)
    choose_near (self, chosen >= 0 ? (guint) chosen : first_effect (self));
  self->filling = FALSE;
  g_signal_emit (self, chosen_signal, 0);
}

int
ls_lowering_list_get_chosen (LsLoweringList *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));

  return row != NULL ? gtk_list_box_row_get_index (row) : -1;
}

void
ls_lowering_list_go (LsLoweringList *self,
                     int             direction)
{
  int n = self->lowering != NULL ? (int) ls_lowering_n_passes (self->lowering) : 0;

  for (int i = ls_lowering_list_get_chosen (self) + direction; i >= 0 && i < n; i += direction)
    if (has_effect (self, (guint) i))
      {
        choose (self, (guint) i);
        return;
      }
}

void
ls_lowering_list_take_keyboard (LsLoweringList *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));

  gtk_widget_grab_focus (row != NULL ? GTK_WIDGET (row) : self->only);
}
