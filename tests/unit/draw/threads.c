/* Banks as the Threads window counts them: as many ways as the simulator says (tests/unit/simt/counts.c). */
#include "views/threads/model.h"

static void
test_banks (void)
{
  static const struct { guint lanes, step, bytes, most, words; } CASES[] = {
    { 32, 4, 4, 1, 1 }, { 32, 8, 8, 1, 1 }, { 32, 16, 16, 1, 1 }, { 64, 4, 4, 1, 1 }, { 64, 16, 16, 1, 1 }, { 32, 0, 4, 1, 1 }, { 32, 8, 4, 2, 2 }, { 32, 128, 4, 32, 32 },
    { 64, 128, 4, 32, 32 }, { 32, 128, 8, 16, 16 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      LsThreadsEvent event = { .lanes = CASES[i].lanes };
      guint words[32];

      for (guint lane = 0; lane < CASES[i].lanes; lane++)
        {
          event.mask |= (guint64) 1 << lane;
          event.offsets[lane] = lane * CASES[i].step;
        }
      g_assert_cmpuint (ls_threads_banks (&event, CASES[i].bytes, words), ==, CASES[i].most);
      g_assert_cmpuint (words[0], ==, CASES[i].words);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/draw/threads/banks", test_banks);
  return g_test_run ();
}
