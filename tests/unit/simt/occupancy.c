/* Blocks that a multiprocessor holds: numbers worked out by hand from the limits of each architecture. */
#include "tests/support/support.h"

#include "engine/simt/occupancy.h"

typedef struct {
  const char *arch;
  gint64      threads, shared;
  guint       registers, resident, warps;
  LsOccupancyLimit limit;
} Case;

static const Case CASES[] = {
  { "sm_80", 256, 0, 32, 8, 64, LS_OCCUPANCY_THREADS },                 /* 64 warps / 8 */
  { "sm_80", 256, 0, 64, 4, 32, LS_OCCUPANCY_REGISTERS },               /* 65536 / 2048 = 32 warps */
  { "sm_80", 1024, 0, 40, 1, 32, LS_OCCUPANCY_REGISTERS },              /* 51, in fours 48 warps: one block of 32 */
  { "sm_80", 256, 48 << 10, 32, 3, 24, LS_OCCUPANCY_SHARED },           /* 164 / 49 */
  { "sm_75", 256, 32 << 10, 32, 2, 16, LS_OCCUPANCY_SHARED },           /* 64 / 32, nothing reserved */
  { "sm_86", 128, 0, 32, 12, 48, LS_OCCUPANCY_THREADS },
  { "sm_70", 32, 0, 32, 32, 32, LS_OCCUPANCY_BLOCKS },
  { "sm_70", 33, 0, 32, 32, 64, LS_OCCUPANCY_THREADS },                 /* 33 threads are two warps */
  { "sm_90", 1024, 0, 33, 1, 32, LS_OCCUPANCY_REGISTERS },              /* 33 registers: 1056, rounded to 1280 */
};

static void
test_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      const Case *c = &CASES[i];
      LsOccupancy o;

      g_assert_true (ls_occupancy (c->arch, c->threads, c->shared, c->registers, &o));
      if (o.resident != c->resident || o.warps != c->warps || o.limit != c->limit)
        g_error ("case %u: %u blocks, %u warps, %s", i, o.resident, o.warps, ls_occupancy_limit_name (o.limit));
    }
}

static void
test_refused (void)
{
  LsOccupancy o;

  g_assert_false (ls_occupancy ("gfx90a", 256, 0, 32, &o));
  g_assert_false (ls_occupancy ("sm_80", 2048, 0, 32, &o));
  g_assert_false (ls_occupancy ("sm_75", 256, 65 << 10, 32, &o));       /* more than there is */
  g_assert_false (ls_occupancy ("sm_80", 1024, 0, 128, &o));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simt/occupancy/cases", test_cases);
  g_test_add_func ("/simt/occupancy/refused", test_refused);
  return g_test_run ();
}
