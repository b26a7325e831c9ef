/* turns-window: a window with a large program or a long session, what its main loop does, and how long that takes. */
#include "tests/ui/turns-private.h"

#include <string.h>

#include "app/application.h"
#include "app/base/frame-log.h"
#include "app/report/page.h"
#include "app/session/engine.h"
#include "app/window/file.h"
#include "app/window/window.h"
#include "engine/schedule/intrin/intrin.h"
#include "views/parts/theme.h"

#include <glib/gstdio.h>
#include <time.h>

#define WORDS 4500              /* of one unit */
#define SMALL_US 1500
#define LOOK_MS 20

static LsApplication *application;
static char *folder;
static LsTurns shared;          /* the window that inputs find and leave */

/* ---- the unit ------------------------------------------------------------------- */

static gint64
thread_us (void)
{
  struct timespec at;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &at);
  return (gint64) at.tv_sec * 1000000 + at.tv_nsec / 1000;
}

/* As the program works: small pieces of memory, words, tables. */
static guint
work (void)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint sum = 0;

  for (guint i = 0; i < WORDS; i++)
    g_hash_table_insert (table, g_strdup_printf ("word %u", i * 7919 % WORDS), GUINT_TO_POINTER (i));
  for (guint i = 0; i < WORDS; i++)
    {
      g_autofree char *word = g_strdup_printf ("word %u", i);

      sum += GPOINTER_TO_UINT (g_hash_table_lookup (table, word));
    }
  return sum;
}

/* µs of one unit now: the least of some, without what came in between. */
static double
unit_us (void)
{
  static volatile guint kept;
  gint64 least = G_MAXINT64;

  for (guint i = 0; i < 9; i++)
    {
      gint64 from = thread_us ();

      kept += work ();
      least = MIN (least, thread_us () - from);
    }
  return (double) MAX (least, 1);
}

/* ---- the main loop --------------------------------------------------------------- */

static gboolean
nothing (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* What came before the input, and the test's own work, does not count. */
static void
forget (void)
{
  gint64 took, cpu;

  while (g_main_context_iteration (NULL, FALSE))
    continue;
  ls_frame_log_take (&took, &cpu);
}

static void
count (LsTurns *self)
{
  gint64 took, cpu;

  ls_frame_log_take (&took, &cpu);
  self->took = MAX (self->took, took);
  self->cpu = MAX (self->cpu, cpu);
}

void
ls_turns_settle (LsTurns *self,
                 guint    quiet)
{
  gint64 now = g_get_monotonic_time (), end = now + LONG_S * G_USEC_PER_SEC, calm = now;
  guint tick = g_timeout_add (5, nothing, NULL);

  while (now < end && now - calm < quiet * 1000)
    {
      gint64 from = thread_us ();

      g_main_context_iteration (NULL, TRUE);
      now = g_get_monotonic_time ();
      if (thread_us () - from > SMALL_US)
        calm = now;
    }
  g_source_remove (tick);
  count (self);
}

void
ls_turns_wait_for (LsTurns  *self,
                   gboolean (*is) (LsTurns *self, guint n),
                   guint     n)
{
  gint64 now = g_get_monotonic_time (), end = now + LONG_S * G_USEC_PER_SEC, next = now;
  guint tick = g_timeout_add (5, nothing, NULL);

  /* Looking goes through all widgets: not after each turn. */
  while (now < end)
    {
      if (now >= next)
        {
          if (is (self, n))
            break;
          next = g_get_monotonic_time () + LOOK_MS * 1000;
        }
      g_main_context_iteration (NULL, TRUE);
      now = g_get_monotonic_time ();
    }
  g_source_remove (tick);
  if (!is (self, n))
    g_error ("the window does not come so far in %u s", LONG_S);
}

gboolean
ls_turns_has_steps (LsTurns *self,
                    guint    n)
{
  return ls_session_get_state (self->session) == LS_SESSION_READY && g_list_model_get_n_items (ls_session_get_path (self->session)) == n + 1;
}

gboolean
ls_turns_has_functions (LsTurns *self,
                        guint    n)
{
  GListModel *loops = ls_session_get_loops (self->session);

  return loops != NULL && g_list_model_get_n_items (loops) == n;
}

gboolean
ls_turns_has_shown (LsTurns *self,
                    guint    n)
{
  return self->n_shown >= n;
}

static void
program_shown (LsTurns *self)
{
  self->n_shown++;
}

GtkWidget *
ls_turns_find_type (GtkWidget  *root,
                    const char *type)
{
  if (gtk_widget_get_mapped (root) && g_type_from_name (type) != 0 && G_TYPE_CHECK_INSTANCE_TYPE (root, g_type_from_name (type)))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = ls_turns_find_type (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

GtkWidget *
ls_turns_find_text (GtkWidget  *root,
                    const char *text)
{
  if (gtk_widget_get_mapped (root) && ((GTK_IS_BUTTON (root) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (root)), text) == 0) ||
                                       (GTK_IS_ENTRY (root) && strcmp (gtk_editable_get_text (GTK_EDITABLE (root)), text) == 0)))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = ls_turns_find_text (child, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* ---- programs and sessions ---------------------------------------------------------- */

char *
ls_turns_program_text (guint n)
{
  GString *text = g_string_new ("@I.ir_module\nclass Module:\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "    @T.prim_func\n    def layer_%u(A: T.Buffer((128, 128), \"float32\"), B: T.Buffer((128, 128), \"float32\"), C: T.Buffer((128, 128), \"float32\")):\n"
                                  "        Y = T.alloc_buffer((128, 128))\n"
                                  "        for i, j, k in T.grid(128, 128, 128):\n            with T.block(\"Y\"):\n"
                                  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
                                  "                with T.init():\n                    Y[vi, vj] = T.float32(0)\n"
                                  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n"
                                  "        for i, j in T.grid(128, 128):\n            with T.block(\"C\"):\n"
                                  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                                  "                C[vi, vj] = T.max(Y[vi, vj], T.float32(0))\n\n", i);
  return g_string_free (text, FALSE);
}

static void
put_json (GString    *out,
          const char *text)
{
  g_autofree char *escaped = g_strescape (text, NULL);

  g_string_append_printf (out, "\"%s\"", escaped);
}

char *
ls_turns_session_text (guint n)
{
  g_autofree char *text = ls_turns_program_text (1);
  GString *out = g_string_new ("{\"format\": \"loopscope-session\", \"version\": 1, \"name\": \"long.py\", \"target\": \"llvm\", \"module\": ");
  static const char *const steps[] = { "sch.unannotate(block_or_loop=b0, ann_key=\"note\")\n", "sch.reorder(l3, l2)\n", "sch.reorder(l2, l3)\n",
                                       "sch.annotate(block_or_loop=b0, ann_key=\"note\", ann_val=1)\n" };

  put_json (out, text);
  g_string_append (out, ", \"branches\": [\"\"], \"steps\": [{\"parent\": 0, \"call\": \"\", \"name\": \"start\", \"lines\": \"\"}");
  for (guint i = 1; i <= n; i++)
    {
      g_autoptr (GString) lines = g_string_new (i == 1 ? "b0 = sch.get_block(name=\"Y\", func_name=\"layer_0\")\nl1, l2, l3 = sch.get_loops(block=b0)\n" : "");

      g_string_append (lines, steps[i % G_N_ELEMENTS (steps)]);
      g_string_append_printf (out, ",\n{\"parent\": %u, \"call\": \"step %u\", \"name\": \"step\", \"lines\": ", i - 1, i);
      put_json (out, lines->str);
      g_string_append (out, "}");
    }
  g_string_append_printf (out, "], \"current\": %u, \"selection\": 0}\n", n);
  return g_string_free (out, FALSE);
}

GFile *
ls_turns_put_file (const char *name,
                   char       *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  /* What is new does not wait for the disk: who counts that counts the window's waiting. */
  g_unlink (path);
  if (!g_file_set_contents (path, text, -1, NULL))
    g_error ("%s cannot be written", path);
  g_free (text);
  return g_file_new_for_path (path);
}

GFile *
ls_turns_program_file (guint n)
{
  return ls_turns_put_file ("program.py", ls_turns_program_text (n));
}

GFile *
ls_turns_session_file (guint n)
{
  return ls_turns_put_file ("long.loopscope", ls_turns_session_text (n));
}

/* ---- what comes before an input ------------------------------------------------------- */

void
ls_turns_replace_window (LsTurns   *self,
                         LsSession *session)
{
  if (self->window != NULL)
    gtk_window_destroy (self->window);
  self->window = GTK_WINDOW (ls_window_new (GTK_APPLICATION (application), session));
  self->session = session;
  self->what = NULL;
  self->used = FALSE;
  gtk_window_set_default_size (self->window, 1440, 900);
  gtk_window_present (self->window);
}

static void
open_window (LsTurns *self)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();

  ls_turns_replace_window (self, session);
  g_signal_connect_swapped (session, "module-changed", G_CALLBACK (program_shown), self);
  ls_turns_settle (self, 1200);
}

static void
close_window (LsTurns *self)
{
  gpointer held = self->window;

  g_object_add_weak_pointer (G_OBJECT (self->window), &held);
  g_signal_handlers_disconnect_by_data (self->session, self);
  gtk_window_destroy (self->window);
  for (guint i = 0; i < 6000 && held != NULL; i++)
    ls_turns_settle (self, 10);
  self->window = NULL;
}

gboolean
ls_turns_finds (LsTurns    *self,
                const char *what,
                guint       n)
{
  if (g_strcmp0 (self->what, what) == 0 && self->what_n == n)
    return TRUE;
  if (self->used)
    {
      close_window (self);
      open_window (self);
    }
  self->used = TRUE;
  self->what = what;
  self->what_n = n;
  return FALSE;
}

void
ls_turns_open_file (LsTurns *self,
                    GFile   *taken)
{
  g_autoptr (GFile) file = taken;

  ls_window_file_open (LS_WINDOW (self->window), file);
}

void
ls_turns_show_program (LsTurns *self,
                       guint    n)
{
  if (ls_turns_finds (self, "program", n))
    return;
  ls_turns_open_file (self, ls_turns_program_file (n));
  ls_turns_wait_for (self, ls_turns_has_functions, n);
  ls_turns_settle (self, COPY_MS);
}

void
ls_turns_show_session (LsTurns *self,
                       guint    n)
{
  if (ls_turns_finds (self, "session", n))
    return;
  ls_turns_open_file (self, ls_turns_session_file (n));
  ls_turns_wait_for (self, ls_turns_has_steps, n);
  ls_turns_settle (self, COPY_MS);
}

void
ls_turns_begin (LsTurns *self)
{
  forget ();
  self->took = self->cpu = 0;
}

void
ls_turns_act (LsTurns    *self,
              const char *action)
{
  if (!gtk_widget_activate_action (GTK_WIDGET (self->window), action, NULL))
    g_error ("%s cannot be done", action);
}

const char *
ls_turns_get_folder (void)
{
  return folder;
}

/* ---- the whole ------------------------------------------------------------------------ */

gboolean
ls_turns_init (void)
{
  if (!gtk_init_check ())
    return FALSE;
  folder = g_dir_make_tmp ("loopscope-turns-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_setenv ("LOOPSCOPE_FRAME_LOG", "/dev/null", FALSE);
  ls_frame_log_start ();
  ls_tensor_intrin_preload ();
  ls_views_init ();
  ls_report_register ();
  application = ls_application_new (ls_engine_session_new_sample);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, NULL);
  return TRUE;
}

/* With all that is in it. */
static void
clear_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        clear_folder (inner);
      else
        g_unlink (inner);
    }
  g_rmdir (path);
}

void
ls_turns_finish (void)
{
  if (shared.window != NULL)
    close_window (&shared);
  g_object_unref (application);
  ls_frame_log_end ();
  clear_folder (folder);
  g_clear_pointer (&folder, g_free);
}

/* The longest turn of the input, in the window that there is. */
static void
measure (LsTurns            *self,
         const LsTurnsInput *input,
         guint               size,
         LsTurn             *best)
{
  double unit = unit_us (), after;

  input->run (self, size);
  after = unit_us ();
  best->wall = MIN (best->wall, (double) self->took / 1000.0);
  best->cpu = MIN (best->cpu, (double) self->cpu / 1000.0);
  best->units = MIN (best->units, (double) self->cpu / MAX (unit, after));
}

LsTurn
ls_turns_measure (const LsTurnsInput *input,
                  guint               size,
                  guint               times)
{
  LsTurn best = { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };

  if (shared.window != NULL)
    close_window (&shared);
  for (guint i = 0; i < times; i++)
    {
      LsTurns self = { 0 };

      open_window (&self);
      measure (&self, input, size, &best);
      if (self.window != NULL)
        close_window (&self);
    }
  return best;
}

LsTurn
ls_turns_go_on (const LsTurnsInput *input,
                guint               size)
{
  LsTurn turn = { G_MAXDOUBLE, G_MAXDOUBLE, G_MAXDOUBLE };

  if (input->finds == LS_TURNS_ALONE)
    return ls_turns_measure (input, size, 1);
  if (shared.window == NULL)
    open_window (&shared);
  measure (&shared, input, size, &turn);
  if (input->finds != LS_TURNS_KEEPS)
    shared.what = NULL;
  return turn;
}
