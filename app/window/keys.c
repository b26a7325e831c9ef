/* window/keys: one table of accelerators, one of single letters, and what Escape takes back. */
#include "app/window/actions.h"

#include "app/tool/tool.h"
#include "app/window/open.h"
#include "app/window/private.h"

typedef struct {
  const char *action;
  const char *keys[4];
} Accel;

static const Accel accels[] = {
  { "win.open", { "<Control>o" } },
  { "win.new-window", { "<Control>n" } },
  { "win.save", { "<Control>s" } },
  { "win.save-as", { "<Control><Shift>s" } },
  { "win.save-trace", { "<Control>t" } },
  { "win.export::report", { "<Control>r" } },
  { "win.edit-step", { "F2" } },
  { "win.edit-base", { "<Control>e" } },
  { "win.definition", { "F12" } },
  { "win.source", { "<Shift>F12" } },
  { "win.card", { "<Control>F1" } },
  { "win.pin", { "<Control>p" } },
  { "win.pin-as(1)", { "<Control><Alt>1" } },
  { "win.pin-as(2)", { "<Control><Alt>2" } },
  { "win.pin-as(3)", { "<Control><Alt>3" } },
  { "win.pin-as(4)", { "<Control><Alt>4" } },
  { "win.pin-as(5)", { "<Control><Alt>5" } },
  { "win.pin-as(6)", { "<Control><Alt>6" } },
  { "win.pin-as(7)", { "<Control><Alt>7" } },
  { "win.unpin-all", { "<Control><Shift>p" } },
  { "win.undo", { "<Control>z" } },
  { "win.redo", { "<Control><Shift>z" } },
  { "win.previous-step", { "<Alt>Left" } },
  { "win.next-step", { "<Alt>Right" } },
  { "win.first-step", { "<Alt>Home" } },
  { "win.last-step", { "<Alt>End" } },
  { "win.bookmark", { "<Control>b" } },
  { "win.to-bookmark(1)", { "<Alt>1" } },
  { "win.to-bookmark(2)", { "<Alt>2" } },
  { "win.to-bookmark(3)", { "<Alt>3" } },
  { "win.to-bookmark(4)", { "<Alt>4" } },
  { "win.to-bookmark(5)", { "<Alt>5" } },
  { "win.to-bookmark(6)", { "<Alt>6" } },
  { "win.to-bookmark(7)", { "<Alt>7" } },
  { "win.to-bookmark(8)", { "<Alt>8" } },
  { "win.to-bookmark(9)", { "<Alt>9" } },
  { "win.all-steps", { "<Control><Shift>e" } },
  { "win.measure", { "F5" } },
  { "win.measure-all", { "<Shift>F5" } },
  { "win.page::explore", { "<Control>1" } },
  { "win.page::compare", { "<Control>2" } },
  { "win.compare-before", { "<Control>d" } },
  { "win.try-results", { "<Control>F5" } },
  { "win.next-change", { "<Alt>Down" } },
  { "win.previous-change", { "<Alt>Up" } },
  { "win.one-column", { "<Control>i" } },
  { "win.page::graph", { "<Control>3" } },
  { "win.page::why", { "<Control>4" } },
  { "win.page::tune", { "<Control>5" } },
  { "win.history", { "F9" } },
  { "win.focus-moves", { "<Control>m" } },
  { "win.search", { "<Control>f" } },
  { "win.search-next", { "<Control>g" } },
  { "win.next-pane", { "F6" } },
  { "win.previous-pane", { "<Shift>F6" } },
  { "win.fullscreen", { "F11" } },
  { "win.text-larger", { "<Control>plus", "<Control>equal", "<Control>KP_Add" } },
  { "win.text-smaller", { "<Control>minus", "<Control>KP_Subtract" } },
  { "win.text-normal", { "<Control>0" } },
  { "win.preferences", { "<Control>comma" } },
  { "win.help", { "F1" } },
  { "win.show-help-overlay", { "<Control>question" } },
  { "window.close", { "<Control>w" } },
  { "app.quit", { "<Control>q" } },
};

/* Keys without a modifier; they arrive here only when no entry took them. */
static const struct { guint key; const char *action; } letters[] = {
  { GDK_KEY_m, "win.focus-moves" },
  { GDK_KEY_p, "win.pin" },
  { GDK_KEY_d, "win.diff" },
  { GDK_KEY_a, "win.arrows" },
  { GDK_KEY_r, "win.rounds" },
  { GDK_KEY_w, "win.waterfall" },
  { GDK_KEY_o, "win.roofline" },
  { GDK_KEY_comma, "win.play-back" },
  { GDK_KEY_period, "win.play-on" },
  { GDK_KEY_space, "win.play" },
};

/* The two programs of the page for comparing are being run. */
static gboolean
is_trying (LsWindow *self)
{
  g_autoptr (LsResults) results = NULL;
  guint left, right;

  if (!ls_window_shows_page (self, "compare"))
    return FALSE;
  ls_window_get_compared (self, &left, &right);
  results = ls_session_get_results (ls_window_get_session (self), left, right);
  return results != NULL && results->state == LS_RESULTS_RUNNING;
}

static gboolean
escape (LsWindow *self)
{
  if (ls_window_close_overlay (self) || ls_window_open_cancel (self))
    return TRUE;
  if (!ls_session_is_running (ls_window_get_session (self)) && !is_trying (self))
    return FALSE;
  ls_session_cancel (ls_window_get_session (self));
  return TRUE;
}

static gboolean
key_pressed (LsWindow        *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK | GDK_SUPER_MASK))
    return FALSE;
  if (key == GDK_KEY_Escape)
    return escape (self);
  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (letters[i].key == key)
      return gtk_widget_activate_action (GTK_WIDGET (self), letters[i].action, NULL);

  return FALSE;
}

void
ls_window_add_keys (LsWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

void
ls_window_set_accels (GtkApplication *application)
{
  for (guint i = 0; i < G_N_ELEMENTS (accels); i++)
    gtk_application_set_accels_for_action (application, accels[i].action, accels[i].keys);
  for (guint i = 0; i < ls_tool_get_n (); i++)
    {
      g_autofree char *action = g_strconcat ("win.", ls_tool_get (i)->id, NULL);

      gtk_application_set_accels_for_action (application, action, (const char *const []) { ls_tool_get (i)->accel, NULL });
    }
}
