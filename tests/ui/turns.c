/* Turns: no input holds the main loop up, however large the program and however long the session.
 *
 * A turn is counted in units (tests/ui/turns-inputs.h), so that a slow machine, a busy one and a build with sanitizers say the same.
 */
#include "tests/ui/turns-inputs.h"

#include <string.h>

#define MOST_UNITS 50.0         /* some 50 ms */
#define TIMES 3

/* Turns that are longer, and why they may be. */
static const struct { const char *name; guint size; double units; const char *why; } named[] = {
  { NULL, 0, 0.0, NULL },
};

typedef struct {
  const LsTurnsInput *input;
  guint               size;
} Case;

static double
most_units (const Case *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (named) && named[i].name != NULL; i++)
    if (strcmp (named[i].name, self->input->name) == 0 && named[i].size == self->size)
      return named[i].units;
  return MOST_UNITS;
}

/* Once where that is short enough. */
static void
test_turn (gconstpointer data)
{
  const Case *self = data;
  double most = most_units (self), least = G_MAXDOUBLE;

  for (guint i = 0; i < TIMES && least > most; i++)
    {
      LsTurn turn = ls_turns_measure (self->input, self->size, 1);

      g_test_message ("%.1f units, %.1f ms of work, %.1f ms in all", turn.units, turn.cpu, turn.wall);
      least = MIN (least, turn.units);
    }
  g_assert_cmpfloat (least, <=, most);
}

int
main (int    argc,
      char **argv)
{
  int status;

  if (!ls_turns_init ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < ls_turns_n_inputs; i++)
    for (guint k = 0; k < 3 && ls_turns_inputs[i].sizes[k] > 0; k++)
      {
        Case *one = g_new (Case, 1);
        g_autofree char *path = g_strdup_printf ("/turns/%s/%u", ls_turns_inputs[i].name, ls_turns_inputs[i].sizes[k]);

        *one = (Case) { &ls_turns_inputs[i], ls_turns_inputs[i].sizes[k] };
        g_test_add_data_func_full (path, one, test_turn, g_free);
      }
  status = g_test_run ();
  ls_turns_finish ();
  return status;
}
