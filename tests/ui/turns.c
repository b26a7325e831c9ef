/* Turns: no input holds the main loop up, however large the program and however long the session.
 *
 * A turn is counted in units (tests/ui/turns-inputs.h), so that a slow machine, a busy one and a build with sanitizers say the same.
 * Nor does any wait for the disk.
 */
#include "tests/ui/turns-inputs.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOST_UNITS 50.0         /* 50 ms where this was written */
#define TIMES 3

/* Turns that are longer, and why they may be. */
static const struct { const char *name; double units; const char *why; } named[] = {
  { "open-session", 110.0, "another document: all widgets of the window get another content and are laid out in one frame of GTK" },
  { "restore-session", 110.0, "the same" },
  { "open-program", 110.0, "the same" },
  { "do-step", 80.0, "the list of loops compares its rows with seven thousand new ones, and the text view gets 700 KB" },
  { "undo-step", 80.0, "the same" },
  { "edit-step", 100.0, "with ten thousand blocks the places of the step's loops are looked for among all of them" },
  { "apply-early-step", 110.0, "the list of steps gets a thousand rows at once, those of the new branch" },
  { "jump-loops", 90.0, "a GtkColumnView binds two hundred rows at once when it jumps" },
};

/* ---- the disk ------------------------------------------------------------------------- */

static GThread *main_thread;
static guint n_waits;           /* of the main thread for a document */

/* Instead of the system's: a unit is what the thread works, and who waits for the disk does not.  What GTK and GSettings keep by
 * themselves is theirs. */
int
fsync (int file)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", file), *path = g_file_read_link (link, NULL);

  if (g_thread_self () == main_thread && path != NULL && strstr (path, ".loopscope") != NULL)
    n_waits++;
  return (int) syscall (SYS_fsync, file);
}

/* ---- turns ------------------------------------------------------------------------------ */

typedef struct {
  const LsTurnsInput *input;
  guint               size;
} Case;

static double
most_units (const Case *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    if (strcmp (named[i].name, self->input->name) == 0)
      return named[i].units;
  return MOST_UNITS;
}

/* The largest of an input takes minutes all together; in ./check the one below it. */
static guint
chosen_size (const LsTurnsInput *input)
{
  guint n = 0;

  while (n < G_N_ELEMENTS (input->sizes) && input->sizes[n] != 0)
    n++;
  return input->sizes[n > 1 && !g_test_thorough () ? n - 2 : n - 1];
}

/* Once where that is short enough, after what other inputs have left; then each time in a window of its own. */
static void
test_turn (gconstpointer data)
{
  const Case *self = data;
  double most = most_units (self), least = G_MAXDOUBLE;

  n_waits = 0;
  for (guint i = 0; i < TIMES && least > most; i++)
    {
      LsTurn turn = i == 0 ? ls_turns_go_on (self->input, self->size) : ls_turns_measure (self->input, self->size, 1);

      g_test_message ("%.1f units, %.1f ms of work, %.1f ms in all", turn.units, turn.cpu, turn.wall);
      least = MIN (least, turn.units);
    }
  g_assert_cmpuint (n_waits, ==, 0);
  if (least > most)
    g_test_fail_printf ("%s of %u holds the main loop up for %.1f units; %.0f are allowed", self->input->name, self->size, least, most);
}

int
main (int    argc,
      char **argv)
{
  static const char *const groups[] = { [LS_TURNS_OF_SESSION] = "session", [LS_TURNS_OF_PROGRAM] = "program", [LS_TURNS_OF_GRAPH] = "graph" };
  int status;

  main_thread = g_thread_self ();
  if (!ls_turns_init ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < ls_turns_n_inputs; i++)
    {
      Case *one = g_new (Case, 1);
      g_autofree char *path = NULL;

      *one = (Case) { &ls_turns_inputs[i], chosen_size (&ls_turns_inputs[i]) };
      /* GLib runs what stands directly below the -p of tests/ui/meson.build. */
      path = g_strdup_printf ("/turns/%s/%s-%u", groups[one->input->of], one->input->name, one->size);
      g_test_add_data_func_full (path, one, test_turn, g_free);
    }
  status = g_test_run ();
  ls_turns_finish ();
  return status;
}
