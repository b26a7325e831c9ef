/* threads/window: the worker runs the kernel; a list of accesses, findings and layouts at the left, the picture of one at the right, one clock below. */
#include "app/threads/window.h"

#include "app/session/code-rows.h"
#include "app/threads/save.h"
#include "app/threads/window-private.h"
#include "app/tool/window.h"
#include "views/parts/parts.h"
#include "views/parts/tab-stop.h"
#include "views/threads/picture.h"

#include <glib/gi18n.h>
#include <string.h>

#define KEY "threads"
#define PLAY_MS 400


/* ---- the clock ------------------------------------------------------------------------------ */

/* How many moments the clock has: the whole of a layout and each of its lanes, threads or banks; or the accesses that are shown. */
static guint
n_moments (Window *self)
{
  return self->layout >= 0 ? g_array_index (self->layouts, LsThreadsLayout, self->layout).n_places + 1 : self->shown->len;
}

static void
show_event (Window *self)
{
  g_autofree char *words = NULL;

  if (self->threads == NULL || n_moments (self) == 0)
    return;
  self->at = MIN (self->at, n_moments (self) - 1);
  if (self->layout >= 0)
    ls_threads_picture_show_layout (LS_THREADS_PICTURE (self->picture), &g_array_index (self->layouts, LsThreadsLayout, self->layout), (int) self->at - 1);
  else
    ls_threads_picture_show_event (LS_THREADS_PICTURE (self->picture), g_array_index (self->shown, guint, self->at));
  words = g_strdup_printf (_("%u of %u"), self->at + 1, n_moments (self));
  ls_part_set_figure (GTK_LABEL (self->words), words);
  self->filling = TRUE;
  gtk_range_set_value (GTK_RANGE (self->slider), self->at + 1);
  self->filling = FALSE;
}

static void
show_play (Window *self)
{
  const char *words = self->timer != 0 ? _("Pause (Space)") : _("Play (Space)");

  gtk_button_set_icon_name (GTK_BUTTON (self->play), self->timer != 0 ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (self->play, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

static void
threads_pause (Window *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  show_play (self);
}

static gboolean
tick (gpointer data)
{
  Window *self = data;

  if (self->at + 1 >= n_moments (self))
    {
      self->timer = 0;
      show_play (self);
      return G_SOURCE_REMOVE;
    }
  self->at++;
  show_event (self);
  return G_SOURCE_CONTINUE;
}

static void
play (Window *self)
{
  if (self->timer != 0)
    {
      threads_pause (self);
      return;
    }
  if (self->at + 1 >= n_moments (self))
    self->at = 0;
  show_event (self);
  self->timer = g_timeout_add (PLAY_MS, tick, self);
  show_play (self);
}

static void
jump (Window *self,
      int     by)
{
  threads_pause (self);
  if (n_moments (self) == 0)
    return;
  self->at = (guint) CLAMP ((int) self->at + by, 0, (int) n_moments (self) - 1);
  show_event (self);
}

static void
back (Window *self)
{
  jump (self, -1);
}

static void
on (Window *self)
{
  jump (self, 1);
}

static void
slid (Window *self)
{
  if (self->filling)
    return;
  threads_pause (self);
  self->at = (guint) MAX (gtk_range_get_value (GTK_RANGE (self->slider)) - 1, 0);
  show_event (self);
}

/* ---- the list ---------------------------------------------------------------------------------- */

enum { ROW_ALL, ROW_SITE, ROW_FINDING, ROW_LAYOUT };

static void
add_row (Window     *self,
         int         kind,
         guint       number,
         const char *head,
         const char *words,
         const char *look)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *label = ls_part_label (words, look);
  g_autofree char *whole = g_strconcat (head, " ", words, NULL);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 34);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 8);
  gtk_widget_set_margin_top (box, 4);
  gtk_widget_set_margin_bottom (box, 4);
  gtk_box_append (GTK_BOX (box), ls_part_label (head, "caption"));
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
  g_object_set_data (G_OBJECT (row), "kind", GINT_TO_POINTER (kind));
  g_object_set_data (G_OBJECT (row), "number", GUINT_TO_POINTER (number));
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
threads_clear_list (Window *self)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
}

static void
threads_fill_list (Window *self)
{
  threads_clear_list (self);
  for (guint i = 0; i < self->threads->findings->len; i++)
    {
      g_autofree char *words = ls_threads_finding_words (self->threads, i);
      gboolean harmless = strcmp (ls_threads_finding (self->threads, i)->kind, "same-value") == 0;

      add_row (self, ROW_FINDING, i, _("found"), words, harmless ? "warning" : "error");
    }
  add_row (self, ROW_ALL, 0, _("in their order"), _("All accesses and barriers of the block"), NULL);
  for (guint i = 0; i < self->threads->sites->len; i++)
    {
      const LsThreadsSite *site = ls_threads_site (self->threads, i);
      g_autofree char *words = ls_threads_site_words (site), *head = g_strdup_printf (_("line %u"), site->line);

      if (site->kernel == self->threads->kernel && site->requests > 0 && strcmp (site->space, "local") != 0)
        add_row (self, ROW_SITE, i, head, words, site->most_ways > 1 ? "warning" : NULL);
    }
  for (guint i = 0; i < self->layouts->len; i++)
    {
      g_autofree char *words = ls_threads_layout_words (&g_array_index (self->layouts, LsThreadsLayout, i));

      add_row (self, ROW_LAYOUT, i, _("layout"), words, NULL);
    }
}

static void
choose_events (Window *self,
               int     kind,
               guint   number)
{
  g_array_set_size (self->shown, 0);
  for (guint i = 0; i < self->threads->events->len; i++)
    {
      const LsThreadsEvent *event = ls_threads_event (self->threads, i);
      gboolean local = !event->is_barrier && strcmp (ls_threads_site (self->threads, event->site)->space, "local") == 0;

      if (kind == ROW_ALL ? !local : kind == ROW_SITE && !event->is_barrier && event->site == number)
        g_array_append_val (self->shown, i);
    }
}

static void
set_clock (Window *self)
{
  guint n = n_moments (self);

  self->filling = TRUE;
  gtk_range_set_range (GTK_RANGE (self->slider), 1, MAX (n, 2));
  self->filling = FALSE;
  gtk_widget_set_sensitive (self->slider, n > 1);
  gtk_widget_set_sensitive (self->play, n > 1);
}

static void
select_line (Window *self,
             guint   line)
{
  guint64 id = self->text != NULL && line > 0 && line <= ls_script_text_n_lines (self->text) ? ls_code_id_at (self->text, line) : 0;

  if (id != 0 && id != ls_session_get_selection (self->session))
    ls_session_select (self->session, id);
}

static void
chosen (Window        *self,
        GtkListBoxRow *row)
{
  int kind;
  guint number;

  if (row == NULL || self->filling || self->threads == NULL)
    return;
  threads_pause (self);
  kind = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), "kind"));
  number = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (row), "number"));
  self->layout = kind == ROW_LAYOUT ? (int) number : -1;
  if (kind == ROW_FINDING)
    {
      g_array_set_size (self->shown, 0);
      gtk_label_set_label (GTK_LABEL (self->words), "");
      gtk_widget_set_sensitive (self->slider, FALSE);
      gtk_widget_set_sensitive (self->play, FALSE);
      ls_threads_picture_show_finding (LS_THREADS_PICTURE (self->picture), number);
      select_line (self, ls_threads_finding (self->threads, number)->line);
      return;
    }
  choose_events (self, kind, number);
  set_clock (self);
  self->at = 0;
  show_event (self);
  if (kind == ROW_SITE)
    select_line (self, ls_threads_site (self->threads, number)->line);
}

static void
module_changed (Window *self)
{
  self->wanted_block = 0;
  self->wanted_kernel = 0;
  self->filling = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->block), 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->kernel), 1);
  self->filling = FALSE;
  threads_ask (self);
}

/* Another kernel begins with its first block. */
static void
kernel_changed (Window *self)
{
  if (self->filling)
    return;
  self->wanted_kernel = (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->kernel)) - 1;
  self->wanted_block = 0;
  self->filling = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->block), 0);
  self->filling = FALSE;
  threads_ask (self);
}

static void
block_changed (Window *self)
{
  if (self->filling)
    return;
  self->wanted_block = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->block));
  threads_ask (self);
}

static void
save (Window *self)
{
  ls_threads_save (self->picture, self->sentence);
}

/* ---- the window ------------------------------------------------------------------------------------------ */

static void
window_free (gpointer data)
{
  Window *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_handle_id (&self->timer, g_source_remove);
  threads_stop (self);
  ls_threads_picture_set (LS_THREADS_PICTURE (self->picture), NULL);
  g_object_unref (self->picture);
  g_object_unref (self->worker);
  g_object_unref (self->session);
  g_clear_object (&self->text);
  g_clear_pointer (&self->threads, ls_threads_free);
  g_clear_pointer (&self->layouts, g_array_unref);
  g_array_unref (self->shown);
  g_free (self);
}

/* The row above or below. */
static void
choose_beside (Window *self,
               int     by)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (GTK_LIST_BOX (self->list));
  int at = row != NULL ? gtk_list_box_row_get_index (row) + by : 0;

  row = at >= 0 ? gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), at) : NULL;
  if (row == NULL)
    return;
  gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  gtk_widget_grab_focus (GTK_WIDGET (row));
}

static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             Window             *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->window));

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0 || GTK_IS_EDITABLE (focus))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_space:
      if (focus != self->play && GTK_IS_BUTTON (focus))
        return FALSE;
      if (gtk_widget_get_sensitive (self->play))
        play (self);
      return TRUE;
    case GDK_KEY_Up:
      choose_beside (self, -1);
      return TRUE;
    case GDK_KEY_Down:
      choose_beside (self, 1);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_comma:
      back (self);
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_period:
      on (self);
      return TRUE;
    default:
      return FALSE;
    }
}

static GtkWidget *
button (Window     *self,
        const char *icon,
        const char *words,
        GCallback   clicked)
{
  GtkWidget *widget = ls_part_icon_button (icon, words);

  g_signal_connect_swapped (widget, "clicked", clicked, self);
  return widget;
}

static GtkWidget *
head_row (Window *self)
{
  GtkWidget *row = ls_part_row ("compare-head");

  self->sentence = ls_part_label (NULL, "strong");
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_widget_set_hexpand (self->sentence, TRUE);
  self->block = gtk_spin_button_new_with_range (0, 0, 1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->block), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Number of the block"), -1);
  gtk_widget_set_valign (self->block, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->block, "value-changed", G_CALLBACK (block_changed), self);
  self->save = button (self, "document-save-symbolic", _("Save the picture"), G_CALLBACK (save));
  gtk_widget_set_valign (self->save, GTK_ALIGN_CENTER);
  self->kernel = gtk_spin_button_new_with_range (1, 2, 1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->kernel), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Number of the kernel"), -1);
  gtk_widget_set_valign (self->kernel, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->kernel, "value-changed", G_CALLBACK (kernel_changed), self);
  self->kernel_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_set_visible (self->kernel_box, FALSE);
  gtk_box_append (GTK_BOX (self->kernel_box), ls_part_label (_("Kernel"), "caption"));
  gtk_box_append (GTK_BOX (self->kernel_box), self->kernel);
  self->fast = button (self, "media-seek-forward-symbolic", _("Run fast: as loops on this CPU, unchecked"), G_CALLBACK (threads_run_fast));
  gtk_widget_set_valign (self->fast, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (row), self->sentence);
  gtk_box_append (GTK_BOX (row), self->kernel_box);
  gtk_box_append (GTK_BOX (row), ls_part_label (_("Block"), "caption"));
  gtk_box_append (GTK_BOX (row), self->block);
  gtk_box_append (GTK_BOX (row), self->fast);
  gtk_box_append (GTK_BOX (row), self->save);
  return row;
}

static GtkWidget *
clock_row (Window *self)
{
  GtkWidget *row = ls_part_row ("compare-head"), *before = button (self, "go-previous-symbolic", _("One access back (Left)"), G_CALLBACK (back));
  GtkWidget *after = button (self, "go-next-symbolic", _("One access forward (Right)"), G_CALLBACK (on));

  gtk_widget_add_css_class (row, "access-clock");
  self->play = button (self, "media-playback-start-symbolic", _("Play (Space)"), G_CALLBACK (play));
  self->slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 1, 2, 1);
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_widget_set_hexpand (self->slider, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Number of the access"), -1);
  g_signal_connect_swapped (self->slider, "value-changed", G_CALLBACK (slid), self);
  self->words = ls_part_label (NULL, "caption");
  /* Where there is no clock to move there is nowhere to go. */
  g_object_bind_property (self->slider, "sensitive", before, "sensitive", G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->slider, "sensitive", after, "sensitive", G_BINDING_SYNC_CREATE);
  gtk_box_append (GTK_BOX (row), before);
  gtk_box_append (GTK_BOX (row), self->play);
  gtk_box_append (GTK_BOX (row), after);
  gtk_box_append (GTK_BOX (row), self->slider);
  gtk_box_append (GTK_BOX (row), self->words);
  return row;
}

static GtkWidget *
scrolled (GtkWidget *child)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  gtk_widget_set_vexpand (scroller, TRUE);
  return scroller;
}

static GtkWidget *
middle (Window *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *left, *right;

  self->list = gtk_list_box_new ();
  ls_tab_stop_make (self->list);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Accesses, findings and layouts"), -1);
  g_signal_connect_swapped (self->list, "row-selected", G_CALLBACK (chosen), self);
  self->picture = g_object_ref_sink (ls_threads_picture_new ());
  left = scrolled (self->list);
  right = scrolled (self->picture);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (left), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_size_request (left, 260, -1);
  gtk_widget_set_hexpand (right, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (right), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Threads"), -1);
  gtk_box_append (GTK_BOX (box), left);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (box), right);
  return box;
}

static void
build (Window    *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *foot = ls_part_label (_("The threads are simulated: results and counts are exact, and there are no times. Counted are sectors of 32 bytes, and words of the 32 banks of "
                                     "shared memory. Choosing an access selects the loop or block that it comes from."), "reason");
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_box_append (GTK_BOX (box), head_row (self));
  self->fast_words = ls_part_label (NULL, "reason");
  gtk_label_set_wrap (GTK_LABEL (self->fast_words), TRUE);
  gtk_widget_set_visible (self->fast_words, FALSE);
  gtk_widget_set_margin_start (self->fast_words, 12);
  gtk_widget_set_margin_end (self->fast_words, 12);
  gtk_widget_set_margin_bottom (self->fast_words, 8);
  gtk_box_append (GTK_BOX (box), self->fast_words);
  gtk_box_append (GTK_BOX (box), middle (self));
  gtk_box_append (GTK_BOX (box), clock_row (self));
  self->window = ls_tool_window_new (parent, _("Threads"), 1020, 720, box, foot);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->window, keys);
}

static void
show (const LsToolPlace *place)
{
  Window *self = ls_tool_window_find (place->parent, KEY);

  if (self == NULL)
    {
      self = g_new0 (Window, 1);
      self->session = g_object_ref (place->session);
      self->worker = ls_worker_new ();
      self->shown = g_array_new (FALSE, FALSE, sizeof (guint));
      self->layout = -1;
      self->pause = threads_pause;
      self->clear = threads_clear_list;
      self->fill = threads_fill_list;
      build (self, place->parent);
      ls_tool_window_keep (self->window, KEY, self, window_free);
      g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (module_changed), self);
      threads_ask (self);
    }
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_threads_tool = { .id = KEY, .label = N_("Threads"), .accel = "<Control><Shift>g", .follows = TRUE, .show = show };
