/* window-turns: the longest turn of the main loop that each input makes, on large programs and long sessions, in milliseconds. */
#include "tests/bench/window-turns.h"

#include "tests/bench/bench.h"
#include "tests/ui/turns-inputs.h"

#include <stdlib.h>
#include <string.h>

#define WANTED_MS 16.0

static void
report (const LsTurnsInput *input,
        guint               size)
{
  LsTurn turn = ls_turns_measure (input, size, 1);
  g_autofree char *name = g_strdup_printf (input->words, size);

  ls_bench_note (name, turn.cpu, "ms", FALSE);
  g_print ("%-44s%9.1f ms of work%9.1f units%9.1f ms in all%s\n", name, turn.cpu, turn.units, turn.wall, turn.cpu > WANTED_MS ? "  OVER" : "");
}

void
ls_bench_turns (void)
{
  const char *only = g_getenv ("LS_BENCH_TURNS"), *size = g_getenv ("LS_BENCH_TURNS_SIZE");

  if (!ls_turns_init ())
    {
      g_print ("%-40s no display\n", "turns of the main loop");
      return;
    }
  for (guint i = 0; i < ls_turns_n_inputs; i++)
    for (guint k = 0; k < 3 && ls_turns_inputs[i].sizes[k] > 0; k++)
      if ((only == NULL || strstr (only, ls_turns_inputs[i].name) != NULL) &&
          (size == NULL || (guint) atoi (size) == ls_turns_inputs[i].sizes[k]))
        report (&ls_turns_inputs[i], ls_turns_inputs[i].sizes[k]);
  ls_turns_finish ();
}
