/* Random: the windows are used as nobody would, for a long time: programs open, close and change, steps are done, undone and edited, text
 * is typed, loops are dragged, buttons are pressed, sizes and looks change, in several windows at once, and always before what came
 * before is through.  Nothing may be criticised by GLib or GTK (but for tests/ui/known.h), nothing found by a sanitizer.
 * What is closed goes.
 *
 * The wishes are in random-session.c and random-widgets.c.  --seed of a failing run repeats them; the last of them, and where it was,
 * are printed when the program ends badly.
 */
#include "app/application.h"
#include "app/session/engine.h"
#include "app/window/window.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/support/support.h"
#include "tests/support/where.h"
#include "tests/ui/known.h"
#include "tests/ui/random-hand.h"
#include "tests/ui/random-private.h"
#include "views/parts/theme.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define QUICK 400
#define FULL 20000
#define MOST_WINDOWS 3          /* before one is closed */
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

void
ls_wish_note (const char *format,
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

guint
ls_wish_below (guint n)
{
  return n > 0 ? (guint) g_test_rand_int_range (0, (gint32) n) : 0;
}

const char *
ls_wish_get_folder (void)
{
  return folder;
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

GtkWindow *
ls_wish_any_window (void)
{
  return windows->len > 0 ? g_ptr_array_index (windows, ls_wish_below (windows->len)) : NULL;
}

LsSession *
ls_wish_session_of (GtkWindow *window)
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
  ls_wish_note ("new window %u", windows->len);
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
        watch_session (ls_wish_session_of (at->data), at->data);
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
  ls_wish_note ("close");
  gtk_window_close (window);
}

/* ---- the whole ---------------------------------------------------------------------------- */

static const struct { const char *name; guint weight; void (*wish) (GtkWindow *window); } all[] = {
  { "select_row", 14, ls_wish_select_row }, { "go_to", 12, ls_wish_go_to }, { "use_move", 14, ls_wish_use_move }, { "reorder", 6, ls_wish_reorder },
  { "pin", 5, ls_wish_pin }, { "name_it", 2, ls_wish_name_it }, { "edit_step", 4, ls_wish_edit_step }, { "measure", 1, ls_wish_measure }, { "type", 8, ls_wish_type },
  { "fill_in", 4, ls_wish_fill_in }, { "press", 12, ls_wish_press }, { "focus", 6, ls_wish_focus }, { "scroll", 8, ls_wish_scroll }, { "resize", 5, ls_wish_resize },
  { "change_look", 1, ls_wish_change_look }, { "show_page", 6, ls_wish_show_page }, { "act", 10, ls_wish_act },
  { "open_tool", 6, ls_wish_open_tool }, { "choose_row", 6, ls_wish_choose_row }, { "use_hand", 16, ls_wish_use_hand }, { "close_beside", 5, ls_wish_close_beside },
  { "open_file", 3, ls_wish_open_file }, { "open_session", 2, ls_wish_open_session }, { "compare_file", 2, ls_wish_compare_file }, { "save", 2, ls_wish_save },
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
  at = ls_wish_below (sum);
  look_for_windows ();
  if (windows->len == 0)
    new_window ();
  look_for_windows ();
  if (windows->len > MOST_WINDOWS)
    close_window (ls_wish_any_window ());
  look_for_windows ();
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      if (at < weight_of (i))
        {
          GtkWindow *window = ls_wish_any_window ();

          history = watch_session (ls_wish_session_of (window), window)->history;
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
  ls_wish_write_files ();
  for (guint i = 0; i < (given != NULL ? (guint) g_ascii_strtoull (given, NULL, 10) : n); i++)
    {
      wish ();
      if (i % 500 == 499)
        g_test_message ("%u wishes, %u windows", i + 1, windows->len);
      /* Mostly the next one comes before a frame did. */
      if (ls_wish_below (3) == 0)
        wait_ms (ls_wish_below (8) == 0 ? 120 : ls_wish_below (20));
    }
  ls_wish_note ("end");
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
