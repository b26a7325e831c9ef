/* LsPassesList: a list view over rows that are made on demand; what a pass changed is counted for rows that are seen, in a thread. */
#include "app/passes/list-private.h"

#include "app/passes/list-row.h"
#include "app/passes/own-log.h"
#include "engine/passlog/follow.h"
#include "views/models/format.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"
#include "views/parts/tab-stop.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <string.h>

#define FILTER_MS 150           /* after the last key */
#define SETTLE_MS 60            /* after the last change of the height */

G_DEFINE_FINAL_TYPE (LsPassesList, ls_passes_list, GTK_TYPE_BOX)

static guint chosen_signal;

/* ---- rows ---------------------------------------------------------------------------- */

static void
set_up_row (GtkSignalListItemFactory *factory,
            GtkListItem              *item)
{
  gtk_list_item_set_child (item, ls_passes_list_row_new ());
}

static void
bind_row (GtkSignalListItemFactory *factory,
          GtkListItem              *item,
          LsPassesList             *self)
{
  const LsPassesPlace *place = ls_passes_row_get (gtk_list_item_get_item (item));
  LsPassCounts counts;

  ls_passes_list_fill_row (self, item);
  if (self->passes == NULL || place->n == 0 || place->head)
    return;
  g_hash_table_insert (self->bound, GUINT_TO_POINTER (place->dump + 1), item);
  if (ls_passes_get_dump (self->passes, place->dump)->effective && !ls_passes_get_counts (self->passes, place->dump, &counts))
    ls_passes_list_count (self, place->dump);
}

static void
unbind_row (GtkSignalListItemFactory *factory,
            GtkListItem              *item,
            LsPassesList             *self)
{
  const LsPassesPlace *place = ls_passes_row_get (gtk_list_item_get_item (item));

  if (g_hash_table_lookup (self->bound, GUINT_TO_POINTER (place->dump + 1)) == item)
    g_hash_table_remove (self->bound, GUINT_TO_POINTER (place->dump + 1));
}

/* ---- what is shown ------------------------------------------------------------------- */

/* The stage whose toggle is down; -1: all. */
static int
shown_stage (LsPassesList *self)
{
  for (int i = 1; i <= LS_PASSES_N_STAGES; i++)
    if (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->stage[i])))
      return i - 1;
  return -1;
}

static void
show_count (LsPassesList *self)
{
  guint n = self->passes != NULL ? ls_passes_get_log (self->passes)->dumps->len : self->early->len, effective = 0, hidden = 0;
  guint shown = 0;
  int stage = shown_stage (self);
  g_autofree char *first = NULL, *words = NULL;

  for (guint i = 0, of = n; self->passes != NULL && i < of; i++)
    {
      const LsPassesNote *note = ls_passes_get_note (self->passes, i);

      if (note != NULL && stage >= 0 && note->stage != (guint) stage)
        n--;
      else
        effective += ls_passes_get_dump (self->passes, i)->effective;
    }
  for (guint i = 0; ls_passes_rows_at (self->rows, i) != NULL; i++)
    shown += ls_passes_rows_at (self->rows, i)->shown;
  hidden = n - MIN (n, shown);
  first = g_strdup_printf (ngettext ("%u dump", "%u dumps", n), n);
  if (n == 0)
    words = g_strdup ("");
  else if (self->passes == NULL)
    words = g_strdup (first);
  else if (hidden > 0)
    words = g_strdup_printf (_("%s, %u with an effect, %u hidden"), first, effective, hidden);
  else
    words = g_strdup_printf (_("%s, %u with an effect"), first, effective);
  gtk_label_set_label (GTK_LABEL (self->count), words);
}

static void
select_row (LsPassesList *self,
            int           position)
{
  gtk_single_selection_set_selected (self->selection, position >= 0 ? (guint) position : GTK_INVALID_LIST_POSITION);
  if (position >= 0)
    gtk_widget_activate_action (self->view, "list.scroll-to-item", "u", (guint) position);
}

static void
fill_rows (LsPassesList *self)
{
  g_hash_table_remove_all (self->bound);
  ls_passes_rows_fill (self->rows, self->passes, gtk_editable_get_text (GTK_EDITABLE (self->filter)), gtk_switch_get_active (GTK_SWITCH (self->only)),
                       shown_stage (self));
  if (self->only_touched && self->touches != NULL && self->passes != NULL)
    ls_passes_rows_keep (self->rows, self->touches);
  if (self->slowest && self->passes != NULL)
    ls_passes_rows_sort (self->rows, self->passes);
  else if (self->folded && self->passes != NULL)
    ls_passes_rows_nest (self->rows, ls_passes_get_nesting (self->passes), self->opened);
}

/* The row of the first dump that has an effect or failed, else the first; -1: there is none. */
static int
first_row (LsPassesList *self)
{
  const LsPassesPlace *place;

  for (guint i = 0; (place = ls_passes_rows_at (self->rows, i)) != NULL; i++)
    {
      const LsPassesNote *note = place->n > 0 ? ls_passes_get_note (self->passes, place->dump) : NULL;

      if (place->n > 0 && (ls_passes_get_dump (self->passes, place->dump)->effective || (note != NULL && note->state == LS_PASSES_FAILED)))
        return (int) i;
    }
  return ls_passes_rows_at (self->rows, 0) != NULL ? 0 : -1;
}

/* The row of the dump, else the next, else the last. */
static int
near_row (LsPassesList *self,
          guint         dump,
          gboolean      other)
{
  int position = ls_passes_rows_find (self->rows, dump, other);

  return position >= 0 ? position : (int) g_list_model_get_n_items (G_LIST_MODEL (self->rows)) - 1;
}

/* Rows that go take the keyboard with them, to whatever of the window comes first: it is given back when there are new ones. */
static gboolean
has_keyboard (LsPassesList *self)
{
  GtkRoot *root = gtk_widget_get_root (self->view);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && (focus == self->view || gtk_widget_is_ancestor (focus, self->view));
}

/* Once they are laid out. */
static void
keyboard_back (gpointer self)
{
  ls_passes_list_take_keyboard (self);
}

/* The rows anew, with the same one chosen or the next. */
static void
refill (LsPassesList *self)
{
  gboolean other = FALSE, had = has_keyboard (self);
  int chosen = ls_passes_list_get_chosen (self, &other);
  int position;

  self->filling = TRUE;
  fill_rows (self);
  position = chosen >= 0 ? near_row (self, (guint) chosen, other) : first_row (self);
  select_row (self, position);
  self->filling = FALSE;
  if (had)
    ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, keyboard_back);
  show_count (self);
  if (ls_passes_list_get_chosen (self, &other) != chosen)
    g_signal_emit (self, chosen_signal, 0);
}

static void
filter_later (gpointer self)
{
  if (LS_PASSES_LIST (self)->passes != NULL)
    refill (self);
}

static void
filter_changed (LsPassesList *self)
{
  ls_later (self, G_PRIORITY_DEFAULT, FILTER_MS, filter_later);
}

static void
only_toggled (LsPassesList *self)
{
  if (self->passes != NULL && !self->filling)
    refill (self);
}

/* Another stage: none of its passes was chosen. */
static void
stage_toggled (LsPassesList    *self,
               GtkToggleButton *toggle)
{
  gboolean had = has_keyboard (self);

  if (self->passes == NULL || self->filling || !gtk_toggle_button_get_active (toggle))
    return;
  self->filling = TRUE;
  fill_rows (self);
  select_row (self, first_row (self));
  self->filling = FALSE;
  if (had)
    ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, keyboard_back);
  show_count (self);
  g_signal_emit (self, chosen_signal, 0);
}

static void
selected (LsPassesList *self)
{
  if (!self->filling)
    g_signal_emit (self, chosen_signal, 0);
}

/* ---- public -------------------------------------------------------------------------- */

int
ls_passes_list_get_chosen (LsPassesList *self,
                           gboolean     *other)
{
  const LsPassesPlace *place = ls_passes_rows_at (self->rows, gtk_single_selection_get_selected (self->selection));

  *other = place != NULL && place->n == 0;
  return place != NULL ? (int) place->dump : -1;
}

void
ls_passes_list_grow (LsPassesList     *self,
                     const LsPassDump *dumps,
                     guint             n)
{
  if (self->passes != NULL)
    return;
  for (guint i = 0; i < n; i++)
    {
      LsPassDump dump = dumps[i];

      dump.pass = g_string_chunk_insert_const (self->early_names, dump.pass);
      dump.unit = g_string_chunk_insert_const (self->early_names, dump.unit);
      g_array_append_val (self->early, dump);
    }
  self->filling = TRUE;
  ls_passes_rows_grow (self->rows, self->early->len);
  self->filling = FALSE;
  show_count (self);
}

/* Toggles of stages that the log has, where it has more than one. */
static void
show_stages (LsPassesList *self)
{
  guint n = 0;

  for (int i = 0; i < LS_PASSES_N_STAGES; i++)
    {
      gboolean has = FALSE;

      for (guint j = 0; self->passes != NULL && j < ls_passes_get_log (self->passes)->dumps->len; j++)
        has |= ls_passes_get_note (self->passes, j) != NULL && ls_passes_get_note (self->passes, j)->stage == (guint) i;
      gtk_widget_set_visible (self->stage[i + 1], has || shown_stage (self) == i);
      n += has;
    }
  gtk_widget_set_visible (self->stages, n > 0);
}

/* What the longest bars stand for. */
static void
find_slowest (LsPassesList *self)
{
  const char *wrong;
  double ns;

  self->slowest_seconds = self->slowest_run = 0;
  for (guint i = 0; self->passes != NULL && i < ls_passes_get_log (self->passes)->dumps->len; i++)
    {
      self->slowest_seconds = MAX (self->slowest_seconds, ls_passes_get_dump (self->passes, i)->seconds);
      if (ls_passes_get_run (self->passes, i, &ns, &wrong))
        self->slowest_run = MAX (self->slowest_run, ns);
    }
}

/* The rows are those of `passes`; none is chosen. */
static void
take (LsPassesList *self,
      LsPasses     *passes)
{
  LsPasses *old = self->passes;

  g_clear_pointer (&self->touches, g_free);
  g_clear_pointer (&self->marks, g_free);
  g_hash_table_remove_all (self->bound);
  ls_passes_rows_fill (self->rows, NULL, "", FALSE, -1);
  g_array_set_size (self->early, 0);
  g_string_chunk_clear (self->early_names);
  self->passes = passes != NULL ? ls_passes_ref (passes) : NULL;
  if (old != passes)
    g_hash_table_remove_all (self->opened);
  ls_passes_unref (old);
  find_slowest (self);
  show_stages (self);
  fill_rows (self);
}

void
ls_passes_list_set (LsPassesList *self,
                    LsPasses     *passes)
{
  gboolean had = has_keyboard (self);

  self->filling = TRUE;
  take (self, passes);
  select_row (self, first_row (self));
  self->filling = FALSE;
  if (had)
    ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, keyboard_back);
  show_count (self);
  g_signal_emit (self, chosen_signal, 0);
}

void
ls_passes_list_update (LsPassesList *self,
                       LsPasses     *passes)
{
  gboolean other = FALSE, had = self->passes != NULL, keyboard = has_keyboard (self);
  int chosen = ls_passes_list_get_chosen (self, &other);

  self->filling = TRUE;
  take (self, passes);
  select_row (self, had && chosen >= 0 ? near_row (self, (guint) chosen, other) : first_row (self));
  self->filling = FALSE;
  if (keyboard)
    ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, keyboard_back);
  show_count (self);
  g_signal_emit (self, chosen_signal, 0);
}

void
ls_passes_list_set_stage (LsPassesList *self,
                          int           stage)
{
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->stage[stage + 1]), TRUE);
  show_stages (self);
}

void
ls_passes_list_choose (LsPassesList *self,
                       guint         dump)
{
  int position = ls_passes_rows_find (self->rows, dump, FALSE);
  const LsPassesPlace *place = position >= 0 ? ls_passes_rows_at (self->rows, (guint) position) : NULL;

  if (place == NULL || dump < place->dump || dump >= place->dump + place->n)
    {
      self->filling = TRUE;
      gtk_editable_set_text (GTK_EDITABLE (self->filter), "");
      gtk_switch_set_active (GTK_SWITCH (self->only), FALSE);
      self->only_touched = FALSE;
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->stage[0]), TRUE);
      self->filling = FALSE;
      refill (self);
      position = ls_passes_rows_find (self->rows, dump, FALSE);
      place = position >= 0 ? ls_passes_rows_at (self->rows, (guint) position) : NULL;
    }
  while (place != NULL && place->head && g_hash_table_add (self->opened, GUINT_TO_POINTER (place->nest + 1)))
    {
      refill (self);
      position = ls_passes_rows_find (self->rows, dump, FALSE);
      place = position >= 0 ? ls_passes_rows_at (self->rows, (guint) position) : NULL;
    }
  select_row (self, position);
}

/* One for each dump, or NULL. (transfer full) */
static guint8 *
copy_of (LsPassesList *self,
         const guint8 *bytes)
{
  return bytes != NULL && self->passes != NULL ? g_memdup2 (bytes, ls_passes_get_log (self->passes)->dumps->len) : NULL;
}

static void
fill_shown (LsPassesList *self)
{
  GHashTableIter iter;
  gpointer item;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    ls_passes_list_fill_row (self, item);
}

void
ls_passes_list_refresh (LsPassesList *self)
{
  find_slowest (self);
  fill_shown (self);
}

void
ls_passes_list_set_touches (LsPassesList *self,
                            const guint8 *touches)
{
  g_free (self->touches);
  self->touches = copy_of (self, touches);
  if (self->only_touched && self->passes != NULL)
    refill (self);
  fill_shown (self);
}

gboolean
ls_passes_list_get_only_touched (LsPassesList *self)
{
  return self->only_touched;
}

void
ls_passes_list_set_only_touched (LsPassesList *self,
                                 gboolean      only)
{
  self->only_touched = only;
  if (self->passes != NULL)
    refill (self);
}

void
ls_passes_list_set_marks (LsPassesList *self,
                          const guint8 *marks)
{
  g_free (self->marks);
  self->marks = copy_of (self, marks);
  fill_shown (self);
}

void
ls_passes_list_set_slowest (LsPassesList *self,
                            gboolean      slowest)
{
  self->slowest = slowest;
  if (self->passes != NULL)
    refill (self);
}

/* Of a folded row any of its passes. */
static gboolean
has_effect (LsPassesList        *self,
            const LsPassesPlace *place)
{
  for (guint i = place->dump; i < place->dump + (place->head ? place->n : 1) && !(place->head && place->open); i++)
    if (ls_passes_get_dump (self->passes, i)->effective)
      return TRUE;
  return FALSE;
}

void
ls_passes_list_go (LsPassesList *self,
                   int           direction)
{
  guint at = gtk_single_selection_get_selected (self->selection);
  const LsPassesPlace *place;

  if (self->passes == NULL || at == GTK_INVALID_LIST_POSITION)
    return;
  for (at += (guint) direction; (place = ls_passes_rows_at (self->rows, at)) != NULL; at += (guint) direction)
    if (place->n > 0 && has_effect (self, place))
      {
        select_row (self, (int) at);
        return;
      }
}

void
ls_passes_list_take_keyboard (LsPassesList *self)
{
  guint at = gtk_single_selection_get_selected (self->selection);

  if (at != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (self->view, "list.scroll-to-item", "u", at);    /* its row is the one that gets it */
  gtk_widget_grab_focus (self->view);
}

/* ---- class --------------------------------------------------------------------------- */

static void
ls_passes_list_dispose (GObject *object)
{
  LsPassesList *self = LS_PASSES_LIST (object);

  self->filling = TRUE;
  g_atomic_int_set (&self->closed, 1);
  if (self->view != NULL)
    gtk_list_view_set_model (GTK_LIST_VIEW (self->view), NULL);
  self->view = NULL;
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (ls_passes_list_parent_class)->dispose (object);
}

static void
ls_passes_list_finalize (GObject *object)
{
  LsPassesList *self = LS_PASSES_LIST (object);

  g_thread_pool_free (self->counting, FALSE, FALSE);
  ls_passes_unref (self->passes);
  g_array_unref (self->early);
  g_string_chunk_free (self->early_names);
  g_free (self->touches);
  g_free (self->marks);
  g_hash_table_unref (self->bound);
  g_hash_table_unref (self->opened);
  G_OBJECT_CLASS (ls_passes_list_parent_class)->finalize (object);
}

static void
ls_passes_list_class_init (LsPassesListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = ls_passes_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = ls_passes_list_finalize;
  chosen_signal = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("counted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
}

/* GTK 4.8 keeps the rows around the place that it scrolled to when it had another height, and leaves others out; a list that is scrolled makes them.
 * Rows that are not laid out have no place to scroll to: it is done behind a frame. */
static void
nudge (LsPassesList  *self,
       GdkFrameClock *clock)
{
  GtkAdjustment *rows = self->view != NULL ? gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view)) : NULL;
  double value = rows != NULL ? gtk_adjustment_get_value (rows) : 0;

  g_signal_handlers_disconnect_by_func (clock, nudge, self);
  if (rows == NULL || gtk_adjustment_get_upper (rows) <= gtk_adjustment_get_page_size (rows) + 1)
    return;
  gtk_adjustment_set_value (rows, value >= 1 ? value - 1 : value + 1);
  gtk_adjustment_set_value (rows, value);
}

static void
settled (gpointer data)
{
  LsPassesList *self = data;
  GdkFrameClock *clock = self->view != NULL && gtk_widget_get_mapped (self->view) ? gtk_widget_get_frame_clock (self->view) : NULL;

  if (clock == NULL)
    return;
  g_signal_handlers_disconnect_by_func (clock, nudge, self);
  g_signal_connect_object (clock, "after-paint", G_CALLBACK (nudge), self, G_CONNECT_SWAPPED);
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_PAINT);
}

static void
height_changed (LsPassesList *self)
{
  ls_later (self, G_PRIORITY_DEFAULT, SETTLE_MS, settled);
}

static GtkWidget *
stages_new (LsPassesList *self)
{
  self->stages = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  for (int i = 0; i <= LS_PASSES_N_STAGES; i++)
    {
      /* Translators: the passes of all stages of a compilation */
      self->stage[i] = gtk_toggle_button_new_with_label (i == 0 ? C_("passes", "All") : ls_passes_stage_name ((LsPassesStage) (i - 1)));
      gtk_widget_add_css_class (self->stage[i], "flat");
      if (i > 0)
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (self->stage[i]), GTK_TOGGLE_BUTTON (self->stage[0]));
      g_signal_connect_swapped (self->stage[i], "toggled", G_CALLBACK (stage_toggled), self);
      gtk_box_append (GTK_BOX (self->stages), self->stage[i]);
    }
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->stage[0]), TRUE);
  gtk_widget_set_visible (self->stages, FALSE);
  return self->stages;
}

static GtkWidget *
head_new (LsPassesList *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = ls_part_label (_("Only passes that change something"), NULL);

  self->filter = gtk_search_entry_new ();
  g_object_set (self->filter, "placeholder-text", _("Pass or function"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->filter), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Show passes and functions with this in their names"), -1);
  g_signal_connect_swapped (self->filter, "changed", G_CALLBACK (filter_changed), self);
  self->only = gtk_switch_new ();
  gtk_widget_set_valign (self->only, GTK_ALIGN_CENTER);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->only), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Only passes that change something"), -1);
  g_signal_connect_swapped (self->only, "notify::active", G_CALLBACK (only_toggled), self);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), self->only);
  gtk_box_append (GTK_BOX (head), stages_new (self));
  gtk_box_append (GTK_BOX (head), self->filter);
  gtk_box_append (GTK_BOX (head), line);
  gtk_widget_add_css_class (head, "lowering-switch");
  return head;
}

static void
ls_passes_list_init (LsPassesList *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  self->early = g_array_new (FALSE, FALSE, sizeof (LsPassDump));
  self->early_names = g_string_chunk_new (1024);
  self->bound = g_hash_table_new (NULL, NULL);
  self->opened = g_hash_table_new (NULL, NULL);
  self->rows = ls_passes_rows_new ();
  self->refill = refill;
  self->counting = ls_passes_list_counting_new ();
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect_swapped (self->selection, "notify::selected", G_CALLBACK (selected), self);
  g_signal_connect (factory, "setup", G_CALLBACK (set_up_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), self);
  self->view = gtk_list_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection)), g_object_ref (factory));
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (ls_passes_list_row_activated), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (ls_passes_list_key_pressed), self);
  gtk_widget_add_controller (self->view, keys);
  ls_tab_stop_make (self->view);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Passes"), -1);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class (GTK_WIDGET (self), "lowering-side");
  gtk_widget_set_size_request (GTK_WIDGET (self), ls_theme_grow (356), -1);
  self->count = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->count), TRUE);
  gtk_widget_add_css_class (self->count, "pane-footer");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->view);
  g_signal_connect_object (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view)), "notify::page-size", G_CALLBACK (height_changed), self, G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_widget_set_focusable (scroller, FALSE);
  gtk_box_append (GTK_BOX (self), head_new (self));
  gtk_box_append (GTK_BOX (self), scroller);
  gtk_box_append (GTK_BOX (self), self->count);
}

GtkWidget *
ls_passes_list_new (void)
{
  return g_object_new (LS_TYPE_PASSES_LIST, NULL);
}
