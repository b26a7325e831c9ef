/* machine: the measured peaks beside what the processor says of itself. */
#include "engine/advice/advice.h"
#include "engine/runtime/peaks.h"

#include <string.h>

#define USUAL_HERTZ 3e9
#define UNITS 2                 /* multiply-adds of vectors that a core starts in a cycle */
#define HALVED 0.7              /* of the clock: processors with whole units go down to three quarters of it in wide vectors, those with halves to one half */

static void
set_vectors (LsAdviceMachine *self)
{
  self->lanes = 4;
  self->registers = 16;
#if defined (__x86_64__)
  __builtin_cpu_init ();
  if (__builtin_cpu_supports ("avx512f"))
    {
      self->lanes = 16;
      self->registers = 32;
    }
  else if (__builtin_cpu_supports ("avx"))
    self->lanes = 8;
#elif defined (__aarch64__)
  self->registers = 32;
#endif
}

int
ls_advice_lanes (void)
{
  LsAdviceMachine machine;

  set_vectors (&machine);
  return machine.lanes;
}

char *
ls_advice_steps_file (const char *path,
                      int         lanes)
{
  g_autofree char *stem = NULL, *wide = NULL;

  if (lanes < 16 || !g_str_has_suffix (path, ".py"))
    return g_strdup (path);
  stem = g_strndup (path, strlen (path) - strlen (".py"));
  wide = g_strconcat (stem, ".avx512.py", NULL);
  return g_strdup (g_file_test (wide, G_FILE_TEST_EXISTS) ? wide : path);
}

/* "cpu MHz : 2595.124" of the first processor, in hertz; 0: it does not say. */
static double
listed_hertz (void)
{
  g_autofree char *text = NULL;
  const char *at = g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL) ? strstr (text, "cpu MHz") : NULL;

  at = at != NULL ? strchr (at, ':') : NULL;
  return at != NULL ? g_ascii_strtod (at + 1, NULL) * 1e6 : 0.0;
}

/* Cycles a second of this core now, by products that wait for each other: three cycles each on all x86 of these years.  0: not known. */
static double
clock_hertz (void)
{
#if defined (__x86_64__)
  static double best;           /* other work makes it less, never more */

  for (int turn = 0; turn < 8; turn++)
    {
      guint64 x = 3;
      gint64 begin = g_get_monotonic_time (), end;
      const int n = 32768;

      for (int i = 0; i < n; i += 8)
        __asm__ volatile ("imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0" : "+r"(x));
      end = g_get_monotonic_time ();
      if (end > begin)
        best = MAX (best, 3e6 * n / (double) (end - begin));
    }
  return best;
#else
  return 0.0;
#endif
}

/* Does a register of vectors take a unit for two cycles? */
static gboolean
is_halved (int    lanes,
           double gflops)
{
  return lanes > 8 && gflops * 1e9 / (2.0 * UNITS * lanes) < HALVED * clock_hertz ();
}

static const gint64 usual_bytes[3] = { 32768, 524288, 16777216 };

void
ls_advice_machine_init_usual (LsAdviceMachine *self,
                              int              cores)
{
  static const double usual_gb_per_s[3] = { 100.0, 30.0, 12.0 };
  static const char *const behind[3] = { "L2", "L3", "DRAM" };

  memset (self, 0, sizeof *self);
  set_vectors (self);
  self->at_once = self->lanes;
  self->hertz = USUAL_HERTZ;
  self->gflops = self->hertz * 1e-9 * 2.0 * UNITS * self->lanes;
  self->cores = cores > 0 ? cores : (int) g_get_num_processors ();
  for (self->n_levels = 0; self->n_levels < 3; self->n_levels++)
    {
      gint64 bytes = ls_host_cache_bytes (self->n_levels + 1);

      self->cache[self->n_levels] = bytes > 0 ? bytes : usual_bytes[self->n_levels];
      self->gb_per_s[self->n_levels] = usual_gb_per_s[self->n_levels];
      g_strlcpy (self->behind[self->n_levels], behind[self->n_levels], sizeof self->behind[0]);
    }
}

void
ls_advice_machine_init (LsAdviceMachine *self,
                        const LsPeaks   *peaks,
                        int              cores)
{
  memset (self, 0, sizeof *self);
  set_vectors (self);
  self->gflops = peaks->fma_gflops;
  /* Peaks that were measured beside other work say less; a core at rest says less, too. */
  self->at_once = is_halved (self->lanes, self->gflops) ? self->lanes / 2 : self->lanes;
  self->hertz = MAX (peaks->fma_gflops * 1e9 / (2.0 * UNITS * self->at_once), 0.9 * listed_hertz ());
  self->cores = cores > 0 ? cores : (int) g_get_num_processors ();
  for (int i = 0; i + 1 < peaks->n_levels && self->n_levels < 3; i++)
    {
      gint64 bytes = ls_host_cache_bytes (i + 1);

      self->cache[self->n_levels] = bytes > 0 ? bytes : usual_bytes[i];
      self->gb_per_s[self->n_levels] = peaks->levels[i + 1].gb_per_s;
      g_strlcpy (self->behind[self->n_levels++], peaks->levels[i + 1].name, sizeof self->behind[0]);
    }
}
