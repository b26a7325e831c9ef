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

/* AMD's: units are those of the descriptor (engine/codegen/amd.c).  The waves of a SIMD are what LLVM's assembly says in its comment "Occupancy". */
static const struct {
  const char    *arch;
  gint64         threads, shared;
  LsOccupancyAmd kernel;
  guint          vector, scalar, resident, warps, most;
  LsOccupancyLimit limit;
} AMD[] = {
  { "gfx900", 64, 2048, { 12, 2, 64, FALSE }, 48, 32, 20, 20, 40, LS_OCCUPANCY_REGISTERS },     /* 256 / 48 = 5 of each of four SIMDs */
  { "gfx906", 64, 2048, { 10, 2, 64, FALSE }, 40, 32, 24, 24, 40, LS_OCCUPANCY_REGISTERS },
  { "gfx900", 128, 2068, { 4, 3, 64, FALSE }, 16, 48, 16, 32, 40, LS_OCCUPANCY_BLOCKS },        /* 16 barriers */
  { "gfx900", 256, 4224, { 4, 2, 64, FALSE }, 16, 32, 10, 40, 40, LS_OCCUPANCY_THREADS },
  { "gfx900", 64, 0, { 4, 7, 64, FALSE }, 16, 112, 28, 28, 40, LS_OCCUPANCY_REGISTERS },        /* scalar: 800 / 112 = 7 */
  { "gfx90a", 64, 2048, { 7, 2, 64, FALSE }, 56, 32, 32, 32, 32, LS_OCCUPANCY_THREADS },        /* 512 / 56 = 9, 8 at most */
  { "gfx90a", 256, 20 << 10, { 4, 2, 64, FALSE }, 32, 32, 3, 12, 32, LS_OCCUPANCY_SHARED },     /* 64 / 20 */
  { "gfx1030", 64, 2048, { 9, 1, 32, TRUE }, 80, 0, 24, 48, 64, LS_OCCUPANCY_REGISTERS },       /* 72 are given out as 80: 12 of four SIMDs */
  { "gfx1100", 64, 2048, { 12, 1, 32, TRUE }, 96, 0, 32, 64, 64, LS_OCCUPANCY_THREADS },        /* 1536 / 96 = 16 */
  { "gfx1010", 64, 0, { 5, 1, 32, TRUE }, 40, 0, 32, 64, 80, LS_OCCUPANCY_BLOCKS },
  { "gfx1030", 64, 0, { 16, 1, 64, FALSE }, 64, 0, 16, 16, 32, LS_OCCUPANCY_REGISTERS },        /* wavefronts of 64: 512 / 64 = 8 of two SIMDs */
};

static void
test_amd (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (AMD); i++)
    {
      LsOccupancy o;
      guint vector, scalar;

      g_assert_true (ls_occupancy_amd (AMD[i].arch, AMD[i].threads, AMD[i].shared, &AMD[i].kernel, &vector, &scalar, &o));
      if (vector != AMD[i].vector || scalar != AMD[i].scalar || o.resident != AMD[i].resident || o.warps != AMD[i].warps || o.most_warps != AMD[i].most || o.limit != AMD[i].limit)
        g_error ("case %u: %u and %u registers, %u blocks, %u of %u warps, %s", i, vector, scalar, o.resident, o.warps, o.most_warps, ls_occupancy_limit_name (o.limit));
    }
}

static void
test_refused (void)
{
  LsOccupancy o;

  LsOccupancyAmd kernel = { 4, 2, 64, FALSE };
  guint vector, scalar;

  g_assert_false (ls_occupancy ("gfx90a", 256, 0, 32, &o));
  g_assert_false (ls_occupancy_amd ("gfx801", 256, 0, &kernel, &vector, &scalar, &o));
  g_assert_false (ls_occupancy_amd ("sm_80", 256, 0, &kernel, &vector, &scalar, &o));
  g_assert_false (ls_occupancy_amd ("gfx900", 256, 65 << 10, &kernel, &vector, &scalar, &o));
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
  g_test_add_func ("/simt/occupancy/amd", test_amd);
  g_test_add_func ("/simt/occupancy/refused", test_refused);
  return g_test_run ();
}
