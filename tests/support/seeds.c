/* seeds: see the header. */
#include "tests/support/seeds.h"

/* What a long run shows before it gives up. */
#define MANY_WRONG 20

static guint64
number_of (const char *name,
           guint64     otherwise)
{
  const char *text = g_getenv (name);

  return text != NULL ? g_ascii_strtoull (text, NULL, 10) : otherwise;
}

void
ls_seeds_begin (LsSeeds *self,
                guint    n)
{
  gboolean asked = g_getenv ("LS_FUZZ_PROGRAMS") != NULL || g_getenv ("LS_FUZZ_SECONDS") != NULL;

  *self = (LsSeeds) {
    .first = (guint32) number_of ("LS_FUZZ_SEED", 0),
    .n = (guint) number_of ("LS_FUZZ_PROGRAMS", n),
    .end = g_get_monotonic_time () + (gint64) number_of ("LS_FUZZ_SECONDS", 0) * G_USEC_PER_SEC,
    .limit = asked ? MANY_WRONG : 1,
    .each = (guint) MAX (number_of ("LS_FUZZ_COMPILED", asked || g_test_thorough () ? 1 : 4), 1),
    .last = g_getenv ("LS_FUZZ_LAST"),
  };
}

gboolean
ls_seeds_next (LsSeeds *self,
               guint    wrong,
               guint32 *seed)
{
  if (wrong >= self->limit || (self->done >= self->n && g_get_monotonic_time () >= self->end))
    return FALSE;
  *seed = self->first + self->done++;
  if (self->last != NULL)
    {
      g_autofree char *text = g_strdup_printf ("%u\n", *seed);

      g_file_set_contents_full (self->last, text, -1, G_FILE_SET_CONTENTS_NONE, 0666, NULL);
    }
  return TRUE;
}

void
ls_seeds_end (LsSeeds    *self,
              const char *kind,
              guint       wrong)
{
  g_test_message ("%u %s, seeds %u..%u, %u wrong", self->done, kind, self->first, self->first + MAX (self->done, 1) - 1, wrong);
}
