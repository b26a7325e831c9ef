/* chance: what a tuner draws, and whether it is to end. */
#include "engine/tune/tuner-private.h"

#include "engine/schedule/space/mutate.h"

gboolean
ls_tuner_is_stopped (LsTuner *self)
{
  return self->stop != NULL && g_atomic_int_get (self->stop) != 0;
}

double
ls_tuner_draw_fraction (LsTuner *self)
{
  return ls_random_below (&self->random, 1 << 24) / (double) (1 << 24);
}

guint
ls_tuner_draw_below (LsTuner *self,
                     guint    n)
{
  return (guint) ls_random_below (&self->random, (gint) n);
}

/* The seed of the next trial.  Neighbouring seeds draw alike at first, so they are spread (splitmix64). */
gint64
ls_tuner_next_seed (LsTuner *self)
{
  guint64 x = (guint64) self->next_seed++ * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (gint64) ((x ^ (x >> 31)) % (G_MAXINT32 - 1)) + 1;
}
