/* LsDependences: plain records. */
#include "views/models/dependence.h"

static void
arrow_free (gpointer data)
{
  LsArrow *self = data;

  g_free (self->words);
  g_free (self);
}

LsDependences *
ls_dependences_new (void)
{
  LsDependences *self = g_new0 (LsDependences, 1);

  self->arrows = g_ptr_array_new_with_free_func (arrow_free);
  return self;
}

static void
rounds_free (LsRounds *self)
{
  g_free (self->outer);
  g_free (self->inner);
  g_free (self->words);
  g_array_unref (self->arrows);
  g_free (self);
}

void
ls_dependences_free (LsDependences *self)
{
  g_ptr_array_unref (self->arrows);
  g_clear_pointer (&self->rounds, rounds_free);
  g_free (self);
}

void
ls_dependences_add (LsDependences *self,
                    guint64        from,
                    guint64        to,
                    guint          needs,
                    const char    *words)
{
  LsArrow *arrow = g_new0 (LsArrow, 1);

  *arrow = (LsArrow) { from, to, needs, g_strdup (words) };
  g_ptr_array_add (self->arrows, arrow);
}

LsRounds *
ls_dependences_add_rounds (LsDependences *self)
{
  g_clear_pointer (&self->rounds, rounds_free);
  self->rounds = g_new0 (LsRounds, 1);
  self->rounds->arrows = g_array_new (FALSE, FALSE, sizeof (LsRoundArrow));
  return self->rounds;
}

char *
ls_needs_words (guint needs)
{
  static const char *const names[] = { "RAW", "WAW", "WAR" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (needs & (1u << i))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", names[i]);
  return g_string_free (text, FALSE);
}
