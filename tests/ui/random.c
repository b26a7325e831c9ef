/* Random: the windows are used as nobody would, for a long time: programs open, close and change, steps are done, undone and edited, text
 * is typed, loops are dragged, buttons are pressed, sizes and looks change, in several windows at once, and always before what came
 * before is through.  Nothing may be criticised by GLib or GTK (but for tests/ui/known.h), nothing found by a sanitizer.
 * What is closed goes.
 *
 * --seed of a failing run repeats its wishes; the last of them, and where it was, are printed when the program ends badly.
 */
#include "app/application.h"
#include "app/session/engine.h"
#include "app/tool/tool.h"
#include "app/window/actions.h"
#include "app/window/file.h"
#include "app/window/window.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/support/support.h"
#include "tests/support/where.h"
#include "tests/ui/known.h"
#include "tests/ui/random-hand.h"
#include "views/parts/theme.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define QUICK 400
#define FULL 20000
#define MOST_WINDOWS 3          /* before one is closed */
#define MOST_STEPS 60           /* of one document: then a program is opened anew */
#define KEPT 60
#define SETTLE_MS 20000         /* in which nothing works any more */
#define SETTLE_MOST_MS 600000

static LsApplication *application;
static GPtrArray *windows;      /* of GtkWindow, borrowed: those there are now */
static GPtrArray *sessions;     /* of Watched: what windows have and had */
static char *folder;

typedef struct {
  gpointer session;             /* a weak pointer */
  gpointer window;              /* the same */
  GString *history;             /* of wishes for its window */
} Watched;

/* ---- what was wished ------------------------------------------------------------- */

static char wishes[KEPT][160];
static guint n_wishes;
static GString *history;        /* of the session whose window gets the wish, or NULL */

G_GNUC_PRINTF (1, 2)
static void
note (const char *format,
      ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_vsnprintf (wishes[n_wishes % KEPT], sizeof wishes[0], format, arguments);
  va_end (arguments);
  if (history != NULL)
    g_string_append_printf (history, "%s; ", wishes[n_wishes % KEPT]);
  n_wishes++;
}

static void
say_wishes (int number)
{
  for (guint i = n_wishes > KEPT ? n_wishes - KEPT : 0; i < n_wishes; i++)
    {
      const char *wish = wishes[i % KEPT];

      if (write (STDERR_FILENO, "# wish: ", 8) < 0 || write (STDERR_FILENO, wish, strlen (wish)) < 0 || write (STDERR_FILENO, "\n", 1) < 0)
        break;
    }
  ls_test_say_where (number);
}

/* ---- chance ------------------------------------------------------------------------ */

static guint
below (guint n)
{
  return n > 0 ? (guint) g_test_rand_int_range (0, (gint32) n) : 0;
}

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, passed, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* ---- windows ------------------------------------------------------------------------- */

static GtkWindow *
any_window (void)
{
  return windows->len > 0 ? g_ptr_array_index (windows, below (windows->len)) : NULL;
}

static LsSession *
session_of (GtkWindow *window)
{
  return ls_window_get_session (LS_WINDOW (window));
}

static void
new_window (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  GtkWindow *window = GTK_WINDOW (ls_window_new (GTK_APPLICATION (application), session));

  gtk_window_set_default_size (window, 1440, 900);
  gtk_window_present (window);
  note ("new window %u", windows->len);
}

/* Its window's, from now on. */
static Watched *
watch_session (LsSession *session,
               GtkWindow *window)
{
  Watched *watched;

  for (guint i = 0; i < sessions->len; i++)
    if (((Watched *) g_ptr_array_index (sessions, i))->session == (gpointer) session)
      return g_ptr_array_index (sessions, i);
  watched = g_new0 (Watched, 1);
  watched->history = g_string_new (NULL);
  g_set_weak_pointer (&watched->session, session);
  g_set_weak_pointer (&watched->window, window);
  g_ptr_array_add (sessions, watched);
  return watched;
}

/* ---- what stays, by name: with LS_RANDOM_WATCH in the environment ------------------------ */

static GHashTable *widgets;     /* of those seen, not yet disposed of: their types */

static void
widget_gone (gpointer  data,
             GObject  *widget)
{
  g_hash_table_remove (widgets, widget);
}

static void
watch_widgets (GtkWidget *root)
{
  if (!g_hash_table_contains (widgets, root))
    {
      g_hash_table_insert (widgets, root, (gpointer) G_OBJECT_TYPE_NAME (root));
      g_object_weak_ref (G_OBJECT (root), widget_gone, NULL);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    watch_widgets (child);
}

/* The uppermost ones that hold others. */
static void
say_widgets (void)
{
  GHashTableIter iter;
  gpointer widget, name;

  if (widgets == NULL)
    return;
  g_hash_table_iter_init (&iter, widgets);
  while (g_hash_table_iter_next (&iter, &widget, &name))
    if (gtk_widget_get_parent (widget) == NULL)
      g_test_message ("%s stays, held %u times, first child %s", (const char *) name, ((GObject *) widget)->ref_count,
                      gtk_widget_get_first_child (widget) != NULL ? G_OBJECT_TYPE_NAME (gtk_widget_get_first_child (widget)) : "none");
}

/* Files open some by themselves. */
static void
look_for_windows (void)
{
  g_ptr_array_set_size (windows, 0);
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (application)); at != NULL; at = at->next)
    if (LS_IS_WINDOW (at->data))
      {
        g_ptr_array_add (windows, at->data);
        if (widgets != NULL)
          watch_widgets (at->data);
        watch_session (session_of (at->data), at->data);
      }
}

static void
open_another (GtkWindow *window)
{
  if (windows->len < MOST_WINDOWS)
    new_window ();
}

static void
close_window (GtkWindow *window)
{
  note ("close");
  gtk_window_close (window);
}

/* ---- files ----------------------------------------------------------------------------- */

static char *
program (guint n)
{
  GString *text = g_string_new ("@I.ir_module\nclass Module:\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "    @T.prim_func\n    def f%u(A: T.Buffer((32, 32), \"float32\"), B: T.Buffer((32, 32), \"float32\")):\n"
                                  "        Y = T.alloc_buffer((32, 32))\n"
                                  "        for i, j, k in T.grid(32, 32, 32):\n            with T.block(\"Y\"):\n"
                                  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
                                  "                with T.init():\n                    Y[vi, vj] = T.float32(0)\n"
                                  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * A[vk, vj]\n"
                                  "        for i, j in T.grid(32, 32):\n            with T.block(\"B\"):\n"
                                  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                                  "                B[vi, vj] = T.max(Y[vi, vj], T.float32(0))\n\n", i);
  return g_string_free (text, FALSE);
}

static const struct { const char *name; guint functions; const char *text; } files[] = {
  { "one.py", 1, NULL }, { "three.py", 3, NULL }, { "many.py", 90, NULL }, { "broken.py", 0, "@T.prim_func\ndef f(A: T.Buffer((4,)):\n" },
  { "empty.py", 0, "" }, { "no.loopscope", 0, "{\"format\": \"loopscope-session\"" },
};

static GFile *
file_of (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_new_for_path (path);
}

static void
write_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i].name, NULL);
      g_autofree char *text = files[i].text != NULL ? g_strdup (files[i].text) : program (files[i].functions);

      g_assert_true (g_file_set_contents (path, text, -1, NULL));
    }
}

static void
open_file (GtkWindow *window)
{
  guint i = below (G_N_ELEMENTS (files));
  g_autoptr (GFile) file = file_of (files[i].name);

  note ("open %s", files[i].name);
  ls_window_file_open (LS_WINDOW (window), file);
}

/* What the window shows, as a session, is opened there or in another. */
static void
open_session (GtkWindow *window)
{
  static guint number;
  g_autofree char *json = ls_session_export (session_of (window), LS_EXPORT_SESSION, NULL);
  g_autofree char *name = g_strdup_printf ("s%u.loopscope", number++ % 4), *path = g_build_filename (folder, name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (json == NULL)
    return;
  note ("open %s of it", name);
  g_file_set_contents (path, json, -1, NULL);
  ls_window_file_open (LS_WINDOW (any_window ()), file);
}

static void
compare_file (GtkWindow *window)
{
  guint i = below (G_N_ELEMENTS (files));
  g_autoptr (GFile) file = file_of (files[i].name);

  note ("compare with %s", files[i].name);
  ls_window_compare_file (LS_WINDOW (window), file);
}

static void
save (GtkWindow *window)
{
  /* Without a file it would ask for one. */
  if (ls_window_file_saved (LS_WINDOW (window)) == NULL)
    return;
  note ("save");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.save", NULL);
}

/* ---- what the user does to a session -------------------------------------------------- */

/* A row of the loops, however deep. (transfer full), or NULL */
static LsLoopItem *
any_row (LsSession *session)
{
  GListModel *rows = ls_session_get_loops (session);
  LsLoopItem *item = NULL;

  while (rows != NULL && g_list_model_get_n_items (rows) > 0 && (item == NULL || below (4) > 0))
    {
      g_clear_object (&item);
      item = g_list_model_get_item (rows, below (g_list_model_get_n_items (rows)));
      rows = ls_loop_item_get_children (item);
    }
  return item;
}

static void
select_row (GtkWindow *window)
{
  g_autoptr (LsLoopItem) item = any_row (session_of (window));

  if (item == NULL)
    return;
  note ("select %s", ls_loop_item_get (item)->name);
  ls_session_select (session_of (window), ls_loop_item_get (item)->id);
}

static void
go_to (GtkWindow *window)
{
  guint n = g_list_model_get_n_items (ls_session_get_history (session_of (window)));
  guint at = below (n + 1);

  note ("go to %u of %u", at, n);
  ls_session_go_to (session_of (window), at);
}

/* A move of those that stand there, or the moves are waited for. (transfer full), or NULL */
static LsMoveItem *
any_move (LsSession *session)
{
  GListModel *moves = below (2) == 0 ? ls_session_get_moves (session) : ls_session_watch_moves (session);
  guint n = g_list_model_get_n_items (moves);

  return n > 0 ? g_list_model_get_item (moves, below (n)) : NULL;
}

static void
use_move (GtkWindow *window)
{
  static const char *const values[] = { "4", "[None, 4]", "0", "-1", "\"local\"", "x", "", "128" };
  LsSession *session = session_of (window);
  g_autoptr (LsMoveItem) move = any_move (session);
  guint what = below (6);

  if (move == NULL)
    return;
  note ("%u of move %s", what, ls_move_item_get (move)->call);
  switch (what)
    {
    case 0:
      ls_session_preview (session, move);
      break;
    case 1:
      ls_session_edit (session, move, below (3), values[below (G_N_ELEMENTS (values))]);
      break;
    case 2:
      ls_session_repair (session, move);
      break;
    default:
      if (g_list_model_get_n_items (ls_session_get_history (session)) < MOST_STEPS)
        ls_session_apply (session, move);
      break;
    }
}

static void
reorder (GtkWindow *window)
{
  LsSession *session = session_of (window);
  g_autoptr (LsLoopItem) from = any_row (session), to = any_row (session);
  g_autofree char *reason = NULL;

  if (from == NULL || to == NULL)
    return;
  note ("drag %s to %s", ls_loop_item_get (from)->name, ls_loop_item_get (to)->name);
  ls_session_reorder (session, ls_loop_item_get (from)->id, ls_loop_item_get (to)->id, below (2) == 0, &reason);
}

static void
pin (GtkWindow *window)
{
  LsSession *session = session_of (window);
  LsScriptText *text = ls_session_get_script (session);
  guint length = text != NULL ? (guint) strlen (ls_script_text_get_text (text)) : 0;
  g_autofree char *reason = NULL;

  note ("pin");
  if (below (4) == 0)
    ls_session_unpin (session, (guint8) below (256));
  else
    reason = ls_session_pin (session, below (3) == 0 ? ls_session_get_selection (session) : 0, below (length + 2), LS_PIN_NEXT);
}

static void
name_it (GtkWindow *window)
{
  guint n = g_list_model_get_n_items (ls_session_get_history (session_of (window)));

  note ("name a branch");
  if (n > 0)
    ls_session_name_branch (session_of (window), below (n), below (2) == 0 ? "fast" : "slow and \"careful\"");
}

static void
edit_step (GtkWindow *window)
{
  LsSession *session = session_of (window);
  guint n = g_list_model_get_n_items (ls_session_get_history (session));
  g_autoptr (LsMoveItem) item = n > 1 && n < MOST_STEPS ? ls_session_edit_step (session, below (n)) : NULL;

  note ("edit a step");
  if (item == NULL)
    return;
  ls_session_edit (session, item, below (3), below (2) == 0 ? "8" : "[None, 2]");
  if (below (2) == 0)
    ls_session_apply (session, item);
}

static void
measure (GtkWindow *window)
{
  note ("measure and leave off");
  ls_session_measure (session_of (window), below (2) == 0);
  if (below (4) > 0)
    ls_session_cancel (session_of (window));
}

/* ---- what stands beside a window ---------------------------------------------------- */

/* Whether it is one of ours: the toolkit's choosers of files, explanations of keys and the like are not tested here. */
static gboolean
is_beside (GtkWindow *top)
{
  return !LS_IS_WINDOW (top) && !GTK_IS_FILE_CHOOSER (top) && !GTK_IS_SHORTCUTS_WINDOW (top) && gtk_widget_get_mapped (GTK_WIDGET (top));
}

/* The window, or, as often, one of those that are open beside the windows. */
static GtkWindow *
any_place (GtkWindow *window)
{
  GListModel *tops = gtk_window_get_toplevels ();
  GtkWindow *chosen = window;
  guint n = 0;

  if (below (2) == 0)
    return window;
  for (guint i = 0; i < g_list_model_get_n_items (tops); i++)
    {
      g_autoptr (GtkWindow) top = g_list_model_get_item (tops, i);

      if (is_beside (top) && below (++n) == 0)
        chosen = top;
    }
  return chosen;
}

/* Of whatever is there too. */
static void
use_hand (GtkWindow *window)
{
  gtk_window_present (any_place (window));
  note ("%s", ls_hand_move (below));
}

/* ---- text ---------------------------------------------------------------------------- */

/* What has no size yet nobody can reach; GTK finds no place for a popover there. */
static void
collect (GtkWidget *root,
         GType      type,
         GPtrArray *found)
{
  if (gtk_widget_get_mapped (root) && gtk_widget_get_width (root) > 0 && gtk_widget_get_height (root) > 0 && G_TYPE_CHECK_INSTANCE_TYPE (root, type))
    g_ptr_array_add (found, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect (child, type, found);
}

/* One of that type that is on the screen, or NULL. */
static GtkWidget *
any_widget (GtkWindow *window,
            GType      type)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();

  collect (GTK_WIDGET (window), type, found);
  return found->len > 0 ? g_ptr_array_index (found, below (found->len)) : NULL;
}

static void
type (GtkWindow *window)
{
  static const char *const words[] = { "a", " ", "\n", "for i in range(4):\n", "# é 漢", ")", "\"" };
  GtkWidget *view = any_widget (any_place (window), GTK_TYPE_TEXT_VIEW);
  GtkTextBuffer *buffer;
  GtkTextIter from, to;

  if (view == NULL)
    return;
  note ("type in %s", G_OBJECT_TYPE_NAME (view));
  buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  gtk_text_buffer_get_iter_at_offset (buffer, &from, (int) below ((guint) gtk_text_buffer_get_char_count (buffer) + 1));
  to = from;
  gtk_text_buffer_place_cursor (buffer, &from);
  if (below (3) == 0)
    {
      gtk_text_iter_forward_chars (&to, (int) below (30));
      gtk_text_buffer_delete_interactive (buffer, &from, &to, gtk_text_view_get_editable (GTK_TEXT_VIEW (view)));
    }
  else
    gtk_text_buffer_insert_interactive (buffer, &from, words[below (G_N_ELEMENTS (words))], -1, gtk_text_view_get_editable (GTK_TEXT_VIEW (view)));
}

static void
fill_in (GtkWindow *window)
{
  static const char *const words[] = { "", "4", "T.grid", "[None, 4]", "zz", "漢" };
  GtkWidget *entry = any_widget (any_place (window), GTK_TYPE_EDITABLE);

  if (entry == NULL)
    return;
  note ("fill in %s", G_OBJECT_TYPE_NAME (entry));
  gtk_editable_set_text (GTK_EDITABLE (entry), words[below (G_N_ELEMENTS (words))]);
  if (below (2) == 0)
    gtk_widget_activate (entry);
}

/* ---- widgets --------------------------------------------------------------------------- */

/* What asks for a file, opens another program or ends this one is left out; so are windows of the toolkit itself. */
static gboolean
is_left_out (const char *action)
{
  static const char *const parts[] = { "open", "save", "export", "compare-file", "new-window", "quit", "measure", "try-results", "help", "about",
                                       "show-help-overlay", "close", "rank", "apply-trace", "lesson", "fullscreen", "roofline" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (action, parts[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
press (GtkWindow *window)
{
  GtkWidget *button = any_widget (any_place (window), GTK_TYPE_BUTTON);
  const char *action = button != NULL ? gtk_actionable_get_action_name (GTK_ACTIONABLE (button)) : NULL;
  const char *label = button != NULL ? gtk_button_get_label (GTK_BUTTON (button)) : NULL;

  if (button == NULL || GTK_IS_LINK_BUTTON (button) || (action != NULL && is_left_out (action)) ||
      (label != NULL && g_str_has_suffix (label, "…")) || !gtk_widget_is_sensitive (button))
    return;
  note ("press %s %s in %s", action != NULL ? action : "-", label != NULL ? label : "-", G_OBJECT_TYPE_NAME (gtk_widget_get_parent (button)));
  g_signal_emit_by_name (button, "clicked");
}

static void
focus (GtkWindow *window)
{
  window = any_place (window);
  note ("focus");
  if (below (3) == 0)
    gtk_widget_child_focus (GTK_WIDGET (window), (GtkDirectionType) below (6));
  else
    {
      GtkWidget *widget = any_widget (window, GTK_TYPE_WIDGET);

      if (widget != NULL)
        gtk_widget_grab_focus (widget);
    }
}

static void
scroll (GtkWindow *window)
{
  GtkWidget *scrolled = any_widget (any_place (window), GTK_TYPE_SCROLLED_WINDOW);
  GtkAdjustment *at;

  if (scrolled == NULL)
    return;
  at = below (4) == 0 ? gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled))
                      : gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled));
  note ("scroll");
  gtk_adjustment_set_value (at, below (101) / 100.0 * (gtk_adjustment_get_upper (at) - gtk_adjustment_get_page_size (at)));
}

/* Not beyond the screen: GDK 4.8 finds no monitor for a popover that is wholly outside (gdk_monitor_get_geometry). */
static void
resize (GtkWindow *window)
{
  int width = 640 + (int) below (801), height = 480 + (int) below (421);

  window = any_place (window);
  note ("resize to %d x %d", width, height);
  gtk_window_set_default_size (window, width, height);
}

static void
change_look (GtkWindow *window)
{
  static const int sizes[] = { 100, 125, 150, 200 };

  note ("another look");
  if (below (2) == 0)
    ls_theme_set_scheme (below (2) == 0 ? LS_SCHEME_DARK : LS_SCHEME_LIGHT);
  else
    ls_theme_set_text_size (sizes[below (G_N_ELEMENTS (sizes))]);
}

static void
show_page (GtkWindow *window)
{
  static const char *const pages[] = { "explore", "compare", "graph", "why", "tune" };
  const char *page = pages[below (G_N_ELEMENTS (pages))];

  note ("page %s", page);
  ls_window_show_page (LS_WINDOW (window), page);
}

static void
act (GtkWindow *window)
{
  g_auto (GStrv) names = g_action_group_list_actions (G_ACTION_GROUP (window));
  const char *name = names[below (g_strv_length (names))];
  const GVariantType *type_of = g_action_group_get_action_parameter_type (G_ACTION_GROUP (window), name);
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (window), name);

  if (is_left_out (name) || !g_action_group_get_action_enabled (G_ACTION_GROUP (window), name))
    return;
  note ("act %s", name);
  if (state != NULL && g_variant_is_of_type (state, G_VARIANT_TYPE_BOOLEAN))
    g_action_group_change_action_state (G_ACTION_GROUP (window), name, g_variant_new_boolean (!g_variant_get_boolean (state)));
  else if (type_of == NULL)
    g_action_group_activate_action (G_ACTION_GROUP (window), name, NULL);
  else if (g_variant_type_equal (type_of, G_VARIANT_TYPE_INT32))
    g_action_group_activate_action (G_ACTION_GROUP (window), name, g_variant_new_int32 ((int) below (10)));
}

/* One of the windows that explain something: they are many, and any other action is more likely. */
static void
open_tool (GtkWindow *window)
{
  const LsTool *tool = ls_tool_get (below (ls_tool_get_n ()));
  const char *id = tool->id;

  /* What measures holds its session until the worker is through, which is no matter of a few seconds. */
  if (tool->waits || !g_action_group_get_action_enabled (G_ACTION_GROUP (window), id))
    return;
  note ("tool %s", id);
  g_action_group_activate_action (G_ACTION_GROUP (window), id, NULL);
}

/* A row of a list, as Enter or two clicks choose it. */
static void
choose_row (GtkWindow *window)
{
  GtkWidget *list = any_widget (any_place (window), below (2) == 0 ? GTK_TYPE_LIST_VIEW : GTK_TYPE_COLUMN_VIEW);
  GtkSelectionModel *model;
  guint n;

  if (list == NULL)
    return;
  model = GTK_IS_LIST_VIEW (list) ? gtk_list_view_get_model (GTK_LIST_VIEW (list)) : gtk_column_view_get_model (GTK_COLUMN_VIEW (list));
  n = model != NULL ? g_list_model_get_n_items (G_LIST_MODEL (model)) : 0;
  if (n == 0)
    return;
  note ("choose a row of %u in %s", n, G_OBJECT_TYPE_NAME (gtk_widget_get_root (list)));
  gtk_selection_model_select_item (model, below (n), TRUE);
  if (below (2) == 0)
    gtk_widget_activate_action (list, "list.activate-item", "u", below (n));
}

/* The windows beside it go with it, or before. */
static void
close_beside (GtkWindow *window)
{
  g_autoptr (GListModel) tops = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (tops); i++)
    {
      g_autoptr (GtkWindow) top = g_list_model_get_item (tops, i);

      if (!LS_IS_WINDOW (top) && below (2) == 0)
        {
          note ("close %s", G_OBJECT_TYPE_NAME (top));
          gtk_window_close (top);
          return;
        }
    }
}

/* ---- the whole ---------------------------------------------------------------------------- */

static const struct { const char *name; guint weight; void (*wish) (GtkWindow *window); } all[] = {
  { "select_row", 14, select_row }, { "go_to", 12, go_to }, { "use_move", 14, use_move }, { "reorder", 6, reorder },
  { "pin", 5, pin }, { "name_it", 2, name_it }, { "edit_step", 4, edit_step }, { "measure", 1, measure }, { "type", 8, type },
  { "fill_in", 4, fill_in }, { "press", 12, press }, { "focus", 6, focus }, { "scroll", 8, scroll }, { "resize", 5, resize },
  { "change_look", 1, change_look }, { "show_page", 6, show_page }, { "act", 10, act },
  { "open_tool", 6, open_tool }, { "choose_row", 6, choose_row }, { "use_hand", 16, use_hand }, { "close_beside", 5, close_beside },
  { "open_file", 3, open_file }, { "open_session", 2, open_session }, { "compare_file", 2, compare_file }, { "save", 2, save },
  { "open_another", 2, open_another }, { "close_window", 2, close_window },
};

/* With LS_RANDOM_ONLY=open_file,close_window.. in the environment nothing else is wished: to find what it takes. */
static guint
weight_of (guint i)
{
  const char *only = g_getenv ("LS_RANDOM_ONLY");
  g_auto (GStrv) names = only != NULL ? g_strsplit (only, ",", -1) : NULL;

  return names == NULL || g_strv_contains ((const char *const *) names, all[i].name) ? all[i].weight : 0;
}

static void
wish (void)
{
  guint sum = 0, at;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    sum += weight_of (i);
  at = below (sum);
  look_for_windows ();
  if (windows->len == 0)
    new_window ();
  look_for_windows ();
  if (windows->len > MOST_WINDOWS)
    close_window (any_window ());
  look_for_windows ();
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      if (at < weight_of (i))
        {
          GtkWindow *window = any_window ();

          history = watch_session (session_of (window), window)->history;
          all[i].wish (window);
          history = NULL;
          return;
        }
      at -= weight_of (i);
    }
}

static guint
count_sessions (void)
{
  guint n = 0;

  for (guint i = 0; i < sessions->len; i++)
    n += ((Watched *) g_ptr_array_index (sessions, i))->session != NULL;
  return n;
}

/* Whether a thread beside the main loop has something to do: on a busy machine what was begun for a session takes long to end. */
static gboolean
threads_work (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/task", 0, NULL);
  g_autofree char *own = g_strdup_printf ("%d", (int) getpid ());
  gboolean work = FALSE;
  const char *name;

  while (dir != NULL && !work && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", name, "stat", NULL), *text = NULL;
      const char *end = g_file_get_contents (path, &text, NULL, NULL) ? strrchr (text, ')') : NULL;

      work = end != NULL && strcmp (name, own) != 0 && (g_str_has_prefix (end, ") R") || g_str_has_prefix (end, ") D"));
    }
  return work;
}

/* Until no session is left, or nothing has worked for a while. */
static void
settle (void)
{
  for (guint waited = 0, quiet = 0; count_sessions () > 0 && quiet < SETTLE_MS && waited < SETTLE_MOST_MS; waited += 50)
    {
      wait_ms (50);
      quiet = threads_work () ? 0 : quiet + 50;
    }
}

static void
watched_free (gpointer data)
{
  Watched *watched = data;

  g_clear_weak_pointer (&watched->session);
  g_clear_weak_pointer (&watched->window);
  g_string_free (watched->history, TRUE);
  g_free (watched);
}

/* What was wished of its window last. */
static void
say_held (const Watched *watched)
{
  LsSession *held = watched->session;
  const char *last = watched->history->str + (watched->history->len > 600 ? watched->history->len - 600 : 0);

  g_test_message ("session %s, step %u, is held %u times; it %s, its moves are %s, its graph is %s, its window %s (held %u times); after: %s",
                  ls_session_get_title (held), ls_session_get_position (held), ((GObject *) held)->ref_count,
                  ls_session_is_running (held) ? "measures" : "rests", ls_session_moves_are_due (held) ? "due" : "there",
                  ls_graph_model_get_busy (ls_session_get_graph (held)) != NULL ? "busy" : "at rest", watched->window != NULL ? "stays" : "has gone",
                  watched->window != NULL ? ((GObject *) watched->window)->ref_count : 0, last);
}

static void
test_random (void)
{
  guint n = ls_test_count (QUICK, FULL);
  const char *given = g_getenv ("LS_RANDOM_WISHES");

  ls_pass_over_known ();
  if (g_getenv ("LS_RANDOM_WATCH") != NULL)
    widgets = g_hash_table_new (NULL, NULL);
  windows = g_ptr_array_new ();
  sessions = g_ptr_array_new_with_free_func (watched_free);
  write_files ();
  for (guint i = 0; i < (given != NULL ? (guint) g_ascii_strtoull (given, NULL, 10) : n); i++)
    {
      wish ();
      if (i % 500 == 499)
        g_test_message ("%u wishes, %u windows", i + 1, windows->len);
      /* Mostly the next one comes before a frame did. */
      if (below (3) == 0)
        wait_ms (below (8) == 0 ? 120 : below (20));
    }
  note ("end");
  for (look_for_windows (); windows->len > 0; look_for_windows ())
    {
      gtk_window_destroy (g_ptr_array_index (windows, 0));
      wait_ms (20);
    }
  settle ();
  for (guint i = 0; i < sessions->len; i++)
    if (((Watched *) g_ptr_array_index (sessions, i))->session != NULL)
      say_held (g_ptr_array_index (sessions, i));
  say_widgets ();
  g_assert_cmpuint (count_sessions (), ==, 0);
  g_ptr_array_unref (sessions);
  g_ptr_array_unref (windows);
}

int
main (int    argc,
      char **argv)
{
  int status;

  /* display.py takes it away again. */
  if (g_getenv ("XDG_CACHE_HOME") != NULL)
    folder = g_mkdtemp (g_build_filename (g_getenv ("XDG_CACHE_HOME"), "random-XXXXXX", NULL));
  if (folder == NULL)
    folder = g_dir_make_tmp ("loopscope-random-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  /* What is saved from a chooser that a click opened. */
  g_setenv ("HOME", folder, TRUE);
  if (chdir (folder) != 0)
    return 1;
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  /* GTK warns of lists that are scrolled between a change of their model and its layout, and of what comes of tests/ui/known.h. */
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  signal (SIGSEGV, say_wishes);
  signal (SIGTRAP, say_wishes);
  signal (SIGABRT, say_wishes);
  if (!ls_hand_init ())
    {
      g_print ("1..0 # SKIP no test extension of the X server\n");
      return 0;
    }
  ls_tensor_intrin_preload ();
  ls_views_init ();
  application = ls_application_new (ls_engine_session_new_sample);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_test_add_func ("/random/window", test_random);
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
