/* access/window: two columns on one clock.  The clock counts accesses; both columns show that many of theirs. */
#include "app/access/window.h"

#include "app/access/column.h"
#include "app/access/words.h"
#include "app/session/code-rows.h"
#include "app/session/engine.h"
#include "app/tool/window.h"
#include "views/parts/later.h"
#include "views/parts/parts.h"

#include <glib/gi18n.h>

#define KEY "access-order"
#define COLUMNS "ls-access"      /* of the box: whose it is */
#define PAGE 100                /* accesses that Page Down goes on */

static const guint speeds[] = { 10, 100, 1000, 10000 };

typedef struct {
  GtkWidget *window;            /* owns this */
  GtkWidget *sentence;
  GtkWidget *beside;            /* toggle */
  GtkWidget *columns[2];        /* before, shown */
  GtkWidget *box;               /* around them; held */
  GtkWidget *scroller;          /* around that; held */
  GtkWidget *play;
  GtkWidget *slider;
  GtkWidget *speed;
  LsSession *session;
  gboolean   compared;          /* shows what the Compare page has */
  guint      ids[2];
  gboolean   has_left;
  double     at;                /* accesses by now, with the part of the next one */
  gboolean   placing;           /* the slider is being set */
  guint      tick;              /* callback that plays, or 0 */
  gint64     last;              /* frame time, us */
} Access;

static LsAccessColumn *
column (Access *self,
        guint   i)
{
  return LS_ACCESS_COLUMN (self->columns[i]);
}

static gboolean
shows_left (Access *self)
{
  return self->has_left && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->beside));
}

/* The clock's end: the longer of what is shown. */
static guint
length (Access *self)
{
  guint n = 0;

  for (guint i = shows_left (self) ? 0 : 1; i < 2; i++)
    if (ls_access_column_get (column (self, i)) != NULL)
      n = MAX (n, ls_access_column_get (column (self, i))->accesses->len);
  return n;
}

/* ---- the clock -------------------------------------------------------------------- */

static void
show_position (Access *self)
{
  guint n = (guint) self->at;

  for (guint i = shows_left (self) ? 0 : 1; i < 2; i++)
    ls_access_column_go (column (self, i), n);
  self->placing = TRUE;
  gtk_range_set_value (GTK_RANGE (self->slider), n);
  self->placing = FALSE;
}

static void
show_play (Access *self)
{
  gboolean plays = self->tick != 0, moves = TRUE;
  const char *words = plays ? _("Pause (Space)") : _("Play (Space)");

  g_object_get (gtk_widget_get_settings (self->window), "gtk-enable-animations", &moves, NULL);
  if (!moves)
    words = _("Motion is reduced: go one access at a time, or use the slider.");
  gtk_button_set_icon_name (GTK_BUTTON (self->play), plays ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  gtk_widget_set_sensitive (self->play, moves && length (self) > 0);
  gtk_widget_set_tooltip_text (self->play, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
}

static void
pause_clock (Access *self)
{
  if (self->tick != 0)
    gtk_widget_remove_tick_callback (self->window, self->tick);
  self->tick = 0;
  show_play (self);
}

static void
go (Access *self,
    double  at)
{
  self->at = CLAMP (at, MIN (1.0, (double) length (self)), (double) length (self));
  show_position (self);
}

static gboolean
tick (GtkWidget     *widget,
      GdkFrameClock *clock,
      gpointer       data)
{
  Access *self = data;
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  double passed = self->last > 0 ? CLAMP ((double) (now - self->last) / G_USEC_PER_SEC, 0.0, 0.25) : 0.0;
  guint speed = speeds[MIN (gtk_drop_down_get_selected (GTK_DROP_DOWN (self->speed)), G_N_ELEMENTS (speeds) - 1)];
  guint before = (guint) self->at;

  self->last = now;
  self->at = MIN (self->at + passed * speed, (double) length (self));
  if ((guint) self->at != before)
    show_position (self);
  if (self->at < length (self))
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  show_play (self);
  return G_SOURCE_REMOVE;
}

static void
play (Access *self)
{
  if (self->tick != 0)
    {
      pause_clock (self);
      return;
    }
  show_play (self);
  if (!gtk_widget_get_sensitive (self->play))
    return;
  if (self->at >= length (self))
    go (self, 1.0);
  self->last = 0;
  self->tick = gtk_widget_add_tick_callback (self->window, tick, self, NULL);
  show_play (self);
}

static void
jump (Access *self,
      int     accesses)
{
  pause_clock (self);
  go (self, (double) (guint) self->at + accesses);
}

static void
back (Access *self)
{
  jump (self, -1);
}

static void
on (Access *self)
{
  jump (self, 1);
}

static void
slid (Access *self)
{
  if (self->placing)
    return;
  pause_clock (self);
  go (self, gtk_range_get_value (GTK_RANGE (self->slider)));
}

/* ---- what is shown ------------------------------------------------------------------- */

static void
say (Access *self)
{
  const LsAccessOrder *left = shows_left (self) ? ls_access_column_get (column (self, 0)) : NULL;
  const LsAccessOrder *right = ls_access_column_get (column (self, 1));
  g_autofree char *words = NULL;

  if (left != NULL && right != NULL)
    words = ls_access_words_between (left, ls_access_column_get_name (column (self, 0)), right, ls_access_column_get_name (column (self, 1)));
  else if (right != NULL)
    words = ls_access_words_all (right);
  else if (!ls_access_column_is_busy (column (self, 1)))
    words = g_strdup (_("The order of the accesses cannot be shown."));
  ls_access_column_set_alone (column (self, 1), left == NULL);
  gtk_label_set_label (GTK_LABEL (self->sentence), words != NULL ? words : "");
}

static void
ready (Access *self)
{
  guint n = length (self);

  self->placing = TRUE;
  gtk_range_set_range (GTK_RANGE (self->slider), MIN (n, 1), MAX (n, 2));
  self->placing = FALSE;
  gtk_widget_set_sensitive (self->slider, n > 1);
  say (self);
  show_play (self);
  go (self, self->at);
  if (gtk_root_get_focus (GTK_ROOT (self->window)) == NULL)
    gtk_widget_grab_focus (self->play);         /* it could not take it before there was anything to play */
}

/* Beside each other where both have room, else one below the other. */
static void
place_columns (gpointer data)
{
  Access *self = g_object_get_data (data, COLUMNS);
  int widest = 0, n_shown = 0, room = gtk_widget_get_width (self->scroller);
  GtkOrientation orientation;

  for (guint i = 0; i < 2; i++)
    {
      int minimum = 0;

      if (!gtk_widget_get_visible (self->columns[i]))
        continue;
      gtk_widget_measure (self->columns[i], GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
      widest = MAX (widest, minimum);
      n_shown++;
    }
  /* Beside each other both are as wide as the wider one. */
  orientation = n_shown * widest > room && shows_left (self) ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;
  if (room == 0 || gtk_orientable_get_orientation (GTK_ORIENTABLE (self->box)) == orientation)
    return;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->box), orientation);
  gtk_box_set_homogeneous (GTK_BOX (self->box), orientation == GTK_ORIENTATION_HORIZONTAL);
}

/* Not while sizes are given out. */
static void
room_changed (GtkWidget *box)
{
  ls_later (box, G_PRIORITY_HIGH_IDLE, 0, place_columns);
}

static void
toggled (Access *self)
{
  gtk_widget_set_visible (self->columns[0], shows_left (self));
  room_changed (self->box);
  ready (self);
}

/* The function of the selection, or NULL: the first. */
static char *
wanted_function (Access *self)
{
  LsScriptText *text = ls_session_get_script (self->session);
  guint first, last;

  return text != NULL && ls_code_lines_of (text, ls_session_get_selection (self->session), &first, &last) ? ls_code_function_at (text, first) : NULL;
}

static void
ask (Access *self)
{
  LsEngineSession *session = LS_ENGINE_SESSION (self->session);
  LsHistory *history = ls_engine_session_get_history (session);
  g_autofree char *function = wanted_function (self);
  g_autoptr (GPtrArray) sizes = ls_engine_session_get_sizes (session);

  pause_clock (self);
  if (!self->compared && history != NULL)
    {
      self->ids[1] = ls_engine_session_get_node (session);
      self->ids[0] = ls_history_get (history, self->ids[1])->parent;
    }
  self->has_left = self->ids[0] != self->ids[1] && history != NULL;
  gtk_widget_set_visible (self->beside, self->has_left);
  gtk_widget_set_visible (self->columns[0], shows_left (self));
  room_changed (self->box);
  self->at = 1.0;
  for (guint i = self->has_left ? 0 : 1; i < 2; i++)
    {
      guint id = self->ids[i];
      LsHistory *compared = history != NULL ? ls_engine_session_compared (session, &id) : NULL;

      ls_access_column_ask (column (self, i), compared, id, function, sizes);
    }
  ready (self);
}

static void
module_changed (Access *self)
{
  if (!self->compared)
    ask (self);
}

/* ---- the window ------------------------------------------------------------------------- */

static void
access_free (gpointer data)
{
  Access *self = data;

  g_signal_handlers_disconnect_by_data (self->session, self);
  for (guint i = 0; i < 2; i++)
    {
      g_signal_handlers_disconnect_by_data (self->columns[i], self);
      ls_access_column_cancel (column (self, i));
      g_object_unref (self->columns[i]);
    }
  g_object_unref (self->scroller);
  g_object_unref (self->box);
  g_object_unref (self->session);
  g_free (self);
}

/* A drop-down that is open has its own. */
static gboolean
key_pressed (GtkEventController *keys,
             guint               key,
             guint               code,
             GdkModifierType     state,
             Access             *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self->window));
  gboolean elsewhere = focus != NULL && gtk_widget_get_native (focus) != GTK_NATIVE (self->window);

  if (elsewhere || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_space:
      if (focus != self->play && GTK_IS_BUTTON (focus))
        return FALSE;           /* its own; the button of the drop-down too */
      play (self);
      return TRUE;
    case GDK_KEY_Left:
    case GDK_KEY_comma:
      back (self);
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_period:
      on (self);
      return TRUE;
    case GDK_KEY_Page_Up:
      jump (self, -PAGE);
      return TRUE;
    case GDK_KEY_Page_Down:
      jump (self, PAGE);
      return TRUE;
    default:
      return FALSE;
    }
}

static GtkWidget *
head_row (Access *self)
{
  GtkWidget *row = ls_part_row ("compare-head");

  self->sentence = ls_part_label (NULL, "strong");
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_widget_set_hexpand (self->sentence, TRUE);
  self->beside = gtk_toggle_button_new_with_label (_("Compare with the step before"));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->beside), TRUE);
  gtk_widget_set_valign (self->beside, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (self->beside, "toggled", G_CALLBACK (toggled), self);
  gtk_box_append (GTK_BOX (row), self->sentence);
  gtk_box_append (GTK_BOX (row), self->beside);
  return row;
}

static GtkWidget *
icon_button (Access     *self,
             const char *icon,
             const char *words,
             GCallback   clicked)
{
  GtkWidget *button = ls_part_icon_button (icon, words);

  g_signal_connect_swapped (button, "clicked", clicked, self);
  return button;
}

static GtkWidget *
clock_row (Access *self)
{
  const char *const words[] = { _("10 a second"), _("100 a second"), _("1,000 a second"), _("10,000 a second"), NULL };
  GtkWidget *row = ls_part_row ("compare-head");

  gtk_widget_add_css_class (row, "access-clock");
  self->play = icon_button (self, "media-playback-start-symbolic", _("Play (Space)"), G_CALLBACK (play));
  self->slider = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 1, 2, 1);
  self->speed = gtk_drop_down_new_from_strings (words);
  gtk_scale_set_draw_value (GTK_SCALE (self->slider), FALSE);
  gtk_widget_set_hexpand (self->slider, TRUE);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->speed), 1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slider), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Number of the access"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->speed), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Speed"), -1);
  g_signal_connect_swapped (self->slider, "value-changed", G_CALLBACK (slid), self);
  gtk_box_append (GTK_BOX (row), icon_button (self, "go-previous-symbolic", _("One access back (Left)"), G_CALLBACK (back)));
  gtk_box_append (GTK_BOX (row), self->play);
  gtk_box_append (GTK_BOX (row), icon_button (self, "go-next-symbolic", _("One access forward (Right)"), G_CALLBACK (on)));
  gtk_box_append (GTK_BOX (row), self->slider);
  gtk_box_append (GTK_BOX (row), self->speed);
  return row;
}

static GtkWidget *
columns_box (Access *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *scroller = gtk_scrolled_window_new ();
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scroller));

  self->box = g_object_ref_sink (box);
  self->scroller = g_object_ref_sink (scroller);
  g_object_set_data (G_OBJECT (box), COLUMNS, self);
  gtk_box_set_homogeneous (GTK_BOX (box), TRUE);
  for (guint i = 0; i < 2; i++)
    {
      self->columns[i] = g_object_ref_sink (ls_access_column_new ());
      g_signal_connect_swapped (self->columns[i], "ready", G_CALLBACK (ready), self);
      gtk_box_append (GTK_BOX (box), self->columns[i]);
    }
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), box);
  gtk_widget_set_vexpand (scroller, TRUE);
  /* What it asks for and what it has. */
  g_signal_connect_object (across, "changed", G_CALLBACK (room_changed), box, G_CONNECT_SWAPPED);
  return scroller;
}

static void
build (Access    *self,
       GtkWindow *parent)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *foot = ls_part_label (_("A square is full when the last access to it was a write, small when it was a read; the later the access, the "
                                     "stronger its colour. The box marks the access of this moment, the blue frame its cache line. Fetched lines are "
                                     "counted for a cache of 32 KiB."), "reason");
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_box_append (GTK_BOX (box), head_row (self));
  gtk_box_append (GTK_BOX (box), columns_box (self));
  gtk_box_append (GTK_BOX (box), clock_row (self));
  self->window = ls_tool_window_new (parent, _("Access order"), 1140, 790, box, foot);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->window, keys);
}

static void
take_compared (Access            *self,
               const LsToolPlace *place)
{
  self->compared = place->compared;
  if (self->compared)
    {
      self->ids[0] = place->left;
      self->ids[1] = place->right;
    }
  gtk_button_set_label (GTK_BUTTON (self->beside), self->compared ? _("Compare with the left one") : _("Compare with the step before"));
}

static void
show (const LsToolPlace *place)
{
  Access *self = ls_tool_window_find (place->parent, KEY);

  if (!LS_IS_ENGINE_SESSION (place->session))
    return;
  if (self == NULL)
    {
      self = g_new0 (Access, 1);
      self->session = g_object_ref (place->session);
      build (self, place->parent);
      ls_tool_window_keep (self->window, KEY, self, access_free);
      g_signal_connect_swapped (self->session, "module-changed", G_CALLBACK (module_changed), self);
    }
  take_compared (self, place);
  ask (self);
  gtk_window_present (GTK_WINDOW (self->window));
}

const LsTool ls_access_tool = { .id = KEY, .label = N_("Access order"), .accel = "<Control><Shift>o", .follows = TRUE, .show = show };
